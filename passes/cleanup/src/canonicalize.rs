//! `canonicalize`: folds constants and identities, applies every op's own canonicalization, drops dead ops.
//!
//! ```text
//! %0 = arith.addi %c2, %x : i32                %c5 = arith.constant 5 : i32
//! %1 = arith.addi %0, %c3 : i32        ->      %0 = arith.addi %x, %c5 : i32
//! %2 = arith.muli %x, %y : i32  (unused)
//! ```
//! Legality: an op is folded by its own `Fold`, rewritten by its own `Canonicalize` and by the rules of
//! `rules/canonical.rules` (upstream's canonical forms), erased when its results are unused and it at most reads; operands are reordered only where the op commutes. Equal constants become one, at the start of
//! the nearest isolated region. Between rounds regions are simplified: unreachable blocks, chains of blocks, dead values
//! (also those that only use one another), and with `region-simplify=aggressive` equal blocks and redundant arguments.
//! Ops with `RegionBranch` vanish where control is known to take one way, and drop what nobody uses.
//! Limits: local; what needs to look across blocks or at memory belongs to other passes. Where rewriting does not end
//! within the limits, what was reached is kept (it is correct) and a remark says so.

use segra_ir::{Ir, Op};
use segra_pass::rewrite::rules::RuleBook;
use segra_pass::rewrite::{GreedyConfig, Order, PatternFilter, RegionSimplification, greedy};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};

pass_options! {
    /// The pass `canonicalize`; options are named as upstream's.
    pub struct Canonicalize {
        /// At most so many rounds over the ops of a function; -1: any number.
        pub max_iterations: i64 = 10,
        /// At most so many rewrites; -1: for each function a limit that grows with the number of its ops.
        pub max_num_rewrites: i64 = -1,
        /// How far regions are simplified between rounds.
        pub region_simplify: RegionSimplification = RegionSimplification::Normal,
        /// Fail where the limits end rewriting early.
        pub test_convergence: bool = false,
        /// Only these patterns, by name; an op's own canonicalization goes by the op's name.
        pub enable_patterns: Vec<String> = Vec::new(),
        /// All patterns but these.
        pub disable_patterns: Vec<String> = Vec::new(),
        /// Whether ops are first looked at from top to bottom, or from bottom to top.
        pub top_down: bool = true,
    }
}

const INFO: PassInfo = PassInfo {
    name: "canonicalize",
    summary: "fold constants and identities, bring ops to their canonical form, drop dead ops",
    reads: &["*"],
    writes: &["*"],
    anchors: Anchors::Any,
};

static CANONICAL_RULES: RuleBook = RuleBook::new(include_str!("../rules/canonical.rules"));

impl Pass for Canonicalize {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let config = GreedyConfig {
            order: if self.top_down {
                Order::TopDown
            } else {
                Order::BottomUp
            },
            regions: self.region_simplify,
            filter: PatternFilter {
                enabled: self.enable_patterns.clone(),
                disabled: self.disable_patterns.clone(),
            },
            max_rounds: u32::try_from(self.max_iterations).ok(),
            max_rewrites: u64::try_from(self.max_num_rewrites).ok(),
            ..GreedyConfig::default()
        };
        let done = greedy(ir, op, &CANONICAL_RULES.patterns(&ir.context()), &config);
        cx.count("ops folded", done.folded);
        cx.count("ops rewritten", done.rewritten);
        cx.count("dead ops erased", done.erased_dead);
        cx.count("unreachable blocks erased", done.regions.unreachable);
        cx.count("blocks merged", done.regions.merged);
        cx.count("block arguments dropped", done.regions.args);
        cx.count("dead ops erased", done.regions.dead_ops);
        if let Some(message) = done.limit_message() {
            if self.test_convergence {
                return Err(cx.fail(
                    ir,
                    op,
                    format!("did not reach its canonical form: {message}"),
                ));
            }
            cx.remark(ir, op, format!("may not be in canonical form: {message}"));
        }
        Ok(Outcome::of(done.changed()))
    }
}
