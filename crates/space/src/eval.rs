//! Evaluation of index expressions: exact, checked, for tests, host-side launch sizes and proofs by example.
//!
//! Truth values are 0 and 1. An operation that mixes sorts is reported as a value, and if there is none, the first one in
//! topological order that overflows `i64` or divides by zero. Absent: wrapping arithmetic (what the machine does is the lowering's matter).

use crate::expr::{Arena, BinaryOp, Expr, Node, Sort, Symbol};

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// The environment gave no value for a symbol.
    #[error("no value for symbol `{name}`")]
    UnboundSymbol {
        /// The symbol.
        symbol: Symbol,
        /// Its name or number.
        name: String,
    },
    /// The exact result does not fit an `i64`.
    #[error("`{text}` overflows 64 bits")]
    Overflow {
        /// The operation.
        expr: Expr,
        /// The operation as text.
        text: String,
    },
    /// The divisor is zero.
    #[error("`{text}` divides by zero")]
    DivisionByZero {
        /// The operation.
        expr: Expr,
        /// The operation as text.
        text: String,
    },
    /// An index stands where a truth value belongs, or the other way round.
    #[error("`{text}` has an operand of the wrong sort, expected {expected:?}")]
    Sort {
        /// The operation.
        expr: Expr,
        /// The operation as text.
        text: String,
        /// The sort its operand should have.
        expected: Sort,
    },
}

/// The values of `roots`, with symbols looked up in `environment`.
///
/// # Errors
/// See [`EvalError`].
pub fn evaluate(
    arena: &Arena,
    roots: &[Expr],
    environment: &dyn Fn(Symbol) -> Option<i64>,
) -> Result<Vec<i64>, EvalError> {
    Ok(Evaluator::new(arena, roots)?.values(environment)?.to_vec())
}

/// One operation with its operands' positions in the list of values.
#[derive(Clone, Copy)]
enum Step {
    Constant(i64),
    Symbol(Symbol),
    Binary(BinaryOp, usize, usize),
    Not(usize),
    Select([usize; 3]),
}

/// Expressions prepared for evaluation under many assignments.
pub struct Evaluator<'a> {
    arena: &'a Arena,
    order: Vec<Expr>,
    steps: Vec<Step>,
    roots: Vec<usize>,
    values: Vec<i64>,
    results: Vec<i64>,
}

impl<'a> Evaluator<'a> {
    /// Prepares `roots`.
    ///
    /// # Errors
    /// [`EvalError::Sort`].
    pub fn new(arena: &'a Arena, roots: &[Expr]) -> Result<Self, EvalError> {
        let order = arena.topological(roots);
        // `order` ascends.
        let at = |expr: Expr| order.binary_search(&expr).unwrap_or_default();
        let mut steps = Vec::with_capacity(order.len());
        for &expr in &order {
            steps.push(match arena.node(expr) {
                Node::Int(value) => Step::Constant(value),
                Node::Bool(value) => Step::Constant(value.into()),
                Node::Symbol(symbol) => Step::Symbol(symbol),
                Node::Binary(op, a, b) => {
                    check_sort(arena, expr, &[a, b], op.operand_sort())?;
                    Step::Binary(op, at(a), at(b))
                }
                Node::Not(a) => {
                    check_sort(arena, expr, &[a], Sort::Bool)?;
                    Step::Not(at(a))
                }
                Node::Select {
                    condition,
                    then,
                    otherwise,
                } => {
                    check_sort(arena, expr, &[condition], Sort::Bool)?;
                    check_sort(arena, expr, &[otherwise], arena.sort(then))?;
                    Step::Select([condition, then, otherwise].map(at))
                }
            });
        }
        let roots = roots.iter().map(|&root| at(root)).collect();
        Ok(Self {
            arena,
            order,
            steps,
            roots,
            values: Vec::new(),
            results: Vec::new(),
        })
    }

    /// The values of the roots, in their order.
    ///
    /// # Errors
    /// See [`EvalError`].
    pub fn values(
        &mut self,
        environment: &dyn Fn(Symbol) -> Option<i64>,
    ) -> Result<&[i64], EvalError> {
        self.values.clear();
        for (&step, &expr) in self.steps.iter().zip(&self.order) {
            let value = match step {
                Step::Constant(value) => value,
                Step::Symbol(symbol) => {
                    environment(symbol).ok_or_else(|| EvalError::UnboundSymbol {
                        symbol,
                        name: self.arena.display(expr).to_string(),
                    })?
                }
                Step::Binary(op, a, b) => {
                    apply(self.arena, expr, op, self.values[a], self.values[b])?
                }
                Step::Not(a) => 1 - self.values[a],
                Step::Select([condition, then, otherwise]) => {
                    let taken = if self.values[condition] != 0 {
                        then
                    } else {
                        otherwise
                    };
                    self.values[taken]
                }
            };
            self.values.push(value);
        }
        self.results.clear();
        self.results
            .extend(self.roots.iter().map(|&root| self.values[root]));
        Ok(&self.results)
    }
}

fn check_sort(
    arena: &Arena,
    expr: Expr,
    operands: &[Expr],
    expected: Sort,
) -> Result<(), EvalError> {
    if operands
        .iter()
        .all(|&operand| arena.sort(operand) == expected)
    {
        return Ok(());
    }
    Err(EvalError::Sort {
        expr,
        text: arena.display(expr).to_string(),
        expected,
    })
}

fn apply(arena: &Arena, expr: Expr, op: BinaryOp, a: i64, b: i64) -> Result<i64, EvalError> {
    let result = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::FloorDiv | BinaryOp::CeilDiv | BinaryOp::Mod if b == 0 => {
            return Err(EvalError::DivisionByZero {
                expr,
                text: arena.display(expr).to_string(),
            });
        }
        BinaryOp::FloorDiv => floor_div(a, b),
        BinaryOp::CeilDiv => ceil_div(a, b),
        BinaryOp::Mod => Some(floor_mod(a, b)),
        BinaryOp::Min => Some(a.min(b)),
        BinaryOp::Max => Some(a.max(b)),
        BinaryOp::Equal => Some(i64::from(a == b)),
        BinaryOp::NotEqual => Some(i64::from(a != b)),
        BinaryOp::Less => Some(i64::from(a < b)),
        BinaryOp::LessEqual => Some(i64::from(a <= b)),
        BinaryOp::And => Some(a & b),
        BinaryOp::Or => Some(a | b),
    };
    result.ok_or_else(|| EvalError::Overflow {
        expr,
        text: arena.display(expr).to_string(),
    })
}

fn floor_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    })
}

fn ceil_div(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) == (b < 0) {
        quotient + 1
    } else {
        quotient
    })
}

fn floor_mod(a: i64, b: i64) -> i64 {
    // `wrapping_rem` because `i64::MIN % -1` is 0, yet traps where it is computed by division.
    let remainder = a.wrapping_rem(b);
    if remainder != 0 && (remainder < 0) != (b < 0) {
        remainder + b
    } else {
        remainder
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Interval;

    fn value(op: BinaryOp, a: i64, b: i64) -> Result<i64, EvalError> {
        let mut arena = Arena::new();
        let x = arena.symbol("x", Interval::ALL);
        let y = arena.symbol("y", Interval::ALL);
        let expr = arena.binary(op, x, y);
        let x = arena.as_symbol(x).expect("a symbol");
        Ok(evaluate(&arena, &[expr], &|s| Some(if s == x { a } else { b }))?[0])
    }

    #[test]
    fn division_rounds_towards_minus_infinity() {
        let quotients: Vec<_> = [(7, 2), (-7, 2), (7, -2), (-7, -2)]
            .map(|(a, b)| (value(BinaryOp::FloorDiv, a, b), value(BinaryOp::Mod, a, b)))
            .into();
        assert_eq!(
            quotients,
            [
                (Ok(3), Ok(1)),
                (Ok(-4), Ok(1)),
                (Ok(-4), Ok(-1)),
                (Ok(3), Ok(-1))
            ],
        );
        assert_eq!(value(BinaryOp::CeilDiv, 7, 2), Ok(4));
        assert_eq!(value(BinaryOp::CeilDiv, -7, 2), Ok(-3));
    }

    #[test]
    fn errors_name_the_operation() {
        assert_eq!(
            value(BinaryOp::Mod, 1, 0).map_err(|e| e.to_string()),
            Err("`x % y` divides by zero".into())
        );
        assert_eq!(
            value(BinaryOp::Add, i64::MAX, 1).map_err(|e| e.to_string()),
            Err("`x + y` overflows 64 bits".into())
        );
        assert!(matches!(
            value(BinaryOp::FloorDiv, i64::MIN, -1),
            Err(EvalError::Overflow { .. })
        ));
        assert_eq!(value(BinaryOp::Mod, i64::MIN, -1), Ok(0));
        assert!(matches!(
            value(BinaryOp::And, 1, 1),
            Err(EvalError::Sort { .. })
        ));
    }

    #[test]
    fn a_symbol_without_value_is_reported_by_name() {
        let mut arena = Arena::new();
        let n = arena.symbol("n", Interval::ALL);
        let error = evaluate(&arena, &[n], &|_| None).expect_err("unbound");
        assert_eq!(error.to_string(), "no value for symbol `n`");
    }
}
