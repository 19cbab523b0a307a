//! Start values that are not neutral, taken apart: the combination begins with the neutral element, and what it would
//! have begun with is combined once beside it.
//!
//! ```mlir
//! %r = array.reduce (%xs : [n]i32) init (%s : i32) combine arith.addi
//! ```
//! becomes a reduction from `%zero` and `arith.addi %s, %reduced`. A scan takes the start value in where it begins, so
//! that nothing goes over its results again: the first element becomes `s . x`; of an exclusive scan, whose first result
//! lacks that element, the first result is replaced by a scatter of one element.
//!
//! Passes that cut combinations into pieces rely on [`Parts::is_neutral`]; flattening calls [`separate`] first.

use crate::combinator::{Flavour, Parts, Soac};
use crate::neutral;
use crate::shape::{DimOp, IotaOp, ReplicateOp};
use crate::soac::{YieldOp, map, outer_size};
use crate::types::{array_of, sizes_and_element};
use crate::update::scatter;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Block, Builder, Ir, Op, Type, Value};
use segra_std::arith::{CmpIOp, CmpIPredicate, ConstantOp, SelectOp, materialize_constant};
use segra_std::scf::IfOp;

/// Makes the start values of an op and of all ops inside of it neutral; how many combinators were changed.
pub fn separate_all(ir: &mut Ir, around: Op) -> usize {
    let mut ops = ir.walk(around);
    // Inner ones first: operators are copied.
    ops.reverse();
    ops.into_iter().filter(|&op| separate(ir, op)).count()
}

/// Makes the start values of a combinator neutral, if they are not; whether there was anything to do.
fn separate(ir: &mut Ir, op: Op) -> bool {
    let Some(soac) = Soac::of(ir, op).filter(|soac| !soac.is_neutral(ir)) else {
        return false;
    };
    let Some(combine) = soac.combine else {
        return false;
    };
    let loc = ir.loc(op);
    let mut b = Builder::before(ir, op);
    b.loc = loc;
    let Some(neutral) = neutral_values(&mut b, &soac, combine) else {
        return false;
    };
    let results = match soac.flavour {
        Flavour::Scan { exclusive } => scan(&mut b, &soac, exclusive, combine, neutral),
        _ => reduction(&mut b, &soac, combine, neutral),
    };
    let old: Vec<Value> = ir.results(op).collect();
    for (old, new) in old.into_iter().zip(results) {
        if let Some(name) = ir.value_name(old) {
            ir.set_value_name(new, name);
        }
        ir.replace_all_uses(old, new);
    }
    ir.erase_op(op);
    true
}

/// The neutral elements as values.
fn neutral_values(b: &mut Builder<'_>, soac: &Parts, combine: Block) -> Option<Vec<Value>> {
    if !soac.written.is_empty() {
        return Some(soac.written.clone());
    }
    let elements = neutral::derived(b.ir, combine)?;
    let values = soac.start.iter().zip(elements).map(|(&start, element)| {
        let ty = b.ir.value_type(start);
        let (sizes, scalar) = sizes_and_element(b.ctx(), ty);
        let constant = materialize_constant(b, element, scalar)?;
        let value = b.ir.result(constant, 0);
        if sizes.is_empty() {
            return Some(value);
        }
        let extents: Vec<Value> = (0..sizes.len()).map(|dim| extent(b, start, dim)).collect();
        Some(ReplicateOp::build(b, value, &extents, ty).result(b.ir))
    });
    values.collect()
}

fn extent(b: &mut Builder<'_>, array: Value, dim: usize) -> Value {
    let (dim, index) = (b.ctx().i64_attr(dim as i64), b.ctx().index());
    DimOp::build(b, array, dim, index).result(b.ir)
}

/// The operator on two tuples.
fn combined(b: &mut Builder<'_>, combine: Block, left: &[Value], right: &[Value]) -> Vec<Value> {
    b.clone_block_body(combine, &[left, right].concat(), &mut Mapping::new())
}

/// A reduction from the neutral elements, and the start values combined with what it gives.
fn reduction(b: &mut Builder<'_>, soac: &Soac, combine: Block, neutral: Vec<Value>) -> Vec<Value> {
    let types: Vec<Type> =
        b.ir.results(soac.op)
            .map(|result| b.ir.value_type(result))
            .collect();
    detach(b.ir, soac);
    let parts = Parts {
        start: neutral,
        ..soac.parts.clone()
    };
    let new = parts.build_as(b, &types);
    let mut results: Vec<Value> = b.ir.results(new).collect();
    let count = soac.start.len();
    let whole = combined(b, combine, &soac.start, &results[..count]);
    results.splice(..count, whole);
    results
}

fn detach(ir: &mut Ir, soac: &Soac) {
    for block in [soac.body, soac.combine].into_iter().flatten() {
        ir.detach_block(block);
    }
}

/// A scan from the neutral elements, whose first element takes the start values in.
fn scan(
    b: &mut Builder<'_>,
    soac: &Soac,
    exclusive: bool,
    combine: Block,
    neutral: Vec<Value>,
) -> Vec<Value> {
    let types: Vec<Type> =
        b.ir.results(soac.op)
            .map(|result| b.ir.value_type(result))
            .collect();
    let mut arrays = soac.arrays.clone();
    let count = extent(b, arrays[0], 0);
    let (outer, index) = (outer_size(b.ir, &arrays), b.ctx().index());
    let indices = array_of(b.ctx(), outer, index);
    arrays.push(IotaOp::build(b, count, indices).result(b.ir));
    detach(b.ir, soac);
    let loc = b.loc;
    let body = match soac.body {
        Some(body) => {
            b.ir.add_block_arg(body, index, loc);
            body
        }
        None => {
            let (block, elements) = Parts::body_over(b.ir, &arrays);
            let elements = &elements[..elements.len() - 1];
            YieldOp::build(&mut Builder::at_end(b.ir, block, loc), elements);
            block
        }
    };
    let parts = Parts {
        arrays,
        start: neutral,
        body: Some(body),
        ..soac.parts.clone()
    };
    let new = parts.build_as(b, &types);
    take_in(b.ir, body, soac, combine);
    let mut results: Vec<Value> = b.ir.results(new).collect();
    if exclusive {
        let first = replace_first(b, &results[..soac.start.len()], &soac.start);
        results.splice(..soac.start.len(), first);
    }
    results
}

/// Lets the body of a scan, whose last argument is the index, yield `s . x` instead of `x` at index 0.
fn take_in(ir: &mut Ir, body: Block, soac: &Parts, combine: Block) {
    let (Some(last), Some(&at)) = (ir.last_op(body), ir.block_args(body).last()) else {
        return;
    };
    let count = soac.start.len();
    let elements: Vec<Value> = ir.operands(last).take(count).collect();
    let types: Vec<Type> = elements.iter().map(|&value| ir.value_type(value)).collect();
    let total = ir
        .ops(combine)
        .all(|op| is_pure(ir, op) && is_speculatable(ir, op));
    let mut b = Builder::before(ir, last);
    let zero = ConstantOp::index(&mut b, 0);
    let predicate = CmpIPredicate::Eq.attr(b.ctx());
    let first = CmpIOp::build(&mut b, predicate, at, zero).result(b.ir);
    let taken = if total {
        let with = combined(&mut b, combine, &soac.start, &elements);
        let pairs = with.into_iter().zip(elements);
        pairs
            .map(|(with, without)| select(&mut b, first, with, without))
            .collect()
    } else {
        let with = |b: &mut Builder<'_>| combined(b, combine, &soac.start, &elements);
        let without = |_: &mut Builder<'_>| elements.clone();
        IfOp::with_bodies(&mut b, first, &types, with, without)
            .results(b.ir)
            .to_vec()
    };
    for (index, value) in taken.into_iter().enumerate() {
        ir.set_operand(last, index, value);
    }
}

/// One of two numbers, or of arrays element by element: so that a scan of rows stays one of columns.
fn select(b: &mut Builder<'_>, condition: Value, yes: Value, no: Value) -> Value {
    if sizes_and_element(b.ctx(), b.ir.value_type(yes))
        .0
        .is_empty()
    {
        return SelectOp::build(b, condition, yes, no).result(b.ir);
    }
    map(b, &[yes, no], |b, pair| {
        vec![select(b, condition, pair[0], pair[1])]
    })
    .results(b.ir)[0]
}

/// Arrays with other first elements, if they have any.
fn replace_first(b: &mut Builder<'_>, arrays: &[Value], first: &[Value]) -> Vec<Value> {
    let one = ConstantOp::index(b, 1);
    let ty = array_of(b.ctx(), crate::types::Size::Constant(1), b.ctx().index());
    let at = IotaOp::build(b, one, ty).result(b.ir);
    let new = scatter(b, &[at], arrays, |_, at| {
        at.iter().chain(first).copied().collect()
    });
    new.results(b.ir).to_vec()
}

/// Writes the start values of a combinator as its neutral elements, where those cannot be derived: for passes that put
/// new combinators together from operators whose start values are neutral.
pub fn write_neutral(ir: &mut Ir, op: Op) {
    let Some(soac) =
        Soac::of(ir, op).filter(|soac| soac.flavour.combines() && soac.written.is_empty())
    else {
        return;
    };
    let derived = soac
        .combine
        .and_then(|combine| neutral::derived(ir, combine));
    if derived.is_none() {
        ir.set_operand_group(op, 2, &soac.start);
    }
}
