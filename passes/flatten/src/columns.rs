//! Interchange of reductions and scans over maps: combining rows element by element is a map of combining columns.
//!
//! ```text
//! reduce (\\a b -> map (+) a b) (replicate m 0) xss  =>  map (\\column -> reduce (+) 0 column) (transpose xss)
//! ```
//!
//! Legality: the operator is one map over accumulators and values in order, whose body is such an operator again or
//! combines scalars; it uses nothing that differs between points; all elements of a neutral element are the same. A
//! map fused into the combination is made first, as arrays.
//!
//! Deliberately absent: operators that mix the elements of rows (products of matrices); they are loops.

use crate::function::{Flattener, Level, Outcome};
use crate::view::{Axis, Base, Scalar, View};
use segra_array::combinator::{Flavour, Parts, Soac};
use segra_array::types::ArrayType;
use segra_ir::{Block, Op, Type, Value};
use segra_kernel::segop::tensor_over;
use segra_std::arith::ConstantOp;

impl Flattener<'_> {
    /// Makes the combination a map of combinations of scalars where its operator allows. Tells whether it did.
    pub(crate) fn interchange_combination(&mut self, combination: &Soac) -> Outcome<bool> {
        let op = combination.op;
        let Some(scalars) = self.elementwise(combination) else {
            return Ok(false);
        };
        let mut neutral = Vec::new();
        for &value in &combination.start {
            let Some(element) = self.uniform(value) else {
                return Ok(false);
            };
            neutral.push(element);
        }
        let Some((inputs, size)) = self.inputs(&combination.arrays) else {
            return Ok(false);
        };
        let mut rows = match combination.body {
            None => inputs,
            Some(body) => self.body_rows(op, body, &inputs, size)?,
        };
        let beside = rows.split_off(neutral.len());
        let (whole, scan) = (
            "the reduction of rows becomes a map of reductions of columns",
            "the scan of rows becomes \
             a map of scans of columns",
        );
        self.remark(
            op,
            if combination.flavour == Flavour::Reduce {
                whole
            } else {
                scan
            }
            .to_owned(),
        );
        let combined = self.by_columns(combination, scalars, &rows, size, &neutral)?;
        let results: Vec<Value> = self.ir.results(op).collect();
        for (old, view) in results.into_iter().zip(combined.into_iter().chain(beside)) {
            self.bind_view(old, view);
        }
        Ok(true)
    }

    /// The scalar that all elements of an array are.
    pub(crate) fn uniform(&mut self, array: Value) -> Option<Value> {
        let view = self.view(array)?;
        if let Base::Literal(numbers, _) = &view.base {
            let &first = numbers
                .first()
                .filter(|&first| numbers.iter().all(|number| number == first))?;
            let loc = self.ir.value_loc(array);
            return Some(ConstantOp::build(&mut self.builder(loc), first).result(self.ir));
        }
        view.uniform()
    }

    /// Combinations of what `rows` hold along their outermost dimension, element by element of the others.
    fn by_columns(
        &mut self,
        combination: &Soac,
        scalars: Block,
        rows: &[View],
        size: Value,
        neutral: &[Value],
    ) -> Outcome<Vec<View>> {
        let op = combination.op;
        let Some(first) = rows.first() else {
            return self.fail(op, "combines nothing");
        };
        if first.rank() == 1 {
            return self.columns(combination, scalars, rows, size, neutral);
        }
        let Some(Scalar::New(width)) = first.sizes.get(1).copied() else {
            return self.fail(
                op,
                "combines rows whose extent differs between the points of the nest",
            );
        };
        let depth = self.levels.len();
        let columns: Vec<View> = rows
            .iter()
            .map(|row| {
                let swapped: Vec<i64> = [1, 0].into_iter().chain(2..row.rank() as i64).collect();
                row.permute(&swapped).fix_first(Axis::Level(depth))
            })
            .collect();
        self.levels.push(Level { size: width });
        let combined = self.by_columns(combination, scalars, &columns, size, neutral);
        self.levels.truncate(depth);
        let results = combined?.into_iter().map(|view| {
            let view = view.leave_level(depth, width);
            match combination.flavour {
                Flavour::Reduce => view,
                // The scanned dimension is outermost again.
                _ => view.permute(
                    &[1, 0]
                        .into_iter()
                        .chain(2..view.rank() as i64)
                        .collect::<Vec<i64>>(),
                ),
            }
        });
        Ok(results.collect())
    }

    /// One combination of scalars per point of the context.
    fn columns(
        &mut self,
        combination: &Soac,
        scalars: Block,
        views: &[View],
        size: Value,
        neutral: &[Value],
    ) -> Outcome<Vec<View>> {
        let column = Soac {
            op: combination.op,
            parts: Parts {
                start: combination.start.clone(),
                combine: Some(scalars),
                ..Parts::new(combination.flavour, Vec::new(), None)
            },
        };
        let (block, _) = self.combination_body(&column, views, size, None)?;
        let combine = self.operator_block(&column, neutral)?;
        let (depth, mut sizes) = (self.own_depth(), self.own_sizes());
        sizes.push(size);
        let whole = combination.flavour == Flavour::Reduce;
        let outer = if whole { depth } else { depth + 1 };
        let results: Vec<Type> = neutral
            .iter()
            .map(|&value| tensor_over(&self.ctx, outer, self.ir.value_type(value)))
            .collect();
        let (new, regions) = self.segmented(&column, &sizes, neutral, &results);
        self.ir.append_block(regions[0], block);
        self.ir.append_block(regions[1], combine);
        let rows = if whole {
            Vec::new()
        } else {
            vec![Scalar::New(size)]
        };
        Ok(self
            .ir
            .results(new)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|tensor| self.row_of(tensor, rows.clone()))
            .collect())
    }

    /// The operator on scalars that the combination's operator applies to all elements of its arrays.
    pub(crate) fn elementwise(&self, combination: &Soac) -> Option<Block> {
        let ranks = combination.start.iter().map(|&value| self.rank(value));
        let rank = ranks
            .reduce(|a, b| if a == b { a } else { 0 })
            .filter(|&rank| rank > 0)?;
        let mut block = combination.combine?;
        for _ in 0..rank {
            block = self.single_map(block)?;
        }
        let mut outside = Vec::new();
        for inner in self.ir.ops(block) {
            outside.extend(self.ir.free_values(inner));
        }
        outside.retain(|&value| self.ir.value_block(value) != Some(block));
        let within = |value: Value| {
            let around = self
                .ir
                .value_block(value)
                .and_then(|block| self.ir.block_parent(block));
            around.is_some_and(|around| self.ir.is_inside(around, combination.op))
        };
        let apart = !outside.iter().any(|&value| within(value)) && !self.depends_on_point(&outside);
        apart.then_some(block)
    }

    /// The body of the map that is all of an operator: over accumulators and values in order, its results yielded in
    /// order.
    fn single_map(&self, block: Block) -> Option<Block> {
        let ops: Vec<Op> = self.ir.ops(block).collect();
        let [map, terminator] = ops.as_slice() else {
            return None;
        };
        let map = Soac::of(self.ir, *map).filter(|soac| soac.flavour == Flavour::Map)?;
        let in_order = map.arrays == self.ir.block_args(block);
        let all = self.ir.operands(*terminator).eq(self.ir.results(map.op));
        map.body.filter(|_| in_order && all)
    }

    pub(crate) fn rank(&self, value: Value) -> usize {
        self.ir
            .value_type(value)
            .dialect::<ArrayType>(&self.ctx)
            .map_or(0, |ty| ty.sizes.len())
    }
}
