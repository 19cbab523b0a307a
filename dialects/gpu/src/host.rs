//! What the host does: modules, device memory, launches. Same ops, same generic form as upstream.

use segra_interp::Eval;
use segra_ir::constraint::{AnyMemRef, AnyScalar, AnyType, Index, SymbolNameAttr, TypeConstraint};
use segra_ir::interfaces::{Effect, EffectKind, Effects, SymbolUser, Verify};
use segra_ir::symbol::SymbolTables;
use segra_ir::text::Syntax;
use segra_ir::types::DYNAMIC;
use segra_ir::{Diagnostics, Ir, Op, OpView, op};

/// Holds device functions.
#[op("gpu.module", traits(IsolatedFromAbove, SymbolTable, Symbol, NoTerminator), interfaces(Syntax))]
pub struct GpuModuleOp {
    sym_name: Attr<SymbolNameAttr>,
    body: BlockRegion,
}

/// Allocates device memory; contents are not initialised.
#[op("gpu.alloc", interfaces(Verify, Effects, Syntax, Eval))]
pub struct AllocOp {
    async_dependencies: VariadicOperand<AnyType>,
    /// One extent per dynamic dimension.
    dynamic_sizes: VariadicOperand<Index>,
    symbol_operands: VariadicOperand<Index>,
    memref: OpResult<AnyMemRef>,
}

impl Effects for AllocOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect { kind: EffectKind::Allocate, on: Some(AllocOp::from_op(op).memref(ir)) });
    }
}

impl Verify for AllocOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        let alloc = AllocOp::from_op(op);
        let shape = ir.value_type(alloc.memref(ir)).shaped(ir.ctx()).map_or(&[][..], |shaped| shaped.0);
        let dynamic = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
        let given = alloc.dynamic_sizes(ir).len();
        if dynamic != given {
            diags.op_error(
                ir,
                op,
                format!("needs {dynamic} of operand `dynamic_sizes`, but there are {given}"),
            );
        }
    }
}

/// Frees device memory.
#[op(
    "gpu.dealloc",
    interfaces(Effects, Eval),
    format = "(`[` $async_dependencies^ `:` type($async_dependencies) `]`)? $memref attr-dict `:` type($memref)"
)]
pub struct DeallocOp {
    async_dependencies: VariadicOperand<AnyType>,
    memref: Operand<AnyMemRef>,
}

impl Effects for DeallocOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect { kind: EffectKind::Free, on: Some(DeallocOp::from_op(op).memref(ir)) });
    }
}

/// Copies device memory; both sides have the same shape and element type.
#[op(
    "gpu.memcpy",
    interfaces(Effects, Eval),
    format = "(`[` $async_dependencies^ `:` type($async_dependencies) `]`)? $dst `,` $src attr-dict `:` type($dst) `,` type($src)"
)]
pub struct MemcpyOp {
    async_dependencies: VariadicOperand<AnyType>,
    dst: Operand<AnyMemRef>,
    src: Operand<AnyMemRef>,
}

impl Effects for MemcpyOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let copy = MemcpyOp::from_op(op);
        effects.push(Effect { kind: EffectKind::Read, on: Some(copy.src(ir)) });
        effects.push(Effect { kind: EffectKind::Write, on: Some(copy.dst(ir)) });
    }
}

/// Sets every element of device memory to a value.
#[op(
    "gpu.memset",
    interfaces(Verify, Effects, Eval),
    format = "(`[` $async_dependencies^ `:` type($async_dependencies) `]`)? $dst `,` $value attr-dict `:` type($dst) `,` type($value)"
)]
pub struct MemsetOp {
    async_dependencies: VariadicOperand<AnyType>,
    dst: Operand<AnyMemRef>,
    value: Operand<AnyScalar>,
}

impl Effects for MemsetOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect { kind: EffectKind::Write, on: Some(MemsetOp::from_op(op).dst(ir)) });
    }
}

impl Verify for MemsetOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut Diagnostics) {
        let set = MemsetOp::from_op(op);
        if ir.value_type(set.dst(ir)).element_or_self(ir.ctx()) != ir.value_type(set.value(ir)) {
            diags.op_error(ir, op, "operand `value` must have the element type of `dst`");
        }
    }
}

/// A scalar or a memref: what a kernel may be passed.
#[derive(Clone, Copy, Debug)]
pub struct KernelArgument;

impl TypeConstraint for KernelArgument {
    fn describe(&self) -> &'static str {
        "a scalar or a memref"
    }
    fn accepts(&self, ctx: &segra_ir::Context, ty: segra_ir::Type) -> bool {
        AnyScalar.accepts(ctx, ty) || AnyMemRef.accepts(ctx, ty)
    }
}

/// Runs a kernel on a grid of thread blocks and waits for its effects. An extent of 0 launches nothing.
#[op("gpu.launch_func", interfaces(SymbolUser, Effects, Syntax, Eval))]
pub struct LaunchFuncOp {
    async_dependencies: VariadicOperand<AnyType>,
    grid_x: Operand<Index>,
    grid_y: Operand<Index>,
    grid_z: Operand<Index>,
    block_x: Operand<Index>,
    block_y: Operand<Index>,
    block_z: Operand<Index>,
    cluster_x: OptionalOperand<Index>,
    cluster_y: OptionalOperand<Index>,
    cluster_z: OptionalOperand<Index>,
    /// Bytes of shared memory beyond the kernel's own.
    dynamic_shared_memory: OptionalOperand<segra_ir::constraint::I32>,
    /// The kernel's arguments.
    arguments: VariadicOperand<KernelArgument>,
    async_object: OptionalOperand<AnyType>,
    kernel: Attr<segra_ir::constraint::SymbolRefAttr>,
}

impl Effects for LaunchFuncOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect { kind: EffectKind::Read, on: None });
        effects.push(Effect { kind: EffectKind::Write, on: None });
    }
}

impl LaunchFuncOp {
    /// Grid extents x, y, z.
    pub fn grid(self, ir: &Ir) -> [segra_ir::Value; 3] {
        [self.grid_x(ir), self.grid_y(ir), self.grid_z(ir)]
    }
    /// Thread block extents x, y, z.
    pub fn block(self, ir: &Ir) -> [segra_ir::Value; 3] {
        [self.block_x(ir), self.block_y(ir), self.block_z(ir)]
    }
    /// The kernel it launches.
    pub fn resolve_kernel(self, ir: &Ir) -> Option<crate::device::GpuFuncOp> {
        let found = segra_ir::symbol::resolve(ir, self.op(), self.kernel_attr(ir)?)?;
        ir.cast(found)
    }
}

impl SymbolUser for LaunchFuncOp {
    fn verify_symbol_uses(&self, ir: &Ir, op: Op, tables: &mut SymbolTables, diags: &mut Diagnostics) {
        let launch = LaunchFuncOp::from_op(op);
        let func = launch
            .kernel_attr(ir)
            .and_then(|kernel| tables.resolve(ir, op, kernel))
            .and_then(|op| ir.cast(op));
        let Some(func): Option<crate::device::GpuFuncOp> = func else {
            let name = launch.kernel_attr(ir).map(|attr| segra_ir::text::print_attr(ir.ctx(), attr));
            diags.op_error(
                ir,
                op,
                format!("launches {}, but there is no such gpu.func", name.unwrap_or_default()),
            );
            return;
        };
        if !func.is_kernel(ir) {
            diags.op_error(ir, op, "launches a gpu.func that is not a kernel");
        }
        let formal = func.inputs(ir);
        let actual: Vec<_> = launch.arguments(ir).iter().map(|&value| ir.value_type(value)).collect();
        if formal != actual {
            diags
                .op_error(ir, op, "passes arguments whose types differ from the kernel's parameters")
                .note(ir.loc(func.op()), "the kernel");
        }
    }
}
