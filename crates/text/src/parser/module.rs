//! Files: the top level, wrapping into a module, entry points.

use super::{ParseOptions, ParseResult, Parser};
use crate::lexer::Tok;
use segra_ir::attrs::Attr;
use segra_ir::build::OpState;
use segra_ir::context::Context;
use segra_ir::diag::{Diagnostic, Diagnostics, file_position};
use segra_ir::location::{Loc, LocKind};
use segra_ir::store::{Block, Ir, Op, Use};
use segra_ir::types::Type;
use segra_ir::verify::UNREADABLE;
use std::sync::Arc;

/// The result of reading a text.
#[derive(Debug)]
pub struct Parsed {
    /// The program. After errors it is what could be read, with ops named [`UNREADABLE`] in the place of what could
    /// not: good for looking for further mistakes, for nothing else.
    pub ir: Ir,
    /// Errors and warnings, in the order of the text.
    pub diags: Diagnostics,
}

/// Reads a program. Its root is the only op of the text if that is a module, else a module around all of them.
///
/// # Errors
/// Everything that is wrong with the text.
pub fn parse_module(
    ctx: &Arc<Context>,
    file: &str,
    text: &str,
    options: &ParseOptions,
) -> Result<Ir, Diagnostics> {
    let parsed = parse_source(ctx, file, text, options);
    if parsed.diags.has_errors() {
        Err(parsed.diags)
    } else {
        Ok(parsed.ir)
    }
}

/// Reads a program as [`parse_module`] does, and hands back warnings and what can be read of a wrong text too.
///
/// While it reads it holds at most 128 bytes for every byte of the text and 1 MiB more.
pub fn parse_source(ctx: &Arc<Context>, file: &str, text: &str, options: &ParseOptions) -> Parsed {
    parse_shared(ctx, file, &Arc::new(text.to_owned()), options)
}

/// Reads a program as [`parse_source`] does; the context keeps the text itself for diagnostics, not a copy.
pub fn parse_shared(
    ctx: &Arc<Context>,
    file: &str,
    text: &Arc<String>,
    options: &ParseOptions,
) -> Parsed {
    let (file, base) = ctx.add_source_to_read(file, text.clone(), options.start);
    if u32::try_from(text.len()).is_err() {
        let mut diags = Diagnostics::new();
        diags.error(Loc::UNKNOWN, "texts of 4 GiB and more cannot be read");
        let mut ir = Ir::new(ctx.clone());
        new_module(&mut ir, Loc::UNKNOWN);
        return Parsed { ir, diags };
    }
    ctx.set_text_form(crate::TEXT_FORM);
    let mut parser = Parser::new(ctx, file, base, text, options);
    let root = parser.parse_top_level();
    parser.report_undefined(0);
    parser.keep_alias_names();
    parser.replace_undefined();
    parser.ir.set_root(root);
    let diags = sorted(ctx, &parser.diags);
    Parsed {
        ir: parser.ir,
        diags,
    }
}

/// Reads a single type; nothing may follow it.
///
/// # Errors
/// Everything that is wrong with the text; positions count within it.
pub fn parse_type(
    ctx: &Arc<Context>,
    text: &str,
    options: &ParseOptions,
) -> Result<Type, Diagnostics> {
    parse_alone(ctx, text, options, Parser::parse_type)
}

/// Reads a single attribute; nothing may follow it.
///
/// # Errors
/// Everything that is wrong with the text; positions count within it.
pub fn parse_attr(
    ctx: &Arc<Context>,
    text: &str,
    options: &ParseOptions,
) -> Result<Attr, Diagnostics> {
    parse_alone(ctx, text, options, Parser::parse_attr)
}

fn parse_alone<'a, T>(
    ctx: &'a Arc<Context>,
    text: &'a str,
    options: &ParseOptions,
    step: impl FnOnce(&mut Parser<'a>) -> ParseResult<T>,
) -> Result<T, Diagnostics> {
    let file = ctx.ident("<text>");
    let mut parser = Parser::new(ctx, file, None, text, options);
    let result = step(&mut parser).and_then(|found| match parser.at(Tok::Eof) {
        true => Ok(found),
        false => Err(parser.expected("the end of the text")),
    });
    result.map_err(|_| parser.diags)
}

fn new_module(ir: &mut Ir, loc: Loc) -> Op {
    let mut state = OpState::new(ir.ctx().op_name("builtin.module"), loc);
    state.regions = 1;
    let root = ir.create_op(state);
    let region = ir.region(root, 0);
    ir.add_block(region, &[]);
    root
}

/// Diagnostics of one file in the order of its text.
fn sorted(ctx: &Context, diags: &Diagnostics) -> Diagnostics {
    let mut list: Vec<Diagnostic> = diags.iter().cloned().collect();
    list.sort_by_key(|diagnostic| {
        file_position(ctx, diagnostic.loc)
            .map_or((u32::MAX, u32::MAX), |(_, line, column)| (line, column))
    });
    let mut out = Diagnostics::new();
    for diagnostic in list {
        out.push(diagnostic);
    }
    out
}

impl Parser<'_> {
    /// The whole text; gives the root.
    fn parse_top_level(&mut self) -> Op {
        let loc = self.ctx.loc(LocKind::File {
            file: self.file,
            line: 0,
            column: 0,
        });
        let module = new_module(&mut self.ir, loc);
        let region = self.ir.region(module, 0);
        let Some(block) = self.ir.entry_block(region) else {
            return module;
        };
        while !self.at(Tok::Eof) {
            let start = self.pos();
            if self.parse_top_item(block).is_err() {
                self.resynchronise(start);
                // A brace that closes nothing must not stop us.
                if self.pos() == start {
                    self.bump();
                }
            }
        }
        let found = {
            let mut ops = self.ir.ops(block);
            (ops.next(), ops.next())
        };
        match found {
            (Some(only), None) if self.ir.op_name_str(only) == "builtin.module" => {
                self.ir.detach_op(only);
                only
            }
            _ => module,
        }
    }

    fn parse_top_item(&mut self, block: Block) -> ParseResult<()> {
        match self.token.kind {
            Tok::Hash | Tok::Exclaim => self.parse_alias_definition(),
            Tok::MetadataBegin => self.parse_metadata(),
            Tok::RBrace | Tok::RParen => {
                Err(self.error("expected an operation; this closes nothing"))
            }
            _ => self.parse_op(block).map(drop),
        }
    }

    /// Gives every use of an undefined value a stand-in right before its user.
    fn replace_undefined(&mut self) {
        for placeholder in std::mem::take(&mut self.names.undefined) {
            let uses: Vec<Use> = self.ir.uses(placeholder).collect();
            for id in uses {
                let owner = self.ir.use_owner(id);
                let mut state = OpState::new(self.ctx.op_name(UNREADABLE), Loc::UNKNOWN);
                state.result_types.push(self.ir.value_type(placeholder));
                let stand_in = self.ir.create_op(state);
                if self.ir.block_of(owner).is_some() {
                    self.ir.insert_before(stand_in, owner);
                }
                let value = self.ir.result(stand_in, 0);
                self.ir.set_use(id, value);
            }
        }
    }
}
