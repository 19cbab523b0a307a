//! Errors of a run: what went wrong, where, and through which calls.

use segra_ir::{Diagnostic, Ident, Ir, Loc, Severity};
use std::fmt;

/// A fault inside an evaluation rule, before its location is known.
#[derive(Clone, PartialEq, Eq)]
pub struct Fault(Box<str>);

impl Fault {
    /// A fault with a message.
    #[cold]
    pub fn new(message: impl Into<Box<str>>) -> Fault {
        Fault(message.into())
    }
    /// The message.
    pub fn message(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A call that was under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The function that was called.
    pub callee: Ident,
    /// Where it was called.
    pub loc: Loc,
}

/// A run that failed.
#[derive(Clone, PartialEq, Eq)]
pub struct EvalError(Box<Details>);

#[derive(Clone, PartialEq, Eq)]
struct Details {
    message: String,
    loc: Loc,
    stack: Vec<CallSite>,
    place: Option<String>,
    exceeds_steps: bool,
}

impl EvalError {
    /// An error at a location.
    #[cold]
    pub fn new(loc: Loc, message: impl Into<String>) -> EvalError {
        EvalError(Box::new(Details {
            message: message.into(),
            loc,
            stack: Vec::new(),
            place: None,
            exceeds_steps: false,
        }))
    }
    /// An error at an op: its name and the place in the file become part of the text.
    #[cold]
    pub fn at(ir: &Ir, op: segra_ir::Op, message: impl fmt::Display) -> EvalError {
        EvalError::about(ir, op, format!("'{}' op {message}", ir.op_name_str(op)))
    }
    /// The same for a message that says which op of the program it is about.
    #[cold]
    pub fn about(ir: &Ir, op: segra_ir::Op, message: impl Into<String>) -> EvalError {
        let mut error = EvalError::new(ir.loc(op), message);
        error.0.place = segra_ir::diag::file_position(ir.ctx(), ir.loc(op))
            .map(|(file, line, column)| format!("{}:{line}:{column}", ir.ctx().str(file)));
        error
    }
    pub(crate) fn of_steps(mut self) -> EvalError {
        self.0.exceeds_steps = true;
        self
    }
    /// Whether the run was ended because it took more than [`Limits::steps`](crate::Limits::steps).
    pub fn exceeds_steps(&self) -> bool {
        self.0.exceeds_steps
    }
    /// The problem.
    pub fn message(&self) -> &str {
        &self.0.message
    }
    /// Where.
    pub fn loc(&self) -> Loc {
        self.0.loc
    }
    /// The calls under way, innermost first.
    pub fn stack(&self) -> &[CallSite] {
        &self.0.stack
    }
    pub(crate) fn called_from(mut self, callee: Ident, loc: Loc) -> EvalError {
        // A runaway recursion would make the error as long as the recursion was deep.
        const LONGEST: usize = 16;
        if self.0.stack.len() < LONGEST {
            self.0.stack.push(CallSite { callee, loc });
        }
        self
    }
    /// As a diagnostic, with a note for each call.
    pub fn to_diagnostic(&self, ir: &Ir) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(Severity::Error, self.0.loc, self.0.message.clone());
        for site in &self.0.stack {
            diagnostic.note(
                site.loc,
                format!("in a call of @{} here", ir.ctx().str(site.callee)),
            );
        }
        diagnostic
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.0.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.0.message)
    }
}
impl fmt::Debug for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
impl std::error::Error for EvalError {}
