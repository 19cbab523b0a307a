//! Layer 2, second half: what an op's traits and interfaces promise. The op has the operands, results and attributes
//! its definition asks for.

use super::naming::{self, count};
use crate::build::OpState;
use crate::context::Context;
use crate::def::{OpInfo, Trait};
use crate::interfaces::BranchLike;
use crate::store::{Ir, Op, Value};
use crate::types::{DYNAMIC, Type, TypeKind};

/// Reports every promise about its regions `op` breaks.
pub(super) fn check_regions(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    if info.has(Trait::NoRegionArguments) {
        no_region_arguments(ir, op, report);
    }
}

/// Reports every promise `op` breaks.
pub(super) fn check(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    check_regions(ir, op, info, report);
    if info.has(Trait::SameOperandsAndResultType) {
        same_up_to_extents(ir, op, report);
    } else if info.has(Trait::SameTypeOperands) {
        same(ir, op, Scope::Operands, Aspect::Type, report);
    }
    if info.has(Trait::SameOperandsAndResultElementType) {
        same(
            ir,
            op,
            Scope::OperandsAndResults,
            Aspect::ElementType,
            report,
        );
    }
    if info.has(Trait::SameOperandsAndResultShape) {
        compatible_shapes(ir, op, places(ir, op, Scope::OperandsAndResults), report);
    }
    if info.has(Trait::Elementwise) {
        elementwise(ir, op, report);
    }
    if info.has(Trait::ConstantLike) {
        constant(ir, op, report);
    }
    if info.infer.is_some() {
        inferred(ir, op, info, report);
    }
    if !ir.successors(op).is_empty()
        && let Some(model) = info.interface::<dyn BranchLike>()
    {
        successor_operands(ir, op, model, report);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Operands,
    OperandsAndResults,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Aspect {
    Type,
    ElementType,
}

/// One of an op's values, for messages.
#[derive(Clone, Copy)]
enum Place {
    Operand(usize),
    Result(usize),
}

fn name(ir: &Ir, op: Op, place: Place) -> String {
    match place {
        Place::Operand(index) => naming::operand(ir, op, index),
        Place::Result(index) => naming::result(ir, op, index),
    }
}

fn places(ir: &Ir, op: Op, scope: Scope) -> impl Iterator<Item = (Place, Value)> + '_ {
    let operands = ir
        .operands(op)
        .enumerate()
        .map(|(index, value)| (Place::Operand(index), value));
    let results = ir
        .results(op)
        .enumerate()
        .map(|(index, value)| (Place::Result(index), value));
    operands.chain(results.take(if scope == Scope::Operands {
        0
    } else {
        usize::MAX
    }))
}

fn same(ir: &Ir, op: Op, scope: Scope, aspect: Aspect, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    let view = |value: Value| {
        let ty = ir.value_type(value);
        if aspect == Aspect::ElementType {
            ty.element_or_self(ctx)
        } else {
            ty
        }
    };
    let mut all = places(ir, op, scope);
    let Some((first, value)) = all.next() else {
        return;
    };
    let wanted = view(value);
    for (place, value) in all {
        let ty = view(value);
        if ty != wanted {
            let what = if aspect == Aspect::ElementType {
                "element type"
            } else {
                "type"
            };
            report(format!(
                "{} and {} must have the same {what}, but these are `{}` and `{}`",
                name(ir, op, first),
                name(ir, op, place),
                ctx.type_text(wanted),
                ctx.type_text(ty)
            ));
        }
    }
}

/// Results have the type of the first operand; other operands may differ in extents one of the two leaves open.
fn same_up_to_extents(ir: &Ir, op: Op, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    let mut all = places(ir, op, Scope::OperandsAndResults);
    let Some((first, value)) = all.next() else {
        return;
    };
    let wanted = ir.value_type(value);
    for (place, value) in all {
        let ty = ir.value_type(value);
        let is_operand = matches!(place, Place::Operand(_));
        if ty != wanted && !(is_operand && differ_in_extents_only(ctx, wanted, ty)) {
            report(format!(
                "{} and {} must have the same type, but these are `{}` and `{}`",
                name(ir, op, first),
                name(ir, op, place),
                ctx.type_text(wanted),
                ctx.type_text(ty)
            ));
        }
    }
}

fn differ_in_extents_only(ctx: &Context, a: Type, b: Type) -> bool {
    let encoding = |ty: Type| match ctx.type_kind(ty) {
        TypeKind::Tensor { encoding, .. } => *encoding,
        _ => None,
    };
    let compatible = match (Extents::of(ctx, a), Extents::of(ctx, b)) {
        (Some(a), Some(b)) => a.fits(&b),
        (None, None) => true,
        _ => false,
    };
    compatible && a.element_or_self(ctx) == b.element_or_self(ctx) && encoding(a) == encoding(b)
}

/// The shape in a shaped type.
struct Extents<'a> {
    /// `None`: not even the rank is known.
    shape: Option<&'a [i64]>,
    scalable: bool,
}

impl<'a> Extents<'a> {
    /// `None` for types that have no shape.
    fn of(ctx: &'a Context, ty: Type) -> Option<Extents<'a>> {
        match ctx.type_kind(ty) {
            TypeKind::Vector {
                shape, scalable, ..
            } => Some(Extents {
                shape: Some(shape),
                scalable: scalable.contains(&true),
            }),
            TypeKind::Tensor { shape, .. } | TypeKind::MemRef { shape, .. } => Some(Extents {
                shape: Some(shape),
                scalable: false,
            }),
            TypeKind::UnrankedTensor(_) | TypeKind::UnrankedMemRef { .. } => Some(Extents {
                shape: None,
                scalable: false,
            }),
            _ => None,
        }
    }
    fn fits(&self, other: &Extents<'_>) -> bool {
        let (Some(a), Some(b)) = (self.shape, other.shape) else {
            return true;
        };
        a.len() == b.len()
            && a.iter()
                .zip(b)
                .all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
    }
}

/// All have shapes that may be one, or none has a shape.
fn compatible_shapes(
    ir: &Ir,
    op: Op,
    places: impl Iterator<Item = (Place, Value)>,
    report: &mut dyn FnMut(String),
) {
    let ctx = ir.ctx();
    let mut seen: Vec<(Place, Type, Option<Extents<'_>>)> = Vec::new();
    for (place, value) in places {
        let ty = ir.value_type(value);
        let extents = Extents::of(ctx, ty);
        let misfit = seen.iter().find(|(_, _, other)| match (other, &extents) {
            (Some(a), Some(b)) => a.scalable != b.scalable || !a.fits(b),
            (None, None) => false,
            _ => true,
        });
        if let Some(&(first, other, _)) = misfit {
            report(format!(
                "{} and {} must have the same shape, but are `{}` and `{}`",
                name(ir, op, first),
                name(ir, op, place),
                ctx.type_text(other),
                ctx.type_text(ty)
            ));
            return;
        }
        // Two that fit a third need not fit each other, so those with open extents are kept as well.
        let open = |e: &Extents<'_>| e.shape.is_none_or(|shape| shape.contains(&DYNAMIC));
        if seen.is_empty() || seen.iter().any(|row| row.2.as_ref().is_some_and(open)) {
            seen.push((place, ty, extents));
        }
    }
}

/// Vectors and tensors among operands and results have one shape, are of one kind, and are on both sides or on none.
fn elementwise(ir: &Ir, op: Op, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    let kind = |value: Value| match ctx.type_kind(ir.value_type(value)) {
        TypeKind::Vector { .. } => Some(0),
        TypeKind::Tensor { .. } => Some(1),
        TypeKind::UnrankedTensor(_) => Some(2),
        _ => None,
    };
    let operands = ir
        .operands(op)
        .filter(|&value| kind(value).is_some())
        .count();
    let results = ir
        .results(op)
        .filter(|&value| kind(value).is_some())
        .count();
    match (operands, results) {
        (0, 0) => return,
        (0, _) => return report("has results with a shape, but no operand has one".to_owned()),
        _ if results != ir.num_results(op) || results == 0 => {
            return report("has an operand with a shape, so every result needs one".to_owned());
        }
        _ => {}
    }
    let shaped = || places(ir, op, Scope::OperandsAndResults).filter(|row| kind(row.1).is_some());
    let mut kinds = shaped().map(|row| kind(row.1));
    let first = kinds.next();
    if kinds.any(|kind| Some(kind) != first) {
        return report("must have all its shapes in vectors or all in tensors".to_owned());
    }
    compatible_shapes(ir, op, shaped(), report);
}

fn no_region_arguments(ir: &Ir, op: Op, report: &mut dyn FnMut(String)) {
    for (index, &region) in ir.regions(op).iter().enumerate() {
        if ir
            .entry_block(region)
            .is_some_and(|entry| !ir.block_args(entry).is_empty())
        {
            report(format!(
                "{} must not have arguments",
                naming::region(ir, op, index)
            ));
        }
    }
}

fn constant(ir: &Ir, op: Op, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    if ir.num_operands(op) != 0 || ir.num_results(op) != 1 {
        report("is a constant and so has no operand and one result".to_owned());
        return;
    }
    match ir.attr_named(op, "value") {
        // Where the definition leaves it out it has a default.
        None if ir
            .info(op)
            .is_some_and(|info| info.def.attrs.iter().any(|attr| attr.optional)) => {}
        None => report("is a constant and so needs the attribute `value`".to_owned()),
        Some(attr) => {
            let result = ir.value_type(ir.result(op, 0));
            if let Some(ty) = attr.ty(ctx).filter(|&ty| ty != result) {
                report(format!(
                    "attribute `value` has type `{}`, but the result has type `{}`",
                    ctx.type_text(ty),
                    ctx.type_text(result)
                ));
            }
        }
    }
}

fn inferred(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    let mut state = OpState::new(ir.op_name(op), ir.loc(op));
    state.operands.extend(ir.operands(op));
    state
        .properties
        .extend_from_slice(ctx.entries(ir.properties(op)));
    state
        .attrs
        .extend_from_slice(ctx.entries(ir.discardable_attrs(op)));
    state.successors.extend_from_slice(ir.successors(op));
    let types = match crate::def::infer_result_types(ir, &state, info.def) {
        Ok(types) => types,
        Err(reason) => return report(reason),
    };
    if types.len() != ir.num_results(op) {
        report(format!(
            "must have {}, but has {}",
            count(types.len(), "result"),
            ir.num_results(op)
        ));
        return;
    }
    for (index, (value, wanted)) in ir.results(op).zip(types).enumerate() {
        let ty = ir.value_type(value);
        if ty != wanted {
            report(format!(
                "{} must be `{}`, as its operands and attributes say, but is `{}`",
                naming::result(ir, op, index),
                ctx.type_text(wanted),
                ctx.type_text(ty)
            ));
        }
    }
}

fn successor_operands(ir: &Ir, op: Op, model: &dyn BranchLike, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    let handed = model.forwarded(ir, op);
    for (index, &block) in ir.successors(op).iter().enumerate() {
        let passed = handed.get(index).cloned().unwrap_or_default();
        let args = ir.block_args(block);
        if passed.len() != args.len() {
            report(format!(
                "passes {} to successor {index}, which has {}",
                count(passed.len(), "value"),
                count(args.len(), "argument")
            ));
            continue;
        }
        for (position, (at, &arg)) in passed.zip(args).enumerate() {
            let (given, wanted) = (ir.value_type(ir.operand(op, at)), ir.value_type(arg));
            if given != wanted {
                report(format!(
                    "passes `{}` as argument {position} of successor {index}, which is `{}`",
                    ctx.type_text(given),
                    ctx.type_text(wanted)
                ));
            }
        }
    }
}
