//! The ops. Each is one struct: its fields are its operands, attributes and results; the constructor, the accessors,
//! the checks and both text forms come from it. `tests/lines.rs` counts that none takes more than 12 lines.

use crate::types::{AnyNumber, RoundingAttr};
use segra_ir::constraint::I64;
use segra_ir::op;

/// The sum; wraps around.
#[op("fixed.add", traits(Pure, Commutative, SameOperandsAndResultType),
     format = "$lhs `,` $rhs attr-dict `:` type($result)")]
pub struct AddOp {
    lhs: Operand<AnyNumber>,
    rhs: Operand<AnyNumber>,
    result: OpResult<AnyNumber>,
}

/// A whole number as a fixed-point number.
#[op("fixed.from_int", traits(Pure), format = "$value attr-dict `:` type($result)")]
pub struct FromIntOp {
    value: Operand<I64>,
    result: OpResult<AnyNumber>,
}

/// The product, rounded; wraps around.
#[op("fixed.mul", traits(Pure, Commutative, SameOperandsAndResultType),
     format = "$lhs `,` $rhs $rounding attr-dict `:` type($result)")]
pub struct MulOp {
    lhs: Operand<AnyNumber>,
    rhs: Operand<AnyNumber>,
    rounding: Attr<RoundingAttr>,
    result: OpResult<AnyNumber>,
}

/// The whole number not above.
#[op("fixed.to_int", traits(Pure), format = "$value attr-dict `:` type($value)")]
pub struct ToIntOp {
    value: Operand<AnyNumber>,
    result: OpResult<I64>,
}
