//! Step 3a: a segmap is distributed over what comes before a loop, the loop, and what comes after it.
//!
//! ```mlir
//! kernel.segmap (%p < 32) {              %accs0 = kernel.segmap (%p < 32) { return start(%p) }
//!   %start = ...                         %accs1 = kernel.segmap (%p < 32) {
//!   %acc = scf.for ... (%start)    ==>     %acc = scf.for ... (%accs0[%p])
//!   return end(%acc)                       return %acc }
//! }                                      kernel.segmap (%p < 32) { return end(%accs1[%p]) }
//! ```
//! "Array expansion" and "loop distribution" of the block-and-register tiling thesis (2.1, steps 3a and 3b): what the parts
//! yield is stored for each point. Index arithmetic and constants are computed again instead, and so is all that says which
//! elements the loop reads, if it is pure or read itself: a row that is chosen by a number is the same for all columns, and
//! as a stored value it would not be. A check of such an index is made once, before; then only its value is needed.
//!
//! Legality: each value that is yielded is a scalar.

use crate::tile::Refusal;
use rustc_hash::FxHashSet;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::is_pure;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, TypeKind, Value};
use segra_kernel::access::Read;
use segra_kernel::segop::{ReturnOp, SegMapOp};
use segra_std::arith::{ConstantOp, SelectOp};
use segra_std::check::RequireOp;
use segra_std::scf::ForOp;

/// The result of distribution.
#[derive(Clone, Copy, Debug)]
pub struct Distributed {
    /// The part before the loop, with the loop's initial values among its results.
    pub before: SegMapOp,
    /// The loop.
    pub around: SegMapOp,
    /// The part after it; none where the loop's results are all that is returned.
    pub after: Option<SegMapOp>,
}

/// Distributes a segmap over a loop that stands directly in its body.
///
/// # Errors
/// The loop stands elsewhere, or it or what is yielded is not made of scalars.
pub fn distribute(ir: &mut Ir, segmap: SegMapOp, looped: ForOp) -> Result<Distributed, Refusal> {
    let body = segmap.body_block(ir);
    let parts = Parts::of(ir, body, looped)?;
    let shape = static_shape(ir, segmap)?;
    let op = segmap.op();
    let inits = looped.init_args(ir);
    // Before: the loop's initial values, then the values that are yielded.
    let mut handed = inits.clone();
    handed.extend(&parts.carried);
    let mut b = Builder::before(ir, op);
    let before = parts.store(&mut b, segmap, &shape, &handed);
    let stored = before.results(b.ir);
    let (starts, carried) = stored.split_at(inits.len());
    let results = looped.results(b.ir);
    let types = over(b.ir, &shape, &results);
    let around = rebuild(&mut b, segmap, &types, |b, mapping, places| {
        parts.again(b, mapping, carried, places);
        let starts: Vec<Value> = starts.iter().map(|&array| read(b, array, places)).collect();
        let copy = b.clone_op(looped.op(), mapping);
        for (index, start) in starts.into_iter().enumerate() {
            b.ir.set_operand(copy, 3 + index, start);
        }
        b.ir.results(copy).collect()
    });
    let finished = around.results(b.ir);
    let returned = crate::tile::strip::returned(b.ir, segmap);
    if let Some(values) = direct(&returned, &results, &finished) {
        ir.replace_op(op, &values);
        return Ok(Distributed {
            before,
            around,
            after: None,
        });
    }
    let types = over(b.ir, &shape, &returned);
    let after = rebuild(&mut b, segmap, &types, |b, mapping, places| {
        parts.again(b, mapping, carried, places);
        for (&result, &array) in results.iter().zip(&finished) {
            let value = read(b, array, places);
            mapping.map(result, value);
        }
        for &op in &parts.after {
            b.clone_op(op, mapping);
        }
        mapping.get_all(returned.iter().copied())
    });
    let values = after.results(b.ir);
    ir.replace_op(op, &values);
    Ok(Distributed {
        before,
        around,
        after: Some(after),
    })
}

/// The arrays of the returned values, if each of them is a result of the loop.
fn direct(returned: &[Value], results: &[Value], finished: &[Value]) -> Option<Vec<Value>> {
    returned
        .iter()
        .map(|value| {
            results
                .iter()
                .position(|result| result == value)
                .map(|index| finished[index])
        })
        .collect()
}

/// Whether a body can be distributed over a loop.
pub(crate) fn check_parts(ir: &Ir, body: Block, looped: ForOp) -> Result<(), Refusal> {
    Parts::of(ir, body, looped).map(|_| ())
}

/// The parts of a body around a loop.
struct Parts {
    before: Vec<Op>,
    /// Those of them that are computed again where they are needed.
    again: Vec<Op>,
    /// Scalars of the part before that are stored for the others.
    carried: Vec<Value>,
    after: Vec<Op>,
}

impl Parts {
    /// The part before the loop, which stores values at each point.
    fn store(
        &self,
        b: &mut Builder<'_>,
        segmap: SegMapOp,
        shape: &[i64],
        handed: &[Value],
    ) -> SegMapOp {
        let types = over(b.ir, shape, handed);
        rebuild(b, segmap, &types, |b, mapping, _| {
            for &op in &self.before {
                b.clone_op(op, mapping);
            }
            mapping.get_all(handed.iter().copied())
        })
    }

    fn of(ir: &Ir, body: Block, looped: ForOp) -> Result<Parts, Refusal> {
        if ir.block_of(looped.op()) != Some(body) {
            return Err(Refusal::new(
                looped.op(),
                "has a loop that is not directly in its body",
            ));
        }
        let ops: Vec<Op> = ir.ops(body).collect();
        let at = ops.iter().position(|&op| op == looped.op()).unwrap_or(0);
        let before = ops[..at].to_vec();
        let after = ops[at + 1..ops.len() - 1].to_vec();
        let addressing = places(ir, &before, looped);
        let again: Vec<Op> = before
            .iter()
            .copied()
            .filter(|&op| is_cheap(ir, op) || addressing.contains(&op))
            .collect();
        let mut needed = FxHashSet::default();
        let terminator = ops.last().copied();
        for &op in again.iter().chain(&after).chain(&terminator) {
            for inner in ir.walk(op) {
                needed.extend(ir.operands(inner));
            }
        }
        needed.extend(ir.operands(looped.op()).take(3));
        for inner in ir.walk(looped.op()).into_iter().skip(1) {
            needed.extend(ir.operands(inner));
        }
        let mut carried = Vec::new();
        for &op in before.iter().filter(|op| !again.contains(op)) {
            for result in ir.results(op).filter(|result| needed.contains(result)) {
                if !ir.value_type(result).is_scalar(ir.ctx()) {
                    return Err(Refusal::new(
                        op,
                        "makes an array that its loop or what follows it uses",
                    ));
                }
                carried.push(result);
            }
        }
        if looped
            .init_args(ir)
            .iter()
            .any(|&init| !ir.value_type(init).is_scalar(ir.ctx()))
        {
            return Err(Refusal::new(looped.op(), "has a loop that carries arrays"));
        }
        Ok(Parts {
            before,
            again,
            carried,
            after,
        })
    }

    /// In another part: what was stored is read, the rest computed again. Order is that of the body.
    fn again(
        &self,
        b: &mut Builder<'_>,
        mapping: &mut Mapping,
        stored: &[Value],
        places: &[Value],
    ) {
        for (&value, &array) in self.carried.iter().zip(stored) {
            let read = read(b, array, places);
            mapping.map(value, read);
        }
        for &op in &self.again {
            let Some(check) = b.ir.cast::<RequireOp>(op) else {
                b.clone_op(op, mapping);
                continue;
            };
            let [condition, value, otherwise] = [
                check.condition(b.ir),
                check.value(b.ir),
                check.otherwise(b.ir),
            ]
            .map(|value| mapping.get(value));
            let chosen = SelectOp::build(b, condition, value, otherwise).result(b.ir);
            mapping.map(check.result(b.ir), chosen);
        }
    }
}

/// The ops before a loop that say which elements it reads, where all of that can be done again.
fn places(ir: &Ir, before: &[Op], looped: ForOp) -> FxHashSet<Op> {
    let before: FxHashSet<Op> = before.iter().copied().collect();
    let repeatable = |op: Op| {
        let simple = is_pure(ir, op) || Read::is(ir, op) || ir.isa::<RequireOp>(op);
        simple && ir.regions(op).is_empty()
    };
    let mut found = FxHashSet::default();
    for read in ir.walk(looped.op()) {
        let Some(read) = Read::of(ir, read) else {
            continue;
        };
        let mut slice = FxHashSet::default();
        let mut pending = read.indices(ir);
        let mut whole = true;
        while let Some(value) = pending.pop() {
            let Some(op) = ir.defining_op(value).filter(|op| before.contains(op)) else {
                continue;
            };
            whole &= repeatable(op);
            if slice.insert(op) {
                pending.extend(ir.operands(op));
            }
        }
        if whole {
            found.extend(slice);
        }
    }
    found
}

/// Whether an op costs less to do again than to store: index arithmetic and constants.
fn is_cheap(ir: &Ir, op: Op) -> bool {
    let indices = ir
        .results(op)
        .all(|value| ir.value_type(value) == ir.ctx().index());
    ir.regions(op).is_empty() && is_pure(ir, op) && (indices || ir.isa::<ConstantOp>(op))
}

/// A segmap over the same space before which the builder stands; `body` gives its values.
pub(crate) fn rebuild(
    b: &mut Builder<'_>,
    segmap: SegMapOp,
    types: &[Type],
    body: impl FnOnce(&mut Builder<'_>, &mut Mapping, &[Value]) -> Vec<Value>,
) -> SegMapOp {
    let level = segmap.level(b.ir).attr(b.ctx());
    let sizes = segmap.sizes(b.ir);
    let (registers, runs) = (segmap.registers_attr(b.ir), segmap.runs_attr(b.ir));
    let contract = segmap.contract_attr(b.ir);
    let formal = b.ir.block_args(segmap.body_block(b.ir)).to_vec();
    let new = SegMapOp::builder()
        .level(level)
        .registers(registers)
        .runs(runs)
        .apart(segmap.apart_attr(b.ir))
        .contract(contract)
        .sizes(&sizes)
        .results_types(types)
        .build(b);
    let region = new.body(b.ir);
    let indices = vec![b.ctx().index(); sizes.len()];
    b.build_block(region, &indices, |b, places| {
        let mut mapping = Mapping::new();
        mapping.map_all(&formal, places);
        let values = body(b, &mut mapping, places);
        ReturnOp::build(b, &values);
    });
    new
}

/// A point's element of an array over its space.
fn read(b: &mut Builder<'_>, array: Value, places: &[Value]) -> Value {
    Read::build(b, array, places).result(b.ir)
}

/// Extents of a segmap as its results have them.
fn static_shape(ir: &Ir, segmap: SegMapOp) -> Result<Vec<i64>, Refusal> {
    let result = segmap.results(ir).first().copied();
    let shape = result
        .and_then(|result| ir.value_type(result).shaped(ir.ctx()))
        .map(|row| row.0.to_vec());
    shape.ok_or_else(|| Refusal::new(segmap.op(), "returns nothing"))
}

/// Types of arrays over a space.
fn over(ir: &Ir, shape: &[i64], values: &[Value]) -> Vec<Type> {
    let tensor = |&value: &Value| {
        let element = ir.value_type(value);
        ir.ctx().ty(TypeKind::Tensor {
            shape: shape.to_vec(),
            element,
            encoding: None,
        })
    };
    values.iter().map(tensor).collect()
}
