//! The possible values of integers: bounds and divisors (`IntRange`).
//!
//! Ops say it of their results (`InferIntRanges`), loops of their induction variables (`LoopLike::bounds`). A value that
//! grows around a loop is given up after a while.

use super::forward::{ForwardAnalysis, Lattice};
use segra_ir::attrs::Splat;
use segra_ir::int_range::{InferIntRanges, IntRange, gcd};
use segra_ir::integer::element_bytes;
use segra_ir::interfaces::LoopLike;
use segra_ir::types::{DYNAMIC, TypeKind};
use segra_ir::{Attr, AttrKind, Ir, Op, Value};
use smallvec::SmallVec;

/// The fact about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeFact {
    /// It is an integer among these.
    Among(IntRange),
    /// It is no integer, or a wide one.
    Other,
}

impl RangeFact {
    /// The integers it may be.
    pub fn range(self) -> Option<IntRange> {
        match self {
            RangeFact::Among(range) => Some(range),
            RangeFact::Other => None,
        }
    }
}

impl Lattice for RangeFact {
    fn join(&mut self, other: &Self) -> bool {
        let joined = match (*self, *other) {
            (RangeFact::Among(a), RangeFact::Among(b)) => RangeFact::Among(a.joined(b)),
            _ => RangeFact::Other,
        };
        std::mem::replace(self, joined) != joined
    }
}

/// The analysis of bounds and divisors of integers.
#[derive(Clone, Copy, Debug, Default)]
pub struct IntRanges;

impl ForwardAnalysis for IntRanges {
    type Fact = RangeFact;
    fn unknown(&self, ir: &Ir, value: Value) -> RangeFact {
        let width = IntRange::width_of(ir.ctx(), ir.value_type(value));
        width.map_or(RangeFact::Other, |width| {
            RangeFact::Among(IntRange::full(width))
        })
    }
    fn transfer(
        &self,
        ir: &Ir,
        op: Op,
        operands: &[RangeFact],
        _fact_of: &dyn Fn(Value) -> Option<RangeFact>,
    ) -> SmallVec<[RangeFact; 1]> {
        let ranges: SmallVec<[Option<IntRange>; 4]> =
            operands.iter().map(|fact| fact.range()).collect();
        let model = ir.interface::<dyn InferIntRanges>(op);
        match model.and_then(|model| model.infer_int_range(ir, op, &ranges)) {
            Some(range) if ir.num_results(op) == 1 => {
                SmallVec::from_slice(&[RangeFact::Among(range)])
            }
            _ => ir
                .results(op)
                .map(|result| self.unknown(ir, result))
                .collect(),
        }
    }
    fn own_argument(
        &self,
        ir: &Ir,
        op: Op,
        argument: Value,
        fact_of: &dyn Fn(Value) -> Option<RangeFact>,
    ) -> RangeFact {
        let found = ir.interface::<dyn LoopLike>(op).and_then(|looped| {
            let position = looped
                .induction_vars(ir, op)
                .iter()
                .position(|&var| var == argument)?;
            let bounds = *looped.bounds(ir, op).get(position)?;
            let [lower, upper, step] = [bounds.lower, bounds.upper, bounds.step]
                .map(|value| fact_of(value).and_then(RangeFact::range));
            let (lower, upper, step) = (lower?, upper?, step?);
            // The body runs only below the upper bound, and the step is positive.
            let range = if bounds.unsigned {
                IntRange::unsigned(lower.width, lower.umin.into(), i128::from(upper.umax) - 1)
            } else {
                IntRange::signed(lower.width, lower.smin.into(), i128::from(upper.smax) - 1)
            };
            // The last step may go past the bound, but the body then does not see it: values do not wrap.
            let divisor = if bounds.unsigned {
                1
            } else {
                gcd(lower.divisor, step.divisor)
            };
            Some(RangeFact::Among(range.with_divisor(divisor)))
        });
        found.unwrap_or_else(|| self.unknown(ir, argument))
    }
    fn constant(&self, ir: &Ir, value: Value, fact: &RangeFact) -> Option<Attr> {
        let range = fact.range()?;
        let (ctx, ty) = (ir.ctx(), ir.value_type(value));
        let single = range.single()?;
        if ty.is_integer_or_index(ctx) {
            return Some(ctx.int_attr(single.into(), ty));
        }
        // A fact about every element makes a constant where it is known how many there are.
        let fixed = ty.shaped(ctx)?.0.iter().all(|&extent| extent != DYNAMIC);
        let constant = matches!(
            ctx.type_kind(ty),
            TypeKind::Vector { .. } | TypeKind::Tensor { .. }
        );
        let data = element_bytes(&single.into(), range.width);
        (fixed && constant).then(|| {
            ctx.attr(AttrKind::DenseElements {
                ty,
                data,
                splat: Splat::Yes,
            })
        })
    }
    fn widen(&self, ir: &Ir, value: Value, fact: RangeFact) -> RangeFact {
        match (self.unknown(ir, value), fact) {
            (RangeFact::Among(full), RangeFact::Among(range)) => {
                RangeFact::Among(full.with_divisor(range.divisor))
            }
            (unknown, _) => unknown,
        }
    }
}
