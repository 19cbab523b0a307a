//! Branches in bodies of combinators: on what is the same for all elements, around the combinator; on what differs, around
//! each element of the arrays they give.
//!
//! ```text
//! map (%x in %xs) { scf.if %b { f } else { g } }    =>   scf.if %b { map (%x in %xs) { f } } else { map (%x in %xs) { g } }
//!
//! map (%x in %xs, %row in %xss) {                        map (%x in %xs, %row in %xss) {
//!   %c = p(%x)                                             %c = p(%x)
//!   scf.if %c { map (%e in %row) { f } }            =>     map (%i in iota) { scf.if %c { f(%row[%i]) } else { %ys[%i] } } }
//!   else { %ys } }
//! ```
//!
//! The first leaves a nest of maps in each branch, decided once, on the host; the second makes a nest of maps of what each
//! point would do row by row. A scalar branch on a value of the host stays: all threads take one side of it.
//!
//! Conditions of the first: the condition is there before the outermost combinator, or is made by a few pure scalar ops of
//! what is; the branch holds combinators, or gives arrays; the combinator is small, since it is written twice. Of the
//! second: all that the branch gives are arrays of numbers, whose extents the types name; each side makes them by nests of
//! maps of numbers, joins, pads, turns them, or takes them from outside, and has beside only pure scalar ops, which go
//! before the branch. Elements are computed as often as before, and only on the side that is taken.

use crate::pieces::{MOST_DEPTH, Source, nest_over, source_of};
use crate::soac::Behaviour;
use rustc_hash::FxHashMap;
use segra_array::combinator::is_combinator;
use segra_array::types::{Size, sizes_and_element};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Block, Builder, Ir, Op, OpView, Region, Type, Value};
use segra_std::scf::{IfOp, YieldOp};

/// Operations of a combinator that is written twice, at most.
const MOST_OPS: usize = 120;
/// Operations that make a condition, at most.
const MOST_MOVED: usize = 12;
/// Combinators made of one, at most: each condition doubles them.
const MOST_COPIES: usize = 4;

// ---- on what is the same for all elements ----

/// Moves branches on values of the host out of combinators; how many.
pub(crate) fn around_combinators(ir: &mut Ir, root: Op) -> u64 {
    let outermost: Vec<Op> = ir
        .walk(root)
        .into_iter()
        .filter(|&op| is_combinator(ir, op) && !inside_combinator(ir, op))
        .collect();
    let mut moved = 0;
    for op in outermost {
        let mut pending = vec![op];
        let mut copies = 1;
        while let Some(op) = pending.pop() {
            if copies < MOST_COPIES
                && let Some(both) = around(ir, op)
            {
                pending.extend(both);
                (moved, copies) = (moved + 1, copies + 1);
            }
        }
    }
    moved
}

fn inside_combinator(ir: &Ir, op: Op) -> bool {
    ir.ancestors(op)
        .skip(1)
        .any(|around| is_combinator(ir, around))
}

/// A combinator in both sides of the first branch inside of it that the host can decide.
fn around(ir: &mut Ir, op: Op) -> Option<[Op; 2]> {
    let inside = ir.walk(op);
    if inside.len() > MOST_OPS {
        return None;
    }
    let (branch, made) = inside.iter().find_map(|&inner| {
        let branch = ir.cast::<IfOp>(inner)?;
        let parallel = ir.walk(inner).iter().any(|&op| is_combinator(ir, op));
        let arrays = ir.results(inner).any(|value| is_array(ir, value));
        let made = invariant(ir, branch.condition(ir), op).filter(|_| parallel || arrays)?;
        Some((branch, made))
    })?;
    made.into_iter().for_each(|made| ir.move_before(made, op));
    // Without what has moved: its copy has as many ops.
    let inside = ir.walk(op);
    let results: Vec<Value> = ir.results(op).collect();
    let types: Vec<Type> = results.iter().map(|&value| ir.value_type(value)).collect();
    let condition = branch.condition(ir);
    let outer = IfOp::build(&mut Builder::before(ir, op), condition, &types);
    let mut copies = Vec::new();
    for (side, region) in [outer.then_region(ir), outer.else_region(ir)]
        .into_iter()
        .enumerate()
    {
        let block = ir.add_block(region, &[]);
        let loc = ir.loc(op);
        let copy = Builder::at_end(ir, block, loc).clone_op(op, &mut Mapping::new());
        let twins: FxHashMap<Op, Op> = inside.iter().copied().zip(ir.walk(copy)).collect();
        let inner = *twins.get(&branch.op())?;
        let chosen = ir.region(inner, side);
        in_place_of(ir, inner, chosen);
        let values: Vec<Value> = ir.results(copy).collect();
        YieldOp::build(&mut Builder::at_end(ir, block, loc), &values);
        copies.push(copy);
    }
    let new: Vec<Value> = ir.results(outer.op()).collect();
    for (&old, &new) in results.iter().zip(&new) {
        if let Some(name) = ir.value_name(old) {
            ir.set_value_name(new, name);
        }
    }
    ir.replace_op(op, &new);
    <[Op; 2]>::try_from(copies).ok()
}

/// Puts what a region does in the place of its op.
fn in_place_of(ir: &mut Ir, branch: Op, region: Region) {
    let Some(block) = ir.entry_block(region) else {
        return;
    };
    let last = ir.last_op(block);
    let values: Vec<Value> = last
        .map(|last| ir.operands(last).collect())
        .unwrap_or_default();
    while let Some(op) = ir.first_op(block).filter(|&op| Some(op) != last) {
        ir.move_before(op, branch);
    }
    ir.replace_op(branch, &values);
}

/// The ops inside a combinator, in order, that make a value of what is there before it; `None` where it depends on
/// elements, or on what cannot move.
fn invariant(ir: &Ir, value: Value, combinator: Op) -> Option<Vec<Op>> {
    let (mut made, mut pending) = (Vec::new(), vec![value]);
    while let Some(value) = pending.pop() {
        if !ir.is_defined_inside(value, combinator) {
            continue;
        }
        let def = ir.defining_op(value).filter(|&def| floats(ir, def))?;
        if made.contains(&def) {
            continue;
        }
        if made.len() == MOST_MOVED {
            return None;
        }
        made.push(def);
        pending.extend(ir.operands(def));
    }
    // The operands of a value were found after it; an op found early may be needed by one found later.
    let mut ordered: Vec<Op> = Vec::new();
    while ordered.len() < made.len() {
        let ready = made.iter().copied().find(|op| {
            let needs = |value: Value| {
                ir.defining_op(value)
                    .is_some_and(|def| made.contains(&def) && !ordered.contains(&def))
            };
            !ordered.contains(op) && !ir.operands(*op).any(needs)
        })?;
        ordered.push(ready);
    }
    Some(ordered)
}

fn floats(ir: &Ir, op: Op) -> bool {
    ir.regions(op).is_empty() && is_pure(ir, op) && is_speculatable(ir, op)
}

fn is_array(ir: &Ir, value: Value) -> bool {
    crate::cost::is_array(ir, ir.value_type(value))
}

// ---- on what differs from element to element ----

/// Makes nests of maps of the arrays that branches in combinators give; the blocks where they stand, each once.
pub(crate) fn around_elements(ir: &mut Ir, root: Op) -> Vec<Block> {
    let mut blocks = Vec::new();
    let branches: Vec<Op> = ir
        .walk(root)
        .into_iter()
        .filter(|&op| ir.isa::<IfOp>(op))
        .collect();
    // Inner ones first: what they become is then part of a side.
    for op in branches.into_iter().rev() {
        let block = ir.block_of(op);
        if inside_combinator(ir, op)
            && by_element(ir, IfOp::from_op(op)).is_some()
            && let Some(block) = block
            && !blocks.contains(&block)
        {
            blocks.push(block);
        }
    }
    blocks
}

fn by_element(ir: &mut Ir, branch: IfOp) -> Option<()> {
    let op = branch.op();
    let results: Vec<Value> = ir.results(op).collect();
    let named = |value: &Value| {
        let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(*value));
        !sizes.is_empty() && !sizes.contains(&Size::Unknown)
    };
    if results.is_empty() || !results.iter().all(named) {
        return None;
    }
    let condition = branch.condition(ir);
    let sides = [branch.then_region(ir), branch.else_region(ir)];
    let [(then, first), (otherwise, second)] = [side(ir, op, sides[0])?, side(ir, op, sides[1])?];
    let parallel = first
        .iter()
        .chain(&second)
        .any(|source| source.branches() > 0)
        || !made_by(&first).is_empty()
        || !made_by(&second).is_empty();
    if !parallel {
        return None;
    }
    let sources: Vec<Source> = first
        .into_iter()
        .zip(second)
        .map(|sides| Source::Either(condition, Box::new([sides.0, sides.1])))
        .collect();
    if sources
        .iter()
        .any(|source| source.branches() > MOST_BRANCHES)
    {
        return None;
    }
    then.into_iter()
        .chain(otherwise)
        .for_each(|moved| ir.move_before(moved, op));
    let loc = ir.loc(op);
    let mut made = Vec::new();
    for (source, &result) in sources.into_iter().zip(&results) {
        let (place, extents) = source.settle(ir, op, loc);
        let new = nest_over(ir, op, &place, &extents, ir.value_type(result));
        if let Some(name) = ir.value_name(result) {
            ir.set_value_name(new, name);
        }
        made.push(new);
    }
    ir.replace_op(op, &made);
    Some(())
}

/// Branches for one element, at most.
const MOST_BRANCHES: usize = 4;

fn made_by(sources: &[Source]) -> Vec<Op> {
    let mut found = Vec::new();
    sources
        .iter()
        .for_each(|source| source.producers(&mut found));
    found
}

/// Where the arrays of a side come from, and the ops of it that go before the branch; `None` where it has others than
/// those and what makes the arrays.
fn side(ir: &Ir, branch: Op, region: Region) -> Option<(Vec<Op>, Vec<Source>)> {
    let block = ir.entry_block(region)?;
    let last = ir.last_op(block)?;
    let values: Vec<Value> = ir.operands(last).collect();
    let source = |value: Value| {
        let most = Behaviour::MayStop;
        match ir.is_defined_inside(value, branch) {
            true => source_of(ir, last, value, most, MOST_DEPTH),
            false => Some(Source::Array(value)),
        }
    };
    let sources: Vec<Source> = values.into_iter().map(source).collect::<Option<_>>()?;
    let gone = made_by(&sources);
    let moved: Vec<Op> = ir
        .ops(block)
        .filter(|&op| {
            op != last
                && !gone.contains(&op)
                && floats(ir, op)
                && !ir.results(op).any(|value| is_array(ir, value))
        })
        .collect();
    let mut used = Vec::new();
    sources.iter().for_each(|source| source.uses(&mut used));
    for &op in &gone {
        used.extend(ir.free_values(op));
    }
    let there = |value: Value| match ir.is_defined_inside(value, branch) {
        true => ir
            .defining_op(value)
            .is_some_and(|def| moved.contains(&def) || gone.contains(&def)),
        false => true,
    };
    let views = ir
        .ops(block)
        .filter(|op| *op != last && !gone.contains(op) && !moved.contains(op))
        .all(|op| ir.regions(op).is_empty() && is_pure(ir, op));
    let movable = moved.iter().all(|&op| ir.operands(op).all(there));
    (views && movable && used.into_iter().all(there)).then_some((moved, sources))
}
