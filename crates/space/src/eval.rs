//! Evaluation of index expressions: exact, checked, for tests, host-side launch sizes and proofs by example.
//!
//! Truth values are 0 and 1. The first operation, in topological order, that overflows `i64`, divides by zero or
//! mixes sorts is reported as a value. Absent: wrapping arithmetic (what the machine does is the lowering's matter).

use crate::expr::{Arena, BinaryOp, Expr, Node, Sort, Symbol};
use rustc_hash::FxHashMap;

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
    let mut values: FxHashMap<Expr, i64> = FxHashMap::default();
    for expr in arena.topological(roots) {
        let value = match arena.node(expr) {
            Node::Int(value) => value,
            Node::Bool(value) => value.into(),
            Node::Symbol(symbol) => {
                environment(symbol).ok_or_else(|| EvalError::UnboundSymbol {
                    symbol,
                    name: arena.display(expr).to_string(),
                })?
            }
            Node::Binary(op, a, b) => {
                check_sort(arena, expr, &[a, b], op.operand_sort())?;
                apply(arena, expr, op, values[&a], values[&b])?
            }
            Node::Not(a) => {
                check_sort(arena, expr, &[a], Sort::Bool)?;
                1 - values[&a]
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => {
                check_sort(arena, expr, &[condition], Sort::Bool)?;
                check_sort(arena, expr, &[otherwise], arena.sort(then))?;
                values[if values[&condition] != 0 {
                    &then
                } else {
                    &otherwise
                }]
            }
        };
        values.insert(expr, value);
    }
    Ok(roots.iter().map(|root| values[root]).collect())
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
