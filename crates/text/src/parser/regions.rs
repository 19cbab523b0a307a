//! Regions and blocks: labels, arguments, forward references to blocks, going on after an error.

use super::names::ResultName;
use super::{NameKeeping, ParseResult, Parser, Pos};
use crate::lexer::{Lexer, Tok};
use segra_ir::intern::Positions;
use segra_ir::location::Loc;
use segra_ir::store::{Block, Region, Value};
use segra_ir::types::Type;
use smallvec::SmallVec;

/// Whether a region's names are apart from those around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// Names around are in sight.
    Shared,
    /// Names around are out of sight.
    Own,
}

/// An argument of a region's entry block, as written in an op's custom form: `%name : type`.
#[derive(Clone, Copy, Debug)]
pub struct BlockArg<'a> {
    /// Name without `%`; empty: none.
    pub name: &'a str,
    /// Type.
    pub ty: Type,
    /// Its own location, if one is written.
    pub loc: Option<Loc>,
    /// Where it stands.
    pub pos: Pos,
}

#[derive(Clone, Copy, Debug)]
struct BlockEntry<'a> {
    name: &'a str,
    block: Block,
    pos: Pos,
    defined: bool,
}

/// Braces open at a place, while going on after an error.
#[derive(Debug, Default)]
struct OpenBraces {
    /// `true` for a brace that seems to begin a region.
    braces: Vec<bool>,
    /// How many of them are.
    regions: usize,
}

/// The blocks named in a region.
#[derive(Debug, Default)]
pub(super) struct BlockNames<'a> {
    positions: Positions,
    /// In order of appearance.
    entries: Vec<BlockEntry<'a>>,
}

impl<'a> BlockNames<'a> {
    /// The entry of a name, or the hash under which a new one is added.
    fn find(&mut self, name: &str) -> Result<&mut BlockEntry<'a>, u32> {
        let hash = Positions::hash(name);
        match self.positions.find(hash, |position| {
            self.entries[position as usize].name == name
        }) {
            Some(position) => Ok(&mut self.entries[position as usize]),
            None => Err(hash),
        }
    }
    fn add(&mut self, hash: u32, entry: BlockEntry<'a>) {
        self.positions.insert(hash, self.entries.len() as u32);
        self.entries.push(entry);
    }
}

impl<'a> Parser<'a> {
    /// `{ ... }`: a region whose entry block has the given arguments (and then no label).
    pub fn parse_region(
        &mut self,
        args: &[BlockArg<'a>],
        isolation: Isolation,
    ) -> ParseResult<Region> {
        if !self.at(Tok::LBrace) {
            return Err(self.expected("'{' to begin a region"));
        }
        self.nested(|p| {
            p.push_names(isolation);
            p.blocks.push(BlockNames::default());
            let region = p.ir.create_region();
            let result = p.parse_region_inside(region, args);
            p.check_blocks(region);
            p.blocks.pop();
            p.pop_names();
            result.map(|()| region)
        })
    }

    /// A region, if one starts here.
    pub fn parse_optional_region(
        &mut self,
        args: &[BlockArg<'a>],
        isolation: Isolation,
    ) -> ParseResult<Option<Region>> {
        if self.at(Tok::LBrace) {
            self.parse_region(args, isolation).map(Some)
        } else {
            Ok(None)
        }
    }

    /// `%name : type`, perhaps with a location; the name as it stands.
    pub fn parse_block_arg(&mut self) -> ParseResult<BlockArg<'a>> {
        let operand = self.parse_operand()?;
        let ty = self.parse_colon_type()?;
        let loc = self.parse_optional_loc()?;
        Ok(BlockArg {
            name: operand.name,
            ty,
            loc,
            pos: operand.pos,
        })
    }

    /// `(%a : type, %b : type)`
    pub fn parse_block_arg_list(&mut self) -> ParseResult<SmallVec<[BlockArg<'a>; 4]>> {
        let mut args = SmallVec::new();
        self.parse_list(Tok::LParen, Tok::RParen, |p| {
            args.push(p.parse_block_arg()?);
            Ok(())
        })?;
        Ok(args)
    }

    /// An argument whose type is known otherwise: `%name`.
    pub fn parse_typed_block_arg(&mut self, ty: Type) -> ParseResult<BlockArg<'a>> {
        let operand = self.parse_operand()?;
        Ok(BlockArg {
            name: operand.name,
            ty,
            loc: None,
            pos: operand.pos,
        })
    }

    fn parse_region_inside(&mut self, region: Region, args: &[BlockArg<'a>]) -> ParseResult<()> {
        let open = self.pos();
        self.bump();
        if !args.is_empty() || !(self.at(Tok::Caret) || self.at(Tok::RBrace)) {
            let block = self.ir.add_block(region, &[]);
            for &arg in args {
                // A name taken twice is reported; the region is read all the same.
                let _ = self.add_block_arg(block, arg);
            }
            if self.at(Tok::Caret) && !args.is_empty() {
                return Err(self.error("invalid block name in region with named arguments"));
            }
            self.parse_ops(block);
        }
        while self.at(Tok::Caret) {
            let start = self.pos();
            match self.parse_block_label(region) {
                Ok(block) => self.parse_ops(block),
                Err(_) => {
                    // Stand-ins: nothing is to be said about the blocks that could not be read.
                    let unfinished = self
                        .ir
                        .blocks(region)
                        .last()
                        .filter(|&id| self.ir.first_op(id).is_none());
                    unfinished.map(|block| self.put_unreadable(block, 0));
                    self.resynchronise(start);
                    let block = self.ir.add_block(region, &[]);
                    self.parse_ops(block);
                    self.put_unreadable(block, 0);
                }
            }
        }
        match self.token.kind {
            Tok::RBrace => {
                self.bump();
                Ok(())
            }
            kind => {
                // The brace was forgotten, or the file ends: what follows is read as if it were there.
                let message = match kind {
                    Tok::Eof => "expected '}' to end a region, found the end of the file",
                    _ => "expected '}' to end a region",
                };
                self.error_with_note(self.expected_at(), message, open, "region begins here");
                Ok(())
            }
        }
    }

    fn add_block_arg(&mut self, block: Block, arg: BlockArg<'a>) -> ParseResult<Value> {
        let loc = match arg.loc {
            Some(loc) => loc,
            None => self.loc_at(arg.pos),
        };
        let value = self.ir.add_block_arg(block, arg.ty, loc);
        if !arg.name.is_empty() {
            self.define(
                ResultName {
                    name: arg.name,
                    count: 1,
                    pos: arg.pos,
                },
                value,
            )?;
        }
        Ok(value)
    }

    /// `^name(%a : type, ...):`
    fn parse_block_label(&mut self, region: Region) -> ParseResult<Block> {
        let (name, pos) = (&self.spelling()[1..], self.pos());
        self.bump();
        let block = self.define_block(name, pos)?;
        self.ir.append_block(region, block);
        if self.at(Tok::LParen) {
            self.parse_list(Tok::LParen, Tok::RParen, |p| {
                let arg = p.parse_block_arg()?;
                p.add_block_arg(block, arg)?;
                Ok(())
            })?;
        }
        self.expect(Tok::Colon)?;
        Ok(block)
    }

    fn define_block(&mut self, name: &'a str, pos: Pos) -> ParseResult<Block> {
        match self.blocks.last_mut().map(|blocks| blocks.find(name)) {
            Some(Ok(entry)) if entry.defined => {
                let (message, defined) = (format!("redefinition of block '^{name}'"), entry.pos);
                Err(self.error_with_note(pos, message, defined, "previously defined here"))
            }
            Some(Ok(entry)) => {
                (entry.pos, entry.defined) = (pos, true);
                Ok(entry.block)
            }
            Some(Err(hash)) => {
                let block = self.new_block(name);
                if let Some(blocks) = self.blocks.last_mut() {
                    blocks.add(
                        hash,
                        BlockEntry {
                            name,
                            block,
                            pos,
                            defined: true,
                        },
                    );
                }
                Ok(block)
            }
            None => Ok(self.new_block(name)),
        }
    }

    fn new_block(&mut self, name: &'a str) -> Block {
        let block = self.ir.create_block(&[]);
        let automatic = name
            .strip_prefix("bb")
            .is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
        let number = name.bytes().all(|byte| byte.is_ascii_digit());
        if self.options.names == NameKeeping::Keep && !automatic && !number {
            let ident = self.ident(name);
            self.ir.set_block_name(block, ident);
        }
        block
    }

    /// `^name`: a block of the region being read, defined or not.
    pub fn parse_successor(&mut self) -> ParseResult<Block> {
        if !self.at(Tok::Caret) {
            return Err(self.expected("a block name"));
        }
        let (name, pos) = (&self.spelling()[1..], self.pos());
        self.bump();
        match self.blocks.last_mut().map(|blocks| blocks.find(name)) {
            Some(Ok(entry)) => Ok(entry.block),
            Some(Err(hash)) => {
                let block = self.new_block(name);
                if let Some(blocks) = self.blocks.last_mut() {
                    blocks.add(
                        hash,
                        BlockEntry {
                            name,
                            block,
                            pos,
                            defined: false,
                        },
                    );
                }
                Ok(block)
            }
            None => Err(self.error_at(pos, "a successor needs a region around it")),
        }
    }

    /// `^name` with what is handed over: `^name(%a, %b : type, type)`.
    pub fn parse_successor_and_args(&mut self) -> ParseResult<(Block, SmallVec<[Value; 4]>)> {
        let block = self.parse_successor()?;
        let mut values = SmallVec::new();
        if self.eat(Tok::LParen) {
            let pos = self.pos();
            let operands = self.parse_operand_list()?;
            if !operands.is_empty() {
                let types = self.parse_colon_type_list()?;
                if types.len() != operands.len() {
                    return Err(self.mismatch(pos, "operand type", operands.len(), types.len()));
                }
                self.resolve_operands(&operands, &types, &mut values)?;
            }
            self.expect(Tok::RParen)?;
        }
        Ok((block, values))
    }

    fn check_blocks(&mut self, region: Region) {
        let Some(blocks) = self.blocks.last() else {
            return;
        };
        let missing: Vec<BlockEntry<'a>> = blocks
            .entries
            .iter()
            .filter(|entry| !entry.defined)
            .copied()
            .collect();
        for entry in missing {
            self.error_at(
                entry.pos,
                format!("reference to an undefined block '^{}'", entry.name),
            );
            self.ir.append_block(region, entry.block);
            self.put_unreadable(entry.block, 0);
        }
    }

    // ---- ops of a block, and going on after errors ----

    /// Ops up to a label, a closing bracket or the end.
    pub(super) fn parse_ops(&mut self, block: Block) {
        while !matches!(
            self.token.kind,
            Tok::Caret | Tok::RBrace | Tok::RParen | Tok::Eof
        ) {
            let start = self.pos();
            if self.parse_op(block).is_err() {
                self.resynchronise(start);
            }
        }
    }

    /// After an error in what started at `start`: goes to where the next op, label or alias seems to start, or to
    /// the brace that ends the region.
    pub(super) fn resynchronise(&mut self, start: Pos) {
        if self.too_many_errors() {
            self.seek(self.text.len() as u32);
            return;
        }
        let failed = self.pos();
        let mut open = OpenBraces::default();
        self.seek(start.0);
        while self.token.kind != Tok::Eof && self.pos() < failed {
            self.skip_one(&mut open);
        }
        if failed == start && !self.at(Tok::RBrace) {
            self.skip_one(&mut open);
        }
        loop {
            match self.token.kind {
                Tok::Eof => return,
                Tok::RBrace if open.braces.is_empty() => return,
                _ if open.regions == 0 && self.starts_line() && self.starts_item() => return,
                _ => self.skip_one(&mut open),
            }
        }
    }

    fn skip_one(&mut self, open: &mut OpenBraces) {
        match self.token.kind {
            Tok::LBrace => {
                let line_end = self.text.as_bytes()[self.token.end as usize..]
                    .iter()
                    .find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
                let region = matches!(line_end, Some(b'\n' | b'/' | b'^' | b'%'));
                open.braces.push(region);
                open.regions += usize::from(region);
            }
            Tok::RBrace => {
                open.regions -= usize::from(open.braces.pop() == Some(true));
            }
            _ => {}
        }
        self.bump();
    }

    /// Whether nothing but space stands before the current token on its line.
    fn starts_line(&self) -> bool {
        let before = &self.text.as_bytes()[..self.token.start as usize];
        let last = before
            .iter()
            .rev()
            .find(|byte| !matches!(byte, b' ' | b'\t'));
        matches!(last, None | Some(b'\n' | b'\r'))
    }

    /// Whether the current token and the next look like the start of an op, a label or an alias.
    fn starts_item(&self) -> bool {
        let mut lexer: Lexer<'a> = self.lexer.clone();
        lexer.seek(self.token.end as usize);
        let next = lexer.next_token().kind;
        match self.token.kind {
            Tok::Percent => matches!(next, Tok::Equal | Tok::Colon | Tok::Comma),
            Tok::String => next == Tok::LParen,
            Tok::Caret => matches!(next, Tok::Colon | Tok::LParen),
            Tok::Hash | Tok::Exclaim => next == Tok::Equal,
            Tok::Bare => {
                self.spelling().contains('.') || matches!(self.spelling(), "module" | "return")
            }
            _ => false,
        }
    }
}
