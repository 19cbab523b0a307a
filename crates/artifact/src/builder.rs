//! Builds host plans: every method adds one instruction and returns the slots it defines.
//!
//! Nothing panics and no method returns a `Result`: the first mistake (a scalar where a buffer is needed, operands of
//! different types, an `end` without its `begin`) is remembered with the place it happened, later calls go on with
//! slots of plausible types, and [`PlanBuilder::finish`] reports it. Anything that needs the whole artifact (kernel arguments,
//! callees, sites, visibility) is checked by [`crate::Artifact::validate`].
//!
//! Nested blocks come in two forms: closures ([`PlanBuilder::if_`], [`PlanBuilder::for_`], [`PlanBuilder::while_`])
//! where plans are written by hand, and `begin_`/`end_` pairs where a recursive translator writes them.

use crate::plan::{
    BinaryOp, Block, Compare, Convert, ForLoop, Instr, LaunchInstr, Plan, SlotType, Stmt, UnaryOp,
    WhileLoop,
};
use crate::{BlockId, ElemType, KernelId, LocationId, PlanId, Scalar, SiteId, Slot, TunableId};

/// The first mistake made with a [`PlanBuilder`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("plan `{plan}`, instruction {instruction}: {problem}")]
pub struct BuildError {
    /// The plan's name.
    pub plan: String,
    /// How many instructions had been added before.
    pub instruction: usize,
    /// Where in the source program, when a location was set.
    pub location: Option<LocationId>,
    /// The problem.
    pub problem: String,
}

/// An instruction whose blocks are being built.
enum Open {
    Then {
        cond: Slot,
    },
    Else {
        cond: Slot,
        then_block: BlockId,
    },
    For {
        lower: Slot,
        upper: Slot,
        step: Slot,
        index: Slot,
        inits: Vec<Slot>,
        carried: Vec<Slot>,
    },
    Before {
        inits: Vec<Slot>,
        before_args: Vec<Slot>,
    },
    After {
        inits: Vec<Slot>,
        before_args: Vec<Slot>,
        before: BlockId,
        cond: Slot,
        after_args: Vec<Slot>,
    },
}

struct Frame {
    block: BlockId,
    open: Open,
    /// Location of the instruction, set before its blocks changed the current one.
    location: Option<LocationId>,
}

/// Builds one [`Plan`].
pub struct PlanBuilder {
    plan: Plan,
    /// Open instructions, outermost first; the body itself is not among them.
    frames: Vec<Frame>,
    location: Option<LocationId>,
    instructions: usize,
    error: Option<BuildError>,
}

impl PlanBuilder {
    /// A plan without parameters and instructions.
    pub fn new(name: impl Into<String>) -> PlanBuilder {
        let plan = Plan {
            name: name.into(),
            slots: Vec::new(),
            params: Vec::new(),
            blocks: vec![Block::default()],
        };
        PlanBuilder {
            plan,
            frames: Vec::new(),
            location: None,
            instructions: 0,
            error: None,
        }
    }

    /// Instructions added from now on come from this place.
    pub fn set_location(&mut self, location: Option<LocationId>) {
        self.location = location;
    }

    /// Adds a parameter.
    pub fn param(&mut self, ty: SlotType) -> Slot {
        let slot = self.new_slot(ty);
        self.plan.params.push(slot);
        slot
    }

    /// Adds an `i64` parameter.
    pub fn index_param(&mut self) -> Slot {
        self.param(SlotType::INDEX)
    }

    /// The type of a slot; a mistake (and `i64`) when the slot is not of this plan.
    pub fn slot_type(&mut self, slot: Slot) -> SlotType {
        match self.plan.slot_type(slot) {
            Some(ty) => ty,
            None => {
                self.mistake(format!("slot {slot} is not of this plan"));
                SlotType::INDEX
            }
        }
    }

    /// A constant.
    pub fn constant(&mut self, value: Scalar) -> Slot {
        let dst = self.new_slot(SlotType::Scalar(value.elem()));
        self.push(Instr::Const { dst, value });
        dst
    }

    /// An `i64` constant.
    pub fn index(&mut self, value: i64) -> Slot {
        self.constant(Scalar::i64(value))
    }

    /// `op src`.
    pub fn unary(&mut self, op: UnaryOp, src: Slot) -> Slot {
        let elem = self.scalar_elem(src);
        self.expect_accepted(op.accepts(elem), &op, elem);
        let dst = self.new_slot(SlotType::Scalar(elem));
        self.push(Instr::Unary { op, dst, src });
        dst
    }

    /// `lhs op rhs`.
    pub fn binary(&mut self, op: BinaryOp, lhs: Slot, rhs: Slot) -> Slot {
        let elem = self.scalar_elem(lhs);
        self.expect_accepted(op.accepts(elem), &op, elem);
        self.expect_type(rhs, SlotType::Scalar(elem));
        let dst = self.new_slot(SlotType::Scalar(elem));
        self.push(Instr::Binary { op, dst, lhs, rhs });
        dst
    }

    /// `lhs op rhs`, an `i1`.
    pub fn compare(&mut self, op: Compare, lhs: Slot, rhs: Slot) -> Slot {
        let elem = self.scalar_elem(lhs);
        self.expect_accepted(op.accepts(elem), &op, elem);
        self.expect_type(rhs, SlotType::Scalar(elem));
        let dst = self.new_slot(SlotType::BOOL);
        self.push(Instr::Compare { op, dst, lhs, rhs });
        dst
    }

    /// `cond ? on_true : on_false`.
    pub fn select(&mut self, cond: Slot, on_true: Slot, on_false: Slot) -> Slot {
        self.expect_type(cond, SlotType::BOOL);
        let ty = self.slot_type(on_true);
        self.expect_type(on_false, ty);
        let dst = self.new_slot(ty);
        self.push(Instr::Select {
            dst,
            cond,
            on_true,
            on_false,
        });
        dst
    }

    /// `src` as a scalar of type `to`.
    pub fn convert(&mut self, op: Convert, src: Slot, to: ElemType) -> Slot {
        let from = self.scalar_elem(src);
        self.expect_accepted(op.accepts(from, to), &op, from);
        let dst = self.new_slot(SlotType::Scalar(to));
        self.push(Instr::Convert { op, dst, src });
        dst
    }

    /// Whether `value` (`i64`) is at least the tunable's value in this run.
    pub fn at_least(&mut self, value: Slot, tunable: TunableId) -> Slot {
        self.expect_type(value, SlotType::INDEX);
        let dst = self.new_slot(SlotType::BOOL);
        self.push(Instr::AtLeast {
            dst,
            value,
            tunable,
        });
        dst
    }

    /// A new buffer of `count` elements.
    pub fn alloc(&mut self, elem: ElemType, count: Slot) -> Slot {
        self.expect_type(count, SlotType::INDEX);
        let dst = self.new_slot(SlotType::Buffer(elem));
        self.push(Instr::Alloc { dst, count });
        dst
    }

    /// Releases a buffer.
    pub fn free(&mut self, buffer: Slot) {
        self.buffer_elem(buffer);
        self.push(Instr::Free { buffer });
    }

    /// The `count` elements of `src` from `offset` on, sharing its memory.
    pub fn slice(&mut self, src: Slot, offset: Slot, count: Slot) -> Slot {
        let elem = self.buffer_elem(src);
        self.expect_type(offset, SlotType::INDEX);
        self.expect_type(count, SlotType::INDEX);
        let dst = self.new_slot(SlotType::Buffer(elem));
        self.push(Instr::Slice {
            dst,
            src,
            offset,
            count,
        });
        dst
    }

    /// Copies the first `count` elements of `src` to the start of `dst`.
    pub fn copy(&mut self, dst: Slot, src: Slot, count: Slot) {
        let elem = self.buffer_elem(src);
        self.expect_type(dst, SlotType::Buffer(elem));
        self.expect_type(count, SlotType::INDEX);
        self.push(Instr::Copy { dst, src, count });
    }

    /// Sets the first `count` elements to `value`.
    pub fn fill(&mut self, buffer: Slot, value: Slot, count: Slot) {
        let elem = self.buffer_elem(buffer);
        self.expect_type(value, SlotType::Scalar(elem));
        self.expect_type(count, SlotType::INDEX);
        self.push(Instr::Fill {
            buffer,
            value,
            count,
        });
    }

    /// `buffer[index]`.
    pub fn read_elem(&mut self, buffer: Slot, index: Slot) -> Slot {
        let elem = self.buffer_elem(buffer);
        self.expect_type(index, SlotType::INDEX);
        let dst = self.new_slot(SlotType::Scalar(elem));
        self.push(Instr::ReadElem { dst, buffer, index });
        dst
    }

    /// `buffer[index] = value`.
    pub fn write_elem(&mut self, buffer: Slot, index: Slot, value: Slot) {
        let elem = self.buffer_elem(buffer);
        self.expect_type(index, SlotType::INDEX);
        self.expect_type(value, SlotType::Scalar(elem));
        self.push(Instr::WriteElem {
            buffer,
            index,
            value,
        });
    }

    /// Launches a kernel; see [`LaunchInstr`].
    pub fn launch(
        &mut self,
        kernel: KernelId,
        grid: [Slot; 3],
        block: [Slot; 3],
        dynamic_shared: Option<Slot>,
        args: &[Slot],
    ) {
        for slot in grid.iter().chain(&block).chain(&dynamic_shared) {
            self.expect_type(*slot, SlotType::INDEX);
        }
        self.push(Instr::Launch(LaunchInstr {
            kernel,
            grid,
            block,
            dynamic_shared,
            args: args.to_vec(),
        }));
    }

    /// Ends the run with the site's message, filled with `values`, unless `cond` is true.
    pub fn check(&mut self, cond: Slot, site: SiteId, values: &[Slot]) {
        self.expect_type(cond, SlotType::BOOL);
        for value in values {
            self.scalar_elem(*value);
        }
        self.push(Instr::Check {
            cond,
            site,
            values: values.to_vec(),
        });
    }

    /// Runs another plan, whose results have these types.
    pub fn call(&mut self, plan: PlanId, args: &[Slot], result_types: &[SlotType]) -> Vec<Slot> {
        let results = self.new_slots(result_types);
        self.push(Instr::Call {
            plan,
            args: args.to_vec(),
            results: results.clone(),
        });
        results
    }

    /// `if cond`: each closure builds one block and returns what it yields.
    pub fn if_<T, E>(&mut self, cond: Slot, then: T, otherwise: E) -> Vec<Slot>
    where
        T: FnOnce(&mut PlanBuilder) -> Vec<Slot>,
        E: FnOnce(&mut PlanBuilder) -> Vec<Slot>,
    {
        self.begin_if(cond);
        let yielded = then(self);
        self.begin_else(&yielded);
        let yielded = otherwise(self);
        self.end_if(&yielded)
    }

    /// `for index = lower to upper step step`: the closure takes the index and the carried values, and returns the
    /// next carried values. Returns those after the last iteration.
    pub fn for_<F>(
        &mut self,
        lower: Slot,
        upper: Slot,
        step: Slot,
        inits: &[Slot],
        body: F,
    ) -> Vec<Slot>
    where
        F: FnOnce(&mut PlanBuilder, Slot, &[Slot]) -> Vec<Slot>,
    {
        let (index, carried) = self.begin_for(lower, upper, step, inits);
        let next = body(self, index, &carried);
        self.end_for(&next)
    }

    /// `while`: `before` takes the arguments and returns the condition and what to forward; `after` takes what was
    /// forwarded and returns the next arguments. Returns what was forwarded last.
    pub fn while_<B, A>(&mut self, inits: &[Slot], before: B, after: A) -> Vec<Slot>
    where
        B: FnOnce(&mut PlanBuilder, &[Slot]) -> (Slot, Vec<Slot>),
        A: FnOnce(&mut PlanBuilder, &[Slot]) -> Vec<Slot>,
    {
        let args = self.begin_while(inits);
        let (cond, forwarded) = before(self, &args);
        let args = self.begin_do(cond, &forwarded);
        let next = after(self, &args);
        self.end_while(&next)
    }

    /// Opens the block that runs when `cond` is true.
    pub fn begin_if(&mut self, cond: Slot) {
        self.expect_type(cond, SlotType::BOOL);
        self.enter(Open::Then { cond });
    }

    /// Ends the first block of an `if` with what it yields, and opens the other.
    pub fn begin_else(&mut self, yielded: &[Slot]) {
        match self.leave(yielded) {
            Some((then_block, Open::Then { cond }, location)) => {
                self.enter_at(Open::Else { cond, then_block }, location);
            }
            _ => self.mistake("begin_else without begin_if"),
        }
    }

    /// Ends an `if` with what its second block yields; returns its results.
    pub fn end_if(&mut self, yielded: &[Slot]) -> Vec<Slot> {
        match self.leave(yielded) {
            Some((else_block, Open::Else { cond, then_block }, location)) => {
                let results = self.like(yielded);
                let instr = Instr::If {
                    cond,
                    then_block,
                    else_block,
                    results: results.clone(),
                };
                self.push_at(instr, location);
                results
            }
            _ => {
                self.mistake("end_if without begin_else");
                Vec::new()
            }
        }
    }

    /// Opens the body of a counted loop; returns the index and the carried values inside it.
    pub fn begin_for(
        &mut self,
        lower: Slot,
        upper: Slot,
        step: Slot,
        inits: &[Slot],
    ) -> (Slot, Vec<Slot>) {
        for slot in [lower, upper, step] {
            self.expect_type(slot, SlotType::INDEX);
        }
        let index = self.new_slot(SlotType::INDEX);
        let carried = self.like(inits);
        let inits = inits.to_vec();
        self.enter(Open::For {
            lower,
            upper,
            step,
            index,
            inits,
            carried: carried.clone(),
        });
        (index, carried)
    }

    /// Ends a counted loop with the next carried values; returns those after the last iteration.
    pub fn end_for(&mut self, next: &[Slot]) -> Vec<Slot> {
        match self.leave(next) {
            Some((
                body,
                Open::For {
                    lower,
                    upper,
                    step,
                    index,
                    inits,
                    carried,
                },
                location,
            )) => {
                let results = self.like(&inits);
                let (out, looped) = (results.clone(), results);
                let for_loop = ForLoop {
                    lower,
                    upper,
                    step,
                    index,
                    inits,
                    carried,
                    body,
                    results: looped,
                };
                self.push_at(Instr::For(for_loop), location);
                out
            }
            _ => {
                self.mistake("end_for without begin_for");
                Vec::new()
            }
        }
    }

    /// Opens the block of a `while` that computes its condition; returns its arguments.
    pub fn begin_while(&mut self, inits: &[Slot]) -> Vec<Slot> {
        let before_args = self.like(inits);
        self.enter(Open::Before {
            inits: inits.to_vec(),
            before_args: before_args.clone(),
        });
        before_args
    }

    /// Ends that block with the condition and the values it forwards, and opens the block that runs while the
    /// condition is true; returns its arguments.
    pub fn begin_do(&mut self, cond: Slot, forwarded: &[Slot]) -> Vec<Slot> {
        self.expect_type(cond, SlotType::BOOL);
        match self.leave(forwarded) {
            Some((before, Open::Before { inits, before_args }, location)) => {
                let after_args = self.like(forwarded);
                let open = Open::After {
                    inits,
                    before_args,
                    before,
                    cond,
                    after_args: after_args.clone(),
                };
                self.enter_at(open, location);
                after_args
            }
            _ => {
                self.mistake("begin_do without begin_while");
                Vec::new()
            }
        }
    }

    /// Ends a `while` with the next arguments of its first block; returns the values forwarded last.
    pub fn end_while(&mut self, next: &[Slot]) -> Vec<Slot> {
        match self.leave(next) {
            Some((
                after,
                Open::After {
                    inits,
                    before_args,
                    before,
                    cond,
                    after_args,
                },
                location,
            )) => {
                let results = self.like(&after_args);
                let out = results.clone();
                let while_loop = WhileLoop {
                    inits,
                    before_args,
                    before,
                    cond,
                    after_args,
                    after,
                    results,
                };
                self.push_at(Instr::While(while_loop), location);
                out
            }
            _ => {
                self.mistake("end_while without begin_do");
                Vec::new()
            }
        }
    }

    /// The plan, returning `results`; or the first mistake.
    pub fn finish(mut self, results: &[Slot]) -> Result<Plan, BuildError> {
        if !self.frames.is_empty() {
            self.mistake("a begin_ has no end_");
        }
        if let Some(body) = self.plan.blocks.first_mut() {
            body.results = results.to_vec();
        }
        for slot in results {
            self.slot_type(*slot);
        }
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.plan),
        }
    }

    fn mistake(&mut self, problem: impl Into<String>) {
        if self.error.is_none() {
            self.error = Some(BuildError {
                plan: self.plan.name.clone(),
                instruction: self.instructions,
                location: self.location,
                problem: problem.into(),
            });
        }
    }

    fn new_slot(&mut self, ty: SlotType) -> Slot {
        self.plan.slots.push(ty);
        Slot::new(self.plan.slots.len() - 1)
    }

    fn new_slots(&mut self, types: &[SlotType]) -> Vec<Slot> {
        types.iter().map(|ty| self.new_slot(*ty)).collect()
    }

    /// New slots of the same types.
    fn like(&mut self, slots: &[Slot]) -> Vec<Slot> {
        slots
            .iter()
            .map(|slot| {
                let ty = self.slot_type(*slot);
                self.new_slot(ty)
            })
            .collect()
    }

    fn push(&mut self, instr: Instr) {
        self.push_at(instr, self.location);
    }

    fn push_at(&mut self, instr: Instr, location: Option<LocationId>) {
        let block = self.frames.last().map_or(Plan::BODY, |frame| frame.block);
        if let Some(block) = self.plan.blocks.get_mut(block.index()) {
            block.stmts.push(Stmt { instr, location });
        }
        self.instructions += 1;
    }

    fn enter(&mut self, open: Open) {
        self.enter_at(open, self.location);
    }

    fn enter_at(&mut self, open: Open, location: Option<LocationId>) {
        self.plan.blocks.push(Block::default());
        let block = BlockId::new(self.plan.blocks.len() - 1);
        self.frames.push(Frame {
            block,
            open,
            location,
        });
    }

    fn leave(&mut self, yielded: &[Slot]) -> Option<(BlockId, Open, Option<LocationId>)> {
        let frame = self.frames.pop()?;
        if let Some(block) = self.plan.blocks.get_mut(frame.block.index()) {
            block.results = yielded.to_vec();
        }
        Some((frame.block, frame.open, frame.location))
    }

    fn expect_type(&mut self, slot: Slot, expected: SlotType) {
        let found = self.slot_type(slot);
        if found != expected {
            self.mistake(format!("slot {slot} is {found}, {expected} is needed"));
        }
    }

    fn expect_accepted(&mut self, accepted: bool, op: &dyn std::fmt::Debug, elem: ElemType) {
        if !accepted {
            self.mistake(format!("{op:?} does not take {elem}"));
        }
    }

    fn scalar_elem(&mut self, slot: Slot) -> ElemType {
        let ty = self.slot_type(slot);
        if ty.is_buffer() {
            self.mistake(format!("slot {slot} is {ty}, a scalar is needed"));
        }
        ty.elem()
    }

    fn buffer_elem(&mut self, slot: Slot) -> ElemType {
        let ty = self.slot_type(slot);
        if !ty.is_buffer() {
            self.mistake(format!("slot {slot} is {ty}, a buffer is needed"));
        }
        ty.elem()
    }
}
