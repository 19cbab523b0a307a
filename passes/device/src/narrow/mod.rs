//! Pass `narrow-indices`: kernels compute indices in 32 bits where sizes allow, which is found when they are launched.
//!
//! ```mlir
//! gpu.func @k(%n: index, ...) {                            gpu.func @k(%n: index, ...) {        // indices of 32 bits
//!   %i = arith.addi %a, %b : index                           %i = arith.addi %a, %b overflow<nsw, nuw> : i32
//!   memref.load %x[%i] }                         ==>         %at = arith.index_castui %i : i32 to index
//! gpu.launch_func @k ... args(%n, ...)                       memref.load %x[%at] }
//!                                                          gpu.func @k_64(...) {...}            // as it was
//!                                                          scf.if %fits { launch @k } else { launch @k_64 }
//! ```
//! A GPU computes in registers of 32 bits: a sum of 64 bits is two instructions, a product four, a quotient a hundred.
//!
//! * [`bounds`]: the largest an index can be, as an expression of what is passed to the kernel and of the launch;
//! * [`rewrite`]: the kernel's indices in 32 bits;
//! * [`choices`], [`reach`]: launches that need no second kernel, since a choice around them has a version for large sizes.
//!
//! `%fits`: every index that is compared, divided or counts a loop, and every one used as an address whose bound is
//! known, is at most `limit`; so is the number of elements of each buffer that is accessed. An address whose bound is not
//! known is computed modulo 2^32, which is exact for elements that exist; so is one whose bound is far from what it can be,
//! as a quotient's is whose divisor threads differ in (that of columns, where the last one is narrower). Where all of this is
//! known from the program text there is no second kernel.
//!
//! A kernel that is launched from several places becomes one for each, so that each launch chooses by its own sizes;
//! `duplicate-function-elimination` makes one again of those that come out equal.
//!
//! A long kernel of which little is index arithmetic stays as it is: it would be all of it once more for nothing.
//!
//! Legality: any kernel. An index without a bound (from memory, carried through loops) stays as it is.
//! To be run last, so that both kernels are the same but for this, and before `cse` and `dce`, which clean up.

mod bounds;
mod choices;
mod reach;
mod rewrite;

use bounds::Bounds;
use choices::{Choices, Narrowed};
use rewrite::Rewriter;
use rustc_hash::FxHashMap;
use segra_gpu::device::GpuFuncOp;
use segra_gpu::host::{LaunchFuncOp, launches};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::symbol_name;
use segra_ir::symbol::SymbolTables;
use segra_ir::{AttrKind, Builder, InsertPoint, Ir, Op, OpView, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::{self, index};
use segra_std::{builtin, memref, scf};

segra_pass::pass_options! {
    /// The pass `narrow-indices`.
    #[derive(Copy)]
    pub struct NarrowIndices {
        /// Largest index of a kernel whose indices have 32 bits, at most 2147483647; tests set it lower.
        pub limit: i64 = 2_147_483_647,
    }
}

const INFO: PassInfo = PassInfo {
    name: "narrow-indices",
    summary: "compute the indices of kernels in 32 bits where sizes allow",
    reads: &["arith", "gpu", "memref", "nvgpu", "scf", "vector"],
    writes: &["arith", "gpu", "memref", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for NarrowIndices {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        if !(0..=i64::from(i32::MAX)).contains(&self.limit) {
            return Err(cx.fail(ir, module, "option limit: must be from 0 to 2147483647"));
        }
        let launches = launches(ir, module);
        let (mut tables, mut order) = (SymbolTables::new(), Vec::new());
        let mut launches_of = FxHashMap::<Op, Vec<LaunchFuncOp>>::default();
        for launch in launches {
            let Some(func) = launch.resolve_kernel(ir, &mut tables) else {
                continue;
            };
            let list = launches_of.entry(func.op()).or_default();
            if list.is_empty() {
                order.push(func);
            }
            list.push(launch);
        }
        let (mut changed, mut pairs) = (Changed::No, Vec::new());
        for func in order {
            let launches = launches_of.remove(&func.op()).unwrap_or_default();
            for (func, launch) in one_each(ir, func, &launches) {
                match narrow(ir, func, launch, self.limit) {
                    Width::Any => continue,
                    Width::Narrow => {}
                    Width::Both(pair) => pairs.push(pair),
                }
                cx.count("kernels narrowed", 1);
                changed = Changed::Yes;
            }
            changed = if launches.len() > 1 {
                Changed::Yes
            } else {
                changed
            };
        }
        let narrowed: Vec<Narrowed> = pairs.iter().map(|pair| pair.narrowed).collect();
        let choices = Choices::of(ir, module);
        let left = choices.leave(ir, &narrowed, self.limit);
        cx.count("kernels in 32 bits only", left.len() as u64);
        for Pair { narrowed, wide } in pairs {
            match left.contains(&narrowed.launch) {
                true => ir.erase_op(wide),
                false => choose(ir, narrowed, self.limit, wide),
            }
        }
        Ok(Outcome::of(changed))
    }
}

/// The widths of a kernel's indices.
enum Width {
    /// As it was.
    Any,
    /// 32 bits, whatever the sizes.
    Narrow,
    /// 32 bits, and a second kernel of 64.
    Both(Pair),
}

struct Pair {
    narrowed: Narrowed,
    /// The kernel as it was.
    wide: Op,
}

/// A kernel for each launch: `func` for the first, copies of it named `NAME_at1` and so on for the others.
fn one_each(
    ir: &mut Ir,
    func: GpuFuncOp,
    launches: &[LaunchFuncOp],
) -> Vec<(GpuFuncOp, LaunchFuncOp)> {
    let ctx = ir.context();
    let mut pairs = Vec::new();
    for (index, &launch) in launches.iter().enumerate() {
        let name = func.name(ir).map(|name| ctx.str(name).to_owned());
        let (Some(name), true) = (name, index > 0) else {
            pairs.push((func, launch));
            continue;
        };
        let loc = ir.loc(func.op());
        let copy = Builder::new(ir, InsertPoint::Before(func.op()), loc)
            .clone_op(func.op(), &mut Mapping::new());
        let name = format!("{name}_at{index}");
        let attr = ctx.str_attr(&name);
        ir.set_attr_named(copy, "sym_name", Some(attr));
        launch_instead(ir, launch.op(), &name);
        pairs.push((GpuFuncOp::from_op(copy), launch));
    }
    pairs
}

/// A launch becomes that of another kernel.
fn launch_instead(ir: &mut Ir, launch: Op, name: &str) {
    let ctx = ir.context();
    let old = ir
        .attr_named(launch, "kernel")
        .map(|kernel| ctx.attr_kind(kernel).clone());
    let Some(AttrKind::SymbolRef { root, .. }) = old else {
        return;
    };
    let kernel = ctx.attr(AttrKind::SymbolRef {
        root,
        nested: vec![ctx.ident(name)],
    });
    ir.set_attr_named(launch, "kernel", Some(kernel));
}

/// Makes the two versions of a kernel, where there is anything to narrow.
fn narrow(ir: &mut Ir, func: GpuFuncOp, launch: LaunchFuncOp, limit: i64) -> Width {
    if is_long_for_nothing(ir, func.op()) {
        return Width::Any;
    }
    let ctx = ir.context();
    let (Some(name), Some(next)) = (
        func.name(ir).map(|name| ctx.str(name).to_owned()),
        ir.block_of(func.op()),
    ) else {
        return Width::Any;
    };
    let place = ir
        .next_op(func.op())
        .map_or(InsertPoint::End(next), InsertPoint::Before);
    let loc = ir.loc(func.op());
    let wide = Builder::new(ir, place, loc).clone_op(func.op(), &mut Mapping::new());
    let bounds = Bounds::of(ir, func, launch);
    let mut rewriter = Rewriter::new(ir, bounds, launch.op());
    rewriter.kernel(func);
    let (count, mut needs, buffers) = rewriter.finish();
    if count == 0 {
        ir.erase_op(wide);
        return Width::Any;
    }
    let arguments: FxHashMap<Value, Value> = func
        .parameters(ir)
        .into_iter()
        .zip(launch.arguments(ir))
        .collect();
    let mut b = Builder::before(ir, launch.op());
    for buffer in buffers {
        let Some(&host) = arguments.get(&buffer) else {
            continue;
        };
        needs.push(memref::extent_of(&mut b, host, 0));
    }
    let Some(largest) = largest(&mut b, &needs, limit) else {
        ir.erase_op(wide);
        return Width::Narrow;
    };
    let attr = ctx.str_attr(&format!("{name}_64"));
    ir.set_attr_named(wide, "sym_name", Some(attr));
    let narrowed = Narrowed { launch, largest };
    Width::Both(Pair { narrowed, wide })
}

/// Ops of a kernel from which on it is long.
const LONG: usize = 1000;
/// One in so many ops is little.
const LITTLE: u64 = 4;
/// One in so many is little in a kernel most of which is in no loop: an op of 64 bits takes a thread two to four instructions. Of a
/// 9 by 9 stencil's kernel 350 ops in 6,040 are for indices, and made 15 % of its instructions.
const LITTLE_STRAIGHT: u64 = 32;
/// How often a loop's body is taken to run.
const TURNS: u64 = 8;

/// Whether a kernel is long, and little of the time is for indices: sums, products and so on of two that are not constants.
/// A constant that is added is part of an address.
fn is_long_for_nothing(ir: &Ir, func: Op) -> bool {
    let ops = ir.walk(func);
    if ops.len() < LONG {
        return false;
    }
    let count = ops.len() as u64;
    let (mut all, mut of_indices) = (0u64, 0u64);
    for op in ops {
        let loops = ir.ancestors(op).skip(1);
        let loops = loops.filter(|&op| ir.isa::<scf::ForOp>(op) || ir.isa::<scf::WhileOp>(op));
        let times = loops.fold(1u64, |times, _| times.saturating_mul(TURNS));
        let index = ir.num_results(op) == 1
            && ir.value_type(ir.result(op, 0)).is_index(ir.ctx())
            && ir.num_operands(op) == 2
            && !ir
                .operands(op)
                .any(|operand| ir.constant_int(operand).is_some());
        all = all.saturating_add(times);
        of_indices = of_indices.saturating_add(if index { times } else { 0 });
    }
    let little = match all <= 2 * count {
        true => LITTLE_STRAIGHT,
        false => LITTLE,
    };
    of_indices.saturating_mul(little) <= all
}

/// The largest of some host values, as unsigned numbers; `None` where all are constants within the limit.
fn largest(b: &mut Builder<'_>, needs: &[Value], limit: i64) -> Option<Value> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut largest = None;
    for &need in needs {
        let known = b.ir.constant_int(need);
        if known.is_some_and(|known| (0..=limit).contains(&known)) || !seen.insert(need) {
            continue;
        }
        largest = Some(match largest {
            None => need,
            Some(so_far) => arith::MaxUIOp::build(b, so_far, need).result(b.ir),
        });
    }
    largest
}

/// The launch becomes that of either kernel.
fn choose(ir: &mut Ir, narrowed: Narrowed, limit: i64, wide: Op) {
    let Narrowed { launch, largest } = narrowed;
    let Some(wide) = symbol_name(ir, wide).map(|name| ir.ctx().str(name).to_owned()) else {
        return;
    };
    let mut b = Builder::before(ir, launch.op());
    let limit = index::constant(&mut b, limit);
    let fits = index::cmp(&mut b, arith::CmpIPredicate::Ule, largest, limit);
    let branch = scf::IfOp::builder().condition(fits).build(&mut b).op();
    let loc = b.loc;
    let [then, otherwise] = [0, 1].map(|index| {
        let region = ir.region(branch, index);
        ir.add_block(region, &[])
    });
    let copy = Builder::at_end(ir, otherwise, loc).clone_op(launch.op(), &mut Mapping::new());
    launch_instead(ir, copy, &wide);
    ir.move_to_end(launch.op(), then);
    for block in [then, otherwise] {
        scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &[]);
    }
}
