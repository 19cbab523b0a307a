//! Rule "with-loop": each partition of an explicit one, on the host, is a scatter over its own index space into one array, all
//! of them in turn.
//!
//! ```mlir
//! %a = array.with_loop explicit genarray [%n]            %0 = tensor.empty [%n]
//!   partition ([1] <= (%i) < [%n] step [2]) {F}     =>   %1 = kernel.scatter thread distinct (%t < %count) into (%0) {%i = %t * 2 + 1; F; return %i, ...}
//!   partition ((%i) < [%n] step [2]) {G}                 %a = kernel.scatter thread distinct (%t < %other) into (%1) {...}
//! ```
//! The space of a scatter has no gaps and begins at 0; a point finds its index by the inverses of `ShiftLB` and
//! `CompressGrid` ([`segra_space`]), simplified. Where values are arrays, the space has their dimensions, too. An array that
//! a modarray changes is copied by the first scatter unless nobody else needs it (pass `update-in-place`).
//!
//! Not here: with-loops in nests and those with parallelism inside, which `explicit-partitions` (or else their expansion) has
//! made maps of.

use crate::function::{Execution, Flattener, Level, Outcome, tensor_type};
use crate::view::View;
use segra_array::types::{array_or_scalar, sizes_and_element};
use segra_array::with_loop::space::{Arithmetic, Compressed, Numbers};
use segra_array::with_loop::{Bound, Kind, Loop, Partition, Range};
use segra_ir::{Block, Op, Type, Value};
use segra_kernel::level::Level as MachineLevel;
use segra_kernel::segop::ReturnOp;
use segra_kernel::update::ScatterOp;
use segra_space::Interval;
use segra_std::func::CallOp;
use segra_std::tensor::EmptyOp;

/// The common part of the partitions of a with-loop.
struct Target {
    op: Op,
    rank: usize,
    /// Extents of the values at one index.
    row: Vec<Value>,
}

impl Flattener<'_> {
    pub(crate) fn with_loop(&mut self, op: Op, parts: &Loop) -> Outcome<()> {
        let loc = self.ir.loc(op);
        let results: Vec<Value> = self.ir.results(op).collect();
        let rows: Vec<Type> = results
            .iter()
            .map(|&value| self.row_of_loop(value, parts.rank))
            .collect();
        let mut extents = Vec::new();
        for &row in &rows {
            match self.extents(row, loc) {
                Some(row) => extents.push(row),
                None => {
                    return self.fail(op, "makes arrays of arrays whose sizes are not known here");
                }
            }
        }
        let mut tensors = self.loop_targets(op, parts, &extents)?;
        let target = Target {
            op,
            rank: parts.rank,
            row: extents.into_iter().next().unwrap_or_default(),
        };
        for partition in &parts.partitions {
            for inner in self.ir.ops(partition.body).collect::<Vec<_>>() {
                for inner in self.ir.walk(inner) {
                    // A function from elsewhere: others are part of the body by now.
                    if self.ir.isa::<CallOp>(inner) {
                        self.refuse_effect(inner)?;
                    }
                }
            }
            tensors = self.partition(&target, partition, tensors)?;
        }
        for (old, new) in results.into_iter().zip(tensors) {
            self.bind_value(old, new, loc);
        }
        Ok(())
    }

    fn row_of_loop(&self, result: Value, rank: usize) -> Type {
        let (sizes, element) = sizes_and_element(&self.ctx, self.ir.value_type(result));
        array_or_scalar(&self.ctx, sizes.get(rank..).unwrap_or_default(), element)
    }

    /// The tensors the partitions write to.
    fn loop_targets(&mut self, op: Op, parts: &Loop, rows: &[Vec<Value>]) -> Outcome<Vec<Value>> {
        let loc = self.ir.loc(op);
        if parts.kind == Kind::Modarray {
            return parts
                .init
                .iter()
                .map(|&array| self.value_of(array, op))
                .collect();
        }
        let shape = self.bounds_here(op, &parts.shape)?;
        let mut b = self.builder(loc);
        let shape: Vec<Value> = shape.into_iter().map(|bound| bound.value(&mut b)).collect();
        let types: Vec<Type> = self
            .ir
            .results(op)
            .map(|value| self.ir.value_type(value))
            .collect();
        let mut tensors = Vec::new();
        for (ty, row) in types.into_iter().zip(rows) {
            let all = [&shape[..], row].concat();
            let ty = tensor_type(&self.ctx, ty);
            let scratch = EmptyOp::build(&mut self.builder(loc), &all, ty);
            tensors.push(scratch.result(self.ir));
        }
        Ok(tensors)
    }

    /// Bounds in values of the new program.
    fn bounds_here(&mut self, op: Op, bounds: &[Bound]) -> Outcome<Vec<Bound>> {
        let here = bounds.iter().map(|&bound| match bound {
            Bound::Constant(constant) => Ok(Bound::Constant(constant)),
            Bound::Value(value) => Ok(Bound::Value(self.value_of(value, op)?)),
        });
        here.collect()
    }

    fn partition(
        &mut self,
        target: &Target,
        partition: &Partition,
        tensors: Vec<Value>,
    ) -> Outcome<Vec<Value>> {
        let (op, loc) = (target.op, self.ir.loc(target.op));
        let mut space = Vec::new();
        for range in &partition.space {
            let here = self.bounds_here(op, &range.bounds())?;
            space.push(Range {
                lower: here[0],
                upper: here[1],
                step: here[2],
                width: here[3],
            });
        }
        let mut arithmetic = Arithmetic::default();
        let space = arithmetic.descriptor(self.ir, &space, Numbers::ARRAY);
        let Ok(dense) = Compressed::new(&mut arithmetic, space, false) else {
            return self.fail(op, "has a step that is not known to be positive");
        };
        let extents = dense.extents(&mut arithmetic);
        let mut sizes = arithmetic.emit(&mut self.builder(loc), &extents);
        sizes.extend(&target.row);
        let block = self.ir.create_block(&vec![self.ctx.index(); sizes.len()]);
        self.levels.extend(sizes.iter().map(|&size| Level { size }));
        let done = self.at_point_of(block, Execution::Sequential, |this| {
            let values = this.partition_values(target, partition, (&mut arithmetic, &dense))?;
            ReturnOp::build(&mut this.builder(loc), &values);
            Ok(())
        });
        self.levels.truncate(self.levels.len() - sizes.len());
        done?;
        self.partition_scatter(target, partition, (&sizes, block), &tensors)
    }

    fn partition_scatter(
        &mut self,
        target: &Target,
        partition: &Partition,
        (sizes, block): (&[Value], Block),
        tensors: &[Value],
    ) -> Outcome<Vec<Value>> {
        let (op, loc) = (target.op, self.ir.loc(target.op));
        let types: Vec<Type> = tensors
            .iter()
            .map(|&tensor| self.ir.value_type(tensor))
            .collect();
        let (level, distinct) = (MachineLevel::Thread.attr(&self.ctx), self.ctx.unit());
        let points = self.ctx.i64_attr(sizes.len() as i64);
        let chain = partition
            .mapping
            .and_then(|text| text.as_str(&self.ctx)?.parse().ok());
        // Of an index alone: a chain that was written for it does not know the dimensions of values.
        let mapping = chain
            .filter(|_| target.row.is_empty())
            .map(|chain| segra_kernel::mapping::Mapping(chain).attr(&self.ctx));
        let scatter = ScatterOp::builder()
            .level(level)
            .distinct(Some(distinct))
            .points(Some(points).filter(|_| sizes.len() > 1))
            .mapping(mapping)
            .sizes(sizes)
            .destinations(tensors)
            .results_types(&types)
            .build(&mut self.builder(loc));
        let region = scatter.body(self.ir);
        self.ir.append_block(region, block);
        self.explain(op, "scatter", sizes.len());
        Ok(scatter.results(self.ir))
    }

    /// Where a point writes, then what.
    fn partition_values(
        &mut self,
        target: &Target,
        partition: &Partition,
        (arithmetic, dense): (&mut Arithmetic, &Compressed),
    ) -> Outcome<Vec<Value>> {
        let (op, loc) = (target.op, self.ir.loc(target.op));
        let own = self.fixed[self.fixed.len() - target.rank - target.row.len()..].to_vec();
        let (threads, inner) = own.split_at(target.rank);
        let mut exprs = Vec::new();
        for &thread in threads {
            exprs.push(arithmetic.value(self.ir, thread, Interval::NON_NEGATIVE));
        }
        let Ok(indices) = dense.recover(arithmetic, &exprs) else {
            return self.fail(op, "has as many indices as dimensions");
        };
        let indices = arithmetic.emit(&mut self.builder(loc), &indices);
        let rows: Vec<View> = indices.iter().map(|&at| View::scalar(at)).collect();
        let yields = self.body(partition.body, &rows)?;
        let mut values = [&indices[..], inner].concat();
        for value in yields {
            let view = match self.view(value) {
                Some(view) => view,
                None => View::scalar(self.value_of(value, op)?),
            };
            let element = view.at(inner);
            let mut roots = Vec::new();
            element.visit(&mut |value| roots.push(value), &mut |_| {});
            self.emit_needed(&roots)?;
            values.push(self.read(&element, op)?);
        }
        Ok(values)
    }
}
