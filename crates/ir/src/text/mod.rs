//! The text form: reader and printer.
//!
//! The generic form is MLIR's; custom forms come from an op's format string or from its [`Syntax`].

pub mod format;
pub mod lexer;
pub mod parser;
pub mod printer;
pub(crate) mod walk;

use crate::store::{Ir, Op};

/// Reading a text takes at most [`MEMORY_AT_LEAST`] + `MEMORY_PER_BYTE` × its length bytes at any moment: the program,
/// what is interned for it, and the diagnostics. The fuzz target `read` holds the reader to it.
pub const MEMORY_PER_BYTE: usize = 1024;

/// What reading may take however short the text is, in bytes, see [`MEMORY_PER_BYTE`].
pub const MEMORY_AT_LEAST: usize = 1 << 20;

pub use format::{Format, check_formats};
pub use parser::{
    BlockArg, FunctionSignature, Isolation, NameKeeping, ParseFailure, ParseOptions, ParseResult,
    Parsed, ParsedOp, Parser, Pos, UNREADABLE, Unregistered, UnresolvedOperand, parse_attr,
    parse_module, parse_shared, parse_source, parse_type,
};
pub use printer::{
    PrintOptions, Printer, print, print_affine_map, print_attr, print_op_line, print_to, print_type,
};

/// Hand-written custom text form of an op: what follows the op's name.
pub trait Syntax: Sync {
    /// Whether the form can say all there is to say about an op; else the op is written generically.
    fn applies(&self, _ir: &Ir, _op: Op) -> bool {
        true
    }
    /// Writes what follows the op's name.
    fn print(&self, p: &mut Printer<'_>, op: Op);
    /// Reads what follows the op's name into `state`.
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()>;
}
