//! Arrays with some elements replaced or combined: scatter and hist.
//!
//! Both run a body on each tuple of elements of their inputs. It yields where (one index per leading dimension of
//! the destinations), then what (one value per destination). Indices out of range are ignored. Destinations are
//! values: they stay what they were, and the results are new arrays.
//!
//! * `eval`: execution; `syntax`: the custom text forms.

mod eval;
mod syntax;

use crate::build::{operator_block, region_block};
use crate::combinator::{Combinator, Flavour, Parts};
use crate::soac::{Check, row_types, types_of, yielded_types};
use crate::types::{AnyArray, ArrayOrScalar, array_or_scalar, sizes_and_element};
use segra_interp::Eval;
use segra_ir::interfaces::Verify;
use segra_ir::{Builder, Ir, Op, OpDiagnostics, OpView, Type, Value, op};
use segra_text::Syntax;

/// The destinations with some elements replaced: for each tuple of elements of the inputs the body yields an index
/// and one value per destination.
///
/// An index out of range is ignored. Where two elements give one index with different values, one of them is taken,
/// and which is not defined; the interpreter takes the last.
///
/// ```mlir
/// %ys = array.scatter (%i in %is : [n]index, %v in %vs : [n]f32) into (%xs : [m]f32) {
///   array.yield %i, %v : index, f32
/// }
/// ```
#[op(
    "array.scatter",
    traits(RecursiveEffects),
    interfaces(Combinator, Verify, Syntax, Eval)
)]
pub struct ScatterOp {
    /// Inputs, all of one outer size; at least one.
    arrays: VariadicOperand<AnyArray>,
    /// The initial contents of the results; at least one, all with the same indexed dimensions.
    destinations: VariadicOperand<AnyArray>,
    /// From one element of each input to the indices, then one value per destination.
    body: BlockRegion,
    /// One per destination.
    results: VariadicResult<AnyArray>,
}

/// Attribute of an `array.scatter` that stores to every element of its destinations which anything reads: their contents
/// need not be there before it.
pub const STORES_ALL: &str = "array.stores_all";

/// A generalised histogram: for each tuple of elements of the inputs the body yields an index (a bin) and one value
/// per destination, and the destinations' elements of that bin are combined with the values by the operator.
///
/// An index out of range is ignored. The operator is associative and commutative with the given neutral elements; where it
/// can stop the program it does so for elements that have a bin.
///
/// ```mlir
/// %counts = array.hist (%x in %xs : [n]i32) into (%zeros : [m]i32) neutral (%zero : i32) map {
///   %bin = arith.index_cast %x : i32 to index
///   array.yield %bin, %one : index, i32
/// } combine (%a, %b) {
///   %s = arith.addi %a, %b : i32
///   array.yield %s : i32
/// }
/// ```
#[op(
    "array.hist",
    traits(RecursiveEffects),
    interfaces(Combinator, Verify, Syntax, Eval)
)]
pub struct HistOp {
    /// Inputs, all of one outer size; at least one.
    arrays: VariadicOperand<AnyArray>,
    /// The initial contents of the bins; one per neutral element, all with the same indexed dimensions.
    destinations: VariadicOperand<AnyArray>,
    /// Neutral elements of the operator.
    neutral: VariadicOperand<ArrayOrScalar>,
    /// From one element of each input to the indices, then one value per destination.
    body: BlockRegion,
    /// The operator: what is in the bin, then values.
    combine: BlockRegion,
    /// One per destination.
    results: VariadicResult<AnyArray>,
}

impl Combinator for ScatterOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let scatter = ScatterOp::from_op(op);
        let (arrays, body) = (scatter.arrays(ir), ir.entry_block(scatter.body(ir)));
        Parts {
            destinations: scatter.destinations(ir),
            ..Parts::new(Flavour::Scatter, arrays, body)
        }
    }
}

impl Combinator for HistOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let hist = HistOp::from_op(op);
        let (arrays, body) = (hist.arrays(ir), ir.entry_block(hist.body(ir)));
        Parts {
            destinations: hist.destinations(ir),
            start: hist.neutral(ir),
            combine: ir.entry_block(hist.combine(ir)),
            ..Parts::new(Flavour::Hist, arrays, body)
        }
    }
}

/// The type of what one index of the first `outer` dimensions of an array stands for; `None` if it has fewer.
fn row_at(ir: &Ir, array: Value, outer: usize) -> Option<Type> {
    let ctx = ir.ctx();
    let (sizes, element) = sizes_and_element(ctx, ir.value_type(array));
    sizes
        .get(outer..)
        .map(|rest| array_or_scalar(ctx, rest, element))
}

/// The common checks of both ops: inputs, body, indices, values, results.
fn check_update(
    check: &mut Check<'_, '_>,
    arrays: &[Value],
    destinations: &[Value],
    body: segra_ir::Region,
) -> bool {
    let ir = check.ir;
    if destinations.is_empty() {
        check.error("needs at least one destination");
        return false;
    }
    if !check.inputs(arrays) || !check.args(body, "body", &row_types(ir, arrays)) {
        return false;
    }
    let yielded = ir
        .entry_block(body)
        .map(|block| yielded_types(ir, block))
        .unwrap_or_default();
    let Some(outer) = yielded
        .len()
        .checked_sub(destinations.len())
        .filter(|&outer| outer > 0)
    else {
        check.error("its body must yield one index at least, then one value per destination");
        return false;
    };
    let (indices, values) = yielded.split_at(outer);
    let rows: Option<Vec<Type>> = destinations
        .iter()
        .map(|&array| row_at(ir, array, outer))
        .collect();
    let Some(rows) = rows else {
        check.error(format!(
            "its body yields {outer} indices, but a destination has fewer dimensions"
        ));
        return false;
    };
    let sizes =
        |array: Value| sizes_and_element(ir.ctx(), ir.value_type(array)).0[..outer].to_vec();
    let first = sizes(destinations[0]);
    for (index, &array) in destinations.iter().enumerate() {
        if sizes(array)
            .iter()
            .zip(&first)
            .any(|(&a, &b)| !a.compatible(b))
        {
            check.error(format!(
                "operand `destinations` #{index} has other indexed sizes than the first"
            ));
            return false;
        }
    }
    check.same("the indices", indices, &vec![ir.ctx().index(); outer])
        && check.same("the values", values, &rows)
        && check.results(&types_of(ir, destinations))
}

impl Verify for ScatterOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let scatter = ScatterOp::from_op(op);
        let mut check = Check { ir, op, diags };
        check_update(
            &mut check,
            &scatter.arrays(ir),
            &scatter.destinations(ir),
            scatter.body(ir),
        );
    }
}

impl Verify for HistOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let hist = HistOp::from_op(op);
        let mut check = Check { ir, op, diags };
        let (destinations, types) = (hist.destinations(ir), types_of(ir, &hist.neutral(ir)));
        if !check_update(&mut check, &hist.arrays(ir), &destinations, hist.body(ir)) {
            return;
        }
        let yielded = yielded_types(ir, hist.body_block(ir));
        let values = &yielded[yielded.len() - destinations.len()..];
        let _ = check.same("the neutral elements", &types, values)
            && check.operator(hist.combine(ir), &types)
            && check.not_refuted(hist.combine_block(ir), &hist.neutral(ir));
    }
}

/// Builds `array.scatter`: `body` gets one element of each array and returns indices, then values.
pub fn scatter(
    b: &mut Builder<'_>,
    arrays: &[Value],
    destinations: &[Value],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> ScatterOp {
    let body = region_block(b, &row_types(b.ir, arrays), body);
    let parts = Parts {
        destinations: destinations.to_vec(),
        ..Parts::new(Flavour::Scatter, arrays.to_vec(), Some(body))
    };
    ScatterOp::from_op(parts.build(b))
}

/// Builds `array.hist`: `body` returns indices, then values; `combine` gets what is in the bin, then values.
pub fn hist(
    b: &mut Builder<'_>,
    arrays: &[Value],
    destinations: &[Value],
    neutral: &[Value],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
    combine: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> HistOp {
    let body = region_block(b, &row_types(b.ir, arrays), body);
    let types = types_of(b.ir, neutral);
    let combine = operator_block(b, &types, combine);
    let parts = Parts {
        destinations: destinations.to_vec(),
        start: neutral.to_vec(),
        combine: Some(combine),
        ..Parts::new(Flavour::Hist, arrays.to_vec(), Some(body))
    };
    HistOp::from_op(parts.build(b))
}
