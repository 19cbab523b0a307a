//! Branches, loops, calls.

use super::{Built, Function, Graph, Node};
use segra_ir::type_arguments::TypeArguments;
use segra_ir::{Block, InsertPoint, Loc, Op, OpView, Type, Value};
use segra_std::func::CallOp;
use segra_std::scf::{ConditionOp, ForOp, IfOp, WhileOp, YieldOp};

/// From where to where a loop counts, and how far each time; of one integer type.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// The first value of the counter.
    pub from: Node,
    /// The counter stays below this bound.
    pub to: Node,
    /// Distance between iterations; positive.
    pub step: Node,
}

impl Graph {
    /// The values that `then` returns where `condition` holds, else those of `otherwise`; both return values of the same types.
    ///
    /// # Errors
    /// A condition that is no truth value; values of different types; what the closures find.
    pub fn branch(
        &self,
        loc: Loc,
        condition: Node,
        then: impl FnOnce() -> Built<Vec<Node>>,
        otherwise: impl FnOnce() -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let condition = self.values(loc, &[condition])?[0];
        self.condition(loc, condition)?;
        let open = |types: &[Type]| self.build(loc, |b| IfOp::build(b, condition, types).op());
        let frame = open(&[]);
        let made = (|| {
            let (first, types) = self.region(loc, frame, 0, &[], |_| then())?;
            let (second, _) = self.region(loc, frame, 1, &[], |_| otherwise())?;
            Ok((vec![first, second], types))
        })();
        self.closed(frame, made, open)
    }

    /// Runs `body` for each value of a counter; it gets the counter and the carried values and returns the next ones. The
    /// values after the last iteration.
    ///
    /// # Errors
    /// Bounds of different types; carried values whose types change; what `body` finds.
    pub fn count(
        &self,
        loc: Loc,
        count: Count,
        inits: &[Node],
        body: impl FnOnce(Node, &[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let bounds = self.values(loc, &[count.from, count.to, count.step])?;
        let inits = self.values(loc, inits)?;
        let bound_types = self.types(&bounds);
        if bound_types.iter().any(|&ty| ty != bound_types[0])
            || !bound_types[0].is_integer_or_index(&self.ctx)
        {
            return Err(self.error(loc, "a loop counts from, to and by integers of one type"));
        }
        let carried = self.types(&inits);
        let args: Vec<Type> = bound_types[..1].iter().chain(&carried).copied().collect();
        let open = |types: &[Type]| {
            self.build(loc, |b| {
                let made = ForOp::builder()
                    .lower_bound(bounds[0])
                    .upper_bound(bounds[1])
                    .step(bounds[2]);
                made.init_args(&inits).results_types(types).build(b).op()
            })
        };
        let frame = open(&carried);
        let made = self
            .region(loc, frame, 0, &args, |args| body(args[0], &args[1..]))
            .map(|(block, _)| (vec![block], carried));
        self.closed(frame, made, open)
    }

    /// Runs `before` on the carried values: it returns whether to go on, and values. If so, `after` gets those and returns
    /// the next carried values; if not, they are the results.
    ///
    /// # Errors
    /// Values whose types change; what the closures find.
    pub fn repeat(
        &self,
        loc: Loc,
        inits: &[Node],
        before: impl FnOnce(&[Node]) -> Built<(Node, Vec<Node>)>,
        after: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
    ) -> Built<Vec<Node>> {
        let inits = self.values(loc, inits)?;
        let carried = self.types(&inits);
        let open = |types: &[Type]| {
            self.build(loc, |b| {
                WhileOp::builder()
                    .inits(&inits)
                    .results_types(types)
                    .build(b)
                    .op()
            })
        };
        let frame = open(&[]);
        let made = (|| {
            let (first, passed) = self.condition_region(loc, frame, &carried, before)?;
            let (second, _) = self.region(loc, frame, 1, &passed, after)?;
            Ok((vec![first, second], passed))
        })();
        self.closed(frame, made, open)
    }

    /// Calls a function of this program. Names of extents in its results stand for what they stand for in the arguments.
    ///
    /// # Errors
    /// Arguments that do not fit the parameters, with the extent that is at fault; a function of another program.
    pub fn call(&self, loc: Loc, function: &Function, arguments: &[Node]) -> Built<Vec<Node>> {
        if function.graph != self.id {
            return Err(self.error(loc, "calls a function of another program"));
        }
        let values = self.values(loc, arguments)?;
        let types = self.types(&values);
        if types.len() != function.inputs.len() {
            let (name, wanted, found) = (&function.name, function.inputs.len(), types.len());
            return Err(self.error(
                loc,
                format!("`{name}` takes {wanted} arguments, not {found}"),
            ));
        }
        let mut known = TypeArguments::default();
        for (index, (&wanted, &found)) in function.inputs.iter().zip(&types).enumerate() {
            if let Err(reason) = known.learn(
                &self.ctx,
                wanted,
                found,
                format_args!("argument {}", index + 1),
            ) {
                return Err(self.error(loc, self.misfit(function, index, (wanted, found), &reason)));
            }
        }
        known.rename_others(format!("_{}", self.fresh()));
        let results: Vec<Type> = function
            .results
            .iter()
            .map(|&ty| known.instantiate(&self.ctx, ty))
            .collect();
        let op = self.build(loc, |b| {
            let callee = self.ctx.symbol_attr(&function.name);
            CallOp::builder()
                .callee(callee)
                .operands(&values)
                .results_types(&results)
                .build(b)
                .op()
        });
        self.verified(op)
    }

    /// Why an argument does not fit.
    fn misfit(
        &self,
        function: &Function,
        index: usize,
        (wanted, found): (Type, Type),
        reason: &str,
    ) -> String {
        let name = &function.name;
        if !reason.is_empty() {
            return format!("arguments of `{name}` do not fit each other: {reason}");
        }
        let text = |ty| segra_text::print_type(&self.ctx, ty);
        let (wanted, found) = (text(wanted), text(found));
        format!(
            "argument {} of `{name}` must be `{wanted}`, but is `{found}`",
            index + 1
        )
    }

    /// A number no other call of this gives.
    fn fresh(&self) -> usize {
        self.ir.borrow().value_capacity()
    }

    fn condition(&self, loc: Loc, condition: Value) -> Built<()> {
        let ty = self.types(&[condition])[0];
        if ty == self.ctx.i1() {
            return Ok(());
        }
        let found = segra_text::print_type(&self.ctx, ty);
        Err(self.error(
            loc,
            format!("a condition must be a truth value (`i1`), but is `{found}`"),
        ))
    }

    fn block(&self, op: Op, region: usize, args: &[Type]) -> Block {
        let mut ir = self.ir.borrow_mut();
        let region = ir.region(op, region);
        ir.add_block(region, args)
    }

    /// Builds a region of `op` that yields the values `body` returns; its block and the types it yields.
    fn region(
        &self,
        loc: Loc,
        op: Op,
        region: usize,
        args: &[Type],
        body: impl FnOnce(&[Node]) -> Built<Vec<Node>>,
    ) -> Built<(Block, Vec<Type>)> {
        let block = self.block(op, region, args);
        self.inside(block, |args| {
            let values = self.values(loc, &body(args)?)?;
            self.build(loc, |b| YieldOp::build(b, &values));
            Ok((block, self.types(&values)))
        })
    }

    /// Builds the region of a loop that decides whether to go on.
    fn condition_region(
        &self,
        loc: Loc,
        op: Op,
        args: &[Type],
        before: impl FnOnce(&[Node]) -> Built<(Node, Vec<Node>)>,
    ) -> Built<(Block, Vec<Type>)> {
        let block = self.block(op, 0, args);
        self.inside(block, |args| {
            let (condition, passed) = before(args)?;
            let condition = self.values(loc, &[condition])?[0];
            self.condition(loc, condition)?;
            let passed = self.values(loc, &passed)?;
            self.build(loc, |b| ConditionOp::build(b, condition, &passed));
            Ok((block, self.types(&passed)))
        })
    }

    /// Puts an op with result types in the place of the one that the regions were built in.
    fn closed(
        &self,
        frame: Op,
        made: Built<(Vec<Block>, Vec<Type>)>,
        open: impl Fn(&[Type]) -> Op,
    ) -> Built<Vec<Node>> {
        let (blocks, types) = match made {
            Ok(made) => made,
            Err(failure) => {
                self.take_out(frame);
                return Err(failure);
            }
        };
        let before = self.point.replace(InsertPoint::Before(frame));
        let op = open(&types);
        self.point.set(before);
        let mut ir = self.ir.borrow_mut();
        for (index, &block) in blocks.iter().enumerate() {
            ir.detach_block(block);
            let region = ir.region(op, index);
            ir.append_block(region, block);
        }
        ir.erase_op(frame);
        drop(ir);
        self.verified(op)
    }
}
