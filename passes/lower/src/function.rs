//! Modules and functions: tensors become memrefs, segmented ops become launches.

use crate::access::{element_type, load, shaped};
use crate::kernel::Kernel;
use crate::launch::{Extent, How, Launch, Mappings, Team, constant};
use rustc_hash::FxHashMap;
use segra_gpu::host::{AllocOp, GpuModuleOp};
use segra_ir::interfaces::symbol_name;
use segra_ir::symbol::mangled;
use segra_ir::types::DYNAMIC;
use segra_ir::{
    Block, Builder, Context, Diagnostics, InsertPoint, Ir, Op, OpView, Type, TypeKind, Value,
};
use segra_kernel::access::Read;
use segra_kernel::bound::BoundArraysOp;
use segra_kernel::level::Level;
use segra_kernel::mapping::{choose, mapping_of};
use segra_kernel::segop::{SegMapOp, SegRedOp, SegScanOp, SegmentedOp};
use segra_kernel::tile::UntileOp;
use segra_kernel::update::{ScatterOp, SegHistOp};
use segra_kernel::vector::{Accesses, Policy, mark_accesses};
use segra_space::{BlockSize, Strategy};
use segra_std::func::FuncOp;
use segra_std::sizes::size_text;
use segra_std::tensor::{DimOp, EmptyOp, ReshapeOp};
use std::sync::Arc;

/// Name of the module that holds the kernels, where nothing else has it.
const MODULE: &str = "kernels";

/// Bytes of the text of an extent in the summary of a kernel.
const LONGEST_SIZE: usize = 24;

/// How to lower.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    /// Threads per block of reductions and scans: a power of two, 32 to 1024.
    pub(crate) block_size: i64,
    /// Least elements per thread block where several share a segment.
    pub(crate) chunk: i64,
    /// Bytes for arrays of threads that are as large as only they know.
    pub(crate) scratch_bytes: i64,
    /// Whether kernels check indices the program gives.
    pub(crate) checks: crate::Checks,
}

/// A condition the program text decides.
pub(crate) fn known_bool(ir: &Ir, condition: Value) -> Option<bool> {
    segra_ir::interfaces::constant_of(ir, condition)
        .and_then(|attr| attr.as_i64(ir.ctx()))
        .map(|bit| bit != 0)
}

/// A comparison of index values; a constant where both are.
pub(crate) fn folded_compare(
    b: &mut Builder<'_>,
    predicate: segra_std::arith::CmpIPredicate,
    x: Value,
    y: Value,
) -> Value {
    let known = |value: Value| {
        segra_ir::interfaces::constant_of(b.ir, value).and_then(|attr| attr.as_i64(b.ir.ctx()))
    };
    match (known(x), known(y)) {
        (Some(x), Some(y)) if predicate == segra_std::arith::CmpIPredicate::Sle => {
            let attr = b.ctx().bool_attr(x <= y);
            segra_std::arith::ConstantOp::build(b, attr).result(b.ir)
        }
        _ => crate::launch::compare(b, predicate, x, y),
    }
}

/// The state of lowering one module.
pub(crate) struct Lowering<'a> {
    pub(crate) ir: &'a mut Ir,
    pub(crate) ctx: Arc<Context>,
    pub(crate) options: Options,
    pub(crate) diags: &'a mut Diagnostics,
    /// Errors there were before.
    errors: usize,
    /// Most elements of an array of a point whose extents only the point knows, for the op at hand.
    point_bound: Option<Value>,
    /// Body of the module that holds the kernels.
    kernels: Block,
    /// Name of the function being lowered.
    pub(crate) function: String,
    mappings: Mappings,
    /// Ops that became part of another one's kernel.
    pub(crate) done: rustc_hash::FxHashSet<Op>,
    count: usize,
}

/// Lowers every function of a module that has segmented ops or tensors; kernels go to `gpu.module @kernels`.
///
/// Returns whether all could be lowered; the errors are in `diags`.
pub(crate) fn lower_module(
    ir: &mut Ir,
    module: Op,
    options: Options,
    diags: &mut Diagnostics,
) -> bool {
    let ctx = ir.context();
    let Some(body) = ir
        .regions(module)
        .first()
        .and_then(|&region| ir.entry_block(region))
    else {
        return true;
    };
    let functions: Vec<Op> = ir.ops(body).filter(|&op| ir.isa::<FuncOp>(op)).collect();
    let before = diags.error_count();
    let kernels = kernels_of(ir, module, body);
    let earlier = ir.ops(kernels).count();
    ir.set_attr_named(module, "gpu.container_module", Some(ctx.unit()));
    let mut lowering = Lowering {
        ir,
        ctx,
        options,
        diags,
        errors: before,
        point_bound: None,
        kernels,
        function: String::new(),
        mappings: Mappings::default(),
        done: rustc_hash::FxHashSet::default(),
        // Kernels of an earlier run have the lower numbers.
        count: earlier,
    };
    for func in functions {
        lowering.function(func);
    }
    lowering.diags.error_count() == before
}

/// The block for kernels: in the module that an earlier run made, else in a new one.
fn kernels_of(ir: &mut Ir, module: Op, body: Block) -> Block {
    let ctx = ir.context();
    let taken: FxHashMap<String, Op> = ir
        .ops(body)
        .filter_map(|op| Some((ctx.str(symbol_name(ir, op)?).to_owned(), op)))
        .collect();
    let earlier = taken.get(MODULE).and_then(|&op| ir.cast::<GpuModuleOp>(op));
    if let Some(kernels) = earlier.and_then(|module| ir.entry_block(module.body(ir))) {
        return kernels;
    }
    let mut names =
        std::iter::once(MODULE.to_owned()).chain((0..).map(|number| format!("{MODULE}_{number}")));
    let name = names
        .find(|name| !taken.contains_key(name))
        .unwrap_or_default();
    let point = ir
        .first_op(body)
        .map_or(InsertPoint::End(body), InsertPoint::Before);
    let (name, loc) = (ctx.str_attr(&name), ir.loc(module));
    let gpu_module = GpuModuleOp::build(&mut Builder::new(ir, point, loc), name);
    let region = gpu_module.body(ir);
    ir.add_block(region, &[])
}

/// The memref type of a tensor type; other types stay.
pub(crate) fn memref_type(ctx: &Context, ty: Type) -> Type {
    match ctx.type_kind(ty) {
        TypeKind::Tensor { shape, element, .. } => ctx.memref(shape, *element, None),
        TypeKind::Function { inputs, results } => {
            let convert = |types: &[Type]| {
                types
                    .iter()
                    .map(|&ty| memref_type(ctx, ty))
                    .collect::<Vec<_>>()
            };
            ctx.function(&convert(inputs), &convert(results))
        }
        _ => ty,
    }
}

impl Lowering<'_> {
    fn function(&mut self, func: Op) {
        let ctx = self.ctx.clone();
        self.function = symbol_name(self.ir, func)
            .map(|name| ctx.str(name).to_owned())
            .unwrap_or_default();
        self.prepare_tensors(func);
        self.separate_scratch(func);
        let ops = self.ir.walk(func);
        self.convert_types(func, &ops);
        let host: Vec<Op> = ops.into_iter().filter(|&op| self.is_host(op)).collect();
        for op in host {
            if self.done.contains(&op) {
                continue;
            }
            self.host_op(op);
        }
        self.erase_shapes(func);
    }

    /// Whether an op is not inside a segmented op.
    pub(crate) fn is_host(&self, op: Op) -> bool {
        !self
            .ir
            .ancestors(op)
            .skip(1)
            .any(|around| self.ir.interface::<dyn SegmentedOp>(around).is_some())
    }

    fn convert_types(&mut self, func: Op, ops: &[Op]) {
        let ctx = self.ctx.clone();
        for &op in ops {
            let mut values: Vec<Value> = self.ir.results(op).collect();
            for &region in self.ir.regions(op) {
                for block in self.ir.blocks(region) {
                    values.extend(self.ir.block_args(block));
                }
            }
            for value in values {
                let ty = memref_type(&ctx, self.ir.value_type(value));
                self.ir.set_value_type(value, ty);
            }
        }
        if let Some(ty) = self
            .ir
            .attr_named(func, "function_type")
            .and_then(|attr| attr.as_type(&ctx))
        {
            let attr = ctx.type_attr(memref_type(&ctx, ty));
            self.ir.set_attr_named(func, "function_type", Some(attr));
        }
    }

    fn host_op(&mut self, op: Op) {
        if let Some(model) = self.ir.interface::<dyn SegmentedOp>(op) {
            let level = model.level(self.ir, op);
            let lowered = match level {
                Level::Thread => true,
                Level::Block => self.ir.isa::<SegMapOp>(op),
            };
            if !lowered {
                let message = format!("is not lowered at level `{}`", level.keyword());
                self.diags.op_error(self.ir, op, message);
                return;
            }
            let bound = BoundArraysOp::of(self.ir, op);
            self.point_bound = bound.map(|bound| bound.most(self.ir));
            // No kernel takes the number.
            if let Some(bound) = bound {
                self.ir.erase_op(bound.op());
            }
        }
        let (loc, name) = (self.ir.loc(op), self.ir.op_name_str(op).to_owned());
        if let Some(lowered) = self.segmented_op(op) {
            if lowered.is_none() && self.diags.error_count() == self.errors {
                self.diags
                    .error(loc, format!("'{name}' op has no kernel of this form"));
            }
        } else if let Some(reshape) = self.ir.cast::<ReshapeOp>(op) {
            self.reshape_on_host(reshape);
        } else if let Some(untile) = self.ir.cast::<UntileOp>(op) {
            self.untile(untile);
        } else if let Some(scratch) = self.ir.cast::<EmptyOp>(op) {
            self.scratch_on_host(scratch);
        } else if let Some(dim) = self.ir.cast::<DimOp>(op) {
            let (memref, at) = (dim.source(self.ir), dim.dim(self.ir));
            let mut b = Builder::before(self.ir, op);
            // A check of a size reads it as it is.
            let extent = crate::access::dim_of(&mut b, memref, at.unwrap_or(0));
            self.ir.replace_op(op, &[extent]);
        } else if let Some(read) = Read::of(self.ir, op) {
            let (memref, indices) = (read.tensor(self.ir), read.indices(self.ir));
            let mut b = Builder::before(self.ir, op);
            let value = load(&mut b, memref, &indices);
            self.ir.replace_op(op, &[value]);
        }
    }

    /// Lowers a segmented op, if `op` is one; `Some(None)`: it could not be.
    fn segmented_op(&mut self, op: Op) -> Option<Option<()>> {
        if let Some(segmap) = self.ir.cast::<SegMapOp>(op) {
            Some(match segmap.level(self.ir) {
                Level::Block => self.segmap_of_blocks(segmap),
                Level::Thread => self.segmap(segmap),
            })
        } else if let Some(segred) = self.ir.cast::<SegRedOp>(op) {
            Some(self.segred(segred))
        } else if let Some(segscan) = self.ir.cast::<SegScanOp>(op) {
            Some(self.segscan(segscan))
        } else if let Some(hist) = self.ir.cast::<SegHistOp>(op) {
            Some(self.seghist(hist))
        } else {
            self.ir
                .cast::<ScatterOp>(op)
                .map(|scatter| self.scatter(scatter))
        }
    }

    /// Reports an op whose schedule is not decided.
    pub(crate) fn refuse_unscheduled(&mut self, op: Op) -> Option<()> {
        let message = "has no form that can be lowered: `choose-forms` gives it one";
        self.diags.op_error(self.ir, op, message);
        None
    }

    /// Marks the accesses of a segmap that the lowering makes, as no pass has seen it, maps it, and lowers it.
    pub(crate) fn own_segmap(&mut self, segmap: SegMapOp) -> Option<()> {
        let op = segmap.op();
        let policy = Policy {
            are_equal: &|_, _, _, _| false,
            checks: self.options.checks,
            accesses: Accesses::Wide,
        };
        mark_accesses(self.ir, op, &policy);
        let fold = Strategy::FoldAll(BlockSize::Automatic);
        if let Ok(Some(mapping)) = choose(self.ir, op, &[&fold]) {
            let attr = mapping.attr(&self.ctx);
            self.ir.set_attr_named(op, "mapping", Some(attr));
        }
        self.segmap(segmap)
    }

    /// Host code right before an op.
    pub(crate) fn builder(&mut self, op: Op) -> Builder<'_> {
        Builder::before(self.ir, op)
    }

    /// Host code at a place, on behalf of an op.
    pub(crate) fn host(&mut self, op: Op, host: InsertPoint) -> Builder<'_> {
        let loc = self.ir.loc(op);
        Builder::new(self.ir, host, loc)
    }

    /// An empty kernel named after its function, kind and number, launched right before `op`.
    pub(crate) fn kernel(&mut self, op: Op, kind: &str) -> Kernel<'_> {
        self.kernel_at(op, kind, InsertPoint::Before(op))
    }

    /// As [`Self::kernel`], launched at another place.
    pub(crate) fn kernel_at(&mut self, op: Op, kind: &str, host: InsertPoint) -> Kernel<'_> {
        let name = format!("{}_{kind}_{}", mangled(&self.function), self.count);
        self.count += 1;
        let (loc, summary) = (self.ir.loc(op), self.summary(op, kind));
        let checks = self.options.checks;
        let bound = self.point_bound;
        let mut kernel = Kernel::new(
            self.ir,
            self.kernels,
            &name,
            (host, loc),
            checks,
            self.diags,
        );
        kernel.bound = bound;
        kernel.describe(&summary);
        kernel
    }

    /// `segred at level thread over n x k`: sizes as [`size_text`] writes them.
    fn summary(&self, op: Op, kind: &str) -> String {
        let Some(model) = self.ir.interface::<dyn SegmentedOp>(op) else {
            return kind.to_owned();
        };
        let sizes = model.sizes(self.ir, op).into_iter();
        let sizes: Vec<String> = sizes
            .map(|size| size_text(self.ir, size, LONGEST_SIZE))
            .collect();
        format!(
            "{kind} at level {} over {}",
            model.level(self.ir, op).keyword(),
            sizes.join(" x ")
        )
    }

    /// How the op says that it is mapped; an error where it does not.
    pub(crate) fn how(&mut self, op: Op) -> Option<How> {
        let Some(chain) = mapping_of(self.ir, op) else {
            let message = "has no mapping: `choose-mapping` gives it one";
            self.diags.op_error(self.ir, op, message);
            return None;
        };
        Some(How::By(chain.clone()))
    }

    /// Launches `team` for each index of a space.
    pub(crate) fn launch(
        &mut self,
        op: Op,
        how: How,
        space: &[Extent],
        team: Team,
    ) -> Option<Launch> {
        match self.mappings.launch(space, how, team) {
            Ok(launch) => Some(launch),
            Err(error) => {
                self.diags
                    .op_error(self.ir, op, format!("cannot be mapped to a grid: {error}"));
                None
            }
        }
    }

    /// Flat buffers for `count` results of `op` from number `first` on, with space for one element per point of `sizes`.
    pub(crate) fn allocate_results(
        &mut self,
        op: Op,
        sizes: &[Value],
        count: usize,
        first: usize,
    ) -> Vec<Value> {
        let mut buffers = Vec::new();
        if count == 0 {
            return buffers;
        }
        let mut b = Builder::before(self.ir, op);
        let mut points = constant(&mut b, 1);
        for &size in sizes {
            points = crate::launch::mul(&mut b, points, size);
        }
        for index in first..first + count {
            let rows = self.rows_of(op, index, sizes.len());
            let element = element_type(self.ir, self.ir.value_type(self.ir.result(op, index)));
            let mut b = Builder::before(self.ir, op);
            let all = rows
                .iter()
                .fold(points, |all, &row| crate::launch::mul(&mut b, all, row));
            buffers.push(self.allocate(op, InsertPoint::Before(op), element, all));
        }
        buffers
    }

    /// Extents of what one point stores for a result, on the host: those beyond the `outer` dimensions of its space.
    pub(crate) fn rows_of(&mut self, op: Op, index: usize, outer: usize) -> Vec<Value> {
        let result = self.ir.result(op, index);
        let rank = self
            .ir
            .value_type(result)
            .shaped(&self.ctx)
            .map_or(0, |shaped| shaped.0.len());
        let place = (InsertPoint::Before(op), self.ir.loc(op));
        let mut rows = Vec::new();
        for dim in outer..rank {
            let extent = segra_kernel::extent::extent_of(self.ir, result, dim);
            let known = &mut FxHashMap::default();
            let extent = match extent {
                Some(extent) => crate::point::host_value(self.ir, place, op, extent, known),
                None => {
                    // A row that is forwarded from outside as it is, through loops that may not change it.
                    let (origin, at) = segra_kernel::extent::origin_of(self.ir, result, dim);
                    let outside = !self.ir.is_defined_inside(origin, op) && origin != result;
                    outside.then(|| {
                        crate::access::extent_of(&mut Builder::before(self.ir, op), origin, at)
                    })
                }
            };
            match extent {
                Some(extent) => rows.push(extent),
                None => {
                    self.diags.op_error(
                        self.ir,
                        op,
                        "stores arrays whose extent is only known at each point of a nest",
                    );
                    rows.push(constant(&mut Builder::before(self.ir, op), 0));
                }
            }
        }
        rows
    }

    /// Flat buffers of `count` elements of the types of `values`.
    pub(crate) fn allocate_like(
        &mut self,
        op: Op,
        host: InsertPoint,
        values: &[Value],
        count: Value,
    ) -> Vec<Value> {
        let element = |value: &Value| element_type(self.ir, self.ir.value_type(*value));
        let elements: Vec<Type> = values.iter().map(element).collect();
        elements
            .into_iter()
            .map(|element| self.allocate(op, host, element, count))
            .collect()
    }

    /// A flat buffer of `count` elements.
    pub(crate) fn allocate(
        &mut self,
        op: Op,
        host: InsertPoint,
        element: Type,
        count: Value,
    ) -> Value {
        let ty = self.ctx.memref(&[DYNAMIC], element, None);
        let mut b = self.host(op, host);
        AllocOp::builder()
            .dynamic_sizes(&[count])
            .memref_type(ty)
            .build(&mut b)
            .memref(b.ir)
    }

    /// Replaces an op by its result buffers seen in the shape of its results.
    pub(crate) fn replace_results(&mut self, op: Op, buffers: &[Value], sizes: &[Value]) {
        self.replace_reduced(op, buffers, sizes, 0);
    }

    /// As [`Self::replace_results`], the first `reduced` results lacking the innermost dimension.
    pub(crate) fn replace_reduced(
        &mut self,
        op: Op,
        buffers: &[Value],
        sizes: &[Value],
        reduced: usize,
    ) {
        let mut values = Vec::new();
        for (index, &buffer) in buffers.iter().enumerate() {
            let ty = self.ir.value_type(self.ir.result(op, index));
            let space = if index < reduced {
                &sizes[..sizes.len() - 1]
            } else {
                sizes
            };
            let mut all = space.to_vec();
            all.extend(self.rows_of(op, index, space.len()));
            let mut b = Builder::before(self.ir, op);
            values.push(if all.is_empty() {
                let zero = constant(&mut b, 0);
                load(&mut b, buffer, &[zero])
            } else {
                shaped(&mut b, buffer, &all, ty)
            });
        }
        self.ir.replace_op(op, &values);
    }
}
