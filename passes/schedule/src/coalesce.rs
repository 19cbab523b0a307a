//! Pass `coalesce-inputs`: an array that each thread iterates over is read from a transposed copy.
//!
//! ```mlir
//! kernel.segmap thread (%i < %n) {                      %t = kernel.segmap thread (%k < %m, %i < %n) { %a[%i, %k] }
//!   scf.for %k = ... { tensor.extract %a[%i, %k] }    ==>  kernel.segmap thread (%i < %n) {
//! }                                                       scf.for %k = ... { tensor.extract %t[%k, %i] } }
//! ```
//! Neighbouring threads differ in their innermost index. Where that is not the last index of a read but a loop of the
//! thread iterates over the last dimension, each step of the loop touches a sector per thread, of which it uses one
//! element. In the copy the thread's index comes last, so that a step touches neighbouring elements. The copy is made
//! by tiles in shared memory (`lower-to-gpu`), coalesced on both sides: it costs reading and writing the array once,
//! where reading it uncoalesced costs up to as many sectors as elements. Henriksen's thesis (Futhark, 2017), section
//! 5.2, states the rule.
//!
//! Legality: reads of tensors from outside the nest. Candidates: the last dimension is not known to be within one sector,
//! and the read is not inside a branch, where it may hardly ever happen. Copies that several reads of one nest need are
//! one.
//!
//! Copies are made where they pay ([`pays`] has the rule: bytes that the transposition moves, against lines of the cache
//! that reads of the copy do not touch). Where only run time tells, there are two versions of the nest, of which the host
//! takes one by the threshold `NAME.copies0` on what copies save in hundredths of what they cost; the copies of a nest are
//! made all or none. `when=always` makes them without asking, for measurements.

mod pays;

use crate::choice::{Answer, Threshold, function_name};
use pays::{Copy, Equalities, Nest, Verdict};
use rustc_hash::FxHashMap;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::constant_of;
use segra_ir::{Builder, Ir, Op, OpView, Type, TypeKind, Value, ValueDef};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegmentedOp};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, option_enum};
use segra_space::Target;
use segra_std::builtin;
use segra_std::scf;
use segra_std::tensor::DimOp;

option_enum! {
    /// When copies are made.
    pub enum When {
        /// Where they pay.
        Pays = "pays",
        /// Always.
        Always = "always",
    }
}

segra_pass::pass_options! {
    /// The pass `coalesce-inputs`.
    #[derive(Copy)]
    pub struct CoalesceInputs {
        /// When copies are made.
        pub when: When = When::Pays,
    }
}

const INFO: PassInfo = PassInfo {
    name: "coalesce-inputs",
    summary: "read arrays that threads iterate over from transposed copies",
    reads: &["arith", "cf", "kernel", "scf"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for CoalesceInputs {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let equal = Equalities::of(ir, module);
        let mut copies = 0;
        let mut asked: FxHashMap<String, usize> = FxHashMap::default();
        for op in ir.walk(module) {
            if let Some(segmap) = ir.cast::<SegMapOp>(op)
                && segmap.level(ir) == Level::Thread
                && ir
                    .ancestors(op)
                    .skip(1)
                    .all(|around| ir.interface::<dyn SegmentedOp>(around).is_none())
            {
                let function = ir.block_of(op).map(|block| function_name(ir, block));
                let function = function.unwrap_or_default();
                let nest = Nest {
                    segmap,
                    equal: &equal,
                };
                copies += self.in_segmap(ir, &nest, || {
                    let number = asked.entry(function.clone()).or_default();
                    *number += 1;
                    format!("{function}.copies{}", *number - 1)
                });
            }
        }
        cx.count("inputs copied", copies);
        Ok(Outcome::of(if copies > 0 {
            Changed::Yes
        } else {
            Changed::No
        }))
    }
}

impl CoalesceInputs {
    /// Number of copies that are made, in some version; a choice is named.
    fn in_segmap(self, ir: &mut Ir, nest: &Nest<'_>, name: impl FnOnce() -> String) -> u64 {
        let segmap = nest.segmap;
        let mut copies = wanted(ir, segmap);
        if self.when == When::Pays {
            copies.retain(|copy| nest.may_pay(ir, copy));
        }
        if copies.is_empty() {
            return 0;
        }
        let verdict = match self.when {
            When::Always => Verdict::Always,
            When::Pays => nest.verdict(ir, &copies),
        };
        match verdict {
            Verdict::Never => return 0,
            Verdict::Always => read_copies(ir, segmap.op(), &copies),
            Verdict::Where(ratio) => {
                let percent = Threshold {
                    size: ratio,
                    name: name(),
                    default: pays::BREAK_EVEN,
                };
                match percent.answer(&mut Builder::before(ir, segmap.op())) {
                    Answer::Known(true) => read_copies(ir, segmap.op(), &copies),
                    Answer::Known(false) => return 0,
                    Answer::Asked(condition) => {
                        in_two_versions(ir, segmap.op(), condition, &copies)
                    }
                }
            }
        }
        copies.len() as u64
    }
}

/// The copies that reads of a nest want, in the order of the first of each.
fn wanted(ir: &Ir, segmap: SegMapOp) -> Vec<Copy> {
    let mut copies: Vec<Copy> = Vec::new();
    for op in ir.walk(segmap.op()) {
        let Some(read) = Read::of(ir, op) else {
            continue;
        };
        let Some(dim) = strided(ir, segmap, read) else {
            continue;
        };
        let tensor = read.tensor(ir);
        match copies
            .iter_mut()
            .find(|copy| (copy.tensor, copy.dim) == (tensor, dim))
        {
            Some(copy) => copy.reads.push(read),
            None => copies.push(Copy {
                tensor,
                dim,
                reads: vec![read],
            }),
        }
    }
    copies
}

/// Makes copies right before an op, whose reads then are from them.
fn read_copies(ir: &mut Ir, op: Op, copies: &[Copy]) {
    for copy in copies {
        let Some(transposed) = transposed_copy(ir, op, copy.tensor, copy.dim) else {
            continue;
        };
        for &read in &copy.reads {
            let mut indices = read.indices(ir);
            let last = indices.len() - 1;
            indices.swap(copy.dim, last);
            let mut b = Builder::before(ir, read.op());
            let value = Read::build(&mut b, transposed, &indices).result(b.ir);
            ir.replace_op(read.op(), &[value]);
        }
    }
}

/// The same in one version of the op, where the condition holds; else it stays as it was.
fn in_two_versions(ir: &mut Ir, op: Op, condition: Value, copies: &[Copy]) {
    let old: Vec<Value> = ir.results(op).collect();
    let types: Vec<Type> = old.iter().map(|&value| ir.value_type(value)).collect();
    let loc = ir.loc(op);
    let branch = scf::IfOp::build(&mut Builder::before(ir, op), condition, &types);
    let [then, otherwise] =
        [branch.then_region(ir), branch.else_region(ir)].map(|region| ir.add_block(region, &[]));
    let version = Builder::at_end(ir, then, loc).clone_op(op, &mut Mapping::new());
    let twins: FxHashMap<Op, Op> = ir.walk(op).into_iter().zip(ir.walk(version)).collect();
    let twin = |read: &Read| read.twin(twins[&read.op()]);
    let of_version = |copy: &Copy| Copy {
        reads: copy.reads.iter().map(twin).collect(),
        ..copy.clone()
    };
    let copies: Vec<Copy> = copies.iter().map(of_version).collect();
    read_copies(ir, version, &copies);
    let results: Vec<Value> = ir.results(version).collect();
    scf::YieldOp::build(&mut Builder::at_end(ir, then, loc), &results);
    for (&old, new) in old.iter().zip(branch.results(ir)) {
        ir.replace_all_uses(old, new);
    }
    ir.move_to_end(op, otherwise);
    scf::YieldOp::build(&mut Builder::at_end(ir, otherwise, loc), &old);
}

/// The dimension of the threads' innermost index, where a read takes it before a last index that a loop counts.
fn strided(ir: &Ir, segmap: SegMapOp, read: Read) -> Option<usize> {
    let block = ir.entry_block(segmap.body(ir))?;
    let &innermost = ir.block_args(block).last()?;
    let (tensor, indices) = (read.tensor(ir), read.indices(ir));
    let (shape, _) = ir.value_type(tensor).shaped(ir.ctx())?;
    let (&last, outer) = indices.split_last()?;
    let dim = outer.iter().position(|&index| index == innermost)?;
    let scalar = indices.len() == shape.len() && !read.is_checked(ir);
    // Rows that are one sector, in elements of four bytes.
    let short = (1..=Target::CUDA.sector_bytes / 4).contains(&shape[shape.len() - 1]);
    let outside = ir.value_block(tensor).and_then(|of| ir.block_parent(of));
    let outside =
        outside.is_some_and(|owner| owner != segmap.op() && !ir.is_inside(owner, segmap.op()));
    (scalar && !short && outside && counted(ir, segmap, read.op(), last)).then_some(dim)
}

/// Whether an index is the counter of a loop around an op inside the nest, by steps of one, with no branch between.
fn counted(ir: &Ir, segmap: SegMapOp, op: Op, index: Value) -> bool {
    let ValueDef::Argument { block, .. } = ir.value_def(index) else {
        return false;
    };
    let Some(counter) = ir.block_parent(block) else {
        return false;
    };
    let around: Vec<Op> = ir
        .ancestors(op)
        .skip(1)
        .take_while(|&around| around != segmap.op())
        .collect();
    let loops = around.iter().all(|&around| ir.isa::<scf::ForOp>(around));
    let step = ir
        .operands(counter)
        .nth(2)
        .and_then(|step| constant_of(ir, step));
    let is_counter = ir.block_args(block).first() == Some(&index);
    loops
        && is_counter
        && around.contains(&counter)
        && step.and_then(|step| step.as_i64(ir.ctx())) == Some(1)
}

/// The tensor with `dim` and its last dimension swapped, made right before an op.
fn transposed_copy(ir: &mut Ir, op: Op, tensor: Value, dim: usize) -> Option<Value> {
    let ctx = ir.context();
    let (shape, element) = ir
        .value_type(tensor)
        .shaped(&ctx)
        .map(|(shape, element)| (shape.to_vec(), element))?;
    let last = shape.len() - 1;
    let mut swapped = shape.clone();
    swapped.swap(dim, last);
    let mut b = Builder::before(ir, op);
    let mut sizes: Vec<Value> = (0..shape.len())
        .map(|at| DimOp::of(&mut b, tensor, at))
        .collect();
    sizes.swap(dim, last);
    let ty = ctx.ty(TypeKind::Tensor {
        shape: swapped,
        element,
        encoding: None,
    });
    let level = Level::Thread.attr(&ctx);
    let segmap = SegMapOp::builder()
        .level(level)
        .sizes(&sizes)
        .results_types(&[ty])
        .build(&mut b);
    let loc = b.loc;
    let region = segmap.body(ir);
    let block = ir.add_block(region, &vec![ctx.index(); shape.len()]);
    let mut indices = ir.block_args(block).to_vec();
    indices.swap(dim, last);
    let mut b = Builder::at_end(ir, block, loc);
    let value = Read::build(&mut b, tensor, &indices).result(b.ir);
    ReturnOp::build(&mut b, &[value]);
    segmap.results(ir).first().copied()
}
