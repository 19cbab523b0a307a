//! Congruences: what is known about the remainders of an index expression.
//!
//! A [`Congruence`] is a set `{ residue + modulus * t }` over all integers t: modulus 0 is exactly the residue, modulus 1
//! everything. As with intervals, every operation returns a set that contains all results on members of its operands for
//! which it is defined. A fact that does not fit is weakened to everything.
//!
//! Invariant: `0 <= residue < modulus` where the modulus is not 0.

/// The largest modulus kept; products of two residues fit an `i128`.
const LARGEST: i128 = 1 << 62;

/// A residue class of integers, or a single one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Congruence {
    modulus: i128,
    residue: i128,
}

impl Congruence {
    /// Every integer.
    pub const ALL: Self = Self {
        modulus: 1,
        residue: 0,
    };

    /// Exactly `value`.
    #[must_use]
    pub fn point(value: i64) -> Self {
        Self {
            modulus: 0,
            residue: value.into(),
        }
    }

    /// The multiples of `factor`; every integer where it is below 1.
    #[must_use]
    pub fn multiple_of(factor: i64) -> Self {
        Self::new(factor, 0)
    }

    /// The integers that leave `residue` when divided by `modulus`; every integer where the modulus is below 1.
    #[must_use]
    pub fn new(modulus: i64, residue: i64) -> Self {
        if modulus < 1 {
            return Self::ALL;
        }
        Self::reduced(modulus.into(), residue.into())
    }

    /// Whether `value` is a member.
    #[must_use]
    pub fn contains(self, value: i64) -> bool {
        let value = i128::from(value);
        match self.modulus {
            0 => value == self.residue,
            modulus => value.rem_euclid(modulus) == self.residue,
        }
    }

    /// All members are multiples of `factor`, which is not 0.
    #[must_use]
    pub fn is_multiple_of(self, factor: i64) -> bool {
        let factor = i128::from(factor);
        factor != 0 && self.modulus % factor == 0 && self.residue % factor == 0
    }

    /// The only member, if there is one and it fits an `i64`.
    #[must_use]
    pub fn single(self) -> Option<i64> {
        match self.modulus {
            0 => i64::try_from(self.residue).ok(),
            _ => None,
        }
    }

    /// No integer is in both.
    #[must_use]
    pub fn is_disjoint(self, other: Self) -> bool {
        match gcd(self.modulus, other.modulus) {
            0 => self.residue != other.residue,
            common => (self.residue - other.residue) % common != 0,
        }
    }

    /// The conjunction of both facts. Contradicting operands yield `self`: an impossible fact must not license any rewrite.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        if self.is_disjoint(other) || self.modulus == 0 {
            return self;
        }
        if other.modulus == 0 {
            return other;
        }
        let (finer, coarser) = match self.modulus >= other.modulus {
            true => (self, other),
            false => (other, self),
        };
        let common = gcd(finer.modulus, coarser.modulus);
        let factor = coarser.modulus / common;
        // Of the finer one's members below the least common multiple, one is in both. Few enough are tried.
        if factor > 64 || finer.modulus > LARGEST / factor {
            return finer;
        }
        let both = (0..factor)
            .map(|t| finer.residue + finer.modulus * t)
            .find(|member| (member - coarser.residue) % coarser.modulus == 0);
        both.map_or(finer, |member| {
            Self::reduced(finer.modulus * factor, member)
        })
    }

    /// The smallest class around both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        let distance = self.residue - other.residue;
        let modulus = gcd(gcd(self.modulus, other.modulus), distance);
        Self::reduced(modulus, self.residue)
    }

    fn reduced(modulus: i128, residue: i128) -> Self {
        let modulus = modulus.abs();
        if modulus > LARGEST || (modulus == 0 && residue.abs() > LARGEST * 2) {
            return Self::ALL;
        }
        let residue = match modulus {
            0 => residue,
            _ => residue.rem_euclid(modulus),
        };
        Self { modulus, residue }
    }

    pub(crate) fn add(self, other: Self) -> Self {
        let modulus = gcd(self.modulus, other.modulus);
        Self::reduced(modulus, self.residue + other.residue)
    }

    pub(crate) fn sub(self, other: Self) -> Self {
        let modulus = gcd(self.modulus, other.modulus);
        Self::reduced(modulus, self.residue - other.residue)
    }

    pub(crate) fn mul(self, other: Self) -> Self {
        let products = [
            self.modulus.checked_mul(other.modulus),
            self.modulus.checked_mul(other.residue),
            self.residue.checked_mul(other.modulus),
        ];
        let [Some(a), Some(b), Some(c)] = products else {
            return Self::ALL;
        };
        match self.residue.checked_mul(other.residue) {
            Some(residue) => Self::reduced(gcd(gcd(a, b), c), residue),
            None => Self::ALL,
        }
    }

    pub(crate) fn floor_div(self, other: Self) -> Self {
        match other.single() {
            Some(k) if k > 0 && self.modulus % i128::from(k) == 0 => {
                let k = i128::from(k);
                Self::reduced(self.modulus / k, self.residue.div_euclid(k))
            }
            _ => Self::ALL,
        }
    }

    pub(crate) fn ceil_div(self, other: Self) -> Self {
        let zero = Self::point(0);
        zero.sub(zero.sub(self).floor_div(other))
    }

    /// Remainder with the sign of the divisor: the dividend less a multiple of the divisor.
    pub(crate) fn modulo(self, other: Self) -> Self {
        match other.single() {
            Some(k) if k > 0 && self.modulus % i128::from(k) == 0 => Self {
                modulus: 0,
                residue: self.residue.rem_euclid(k.into()),
            },
            Some(0) => Self::ALL,
            _ => {
                let modulus = gcd(gcd(self.modulus, other.modulus), other.residue);
                match modulus {
                    0 => Self::ALL,
                    _ => Self::reduced(modulus, self.residue),
                }
            }
        }
    }
}

/// The greatest common divisor; of 0 and 0, 0.
fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn class_with_member() -> impl Strategy<Value = (Congruence, i64)> {
        (0i64..13, -20i64..20, -3i64..4).prop_map(|(modulus, residue, t)| match modulus {
            0 => (Congruence::point(residue), residue),
            _ => (Congruence::new(modulus, residue), residue + modulus * t),
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn results_lie_in_the_class((x, a) in class_with_member(), (y, b) in class_with_member()) {
            prop_assert!(x.contains(a));
            prop_assert!(x.add(y).contains(a + b));
            prop_assert!(x.sub(y).contains(a - b));
            prop_assert!(x.mul(y).contains(a * b));
            prop_assert!(x.hull(y).contains(a) && x.hull(y).contains(b));
            if b != 0 {
                let quotient = (a as f64 / b as f64).floor() as i64;
                prop_assert!(x.floor_div(y).contains(quotient), "{x:?} / {y:?}");
                prop_assert!(x.modulo(y).contains(a - quotient * b), "{x:?} % {y:?}");
                prop_assert!(x.ceil_div(y).contains((a as f64 / b as f64).ceil() as i64));
            }
            if y.contains(a) {
                prop_assert!(x.intersect(y).contains(a), "{x:?} and {y:?}");
                prop_assert!(!x.is_disjoint(y));
            }
            for factor in 1..13 {
                prop_assert!(!x.is_multiple_of(factor) || a % factor == 0);
            }
        }
    }

    #[test]
    fn multiples_stay_multiples() {
        let thirds = Congruence::multiple_of(96);
        assert_eq!(
            thirds.floor_div(Congruence::point(32)),
            Congruence::multiple_of(3)
        );
        assert_eq!(
            thirds
                .add(Congruence::point(5))
                .modulo(Congruence::point(32))
                .single(),
            Some(5)
        );
        assert_eq!(thirds.mul(Congruence::ALL), Congruence::multiple_of(96));
        let both = Congruence::new(4, 3).intersect(Congruence::new(6, 1));
        assert_eq!(both, Congruence::new(12, 7));
        assert!(Congruence::new(4, 3).is_disjoint(Congruence::new(6, 2)));
    }

    #[test]
    fn what_does_not_fit_is_weakened() {
        let large = Congruence::multiple_of(i64::MAX);
        assert_eq!(large.mul(large), Congruence::ALL);
        assert_eq!(Congruence::multiple_of(0), Congruence::ALL);
        assert_eq!(
            Congruence::point(7).modulo(Congruence::point(0)),
            Congruence::ALL
        );
    }
}
