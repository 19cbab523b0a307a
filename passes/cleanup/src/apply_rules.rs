//! `apply-rules`: rewrites by rules that are data, one a line, from a file or those that come with Segra.
//!
//! ```text
//! xor-twice: arith.xori(arith.xori(x, y), y) => x
//!
//! %a = arith.xori %x, %y : i32
//! %b = arith.xori %y, %a : i32           ->      "use"(%x)
//! "use"(%b)
//! ```
//! How rules are written: [`segra_pass::rewrite::rules`]. Every rule of the shipped set is tested on random values.
//! Legality: by the rules; the driver also folds, and erases what is dead.
//! Limits: as `canonicalize`; rules that undo one another end at the limit on rewrites, with a remark.

use segra_ir::{Context, Ir, Op};
use segra_pass::rewrite::rules::{Rule, RuleError, RulePattern, read_rules};
use segra_pass::rewrite::{
    Canonicalization, GreedyConfig, PatternFilter, PatternSet, RegionSimplification, greedy,
};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};
use std::sync::Arc;

/// The rules that come with Segra: the canonical forms of `canonicalize`, and further identities of `arith` that hold
/// for all values, wrapping and NaN included.
pub const STANDARD_RULES: &str = concat!(
    include_str!("../rules/canonical.rules"),
    "\n",
    include_str!("../rules/standard.rules")
);

pass_options! {
    /// The pass `apply-rules`.
    pub struct ApplyRules {
        /// The file with the rules; without one the shipped set is used.
        pub file: String = String::new(),
        /// Only these rules, by name.
        pub enable_patterns: Vec<String> = Vec::new(),
        /// All rules but these.
        pub disable_patterns: Vec<String> = Vec::new(),
    }
}

const INFO: PassInfo = PassInfo {
    name: "apply-rules",
    summary: "rewrite by rules that are data, one a line",
    reads: &["*"],
    writes: &["*"],
    anchors: Anchors::Any,
};

/// The shipped rules.
///
/// # Errors
/// Rules about ops of dialects that are not registered.
pub fn standard_rules(ctx: &Arc<Context>) -> Result<Vec<Rule>, Vec<RuleError>> {
    read_rules(ctx, STANDARD_RULES)
}

impl Pass for ApplyRules {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let ctx = ir.context();
        let (name, text) = if self.file.is_empty() {
            ("standard.rules", STANDARD_RULES.to_owned())
        } else {
            let text = std::fs::read_to_string(&self.file).map_err(|error| {
                cx.fail(ir, op, format!("needs rules from `{}`: {error}", self.file))
            })?;
            (self.file.as_str(), text)
        };
        let rules = read_rules(&ctx, &text).map_err(|errors| {
            let lines: Vec<String> = errors
                .iter()
                .map(|error| format!("{name}:{error}"))
                .collect();
            cx.fail(
                ir,
                op,
                format!("has rules that cannot be read:\n{}", lines.join("\n")),
            )
        })?;
        let mut patterns = PatternSet::new();
        for rule in rules {
            patterns.add(&ctx, RulePattern::new(&ctx, rule));
        }
        let config = GreedyConfig {
            canonicalization: Canonicalization::Skip,
            regions: RegionSimplification::Disabled,
            filter: PatternFilter {
                enabled: self.enable_patterns.clone(),
                disabled: self.disable_patterns.clone(),
            },
            ..GreedyConfig::default()
        };
        let done = greedy(ir, op, &patterns, &config);
        cx.count("rules applied", done.rewritten);
        cx.count("ops folded", done.folded);
        cx.count("dead ops erased", done.erased_dead);
        if let Some(message) = done.limit_message() {
            cx.remark(ir, op, format!("rules may apply still: {message}"));
        }
        Ok(Outcome::of(done.changed()))
    }
}
