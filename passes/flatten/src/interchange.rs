//! Rules that move a nest into control flow: map-loop and map-branch interchange.
//!
//! ```text
//! map (\xs -> loop (xs', j) = (xs, 0) for i < n do (map (+j) xs', j + i)) xss
//!   => loop (xss', js) = (xss, replicate m 0) for i < n do map (\xs' j -> (map (+j) xs', j + i)) xss' js
//! ```
//!
//! Legality of the loop: its bounds are the same for all points, and so are the extents of the arrays it carries, at each
//! step ([`crate::uniform`]). Of the branch: its condition is the same for all points (else [`crate::either`]), and so are
//! the extents of what it yields. Both only where the body holds parallelism, or arrays are resized; otherwise, and where a condition fails, the op
//! stays in the code of a point.

use crate::cost::{has_parallelism, region_has_parallelism};
use crate::function::{Flattener, Outcome, tensor_type};
use crate::resized::is_resized;
use crate::view::{Lifted, Scalar};
use segra_array::types::sizes_and_element;
use segra_ir::{Block, Loc, Op, OpView, Region, Type, Value};
use segra_kernel::segop::tensor_over;
use segra_std::scf;
use segra_std::tensor::DimOp;

/// A value of the old program that becomes a tensor over the context.
pub(crate) struct Carried {
    old: Value,
    /// Extents of its own dimensions; none where the array over the context tells.
    rows: Vec<Option<Value>>,
}

impl Flattener<'_> {
    /// Moves the context into `op` where that exposes parallelism and is legal. Tells whether it did.
    pub(crate) fn interchange(&mut self, op: Op) -> Outcome<bool> {
        if !has_parallelism(self.ir, op) && !self.resizes(op) {
            return Ok(false);
        }
        if let Some(looped) = self.ir.cast::<scf::ForOp>(op) {
            return self.interchange_loop(looped);
        }
        if let Some(branch) = self.ir.cast::<scf::IfOp>(op) {
            return self.interchange_branch(branch);
        }
        if let Some(looped) = self.ir.cast::<scf::WhileOp>(op) {
            return self.flatten_rounds(looped);
        }
        self.remark(
            op,
            format!(
                "{} stays in the code of each thread",
                self.ir.op_name_str(op)
            ),
        );
        Ok(false)
    }

    fn host(&self, value: Value) -> Option<Value> {
        match self.env.get(value) {
            Some(Lifted::Host(value)) => Some(*value),
            _ => None,
        }
    }

    /// Whether an op carries arrays whose extents may change.
    pub(crate) fn resizes(&self, op: Op) -> bool {
        self.ir.results(op).any(|value| is_resized(self.ir, value))
    }

    /// The values that `op` gives its region or results, with the extents of their rows; `None` where an extent may differ
    /// between points.
    pub(crate) fn carried(&mut self, op: Op, values: &[Value]) -> Option<Vec<Carried>> {
        let loc = self.ir.loc(op);
        let mut carried = Vec::new();
        let mut untold = Vec::new();
        for &old in values {
            let (sizes, _) = sizes_and_element(&self.ctx, self.ir.value_type(old));
            let rows: Vec<Option<Value>> = sizes
                .into_iter()
                .map(|size| self.extent(size, loc))
                .collect();
            if rows.contains(&None) {
                untold.push(old);
            }
            carried.push(Carried { old, rows });
        }
        (untold.is_empty() || self.is_uniform_flow(op, &untold)).then_some(carried)
    }

    pub(crate) fn stays(&mut self, op: Op, why: &str) -> Outcome<bool> {
        let name = self.ir.op_name_str(op).to_owned();
        self.remark(
            op,
            format!("{name} stays in the code of each thread: {why}"),
        );
        Ok(false)
    }

    /// The type of a tensor over the context with these rows.
    pub(crate) fn type_over(&self, old: Value) -> Type {
        tensor_over(
            &self.ctx,
            self.own_depth(),
            tensor_type(&self.ctx, self.ir.value_type(old)),
        )
    }

    /// `tensor` stands, over the context, for `carried`.
    pub(crate) fn bind_over(&mut self, carried: &Carried, tensor: Value, loc: Loc) {
        let (outer, _ctx) = (self.own_depth(), self.ctx.clone());
        let mut b = self.builder(loc);
        let rows = carried.rows.iter().enumerate().map(|(dim, told)| {
            let asked = || DimOp::of(&mut b, tensor, outer + dim);
            Scalar::New(told.unwrap_or_else(asked))
        });
        let rows = rows.collect();
        let row = self.row_of(tensor, rows);
        self.bind_view(carried.old, row);
    }

    /// Tensors over the context for values of the old program.
    pub(crate) fn tensors(&mut self, op: Op, values: &[Value]) -> Outcome<Vec<Value>> {
        self.tensors_and(op, values, &[])
    }

    /// The same; ops `left` over of a body are made beside.
    pub(crate) fn tensors_and(
        &mut self,
        op: Op,
        values: &[Value],
        left: &[Op],
    ) -> Outcome<Vec<Value>> {
        let rows = self.rows_and(op, values, left)?;
        rows.iter().map(|row| self.over_context(op, row)).collect()
    }

    fn interchange_loop(&mut self, looped: scf::ForOp) -> Outcome<bool> {
        self.attempt(|this| this.loop_outside(looped))
    }

    fn loop_outside(&mut self, looped: scf::ForOp) -> Outcome<bool> {
        let (op, ir) = (looped.op(), &*self.ir);
        let loc = ir.loc(op);
        let bounds = [
            looped.lower_bound(ir),
            looped.upper_bound(ir),
            looped.step(ir),
        ];
        let (Some(lower), Some(upper), Some(step)) = (
            self.host(bounds[0]),
            self.host(bounds[1]),
            self.host(bounds[2]),
        ) else {
            return match self.flatten_counted_rounds(looped)? {
                true => Ok(true),
                false => self.stays(op, "its bounds differ between the points of the nest"),
            };
        };
        let (inits, results) = (looped.init_args(self.ir), looped.results(self.ir));
        let body = looped.region_block(self.ir);
        let args = self.ir.block_args(body).to_vec();
        let inside = self.carried(op, &args[1..]);
        let outside = self.carried(op, &results);
        let (Some(inside), Some(outside)) = (inside, outside) else {
            return self.stays(
                op,
                "it carries an array whose extent differs between the points of the nest",
            );
        };
        if !self.store_expensive(op)? {
            return self.stays(
                op,
                "it needs an array whose extent differs between the points of the nest",
            );
        }
        let tensors = self.tensors(op, &inits)?;
        let types: Vec<Type> = inside
            .iter()
            .map(|carried| self.type_over(carried.old))
            .collect();
        let unsigned = looped.unsigned_cmp_attr(self.ir);
        let mut b = self.builder(loc);
        let new = scf::ForOp::builder()
            .lower_bound(lower)
            .upper_bound(upper)
            .step(step)
            .init_args(&tensors)
            .unsigned_cmp(unsigned)
            .results_types(&types)
            .build(&mut b);
        let mut params = vec![self.ir.value_type(lower)];
        params.extend(&types);
        let region = new.region(self.ir);
        let block = self.ir.add_block(region, &params);
        let gains = self.scope_of_flow(block, |this| {
            let params = this.ir.block_args(block).to_vec();
            this.env.bind(args[0], Lifted::Host(params[0]));
            for (carried, &param) in inside.iter().zip(&params[1..]) {
                this.bind_over(carried, param, loc);
            }
            this.yield_over(op, body)
        })?;
        if !gains && !self.resizes(op) {
            return self.stays(op, "nothing in it can be made for all points of the nest");
        }
        self.remark_result(op, "the nest moves into the loop");
        for (carried, tensor) in outside.iter().zip(self.ir.results(new.op())) {
            self.bind_over(carried, tensor, loc);
        }
        Ok(true)
    }

    /// Flattens a block in the context and yields tensors over it. Tells whether some parallelism in it is made over the context.
    fn yield_over(&mut self, op: Op, block: Block) -> Outcome<bool> {
        self.forget_checks(block);
        let yields = self.nest_block(op, block)?;
        let gains = self.is_any_made(&[block]);
        let left = self.left_over(block);
        let tensors = self.tensors_and(op, &yields, &left)?;
        let loc = self.ir.loc(op);
        scf::YieldOp::build(&mut self.builder(loc), &tensors);
        Ok(gains)
    }

    fn interchange_branch(&mut self, branch: scf::IfOp) -> Outcome<bool> {
        let op = branch.op();
        let loc = self.ir.loc(op);
        let Some(condition) = self.host(branch.condition(self.ir)) else {
            if self.flatten_both_sides(branch)? {
                return Ok(true);
            }
            self.make_before(branch)?;
            return self.stays(op, "its condition differs between the points of the nest");
        };
        let results = branch.results(self.ir);
        let resizes = self.resizes(op);
        let regions: [Region; 2] = [branch.then_region(self.ir), branch.else_region(self.ir)];
        let parallel = |&region: &Region| region_has_parallelism(self.ir, region);
        if results.is_empty() || !resizes && !regions.iter().any(parallel) {
            return Ok(false);
        }
        let Some(outside) = self.carried(op, &results) else {
            return self.stays(
                op,
                "it yields an array whose extent differs between the points of the nest",
            );
        };
        if !self.store_expensive(op)? {
            return self.stays(
                op,
                "it needs an array whose extent differs between the points of the nest",
            );
        }
        let types: Vec<Type> = outside
            .iter()
            .map(|carried| self.type_over(carried.old))
            .collect();
        let new = scf::IfOp::build(&mut self.builder(loc), condition, &types);
        self.remark_result(op, "the nest moves into the branch");
        for (index, old) in regions.into_iter().enumerate() {
            let region = self.ir.region(new.op(), index);
            let block = self.ir.add_block(region, &[]);
            let Some(old) = self.ir.entry_block(old) else {
                return self.fail(op, "has an empty branch");
            };
            self.scope_of_flow(block, |this| this.yield_over(op, old))?;
        }
        for (carried, tensor) in outside.iter().zip(self.ir.results(new.op())) {
            self.bind_over(carried, tensor, loc);
        }
        Ok(true)
    }
}
