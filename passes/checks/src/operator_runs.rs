//! Checks of operators hold where there is nothing to combine.
//!
//! An operator runs once for each element, so never where there is none. Parallel code also runs it on neutral elements: to
//! begin with, and for threads without an element. Where there are elements that cannot stop the program, since an
//! operator is defined on its neutral element; where there are none, a check of values from outside would.
//!
//! ```mlir
//! array.reduce (%xs : [n]i32) ... combine (%a, %b) {
//!   %d = check.require %ok, %k else %one, "..."     =>     %none = arith.cmpi eq, %n, %zero
//!                                                          %may = arith.ori %ok, %none
//!                                                          %safe = arith.select %ok, %k, %one
//!                                                          %d = check.require %may, %safe else %one, "..."
//! ```

use crate::emit::{compare, extent, index, or};
use crate::prove::{Extent, extent_of};
use rustc_hash::FxHashSet;
use segra_array::combinator::Soac;
use segra_ir::{Builder, Ir, Op, OpView, Value};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::check::RequireOp;

/// Excuses the checks inside `root` that are not among `before`.
pub(crate) fn excuse(ir: &mut Ir, root: Op, before: &[Op]) {
    let known: FxHashSet<Op> = before.iter().copied().collect();
    let checks = ir.walk(root).into_iter().filter_map(|op| {
        let check = ir.cast::<RequireOp>(op)?;
        (!known.contains(&op)).then_some(check)
    });
    for check in checks.collect::<Vec<_>>() {
        for array in combined_around(ir, check.op()) {
            excuse_one(ir, check, array);
        }
    }
}

/// An input of each combinator that has an op in its operator and may have no elements.
fn combined_around(ir: &Ir, op: Op) -> Vec<Value> {
    let mut found = Vec::new();
    for inner in ir.ancestors(op) {
        let Some(block) = ir.block_of(inner) else {
            break;
        };
        let soac = ir.block_parent(block).and_then(|op| Soac::of(ir, op));
        let Some(soac) = soac.filter(|soac| soac.combine == Some(block)) else {
            continue;
        };
        let first = soac.parts.arrays.first().copied();
        found.extend(first.filter(
            |&array| !matches!(extent_of(ir, array, 0), Extent::Constant(extent) if extent > 0),
        ));
    }
    found
}

fn excuse_one(ir: &mut Ir, check: RequireOp, array: Value) {
    let op = check.op();
    let (condition, value, otherwise) = (check.condition(ir), check.value(ir), check.otherwise(ir));
    let mut b = Builder::before(ir, op);
    let (size, zero) = (extent(&mut b, array, 0), index(&mut b, 0));
    let none = compare(&mut b, CmpIPredicate::Eq, size, zero);
    let may = or(&mut b, condition, none);
    let safe = arith::SelectOp::build(&mut b, condition, value, otherwise).result(b.ir);
    ir.set_operand(op, 0, may);
    ir.set_operand(op, 1, safe);
}
