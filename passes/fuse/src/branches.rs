//! Into branches, from behind: what reads an array that a branch gives is done in the branches, where what makes the array
//! is.
//!
//! ```text
//! %p = scf.if %c { map f; yield } else { yield %ys }        %r = scf.if %c { map f; map g; yield }
//! %r = array.map (%x in %p) { g }                       =>       else { map g over %ys; yield }
//! ```
//!
//! Conditions: nothing else uses the array; one of the branches makes it by a combinator that the reader may be fused
//! with; all else that the reader uses is there before the branch, or can be (constants, extents); the reader cannot stop
//! the program. It is small,
//! since it is written twice; it runs once, as before.

use crate::build::types_agree;
use crate::soac::{Behaviour, Soac, behaviour, fusible, has_parallelism};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_std::scf::{IfOp, YieldOp};

/// Operations of the reader, at most.
const MOST_OPS: usize = 40;
/// Views between the reader and what makes its elements, at most.
const MOST_VIEWS: usize = 16;
/// Ops that go before the branch, at most.
const MOST_MOVED: usize = 8;

/// Moves readers of a block into the branches before them; how many.
pub(crate) fn hand_back(ir: &mut Ir, block: Block) -> u64 {
    let mut moved = 0;
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        moved += u64::from(into_branches(ir, op));
    }
    moved
}

fn into_branches(ir: &mut Ir, op: Op) -> bool {
    let Some(reader) = fusible(ir, op) else {
        return false;
    };
    let Some(branch) = reader
        .arrays
        .iter()
        .find_map(|&array| branch_of(ir, op, array))
    else {
        return false;
    };
    let blocks =
        [branch.then_region(ir), branch.else_region(ir)].map(|region| ir.entry_block(region));
    let [Some(then), Some(otherwise)] = blocks else {
        return false;
    };
    let small = ir.walk(op).len() <= MOST_OPS;
    if !small || behaviour(ir, &reader) != Behaviour::Total {
        return false;
    }
    let Some(needed) = missing(ir, op, branch.op()) else {
        return false;
    };
    // Results of the branch that nothing but the reader uses are not results any more.
    let results: Vec<Value> = ir.results(branch.op()).collect();
    let gone: Vec<bool> = results
        .iter()
        .map(|&result| ir.has_uses(result) && ir.users(result).all(|user| user == op))
        .collect();
    let meets = |block: Block| {
        let Some(last) = ir.last_op(block) else {
            return false;
        };
        (0..results.len()).any(|at| {
            gone[at]
                && reader.arrays.contains(&results[at])
                && feeds(ir, &reader, ir.operand(last, at))
        })
    };
    if !meets(then) && !meets(otherwise) {
        return false;
    }
    needed
        .into_iter()
        .for_each(|op| ir.move_before(op, branch.op()));
    let kept: Vec<usize> = (0..results.len()).filter(|&at| !gone[at]).collect();
    let made: Vec<Value> = ir.results(op).collect();
    let types: Vec<Type> = kept
        .iter()
        .map(|&at| results[at])
        .chain(made.iter().copied())
        .map(|value| ir.value_type(value))
        .collect();
    let condition = branch.condition(ir);
    let new = IfOp::build(&mut Builder::before(ir, branch.op()), condition, &types);
    for (block, region) in [
        (then, new.then_region(ir)),
        (otherwise, new.else_region(ir)),
    ] {
        ir.detach_block(block);
        ir.append_block(region, block);
        let Some(last) = ir.last_op(block) else {
            continue;
        };
        let yielded: Vec<Value> = ir.operands(last).collect();
        let mut mapping = Mapping::new();
        mapping.map_all(&results, &yielded);
        let copy = Builder::before(ir, last).clone_op(op, &mut mapping);
        let values: Vec<Value> = kept
            .iter()
            .map(|&at| yielded[at])
            .chain(ir.results(copy))
            .collect();
        YieldOp::build(&mut Builder::before(ir, last), &values);
        ir.erase_op(last);
    }
    let fresh: Vec<Value> = ir.results(new.op()).collect();
    for (index, &at) in kept.iter().enumerate() {
        rename(ir, results[at], fresh[index]);
    }
    for (&old, &new) in made.iter().zip(&fresh[kept.len()..]) {
        rename(ir, old, new);
    }
    ir.erase_op(op);
    ir.erase_op(branch.op());
    true
}

fn rename(ir: &mut Ir, old: Value, new: Value) {
    if let Some(name) = ir.value_name(old) {
        ir.set_value_name(new, name);
    }
    ir.replace_all_uses(old, new);
}

/// The branch before `op`, in its block, that gives an array nothing else uses.
fn branch_of(ir: &Ir, op: Op, array: Value) -> Option<IfOp> {
    let branch = ir.cast::<IfOp>(ir.defining_op(array)?)?;
    let here =
        ir.block_of(branch.op()) == ir.block_of(op) && ir.users(array).all(|user| user == op);
    here.then_some(branch)
}

/// Whether a combinator where it stands makes an array for nobody else, as it is or seen through views, and may be one op
/// with the reader.
fn feeds(ir: &Ir, reader: &Soac, array: Value) -> bool {
    let mut pending = vec![array];
    for _ in 0..MOST_VIEWS {
        let Some(array) = pending.pop().filter(|&array| ir.has_one_use(array)) else {
            continue;
        };
        let Some(producer) = ir.defining_op(array) else {
            continue;
        };
        match is_view(ir, producer) {
            true if ir.op_name_str(producer) == "array.concat" => {
                pending.extend(ir.operands(producer))
            }
            true => pending.push(ir.operand(producer, 0)),
            false if makes(ir, reader, producer, array) => return true,
            false => {}
        }
    }
    false
}

/// Whether an op is a combinator that stores an array and may be one op with the reader.
fn makes(ir: &Ir, reader: &Soac, producer: Op, array: Value) -> bool {
    fusible(ir, producer).is_some_and(|producer| {
        producer.stored(ir).any(|made| made == array)
            && producer.flavour.stores()
            && producer.flavour.join(reader.flavour).is_some()
            && types_agree(ir, &producer)
            && !has_parallelism(ir, &producer)
    })
}

/// Ops that must stand before a branch of its block, so that all is there that an op uses and the branch does not give;
/// in order. `None`: it needs others than constants, extents and what is made of them.
fn missing(ir: &Ir, op: Op, branch: Op) -> Option<Vec<Op>> {
    let mut found: Vec<Op> = Vec::new();
    let given = |value: &Value| ir.defining_op(*value) == Some(branch);
    let mut pending: Vec<Value> = ir
        .operands(op)
        .chain(ir.free_values(op))
        .filter(|value| !given(value))
        .collect();
    while let Some(value) = pending.pop() {
        let Some(def) = ir.defining_op(value) else {
            continue;
        };
        let there = ir.block_of(def) != ir.block_of(branch) || ir.is_before(def, branch);
        if there || found.contains(&def) {
            continue;
        }
        let floats = def != branch
            && ir.regions(def).is_empty()
            && is_pure(ir, def)
            && is_speculatable(ir, def);
        if !floats || found.len() == MOST_MOVED {
            return None;
        }
        found.push(def);
        pending.extend(ir.operands(def));
    }
    found.sort_by(|&a, &b| {
        if ir.is_before(a, b) {
            std::cmp::Ordering::Less
        } else {
            std::cmp::Ordering::Greater
        }
    });
    Some(found)
}

/// Whether an op gives the elements of its first operand in another order, or some of them, or others beside.
fn is_view(ir: &Ir, op: Op) -> bool {
    matches!(
        ir.op_name_str(op),
        "array.concat"
            | "array.gather"
            | "array.pad"
            | "array.rearrange"
            | "array.reshape"
            | "array.reverse"
            | "array.slice"
    )
}
