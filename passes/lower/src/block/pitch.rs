//! Arrays of a block whose rows lie a little apart, so that threads that go down a column meet different banks.
//!
//! Shared memory has 32 banks of four bytes. Where neighbouring threads read neighbouring rows of an array at one column,
//! rows of a multiple of a power of two would put their elements into few banks; rows of odd length put them into all.
//! The same where a warp has several rows of threads, and rows of the array start at one bank. Where threads iterate over the
//! rows by loads of several elements, an odd number of those lies between rows instead ([`crate::point::lanes_of`]).
//!
//! The same for matrices of 8 rows of 16 bytes, as tensor cores read them: rows are an odd number of 16 bytes long.
//!
//! Legality: the array is made by a segmap over constant extents, and only read by all its indices.

use crate::kernel::Kernel;
use crate::point::lanes_of;
use crate::state::{Array, Extent, Memory};
use segra_ir::interfaces::constant_of;
use segra_ir::{Ir, Op, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::contract::ContractOp;
use segra_kernel::segop::SegMapOp;
use segra_space::Target;
use segra_std::arith::{AddIOp, MulIOp};

/// Elements from row to row of a segmap's result, which these ops use; none where they follow each other.
pub(super) fn pitch_of(
    ir: &Ir,
    (segmap, element): (SegMapOp, segra_ir::Type),
    users: impl Iterator<Item = Op>,
) -> Option<i64> {
    let sizes = segmap.sizes(ir);
    let last = *sizes.last().filter(|_| sizes.len() > 1)?;
    let columns = constant_of(ir, last)?.as_i64(ir.ctx())?;
    let (mut apart, mut lanes) = (false, 1);
    for user in users {
        if ir.isa::<ContractOp>(user) {
            apart = true;
            let bytes = segra_kernel::vector::element_bytes(ir, element)?;
            lanes = lanes.max(Target::CUDA.vector_bytes / bytes);
            continue;
        }
        let read = ir.cast::<ReadOp>(user)?;
        let indices = read.indices(ir);
        if indices.len() != sizes.len() {
            return None;
        }
        let down = columns % 2 == 0 && goes_down(ir, user, &indices, 1)
            || columns % Target::CUDA.banks == 0 && goes_down(ir, user, &indices, 2);
        if down {
            apart = true;
            let several = lanes_of(ir, read).or_else(|| lanes_at_constants(ir, read));
            lanes = lanes.max(several.filter(|lanes| columns % lanes == 0).unwrap_or(1));
        }
    }
    apart.then_some(((columns / lanes) | 1) * lanes)
}

/// Whether threads of a warp read different rows: the segmap's index number `from_last` is one before the last, and
/// threads of a warp differ in it.
fn goes_down(ir: &Ir, read: Op, indices: &[Value], from_last: usize) -> bool {
    let Some(segmap) = ir
        .ancestors(read)
        .skip(1)
        .find_map(|op| ir.cast::<SegMapOp>(op))
    else {
        return false;
    };
    let args = ir.block_args(segmap.body_block(ir));
    let Some(number) = args.len().checked_sub(from_last) else {
        return false;
    };
    let known = |size: &Value| constant_of(ir, *size).and_then(|attr| attr.as_i64(ir.ctx()));
    let inner: Option<i64> = segmap.sizes(ir)[number + 1..].iter().map(known).product();
    let rows = &indices[..indices.len() - 1];
    inner.is_some_and(|inner| inner < crate::segmented::WARP)
        && rows.iter().any(|&row| is_affine(ir, row, args[number]))
}

/// Whether a value is an index, a multiple of it, or a constant more than that.
fn is_affine(ir: &Ir, value: Value, index: Value) -> bool {
    let inner = |x: Value, y: Value| match (ir.constant_int(x), ir.constant_int(y)) {
        (_, Some(_)) => is_affine(ir, x, index),
        (Some(_), _) => is_affine(ir, y, index),
        _ => false,
    };
    if let Some(sum) = ir.def_as::<AddIOp>(value) {
        return inner(sum.lhs(ir), sum.rhs(ir));
    }
    if let Some(product) = ir.def_as::<MulIOp>(value) {
        return inner(product.lhs(ir), product.rhs(ir));
    }
    value == index
}

/// Elements of one access where a thread reads a row at constant places, those beside them, too: unrolled loops.
fn lanes_at_constants(ir: &Ir, read: ReadOp) -> Option<i64> {
    let last = *read.indices(ir).last()?;
    let steps = ir
        .def_as::<AddIOp>(last)
        .is_some_and(|sum| ir.constant_int(sum.rhs(ir)).is_some());
    let bytes = segra_kernel::vector::element_bytes(ir, ir.value_type(read.result(ir)))?;
    (steps || ir.constant_int(last).is_some()).then_some(Target::CUDA.vector_bytes / bytes)
}

impl Kernel<'_> {
    /// Shared memory for an array whose rows lie apart, where that pays.
    pub(super) fn pitched(
        &mut self,
        result: Value,
        user: Op,
        extents: &[Extent],
        element: segra_ir::Type,
    ) -> Option<Array> {
        let made = self.ir.defining_op(result)?;
        let segmap = self.ir.cast::<SegMapOp>(made)?;
        let pitch = pitch_of(self.ir, (segmap, element), self.ir.users(result))?;
        let mut count = pitch;
        for extent in &extents[..extents.len() - 1] {
            let Extent::Host(value) = *extent else {
                return None;
            };
            count = count.checked_mul(constant_of(self.ir, value)?.as_i64(self.ir.ctx())?)?;
        }
        let count = crate::launch::constant(&mut self.host_builder(), count);
        let buffer = self.shared_for(result, user, count, element);
        let whole = Array::whole(Memory::Shared(buffer), extents.to_vec(), element);
        Some(Array {
            pitch: Some(pitch),
            ..whole
        })
    }
}
