//! Pass `coalesce-inputs`: an array that each thread goes along is read from a transposed copy.
//!
//! ```mlir
//! kernel.segmap thread (%i < %n) {                      %t = kernel.segmap thread (%k < %m, %i < %n) { %a[%i, %k] }
//!   scf.for %k = ... { kernel.read %a[%i, %k] }    ==>  kernel.segmap thread (%i < %n) {
//! }                                                       scf.for %k = ... { kernel.read %t[%k, %i] } }
//! ```
//! Neighbouring threads differ in their innermost index. Where that is not the last index of a read but a loop of the
//! thread goes along the last dimension, each step of the loop touches a sector per thread, of which it uses one
//! element. In the copy the thread's index comes last, so that a step touches neighbouring elements. The copy is made
//! by tiles in shared memory (`lower-to-gpu`), coalesced on both sides: it costs reading and writing the array once,
//! where reading it uncoalesced costs up to as many sectors as elements. Henriksen's thesis (Futhark, 2017), section
//! 5.2, states the rule.
//!
//! Legality: reads of tensors from outside the nest. Candidates: the last dimension is not known to be within one sector,
//! and the read is not inside a branch, where it may hardly ever happen. Copies that several reads of one nest need are
//! one.
//!
//! In no default pipeline: by the simulator's estimate (`benches/README.md`) the caches of the chips at hand keep a row's
//! sectors until the thread has used them, and the copy costs more than it saves, unless rows are read many times. To
//! be put right before `lower-to-gpu` where that is so.

use rustc_hash::FxHashMap;
use segra_ir::interfaces::constant_of;
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, Ir, Op, OpView, TypeKind, Value, ValueDef};
use segra_kernel::access::{DimOp, ReadOp};
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct CoalesceInputs {}
}

/// Longest rows that are one sector, in elements of four bytes.
const SECTOR: i64 = 8;

impl Pass for CoalesceInputs {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "coalesce-inputs",
            summary: "read arrays that threads go along from transposed copies",
            reads: &["kernel", "scf"],
            writes: &["arith", "kernel"],
            anchors: Anchors::Ops(&["builtin.module"]),
        }
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut copies = 0;
        for op in ir.walk(module) {
            if let Some(segmap) = ir.cast::<SegMapOp>(op)
                && segmap.level(ir) == Level::Thread
            {
                copies += in_segmap(ir, segmap);
            }
        }
        cx.count("inputs copied", copies);
        Ok(Outcome::of(if copies > 0 { Changed::Yes } else { Changed::No }))
    }
}

/// Reads to change: the tensor, and which dimension comes last instead.
type Copies = FxHashMap<(Value, usize), Vec<ReadOp>>;

fn in_segmap(ir: &mut Ir, segmap: SegMapOp) -> u64 {
    let mut wanted = Copies::default();
    let mut order = Vec::new();
    for op in ir.walk(segmap.op()) {
        let Some(read) = ir.cast::<ReadOp>(op) else { continue };
        let Some(dim) = strided(ir, segmap, read) else { continue };
        let key = (read.tensor(ir), dim);
        let reads = wanted.entry(key).or_default();
        if reads.is_empty() {
            order.push(key);
        }
        reads.push(read);
    }
    for &(tensor, dim) in &order {
        let Some(copy) = transposed_copy(ir, segmap.op(), tensor, dim) else { continue };
        for &read in wanted.get(&(tensor, dim)).into_iter().flatten() {
            let mut indices = read.indices(ir);
            let last = indices.len() - 1;
            indices.swap(dim, last);
            let mut b = Builder::before(ir, read.op());
            let value = ReadOp::build(&mut b, copy, &indices, None).result(b.ir);
            ir.replace_op(read.op(), &[value]);
        }
    }
    order.len() as u64
}

/// The dimension of the threads' innermost index, where a read takes it before a last index that a loop counts.
fn strided(ir: &Ir, segmap: SegMapOp, read: ReadOp) -> Option<usize> {
    let block = ir.entry_block(segmap.body(ir))?;
    let &innermost = ir.block_args(block).last()?;
    let (tensor, indices) = (read.tensor(ir), read.indices(ir));
    let (shape, _) = ir.value_type(tensor).shaped(ir.ctx())?;
    let (&last, outer) = indices.split_last()?;
    let dim = outer.iter().position(|&index| index == innermost)?;
    let scalar = indices.len() == shape.len() && read.checked_attr(ir).is_none();
    let short = (1..=SECTOR).contains(&shape[shape.len() - 1]);
    let outside = ir.value_block(tensor).and_then(|of| ir.block_parent(of));
    let outside = outside.is_some_and(|owner| owner != segmap.op() && !ir.is_inside(owner, segmap.op()));
    (scalar && !short && outside && counted(ir, segmap, read.op(), last)).then_some(dim)
}

/// Whether an index is the counter of a loop around an op inside the nest, by steps of one, with no branch between.
fn counted(ir: &Ir, segmap: SegMapOp, op: Op, index: Value) -> bool {
    let ValueDef::Argument { block, .. } = ir.value_def(index) else { return false };
    let Some(counter) = ir.block_parent(block) else { return false };
    let around: Vec<Op> = ir.ancestors(op).skip(1).take_while(|&around| around != segmap.op()).collect();
    let loops = around.iter().all(|&around| ir.op_name_str(around) == "scf.for");
    let step = ir.operands(counter).nth(2).and_then(|step| constant_of(ir, step));
    let is_counter = ir.block_args(block).first() == Some(&index);
    loops && is_counter && around.contains(&counter) && step.and_then(|step| step.as_i64(ir.ctx())) == Some(1)
}

/// The tensor with `dim` and its last dimension swapped, made right before an op.
fn transposed_copy(ir: &mut Ir, op: Op, tensor: Value, dim: usize) -> Option<Value> {
    let ctx = ir.context();
    let (shape, element) =
        ir.value_type(tensor).shaped(&ctx).map(|(shape, element)| (shape.to_vec(), element))?;
    let last = shape.len() - 1;
    let mut swapped = shape.clone();
    swapped.swap(dim, last);
    let mut b = Builder::before(ir, op);
    let mut sizes: Vec<Value> = (0..shape.len())
        .map(|at| match shape[at] {
            DYNAMIC => {
                let (at, index) = (b.ctx().i64_attr(at as i64), b.ctx().index());
                DimOp::build(&mut b, tensor, at, index).result(b.ir)
            }
            extent => {
                let extent = b.ctx().index_attr(extent);
                segra_std::arith::ConstantOp::build(&mut b, extent).result(b.ir)
            }
        })
        .collect();
    sizes.swap(dim, last);
    let ty = ctx.ty(TypeKind::Tensor { shape: swapped, element, encoding: None });
    let level = Level::Thread.attr(&ctx);
    let segmap = SegMapOp::build(&mut b, level, None, &sizes, &[ty]);
    let loc = b.loc;
    let region = segmap.body(ir);
    let block = ir.add_block(region, &vec![ctx.index(); shape.len()]);
    let mut indices = ir.block_args(block).to_vec();
    indices.swap(dim, last);
    let mut b = Builder::at_end(ir, block, loc);
    let value = ReadOp::build(&mut b, tensor, &indices, None).result(b.ir);
    ReturnOp::build(&mut b, &[value]);
    segmap.results(ir).first().copied()
}
