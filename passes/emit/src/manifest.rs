//! Kernels as the runtime must know them: parameters, shared memory, block size, what they are for.

use crate::signature::element_type;
use rustc_hash::FxHashMap;
use segra_artifact::{
    Access, ElemType, Kernel, KernelId, KernelParam, MOST_EXTENTS, MapExtent, TensorMap,
};
use segra_gpu::bulk::{BulkCopyOp, copies_of, parameter};
use segra_gpu::device::{BufferUse, GpuFuncOp, buffer_use};
use segra_gpu::host::{GpuModuleOp, top_level};
use segra_gpu::record::RECORD;
use segra_ir::{Diagnostics, Ir, Op, OpView, Type, TypeKind, Value};
use segra_space::Target;

/// Discardable attribute of a kernel: what it computes, in one line.
pub const SUMMARY: &str = "summary";
/// Discardable attribute of a kernel: the index-space mapping it was made by.
pub const MAPPING: &str = "mapping";

/// The kernels of a module, by their function.
#[derive(Clone, Debug, Default)]
pub struct Kernels {
    ids: FxHashMap<Op, KernelId>,
}

impl Kernels {
    /// The number of a kernel.
    pub fn id(&self, func: Op) -> Option<KernelId> {
        self.ids.get(&func).copied()
    }
}

/// Adds every kernel of `module` to `add`'s manifest. Errors are added to `diags`.
pub(crate) fn collect(
    ir: &Ir,
    module: Op,
    diags: &mut Diagnostics,
    mut add: impl FnMut(Kernel, Op) -> KernelId,
) -> Kernels {
    let mut kernels = Kernels::default();
    for device in top_level(ir, module).filter(|&op| ir.isa::<GpuModuleOp>(op)) {
        for op in top_level(ir, device) {
            let Some(func) = ir.cast::<GpuFuncOp>(op).filter(|func| func.is_kernel(ir)) else {
                continue;
            };
            match kernel(ir, func) {
                Ok(kernel) => {
                    kernels.ids.insert(op, add(kernel, op));
                }
                Err(problem) => {
                    diags.op_error(ir, op, problem);
                }
            }
        }
    }
    kernels
}

fn kernel(ir: &Ir, func: GpuFuncOp) -> Result<Kernel, String> {
    let ctx = ir.ctx();
    // Extents that are always the same, or bounds on them.
    let block = ["known_block_size", "nvvm.maxntid"]
        .into_iter()
        .find_map(|name| ir.attr_named(func.op(), name)?.as_dense_i64(ctx));
    let threads = block.map(|block| block.iter().map(|&extent| extent.max(1)).product::<i64>());
    let text = |name: &str| {
        ir.attr_named(func.op(), name)
            .and_then(|attr| attr.as_str(ctx))
            .unwrap_or_default()
    };
    let name = func
        .name(ir)
        .map(|name| ctx.str(name).to_owned())
        .unwrap_or_default();
    Ok(Kernel {
        summary: text(SUMMARY).to_owned(),
        name,
        params: parameters(ir, func)?,
        static_shared_bytes: u32::try_from(shared_bytes(ir, func)?)
            .map_err(|_| "has too much workgroup memory")?,
        max_threads_per_block: threads
            .and_then(|threads| u32::try_from(threads).ok())
            .unwrap_or(Target::CUDA.launch.block_threads as u32),
        location: None,
    })
}

fn parameters(ir: &Ir, func: GpuFuncOp) -> Result<Vec<KernelParam>, String> {
    let ctx = ir.ctx();
    let mut params = Vec::new();
    let record = ir.attr_named(func.op(), RECORD).is_some();
    let parameters = func.parameters(ir);
    for (index, &param) in parameters.iter().enumerate() {
        if record && index + 1 == parameters.len() {
            params.push(KernelParam::ErrorRecord);
            continue;
        }
        let ty = ir.value_type(param);
        let elem = element_type(ctx, ty.element_or_self(ctx)).ok_or_else(|| {
            format!(
                "has a parameter of type {}, which no kernel takes",
                segra_text::print_type(ctx, ty)
            )
        })?;
        if let Some(copy) = copies_of(ir, param).first() {
            params.push(KernelParam::TensorMap(tensor_map(ir, *copy, elem)?));
            continue;
        }
        params.push(match ctx.type_kind(ty) {
            TypeKind::MemRef { .. } => KernelParam::Buffer {
                elem,
                access: access(ir, param),
            },
            _ => KernelParam::Scalar(elem),
        });
    }
    Ok(params)
}

/// The tensor map that a parameter is passed as, which this copy is of, as all others are.
fn tensor_map(ir: &Ir, copy: BulkCopyOp, elem: ElemType) -> Result<TensorMap, String> {
    let of_box = copy.extents_of_box(ir);
    let mut map = TensorMap {
        elem,
        rank: u8::try_from(of_box.len()).map_err(|_| "has a box of too many extents")?,
        extents: [MapExtent::Const(1); MOST_EXTENTS],
        extents_of_box: [1; MOST_EXTENTS],
        in_lines: copy.in_lines(ir).is_some(),
    };
    for (dim, (&extent, of_box)) in copy.extents(ir).iter().zip(of_box).enumerate() {
        let known = match (ir.constant_int(extent), parameter(ir, extent)) {
            (Some(extent), _) => u64::try_from(extent).ok().map(MapExtent::Const),
            (None, Some(number)) => u32::try_from(number).ok().map(MapExtent::Param),
            (None, None) => None,
        };
        let known = known.ok_or("copies boxes of an array whose extents are no parameters")?;
        let place = map
            .extents
            .get_mut(dim)
            .zip(map.extents_of_box.get_mut(dim));
        let (place, place_of_box) = place.ok_or("has a box of too many extents")?;
        *place = known;
        *place_of_box = u32::try_from(of_box).map_err(|_| "has a box that is too large")?;
    }
    Ok(map)
}

/// Bytes of all workgroup buffers.
fn shared_bytes(ir: &Ir, func: GpuFuncOp) -> Result<u64, String> {
    let mut all = 0u64;
    for buffer in func.workgroup_buffers(ir) {
        let ty = ir.value_type(buffer);
        let bytes = static_bytes(ir, ty).ok_or_else(|| {
            format!(
                "has a workgroup buffer of type {}; its shape must be static",
                segra_text::print_type(ir.ctx(), ty)
            )
        })?;
        // Each buffer starts at a multiple of 16 bytes at most.
        all = all.next_multiple_of(16) + bytes;
    }
    Ok(all)
}

fn static_bytes(ir: &Ir, ty: Type) -> Option<u64> {
    let (shape, element) = ty.shaped(ir.ctx())?;
    let size = element_type(ir.ctx(), element).map(ElemType::size)? as u64;
    shape.iter().try_fold(size, |bytes, &extent| {
        bytes.checked_mul(u64::try_from(extent).ok()?)
    })
}

/// How a kernel uses a buffer.
fn access(ir: &Ir, buffer: Value) -> Access {
    match buffer_use(ir, buffer) {
        BufferUse { writes: false, .. } => Access::Read,
        BufferUse { reads: false, .. } => Access::Write,
        _ => Access::ReadWrite,
    }
}
