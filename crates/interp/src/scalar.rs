//! Helpers that make the rule of a scalar op one line. Each works element by element on vectors, too.
//!
//! Integer rules get the operand's width and both values in their normal form; what they return is wrapped to the
//! result's width. Float rules come in two precisions; `f16`, `bf16` and `tf32` go through `f32` and are rounded once.

use crate::array::{ArrayValue, Elements};
use crate::code::Inst;
use crate::cx::Cx;
use crate::datum::Datum;
use crate::elem::{Elem, IntWidth};
use crate::error::{EvalError, Fault};
use crate::eval::{EvalResult, Flow, Lanes};
use crate::tf32::Tf32;
use half::{bf16, f16};

impl Cx<'_> {
    /// A rule from one scalar to another.
    #[inline(always)]
    pub fn map1(
        &mut self,
        inst: &Inst,
        lanes: &Lanes,
        rule: impl Fn(&Datum) -> Result<Datum, Fault>,
    ) -> EvalResult {
        let [a] = inst.operands[..] else {
            return Err(self.arity(inst));
        };
        let [r] = inst.results[..] else {
            return Err(self.arity(inst));
        };
        let frame = self.frame_mut();
        let (a, r) = (frame.place(a), frame.place(r));
        let done = lanes.try_each(|lane| {
            let value = match &frame.values[a.at(lane)] {
                Datum::Vector(x) => lift(inst, &[x], |x| rule(&x[0]))?,
                x => rule(x)?,
            };
            frame.values[r.at(lane)] = value;
            Ok(())
        });
        self.finish(inst, done)
    }
    /// A rule from two scalars to one.
    #[inline(always)]
    pub fn map2(
        &mut self,
        inst: &Inst,
        lanes: &Lanes,
        rule: impl Fn(&Datum, &Datum) -> Result<Datum, Fault>,
    ) -> EvalResult {
        let [a, b] = inst.operands[..] else {
            return Err(self.arity(inst));
        };
        let [r] = inst.results[..] else {
            return Err(self.arity(inst));
        };
        let frame = self.frame_mut();
        let (a, b, r) = (frame.place(a), frame.place(b), frame.place(r));
        let done = lanes.try_each(|lane| {
            let value = match (&frame.values[a.at(lane)], &frame.values[b.at(lane)]) {
                (Datum::Vector(x), Datum::Vector(y)) => {
                    lift(inst, &[x, y], |x| rule(&x[0], &x[1]))?
                }
                (x, y) => rule(x, y)?,
            };
            frame.values[r.at(lane)] = value;
            Ok(())
        });
        self.finish(inst, done)
    }
    /// A rule from three scalars to one.
    #[inline(always)]
    pub fn map3(
        &mut self,
        inst: &Inst,
        lanes: &Lanes,
        rule: impl Fn(&Datum, &Datum, &Datum) -> Result<Datum, Fault>,
    ) -> EvalResult {
        let [a, b, c] = inst.operands[..] else {
            return Err(self.arity(inst));
        };
        let [r] = inst.results[..] else {
            return Err(self.arity(inst));
        };
        let frame = self.frame_mut();
        let (a, b, c, r) = (
            frame.place(a),
            frame.place(b),
            frame.place(c),
            frame.place(r),
        );
        let done = lanes.try_each(|lane| {
            let of = |place: crate::frame::Place| &frame.values[place.at(lane)];
            let value = match (of(a), of(b), of(c)) {
                (Datum::Vector(x), Datum::Vector(y), Datum::Vector(z)) => {
                    lift(inst, &[x, y, z], |x| rule(&x[0], &x[1], &x[2]))?
                }
                (x, y, z) => rule(x, y, z)?,
            };
            frame.values[r.at(lane)] = value;
            Ok(())
        });
        self.finish(inst, done)
    }

    /// An integer rule with one operand.
    #[inline(always)]
    pub fn unary_int(
        &mut self,
        inst: &Inst,
        lanes: &Lanes,
        rule: impl Fn(IntWidth, i64) -> i64,
    ) -> EvalResult {
        let (width, wrap) = (int_width(inst.operand_elem), int_width(inst.result_elem));
        self.map1(inst, lanes, |x| match x {
            Datum::Int(x) => Ok(Datum::Int(wrap.wrap(rule(width, *x)))),
            _ => Err(needs("an integer", x)),
        })
    }
    /// An integer rule with two operands.
    #[inline(always)]
    pub fn binary_int(
        &mut self,
        inst: &Inst,
        lanes: &Lanes,
        rule: impl Fn(IntWidth, i64, i64) -> i64,
    ) -> EvalResult {
        self.try_binary_int(inst, lanes, |width, a, b| Ok(rule(width, a, b)))
    }
    /// An integer rule with two operands that may fail (division).
    #[inline(always)]
    pub fn try_binary_int(
        &mut self,
        inst: &Inst,
        lanes: &Lanes,
        rule: impl Fn(IntWidth, i64, i64) -> Result<i64, Fault>,
    ) -> EvalResult {
        let (width, wrap) = (int_width(inst.operand_elem), int_width(inst.result_elem));
        self.map2(inst, lanes, |x, y| match (x, y) {
            (Datum::Int(x), Datum::Int(y)) => Ok(Datum::Int(wrap.wrap(rule(width, *x, *y)?))),
            (Datum::Int(_), other) | (other, _) => Err(needs("an integer", other)),
        })
    }
    /// A float rule with one operand.
    #[inline(always)]
    pub fn unary_float(
        &mut self,
        inst: &Inst,
        lanes: &Lanes,
        single: impl Fn(f32) -> f32,
        double: impl Fn(f64) -> f64,
    ) -> EvalResult {
        self.map1(inst, lanes, |x| match x {
            Datum::F32(x) => Ok(Datum::F32(single(*x))),
            Datum::F64(x) => Ok(Datum::F64(double(*x))),
            Datum::F16(x) => Ok(Datum::F16(f16::from_f32(single(x.to_f32())))),
            Datum::BF16(x) => Ok(Datum::BF16(bf16::from_f32(single(x.to_f32())))),
            Datum::TF32(x) => Ok(Datum::TF32(Tf32::from_f32(single(x.to_f32())))),
            other => Err(needs("a float", other)),
        })
    }
    /// A float rule with one operand, given in double precision only: narrower formats are rounded from it.
    #[inline(always)]
    pub fn unary_real(
        &mut self,
        inst: &Inst,
        lanes: &Lanes,
        rule: impl Fn(f64) -> f64,
    ) -> EvalResult {
        self.unary_float(inst, lanes, |x| rule(x.into()) as f32, &rule)
    }
    /// A float rule with two operands.
    #[inline(always)]
    pub fn binary_float(
        &mut self,
        inst: &Inst,
        lanes: &Lanes,
        single: impl Fn(f32, f32) -> f32,
        double: impl Fn(f64, f64) -> f64,
    ) -> EvalResult {
        self.map2(inst, lanes, |x, y| match (x, y) {
            (Datum::F32(x), Datum::F32(y)) => Ok(Datum::F32(single(*x, *y))),
            (Datum::F64(x), Datum::F64(y)) => Ok(Datum::F64(double(*x, *y))),
            (Datum::F16(x), Datum::F16(y)) => {
                Ok(Datum::F16(f16::from_f32(single(x.to_f32(), y.to_f32()))))
            }
            (Datum::BF16(x), Datum::BF16(y)) => {
                Ok(Datum::BF16(bf16::from_f32(single(x.to_f32(), y.to_f32()))))
            }
            (Datum::TF32(x), Datum::TF32(y)) => {
                Ok(Datum::TF32(Tf32::from_f32(single(x.to_f32(), y.to_f32()))))
            }
            (other, _) => Err(needs("two floats of one format", other)),
        })
    }

    #[cold]
    fn arity(&self, inst: &Inst) -> EvalError {
        self.error(
            inst,
            "has another number of operands or results than its rule expects",
        )
    }
    #[inline(always)]
    fn finish(&self, inst: &Inst, done: Result<(), Fault>) -> EvalResult {
        match done {
            Ok(()) => Ok(Flow::Next),
            Err(fault) => Err(self.error(inst, fault)),
        }
    }
}

/// The width of an integer format; 64 where an op that does not verify has another.
#[inline]
fn int_width(elem: Option<Elem>) -> IntWidth {
    elem.and_then(Elem::int_width).unwrap_or(IntWidth::INDEX)
}

#[cold]
fn needs(wanted: &str, found: &Datum) -> Fault {
    Fault::new(format!("needs {wanted}, not {}", found.describe()))
}

/// Applies a scalar rule to the elements of vectors of one shape.
fn lift(
    inst: &Inst,
    vectors: &[&ArrayValue],
    rule: impl Fn(&[Datum]) -> Result<Datum, Fault>,
) -> Result<Datum, Fault> {
    let shape = vectors[0].shape();
    if vectors.iter().any(|vector| vector.shape() != shape) {
        return Err(Fault::new("needs vectors of one shape"));
    }
    let elem = inst
        .result_elem
        .ok_or_else(|| Fault::new("has no element format for its result"))?;
    let count = vectors[0].len();
    let mut elements = Elements::with_capacity(elem, count);
    let mut row = vec![Datum::Unit; vectors.len()];
    for position in 0..count {
        for (value, vector) in row.iter_mut().zip(vectors) {
            *value = vector.get(position).unwrap_or_default();
        }
        let value = rule(&row)?;
        elements
            .push(&value)
            .ok_or_else(|| needs("elements of its result's format", &value))?;
    }
    ArrayValue::new(elem, shape.to_vec(), elements)
        .map(Datum::vector)
        .ok_or_else(|| Fault::new("builds a vector of another shape"))
}
