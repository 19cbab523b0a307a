//! The rewrites of a program by the array-level algebra: which rules, at which cost.
//!
//! Deliberately absent: the rules and the cost model (`segra-algebra`).

use crate::compile::{CompileOptions, Compiler};
use crate::failure::Failure;
use crate::program::Program;
pub use segra_algebra::ASSUMED_EXTENT;
use segra_algebra::rules::{RULES, Rule, Stopped};
use segra_algebra::{Algebra, Applied, Choice, Rewritten};
use segra_ir::diag::file_position;
use segra_ir::{Ident, Loc};

/// The passes before the algebra in the pipelines.
const BEFORE: &str = "canonicalize,cse";

/// One piece of a program the algebra looked at and found something in.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// `file:line:column` of its first op; empty where unknown.
    pub place: String,
    /// Bytes moved and operations before, in bytes (an operation counts as a quarter of one).
    pub before: f64,
    /// The same after; of what was tried, where the program stayed as it was.
    pub after: f64,
    /// Whether the new form was taken.
    pub taken: bool,
    /// Rules that found something.
    pub rules: Vec<RuleUse>,
    /// Whether the search ended for want of rules, or by a bound, and which.
    pub ended: &'static str,
}

/// A rule's contribution to a piece.
#[derive(Clone, Debug)]
pub struct RuleUse {
    /// Its name.
    pub name: &'static str,
    /// Its equation, and when it holds.
    pub law: String,
    /// How often it found something new.
    pub count: u64,
    /// Values of the program it found that in, each as `%name at line:column` or `line:column`.
    pub found_in: Vec<String>,
    /// The cost of the piece, in bytes, without this rule; `None` where the others make nothing of it.
    pub without: Option<f64>,
}

/// Rewrites a program by the default options and reports.
///
/// # Errors
/// The passes before fail.
pub fn rewrites(program: Program) -> Result<Vec<Rewrite>, Failure> {
    let mut rows = run(&program, &|_| true)?;
    let mut names: Vec<&'static str> = rows
        .iter()
        .flat_map(|row| &row.rules)
        .map(|used| used.name)
        .collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let others = run(&program, &|rule| rule.name != name)?;
        for row in &mut rows {
            let same = others.iter().find(|other| other.place == row.place);
            let without = same.map(|other| {
                if other.taken {
                    other.after
                } else {
                    other.before
                }
            });
            row.rules
                .iter_mut()
                .filter(|used| used.name == name)
                .for_each(|used| used.without = without);
        }
    }
    Ok(rows)
}

/// The rewrite of a program by some rules.
fn run(program: &Program, wanted: &dyn Fn(&Rule) -> bool) -> Result<Vec<Rewrite>, Failure> {
    let mut lowered =
        Compiler::new(CompileOptions::default()).lower(program.clone(), BEFORE, None)?;
    let root = lowered.ir.root();
    let rules: Vec<Rule> = RULES.iter().filter(|rule| wanted(rule)).copied().collect();
    let pieces = Algebra::default().rewrite_by(&mut lowered.ir, root, &rules, Choice::Cheaper);
    let ctx = lowered.ir.context();
    let used = |applied: &Applied| {
        let rule = RULES.iter().find(|rule| rule.name == applied.name);
        let law = rule.map_or(String::new(), |rule| match rule.condition {
            "" => format!("{} = {}", rule.left, rule.right),
            condition => format!("{} = {}, if {condition}", rule.left, rule.right),
        });
        let place = |&(name, loc): &(Option<Ident>, Loc)| {
            let at = file_position(&ctx, loc).map(|(_, line, column)| format!("{line}:{column}"));
            let name = name.map(|name| format!("%{}", ctx.str(name)));
            match (name, at) {
                (Some(name), Some(at)) => Some(format!("{name} at {at}")),
                (name, at) => name.or(at),
            }
        };
        let found_in = applied.found_in.iter().filter_map(place).collect();
        RuleUse {
            name: applied.name,
            law,
            count: applied.count,
            found_in,
            without: None,
        }
    };
    let report = |piece: &Rewritten| Rewrite {
        place: file_position(&ctx, piece.loc).map_or(String::new(), |(file, line, column)| {
            format!("{}:{line}:{column}", ctx.str(file))
        }),
        before: piece.before as f64 / 4.0,
        after: piece.after as f64 / 4.0,
        taken: piece.taken,
        rules: piece.rules.iter().map(used).collect(),
        ended: match piece.stopped {
            Stopped::Saturated => "saturated",
            Stopped::Rounds => "bound on rounds",
            Stopped::Nodes => "bound on nodes",
        },
    };
    Ok(pieces.iter().map(report).collect())
}
