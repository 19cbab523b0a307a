//! The text form: reader and printer.
//!
//! The generic form is MLIR's; custom forms come from an op's format string or from its [`Syntax`].

pub mod format;
pub mod parser;

use crate::store::{Ir, Op};

pub use format::{Format, check_formats};
pub use parser::{ParseFailure, ParseResult, ParsedOp, Parser};

/// Writes text.
#[derive(Debug)]
pub struct Printer<'a> {
    source: std::marker::PhantomData<&'a str>,
}

/// Hand-written custom text form of an op: what follows the op's name.
pub trait Syntax: Sync {
    /// Writes what follows the op's name.
    fn print(&self, p: &mut Printer<'_>, op: Op);
    /// Reads what follows the op's name into `state`.
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()>;
}

/// One line for diagnostics.
pub fn print_op_line(ir: &Ir, op: Op) -> String {
    ir.op_name_str(op).to_owned()
}
