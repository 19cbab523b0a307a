//! Questions that compare estimates of the versions of a map, asked once the versions are there.
//!
//! | threshold | hundredths of | that this takes | more than it |
//! |---|---|---|---|
//! | `NAME.intra.N.few` | a thread block for each point | launches of the flat version | the thread blocks |
//! | `NAME.top.N.short` | one thread for each point | the faster of the other two | sequential points |
//! | `NAME.top.N.slow` | one thread for each point, of many that have nests | the faster of the other two | sequential points |
//!
//! `NAME.intra.N`, whose yes is taken without an estimate, has eight times its default beside `NAME.intra.N.few`. Where the flat
//! version is one reduction or scan, it is asked for the elements of each turn of thread blocks; where it is one histogram, there is no
//! such version.
//!
//! Not here: thresholds on the number of points ([`versions`](crate::versions)) and on the length of their rows ([`lines`](crate::lines)), and what is estimated ([`estimate`](crate::estimate)).

use crate::cycles::Cycles;
use crate::estimate::{Estimator, LANES, LAUNCH, WARPS};
use crate::function::Flattener;
use crate::point::{add, index_constant, multiply};
use segra_ir::interfaces::LoopLike;
use segra_ir::{Builder, Op, OpView, Region, Value};
use segra_kernel::level::Level;
use segra_kernel::segop::{Combiner, SegMapOp, SegmentedOp};
use segra_kernel::threshold::AtLeastOp;
use segra_kernel::turns::{BLOCKS_AT_ONCE, Turns};
use segra_kernel::update::SegHistOp;
use segra_std::{arith, scf};

/// Hundredths of the time of sequential points that the other versions take, from which on enough points are sequential where they have
/// nests, of which the flat version makes tiles: it shares what it reads, which the estimate does not know. Attention of 8 heads
/// of 4,096 by 128, by the estimate 16, takes 297 us on an H100 and in nests apart 61; of 2 of 16,500 by 64, by the estimate 29, 113 and
/// 152.
const SLOW: i64 = 20;
/// So many thread blocks of few threads a large GPU runs at once.
const MOST_AT_ONCE: i64 = 1 << 12;

impl Flattener<'_> {
    /// In the place of a question that [`Self::ask_estimates`] may ask: no.
    pub(crate) fn not_asked(&mut self, op: Op) -> Value {
        let (loc, truth) = (self.ir.loc(op), self.ctx.i1());
        arith::ConstantOp::int(&mut self.builder(loc), 0, truth)
    }

    /// Where the flat version has several launches: asks whether thread blocks are faster, in the place of `few`, and, as
    /// another reason for the first version of the choice that gives these results, whether threads are; where points have nests, that is
    /// no reason where threads are much slower.
    pub(crate) fn ask_estimates(
        &mut self,
        tensors: &[Value],
        few: Option<Value>,
        number: usize,
        (points, are_nests): (Value, bool),
    ) {
        let choice = tensors
            .first()
            .and_then(|&tensor| self.ir.defining_op(tensor));
        let Some(choice) = choice.and_then(|op| self.ir.cast::<scf::IfOp>(op)) else {
            return;
        };
        let launches = self.flat_launches(tensors);
        if let ([only], Some(few)) = (&launches[..], few) {
            self.ask_turns(*only, few, (number, points));
        }
        if !launches.is_empty() {
            self.ask_length(choice, number, launches.len());
        }
        if launches.len() < 2 {
            return;
        }
        let (default, function) = (self.options.threshold_estimate, self.name.clone());
        let before = few.and_then(|few| self.ir.defining_op(few));
        let before = before.unwrap_or(choice.op());
        let regions = [choice.then_region(self.ir), choice.else_region(self.ir)];
        let middle = few.and_then(|_| self.in_blocks(regions[1]));
        let mut estimator = Estimator::new(self.ir, choice.op(), before);
        let [top, flat] = regions.map(|region| estimator.launches(region));
        let middle = middle.and_then(|region| estimator.launches(region));
        let alone = few.is_none().then(|| estimator.joined(regions[1]));
        let widest = estimator.widest;
        let Some(flat) = flat else {
            return;
        };
        let mut b = Builder::before(self.ir, before);
        let mut others = in_all(&mut b, &flat);
        let mut are_few = None;
        if let Some((joined, made)) = alone.flatten() {
            let joined = in_turns(&mut b, &joined, widest, points);
            others = arith::SelectOp::build(&mut b, made, joined, others).result(b.ir);
        }
        if let Some(middle) = middle {
            let middle = in_turns(&mut b, &middle, widest, points);
            let name = format!("{function}.intra.{number}.few");
            let ratio = percent(&mut b, others, middle);
            // Asked where it decides: only where the first version is not taken.
            let used = few.and_then(|few| b.ir.users(few).next()).unwrap_or(before);
            are_few = Some(AtLeastOp::ask(
                &mut Builder::before(b.ir, used),
                ratio,
                &name,
                default,
            ));
            others = arith::MinSIOp::build(&mut b, others, middle).result(b.ir);
        }
        if let Some(top) = top {
            let top = in_all(&mut b, &top);
            let name = format!("{function}.top.{number}.short");
            let ratio = percent(&mut b, others, top);
            let short = AtLeastOp::ask(&mut b, ratio, &name, default);
            let mut b = Builder::before(self.ir, choice.op());
            let mut many = choice.condition(b.ir);
            if are_nests {
                let name = format!("{function}.top.{number}.slow");
                let not_slow = AtLeastOp::ask(&mut b, ratio, &name, SLOW);
                many = arith::AndIOp::build(&mut b, many, not_slow).result(b.ir);
            }
            let either = arith::OrIOp::build(&mut b, many, short).result(b.ir);
            self.ir.set_operand(choice.op(), 0, either);
        }
        if let Some(are_few) = are_few {
            if let Some(enough) = few.and_then(|few| self.beside(few)) {
                let (name, value) = (format!("{function}.intra.{number}"), enough.value(self.ir));
                let default = self.options.threshold_intra.saturating_mul(WARPS);
                let mut b = Builder::before(self.ir, enough.op());
                let asked = AtLeastOp::ask(&mut b, value, &name, default);
                self.ir.replace_op(enough.op(), &[asked]);
            }
            self.ir.replace_op(before, &[are_few]);
        }
    }

    /// The branch of a choice at the begin of a region whose kernel has a thread block for each point.
    fn in_blocks(&self, region: Region) -> Option<Region> {
        let block = self.ir.entry_block(region)?;
        let mut branches = self.ir.ops(block).filter_map(|op| {
            let branch = self.ir.cast::<scf::IfOp>(op)?;
            Some(branch.then_region(self.ir))
        });
        branches.find(|&region| {
            let block = self.ir.entry_block(region);
            let mut ops = block.into_iter().flat_map(|block| self.ir.ops(block));
            ops.any(|op| {
                let segmap = self.ir.cast::<SegMapOp>(op);
                segmap.is_some_and(|segmap| segmap.level(self.ir) == Level::Block)
            })
        })
    }

    /// Where the flat version's only kernel reduces or scans a segment for each point, a thread block for a point competes with a warp, of which
    /// more run at once: what counts are the elements for each turn of thread blocks.
    fn ask_turns(&mut self, flat: Op, few: Value, (number, points): (usize, Value)) {
        if self.ir.isa::<SegHistOp>(flat) {
            // Its own forms have thread blocks for segments, too, and atomics. Sums of f32 in thread blocks of the nest, whose warps
            // take the elements in order, took 3 to 35 times as long.
            if let Some(enough) = self.beside(few) {
                let mut b = Builder::before(self.ir, enough.op());
                let truth = b.ctx().i1();
                let never = arith::ConstantOp::int(&mut b, 0, truth);
                self.ir.replace_op(enough.op(), &[never]);
            }
            return;
        }
        let combiner = Combiner::of(self.ir, flat);
        if matches!(combiner, None | Some(Combiner::Thread)) {
            return;
        }
        let Some(enough) = self.beside(few) else {
            return;
        };
        let default = self.options.threshold_intra;
        let name = format!("{}.intra.{number}", self.name);
        let mut b = Builder::before(self.ir, enough.op());
        let length = enough.value(b.ir);
        let each = Turns::OF_BLOCKS.for_each(&mut b, length, &[points]);
        let asked = AtLeastOp::ask(&mut b, each, &name, default);
        self.ir.replace_op(enough.op(), &[asked]);
    }

    /// The question whether points have enough parallelism, beside that whether they are few.
    fn beside(&self, few: Value) -> Option<AtLeastOp> {
        let either = self.ir.users(few).next()?;
        let either = self.ir.cast::<arith::OrIOp>(either)?;
        self.ir.def_as::<AtLeastOp>(either.lhs(self.ir))
    }

    /// The kernels that the flat version launches, next to the choice that gives these results: on the way on which no other
    /// version is taken, and twice each in a loop.
    fn flat_launches(&self, tensors: &[Value]) -> Vec<Op> {
        let choice = tensors
            .first()
            .and_then(|&tensor| self.ir.defining_op(tensor));
        let Some(branch) = choice.and_then(|op| self.ir.cast::<scf::IfOp>(op)) else {
            return Vec::new();
        };
        let is_parallel = |op: Op| self.ir.interface::<dyn SegmentedOp>(op).is_some();
        let times = |launched: Op| -> usize {
            let (mut times, mut inside) = (1, launched);
            for around in self
                .ir
                .ancestors(launched)
                .skip(1)
                .take_while(|&op| op != branch.op())
            {
                if is_parallel(around) {
                    return 0;
                }
                let region = self
                    .ir
                    .block_of(inside)
                    .and_then(|block| self.ir.block_region(block));
                let taken = self
                    .ir
                    .cast::<scf::IfOp>(around)
                    .is_none_or(|other| region == Some(other.else_region(self.ir)));
                if !taken {
                    return 0;
                }
                if self.ir.interface::<dyn LoopLike>(around).is_some() {
                    times = 2;
                }
                inside = around;
            }
            times
        };
        let Some(flat) = self.ir.entry_block(branch.else_region(self.ir)) else {
            return Vec::new();
        };
        let inside = self.ir.ops(flat).flat_map(|op| self.ir.walk(op));
        let launched = inside.filter(|&op| is_parallel(op));
        launched
            .flat_map(|op| core::iter::repeat_n(op, times(op)))
            .collect()
    }
}

/// Cycles of a kernel with a thread block for each of so many points, of which a GPU runs only some at once.
fn in_turns(b: &mut Builder<'_>, cycles: &Cycles, widest: Option<Value>, points: Value) -> Value {
    let latency = cycles.latency(b);
    let launch = index_constant(b, LAUNCH);
    let at_once = blocks_at_once(b, widest);
    let turns = arith::CeilDivSIOp::build(b, points, at_once).result(b.ir);
    let turn = arith::SubIOp::build(b, latency, launch).result(b.ir);
    let turns = multiply(b, turn, turns);
    let busy = cycles.throughput(b);
    let all = arith::MaxSIOp::build(b, turns, busy).result(b.ir);
    add(b, launch, all)
}

/// Cycles of kernels with a thread for each point.
fn in_all(b: &mut Builder<'_>, cycles: &Cycles) -> Value {
    let (latency, busy) = (cycles.latency(b), cycles.throughput(b));
    add(b, latency, busy)
}

/// How many thread blocks whose widest op takes so many threads a GPU runs at once.
fn blocks_at_once(b: &mut Builder<'_>, widest: Option<Value>) -> Value {
    let Some(widest) = widest else {
        return index_constant(b, BLOCKS_AT_ONCE);
    };
    let [one, lanes, warps, most, all] = [1, LANES, WARPS, MOST_AT_ONCE, BLOCKS_AT_ONCE * WARPS]
        .map(|value| index_constant(b, value));
    let needed = arith::CeilDivSIOp::build(b, widest, lanes).result(b.ir);
    let needed = arith::MinSIOp::build(b, needed, warps).result(b.ir);
    let needed = arith::MaxSIOp::build(b, needed, one).result(b.ir);
    let blocks = arith::DivUIOp::build(b, all, needed).result(b.ir);
    arith::MinSIOp::build(b, blocks, most).result(b.ir)
}

/// `x` in hundredths of `y`, which is a launch at least. A hundred times `x` may be more than a word.
fn percent(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let [one, hundred] = [1, 100].map(|value| index_constant(b, value));
    let y = arith::DivUIOp::build(b, y, hundred).result(b.ir);
    let y = arith::MaxSIOp::build(b, y, one).result(b.ir);
    arith::DivUIOp::build(b, x, y).result(b.ir)
}
