//! One step of a tile: the code of a thread for the elements that it has at once.

use crate::traverse::plan::Combined;
use crate::traverse::tile::{Tile, read_all};
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Type, Value};
use segra_std::arith::{AndIOp, CmpIPredicate, SelectOp, index};
use segra_std::scf;

/// A step of a tile.
pub(super) struct Step<'a> {
    pub(super) tile: &'a Tile<'a>,
    /// Indices outside of rows and columns.
    pub(super) outer: &'a [Value],
    /// First row of the tile.
    pub(super) row: Value,
    /// How many steps came before.
    pub(super) number: Value,
    /// First column of the tile.
    pub(super) first_column: Value,
    /// Arrays with what depends on the columns only, for each column of a thread.
    pub(super) of_column: &'a [Value],
}

/// The values of the threads after a step, as arrays.
pub(super) struct Parts {
    pub(super) columns: Vec<Value>,
    /// Of each row, what a thread's columns have.
    pub(super) rows: Vec<Value>,
    /// Of each stored value, that of each element of a thread.
    pub(super) stored: Vec<Vec<Value>>,
}

/// Which rows and columns of a thread exist; none: all.
struct Exists {
    rows: Vec<Value>,
    columns: Vec<Value>,
}

/// The last index of an extent where an index is beyond it.
pub(super) fn at_most_last(b: &mut Builder<'_>, at: Value, extent: Value) -> Value {
    let one = index::constant(b, 1);
    let last = index::sub(b, extent, one);
    index::min(b, at, last)
}

impl Step<'_> {
    /// Runs it, given the arrays of what the columns have so far.
    pub(super) fn by_threads(&self, b: &mut Builder<'_>, columns: &[Value]) -> Parts {
        let plan = self.tile.plan;
        let [at_once, per_thread] = [plan.shape.at_once, plan.shape.per_thread]
            .map(|count| usize::try_from(count).unwrap_or(1));
        let element =
            |b: &Builder<'_>, value: &Value| b.ir.value_type(*value).element_or_self(b.ctx());
        let mut types: Vec<Type> = columns.iter().map(|value| element(b, value)).collect();
        for _ in 0..at_once {
            types.extend(Combined::neutrals(&plan.rows).map(|value| b.type_of(value)));
        }
        let rows = types.len();
        for stored in &plan.stored {
            types.extend((0..at_once * per_thread).map(|_| b.type_of(stored.value)));
        }
        let full = self.is_full(b);
        let arrays = self.tile.by_threads(b, &types, |b, thread| {
            let own = read_all(b, columns, &thread);
            let of_column = read_all(b, self.of_column, &thread);
            let branch = scf::IfOp::build(b, full, &types);
            for (number, masked) in [false, true].into_iter().enumerate() {
                let region = b.ir.region(segra_ir::OpView::op(branch), number);
                b.build_block(region, &[], |b, _| {
                    let values = self.elements(b, thread, (&own, &of_column), masked);
                    scf::YieldOp::build(b, &values);
                });
            }
            let op = segra_ir::OpView::op(branch);
            b.ir.results(op).collect()
        });
        let (combined, elements) = arrays.split_at(rows);
        let (columns, rows) = combined.split_at(columns.len());
        Parts {
            columns: columns.to_vec(),
            rows: rows.to_vec(),
            stored: elements
                .chunks(at_once * per_thread)
                .map(<[Value]>::to_vec)
                .collect(),
        }
    }

    /// Whether all rows and columns of the tile exist.
    fn is_full(&self, b: &mut Builder<'_>) -> Value {
        let shape = self.tile.plan.shape;
        let ends = [
            (self.row, shape.rows(), self.tile.rows),
            (self.first_column, shape.columns(), self.tile.columns),
        ];
        let [rows, columns] = ends.map(|(first, count, extent)| {
            let count = index::constant(b, count);
            let end = index::add(b, first, count);
            index::cmp(b, CmpIPredicate::Sle, end, extent)
        });
        AndIOp::build(b, rows, columns).result(b.ir)
    }

    /// The values of a thread: its columns, its part of each row, elements that are stored.
    fn elements(
        &self,
        b: &mut Builder<'_>,
        [warp, lane]: [Value; 2],
        (own, of_column): (&[Value], &[Value]),
        masked: bool,
    ) -> Vec<Value> {
        let plan = self.tile.plan;
        let shape = plan.shape;
        let numbers =
            |b: &mut Builder<'_>, count: i64, at: &dyn Fn(&mut Builder<'_>, i64) -> Value| {
                (0..count).map(|number| at(b, number)).collect::<Vec<_>>()
            };
        let mut rows = numbers(b, shape.at_once, &|b, number| {
            self.tile.row(b, (self.row, warp), self.number, number)
        });
        let mut columns = numbers(b, shape.per_thread, &|b, number| {
            self.tile.column(b, self.first_column, lane, number)
        });
        let exists = masked.then(|| {
            let mut inside = |all: &mut Vec<Value>, extent: Value| -> Vec<Value> {
                let mut exist = Vec::new();
                for at in all {
                    exist.push(index::cmp(b, CmpIPredicate::Slt, *at, extent));
                    *at = at_most_last(b, *at, extent);
                }
                exist
            };
            Exists {
                rows: inside(&mut rows, self.tile.rows),
                columns: inside(&mut columns, self.tile.columns),
            }
        });
        let point = plan.bodies.point(b, plan.around, self.outer);
        let mut sums = own.to_vec();
        let (mut of_rows, mut stored) = (Vec::new(), vec![Vec::new(); plan.stored.len()]);
        let (held, per_column) = (plan.bodies.of_column.len(), own.len() / columns.len());
        for (r, &row) in rows.iter().enumerate() {
            let at_row = plan.bodies.row(b, &point, row);
            let mut row_sum: Option<Vec<Value>> = None;
            for (c, &column) in columns.iter().enumerate() {
                let mut mapping = at_row.clone();
                plan.bodies
                    .at_column(&mut mapping, column, &of_column[c * held..(c + 1) * held]);
                plan.bodies.element(b, &mut mapping);
                let sum = &mut sums[c * per_column..(c + 1) * per_column];
                let row_exists = exists.as_ref().map(|exists| exists.rows[r]);
                add_to(b, sum, (&plan.columns, plan.around), &mapping, row_exists);
                let column_exists = exists.as_ref().map(|exists| exists.columns[c]);
                row_sum = Some(self.add_to_row(b, row_sum, &mapping, column_exists));
                for (all, stored) in stored.iter_mut().zip(&plan.stored) {
                    all.push(mapping.get(stored.value));
                }
            }
            of_rows.extend(row_sum.unwrap_or_default());
        }
        sums.extend(of_rows);
        sums.extend(stored.into_iter().flatten());
        sums
    }

    /// A thread's part of a row, with one more element.
    fn add_to_row(
        &self,
        b: &mut Builder<'_>,
        sum: Option<Vec<Value>>,
        mapping: &Mapping,
        exists: Option<Value>,
    ) -> Vec<Value> {
        let plan = self.tile.plan;
        if let Some(mut sum) = sum {
            add_to(b, &mut sum, (&plan.rows, plan.around), mapping, exists);
            return sum;
        }
        let values = plan
            .rows
            .iter()
            .flat_map(|combined| combined.values.iter().copied());
        let values = mapping.get_all(values);
        let Some(exists) = exists else {
            return values;
        };
        let neutral: Vec<Value> = Combined::neutrals(&plan.rows).collect();
        let neutral = plan.around.get_all(neutral);
        let or_neutral = values.iter().zip(&neutral);
        or_neutral
            .map(|(&value, &neutral)| SelectOp::build(b, exists, value, neutral).result(b.ir))
            .collect()
    }
}

/// Combines sums with the values of an element, where that exists.
fn add_to(
    b: &mut Builder<'_>,
    sums: &mut [Value],
    (all, around): (&[Combined], &Mapping),
    mapping: &Mapping,
    exists: Option<Value>,
) {
    let values = all
        .iter()
        .flat_map(|combined| combined.values.iter().copied());
    let values = mapping.get_all(values);
    let next = Combined::apply_all(b, all, around, sums, &values);
    for (sum, next) in sums.iter_mut().zip(next) {
        *sum = match exists {
            Some(exists) => SelectOp::build(b, exists, next, *sum).result(b.ir),
            None => next,
        };
    }
}
