//! Chains of reductions: a sum of exponentials that depend on a maximum is made in the traversal that makes the maximum.
//!
//! ```text
//! %m = array.reduce (%x in %xs) init (-inf) combine {max}
//! %s = array.redomap (%x in %xs) init (0) map { exp(%x - %m) } combine {+}
//!   => %m, %s = array.redomap (%x in %xs) init (-inf, 0) map { %x, exp(%x - %x) }
//!        combine (%m1, %s1, %m2, %s2) { %m = max(%m1, %m2); %m, %s1 * exp(%m1 - %m) + %s2 * exp(%m2 - %m) }
//! ```
//! With `a` the value that is maximised and `m` the maximum, the mapped value `f(x, m)` is proved to be
//! `p(x) * b^(k * (m - a(x)) + c)` with constants `b`, `k`, `c`. Then `f(x, m') = f(x, m) * b^(k * (m' - m))`, the factor does not
//! depend on the element, and the sum over elements takes it out. The proof gives each value of the body a [`Form`] by the
//! rules of [`RULES`], which are data: sums, differences, products with constants keep affine forms; exponentials make
//! scaled ones of affine ones; products, quotients and negation by what does not depend on `m`, and sums of equally
//! scaled values, keep those. Source: Milakov and Gimelshein, "Online normalizer calculation for softmax" (2018), for the
//! case `exp(x - m)`.
//!
//! Legality:
//! - the exact equation is one of real numbers: each op it is about, the sum included, allows `fastmath<reassoc>`;
//! - a maximum has `k < 0` and a minimum `k > 0`, so that all factors are at most 1 and none overflows. Equal extremes
//!   have the factor 1 without a subtraction, so that infinite ones do not make NaN of it;
//! - start values are the infinity that is neutral and 0. An element that is this infinity has the exponential 0, which it
//!   has beside any other element; where there are only such elements, and any, the sum is NaN as it was before. NaN and
//!   the other infinity go through all factors; without elements the start values are the results;
//! - the numbers are f32 or f64; both reductions run over one extent, have no effects, and nothing between them uses the
//!   first one's results. Arrays that the second stores are made by a map after it, if only combinators read them.
//!
//! Limits: extremes are `maximumf` and `minimumf`; sums of arrays (weighted vectors) and second moments, whose factor is a
//! polynomial of the element count, stay in their traversals. An exponential by element is two more, of the factors.

use crate::build::types_agree;
use crate::soac::{Behaviour, Flavour, Parts, Soac, behaviour, end_block, finish, fusible};
use rustc_hash::FxHashMap;
use segra_array::shape::DimOp;
use segra_array::types::Size;
use segra_ir::AttrKind;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::constant_of;
use segra_ir::{Attr, Block, Builder, Context, FloatKind, Ir, Op, OpView, Type, Value};
use segra_std::arith::{
    AddFOp, AndIOp, CmpFOp, CmpFPredicate, CmpIOp, CmpIPredicate, ConstantOp, DivFOp, FastMath,
    MaximumFOp, MinimumFOp, MulFOp, NegFOp, SelectOp, SubFOp, index,
};
use segra_std::math::{Exp2Op, ExpOp};

/// Ops that make the extreme's value, at most, for another value to be known as equal to it.
const MOST_EQUAL: usize = 8;

/// The base of an exponential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    E,
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
    Exponential(Base),
}

/// The ops that proofs know.
const RULES: &[(&str, Rule)] = &[
    (AddFOp::DEF.name, Rule::Sum),
    (SubFOp::DEF.name, Rule::Difference),
    (MulFOp::DEF.name, Rule::Product),
    (DivFOp::DEF.name, Rule::Quotient),
    (NegFOp::DEF.name, Rule::Negation),
    (ExpOp::DEF.name, Rule::Exponential(Base::E)),
    (Exp2Op::DEF.name, Rule::Exponential(Base::Two)),
];

/// How a value depends on the extreme.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// Not at all.
    Free,
    /// `m` times the extreme, `a` times the element's value, and a constant.
    Affine { m: f64, a: f64, constant: f64 },
    /// Something free times the base to the power of `k` times the extreme.
    Scaled { base: Base, k: f64 },
    /// In a way there is no rule for.
    Unknown,
}

impl Form {
    fn constant(constant: f64) -> Form {
        Form::Affine {
            m: 0.0,
            a: 0.0,
            constant,
        }
    }
    fn is_free(self) -> bool {
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
    fn power_of(self, base: Base) -> Form {
        match self {
            x if x.is_free() => Form::Free,
            Form::Affine { m, a, .. } if a == -m => Form::Scaled { base, k: m },
            _ => Form::Unknown,
        }
    }
}

/// The forms of all values of a body.
struct Proof {
    forms: FxHashMap<Value, Form>,
    /// The exponentials that depend on the extreme.
    exponentials: Vec<Op>,
}

impl Proof {
    /// Of a body in which `m` is the extreme of `a`.
    fn of(ir: &Ir, body: Block, m: Value, a: Value) -> Proof {
        let affine = |m, a| Form::Affine {
            m,
            a,
            constant: 0.0,
        };
        let forms = [(m, affine(1.0, 0.0)), (a, affine(0.0, 1.0))];
        let mut proof = Proof {
            forms: forms.into_iter().collect(),
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
            let form = if depends && !may_regroup(ir, op) {
                Form::Unknown
            } else {
                form
            };
            if matches!(rule_of(ir, op), Some(Rule::Exponential(_))) && depends {
                proof.exponentials.push(op);
            }
            for result in ir.results(op) {
                if !depends && equal(ir, result, a, MOST_EQUAL) {
                    proof.forms.insert(result, affine(0.0, 1.0));
                } else {
                    proof.forms.insert(result, form);
                }
            }
        }
        proof
    }

    fn form(&self, ir: &Ir, value: Value) -> Form {
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

fn may_regroup(ir: &Ir, op: Op) -> bool {
    ir.attr_named(op, "fastmath")
        .and_then(|attr| attr.dialect::<FastMath>(ir.ctx()).copied())
        .is_some_and(|flags| flags.contains(FastMath::REASSOC))
}

/// Whether two values are made by the same ops of the same values.
fn equal(ir: &Ir, x: Value, y: Value, most: usize) -> bool {
    if x == y {
        return true;
    }
    let (Some(p), Some(q)) = (ir.defining_op(x), ir.defining_op(y)) else {
        return false;
    };
    // One result and no attribute but flags: the names and the operands say all.
    rule_of(ir, p).is_some()
        && ir.op_name_str(p) == ir.op_name_str(q)
        && most > 0
        && ir
            .operands(p)
            .zip(ir.operands(q))
            .all(|(x, y)| equal(ir, x, y, most / 2))
}

/// The number a float attribute is, of f32 and f64.
fn number(ctx: &Context, attr: Attr) -> Option<f64> {
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
fn float(b: &mut Builder<'_>, value: f64, ty: Type) -> Value {
    let bits = match ty.float_kind(b.ctx()) {
        Some(FloatKind::F64) => u128::from(value.to_bits()),
        _ => u128::from((value as f32).to_bits()),
    };
    let attr = b.ctx().float_bits_attr(bits, ty);
    ConstantOp::build(b, attr).result(b.ir)
}

fn is_number(ir: &Ir, ty: Type) -> bool {
    matches!(
        ty.float_kind(ir.ctx()),
        Some(FloatKind::F32 | FloatKind::F64)
    )
}

/// Makes one of chained reductions of a block; how many went.
pub(crate) fn join_block(ir: &mut Ir, block: Block) -> u64 {
    let mut joined = 0;
    let mut next = ir.first_op(block);
    while let Some(op) = next {
        next = ir.next_op(op);
        if join(ir, op).is_some() {
            joined += 1;
        }
    }
    joined
}

/// A reduction whose results may be part of another's.
fn reduction(ir: &Ir, op: Op) -> Option<Soac> {
    fusible(ir, op).filter(|soac| {
        soac.flavour == Flavour::Reduce
            && types_agree(ir, soac)
            && behaviour(ir, soac) == Behaviour::Total
    })
}

/// The first of the chained reductions, and which of its components is the extreme that the second uses.
struct Chain {
    first: Soac,
    second: Soac,
    component: usize,
    /// The extreme's neutral element.
    neutral: f64,
}

impl Chain {
    fn ending_in(ir: &Ir, op: Op) -> Option<Chain> {
        let second = reduction(ir, op).filter(|second| second.body.is_some())?;
        let block = ir.block_of(op);
        let outside = ir.free_values(op);
        let used = outside
            .iter()
            .filter(|value| !second.arrays.contains(value));
        let mut extremes = used.copied().filter_map(|value| {
            let made = ir
                .defining_op(value)
                .filter(|&made| ir.block_of(made) == block)?;
            let first = reduction(ir, made)?;
            let at = ir.results(made).position(|result| result == value)?;
            Some((first, at))
        });
        let (first, component) = extremes.next()?;
        if extremes.next().is_some() || component >= first.combined() {
            return None;
        }
        let neutral = extreme(ir, &first, component)?;
        let extents = (first.extent(ir), second.extent(ir));
        let same = first
            .arrays
            .iter()
            .any(|array| second.arrays.contains(array))
            || first.stored(ir).any(|array| second.arrays.contains(&array));
        (same || extents.0 == extents.1 && extents.0 != Size::Unknown).then_some(())?;
        // The first is then made where the second is.
        let later = ir
            .results(first.op)
            .flat_map(|value| ir.users(value))
            .all(|user| {
                let mut around = ir.ancestors(user);
                let inside = around.find(|&around| ir.block_of(around) == block);
                inside.is_some_and(|inside| inside == op || ir.is_before(op, inside))
            });
        let read = |array: Value| {
            ir.users(array)
                .all(|user| ir.block_of(user) == block && fusible(ir, user).is_some())
        };
        (later && sums(ir, &second) && second.stored(ir).all(read)).then_some(Chain {
            first,
            second,
            component,
            neutral,
        })
    }
}

/// The neutral element of a component that is a maximum or minimum and starts with it.
fn extreme(ir: &Ir, soac: &Soac, component: usize) -> Option<f64> {
    let combine = soac.combine?;
    let yielded = ir.operands(ir.last_op(combine)?).nth(component)?;
    let op = ir.defining_op(yielded)?;
    let neutral = if ir.isa::<MaximumFOp>(op) {
        f64::NEG_INFINITY
    } else if ir.isa::<MinimumFOp>(op) {
        f64::INFINITY
    } else {
        return None;
    };
    let start = constant_of(ir, soac.start[component])?;
    let starts = number(ir.ctx(), start) == Some(neutral);
    (starts && combines_sides(ir, combine, op, component)).then_some(neutral)
}

/// Whether an op combines the two values of a component.
fn combines_sides(ir: &Ir, combine: Block, op: Op, component: usize) -> bool {
    let args = ir.block_args(combine);
    let sides = [args[component], args[args.len() / 2 + component]];
    let operands: Vec<Value> = ir.operands(op).collect();
    operands == sides || operands == [sides[1], sides[0]]
}

/// Whether all components are sums of numbers that start with 0 and may be regrouped.
fn sums(ir: &Ir, soac: &Soac) -> bool {
    let Some((combine, last)) = soac.combine.and_then(|it| Some((it, ir.last_op(it)?))) else {
        return false;
    };
    let yielded: Vec<Value> = ir.operands(last).collect();
    yielded.iter().enumerate().all(|(component, &value)| {
        let start = constant_of(ir, soac.start[component]).and_then(|it| number(ir.ctx(), it));
        let sum = ir.defining_op(value).filter(|&op| ir.isa::<AddFOp>(op));
        start == Some(0.0)
            && sum
                .is_some_and(|op| may_regroup(ir, op) && combines_sides(ir, combine, op, component))
    })
}

/// Joins the reduction `op` with the one whose result it uses.
fn join(ir: &mut Ir, op: Op) -> Option<()> {
    let chain = Chain::ending_in(ir, op)?;
    let (first, second) = (&chain.first, &chain.second);
    let extreme = ir.result(first.op, chain.component);
    let stored: Vec<Value> = first.stored(ir).collect();
    let mut arrays: Vec<Value> = Vec::new();
    for &array in first.arrays.iter().chain(&second.arrays) {
        if !arrays.contains(&array) && !stored.contains(&array) {
            arrays.push(array);
        }
    }
    let (body, elements) = Parts::body_over(ir, &arrays);
    let mut values: FxHashMap<Value, Value> = arrays.iter().copied().zip(elements).collect();
    let loc = ir.loc(op);
    let mapped = copy_body(ir, first, body, &values);
    let (mapped, kept) = mapped.split_at(first.combined());
    values.extend(stored.iter().copied().zip(kept.iter().copied()));
    let summed = copy_body(ir, second, body, &values);
    let element = mapped[chain.component];
    let proof = Proof::of(ir, body, extreme, element);
    let forms: Vec<Form> = summed[..second.combined()]
        .iter()
        .map(|&value| proof.form(ir, value))
        .collect();
    if !forms.iter().all(|&form| rescales(form, chain.neutral))
        || forms.iter().all(|form| form.is_free())
        || !is_number(ir, ir.value_type(extreme))
    {
        ir.erase_block(body);
        return None;
    }
    let results: Vec<Type> = [first.op, op]
        .iter()
        .zip([first.combined(), second.combined()])
        .flat_map(|(&op, count)| ir.results(op).take(count).collect::<Vec<_>>())
        .chain(stored.iter().copied())
        .map(|value| ir.value_type(value))
        .collect();
    let yields: Vec<Value> = [mapped, &summed[..second.combined()], kept].concat();
    end_block(ir, body, &yields, loc);
    lift(ir, body, &proof, (extreme, element), chain.neutral);
    let combine = operator(ir, &chain, &forms)?;
    let parts = Parts {
        start: [&first.start[..], &second.start[..]].concat(),
        combine: Some(combine),
        ..Parts::new(Flavour::Reduce, arrays, Some(body))
    };
    let new = finish(ir, &parts, &results, op);
    replace(ir, &chain, new, &forms);
    Some(())
}

/// Whether a sum of values of a form is rescaled by factors of at most 1.
fn rescales(form: Form, neutral: f64) -> bool {
    match form {
        Form::Scaled { k, .. } => k.is_finite() && k * neutral > 0.0,
        form => form.is_free(),
    }
}

/// Copies the body of a reduction to the end of a block; gives the values that the body yields.
fn copy_body(ir: &mut Ir, soac: &Soac, to: Block, values: &FxHashMap<Value, Value>) -> Vec<Value> {
    let args: Vec<Value> = soac.arrays.iter().map(|array| values[array]).collect();
    let loc = ir.loc(soac.op);
    match soac.body {
        Some(body) => {
            Builder::at_end(ir, to, loc).clone_block_body(body, &args, &mut Mapping::new())
        }
        None => args,
    }
}

/// Makes of a body that uses the extreme one in which each element is its own; exponentials of neutral ones are 0.
fn lift(ir: &mut Ir, body: Block, proof: &Proof, (extreme, element): (Value, Value), neutral: f64) {
    for &op in &proof.exponentials {
        let (ty, value) = (ir.value_type(element), ir.result(op, 0));
        let Some(next) = ir.next_op(op) else { continue };
        let mut b = Builder::before(ir, next);
        let neutral = float(&mut b, neutral, ty);
        let is_neutral = equals(&mut b, element, neutral);
        let zero = float(&mut b, 0.0, ty);
        let guarded = SelectOp::build(&mut b, is_neutral, zero, value);
        let (guard, guarded) = (guarded.op(), guarded.result(b.ir));
        ir.replace_all_uses(value, guarded);
        ir.set_operand(guard, 2, value);
    }
    for op in ir.ops(body).collect::<Vec<_>>() {
        for op in ir.walk(op) {
            let operands: Vec<Value> = ir.operands(op).collect();
            for (at, value) in operands.into_iter().enumerate() {
                if value == extreme {
                    ir.set_operand(op, at, element);
                }
            }
        }
    }
}

fn equals(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    let predicate = CmpFPredicate::Oeq.attr(b.ctx());
    CmpFOp::build(b, predicate, x, y).result(b.ir)
}

/// The operator on tuples: all accumulators, then all values.
fn operator(ir: &mut Ir, chain: &Chain, forms: &[Form]) -> Option<Block> {
    let (first, second) = (chain.first.combine?, chain.second.combine?);
    let half = |ir: &Ir, block: Block| {
        let args = ir.block_args(block);
        let half = args[..args.len() / 2].iter();
        half.map(|&arg| ir.value_type(arg)).collect::<Vec<Type>>()
    };
    let types = [half(ir, first), half(ir, second)].concat();
    let (count, loc) = (chain.first.combined(), ir.loc(chain.second.op));
    let block = ir.create_block(&[&types[..], &types[..]].concat());
    let args = ir.block_args(block).to_vec();
    let (left, right) = args.split_at(types.len());
    let mut b = Builder::at_end(ir, block, loc);
    let sides = [&left[..count], &right[..count]].concat();
    let mut yields = b.clone_block_body(first, &sides, &mut Mapping::new());
    let to = yields[chain.component];
    for (at, &form) in forms.iter().enumerate() {
        let mut terms = [left[count + at], right[count + at]];
        if let Form::Scaled { base, k } = form {
            for (term, from) in terms
                .iter_mut()
                .zip([left[chain.component], right[chain.component]])
            {
                let factor = factor(&mut b, base, k, (from, to));
                *term = MulFOp::build(&mut b, *term, factor).result(b.ir);
            }
        }
        let sum = AddFOp::build(&mut b, terms[0], terms[1]).result(b.ir);
        let (flags, op) = (FastMath::REASSOC.attr(b.ctx()), b.ir.defining_op(sum)?);
        b.ir.set_attr_named(op, "fastmath", Some(flags));
        yields.push(sum);
    }
    end_block(ir, block, &yields, loc);
    Some(block)
}

/// The base to the power of `k` times the difference of two extremes; 1 where they are equal.
fn factor(b: &mut Builder<'_>, base: Base, k: f64, (from, to): (Value, Value)) -> Value {
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

/// Makes the arrays that a reduction stores, which are its results from `combined` on, with a map of their own.
fn store_apart(ir: &mut Ir, second: &Soac, combined: usize) {
    let loc = ir.loc(second.op);
    let stored: Vec<Value> = ir.results(second.op).skip(combined).collect();
    // Its arrays were replaced by those of the joined reduction, where it read what the first one stored.
    let arrays: Vec<Value> = ir.operands(second.op).take(second.arrays.len()).collect();
    let (body, elements) = Parts::body_over(ir, &arrays);
    let values_of: FxHashMap<Value, Value> = second.arrays.iter().copied().zip(elements).collect();
    let yields = copy_body(ir, second, body, &values_of);
    end_block(ir, body, &yields[combined..], loc);
    let types: Vec<Type> = stored.iter().map(|&value| ir.value_type(value)).collect();
    let map = finish(
        ir,
        &Parts::new(Flavour::Map, arrays, Some(body)),
        &types,
        second.op,
    );
    for (&old, new) in stored.iter().zip(ir.results(map).collect::<Vec<_>>()) {
        ir.replace_all_uses(old, new);
    }
}

/// Puts the results of the joined reduction in the place of those of the two.
fn replace(ir: &mut Ir, chain: &Chain, new: Op, forms: &[Form]) {
    let (first, second) = (&chain.first, &chain.second);
    let made: Vec<Value> = ir.results(new).collect();
    let (combined, stored) = made.split_at(first.combined() + second.combined());
    let (extremes, sums) = combined.split_at(first.combined());
    let olds: Vec<Value> = ir.results(first.op).collect();
    for (&old, &new) in olds.iter().zip(extremes.iter().chain(stored)) {
        ir.replace_all_uses(old, new);
        if let Some(name) = ir.value_name(old) {
            ir.set_value_name(new, name);
        }
    }
    let array = ir.operands(new).next();
    let mut b = Builder::before(ir, second.op);
    let ty = b.ir.value_type(extremes[chain.component]);
    let (neutral, nan) = (
        float(&mut b, chain.neutral, ty),
        float(&mut b, f64::NAN, ty),
    );
    let only_neutral = equals(&mut b, extremes[chain.component], neutral);
    let mut undefined = only_neutral;
    if let Some(array) = array {
        let (dim, index_type) = (b.ctx().i64_attr(0), b.ctx().index());
        let extent = DimOp::build(&mut b, array, dim, index_type).result(b.ir);
        let zero = index::constant(&mut b, 0);
        let predicate = CmpIPredicate::Ne.attr(b.ctx());
        let any = CmpIOp::build(&mut b, predicate, extent, zero).result(b.ir);
        undefined = AndIOp::build(&mut b, only_neutral, any).result(b.ir);
    }
    let values: Vec<Value> = sums
        .iter()
        .zip(forms)
        .map(|(&sum, form)| match form {
            Form::Scaled { .. } => SelectOp::build(&mut b, undefined, nan, sum).result(b.ir),
            _ => sum,
        })
        .collect();
    let olds: Vec<Value> = ir.results(second.op).collect();
    for (&old, &new) in olds.iter().zip(&values) {
        ir.replace_all_uses(old, new);
        if let Some(name) = ir.value_name(old) {
            ir.set_value_name(new, name);
        }
    }
    if olds[values.len()..].iter().any(|&array| ir.has_uses(array)) {
        store_apart(ir, second, values.len());
    }
    ir.erase_op(second.op);
    ir.erase_op(first.op);
}
