//! Reductions of rows become maps of reductions of columns, where rows are made and combined element by element.
//!
//! ```text
//! redomap (%row in %a, %x in %xs) init (replicate 0) map { map (%e in %row) { %e * %x } } combine (%s, %t) { map {+} (%s, %t) }
//!   => map (%column in rearrange %a, [1, 0]) { redomap (%e in %column, %x in %xs) init (0) map { %e * %x } combine {+} }
//! ```
//! The rows between would be a matrix in memory: flattening interchanges a reduction of rows with its operator's map
//! (`flatten/src/columns.rs`), but makes rows first. There remains the nest of a reduction along the other dimension, so
//! that the row-wise and the column-wise form of a function are one nest to all later choices.
//!
//! Legality: the operator is one map over accumulators and values in order; the body is one map, and scalars that it uses; all
//! elements of a start value are one scalar; nothing can stop the program.
//!
//! Limits: rows have one dimension, and more than [`FEW`] elements as far as the types tell: of few, one thread combines all.
//! Scalars of a row are computed again for each of its elements, so they are cheap.

use crate::cost::are_cheap;
use crate::soac::{
    Behaviour, Flavour, Parts, Soac, behaviour, end_block, finish, fusible, has_parallelism,
};
use segra_array::shape::{RearrangeOp, ReplicateOp};
use segra_array::soac::outer_size;
use segra_array::types::{Size, sizes_and_element};
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, Type, Value};

/// Elements of a row that one thread combines.
const FEW: i64 = 64;

/// Turns the reductions of a block; how many.
pub(crate) fn turn_block(ir: &mut Ir, block: Block) -> u64 {
    let mut turned = 0;
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        if let Some(rows) = Rows::of(ir, op) {
            rows.turn(ir);
            turned += 1;
        }
    }
    turned
}

/// A reduction of rows.
struct Rows {
    soac: Soac,
    body: Block,
    /// The scalar that each start value is everywhere.
    start: Vec<Value>,
    /// Ops of the body before its map.
    scalars: Vec<Op>,
    /// The map that makes rows, and the operator on their elements.
    map: Soac,
    operator: Block,
}

impl Rows {
    fn of(ir: &Ir, op: Op) -> Option<Rows> {
        let soac = fusible(ir, op).filter(|soac| soac.flavour == Flavour::Reduce)?;
        let (body, combine) = (soac.body?, soac.combine?);
        if ir.num_results(op) > soac.start.len() || behaviour(ir, &soac) != Behaviour::Total {
            return None;
        }
        let start: Vec<Value> = soac
            .start
            .iter()
            .map(|&start| ir.def_as::<ReplicateOp>(start).map(|it| it.value(ir)))
            .collect::<Option<_>>()?;
        let (scalars, map) = only_map(ir, body)?;
        let (none, combined) = only_map(ir, combine)?;
        let operator = combined.body?;
        let in_order = none.is_empty() && combined.arrays == ir.block_args(combine);
        let rows = Rows {
            soac,
            body,
            start,
            scalars,
            map,
            operator,
        };
        let flat = [&rows.map, &combined]
            .iter()
            .all(|map| !has_parallelism(ir, map));
        (in_order && flat && are_cheap(ir, rows.scalars.iter().copied()) && rows.fits(ir))
            .then_some(rows)
    }

    /// Whether rows are vectors of one extent that the types name, and their elements all that is used of them.
    fn fits(&self, ir: &Ir) -> bool {
        let extent = outer_size(ir, &self.map.arrays);
        let long = match extent {
            Size::Constant(extent) => extent > FEW,
            Size::Symbol(_) => true,
            Size::Unknown => false,
        };
        let is_vector = |&start: &Value| {
            let sizes = sizes_and_element(ir.ctx(), ir.value_type(start)).0;
            sizes == [extent]
        };
        let is_row_or_outside = |&array: &Value| {
            self.row(ir, array).is_some()
                || ir.value_block(array).is_none_or(|block| {
                    let inside = |owner| ir.is_inside(owner, self.soac.op);
                    ir.block_parent(block).is_none_or(|owner| !inside(owner))
                })
        };
        let elements_only = ir.block_args(self.body).iter().all(|&arg| {
            rank(ir, arg) == 0
                || rank(ir, arg) == 1 && ir.users(arg).all(|user| user == self.map.op)
        });
        let has_extent = self.soac.arrays.iter().enumerate().any(|(number, &array)| {
            rank(ir, array) == 1
                || self
                    .map
                    .arrays
                    .iter()
                    .any(|&it| self.row(ir, it) == Some(number))
        });
        let of_scalars = |array: &Value| rank(ir, *array) == 1;
        long && self.soac.start.iter().all(is_vector)
            && self.map.arrays.iter().all(is_row_or_outside)
            && self.map.arrays.iter().all(of_scalars)
            && elements_only
            && has_extent
    }

    /// The number of the input that an array is a row of.
    fn row(&self, ir: &Ir, array: Value) -> Option<usize> {
        let mut args = ir.block_args(self.body).iter();
        args.position(|&arg| arg == array)
    }

    fn turn(&self, ir: &mut Ir) {
        let op = self.soac.op;
        let (mut outer, mut inner): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        for &array in &self.map.arrays {
            let column = self.row(ir, array).map(|row| self.soac.arrays[row]);
            outer.push(match column {
                Some(matrix) => turned(ir, matrix, op),
                None => array,
            });
        }
        let (points, elements) = Parts::body_over(ir, &outer);
        // The columns, then the vectors with an element for each row.
        let is_column: Vec<bool> = self
            .map
            .arrays
            .iter()
            .map(|&array| self.row(ir, array).is_some())
            .collect();
        inner.extend(
            elements
                .iter()
                .zip(&is_column)
                .filter(|row| *row.1)
                .map(|row| row.0),
        );
        let columns = inner.len();
        let vectors: Vec<usize> = (0..self.soac.arrays.len())
            .filter(|&number| rank(ir, self.soac.arrays[number]) == 1)
            .collect();
        inner.extend(vectors.iter().map(|&number| self.soac.arrays[number]));
        let (body, args) = Parts::body_over(ir, &inner);
        let mut mapping = Mapping::new();
        let of_rows = ir.block_args(self.body).to_vec();
        for (&number, &arg) in vectors.iter().zip(&args[columns..]) {
            mapping.map(of_rows[number], arg);
        }
        let mut of_columns = args[..columns].iter();
        let of_map = self.map.body.map(|body| ir.block_args(body).to_vec());
        for ((arg, &element), is_column) in
            of_map.into_iter().flatten().zip(&elements).zip(is_column)
        {
            let here = if is_column { of_columns.next() } else { None };
            mapping.map(arg, here.copied().unwrap_or(element));
        }
        let loc = ir.loc(op);
        let mut b = Builder::at_end(ir, body, loc);
        for &scalar in &self.scalars {
            b.clone_op(scalar, &mut mapping);
        }
        copy(ir, self.map.body, body, &mut mapping);
        let types: Vec<Type> = ir
            .block_args(self.operator)
            .iter()
            .map(|&arg| ir.value_type(arg))
            .collect();
        let combine = ir.create_block(&types);
        let mut mapping = Mapping::new();
        let (old, new) = (
            ir.block_args(self.operator).to_vec(),
            ir.block_args(combine).to_vec(),
        );
        old.into_iter()
            .zip(new)
            .for_each(|(old, new)| mapping.map(old, new));
        copy(ir, Some(self.operator), combine, &mut mapping);
        let reduction = Parts {
            start: self.start.clone(),
            combine: Some(combine),
            ..Parts::new(Flavour::Reduce, inner, Some(body))
        };
        let scalars: Vec<Type> = self
            .start
            .iter()
            .map(|&start| ir.value_type(start))
            .collect();
        let made = reduction.build_as(&mut Builder::at_end(ir, points, loc), &scalars);
        segra_array::start::write_neutral(ir, made);
        let results: Vec<Value> = ir.results(made).collect();
        end_block(ir, points, &results, loc);
        let types: Vec<Type> = ir.results(op).map(|result| ir.value_type(result)).collect();
        let map = finish(
            ir,
            &Parts::new(Flavour::Map, outer, Some(points)),
            &types,
            op,
        );
        let results: Vec<Value> = ir.results(map).collect();
        ir.replace_op(op, &results);
    }
}

fn rank(ir: &Ir, value: Value) -> usize {
    sizes_and_element(ir.ctx(), ir.value_type(value)).0.len()
}

/// Copies the ops of a block to the end of another one.
fn copy(ir: &mut Ir, from: Option<Block>, to: Block, mapping: &mut Mapping) {
    let ops: Vec<Op> = from.into_iter().flat_map(|from| ir.ops(from)).collect();
    for op in ops {
        let loc = ir.loc(op);
        Builder::at_end(ir, to, loc).clone_op(op, mapping);
    }
}

/// The matrix with its dimensions exchanged.
fn turned(ir: &mut Ir, matrix: Value, before: Op) -> Value {
    let view = ir.def_as::<RearrangeOp>(matrix);
    if let Some(view) = view.filter(|view| view.permutation(ir) == [1, 0]) {
        return view.array(ir);
    }
    let mut b = Builder::before(ir, before);
    let order = b.ctx().dense_i64_attr(&[1, 0]);
    RearrangeOp::build(&mut b, matrix, order).result(b.ir)
}

/// The map that gives all that a block yields, in order, and the ops before it, which are on scalars.
fn only_map(ir: &Ir, block: Block) -> Option<(Vec<Op>, Soac)> {
    let mut ops: Vec<Op> = ir.ops(block).collect();
    let (end, map) = (ops.pop()?, ops.pop()?);
    let map = fusible(ir, map).filter(|map| map.flavour == Flavour::Map)?;
    let scalar = |&op: &Op| {
        let values = ir
            .operands(op)
            .chain(ir.results(op))
            .all(|value| rank(ir, value) == 0);
        values && ir.regions(op).is_empty()
    };
    let all = ir.operands(end).eq(ir.results(map.op));
    (all && ops.iter().all(scalar)).then_some((ops, map))
}
