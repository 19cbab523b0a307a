//! Which nests may be one kernel, and the place of that kernel in the program.

use crate::traverse::member::{Kind, Member, bytes_of};
use crate::traverse::sequence::{Sequence, is_nest};
use rustc_hash::FxHashSet;
use segra_ir::{Ir, Op, Trait, Value};
use segra_kernel::access::Read;
use std::cmp::Ordering;

/// Nests that one kernel is to run.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// In the order of the program.
    pub(super) members: Vec<Member>,
    /// Maps of what the members combine, which run where the kernel does, and become part of it later.
    pub(super) followers: Vec<Op>,
}

/// Where a group stands among the ops of its block.
pub(super) struct Place {
    /// The ops of the block that the group takes the place of.
    pub(super) tops: Vec<Op>,
    /// Ops between them that need the group's results.
    pub(super) later: Vec<Op>,
    /// The items that are members, by number.
    pub(super) numbers: Vec<usize>,
    /// Which items need a member's result.
    pub(super) dependents: Vec<bool>,
}

impl Group {
    /// Whether a kernel may run all members, and where it stands: a member needs of another one nothing but the element
    /// that it has made for the same point, and nothing that is made of its results.
    pub(super) fn place(&self, ir: &Ir, sequence: &Sequence) -> Option<Place> {
        let numbers: Vec<usize> = self
            .members
            .iter()
            .filter_map(|member| {
                let mut items = sequence.items.iter();
                items.position(|item| item.op == member.op)
            })
            .collect();
        if numbers.len() != self.members.len() {
            return None;
        }
        let dependents = sequence.dependents(&numbers);
        for (member, &number) in self.members.iter().zip(&numbers) {
            let needs = sequence.needs(number);
            let around = |&needed: &usize| dependents[needed] && !numbers.contains(&needed);
            if needs.iter().any(around) || !self.is_linked_only(ir, sequence, member) {
                return None;
            }
        }
        let may_stop = self.members.iter().any(|member| member.may_stop(ir));
        let (tops, later) = together(ir, sequence, self.tops(sequence), may_stop)?;
        Some(Place {
            tops,
            later,
            numbers,
            dependents,
        })
    }

    /// The ops of the block that its nests are in.
    pub(super) fn tops(&self, sequence: &Sequence) -> Vec<Op> {
        let members = self.members.iter().map(|member| member.op);
        let ops: FxHashSet<Op> = members.chain(self.followers.iter().copied()).collect();
        let items = sequence.items.iter().filter(|item| ops.contains(&item.op));
        items.map(|item| item.top).collect()
    }

    /// The same without followers, if it has any.
    pub(super) fn alone(&self) -> Option<Group> {
        (!self.followers.is_empty()).then(|| Group {
            members: self.members.clone(),
            followers: Vec::new(),
        })
    }

    /// Whether all that a member needs of the others is the element at hand of a matrix that one of them makes.
    fn is_linked_only(&self, ir: &Ir, sequence: &Sequence, member: &Member) -> bool {
        let made = |value: Value| self.maker(ir, sequence, value).is_some();
        ir.walk(member.op).into_iter().all(|inner| {
            let uses = ir.operands(inner).any(made);
            !uses
                || Read::of(ir, inner).is_some_and(|read| {
                    member.is_at_element(ir, read)
                        && self
                            .link(ir, sequence, read)
                            .is_some_and(|(maker, _)| maker.op != member.op)
                })
        })
    }

    /// The member that makes a value, and which of its results that is.
    fn maker(&self, ir: &Ir, sequence: &Sequence, value: Value) -> Option<(&Member, usize)> {
        let value = sequence.resolve(value);
        self.members.iter().find_map(|member| {
            let mut results = ir.results(member.op);
            let index = results.position(|result| result == value)?;
            Some((member, index))
        })
    }

    /// The member that makes the matrix that is read, and which of the values that its body returns is the element.
    pub(super) fn link(
        &self,
        ir: &Ir,
        sequence: &Sequence,
        read: Read,
    ) -> Option<(&Member, usize)> {
        let (maker, index) = self.maker(ir, sequence, read.tensor(ir))?;
        (index >= maker.neutral.len()).then_some((maker, index))
    }

    /// Whether a nest saves the group reading what it makes, or, where no columns are combined, either reads what the other does.
    pub(super) fn spares(&self, ir: &Ir, sequence: &Sequence, other: &Member) -> bool {
        let made: Vec<Value> = ir.results(other.op).skip(other.neutral.len()).collect();
        let columns = self.has(Kind::Columns) || other.kind == Kind::Columns;
        let wanted = if columns {
            Vec::new()
        } else {
            other.elements(ir, sequence)
        };
        self.members.iter().any(|member| {
            let mut read = member.elements(ir, sequence).into_iter();
            read.any(|elements| made.contains(&elements.0) || wanted.contains(&elements))
        })
    }

    /// Whether a nest saves reading a matrix where it is part of the group.
    pub(super) fn shares(&self, ir: &Ir, sequence: &Sequence, other: &Member) -> bool {
        let wanted = other.matrices(ir, sequence);
        self.members.iter().any(|member| {
            let made = ir.results(member.op).skip(member.neutral.len());
            let read = member.matrices(ir, sequence);
            read.into_iter()
                .chain(made)
                .any(|matrix| wanted.contains(&matrix))
        })
    }

    /// Bytes of the widest value that is combined.
    pub(super) fn widest(&self, ir: &Ir) -> i64 {
        let values = self.members.iter().flat_map(|member| &member.neutral);
        let bytes = values.map(|&value| bytes_of(ir, value));
        bytes.max().unwrap_or(4)
    }

    pub(super) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &Member> {
        let members = self.members.iter();
        members.filter(move |member| member.kind == kind)
    }

    pub(super) fn has(&self, kind: Kind) -> bool {
        self.of_kind(kind).next().is_some()
    }

    /// How many values members of a kind combine.
    pub(super) fn combined(&self, kind: Kind) -> usize {
        self.of_kind(kind).map(|member| member.neutral.len()).sum()
    }
}

/// Some ops of the block in order, each once, and the ops between them that have to come after them; none where they cannot stand in
/// one place, that of the last one. `may_stop` says whether they may stop the program.
pub(super) fn together(
    ir: &Ir,
    sequence: &Sequence,
    mut tops: Vec<Op>,
    may_stop: bool,
) -> Option<(Vec<Op>, Vec<Op>)> {
    in_order(ir, &mut tops);
    // An alias of what one of them makes goes with it where another one comes behind.
    let last = *tops.last()?;
    let items = sequence.items.iter().enumerate();
    for (number, item) in items.filter(|(_, item)| item.is_alias) {
        let is_of_them = |&needed: &usize| tops.contains(&sequence.items[needed].top);
        if ir.is_before(item.top, last) && sequence.needs(number).iter().any(is_of_them) {
            tops.push(item.top);
        }
    }
    in_order(ir, &mut tops);
    // Nests in one op of the block with a member run where the kernel does: before all that needs any of them.
    let items = || 0..sequence.items.len();
    let is_inside = |number: &usize| tops.contains(&sequence.items[*number].top);
    let inside: Vec<usize> = items().filter(is_inside).collect();
    let behind = sequence.dependents(&inside);
    let waits = |&number: &usize| {
        let mut needs = sequence.needs(number).iter();
        needs.any(|needed| behind[*needed] && !is_inside(needed))
    };
    if inside.iter().any(waits) {
        return None;
    }
    let later = later(ir, sequence, (&tops, &behind), may_stop)?;
    Some((tops, later))
}

/// Brings ops of a block into their order, each once.
fn in_order(ir: &Ir, ops: &mut Vec<Op>) {
    ops.sort_by(|&x, &y| match ir.is_before(x, y) {
        _ if x == y => Ordering::Equal,
        true => Ordering::Less,
        false => Ordering::Greater,
    });
    ops.dedup();
}

/// The ops between some ops that have to come after them; none where one cannot.
fn later(
    ir: &Ir,
    sequence: &Sequence,
    (tops, behind): (&[Op], &[bool]),
    may_stop: bool,
) -> Option<Vec<Op>> {
    let (&first, &last) = (tops.first()?, tops.last()?);
    let items = sequence.items.iter().zip(behind);
    let depending: FxHashSet<Op> = items.filter(|row| *row.1).map(|row| row.0.top).collect();
    let mut later = Vec::new();
    let mut at = ir.next_op(first).filter(|_| first != last);
    while let Some(op) = at.filter(|&op| op != last) {
        at = ir.next_op(op);
        if tops.contains(&op) {
            continue;
        }
        let depends = depending.contains(&op);
        let moves = ir.has_trait(op, Trait::Pure) && ir.regions(op).is_empty();
        let stays = !moves && !is_nest(ir, op) && !sequence.stands_for_others(op);
        if stays && (may_stop || depends) {
            return None;
        }
        if depends {
            later.push(op);
        }
    }
    Some(later)
}
