//! Blocks of vectors that other blocks were put into.

use super::moves::numbers;
use super::{ExtractStridedSliceOp, InsertStridedSliceOp, VectorShape};
use segra_ir::interfaces::Rewriter;
use segra_ir::{Ir, OpView, Value};

/// A block that lies whole in one that was put there is a block of that one; blocks beside it are looked past. Strides
/// are 1.
pub(super) fn block_of_insertions(rewriter: &mut dyn Rewriter, view: ExtractStridedSliceOp) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let mut source = view.source(ir);
    while let Some(put) = ir.def_as::<InsertStridedSliceOp>(source) {
        match place_of(ir, view, put) {
            Place::Beside => source = put.dest(ir),
            Place::Within(offsets) => {
                let part = put.value_to_store(ir);
                rewriter.modify(view.op(), &mut |ir| {
                    ir.set_operand(view.op(), 0, part);
                    ir.set_attr_named(view.op(), "offsets", Some(numbers(&ctx, &offsets)));
                });
                return true;
            }
            Place::Across => break,
        }
    }
    looks_past(rewriter, view, source)
}

fn looks_past(rewriter: &mut dyn Rewriter, view: ExtractStridedSliceOp, source: Value) -> bool {
    let changed = view.source(rewriter.ir()) != source;
    if changed {
        rewriter.modify(view.op(), &mut |ir| ir.set_operand(view.op(), 0, source));
    }
    changed
}

/// Where a block lies beside one that was put into the vector.
enum Place {
    Beside,
    /// With these offsets in it.
    Within(Vec<i64>),
    Across,
}

fn place_of(ir: &Ir, view: ExtractStridedSliceOp, put: InsertStridedSliceOp) -> Place {
    let own = VectorShape::of(ir.ctx(), ir.value_type(put.value_to_store(ir))).shape;
    let whole = VectorShape::of(ir.ctx(), ir.value_type(put.dest(ir))).shape;
    let (starts, offsets, sizes) = (put.offsets(ir), view.offsets(ir), view.sizes(ir));
    if own.len() != whole.len() || put.strides(ir).iter().any(|&stride| stride != 1) {
        return Place::Across;
    }
    let mut inside = Vec::new();
    let mut within = true;
    // Dimensions that are not named are taken whole.
    for (dim, (&start, &extent)) in starts.iter().zip(own).enumerate() {
        let (offset, size) = match offsets.get(dim) {
            Some(&offset) => (offset, sizes[dim]),
            None => (0, whole[dim]),
        };
        if offset + size <= start || start + extent <= offset {
            return Place::Beside;
        }
        within &= start <= offset && offset + size <= start + extent;
        if dim < offsets.len() {
            inside.push(offset - start);
        }
    }
    if within { Place::Within(inside) } else { Place::Across }
}
