//! The text form: reader and printer.
//!
//! The generic form is MLIR's; custom forms come from an op's format string or from its [`Syntax`].
//!
//! ```
//! use segra_ir::Context;
//! use segra_text::{ParseOptions, PrintOptions, parse_module, print};
//! use std::sync::Arc;
//!
//! // Ops of no registered dialect are read in MLIR's generic form.
//! let ctx = Arc::new(Context::new());
//! let program = "\"t.f\"() ({
//!     ^bb0(%x: i32):
//!       %y = \"t.twice\"(%x) {by = 2 : i32} : (i32) -> i32
//!     }) : () -> ()";
//! let options = ParseOptions::allowing_unregistered();
//! let ir = parse_module(&ctx, "program.mlir", program, &options).expect("it is a program");
//! let text = print(&ir, ir.root(), &PrintOptions::default());
//! assert!(text.contains("\"t.twice\"(%x) {by = 2 : i32} : (i32) -> i32"), "{text}");
//! ```

pub mod docs;
mod foreign;
pub mod format;
pub mod lexer;
pub mod parser;
pub mod printer;
mod suggest;

use segra_ir::def::{Hook, OpInfo};
use segra_ir::diag::TextForm;
use segra_ir::store::{Ir, Op};
use segra_ir::{Attr, Context, Type};

/// Reading a text takes at most [`MEMORY_AT_LEAST`] + `MEMORY_PER_BYTE` × its length bytes at any moment: the program,
/// what is interned for it, and the diagnostics. The fuzz target `read` holds the reader to it.
pub const MEMORY_PER_BYTE: usize = 1024;

/// The memory reading may take however short the text is, in bytes, see [`MEMORY_PER_BYTE`].
pub const MEMORY_AT_LEAST: usize = 1 << 20;

pub use foreign::foreign_form;
pub use format::{Format, check_formats};
pub use parser::{
    BlockArg, FunctionSignature, IndexList, Isolation, NameKeeping, ParseFailure, ParseOptions,
    ParseResult, Parsed, ParsedOp, Parser, Pos, UnresolvedOperand, parse_attr, parse_module,
    parse_shared, parse_source, parse_type,
};
pub use printer::{
    PrintOptions, Printer, print, print_affine_map, print_attr, print_op_line, print_to, print_type,
};
pub use segra_ir::verify::{UNREADABLE, Unregistered};
pub use suggest::suggestion;

/// Hand-written custom text form of an op: what follows the op's name.
pub trait Syntax: Sync {
    /// Whether the form can say all there is to say about an op; else the op is written generically.
    fn applies(&self, _ir: &Ir, _op: Op) -> bool {
        true
    }
    /// Attributes that the form does not write as attributes: they need no alias.
    fn hidden_attrs(&self, _ir: &Ir, _op: Op) -> &'static [&'static str] {
        &[]
    }
    /// Writes what follows the op's name.
    fn print(&self, p: &mut Printer<'_>, op: Op);
    /// Reads what follows the op's name into `state`.
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()>;
}

/// Reads what follows the mnemonic of a dialect's own type.
pub type TypeParser = fn(&mut Parser<'_>) -> ParseResult<Type>;
/// Reads what follows the mnemonic of a dialect's own attribute.
pub type AttrParser = fn(&mut Parser<'_>) -> ParseResult<Attr>;

/// Names and parsers for [`Dialect::types`](segra_ir::Dialect::types).
pub fn type_parsers(rows: &[(&'static str, TypeParser)]) -> Vec<(&'static str, Hook)> {
    rows.iter()
        .map(|&(mnemonic, parse)| (mnemonic, Hook::new(parse)))
        .collect()
}

/// Names and parsers for [`Dialect::attrs`](segra_ir::Dialect::attrs).
pub fn attr_parsers(rows: &[(&'static str, AttrParser)]) -> Vec<(&'static str, Hook)> {
    rows.iter()
        .map(|&(mnemonic, parse)| (mnemonic, Hook::new(parse)))
        .collect()
}

/// Messages write ops, types and attributes as programs do; for [`Dialect::text_form`](segra_ir::Dialect::text_form).
/// Contexts that programs are read into know it.
pub const TEXT_FORM: &dyn TextForm = &AsInPrograms;

#[derive(Debug)]
struct AsInPrograms;

impl TextForm for AsInPrograms {
    fn op_line(&self, ir: &Ir, op: Op) -> String {
        print_op_line(ir, op)
    }
    fn op_line_alone(&self, ir: &Ir, op: Op) -> String {
        printer::print_op_line_alone(ir, op)
    }
    fn type_text(&self, ctx: &Context, ty: Type) -> String {
        print_type(ctx, ty)
    }
    fn attr_text(&self, ctx: &Context, attr: Attr) -> String {
        print_attr(ctx, attr)
    }
}

/// How an op is read and written, found once.
#[derive(Default)]
pub(crate) struct OpForm {
    /// By hand.
    pub(crate) syntax: Option<&'static dyn Syntax>,
    /// By its format string, if that is well-formed.
    pub(crate) format: Option<Format>,
}

/// How an op is read and written.
#[inline]
pub(crate) fn form_of<'a>(ctx: &Context, info: &'a OpInfo) -> &'a OpForm {
    static NONE: OpForm = OpForm {
        syntax: None,
        format: None,
    };
    let make = || OpForm {
        syntax: info.interface(),
        format: info.def.format.and_then(|_| Format::parse(ctx, info).ok()),
    };
    info.text_form(make).unwrap_or(&NONE)
}
