//! `ub`: values and places that are undefined.

use segra_ir::attrs::CustomAttr;
use segra_ir::constraint::{AnyType, AttrAccess, AttrConstraint};
use segra_ir::def::Origin;
use segra_ir::interfaces::{Canonicalize, Effect, EffectKind, Effects, Rewriter};
use segra_ir::{Attr, Builder, Context, Dialect, Ir, Op, OpDef, OpView, Type, op};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};

const OPS: &[&OpDef] = &[PoisonOp::DEF, UnreachableOp::DEF];

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "ub",
        origin: Origin::Upstream,
        doc: "Values and places that are undefined.",
        ops: OPS.to_vec(),
        attrs: segra_text::attr_parsers(&[("poison", parse_poison)]),
        materialize_constant: Some(materialize_constant),
        ..Dialect::default()
    }
}

/// `#ub.poison`: no value in particular, and whatever is computed from it neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Poison;

impl CustomAttr for Poison {
    const DIALECT: &'static str = "ub";
    const MNEMONIC: &'static str = "poison";
    fn print(&self, _ctx: &Context, _out: &mut String) {}
}

fn parse_poison(p: &mut Parser<'_>) -> ParseResult<Attr> {
    Ok(poison(p.ctx()))
}

/// `#ub.poison`
pub fn poison(ctx: &Context) -> Attr {
    ctx.custom_attr(Poison)
}

/// Whether an attribute is `#ub.poison`.
pub fn is_poison(ctx: &Context, attr: Attr) -> bool {
    attr.dialect::<Poison>(ctx).is_some()
}

/// The constraint of [`Poison`].
#[derive(Clone, Copy, Debug)]
pub struct PoisonAttr;

impl AttrConstraint for PoisonAttr {
    fn describe(&self) -> &'static str {
        "a poison attribute"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        is_poison(ctx, attr)
    }
}

impl AttrAccess for PoisonAttr {
    type Value<'a> = Poison;
    fn read(ctx: &Context, attr: Attr) -> Option<Poison> {
        attr.dialect::<Poison>(ctx).copied()
    }
}

/// A value that is undefined. It has no evaluation rule: a program that gets here has no meaning.
#[op(
    "ub.poison",
    traits(Pure, ConstantLike),
    interfaces(Canonicalize, Syntax)
)]
pub struct PoisonOp {
    value: OptionalAttr<PoisonAttr>,
    result: OpResult<AnyType>,
}

impl Canonicalize for PoisonOp {
    /// A result without an attribute is `#ub.poison`, too; only with it is it seen as a constant.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = PoisonOp::from_op(op);
        if view.value_attr(ir).is_some() {
            return false;
        }
        let ty = ir.value_type(view.result(ir));
        rewriter.replace_with(op, |b| {
            let value = poison(b.ctx());
            [PoisonOp::builder()
                .value(value)
                .result_type(ty)
                .build(b)
                .result(b.ir)]
        });
        true
    }
}

impl Syntax for PoisonOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        p.attr_dict(op, &["value"]);
        p.text(" : ");
        p.types_of(p.ir().results(op));
    }
    /// As upstream, what is read has the attribute.
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        p.parse_attr_dict_into(state)?;
        if p.eat(Tok::Less) {
            let at = p.pos();
            let value = p.parse_attr()?;
            if !is_poison(ctx, value) {
                return Err(p.error_at(at, "expected `#ub.poison`"));
            }
            p.expect(Tok::Greater)?;
        }
        state.set_attr(ctx, ctx.ident("value"), poison(ctx));
        let ty = p.parse_colon_type()?;
        state.state.result_types.push(ty);
        Ok(())
    }
}

/// A place that control never reaches.
#[op(
    "ub.unreachable",
    traits(Terminator),
    interfaces(Effects),
    format = "attr-dict"
)]
pub struct UnreachableOp {}

impl Effects for UnreachableOp {
    fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

/// A `ub.poison` for `#ub.poison`.
pub fn materialize_constant(b: &mut Builder<'_>, value: Attr, ty: Type) -> Option<Op> {
    is_poison(b.ctx(), value).then(|| {
        PoisonOp::builder()
            .value(value)
            .result_type(ty)
            .build(b)
            .op()
    })
}
