//! Reading and writing memory.

use super::rank;
use crate::arith::rules::FloatRule;
use segra_interp::{
    Cx, Datum, Elem, Eval, EvalResult, Fault, Flow, Inst, IntWidth, Lanes, Prepare, Prepared,
};
use segra_ir::build::OpState;
use segra_ir::constraint::{
    AlignmentAttr, AnyMemRef, AnyType, FlagAttr, Index, MemRefWithDimensions, NumberMemRef,
    RankedOrUnrankedMemRef, SignlessIntegerOrFloat,
};
use segra_ir::diag::OpDiagnostics;
use segra_ir::int_range::{InferIntRanges, IntRange};
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, Fold, FoldResult, Folded, InferTypes,
    PromotableAccess, RuleScope, Speculation, Verify, known_extent,
};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Ir, Op, OpView, Type, Value, enum_attr, op};
use segra_text::lexer::Tok;
use segra_text::{ParseResult, ParsedOp, Parser, Printer, Syntax};
use smallvec::{SmallVec, smallvec};

/// Discardable attribute of loads and stores that other thread blocks race with: `acquire` on a load, `release` on a
/// store. They are atomic at the scope of the device, and never moved, merged or dropped.
pub const MEMORY_ORDER: &str = "segra.memory_order";

/// Discardable attribute of loads in kernels, a [`LoadHint`]: which caches may keep the elements. It changes no result.
/// Nothing in the kernel writes to the memory, under any name.
pub const LOAD_HINT: &str = "segra.load_hint";

/// A load's elements are not loaded again soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoadHint {
    /// Nobody in the kernel does: they go by the L1 cache.
    L2,
    /// Nobody at all does: whatever comes next takes their place in the caches.
    Streaming,
}

impl LoadHint {
    /// How it is written.
    pub const fn text(self) -> &'static str {
        match self {
            LoadHint::L2 => "l2",
            LoadHint::Streaming => "streaming",
        }
    }
}

/// Checks a load's [`LOAD_HINT`], if it has one.
pub(crate) fn verify_hint(ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
    let Some(hint) = ir.attr_named(op, LOAD_HINT) else {
        return;
    };
    let known = [LoadHint::L2, LoadHint::Streaming].map(LoadHint::text);
    if hint
        .as_str(ir.ctx())
        .is_none_or(|hint| !known.contains(&hint))
    {
        diags.error(format!(
            "attribute `{LOAD_HINT}` must be \"l2\" or \"streaming\""
        ));
    } else if ir.attr_named(op, MEMORY_ORDER).is_some() {
        diags.error(format!(
            "attribute `{LOAD_HINT}` is for memory that nothing writes, `{MEMORY_ORDER}` for memory that others do"
        ));
    }
}

/// The effect of an access with [`MEMORY_ORDER`] on the order of those around it.
fn ordering(ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
    if ir.attr_named(op, MEMORY_ORDER).is_some() {
        effects.push(Effect::of(EffectKind::Control));
    }
}

/// The element at an index.
#[op(
    "memref.load",
    interfaces(Effects, PromotableAccess, Canonicalize, InferTypes, Verify, Eval),
    format = "$memref `[` $indices `]` attr-dict `:` type($memref)"
)]
pub struct LoadOp {
    memref: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    nontemporal: OptionalAttr<FlagAttr>,
    /// In bytes.
    alignment: OptionalAttr<AlignmentAttr>,
    result: OpResult<AnyType>,
}

/// Replaces the element at an index.
#[op(
    "memref.store",
    interfaces(Effects, PromotableAccess, Canonicalize, Verify, Syntax, Eval)
)]
pub struct StoreOp {
    value: Operand<AnyType>,
    memref: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    nontemporal: OptionalAttr<FlagAttr>,
    /// In bytes.
    alignment: OptionalAttr<AlignmentAttr>,
}

/// The extent of a dimension.
#[op(
    "memref.dim",
    traits(Pure),
    interfaces(Fold, InferIntRanges, Speculation, Canonicalize, Eval),
    format = "attr-dict $source `,` $index `:` type($source)"
)]
pub struct DimOp {
    source: Operand<MemRefWithDimensions>,
    index: Operand<Index>,
    result: OpResult<Index>,
}

/// Copies all elements to memory of the same extents; the two must not overlap.
#[op(
    "memref.copy",
    interfaces(Effects, Canonicalize, Verify, Eval),
    format = "$source `,` $target attr-dict `:` type($source) `to` type($target)"
)]
pub struct CopyOp {
    source: Operand<RankedOrUnrankedMemRef>,
    target: Operand<RankedOrUnrankedMemRef>,
}

enum_attr! {
    /// How an atomic access combines the old element with the value.
    AtomicRmwKind, AtomicRmwKindAttr, "a kind of atomic access", 64, {
        Addf = "addf" = 0, Addi = "addi" = 1, Andi = "andi" = 2, Assign = "assign" = 3, Maximumf = "maximumf" = 4,
        Maxnumf = "maxnumf" = 5, Maxs = "maxs" = 6, Maxu = "maxu" = 7, Minimumf = "minimumf" = 8,
        Minnumf = "minnumf" = 9, Mins = "mins" = 10, Minu = "minu" = 11, Mulf = "mulf" = 12, Muli = "muli" = 13,
        Ori = "ori" = 14, Xori = "xori" = 15,
    }
}

/// Combines an element with a value in one indivisible step; the result is the element before.
#[op(
    "memref.atomic_rmw",
    interfaces(Effects, Canonicalize, InferTypes, Verify, Eval),
    format = "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)` `->` type($result)"
)]
pub struct AtomicRmwOp {
    kind: Attr<AtomicRmwKindAttr>,
    value: Operand<SignlessIntegerOrFloat>,
    memref: Operand<NumberMemRef>,
    indices: VariadicOperand<Index>,
    result: OpResult<SignlessIntegerOrFloat>,
}

impl InferTypes for LoadOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let memref = *state
            .operands
            .first()
            .ok_or("operand `memref` is missing")?;
        Ok(vec![ir.value_type(memref).element_or_self(ir.ctx())])
    }
}
impl InferTypes for AtomicRmwOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let value = *state.operands.first().ok_or("operand `value` is missing")?;
        Ok(vec![ir.value_type(value)])
    }
}

impl Effects for LoadOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(EffectKind::Read, LoadOp::from_op(op).memref(ir)));
        ordering(ir, op, effects);
    }
}
impl Effects for StoreOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(
            EffectKind::Write,
            StoreOp::from_op(op).memref(ir),
        ));
        ordering(ir, op, effects);
    }
}
impl Effects for CopyOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let view = CopyOp::from_op(op);
        effects.push(Effect::on(EffectKind::Read, view.source(ir)));
        effects.push(Effect::on(EffectKind::Write, view.target(ir)));
    }
}
impl Effects for AtomicRmwOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let memref = AtomicRmwOp::from_op(op).memref(ir);
        effects.push(Effect::on(EffectKind::Read, memref));
        effects.push(Effect::on(EffectKind::Write, memref));
    }
}

/// Checks the number of indices and the type of the element that is read or written.
fn verify_access(
    ir: &Ir,
    memref: Type,
    indices: usize,
    element: (&str, Type),
    diags: &mut OpDiagnostics<'_>,
) {
    let ctx = ir.ctx();
    let rank = rank(ctx, memref);
    if indices != rank {
        diags.error(format!(
            "needs {rank} `indices` by the type of `memref`, not {indices}"
        ));
    }
    if element.1 != memref.element_or_self(ctx) {
        diags.error(format!(
            "{} must have the element type of `memref`",
            element.0
        ));
    }
}

impl Verify for LoadOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = LoadOp::from_op(op);
        let element = ("the result", ir.value_type(view.result(ir)));
        verify_access(
            ir,
            ir.value_type(view.memref(ir)),
            view.indices(ir).len(),
            element,
            diags,
        );
        verify_hint(ir, op, diags);
    }
    fn scope(&self) -> RuleScope {
        RuleScope::Signature
    }
}
impl Verify for StoreOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = StoreOp::from_op(op);
        let element = ("operand `value`", ir.value_type(view.value(ir)));
        verify_access(
            ir,
            ir.value_type(view.memref(ir)),
            view.indices(ir).len(),
            element,
            diags,
        );
    }
    fn scope(&self) -> RuleScope {
        RuleScope::Signature
    }
}
impl Verify for AtomicRmwOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = AtomicRmwOp::from_op(op);
        let ty = ir.value_type(view.value(ir));
        let element = ("operand `value`", ty);
        verify_access(
            ir,
            ir.value_type(view.memref(ir)),
            view.indices(ir).len(),
            element,
            diags,
        );
        if ir.value_type(view.result(ir)) != ty {
            diags.error("operand `value` and the result must have one type");
        }
        let float = AtomicRmwKind::is_float(view.kind(ir));
        if float.is_some_and(|float| float != ty.is_float(ir.ctx())) {
            diags.error("attribute `kind` does not fit the type of operand `value`");
        }
    }
}
impl Verify for CopyOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = CopyOp::from_op(op);
        let ctx = ir.ctx();
        let (from, to) = (
            ir.value_type(view.source(ir)),
            ir.value_type(view.target(ir)),
        );
        let fits = match (from.shaped(ctx), to.shaped(ctx)) {
            (Some((from, _)), Some((to, _))) => {
                from.len() == to.len()
                    && from
                        .iter()
                        .zip(to)
                        .all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC)
            }
            _ => true,
        };
        if from.element_or_self(ctx) != to.element_or_self(ctx) || !fits {
            diags.error("operands `source` and `target` must have one element type and one shape");
        }
    }
}

impl Syntax for StoreOp {
    fn print(&self, p: &mut Printer<'_>, op: Op) {
        let view = StoreOp::from_op(op);
        let ir = p.ir();
        p.text(" ");
        p.values([view.value(ir), view.memref(ir)]);
        p.text("[");
        p.values(view.indices(ir));
        p.text("]");
        p.attr_dict(op, &[]);
        p.text(" : ");
        p.types_of([view.memref(ir)]);
    }
    fn parse(&self, p: &mut Parser<'_>, state: &mut ParsedOp) -> ParseResult<()> {
        let ctx = p.ctx();
        let value = p.parse_operand()?;
        p.parse_comma()?;
        let memref = p.parse_operand()?;
        let mut indices = SmallVec::<[_; 4]>::new();
        p.parse_list(Tok::LSquare, Tok::RSquare, |p| {
            indices.push(p.parse_operand()?);
            Ok(())
        })?;
        p.parse_attr_dict_into(state)?;
        let ty = p.parse_colon_type()?;
        crate::syntax::resolve(p, state, &[value, memref], &[ty.element_or_self(ctx), ty])?;
        crate::syntax::resolve(p, state, &indices, &vec![ctx.index(); indices.len()])
    }
}

impl Speculation for DimOp {
    /// A dimension there is not is an error.
    fn is_speculatable(&self, ir: &Ir, op: Op) -> bool {
        let view = DimOp::from_op(op);
        let rank = ir
            .value_type(view.source(ir))
            .shaped(ir.ctx())
            .map_or(0, |(shape, _)| shape.len());
        let index = ir.constant_int(view.index(ir));
        index
            .and_then(|index| usize::try_from(index).ok())
            .is_some_and(|index| index < rank)
    }
}

impl Fold for DimOp {
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        fold_dim(ir, DimOp::from_op(op).source(ir), operands)
    }
}

/// The extent of the dimension of `source` that the second operand names, where the type or what made it says it.
pub(crate) fn fold_dim(ir: &Ir, source: Value, operands: &[Option<Attr>]) -> Folded {
    let ctx = ir.ctx();
    let (shape, _) = ir.value_type(source).shaped(ctx)?;
    let dim = usize::try_from(operands.get(1).copied()??.as_i64(ctx)?).ok()?;
    Some(smallvec![match *shape.get(dim)? {
        DYNAMIC => FoldResult::Value(known_extent(ir, source, dim)?),
        extent => FoldResult::Attr(ctx.index_attr(extent)),
    }])
}

impl InferIntRanges for DimOp {
    fn infer_int_range(&self, _: &Ir, _: Op, _: &[Option<IntRange>]) -> Option<IntRange> {
        Some(IntRange::signed(64, 0, i64::MAX.into()))
    }
}

impl Eval for LoadOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let indices = cx.ints(inst, 1..inst.operands.len(), lane)?;
            let loaded = cx.memref(inst, 0, lane)?.load(&indices);
            let value = cx.check(inst, loaded)?;
            cx.set_result(inst, 0, lane, value);
        }
        Ok(Flow::Next)
    }
}

impl Eval for StoreOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let indices = cx.ints(inst, 2..inst.operands.len(), lane)?;
            let stored = cx
                .memref(inst, 1, lane)?
                .store(&indices, cx.operand(inst, 0, lane));
            cx.check(inst, stored)?;
        }
        Ok(Flow::Next)
    }
}

impl Eval for DimOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let dim = cx.int(inst, 1, lane)?;
            let sizes = &cx.memref(inst, 0, lane)?.sizes;
            let extent = usize::try_from(dim)
                .ok()
                .and_then(|dim| sizes.get(dim).copied());
            let extent = extent.ok_or_else(|| {
                cx.error(
                    inst,
                    format!(
                        "asks for dimension {dim} of a memref of rank {}",
                        sizes.len()
                    ),
                )
            })?;
            cx.set_result(inst, 0, lane, Datum::Int(extent));
        }
        Ok(Flow::Next)
    }
}

impl Eval for CopyOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let source = cx.memref(inst, 0, lane)?.clone();
            let copied = cx.memref(inst, 1, lane)?.copy_from(&source);
            cx.check(inst, copied)?;
        }
        Ok(Flow::Next)
    }
}

impl AtomicRmwKind {
    /// Whether it works on floats; `None`: on anything.
    fn is_float(self) -> Option<bool> {
        use AtomicRmwKind::*;
        match self {
            // Upstream asks nothing of `maxnumf` and `minnumf`.
            Assign | Maxnumf | Minnumf => None,
            Addf | Maximumf | Minimumf | Mulf => Some(true),
            Addi | Andi | Maxs | Maxu | Mins | Minu | Muli | Ori | Xori => Some(false),
        }
    }
    /// The new element.
    pub fn combine(self, elem: Elem, old: &Datum, value: &Datum) -> Result<Datum, Fault> {
        if self == AtomicRmwKind::Assign {
            return Ok(value.clone());
        }
        match (old, value, elem.int_width()) {
            (Datum::Int(a), Datum::Int(b), Some(width)) => {
                let combined = self.combine_ints(width, *a, *b);
                combined
                    .map(|value| Datum::Int(width.wrap(value)))
                    .ok_or_else(|| self.unfit(old))
            }
            // The sum and product of 32-bit or narrower floats are rounded once more from exact or wide enough values.
            (Datum::F64(a), Datum::F64(b), _) => self
                .combine_floats(*a, *b)
                .map(Datum::F64)
                .ok_or_else(|| self.unfit(old)),
            _ => {
                let (Some(a), Some(b)) = (old.as_f64(), value.as_f64()) else {
                    return Err(self.unfit(old));
                };
                let combined = self.combine_floats(a, b).ok_or_else(|| self.unfit(old))?;
                Ok(Datum::from_f64(combined, elem))
            }
        }
    }
    fn combine_ints(self, w: IntWidth, a: i64, b: i64) -> Option<i64> {
        use AtomicRmwKind::*;
        Some(match self {
            Addi => a.wrapping_add(b),
            Muli => a.wrapping_mul(b),
            Andi => a & b,
            Ori => a | b,
            Xori => a ^ b,
            Maxs => w.signed(a).max(w.signed(b)),
            Mins => w.signed(a).min(w.signed(b)),
            Maxu => w.unsigned(a).max(w.unsigned(b)) as i64,
            Minu => w.unsigned(a).min(w.unsigned(b)) as i64,
            _ => return None,
        })
    }
    fn combine_floats(self, a: f64, b: f64) -> Option<f64> {
        use AtomicRmwKind::*;
        Some(match self {
            Addf => a + b,
            Mulf => a * b,
            Maximumf => FloatRule::maximum(a, b),
            Minimumf => FloatRule::minimum(a, b),
            Maxnumf => a.max(b),
            Minnumf => a.min(b),
            _ => return None,
        })
    }
    #[cold]
    fn unfit(self, value: &Datum) -> Fault {
        Fault::new(format!(
            "cannot combine {} by `{}`",
            value.describe(),
            self.keyword()
        ))
    }
}

impl Eval for AtomicRmwOp {
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let kind = p.attr("kind").and_then(|attr| attr.as_i64(p.ir.ctx()));
        kind.map(Prepared::Word)
            .ok_or_else(|| Fault::new("has no kind"))
    }
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let kind = AtomicRmwKind::from_value(inst.word());
        let (Some(kind), Some(elem)) = (kind, inst.result_elem) else {
            return Err(cx.error(inst, "has an unknown kind or element format"));
        };
        for lane in lanes.iter() {
            let indices = cx.ints(inst, 2..inst.operands.len(), lane)?;
            let memref = cx.memref(inst, 1, lane)?;
            let old = cx.check(inst, memref.load(&indices))?;
            let combined = kind.combine(elem, &old, cx.operand(inst, 0, lane));
            let stored = combined.and_then(|new| memref.store(&indices, &new));
            cx.check(inst, stored)?;
            cx.set_result(inst, 0, lane, old);
        }
        Ok(Flow::Next)
    }
}
