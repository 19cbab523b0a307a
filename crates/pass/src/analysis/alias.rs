//! Which memory values may be the same memory, and what an op may do to one.
//!
//! A view (`ViewLike`) is traced to what it is a view of, a loop's or branch's result to what is handed to it. Memory
//! that an op in sight allocates is apart from memory another one allocates and, as long as it does not escape, from
//! everything that comes from outside.

use rustc_hash::FxHashSet;
use segra_ir::interfaces::{
    BranchLike, EffectKind, RegionBranch, ViewLike, effects_of, own_effects, region_edges,
};
use segra_ir::{Ir, Op, Value, ValueDef};

/// How two memory values relate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AliasResult {
    /// No element of one is an element of the other.
    No,
    /// Nothing is known.
    May,
    /// They are the same memory, seen alike.
    Must,
}

/// The accesses of an op to memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ModRef {
    /// It may write it, or free it.
    pub modifies: bool,
    /// It may read it.
    pub reads: bool,
}

/// How two memory values relate.
pub fn alias(ir: &Ir, a: Value, b: Value) -> AliasResult {
    if a == b {
        return AliasResult::Must;
    }
    let (from_a, from_b) = (origins(ir, a), origins(ir, b));
    let apart = |x: Value, y: Value| x != y && is_apart(ir, x, y);
    if from_a.iter().all(|&x| from_b.iter().all(|&y| apart(x, y))) {
        AliasResult::No
    } else {
        AliasResult::May
    }
}

/// The accesses of `op`, with everything inside it, to the memory of `value`.
pub fn mod_ref(ir: &Ir, op: Op, value: Value) -> ModRef {
    let Some(effects) = effects_of(ir, op) else {
        return ModRef {
            modifies: true,
            reads: true,
        };
    };
    let mut found = ModRef::default();
    for effect in effects {
        if effect
            .on
            .is_some_and(|on| alias(ir, on, value) == AliasResult::No)
        {
            continue;
        }
        match effect.kind {
            EffectKind::Read => found.reads = true,
            EffectKind::Write | EffectKind::Free => found.modifies = true,
            EffectKind::Control => {
                found = ModRef {
                    modifies: true,
                    reads: true,
                }
            }
            EffectKind::Allocate | EffectKind::Stop => {}
        }
    }
    found
}

/// The values a memory value may come from: allocations, arguments, and what cannot be traced.
fn origins(ir: &Ir, value: Value) -> FxHashSet<Value> {
    let mut found = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        match sources(ir, value) {
            Some(sources) => pending.extend(sources),
            None => {
                found.insert(value);
            }
        }
    }
    found
}

/// The sources of a value: the base of a view, the values that branches and structured ops forward. `None`: it is an origin.
fn sources(ir: &Ir, value: Value) -> Option<Vec<Value>> {
    let owner = match ir.value_def(value) {
        ValueDef::Result { op, .. } => {
            if let Some(view) = ir.interface::<dyn ViewLike>(op) {
                return Some(vec![view.source(ir, op)]);
            }
            op
        }
        ValueDef::Argument { block, index } => {
            let region = ir.block_region(block)?;
            if ir.entry_block(region) != Some(block) {
                return handed_by_branches(ir, region, block, index as usize);
            }
            ir.region_parent(region)?
        }
    };
    ir.interface::<dyn RegionBranch>(owner)?;
    let mut handed = Vec::new();
    for edge in region_edges(ir, owner)? {
        if let Some(at) = edge.inputs.iter().position(|&input| input == value) {
            handed.push(ir.operand(edge.from, edge.operands.start + at));
        }
    }
    (!handed.is_empty()).then_some(handed)
}

fn handed_by_branches(
    ir: &Ir,
    region: segra_ir::Region,
    block: segra_ir::Block,
    index: usize,
) -> Option<Vec<Value>> {
    let mut handed = Vec::new();
    for last in ir.blocks(region).filter_map(|from| ir.last_op(from)) {
        if !ir.successors(last).contains(&block) {
            continue;
        }
        let ranges = ir.interface::<dyn BranchLike>(last)?.forwarded(ir, last);
        for (range, _) in ranges
            .iter()
            .zip(ir.successors(last))
            .filter(|row| *row.1 == block)
        {
            handed.push(ir.operand(last, range.start + index));
        }
    }
    Some(handed)
}

/// Whether two different origins are different memory.
fn is_apart(ir: &Ir, a: Value, b: Value) -> bool {
    match (is_allocated(ir, a), is_allocated(ir, b)) {
        (true, true) => true,
        (true, false) => !escapes(ir, a) || is_older(ir, b, a),
        (false, true) => !escapes(ir, b) || is_older(ir, a, b),
        (false, false) => false,
    }
}

fn is_allocated(ir: &Ir, value: Value) -> bool {
    let Some(op) = ir.defining_op(value) else {
        return false;
    };
    let effects = own_effects(ir, op).unwrap_or_default();
    effects
        .iter()
        .any(|effect| effect.kind == EffectKind::Allocate && effect.on == Some(value))
}

/// Whether `value` is an argument of an isolated op around the allocation: it was there before.
fn is_older(ir: &Ir, value: Value, allocated: Value) -> bool {
    let ValueDef::Argument { block, .. } = ir.value_def(value) else {
        return false;
    };
    let Some(owner) = ir.block_parent(block) else {
        return false;
    };
    let isolated = ir.has_trait(owner, segra_ir::Trait::IsolatedFromAbove);
    isolated
        && ir
            .defining_op(allocated)
            .is_some_and(|op| ir.is_inside(op, owner))
}

/// Whether memory becomes known to something that is no plain access or view of it.
fn escapes(ir: &Ir, value: Value) -> bool {
    let mut pending = vec![value];
    let mut seen = FxHashSet::default();
    while let Some(value) = pending.pop() {
        if !seen.insert(value) {
            continue;
        }
        for slot in ir.uses(value) {
            let user = ir.use_owner(slot);
            if ir.interface::<dyn ViewLike>(user).is_some() {
                pending.extend(ir.results(user));
                continue;
            }
            // An access has effects on the memory and hands it to nobody.
            let effects = own_effects(ir, user);
            let plain = effects
                .is_some_and(|effects| effects.iter().any(|effect| effect.on == Some(value)))
                && ir
                    .results(user)
                    .all(|result| ir.value_type(result) != ir.value_type(value))
                && ir
                    .operands(user)
                    .filter(|&operand| operand == value)
                    .count()
                    == 1;
            if !plain {
                return true;
            }
        }
    }
    false
}
