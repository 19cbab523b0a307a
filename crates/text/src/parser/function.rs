//! The common parts of functions of all dialects: signatures, and terminators that may be left out.

use super::{BlockArg, Entries, ParseResult, Parser, Types};
use crate::lexer::Tok;
use segra_ir::attrs::Dict;
use segra_ir::build::OpState;
use segra_ir::def::Trait;
use segra_ir::location::Loc;
use segra_ir::store::Region;
use smallvec::SmallVec;

/// A function's parameters and results.
#[derive(Clone, Debug, Default)]
pub struct FunctionSignature<'a> {
    /// Parameters; without names in a declaration.
    pub args: Vec<BlockArg<'a>>,
    /// Attributes of each parameter.
    pub arg_attrs: Vec<Dict>,
    /// Result types.
    pub results: Types,
    /// Attributes of each result.
    pub result_attrs: Vec<Dict>,
}

impl FunctionSignature<'_> {
    /// Whether the parameters have names: then there is a body.
    pub fn is_named(&self) -> bool {
        self.args.iter().all(|arg| !arg.name.is_empty())
    }
    /// Types of the parameters.
    pub fn arg_types(&self) -> Types {
        self.args.iter().map(|arg| arg.ty).collect()
    }
}

impl<'a> Parser<'a> {
    /// `(%a : type {attrs}, ...) -> (type {attrs}, ...)`; a declaration has types only; `->` and what follows it are
    /// left out where there is no result.
    pub fn parse_function_signature(&mut self) -> ParseResult<FunctionSignature<'a>> {
        let mut signature = FunctionSignature::default();
        self.parse_list(Tok::LParen, Tok::RParen, |p| {
            let (mut arg, attrs) = p.parse_function_arg()?;
            let mixed = signature
                .args
                .first()
                .is_some_and(|first| first.name.is_empty() != arg.name.is_empty());
            if mixed {
                return Err(p.error_at(arg.pos, "either all parameters have names or none"));
            }
            arg.loc = p.parse_optional_loc()?;
            signature.args.push(arg);
            signature.arg_attrs.push(attrs);
            Ok(())
        })?;
        if !self.eat(Tok::Arrow) {
            return Ok(signature);
        }
        if !self.at(Tok::LParen) {
            signature.results = SmallVec::from_iter([self.parse_type()?]);
            signature.result_attrs.push(Dict::EMPTY);
            return Ok(signature);
        }
        self.parse_list(Tok::LParen, Tok::RParen, |p| {
            signature.results.push(p.parse_type()?);
            signature.result_attrs.push(p.parse_dict()?);
            Ok(())
        })?;
        Ok(signature)
    }

    fn parse_function_arg(&mut self) -> ParseResult<(BlockArg<'a>, Dict)> {
        let pos = self.pos();
        let arg = match self.parse_optional_operand()? {
            Some(operand) => {
                let ty = self.parse_colon_type()?;
                BlockArg {
                    name: operand.name,
                    ty,
                    loc: None,
                    pos,
                }
            }
            None => BlockArg {
                name: "",
                ty: self.parse_type()?,
                loc: None,
                pos,
            },
        };
        Ok((arg, self.parse_dict()?))
    }

    /// `{...}` or nothing, as a dictionary.
    pub fn parse_dict(&mut self) -> ParseResult<Dict> {
        let mut entries = Entries::new();
        self.parse_optional_attr_dict(&mut entries)?;
        Ok(self.ctx.dict(&entries))
    }

    /// Makes sure that a region has a block that ends with a terminator: adds the op `name`, without operands, where
    /// the text left it out.
    pub fn ensure_terminator(&mut self, region: Region, name: &str, loc: Loc) {
        let last = self.ir.blocks(region).last();
        let block = match last {
            Some(block) => block,
            None => self.ir.add_block(region, &[]),
        };
        let ends = self.ir.last_op(block).is_some_and(|op| {
            // An op that could not be read may be one; an unregistered one is not, as in MLIR.
            self.ir.has_trait(op, Trait::Terminator)
                || self.ir.op_name_str(op) == segra_ir::verify::UNREADABLE
        });
        if !ends {
            let state = OpState::new(self.ctx.op_name(name), loc);
            let op = self.ir.create_op(state);
            self.ir.append_op(block, op);
        }
    }
}
