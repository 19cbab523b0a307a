//! How large sizes are where a launch is reached: upper bounds of host values by the conditions around them.
//!
//! ```text
//! n * m < main.top.0 [32768], k < main.red0.warp [17]    ==>    n * k <= 32767 * 16, m * k <= 32767 * 16
//! 264 / max(T, 1) >= 2, T = ceildiv(n, 64) * ceildiv(m, 64)    ==>    n * m <= 132 * 64 * 64
//! k / max(min(turns, 8), 1) < main.red0.block [129]             ==>    k <= 129 * 8 - 1
//! ```
//! Values are sums of products of sizes, none of them negative. A condition bounds products; those of fewer factors are
//! bounded with them, since arrays without elements do not count. Thresholds have their defaults.
//!
//! Bounds decide which versions are worth their code, never whether a launch is right: that is checked when it happens.

use rustc_hash::FxHashMap;
use segra_ir::interfaces::Threshold;
use segra_ir::stack::deep;
use segra_ir::{Ir, Op, Value};
use segra_std::arith::{
    AddIOp, AndIOp, CeilDivSIOp, CmpIOp, CmpIPredicate, DivSIOp, DivUIOp, MaxSIOp, MaxUIOp,
    MinSIOp, MinUIOp, MulIOp, OrIOp, RemSIOp, RemUIOp, XOrIOp,
};
use segra_std::memref::DimOp;

/// Factors, sorted.
type Product = Vec<Value>;

/// Sums of more products, and products of more factors, are taken as one value.
const MOST: usize = 24;
const MOST_FACTORS: usize = 6;

/// Both operands of an op of one of some kinds.
macro_rules! operands {
    ($ir:expr, $value:expr, $($op:ty),*) => {
        None$(.or_else(|| $ir.def_as::<$op>($value).map(|op| (op.lhs($ir), op.rhs($ir)))))*
    };
}

/// The comparison with a threshold that a condition is.
pub(super) fn asked(ir: &Ir, condition: Value) -> Option<(Op, &'static dyn Threshold)> {
    let op = ir.defining_op(condition)?;
    Some((op, ir.interface::<dyn Threshold>(op)?))
}

/// The condition that does not hold where `condition` does.
pub(super) fn negated(ir: &Ir, condition: Value) -> Option<Value> {
    let (x, y) = operands!(ir, condition, XOrIOp)?;
    (ir.constant_int(y).is_some_and(|y| y & 1 != 0)).then_some(x)
}

/// The operands of a conjunction.
pub(super) fn conjunction(ir: &Ir, condition: Value) -> Option<(Value, Value)> {
    operands!(ir, condition, AndIOp)
}

/// The operands of a disjunction.
pub(super) fn disjunction(ir: &Ir, condition: Value) -> Option<(Value, Value)> {
    operands!(ir, condition, OrIOp)
}

/// The conditions that are known, as upper bounds of products.
pub(super) struct Facts<'a> {
    ir: &'a Ir,
    most: FxHashMap<Product, i128>,
    known: FxHashMap<Value, Option<i128>>,
}

impl<'a> Facts<'a> {
    pub(super) fn new(ir: &'a Ir) -> Facts<'a> {
        Facts {
            ir,
            most: FxHashMap::default(),
            known: FxHashMap::default(),
        }
    }

    /// A condition holds, or does not.
    pub(super) fn assume(&mut self, condition: Value, holds: bool) {
        let ir = self.ir;
        if let Some(inner) = negated(ir, condition) {
            deep(|| self.assume(inner, !holds));
        } else if let Some((op, asked)) = asked(ir, condition) {
            let default = i128::from(asked.default(ir, op));
            match holds {
                true => self.at_least(asked.size(ir, op), default),
                false => self.at_most(asked.size(ir, op), default - 1),
            }
        } else if let Some(compared) = ir.def_as::<CmpIOp>(condition) {
            self.compared(compared, holds);
        } else {
            let both = match holds {
                true => conjunction(ir, condition),
                false => disjunction(ir, condition),
            };
            for part in both.into_iter().flat_map(|(x, y)| [x, y]) {
                deep(|| self.assume(part, holds));
            }
        }
    }

    fn compared(&mut self, compared: CmpIOp, holds: bool) {
        use CmpIPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let (value, limit) = (compared.lhs(self.ir), compared.rhs(self.ir));
        let Some(limit) = self.ir.constant_int(limit).map(i128::from) else {
            return;
        };
        let predicate = compared.predicate(self.ir);
        match if holds {
            predicate
        } else {
            predicate.negated()
        } {
            Sle | Ule => self.at_most(value, limit),
            Slt | Ult => self.at_most(value, limit - 1),
            Sge | Uge => self.at_least(value, limit),
            Sgt | Ugt => self.at_least(value, limit + 1),
            Eq => {
                self.at_most(value, limit);
                self.at_least(value, limit);
            }
            // One that is not its least is more.
            Ne if self.least(value) == limit => self.at_least(value, limit + 1),
            Ne => {}
        }
    }

    fn constant(&self, value: Value) -> Option<i128> {
        self.ir.constant_int(value).map(i128::from)
    }

    /// A number that a value is not below.
    fn least(&self, value: Value) -> i128 {
        let maximum = operands!(self.ir, value, MaxSIOp, MaxUIOp);
        let sides = maximum.map_or([None; 2], |(x, y)| [self.constant(x), self.constant(y)]);
        sides.into_iter().flatten().fold(0, i128::max)
    }

    /// A quotient: the dividend, the divisor, and how much is added to the dividend before it is rounded down.
    fn quotient(&self, value: Value) -> Option<(Value, Value, i128)> {
        let ir = self.ir;
        if let Some((x, by)) = operands!(ir, value, CeilDivSIOp) {
            return Some((x, by, self.constant(by).map_or(0, |by| by - 1)));
        }
        let (x, by) = operands!(ir, value, DivUIOp, DivSIOp)?;
        let sum = operands!(ir, x, AddIOp);
        let sum = sum.and_then(|(x, more)| Some((x, self.constant(more)?)));
        let (x, more) = sum.filter(|&(_, more)| more >= 0).unwrap_or((x, 0));
        Some((x, by, more))
    }

    /// The first of the values that are the same dimension of an array.
    fn extent(&self, value: Value) -> Value {
        let ir = self.ir;
        let known = |value: Value| {
            let dim = ir.def_as::<DimOp>(value)?;
            Some((dim.source(ir), ir.constant_int(dim.index(ir))?))
        };
        let Some(wanted) = known(value) else {
            return value;
        };
        let others = ir.users(wanted.0).filter(|&user| ir.isa::<DimOp>(user));
        others
            .map(|user| ir.result(user, 0))
            .filter(|&other| known(other) == Some(wanted))
            .min()
            .unwrap_or(value)
    }

    /// A value as products with their coefficients; `None` for those with negative parts.
    fn terms(&self, value: Value) -> Option<Vec<(i128, Product)>> {
        let value = self.extent(value);
        let one = vec![(1, vec![value])];
        if let Some(constant) = self.constant(value) {
            return (constant >= 0).then(|| vec![(constant, Vec::new())]);
        }
        if let Some((x, y)) = operands!(self.ir, value, AddIOp) {
            let mut sum = deep(|| self.terms(x))?;
            sum.extend(deep(|| self.terms(y))?);
            return Some(if sum.len() > MOST { one } else { sum });
        }
        let Some((x, y)) = operands!(self.ir, value, MulIOp) else {
            return Some(one);
        };
        let (x, y) = (deep(|| self.terms(x))?, deep(|| self.terms(y))?);
        let mut found = Vec::new();
        for (a, left) in &x {
            for (b, right) in &y {
                let mut factors = [left.as_slice(), right].concat();
                factors.sort_unstable();
                found.push((a.checked_mul(*b)?, factors));
            }
        }
        let long = found
            .iter()
            .any(|(_, factors)| factors.len() > MOST_FACTORS);
        Some(if found.len() > MOST || long {
            one
        } else {
            found
        })
    }

    fn at_most(&mut self, value: Value, most: i128) {
        let Some(terms) = self.terms(value) else {
            return;
        };
        let is_constant = |term: &&(i128, Product)| term.1.is_empty();
        let constants: i128 = terms.iter().filter(is_constant).map(|term| term.0).sum();
        for (times, factors) in terms {
            if factors.is_empty() || times < 1 {
                continue;
            }
            let most = (most - constants) / times;
            self.product_at_most(&factors, most);
            // A product of quotients that are rounded up is at least that of the dividends, divided.
            let mut whole = (Product::new(), Some(most));
            for &factor in &factors {
                let (x, by) = self.dividend(factor).unwrap_or((factor, 1));
                match self.terms(x).as_deref() {
                    Some([(1, factors)]) => whole.0.extend(factors),
                    _ => whole.0.push(x),
                }
                whole.1 = whole.1.and_then(|most| most.checked_mul(by));
            }
            if let (false, Some(most)) = (whole.0 == factors, whole.1) {
                whole.0.sort_unstable();
                self.product_at_most(&whole.0, most);
            }
        }
    }

    /// The number of parts that a whole is divided into, where their length is at least such a part's.
    fn parts(&self, whole: Value, length: Value) -> Option<Value> {
        let ir = self.ir;
        if let Some((x, y)) = operands!(ir, length, MaxSIOp) {
            deep(|| self.parts(whole, x).or_else(|| self.parts(whole, y)))
        } else if let Some((times, unit)) = operands!(ir, length, MulIOp) {
            // A multiple of a unit, rounded up.
            let times = operands!(ir, times, MaxSIOp).map_or(times, |(times, _)| times);
            let (x, by) = self.dividend(times)?;
            (self.constant(unit) == Some(by)).then(|| deep(|| self.parts(whole, x)))?
        } else {
            let (x, parts) = operands!(ir, length, CeilDivSIOp)?;
            (x == whole).then_some(parts)
        }
    }

    /// Dividend and divisor of a quotient that is rounded up.
    fn dividend(&self, value: Value) -> Option<(Value, i128)> {
        let (x, by, more) = self.quotient(value)?;
        let by = self.constant(by)?;
        (by > 0 && more >= by - 1).then_some((x, by))
    }

    /// Bounds a product, and each product of some of its factors where the others are not 0.
    fn product_at_most(&mut self, factors: &[Value], most: i128) {
        if factors.len() > MOST_FACTORS {
            return;
        }
        for chosen in 1..1usize << factors.len() {
            let (mut some, mut others) = (Product::new(), true);
            for (index, &factor) in factors.iter().enumerate() {
                match chosen >> index & 1 {
                    1 => some.push(factor),
                    _ => others &= self.counts(factor),
                }
            }
            if !others {
                continue;
            }
            let single = (some.len() == 1).then(|| some[0]);
            let known = self.most.entry(some).or_insert(i128::MAX);
            if *known <= most {
                continue;
            }
            *known = most;
            self.known.clear();
            if let Some(value) = single {
                deep(|| self.value_at_most(value, most));
            }
        }
    }

    /// The operands of a value that is bounded.
    fn value_at_most(&mut self, value: Value, most: i128) {
        if let Some((x, y)) = operands!(self.ir, value, MaxSIOp, MaxUIOp) {
            self.at_most(x, most);
            self.at_most(y, most);
        } else if let Some((x, by, more)) = self.quotient(value)
            && let Some(by) = self.upper(by).filter(|&by| by > 0)
            && let Some(most) = most.checked_mul(by)
        {
            self.at_most(x, most + by - 1 - more);
        }
    }

    /// Whether a value is not 0 where arrays have elements.
    fn counts(&self, value: Value) -> bool {
        let ir = self.ir;
        let both = |(x, y)| deep(|| self.counts(x)) && deep(|| self.counts(y));
        if let Some(constant) = self.constant(value) {
            constant > 0
        } else if let Some((x, y)) = operands!(ir, value, MaxSIOp, MaxUIOp, AddIOp) {
            deep(|| self.counts(x)) || deep(|| self.counts(y))
        } else if let Some(factors) = operands!(ir, value, MulIOp, MinSIOp, MinUIOp) {
            both(factors)
        } else if self.quotient(value).is_some() {
            self.dividend(value)
                .is_some_and(|(x, _)| deep(|| self.counts(x)))
        } else {
            // A size of the program's.
            operands!(ir, value, RemSIOp, RemUIOp).is_none()
        }
    }

    fn at_least(&mut self, value: Value, least: i128) {
        let ir = self.ir;
        if let Some((x, y)) = operands!(ir, value, MaxSIOp, MaxUIOp) {
            for (x, y) in [(x, y), (y, x)] {
                if self.constant(y).is_some_and(|y| y < least) {
                    deep(|| self.at_least(x, least));
                }
            }
        } else if let Some((x, y)) = operands!(ir, value, MinSIOp, MinUIOp) {
            deep(|| self.at_least(x, least));
            deep(|| self.at_least(y, least));
        } else if let Some((x, by, 0)) = self.quotient(value)
            && least > 0
            && let Some(x) = self.upper(x)
        {
            self.at_most(by, x / least);
        }
    }

    /// The largest a value can be.
    pub(super) fn upper(&mut self, value: Value) -> Option<i128> {
        let mut sum = 0i128;
        for (times, factors) in self.terms(value)? {
            let product = self.product(&factors)?;
            sum = sum.checked_add(times.checked_mul(product)?)?;
        }
        Some(sum)
    }

    fn product(&mut self, factors: &[Value]) -> Option<i128> {
        let Some((&first, rest)) = factors.split_first() else {
            return Some(1);
        };
        let mut best = None;
        let mut offer = |found: Option<i128>| best = smaller(best, found);
        let known: Vec<(Vec<Value>, i128)> = self
            .most
            .iter()
            .filter(|(product, _)| product.len() > 1 && product.contains(&first))
            .filter_map(|(product, &most)| Some((without(factors, product)?, most)))
            .collect();
        for (others, most) in known {
            offer(deep(|| self.product(&others)).and_then(|others| most.checked_mul(others)));
        }
        offer(self.product_of_dividends(factors));
        for &value in factors {
            // A minimum is at most either; of trees of minima, whose ways double, only [`Self::single`] knows.
            let minimum = |value: Value| operands!(self.ir, value, MinSIOp, MinUIOp);
            if let Some((x, y)) = minimum(value).filter(|_| !rest.is_empty())
                && (minimum(x).is_none() || minimum(y).is_none())
                && let Some(others) = without(factors, &[value])
            {
                for one in [x, y] {
                    offer(deep(|| self.product(&[&others[..], &[one]].concat())));
                }
            }
            // A quotient times what its divisor is a share of.
            let Some((x, y)) = operands!(self.ir, value, DivUIOp, DivSIOp) else {
                continue;
            };
            for &whole in factors {
                if let Some(times) = self.share(y, whole).filter(|&times| times > 1)
                    && let Some(others) = without(factors, &[value, whole])
                    && let Some(x) = deep(|| self.upper(x)).and_then(|x| x.checked_mul(times))
                {
                    offer(deep(|| self.product(&others)).and_then(|rest| x.checked_mul(rest)));
                }
            }
        }
        if let Some(first) = self.single(first) {
            offer(deep(|| self.product(rest)).and_then(|rest| first.checked_mul(rest)));
        }
        if !rest.is_empty() {
            offer(self.product_of_quotients(factors));
        }
        best
    }

    /// The largest that a product with a quotient and its divisor can be: these two are at most the dividend.
    fn product_of_dividends(&mut self, factors: &[Value]) -> Option<i128> {
        let mut best = None;
        for &value in factors {
            let Some((x, y)) = operands!(self.ir, value, DivUIOp, DivSIOp) else {
                continue;
            };
            let maximum = operands!(self.ir, y, MaxSIOp).filter(|_| self.least(y) == 1);
            for by in maximum.map_or([y, y], |(a, b)| [a, b]) {
                if let Some(others) = without(factors, &[value, by])
                    && let Some(x) = deep(|| self.upper(x))
                {
                    let found = deep(|| self.product(&others));
                    best = smaller(best, found.and_then(|rest| x.checked_mul(rest)));
                }
            }
        }
        best
    }

    /// How often a value has to be taken at most, so that it is no less than `whole`.
    fn share(&self, value: Value, whole: Value) -> Option<i128> {
        let ir = self.ir;
        if value == whole {
            return Some(1);
        }
        if let Some((x, y)) = operands!(ir, value, MinSIOp, MinUIOp) {
            let of = |value| deep(|| self.share(value, whole));
            return Some(i128::max(of(x)?, of(y)?));
        }
        if let Some((x, y)) = operands!(ir, value, MaxSIOp, MaxUIOp) {
            return deep(|| self.share(x, whole)).or_else(|| deep(|| self.share(y, whole)));
        }
        let (x, by, more) = self.quotient(value)?;
        let by = self.constant(by).filter(|&by| by > 0)?;
        (x == whole && more >= by - 1).then_some(by)
    }

    /// The largest that a product with quotients by constants can be, by that of the dividends:
    /// `(x + a) / b * y <= (x * y + a * y) / b`.
    fn product_of_quotients(&mut self, factors: &[Value]) -> Option<i128> {
        // Products of dividends with their coefficients.
        let (mut sum, mut divisor) = (vec![(1i128, Product::new())], 1i128);
        let mut any = false;
        for &factor in factors {
            let quotient = self.quotient(factor);
            let constant = |(x, by, more)| Some((x, self.constant(by).filter(|&by| by > 0)?, more));
            let (x, by, more) = quotient.and_then(constant).unwrap_or((factor, 1, 0));
            any |= x != factor;
            divisor = divisor.checked_mul(by)?;
            let mut dividend = self.terms(x)?;
            dividend.push((more, Product::new()));
            let mut product = Vec::new();
            for (a, left) in &sum {
                for (b, right) in dividend.iter().filter(|term| term.0 > 0) {
                    product.push((a.checked_mul(*b)?, [left.as_slice(), right].concat()));
                }
            }
            sum = product;
            let long = sum.iter().any(|term| term.1.len() > MOST_FACTORS);
            if sum.len() > MOST || long {
                return None;
            }
        }
        if !any {
            return None;
        }
        let mut total = 0i128;
        for (times, factors) in sum {
            let product = deep(|| self.product(&factors))?;
            total = total.checked_add(times.checked_mul(product)?)?;
        }
        Some(total / divisor)
    }

    /// The largest that a value can be which is no sum and no product.
    fn single(&mut self, value: Value) -> Option<i128> {
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        let found = deep(|| self.find_single(value));
        self.known.insert(value, found);
        found
    }

    fn find_single(&mut self, value: Value) -> Option<i128> {
        let ir = self.ir;
        let said = self.most.get([value].as_slice()).copied();
        let smaller = |a: Option<i128>, b: Option<i128>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let found = if let Some((x, y)) = operands!(ir, value, MinSIOp, MinUIOp, RemSIOp, RemUIOp) {
            smaller(self.upper(x), self.upper(y))
        } else if let Some((x, y)) = operands!(ir, value, MaxSIOp, MaxUIOp) {
            match (self.upper(x), self.upper(y)) {
                (Some(x), Some(y)) => Some(x.max(y)),
                _ => None,
            }
        } else if let Some((x, by, more)) = self.quotient(value) {
            let parts = self.parts(x, by).and_then(|parts| self.upper(parts));
            let by = self.constant(by).filter(|&by| by > 0).unwrap_or(1);
            smaller(self.upper(x).map(|x| (x + more) / by), parts)
        } else {
            None
        };
        smaller(said, found)
    }
}

/// The smaller one of two bounds, where there are both.
fn smaller(one: Option<i128>, other: Option<i128>) -> Option<i128> {
    match (one, other) {
        (Some(one), Some(other)) => Some(i128::min(one, other)),
        (one, other) => one.or(other),
    }
}

/// The factors that are left after those of a part; `None` where the part has others.
fn without(factors: &[Value], part: &[Value]) -> Option<Vec<Value>> {
    let mut left = factors.to_vec();
    for factor in part {
        let at = left.iter().position(|other| other == factor)?;
        left.remove(at);
    }
    Some(left)
}
