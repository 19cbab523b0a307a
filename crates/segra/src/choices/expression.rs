//! Expressions of sizes as people read them: as many parentheses as are needed, and no longer than a line.

use super::{LEFT_OUT, UNKNOWN};
use segra_artifact::{BinaryOp, Compare};

/// Of an expression longer than this, in bytes, the longer operand is left out.
pub(super) const LONGEST: usize = 160;
/// An operand of at most so many bytes is not left out.
const SHORT: usize = 24;

pub(super) fn sign(op: Compare) -> Option<&'static str> {
    Some(match op {
        Compare::Eq => "==",
        Compare::Ne => "!=",
        Compare::Lt | Compare::LtU => "<",
        Compare::Le | Compare::LeU => "<=",
        Compare::Gt | Compare::GtU => ">",
        Compare::Ge | Compare::GeU => ">=",
        Compare::Ordered | Compare::Unordered => return None,
    })
}

/// `truth`: the operands are truth values.
pub(super) fn binary(op: BinaryOp, truth: bool, lhs: Expression, rhs: Expression) -> Expression {
    use BinaryOp::{
        Add, And, CeilDiv, CeilDivU, Div, DivU, FloorDiv, Max, MaxU, Min, MinU, Mul, Or, Rem, RemU,
        Sub,
    };
    match op {
        Mul if lhs.text == "1" => rhs,
        Mul if rhs.text == "1" => lhs,
        // A quotient on the right would be read as one of the whole product.
        Mul if rhs.text.contains(['/', '%']) => {
            let rhs = Expression::atom(format!("({})", rhs.text));
            Expression::infix(PRODUCT, lhs, "*", rhs)
        }
        Mul => Expression::infix(PRODUCT, lhs, "*", rhs),
        Add => Expression::infix(SUM, lhs, "+", rhs),
        Sub => Expression::infix(SUM, lhs, "-", rhs),
        Div | DivU | FloorDiv => Expression::infix(PRODUCT, lhs, "/", rhs),
        Rem | RemU => Expression::infix(PRODUCT, lhs, "%", rhs),
        And if truth && lhs.text == TRUE => rhs,
        And if truth && rhs.text == TRUE => lhs,
        Or if truth && (lhs.text == TRUE || rhs.text == TRUE) => Expression::atom(TRUE),
        And if truth => Expression::infix(CONJUNCTION, lhs, "and", rhs),
        Or if truth => Expression::infix(DISJUNCTION, lhs, "or", rhs),
        // As in C, below comparisons: in parentheses wherever they are compared.
        And => Expression::infix(CONJUNCTION, lhs, "&", rhs),
        Or => Expression::infix(DISJUNCTION, lhs, "|", rhs),
        Max | MaxU => Expression::call("max", lhs, rhs),
        Min | MinU => Expression::call("min", lhs, rhs),
        CeilDiv | CeilDivU => Expression::call("ceildiv", lhs, rhs),
        _ => Expression::atom(UNKNOWN),
    }
}

/// A condition that always holds.
pub(super) const TRUE: &str = "true";

// How strongly the parts of an expression are bound.
const ATOM: u8 = 5;
const PRODUCT: u8 = 4;
const SUM: u8 = 3;
pub(super) const COMPARISON: u8 = 2;
const CONJUNCTION: u8 = 1;
const DISJUNCTION: u8 = 0;

/// The text of an expression and how strongly its parts are bound.
pub(super) struct Expression {
    pub(super) text: String,
    /// The same in a few words: what is compared with a threshold may be left out, names of thresholds are not.
    brief: String,
    binding: u8,
}

impl Expression {
    pub(super) fn atom(text: impl Into<String>) -> Expression {
        let text = text.into();
        let is_name = !text.contains([' ', '(']);
        Expression {
            brief: match is_name || text.len() <= SHORT {
                true => text.clone(),
                false => LEFT_OUT.to_owned(),
            },
            text,
            binding: ATOM,
        }
    }

    pub(super) fn call(function: &str, x: Expression, y: Expression) -> Expression {
        match Expression::fitting(x, y) {
            Some((x, y)) => Expression::atom(format!("{function}({}, {})", x.text, y.text)),
            None => Expression::atom(UNKNOWN),
        }
    }

    /// One of two values, by a condition.
    pub(super) fn either(then: Expression, condition: Expression, other: Expression) -> Expression {
        let mut parts = [then.text, condition.text, other.text];
        while parts.iter().map(String::len).sum::<usize>() > LONGEST {
            let Some(longest) = parts.iter_mut().max_by_key(|part| part.len()) else {
                break;
            };
            *longest = LEFT_OUT.to_owned();
        }
        let [then, condition, other] = parts;
        Expression::atom(format!("({then} if {condition} else {other})"))
    }

    pub(super) fn infix(binding: u8, lhs: Expression, sign: &str, rhs: Expression) -> Expression {
        let Some((lhs, rhs)) = Expression::fitting(lhs, rhs) else {
            return Expression::atom(UNKNOWN);
        };
        // Division and subtraction are not associative: their right operands are put in parentheses.
        let right = binding + u8::from(matches!(sign, "-" | "/" | "%"));
        let join = |x: &str, y: &str| {
            let (x, y) = (
                within(x, lhs.binding, binding),
                within(y, rhs.binding, right),
            );
            format!("{x} {sign} {y}")
        };
        let text = join(&lhs.text, &rhs.text);
        let brief = match () {
            () if binding <= COMPARISON => join(&lhs.brief, &rhs.brief),
            () if text.len() <= SHORT => text.clone(),
            () => LEFT_OUT.to_owned(),
        };
        Expression {
            text,
            brief,
            binding,
        }
    }

    /// Two operands, the longer one in brief where they are too long for one expression; `None` of two unknown ones.
    fn fitting(lhs: Expression, rhs: Expression) -> Option<(Expression, Expression)> {
        if lhs.text == UNKNOWN && rhs.text == UNKNOWN {
            return None;
        }
        let mut operands = [lhs, rhs];
        for shortened in [Expression::in_brief, |_| Expression::atom(LEFT_OUT)] {
            let [lhs, rhs] = &mut operands;
            if lhs.text.len() + rhs.text.len() > LONGEST {
                let longer = if lhs.text.len() > rhs.text.len() {
                    lhs
                } else {
                    rhs
                };
                let whole = core::mem::replace(longer, Expression::atom(LEFT_OUT));
                *longer = shortened(whole);
            }
        }
        let [lhs, rhs] = operands;
        Some((lhs, rhs))
    }

    fn in_brief(self) -> Expression {
        Expression {
            text: self.brief.clone(),
            ..self
        }
    }

    pub(super) fn factor(self) -> String {
        within(&self.text, self.binding, PRODUCT)
    }
}

/// Text bound by `has`, put where `wants` is needed.
fn within(text: &str, has: u8, wants: u8) -> String {
    match has < wants && text != LEFT_OUT {
        true => format!("({text})"),
        false => text.to_owned(),
    }
}
