//! Validation: after it, an executor may index every table and slot without looking.
//!
//! Checked, in this order:
//! - tables: names of kernels, entries and tunables are unique; locations are in range; an error record is a kernel's
//!   last parameter; two targets are never for the same chip; tunables' defaults lie in their ranges, and each stands
//!   under an earlier one or none;
//! - each plan: block and slot ids in range, the block tree (every block but the body has one owner, nesting bounded),
//!   one definition per slot and every use after it, the type rule of each instruction, matching results of blocks;
//! - each entry: sizes bound by a parameter, dims in range, signature equal to its plan's.
//!
//! Not checked: that the PTX defines the kernels with these parameters (a device does when it loads a target) and
//! that loops end.

use crate::manifest::{
    Artifact, Dim, Entry, Kernel, KernelParam, MOST_EXTENTS, MapExtent, ParamType, ResultType,
    Tunable,
};
use crate::plan::{Block, ForLoop, Instr, LaunchInstr, Plan, SlotType, WhileLoop};
use crate::{BlockId, ElemType, LocationId, PlanId, SizeId, Slot};
use std::collections::HashSet;

/// How deep blocks of one plan may nest. Bounds the recursion of every walk over a plan.
pub const MAX_NESTING: usize = 64;

/// A contradiction inside an artifact.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ValidationError {
    /// Which part, e.g. ``plan `saxpy`, block ^0, instruction 3``.
    pub place: String,
    /// The problem with it.
    pub problem: String,
}

type Check = Result<(), ValidationError>;

fn fail<T>(place: impl Into<String>, problem: impl Into<String>) -> Result<T, ValidationError> {
    Err(ValidationError {
        place: place.into(),
        problem: problem.into(),
    })
}

impl Artifact {
    /// Checks everything the module documentation of this file lists; the first contradiction is reported.
    pub fn validate(&self) -> Result<(), ValidationError> {
        self.validate_tables()?;
        self.kernels
            .iter()
            .try_for_each(|kernel| self.validate_kernel(kernel))?;
        for plan in &self.plans {
            PlanValidator::new(self, plan).run()?;
        }
        self.entries
            .iter()
            .try_for_each(|entry| self.validate_entry(entry))
    }

    fn validate_tables(&self) -> Check {
        unique(
            "kernels",
            self.kernels.iter().map(|kernel| kernel.name.as_str()),
        )?;
        unique(
            "entries",
            self.entries.iter().map(|entry| entry.name.as_str()),
        )?;
        unique(
            "tunables",
            self.tunables.iter().map(|tunable| tunable.name.as_str()),
        )?;
        let mut chips = HashSet::new();
        for target in &self.targets {
            if !chips.insert(target.chip) {
                return fail("targets", format!("two targets for {}", target.chip));
            }
        }
        for (index, tunable) in self.tunables.iter().enumerate() {
            self.validate_tunable(index, tunable)?;
        }
        for (index, location) in self.source_map.locations.iter().enumerate() {
            if location.file as usize >= self.source_map.files.len() {
                return fail(
                    "source map",
                    format!("location {index} names file {} of none", location.file),
                );
            }
        }
        for (index, site) in self.check_sites.iter().enumerate() {
            self.validate_location(site.location, || format!("check site {index}"))?;
        }
        Ok(())
    }

    fn validate_tunable(&self, index: usize, tunable: &Tunable) -> Check {
        let place = || format!("tunable `{}`", tunable.name);
        if !(tunable.min..=tunable.max).contains(&tunable.default) {
            let (default, min, max) = (tunable.default, tunable.min, tunable.max);
            return fail(
                place(),
                format!("default {default} is not in {min}..={max}"),
            );
        }
        // Outer choices come first, so that walks towards the outermost end.
        if let Some(branch) = tunable
            .under
            .filter(|branch| branch.tunable.index() >= index)
        {
            return fail(
                place(),
                format!("under {}, which does not come before it", branch.tunable),
            );
        }
        self.validate_location(tunable.location, place)
    }

    fn validate_location(&self, location: Option<LocationId>, place: impl Fn() -> String) -> Check {
        match location {
            Some(id) if id.index() >= self.source_map.locations.len() => {
                fail(place(), format!("no {id}"))
            }
            _ => Ok(()),
        }
    }

    fn validate_kernel(&self, kernel: &Kernel) -> Check {
        let place = || format!("kernel `{}`", kernel.name);
        self.validate_location(kernel.location, place)?;
        let before_last = kernel.params.len().saturating_sub(1);
        if kernel.params[..before_last].contains(&KernelParam::ErrorRecord) {
            return fail(place(), "the error record is not the last parameter");
        }
        for param in &kernel.params {
            let KernelParam::TensorMap(map) = param else {
                continue;
            };
            let rank = usize::from(map.rank);
            if !(1..=MOST_EXTENTS).contains(&rank) {
                return fail(place(), format!("a tensor map has {rank} extents"));
            }
            let index = KernelParam::Scalar(ElemType::I64);
            let known = |extent: &MapExtent| match *extent {
                MapExtent::Param(number) => kernel.params.get(number as usize) == Some(&index),
                MapExtent::Const(_) => true,
            };
            if !map.extents[..rank].iter().all(known) {
                return fail(
                    place(),
                    "an extent of a tensor map is no parameter of type i64",
                );
            }
        }
        Ok(())
    }

    fn validate_entry(&self, entry: &Entry) -> Check {
        let place = || format!("entry `{}`", entry.name);
        self.validate_location(entry.location, place)?;
        unique(
            &format!("sizes of {}", place()),
            entry.sizes.iter().map(String::as_str),
        )?;
        bind_sizes(entry, &place)?;
        for result in &entry.results {
            if let ResultType::Array { dims, .. } = &result.ty
                && dims
                    .iter()
                    .any(|dim| matches!(dim, Dim::Size(size) if size.index() >= entry.sizes.len()))
            {
                return fail(
                    place(),
                    format!("result `{}` names a size that is not there", result.name),
                );
            }
        }
        let Some(plan) = self.plans.get(entry.plan.index()) else {
            return fail(place(), format!("no {}", entry.plan));
        };
        expect_types(
            &place,
            "plan parameters",
            &entry.plan_params(),
            &types_of(plan, &plan.params),
        )?;
        expect_types(
            &place,
            "plan results",
            &entry.plan_results(),
            &types_of(plan, plan.results()),
        )
    }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Check {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            return fail(what, format!("the name `{name}` occurs twice"));
        }
    }
    Ok(())
}

fn types_of(plan: &Plan, slots: &[Slot]) -> Vec<SlotType> {
    slots
        .iter()
        .filter_map(|slot| plan.slot_type(*slot))
        .collect()
}

fn type_list(types: &[SlotType]) -> String {
    let types: Vec<String> = types.iter().map(ToString::to_string).collect();
    format!("({})", types.join(", "))
}

fn expect_types(
    place: &dyn Fn() -> String,
    what: &str,
    expected: &[SlotType],
    found: &[SlotType],
) -> Check {
    if expected == found {
        return Ok(());
    }
    fail(
        place(),
        format!(
            "{what}: expected {}, found {}",
            type_list(expected),
            type_list(found)
        ),
    )
}

/// The walk over one plan.
struct PlanValidator<'a> {
    artifact: &'a Artifact,
    plan: &'a Plan,
    /// Slots with a definition anywhere.
    defined: Vec<bool>,
    /// Slots readable at the current point.
    visible: Vec<bool>,
    /// Blocks with an owner.
    owned: Vec<bool>,
    block: BlockId,
    stmt: usize,
}

impl<'a> PlanValidator<'a> {
    fn new(artifact: &'a Artifact, plan: &'a Plan) -> Self {
        let slots = plan.slots.len();
        PlanValidator {
            artifact,
            plan,
            defined: vec![false; slots],
            visible: vec![false; slots],
            owned: vec![false; plan.blocks.len()],
            block: Plan::BODY,
            stmt: 0,
        }
    }

    fn run(mut self) -> Check {
        if self.plan.blocks.is_empty() {
            return self.fail("there is no body");
        }
        self.define(&self.plan.params)?;
        self.visit_block(Plan::BODY, &[], 0)?;
        match self.owned.iter().position(|owned| !owned) {
            Some(index) => self.fail(format!(
                "block {} belongs to no instruction",
                BlockId::new(index)
            )),
            None => Ok(()),
        }
    }

    fn place(&self) -> String {
        format!(
            "plan `{}`, block {}, instruction {}",
            self.plan.name, self.block, self.stmt
        )
    }

    fn fail<T>(&self, problem: impl Into<String>) -> Result<T, ValidationError> {
        fail(self.place(), problem)
    }

    fn slot_type(&self, slot: Slot) -> Result<SlotType, ValidationError> {
        match self.plan.slot_type(slot) {
            Some(ty) => Ok(ty),
            None => self.fail(format!("no slot {slot}")),
        }
    }

    fn types(&self, slots: &[Slot]) -> Result<Vec<SlotType>, ValidationError> {
        slots.iter().map(|slot| self.slot_type(*slot)).collect()
    }

    fn define(&mut self, slots: &[Slot]) -> Check {
        for slot in slots {
            self.slot_type(*slot)?;
            if std::mem::replace(&mut self.defined[slot.index()], true) {
                return self.fail(format!("slot {slot} is defined twice"));
            }
            self.visible[slot.index()] = true;
        }
        Ok(())
    }

    fn expect_visible(&self, slot: Slot) -> Check {
        match self.visible.get(slot.index()) {
            Some(true) => Ok(()),
            Some(false) => self.fail(format!(
                "slot {slot} is read before it is written, or outside its block"
            )),
            None => self.fail(format!("no slot {slot}")),
        }
    }

    /// Visits a block whose arguments are `args`; returns the types it yields.
    fn visit_block(
        &mut self,
        id: BlockId,
        args: &[Slot],
        depth: usize,
    ) -> Result<Vec<SlotType>, ValidationError> {
        self.visit_block_with(id, args, &[], depth)
    }

    /// As [`Self::visit_block`]; the slots `read_at_end` (a loop's condition) must be visible at the block's end.
    fn visit_block_with(
        &mut self,
        id: BlockId,
        args: &[Slot],
        read_at_end: &[Slot],
        depth: usize,
    ) -> Result<Vec<SlotType>, ValidationError> {
        if depth > MAX_NESTING {
            return self.fail(format!("blocks nest more than {MAX_NESTING} deep"));
        }
        let plan = self.plan;
        let Some(block) = plan.block(id) else {
            return self.fail(format!("no block {id}"));
        };
        if std::mem::replace(&mut self.owned[id.index()], true) {
            return self.fail(format!("block {id} has two owners"));
        }
        let outer = (self.block, self.stmt);
        self.define(args)?;
        for (index, stmt) in block.stmts.iter().enumerate() {
            (self.block, self.stmt) = (id, index);
            self.artifact
                .validate_location(stmt.location, || self.place())?;
            self.visit_instr(&stmt.instr, depth)?;
        }
        (self.block, self.stmt) = (id, block.stmts.len());
        for slot in block.results.iter().chain(read_at_end) {
            self.expect_visible(*slot)?;
        }
        let types = self.types(&block.results)?;
        (self.block, self.stmt) = outer;
        self.leave(block, args);
        Ok(types)
    }

    /// Values defined in a block are not readable after it.
    fn leave(&mut self, block: &Block, args: &[Slot]) {
        let defs = block.stmts.iter().flat_map(|stmt| stmt.instr.defs());
        for slot in defs.chain(args) {
            self.visible[slot.index()] = false;
        }
    }

    fn visit_instr(&mut self, instr: &Instr, depth: usize) -> Check {
        let mut unseen = Ok(());
        instr.for_each_use(&mut |slot| {
            if unseen.is_ok() {
                unseen = self.expect_visible(slot);
            }
        });
        unseen?;
        for slot in instr.defs() {
            self.slot_type(*slot)?;
        }
        self.check_types(instr, depth)?;
        self.define(instr.defs())
    }

    fn check_numbers(&mut self, instr: &Instr) -> Check {
        match instr {
            Instr::Const { dst, value } => self.expect(*dst, SlotType::Scalar(value.elem())),
            Instr::Unary { op, dst, src } => {
                let elem = self.scalar(*src)?;
                self.accept(op.accepts(elem), format!("{op:?}"), elem)?;
                self.expect(*dst, SlotType::Scalar(elem))
            }
            Instr::Binary { op, dst, lhs, rhs } => {
                let elem = self.scalar(*lhs)?;
                self.accept(op.accepts(elem), format!("{op:?}"), elem)?;
                self.expect(*rhs, SlotType::Scalar(elem))?;
                self.expect(*dst, SlotType::Scalar(elem))
            }
            Instr::Compare { op, dst, lhs, rhs } => {
                let elem = self.scalar(*lhs)?;
                self.accept(op.accepts(elem), format!("{op:?}"), elem)?;
                self.expect(*rhs, SlotType::Scalar(elem))?;
                self.expect(*dst, SlotType::BOOL)
            }
            Instr::Select {
                dst,
                cond,
                on_true,
                on_false,
            } => {
                self.expect(*cond, SlotType::BOOL)?;
                let ty = self.slot_type(*on_true)?;
                self.expect(*on_false, ty)?;
                self.expect(*dst, ty)
            }
            Instr::Convert { op, dst, src } => {
                let (from, to) = (self.scalar(*src)?, self.scalar(*dst)?);
                self.accept(op.accepts(from, to), format!("{op:?} to {to}"), from)
            }
            _ => Ok(()),
        }
    }

    fn check_if(&mut self, instr: &Instr, depth: usize) -> Check {
        let Instr::If {
            cond,
            then_block,
            else_block,
            results,
        } = instr
        else {
            return Ok(());
        };
        self.expect(*cond, SlotType::BOOL)?;
        let expected = self.types(results)?;
        for (what, block) in [("then block", then_block), ("else block", else_block)] {
            let found = self.visit_block(*block, &[], depth + 1)?;
            let what = format!("results of the {what}");
            expect_types(&|| self.place(), &what, &expected, &found)?;
        }
        Ok(())
    }

    fn check_types(&mut self, instr: &Instr, depth: usize) -> Check {
        match instr {
            Instr::Const { .. }
            | Instr::Unary { .. }
            | Instr::Binary { .. }
            | Instr::Compare { .. }
            | Instr::Select { .. }
            | Instr::Convert { .. } => self.check_numbers(instr),
            Instr::AtLeast {
                dst,
                value,
                tunable,
            } => {
                self.in_range(tunable.index(), self.artifact.tunables.len(), tunable)?;
                self.expect(*value, SlotType::INDEX)?;
                self.expect(*dst, SlotType::BOOL)
            }
            Instr::Check { cond, site, values } => {
                self.in_range(site.index(), self.artifact.check_sites.len(), site)?;
                self.expect(*cond, SlotType::BOOL)?;
                values
                    .iter()
                    .try_for_each(|value| self.scalar(*value).map(|_| ()))
            }
            Instr::Alloc { .. }
            | Instr::Free { .. }
            | Instr::Slice { .. }
            | Instr::Copy { .. }
            | Instr::Fill { .. }
            | Instr::ReadElem { .. }
            | Instr::WriteElem { .. } => self.check_memory(instr),
            Instr::Launch(launch) => self.check_launch(launch),
            Instr::If { .. } => self.check_if(instr, depth),
            Instr::For(for_loop) => self.check_for(for_loop, depth),
            Instr::While(while_loop) => self.check_while(while_loop, depth),
            Instr::Call {
                plan,
                args,
                results,
            } => self.check_call(*plan, args, results),
        }
    }

    fn check_memory(&self, instr: &Instr) -> Check {
        let index = SlotType::INDEX;
        match instr {
            Instr::Alloc { dst, count } => {
                self.buffer(*dst)?;
                self.expect(*count, index)
            }
            Instr::Free { buffer } => self.buffer(*buffer).map(|_| ()),
            Instr::Slice {
                dst,
                src,
                offset,
                count,
            } => {
                let elem = self.buffer(*src)?;
                self.expect(*dst, SlotType::Buffer(elem))?;
                self.expect(*offset, index)?;
                self.expect(*count, index)
            }
            Instr::Copy { dst, src, count } => {
                let elem = self.buffer(*src)?;
                self.expect(*dst, SlotType::Buffer(elem))?;
                self.expect(*count, index)
            }
            Instr::Fill {
                buffer,
                value,
                count,
            } => {
                let elem = self.buffer(*buffer)?;
                self.expect(*value, SlotType::Scalar(elem))?;
                self.expect(*count, index)
            }
            Instr::ReadElem {
                dst: value,
                buffer,
                index: at,
            }
            | Instr::WriteElem {
                buffer,
                index: at,
                value,
            } => {
                let elem = self.buffer(*buffer)?;
                self.expect(*value, SlotType::Scalar(elem))?;
                self.expect(*at, index)
            }
            _ => Ok(()),
        }
    }

    fn check_launch(&self, launch: &LaunchInstr) -> Check {
        self.in_range(
            launch.kernel.index(),
            self.artifact.kernels.len(),
            &launch.kernel,
        )?;
        let kernel = &self.artifact.kernels[launch.kernel.index()];
        let extents = launch
            .grid
            .iter()
            .chain(&launch.block)
            .chain(launch.dynamic_shared.as_ref());
        for slot in extents {
            self.expect(*slot, SlotType::INDEX)?;
        }
        let expected: Vec<SlotType> = kernel
            .params
            .iter()
            .filter_map(|param| match param {
                KernelParam::Buffer { elem, .. } => Some(SlotType::Buffer(*elem)),
                KernelParam::Scalar(elem) => Some(SlotType::Scalar(*elem)),
                KernelParam::TensorMap(map) => Some(SlotType::Buffer(map.elem)),
                KernelParam::ErrorRecord => None,
            })
            .collect();
        let what = format!("arguments of kernel `{}`", kernel.name);
        expect_types(
            &|| self.place(),
            &what,
            &expected,
            &self.types(&launch.args)?,
        )
    }

    fn check_for(&mut self, for_loop: &ForLoop, depth: usize) -> Check {
        for slot in [
            for_loop.lower,
            for_loop.upper,
            for_loop.step,
            for_loop.index,
        ] {
            self.expect(slot, SlotType::INDEX)?;
        }
        let types = self.types(&for_loop.inits)?;
        let place = || self.place();
        expect_types(
            &place,
            "carried values",
            &types,
            &self.types(&for_loop.carried)?,
        )?;
        expect_types(
            &place,
            "loop results",
            &types,
            &self.types(&for_loop.results)?,
        )?;
        let mut args = vec![for_loop.index];
        args.extend_from_slice(&for_loop.carried);
        let yielded = self.visit_block(for_loop.body, &args, depth + 1)?;
        expect_types(
            &|| self.place(),
            "results of the loop body",
            &types,
            &yielded,
        )
    }

    fn check_while(&mut self, while_loop: &WhileLoop, depth: usize) -> Check {
        let types = self.types(&while_loop.inits)?;
        let before_args = self.types(&while_loop.before_args)?;
        expect_types(
            &|| self.place(),
            "arguments of the before block",
            &types,
            &before_args,
        )?;
        self.expect(while_loop.cond, SlotType::BOOL)?;
        let (before_args, cond) = (&while_loop.before_args, &[while_loop.cond]);
        let forwarded = self.visit_block_with(while_loop.before, before_args, cond, depth + 1)?;
        let after_args = self.types(&while_loop.after_args)?;
        expect_types(
            &|| self.place(),
            "arguments of the after block",
            &forwarded,
            &after_args,
        )?;
        let results = self.types(&while_loop.results)?;
        expect_types(&|| self.place(), "loop results", &forwarded, &results)?;
        let yielded = self.visit_block(while_loop.after, &while_loop.after_args, depth + 1)?;
        expect_types(
            &|| self.place(),
            "results of the after block",
            &types,
            &yielded,
        )
    }

    fn check_call(&self, callee: PlanId, args: &[Slot], results: &[Slot]) -> Check {
        self.in_range(callee.index(), self.artifact.plans.len(), &callee)?;
        let plan = &self.artifact.plans[callee.index()];
        let place = || self.place();
        let what = |part: &str| format!("{part} of plan `{}`", plan.name);
        expect_types(
            &place,
            &what("arguments"),
            &types_of(plan, &plan.params),
            &self.types(args)?,
        )?;
        expect_types(
            &place,
            &what("results"),
            &types_of(plan, plan.results()),
            &self.types(results)?,
        )
    }

    fn expect(&self, slot: Slot, expected: SlotType) -> Check {
        let found = self.slot_type(slot)?;
        if found == expected {
            return Ok(());
        }
        self.fail(format!("slot {slot} is {found}, {expected} is needed"))
    }

    fn scalar(&self, slot: Slot) -> Result<ElemType, ValidationError> {
        match self.slot_type(slot)? {
            SlotType::Scalar(elem) => Ok(elem),
            found => self.fail(format!("slot {slot} is {found}, a scalar is needed")),
        }
    }

    fn buffer(&self, slot: Slot) -> Result<ElemType, ValidationError> {
        match self.slot_type(slot)? {
            SlotType::Buffer(elem) => Ok(elem),
            found => self.fail(format!("slot {slot} is {found}, a buffer is needed")),
        }
    }

    fn accept(&self, accepted: bool, op: String, elem: ElemType) -> Check {
        if accepted {
            Ok(())
        } else {
            self.fail(format!("{op} does not take {elem}"))
        }
    }

    fn in_range(&self, index: usize, len: usize, id: &dyn std::fmt::Display) -> Check {
        if index < len {
            Ok(())
        } else {
            self.fail(format!("no {id}"))
        }
    }
}

/// Checks that parameters have named extents and bind every size of an entry.
fn bind_sizes(entry: &Entry, place: &dyn Fn() -> String) -> Check {
    let mut bound = vec![false; entry.sizes.len()];
    let mut bind = |size: SizeId| match bound.get_mut(size.index()) {
        Some(flag) => {
            *flag = true;
            Ok(())
        }
        None => fail(place(), format!("no {size}")),
    };
    for param in &entry.params {
        match &param.ty {
            ParamType::Scalar(_) => {}
            ParamType::Size(size) => bind(*size)?,
            ParamType::Array { dims, .. } => {
                for dim in dims {
                    match dim {
                        Dim::Const(_) => {}
                        Dim::Size(size) => bind(*size)?,
                        Dim::Any => {
                            return fail(
                                place(),
                                format!("parameter `{}` has an unnamed extent", param.name),
                            );
                        }
                    }
                }
            }
        }
    }
    if let Some(index) = bound.iter().position(|flag| !flag) {
        return fail(
            place(),
            format!("no parameter binds size `{}`", entry.sizes[index]),
        );
    }
    Ok(())
}
