//! `int-range-optimizations`: integers that can only be one number become that number, and remainders of numbers that
//! are smaller than the divisor those numbers.
//!
//! ```text
//! scf.for %i = %c0 to %c8 step %c1 {              scf.for %i = %c0 to %c8 step %c1 {
//!   %small = arith.cmpi slt, %i, %c8      ->        "use"(%true, %i)
//!   %r = arith.remui %i, %c8                      }
//!   "use"(%small, %r)
//! }
//! ```
//! Values known then fold, and dead ops go, as upstream does it.
//! Legality: by the bounds of [`segra_pass::dataflow::IntRanges`], which hold on every way control can come.
//! Limits: integers of up to 64 bits; facts about conditions (`if x < n`) do not reach the branches.

use crate::sccp::{Constant, replace_constants};
use segra_ir::int_range::{IntRange, Remainder};
use segra_ir::interfaces::constant_of;
use segra_ir::{Attr, Ir, Op, Value};
use segra_pass::dataflow::{Facts, ForwardAnalysis, IntRanges, RangeFact, solve};
use segra_pass::rewrite::{
    Canonicalization, GreedyConfig, PatternSet, RegionSimplification, clean_regions, greedy,
};
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};

pass_options! {
    /// The pass `int-range-optimizations`.
    pub struct IntRangeOptimizations {}
}

const INFO: PassInfo = PassInfo {
    name: "int-range-optimizations",
    summary: "replace integers that can only be one number, and remainders that change nothing",
    reads: &["*"],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for IntRangeOptimizations {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let facts = solve(ir, op, &IntRanges);
        let known = |ir: &Ir, value: Value| -> Option<Attr> {
            if constant_of(ir, value).is_some() {
                return None;
            }
            IntRanges.constant(ir, value, facts.of(value)?)
        };
        let remainders: Vec<Op> = ir
            .walk(op)
            .into_iter()
            .filter(|&inner| changes_nothing(ir, inner, &facts))
            .collect();
        let mut kept = 0;
        // Before there are new ops, which would take the slots of those that go.
        for rem in remainders {
            if ir.has_uses(ir.result(rem, 0)) {
                let value = ir.operand(rem, 0);
                ir.replace_op(rem, &[value]);
                kept += 1;
            }
        }
        let reached = |block| facts.is_executable(block);
        let replaced = replace_constants(ir, op, &reached, &known, Constant::Kept);
        // Values known now fold, and the ops that computed them may be dead.
        let config = GreedyConfig {
            canonicalization: Canonicalization::Skip,
            regions: RegionSimplification::Disabled,
            ..GreedyConfig::default()
        };
        let (mut changed, mut folded, mut erased) = (Changed::No, 0, replaced.erased + kept);
        loop {
            let done = greedy(ir, op, &PatternSet::new(), &config);
            let cleaned = clean_regions(ir, op);
            changed = changed
                .or(done.changed())
                .or(Changed::when(cleaned.total() > 0));
            folded += done.folded;
            erased += done.erased_dead + cleaned.dead_ops;
            if cleaned.total() == 0 {
                break;
            }
        }
        cx.count("values replaced", replaced.values);
        cx.count("ops folded", folded);
        cx.count("ops erased", erased);
        Ok(Outcome::of(changed.or(Changed::when(
            replaced.values + replaced.erased + kept > 0,
        ))))
    }
}

/// Whether `op` is the remainder of a number that is smaller than the divisor already.
fn changes_nothing(ir: &Ir, op: Op, facts: &Facts<RangeFact>) -> bool {
    let Some(model) = ir.interface::<dyn Remainder>(op) else {
        return false;
    };
    let range = |index: usize| -> Option<IntRange> { facts.of(ir.operand(op, index))?.range() };
    match (range(0), range(1)) {
        (Some(value), Some(divisor)) => model.is_value(value, divisor),
        _ => false,
    }
}
