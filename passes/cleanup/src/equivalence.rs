//! When two ops compute the same: same name, attributes, result types, operands, and regions equal up to the names of
//! what they define. Operands of commutative ops are compared in any order.

use rustc_hash::{FxHashMap, FxHasher};
use segra_ir::{Block, Ir, Op, Trait, Value};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// A hash that equivalent ops share. Of regions only the ops directly inside count, by name.
pub(crate) fn hash(ir: &Ir, op: Op) -> u64 {
    let mut state = FxHasher::default();
    ir.op_name(op).hash(&mut state);
    ir.properties(op).hash(&mut state);
    ir.discardable_attrs(op).hash(&mut state);
    for result in ir.results(op) {
        ir.value_type(result).hash(&mut state);
    }
    sorted_operands(ir, op, &|value| value).hash(&mut state);
    for &region in ir.regions(op) {
        for block in ir.blocks(region) {
            ir.block_args(block).len().hash(&mut state);
            for nested in ir.ops(block) {
                ir.op_name(nested).hash(&mut state);
            }
        }
    }
    state.finish()
}

/// The operands under a renaming, in an order that does not matter where the op commutes.
fn sorted_operands(ir: &Ir, op: Op, rename: &dyn Fn(Value) -> Value) -> SmallVec<[Value; 4]> {
    let mut operands: SmallVec<[Value; 4]> = ir.operands(op).map(rename).collect();
    if operands.len() > 1 && ir.has_trait(op, Trait::Commutative) {
        operands.sort_unstable();
    }
    operands
}

/// Whether `a` and `b` compute the same wherever both see the same values.
pub(crate) fn equivalent(ir: &Ir, a: Op, b: Op) -> bool {
    if ir.regions(a).is_empty() && ir.regions(b).is_empty() {
        return same_shell(ir, a, b) && same_operands(ir, a, b, &Renaming::default());
    }
    // In lockstep over both, outer ops first: shapes and definitions, then uses, which may come before definitions.
    let mut renaming = Renaming::default();
    let mut pairs = vec![(a, b)];
    let mut at = 0;
    while let Some(&(a, b)) = pairs.get(at) {
        at += 1;
        if !same_shell(ir, a, b) || !pair_regions(ir, a, b, &mut renaming, &mut pairs) {
            return false;
        }
        if at > 1 {
            renaming.values.extend(ir.results(b).zip(ir.results(a)));
        }
    }
    pairs.iter().all(|&(a, b)| same_operands(ir, a, b, &renaming) && same_successors(ir, a, b, &renaming))
}

/// What inside the second op stands for what inside the first.
#[derive(Default)]
struct Renaming {
    values: FxHashMap<Value, Value>,
    blocks: FxHashMap<Block, Block>,
}

fn same_shell(ir: &Ir, a: Op, b: Op) -> bool {
    ir.op_name(a) == ir.op_name(b)
        && ir.properties(a) == ir.properties(b)
        && ir.discardable_attrs(a) == ir.discardable_attrs(b)
        && ir.num_operands(a) == ir.num_operands(b)
        && ir.successors(a).len() == ir.successors(b).len()
        && ir.results(a).map(|value| ir.value_type(value)).eq(ir.results(b).map(|value| ir.value_type(value)))
}

fn same_operands(ir: &Ir, a: Op, b: Op, renaming: &Renaming) -> bool {
    let rename = |value: Value| renaming.values.get(&value).copied().unwrap_or(value);
    sorted_operands(ir, a, &|value| value) == sorted_operands(ir, b, &rename)
}

fn same_successors(ir: &Ir, a: Op, b: Op, renaming: &Renaming) -> bool {
    let rename = |block: &Block| renaming.blocks.get(block).copied().unwrap_or(*block);
    ir.successors(b).iter().map(rename).eq(ir.successors(a).iter().copied())
}

/// Pairs blocks, arguments and ops of all regions; false where they do not match in number or type.
fn pair_regions(ir: &Ir, a: Op, b: Op, renaming: &mut Renaming, pairs: &mut Vec<(Op, Op)>) -> bool {
    if ir.regions(a).len() != ir.regions(b).len() {
        return false;
    }
    for (&of_a, &of_b) in ir.regions(a).iter().zip(ir.regions(b)) {
        let (mut blocks_a, mut blocks_b) = (ir.blocks(of_a), ir.blocks(of_b));
        loop {
            let (block_a, block_b) = match (blocks_a.next(), blocks_b.next()) {
                (None, None) => break,
                (Some(block_a), Some(block_b)) => (block_a, block_b),
                _ => return false,
            };
            let (args_a, args_b) = (ir.block_args(block_a), ir.block_args(block_b));
            let types =
                |args: &[Value]| args.iter().map(|&arg| ir.value_type(arg)).collect::<SmallVec<[_; 4]>>();
            if types(args_a) != types(args_b) {
                return false;
            }
            renaming.blocks.insert(block_b, block_a);
            renaming.values.extend(args_b.iter().copied().zip(args_a.iter().copied()));
            let (mut ops_a, mut ops_b) = (ir.ops(block_a), ir.ops(block_b));
            loop {
                match (ops_a.next(), ops_b.next()) {
                    (None, None) => break,
                    (Some(op_a), Some(op_b)) => pairs.push((op_a, op_b)),
                    _ => return false,
                }
            }
        }
    }
    true
}
