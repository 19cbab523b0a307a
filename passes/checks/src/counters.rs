//! Loops whose counter may wrap before it reaches its end are counted instead.
//!
//! The number of iterations of `scf.for` is fixed before the first: `ceil((upper - lower) / step)`. Machine code adds the step
//! until the counter is not below the end any more, and beyond the largest number of its type it is below again.
//!
//! ```mlir
//! %r = scf.for %i = %low to %high step %s ... : i32 {    =>    %r = scf.for %k = %zero to %count step %one ... {
//!   ...                                                          %t = arith.index_cast %k : index to i32
//!                                                                %d = arith.muli %t, %s : i32
//!                                                                %i = arith.addi %low, %d : i32
//! ```
//!
//! Legality: none is needed. Loops are left as they are where the step is 1, or where bits that the end and the step can
//! have show that their sum does not wrap: extents of arrays have at most [`EXTENT_BITS`].

use crate::emit::{compare, index};
use crate::prove::{self, Extent};
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::scf::ForOp;

/// Bits of an extent: no memory has space for more elements, and no loop over the elements of an array that is not in
/// memory would end before anybody stops it.
const EXTENT_BITS: u32 = 56;

/// Ops looked through at most, one behind the other.
const DEEPEST: usize = 8;

/// Counts the loops among `ops` whose counter may wrap; how many there are.
pub(crate) fn count(ir: &mut Ir, ops: &[Op]) -> u64 {
    let mut counted = 0;
    for &op in ops {
        if let Some(looped) = ir.cast::<ForOp>(op).filter(|&looped| may_wrap(ir, looped)) {
            count_one(ir, looped);
            counted += 1;
        }
    }
    counted
}

fn width(ir: &Ir, ty: Type) -> u32 {
    ty.integer_width(ir.ctx()).unwrap_or(64)
}

fn may_wrap(ir: &Ir, looped: ForOp) -> bool {
    let (upper, step) = (looped.upper_bound(ir), looped.step(ir));
    if prove::constant(ir, step) == Some(1) {
        return false;
    }
    let bits = |value| bits(ir, value, DEEPEST);
    let (Some(upper), Some(step)) = (bits(upper), bits(step)) else {
        return true;
    };
    // One bit for the sum, one for the sign.
    upper.max(step) + 2 > width(ir, ir.value_type(looped.step(ir)))
}

/// Bits of a number without its sign: it is above -2^bits and below 2^bits. `None`: nothing is known.
fn bits(ir: &Ir, value: Value, deepest: usize) -> Option<u32> {
    if let Some(constant) = prove::constant(ir, value) {
        return Some(64 - constant.unsigned_abs().leading_zeros());
    }
    let deepest = deepest.checked_sub(1)?;
    if !matches!(prove::extent(ir, value), Extent::Value(_)) {
        return Some(EXTENT_BITS);
    }
    let op = ir.defining_op(value)?;
    let operand = |at| bits(ir, ir.operand(op, at), deepest);
    let larger = || Some(operand(0)?.max(operand(1)?));
    if ir.isa::<arith::IndexCastOp>(op) || ir.isa::<arith::ExtSIOp>(op) {
        let from = width(ir, ir.value_type(ir.operand(op, 0)));
        return (from < 64).then_some(from).or_else(|| operand(0));
    }
    if ir.isa::<arith::AddIOp>(op) || ir.isa::<arith::SubIOp>(op) {
        larger().map(|bits| bits + 1)
    } else if ir.isa::<arith::MulIOp>(op) {
        Some(operand(0)? + operand(1)?)
    } else if ir.isa::<arith::MaxSIOp>(op) || ir.isa::<arith::MinSIOp>(op) {
        larger()
    } else if ir.isa::<arith::DivSIOp>(op) || ir.isa::<arith::RemSIOp>(op) {
        operand(0)
    } else if ir.isa::<arith::SelectOp>(op) {
        Some(operand(1)?.max(operand(2)?))
    } else {
        None
    }
}

fn count_one(ir: &mut Ir, looped: ForOp) {
    let op = looped.op();
    let (lower, upper, step) = (
        looped.lower_bound(ir),
        looped.upper_bound(ir),
        looped.step(ir),
    );
    let unsigned = looped.unsigned_cmp_attr(ir).is_some();
    let iterations = iterations(&mut Builder::before(ir, op), unsigned, [lower, upper, step]);
    let mut b = Builder::before(ir, op);
    let (zero, one) = (index(&mut b, 0), index(&mut b, 1));
    for (at, value) in [zero, iterations, one].into_iter().enumerate() {
        ir.set_operand(op, at, value);
    }
    ir.set_attr_named(op, "unsignedCmp", None);
    let (ty, index) = (ir.value_type(lower), ir.ctx().index());
    let counter = looped.induction_var(ir);
    let block = looped.region_block(ir);
    let Some(first) = ir.ops(block).next() else {
        return;
    };
    // Stands for the counter until that has its new type.
    let stand_in = arith::ConstantOp::int(&mut Builder::before(ir, first), 0, ty);
    ir.replace_all_uses(counter, stand_in);
    ir.set_value_type(counter, index);
    let mut b = Builder::before(ir, first);
    let number = match ty == index {
        true => counter,
        false => arith::IndexCastOp::build(&mut b, counter, ty).out(b.ir),
    };
    let distance = arith::MulIOp::build(&mut b, number, step).result(b.ir);
    let at = arith::AddIOp::build(&mut b, lower, distance).result(b.ir);
    ir.replace_all_uses(stand_in, at);
    if let Some(constant) = ir.defining_op(stand_in) {
        ir.erase_op(constant);
    }
}

/// How many iterations a loop has. The distance of its bounds is one without a sign: it may have all bits of the type.
fn iterations(b: &mut Builder<'_>, unsigned: bool, [lower, upper, step]: [Value; 3]) -> Value {
    let ty = b.type_of(lower);
    let (zero, one) = (
        arith::ConstantOp::int(b, 0, ty),
        arith::ConstantOp::int(b, 1, ty),
    );
    let predicate = match unsigned {
        true => CmpIPredicate::Ult,
        false => CmpIPredicate::Slt,
    };
    let any = compare(b, predicate, lower, upper);
    let distance = arith::SubIOp::build(b, upper, lower).result(b.ir);
    let last = arith::SubIOp::build(b, distance, one).result(b.ir);
    let full = arith::DivUIOp::build(b, last, step).result(b.ir);
    let all = arith::AddIOp::build(b, full, one).result(b.ir);
    let count = arith::SelectOp::build(b, any, all, zero).result(b.ir);
    let index = b.ctx().index();
    match ty == index {
        true => count,
        false => arith::IndexCastUIOp::build(b, count, index).out(b.ir),
    }
}
