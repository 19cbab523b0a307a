//! The cost of recomputing beside that of storing and reading back.
//!
//! Counted are bytes of memory traffic per element. One unit of work (an addition) counts as [`BYTES_PER_WORK`] bytes:
//! GPUs do 10 to 20 operations in the time one byte takes from memory, so this is on the side of not repeating work. An
//! array of unknown extent counts as [`ASSUMED_ROW`] elements per row.

use segra_array::types::{ArrayType, Size, sizes_and_element};
use segra_ir::interfaces::work_of;
use segra_ir::{Block, Ir, Op, Type};

/// Bytes of traffic one operation is worth.
pub(crate) const BYTES_PER_WORK: f64 = 0.25;
/// Extent of an inner dimension where no constant tells.
pub(crate) const ASSUMED_ROW: u64 = 64;
/// Work per element up to which a body is cheap.
const CHEAP: u64 = 8;

/// Whether a body is a handful of scalar operations.
pub(crate) fn is_cheap(ir: &Ir, body: Block) -> bool {
    work_of_block(ir, body, CHEAP + 2) <= CHEAP + 1
}

/// Whether ops without regions are a handful of scalar operations.
pub(crate) fn are_cheap(ir: &Ir, mut ops: impl Iterator<Item = Op>) -> bool {
    let mut total = 0u64;
    ops.all(|op| {
        total = total.saturating_add(work_of(ir, op));
        total <= CHEAP
    })
}

/// Work of a body, its terminator included; counting stops above `most`.
fn work_of_block(ir: &Ir, body: Block, most: u64) -> u64 {
    let mut total = 0u64;
    for op in ir.ops(body) {
        total = total.saturating_add(if ir.regions(op).is_empty() {
            work_of(ir, op)
        } else {
            most + 1
        });
        if total > most {
            break;
        }
    }
    total
}

/// Bytes of one value.
pub(crate) fn bytes(ir: &Ir, ty: Type) -> u64 {
    let ctx = ir.ctx();
    let (sizes, element) = sizes_and_element(ctx, ty);
    let bits = element
        .integer_width(ctx)
        .or(element.float_kind(ctx).map(|kind| kind.width()));
    let width = bits.map_or(8, |bits| u64::from(bits).div_ceil(8));
    sizes.iter().fold(width, |bytes, size| {
        bytes.saturating_mul(match size {
            Size::Constant(extent) => (*extent).max(0) as u64,
            _ => ASSUMED_ROW,
        })
    })
}

/// Whether a type is an array.
pub(crate) fn is_array(ir: &Ir, ty: Type) -> bool {
    ty.dialect::<ArrayType>(ir.ctx()).is_some()
}
