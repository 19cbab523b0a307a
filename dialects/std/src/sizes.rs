//! Sizes that the host computes, as people read them: the spaces of kernels, and the numbers that are compared with thresholds.
//!
//! `n / 64 * (m / 64)`, `ceildiv(n, 128)`, `max(n, k)`: over the names that attributes give extents of parameters
//! ([`crate::recorded`]), or `a.0`, dimension 0 of the array `a`. A value that is computed in other ways, such as an element of an
//! array, is `?`; the operand that makes a text too long is `…`. A size behind a check is the one that passes.

use crate::arith::{
    AddIOp, CeilDivSIOp, CeilDivUIOp, DivSIOp, DivUIOp, FloorDivSIOp, IndexCastOp, IndexCastUIOp,
    MaxSIOp, MaxUIOp, MinSIOp, MinUIOp, MulIOp, SelectOp, SubIOp,
};
use crate::check::RequireOp;
use crate::memref::DimOp;
use crate::recorded::{Extent, extent};
use segra_ir::{Ir, Op, Value};

/// Expressions nested deeper than this are not written out.
const DEEPEST: usize = 8;
/// The text of a value that is no expression of sizes.
const UNKNOWN: &str = "?";
/// The text of an operand that is left out.
const LEFT_OUT: &str = "…";

/// The text of a value of the host, of at most about so many bytes.
pub fn size_text(ir: &Ir, value: Value, longest: usize) -> String {
    let writer = Writer { ir, longest };
    writer.value(value, DEEPEST).text
}

struct Writer<'a> {
    ir: &'a Ir,
    longest: usize,
}

impl Writer<'_> {
    fn value(&self, value: Value, depth: usize) -> Expression {
        let ir = self.ir;
        if let Some(constant) = ir.constant_int(value) {
            return Expression::atom(constant.to_string());
        }
        let Some(op) = ir.defining_op(value) else {
            return self.parameter(value).unwrap_or_else(Expression::unknown);
        };
        if let Some(dim) = ir.cast::<DimOp>(op) {
            return self.extent(dim).unwrap_or_else(Expression::unknown);
        }
        if depth == 0 {
            return Expression::atom(LEFT_OUT);
        }
        if let Some(same) = self.same(op) {
            return self.value(same, depth - 1);
        }
        self.binary(op, depth).unwrap_or_else(Expression::unknown)
    }

    /// The operand that the result of an op is, wherever the program goes on or there is anything.
    fn same(&self, op: Op) -> Option<Value> {
        let ir = self.ir;
        if ir.isa::<IndexCastOp>(op) || ir.isa::<IndexCastUIOp>(op) {
            return ir.operands(op).next();
        }
        if ir.isa::<RequireOp>(op) {
            return ir.operands(op).nth(1);
        }
        let mut sides = ir.isa::<SelectOp>(op).then(|| ir.operands(op).skip(1))?;
        let (then, otherwise) = (sides.next()?, sides.next()?);
        (ir.constant_int(otherwise) == Some(0)).then_some(then)
    }

    fn binary(&self, op: Op, depth: usize) -> Option<Expression> {
        let ir = self.ir;
        let is_division =
            ir.isa::<DivSIOp>(op) || ir.isa::<DivUIOp>(op) || ir.isa::<FloorDivSIOp>(op);
        let is_rounded = ir.isa::<CeilDivSIOp>(op) || ir.isa::<CeilDivUIOp>(op);
        let sign = if ir.isa::<MulIOp>(op) {
            Some(("*", Binding::Product))
        } else if ir.isa::<AddIOp>(op) {
            Some(("+", Binding::Sum))
        } else if ir.isa::<SubIOp>(op) {
            Some(("-", Binding::Sum))
        } else if is_division {
            Some(("/", Binding::Quotient))
        } else {
            None
        };
        let name = if is_rounded {
            Some("ceildiv")
        } else if ir.isa::<MaxSIOp>(op) || ir.isa::<MaxUIOp>(op) {
            Some("max")
        } else if ir.isa::<MinSIOp>(op) || ir.isa::<MinUIOp>(op) {
            Some("min")
        } else {
            None
        };
        let mut operands = ir.operands(op);
        let (x, y) = (operands.next()?, operands.next()?);
        let rounded = is_division.then(|| self.rounded_up(x, y)).flatten();
        let (x, y) = (
            self.value(rounded.unwrap_or(x), depth - 1),
            self.value(y, depth - 1),
        );
        match (name, sign) {
            _ if rounded.is_some() => Some(self.call("ceildiv", x, y)),
            (Some(name), _) => Some(self.call(name, x, y)),
            (None, Some((sign, binding))) => Some(self.infix(x, sign, y, binding)),
            (None, None) => None,
        }
    }

    /// `x` where a value is `x + (c - 1)` and is divided by `c`.
    fn rounded_up(&self, divided: Value, by: Value) -> Option<Value> {
        let ir = self.ir;
        let sum = ir.defining_op(divided).filter(|&op| ir.isa::<AddIOp>(op))?;
        let mut operands = ir.operands(sum);
        let (x, more) = (operands.next()?, operands.next()?);
        (ir.constant_int(more)?.checked_add(1)? == ir.constant_int(by)?).then_some(x)
    }

    /// The name of a parameter, of the function or of a loop.
    fn parameter(&self, value: Value) -> Option<Expression> {
        let name = self.ir.value_name(value)?;
        Some(Expression::atom(self.ir.ctx().str(name)))
    }

    /// The name of an extent of an array.
    fn extent(&self, dim: DimOp) -> Option<Expression> {
        let ir = self.ir;
        let (array, at) = (dim.source(ir), ir.constant_int(dim.index(ir))?);
        let at = usize::try_from(at).ok()?;
        match extent(ir, array, at) {
            Some(Extent::Known(extent)) => Some(Expression::atom(extent.to_string())),
            Some(Extent::Named(name)) => Some(Expression::atom(ir.ctx().str(name))),
            None => {
                let array = self.parameter(array)?.text;
                Some(Expression::atom(format!("{array}.{at}")))
            }
        }
    }

    fn call(&self, function: &str, x: Expression, y: Expression) -> Expression {
        match self.fitting(x, y) {
            Ok([x, y]) => Expression::atom(format!("{function}({}, {})", x.text, y.text)),
            Err(neither) => neither,
        }
    }

    fn infix(&self, x: Expression, sign: &str, y: Expression, binding: Binding) -> Expression {
        match (&*x.text, sign, &*y.text) {
            ("1", "*", _) => return y,
            (_, "*" | "/", "1") => return x,
            _ => {}
        }
        let [x, y] = match self.fitting(x, y) {
            Ok(operands) => operands,
            Err(neither) => return neither,
        };
        let (left, right) = match sign {
            "*" => (Binding::Quotient, Binding::Product),
            "/" => (Binding::Quotient, Binding::Atom),
            "-" => (Binding::Sum, Binding::Quotient),
            _ => (Binding::Sum, Binding::Sum),
        };
        Expression {
            text: format!("{} {sign} {}", x.within(left), y.within(right)),
            binding,
        }
    }

    /// Two operands, without the longer ones where they are too long for one expression; the text in place of both where
    /// neither says anything.
    fn fitting(&self, x: Expression, y: Expression) -> Result<[Expression; 2], Expression> {
        let mut operands = [x, y];
        for _ in 0..2 {
            let [x, y] = &mut operands;
            if x.text.len() + y.text.len() > self.longest {
                let longer = if x.text.len() > y.text.len() { x } else { y };
                *longer = Expression::atom(LEFT_OUT);
            }
        }
        let says_nothing = |operand: &Expression| matches!(&*operand.text, UNKNOWN | LEFT_OUT);
        if !operands.iter().all(says_nothing) {
            return Ok(operands);
        }
        let [x, y] = operands;
        Err(if x.text == UNKNOWN { x } else { y })
    }
}

/// The operators that hold an expression together, the loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Quotient,
    Product,
    Atom,
}

/// The text of an expression.
struct Expression {
    text: String,
    binding: Binding,
}

impl Expression {
    fn atom(text: impl Into<String>) -> Expression {
        Expression {
            text: text.into(),
            binding: Binding::Atom,
        }
    }

    fn unknown() -> Expression {
        Expression::atom(UNKNOWN)
    }

    /// Its text as an operand of operators that bind so tightly.
    fn within(&self, wanted: Binding) -> String {
        match self.binding < wanted {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }
}
