//! Functions: the signature in tensors, checks of sizes at entry, host code in order.

use crate::Flatten;
use crate::env::Env;
use crate::remarks::Remarks;
use crate::resized::Resized;
use crate::stops::MadeCheck;
use crate::view::{Lifted, Scalar, View};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::combinator::{Flavour, MAPPING, SCHEDULE, Soac, is_combinator, is_scheduled};
use segra_array::stencil::NearOp;
use segra_array::types::{ArrayType, Size};
use segra_array::with_loop::Loop;
use segra_array::with_loop::lower::is_kernels;
use segra_ir::interfaces::{RegionSuccessor, constant_of};
use segra_ir::types::DYNAMIC;
use segra_ir::{
    Block, Builder, Context, Diagnostics, InsertPoint, Ir, Loc, Op, OpState, Region, Type,
    TypeKind, Value,
};
use segra_kernel::refine::refine;
use segra_std::func::FuncOp;
use segra_std::tensor::{CastOp, DimOp};
use std::sync::Arc;

/// The reason is among the diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

pub(crate) type Outcome<T> = Result<T, Failed>;

/// A combinator of another flavour that did not expand into others.
pub(crate) const NO_RULE: &str =
    "is a combinator that flattening has no rule for, and that does not expand into others";

/// One level of the map-nest context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    /// Extent, a value of the new program on the host.
    pub(crate) size: Value,
}

/// How combinators of the code at hand are executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Execution {
    /// By segmented ops.
    Parallel,
    /// By loops: the code runs in one thread.
    Sequential,
}

/// The state of flattening one function.
pub(crate) struct Flattener<'a> {
    pub(crate) ir: &'a mut Ir,
    pub(crate) ctx: Arc<Context>,
    pub(crate) options: Flatten,
    pub(crate) diags: &'a mut Diagnostics,
    /// The new values for those of the old program.
    pub(crate) env: Env,
    /// Where new code goes.
    pub(crate) point: InsertPoint,
    /// The map-nest context, outermost level first; the first `fixed.len()` levels belong to the point of an
    /// enclosing segmented op.
    pub(crate) levels: Vec<Level>,
    /// Indices of the levels of the point the code at hand runs in; empty on the host.
    pub(crate) fixed: Vec<Value>,
    pub(crate) execution: Execution,
    /// Extents by name, with where each was bound.
    pub(crate) symbols: FxHashMap<segra_ir::Ident, (Value, String)>,
    /// Names bound by results since the function began, in order: they end with the scope they are bound in.
    pub(crate) named: Vec<segra_ir::Ident>,
    pub(crate) remarks: Remarks,
    /// Checks that points of nests have made.
    pub(crate) checked: FxHashMap<Op, MadeCheck>,
    /// Bodies of the loops and branches of nests around the code at hand, which may not be run.
    pub(crate) maybe_run: Vec<Block>,
    /// Checks made on the host for nests that may have no points, where they do not hold.
    pub(crate) skipped: FxHashSet<Op>,
    /// Branches and loops that are held by all points ([`Env::held`]), where only points that take part run the code at hand.
    pub(crate) met: Vec<Op>,
    /// Whether the point at hand comes to a `scf.while`, of those whose code is made.
    pub(crate) asked: FxHashMap<Op, Value>,
    /// Ops with a schedule that a nest has got.
    pub(crate) scheduled: FxHashSet<Op>,
    /// Number of the next choice between versions.
    pub(crate) choices: usize,
    /// Name of the function.
    pub(crate) name: String,
}

/// Replaces a function over arrays by one over tensors whose parallelism is in segmented ops.
///
/// Returns the new function, or `None` where something cannot be flattened (the errors are in `diags`; the old
/// function is then left as it was).
pub(crate) fn flatten_function(
    ir: &mut Ir,
    func: Op,
    called: bool,
    options: Flatten,
    diags: &mut Diagnostics,
) -> Option<Op> {
    let ctx = ir.context();
    let region = *ir.regions(func).first()?;
    let entry = ir.entry_block(region)?;
    if ir.blocks(region).count() != 1 {
        diags.op_error(
            ir,
            func,
            "has several basic blocks; flattening needs structured control flow",
        );
        return None;
    }
    let name = segra_ir::interfaces::symbol_name(ir, func).map(|name| ctx.str(name).to_owned());
    let name = name.unwrap_or_default();
    crate::split::split_updates(ir, func);
    let new = clone_signature(ir, &ctx, func, entry, called);
    let block = ir.entry_block(ir.region(new, 0))?;
    let mut flattener = Flattener {
        ir,
        ctx,
        options,
        diags,
        env: Env::default(),
        point: InsertPoint::End(block),
        levels: Vec::new(),
        fixed: Vec::new(),
        execution: Execution::Parallel,
        symbols: FxHashMap::default(),
        named: Vec::new(),
        remarks: Remarks::default(),
        checked: FxHashMap::default(),
        maybe_run: Vec::new(),
        skipped: FxHashSet::default(),
        met: Vec::new(),
        asked: FxHashMap::default(),
        scheduled: FxHashSet::default(),
        choices: 0,
        name,
    };
    let done = flattener
        .bind_parameters(entry, block)
        .and_then(|()| flattener.block(entry));
    std::mem::take(&mut flattener.remarks).tell(flattener.diags);
    let done = done.and_then(|()| flattener.check_schedules(func));
    match done {
        Ok(()) => {
            ir.erase_op(func);
            if let Some(new) = ir.cast::<FuncOp>(new) {
                refine(ir, new, called);
            }
            Some(new)
        }
        Err(Failed) => {
            ir.erase_op(new);
            None
        }
    }
}

/// `!array.array<[n][4]f32>` is `tensor<?x?xf32>`; scalars stay.
///
/// Constant sizes are not part of the tensor's type while code is made: all of a program's tensors must agree. [`refine`] adds
/// those that are known in the end.
pub(crate) fn tensor_type(ctx: &Context, ty: Type) -> Type {
    tensor_of(ctx, ty, |_| DYNAMIC)
}

/// The same for a parameter of a function that nothing in the program calls: with the extents that its type says, which those
/// who run the program check.
fn parameter_type(ctx: &Context, ty: Type) -> Type {
    tensor_of(ctx, ty, |size| match size {
        // Windows of no elements may not start where a type says that there is none.
        Size::Constant(extent) if *extent > 0 => *extent,
        _ => DYNAMIC,
    })
}

fn tensor_of(ctx: &Context, ty: Type, extent: impl Fn(&Size) -> i64) -> Type {
    let Some(array) = ty.dialect::<ArrayType>(ctx) else {
        return ty;
    };
    ctx.ty(TypeKind::Tensor {
        shape: array.sizes.iter().map(extent).collect(),
        element: array.element,
        encoding: None,
    })
}

/// An empty function before `func` with its attributes and a signature in tensors.
fn clone_signature(ir: &mut Ir, ctx: &Context, func: Op, entry: Block, called: bool) -> Op {
    let of = match called {
        true => tensor_type,
        false => parameter_type,
    };
    let inputs: Vec<Type> = ir
        .block_args(entry)
        .iter()
        .map(|&arg| of(ctx, ir.value_type(arg)))
        .collect();
    let results: Vec<Type> = match function_type(ir, func) {
        Some((_, results)) => results.iter().map(|&ty| tensor_type(ctx, ty)).collect(),
        None => Vec::new(),
    };
    let mut state = OpState::new(ir.op_name(func), ir.loc(func));
    state.regions = 1;
    let new = ir.create_op(state);
    let (properties, attrs) = (ir.properties(func), ir.discardable_attrs(func));
    ir.set_properties(new, properties);
    ir.set_discardable_attrs(new, attrs);
    let ty = ctx.type_attr(ctx.function(&inputs, &results));
    ir.set_attr_named(new, "function_type", Some(ty));
    ir.insert_before(new, func);
    let region = ir.region(new, 0);
    let block = ir.add_block(region, &inputs);
    for index in 0..inputs.len() {
        if let Some(name) = ir.value_name(ir.block_args(entry)[index]) {
            let arg = ir.block_args(block)[index];
            ir.set_value_name(arg, name);
        }
    }
    new
}

fn function_type(ir: &Ir, func: Op) -> Option<(Vec<Type>, Vec<Type>)> {
    match ir
        .ctx()
        .type_kind(ir.attr_named(func, "function_type")?.as_type(ir.ctx())?)
    {
        TypeKind::Function { inputs, results } => Some((inputs.clone(), results.clone())),
        _ => None,
    }
}

impl Flattener<'_> {
    /// Refuses schedules and mappings that no nest has got: what they say would not be done.
    fn check_schedules(&mut self, func: Op) -> Outcome<()> {
        let given = |&op: &Op| is_scheduled(self.ir, op) && !self.scheduled.contains(&op);
        match self.ir.walk(func).into_iter().find(given) {
            Some(op) => {
                let what = match self.ir.attr_named(op, SCHEDULE) {
                    Some(_) => SCHEDULE,
                    None => MAPPING,
                };
                let message = "but becomes no nest of maps around sequential code";
                self.fail(op, format!("has a {what}, {message}"))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn builder(&mut self, loc: Loc) -> Builder<'_> {
        Builder::new(self.ir, self.point, loc)
    }

    pub(crate) fn fail<T>(&mut self, op: Op, message: impl Into<String>) -> Outcome<T> {
        self.diags.op_error(self.ir, op, message);
        Err(Failed)
    }

    pub(crate) fn remark(&mut self, op: Op, message: impl Into<String>) {
        self.remarks.push(self.ir.loc(op), message.into(), false);
    }

    /// A remark on what an op has become.
    pub(crate) fn remark_result(&mut self, op: Op, message: impl Into<String>) {
        self.remarks.push(self.ir.loc(op), message.into(), true);
    }

    /// Views of the parameters; sizes that two parameters share, or that are constants, are checked on entry.
    fn bind_parameters(&mut self, old: Block, new: Block) -> Outcome<()> {
        let loc = self
            .ir
            .block_parent(old)
            .map_or(Loc::UNKNOWN, |func| self.ir.loc(func));
        for index in 0..self.ir.block_args(old).len() {
            let (arg, param) = (
                self.ir.block_args(old)[index],
                self.ir.block_args(new)[index],
            );
            let Some(array) = self
                .ir
                .value_type(arg)
                .dialect::<ArrayType>(&self.ctx)
                .cloned()
            else {
                self.env.bind(arg, Lifted::Host(param));
                continue;
            };
            let mut view = self.whole_parameter(arg, param, loc);
            for (dim, size) in array.sizes.iter().enumerate() {
                let extent = match view.sizes[dim] {
                    Scalar::New(extent) if constant_of(self.ir, extent).is_none() => extent,
                    _ => continue,
                };
                let place = format!("dimension {dim} of parameter #{index}");
                match size {
                    Size::Unknown => {}
                    Size::Constant(wanted) => {
                        let constant =
                            crate::point::index_constant(&mut self.builder(loc), *wanted);
                        self.check_equal(
                            extent,
                            constant,
                            &format!("{place} is not {wanted}"),
                            loc,
                        );
                        view.sizes[dim] = Scalar::New(constant);
                    }
                    Size::Symbol(name) => match self.symbols.get(name) {
                        None => {
                            self.symbols.insert(*name, (extent, place));
                        }
                        Some((first, first_place)) => {
                            let name = self.ctx.str(*name).to_owned();
                            let message =
                                format!("size `{name}`: {place} differs from {first_place}");
                            let first = *first;
                            self.check_equal(first, extent, &message, loc);
                            view.sizes[dim] = Scalar::New(first);
                        }
                    },
                }
            }
            self.env.bind(arg, Lifted::Array(view));
        }
        Ok(())
    }

    /// All of a parameter of the new function for one of the old: with the extents that its type says, which those who run the
    /// program check.
    ///
    /// As a tensor of open extents, which all of the program has until [`refine`] says what is known.
    fn whole_parameter(&mut self, old: Value, new: Value, loc: Loc) -> View {
        let (said, open) = (
            self.ir.value_type(new),
            tensor_type(&self.ctx, self.ir.value_type(old)),
        );
        let sizes = self.dimensions(new, loc);
        let tensor = match said == open {
            true => new,
            false => CastOp::build(&mut self.builder(loc), new, open).dest(self.ir),
        };
        View::whole(tensor, sizes)
    }

    /// A check at run time that two extents are the same; none where they are the same value.
    pub(crate) fn check_equal(&mut self, a: Value, b: Value, message: &str, loc: Loc) {
        if a == b {
            return;
        }
        let message = self.ctx.str_attr(message);
        let mut b_ = self.builder(loc);
        let equal = crate::point::compare_equal(&mut b_, a, b);
        segra_std::cf::AssertOp::build(&mut b_, equal, message);
    }

    /// All of a tensor, its extents read on the host.
    pub(crate) fn whole(&mut self, tensor: Value, loc: Loc) -> View {
        let sizes = self.dimensions(tensor, loc);
        View::whole(tensor, sizes)
    }

    /// The extents of a tensor, read on the host where its type does not say them.
    fn dimensions(&mut self, tensor: Value, loc: Loc) -> Vec<Value> {
        let shape = self.ir.value_type(tensor).shaped(&self.ctx);
        let rank = shape.map_or(0, |(shape, _)| shape.len());
        let mut b = self.builder(loc);
        let dims = (0..rank).map(|dim| DimOp::of(&mut b, tensor, dim));
        dims.collect()
    }

    /// Whether the code at hand runs once per point (or once, on the host): its scalars are values.
    pub(crate) fn at_point(&self) -> bool {
        self.levels.len() == self.fixed.len()
    }

    /// Emits the ops of a block of the old program, its terminator included.
    pub(crate) fn block(&mut self, block: Block) -> Outcome<()> {
        let ops: Vec<Op> = self.ir.ops(block).collect();
        for op in ops {
            let made = is_combinator(self.ir, op) && self.is_bound(op);
            if !made {
                self.emit_op(op)?;
            }
        }
        Ok(())
    }

    /// Emits one op of the old program whose operands are there, at a point or on the host.
    pub(crate) fn emit_op(&mut self, op: Op) -> Outcome<()> {
        let on_host = self.levels.is_empty() && self.fixed.is_empty();
        let named = match on_host && is_combinator(self.ir, op) {
            true => self.name_uniform_extents(op)?,
            false => Vec::new(),
        };
        self.emit(op)?;
        for name in named {
            self.symbols.remove(&name);
        }
        self.note_check(op);
        self.bind_sizes(op);
        Ok(())
    }

    fn emit(&mut self, op: Op) -> Outcome<()> {
        if self.view_op(op)? {
            return Ok(());
        }
        if let Some(near) = self.ir.cast::<NearOp>(op) {
            return self.near(near);
        }
        let done = match self.execution {
            Execution::Parallel => self.combinator(op)?,
            Execution::Sequential => self.sequential(op)?,
        };
        if done { Ok(()) } else { self.copy_op(op) }
    }

    /// Sizes that results of a host op are the first to name are bound to what they are there.
    fn bind_sizes(&mut self, op: Op) {
        if !self.levels.is_empty() || !self.fixed.is_empty() {
            return;
        }
        for result in self.ir.results(op).collect::<Vec<_>>() {
            let Some(array) = self
                .ir
                .value_type(result)
                .dialect::<ArrayType>(&self.ctx)
                .cloned()
            else {
                continue;
            };
            let Some(view) = self.view(result) else {
                continue;
            };
            for (dim, (size, extent)) in array.sizes.iter().zip(&view.sizes).enumerate() {
                if let (Size::Symbol(name), Scalar::New(extent)) = (size, extent)
                    && !self.symbols.contains_key(name)
                {
                    let place =
                        format!("dimension {dim} of a result of {}", self.ir.op_name_str(op));
                    self.symbols.insert(*name, (*extent, place));
                    self.named.push(*name);
                }
            }
        }
    }

    /// Scalar code and control flow: copied, with tensors for arrays.
    pub(crate) fn copy_op(&mut self, op: Op) -> Outcome<()> {
        let loc = self.ir.loc(op);
        self.read_extents_before(op)?;
        let resized = self.resized(op);
        let mut state = OpState::new(self.ir.op_name(op), loc);
        let operands: Vec<Value> = self.ir.operands(op).collect();
        for value in operands {
            state.operands.push(self.value_of(value, op)?);
        }
        self.ask(op, &mut state.operands)?;
        let results: Vec<Value> = self.ir.results(op).collect();
        let types = results.iter().map(|&result| self.ir.value_type(result));
        let types = types.map(|ty| tensor_type(&self.ctx, ty));
        state.result_types = types.collect();
        self.forward_in(op, &mut state, &resized);
        state.regions = self.ir.regions(op).len();
        let new = self.builder(loc).insert(state);
        let (properties, attrs) = (self.ir.properties(op), self.ir.discardable_attrs(op));
        self.ir.set_properties(new, properties);
        self.ir.set_discardable_attrs(new, attrs);
        for index in 0..self.ir.regions(op).len() {
            self.copy_region(op, index, self.ir.region(new, index), &resized)?;
        }
        let made: Vec<Value> = self.ir.results(new).collect();
        let (made, carried) = made.split_at(results.len());
        let positions = resized.at(RegionSuccessor::Parent);
        self.bind_forwarded(&results, (made, carried), (0, positions), loc);
        Ok(())
    }

    /// Extents of arrays that a branch or loop of a point uses, where each point reads its own: before it, so that what it makes has
    /// an extent that is known behind it.
    fn read_extents_before(&mut self, op: Op) -> Outcome<()> {
        if self.fixed.is_empty() || self.ir.regions(op).is_empty() {
            return Ok(());
        }
        let used = self.ir.free_values(op);
        let views: Vec<View> = used.iter().filter_map(|&value| self.view(value)).collect();
        for size in views.iter().flat_map(|view| &view.sizes) {
            if let Scalar::Old(number) = *size
                && self.env.get(number).is_some()
            {
                self.value_of(number, op)?;
            }
        }
        Ok(())
    }

    /// `new` stands for `old`: a scalar, or all of a tensor.
    pub(crate) fn bind_value(&mut self, old: Value, new: Value, loc: Loc) {
        if let Some(name) = self.ir.value_name(old) {
            self.ir.set_value_name(new, name);
        }
        let ty = self.ir.value_type(old);
        let lifted = if ty.dialect::<ArrayType>(&self.ctx).is_some() {
            // At a point, sizes of the function are those that all points have.
            let known = if self.fixed.is_empty() {
                None
            } else {
                self.extents(ty, loc)
            };
            Lifted::Array(match known {
                Some(sizes) => View::whole(new, sizes),
                None => self.whole(new, loc),
            })
        } else {
            Lifted::Host(new)
        };
        self.env.bind(old, lifted);
    }

    fn copy_region(&mut self, op: Op, index: usize, new: Region, resized: &Resized) -> Outcome<()> {
        let old = self.ir.region(op, index);
        let blocks: Vec<Block> = self.ir.blocks(old).collect();
        for (number, block) in blocks.into_iter().enumerate() {
            let args = self.ir.block_args(block).to_vec();
            let first = crate::resized::arguments_of_op(self.ir, op, old);
            let positions = match number {
                0 => resized.at(RegionSuccessor::Region(old)),
                _ => &[],
            };
            let mut types: Vec<Type> = args
                .iter()
                .map(|&arg| tensor_type(&self.ctx, self.ir.value_type(arg)))
                .collect();
            for &position in positions {
                let count = self.carried_extents(args[first + position]);
                types.extend(vec![self.ctx.index(); count]);
            }
            let copy = self.ir.add_block(new, &types);
            self.scope(copy, |this| {
                let params = this.ir.block_args(copy).to_vec();
                let (params, carried) = params.split_at(args.len());
                this.bind_forwarded(&args, (params, carried), (first, positions), Loc::UNKNOWN);
                this.block(block)?;
                this.forward_out(op, old, (block, copy), resized);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Runs `f` with new ops going to the end of `block`.
    pub(crate) fn inside<T>(&mut self, block: Block, f: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.point, InsertPoint::End(block));
        let result = f(self);
        self.point = outside;
        result
    }

    /// The same; what `f` binds is forgotten afterwards.
    pub(crate) fn scope<T>(&mut self, block: Block, f: impl FnOnce(&mut Self) -> T) -> T {
        let (mark, named) = (self.env.mark(), self.named.len());
        let result = self.inside(block, f);
        self.env.rewind(mark);
        self.forget_names(named);
        result
    }

    /// The same for the body of a loop or branch of a nest, which may not be run.
    pub(crate) fn scope_of_flow<T>(&mut self, block: Block, f: impl FnOnce(&mut Self) -> T) -> T {
        self.maybe_run.push(block);
        let result = self.scope(block, f);
        self.maybe_run.pop();
        result
    }

    /// Forgets the names of extents but the first so many.
    fn forget_names(&mut self, kept: usize) {
        for name in self.named.drain(kept..) {
            self.symbols.remove(&name);
        }
    }

    /// Runs `f`, which tells whether the nest gains by what it made; what it made and bound is undone otherwise.
    pub(crate) fn attempt(&mut self, f: impl FnOnce(&mut Self) -> Outcome<bool>) -> Outcome<bool> {
        let before = self.op_before_point();
        let (mark, named, told) = (self.env.mark(), self.named.len(), self.remarks.len());
        let (checked, skipped) = (self.checked.clone(), self.skipped.clone());
        let (scheduled, choices) = (self.scheduled.clone(), self.choices);
        if f(self)? {
            return Ok(true);
        }
        self.env.rewind(mark);
        self.forget_names(named);
        self.remarks.undo(told);
        (self.checked, self.skipped) = (checked, skipped);
        (self.scheduled, self.choices) = (scheduled, choices);
        while let Some(made) = self.op_before_point()
            && Some(made) != before
        {
            self.ir.erase_op(made);
        }
        Ok(false)
    }

    fn op_before_point(&self) -> Option<Op> {
        match self.point {
            InsertPoint::End(block) => self.ir.last_op(block),
            InsertPoint::Before(op) => self.ir.prev_op(op),
        }
    }

    /// The value of the new program, here, for a value of the old one: a scalar, or a tensor that is all of an array.
    pub(crate) fn value_of(&mut self, old: Value, user: Op) -> Outcome<Value> {
        match self.env.get(old).cloned() {
            Some(Lifted::Host(value)) => Ok(value),
            Some(Lifted::Array(view)) if view.rank() == 0 => {
                let value = self.read(&view, user)?;
                self.env.bind(old, Lifted::Host(value));
                Ok(value)
            }
            Some(Lifted::Array(view)) => match view.as_tensor() {
                Some(tensor) => Ok(tensor),
                None => self.materialise(&view, user),
            },
            Some(Lifted::Later(_)) | None => {
                self.fail(user, "uses a value that is not available here")
            }
        }
    }

    /// Rules for combinators, on the host and inside nests. Tells whether `op` was one.
    pub(crate) fn combinator(&mut self, op: Op) -> Outcome<bool> {
        let Some(soac) = Soac::of(self.ir, op) else {
            return Ok(false);
        };
        if let Some(parts) = Loop::of(self.ir, op)
            && is_kernels(self.ir, op, &parts)
        {
            self.with_loop(op, &parts)?;
            return Ok(true);
        }
        match (soac.flavour, soac.body) {
            (Flavour::Map, Some(body)) => self.map(&soac, body)?,
            (Flavour::Reduce | Flavour::Scan { .. }, _) => self.combination(&soac)?,
            (Flavour::Scatter, Some(body)) => self.scatter(soac, body)?,
            (Flavour::Hist, Some(body)) => self.hist(soac, body)?,
            _ => return self.fail(op, NO_RULE),
        }
        Ok(true)
    }

    /// A scalar of the old program: at hand, or inside a nest to be computed at each point.
    pub(crate) fn scalar(&mut self, old: Value, user: Op) -> Outcome<Scalar> {
        match self.env.get(old) {
            Some(Lifted::Host(value)) => Ok(Scalar::New(*value)),
            Some(Lifted::Array(_)) if self.at_point() => Ok(Scalar::New(self.value_of(old, user)?)),
            _ => Ok(Scalar::Old(old)),
        }
    }

    pub(crate) fn view(&self, old: Value) -> Option<View> {
        match self.env.get(old) {
            Some(Lifted::Array(view)) => Some(view.clone()),
            _ => None,
        }
    }

    /// The extent a type says a dimension has, where it is a constant or a size of the function.
    pub(crate) fn extent(&mut self, size: Size, loc: Loc) -> Option<Value> {
        match size {
            Size::Constant(extent) => {
                Some(crate::point::index_constant(&mut self.builder(loc), extent))
            }
            Size::Symbol(name) => self.symbols.get(&name).map(|(extent, _)| *extent),
            Size::Unknown => None,
        }
    }

    /// All extents a type says a value has: none for a scalar, `None` where one may differ between points.
    pub(crate) fn extents(&mut self, ty: Type, loc: Loc) -> Option<Vec<Value>> {
        let sizes = ty
            .dialect::<ArrayType>(&self.ctx)
            .map(|array| array.sizes.clone())
            .unwrap_or_default();
        sizes
            .into_iter()
            .map(|size| self.extent(size, loc))
            .collect()
    }
}
