//! The code of members at the elements that a thread has at once.
//!
//! An op of a body depends on the element's row, on its column, on both or on neither. Values of neither are computed
//! once, those of the row once for each row of a thread; what depends on the column is the same for all rows that a
//! thread iterates over and computed before ([`Columns`]); the rest for each element.

use crate::traverse::group::Group;
use crate::traverse::member::Member;
use crate::traverse::sequence::Sequence;
use rustc_hash::FxHashMap;
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ir, Op, Value};
use segra_kernel::access::Read;
use std::ops::BitOr;

/// On which indices of an element a value depends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct On {
    row: bool,
    column: bool,
}

impl On {
    const ROW: On = On {
        row: true,
        column: false,
    };
    const COLUMN: On = On {
        row: false,
        column: true,
    };
    const BOTH: On = On {
        row: true,
        column: true,
    };
    const NONE: On = On {
        row: false,
        column: false,
    };
}

impl BitOr for On {
    type Output = On;
    fn bitor(self, other: On) -> On {
        On {
            row: self.row || other.row,
            column: self.column || other.column,
        }
    }
}

/// An op of a member's body.
struct Step {
    op: Op,
    on: On,
    /// The read of what another member makes at the same element: its value there.
    link: Option<Value>,
}

/// The ops of all members' bodies, in order.
pub(super) struct Bodies {
    steps: Vec<Step>,
    rows: Vec<Value>,
    columns: Vec<Value>,
    outer: Vec<Vec<Value>>,
    /// Values that depend on the column alone and are used by what depends on the row, too, or returned.
    pub(super) of_column: Vec<Value>,
}

impl Bodies {
    pub(super) fn of(ir: &Ir, group: &Group, sequence: &Sequence) -> Bodies {
        let mut bodies = Bodies {
            steps: Vec::new(),
            rows: group
                .members
                .iter()
                .filter_map(|member| member.row)
                .collect(),
            columns: group.members.iter().map(|member| member.column).collect(),
            outer: group
                .members
                .iter()
                .map(|member| member.outer.clone())
                .collect(),
            of_column: Vec::new(),
        };
        let mut on: FxHashMap<Value, On> = FxHashMap::default();
        for member in &group.members {
            bodies.add(ir, group, sequence, member, &mut on);
        }
        bodies
    }

    fn add(
        &mut self,
        ir: &Ir,
        group: &Group,
        sequence: &Sequence,
        member: &Member,
        on: &mut FxHashMap<Value, On>,
    ) {
        on.extend(member.row.map(|row| (row, On::ROW)));
        on.insert(member.column, On::COLUMN);
        for op in ir.ops(member.body) {
            let is_last = Some(op) == ir.last_op(member.body);
            let link = Read::of(ir, op)
                .and_then(|read| group.link(ir, sequence, read))
                .and_then(|(maker, index)| maker.returned(ir).get(index).copied());
            let depends = match (is_last, link) {
                (true, _) | (_, Some(_)) => On::BOTH,
                _ => ir
                    .operands(op)
                    .filter_map(|value| on.get(&value).copied())
                    .fold(On::NONE, On::bitor),
            };
            if depends.row {
                let needed = ir
                    .operands(op)
                    .chain(link)
                    .filter(|value| on.get(value) == Some(&On::COLUMN))
                    .filter(|value| !self.columns.contains(value));
                for value in needed {
                    if !self.of_column.contains(&value) {
                        self.of_column.push(value);
                    }
                }
            }
            on.extend(ir.results(op).map(|result| (result, depends)));
            if !is_last {
                self.steps.push(Step {
                    op,
                    on: depends,
                    link,
                });
            }
        }
    }

    /// Emits the ops that depend on neither index; `around` maps what is outside of the members, `outer` are the indices
    /// outside of rows and columns.
    pub(super) fn point(&self, b: &mut Builder<'_>, around: &Mapping, outer: &[Value]) -> Mapping {
        let mut mapping = around.clone();
        for args in &self.outer {
            mapping.map_all(args, outer);
        }
        self.emit(b, On::NONE, &mut mapping);
        mapping
    }

    /// Emits the ops that depend on the row, into a mapping of its own.
    pub(super) fn row(&self, b: &mut Builder<'_>, point: &Mapping, row: Value) -> Mapping {
        let mut mapping = point.clone();
        for &arg in &self.rows {
            mapping.map(arg, row);
        }
        self.emit(b, On::ROW, &mut mapping);
        mapping
    }

    /// Emits the ops that depend on the column, into a mapping of its own.
    pub(super) fn column(&self, b: &mut Builder<'_>, point: &Mapping, column: Value) -> Mapping {
        let mut mapping = point.clone();
        self.at_column(&mut mapping, column, &[]);
        self.emit(b, On::COLUMN, &mut mapping);
        mapping
    }

    /// Maps the column, and with it values that were computed for it.
    pub(super) fn at_column(&self, mapping: &mut Mapping, column: Value, values: &[Value]) {
        for &arg in &self.columns {
            mapping.map(arg, column);
        }
        for (&from, &to) in self.of_column.iter().zip(values) {
            mapping.map(from, to);
        }
    }

    /// Emits the ops that depend on both indices, which the mapping has.
    pub(super) fn element(&self, b: &mut Builder<'_>, mapping: &mut Mapping) {
        self.emit(b, On::BOTH, mapping);
    }

    fn emit(&self, b: &mut Builder<'_>, on: On, mapping: &mut Mapping) {
        for step in self.steps.iter().filter(|step| step.on == on) {
            match step.link {
                Some(value) => {
                    let here = mapping.get(value);
                    mapping.map(b.ir.result(step.op, 0), here);
                }
                None => {
                    b.clone_op(step.op, mapping);
                }
            }
        }
    }
}
