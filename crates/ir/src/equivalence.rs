//! When two ops compute the same: same name, attributes, result types, operands, and regions equal up to the names of
//! what they define. Operands of commutative ops are compared in any order.

use crate::{Attr, Block, Dict, EntityId, Ident, Ir, Op, Trait, Value};
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

/// Ops inside an op that its hash looks at. Enough to tell ops with regions from one another; a bound, so that hashing
/// ops around each other stays linear.
const HASHED: usize = 64;

/// A hash that equivalent ops share. Of regions the first [`HASHED`] ops count, with what they use from outside.
///
/// Ops that differ in the lowest bits of their latest operand get hashes that differ in the lowest bits: code mostly uses
/// values in the order in which they are defined, and a table of type [`crate::entity::NearMap`] keeps them together.
pub fn hash(ir: &Ir, op: Op) -> u64 {
    const NEAR: usize = 7;
    let mut state = FxHasher::default();
    hash_shell(ir, op, &mut state);
    let latest = ir.operands(op).max();
    for value in sorted_operands(ir, op, &|value| value) {
        let low = if Some(value) == latest { NEAR } else { 0 };
        (value.index() & !low).hash(&mut state);
    }
    if !ir.regions(op).is_empty() {
        hash_inside(ir, op, &mut state);
    }
    state.finish() & !(NEAR as u64) | latest.map_or(0, |value| value.index() & NEAR) as u64
}

fn hash_shell(ir: &Ir, op: Op, state: &mut FxHasher) {
    ir.op_name(op).hash(state);
    ir.properties(op).hash(state);
    ir.discardable_attrs(op).hash(state);
    for result in ir.results(op) {
        ir.value_type(result).hash(state);
    }
}

fn hash_inside(ir: &Ir, root: Op, state: &mut FxHasher) {
    let mut inside: SmallVec<[Op; HASHED]> = SmallVec::from_slice(&[root]);
    let mut numbers: FxHashMap<Value, usize> = FxHashMap::default();
    let mut at = 0;
    // Definitions first, outer ops first: a use may come before its definition.
    while let Some(&op) = inside.get(at) {
        at += 1;
        for &region in ir.regions(op) {
            for block in ir.blocks(region) {
                for &arg in ir.block_args(block) {
                    ir.value_type(arg).hash(state);
                    numbers.insert(arg, numbers.len());
                }
                for op in ir.ops(block).take(HASHED.saturating_sub(inside.len())) {
                    for result in ir.results(op) {
                        numbers.insert(result, numbers.len());
                    }
                    inside.push(op);
                }
            }
        }
    }
    for &op in &inside[1..] {
        hash_shell(ir, op, state);
        // A value defined beyond the bound has no number, but is not outside. That large ops read other values is what
        // mostly tells them from one another.
        hash_operands(ir, op, state, |value| match numbers.get(&value) {
            Some(&number) => Some(Operand::Inside(number)),
            None if inside.len() < HASHED || is_outside(ir, root, value) => {
                Some(Operand::Outside(value))
            }
            None => None,
        });
    }
}

/// Whether a value is known to be defined outside of an op. Where it takes too long to tell, that is the same for all
/// equivalent ops: they share what is outside, and what is inside is equally deep.
fn is_outside(ir: &Ir, root: Op, value: Value) -> bool {
    let mut block = ir.value_block(value);
    for _ in 0..HASHED {
        match block.and_then(|block| ir.block_parent(block)) {
            Some(around) if around == root => return false,
            Some(around) => block = ir.block_of(around),
            None => return true,
        }
    }
    false
}

/// The key of an operand where names inside do not count.
#[derive(Hash)]
enum Operand {
    /// The number of its definition.
    Inside(usize),
    Outside(Value),
}

/// Operands in order, or as a sum where the op commutes.
fn hash_operands(ir: &Ir, op: Op, state: &mut FxHasher, known: impl Fn(Value) -> Option<Operand>) {
    if !ir.has_trait(op, Trait::Commutative) {
        ir.operands(op).for_each(|value| known(value).hash(state));
        return;
    }
    let code = |value| {
        let mut own = FxHasher::default();
        known(value).hash(&mut own);
        own.finish()
    };
    ir.operands(op)
        .map(code)
        .fold(0u64, u64::wrapping_add)
        .hash(state);
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
///
/// ```
/// use segra_ir::equivalence::equivalent;
/// use segra_ir::{Builder, Context, Ir, Loc, OpState};
/// use std::sync::Arc;
///
/// let ctx = Arc::new(Context::new());
/// let mut ir = Ir::new(ctx.clone());
/// let index = ctx.index();
/// let block = ir.create_block(&[index, index]);
/// let [x, y] = [0, 1].map(|at| ir.block_args(block)[at]);
/// let mut of = |value| {
///     let mut state = OpState::new(ctx.op_name("my.twice"), Loc::UNKNOWN);
///     state.operands.push(value);
///     state.result_types = vec![index].into();
///     Builder::at_end(&mut ir, block, Loc::UNKNOWN).insert(state)
/// };
/// let [first, again, other] = [of(x), of(x), of(y)];
/// assert!(equivalent(&ir, first, again));
/// assert!(!equivalent(&ir, first, other));
/// ```
pub fn equivalent(ir: &Ir, a: Op, b: Op) -> bool {
    if ir.regions(a).is_empty() && ir.regions(b).is_empty() {
        return same_shell(ir, a, b) && same_operands(ir, a, b, &Renaming::default());
    }
    same_shell(ir, a, b) && same_inside(ir, a, b)
}

/// Whether two functions are equal but for the attributes `ignored`.
pub fn equivalent_bodies(ir: &Ir, a: Op, b: Op, ignored: &[Ident]) -> bool {
    ir.op_name(a) == ir.op_name(b)
        && others(ir, ir.properties(a), ignored).eq(others(ir, ir.properties(b), ignored))
        && others(ir, ir.discardable_attrs(a), ignored).eq(others(
            ir,
            ir.discardable_attrs(b),
            ignored,
        ))
        && same_inside(ir, a, b)
}

/// Hashes that functions share which [`equivalent_bodies`] finds equal: of all that it compares but successors and
/// definitions after their uses.
#[derive(Default)]
pub struct BodyHash {
    /// Memory used again from function to function.
    numbers: FxHashMap<Value, usize>,
}

impl BodyHash {
    /// The hash of a function; `seen` is told of every op of it.
    pub fn of(
        &mut self,
        ir: &Ir,
        function: Op,
        ignored: &[Ident],
        seen: &mut impl FnMut(Op),
    ) -> u64 {
        let mut state = FxHasher::default();
        let numbers = &mut self.numbers;
        numbers.clear();
        ir.walk_with(function, &mut |op| {
            seen(op);
            ir.op_name(op).hash(&mut state);
            if op == function {
                others(ir, ir.properties(op), ignored).for_each(|entry| entry.hash(&mut state));
                others(ir, ir.discardable_attrs(op), ignored)
                    .for_each(|entry| entry.hash(&mut state));
            } else {
                ir.properties(op).hash(&mut state);
                ir.discardable_attrs(op).hash(&mut state);
            }
            hash_operands(ir, op, &mut state, |value| {
                numbers.get(&value).copied().map(Operand::Inside)
            });
            let blocks = ir.regions(op).iter().flat_map(|&region| ir.blocks(region));
            for value in ir
                .results(op)
                .chain(blocks.flat_map(|block| ir.block_args(block).iter().copied()))
            {
                ir.value_type(value).hash(&mut state);
                numbers.insert(value, numbers.len());
            }
        });
        state.finish()
    }
}

/// The entries of a dictionary but those of these names.
fn others<'a>(
    ir: &'a Ir,
    dict: Dict,
    ignored: &'a [Ident],
) -> impl Iterator<Item = &'a (Ident, Attr)> {
    ir.ctx()
        .entries(dict)
        .iter()
        .filter(|entry| !ignored.contains(&entry.0))
}

/// Whether operands, successors and what is inside of two ops with equal shells agree.
fn same_inside(ir: &Ir, a: Op, b: Op) -> bool {
    // In lockstep over both, outer ops first: shapes and definitions, then uses, which may come before definitions.
    let mut renaming = Renaming::default();
    let mut pairs = vec![(a, b)];
    let mut at = 0;
    while let Some(&(a, b)) = pairs.get(at) {
        at += 1;
        if (at > 1 && !same_shell(ir, a, b)) || !pair_regions(ir, a, b, &mut renaming, &mut pairs) {
            return false;
        }
        if at > 1 {
            renaming.values.extend(ir.results(b).zip(ir.results(a)));
        }
    }
    pairs
        .iter()
        .all(|&(a, b)| same_operands(ir, a, b, &renaming) && same_successors(ir, a, b, &renaming))
}

/// The correspondence of values inside the two ops.
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
        && ir
            .results(a)
            .map(|value| ir.value_type(value))
            .eq(ir.results(b).map(|value| ir.value_type(value)))
}

fn same_operands(ir: &Ir, a: Op, b: Op, renaming: &Renaming) -> bool {
    let rename = |value: Value| renaming.values.get(&value).copied().unwrap_or(value);
    sorted_operands(ir, a, &|value| value) == sorted_operands(ir, b, &rename)
}

fn same_successors(ir: &Ir, a: Op, b: Op, renaming: &Renaming) -> bool {
    let rename = |block: &Block| renaming.blocks.get(block).copied().unwrap_or(*block);
    ir.successors(b)
        .iter()
        .map(rename)
        .eq(ir.successors(a).iter().copied())
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
            let types = |args: &[Value]| {
                args.iter()
                    .map(|&arg| ir.value_type(arg))
                    .collect::<SmallVec<[_; 4]>>()
            };
            if types(args_a) != types(args_b) {
                return false;
            }
            renaming.blocks.insert(block_b, block_a);
            renaming
                .values
                .extend(args_b.iter().copied().zip(args_a.iter().copied()));
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
