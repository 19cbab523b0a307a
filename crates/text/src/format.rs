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
//! | `custom<DynamicIndexList>($operands, $numbers)` | `[%a, 4, %b]`: a dense array whose open entries are operands |
//! | `oilist(clause \| clause ...)` | clauses in any order, each at most once; each starts with a literal |
//! | `same-type($a, $b, ...)` | nothing: these fields have one type (upstream: the trait `AllTypesMatch`) |
//! | `attr-dict`, `attr-dict-with-keyword` | `{...}` (after `attributes`) with what is not written elsewhere; exactly once |
//! | `(... $anchor^ ...)?` | all of it where the anchor is there, else nothing; starts with something the reader can see |
//!
//! An attribute is written as its constraint says ([`AttrConstraint::text`]). Types that are not written are
//! derived: [`Format::operand_types`] and [`Format::result_types`] say how. The reader resolves operand types first,
//! then result types. Attributes with the value that their absence stands for are not written
//! ([`AttrConstraint::default_value`]).
//!
//! Deliberately absent: directives that run code (an op that needs more implements [`crate::Syntax`]).
//!
//! [`AttrConstraint::text`]: segra_ir::constraint::AttrConstraint::text
//! [`AttrConstraint::default_value`]: segra_ir::constraint::AttrConstraint::default_value

mod sources;
mod tokens;

use segra_ir::constraint::AttrText;
use segra_ir::context::{Context, Ident};
use segra_ir::def::{Arity, OpDef, OpInfo};
use segra_ir::store::{Ir, Op, Value};
use segra_ir::types::DYNAMIC;
use sources::Mentions;
pub(crate) use tokens::is_bare_keyword;
use tokens::{Token, is_literal, tokenize};

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
    /// `[%a, 4, %b]`: the numbers of an attribute, with operands for those that are
    /// [`DYNAMIC`].
    IndexList {
        /// The operand field.
        operands: usize,
        /// The attribute.
        numbers: usize,
    },
    /// Clauses in any order, each at most once.
    Unordered(Vec<OptionalGroup>),
    /// Neither written nor read: these fields have one type.
    SameType(Vec<Values>),
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
        let known = |values| first_of(ir, op, values).map(|value| ir.value_type(value));
        let result = |index: usize| match self.result_types[index] {
            TypeSource::Absent => ir.result_group(op, index).is_empty(),
            _ => true,
        };
        let operand = |index: usize| match self.operand_types[index] {
            TypeSource::SameAs(values) => ir
                .operand_group(op, index)
                .all(|at| Some(ir.value_type(ir.operand(op, at))) == known(values)),
            _ => true,
        };
        let directive = |directive: &Directive| match directive {
            Directive::IndexList { operands, numbers } => {
                let numbers = ir.inherent_attr(op, *numbers);
                let numbers = numbers.and_then(|attr| attr.as_dense_i64(ir.ctx()));
                let open = |list: Vec<i64>| list.iter().filter(|&&it| it == DYNAMIC).count();
                numbers.map(open) == Some(ir.operand_group(op, *operands).len())
            }
            Directive::SameType(fields) => fields
                .iter()
                .filter_map(|&field| known(field))
                .collect::<Vec<_>>()
                .windows(2)
                .all(|pair| pair[0] == pair[1]),
            _ => true,
        };
        (0..self.result_types.len()).all(result)
            && (0..self.operand_types.len()).all(operand)
            && self.directives.iter().all(directive)
    }
    /// Whether an attribute of the definition is there and says more than its absence would.
    pub(crate) fn has_attr(ir: &Ir, op: Op, def: &OpDef, index: usize) -> bool {
        let default = def.attrs[index].constraint.default_value(ir.ctx());
        ir.inherent_attr(op, index)
            .is_some_and(|attr| default != Some(attr))
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
        mentions.check(info, &directives)?;
        Ok(Format {
            operand_types: sources::of_operands(ctx, info, &mentions)?,
            result_types: sources::of_results(ctx, info, &mentions)?,
            elided: sources::elided(info, &mentions),
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

// ---- directives ----

#[derive(Clone, Copy, PartialEq, Eq)]
enum Nesting {
    Top,
    Group,
    Clause,
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
            let ends = match token {
                Token::Punct(')') => nesting != Nesting::Top,
                Token::Punct('|') => nesting == Nesting::Clause,
                Token::Punct('^') => true,
                _ => false,
            };
            if ends {
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
            Token::Word("custom") => self.index_list(),
            Token::Word("same-type") => self.same_type(),
            Token::Word("oilist") if nesting == Nesting::Top => self.unordered(),
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

    /// `<DynamicIndexList>($operands, $numbers)`
    fn index_list(&mut self) -> Result<Directive, String> {
        self.expect('<')?;
        if self.peek() != Some(Token::Word("DynamicIndexList")) {
            return Err("the only `custom` directive is `custom<DynamicIndexList>`".to_owned());
        }
        self.next += 1;
        self.expect('>')?;
        self.expect('(')?;
        let operands = self.values()?;
        self.expect(',')?;
        let numbers = self.peek();
        self.next += 1;
        self.expect(')')?;
        let attrs = self.def.attrs;
        let position = |name| attrs.iter().position(|field| field.name == name);
        match (operands, numbers) {
            (Values::Operand(operands), Some(Token::Field(name))) => position(name)
                .map(|numbers| Directive::IndexList { operands, numbers })
                .ok_or_else(|| format!("there is no attribute `{name}`")),
            _ => Err("an index list needs an operand field and an attribute".to_owned()),
        }
    }

    /// `($a, $b, ...)`
    fn same_type(&mut self) -> Result<Directive, String> {
        self.expect('(')?;
        let mut fields = vec![self.values()?];
        while self.peek() == Some(Token::Punct(',')) {
            self.next += 1;
            fields.push(self.values()?);
        }
        self.expect(')')?;
        Ok(Directive::SameType(fields))
    }

    /// `(clause | clause ...)`
    fn unordered(&mut self) -> Result<Directive, String> {
        self.expect('(')?;
        let mut clauses = Vec::new();
        loop {
            let directives = self.list(Nesting::Clause)?;
            let anchor = directives
                .iter()
                .position(|directive| self.can_be_absent(directive));
            let anchor = anchor.ok_or("a clause needs a field that can be absent")?;
            if !matches!(directives.first(), Some(Directive::Literal(_))) {
                return Err("a clause must start with a literal".to_owned());
            }
            clauses.push(OptionalGroup { directives, anchor });
            if self.peek() != Some(Token::Punct('|')) {
                break;
            }
            self.next += 1;
        }
        self.expect(')')?;
        Ok(Directive::Unordered(clauses))
    }

    fn can_be_absent(&self, directive: &Directive) -> bool {
        let loose = |values: Values| match values {
            Values::Operand(index) => self.def.operands[index].arity != Arity::One,
            Values::Result(index) => self.def.results[index].arity != Arity::One,
            Values::AllOperands | Values::AllResults => true,
        };
        match directive {
            Directive::Operands(values) | Directive::Types(values) => loose(*values),
            Directive::Attr(index) => self.def.attrs[*index].optional,
            Directive::Region(_) => true,
            Directive::Successor(index) => self.def.successors[*index].arity != Arity::One,
            _ => false,
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
        let anchor = &group.directives[group.anchor];
        let is_field = matches!(
            anchor,
            Directive::Operands(_)
                | Directive::Types(_)
                | Directive::Attr(_)
                | Directive::Region(_)
                | Directive::Successor(_)
        );
        if !is_field {
            return Err("the anchor of an optional group must be a field".to_owned());
        }
        if !self.can_be_absent(anchor) {
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
