//! Map nests: the context, what is distributed over it, and the segmaps that come out of it.

use crate::bounded::Inputs;
use crate::cost::{has_parallelism, is_expensive};
use crate::function::{Execution, Flattener, Level, Outcome};
use crate::versions::Given;
use crate::view::{Axis, Base, Lifted, Scalar, View};
use crate::{InnerReduce, Versions};
use rustc_hash::FxHashMap;
use segra_array::combinator::{Soac, is_combinator, is_scheduled};
use segra_array::types::{ArrayType, Size};
use segra_ir::interfaces::{EffectKind, effects_of};
use segra_ir::{Block, InsertPoint, Op, Type, Value};
use segra_kernel::level::Level as MachineLevel;
use segra_kernel::segop::{ReturnOp, SegMapOp, tensor_over};
use segra_std::tensor::ReshapeOp;

impl Flattener<'_> {
    /// Number of levels of the nest around the code at hand, without those of an enclosing point.
    pub(crate) fn own_depth(&self) -> usize {
        self.levels.len() - self.fixed.len()
    }

    /// Extents of the nest's own levels, outermost first.
    pub(crate) fn own_sizes(&self) -> Vec<Value> {
        self.levels[self.fixed.len()..]
            .iter()
            .map(|level| level.size)
            .collect()
    }

    /// The views of a combinator's inputs and their outer extent, where both are known outside the nest's points. Extents
    /// that types do not tell to be the same are compared by checks of the program (`explicit-checks`).
    pub(crate) fn inputs(&mut self, arrays: &[Value]) -> Option<(Vec<View>, Value)> {
        let views: Option<Vec<View>> = arrays.iter().map(|&array| self.view(array)).collect();
        let mut views = views?;
        for size in views.iter_mut().filter_map(|view| view.sizes.first_mut()) {
            *size = self.computed_since(*size);
        }
        let known = |view: &View| matches!(view.sizes.first(), Some(Scalar::New(_)));
        if !views.iter().all(known) {
            return None;
        }
        let Scalar::New(size) = *views.first()?.sizes.first()? else {
            return None;
        };
        Some((views, size))
    }

    /// An extent that was still to be computed when its array was bound, and has been since, outside of the points at hand.
    fn computed_since(&self, size: Scalar) -> Scalar {
        let Scalar::Old(number) = size else {
            return size;
        };
        match self.env.get(number) {
            Some(&Lifted::Host(value)) if !self.is_of_point(value) => Scalar::New(value),
            _ => size,
        }
    }

    /// Whether a value of the new program is code of the points at hand, whose block is not placed yet.
    fn is_of_point(&self, value: Value) -> bool {
        let here = match self.point {
            InsertPoint::End(block) => Some(block),
            InsertPoint::Before(op) => self.ir.block_of(op),
        };
        let of_value = self.ir.value_block(value);
        !self.fixed.is_empty() && self.outermost(of_value) == self.outermost(here)
    }

    /// The outermost block around one.
    fn outermost(&self, block: Option<Block>) -> Option<Block> {
        let around = |&block: &Block| self.ir.block_of(self.ir.block_parent(block)?);
        std::iter::successors(block, around).last()
    }

    /// A combinator that cannot be parallel: in a nest each point does it; at a point, and on the host, it is a loop.
    pub(crate) fn leave(&mut self, op: Op, why: &str) -> Outcome<()> {
        let name = self.ir.op_name_str(op).to_owned();
        if self.at_point() {
            self.remark(op, format!("{name} is a loop over its elements: {why}"));
            return self.sequential(op).map(drop);
        }
        self.remark(
            op,
            format!("{name} is executed sequentially by each thread: {why}"),
        );
        Ok(())
    }

    /// Rule "map": the context grows; the body's scalars become one segmap, its arrays keep their nests' results.
    pub(crate) fn map(&mut self, map: &Soac, block: Block) -> Outcome<()> {
        let op = map.op;
        let Some(Inputs { views, size, limit }) = self.inputs_or_bounded(op, &map.arrays, &[block])
        else {
            return self.leave(op, "its extent differs between the points of the nest");
        };
        let results: Vec<Value> = self.ir.results(op).collect();
        let nested = self
            .ir
            .ops(block)
            .any(|inner| has_parallelism(self.ir, inner));
        let chosen = self.fixed.is_empty()
            && match Given::to(self.ir, op) {
                Some(given) => nested || given.is_of_points(&self.ctx),
                None => nested && self.options.versions == Versions::Incremental,
            };
        let rows = if chosen {
            self.versioned_map(op, block, &views, size)?
        } else {
            self.grow(&views, size, block, |this| this.map_body(op, block))?
        };
        for (value, row) in results.into_iter().zip(rows) {
            let array = row.leave_level(self.levels.len(), size);
            self.bind_view(value, array.limited(limit));
        }
        Ok(())
    }

    /// Runs `f` in the context grown by a level of extent `size`, `block`'s arguments standing for elements of `views`.
    pub(crate) fn grow<T>(
        &mut self,
        views: &[View],
        size: Value,
        block: Block,
        f: impl FnOnce(&mut Self) -> Outcome<T>,
    ) -> Outcome<T> {
        let depth = self.levels.len();
        let mark = self.env.mark();
        for (arg, view) in self.ir.block_args(block).to_vec().into_iter().zip(views) {
            self.bind_view(arg, view.fix_first(Axis::Level(depth)));
        }
        self.levels.push(Level { size });
        let result = f(self);
        self.levels.truncate(depth);
        self.env.rewind(mark);
        result
    }

    /// Flattens a map's body in the context that includes the map; what it yields, as rows.
    pub(crate) fn map_body(&mut self, op: Op, block: Block) -> Outcome<Vec<View>> {
        self.forget_checks(block);
        let yields = self.nest_block(op, block)?;
        let left = self.left_over(block);
        self.rows_and(op, &yields, &left)
    }

    /// Flattens the ops of a block but its terminator; returns the terminator's operands.
    pub(crate) fn nest_block(&mut self, op: Op, block: Block) -> Outcome<Vec<Value>> {
        let ops: Vec<Op> = self.ir.ops(block).collect();
        let Some((&terminator, body)) = ops.split_last() else {
            return self.fail(op, "has an empty body");
        };
        for &inner in body {
            self.nest_op(inner)?;
        }
        Ok(self.ir.operands(terminator).collect())
    }

    /// Views, over tensors, of what stands for values of the old program at each point of the context. Values that no nest
    /// has stored yet are stored: views by nests of their own, all the rest together by one segmap.
    pub(crate) fn rows(&mut self, op: Op, values: &[Value]) -> Outcome<Vec<View>> {
        self.rows_and(op, values, &[])
    }

    /// The same; ops `left` over of the body are made beside.
    pub(crate) fn rows_and(&mut self, op: Op, values: &[Value], left: &[Op]) -> Outcome<Vec<View>> {
        let mut rows: FxHashMap<Value, View> = FxHashMap::default();
        let mut unstored = Vec::new();
        for &value in values {
            if rows.contains_key(&value) || unstored.contains(&value) {
                continue;
            }
            match self.view(value) {
                Some(view) if view.can_leave() => {
                    rows.insert(value, view);
                }
                Some(view) if view.rank() > 0 && view.sizes.iter().all(Scalar::is_new) => {
                    let stored = self.store(op, &view)?;
                    rows.insert(value, stored);
                }
                _ => unstored.push(value),
            }
        }
        if unstored.is_empty() {
            self.make_left_over(op, left)?;
        }
        let stored = self.segmap(op, &unstored, left)?;
        rows.extend(unstored.into_iter().zip(stored));
        Ok(values.iter().map(|value| rows[value].clone()).collect())
    }

    /// The tensor whose dimensions are the context's levels, then the row's own: the one the row reads where it has
    /// that form, else a copy.
    pub(crate) fn over_context(&mut self, op: Op, row: &View) -> Outcome<Value> {
        let whole = |this: &Self, row: &View| {
            let base = this.fixed.len();
            let levels = this.levels.iter().enumerate().skip(base).rev();
            levels
                .fold(row.clone(), |view, (at, level)| {
                    view.leave_level(at, level.size)
                })
                .as_tensor()
        };
        if row.can_leave()
            && let Some(tensor) = whole(self, row)
        {
            return Ok(tensor);
        }
        let stored = self.store(op, row)?;
        match whole(self, &stored) {
            Some(tensor) => Ok(tensor),
            None => self.fail(op, "needs an array that could not be stored"),
        }
    }

    /// The row that a tensor over the context is at each point; `sizes` are the extents of its own dimensions.
    pub(crate) fn row_of(&self, tensor: Value, sizes: Vec<Scalar>) -> View {
        let mut axes: Vec<Axis> = (self.fixed.len()..self.levels.len())
            .map(Axis::Level)
            .collect();
        axes.extend((0..sizes.len()).map(Axis::Dim));
        View {
            base: Base::Tensor(tensor),
            axes,
            sizes,
        }
    }

    /// A view stored by a segmap over the context and its own dimensions.
    fn store(&mut self, op: Op, view: &View) -> Outcome<View> {
        let depth = self.levels.len();
        let rank = view.rank();
        let mut element = view.clone();
        for dim in 0..rank {
            let Scalar::New(size) = view.sizes[dim] else {
                self.levels.truncate(depth);
                return self.fail(
                    op,
                    "needs an array whose extent differs between the points of the nest",
                );
            };
            element = element.fix_first(Axis::Level(depth + dim));
            self.levels.push(Level { size });
        }
        let stored = self.segmap_of(op, MachineLevel::Thread, |this| {
            let mut roots = Vec::new();
            element.visit(&mut |value| roots.push(value), &mut |_| {});
            this.emit_needed(&roots)?;
            this.read(&element, op).map(|value| vec![value])
        });
        self.levels.truncate(depth);
        let Some(&tensor) = stored?.first() else {
            return self.fail(op, "stored nothing");
        };
        Ok(self.row_of(tensor, view.sizes.clone()))
    }

    /// A tensor that is all of a view (host code, or code of one point).
    pub(crate) fn materialise(&mut self, view: &View, user: Op) -> Outcome<Value> {
        if self.execution == Execution::Sequential {
            return self.fill_from(view, user);
        }
        let sizes = self.resolve_all(&view.sizes, user)?;
        let view = View {
            sizes: sizes.into_iter().map(Scalar::New).collect(),
            ..view.clone()
        };
        self.over_context(user, &view)
    }

    /// One op of a map's body.
    pub(crate) fn nest_op(&mut self, op: Op) -> Outcome<()> {
        if self.is_bound(op) {
            return Ok(()); // made before the versions of this map part
        }
        if self.hoist_nest(op)? {
            return Ok(());
        }
        if is_combinator(self.ir, op) {
            if let Some(why) = self.reason_to_stay(op) {
                return self.leave(op, why);
            }
            if !self.store_expensive(op)? {
                return self.leave(
                    op,
                    "it needs an array whose extent differs between the points of the nest",
                );
            }
            self.combinator(op)?;
            return Ok(());
        }
        if self.view_op(op)? || self.hoist(op)? || self.interchange(op)? {
            return Ok(());
        }
        // Scalar code: computed at the points that need it.
        self.refuse_effect(op)
    }

    /// An op that writes is none of the body of a map.
    pub(crate) fn refuse_effect(&mut self, op: Op) -> Outcome<()> {
        let writes = effects_of(self.ir, op).is_none_or(|effects| {
            effects
                .iter()
                .any(|effect| effect.kind == EffectKind::Write)
        });
        match writes {
            true => self.fail(op, "has an effect, which the body of a map must not have"),
            false => Ok(()),
        }
    }

    /// Why a combinator of a nest runs sequentially by choice. Nests with a schedule or a mapping are as they are written.
    fn reason_to_stay(&self, op: Op) -> Option<&'static str> {
        if self.ir.ancestors(op).any(|op| is_scheduled(self.ir, op)) {
            return None;
        }
        let few = |array: Value| {
            let array = self.ir.value_type(array).dialect::<ArrayType>(&self.ctx);
            let outer = array.and_then(|array| array.sizes.first());
            matches!(outer, Some(Size::Constant(extent)) if *extent < self.options.sequential_below)
        };
        let first = self.ir.operands(op).next();
        // The array written may be long, however few elements go there.
        let soac = Soac::of(self.ir, op);
        let written = soac.map(|soac| soac.parts.destinations);
        let stays = first.is_some_and(few) && written.into_iter().flatten().all(few);
        stays.then_some("it has fewer elements than option sequential-below asks for")
    }

    /// Whether a reduction inside a nest runs in parallel.
    pub(crate) fn reduces_in_parallel(&self) -> bool {
        self.parallel_at(self.own_depth())
    }

    /// The same in a nest of that depth.
    pub(crate) fn parallel_at(&self, depth: usize) -> bool {
        if self.options.versions == Versions::Incremental {
            return true;
        }
        match self.options.inner_reduce {
            InnerReduce::Parallel => true,
            InnerReduce::Sequential => depth == 0,
            InnerReduce::Auto => depth < 2,
        }
    }

    /// Before an op that grows the context: what it needs and is expensive to compute again is stored once, for every
    /// point of the context as it is. Tells whether that was possible: an array whose extent differs between points
    /// has no place to be stored.
    pub(crate) fn store_expensive(&mut self, op: Op) -> Outcome<bool> {
        let roots = self.ir.free_values(op);
        let mut wanted = Vec::new();
        self.trace(
            &roots,
            &mut |value, op| {
                let expensive = is_expensive(self.ir, op);
                if expensive {
                    wanted.push(value);
                }
                !expensive
            },
            &mut |_| {},
        );
        let loc = self.ir.loc(op);
        for &value in &wanted {
            let ty = self.ir.value_type(value);
            if self.extents(ty, loc).is_none() {
                return Ok(false);
            }
        }
        let stored = self.segmap(op, &wanted, &[])?;
        for (value, view) in wanted.into_iter().zip(stored) {
            self.bind_view(value, view);
        }
        Ok(true)
    }

    /// One segmap over the context for values of the old program; what they are at each point. Ops `left` over are made
    /// beside.
    fn segmap(&mut self, op: Op, values: &[Value], left: &[Op]) -> Outcome<Vec<View>> {
        if values.is_empty() {
            return Ok(Vec::new());
        }
        let tensors = self.segmap_of(op, MachineLevel::Thread, |this| {
            this.emit_ops(left)?;
            this.values_at(values, op)
        })?;
        let pairs = values.iter().zip(tensors);
        pairs
            .map(|(&value, tensor)| self.stored_row(op, self.ir.value_type(value), tensor))
            .collect()
    }

    /// The row a tensor over the context is, for values of type `ty`. Where there is no point, a tensor does not know
    /// the extents of its rows: they are given to it.
    pub(crate) fn stored_row(&mut self, op: Op, ty: Type, tensor: Value) -> Outcome<View> {
        let rank = ty
            .dialect::<ArrayType>(&self.ctx)
            .map_or(0, |array| array.sizes.len());
        if rank == 0 {
            return Ok(self.row_of(tensor, Vec::new()));
        }
        let loc = self.ir.loc(op);
        let (tensor, sizes) = match self.extents(ty, loc) {
            Some(rows) => {
                let mut all = self.own_sizes();
                all.extend(&rows);
                let result = self.ir.value_type(tensor);
                let reshaped = ReshapeOp::to(&mut self.builder(loc), tensor, &all, result);
                (reshaped, rows)
            }
            None => {
                let view = self.whole(tensor, loc);
                let sizes = view.sizes[self.own_depth()..].to_vec();
                (tensor, self.resolve_all(&sizes, op)?)
            }
        };
        Ok(self.row_of(tensor, sizes.into_iter().map(Scalar::New).collect()))
    }

    /// A segmap over the context whose points compute `values`; its results. At level thread a point is sequential.
    pub(crate) fn segmap_of(
        &mut self,
        op: Op,
        level: MachineLevel,
        values: impl FnOnce(&mut Self) -> Outcome<Vec<Value>>,
    ) -> Outcome<Vec<Value>> {
        let block = self
            .ir
            .create_block(&vec![self.ctx.index(); self.own_depth()]);
        let types = self.point_block(op, level, block, values)?;
        Ok(self.segmap_from(op, level, block, &types))
    }

    /// Fills the body of a segmap over the context; returns the types of its points' values.
    pub(crate) fn point_block(
        &mut self,
        op: Op,
        level: MachineLevel,
        block: Block,
        values: impl FnOnce(&mut Self) -> Outcome<Vec<Value>>,
    ) -> Outcome<Vec<Type>> {
        let loc = self.ir.loc(op);
        let execution = if level == MachineLevel::Thread {
            Execution::Sequential
        } else {
            Execution::Parallel
        };
        self.at_point_of(block, execution, |this| {
            let values = values(this)?;
            ReturnOp::build(&mut this.builder(loc), &values);
            Ok(values
                .iter()
                .map(|&value| this.ir.value_type(value))
                .collect())
        })
    }

    /// The segmap over the context with a body that was filled.
    pub(crate) fn segmap_from(
        &mut self,
        op: Op,
        level: MachineLevel,
        block: Block,
        types: &[Type],
    ) -> Vec<Value> {
        let (loc, sizes) = (self.ir.loc(op), self.own_sizes());
        let results: Vec<Type> = types
            .iter()
            .map(|&ty| tensor_over(&self.ctx, sizes.len(), ty))
            .collect();
        let level = level.attr(&self.ctx);
        let segmap = SegMapOp::builder()
            .level(level)
            .sizes(&sizes)
            .results_types(&results)
            .build(&mut self.builder(loc));
        let region = segmap.body(self.ir);
        self.ir.append_block(region, block);
        self.explain(op, "segmap", sizes.len());
        segmap.results(self.ir)
    }

    pub(crate) fn explain(&mut self, op: Op, what: &str, rank: usize) {
        let name = self.ir.op_name_str(op);
        let message = format!(
            "{name} becomes a {what} over {rank} dimension{}",
            if rank == 1 { "" } else { "s" }
        );
        self.remark_result(op, message);
    }
}
