//! Applying a rule: matching, conditions, building the result.

use super::{Condition, Node, OpNode, Rule, Taken};
use crate::rewrite::fold::fold_op;
use crate::rewrite::{Pattern, materialize_constant};
use segra_ir::attrs::Splat;
use segra_ir::build::OpState;
use segra_ir::def::infer_result_types;
use segra_ir::integer::element_bytes;
use segra_ir::interfaces::{FoldResult, Rewriter, constant_of};
use segra_ir::{
    Attr, AttrKind, Builder, Context, FloatKind, Ident, Ir, Op, Trait, Type, TypeKind, Value,
};
use smallvec::SmallVec;

/// A rule as a pattern of the rewrite drivers.
#[derive(Clone, Debug)]
pub struct RulePattern {
    rule: Rule,
    root: String,
}

impl RulePattern {
    /// The pattern of a rule.
    pub fn new(ctx: &Context, rule: Rule) -> RulePattern {
        let root = match &rule.pattern {
            Node::Op(op) => ctx.op_name_str(op.name).to_owned(),
            _ => String::new(),
        };
        RulePattern { rule, root }
    }
    /// The rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }
}

impl Pattern for RulePattern {
    fn name(&self) -> &str {
        &self.rule.name
    }
    fn root(&self) -> Option<&str> {
        Some(&self.root)
    }
    fn benefit(&self) -> u16 {
        self.rule.benefit
    }
    fn rewrite(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let Node::Op(root) = &self.rule.pattern else {
            return false;
        };
        let mut names = Names::new();
        let conditions = &self.rule.conditions;
        let mut holds = |names: &mut Names| conditions.iter().all(|each| holds(ir, *each, names));
        if !match_op(ir, root, op, &mut names, &mut holds) {
            return false;
        }
        let ty = ir.value_type(ir.result(op, 0));
        // A result of another type than what it replaces would not verify.
        if !can_build(ir, &self.rule.result, ty, &names) {
            return false;
        }
        let built = rewriter.build(op, |b| build(b, &self.rule.result, ty, &names));
        match built {
            Some(value) if rewriter.ir().value_type(value) == ty => {
                rewriter.replace_op(op, &[value]);
                true
            }
            _ => false,
        }
    }
}

type Names = SmallVec<[Option<Value>; 6]>;

fn bind(names: &mut Names, name: usize, value: Value) -> bool {
    if names.len() <= name {
        names.resize(name + 1, None);
    }
    match names[name] {
        Some(known) => known == value,
        None => {
            names[name] = Some(value);
            true
        }
    }
}

/// Matches an op and goes on; where what comes then fails, operands that commute are tried the other way round.
fn match_op(
    ir: &Ir,
    node: &OpNode,
    op: Op,
    names: &mut Names,
    then: &mut dyn FnMut(&mut Names) -> bool,
) -> bool {
    let fits = ir.op_name(op) == node.name
        && ir.num_results(op) == 1
        && ir.num_operands(op) == node.operands.len()
        && node
            .attrs
            .iter()
            .all(|&(name, attr)| ir.attr(op, name) == Some(attr))
        && node
            .bound
            .is_none_or(|bound| bind(names, bound, ir.result(op, 0)));
    if !fits {
        return false;
    }
    let before = names.clone();
    let operands: SmallVec<[Value; 4]> = ir.operands(op).collect();
    if match_all(ir, &node.operands, &operands, names, then) {
        return true;
    }
    let &[first, second] = &operands[..] else {
        return false;
    };
    if first == second || !ir.has_trait(op, Trait::Commutative) {
        return false;
    }
    *names = before;
    match_all(ir, &node.operands, &[second, first], names, then)
}

fn match_all(
    ir: &Ir,
    nodes: &[Node],
    values: &[Value],
    names: &mut Names,
    then: &mut dyn FnMut(&mut Names) -> bool,
) -> bool {
    match (nodes, values) {
        ([node, nodes @ ..], [value, values @ ..]) => {
            match_value(ir, node, *value, names, &mut |names| {
                match_all(ir, nodes, values, names, then)
            })
        }
        _ => then(names),
    }
}

fn match_value(
    ir: &Ir,
    node: &Node,
    value: Value,
    names: &mut Names,
    then: &mut dyn FnMut(&mut Names) -> bool,
) -> bool {
    match node {
        Node::Name(name, class) => {
            class.accepts(ir.ctx(), ir.value_type(value))
                && bind(names, *name, value)
                && then(names)
        }
        Node::Int(..) | Node::Float(..) => {
            // Only a constant is worth making the number for.
            let Some(found) = constant_of(ir, value) else {
                return false;
            };
            number(ir.ctx(), node, ir.value_type(value)) == Some(found) && then(names)
        }
        Node::Op(op) => match ir.defining_op(value) {
            Some(definer) => match_op(ir, op, definer, names, then),
            None => false,
        },
    }
}

fn holds(ir: &Ir, condition: Condition, names: &Names) -> bool {
    let value = |name: usize| names.get(name).copied().flatten();
    let constant = |name: usize| value(name).is_some_and(|value| constant_of(ir, value).is_some());
    let ty = |name: usize| value(name).map(|value| ir.value_type(value));
    let bits = |ty: Type| {
        let element = ty.element_or_self(ir.ctx());
        element
            .integer_width(ir.ctx())
            .or_else(|| element.float_kind(ir.ctx()).map(FloatKind::width))
    };
    match condition {
        Condition::OneUse(name) => value(name).is_some_and(|value| ir.has_one_use(value)),
        Condition::Constant(name) => constant(name),
        Condition::NotConstant(name) => !constant(name),
        Condition::Uniform(name) => value(name)
            .and_then(|value| constant_of(ir, value))
            .is_some_and(|attr| match ir.ctx().attr_kind(attr) {
                AttrKind::DenseElements { splat, .. } => *splat == Splat::Yes,
                AttrKind::Integer { .. }
                | AttrKind::WideInteger { .. }
                | AttrKind::Float { .. } => true,
                _ => false,
            }),
        Condition::Scalar(name) => ty(name).is_some_and(|ty| ty.element_or_self(ir.ctx()) == ty),
        Condition::SameType(a, b) => ty(a) == ty(b),
        Condition::Wider(a, b) => match (ty(a).and_then(bits), ty(b).and_then(bits)) {
            (Some(a), Some(b)) => a > b,
            _ => false,
        },
        Condition::NotNarrower(a, b) => {
            let bits = |ty: Type| {
                if ty.element_or_self(ir.ctx()) == ir.ctx().index() {
                    Some(64)
                } else {
                    bits(ty)
                }
            };
            match (ty(a).and_then(bits), ty(b).and_then(bits)) {
                (Some(a), Some(b)) => a >= b,
                _ => false,
            }
        }
    }
}

/// An attribute taken over from matched ops.
fn taken(ir: &Ir, name: Ident, from: Taken, names: &Names) -> Option<Attr> {
    let attr = |name_of_op: usize| {
        let value = names.get(name_of_op).copied().flatten()?;
        ir.attr(ir.defining_op(value)?, name)
    };
    match from {
        Taken::Of(op) => attr(op),
        Taken::Both(first, second) => {
            let (first, second) = (attr(first)?, attr(second)?);
            let ctx = ir.ctx();
            match (ctx.attr_kind(first), ctx.attr_kind(second)) {
                (AttrKind::Dialect(a), AttrKind::Dialect(b)) => {
                    Some(ctx.attr(AttrKind::Dialect(a.common(b)?)))
                }
                _ => (first == second).then_some(first),
            }
        }
    }
}

/// A number as a constant of a type: of an integer, a float, or a vector or tensor of them.
fn number(ctx: &Context, node: &Node, ty: Type) -> Option<Attr> {
    let scalar = scalar_number(ctx, node, ty.element_or_self(ctx))?;
    let element = || match *ctx.attr_kind(scalar) {
        AttrKind::Integer { value, ty } => Some(element_bytes(
            &value.into(),
            ty.integer_width(ctx).unwrap_or(64),
        )),
        AttrKind::Float { bits, ty } => {
            Some(bits.to_le_bytes()[..ty.float_kind(ctx)?.storage_bytes()].to_vec())
        }
        _ => None,
    };
    match ctx.type_kind(ty) {
        TypeKind::Integer { .. } | TypeKind::Index | TypeKind::Float(_) => Some(scalar),
        TypeKind::Vector { .. } | TypeKind::Tensor { .. } => {
            Some(ctx.attr(AttrKind::DenseElements {
                ty,
                data: element()?,
                splat: Splat::Yes,
            }))
        }
        _ => None,
    }
}

fn scalar_number(ctx: &Context, node: &Node, ty: Type) -> Option<Attr> {
    match (node, ctx.type_kind(ty)) {
        (Node::Int(value, _), TypeKind::Integer { .. } | TypeKind::Index) => {
            let attr = ctx.int_attr((*value).into(), ty);
            // A number that does not fit is no number of the type; -1 stands for all bits set.
            let kept = attr.as_integer(ctx)?;
            (kept == i128::from(*value) || *value == -1 || (*value == 1 && kept == 1))
                .then_some(attr)
        }
        (Node::Float(value, _), TypeKind::Float(kind)) => {
            // A number the format does not have is no number of the type.
            let bits = kind.encode(*value);
            (kind.decode(bits).to_bits() == value.to_bits()).then(|| ctx.float_bits_attr(bits, ty))
        }
        _ => None,
    }
}

/// The type a number in the result has.
fn number_type(ir: &Ir, node: &Node, ty: Type, names: &Names) -> Type {
    let (Node::Int(_, of) | Node::Float(_, of)) = node else {
        return ty;
    };
    let value = of.and_then(|name| names.get(name).copied().flatten());
    value.map_or(ty, |value| ir.value_type(value))
}

/// Whether all numbers of a result fit their types: asked before anything is built.
fn can_build(ir: &Ir, node: &Node, ty: Type, names: &Names) -> bool {
    match node {
        Node::Name(name, _) => names.get(*name).copied().flatten().is_some(),
        Node::Int(..) | Node::Float(..) => {
            number(ir.ctx(), node, number_type(ir, node, ty, names)).is_some()
        }
        Node::Op(op) => op
            .operands
            .iter()
            .all(|operand| can_build(ir, operand, ty, names)),
    }
}

fn build(b: &mut Builder<'_>, node: &Node, ty: Type, names: &Names) -> Option<Value> {
    match node {
        Node::Name(name, _) => names.get(*name).copied().flatten(),
        Node::Int(..) | Node::Float(..) => {
            let ty = number_type(b.ir, node, ty, names);
            let attr = number(b.ctx(), node, ty)?;
            let made = materialize_constant(b, "", attr, ty)?;
            Some(b.ir.result(made, 0))
        }
        Node::Op(op) => {
            let operands: Option<Vec<Value>> = op
                .operands
                .iter()
                .map(|operand| {
                    let value = build(b, operand, ty, names)?;
                    Some(match operand {
                        Node::Op(_) => folded(b, value),
                        _ => value,
                    })
                })
                .collect();
            let mut state = OpState::new(op.name, b.loc);
            state.operands = operands?.into();
            state.properties = op.attrs.iter().copied().collect();
            for &(name, from) in &op.taken {
                state
                    .properties
                    .extend(taken(b.ir, name, from, names).map(|attr| (name, attr)));
            }
            let ctx = b.ir.context();
            let def = ctx.op_info(op.name)?.def;
            state.result_types = match infer_result_types(b.ir, &state, def) {
                Ok(types) => types,
                Err(_) => [ty].into_iter().collect(),
            };
            let made = b.insert(state);
            Some(b.ir.result(made, 0))
        }
    }
}

/// The value that an op that was just built folds to, or its own. Were `c + d` of `x + c + d => x + (c + d)` left as it
/// is, the rule would match its own result where `x` is a constant, too.
fn folded(b: &mut Builder<'_>, value: Value) -> Value {
    let Some(op) = b.ir.defining_op(value) else {
        return value;
    };
    let known = match fold_op(b.ir, op).as_deref() {
        Some(&[FoldResult::Value(known)]) => Some(known),
        Some(&[FoldResult::Attr(attr)]) => {
            let ty = b.ir.value_type(value);
            let made = materialize_constant(b, "", attr, ty);
            made.map(|made| b.ir.result(made, 0))
        }
        _ => None,
    };
    match known {
        Some(known) => {
            b.ir.erase_op(op);
            known
        }
        None => value,
    }
}
