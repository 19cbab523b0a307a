//! When integer divisions may run where they did not run before: when the divisor is a constant that is neither 0 (an
//! error) nor, for signed ones, -1 (the quotient of the smallest number overflows on some machines), a maximum with a
//! positive constant, or a value that `check.require` lets pass because it is not 0, or because it is above 0.

use super::int::{CeilDivSIOp, CeilDivUIOp, DivSIOp, DivUIOp, FloorDivSIOp, RemSIOp, RemUIOp};
use super::{CmpIOp, CmpIPredicate, MaxSIOp};
use crate::check::RequireOp;
use crate::constants::{attr_to_datum, splat_of};
use segra_interp::Datum;
use segra_ir::interfaces::{Speculation, constant_of};
use segra_ir::{Ir, Op, Value};

/// Whether no element of the divisor is one of `bad`.
fn divisor_avoids(ir: &Ir, op: Op, bad: &[i64]) -> bool {
    let divisor = ir.operand(op, 1);
    let Some(attr) = constant_of(ir, divisor) else {
        return is_positive(ir, divisor) || is_checked(ir, divisor);
    };
    let good = |value: &Datum| value.as_int().is_some_and(|value| !bad.contains(&value));
    if let Some(value) = splat_of(ir.ctx(), attr) {
        return good(&value);
    }
    match attr_to_datum(ir.ctx(), attr) {
        Some(Datum::Vector(array)) => array.iter().all(|value| good(&value)),
        _ => false,
    }
}

/// Whether a value is a maximum with a positive constant.
fn is_positive(ir: &Ir, divisor: Value) -> bool {
    let positive = |value| ir.constant_int(value).is_some_and(|value| value > 0);
    ir.def_as::<MaxSIOp>(divisor)
        .is_some_and(|max| positive(max.lhs(ir)) || positive(max.rhs(ir)))
}

/// Whether a value is what a check lets pass that is not 0, or above 0, with such a number where the run is lost.
fn is_checked(ir: &Ir, divisor: Value) -> bool {
    let integer = |value| constant_of(ir, value).and_then(|attr| attr.as_integer(ir.ctx()));
    let checked = || {
        let check = ir.def_as::<RequireOp>(divisor)?;
        let compared = ir.def_as::<CmpIOp>(check.condition(ir))?;
        let predicate = CmpIPredicate::from_value(compared.predicate_attr(ir)?.as_i64(ir.ctx())?)?;
        let otherwise = integer(check.otherwise(ir))?;
        let lets_pass = match predicate {
            CmpIPredicate::Ne => otherwise != 0,
            CmpIPredicate::Sgt => otherwise > 0,
            _ => false,
        };
        let holds =
            lets_pass && compared.lhs(ir) == check.value(ir) && integer(compared.rhs(ir))? == 0;
        Some(holds)
    };
    checked().unwrap_or(false)
}

macro_rules! divisions {
    ($($bad:expr => $($op:ident),*;)*) => {
        $($(
            impl Speculation for $op {
                fn is_speculatable(&self, ir: &Ir, op: Op) -> bool {
                    divisor_avoids(ir, op, $bad)
                }
            }
        )*)*

        /// The divisor, if `op` is an integer division or remainder: it stops where that is 0.
        pub fn integer_divisor(ir: &Ir, op: Op) -> Option<Value> {
            let divides = $($(ir.isa::<$op>(op) ||)*)* false;
            divides.then(|| ir.operand(op, 1))
        }
    };
}
divisions! {
    &[0, -1] => CeilDivSIOp, DivSIOp, FloorDivSIOp, RemSIOp;
    &[0] => CeilDivUIOp, DivUIOp, RemUIOp;
}
