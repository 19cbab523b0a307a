//! Custom forms by format string: the reader of [`Format`]'s directives.
//!
//! The parts of the text are collected per field first; types are then found where the format says, operands
//! resolved, results inferred.

use super::dialect::Colon;
use super::dialect::hook;
use super::types::Types;
use super::{ParseResult, ParsedOp, Parser, UnresolvedOperand};
use crate::format::{DictStyle, Directive, Format, OptionalGroup, TypeSource, Values};
use crate::lexer::Tok;
use crate::{AttrParser, form_of};
use segra_ir::attrs::Attr;
use segra_ir::constraint::{AttrText, IntegerText};
use segra_ir::def::{Arity, OpInfo, Trait, infer_result_types};
use segra_ir::store::{Block, Region};
use segra_ir::types::{DYNAMIC, Type};
use smallvec::SmallVec;

/// Numbers that are partly operands: `[%a, 4, %b]`.
#[derive(Clone, Debug, Default)]
pub struct IndexList<'a> {
    /// The numbers; [`DYNAMIC`] for an operand.
    pub numbers: Vec<i64>,
    /// The operands.
    pub operands: SmallVec<[UnresolvedOperand<'a>; 4]>,
}

type Operands<'a> = SmallVec<[UnresolvedOperand<'a>; 4]>;

/// The parts read so far, by field of the definition.
#[derive(Default)]
struct Fields<'a> {
    operands: Vec<Operands<'a>>,
    operand_types: Vec<Option<Types>>,
    result_types: Vec<Option<Types>>,
    successors: Vec<SmallVec<[Block; 2]>>,
    regions: Vec<SmallVec<[Region; 1]>>,
    /// `operands`, `type(operands)`, `type(results)`: not told apart by field yet.
    all_operands: Option<Operands<'a>>,
    all_operand_types: Option<Types>,
    all_result_types: Option<Types>,
}

impl<'a> Parser<'a> {
    /// Reads what follows the name of an op by its format string.
    pub(super) fn parse_by_format(&mut self, info: &OpInfo, op: &mut ParsedOp) -> ParseResult<()> {
        let Some(format) = &form_of(self.ctx, info).format else {
            return Err(self.error_at(
                op.pos,
                format!("the format of '{}' is ill-formed", info.def.name),
            ));
        };
        let def = info.def;
        let mut fields = Fields {
            operands: vec![Operands::new(); def.operands.len()],
            operand_types: vec![None; def.operands.len()],
            result_types: vec![None; def.results.len()],
            successors: vec![SmallVec::new(); def.successors.len()],
            regions: vec![SmallVec::new(); def.regions.len()],
            ..Fields::default()
        };
        for directive in &format.directives {
            self.read_directive(info, op, &mut fields, directive)?;
        }
        op.state
            .successors
            .extend(fields.successors.iter().flatten().copied());
        op.regions.extend(fields.regions.iter().flatten().copied());
        self.tell_apart(info, op, &mut fields)?;
        self.resolve_fields(info, format, op, &fields)?;
        self.type_results(info, format, op, &fields)
    }

    fn read_directive(
        &mut self,
        info: &OpInfo,
        op: &mut ParsedOp,
        fields: &mut Fields<'a>,
        directive: &Directive,
    ) -> ParseResult<()> {
        match directive {
            Directive::Space(_) => {}
            Directive::Literal(text) => {
                if !self.eat_literal(text) {
                    return Err(self.expected(&format!("'{text}'")));
                }
            }
            Directive::Operands(Values::Operand(index)) => {
                fields.operands[*index] = self.read_operands(info.def.operands[*index].arity)?;
            }
            Directive::Operands(_) => fields.all_operands = Some(self.parse_operand_list()?),
            Directive::Attr(index) => {
                if !Format::is_silent(info.def, directive) {
                    let attr = self.read_attr(info, *index)?;
                    op.state.properties.push((info.attr_names[*index], attr));
                }
            }
            Directive::Region(index) => fields.regions[*index] = self.read_regions(info, *index)?,
            Directive::Successor(index) => {
                fields.successors[*index] =
                    self.read_successors(info.def.successors[*index].arity)?;
            }
            Directive::Types(values) => {
                let types = self.read_types(arity_of(info, *values))?;
                fields.set_types(*values, types);
            }
            Directive::FunctionalType(inputs, results) => {
                let (input_types, result_types) = self.parse_function_type_like()?;
                fields.set_types(*inputs, input_types);
                fields.set_types(*results, result_types);
            }
            Directive::AttrDict(style) => self.read_attr_dict(info, op, *style)?,
            Directive::IndexList { operands, numbers } => {
                let list = self.parse_index_list(Tok::LSquare, Tok::RSquare)?;
                fields.operands[*operands] = list.operands;
                let attr = self.ctx.dense_i64_attr(&list.numbers);
                op.state.properties.push((info.attr_names[*numbers], attr));
            }
            Directive::SameType(_) => {}
            Directive::Unordered(clauses) => self.read_unordered(info, op, fields, clauses)?,
            Directive::Optional(group) => {
                if self.is_present(info, group) {
                    self.read_group(info, op, fields, group)?;
                }
            }
        }
        Ok(())
    }

    /// The attributes that no other directive reads.
    fn read_attr_dict(
        &mut self,
        info: &OpInfo,
        op: &mut ParsedOp,
        style: DictStyle,
    ) -> ParseResult<()> {
        let written = style == DictStyle::Braces || self.eat_keyword("attributes");
        let mut entries = super::Entries::new();
        if written {
            self.parse_optional_attr_dict(&mut entries)?;
        }
        self.distribute_attrs(op, entries, Some(info))
    }

    fn read_group(
        &mut self,
        info: &OpInfo,
        op: &mut ParsedOp,
        fields: &mut Fields<'a>,
        group: &OptionalGroup,
    ) -> ParseResult<()> {
        for inner in &group.directives {
            self.read_directive(info, op, fields, inner)?;
        }
        let anchor = &group.directives[group.anchor];
        if let Directive::Attr(index) = anchor
            && Format::is_silent(info.def, anchor)
        {
            op.state
                .properties
                .push((info.attr_names[*index], self.ctx.unit()));
        }
        Ok(())
    }

    /// Clauses in any order.
    fn read_unordered(
        &mut self,
        info: &OpInfo,
        op: &mut ParsedOp,
        fields: &mut Fields<'a>,
        clauses: &[OptionalGroup],
    ) -> ParseResult<()> {
        let mut seen = vec![false; clauses.len()];
        while let Some(index) =
            (0..clauses.len()).find(|&index| self.is_present(info, &clauses[index]))
        {
            if std::mem::replace(&mut seen[index], true) {
                let message = format!("'{}' stands here for the second time", self.spelling());
                return Err(self.error(message));
            }
            self.read_group(info, op, fields, &clauses[index])?;
        }
        Ok(())
    }

    /// `[%a, 4, %b]`, in these brackets: numbers, with [`DYNAMIC`] where operands stand.
    pub fn parse_index_list(&mut self, open: Tok, close: Tok) -> ParseResult<IndexList<'a>> {
        let mut list = IndexList::default();
        self.parse_list(open, close, |p| {
            match p.parse_optional_operand()? {
                Some(operand) => {
                    list.operands.push(operand);
                    list.numbers.push(DYNAMIC);
                }
                None => match p.parse_optional_integer()? {
                    Some(number) => list.numbers.push(number),
                    None => return Err(p.expected("an integer or an SSA operand")),
                },
            }
            Ok(())
        })?;
        Ok(list)
    }

    /// `[1, 2]`: a dense array of integers.
    fn read_integers(&mut self, text: IntegerText) -> ParseResult<Attr> {
        let mut numbers = Vec::new();
        let (pos, mut fits) = (self.pos(), true);
        self.parse_list(Tok::LSquare, Tok::RSquare, |p| {
            let number = p.parse_integer()?;
            fits &= text != IntegerText::I32 || i32::try_from(number).is_ok();
            numbers.push(number);
            Ok(())
        })?;
        if !fits {
            return Err(self.error_at(pos, "integer too large for 32 bits"));
        }
        let narrow = numbers.iter().map(|&number| number as i32);
        Ok(match text {
            IntegerText::I32 => self.ctx.dense_i32_attr(&narrow.collect::<Vec<_>>()),
            IntegerText::I64 | IntegerText::Index => self.ctx.dense_i64_attr(&numbers),
        })
    }

    fn at_literal(&self, text: &str) -> bool {
        !matches!(self.token.kind, Tok::Eof | Tok::Error | Tok::String) && self.spelling() == text
    }

    fn eat_literal(&mut self, text: &str) -> bool {
        let found = self.at_literal(text);
        if found {
            self.bump();
        }
        found
    }

    /// Whether an optional group stands here: its first directive tells.
    fn is_present(&mut self, info: &OpInfo, group: &OptionalGroup) -> bool {
        let first = group
            .directives
            .iter()
            .find(|directive| !matches!(directive, Directive::Space(_)));
        match first {
            Some(Directive::Literal(text)) => self.at_literal(text),
            Some(Directive::Operands(_)) => self.at(Tok::Percent),
            Some(Directive::Region(_)) => self.at(Tok::LBrace),
            Some(Directive::Successor(_)) => self.at(Tok::Caret),
            Some(Directive::Attr(index)) => {
                let constraint = info.def.attrs[*index].constraint;
                match constraint.text() {
                    AttrText::Keyword if self.at(Tok::Bare) => {
                        constraint.keyword_attr(self.ctx, self.spelling()).is_some()
                    }
                    AttrText::SymbolName => self.at(Tok::At),
                    AttrText::Body { .. } => matches!(self.token.kind, Tok::Less | Tok::Hash),
                    AttrText::Integers(_) => self.at(Tok::LSquare),
                    AttrText::Integer(_) => matches!(self.token.kind, Tok::Integer | Tok::Minus),
                    _ => self.at_attr(),
                }
            }
            _ => false,
        }
    }

    fn read_operands(&mut self, arity: Arity) -> ParseResult<Operands<'a>> {
        match arity {
            Arity::One => Ok(SmallVec::from_iter([self.parse_operand()?])),
            Arity::Optional => Ok(self.parse_optional_operand()?.into_iter().collect()),
            Arity::Variadic => self.parse_operand_list(),
        }
    }

    fn read_types(&mut self, arity: Arity) -> ParseResult<Types> {
        match arity {
            Arity::One => Ok(SmallVec::from_iter([self.parse_type()?])),
            Arity::Optional => Ok(self.parse_optional_type()?.into_iter().collect()),
            Arity::Variadic => {
                let mut types: Types = self.parse_optional_type()?.into_iter().collect();
                while !types.is_empty() && self.eat(Tok::Comma) {
                    types.push(self.parse_type()?);
                }
                Ok(types)
            }
        }
    }

    fn read_successors(&mut self, arity: Arity) -> ParseResult<SmallVec<[Block; 2]>> {
        let mut blocks = SmallVec::new();
        if arity != Arity::One && !self.at(Tok::Caret) {
            return Ok(blocks);
        }
        blocks.push(self.parse_successor()?);
        while arity == Arity::Variadic && self.eat(Tok::Comma) {
            blocks.push(self.parse_successor()?);
        }
        Ok(blocks)
    }

    fn read_regions(&mut self, info: &OpInfo, index: usize) -> ParseResult<SmallVec<[Region; 1]>> {
        let isolated = info.has(Trait::IsolatedFromAbove);
        let isolation = if isolated {
            super::Isolation::Own
        } else {
            super::Isolation::Shared
        };
        let mut regions = SmallVec::new();
        let arity = info.def.regions[index].arity;
        if arity != Arity::One && !self.at(Tok::LBrace) {
            return Ok(regions);
        }
        regions.push(self.parse_region(&[], isolation)?);
        while arity == Arity::Variadic && self.eat(Tok::Comma) {
            regions.push(self.parse_region(&[], isolation)?);
        }
        Ok(regions)
    }

    fn read_attr(&mut self, info: &OpInfo, index: usize) -> ParseResult<Attr> {
        let constraint = info.def.attrs[index].constraint;
        match constraint.text() {
            AttrText::Keyword if self.at(Tok::Bare) => {
                match constraint.keyword_attr(self.ctx, self.spelling()) {
                    Some(attr) => {
                        self.bump();
                        Ok(attr)
                    }
                    None if self.at_attr() => self.parse_attr(),
                    None => {
                        let message = format!(
                            "expected {}, found '{}'",
                            constraint.describe(),
                            self.spelling()
                        );
                        Err(self.error(message))
                    }
                }
            }
            AttrText::SymbolName if self.at(Tok::At) => {
                let name = self.parse_symbol_name()?;
                Ok(self.ctx.str_attr(self.ctx.str(name)))
            }
            AttrText::Integer(text) if matches!(self.token.kind, Tok::Integer | Tok::Minus) => {
                let pos = self.pos();
                let negative = self.eat(Tok::Minus);
                if !self.at(Tok::Integer) {
                    return Err(self.expected("an integer"));
                }
                let spelling = self.spelling();
                self.bump();
                self.integer_attr(spelling, negative, text.ty(self.ctx), pos)
            }
            AttrText::Body { dialect, mnemonic } if !self.at(Tok::Hash) => {
                let rows = self
                    .ctx
                    .dialect(dialect)
                    .map_or(&[][..], |dialect| &dialect.attrs);
                match hook::<AttrParser>(rows, mnemonic) {
                    Some(parse) => parse(self),
                    None => Err(self.expected(constraint.describe())),
                }
            }
            AttrText::Integers(text) => self.read_integers(text),
            AttrText::SymbolName | AttrText::Integer(_) => {
                Err(self.expected(constraint.describe()))
            }
            // The colon after it stands in the format.
            _ if self.at(Tok::Hash) => {
                self.nested(|parser| parser.parse_hash_attr(Colon::OfFormat))
            }
            AttrText::Full | AttrText::Unit | AttrText::Keyword | AttrText::Body { .. } => {
                self.parse_attr()
            }
        }
    }

    // ---- from fields to values ----

    /// Gives what was written for all operands or results to the fields.
    fn tell_apart(
        &mut self,
        info: &OpInfo,
        op: &ParsedOp,
        fields: &mut Fields<'a>,
    ) -> ParseResult<()> {
        let def = info.def;
        if let Some(all) = fields.all_operands.take() {
            let arities: Vec<Arity> = def.operands.iter().map(|field| field.arity).collect();
            let Some(sizes) = split(&arities, all.len()) else {
                let fixed = arities.iter().filter(|&&arity| arity == Arity::One).count();
                return Err(self.mismatch(op.pos, "operand", fixed, all.len()));
            };
            let mut rest = all.into_iter();
            for (field, size) in fields.operands.iter_mut().zip(sizes) {
                *field = rest.by_ref().take(size).collect();
            }
        }
        if let Some(all) = fields.all_operand_types.take() {
            let count = fields.operands.iter().map(SmallVec::len).sum();
            if all.len() != count {
                return Err(self.mismatch(op.pos, "operand type", count, all.len()));
            }
            let mut rest = all.into_iter();
            for (types, operands) in fields.operand_types.iter_mut().zip(&fields.operands) {
                *types = Some(rest.by_ref().take(operands.len()).collect());
            }
        }
        Ok(())
    }

    fn resolve_fields(
        &mut self,
        info: &OpInfo,
        format: &Format,
        op: &mut ParsedOp,
        fields: &Fields<'a>,
    ) -> ParseResult<()> {
        let def = info.def;
        let mut result = Ok(());
        for (index, operands) in fields.operands.iter().enumerate() {
            let written = match format.operand_types[index] {
                TypeSource::Written => fields.operand_types[index].clone().unwrap_or_default(),
                TypeSource::Only | TypeSource::Inferred | TypeSource::Absent => {
                    let only = def.operands[index].constraint.only(self.ctx);
                    only.into_iter().cycle().take(operands.len()).collect()
                }
                TypeSource::SameAs(values) => {
                    let ty = fields.first_type(self, info, values);
                    ty.into_iter().cycle().take(operands.len()).collect()
                }
            };
            if written.len() != operands.len() {
                return Err(self.mismatch(op.pos, "operand type", operands.len(), written.len()));
            }
            // All fields are looked at, so that every undefined operand is reported.
            if let Err(failure) = self.resolve_operands(operands, &written, &mut op.state.operands)
            {
                result = Err(failure);
            }
        }
        result?;
        if let Some(name) = info.operand_segments {
            let sizes: Vec<i32> = fields
                .operands
                .iter()
                .map(|field| field.len() as i32)
                .collect();
            op.state
                .properties
                .push((name, self.ctx.dense_i32_attr(&sizes)));
        }
        Ok(())
    }

    fn type_results(
        &mut self,
        info: &OpInfo,
        format: &Format,
        op: &mut ParsedOp,
        fields: &Fields<'a>,
    ) -> ParseResult<()> {
        let def = info.def;
        if let Some(all) = &fields.all_result_types {
            op.state.result_types.extend_from_slice(all);
            return Ok(());
        }
        if format.result_types.contains(&TypeSource::Inferred) {
            return match infer_result_types(&self.ir, &op.state, def) {
                Ok(types) => {
                    op.state.result_types.extend(types);
                    Ok(())
                }
                Err(why) => Err(self.error_at(op.pos, format!("'{}' op {why}", def.name))),
            };
        }
        let mut sizes = Vec::with_capacity(def.results.len());
        for (index, source) in format.result_types.iter().enumerate() {
            let before = op.state.result_types.len();
            match *source {
                TypeSource::Written => {
                    op.state
                        .result_types
                        .extend(fields.result_types[index].iter().flatten().copied());
                }
                TypeSource::SameAs(values) => {
                    op.state
                        .result_types
                        .extend(fields.first_type(self, info, values));
                }
                TypeSource::Absent => {}
                TypeSource::Only | TypeSource::Inferred => {
                    op.state
                        .result_types
                        .extend(def.results[index].constraint.only(self.ctx));
                }
            }
            sizes.push((op.state.result_types.len() - before) as i32);
        }
        if let Some(name) = info.result_segments {
            op.state
                .properties
                .push((name, self.ctx.dense_i32_attr(&sizes)));
        }
        Ok(())
    }
}

impl Fields<'_> {
    fn set_types(&mut self, values: Values, types: Types) {
        match values {
            Values::AllOperands => self.all_operand_types = Some(types),
            Values::AllResults => self.all_result_types = Some(types),
            Values::Operand(index) => self.operand_types[index] = Some(types),
            Values::Result(index) => self.result_types[index] = Some(types),
        }
    }

    /// The type of the first value of a field whose types are written, or which only has one.
    fn first_type(&self, p: &Parser<'_>, info: &OpInfo, values: Values) -> Option<Type> {
        let first = |types: &Option<Types>| types.as_ref().and_then(|types| types.first().copied());
        match values {
            Values::Operand(index) => first(&self.operand_types[index])
                .or_else(|| info.def.operands[index].constraint.only(p.ctx)),
            Values::Result(index) => {
                // Types of all results are told apart by nobody: the first is the field's where nothing precedes it.
                let among_all = || {
                    self.all_result_types
                        .as_ref()
                        .and_then(|all| all.get(index).copied())
                };
                first(&self.result_types[index])
                    .or_else(among_all)
                    .or_else(|| info.def.results[index].constraint.only(p.ctx))
            }
            Values::AllOperands => self.operand_types.iter().find_map(first),
            Values::AllResults => first(&self.all_result_types),
        }
    }
}

fn arity_of(info: &OpInfo, values: Values) -> Arity {
    match values {
        Values::Operand(index) => info.def.operands[index].arity,
        Values::Result(index) => info.def.results[index].arity,
        Values::AllOperands | Values::AllResults => Arity::Variadic,
    }
}

/// Sizes of fields, at most one of which is not a single value; `None`: the number does not fit.
fn split(arities: &[Arity], count: usize) -> Option<Vec<usize>> {
    let loose = arities.iter().filter(|&&arity| arity != Arity::One).count();
    let rest = count.checked_sub(arities.len() - loose)?;
    if (loose == 0 && rest > 0) || loose > 1 {
        return None;
    }
    let size = |&arity: &Arity| match arity {
        Arity::One => Some(1),
        Arity::Optional if rest > 1 => None,
        Arity::Optional | Arity::Variadic => Some(rest),
    };
    arities.iter().map(size).collect()
}
