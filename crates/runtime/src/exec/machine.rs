//! Runs a host plan: one call frame per plan, blocks by recursion of bounded depth.
//!
//! The artifact is valid, so slots, blocks and ids are there and have the right types; what remains to check is what
//! values decide: counts, indices, divisions, steps, launch limits, failed checks.
//!
//! Cells that hold buffers are references to them, and every copy of one is counted: [`Machine::read_all`] makes
//! references, [`Machine::write_all`] moves them into slots, [`Machine::clear`] gives up those of slots that are dead
//! (see [`super::lifetimes`]).

use super::error::{RunError, RunErrorKind};
use super::eval;
use super::lifetimes::{Dying, Lifetimes};
use super::memory::{Buffer, Buffers};
use super::queue::Queue;
use super::report::{Comparison, RunReport};
use super::{ErrorChecks, RunOptions};
use crate::device::{Device, DeviceError, DeviceKind, DevicePtr, KernelArg, MapArg, ModuleHandle};
use crate::schedule::{LaunchTask, Task, Use};
use segra_artifact::{
    Access, Artifact, BlockId, ElemType, ErrorRecord, ForLoop, Instr, Kernel, KernelParam,
    LaunchInstr, LocationId, MOST_EXTENTS, MapExtent, Plan, PlanId, Scalar, SiteId, Slot, SlotType,
    Stmt, TensorMap, WhileLoop,
};
use std::collections::BTreeMap;

/// Levels of nested blocks and calls. Keeps the recursion well inside a thread's stack.
const MAX_DEPTH: usize = 256;

/// The contents of a slot.
#[derive(Clone, Copy, Debug)]
pub(super) enum Cell {
    Empty,
    Scalar(Scalar),
    Buffer(Buffer),
}

type Frame = Vec<Cell>;

/// A plan, and when its slots die.
#[derive(Clone, Copy)]
struct Code<'a> {
    plan: &'a Plan,
    lifetimes: &'a Lifetimes,
}

pub(super) type Run<T = ()> = Result<T, RunError>;

pub(super) struct Machine<'a> {
    pub(super) artifact: &'a Artifact,
    pub(super) device: &'a dyn Device,
    pub(super) module: Option<ModuleHandle>,
    pub(super) options: &'a RunOptions,
    pub(super) buffers: Buffers<'a>,
    pub(super) report: RunReport,
    /// One per plan.
    lifetimes: &'a [Lifetimes],
    /// The value of each tunable in this run.
    tunables: Vec<i64>,
    /// How often a tunable was compared with a value.
    compared: BTreeMap<(usize, i64), u64>,
    /// The device's pending work.
    pub(super) queue: Queue,
    /// The error record of this run, once a kernel needed one.
    record: Option<DevicePtr>,
    /// Where the statement that runs comes from.
    pub(super) at: Option<LocationId>,
    /// Blocks entered and not left.
    depth: usize,
    instructions: u64,
}

impl<'a> Machine<'a> {
    pub(super) fn new(
        artifact: &'a Artifact,
        device: &'a dyn Device,
        module: Option<ModuleHandle>,
        lifetimes: &'a [Lifetimes],
        options: &'a RunOptions,
        tunables: Vec<i64>,
    ) -> Machine<'a> {
        let buffers = Buffers::new(device);
        Machine {
            artifact,
            device,
            module,
            options,
            buffers,
            report: RunReport::default(),
            lifetimes,
            tunables,
            compared: BTreeMap::new(),
            queue: Queue::new(options.order),
            record: None,
            at: None,
            depth: 0,
            instructions: 0,
        }
    }

    /// Runs an entry's plan; the caller keeps its references to the arguments.
    pub(super) fn enter(&mut self, plan: PlanId, args: &[Cell]) -> Run<Vec<Cell>> {
        args.iter().for_each(|arg| self.retain(arg));
        self.call(plan, args)
    }

    /// Runs a plan, which takes the arguments over; the results are the caller's.
    fn call(&mut self, id: PlanId, args: &[Cell]) -> Run<Vec<Cell>> {
        let artifact = self.artifact;
        let (Some(plan), Some(lifetimes)) = (
            artifact.plans.get(id.index()),
            self.lifetimes.get(id.index()),
        ) else {
            return Err(RunErrorKind::Internal("a plan is missing").into());
        };
        let code = Code { plan, lifetimes };
        let mut frame = vec![Cell::Empty; plan.slots.len()];
        self.write_all(&mut frame, &plan.params, args);
        self.block(code, &mut frame, Plan::BODY)?;
        Ok(self.leave(code, &mut frame, Plan::BODY))
    }

    fn block(&mut self, code: Code<'a>, frame: &mut Frame, id: BlockId) -> Run {
        let (Some(block), Some(lifetimes)) = (code.plan.block(id), code.lifetimes.block(id)) else {
            return Err(RunErrorKind::Internal("a block is missing").into());
        };
        if self.depth >= MAX_DEPTH {
            return Err(RunErrorKind::Depth(MAX_DEPTH).into());
        }
        self.depth += 1;
        // A block counts as one more, so that empty loops end too.
        self.instructions += 1 + block.stmts.len() as u64;
        if let Some(limit) = self
            .options
            .instruction_limit
            .filter(|limit| self.instructions > *limit)
        {
            return Err(RunErrorKind::InstructionLimit(limit).into());
        }
        if let Some(control) = &self.options.control {
            control.entered(self.instructions);
            if let Some(why) = control.stopped() {
                return Err(RunErrorKind::Stopped(why).into());
            }
        }
        self.clear(frame, &lifetimes.unread);
        for (stmt, dying) in block.stmts.iter().zip(&lifetimes.after) {
            self.stmt(code, frame, stmt, dying)?;
            self.clear(frame, &dying.operands);
            self.clear(frame, &dying.others);
        }
        self.depth -= 1;
        Ok(())
    }

    /// The yielded values of a block that has run: its own slots are dead then.
    fn leave(&mut self, code: Code<'a>, frame: &mut Frame, id: BlockId) -> Vec<Cell> {
        let yielded = code.plan.block(id).map_or(&[][..], |block| &block.results);
        let values = self.read_all(frame, yielded);
        if let Some(lifetimes) = code.lifetimes.block(id) {
            self.clear(frame, &lifetimes.yielded);
        }
        values
    }

    /// The references an instruction with blocks takes over: slots that nothing reads any more give it their references.
    fn take_over(&mut self, frame: &mut Frame, slots: &[Slot], dying: &Dying) -> Vec<Cell> {
        let values = self.read_all(frame, slots);
        self.clear(frame, &dying.operands);
        values
    }

    /// Runs a statement; errors without a place get the statement's.
    fn stmt(&mut self, code: Code<'a>, frame: &mut Frame, stmt: &'a Stmt, dying: &Dying) -> Run {
        if let Some(control) = &self.options.control {
            control.at(stmt.location);
        }
        let result = match &stmt.instr {
            Instr::If {
                cond,
                then_block,
                else_block,
                results,
            } => {
                let taken = if boolean(frame, *cond)? {
                    *then_block
                } else {
                    *else_block
                };
                self.block(code, frame, taken).map(|()| {
                    let values = self.leave(code, frame, taken);
                    self.write_all(frame, results, &values);
                })
            }
            Instr::For(for_loop) => self.for_loop(code, frame, for_loop, dying),
            Instr::While(while_loop) => self.while_loop(code, frame, while_loop, dying),
            Instr::Call {
                plan: callee,
                args,
                results,
            } => {
                let args = self.take_over(frame, args, dying);
                self.call(*callee, &args)
                    .map(|values| self.write_all(frame, results, &values))
            }
            Instr::Launch(launch) => {
                self.at = stmt.location;
                self.launch(frame, launch)
            }
            instr => {
                self.at = stmt.location;
                self.simple(code.plan, frame, instr)
            }
        };
        result.map_err(|error| self.locate(error, stmt.location))
    }

    pub(super) fn locate(&self, error: RunError, location: Option<LocationId>) -> RunError {
        let RunError {
            kind,
            location: known,
        } = error;
        let here = || location.and_then(|location| self.artifact.source_map.position(location));
        RunError {
            kind,
            location: known.or_else(here),
        }
    }

    fn for_loop(
        &mut self,
        code: Code<'a>,
        frame: &mut Frame,
        for_loop: &'a ForLoop,
        dying: &Dying,
    ) -> Run {
        let (mut index, upper) = (
            index_of(frame, for_loop.lower)?,
            index_of(frame, for_loop.upper)?,
        );
        let step = index_of(frame, for_loop.step)?;
        if step <= 0 && index < upper {
            return Err(RunErrorKind::Step(step).into());
        }
        let mut carried = self.take_over(frame, &for_loop.inits, dying);
        while index < upper {
            frame[for_loop.index.index()] = Cell::Scalar(Scalar::i64(index));
            self.write_all(frame, &for_loop.carried, &carried);
            self.block(code, frame, for_loop.body)?;
            carried = self.leave(code, frame, for_loop.body);
            self.end_iteration()?;
            let Some(next) = index.checked_add(step) else {
                break;
            };
            index = next;
        }
        self.write_all(frame, &for_loop.results, &carried);
        Ok(())
    }

    fn while_loop(
        &mut self,
        code: Code<'a>,
        frame: &mut Frame,
        while_loop: &'a WhileLoop,
        dying: &Dying,
    ) -> Run {
        let mut args = self.take_over(frame, &while_loop.inits, dying);
        loop {
            self.write_all(frame, &while_loop.before_args, &args);
            self.block(code, frame, while_loop.before)?;
            let goes_on = boolean(frame, while_loop.cond)?;
            let forwarded = self.leave(code, frame, while_loop.before);
            if !goes_on {
                self.write_all(frame, &while_loop.results, &forwarded);
                return Ok(());
            }
            self.write_all(frame, &while_loop.after_args, &forwarded);
            self.block(code, frame, while_loop.after)?;
            args = self.leave(code, frame, while_loop.after);
            self.end_iteration()?;
        }
    }

    /// Instructions without nested blocks, calls and launches.
    fn simple(&mut self, plan: &Plan, frame: &mut Frame, instr: &Instr) -> Run {
        match instr {
            Instr::Const { dst, value } => frame[dst.index()] = Cell::Scalar(*value),
            Instr::Unary { op, dst, src } => {
                frame[dst.index()] = Cell::Scalar(eval::unary(*op, scalar(frame, *src)?));
            }
            Instr::Binary { op, dst, lhs, rhs } => {
                let value = eval::binary(*op, scalar(frame, *lhs)?, scalar(frame, *rhs)?)
                    .map_err(|eval::DivisionByZero| RunErrorKind::DivisionByZero)?;
                frame[dst.index()] = Cell::Scalar(value);
            }
            Instr::Compare { op, dst, lhs, rhs } => {
                let value = eval::compare(*op, scalar(frame, *lhs)?, scalar(frame, *rhs)?);
                frame[dst.index()] = Cell::Scalar(Scalar::bool(value));
            }
            Instr::Select {
                dst,
                cond,
                on_true,
                on_false,
            } => {
                let chosen = match boolean(frame, *cond)? {
                    true => *on_true,
                    false => *on_false,
                };
                let chosen = self.read_all(frame, &[chosen]);
                self.write_all(frame, &[*dst], &chosen);
            }
            Instr::Convert { op, dst, src } => {
                let to = plan.slot_type(*dst).map_or(ElemType::I64, SlotType::elem);
                frame[dst.index()] = Cell::Scalar(eval::convert(*op, scalar(frame, *src)?, to));
            }
            Instr::AtLeast {
                dst,
                value,
                tunable,
            } => {
                let value = index_of(frame, *value)?;
                let key = (tunable.index(), value);
                if self.compared.len() < RunReport::RECORDS || self.compared.contains_key(&key) {
                    *self.compared.entry(key).or_default() += 1;
                }
                let least = self.tunables.get(tunable.index());
                let reached = value >= least.copied().unwrap_or_default();
                frame[dst.index()] = Cell::Scalar(Scalar::bool(reached));
            }
            Instr::Check { cond, site, values } => {
                if !boolean(frame, *cond)? {
                    let text = |slot: &Slot| scalar(frame, *slot).map(|value| value.to_string());
                    let values = values.iter().map(text);
                    let values = values.collect::<Result<Vec<String>, RunError>>()?;
                    return Err(self.failed_check(*site, &values, None));
                }
            }
            memory => return self.memory(plan, frame, memory),
        }
        Ok(())
    }

    /// The comparisons with tunables so far.
    pub(super) fn comparisons(&self) -> Vec<Comparison> {
        let named = self
            .compared
            .iter()
            .filter_map(|(&(tunable, value), &times)| {
                let tunable = self.artifact.tunables.get(tunable)?.name.clone();
                Some(Comparison {
                    tunable,
                    value,
                    times,
                })
            });
        named.collect()
    }

    /// Copies so many elements.
    fn copy(&mut self, frame: &Frame, [dst, src, count]: [Slot; 3]) -> Run {
        let (dst, src) = (buffer_of(frame, dst)?, buffer_of(frame, src)?);
        let count = index_of(frame, count)?;
        let (to, from) = (
            self.buffers.range("copy", dst, 0, count)?,
            self.buffers.range("copy", src, 0, count)?,
        );
        // Copying a buffer onto itself changes nothing, and devices need not accept it.
        if count > 0 && to != from {
            let bytes = count as u64 * dst.elem.size() as u64;
            let uses = vec![used(to, bytes, true), used(from, bytes, false)];
            let task = Task::Copy {
                dst: to,
                src: from,
                bytes,
            };
            self.enqueue(task, uses, None)?;
            self.report.copied_bytes += bytes;
        }
        Ok(())
    }

    fn memory(&mut self, plan: &Plan, frame: &mut Frame, instr: &Instr) -> Run {
        match instr {
            Instr::Alloc { dst, count } => {
                let elem = plan.slot_type(*dst).map_or(ElemType::I8, SlotType::elem);
                let place = self
                    .at
                    .and_then(|location| self.artifact.source_map.render(location));
                let name = match place {
                    Some(place) => format!("{}{dst} ({place})", plan.name),
                    None => format!("{}{dst}", plan.name),
                };
                let count = index_of(frame, *count)?;
                let buffer = self.alloc(elem, count, &name)?;
                self.write_all(frame, &[*dst], &[Cell::Buffer(buffer)]);
            }
            Instr::Free { buffer } => self.buffers.free(buffer_of(frame, *buffer)?)?,
            Instr::Slice {
                dst,
                src,
                offset,
                count,
            } => {
                let (offset, count) = (index_of(frame, *offset)?, index_of(frame, *count)?);
                let slice = self.buffers.slice(buffer_of(frame, *src)?, offset, count)?;
                self.buffers.retain(slice);
                self.write_all(frame, &[*dst], &[Cell::Buffer(slice)]);
            }
            Instr::Copy { dst, src, count } => self.copy(frame, [*dst, *src, *count])?,
            Instr::Fill {
                buffer,
                value,
                count,
            } => {
                let (buffer, count) = (buffer_of(frame, *buffer)?, index_of(frame, *count)?);
                let at = self.buffers.range("fill", buffer, 0, count)?;
                if count > 0 {
                    let (pattern, count) = (scalar(frame, *value)?.to_le_bytes(), count as u64);
                    let bytes = count * buffer.elem.size() as u64;
                    let task = Task::Fill {
                        dst: at,
                        pattern,
                        count,
                    };
                    self.enqueue(task, vec![used(at, bytes, true)], None)?;
                    self.report.filled_bytes += bytes;
                }
            }
            element => return self.element(frame, element),
        }
        Ok(())
    }

    /// Reads or writes one element from the host.
    fn element(&mut self, frame: &mut Frame, instr: &Instr) -> Run {
        match instr {
            Instr::ReadElem { dst, buffer, index } => {
                let buffer = buffer_of(frame, *buffer)?;
                let at = self.buffers.element(buffer, index_of(frame, *index)?)?;
                self.flush()?;
                self.check_record(None)?;
                let mut bytes = [0u8; 8];
                let bytes = &mut bytes[..buffer.elem.size()];
                self.device.download(at, bytes)?;
                self.report.downloaded_bytes += bytes.len() as u64;
                let value = Scalar::from_le_bytes(buffer.elem, bytes);
                frame[dst.index()] = value.map_or(Cell::Empty, Cell::Scalar);
            }
            Instr::WriteElem {
                buffer,
                index,
                value,
            } => {
                let at = self
                    .buffers
                    .element(buffer_of(frame, *buffer)?, index_of(frame, *index)?)?;
                let pattern = scalar(frame, *value)?.to_le_bytes();
                let uses = vec![used(at, pattern.len() as u64, true)];
                self.report.uploaded_bytes += pattern.len() as u64;
                self.enqueue(
                    Task::Fill {
                        dst: at,
                        pattern,
                        count: 1,
                    },
                    uses,
                    None,
                )?;
            }
            _ => {
                return Err(
                    RunErrorKind::Internal("an instruction reached the wrong place").into(),
                );
            }
        }
        Ok(())
    }

    fn launch(&mut self, frame: &mut Frame, launch: &LaunchInstr) -> Run {
        let index = launch.kernel.index();
        let (Some(kernel), Some(module)) = (self.artifact.kernels.get(index), self.module) else {
            return Err(RunErrorKind::Internal("a kernel is missing").into());
        };
        let shared = launch
            .dynamic_shared
            .map_or(Ok(0), |slot| index_of(frame, slot))?;
        let grid = indices(frame, launch.grid)?;
        let block = indices(frame, launch.block)?;
        let Some((grid, block, dynamic_shared)) = self.launch_shape(kernel, grid, block, shared)?
        else {
            self.report.empty_launches += 1;
            return Ok(());
        };
        let (mut args, mut uses) = (Vec::with_capacity(kernel.params.len()), Vec::new());
        for (slot, param) in launch.args.iter().zip(&kernel.params) {
            args.push(match frame[slot.index()] {
                Cell::Buffer(buffer) => {
                    let ptr = self.buffers.ptr(buffer)?;
                    uses.push(used(
                        ptr,
                        buffer.count * buffer.elem.size() as u64,
                        may_write(param),
                    ));
                    match param {
                        KernelParam::TensorMap(map) => {
                            let map = map_of(frame, &launch.args, map, ptr)?;
                            let mut elements = map.extents[..map.rank].iter();
                            let elements = elements.try_fold(1u64, |all, it| all.checked_mul(*it));
                            if elements.is_none_or(|elements| elements > buffer.count) {
                                let what = "its extents are larger than its memory".to_owned();
                                return Err(DeviceError::TensorMap(what).into());
                            }
                            KernelArg::TensorMap(map)
                        }
                        _ => KernelArg::Pointer(ptr),
                    }
                }
                Cell::Scalar(scalar) => KernelArg::Scalar(scalar),
                Cell::Empty => return Err(RunErrorKind::Internal("a slot is empty").into()),
            });
        }
        let checked = kernel.params.last() == Some(&KernelParam::ErrorRecord);
        if checked {
            args.push(KernelArg::Pointer(self.record()?));
        }
        let task = LaunchTask {
            module,
            kernel: index,
            grid,
            block,
            dynamic_shared,
            args,
        };
        self.enqueue(Task::Launch(task), uses, checked.then_some(index))
    }

    /// The launch's extents within the limits of device and kernel; `None` when nothing is to be launched.
    #[allow(
        clippy::type_complexity,
        reason = "grid, block, shared memory: named where it is used"
    )]
    fn launch_shape(
        &self,
        kernel: &Kernel,
        grid: [i64; 3],
        block: [i64; 3],
        shared: i64,
    ) -> Run<Option<([u32; 3], [u32; 3], u32)>> {
        let info = self.device.info();
        let limit = |what: String, value: i64, limit: u64| {
            if u64::try_from(value).is_ok_and(|value| value <= limit) {
                return Ok(value as u32);
            }
            Err(RunError::from(RunErrorKind::LaunchLimit {
                kernel: kernel.name.clone(),
                what,
                value,
                limit,
            }))
        };
        if grid.iter().chain(&block).any(|extent| *extent == 0) {
            return Ok(None);
        }
        let (mut checked_grid, mut checked_block) = ([0u32; 3], [0u32; 3]);
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let (most_blocks, most_threads) = (info.max_grid[axis], info.max_block[axis]);
            checked_grid[axis] = limit(
                format!("grid extent {name}"),
                grid[axis],
                u64::from(most_blocks),
            )?;
            checked_block[axis] = limit(
                format!("block extent {name}"),
                block[axis],
                u64::from(most_threads),
            )?;
        }
        let threads: i64 = checked_block
            .iter()
            .map(|extent| i64::from(*extent))
            .product();
        let most_threads = info.max_threads_per_block.min(kernel.max_threads_per_block);
        limit(
            "threads per block".to_owned(),
            threads,
            u64::from(most_threads),
        )?;
        let free = info
            .max_shared_bytes
            .saturating_sub(kernel.static_shared_bytes);
        let shared = limit(
            "dynamic shared memory in bytes".to_owned(),
            shared,
            u64::from(free),
        )?;
        Ok(Some((checked_grid, checked_block, shared)))
    }

    /// The error record, allocated and zeroed when first needed.
    fn record(&mut self) -> Run<DevicePtr> {
        if let Some(ptr) = self.record {
            return Ok(ptr);
        }
        let buffer = self.alloc(ElemType::I8, ErrorRecord::SIZE as i64, "error record")?;
        self.buffers.expect(buffer);
        let ptr = self.buffers.ptr(buffer)?;
        // Its memory may come from the pool, and be renewed by a step that has not run. A fill, because it waits for nothing.
        self.flush()?;
        self.device.fill(ptr, &[0], ErrorRecord::SIZE as u64)?;
        self.record = Some(ptr);
        Ok(ptr)
    }

    fn retain(&mut self, cell: &Cell) {
        if let Cell::Buffer(buffer) = cell {
            self.buffers.retain(*buffer);
        }
    }

    /// Reads all before anything is written, so that values may swap places.
    fn read_all(&mut self, frame: &Frame, slots: &[Slot]) -> Vec<Cell> {
        let values: Vec<Cell> = slots.iter().map(|slot| frame[slot.index()]).collect();
        values.iter().for_each(|value| self.retain(value));
        values
    }

    /// Moves values into slots; what these held goes.
    fn write_all(&mut self, frame: &mut Frame, slots: &[Slot], values: &[Cell]) {
        for (slot, value) in slots.iter().zip(values) {
            self.replace(&mut frame[slot.index()], *value);
        }
    }

    /// Empties slots that nothing reads any more.
    fn clear(&mut self, frame: &mut Frame, slots: &[Slot]) {
        for slot in slots {
            self.replace(&mut frame[slot.index()], Cell::Empty);
        }
    }

    fn replace(&mut self, cell: &mut Cell, value: Cell) {
        if let Cell::Buffer(old) = std::mem::replace(cell, value) {
            self.buffers.release(old);
        }
    }

    /// The contents of a cell may be live at the end.
    pub(super) fn expect(&mut self, cell: &Cell) {
        if let Cell::Buffer(buffer) = cell {
            self.buffers.expect(*buffer);
        }
    }

    pub(super) fn checks_each_launch(&self) -> bool {
        match self.options.error_checks {
            ErrorChecks::Auto => self.device.info().kind == DeviceKind::Simulator,
            ErrorChecks::EachLaunch => true,
            ErrorChecks::AtReads => false,
        }
    }

    /// Reports what a kernel wrote into the error record: that kernel, when only one can have.
    pub(super) fn check_record(&mut self, kernel: Option<usize>) -> Run {
        let Some(ptr) = self.record else {
            return Ok(());
        };
        let mut bytes = [0u8; ErrorRecord::SIZE];
        self.device.download(ptr, &mut bytes)?;
        let record = ErrorRecord::from_bytes(&bytes);
        let Some(site) = record.site() else {
            return Ok(());
        };
        let values = record.values.map(|value| value.to_string());
        // When launches are not checked one by one, an earlier kernel may have failed: no name is better than a wrong one.
        let kernel = kernel.filter(|_| self.checks_each_launch());
        let kernel = kernel.and_then(|kernel| self.artifact.kernels.get(kernel));
        Err(self.failed_check(site, &values, kernel.map(|kernel| kernel.name.clone())))
    }

    fn failed_check(&self, site: SiteId, values: &[String], kernel: Option<String>) -> RunError {
        match self.artifact.check_sites.get(site.index()) {
            Some(known) => {
                let kind = RunErrorKind::Check {
                    message: known.render(values),
                    kernel,
                };
                self.locate(kind.into(), known.location)
            }
            None => RunErrorKind::Check {
                message: format!("an unknown check failed ({site})"),
                kernel,
            }
            .into(),
        }
    }
}

fn scalar(frame: &Frame, slot: Slot) -> Run<Scalar> {
    match frame[slot.index()] {
        Cell::Scalar(scalar) => Ok(scalar),
        _ => Err(RunErrorKind::Internal("a slot holds no scalar").into()),
    }
}

fn buffer_of(frame: &Frame, slot: Slot) -> Run<Buffer> {
    match frame[slot.index()] {
        Cell::Buffer(buffer) => Ok(buffer),
        _ => Err(RunErrorKind::Internal("a slot holds no buffer").into()),
    }
}

fn boolean(frame: &Frame, slot: Slot) -> Run<bool> {
    scalar(frame, slot).map(|value| value.bits() != 0)
}

fn index_of(frame: &Frame, slot: Slot) -> Run<i64> {
    scalar(frame, slot).map(|value| value.bits() as i64)
}

fn indices(frame: &Frame, slots: [Slot; 3]) -> Run<[i64; 3]> {
    Ok([
        index_of(frame, slots[0])?,
        index_of(frame, slots[1])?,
        index_of(frame, slots[2])?,
    ])
}

fn used(ptr: DevicePtr, bytes: u64, writes: bool) -> Use {
    Use {
        start: ptr.0,
        bytes,
        writes,
    }
}

/// Whether a kernel may change the buffer it gets for a parameter.
fn may_write(param: &KernelParam) -> bool {
    !matches!(
        param,
        KernelParam::Buffer {
            access: Access::Read,
            ..
        } | KernelParam::TensorMap(_)
    )
}

/// The tensor map of an array, with the extents that a launch says.
fn map_of(frame: &Frame, args: &[Slot], map: &TensorMap, array: DevicePtr) -> Run<MapArg> {
    let rank = usize::from(map.rank).min(MOST_EXTENTS);
    let mut extents = [1u64; MOST_EXTENTS];
    for (extent, known) in extents.iter_mut().zip(&map.extents[..rank]) {
        *extent = match *known {
            MapExtent::Const(extent) => extent,
            MapExtent::Param(number) => {
                let slot = args.get(number as usize);
                let slot = slot.ok_or(RunErrorKind::Internal("an argument is missing"))?;
                u64::try_from(index_of(frame, *slot)?)
                    .map_err(|_| RunErrorKind::Internal("an extent is negative"))?
            }
        };
    }
    Ok(MapArg {
        array,
        element_bytes: map.elem.size() as u32,
        rank,
        extents,
        extents_of_box: map.extents_of_box,
        in_lines: map.in_lines,
    })
}
