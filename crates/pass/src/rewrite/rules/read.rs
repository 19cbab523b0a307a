//! Reading rules, and refusing those that cannot work.

use super::{Class, Condition, Node, OpNode, Rule, RuleError, Taken};
use segra_ir::def::{Arity, AttrDef, OpDef};
use segra_ir::{Attr, Context, Ident, TypeKind};
use segra_text::{ParseOptions, parse_attr, parse_type};
use std::sync::Arc;

/// Reads rules, one a line; empty lines and what follows `# ` do not count.
///
/// # Errors
/// Everything that is wrong, in the order of the text.
pub fn read_rules(ctx: &Arc<Context>, text: &str) -> Result<Vec<Rule>, Vec<RuleError>> {
    read_rules_about(ctx, text, UnknownOps::Refuse)
}

/// The treatment of a rule about an op that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownOps {
    /// It is an error.
    Refuse,
    /// The rule is left out: it could match nothing.
    LeaveOut,
}

/// Reads rules as [`read_rules`] does.
///
/// # Errors
/// Everything that is wrong, in the order of the text.
pub fn read_rules_about(
    ctx: &Arc<Context>,
    text: &str,
    unknown: UnknownOps,
) -> Result<Vec<Rule>, Vec<RuleError>> {
    let (mut rules, mut errors): (Vec<Rule>, Vec<RuleError>) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        let content = without_comment(line);
        if content.trim().is_empty() {
            continue;
        }
        let (line, names) = (index + 1, Vec::new());
        let mut reader = Reader {
            ctx,
            text: content,
            at: 0,
            line,
            names,
            is_about_unknown: false,
        };
        match reader.rule() {
            Ok(rule) => match rules.iter().find(|other| other.name == rule.name) {
                Some(other) => {
                    let message =
                        format!("rule `{}` stands in line {} already", rule.name, other.line);
                    errors.push(RuleError {
                        line: index + 1,
                        column: 1,
                        message,
                    });
                }
                None => rules.push(rule),
            },
            Err(_) if reader.is_about_unknown && unknown == UnknownOps::LeaveOut => {}
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        Ok(rules)
    } else {
        Err(errors)
    }
}

/// The line up to a `#` that a space or nothing follows: `#arith.overflow<nsw>` is an attribute.
fn without_comment(line: &str) -> &str {
    let starts =
        |&(at, _): &(usize, &str)| !line[at + 1..].starts_with(|c: char| !c.is_whitespace());
    line.match_indices('#')
        .find(starts)
        .map_or(line, |(at, _)| &line[..at])
}

/// Which side of the arrow is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Pattern,
    Result,
}

struct Reader<'a> {
    ctx: &'a Arc<Context>,
    text: &'a str,
    at: usize,
    line: usize,
    names: Vec<String>,
    /// Whether reading ended at an op that is not known.
    is_about_unknown: bool,
}

type Read<T> = Result<T, RuleError>;

/// Attributes written out, and those that matched ops give.
type Attrs = (Vec<(Ident, Attr)>, Vec<(Ident, Taken)>);

impl Reader<'_> {
    fn error<T>(&self, at: usize, message: impl Into<String>) -> Read<T> {
        let column = self.text[..at].chars().count() + 1;
        Err(RuleError {
            line: self.line,
            column,
            message: message.into(),
        })
    }
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }
    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }
    fn eat(&mut self, token: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(token);
        self.at += if found { token.len() } else { 0 };
        found
    }
    fn expect(&mut self, token: &str) -> Read<()> {
        if self.eat(token) {
            return Ok(());
        }
        self.error(self.at, format!("expected `{token}`"))
    }
    /// A word of letters, digits, `-`, `_` and `.`; where it begins.
    fn word(&mut self, what: &str) -> Read<(usize, String)> {
        self.skip_space();
        let start = self.at;
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
        let length = self
            .rest()
            .find(|c| !is_part(c))
            .unwrap_or(self.rest().len());
        if length == 0 {
            return self.error(start, format!("expected {what}"));
        }
        self.at += length;
        Ok((start, self.text[start..self.at].to_owned()))
    }
    fn name(&mut self, word: &str) -> Option<usize> {
        self.names.iter().position(|name| name == word)
    }
    fn bound_name(&mut self, start: usize, word: &str) -> Read<usize> {
        match self.name(word) {
            Some(index) => Ok(index),
            None => self.error(start, format!("`{word}` is not bound by the pattern")),
        }
    }
    fn bind(&mut self, word: &str) -> usize {
        self.name(word).unwrap_or_else(|| {
            self.names.push(word.to_owned());
            self.names.len() - 1
        })
    }

    fn rule(&mut self) -> Read<Rule> {
        let (_, name) = self.word("the name of a rule")?;
        let mut benefit = 1;
        if self.eat("[") {
            let (start, word) = self.word("the rule's benefit")?;
            benefit = match word.parse() {
                Ok(benefit) => benefit,
                Err(_) => return self.error(start, "a benefit is an integer from 0 to 65535"),
            };
            self.expect("]")?;
        }
        self.expect(":")?;
        self.skip_space();
        let start = self.at;
        let pattern = self.node(Side::Pattern)?;
        if !matches!(pattern, Node::Op(_)) {
            return self.error(start, "a pattern starts with an op");
        }
        self.expect("=>")?;
        let result = self.node(Side::Result)?;
        let mut conditions = Vec::new();
        if self.eat("where") {
            loop {
                conditions.push(self.condition()?);
                if !self.eat(",") {
                    break;
                }
            }
        }
        self.skip_space();
        if !self.rest().is_empty() {
            return self.error(self.at, "expected the end of the rule");
        }
        Ok(Rule {
            name,
            benefit,
            line: self.line,
            pattern,
            result,
            conditions,
        })
    }

    fn condition(&mut self) -> Read<Condition> {
        let (start, word) = self.word("a condition")?;
        self.expect("(")?;
        let (at, first) = self.word("a name")?;
        let first = self.bound_name(at, &first)?;
        let condition = match word.as_str() {
            "one-use" => Condition::OneUse(first),
            "constant" => Condition::Constant(first),
            "not-constant" => Condition::NotConstant(first),
            "uniform" => Condition::Uniform(first),
            "scalar" => Condition::Scalar(first),
            "same-type" | "wider" | "not-narrower" => {
                self.expect(",")?;
                let (at, second) = self.word("a name")?;
                let second = self.bound_name(at, &second)?;
                match word.as_str() {
                    "same-type" => Condition::SameType(first, second),
                    "wider" => Condition::Wider(first, second),
                    _ => Condition::NotNarrower(first, second),
                }
            }
            _ => {
                let known = "one-use, constant, not-constant, uniform, scalar, same-type, wider, \
                             not-narrower";
                return self.error(
                    start,
                    format!("`{word}` is no condition; there are {known}"),
                );
            }
        };
        self.expect(")")?;
        Ok(condition)
    }

    fn node(&mut self, side: Side) -> Read<Node> {
        self.skip_space();
        let start = self.at;
        let first = self.rest().chars().next();
        if first.is_some_and(|c| c.is_ascii_digit() || c == '-') {
            return self.number(side);
        }
        let (_, word) = self.word("an op, a name or a number")?;
        if word.contains('.') {
            return self.op(start, &word, None, side);
        }
        if side == Side::Pattern
            && self.rest().trim_start().starts_with('=')
            && !self.rest().trim_start().starts_with("=>")
        {
            self.expect("=")?;
            if self.name(&word).is_some() {
                return self.error(start, format!("`{word}` is bound twice"));
            }
            let bound = self.bind(&word);
            let (at, op) = self.word("an op")?;
            return self.op(at, &op, Some(bound), side);
        }
        let class = if side == Side::Pattern && self.eat(":") {
            self.class()?
        } else {
            Class::Any
        };
        match side {
            Side::Pattern => Ok(Node::Name(self.bind(&word), class)),
            Side::Result => Ok(Node::Name(self.bound_name(start, &word)?, class)),
        }
    }
    fn class(&mut self) -> Read<Class> {
        let (start, word) = self.word("`int`, `float`, `index` or a type")?;
        match word.as_str() {
            "int" => Ok(Class::Int),
            "float" => Ok(Class::Float),
            "index" => Ok(Class::Index),
            _ => match parse_type(self.ctx, &word, &ParseOptions::default()) {
                Ok(ty) if ty.is_scalar(self.ctx) => Ok(Class::Type(ty)),
                _ => self.error(start, format!("`{word}` is no type of numbers")),
            },
        }
    }
    fn number(&mut self, side: Side) -> Read<Node> {
        let start = self.at;
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.' | 'e');
        let length = self
            .rest()
            .find(|c| !is_part(c))
            .unwrap_or(self.rest().len());
        let text = self.text[start..start + length].to_owned();
        self.at += length;
        let of = if side == Side::Result && self.eat(":") {
            let (at, word) = self.word("a name whose type the number has")?;
            Some(self.bound_name(at, &word)?)
        } else {
            None
        };
        if let Ok(value) = text.parse() {
            return Ok(Node::Int(value, of));
        }
        match text.parse() {
            Ok(value) => Ok(Node::Float(value, of)),
            Err(_) => self.error(start, format!("`{text}` is no number")),
        }
    }

    fn operands(&mut self, side: Side) -> Read<Vec<Node>> {
        self.expect("(")?;
        let mut operands = Vec::new();
        if self.eat(")") {
            return Ok(operands);
        }
        loop {
            operands.push(self.node(side)?);
            if !self.eat(",") {
                self.expect(")")?;
                return Ok(operands);
            }
        }
    }
    fn op(&mut self, start: usize, word: &str, bound: Option<usize>, side: Side) -> Read<Node> {
        let name = self.ctx.op_name(word);
        let Some(info) = self.ctx.op_info(name) else {
            self.is_about_unknown = true;
            return self.error(start, format!("`{word}` is no op of a registered dialect"));
        };
        let def = info.def;
        if def.results.len() != 1 || def.results[0].arity != Arity::One || !def.regions.is_empty() {
            return self.error(
                start,
                format!("`{word}` is not an op with one result and no region"),
            );
        }
        let (attrs, taken) = if self.eat("{") {
            self.attrs(def, side)?
        } else {
            Default::default()
        };
        let missing = def
            .attrs
            .iter()
            .filter(|attr| !taken.iter().any(|entry| self.ctx.str(entry.0) == attr.name))
            .find(|attr| {
                !attr.optional && !attrs.iter().any(|entry| self.ctx.str(entry.0) == attr.name)
            });
        if let Some(attr) = missing.filter(|_| side == Side::Result) {
            return self.error(start, format!("`{word}` needs attribute `{}`", attr.name));
        }
        let operands = self.operands(side)?;
        let least = def
            .operands
            .iter()
            .filter(|operand| operand.arity == Arity::One)
            .count();
        let open = def.operands.len() > least;
        if operands.len() < least || !open && operands.len() > least {
            let bound = if open { "at least " } else { "" };
            let message = format!(
                "`{word}` has {bound}{least} operands, not {}",
                operands.len()
            );
            return self.error(start, message);
        }
        Ok(Node::Op(Box::new(OpNode {
            name,
            bound,
            attrs,
            taken,
            operands,
        })))
    }
    /// The text behind `{`.
    fn attrs(&mut self, def: &'static OpDef, side: Side) -> Read<Attrs> {
        let (mut attrs, mut taken) = (Vec::new(), Vec::new());
        loop {
            let (start, word) = self.word("the name of an attribute")?;
            let Some(attr_def) = def.attrs.iter().find(|attr| attr.name == word) else {
                return self.error(start, format!("`{}` has no attribute `{word}`", def.name));
            };
            self.expect("=")?;
            let name = self.ctx.ident(&word);
            match self.taken(side)? {
                Some(from) => taken.push((name, from)),
                None => attrs.push((name, self.attr(attr_def)?)),
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok((attrs, taken))
    }
    /// `of(d)` or `both(d, e)`, in results.
    fn taken(&mut self, side: Side) -> Read<Option<Taken>> {
        if side == Side::Pattern {
            return Ok(None);
        }
        if self.eat("of(") {
            let from = self.name_of_op()?;
            self.expect(")")?;
            return Ok(Some(Taken::Of(from)));
        }
        if !self.eat("both(") {
            return Ok(None);
        }
        let first = self.name_of_op()?;
        self.expect(",")?;
        let second = self.name_of_op()?;
        self.expect(")")?;
        Ok(Some(Taken::Both(first, second)))
    }
    fn name_of_op(&mut self) -> Read<usize> {
        let (at, word) = self.word("the name of a matched op")?;
        self.bound_name(at, &word)
    }
    /// The text behind `=`, up to `,` or `}`.
    fn attr(&mut self, attr_def: &AttrDef) -> Read<Attr> {
        self.skip_space();
        let at = self.at;
        let length = self.rest().find([',', '}']).unwrap_or(self.rest().len());
        let text = self.text[at..at + length].trim().to_owned();
        self.at += length;
        let attr = attr_def.constraint.keyword_attr(self.ctx, &text);
        let attr = attr.or_else(|| parse_attr(self.ctx, &text, &ParseOptions::default()).ok());
        match attr.filter(|&attr| attr_def.constraint.accepts(self.ctx, attr)) {
            Some(attr) => Ok(attr),
            None => self.error(
                at,
                format!("`{text}` is not {}", attr_def.constraint.describe()),
            ),
        }
    }
}

impl Class {
    /// Whether a value of that type may be meant.
    pub(super) fn accepts(self, ctx: &Context, ty: segra_ir::Type) -> bool {
        let element = ty.element_or_self(ctx);
        match self {
            Class::Any => true,
            Class::Int => matches!(ctx.type_kind(element), TypeKind::Integer { .. }),
            Class::Float => element.is_float(ctx),
            Class::Index => element.is_index(ctx),
            Class::Type(wanted) => element == wanted,
        }
    }
}
