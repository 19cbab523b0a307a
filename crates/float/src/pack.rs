//! Between bits and numbers: taking apart, rounding, `f64`.

use crate::format::{FloatKind, Layout, Special};
use crate::number::{Number, QUIET, Round};
use crate::significand::Significand;
use Number::{Finite, Infinite, Nan};

impl FloatKind {
    /// The number that these bits stand for. Those of `f80` that no processor makes ([`FloatKind::is_canonical`]) stand for
    /// what their fields say.
    #[inline]
    pub fn unpack<S: Significand>(self, bits: u128) -> Number<S> {
        let layout = self.layout();
        let (negative, power, fraction) = layout.fields(bits);
        if (power == 0 || power == layout.ones)
            && let Some(special) = special(layout, negative, power, fraction)
        {
            return special;
        }
        let hidden = power != 0 && layout.special != Special::ExplicitOne;
        Finite {
            negative,
            significand: S::from(fraction | u128::from(hidden) << layout.mantissa),
            exponent: power.max(1) as i32 - layout.bias - layout.mantissa as i32,
        }
    }

    /// The bits of the number that `number` becomes when it is rounded once: its last bit may be sticky where it has at least
    /// two more than the format. Of NaNs, the payload is cut to what there is space for.
    #[inline]
    pub fn pack<S: Significand>(self, number: &Number<S>, round: Round) -> u128 {
        let layout = self.layout();
        match number {
            &Nan { negative, payload } => layout.nan(negative, payload),
            &Infinite { negative } => layout.overflow(negative),
            Finite {
                negative,
                significand,
                exponent,
            } => match layout.special {
                Special::PowersOfTwo => {
                    power_of_two(layout, *negative, significand, *exponent, round)
                }
                _ => rounded(layout, *negative, significand, *exponent, round),
            },
        }
    }

    /// The same, but the largest finite number where the result is beyond it; infinities are too.
    #[inline]
    pub fn pack_saturating<S: Significand>(self, number: &Number<S>, round: Round) -> u128 {
        let layout = self.layout();
        let bits = self.pack(number, round);
        let without_sign = layout.special == Special::PowersOfTwo;
        let overflown = match number {
            Nan { .. } => false,
            _ if number.is_negative() && without_sign => false,
            Infinite { .. } => true,
            Finite { negative, .. } => bits == layout.overflow(*negative),
        };
        match overflown {
            true => layout.assembled(number.is_negative(), layout.largest),
            false => bits,
        }
    }

    /// The bits of the number of this format nearest to `value`, ties to even; of its quiet NaN without a payload.
    pub fn encode(self, value: f64) -> u128 {
        match FloatKind::F64.unpack::<u128>(value.to_bits().into()) {
            Nan { negative, .. } => self.layout().nan(negative, QUIET),
            number => self.pack(&number, Round::NearestEven),
        }
    }

    /// The number these bits stand for: exact for every format but `f80` and `f128`, which are rounded to nearest, ties to
    /// even.
    pub fn decode(self, bits: u128) -> f64 {
        let bits = match self.unpack::<u128>(bits) {
            Nan { negative, .. } => FloatKind::F64.layout().nan(negative, QUIET),
            number => FloatKind::F64.pack(&number, Round::NearestEven),
        };
        f64::from_bits(bits as u64)
    }
}

/// The infinity or NaN that fields stand for, or the power of two of a format without fractions.
#[inline]
fn special<S: Significand>(
    layout: &Layout,
    negative: bool,
    power: u32,
    fraction: u128,
) -> Option<Number<S>> {
    let ones = power == layout.ones;
    let all = (1 << layout.mantissa) - 1;
    let nan = |negative, payload| Some(Nan { negative, payload });
    match layout.special {
        Special::Ieee | Special::ExplicitOne if ones => match fraction & all {
            0 => Some(Infinite { negative }),
            fraction => nan(negative, fraction << (u128::BITS - layout.mantissa)),
        },
        Special::OnesNan if ones && fraction == all => nan(negative, QUIET),
        Special::NegativeZeroNan if negative && power == 0 && fraction == 0 => nan(false, QUIET),
        Special::PowersOfTwo if ones => nan(false, QUIET),
        Special::PowersOfTwo => Some(Finite {
            negative,
            significand: S::from(1),
            exponent: power as i32 - layout.bias,
        }),
        _ => None,
    }
}

/// The bits of a result beyond the largest number.
fn beyond(layout: &Layout, negative: bool, round: Round) -> u128 {
    match round.stops_at_largest(negative) {
        true => layout.assembled(negative, layout.largest),
        false => layout.overflow(negative),
    }
}

#[inline]
fn rounded<S: Significand>(
    layout: &Layout,
    negative: bool,
    significand: &S,
    exponent: i32,
    round: Round,
) -> u128 {
    let bits = significand.bits();
    let (top, least) = (exponent + bits as i32 - 1, layout.least);
    let unsigned_zero = layout.special == Special::NegativeZeroNan;
    let beyond = || beyond(layout, negative, round);
    if bits == 0 {
        return layout.assembled(negative && !unsigned_zero, 0);
    }
    if top > layout.ones as i32 - layout.bias {
        return beyond();
    }
    // The exponent of the last stored bit.
    let quantum = top.max(least) - layout.mantissa as i32;
    let count = match u32::try_from(quantum - exponent) {
        Ok(down) if down > 0 => {
            let (kept, lost) = significand.clone().cut(down);
            let kept = kept.low();
            kept + u128::from(round.increments(negative, kept & 1 == 1, lost))
        }
        _ => significand.low() << (exponent - quantum),
    };
    // The leading one, and a carry out of the mantissa, raise the exponent by themselves.
    let power = (top - least).max(0).unsigned_abs();
    let magnitude = match layout.is_narrow() {
        true => u128::from((u64::from(power) << layout.mantissa) + count as u64),
        false => (u128::from(power) << layout.mantissa) + count,
    };
    match magnitude {
        0 => layout.assembled(negative && !unsigned_zero, 0),
        magnitude if magnitude > layout.largest => beyond(),
        magnitude => layout.assembled(negative, magnitude),
    }
}

/// Rounds to a format of powers of two: ties go to the even power; zero and numbers below the least power become the least
/// power, negative ones NaN.
fn power_of_two<S: Significand>(
    layout: &Layout,
    negative: bool,
    significand: &S,
    exponent: i32,
    round: Round,
) -> u128 {
    let bits = significand.bits();
    if negative {
        return layout.nan(true, QUIET);
    }
    if bits == 0 {
        return 0;
    }
    let top = exponent + bits as i32 - 1;
    let (_, lost) = significand.clone().cut(bits - 1);
    let up = round.increments(false, top & 1 == 1, lost);
    match u128::try_from(top + i32::from(up) + layout.bias) {
        Err(_) => 0,
        Ok(power) if power <= layout.largest => power,
        Ok(_) => beyond(layout, negative, round),
    }
}
