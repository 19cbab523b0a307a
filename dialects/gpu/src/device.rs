//! Device code: functions, ids, barriers, shuffles. Same ops, same generic form as upstream.

use crate::attrs::{DimensionAttr, ShuffleModeAttr};
use crate::bulk::BulkCopyOp;
use crate::nvgpu::DeviceAsyncCopyOp;
use segra_interp::Eval;
use segra_ir::constraint::{
    AnyType, AttrAccess, AttrConstraint, Bool, DenseI32Attr, DictArrayAttr, I32, Index, IndexAttr,
    NumberOrVectorOfRank1, TypeAttr,
};
use segra_ir::interfaces::{Callable, Canonicalize, Effect, EffectKind, Effects, Verify};
use segra_ir::{
    Attr, Context, Ident, Ir, Op, OpDef, OpDiagnostics, OpView, Region, Type, TypeKind, Value, op,
};
use segra_std::{memref, vector};
use segra_text::Syntax;

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[
    BarrierOp::DEF,
    BlockDimOp::DEF,
    BlockIdOp::DEF,
    CheckOp::DEF,
    ClusterBlockIdOp::DEF,
    ClusterDimBlocksOp::DEF,
    ClusterDimOp::DEF,
    ClusterIdOp::DEF,
    GlobalIdOp::DEF,
    GpuFuncOp::DEF,
    GridDimOp::DEF,
    LaneIdOp::DEF,
    NumSubgroupsOp::DEF,
    ReturnOp::DEF,
    ShuffleOp::DEF,
    SubgroupIdOp::DEF,
    SubgroupSizeOp::DEF,
    ThreadIdOp::DEF,
];

/// Three extents: x, y, z.
#[derive(Clone, Copy, Debug)]
pub struct ThreeSizesAttr;

impl AttrConstraint for ThreeSizesAttr {
    fn describe(&self) -> &'static str {
        "a dense array of three 32-bit integers"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        ThreeSizesAttr::read(ctx, attr).is_some()
    }
}

impl AttrAccess for ThreeSizesAttr {
    type Value<'a> = Vec<i64>;
    fn read(ctx: &Context, attr: Attr) -> Option<Vec<i64>> {
        DenseI32Attr::read(ctx, attr).filter(|sizes| sizes.len() == 3)
    }
}

/// A function that runs on the device; with the attribute `gpu.kernel` it can be launched.
///
/// Its block arguments are its parameters, then its workgroup (shared) buffers.
#[op(
    "gpu.func",
    traits(IsolatedFromAbove, Symbol, AllocationScope),
    interfaces(Verify, Callable, Syntax)
)]
pub struct GpuFuncOp {
    function_type: Attr<TypeAttr>,
    /// Extents x, y, z of the thread blocks it is always launched with.
    known_block_size: OptionalAttr<ThreeSizesAttr>,
    /// Extents of the grids it is always launched with.
    known_grid_size: OptionalAttr<ThreeSizesAttr>,
    /// Extents of the clusters it is always launched with.
    known_cluster_size: OptionalAttr<ThreeSizesAttr>,
    arg_attrs: OptionalAttr<DictArrayAttr>,
    res_attrs: OptionalAttr<DictArrayAttr>,
    workgroup_attrib_attrs: OptionalAttr<DictArrayAttr>,
    private_attrib_attrs: OptionalAttr<DictArrayAttr>,
    body: AnyRegion,
}

/// The attribute of functions that can be launched.
pub const KERNEL: &str = "gpu.kernel";

impl GpuFuncOp {
    /// Whether it can be launched.
    pub fn is_kernel(self, ir: &Ir) -> bool {
        ir.attr_named(self.op(), KERNEL).is_some()
    }
    /// Its name.
    pub fn name(self, ir: &Ir) -> Option<Ident> {
        segra_ir::interfaces::symbol_name(ir, self.op())
    }
    /// Parameter types.
    pub fn inputs(self, ir: &Ir) -> Vec<Type> {
        match self
            .function_type_attr(ir)
            .and_then(|attr| attr.as_type(ir.ctx()))
            .map(|ty| ir.ctx().type_kind(ty))
        {
            Some(TypeKind::Function { inputs, .. }) => inputs.clone(),
            _ => Vec::new(),
        }
    }
    /// How many workgroup buffers it has.
    pub fn num_workgroup_buffers(self, ir: &Ir) -> usize {
        crate::launch::workgroup_attributions(ir, self.op())
    }
    /// Its parameters, as values.
    pub fn parameters(self, ir: &Ir) -> Vec<Value> {
        let count = self.inputs(ir).len();
        self.entry_args(ir).into_iter().take(count).collect()
    }
    /// Its workgroup buffers, as values.
    pub fn workgroup_buffers(self, ir: &Ir) -> Vec<Value> {
        let count = self.num_workgroup_buffers(ir);
        self.entry_args(ir)
            .into_iter()
            .skip(self.inputs(ir).len())
            .take(count)
            .collect()
    }
    fn entry_args(self, ir: &Ir) -> Vec<Value> {
        ir.entry_block(self.body(ir))
            .map(|block| ir.block_args(block).to_vec())
            .unwrap_or_default()
    }
}

impl Callable for GpuFuncOp {
    fn callable_region(&self, ir: &Ir, op: Op) -> Option<Region> {
        Some(GpuFuncOp::from_op(op).body(ir))
    }
    fn signature(&self, ir: &Ir, op: Op) -> (Vec<Type>, Vec<Type>) {
        (GpuFuncOp::from_op(op).inputs(ir), Vec::new())
    }
}

impl Verify for GpuFuncOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let func = GpuFuncOp::from_op(op);
        if func.name(ir).is_none() {
            diags.error("needs the attribute `sym_name`");
        }
        let Some(TypeKind::Function { inputs, results }) = func
            .function_type_attr(ir)
            .and_then(|attr| attr.as_type(ir.ctx()))
            .map(|ty| ir.ctx().type_kind(ty))
        else {
            diags.error("attribute `function_type` must be a function type");
            return;
        };
        if func.is_kernel(ir) && !results.is_empty() {
            diags.error("is a kernel, so it cannot return values");
        }
        if !ir
            .parent_op(op)
            .is_some_and(|parent| ir.isa::<crate::host::GpuModuleOp>(parent))
        {
            diags.error("must stand in a gpu.module");
        }
        for (name, list, count) in [
            ("arg_attrs", func.arg_attrs(ir), inputs.len()),
            ("res_attrs", func.res_attrs(ir), results.len()),
        ] {
            if list.is_some_and(|list| list.len() != count) {
                diags.error(format!("attribute `{name}` must have {count} entries"));
            }
        }
        if ir.entry_block(func.body(ir)).is_none() {
            diags.error("needs a body");
            return;
        }
        let args = func.entry_args(ir);
        let wanted = inputs.len() + func.num_workgroup_buffers(ir);
        if args.len() < wanted {
            diags.error(format!(
                "needs {wanted} block arguments, but there are {}",
                args.len()
            ));
        } else if args
            .iter()
            .zip(inputs)
            .any(|(&arg, &input)| ir.value_type(arg) != input)
        {
            diags.error("its block arguments differ from its function type");
        } else {
            let buffers = &args[inputs.len()..];
            crate::launch::verify_attributions(
                ir,
                op,
                buffers,
                func.num_workgroup_buffers(ir),
                diags,
            );
        }
    }
}

/// Ends a device function.
#[op(
    "gpu.return",
    traits(Pure, Terminator, ReturnLike),
    interfaces(Verify, Eval),
    format = "($values^ `:` type($values))? attr-dict"
)]
pub struct ReturnOp {
    values: VariadicOperand<AnyType>,
}

impl Verify for ReturnOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let func = ir
            .parent_op(op)
            .and_then(|parent| ir.cast::<GpuFuncOp>(parent));
        let ty = func
            .and_then(|func| func.function_type_attr(ir))
            .and_then(|attr| attr.as_type(ir.ctx()));
        let Some(TypeKind::Function { results, .. }) = ty.map(|ty| ir.ctx().type_kind(ty)) else {
            diags.error("must end the body of a gpu.func");
            return;
        };
        if !ir
            .operands(op)
            .map(|value| ir.value_type(value))
            .eq(results.iter().copied())
        {
            diags.error("values must have the types of the function's results");
        }
    }
}

macro_rules! id_ops {
    ($($(#[$doc:meta])* $name:ident, $text:literal;)*) => {$(
        $(#[$doc])*
        #[op($text, traits(Pure), interfaces(segra_ir::interfaces::InferTypes, Eval), format = "$dimension attr-dict")]
        pub struct $name {
            dimension: Attr<DimensionAttr>,
            /// One more than the largest result.
            upper_bound: OptionalAttr<IndexAttr>,
            result: OpResult<Index>,
        }
        impl segra_ir::interfaces::InferTypes for $name {
            fn infer_types(&self, ir: &Ir, _: &segra_ir::OpState) -> Result<Vec<Type>, String> {
                Ok(vec![ir.ctx().index()])
            }
        }
    )*};
}

id_ops! {
    /// Position of this thread in its thread block along one dimension.
    ThreadIdOp, "gpu.thread_id";
    /// Position of this thread block in the grid along one dimension.
    BlockIdOp, "gpu.block_id";
    /// Extent of the thread blocks along one dimension.
    BlockDimOp, "gpu.block_dim";
    /// Extent of the grid along one dimension.
    GridDimOp, "gpu.grid_dim";
}

/// Numbers without an evaluation rule: of clusters, and within subgroups.
macro_rules! more_id_ops {
    ($($(#[$doc:meta])* $name:ident, $text:literal $(, $dimension:ident)?;)*) => {$(
        $(#[$doc])*
        #[op($text, traits(Pure), interfaces(segra_ir::interfaces::InferTypes))]
        pub struct $name {
            $($dimension: Attr<DimensionAttr>,)?
            /// One more than the largest result.
            upper_bound: OptionalAttr<IndexAttr>,
            result: OpResult<Index>,
        }
        impl segra_ir::interfaces::InferTypes for $name {
            fn infer_types(&self, ir: &Ir, _: &segra_ir::OpState) -> Result<Vec<Type>, String> {
                Ok(vec![ir.ctx().index()])
            }
        }
    )*};
}

more_id_ops! {
    /// Position of this thread block in its cluster along one dimension.
    ClusterBlockIdOp, "gpu.cluster_block_id", dimension;
    /// Extent of the grid in clusters along one dimension.
    ClusterDimOp, "gpu.cluster_dim", dimension;
    /// Extent of the clusters in thread blocks along one dimension.
    ClusterDimBlocksOp, "gpu.cluster_dim_blocks", dimension;
    /// Position of this cluster in the grid along one dimension.
    ClusterIdOp, "gpu.cluster_id", dimension;
    /// Position of this thread in the grid along one dimension.
    GlobalIdOp, "gpu.global_id", dimension;
    /// Position of this thread in its subgroup.
    LaneIdOp, "gpu.lane_id";
    /// Number of subgroups of the thread block.
    NumSubgroupsOp, "gpu.num_subgroups";
    /// Position of this subgroup in its thread block.
    SubgroupIdOp, "gpu.subgroup_id";
    /// Number of threads of a subgroup.
    SubgroupSizeOp, "gpu.subgroup_size";
}

/// Waits for all threads of the thread block; what they wrote to memory before is visible to all of them after.
/// All threads of the block that have not returned must reach the same barrier.
#[op(
    "gpu.barrier",
    interfaces(Effects, Canonicalize, Eval),
    format = "attr-dict"
)]
pub struct BarrierOp {}

impl Effects for BarrierOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

/// Stops the program with a message where the condition does not hold; `{0}`, `{1}`, `{2}` in it stand for the values.
///
/// The other threads of the launch may run on. Segra's own; it is gone before upstream sees the kernel.
///
/// ```mlir
/// gpu.check %inside, "index {0} is out of range for size {1}" (%i, %n : index, index)
/// ```
#[op(
    "gpu.check",
    interfaces(Verify, Effects, Eval),
    format = "$condition `,` $message (`(` $values^ `:` type($values) `)`)? attr-dict"
)]
pub struct CheckOp {
    condition: Operand<Bool>,
    /// At most three.
    values: VariadicOperand<Index>,
    message: Attr<segra_ir::constraint::StrAttr>,
}

impl Verify for CheckOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let count = CheckOp::from_op(op).values(ir).len();
        if count > 3 {
            diags.error(format!("reports at most 3 values, not {count}"));
        }
    }
}

impl Effects for CheckOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Control));
    }
}

/// Another lane's value of the same subgroup (warp) of 32 threads, and whether that lane is within `width`.
#[op(
    "gpu.shuffle",
    interfaces(segra_ir::interfaces::InferTypes, Effects, Eval),
    format = "$mode $value `,` $offset `,` $width attr-dict `:` type($value)"
)]
pub struct ShuffleOp {
    value: Operand<NumberOrVectorOfRank1>,
    offset: Operand<I32>,
    /// Lanes per group, a power of two up to 32.
    width: Operand<I32>,
    mode: Attr<ShuffleModeAttr>,
    shuffle_result: OpResult<NumberOrVectorOfRank1>,
    valid: OpResult<Bool>,
}

impl segra_ir::interfaces::InferTypes for ShuffleOp {
    fn infer_types(&self, ir: &Ir, state: &segra_ir::OpState) -> Result<Vec<Type>, String> {
        let value = state.operands.first().ok_or("needs a value")?;
        Ok(vec![ir.value_type(*value), ir.ctx().i1()])
    }
}

impl Effects for ShuffleOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // Which lanes take part matters: not to be moved into or out of branches.
        effects.push(Effect::of(EffectKind::Control));
    }
}

/// How a kernel uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferUse {
    /// It may load elements.
    pub reads: bool,
    /// It may store elements.
    pub writes: bool,
}

/// A kernel's accesses to a buffer. A use that is neither a load nor a store may do both.
pub fn buffer_use(ir: &Ir, buffer: Value) -> BufferUse {
    let (mut reads, mut writes) = (false, false);
    for id in ir.uses(buffer) {
        let (user, index) = (ir.use_owner(id), ir.use_index(id));
        let loads = ir.isa::<memref::LoadOp>(user) || ir.isa::<vector::LoadOp>(user);
        let stores = ir.isa::<memref::StoreOp>(user) || ir.isa::<vector::StoreOp>(user);
        let copy = ir.cast::<DeviceAsyncCopyOp>(user);
        let tiles = ir.cast::<BulkCopyOp>(user);
        let from = copy.is_some_and(|copy| copy.src(ir) == buffer && copy.dst(ir) != buffer)
            || tiles.is_some_and(|copy| copy.array(ir) == buffer && copy.target(ir) != buffer);
        reads |= !(stores && index == 1);
        writes |= !(loads || from);
    }
    BufferUse { reads, writes }
}
