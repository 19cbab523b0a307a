//! Indices that leave an array, and the elements that stand for those beyond its edges: rules shared by the ops that read
//! neighbours at the levels of arrays and of kernels.
//!
//! Every rule is defined for any distance, so arrays smaller than a neighbourhood have no cases of their own. With `n`
//! elements `a b c d`, from the third element before the first on:
//!
//! | rule | before | behind | numpy's `pad` | scipy.ndimage |
//! |---|---|---|---|---|
//! | `clamp` | `a a a` | `d d d` | `edge` | `nearest` |
//! | `mirror` | `d c b` | `c b a` | `reflect` | `mirror` |
//! | `symmetric` | `c b a` | `d c b` | `symmetric` | `reflect` |
//! | `wrap` | `b c d` | `a b c` | `wrap` | `wrap` (`grid-wrap`) |
//!
//! `mirror` does not repeat the edge, `symmetric` does; libraries disagree about which of them is called mirror
//! (Accelerate's does not repeat it).

use crate::arith::{CmpIPredicate, RemSIOp, SelectOp, index};
use segra_ir::{Builder, Value, enum_attr};

enum_attr! {
    /// The element that stands for one at an index outside of an array.
    Boundary, BoundaryAttr, "a rule for indices outside of an array", 32, {
        /// The nearest element.
        Clamp = "clamp" = 0,
        /// The element as far inside of the edge element; the edge element itself is not repeated.
        Mirror = "mirror" = 1,
        /// The element as far inside of the edge; the edge element is repeated.
        Symmetric = "symmetric" = 2,
        /// The element at the index modulo the extent.
        Wrap = "wrap" = 3,
        /// No element: a value that is given beside.
        Outside = "outside" = 4,
        /// No element: the index must not leave the array.
        Inside = "inside" = 5,
    }
}

impl Boundary {
    /// Whether an element of the array stands for each outside of it.
    pub fn is_total(self) -> bool {
        !matches!(self, Boundary::Outside | Boundary::Inside)
    }

    /// The index of the element that stands for `at` in a dimension of `extent` elements; `None`: there is none.
    ///
    /// ```
    /// use segra_std::boundary::Boundary;
    /// let near: Vec<Option<i64>> = (-3..7).map(|at| Boundary::Mirror.resolve(at, 4)).collect();
    /// assert_eq!(near, [3, 2, 1, 0, 1, 2, 3, 2, 1, 0].map(Some));
    /// assert_eq!(Boundary::Outside.resolve(-1, 4), None);
    /// ```
    pub fn resolve(self, at: i64, extent: i64) -> Option<i64> {
        if extent <= 0 {
            return None;
        }
        match self {
            Boundary::Clamp => Some(at.clamp(0, extent - 1)),
            Boundary::Mirror => {
                let period = 2 * (i128::from(extent) - 1);
                let at = i128::from(at).rem_euclid(period.max(1));
                i64::try_from(at.min(period - at)).ok()
            }
            Boundary::Symmetric => {
                let period = 2 * i128::from(extent);
                let at = i128::from(at).rem_euclid(period);
                i64::try_from(at.min(period - 1 - at)).ok()
            }
            Boundary::Wrap => Some(at.rem_euclid(extent)),
            Boundary::Outside | Boundary::Inside => (0..extent).contains(&at).then_some(at),
        }
    }

    /// The same as ops. `extent` is at least 1; where the rule is not total, the result is an index of the array all the
    /// same, of an element that nobody takes.
    pub fn emit(self, b: &mut Builder<'_>, at: Value, extent: Value) -> Value {
        let one = index::constant(b, 1);
        match self {
            Boundary::Clamp | Boundary::Outside | Boundary::Inside => {
                let (zero, last) = (index::constant(b, 0), index::sub(b, extent, one));
                let low = index::max(b, at, zero);
                index::min(b, low, last)
            }
            Boundary::Mirror => {
                let last = index::sub(b, extent, one);
                let period = index::add(b, last, last);
                // Of one element the period is 0, and every index is that of the element.
                let divisor = index::max(b, period, one);
                let at = modulo(b, at, divisor);
                let back = index::sub(b, period, at);
                index::min(b, at, back)
            }
            Boundary::Symmetric => {
                let period = index::add(b, extent, extent);
                let at = modulo(b, at, period);
                let last = index::sub(b, period, one);
                let back = index::sub(b, last, at);
                index::min(b, at, back)
            }
            Boundary::Wrap => modulo(b, at, extent),
        }
    }
}

/// `at` modulo a positive divisor: not negative.
fn modulo(b: &mut Builder<'_>, at: Value, divisor: Value) -> Value {
    let rest = RemSIOp::build(b, at, divisor).result(b.ir);
    let zero = index::constant(b, 0);
    let negative = index::cmp(b, CmpIPredicate::Slt, rest, zero);
    let more = index::add(b, rest, divisor);
    SelectOp::build(b, negative, more, rest).result(b.ir)
}

/// Whether all indices are those of elements, as a value; 1 of none.
pub fn inside(b: &mut Builder<'_>, indices: &[Value], extents: &[Value]) -> Value {
    let mut all = None;
    for (&at, &extent) in indices.iter().zip(extents) {
        // As unsigned numbers, negative indices are beyond every extent.
        let here = index::cmp(b, CmpIPredicate::Ult, at, extent);
        all = Some(match all {
            Some(all) => crate::arith::AndIOp::build(b, all, here).result(b.ir),
            None => here,
        });
    }
    match all {
        Some(all) => all,
        None => {
            let ty = b.ctx().i1();
            crate::arith::ConstantOp::int(b, 1, ty)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Boundary;

    /// Elements from `-far` to `n + far` by a rule, as numpy pads them.
    fn padded(rule: Boundary, n: i64, far: i64) -> Vec<i64> {
        (-far..n + far)
            .map(|at| rule.resolve(at, n).expect("is total"))
            .collect()
    }

    #[test]
    fn rules_are_those_of_numpy_at_any_distance() {
        // np.pad(np.arange(3), 7, mode=...)
        let wanted = [
            (
                Boundary::Clamp,
                [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2],
            ),
            (
                Boundary::Mirror,
                [1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2, 1, 0, 1],
            ),
            (
                Boundary::Symmetric,
                [0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2],
            ),
            (
                Boundary::Wrap,
                [2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0],
            ),
        ];
        for (rule, wanted) in wanted {
            assert_eq!(padded(rule, 3, 7), wanted, "{rule:?}");
            assert_eq!(padded(rule, 1, 4), [0; 9], "{rule:?}");
        }
    }

    #[test]
    fn distances_never_grow_but_by_wrapping() {
        for rule in [Boundary::Clamp, Boundary::Mirror, Boundary::Symmetric] {
            for n in 1..6 {
                for at in -20..20i64 {
                    let (here, next) = (rule.resolve(at, n), rule.resolve(at + 1, n));
                    let far = (here.expect("is total") - next.expect("is total")).abs();
                    assert!(far <= 1, "{rule:?} {n} {at}");
                }
            }
        }
    }
}
