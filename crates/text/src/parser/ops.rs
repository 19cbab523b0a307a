//! Ops: result names, the generic form, the way to custom forms.

use super::attrs::Entries;
use super::names::ResultName;
use super::repeat::KnownLine;
use super::types::Types;
use super::{Isolation, ParseFailure, ParseResult, Parser, Pos, UnresolvedOperand};
use crate::lexer::{Tok, unescape};
use crate::{form_of, suggestion};
use segra_ir::attrs::Attr;
use segra_ir::build::OpState;
use segra_ir::context::{Context, Ident, OpName};
use segra_ir::def::{OpInfo, Origin, Trait};
use segra_ir::entity::EntityId;
use segra_ir::location::Loc;
use segra_ir::signature::SignatureId;
use segra_ir::store::{Block, Op, PlainOp, Region};
use segra_ir::verify::{UNREADABLE, Unregistered};
use smallvec::SmallVec;

/// The ingredients of the op being read: filled in by its text form.
#[derive(Clone, Debug)]
pub struct ParsedOp {
    /// Everything but the regions (its `regions` count stays 0).
    pub state: OpState,
    /// Regions already read, in order; they are in no op yet.
    pub regions: SmallVec<[Region; 2]>,
    /// How many results the names before `=` stand for; `None` where there is no `=`.
    pub result_names: Option<usize>,
    /// Where the op's name stands.
    pub pos: Pos,
}

/// The contents of the end of a generic op's line.
#[derive(Debug, Default)]
struct GenericTypes {
    /// Types of the operands, where the op is plain.
    inputs: Types,
    /// The number of the signature without attributes, where the op is not plain and the line was read before.
    signature: Option<SignatureId>,
}

impl ParsedOp {
    /// Whether it has neither regions nor successors.
    pub(super) fn is_plain(&self) -> bool {
        self.regions.is_empty() && self.state.successors.is_empty()
    }
    /// Adds an attribute; the op's definition decides whether it is inherent.
    pub fn set_attr(&mut self, ctx: &Context, name: Ident, attr: Attr) {
        let inherent = ctx
            .op_info(self.state.name)
            .is_some_and(|info| info.is_inherent(name));
        let list = if inherent {
            &mut self.state.properties
        } else {
            &mut self.state.attrs
        };
        list.retain(|entry| entry.0 != name);
        list.push((name, attr));
    }
}

impl<'a> Parser<'a> {
    /// `{...}`, if there is one, into the op.
    pub fn parse_attr_dict_into(&mut self, op: &mut ParsedOp) -> ParseResult<()> {
        let mut entries = SmallVec::new();
        self.parse_optional_attr_dict(&mut entries)?;
        for (name, attr) in entries {
            op.set_attr(self.ctx(), name, attr);
        }
        Ok(())
    }

    /// An op with its result names and its location, put at the end of `block`.
    pub(super) fn parse_op(&mut self, block: Block) -> ParseResult<Op> {
        let mut names = SmallVec::new();
        if self.at(Tok::Percent) {
            self.parse_result_names(&mut names)?;
        }
        let pos = self.pos();
        let result = match self.token.kind {
            Tok::String => self.parse_generic_op(block, &names),
            Tok::Bare if !super::types::is_integer_type(self.spelling()) => {
                self.parse_custom_op(block, &names)
            }
            _ => Err(self.no_op(block, names.is_empty())),
        };
        if result.is_err() {
            self.stand_in(block, &names, pos);
        }
        result
    }

    /// Reports that no op begins here: on the line of the one before, its text went on where it should have ended.
    fn no_op(&mut self, block: Block, unnamed: bool) -> ParseFailure {
        let goes_on = unnamed && !self.begins_line() && !self.at(Tok::Error);
        match self.ir.last_op(block) {
            Some(before) if goes_on && !self.at(Tok::Eof) => {
                let (found, name) = (self.spelling(), self.ir.op_name_str(before));
                let message = format!("unexpected `{found}`: the text of `{name}` ends before it");
                self.error(message)
            }
            _ => self.expected("operation name in quotes"),
        }
    }

    /// `%a, %b:2 =`
    fn parse_result_names(&mut self, names: &mut SmallVec<[ResultName<'a>; 2]>) -> ParseResult<()> {
        loop {
            if !self.at(Tok::Percent) {
                return Err(self.expected("valid ssa identifier"));
            }
            let (name, pos) = (&self.spelling()[1..], self.pos());
            self.bump();
            let mut count = 1;
            if self.eat(Tok::Colon) {
                // A pack of absurd size is found out when it is compared with the op's results.
                let found = self
                    .at(Tok::Integer)
                    .then(|| self.spelling().parse().ok())
                    .flatten();
                let Some(found) = found.filter(|&found: &u32| found > 0) else {
                    return Err(self.error("expected named operation to have at least 1 result"));
                };
                count = found;
                self.bump();
            }
            names.push(ResultName { name, count, pos });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Equal)
    }

    // ---- the generic form ----

    fn parse_generic_op(&mut self, block: Block, names: &[ResultName<'a>]) -> ParseResult<Op> {
        let pos = self.pos();
        let name = self.parse_generic_name()?;
        let info = self.ctx.op_info(name);
        let operands = self.parse_generic_operands()?;
        let line = self.line_to_repeat(name);
        if let Some(known) = line.and_then(|line| self.take_repeated(line)) {
            if known.fits(&operands, names) {
                let op = self.repeat_op(block, (name, pos), &operands, &known, names);
                self.repeats.put_back(known);
                return op;
            }
            self.step_back(&known);
            self.repeats.put_back(known);
        }
        let mut state = OpState::new(name, Loc::UNKNOWN);
        if self.at(Tok::LSquare) {
            if self.lexer.clone().next_token().kind == Tok::RSquare {
                self.bump();
                return Err(self.expected("a block name"));
            }
            self.parse_list(Tok::LSquare, Tok::RSquare, |p| {
                state.successors.push(p.parse_successor()?);
                Ok(())
            })?;
        }
        if self.eat(Tok::Less) {
            self.parse_properties(&mut state.properties, info)?;
        }
        let mut op = ParsedOp {
            state,
            regions: SmallVec::new(),
            result_names: None,
            pos,
        };
        if self.at(Tok::LParen) {
            let isolated = info.is_some_and(|info| info.has(Trait::IsolatedFromAbove));
            let isolation = if isolated {
                Isolation::Own
            } else {
                Isolation::Shared
            };
            if self.lexer.clone().next_token().kind == Tok::RParen {
                self.bump();
                return Err(self.expected("'{' to begin a region"));
            }
            let list = self.parse_list(Tok::LParen, Tok::RParen, |p| {
                op.regions.push(p.parse_region(&[], isolation)?);
                Ok(())
            });
            // Cut off by the end of the file, which was reported: what is inside can still be checked.
            if list.is_err() && self.at(Tok::Eof) && operands.is_empty() && names.is_empty() {
                return self.finish_op(block, op, names);
            }
            list?;
        }
        if self.at(Tok::LBrace) {
            let mut attrs = Entries::new();
            self.parse_attr_dict(&mut attrs)?;
            self.distribute_attrs(&mut op, attrs, info)?;
        }
        let types = self.parse_signature(&mut op, &operands)?;
        if let Some(line) = line.filter(|_| op.is_plain()) {
            self.note_line(line, &op, types.inputs);
        }
        let has_attributes = !op.state.properties.is_empty() || !op.state.attrs.is_empty();
        let id = self.finish_op(block, op, names)?;
        if let Some(signature) = types.signature.filter(|_| !has_attributes) {
            self.ir.set_signature(id, signature);
        }
        Ok(id)
    }

    /// An op whose line from its properties on was read before.
    fn repeat_op(
        &mut self,
        block: Block,
        (name, pos): (OpName, Pos),
        operands: &[UnresolvedOperand<'a>],
        known: &KnownLine<'a>,
        names: &[ResultName<'a>],
    ) -> ParseResult<Op> {
        let mut values = SmallVec::new();
        self.resolve_operands(operands, &known.inputs, &mut values)?;
        let loc = match self.parse_optional_loc()? {
            Some(loc) => loc,
            None => self.loc_at(pos),
        };
        let op = self.ir.create_plain_op(PlainOp {
            name,
            loc,
            operands: &values,
            result_types: &known.results,
            properties: known.properties,
            attrs: known.attrs,
            signature: known.signature,
        });
        self.ir.append_op(block, op);
        self.name_results(op, names);
        Ok(op)
    }

    /// `"dialect.op"`
    fn parse_generic_name(&mut self) -> ParseResult<OpName> {
        let spelling = self.spelling();
        let name = match self.op_names.get(spelling) {
            Some(&name) => name,
            None => self.intern_op_name(spelling)?,
        };
        self.bump();
        Ok(name)
    }

    fn intern_op_name(&mut self, spelling: &'a str) -> ParseResult<OpName> {
        let Ok(text) = String::from_utf8(unescape(spelling)) else {
            return Err(self.error("an operation name must be UTF-8"));
        };
        if text.is_empty() {
            return Err(self.error("empty operation name is invalid"));
        }
        if text.contains('\0') {
            return Err(self.error("null character not allowed in operation name"));
        }
        let name = self.ctx.op_name(&text);
        let builtin = matches!(text.as_str(), "builtin.module" | UNREADABLE);
        if self.ctx.op_info(name).is_none()
            && !builtin
            && self.options.allow_unregistered == Unregistered::Refuse
        {
            let dialect = text.split_once('.').map_or(text.as_str(), |parts| parts.0);
            let message = match self.ctx.dialect(dialect) {
                Some(_) => format!("unknown op '{text}' in dialect '{dialect}'"),
                None => format!(
                    "operation '{text}' of a dialect that is not registered; \
                     `segra-opt --allow-unregistered-dialect` keeps it as it stands"
                ),
            };
            return Err(self.error(message));
        }
        self.op_names.insert(spelling, name);
        Ok(name)
    }

    fn parse_generic_operands(&mut self) -> ParseResult<SmallVec<[UnresolvedOperand<'a>; 4]>> {
        let mut operands = SmallVec::new();
        self.parse_list(Tok::LParen, Tok::RParen, |p| {
            operands.push(p.parse_operand()?);
            Ok(())
        })?;
        Ok(operands)
    }

    /// Puts the attributes of `{...}` where the op's definition says.
    pub(super) fn distribute_attrs(
        &mut self,
        op: &mut ParsedOp,
        attrs: Entries,
        info: Option<&OpInfo>,
    ) -> ParseResult<()> {
        let Some(info) = info else {
            op.state.attrs.extend(attrs);
            return Ok(());
        };
        for (name, attr) in attrs {
            if !info.is_inherent(name) {
                op.state.attrs.push((name, attr));
            } else if op.state.properties.iter().any(|entry| entry.0 == name) {
                let message = format!("attribute '{}' is given twice", self.ctx.str(name));
                return Err(self.error_at(op.pos, message));
            } else {
                op.state.properties.push((name, attr));
            }
        }
        Ok(())
    }

    /// `: (types) -> types` of a generic op: resolves its operands.
    fn parse_signature(
        &mut self,
        op: &mut ParsedOp,
        operands: &[UnresolvedOperand<'a>],
    ) -> ParseResult<GenericTypes> {
        let line = if op.is_plain() {
            None
        } else {
            self.line_to_repeat(op.state.name)
        };
        if let Some(known) = line.and_then(|line| self.take_repeated(line)) {
            if known.fits(operands, &[]) {
                let resolved =
                    self.resolve_operands(operands, &known.inputs, &mut op.state.operands);
                op.state.result_types = known.results.clone();
                let types = GenericTypes {
                    inputs: Types::new(),
                    signature: known.signature,
                };
                self.repeats.put_back(known);
                return resolved.map(|()| types);
            }
            self.step_back(&known);
            self.repeats.put_back(known);
        }
        self.expect(Tok::Colon)?;
        let pos = self.pos();
        if !self.at(Tok::LParen) {
            return Err(self.expected("function type"));
        }
        let mut inputs = Types::new();
        self.parse_list(Tok::LParen, Tok::RParen, |p| {
            inputs.push(p.parse_type()?);
            Ok(())
        })?;
        self.expect(Tok::Arrow)?;
        if self.at(Tok::LParen) {
            self.parse_list(Tok::LParen, Tok::RParen, |p| {
                op.state.result_types.push(p.parse_type()?);
                Ok(())
            })?;
        } else {
            op.state.result_types.push(self.parse_type()?);
        }
        if inputs.len() != operands.len() {
            return Err(self.mismatch(pos, "operand type", operands.len(), inputs.len()));
        }
        self.resolve_operands(operands, &inputs, &mut op.state.operands)?;
        if let Some(line) = line {
            self.note_signature(line, &op.state.result_types, inputs);
            return Ok(GenericTypes::default());
        }
        Ok(GenericTypes {
            inputs,
            signature: None,
        })
    }

    /// Reads the location, creates the op, attaches its regions, names its results.
    fn finish_op(
        &mut self,
        block: Block,
        mut op: ParsedOp,
        names: &[ResultName<'a>],
    ) -> ParseResult<Op> {
        let wanted: u64 = names.iter().map(|name| u64::from(name.count)).sum();
        let found = op.state.result_types.len();
        if !names.is_empty() && wanted != found as u64 {
            let message = match found {
                0 => "cannot name an operation with no results".to_owned(),
                _ => format!(
                    "operation defines {found} result{} but was provided {wanted} to bind",
                    if found == 1 { "" } else { "s" }
                ),
            };
            return Err(self.error_at(op.pos, message));
        }
        op.state.loc = match self.parse_optional_loc()? {
            Some(loc) => loc,
            None if op.state.loc != Loc::UNKNOWN => op.state.loc,
            None => self.loc_at(op.pos),
        };
        let id = self.ir.create_op(op.state);
        for region in op.regions {
            self.ir.attach_region(id, region);
        }
        self.ir.append_op(block, id);
        self.name_results(id, names);
        Ok(id)
    }

    fn name_results(&mut self, op: Op, names: &[ResultName<'a>]) {
        let Some(mut first) = self.ir.results(op).next() else {
            return;
        };
        for &name in names {
            // The op exists; a name it may not have is reported and left out.
            let _ = self.define(name, first);
            first = segra_ir::store::Value::from_index(first.index() + name.count as usize);
        }
    }

    // ---- custom forms ----

    fn parse_custom_op(&mut self, block: Block, names: &[ResultName<'a>]) -> ParseResult<Op> {
        let pos = self.pos();
        let written = self.spelling();
        let name = match self.op_names.get(written) {
            Some(&name) => name,
            None => self.find_custom_op(written)?,
        };
        let Some(info) = self.ctx.op_info(name) else {
            return Err(self.no_custom_form(written));
        };
        self.bump();
        let mut state = OpState::new(name, Loc::UNKNOWN);
        state.loc = self.loc_at(pos);
        let result_names =
            (!names.is_empty()).then(|| names.iter().map(|name| name.count as usize).sum());
        let mut op = ParsedOp {
            state,
            regions: SmallVec::new(),
            result_names,
            pos,
        };
        // Regions nest, and count.
        match form_of(self.ctx, info).syntax {
            Some(syntax) => syntax.parse(self, &mut op)?,
            None => self.parse_by_format(info, &mut op)?,
        }
        self.finish_op(block, op, names)
    }

    /// The op a bare name stands for: itself, or an op of `builtin` or `func`.
    fn find_custom_op(&mut self, written: &'a str) -> ParseResult<OpName> {
        let has_form = |name: OpName| {
            self.ctx.op_info(name).is_some_and(|info| {
                form_of(self.ctx, info).syntax.is_some() || info.def.format.is_some()
            })
        };
        if written.contains('.') {
            let name = self.ctx.op_name(written);
            if !has_form(name) {
                return Err(self.no_custom_form(written));
            }
            self.op_names.insert(written, name);
            return Ok(name);
        }
        let found = ["builtin", "func"]
            .iter()
            .map(|dialect| self.ctx.op_name(&format!("{dialect}.{written}")))
            .find(|&name| has_form(name));
        match found {
            Some(name) => Ok(name),
            None => Err(self.no_custom_form(written)),
        }
    }

    /// Says why a bare name cannot be read, once per name.
    fn no_custom_form(&mut self, written: &'a str) -> ParseFailure {
        if !self.without_form.insert(written) {
            return ParseFailure;
        }
        let dialect = written.split_once('.').map(|parts| parts.0);
        let known = dialect.and_then(|dialect| self.ctx.dialect(dialect));
        let defined = known.is_some_and(|known| known.ops.iter().any(|def| def.name == written));
        let meant = (!defined).then(|| self.op_of_near_name(written)).flatten();
        let help = meant.map_or(String::new(), |name| format!("; did you mean '{name}'?"));
        let has_more = known.is_some_and(|known| known.origin == Origin::PartOfUpstream);
        let message = match (dialect, known) {
            (Some(dialect), Some(_)) if !defined && (!has_more || !help.is_empty()) => {
                format!("unknown op '{written}' in dialect '{dialect}'{help}")
            }
            (Some(dialect), None) if !help.is_empty() => {
                format!("unknown dialect '{dialect}' of op '{written}'{help}")
            }
            (Some(dialect), _) => {
                let tool = crate::foreign::tool_of(dialect);
                format!(
                    "custom op '{written}' is unknown here; only the generic form of this op can be read, which \
                     `{tool} --mlir-print-op-generic FILE` writes"
                )
            }
            (None, _) => format!("expected an operation, found '{written}'"),
        };
        self.error(message)
    }

    /// The op whose name is mistyped: one of the dialect that is written, or the same of one whose name is near.
    fn op_of_near_name(&self, written: &str) -> Option<String> {
        let (dialect, rest) = written.split_once('.')?;
        if let Some(known) = self.ctx.dialect(dialect) {
            let names = known.ops.iter().filter_map(|def| def.name.split_once('.'));
            let near = suggestion(rest, names.map(|(_, name)| name))?;
            return Some(format!("{dialect}.{near}"));
        }
        let near = suggestion(dialect, self.ctx.dialects().map(|known| known.name))?;
        let meant = format!("{near}.{rest}");
        let known = self.ctx.dialect(near)?;
        let defined = known.ops.iter().any(|def| def.name == meant);
        defined.then_some(meant)
    }

    // ---- what could not be read ----

    /// Puts a stand-in for an op that could not be read, so that what depends on it can still be checked.
    fn stand_in(&mut self, block: Block, names: &[ResultName<'a>], pos: Pos) {
        // A pack of absurd size is not worth the memory.
        const MOST: u32 = 1 << 16;
        let count = names
            .iter()
            .fold(0u32, |sum, name| sum.saturating_add(name.count));
        if count > MOST {
            return;
        }
        let id = self.put_unreadable(block, count as usize);
        if let Some(symbol) = self.symbol_of_failed(pos) {
            self.ir.set_attr_named(id, "sym_name", Some(symbol));
        }
        let mut results = self.ir.results(id);
        for &name in names {
            let mut own = results.by_ref().take(name.count as usize);
            if let Some(first) = own.next() {
                own.for_each(drop);
                let _ = self.define(name, first);
            }
        }
    }

    /// The symbol that the op at `pos`, which could not be read, seems to define.
    fn symbol_of_failed(&mut self, pos: Pos) -> Option<Attr> {
        // Far enough for the properties of a generic op; a custom form has its symbol in front.
        const LOOK_AHEAD: usize = 64;
        const CUSTOM_LOOK_AHEAD: usize = 4;
        let here = self.token;
        self.seek(pos.0);
        let generic = self.at(Tok::String);
        let defines = || {
            let name = self.op_names.get(self.spelling())?;
            self.ctx
                .op_info(*name)
                .filter(|info| info.has(Trait::Symbol))
        };
        let steps = match generic {
            true => LOOK_AHEAD,
            false if defines().is_some() => CUSTOM_LOOK_AHEAD,
            false => 0,
        };
        let mut found = None;
        for _ in 0..steps {
            let named = generic
                && self.eat_keyword("sym_name")
                && self.eat(Tok::Equal)
                && self.at(Tok::String);
            if named || (!generic && self.at(Tok::At)) {
                let name = self.spelling().trim_start_matches('@');
                found = Some(self.ctx.str_attr(&String::from_utf8_lossy(&unescape(name))));
                break;
            }
            self.bump();
        }
        self.lexer.seek(here.end as usize);
        self.token = here;
        found
    }

    /// A stand-in with `results` results of any type at the end of `block`.
    pub(super) fn put_unreadable(&mut self, block: Block, results: usize) -> Op {
        let mut state = OpState::new(self.ctx.op_name(UNREADABLE), Loc::UNKNOWN);
        let none = self.ctx.ty(segra_ir::types::TypeKind::None);
        state
            .result_types
            .extend(std::iter::repeat_n(none, results));
        let id = self.ir.create_op(state);
        self.ir.append_op(block, id);
        self.names.unreadable.extend(self.ir.results(id));
        id
    }
}
