//! Rows of many lengths: reductions in a map whose extents differ between its points, flattened.
//!
//! ```text
//! map (\i -> let xs = row i in g i (reduce op z (map (f i) xs)))
//! ==>
//! lens = map (\i -> length (row i)) is;  total, longest = sum, maximum of lens
//! if length is >= NAME.flatK.rows and longest - total / BUSY >= NAME.flatK
//!   offsets = exclusive scan (+) lens
//!   rows = inclusive scan max (scatter (where a row begins, if it has elements) numbers of rows into zeros of total)
//!   sums = inclusive scan op' (map (\t -> let r = rows[t]; j = t - offsets[r] in (j = 0, f r (row r)[j])) (iota total))
//!     with (a, x) op' (b, y) = (a or b, if b then y else x op y)
//!   map (\i -> g i (if lens[i] > 0 then sums[offsets[i] + lens[i] - 1] else z)) is
//! else the map as it was: each thread has a row
//! ```
//! Source: Blelloch's flattening by segment descriptors ("Vector Models for Data-Parallel Computing", 1990); the lecture leaves such
//! extents sequential. A thread for each row takes as long as the longest row; an element for each thread takes a few steps
//! whatever the rows are, but several for each element. So the choice is by what the longest row has beyond those steps.
//!
//! Legality: the map is on the host, and one reduction is all the parallelism in its body; it stores nothing, combines scalars
//! by an operator and start values from outside of the map. The code before it is done again for each element, without
//! effect, and so has no loops; checks in it fail at the same points. Deliberately absent: scans and maps over such rows, whose results have no
//! type here, and several reductions in one body.

use crate::cost::has_parallelism;
use segra_array::combinator::{Flavour, Soac, is_combinator};
use segra_array::extent::{is_uniform, origin_of};
use segra_array::shape::{DimOp, IndexOp, IotaOp, ReplicateOp};
use segra_array::soac::{map, reduce, scan, scanomap};
use segra_array::types::{Size, array_of, sizes_and_element};
use segra_array::update::scatter;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{LoopLike, symbol_name};
use segra_ir::{Block, Builder, Ir, Op, OpView, Trait, Type, Value};
use segra_kernel::threshold::AtLeastOp;
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::scf;

/// Elements of all rows for which the flattened version takes one step: a device has about 2^15 threads, and an element
/// takes some five times as long as in a loop.
const BUSY: i64 = (1 << 15) / 5;
/// Rows from which their lengths are looked at, which takes two kernels more.
const ROWS: i64 = 1024;
/// Steps of the longest row beyond those from which the kernels of the flattened version pay.
const STEPS: i64 = 256;

/// A map with a reduction of rows of many lengths.
struct Irregular {
    map: Soac,
    body: Block,
    reduction: Soac,
}

/// Gives the maps of a function that have reductions of rows of many lengths a flattened version beside.
pub(crate) fn flatten_rows(ir: &mut Ir, func: Op) {
    let name = symbol_name(ir, func).map(|name| ir.ctx().str(name).to_owned());
    let name = name.unwrap_or_default();
    let all = ir.walk(func).into_iter();
    let found: Vec<Irregular> = all.filter_map(|op| Irregular::of(ir, op, func)).collect();
    for (number, irregular) in found.into_iter().enumerate() {
        irregular.choose(ir, &format!("{name}.flat{number}"));
    }
}

impl Irregular {
    fn of(ir: &Ir, op: Op, func: Op) -> Option<Irregular> {
        let map = Soac::of(ir, op).filter(|map| map.flavour == Flavour::Map)?;
        let body = map.body?;
        let mut around = ir
            .ancestors(op)
            .skip(1)
            .take_while(|&around| around != func);
        if around.any(|around| is_combinator(ir, around)) {
            return None;
        }
        // It would run again for each element.
        if ir
            .walk(op)
            .into_iter()
            .any(|inner| ir.interface::<dyn LoopLike>(inner).is_some())
        {
            return None;
        }
        let mut parallel = ir.ops(body).filter(|&inner| has_parallelism(ir, inner));
        let (Some(inner), None) = (parallel.next(), parallel.next()) else {
            return None;
        };
        let reduction = Soac::of(ir, inner).filter(|inner| inner.flavour == Flavour::Reduce)?;
        let &first = reduction.arrays.first()?;
        let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(first));
        let irregular =
            sizes.first() == Some(&Size::Unknown) && !is_uniform(ir, op, origin_of(ir, first, 0));
        let outside = |value: &Value| !ir.is_defined_inside(*value, op);
        let scalar = |value: &Value| ir.value_type(*value).is_scalar(ir.ctx());
        let mut operator = Vec::new();
        for inner in ir.ops(reduction.combine?) {
            operator.extend(ir.free_values(inner));
        }
        operator.retain(|&value| ir.value_block(value) != reduction.combine);
        let within = |value: &Value| {
            let at = ir.value_block(*value).and_then(|at| ir.block_parent(at));
            at.is_some_and(|at| ir.is_inside(at, inner))
        };
        let single = ir
            .walk(inner)
            .into_iter()
            .skip(1)
            .all(|op| !is_combinator(ir, op));
        let fits = irregular
            && single
            && ir.num_results(inner) == reduction.start.len()
            && reduction
                .start
                .iter()
                .all(|value| outside(value) && scalar(value))
            && operator.iter().all(|value| within(value) || outside(value));
        fits.then_some(Irregular {
            map,
            body,
            reduction,
        })
    }

    /// Puts the map into one branch of a choice, and its flattened version into the other.
    fn choose(&self, ir: &mut Ir, name: &str) {
        let op = self.map.op;
        let types: Vec<Type> = ir.results(op).map(|value| ir.value_type(value)).collect();
        let mut b = Builder::before(ir, op);
        let (truth, number) = (b.ctx().i1(), b.ctx().index());
        let count = length(&mut b, self.map.arrays[0]);
        let many = AtLeastOp::ask(&mut b, count, &format!("{name}.rows"), ROWS);
        let asked = scf::IfOp::with_bodies(
            &mut b,
            many,
            &[truth, number],
            |b| {
                let lens = self.lengths(b);
                let (total, longest) = both(b, lens);
                let busy = index::constant(b, BUSY);
                let steps = arith::DivSIOp::build(b, total, busy).result(b.ir);
                let more = arith::SubIOp::build(b, longest, steps).result(b.ir);
                vec![AtLeastOp::ask(b, more, name, STEPS), total]
            },
            |b| vec![arith::ConstantOp::int(b, 0, truth), index::constant(b, 0)],
        );
        let [pays, total] = [0, 1].map(|at| b.ir.result(asked.op(), at));
        let choice = scf::IfOp::with_bodies(
            &mut b,
            pays,
            &types,
            |b| self.flat(b, total),
            |b| {
                let copy = b.clone_op(op, &mut Mapping::new());
                b.ir.results(copy).collect()
            },
        );
        let results: Vec<Value> = ir.results(choice.op()).collect();
        ir.replace_op(op, &results);
    }

    /// The code before the reduction, for these elements of the map's arrays.
    fn before(&self, b: &mut Builder<'_>, elements: &[Value]) -> Mapping {
        let mut mapping = Mapping::new();
        let args = b.ir.block_args(self.body).to_vec();
        mapping.map_all(&args, elements);
        let ops: Vec<Op> = b.ir.ops(self.body).collect();
        for op in ops.into_iter().take_while(|&op| op != self.reduction.op) {
            b.clone_op(op, &mut mapping);
        }
        mapping
    }

    /// The length of each row.
    fn lengths(&self, b: &mut Builder<'_>) -> Value {
        let lens = map(b, &self.map.arrays, |b, elements| {
            let mapping = self.before(b, elements);
            let row = mapping.get(self.reduction.arrays[0]);
            vec![length(b, row)]
        });
        b.ir.result(lens.op(), 0)
    }

    /// The flattened version; `total` is the number of elements of all rows.
    fn flat(&self, b: &mut Builder<'_>, total: Value) -> Vec<Value> {
        let ctx = b.ir.context();
        let lens = self.lengths(b);
        let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
        let offsets = scan(b, &[lens], &[zero], |b, x, y| {
            vec![arith::AddIOp::build(b, x[0], y[0]).result(b.ir)]
        });
        let offsets = offsets.op();
        b.ir.set_attr_named(offsets, "exclusive", Some(ctx.unit()));
        let offsets = b.ir.result(offsets, 0);
        let rows = row_numbers(b, lens, offsets, total);
        let positions = iota(b, total);
        let no = arith::ConstantOp::int(b, 0, ctx.i1());
        let mut start = vec![no];
        start.extend(&self.reduction.start);
        let sums = scanomap(
            b,
            &[positions, rows],
            &start,
            |b, args| self.element(b, offsets, [args[0], args[1]]),
            |b, x, y| {
                let both: Vec<Value> = x[1..].iter().chain(&y[1..]).copied().collect();
                let mut next = vec![arith::OrIOp::build(b, x[0], y[0]).result(b.ir)];
                let combined = match self.reduction.combine {
                    Some(combine) => b.clone_block_body(combine, &both, &mut Mapping::new()),
                    None => Vec::new(),
                };
                for (&own, combined) in y[1..].iter().zip(combined) {
                    next.push(arith::SelectOp::build(b, y[0], own, combined).result(b.ir));
                }
                next
            },
        );
        let sums: Vec<Value> = b.ir.results(sums.op()).skip(1).collect();
        let mut arrays = self.map.arrays.clone();
        arrays.extend([lens, offsets]);
        let made = map(b, &arrays, |b, elements| {
            let (elements, row) = elements.split_at(self.map.arrays.len());
            let any = index::cmp(b, CmpIPredicate::Sgt, row[0], zero);
            let types: Vec<Type> = self.reduction.start.iter().map(|&z| b.type_of(z)).collect();
            let last = scf::IfOp::with_bodies(
                b,
                any,
                &types,
                |b| {
                    let end = arith::AddIOp::build(b, row[1], row[0]).result(b.ir);
                    let at = arith::SubIOp::build(b, end, one).result(b.ir);
                    let values = sums.iter().map(|&sums| element(b, sums, at));
                    values.collect()
                },
                |_| self.reduction.start.clone(),
            );
            let values: Vec<Value> = b.ir.results(last.op()).collect();
            self.after(b, elements, &values)
        });
        b.ir.results(made.op()).collect()
    }

    /// Whether an element is the first of its row, and what is combined of it.
    fn element(
        &self,
        b: &mut Builder<'_>,
        offsets: Value,
        [position, row]: [Value; 2],
    ) -> Vec<Value> {
        let zero = index::constant(b, 0);
        let offset = element(b, offsets, row);
        let at = arith::SubIOp::build(b, position, offset).result(b.ir);
        let elements: Vec<Value> = self
            .map
            .arrays
            .iter()
            .map(|&array| element(b, array, row))
            .collect();
        let mut mapping = self.before(b, &elements);
        let own: Vec<Value> = self
            .reduction
            .arrays
            .iter()
            .map(|&array| {
                let array = mapping.get(array);
                element(b, array, at)
            })
            .collect();
        let mut values = vec![index::cmp(b, CmpIPredicate::Eq, at, zero)];
        values.extend(match self.reduction.body {
            Some(body) => b.clone_block_body(body, &own, &mut mapping),
            None => own,
        });
        values
    }

    /// The values that the map's body yields, given the results of the reduction.
    fn after(&self, b: &mut Builder<'_>, elements: &[Value], values: &[Value]) -> Vec<Value> {
        let mut mapping = self.before(b, elements);
        let reduced: Vec<Value> = b.ir.results(self.reduction.op).collect();
        mapping.map_all(&reduced, values);
        let ops: Vec<Op> = b.ir.ops(self.body).collect();
        let behind = ops
            .into_iter()
            .skip_while(|&op| op != self.reduction.op)
            .skip(1);
        for op in behind {
            if b.ir.has_trait(op, Trait::Terminator) {
                let yields: Vec<Value> = b.ir.operands(op).collect();
                return mapping.get_all(yields);
            }
            b.clone_op(op, &mut mapping);
        }
        Vec::new()
    }
}

/// The sum and the maximum of lengths.
fn both(b: &mut Builder<'_>, lens: Value) -> (Value, Value) {
    let zero = index::constant(b, 0);
    let made = reduce(b, &[lens, lens], &[zero, zero], |b, x, y| {
        vec![
            arith::AddIOp::build(b, x[0], y[0]).result(b.ir),
            arith::MaxSIOp::build(b, x[1], y[1]).result(b.ir),
        ]
    });
    (b.ir.result(made.op(), 0), b.ir.result(made.op(), 1))
}

/// The number of its row for each element of all rows.
fn row_numbers(b: &mut Builder<'_>, lens: Value, offsets: Value, total: Value) -> Value {
    let (zero, outside) = (index::constant(b, 0), index::constant(b, -1));
    let ty = array_of(&b.ir.context(), Size::Unknown, b.ctx().index());
    let none = ReplicateOp::build(b, zero, &[total], ty).result(b.ir);
    let count = length(b, lens);
    let numbers = iota(b, count);
    let arrays = [lens, offsets, numbers];
    let marks = scatter(b, &arrays, &[none], |b, row| {
        let any = index::cmp(b, CmpIPredicate::Sgt, row[0], zero);
        let at = arith::SelectOp::build(b, any, row[1], outside).result(b.ir);
        vec![at, row[2]]
    });
    let marks = b.ir.result(marks.op(), 0);
    let rows = scan(b, &[marks], &[zero], |b, x, y| {
        vec![arith::MaxSIOp::build(b, x[0], y[0]).result(b.ir)]
    });
    b.ir.result(rows.op(), 0)
}

fn length(b: &mut Builder<'_>, array: Value) -> Value {
    let ctx = b.ir.context();
    DimOp::build(b, array, ctx.i64_attr(0), ctx.index()).result(b.ir)
}

fn element(b: &mut Builder<'_>, array: Value, at: Value) -> Value {
    IndexOp::build(b, array, &[at]).result(b.ir)
}

fn iota(b: &mut Builder<'_>, count: Value) -> Value {
    let ty = array_of(&b.ir.context(), Size::Unknown, b.ctx().index());
    IotaOp::build(b, count, ty).result(b.ir)
}
