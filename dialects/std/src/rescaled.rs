//! Values that an extreme scales: what a sum of exponentials needs when the maximum that they are relative to grows.
//!
//! With `m` the maximum (or minimum) of values `a`, a value `f(x, m)` is proved to be `p(x) * b^(k * (m - a(x)) + c)` with constants
//! `b`, `k`, `c`. Then `f(x, m') = f(x, m) * b^(k * (m' - m))`, the factor does not depend on the element, and a sum over elements
//! takes it out: a sum relative to one extreme is made one relative to another by a multiplication with [`factor`].
//! A [`Proof`] gives each value of a body a [`Form`] by rules that are data: sums, differences, products with constants keep
//! affine forms; exponentials make scaled ones of affine ones; products, quotients and negation by what does not depend on `m`,
//! sums of equally scaled values, and wider formats of them, keep those.
//!
//! The equation is one of real numbers: each op it is about allows `fastmath<reassoc>`. A maximum has `k < 0` and a minimum
//! `k > 0` ([`Form::rescales`]), so that all factors are at most 1 and none overflows. Equal extremes have the factor 1 without
//! a subtraction, so that infinite ones do not make NaN of it.

use crate::arith::{
    AddFOp, CmpFOp, CmpFPredicate, ConstantOp, DivFOp, ExtFOp, FastMath, MaximumFOp, MinimumFOp,
    MulFOp, NegFOp, SelectOp, SubFOp,
};
use crate::math::{Exp2Op, ExpOp};
use rustc_hash::FxHashMap;
use segra_ir::interfaces::constant_of;
use segra_ir::{Attr, AttrKind, Block, Builder, Context, FloatKind, Ir, Op, OpView, Type, Value};

/// Ops that make the extreme's value, at most, for another value to be known as equal to it.
const MOST_EQUAL: usize = 8;

/// The base of an exponential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The natural exponential, `math.exp`.
    E,
    /// `math.exp2`.
    Two,
}

/// How an op acts on forms.
#[derive(Clone, Copy, Debug)]
enum Rule {
    Sum,
    Difference,
    Product,
    Quotient,
    Negation,
    Widening,
    Exponential(Base),
}

/// The ops that proofs know.
const RULES: &[(&str, Rule)] = &[
    (AddFOp::DEF.name, Rule::Sum),
    (SubFOp::DEF.name, Rule::Difference),
    (MulFOp::DEF.name, Rule::Product),
    (DivFOp::DEF.name, Rule::Quotient),
    (NegFOp::DEF.name, Rule::Negation),
    (ExtFOp::DEF.name, Rule::Widening),
    (ExpOp::DEF.name, Rule::Exponential(Base::E)),
    (Exp2Op::DEF.name, Rule::Exponential(Base::Two)),
];

/// How a value depends on the extreme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Not at all.
    Free,
    /// `m` times the extreme, `a` times the element's value, and a constant.
    Affine {
        /// Times the extreme.
        m: f64,
        /// Times the element's value.
        a: f64,
        /// Added to both.
        constant: f64,
    },
    /// Something free times the base to the power of `k` times the extreme.
    Scaled {
        /// The base.
        base: Base,
        /// Times the extreme, in the exponent.
        k: f64,
    },
    /// In a way there is no rule for.
    Unknown,
}

impl Form {
    /// The extreme.
    pub const EXTREME: Form = Form::Affine {
        m: 1.0,
        a: 0.0,
        constant: 0.0,
    };
    /// The value of an element that the extreme is of.
    pub const ELEMENT: Form = Form::Affine {
        m: 0.0,
        a: 1.0,
        constant: 0.0,
    };

    /// Whether a sum of values of this form is rescaled by factors of at most 1, where `neutral` is the extreme of nothing.
    pub fn rescales(self, neutral: f64) -> bool {
        match self {
            Form::Scaled { k, .. } => k.is_finite() && k * neutral > 0.0,
            form => form.is_free(),
        }
    }

    fn constant(constant: f64) -> Form {
        Form::Affine {
            m: 0.0,
            a: 0.0,
            constant,
        }
    }
    /// Whether a value of this form is the same whatever the extreme is.
    pub fn is_free(self) -> bool {
        matches!(self, Form::Free | Form::Affine { m: 0.0, .. })
    }
    fn as_constant(self) -> Option<f64> {
        match self {
            Form::Affine {
                m: 0.0,
                a: 0.0,
                constant,
            } => Some(constant),
            _ => None,
        }
    }
    fn times(self, factor: f64) -> Form {
        match self {
            Form::Affine { m, a, constant } => {
                let form = [m * factor, a * factor, constant * factor];
                // A factor that is rounded to zero or infinity is not taken.
                let fits = form.iter().all(|x| x.is_finite()) && factor != 0.0;
                let [m, a, constant] = form;
                if fits {
                    Form::Affine { m, a, constant }
                } else if self.is_free() {
                    Form::Free
                } else {
                    Form::Unknown
                }
            }
            other => other,
        }
    }
    fn plus(self, other: Form) -> Form {
        match (self, other) {
            (
                Form::Affine { m, a, constant },
                Form::Affine {
                    m: n,
                    a: b,
                    constant: other,
                },
            ) => Form::Affine {
                m: m + n,
                a: a + b,
                constant: constant + other,
            },
            (x @ Form::Scaled { .. }, y) if x == y => x,
            (x, y) if x.is_free() && y.is_free() => Form::Free,
            _ => Form::Unknown,
        }
    }
    fn product(self, other: Form) -> Form {
        if let Some(factor) = self.as_constant() {
            return other.times(factor);
        }
        if let Some(factor) = other.as_constant() {
            return self.times(factor);
        }
        match (self, other) {
            (x, y) if x.is_free() && y.is_free() => Form::Free,
            (x @ Form::Scaled { .. }, y) | (y, x @ Form::Scaled { .. }) if y.is_free() => x,
            (Form::Scaled { base, k }, Form::Scaled { base: other, k: l }) if base == other => {
                Form::Scaled { base, k: k + l }
            }
            _ => Form::Unknown,
        }
    }
    fn quotient(self, by: Form) -> Form {
        match (self, by.as_constant()) {
            (Form::Affine { .. }, Some(by)) => self.times(1.0 / by),
            (x, _) if x.is_free() && by.is_free() => Form::Free,
            (x @ Form::Scaled { .. }, _) if by.is_free() => x,
            _ => Form::Unknown,
        }
    }
    /// In a wider format. A narrower one would round what is rescaled later as much as 2^-11 apart, which `fastmath<reassoc>` of
    /// sums in the wider one does not say.
    fn widened(self) -> Form {
        match self {
            x @ Form::Scaled { .. } => x,
            x if x.is_free() => Form::Free,
            _ => Form::Unknown,
        }
    }
    fn power_of(self, base: Base) -> Form {
        match self {
            x if x.is_free() => Form::Free,
            Form::Affine { m, a, .. } if a == -m => Form::Scaled { base, k: m },
            _ => Form::Unknown,
        }
    }
}

/// The forms of all values of a body.
pub struct Proof {
    forms: FxHashMap<Value, Form>,
    /// The exponentials that depend on the extreme.
    pub exponentials: Vec<Op>,
}

impl Proof {
    /// Of a body, given the forms of some values in it or around it; `element`: which values are those that the extreme is of.
    pub fn of(
        ir: &Ir,
        body: Block,
        given: impl IntoIterator<Item = (Value, Form)>,
        element: impl Fn(Value) -> bool,
    ) -> Proof {
        let mut proof = Proof {
            forms: given.into_iter().collect(),
            exponentials: Vec::new(),
        };
        for op in ir.ops(body) {
            let free = ir.free_values(op).into_iter().chain(ir.operands(op));
            let depends = free
                .into_iter()
                .any(|value| !proof.form(ir, value).is_free());
            let form = match rule_of(ir, op) {
                Some(rule) => proof.result(ir, op, rule),
                None if depends => Form::Unknown,
                None => Form::Free,
            };
            // Nothing is rounded where a number gets a wider format.
            let form = if depends && !may_regroup(ir, op) && !ir.isa::<ExtFOp>(op) {
                Form::Unknown
            } else {
                form
            };
            if matches!(rule_of(ir, op), Some(Rule::Exponential(_))) && depends {
                proof.exponentials.push(op);
            }
            for result in ir.results(op) {
                let form = match !depends && element(result) {
                    true => Form::ELEMENT,
                    false => form,
                };
                proof.forms.entry(result).or_insert(form);
            }
        }
        proof
    }

    /// The form of a value of the body, or of one that is the same for all elements.
    pub fn form(&self, ir: &Ir, value: Value) -> Form {
        if let Some(&form) = self.forms.get(&value)
            && form != Form::Free
        {
            return form;
        }
        constant_of(ir, value)
            .and_then(|attr| number(ir.ctx(), attr))
            .filter(|constant| constant.is_finite())
            .map_or(Form::Free, Form::constant)
    }

    fn result(&self, ir: &Ir, op: Op, rule: Rule) -> Form {
        let operands: Vec<Form> = ir.operands(op).map(|value| self.form(ir, value)).collect();
        match (rule, operands.as_slice()) {
            (Rule::Sum, &[x, y]) => x.plus(y),
            (Rule::Difference, &[x, y]) => x.plus(y.times(-1.0)),
            (Rule::Product, &[x, y]) => x.product(y),
            (Rule::Quotient, &[x, y]) => x.quotient(y),
            (Rule::Negation, &[x]) => x.times(-1.0),
            (Rule::Widening, &[x]) => x.widened(),
            (Rule::Exponential(base), &[x]) => x.power_of(base),
            _ => Form::Unknown,
        }
    }
}

fn rule_of(ir: &Ir, op: Op) -> Option<Rule> {
    let name = ir.op_name_str(op);
    RULES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, rule)| rule)
}

/// Whether an op's result may be that of an equal one of real numbers: `fastmath<reassoc>`.
pub fn may_regroup(ir: &Ir, op: Op) -> bool {
    ir.attr_named(op, "fastmath")
        .and_then(|attr| attr.dialect::<FastMath>(ir.ctx()).copied())
        .is_some_and(|flags| flags.contains(FastMath::REASSOC))
}

/// Whether two values are made by the same ops of values that are `same`.
pub fn equal(ir: &Ir, x: Value, y: Value, same: &dyn Fn(Value, Value) -> bool) -> bool {
    equal_within(ir, (x, y), same, MOST_EQUAL)
}

fn equal_within(
    ir: &Ir,
    (x, y): (Value, Value),
    same: &dyn Fn(Value, Value) -> bool,
    most: usize,
) -> bool {
    if same(x, y) {
        return true;
    }
    let (Some(p), Some(q)) = (ir.defining_op(x), ir.defining_op(y)) else {
        return false;
    };
    // One result and no attribute but flags: the names, the operands and the type say all.
    rule_of(ir, p).is_some()
        && ir.value_type(x) == ir.value_type(y)
        && ir.op_name_str(p) == ir.op_name_str(q)
        && most > 0
        && ir
            .operands(p)
            .zip(ir.operands(q))
            .all(|pair| equal_within(ir, pair, same, most / 2))
}

/// The number a float attribute is, of f32 and f64.
pub fn number(ctx: &Context, attr: Attr) -> Option<f64> {
    match ctx.attr_kind(attr) {
        AttrKind::Float { ty, bits } => match ty.float_kind(ctx)? {
            FloatKind::F32 => Some(f64::from(f32::from_bits(*bits as u32))),
            FloatKind::F64 => Some(f64::from_bits(*bits as u64)),
            _ => None,
        },
        _ => None,
    }
}

/// A constant of f32 or f64.
pub fn float(b: &mut Builder<'_>, value: f64, ty: Type) -> Value {
    let bits = match ty.float_kind(b.ctx()) {
        Some(FloatKind::F64) => u128::from(value.to_bits()),
        _ => u128::from((value as f32).to_bits()),
    };
    let attr = b.ctx().float_bits_attr(bits, ty);
    ConstantOp::build(b, attr).result(b.ir)
}

/// The base to the power of `k` times the difference of two extremes; 1 where they are equal.
pub fn factor(b: &mut Builder<'_>, base: Base, k: f64, (from, to): (Value, Value)) -> Value {
    let ty = b.ir.value_type(to);
    let (x, y, k) = if k < 0.0 {
        (from, to, -k)
    } else {
        (to, from, k)
    };
    let mut exponent = SubFOp::build(b, x, y).result(b.ir);
    if k != 1.0 {
        let k = float(b, k, ty);
        exponent = MulFOp::build(b, exponent, k).result(b.ir);
    }
    let power = match base {
        Base::E => ExpOp::build(b, exponent).result(b.ir),
        Base::Two => Exp2Op::build(b, exponent).result(b.ir),
    };
    let (same, one) = (equals(b, from, to), float(b, 1.0, ty));
    SelectOp::build(b, same, one, power).result(b.ir)
}

/// Whether two numbers are equal, and none is NaN.
pub fn equals(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let predicate = CmpFPredicate::Oeq.attr(b.ctx());
    CmpFOp::build(b, predicate, x, y).result(b.ir)
}

/// Whether a type is one of numbers that sums are rescaled of.
pub fn is_number(ir: &Ir, ty: Type) -> bool {
    matches!(
        ty.float_kind(ir.ctx()),
        Some(FloatKind::F32 | FloatKind::F64)
    )
}

/// The neutral element of a component of an operator (accumulators, then values) that is a maximum or minimum and starts with it.
pub fn extreme(ir: &Ir, combine: Block, component: usize, start: Value) -> Option<f64> {
    let yielded = ir.operands(ir.last_op(combine)?).nth(component)?;
    let op = ir.defining_op(yielded)?;
    let neutral = if ir.isa::<MaximumFOp>(op) {
        f64::NEG_INFINITY
    } else if ir.isa::<MinimumFOp>(op) {
        f64::INFINITY
    } else {
        return None;
    };
    let start = constant_of(ir, start)?;
    let starts = number(ir.ctx(), start) == Some(neutral);
    (starts && combines_sides(ir, combine, op, component)).then_some(neutral)
}

/// Whether all components of an operator are sums of numbers that start with 0 and may be regrouped.
pub fn are_sums(ir: &Ir, combine: Block, starts: &[Value]) -> bool {
    let Some(last) = ir.last_op(combine) else {
        return false;
    };
    let yielded: Vec<Value> = ir.operands(last).collect();
    yielded.iter().enumerate().all(|(component, &value)| {
        let start = constant_of(ir, starts[component]).and_then(|it| number(ir.ctx(), it));
        let sum = ir.defining_op(value).filter(|&op| ir.isa::<AddFOp>(op));
        start == Some(0.0)
            && sum
                .is_some_and(|op| may_regroup(ir, op) && combines_sides(ir, combine, op, component))
    })
}

/// Whether an op combines the two values of a component.
fn combines_sides(ir: &Ir, combine: Block, op: Op, component: usize) -> bool {
    let args = ir.block_args(combine);
    let sides = [args[component], args[args.len() / 2 + component]];
    let operands: Vec<Value> = ir.operands(op).collect();
    operands == sides || operands == [sides[1], sides[0]]
}
