//! Layer 2, first half: an op against the fields of its definition.

use super::naming::{self, count};
use crate::attrs::{Attr, AttrKind, Dict};
use crate::constraint::TypeConstraint;
use crate::context::{Context, Ident};
use crate::def::{Arity, OpInfo, RegionBlocks};
use crate::store::{Ir, Op, Value};
use std::ops::Range;

/// Reports everything about `op` that is not as its definition says.
pub(super) fn check(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    check_operands(ir, op, info, report);
    check_results(ir, op, info, report);
    check_attrs(ir, op, info, report);
    check_regions(ir, op, info, report);
    check_successors(ir, op, info, report);
}

fn check_operands(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    let fields = info.def.operands;
    let total = ir.num_operands(op);
    // Most ops have one value per field.
    if fields.len() == total && fields.iter().all(|field| field.arity == Arity::One) {
        for (index, (value, field)) in ir.operands(op).zip(fields).enumerate() {
            check_type(
                ir,
                value,
                field.constraint,
                &|| naming::operand(ir, op, index),
                report,
            );
        }
        return;
    }
    let arities = Arities {
        what: "operand",
        names: &|i| fields[i].name,
        arity: &|i| fields[i].arity,
        len: fields.len(),
    };
    if !arities.fit(ir, op, info.operand_segments, total, report) {
        return;
    }
    for (group, field) in fields.iter().enumerate() {
        for index in ir.operand_group(op, group) {
            let value = ir.operand(op, index);
            check_type(
                ir,
                value,
                field.constraint,
                &|| naming::operand(ir, op, index),
                report,
            );
        }
    }
}

fn check_results(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    let fields = info.def.results;
    let total = ir.num_results(op);
    if fields.len() == total && fields.iter().all(|field| field.arity == Arity::One) {
        for (index, (value, field)) in ir.results(op).zip(fields).enumerate() {
            check_type(
                ir,
                value,
                field.constraint,
                &|| naming::result(ir, op, index),
                report,
            );
        }
        return;
    }
    let arities = Arities {
        what: "result",
        names: &|i| fields[i].name,
        arity: &|i| fields[i].arity,
        len: fields.len(),
    };
    if !arities.fit(ir, op, info.result_segments, total, report) {
        return;
    }
    for (group, field) in fields.iter().enumerate() {
        for index in ir.result_group(op, group) {
            let value = ir.result(op, index);
            check_type(
                ir,
                value,
                field.constraint,
                &|| naming::result(ir, op, index),
                report,
            );
        }
    }
}

fn check_type(
    ir: &Ir,
    value: Value,
    constraint: &dyn TypeConstraint,
    name: &dyn Fn() -> String,
    report: &mut dyn FnMut(String),
) {
    let ctx = ir.ctx();
    let ty = ir.value_type(value);
    if !constraint.accepts(ctx, ty) {
        let wanted = constraint.describe();
        // A constraint with one type describes itself by that type's text.
        let wanted = if constraint.only(ctx).is_some() {
            format!("`{wanted}`")
        } else {
            wanted.to_owned()
        };
        report(format!(
            "{} must be {wanted}, but is `{}`",
            name(),
            ctx.type_text(ty)
        ));
    }
}

/// The fields that share a list of values.
struct Arities<'a> {
    what: &'static str,
    names: &'a dyn Fn(usize) -> &'static str,
    arity: &'a dyn Fn(usize) -> Arity,
    len: usize,
}

impl Arities<'_> {
    /// Whether `total` values can be dealt to the fields; reports why not.
    fn fit(
        &self,
        ir: &Ir,
        op: Op,
        segments: Option<Ident>,
        total: usize,
        report: &mut dyn FnMut(String),
    ) -> bool {
        if let Some(name) = segments {
            return self.segments_fit(ir, op, name, total, report);
        }
        let mut least = 0;
        let mut most = Some(0);
        for index in 0..self.len {
            match (self.arity)(index) {
                Arity::One => {
                    least += 1;
                    most = most.map(|most| most + 1);
                }
                Arity::Optional => most = most.map(|most| most + 1),
                Arity::Variadic => most = None,
            }
        }
        if total >= least && most.is_none_or(|most| total <= most) {
            return true;
        }
        let wanted = match most {
            Some(most) if most == least => count(least, self.what),
            Some(most) => format!("{least} to {}", count(most, self.what)),
            None => format!("at least {}", count(least, self.what)),
        };
        let fields: Vec<String> = (0..self.len)
            .map(|index| format!("`{}`", (self.names)(index)))
            .collect();
        let fields = if fields.is_empty() {
            String::new()
        } else {
            format!(" ({})", fields.join(", "))
        };
        report(format!("needs {wanted}{fields}, but has {total}"));
        false
    }

    fn segments_fit(
        &self,
        ir: &Ir,
        op: Op,
        name: Ident,
        total: usize,
        report: &mut dyn FnMut(String),
    ) -> bool {
        let ctx = ir.ctx();
        let text = ctx.str(name);
        let sizes = match ir.attr(op, name) {
            // Upstream's sizes start as zeros.
            None => Some(vec![0; self.len]),
            Some(attr) => match ctx.attr_kind(attr) {
                AttrKind::DenseArray { element, .. } if *element == ctx.i32() => {
                    attr.as_dense_i64(ctx)
                }
                _ => None,
            },
        };
        let Some(sizes) = sizes else {
            report(format!(
                "needs the attribute `{text}` to be an array of 32-bit integers"
            ));
            return false;
        };
        if sizes.len() != self.len {
            report(format!(
                "`{text}` needs one size per field ({}), but has {}",
                self.len,
                sizes.len()
            ));
            return false;
        }
        let mut sum = 0i64;
        for (index, &size) in sizes.iter().enumerate() {
            let field = (self.names)(index);
            let allowed: Range<i64> = match (self.arity)(index) {
                Arity::One => 1..2,
                Arity::Optional => 0..2,
                Arity::Variadic => 0..i64::MAX,
            };
            if !allowed.contains(&size) {
                report(format!("`{text}` gives `{field}` {size} {}s", self.what));
                return false;
            }
            sum = sum.saturating_add(size);
        }
        if usize::try_from(sum) != Ok(total) {
            report(format!(
                "`{text}` adds up to {sum}, but there are {}",
                count(total, self.what)
            ));
            return false;
        }
        true
    }
}

/// Whether all attributes of the definition are there once and accepted: told by one look at each entry.
fn attrs_are_fine(
    ctx: &Context,
    info: &OpInfo,
    properties: &[(Ident, Attr)],
    attrs: &[(Ident, Attr)],
) -> bool {
    if info.attr_names.len() > 64 {
        return false;
    }
    // A bit for each attribute that is there.
    let mut there = 0u64;
    for &(name, attr) in properties.iter().chain(attrs) {
        let Some(index) = info.attr_names.iter().position(|&known| known == name) else {
            continue;
        };
        let bit = 1u64 << index;
        if there & bit != 0 || !info.def.attrs[index].constraint.accepts(ctx, attr) {
            return false;
        }
        there |= bit;
    }
    info.def
        .attrs
        .iter()
        .enumerate()
        .all(|(index, field)| field.optional || there >> index & 1 != 0)
}

pub(super) fn check_attrs(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    let has_properties = !info.attr_names.is_empty()
        || info.operand_segments.is_some()
        || info.result_segments.is_some();
    if !has_properties && ir.properties(op) != Dict::EMPTY {
        report("has no properties (`<{...}>`) by its definition".to_owned());
    }
    let (properties, attrs) = (
        ctx.entries(ir.properties(op)),
        ctx.entries(ir.discardable_attrs(op)),
    );
    if attrs_are_fine(ctx, info, properties, attrs) {
        return;
    }
    for (field, &name) in info.def.attrs.iter().zip(&info.attr_names) {
        match properties
            .iter()
            .chain(attrs)
            .find(|entry| entry.0 == name)
            .map(|entry| entry.1)
        {
            None if field.optional => {}
            None => report(format!(
                "needs the attribute `{}`, {}",
                field.name,
                field.constraint.describe()
            )),
            Some(attr) if field.constraint.accepts(ctx, attr) => {}
            Some(attr) => report(format!(
                "attribute `{}` must be {}, but is `{}`",
                field.name,
                field.constraint.describe(),
                ctx.attr_text(attr)
            )),
        }
    }
}

pub(super) fn check_regions(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    let fields = info.def.regions;
    let regions = ir.regions(op);
    let open = fields
        .last()
        .is_some_and(|field| field.arity == Arity::Variadic);
    let least = if open { fields.len() - 1 } else { fields.len() };
    if regions.len() < least || !open && regions.len() > least {
        let at_least = if open { "at least " } else { "" };
        report(format!(
            "needs {at_least}{}, but has {}",
            count(least, "region"),
            regions.len()
        ));
        return;
    }
    for (index, &region) in regions.iter().enumerate() {
        let Some(field) = fields.get(index).or(fields.last()) else {
            continue;
        };
        let blocks = || ir.blocks(region).count();
        let first = ir.entry_block(region);
        let several = first.is_some_and(|block| ir.next_block(block).is_some());
        let name = || naming::region(ir, op, index);
        match field.blocks {
            RegionBlocks::Single if first.is_none() || several => {
                report(format!(
                    "{} needs exactly one block, but has {}",
                    name(),
                    blocks()
                ));
            }
            RegionBlocks::AtMostOne if several => {
                report(format!(
                    "{} needs one block or none, but has {}",
                    name(),
                    blocks()
                ));
            }
            _ => {}
        }
    }
}

fn check_successors(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    let fields = info.def.successors;
    let total = ir.successors(op).len();
    if fields.is_empty() && total == 0 {
        return;
    }
    let arities = Arities {
        what: "successor",
        names: &|i| fields[i].name,
        arity: &|i| fields[i].arity,
        len: fields.len(),
    };
    arities.fit(ir, op, None, total, report);
}
