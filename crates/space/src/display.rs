//! Index expressions as text, infix with as few parentheses as the precedences allow.
//!
//! Precedence, loosest first: `||`, `&&`, comparisons, `+ -`, `* / %`, then `!`, calls and atoms. `/` rounds down.
//! Shared subexpressions are written out at each use, so the text is cut after [`LONGEST`] nodes.
//! Absent: a reader for this form; nothing needs one.

use crate::expr::{Arena, BinaryOp, Expr, Node};
use std::cell::Cell;
use std::fmt;

/// How many nodes one expression's text shows before it ends in `…`.
const LONGEST: u32 = 2000;

/// See [`Arena::display`].
pub struct DisplayExpr<'a> {
    arena: &'a Arena,
    expr: Expr,
    budget: Cell<u32>,
}

impl Arena {
    /// `expr` as text.
    #[must_use]
    pub fn display(&self, expr: Expr) -> DisplayExpr<'_> {
        DisplayExpr {
            arena: self,
            expr,
            budget: Cell::new(LONGEST),
        }
    }
}

impl fmt::Display for DisplayExpr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.budget.set(LONGEST);
        self.write(f, self.expr, 0)
    }
}

impl DisplayExpr<'_> {
    /// Writes `expr`, in parentheses if it binds looser than `context`.
    fn write(&self, f: &mut fmt::Formatter<'_>, expr: Expr, context: u8) -> fmt::Result {
        let Some(budget) = self.budget.get().checked_sub(1) else {
            return f.write_str("…");
        };
        self.budget.set(budget);
        match self.arena.node(expr) {
            Node::Int(value) if value < 0 && context > 0 => write!(f, "({value})"),
            Node::Int(value) => write!(f, "{value}"),
            Node::Bool(value) => write!(f, "{value}"),
            Node::Symbol(symbol) => match self.arena.symbol_name(symbol) {
                Some(name) => f.write_str(name),
                None => write!(f, "{symbol:?}"),
            },
            Node::Binary(op, a, b) => self.write_binary(f, op, a, b, context),
            Node::Not(a) => {
                f.write_str("!")?;
                self.write(f, a, 6)
            }
            Node::Select {
                condition,
                then,
                otherwise,
            } => self.write_call(f, "select", &[condition, then, otherwise]),
        }
    }

    fn write_call(&self, f: &mut fmt::Formatter<'_>, name: &str, operands: &[Expr]) -> fmt::Result {
        write!(f, "{name}(")?;
        for (position, &operand) in operands.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            self.write(f, operand, 0)?;
        }
        f.write_str(")")
    }

    fn write_binary(
        &self,
        f: &mut fmt::Formatter<'_>,
        op: BinaryOp,
        a: Expr,
        b: Expr,
        context: u8,
    ) -> fmt::Result {
        let (sign, strength, right) = match op {
            BinaryOp::CeilDiv => return self.write_call(f, "ceildiv", &[a, b]),
            BinaryOp::Min => return self.write_call(f, "min", &[a, b]),
            BinaryOp::Max => return self.write_call(f, "max", &[a, b]),
            BinaryOp::Or => ("||", 1, 1),
            BinaryOp::And => ("&&", 2, 2),
            BinaryOp::Equal => ("==", 3, 4),
            BinaryOp::NotEqual => ("!=", 3, 4),
            BinaryOp::Less => ("<", 3, 4),
            BinaryOp::LessEqual => ("<=", 3, 4),
            BinaryOp::Add => ("+", 4, 4),
            BinaryOp::Sub => ("-", 4, 5),
            BinaryOp::Mul => ("*", 5, 6),
            BinaryOp::FloorDiv => ("/", 5, 6),
            BinaryOp::Mod => ("%", 5, 6),
        };
        let left = if strength == 3 { 4 } else { strength };
        if strength < context {
            f.write_str("(")?;
        }
        self.write(f, a, left)?;
        write!(f, " {sign} ")?;
        self.write(f, b, right)?;
        if strength < context {
            f.write_str(")")
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Arena, Interval};

    #[test]
    fn parentheses_appear_only_where_needed() {
        let mut arena = Arena::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| arena.symbol(name, Interval::ALL));
        let difference = arena.sub(b, c);
        let nested = arena.sub(a, difference);
        assert_eq!(arena.display(nested).to_string(), "a - (b - c)");
        let product = arena.mul(difference, a);
        let rest = arena.modulo(product, b);
        let both = arena.add(rest, c);
        assert_eq!(arena.display(both).to_string(), "(b - c) * a % b + c");
        let least = arena.min(both, a);
        let test = arena.less(least, b);
        let negated = arena.not(test);
        assert_eq!(
            arena.display(negated).to_string(),
            "!(min((b - c) * a % b + c, a) < b)"
        );
    }

    #[test]
    fn text_of_a_heavily_shared_expression_is_cut() {
        let mut arena = Arena::new();
        let mut sum = arena.unnamed_symbol(Interval::ALL);
        for _ in 0..60 {
            sum = arena.add(sum, sum);
        }
        let text = arena.display(sum).to_string();
        assert!(text.contains('…') && text.len() < 20_000);
    }
}
