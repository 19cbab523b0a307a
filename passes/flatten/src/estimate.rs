//! Cycles that versions of a nest take, as numbers that the host computes from extents before it chooses.
//!
//! ```text
//! segmap (i < n) { for j < m { read xss[i, j]; addi } }    =>   LAUNCH + m * (OWN_ACCESS + 2 * OP)
//! ```
//!
//! The cycles are a sum of products: a number, times the trips of the loops around. A loop whose bound is made inside a version
//! counts with an upper bound from outside: the bound of the loop whose variable it is, the extent of an array that
//! it traverses, or the most that a number becomes which loops carry ([`crate::growth`]); one that nothing bounds counts with a number of iterations, the same in all versions. Both branches of a
//! condition count, as the threads of a warp take both.
//!
//! Estimated is the latency of one warp or thread block, which decides while a GPU has threads to spare, and the instructions of
//! all, which decide where it has none. Not here: bandwidth, which thresholds on the number of points stand for.

use crate::cycles::{Cycles, Times, in_warps};
use crate::point::{index_constant, multiply};
use crate::versions::byte_width;
use rustc_hash::FxHashMap;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{LoopBounds, LoopLike, is_speculatable, work_of};
use segra_ir::{Block, Builder, Ir, Op, Region, Trait, Value, ValueDef};
use segra_kernel::access::{Read, Update};
use segra_kernel::extent::{extent_of, origin_of, resolved};
use segra_kernel::level::Level;
use segra_kernel::near::NearOp;
use segra_kernel::rows;
use segra_kernel::segop::{Combiner, SegMapOp, SegmentedOp};
use segra_kernel::turns::warps_for_segments;
use segra_std::arith::{self, index};
use segra_std::check::RequireOp;
use segra_std::scf;
use segra_std::tensor::{DimOp, ExtractSliceOp, FromElementsOp, InsertSliceOp};

// Cycles are those of the simulator's H100 (`crates/ptx/src/profile/machine.rs`, which names the sources): 1830 MHz, launches of
// 3 and 1 us, 4 cycles of arithmetic, 23 to shared memory, 33 to L1 cache, 260 to L2 cache, 560 to memory.

/// A kernel that the host launches, its first read from memory and its last write to it.
pub(crate) const LAUNCH: i64 = 3 * 1_830 + 2 * 560;
/// One that is launched in a loop of the host, after the first iteration: as part of a graph, and the kernel before it has left
/// what it reads in L2 cache.
const LAUNCH_IN_LOOP: i64 = 1_830 + 2 * 260;
/// An op of a thread, with the arithmetic for addresses that goes with it: two instructions.
const OP: i64 = 2 * 4;
/// An access to what all threads of a warp access: L1 cache.
const SHARED_ACCESS: i64 = 33;
/// An access to what is a thread's alone: a warp's threads access as many lines. Assumed is that half of them are in L1 cache, the
/// others in memory. Half of it (in the profile long rows of f32 take 44 to 190) leads to another choice in one of 81 rows of
/// `benches/choices.py`.
const OWN_ACCESS: i64 = (33 + 560) / 2;
/// A word that passes from one thread of a warp to another, or through shared memory from warp to warp, and its two instructions;
/// further words of the same value are on their way together with it.
const EXCHANGE: i64 = 23 + OP;
/// Times that a warp applies an operator one after another.
const WARP_ROUNDS: i64 = 5;
/// The same of a thread block: then to what its warps have.
const ROUNDS: i64 = WARP_ROUNDS + 1;
/// Warps of a thread block at most: option `block-size` of `lower-to-gpu`, and its default.
pub(crate) const WARPS: i64 = 256 / LANES;
/// Rows are taken to have fewer than 2 to this power elements.
const FAR: i64 = 31;
/// Threads of a warp.
pub(crate) const LANES: i64 = 32;
/// Where threads of a block wait for one another: one writes to shared memory what the others read, by a few instructions. With
/// it, a sum of f32 takes 292 cycles in a thread block, of f64 340; each more that depends on it has 178 and 370 in the profile.
const BARRIER: i64 = 2 * 23 + 3 * 4;
/// A division by what is no constant, as that which tells a thread an index in a space with several dimensions: the profile has 12
/// to 29 instructions more for each.
const DIVISION: i64 = 25 * 4;

/// Ops that say what stands for an element outside, for each dimension in which a neighbour is read.
const BOUNDARY: i64 = 3 * OP;

/// Iterations of a loop that nothing bounds: so many that one of five ops takes as long as a launch.
const UNBOUNDED: i64 = LAUNCH / (5 * OP);

/// Loops that begin at so much or less are taken to begin at 0.
const NEAR: i64 = 16;

/// Most extents in a product.
const MOST_FACTORS: usize = 12;
/// Most steps from an extent to a bound of it.
const MOST_STEPS: usize = 24;
/// Most ops that are copied for an extent, so that the host knows it before it chooses.
const MOST_COPIED: usize = 16;
/// Numbers that loops carry whose bounds lead to one another, at most.
const MOST_CARRIED: usize = 3;

/// The unit that executes a block of code.
#[derive(Clone, Copy, PartialEq)]
enum By {
    /// The host, which launches kernels.
    Host {
        in_loop: bool,
    },
    /// A thread block, whose threads share segmented ops.
    Block,
    Thread,
}

/// A bound of an extent from outside of a choice.
#[derive(Clone, Copy)]
pub(crate) enum Bound {
    Constant(i64),
    Value(Value),
}

impl Bound {
    pub(crate) fn emit(&self, b: &mut Builder<'_>) -> Value {
        match *self {
            Bound::Constant(constant) => index_constant(b, constant),
            Bound::Value(value) => value,
        }
    }
}

/// Estimates the versions in the branches of a choice.
pub(crate) struct Estimator<'a> {
    pub(crate) ir: &'a mut Ir,
    choice: Op,
    /// The host computes estimates before it.
    pub(crate) before: Op,
    /// Numbers that loops carry whose bound is being asked for.
    asked: Vec<Value>,
    /// Bounds of loops that traverse an array, by the bound in the program: other loops have the same.
    traversing: FxHashMap<Value, Bound>,
    /// Threads for the widest segmented op that thread blocks execute, where all are known outside of the choice.
    pub(crate) widest: Option<Value>,
    /// Arrays that thread blocks have in shared memory.
    shared: Vec<Value>,
}

impl<'a> Estimator<'a> {
    pub(crate) fn new(ir: &'a mut Ir, choice: Op, before: Op) -> Self {
        let widest = None;
        Self {
            ir,
            choice,
            before,
            asked: Vec::new(),
            traversing: FxHashMap::default(),
            widest,
            shared: Vec::new(),
        }
    }

    /// Cycles of the kernels that the host launches in a region of the choice; choices inside take their last branch, which
    /// is the flat version. `None` where nothing bounds a loop.
    pub(crate) fn launches(&mut self, region: Region) -> Option<Cycles> {
        let mut cycles = Cycles::default();
        // An explicit stack: nesting depth is the input's, not the host stack's.
        let mut pending = vec![(
            self.ir.entry_block(region)?,
            Times::once(),
            By::Host { in_loop: false },
        )];
        while let Some((block, times, by)) = pending.pop() {
            for op in self.ir.ops(block).collect::<Vec<_>>() {
                self.op(op, &times, by, &mut cycles, &mut pending)?;
            }
        }
        Some(cycles)
    }

    /// Cycles of the one kernel that `rows-in-blocks` makes of all that a region of the choice launches, a thread block for
    /// each row; and whether it is made, as code. `None` where it makes none.
    pub(crate) fn joined(&mut self, region: Region) -> Option<(Cycles, Value)> {
        let block = self.ir.entry_block(region)?;
        let [group] = &mut rows::groups(self.ir, block)[..] else {
            return None;
        };
        let is_launched = |op: Op| self.ir.interface::<dyn SegmentedOp>(op).is_some();
        let others = self.ir.ops(block).filter(|op| !group.members.contains(op));
        if others.flat_map(|op| self.ir.walk(op)).any(is_launched) {
            return None;
        }
        for size in &mut group.space {
            *size = self.outside(*size)?;
        }
        let mut cycles = Cycles::default();
        cycles.wait(&Times::once(), LAUNCH);
        let mut row = Times::once();
        row.blocks = self.product(group.outer());
        row.warps = row.blocks;
        let mut pending = Vec::new();
        for &op in &group.members {
            let model = self.ir.interface::<dyn SegmentedOp>(op)?;
            let (sizes, body) = (model.sizes(self.ir, op), model.body(self.ir, op));
            let mut times = row.clone();
            if sizes.len() == group.space.len() {
                let combiner = Some(Combiner::Block).filter(|_| !self.ir.isa::<SegMapOp>(op));
                times = self.turns(&[group.length()], combiner, &times);
                cycles.wait(&times, BARRIER);
                self.combine(op, combiner, &times, &mut cycles);
            }
            pending.push((self.ir.entry_block(body)?, times, By::Thread));
            self.shared.extend(self.ir.results(op));
        }
        while let Some((block, times, by)) = pending.pop() {
            for op in self.ir.ops(block).collect::<Vec<_>>() {
                self.op(op, &times, by, &mut cycles, &mut pending)?;
            }
        }
        self.shared.clear();
        let mut b = Builder::before(self.ir, self.before);
        let fits = group.fits(&mut b);
        let weight = group.weight(&mut b);
        let shortest = index_constant(&mut b, rows::SHORTEST);
        let long = index::cmp(&mut b, arith::CmpIPredicate::Sgt, weight, shortest);
        let made = arith::AndIOp::build(&mut b, fits, long).result(b.ir);
        Some((cycles, made))
    }

    fn op(
        &mut self,
        op: Op,
        times: &Times,
        by: By,
        cycles: &mut Cycles,
        pending: &mut Vec<(Block, Times, By)>,
    ) -> Option<()> {
        if let Some(model) = self.ir.interface::<dyn SegmentedOp>(op) {
            let level = model.level(self.ir, op);
            let sizes = model.sizes(self.ir, op).to_vec();
            let dims = sizes.len() as i64;
            let inside = match by {
                By::Host { .. } if level == Level::Block => By::Block,
                _ => By::Thread,
            };
            let divisions = DIVISION * (dims - 1).max(0);
            let on_host = matches!(by, By::Host { .. }) && inside == By::Thread;
            let kernels = 1 + if on_host { self.turned(op) } else { 0 };
            if by == (By::Host { in_loop: true }) {
                cycles.wait(&Times::once(), kernels * (LAUNCH - LAUNCH_IN_LOOP));
            }
            cycles.wait(times, kernels * self.started(by));
            let body = model.body(self.ir, op);
            let combiner = match by {
                By::Block => Combiner::of(self.ir, op),
                _ => Some(Combiner::Block),
            };
            let mut times = match by {
                By::Block => self.turns(&sizes, combiner, times),
                _ => times.clone(),
            };
            if inside == By::Block {
                times.blocks = self.product(&sizes);
                times.warps = times.blocks;
            } else if on_host {
                times.warps = self.warps(&sizes);
            }
            cycles.execute(&times, divisions);
            self.combine(op, combiner, &times, cycles);
            pending.push((self.ir.entry_block(body)?, times, inside));
            return Some(());
        }
        if self.ir.interface::<dyn LoopLike>(op).is_some() {
            let times = self.repeated(op, times)?;
            let by = match by {
                By::Host { .. } => By::Host { in_loop: true },
                _ => by,
            };
            if by == By::Thread {
                cycles.execute(&times, 2 * OP);
            }
            self.blocks(op, &times, by, pending);
            return Some(());
        }
        match by {
            By::Host { .. } => {
                if let Some(branch) = self.ir.cast::<scf::IfOp>(op) {
                    let last = self.ir.entry_block(branch.else_region(self.ir));
                    pending.extend(last.map(|block| (block, times.clone(), by)));
                }
            }
            By::Block | By::Thread => {
                self.blocks(op, times, by, pending);
                let (own, access) = self.own_cycles(op);
                cycles.execute(times, own);
                match times.busy {
                    Some(busy) if access == OWN_ACCESS => {
                        cycles.wait(times, SHARED_ACCESS);
                        cycles.wait(&times.for_each(busy), (OWN_ACCESS - SHARED_ACCESS) / LANES);
                    }
                    _ => cycles.wait(times, access),
                }
            }
        }
        Some(())
    }

    /// How often a thread of a thread block does a point's element: warps that combine a segment each take turns where there are more
    /// segments than warps, and a thread that combines one alone has all of its elements.
    fn turns(&mut self, sizes: &[Value], combiner: Option<Combiner>, times: &Times) -> Times {
        let mut times = times.clone();
        let Some((&last, outer)) = sizes.split_last() else {
            return times;
        };
        let (Some(last), Some(segments)) = (self.bound(last), self.product(outer)) else {
            return times;
        };
        let mut b = Builder::before(self.ir, self.before);
        let last = last.emit(&mut b);
        let mut points = multiply(&mut b, segments, last);
        let warps = match combiner {
            Some(Combiner::Warp) => {
                let [one, lanes, most] =
                    [1, LANES, WARPS].map(|value| index_constant(&mut b, value));
                let mut warps = arith::CeilDivSIOp::build(&mut b, points, lanes).result(b.ir);
                if let Some(blocks) = times.blocks {
                    let each = warps_for_segments(&mut b, segments, blocks);
                    warps = arith::MaxSIOp::build(&mut b, warps, each).result(b.ir);
                }
                warps = arith::MinSIOp::build(&mut b, warps, most).result(b.ir);
                warps = arith::MaxSIOp::build(&mut b, warps, one).result(b.ir);
                let turns = arith::CeilDivSIOp::build(&mut b, segments, warps).result(b.ir);
                times.busy = Some(arith::MinSIOp::build(&mut b, last, lanes).result(b.ir));
                times.extents.push(turns);
                let threads = multiply(&mut b, warps, lanes);
                points = arith::MaxSIOp::build(&mut b, points, threads).result(b.ir);
                warps
            }
            Some(Combiner::Thread) => {
                times.extents.push(last);
                in_warps(&mut b, segments)
            }
            Some(Combiner::Block) | None => in_warps(&mut b, points),
        };
        times.warps = times.blocks.map(|blocks| multiply(&mut b, blocks, warps));
        self.widest = Some(match self.widest {
            None => points,
            Some(widest) => arith::MaxSIOp::build(&mut b, widest, points).result(b.ir),
        });
        times
    }

    /// Warps for a thread at each point of a space, where its extents are known outside of the choice.
    fn warps(&mut self, sizes: &[Value]) -> Option<Value> {
        let points = self.product(sizes)?;
        let mut b = Builder::before(self.ir, self.before);
        Some(in_warps(&mut b, points))
    }

    /// The product of extents, where all are known outside of the choice.
    fn product(&mut self, sizes: &[Value]) -> Option<Value> {
        let bounds: Option<Vec<Bound>> = sizes.iter().map(|&size| self.bound(size)).collect();
        let mut b = Builder::before(self.ir, self.before);
        let mut product = index_constant(&mut b, 1);
        for bound in bounds? {
            let bound = bound.emit(&mut b);
            product = multiply(&mut b, product, bound);
        }
        Some(product)
    }

    fn blocks(&self, op: Op, times: &Times, by: By, pending: &mut Vec<(Block, Times, By)>) {
        let regions = self.ir.regions(op).iter();
        let blocks = regions.flat_map(|&region| self.ir.blocks(region));
        pending.extend(blocks.map(|block| (block, times.clone(), by)));
    }

    /// Cycles of a segmented op beside the code of its points and its operator.
    fn started(&self, by: By) -> i64 {
        match by {
            By::Host { in_loop: false } => LAUNCH,
            By::Host { in_loop: true } => LAUNCH_IN_LOOP,
            By::Block => BARRIER,
            By::Thread => 0,
        }
    }

    /// Arrays that threads make, each of which takes a transposition: threads have their elements side by side.
    fn turned(&self, op: Op) -> i64 {
        let Some(segmap) = self.ir.cast::<SegMapOp>(op) else {
            return 0;
        };
        let last = self.ir.last_op(segmap.body_block(self.ir));
        let returned = last.into_iter().flat_map(|last| self.ir.operands(last));
        let types = returned.map(|value| self.ir.value_type(value));
        types
            .filter(|ty| ty.shaped(self.ir.ctx()).is_some())
            .count() as i64
    }

    /// A thread block combines the values of its threads, or a warp, or a thread alone.
    fn combine(&self, op: Op, combiner: Option<Combiner>, times: &Times, cycles: &mut Cycles) {
        for &region in self.ir.regions(op).iter().skip(1) {
            let Some(block) = self.ir.entry_block(region) else {
                continue;
            };
            let work: u64 = self.ir.ops(block).map(|op| work_of(self.ir, op)).sum();
            let work = OP * i64::from(u32::try_from(work).unwrap_or(u32::MAX));
            let arguments = self.ir.block_args(block).iter();
            let bytes = |&value| byte_width(self.ir.ctx(), self.ir.value_type(value));
            // One of the two values that an operator combines comes from another thread.
            let words = arguments.map(|value| (bytes(value) + 3) / 4).sum::<i64>() / 2;
            let once = work + EXCHANGE + OP * (words - 1).max(0);
            match combiner {
                Some(Combiner::Thread) => cycles.execute(times, work),
                Some(Combiner::Warp) => cycles.execute(times, WARP_ROUNDS * once),
                Some(Combiner::Block) | None => {
                    cycles.wait(times, BARRIER + ROUNDS * once);
                    // Each warp of a thread block takes all its rounds. Kernels of short segments have a few threads for each, which combine
                    // most elements one after another.
                    let rounds = if times.blocks.is_some() {
                        WARP_ROUNDS
                    } else {
                        1
                    };
                    cycles.issue(times, rounds * once);
                }
            }
        }
    }

    /// One execution of an op of a thread, without its regions, and its access to memory.
    fn own_cycles(&self, op: Op) -> (i64, i64) {
        if names_shape(self.ir, op) {
            return (0, 0);
        }
        let Some((array, indices)) = self.accessed(op) else {
            let work = if self.ir.regions(op).is_empty() {
                u32::try_from(work_of(self.ir, op)).unwrap_or(u32::MAX)
            } else {
                1
            };
            let divisor = arith::integer_divisor(self.ir, op);
            let divides = divisor.is_some_and(|by| self.ir.constant_int(by).is_none());
            return (OP * i64::from(work) + if divides { DIVISION } else { 0 }, 0);
        };
        if self.is_resized(op, array) {
            // Nobody waits for a store.
            let stored = Update::is(self.ir, op);
            return (OP, if stored { 0 } else { SHARED_ACCESS });
        }
        let made = self.ir.is_defined_inside(array, self.choice);
        let own = made || indices.iter().any(|&index| self.differs(index));
        let own = own && !self.shared.contains(&array);
        let near = self.ir.cast::<NearOp>(op);
        let offsets = near.map_or(Vec::new(), |near| near.offsets(self.ir).to_vec());
        let moved = offsets.iter().filter(|&&offset| offset != 0).count() as i64;
        (
            OP + BOUNDARY * moved,
            if own { OWN_ACCESS } else { SHARED_ACCESS },
        )
    }

    /// Whether a value may differ between the points of a nest.
    fn differs(&self, value: Value) -> bool {
        let (mut pending, mut steps) = (vec![value], 0);
        while let Some(value) = pending.pop() {
            steps += 1;
            if steps > MOST_STEPS {
                return true;
            }
            if !self.ir.is_defined_inside(value, self.choice) {
                continue;
            }
            match self.ir.value_def(value) {
                ValueDef::Argument { block, .. } => {
                    let around = self.ir.block_parent(block);
                    let bounds = around.and_then(|around| self.bounds_of(around, value));
                    match bounds {
                        Some(bounds) => pending.extend([bounds.lower, bounds.step]),
                        None => return true,
                    }
                }
                ValueDef::Result { op, .. } => pending.extend(self.ir.operands(op)),
            }
        }
        false
    }

    fn bounds_of(&self, around: Op, variable: Value) -> Option<LoopBounds> {
        let model = self.ir.interface::<dyn LoopLike>(around)?;
        let variables = model.induction_vars(self.ir, around);
        let at = variables.iter().position(|&found| found == variable)?;
        model.bounds(self.ir, around).get(at).copied()
    }

    /// How often the body of a loop is executed at most.
    fn repeated(&mut self, op: Op, times: &Times) -> Option<Times> {
        let model = self.ir.interface::<dyn LoopLike>(op)?;
        let mut times = times.clone();
        if let Some(trips) = model.trip_count(self.ir, op) {
            let trips = i64::try_from(trips).unwrap_or(i64::MAX);
            times.constant = times.constant.saturating_mul(trips);
            return Some(times);
        }
        let bounds = model.bounds(self.ir, op);
        let variables = model.induction_vars(self.ir, op);
        if bounds.is_empty() {
            times.constant = times.constant.saturating_mul(UNBOUNDED);
        }
        for (bounds, variable) in bounds.into_iter().zip(variables) {
            let mut bound = self.bound(bounds.upper);
            if bound.is_none() {
                let upper = resolved(self.ir, bounds.upper);
                bound = self.traversed(op, variable);
                match bound {
                    Some(met) => drop(self.traversing.insert(upper, met)),
                    None => bound = self.traversing.get(&upper).copied(),
                }
            }
            match bound {
                Some(Bound::Value(bound)) => times.extents.push(self.trips(bounds, bound)),
                Some(Bound::Constant(bound)) => {
                    times.constant = times.constant.saturating_mul(bound.max(0));
                }
                None => times.constant = times.constant.saturating_mul(UNBOUNDED),
            }
        }
        (times.extents.len() <= MOST_FACTORS).then_some(times)
    }

    /// Iterations from a loop's lower bound to `upper`.
    pub(crate) fn trips(&mut self, bounds: LoopBounds, upper: Value) -> Value {
        let from = match self.ir.constant_int(bounds.lower) {
            Some(lower) if (0..=NEAR).contains(&lower) => None,
            _ => self.outside(bounds.lower),
        };
        let step = self.ir.constant_int(bounds.step).filter(|&step| step > 1);
        let mut b = Builder::before(self.ir, self.before);
        let mut trips = upper;
        if let Some(from) = from {
            let zero = index_constant(&mut b, 0);
            let distance = arith::SubIOp::build(&mut b, upper, from).result(b.ir);
            trips = arith::MaxSIOp::build(&mut b, distance, zero).result(b.ir);
        }
        match step {
            Some(step) => {
                let step = index_constant(&mut b, step);
                arith::CeilDivSIOp::build(&mut b, trips, step).result(b.ir)
            }
            None => trips,
        }
    }

    /// A bound of an index or extent from outside of the choice.
    pub(crate) fn bound(&mut self, value: Value) -> Option<Bound> {
        let mut value = value;
        for _ in 0..MOST_STEPS {
            value = resolved(self.ir, value);
            if let Some(constant) = self.ir.constant_int(value) {
                return Some(Bound::Constant(constant));
            }
            if let Some(outside) = self.outside(value) {
                return Some(Bound::Value(outside));
            }
            if self.is_small_share(value) {
                return Some(Bound::Constant(0));
            }
            if !self.asked.contains(&value) && self.asked.len() < MOST_CARRIED {
                self.asked.push(value);
                let carried = self.carried(value);
                self.asked.pop();
                if carried.is_some() {
                    return carried;
                }
            }
            value = match self.ir.value_def(value) {
                ValueDef::Argument { block, index } => {
                    let around = self.ir.block_parent(block)?;
                    match self.ir.interface::<dyn SegmentedOp>(around) {
                        Some(model) => *model.sizes(self.ir, around).get(index as usize)?,
                        None => self.bounds_of(around, value)?.upper,
                    }
                }
                ValueDef::Result { op, .. } => self.not_below(op)?,
            };
        }
        None
    }

    /// Whether a number is how many times an extent has so many elements as rows do not have (filters count by 32 bits).
    fn is_small_share(&self, value: Value) -> bool {
        let shifted = self.ir.def_as::<arith::ShRUIOp>(value);
        let by = shifted.and_then(|shifted| self.ir.constant_int(shifted.rhs(self.ir)));
        by.is_some_and(|by| by >= FAR)
    }

    /// An operand that a result is not above, or not by more than a constant.
    pub(crate) fn not_below(&self, op: Op) -> Option<Value> {
        let ir = &*self.ir;
        let is_known =
            |value| ir.constant_int(value).is_some() || !ir.is_defined_inside(value, self.choice);
        if let Some(require) = ir.cast::<RequireOp>(op) {
            return Some(require.value(ir));
        }
        if let Some(smaller) = ir.cast::<arith::MinSIOp>(op) {
            let (x, y) = (smaller.lhs(ir), smaller.rhs(ir));
            return Some(if is_known(x) { x } else { y });
        }
        if let Some(sum) = ir.cast::<arith::AddIOp>(op) {
            let (x, y) = (sum.lhs(ir), sum.rhs(ir));
            return ir.constant_int(y).map(|_| x);
        }
        if let Some(larger) = ir.cast::<arith::MaxSIOp>(op) {
            let (x, y) = (larger.lhs(ir), larger.rhs(ir));
            return ir.constant_int(y).map(|_| x);
        }
        if let Some(difference) = ir.cast::<arith::SubIOp>(op) {
            return Some(difference.lhs(ir));
        }
        if let Some(rest) = ir.cast::<arith::RemUIOp>(op) {
            return Some(rest.rhs(ir));
        }
        let quotient = ir.isa::<arith::DivSIOp>(op) || ir.isa::<arith::DivUIOp>(op);
        ir.operands(op).next().filter(|_| quotient)
    }

    /// The extent of an array that a loop traverses: reads or writes at its variable, or a constant number of elements on.
    fn traversed(&mut self, op: Op, variable: Value) -> Option<Bound> {
        let body = self.ir.value_block(variable)?;
        debug_assert_eq!(self.ir.block_parent(body), Some(op));
        self.ir
            .ops(body)
            .collect::<Vec<_>>()
            .into_iter()
            .find_map(|user| {
                let (array, indices) = self.accessed(user)?;
                let at = indices
                    .iter()
                    .position(|&index| self.follows(index, variable))?;
                match extent_of(self.ir, array, at) {
                    Some(extent) => self.bound(extent),
                    None => self.extent_outside(origin_of(self.ir, array, at)),
                }
            })
    }

    /// The extent of an array from outside of the choice, which no value says.
    fn extent_outside(&mut self, (array, dim): (Value, usize)) -> Option<Bound> {
        if self.ir.is_defined_inside(array, self.choice) {
            return None;
        }
        let mut b = Builder::before(self.ir, self.before);
        Some(Bound::Value(DimOp::of(&mut b, array, dim)))
    }

    /// The array that an op reads or writes an element of, and where.
    fn accessed(&self, op: Op) -> Option<(Value, Vec<Value>)> {
        let ir = &*self.ir;
        if let Some(read) = Read::of(ir, op) {
            return Some((read.tensor(ir), read.indices(ir)));
        }
        if let Some(near) = ir.cast::<NearOp>(op) {
            return Some((near.tensor(ir), near.indices(ir)));
        }
        let update = Update::of(ir, op)?;
        Some((update.tensor(ir), update.indices(ir)))
    }

    /// Whether an index is a loop's variable, but for sums with and products by constants.
    fn follows(&self, index: Value, variable: Value) -> bool {
        let mut index = index;
        for _ in 0..MOST_STEPS {
            if index == variable {
                return true;
            }
            let operands = match self.ir.defining_op(index) {
                Some(op)
                    if self.ir.isa::<arith::AddIOp>(op) || self.ir.isa::<arith::MulIOp>(op) =>
                {
                    self.ir.operands(op)
                }
                _ => return false,
            };
            let mut others = operands.filter(|&operand| self.ir.constant_int(operand).is_none());
            match (others.next(), others.next()) {
                (Some(next), None) => index = next,
                _ => return false,
            }
        }
        false
    }

    /// The value itself where it is made before the choice, else a copy of the pure ops that make it from what is.
    fn outside(&mut self, value: Value) -> Option<Value> {
        let mut left = MOST_COPIED;
        if !self.comes_from_outside(value, &mut left) {
            return None;
        }
        Some(self.copied(value, &mut Mapping::new()))
    }

    /// Whether a value is made of what is before the choice, by so many pure ops at most.
    fn comes_from_outside(&self, value: Value, left: &mut usize) -> bool {
        if !self.ir.is_defined_inside(value, self.choice) {
            return true;
        }
        let ValueDef::Result { op, .. } = self.ir.value_def(value) else {
            return false;
        };
        let pure = self.ir.has_trait(op, Trait::Pure) && self.ir.regions(op).is_empty();
        if *left == 0 || !pure || !is_speculatable(self.ir, op) {
            return false;
        }
        *left -= 1;
        let mut operands = self.ir.operands(op);
        operands.all(|operand| self.comes_from_outside(operand, left))
    }

    /// A value that comes from outside of the choice, there.
    fn copied(&mut self, value: Value, made: &mut Mapping) -> Value {
        if !self.ir.is_defined_inside(value, self.choice) {
            return value;
        }
        let ValueDef::Result { op, index } = self.ir.value_def(value) else {
            return value;
        };
        for operand in self.ir.operands(op).collect::<Vec<_>>() {
            let copy = self.copied(operand, made);
            made.map(operand, copy);
        }
        let copy = Builder::before(self.ir, self.before).clone_op(op, made);
        self.ir.result(copy, index as usize)
    }
}

/// Whether an op only says of which dimension or of what size something is: it becomes no instruction.
fn names_shape(ir: &Ir, op: Op) -> bool {
    if ir.isa::<FromElementsOp>(op) {
        return true;
    }
    let constant = ir.has_trait(op, Trait::ConstantLike);
    let names = |user: Op| match constant {
        true => ir.isa::<DimOp>(user),
        false => ir.isa::<ExtractSliceOp>(user) || ir.isa::<InsertSliceOp>(user),
    };
    (constant || ir.isa::<DimOp>(op))
        && ir
            .results(op)
            .all(|result| ir.has_uses(result) && ir.users(result).all(names))
}
