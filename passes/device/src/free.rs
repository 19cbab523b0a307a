//! Pass `free-memory`: device memory is freed after its last use.
//!
//! ```mlir
//! %a = gpu.alloc (%n) : memref<?xf32>                     %a = gpu.alloc (%n) : memref<?xf32>
//! gpu.launch_func @kernels::@k ... args(%a ...)    ==>    gpu.launch_func @kernels::@k ... args(%a ...)
//!                                                         gpu.dealloc %a : memref<?xf32>
//! ```
//! Legality: a buffer allocated in a block, or by every way of a branch that yields it, that is never yielded, returned,
//! carried or passed to a function. Device work is ordered, so freeing right after a launch is safe.
//!
//! Limits: what loops carry, and what only some ways of a branch make, is left alone: which of its references is the last
//! one only the run knows. The executor of the host code counts references to those buffers, and frees them as exactly.

use crate::alias::{Escape, is_made, uses};
use segra_gpu::host::{AllocOp, DeallocOp};
use segra_ir::{Block, Builder, InsertPoint, Ir, Op, OpView, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::scf::IfOp;
use segra_std::{builtin, func};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct FreeMemory {}
}

const INFO: PassInfo = PassInfo {
    name: "free-memory",
    summary: "free device memory after its last use",
    reads: &["gpu", "memref", "scf"],
    writes: &["gpu"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name, func::FuncOp::DEF.name]),
};

impl Pass for FreeMemory {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let ops = ir.walk(module);
        let mut changed = Changed::No;
        for &op in &ops {
            if ir.isa::<AllocOp>(op) || ir.isa::<IfOp>(op) {
                for memory in ir.results(op).collect::<Vec<_>>() {
                    if free_after_last_use(ir, op, memory) {
                        cx.count("buffers freed", 1);
                        changed = Changed::Yes;
                    }
                }
            }
        }
        Ok(Outcome::of(changed))
    }
}

/// Frees memory that `op` makes; whether it could be.
fn free_after_last_use(ir: &mut Ir, op: Op, memory: Value) -> bool {
    let Some(block) = ir.block_of(op) else {
        return false;
    };
    let is_buffer = ir.value_type(memory).shaped(ir.ctx()).is_some();
    if !is_buffer || !is_made(ir, block, memory) {
        return false;
    }
    let Some(last) = last_use(ir, block, op, memory) else {
        return false;
    };
    let place = ir
        .next_op(last)
        .map_or(InsertPoint::End(block), InsertPoint::Before);
    let loc = ir.loc(op);
    DeallocOp::builder()
        .memref(memory)
        .build(&mut Builder::new(ir, place, loc));
    true
}

/// The last op of a block that uses what `op` of it makes; `None` where that escapes or is freed already.
fn last_use(ir: &Ir, block: Block, op: Op, memory: Value) -> Option<Op> {
    let uses = uses(ir, block, memory)?;
    let kept =
        |used: &crate::alias::Use| used.escape == Escape::Yes || ir.isa::<DeallocOp>(used.user);
    if uses.iter().any(kept) {
        return None;
    }
    let later = |a: Op, b: Op| if a == b || ir.is_before(b, a) { a } else { b };
    Some(uses.iter().map(|used| used.at).fold(op, later))
}
