//! Indices that are held within an extent by a rule that brings them back from beyond its edges.
//!
//! | index | rule | where |
//! |---|---|---|
//! | `min(max(i + c, 0), n - 1)`, or one side of it | clamp | the other side is not left |
//! | `(i + c) mod n` | wrap | `c >= 0` |
//! | `(i + c + n) mod n` | wrap | the extent is at least `-c`, as any is that has an index, where `c` is -1 |
//! | `((i + c) rem n + n) mod n` | wrap | everywhere |
//! | `select(i + c < 0, i + c + n, i + c)` | wrap | `c <= 0`, and the extent is at least `-c` |
//! | `select(i + c < n, i + c, i + c - n)` | wrap | `c >= 0`, and the extent is at least `c` |
//! | `max(i + c, -(i + c))` | mirror | `c <= 0`, and the extent is more than `-c` |
//! | `min(j, 2 (n - 1) - j)` of such a `j`, or of `i + c` | mirror | the extent is more than the distance |
//! | any other of choices, minima, maxima and remainders | the one that it is in every case ([`cases`](super::cases)) | the extent is more than the distance, but for clamp |
//!
//! Where an extent is too small for the distance, these indices are others than those of the rule, or leave the array, where the
//! program stops: so each needs an extent that is known to be large enough: by its type, because the map has an index at all, or
//! because the host has asked ([`versions`](super::versions)).

use super::{Counters, Extent, constant, extent, is_last, moved, of_map};
use segra_ir::{Ir, Value};
use segra_std::arith::{self, CmpIPredicate};

/// The extent that indices are held within.
#[derive(Clone, Copy)]
pub(super) struct Held<'a> {
    pub(super) ir: &'a Ir,
    pub(super) within: Extent,
    pub(super) counters: Counters<'a>,
    /// The least that an extent is which is no constant, in a map that has an index.
    pub(super) least: i64,
}

/// A sum `extent * n + index * i + value * x + constant`, for the index `i` of a map and a value `x` that is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sum {
    extent: i64,
    index: i64,
    base: Option<Value>,
    value: i64,
    constant: i64,
}

impl Sum {
    fn plus(self, other: Sum, times: i64) -> Option<Sum> {
        let add = |x: i64, y: i64| x.checked_add(y.checked_mul(times)?);
        if let (Some(x), Some(y)) = (self.base, other.base)
            && x != y
        {
            return None;
        }
        Some(Sum {
            extent: add(self.extent, other.extent)?,
            index: add(self.index, other.index)?,
            base: self.base.or(other.base),
            value: add(self.value, other.value)?,
            constant: add(self.constant, other.constant)?,
        })
    }

    fn times(self, factor: i64) -> Option<Sum> {
        Sum::default().plus(self, factor)
    }
}

/// Sums in a sum, at most.
const MOST_SUMS: usize = 16;

/// The index of a map, and what is added to it.
pub(super) type Moved = (Value, i64);

impl Held<'_> {
    pub(super) fn of_map(self, value: Value) -> Option<Moved> {
        of_map(self.ir, value, self.within, self.counters)
    }

    pub(super) fn is_extent(self, value: Value) -> bool {
        extent(self.ir, value) == self.within
    }

    /// Whether the extent is at least so large. A map over it has an index, so it is at least 1.
    pub(super) fn has(self, least: u64) -> bool {
        let known = match self.within {
            Extent::Constant(known) => u64::try_from(known).unwrap_or(0),
            _ => u64::try_from(self.least).unwrap_or(1),
        };
        least <= known
    }

    fn sum(self, value: Value) -> Option<(Value, Value)> {
        let sum = self.ir.def_as::<arith::AddIOp>(value)?;
        Some((sum.lhs(self.ir), sum.rhs(self.ir)))
    }

    /// `x` of `x rem n`, signed or not.
    fn rest(self, value: Value) -> Option<(Value, bool)> {
        let ir = self.ir;
        let unsigned = ir.def_as::<arith::RemUIOp>(value);
        let unsigned = unsigned.map(|rest| (rest.lhs(ir), rest.rhs(ir), false));
        let (x, by, signed) = unsigned.or_else(|| {
            let rest = ir.def_as::<arith::RemSIOp>(value)?;
            Some((rest.lhs(ir), rest.rhs(ir), true))
        })?;
        self.is_extent(by).then_some((x, signed))
    }

    /// `i + c` of an index that is held between the first and the last one, where it can leave the array.
    pub(super) fn clamped(self, value: Value) -> Option<Moved> {
        let ir = self.ir;
        let (mut inner, mut low, mut high) = (value, false, false);
        for _ in 0..2 {
            if let Some(most) = ir.def_as::<arith::MinSIOp>(inner) {
                let is_last = |last: Value| is_last(ir, last, self.within);
                inner = either((most.lhs(ir), most.rhs(ir)), |x, last| {
                    is_last(last).then_some(x)
                })?;
                high = true;
            } else if let Some(least) = ir.def_as::<arith::MaxSIOp>(inner) {
                inner = either((least.lhs(ir), least.rhs(ir)), |x, first| {
                    (ir.constant_int(first) == Some(0)).then_some(x)
                })?;
                low = true;
            }
        }
        let found = self.of_map(inner)?;
        let held = (low || found.1 >= 0) && (high || found.1 <= 0);
        ((low || high) && held).then_some(found)
    }

    /// `i + c` of an index that is wrapped.
    pub(super) fn wrapped(self, value: Value) -> Option<Moved> {
        let Some((inside, _)) = self.rest(value) else {
            return self.wrapped_at_one_edge(value);
        };
        if let Some((base, offset @ 0..)) = self.of_map(inside) {
            return Some((base, self.nearest(offset)));
        }
        let (raised, more) = moved(self.ir, inside, self.counters);
        if let Some(lowered) = self.raised(inside)
            && let Some((x, true)) = self.rest(lowered)
        {
            return self.of_map(x);
        }
        let (base, offset) = self.of_map(self.raised(raised)?)?;
        let offset = offset.checked_add(more)?;
        self.has(offset.min(0).unsigned_abs())
            .then_some((base, offset))
    }

    /// The smallest distance to the same element, where the extent is known: to wrap by 7 of 8 is to wrap by -1.
    fn nearest(self, offset: i64) -> i64 {
        match self.within {
            Extent::Constant(extent @ 1..) => {
                let rest = offset.rem_euclid(extent);
                rest - if rest > extent / 2 { extent } else { 0 }
            }
            _ => offset,
        }
    }

    /// `x` of `x + n`.
    fn raised(self, value: Value) -> Option<Value> {
        either(self.sum(value)?, |x, extent| {
            self.is_extent(extent).then_some(x)
        })
    }

    fn wrapped_at_one_edge(self, value: Value) -> Option<Moved> {
        let ir = self.ir;
        let select = ir.def_as::<arith::SelectOp>(value)?;
        let compared = ir.def_as::<arith::CmpIOp>(select.condition(ir))?;
        let (x, limit) = (compared.lhs(ir), compared.rhs(ir));
        let found = self.of_map(x)?;
        let (is, is_not) = (select.true_value(ir), select.false_value(ir));
        let is_zero = constant(ir, limit) == Some(0);
        let is_last = is_last(ir, limit, self.within);
        // The index that left the array, brought back, and the one that stays.
        let (low, back, stays) = match compared.predicate(ir) {
            CmpIPredicate::Slt if is_zero => (true, is, is_not),
            CmpIPredicate::Sge if is_zero => (true, is_not, is),
            CmpIPredicate::Slt if self.is_extent(limit) => (false, is_not, is),
            CmpIPredicate::Sge if self.is_extent(limit) => (false, is, is_not),
            CmpIPredicate::Sle if is_last => (false, is_not, is),
            CmpIPredicate::Sgt if is_last => (false, is, is_not),
            _ => return None,
        };
        let same = |other: Value| other == x || self.of_map(other) == Some(found);
        let one_side = if low { found.1 <= 0 } else { found.1 >= 0 };
        let fits = same(stays)
            && self.is_brought_back(back, low, found)
            && one_side
            && self.has(found.1.unsigned_abs());
        fits.then_some(found)
    }

    /// Whether a value is `i + c`, and the extent more, or less where it left at the end.
    fn is_brought_back(self, value: Value, low: bool, (base, offset): Moved) -> bool {
        let ir = self.ir;
        if let Extent::Constant(extent) = self.within {
            let wanted = offset.checked_add(if low { extent } else { -extent });
            return wanted.is_some_and(|wanted| self.of_map(value) == Some((base, wanted)));
        }
        let inner = match low {
            true => self.raised(value),
            false => ir
                .def_as::<arith::SubIOp>(value)
                .filter(|back| self.is_extent(back.rhs(ir)))
                .map(|back| back.lhs(ir)),
        };
        inner.is_some_and(|inner| self.of_map(inner) == Some((base, offset)))
    }

    /// A value as a sum, where `given` is one that stands for itself.
    fn as_sum(self, value: Value, given: Option<Value>) -> Option<Sum> {
        let mut left = MOST_SUMS;
        self.as_sum_of(value, given, &mut left)
    }

    fn as_sum_of(self, value: Value, given: Option<Value>, left: &mut usize) -> Option<Sum> {
        *left = left.checked_sub(1)?;
        let ir = self.ir;
        let number = |constant: i64| Sum {
            constant,
            ..Sum::default()
        };
        if given == Some(value) {
            return Some(Sum {
                value: 1,
                ..Sum::default()
            });
        }
        if let Some(known) = constant(ir, value) {
            return Some(number(known));
        }
        if self.is_extent(value) {
            return Some(match self.within {
                Extent::Constant(known) => number(known),
                _ => Sum {
                    extent: 1,
                    ..Sum::default()
                },
            });
        }
        if let Some((base, offset)) = self.of_map(value) {
            return Some(Sum {
                index: 1,
                base: Some(base),
                ..number(offset)
            });
        }
        let op = ir.defining_op(value)?;
        let times = match ir.isa::<arith::SubIOp>(op) {
            true => -1,
            false => 1,
        };
        if ir.isa::<arith::AddIOp>(op) || times == -1 {
            let x = self.as_sum_of(ir.operand(op, 0), given, left)?;
            return x.plus(self.as_sum_of(ir.operand(op, 1), given, left)?, times);
        }
        let product = ir.cast::<arith::MulIOp>(op)?;
        let (x, factor) = either((product.lhs(ir), product.rhs(ir)), |x, factor| {
            Some((x, constant(ir, factor)?))
        })?;
        self.as_sum_of(x, given, left)?.times(factor)
    }

    /// `2 (n - 1)`.
    fn end(self) -> Option<Sum> {
        let twice = Sum {
            extent: 2,
            constant: -2,
            ..Sum::default()
        };
        match self.within {
            Extent::Constant(extent) => Some(Sum {
                extent: 0,
                constant: extent.checked_sub(1)?.checked_mul(2)?,
                ..twice
            }),
            _ => Some(twice),
        }
    }

    /// `i + c` of an index that is mirrored.
    pub(super) fn mirrored(self, value: Value) -> Option<Moved> {
        let ir = self.ir;
        let end = self.end()?;
        let (found, at_end) = ir
            .def_as::<arith::MinSIOp>(value)
            .and_then(|least| {
                either((least.lhs(ir), least.rhs(ir)), |x, turned| {
                    let (found, at_start) = self.mirrored_at_start(x)?;
                    let itself = Sum {
                        value: 1,
                        ..Sum::default()
                    };
                    let direct = self.as_sum(turned, Some(x)) == end.plus(itself, -1);
                    let folded = || {
                        let turned = self.as_sum(turned, None);
                        turned.is_some()
                            && turned == self.as_sum(x, None).and_then(|x| end.plus(x, -1))
                    };
                    let fits = direct || !at_start && folded();
                    fits.then_some(((found, at_start), true))
                })
            })
            .or_else(|| Some((self.mirrored_at_start(value)?, false)))?;
        let (found, at_start) = found;
        let held = match found.1 {
            ..0 => at_start,
            0 => at_start || at_end,
            1.. => at_end,
        };
        let large = self.has(found.1.unsigned_abs().saturating_add(1));
        (held && large).then_some(found)
    }

    /// `i + c` of that or of its magnitude, and whether it is the magnitude.
    fn mirrored_at_start(self, value: Value) -> Option<(Moved, bool)> {
        let ir = self.ir;
        let Some(most) = ir.def_as::<arith::MaxSIOp>(value) else {
            return Some((self.of_map(value)?, false));
        };
        either((most.lhs(ir), most.rhs(ir)), |x, turned| {
            let found = self.of_map(x)?;
            // -(i + c), or -c - i.
            let opposite = self.as_sum(x, None)?.times(-1)?;
            (self.as_sum(turned, None) == Some(opposite)).then_some((found, true))
        })
    }
}

/// Both operands of an op, whichever way round they fit.
pub(super) fn either<T>(
    (x, y): (Value, Value),
    fits: impl Fn(Value, Value) -> Option<T>,
) -> Option<T> {
    fits(x, y).or_else(|| fits(y, x))
}
