//! Host code: modules, device memory, launches. Same ops, same generic form as upstream.

use crate::compiled::is_target;
use crate::types::AsyncToken;
use segra_interp::Eval;
use segra_ir::constraint::{
    AnyMemRef, AnyType, AttrAccess, AttrConstraint, DenseI32Attr, Index, IndexOrI32OrI64,
    SymbolNameAttr, UnitAttr,
};
use segra_ir::interfaces::{
    Canonicalize, Effect, EffectKind, Effects, ShapeOf, SymbolUser, Verify,
};
use segra_ir::symbol::SymbolTables;
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, AttrKind, Context, Ir, Op, OpDef, OpDiagnostics, OpView, Value, op};
use segra_std::builtin::ModuleOp;
use segra_text::Syntax;
use smallvec::SmallVec;

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[
    AllocOp::DEF,
    DeallocOp::DEF,
    GpuModuleOp::DEF,
    LaunchFuncOp::DEF,
    MemcpyOp::DEF,
    MemsetOp::DEF,
];

/// At least one target.
#[derive(Clone, Copy, Debug)]
pub struct TargetsAttr;

impl AttrConstraint for TargetsAttr {
    fn describe(&self) -> &'static str {
        "an array of at least one target"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        TargetsAttr::read(ctx, attr).is_some()
    }
}

impl AttrAccess for TargetsAttr {
    type Value<'a> = &'a [Attr];
    fn read(ctx: &Context, attr: Attr) -> Option<&[Attr]> {
        attr.as_array(ctx)
            .filter(|items| !items.is_empty() && items.iter().all(|&item| is_target(ctx, item)))
    }
}

/// Holds device functions.
#[op(
    "gpu.module",
    traits(
        IsolatedFromAbove,
        SymbolTable,
        Symbol,
        NoTerminator,
        GraphRegion,
        NoRegionArguments
    ),
    interfaces(Syntax)
)]
pub struct GpuModuleOp {
    sym_name: Attr<SymbolNameAttr>,
    /// Its target.
    targets: OptionalAttr<TargetsAttr>,
    #[name("offloadingHandler")]
    offloading_handler: OptionalAttr<crate::launch::HandlerAttr>,
    body: BlockRegion,
}

/// Allocates device memory; contents are not initialised.
#[op("gpu.alloc", interfaces(Verify, Effects, ShapeOf, Syntax, Eval))]
pub struct AllocOp {
    async_dependencies: VariadicOperand<AsyncToken>,
    /// One extent per dynamic dimension.
    dynamic_sizes: VariadicOperand<Index>,
    symbol_operands: VariadicOperand<Index>,
    /// The host sees it too.
    #[name("hostShared")]
    host_shared: OptionalAttr<UnitAttr>,
    memref: OpResult<AnyMemRef>,
    async_token: OptionalResult<AsyncToken>,
}

impl ShapeOf for AllocOp {
    fn extent(&self, ir: &Ir, op: Op, result: usize, dim: usize) -> Option<Value> {
        let (shape, _) = ir.value_type(ir.result(op, result)).shaped(ir.ctx())?;
        let is_open = |extent: &i64| *extent == DYNAMIC;
        let before = shape
            .get(..dim)?
            .iter()
            .filter(|&extent| is_open(extent))
            .count();
        shape.get(dim).filter(|&extent| is_open(extent))?;
        AllocOp::from_op(op).dynamic_sizes(ir).get(before).copied()
    }
}

impl Effects for AllocOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(
            EffectKind::Allocate,
            AllocOp::from_op(op).memref(ir),
        ));
    }
}

impl Verify for AllocOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let alloc = AllocOp::from_op(op);
        let shape = ir
            .value_type(alloc.memref(ir))
            .shaped(ir.ctx())
            .map_or(&[][..], |shaped| shaped.0);
        let dynamic = shape.iter().filter(|&&extent| extent == DYNAMIC).count();
        let given = alloc.dynamic_sizes(ir).len();
        if dynamic != given {
            diags.error(format!(
                "needs {dynamic} of operand `dynamic_sizes`, but there are {given}"
            ));
        }
        let symbols = segra_ir::layout::num_symbols(ir.ctx(), ir.value_type(alloc.memref(ir)));
        if symbols != alloc.symbol_operands(ir).len() {
            diags.error(format!(
                "needs {symbols} of operand `symbol_operands` by its layout"
            ));
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
    async_dependencies: VariadicOperand<AsyncToken>,
    memref: Operand<AnyMemRef>,
    async_token: OptionalResult<AsyncToken>,
}

impl Effects for DeallocOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(
            EffectKind::Free,
            DeallocOp::from_op(op).memref(ir),
        ));
    }
}

/// Copies device memory; both sides have the same shape and element type.
#[op(
    "gpu.memcpy",
    interfaces(Effects, Canonicalize, Verify, Eval),
    format = "(`[` $async_dependencies^ `:` type($async_dependencies) `]`)? $dst `,` $src attr-dict `:` type($dst) `,` type($src)"
)]
pub struct MemcpyOp {
    async_dependencies: VariadicOperand<AsyncToken>,
    dst: Operand<AnyMemRef>,
    src: Operand<AnyMemRef>,
    async_token: OptionalResult<AsyncToken>,
}

impl Verify for MemcpyOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let view = MemcpyOp::from_op(op);
        let shaped = |value| ir.value_type(value).shaped(ctx);
        let (Some((to, element)), Some((from, other))) =
            (shaped(view.dst(ir)), shaped(view.src(ir)))
        else {
            return;
        };
        let fits = from.len() == to.len()
            && from
                .iter()
                .zip(to)
                .all(|(&a, &b)| a == b || a == DYNAMIC || b == DYNAMIC);
        if element != other || !fits {
            diags.error("operands `dst` and `src` must have one element type and one shape");
        }
    }
}

impl Effects for MemcpyOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        let copy = MemcpyOp::from_op(op);
        effects.push(Effect::on(EffectKind::Read, copy.src(ir)));
        effects.push(Effect::on(EffectKind::Write, copy.dst(ir)));
    }
}

/// Sets every element of device memory to a value.
#[op(
    "gpu.memset",
    interfaces(Verify, Effects, Canonicalize, Eval),
    format = "(`[` $async_dependencies^ `:` type($async_dependencies) `]`)? $dst `,` $value attr-dict `:` type($dst) `,` type($value)"
)]
pub struct MemsetOp {
    async_dependencies: VariadicOperand<AsyncToken>,
    dst: Operand<AnyMemRef>,
    value: Operand<AnyType>,
    async_token: OptionalResult<AsyncToken>,
}

impl Effects for MemsetOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::on(EffectKind::Write, MemsetOp::from_op(op).dst(ir)));
    }
}

impl Verify for MemsetOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let set = MemsetOp::from_op(op);
        if ir.value_type(set.dst(ir)).element_or_self(ir.ctx())
            != ir.value_type(set.value(ir)).element_or_self(ir.ctx())
        {
            diags.error("operand `value` must have the element type of `dst`");
        }
    }
}

/// Runs a kernel on a grid of thread blocks and waits for its effects. An extent of 0 launches nothing.
#[op(
    "gpu.launch_func",
    interfaces(SymbolUser, Verify, Effects, Syntax, Eval)
)]
pub struct LaunchFuncOp {
    async_dependencies: VariadicOperand<AsyncToken>,
    grid_x: Operand<IndexOrI32OrI64>,
    grid_y: Operand<IndexOrI32OrI64>,
    grid_z: Operand<IndexOrI32OrI64>,
    block_x: Operand<IndexOrI32OrI64>,
    block_y: Operand<IndexOrI32OrI64>,
    block_z: Operand<IndexOrI32OrI64>,
    cluster_x: OptionalOperand<IndexOrI32OrI64>,
    cluster_y: OptionalOperand<IndexOrI32OrI64>,
    cluster_z: OptionalOperand<IndexOrI32OrI64>,
    /// Bytes of shared memory beyond the kernel's own.
    dynamic_shared_memory: OptionalOperand<segra_ir::constraint::I32>,
    /// The kernel's arguments.
    arguments: VariadicOperand<AnyType>,
    async_object: OptionalOperand<AnyType>,
    kernel: Attr<segra_ir::constraint::SymbolRefAttr>,
    async_token: OptionalResult<AsyncToken>,
}

impl Effects for LaunchFuncOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        effects.push(Effect::of(EffectKind::Read));
        effects.push(Effect::of(EffectKind::Write));
    }
}

impl LaunchFuncOp {
    /// Grid extents x, y, z.
    pub fn grid(self, ir: &Ir) -> [Value; 3] {
        [self.grid_x(ir), self.grid_y(ir), self.grid_z(ir)]
    }
    /// Thread block extents x, y, z.
    pub fn block(self, ir: &Ir) -> [Value; 3] {
        [self.block_x(ir), self.block_y(ir), self.block_z(ir)]
    }
    /// The kernel it launches. `tables` are kept from launch to launch: a module with many kernels has many launches.
    pub fn resolve_kernel(
        self,
        ir: &Ir,
        tables: &mut SymbolTables,
    ) -> Option<crate::device::GpuFuncOp> {
        let found = tables.resolve(ir, self.op(), self.kernel_attr(ir)?)?;
        ir.cast(found)
    }
}

/// The ops directly inside a module.
pub fn top_level(ir: &Ir, module: Op) -> impl Iterator<Item = Op> + '_ {
    let block = ir
        .regions(module)
        .first()
        .and_then(|&region| ir.entry_block(region));
    block.into_iter().flat_map(move |block| ir.ops(block))
}

/// The launches of a module, in order. Device functions, which are most of a program, are passed over: they launch nothing.
pub fn launches(ir: &Ir, module: Op) -> Vec<LaunchFuncOp> {
    let mut launches = Vec::new();
    ir.walk_into(module, &mut |op| {
        launches.extend(ir.cast::<LaunchFuncOp>(op));
        !ir.isa::<GpuModuleOp>(op)
    });
    launches
}

impl Verify for LaunchFuncOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let launch = LaunchFuncOp::from_op(op);
        let differ = |values: &[Value]| {
            values
                .windows(2)
                .any(|pair| ir.value_type(pair[0]) != ir.value_type(pair[1]))
        };
        let extents = [launch.grid(ir), launch.block(ir)];
        let clusters = [
            launch.cluster_x(ir),
            launch.cluster_y(ir),
            launch.cluster_z(ir),
        ];
        let clusters: SmallVec<[Value; 3]> = clusters.into_iter().flatten().collect();
        for differ in [differ(extents.as_flattened()), differ(&clusters)] {
            if differ {
                diags.error(
                    "extents of grid and thread blocks must have one type, those of clusters too",
                );
            }
        }
        let module = ir
            .ancestors(op)
            .skip(1)
            .find(|&around| ir.isa::<ModuleOp>(around));
        let unit = module.and_then(|module| ir.attr_named(module, CONTAINER_MODULE));
        if !unit.is_some_and(|attr| matches!(ir.ctx().attr_kind(attr), AttrKind::Unit)) {
            let message = format!(
                "the nearest builtin.module around it needs the attribute `{CONTAINER_MODULE}`"
            );
            diags.error(message);
        }
    }
}

/// Attributes and the ops they may be attached to: three extents of launches, and the mark of modules that hold device modules.
pub(crate) fn check_attached(
    ir: &Ir,
    op: Op,
    name: &str,
    attr: Attr,
    diags: &mut OpDiagnostics<'_>,
) {
    let ctx = ir.ctx();
    if matches!(
        name,
        "gpu.known_block_size" | "gpu.known_grid_size" | "gpu.known_cluster_size"
    ) {
        if DenseI32Attr::read(ctx, attr).is_none_or(|sizes| sizes.len() != 3) {
            diags.error(format!(
                "attribute `{name}` must be a dense array of three 32-bit integers"
            ));
        }
    } else if name == CONTAINER_MODULE
        && matches!(ctx.attr_kind(attr), AttrKind::Unit)
        && !ir.isa::<ModuleOp>(op)
    {
        diags.error(format!(
            "attribute `{name}` may only be attached to builtin.module"
        ));
    }
}

/// The attribute of modules that launch kernels.
pub const CONTAINER_MODULE: &str = "gpu.container_module";

impl SymbolUser for LaunchFuncOp {
    fn verify_symbol_uses(
        &self,
        ir: &Ir,
        op: Op,
        tables: &mut SymbolTables,
        diags: &mut OpDiagnostics<'_>,
    ) {
        let launch = LaunchFuncOp::from_op(op);
        let Some(reference) = launch.kernel_attr(ir) else {
            return;
        };
        let AttrKind::SymbolRef { root, nested } = ir.ctx().attr_kind(reference) else {
            return;
        };
        // As upstream: only what is launched by a function directly inside a module is looked up, in that module.
        let Some(module) = ir.parent_op(op).and_then(|func| ir.parent_op(func)) else {
            return;
        };
        if !ir.isa::<ModuleOp>(module) {
            return;
        }
        let name = || segra_text::print_attr(ir.ctx(), reference);
        let container = tables.get(ir, module, *root);
        let Some(container) = container else {
            diags.error(format!(
                "launches {}, but there is no such gpu.module",
                name()
            ));
            return;
        };
        if ir.isa::<crate::launch::BinaryOp>(container) {
            return;
        }
        if !ir.isa::<GpuModuleOp>(container) {
            diags.error(format!("launches {}, which is not in a gpu.module", name()));
            return;
        }
        let found = nested
            .iter()
            .try_fold(container, |at, &name| tables.get(ir, at, name));
        match found.filter(|_| !nested.is_empty()) {
            Some(found) => verify_kernel(ir, launch, found, diags),
            None => {
                diags.error(format!(
                    "launches {}, but there is no such function",
                    name()
                ));
            }
        }
    }
}

fn verify_kernel(ir: &Ir, launch: LaunchFuncOp, found: Op, diags: &mut OpDiagnostics<'_>) {
    // A function of a dialect that is not registered may be a kernel too.
    if ir.info(found).is_none() {
        return;
    }
    let is_unit = |attr| matches!(ir.ctx().attr_kind(attr), AttrKind::Unit);
    if !ir
        .attr_named(found, crate::device::KERNEL)
        .is_some_and(is_unit)
    {
        diags
            .error("launches a function that is not a kernel")
            .note(ir.loc(found), "the function");
        return;
    }
    let Some(func) = ir.cast::<crate::device::GpuFuncOp>(found) else {
        return;
    };
    let actual = launch.arguments(ir);
    if !func
        .inputs(ir)
        .into_iter()
        .eq(actual.iter().map(|&value| ir.value_type(value)))
    {
        diags
            .error("passes arguments whose types differ from the kernel's parameters")
            .note(ir.loc(func.op()), "the kernel");
    }
}
