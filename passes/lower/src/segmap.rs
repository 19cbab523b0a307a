//! segmap: one thread per point; in tiles where elements are read transposed (see [`crate::transpose`]).

use crate::function::Lowering;
use crate::kernel::{linear_index, store};
use crate::launch::Extent;
use segra_ir::{InsertPoint, OpView, Value};
use segra_kernel::segop::SegMapOp;

impl Lowering<'_> {
    /// Allocates the results, builds the kernel, launches it.
    pub(crate) fn segmap(&mut self, segmap: SegMapOp) -> Option<()> {
        let op = segmap.op();
        if segmap.mapping_attr(self.ir).is_none()
            && let Some(transposed) = crate::transpose::transposed(self.ir, segmap)
        {
            return self.segmap_transposed(segmap, &transposed);
        }
        let sizes = segmap.sizes(self.ir);
        let space: Vec<Extent> = sizes.iter().map(|&size| Extent::Value(size)).collect();
        let chosen = self.strategy(op, segmap.mapping_attr(self.ir))?;
        let launch = self.launch(op, &space, &chosen)?;
        let outputs = self.allocate_results(op, &sizes, segmap.results(self.ir).len(), 0);
        let mut kernel = self.kernel(op, "segmap");
        let body = segmap.body(kernel.ir);
        kernel.capture(&[body]);
        let buffers: Vec<_> = outputs.iter().map(|&output| kernel.buffer(output)).collect();
        let inputs: Vec<Value> =
            launch.kernel_inputs().into_iter().map(|value| kernel.scalar(value)).collect();
        let extents: Vec<Option<Value>> =
            sizes.iter().enumerate().map(|(dim, &size)| (dim > 0).then(|| kernel.scalar(size))).collect();
        let (indices, guard) = launch.recover(&mut kernel.builder(), &inputs);
        let entry = InsertPoint::End(kernel.entry);
        kernel.when(entry, guard, |kernel, point| {
            let values = kernel.inline(point, body, &indices);
            let linear = linear_index(&mut kernel.at(point), &indices, &extents);
            for (&buffer, value) in buffers.iter().zip(values) {
                store(&mut kernel.at(point), value, buffer, linear);
            }
        });
        kernel.finish(&launch, crate::function::MODULE);
        self.replace_results(op, &outputs, &sizes);
        Some(())
    }
}
