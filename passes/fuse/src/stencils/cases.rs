//! Indices that are brought back into an array by any choices, minima, maxima and remainders: told by cases.
//!
//! ```text
//! select(i - 1 < 0, 1 - i, i - 1)       i - 1 < 0:  1 - i       mirror by -1:  i - 1 < 0:  1 - i
//!                                       i - 1 >= 0: i - 1                      i - 1 >= 0: i - 1
//! ```
//! An index is a linear function of the map's index `i` and the extent `n` in each of several cases, which are linear inequalities.
//! So is the index that a rule gives. Both are the same where in no case of both together one can be larger than the other, for
//! any `0 <= i < n` and any `n` that there may be: whether inequalities have a solution is found by elimination of `i`
//! (Fourier and Motzkin). Solutions need not be integers, so that some indices are not recognised, and none wrongly.
//!
//! Remainders are by `n` and what is made of it, where the divisor is positive and the quotient is small in every case; unsigned ones of
//! numbers that are not negative. Coefficients are small ([`LARGEST`], [`LARGEST_CONSTANT`]), so that sums of an array's extents do not wrap around.
//!
//! The forms that programs mostly have are told without cases ([`held`](super::held)).

use super::held::{Held, Moved, either};
use super::{Extent, constant};
use rustc_hash::FxHashMap;
use segra_ir::Value;
use segra_std::arith::{self, CmpIPredicate};
use segra_std::boundary::Boundary;

/// Cases of a value, ops of an index, and inequalities of a case, at most.
const MOST_CASES: usize = 32;
const MOST_OPS: usize = 64;
const MOST_INEQUALITIES: usize = 48;
/// The largest quotient of a remainder.
const QUOTIENT: i64 = 3;
/// The largest coefficient, and the largest constant.
const LARGEST: i64 = 1 << 12;
const LARGEST_CONSTANT: i64 = 1 << 48;

/// `index * i + extent * n + constant`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Linear {
    index: i64,
    extent: i64,
    constant: i64,
}

impl Linear {
    fn number(constant: i64) -> Linear {
        Linear {
            constant,
            ..Linear::default()
        }
    }

    /// The sum with so many times another one.
    fn plus(self, other: Linear, times: i64) -> Option<Linear> {
        let add = |x: i64, y: i64, most: i64| {
            let sum = x.checked_add(y.checked_mul(times)?)?;
            (-most..=most).contains(&sum).then_some(sum)
        };
        Some(Linear {
            index: add(self.index, other.index, LARGEST)?,
            extent: add(self.extent, other.extent, LARGEST)?,
            constant: add(self.constant, other.constant, LARGEST_CONSTANT)?,
        })
    }
}

/// Numbers that are not negative, all of them.
type Case = Vec<Linear>;
/// A value by cases, one of which holds.
type Cases = Vec<(Case, Linear)>;

/// The search for the cases of an index.
struct Search<'a> {
    held: Held<'a>,
    /// The map's index.
    base: Option<Value>,
    ops: usize,
    known: FxHashMap<Value, Cases>,
}

/// The index of a map that is held within an extent by a rule, and what is added to it.
pub(super) fn by_rule(held: Held<'_>, value: Value) -> Option<(Moved, Boundary)> {
    let mut search = Search {
        held,
        base: None,
        ops: 0,
        known: FxHashMap::default(),
    };
    let cases = search.cases(value)?;
    let base = search.base?;
    let mut offsets: Vec<i64> = Vec::new();
    for (_, linear) in &cases {
        let inside = (linear.index, linear.extent) == (1, 0);
        if inside && !offsets.contains(&linear.constant) {
            offsets.push(linear.constant);
        }
    }
    let rules = [
        Boundary::Clamp,
        Boundary::Wrap,
        Boundary::Mirror,
        Boundary::Symmetric,
    ];
    for offset in offsets {
        for rule in rules {
            if search.is(&cases, rule, offset) == Some(true) {
                return Some(((base, offset), rule));
            }
        }
    }
    None
}

impl Search<'_> {
    fn extent(&self) -> Linear {
        match self.held.within {
            Extent::Constant(known) => Linear::number(known),
            _ => Linear {
                extent: 1,
                ..Linear::default()
            },
        }
    }

    /// Whether a case can be, for an index of the map.
    fn can_be(&self, case: &[Linear]) -> bool {
        let mut all = case.to_vec();
        let index = Linear {
            index: 1,
            ..Linear::default()
        };
        let last = self.extent().plus(Linear::number(-1), 1);
        let below = last.and_then(|last| last.plus(index, -1));
        let least = self
            .extent()
            .plus(Linear::number(self.held.least.max(1)), -1);
        all.push(index);
        all.extend(below);
        all.extend(least);
        has_solution(&all)
    }

    /// A value by cases, each of which can be.
    fn cases(&mut self, value: Value) -> Option<Cases> {
        if let Some(known) = self.known.get(&value) {
            return Some(known.clone());
        }
        self.ops += 1;
        if self.ops > MOST_OPS {
            return None;
        }
        let cases = self.cases_of(value)?;
        self.known.insert(value, cases.clone());
        Some(cases)
    }

    fn cases_of(&mut self, value: Value) -> Option<Cases> {
        let ir = self.held.ir;
        if let Some(known) = constant(ir, value) {
            let number = Linear::default().plus(Linear::number(known), 1)?;
            return Some(vec![(Vec::new(), number)]);
        }
        if self.held.is_extent(value) {
            return Some(vec![(Vec::new(), self.extent())]);
        }
        if let Some((base, offset)) = self.held.of_map(value) {
            if *self.base.get_or_insert(base) != base {
                return None;
            }
            let index = Linear {
                index: 1,
                ..Linear::number(offset)
            };
            return Some(vec![(Vec::new(), Linear::default().plus(index, 1)?)]);
        }
        let op = ir.defining_op(value)?;
        if let Some(select) = ir.cast::<arith::SelectOp>(op) {
            return self.chosen(select);
        }
        let (x, y) = match ir.operands(op).collect::<Vec<_>>()[..] {
            [x, y] => (x, y),
            _ => return None,
        };
        if let Some(product) = ir.cast::<arith::MulIOp>(op) {
            let (x, factor) = either((product.lhs(ir), product.rhs(ir)), |x, factor| {
                Some((x, constant(ir, factor)?))
            })?;
            let cases = self.cases(x)?.into_iter();
            let scaled = |(case, value): (Case, Linear)| {
                Some((case, Linear::default().plus(value, factor)?))
            };
            return cases.map(scaled).collect();
        }
        let pairs = self.pairs(x, y)?;
        let mut found = Vec::new();
        for (case, x, y) in pairs {
            let with =
                |more: Option<Linear>, value: Linear| Some(([&case[..], &[more?]].concat(), value));
            let (above, below) = (x.plus(y, -1), y.plus(x, -1));
            if ir.isa::<arith::AddIOp>(op) {
                found.push((case, x.plus(y, 1)?));
            } else if ir.isa::<arith::SubIOp>(op) {
                found.push((case, above?));
            } else if ir.isa::<arith::MaxSIOp>(op) {
                found.extend([with(above, x)?, with(below, y)?]);
            } else if ir.isa::<arith::MinSIOp>(op) {
                found.extend([with(below, x)?, with(above, y)?]);
            } else if ir.isa::<arith::RemSIOp>(op) || ir.isa::<arith::RemUIOp>(op) {
                found.extend(self.remainders(&case, (x, y), ir.isa::<arith::RemSIOp>(op))?);
            } else {
                return None;
            }
        }
        self.kept(found.into_iter())
    }

    /// A value that a condition chooses, by cases.
    fn chosen(&mut self, select: arith::SelectOp) -> Option<Cases> {
        let ir = self.held.ir;
        let [holds, fails] = self.truth(select.condition(ir))?;
        let (is, is_not) = (
            self.cases(select.true_value(ir))?,
            self.cases(select.false_value(ir))?,
        );
        let chosen = [(holds, is), (fails, is_not)];
        self.kept(chosen.into_iter().flat_map(|(conditions, values)| {
            let both = move |condition: Case| {
                let values = values.clone().into_iter();
                values.map(move |(case, value)| ([condition.clone(), case].concat(), value))
            };
            conditions.into_iter().flat_map(both)
        }))
    }

    /// Those that can be, if they are few.
    fn kept(&self, cases: impl Iterator<Item = (Case, Linear)>) -> Option<Cases> {
        let mut kept = Vec::new();
        for (case, value) in cases {
            if case.len() > MOST_INEQUALITIES || kept.len() == MOST_CASES {
                return None;
            }
            if self.can_be(&case) {
                kept.push((case, value));
            }
        }
        Some(kept)
    }

    /// Two values by cases of both.
    fn pairs(&mut self, x: Value, y: Value) -> Option<Vec<(Case, Linear, Linear)>> {
        let (xs, ys) = (self.cases(x)?, self.cases(y)?);
        let mut pairs = Vec::new();
        for (case, x) in &xs {
            for (other, y) in &ys {
                let both = [&case[..], other].concat();
                if pairs.len() == MOST_CASES || both.len() > MOST_INEQUALITIES {
                    return None;
                }
                if self.can_be(&both) {
                    pairs.push((both, *x, *y));
                }
            }
        }
        Some(pairs)
    }

    /// `x rem y`, whose quotient is rounded to 0.
    fn remainders(&self, case: &[Linear], (x, y): (Linear, Linear), signed: bool) -> Option<Cases> {
        let one = Linear::number(1);
        let beyond = |more: Option<Linear>| Some(self.can_be(&[case, &[more?]].concat()));
        let minus = Linear::default().plus(x, -1)?;
        // No divisor that is 0 or less; no quotient beyond those that are tried; no sign that is lost.
        let bad = beyond(Linear::default().plus(y, -1))?
            || beyond(x.plus(y, -QUOTIENT - 1))?
            || beyond(minus.plus(y, -QUOTIENT - 1))?
            || !signed && beyond(minus.plus(one, -1))?;
        if bad {
            return None;
        }
        let mut found = Vec::new();
        for quotient in 0..=QUOTIENT {
            let rest = x.plus(y, -quotient)?;
            let below = y.plus(rest, -1)?.plus(one, -1)?;
            found.push(([case, &[rest, below]].concat(), rest));
            // Of a number that is negative, so is the rest.
            let rest = minus.plus(y, -quotient)?;
            let below = y.plus(rest, -1)?.plus(one, -1)?;
            let negative = minus.plus(one, -1)?;
            let opposite = Linear::default().plus(rest, -1)?;
            found.push(([case, &[negative, rest, below]].concat(), opposite));
        }
        Some(found)
    }

    /// The parts of a case in which two numbers compare so, and those in which they do not.
    fn comparison(
        &self,
        predicate: CmpIPredicate,
        case: &[Linear],
        (x, y): (Linear, Linear),
    ) -> Option<[Vec<Case>; 2]> {
        let one = Linear::number(1);
        let at_least = x.plus(y, -1)?;
        let less = y.plus(x, -1)?.plus(one, -1)?;
        let more = at_least.plus(one, -1)?;
        let at_most = y.plus(x, -1)?;
        let with = |more: &[Linear]| [case, more].concat();
        let negative = Linear::default().plus(x, -1)?.plus(one, -1)?;
        // As unsigned numbers, negative ones are beyond those that are not.
        let is_size = |y: Linear| {
            let below = Linear::default().plus(y, -1)?.plus(one, -1)?;
            (!self.can_be(&with(&[below]))).then_some(())
        };
        let (yes, no): (Vec<Case>, Vec<Case>) = match predicate {
            CmpIPredicate::Slt => (vec![with(&[less])], vec![with(&[at_least])]),
            CmpIPredicate::Sle => (vec![with(&[at_most])], vec![with(&[more])]),
            CmpIPredicate::Sgt => (vec![with(&[more])], vec![with(&[at_most])]),
            CmpIPredicate::Sge => (vec![with(&[at_least])], vec![with(&[less])]),
            CmpIPredicate::Eq => (
                vec![with(&[at_least, at_most])],
                vec![with(&[less]), with(&[more])],
            ),
            CmpIPredicate::Ne => (
                vec![with(&[less]), with(&[more])],
                vec![with(&[at_least, at_most])],
            ),
            CmpIPredicate::Ult => {
                is_size(y)?;
                (
                    vec![with(&[x, less])],
                    vec![with(&[negative]), with(&[at_least])],
                )
            }
            CmpIPredicate::Uge => {
                is_size(y)?;
                (
                    vec![with(&[negative]), with(&[at_least])],
                    vec![with(&[x, less])],
                )
            }
            _ => return None,
        };
        Some([yes, no])
    }

    /// The cases in which a condition holds, and those in which it does not.
    fn truth(&mut self, condition: Value) -> Option<[Vec<Case>; 2]> {
        self.ops += 1;
        let ir = self.held.ir;
        let op = ir.defining_op(condition).filter(|_| self.ops <= MOST_OPS)?;
        let both = |xs: &[Case], ys: &[Case]| -> Vec<Case> {
            let with = |x: &Case| ys.iter().map(|y| [&x[..], y].concat()).collect::<Vec<_>>();
            xs.iter().flat_map(with).collect()
        };
        let few = |found: [Vec<Case>; 2]| {
            let few = found.iter().all(|cases| cases.len() <= MOST_CASES);
            few.then_some(found)
        };
        if ir.isa::<arith::AndIOp>(op) || ir.isa::<arith::OrIOp>(op) {
            let [x, no_x] = self.truth(ir.operand(op, 0))?;
            let [y, no_y] = self.truth(ir.operand(op, 1))?;
            return few(match ir.isa::<arith::AndIOp>(op) {
                true => [both(&x, &y), [no_x, both(&x, &no_y)].concat()],
                false => [[x, both(&no_x, &y)].concat(), both(&no_x, &no_y)],
            });
        }
        let compared = ir.cast::<arith::CmpIOp>(op)?;
        let (mut holds, mut fails) = (Vec::new(), Vec::new());
        for (case, x, y) in self.pairs(compared.lhs(ir), compared.rhs(ir))? {
            let [yes, no] = self.comparison(compared.predicate(ir), &case, (x, y))?;
            holds.extend(yes);
            fails.extend(no);
        }
        few([holds, fails])
    }

    /// Whether an index of these cases is `i` and the offset by a rule, for all extents that are larger than the offset.
    fn is(&self, cases: &[(Case, Linear)], rule: Boundary, offset: i64) -> Option<bool> {
        let distance = offset.checked_abs()?;
        let needed = match rule {
            Boundary::Clamp => 1,
            _ => distance.checked_add(1)?,
        };
        if !self.held.has(needed.unsigned_abs()) {
            return None;
        }
        let at = Linear {
            index: 1,
            ..Linear::number(offset)
        };
        let (one, extent) = (Linear::number(1), self.extent());
        let last = extent.plus(one, -1)?;
        let (before, behind) = match rule {
            Boundary::Clamp => (Linear::default(), last),
            Boundary::Wrap => (at.plus(extent, 1)?, at.plus(extent, -1)?),
            Boundary::Mirror => (
                Linear::default().plus(at, -1)?,
                last.plus(last, 1)?.plus(at, -1)?,
            ),
            Boundary::Symmetric => (
                Linear::number(-1).plus(at, -1)?,
                last.plus(extent, 1)?.plus(at, -1)?,
            ),
            Boundary::Outside | Boundary::Inside => return None,
        };
        let wanted = [
            (vec![Linear::default().plus(at, -1)?.plus(one, -1)?], before),
            (vec![at, last.plus(at, -1)?], at),
            (vec![at.plus(extent, -1)?], behind),
        ];
        for (case, found) in cases {
            for (condition, wanted) in &wanted {
                for differs in [found.plus(*wanted, -1)?, wanted.plus(*found, -1)?] {
                    let more = differs.plus(one, -1)?;
                    if self.can_be(&[&case[..], condition, &[more]].concat()) {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }
}

/// Whether numbers `i` and `n` make all of these at least 0; that they do where they do not is possible.
fn has_solution(all: &[Linear]) -> bool {
    let wide = |linear: &Linear| {
        let Linear {
            index,
            extent,
            constant,
        } = *linear;
        (i128::from(index), i128::from(extent), i128::from(constant))
    };
    // Without `i`: `a * n + b >= 0`.
    let mut rest: Vec<(i128, i128)> = Vec::new();
    for low in all.iter().map(wide) {
        if low.0 == 0 {
            rest.push((low.1, low.2));
        }
        for high in all.iter().map(wide).filter(|high| low.0 > 0 && high.0 < 0) {
            let (of_low, of_high) = (-high.0, low.0);
            rest.push((
                of_low * low.1 + of_high * high.1,
                of_low * low.2 + of_high * high.2,
            ));
        }
    }
    let (mut least, mut most) = (i128::from(i64::MIN), i128::from(i64::MAX));
    for (factor, constant) in rest {
        match factor {
            0 if constant < 0 => return false,
            0 => {}
            1.. => least = least.max(-constant.div_euclid(factor)),
            _ => most = most.min(constant.div_euclid(-factor)),
        }
    }
    least <= most
}

#[cfg(test)]
mod tests {
    use super::{Linear, has_solution};

    fn linear(index: i64, extent: i64, constant: i64) -> Linear {
        Linear {
            index,
            extent,
            constant,
        }
    }

    #[test]
    fn inequalities_of_an_index_and_an_extent_are_solved() {
        // 0 <= i < n, and i > n - 2, or i > n - 1.
        let inside = [linear(1, 0, 0), linear(-1, 1, -1)];
        assert!(has_solution(&[&inside[..], &[linear(1, -1, 1)]].concat()));
        assert!(!has_solution(&[&inside[..], &[linear(1, -1, 0)]].concat()));
        // n of at most 3 with an index of 3 or more.
        let small = [linear(0, -1, 3), linear(1, 0, -3)];
        assert!(!has_solution(&[&inside[..], &small].concat()));
        let larger = [linear(0, -1, 4), linear(1, 0, -3)];
        assert!(has_solution(&[&inside[..], &larger].concat()));
        // 3 <= 2 n <= 3 has none among integers.
        assert!(!has_solution(&[linear(0, 2, -3), linear(0, -2, 3)]));
    }
}
