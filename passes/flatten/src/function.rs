//! Functions: the signature in tensors, checks of sizes at entry, host code in order.

use crate::Flatten;
use crate::view::{Axis, Base, Lifted, Scalar, View};
use rustc_hash::FxHashMap;
use segra_array::shape::{CastOp, DimOp, IndexOp, IotaOp, RearrangeOp, ReplicateOp};
use segra_array::soac::{MapOp, RedomapOp, ReduceOp, ScanOp};
use segra_array::types::{ArrayType, Size};
use segra_ir::types::DYNAMIC;
use segra_ir::{
    Block, Builder, Context, Diagnostic, Diagnostics, InsertPoint, Ir, Loc, Op, OpState, OpView, Severity,
    Type, TypeKind, Value,
};
use std::sync::Arc;

/// The reason is among the diagnostics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Failed;

pub(crate) type Outcome<T> = Result<T, Failed>;

/// One level of the map-nest context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Level {
    /// Extent, a value of the new program on the host.
    pub(crate) size: Value,
}

/// The state of flattening one function.
pub(crate) struct Flattener<'a> {
    pub(crate) ir: &'a mut Ir,
    pub(crate) ctx: Arc<Context>,
    pub(crate) options: Flatten,
    pub(crate) diags: &'a mut Diagnostics,
    /// What stands for values of the old program.
    pub(crate) env: FxHashMap<Value, Lifted>,
    /// Where host code of the new program goes.
    pub(crate) point: InsertPoint,
    pub(crate) levels: Vec<Level>,
    /// Extents by name, with where each was bound.
    symbols: FxHashMap<segra_ir::Ident, (Value, String)>,
}

/// Replaces a function over arrays by one over tensors whose parallelism is in segmented ops.
///
/// Returns the new function, or `None` where something cannot be flattened (the errors are in `diags`; the old
/// function is then left as it was).
pub(crate) fn flatten_function(
    ir: &mut Ir,
    func: Op,
    options: Flatten,
    diags: &mut Diagnostics,
) -> Option<Op> {
    let ctx = ir.context();
    let region = *ir.regions(func).first()?;
    let entry = ir.entry_block(region)?;
    if ir.blocks(region).count() != 1 {
        diags.op_error(ir, func, "has several basic blocks; flattening needs structured control flow");
        return None;
    }
    let new = clone_signature(ir, &ctx, func, entry);
    let block = ir.entry_block(ir.region(new, 0))?;
    let mut flattener = Flattener {
        ir,
        ctx,
        options,
        diags,
        env: FxHashMap::default(),
        point: InsertPoint::End(block),
        levels: Vec::new(),
        symbols: FxHashMap::default(),
    };
    let done = flattener.bind_parameters(entry, block).and_then(|()| flattener.host_block(entry));
    match done {
        Ok(()) => {
            ir.erase_op(func);
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
/// Constant sizes are not part of the tensor's type: results of segmented ops have open extents, and all of a program's
/// tensors must agree. Parameters are checked against them on entry.
pub(crate) fn tensor_type(ctx: &Context, ty: Type) -> Type {
    let Some(array) = ty.dialect::<ArrayType>(ctx) else { return ty };
    let shape = vec![DYNAMIC; array.sizes.len()];
    ctx.ty(TypeKind::Tensor { shape, element: array.element, encoding: None })
}

/// An empty function before `func` with its attributes and a signature in tensors.
fn clone_signature(ir: &mut Ir, ctx: &Context, func: Op, entry: Block) -> Op {
    let inputs: Vec<Type> =
        ir.block_args(entry).iter().map(|&arg| tensor_type(ctx, ir.value_type(arg))).collect();
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
    match ir.ctx().type_kind(ir.attr_named(func, "function_type")?.as_type(ir.ctx())?) {
        TypeKind::Function { inputs, results } => Some((inputs.clone(), results.clone())),
        _ => None,
    }
}

impl Flattener<'_> {
    pub(crate) fn builder(&mut self, loc: Loc) -> Builder<'_> {
        Builder::new(self.ir, self.point, loc)
    }

    pub(crate) fn fail<T>(&mut self, op: Op, message: impl Into<String>) -> Outcome<T> {
        self.diags.op_error(self.ir, op, message);
        Err(Failed)
    }

    pub(crate) fn remark(&mut self, op: Op, message: impl Into<String>) {
        let loc = self.ir.loc(op);
        self.diags.push(Diagnostic::new(Severity::Remark, loc, message));
    }

    /// Views of the parameters; sizes that two parameters share, or that are constants, are checked on entry.
    fn bind_parameters(&mut self, old: Block, new: Block) -> Outcome<()> {
        let loc = self.ir.block_parent(old).map_or(Loc::UNKNOWN, |func| self.ir.loc(func));
        for index in 0..self.ir.block_args(old).len() {
            let (arg, param) = (self.ir.block_args(old)[index], self.ir.block_args(new)[index]);
            let Some(array) = self.ir.value_type(arg).dialect::<ArrayType>(&self.ctx).cloned() else {
                self.env.insert(arg, Lifted::Host(param));
                continue;
            };
            let mut view = self.whole(param, loc);
            for (dim, size) in array.sizes.iter().enumerate() {
                let Scalar::New(extent) = view.sizes[dim] else { continue };
                let place = format!("dimension {dim} of parameter #{index}");
                match size {
                    Size::Unknown => {}
                    Size::Constant(wanted) => {
                        let constant = crate::emit::index_constant(&mut self.builder(loc), *wanted);
                        self.check_equal(extent, constant, &format!("{place} is not {wanted}"), loc);
                        view.sizes[dim] = Scalar::New(constant);
                    }
                    Size::Symbol(name) => match self.symbols.get(name) {
                        None => {
                            self.symbols.insert(*name, (extent, place));
                        }
                        Some((first, first_place)) => {
                            let name = self.ctx.str(*name).to_owned();
                            let message = format!("size `{name}`: {place} differs from {first_place}");
                            let first = *first;
                            self.check_equal(first, extent, &message, loc);
                        }
                    },
                }
            }
            self.env.insert(arg, Lifted::Array(view));
        }
        Ok(())
    }

    /// A check at run time that two extents are the same; none where they are the same value.
    pub(crate) fn check_equal(&mut self, a: Value, b: Value, message: &str, loc: Loc) {
        if a == b {
            return;
        }
        let message = self.ctx.str_attr(message);
        let mut b_ = self.builder(loc);
        let equal = crate::emit::compare_equal(&mut b_, a, b);
        segra_std::cf::AssertOp::build(&mut b_, equal, message);
    }

    /// All of a tensor, its extents read on the host.
    pub(crate) fn whole(&mut self, tensor: Value, loc: Loc) -> View {
        let shape =
            self.ir.value_type(tensor).shaped(&self.ctx).map(|shaped| shaped.0.to_vec()).unwrap_or_default();
        let ctx = self.ctx.clone();
        let mut b = self.builder(loc);
        let sizes = shape.iter().enumerate().map(|(dim, &extent)| {
            if extent == DYNAMIC {
                segra_kernel::access::DimOp::build(&mut b, tensor, ctx.i64_attr(dim as i64), ctx.index())
                    .result(b.ir)
            } else {
                crate::emit::index_constant(&mut b, extent)
            }
        });
        let sizes = sizes.collect();
        View::whole(tensor, sizes)
    }

    /// Flattens the ops of a block of host code, its terminator included.
    pub(crate) fn host_block(&mut self, block: Block) -> Outcome<()> {
        let ops: Vec<Op> = self.ir.ops(block).collect();
        for op in ops {
            if !self.array_op(op)? {
                self.host_op(op)?;
            }
        }
        Ok(())
    }

    /// Scalar code and control flow of the host: copied, with tensors for arrays.
    fn host_op(&mut self, op: Op) -> Outcome<()> {
        let mut state = OpState::new(self.ir.op_name(op), self.ir.loc(op));
        let operands: Vec<Value> = self.ir.operands(op).collect();
        for value in operands {
            state.operands.push(self.host_value(value, op)?);
        }
        let types: Vec<Type> = self.ir.results(op).map(|value| self.ir.value_type(value)).collect();
        state.result_types = types.iter().map(|&ty| tensor_type(&self.ctx, ty)).collect();
        state.regions = self.ir.regions(op).len();
        let new = self.builder(self.ir.loc(op)).insert(state);
        let (properties, attrs) = (self.ir.properties(op), self.ir.discardable_attrs(op));
        self.ir.set_properties(new, properties);
        self.ir.set_discardable_attrs(new, attrs);
        for index in 0..self.ir.regions(op).len() {
            self.host_region(self.ir.region(op, index), self.ir.region(new, index))?;
        }
        let loc = self.ir.loc(op);
        for index in 0..types.len() {
            let (old, result) = (self.ir.result(op, index), self.ir.result(new, index));
            self.bind_host(old, result, loc);
        }
        Ok(())
    }

    fn bind_host(&mut self, old: Value, new: Value, loc: Loc) {
        if let Some(name) = self.ir.value_name(old) {
            self.ir.set_value_name(new, name);
        }
        let lifted = if self.ir.value_type(old).dialect::<ArrayType>(&self.ctx).is_some() {
            Lifted::Array(self.whole(new, loc))
        } else {
            Lifted::Host(new)
        };
        self.env.insert(old, lifted);
    }

    fn host_region(&mut self, old: segra_ir::Region, new: segra_ir::Region) -> Outcome<()> {
        let blocks: Vec<Block> = self.ir.blocks(old).collect();
        for block in blocks {
            let args = self.ir.block_args(block).to_vec();
            let types: Vec<Type> =
                args.iter().map(|&arg| tensor_type(&self.ctx, self.ir.value_type(arg))).collect();
            let copy = self.ir.add_block(new, &types);
            let outside = std::mem::replace(&mut self.point, InsertPoint::End(copy));
            for (index, &arg) in args.iter().enumerate() {
                let param = self.ir.block_args(copy)[index];
                self.bind_host(arg, param, Loc::UNKNOWN);
            }
            let done = self.host_block(block);
            self.point = outside;
            done?;
        }
        Ok(())
    }

    /// The value of the new program on the host for a value of the old one.
    pub(crate) fn host_value(&mut self, old: Value, user: Op) -> Outcome<Value> {
        match self.env.get(&old).cloned() {
            Some(Lifted::Host(value)) => Ok(value),
            Some(Lifted::Array(view)) => match view.as_tensor() {
                Some(tensor) => Ok(tensor),
                None => self.materialise(&view, user),
            },
            None => self.fail(user, "uses a value that flattening has not seen"),
        }
    }

    /// Array ops that are the same on the host and inside nests. Tells whether `op` was one.
    pub(crate) fn array_op(&mut self, op: Op) -> Outcome<bool> {
        if let Some(map) = self.ir.cast::<MapOp>(op) {
            self.map(map)?;
        } else if let Some(reduce) = self.ir.cast::<ReduceOp>(op) {
            self.reduce(reduce)?;
        } else if let Some(redomap) = self.ir.cast::<RedomapOp>(op) {
            self.redomap(redomap)?;
        } else if let Some(scan) = self.ir.cast::<ScanOp>(op) {
            self.scan(scan)?;
        } else {
            return self.view_op(op);
        }
        Ok(true)
    }

    /// Array ops that only change an index function.
    pub(crate) fn view_op(&mut self, op: Op) -> Outcome<bool> {
        if let Some(iota) = self.ir.cast::<IotaOp>(op) {
            let element =
                self.ir.value_type(iota.result(self.ir)).dialect::<ArrayType>(&self.ctx).map(|ty| ty.element);
            let size = self.scalar(iota.count(self.ir));
            let Some(element) = element else { return self.fail(op, "does not make an array") };
            let view = View { base: Base::Iota(element), axes: vec![Axis::Dim(0)], sizes: vec![size] };
            self.env.insert(iota.result(self.ir), Lifted::Array(view));
        } else if let Some(replicate) = self.ir.cast::<ReplicateOp>(op) {
            let outer: Vec<Scalar> =
                replicate.sizes(self.ir).into_iter().map(|size| self.scalar(size)).collect();
            let value = replicate.value(self.ir);
            let Some(view) = self.replicate(value, outer) else { return Ok(self.leave_to_points(op)) };
            self.env.insert(replicate.result(self.ir), Lifted::Array(view));
        } else if let Some(rearrange) = self.ir.cast::<RearrangeOp>(op) {
            let Some(view) = self.view(rearrange.array(self.ir)) else { return Ok(self.leave_to_points(op)) };
            let view = view.permute(&rearrange.permutation(self.ir));
            self.env.insert(rearrange.result(self.ir), Lifted::Array(view));
        } else if let Some(index) = self.ir.cast::<IndexOp>(op) {
            let Some(mut view) = self.view(index.array(self.ir)) else { return Ok(self.leave_to_points(op)) };
            for at in index.indices(self.ir) {
                let at = self.scalar(at);
                view = view.fix_first(Axis::At(at));
            }
            self.env.insert(index.result(self.ir), Lifted::Array(view));
        } else if let Some(dim) = self.ir.cast::<DimOp>(op) {
            let view = self.view(dim.array(self.ir));
            let size = view.and_then(|view| view.sizes.get(usize::try_from(dim.dim(self.ir)).ok()?).copied());
            let Some(Scalar::New(size)) = size else { return Ok(self.leave_to_points(op)) };
            self.env.insert(dim.result(self.ir), Lifted::Host(size));
        } else if let Some(cast) = self.ir.cast::<CastOp>(op) {
            return self.cast(cast);
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// A claim about sizes: checked on the host where both sides are known there.
    fn cast(&mut self, cast: CastOp) -> Outcome<bool> {
        let Some(view) = self.view(cast.array(self.ir)) else { return Ok(self.leave_to_points(cast.op())) };
        let claimed = self.ir.value_type(cast.result(self.ir)).dialect::<ArrayType>(&self.ctx).cloned();
        let loc = self.ir.loc(cast.op());
        for (size, claim) in view.sizes.iter().zip(claimed.map(|ty| ty.sizes).unwrap_or_default()) {
            let Scalar::New(size) = *size else { continue };
            let extent = match claim {
                Size::Constant(extent) => crate::emit::index_constant(&mut self.builder(loc), extent),
                Size::Symbol(name) => match self.symbols.get(&name) {
                    Some((extent, _)) => *extent,
                    None => continue,
                },
                Size::Unknown => continue,
            };
            let message = format!("array.cast: the size is not `{}`", claim.text(&self.ctx));
            self.check_equal(size, extent, &message, loc);
        }
        self.env.insert(cast.result(self.ir), Lifted::Array(view));
        Ok(true)
    }

    /// Where the operands depend on the point of a nest, the op is done at each point (see [`crate::emit`]).
    fn leave_to_points(&self, _op: Op) -> bool {
        !self.levels.is_empty()
    }

    fn replicate(&mut self, value: Value, outer: Vec<Scalar>) -> Option<View> {
        let rank = self.ir.value_type(value).dialect::<ArrayType>(&self.ctx).map_or(0, |ty| ty.sizes.len());
        let inner = self.env.get(&value).cloned()?;
        let mut sizes = outer.clone();
        if let Lifted::Array(view) = &inner {
            sizes.extend(&view.sizes);
        }
        let axes = (0..outer.len() + rank).map(Axis::Dim).collect();
        Some(View { base: Base::Replicate(Box::new(inner), outer.len()), axes, sizes })
    }

    /// A scalar of the old program: at hand on the host, or to be computed at each point.
    pub(crate) fn scalar(&self, old: Value) -> Scalar {
        match self.env.get(&old) {
            Some(Lifted::Host(value)) => Scalar::New(*value),
            _ => Scalar::Old(old),
        }
    }

    pub(crate) fn view(&self, old: Value) -> Option<View> {
        match self.env.get(&old) {
            Some(Lifted::Array(view)) => Some(view.clone()),
            _ => None,
        }
    }
}
