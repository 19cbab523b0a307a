//! A group taken apart: what its members combine along rows and along columns, and the elements that are stored.

use crate::traverse::element::Bodies;
use crate::traverse::group::Group;
use crate::traverse::member::{Kind, Member, Space, state};
use crate::traverse::sequence::Sequence;
use crate::traverse::tile::Shape;
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ir, Region, Value};
use segra_kernel::operator::is_commutative;
use segra_space::Target;

/// How many values that are combined, of so many bytes each, one nest takes after another: as many as a thread has registers for.
pub(super) fn in_nests(states: &[i64]) -> Vec<usize> {
    let (mut nests, mut held) = (Vec::new(), 0);
    for &state in states {
        match nests.last_mut() {
            Some(count) if held + state <= Target::CUDA.most_reduced_bytes => {
                *count += 1;
                held += state;
            }
            _ => {
                nests.push(1);
                held = state;
            }
        }
    }
    nests
}

/// The values that a member combines.
pub(super) struct Combined {
    pub(super) neutral: Vec<Value>,
    combine: Region,
    /// The values of its body.
    pub(super) values: Vec<Value>,
    /// The member's results that they become.
    pub(super) results: Vec<Value>,
}

impl Combined {
    pub(super) fn of(ir: &Ir, member: &Member) -> Option<Combined> {
        let mut values = member.returned(ir);
        values.truncate(member.neutral.len());
        Some(Combined {
            results: ir.results(member.op).take(values.len()).collect(),
            neutral: member.neutral.clone(),
            combine: member.combine?,
            values,
        })
    }

    /// Some in sets that one nest each can combine.
    pub(super) fn in_nests<'c>(ir: &Ir, all: &'c [Combined]) -> Vec<&'c [Combined]> {
        let states = all.iter().map(|combined| state(ir, &combined.neutral));
        let states: Vec<i64> = states.collect();
        let mut rest = all;
        let mut nests = Vec::new();
        for count in in_nests(&states) {
            let (these, others) = rest.split_at(count);
            nests.push(these);
            rest = others;
        }
        nests
    }

    /// The neutral elements of all of some, in order.
    pub(super) fn neutrals(all: &[Combined]) -> impl Iterator<Item = Value> + '_ {
        all.iter()
            .flat_map(|combined| combined.neutral.iter().copied())
    }

    /// `left` and `right`, combined.
    pub(super) fn apply(
        &self,
        b: &mut Builder<'_>,
        around: &Mapping,
        left: &[Value],
        right: &[Value],
    ) -> Vec<Value> {
        match b.ir.entry_block(self.combine) {
            Some(block) => b.clone_block_body(block, &[left, right].concat(), &mut around.clone()),
            None => Vec::new(),
        }
    }

    /// The values of some, one after another, combined each in its own way.
    pub(super) fn apply_all(
        b: &mut Builder<'_>,
        all: &[Combined],
        around: &Mapping,
        left: &[Value],
        right: &[Value],
    ) -> Vec<Value> {
        let (mut at, mut values) = (0, Vec::new());
        for combined in all {
            let these = at..at + combined.neutral.len();
            at = these.end;
            let (left, right) = (&left[these.clone()], &right[these]);
            values.extend(combined.apply(b, around, left, right));
        }
        values
    }
}

/// A value for each element.
pub(super) struct Stored {
    pub(super) value: Value,
    /// The result it is.
    pub(super) result: Value,
}

impl Stored {
    /// Those of a group that are needed elsewhere.
    pub(super) fn of(ir: &Ir, group: &Group, needed: &dyn Fn(Value) -> bool) -> Vec<Stored> {
        let mut stored = Vec::new();
        for member in &group.members {
            let of_element = member.returned(ir).into_iter().zip(ir.results(member.op));
            let of_element = of_element.skip(member.neutral.len());
            let of_element = of_element.filter(|row| needed(row.1));
            stored.extend(of_element.map(|(value, result)| Stored { value, result }));
        }
        stored
    }
}

/// A group, taken apart.
pub(super) struct Plan<'a> {
    pub(super) shape: Shape,
    pub(super) space: Space,
    /// The extent of the matrices along columns.
    pub(super) extent: Value,
    pub(super) bodies: Bodies,
    pub(super) columns: Vec<Combined>,
    pub(super) rows: Vec<Combined>,
    pub(super) stored: Vec<Stored>,
    /// Whether what columns are combined to is mapped right behind, by a follower of the group: their parts are combined last.
    pub(super) columns_last: bool,
    /// Whether a thread's columns follow each other, as operators on rows keep their order.
    pub(super) adjacent: bool,
    /// Whether a warp's rows follow each other, as operators on columns keep their order.
    pub(super) warps_first: bool,
    /// The image of values from outside of the members where the kernel stands.
    pub(super) around: &'a Mapping,
}

impl<'a> Plan<'a> {
    /// `needed` says which results of the members are used outside of the group.
    pub(super) fn new(
        ir: &Ir,
        (group, sequence): (&Group, &Sequence),
        shape: Shape,
        around: &'a Mapping,
        needed: &dyn Fn(Value) -> bool,
    ) -> Option<Plan<'a>> {
        let first = group.members.first()?;
        let of_kind = |kind: Kind| -> Vec<Combined> {
            let members = group.of_kind(kind);
            members
                .filter_map(|member| Combined::of(ir, member))
                .collect()
        };
        let stored = Stored::of(ir, group, needed);
        let rows = of_kind(Kind::Rows);
        let in_order = |combined: &Combined| !is_commutative(ir, combined.combine);
        let columns = of_kind(Kind::Columns);
        let warps_first = columns.iter().any(in_order);
        let shape = match warps_first && !stored.is_empty() {
            true => shape.in_one_step(),
            false => shape,
        };
        let of_columns = |value: &Value| {
            let mut columns = columns.iter();
            columns.any(|combined| combined.results.contains(value))
        };
        let followers = group.followers.iter();
        let columns_last = followers
            .flat_map(|&map| sequence.uses(ir, map))
            .any(|value| of_columns(&value));
        Some(Plan {
            columns_last,
            shape,
            warps_first,
            extent: first.space.rows?,
            space: first.space.clone(),
            bodies: Bodies::of(ir, group, sequence),
            columns,
            adjacent: rows.iter().any(in_order),
            rows,
            stored,
            around,
        })
    }
}
