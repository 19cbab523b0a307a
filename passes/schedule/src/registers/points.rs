//! The body of a segmap for all points of a thread at once.

use super::own_part;
use crate::contract::Contraction;
use crate::tile::variance::Variance;
use rustc_hash::FxHashMap;
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::contract::ContractOp;
use segra_kernel::registers::{Place, Registers};
use segra_kernel::segop::SegMapOp;
use segra_kernel::target::TargetSinceOp;
use segra_std::arith;
use segra_std::scf::{ForOp, IfOp, YieldOp};

/// Most ops that the steps of a loop become which are written out at once, at all points of a thread, reads left aside.
const MOST_OPS: i64 = 2048;
/// Most steps of a loop at once: those of a tile, so that all places in shared memory are constants beside one address.
const MOST_STEPS: i64 = 16;

/// The stand-in of a value: one value for each point of a thread, as far as they differ.
#[derive(Clone, Debug)]
struct Copies {
    /// Along which dimensions they differ.
    along: Vec<bool>,
    /// Row-major over those.
    values: Vec<Value>,
}

pub(super) struct Points<'a> {
    segmap: SegMapOp,
    registers: &'a Registers,
    threads: &'a [i64],
    variance: Variance,
    copies: FxHashMap<Value, Copies>,
}

impl<'a> Points<'a> {
    pub(super) fn new(
        ir: &Ir,
        segmap: SegMapOp,
        registers: &'a Registers,
        threads: &'a [i64],
    ) -> Points<'a> {
        let body = segmap.body_block(ir);
        let variance = Variance::of(ir, body, ir.block_args(body));
        Points {
            segmap,
            registers,
            threads,
            variance,
            copies: FxHashMap::default(),
        }
    }

    /// Emits the body at `places`, the indices of a thread. The values it returns, each at all points.
    pub(super) fn run(mut self, b: &mut Builder<'_>, places: &[Value]) -> Vec<Value> {
        let body = self.segmap.body_block(b.ir);
        let args = b.ir.block_args(body).to_vec();
        for (dim, (&arg, &place)) in args.iter().zip(places).enumerate() {
            let mut along = vec![false; args.len()];
            along[dim] = true;
            let mut values = Vec::new();
            for point in 0..self.registers.counts[dim] {
                let inner: i64 = self.registers.counts[dim + 1..].iter().product();
                let point = self.registers.place(self.threads, point * inner)[dim];
                values.push(index_at(b, place, point));
            }
            self.copies.insert(arg, Copies { along, values });
        }
        let returned = self.block(b, body, places);
        let all = vec![true; args.len()];
        returned
            .into_iter()
            .flat_map(|value| self.at_all(value, &all))
            .collect()
    }

    /// Along which dimensions a value differs.
    fn along(&self, value: Value) -> Vec<bool> {
        let found = self.variance.get(value);
        (0..self.threads.len())
            .map(|dim| found.contains(dim))
            .collect()
    }

    /// Along which dimensions what an op uses differs, inside of it too.
    fn along_op(&self, ir: &Ir, op: Op) -> Vec<bool> {
        let mut all = vec![false; self.threads.len()];
        for inner in ir.walk(op) {
            for value in ir.operands(inner) {
                if let Some(copies) = self.copies.get(&value) {
                    for (all, along) in all.iter_mut().zip(&copies.along) {
                        *all |= along;
                    }
                }
            }
        }
        all
    }

    /// How many points differ along some dimensions.
    fn count(&self, along: &[bool]) -> usize {
        let counts = self.registers.counts.iter().zip(along);
        let count: i64 = counts.filter(|row| *row.1).map(|row| *row.0).product();
        usize::try_from(count).unwrap_or(usize::MAX)
    }

    /// The stand-in of a value at point `number`, row-major over `along`.
    fn at(&self, value: Value, along: &[bool], number: usize) -> Value {
        let Some(copies) = self.copies.get(&value) else {
            return value;
        };
        let (mut rest, mut index, mut stride) = (number, 0, 1);
        for (dim, &differs) in along.iter().enumerate().rev() {
            let count = usize::try_from(self.registers.counts[dim]).unwrap_or(usize::MAX);
            let at = if differs { rest % count } else { 0 };
            rest /= if differs { count } else { 1 };
            if copies.along[dim] {
                index += at * stride;
                stride *= count;
            }
        }
        copies.values[index]
    }

    fn at_all(&self, value: Value, along: &[bool]) -> Vec<Value> {
        (0..self.count(along))
            .map(|number| self.at(value, along, number))
            .collect()
    }

    /// Emits the ops of a block; returns what its terminator yields, as values of the old body.
    fn block(&mut self, b: &mut Builder<'_>, block: Block, places: &[Value]) -> Vec<Value> {
        let ops: Vec<Op> = b.ir.ops(block).collect();
        let Some((&last, ops)) = ops.split_last() else {
            return Vec::new();
        };
        for &op in ops {
            self.op(b, op, places);
        }
        b.ir.operands(last).collect()
    }

    fn op(&mut self, b: &mut Builder<'_>, op: Op, places: &[Value]) {
        if let Some(read) = Read::of(b.ir, op) {
            let body = self.segmap.body_block(b.ir);
            let args = b.ir.block_args(body);
            if let Some(tile) = own_part(b.ir, read, args, self.registers) {
                let parts = tile.parts(b.ir);
                let values = parts
                    .into_iter()
                    .map(|part| Read::build(b, part, places).result(b.ir))
                    .collect();
                let along = vec![true; places.len()];
                self.copies
                    .insert(read.result(b.ir), Copies { along, values });
                return;
            }
        }
        if let Some(looped) = b.ir.cast::<ForOp>(op) {
            let bounds: Vec<Value> = b.ir.operands(op).take(3).collect();
            if bounds.iter().all(|&bound| self.is_uniform(bound)) {
                return self.for_op(b, looped, places);
            }
        }
        let branch = b.ir.cast::<IfOp>(op);
        if let Some(branch) = branch.filter(|branch| self.is_uniform(branch.condition(b.ir))) {
            return self.branch(b, branch, places);
        }
        let along = self.along_op(b.ir, op);
        let used: Vec<Value> =
            b.ir.walk(op)
                .into_iter()
                .flat_map(|inner| b.ir.operands(inner).collect::<Vec<_>>())
                .filter(|value| self.copies.contains_key(value))
                .collect();
        let results: Vec<Value> = b.ir.results(op).collect();
        let mut copies = vec![Vec::new(); results.len()];
        for number in 0..self.count(&along) {
            let mut mapping = Mapping::new();
            for &value in &used {
                mapping.map(value, self.at(value, &along, number));
            }
            let copy = b.clone_op(op, &mut mapping);
            for (copies, result) in copies.iter_mut().zip(b.ir.results(copy)) {
                copies.push(result);
            }
        }
        for (result, values) in results.into_iter().zip(copies) {
            let along = along.clone();
            self.copies.insert(result, Copies { along, values });
        }
    }

    fn is_uniform(&self, value: Value) -> bool {
        self.copies
            .get(&value)
            .is_none_or(|copies| !copies.along.contains(&true))
    }

    /// The one value of what is the same at all points.
    fn one(&self, value: Value) -> Value {
        self.copies
            .get(&value)
            .map_or(value, |copies| copies.values[0])
    }

    /// A loop as long at all points. Of one of constant length, several steps become one, or all of them.
    fn for_op(&mut self, b: &mut Builder<'_>, looped: ForOp, places: &[Value]) {
        let body = looped.region_block(b.ir);
        let args = b.ir.block_args(body).to_vec();
        let along: Vec<Vec<bool>> = args[1..].iter().map(|&arg| self.along(arg)).collect();
        let inits = looped.init_args(b.ir);
        let starts = self.all(&inits, &along);
        let results = looped.results(b.ir);
        let [lower, upper, step] = [
            looped.lower_bound(b.ir),
            looped.upper_bound(b.ir),
            looped.step(b.ir),
        ]
        .map(|bound| self.one(bound));
        let found = self.segmap.contract(b.ir);
        let found = found.and_then(|()| Contraction::of(b.ir, looped, self.segmap));
        let values = match (found, self.segmap.since(b.ir)) {
            (None, _) => self.steps(b, looped, [lower, upper, step], (&starts, places)),
            (Some(found), None) => self.contract(b, &found, lower, (&starts, places)),
            (Some(found), Some(since)) => {
                let since = b.ctx().i64_attr(since);
                let bool = b.ctx().i1();
                let has = TargetSinceOp::build(b, since, bool).result(b.ir);
                let types: Vec<Type> = starts.iter().map(|&start| b.type_of(start)).collect();
                let branch = IfOp::build(b, has, &types).op();
                let [then, otherwise] = [0, 1].map(|number| b.ir.region(branch, number));
                b.build_block(then, &[], |b, _| {
                    let next = self.contract(b, &found, lower, (&starts, places));
                    YieldOp::build(b, &next);
                });
                b.build_block(otherwise, &[], |b, _| {
                    let next = self.steps(b, looped, [lower, upper, step], (&starts, places));
                    YieldOp::build(b, &next);
                });
                b.ir.results(branch).collect()
            }
        };
        self.bind(&results, &along, &values);
    }

    /// The values of a loop after its steps, which begin with `starts`, each at all points.
    fn steps(
        &mut self,
        b: &mut Builder<'_>,
        looped: ForOp,
        [lower, upper, step]: [Value; 3],
        (starts, places): (&[Value], &[Value]),
    ) -> Vec<Value> {
        let body = looped.region_block(b.ir);
        let args = b.ir.block_args(body).to_vec();
        let along: Vec<Vec<bool>> = args[1..].iter().map(|&arg| self.along(arg)).collect();
        let (steps, all) = self.steps_at_once(b.ir, looped);
        let several = |points: &mut Self, b: &mut Builder<'_>, first: Value, starts: &[Value]| {
            let mut carried = starts.to_vec();
            for number in 0..steps {
                let counter = counter(b, first, step, number);
                points.bind(&args[1..], &along, &carried);
                points.copies.insert(args[0], points.same(counter));
                let next = points.block(b, body, places);
                carried = points.all(&next, &along);
            }
            carried
        };
        if all {
            return several(self, b, lower, starts);
        }
        let types: Vec<Type> = starts.iter().map(|&start| b.type_of(start)).collect();
        let mut inner = vec![b.type_of(lower)];
        inner.extend(&types);
        let unsigned = looped.unsigned_cmp_attr(b.ir);
        let stride = match steps {
            1 => step,
            _ => counter(b, step, step, steps - 1),
        };
        let new = ForOp::builder()
            .lower_bound(lower)
            .upper_bound(upper)
            .step(stride)
            .init_args(starts)
            .unsigned_cmp(unsigned)
            .results_types(&types)
            .build(b);
        let region = new.region(b.ir);
        b.build_block(region, &inner, |b, new| {
            let next = several(self, b, new[0], &new[1..]);
            YieldOp::build(b, &next);
        });
        new.results(b.ir)
    }

    /// The sums of a loop that is for tensor cores, at all points.
    fn contract(
        &self,
        b: &mut Builder<'_>,
        found: &Contraction,
        first: Value,
        (starts, places): (&[Value], &[Value]),
    ) -> Vec<Value> {
        let (row, column) = (places[0], places[1]);
        let numbers = |numbers: &[i64]| b.ctx().dense_i64_attr(numbers);
        let (registers, runs, threads) = (
            numbers(&self.registers.counts),
            numbers(&self.registers.runs),
            numbers(self.threads),
        );
        let flag = |it: bool| it.then(|| b.ctx().unit());
        let ([of_a, of_b], [free_a, free_b]) =
            (found.transposed.map(flag), found.unsigned.map(flag));
        let depth = b.ctx().i64_attr(found.depth);
        let contract = ContractOp::builder()
            .a(self.one(found.a))
            .b(self.one(found.b))
            .first(first)
            .row(row)
            .column(column)
            .sums(starts)
            .depth(depth)
            .registers(registers)
            .runs(runs)
            .apart(self.registers.apart.map(|apart| b.ctx().i64_attr(apart)))
            .threads(threads)
            .transpose_a(of_a)
            .transpose_b(of_b)
            .unsigned_a(free_a)
            .unsigned_b(free_b)
            .warpgroups(self.segmap.warpgroups(b.ir).map(|()| b.ctx().unit()))
            .tf32(found.tf32.map(|mode| mode.attr(b.ctx())))
            .build(b);
        contract.results(b.ir)
    }

    /// How many steps of a loop become one, and whether that is all of them.
    fn steps_at_once(&self, ir: &Ir, looped: ForOp) -> (i64, bool) {
        let known = |value: Value| ir.constant_int(self.one(value));
        let bounds = (
            known(looped.lower_bound(ir)),
            known(looped.upper_bound(ir)),
            known(looped.step(ir)),
        );
        let (Some(lower), Some(upper), Some(step @ 1..), None) =
            (bounds.0, bounds.1, bounds.2, looped.unsigned_cmp_attr(ir))
        else {
            return (1, false);
        };
        let length = upper.saturating_sub(lower).max(0);
        let trips = length / step + i64::from(length % step > 0);
        let ops = self.registers.points().saturating_mul(work(ir, looped));
        let most = (MOST_OPS / ops).min(MOST_STEPS).clamp(1, trips.max(1));
        let steps = (1..=most)
            .rev()
            .find(|steps| trips % steps == 0)
            .unwrap_or(1);
        (steps.min(trips), steps >= trips)
    }

    /// A branch that is the same at all points.
    fn branch(&mut self, b: &mut Builder<'_>, branch: IfOp, places: &[Value]) {
        let results: Vec<Value> = b.ir.results(branch.op()).collect();
        let along: Vec<Vec<bool>> = results.iter().map(|&result| self.along(result)).collect();
        let mut types = Vec::new();
        for (&result, along) in results.iter().zip(&along) {
            types.extend(vec![b.type_of(result); self.count(along)]);
        }
        let condition = self.one(branch.condition(b.ir));
        let new = IfOp::build(b, condition, &types).op();
        for region in 0..2 {
            let Some(old) = b.ir.entry_block(b.ir.region(branch.op(), region)) else {
                continue;
            };
            let region = b.ir.region(new, region);
            b.build_block(region, &[], |b, _| {
                let next = self.block(b, old, places);
                let next = self.all(&next, &along);
                YieldOp::build(b, &next);
            });
        }
        let values: Vec<Value> = b.ir.results(new).collect();
        self.bind(&results, &along, &values);
    }

    fn same(&self, value: Value) -> Copies {
        Copies {
            along: vec![false; self.threads.len()],
            values: vec![value],
        }
    }

    /// Values at all points that they differ at, one after another.
    fn all(&self, values: &[Value], along: &[Vec<bool>]) -> Vec<Value> {
        let rows = values.iter().zip(along);
        rows.flat_map(|(&value, along)| self.at_all(value, along))
            .collect()
    }

    /// `values`, as [`Self::all`] gives them, stand for `old`.
    fn bind(&mut self, old: &[Value], along: &[Vec<bool>], values: &[Value]) {
        let mut rest = values;
        for (&old, along) in old.iter().zip(along) {
            let (here, after) = rest.split_at(self.count(along).min(rest.len()));
            rest = after;
            let copies = Copies {
                along: along.clone(),
                values: here.to_vec(),
            };
            self.copies.insert(old, copies);
        }
    }
}

/// Ops of a step of a loop that are neither reads nor terminators, at least one.
fn work(ir: &Ir, looped: ForOp) -> i64 {
    let inside = ir.walk(looped.op()).into_iter().skip(1);
    let counted = |&op: &Op| !Read::is(ir, op) && !ir.isa::<YieldOp>(op);
    i64::try_from(inside.filter(counted).count().max(1)).unwrap_or(i64::MAX)
}

/// `first + number * step`
fn counter(b: &mut Builder<'_>, first: Value, step: Value, number: i64) -> Value {
    let known = |b: &Builder<'_>, value: Value| b.ir.constant_int(value);
    let ty = b.type_of(first);
    match (known(b, first), known(b, step)) {
        _ if number == 0 => first,
        (Some(first), Some(step)) => arith::ConstantOp::int(b, first + number * step, ty),
        (_, Some(step)) => {
            let more = arith::ConstantOp::int(b, number * step, ty);
            arith::AddIOp::build(b, first, more).result(b.ir)
        }
        _ => first, // not asked for: steps of loops of unknown length stay apart
    }
}

/// The index of a place for a thread, without what changes nothing.
fn index_at(b: &mut Builder<'_>, thread: Value, place: Place) -> Value {
    let mut value = thread;
    if place.factor != 1 {
        let factor = arith::ConstantOp::index(b, place.factor);
        value = arith::MulIOp::build(b, value, factor).result(b.ir);
    }
    if let Some((factor, threads)) = place.groups {
        let [factor, threads] = [factor, threads].map(|it| arith::ConstantOp::index(b, it));
        let group = arith::DivUIOp::build(b, thread, threads).result(b.ir);
        let more = arith::MulIOp::build(b, group, factor).result(b.ir);
        value = arith::AddIOp::build(b, value, more).result(b.ir);
    }
    if place.offset != 0 {
        let offset = arith::ConstantOp::index(b, place.offset);
        value = arith::AddIOp::build(b, value, offset).result(b.ir);
    }
    value
}
