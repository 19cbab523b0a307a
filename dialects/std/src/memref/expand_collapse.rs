//! Changes of shape one after the other that are one: an expansion that is collapsed otherwise, a collapse that is
//! expanded otherwise.
//!
//! ```text
//! %e = memref.expand_shape %m [[0, 1, 2]] output_shape [%a, 2, %b]        %s = arith.muli %b, 2
//! %c = memref.collapse_shape %e [[0], [1, 2]]                       ->    memref.expand_shape %m [[0, 1]] output_shape [%a, %s]
//! ```
//!
//! Only memory without a layout. Of a collapse that is expanded, each dimension between is looked at alone, and the
//! extents must tell which dimensions belong together: no two of them may be open beside each other.

use super::canonical::{groups_attr, is_plain};
use super::{CollapseShapeOp, ExpandShapeOp};
use crate::arith::{ConstantOp, MulIOp};
use crate::mixed::{self, Entry};
use segra_ir::interfaces::Rewriter;
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, Ir, Op, OpView, Value};

type Groups = Vec<Vec<i64>>;

/// A collapse of an expansion is one of the two, by the ranks.
pub(super) fn collapse_of_expansion(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = CollapseShapeOp::from_op(op);
    let Some(inner) = ir.def_as::<ExpandShapeOp>(view.src(ir)) else {
        return false;
    };
    let source = inner.src(ir);
    if !are_plain(ir, op, source) {
        return false;
    }
    let (split, joined, ty) = (
        inner.reassociation(ir),
        view.reassociation(ir),
        ir.value_type(view.result(ir)),
    );
    if rank(ir, source) > rank(ir, view.result(ir)) {
        let Some(groups) = coarser(&split, &joined) else {
            return false;
        };
        let groups = groups_attr(ir.ctx(), &groups);
        rewriter.replace_with(op, |b| {
            [CollapseShapeOp::build(b, source, groups, ty).result(b.ir)]
        });
        return true;
    }
    let Some(groups) = coarser(&joined, &split) else {
        return false;
    };
    let groups = groups_attr(ir.ctx(), &groups);
    let extents = mixed::entries(ir, inner.op(), "static_output_shape", 1);
    rewriter.replace_with(op, |b| {
        let shape: Vec<Entry> = joined
            .iter()
            .map(|group| product(b, &extents, group))
            .collect();
        // Of rank 0, all extents of 1 are in no group.
        let shape = if joined.is_empty() { Vec::new() } else { shape };
        let fixed = b.ctx().dense_i64_attr(&mixed::fixed(&shape));
        [ExpandShapeOp::builder()
            .src(source)
            .reassociation(groups)
            .output_shape(&mixed::open(&shape))
            .static_output_shape(fixed)
            .result_type(ty)
            .build(b)
            .result(b.ir)]
    });
    true
}

/// An expansion of a collapse is one of the two, by the ranks.
pub(super) fn expansion_of_collapse(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = ExpandShapeOp::from_op(op);
    let Some(inner) = ir.def_as::<CollapseShapeOp>(view.src(ir)) else {
        return false;
    };
    let source = inner.src(ir);
    if !are_plain(ir, op, source) {
        return false;
    }
    let ctx = ir.context();
    let ty = ir.value_type(view.result(ir));
    let (Some((from, _)), Some((to, _))) = (ir.value_type(source).shaped(&ctx), ty.shaped(&ctx))
    else {
        return false;
    };
    let (joined, split) = (inner.reassociation(ir), view.reassociation(ir));
    if from.len() > to.len() {
        let Some(groups) = matching(from, &joined, to, &split) else {
            return false;
        };
        let groups = groups_attr(&ctx, &groups);
        rewriter.replace_with(op, |b| {
            [CollapseShapeOp::build(b, source, groups, ty).result(b.ir)]
        });
        return true;
    }
    let Some(groups) = matching(to, &split, from, &joined) else {
        return false;
    };
    let groups = groups_attr(&ctx, &groups);
    rewriter.modify(op, &mut |ir| {
        ir.set_operand(op, 0, source);
        ir.set_attr_named(op, "reassociation", Some(groups));
    });
    true
}

fn are_plain(ir: &Ir, op: Op, source: Value) -> bool {
    [source, ir.operand(op, 0), ir.result(op, 0)]
        .into_iter()
        .all(|value| is_plain(ir, value))
}

fn rank(ir: &Ir, value: Value) -> usize {
    ir.value_type(value)
        .shaped(ir.ctx())
        .map_or(0, |row| row.0.len())
}

/// Which of the `fine` groups each of the `coarse` ones is made of; `None` if one of them ends inside another.
fn coarser(fine: &[Vec<i64>], coarse: &[Vec<i64>]) -> Option<Groups> {
    let mut pieces = fine.iter().enumerate().peekable();
    coarse
        .iter()
        .map(|group| {
            let mut left = group.len();
            let mut own = Vec::new();
            while let Some(&(index, piece)) = pieces.peek().filter(|_| left > 0) {
                left = left.checked_sub(piece.len())?;
                own.push(index as i64);
                pieces.next();
            }
            (left == 0).then_some(own)
        })
        .collect()
}

/// The product of some extents.
fn product(b: &mut Builder<'_>, extents: &[Entry], group: &[i64]) -> Entry {
    let own = group
        .iter()
        .filter_map(|&dim| extents.get(usize::try_from(dim).ok()?));
    let mut known = 1i64;
    let mut open: Option<Value> = None;
    for &entry in own {
        // A constant below 0 is no extent, and what is made of it may be no number of the list.
        match (entry.known(b.ir).filter(|&extent| extent >= 0), entry) {
            (Some(extent), _) | (None, Entry::Fixed(extent)) => {
                known = known.saturating_mul(extent)
            }
            (None, Entry::Open(value)) => {
                open = Some(match open {
                    Some(before) => MulIOp::build(b, before, value).result(b.ir),
                    None => value,
                });
            }
        }
    }
    match open {
        None => Entry::Fixed(known),
        Some(value) if known == 1 => Entry::Open(value),
        Some(value) => {
            let known = ConstantOp::index(b, known);
            Entry::Open(MulIOp::build(b, value, known).result(b.ir))
        }
    }
}

/// Groups of the dimensions of `long` that are those of `short`, where groups of both are the same dimensions between.
fn matching(
    long: &[i64],
    of_long: &[Vec<i64>],
    short: &[i64],
    of_short: &[Vec<i64>],
) -> Option<Groups> {
    let slice = |shape: &[i64], group: &[i64]| -> Option<Vec<i64>> {
        group
            .iter()
            .map(|&dim| shape.get(usize::try_from(dim).ok()?).copied())
            .collect()
    };
    if of_long.is_empty() || of_long.len() != of_short.len() {
        return None;
    }
    let mut groups = Groups::new();
    for (group, other) in of_long.iter().zip(of_short) {
        let first = *group.first()?;
        let found = alike(&slice(long, group)?, &slice(short, other)?)?;
        groups.extend(
            found
                .iter()
                .map(|&(start, end)| (first + start..first + end).collect::<Vec<i64>>()),
        );
    }
    Some(groups)
}

/// The runs of `long` that are the extents of `short`.
fn alike(long: &[i64], short: &[i64]) -> Option<Vec<(i64, i64)>> {
    if long.len() == short.len() {
        let open = long.iter().filter(|&&extent| extent == DYNAMIC).count();
        let each = (0..long.len() as i64).map(|dim| (dim, dim + 1));
        return (long == short && open < 2).then(|| each.collect());
    }
    let open = short.iter().position(|&extent| extent == DYNAMIC);
    let before = open.unwrap_or(short.len());
    let mut runs = Vec::new();
    let mut start = 0;
    for &extent in &short[..before] {
        let length = run(long.get(start..)?.iter(), extent)?;
        runs.push((start as i64, (start + length) as i64));
        start += length;
    }
    // The extents after the open one are found from the end.
    let mut end = long.len();
    let mut last = Vec::new();
    for &extent in short.get(before + 1..).unwrap_or_default().iter().rev() {
        let length = run(long.get(start..end)?.iter().rev(), extent)?;
        last.push(((end - length) as i64, end as i64));
        end -= length;
    }
    let rest = long.get(start..end)?;
    match open {
        Some(_) => {
            if !rest.contains(&DYNAMIC) {
                return None;
            }
            runs.push((start as i64, end as i64));
        }
        None => {
            if rest.iter().any(|&extent| extent != 1) {
                return None;
            }
            runs.last_mut()?.1 = end as i64;
        }
    }
    runs.extend(last.into_iter().rev());
    Some(runs)
}

/// How many of these extents, known ones, make up `whole`.
fn run<'a>(extents: impl Iterator<Item = &'a i64>, whole: i64) -> Option<usize> {
    let mut product = 1i64;
    for (index, &extent) in extents.enumerate() {
        if extent == DYNAMIC {
            return None;
        }
        product = product.checked_mul(extent)?;
        if product == whole {
            return Some(index + 1);
        }
        if product > whole {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_put_together_where_they_end_alike() {
        let fine = [vec![0], vec![1, 2], vec![3]];
        assert_eq!(
            coarser(&fine, &[vec![0, 1, 2], vec![3]]),
            Some(vec![vec![0, 1], vec![2]])
        );
        assert_eq!(coarser(&fine, &[vec![0, 1], vec![2, 3]]), None);
        assert_eq!(coarser(&[], &[]), Some(Groups::new()));
    }

    #[test]
    fn extents_tell_which_dimensions_belong_together() {
        const OPEN: i64 = DYNAMIC;
        assert_eq!(alike(&[2, 3, OPEN], &[6, OPEN]), Some(vec![(0, 2), (2, 3)]));
        assert_eq!(
            alike(&[1, OPEN, 4, 1], &[OPEN, 4]),
            Some(vec![(0, 2), (2, 4)])
        );
        assert_eq!(alike(&[2, 3, 1], &[6]), Some(vec![(0, 3)]));
        assert_eq!(alike(&[2, 4, 3], &[6, 4]), None);
        assert_eq!(alike(&[OPEN, OPEN], &[OPEN, OPEN]), None);
        assert_eq!(alike(&[OPEN, 4, OPEN], &[OPEN, OPEN]), None);
        assert_eq!(alike(&[2, 3, 4], &[OPEN, 4]), None);
    }
}
