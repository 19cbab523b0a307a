//! Host functions as plans: every op on scalars becomes an instruction, memrefs become buffers with their extents.
//!
//! A memref value is a buffer slot and one slot per dimension; a view (`memref.reinterpret_cast` of the same
//! elements in row-major order) is the same buffer with other extents. Blocks with memref arguments take the buffer
//! and its dynamic extents. A function's plan takes its sizes first (see [`segra_artifact::Entry`]), so a call reads
//! the sizes off the arguments.
//!
//! * [`rules`]: how each op runs; [`scalar`]: ops on scalars; [`memory`]: allocation, views, element access;
//! * [`control`]: branches, loops, calls, checks, launches; [`tunables`]: comparisons with thresholds.
//!
//! Legality: what the lowering leaves on the host. Anything else is an error with the op's location.

mod control;
mod memory;
mod rules;
mod scalar;
mod tunables;

use crate::manifest::{self, Kernels, MAPPING};
use crate::signature::{Signatures, Visibility, element_type};
use rules::Rule;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_artifact::{
    Artifact, Branch, Dim, Entry, LocationId, ParamType, PlanBuilder, PlanId, ResultType, Slot,
    SlotType,
};
use segra_gpu::host::{GpuModuleOp, top_level};
use segra_gpu::record::{Site, sites};
use segra_ir::diag::file_position;
use segra_ir::symbol::SymbolTables;
use segra_ir::types::DYNAMIC;
use segra_ir::{Block, Context, Diagnostics, Ir, Loc, LocKind, Op, Type, TypeKind, Value};
use segra_std::func::{FuncOp, ReturnOp};

/// A translated module.
#[derive(Clone, Debug)]
pub struct Translation {
    /// Everything but the targets' PTX.
    pub artifact: Artifact,
    /// The index-space mapping of each kernel, in the order of the manifest; empty where it is not recorded.
    pub mappings: Vec<String>,
}

/// Adds the sites of checks and the kernels to an artifact; the kernels' numbers and their mappings.
fn device_side(
    ir: &Ir,
    module: Op,
    artifact: &mut Artifact,
    diags: &mut Diagnostics,
) -> (Kernels, Vec<String>) {
    // First of all sites: kernels know theirs by number.
    for Site { message, place } in sites(ir, module) {
        let location = place.map(|(file, line, at)| artifact.source_map.add(&file, line, at));
        artifact.add_site(message, location);
    }
    let mut mappings = Vec::new();
    let kernels = manifest::collect(ir, module, diags, |mut kernel, op| {
        kernel.location = location(ir.ctx(), artifact, ir.loc(op));
        let mapping = ir.attr_named(op, MAPPING);
        let mapping = mapping.and_then(|attr| attr.as_str(ir.ctx()));
        mappings.push(mapping.unwrap_or_default().to_owned());
        artifact.add_kernel(kernel)
    });
    (kernels, mappings)
}

/// Translates the host side of a lowered module. All errors are added to `diags`; `None` if there are any.
pub fn translate(
    ir: &Ir,
    module: Op,
    producer: &str,
    diags: &mut Diagnostics,
) -> Option<Translation> {
    let errors = diags.error_count();
    let signatures = Signatures::of(ir, module, diags);
    let mut artifact = Artifact::new(producer);
    let (kernels, mappings) = device_side(ir, module, &mut artifact, diags);
    name_sources(ir, module, &mut artifact);
    let signature = |op| signatures.get(ir.ctx().str(ir.cast::<FuncOp>(op)?.sym_name(ir)));
    let functions: Vec<(Op, &Entry, Visibility)> = top_level(ir, module)
        .filter_map(|op| Some((op, signature(op)?)))
        .map(|(op, signature)| (op, &signature.entry, signature.visibility))
        .collect();
    let callees: FxHashMap<String, (PlanId, &Entry)> = (0..)
        .zip(&functions)
        .map(|(index, row)| (row.1.name.clone(), (PlanId::new(index), row.1)))
        .collect();
    let mut symbols = SymbolTables::new();
    for (index, &(op, entry, visibility)) in functions.iter().enumerate() {
        let mut translator = Translator {
            ir,
            kernels: &kernels,
            symbols: &mut symbols,
            callees: &callees,
            artifact: &mut artifact,
            plan: PlanBuilder::new(entry.name.clone()),
            values: FxHashMap::default(),
            branches: Vec::new(),
            diags,
        };
        let plan = translator.function(op, entry);
        let location = location(ir.ctx(), &mut artifact, ir.loc(op));
        let plan = plan.map(|(builder, results)| builder.finish(&results));
        if let Some(Err(error)) = plan.map(|plan| plan.map(|plan| artifact.add_plan(plan))) {
            let at = error.location.and_then(|id| artifact.source_map.render(id));
            let (problem, at) = (error.problem, at.unwrap_or_default());
            diags.op_error(ir, op, format!("cannot be run by the host: {problem} {at}"));
        }
        if visibility == Visibility::Public {
            let (plan, entry) = (PlanId::new(index), entry.clone());
            artifact.entries.push(Entry {
                plan,
                location,
                ..entry
            });
        }
    }
    if diags.error_count() > errors {
        return None;
    }
    let valid = artifact.validate().map_err(|error| {
        diags.op_error(ir, module, format!("its host plan is not valid: {error}"));
    });
    valid.ok()?;
    Some(Translation { artifact, mappings })
}

/// The source of the lines of kernels: the op of the source program at each place they mention, as pass `record-source`
/// wrote it down.
fn name_sources(ir: &Ir, module: Op, artifact: &mut Artifact) {
    let ctx = ir.ctx();
    let mut named = FxHashSet::default();
    for device in top_level(ir, module).filter(|&op| ir.isa::<GpuModuleOp>(op)) {
        for op in ir.walk(device) {
            let loc = ir.loc(op);
            if named.insert(loc)
                && let LocKind::Name { name, .. } = *ctx.loc_kind(loc)
                && ctx.op_info(ctx.op_name(ctx.str(name))).is_some()
                && let Some(place) = location(ctx, artifact, loc)
            {
                artifact.source_map.name_op(place, ctx.str(name));
            }
        }
    }
}

/// The place in a source file, in the artifact's source map.
fn location(ctx: &Context, artifact: &mut Artifact, loc: Loc) -> Option<LocationId> {
    let (file, line, column) = file_position(ctx, loc)?;
    Some(artifact.source_map.add(ctx.str(file), line, column))
}

/// A memref on the host.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    slot: Slot,
    /// One per dimension.
    extents: Vec<Slot>,
}

/// The plan's slots of an IR value.
#[derive(Clone, Debug)]
pub(crate) enum HostValue {
    Scalar(Slot),
    Buffer(Buffer),
}

/// The op cannot be translated; why is among the diagnostics.
pub(crate) struct Refused;

type Translated<T> = Result<T, Refused>;

/// Translates one function.
pub(crate) struct Translator<'a> {
    ir: &'a Ir,
    kernels: &'a Kernels,
    symbols: &'a mut SymbolTables,
    callees: &'a FxHashMap<String, (PlanId, &'a Entry)>,
    artifact: &'a mut Artifact,
    plan: PlanBuilder,
    values: FxHashMap<Value, HostValue>,
    /// Sides of thresholds' choices around the op being translated, innermost last.
    branches: Vec<Branch>,
    diags: &'a mut Diagnostics,
}

impl Translator<'_> {
    fn function(&mut self, func: Op, entry: &Entry) -> Option<(PlanBuilder, Vec<Slot>)> {
        let &region = self.ir.regions(func).first()?;
        let block = self.ir.entry_block(region)?;
        if self.ir.blocks(region).count() > 1 {
            self.diags.op_error(
                self.ir,
                func,
                "has branches between blocks; the host runs scf.if, scf.index_switch, scf.for, scf.while",
            );
            return None;
        }
        self.bind_parameters(func, block, entry).ok()?;
        let last = self.block(block).ok()??;
        if !self.ir.isa::<ReturnOp>(last) {
            let _ = self.refuse::<()>(last, "ends a function; only func.return does");
            return None;
        }
        let results = self.results(last, entry).ok()?;
        Some((
            std::mem::replace(&mut self.plan, PlanBuilder::new("")),
            results,
        ))
    }

    fn bind_parameters(&mut self, func: Op, block: Block, entry: &Entry) -> Translated<()> {
        let sizes: Vec<Slot> = entry
            .sizes
            .iter()
            .map(|_| self.plan.index_param())
            .collect();
        let args = self.ir.block_args(block).to_vec();
        if args.len() != entry.params.len() {
            return self.refuse(func, "has lost or gained parameters since it was read");
        }
        for (&arg, param) in args.iter().zip(&entry.params) {
            let value = match &param.ty {
                ParamType::Scalar(elem) => {
                    HostValue::Scalar(self.plan.param(SlotType::Scalar(*elem)))
                }
                ParamType::Size(_) => HostValue::Scalar(self.plan.index_param()),
                ParamType::Array { elem, dims } => {
                    let slot = self.plan.param(SlotType::Buffer(*elem));
                    let extents = dims
                        .iter()
                        .map(|dim| self.extent_of_dim(*dim, &sizes))
                        .collect();
                    HostValue::Buffer(Buffer { slot, extents })
                }
            };
            self.values.insert(arg, value);
        }
        Ok(())
    }

    fn extent_of_dim(&mut self, dim: Dim, sizes: &[Slot]) -> Slot {
        match dim {
            Dim::Const(extent) => self.plan.index(i64::try_from(extent).unwrap_or(i64::MAX)),
            Dim::Size(size) => sizes
                .get(size.index())
                .copied()
                .unwrap_or_else(|| self.plan.index(0)),
            Dim::Any => self.plan.index(0),
        }
    }

    /// The plan's results: scalars, and buffers each followed by its extents.
    fn results(&mut self, last: Op, entry: &Entry) -> Translated<Vec<Slot>> {
        let values: Vec<Value> = self.ir.operands(last).collect();
        let mut slots = Vec::new();
        for (value, result) in values.into_iter().zip(&entry.results) {
            match (self.value(last, value)?, &result.ty) {
                (HostValue::Scalar(slot), ResultType::Scalar(_)) => slots.push(slot),
                (HostValue::Buffer(buffer), ResultType::Array { .. }) => {
                    slots.push(buffer.slot);
                    slots.extend(buffer.extents);
                }
                _ => {
                    return self.refuse(
                        last,
                        "returns other types than the function had when it was read",
                    );
                }
            }
        }
        Ok(slots)
    }

    /// Translates a block up to its terminator, which is returned.
    fn block(&mut self, block: Block) -> Translated<Option<Op>> {
        let ops: Vec<Op> = self.ir.ops(block).collect();
        let Some((&last, body)) = ops.split_last() else {
            return Ok(None);
        };
        let mut refused = false;
        for &op in body {
            // Going on after a refusal finds further ones; what misses a value because of it stays silent.
            refused |= self.op(op).is_err();
        }
        self.locate(last);
        if refused {
            Err(Refused)
        } else {
            Ok(Some(last))
        }
    }

    fn locate(&mut self, op: Op) {
        let id = location(self.ir.ctx(), self.artifact, self.ir.loc(op));
        self.plan.set_location(id);
    }

    fn op(&mut self, op: Op) -> Translated<()> {
        self.locate(op);
        match rules::rule(self.ir.op_name_str(op)) {
            Some(Rule::By(rule)) => rule(self, op),
            Some(rule) => self.scalar_op(op, rule),
            None => self.refuse(op, "cannot be run by the host"),
        }
    }

    pub(crate) fn refuse<T>(&mut self, op: Op, message: impl Into<String>) -> Translated<T> {
        self.diags.op_error(self.ir, op, message);
        Err(Refused)
    }

    /// The slots of a value; silent if its defining op was refused.
    fn value(&mut self, op: Op, value: Value) -> Translated<HostValue> {
        match self.values.get(&value) {
            Some(found) => Ok(found.clone()),
            None if self.diags.has_errors() => Err(Refused),
            None => self.refuse(op, "uses a value that is not known on the host"),
        }
    }

    fn operand(&mut self, op: Op, index: usize) -> Translated<HostValue> {
        match self.ir.operands(op).nth(index) {
            Some(value) => self.value(op, value),
            None => self.refuse(op, format!("lacks operand {index}")),
        }
    }

    fn scalar(&mut self, op: Op, index: usize) -> Translated<Slot> {
        match self.operand(op, index)? {
            HostValue::Scalar(slot) => Ok(slot),
            HostValue::Buffer(_) => self.refuse(op, "takes a memref where the host needs a number"),
        }
    }

    fn scalar_of(&mut self, op: Op, value: Value) -> Translated<Slot> {
        match self.value(op, value)? {
            HostValue::Scalar(slot) => Ok(slot),
            HostValue::Buffer(_) => self.refuse(op, "takes a memref where the host needs a number"),
        }
    }

    fn buffer(&mut self, op: Op, index: usize) -> Translated<Buffer> {
        match self.operand(op, index)? {
            HostValue::Buffer(buffer) => Ok(buffer),
            HostValue::Scalar(_) => self.refuse(op, "takes a number where the host needs a memref"),
        }
    }

    fn define(&mut self, op: Op, index: usize, value: HostValue) {
        let result = self.ir.result(op, index);
        self.values.insert(result, value);
    }

    /// The slots a value is in blocks and loops: a scalar, or a buffer and its dynamic extents.
    fn flatten(&mut self, op: Op, values: &[Value]) -> Translated<Vec<Slot>> {
        let mut slots = Vec::new();
        for &value in values {
            match self.value(op, value)? {
                HostValue::Scalar(slot) => slots.push(slot),
                HostValue::Buffer(buffer) => {
                    slots.push(buffer.slot);
                    let shape = shape(self.ir, value);
                    let dynamic = buffer
                        .extents
                        .iter()
                        .zip(&shape)
                        .filter(|row| *row.1 == DYNAMIC);
                    slots.extend(dynamic.map(|row| *row.0));
                }
            }
        }
        Ok(slots)
    }

    /// The inverse of [`Self::flatten`]: what values of these types are, in slots that came out of a block or loop.
    fn unflatten(&mut self, values: &[Value], slots: &[Slot]) {
        let mut slots = slots.iter().copied();
        for &value in values {
            let Some(slot) = slots.next() else { return };
            let host = if self.ir.value_type(value).shaped(self.ir.ctx()).is_some() {
                let mut extents = Vec::new();
                for extent in shape(self.ir, value) {
                    let known = if extent == DYNAMIC {
                        slots.next()
                    } else {
                        None
                    };
                    extents.push(known.unwrap_or_else(|| self.plan.index(extent)));
                }
                HostValue::Buffer(Buffer { slot, extents })
            } else {
                HostValue::Scalar(slot)
            };
            self.values.insert(value, host);
        }
    }

    /// The slot types of values of these IR types, flattened.
    fn slot_types(&mut self, op: Op, types: &[Type]) -> Translated<Vec<SlotType>> {
        let ctx = self.ir.ctx();
        let mut slots = Vec::new();
        for &ty in types {
            let Some(elem) = element_type(ctx, ty.element_or_self(ctx)) else {
                let text = segra_text::print_type(ctx, ty);
                return self.refuse(
                    op,
                    format!("has a value of type {text}, which the host does not know"),
                );
            };
            match ctx.type_kind(ty) {
                TypeKind::MemRef { shape, .. } => {
                    slots.push(SlotType::Buffer(elem));
                    slots.extend(
                        shape
                            .iter()
                            .filter(|&&extent| extent == DYNAMIC)
                            .map(|_| SlotType::INDEX),
                    );
                }
                _ => slots.push(SlotType::Scalar(elem)),
            }
        }
        Ok(slots)
    }
}

/// Extents of a memref value; empty for others.
fn shape(ir: &Ir, value: Value) -> Vec<i64> {
    ir.value_type(value)
        .shaped(ir.ctx())
        .map(|shaped| shaped.0.to_vec())
        .unwrap_or_default()
}
