//! Diagnostics: values that say what is wrong, where, and what to look at.
//!
//! Nothing here prints: libraries collect into [`Diagnostics`], tools render. Rendering shows file:line:column, the
//! source line with a caret, the op as text, and the notes.

pub mod render;

use crate::attrs::Attr;
use crate::context::Context;
use crate::location::{Loc, LocKind};
use crate::store::{Ir, Op};
use crate::types::Type;

/// How messages write parts of a program; the crate of the text form implements it, [`Context::set_text_form`] makes it
/// known.
pub trait TextForm: std::fmt::Debug + Send + Sync {
    /// An op on one line, without what is inside; its values are named as in the whole program.
    fn op_line(&self, ir: &Ir, op: Op) -> String;
    /// Likewise, with values numbered as if the op were alone.
    fn op_line_alone(&self, ir: &Ir, op: Op) -> String;
    /// A type.
    fn type_text(&self, ctx: &Context, ty: Type) -> String;
    /// An attribute.
    fn attr_text(&self, ctx: &Context, attr: Attr) -> String;
}

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Something worth knowing about a decision.
    Remark,
    /// Belongs to another diagnostic.
    Note,
    /// Probably not meant.
    Warning,
    /// Wrong.
    Error,
}

impl Severity {
    /// The word in front of the message.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Remark => "remark",
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// One thing to tell the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The problem.
    pub message: String,
    /// Where.
    pub loc: Loc,
    /// The op at fault, as text; `None` also where the context knows no text form.
    pub op_text: Option<String>,
    /// Related places.
    pub notes: Vec<(Loc, String)>,
}

impl Diagnostic {
    /// A diagnostic without notes.
    pub fn new(severity: Severity, loc: Loc, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity,
            message: message.into(),
            loc,
            op_text: None,
            notes: Vec::new(),
        }
    }
    /// Adds a note.
    pub fn note(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        self.notes.push((loc, message.into()));
        self
    }
}

/// Diagnostics in the order they were found.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    /// Whether they are only counted: nobody will read them, so texts of ops are left out.
    unread: bool,
}

impl Diagnostics {
    /// Nothing to tell yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }
    /// For a question whose answer is whether there is something to tell, not what.
    pub(crate) fn unread() -> Diagnostics {
        Diagnostics {
            unread: true,
            ..Diagnostics::default()
        }
    }
    /// Adds a diagnostic and returns it, for notes.
    pub fn push(&mut self, diagnostic: Diagnostic) -> &mut Diagnostic {
        self.list.push(diagnostic);
        self.list.last_mut().expect("pushed just now")
    }
    /// Adds an error at a location.
    pub fn error(&mut self, loc: Loc, message: impl Into<String>) -> &mut Diagnostic {
        self.push(Diagnostic::new(Severity::Error, loc, message))
    }
    /// Adds a note to the error found last, if there is one.
    pub fn note_last_error(&mut self, loc: Loc, message: impl Into<String>) {
        if let Some(last) = self
            .list
            .last_mut()
            .filter(|last| last.severity == Severity::Error)
        {
            last.note(loc, message);
        }
    }
    /// The diagnostics as what is said about one op.
    pub fn about<'a>(&'a mut self, ir: &'a Ir, op: Op) -> OpDiagnostics<'a> {
        OpDiagnostics { ir, op, all: self }
    }
    /// Adds an error about an op: its location and its text.
    pub fn op_error(&mut self, ir: &Ir, op: Op, message: impl Into<String>) -> &mut Diagnostic {
        self.about_op(Severity::Error, ir, op, message)
    }
    /// Adds a remark about an op.
    pub fn op_remark(&mut self, ir: &Ir, op: Op, message: impl Into<String>) -> &mut Diagnostic {
        self.about_op(Severity::Remark, ir, op, message)
    }
    fn about_op(
        &mut self,
        severity: Severity,
        ir: &Ir,
        op: Op,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        // Naming an op's values as the whole program does takes a walk over its surroundings; beyond the first
        // diagnostics, values are numbered per op, so that a million errors stay cheap.
        const NAMED_IN_CONTEXT: usize = 64;
        let op_text = match (ir.ctx().text_form(), self.list.len()) {
            _ if self.unread => None,
            (None, _) => None,
            (Some(form), 0..NAMED_IN_CONTEXT) => Some(form.op_line(ir, op)),
            (Some(form), _) => Some(form.op_line_alone(ir, op)),
        };
        let message = format!("'{}' op {}", ir.op_name_str(op), message.into());
        let diagnostic = self.push(Diagnostic::new(severity, ir.loc(op), message));
        diagnostic.op_text = op_text;
        diagnostic
    }
    /// Whether there is an error among them.
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }
    /// Number of errors.
    pub fn error_count(&self) -> usize {
        self.list
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .count()
    }
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }
    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// Sorts by file, line and column; one without a position stays after the one before it.
    pub fn sort_by_position(&mut self, ctx: &Context) {
        let mut last = None;
        let mut keyed: Vec<_> = std::mem::take(&mut self.list)
            .into_iter()
            .map(|diagnostic| {
                last = file_position(ctx, diagnostic.loc).or(last);
                (last, diagnostic)
            })
            .collect();
        keyed.sort_by_key(|row| row.0);
        self.list = keyed.into_iter().map(|row| row.1).collect();
    }
    /// Adds those of another collection.
    pub fn extend(&mut self, other: Diagnostics) {
        self.list.extend(other.list);
    }
}

/// Diagnostics about one op.
#[derive(Debug)]
pub struct OpDiagnostics<'a> {
    ir: &'a Ir,
    op: Op,
    all: &'a mut Diagnostics,
}

impl OpDiagnostics<'_> {
    /// Adds an error about the op: its location and its text.
    pub fn error(&mut self, message: impl Into<String>) -> &mut Diagnostic {
        self.all.op_error(self.ir, self.op, message)
    }
    /// Number of errors, also about other ops.
    pub fn error_count(&self) -> usize {
        self.all.error_count()
    }
    /// The diagnostics about another op, one inside of this one.
    pub fn inside(&mut self, op: Op) -> OpDiagnostics<'_> {
        self.all.about(self.ir, op)
    }
}

/// The place in a file a location stands for: file, line, column. Names, call sites and fused locations are looked through.
pub fn file_position(ctx: &Context, loc: Loc) -> Option<(crate::context::Ident, u32, u32)> {
    // An explicit stack: how deep locations nest is the input's, not the host stack's.
    let mut pending = vec![loc];
    while let Some(loc) = pending.pop() {
        match ctx.loc_kind(loc) {
            LocKind::Unknown | LocKind::Attr(_) => {}
            LocKind::File { file, line, column } => return Some((*file, *line, *column)),
            LocKind::FileRange(range) => return Some((range.file, range.line, range.column)),
            LocKind::Name { child, .. } => pending.push(*child),
            LocKind::Fused(parts) => pending.extend(parts.0.iter().rev()),
            LocKind::CallSite { callee, caller } => pending.extend([*caller, *callee]),
        }
    }
    None
}
