//! Errors: diagnostics, and the context that knows their sources.

use segra_ir::diag::render::{Style, render};
use segra_ir::{Context, Diagnostics, Loc, LocKind};
use segra_runtime::RunError;
use std::fmt;
use std::sync::Arc;

/// A program that could not be read, verified or compiled.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Knows the sources the diagnostics point into.
    pub context: Arc<Context>,
    /// At least one error.
    pub diagnostics: Diagnostics,
}

impl Failure {
    /// A failure without a place.
    pub fn new(context: Arc<Context>, message: impl Into<String>) -> Failure {
        let mut diagnostics = Diagnostics::new();
        diagnostics.error(Loc::UNKNOWN, message);
        Failure {
            context,
            diagnostics,
        }
    }
    /// The error of a run, with the source line of the op that stopped. `context` is that of the program or of
    /// [`Compiled::lowered`](crate::Compiled::lowered): it knows the text.
    pub fn of_run(context: Arc<Context>, error: &RunError) -> Failure {
        let loc = error.location.as_ref().map_or(Loc::UNKNOWN, |position| {
            let file = context.ident(&position.file);
            context.loc(LocKind::File {
                file,
                line: position.line,
                column: position.column,
            })
        });
        let mut diagnostics = Diagnostics::new();
        diagnostics.error(loc, error.kind.to_string());
        Failure {
            context,
            diagnostics,
        }
    }
    /// All diagnostics, with source lines and carets.
    pub fn render(&self, style: Style) -> String {
        self.diagnostics
            .iter()
            .map(|diagnostic| render(&self.context, diagnostic, style))
            .collect()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Style::Plain))
    }
}

impl std::error::Error for Failure {}
