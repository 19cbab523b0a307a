//! Interfaces of memory for passes: stack memory of one element is a slot that can become a value, views are traced.

use super::{
    AllocaOp, CastOp, CollapseShapeOp, ExpandShapeOp, LoadOp, ReinterpretCastOp, StoreOp, SubViewOp,
};
use crate::arith::{ConstantOp, zero};
use segra_ir::interfaces::{
    MemorySlot, PromotableAccess, PromotableAllocation, SlotAccess, ViewLike,
};
use segra_ir::{Builder, Ir, Op, OpView, TypeKind, Value};

impl PromotableAllocation for AllocaOp {
    fn slots(&self, ir: &Ir, op: Op) -> Vec<MemorySlot> {
        let memory = ir.result(op, 0);
        let ctx = ir.ctx();
        match ctx.type_kind(ir.value_type(memory)) {
            TypeKind::MemRef {
                shape,
                element,
                layout: None,
                ..
            } if shape.iter().all(|&extent| extent == 1) => {
                vec![MemorySlot {
                    memory,
                    element: *element,
                }]
            }
            _ => Vec::new(),
        }
    }
    fn initial_value(&self, b: &mut Builder<'_>, _op: Op, slot: MemorySlot) -> Option<Value> {
        // Memory starts as zeros here, where there are such; upstream leaves it undefined.
        match zero(b.ctx(), slot.element) {
            Some(attr) => Some(ConstantOp::build(b, attr).result(b.ir)),
            None => {
                let poison = crate::ub::poison(b.ctx());
                let made = crate::ub::materialize_constant(b, poison, slot.element)?;
                Some(b.ir.result(made, 0))
            }
        }
    }
}

impl PromotableAccess for LoadOp {
    fn access(&self, ir: &Ir, op: Op, slot: MemorySlot) -> Option<SlotAccess> {
        let fits = ir.value_type(ir.result(op, 0)) == slot.element;
        (fits && ir.operand(op, 0) == slot.memory).then_some(SlotAccess::Load)
    }
}

impl PromotableAccess for StoreOp {
    fn access(&self, ir: &Ir, op: Op, slot: MemorySlot) -> Option<SlotAccess> {
        let view = StoreOp::from_op(op);
        let value = view.value(ir);
        let fits = value != slot.memory && ir.value_type(value) == slot.element;
        (fits && view.memref(ir) == slot.memory).then_some(SlotAccess::Store(value))
    }
}

macro_rules! views {
    ($($op:ident),*) => {$(
        impl ViewLike for $op {
            fn source(&self, ir: &Ir, op: Op) -> Value {
                ir.operand(op, 0)
            }
        }
    )*};
}
views!(
    CastOp,
    CollapseShapeOp,
    ExpandShapeOp,
    ReinterpretCastOp,
    SubViewOp
);
