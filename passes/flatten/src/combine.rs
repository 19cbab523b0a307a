//! Reductions and scans of a nest: segred and segscan over the context and their own extent.

use crate::Versions;
use crate::bounded::Inputs;
use crate::cost::block_has_parallelism;
use crate::function::{Execution, Flattener, Level, Outcome, tensor_type};
use crate::view::{Axis, Lifted, Scalar, View};
use segra_array::combinator::{Flavour, Soac};
use segra_array::types::{ArrayType, Size, sizes_and_element};
use segra_ir::{Block, Context, Op, OpView, Region, Type, Value};
use segra_kernel::level::Level as MachineLevel;
use segra_kernel::segop::{ReturnOp, SegRedOp, SegScanOp, tensor_over};

/// Most elements of arrays that one thread combines where several could.
const SMALL: i64 = 64;

/// Whether a type is a scalar's, or an array's with few elements, as the program text says.
fn is_small(ctx: &Context, ty: Type) -> bool {
    let (sizes, _) = sizes_and_element(ctx, ty);
    let elements = sizes.iter().try_fold(1i64, |elements, size| match size {
        Size::Constant(extent) => elements.checked_mul(*extent),
        Size::Symbol(_) | Size::Unknown => None,
    });
    elements.is_some_and(|elements| elements <= SMALL)
}

/// A combination that can be done in parallel.
pub(crate) struct Parallel {
    pub(crate) views: Vec<View>,
    pub(crate) size: Value,
    /// The extent at each point, where it differs and `size` bounds it.
    limit: Option<Scalar>,
    pub(crate) neutral: Vec<Value>,
}

/// The combination of the elements themselves.
fn without_body(combination: &Soac) -> Soac {
    let mut soac = combination.clone();
    soac.parts.body = None;
    soac
}

/// How many of a combination's results are combined values; the others are arrays.
pub(crate) fn whole_results(combination: &Soac) -> usize {
    match combination.flavour {
        Flavour::Reduce => combination.start.len(),
        _ => 0,
    }
}

impl Flattener<'_> {
    /// Rules "redomap" and "scanomap": a segred or segscan over the context and the op's own extent.
    pub(crate) fn combination(&mut self, combination: &Soac) -> Outcome<()> {
        let op = combination.op;
        if self.interchange_combination(combination)? {
            return Ok(());
        }
        if combination.flavour == Flavour::Reduce {
            let stores = self.ir.num_results(op) > combination.start.len();
            if !stores && !self.reduces_in_parallel() {
                return self.leave(
                    op,
                    "the maps around it are parallel enough (see option inner-reduce)",
                );
            }
        }
        let blocks: Vec<Block> = combination
            .body
            .into_iter()
            .chain(combination.combine)
            .collect();
        let inputs = self.inputs_or_bounded(op, &combination.arrays, &blocks);
        let mut parallel = match self.parallel(combination, inputs)? {
            Ok(parallel) => parallel,
            Err(why) => return self.leave(op, why),
        };
        let Some(body) = combination
            .body
            .filter(|&body| self.opens(body, combination.start.len()))
        else {
            return self.combine_in_parallel(combination, &parallel);
        };
        let mut rows = self.body_rows(op, body, &parallel.views, parallel.size)?;
        let beside = rows.split_off(combination.start.len());
        self.remark(op, "its map has parallelism of its own and is made first");
        parallel.views = rows;
        self.combine_in_parallel(&without_body(combination), &parallel)?;
        let results: Vec<Value> = self.ir.results(op).skip(combination.start.len()).collect();
        for (old, row) in results.into_iter().zip(beside) {
            self.bind_view(old, row.limited(parallel.limit));
        }
        Ok(())
    }

    /// A segred or segscan of what the body gives, or of the views' elements where there is none.
    fn combine_in_parallel(&mut self, combination: &Soac, parallel: &Parallel) -> Outcome<()> {
        let limit = parallel.limit.map(|limit| (limit, &parallel.neutral[..]));
        let limit = limit.filter(|_| combination.flavour == Flavour::Reduce);
        let (block, stored) =
            self.combination_body(combination, &parallel.views, parallel.size, limit)?;
        let combine = self.operator_block(combination, &parallel.neutral)?;
        let (depth, mut sizes) = (self.own_depth(), self.own_sizes());
        sizes.push(parallel.size);
        let outer = if combination.flavour == Flavour::Reduce {
            depth
        } else {
            depth + 1
        };
        let mut results: Vec<Type> = Vec::new();
        for &value in &parallel.neutral {
            results.push(tensor_over(&self.ctx, outer, self.ir.value_type(value)));
        }
        results.extend(
            stored
                .iter()
                .map(|&ty| tensor_over(&self.ctx, depth + 1, ty)),
        );
        let (new, regions) = self.segmented(combination, &sizes, &parallel.neutral, &results);
        self.ir.append_block(regions[0], block);
        self.ir.append_block(regions[1], combine);
        self.bind_combined(
            combination.op,
            new,
            whole_results(combination),
            parallel.limit.unwrap_or(Scalar::New(parallel.size)),
        )
    }

    /// Whether a combinator's body is flattened as a map of its own before the combinator: it has parallelism inside
    /// that is wanted, or makes arrays. The first `combined` values it yields do not count.
    pub(crate) fn opens(&self, body: Block, combined: usize) -> bool {
        if !block_has_parallelism(self.ir, body) {
            return false;
        }
        let makes_arrays = self.ir.last_op(body).is_some_and(|last| {
            let mut beside = self.ir.operands(last).skip(combined);
            beside.any(|value| {
                self.ir
                    .value_type(value)
                    .dialect::<ArrayType>(&self.ctx)
                    .is_some()
            })
        });
        let deeper = self.own_depth() + 1;
        makes_arrays || self.parallel_at(deeper)
    }

    /// The values a body yields for all elements of the views, as arrays: the body as a map.
    pub(crate) fn body_rows(
        &mut self,
        op: Op,
        block: Block,
        views: &[View],
        size: Value,
    ) -> Outcome<Vec<View>> {
        let depth = self.levels.len();
        let versions = self.options.versions == Versions::Incremental && self.fixed.is_empty();
        let rows = self.grow(views, size, block, |this| {
            if versions && block_has_parallelism(this.ir, block) {
                this.choose(op, block)
            } else {
                this.map_body(op, block)
            }
        })?;
        Ok(rows
            .iter()
            .map(|row| row.leave_level(depth, size))
            .collect())
    }

    /// The segmented op of a combination and its regions, still empty.
    pub(crate) fn segmented(
        &mut self,
        combination: &Soac,
        sizes: &[Value],
        neutral: &[Value],
        results: &[Type],
    ) -> (Op, [Region; 2]) {
        let level = MachineLevel::Thread.attr(&self.ctx);
        let exclusive =
            (combination.flavour == Flavour::Scan { exclusive: true }).then(|| self.ctx.unit());
        let mut b = self.builder(self.ir.loc(combination.op));
        let (op, regions, name) = if combination.flavour == Flavour::Reduce {
            let segred = SegRedOp::builder()
                .level(level)
                .sizes(sizes)
                .neutral(neutral)
                .results_types(results)
                .build(&mut b);
            (
                segred.op(),
                [segred.body(b.ir), segred.combine(b.ir)],
                "segred",
            )
        } else {
            let segscan = SegScanOp::builder()
                .level(level)
                .exclusive(exclusive)
                .sizes(sizes)
                .neutral(neutral)
                .results_types(results)
                .build(&mut b);
            (
                segscan.op(),
                [segscan.body(b.ir), segscan.combine(b.ir)],
                "segscan",
            )
        };
        self.explain(combination.op, name, sizes.len());
        (op, regions)
    }

    /// The parts of a combination for a segmented op, or the reason why there is none.
    pub(crate) fn parallel(
        &mut self,
        combination: &Soac,
        inputs: Option<Inputs>,
    ) -> Outcome<Result<Parallel, &'static str>> {
        let Some(Inputs { views, size, limit }) = inputs else {
            return Ok(Err("its extent differs between the points of the nest"));
        };
        let combined: Vec<Type> = combination
            .start
            .iter()
            .map(|&value| self.ir.value_type(value))
            .collect();
        if combined.iter().any(|&ty| tensor_type(&self.ctx, ty) != ty) {
            // A thread applies the operator, so that only small arrays are better combined in parallel; in a nest each
            // point does.
            if !self.levels.is_empty() {
                return Ok(Err("it combines arrays"));
            }
            if combined.iter().any(|&ty| !is_small(&self.ctx, ty)) {
                return Ok(Err("it combines arrays that are not known to be small"));
            }
        }
        if self.depends_on_point(&combination.start) {
            return Ok(Err(
                "its neutral element differs between the points of the nest",
            ));
        }
        let mut free = Vec::new();
        if let Some(block) = combination.combine {
            for op in self.ir.ops(block) {
                free.extend(self.ir.free_values(op));
            }
        }
        free.retain(|&value| {
            let around = self
                .ir
                .value_block(value)
                .and_then(|block| self.ir.block_parent(block));
            !around.is_some_and(|around| self.ir.is_inside(around, combination.op))
        });
        if self.depends_on_point(&free) {
            return Ok(Err("its operator differs between the points of the nest"));
        }
        let neutral =
            self.outside_point(|this| this.values_at(&combination.start, combination.op))?;
        Ok(Ok(Parallel {
            views,
            size,
            limit,
            neutral,
        }))
    }

    /// Runs `f` as code outside of the nest's own points.
    fn outside_point<T>(&mut self, f: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let own = self.levels.split_off(self.fixed.len());
        let mark = self.env.mark();
        let result = f(self);
        self.env.rewind(mark);
        self.levels.extend(own);
        result
    }

    /// The results of a segmented op in the context: the first `reduced` one per segment, then arrays.
    fn bind_combined(&mut self, old: Op, new: Op, reduced: usize, size: Scalar) -> Outcome<()> {
        let (old_op, depth) = (old, self.own_depth());
        let pairs: Vec<(Value, Value)> = self.ir.results(old).zip(self.ir.results(new)).collect();
        for (index, (old, result)) in pairs.into_iter().enumerate() {
            if index < reduced && depth == 0 {
                self.env.bind(old, Lifted::Host(result));
                continue;
            }
            let ty = self.ir.value_type(old);
            let rank = ty
                .dialect::<ArrayType>(&self.ctx)
                .map_or(0, |ty| ty.sizes.len());
            let own = usize::from(index >= reduced);
            let view = if rank == own {
                self.row_of(result, vec![size; own])
            } else {
                self.stored_row(old_op, ty, result)?
            };
            let limit = (own > 0 && !size.is_new()).then_some(size);
            self.bind_view(old, view.limited(limit));
        }
        Ok(())
    }

    /// The block computing one point's values, and the types of those stored beyond the combined ones. From a limit on the combined
    /// ones are neutral.
    pub(crate) fn combination_body(
        &mut self,
        combination: &Soac,
        views: &[View],
        size: Value,
        limit: Option<(Scalar, &[Value])>,
    ) -> Outcome<(Block, Vec<Type>)> {
        let op = combination.op;
        let depth = self.levels.len();
        let loc = self.ir.loc(op);
        let block = self
            .ir
            .create_block(&vec![self.ctx.index(); self.own_depth() + 1]);
        let elements: Vec<View> = views
            .iter()
            .map(|view| view.fix_first(Axis::Level(depth)))
            .collect();
        self.levels.push(Level { size });
        let mark = self.env.mark();
        if let Some(old) = combination.body {
            let arguments = self.ir.block_args(old).to_vec();
            for (arg, element) in arguments.into_iter().zip(&elements) {
                self.bind_view(arg, element.clone());
            }
            // Extents of arrays it makes are known outside then.
            self.hoist_checks(old)?;
        }
        let values = self.at_point_of(block, Execution::Sequential, |this| {
            let mut values = match combination.body {
                Some(old) => {
                    let yields: Vec<Value> = this
                        .ir
                        .last_op(old)
                        .map(|last| this.ir.operands(last).collect())
                        .unwrap_or_default();
                    let left = this.left_over(old);
                    this.emit_ops(&left)?;
                    this.values_at(&yields, op)?
                }
                None => {
                    let mut values = Vec::new();
                    for element in &elements {
                        let mut roots = Vec::new();
                        element.visit(&mut |value| roots.push(value), &mut |_| {});
                        this.emit_needed(&roots)?;
                        values.push(match element.rank() {
                            0 => this.read(element, op)?,
                            _ => this.materialise(element, op)?,
                        });
                    }
                    values
                }
            };
            if let (Some((limit, neutral)), Some(&at)) = (limit, this.fixed.last()) {
                this.limited(op, (at, limit), &mut values, neutral)?;
            }
            ReturnOp::build(&mut this.builder(loc), &values);
            Ok(values)
        });
        self.env.rewind(mark);
        self.levels.truncate(depth);
        let stored = values?.split_off(combination.start.len());
        let types = stored
            .iter()
            .map(|&value| self.ir.value_type(value))
            .collect();
        Ok((block, types))
    }

    /// The block of an operator over values of the neutral elements' types.
    pub(crate) fn operator_block(
        &mut self,
        combination: &Soac,
        neutral: &[Value],
    ) -> Outcome<Block> {
        let loc = self.ir.loc(combination.op);
        let types: Vec<Type> = neutral
            .iter()
            .map(|&value| self.ir.value_type(value))
            .collect();
        let doubled: Vec<Type> = types.iter().chain(&types).copied().collect();
        let block = self.ir.create_block(&doubled);
        let args = self.ir.block_args(block).to_vec();
        let own = self.levels.split_off(self.fixed.len());
        let outside = std::mem::replace(&mut self.execution, Execution::Sequential);
        let done = self.scope(block, |this| -> Outcome<()> {
            let combined = this.operator(combination.op, combination.combine, &args)?;
            ReturnOp::build(&mut this.builder(loc), &combined);
            Ok(())
        });
        self.execution = outside;
        self.levels.extend(own);
        done?;
        Ok(block)
    }

    /// The operator of a combination applied to accumulators, then values, of the new program.
    pub(crate) fn operator(
        &mut self,
        op: Op,
        combine: Option<Block>,
        operands: &[Value],
    ) -> Outcome<Vec<Value>> {
        let Some(block) = combine else {
            return self.fail(op, "has no operator");
        };
        let loc = self.ir.loc(op);
        let args = self.ir.block_args(block).to_vec();
        for (&arg, &value) in args.iter().zip(operands) {
            self.bind_value(arg, value, loc);
        }
        // Values the operator uses from the bodies around the combination.
        let mut outer = Vec::new();
        for inner in self.ir.ops(block) {
            outer.extend(self.ir.free_values(inner));
        }
        outer.retain(|&value| self.ir.value_block(value) != Some(block));
        self.emit_needed(&outer)?;
        let yields = self.body(block, &[])?;
        yields
            .into_iter()
            .map(|value| self.value_of(value, op))
            .collect()
    }
}
