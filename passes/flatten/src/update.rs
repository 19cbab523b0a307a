//! Rules "scatter" and "hist": one segmented op over the context and the inputs' own extent; the destinations become
//! tensors with one row per segment.
//!
//! Values that are rows are taken element by element: the points are all elements of all rows, indexed by where the row
//! goes and by where in it the element lies. A histogram's operator must then be a map over the elements of rows.
//! Destinations of a scatter that stores all that is read of them ([`STORES_ALL`], of filters) are space without contents.

use crate::bounded::Inputs;
use crate::function::{Execution, Flattener, Level, Outcome};
use crate::point::multiply;
use crate::view::{Axis, Scalar, View};
use segra_array::combinator::Soac;
use segra_array::types::{array_or_scalar, sizes_and_element};
use segra_array::update::STORES_ALL;
use segra_ir::{Block, Op, OpView, Type, Value};
use segra_kernel::level::Level as MachineLevel;
use segra_kernel::segop::ReturnOp;
use segra_kernel::update as kernel;
use segra_std::arith::expr::unfold;

/// Why destinations cannot be stored for all points.
const VARIES: &str = "the extent of a destination differs between the points of the nest";

/// A scatter or histogram whose extents are the same for all points.
struct Update {
    op: Op,
    destinations: Vec<Value>,
    /// The values the body yields for each element; without a body the views are that.
    body: Option<Block>,
    views: Vec<View>,
    /// Number of elements.
    size: Value,
    /// Extents of the rows that are written; none: scalars.
    row: Vec<Value>,
}

impl Flattener<'_> {
    pub(crate) fn scatter(&mut self, scatter: Soac, body: Block) -> Outcome<()> {
        let (op, destinations) = (scatter.op, scatter.parts.destinations);
        let Some((views, size)) = self.inputs(&scatter.parts.arrays) else {
            return self.leave(op, "its extent differs between the points of the nest");
        };
        let Some(row) = self.written_rows(op, &destinations, body) else {
            return self.leave(op, VARIES);
        };
        let update = Update {
            op,
            destinations,
            body: Some(body),
            views,
            size,
            row,
        };
        let (tensors, rows) = self.destinations(op, &update.destinations)?;
        let (block, points) = self.update_block(update)?;
        let loc = self.ir.loc(op);
        let mut sizes = self.own_sizes();
        sizes.push(points);
        let results: Vec<Type> = tensors
            .iter()
            .map(|&tensor| self.ir.value_type(tensor))
            .collect();
        let level = MachineLevel::Thread.attr(&self.ctx);
        let new = kernel::ScatterOp::builder()
            .level(level)
            .sizes(&sizes)
            .destinations(&tensors)
            .results_types(&results)
            .build(&mut self.builder(loc));
        let body = new.body(self.ir);
        self.ir.append_block(body, block);
        self.explain(op, "scatter", sizes.len());
        self.bind_updated(op, new.op(), &rows);
        Ok(())
    }

    pub(crate) fn hist(&mut self, mut hist: Soac, body: Block) -> Outcome<()> {
        let (op, destinations) = (hist.op, hist.destinations.clone());
        let Some(row) = self.written_rows(op, &destinations, body) else {
            return self.leave(op, VARIES);
        };
        let (views, size, neutral) = if row.is_empty() {
            let inputs = self.inputs(&hist.arrays).map(Inputs::alike);
            match self.parallel(&hist, inputs)? {
                Ok(parallel) => (parallel.views, parallel.size, parallel.neutral),
                Err(why) => return self.leave(op, why),
            }
        } else {
            let Some((views, size)) = self.inputs(&hist.arrays) else {
                return self.leave(op, "its extent differs between the points of the nest");
            };
            let scalars = self.elementwise(&hist);
            let mut units = Vec::new();
            for &value in &hist.start {
                units.extend(self.uniform(value));
            }
            let Some(scalars) = scalars.filter(|_| units.len() == hist.start.len()) else {
                return self.leave(op, "it combines arrays, and not element by element");
            };
            hist.parts.combine = Some(scalars);
            (views, size, units)
        };
        let update = Update {
            op,
            destinations,
            body: Some(body),
            views,
            size,
            row,
        };
        let (tensors, rows) = self.destinations(op, &update.destinations)?;
        let (block, points) = self.update_block(update)?;
        let combine = self.operator_block(&hist, &neutral)?;
        let loc = self.ir.loc(op);
        let mut sizes = self.own_sizes();
        sizes.push(points);
        let results: Vec<Type> = tensors
            .iter()
            .map(|&tensor| self.ir.value_type(tensor))
            .collect();
        let level = MachineLevel::Thread.attr(&self.ctx);
        let mut b = self.builder(loc);
        let new = kernel::SegHistOp::builder()
            .level(level)
            .sizes(&sizes)
            .destinations(&tensors)
            .neutral(&neutral)
            .results_types(&results)
            .build(&mut b);
        let (body, operator) = (new.body(self.ir), new.combine(self.ir));
        self.ir.append_block(body, block);
        self.ir.append_block(operator, combine);
        self.explain(op, "seghist", sizes.len());
        self.bind_updated(op, new.op(), &rows);
        Ok(())
    }

    /// Extents of the rows that the body writes: none for scalars; `None` where an extent of a destination may differ
    /// between the points of the nest, or the rows of two destinations differ.
    fn written_rows(&mut self, op: Op, destinations: &[Value], body: Block) -> Option<Vec<Value>> {
        let loc = self.ir.loc(op);
        let indexed = self
            .ir
            .last_op(body)
            .map_or(0, |last| self.ir.num_operands(last))
            .checked_sub(destinations.len())?;
        let mut row = None;
        for &array in destinations {
            let extents: Vec<Value> = match self.view(array) {
                Some(view) => view
                    .sizes
                    .iter()
                    .map(|size| {
                        if let Scalar::New(extent) = size {
                            Some(*extent)
                        } else {
                            None
                        }
                    })
                    .collect::<Option<_>>()?,
                None => self.extents(self.ir.value_type(array), loc)?,
            };
            let rest = extents.get(indexed..)?.to_vec();
            let (sizes, _) = sizes_and_element(&self.ctx, self.ir.value_type(array));
            let name = array_or_scalar(&self.ctx, sizes.get(indexed..)?, self.ctx.i1());
            match &row {
                None => row = Some((rest, name)),
                Some((_, first)) if *first == name => {}
                Some(_) => return None,
            }
        }
        row.map(|(extents, _)| extents)
    }

    /// The block that gives indices and values of a point, and the number of points.
    fn update_block(&mut self, mut update: Update) -> Outcome<(Block, Value)> {
        let op = update.op;
        let body = update.body;
        let indexed = self.num_indices(&update);
        if let Some(body) = body.filter(|&body| self.opens(body, indexed)) {
            self.remark(op, "its map has parallelism of its own and is made first");
            update.views = self.body_rows(op, body, &update.views, update.size)?;
            update.body = None;
        }
        let loc = self.ir.loc(op);
        let mut b = self.builder(loc);
        let points = update.row.iter().fold(update.size, |points, &extent| {
            multiply(&mut b, points, extent)
        });
        let block = self
            .ir
            .create_block(&vec![self.ctx.index(); self.own_depth() + 1]);
        let depth = self.levels.len();
        self.levels.push(Level { size: points });
        let done = self.at_point_of(block, Execution::Sequential, |this| {
            let Some(&point) = this.fixed.last() else {
                return this.fail(op, "has no point");
            };
            let (element, inner) = match update.row.is_empty() {
                true => (Axis::Level(depth), Vec::new()),
                false => {
                    let mut extents = vec![update.size];
                    extents.extend(&update.row);
                    let mut b = this.builder(loc);
                    let at = unfold(&mut b, &extents, point);
                    (Axis::At(Scalar::New(at[0])), at[1..].to_vec())
                }
            };
            let values = this.update_values(&update, element, &inner, indexed)?;
            ReturnOp::build(&mut this.builder(loc), &values);
            Ok(())
        });
        self.levels.truncate(depth);
        done?;
        Ok((block, points))
    }

    /// Indices, then values, of the element of the inputs that `element` names; `inner`: where in its rows.
    fn update_values(
        &mut self,
        update: &Update,
        element: Axis,
        inner: &[Value],
        indexed: usize,
    ) -> Outcome<Vec<Value>> {
        let op = update.op;
        let elements: Vec<View> = update
            .views
            .iter()
            .map(|view| view.fix_first(element))
            .collect();
        let mut values = Vec::new();
        let parts: Vec<View> = match update.body {
            None => elements,
            Some(block) => {
                for (arg, element) in self.ir.block_args(block).to_vec().into_iter().zip(elements) {
                    self.bind_view(arg, element);
                }
                let last = self.ir.last_op(block);
                let yields: Vec<Value> = last
                    .map(|last| self.ir.operands(last).collect())
                    .unwrap_or_default();
                let left = self.left_over(block);
                self.emit_ops(&left)?;
                self.emit_needed(&yields)?;
                let mut parts = Vec::new();
                for value in yields {
                    match self.view(value) {
                        Some(view) => parts.push(view),
                        // A scalar that is at hand.
                        None => {
                            let scalar = self.value_of(value, op)?;
                            parts.push(View::scalar(scalar));
                        }
                    }
                }
                parts
            }
        };
        for (index, part) in parts.iter().enumerate() {
            let part = if index < indexed {
                part.clone()
            } else {
                part.at(inner)
            };
            let mut roots = Vec::new();
            part.visit(&mut |value| roots.push(value), &mut |_| {});
            self.emit_needed(&roots)?;
            values.push(self.read(&part, op)?);
        }
        values.splice(indexed..indexed, inner.iter().copied());
        Ok(values)
    }

    fn num_indices(&self, update: &Update) -> usize {
        let last = update.body.and_then(|block| self.ir.last_op(block));
        last.map_or(0, |last| self.ir.num_operands(last))
            .saturating_sub(update.destinations.len())
    }

    /// Tensors over the context whose rows are what the destinations are at each point, and the rows' extents.
    fn destinations(
        &mut self,
        op: Op,
        destinations: &[Value],
    ) -> Outcome<(Vec<Value>, Vec<Vec<Scalar>>)> {
        let (mut tensors, mut rows) = (Vec::new(), Vec::new());
        if self.ir.attr_named(op, STORES_ALL).is_some()
            && let Some(spaces) = self.spaces(op, destinations)
        {
            return Ok(spaces);
        }
        for view in self.rows(op, destinations)? {
            tensors.push(self.over_context(op, &view)?);
            rows.push(view.sizes);
        }
        Ok((tensors, rows))
    }

    /// Space for destinations that are written as a whole; `None` where extents are not at hand or differ between points.
    fn spaces(&mut self, op: Op, destinations: &[Value]) -> Option<(Vec<Value>, Vec<Vec<Scalar>>)> {
        let (mut tensors, mut rows) = (Vec::new(), Vec::new());
        for &destination in destinations {
            let view = self.view(destination)?;
            let mut sizes = self.own_sizes();
            for size in &view.sizes {
                let Scalar::New(extent) = *size else {
                    return None;
                };
                sizes.push(extent);
            }
            let element = self.element_of(&view)?;
            tensors.push(self.scratch_of(&sizes, element, self.ir.loc(op)));
            rows.push(view.sizes);
        }
        Some((tensors, rows))
    }

    fn bind_updated(&mut self, old: Op, new: Op, rows: &[Vec<Scalar>]) {
        let results: Vec<(Value, Value)> = self.ir.results(old).zip(self.ir.results(new)).collect();
        for ((old, tensor), sizes) in results.into_iter().zip(rows) {
            let view: View = self.row_of(tensor, sizes.clone());
            self.bind_view(old, view);
        }
    }
}
