//! Integer arithmetic with two results, and conversions of floats that come with a scale.

use crate::arith::attrs::FastMathAttr;
use crate::arith::cast::{ExtSIOp, RoundingModeAttr};
use crate::arith::cmp::{CmpIOp, CmpIPredicate, bool_like};
use crate::arith::constant::ConstantOp;
use crate::arith::int::{AddIOp, MulIOp};
use crate::arith::ints::Ints;
use crate::constants::fold_scalars;
use crate::wide::{uniform_attr, uniform_integer};
use segra_interp::{Cx, Datum, Elem, Eval, EvalResult, Flow, Inst, IntWidth, Lanes};
use segra_ir::constraint::{BoolLike, FloatLike, IntegerLike};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Fold, FoldResult, Folded, Rewriter, Verify};
use segra_ir::{Attr, BigInt, FloatKind, Ir, Op, OpDef, OpView, Type, Value, op};
use smallvec::smallvec;

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[
    AddUIExtendedOp::DEF,
    MulSIExtendedOp::DEF,
    MulUIExtendedOp::DEF,
    ScalingExtFOp::DEF,
    ScalingTruncFOp::DEF,
];

/// The sum of two unsigned integers modulo 2^width, and whether it did not fit.
#[op(
    "arith.addui_extended",
    traits(Pure, Commutative, Elementwise),
    interfaces(Fold, Canonicalize, Verify, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow) same-type($lhs, $rhs, $sum)"
)]
pub struct AddUIExtendedOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    sum: OpResult<IntegerLike>,
    overflow: OpResult<BoolLike>,
}

/// The low and the high half of the product of two signed integers.
#[op(
    "arith.mulsi_extended",
    traits(Pure, Commutative, Elementwise),
    interfaces(Fold, Canonicalize, Verify, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($lhs) same-type($lhs, $rhs, $low, $high)"
)]
pub struct MulSIExtendedOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    low: OpResult<IntegerLike>,
    high: OpResult<IntegerLike>,
}

/// The low and the high half of the product of two unsigned integers.
#[op(
    "arith.mului_extended",
    traits(Pure, Commutative, Elementwise),
    interfaces(Fold, Canonicalize, Verify, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($lhs) same-type($lhs, $rhs, $low, $high)"
)]
pub struct MulUIExtendedOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    low: OpResult<IntegerLike>,
    high: OpResult<IntegerLike>,
}

/// A wider float with the value multiplied by a scale, a power of two.
#[op(
    "arith.scaling_extf",
    traits(Pure, Elementwise),
    interfaces(Verify),
    format = "$in `,` $scale (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,` type($scale) `to` type($out)"
)]
pub struct ScalingExtFOp {
    r#in: Operand<FloatLike>,
    scale: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    out: OpResult<FloatLike>,
}

/// A narrower float with the value divided by a scale, a power of two.
#[op(
    "arith.scaling_truncf",
    traits(Pure, Elementwise),
    interfaces(Verify),
    format = "$in `,` $scale ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `,`
               type($scale) `to` type($out)"
)]
pub struct ScalingTruncFOp {
    r#in: Operand<FloatLike>,
    scale: Operand<FloatLike>,
    roundingmode: OptionalAttr<RoundingModeAttr>,
    fastmath: OptionalAttr<FastMathAttr>,
    out: OpResult<FloatLike>,
}

fn verify_same(types: &[Type], names: &str, diags: &mut OpDiagnostics<'_>) {
    if types.windows(2).any(|pair| pair[0] != pair[1]) {
        diags.error(format!("{names} must have the same type"));
    }
}

impl Verify for AddUIExtendedOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = AddUIExtendedOp::from_op(op);
        let types = [view.lhs(ir), view.rhs(ir), view.sum(ir)].map(|value| ir.value_type(value));
        verify_same(&types, "`lhs`, `rhs` and `sum`", diags);
    }
}

fn verify_product(ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
    let types: Vec<Type> = ir
        .operands(op)
        .chain(ir.results(op))
        .map(|value| ir.value_type(value))
        .collect();
    verify_same(&types, "`lhs`, `rhs`, `low` and `high`", diags);
}

impl Verify for MulSIExtendedOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        verify_product(ir, op, diags);
    }
}
impl Verify for MulUIExtendedOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        verify_product(ir, op, diags);
    }
}

impl Verify for ScalingExtFOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        verify_scaled_shape(ir, op, diags);
        let [from, to] = widths(ir, op);
        if from >= to {
            diags.error("the result must be wider than operand `in`");
        }
    }
}
impl Verify for ScalingTruncFOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        verify_scaled_shape(ir, op, diags);
        let [from, to] = widths(ir, op);
        if from <= to {
            diags.error("the result must be narrower than operand `in`");
        }
    }
}

/// The scale may be a scalar beside a vector, what is scaled may not.
fn verify_scaled_shape(ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
    super::cast::verify_tensor_extents(ir, op, diags);
    let is_shaped = |value| ir.value_type(value).element_or_self(ir.ctx()) != ir.value_type(value);
    if is_shaped(ir.result(op, 0)) && !is_shaped(ir.operand(op, 0)) {
        diags.error("operand `in` must have the shape of the result");
    }
}

/// Widths of the elements of the first operand and the result.
fn widths(ir: &Ir, op: Op) -> [u32; 2] {
    [ir.operand(op, 0), ir.result(op, 0)].map(|value| {
        let element = ir.value_type(value).element_or_self(ir.ctx());
        element.float_kind(ir.ctx()).map_or(0, FloatKind::width)
    })
}

/// Evaluates an op with two integer operands and two results, scalar or element by element.
fn eval_pair(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lanes: &Lanes,
    rule: impl Fn(IntWidth, i64, i64) -> [i64; 2],
) -> EvalResult {
    let width = inst
        .operand_elem
        .and_then(|elem| elem.int_width())
        .unwrap_or(IntWidth::INDEX);
    for lane in lanes.iter() {
        let (a, b) = (
            cx.operand(inst, 0, lane).clone(),
            cx.operand(inst, 1, lane).clone(),
        );
        let (first, second) = match (a, b) {
            (Datum::Int(a), Datum::Int(b)) => {
                let [first, second] = rule(width, a, b);
                (Datum::Int(width.wrap(first)), Datum::Int(second))
            }
            _ => return Err(cx.error(inst, "is only computed on scalars")),
        };
        cx.set_result(inst, 0, lane, first);
        cx.set_result(inst, 1, lane, second);
    }
    Ok(Flow::Next)
}

/// Folds such an op on constants.
fn fold_pair(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    rule: impl Fn(IntWidth, i64, i64) -> [i64; 2],
    wide: impl Fn(Ints<BigInt>) -> BigInt,
) -> Folded {
    let ctx = ir.ctx();
    let ty = ir.value_type(ir.operand(op, 0));
    let Some(width) = Elem::of_element(ctx, ty).and_then(Elem::int_width) else {
        let second = ir.value_type(ir.result(op, 1));
        let folded = crate::wide::fold_int_pair(ctx, operands, (ty, second), wide)?;
        return Some(folded.map(FoldResult::Attr).into_iter().collect());
    };
    let half = |index: usize| {
        fold_scalars(ctx, operands, ir.value_type(ir.result(op, index)), |row| {
            let value = rule(width, row[0].as_int()?, row[1].as_int()?)[index];
            Some(Datum::Int(if index == 0 {
                width.wrap(value)
            } else {
                value
            }))
        })
    };
    Some(smallvec![
        FoldResult::Attr(half(0)?),
        FoldResult::Attr(half(1)?)
    ])
}

/// The sum's low bits and what is carried.
fn sum(w: IntWidth, a: i64, b: i64) -> [i64; 2] {
    let sum = u128::from(w.unsigned(a)) + u128::from(w.unsigned(b));
    [sum as i64, i64::from(sum >> w.bits() != 0)]
}
fn signed_product(w: IntWidth, a: i64, b: i64) -> [i64; 2] {
    let product = i128::from(w.signed(a)) * i128::from(w.signed(b));
    [product as i64, w.wrap((product >> w.bits()) as i64)]
}
fn unsigned_product(w: IntWidth, a: i64, b: i64) -> [i64; 2] {
    let product = u128::from(w.unsigned(a)) * u128::from(w.unsigned(b));
    [product as i64, w.wrap((product >> w.bits()) as i64)]
}

/// Whether the right operand is `number` in every element.
fn is_right(ir: &Ir, operands: &[Option<Attr>], number: i128) -> bool {
    operands[1].and_then(|attr| uniform_integer(ir.ctx(), attr)) == Some(number)
}

impl Fold for AddUIExtendedOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        if !is_right(ir, operands, 0) {
            return fold_pair(ir, op, operands, sum, |n| n.a + n.b);
        }
        let lhs = ir.operand(op, 0);
        let none = uniform_attr(ir.ctx(), bool_like(ir.ctx(), ir.value_type(lhs)), 0)?;
        Some(smallvec![FoldResult::Value(lhs), FoldResult::Attr(none)])
    }
}
impl Eval for AddUIExtendedOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_pair(cx, inst, lanes, sum)
    }
}

/// Folds a product of zero to it, and what is constant.
fn fold_product(
    ir: &Ir,
    op: Op,
    operands: &[Option<Attr>],
    rule: impl Fn(IntWidth, i64, i64) -> [i64; 2],
    wide: impl Fn(Ints<BigInt>) -> BigInt,
) -> Folded {
    if is_right(ir, operands, 0) {
        let zero = ir.operand(op, 1);
        return Some(smallvec![FoldResult::Value(zero), FoldResult::Value(zero)]);
    }
    fold_pair(ir, op, operands, rule, wide)
}

impl Fold for MulSIExtendedOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        fold_product(ir, op, operands, signed_product, |n| n.x * n.y)
    }
}
impl Eval for MulSIExtendedOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_pair(cx, inst, lanes, signed_product)
    }
}
impl Fold for MulUIExtendedOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        if is_right(ir, operands, 1) {
            let lhs = ir.operand(op, 0);
            let zero = uniform_attr(ir.ctx(), ir.value_type(lhs), 0)?;
            return Some(smallvec![FoldResult::Value(lhs), FoldResult::Attr(zero)]);
        }
        fold_product(ir, op, operands, unsigned_product, |n| n.a * n.b)
    }
}
impl Eval for MulUIExtendedOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        eval_pair(cx, inst, lanes, unsigned_product)
    }
}

/// Where nobody asks for the second result: the plain op gives the first.
fn to_plain(
    rewriter: &mut dyn Rewriter,
    op: Op,
    build: impl FnOnce(&mut segra_ir::Builder<'_>, Value, Value) -> Value,
) -> bool {
    let ir = rewriter.ir();
    if ir.has_uses(ir.result(op, 1)) {
        return false;
    }
    let (lhs, rhs) = (ir.operand(op, 0), ir.operand(op, 1));
    let plain = rewriter.build(op, |b| build(b, lhs, rhs));
    let first = rewriter.ir().result(op, 0);
    rewriter.replace_value(first, plain);
    rewriter.erase_op(op);
    true
}

impl Canonicalize for AddUIExtendedOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        to_plain(rewriter, op, |b, lhs, rhs| {
            AddIOp::build(b, lhs, rhs).result(b.ir)
        })
    }
}
impl Canonicalize for MulUIExtendedOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        to_plain(rewriter, op, |b, lhs, rhs| {
            MulIOp::build(b, lhs, rhs).result(b.ir)
        })
    }
}
impl Canonicalize for MulSIExtendedOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        if to_plain(rewriter, op, |b, lhs, rhs| {
            MulIOp::build(b, lhs, rhs).result(b.ir)
        }) {
            return true;
        }
        // Times one: the high half repeats the sign.
        let ir = rewriter.ir();
        let (lhs, ty) = (ir.operand(op, 0), ir.value_type(ir.operand(op, 0)));
        let one = segra_ir::interfaces::constant_of(ir, ir.operand(op, 1));
        if one.and_then(|attr| uniform_integer(ir.ctx(), attr)) != Some(1) {
            return false;
        }
        let Some(zero) = uniform_attr(ir.ctx(), ty, 0) else {
            return false;
        };
        rewriter.replace_with(op, |b| {
            let zero = ConstantOp::build(b, zero).result(b.ir);
            let less = CmpIPredicate::Slt.attr(&b.ir.context());
            let negative = CmpIOp::build(b, less, lhs, zero).result(b.ir);
            [lhs, ExtSIOp::build(b, negative, ty).out(b.ir)]
        });
        true
    }
}
