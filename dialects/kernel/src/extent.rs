//! Where the extents of arrays come from, seen through the ops that keep them.
//!
//! A loop's array keeps its extents from step to step; what a program says otherwise is found when it runs. Arrays that
//! change theirs are forwarded, and used, as `tensor.reshape` says ([`is_resized`]): extents are forwarded beside them.
//!
//! ```mlir
//! %shape1 = tensor.from_elements %m : tensor<1xindex>
//! %start = tensor.reshape %a(%shape1) : (tensor<?xi32>, tensor<1xindex>) -> tensor<?xi32>
//! %end, %n = scf.for ... iter_args(%carried = %start, %now = %m) -> (tensor<?xi32>, index) {
//!   %shape2 = tensor.from_elements %now : tensor<1xindex>
//!   %b = tensor.reshape %carried(%shape2) : (tensor<?xi32>, tensor<1xindex>) -> tensor<?xi32>
//!   ...
//! ```
//! Nothing is computed here: the answer is a value the program has.

use crate::access::{Read, Update};
use crate::local::ExtendOp;
use crate::segop::{SegMapOp, SegRedOp, SegScanOp, SegmentedOp};
use crate::update::{ScatterOp, SegHistOp};
use segra_ir::interfaces::{all_handed_on, constant_of, handed_on, has_one_origin, known_extent};
use segra_ir::{Block, Ir, Op, Trait, Value, ValueDef};
use segra_std::check::RequireOp;
use segra_std::tensor::{DimOp, EmptyOp, ReshapeOp};

/// Most ops looked through; a bound for programs that are not well-formed.
const MOST_STEPS: usize = 1000;

/// Most values that an array of a loop is followed to: arrays of longer chains of loops are asked for their extents.
const MOST_ORIGINS: usize = 48;

/// The value an extent is: `tensor.dim` of an array is what made the array so large, as far as that is known.
pub fn resolved(ir: &Ir, extent: Value) -> Value {
    let mut value = extent;
    for _ in 0..MOST_STEPS {
        let Some(dim) = ir.defining_op(value).and_then(|op| ir.cast::<DimOp>(op)) else {
            return value;
        };
        match dim.dim(ir).and_then(|at| extent_of(ir, dim.source(ir), at)) {
            Some(found) => value = found,
            None => return value,
        }
    }
    value
}

/// The extent of one dimension of an array, where some value says it.
pub fn extent_of(ir: &Ir, array: Value, dim: usize) -> Option<Value> {
    let (mut array, mut dim) = (array, dim);
    for _ in 0..MOST_STEPS {
        if let Some(found) = known_extent(ir, array, dim) {
            return Some(found);
        }
        (array, dim) = source(ir, array, dim)?;
    }
    None
}

/// The array that an array's extent is from where no value says it, and in which dimension: a parameter, for example.
pub fn origin_of(ir: &Ir, array: Value, dim: usize) -> (Value, usize) {
    let mut found = (array, dim);
    for _ in 0..MOST_STEPS {
        match source(ir, found.0, found.1) {
            Some(next) => found = next,
            None => break,
        }
    }
    found
}

/// All extents of an array.
pub fn extents_of(ir: &Ir, array: Value) -> Option<Vec<Value>> {
    let rank = ir.value_type(array).shaped(ir.ctx())?.0.len();
    (0..rank).map(|dim| extent_of(ir, array, dim)).collect()
}

/// Another array with the same extent, and in which dimension.
fn source(ir: &Ir, array: Value, dim: usize) -> Option<(Value, usize)> {
    if let Some(same) = handed_on(ir, array) {
        let keeps = match is_on_host(ir, array) {
            true => keeps_extent(ir, array, dim),
            false => !is_resized(ir, array),
        };
        return keeps.then_some((same, dim));
    }
    straight(ir, array, dim)
}

/// Whether a value is one of the host, rather than of a point of a segmented op, whose code may not be in one yet.
fn is_on_host(ir: &Ir, value: Value) -> bool {
    let around = ir
        .value_block(value)
        .and_then(|block| ir.block_parent(block));
    let segmented = |op: Op| ir.interface::<dyn SegmentedOp>(op).is_some();
    let mut last = None;
    for op in around.into_iter().flat_map(|op| ir.ancestors(op)) {
        if segmented(op) {
            return false;
        }
        last = Some(op);
    }
    last == Some(ir.root())
}

/// Whether an array that loops and branches of the host carry has one extent, as far as can be seen.
fn keeps_extent(ir: &Ir, array: Value, dim: usize) -> bool {
    let step = |array: Value, dim: usize| {
        let known = known_extent(ir, array, dim);
        if let Some(asked) = known.and_then(|extent| ir.def_as::<DimOp>(extent)) {
            return Ok((asked.source(ir), asked.dim(ir).unwrap_or(usize::MAX)));
        }
        match known {
            // Constants are equal that are not one value.
            Some(extent) => Err((None, constant_of(ir, extent).ok_or(extent))),
            None => straight(ir, array, dim).ok_or((Some(dim), Err(array))),
        }
    };
    has_one_origin(ir, (array, dim), |_, _| false, step, MOST_ORIGINS)
}

/// Another array with the same extent, where control flow has no part in it.
fn straight(ir: &Ir, array: Value, dim: usize) -> Option<(Value, usize)> {
    match ir.value_def(array) {
        ValueDef::Result { op, index } => {
            let index = index as usize;
            if let Some(read) = Read::of(ir, op) {
                return Some((read.tensor(ir), dim + read.indices(ir).len()));
            }
            if let Some(update) = Update::of(ir, op) {
                return Some((update.tensor(ir), dim));
            }
            if ir.isa::<EmptyOp>(op) || ir.isa::<ReshapeOp>(op) || ir.isa::<ExtendOp>(op) {
                return None;
            }
            row(ir, op, index, dim)
        }
        ValueDef::Argument { block, index } => {
            combined(ir, ir.block_parent(block)?, block, index as usize, dim)
        }
    }
}

/// Whether a loop or branch may give an array other extents from step to step, or from way to way: all that is forwarded for
/// it says its extents, and so does every use of it.
pub fn is_resized(ir: &Ir, array: Value) -> bool {
    let tells = |value: Value| ir.def_as::<ReshapeOp>(value).is_some();
    // Most arrays are told apart by what they begin with.
    handed_on(ir, array).is_some_and(tells)
        && all_handed_on(ir, array).into_iter().all(tells)
        && ir.users(array).all(|user| ir.isa::<ReshapeOp>(user))
}

/// The values an operator combines have the extents of its neutral elements.
fn combined(ir: &Ir, op: Op, block: Block, index: usize, dim: usize) -> Option<(Value, usize)> {
    let (neutral, combine) = if let Some(seg) = ir.cast::<SegRedOp>(op) {
        (seg.neutral(ir), seg.combine(ir))
    } else if let Some(seg) = ir.cast::<SegScanOp>(op) {
        (seg.neutral(ir), seg.combine(ir))
    } else {
        let seg = ir.cast::<SegHistOp>(op)?;
        (seg.neutral(ir), seg.combine(ir))
    };
    let of_operator = ir.block_region(block) == Some(combine) && !neutral.is_empty();
    of_operator.then(|| (neutral[index % neutral.len()], dim))
}

/// The value of a dimension beyond the space at a point.
fn row(ir: &Ir, op: Op, index: usize, dim: usize) -> Option<(Value, usize)> {
    if let Some(seg) = ir.cast::<SegMapOp>(op) {
        return Some((
            ir.terminator_operand(seg.body(ir), index)?,
            dim.checked_sub(seg.sizes(ir).len())?,
        ));
    }
    if let Some(seg) = ir.cast::<SegScanOp>(op) {
        let dim = dim.checked_sub(seg.sizes(ir).len())?;
        // The combined values have the extents of the neutral element.
        let neutral = seg.neutral(ir).get(index).copied();
        return Some((
            neutral.or_else(|| ir.terminator_operand(seg.body(ir), index))?,
            dim,
        ));
    }
    if let Some(seg) = ir.cast::<SegRedOp>(op) {
        let sizes = seg.sizes(ir).len();
        return match seg.neutral(ir).get(index) {
            Some(&neutral) => Some((neutral, dim.checked_sub(sizes - 1)?)),
            None => Some((
                ir.terminator_operand(seg.body(ir), index)?,
                dim.checked_sub(sizes)?,
            )),
        };
    }
    if let Some(seg) = ir.cast::<ScatterOp>(op) {
        return Some((*seg.destinations(ir).get(index)?, dim));
    }
    let seg = ir.cast::<SegHistOp>(op)?;
    Some((*seg.destinations(ir).get(index)?, dim))
}

/// Whether a value of a point of a segmented op can be computed before the op: from sizes, not from elements or indices.
pub fn is_known_before(ir: &Ir, root: Op, value: Value) -> bool {
    let value = resolved(ir, value);
    if !ir.is_defined_inside(value, root) {
        return true;
    }
    let Some(op) = ir.defining_op(value) else {
        return false;
    };
    if let Some(dim) = ir.cast::<DimOp>(op) {
        let at = dim.dim(ir).unwrap_or(usize::MAX);
        return !ir.is_defined_inside(origin_of(ir, dim.source(ir), at).0, root);
    }
    // Of a check, its numbers are not needed.
    let operands = if ir.isa::<RequireOp>(op) {
        3
    } else {
        ir.num_operands(op)
    };
    (ir.has_trait(op, Trait::Pure) || ir.isa::<RequireOp>(op))
        && ir.regions(op).is_empty()
        && ir.operands(op).take(operands).all(|operand| {
            ir.value_type(operand).shaped(ir.ctx()).is_none() && is_known_before(ir, root, operand)
        })
}

/// The number that one is where its checks hold, and those that it is where one of them fails, from the last check on; `None`
/// of a number without checks.
pub fn checked(ir: &Ir, number: Value) -> Option<(Value, Vec<Value>)> {
    let mut otherwise = Vec::new();
    let mut number = resolved(ir, number);
    while let Some(check) = ir.def_as::<RequireOp>(number) {
        otherwise.push(check.otherwise(ir));
        number = resolved(ir, check.value(ir));
    }
    (!otherwise.is_empty()).then_some((number, otherwise))
}

/// The ops of points of a segmented op that make arrays whose extents only the point knows, and those that say what extents
/// an array has that loops and branches resize ([`sizes_of`]).
pub fn irregular_arrays(ir: &Ir, op: Op) -> Vec<Op> {
    let mut found = Vec::new();
    for inner in ir.walk(op).into_iter().skip(1) {
        match ir.isa::<EmptyOp>(inner) || ir.isa::<ExtendOp>(inner) {
            true => {
                let sizes = sizes_of(ir, inner);
                let known = |size: Value| {
                    is_known_before(ir, op, size)
                        || checked(ir, size).is_some_and(|(number, otherwise)| {
                            let mut all = otherwise.into_iter().chain([number]);
                            all.all(|number| is_known_before(ir, op, number))
                        })
                };
                let irregular = sizes.iter().any(|&size| !known(size));
                found.extend(irregular.then_some(inner));
            }
            false => found.extend(resizing(ir, inner)),
        }
    }
    found
}

/// The ops that say extents of what an op of control flow forwards to arrays that it resizes.
fn resizing(ir: &Ir, op: Op) -> Vec<Op> {
    let entries = ir
        .regions(op)
        .iter()
        .filter_map(|&region| ir.entry_block(region));
    let args = entries.flat_map(|block| ir.block_args(block).to_vec());
    let resized = ir
        .results(op)
        .chain(args)
        .filter(|&value| ir.value_type(value).shaped(ir.ctx()).is_some() && is_resized(ir, value));
    let mut found: Vec<Op> = Vec::new();
    for value in resized.flat_map(|value| all_handed_on(ir, value)) {
        let op = ir.defining_op(value).filter(|op| !found.contains(op));
        found.extend(op);
    }
    found
}

/// The extents that one of [`irregular_arrays`] gives an array.
pub fn sizes_of(ir: &Ir, op: Op) -> Vec<Value> {
    if let Some(reshape) = ir.cast::<ReshapeOp>(op) {
        return reshape.sizes(ir);
    }
    if let Some(extend) = ir.cast::<ExtendOp>(op) {
        return extend.sizes(ir);
    }
    let scratch = ir.cast::<EmptyOp>(op);
    scratch.map_or(Vec::new(), |scratch| scratch.dynamic_sizes(ir))
}

/// Whether points of a segmented op make arrays whose extents only the point knows.
pub fn has_irregular_arrays(ir: &Ir, op: Op) -> bool {
    !irregular_arrays(ir, op).is_empty()
}
