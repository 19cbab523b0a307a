//! Where the extents of arrays come from, seen through combinators, views and control flow.
//!
//! A map's rows are as large as what its body yields, a scan's as its start value, an element of an array as the
//! rows of that array. A loop's array keeps its extents where all that the loop forwards for it has the same: else the answer is
//! that array itself ([`varies`]). Nothing is computed here: the answer is a value or a dimension the program has. Values inside a
//! body are answers, too; whether one is in scope where it is wanted is the caller's question.
//!
//! Deliberately absent: sums (concat, pad) and sizes that only running tells (filter).

use crate::combinator::{Combinator, Soac, is_combinator};
use crate::layout::{ConcatOp, ReverseOp};
use crate::shape::{CastOp, DimOp, IndexOp, RearrangeOp};
use crate::types::{Size, sizes_and_element};
use segra_ir::interfaces::{constant_of, handed_on, has_one_origin, known_extent};
use segra_ir::{Block, Ident, Ir, Op, Trait, Value, ValueDef};
use segra_std::check::RequireOp;

/// Most ops looked through; a bound for programs that are not well-formed.
const MOST_STEPS: usize = 10_000;
/// Most values that an array of a loop is followed to: arrays of longer chains of loops count as ones that vary, so that asking
/// for all of them takes no longer than there are loops.
const MOST_ORIGINS: usize = 48;

/// Where an extent comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A value of type index.
    Value(Value),
    /// A dimension, from 0, of an array that nothing here says more of: a parameter, for example.
    Dim(Value, usize),
}

/// Where the extent of dimension `dim` of an array comes from.
pub fn origin_of(ir: &Ir, array: Value, dim: usize) -> Origin {
    traced(ir, Origin::Dim(array, dim))
}

/// Where a number comes from: the extent that it asks for, or itself.
pub fn origin_of_number(ir: &Ir, number: Value) -> Origin {
    traced(ir, Origin::Value(number))
}

/// The outermost combinator that an op is inside of, or is.
pub(crate) fn outermost(ir: &Ir, op: Op) -> Op {
    ir.ancestors(op)
        .filter(|&around| is_combinator(ir, around))
        .last()
        .unwrap_or(op)
}

/// Whether an extent is the same wherever it is needed in `nest`, as far as can be seen: it is made, by arithmetic, of
/// numbers and extents of arrays that are there before `nest`.
pub fn is_uniform(ir: &Ir, nest: Op, origin: Origin) -> bool {
    is_uniform_within(ir, nest, origin, DEEPEST)
}

/// Most ops of arithmetic between what is there and an extent, one after the other.
const DEEPEST: usize = 12;

fn is_uniform_within(ir: &Ir, nest: Op, origin: Origin, deepest: usize) -> bool {
    match origin {
        Origin::Dim(array, _) => !ir.is_defined_inside(array, nest),
        Origin::Value(value) if !ir.is_defined_inside(value, nest) => true,
        Origin::Value(value) => arithmetic(ir, value).is_some_and(|op| {
            deepest > 0
                && ir.operands(op).all(|operand| {
                    is_uniform_within(ir, nest, origin_of_number(ir, operand), deepest - 1)
                })
        }),
    }
}

/// The op that makes a number of others, where it does nothing else.
fn arithmetic(ir: &Ir, value: Value) -> Option<Op> {
    let op = ir.defining_op(value)?;
    let scalars = ir
        .operands(op)
        .all(|operand| ir.value_type(operand).is_scalar(ir.ctx()));
    (scalars && ir.has_trait(op, Trait::Pure) && ir.regions(op).is_empty()).then_some(op)
}

/// Whether two extents are the same number: one origin, or the same arithmetic on such.
fn is_same(ir: &Ir, a: Origin, b: Origin, deepest: usize) -> bool {
    let (Origin::Value(x), Origin::Value(y)) = (a, b) else {
        return a == b;
    };
    let same_op = |f: Op, g: Op| {
        ir.op_name(f) == ir.op_name(g)
            && ir.properties(f) == ir.properties(g)
            && ir.num_operands(f) == ir.num_operands(g)
            && ir.operands(f).zip(ir.operands(g)).all(|(p, q)| {
                is_same(
                    ir,
                    origin_of_number(ir, p),
                    origin_of_number(ir, q),
                    deepest - 1,
                )
            })
    };
    x == y
        || deepest > 0
            && matches!((arithmetic(ir, x), arithmetic(ir, y)), (Some(f), Some(g)) if same_op(f, g))
}

/// Whether dimension `dim` of an array made in `nest` may have the name `name`, which nothing before `nest` binds: it is
/// uniform, and what other arrays of `nest` give that name is the same number. Else why not.
pub(crate) fn uniform(
    ir: &Ir,
    nest: Op,
    array: Value,
    dim: usize,
    name: Ident,
) -> Result<(), &'static str> {
    let origin = origin_of(ir, array, dim);
    if !is_uniform(ir, nest, origin) {
        return Err(
            "but the extent may differ between the elements of the combinator around it: such an extent \
                    is written `?`",
        );
    }
    match first_named(ir, nest, name) {
        Some(first) if !is_same(ir, first, origin, DEEPEST) => {
            Err("but another array of the combinator around it has another extent of that name")
        }
        _ => Ok(()),
    }
}

/// The extent that the first array made in `nest` gives a name.
fn first_named(ir: &Ir, nest: Op, name: Ident) -> Option<Origin> {
    let mut results = ir
        .walk(nest)
        .into_iter()
        .skip(1)
        .flat_map(|op| ir.results(op).collect::<Vec<_>>());
    results.find_map(|value| {
        let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(value));
        let dim = sizes.iter().position(|&size| size == Size::Symbol(name))?;
        Some(origin_of(ir, value, dim))
    })
}

fn traced(ir: &Ir, from: Origin) -> Origin {
    let mut found = from;
    for _ in 0..MOST_STEPS {
        let next = match found {
            Origin::Value(value) => measured(ir, value),
            Origin::Dim(array, dim) => match known_extent(ir, array, dim) {
                Some(value) => Some(Origin::Value(value)),
                None => source(ir, array, dim).map(|(array, dim)| Origin::Dim(array, dim)),
            },
        };
        match next {
            Some(next) => found = next,
            None => break,
        }
    }
    found
}

/// The extent `array.dim` asks for, where the value is one; and the value of a check where it holds.
fn measured(ir: &Ir, value: Value) -> Option<Origin> {
    let op = ir.defining_op(value)?;
    if let Some(check) = ir.cast::<RequireOp>(op) {
        return Some(Origin::Value(check.value(ir)));
    }
    let dim = ir.cast::<DimOp>(op)?;
    Some(Origin::Dim(
        dim.array(ir),
        usize::try_from(dim.dim(ir)).ok()?,
    ))
}

/// Another array with the same extent, and in which dimension.
fn source(ir: &Ir, array: Value, dim: usize) -> Option<(Value, usize)> {
    if let Some(same) = handed_on(ir, array) {
        return (!varies(ir, array, dim)).then_some((same, dim));
    }
    straight(ir, array, dim)
}

/// Whether the extent of dimension `dim` of an array that a loop or branch carries may change from step to step, or differ
/// between the ways there: its type does not name it, and what is forwarded has several extents, as far as can be seen.
pub fn varies(ir: &Ir, array: Value, dim: usize) -> bool {
    let told = |array: Value, dim: usize| {
        let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(array));
        sizes.get(dim).is_some_and(|&size| size != Size::Unknown)
    };
    let step = |array: Value, dim: usize| {
        let origin = match known_extent(ir, array, dim) {
            Some(number) => Some(asked(ir, number)),
            None => straight(ir, array, dim).map(|(array, dim)| Origin::Dim(array, dim)),
        };
        match origin {
            Some(Origin::Dim(array, dim)) => Ok((array, dim)),
            // Constants are equal that are not one value.
            Some(Origin::Value(number)) => Err((None, constant_of(ir, number).ok_or(number))),
            None => Err((Some(dim), Err(array))),
        }
    };
    !told(array, dim) && !has_one_origin(ir, (array, dim), told, step, MOST_ORIGINS)
}

/// A number, or the dimension it asks for.
fn asked(ir: &Ir, number: Value) -> Origin {
    let mut number = number;
    for _ in 0..MOST_STEPS {
        match measured(ir, number) {
            Some(Origin::Value(next)) => number = next,
            Some(dim) => return dim,
            None => break,
        }
    }
    Origin::Value(number)
}

/// Another array with the same extent, and in which dimension, where control flow has no part in it.
pub fn straight(ir: &Ir, array: Value, dim: usize) -> Option<(Value, usize)> {
    match ir.value_def(array) {
        ValueDef::Result { op, index } => of_result(ir, op, index as usize, dim),
        ValueDef::Argument { block, index } => of_argument(ir, block, index as usize, dim),
    }
}

pub(crate) fn of_result(ir: &Ir, op: Op, index: usize, dim: usize) -> Option<(Value, usize)> {
    if let Some(model) = ir.interface::<dyn Combinator>(op) {
        return model.same_extent(ir, op, index, dim);
    }
    if let Some(concat) = ir.cast::<ConcatOp>(op) {
        let arrays = concat.arrays(ir);
        return (dim > 0 || arrays.len() == 1).then_some((*arrays.first()?, dim));
    }
    if let Some(rearrange) = ir.cast::<RearrangeOp>(op) {
        let from = usize::try_from(*rearrange.permutation(ir).get(dim)?).ok()?;
        return Some((rearrange.array(ir), from));
    }
    if let Some(element) = ir.cast::<IndexOp>(op) {
        return Some((element.array(ir), dim + element.indices(ir).len()));
    }
    if let Some(reverse) = ir.cast::<ReverseOp>(op) {
        return Some((reverse.array(ir), dim));
    }
    if let Some(cast) = ir.cast::<CastOp>(op) {
        return Some((cast.array(ir), dim));
    }
    None
}

pub(crate) fn of_argument(
    ir: &Ir,
    block: Block,
    index: usize,
    dim: usize,
) -> Option<(Value, usize)> {
    let soac = Soac::of(ir, ir.block_parent(block)?)?;
    if soac.combine == Some(block) {
        // Accumulators and elements of an operator are as large as its start values.
        return Some((*soac.start.get(index % soac.start.len().max(1))?, dim));
    }
    Some((*soac.arrays.get(index)?, dim + 1))
}
