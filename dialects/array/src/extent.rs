//! Where the extents of arrays come from, seen through combinators, views and control flow.
//!
//! A map's rows are as large as what its body yields, a scan's as its neutral element, an element of an array as the
//! rows of that array. Nothing is computed here: the answer is a value or a dimension the program has. Values inside a
//! body are answers, too; whether one is in scope where it is wanted is the caller's question.
//!
//! Deliberately absent: sums (concat, pad) and sizes that only running tells (filter).

use crate::filter::FilterOp;
use crate::layout::{ConcatOp, ReverseOp};
use crate::shape::{CastOp, DimOp, IndexOp, RearrangeOp};
use crate::soac::{MapOp, RedomapOp, ReduceOp, ScanOp, ScanomapOp};
use crate::update::{HistOp, ScatterOp};
use segra_ir::interfaces::{handed_on, known_extent};
use segra_ir::{Block, Ir, Op, Region, Value, ValueDef};

/// Most ops looked through; a bound for programs that are not well-formed.
const MOST_STEPS: usize = 10_000;

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

/// What `array.dim` asks for, where the value is one.
fn measured(ir: &Ir, value: Value) -> Option<Origin> {
    let dim = ir.cast::<DimOp>(ir.defining_op(value)?)?;
    Some(Origin::Dim(dim.array(ir), usize::try_from(dim.dim(ir)).ok()?))
}

/// Another array with the same extent, and in which dimension.
fn source(ir: &Ir, array: Value, dim: usize) -> Option<(Value, usize)> {
    if let Some(same) = handed_on(ir, array) {
        return Some((same, dim));
    }
    match ir.value_def(array) {
        ValueDef::Result { op, index } => of_result(ir, op, index as usize, dim),
        ValueDef::Argument { block, index } => of_argument(ir, block, index as usize, dim),
    }
}

fn of_result(ir: &Ir, op: Op, index: usize, dim: usize) -> Option<(Value, usize)> {
    if let Some(map) = ir.cast::<MapOp>(op) {
        return rows(ir, &map.arrays(ir), map.body(ir), index, dim);
    }
    if let Some(reduce) = ir.cast::<ReduceOp>(op) {
        return Some((*reduce.neutral(ir).get(index)?, dim));
    }
    if let Some(redomap) = ir.cast::<RedomapOp>(op) {
        return match redomap.neutral(ir).get(index) {
            Some(&neutral) => Some((neutral, dim)),
            None => rows(ir, &redomap.arrays(ir), redomap.body(ir), index, dim),
        };
    }
    if let Some(scan) = ir.cast::<ScanOp>(op) {
        return prefixes(&scan.arrays(ir), &scan.neutral(ir), index, dim);
    }
    if let Some(scan) = ir.cast::<ScanomapOp>(op) {
        let (arrays, neutral) = (scan.arrays(ir), scan.neutral(ir));
        return match index < neutral.len() {
            true => prefixes(&arrays, &neutral, index, dim),
            false => rows(ir, &arrays, scan.body(ir), index, dim),
        };
    }
    if let Some(scatter) = ir.cast::<ScatterOp>(op) {
        return Some((*scatter.destinations(ir).get(index)?, dim));
    }
    if let Some(hist) = ir.cast::<HistOp>(op) {
        return Some((*hist.destinations(ir).get(index)?, dim));
    }
    if let Some(filter) = ir.cast::<FilterOp>(op) {
        return (dim > 0).then_some((*filter.arrays(ir).get(index)?, dim));
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

fn of_argument(ir: &Ir, block: Block, index: usize, dim: usize) -> Option<(Value, usize)> {
    let parent = ir.block_parent(block)?;
    let region = ir.block_region(block)?;
    let row = |arrays: Vec<Value>| Some((*arrays.get(index)?, dim + 1));
    // Accumulators and elements of an operator are as large as its neutral elements.
    let combined = |neutral: Vec<Value>| Some((*neutral.get(index % neutral.len().max(1))?, dim));
    if let Some(map) = ir.cast::<MapOp>(parent) {
        return row(map.arrays(ir));
    }
    if let Some(reduce) = ir.cast::<ReduceOp>(parent) {
        return combined(reduce.neutral(ir));
    }
    if let Some(scan) = ir.cast::<ScanOp>(parent) {
        return combined(scan.neutral(ir));
    }
    if let Some(redomap) = ir.cast::<RedomapOp>(parent) {
        return if region == redomap.body(ir) {
            row(redomap.arrays(ir))
        } else {
            combined(redomap.neutral(ir))
        };
    }
    if let Some(scan) = ir.cast::<ScanomapOp>(parent) {
        return if region == scan.body(ir) { row(scan.arrays(ir)) } else { combined(scan.neutral(ir)) };
    }
    if let Some(scatter) = ir.cast::<ScatterOp>(parent) {
        return row(scatter.arrays(ir));
    }
    if let Some(hist) = ir.cast::<HistOp>(parent) {
        return if region == hist.body(ir) { row(hist.arrays(ir)) } else { combined(hist.neutral(ir)) };
    }
    if let Some(filter) = ir.cast::<FilterOp>(parent) {
        return row(filter.arrays(ir));
    }
    None
}

/// Arrays of what a body yields for each element: the outer extent is that of the inputs.
fn rows(ir: &Ir, arrays: &[Value], body: Region, index: usize, dim: usize) -> Option<(Value, usize)> {
    match dim.checked_sub(1) {
        None => Some((*arrays.first()?, 0)),
        Some(dim) => Some((ir.terminator_operand(body, index)?, dim)),
    }
}

fn prefixes(arrays: &[Value], neutral: &[Value], index: usize, dim: usize) -> Option<(Value, usize)> {
    match dim.checked_sub(1) {
        None => Some((*arrays.first()?, 0)),
        Some(dim) => Some((*neutral.get(index)?, dim)),
    }
}
