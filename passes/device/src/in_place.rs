//! Pass `update-in-place`: a copy of a buffer that nobody needs afterwards is the buffer itself.
//!
//! ```mlir
//! %copy = gpu.alloc (%n) : memref<?xf32>
//! gpu.memcpy %copy, %a : ...                          ==>     gpu.launch_func @kernels::@scatter ... args(%a ...)
//! gpu.launch_func @kernels::@scatter ... args(%copy ...)
//! ```
//! In a loop that carries the array it updates, only the first step copies: the array it was given may be needed by
//! others; every later step owns what the step before made.
//!
//! ```mlir
//! %y = scf.for %i = %lower to ... iter_args(%x = %a) {         %target = scf.if (%i == %lower) {
//!   %copy = gpu.alloc ...                                        %copy = gpu.alloc; gpu.memcpy %copy, %x; yield %copy
//!   gpu.memcpy %copy, %x                               ==>     } else { yield %x }
//!   launch ... args(%copy); yield %copy }                      launch ... args(%target); yield %target
//! ```
//!
//! Legality: the source is memory made in the same block, or what a loop carries whose next value is the copy; every
//! use of it and of its views but extents stands before the copy; it escapes nowhere else.

use crate::alias::{Escape, allocation, is_made, root, uses};
use segra_gpu::host::MemcpyOp;
use segra_ir::{Block, Builder, Ir, Op, OpView, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::{CmpIOp, CmpIPredicate};
use segra_std::scf::{ForOp, IfOp, YieldOp};
use segra_std::{builtin, func};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct UpdateInPlace {}
}

const INFO: PassInfo = PassInfo {
    name: "update-in-place",
    summary: "change arrays in place where nobody needs what they were",
    reads: &["gpu", "memref", "scf"],
    writes: &["arith", "gpu", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name, func::FuncOp::DEF.name]),
};

impl Pass for UpdateInPlace {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let copies: Vec<MemcpyOp> = ir
            .walk(module)
            .into_iter()
            .filter_map(|op| ir.cast(op))
            .collect();
        let mut changed = Changed::No;
        for copy in copies {
            match owner(ir, copy) {
                Some(Owner::Block) => replace(ir, copy),
                Some(Owner::Loop(looped)) => copy_in_first_step(ir, copy, looped),
                None => continue,
            }
            cx.count("copies avoided", 1);
            changed = Changed::Yes;
        }
        Ok(Outcome::of(changed))
    }
}

/// Who owns the source of a copy that is not needed.
enum Owner {
    /// The block the copy stands in: it has allocated it.
    Block,
    /// The loop around, from the second step on.
    Loop(ForOp),
}

/// Why a copy can be avoided, if it can.
fn owner(ir: &Ir, copy: MemcpyOp) -> Option<Owner> {
    let block = ir.block_of(copy.op())?;
    let (target, source) = (copy.dst(ir), copy.src(ir));
    let fresh = allocation(ir, block, target).filter(|alloc| alloc.memref(ir) == target)?;
    // The new buffer is used from the copy on, and has the source's type.
    let unused_before = uses(ir, block, fresh.memref(ir))?
        .iter()
        .all(|used| used.user == copy.op() || ir.is_before(copy.op(), used.at));
    if !unused_before || ir.value_type(target) != ir.value_type(source) {
        return None;
    }
    let source = root(ir, source);
    if is_made(ir, block, source) {
        return dead_after(ir, block, source, copy).then_some(Owner::Block);
    }
    let looped: ForOp = ir.cast(ir.block_parent(block)?)?;
    let place = ir
        .block_args(block)
        .iter()
        .skip(1)
        .position(|&arg| arg == source)?;
    let yielded: Vec<Value> = ir
        .operands(ir.last_op(block)?)
        .map(|value| root(ir, value))
        .collect();
    let only_next = yielded.get(place) == Some(&target)
        && yielded.iter().filter(|&&value| value == target).count() == 1;
    (only_next && dead_after(ir, block, source, copy)).then_some(Owner::Loop(looped))
}

/// Whether a buffer is not used after the copy of it, and nobody else can have it.
fn dead_after(ir: &Ir, block: Block, buffer: Value, copy: MemcpyOp) -> bool {
    uses(ir, block, buffer).is_some_and(|uses| {
        uses.iter().all(|used| {
            used.escape == Escape::No
                && (used.user == copy.op() || ir.is_before(used.at, copy.op()))
        })
    })
}

/// The source takes the place of the copy.
fn replace(ir: &mut Ir, copy: MemcpyOp) {
    let (target, source) = (copy.dst(ir), copy.src(ir));
    let alloc = ir.defining_op(target);
    ir.erase_op(copy.op());
    ir.replace_all_uses(target, source);
    if let Some(alloc) = alloc {
        ir.erase_op(alloc);
    }
}

/// The copy is made in the first step only.
fn copy_in_first_step(ir: &mut Ir, copy: MemcpyOp, looped: ForOp) {
    let (target, source) = (copy.dst(ir), copy.src(ir));
    let Some(alloc) = ir.defining_op(target) else {
        return;
    };
    let Some(&counter) = ir
        .block_of(copy.op())
        .and_then(|block| ir.block_args(block).first())
    else {
        return;
    };
    let (lower, ty) = (looped.lower_bound(ir), ir.value_type(target));
    let mut b = Builder::before(ir, copy.op());
    let predicate = CmpIPredicate::Eq.attr(b.ctx());
    let first = CmpIOp::build(&mut b, predicate, counter, lower).result(b.ir);
    let branch = IfOp::build(&mut b, first, &[ty]).op();
    let loc = b.loc;
    let result = ir.result(branch, 0);
    ir.replace_all_uses(target, result);
    let region = ir.region(branch, 0);
    let then = ir.add_block(region, &[]);
    let region = ir.region(branch, 1);
    let otherwise = ir.add_block(region, &[]);
    ir.move_to_end(alloc, then);
    MemcpyOp::builder()
        .dst(target)
        .src(source)
        .build(&mut Builder::at_end(ir, then, loc));
    YieldOp::build(&mut Builder::at_end(ir, then, loc), &[target]);
    YieldOp::build(&mut Builder::at_end(ir, otherwise, loc), &[source]);
    ir.erase_op(copy.op());
}
