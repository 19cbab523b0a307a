//! Control flow on the host: branches, loops, calls, checks.

use super::{HostValue, Translated, Translator};
use segra_artifact::plan::{Compare, Convert};
use segra_artifact::{
    BinaryOp, Branch, Dim, ElemType, ParamType, ResultType, Scalar, Slot, SlotType,
};
use segra_ir::{Block, Op, OpView, Value};
use segra_std::scf;

impl Translator<'_> {
    fn only_block(&mut self, op: Op, region: usize) -> Translated<Option<Block>> {
        let Some(&region) = self.ir.regions(op).get(region) else {
            return self.refuse(op, "lacks a region");
        };
        if self.ir.blocks(region).count() > 1 {
            return self.refuse(
                op,
                "has branches between blocks inside; the host runs structured code",
            );
        }
        Ok(self.ir.entry_block(region))
    }

    /// Translates a block; the flattened operands of its terminator from the `skip`-th on.
    fn nested(
        &mut self,
        op: Op,
        block: Option<Block>,
        skip: usize,
    ) -> Translated<(Vec<Slot>, Option<Op>)> {
        let Some(block) = block else {
            return Ok((Vec::new(), None));
        };
        let Some(last) = self.block(block)? else {
            return Ok((Vec::new(), None));
        };
        let values: Vec<Value> = self.ir.operands(last).skip(skip).collect();
        let slots = self.flatten(op, &values)?;
        Ok((slots, Some(last)))
    }

    pub(super) fn branch(&mut self, op: Op) -> Translated<()> {
        let condition = self.scalar(op, 0)?;
        let (then_block, else_block) = (self.only_block(op, 0)?, self.only_block(op, 1)?);
        let choice = self.choice_of(op);
        self.plan.begin_if(condition);
        let yielded = self.side(op, then_block, choice.map(|sides| sides[0]))?;
        self.plan.begin_else(&yielded);
        let yielded = self.side(op, else_block, choice.map(|sides| sides[1]))?;
        let slots = self.plan.end_if(&yielded);
        let results: Vec<Value> = self.ir.results(op).collect();
        self.unflatten(&results, &slots);
        Ok(())
    }

    /// A switch as branches, one in the other: each asks for one case.
    pub(super) fn switch(&mut self, op: Op) -> Translated<()> {
        let switch = scf::IndexSwitchOp::from_op(op);
        let (number, cases) = (self.scalar(op, 0)?, switch.cases(self.ir));
        for (at, &case) in cases.iter().enumerate() {
            let wanted = self.plan.constant(Scalar::i64(case));
            let here = self.plan.compare(Compare::Eq, number, wanted);
            self.plan.begin_if(here);
            // The regions of the cases stand behind the one for all others.
            let block = self.only_block(op, at + 1)?;
            let yielded = self.nested(op, block, 0)?.0;
            self.plan.begin_else(&yielded);
        }
        let block = self.only_block(op, 0)?;
        let mut slots = self.nested(op, block, 0)?.0;
        for _ in &cases {
            slots = self.plan.end_if(&slots);
        }
        let results: Vec<Value> = self.ir.results(op).collect();
        self.unflatten(&results, &slots);
        Ok(())
    }

    /// One side of a branch; what is asked there is asked only on that side of the threshold's choice.
    fn side(
        &mut self,
        op: Op,
        block: Option<Block>,
        choice: Option<Branch>,
    ) -> Translated<Vec<Slot>> {
        self.branches.extend(choice);
        let yielded = self.nested(op, block, 0);
        if choice.is_some() {
            self.branches.pop();
        }
        Ok(yielded?.0)
    }

    /// A bound of a loop as `i64`.
    fn bound(&mut self, op: Op, index: usize, as_what: Convert) -> Translated<Slot> {
        let slot = self.scalar(op, index)?;
        if self.plan.slot_type(slot) == SlotType::INDEX {
            return Ok(slot);
        }
        Ok(self.plan.convert(as_what, slot, ElemType::I64))
    }

    /// An unsigned number as the signed one in the same place of the order, or back.
    fn reordered(&mut self, slot: Slot) -> Slot {
        let least = self.plan.constant(Scalar::i64(i64::MIN));
        self.plan.binary(BinaryOp::Add, slot, least)
    }

    pub(super) fn counted_loop(&mut self, op: Op) -> Translated<()> {
        let unsigned = self.ir.attr_named(op, "unsignedCmp").is_some();
        let as_what = if unsigned {
            Convert::Unsigned
        } else {
            Convert::Signed
        };
        let [mut lower, mut upper, step] = [
            self.bound(op, 0, as_what)?,
            self.bound(op, 1, as_what)?,
            self.bound(op, 2, as_what)?,
        ];
        if unsigned {
            (lower, upper) = (self.reordered(lower), self.reordered(upper));
        }
        let inits: Vec<Value> = self.ir.operands(op).skip(3).collect();
        let inits = self.flatten(op, &inits)?;
        let Some(block) = self.only_block(op, 0)? else {
            return self.refuse(op, "has no body");
        };
        let args = self.ir.block_args(block).to_vec();
        let Some((&counter, carried_args)) = args.split_first() else {
            return self.refuse(op, "has no counter");
        };
        let (mut index, carried) = self.plan.begin_for(lower, upper, step, &inits);
        if unsigned {
            index = self.reordered(index);
        }
        let types = self.slot_types(op, &[self.ir.value_type(counter)])?;
        let index = match types.first() {
            Some(&ty) if ty != SlotType::INDEX => {
                self.plan.convert(Convert::Signed, index, ty.elem())
            }
            _ => index,
        };
        self.values.insert(counter, HostValue::Scalar(index));
        self.unflatten(carried_args, &carried);
        let (next, _) = self.nested(op, Some(block), 0)?;
        let slots = self.plan.end_for(&next);
        let results: Vec<Value> = self.ir.results(op).collect();
        self.unflatten(&results, &slots);
        Ok(())
    }

    pub(super) fn conditional_loop(&mut self, op: Op) -> Translated<()> {
        let inits: Vec<Value> = self.ir.operands(op).collect();
        let inits = self.flatten(op, &inits)?;
        let (before, after) = (self.only_block(op, 0)?, self.only_block(op, 1)?);
        let (Some(before), Some(after)) = (before, after) else {
            return self.refuse(op, "has an empty region");
        };
        let args = self.plan.begin_while(&inits);
        let before_args = self.ir.block_args(before).to_vec();
        self.unflatten(&before_args, &args);
        let (forwarded, last) = self.nested(op, Some(before), 1)?;
        let Some(last) = last else {
            return self.refuse(op, "has no scf.condition");
        };
        let condition = self.scalar(last, 0)?;
        let args = self.plan.begin_do(condition, &forwarded);
        let after_args = self.ir.block_args(after).to_vec();
        self.unflatten(&after_args, &args);
        let (next, _) = self.nested(op, Some(after), 0)?;
        let slots = self.plan.end_while(&next);
        let results: Vec<Value> = self.ir.results(op).collect();
        self.unflatten(&results, &slots);
        Ok(())
    }

    pub(super) fn assertion(&mut self, op: Op) -> Translated<()> {
        let condition = self.scalar(op, 0)?;
        let ctx = self.ir.ctx();
        let message = self
            .ir
            .attr_named(op, "msg")
            .and_then(|attr| attr.as_str(ctx))
            .unwrap_or("a check failed");
        let location = super::location(ctx, self.artifact, self.ir.loc(op));
        let site = self.artifact.add_site(message, location);
        self.plan.check(condition, site, &[]);
        Ok(())
    }

    /// A check with numbers in its message, which gives its second operand: the plan ends where it does not hold.
    pub(super) fn requirement(&mut self, op: Op) -> Translated<()> {
        let condition = self.scalar(op, 0)?;
        let ctx = self.ir.ctx();
        let message = self
            .ir
            .attr_named(op, "message")
            .and_then(|attr| attr.as_str(ctx))
            .unwrap_or("a check failed");
        let location = super::location(ctx, self.artifact, self.ir.loc(op));
        let site = self.artifact.add_site(message, location);
        let numbers: Result<Vec<Slot>, _> = (3..self.ir.num_operands(op))
            .map(|index| self.scalar(op, index))
            .collect();
        self.plan.check(condition, site, &numbers?);
        let value = self.operand(op, 1)?;
        self.values.insert(self.ir.result(op, 0), value);
        Ok(())
    }

    pub(super) fn call(&mut self, op: Op) -> Translated<()> {
        let ctx = self.ir.ctx();
        let name = self
            .ir
            .attr_named(op, "callee")
            .and_then(|attr| attr.as_symbol(ctx))
            .map(|name| ctx.str(name));
        let Some(&(plan, entry)) = name.and_then(|name| self.callees.get(name)) else {
            return self.refuse(op, "calls a function that has no body in this module");
        };
        let mut sizes: Vec<Option<Slot>> = vec![None; entry.sizes.len()];
        let mut passed = Vec::new();
        for (index, param) in entry.params.iter().enumerate() {
            match (self.operand(op, index)?, &param.ty) {
                (HostValue::Scalar(slot), _) => passed.push(slot),
                (HostValue::Buffer(buffer), ParamType::Array { dims, .. }) => {
                    for (dim, &extent) in dims.iter().zip(&buffer.extents) {
                        if let Dim::Size(size) = dim
                            && let Some(slot @ None) = sizes.get_mut(size.index())
                        {
                            *slot = Some(extent);
                        }
                    }
                    passed.push(buffer.slot);
                }
                _ => return self.refuse(op, "passes an array where the function takes a number"),
            }
        }
        let mut args = Vec::new();
        for size in sizes {
            args.push(size.unwrap_or_else(|| self.plan.index(0)));
        }
        args.extend(passed);
        let mut types = Vec::new();
        for result in &entry.results {
            match &result.ty {
                ResultType::Scalar(elem) => types.push(SlotType::Scalar(*elem)),
                ResultType::Array { elem, dims } => {
                    types.push(SlotType::Buffer(*elem));
                    types.extend(dims.iter().map(|_| SlotType::INDEX));
                }
            }
        }
        let mut slots = self.plan.call(plan, &args, &types).into_iter();
        for (index, result) in entry.results.iter().enumerate() {
            let Some(slot) = slots.next() else { break };
            let value = match &result.ty {
                ResultType::Scalar(_) => HostValue::Scalar(slot),
                ResultType::Array { dims, .. } => HostValue::Buffer(super::Buffer {
                    slot,
                    extents: slots.by_ref().take(dims.len()).collect(),
                }),
            };
            self.define(op, index, value);
        }
        Ok(())
    }
}
