//! Comparisons and `arith.select`.

use crate::arith::attrs::FastMathAttr;
use crate::arith::classes::Narrowing;
use crate::arith::rules::poison_among;
use crate::constants::{fold_scalars, splat_of};
use crate::wide_float;
use segra_interp::{
    Cx, Datum, Eval, EvalResult, Fault, Flow, Inst, IntWidth, Lanes, Prepare, Prepared,
};
use segra_ir::attrs::Splat;
use segra_ir::build::OpState;
use segra_ir::constraint::{AnyType, BoolLike, FloatLike, IntegerLike};
use segra_ir::diag::OpDiagnostics;
use segra_ir::int_range::InferIntRanges;
use segra_ir::interfaces::{Canonicalize, Fold, FoldResult, Folded, InferTypes, RuleScope, Verify};
use segra_ir::types::DYNAMIC;
use segra_ir::{
    Attr, AttrKind, Context, Ir, Op, OpDef, OpView, Type, TypeKind, Value, enum_attr, op,
};
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};
use smallvec::smallvec;

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[CmpIOp::DEF, CmpFOp::DEF, SelectOp::DEF];

enum_attr! {
    /// How integers are compared.
    CmpIPredicate, CmpIPredicateAttr, "a predicate on integers", 64, {
        Eq = "eq" = 0, Ne = "ne" = 1, Slt = "slt" = 2, Sle = "sle" = 3, Sgt = "sgt" = 4, Sge = "sge" = 5,
        Ult = "ult" = 6, Ule = "ule" = 7, Ugt = "ugt" = 8, Uge = "uge" = 9,
    }
}

impl CmpIPredicate {
    /// The comparison that holds where this does not.
    pub fn negated(self) -> CmpIPredicate {
        match self {
            CmpIPredicate::Eq => CmpIPredicate::Ne,
            CmpIPredicate::Ne => CmpIPredicate::Eq,
            CmpIPredicate::Slt => CmpIPredicate::Sge,
            CmpIPredicate::Sle => CmpIPredicate::Sgt,
            CmpIPredicate::Sgt => CmpIPredicate::Sle,
            CmpIPredicate::Sge => CmpIPredicate::Slt,
            CmpIPredicate::Ult => CmpIPredicate::Uge,
            CmpIPredicate::Ule => CmpIPredicate::Ugt,
            CmpIPredicate::Ugt => CmpIPredicate::Ule,
            CmpIPredicate::Uge => CmpIPredicate::Ult,
        }
    }
    /// Whether it holds for two integers in their normal form.
    #[inline(always)]
    pub fn holds(self, w: IntWidth, a: i64, b: i64) -> bool {
        match self {
            CmpIPredicate::Eq => a == b,
            CmpIPredicate::Ne => a != b,
            CmpIPredicate::Slt => w.signed(a) < w.signed(b),
            CmpIPredicate::Sle => w.signed(a) <= w.signed(b),
            CmpIPredicate::Sgt => w.signed(a) > w.signed(b),
            CmpIPredicate::Sge => w.signed(a) >= w.signed(b),
            CmpIPredicate::Ult => w.unsigned(a) < w.unsigned(b),
            CmpIPredicate::Ule => w.unsigned(a) <= w.unsigned(b),
            CmpIPredicate::Ugt => w.unsigned(a) > w.unsigned(b),
            CmpIPredicate::Uge => w.unsigned(a) >= w.unsigned(b),
        }
    }
    /// Whether it reads integers as unsigned.
    pub fn is_unsigned(self) -> bool {
        self.value() >= CmpIPredicate::Ult.value()
    }
    /// Whether it holds for equal integers.
    pub fn holds_for_equal(self) -> bool {
        self.holds(IntWidth::INDEX, 0, 0)
    }
}

enum_attr! {
    /// How floats are compared. Ordered predicates (`o`) are false and unordered ones (`u`) true if either is NaN.
    CmpFPredicate, CmpFPredicateAttr, "a predicate on floats", 64, {
        AlwaysFalse = "false" = 0, Oeq = "oeq" = 1, Ogt = "ogt" = 2, Oge = "oge" = 3, Olt = "olt" = 4,
        Ole = "ole" = 5, One = "one" = 6, Ord = "ord" = 7, Ueq = "ueq" = 8, Ugt = "ugt" = 9, Uge = "uge" = 10,
        Ult = "ult" = 11, Ule = "ule" = 12, Une = "une" = 13, Uno = "uno" = 14, AlwaysTrue = "true" = 15,
    }
}

impl CmpFPredicate {
    /// Whether it holds for two floats.
    #[inline(always)]
    pub fn holds<F: PartialOrd>(self, a: F, b: F) -> bool {
        const UNORDERED: i64 = 8;
        // Ordered predicates say in their bits for which relations they hold: equal, greater, less. The unordered ones
        // come in the same order, but without the empty set, and `uno` after them.
        let relations = match self {
            CmpFPredicate::Uno => UNORDERED,
            CmpFPredicate::AlwaysTrue => 7 | UNORDERED,
            _ if self.value() > 7 => (self.value() - 7) | UNORDERED,
            _ => self.value(),
        };
        let relation = match a.partial_cmp(&b) {
            Some(std::cmp::Ordering::Equal) => 1,
            Some(std::cmp::Ordering::Greater) => 2,
            Some(std::cmp::Ordering::Less) => 4,
            None => UNORDERED,
        };
        relations & relation != 0
    }
}

/// Whether two integers compare as the predicate says.
#[op(
    "arith.cmpi",
    traits(Pure, SameTypeOperands, Elementwise),
    interfaces(InferTypes, InferIntRanges, Fold, Eval),
    format = "$predicate `,` $lhs `,` $rhs attr-dict `:` type($lhs)"
)]
pub struct CmpIOp {
    predicate: Attr<CmpIPredicateAttr>,
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<BoolLike>,
}

/// Whether two floats compare as the predicate says.
#[op(
    "arith.cmpf",
    traits(Pure, SameTypeOperands, Elementwise),
    interfaces(InferTypes, Fold, Canonicalize, Eval),
    format = "$predicate `,` $lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs)"
)]
pub struct CmpFOp {
    predicate: Attr<CmpFPredicateAttr>,
    lhs: Operand<FloatLike>,
    rhs: Operand<FloatLike>,
    fastmath: OptionalAttr<FastMathAttr>,
    result: OpResult<BoolLike>,
}

/// One of two values, by a condition; with a vector of conditions element by element.
#[op(
    "arith.select",
    traits(Pure, Elementwise),
    interfaces(Narrowing, InferTypes, InferIntRanges, Verify, Fold, Syntax, Eval)
)]
pub struct SelectOp {
    condition: Operand<BoolLike>,
    true_value: Operand<AnyType>,
    false_value: Operand<AnyType>,
    result: OpResult<AnyType>,
}

/// `i1`, or a vector or tensor of it with the shape of `ty`.
pub(crate) fn bool_like(ctx: &Context, ty: Type) -> Type {
    let i1 = ctx.i1();
    match ctx.type_kind(ty) {
        TypeKind::Vector {
            shape, scalable, ..
        } => ctx.ty(TypeKind::Vector {
            shape: shape.clone(),
            scalable: scalable.clone(),
            element: i1,
        }),
        TypeKind::Tensor {
            shape, encoding, ..
        } => ctx.ty(TypeKind::Tensor {
            shape: shape.clone(),
            element: i1,
            encoding: *encoding,
        }),
        TypeKind::UnrankedTensor(_) => ctx.ty(TypeKind::UnrankedTensor(i1)),
        _ => i1,
    }
}

/// `value`, or a vector or tensor of known shape of it.
fn bool_splat(ctx: &Context, ty: Type, value: bool) -> Option<Attr> {
    match ctx.type_kind(ty) {
        TypeKind::Vector { .. } => {}
        TypeKind::Tensor { shape, .. } if !shape.contains(&DYNAMIC) => {}
        TypeKind::Integer { .. } => return Some(ctx.bool_attr(value)),
        _ => return None,
    }
    Some(ctx.attr(AttrKind::DenseElements {
        ty,
        data: vec![value.into()],
        splat: Splat::Yes,
    }))
}

fn infer_comparison(ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
    let lhs = *state.operands.first().ok_or("operand `lhs` is missing")?;
    Ok(vec![bool_like(ir.ctx(), ir.value_type(lhs))])
}

impl InferTypes for CmpIOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        infer_comparison(ir, state)
    }
}
impl InferTypes for CmpFOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        infer_comparison(ir, state)
    }
}
impl InferTypes for SelectOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let value = *state
            .operands
            .get(1)
            .ok_or("operand `true_value` is missing")?;
        Ok(vec![ir.value_type(value)])
    }
}

impl Syntax for SelectOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let ir = p.ir();
        p.text(" ");
        p.values(ir.operands(op));
        p.attr_dict(op, &[]);
        p.text(" : ");
        let view = SelectOp::from_op(op);
        let condition = ir.value_type(view.condition(ir));
        if condition != p.ctx().i1() {
            p.ty(condition);
            p.text(", ");
        }
        p.types_of([view.result(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let operands = p.parse_operand_list()?;
        p.parse_attr_dict_into(state)?;
        let types = p.parse_colon_type_list()?;
        let (condition, ty) = match types.as_slice() {
            [ty] => (p.ctx().i1(), *ty),
            [condition, ty] => (*condition, *ty),
            _ => {
                return Err(
                    p.error("one type is expected, or the condition's and the values' types")
                );
            }
        };
        crate::syntax::resolve(p, state, &operands, &[condition, ty, ty])?;
        state.state.result_types.push(ty);
        Ok(())
    }
}

impl Verify for SelectOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = SelectOp::from_op(op);
        let [condition, yes, no, result] = [
            view.condition(ir),
            view.true_value(ir),
            view.false_value(ir),
            view.result(ir),
        ]
        .map(|value| ir.value_type(value));
        if yes != no || yes != result {
            diags
                .error("operands `true_value` and `false_value` and the result must have one type");
        }
        if condition != ir.ctx().i1() && condition != bool_like(ir.ctx(), yes) {
            diags.error("operand `condition` must be i1 or have the shape of the values");
        }
    }
    fn scope(&self) -> RuleScope {
        RuleScope::Signature
    }
}

fn word_of(p: &Prepare<'_>) -> Result<Prepared, Fault> {
    let word = p.attr("predicate").and_then(|attr| attr.as_i64(p.ir.ctx()));
    word.map(Prepared::Word)
        .ok_or_else(|| Fault::new("has no predicate"))
}

impl Eval for CmpIOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        word_of(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let predicate = CmpIPredicate::from_value(inst.word());
        let predicate = predicate.ok_or_else(|| cx.error(inst, "has an unknown predicate"))?;
        cx.binary_int(inst, lanes, |w, a, b| predicate.holds(w, a, b).into())
    }
}

impl Eval for CmpFOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        word_of(p)
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let predicate = CmpFPredicate::from_value(inst.word());
        let predicate = predicate.ok_or_else(|| cx.error(inst, "has an unknown predicate"))?;
        cx.map2(inst, lanes, |a, b| compare_floats(predicate, a, b))
    }
}

#[inline(always)]
fn compare_floats(predicate: CmpFPredicate, a: &Datum, b: &Datum) -> Result<Datum, Fault> {
    Ok(Datum::bool(match (a, b) {
        (Datum::F32(a), Datum::F32(b)) => predicate.holds(a, b),
        (Datum::F64(a), Datum::F64(b)) => predicate.holds(a, b),
        (Datum::F16(a), Datum::F16(b)) => predicate.holds(a, b),
        (Datum::BF16(a), Datum::BF16(b)) => predicate.holds(a, b),
        (Datum::TF32(a), Datum::TF32(b)) => predicate.holds(a, b),
        _ => return Err(Fault::new("needs two floats of one format")),
    }))
}

impl Eval for SelectOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        if lanes
            .iter()
            .next()
            .is_some_and(|lane| matches!(cx.operand(inst, 0, lane), Datum::Vector(_)))
        {
            return cx.map3(inst, lanes, |c, a, b| match c.as_bool() {
                Some(c) => Ok(if c { a } else { b }.clone()),
                None => Err(Fault::new("needs an i1 as condition")),
            });
        }
        for lane in lanes.iter() {
            let chosen = if cx.int(inst, 0, lane)? & 1 != 0 {
                1
            } else {
                2
            };
            let value = cx.operand(inst, chosen, lane).clone();
            cx.set_result(inst, 0, lane, value);
        }
        Ok(Flow::Next)
    }
}

impl Fold for CmpIOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = CmpIOp::from_op(op);
        let predicate = CmpIPredicate::from_value(view.predicate_attr(ir)?.as_i64(ctx)?)?;
        let (lhs, ty) = (view.lhs(ir), ir.value_type(view.lhs(ir)));
        if lhs == view.rhs(ir)
            && let Some(attr) = bool_splat(ctx, bool_like(ctx, ty), predicate.holds_for_equal())
        {
            return Some(smallvec![FoldResult::Attr(attr)]);
        }
        // As upstream, which leaves comparisons with poison.
        if poison_among(ctx, operands).is_some() {
            return None;
        }
        let Some(width) =
            segra_interp::Elem::of_element(ctx, ty).and_then(segra_interp::Elem::int_width)
        else {
            let holds = |signed, unsigned| {
                let order = if predicate.is_unsigned() {
                    unsigned
                } else {
                    signed
                };
                predicate.holds(IntWidth::INDEX, order + 1, 1)
            };
            let folded =
                crate::wide::fold_int_comparison(ctx, operands, (ty, bool_like(ctx, ty)), holds)?;
            return Some(smallvec![FoldResult::Attr(folded)]);
        };
        let folded = fold_scalars(ctx, operands, bool_like(ctx, ty), |values| {
            Some(Datum::bool(predicate.holds(
                width,
                values[0].as_int()?,
                values[1].as_int()?,
            )))
        })?;
        Some(smallvec![FoldResult::Attr(folded)])
    }
}

impl Fold for CmpFOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = CmpFOp::from_op(op);
        let predicate = CmpFPredicate::from_value(view.predicate_attr(ir)?.as_i64(ctx)?)?;
        let operand = ir.value_type(view.lhs(ir));
        let ty = bool_like(ctx, operand);
        if wide_float::small_float(ctx, operand).is_some() {
            if poison_among(ctx, operands).is_some() {
                return None;
            }
            let holds = |a: f64, b: f64| predicate.holds(a, b);
            let folded = wide_float::fold_comparison(ctx, operands, (operand, ty), holds)?;
            return Some(smallvec![FoldResult::Attr(folded)]);
        }
        // A comparison with one that is not a number says the same whatever the other is.
        let is_nan = |attr| {
            wide_float::is_uniformly(ctx, attr, f64::NAN)
                || splat_of(ctx, attr)
                    .and_then(|x| x.as_f64())
                    .is_some_and(f64::is_nan)
        };
        let nan = operands
            .iter()
            .flatten()
            .copied()
            .find(|&attr| attr.ty(ctx) == Some(operand) && is_nan(attr));
        let both = [nan, nan];
        let operands = if nan.is_some() && operand.is_float(ctx) {
            &both[..]
        } else {
            operands
        };
        if poison_among(ctx, operands).is_some() {
            return None;
        }
        let folded = match wide_float::exact_float(ctx, operand) {
            Some(_) => wide_float::fold_comparison(ctx, operands, (operand, ty), |a, b| {
                predicate.holds(a, b)
            }),
            None => fold_scalars(ctx, operands, ty, |values| {
                compare_floats(predicate, &values[0], &values[1]).ok()
            }),
        }?;
        Some(smallvec![FoldResult::Attr(folded)])
    }
}

impl Fold for SelectOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let ctx = ir.ctx();
        let view = SelectOp::from_op(op);
        let (condition, yes, no) = (
            view.condition(ir),
            view.true_value(ir),
            view.false_value(ir),
        );
        let value = |value| Some(smallvec![FoldResult::Value(value)]);
        if yes == no {
            return value(yes);
        }
        if let Some(known) = operands[0]
            .and_then(|attr| splat_of(ctx, attr))
            .and_then(|c| c.as_bool())
        {
            return value(if known { yes } else { no });
        }
        let is_poison =
            |index: usize| operands[index].is_some_and(|attr| crate::ub::is_poison(ctx, attr));
        if is_poison(1) {
            return value(no);
        }
        if is_poison(2) {
            return value(yes);
        }
        let truth = |index: usize| {
            operands[index]
                .and_then(|attr| attr.as_integer(ctx))
                .map(|bit| bit != 0)
        };
        if ir.value_type(yes) == ctx.i1() && (truth(1), truth(2)) == (Some(true), Some(false)) {
            return value(condition);
        }
        if let Some(chosen) = select_of_equality(ir, condition, yes, no) {
            return value(chosen);
        }
        let [_, Some(_), Some(_)] = operands else {
            return None;
        };
        let folded = crate::elements::fold(ctx, operands, ir.value_type(yes), |row| {
            Some(
                if row[0].first()? & 1 != 0 {
                    row[1]
                } else {
                    row[2]
                }
                .to_vec(),
            )
        })?;
        Some(smallvec![FoldResult::Attr(folded)])
    }
}

/// Which of the two values is selected where the condition says that they are equal, or that they are not.
fn select_of_equality(ir: &Ir, condition: Value, yes: Value, no: Value) -> Option<Value> {
    let compare = ir.cast::<CmpIOp>(ir.defining_op(condition)?)?;
    let (lhs, rhs) = (compare.lhs(ir), compare.rhs(ir));
    if (lhs, rhs) != (yes, no) && (lhs, rhs) != (no, yes) {
        return None;
    }
    match CmpIPredicate::from_value(compare.predicate_attr(ir)?.as_i64(ir.ctx())?)? {
        CmpIPredicate::Eq => Some(no),
        CmpIPredicate::Ne => Some(yes),
        _ => None,
    }
}
