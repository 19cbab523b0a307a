//! Format strings: the custom text form of an op as data, shared by the reader and the printer.
//!
//! A format is a list of [`Directive`]s, written in a subset of MLIR's declarative assembly format:
//!
//! | written | stands for |
//! |---|---|
//! | `` `literal` `` | a keyword or punctuation; `` ` ` `` a space, ``` `` ``` no space here (layout only, not read) |
//! | `$field` | an operand field (`%a`, or `%a, %b`), attribute, region or successor |
//! | `operands` | all operands |
//! | `type($field)`, `type(operands)`, `type(results)` | types of operands or results, separated by commas |
//! | `functional-type(ins, outs)` | `(types) -> types`; `ins` and `outs` as inside `type(...)` |
//! | `attr-dict`, `attr-dict-with-keyword` | `{...}` (after `attributes`) with what is not written elsewhere; exactly once |
//! | `(... $anchor^ ...)?` | all of it where the anchor is there, else nothing; starts with something the reader can see |
//!
//! An attribute is written as its constraint says ([`AttrConstraint::text`]). Types that are not written are
//! derived: [`Format::operand_types`] and [`Format::result_types`] say how. The reader resolves operand types first,
//! then result types.
//!
//! Deliberately absent: directives that run code (an op that needs more implements [`crate::Syntax`]).
//!
//! [`AttrConstraint::text`]: segra_ir::constraint::AttrConstraint::text

use segra_ir::constraint::AttrText;
use segra_ir::context::{Context, Ident};
use segra_ir::def::{Arity, OpDef, OpInfo, Trait};
use segra_ir::store::{Ir, Op, Value};

/// A format string, read and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// The parts to write or read, in order.
    pub directives: Vec<Directive>,
    /// Where the types of each operand field come from.
    pub operand_types: Vec<TypeSource>,
    /// Where the types of each result field come from.
    pub result_types: Vec<TypeSource>,
    /// Attributes that `attr-dict` leaves out because they are written elsewhere or follow from the rest
    /// (segment sizes).
    pub elided: Vec<Ident>,
}

/// One step of a format. Numbers are positions in the definition's lists (`OpDef::operands`, `::attrs`, ...).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// A keyword or punctuation.
    Literal(&'static str),
    /// Layout only: whether a space comes next. Not read.
    Space(SpaceHint),
    /// Operands without their types.
    Operands(Values),
    /// An attribute of the definition.
    Attr(usize),
    /// A region field: `{...}`, several separated by commas.
    Region(usize),
    /// A successor field: `^bb1`, several separated by commas.
    Successor(usize),
    /// Types separated by commas.
    Types(Values),
    /// `(inputs) -> results`; one result that is not a function type stands without parentheses.
    FunctionalType(Values, Values),
    /// The remaining attributes.
    AttrDict(DictStyle),
    /// Written where the anchor is there.
    Optional(OptionalGroup),
}

/// Layout between two directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceHint {
    /// A space.
    Space,
    /// No space.
    None,
}

/// How the dictionary of remaining attributes is introduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DictStyle {
    /// `{...}`
    Braces,
    /// `attributes {...}`
    WithKeyword,
}

/// Which operands or results a directive is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// All operands.
    AllOperands,
    /// All results.
    AllResults,
    /// One operand field.
    Operand(usize),
    /// One result field.
    Result(usize),
}

/// Directives that are written together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionalGroup {
    /// The elements of the group. The first one tells the reader whether the group is there.
    pub directives: Vec<Directive>,
    /// Position in `directives` of the one that tells the printer whether to write the group: an optional or
    /// variadic operand or result type, an optional attribute, a region, successors.
    ///
    /// A unit attribute as anchor writes nothing itself: the group's being there says it all.
    pub anchor: usize,
}

/// Where the types of an operand or result field come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeSource {
    /// They are written.
    Written,
    /// The constraint allows only one type ([`segra_ir::constraint::TypeConstraint::only`]).
    Only,
    /// The type (of the first value) of this other field; never a chain.
    SameAs(Values),
    /// `infer_result_types` computes all result types once operands, attributes and regions are read.
    Inferred,
    /// An optional result the format does not mention: ops that have it are written generically.
    Absent,
}

/// The first of an op's values that a directive is about.
fn first_of(ir: &Ir, op: Op, values: Values) -> Option<Value> {
    match values {
        Values::AllOperands => ir.operands(op).next(),
        Values::AllResults => ir.results(op).next(),
        Values::Operand(index) => ir
            .operand_group(op, index)
            .next()
            .map(|at| ir.operand(op, at)),
        Values::Result(index) => ir
            .result_group(op, index)
            .next()
            .map(|at| ir.result(op, at)),
    }
}

impl Format {
    /// Whether the format says all there is to say about an op: none of the results it leaves out is there, and operands
    /// whose types it leaves out have those that a reader will give them. (Those that must be alike may differ in
    /// extents that one of them leaves open.)
    pub(crate) fn applies(&self, ir: &Ir, op: Op) -> bool {
        let absent = |index: usize| self.result_types[index] != TypeSource::Absent;
        let same = |index: usize| match self.operand_types[index] {
            TypeSource::SameAs(values) => {
                let known = first_of(ir, op, values).map(|value| ir.value_type(value));
                ir.operand_group(op, index)
                    .all(|at| Some(ir.value_type(ir.operand(op, at))) == known)
            }
            _ => true,
        };
        (0..self.result_types.len())
            .all(|index| absent(index) || ir.result_group(op, index).is_empty())
            && (0..self.operand_types.len()).all(same)
    }
    /// Reads the format string of a definition.
    ///
    /// # Errors
    /// Errors in the format string; [`check_formats`] finds them all in a test.
    pub fn parse(ctx: &Context, info: &OpInfo) -> Result<Format, String> {
        let text = info.def.format.ok_or("there is no format string")?;
        let mut reader = FormatReader {
            def: info.def,
            tokens: tokenize(text)?,
            next: 0,
        };
        let directives = reader.list(Nesting::Top)?;
        let mut mentions = Mentions::default();
        mentions.collect(&directives);
        mentions.check(ctx, info, &directives)?;
        Ok(Format {
            operand_types: operand_sources(ctx, info, &mentions)?,
            result_types: result_sources(ctx, info, &mentions)?,
            elided: elided(info, &mentions),
            directives,
        })
    }
    /// Whether attribute `index` of the definition is the anchor of a group and a unit attribute, so that it is not
    /// written itself.
    pub fn is_silent(def: &OpDef, directive: &Directive) -> bool {
        matches!(directive, Directive::Attr(index) if def.attrs[*index].constraint.text() == AttrText::Unit)
    }
}

/// Errors in the format strings of all registered ops; a test of every dialect asserts that this is empty.
pub fn check_formats(ctx: &Context) -> Vec<String> {
    let defs = ctx.dialects().flat_map(|dialect| &dialect.ops);
    defs.filter(|def| def.format.is_some())
        .filter_map(|def| {
            let info = ctx.op_info(ctx.op_name(def.name))?;
            Format::parse(ctx, info)
                .err()
                .map(|error| format!("format of `{}`: {error}", def.name))
        })
        .collect()
}

// ---- tokens ----

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Literal(&'static str),
    Field(&'static str),
    Word(&'static str),
    Punct(char),
}

fn tokenize(text: &'static str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let used = match first {
            '`' => {
                let end = rest[1..]
                    .find('`')
                    .ok_or("a literal lacks its closing backtick")?;
                tokens.push(Token::Literal(&rest[1..=end]));
                end + 2
            }
            '$' => {
                let length = word_length(&rest[1..]);
                tokens.push(Token::Field(&rest[1..=length]));
                length + 1
            }
            _ if first.is_whitespace() => first.len_utf8(),
            _ if first.is_ascii_alphabetic() => {
                let length = word_length(rest);
                tokens.push(Token::Word(&rest[..length]));
                length
            }
            '(' | ')' | ',' | '?' | '^' => {
                tokens.push(Token::Punct(first));
                1
            }
            _ => return Err(format!("`{first}` means nothing in a format string")),
        };
        rest = &rest[used..];
    }
    Ok(tokens)
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '-'))
        .unwrap_or(text.len())
}

/// Whether a literal is something the lexer of the text form yields as one token.
fn is_literal(text: &str) -> bool {
    const PUNCTUATION: [&str; 16] = [
        "->", ":", ",", "=", "<", ">", "(", ")", "{", "}", "[", "]", "?", "+", "*", "...",
    ];
    PUNCTUATION.contains(&text) || is_bare_keyword(text)
}

/// Whether a word can stand in the text form without quotes.
pub(crate) fn is_bare_keyword(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes
        .first()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.'))
}

// ---- directives ----

#[derive(Clone, Copy, PartialEq, Eq)]
enum Nesting {
    Top,
    Group,
}

struct FormatReader {
    def: &'static OpDef,
    tokens: Vec<Token>,
    next: usize,
}

impl FormatReader {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.next).copied()
    }
    fn expect(&mut self, punct: char) -> Result<(), String> {
        if self.peek() != Some(Token::Punct(punct)) {
            return Err(format!("expected `{punct}`"));
        }
        self.next += 1;
        Ok(())
    }

    fn list(&mut self, nesting: Nesting) -> Result<Vec<Directive>, String> {
        let mut directives = Vec::new();
        while let Some(token) = self.peek() {
            if token == Token::Punct(')') && nesting == Nesting::Group || token == Token::Punct('^')
            {
                break;
            }
            directives.push(self.directive(token, nesting)?);
            if nesting == Nesting::Group && self.peek() == Some(Token::Punct('^')) {
                break;
            }
        }
        if nesting == Nesting::Top && self.peek().is_some() {
            return Err("`^` marks the anchor of an optional group".to_owned());
        }
        Ok(directives)
    }

    fn directive(&mut self, token: Token, nesting: Nesting) -> Result<Directive, String> {
        self.next += 1;
        match token {
            Token::Literal("") => Ok(Directive::Space(SpaceHint::None)),
            Token::Literal(" ") => Ok(Directive::Space(SpaceHint::Space)),
            Token::Literal(text) if is_literal(text) => Ok(Directive::Literal(text)),
            Token::Literal(text) => Err(format!(
                "`{text}` is neither a keyword nor known punctuation"
            )),
            Token::Field(name) => self.field(name),
            Token::Word("operands") => Ok(Directive::Operands(Values::AllOperands)),
            Token::Word("attr-dict") => Ok(Directive::AttrDict(DictStyle::Braces)),
            Token::Word("attr-dict-with-keyword") => {
                Ok(Directive::AttrDict(DictStyle::WithKeyword))
            }
            Token::Word("type") => {
                self.expect('(')?;
                let values = self.values()?;
                self.expect(')')?;
                Ok(Directive::Types(values))
            }
            Token::Word("functional-type") => {
                self.expect('(')?;
                let inputs = self.values()?;
                self.expect(',')?;
                let outputs = self.values()?;
                self.expect(')')?;
                Ok(Directive::FunctionalType(inputs, outputs))
            }
            Token::Punct('(') if nesting == Nesting::Top => self.group().map(Directive::Optional),
            Token::Punct('(') => Err("optional groups do not nest".to_owned()),
            Token::Word(word) => Err(format!("`{word}` is no directive")),
            Token::Punct(c) => Err(format!("unexpected `{c}`")),
        }
    }

    fn field(&self, name: &str) -> Result<Directive, String> {
        let def = self.def;
        if let Some(index) = def.operands.iter().position(|field| field.name == name) {
            Ok(Directive::Operands(Values::Operand(index)))
        } else if let Some(index) = def.attrs.iter().position(|field| field.name == name) {
            Ok(Directive::Attr(index))
        } else if let Some(index) = def.regions.iter().position(|field| field.name == name) {
            Ok(Directive::Region(index))
        } else if let Some(index) = def.successors.iter().position(|field| field.name == name) {
            Ok(Directive::Successor(index))
        } else if def.results.iter().any(|field| field.name == name) {
            Err(format!(
                "result `${name}` can only stand inside `type(...)`"
            ))
        } else {
            Err(format!("there is no field `{name}`"))
        }
    }

    fn values(&mut self) -> Result<Values, String> {
        let token = self.peek();
        self.next += 1;
        match token {
            Some(Token::Word("operands")) => Ok(Values::AllOperands),
            Some(Token::Word("results")) => Ok(Values::AllResults),
            Some(Token::Field(name)) => {
                let operand = self
                    .def
                    .operands
                    .iter()
                    .position(|field| field.name == name);
                let result = self.def.results.iter().position(|field| field.name == name);
                operand
                    .map(Values::Operand)
                    .or(result.map(Values::Result))
                    .ok_or_else(|| format!("`{name}` is neither an operand nor a result"))
            }
            _ => Err("expected `$field`, `operands` or `results`".to_owned()),
        }
    }

    fn group(&mut self) -> Result<OptionalGroup, String> {
        let mut directives = self.list(Nesting::Group)?;
        if self.peek() != Some(Token::Punct('^')) {
            return Err("an optional group needs an anchor: `$field^`".to_owned());
        }
        self.next += 1;
        let anchor = directives
            .len()
            .checked_sub(1)
            .ok_or("`^` follows the anchor")?;
        directives.extend(self.list(Nesting::Group)?);
        self.expect(')')?;
        self.expect('?')?;
        let group = OptionalGroup { directives, anchor };
        self.check_group(&group)?;
        Ok(group)
    }

    fn check_group(&self, group: &OptionalGroup) -> Result<(), String> {
        let loose = |values: Values| match values {
            Values::Operand(index) => self.def.operands[index].arity != Arity::One,
            Values::Result(index) => self.def.results[index].arity != Arity::One,
            Values::AllOperands | Values::AllResults => true,
        };
        let can_be_absent = match group.directives[group.anchor] {
            Directive::Operands(values) | Directive::Types(values) => loose(values),
            Directive::Attr(index) => self.def.attrs[index].optional,
            Directive::Region(_) => true,
            Directive::Successor(index) => self.def.successors[index].arity != Arity::One,
            _ => return Err("the anchor of an optional group must be a field".to_owned()),
        };
        if !can_be_absent {
            return Err("the anchor of an optional group is always there".to_owned());
        }
        let mut written = group
            .directives
            .iter()
            .filter(|directive| !matches!(directive, Directive::Space(_)));
        match written.next() {
            Some(first) if Format::is_silent(self.def, first) => Err(
                "an optional group cannot start with a unit attribute: nothing is written for it"
                    .to_owned(),
            ),
            Some(
                Directive::Literal(_)
                | Directive::Operands(_)
                | Directive::Attr(_)
                | Directive::Region(_)
                | Directive::Successor(_),
            ) => Ok(()),
            _ => Err("an optional group must start with a literal or a field".to_owned()),
        }
    }
}

// ---- what is mentioned where ----

#[derive(Default)]
struct Mentions {
    operands: Vec<Values>,
    types: Vec<Values>,
    attrs: Vec<(usize, bool)>,
    regions: Vec<usize>,
    successors: Vec<usize>,
    dicts: usize,
}

impl Mentions {
    fn collect(&mut self, directives: &[Directive]) {
        for directive in directives {
            self.add(directive, false);
        }
    }

    fn add(&mut self, directive: &Directive, anchored: bool) {
        match directive {
            Directive::Literal(_) | Directive::Space(_) => {}
            Directive::Operands(values) => self.operands.push(*values),
            Directive::Attr(index) => self.attrs.push((*index, anchored)),
            Directive::Region(index) => self.regions.push(*index),
            Directive::Successor(index) => self.successors.push(*index),
            Directive::Types(values) => self.types.push(*values),
            Directive::FunctionalType(inputs, outputs) => self.types.extend([*inputs, *outputs]),
            Directive::AttrDict(_) => self.dicts += 1,
            Directive::Optional(group) => {
                for (index, inner) in group.directives.iter().enumerate() {
                    self.add(inner, index == group.anchor);
                }
            }
        }
    }

    fn check(&self, _ctx: &Context, info: &OpInfo, directives: &[Directive]) -> Result<(), String> {
        let def = info.def;
        if self.dicts != 1
            || !directives
                .iter()
                .any(|it| matches!(it, Directive::AttrDict(_)))
        {
            return Err(
                "`attr-dict` must stand exactly once, outside of optional groups".to_owned(),
            );
        }
        for (index, operand) in def.operands.iter().enumerate() {
            self.once(
                &self.operands,
                Values::Operand(index),
                Values::AllOperands,
                operand.name,
            )?;
        }
        if self.operands.contains(&Values::AllOperands) && info.operand_segments.is_some() {
            return Err("`operands` cannot tell several variadic operands apart".to_owned());
        }
        for (index, region) in def.regions.iter().enumerate() {
            exactly_once(
                self.regions.iter().filter(|&&at| at == index).count(),
                "region",
                region.name,
            )?;
        }
        for (index, successor) in def.successors.iter().enumerate() {
            let count = self.successors.iter().filter(|&&at| at == index).count();
            exactly_once(count, "successor", successor.name)?;
        }
        for &(index, anchored) in &self.attrs {
            let attr = &def.attrs[index];
            if self.attrs.iter().filter(|row| row.0 == index).count() > 1 {
                return Err(format!("attribute `{}` is written twice", attr.name));
            }
            if attr.optional && !anchored {
                return Err(format!(
                    "optional attribute `{}` must be the anchor of a group",
                    attr.name
                ));
            }
            if !attr.optional && attr.constraint.text() == AttrText::Unit {
                return Err(format!(
                    "required unit attribute `{}` says nothing",
                    attr.name
                ));
            }
        }
        Ok(())
    }

    fn once(&self, list: &[Values], one: Values, all: Values, name: &str) -> Result<(), String> {
        let count = list
            .iter()
            .filter(|&&values| values == one || values == all)
            .count();
        exactly_once(count, "operand", name)
    }

    fn has_type(&self, one: Values, all: Values) -> bool {
        self.types
            .iter()
            .any(|&values| values == one || values == all)
    }
}

fn exactly_once(count: usize, what: &str, name: &str) -> Result<(), String> {
    match count {
        1 => Ok(()),
        0 => Err(format!("{what} `{name}` is not written")),
        _ => Err(format!("{what} `{name}` is written twice")),
    }
}

// ---- where types come from ----

/// A field whose type is known without looking at others, to take another's type from.
fn known_field(ctx: &Context, info: &OpInfo, mentions: &Mentions, scope: Scope) -> Option<Values> {
    let def = info.def;
    let operands = def
        .operands
        .iter()
        .enumerate()
        .filter(|(_, field)| field.arity == Arity::One);
    let results = def
        .results
        .iter()
        .enumerate()
        .filter(|(_, field)| field.arity == Arity::One);
    let written = operands
        .clone()
        .map(|(index, _)| (Values::Operand(index), Values::AllOperands));
    let written_results = results.map(|(index, _)| (Values::Result(index), Values::AllResults));
    let from_operand = written
        .clone()
        .find(|&(one, all)| mentions.has_type(one, all))
        .map(|row| row.0);
    let from_result = || {
        written_results
            .clone()
            .find(|&(one, all)| mentions.has_type(one, all))
            .map(|row| row.0)
    };
    let only = || {
        operands
            .clone()
            .find(|row| row.1.constraint.only(ctx).is_some())
            .map(|row| Values::Operand(row.0))
    };
    match scope {
        Scope::Operands => from_operand.or_else(only),
        Scope::OperandsAndResults => from_operand.or_else(from_result).or_else(only),
    }
}

#[derive(Clone, Copy)]
enum Scope {
    Operands,
    OperandsAndResults,
}

fn operand_sources(
    ctx: &Context,
    info: &OpInfo,
    mentions: &Mentions,
) -> Result<Vec<TypeSource>, String> {
    let same = if info.has(Trait::SameOperandsAndResultType) {
        known_field(ctx, info, mentions, Scope::OperandsAndResults)
    } else if info.has(Trait::SameTypeOperands) {
        known_field(ctx, info, mentions, Scope::Operands)
    } else {
        None
    };
    let source = |(index, field): (usize, &segra_ir::def::OperandDef)| {
        if mentions.has_type(Values::Operand(index), Values::AllOperands) {
            Ok(TypeSource::Written)
        } else if field.constraint.only(ctx).is_some() {
            Ok(TypeSource::Only)
        } else {
            same.map(TypeSource::SameAs)
                .ok_or_else(|| format!("nothing says the type of operand `{}`", field.name))
        }
    };
    info.def.operands.iter().enumerate().map(source).collect()
}

fn result_sources(
    ctx: &Context,
    info: &OpInfo,
    mentions: &Mentions,
) -> Result<Vec<TypeSource>, String> {
    let def = info.def;
    let written = |index: usize| mentions.has_type(Values::Result(index), Values::AllResults);
    if info.infer.is_some() && !(0..def.results.len()).any(written) {
        return Ok(vec![TypeSource::Inferred; def.results.len()]);
    }
    let same = info
        .has(Trait::SameOperandsAndResultType)
        .then(|| known_field(ctx, info, mentions, Scope::OperandsAndResults))
        .flatten();
    let source = |(index, field): (usize, &segra_ir::def::ResultDef)| {
        if written(index) {
            return Ok(TypeSource::Written);
        }
        let one = field.arity == Arity::One;
        if one && field.constraint.only(ctx).is_some() {
            return Ok(TypeSource::Only);
        }
        if field.arity == Arity::Optional {
            return Ok(TypeSource::Absent);
        }
        same.filter(|_| one)
            .map(TypeSource::SameAs)
            .ok_or_else(|| format!("nothing says the type of result `{}`", field.name))
    };
    def.results.iter().enumerate().map(source).collect()
}

fn elided(info: &OpInfo, mentions: &Mentions) -> Vec<Ident> {
    let mut elided: Vec<Ident> = mentions
        .attrs
        .iter()
        .map(|row| info.attr_names[row.0])
        .collect();
    elided.extend(info.operand_segments);
    // Sizes of result groups follow from the text only where each group's types are written apart.
    let apart = |index: usize| mentions.types.contains(&Values::Result(index));
    if (0..info.def.results.len()).all(apart) {
        elided.extend(info.result_segments);
    }
    elided
}
