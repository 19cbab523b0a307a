//! When integer divisions may run where they did not run before: when the divisor is a constant that is neither 0 (an
//! error) nor, for signed ones, -1 (the quotient of the smallest number overflows on some machines).

use super::int::{CeilDivSIOp, CeilDivUIOp, DivSIOp, DivUIOp, FloorDivSIOp, RemSIOp, RemUIOp};
use crate::constants::{attr_to_datum, splat_of};
use segra_interp::Datum;
use segra_ir::interfaces::{Speculation, constant_of};
use segra_ir::{Ir, Op};

/// Whether no element of the divisor is one of `bad`.
fn divisor_avoids(ir: &Ir, op: Op, bad: &[i64]) -> bool {
    let Some(attr) = constant_of(ir, ir.operand(op, 1)) else {
        return false;
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

macro_rules! divisions {
    ($bad:expr => $($op:ident),*) => {$(
        impl Speculation for $op {
            fn is_speculatable(&self, ir: &Ir, op: Op) -> bool {
                divisor_avoids(ir, op, $bad)
            }
        }
    )*};
}
divisions!(&[0, -1] => CeilDivSIOp, DivSIOp, FloorDivSIOp, RemSIOp);
divisions!(&[0] => CeilDivUIOp, DivUIOp, RemUIOp);
