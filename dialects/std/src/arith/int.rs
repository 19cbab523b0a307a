//! Integer arithmetic: an op is a row with its definition and its one rule, used for evaluation and for folding.

use crate::arith::attrs::OverflowAttr;
use crate::arith::classes::{Division, Narrowing};
use crate::arith::constant::ConstantOp;
use crate::arith::ints::IntOutcome::Is;
use crate::arith::rules::{Identity::*, eval_int_binary, fold_int_binary};
use num_integer::Integer;
use segra_interp::{Cx, Eval, EvalResult, Inst, Lanes};
use segra_ir::constraint::{IntegerLike, UnitAttr};
use segra_ir::int_range::{InferIntRanges, Remainder};
use segra_ir::interfaces::{Fold, Folded, Speculation};
use segra_ir::{Attr, Builder, Ir, Op, OpDef, OpView, Value, op};

/// The struct of an op, by the flags it has.
macro_rules! int_struct {
    ({ $($head:tt)* } $format:literal { $($flags:tt)* } $name:ident $text:literal [$($trait:ident)*] [$($interface:ident)*]) => {
        $($head)*
        #[op(
            $text,
            traits(Pure, $($trait,)* SameOperandsAndResultType, Elementwise),
            interfaces($($interface,)* Fold, InferIntRanges, Eval),
            format = $format
        )]
        pub struct $name {
            lhs: Operand<IntegerLike>,
            rhs: Operand<IntegerLike>,
            $($flags)*
            result: OpResult<IntegerLike>,
        }
    };
    (plain $head:tt $($row:tt)*) => {
        int_struct!($head "$lhs `,` $rhs attr-dict `:` type($result)" {} $($row)*);
    };
    (overflow $head:tt $($row:tt)*) => {
        int_struct!($head "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)" {
            /// Promises that the result does not wrap; evaluation does not rely on it.
            #[name("overflowFlags")]
            overflow: OptionalAttr<OverflowAttr>,
        } $($row)*);
    };
    (exact $head:tt $($row:tt)*) => {
        int_struct!($head "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)" {
            /// Promises that nothing is rounded or shifted out; evaluation does not rely on it.
            #[name("isExact")]
            exact: OptionalAttr<UnitAttr>,
        } $($row)*);
    };
}

/// Ops with two operands and a result of one type: flags, traits and interfaces of their own, the rule (the result is
/// wrapped afterwards), and what holds for constant operands. The rule is compiled twice: for `i128`, which holds what
/// integers of up to 64 bits give, and for integers of any size.
macro_rules! int_binary_ops {
    ($($(#[$doc:meta])* $name:ident, $text:literal, $flags:ident $traits:tt $interfaces:tt |$n:ident| $rule:expr, [$($identity:expr),*];)*) => {
        /// The ops of this file.
        pub(crate) const OPS: &[&OpDef] = &[$($name::DEF),*];
        $(
            int_struct!($flags { $(#[$doc])* } $name $text $traits $interfaces);
            impl Eval for $name {
                fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
                    eval_int_binary(cx, inst, lanes, |$n| $rule)
                }
            }
            impl Fold for $name {
                fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
                    fold_int_binary(ir, op, operands, &[$($identity),*], |$n| $rule, |$n| $rule)
                }
            }
        )*
    };
}

int_binary_ops! {
    /// The sum, modulo 2^width.
    AddIOp, "arith.addi", overflow [Commutative] [Narrowing] |n| Is(n.x + n.y), [RightNeutral(0)];
    /// The difference, modulo 2^width.
    SubIOp, "arith.subi", overflow [] [Narrowing] |n| Is(n.x - n.y), [RightNeutral(0), SameGives(0)];
    /// The product, modulo 2^width.
    MulIOp, "arith.muli", overflow [Commutative] [Narrowing] |n| Is(n.x * n.y), [RightNeutral(1), RightAbsorbs(0)];
    /// The signed quotient, rounded towards zero. Division by zero stops the program; `MIN / -1` wraps to `MIN`.
    DivSIOp, "arith.divsi", exact [] [Division Narrowing Speculation] |n| n.divided(|x, y| x / y), [RightNeutral(1)];
    /// The unsigned quotient, rounded down. Division by zero stops the program.
    DivUIOp, "arith.divui", exact [] [Division Narrowing Speculation] |n| n.divided_unsigned(|a, b| a / b), [RightNeutral(1)];
    /// The signed quotient, rounded up. Division by zero stops the program; `MIN / -1` wraps to `MIN`.
    CeilDivSIOp, "arith.ceildivsi", plain [] [Division Speculation] |n| n.divided_up(), [RightNeutral(1)];
    /// The unsigned quotient, rounded up. Division by zero stops the program.
    CeilDivUIOp, "arith.ceildivui", plain [] [Division Speculation] |n| n.divided_unsigned(|a, b| Integer::div_ceil(&a, &b)), [RightNeutral(1)];
    /// The signed quotient, rounded down. Division by zero stops the program; `MIN / -1` wraps to `MIN`.
    FloorDivSIOp, "arith.floordivsi", plain [] [Division Speculation] |n| n.divided(|x, y| Integer::div_floor(&x, &y)), [RightNeutral(1)];
    /// The remainder of `divsi`: it has the sign of the dividend; that of
    /// `MIN / -1` is 0. Division by zero stops the program.
    RemSIOp, "arith.remsi", plain [] [Division Narrowing Remainder Speculation] |n| n.remainder(), [OneGivesZero];
    /// The remainder of `divui`. Division by zero stops the program.
    RemUIOp, "arith.remui", plain [] [Division Narrowing Remainder Speculation] |n| n.divided_unsigned(|a, b| a % b), [OneGivesZero];
    /// Bitwise and.
    AndIOp, "arith.andi", plain [Commutative Idempotent] [] |n| Is(n.x & n.y), [RightNeutral(-1), RightAbsorbs(0), SameGivesSame];
    /// Bitwise or.
    OrIOp, "arith.ori", plain [Commutative Idempotent] [] |n| Is(n.x | n.y), [RightNeutral(0), RightAbsorbs(-1), SameGivesSame];
    /// Bitwise exclusive or.
    XOrIOp, "arith.xori", plain [Commutative] [] |n| Is(n.x ^ n.y), [RightNeutral(0), SameGives(0)];
    /// Shift to the left; an amount of the width or more, read as unsigned, gives 0 (upstream: poison).
    ShLIOp, "arith.shli", overflow [] [] |n| n.shifted(|n, by| n.x << by, |_| 0.into()), [RightNeutral(0)];
    /// Shift to the right, zeros come in; an amount of the width or more, read as unsigned, gives 0 (upstream: poison).
    ShRUIOp, "arith.shrui", exact [] [] |n| n.shifted(|n, by| n.a >> by, |_| 0.into()), [RightNeutral(0)];
    /// Shift to the right, copies of the sign come in: nothing else is left for an amount of the width or more, read as
    /// unsigned (upstream: poison).
    ShRSIOp, "arith.shrsi", exact [] [] |n| n.shifted(|n, by| n.x >> by, |n| n.x >> n.width), [RightNeutral(0)];
    /// The larger of two signed integers.
    MaxSIOp, "arith.maxsi", plain [Commutative Idempotent] [Narrowing] |n| Is(n.x.max(n.y)), [SameGivesSame, RightNeutralLeast, RightAbsorbsGreatest];
    /// The larger of two unsigned integers.
    MaxUIOp, "arith.maxui", plain [Commutative Idempotent] [] |n| Is(n.a.max(n.b)), [SameGivesSame, RightNeutral(0), RightAbsorbs(-1)];
    /// The smaller of two signed integers.
    MinSIOp, "arith.minsi", plain [Commutative Idempotent] [Narrowing] |n| Is(n.x.min(n.y)), [SameGivesSame, RightNeutralGreatest, RightAbsorbsLeast];
    /// The smaller of two unsigned integers.
    MinUIOp, "arith.minui", plain [Commutative Idempotent] [] |n| Is(n.a.min(n.b)), [SameGivesSame, RightNeutral(-1), RightAbsorbs(0)];
}

impl XOrIOp {
    /// The opposite of a truth value.
    pub fn not(b: &mut Builder<'_>, truth: Value) -> Value {
        let yes = b.ctx().bool_attr(true);
        let yes = ConstantOp::build(b, yes).result(b.ir);
        XOrIOp::build(b, truth, yes).result(b.ir)
    }
}
