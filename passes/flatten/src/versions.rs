//! Incremental flattening: several versions of a map with parallelism inside, chosen when the program runs.
//!
//! ```text
//! if Par(S') >= t_top and rows are short, or points are       only the maps so far are parallel
//!   then segmap^thread S' e
//! else if every inner extent fits a block, and its arrays its shared memory, and Par(e_middle) >= t_intra or points are few
//!   then segmap^block S' e_intra                             inner parallelism in the threads of one block per point
//! else e_flat                                                flattened further, with choices of its own
//! ```
//!
//! `S'` is the context grown by the map, `Par` the product of extents. `Par(e_middle)` is the parallelism inside a thread
//! block: of the widest segmented op in `e_intra`. (The lecture leaves it open. The product with the number of blocks is
//! what the flattened version has, too: data of equal work, as in the lecture's plot of matrix products, all have the
//! same, and no threshold tells them apart. Whether a block's threads have work is what makes the middle version pay.)
//! The flat version may launch several kernels for what one does in less time. (The lecture leaves launches out.) Where it
//! does, estimates [`estimate`](crate::estimate) are compared, too: points are done in thread blocks, however little parallelism
//! there is inside, where that takes less than the launches (`few`), and sequential where one thread has done a point before
//! either of the others is done (`short`). Rows of arrays that points have to themselves are an exception to the number of points
//! (`long`, [`lines`](crate::lines)), and points with nests inside are another where the others are much faster (`slow`).
//! Where it is one reduction, a warp for each point competes with a thread block: `Par(e_middle)` counts for each of the turns that
//! thread blocks take then.
//! Points that do nothing but scan a column are better off side by side from `t_columns` on, in a form of the flat version,
//! and hardly ever sequential.
//! Thresholds are named after the function and numbered in program order. An op at depth k of a nest is emitted at most 2k + 1 times: once per outer-only and
//! intra-block version of each level around it, and once flattened.
//!
//! A nest that the program has a schedule for has one version, the first, which is what schedules are for.
//!
//! Dead versions are left out: intra-block where an inner extent is only known at a point, or is a constant above the
//! limit of a block, or constant extents need more shared memory than it has; outer-only where the outer extents are
//! constants with product 1, or where nothing inside can be distributed, so that it would be the same code; both at the outer levels of a deep nest (`MOST_LEVELS`), and of maps that hold
//! nothing but a map (`is_perfect_nest`).

use crate::cost::{is_perfect_nest, levels_inside};
use crate::function::{Flattener, Outcome};
use crate::point::{compare, index_constant, multiply};
use crate::view::View;
use segra_array::combinator::{MAPPING, SCHEDULE, is_scheduled};
use segra_ir::constraint::{AttrAccess, AttrConstraint};
use segra_ir::interfaces::constant_of;
use segra_ir::{Attr, Block, Builder, Context, Ir, Op, Trait, Type, Value, ValueDef};
use segra_kernel::access::{Read, Update};
use segra_kernel::extent::{extent_of, extents_of, is_known_before, origin_of, resolved};
use segra_kernel::level::Level as MachineLevel;
use segra_kernel::mapping::MappingAttr;
use segra_kernel::schedule::ScheduleAttr;
use segra_kernel::segop::{SegMapOp, SegRedOp, SegScanOp, SegmentedOp};
use segra_kernel::threshold::AtLeastOp;
use segra_space::Target;
use segra_std::arith::{self, CmpIPredicate};
use segra_std::scf;

/// The intra-block version, made but not yet placed.
struct Middle {
    block: Block,
    types: Vec<Type>,
    /// Extents of each segmented op inside, values from outside of it.
    inner: Vec<Vec<Value>>,
    arrays: Vec<BlockArray>,
    /// Whether all it does is to scan a column of an array; the number of points then.
    columns: Option<Value>,
}

/// An array that a thread block holds while it runs a point.
struct BlockArray {
    /// Values from outside the point.
    extents: Vec<Value>,
    /// Bytes of an element.
    width: i64,
}

/// Bytes of shared memory kept for what warps tell each other, per value that is combined.
const BYTES_OF_WARPS: i64 = Target::CUDA.most_warps() * 8;

/// Levels of a nest with versions of their own, the innermost; those around are only flattened. Each version is a kernel
/// of as many dimensions and loops as the nest has, so the code would grow with the square of the depth, and the host's
/// choices nest; loops in 30 others take LLVM longer than all else.
const MOST_LEVELS: usize = 8;

/// From so many columns on, scanning neighbours side by side costs less than a thread block for each, which reads a sector
/// for each element (128 rows by 16,384 columns on an H100, estimated: 9.1 and 12.8 us; by 4,096: 6.1 and 5.4).
const COLUMNS: i64 = 1 << 13;
/// From so many columns on, a thread for each may do.
const MANY_COLUMNS: i64 = 1 << 20;

/// How the nest that an op of an array program is in is to be run, as the op says that gives it.
#[derive(Clone, Copy)]
pub(crate) struct Given {
    op: Op,
    schedule: Option<Attr>,
    mapping: Option<Attr>,
}

impl Given {
    /// Of the innermost op around `op`, or of itself.
    pub(crate) fn to(ir: &Ir, op: Op) -> Option<Given> {
        let op = ir.ancestors(op).find(|&around| is_scheduled(ir, around))?;
        let [schedule, mapping] = [SCHEDULE, MAPPING].map(|name| ir.attr_named(op, name));
        Some(Given {
            op,
            schedule,
            mapping,
        })
    }

    /// Whether it is of points without parallelism inside: a mapping, or tiles of stencils.
    pub(crate) fn is_of_points(&self, ctx: &Context) -> bool {
        let schedule = self
            .schedule
            .and_then(|given| ScheduleAttr::read(ctx, given));
        self.mapping.is_some() || schedule.is_some_and(|schedule| schedule.halo().is_some())
    }
}

impl Flattener<'_> {
    /// Rows of a map's results, whichever version computes them.
    pub(crate) fn versioned_map(
        &mut self,
        op: Op,
        block: Block,
        views: &[View],
        size: Value,
    ) -> Outcome<Vec<View>> {
        // Values that every version needs from the bodies around are stored before the choice.
        self.grow(views, size, block, |this| this.choose(op, block))
    }

    /// Rows of what a block of a map or of a fused combinator yields, in the context that includes it.
    pub(crate) fn choose(&mut self, op: Op, block: Block) -> Outcome<Vec<View>> {
        let perfect = is_perfect_nest(self.ir, block);
        // The points of a nest of maps alone are there where it is complete.
        let complete =
            |given: &Given| given.is_of_points(&self.ctx) && levels_inside(self.ir, block) == 0;
        if let Some(given) = Given::to(self.ir, op).filter(|given| !perfect || complete(given)) {
            return self.scheduled(op, block, given);
        }
        if levels_inside(self.ir, block) > MOST_LEVELS || perfect {
            return self.map_body(op, block);
        }
        let number = self.choices;
        self.choices += 1;
        let yields: Vec<Value> = self
            .ir
            .last_op(block)
            .map(|last| self.ir.operands(last).collect())
            .unwrap_or_default();
        self.hoist_checks(block)?;
        self.hoist_invariants(block)?;
        if !self.rows_are_known(op, block, &yields)? {
            return self.map_body(op, block);
        }
        let par = self.parallelism();
        let middle = self.middle(op, block, &yields)?;
        let single = constant_index(self, par) == Some(1);
        let are_nests = levels_inside(self.ir, block) > 1;
        if single && middle.is_none() {
            return self.map_body(op, block);
        }
        let mut types = Vec::new();
        for &value in &yields {
            let ty = crate::function::tensor_type(&self.ctx, self.ir.value_type(value));
            types.push(segra_kernel::segop::tensor_over(
                &self.ctx,
                self.own_depth(),
                ty,
            ));
        }
        let flat = |this: &mut Self| -> Outcome<Vec<Value>> {
            let rows = this.map_body(op, block)?;
            rows.iter().map(|row| this.over_context(op, row)).collect()
        };
        let top = |this: &mut Self| this.top(op, block, &yields);
        let threshold = match middle.as_ref().and_then(|middle| middle.columns) {
            None => self.options.threshold_top,
            Some(_) => self.options.threshold_top.max(MANY_COLUMNS),
        };
        let name = format!("{}.top.{number}", self.name);
        let tensors = match middle {
            None => {
                let condition = self.at_least(par, &name, threshold, op);
                let tensors = self.either(condition, &types, op, top, flat)?;
                match self.without_choice(&tensors, condition) {
                    Some(only) => {
                        self.choices = number;
                        only
                    }
                    None => {
                        self.ask_estimates(&tensors, None, number, (par, are_nests));
                        tensors
                    }
                }
            }
            Some(middle) if single => self.middle_or(middle, None, number, &types, op, flat)?,
            Some(middle) => {
                let few = middle.columns.is_none().then(|| self.not_asked(op));
                let condition = self.at_least(par, &name, threshold, op);
                let rest = |this: &mut Self| this.middle_or(middle, few, number, &types, op, flat);
                let tensors = self.either(condition, &types, op, top, rest)?;
                if few.is_some() {
                    self.ask_estimates(&tensors, few, number, (par, are_nests));
                }
                tensors
            }
        };
        let pairs: Vec<(Value, Value)> = yields.into_iter().zip(tensors).collect();
        pairs
            .into_iter()
            .map(|(value, tensor)| self.stored_row(op, self.ir.value_type(value), tensor))
            .collect()
    }

    /// The parallelism of the widest segmented op of a point.
    fn widest(&mut self, middle: &Middle, loc: segra_ir::Loc) -> Value {
        let mut b = self.builder(loc);
        let mut widest = None;
        for sizes in &middle.inner {
            let inner = product(&mut b, sizes);
            widest = Some(match widest {
                None => inner,
                Some(before) => arith::MaxSIOp::build(&mut b, before, inner).result(b.ir),
            });
        }
        widest.unwrap_or_else(|| index_constant(&mut b, 1))
    }

    /// A nest that the program has a schedule or a mapping for: as with [`Self::top`], without a choice.
    fn scheduled(&mut self, op: Op, block: Block, given: Given) -> Outcome<Vec<View>> {
        self.check_given(given)?;
        let yields: Vec<Value> = self
            .ir
            .last_op(block)
            .map(|last| self.ir.operands(last).collect())
            .unwrap_or_default();
        self.hoist_checks(block)?;
        self.hoist_invariants(block)?;
        let tensors = self.top(op, block, &yields)?;
        let nest = tensors
            .first()
            .and_then(|&tensor| self.ir.defining_op(tensor));
        if let Some(nest) = nest.filter(|&nest| self.ir.isa::<SegMapOp>(nest)) {
            for (name, attr) in [(SCHEDULE, given.schedule), (MAPPING, given.mapping)] {
                self.ir.set_attr_named(nest, name, attr);
            }
            self.scheduled.insert(given.op);
        }
        let pairs: Vec<(Value, Value)> = yields.into_iter().zip(tensors).collect();
        pairs
            .into_iter()
            .map(|(value, tensor)| self.stored_row(op, self.ir.value_type(value), tensor))
            .collect()
    }

    /// Whether what is given is of the right kind, and of a nest of as many dimensions.
    fn check_given(&mut self, given: Given) -> Outcome<()> {
        let (ctx, depth) = (self.ctx.clone(), self.own_depth());
        if given.schedule.is_some() && given.mapping.is_some() {
            let message =
                "has a schedule, which says what thread blocks run, and a mapping beside it";
            return self.fail(given.op, message);
        }
        if let Some(schedule) = given.schedule {
            let Some(schedule) = ScheduleAttr::read(&ctx, schedule) else {
                let message = format!("attribute `{SCHEDULE}` must be {}", ScheduleAttr.describe());
                return self.fail(given.op, message);
            };
            let strips = schedule.strips().map_or(0, |strips| strips.tiles.len());
            if strips > depth {
                let message = format!(
                    "has a schedule with tiles of {strips} dimensions, but is a nest of {depth}"
                );
                return self.fail(given.op, message);
            }
        }
        if let Some(mapping) = given.mapping {
            let Some(chain) = MappingAttr::read(&ctx, mapping) else {
                let message = format!("attribute `{MAPPING}` must be {}", MappingAttr.describe());
                return self.fail(given.op, message);
            };
            if let Err(wrong) = segra_space::Mapping::of_rank(depth, chain.clone()) {
                let message =
                    format!("has a mapping that does not fit its nest of {depth}: {wrong}");
                return self.fail(given.op, message);
            }
        }
        Ok(())
    }

    /// The product of the context's extents.
    fn parallelism(&mut self) -> Value {
        let sizes = self.own_sizes();
        let mut b = self.builder(segra_ir::Loc::UNKNOWN);
        product(&mut b, &sizes)
    }

    /// Only the context is parallel; its points are sequential.
    fn top(&mut self, op: Op, body: Block, yields: &[Value]) -> Outcome<Vec<Value>> {
        let mark = self.env.mark();
        let left = self.left_over(body);
        let tensors = self.segmap_of(op, MachineLevel::Thread, |this| {
            this.emit_ops(&left)?;
            this.values_at(yields, op)
        });
        self.env.rewind(mark);
        tensors
    }

    /// Whether the code of points tells the host how large the rows that they return are. If not, as where a loop resizes
    /// them, only what is distributed over the nest can make them.
    fn rows_are_known(&mut self, op: Op, body: Block, yields: &[Value]) -> Outcome<bool> {
        let loc = self.ir.loc(op);
        let told = yields.iter().all(|&value| {
            let ty = self.ir.value_type(value);
            self.extents(ty, loc).is_some()
        });
        if told || self.resizes_nothing(body) {
            return Ok(true);
        }
        let tensors = self.top(op, body, yields)?;
        let Some(segmap) = tensors
            .first()
            .and_then(|&tensor| self.ir.defining_op(tensor))
        else {
            return Ok(true);
        };
        let outer = self.own_depth();
        let known = tensors.iter().all(|&tensor| {
            let rank = self
                .ir
                .value_type(tensor)
                .shaped(&self.ctx)
                .map_or(0, |shaped| shaped.0.len());
            (outer..rank).all(|dim| match extent_of(self.ir, tensor, dim) {
                Some(extent) => is_known_before(self.ir, segmap, extent),
                None => !self
                    .ir
                    .is_defined_inside(origin_of(self.ir, tensor, dim).0, segmap),
            })
        });
        self.ir.erase_op(segmap);
        Ok(known)
    }

    /// Whether no loop or branch in a block carries an array whose extents may change.
    fn resizes_nothing(&self, block: Block) -> bool {
        let mut inside = self.ir.ops(block).flat_map(|op| self.ir.walk(op));
        !inside.any(|op| !self.ir.regions(op).is_empty() && self.resizes(op))
    }

    /// One thread block per point, its body flattened on its own; `None` where the extents inside differ between
    /// points or never fit a block.
    fn middle(&mut self, op: Op, body: Block, yields: &[Value]) -> Outcome<Option<Middle>> {
        let block = self
            .ir
            .create_block(&vec![self.ctx.index(); self.own_depth()]);
        let told = self.remarks.len();
        let types = self.point_block(op, MachineLevel::Block, block, |this| {
            let mut outer = Vec::new();
            for inner in this.ir.ops(body) {
                outer.extend(this.ir.free_values(inner));
            }
            // The elements that the body's arguments are may need values of the nest around, their extents for one.
            outer.retain(|&value| {
                let inside = this.ir.value_block(value) == Some(body);
                !inside || matches!(this.ir.value_def(value), ValueDef::Argument { .. })
            });
            this.emit_needed(&outer)?;
            let ops: Vec<Op> = this.ir.ops(body).collect();
            for &inner in ops.iter().take(ops.len().saturating_sub(1)) {
                if !this.is_bound(inner) {
                    this.emit_op(inner)?;
                }
            }
            yields
                .iter()
                .map(|&value| this.value_of(value, op))
                .collect()
        })?;
        match (self.inner_extents(block), self.block_arrays(block)) {
            (Some(inner), Some(arrays)) if !inner.is_empty() => Ok(Some(Middle {
                columns: self.scans_a_column(block).then(|| self.parallelism()),
                block,
                types,
                inner,
                arrays,
            })),
            _ => {
                self.ir.erase_block(block);
                self.remarks.undo(told);
                Ok(None)
            }
        }
    }

    /// Whether all that a thread block would do at its point is to scan a column of an array, whose elements lie as far apart
    /// as rows are long.
    fn scans_a_column(&self, block: Block) -> bool {
        let inside = self.ir.ops(block).flat_map(|op| self.ir.walk(op));
        let mut all = inside.filter(|&op| self.ir.interface::<dyn SegmentedOp>(op).is_some());
        let (Some(op), None) = (all.next(), all.next()) else {
            return false;
        };
        let Some(scan) = self.ir.cast::<SegScanOp>(op) else {
            return false;
        };
        let body = scan.body_block(self.ir);
        let Some(&scanned) = self.ir.block_args(body).last() else {
            return false;
        };
        let mut along = self
            .ir
            .ops(body)
            .filter_map(|op| Read::of(self.ir, op))
            .map(|read| read.indices(self.ir))
            .filter(|indices| indices.contains(&scanned))
            .peekable();
        along.peek().is_some()
            && along.all(|indices| {
                let args = self.ir.block_args(block);
                indices.last().is_some_and(|last| args.contains(last))
            })
    }

    /// Extents of the segmented ops in a block, as values from outside of it; `None` where one is made inside or is
    /// a constant no block has threads for.
    fn inner_extents(&mut self, block: Block) -> Option<Vec<Vec<Value>>> {
        let inside: Vec<Op> = self.ir.ops(block).flat_map(|op| self.ir.walk(op)).collect();
        let mut all = Vec::new();
        for &op in &inside {
            let Some(model) = self.ir.interface::<dyn SegmentedOp>(op) else {
                continue;
            };
            let mut sizes = Vec::new();
            let mut constants = 1i64;
            for size in model.sizes(self.ir, op) {
                match self.outer_extent(size, block)? {
                    Outer::Constant(constant) => constants = constants.saturating_mul(constant),
                    Outer::Value(size) => sizes.push(size),
                }
            }
            if constants > self.options.block_limit {
                return None;
            }
            let loc = self.ir.loc(op);
            sizes.push(index_constant(&mut self.builder(loc), constants));
            all.push(sizes);
        }
        Some(all)
    }

    /// An extent as a value from outside a point's block; `None` where it differs between points.
    fn outer_extent(&mut self, size: Value, block: Block) -> Option<Outer> {
        let size = resolved(self.ir, size);
        if let Some(constant) = constant_index(self, size) {
            return Some(Outer::Constant(constant));
        }
        let mut around = self.ir.value_block(size);
        while let Some(at) = around {
            if at == block {
                return None;
            }
            around = self.ir.block_parent(at).and_then(|op| self.ir.block_of(op));
        }
        Some(Outer::Value(size))
    }

    /// The arrays that a block holds at a point: those its ops make, but not what it only returns. `None` where an
    /// extent differs between points. An upper bound of what the lowering places in shared memory.
    fn block_arrays(&mut self, block: Block) -> Option<Vec<BlockArray>> {
        let mut arrays = Vec::new();
        let mut pending: Vec<Op> = self.ir.ops(block).collect();
        while let Some(op) = pending.pop() {
            let segmented = self.ir.interface::<dyn SegmentedOp>(op).is_some();
            let placed = segmented || Update::is(self.ir, op);
            let flow = !segmented && !self.ir.regions(op).is_empty();
            // The values warps exchange.
            let width = BYTES_OF_WARPS * self.values_combined(op);
            arrays.push(BlockArray {
                extents: Vec::new(),
                width,
            });
            if flow {
                for index in 0..self.ir.regions(op).len() {
                    let region = self.ir.region(op, index);
                    for inner in self.ir.blocks(region).collect::<Vec<_>>() {
                        pending.extend(self.ir.ops(inner));
                    }
                }
            }
            if !placed && !flow {
                continue;
            }
            for value in self.ir.results(op).collect::<Vec<_>>() {
                let Some((_, element)) = self.ir.value_type(value).shaped(&self.ctx) else {
                    continue;
                };
                let users: Vec<Op> = self.ir.users(value).collect();
                let last = self.ir.last_op(block);
                if segmented && users.len() == 1 && users.first().copied() == last {
                    continue;
                }
                let width = byte_width(&self.ctx, element);
                let mut extents = Vec::new();
                for extent in extents_of(self.ir, value)? {
                    match self.outer_extent(extent, block)? {
                        Outer::Value(value) => extents.push(value),
                        Outer::Constant(constant) => {
                            let loc = self.ir.loc(op);
                            extents.push(index_constant(&mut self.builder(loc), constant));
                        }
                    }
                }
                // A loop's arrays once more, where one step's results change places.
                let copies = if flow { 2 } else { 1 };
                arrays.push(BlockArray {
                    extents,
                    width: width * copies,
                });
            }
        }
        Some(arrays)
    }

    /// How many values an op combines across warps.
    fn values_combined(&self, op: Op) -> i64 {
        let neutral = match (self.ir.cast::<SegRedOp>(op), self.ir.cast::<SegScanOp>(op)) {
            (Some(segred), _) => segred.neutral(self.ir).len(),
            (_, Some(segscan)) => segscan.neutral(self.ir).len(),
            _ => 0,
        };
        neutral as i64
    }

    /// Bytes of shared memory that a block needs; `None` where it has certainly as many.
    fn shared_bytes(&mut self, arrays: &[BlockArray], loc: segra_ir::Loc) -> Option<Value> {
        let (open, known): (Vec<&BlockArray>, Vec<&BlockArray>) =
            arrays.iter().partition(|array| !array.extents.is_empty());
        let fixed: i64 = known.iter().map(|array| array.width).sum::<i64>()
            + (Target::CUDA.shared_alignment - 1) * i64::try_from(open.len()).unwrap_or(i64::MAX);
        if open.is_empty() && fixed <= self.options.shared_limit {
            return None;
        }
        let mut b = self.builder(loc);
        let mut all = index_constant(&mut b, fixed);
        for array in open {
            let count = product(&mut b, &array.extents);
            let width = index_constant(&mut b, array.width);
            let bytes = multiply(&mut b, count, width);
            all = crate::point::add(&mut b, all, bytes);
        }
        Some(all)
    }

    /// `value >= threshold`, by name.
    fn at_least(&mut self, value: Value, name: &str, default: i64, op: Op) -> Value {
        let loc = self.ir.loc(op);
        AtLeastOp::ask(&mut self.builder(loc), value, name, default)
    }

    fn either(
        &mut self,
        condition: Value,
        types: &[Type],
        op: Op,
        then: impl FnOnce(&mut Self) -> Outcome<Vec<Value>>,
        otherwise: impl FnOnce(&mut Self) -> Outcome<Vec<Value>>,
    ) -> Outcome<Vec<Value>> {
        let loc = self.ir.loc(op);
        let branch = scf::IfOp::build(&mut self.builder(loc), condition, types);
        let regions = [branch.then_region(self.ir), branch.else_region(self.ir)];
        let block = self.ir.add_block(regions[0], &[]);
        self.scope(block, |this| this.hand_on(op, then))?;
        let block = self.ir.add_block(regions[1], &[]);
        self.scope(block, |this| this.hand_on(op, otherwise))?;
        Ok(branch.results(self.ir))
    }

    /// The results of the flattened version, in the place of a choice, where nothing inside the context was distributed: it
    /// is one segmap over the context then, as the version with outer parallelism only is. `None` where the two differ.
    fn without_choice(&mut self, tensors: &[Value], condition: Value) -> Option<Vec<Value>> {
        let choice = self.ir.defining_op(*tensors.first()?)?;
        let branch = self.ir.cast::<scf::IfOp>(choice)?;
        let block = self.ir.entry_block(branch.else_region(self.ir))?;
        let ops: Vec<Op> = self.ir.ops(block).collect();
        let (&last, body) = ops.split_last()?;
        let mut nests = body.iter().filter(|&&op| {
            self.ir.interface::<dyn SegmentedOp>(op).is_some() || !self.ir.regions(op).is_empty()
        });
        let (&only, None) = (nests.next()?, nests.next()) else {
            return None;
        };
        let segmap = self.ir.cast::<SegMapOp>(only)?;
        let same = segmap.level(self.ir) == MachineLevel::Thread
            && segmap.sizes(self.ir) == self.own_sizes();
        if !same {
            return None;
        }
        let values: Vec<Value> = self.ir.operands(last).collect();
        for &op in body {
            self.ir.move_before(op, choice);
        }
        let asked = self.ir.defining_op(condition);
        self.ir.erase_op(choice);
        if let Some(asked) = asked.filter(|_| !self.ir.has_uses(condition)) {
            self.ir.erase_op(asked);
        }
        Some(values)
    }

    fn hand_on(
        &mut self,
        op: Op,
        values: impl FnOnce(&mut Self) -> Outcome<Vec<Value>>,
    ) -> Outcome<()> {
        let values = values(self)?;
        let loc = self.ir.loc(op);
        scf::YieldOp::build(&mut self.builder(loc), &values);
        Ok(())
    }

    /// The intra-block version where it fits and is parallel enough, else `flat`.
    fn middle_or(
        &mut self,
        middle: Middle,
        few: Option<Value>,
        number: usize,
        types: &[Type],
        op: Op,
        flat: impl FnOnce(&mut Self) -> Outcome<Vec<Value>>,
    ) -> Outcome<Vec<Value>> {
        let loc = self.ir.loc(op);
        let limit = self.options.block_limit;
        let widest = self.widest(&middle, loc);
        let mut b = self.builder(loc);
        let limit = index_constant(&mut b, limit);
        let fits = compare(&mut b, CmpIPredicate::Sle, widest, limit);
        let fits = match self.shared_bytes(&middle.arrays, loc) {
            None => fits,
            Some(bytes) => {
                let capacity = self.options.shared_limit;
                let mut b = self.builder(loc);
                let capacity = index_constant(&mut b, capacity);
                let held = compare(&mut b, CmpIPredicate::Sle, bytes, capacity);
                arith::AndIOp::build(&mut b, fits, held).result(b.ir)
            }
        };
        let name = format!("{}.intra.{number}", self.name);
        let mut enough = self.at_least(widest, &name, self.options.threshold_intra, op);
        if let Some(few) = few {
            enough = arith::OrIOp::build(&mut self.builder(loc), enough, few).result(self.ir);
        }
        let mut condition =
            arith::AndIOp::build(&mut self.builder(loc), fits, enough).result(self.ir);
        if let Some(points) = middle.columns {
            let name = format!("{}.columns.{number}", self.name);
            let many = self.at_least(points, &name, COLUMNS, op);
            let mut b = self.builder(loc);
            let few = arith::XOrIOp::not(&mut b, many);
            condition = arith::AndIOp::build(&mut b, condition, few).result(b.ir);
        }
        let place = |this: &mut Self| {
            Ok(this.segmap_from(op, MachineLevel::Block, middle.block, &middle.types))
        };
        self.either(condition, types, op, place, flat)
    }
}

/// An extent from outside a point.
enum Outer {
    Constant(i64),
    Value(Value),
}

/// Bytes a number takes in memory.
pub(crate) fn byte_width(ctx: &Context, ty: Type) -> i64 {
    let bits = match ctx.type_kind(ty) {
        segra_ir::TypeKind::Integer { width, .. } => *width,
        segra_ir::TypeKind::Float(kind) => kind.width(),
        _ => 64,
    };
    i64::from(bits.max(8)) / 8
}

fn product(b: &mut Builder<'_>, factors: &[Value]) -> Value {
    let mut result = None;
    for &factor in factors {
        result = Some(match result {
            None => factor,
            Some(before) => multiply(b, before, factor),
        });
    }
    match result {
        Some(value) => value,
        None => index_constant(b, 1),
    }
}

/// The number an index is, where it is a constant.
fn constant_index(this: &Flattener<'_>, value: Value) -> Option<i64> {
    let def = this.ir.defining_op(value)?;
    if this.ir.has_trait(def, Trait::ConstantLike) {
        return constant_of(this.ir, value)?.as_i64(&this.ctx);
    }
    // Products of constants, as made here.
    let product = this.ir.cast::<arith::MulIOp>(def)?;
    constant_index(this, product.lhs(this.ir))?
        .checked_mul(constant_index(this, product.rhs(this.ir))?)
}
