//! Before step 1: a loop directly in a loop becomes one loop over the pairs of their counters.
//!
//! ```mlir
//! scf.for %o = 0 to %n iter_args(%acc = %start) {       scf.for %f = 0 to %n * %m iter_args(%acc = %start, %sum = %zero) {
//!   before(%acc, %o)                                      %o = %f / %m; %i = %f - %o * %m
//!   %row = scf.for %i = 0 to %m                           before(%acc, %o)
//!       iter_args(%sum = %zero) {                  ==>    %next = f(%sum, %o, %i)
//!     yield f(%sum, %o, %i) }                             scf.if %i + 1 == %m { yield after(%acc, %next, %o), %zero }
//!   yield after(%acc, %row, %o)                           else { yield %acc, %next }
//! }                                                     }
//! ```
//! Reductions over several dimensions, convolutions and contractions of tensors for example, are then one loop with steps of
//! any number to be tiled, and what they read is copied for steps that go over the ends of rows. The thesis on block and register
//! tiling has one loop (2.1); the joined one has its iterations in the order of the two.
//!
//! Where nothing is before and after, and the inner loop carries on what the outer one carries (`passes/flatten` makes such
//! loops of sums in sums), the joined loop is `yield f(%acc, %o, %i)`. An inner loop that starts with something of its row
//! chooses it at the first step of the row.
//!
//! Legality: both loops count from 0 by ones; the inner one's length is the same in all iterations, and not negative; it is
//! the only op with regions before its end. Code before it is pure or reads, so that it gives the same at each step of a row:
//! `%acc` does not change within it. Where there is code before or after, rows have at least one element
//! ([`are_positive`]): of an empty one the outer iteration is still made.

use crate::choice::branch;
use crate::tile::Refusal;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::is_pure;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::segop::SegMapOp;
use segra_std::arith::{self, CmpIPredicate};
use segra_std::scf::{ForOp, IfOp, YieldOp};

/// Most loops in each other that become one.
const MOST_LOOPS: usize = 8;

/// A loop with a loop in it.
struct Pair {
    outer: ForOp,
    inner: ForOp,
    before: Vec<Op>,
    after: Vec<Op>,
    /// Whether the inner loop does all there is to be done: it goes on with what the outer one carries.
    continued: bool,
}

impl Pair {
    fn of(ir: &Ir, outer: ForOp) -> Result<Pair, Refusal> {
        let refuse = |op: Op, reason: &str| Err(Refusal::new(op, reason));
        let body = outer.region_block(ir);
        let ops: Vec<Op> = ir.ops(body).collect();
        let found = ops
            .iter()
            .enumerate()
            .find_map(|(at, &op)| Some((at, ir.cast::<ForOp>(op)?)));
        let Some((at, inner)) = found else {
            return refuse(outer.op(), "has a loop without another one in it");
        };
        if !outer.counts_from_zero(ir) || !inner.counts_from_zero(ir) {
            return refuse(inner.op(), "has a loop that does not count from 0 by ones");
        }
        let (before, after) = (ops[..at].to_vec(), ops[at + 1..ops.len() - 1].to_vec());
        let harmless = |op: Op| ir.regions(op).is_empty() && (is_pure(ir, op) || Read::is(ir, op));
        if let Some(&op) = before.iter().find(|&&op| !harmless(op)) {
            return refuse(op, "has a loop with more than reads before the loop in it");
        }
        if after.iter().any(|&op| ir.isa::<ForOp>(op)) {
            return refuse(outer.op(), "has a loop with several loops in it");
        }
        let length = inner.upper_bound(ir);
        if length_slice(ir, body, length).is_none() {
            return refuse(inner.op(), "has a loop in it whose length differs");
        }
        let carried = &ir.block_args(body)[1..];
        let yielded = crate::tile::strip::yielded(ir, body);
        let continued =
            after.is_empty() && inner.init_args(ir) == carried && inner.results(ir) == yielded;
        let scalar = |value: &Value| ir.value_type(*value).is_scalar(ir.ctx());
        let inits = inner.init_args(ir);
        if !continued && !carried.iter().chain(&inits).all(scalar) {
            return refuse(outer.op(), "has a loop that carries arrays");
        }
        Ok(Pair {
            outer,
            inner,
            before,
            after,
            continued,
        })
    }
}

/// The pure ops of a block that a length comes from, in order; none where it differs between iterations.
fn length_slice(ir: &Ir, body: Block, length: Value) -> Option<Vec<Op>> {
    let mut found: Vec<Op> = Vec::new();
    let mut pending = vec![length];
    while let Some(value) = pending.pop() {
        if ir.value_block(value) != Some(body) {
            continue;
        }
        let op = ir.defining_op(value)?;
        if !is_pure(ir, op) || !ir.regions(op).is_empty() {
            return None;
        }
        if !found.contains(&op) {
            found.push(op);
            pending.extend(ir.operands(op));
        }
    }
    Some(ir.ops(body).filter(|op| found.contains(op)).collect())
}

/// The loop in a loop, if it is one that can be joined with it, and so on inwards.
fn chain(ir: &Ir, looped: ForOp) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let mut outer = looped;
    while pairs.len() + 1 < MOST_LOOPS
        && let Ok(pair) = Pair::of(ir, outer)
    {
        outer = pair.inner;
        pairs.push(pair);
    }
    pairs
}

/// The loops directly in a segmap's body.
fn loops(ir: &Ir, segmap: SegMapOp) -> Vec<ForOp> {
    ir.ops(segmap.body_block(ir))
        .filter_map(|op| ir.cast::<ForOp>(op))
        .collect()
}

/// Whether there are loops in loops of a segmap's body that can be joined, whatever their lengths.
fn has_pairs(ir: &Ir, segmap: SegMapOp) -> bool {
    loops(ir, segmap)
        .into_iter()
        .any(|looped| !chain(ir, looped).is_empty())
}

/// Lengths of inner loops that must be positive for a segmap's loops to be joined, without those that are known to be;
/// none where one of them is only known inside of the segmap, or known to be zero.
fn must_be_positive(ir: &Ir, segmap: SegMapOp) -> Option<Vec<Value>> {
    let mut lengths = Vec::new();
    for pair in loops(ir, segmap).into_iter().flat_map(|it| chain(ir, it)) {
        let length = pair.inner.upper_bound(ir);
        if pair.continued || ir.constant_int(length).is_some_and(|known| known > 0) {
            continue;
        }
        if ir.constant_int(length).is_some() || !is_outside(ir, length, segmap) {
            return None;
        }
        if !lengths.contains(&length) {
            lengths.push(length);
        }
    }
    Some(lengths)
}

/// Whether a value is known before a segmap.
fn is_outside(ir: &Ir, value: Value, segmap: SegMapOp) -> bool {
    let block = ir.value_block(value);
    let owner = block.and_then(|block| ir.block_parent(block));
    !owner.is_some_and(|owner| owner == segmap.op() || ir.is_inside(owner, segmap.op()))
}

/// Moves lengths of loops out of a segmap, as far as they are the same at all its points and pure.
fn hoist_lengths(ir: &mut Ir, segmap: SegMapOp) {
    if !has_pairs(ir, segmap) {
        return;
    }
    for op in ir.walk(segmap.op()).into_iter().skip(1) {
        let Some(looped) = ir.cast::<ForOp>(op) else {
            continue;
        };
        hoist(ir, segmap, looped.upper_bound(ir));
    }
}

/// Moves a value out of a segmap, if nothing in it depends on a point and all is pure.
fn hoist(ir: &mut Ir, segmap: SegMapOp, value: Value) {
    let mut found: Vec<Op> = Vec::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if is_outside(ir, value, segmap) {
            continue;
        }
        let Some(op) = ir.defining_op(value) else {
            return;
        };
        if !is_pure(ir, op) || !ir.regions(op).is_empty() {
            return;
        }
        found.retain(|&other| other != op);
        found.push(op);
        pending.extend(ir.operands(op));
    }
    // An op comes after those that it was found by.
    for op in found.into_iter().rev() {
        ir.move_before(op, segmap.op());
    }
}

/// Whether all lengths that [`must_be_positive`] names are, asked before a segmap; none where they are.
fn are_positive(ir: &mut Ir, segmap: SegMapOp) -> Option<Value> {
    let lengths = must_be_positive(ir, segmap)?;
    let mut b = Builder::before(ir, segmap.op());
    let mut all = None;
    for length in lengths {
        let zero = arith::ConstantOp::index(&mut b, 0);
        let positive = compare(&mut b, CmpIPredicate::Sgt, length, zero);
        all = Some(match all {
            None => positive,
            Some(all) => arith::AndIOp::build(&mut b, all, positive).result(b.ir),
        });
    }
    all
}

/// The answer of `ask` for a segmap whose loops in loops are joined, as far as they can be, and whether there are any; the
/// segmap stays as it is, but for lengths of loops that are now computed before it.
pub(crate) fn of_joined<T>(
    ir: &mut Ir,
    segmap: SegMapOp,
    ask: impl FnOnce(&mut Ir, SegMapOp) -> T,
) -> (T, bool) {
    hoist_lengths(ir, segmap);
    if !joins(ir, segmap) {
        return (ask(ir, segmap), false);
    }
    let copy = Builder::before(ir, segmap.op()).clone_op(segmap.op(), &mut Mapping::new());
    let copy = SegMapOp::from_op(copy);
    join_all(ir, copy);
    let found = ask(ir, copy);
    ir.erase_op(copy.op());
    (found, true)
}

/// Joins the loops in loops of a segmap, beside the segmap as it was where rows may be empty.
///
/// # Errors
/// There is none that can be joined.
pub fn join_loops(ir: &mut Ir, segmap: SegMapOp) -> Result<(), Refusal> {
    hoist_lengths(ir, segmap);
    if !joins(ir, segmap) {
        let found = loops(ir, segmap).into_iter().next();
        let refusal = found.and_then(|looped| Pair::of(ir, looped).err());
        let nothing = Refusal::new(
            segmap.op(),
            "has no loop in a loop that can be joined with it",
        );
        return Err(refusal.unwrap_or(nothing));
    }
    if let Some(full) = are_positive(ir, segmap) {
        branch(ir, segmap.op(), full);
    }
    join_all(ir, segmap);
    Ok(())
}

/// Whether [`join_all`] changes anything in a segmap.
fn joins(ir: &Ir, segmap: SegMapOp) -> bool {
    has_pairs(ir, segmap) && must_be_positive(ir, segmap).is_some()
}

/// Joins all loops in loops of a segmap's body, innermost first. How many pairs there were.
///
/// The lengths that [`are_positive`] asks for are positive.
fn join_all(ir: &mut Ir, segmap: SegMapOp) -> usize {
    let mut joined = 0;
    if !joins(ir, segmap) {
        return joined;
    }
    for looped in loops(ir, segmap) {
        let pairs = chain(ir, looped).len();
        for depth in (0..pairs).rev() {
            let outer = (0..depth).try_fold(looped, |outer, _| {
                Pair::of(ir, outer).map(|pair| pair.inner)
            });
            joined += usize::from(outer.and_then(|outer| join(ir, segmap, outer)).is_ok());
        }
    }
    joined
}

/// Joins a loop somewhere in a segmap with the loop in its body.
///
/// # Errors
/// See the legality above; the message says which of it fails.
pub fn join(ir: &mut Ir, segmap: SegMapOp, outer: ForOp) -> Result<ForOp, Refusal> {
    let pair = Pair::of(ir, outer)?;
    let body = outer.region_block(ir);
    let length = pair.inner.upper_bound(ir);
    for op in length_slice(ir, body, length).unwrap_or_default() {
        ir.move_before(op, outer.op());
    }
    // Without what has moved.
    Ok(Pair::of(ir, outer)?.build(ir, segmap))
}

impl Pair {
    /// How many iterations there are, before the segmap if it is known there.
    fn count(&self, ir: &mut Ir, segmap: SegMapOp) -> Value {
        let [outer, inner] = [self.outer, self.inner].map(|looped| looped.upper_bound(ir));
        let outside = is_outside(ir, outer, segmap) && is_outside(ir, inner, segmap);
        let at = if outside {
            segmap.op()
        } else {
            self.outer.op()
        };
        let mut b = Builder::before(ir, at);
        match (b.ir.constant_int(outer), b.ir.constant_int(inner)) {
            (Some(outer), Some(inner)) => {
                let count = outer.max(0).saturating_mul(inner.max(0));
                arith::ConstantOp::index(&mut b, count)
            }
            _ => {
                // Two negative lengths are no iterations.
                let lengths = [outer, inner].map(|length| {
                    let zero = arith::ConstantOp::index(&mut b, 0);
                    match b.ir.constant_int(length) {
                        Some(0..) => length,
                        _ => arith::MaxSIOp::build(&mut b, length, zero).result(b.ir),
                    }
                });
                arith::MulIOp::build(&mut b, lengths[0], lengths[1]).result(b.ir)
            }
        }
    }

    fn build(&self, ir: &mut Ir, segmap: SegMapOp) -> ForOp {
        let count = self.count(ir, segmap);
        let (outer, inner) = (self.outer, self.inner);
        let mut inits = outer.init_args(ir);
        let own = inits.len();
        let mut b = Builder::before(ir, outer.op());
        if !self.continued {
            for init in inner.init_args(b.ir) {
                inits.push(match self.is_of_row(b.ir, init) {
                    // Its first step says what it starts with.
                    true => zero(&mut b, init),
                    false => init,
                });
            }
        }
        let types: Vec<Type> = inits.iter().map(|&init| b.type_of(init)).collect();
        let (lower, step) = (outer.lower_bound(b.ir), outer.step(b.ir));
        let new = ForOp::builder()
            .lower_bound(lower)
            .upper_bound(count)
            .step(step)
            .init_args(&inits)
            .results_types(&types)
            .build(&mut b);
        let mut args = vec![b.type_of(lower)];
        args.extend(&types);
        let region = new.region(b.ir);
        b.build_block(region, &args, |b, args| {
            let next = self.step(b, args, own);
            YieldOp::build(b, &next);
        });
        let results = new.results(ir);
        ir.replace_op(outer.op(), &results[..own]);
        new
    }

    /// One iteration; `args`: its number, what the outer loop carries, what the inner one does.
    fn step(&self, b: &mut Builder<'_>, args: &[Value], own: usize) -> Vec<Value> {
        let (outer, inner) = (self.outer, self.inner);
        let length = inner.upper_bound(b.ir);
        let row = arith::DivUIOp::build(b, args[0], length).result(b.ir);
        let before = arith::MulIOp::build(b, row, length).result(b.ir);
        let at = arith::SubIOp::build(b, args[0], before).result(b.ir);
        let accumulators = &args[1..=own];
        let mut mapping = Mapping::new();
        let formal = b.ir.block_args(outer.region_block(b.ir)).to_vec();
        mapping.map(formal[0], row);
        mapping.map_all(&formal[1..], accumulators);
        for &op in &self.before {
            b.clone_op(op, &mut mapping);
        }
        let body = inner.region_block(b.ir);
        if self.continued {
            let mut values = vec![at];
            values.extend(accumulators);
            return b.clone_block_body(body, &values, &mut mapping);
        }
        let mut values = vec![at];
        for (init, &carried) in inner.init_args(b.ir).into_iter().zip(&args[own + 1..]) {
            values.push(match self.is_of_row(b.ir, init) {
                true => {
                    let zero = arith::ConstantOp::index(b, 0);
                    let first = compare(b, CmpIPredicate::Eq, at, zero);
                    let start = mapping.get(init);
                    arith::SelectOp::build(b, first, start, carried).result(b.ir)
                }
                false => carried,
            });
        }
        let made = b.clone_block_body(body, &values, &mut mapping);
        let one = arith::ConstantOp::index(b, 1);
        let end = arith::AddIOp::build(b, at, one).result(b.ir);
        let last = compare(b, CmpIPredicate::Eq, end, length);
        self.end_of_row(b, last, (accumulators, &made), mapping)
    }

    /// The values that are carried on: at the end of a row what comes after it, and what the next one starts with.
    fn end_of_row(
        &self,
        b: &mut Builder<'_>,
        last: Value,
        (accumulators, made): (&[Value], &[Value]),
        mut mapping: Mapping,
    ) -> Vec<Value> {
        let inits = self.inner.init_args(b.ir);
        let all = [accumulators, made].concat();
        let types: Vec<Type> = all.iter().map(|&value| b.type_of(value)).collect();
        let branch = IfOp::build(b, last, &types).op();
        let region = b.ir.region(branch, 0);
        b.build_block(region, &[], |b, _| {
            let results = self.inner.results(b.ir);
            mapping.map_all(&results, made);
            for &op in &self.after {
                b.clone_op(op, &mut mapping);
            }
            let yielded = crate::tile::strip::yielded(b.ir, self.outer.region_block(b.ir));
            let mut next = mapping.get_all(yielded);
            for (init, &made) in inits.into_iter().zip(made) {
                next.push(if self.is_of_row(b.ir, init) {
                    made
                } else {
                    init
                });
            }
            YieldOp::build(b, &next);
        });
        let region = b.ir.region(branch, 1);
        b.build_block(region, &[], |b, _| {
            YieldOp::build(b, &all);
        });
        b.ir.results(branch).collect()
    }

    /// Whether a value is one of the outer loop's iterations.
    fn is_of_row(&self, ir: &Ir, value: Value) -> bool {
        ir.value_block(value) == Some(self.outer.region_block(ir))
    }
}

fn compare(b: &mut Builder<'_>, predicate: CmpIPredicate, x: Value, y: Value) -> Value {
    let predicate = predicate.attr(b.ctx());
    arith::CmpIOp::build(b, predicate, x, y).result(b.ir)
}

/// A number of a value's type that is never used.
fn zero(b: &mut Builder<'_>, like: Value) -> Value {
    let ty = b.type_of(like);
    let ctx = b.ir.context();
    let attr = match ty.is_float(&ctx) {
        true => ctx.float_bits_attr(0, ty),
        false => ctx.int_attr(0, ty),
    };
    arith::ConstantOp::build(b, attr).result(b.ir)
}
