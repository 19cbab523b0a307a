//! Launches whose body stands in place, what the host does besides, and compiled device code.

use crate::attrs::AddressSpace;
use crate::compiled::{Object, SelectObject};
use crate::types::{AsyncToken, DynamicSharedMemory, address_space};
use segra_interp::Eval;
use segra_ir::constraint::{
    AnyScalar, AttrAccess, AttrConstraint, FlatSymbolRefAttr, I32, Index, StrAttr, SymbolNameAttr,
    UnrankedMemRef,
};
use segra_ir::interfaces::{Canonicalize, Effect, EffectKind, Effects, Verify};
use segra_ir::types::DYNAMIC;
use segra_ir::{Attr, Context, Ir, Op, OpDef, OpDiagnostics, OpView, Trait, TypeKind, Value, op};

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[
    BinaryOp::DEF,
    DynamicSharedMemoryOp::DEF,
    HostRegisterOp::DEF,
    HostUnregisterOp::DEF,
    LaunchOp::DEF,
    PrintfOp::DEF,
    SetDefaultDeviceOp::DEF,
    SharedArrayOp::DEF,
    TerminatorOp::DEF,
    WaitOp::DEF,
];

/// Ops that act on the device's or the host's state as a whole.
macro_rules! acts {
    ($($op:ident),*) => {$(
        impl Effects for $op {
            fn effects(&self, _ir: &Ir, _op: Op, effects: &mut Vec<Effect>) {
                effects.push(Effect::of(EffectKind::Control));
            }
        }
    )*};
}

acts!(
    HostRegisterOp,
    HostUnregisterOp,
    PrintfOp,
    SetDefaultDeviceOp,
    WaitOp
);

/// Runs its body on a grid of thread blocks. Arguments of the body: ids of the thread block and of the thread, extents of
/// grid and thread blocks (and of clusters), then workgroup and private buffers.
#[op(
    "gpu.launch",
    traits(RecursiveEffects, AllocationScope),
    interfaces(Canonicalize, Verify)
)]
pub struct LaunchOp {
    async_dependencies: VariadicOperand<AsyncToken>,
    grid_x: Operand<Index>,
    grid_y: Operand<Index>,
    grid_z: Operand<Index>,
    block_x: Operand<Index>,
    block_y: Operand<Index>,
    block_z: Operand<Index>,
    cluster_x: OptionalOperand<Index>,
    cluster_y: OptionalOperand<Index>,
    cluster_z: OptionalOperand<Index>,
    dynamic_shared_memory: OptionalOperand<I32>,
    /// Where the body goes when it becomes a function.
    module: OptionalAttr<FlatSymbolRefAttr>,
    function: OptionalAttr<FlatSymbolRefAttr>,
    body: AnyRegion,
    async_token: OptionalResult<AsyncToken>,
}

impl Verify for LaunchOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let view = LaunchOp::from_op(op);
        let clusters = [view.cluster_x(ir), view.cluster_y(ir), view.cluster_z(ir)];
        let given = clusters.iter().filter(|extent| extent.is_some()).count();
        if !matches!(given, 0 | 3) {
            diags.error("needs either all three extents of clusters or none");
        }
        let Some(entry) = ir.entry_block(view.body(ir)) else {
            return;
        };
        let fixed = if given == 3 { 18 } else { 12 };
        let workgroup = workgroup_attributions(ir, op);
        let args = ir.block_args(entry);
        if args.len() < fixed + workgroup {
            diags.error("its body needs an argument for each id, extent and workgroup buffer");
            return;
        }
        verify_attributions(ir, op, &args[fixed..], workgroup, diags);
        for last in ir
            .blocks(view.body(ir))
            .filter_map(|block| ir.last_op(block))
        {
            if ir.successors(last).is_empty() && !ir.isa::<TerminatorOp>(last) {
                diags
                    .error("blocks of its body must end with gpu.terminator or a branch")
                    .note(ir.loc(last), "this one does not");
            }
        }
    }
}

/// The attribute that says how many workgroup buffers there are.
pub(crate) const WORKGROUP_ATTRIBUTIONS: &str = "workgroup_attributions";

/// How many workgroup buffers there are.
pub(crate) fn workgroup_attributions(ir: &Ir, op: Op) -> usize {
    let count = ir
        .attr_named(op, WORKGROUP_ATTRIBUTIONS)
        .and_then(|attr| attr.as_i64(ir.ctx()));
    count
        .and_then(|count| usize::try_from(count).ok())
        .unwrap_or(0)
}

/// Checks that workgroup and then private buffers are memory of their address space.
pub(crate) fn verify_attributions(
    ir: &Ir,
    op: Op,
    buffers: &[Value],
    workgroup: usize,
    diags: &mut OpDiagnostics<'_>,
) {
    let ctx = ir.ctx();
    if ir
        .attr_named(op, WORKGROUP_ATTRIBUTIONS)
        .and_then(|attr| attr.as_i64(ctx))
        .is_some_and(|count| count < 0)
    {
        diags.error(format!(
            "the attribute `{WORKGROUP_ATTRIBUTIONS}` must not be negative"
        ));
    }
    for (index, &buffer) in buffers.iter().enumerate() {
        let ty = ir.value_type(buffer);
        let wanted = if index < workgroup {
            AddressSpace::Workgroup
        } else {
            AddressSpace::Private
        };
        if !matches!(ctx.type_kind(ty), TypeKind::MemRef { .. }) {
            diags.error("arguments that stand for buffers must be ranked memrefs");
        } else if address_space(ctx, ty).is_some_and(|space| space != wanted) {
            let message = format!(
                "buffer {index} must be in the address space `{}`",
                wanted.keyword()
            );
            diags.error(message);
        }
    }
}

/// Ends the body of `gpu.launch`.
#[op("gpu.terminator", traits(Pure, Terminator), interfaces(Verify))]
pub struct TerminatorOp {}

impl Verify for TerminatorOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        if !ir
            .parent_op(op)
            .is_some_and(|parent| ir.isa::<LaunchOp>(parent))
        {
            diags.error("must end the body of gpu.launch");
        }
    }
}

/// Waits for tokens: on the host, or (with a result) on the device.
#[op("gpu.wait", interfaces(Effects, Canonicalize))]
pub struct WaitOp {
    async_dependencies: VariadicOperand<AsyncToken>,
    async_token: OptionalResult<AsyncToken>,
}

/// Makes host memory known to the device.
#[op("gpu.host_register", interfaces(Effects))]
pub struct HostRegisterOp {
    value: Operand<UnrankedMemRef>,
}

/// Undoes `gpu.host_register`.
#[op("gpu.host_unregister", interfaces(Effects))]
pub struct HostUnregisterOp {
    value: Operand<UnrankedMemRef>,
}

/// Chooses the device that further ops use.
#[op("gpu.set_default_device", interfaces(Effects))]
pub struct SetDefaultDeviceOp {
    dev_index: Operand<I32>,
}

/// Prints values from the device.
#[op("gpu.printf", interfaces(Effects))]
pub struct PrintfOp {
    format: Attr<StrAttr>,
    args: VariadicOperand<AnyScalar>,
}

/// The shared memory a launch gave beyond the kernel's own.
#[op("gpu.dynamic_shared_memory", traits(Pure), interfaces(Verify))]
pub struct DynamicSharedMemoryOp {
    result_memref: OpResult<DynamicSharedMemory>,
}

impl Verify for DynamicSharedMemoryOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        if !ir
            .ancestors(op)
            .skip(1)
            .any(|around| ir.has_trait(around, Trait::SymbolTable))
        {
            diags.error("must be inside an op that holds symbols");
        }
        let ty = ir.value_type(ir.result(op, 0));
        let open = ty.shaped(ctx).is_some_and(|(shape, _)| shape == [DYNAMIC]);
        if address_space(ctx, ty) != Some(AddressSpace::Workgroup) || !open {
            diags.error("the result must be `memref<?xi8, #gpu.address_space<workgroup>>`");
        }
    }
}

/// An array of `count` elements in the shared memory that a launch gives beyond the kernel's own, `offset` bytes from
/// its start. All threads of a thread block get the same one; its elements are not initialised.
///
/// Segra's own; it is gone before upstream sees the kernel.
///
/// ```mlir
/// %xs = gpu.shared_array %offset, %n : memref<?xf32, #gpu.address_space<workgroup>>
/// ```
#[op(
    "gpu.shared_array",
    traits(Pure),
    interfaces(Verify, Eval),
    format = "$offset `,` $count attr-dict `:` type($result)"
)]
pub struct SharedArrayOp {
    /// In bytes; a multiple of the size of an element.
    offset: Operand<Index>,
    count: Operand<Index>,
    result: OpResult<segra_ir::constraint::AnyMemRef>,
}

impl Verify for SharedArrayOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let ctx = ir.ctx();
        let ty = ir.value_type(ir.result(op, 0));
        let open = ty.shaped(ctx).is_some_and(|(shape, _)| shape == [DYNAMIC]);
        if address_space(ctx, ty) != Some(AddressSpace::Workgroup) || !open {
            let message = "the result must be `memref<?xT, #gpu.address_space<workgroup>>`";
            diags.error(message);
        }
    }
}

/// At least one compiled object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectsAttr;

impl AttrConstraint for ObjectsAttr {
    fn describe(&self) -> &'static str {
        "an array of at least one object"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        ObjectsAttr::read(ctx, attr).is_some()
    }
}

impl AttrAccess for ObjectsAttr {
    type Value<'a> = &'a [Attr];
    fn read(ctx: &Context, attr: Attr) -> Option<&[Attr]> {
        let is_object = |attr: &Attr| attr.dialect::<Object>(ctx).is_some();
        attr.as_array(ctx)
            .filter(|items| !items.is_empty() && items.iter().all(is_object))
    }
}

/// The description of how compiled device code is embedded.
#[derive(Clone, Copy, Debug)]
pub struct HandlerAttr;

impl AttrConstraint for HandlerAttr {
    fn describe(&self) -> &'static str {
        "`#gpu.select_object`"
    }
    fn accepts(&self, ctx: &Context, attr: Attr) -> bool {
        HandlerAttr::read(ctx, attr).is_some()
    }
}

impl AttrAccess for HandlerAttr {
    type Value<'a> = Attr;
    fn read(ctx: &Context, attr: Attr) -> Option<Attr> {
        attr.dialect::<SelectObject>(ctx).map(|_| attr)
    }
}

/// Device code that is compiled.
#[op("gpu.binary", traits(Symbol))]
pub struct BinaryOp {
    sym_name: Attr<SymbolNameAttr>,
    #[name("offloadingHandler")]
    offloading_handler: OptionalAttr<HandlerAttr>,
    objects: Attr<ObjectsAttr>,
}
