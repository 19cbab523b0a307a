//! Several steps of a loop of stencils by one kernel: temporal blocking with tiles that overlap.
//!
//! ```mlir
//! %r = scf.for %t = 0 to %k iter_args(%u = %x) {     %y = scf.for %t = 0 to %k / 8 iter_args(%u = %x) {
//!   %v = kernel.segmap thread (%i < %n) {              %v = kernel.segmap block (%b < ceildiv(%n, 1024)) {
//!     f(%u[%i - 1], %u[%i + 1], clamped)                 %s0 = 1024 + 2 * 8 elements of %u
//!   }                                         ==>        %s1 = f at 1024 + 2 * 7 places of %s0; ...; f at 1024 places of %s7
//!   yield %v                                           }
//! }                                                    yield %v
//!                                                    }
//!                                                    %r = scf.for %t = 0 to %k mod 8 iter_args(%u = %y) { as before }
//! ```
//! A kernel reads a tile and what eight steps need around it, and writes the tile: about two elements for each point in place
//! of sixteen. Points around a tile are computed by several blocks, fewer from step to step (a trapezoid).
//!
//! The steps are the chain of stencils that as many copies of the loop's body are; so a body may have several stencils and maps that feed
//! one another, and a chain's legality and margins are those of steps.
//!
//! Single steps are launches of all multiprocessors, a tile's steps have one, so there should be as many tiles as the option `blocks`
//! says. But where a multiprocessor computes a step of its tile sooner than the host launches the next one, several steps
//! pay from one tile on, full or not ([`launch`](super::launch)). How soon the host does depends on the number of steps, which is asked when
//! the program runs.
//!
//! Legality: loops that count up and whose counter is not used; their body has stencils and maps over one space, and code without
//! effects. Carried values are what those return, or were carried. Carried arrays have the extents of the space, which is asked when the
//! program runs; copies of the body are a [chain](super).

use super::plan::{MOST_OPS, Plan, alone};
use super::{Chain, near_reads};
use crate::choice::Answer;
use crate::stencil::launch::{self, Tiles};
use crate::stencil::tile::sweep;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Builder, Ir, Op, OpView, Value};
use segra_kernel::segop::SegMapOp;
use segra_std::arith::{self, CmpIPredicate, SelectOp, index};
use segra_std::scf::{Bounds, ForOp};
use segra_std::tensor::DimOp;

/// Lets one kernel do several steps of the loop that segmaps are the body of, and another one fewer of those that are left, where that
/// pays; whether it does. The rest of the loop stays behind them.
pub(in crate::stencil) fn fuse(
    ir: &mut Ir,
    segmaps: &[SegMapOp],
    (most, enough): (i64, i64),
    name: impl FnOnce(&Ir) -> String,
) -> bool {
    let Some(body) = Body::of(ir, segmaps) else {
        return false;
    };
    let threshold = |ir: &Ir, cycles| Asked {
        name: format!("{}.steps", name(ir)),
        enough: launch::default(cycles, enough),
    };
    let Some(first) = body.fuse_at_most(ir, most, threshold) else {
        return false;
    };
    let fewer = (first.steps as u64).isqrt() as i64;
    let fewer = fewer.min(first.left.unwrap_or(fewer));
    body.fuse_at_most(ir, fewer, |_, _| first.threshold);
    true
}

/// The body of a loop: stencils and maps in their order, and code without effects.
struct Body<'a> {
    looped: ForOp,
    segmaps: &'a [SegMapOp],
}

/// The threshold of a loop: its name, and its default.
struct Asked {
    name: String,
    enough: i64,
}

/// A loop whose steps are done several at once.
struct Fused {
    steps: i64,
    threshold: Asked,
    /// Steps that are left, where the loop's are known.
    left: Option<i64>,
}

/// A loop of several steps each, which never runs as yet.
struct Several {
    steps: i64,
    looped: ForOp,
    chain: Chain,
    plan: Plan,
}

impl Several {
    /// Bytes that a tile moves for 16 steps.
    fn moved(&self) -> i64 {
        self.plan.moved * 16 / self.steps
    }
}

/// The space of a body, in front of its loop, and the condition under which carried arrays have its extents.
struct Space {
    sizes: Vec<Value>,
    same: Value,
}

impl Body<'_> {
    fn of<'a>(ir: &Ir, segmaps: &'a [SegMapOp]) -> Option<Body<'a>> {
        let looped = ir.cast::<ForOp>(ir.parent_op(segmaps.first()?.op())?)?;
        let block = looped.region_block(ir);
        let counter = looped.induction_var(ir);
        let counts = looped.unsigned_cmp_attr(ir).is_none()
            && ir.value_type(counter).is_index(ir.ctx())
            && !ir.has_uses(counter);
        let last = ir.last_op(block)?;
        let is_segmap = |op: Op| segmaps.iter().any(|segmap| segmap.op() == op);
        let plain = ir
            .ops(block)
            .all(|op| is_segmap(op) || op == last || is_pure(ir, op) && is_speculatable(ir, op));
        let carried = looped.iter_args(ir);
        let rank = segmaps.first()?.sizes(ir).len();
        let made = |value: Value| {
            let is_array = (ir.value_type(value).shaped(ir.ctx()))
                .is_some_and(|(shape, _)| shape.len() == rank);
            is_array && (carried.contains(&value) || ir.defining_op(value).is_some_and(is_segmap))
        };
        let good = counts && plain && ir.operands(last).all(made);
        good.then_some(Body { looped, segmaps })
    }

    /// Lets one kernel do several steps, at most so many, where that pays, with a threshold for so many cycles of a thread for a step.
    fn fuse_at_most(
        &self,
        ir: &mut Ir,
        most: i64,
        threshold: impl FnOnce(&Ir, i64) -> Asked,
    ) -> Option<Fused> {
        let mut b = Builder::before(ir, self.looped.op());
        let count = trip_count(&mut b, self.looped);
        let known = b.ir.constant_int(count);
        let most = most.min(known.unwrap_or(most));
        if most < 2 {
            return None;
        }
        let space = self.space(&mut b)?;
        let several = self.best(&mut b, &space, most)?;
        let b = &mut Builder::before(ir, several.looped.op());
        let fused = self.choose(b, &several, (count, space.same), threshold);
        if fused.is_none() {
            ir.erase_op(several.looped.op());
        }
        fused
    }

    /// The number of steps at once that moves the fewest bytes, if it moves clearly fewer than single steps.
    fn best(&self, b: &mut Builder<'_>, space: &Space, most: i64) -> Option<Several> {
        let mut best: Option<Several> = None;
        let ops = self
            .segmaps
            .iter()
            .map(|segmap| b.ir.walk(segmap.op()).len());
        let ops: usize = ops.sum();
        let short = |&steps: &i64| steps <= most && ops * steps as usize <= MOST_OPS;
        for steps in [2, 4, 8, 16].into_iter().filter(short) {
            let Some(several) = self.several(b, space, steps) else {
                continue;
            };
            let worse = match &best {
                Some(known) if known.moved() <= several.moved() => Some(several),
                _ => best.replace(several),
            };
            if let Some(worse) = worse {
                b.ir.erase_op(worse.looped.op());
            }
        }
        let best = best?;
        let of_a_step = best.chain.stages[..self.segmaps.len()].iter();
        let single: Option<i64> = of_a_step.map(|stencil| alone(b.ir, stencil)).sum();
        if single.is_some_and(|single| best.plan.spares(single * best.steps)) {
            return Some(best);
        }
        b.ir.erase_op(best.looped.op());
        None
    }

    /// Lets the loop of several steps run where that pays, and the loop as it was do those that are left.
    fn choose(
        &self,
        b: &mut Builder<'_>,
        several: &Several,
        (count, same): (Value, Value),
        threshold: impl FnOnce(&Ir, i64) -> Asked,
    ) -> Option<Fused> {
        let Several {
            steps,
            looped: new,
            chain,
            plan,
        } = several;
        let cycles = plan.cycles * chain.stages.len() as i64 / steps;
        let wrapped = chain.same_extents(b, Some(*new))?;
        let tiles = Tiles::of(b, chain.last(), &plan.shape.extents);
        let pays = tiles.steps_pay(b, (self.looped, count), (cycles, *steps));
        let threshold = threshold(b.ir, cycles);
        let compared = tiles.threshold(b, &pays, (threshold.name.clone(), threshold.enough));
        let asked = match compared.answer(b) {
            Answer::Known(false) => return None,
            answer => answer.and(Answer::Asked(same), b).and(wrapped, b),
        };
        let zero = index::constant(b, 0);
        let at_once = index::constant(b, *steps);
        let mut fused = index::div(b, count, at_once);
        if let Answer::Asked(condition) = asked {
            fused = SelectOp::build(b, condition, fused, zero).result(b.ir);
        }
        let done = index::mul(b, fused, at_once);
        let rest = index::sub(b, count, done);
        let one = index::constant(b, 1);
        b.ir.set_operand(new.op(), 1, fused);
        chain.replace(b.ir, plan);
        sweep(b.ir, new.op());
        let results = new.results(b.ir);
        for (at, value) in [zero, rest, one].into_iter().chain(results).enumerate() {
            b.ir.set_operand(self.looped.op(), at, value);
        }
        let known = b.ir.constant_int(count);
        Some(Fused {
            steps: *steps,
            threshold,
            left: known.map(|count| count % steps),
        })
    }

    /// The space, of which all segmaps are as far as carried arrays have its extents.
    fn space(&self, b: &mut Builder<'_>) -> Option<Space> {
        let inits = self.looped.init_args(b.ir);
        let mut mapping = Mapping::new();
        mapping.map_all(self.looped.iter_args(b.ir), &inits);
        let (copies, ops) = self.copy(b, &mut mapping);
        let sizes = copies.first()?.sizes(b.ir);
        let is_carried = |ir: &Ir, value: Value, dim: usize| {
            let found = ir.def_as::<DimOp>(value);
            found.and_then(|found| dim_of(ir, found, (&inits, &copies))) == Some(dim)
        };
        let alike = copies.iter().all(|copy| {
            let own = copy.sizes(b.ir);
            let mut dims = own.iter().zip(&sizes).enumerate();
            own.len() == sizes.len()
                && dims.all(|(dim, (&own, &size))| own == size || is_carried(b.ir, own, dim))
        });
        let truth = b.ctx().i1();
        let mut same = arith::ConstantOp::int(b, 1, truth);
        for &init in &inits {
            for (dim, &wanted) in sizes.iter().enumerate() {
                let extent = DimOp::of(b, init, dim);
                let here = index::cmp(b, CmpIPredicate::Eq, extent, wanted);
                same = arith::AndIOp::build(b, same, here).result(b.ir);
            }
        }
        // Copies go with all that only they used.
        for op in ops.into_iter().rev() {
            let used = b.ir.results(op).any(|result| b.ir.has_uses(result));
            if !used {
                b.ir.erase_op(op);
            }
        }
        alike.then_some(Space { sizes, same })
    }

    /// The ops of the body where the builder is: the segmaps among them, and all.
    fn copy(&self, b: &mut Builder<'_>, mapping: &mut Mapping) -> (Vec<SegMapOp>, Vec<Op>) {
        let block = self.looped.region_block(b.ir);
        let ops: Vec<Op> = b.ir.ops(block).collect();
        let (mut segmaps, mut copies) = (Vec::new(), Vec::new());
        for &op in &ops[..ops.len() - 1] {
            let copy = b.clone_op(op, mapping);
            if self.segmaps.iter().any(|segmap| segmap.op() == op) {
                segmaps.push(SegMapOp::from_op(copy));
            }
            copies.push(copy);
        }
        (segmaps, copies)
    }

    /// A loop whose body is so many copies of this one, of no step as yet, if those are a chain that runs in tiles.
    fn several(&self, b: &mut Builder<'_>, space: &Space, steps: i64) -> Option<Several> {
        let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
        let bounds = Bounds {
            lower: zero,
            upper: zero,
            step: one,
        };
        let inits = self.looped.init_args(b.ir);
        let mut segmaps: Vec<SegMapOp> = Vec::new();
        let new = ForOp::with_body(b, bounds, &inits, |b, _, carried| {
            let mut carried = carried.to_vec();
            for _ in 0..steps {
                let mut mapping = Mapping::new();
                mapping.map_all(self.looped.iter_args(b.ir), &carried);
                let (copies, ops) = self.copy(b, &mut mapping);
                for op in ops {
                    let dim = b.ir.cast::<DimOp>(op);
                    let dim = dim.and_then(|dim| dim_of(b.ir, dim, (&carried, &copies)));
                    if let Some(&size) = dim.and_then(|dim| space.sizes.get(dim)) {
                        b.ir.replace_op(op, &[size]);
                    }
                }
                for copy in &copies {
                    for (at, &size) in space.sizes.iter().enumerate() {
                        b.ir.set_operand(copy.op(), at, size);
                    }
                }
                segmaps.extend(copies);
                let last = b.ir.last_op(self.looped.region_block(b.ir));
                let next: Vec<Value> =
                    last.map_or_else(Vec::new, |last| b.ir.operands(last).collect());
                carried = next.into_iter().map(|value| mapping.get(value)).collect();
            }
            carried
        });
        near_reads(b.ir, &segmaps);
        let chain = Chain::of(b.ir, &segmaps);
        let plan = chain.as_ref().and_then(|chain| chain.plan(b.ir));
        if let (Some(chain), Some(plan)) = (chain, plan) {
            return Some(Several {
                steps,
                looped: new,
                chain,
                plan,
            });
        }
        b.ir.erase_op(new.op());
        None
    }
}

/// The dimension that is asked for, of an array that is carried or that a segmap returns.
fn dim_of(ir: &Ir, dim: DimOp, (carried, segmaps): (&[Value], &[SegMapOp])) -> Option<usize> {
    let tensor = dim.source(ir);
    let made = ir.defining_op(tensor);
    let known = carried.contains(&tensor) || segmaps.iter().any(|segmap| made == Some(segmap.op()));
    dim.dim(ir).filter(|_| known)
}

/// How many steps a loop has.
fn trip_count(b: &mut Builder<'_>, looped: ForOp) -> Value {
    let (lower, upper, step) = (
        looped.lower_bound(b.ir),
        looped.upper_bound(b.ir),
        looped.step(b.ir),
    );
    let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
    let any = index::cmp(b, CmpIPredicate::Slt, lower, upper);
    let distance = index::sub(b, upper, lower);
    let before = index::sub(b, distance, one);
    let whole = index::div(b, before, step);
    let count = index::add(b, whole, one);
    match b.ir.constant_int(any) {
        Some(0) => zero,
        Some(_) => count,
        None => SelectOp::build(b, any, count, zero).result(b.ir),
    }
}
