//! One kernel: what it captures becomes parameters, and reads of tensors become loads.
//!
//! A captured tensor is one flat memref parameter plus the extents its index arithmetic needs; a captured scalar is
//! one parameter. Results and scratch buffers are flat memref parameters the host allocates.

use crate::Checks;
use crate::launch::{Launch, add, constant, mul};
use rustc_hash::FxHashMap;
use segra_gpu::attrs::AddressSpace;
use segra_gpu::device::{CheckOp, GpuFuncOp, ReturnOp};
use segra_gpu::host::LaunchFuncOp;
use segra_ir::clone::Mapping as Values;
use segra_ir::types::DYNAMIC;
use segra_ir::{
    AttrKind, Block, Builder, Context, InsertPoint, Ir, Loc, Op, OpState, OpView, Region, Type, TypeKind,
    Value,
};
use segra_kernel::access::{DimOp, ReadOp};
use segra_std::{arith, memref, scf};

/// A captured tensor inside the kernel.
#[derive(Clone, Debug)]
struct Captured {
    flat: Value,
    /// Extents by dimension; those the kernel does not need are absent.
    extents: Vec<Option<Value>>,
}

/// A kernel under construction.
pub(crate) struct Kernel<'a> {
    pub(crate) ir: &'a mut Ir,
    pub(crate) loc: Loc,
    /// The function.
    func: GpuFuncOp,
    /// The block new ops of the kernel go to.
    pub(crate) entry: Block,
    /// Where host ops go.
    host: InsertPoint,
    /// Host values passed, in order of the parameters.
    passed: Vec<Value>,
    /// Kernel values for captured scalars and host values.
    pub(crate) values: Values,
    captured: FxHashMap<Value, Captured>,
    scalars: FxHashMap<Value, Value>,
    num_params: usize,
    shared: Vec<Value>,
    checks: Checks,
    /// Shared buffers with elements that reads marked by [`Self::stage`] find there, and where in them.
    pub(crate) staged: Vec<Value>,
    pub(crate) staged_at: Option<Value>,
}

/// Attribute of a read whose element is in a shared buffer: the buffer's number.
const STAGED: &str = "segra.staged";

impl<'a> Kernel<'a> {
    /// An empty kernel of that name in `module`; host ops go to `host`.
    pub(crate) fn new(
        ir: &'a mut Ir,
        module: Block,
        name: &str,
        (host, loc): (InsertPoint, Loc),
        checks: Checks,
    ) -> Kernel<'a> {
        let ctx = ir.context();
        let mut state = OpState::new(ctx.op_name(GpuFuncOp::DEF.name), loc);
        state.regions = 1;
        state.properties.push((ctx.ident("function_type"), ctx.type_attr(ctx.function(&[], &[]))));
        state.attrs.push((ctx.ident("sym_name"), ctx.str_attr(name)));
        state.attrs.push((ctx.ident("gpu.kernel"), ctx.unit()));
        let op = ir.create_op(state);
        ir.append_op(module, op);
        let func = GpuFuncOp::from_op(op);
        let region = func.body(ir);
        let entry = ir.add_block(region, &[]);
        Kernel {
            ir,
            loc,
            func,
            entry,
            host,
            passed: Vec::new(),
            values: Values::new(),
            captured: FxHashMap::default(),
            scalars: FxHashMap::default(),
            num_params: 0,
            shared: Vec::new(),
            checks,
            staged: Vec::new(),
            staged_at: None,
        }
    }

    /// Says in one line what the kernel computes, for people.
    pub(crate) fn describe(&mut self, summary: &str) {
        let attr = self.ir.ctx().str_attr(summary);
        self.ir.set_attr_named(self.func.op(), "summary", Some(attr));
    }

    /// A builder of kernel code at the end of the entry block.
    pub(crate) fn builder(&mut self) -> Builder<'_> {
        Builder::at_end(self.ir, self.entry, self.loc)
    }

    /// A builder of host code.
    pub(crate) fn host_builder(&mut self) -> Builder<'_> {
        Builder::new(self.ir, self.host, self.loc)
    }

    fn parameter(&mut self, host: Value, ty: Type) -> Value {
        self.passed.push(host);
        self.num_params += 1;
        self.ir.add_block_arg(self.entry, ty, self.loc)
    }

    /// The parameter standing for a host scalar, added when first asked for.
    pub(crate) fn scalar(&mut self, host: Value) -> Value {
        if let Some(&param) = self.scalars.get(&host) {
            return param;
        }
        let param = self.parameter(host, self.ir.value_type(host));
        self.scalars.insert(host, param);
        self.values.map(host, param);
        param
    }

    /// A flat buffer of the host as a parameter.
    pub(crate) fn buffer(&mut self, host: Value) -> Value {
        self.parameter(host, self.ir.value_type(host))
    }

    /// Everything the regions of a segmented op use from outside becomes parameters.
    pub(crate) fn capture(&mut self, regions: &[Region]) {
        let mut wanted = Vec::new();
        let mut first_extent = rustc_hash::FxHashSet::default();
        for &region in regions {
            let Some(owner) = self.ir.region_parent(region) else { continue };
            for block in self.ir.blocks(region) {
                for op in self.ir.ops(block).flat_map(|op| self.ir.walk(op)) {
                    if let Some(dim) = self.ir.cast::<DimOp>(op)
                        && dim.dim(self.ir) == 0
                    {
                        first_extent.insert(dim.tensor(self.ir));
                    }
                    if let Some(read) = self.ir.cast::<ReadOp>(op)
                        && self.checks == Checks::On
                        && read.checked_attr(self.ir).is_some()
                    {
                        first_extent.insert(read.tensor(self.ir));
                    }
                    wanted.extend(self.ir.operands(op).filter(|&value| !defined_in(self.ir, value, owner)));
                }
            }
        }
        for value in wanted {
            self.capture_value(value, first_extent.contains(&value));
        }
    }

    fn capture_value(&mut self, value: Value, with_first_extent: bool) {
        let ctx = self.ir.context();
        let shaped = self.ir.value_type(value).shaped(&ctx).map(|(shape, element)| (shape.to_vec(), element));
        let Some((shape, element)) = shaped else {
            self.scalar(value);
            return;
        };
        if self.values.get(value) != value {
            return;
        }
        let flat_host = flat(&mut self.host_builder(), value);
        let flat_type = ctx.memref(&[DYNAMIC], element, None);
        let flat = self.parameter(flat_host, flat_type);
        let mut extents = Vec::new();
        for dim in 0..shape.len() {
            let needed = dim > 0 || with_first_extent;
            extents.push(needed.then(|| {
                let extent = extent_of(&mut self.host_builder(), value, dim);
                self.scalar(extent)
            }));
        }
        self.values.map(value, flat);
        self.captured.insert(flat, Captured { flat, extents });
    }

    /// A shared buffer of `count` elements, one per thread block.
    pub(crate) fn shared(&mut self, count: i64, element: Type) -> Value {
        // Its block argument comes after all parameters; it is made when the kernel is finished.
        let ctx = self.ir.context();
        let ty = ctx.memref(&[count], element, Some(AddressSpace::Workgroup.attr(&ctx)));
        let value = self.ir.add_block_arg(self.entry, ty, self.loc);
        self.shared.push(value);
        value
    }

    /// Copies the ops of a body to `b`, its arguments standing for `args`; returns what it returns.
    ///
    /// Reads and extents of captured tensors become loads and parameters.
    pub(crate) fn inline(&mut self, point: InsertPoint, body: Region, args: &[Value]) -> Vec<Value> {
        let Some(block) = self.ir.entry_block(body) else { return Vec::new() };
        let mut values = self.values.clone();
        let mut b = Builder::new(self.ir, point, self.loc);
        let marker = insert_marker(&mut b);
        let returned = b.clone_block_body(block, args, &mut values);
        let replaced = self.rewrite_reads(marker, point);
        self.ir.erase_op(marker);
        // A read that is returned directly was replaced with its load.
        returned.into_iter().map(|value| replaced.get(&value).copied().unwrap_or(value)).collect()
    }

    /// Turns reads and extents between `marker` and `point` into loads and parameters; says what replaced what.
    fn rewrite_reads(&mut self, marker: Op, point: InsertPoint) -> FxHashMap<Value, Value> {
        let mut replaced = FxHashMap::default();
        let mut cursor = self.ir.next_op(marker);
        let end = match point {
            InsertPoint::Before(op) => Some(op),
            InsertPoint::End(_) => None,
        };
        let mut pending = Vec::new();
        while let Some(op) = cursor.filter(|&op| Some(op) != end) {
            pending.extend(self.ir.walk(op));
            cursor = self.ir.next_op(op);
        }
        for op in pending {
            if let Some(read) = self.ir.cast::<ReadOp>(op) {
                let result = read.result(self.ir);
                replaced.extend(self.rewrite_read(read).map(|load| (result, load)));
            } else if let Some(dim) = self.ir.cast::<DimOp>(op) {
                let extent = self.captured.get(&dim.tensor(self.ir)).and_then(|captured| {
                    captured.extents.get(usize::try_from(dim.dim(self.ir)).ok()?).copied().flatten()
                });
                if let Some(extent) = extent {
                    replaced.insert(dim.result(self.ir), extent);
                    self.ir.replace_op(op, &[extent]);
                }
            }
        }
        replaced
    }

    /// From now on this read of a body takes its element from a shared buffer, at [`Self::staged_at`].
    pub(crate) fn stage(&mut self, read: ReadOp, shared: Value) {
        let number = self.ir.ctx().i64_attr(self.staged.len() as i64);
        self.ir.set_attr_named(read.op(), STAGED, Some(number));
        self.staged.push(shared);
    }

    /// The element a read of a body (not inlined) gives at these indices.
    pub(crate) fn load_captured(&mut self, point: InsertPoint, read: ReadOp, at: &[Value]) -> Option<Value> {
        let captured = self.captured.get(&self.values.get(read.tensor(self.ir))).cloned()?;
        let mut b = self.at(point);
        let linear = linear_index(&mut b, at, &captured.extents);
        Some(load(&mut b, captured.flat, &[linear]))
    }

    fn rewrite_staged(&mut self, read: ReadOp) -> Option<Value> {
        let number = self.ir.attr_named(read.op(), STAGED)?.as_i64(self.ir.ctx())?;
        let (shared, at) = (*self.staged.get(usize::try_from(number).ok()?)?, self.staged_at?);
        let value = load(&mut Builder::before(self.ir, read.op()), shared, &[at]);
        self.ir.replace_op(read.op(), &[value]);
        Some(value)
    }

    fn rewrite_read(&mut self, read: ReadOp) -> Option<Value> {
        if let Some(value) = self.rewrite_staged(read) {
            return Some(value);
        }
        let captured = self.captured.get(&read.tensor(self.ir)).cloned()?;
        let indices = read.indices(self.ir);
        let name = self.ir.value_name(read.result(self.ir));
        let mut b = Builder::before(self.ir, read.op());
        let load = match self.checks == Checks::On && read.checked_attr(b.ir).is_some() {
            true => checked_load(&mut b, &captured, &indices),
            false => {
                let linear = linear_index(&mut b, &indices, &captured.extents);
                load(&mut b, captured.flat, &[linear])
            }
        };
        if let Some(name) = name {
            self.ir.set_value_name(load, name);
        }
        self.ir.replace_op(read.op(), &[load]);
        Some(load)
    }

    /// Ends the kernel and launches it on the host.
    pub(crate) fn finish(mut self, launch: &Launch, module_name: &str) {
        let ctx = self.ir.context();
        let loc = self.loc;
        ReturnOp::build(&mut self.builder(), &[]);
        self.shared_last();
        let args = self.ir.block_args(self.entry);
        let inputs: Vec<Type> = args[..self.num_params].iter().map(|&arg| self.ir.value_type(arg)).collect();
        let op = self.func.op();
        let ty = ctx.type_attr(ctx.function(&inputs, &[]));
        self.ir.set_attr_named(op, "function_type", Some(ty));
        if !self.shared.is_empty() {
            let count = ctx.i64_attr(self.shared.len() as i64);
            self.ir.set_attr_named(op, "workgroup_attributions", Some(count));
        }
        // For people: upstream and the runtime ignore it.
        self.ir.set_attr_named(op, "mapping", Some(ctx.str_attr(&launch.chain())));
        if let Some(block) = launch.constant_block() {
            let block = block.map(|extent| i32::try_from(extent).unwrap_or(i32::MAX));
            self.ir.set_attr_named(op, "known_block_size", Some(ctx.dense_i32_attr(&block)));
        }
        let name = self.func.name(self.ir).map(|name| ctx.str(name).to_owned()).unwrap_or_default();
        let kernel =
            ctx.attr(AttrKind::SymbolRef { root: ctx.ident(module_name), nested: vec![ctx.ident(&name)] });
        let mut b = Builder::new(self.ir, self.host, loc);
        let (grid, block) = launch.extents(&mut b);
        let passed = self.passed;
        LaunchFuncOp::build(
            &mut b,
            &[],
            grid[0],
            grid[1],
            grid[2],
            block[0],
            block[1],
            block[2],
            None,
            None,
            None,
            None,
            &passed,
            None,
            kernel,
            None,
        );
    }

    /// Moves shared buffers behind all parameters: parameters may have been added after them.
    fn shared_last(&mut self) {
        for index in 0..self.shared.len() {
            let old = self.shared[index];
            let new = self.ir.add_block_arg(self.entry, self.ir.value_type(old), self.loc);
            self.ir.replace_all_uses(old, new);
            if let Some(position) = self.ir.block_args(self.entry).iter().position(|&arg| arg == old) {
                self.ir.erase_block_arg(self.entry, position);
            }
            self.shared[index] = new;
        }
    }
}

/// A load that reports indices out of range, and then gives 0.
fn checked_load(b: &mut Builder<'_>, captured: &Captured, indices: &[Value]) -> Value {
    let mut inside_all = None;
    for (dim, (&index, &extent)) in indices.iter().zip(&captured.extents).enumerate() {
        let Some(extent) = extent else { continue };
        // As unsigned numbers, negative indices are beyond every extent.
        let inside = crate::launch::compare(b, arith::CmpIPredicate::Ult, index, extent);
        let message = match captured.extents.len() {
            1 => "index {0} is out of range for an array of {1}".to_owned(),
            _ => format!("index {{0}} of dimension {dim} is out of range for an extent of {{1}}"),
        };
        let message = b.ctx().str_attr(&message);
        CheckOp::build(b, inside, &[index, extent], message);
        inside_all = Some(match inside_all {
            None => inside,
            Some(all) => arith::AndIOp::build(b, all, inside).result(b.ir),
        });
    }
    let linear = linear_index(b, indices, &captured.extents);
    let Some(inside) = inside_all else { return load(b, captured.flat, &[linear]) };
    let element = element_type(b.ir, b.type_of(captured.flat));
    let branch = scf::IfOp::build(b, inside, &[element]).op();
    let loc = b.loc;
    for index in 0..2 {
        let region = b.ir.region(branch, index);
        let block = b.ir.add_block(region, &[]);
        let mut b = Builder::at_end(b.ir, block, loc);
        let value = match index {
            0 => load(&mut b, captured.flat, &[linear]),
            _ => zero(&mut b, element),
        };
        scf::YieldOp::build(&mut b, &[value]);
    }
    b.ir.result(branch, 0)
}

/// The number 0 of a type.
fn zero(b: &mut Builder<'_>, ty: Type) -> Value {
    let ctx = b.ir.context();
    let attr = match ty.is_float(&ctx) {
        true => ctx.float_bits_attr(0, ty),
        false => ctx.int_attr(0, ty),
    };
    arith::ConstantOp::build(b, attr).result(b.ir)
}

/// An op that marks a place while other ops are inserted around it.
fn insert_marker(b: &mut Builder<'_>) -> Op {
    let name = b.ctx().op_name("segra.marker");
    let state = OpState::new(name, b.loc);
    b.insert(state)
}

/// Whether a value is defined inside an op.
fn defined_in(ir: &Ir, value: Value, owner: Op) -> bool {
    let parent = ir.value_block(value).and_then(|block| ir.block_parent(block));
    parent.is_some_and(|parent| ir.is_inside(parent, owner))
}

/// `((i0 * n1 + i1) * n2 + i2) ...`
pub(crate) fn linear_index(b: &mut Builder<'_>, indices: &[Value], extents: &[Option<Value>]) -> Value {
    let Some((&first, rest)) = indices.split_first() else { return constant(b, 0) };
    let mut linear = first;
    for (index, extent) in rest.iter().zip(extents.iter().skip(1)) {
        let scaled = match extent {
            Some(extent) => mul(b, linear, *extent),
            None => linear,
        };
        linear = add(b, scaled, *index);
    }
    linear
}

/// One element of a memref.
pub(crate) fn load(b: &mut Builder<'_>, memref: Value, indices: &[Value]) -> Value {
    memref::LoadOp::build(b, memref, indices, None, None).result(b.ir)
}

/// Sets one element of a memref.
pub(crate) fn store(b: &mut Builder<'_>, value: Value, memref: Value, at: Value) {
    memref::StoreOp::build(b, value, memref, &[at], None, None);
}

/// Combines an element with a value in one step; the element before.
pub(crate) fn atomic(
    b: &mut Builder<'_>,
    kind: memref::AtomicRmwKind,
    value: Value,
    memref: Value,
    at: Value,
) -> Value {
    let kind = kind.attr(b.ctx());
    memref::AtomicRmwOp::build(b, kind, value, memref, &[at]).result(b.ir)
}

/// Adds to an integer element in one step; the element before.
pub(crate) fn atomic_add(b: &mut Builder<'_>, value: Value, memref: Value, at: Value) -> Value {
    atomic(b, memref::AtomicRmwKind::Addi, value, memref, at)
}

/// Loads an element that another thread block stores with [`store_release`]: what that block wrote before is seen after.
pub(crate) fn load_acquire(b: &mut Builder<'_>, memref: Value, at: Value) -> Value {
    let loaded = memref::LoadOp::build(b, memref, &[at], None, None);
    let order = b.ctx().str_attr("acquire");
    b.ir.set_attr_named(loaded.op(), memref::MEMORY_ORDER, Some(order));
    loaded.result(b.ir)
}

/// Stores an element for [`load_acquire`].
pub(crate) fn store_release(b: &mut Builder<'_>, value: Value, memref: Value, at: Value) {
    let stored = memref::StoreOp::build(b, value, memref, &[at], None, None);
    let order = b.ctx().str_attr("release");
    b.ir.set_attr_named(stored.op(), memref::MEMORY_ORDER, Some(order));
}

/// Extent of one dimension of a host memref.
pub(crate) fn extent_of(b: &mut Builder<'_>, memref: Value, dim: usize) -> Value {
    let shape = b.type_of(memref).shaped(b.ctx()).map(|shaped| shaped.0[dim]);
    match shape {
        Some(extent) if extent != DYNAMIC => constant(b, extent),
        _ => {
            let (dim, index) = (constant(b, dim as i64), b.ctx().index());
            memref::DimOp::build(b, memref, dim, index).result(b.ir)
        }
    }
}

/// A host memref seen flat: `memref<?xT>` over the same memory.
pub(crate) fn flat(b: &mut Builder<'_>, memref: Value) -> Value {
    let ctx = b.ir.context();
    let Some((shape, element)) =
        b.type_of(memref).shaped(&ctx).map(|(shape, element)| (shape.to_vec(), element))
    else {
        return memref;
    };
    if shape == [DYNAMIC] {
        return memref;
    }
    let mut count = constant(b, 1);
    for dim in 0..shape.len() {
        let extent = extent_of(b, memref, dim);
        count = mul(b, count, extent);
    }
    reinterpret(b, memref, &[count], &[], ctx.memref(&[DYNAMIC], element, None))
}

/// A flat host memref seen with extents `sizes`.
pub(crate) fn shaped(b: &mut Builder<'_>, flat: Value, sizes: &[Value], ty: Type) -> Value {
    if b.type_of(flat) == ty {
        return flat;
    }
    let mut strides = Vec::new();
    let mut stride = constant(b, 1);
    for &size in sizes.iter().skip(1).rev() {
        stride = mul(b, stride, size);
        strides.insert(0, stride);
    }
    reinterpret(b, flat, sizes, &strides, ty)
}

/// `memref.reinterpret_cast` with offset 0, the given sizes and outer strides, innermost stride 1.
fn reinterpret(
    b: &mut Builder<'_>,
    source: Value,
    sizes: &[Value],
    outer_strides: &[Value],
    ty: Type,
) -> Value {
    let ctx = b.ir.context();
    let shape = ty.shaped(&ctx).map(|shaped| shaped.0.to_vec()).unwrap_or_default();
    let dynamic_sizes: Vec<Value> =
        sizes.iter().zip(&shape).filter(|row| *row.1 == DYNAMIC).map(|row| *row.0).collect();
    // A row-major type has static strides where the inner extents are static.
    let mut static_strides = vec![1i64; shape.len()];
    for dim in (0..shape.len().saturating_sub(1)).rev() {
        let (inner, extent) = (static_strides[dim + 1], shape[dim + 1]);
        static_strides[dim] = if inner == DYNAMIC || extent == DYNAMIC { DYNAMIC } else { inner * extent };
    }
    let dynamic_strides: Vec<Value> =
        outer_strides.iter().zip(&static_strides).filter(|row| *row.1 == DYNAMIC).map(|row| *row.0).collect();
    let (offsets, static_sizes, static_strides) =
        (ctx.dense_i64_attr(&[0]), ctx.dense_i64_attr(&shape), ctx.dense_i64_attr(&static_strides));
    memref::ReinterpretCastOp::build(
        b,
        source,
        &[],
        &dynamic_sizes,
        &dynamic_strides,
        offsets,
        static_sizes,
        static_strides,
        ty,
    )
    .result(b.ir)
}

impl Kernel<'_> {
    /// A builder of kernel code at `point`.
    pub(crate) fn at(&mut self, point: InsertPoint) -> Builder<'_> {
        Builder::new(self.ir, point, self.loc)
    }

    /// `scf.for` from `lower` to `upper` by `step`, carrying `inits`; returns the final values.
    pub(crate) fn for_loop(
        &mut self,
        point: InsertPoint,
        (lower, upper, step): (Value, Value, Value),
        inits: &[Value],
        body: impl FnOnce(&mut Self, InsertPoint, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let mut b = self.at(point);
        let types: Vec<Type> = inits.iter().map(|&init| b.type_of(init)).collect();
        let looped = scf::ForOp::build(&mut b, lower, upper, step, inits, None, &types);
        let mut arg_types = vec![self.ir.ctx().index()];
        arg_types.extend(&types);
        let region = self.ir.region(looped.op(), 0);
        let block = self.ir.add_block(region, &arg_types);
        let args = self.ir.block_args(block).to_vec();
        let values = body(self, InsertPoint::End(block), args[0], &args[1..]);
        scf::YieldOp::build(&mut self.at(InsertPoint::End(block)), &values);
        self.ir.results(looped.op()).collect()
    }

    /// `scf.while`: `before` gives the condition and what it forwards (of `types`), `after` the next state.
    pub(crate) fn while_loop(
        &mut self,
        point: InsertPoint,
        inits: &[Value],
        types: &[Type],
        before: impl FnOnce(&mut Self, InsertPoint, &[Value]) -> (Value, Vec<Value>),
        after: impl FnOnce(&mut Self, InsertPoint, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let carried: Vec<Type> = inits.iter().map(|&init| self.ir.value_type(init)).collect();
        let looped = scf::WhileOp::build(&mut self.at(point), inits, types).op();
        let block = |this: &mut Self, index: usize, types: &[Type]| {
            let region = this.ir.region(looped, index);
            this.ir.add_block(region, types)
        };
        let first = block(self, 0, &carried);
        let args = self.ir.block_args(first).to_vec();
        let (condition, forwarded) = before(self, InsertPoint::End(first), &args);
        scf::ConditionOp::build(&mut self.at(InsertPoint::End(first)), condition, &forwarded);
        let second = block(self, 1, types);
        let args = self.ir.block_args(second).to_vec();
        let next = after(self, InsertPoint::End(second), &args);
        scf::YieldOp::build(&mut self.at(InsertPoint::End(second)), &next);
        self.ir.results(looped).collect()
    }

    /// `scf.if` with both branches.
    pub(crate) fn if_else(
        &mut self,
        point: InsertPoint,
        condition: Value,
        types: &[Type],
        then: impl FnOnce(&mut Self, InsertPoint) -> Vec<Value>,
        otherwise: impl FnOnce(&mut Self, InsertPoint) -> Vec<Value>,
    ) -> Vec<Value> {
        let branch = scf::IfOp::build(&mut self.at(point), condition, types);
        let block = self.region_block(branch.op(), 0);
        let values = then(self, block);
        scf::YieldOp::build(&mut self.at(block), &values);
        let block = self.region_block(branch.op(), 1);
        let values = otherwise(self, block);
        scf::YieldOp::build(&mut self.at(block), &values);
        self.ir.results(branch.op()).collect()
    }

    /// Builds `then` where `condition` holds; always, where there is none.
    pub(crate) fn when(
        &mut self,
        point: InsertPoint,
        condition: Option<Value>,
        then: impl FnOnce(&mut Self, InsertPoint),
    ) {
        let Some(condition) = condition else { return then(self, point) };
        let branch = scf::IfOp::build(&mut self.at(point), condition, &[]);
        let block = self.region_block(branch.op(), 0);
        then(self, block);
        scf::YieldOp::build(&mut self.at(block), &[]);
    }

    fn region_block(&mut self, op: Op, region: usize) -> InsertPoint {
        let region = self.ir.region(op, region);
        InsertPoint::End(self.ir.add_block(region, &[]))
    }

    /// Waits for all threads of the thread block.
    pub(crate) fn barrier(&mut self, point: InsertPoint) {
        segra_gpu::device::BarrierOp::build(&mut self.at(point));
    }
}

/// The element type of a tensor or memref type, or the type itself.
pub(crate) fn element_type(ir: &Ir, ty: Type) -> Type {
    match ir.ctx().type_kind(ty) {
        TypeKind::Tensor { element, .. } | TypeKind::MemRef { element, .. } => *element,
        _ => ty,
    }
}

/// Bits of a number; `None` for types without a width of their own (`index`).
pub(crate) fn bit_width(ctx: &Context, ty: Type) -> Option<u32> {
    match ctx.type_kind(ty) {
        TypeKind::Integer { width, .. } => Some(*width),
        TypeKind::Float(kind) => Some(kind.width()),
        _ => None,
    }
}

/// Bytes a number takes in memory.
pub(crate) fn byte_width(ir: &Ir, value: Value) -> i64 {
    i64::from(bit_width(ir.ctx(), ir.value_type(value)).unwrap_or(64).max(8)) / 8
}
