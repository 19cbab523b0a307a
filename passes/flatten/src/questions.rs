//! Questions that compare estimates of the versions of a map, asked once the versions are there.
//!
//! | threshold | hundredths of | that this takes | more than it |
//! |---|---|---|---|
//! | `NAME.intra.N.few` | a thread block for each point | launches of the flat version | the thread blocks |
//! | `NAME.top.N.short` | one thread for each point | the faster of the other two | sequential points |
//!
//! Not here: thresholds on the number of points ([`versions`](crate::versions)), and what is estimated ([`estimate`](crate::estimate)).

use crate::estimate::{Estimator, LANES, LAUNCH, WARPS};
use crate::function::Flattener;
use crate::point::{add, index_constant, multiply};
use segra_ir::interfaces::LoopLike;
use segra_ir::{Builder, Op, OpView, Region, Value};
use segra_kernel::level::Level;
use segra_kernel::segop::{SegMapOp, SegmentedOp};
use segra_kernel::threshold::AtLeastOp;
use segra_std::{arith, scf};

/// So many thread blocks of 256 threads are about what a large GPU runs at once (an H100: 8 on each of 132 processors), of fewer
/// threads so many times more, and at most so many.
const AT_ONCE: i64 = 1 << 10;
const MOST_AT_ONCE: i64 = 1 << 12;

impl Flattener<'_> {
    /// In the place of a question that [`Self::ask_estimates`] may ask: no.
    pub(crate) fn not_asked(&mut self, op: Op) -> Value {
        let (loc, truth) = (self.ir.loc(op), self.ctx.i1());
        arith::ConstantOp::int(&mut self.builder(loc), 0, truth)
    }

    /// Where the flat version has several launches: asks whether thread blocks are faster, in the place of `few`, and, as
    /// another reason for the first version of the choice that gives these results, whether threads are.
    pub(crate) fn ask_estimates(
        &mut self,
        tensors: &[Value],
        few: Option<Value>,
        number: usize,
        points: Value,
    ) {
        let choice = tensors
            .first()
            .and_then(|&tensor| self.ir.defining_op(tensor));
        let Some(choice) = choice.and_then(|op| self.ir.cast::<scf::IfOp>(op)) else {
            return;
        };
        if self.flat_launches(tensors) < 2 {
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
        let widest = estimator.widest;
        let Some(flat) = flat else {
            return;
        };
        let mut b = Builder::before(self.ir, before);
        let mut others = flat.emit(&mut b);
        let mut are_few = None;
        if let Some(middle) = middle {
            let middle = middle.emit(&mut b);
            let launch = index_constant(&mut b, LAUNCH);
            let at_once = blocks_at_once(&mut b, widest);
            let turns = arith::CeilDivSIOp::build(&mut b, points, at_once).result(b.ir);
            let turn = arith::SubIOp::build(&mut b, middle, launch).result(b.ir);
            let all = multiply(&mut b, turn, turns);
            let middle = add(&mut b, launch, all);
            let name = format!("{function}.intra.{number}.few");
            let ratio = percent(&mut b, others, middle);
            // Asked where it decides: only where the first version is not taken.
            let used = few.and_then(|few| b.ir.users(few).next()).unwrap_or(before);
            are_few = Some(at_least(
                &mut Builder::before(b.ir, used),
                ratio,
                &name,
                default,
            ));
            others = arith::MinSIOp::build(&mut b, others, middle).result(b.ir);
        }
        if let Some(top) = top {
            let top = top.emit(&mut b);
            let name = format!("{function}.top.{number}.short");
            let ratio = percent(&mut b, others, top);
            let short = at_least(&mut b, ratio, &name, default);
            let mut b = Builder::before(self.ir, choice.op());
            let many = choice.condition(b.ir);
            let either = arith::OrIOp::build(&mut b, many, short).result(b.ir);
            self.ir.set_operand(choice.op(), 0, either);
        }
        if let Some(are_few) = are_few {
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

    /// How many kernels the flat version launches, next to the choice that gives these results: on the way on which no other
    /// version is taken, and twice for each in a loop.
    fn flat_launches(&self, tensors: &[Value]) -> usize {
        let choice = tensors
            .first()
            .and_then(|&tensor| self.ir.defining_op(tensor));
        let Some(branch) = choice.and_then(|op| self.ir.cast::<scf::IfOp>(op)) else {
            return 0;
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
            return 0;
        };
        let inside = self.ir.ops(flat).flat_map(|op| self.ir.walk(op));
        inside.filter(|&op| is_parallel(op)).map(times).sum()
    }
}

/// How many thread blocks whose widest op has so many points a GPU runs at once.
fn blocks_at_once(b: &mut Builder<'_>, widest: Option<Value>) -> Value {
    let Some(widest) = widest else {
        return index_constant(b, AT_ONCE);
    };
    let [one, lanes, warps, most, all] =
        [1, LANES, WARPS, MOST_AT_ONCE, AT_ONCE * WARPS].map(|value| index_constant(b, value));
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

/// `value >= threshold`, by name.
pub(crate) fn at_least(b: &mut Builder<'_>, value: Value, name: &str, default: i64) -> Value {
    let ctx = b.ir.context();
    let (name, default) = (ctx.str_attr(name), ctx.i64_attr(default));
    AtLeastOp::builder()
        .value(value)
        .name(name)
        .default(default)
        .result_type(ctx.i1())
        .build(b)
        .result(b.ir)
}
