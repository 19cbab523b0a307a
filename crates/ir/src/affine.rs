//! Affine expressions as they are built: simplified on the way, exactly as MLIR does it, so that equal maps have
//! equal text in both.
//!
//! Constants are folded and stand on the right, equal terms are collected, quotients and remainders of multiples
//! are resolved. Arithmetic that would overflow is left as written. Deliberately absent: normal forms beyond that
//! (an expression is not flattened), and division by what is not a positive constant.

use crate::attrs::{AffineExpr, AffineMap};
use AffineExpr::{Add, CeilDiv, Constant, Dim, FloorDiv, Mod, Mul, Symbol};

impl AffineMap {
    /// Whether it is `(d0, d1, ...) -> (d0, d1, ...)`, without symbols.
    pub fn is_identity(&self) -> bool {
        let ordered = |(index, expr): (usize, &AffineExpr)| *expr == Dim(index as u32);
        self.symbols == 0
            && self.results.len() == self.dims as usize
            && self.results.iter().enumerate().all(ordered)
    }
}

/// Building expressions.
impl AffineExpr {
    /// `left + right`
    pub fn sum(left: AffineExpr, right: AffineExpr) -> AffineExpr {
        simplify_sum(left, right)
            .unwrap_or_else(|(left, right)| Add(Box::new(in_order(left, right))))
    }
    /// `left - right`
    pub fn difference(left: AffineExpr, right: AffineExpr) -> AffineExpr {
        AffineExpr::sum(left, AffineExpr::product(right, Constant(-1)))
    }
    /// `left * right`, one of which is symbolic (see [`AffineExpr::is_symbolic`]).
    pub fn product(left: AffineExpr, right: AffineExpr) -> AffineExpr {
        simplify_product(left, right)
    }
    /// `left floordiv right`
    pub fn floor_div(left: AffineExpr, right: AffineExpr) -> AffineExpr {
        simplify_floor_div(left, right)
    }
    /// `left ceildiv right`
    pub fn ceil_div(left: AffineExpr, right: AffineExpr) -> AffineExpr {
        simplify_ceil_div(left, right)
    }
    /// `left mod right`
    pub fn remainder(left: AffineExpr, right: AffineExpr) -> AffineExpr {
        simplify_mod(left, right)
    }
    /// Whether no dimension occurs in it.
    pub fn is_symbolic(&self) -> bool {
        match self {
            Dim(_) => false,
            Symbol(_) | Constant(_) => true,
            Add(pair) | Mul(pair) | FloorDiv(pair) | CeilDiv(pair) | Mod(pair) => {
                pair.0.is_symbolic() && pair.1.is_symbolic()
            }
        }
    }
    /// A number that divides its value whatever dimensions and symbols are; as large as is easily seen.
    pub fn known_divisor(&self) -> i64 {
        match self {
            Dim(_) | Symbol(_) => 1,
            Constant(value) => value.wrapping_abs(),
            Mul(pair) => pair.0.known_divisor().wrapping_mul(pair.1.known_divisor()),
            Add(pair) | Mod(pair) => {
                gcd(pair.0.known_divisor() as u64, pair.1.known_divisor() as u64) as i64
            }
            FloorDiv(pair) | CeilDiv(pair) => match pair.1 {
                Constant(by) if by != 0 => {
                    let divisor = pair.0.known_divisor();
                    match divisor.wrapping_rem(by) {
                        0 => divisor.wrapping_div(by).wrapping_abs(),
                        _ => 1,
                    }
                }
                _ => 1,
            },
        }
    }
    /// Splits `expr * constant`; anything else is itself times 1.
    fn factor(&self) -> (&AffineExpr, i64) {
        match self {
            Mul(pair) => match pair.1 {
                Constant(factor) => (&pair.0, factor),
                _ => (self, 1),
            },
            _ => (self, 1),
        }
    }
    fn is_constant(&self) -> bool {
        matches!(self, Constant(_))
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Whether `divisor` divides `value`; it is not 0.
fn divides(divisor: i64, value: i64) -> bool {
    value.wrapping_rem(divisor) == 0
}

/// Dimensions before symbols, each by number; other operands stay as they are.
fn in_order(left: AffineExpr, right: AffineExpr) -> (AffineExpr, AffineExpr) {
    let swap = match (&left, &right) {
        (Symbol(a), Symbol(b)) | (Dim(a), Dim(b)) => a >= b,
        (Symbol(_), Dim(_)) => true,
        _ => false,
    };
    if swap { (right, left) } else { (left, right) }
}

/// A simpler form of the sum, or the operands back.
fn simplify_sum(
    left: AffineExpr,
    right: AffineExpr,
) -> Result<AffineExpr, (AffineExpr, AffineExpr)> {
    if let (Constant(a), Constant(b)) = (&left, &right) {
        return a.checked_add(*b).map(Constant).ok_or((left, right));
    }
    if left.is_constant() || left.is_symbolic() && !right.is_symbolic() {
        return Ok(AffineExpr::sum(right, left));
    }
    match (left, right) {
        (left, Constant(0)) => Ok(left),
        (Add(pair), Constant(b)) if pair.1.is_constant() => {
            let (inner, constant) = *pair;
            let Constant(a) = constant else {
                return Ok(AffineExpr::sum(inner, Constant(b)));
            };
            Ok(AffineExpr::sum(inner, Constant(a.wrapping_add(b))))
        }
        (left, right) => {
            let ((a, times_a), (b, times_b)) = (left.factor(), right.factor());
            if a == b {
                return Ok(AffineExpr::product(
                    a.clone(),
                    Constant(times_a.wrapping_add(times_b)),
                ));
            }
            match left {
                // The constant goes to the right: (d0 + 2) + d1 is (d0 + d1) + 2.
                Add(pair) if pair.1.is_constant() => {
                    let (inner, constant) = *pair;
                    Ok(AffineExpr::sum(AffineExpr::sum(inner, right), constant))
                }
                left => sum_as_remainder(left, right),
            }
        }
    }
}

/// `a - (a floordiv q) * q` is `a mod q`.
fn sum_as_remainder(
    left: AffineExpr,
    right: AffineExpr,
) -> Result<AffineExpr, (AffineExpr, AffineExpr)> {
    let parts = match &right {
        Mul(pair) => &**pair,
        _ => return Err((left, right)),
    };
    if let (Mul(inner), Constant(-1)) = parts {
        let FloorDiv(quotient) = &inner.0 else {
            return Err((left, right));
        };
        if quotient.1 == inner.1 && left == quotient.0 {
            let by = inner.1.clone();
            return Ok(AffineExpr::remainder(left, by));
        }
    }
    let FloorDiv(quotient) = &parts.0 else {
        return Err((left, right));
    };
    if let (Constant(by @ 1..), Constant(factor)) = (&quotient.1, &parts.1)
        && *factor == -by
        && left == quotient.0
    {
        return Ok(AffineExpr::remainder(left, Constant(*by)));
    }
    match left {
        // The last term of a longer sum may fit: (x + a) - (a floordiv q) * q.
        Add(pair) => {
            let (first, last) = *pair;
            match simplify_sum(last, right) {
                Ok(simpler) => Ok(AffineExpr::sum(first, simpler)),
                Err((last, right)) => Err((Add(Box::new((first, last))), right)),
            }
        }
        left => Err((left, right)),
    }
}

fn simplify_product(left: AffineExpr, right: AffineExpr) -> AffineExpr {
    if let (Constant(a), Constant(b)) = (&left, &right) {
        return match a.checked_mul(*b) {
            Some(product) => Constant(product),
            None => Mul(Box::new((left, right))),
        };
    }
    let right_symbolic = right.is_symbolic();
    if !right_symbolic && !left.is_symbolic() {
        return Mul(Box::new((left, right)));
    }
    if !right_symbolic || left.is_constant() {
        return AffineExpr::product(right, left);
    }
    match (left, right) {
        (left, Constant(1)) => left,
        (_, Constant(0)) => Constant(0),
        (Mul(pair), right) if pair.1.is_constant() => {
            let (inner, constant) = *pair;
            match (constant, right) {
                (Constant(a), Constant(b)) => {
                    AffineExpr::product(inner, Constant(a.wrapping_mul(b)))
                }
                (constant, right) => {
                    AffineExpr::product(AffineExpr::product(inner, right), constant)
                }
            }
        }
        (left, right) => Mul(Box::new(in_order(left, right))),
    }
}

fn simplify_floor_div(left: AffineExpr, right: AffineExpr) -> AffineExpr {
    let Constant(by) = right else {
        return FloorDiv(Box::new((left, right)));
    };
    if by == 0 {
        return FloorDiv(Box::new((left, right)));
    }
    if let Constant(value) = left {
        return match value.checked_div(by) {
            Some(quotient) => Constant(
                quotient - i64::from(value.wrapping_rem(by) != 0 && (value < 0) != (by < 0)),
            ),
            None => FloorDiv(Box::new((left, right))),
        };
    }
    if by == 1 {
        return left;
    }
    match left {
        Mul(pair) => match *pair {
            (inner, Constant(factor)) if divides(by, factor) => {
                AffineExpr::product(inner, Constant(factor.wrapping_div(by)))
            }
            pair => FloorDiv(Box::new((Mul(Box::new(pair)), right))),
        },
        Add(pair) if divides(by, pair.0.known_divisor()) || divides(by, pair.1.known_divisor()) => {
            let (a, b) = *pair;
            AffineExpr::sum(
                AffineExpr::floor_div(a, Constant(by)),
                AffineExpr::floor_div(b, Constant(by)),
            )
        }
        left => FloorDiv(Box::new((left, right))),
    }
}

fn simplify_ceil_div(left: AffineExpr, right: AffineExpr) -> AffineExpr {
    let Constant(by) = right else {
        return CeilDiv(Box::new((left, right)));
    };
    if by == 0 {
        return CeilDiv(Box::new((left, right)));
    }
    if let Constant(value) = left {
        return match value.checked_div(by) {
            Some(quotient) => Constant(
                quotient + i64::from(value.wrapping_rem(by) != 0 && (value < 0) == (by < 0)),
            ),
            None => CeilDiv(Box::new((left, right))),
        };
    }
    match left {
        left if by == 1 => left,
        Mul(pair) => match *pair {
            (inner, Constant(factor)) if divides(by, factor) => {
                AffineExpr::product(inner, Constant(factor.wrapping_div(by)))
            }
            pair => CeilDiv(Box::new((Mul(Box::new(pair)), right))),
        },
        left => CeilDiv(Box::new((left, right))),
    }
}

fn simplify_mod(left: AffineExpr, right: AffineExpr) -> AffineExpr {
    let Constant(by @ 1..) = right else {
        return Mod(Box::new((left, right)));
    };
    if let Constant(value) = left {
        return Constant(value.rem_euclid(by));
    }
    if divides(by, left.known_divisor()) {
        return Constant(0);
    }
    match left {
        Add(pair) if divides(by, pair.0.known_divisor()) => AffineExpr::remainder(pair.1, right),
        Add(pair) if divides(by, pair.1.known_divisor()) => AffineExpr::remainder(pair.0, right),
        Mod(pair) if matches!(pair.1, Constant(inner @ 1..) if inner % by == 0) => {
            AffineExpr::remainder(pair.0, right)
        }
        left => Mod(Box::new((left, right))),
    }
}
