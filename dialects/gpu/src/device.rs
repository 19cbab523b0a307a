//! What runs on the device: functions, ids, barriers, shuffles. Same ops, same generic form as upstream.

use crate::attrs::{DimensionAttr, ShuffleModeAttr};
use segra_interp::Eval;
use segra_ir::constraint::{AnyScalar, AnyType, Bool, DenseI32Attr, I32, Index, TypeAttr};
use segra_ir::interfaces::{Callable, Effect, EffectKind, Effects, Verify};
use segra_ir::text::Syntax;
use segra_ir::{Diagnostics, Ident, Ir, Op, OpView, Region, Type, TypeKind, Value, op};

/// A function that runs on the device; with the attribute `gpu.kernel` it can be launched.
///
/// Its block arguments are its parameters, then its workgroup (shared) buffers.
#[op("gpu.func", traits(IsolatedFromAbove, Symbol), interfaces(Verify, Callable, Syntax))]
pub struct GpuFuncOp {
    function_type: Attr<TypeAttr>,
    /// Extents x, y, z of the thread blocks it is always launched with.
    known_block_size: OptionalAttr<DenseI32Attr>,
    arg_attrs: OptionalAttr<segra_ir::constraint::ArrayAttr>,
    body: AnyRegion,
}

impl GpuFuncOp {
    /// Whether it can be launched.
    pub fn is_kernel(self, ir: &Ir) -> bool {
        ir.attr_named(self.op(), "gpu.kernel").is_some()
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
        let count = ir.attr_named(self.op(), "workgroup_attributions").and_then(|attr| attr.as_i64(ir.ctx()));
        count.and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
    }
    /// Its parameters, as values.
    pub fn parameters(self, ir: &Ir) -> Vec<Value> {
        let count = self.inputs(ir).len();
        self.entry_args(ir).into_iter().take(count).collect()
    }
    /// Its workgroup buffers, as values.
    pub fn workgroup_buffers(self, ir: &Ir) -> Vec<Value> {
        let count = self.num_workgroup_buffers(ir);
        self.entry_args(ir).into_iter().skip(self.inputs(ir).len()).take(count).collect()
    }
    fn entry_args(self, ir: &Ir) -> Vec<Value> {
        ir.entry_block(self.body(ir)).map(|block| ir.block_args(block).to_vec()).unwrap_or_default()
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
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        let func = GpuFuncOp::from_op(op);
        if func.name(ir).is_none() {
            diags.op_error(ir, op, "needs the attribute `sym_name`");
        }
        let Some(TypeKind::Function { inputs, results }) = func
            .function_type_attr(ir)
            .and_then(|attr| attr.as_type(ir.ctx()))
            .map(|ty| ir.ctx().type_kind(ty))
        else {
            diags.op_error(ir, op, "attribute `function_type` must be a function type");
            return;
        };
        if func.is_kernel(ir) && !results.is_empty() {
            diags.op_error(ir, op, "is a kernel, so it cannot return values");
        }
        let args = func.entry_args(ir);
        let wanted = inputs.len() + func.num_workgroup_buffers(ir);
        if args.len() < wanted {
            diags.op_error(ir, op, format!("needs {wanted} block arguments, but there are {}", args.len()));
        } else if args.iter().zip(inputs).any(|(&arg, &input)| ir.value_type(arg) != input) {
            diags.op_error(ir, op, "its block arguments differ from its function type");
        }
    }
}

/// Ends a device function.
#[op(
    "gpu.return",
    traits(Pure, Terminator, ReturnLike),
    interfaces(Eval),
    format = "($values^ `:` type($values))? attr-dict"
)]
pub struct ReturnOp {
    values: VariadicOperand<AnyType>,
}

macro_rules! id_ops {
    ($($(#[$doc:meta])* $name:ident, $text:literal;)*) => {$(
        $(#[$doc])*
        #[op($text, traits(Pure), interfaces(segra_ir::interfaces::InferTypes, Eval), format = "$dimension attr-dict")]
        pub struct $name {
            dimension: Attr<DimensionAttr>,
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

/// Waits for all threads of the thread block; what they wrote to memory before is visible to all of them after.
/// All threads of the block that have not returned must reach the same barrier.
#[op("gpu.barrier", interfaces(Effects, Eval), format = "attr-dict")]
pub struct BarrierOp {}

impl Effects for BarrierOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect { kind: EffectKind::Control, on: None });
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
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        let count = CheckOp::from_op(op).values(ir).len();
        if count > 3 {
            diags.op_error(ir, op, format!("reports at most 3 values, not {count}"));
        }
    }
}

impl Effects for CheckOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect { kind: EffectKind::Control, on: None });
    }
}

/// Another lane's value of the same subgroup (warp) of 32 threads, and whether that lane is within `width`.
#[op(
    "gpu.shuffle",
    interfaces(segra_ir::interfaces::InferTypes, Effects, Eval),
    format = "$mode $value `,` $offset `,` $width attr-dict `:` type($value)"
)]
pub struct ShuffleOp {
    value: Operand<AnyScalar>,
    offset: Operand<I32>,
    /// Lanes per group, a power of two up to 32.
    width: Operand<I32>,
    mode: Attr<ShuffleModeAttr>,
    shuffle_result: OpResult<AnyScalar>,
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
        effects.push(Effect { kind: EffectKind::Control, on: None });
    }
}
