//! Vectors that other vectors or elements were put into: blocks of them, and chains that put in every element.

use super::canonical::{count, known_position, offset};
use super::canonical_shuffle::numbers;
use super::{
    ExtractStridedSliceOp, FromElementsOp, InsertOp, InsertStridedSliceOp, ToElementsOp,
    VectorShape,
};
use segra_ir::interfaces::Rewriter;
use segra_ir::{Ir, OpView, TypeKind, Value};

/// A block that lies whole in one that was put there is a block of that one; blocks beside it are looked past. Strides
/// are 1.
pub(super) fn block_of_insertions(
    rewriter: &mut dyn Rewriter,
    view: ExtractStridedSliceOp,
) -> bool {
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
    if within {
        Place::Within(inside)
    } else {
        Place::Across
    }
}

/// A chain of insertions that together put in every element is a vector of these elements. Vectors between are not used
/// otherwise, and all positions are known.
pub(super) fn filled_by_chain(rewriter: &mut dyn Rewriter, view: InsertOp) -> bool {
    let ir = rewriter.ir();
    let ctx = ir.context();
    let ty = ir.value_type(view.result(ir));
    let goes_on = |user| {
        ir.cast::<InsertOp>(user)
            .is_some_and(|next| next.dest(ir) == view.result(ir))
    };
    if ir.users(view.result(ir)).any(goes_on) {
        return false;
    }
    let Some((total, puts)) = count(&ctx, ty).zip(puts_of_chain(ir, view)) else {
        return false;
    };
    if puts.iter().map(|put| put.size).sum::<usize>() < total {
        return false;
    }
    // From the last one on: what is put in first is overwritten.
    let (mut missing, mut is_put) = (total, vec![false; total]);
    let needed = puts.iter().position(|put| {
        for known in &mut is_put[put.start..put.start + put.size] {
            missing -= usize::from(!std::mem::replace(known, true));
        }
        missing == 0
    });
    let Some(last) = needed else { return false };
    rewriter.replace_with(view.op(), |b| {
        let mut elements = vec![view.dest(b.ir); total];
        for put in puts[..=last].iter().rev() {
            let own = &mut elements[put.start..put.start + put.size];
            if matches!(
                ctx.type_kind(b.ir.value_type(put.value)),
                TypeKind::Vector { .. }
            ) {
                let parts = ToElementsOp::build(b, put.value).op();
                own.iter_mut()
                    .zip(b.ir.results(parts))
                    .for_each(|(element, part)| *element = part);
            } else {
                own[0] = put.value;
            }
        }
        [FromElementsOp::build(b, &elements, ty).dest(b.ir)]
    });
    true
}

/// The elements that an insertion places, row by row.
struct Put {
    value: Value,
    start: usize,
    size: usize,
}

/// The insertions of a chain, the last one first; `None` if one of them may not be moved.
fn puts_of_chain(ir: &Ir, last: InsertOp) -> Option<Vec<Put>> {
    let ctx = ir.ctx();
    let mut puts = Vec::new();
    let mut at = last;
    loop {
        let position = at.static_position(ir);
        if !known_position(&position) {
            return None;
        }
        let value = at.value_to_store(ir);
        let size = match ctx.type_kind(ir.value_type(value)) {
            TypeKind::Vector { .. } => count(ctx, ir.value_type(value))?,
            _ => 1,
        };
        puts.push(Put {
            value,
            start: offset(ctx, ir.value_type(at.dest(ir)), &position)?,
            size,
        });
        let Some(before) = ir.def_as::<InsertOp>(at.dest(ir)) else {
            return Some(puts);
        };
        if !ir.has_one_use(at.dest(ir)) {
            return None;
        }
        at = before;
    }
}
