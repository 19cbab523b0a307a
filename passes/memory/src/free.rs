//! Pass `free-memory`: device memory is freed after its last use.
//!
//! ```mlir
//! %a = gpu.alloc (%n) : memref<?xf32>                     %a = gpu.alloc (%n) : memref<?xf32>
//! gpu.launch_func @kernels::@k ... args(%a ...)    ==>    gpu.launch_func @kernels::@k ... args(%a ...)
//!                                                         gpu.dealloc %a : memref<?xf32>
//! ```
//! In a loop that carries a buffer and makes a new one in every step, the one before is freed at the end of the step,
//! from the second step on: what the first step was given belongs to whoever made it.
//!
//! Legality: a buffer allocated in a block, or by every way of a branch that yields it, that is never yielded, returned,
//! carried or passed to a function. A carried
//! buffer whose successor is allocated in the loop's body, where neither is carried a second time. What is left is
//! freed at the end of the program's run. Device work is ordered, so freeing right after a launch is safe.

use crate::alias::{Escape, is_made, root, uses};
use segra_gpu::host::{AllocOp, DeallocOp};
use segra_ir::{Block, Builder, InsertPoint, Ir, Op, OpView, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::{CmpIOp, CmpIPredicate};
use segra_std::scf::{ForOp, IfOp, YieldOp};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct FreeMemory {}
}

impl Pass for FreeMemory {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "free-memory",
            summary: "free device memory after its last use",
            reads: &["gpu", "memref", "scf"],
            writes: &["arith", "gpu", "scf"],
            anchors: Anchors::Ops(&["builtin.module", "func.func"]),
        }
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
            } else if let Some(looped) = ir.cast::<ForOp>(op) {
                for carried in replaced_each_step(ir, looped) {
                    free_from_second_step(ir, looped, carried);
                    cx.count("carried buffers freed", 1);
                    changed = Changed::Yes;
                }
            }
        }
        Ok(Outcome::of(changed))
    }
}

/// Frees memory that `op` makes; whether it could be.
fn free_after_last_use(ir: &mut Ir, op: Op, memory: Value) -> bool {
    let Some(block) = ir.block_of(op) else { return false };
    let is_buffer = ir.value_type(memory).shaped(ir.ctx()).is_some();
    if !is_buffer || !is_made(ir, block, memory) {
        return false;
    }
    let Some(last) = last_use(ir, block, op, memory) else { return false };
    let place = ir.next_op(last).map_or(InsertPoint::End(block), InsertPoint::Before);
    let loc = ir.loc(op);
    DeallocOp::build(&mut Builder::new(ir, place, loc), &[], memory, None);
    true
}

/// The last op of a block that uses what `op` of it makes; `None` where that escapes or is freed already.
fn last_use(ir: &Ir, block: Block, op: Op, memory: Value) -> Option<Op> {
    let uses = uses(ir, block, memory)?;
    let kept = |used: &crate::alias::Use| used.escape == Escape::Yes || ir.isa::<DeallocOp>(used.user);
    if uses.iter().any(kept) {
        return None;
    }
    let later = |a: Op, b: Op| if a == b || ir.is_before(b, a) { a } else { b };
    Some(uses.iter().map(|used| used.at).fold(op, later))
}

/// The block arguments of a loop whose buffers every step replaces by one of its own.
fn replaced_each_step(ir: &Ir, looped: ForOp) -> Vec<Value> {
    let Some(body) = ir.entry_block(looped.region(ir)) else { return Vec::new() };
    let Some(last) = ir.last_op(body) else { return Vec::new() };
    let yielded: Vec<Value> = ir.operands(last).collect();
    let roots: Vec<Value> = yielded.iter().map(|&value| root(ir, value)).collect();
    let args = ir.block_args(body);
    let once = |value: Value| roots.iter().filter(|&&root| root == value).count();
    let mut found = Vec::new();
    for (index, &arg) in args.iter().skip(1).enumerate() {
        let is_buffer = ir.value_type(arg).shaped(ir.ctx()).is_some();
        let fresh = is_made(ir, body, yielded[index]) && once(roots[index]) == 1;
        if !is_buffer || !fresh || once(arg) > 0 {
            continue;
        }
        let only_used = uses(ir, body, arg).is_some_and(|uses| {
            uses.iter().all(|used| used.escape == Escape::No && !ir.isa::<DeallocOp>(used.user))
        });
        if only_used {
            found.push(arg);
        }
    }
    found
}

fn free_from_second_step(ir: &mut Ir, looped: ForOp, carried: Value) {
    let Some(body) = ir.entry_block(looped.region(ir)) else { return };
    let (Some(last), Some(&counter)) = (ir.last_op(body), ir.block_args(body).first()) else { return };
    let lower = looped.lower_bound(ir);
    let mut b = Builder::before(ir, last);
    let predicate = CmpIPredicate::Ne.attr(b.ctx());
    let later = CmpIOp::build(&mut b, predicate, counter, lower).result(b.ir);
    let branch = IfOp::build(&mut b, later, &[]).op();
    let loc = b.loc;
    let region = ir.region(branch, 0);
    let block = ir.add_block(region, &[]);
    let mut b = Builder::at_end(ir, block, loc);
    DeallocOp::build(&mut b, &[], carried, None);
    YieldOp::build(&mut b, &[]);
}
