//! Simplification of the blocks of one region: branches past blocks that only branch, blocks merged into their only
//! predecessor, what a branch decided on is known behind it, arguments that always get the same value, blocks that are equal.
//!
//! A region is touched only if all its branches say what they hand to whom (`BranchLike`).

use super::branches::{BranchEdits, BranchInto, Branches, branches_of};
use super::constants::materialize_constant;
use rustc_hash::FxHasher;
use segra_ir::dominance::reverse_post_order;
use segra_ir::entity::NearMap;
use segra_ir::interfaces::{BranchLike, constant_of, values_behind};
use segra_ir::{Attr, Block, Builder, InsertPoint, Ir, Op, Region, Trait, Use, Value};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// The only successor of a branch that does nothing but hand all its operands on.
fn plain_branch(ir: &Ir, op: Op) -> Option<Block> {
    let &[to] = ir.successors(op) else {
        return None;
    };
    let model = ir.interface::<dyn BranchLike>(op)?;
    let plain = ir.has_trait(op, Trait::Pure)
        && model
            .forwarded(ir, op)
            .first()
            .is_some_and(|all| all.len() == ir.num_operands(op))
        && ir.num_results(op) == 0
        && ir.regions(op).is_empty();
    plain.then_some(to)
}

/// Makes branches to blocks that only branch go where those go. How many branches changed.
pub(crate) fn skip_pass_through(ir: &mut Ir, region: Region) -> u64 {
    let Some(entry) = ir.entry_block(region) else {
        return 0;
    };
    let says =
        |last: Op| ir.successors(last).is_empty() || ir.interface::<dyn BranchLike>(last).is_some();
    if !ir
        .blocks(region)
        .filter_map(|block| ir.last_op(block))
        .all(says)
    {
        return 0;
    }
    let (mut passed, mut changed) = (PassedThrough::default(), 0);
    // Targets first, so that each branch is redirected once.
    for block in reverse_post_order(ir, entry).into_iter().rev() {
        let Some(last) = ir.last_op(block) else {
            continue;
        };
        changed += go_past(ir, last, &passed);
        if block == entry || ir.first_op(block) != Some(last) {
            continue;
        }
        let Some(to) = plain_branch(ir, last).filter(|&to| to != block) else {
            continue;
        };
        // Its arguments must be used nowhere but in handing them on.
        let only_here = |&arg: &Value| ir.users(arg).all(|user| user == last);
        if ir.block_args(block).iter().all(only_here) {
            passed.insert(block, (to, ir.operands(last).collect()));
        }
    }
    // Back edges, and blocks that nothing leads to.
    let lasts: Vec<Op> = ir
        .blocks(region)
        .filter_map(|block| ir.last_op(block))
        .collect();
    changed
        + lasts
            .into_iter()
            .map(|last| go_past(ir, last, &passed))
            .sum::<u64>()
}

/// Blocks that only branch: where they go, and with what. Where one goes was none of them when it was found to be one:
/// to follow them comes to an end.
type PassedThrough = NearMap<Block, (Block, Vec<Value>)>;

/// Makes a branch go past blocks that only branch. How many of its ways changed.
fn go_past(ir: &mut Ir, branch: Op, passed: &PassedThrough) -> u64 {
    let (mut edits, mut changed) = (BranchEdits::default(), 0);
    for (index, &first) in ir.successors(branch).iter().enumerate() {
        let mut to = first;
        while let Some((next, values)) = passed.get(&to) {
            let Some(handed) = edits.handed(ir, branch, index) else {
                return 0;
            };
            *handed = values_behind(ir, to, handed, values.iter().copied());
            to = *next;
        }
        if to != first && edits.redirect(ir, branch, index, to) {
            changed += 1;
        }
    }
    edits.write(ir);
    changed
}

/// Where a branch's ways all lead to one block that nothing else leads to, the branch decides only between values.
/// How many branches changed.
pub(crate) fn join_successors(ir: &mut Ir, region: Region) -> u64 {
    let Some(branches) = branches_of(ir, region) else {
        return 0;
    };
    let mut changed = 0;
    let blocks: Vec<Block> = ir.blocks(region).collect();
    for block in blocks {
        let Some(list) = branches.get(&block).filter(|list| list.len() > 1) else {
            continue;
        };
        let branch = list[0].branch;
        if list.iter().any(|into| into.branch != branch) || ir.block_of(branch) == Some(block) {
            continue;
        }
        let Some(model) = ir.interface::<dyn BranchLike>(branch) else {
            continue;
        };
        if model.build_joined(&mut Builder::before(ir, branch), branch) {
            ir.erase_op(branch);
            changed += 1;
        }
    }
    changed
}

/// Merges blocks into their only predecessor where that goes nowhere else. How many went.
pub(crate) fn merge_into_predecessors(ir: &mut Ir, region: Region) -> u64 {
    let (Some(branches), Some(entry)) = (branches_of(ir, region), ir.entry_block(region)) else {
        return 0;
    };
    let mut merged = 0;
    // Predecessors first, so that each op moves once.
    for block in reverse_post_order(ir, entry).into_iter().skip(1) {
        let Some(&[BranchInto { branch, .. }]) = branches.get(&block).map(SmallVec::as_slice)
        else {
            continue;
        };
        // The branch may have moved along with the block it was in.
        let Some(from) = ir.block_of(branch).filter(|&from| from != block) else {
            continue;
        };
        if plain_branch(ir, branch) != Some(block) {
            continue;
        }
        let handed: Vec<Value> = ir.operands(branch).collect();
        ir.erase_op(branch);
        let args = ir.block_args(block).to_vec();
        for (arg, value) in args.into_iter().zip(handed) {
            ir.replace_all_uses(arg, value);
        }
        ir.move_ops_to_end(block, from);
        ir.erase_block(block);
        merged += 1;
    }
    merged
}

/// In a block that one branch leads to in one way, what that branch decided on is known: uses of it become a constant.
/// How many blocks changed.
pub(crate) fn propagate_decisions(ir: &mut Ir, region: Region) -> u64 {
    // The values other branches forward do not matter here, only where they lead.
    let mut branches: NearMap<Block, SmallVec<[(Op, usize); 2]>> = NearMap::default();
    for last in ir.blocks(region).filter_map(|block| ir.last_op(block)) {
        for (successor, &to) in ir.successors(last).iter().enumerate() {
            branches.entry(to).or_default().push((last, successor));
        }
    }
    let entry = ir.entry_block(region);
    let blocks: Vec<Block> = ir
        .blocks(region)
        .filter(|&block| Some(block) != entry)
        .collect();
    let mut decided: Vec<(Block, Op, Value, Attr)> = Vec::new();
    for block in blocks {
        let Some(&[(branch, successor)]) = branches.get(&block).map(SmallVec::as_slice) else {
            continue;
        };
        let implied = ir
            .interface::<dyn BranchLike>(branch)
            .and_then(|model| model.implied(ir, branch, successor));
        if let Some((value, constant)) = implied.filter(|row| constant_of(ir, row.0).is_none()) {
            decided.push((block, branch, value, constant));
        }
    }
    let mut uses = uses_in_blocks(ir, &decided);
    let mut changed = 0;
    for (block, branch, value, constant) in decided {
        let (Some(slots), Some(first)) = (uses.remove(&(value, block)), ir.first_op(block)) else {
            continue;
        };
        let (ty, loc) = (ir.value_type(value), ir.loc(branch));
        let mut b = Builder::new(ir, InsertPoint::Before(first), loc);
        let Some(made) = materialize_constant(&mut b, "arith", constant, ty) else {
            continue;
        };
        let known = ir.result(made, 0);
        slots.into_iter().for_each(|slot| ir.set_use(slot, known));
        changed += 1;
    }
    changed
}

/// The uses of decided values, by value and block; many branches may decide on one value, whose uses are gone through
/// once.
fn uses_in_blocks(
    ir: &Ir,
    decided: &[(Block, Op, Value, Attr)],
) -> NearMap<(Value, Block), Vec<Use>> {
    let mut values: Vec<Value> = decided.iter().map(|row| row.2).collect();
    values.sort_unstable();
    values.dedup();
    let mut uses: NearMap<(Value, Block), Vec<Use>> = NearMap::default();
    for value in values {
        for slot in ir.uses(value) {
            if let Some(block) = ir.block_of(ir.use_owner(slot)) {
                uses.entry((value, block)).or_default().push(slot);
            }
        }
    }
    uses
}

/// Drops arguments that get the same value from every branch (or themselves). How many went.
pub(crate) fn drop_redundant_args(ir: &mut Ir, region: Region) -> u64 {
    let Some(branches) = branches_of(ir, region) else {
        return 0;
    };
    let entry = ir.entry_block(region);
    let blocks: Vec<Block> = ir
        .blocks(region)
        .filter(|&block| Some(block) != entry)
        .collect();
    // First uses of arguments change, then the numbers of what is forwarded.
    let mut dropping: Vec<(Block, Vec<bool>)> = Vec::new();
    for block in blocks {
        let Some(list) = branches.get(&block) else {
            continue;
        };
        let args = ir.block_args(block).to_vec();
        let mut keep = vec![true; args.len()];
        for (index, &arg) in args.iter().enumerate() {
            let mut same: Option<Value> = None;
            let agree = list.iter().all(|into| {
                let value = ir.operand(into.branch, into.operands.start + index);
                value == arg || *same.get_or_insert(value) == value
            });
            // The value is defined before every branch to here, so it is here; only a value of a block that this one
            // does not lie behind could not be, and then not all branches could hand it on.
            if let Some(value) = same.filter(|_| agree) {
                ir.replace_all_uses(arg, value);
                keep[index] = false;
            }
        }
        if keep.contains(&false) {
            dropping.push((block, keep));
        }
    }
    drop_args(ir, &branches, &dropping)
}

/// Drops arguments of blocks, and what branches hand to them: those that are not kept. How many went.
pub(crate) fn drop_args(ir: &mut Ir, branches: &Branches, dropping: &[(Block, Vec<bool>)]) -> u64 {
    let mut edits = BranchEdits::default();
    for (block, keep) in dropping {
        for into in branches.get(block).map_or(&[][..], SmallVec::as_slice) {
            if let Some(handed) = edits.handed(ir, into.branch, into.successor) {
                let mut kept = keep.iter();
                handed.retain(|_| kept.next().is_none_or(|&kept| kept));
            }
        }
    }
    // Dropped arguments may be handed to dropped arguments: first nothing is forwarded.
    edits.write(ir);
    let retain = |(block, keep): &(Block, Vec<bool>)| {
        ir.retain_block_args(*block, |index| keep[index]) as u64
    };
    dropping.iter().map(retain).sum()
}

/// Merges blocks that are equal but for values they use, which become arguments. How many went.
pub(crate) fn merge_identical(ir: &mut Ir, region: Region) -> u64 {
    let Some(branches) = branches_of(ir, region) else {
        return 0;
    };
    let entry = ir.entry_block(region);
    let mut groups: NearMap<u64, Vec<Block>> = NearMap::default();
    let mut order = Vec::new();
    for block in ir.blocks(region).filter(|&block| Some(block) != entry) {
        if let Some(key) = shape_hash(ir, block).filter(|_| branches.contains_key(&block)) {
            let group = groups.entry(key).or_default();
            if group.is_empty() {
                order.push(key);
            }
            group.push(block);
        }
    }
    let (mut merged, mut edits) = (0, BranchEdits::default());
    for key in order {
        let Some(mut rest) = groups.remove(&key) else {
            continue;
        };
        while let Some((&leader, others)) = rest.split_first() {
            write_ends(ir, &rest, &mut edits);
            let (equal, unequal): (Vec<_>, Vec<_>) = others
                .iter()
                .copied()
                .partition(|&other| same_shape(ir, leader, other));
            merged += merge_group(ir, leader, &equal, &branches, &mut edits);
            rest = unequal;
        }
    }
    edits.write(ir);
    merged
}

/// Makes the changes of branches at the ends of some blocks, which are to be looked at or to go.
fn write_ends(ir: &mut Ir, blocks: &[Block], edits: &mut BranchEdits) {
    for &block in blocks {
        if let Some(last) = ir.last_op(block) {
            edits.write_one(ir, last);
        }
    }
}

/// A hash that mergeable blocks share; `None` for blocks that are never merged: with nested regions, or with values
/// that are used elsewhere.
fn shape_hash(ir: &Ir, block: Block) -> Option<u64> {
    let mut state = FxHasher::default();
    for &arg in ir.block_args(block) {
        ir.value_type(arg).hash(&mut state);
        used_only_in(ir, arg, block)?;
    }
    for op in ir.ops(block) {
        if !ir.regions(op).is_empty() {
            return None;
        }
        ir.op_name(op).hash(&mut state);
        ir.properties(op).hash(&mut state);
        ir.discardable_attrs(op).hash(&mut state);
        ir.successors(op).hash(&mut state);
        ir.num_operands(op).hash(&mut state);
        for result in ir.results(op) {
            ir.value_type(result).hash(&mut state);
            used_only_in(ir, result, block)?;
        }
    }
    Some(state.finish())
}

fn used_only_in(ir: &Ir, value: Value, block: Block) -> Option<()> {
    ir.users(value)
        .all(|user| ir.block_of(user) == Some(block))
        .then_some(())
}

/// Positions in a block, so that values of two blocks can be compared.
fn local_number(ir: &Ir, block: Block) -> NearMap<Value, usize> {
    let values = ir.block_args(block).iter().copied();
    let results = ir.ops(block).flat_map(|op| ir.results(op));
    values
        .chain(results)
        .enumerate()
        .map(|(index, value)| (value, index))
        .collect()
}

/// Whether two blocks differ at most in which values of the outside they use.
fn same_shape(ir: &Ir, a: Block, b: Block) -> bool {
    let (numbers_a, numbers_b) = (local_number(ir, a), local_number(ir, b));
    let types = |block: Block| -> Vec<_> {
        ir.block_args(block)
            .iter()
            .map(|&arg| ir.value_type(arg))
            .collect()
    };
    let (mut ops_a, mut ops_b) = (ir.ops(a), ir.ops(b));
    if types(a) != types(b) {
        return false;
    }
    loop {
        let (op_a, op_b) = match (ops_a.next(), ops_b.next()) {
            (None, None) => return true,
            (Some(op_a), Some(op_b)) => (op_a, op_b),
            _ => return false,
        };
        let result_types = |op: Op| ir.results(op).map(|value| ir.value_type(value));
        let same = ir.op_name(op_a) == ir.op_name(op_b)
            && ir.properties(op_a) == ir.properties(op_b)
            && ir.discardable_attrs(op_a) == ir.discardable_attrs(op_b)
            && ir.successors(op_a) == ir.successors(op_b)
            && ir.num_operands(op_a) == ir.num_operands(op_b)
            && result_types(op_a).eq(result_types(op_b))
            && ir.operands(op_a).zip(ir.operands(op_b)).all(|(x, y)| {
                numbers_a.get(&x) == numbers_b.get(&y) && ir.value_type(x) == ir.value_type(y)
            });
        if !same {
            return false;
        }
    }
}

/// Operands in which some block differs from the leader, by position in the block.
fn differing_operands(ir: &Ir, leader: Block, ops: &[Vec<Op>]) -> Vec<(usize, usize)> {
    let local = local_number(ir, leader);
    let mut differing: Vec<(usize, usize)> = Vec::new();
    for (row, &op) in ops[0].iter().enumerate() {
        for position in 0..ir.num_operands(op) {
            let value = ir.operand(op, position);
            let differs = |list: &Vec<Op>| ir.operand(list[row], position) != value;
            if !local.contains_key(&value) && ops[1..].iter().any(differs) {
                differing.push((row, position));
            }
        }
    }
    differing
}

/// Operands that differ in the same way are one argument: a column of values, one for each block. `None`: there are too many; one
/// more argument per difference is only worth it while there are few.
fn columns(
    ir: &Ir,
    ops: &[Vec<Op>],
    differing: &[(usize, usize)],
) -> Option<(Vec<Vec<Value>>, Vec<usize>)> {
    const MOST_NEW_ARGUMENTS: usize = 4;
    let mut columns: Vec<Vec<Value>> = Vec::new();
    let mut column_of: Vec<usize> = Vec::new();
    for &(row, position) in differing {
        let column = ops.iter().map(|list| ir.operand(list[row], position));
        let column: Vec<Value> = column.collect();
        let known = columns.iter().position(|other| *other == column);
        column_of.push(known.unwrap_or(columns.len()));
        if known.is_none() {
            columns.push(column);
        }
        if columns.len() > MOST_NEW_ARGUMENTS {
            return None;
        }
    }
    Some((columns, column_of))
}

/// Makes branches to `others` branches to `leader`; values they differ in become arguments of `leader`.
fn merge_group(
    ir: &mut Ir,
    leader: Block,
    others: &[Block],
    branches: &Branches,
    edits: &mut BranchEdits,
) -> u64 {
    if others.is_empty() {
        return 0;
    }
    let blocks: Vec<Block> = std::iter::once(leader)
        .chain(others.iter().copied())
        .collect();
    let ops: Vec<Vec<Op>> = blocks
        .iter()
        .map(|&block| ir.ops(block).collect())
        .collect();
    let differing = differing_operands(ir, leader, &ops);
    let Some((columns, column_of)) = columns(ir, &ops, &differing) else {
        return 0;
    };
    let sole = |block: &Block| {
        branches
            .get(block)
            .is_some_and(|list| list.iter().all(|into| ir.block_of(into.branch).is_some()))
    };
    if !std::iter::once(&leader).chain(others).all(sole) {
        return 0;
    }
    let first = columns.iter().map(|column| column[0]);
    let args: Vec<Value> = first
        .map(|value| ir.add_block_arg(leader, ir.value_type(value), ir.value_loc(value)))
        .collect();
    // Before positions in branches of the leader to itself change.
    for (&(row, position), &column) in differing.iter().zip(&column_of) {
        ir.set_operand(ops[0][row], position, args[column]);
    }
    for (which, block) in blocks.iter().enumerate() {
        for into in branches.get(block).map_or(&[][..], SmallVec::as_slice) {
            if let Some(handed) = edits.handed(ir, into.branch, into.successor) {
                handed.extend(columns.iter().map(|column| column[which]));
                edits.redirect(ir, into.branch, into.successor, leader);
            }
        }
    }
    // Some of the blocks may lead to one another.
    write_ends(ir, &blocks, edits);
    for &block in others {
        ir.erase_block(block);
    }
    others.len() as u64
}
