//! Integer arithmetic: one rule per op, used for evaluation and for folding.

use crate::arith::attrs::OverflowAttr;
use crate::arith::classes::{Division, Narrowing};
use crate::arith::rules::{Identity, IntOutcome, int_binary_ops};
use segra_interp::{Cx, Eval, EvalResult, Inst, Lanes};
use segra_ir::constraint::{IntegerLike, UnitAttr};
use segra_ir::int_range::{InferIntRanges, Remainder};
use segra_ir::interfaces::{Fold, FoldResult, Speculation};
use segra_ir::{Attr, Ir, Op, OpDef, OpView, op};
use smallvec::SmallVec;

/// The ops of this file.
pub(crate) const OPS: &[&OpDef] = &[
    AddIOp::DEF,
    SubIOp::DEF,
    MulIOp::DEF,
    DivSIOp::DEF,
    DivUIOp::DEF,
    CeilDivSIOp::DEF,
    CeilDivUIOp::DEF,
    FloorDivSIOp::DEF,
    RemSIOp::DEF,
    RemUIOp::DEF,
    AndIOp::DEF,
    OrIOp::DEF,
    XOrIOp::DEF,
    ShLIOp::DEF,
    ShRUIOp::DEF,
    ShRSIOp::DEF,
    MaxSIOp::DEF,
    MaxUIOp::DEF,
    MinSIOp::DEF,
    MinUIOp::DEF,
];

/// The sum, modulo 2^width.
#[op(
    "arith.addi",
    traits(Pure, Commutative, SameOperandsAndResultType, Elementwise),
    interfaces(Narrowing, Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)"
)]
pub struct AddIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    /// Promises that the result does not wrap; evaluation does not rely on it.
    #[name("overflowFlags")]
    overflow: OptionalAttr<OverflowAttr>,
    result: OpResult<IntegerLike>,
}

/// The difference, modulo 2^width.
#[op(
    "arith.subi",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Narrowing, Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)"
)]
pub struct SubIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    /// Promises that the result does not wrap; evaluation does not rely on it.
    #[name("overflowFlags")]
    overflow: OptionalAttr<OverflowAttr>,
    result: OpResult<IntegerLike>,
}

/// The product, modulo 2^width.
#[op(
    "arith.muli",
    traits(Pure, Commutative, SameOperandsAndResultType, Elementwise),
    interfaces(Narrowing, Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)"
)]
pub struct MulIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    /// Promises that the result does not wrap; evaluation does not rely on it.
    #[name("overflowFlags")]
    overflow: OptionalAttr<OverflowAttr>,
    result: OpResult<IntegerLike>,
}

/// The signed quotient, rounded towards zero. Division by zero stops the program; `MIN / -1` wraps to `MIN`.
#[op(
    "arith.divsi",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Division, Narrowing, Fold, InferIntRanges, Speculation, Eval),
    format = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"
)]
pub struct DivSIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    /// Promises that nothing is rounded or shifted out; evaluation does not rely on it.
    #[name("isExact")]
    exact: OptionalAttr<UnitAttr>,
    result: OpResult<IntegerLike>,
}

/// The unsigned quotient, rounded down. Division by zero stops the program.
#[op(
    "arith.divui",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Division, Narrowing, Fold, InferIntRanges, Speculation, Eval),
    format = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"
)]
pub struct DivUIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    /// Promises that nothing is rounded or shifted out; evaluation does not rely on it.
    #[name("isExact")]
    exact: OptionalAttr<UnitAttr>,
    result: OpResult<IntegerLike>,
}

/// The signed quotient, rounded up. Division by zero stops the program; `MIN / -1` wraps to `MIN`.
#[op(
    "arith.ceildivsi",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Division, Fold, InferIntRanges, Speculation, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct CeilDivSIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The unsigned quotient, rounded up. Division by zero stops the program.
#[op(
    "arith.ceildivui",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Division, Fold, InferIntRanges, Speculation, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct CeilDivUIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The signed quotient, rounded down. Division by zero stops the program; `MIN / -1` wraps to `MIN`.
#[op(
    "arith.floordivsi",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Division, Fold, InferIntRanges, Speculation, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct FloorDivSIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The remainder of `divsi`: it has the sign of the dividend; that of
/// `MIN / -1` is 0. Division by zero stops the program.
#[op(
    "arith.remsi",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(
        Division,
        Narrowing,
        Fold,
        InferIntRanges,
        Remainder,
        Speculation,
        Eval
    ),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct RemSIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The remainder of `divui`. Division by zero stops the program.
#[op(
    "arith.remui",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(
        Division,
        Narrowing,
        Fold,
        InferIntRanges,
        Remainder,
        Speculation,
        Eval
    ),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct RemUIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// Bitwise and.
#[op(
    "arith.andi",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct AndIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// Bitwise or.
#[op(
    "arith.ori",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct OrIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// Bitwise exclusive or.
#[op(
    "arith.xori",
    traits(Pure, Commutative, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct XOrIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// Shift to the left; an amount of the width or more, read as unsigned, gives 0 (upstream: poison).
#[op(
    "arith.shli",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)"
)]
pub struct ShLIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    /// Promises that the result does not wrap; evaluation does not rely on it.
    #[name("overflowFlags")]
    overflow: OptionalAttr<OverflowAttr>,
    result: OpResult<IntegerLike>,
}

/// Shift to the right, zeros come in; an amount of the width or more, read as unsigned, gives 0 (upstream: poison).
#[op(
    "arith.shrui",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"
)]
pub struct ShRUIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    /// Promises that nothing is rounded or shifted out; evaluation does not rely on it.
    #[name("isExact")]
    exact: OptionalAttr<UnitAttr>,
    result: OpResult<IntegerLike>,
}

/// Shift to the right, copies of the sign come in: nothing else is left for an amount of the width or more, read as
/// unsigned (upstream: poison).
#[op(
    "arith.shrsi",
    traits(Pure, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"
)]
pub struct ShRSIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    /// Promises that nothing is rounded or shifted out; evaluation does not rely on it.
    #[name("isExact")]
    exact: OptionalAttr<UnitAttr>,
    result: OpResult<IntegerLike>,
}

/// The larger of two signed integers.
#[op(
    "arith.maxsi",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Narrowing, Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MaxSIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The larger of two unsigned integers.
#[op(
    "arith.maxui",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MaxUIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The smaller of two signed integers.
#[op(
    "arith.minsi",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Narrowing, Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MinSIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

/// The smaller of two unsigned integers.
#[op(
    "arith.minui",
    traits(Pure, Commutative, Idempotent, SameOperandsAndResultType, Elementwise),
    interfaces(Fold, InferIntRanges, Eval),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct MinUIOp {
    lhs: Operand<IntegerLike>,
    rhs: Operand<IntegerLike>,
    result: OpResult<IntegerLike>,
}

// The rules: width, operands in normal form, result (wrapped afterwards), and what holds for constant operands.
int_binary_ops! {
    AddIOp: |_w, a, b| IntOutcome::Is(a.wrapping_add(b)), [Identity::RightNeutral(0)];
    SubIOp: |_w, a, b| IntOutcome::Is(a.wrapping_sub(b)), [Identity::RightNeutral(0), Identity::SameGives(0)];
    MulIOp: |_w, a, b| IntOutcome::Is(a.wrapping_mul(b)), [Identity::RightNeutral(1), Identity::RightAbsorbs(0)];
    DivSIOp: |w, a, b| divide(w, a, b, i64::wrapping_div), [Identity::RightNeutral(1)];
    DivUIOp: |w, a, b| divide_unsigned(w, a, b, |a, b| a / b), [Identity::RightNeutral(1)];
    CeilDivSIOp: |w, a, b| divide_up(w, a, b), [Identity::RightNeutral(1)];
    CeilDivUIOp: |w, a, b| divide_unsigned(w, a, b, u64::div_ceil), [Identity::RightNeutral(1)];
    FloorDivSIOp: |w, a, b| divide(w, a, b, floor_div), [Identity::RightNeutral(1)];
    RemSIOp: |w, a, b| remainder(w, a, b), [Identity::OneGivesZero];
    RemUIOp: |w, a, b| divide_unsigned(w, a, b, |a, b| a % b), [Identity::OneGivesZero];
    AndIOp: |_w, a, b| IntOutcome::Is(a & b), [Identity::RightNeutral(-1), Identity::RightAbsorbs(0), Identity::SameGivesSame];
    OrIOp: |_w, a, b| IntOutcome::Is(a | b), [Identity::RightNeutral(0), Identity::RightAbsorbs(-1), Identity::SameGivesSame];
    XOrIOp: |_w, a, b| IntOutcome::Is(a ^ b), [Identity::RightNeutral(0), Identity::SameGives(0)];
    ShLIOp: |w, a, b| shift(w, b, 0, |b| a << b), [Identity::RightNeutral(0)];
    ShRUIOp: |w, a, b| shift(w, b, 0, |b| (w.unsigned(a) >> b) as i64), [Identity::RightNeutral(0)];
    ShRSIOp: |w, a, b| shift(w, b, w.signed(a) >> 63, |b| w.signed(a) >> b), [Identity::RightNeutral(0)];
    MaxSIOp: |w, a, b| IntOutcome::Is(w.signed(a).max(w.signed(b))), [Identity::SameGivesSame, Identity::RightNeutralLeast, Identity::RightAbsorbsGreatest];
    MaxUIOp: |w, a, b| IntOutcome::Is(w.unsigned(a).max(w.unsigned(b)) as i64), [Identity::SameGivesSame, Identity::RightNeutral(0), Identity::RightAbsorbs(-1)];
    MinSIOp: |w, a, b| IntOutcome::Is(w.signed(a).min(w.signed(b))), [Identity::SameGivesSame, Identity::RightNeutralGreatest, Identity::RightAbsorbsLeast];
    MinUIOp: |w, a, b| IntOutcome::Is(w.unsigned(a).min(w.unsigned(b)) as i64), [Identity::SameGivesSame, Identity::RightNeutral(-1), Identity::RightAbsorbs(0)];
}

fn divide(w: segra_interp::IntWidth, a: i64, b: i64, rule: impl Fn(i64, i64) -> i64) -> IntOutcome {
    let (a, b) = (w.signed(a), w.signed(b));
    match b {
        0 => IntOutcome::DivisionByZero,
        -1 if a == w.min_signed() => IntOutcome::Unspecified(rule(a, b)),
        _ => IntOutcome::Is(rule(a, b)),
    }
}

/// What `MIN / -1` leaves is specified, unlike the quotient: nothing.
fn remainder(w: segra_interp::IntWidth, a: i64, b: i64) -> IntOutcome {
    match w.signed(b) {
        -1 => IntOutcome::Is(0),
        _ => divide(w, a, b, i64::wrapping_rem),
    }
}

/// As upstream, which folds by way of opposites, nothing is folded where there is none.
fn divide_up(w: segra_interp::IntWidth, a: i64, b: i64) -> IntOutcome {
    let is_least = |value: i64| w.signed(value) == w.min_signed();
    match divide(w, a, b, ceil_div) {
        IntOutcome::Is(value) if w.signed(a) != 0 && (is_least(a) || is_least(b)) => {
            IntOutcome::Unspecified(value)
        }
        outcome => outcome,
    }
}

fn divide_unsigned(
    w: segra_interp::IntWidth,
    a: i64,
    b: i64,
    rule: impl Fn(u64, u64) -> u64,
) -> IntOutcome {
    match w.unsigned(b) {
        0 => IntOutcome::DivisionByZero,
        b => IntOutcome::Is(rule(w.unsigned(a), b) as i64),
    }
}

fn floor_div(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

fn ceil_div(a: i64, b: i64) -> i64 {
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) == (b < 0) {
        quotient + 1
    } else {
        quotient
    }
}

fn shift(
    w: segra_interp::IntWidth,
    amount: i64,
    beyond: i64,
    rule: impl Fn(u64) -> i64,
) -> IntOutcome {
    match w.unsigned(amount) {
        amount if amount < w.bits().into() => IntOutcome::Is(rule(amount)),
        _ => IntOutcome::TooFar(beyond),
    }
}
