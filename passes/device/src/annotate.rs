//! Pass `annotate-kernels`: tells upstream what kernels may assume about their pointers.
//!
//! ```mlir
//! gpu.func @k(%x: memref<?xf32>, %y: memref<?xf32>) kernel { loads %x, stores %y }
//!   ==>  arg_attrs = [{llvm.noalias, llvm.readonly}, {llvm.noalias}]
//! ```
//! Without both attributes on what it only loads, loads do not use the read-only cache (`ld.global.nc`).
//!
//! Legality: `llvm.readonly` where the kernel only loads. `llvm.noalias` where, at every launch, each buffer the kernel
//! stores to comes from its own `gpu.alloc` of the launching function and no other argument can be that allocation:
//! none has the same origin (of what a branch yields, any of them), and origins that may be any buffer (what a loop carries) are only allowed where the
//! allocation is in the launch's own block, so newer than what the loop carries. Kernels launched from nowhere get none.

use crate::alias::root;
use rustc_hash::FxHashMap;
use segra_gpu::device::{GpuFuncOp, buffer_use};
use segra_gpu::host::{AllocOp, GpuModuleOp, LaunchFuncOp, launches, top_level};
use segra_ir::symbol::SymbolTables;
use segra_ir::{Attr, Ir, Op, OpView, TypeKind, Value, ValueDef};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::{builtin, func, scf};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct AnnotateKernels {}
}

const INFO: PassInfo = PassInfo {
    name: "annotate-kernels",
    summary: "Tells which buffers of kernels are only read and which overlap no other.",
    reads: &["gpu", "memref"],
    writes: &["gpu"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for AnnotateKernels {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let launches = launches(ir, module);
        let (mut tables, mut launches_of) = (
            SymbolTables::new(),
            FxHashMap::<Op, Vec<LaunchFuncOp>>::default(),
        );
        for launch in launches {
            if let Some(func) = launch.resolve_kernel(ir, &mut tables) {
                launches_of.entry(func.op()).or_default().push(launch);
            }
        }
        let mut changed = Changed::No;
        for func in kernels(ir, module) {
            let own = launches_of.get(&func.op()).map_or(&[][..], Vec::as_slice);
            let params = func.parameters(ir);
            let distinct = !own.is_empty()
                && own
                    .iter()
                    .all(|&launch| arguments_distinct(ir, &params, launch));
            let attrs: Vec<Attr> = params
                .iter()
                .map(|&param| param_attrs(ir, param, distinct))
                .collect();
            if attrs.iter().any(|&attr| !is_empty(ir, attr)) {
                cx.count("annotated", 1);
                changed = Changed::Yes;
                let attr = ir.ctx().array_attr(&attrs);
                ir.set_attr_named(func.op(), "arg_attrs", Some(attr));
            }
        }
        Ok(Outcome::of(changed))
    }
}

fn kernels(ir: &Ir, module: Op) -> Vec<GpuFuncOp> {
    let devices = top_level(ir, module).filter(|&op| ir.isa::<GpuModuleOp>(op));
    devices
        .flat_map(|device| top_level(ir, device))
        .filter_map(|op| ir.cast(op))
        .collect()
}

fn is_empty(ir: &Ir, attr: Attr) -> bool {
    matches!(*ir.ctx().attr_kind(attr), segra_ir::AttrKind::Dict(dict) if ir.ctx().entries(dict).is_empty())
}

fn param_attrs(ir: &Ir, param: Value, distinct: bool) -> Attr {
    let ctx = ir.ctx();
    let mut entries = Vec::new();
    if matches!(ctx.type_kind(ir.value_type(param)), TypeKind::MemRef { .. }) {
        if distinct {
            entries.push((ctx.ident("llvm.noalias"), ctx.unit()));
        }
        if !buffer_use(ir, param).writes {
            entries.push((ctx.ident("llvm.readonly"), ctx.unit()));
        }
    }
    ctx.attr(segra_ir::AttrKind::Dict(ctx.dict(&entries)))
}

/// Whether no buffer the kernel stores to overlaps another argument at this launch.
fn arguments_distinct(ir: &Ir, params: &[Value], launch: LaunchFuncOp) -> bool {
    let arguments: Vec<Value> = launch
        .arguments(ir)
        .iter()
        .map(|&value| root(ir, value))
        .collect();
    let is_buffer = |value: Value| ir.value_type(value).shaped(ir.ctx()).is_some();
    arguments
        .iter()
        .zip(params)
        .enumerate()
        .all(|(index, (&written, &param))| {
            if !is_buffer(written) || !buffer_use(ir, param).writes {
                return true;
            }
            let Some(alloc) = ir.defining_op(written).filter(|&op| ir.isa::<AllocOp>(op)) else {
                return false;
            };
            let fresh = ir.block_of(alloc) == ir.block_of(launch.op());
            let others = arguments
                .iter()
                .enumerate()
                .filter(|&(other, &value)| other != index && is_buffer(value));
            others
                .into_iter()
                .all(|(_, &other)| is_other(ir, other, (written, fresh)))
        })
}

/// Whether a buffer cannot be an allocation, which is `fresh` where it stands in the launch's own block.
fn is_other(ir: &Ir, buffer: Value, (written, fresh): (Value, bool)) -> bool {
    let buffer = root(ir, buffer);
    if let ValueDef::Result { op, index } = ir.value_def(buffer)
        && ir.isa::<scf::IfOp>(op)
    {
        return ir.regions(op).iter().all(|&way| {
            let last = ir.entry_block(way).and_then(|block| ir.last_op(block));
            let yielded = last.and_then(|last| ir.operands(last).nth(index as usize));
            yielded.is_some_and(|yielded| is_other(ir, yielded, (written, fresh)))
        });
    }
    buffer != written && (is_settled(ir, buffer) || fresh && ir.defining_op(buffer).is_none())
}

/// Whether a buffer is one known thing: an allocation or a parameter of the function, not what a loop carries.
fn is_settled(ir: &Ir, value: Value) -> bool {
    match ir.value_def(value) {
        ValueDef::Result { op, .. } => ir.isa::<AllocOp>(op),
        ValueDef::Argument { block, .. } => ir
            .block_parent(block)
            .is_some_and(|parent| ir.isa::<func::FuncOp>(parent)),
    }
}
