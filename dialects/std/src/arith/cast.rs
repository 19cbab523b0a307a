//! Conversions between formats.

use crate::arith::attrs::{FastMath, FastMathAttr, OverflowAttr};
use crate::constants::{fold_scalars, splat_of};
use crate::wide::{self, Resize, Sign};
use crate::wide_float;
use segra_float::{Number, Round};
use segra_interp::{
    Cx, Datum, Elem, Eval, EvalResult, Fault, Inst, IntWidth, Lanes, Prepare, Prepared,
};
use segra_ir::constraint::{FixedIntegerLike, FloatLike, IntegerLikeOrMemRef, NumberLikeOrMemRef};
use segra_ir::diag::OpDiagnostics;
use segra_ir::int_range::InferIntRanges;
use segra_ir::interfaces::{
    Canonicalize, Fold, FoldResult, Folded, Rewriter, RuleScope, Verify, constant_of,
};
use segra_ir::{
    Attr, Builder, FloatKind, Ir, Op, OpDef, OpView, Type, TypeKind, Value, enum_attr, op,
};
use smallvec::smallvec;

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[
    ExtSIOp::DEF,
    ExtUIOp::DEF,
    TruncIOp::DEF,
    ExtFOp::DEF,
    TruncFOp::DEF,
    SIToFPOp::DEF,
    UIToFPOp::DEF,
    FPToSIOp::DEF,
    FPToUIOp::DEF,
    IndexCastOp::DEF,
    IndexCastUIOp::DEF,
    BitcastOp::DEF,
];

enum_attr! {
    /// How a float that does not fit is rounded.
    RoundingMode, RoundingModeAttr, "a rounding mode", 32, {
        ToNearestEven = "to_nearest_even" = 0, Downward = "downward" = 1, Upward = "upward" = 2,
        TowardZero = "toward_zero" = 3, ToNearestAway = "to_nearest_away" = 4,
    }
}

/// A narrower integer: the value modulo 2^width.
#[op(
    "arith.trunci",
    traits(Pure, SameOperandsAndResultShape, Elementwise),
    interfaces(InferIntRanges, Verify, Fold, Canonicalize, Eval),
    format = "$in (`overflow` `` $overflowFlags^)? attr-dict `:` type($in) `to` type($out)"
)]
pub struct TruncIOp {
    r#in: Operand<FixedIntegerLike>,
    /// Promises that no bit that matters is lost; evaluation does not rely on it.
    #[name("overflowFlags")]
    overflow: OptionalAttr<OverflowAttr>,
    out: OpResult<FixedIntegerLike>,
}

/// A wider float with the same value.
#[op(
    "arith.extf",
    traits(Pure, SameOperandsAndResultShape, Elementwise),
    interfaces(Verify, Fold, Canonicalize, Eval),
    format = "$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)"
)]
pub struct ExtFOp {
    r#in: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    out: OpResult<FloatLike>,
}

/// A narrower float: the value rounded as `roundingmode` says, to nearest even if it says nothing.
#[op(
    "arith.truncf",
    traits(Pure, SameOperandsAndResultShape, Elementwise),
    interfaces(Verify, Fold, Canonicalize, Eval),
    format = "$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)"
)]
pub struct TruncFOp {
    r#in: Operand<FloatLike>,
    roundingmode: OptionalAttr<RoundingModeAttr>,
    fastmath: OptionalAttr<FastMathAttr>,
    out: OpResult<FloatLike>,
}

/// The relation required between the formats of a conversion.
#[derive(Clone, Copy)]
enum Relation {
    Widens,
    Narrows,
    Free,
    Index,
    SameWidth,
}

/// A conversion: from a scalar of one format to another. The flag tells whether the result is specified upstream.
type Rule = fn(&Datum, Elem, Elem) -> Option<(Datum, Specified)>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Specified {
    Yes,
    No,
}

/// How constants are converted whose formats scalars do not have.
#[derive(Clone, Copy)]
enum Wide {
    /// Between floats, where nothing is lost.
    Float,
    Resize(Resize),
    FromInteger(Sign),
    ToInteger(Sign),
    Bits,
}

/// How each conversion is done: which relation it demands, for constants of formats that scalars do not have, for scalars.
macro_rules! casts {
    ($($op:ident: $relation:ident, $wide:expr, $rule:expr;)*) => {$(
        impl Verify for $op {
            fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
                verify_cast(ir, op, Relation::$relation, diags);
            }
            fn scope(&self) -> RuleScope {
                RuleScope::Signature
            }
        }
        impl Eval for $op {
            fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
                let mode = p.attr("roundingmode").and_then(|attr| attr.as_i64(p.ir.ctx()));
                Ok(Prepared::Word(mode.unwrap_or(0)))
            }
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                eval_cast(cx, inst, lanes, $rule)
            }
        }
        impl Fold for $op {
            fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
                fold_cast(ir, op, operands, $wide, $rule)
            }
        }
    )*};
}

/// Conversions without attributes: the constraints of the operand and of the result, and interfaces beyond the common ones.
macro_rules! plain_casts {
    ($($(#[$doc:meta])* $op:ident, $text:literal, $from:ident => $to:ident [$($interface:ident)*] $relation:ident, $wide:expr, $rule:expr;)*) => {$(
        $(#[$doc])*
        #[op(
            $text,
            traits(Pure, SameOperandsAndResultShape, Elementwise),
            interfaces($($interface,)* Verify, Fold, Eval),
            format = "$in attr-dict `:` type($in) `to` type($out)"
        )]
        pub struct $op {
            r#in: Operand<$from>,
            out: OpResult<$to>,
        }
        casts! { $op: $relation, $wide, $rule; }
    )*};
}

plain_casts! {
    /// A wider integer with the same signed value.
    ExtSIOp, "arith.extsi", FixedIntegerLike => FixedIntegerLike [InferIntRanges] Widens, Wide::Resize(Resize::Signed), |x, from, _| int(from.int_width()?.signed(x.as_int()?));
    /// A wider integer with the same unsigned value.
    ExtUIOp, "arith.extui", FixedIntegerLike => FixedIntegerLike [InferIntRanges] Widens, Wide::Resize(Resize::Unsigned), |x, from, _| int(from.int_width()?.unsigned(x.as_int()?) as i64);
    /// The float nearest to a signed integer, ties to even, rounded once; beyond the largest number it is infinite.
    SIToFPOp, "arith.sitofp", FixedIntegerLike => FloatLike [] Free, Wide::FromInteger(Sign::Signed), |x, from, to| yes(from_integer(from.int_width()?.signed(x.as_int()?).into(), to)?);
    /// The float nearest to an unsigned integer, ties to even, rounded once; beyond the largest number it is infinite.
    UIToFPOp, "arith.uitofp", FixedIntegerLike => FloatLike [] Free, Wide::FromInteger(Sign::Unsigned), |x, from, to| yes(from_integer(from.int_width()?.unsigned(x.as_int()?).into(), to)?);
    /// The signed integer a float is when rounded towards zero. Out of range it is the nearest integer of the type, the
    /// smallest or the largest, also for infinities; NaN gives 0 (upstream: poison).
    FPToSIOp, "arith.fptosi", FloatLike => FixedIntegerLike [] Free, Wide::ToInteger(Sign::Signed), |x, _, to| to_integer(x.as_f64()?, to.int_width()?, Sign::Signed);
    /// The unsigned integer a float is when rounded towards zero. Out of range it is the nearest integer of the type, 0 or the
    /// largest, also for infinities; NaN gives 0 (upstream: poison).
    FPToUIOp, "arith.fptoui", FloatLike => FixedIntegerLike [] Free, Wide::ToInteger(Sign::Unsigned), |x, _, to| to_integer(x.as_f64()?, to.int_width()?, Sign::Unsigned);
    /// From or to `index`: sign-extended or truncated.
    IndexCastOp, "arith.index_cast", IntegerLikeOrMemRef => IntegerLikeOrMemRef [InferIntRanges] Index, Wide::Resize(Resize::Signed), |x, from, to| int(to.int_width()?.wrap(from.int_width()?.signed(x.as_int()?)));
    /// From or to `index`: zero-extended or truncated.
    IndexCastUIOp, "arith.index_castui", IntegerLikeOrMemRef => IntegerLikeOrMemRef [InferIntRanges] Index, Wide::Resize(Resize::Unsigned), |x, from, to| int(to.int_width()?.wrap(from.int_width()?.unsigned(x.as_int()?) as i64));
    /// The same bits as a type of the same width. The sign and the payload of a NaN that arithmetic made are unspecified, so
    /// its bits are, too; those of a NaN that was given stay.
    BitcastOp, "arith.bitcast", NumberLikeOrMemRef => NumberLikeOrMemRef [] SameWidth, Wide::Bits, |x, _, to| yes(Datum::from_bits(x.to_bits()?, to));
}

casts! {
    TruncIOp: Narrows, Wide::Resize(Resize::Truncate), |x, _, to| int(to.int_width()?.wrap(x.as_int()?));
    ExtFOp: Widens, Wide::Float, |x, _, to| yes(Datum::from_f64(x.as_f64()?, to));
    TruncFOp: Narrows, Wide::Float, |x, _, to| yes(Datum::from_f64(x.as_f64()?, to));
}

fn yes(value: Datum) -> Option<(Datum, Specified)> {
    Some((value, Specified::Yes))
}
fn int(value: i64) -> Option<(Datum, Specified)> {
    yes(Datum::Int(value))
}

/// The float of a format nearest to an integer, ties to even.
fn from_integer(value: i128, to: Elem) -> Option<Datum> {
    Some(match to {
        Elem::F32 => Datum::F32(value as f32),
        Elem::F64 => Datum::F64(value as f64),
        _ => packed(Number::from(value), to, Round::NearestEven)?,
    })
}

/// A number rounded to a float format.
fn packed(number: Number, to: Elem, round: Round) -> Option<Datum> {
    let bits = to.float_kind()?.pack(&number, round);
    Some(Datum::from_bits(bits as u64, to))
}

fn to_integer(value: f64, width: IntWidth, sign: Sign) -> Option<(Datum, Specified)> {
    let truncated = value.trunc();
    let bits = width.bits();
    // The bounds are powers of two, so exact; the upper one is the first integer that does not fit.
    let (low, high) = match sign {
        Sign::Signed => (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1)),
        Sign::Unsigned => (0.0, 2f64.powi(bits as i32)),
    };
    if truncated >= low && truncated < high {
        let value = match sign {
            Sign::Signed => truncated as i64,
            Sign::Unsigned => truncated as u64 as i64,
        };
        return int(width.wrap(value));
    }
    let value = match sign {
        _ if value.is_nan() => 0,
        Sign::Signed if value < low => width.min_signed(),
        Sign::Signed => !width.min_signed(),
        Sign::Unsigned if value < low => 0,
        Sign::Unsigned => -1,
    };
    Some((Datum::Int(width.wrap(value)), Specified::No))
}

fn eval_cast(cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes, rule: Rule) -> EvalResult {
    let (Some(from), Some(to)) = (inst.operand_elem, inst.result_elem) else {
        return Err(cx.error(inst, "converts between formats that are not computed with"));
    };
    let mode = RoundingMode::from_value(inst.word());
    cx.map1(inst, lanes, |x| {
        let converted = rule(x, from, to).map(|(value, _)| value);
        let converted = converted
            .zip(mode)
            .and_then(|(value, mode)| round_directed(x, value, to, mode));
        converted.ok_or_else(|| Fault::new(format!("cannot convert {} to {to}", x.describe())))
    })
}

/// A float that is rounded in this way to a narrower format, and widened again: the value after both.
pub fn round_through(
    b: &mut Builder<'_>,
    value: Value,
    narrow: FloatKind,
    mode: RoundingMode,
) -> Value {
    let (narrow, wide) = (b.ctx().float(narrow), b.type_of(value));
    let mode = mode.attr(b.ctx());
    let rounded = TruncFOp::builder()
        .r#in(value)
        .roundingmode(mode)
        .out_type(narrow)
        .build(b)
        .out(b.ir);
    ExtFOp::build(b, rounded, wide).out(b.ir)
}

/// A float in a narrower format, rounded in this way; nothing if it is no float.
pub fn rounded(value: &Datum, to: Elem, mode: RoundingMode) -> Option<Datum> {
    round_directed(value, Datum::from_f64(value.as_f64()?, to), to, mode)
}

/// The same, where the nearest float is known already.
fn round_directed(exact: &Datum, nearest: Datum, to: Elem, mode: RoundingMode) -> Option<Datum> {
    let round = match mode {
        RoundingMode::ToNearestEven => return Some(nearest),
        RoundingMode::Downward => Round::Down,
        RoundingMode::Upward => Round::Up,
        RoundingMode::TowardZero => Round::Zero,
        RoundingMode::ToNearestAway => Round::NearestAway,
    };
    let exact = exact.as_f64()?;
    if !exact.is_finite() {
        return Some(nearest);
    }
    packed(FloatKind::F64.unpack(exact.to_bits().into()), to, round)
}

fn fold_cast(ir: &Ir, op: Op, operands: &[Option<Attr>], wide: Wide, rule: Rule) -> Folded {
    let ctx = ir.ctx();
    let types = (
        ir.value_type(ir.operand(op, 0)),
        ir.value_type(ir.result(op, 0)),
    );
    let elems = (
        Elem::of_element(ctx, types.0),
        Elem::of_element(ctx, types.1),
    );
    let folded = match (wide, elems) {
        (Wide::Float, _) => wide_float::fold_float_cast(ctx, operands, types),
        (_, (Some(from), Some(to))) => fold_scalars(ctx, operands, types.1, |values| {
            match rule(&values[0], from, to)? {
                (value, Specified::Yes) => Some(value),
                (_, Specified::No) => None,
            }
        }),
        (Wide::Resize(how), _) => wide::fold_resize(ctx, operands, types, how),
        (Wide::ToInteger(sign), _) => wide_float::fold_to_integer(ctx, operands, types, sign),
        (Wide::FromInteger(sign), _) => wide_float::fold_from_integer(ctx, operands, types, sign),
        (Wide::Bits, _) => wide::fold_bitcast(ctx, operands, types.1),
    }?;
    Some(smallvec![FoldResult::Attr(folded)])
}

impl Canonicalize for ExtFOp {
    /// Widening undoes a narrowing where both may be contracted.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = ExtFOp::from_op(op);
        let Some(narrowed) = ir.def_as::<TruncFOp>(view.r#in(ir)) else {
            return false;
        };
        let contracts =
            |flags: Option<FastMath>| flags.is_some_and(|flags| flags.contains(FastMath::CONTRACT));
        let source = narrowed.r#in(ir);
        let undone = ir.value_type(source) == ir.value_type(view.out(ir))
            && contracts(view.fastmath(ir))
            && contracts(narrowed.fastmath(ir));
        if undone {
            rewriter.replace_op(op, &[source]);
        }
        undone
    }
}

impl Canonicalize for TruncIOp {
    /// Of the upper bits alone the sign does not matter.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let view = TruncIOp::from_op(op);
        let Some(shift) = ir.def_as::<super::ShRSIOp>(view.r#in(ir)) else {
            return false;
        };
        let width = |value| {
            ir.value_type(value)
                .element_or_self(ir.ctx())
                .integer_width(ir.ctx())
        };
        let amount =
            constant_of(ir, shift.rhs(ir)).and_then(|attr| splat_of(ir.ctx(), attr)?.as_int());
        let (Some(from), Some(to)) = (width(view.r#in(ir)), width(view.out(ir))) else {
            return false;
        };
        if amount != Some(i64::from(from) - i64::from(to)) {
            return false;
        }
        let (lhs, rhs, exact) = (shift.lhs(ir), shift.rhs(ir), shift.exact_attr(ir));
        let unsigned = rewriter.build(op, |b| {
            super::ShRUIOp::builder()
                .lhs(lhs)
                .rhs(rhs)
                .exact(exact)
                .build(b)
                .result(b.ir)
        });
        rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, unsigned));
        true
    }
}

impl Canonicalize for TruncFOp {
    /// A value widened or made from an integer without loss is rounded once.
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let ir = rewriter.ir();
        let ctx = ir.context();
        let view = TruncFOp::from_op(op);
        let (between, to) = (view.r#in(ir), ir.value_type(view.out(ir)));
        let format = |ty: Type| ty.element_or_self(&ctx).float_kind(&ctx);
        let Some(def) = ir.defining_op(between) else {
            return false;
        };
        let (Some(middle), Some(last)) = (format(ir.value_type(between)), format(to)) else {
            return false;
        };
        if let Some(widened) = ir.cast::<ExtFOp>(def) {
            let source = widened.r#in(ir);
            let Some(first) = format(ir.value_type(source)).filter(|first| first.fits_in(middle))
            else {
                return false;
            };
            if first == last {
                rewriter.replace_op(op, &[source]);
                return true;
            }
            if first.width() > last.width() {
                rewriter.modify(op, &mut |ir| ir.set_operand(op, 0, source));
                return true;
            }
            return false;
        }
        // Rounded twice, an integer wider than the significand may end up beside the nearest float; upstream merges all.
        let bits = |value: Value| {
            ir.value_type(value)
                .element_or_self(&ctx)
                .integer_width(&ctx)
        };
        let is_exact =
            |value: Value| bits(value).is_some_and(|bits| (1..middle.precision()).contains(&bits));
        if view.roundingmode(ir).is_some() {
            return false;
        }
        if let Some(made) = ir.cast::<SIToFPOp>(def)
            && is_exact(made.r#in(ir))
        {
            let source = made.r#in(ir);
            rewriter.replace_with(op, |b| [SIToFPOp::build(b, source, to).out(b.ir)]);
            return true;
        }
        if let Some(made) = ir.cast::<UIToFPOp>(def)
            && is_exact(made.r#in(ir))
        {
            let source = made.r#in(ir);
            rewriter.replace_with(op, |b| [UIToFPOp::build(b, source, to).out(b.ir)]);
            return true;
        }
        false
    }
}

/// Tensors must not only be able to have one shape, as of other types, but say so in the same way, encoding included:
/// without a rank they say nothing.
pub(super) fn verify_tensor_extents(ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
    let ctx = ir.ctx();
    let extents = |value| match ctx.type_kind(ir.value_type(value)) {
        TypeKind::Tensor {
            shape, encoding, ..
        } => Some((&shape[..], *encoding)),
        TypeKind::UnrankedTensor(_) => None,
        _ => Some((&[][..], None)),
    };
    let (from, to) = (extents(ir.operand(op, 0)), extents(ir.result(op, 0)));
    if from != to || from.is_none() {
        diags.error("operand `in` and the result must have the same extents");
    }
}

fn verify_cast(ir: &Ir, op: Op, relation: Relation, diags: &mut OpDiagnostics<'_>) {
    let ctx = ir.ctx();
    let (from, to) = (
        ir.value_type(ir.operand(op, 0)),
        ir.value_type(ir.result(op, 0)),
    );
    let (inner, outer) = (from.element_or_self(ctx), to.element_or_self(ctx));
    verify_tensor_extents(ir, op, diags);
    let bits = |ty: Type| {
        ty.integer_width(ctx)
            .or_else(|| ty.float_kind(ctx).map(FloatKind::width))
    };
    let (narrow, wide) = (bits(inner), bits(outer));
    let fine = match relation {
        Relation::Widens => narrow < wide && narrow.is_some(),
        Relation::Narrows => narrow > wide && wide.is_some(),
        Relation::Free => narrow.is_some() && wide.is_some(),
        Relation::SameWidth => narrow == wide && narrow.is_some(),
        Relation::Index => inner.is_index(ctx) != outer.is_index(ctx),
    };
    if !fine {
        let rule = match relation {
            Relation::Widens => "the result must be wider than operand `in`",
            Relation::Narrows => "the result must be narrower than operand `in`",
            Relation::Free => "operand `in` and result must not be of type index",
            Relation::SameWidth => "operand `in` and result must have the same width",
            Relation::Index => "exactly one of operand `in` and result must be of type index",
        };
        diags.error(rule);
    }
}
