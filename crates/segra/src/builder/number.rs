//! Arithmetic on numbers of the program: operators, comparisons, functions, conversions.

use super::{Kind, Val};
use segra_ir::{Attr, Context, FloatKind, OpDef, OpView, Type};
use segra_std::arith::{self, CmpFPredicate, CmpIPredicate};
use segra_std::math;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A number type with constants.
pub trait Number: Kind + Copy {
    /// Ops of integers or of floats.
    const CLASS: Class;
    /// A constant.
    fn attr(self, ctx: &Context) -> Attr;
}

/// Which ops a number type takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Signed integers.
    Integer,
    /// Floats.
    Float,
    /// Truth values.
    Bool,
}

/// A floating-point type.
pub trait Float: Number {}
/// A signed integer type.
pub trait Integer: Number {}

/// MLIR's `index`: sizes and positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Index(pub i64);

macro_rules! numbers {
    ($($ty:ty, $class:ident, |$ctx:ident, $value:ident| $element:expr, $attr:expr;)*) => {$(
        impl Kind for $ty {
            const RANK: usize = 0;
            fn element($ctx: &Context) -> Type { $element }
        }
        impl Number for $ty {
            const CLASS: Class = Class::$class;
            fn attr(self, $ctx: &Context) -> Attr { let $value = self; $attr }
        }
    )*};
}

numbers! {
    bool, Bool, |ctx, value| ctx.i1(), ctx.bool_attr(value);
    i8, Integer, |ctx, value| ctx.integer(8), ctx.int_attr(value.into(), ctx.integer(8));
    i16, Integer, |ctx, value| ctx.integer(16), ctx.int_attr(value.into(), ctx.integer(16));
    i32, Integer, |ctx, value| ctx.i32(), ctx.i32_attr(value);
    i64, Integer, |ctx, value| ctx.i64(), ctx.i64_attr(value);
    Index, Integer, |ctx, value| ctx.index(), ctx.index_attr(value.0);
    f32, Float, |ctx, value| ctx.float(FloatKind::F32), ctx.float_bits_attr(value.to_bits().into(), ctx.f32());
    f64, Float, |ctx, value| ctx.float(FloatKind::F64), ctx.float_bits_attr(value.to_bits().into(), ctx.f64());
}

impl Float for f32 {}
impl Float for f64 {}
impl Integer for i8 {}
impl Integer for i16 {}
impl Integer for i32 {}
impl Integer for i64 {}
impl Integer for Index {}

impl<'g, T: Number> Val<'g, T> {
    #[track_caller]
    fn binary(self, float: &'static OpDef, integer: &'static OpDef, other: Self) -> Self {
        let def = match T::CLASS {
            Class::Float => float,
            Class::Integer | Class::Bool => integer,
        };
        self.graph.typed(
            def,
            &[self.node, other.node],
            T::element(&self.graph.ctx),
            &[],
        )
    }
    #[track_caller]
    fn compare(self, float: CmpFPredicate, integer: CmpIPredicate, other: Self) -> Val<'g, bool> {
        let ctx = &self.graph.ctx;
        let (def, predicate) = match T::CLASS {
            Class::Float => (arith::CmpFOp::DEF, float.attr(ctx)),
            Class::Integer | Class::Bool => (arith::CmpIOp::DEF, integer.attr(ctx)),
        };
        let operands = [self.node, other.node];
        let properties = [("predicate", predicate)];
        self.graph.typed(def, &operands, ctx.i1(), &properties)
    }
    /// Whether it is less than `other`; false where either is NaN.
    #[track_caller]
    pub fn lt(self, other: Self) -> Val<'g, bool> {
        self.compare(CmpFPredicate::Olt, CmpIPredicate::Slt, other)
    }
    /// Whether it is at most `other`; false where either is NaN.
    #[track_caller]
    pub fn le(self, other: Self) -> Val<'g, bool> {
        self.compare(CmpFPredicate::Ole, CmpIPredicate::Sle, other)
    }
    /// Whether it is greater than `other`; false where either is NaN.
    #[track_caller]
    pub fn gt(self, other: Self) -> Val<'g, bool> {
        self.compare(CmpFPredicate::Ogt, CmpIPredicate::Sgt, other)
    }
    /// Whether it equals `other`; false where either is NaN.
    #[track_caller]
    pub fn equals(self, other: Self) -> Val<'g, bool> {
        self.compare(CmpFPredicate::Oeq, CmpIPredicate::Eq, other)
    }
    /// The larger; NaN if either is NaN.
    #[track_caller]
    pub fn max(self, other: Self) -> Self {
        self.binary(arith::MaximumFOp::DEF, arith::MaxSIOp::DEF, other)
    }
    /// The smaller; NaN if either is NaN.
    #[track_caller]
    pub fn min(self, other: Self) -> Self {
        self.binary(arith::MinimumFOp::DEF, arith::MinSIOp::DEF, other)
    }
    /// A constant of the same type.
    #[track_caller]
    pub fn constant(self, value: T) -> Self {
        self.graph.typed_constant(value)
    }
}

impl<'g> Val<'g, bool> {
    /// `a` where it is true, else `b`.
    #[track_caller]
    pub fn select<K: Kind>(self, a: Val<'g, K>, b: Val<'g, K>) -> Val<'g, K> {
        let ty = self.graph.type_of(a.node);
        self.graph
            .typed(arith::SelectOp::DEF, &[self.node, a.node, b.node], ty, &[])
    }
    /// Whether both are true.
    #[track_caller]
    pub fn and(self, other: Self) -> Self {
        self.binary(arith::AndIOp::DEF, arith::AndIOp::DEF, other)
    }
    /// Whether one is true.
    #[track_caller]
    pub fn or(self, other: Self) -> Self {
        self.binary(arith::OrIOp::DEF, arith::OrIOp::DEF, other)
    }
}

macro_rules! functions {
    ($($(#[doc = $doc:literal])* $name:ident = $op:ident;)*) => {
        impl<'g, T: Float> Val<'g, T> {
            $($(#[doc = $doc])*
            #[track_caller]
            pub fn $name(self) -> Self {
                self.graph.typed(math::$op::DEF, &[self.node], T::element(&self.graph.ctx), &[])
            })*
            /// `self * factor + term`, rounded once.
            #[track_caller]
            pub fn mul_add(self, factor: Self, term: Self) -> Self {
                let operands = [self.node, factor.node, term.node];
                self.graph.typed(math::FmaOp::DEF, &operands, T::element(&self.graph.ctx), &[])
            }
            /// Itself to the power `exponent`.
            #[track_caller]
            pub fn powf(self, exponent: Self) -> Self {
                self.graph.typed(math::PowFOp::DEF, &[self.node, exponent.node], T::element(&self.graph.ctx), &[])
            }
        }
    };
}

functions! {
    /// The magnitude.
    abs = AbsFOp;
    /// The largest integral value not above.
    floor = FloorOp;
    /// The square root.
    sqrt = SqrtOp;
    /// e to it.
    exp = ExpOp;
    /// The natural logarithm.
    log = LogOp;
    /// The sine.
    sin = SinOp;
    /// The cosine.
    cos = CosOp;
    /// The hyperbolic tangent.
    tanh = TanhOp;
    /// The error function.
    erf = ErfOp;
}

/// Conversion between number types: integers sign-extend or wrap, floats round to nearest, floats become integers
/// towards zero.
pub trait Cast<To> {
    /// The op.
    const OP: &'static OpDef;
}

macro_rules! casts {
    ($($from:ty => $to:ty, $op:ident;)*) => {$(
        impl Cast<$to> for $from { const OP: &'static OpDef = arith::$op::DEF; }
    )*};
}

casts! {
    f32 => f64, ExtFOp;
    f64 => f32, TruncFOp;
    i32 => f32, SIToFPOp;
    i32 => f64, SIToFPOp;
    i64 => f32, SIToFPOp;
    i64 => f64, SIToFPOp;
    f32 => i32, FPToSIOp;
    f32 => i64, FPToSIOp;
    f64 => i32, FPToSIOp;
    f64 => i64, FPToSIOp;
    i32 => i64, ExtSIOp;
    i64 => i32, TruncIOp;
    bool => i32, ExtUIOp;
    bool => i64, ExtUIOp;
    Index => i32, IndexCastOp;
    Index => i64, IndexCastOp;
    i32 => Index, IndexCastOp;
    i64 => Index, IndexCastOp;
}

impl<'g, T: Number> Val<'g, T> {
    /// The same number in another type.
    #[track_caller]
    pub fn cast<To: Number>(self) -> Val<'g, To>
    where
        T: Cast<To>,
    {
        self.graph.typed(
            <T as Cast<To>>::OP,
            &[self.node],
            To::element(&self.graph.ctx),
            &[],
        )
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident, $float:ident, $integer:ident;)*) => {$(
        impl<'g, T: Number> $trait for Val<'g, T> {
            type Output = Val<'g, T>;
            #[track_caller]
            fn $method(self, other: Self) -> Self {
                self.binary(arith::$float::DEF, arith::$integer::DEF, other)
            }
        }
        impl<'g, T: Number> $trait<T> for Val<'g, T> {
            type Output = Val<'g, T>;
            #[track_caller]
            fn $method(self, other: T) -> Self {
                self.binary(arith::$float::DEF, arith::$integer::DEF, self.constant(other))
            }
        }
    )*};
}

operators! {
    Add add, AddFOp, AddIOp;
    Sub sub, SubFOp, SubIOp;
    Mul mul, MulFOp, MulIOp;
    Div div, DivFOp, DivSIOp;
    Rem rem, RemFOp, RemSIOp;
}

impl<T: Float> Neg for Val<'_, T> {
    type Output = Self;
    #[track_caller]
    fn neg(self) -> Self {
        self.graph.typed(
            arith::NegFOp::DEF,
            &[self.node],
            T::element(&self.graph.ctx),
            &[],
        )
    }
}
