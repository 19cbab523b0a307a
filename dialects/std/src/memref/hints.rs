//! Facts about memory, hints, and transfers in the background.

use super::rank;
use super::scope::verify_indices;
use crate::arith::rules::folded_attr;
use segra_interp::{Cx, Datum, Eval, EvalResult, Flow, Inst, Lanes};
use segra_ir::build::OpState;
use segra_ir::constraint::{
    AlignmentAttr, AnyMemRef, AnyType, BoolAttr, Index, MemRefOfRank1, PowerOfTwoI32Attr,
    RankedOrUnrankedMemRef, StridedMemRef,
};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, Fold, Folded, InferTypes, Verify,
};
use segra_ir::layout::has_identity_layout;
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Ir, Op, OpView, Type, TypeKind, bounded_i32_attrs, op};
use segra_text::Syntax;

bounded_i32_attrs! {
    /// How near to the processor data should be kept.
    LocalityAttr, "an i32 from 0 to 3", |value| (0..=3).contains(&value);
}

/// The same memref, known to start at a multiple of `alignment` bytes.
#[op(
    "memref.assume_alignment",
    traits(Pure, SameOperandsAndResultType),
    interfaces(Canonicalize, Eval),
    format = "$memref `,` $alignment attr-dict `:` type($memref)"
)]
pub struct AssumeAlignmentOp {
    memref: Operand<AnyMemRef>,
    alignment: Attr<PowerOfTwoI32Attr>,
    result: OpResult<AnyMemRef>,
}

/// The same memrefs, known not to overlap.
#[op(
    "memref.distinct_objects",
    traits(Pure),
    interfaces(InferTypes, Verify, Eval),
    format = "$operands attr-dict `:` type($operands)"
)]
pub struct DistinctObjectsOp {
    operands: VariadicOperand<AnyMemRef>,
    results: VariadicResult<AnyMemRef>,
}

impl InferTypes for DistinctObjectsOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        Ok(state
            .operands
            .iter()
            .map(|&value| ir.value_type(value))
            .collect())
    }
}

impl Verify for DistinctObjectsOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if ir.num_operands(op) == 0 {
            diags.error("needs at least one operand");
        }
    }
}

macro_rules! pass_on {
    ($($op:ident),*) => {$(
        impl Eval for $op {
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                cx.copy(&inst.operands, &inst.results, lanes);
                Ok(Flow::Next)
            }
        }
    )*};
}

pass_on!(AssumeAlignmentOp, DistinctObjectsOp);

/// The number of dimensions.
#[op(
    "memref.rank",
    traits(Pure),
    interfaces(Fold, Eval),
    format = "$memref attr-dict `:` type($memref)"
)]
pub struct RankOp {
    memref: Operand<RankedOrUnrankedMemRef>,
    result: OpResult<Index>,
}

impl Fold for RankOp {
    fn fold(&self, ir: &Ir, op: Op, _operands: &[Option<Attr>]) -> Folded {
        let (shape, _) = ir
            .value_type(RankOp::from_op(op).memref(ir))
            .shaped(ir.ctx())?;
        folded_attr(ir.ctx().index_attr(shape.len() as i64))
    }
}

impl Eval for RankOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let rank = cx.memref(inst, 0, lane)?.sizes.len();
            cx.set_result(inst, 0, lane, Datum::Int(rank as i64));
        }
        Ok(Flow::Next)
    }
}

/// The address of the first element, as a number. Addresses have no meaning when evaluated.
#[op(
    "memref.extract_aligned_pointer_as_index",
    traits(Pure),
    format = "$source `:` type($source) `->` type(results) attr-dict"
)]
pub struct ExtractAlignedPointerAsIndexOp {
    source: Operand<RankedOrUnrankedMemRef>,
    aligned_pointer: OpResult<Index>,
}

/// The buffer behind a memref and where its elements lie: offset, sizes, strides.
#[op(
    "memref.extract_strided_metadata",
    traits(Pure),
    interfaces(InferTypes, Canonicalize, Eval),
    format = "$source `:` type($source) `->` type(results) attr-dict"
)]
pub struct ExtractStridedMetadataOp {
    source: Operand<StridedMemRef>,
    base_buffer: OpResult<StridedMemRef>,
    offset: OpResult<Index>,
    /// One per dimension.
    sizes_and_strides: VariadicResult<Index>,
}

impl InferTypes for ExtractStridedMetadataOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let ctx = ir.ctx();
        let source = *state
            .operands
            .first()
            .ok_or("operand `source` is missing")?;
        let TypeKind::MemRef {
            shape,
            element,
            space,
            ..
        } = ctx.type_kind(ir.value_type(source))
        else {
            return Err("operand `source` must be a ranked memref".to_owned());
        };
        let buffer = TypeKind::MemRef {
            shape: Vec::new(),
            element: *element,
            layout: None,
            space: *space,
        };
        let mut types = vec![ctx.ty(buffer), ctx.index()];
        types.extend(std::iter::repeat_n(ctx.index(), 2 * shape.len()));
        Ok(types)
    }
}

impl Eval for ExtractStridedMetadataOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let source = cx.memref(inst, 0, lane)?.clone();
            let numbers: Vec<i64> = [source.offset]
                .into_iter()
                .chain(source.sizes.clone())
                .chain(source.strides.clone())
                .collect();
            let base = segra_interp::MemRefValue {
                buffer: source.buffer.clone(),
                offset: 0,
                sizes: Vec::new(),
                strides: Vec::new(),
            };
            cx.set_result(inst, 0, lane, Datum::memref(base));
            for (index, number) in numbers.into_iter().enumerate() {
                cx.set_result(inst, index + 1, lane, Datum::Int(number));
            }
        }
        Ok(Flow::Next)
    }
}

/// Says that an element will be used soon. Evaluation neglects it.
#[op("memref.prefetch", interfaces(Effects, Verify, Syntax, Eval))]
pub struct PrefetchOp {
    memref: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    #[name("isWrite")]
    is_write: Attr<BoolAttr>,
    #[name("localityHint")]
    locality_hint: Attr<LocalityAttr>,
    #[name("isDataCache")]
    is_data_cache: Attr<BoolAttr>,
}

impl Effects for PrefetchOp {
    fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

impl Verify for PrefetchOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = PrefetchOp::from_op(op);
        verify_indices(
            ir,
            ir.value_type(view.memref(ir)),
            view.indices(ir).len(),
            diags,
        );
    }
}

impl Eval for PrefetchOp {
    fn eval(&self, _cx: &mut Cx<'_>, _inst: &Inst, _lanes: &Lanes) -> EvalResult {
        Ok(Flow::Next)
    }
}

/// Memory of another size with the old contents as far as they fit; the old memory ends.
#[op(
    "memref.realloc",
    interfaces(Effects, Canonicalize, Verify),
    format = "$source (`(` $dynamic_result_size^ `)`)? attr-dict `:` type($source) `to` type(results)"
)]
pub struct ReallocOp {
    source: Operand<MemRefOfRank1>,
    dynamic_result_size: OptionalOperand<Index>,
    alignment: OptionalAttr<AlignmentAttr>,
    result: OpResult<MemRefOfRank1>,
}

impl Effects for ReallocOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(EffectKind::Free, ir.operand(op, 0)));
        effects.push(Effect::on(EffectKind::Allocate, ir.result(op, 0)));
    }
}

impl Verify for ReallocOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = ReallocOp::from_op(op);
        let (from, to) = (
            ir.value_type(view.source(ir)),
            ir.value_type(view.result(ir)),
        );
        if !has_identity_layout(ctx, from) || !has_identity_layout(ctx, to) {
            diags.error("operand `source` and the result must have no layout");
        }
        super::verify_same_space_and_element(ir, from, to, diags);
        let open = to
            .shaped(ctx)
            .is_some_and(|(shape, _)| shape.contains(&DYNAMIC));
        if open != view.dynamic_result_size(ir).is_some() {
            diags.error(
                "needs operand `dynamic_result_size` just where its type leaves the size open",
            );
        }
    }
}

/// Starts a transfer in the background: source and its indices, target and its indices, the number of elements, a tag and
/// its indices, and maybe a stride and the number of elements per stride.
#[op("memref.dma_start", interfaces(Effects, Verify, Syntax))]
pub struct DmaStartOp {
    operands: VariadicOperand<AnyType>,
}

impl Effects for DmaStartOp {
    fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Read));
        effects.push(Effect::of(EffectKind::Write));
    }
}

impl Verify for DmaStartOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let types: Vec<Type> = ir.operands(op).map(|value| ir.value_type(value)).collect();
        let mut rest = &types[..];
        let memref = |rest: &mut &[Type]| -> Option<()> {
            let (&first, tail) = rest.split_first()?;
            if !matches!(ctx.type_kind(first), TypeKind::MemRef { .. }) {
                return None;
            }
            let rank = rank(ctx, first);
            *rest = tail.get(rank..)?;
            tail[..rank].iter().all(|ty| ty.is_index(ctx)).then_some(())
        };
        let mut read = || -> Option<()> {
            memref(&mut rest)?;
            memref(&mut rest)?;
            let (count, tail) = rest.split_first()?;
            rest = tail;
            count.is_index(ctx).then_some(())?;
            memref(&mut rest)?;
            (matches!(rest.len(), 0 | 2) && rest.iter().all(|ty| ty.is_index(ctx))).then_some(())
        };
        if read().is_none() {
            diags.error("needs as operands a memref with its indices (source), another (target), a number of elements, a \
                 third memref with its indices (tag), and maybe a stride and a number of elements per stride",
            );
        }
    }
}

/// Waits for a transfer that `memref.dma_start` started.
#[op(
    "memref.dma_wait",
    interfaces(Effects, Verify),
    format = "$tag_mem_ref `[` $tag_indices `]` `,` $num_elements attr-dict `:` type($tag_mem_ref)"
)]
pub struct DmaWaitOp {
    tag_mem_ref: Operand<AnyMemRef>,
    tag_indices: VariadicOperand<Index>,
    num_elements: Operand<Index>,
}

impl Effects for DmaWaitOp {
    fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

impl Verify for DmaWaitOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = DmaWaitOp::from_op(op);
        verify_indices(
            ir,
            ir.value_type(view.tag_mem_ref(ir)),
            view.tag_indices(ir).len(),
            diags,
        );
    }
}
