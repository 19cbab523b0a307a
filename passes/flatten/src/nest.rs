//! Map nests: the context, and the segmented ops that come out of it.

use crate::InnerReduce;
use crate::emit::Point;
use crate::function::{Flattener, Level, Outcome, tensor_type};
use crate::view::{Axis, Base, Lifted, Scalar, View};
use rustc_hash::FxHashMap;
use segra_array::soac::{MapOp, RedomapOp, ReduceOp, ScanOp};
use segra_array::types::{ArrayType, Size};
use segra_ir::interfaces::{EffectKind, effects_of};
use segra_ir::{Op, OpView, Region, Trait, Type, Value};
use segra_kernel::level::Level as MachineLevel;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp, SegScanOp, tensor_over};

/// What reduce, redomap and scan have in common.
struct Combination {
    op: Op,
    arrays: Vec<Value>,
    neutral: Vec<Value>,
    /// What is combined, for each element; `None`: the elements themselves.
    body: Option<Region>,
    combine: Region,
}

impl Flattener<'_> {
    /// The views of a combinator's inputs and their outer extent, where both are known outside the nest's points.
    fn inputs(&mut self, op: Op, arrays: &[Value]) -> Option<(Vec<View>, Value)> {
        let views: Option<Vec<View>> = arrays.iter().map(|&array| self.view(array)).collect();
        let views = views?;
        let Scalar::New(size) = *views.first()?.sizes.first()? else { return None };
        let loc = self.ir.loc(op);
        let outer = |this: &Self, array: Value| {
            this.ir.value_type(array).dialect::<ArrayType>(&this.ctx).map_or(Size::Unknown, |ty| ty.sizes[0])
        };
        let first = outer(self, arrays[0]);
        for (index, view) in views.iter().enumerate().skip(1) {
            let Scalar::New(other) = *view.sizes.first()? else { return None };
            let same = outer(self, arrays[index]);
            if same != first || same == Size::Unknown {
                let message = format!("the outer sizes of inputs #0 and #{index} differ");
                self.check_equal(size, other, &message, loc);
            }
        }
        Some((views, size))
    }

    /// A combinator that stays in the sequential code of each point.
    fn leave(&mut self, op: Op, reason: &str) -> Outcome<()> {
        if self.levels.is_empty() {
            return self.fail(op, "cannot be flattened: an input is not available here");
        }
        let name = self.ir.op_name_str(op).to_owned();
        self.remark(op, format!("{name} is executed sequentially by each thread: {reason}"));
        Ok(())
    }

    /// Rule "map": the context grows; the body's scalars become one segmap, its arrays keep their nests' results.
    pub(crate) fn map(&mut self, map: MapOp) -> Outcome<()> {
        let op = map.op();
        let Some((views, size)) = self.inputs(op, &map.arrays(self.ir)) else {
            return self.leave(op, "its extent differs between the points of the nest");
        };
        let depth = self.levels.len();
        let block = map.body_block(self.ir);
        for (arg, view) in self.ir.block_args(block).to_vec().into_iter().zip(&views) {
            self.env.insert(arg, Lifted::Array(view.fix_first(Axis::Level(depth))));
        }
        self.levels.push(Level { size });
        let results = self.map_body(map, size, depth);
        self.levels.pop();
        for (value, view) in map.results(self.ir).into_iter().zip(results?) {
            self.env.insert(value, Lifted::Array(view));
        }
        Ok(())
    }

    fn map_body(&mut self, map: MapOp, size: Value, depth: usize) -> Outcome<Vec<View>> {
        let op = map.op();
        let block = map.body_block(self.ir);
        let ops: Vec<Op> = self.ir.ops(block).collect();
        let Some((&terminator, body)) = ops.split_last() else { return self.fail(op, "has an empty body") };
        for &inner in body {
            self.nest_op(inner)?;
        }
        let yields: Vec<Value> = self.ir.operands(terminator).collect();
        // Scalars that no nest has stored yet are stored together, by one segmap.
        let mut unstored = Vec::new();
        for &value in &yields {
            let is_scalar = self.ir.value_type(value).dialect::<ArrayType>(&self.ctx).is_none();
            if is_scalar && !self.view(value).is_some_and(|view| view.can_leave()) {
                unstored.push(value);
            }
        }
        let stored = self.segmap(op, &unstored)?;
        let stored: FxHashMap<Value, View> = unstored.into_iter().zip(stored).collect();
        let mut results = Vec::new();
        for value in yields {
            let row = match stored.get(&value) {
                Some(view) => view.clone(),
                None => self.array_row(op, value)?,
            };
            results.push(row.leave_level(depth, size));
        }
        Ok(results)
    }

    /// An array a map's body yields: as it is where a nest has stored it, else copied by a nest of its own.
    fn array_row(&mut self, op: Op, value: Value) -> Outcome<View> {
        let Some(view) = self.view(value) else {
            return self.fail(
                op,
                "yields an array that each point makes on its own, which flattening cannot give yet",
            );
        };
        if view.can_leave() { Ok(view) } else { self.store(op, &view) }
    }

    /// A view stored by a segmap over the context and its own dimensions.
    fn store(&mut self, op: Op, view: &View) -> Outcome<View> {
        let depth = self.levels.len();
        let rank = view.rank();
        let mut element = view.clone();
        for dim in 0..rank {
            let Scalar::New(size) = view.sizes[dim] else {
                return self.fail(op, "yields an array whose extent differs between the points of the nest");
            };
            element = element.fix_first(Axis::Level(depth + dim));
            self.levels.push(Level { size });
        }
        let stored =
            self.segmap_of(op, |this, point| this.read(point, &element, op).map(|value| vec![value]));
        self.levels.truncate(depth);
        let mut stored = stored?;
        let Some(mut row) = stored.pop() else { return self.fail(op, "stored nothing") };
        for dim in (0..rank).rev() {
            let Scalar::New(size) = view.sizes[dim] else { continue };
            row = row.leave_level(depth + dim, size);
        }
        Ok(row)
    }

    /// A tensor that is all of a view, or its element where it has rank 0 (host code).
    pub(crate) fn materialise(&mut self, view: &View, user: Op) -> Outcome<Value> {
        if view.rank() == 0 {
            return self.read(&mut Point::default(), view, user);
        }
        let stored = self.store(user, view)?;
        match stored.as_tensor() {
            Some(tensor) => Ok(tensor),
            None => self.fail(user, "needs an array that could not be stored"),
        }
    }

    /// One op of a map's body.
    fn nest_op(&mut self, op: Op) -> Outcome<()> {
        let is_combinator = self.ir.isa::<MapOp>(op)
            || self.ir.isa::<ReduceOp>(op)
            || self.ir.isa::<RedomapOp>(op)
            || self.ir.isa::<ScanOp>(op);
        if is_combinator {
            self.store_expensive(op)?;
            self.array_op(op)?;
            return Ok(());
        }
        if self.view_op(op)? {
            return Ok(());
        }
        if self.hoist(op)? {
            return Ok(());
        }
        let writes = effects_of(self.ir, op)
            .is_none_or(|effects| effects.iter().any(|effect| effect.kind == EffectKind::Write));
        if writes {
            return self.fail(op, "has an effect, which the body of a map must not have");
        }
        // Scalar code: computed at the points that need it.
        Ok(())
    }

    /// Scalar code that is the same for all points is done once, on the host.
    fn hoist(&mut self, op: Op) -> Outcome<bool> {
        let invariant = self.ir.has_trait(op, Trait::Pure)
            && self.ir.regions(op).is_empty()
            && self.ir.operands(op).all(|value| matches!(self.env.get(&value), Some(Lifted::Host(_))));
        if !invariant {
            return Ok(false);
        }
        let mut mapping = segra_ir::clone::Mapping::new();
        for value in self.ir.operands(op).collect::<Vec<_>>() {
            let new = self.host_value(value, op)?;
            mapping.map(value, new);
        }
        let loc = self.ir.loc(op);
        let new = self.builder(loc).clone_op(op, &mut mapping);
        for (old, result) in self.ir.results(op).zip(self.ir.results(new)) {
            self.env.insert(old, Lifted::Host(result));
        }
        Ok(true)
    }

    /// Before a combinator: scalar code of the same body that is dear and needed from here on is stored once.
    fn store_expensive(&mut self, combinator: Op) -> Outcome<()> {
        let Some(block) = self.ir.block_of(combinator) else { return Ok(()) };
        let ops: Vec<Op> = self.ir.ops(block).take_while(|&op| op != combinator).collect();
        let mut wanted = Vec::new();
        for op in ops {
            let dear = !self.ir.regions(op).is_empty() || self.ir.op_name_str(op).starts_with("math.");
            if !dear {
                continue;
            }
            for result in self.ir.results(op) {
                let is_scalar = self.ir.value_type(result).dialect::<ArrayType>(&self.ctx).is_none();
                let needed = self.ir.users(result).any(|user| {
                    let at = self.ir.ancestors(user).find(|&at| self.ir.block_of(at) == Some(block));
                    at.is_some_and(|at| at == combinator || self.ir.is_before(combinator, at))
                });
                if is_scalar && needed && !self.env.contains_key(&result) {
                    wanted.push(result);
                }
            }
        }
        let stored = self.segmap(combinator, &wanted)?;
        for (value, view) in wanted.into_iter().zip(stored) {
            self.env.insert(value, Lifted::Array(view));
        }
        Ok(())
    }

    /// One segmap over the context for scalars of the old program; views of rank 0 of what it stores.
    fn segmap(&mut self, op: Op, scalars: &[Value]) -> Outcome<Vec<View>> {
        if scalars.is_empty() {
            return Ok(Vec::new());
        }
        self.segmap_of(op, |this, point| this.values_at(point, scalars, op))
    }

    fn segmap_of(
        &mut self,
        op: Op,
        values: impl FnOnce(&mut Self, &mut Point) -> Outcome<Vec<Value>>,
    ) -> Outcome<Vec<View>> {
        let loc = self.ir.loc(op);
        let sizes: Vec<Value> = self.levels.iter().map(|level| level.size).collect();
        let block = self.ir.create_block(&vec![self.ctx.index(); sizes.len()]);
        let mut point = Point { indices: self.ir.block_args(block).to_vec(), ..Point::default() };
        let values = self.inside(block, |this| values(this, &mut point))?;
        let types: Vec<Type> = values.iter().map(|&value| self.ir.value_type(value)).collect();
        let results: Vec<Type> = types.iter().map(|&ty| tensor_over(&self.ctx, sizes.len(), ty)).collect();
        let level = MachineLevel::Thread.attr(&self.ctx);
        let segmap = SegMapOp::build(&mut self.builder(loc), level, None, &sizes, &results);
        self.inside(block, |this| ReturnOp::build(&mut this.builder(loc), &values));
        let region = segmap.body(self.ir);
        self.ir.append_block(region, block);
        self.explain(op, "segmap", sizes.len());
        let axes: Vec<Axis> = (0..sizes.len()).map(Axis::Level).collect();
        let tensors = segmap.results(self.ir);
        Ok(tensors
            .into_iter()
            .map(|tensor| View { base: Base::Tensor(tensor), axes: axes.clone(), sizes: Vec::new() })
            .collect())
    }

    fn explain(&mut self, op: Op, what: &str, rank: usize) {
        let name = self.ir.op_name_str(op).to_owned();
        self.remark(
            op,
            format!("{name} becomes a {what} over {rank} dimension{}", if rank == 1 { "" } else { "s" }),
        );
    }

    /// Whether a reduction inside a nest runs in parallel.
    fn reduces_in_parallel(&self, stores: bool) -> bool {
        stores
            || match self.options.inner_reduce {
                InnerReduce::Parallel => true,
                InnerReduce::Sequential => self.levels.is_empty(),
                InnerReduce::Auto => self.levels.len() < 2,
            }
    }

    pub(crate) fn reduce(&mut self, reduce: ReduceOp) -> Outcome<()> {
        let combination = Combination {
            op: reduce.op(),
            arrays: reduce.arrays(self.ir),
            neutral: reduce.neutral(self.ir),
            body: None,
            combine: reduce.combine(self.ir),
        };
        self.reduction(combination)
    }

    pub(crate) fn redomap(&mut self, redomap: RedomapOp) -> Outcome<()> {
        let combination = Combination {
            op: redomap.op(),
            arrays: redomap.arrays(self.ir),
            neutral: redomap.neutral(self.ir),
            body: Some(redomap.body(self.ir)),
            combine: redomap.combine(self.ir),
        };
        self.reduction(combination)
    }

    fn reduction(&mut self, combination: Combination) -> Outcome<()> {
        let op = combination.op;
        let stores = self.ir.num_results(op) > combination.neutral.len();
        if !self.reduces_in_parallel(stores) {
            return self.leave(op, "the maps around it are parallel enough (see option inner-reduce)");
        }
        let Some((views, size)) = self.inputs(op, &combination.arrays) else {
            return self.leave(op, "its extent differs between the points of the nest");
        };
        let Some(neutral) = self.neutral(&combination)? else {
            return self.leave(op, "its neutral element differs between the points of the nest");
        };
        let depth = self.levels.len();
        let (block, stored) = self.combination_body(&combination, &views, size)?;
        let combine = self.operator_block(&combination, &neutral)?;
        let loc = self.ir.loc(op);
        let mut sizes: Vec<Value> = self.levels.iter().map(|level| level.size).collect();
        sizes.push(size);
        let mut results: Vec<Type> = Vec::new();
        for &value in &neutral {
            results.push(tensor_over(&self.ctx, depth, self.ir.value_type(value)));
        }
        results.extend(stored.iter().map(|&ty| tensor_over(&self.ctx, depth + 1, ty)));
        let level = MachineLevel::Thread.attr(&self.ctx);
        let segred = SegRedOp::build(&mut self.builder(loc), level, None, &sizes, &neutral, &results);
        let (body, operator) = (segred.body(self.ir), segred.combine(self.ir));
        self.ir.append_block(body, block);
        self.ir.append_block(operator, combine);
        self.explain(op, "segred", depth + 1);
        self.bind_combined(op, segred.op(), neutral.len(), depth, size);
        Ok(())
    }

    /// The results of a segred in the context: one per segment, then arrays.
    fn bind_combined(&mut self, old: Op, new: Op, reduced: usize, depth: usize, size: Value) {
        let axes: Vec<Axis> = (0..depth).map(Axis::Level).collect();
        for (index, (old, result)) in self.ir.results(old).zip(self.ir.results(new)).enumerate() {
            let lifted = if index < reduced && depth == 0 {
                Lifted::Host(result)
            } else if index < reduced {
                Lifted::Array(View { base: Base::Tensor(result), axes: axes.clone(), sizes: Vec::new() })
            } else {
                let mut axes = axes.clone();
                axes.push(Axis::Dim(0));
                Lifted::Array(View { base: Base::Tensor(result), axes, sizes: vec![Scalar::New(size)] })
            };
            self.env.insert(old, lifted);
        }
    }

    /// Rule "scan": a segscan over the context and the scan's own extent.
    pub(crate) fn scan(&mut self, scan: ScanOp) -> Outcome<()> {
        let op = scan.op();
        let combination = Combination {
            op,
            arrays: scan.arrays(self.ir),
            neutral: scan.neutral(self.ir),
            body: None,
            combine: scan.combine(self.ir),
        };
        let Some((views, size)) = self.inputs(op, &combination.arrays) else {
            return self.leave(op, "its extent differs between the points of the nest");
        };
        let Some(neutral) = self.neutral(&combination)? else {
            return self.leave(op, "its neutral element differs between the points of the nest");
        };
        let depth = self.levels.len();
        let (block, _) = self.combination_body(&combination, &views, size)?;
        let combine = self.operator_block(&combination, &neutral)?;
        let loc = self.ir.loc(op);
        let mut sizes: Vec<Value> = self.levels.iter().map(|level| level.size).collect();
        sizes.push(size);
        let results: Vec<Type> = neutral
            .iter()
            .map(|&value| tensor_over(&self.ctx, depth + 1, self.ir.value_type(value)))
            .collect();
        let level = MachineLevel::Thread.attr(&self.ctx);
        let segscan = SegScanOp::build(&mut self.builder(loc), level, None, &sizes, &neutral, &results);
        let (body, operator) = (segscan.body(self.ir), segscan.combine(self.ir));
        self.ir.append_block(body, block);
        self.ir.append_block(operator, combine);
        self.explain(op, "segscan", depth + 1);
        self.bind_combined(op, segscan.op(), 0, depth, size);
        Ok(())
    }

    /// Neutral elements on the host; `None` where one differs between points.
    fn neutral(&mut self, combination: &Combination) -> Outcome<Option<Vec<Value>>> {
        let mut neutral = Vec::new();
        for &value in &combination.neutral {
            let ty = self.ir.value_type(value);
            if tensor_type(&self.ctx, ty) != ty {
                return self.fail(combination.op, "combines arrays, which flattening cannot do yet");
            }
            match self.env.get(&value).cloned() {
                Some(Lifted::Host(value)) => neutral.push(value),
                Some(Lifted::Array(view)) if self.levels.is_empty() => {
                    neutral.push(self.materialise(&view, combination.op)?);
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(neutral))
    }

    /// The block computing one point's values, and the types of those stored beyond the combined ones.
    fn combination_body(
        &mut self,
        combination: &Combination,
        views: &[View],
        size: Value,
    ) -> Outcome<(segra_ir::Block, Vec<Type>)> {
        let op = combination.op;
        let depth = self.levels.len();
        let loc = self.ir.loc(op);
        let block = self.ir.create_block(&vec![self.ctx.index(); depth + 1]);
        let mut point = Point { indices: self.ir.block_args(block).to_vec(), ..Point::default() };
        let elements: Vec<View> = views.iter().map(|view| view.fix_first(Axis::Level(depth))).collect();
        self.levels.push(Level { size });
        let values = self.inside(block, |this| -> Outcome<Vec<Value>> {
            let values = match combination.body.and_then(|body| this.ir.entry_block(body)) {
                Some(old) => {
                    for (arg, element) in this.ir.block_args(old).to_vec().into_iter().zip(&elements) {
                        this.env.insert(arg, Lifted::Array(element.clone()));
                    }
                    let yields: Vec<Value> =
                        this.ir.last_op(old).map(|last| this.ir.operands(last).collect()).unwrap_or_default();
                    this.values_at(&mut point, &yields, op)?
                }
                None => {
                    let mut values = Vec::new();
                    for element in &elements {
                        values.push(this.read(&mut point, element, op)?);
                    }
                    values
                }
            };
            ReturnOp::build(&mut this.builder(loc), &values);
            Ok(values)
        });
        self.levels.pop();
        let stored = values?.split_off(combination.neutral.len());
        let types = stored.iter().map(|&value| self.ir.value_type(value)).collect();
        Ok((block, types))
    }

    fn operator_block(&mut self, combination: &Combination, neutral: &[Value]) -> Outcome<segra_ir::Block> {
        let loc = self.ir.loc(combination.op);
        let types: Vec<Type> = neutral.iter().map(|&value| self.ir.value_type(value)).collect();
        let doubled: Vec<Type> = types.iter().chain(&types).copied().collect();
        let block = self.ir.create_block(&doubled);
        let args = self.ir.block_args(block).to_vec();
        let (accumulators, values) = args.split_at(types.len());
        let mut point = Point::default();
        self.inside(block, |this| -> Outcome<()> {
            let combined =
                this.emit_operator(&mut point, combination.op, combination.combine, accumulators, values)?;
            ReturnOp::build(&mut this.builder(loc), &combined);
            Ok(())
        })?;
        Ok(block)
    }
}
