//! Errors and diagnostics as values: upstream's diagnostics are captured whole (severity, location, notes).
//!
//! Deliberately absent: rendering with source snippets and colours. The caller owns the source text and its
//! own renderer; everything that needs is in [`SourceLocation`].

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of failure, for callers that act on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ErrorCode {
    /// The text is not MLIR.
    Parse,
    /// The text is MLIR, but upstream's verifier refuses it.
    Verify,
    /// The chip, optimisation level or PTX version does not exist or does not fit together.
    BadTarget,
    /// CUDA's device library cannot be read, or is something else.
    Library,
    /// A kernel's signature or structure breaks the contract stated in the crate's documentation.
    KernelContract,
    /// An op that cannot be lowered at all, or not on this target.
    Unsupported,
    /// A pass of the upstream pipeline failed.
    Pipeline,
    /// The PTX calls functions that nobody defines.
    UnresolvedSymbol,
    /// The worker program, which holds LLVM, is missing, of another build of Segra, or does not start.
    NoWorker,
    /// LLVM ended its process in the middle of the compilation.
    Aborted,
    /// The worker or upstream broke an assumption; a bug, never the user's fault.
    Internal,
}

/// How serious a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Severity {
    /// Something is wrong.
    Error,
    /// Something is suspicious.
    Warning,
    /// Something an optimiser wants to say.
    Remark,
    /// Explains the diagnostic it is attached to.
    Note,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Position {
    /// The file's name; `-` is the very text that was handed in.
    pub file: String,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1.
    pub column: u32,
}

/// Where a diagnostic points.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourceLocation {
    /// The first file position within the location, if it has one.
    pub position: Option<Position>,
    /// The whole location in MLIR's syntax: `loc("a.mlir":3:5)`, `loc(fused[…])`, `loc(unknown)`.
    pub text: String,
}

/// One message about one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Diagnostic {
    /// How serious it is.
    pub severity: Severity,
    /// Where.
    pub location: SourceLocation,
    /// The location or the text.
    pub message: String,
    /// Further places and explanations.
    pub notes: Vec<Self>,
}

/// A failed compilation or verification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub struct MlirError {
    /// The kind of failure.
    pub code: ErrorCode,
    /// One sentence.
    pub message: String,
    /// Everything upstream and the worker had to say, in order.
    pub diagnostics: Vec<Diagnostic>,
}

impl MlirError {
    /// An error without diagnostics.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            diagnostics: Vec::new(),
        }
    }

    /// The same error with these diagnostics.
    #[must_use]
    pub fn with_diagnostics(mut self, diagnostics: Vec<Diagnostic>) -> Self {
        self.diagnostics = diagnostics;
        self
    }
}

impl fmt::Display for MlirError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        for diagnostic in &self.diagnostics {
            write!(formatter, "\n{diagnostic}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}: {}: {}",
            self.location, self.severity, self.message
        )?;
        for note in &self.notes {
            write!(formatter, "\n{note}")?;
        }
        Ok(())
    }
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.position {
            Some(Position { file, line, column }) => write!(formatter, "{file}:{line}:{column}"),
            None => formatter.write_str(&self.text),
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Remark => "remark",
            Self::Note => "note",
        })
    }
}
