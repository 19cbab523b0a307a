//! Masks, and memory accesses that a mask limits.

use super::contract::{ContractionOp, MultiReductionOp, OuterProductOp, iteration_space};
use super::transfer::{TransferReadOp, TransferWriteOp, mask_of_transfer};
use super::{ReductionOp, VectorShape};
use segra_ir::constraint::{
    AlignmentAttr, AnyMemRef, AnyShaped, AnyType, AnyVector, BoolVector, DenseI64Attr,
    FixedBoolVector, Index, IntegerOrIndexVector, RankedTensor,
};
use segra_ir::diag::OpDiagnostics;
use segra_ir::interfaces::{Canonicalize, Effect, EffectKind, Effects, Fold, Verify};
use segra_ir::{Context, Ir, Op, OpDef, OpView, Type, TypeKind, Value, op};
use segra_text::Syntax;

/// The ops of this file.
pub(super) const OPS: &[&OpDef] = &[
    CompressStoreOp::DEF,
    ConstantMaskOp::DEF,
    CreateMaskOp::DEF,
    ExpandLoadOp::DEF,
    GatherOp::DEF,
    MaskOp::DEF,
    MaskedLoadOp::DEF,
    MaskedStoreOp::DEF,
    ScatterOp::DEF,
    YieldOp::DEF,
];

/// A mask that is true at the beginning of each dimension.
#[op(
    "vector.constant_mask",
    traits(Pure),
    interfaces(Fold, Verify),
    format = "$mask_dim_sizes attr-dict `:` type(results)"
)]
pub struct ConstantMaskOp {
    mask_dim_sizes: Attr<DenseI64Attr>,
    result: OpResult<BoolVector>,
}

/// A mask that is true at the beginning of each dimension, by values.
#[op(
    "vector.create_mask",
    traits(Pure),
    interfaces(Canonicalize, Verify),
    format = "$operands attr-dict `:` type(results)"
)]
pub struct CreateMaskOp {
    operands: VariadicOperand<Index>,
    result: OpResult<BoolVector>,
}

/// Runs one op only where a mask is true.
#[op(
    "vector.mask",
    traits(RecursiveEffects, NoRegionArguments),
    interfaces(Canonicalize, Verify, Syntax)
)]
pub struct MaskOp {
    mask: Operand<BoolVector>,
    /// The results where the mask is false.
    passthru: OptionalOperand<AnyType>,
    mask_region: BlockRegion,
    results: VariadicResult<AnyType>,
}

/// Ends the region of `vector.mask`.
#[op(
    "vector.yield",
    traits(Pure, Terminator, ReturnLike),
    format = "attr-dict ($operands^ `:` type($operands))?"
)]
pub struct YieldOp {
    operands: VariadicOperand<AnyType>,
}

/// Elements at an index and after it where a mask is true, others from a vector.
#[op(
    "vector.maskedload",
    interfaces(Effects, Canonicalize, Verify),
    format = "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,`
               type($pass_thru) `into` type($result)"
)]
pub struct MaskedLoadOp {
    base: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    mask: Operand<BoolVector>,
    pass_thru: Operand<AnyVector>,
    alignment: OptionalAttr<AlignmentAttr>,
    result: OpResult<AnyVector>,
}

/// Writes elements where a mask is true.
#[op(
    "vector.maskedstore",
    interfaces(Effects, Canonicalize, Verify),
    format = "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base) `,` type($mask) `,`
               type($value_to_store)"
)]
pub struct MaskedStoreOp {
    base: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    mask: Operand<BoolVector>,
    value_to_store: Operand<AnyVector>,
    alignment: OptionalAttr<AlignmentAttr>,
}

/// Reads as many neighbouring elements as a mask is true, and puts them where it is.
#[op(
    "vector.expandload",
    interfaces(Effects, Canonicalize, Verify),
    format = "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,` type($mask) `,`
               type($pass_thru) `into` type($result)"
)]
pub struct ExpandLoadOp {
    base: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    mask: Operand<FixedBoolVector>,
    pass_thru: Operand<AnyVector>,
    alignment: OptionalAttr<AlignmentAttr>,
    result: OpResult<AnyVector>,
}

/// Writes the elements where a mask is true one after the other.
#[op(
    "vector.compressstore",
    interfaces(Effects, Canonicalize, Verify),
    format = "$base `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base) `,` type($mask) `,`
               type($value_to_store)"
)]
pub struct CompressStoreOp {
    base: Operand<AnyMemRef>,
    indices: VariadicOperand<Index>,
    mask: Operand<FixedBoolVector>,
    value_to_store: Operand<AnyVector>,
    alignment: OptionalAttr<AlignmentAttr>,
}

/// Reads elements at places that a vector gives.
#[op(
    "vector.gather",
    interfaces(Effects, Canonicalize, Verify),
    format = "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $pass_thru attr-dict `:` type($base) `,`
               type($indices) `,` type($mask) `,` type($pass_thru) `into` type($result)"
)]
pub struct GatherOp {
    base: Operand<AnyShaped>,
    offsets: VariadicOperand<Index>,
    indices: Operand<IntegerOrIndexVector>,
    mask: Operand<BoolVector>,
    pass_thru: Operand<AnyVector>,
    alignment: OptionalAttr<AlignmentAttr>,
    result: OpResult<AnyVector>,
}

/// Writes elements to places that a vector gives.
#[op(
    "vector.scatter",
    interfaces(Effects, Canonicalize, Verify),
    format = "$base `[` $offsets `]` `[` $indices `]` `,` $mask `,` $value_to_store attr-dict `:` type($base)
               `,` type($indices) `,` type($mask) `,` type($value_to_store) (`->` type($result)^)?"
)]
pub struct ScatterOp {
    base: Operand<AnyShaped>,
    offsets: VariadicOperand<Index>,
    indices: Operand<IntegerOrIndexVector>,
    mask: Operand<BoolVector>,
    value_to_store: Operand<AnyVector>,
    alignment: OptionalAttr<AlignmentAttr>,
    result: OptionalResult<RankedTensor>,
}

impl Verify for ConstantMaskOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = ConstantMaskOp::from_op(op);
        let sizes = view.mask_dim_sizes(ir);
        let result = VectorShape::of(ir.ctx(), ir.value_type(view.result(ir)));
        let fits = if result.shape.is_empty() {
            matches!(sizes[..], [0 | 1])
        } else {
            sizes.len() == result.shape.len()
                && sizes.iter().zip(result.shape).zip(result.scalable).all(
                    |((&size, &extent), &scalable)| {
                        (0..=extent).contains(&size) && (!scalable || size == 0 || size == extent)
                    },
                )
                && (!sizes.contains(&0) || sizes.iter().all(|&size| size == 0))
        };
        if !fits {
            let message = "attribute `mask_dim_sizes` needs a number per dimension, no larger than its extent, and \
                           either all or none 0; of scalable dimensions all or nothing";
            diags.error(message);
        }
    }
}

impl Verify for CreateMaskOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let rank = VectorShape::of(ir.ctx(), ir.value_type(ir.result(op, 0)))
            .shape
            .len()
            .max(1);
        if ir.num_operands(op) != rank {
            diags.error(format!(
                "needs {rank} operands by its type, not {}",
                ir.num_operands(op)
            ));
        }
    }
}

/// A vector of `i1` with the shape of a vector.
fn mask_like(ctx: &Context, ty: Type) -> Option<Type> {
    let TypeKind::Vector {
        shape, scalable, ..
    } = ctx.type_kind(ty)
    else {
        return None;
    };
    let kind = TypeKind::Vector {
        shape: shape.clone(),
        scalable: scalable.clone(),
        element: ctx.i1(),
    };
    Some(ctx.ty(kind))
}

/// The mask an op can be run under; `None` if it cannot.
fn expected_mask(ir: &Ir, op: Op) -> Option<Type> {
    let ctx = ir.ctx();
    let like = |value: Value| mask_like(ctx, ir.value_type(value));
    if ir.isa::<ContractionOp>(op) {
        let (shape, scalable) = iteration_space(ir, op)?.into_iter().unzip();
        return Some(ctx.ty(TypeKind::Vector {
            shape,
            scalable,
            element: ctx.i1(),
        }));
    }
    if let Some(view) = ir.cast::<TransferReadOp>(op) {
        return mask_of_transfer(
            ctx,
            ir.value_type(view.vector(ir)),
            view.permutation_map(ir),
        );
    }
    if let Some(view) = ir.cast::<TransferWriteOp>(op) {
        return mask_of_transfer(
            ctx,
            ir.value_type(view.value_to_store(ir)),
            view.permutation_map(ir),
        );
    }
    if let Some(view) = ir.cast::<MultiReductionOp>(op) {
        return like(view.source(ir));
    }
    if let Some(view) = ir.cast::<ReductionOp>(op) {
        return like(view.vector(ir));
    }
    if let Some(view) = ir.cast::<OuterProductOp>(op) {
        return like(view.result(ir));
    }
    ir.cast::<GatherOp>(op)
        .and_then(|view| like(view.indices(ir)))
}

impl Verify for MaskOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = MaskOp::from_op(op);
        let block = view.mask_region_block(ir);
        let ops: Vec<Op> = ir.ops(block).take(3).collect();
        let Some(&last) = ops
            .last()
            .filter(|&&last| ops.len() <= 2 && ir.isa::<YieldOp>(last))
        else {
            diags.error("its region must be at most one op and vector.yield");
            return;
        };
        if ir.num_operands(last) != ir.num_results(op) {
            diags.error("its region must yield as many values as there are results");
        }
        if ops.len() == 2
            && let Err(message) = check_masked(ir, view, ops[0], last)
        {
            diags.error(message).note(ir.loc(ops[0]), "the op");
        }
    }
}

fn check_masked(ir: &Ir, view: MaskOp, inner: Op, last: Op) -> Result<(), &'static str> {
    let op = view.op();
    if ir.info(inner).is_none() {
        return Ok(());
    }
    let types =
        |op: Op| -> Vec<Type> { ir.results(op).map(|value| ir.value_type(value)).collect() };
    let mask =
        expected_mask(ir, inner).ok_or("can only mask ops that have a meaning under a mask")?;
    if !ir.results(inner).eq(ir.operands(last)) {
        return Err("its region must yield the results of its op");
    }
    if types(inner) != types(op) {
        return Err("results must have the types of the op's results");
    }
    if ir.value_type(view.mask(ir)) != mask {
        return Err("operand `mask` must have the shape over which the op runs");
    }
    if let Some(passthru) = view.passthru(ir) {
        if !ir.isa::<TransferReadOp>(inner) {
            return Err("operand `passthru` has no meaning for this op");
        }
        if types(inner) != [ir.value_type(passthru)] {
            return Err("operand `passthru` must have the type of the result");
        }
    }
    Ok(())
}

/// The rules for a masked access.
struct Access<'a> {
    base: Type,
    /// The vector read or written.
    vector: VectorShape<'a>,
    indices: usize,
}

impl Access<'_> {
    fn verify(&self, ir: &Ir, diags: &mut OpDiagnostics<'_>) {
        let Some((shape, element)) = self.base.shaped(ir.ctx()) else {
            diags.error("operand `base` must have a known rank");
            return;
        };
        if element != self.vector.element {
            diags.error("operand `base` and the vector must have one element type");
        }
        if shape.len() != self.indices {
            diags.error(format!(
                "needs {} indices by the type of `base`",
                shape.len()
            ));
        }
    }
}

/// Checks a masked access of a vector: its `mask` (and `places`) have its shape, `other` its type.
fn verify_masked(
    ir: &Ir,
    (base, indices): (Value, usize),
    vector: Value,
    masks: &[Value],
    other: Option<Value>,
    diags: &mut OpDiagnostics<'_>,
) {
    let ctx = ir.ctx();
    let shape = VectorShape::of(ctx, ir.value_type(vector));
    let expected = shape.shape;
    Access {
        base: ir.value_type(base),
        vector: shape,
        indices,
    }
    .verify(ir, diags);
    if masks
        .iter()
        .any(|&mask| VectorShape::of(ctx, ir.value_type(mask)).shape != expected)
    {
        diags.error("the mask (and the indices) must have the shape of the vector");
    }
    if other.is_some_and(|other| ir.value_type(other) != ir.value_type(vector)) {
        diags.error("operand `pass_thru` and the result must have one type");
    }
}

impl Verify for MaskedLoadOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let v = MaskedLoadOp::from_op(op);
        let base = (v.base(ir), v.indices(ir).len());
        verify_masked(
            ir,
            base,
            v.result(ir),
            &[v.mask(ir)],
            Some(v.pass_thru(ir)),
            diags,
        );
    }
}
impl Verify for MaskedStoreOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let v = MaskedStoreOp::from_op(op);
        let base = (v.base(ir), v.indices(ir).len());
        verify_masked(ir, base, v.value_to_store(ir), &[v.mask(ir)], None, diags);
    }
}
impl Verify for GatherOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let v = GatherOp::from_op(op);
        let base = (v.base(ir), v.offsets(ir).len());
        verify_base(ir, v.base(ir), diags);
        verify_masked(
            ir,
            base,
            v.result(ir),
            &[v.indices(ir), v.mask(ir)],
            Some(v.pass_thru(ir)),
            diags,
        );
    }
}
impl Verify for ScatterOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let v = ScatterOp::from_op(op);
        let base = (v.base(ir), v.offsets(ir).len());
        verify_base(ir, v.base(ir), diags);
        verify_masked(
            ir,
            base,
            v.value_to_store(ir),
            &[v.indices(ir), v.mask(ir)],
            None,
            diags,
        );
    }
}

fn verify_base(ir: &Ir, base: Value, diags: &mut OpDiagnostics<'_>) {
    let kind = ir.ctx().type_kind(ir.value_type(base));
    if !matches!(kind, TypeKind::MemRef { .. } | TypeKind::Tensor { .. }) {
        diags.error("operand `base` must be a memref or tensor of known rank");
    }
}

/// Checks that a vector and its mask have as many rows.
fn verify_packed(
    ir: &Ir,
    base: (Value, usize),
    vector: Value,
    mask: Value,
    diags: &mut OpDiagnostics<'_>,
) {
    let ctx = ir.ctx();
    let [shape, mask] = [vector, mask].map(|value| VectorShape::of(ctx, ir.value_type(value)));
    if shape.shape.first() != mask.shape.first() {
        diags.error("the mask must have the extent of the vector");
    }
    Access {
        base: ir.value_type(base.0),
        vector: shape,
        indices: base.1,
    }
    .verify(ir, diags);
}

impl Verify for ExpandLoadOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let v = ExpandLoadOp::from_op(op);
        verify_packed(
            ir,
            (v.base(ir), v.indices(ir).len()),
            v.result(ir),
            v.mask(ir),
            diags,
        );
        if ir.value_type(v.pass_thru(ir)) != ir.value_type(v.result(ir)) {
            diags.error("operand `pass_thru` and the result must have one type");
        }
    }
}
impl Verify for CompressStoreOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let v = CompressStoreOp::from_op(op);
        verify_packed(
            ir,
            (v.base(ir), v.indices(ir).len()),
            v.value_to_store(ir),
            v.mask(ir),
            diags,
        );
    }
}

macro_rules! accesses {
    ($($op:ident: $kind:ident;)*) => {$(
        impl Effects for $op {
            fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
                let base = $op::from_op(op).base(ir);
                // Tensors are values.
                if matches!(ir.ctx().type_kind(ir.value_type(base)), TypeKind::MemRef { .. }) {
                    effects.push(Effect::on(EffectKind::$kind, base));
                }
            }
        }
    )*};
}

accesses! {
    MaskedLoadOp: Read;
    MaskedStoreOp: Write;
    ExpandLoadOp: Read;
    CompressStoreOp: Write;
    GatherOp: Read;
    ScatterOp: Write;
}
