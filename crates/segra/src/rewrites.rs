//! What the array-level algebra makes of a program: which rules, at which cost.
//!
//! Deliberately absent: the rules and the cost model (`segra-algebra`).

use crate::compile::{CompileOptions, Compiler};
use crate::failure::Failure;
use crate::program::Program;
pub use segra_algebra::ASSUMED_EXTENT;
use segra_algebra::Algebra;
use segra_algebra::rules::Stopped;
use segra_ir::diag::file_position;

/// What comes before the algebra in the pipelines.
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
    /// Names of rules that found something, with how often.
    pub rules: Vec<(&'static str, u64)>,
    /// Whether the search ended for want of rules, or by a bound, and which.
    pub ended: &'static str,
}

/// Rewrites a program by the default options and reports.
///
/// # Errors
/// The passes before fail.
pub fn rewrites(program: Program) -> Result<Vec<Rewrite>, Failure> {
    let mut lowered = Compiler::new(CompileOptions::default()).lower(program, BEFORE, None)?;
    let root = lowered.ir.root();
    let pieces = Algebra::default().rewrite(&mut lowered.ir, root);
    let ctx = lowered.ir.context();
    let report = |piece: segra_algebra::Rewritten| Rewrite {
        place: file_position(&ctx, piece.loc)
            .map_or(String::new(), |(file, line, column)| format!("{}:{line}:{column}", ctx.str(file))),
        before: piece.before as f64 / 4.0,
        after: piece.after as f64 / 4.0,
        taken: piece.taken,
        rules: piece.rules,
        ended: match piece.stopped {
            Stopped::Saturated => "saturated",
            Stopped::Rounds => "bound on rounds",
            Stopped::Nodes => "bound on nodes",
        },
    };
    Ok(pieces.into_iter().map(report).collect())
}
