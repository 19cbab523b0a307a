//! A log of a conversion's steps, so that they can be undone.

use segra_ir::attrs::Dict;
use segra_ir::{Block, InsertPoint, Ir, Loc, Op, Region, Type, Value};

/// One step.
#[derive(Debug)]
pub(super) enum Step {
    /// An op was made.
    Made(Op),
    /// An op was replaced: it stays where it is until the end.
    Replaced(Op),
    /// An op is changed in place; what it was.
    Changed(Box<Before>),
    /// All blocks of a region were moved to the end of another one.
    Moved { blocks: Vec<Block>, from: Region },
    /// The ops of a block were moved to a new one with other arguments, which took its place.
    Signature { old: Block, new: Block },
    /// A value was given replacements.
    Mapped(Value),
}

/// An op as it was.
#[derive(Debug)]
pub(super) struct Before {
    op: Op,
    loc: Loc,
    operands: Vec<Value>,
    properties: Dict,
    attrs: Dict,
    successors: Vec<Block>,
    result_types: Vec<Type>,
}

impl Before {
    pub(super) fn of(ir: &Ir, op: Op) -> Before {
        Before {
            op,
            loc: ir.loc(op),
            operands: ir.operands(op).collect(),
            properties: ir.properties(op),
            attrs: ir.discardable_attrs(op),
            successors: ir.successors(op).to_vec(),
            result_types: ir.results(op).map(|value| ir.value_type(value)).collect(),
        }
    }
    fn restore(self, ir: &mut Ir) {
        ir.set_loc(self.op, self.loc);
        ir.set_operands(self.op, &self.operands);
        ir.set_properties(self.op, self.properties);
        ir.set_discardable_attrs(self.op, self.attrs);
        if ir.successors(self.op) != self.successors {
            ir.set_successors(self.op, &self.successors);
        }
        let results: Vec<Value> = ir.results(self.op).collect();
        for (value, ty) in results.into_iter().zip(self.result_types) {
            ir.set_value_type(value, ty);
        }
    }
}

impl Step {
    /// Takes the step back; steps after it were taken back before.
    pub(super) fn undo(self, ir: &mut Ir) {
        match self {
            Step::Made(op) => {
                // The ops put inside have been moved out again; uses of its results went with the ops made later.
                ir.erase_op(op);
            }
            Step::Changed(before) => before.restore(ir),
            Step::Moved { blocks, from } => {
                for block in blocks {
                    ir.detach_block(block);
                    ir.append_block(from, block);
                }
            }
            Step::Signature { old, new } => {
                ir.insert_block_before(old, new);
                ir.move_ops_to_end(new, old);
                ir.erase_block(new);
            }
            Step::Replaced(_) | Step::Mapped(_) => {}
        }
    }
}

/// Where ops stood before something was built at a point: what stands there afterwards besides was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    block: Option<Block>,
    before: Option<Op>,
    end: Option<Op>,
}

impl Mark {
    pub(super) fn at(ir: &Ir, point: InsertPoint) -> Mark {
        match point {
            InsertPoint::Before(op) => Mark {
                block: ir.block_of(op),
                before: ir.prev_op(op),
                end: Some(op),
            },
            InsertPoint::End(block) => Mark {
                block: Some(block),
                before: ir.last_op(block),
                end: None,
            },
        }
    }
    /// The ops that were made, in order.
    pub(super) fn made(self, ir: &Ir) -> Vec<Op> {
        let first = match self.before {
            Some(before) => ir.next_op(before),
            None => self.block.and_then(|block| ir.first_op(block)),
        };
        let mut made = Vec::new();
        let mut at = first;
        while let Some(op) = at.filter(|_| at != self.end) {
            made.push(op);
            at = ir.next_op(op);
        }
        made
    }
}
