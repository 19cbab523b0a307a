//! Pass `reuse-memory`: an allocation takes the memory of one that is not needed any more.
//!
//! ```mlir
//! %a = gpu.alloc (%n) : memref<?xf32>                     %a = gpu.alloc (%n) : memref<?xf32>
//! gpu.launch_func ... args(%a ...)                        gpu.launch_func ... args(%a ...)
//! gpu.dealloc %a : memref<?xf32>                   ==>
//! %b = gpu.alloc (%n) : memref<?xf32>                     %b = memref.reinterpret_cast %a ... sizes: [%n]
//! gpu.launch_func ... args(%b ...)                        gpu.launch_func ... args(%b ...)
//! gpu.dealloc %b : memref<?xf32>                          gpu.dealloc %a : memref<?xf32>
//! ```
//! To be run after `free-memory`, which says where buffers are last used, and after `cse`, so that equal sizes are equal
//! values. A buffer that no step of the plan can give to a later one is for the runtime's pool, which goes by sizes in bytes.
//!
//! Legality: both of one type with a single dimension, both allocated and freed in one block, the first freed before the
//! second is made. The second's size is the first's, or provably no larger: products of the same values with a smaller
//! constant, a minimum, a quotient (sizes are not negative). Device work is ordered, so the first user is done before
//! the second begins.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_gpu::host::{AllocOp, DeallocOp};
use segra_ir::types::DYNAMIC;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::memref::ReinterpretCastOp;
use segra_std::{arith, builtin, func};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct ReuseMemory {}
}

const INFO: PassInfo = PassInfo {
    name: "reuse-memory",
    summary: "let allocations take the memory of earlier ones that are freed",
    reads: &["arith", "gpu", "memref"],
    writes: &["gpu", "memref"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name, func::FuncOp::DEF.name]),
};

impl Pass for ReuseMemory {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        // Each once, though blocks inside come between the ops of the one around them.
        let mut seen: FxHashSet<Block> = FxHashSet::default();
        let allocs = ir
            .walk(module)
            .into_iter()
            .filter(|&op| ir.isa::<AllocOp>(op));
        let blocks: Vec<Block> = allocs
            .filter_map(|op| ir.block_of(op))
            .filter(|&block| seen.insert(block))
            .collect();
        let mut reused = 0;
        for block in blocks {
            reused += in_block(ir, block);
        }
        cx.count("allocations reused", reused as u64);
        Ok(Outcome::of(if reused > 0 {
            Changed::Yes
        } else {
            Changed::No
        }))
    }
}

/// Memory that is free at a place of a block.
struct Free {
    /// The step that frees it.
    dealloc: Op,
    memory: Value,
    size: Size,
}

/// Most free buffers that are looked at for each allocation, the latest first.
const LOOKED_AT: usize = 16;

fn in_block(ir: &mut Ir, block: Block) -> usize {
    let mut free: FxHashMap<Type, Vec<Free>> = FxHashMap::default();
    let mut made: FxHashMap<Value, Size> = FxHashMap::default();
    let mut reused = 0;
    let ops: Vec<Op> = ir.ops(block).collect();
    for op in ops {
        if let Some(alloc) = ir.cast::<AllocOp>(op) {
            let memory = alloc.memref(ir);
            let Some(size) = size_of(ir, alloc) else {
                continue;
            };
            let list = free.entry(ir.value_type(memory)).or_default();
            let latest = list.len().saturating_sub(LOOKED_AT);
            let fitting = (latest..list.len())
                .rev()
                .find(|&at| size.at_most(ir, &list[at].size));
            let Some(at) = fitting else {
                made.insert(memory, size);
                continue;
            };
            let Free {
                dealloc,
                memory: old,
                size,
            } = list.remove(at);
            take(ir, alloc, old);
            ir.erase_op(dealloc);
            made.insert(old, size);
            reused += 1;
        } else if let Some(dealloc) = ir.cast::<DeallocOp>(op) {
            let memory = crate::alias::root(ir, dealloc.memref(ir));
            let Some(size) = made.remove(&memory) else {
                continue;
            };
            free.entry(ir.value_type(memory)).or_default().push(Free {
                dealloc: op,
                memory,
                size,
            });
        }
    }
    reused
}

/// An allocation becomes a view of the memory `old`.
fn take(ir: &mut Ir, alloc: AllocOp, old: Value) {
    let (op, memory) = (alloc.op(), alloc.memref(ir));
    let sizes = alloc.dynamic_sizes(ir);
    let ty = ir.value_type(memory);
    let ctx = ir.context();
    let shape = ty
        .shaped(&ctx)
        .map(|shaped| shaped.0.to_vec())
        .unwrap_or_default();
    let (offsets, shape, strides) = (
        ctx.dense_i64_attr(&[0]),
        ctx.dense_i64_attr(&shape),
        ctx.dense_i64_attr(&[1]),
    );
    let mut b = Builder::before(ir, op);
    let view = ReinterpretCastOp::builder()
        .source(old)
        .sizes(&sizes)
        .static_offsets(offsets)
        .static_sizes(shape)
        .static_strides(strides)
        .result_type(ty)
        .build(&mut b);
    let view = view.result(ir);
    ir.replace_op(op, &[view]);
}

/// A number of elements: a constant times values that are not negative.
#[derive(Clone, Debug)]
struct Size {
    constant: i64,
    /// Sorted.
    factors: Vec<Value>,
}

/// The size of an allocation of one dimension.
fn size_of(ir: &Ir, alloc: AllocOp) -> Option<Size> {
    let memory = alloc.memref(ir);
    let (shape, _) = ir.value_type(memory).shaped(ir.ctx())?;
    match (shape, alloc.dynamic_sizes(ir).as_slice()) {
        (&[DYNAMIC], &[size]) => Some(Size::of(ir, size)),
        (&[extent], &[]) => Some(Size {
            constant: extent,
            factors: Vec::new(),
        }),
        _ => None,
    }
}

impl Size {
    fn of(ir: &Ir, value: Value) -> Size {
        let mut size = Size {
            constant: 1,
            factors: Vec::new(),
        };
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            let known = ir.constant_int(value);
            let product = ir
                .defining_op(value)
                .filter(|&op| ir.isa::<arith::MulIOp>(op));
            match (
                known.and_then(|known| size.constant.checked_mul(known)),
                product,
            ) {
                (Some(constant), _) => size.constant = constant,
                (None, Some(product)) => pending.extend(ir.operands(product)),
                (None, None) => size.factors.push(value),
            }
        }
        size.factors.sort_unstable();
        size
    }

    /// Whether it is never larger than another.
    fn at_most(&self, ir: &Ir, other: &Size) -> bool {
        if self.factors == other.factors {
            return self.constant <= other.constant;
        }
        // A minimum is at most either of its operands; a quotient by a positive constant, rounded up, its dividend.
        let &[single] = self.factors.as_slice() else {
            return false;
        };
        let Some(op) = ir.defining_op(single).filter(|_| self.constant == 1) else {
            return false;
        };
        let operands: Vec<Value> = ir.operands(op).collect();
        let constant = |at: usize| ir.constant_int(operands[at]);
        let at_most = |value: Value| Size::of(ir, value).at_most(ir, other);
        if ir.isa::<arith::MinSIOp>(op) {
            return operands.iter().any(|&least| at_most(least));
        }
        let divides = ir.isa::<arith::CeilDivSIOp>(op);
        divides && constant(1).is_some_and(|by| by >= 1) && at_most(operands[0])
    }
}
