//! Canonical forms that move blocks: the body of `scf.execute_region` becomes part of the function around it, what
//! `scf.while` only does when it goes on moves to its second region.
//!
//! Deliberately absent: a branch of `scf.while` is moved only from right before `scf.condition`.

use super::{ConditionOp, ExecuteRegionOp, IfOp, WhileOp, YieldOp};
use crate::cf::BranchOp;
use segra_ir::interfaces::{Callable, Canonicalize, Rewriter};
use segra_ir::{Block, InsertPoint, Ir, Op, OpView, Type, Value};

impl Canonicalize for ExecuteRegionOp {
    /// In a function, blocks of the region are blocks of the function.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = ExecuteRegionOp::from_op(op);
        let around = ir.parent_op(op).is_some_and(|parent| {
            ir.interface::<dyn Callable>(parent).is_some() || ir.isa::<ExecuteRegionOp>(parent)
        });
        let blocks: Vec<Block> = ir.blocks(view.region(ir)).collect();
        let (Some(parent), Some(before)) = (ir.parent_op(op), ir.block_of(op)) else {
            return false;
        };
        let (Some(&first), true) = (blocks.first(), around && view.no_inline_attr(ir).is_none())
        else {
            return false;
        };
        let yields: Vec<Op> = blocks
            .iter()
            .filter_map(|&block| ir.last_op(block))
            .filter(|&last| ir.isa::<YieldOp>(last))
            .collect();
        if blocks.len() == 1 && yields.len() == 1 {
            // The common rule of ops with regions inlines it without blocks around it.
            return false;
        }
        let results: Vec<(Type, segra_ir::Loc)> = ir
            .results(op)
            .map(|value| (ir.value_type(value), ir.value_loc(value)))
            .collect();
        let mut split: Option<(Block, Vec<Value>)> = None;
        rewriter.modify(parent, &mut |ir| {
            let rest = ir.split_block(op);
            for &block in &blocks {
                ir.detach_block(block);
                ir.insert_block_before(block, rest);
            }
            let args = results
                .iter()
                .map(|&(ty, loc)| ir.add_block_arg(rest, ty, loc))
                .collect();
            split = Some((rest, args));
        });
        let Some((rest, args)) = split else {
            return false;
        };
        for last in yields {
            let values: Vec<Value> = rewriter.ir().operands(last).collect();
            rewriter.build(last, |b| BranchOp::build(b, &values, rest));
            rewriter.erase_op(last);
        }
        let loc = rewriter.ir().loc(op);
        rewriter.build_at(InsertPoint::End(before), loc, &mut |b| {
            BranchOp::builder().dest(first).build(b);
        });
        rewriter.replace_op(op, &args);
        true
    }
}

/// The values a loop forwards to its next iteration are put in the order of its arguments, where the values are the same.
pub(super) fn align_arguments(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = WhileOp::from_op(op);
    let (before, after) = (view.before_block(ir), view.after_block(ir));
    let Some(end) = ir
        .last_op(before)
        .and_then(|last| ir.cast::<ConditionOp>(last))
    else {
        return false;
    };
    let given = ir.block_args(before).to_vec();
    let handed: Vec<Value> = end.args(ir).into_iter().collect();
    // For each value forwarded, its place among what is given: a permutation, and not the trivial one.
    let places: Option<Vec<usize>> = handed
        .iter()
        .map(|value| given.iter().position(|arg| arg == value))
        .collect();
    let Some(places) = places.filter(|places| places.len() == given.len()) else {
        return false;
    };
    let mut sorted = places.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.len() != places.len() || handed == given {
        return false;
    }
    let types: Vec<Type> = given.iter().map(|&value| ir.value_type(value)).collect();
    let new = build_like(rewriter, op, &types);
    let (old_before, old_after_args) = (
        view.before(rewriter.ir()),
        rewriter.ir().block_args(after).to_vec(),
    );
    rewriter.build(new.op(), |b| {
        let region = new.after(b.ir);
        b.build_block(region, &types, |_, _| {});
    });
    let new_args = rewriter
        .ir()
        .block_args(new.after_block(rewriter.ir()))
        .to_vec();
    for (&old, &place) in old_after_args.iter().zip(&places) {
        rewriter.replace_value(old, new_args[place]);
    }
    rewriter.modify(new.op(), &mut |ir| {
        let (region, target) = (new.before(ir), new.after_block(ir));
        ir.move_blocks(old_before, region);
        ir.move_ops_to_end(after, target);
        ir.set_operand_group(end.op(), 1, &given);
    });
    let results: Vec<Value> = rewriter.ir().results(new.op()).collect();
    let values: Vec<Value> = places.iter().map(|&place| results[place]).collect();
    rewriter.replace_op(op, &values);
    true
}

/// A loop with other results, given the same, right before `op`; its regions are empty.
fn build_like(rewriter: &mut dyn Rewriter, op: Op, types: &[Type]) -> WhileOp {
    let ir = rewriter.ir();
    let inits: Vec<Value> = WhileOp::from_op(op).inits(ir).into_iter().collect();
    let others = ir.discardable_attrs(op);
    let new = rewriter.build(op, |b| {
        WhileOp::builder()
            .inits(&inits)
            .results_types(types)
            .build(b)
    });
    rewriter.modify(new.op(), &mut |ir| {
        ir.set_discardable_attrs(new.op(), others)
    });
    new
}

/// The branch that ends a block, by the condition that the block forwards.
fn branch_at_end(ir: &Ir, block: Block) -> Option<(IfOp, ConditionOp)> {
    let end = ir.cast::<ConditionOp>(ir.last_op(block)?)?;
    let branch = ir.cast::<IfOp>(ir.prev_op(end.op())?)?;
    (branch.condition(ir) == end.condition(ir)).then_some((branch, end))
}

/// Moves the bodies of a loop to a new one, which forwards more values; what they are in the second body.
fn move_bodies(
    rewriter: &mut dyn Rewriter,
    (old, new): (WhileOp, WhileOp),
    end: ConditionOp,
    more: &[Value],
) -> Vec<Value> {
    let mut fresh: Vec<Value> = Vec::new();
    rewriter.modify(new.op(), &mut |ir| {
        let after = old.after_block(ir);
        let regions = [
            (old.before(ir), new.before(ir)),
            (old.after(ir), new.after(ir)),
        ];
        for (from, to) in regions {
            ir.move_blocks(from, to);
        }
        let loc = ir.loc(new.op());
        let add = |&value: &Value| ir.add_block_arg(after, ir.value_type(value), loc);
        fresh = more.iter().map(add).collect();
        let args = end.args(ir).into_iter().chain(more.iter().copied());
        let args: Vec<Value> = args.collect();
        ir.set_operand_group(end.op(), 1, &args);
    });
    fresh
}

/// Inside of a block, each second value stands for the first.
fn use_inside(
    rewriter: &mut dyn Rewriter,
    body: Block,
    pairs: impl Iterator<Item = (Value, Value)>,
) {
    for (value, arg) in pairs {
        let ir = rewriter.ir();
        let inside: Vec<(Op, usize)> = ir
            .uses(value)
            .map(|slot| (ir.use_owner(slot), ir.use_index(slot)))
            .filter(|&(user, _)| ir.ancestors(user).any(|at| ir.block_of(at) == Some(body)))
            .collect();
        for (user, index) in inside {
            rewriter.modify(user, &mut |ir| ir.set_operand(user, index, arg));
        }
    }
}

/// `if c { A }` right before `condition(c)` runs just when the loop goes on: A moves to the start of the second region.
pub(super) fn move_branch_down(rewriter: &mut dyn Rewriter, op: Op) -> bool {
    let ir = rewriter.ir();
    let view = WhileOp::from_op(op);
    let (before, after) = (view.before_block(ir), view.after_block(ir));
    let Some((branch, end)) = branch_at_end(ir, before) else {
        return false;
    };
    let yields = [branch.then_region(ir), branch.else_region(ir)]
        .map(|region| ir.entry_block(region).and_then(|block| ir.last_op(block)));
    let only_ends = |last: Op| {
        ir.block_of(last)
            .is_some_and(|block| ir.first_op(block) == Some(last))
    };
    let (Some(then_end), true) = (yields[0], yields[1].is_none_or(only_ends)) else {
        return false;
    };
    let Some(body) = ir.block_of(then_end) else {
        return false;
    };
    let results: Vec<Value> = ir.results(branch.op()).collect();
    let used_elsewhere = |&result: &Value| ir.users(result).any(|user| user != end.op());
    if results.iter().any(used_elsewhere) {
        return false;
    }
    let after_args = ir.block_args(after).to_vec();
    let handed: Vec<Value> = end.args(ir).into_iter().collect();
    let used = used_from(ir, body, before, branch.op());
    // Where the loop ends the else branch ran, and where it goes on the other one did.
    for (index, value) in handed.iter().enumerate() {
        let ir = rewriter.ir();
        let Some(place) = results.iter().position(|result| result == value) else {
            continue;
        };
        let Some(else_end) = yields[1] else { continue };
        let (yes, no) = (ir.operand(then_end, place), ir.operand(else_end, place));
        rewriter.replace_value(*value, no);
        rewriter.replace_value(after_args[index], yes);
    }
    let ir = rewriter.ir();
    let mut types: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
    types.extend(used.iter().map(|&value| ir.value_type(value)));
    let new = build_like(rewriter, op, &types);
    let fresh = move_bodies(rewriter, (view, new), end, &used);
    use_inside(rewriter, body, used.iter().copied().zip(fresh));
    rewriter.erase_op(then_end);
    match rewriter.ir().first_op(after) {
        Some(first) => rewriter.inline_block_before(body, first, &[]),
        None => return true,
    }
    rewriter.erase_op(branch.op());
    let ir = rewriter.ir();
    let values: Vec<Value> = ir.results(new.op()).take(ir.num_results(op)).collect();
    rewriter.replace_op(op, &values);
    true
}

/// Values of the block `before` that ops in `body` use, in the order of their first use; not those of `branch`.
fn used_from(ir: &Ir, body: Block, before: Block, branch: Op) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for op in ir.ops(body).flat_map(|op| ir.walk(op)) {
        for value in ir.operands(op) {
            let is_before =
                ir.value_block(value) == Some(before) && ir.defining_op(value) != Some(branch);
            if is_before && seen.insert(value) {
                found.push(value);
            }
        }
    }
    found
}
