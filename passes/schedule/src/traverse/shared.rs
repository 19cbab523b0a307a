//! Kernels whose nests share a choice of versions: one choice more, of all that they share.
//!
//! ```mlir
//! %x, %y = scf.if %top { ... } else { %x = kernel.segred ..., %y = kernel.segred ... }      // %x and %u are one kernel,
//! %u, %v = scf.if %top { ... } else { %u = kernel.segred ..., %v = kernel.segred ... }      // and so are %y and %v
//! ==>
//! %x, %y, %u, %v = scf.if (either kernel has its sizes) {
//!   the four nests, of which each kernel takes its own as those of any block
//! } else { both choices as they were }
//! ```
//! Where they cannot stand in one place, only the first kernel is made that takes part of a choice.

use crate::choice::{Answer, beside};
use crate::equal::Equal;
use crate::traverse::group::{Group, together};
use crate::traverse::member::Member;
use crate::traverse::sequence::Sequence;
use crate::traverse::{Kernels, asked, fuse_all, used_behind};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ir, Op, Value};

/// Kernels in sets that share no op of the block.
pub(super) fn clusters(sequence: &Sequence, kernels: Kernels) -> Vec<Kernels> {
    let mut found: Vec<(FxHashSet<Op>, Kernels)> = Vec::new();
    for (group, form) in kernels {
        let mut tops = tops(sequence, &group);
        let mut all = Vec::new();
        let mut others = Vec::new();
        for (its, kernels) in found {
            if its.is_disjoint(&tops) {
                others.push((its, kernels));
            } else {
                tops.extend(its);
                all.extend(kernels);
            }
        }
        all.push((group, form));
        others.push((tops, all));
        found = others;
    }
    found.into_iter().map(|row| row.1).collect()
}

/// The ops of the block that the nests of a group are in.
fn tops(sequence: &Sequence, group: &Group) -> FxHashSet<Op> {
    group.tops(sequence).into_iter().collect()
}

/// Adds the kernels of a set, each by the name of its number; how many nests each of those has that are made.
pub(super) fn fuse(
    ir: &mut Ir,
    sequence: &mut Sequence,
    kernels: &Kernels,
    named: &dyn Fn(usize) -> String,
) -> Vec<usize> {
    let mut made = Vec::new();
    if kernels.len() > 1
        && let Some((mut apart, kernels)) = side_by_side(ir, sequence, kernels, named)
    {
        for (number, (group, form)) in kernels.iter().enumerate() {
            if fuse_all(ir, &mut apart, group, form, &named(number)) > 0 {
                made.push(group.members.len());
            }
        }
        return made;
    }
    let mut taken: FxHashSet<Op> = FxHashSet::default();
    for (number, (group, form)) in kernels.iter().enumerate() {
        let tops = tops(sequence, group);
        if taken.is_disjoint(&tops) && fuse_all(ir, sequence, group, form, &named(number)) > 0 {
            made.push(group.members.len());
            taken.extend(tops);
        }
    }
    made
}

/// Puts a choice in the place of what kernels share, with their nests side by side in a block of its first branch; the sequence of
/// that block, and the kernels in it.
fn side_by_side(
    ir: &mut Ir,
    sequence: &mut Sequence,
    kernels: &Kernels,
    named: &dyn Fn(usize) -> String,
) -> Option<(Sequence, Kernels)> {
    let all = kernels.iter().flat_map(|(group, _)| tops(sequence, group));
    let mut members = kernels.iter().flat_map(|(group, _)| &group.members);
    let may_stop = members.any(|member| member.may_stop(ir));
    let (tops, later) = together(ir, sequence, all.collect(), may_stop)?;
    let &last = tops.last()?;
    let next = ir.next_op(last)?;
    let mut condition = Answer::Known(false);
    for (number, (group, form)) in kernels.iter().enumerate() {
        let any = asked(ir, last, (group, form), &named(number));
        condition = condition.or(any, &mut Builder::before(ir, last));
    }
    let condition = condition.value(&mut Builder::before(ir, last));
    for op in later {
        ir.move_before(op, next);
    }
    let results = used_behind(ir, &tops);
    let mut copies: FxHashMap<Op, Op> = FxHashMap::default();
    let loc = ir.loc(last);
    let (choice, _) = beside(ir, (last, condition), (&tops, &results), |ir, then| {
        let mut b = Builder::at_end(ir, then, loc);
        let mut mapping = Mapping::new();
        let items = sequence.items.iter();
        for item in items.filter(|item| tops.contains(&item.top) && !item.is_alias) {
            copies.insert(item.op, b.clone_op(item.op, &mut mapping));
            sequence.map_aliases(&mut mapping);
        }
        let image = |&value: &Value| mapping.get(sequence.resolve(value));
        Some(results.iter().map(image).collect())
    })?;
    let new = (0..results.len()).map(|number| ir.result(choice, number));
    sequence.put_into(choice, &tops, new.zip(results.iter().copied()));
    let then = ir.entry_block(ir.region(choice, 0))?;
    let copied = |group: &Group| -> Option<Group> {
        let copy = |member: &Member| Member::of(ir, *copies.get(&member.op)?);
        let members = group.members.iter().map(copy);
        let followers = group.followers.iter().map(|map| copies.get(map).copied());
        Some(Group {
            members: members.collect::<Option<_>>()?,
            followers: followers.collect::<Option<_>>()?,
        })
    };
    let kernels = kernels
        .iter()
        .map(|(group, form)| Some((copied(group)?, form.clone())));
    let kernels: Kernels = kernels.collect::<Option<_>>()?;
    Some((Sequence::of(ir, then, &Equal::default()), kernels))
}
