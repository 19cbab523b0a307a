//! Arithmetic on numbers of the program: operators, comparisons, functions, conversions.

use super::{Kind, Val};
use segra_ir::{Attr, Context, FloatKind, Type};
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
    fn binary(self, float: &str, integer: &str, other: Self) -> Self {
        let name = if T::CLASS == Class::Float {
            float
        } else {
            integer
        };
        self.graph.result(
            name,
            &[self.value, other.value],
            T::element(&self.graph.ctx),
            &[],
        )
    }
    #[track_caller]
    fn compare(self, float: i64, integer: i64, other: Self) -> Val<'g, bool> {
        let ctx = &self.graph.ctx;
        let (name, predicate) = if T::CLASS == Class::Float {
            ("arith.cmpf", float)
        } else {
            ("arith.cmpi", integer)
        };
        let predicate = ctx.i64_attr(predicate);
        self.graph.result(
            name,
            &[self.value, other.value],
            ctx.i1(),
            &[("predicate", predicate)],
        )
    }
    /// Whether it is less than `other`; false where either is NaN.
    #[track_caller]
    pub fn lt(self, other: Self) -> Val<'g, bool> {
        self.compare(4, 2, other)
    }
    /// Whether it is at most `other`; false where either is NaN.
    #[track_caller]
    pub fn le(self, other: Self) -> Val<'g, bool> {
        self.compare(5, 3, other)
    }
    /// Whether it is greater than `other`; false where either is NaN.
    #[track_caller]
    pub fn gt(self, other: Self) -> Val<'g, bool> {
        self.compare(2, 4, other)
    }
    /// Whether it equals `other`; false where either is NaN.
    #[track_caller]
    pub fn equals(self, other: Self) -> Val<'g, bool> {
        self.compare(1, 0, other)
    }
    /// The larger; NaN if either is NaN.
    #[track_caller]
    pub fn max(self, other: Self) -> Self {
        self.binary("arith.maximumf", "arith.maxsi", other)
    }
    /// The smaller; NaN if either is NaN.
    #[track_caller]
    pub fn min(self, other: Self) -> Self {
        self.binary("arith.minimumf", "arith.minsi", other)
    }
    /// A constant of the same type.
    #[track_caller]
    pub fn constant(self, value: T) -> Self {
        self.graph.constant(value)
    }
}

impl<'g> Val<'g, bool> {
    /// `a` where it is true, else `b`.
    #[track_caller]
    pub fn select<K: Kind>(self, a: Val<'g, K>, b: Val<'g, K>) -> Val<'g, K> {
        let ty = self.graph.types(&[a.value])[0];
        self.graph
            .result("arith.select", &[self.value, a.value, b.value], ty, &[])
    }
    /// Whether both are true.
    #[track_caller]
    pub fn and(self, other: Self) -> Self {
        self.binary("arith.andi", "arith.andi", other)
    }
    /// Whether one is true.
    #[track_caller]
    pub fn or(self, other: Self) -> Self {
        self.binary("arith.ori", "arith.ori", other)
    }
}

macro_rules! functions {
    ($($(#[doc = $doc:literal])* $name:ident = $op:literal;)*) => {
        impl<'g, T: Float> Val<'g, T> {
            $($(#[doc = $doc])*
            #[track_caller]
            pub fn $name(self) -> Self {
                self.graph.result($op, &[self.value], T::element(&self.graph.ctx), &[])
            })*
            /// `self * factor + term`, rounded once.
            #[track_caller]
            pub fn mul_add(self, factor: Self, term: Self) -> Self {
                let operands = [self.value, factor.value, term.value];
                self.graph.result("math.fma", &operands, T::element(&self.graph.ctx), &[])
            }
            /// Itself to the power `exponent`.
            #[track_caller]
            pub fn powf(self, exponent: Self) -> Self {
                self.graph.result("math.powf", &[self.value, exponent.value], T::element(&self.graph.ctx), &[])
            }
        }
    };
}

functions! {
    /// The magnitude.
    abs = "math.absf";
    /// The largest integral value not above.
    floor = "math.floor";
    /// The square root.
    sqrt = "math.sqrt";
    /// e to it.
    exp = "math.exp";
    /// The natural logarithm.
    log = "math.log";
    /// The sine.
    sin = "math.sin";
    /// The cosine.
    cos = "math.cos";
    /// The hyperbolic tangent.
    tanh = "math.tanh";
    /// The error function.
    erf = "math.erf";
}

/// Conversion between number types: integers sign-extend or wrap, floats round to nearest, floats become integers
/// towards zero.
pub trait Cast<To> {
    /// The op.
    const OP: &'static str;
}

macro_rules! casts {
    ($($from:ty => $to:ty, $op:literal;)*) => {$(
        impl Cast<$to> for $from { const OP: &'static str = $op; }
    )*};
}

casts! {
    f32 => f64, "arith.extf";
    f64 => f32, "arith.truncf";
    i32 => f32, "arith.sitofp";
    i32 => f64, "arith.sitofp";
    i64 => f32, "arith.sitofp";
    i64 => f64, "arith.sitofp";
    f32 => i32, "arith.fptosi";
    f32 => i64, "arith.fptosi";
    f64 => i32, "arith.fptosi";
    f64 => i64, "arith.fptosi";
    i32 => i64, "arith.extsi";
    i64 => i32, "arith.trunci";
    bool => i32, "arith.extui";
    bool => i64, "arith.extui";
    Index => i32, "arith.index_cast";
    Index => i64, "arith.index_cast";
    i32 => Index, "arith.index_cast";
    i64 => Index, "arith.index_cast";
}

impl<'g, T: Number> Val<'g, T> {
    /// The same number in another type.
    #[track_caller]
    pub fn cast<To: Number>(self) -> Val<'g, To>
    where
        T: Cast<To>,
    {
        self.graph.result(
            <T as Cast<To>>::OP,
            &[self.value],
            To::element(&self.graph.ctx),
            &[],
        )
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident, $float:literal, $integer:literal;)*) => {$(
        impl<'g, T: Number> $trait for Val<'g, T> {
            type Output = Val<'g, T>;
            #[track_caller]
            fn $method(self, other: Self) -> Self {
                self.binary($float, $integer, other)
            }
        }
        impl<'g, T: Number> $trait<T> for Val<'g, T> {
            type Output = Val<'g, T>;
            #[track_caller]
            fn $method(self, other: T) -> Self {
                self.binary($float, $integer, self.constant(other))
            }
        }
    )*};
}

operators! {
    Add add, "arith.addf", "arith.addi";
    Sub sub, "arith.subf", "arith.subi";
    Mul mul, "arith.mulf", "arith.muli";
    Div div, "arith.divf", "arith.divsi";
    Rem rem, "arith.remf", "arith.remsi";
}

impl<T: Float> Neg for Val<'_, T> {
    type Output = Self;
    #[track_caller]
    fn neg(self) -> Self {
        self.graph.result(
            "arith.negf",
            &[self.value],
            T::element(&self.graph.ctx),
            &[],
        )
    }
}
