//! Values exchanged by the threads of a subgroup or a thread block, and matrices that a subgroup holds together.
//!
//! Deliberately absent: evaluation rules but that of `gpu.shuffle`, which lives in [`crate::device`].

use crate::attrs::{
    BroadcastKind, BroadcastKindAttr, MmaElementwiseAttr, ReduceKind, ReduceKindAttr,
};
use crate::types::{
    AnyMatrix, FactorMatrix, MatrixElement, MatrixMemRef, MmaMatrix, MmaOperand, SumMatrix,
};
use segra_ir::constraint::{
    AnyType, AttrAccess, Bool, I32, I32Attr, I64Attr, Index, IndexAttr, NumberOrVectorOfRank1,
    PowerOfTwoI32Attr, SignlessIntegerOrFloat, UnitAttr,
};
use segra_ir::interfaces::{Canonicalize, Effect, EffectKind, Effects, Verify};
use segra_ir::layout::has_unit_last_stride;
use segra_ir::{
    Context, Ir, Op, OpDef, OpDiagnostics, OpView, Type, TypeKind, bounded_i32_attrs, op,
};

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[
    AllReduceOp::DEF,
    RotateOp::DEF,
    SubgroupBroadcastOp::DEF,
    SubgroupMmaComputeOp::DEF,
    SubgroupMmaConstantMatrixOp::DEF,
    SubgroupMmaElementwiseOp::DEF,
    SubgroupMmaExtractThreadLocalOp::DEF,
    SubgroupMmaInsertThreadLocalOp::DEF,
    SubgroupMmaLoadMatrixOp::DEF,
    SubgroupMmaStoreMatrixOp::DEF,
    SubgroupReduceOp::DEF,
    WarpExecuteOnLane0Op::DEF,
    YieldOp::DEF,
];

bounded_i32_attrs! {
    /// A number of lanes to rotate by.
    RotationAttr, "an i32 that is not negative", |value| value >= 0;
}

/// Threads depend on each other here: not to be moved into or out of branches.
fn exchange(effects: &mut Vec<Effect>) {
    effects.push(Effect::of(EffectKind::Control));
}

macro_rules! exchanges {
    ($($op:ident),*) => {$(
        impl Effects for $op {
            fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
                exchange(effects);
            }
        }
    )*};
}

exchanges!(
    AllReduceOp,
    RotateOp,
    SubgroupReduceOp,
    SubgroupBroadcastOp,
    SubgroupMmaLoadMatrixOp,
    SubgroupMmaStoreMatrixOp
);

/// One value of all threads of the thread block, combined by `op` or by the region.
#[op(
    "gpu.all_reduce",
    traits(SameOperandsAndResultType, IsolatedFromAbove),
    interfaces(Effects, Canonicalize, Verify)
)]
pub struct AllReduceOp {
    value: Operand<SignlessIntegerOrFloat>,
    op: OptionalAttr<ReduceKindAttr>,
    /// All threads get here together.
    uniform: OptionalAttr<UnitAttr>,
    body: AnyRegion,
    result: OpResult<SignlessIntegerOrFloat>,
}

/// One value of all threads of the subgroup, or of clusters of them.
#[op(
    "gpu.subgroup_reduce",
    traits(SameOperandsAndResultType),
    interfaces(Effects, Canonicalize, Verify)
)]
pub struct SubgroupReduceOp {
    value: Operand<NumberOrVectorOfRank1>,
    op: Attr<ReduceKindAttr>,
    uniform: OptionalAttr<UnitAttr>,
    cluster_size: OptionalAttr<I32Attr>,
    cluster_stride: OptionalAttr<I32Attr>,
    result: OpResult<NumberOrVectorOfRank1>,
}

impl ReduceKind {
    fn fits(self, ctx: &Context, ty: Type) -> bool {
        use ReduceKind::*;
        match self {
            Add | Mul => true,
            MinNumF | MaxNumF | MinimumF | MaximumF => ty.is_float(ctx),
            MinUi | MinSi | MaxUi | MaxSi | And | Or | Xor => ty.integer_width(ctx).is_some(),
        }
    }
}

impl Verify for AllReduceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = AllReduceOp::from_op(op);
        let ty = ir.value_type(view.result(ir));
        let Some(entry) = ir.entry_block(view.body(ir)) else {
            if !view
                .op_attr(ir)
                .is_some_and(|_| view.kind(ir).is_some_and(|kind| kind.fits(ir.ctx(), ty)))
            {
                diags.error("needs an attribute `op` that fits its type, or a region");
            }
            return;
        };
        if view.op_attr(ir).is_some() {
            diags.error("needs either the attribute `op` or a region");
        }
        let args: Vec<Type> = ir
            .block_args(entry)
            .iter()
            .map(|&arg| ir.value_type(arg))
            .collect();
        if args != [ty, ty] {
            diags.error("its region must have two arguments of its type");
        }
        let mut yields = ir
            .blocks(view.body(ir))
            .filter_map(|block| ir.last_op(block))
            .filter(|&last| ir.isa::<YieldOp>(last));
        let fits = |last: Op| ir.operands(last).map(|value| ir.value_type(value)).eq([ty]);
        if !yields.next().is_some_and(fits) || !yields.all(fits) {
            diags.error("its region must yield one value of its type");
        }
    }
}

impl AllReduceOp {
    /// How values are combined, where the attribute `op` says it.
    pub fn kind(self, ir: &Ir) -> Option<ReduceKind> {
        self.op_attr(ir)
            .and_then(|attr| ReduceKindAttr::read(ir.ctx(), attr))
    }
}

impl Verify for SubgroupReduceOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = SubgroupReduceOp::from_op(op);
        let element = ir.value_type(view.result(ir)).element_or_self(ctx);
        let kind = view
            .op_attr(ir)
            .and_then(|attr| ReduceKindAttr::read(ctx, attr));
        if !kind.is_some_and(|kind| kind.fits(ctx, element)) {
            diags.error("attribute `op` does not fit the type");
        }
        let is_power = |value: i32| (value as u32).is_power_of_two();
        let (size, stride) = (view.cluster_size(ir), view.cluster_stride(ir).unwrap_or(1));
        if size.is_some_and(|size| !is_power(size)) || !is_power(stride) {
            diags.error("attributes `cluster_size` and `cluster_stride` must be powers of two");
        }
        if stride != 1 && size.is_none() {
            diags.error("attribute `cluster_stride` needs the attribute `cluster_size`");
        }
    }
}

/// The value of the lane `offset` after this one, among `width` lanes, and whether that lane is active.
#[op("gpu.rotate", interfaces(Effects, Verify))]
pub struct RotateOp {
    value: Operand<NumberOrVectorOfRank1>,
    offset: Attr<RotationAttr>,
    width: Attr<PowerOfTwoI32Attr>,
    rotate_result: OpResult<NumberOrVectorOfRank1>,
    valid: OpResult<Bool>,
}

impl Verify for RotateOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = RotateOp::from_op(op);
        if ir.value_type(view.value(ir)) != ir.value_type(view.rotate_result(ir)) {
            diags.error("operand `value` and the first result must have one type");
        }
        if view.offset(ir) >= view.width(ir) {
            diags.error("attribute `offset` must be below `width`");
        }
    }
}

/// One lane's value, in all lanes.
#[op(
    "gpu.subgroup_broadcast",
    traits(Elementwise),
    interfaces(Effects, Canonicalize, Verify)
)]
pub struct SubgroupBroadcastOp {
    src: Operand<AnyType>,
    lane: OptionalOperand<I32>,
    broadcast_type: Attr<BroadcastKindAttr>,
    result: OpResult<AnyType>,
}

impl Verify for SubgroupBroadcastOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = SubgroupBroadcastOp::from_op(op);
        if ir.value_type(view.src(ir)) != ir.value_type(view.result(ir)) {
            diags.error("operand `src` and the result must have one type");
        }
        if view.lane(ir).is_some() != (view.broadcast_type(ir) == BroadcastKind::SpecificLane) {
            diags.error("needs operand `lane` just for `specific_lane`");
        }
    }
}

/// Runs its region on the first lane; vectors are spread over the lanes outside and whole inside.
#[op(
    "gpu.warp_execute_on_lane_0",
    traits(RecursiveEffects),
    interfaces(Verify)
)]
pub struct WarpExecuteOnLane0Op {
    laneid: Operand<Index>,
    warp_size: Attr<I64Attr>,
    args: VariadicOperand<AnyType>,
    warp_region: BlockRegion,
    results: VariadicResult<AnyType>,
}

impl Verify for WarpExecuteOnLane0Op {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = WarpExecuteOnLane0Op::from_op(op);
        let types = |values: Vec<segra_ir::Value>| -> Vec<Type> {
            values
                .into_iter()
                .map(|value| ir.value_type(value))
                .collect()
        };
        let block = view.warp_region_block(ir);
        let Some(last) = ir.last_op(block).filter(|&last| ir.isa::<YieldOp>(last)) else {
            diags.error("its region must end with gpu.yield");
            return;
        };
        let spread = |whole: &[Type], parts: &[Type]| {
            whole.len() == parts.len()
                && whole
                    .iter()
                    .zip(parts)
                    .all(|(&whole, &part)| is_spread(ir.ctx(), whole, part, view.warp_size(ir)))
        };
        if !spread(&types(ir.block_args(block).to_vec()), &types(view.args(ir))) {
            diags.error("arguments of its region must be those of `args`, over all lanes");
        }
        if !spread(
            &types(ir.operands(last).collect()),
            &types(view.results(ir)),
        ) {
            diags.error("results must be what the region yields, spread over the lanes");
        }
    }
}

/// Whether `part` is one lane's part of `whole`.
fn is_spread(ctx: &Context, whole: Type, part: Type, lanes: i64) -> bool {
    if whole == part {
        return true;
    }
    let (
        TypeKind::Vector { shape, element, .. },
        TypeKind::Vector {
            shape: inner,
            element: other,
            ..
        },
    ) = (ctx.type_kind(whole), ctx.type_kind(part))
    else {
        return false;
    };
    let mut product = 1i64;
    for (&extent, &part) in shape.iter().zip(inner) {
        if part == 0 || extent % part != 0 {
            return false;
        }
        product = product.saturating_mul(extent / part);
    }
    shape.len() == inner.len() && element == other && product == lanes
}

/// Ends a region of `gpu.all_reduce` or `gpu.warp_execute_on_lane_0`.
#[op("gpu.yield", traits(Pure, Terminator, ReturnLike))]
pub struct YieldOp {
    values: VariadicOperand<AnyType>,
}

/// Reads a matrix from memory; rows are `lead_dimension` elements apart.
#[op("gpu.subgroup_mma_load_matrix", interfaces(Effects, Verify))]
pub struct SubgroupMmaLoadMatrixOp {
    src_memref: Operand<MatrixMemRef>,
    indices: VariadicOperand<Index>,
    #[name("leadDimension")]
    lead_dimension: Attr<IndexAttr>,
    transpose: OptionalAttr<UnitAttr>,
    res: OpResult<AnyMatrix>,
}

/// Writes a matrix to memory.
#[op("gpu.subgroup_mma_store_matrix", interfaces(Effects, Verify))]
pub struct SubgroupMmaStoreMatrixOp {
    src: Operand<AnyMatrix>,
    dst_memref: Operand<MatrixMemRef>,
    indices: VariadicOperand<Index>,
    #[name("leadDimension")]
    lead_dimension: Attr<IndexAttr>,
    transpose: OptionalAttr<UnitAttr>,
}

/// `op_a * op_b + op_c`.
#[op("gpu.subgroup_mma_compute", traits(Pure), interfaces(Verify))]
pub struct SubgroupMmaComputeOp {
    op_a: Operand<FactorMatrix>,
    op_b: Operand<FactorMatrix>,
    op_c: Operand<SumMatrix>,
    a_transpose: OptionalAttr<UnitAttr>,
    b_transpose: OptionalAttr<UnitAttr>,
    res: OpResult<AnyMatrix>,
}

/// A matrix of one number.
#[op("gpu.subgroup_mma_constant_matrix", traits(Pure), interfaces(Verify))]
pub struct SubgroupMmaConstantMatrixOp {
    value: Operand<MatrixElement>,
    res: OpResult<AnyMatrix>,
}

/// An op on each element of matrices.
#[op("gpu.subgroup_mma_elementwise", traits(Pure))]
pub struct SubgroupMmaElementwiseOp {
    args: VariadicOperand<AnyMatrix>,
    #[name("opType")]
    op_type: Attr<MmaElementwiseAttr>,
    res: OpResult<AnyMatrix>,
}

/// One of the elements this thread holds.
#[op(
    "gpu.subgroup_mma_extract_thread_local",
    traits(Pure),
    interfaces(Verify)
)]
pub struct SubgroupMmaExtractThreadLocalOp {
    matrix: Operand<AnyMatrix>,
    indices: VariadicOperand<Index>,
    res: OpResult<SignlessIntegerOrFloat>,
}

/// The matrix with one of the elements this thread holds replaced.
#[op(
    "gpu.subgroup_mma_insert_thread_local",
    traits(Pure),
    interfaces(Verify)
)]
pub struct SubgroupMmaInsertThreadLocalOp {
    value: Operand<SignlessIntegerOrFloat>,
    matrix: Operand<AnyMatrix>,
    indices: VariadicOperand<Index>,
    res: OpResult<AnyMatrix>,
}

fn matrix(ir: &Ir, value: segra_ir::Value) -> Option<MmaMatrix> {
    ir.value_type(value).dialect::<MmaMatrix>(ir.ctx()).copied()
}

fn verify_rows(ir: &Ir, memref: segra_ir::Value, diags: &mut OpDiagnostics<'_>) {
    if !has_unit_last_stride(ir.ctx(), ir.value_type(memref)) {
        diags.error(
            "neighbours along the last dimension of the memref must be neighbours in memory",
        );
    }
}

impl Verify for SubgroupMmaLoadMatrixOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        verify_rows(
            ir,
            SubgroupMmaLoadMatrixOp::from_op(op).src_memref(ir),
            diags,
        );
    }
}
impl Verify for SubgroupMmaStoreMatrixOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = SubgroupMmaStoreMatrixOp::from_op(op);
        verify_rows(ir, view.dst_memref(ir), diags);
        if matrix(ir, view.src(ir)).is_some_and(|matrix| matrix.operand != MmaOperand::C) {
            diags.error("operand `src` must be a matrix in the place of COp");
        }
    }
}

impl Verify for SubgroupMmaComputeOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = SubgroupMmaComputeOp::from_op(op);
        let matrices = [view.op_a(ir), view.op_b(ir), view.op_c(ir)].map(|value| matrix(ir, value));
        let [Some(a), Some(b), Some(c)] = matrices else {
            return;
        };
        if [a.operand, b.operand, c.operand] != [MmaOperand::A, MmaOperand::B, MmaOperand::C] {
            diags.error("operands must be matrices in the places AOp, BOp and COp");
        }
        if a.shape[1] != b.shape[0] || a.shape[0] != c.shape[0] || b.shape[1] != c.shape[1] {
            diags.error("extents must be those of a matrix product");
        }
        if matrix(ir, view.res(ir)) != Some(c) {
            diags.error("operand `op_c` and the result must have one type");
        }
    }
}

fn verify_element(
    ir: &Ir,
    value: segra_ir::Value,
    whole: segra_ir::Value,
    diags: &mut OpDiagnostics<'_>,
) {
    if matrix(ir, whole).is_some_and(|matrix| matrix.element != ir.value_type(value)) {
        diags.error("the value must have the element type of the matrix");
    }
}

impl Verify for SubgroupMmaConstantMatrixOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        verify_element(ir, ir.operand(op, 0), ir.result(op, 0), diags);
    }
}
impl Verify for SubgroupMmaExtractThreadLocalOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        verify_element(ir, ir.result(op, 0), ir.operand(op, 0), diags);
    }
}
impl Verify for SubgroupMmaInsertThreadLocalOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        verify_element(ir, ir.operand(op, 0), ir.operand(op, 1), diags);
    }
}
