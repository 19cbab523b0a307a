//! How values of a body change from one point to the next.

use segra_ir::{Block, Ir, Value};
use segra_std::arith::{AddIOp, MaxSIOp, MinSIOp, SubIOp};

/// How a value of a body changes as an index grows by 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// It stays the same.
    Still,
    /// It grows by 1.
    ByOne,
    /// It grows by 0 or 1: it has an end.
    ByOneAtMost,
}

impl Growth {
    /// Of a value of the body `block`, or from outside of it; none where that is not known.
    pub fn of(ir: &Ir, block: Block, value: Value, index: Value) -> Option<Growth> {
        if value == index {
            return Some(Growth::ByOne);
        }
        if ir.value_block(value) != Some(block) {
            return Some(Growth::Still);
        }
        let Some(op) = ir.defining_op(value) else {
            return Some(Growth::Still);
        };
        if !ir.regions(op).is_empty() {
            return None;
        }
        let operands: Option<Vec<Growth>> = ir
            .operands(op)
            .map(|operand| Growth::of(ir, block, operand, index))
            .collect();
        let operands = operands?;
        if operands.iter().all(|&it| it == Growth::Still) {
            return Some(Growth::Still);
        }
        if ir.isa::<MinSIOp>(op) || ir.isa::<MaxSIOp>(op) {
            return Some(Growth::ByOneAtMost);
        }
        match operands[..] {
            [growth, Growth::Still] if ir.isa::<AddIOp>(op) || ir.isa::<SubIOp>(op) => Some(growth),
            [Growth::Still, growth] if ir.isa::<AddIOp>(op) => Some(growth),
            _ => None,
        }
    }
}

/// How the place that points read moves along one of their dimensions.
#[derive(Clone, Copy, Debug)]
pub struct Along {
    /// The one index of the array that depends on the point's, which it grows with by ones,
    pub dim: usize,
    /// as this value does,
    pub index: Value,
    /// up to this one, where there is an end.
    pub last: Option<Value>,
}

impl Along {
    /// Of these indices of an array, as the index `arg` of the body `block` grows; none where they move otherwise.
    pub fn of(ir: &Ir, block: Block, indices: &[Value], arg: Value) -> Option<Along> {
        let growth = |value| Growth::of(ir, block, value, arg);
        let all: Option<Vec<Growth>> = indices.iter().map(|&index| growth(index)).collect();
        let all = all?;
        let dim = all.iter().position(|&it| it != Growth::Still)?;
        if all[dim + 1..].iter().any(|&it| it != Growth::Still) {
            return None;
        }
        let index = indices[dim];
        let (index, last) = match (all[dim], ir.def_as::<MinSIOp>(index)) {
            (Growth::ByOne, _) => (index, None),
            (_, Some(least)) => match [least.lhs(ir), least.rhs(ir)] {
                [index, last] if growth(last) == Some(Growth::Still) => (index, Some(last)),
                [last, index] => (index, Some(last)),
            },
            (_, None) => return None,
        };
        let bounded = last.is_none_or(|last| growth(last) == Some(Growth::Still));
        let exact = bounded && growth(index) == Some(Growth::ByOne);
        exact.then_some(Along { dim, index, last })
    }
}
