//! Canonical forms of structured control flow, beyond what holds for every op with `RegionBranch` (which the drivers
//! know): branches on one condition, loops that run once in a dimension, loops that forward what is known.
//!
//! Selections replace branches only for numbers and vectors: memory and arrays keep their branches, so that later
//! analyses see where they come from. Deliberately absent: moving code across loops.

use super::canonical_while::{align_arguments, move_branch_down};
use super::{ConditionOp, ForOp, IfOp, ParallelOp, ReduceOp, ReduceReturnOp, WhileOp, YieldOp};
use crate::arith::{AndIOp, CmpIOp, ConstantOp, SelectOp, XOrIOp};
use rustc_hash::FxHashMap;
use segra_ir::interfaces::{Canonicalize, LoopLike, Rewriter, constant_of};
use segra_ir::{Block, Builder, Ir, Op, OpView, Region, Type, TypeKind, Value};

fn constant_truth(ir: &Ir, value: Value) -> Option<bool> {
    (ir.value_type(value) == ir.ctx().i1()).then_some(())?;
    constant_of(ir, value)?
        .as_integer(ir.ctx())
        .map(|bit| bit != 0)
}

/// The value whose negation `value` is.
fn negated(ir: &Ir, value: Value) -> Option<Value> {
    let xor = ir.cast::<XOrIOp>(ir.defining_op(value)?)?;
    (constant_truth(ir, xor.rhs(ir)) == Some(true)).then(|| xor.lhs(ir))
}

fn truth(b: &mut Builder<'_>, value: bool) -> Value {
    let attr = b.ctx().bool_attr(value);
    ConstantOp::build(b, attr).result(b.ir)
}

/// The one block of a region that only ends.
fn only_yields(ir: &Ir, region: Region) -> bool {
    ir.entry_block(region)
        .is_none_or(|block| ir.first_op(block) == ir.last_op(block))
}

fn yields(ir: &Ir, region: Region) -> Vec<Value> {
    let last = ir.entry_block(region).and_then(|block| ir.last_op(block));
    last.map_or(Vec::new(), |last| ir.operands(last).collect())
}

impl Canonicalize for IfOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        drop_empty_else(rewriter, op)
            || swap_branches(rewriter, op)
            || replace_condition_inside(rewriter, op)
            || merge_nested(rewriter, op).is_some()
            || replace_chosen_results(rewriter, op)
            || merge_row(rewriter, op)
    }
}

/// The results of a row of branches that are asked for, and what each way yields for them.
fn carried(
    ir: &Ir,
    row: &[(IfOp, Side)],
    ways: &[[Option<Block>; 2]],
) -> (Vec<Value>, [Vec<Value>; 2]) {
    let mut old: Vec<Value> = Vec::new();
    let mut values = [Vec::new(), Vec::new()];
    for (&(each, _), blocks) in row.iter().zip(ways) {
        let asked = |row: &(usize, Value)| ir.has_uses(row.1);
        for (index, result) in ir.results(each.op()).enumerate().filter(asked) {
            old.push(result);
            for (values, block) in values.iter_mut().zip(blocks) {
                let end = block.and_then(|block| ir.last_op(block));
                values.extend(end.map(|end| ir.operand(end, index)));
            }
        }
    }
    (old, values)
}

/// `if c { A } if c { B }` is `if c { A B }`, also where one asks for the negation. A row of any length is merged at once:
/// one by one, each merge would look at all that came before.
fn merge_row(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let row = row_around(rewriter.ir(), op);
    let ir = rewriter.ir();
    let Some(&(first, _)) = row.first().filter(|_| row.len() > 1) else {
        return false;
    };
    if row.iter().all(|(each, _)| each.op() != op) {
        return false;
    }
    // The blocks of each way; no block where there is no else.
    let ways: Vec<[Option<Block>; 2]> = row
        .iter()
        .map(|&(each, side)| {
            let mut ways =
                [each.then_region(ir), each.else_region(ir)].map(|region| ir.entry_block(region));
            if side == Side::Opposite {
                ways.swap(0, 1);
            }
            ways
        })
        .collect();
    if ways
        .iter()
        .flatten()
        .flatten()
        .any(|&block| ir.last_op(block).is_none())
    {
        return false;
    }
    know_results_inside(rewriter, &row, &ways);
    let ir = rewriter.ir();
    let (old, values) = carried(ir, &row, &ways);
    let types: Vec<Type> = old.iter().map(|&value| ir.value_type(value)).collect();
    let condition = first.condition(ir);
    let new = rewriter.build(op, |b| IfOp::build(b, condition, &types));
    let regions = [
        new.then_region(rewriter.ir()),
        new.else_region(rewriter.ir()),
    ];
    for (way, (region, values)) in regions.into_iter().zip(values).enumerate() {
        let blocks: Vec<Block> = ways.iter().filter_map(|blocks| blocks[way]).collect();
        join_blocks(rewriter, new.op(), region, &blocks, &values);
    }
    let results: Vec<Value> = new.results(rewriter.ir()).into_iter().collect();
    for (&old, &result) in old.iter().zip(&results) {
        rewriter.replace_value(old, result);
    }
    row.iter()
        .rev()
        .for_each(|(each, _)| rewriter.erase_op(each.op()));
    true
}

/// Whether a branch asks for the first one's condition or for its negation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Same,
    Opposite,
}

/// The branches right before and after `op`, itself included, that ask what the first of them asks.
fn row_around(ir: &Ir, op: Op) -> Vec<(IfOp, Side)> {
    let side = |first: Value, second: Value| {
        let opposite = negated(ir, second) == Some(first) || negated(ir, first) == Some(second);
        if first == second {
            Some(Side::Same)
        } else {
            opposite.then_some(Side::Opposite)
        }
    };
    let own = IfOp::from_op(op).condition(ir);
    let asks = |at: Option<Op>| {
        at.and_then(|at| ir.cast::<IfOp>(at))
            .filter(|at| side(own, at.condition(ir)).is_some())
    };
    let mut first = IfOp::from_op(op);
    while let Some(before) = asks(ir.prev_op(first.op())) {
        first = before;
    }
    let condition = first.condition(ir);
    let after = std::iter::successors(Some(first), |at| asks(ir.next_op(at.op())));
    after
        .map_while(|at| Some((at, side(condition, at.condition(ir))?)))
        .collect()
}

/// Makes blocks one block of an empty region of `op` that yields `values`.
fn join_blocks(
    rewriter: &mut dyn Rewriter,
    op: Op,
    region: Region,
    blocks: &[Block],
    values: &[Value],
) {
    let Some((&start, rest)) = blocks.split_first() else {
        return;
    };
    rewriter.modify(op, &mut |ir| {
        if let Some(from) = ir.block_region(start) {
            ir.move_blocks(from, region);
        }
    });
    let Some(end) = rewriter.ir().last_op(start) else {
        return;
    };
    for &block in rest {
        let last = rewriter.ir().last_op(block);
        rewriter.inline_block_before(block, end, &[]);
        last.into_iter().for_each(|last| rewriter.erase_op(last));
    }
    rewriter.build(end, |b| {
        YieldOp::build(b, values);
    });
    rewriter.erase_op(end);
}

/// Where a later branch of a row goes the way an earlier one went, results of the earlier are what that way yields.
fn know_results_inside(
    rewriter: &mut dyn Rewriter,
    row: &[(IfOp, Side)],
    ways: &[[Option<Block>; 2]],
) {
    let mut places: FxHashMap<Block, (usize, usize)> = FxHashMap::default();
    for (at, blocks) in ways.iter().enumerate() {
        let blocks = blocks.iter().enumerate();
        places.extend(blocks.filter_map(|(way, block)| Some(((*block)?, (at, way)))));
    }
    for (at, (each, _)) in row.iter().enumerate() {
        for index in 0..rewriter.ir().num_results(each.op()) {
            let ir = rewriter.ir();
            let uses: Vec<(Op, usize, usize)> = ir
                .uses(ir.result(each.op(), index))
                .filter_map(|slot| {
                    let user = ir.use_owner(slot);
                    let mut around = ir
                        .ancestors(user)
                        .filter_map(|op| places.get(&ir.block_of(op)?));
                    let &(later, way) = around.next()?;
                    (later > at).then(|| (user, ir.use_index(slot), way))
                })
                .collect();
            for (user, operand, way) in uses {
                let end = ways[at][way].and_then(|block| rewriter.ir().last_op(block));
                let Some(value) = end.map(|end| rewriter.ir().operand(end, index)) else {
                    continue;
                };
                rewriter.modify(user, &mut |ir| ir.set_operand(user, operand, value));
            }
        }
    }
}

fn drop_empty_else(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = IfOp::from_op(op);
    let Some(block) = ir.entry_block(view.else_region(ir)) else {
        return false;
    };
    let Some(last) = ir.last_op(block) else {
        return false;
    };
    if ir.num_results(op) > 0 || !only_yields(ir, view.else_region(ir)) || !ir.isa::<YieldOp>(last)
    {
        return false;
    }
    rewriter.erase_op(last);
    rewriter.modify(op, &mut |ir| ir.erase_block(block));
    true
}

/// `if not c then A else B` is `if c then B else A`.
fn swap_branches(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = IfOp::from_op(op);
    let (then, otherwise) = (view.then_region(ir), view.else_region(ir));
    let Some(condition) = negated(ir, view.condition(ir)).filter(|_| view.has_else(ir)) else {
        return false;
    };
    let (first, second) = (ir.entry_block(then), ir.entry_block(otherwise));
    let (Some(first), Some(second)) = (first, second) else {
        return false;
    };
    rewriter.modify(op, &mut |ir| {
        ir.detach_block(first);
        ir.detach_block(second);
        ir.append_block(then, second);
        ir.append_block(otherwise, first);
        ir.set_operand(op, 0, condition);
    });
    true
}

/// In its branches the condition is known.
fn replace_condition_inside(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = IfOp::from_op(op);
    let condition = view.condition(ir);
    if constant_truth(ir, condition).is_some() || ir.has_one_use(condition) {
        return false;
    }
    let mut changed = false;
    for (region, value) in [(view.then_region(ir), true), (view.else_region(ir), false)] {
        let ir = rewriter.ir();
        let inside = uses_inside(ir, condition, region);
        if inside.is_empty() {
            continue;
        }
        changed = true;
        let known = rewriter.build(op, |b| truth(b, value));
        for (user, index) in inside {
            rewriter.modify(user, &mut |ir| ir.set_operand(user, index, known));
        }
    }
    changed
}

/// The uses of a value inside a region: ops and their operands' numbers. Goes through the value's uses or the region's
/// ops, whatever ends first: one condition may have a million uses, one region a million ops.
fn uses_inside(ir: &Ir, value: Value, region: Region) -> Vec<(Op, usize)> {
    let mut uses = ir.uses(value);
    let mut found = Vec::new();
    let (mut inner, mut regions) = (Vec::new(), vec![region]);
    let mut block_ops: Vec<Op> = Vec::new();
    loop {
        let Some(slot) = uses.next() else {
            return found;
        };
        let (user, index) = (ir.use_owner(slot), ir.use_index(slot));
        if ir
            .ancestors(user)
            .any(|at| ir.block_of(at).and_then(|b| ir.block_region(b)) == Some(region))
        {
            found.push((user, index));
        }
        if block_ops.is_empty() {
            let Some(region) = regions.pop() else { break };
            block_ops.extend(ir.blocks(region).filter_map(|block| ir.first_op(block)));
        }
        if let Some(op) = block_ops.pop() {
            block_ops.extend(ir.next_op(op));
            regions.extend(ir.regions(op).iter().copied());
            inner.push(op);
        }
    }
    let operands = |op: Op| {
        ir.operands(op)
            .enumerate()
            .map(move |(index, operand)| (op, index, operand))
    };
    inner
        .into_iter()
        .flat_map(operands)
        .filter(|&(_, _, operand)| operand == value)
        .map(|(op, index, _)| (op, index))
        .collect()
}

/// Whether values of a type may be selected.
fn is_selectable(ir: &Ir, ty: Type) -> bool {
    let ctx = ir.ctx();
    ty.is_scalar(ctx) || matches!(ctx.type_kind(ty), TypeKind::Vector { .. })
}

/// Results that are the condition, its negation, or one of two values known before.
fn replace_chosen_results(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = IfOp::from_op(op);
    let condition = view.condition(ir);
    let (yes, no) = (
        yields(ir, view.then_region(ir)),
        yields(ir, view.else_region(ir)),
    );
    let rows: Vec<(Value, Value, Value)> = ir
        .results(op)
        .zip(yes.into_iter().zip(no))
        .map(|(result, (yes, no))| (result, yes, no))
        .collect();
    let mut changed = false;
    for (result, yes, no) in rows {
        let ir = rewriter.ir();
        if !ir.has_uses(result) || yes == no {
            continue;
        }
        let value = match (constant_truth(ir, yes), constant_truth(ir, no)) {
            (Some(true), Some(false)) => condition,
            (Some(false), Some(true)) => rewriter.build(op, |b| XOrIOp::not(b, condition)),
            _ if ir.is_defined_outside(yes, op)
                && ir.is_defined_outside(no, op)
                && is_selectable(ir, ir.value_type(result)) =>
            {
                rewriter.build(op, |b| SelectOp::build(b, condition, yes, no).result(b.ir))
            }
            _ => continue,
        };
        rewriter.replace_value(result, value);
        changed = true;
    }
    changed
}

/// A result of the outer branch, and what it is on either side.
type Chosen = (Value, Value, Value);

/// The results that the inner branch gives on one side, and those that it has nothing to do with; `None`: there are others.
fn nested_results(ir: &Ir, outer: IfOp, inner: IfOp) -> Option<[Vec<Chosen>; 2]> {
    let of = |branch: IfOp| [branch.then_region(ir), branch.else_region(ir)];
    let [yes, no] = of(outer).map(|region| yields(ir, region));
    let [inner_yes, inner_no] = of(inner).map(|region| yields(ir, region));
    let [mut merged, mut chosen] = [Vec::new(), Vec::new()];
    for ((result, yes), no) in ir.results(outer.op()).zip(yes).zip(no) {
        match ir.results(inner.op()).position(|value| value == yes) {
            Some(index) if inner_no[index] == no => merged.push((result, inner_yes[index], no)),
            None if is_selectable(ir, ir.value_type(yes)) => chosen.push((result, yes, no)),
            Some(_) | None => return None,
        }
    }
    Some([merged, chosen])
}

/// `if a { if b { X } }` is `if a and b { X }`, where nothing else stands in either.
fn merge_nested(rewriter: &mut dyn Rewriter, op: Op) -> Option<()> {
    let ir = rewriter.ir();
    let view = IfOp::from_op(op);
    let block = ir.entry_block(view.then_region(ir))?;
    let (nested, outer_yield) = (ir.first_op(block)?, ir.last_op(block)?);
    let inner = ir
        .cast::<IfOp>(nested)
        .filter(|_| ir.next_op(nested) == Some(outer_yield))?;
    if !only_yields(ir, view.else_region(ir)) || !only_yields(ir, inner.else_region(ir)) {
        return None;
    }
    let (outer_condition, inner_condition) = (view.condition(ir), inner.condition(ir));
    let [merged, chosen] = nested_results(ir, view, inner)?;
    let body = ir.entry_block(inner.then_region(ir))?;
    let inner_yield = ir.last_op(body)?;
    let types: Vec<Type> = merged.iter().map(|row| ir.value_type(row.0)).collect();
    let results: Vec<Value> = rewriter.build(op, |b| {
        let both = AndIOp::build(b, outer_condition, inner_condition).result(b.ir);
        let selected: Vec<Value> = chosen
            .iter()
            .map(|&(_, yes, no)| SelectOp::build(b, outer_condition, yes, no).result(b.ir))
            .collect();
        let new = IfOp::build(b, both, &types);
        if !merged.is_empty() {
            let region = new.else_region(b.ir);
            b.build_block(region, &[], |b, _| {
                let values: Vec<Value> = merged.iter().map(|row| row.2).collect();
                YieldOp::build(b, &values);
            });
        }
        let region = new.then_region(b.ir);
        b.build_block(region, &[], |b, _| {
            let values: Vec<Value> = merged.iter().map(|row| row.1).collect();
            YieldOp::build(b, &values);
        });
        new.results(b.ir).into_iter().chain(selected).collect()
    });
    let ir = rewriter.ir();
    let new = ir.prev_op(op).and_then(|new| ir.cast::<IfOp>(new));
    let target = new.and_then(|new| ir.last_op(new.then_region_block(ir)))?;
    rewriter.erase_op(inner_yield);
    rewriter.inline_block_before(body, target, &[]);
    for (row, value) in merged.iter().chain(&chosen).zip(results) {
        rewriter.replace_value(row.0, value);
    }
    rewriter.erase_op(op);
    Some(())
}

impl Canonicalize for ForOp {
    /// A loop that does nothing but forward what is known before it gives that, if it runs at all.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = ForOp::from_op(op);
        let runs = view.trip_count(ir, op).is_some_and(|trips| trips > 0);
        let values = yields(ir, view.region(ir));
        let known = only_yields(ir, view.region(ir))
            && values.iter().all(|&value| ir.is_defined_outside(value, op));
        if !runs || !known || values.is_empty() {
            return false;
        }
        rewriter.replace_op(op, &values);
        true
    }
}

impl Canonicalize for WhileOp {
    /// After the condition held, it is known to have held.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = WhileOp::from_op(op);
        let Some(last) = ir.last_op(view.before_block(ir)) else {
            return false;
        };
        let Some(condition) = ir.cast::<ConditionOp>(last) else {
            return false;
        };
        let held = condition.condition(ir);
        let after = ir.block_args(view.after_block(ir));
        let found: Vec<Value> = condition
            .args(ir)
            .into_iter()
            .zip(after)
            .filter(|&(value, &arg)| value == held && ir.has_uses(arg))
            .map(|row| *row.1)
            .collect();
        if found.is_empty() {
            return know_comparisons(rewriter, op, condition)
                || align_arguments(rewriter, op)
                || move_branch_down(rewriter, op);
        }
        let known = rewriter.build(op, |b| truth(b, true));
        for arg in found {
            rewriter.replace_value(arg, known);
        }
        true
    }
}

/// After a comparison held, the same one of what it was handed is known, and so is its opposite.
fn know_comparisons(rewriter: &mut dyn Rewriter, op: Op, condition: ConditionOp) -> bool {
    let ir = rewriter.ir();
    let Some(held) = ir
        .defining_op(condition.condition(ir))
        .and_then(|def| ir.cast::<CmpIOp>(def))
    else {
        return false;
    };
    let compared = [held.lhs(ir), held.rhs(ir)];
    let after = ir.block_args(WhileOp::from_op(op).after_block(ir));
    let mut known: Vec<(Op, bool)> = Vec::new();
    for (value, &arg) in condition.args(ir).into_iter().zip(after) {
        for side in (0..2).filter(|&side| compared[side] == value) {
            for user in ir.users(arg) {
                let Some(other) = ir.cast::<CmpIOp>(user) else {
                    continue;
                };
                let operands = [other.lhs(ir), other.rhs(ir)];
                if operands[side] != arg || operands[1 - side] != compared[1 - side] {
                    continue;
                }
                if other.predicate(ir) == held.predicate(ir) {
                    known.push((user, true));
                } else if other.predicate(ir) == held.predicate(ir).negated() {
                    known.push((user, false));
                }
            }
        }
    }
    known.retain(|&(user, _)| ir.value_type(ir.result(user, 0)) == ir.ctx().i1());
    known.dedup_by_key(|row| row.0);
    for &(user, holds) in &known {
        rewriter.replace_with(user, |b| [truth(b, holds)]);
    }
    !known.is_empty()
}

impl Canonicalize for ParallelOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        drop_short_dimensions(rewriter, op) || merge_nested_loops(rewriter, op)
    }
}

/// Dimensions of `scf.parallel`: bounds, step and argument of each.
#[derive(Clone, Copy)]
struct Dimension {
    lower: Value,
    upper: Value,
    step: Value,
    arg: Value,
}

fn dimensions(ir: &Ir, op: Op) -> Vec<Dimension> {
    let view = ParallelOp::from_op(op);
    let args = view.induction_vars(ir, op).into_iter();
    let bounds = view.bounds(ir, op).into_iter().zip(args);
    bounds
        .map(|(row, arg)| Dimension {
            lower: row.lower,
            upper: row.upper,
            step: row.step,
            arg,
        })
        .collect()
}

/// Iterations of a dimension, as far as it matters: none, one, or another number.
fn iterations(ir: &Ir, row: &Dimension) -> Option<u8> {
    if row.lower == row.upper {
        return Some(0);
    }
    let constant = |value| ir.constant_int(value);
    let length = constant(row.upper)?.checked_sub(constant(row.lower)?)?;
    match length {
        ..=0 => Some(0),
        _ if length <= constant(row.step)? => Some(1),
        _ => None,
    }
}

/// Without iterations the loop gives what its reductions start with; dimensions of one iteration are left out.
fn drop_short_dimensions(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = ParallelOp::from_op(op);
    let rows = dimensions(ir, op);
    let counts: Vec<Option<u8>> = rows.iter().map(|row| iterations(ir, row)).collect();
    if counts.contains(&Some(0)) {
        let inits = view.init_vals(ir);
        rewriter.replace_op(op, &inits);
        return true;
    }
    let short: Vec<Dimension> = rows
        .iter()
        .zip(&counts)
        .filter(|row| *row.1 == Some(1))
        .map(|row| *row.0)
        .collect();
    if short.is_empty() {
        return false;
    }
    for row in &short {
        rewriter.replace_value(row.arg, row.lower);
    }
    if short.len() == rows.len() {
        return inline_single_iteration(rewriter, op);
    }
    let kept: Vec<Dimension> = rows
        .iter()
        .zip(&counts)
        .filter(|row| *row.1 != Some(1))
        .map(|row| *row.0)
        .collect();
    rebuild(rewriter, op, op, &kept)
}

/// All dimensions have one iteration: the body stands in place of the loop, each reduction applied once.
fn inline_single_iteration(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = ParallelOp::from_op(op);
    let (block, inits) = (view.region_block(ir), view.init_vals(ir));
    let args: Vec<Value> = view.lower_bounds(ir).into_iter().collect();
    let Some(reduce) = ir.last_op(block).and_then(|last| ir.cast::<ReduceOp>(last)) else {
        return false;
    };
    rewriter.inline_block_before(block, op, &args);
    let ir = rewriter.ir();
    let bodies: Vec<Block> = reduce
        .reductions(ir)
        .iter()
        .filter_map(|&region| ir.entry_block(region))
        .collect();
    let given: Vec<Value> = reduce.operands(ir).into_iter().collect();
    let mut values = Vec::new();
    for ((body, init), given) in bodies.into_iter().zip(inits).zip(given) {
        let Some(last) = rewriter.ir().last_op(body) else {
            continue;
        };
        rewriter.inline_block_before(body, reduce.op(), &[init, given]);
        values.push(ReduceReturnOp::from_op(last).result(rewriter.ir()));
        rewriter.erase_op(last);
    }
    rewriter.erase_op(reduce.op());
    rewriter.replace_op(op, &values);
    true
}

/// Builds a loop over `rows` with the body of `from` in place of `op`, and the reductions' starts of `op`.
fn rebuild(rewriter: &mut dyn Rewriter, op: Op, from: Op, rows: &[Dimension]) -> bool {
    let ir = rewriter.ir();
    let view = ParallelOp::from_op(op);
    let (inits, results) = (view.init_vals(ir), super::types(ir, view.results(ir)));
    let body = ParallelOp::from_op(from).region_block(ir);
    let index = ir.ctx().index();
    let column = |of: fn(&Dimension) -> Value| rows.iter().map(of).collect::<Vec<Value>>();
    let (lower, upper, steps) = (
        column(|row| row.lower),
        column(|row| row.upper),
        column(|row| row.step),
    );
    let new = rewriter.build(op, |b| {
        let new = ParallelOp::builder()
            .lower_bounds(&lower)
            .upper_bounds(&upper)
            .steps(&steps)
            .init_vals(&inits)
            .results_types(&results)
            .build(b);
        let region = new.region(b.ir);
        b.build_block(region, &vec![index; rows.len()], |_, _| {});
        new
    });
    let ir = rewriter.ir();
    let target = new.region_block(ir);
    let args = ir.block_args(target).to_vec();
    for (row, &arg) in rows.iter().zip(&args) {
        rewriter.replace_value(row.arg, arg);
    }
    rewriter.modify(new.op(), &mut |ir| ir.move_ops_to_end(body, target));
    let values: Vec<Value> = new.results(rewriter.ir()).into_iter().collect();
    rewriter.replace_op(op, &values);
    true
}

/// A loop in a loop, with nothing else inside and no reduction, is one loop with the dimensions of both.
fn merge_nested_loops(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = ParallelOp::from_op(op);
    let block = view.region_block(ir);
    let (Some(first), Some(last)) = (ir.first_op(block), ir.last_op(block)) else {
        return false;
    };
    let Some(inner) = ir
        .cast::<ParallelOp>(first)
        .filter(|_| ir.next_op(first) == Some(last))
    else {
        return false;
    };
    let reduces = !view.init_vals(ir).is_empty() || !inner.init_vals(ir).is_empty();
    let depends = ir
        .operands(first)
        .any(|value| ir.block_args(block).contains(&value));
    if reduces || depends {
        return false;
    }
    let mut rows = dimensions(ir, op);
    rows.extend(dimensions(ir, first));
    rebuild(rewriter, op, first, &rows)
}
