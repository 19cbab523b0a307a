//! Operators: regions that combine one tuple of values with another, value by value.
//!
//! Their block has one argument per value of the left tuple, then one per value of the right one, and ends in an op whose
//! operands are the combined values. Most values need nothing but their own two arguments; those that need others belong
//! together (argmin: the place needs what the values are).

use rustc_hash::FxHashSet;
use segra_ir::{Block, Ir, Op, Value};

/// The numbers of an operator's values, those together that need each other's arguments; in order of the first of each.
pub fn independent_values(ir: &Ir, combine: Block) -> Vec<Vec<usize>> {
    let combined: Vec<Value> =
        ir.last_op(combine).map(|last| ir.operands(last).collect()).unwrap_or_default();
    let values = combined.len();
    let mut group: Vec<usize> = (0..values).collect();
    for (index, &value) in combined.iter().enumerate() {
        for needed in Slice::of(ir, combine, &[value]).args {
            let (own, other) = (group[index], group[needed % values]);
            let joined = own.min(other);
            group.iter_mut().filter(|group| [own, other].contains(*group)).for_each(|group| *group = joined);
        }
    }
    grouped(&group)
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

/// What some values of a block are computed from, inside it.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// Ops of the block, in order; what is inside of them counts with them.
    pub ops: Vec<Op>,
    /// Numbers of the block's arguments, in order.
    pub args: Vec<usize>,
}

impl Slice {
    /// The slice of some values that a block makes or gets.
    pub fn of(ir: &Ir, block: Block, values: &[Value]) -> Slice {
        let mut needed: FxHashSet<Value> = values.iter().copied().collect();
        let mut ops: Vec<Op> = ir.ops(block).collect();
        // Uses come after what they use.
        ops.reverse();
        ops.retain(|&op| {
            let is_needed = ir.results(op).any(|result| needed.contains(&result));
            if is_needed {
                ir.walk_with(op, &mut |inner| needed.extend(ir.operands(inner)));
            }
            is_needed
        });
        ops.reverse();
        let args = ir.block_args(block).iter().enumerate();
        let args = args.filter(|(_, arg)| needed.contains(arg)).map(|(index, _)| index).collect();
        Slice { ops, args }
    }
}
