//! Operators: regions that combine one tuple of values with another, value by value.
//!
//! Their block has one argument per value of the left tuple, then one per value of the right one, and ends in an op whose
//! operands are the combined values. Most values need nothing but their own two arguments; those that need others belong
//! together (argmin: the place needs what the values are).
//!
//! An op that changes something or may stop the program (a check) belongs to all values, be it needed by one or by none:
//! an operator that has one is not taken apart.

use rustc_hash::FxHashSet;
use segra_ir::interfaces::{EffectKind, visit_effects};
use segra_ir::{Block, Ir, Op, Value, ValueDef};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// The numbers of an operator's values, those together that need each other's arguments; in order of the first of each.
pub fn independent_values(ir: &Ir, combine: Block) -> Vec<Vec<usize>> {
    let combined: Vec<Value> = ir
        .last_op(combine)
        .map(|last| ir.operands(last).collect())
        .unwrap_or_default();
    let values = combined.len();
    if values > 0 && !only_computes(ir, combine) {
        return vec![(0..values).collect()];
    }
    let mut group: Vec<usize> = (0..values).collect();
    for (index, &value) in combined.iter().enumerate() {
        for needed in Slice::of(ir, combine, &[value]).args {
            join(&mut group, &[index, needed % values]);
        }
    }
    grouped(&group)
}

/// Whether an operator does nothing but compute its values, reading what it needs.
pub fn only_computes(ir: &Ir, combine: Block) -> bool {
    ir.ops(combine)
        .all(|op| visit_effects(ir, op, &mut |(_, effect)| effect.kind == EffectKind::Read))
}

/// Makes the groups of some members one: that with the lowest number.
pub fn join(group: &mut [usize], members: &[usize]) {
    let numbers: Vec<usize> = members.iter().map(|&member| group[member]).collect();
    let joined = numbers.iter().copied().min().unwrap_or(0);
    group
        .iter_mut()
        .filter(|number| numbers.contains(number))
        .for_each(|number| *number = joined);
}

/// The members of each group, by the number of its group: in order.
pub fn grouped(group: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for (member, &number) in group.iter().enumerate() {
        match groups.iter_mut().find(|(known, _)| *known == number) {
            Some((_, members)) => members.push(member),
            None => groups.push((number, vec![member])),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// The inputs that some values of a block are computed from, inside it.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// Ops of the block, in order; what is inside of them counts with them.
    pub ops: Vec<Op>,
    /// Numbers of the block's arguments, in order.
    pub args: Vec<usize>,
}

impl Slice {
    /// The slice of some values that a block makes or gets; linear in its size, not the block's, but for the order.
    pub fn of(ir: &Ir, block: Block, values: &[Value]) -> Slice {
        let (mut seen, mut args) = (FxHashSet::default(), BTreeSet::new());
        let mut pending = values.to_vec();
        while let Some(value) = pending.pop() {
            match ir.value_def(value) {
                ValueDef::Argument {
                    block: owner,
                    index,
                } if owner == block => {
                    args.insert(index as usize);
                }
                ValueDef::Result { op, .. }
                    if ir.block_of(op) == Some(block) && seen.insert(op) =>
                {
                    pending.extend(ir.free_values(op));
                }
                _ => {}
            }
        }
        let mut ops: Vec<Op> = seen.into_iter().collect();
        ops.sort_unstable_by(|&a, &b| match a == b {
            true => Ordering::Equal,
            false if ir.is_before(a, b) => Ordering::Less,
            false => Ordering::Greater,
        });
        Slice {
            ops,
            args: args.into_iter().collect(),
        }
    }
}
