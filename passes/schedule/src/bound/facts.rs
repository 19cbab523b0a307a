//! Facts about numbers that their ops tell: those they do not exceed, and whether they are negative.

use segra_ir::interfaces::constant_of;
use segra_ir::{Ir, Op, OpView, Value};
use segra_kernel::extent::sizes_of;
use segra_std::arith;
use segra_std::arith::CmpIPredicate;
use segra_std::check::RequireOp;
use segra_std::tensor::FromElementsOp;

/// Most ops that are looked through to tell whether a number is negative.
const DEEPEST: usize = 8;
/// Most conditions that one is made of.
const MOST_CONDITIONS: usize = 16;

/// Numbers that the result of an op does not exceed: those of a minimum, what bits or a remainder are taken of, where that is
/// not negative, and what a check compares its number with.
pub(super) fn least(ir: &Ir, op: Op) -> Option<Vec<Value>> {
    let fits = |&value: &Value| is_not_negative(ir, value, op);
    if let Some(check) = ir.cast::<RequireOp>(op) {
        let mut numbers = vec![check.value(ir)];
        numbers.extend(limits(ir, check));
        return Some(numbers);
    }
    match ir.op_name_str(op) {
        "arith.minsi" => Some(ir.operands(op).collect()),
        "arith.minui" | "arith.andi" => Some(ir.operands(op).filter(fits).collect()),
        "arith.remui" => Some(ir.operands(op).skip(1).filter(fits).collect()),
        _ => None,
    }
    .filter(|numbers: &Vec<Value>| !numbers.is_empty())
}

/// Numbers that the result of a check does not exceed, as its condition says.
///
/// ```mlir
/// %fits = arith.cmpi ule, %size, %extent : index
/// %none = arith.cmpi eq, %size, %c0 : index
/// %either = arith.ori %none, %fits : i1
/// %checked = check.require %either, %size else %c0 : ...     // at most %extent, where that is not negative
/// ```
fn limits(ir: &Ir, check: RequireOp) -> Vec<Value> {
    let (value, otherwise) = (check.value(ir), check.otherwise(ir));
    let is_zero = |value: Value| ir.constant_int(value) == Some(0);
    let mut limits = Vec::new();
    let mut pending = vec![check.condition(ir)];
    let mut looked = 0;
    while let Some(condition) = pending.pop() {
        looked += 1;
        if !is_zero(otherwise) || looked > MOST_CONDITIONS {
            break;
        }
        if let Some(both) = ir.def_as::<arith::AndIOp>(condition) {
            pending.extend([both.lhs(ir), both.rhs(ir)]);
        } else if let Some(either) = ir.def_as::<arith::OrIOp>(condition) {
            // 0 is below what is not negative.
            let ways = [either.lhs(ir), either.rhs(ir)];
            let none = |&way: &Value| {
                compared(ir, way).is_some_and(|(predicate, x, y)| {
                    predicate == CmpIPredicate::Eq && x == value && is_zero(y)
                })
            };
            if let Some(at) = ways.iter().position(none) {
                pending.push(ways[1 - at]);
            }
        } else if let Some((predicate, x, y)) = compared(ir, condition) {
            let below = matches!(
                predicate,
                CmpIPredicate::Ule | CmpIPredicate::Ult | CmpIPredicate::Sle | CmpIPredicate::Slt
            );
            limits.extend((below && x == value && is_not_negative(ir, y, check.op())).then_some(y));
        }
    }
    limits
}

fn compared(ir: &Ir, condition: Value) -> Option<(CmpIPredicate, Value, Value)> {
    let compared = ir.def_as::<arith::CmpIOp>(condition)?;
    let predicate = CmpIPredicate::from_value(compared.predicate_attr(ir)?.as_i64(ir.ctx())?)?;
    Some((predicate, compared.lhs(ir), compared.rhs(ir)))
}

/// Whether a number that is used at `at` is not negative, as far as its op and those that it comes from tell.
pub(super) fn is_not_negative(ir: &Ir, value: Value, at: Op) -> bool {
    is_not_negative_to(ir, value, at, DEEPEST)
}

fn is_not_negative_to(ir: &Ir, value: Value, at: Op, deepest: usize) -> bool {
    let constant = constant_of(ir, value).and_then(|attr| attr.as_i64(ir.ctx()));
    if let Some(number) = constant {
        return number >= 0;
    }
    // An array has been made with it.
    let before = |user: Op| ir.block_of(user) == ir.block_of(at) && ir.is_before(user, at);
    let mut users = ir.users(value).flat_map(|user| {
        // A reshape has its extents from a list.
        let listed = ir.isa::<FromElementsOp>(user);
        let lists = ir.results(user).filter(move |_| listed);
        lists
            .flat_map(|list| ir.users(list))
            .chain(std::iter::once(user))
    });
    if users.any(|user| before(user) && sizes_of(ir, user).contains(&value)) {
        return true;
    }
    let Some(op) = ir.defining_op(value).filter(|_| deepest > 0) else {
        return false;
    };
    let of = |at: usize| is_not_negative_to(ir, ir.operand(op, at), op, deepest - 1);
    match ir.op_name_str(op) {
        // Of arrays in memory: sums of a few extents do not overflow.
        "tensor.dim" | "memref.dim" => true,
        "arith.addi" | "arith.minsi" | "arith.divsi" | "arith.divui" => of(0) && of(1),
        "arith.remui" => of(1),
        "arith.maxsi" => of(0) || of(1),
        "arith.select" | "check.require" => of(1) && of(2),
        _ => false,
    }
}
