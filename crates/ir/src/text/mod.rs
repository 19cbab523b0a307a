//! The text form: reader and printer.

use crate::store::{Ir, Op};

/// Reads text.
#[derive(Debug)]
pub struct Parser<'a> {
    source: std::marker::PhantomData<&'a str>,
}

/// A reading step failed; the diagnostic is with the parser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseFailure;

/// Result of a reading step.
pub type ParseResult<T> = Result<T, ParseFailure>;

/// Hand-written custom text form of an op.
pub trait Syntax: Sync {}

/// A format string, read.
#[derive(Debug)]
pub struct Format {}

/// One line for diagnostics.
pub fn print_op_line(ir: &Ir, op: Op) -> String {
    ir.op_name_str(op).to_owned()
}
