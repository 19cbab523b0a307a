//! Step 3b: a loop in each point of a segmap becomes a segmap in each step of a loop.
//!
//! ```mlir
//! kernel.segmap (%p < 32) {                  scf.for %t = ... iter_args(%accs = %accs0) {
//!   scf.for %t = ... (%accs0[%p])      ==>     %next = kernel.segmap (%p < 32) { return f(%accs[%p], %t) }
//!     yield f(%acc, %t)                        yield %next
//! }                                          }
//! ```
//! "Regular flattening" (Henriksen 2021), "Distributing and interchanging segmap": parallel loops may always move inwards;
//! the thesis on block and register tiling, 2.1 step 4, says the same of direction matrices.
//!
//! Legality: no dependence goes backwards then ([`crate::tile::dependence`]), which none does that points do not share; the
//! body of the segmap is the loop and code that computes again what the loop needs (as
//! [`crate::tile::distribute()`] leaves it); bounds are the same for all points; each point starts from its own element of an
//! array over the space.

use crate::tile::Refusal;
use crate::tile::dependence::Matrix;
use crate::tile::distribute::rebuild;
use crate::tile::variance::Variance;
use segra_ir::interfaces::is_pure;
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::segop::SegMapOp;
use segra_std::scf::{ForOp, YieldOp};

/// The result of interchange.
#[derive(Clone, Copy, Debug)]
pub struct Interchanged {
    /// The loop, which now carries arrays.
    pub looped: ForOp,
    /// The segmap in it.
    pub segmap: SegMapOp,
}

/// Moves the loop that a segmap's body ends with around the segmap.
///
/// # Errors
/// See the legality above; the message says which of it fails.
pub fn interchange(ir: &mut Ir, segmap: SegMapOp) -> Result<Interchanged, Refusal> {
    let body = segmap.body_block(ir);
    let points = ir.block_args(body).to_vec();
    let found = ir.ops(body).find_map(|op| ir.cast::<ForOp>(op));
    let looped = found.ok_or_else(|| Refusal::new(segmap.op(), "has no loop in its body"))?;
    let results = looped.results(ir);
    if crate::tile::strip::returned(ir, segmap) != results {
        return Err(Refusal::new(
            looped.op(),
            "returns more than the results of its loop",
        ));
    }
    check_order(ir, segmap, looped)?;
    let starts = starts(ir, looped, &points)?;
    let hoisted = invariant_bounds(ir, segmap, looped)?;
    for op in hoisted {
        ir.move_before(op, segmap.op());
    }
    let prefix: Vec<Op> = ir.ops(body).take_while(|&op| op != looped.op()).collect();
    let types: Vec<Type> = segmap
        .results(ir)
        .into_iter()
        .map(|result| ir.value_type(result))
        .collect();
    let inner = looped.region_block(ir);
    let mut args = vec![ir.value_type(looped.lower_bound(ir))];
    args.extend(starts.iter().map(|&array| ir.value_type(array)));
    let mut b = Builder::before(ir, segmap.op());
    let outer = loop_carrying(&mut b, looped, &starts, &types);
    let region = outer.region(b.ir);
    let new = b.build_block(region, &args, |b, carried| {
        let new = rebuild(b, segmap, &types, |b, mapping, places| {
            for &op in &prefix {
                b.clone_op(op, mapping);
            }
            let mut values = vec![carried[0]];
            for &array in &carried[1..] {
                values.push(Read::build(b, array, places).result(b.ir));
            }
            b.clone_block_body(inner, &values, mapping)
        });
        let next = new.results(b.ir);
        YieldOp::build(b, &next);
        new
    });
    let results = outer.results(ir);
    ir.replace_op(segmap.op(), &results);
    Ok(Interchanged {
        looped: outer,
        segmap: new,
    })
}

/// A loop over the range of another one that carries values from `starts`, without a body yet.
pub(crate) fn loop_carrying(
    b: &mut Builder<'_>,
    looped: ForOp,
    starts: &[Value],
    types: &[Type],
) -> ForOp {
    let (lower, upper, step) = (
        looped.lower_bound(b.ir),
        looped.upper_bound(b.ir),
        looped.step(b.ir),
    );
    let unsigned = looped.unsigned_cmp_attr(b.ir);
    ForOp::builder()
        .lower_bound(lower)
        .upper_bound(upper)
        .step(step)
        .init_args(starts)
        .unsigned_cmp(unsigned)
        .results_types(types)
        .build(b)
}

/// Whether the loop may be outside of the points, as far as dependences say.
fn check_order(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> Result<(), Refusal> {
    let matrix = Matrix::of(ir, segmap);
    let counter = ir.block_args(looped.region_block(ir))[0];
    let moved = |&column: &usize| matrix.columns[column].counter == counter;
    let (mut order, rest): (Vec<usize>, Vec<usize>) = (0..matrix.columns.len()).partition(moved);
    order.extend(rest);
    matrix.reordered(&order).map_err(|row| {
        let reason = format!("has a loop that must stay in its points: {row}");
        Refusal::new(looped.op(), reason)
    })
}

/// The arrays of which each point's loop starts from its own elements.
fn starts(ir: &Ir, looped: ForOp, points: &[Value]) -> Result<Vec<Value>, Refusal> {
    let own = |init: Value| {
        let read = ir.defining_op(init).and_then(|op| Read::of(ir, op))?;
        let array = read.tensor(ir);
        let rank = ir.value_type(array).shaped(ir.ctx())?.0.len();
        (read.indices(ir) == points && rank == points.len()).then_some(array)
    };
    let starts: Option<Vec<Value>> = looped.init_args(ir).into_iter().map(own).collect();
    starts.ok_or_else(|| {
        Refusal::new(
            looped.op(),
            "has a loop that does not start from stored elements",
        )
    })
}

/// The ops of the body that the bounds come from, in order, where they are the same for all points.
fn invariant_bounds(ir: &Ir, segmap: SegMapOp, looped: ForOp) -> Result<Vec<Op>, Refusal> {
    let body = segmap.body_block(ir);
    let variance = Variance::of(ir, body, ir.block_args(body));
    let mut pending: Vec<Value> = ir.operands(looped.op()).take(3).collect();
    if pending.iter().any(|&bound| !variance.get(bound).is_empty()) {
        return Err(Refusal::new(
            looped.op(),
            "has a loop whose bounds differ between points",
        ));
    }
    let mut ops: Vec<Op> = Vec::new();
    while let Some(value) = pending.pop() {
        let Some(op) = ir
            .defining_op(value)
            .filter(|&op| ir.block_of(op) == Some(body))
        else {
            continue;
        };
        if ops.contains(&op) {
            continue;
        }
        if !is_pure(ir, op) || !ir.regions(op).is_empty() {
            return Err(Refusal::new(
                op,
                "has a loop whose bounds are read at each point",
            ));
        }
        ops.push(op);
        pending.extend(ir.operands(op));
    }
    ops.sort_by(|&a, &b| {
        if ir.is_before(a, b) {
            std::cmp::Ordering::Less
        } else {
            std::cmp::Ordering::Greater
        }
    });
    Ok(ops)
}
