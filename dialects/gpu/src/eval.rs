//! Execution of the gpu dialect by the reference interpreter: one lane per thread, thread blocks one after another.
//!
//! Lanes advance together, so a barrier only has to check that all of them are there, and a shuffle reads other lanes.

use crate::attrs::{DimensionAttr, ShuffleMode, ShuffleModeAttr};
use crate::bulk::OnItsWay;
use crate::device::{
    BarrierOp, BlockDimOp, BlockIdOp, CheckOp, GpuFuncOp, GridDimOp, ReturnOp, ShuffleOp,
    ThreadIdOp,
};
use crate::host::{AllocOp, DeallocOp, LaunchFuncOp, MemcpyOp, MemsetOp};
use crate::launch::SharedArrayOp;
use crate::nvgpu::ThreadCopies;
use segra_interp::array::element_count;
use segra_interp::code::yield_operands;
use segra_interp::{
    Buffer, Cx, Datum, Elem, Eval, EvalError, EvalResult, Fault, Flow, Inst, Lanes, MemRefValue,
    Prepare, Prepared,
};
use segra_ir::constraint::AttrAccess;
use segra_ir::types::DYNAMIC;
use segra_ir::{Op, OpView, Type};
use segra_space::Target;
use std::cell::RefCell;
use std::rc::Rc;

/// Lanes of a warp: those a shuffle reaches.
pub(crate) const WARP: usize = Target::CUDA.warp as usize;

/// Where a thread block stands in its grid, and what its threads have on their way.
pub(crate) struct Position {
    block: [i64; 3],
    grid_dim: [i64; 3],
    block_dim: [i64; 3],
    copies: RefCell<Vec<ThreadCopies>>,
    bulk: RefCell<Vec<OnItsWay>>,
}

impl Position {
    /// Changes the copies of one thread.
    pub(crate) fn copies<T>(&self, lane: usize, change: impl FnOnce(&mut ThreadCopies) -> T) -> T {
        let mut copies = self.copies.borrow_mut();
        if copies.len() <= lane {
            copies.resize_with(lane + 1, ThreadCopies::default);
        }
        change(&mut copies[lane])
    }
    /// Changes the copies of tiles that are on their way.
    pub(crate) fn on_their_way<T>(&self, change: impl FnOnce(&mut Vec<OnItsWay>) -> T) -> T {
        change(&mut self.bulk.borrow_mut())
    }
    fn thread(&self, lane: usize) -> [i64; 3] {
        let [x, y, _] = self.block_dim;
        let lane = lane as i64;
        [lane % x, lane / x % y, lane / (x * y)]
    }
}

fn prepare_dimension(p: &Prepare<'_>) -> Result<Prepared, Fault> {
    let dimension = p
        .attr("dimension")
        .and_then(|attr| DimensionAttr::read(p.ir.ctx(), attr));
    let dimension = dimension.ok_or_else(|| Fault::new("needs the attribute `dimension`"))?;
    Ok(Prepared::Word(dimension.index() as i64))
}

fn id(
    cx: &mut Cx<'_>,
    inst: &Inst,
    lanes: &Lanes,
    of: impl Fn(&Position, usize) -> [i64; 3],
) -> EvalResult {
    let position = cx
        .ambient::<Position>()
        .ok_or_else(|| cx.error(inst, "runs outside a kernel"))?;
    for lane in lanes.iter() {
        let value = of(&position, lane)[inst.word() as usize];
        cx.set_result(inst, 0, lane, Datum::Int(value));
    }
    Ok(Flow::Next)
}

macro_rules! ids {
    ($($op:ident => $of:expr;)*) => {$(
        impl Eval for $op {
            fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                id(cx, inst, lanes, $of)
            }
            fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
                prepare_dimension(p)
            }
        }
    )*};
}

ids! {
    ThreadIdOp => |position, lane| position.thread(lane);
    BlockIdOp => |position, _| position.block;
    BlockDimOp => |position, _| position.block_dim;
    GridDimOp => |position, _| position.grid_dim;
}

impl Eval for ReturnOp {
    fn eval(&self, _: &mut Cx<'_>, _: &Inst, _: &Lanes) -> EvalResult {
        yield_operands()
    }
}

impl Eval for BarrierOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        if cx.is_converged(lanes) {
            return Ok(Flow::Next);
        }
        let (here, all) = (lanes.len(), cx.frame_lanes());
        Err(cx.error(
            inst,
            format!("barrier divergence: {here} of {all} threads of the block reach it"),
        ))
    }
}

impl Eval for CheckOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            if cx.int(inst, 0, lane)? != 0 {
                continue;
            }
            let message = CheckOp::from_op(inst.op)
                .message_attr(cx.ir())
                .and_then(|attr| attr.as_str(cx.ir().ctx()));
            let mut message = message.unwrap_or("a check failed").to_owned();
            for index in 1..inst.operands.len() {
                let value = cx.int(inst, index, lane)?;
                message = message.replace(&format!("{{{}}}", index - 1), &value.to_string());
            }
            return Err(cx.error(inst, message));
        }
        Ok(Flow::Next)
    }
}

impl Eval for ShuffleOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let mode = ShuffleMode::ALL[inst.word() as usize];
        let active: std::collections::BTreeSet<usize> = lanes.iter().collect();
        let mut read = Vec::new();
        for lane in lanes.iter() {
            let (offset, width) = (cx.int(inst, 1, lane)?, cx.int(inst, 2, lane)?);
            if !(1..=WARP as i64).contains(&width) || width & (width - 1) != 0 {
                return Err(cx.error(
                    inst,
                    format!("width must be a power of two up to 32, not {width}"),
                ));
            }
            let (warp, own) = (lane / WARP * WARP, (lane % WARP) as i64);
            let first = own / width * width;
            let source = match mode {
                ShuffleMode::Xor => own ^ offset,
                ShuffleMode::Up => own - offset,
                ShuffleMode::Down => own + offset,
                ShuffleMode::Idx => first + offset.rem_euclid(width),
            };
            let valid = source >= first && source < first + width;
            let from = if valid { warp + source as usize } else { lane };
            if !active.contains(&from) {
                return Err(cx.error(
                    inst,
                    format!("thread {lane} reads from thread {from}, which does not take part"),
                ));
            }
            read.push((lane, cx.operand(inst, 0, from).clone(), valid));
        }
        for (lane, value, valid) in read {
            cx.set_result(inst, 0, lane, value);
            cx.set_result(inst, 1, lane, Datum::bool(valid));
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let mode = p
            .attr("mode")
            .and_then(|attr| ShuffleModeAttr::read(p.ir.ctx(), attr));
        let mode = mode.ok_or_else(|| Fault::new("needs the attribute `mode`"))?;
        Ok(Prepared::Word(mode as i64))
    }
}

/// A buffer of a memref type whose dynamic extents are `dynamic`.
fn allocate(cx: &Cx<'_>, inst: &Inst, ty: Type, dynamic: &[i64]) -> Result<Datum, EvalError> {
    let ctx = cx.ir().ctx();
    let (shape, element) = ty
        .shaped(ctx)
        .ok_or_else(|| cx.error(inst, "does not make a memref"))?;
    let elem = Elem::of(ctx, element)
        .ok_or_else(|| cx.error(inst, "has elements the interpreter cannot hold"))?;
    let mut dynamic = dynamic.iter();
    let sizes: Vec<i64> = shape
        .iter()
        .map(|&extent| {
            if extent == DYNAMIC {
                dynamic.next().copied().unwrap_or(0)
            } else {
                extent
            }
        })
        .collect();
    let extents: Option<Vec<usize>> = sizes
        .iter()
        .map(|&size| usize::try_from(size).ok())
        .collect();
    let Some(extents) = extents else {
        return Err(cx.error(inst, format!("sizes cannot be {sizes:?}")));
    };
    let count = cx.check(inst, cx.check_allocation(element_count(&extents)))?;
    let memref = MemRefValue::row_major(Buffer::zeros(elem, count), &sizes);
    memref
        .map(Datum::memref)
        .ok_or_else(|| cx.error(inst, "is too large"))
}

impl Eval for AllocOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let ty = cx.ir().value_type(cx.ir().result(inst.op, 0));
        for lane in lanes.iter() {
            let sizes = cx.ints(inst, 0..inst.operands.len(), lane)?;
            let memref = allocate(cx, inst, ty, &sizes)?;
            cx.set_result(inst, 0, lane, memref);
        }
        Ok(Flow::Next)
    }
}

impl Eval for SharedArrayOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        if !cx.is_converged(lanes) {
            return Err(cx.error(inst, "is not reached by all threads of the block"));
        }
        let ty = cx.ir().value_type(cx.ir().result(inst.op, 0));
        let mut shared: Option<(i64, Datum)> = None;
        for lane in lanes.iter() {
            let count = cx.int(inst, 1, lane)?;
            let array = match &shared {
                Some((known, array)) if *known == count => array.clone(),
                Some(_) => return Err(cx.error(inst, "has another size in every thread")),
                None => allocate(cx, inst, ty, &[count])?,
            };
            shared = Some((count, array.clone()));
            cx.set_result(inst, 0, lane, array);
        }
        Ok(Flow::Next)
    }
}

impl Eval for DeallocOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let freed = cx
                .memref(inst, inst.operands.len() - 1, lane)?
                .buffer
                .free();
            cx.check(inst, freed)?;
        }
        Ok(Flow::Next)
    }
}

impl Eval for MemcpyOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let first = inst.operands.len() - 2;
        for lane in lanes.iter() {
            let (to, from) = (
                cx.memref(inst, first, lane)?,
                cx.memref(inst, first + 1, lane)?,
            );
            cx.check(inst, to.copy_from(from))?;
        }
        Ok(Flow::Next)
    }
}

impl Eval for MemsetOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let first = inst.operands.len() - 2;
        for lane in lanes.iter() {
            let memref = cx.memref(inst, first, lane)?;
            let extents: Option<Vec<usize>> = memref
                .sizes
                .iter()
                .map(|&size| size.try_into().ok())
                .collect();
            let count = extents.and_then(|extents| element_count(&extents));
            let count = count.ok_or_else(|| cx.error(inst, "has impossible extents"))?;
            for position in memref.positions(count) {
                let position = usize::try_from(position).unwrap_or(usize::MAX);
                cx.check(
                    inst,
                    memref
                        .buffer
                        .store(position, cx.operand(inst, first + 1, lane)),
                )?;
            }
        }
        Ok(Flow::Next)
    }
}

/// The facts about a launch before it runs.
struct Launch {
    kernel: Op,
    /// Operand position of the grid's x extent; the others follow.
    extents: usize,
    arguments: std::ops::Range<usize>,
    shared: Vec<Type>,
}

impl Eval for LaunchFuncOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        let launch = inst
            .data::<Launch>()
            .ok_or_else(|| cx.error(inst, "was not prepared"))?;
        for lane in lanes.iter() {
            let extents = cx.ints(inst, launch.extents..launch.extents + 6, lane)?;
            let [gx, gy, gz, bx, by, bz] = extents[..] else {
                return Err(cx.error(inst, "needs six extents"));
            };
            if extents.iter().any(|&extent| extent < 0) {
                return Err(cx.error(inst, format!("extents cannot be {:?}", &extents[..])));
            }
            let threads = bx
                .checked_mul(by)
                .and_then(|xy| xy.checked_mul(bz))
                .unwrap_or(i64::MAX);
            let most = Target::CUDA.launch.block_threads;
            if threads > most {
                return Err(cx.error(
                    inst,
                    format!("{threads} threads per block; {most} are possible"),
                ));
            }
            if threads == 0 {
                continue;
            }
            let args: Vec<Datum> = launch
                .arguments
                .clone()
                .map(|index| cx.operand(inst, index, lane).clone())
                .collect();
            for z in 0..gz {
                for y in 0..gy {
                    for x in 0..gx {
                        let position = Position {
                            block: [x, y, z],
                            grid_dim: [gx, gy, gz],
                            block_dim: [bx, by, bz],
                            copies: RefCell::default(),
                            bulk: RefCell::default(),
                        };
                        run_block(cx, inst, launch, &args, position, threads as u32)?;
                    }
                }
            }
        }
        Ok(Flow::Next)
    }
    fn prepare(&self, p: &mut Prepare<'_>) -> Result<Prepared, Fault> {
        let reference = p
            .attr("kernel")
            .ok_or_else(|| Fault::new("needs the attribute `kernel`"))?;
        let kernel = p
            .resolve(reference)
            .and_then(|op| p.ir.cast::<GpuFuncOp>(op));
        let kernel = kernel.ok_or_else(|| Fault::new("launches a kernel that is not defined"))?;
        let shared = kernel
            .workgroup_buffers(p.ir)
            .iter()
            .map(|&value| p.ir.value_type(value))
            .collect();
        Ok(Prepared::other(Launch {
            kernel: kernel.op(),
            extents: p.ir.operand_group(p.op, 1).start,
            arguments: p.ir.operand_group(p.op, 11),
            shared,
        }))
    }
}

/// One thread block, with shared buffers of its own.
fn run_block(
    cx: &mut Cx<'_>,
    inst: &Inst,
    launch: &Launch,
    args: &[Datum],
    position: Position,
    threads: u32,
) -> Result<(), EvalError> {
    let mut args = args.to_vec();
    for &ty in &launch.shared {
        args.push(allocate(cx, inst, ty, &[])?);
    }
    cx.with_ambient(Rc::new(position), |cx| {
        cx.call_group(launch.kernel, inst, &args, threads)
    })
}
