//! Comparisons of a converted integer with a constant float: they compare the integer, or their result is known.
//!
//! ```text
//! %f = arith.uitofp %x : i32 to f64
//! %r = arith.cmpf ult, %f, 4.4       ->      %r = arith.cmpi ule, %x, 4
//! ```
//! Legality: the conversion is exact, or what it rounds lies all on one side of the constant.

use super::{CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, ConstantOp, SIToFPOp, UIToFPOp};
use segra_ir::interfaces::{Canonicalize, Rewriter, constant_of};
use segra_ir::{AttrKind, FloatKind, Ir, Op, OpView, Type, Value};

impl Canonicalize for CmpFOp {
    fn canonicalize(&self, rewriter: &mut dyn Rewriter, op: Op) -> bool {
        let Some(converted) = Converted::of(rewriter.ir(), op) else {
            return false;
        };
        match converted.compared() {
            None => return false,
            Some(Compared::Known(value)) => {
                let ctx = rewriter.ir().context();
                rewriter.replace_with(op, |b| {
                    [ConstantOp::build(b, ctx.bool_attr(value)).result(b.ir)]
                });
            }
            Some(Compared::With(predicate, number)) => {
                let ctx = rewriter.ir().context();
                let (integer, ty) = (converted.integer, converted.ty);
                rewriter.replace_with(op, |b| {
                    let number = ConstantOp::build(b, ctx.int_attr(number, ty)).result(b.ir);
                    [CmpIOp::build(b, predicate.attr(&ctx), integer, number).result(b.ir)]
                });
            }
        }
        true
    }
}

/// The outcome of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Compared {
    Known(bool),
    With(CmpIPredicate, i128),
}

/// A comparison of an integer, converted to a float, with a constant.
struct Converted {
    predicate: CmpFPredicate,
    integer: Value,
    ty: Type,
    width: u32,
    signed: bool,
    format: FloatKind,
    constant: f64,
}

impl Converted {
    fn of(ir: &Ir, op: Op) -> Option<Converted> {
        let ctx = ir.ctx();
        let view = CmpFOp::from_op(op);
        let def = ir.defining_op(view.lhs(ir))?;
        let (integer, signed) = match (ir.cast::<SIToFPOp>(def), ir.cast::<UIToFPOp>(def)) {
            (Some(made), _) => (made.r#in(ir), true),
            (_, Some(made)) => (made.r#in(ir), false),
            _ => return None,
        };
        let AttrKind::Float { ty, bits } = *ctx.attr_kind(constant_of(ir, view.rhs(ir))?) else {
            return None;
        };
        let format = ty.float_kind(ctx)?;
        let ty = ir.value_type(integer);
        let width = ty.integer_width(ctx)?;
        let constant = format.decode(bits);
        let predicate = CmpFPredicate::from_value(view.predicate_attr(ir)?.as_i64(ctx)?)?;
        // Numbers of wider formats are not all known exactly here.
        let exact = format.precision() <= FloatKind::F64.precision() && (1..=64).contains(&width);
        (exact && !constant.is_nan()).then_some(Converted {
            predicate,
            integer,
            ty,
            width,
            signed,
            format,
            constant,
        })
    }

    /// Whether rounding of the integer cannot change what the comparison says.
    fn is_exact_enough(&self) -> bool {
        let precision = self.format.precision();
        if self.width <= precision {
            return true;
        }
        let value_bits = (self.width - u32::from(self.signed)) as i32;
        if self.constant.is_infinite() {
            // The conversion must not come to infinity itself.
            return self.format.largest_exponent() >= value_bits;
        }
        let exponent = match self.constant == 0.0 {
            true => i32::MIN,
            false => exponent(self.constant.abs()),
        };
        !(precision as i32 <= exponent && exponent <= value_bits)
    }

    fn compared(&self) -> Option<Compared> {
        if !self.is_exact_enough() {
            return None;
        }
        let predicate = match self.integer_predicate() {
            Ok(predicate) => predicate,
            // An integer is never what is not a number.
            Err(known) => return Some(Compared::Known(known)),
        };
        let (low, high) = match self.signed {
            true => (
                -(1i128 << (self.width - 1)),
                (1i128 << (self.width - 1)) - 1,
            ),
            false => (0, (1i128 << self.width) - 1),
        };
        let in_format = |number: i128| self.format.decode(self.format.encode(number as f64));
        use CmpIPredicate::*;
        if self.constant > in_format(high) {
            return Some(Compared::Known(matches!(
                predicate,
                Ne | Slt | Sle | Ult | Ule
            )));
        }
        if self.constant < in_format(low) {
            return Some(Compared::Known(matches!(
                predicate,
                Ne | Sgt | Sge | Ugt | Uge
            )));
        }
        // Towards 0; beyond the range only where the bound itself was rounded.
        let whole = self.constant.trunc() as i128;
        if !(low..=high).contains(&whole) {
            return None;
        }
        if whole as f64 == self.constant {
            return Some(Compared::With(predicate, whole));
        }
        let negative = self.constant < 0.0;
        Some(match predicate {
            Ne => Compared::Known(true),
            Eq => Compared::Known(false),
            // Of a negative constant between two integers `whole` is the larger one, else the smaller one.
            Sle | Slt => Compared::With(if negative { Slt } else { Sle }, whole),
            Sgt | Sge => Compared::With(if negative { Sge } else { Sgt }, whole),
            Ule | Ult if negative => Compared::Known(false),
            Ugt | Uge if negative => Compared::Known(true),
            Ule | Ult => Compared::With(Ule, whole),
            Ugt | Uge => Compared::With(Ugt, whole),
        })
    }

    /// How the integers compare where the floats do; or what is known whatever they are.
    fn integer_predicate(&self) -> Result<CmpIPredicate, bool> {
        use CmpFPredicate as F;
        use CmpIPredicate as I;
        Ok(match (self.predicate, self.signed) {
            (F::Ord | F::AlwaysTrue, _) => return Err(true),
            (F::Uno | F::AlwaysFalse, _) => return Err(false),
            (F::Oeq | F::Ueq, _) => I::Eq,
            (F::One | F::Une, _) => I::Ne,
            (F::Ogt | F::Ugt, true) => I::Sgt,
            (F::Ogt | F::Ugt, false) => I::Ugt,
            (F::Oge | F::Uge, true) => I::Sge,
            (F::Oge | F::Uge, false) => I::Uge,
            (F::Olt | F::Ult, true) => I::Slt,
            (F::Olt | F::Ult, false) => I::Ult,
            (F::Ole | F::Ule, true) => I::Sle,
            (F::Ole | F::Ule, false) => I::Ule,
        })
    }
}

/// The power of two a positive number lies above.
fn exponent(number: f64) -> i32 {
    const SUBNORMAL: f64 = f64::MIN_POSITIVE;
    // Numbers with leading zeros are brought up by an exact power of two.
    let (number, less) = if number < SUBNORMAL {
        (number * 2f64.powi(64), 64)
    } else {
        (number, 0)
    };
    ((number.to_bits() >> 52) & 0x7FF) as i32 - 1023 - less
}
