//! The fields that a format names, and where the types come from that it does not write.

use super::{Directive, OptionalGroup, TypeSource, Values};
use segra_ir::constraint::AttrText;
use segra_ir::context::{Context, Ident};
use segra_ir::def::{Arity, OpInfo, Trait};

#[derive(Default)]
pub(super) struct Mentions {
    operands: Vec<Values>,
    types: Vec<Values>,
    attrs: Vec<(usize, bool)>,
    regions: Vec<usize>,
    successors: Vec<usize>,
    dicts: usize,
    /// Fields that have one type.
    same: Vec<Vec<Values>>,
}

impl Mentions {
    pub(super) fn collect(&mut self, directives: &[Directive]) {
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
            Directive::IndexList { operands, numbers } => {
                self.operands.push(Values::Operand(*operands));
                self.attrs.push((*numbers, true));
            }
            Directive::SameType(fields) => self.same.push(fields.clone()),
            Directive::Optional(group) => self.add_group(group),
            Directive::Unordered(clauses) => {
                for clause in clauses {
                    self.add_group(clause);
                }
            }
        }
    }

    fn add_group(&mut self, group: &OptionalGroup) {
        for (index, inner) in group.directives.iter().enumerate() {
            self.add(inner, index == group.anchor);
        }
    }

    pub(super) fn check(&self, info: &OpInfo, directives: &[Directive]) -> Result<(), String> {
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

    /// Another field with the type of `field`, whose type is written or the only one there is.
    fn same_as(&self, ctx: &Context, info: &OpInfo, field: Values) -> Option<Values> {
        let is_known = |other: Values| match other {
            Values::Operand(index) => {
                self.has_type(other, Values::AllOperands)
                    || info.def.operands[index].constraint.only(ctx).is_some()
            }
            Values::Result(index) => {
                self.has_type(other, Values::AllResults)
                    || info.def.results[index].constraint.only(ctx).is_some()
            }
            Values::AllOperands | Values::AllResults => false,
        };
        let sets = self.same.iter().filter(|fields| fields.contains(&field));
        sets.flatten()
            .copied()
            .find(|&other| other != field && is_known(other))
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

pub(super) fn of_operands(
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
            mentions
                .same_as(ctx, info, Values::Operand(index))
                .or(same)
                .map(TypeSource::SameAs)
                .ok_or_else(|| format!("nothing says the type of operand `{}`", field.name))
        }
    };
    info.def.operands.iter().enumerate().map(source).collect()
}

pub(super) fn of_results(
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
        mentions
            .same_as(ctx, info, Values::Result(index))
            .or(same)
            .filter(|_| one)
            .map(TypeSource::SameAs)
            .ok_or_else(|| format!("nothing says the type of result `{}`", field.name))
    };
    def.results.iter().enumerate().map(source).collect()
}

pub(super) fn elided(info: &OpInfo, mentions: &Mentions) -> Vec<Ident> {
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
