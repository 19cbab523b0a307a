//! One kernel: what it captures becomes parameters, and reads of tensors become loads.
//!
//! A captured tensor is one flat memref parameter plus the extents its index arithmetic needs; a captured scalar is
//! one parameter. Results and scratch buffers are flat memref parameters the host allocates, among them those with
//! space for what each thread makes for itself. Shared arrays whose size is known at run time follow each other in
//! dynamic shared memory. The lowering of bodies is described in [`crate::point`].

use crate::Checks;
use crate::access::{bit_width, extent_of, flat, load, zero};
use crate::launch::{Launch, add, constant, mul};
use crate::state::{Array, BlockState, Extent, Lane, Memory, OwnArrays, Unit};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_gpu::attrs::AddressSpace;
use segra_gpu::device::{CheckOp, GpuFuncOp, ReturnOp};
use segra_gpu::host::{AllocOp, LaunchFuncOp};
use segra_gpu::launch::SharedArrayOp;
use segra_ir::clone::Mapping as Values;
use segra_ir::interfaces::symbol_name;
use segra_ir::types::DYNAMIC;
use segra_ir::{
    AttrKind, Block, Builder, Diagnostics, InsertPoint, Ir, Loc, Op, OpState, OpView, Region, Type,
    Value,
};
use segra_kernel::access::{Read, Update, out_of_range};
use segra_space::Target;
use segra_std::tensor::DimOp;
use segra_std::{arith, scf};

/// A buffer with a share for each thread or point, allocated once the launch is known.
pub(crate) struct Private {
    /// Position among what is passed.
    passed: usize,
    pub(crate) param: Value,
    /// Elements of a share, on the host.
    pub(crate) count: Value,
    pub(crate) element: Type,
    /// How many shares there are, on the host; none: as many as the launch has threads.
    pub(crate) lanes: Option<Value>,
}

/// Attribute of kernels with the most threads a block may have along each dimension; upstream passes it on.
const MOST_THREADS: &str = "nvvm.maxntid";

/// Attribute of kernels with the thread blocks that a multiprocessor must be able to hold; upstream passes it on.
const LEAST_BLOCKS: &str = "nvvm.minctasm";

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
    /// Arrays of the program in the kernel: captured or made.
    pub(crate) arrays: FxHashMap<Value, Array>,
    scalars: FxHashMap<Value, Value>,
    num_params: usize,
    shared: Vec<Value>,
    checks: Checks,
    diags: &'a mut Diagnostics,
    /// The op whose regions are emitted.
    pub(crate) root: Option<Op>,
    /// Values of bodies on the host, where that is possible.
    pub(crate) hosted: FxHashMap<Value, Option<Value>>,
    /// Products of host values.
    pub(crate) products: FxHashMap<Vec<Value>, Value>,
    /// Most elements of a thread's array whose extents the host does not know, on the host.
    pub(crate) bound: Option<Value>,
    pub(crate) private: Vec<Private>,
    /// The thread's share of private buffers; none: by its number in the launch.
    pub(crate) lane: Option<Lane>,
    /// Where the next array in dynamic shared memory starts, in bytes, on the host.
    shared_end: Option<Value>,
    /// Which unit runs the code at hand.
    pub(crate) unit: Unit,
    /// The state the threads of a block share, where a block runs a point.
    pub(crate) block: Option<BlockState>,
    /// Arrays of a point whose elements threads keep, where a block runs points.
    pub(crate) own: Option<OwnArrays>,
    /// Shared buffers with elements that reads marked by [`Self::stage`] find there, and where in them.
    pub(crate) staged: Vec<(Read, Value)>,
    pub(crate) staged_at: Option<Value>,
    /// Updates whose old array nobody needs, though it is used again by the branch around them.
    pub(crate) in_place: FxHashSet<Op>,
    /// Reads whose elements are at hand, while [`Self::inline_given`] emits a body.
    pub(crate) given: Vec<(Read, Value)>,
}

impl<'a> Kernel<'a> {
    /// An empty kernel of that name in `module`; host ops go to `host`.
    pub(crate) fn new(
        ir: &'a mut Ir,
        module: Block,
        name: &str,
        (host, loc): (InsertPoint, Loc),
        checks: Checks,
        diags: &'a mut Diagnostics,
    ) -> Kernel<'a> {
        let ctx = ir.context();
        let mut state = OpState::new(ctx.op_name(GpuFuncOp::DEF.name), loc);
        state.regions = 1;
        state.properties.push((
            ctx.ident("function_type"),
            ctx.type_attr(ctx.function(&[], &[])),
        ));
        state
            .attrs
            .push((ctx.ident("sym_name"), ctx.str_attr(name)));
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
            arrays: FxHashMap::default(),
            scalars: FxHashMap::default(),
            num_params: 0,
            shared: Vec::new(),
            checks,
            diags,
            root: None,
            hosted: FxHashMap::default(),
            products: FxHashMap::default(),
            bound: None,
            private: Vec::new(),
            lane: None,
            shared_end: None,
            unit: Unit::Thread,
            block: None,
            own: None,
            staged: Vec::new(),
            staged_at: None,
            in_place: FxHashSet::default(),
            given: Vec::new(),
        }
    }

    /// Says in one line what the kernel computes, for people.
    pub(crate) fn describe(&mut self, summary: &str) {
        let attr = self.ir.ctx().str_attr(summary);
        self.ir
            .set_attr_named(self.func.op(), "summary", Some(attr));
    }

    /// A builder of kernel code at the end of the entry block.
    pub(crate) fn builder(&mut self) -> Builder<'_> {
        Builder::at_end(self.ir, self.entry, self.loc)
    }

    /// Bounds the threads of a block, whose number is only known when the kernel is launched.
    pub(crate) fn at_most_threads(&mut self, threads: i64) {
        let threads = i32::try_from(threads).unwrap_or(i32::MAX);
        let attr = self.ir.ctx().dense_i32_attr(&[threads, 1, 1]);
        self.ir
            .set_attr_named(self.func.op(), MOST_THREADS, Some(attr));
        self.keep_registers();
    }

    /// Asks for no more than one thread block at a time per multiprocessor: without it, ptxas gives a thread of a kernel
    /// with loops 32 registers, so that as many threads as possible fit, and spills what has no place.
    pub(crate) fn keep_registers(&mut self) {
        let ctx = self.ir.context();
        self.ir.set_attr_named(
            self.func.op(),
            LEAST_BLOCKS,
            Some(ctx.int_attr(1, ctx.i32())),
        );
    }

    /// Whether the kernel has a loop.
    fn has_loops(&self) -> bool {
        let is_loop = |op: Op| matches!(self.ir.op_name_str(op), "scf.for" | "scf.while");
        self.ir.walk(self.func.op()).into_iter().any(is_loop)
    }

    /// Reports why an op of the program cannot be lowered.
    pub(crate) fn refuse(&mut self, op: Op, message: &str) {
        self.diags.op_error(self.ir, op, message);
    }

    /// Whether indices of the program are checked.
    pub(crate) fn checks(&self) -> Checks {
        self.checks
    }

    /// Where host ops go, on whose behalf.
    pub(crate) fn host_place(&self) -> (InsertPoint, Loc) {
        (self.host, self.loc)
    }

    /// The start of the kernel, where only parameters and constants are known.
    pub(crate) fn entry_start(&self) -> InsertPoint {
        let first = self
            .ir
            .ops(self.entry)
            .find(|&op| !self.ir.isa::<arith::ConstantOp>(op));
        first.map_or(InsertPoint::End(self.entry), InsertPoint::Before)
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
        let inside = match self.constant(host) {
            Some(constant) => constant,
            None => self.parameter(host, self.ir.value_type(host)),
        };
        self.scalars.insert(host, inside);
        self.values.map(host, inside);
        inside
    }

    /// A copy of a constant of the host at the start of the kernel: it bounds loops, and folds.
    fn constant(&mut self, host: Value) -> Option<Value> {
        let attr = segra_ir::interfaces::constant_of(self.ir, host)?;
        let first = self
            .ir
            .first_op(self.entry)
            .map_or(InsertPoint::End(self.entry), InsertPoint::Before);
        Some(arith::ConstantOp::build(&mut self.at(first), attr).result(self.ir))
    }

    /// A flat buffer of the host as a parameter.
    pub(crate) fn buffer(&mut self, host: Value) -> Value {
        self.parameter(host, self.ir.value_type(host))
    }

    /// The kernel's buffers for several of the host's.
    pub(crate) fn buffers(&mut self, host: &[Value]) -> Vec<Value> {
        host.iter().map(|&buffer| self.buffer(buffer)).collect()
    }

    /// Everything the regions of a segmented op use from outside becomes parameters.
    pub(crate) fn capture(&mut self, regions: &[Region]) {
        let mut wanted = Vec::new();
        let mut first_extent = FxHashSet::default();
        for &region in regions {
            let Some(owner) = self.ir.region_parent(region) else {
                continue;
            };
            self.root = Some(owner);
            for block in self.ir.blocks(region) {
                for op in self.ir.ops(block).flat_map(|op| self.ir.walk(op)) {
                    if let Some(dim) = self.ir.cast::<DimOp>(op)
                        && dim.dim(self.ir) == Some(0)
                    {
                        first_extent.insert(dim.source(self.ir));
                    }
                    if let Some(read) = Read::of(self.ir, op)
                        && self.checks == Checks::On
                        && read.is_checked(self.ir)
                    {
                        first_extent.insert(read.tensor(self.ir));
                    }
                    let used = used_by(self.ir, op);
                    wanted.extend(
                        used.into_iter()
                            .filter(|&value| !self.ir.is_defined_inside(value, owner)),
                    );
                }
            }
        }
        for value in wanted {
            self.capture_value(value, first_extent.contains(&value));
        }
    }

    fn capture_value(&mut self, value: Value, with_first_extent: bool) {
        let ctx = self.ir.context();
        let shaped = self
            .ir
            .value_type(value)
            .shaped(&ctx)
            .map(|(shape, element)| (shape.to_vec(), element));
        let Some((shape, element)) = shaped else {
            self.scalar(value);
            return;
        };
        if self.arrays.contains_key(&value) {
            return;
        }
        let flat_host = flat(&mut self.host_builder(), value);
        let flat_type = ctx.memref(&[DYNAMIC], element, None);
        let flat = self.parameter(flat_host, flat_type);
        let mut extents = Vec::new();
        for dim in 0..shape.len() {
            let extent = extent_of(&mut self.host_builder(), value, dim);
            extents.push(Extent::Host(extent));
            if dim > 0 || with_first_extent {
                self.scalar(extent);
            }
        }
        self.arrays
            .insert(value, Array::whole(Memory::Global(flat), extents, element));
    }

    /// An array of the host becomes a parameter; what is known or no array stays.
    pub(crate) fn capture_array(&mut self, value: Value) {
        let inside = self
            .root
            .is_some_and(|root| self.ir.is_defined_inside(value, root));
        if !inside && self.ir.value_type(value).shaped(self.ir.ctx()).is_some() {
            self.capture_value(value, false);
        }
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

    /// A buffer with space for `count` elements of each thread.
    pub(crate) fn private(&mut self, count: Value, element: Type) -> Value {
        let ctx = self.ir.context();
        self.keep_registers();
        let passed = self.passed.len();
        let param = self.parameter(count, ctx.memref(&[DYNAMIC], element, None));
        self.private.push(Private {
            passed,
            param,
            count,
            element,
            lanes: self.lane.and_then(|lane| lane.lanes),
        });
        param
    }

    /// An array in dynamic shared memory, with a number of elements that the host knows.
    pub(crate) fn dynamic_shared(&mut self, count: Value, element: Type) -> Value {
        self.dynamic_shared_at(count, element, Target::CUDA.shared_alignment)
    }

    /// The same, at a multiple of so many bytes.
    pub(crate) fn dynamic_shared_at(
        &mut self,
        count: Value,
        element: Type,
        alignment: i64,
    ) -> Value {
        let ctx = self.ir.context();
        let width = i64::from(bit_width(&ctx, element).unwrap_or(64).max(8)) / 8;
        let start = self.shared_end;
        let mut b = self.host_builder();
        let shared_alignment = Target::CUDA.shared_alignment;
        let offset = match start {
            // All arrays end at a multiple of the usual alignment.
            Some(start) if alignment > shared_alignment => {
                let units = crate::launch::ceil_div(&mut b, start, alignment);
                let alignment = constant(&mut b, alignment);
                mul(&mut b, units, alignment)
            }
            Some(start) => start,
            None => constant(&mut b, 0),
        };
        let width = constant(&mut b, width);
        let bytes = mul(&mut b, count, width);
        let end = add(&mut b, offset, bytes);
        let units = crate::launch::ceil_div(&mut b, end, shared_alignment);
        let alignment = constant(&mut b, shared_alignment);
        self.shared_end = Some(mul(&mut b, units, alignment));
        let (offset, count) = (self.scalar(offset), self.scalar(count));
        let point = self.entry_start();
        let ty = ctx.memref(
            &[DYNAMIC],
            element,
            Some(AddressSpace::Workgroup.attr(&ctx)),
        );
        SharedArrayOp::build(&mut self.at(point), offset, count, ty).result(self.ir)
    }

    /// From now on this read of a body takes its element from a shared buffer, at [`Self::staged_at`].
    pub(crate) fn stage(&mut self, read: Read, shared: Value) {
        self.staged.push((read, shared));
    }

    /// The shared buffer that a read takes its element from.
    pub(crate) fn staged_for(&self, read: Read) -> Option<Value> {
        self.staged
            .iter()
            .find(|row| row.0.op() == read.op())
            .map(|row| row.1)
    }

    /// The element with a number of the array that a read of a body (not inlined) is from.
    pub(crate) fn load_numbered(
        &mut self,
        point: InsertPoint,
        read: Read,
        number: Value,
    ) -> Option<Value> {
        let array = self.arrays.get(&read.tensor(self.ir)).cloned()?;
        Some(self.load_element(point, &array, number))
    }

    /// Extents, on the host, of the dimensions behind one of the array that a read of a body is from.
    pub(crate) fn extents_behind(&self, read: Read, dim: usize) -> Option<Vec<Value>> {
        let array = self.arrays.get(&read.tensor(self.ir))?;
        let behind = array.extents.get(dim + 1..)?.iter();
        behind
            .map(|extent| match extent {
                Extent::Host(value) => Some(*value),
                Extent::Inside(_) => None,
            })
            .collect()
    }

    /// As [`Self::inline`]; the elements of some reads are given.
    pub(crate) fn inline_given(
        &mut self,
        point: InsertPoint,
        body: Region,
        args: &[Value],
        given: Vec<(Read, Value)>,
    ) -> Vec<Value> {
        self.given = given;
        let values = self.inline(point, body, args);
        self.given.clear();
        values
    }

    /// The flat buffer that a read of a body (not inlined) is from.
    pub(crate) fn captured_flat(&self, read: Read) -> Option<Value> {
        self.arrays.get(&read.tensor(self.ir))?.memory.buffer()
    }

    /// The number of the element that a read of a body (not inlined) gives at these indices.
    pub(crate) fn number_in(
        &mut self,
        point: InsertPoint,
        read: Read,
        at: &[Value],
    ) -> Option<Value> {
        let array = self.arrays.get(&read.tensor(self.ir)).cloned()?;
        Some(self.linear(point, &array, at))
    }

    /// Ends the kernel and launches it on the host; the host's buffers for [`Self::private`] ones, in order, with the
    /// parameters they are.
    pub(crate) fn finish(mut self, launch: &Launch) -> Vec<(Value, Value)> {
        let ctx = self.ir.context();
        let loc = self.loc;
        ReturnOp::build(&mut self.builder(), &[]);
        if self.has_loops() {
            self.keep_registers();
        }
        self.shared_last();
        let args = self.ir.block_args(self.entry);
        let inputs: Vec<Type> = args[..self.num_params]
            .iter()
            .map(|&arg| self.ir.value_type(arg))
            .collect();
        let op = self.func.op();
        let ty = ctx.type_attr(ctx.function(&inputs, &[]));
        self.ir.set_attr_named(op, "function_type", Some(ty));
        if !self.shared.is_empty() {
            let count = ctx.i64_attr(self.shared.len() as i64);
            self.ir
                .set_attr_named(op, "workgroup_attributions", Some(count));
        }
        // For people: upstream and the runtime ignore it.
        self.ir
            .set_attr_named(op, "mapping", Some(ctx.str_attr(&launch.chain())));
        if let Some(block) = launch.constant_block() {
            let block = block.map(|extent| i32::try_from(extent).unwrap_or(i32::MAX));
            self.ir
                .set_attr_named(op, "known_block_size", Some(ctx.dense_i32_attr(&block)));
        }
        let name = self
            .func
            .name(self.ir)
            .map(|name| ctx.str(name).to_owned())
            .unwrap_or_default();
        let module = self
            .ir
            .parent_op(op)
            .and_then(|module| symbol_name(self.ir, module));
        let kernel = module.map(|root| AttrKind::SymbolRef {
            root,
            nested: vec![ctx.ident(&name)],
        });
        let kernel = kernel.map_or_else(|| ctx.symbol_attr(&name), |kernel| ctx.attr(kernel));
        let mut b = Builder::new(self.ir, self.host, loc);
        let (grid, block) = launch.extents(&mut b);
        let mut passed = self.passed;
        let mut buffers = Vec::new();
        for private in &self.private {
            let lanes = private.lanes.unwrap_or_else(|| {
                let extents = [grid, block].concat();
                extents[1..]
                    .iter()
                    .fold(extents[0], |product, &extent| mul(&mut b, product, extent))
            });
            let count = mul(&mut b, private.count, lanes);
            let ty = ctx.memref(&[DYNAMIC], private.element, None);
            let buffer = AllocOp::builder()
                .dynamic_sizes(&[count])
                .memref_type(ty)
                .build(&mut b)
                .memref(b.ir);
            passed[private.passed] = buffer;
            buffers.push((private.param, buffer));
        }
        let shared = self
            .shared_end
            .map(|bytes| arith::IndexCastOp::build(&mut b, bytes, ctx.i32()).out(b.ir));
        LaunchFuncOp::builder()
            .grid_x(grid[0])
            .grid_y(grid[1])
            .grid_z(grid[2])
            .block_x(block[0])
            .block_y(block[1])
            .block_z(block[2])
            .dynamic_shared_memory(shared)
            .arguments(&passed)
            .kernel(kernel)
            .build(&mut b);
        buffers
    }

    /// Moves shared buffers behind all parameters: parameters may have been added after them.
    fn shared_last(&mut self) {
        for index in 0..self.shared.len() {
            let old = self.shared[index];
            let new = self
                .ir
                .add_block_arg(self.entry, self.ir.value_type(old), self.loc);
            self.ir.replace_all_uses(old, new);
            if let Some(position) = self
                .ir
                .block_args(self.entry)
                .iter()
                .position(|&arg| arg == old)
            {
                self.ir.erase_block_arg(self.entry, position);
            }
            self.shared[index] = new;
        }
    }
}

/// An index of the program in a kernel.
#[derive(Clone, Copy)]
pub(crate) struct Index {
    pub(crate) value: Value,
    /// Whether a check of its own reports it where it is out of range.
    pub(crate) reported: bool,
}

/// Reports indices out of range; whether all are in range, where there are any.
pub(crate) fn check_indices(
    b: &mut Builder<'_>,
    indices: &[Index],
    extents: &[Value],
) -> Option<Value> {
    let mut inside_all = None;
    for (dim, (&index, &extent)) in indices.iter().zip(extents).enumerate() {
        let Index {
            value: index,
            reported,
        } = index;
        // As unsigned numbers, negative indices are beyond every extent.
        let inside = crate::launch::compare(b, arith::CmpIPredicate::Ult, index, extent);
        if !reported {
            let message = b.ctx().str_attr(&out_of_range(extents.len(), dim));
            CheckOp::build(b, inside, &[index, extent], message);
        }
        inside_all = Some(match inside_all {
            None => inside,
            Some(all) => arith::AndIOp::build(b, all, inside).result(b.ir),
        });
    }
    inside_all
}

/// A load, at a position of a flat buffer, that reports indices out of range, and then gives 0.
pub(crate) fn checked_load(
    b: &mut Builder<'_>,
    element: Type,
    (memory, position): (&Memory, Value),
    indices: &[Index],
    extents: &[Value],
) -> Value {
    let inside_all = check_indices(b, indices, extents);
    let Some(buffer) = memory.buffer() else {
        return zero(b, element);
    };
    let Some(inside) = inside_all else {
        return load(b, buffer, &[position]);
    };
    let branch = scf::IfOp::build(b, inside, &[element]).op();
    let loc = b.loc;
    for index in 0..2 {
        let region = b.ir.region(branch, index);
        let block = b.ir.add_block(region, &[]);
        let mut b = Builder::at_end(b.ir, block, loc);
        let value = match index {
            0 => load(&mut b, buffer, &[position]),
            _ => zero(&mut b, element),
        };
        scf::YieldOp::build(&mut b, &[value]);
    }
    b.ir.result(branch, 0)
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
        let looped = scf::ForOp::builder()
            .lower_bound(lower)
            .upper_bound(upper)
            .step(step)
            .init_args(inits)
            .results_types(&types)
            .build(&mut b);
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
        let looped = scf::WhileOp::builder()
            .inits(inits)
            .results_types(types)
            .build(&mut self.at(point))
            .op();
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
        let Some(condition) = condition else {
            return then(self, point);
        };
        let branch = scf::IfOp::builder()
            .condition(condition)
            .build(&mut self.at(point));
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

/// The operands of an op of a point that a kernel needs: arrays know their extents, so sizes of slices are none of them.
fn used_by(ir: &Ir, op: Op) -> Vec<Value> {
    if let Some(read) = Read::of(ir, op) {
        return [vec![read.tensor(ir)], read.indices(ir)].concat();
    }
    if let Some(update) = Update::of(ir, op) {
        let arrays = vec![update.value(ir), update.tensor(ir)];
        return [arrays, update.indices(ir)].concat();
    }
    ir.operands(op).collect()
}
