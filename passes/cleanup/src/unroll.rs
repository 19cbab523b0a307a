//! `loop-unroll`: writes the iterations of `scf.for` out, all of them or a few at a time.
//!
//! ```text
//! scf.for %i = %c0 to %c4 step %c1 {           scf.for %i = %c0 to %c4 step %c2 {
//!   "use"(%i)                           ->       "use"(%i)
//! }                                              %j = arith.addi %i, %c1
//!                                                "use"(%j)
//!                                              }
//! ```
//! With `full`, or a factor of at least the trip count, loops whose trip count is known vanish. Otherwise a loop runs
//! `factor` iterations at a time, and a second loop after it runs what is left (it is left out where constants tell
//! that nothing is). Bounds that are no constants are split at run time; the trip count is counted in a way that does
//! not overflow (from the distance of the bounds, as an unsigned number).
//! Legality: every loop may be unrolled.
//! Limits: a loop whose step is no positive constant is left alone, for `factor` times the step may not fit; `full` leaves loops alone whose trip count is unknown or above `full-threshold`; only innermost loops are
//! unrolled, unless `full` makes outer ones innermost.

use segra_ir::clone::Mapping;
use segra_ir::interfaces::{LoopLike, constant_of};
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};
use segra_std::arith::{AddIOp, CmpIPredicate, ConstantOp, DivUIOp, MulIOp, SubIOp};
use segra_std::scf::{ForOp, YieldOp, iteration, multiple};

pass_options! {
    /// The pass `loop-unroll`.
    pub struct LoopUnroll {
        /// How many iterations become one; 1: none.
        pub unroll_factor: u64 = 4,
        /// Write loops with a known trip count out completely.
        pub full: bool = false,
        /// The largest trip count `full` writes out.
        pub full_threshold: u64 = 64,
        /// Only loops with this trip count.
        pub trip_count: Option<u64> = None,
    }
}

const INFO: PassInfo = PassInfo {
    name: "loop-unroll",
    summary: "write iterations of scf.for out, all of them or several at a time",
    reads: &["scf"],
    writes: &["arith", "scf"],
    anchors: Anchors::Any,
};

impl Pass for LoopUnroll {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        if self.unroll_factor == 0 {
            return Err(cx.fail(ir, op, "option `unroll-factor` must be at least 1"));
        }
        let loops: Vec<Op> = ir
            .walk(op)
            .into_iter()
            .filter(|&inner| ir.isa::<ForOp>(inner))
            .collect();
        let mut unrolled = 0;
        // Inner loops first.
        for looped in loops.into_iter().rev() {
            let looped = ForOp::from_op(looped);
            let trips = looped.trip_count(ir, looped.op());
            if self.trip_count.is_some_and(|wanted| trips != Some(wanted))
                || has_loop_inside(ir, looped)
            {
                continue;
            }
            unrolled += u64::from(self.unroll(ir, looped, trips));
        }
        cx.count("loops unrolled", unrolled);
        Ok(if unrolled == 0 {
            Outcome::unchanged()
        } else {
            Outcome::changed()
        })
    }
}

fn has_loop_inside(ir: &Ir, looped: ForOp) -> bool {
    ir.walk(looped.op())
        .into_iter()
        .skip(1)
        .any(|inner| ir.isa::<ForOp>(inner))
}

impl LoopUnroll {
    fn unroll(&self, ir: &mut Ir, looped: ForOp, trips: Option<u64>) -> bool {
        match trips {
            Some(trips) if self.full => {
                if trips > self.full_threshold {
                    return false;
                }
                looped.write_out(ir, trips);
                true
            }
            _ if self.full || self.unroll_factor == 1 => false,
            Some(trips) if trips <= self.unroll_factor => {
                looped.write_out(ir, trips);
                true
            }
            _ if !step_can_grow(ir, looped, self.unroll_factor) => false,
            _ => {
                by_factor(ir, looped, trips, self.unroll_factor);
                true
            }
        }
    }
}

/// Whether the step is a positive constant, and still is after it is multiplied by `factor`.
fn step_can_grow(ir: &Ir, looped: ForOp, factor: u64) -> bool {
    let step = looped.step(ir);
    let width = ir.value_type(step).integer_width(ir.ctx()).unwrap_or(64);
    let known = constant_of(ir, step)
        .and_then(|attr| attr.as_integer(ir.ctx()))
        .filter(|&step| step > 0);
    let grown = known.and_then(|step| step.checked_mul(factor.into()));
    (1..=64).contains(&width) && grown.is_some_and(|grown| grown < 1i128 << (width - 1))
}

/// Runs `factor` iterations at a time, then the rest.
fn by_factor(ir: &mut Ir, looped: ForOp, trips: Option<u64>, factor: u64) {
    let op = looped.op();
    let (lower, upper, step) = (
        looped.lower_bound(ir),
        looped.upper_bound(ir),
        looped.step(ir),
    );
    let unsigned = looped.unsigned_cmp_attr(ir);
    let inits = looped.init_args(ir);
    let types: Vec<Type> = inits.iter().map(|&value| ir.value_type(value)).collect();
    let body = looped.region_block(ir);
    let mut b = Builder::before(ir, op);
    let middle = match trips {
        Some(trips) => iteration(&mut b, lower, step, trips - trips % factor),
        None => middle_of(&mut b, looped, factor),
    };
    let wide = multiple(&mut b, step, factor);
    let main = ForOp::builder()
        .lower_bound(lower)
        .upper_bound(middle)
        .step(wide)
        .init_args(&inits)
        .unsigned_cmp(unsigned)
        .results_types(&types)
        .build(&mut b);
    let region = main.region(b.ir);
    let arg_types: Vec<Type> = std::iter::once(b.type_of(lower))
        .chain(types.iter().copied())
        .collect();
    b.build_block(region, &arg_types, |b, args| {
        let mut carried = args[1..].to_vec();
        for copy in 0..factor {
            let iv = if copy == 0 {
                args[0]
            } else {
                let distance = multiple(b, step, copy);
                AddIOp::build(b, args[0], distance).result(b.ir)
            };
            let values: Vec<Value> = std::iter::once(iv).chain(carried).collect();
            carried = b.clone_block_body(body, &values, &mut Mapping::new());
        }
        YieldOp::build(b, &carried);
    });
    let results = main.results(b.ir);
    if trips.is_some_and(|trips| trips % factor == 0) {
        ir.replace_op(op, &results);
        return;
    }
    // The loop itself runs what is left.
    let rest: Vec<Value> = [middle, upper, step].into_iter().chain(results).collect();
    ir.set_operands(op, &rest);
}

/// Where the last full group of iterations ends, for bounds only run time knows.
fn middle_of(b: &mut Builder<'_>, looped: ForOp, factor: u64) -> Value {
    let (lower, upper, step) = (
        looped.lower_bound(b.ir),
        looped.upper_bound(b.ir),
        looped.step(b.ir),
    );
    let ty = b.type_of(lower);
    let below = if looped.unsigned_cmp(b.ir).is_some() {
        CmpIPredicate::Ult
    } else {
        CmpIPredicate::Slt
    };
    let predicate = below.attr(b.ctx());
    let runs = segra_std::arith::CmpIOp::build(b, predicate, lower, upper).result(b.ir);
    let distance = SubIOp::build(b, upper, lower).result(b.ir);
    let one = ConstantOp::int(b, 1, ty);
    // (distance - 1) / step + 1 iterations, where there are any: as unsigned numbers nothing overflows.
    let last = SubIOp::build(b, distance, one).result(b.ir);
    let before_last = DivUIOp::build(b, last, step).result(b.ir);
    let count = AddIOp::build(b, before_last, one).result(b.ir);
    let factor = ConstantOp::int(b, factor as i64, ty);
    let groups = DivUIOp::build(b, count, factor).result(b.ir);
    let full = MulIOp::build(b, groups, factor).result(b.ir);
    let distance = MulIOp::build(b, full, step).result(b.ir);
    let middle = AddIOp::build(b, lower, distance).result(b.ir);
    segra_std::arith::SelectOp::build(b, runs, middle, lower).result(b.ir)
}
