//! Custom forms given by format strings.

use super::{EntryArgs, LastOp, Printer};
use crate::format::{DictStyle, Directive, Format, OptionalGroup, SpaceHint, Values};
use segra_ir::attrs::AttrKind;
use segra_ir::constraint::AttrText;
use segra_ir::def::OpInfo;
use segra_ir::store::{Op, Value};
use smallvec::SmallVec;

/// The item written last, which decides whether a space comes next.
struct Spacing {
    wanted: bool,
    after_punctuation: bool,
}

/// An op with its format.
struct Item<'a> {
    op: Op,
    info: &'a OpInfo,
    format: &'a Format,
}

impl Printer<'_> {
    /// Writes what follows the op's name.
    pub(super) fn by_format(&mut self, op: Op, info: &OpInfo, format: &Format) {
        let mut spacing = Spacing {
            wanted: true,
            after_punctuation: false,
        };
        self.directives(&Item { op, info, format }, &format.directives, &mut spacing);
    }

    fn directives(&mut self, item: &Item<'_>, directives: &[Directive], spacing: &mut Spacing) {
        for directive in directives {
            self.directive(item, directive, spacing);
        }
    }

    fn directive(&mut self, item: &Item<'_>, directive: &Directive, spacing: &mut Spacing) {
        let (op, info) = (item.op, item.info);
        match directive {
            Directive::Literal(text) => self.literal(text, spacing),
            Directive::Space(hint) => {
                if *hint == SpaceHint::Space {
                    self.text(" ");
                }
                *spacing = Spacing {
                    wanted: false,
                    after_punctuation: true,
                };
            }
            Directive::Operands(values) => {
                let values = self.select(op, *values);
                if !values.is_empty() {
                    self.lead(spacing);
                    self.values(values);
                }
            }
            Directive::Types(values) => {
                let values = self.select(op, *values);
                if !values.is_empty() {
                    self.lead(spacing);
                    self.types_of(values);
                }
            }
            Directive::FunctionalType(inputs, results) => {
                self.lead(spacing);
                let inputs = self.select(op, *inputs);
                let results = self.select(op, *results);
                let ir = self.ir;
                let of = |values: SmallVec<[Value; 4]>| {
                    values
                        .into_iter()
                        .map(|value| ir.value_type(value))
                        .collect::<SmallVec<[_; 4]>>()
                };
                self.function_type(&of(inputs), &of(results));
            }
            Directive::Attr(index) => {
                if !Format::is_silent(info.def, directive) {
                    self.format_attr(op, info, *index, spacing);
                }
            }
            Directive::Region(index) => {
                let regions = &self.ir.regions(op)[self.ir.region_group(op, *index)];
                for (position, &region) in regions.iter().enumerate() {
                    if position > 0 {
                        self.text(",");
                    }
                    self.lead(spacing);
                    self.region(region, EntryArgs::Shown, LastOp::Shown);
                }
            }
            Directive::Successor(index) => {
                let blocks = &self.ir.successors(op)[self.ir.successor_group(op, *index)];
                if !blocks.is_empty() {
                    self.lead(spacing);
                    self.successors(blocks);
                }
            }
            Directive::AttrDict(style) => {
                let lead = match style {
                    DictStyle::Braces => " ",
                    DictStyle::WithKeyword => " attributes ",
                };
                if self.dict_unless(op, lead, |name| item.format.elided.contains(&name)) {
                    *spacing = Spacing {
                        wanted: true,
                        after_punctuation: false,
                    };
                }
            }
            Directive::IndexList { operands, numbers } => {
                let operands = self.select(op, Values::Operand(*operands));
                let numbers = self.ir.inherent_attr(op, *numbers);
                let numbers = numbers.and_then(|attr| attr.as_dense_i64(self.ctx()));
                self.lead(spacing);
                self.index_list(&numbers.unwrap_or_default(), &operands);
            }
            Directive::SameType(_) => {}
            Directive::Unordered(clauses) => {
                for clause in clauses {
                    if self.is_present(item, clause) {
                        self.directives(item, &clause.directives, spacing);
                    }
                }
            }
            Directive::Optional(group) => {
                if self.is_present(item, group) {
                    self.directives(item, &group.directives, spacing);
                }
            }
        }
    }

    /// A space before something that is not punctuation.
    fn lead(&mut self, spacing: &mut Spacing) {
        if spacing.wanted || !spacing.after_punctuation {
            self.text(" ");
        }
        *spacing = Spacing {
            wanted: true,
            after_punctuation: false,
        };
    }

    fn literal(&mut self, text: &str, spacing: &mut Spacing) {
        let single = text.len() == 1;
        let hugs_left = if spacing.after_punctuation {
            ">)}],"
        } else {
            "<>(){}[],"
        };
        if spacing.wanted && !(single && hugs_left.contains(text)) {
            self.text(" ");
        }
        self.text(text);
        *spacing = Spacing {
            wanted: !(single && "<({[".contains(text)),
            after_punctuation: !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'),
        };
    }

    fn select(&self, op: Op, values: Values) -> SmallVec<[Value; 4]> {
        let ir = self.ir;
        match values {
            Values::AllOperands => ir.operands(op).collect(),
            Values::AllResults => ir.results(op).collect(),
            Values::Operand(index) => ir
                .operand_group(op, index)
                .map(|position| ir.operand(op, position))
                .collect(),
            Values::Result(index) => ir
                .result_group(op, index)
                .map(|position| ir.result(op, position))
                .collect(),
        }
    }

    fn format_attr(&mut self, op: Op, info: &OpInfo, index: usize, spacing: &mut Spacing) {
        let Some(attr) = self.ir.inherent_attr(op, index) else {
            return;
        };
        let ctx = self.ctx();
        let constraint = info.def.attrs[index].constraint;
        self.lead(spacing);
        match constraint.text() {
            AttrText::Keyword => match constraint.keyword_of(ctx, attr) {
                Some(keyword) => self.text(keyword),
                None => self.attr(attr),
            },
            AttrText::SymbolName => match attr.as_str(ctx) {
                Some(name) => {
                    self.text("@");
                    self.keyword_or_string(name);
                }
                None => self.attr(attr),
            },
            AttrText::Integer(_) => self.attr_without_type(attr),
            AttrText::Integers(_) => match attr.as_dense_i64(ctx) {
                Some(numbers) => self.index_list(&numbers, &[]),
                None => self.attr(attr),
            },
            AttrText::Body { dialect, mnemonic } => match ctx.attr_kind(attr) {
                AttrKind::Dialect(own)
                    if own.dialect() == dialect && own.mnemonic() == mnemonic =>
                {
                    let mut body = String::new();
                    own.print(ctx, &mut body);
                    self.text(&body);
                }
                _ => self.attr(attr),
            },
            AttrText::Full | AttrText::Unit => self.attr(attr),
        }
    }

    fn is_present(&self, item: &Item<'_>, group: &OptionalGroup) -> bool {
        let (ir, op) = (self.ir, item.op);
        match &group.directives[group.anchor] {
            Directive::Operands(values) | Directive::Types(values) => {
                !self.select(op, *values).is_empty()
            }
            Directive::Attr(index) => Format::has_attr(ir, op, item.info.def, *index),
            Directive::Region(index) => ir.regions(op)[ir.region_group(op, *index)]
                .iter()
                .any(|&region| ir.entry_block(region).is_some()),
            Directive::Successor(index) => !ir.successor_group(op, *index).is_empty(),
            _ => true,
        }
    }
}
