//! Pass `advance-copies`: places of asynchronous copies in a loop are advanced from step to step instead of computed anew.
//!
//! ```mlir
//! scf.for %t = %c0 to %n step %c1 {                            %at0 = arith.addi %r0, %j          // at %t = 0
//!   %k = arith.muli %t, %c16                                   %by = arith.muli %c16, %m
//!   %r = arith.addi %k, %r0                                    scf.for %t = %c0 to %n step %c1 iter_args(%at = %at0) {
//!   %p = arith.muli %r, %m                             ==>       nvgpu.device_async_copy %x[%at], ...
//!   %at = arith.addi %p, %j                                      %next = arith.addi %at, %by
//!   nvgpu.device_async_copy %x[%at], ... }                       scf.yield %next }
//! ```
//! Places of 64 bits that grow by the same, as those of copies of one matrix do, are advanced together: one number is carried, and each
//! is that and what it is at first.
//!
//! ```mlir
//! scf.for ... iter_args(%moved = %c0) { %at = arith.addi %at0, %moved; ... scf.yield %moved + %by }
//! ```
//! LLVM then adds `%moved` to addresses that it knows before the loop: of a product of f32 in tiles of 128 by 128, four places of
//! either matrix take 167 registers for sm_90 instead of 201, and as many instructions.
//!
//! Places that are made of others are made of the carried ones in each step: the lesser of two places, as at the last row of a matrix,
//! and a sum of a place that others use, too, and of what is the same in all steps.
//!
//! Strength reduction, which the back end for PTX leaves out: a product of 64 bits is four instructions, and a loop over tiles of
//! a matrix has a hundred of them for four copies (`benches/README.md`, "Tiles").
//!
//! Legality: the place is the sum of a value known before the loop and of a multiple of the counter, known before it, too: sums,
//! differences, products of which one factor does not depend on the counter, and ops that may run at any time on what does not.
//! Integers wrap, so sums of steps are exact, in 32 bits (after `narrow-indices`) as in 64. At most [`MOST`] places of
//! a loop are advanced, since each takes a register; loops with more keep all of theirs. Only copies that are in no inner loop.

use rustc_hash::FxHashMap;
use segra_gpu::device::GpuFuncOp;
use segra_gpu::host::GpuModuleOp;
use segra_gpu::nvgpu::DeviceAsyncCopyOp;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::stack::deep;
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith;
use segra_std::scf::{ForOp, YieldOp};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct AdvanceCopies {}
}

const INFO: PassInfo = PassInfo {
    name: "advance-copies",
    summary: "advance the places of asynchronous copies in loops from step to step",
    reads: &["arith", "gpu", "nvgpu", "scf"],
    writes: &["arith", "scf"],
    anchors: Anchors::Ops(&[GpuFuncOp::DEF.name, GpuModuleOp::DEF.name]),
};

/// Most places of a loop that are advanced.
const MOST: usize = 8;

impl Pass for AdvanceCopies {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, root: Op, cx: &mut PassContext<'_>) -> PassResult {
        let loops: Vec<ForOp> = ir
            .walk(root)
            .into_iter()
            .filter_map(|op| ir.cast::<ForOp>(op))
            .collect();
        let mut advanced = 0;
        // Inner loops first: what is made anew is then no loop that is still to come.
        for looped in loops.into_iter().rev() {
            advanced += advance(ir, looped);
        }
        cx.count("places advanced", advanced as u64);
        Ok(Outcome::of(Changed::when(advanced > 0)))
    }
}

/// A place of copies in a loop.
struct Place {
    /// The index that is computed in the loop, before it is converted to that of the copy.
    value: Value,
    /// At the first step, and by how much it grows.
    first: Value,
    growth: Value,
}

/// The operands of copies in a loop, in no loop within it, that say where they copy from, or of what that is made of ([`Parts`]).
fn sources(ir: &Ir, looped: ForOp) -> Vec<(Op, usize)> {
    let mut parts = Parts {
        ir,
        looped,
        moving: FxHashMap::default(),
        found: Vec::new(),
    };
    for op in ir.walk(looped.op()) {
        let Some(copy) = ir.cast::<DeviceAsyncCopyOp>(op) else {
            continue;
        };
        let around = ir.ancestors(op).find(|&around| ir.isa::<ForOp>(around));
        let indices = copy.src_indices(ir);
        let at = copy.dst_indices(ir).len() + 2;
        if around == Some(looped.op()) && indices.len() == 1 {
            parts.add((op, at));
        }
    }
    parts.found
}

/// The value that an operand is a conversion of, from 32 bits, or the operand itself.
fn unconverted(ir: &Ir, value: Value) -> Value {
    let word = ir.def_as::<arith::IndexCastUIOp>(value);
    word.map_or(value, |word| word.r#in(ir))
}

/// The places of a loop that others are made of.
struct Parts<'a> {
    ir: &'a Ir,
    looped: ForOp,
    /// Whether values differ from step to step.
    moving: FxHashMap<Value, bool>,
    /// Each with the op and number of the operand that it is.
    found: Vec<(Op, usize)>,
}

impl Parts<'_> {
    /// Of the lesser of two places, both; of a place and what is the same in all steps, the place, where others are made of it, too.
    fn add(&mut self, at: (Op, usize)) {
        let ir = self.ir;
        let value = unconverted(ir, ir.operand(at.0, at.1));
        if !ir.is_defined_inside(value, self.looped.op()) {
            return;
        }
        let op = ir.defining_op(value);
        let lesser = op.filter(|&op| ir.isa::<arith::MinSIOp>(op));
        let sum = op.filter(|&op| ir.isa::<arith::AddIOp>(op));
        if let Some(op) = lesser {
            return (0..2).for_each(|number| deep(|| self.add((op, number))));
        }
        let shared = sum.and_then(|op| {
            let number = (0..2).find(|&number| !self.moves(ir.operand(op, 1 - number)))?;
            (!ir.has_one_use(ir.operand(op, number))).then_some((op, number))
        });
        match shared {
            Some(at) => deep(|| self.add(at)),
            None => self.found.push(at),
        }
    }

    fn moves(&mut self, value: Value) -> bool {
        if !self.ir.is_defined_inside(value, self.looped.op()) {
            return false;
        }
        if let Some(&known) = self.moving.get(&value) {
            return known;
        }
        let ir = self.ir;
        let moves = ir.defining_op(value).is_none_or(|op| {
            let pure = ir.regions(op).is_empty() && is_pure(ir, op);
            !pure || ir.operands(op).any(|operand| deep(|| self.moves(operand)))
        });
        self.moving.insert(value, moves);
        moves
    }
}

/// Advances the places of a loop's copies. How many there are.
fn advance(ir: &mut Ir, looped: ForOp) -> usize {
    let sources = sources(ir, looped);
    let mut values: Vec<Value> = Vec::new();
    for &(op, at) in &sources {
        let value = unconverted(ir, ir.operand(op, at));
        if ir.is_defined_inside(value, looped.op()) && !values.contains(&value) {
            values.push(value);
        }
    }
    if values.is_empty() || values.len() > MOST {
        return 0;
    }
    let mut split = Split::new(looped);
    let mut places = Vec::new();
    for value in values {
        if let Some((first, Some(growth))) = split.of(ir, value) {
            places.push(Place {
                value,
                first,
                growth,
            });
        }
    }
    if !places.is_empty() {
        carry(ir, looped, &places, &sources);
    }
    places.len()
}

/// How a loop carries places.
enum Carried {
    /// By itself.
    Alone(usize),
    /// As how far all of them have moved.
    Together(Vec<usize>),
}

/// Which places are carried together.
fn together(ir: &Ir, places: &[Place]) -> Vec<Carried> {
    let mut rest: Vec<usize> = (0..places.len()).collect();
    let mut all = Vec::new();
    while let Some(&first) = rest.first() {
        let growth = places[first].growth;
        // Sums in 32 bits wrap, and only their sum is an index.
        let wide = ir.value_type(places[first].value).is_index(ir.ctx());
        let (same, others) = rest
            .into_iter()
            .partition(|&number| number == first || wide && places[number].growth == growth);
        rest = others;
        let same: Vec<usize> = same;
        all.push(match same.len() {
            1 => Carried::Alone(first),
            _ => Carried::Together(same),
        });
    }
    all
}

/// The loop anew, carrying places.
fn carry(ir: &mut Ir, looped: ForOp, places: &[Place], sources: &[(Op, usize)]) {
    let groups = together(ir, places);
    let mut inits = looped.init_args(ir);
    let own = inits.len();
    for group in &groups {
        inits.push(match group {
            Carried::Alone(place) => places[*place].first,
            Carried::Together(_) => {
                let mut b = Builder::before(ir, looped.op());
                arith::ConstantOp::index(&mut b, 0)
            }
        });
    }
    let types: Vec<Type> = inits.iter().map(|&init| ir.value_type(init)).collect();
    let [lower, upper, step] = [
        looped.lower_bound(ir),
        looped.upper_bound(ir),
        looped.step(ir),
    ];
    let (unsigned, old) = (looped.unsigned_cmp_attr(ir), looped.region_block(ir));
    let mut b = Builder::before(ir, looped.op());
    let mut args = vec![b.type_of(lower)];
    args.extend(&types);
    let new = ForOp::builder()
        .lower_bound(lower)
        .upper_bound(upper)
        .step(step)
        .init_args(&inits)
        .unsigned_cmp(unsigned)
        .results_types(&types)
        .build(&mut b);
    let region = new.region(b.ir);
    b.build_block(region, &args, |b, args| {
        let (own, carried) = args.split_at(own + 1);
        let mut next = b.clone_block_body(old, own, &mut Mapping::new());
        for (group, &now) in groups.iter().zip(carried) {
            let place = match group {
                Carried::Alone(place) => *place,
                Carried::Together(all) => all[0],
            };
            next.push(arith::AddIOp::build(b, now, places[place].growth).result(b.ir));
        }
        YieldOp::build(b, &next);
        replace(b.ir, (looped, new), (places, &groups, carried), sources);
    });
    let results = new.results(ir);
    ir.replace_op(looped.op(), &results[..own]);
}

/// The copies of a new loop, and what their places are made of, take places from what it carries.
fn replace(
    ir: &mut Ir,
    (old, new): (ForOp, ForOp),
    (places, groups, carried): (&[Place], &[Carried], &[Value]),
    sources: &[(Op, usize)],
) {
    // The new loop has the ops of the old one in their order, and others behind them.
    let pairs: FxHashMap<Op, Op> = ir
        .walk(old.op())
        .into_iter()
        .zip(ir.walk(new.op()))
        .collect();
    for &(op, at) in sources {
        let value = unconverted(ir, ir.operand(op, at));
        let number = places.iter().position(|place| place.value == value);
        let (Some(number), Some(&copy)) = (number, pairs.get(&op)) else {
            continue;
        };
        let found = groups.iter().zip(carried).find_map(|(group, &now)| {
            let (inside, moved) = match group {
                Carried::Alone(place) => (*place == number, false),
                Carried::Together(all) => (all.contains(&number), true),
            };
            inside.then_some((now, moved))
        });
        let Some((mut now, moved)) = found else {
            continue;
        };
        if moved {
            let mut b = Builder::before(ir, copy);
            now = arith::AddIOp::build(&mut b, places[number].first, now).result(b.ir);
        }
        if ir.operand(op, at) != value {
            let index = ir.ctx().index();
            let mut b = Builder::before(ir, copy);
            now = arith::IndexCastUIOp::build(&mut b, now, index).out(b.ir);
        }
        ir.set_operand(copy, at, now);
    }
}

/// Values of a loop, divided into what they are at the first step and by how much they grow.
struct Split {
    looped: ForOp,
    known: FxHashMap<Value, Option<Divided>>,
    /// Values that have been built before the loop, by kind and operands: equal growths are one value.
    built: FxHashMap<(Built, Value, Value), Value>,
}

/// An op that is built.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Built {
    Sum,
    Difference,
    Product,
}

/// The value at the first step; its growth, where it does not stay the same.
type Divided = (Value, Option<Value>);

impl Split {
    fn new(looped: ForOp) -> Split {
        Split {
            looped,
            known: FxHashMap::default(),
            built: FxHashMap::default(),
        }
    }

    fn of(&mut self, ir: &mut Ir, value: Value) -> Option<Divided> {
        if !ir.is_defined_inside(value, self.looped.op()) {
            return Some((value, None));
        }
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        let divided = self.divide(ir, value);
        self.known.insert(value, divided);
        divided
    }

    fn divide(&mut self, ir: &mut Ir, value: Value) -> Option<Divided> {
        let looped = self.looped;
        if ir.block_args(looped.region_block(ir)).first() == Some(&value) {
            return Some((looped.lower_bound(ir), Some(looped.step(ir))));
        }
        let op = ir.defining_op(value)?;
        if !ir.regions(op).is_empty() || !is_pure(ir, op) || ir.num_results(op) != 1 {
            return None;
        }
        let operands: Vec<Value> = ir.operands(op).collect();
        let mut parts = Vec::new();
        for &operand in &operands {
            parts.push(deep(|| self.of(ir, operand))?);
        }
        if parts.iter().all(|part| part.1.is_none()) {
            if !is_speculatable(ir, op) {
                return None;
            }
            let firsts: Vec<Value> = parts.iter().map(|part| part.0).collect();
            return Some((self.again(ir, op, &firsts), None));
        }
        match parts[..] {
            [x, y] => self.binary(ir, op, x, y),
            [(first, Some(growth))] if self.is_exact(ir, op, operands[0]) => {
                let [first, growth] = [first, growth].map(|it| self.again(ir, op, &[it]));
                Some((first, Some(growth)))
            }
            _ => None,
        }
    }

    /// Whether a conversion of integers may be applied to first value and growth apart: one to fewer bits, or that of the
    /// counter, which does not wrap.
    fn is_exact(&self, ir: &Ir, op: Op, operand: Value) -> bool {
        let counter = ir.block_args(self.looped.region_block(ir)).first() == Some(&operand);
        let narrows = ir.value_type(operand).is_index(ir.ctx());
        ir.isa::<arith::IndexCastOp>(op) && (counter || narrows)
    }

    fn build(&mut self, ir: &mut Ir, kind: Built, x: Value, y: Value) -> Value {
        if let Some(&built) = self.built.get(&(kind, x, y)) {
            return built;
        }
        let mut b = Builder::before(ir, self.looped.op());
        let value = match kind {
            Built::Sum => arith::AddIOp::build(&mut b, x, y).result(b.ir),
            Built::Difference => arith::SubIOp::build(&mut b, x, y).result(b.ir),
            Built::Product => arith::MulIOp::build(&mut b, x, y).result(b.ir),
        };
        self.built.insert((kind, x, y), value);
        value
    }

    fn binary(&mut self, ir: &mut Ir, op: Op, x: Divided, y: Divided) -> Option<Divided> {
        let ((x, of_x), (y, of_y)) = (x, y);
        if ir.isa::<arith::AddIOp>(op) {
            let growth = match (of_x, of_y) {
                (Some(x), Some(y)) => Some(self.build(ir, Built::Sum, x, y)),
                (one, other) => one.or(other),
            };
            return Some((self.build(ir, Built::Sum, x, y), growth));
        }
        if ir.isa::<arith::SubIOp>(op) {
            let growth = match (of_x, of_y) {
                (x, None) => x,
                (x, Some(y)) => {
                    let mut b = Builder::before(ir, self.looped.op());
                    let zero = constant(&mut b, 0, y);
                    Some(self.build(ir, Built::Difference, x.unwrap_or(zero), y))
                }
            };
            return Some((self.build(ir, Built::Difference, x, y), growth));
        }
        if ir.isa::<arith::MulIOp>(op) {
            let growth = match (of_x, of_y) {
                (Some(growth), None) => self.build(ir, Built::Product, growth, y),
                (None, Some(growth)) => self.build(ir, Built::Product, x, growth),
                _ => return None,
            };
            return Some((self.build(ir, Built::Product, x, y), Some(growth)));
        }
        None
    }

    /// The op before the loop, on other operands.
    fn again(&self, ir: &mut Ir, op: Op, operands: &[Value]) -> Value {
        let mut b = Builder::before(ir, self.looped.op());
        let copy = b.clone_op(op, &mut Mapping::new());
        ir.set_operands(copy, operands);
        // A promise about the value in the loop is none about its parts.
        if !operands.is_empty() && ir.attr_named(copy, "overflowFlags").is_some() {
            ir.set_attr_named(copy, "overflowFlags", None);
        }
        ir.result(copy, 0)
    }
}

/// A number of the type of another.
fn constant(b: &mut Builder<'_>, number: i64, like: Value) -> Value {
    let ty = b.type_of(like);
    arith::ConstantOp::int(b, number, ty)
}
