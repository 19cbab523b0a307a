//! With-loops as other combinators.
//!
//! ```mlir
//! array.with_loop genarray [%n] default (%d) partition ([%a] <= (%i) < [%b] step [%t] width [%w]) {B}     =>
//!
//! array.map (%i in iota %n) { scf.if %a <= %i && %i < %b && (%i - %a) % %t < %w {B} else {%d} }
//!
//! array.with_loop fold init (%s) partition (P1) {B1} partition (P2) {B2} combine {C}                         =>
//!
//! %p = array.redomap (%t in iota count(P1)) init (%s) map { %i = the %t-th index of P1; B1 } combine {C}
//! %q = array.redomap (%t in iota count(P2)) init (%p) map { %i = the %t-th index of P2; B2 } combine {C}
//! ```
//!
//! Legality: none asked for. A branch decides which partition an index belongs to, the last one first, so exactly one body
//! runs, as the op says; steps are positive, which the op or the checks before it see to.

use super::space::{Arithmetic, Compressed, Numbers};
use super::{Bound, Kind, Loop, Partition, Range, WithLoopOp};
use crate::build::{map, operator_block, region_block};
use crate::canonical::forget;
use crate::combinator::{Flavour, Parts, is_combinator};
use crate::extent::{Origin, origin_of, origin_of_number};
use crate::shape::{IndexOp, IotaOp};
use crate::soac::types_of;
use crate::types::{Size, array_of, array_or_scalar, sizes_and_element};
use rustc_hash::FxHashSet;
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ident, Ir, Op, OpView, Trait, Type, Value};
use segra_space::Interval;
use segra_std::arith::{AndIOp, CmpIPredicate, index};
use segra_std::scf::IfOp;

/// Whether all results have values of one shape, which one kernel can write.
pub fn has_one_shape(ir: &Ir, op: Op, parts: &Loop) -> bool {
    let rows = row_types(ir, op, parts.rank);
    let sizes = |ty: &Type| sizes_and_element(ir.ctx(), *ty).0;
    rows.iter().all(|row| sizes(row) == sizes(&rows[0]))
}

/// Whether flattening has a rule for a with-loop as it is: an explicit one on the host whose bodies are scalar code and give
/// values of one shape, so that each partition can be a kernel.
pub fn is_kernels(ir: &Ir, op: Op, parts: &Loop) -> bool {
    let on_host = !ir
        .ancestors(op)
        .skip(1)
        .any(|around| is_combinator(ir, around));
    let has_combinator = |partition: &Partition| {
        let mut ops = ir.ops(partition.body);
        ops.any(|inner| ir.walk(inner).into_iter().any(|op| is_combinator(ir, op)))
    };
    parts.explicit
        && on_host
        && has_one_shape(ir, op, parts)
        && !parts.partitions.iter().any(has_combinator)
}

/// Puts other combinators in a with-loop's place, unless it can be kernels as it is; whether it did.
pub(super) fn expand(ir: &mut Ir, with: WithLoopOp) -> bool {
    let op = with.op();
    Loop::of(ir, op).is_some_and(|parts| !is_kernels(ir, op, &parts) && replace(ir, op, &parts))
}

/// Puts other combinators in a with-loop's place; whether it did.
pub fn replace(ir: &mut Ir, op: Op, parts: &Loop) -> bool {
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.loc = loc;
    let new = match parts.kind {
        Kind::Fold => folds(&mut b, parts),
        Kind::Genarray | Kind::Modarray => Some(maps(&mut b, op, parts)),
    };
    let Some(new) = new else {
        return false;
    };
    ir.replace_op(op, &new);
    true
}

/// The extent of dimension `dim` of the arrays a with-loop makes.
fn is_extent(ir: &Ir, with: &Loop, dim: usize, bound: Bound) -> bool {
    let number = |bound: Bound| match bound {
        Bound::Constant(_) => None,
        Bound::Value(value) => Some(origin_of_number(ir, value)),
    };
    match (with.kind, with.shape.get(dim), with.init.first()) {
        (_, Some(&extent), _) => {
            extent == bound || number(bound).is_some() && number(bound) == number(extent)
        }
        (Kind::Modarray, None, Some(&array)) => {
            let size = sizes_and_element(ir.ctx(), ir.value_type(array))
                .0
                .get(dim)
                .copied();
            match (size, bound) {
                (Some(Size::Constant(extent)), Bound::Constant(bound)) => extent == bound,
                (_, Bound::Value(value)) => {
                    match (origin_of_number(ir, value), origin_of(ir, array, dim)) {
                        (Origin::Dim(a, i), Origin::Dim(b, j)) => {
                            let name = |array, dim: usize| {
                                sizes_and_element(ir.ctx(), ir.value_type(array))
                                    .0
                                    .get(dim)
                                    .copied()
                            };
                            (a, i) == (b, j)
                                || matches!((name(a, i), name(b, j)), (Some(Size::Symbol(x)), Some(Size::Symbol(y))) if x == y)
                        }
                        (a, b) => a == b,
                    }
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether a partition has all indices of the arrays that are made, as far as can be seen.
pub fn is_whole(ir: &Ir, with: &Loop, space: &[Range]) -> bool {
    space.iter().enumerate().all(|(dim, range)| {
        range.lower == Bound::Constant(0)
            && range.is_dense()
            && is_extent(ir, with, dim, range.upper)
    })
}

/// Whether a with-loop is a nest of maps: its last partition has all indices.
pub fn is_map(ir: &Ir, with: &Loop) -> bool {
    let last = with.partitions.last();
    with.kind != Kind::Fold
        && last.is_some_and(|last| last.mapping.is_none() && is_whole(ir, with, &last.space))
}

/// Types of the values at one index.
fn row_types(ir: &Ir, op: Op, rank: usize) -> Vec<Type> {
    let ctx = ir.ctx();
    let row = |value| {
        let (sizes, element) = sizes_and_element(ctx, ir.value_type(value));
        array_or_scalar(ctx, sizes.get(rank..).unwrap_or_default(), element)
    };
    ir.results(op).map(row).collect()
}

/// A genarray or modarray as a nest of maps over all indices; what its results are.
pub fn maps(b: &mut Builder<'_>, op: Op, with: &Loop) -> Vec<Value> {
    let types: Vec<Type> =
        b.ir.results(op)
            .map(|value| b.ir.value_type(value))
            .collect();
    let rows = row_types(b.ir, op, with.rank);
    let extents: Vec<Value> = with.extents(b).into_iter().map(|at| at.value(b)).collect();
    let sizes = types.first().map(|&ty| sizes_and_element(b.ctx(), ty).0);
    let sizes = named(b.ir, op, sizes.unwrap_or_default());
    let all = extents.iter().zip(sizes).map(|(&extent, size)| {
        let index = b.ctx().index();
        let ty = array_of(b.ctx(), size, index);
        IotaOp::build(b, extent, ty).result(b.ir)
    });
    let all: Vec<Value> = all.collect();
    let made = nest(b, &all, &mut Vec::new(), &mut |b, indices| {
        element(b, with, &rows, indices)
    });
    let named = made.into_iter().zip(types);
    named.map(|(value, ty)| forget(b, value, ty)).collect()
}

/// The sizes with names for those that have none but the outermost: an array without rows so knows how long they would be.
/// Inside of combinators sizes that are each point's own have no names.
fn named(ir: &Ir, op: Op, mut sizes: Vec<Size>) -> Vec<Size> {
    let open = sizes.iter().skip(1).any(|&size| size == Size::Unknown);
    if !open
        || ir
            .ancestors(op)
            .skip(1)
            .any(|around| is_combinator(ir, around))
    {
        return sizes;
    }
    let ctx = ir.ctx();
    let function = ir
        .ancestors(op)
        .find(|&around| ir.has_trait(around, Trait::IsolatedFromAbove));
    let mut taken: FxHashSet<Ident> = FxHashSet::default();
    let mut take = |value: Value| {
        for size in sizes_and_element(ctx, ir.value_type(value)).0 {
            if let Size::Symbol(name) = size {
                taken.insert(name);
            }
        }
    };
    for inner in function
        .map(|function| ir.walk(function))
        .unwrap_or_default()
    {
        ir.results(inner).for_each(&mut take);
        let blocks = ir
            .regions(inner)
            .iter()
            .flat_map(|&region| ir.blocks(region));
        let args = blocks.flat_map(|block| ir.block_args(block).to_vec());
        args.for_each(&mut take);
    }
    let mut next = 0usize;
    for size in sizes.iter_mut().skip(1) {
        while *size == Size::Unknown {
            let name = ctx.ident(&format!("extent{next}"));
            next += 1;
            if taken.insert(name) {
                *size = Size::Symbol(name);
            }
        }
    }
    sizes
}

/// Maps over index arrays, one inside of the other.
fn nest(
    b: &mut Builder<'_>,
    all: &[Value],
    indices: &mut Vec<Value>,
    body: &mut dyn FnMut(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let Some((&outer, inner)) = all.split_first() else {
        return body(b, indices);
    };
    let made = map(b, &[outer], |b, index| {
        indices.push(index[0]);
        let made = nest(b, inner, indices, body);
        indices.pop();
        made
    });
    made.results(b.ir).to_vec()
}

/// The values at an index: those of the last partition that has it.
pub fn element(b: &mut Builder<'_>, with: &Loop, rows: &[Type], indices: &[Value]) -> Vec<Value> {
    choose(b, with, &with.partitions, rows, indices)
}

fn choose(
    b: &mut Builder<'_>,
    with: &Loop,
    partitions: &[Partition],
    rows: &[Type],
    indices: &[Value],
) -> Vec<Value> {
    let Some((last, before)) = partitions.split_last() else {
        return otherwise(b, with, indices);
    };
    let run = |b: &mut Builder<'_>| {
        let values = b.clone_block_body(last.body, indices, &mut Mapping::new());
        let named = values.into_iter().zip(rows);
        named.map(|(value, &ty)| forget(b, value, ty)).collect()
    };
    let only = with.explicit && with.kind == Kind::Genarray && before.is_empty();
    if only || is_whole(b.ir, with, &last.space) {
        return run(b);
    }
    match is_inside(b, with, &last.space, indices) {
        None => run(b),
        Some(inside) => IfOp::with_bodies(b, inside, rows, run, |b| {
            choose(b, with, before, rows, indices)
        })
        .results(b.ir)
        .to_vec(),
    }
}

/// The values at an index that no partition has.
fn otherwise(b: &mut Builder<'_>, with: &Loop, indices: &[Value]) -> Vec<Value> {
    match with.kind {
        Kind::Modarray => {
            let arrays = with.init.iter();
            arrays
                .map(|&array| IndexOp::build(b, array, indices).result(b.ir))
                .collect()
        }
        Kind::Genarray | Kind::Fold => with.init.clone(),
    }
}

/// Whether an index of the arrays that are made is in a partition; `None`: it always is.
pub fn is_inside(
    b: &mut Builder<'_>,
    with: &Loop,
    space: &[Range],
    indices: &[Value],
) -> Option<Value> {
    let mut all: Option<Value> = None;
    for (dim, (range, &at)) in space.iter().zip(indices).enumerate() {
        let mut tests = Vec::new();
        let lower = range.lower.value(b);
        if range.lower != Bound::Constant(0) {
            tests.push(index::cmp(b, CmpIPredicate::Sge, at, lower));
        }
        if !is_extent(b.ir, with, dim, range.upper) {
            let upper = range.upper.value(b);
            tests.push(index::cmp(b, CmpIPredicate::Slt, at, upper));
        }
        if !range.is_dense() {
            // Below the lower bound the phase says nothing, but there the first test has.
            let (step, width) = (range.step.value(b), range.width.value(b));
            let offset = index::sub(b, at, lower);
            let phase = index::rem(b, offset, step);
            tests.push(index::cmp(b, CmpIPredicate::Slt, phase, width));
        }
        for test in tests {
            all = Some(match all {
                None => test,
                Some(all) => AndIOp::build(b, all, test).result(b.ir),
            });
        }
    }
    all
}

/// A fold as one reduction after the other; what its results are.
pub fn folds(b: &mut Builder<'_>, with: &Loop) -> Option<Vec<Value>> {
    let combine = with.combine?;
    let types = types_of(b.ir, &with.init);
    let mut start = with.init.clone();
    for partition in &with.partitions {
        let mut arithmetic = Arithmetic::default();
        let space = arithmetic.descriptor(b.ir, &partition.space, Numbers::FOLD);
        let folded = Compressed::new(&mut arithmetic, space, true).ok()?;
        let extents = folded.extents(&mut arithmetic);
        let count = arithmetic.bounds(b, &extents)[0];
        let size = count.constant().map_or(Size::Unknown, Size::Constant);
        let (number, count) = (b.ctx().index(), count.value(b));
        let ty = array_of(b.ctx(), size, number);
        let numbers = IotaOp::build(b, count, ty).result(b.ir);
        let body = region_block(b, &[number], |b, at| {
            let at = arithmetic.value(b.ir, at[0], Interval::NON_NEGATIVE);
            let indices = folded.recover(&mut arithmetic, &[at]).unwrap_or_default();
            let indices = arithmetic.emit(b, &indices);
            b.clone_block_body(partition.body, &indices, &mut Mapping::new())
        });
        let operator = operator_block(b, &types, |b, left, right| {
            b.clone_block_body(combine, &[left, right].concat(), &mut Mapping::new())
        });
        let parts = Parts {
            start: start.clone(),
            written: with.neutral.clone(),
            combine: Some(operator),
            ..Parts::new(Flavour::Reduce, vec![numbers], Some(body))
        };
        let op = parts.build_as(b, &types);
        start = b.ir.results(op).collect();
    }
    Some(start)
}
