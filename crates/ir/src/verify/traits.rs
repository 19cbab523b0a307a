//! Layer 2, second half: what an op's traits and interfaces promise. The op has the operands, results and attributes
//! its definition asks for.

use super::naming::{self, count};
use crate::build::OpState;
use crate::context::Context;
use crate::def::{OpInfo, Trait};
use crate::interfaces::BranchLike;
use crate::store::{Ir, Op, Value};
use crate::text::print_type;
use crate::types::{DYNAMIC, Type, TypeKind};

/// Reports every promise `op` breaks.
pub(super) fn check(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    if info.has(Trait::SameOperandsAndResultType) {
        same(ir, op, Scope::OperandsAndResults, Aspect::Type, report);
    } else if info.has(Trait::SameTypeOperands) {
        same(ir, op, Scope::Operands, Aspect::Type, report);
    }
    if info.has(Trait::SameOperandsAndResultElementType) {
        same(ir, op, Scope::OperandsAndResults, Aspect::ElementType, report);
    }
    if info.has(Trait::Elementwise) {
        same_shape(ir, op, report);
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
    let operands = ir.operands(op).enumerate().map(|(index, value)| (Place::Operand(index), value));
    let results = ir.results(op).enumerate().map(|(index, value)| (Place::Result(index), value));
    operands.chain(results.take(if scope == Scope::Operands { 0 } else { usize::MAX }))
}

fn same(ir: &Ir, op: Op, scope: Scope, aspect: Aspect, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    let view = |value: Value| {
        let ty = ir.value_type(value);
        if aspect == Aspect::ElementType { ty.element_or_self(ctx) } else { ty }
    };
    let mut all = places(ir, op, scope);
    let Some((first, value)) = all.next() else { return };
    let wanted = view(value);
    for (place, value) in all {
        let ty = view(value);
        if ty != wanted {
            let what = if aspect == Aspect::ElementType { "element type" } else { "type" };
            report(format!(
                "{} and {} must have the same {what}, but these are `{}` and `{}`",
                name(ir, op, first),
                name(ir, op, place),
                print_type(ctx, wanted),
                print_type(ctx, ty)
            ));
        }
    }
}

/// The extents of a vector or tensor; none for scalars and for what has no rank.
fn extents(ctx: &Context, ty: Type) -> Option<&[i64]> {
    match ctx.type_kind(ty) {
        TypeKind::Vector { shape, .. } | TypeKind::Tensor { shape, .. } => Some(shape),
        _ => None,
    }
}

/// Vectors and tensors among operands and results have one shape (an unknown extent fits every other).
fn same_shape(ir: &Ir, op: Op, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    let mut first: Option<(Place, Type)> = None;
    for (place, value) in places(ir, op, Scope::OperandsAndResults) {
        let ty = ir.value_type(value);
        let Some(shape) = extents(ctx, ty) else { continue };
        let Some((other, other_type)) = first else {
            first = Some((place, ty));
            continue;
        };
        let wanted = extents(ctx, other_type).unwrap_or(&[]);
        let fits = |(&a, &b): (&i64, &i64)| a == b || a == DYNAMIC || b == DYNAMIC;
        if wanted.len() != shape.len() || !wanted.iter().zip(shape).all(fits) {
            report(format!(
                "{} and {} must have the same shape, but are `{}` and `{}`",
                name(ir, op, other),
                name(ir, op, place),
                print_type(ctx, other_type),
                print_type(ctx, ty)
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
        None => report("is a constant and so needs the attribute `value`".to_owned()),
        Some(attr) => {
            let result = ir.value_type(ir.result(op, 0));
            if let Some(ty) = attr.ty(ctx).filter(|&ty| ty != result) {
                report(format!(
                    "attribute `value` has type `{}`, but the result has type `{}`",
                    print_type(ctx, ty),
                    print_type(ctx, result)
                ));
            }
        }
    }
}

fn inferred(ir: &Ir, op: Op, info: &OpInfo, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    let mut state = OpState::new(ir.op_name(op), ir.loc(op));
    state.operands.extend(ir.operands(op));
    state.properties.extend_from_slice(ctx.entries(ir.properties(op)));
    state.attrs.extend_from_slice(ctx.entries(ir.discardable_attrs(op)));
    state.successors.extend_from_slice(ir.successors(op));
    let types = match crate::def::infer_result_types(ir, &state, info.def) {
        Ok(types) => types,
        Err(reason) => return report(reason),
    };
    if types.len() != ir.num_results(op) {
        report(format!("must have {}, but has {}", count(types.len(), "result"), ir.num_results(op)));
        return;
    }
    for (index, (value, wanted)) in ir.results(op).zip(types).enumerate() {
        let ty = ir.value_type(value);
        if ty != wanted {
            report(format!(
                "{} must be `{}`, as its operands and attributes say, but is `{}`",
                naming::result(ir, op, index),
                print_type(ctx, wanted),
                print_type(ctx, ty)
            ));
        }
    }
}

fn successor_operands(ir: &Ir, op: Op, model: &dyn BranchLike, report: &mut dyn FnMut(String)) {
    let ctx = ir.ctx();
    for (index, &block) in ir.successors(op).iter().enumerate() {
        let passed = model.successor_operands(ir, op, index);
        let args = ir.block_args(block);
        if passed.len() != args.len() {
            report(format!(
                "passes {} to successor {index}, which has {}",
                count(passed.len(), "value"),
                count(args.len(), "argument")
            ));
            continue;
        }
        for (position, (&value, &arg)) in passed.iter().zip(args).enumerate() {
            let (given, wanted) = (ir.value_type(value), ir.value_type(arg));
            if given != wanted {
                report(format!(
                    "passes `{}` as argument {position} of successor {index}, which is `{}`",
                    print_type(ctx, given),
                    print_type(ctx, wanted)
                ));
            }
        }
    }
}
