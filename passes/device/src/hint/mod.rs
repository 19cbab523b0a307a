//! Pass `hint-loads`: loads of elements that a kernel reads once say so, and leave the caches to those it reads again.
//!
//! ```mlir
//! scf.for %k = %t to %m step %c256 {                     scf.for %k = %t to %m step %c256 {
//!   %x = memref.load %a[%row + %k]                 ==>     %x = memref.load %a[%row + %k] {segra.load_hint = "l2"}
//!   %y = memref.load %v[%k]                                %y = memref.load %v[%k]        // all blocks read it
//! ```
//! The three ways of column-based iteration, 2.1.2 ("Column-based iteration", Prasetya 2022), by who reads an element again:
//!
//! | again in | hint | cached |
//! |---|---|---|
//! | the kernel, or nobody knows | none | L1 and L2 |
//! | a later launch at most | `l2` | L2 only |
//! | nothing: the buffer is freed after every launch | `streaming` | L1 and L2, first to go |
//!
//! An element is read once where the index, as a sum of products of thread, block, counters of loops and sizes ([`place`]):
//! * has the thread, or its lane, as it is, and the warp too then: threads side by side, no two at one element;
//! * has the block: blocks do not share elements;
//! * has the counter of every loop around the load, and a step takes it at least a block's threads on;
//! * differs from those of other loads of the buffer by no less than that, and by no multiple of a step.
//!
//! It pays only where there is something to keep: a kernel without a buffer that it may read again keeps all loads as they are.
//!
//! Legality: a hint changes no result, so reuse is looked for and not disproved. Loads of parameters that `annotate-kernels`
//! found to be only read and to overlap nothing that is written, one dimension, 2 to 16 bytes. To be run after it, and
//! before `narrow-indices`, which hides launches in branches.

mod place;

use crate::alias::{Escape, allocation, root, uses};
use place::{Atom, Place, Places};
use rustc_hash::FxHashMap;
use segra_gpu::device::GpuFuncOp;
use segra_gpu::host::{DeallocOp, GpuModuleOp, LaunchFuncOp, launches, top_level};
use segra_ir::constraint::{AttrAccess, DenseI32Attr};
use segra_ir::symbol::SymbolTables;
use segra_ir::{AttrKind, Ir, Op, OpView, Type, TypeKind, Value};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::memref::{self, LOAD_HINT, LoadHint};
use segra_std::scf::ForOp;
use segra_std::{builtin, scf, vector};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct HintLoads {}
}

const INFO: PassInfo = PassInfo {
    name: "hint-loads",
    summary: "tell which loads of kernels read elements once, so that caches keep what is read again",
    reads: &["arith", "gpu", "memref", "scf"],
    writes: &["memref", "vector"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

/// Threads of a block where no launch says how many.
const MOST_THREADS: i64 = 1024;

impl Pass for HintLoads {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut tables = SymbolTables::new();
        let mut launches_of = FxHashMap::<Op, Vec<LaunchFuncOp>>::default();
        for launch in launches(ir, module) {
            if let Some(func) = launch.resolve_kernel(ir, &mut tables) {
                launches_of.entry(func.op()).or_default().push(launch);
            }
        }
        let kernels: Vec<GpuFuncOp> = top_level(ir, module)
            .filter(|&op| ir.isa::<GpuModuleOp>(op))
            .flat_map(|device| top_level(ir, device))
            .filter_map(|op| ir.cast(op))
            .collect();
        let mut hinted = 0;
        for kernel in kernels {
            if let Some(launches) = launches_of.get(&kernel.op()) {
                hinted += hint(ir, kernel, launches);
            }
        }
        cx.count("loads hinted", hinted);
        Ok(Outcome::of(Changed::when(hinted > 0)))
    }
}

/// A load of a parameter.
struct Load {
    op: Op,
    /// The number of the parameter, and of the first one that is given the same buffer.
    param: usize,
    buffer: usize,
    /// Elements it loads.
    width: i64,
    place: Option<Place>,
}

fn hint(ir: &mut Ir, kernel: GpuFuncOp, launches: &[LaunchFuncOp]) -> u64 {
    let params = kernel.parameters(ir);
    let loads = loads(ir, kernel, &params, &buffers(ir, launches, params.len()));
    let threads = threads(ir, kernel);
    let once: Vec<bool> = loads
        .iter()
        .map(|load| is_read_once(ir, kernel, load, threads) && !meets(load, &loads, threads))
        .collect();
    if !keeps_any(&loads, &once) {
        return 0;
    }
    let mut hinted = 0;
    for (load, _) in loads.iter().zip(once).filter(|&(_, once)| once) {
        if !is_plain(ir, kernel, load.param) || !has_form(ir, load.op) {
            continue;
        }
        let freed = launches
            .iter()
            .all(|&launch| is_freed_after(ir, launch, load.param));
        let hint = if freed {
            LoadHint::Streaming
        } else {
            LoadHint::L2
        };
        let attr = ir.ctx().str_attr(hint.text());
        ir.set_attr_named(load.op, LOAD_HINT, Some(attr));
        hinted += 1;
    }
    hinted
}

/// Whether there is a buffer that no load reads but once.
fn keeps_any(loads: &[Load], once: &[bool]) -> bool {
    let passes = |buffer| {
        loads
            .iter()
            .zip(once)
            .any(|(load, &once)| once && load.buffer == buffer)
    };
    loads.iter().any(|load| !passes(load.buffer))
}

/// Of each parameter, the first one that some launch gives the same buffer.
fn buffers(ir: &Ir, launches: &[LaunchFuncOp], params: usize) -> Vec<usize> {
    let mut buffers: Vec<usize> = (0..params).collect();
    for launch in launches {
        let roots: Vec<Value> = launch
            .arguments(ir)
            .iter()
            .map(|&argument| root(ir, argument))
            .collect();
        for (at, buffer) in buffers.iter_mut().enumerate() {
            let first = roots.iter().position(|root| roots.get(at) == Some(root));
            *buffer = first.map_or(*buffer, |first| first.min(*buffer));
        }
    }
    buffers
}

/// Loads of a kernel's parameters, in its order.
fn loads(ir: &Ir, kernel: GpuFuncOp, params: &[Value], buffers: &[usize]) -> Vec<Load> {
    let mut places = Places::new(ir, params);
    let mut found = Vec::new();
    for op in ir.walk(kernel.op()) {
        let (array, indices, width) = if let Some(load) = ir.cast::<memref::LoadOp>(op) {
            (load.memref(ir), load.indices(ir), 1)
        } else if let Some(load) = ir.cast::<vector::LoadOp>(op) {
            let ty = ir.value_type(load.result(ir));
            let width = ty
                .shaped(ir.ctx())
                .map_or(1, |(shape, _)| shape.iter().product());
            (load.base(ir), load.indices(ir), width)
        } else {
            continue;
        };
        let Some(param) = params.iter().position(|&param| param == array) else {
            continue;
        };
        let place = match indices[..] {
            [index] => places.of(index),
            _ => None,
        };
        found.push(Load {
            op,
            param,
            buffer: buffers[param],
            width,
            place,
        });
    }
    found
}

/// Threads of the kernel's blocks.
fn threads(ir: &Ir, kernel: GpuFuncOp) -> i64 {
    let known = kernel.known_block_size_attr(ir);
    let sizes = known.and_then(|attr| DenseI32Attr::read(ir.ctx(), attr));
    sizes.map_or(MOST_THREADS, |sizes| sizes.iter().product())
}

/// How many elements threads side by side load at once, where no two of a grid load one and no turn of a loop finds one again.
fn is_read_once(ir: &Ir, kernel: GpuFuncOp, load: &Load, threads: i64) -> bool {
    let Some(place) = &load.place else {
        return false;
    };
    let Some(across) = across(place, load.width, threads) else {
        return false;
    };
    place.has_whole_block()
        && ir
            .ancestors(load.op)
            .take_while(|&around| around != kernel.op())
            .all(|around| match ir.cast::<ForOp>(around) {
                Some(looped) => {
                    let step = place.by(Atom::Turn(looped.induction_var(ir)));
                    match step.constant() {
                        Some(step) => step.abs() >= across,
                        None => !step.is_zero(),
                    }
                }
                None => around == load.op || ir.isa::<scf::IfOp>(around),
            })
}

/// The elements that threads side by side read at once, if they do and no two threads of a block read one.
fn across(place: &Place, width: i64, threads: i64) -> Option<i64> {
    let by_thread = place.by(Atom::Thread);
    if !by_thread.is_zero() {
        return (by_thread.constant() == Some(width) && !place.has_lanes())
            .then_some(threads * width);
    }
    // A lane, and its warp in another place.
    let lanes = place.only_lane()?;
    let lane = place.by(Atom::Lane(lanes)).constant();
    let warp = !place.by(Atom::Warp(lanes)).is_zero();
    (lanes % 32 == 0 && lane == Some(width) && (warp || lanes >= threads)).then_some(lanes * width)
}

/// Whether another load of the buffer may read elements of this one, as far as places tell.
fn meets(load: &Load, all: &[Load], threads: i64) -> bool {
    let Some(place) = &load.place else {
        return true;
    };
    let mut others = all
        .iter()
        .filter(|other| other.op != load.op && other.buffer == load.buffer);
    others.any(|other| {
        let Some(there) = &other.place else {
            return true;
        };
        // Loops that start at one place go through the same elements.
        let apart = there.minus(place).without_turns();
        match apart.constant() {
            // Neighbours: threads of a block read them for each other.
            Some(apart) if apart.abs() < across(place, load.width, threads).unwrap_or(threads) => {
                true
            }
            _ => place
                .turns()
                .any(|turn| apart.is_multiple_of(&place.by(turn))),
        }
    })
}

/// Whether a parameter is only read and overlaps nothing that is written.
fn is_plain(ir: &Ir, kernel: GpuFuncOp, param: usize) -> bool {
    let ctx = ir.ctx();
    let Some(AttrKind::Array(params)) = kernel.arg_attrs_attr(ir).map(|attr| ctx.attr_kind(attr))
    else {
        return false;
    };
    let Some(AttrKind::Dict(dict)) = params.get(param).map(|&attr| ctx.attr_kind(attr)) else {
        return false;
    };
    ["llvm.noalias", "llvm.readonly"].iter().all(|&wanted| {
        let mut entries = ctx.entries(*dict).iter();
        entries.any(|&(name, _)| name == ctx.ident(wanted))
    })
}

/// Whether there are instructions with hints for what a load loads: 2 to 16 bytes of numbers of 16 bits or more.
fn has_form(ir: &Ir, load: Op) -> bool {
    let ctx = ir.ctx();
    let bits = |ty: Type| match ctx.type_kind(ty) {
        TypeKind::Float(kind) => kind.width(),
        TypeKind::Integer { width, .. } => *width,
        _ => 0,
    };
    let Some(result) = ir.results(load).next().map(|result| ir.value_type(result)) else {
        return false;
    };
    match result.shaped(ctx) {
        None => [16, 32, 64].contains(&bits(result)),
        Some((shape, element)) => {
            let lanes: i64 = shape.iter().product();
            let element = bits(element);
            [16, 32, 64].contains(&element)
                && shape.len() == 1
                && [32, 64, 128].contains(&(lanes * i64::from(element)))
        }
    }
}

/// Whether the buffer that a launch gets for a parameter is freed after it, and nothing uses it in between.
fn is_freed_after(ir: &Ir, launch: LaunchFuncOp, param: usize) -> bool {
    let arguments = launch.arguments(ir);
    let Some(&argument) = arguments.get(param) else {
        return false;
    };
    let Some(block) = ir.block_of(launch.op()) else {
        return false;
    };
    let buffer = root(ir, argument);
    let same = arguments.iter().filter(|&&other| root(ir, other) == buffer);
    if same.count() > 1 || allocation(ir, block, argument).is_none() {
        return false;
    }
    let Some(uses) = uses(ir, block, buffer) else {
        return false;
    };
    uses.iter().any(|used| ir.isa::<DeallocOp>(used.user))
        && uses.iter().all(|used| {
            used.escape == Escape::No
                && (ir.isa::<DeallocOp>(used.user)
                    || used.at == launch.op()
                    || ir.is_before(used.at, launch.op()))
        })
}
