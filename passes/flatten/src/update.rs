//! Rules "scatter" and "hist": one segmented op over the context and the inputs' own extent; the destinations become
//! tensors with one row per segment.

use crate::combine::{Combination, Keep};
use crate::function::{Flattener, Outcome};
use crate::view::{Scalar, View};
use segra_array::update::{HistOp, ScatterOp};
use segra_ir::{Op, OpView, Type, Value};
use segra_kernel::level::Level as MachineLevel;
use segra_kernel::update as kernel;

/// Why destinations cannot be stored for all points.
const VARIES: &str = "the extent of a destination differs between the points of the nest";

impl Flattener<'_> {
    pub(crate) fn scatter(&mut self, scatter: ScatterOp) -> Outcome<()> {
        let op = scatter.op();
        let combination = Combination {
            op,
            arrays: scatter.arrays(self.ir),
            neutral: Vec::new(),
            body: Some(scatter.body(self.ir)),
            combine: scatter.body(self.ir),
            keep: Keep::Whole,
        };
        let Some((views, size)) = self.inputs(op, &combination.arrays) else {
            return self.loop_instead(op, "its extent differs between the points of the nest");
        };
        let destinations = scatter.destinations(self.ir);
        if self.vary(op, &destinations) {
            return self.loop_instead(op, VARIES);
        }
        let (tensors, rows) = self.destinations(op, &destinations)?;
        let (block, _) = self.combination_body(&combination, &views, size)?;
        let loc = self.ir.loc(op);
        let mut sizes = self.own_sizes();
        sizes.push(size);
        let results: Vec<Type> = tensors.iter().map(|&tensor| self.ir.value_type(tensor)).collect();
        let level = MachineLevel::Thread.attr(&self.ctx);
        let new = kernel::ScatterOp::build(&mut self.builder(loc), level, None, &sizes, &tensors, &results);
        let body = new.body(self.ir);
        self.ir.append_block(body, block);
        self.explain(op, "scatter", sizes.len());
        self.bind_updated(op, new.op(), &rows);
        Ok(())
    }

    pub(crate) fn hist(&mut self, hist: HistOp) -> Outcome<()> {
        let op = hist.op();
        let combination = Combination {
            op,
            arrays: hist.arrays(self.ir),
            neutral: hist.neutral(self.ir),
            body: Some(hist.body(self.ir)),
            combine: hist.combine(self.ir),
            keep: Keep::Whole,
        };
        let parallel = match self.parallel(&combination)? {
            Ok(parallel) => parallel,
            Err(why) => return self.loop_instead(op, why),
        };
        let destinations = hist.destinations(self.ir);
        if self.vary(op, &destinations) {
            return self.loop_instead(op, VARIES);
        }
        let (tensors, rows) = self.destinations(op, &destinations)?;
        let (block, _) = self.combination_body(&combination, &parallel.views, parallel.size)?;
        let combine = self.operator_block(&combination, &parallel.neutral)?;
        let loc = self.ir.loc(op);
        let mut sizes = self.own_sizes();
        sizes.push(parallel.size);
        let results: Vec<Type> = tensors.iter().map(|&tensor| self.ir.value_type(tensor)).collect();
        let level = MachineLevel::Thread.attr(&self.ctx);
        let mut b = self.builder(loc);
        let new =
            kernel::SegHistOp::build(&mut b, level, None, &sizes, &tensors, &parallel.neutral, &results);
        let (body, operator) = (new.body(self.ir), new.combine(self.ir));
        self.ir.append_block(body, block);
        self.ir.append_block(operator, combine);
        self.explain(op, "seghist", sizes.len());
        self.bind_updated(op, new.op(), &rows);
        Ok(())
    }

    /// Whether an extent of these arrays may differ between the points of the nest.
    fn vary(&mut self, op: Op, arrays: &[Value]) -> bool {
        let loc = self.ir.loc(op);
        arrays.iter().any(|&array| match self.view(array) {
            Some(view) => !view.sizes.iter().all(Scalar::is_new),
            None => self.extents(self.ir.value_type(array), loc).is_none(),
        })
    }

    /// Tensors over the context whose rows are what the destinations are at each point, and the rows' extents.
    fn destinations(&mut self, op: Op, destinations: &[Value]) -> Outcome<(Vec<Value>, Vec<Vec<Scalar>>)> {
        let (mut tensors, mut rows) = (Vec::new(), Vec::new());
        for view in self.rows(op, destinations)? {
            tensors.push(self.over_context(op, &view)?);
            rows.push(view.sizes);
        }
        Ok((tensors, rows))
    }

    fn bind_updated(&mut self, old: Op, new: Op, rows: &[Vec<Scalar>]) {
        let results: Vec<(Value, Value)> = self.ir.results(old).zip(self.ir.results(new)).collect();
        for ((old, tensor), sizes) in results.into_iter().zip(rows) {
            let view: View = self.row_of(tensor, sizes.clone());
            self.bind_view(old, view);
        }
    }
}
