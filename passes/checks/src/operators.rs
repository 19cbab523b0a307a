//! `check-operators`: tries the operators of reductions, scans and histograms on random values.
//!
//! Flattening takes it from the program that operators are associative, those of histograms also commutative, and that
//! neutral elements are neutral. An operator that is not gives other results on every run on a parallel machine; this
//! check finds most such mistakes.
//!
//! ```text
//! error: 'array.reduce' op has an operator that is not associative: (a . b) . c is (3), but a . (b . c) is (5), for
//!   a = (1), b = (-2), c = (1)
//! ```
//!
//! Tried are operators that use nothing from outside but constants; others are remarked on. Arrays they combine have the
//! extents their types say, and three where only a run tells. Floats agree within a tolerance that reassociation needs.
//! It changes nothing; passing is no proof.

use segra_array::combinator::{Flavour, Soac};
use segra_array::neutral;
use segra_array::types::{Size, sizes_and_element};
use segra_interp::random::Rng;
use segra_interp::{ArrayValue, Datum, Elem, Elements, Interpreter};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::constant_of;
use segra_ir::{Attr, Block, Builder, Context, Diagnostic, Ir, Op, OpView, Severity, Type, Value};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};
use segra_std::arith::materialize_constant;
use segra_std::builtin;
use segra_std::func::{FuncOp, ReturnOp};

pass_options! {
    /// The pass `check-operators`.
    #[derive(Copy)]
    pub struct CheckOperators {
        /// How many triples of values each operator is tried on.
        pub trials: i64 = 64,
        /// Where the stream of random values starts.
        pub seed: i64 = 0,
    }
}

const INFO: PassInfo = PassInfo {
    name: "check-operators",
    summary: "try on random values whether operators are associative and neutral elements neutral",
    reads: &["array"],
    writes: &[],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for CheckOperators {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut wrong = false;
        for op in ir.walk(op) {
            let Some(operator) = Operator::of(ir, op) else {
                continue;
            };
            match self.check(ir, &operator) {
                Verdict::Holds => cx.count("operators tried", 1),
                Verdict::Skipped(why) => {
                    let message = format!("operator is not checked: {why}");
                    cx.diags()
                        .push(Diagnostic::new(Severity::Remark, ir.loc(op), message));
                }
                Verdict::Wrong(message) => {
                    cx.diags().op_error(ir, op, message);
                    wrong = true;
                }
            }
        }
        if wrong {
            Err(segra_pass::PassFailure)
        } else {
            Ok(Outcome::unchanged())
        }
    }
}

/// An operator of the program.
struct Operator {
    op: Op,
    combine: Block,
    /// Each component's neutral element, or its parts; `None`: not a constant.
    neutral: Vec<Option<Attr>>,
    types: Vec<Type>,
    commutes: Commutes,
}

/// Whether the op needs an operator whose operands may be exchanged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Commutes {
    Must,
    NeedNot,
}

/// Extent of tried arrays where only a run tells.
const SOME_EXTENT: usize = 3;

/// The parts of values of a type.
struct Format {
    elem: Elem,
    /// Extents; none: a scalar.
    shape: Vec<usize>,
}

impl Format {
    fn of(ctx: &Context, ty: Type) -> Option<Format> {
        let (sizes, element) = sizes_and_element(ctx, ty);
        let extent = |size| match size {
            Size::Constant(extent) => usize::try_from(extent).unwrap_or(SOME_EXTENT),
            Size::Symbol(_) | Size::Unknown => SOME_EXTENT,
        };
        Some(Format {
            elem: Elem::of(ctx, element)?,
            shape: sizes.into_iter().map(extent).collect(),
        })
    }

    /// A value with elements from `next`.
    fn make(&self, mut next: impl FnMut() -> Datum) -> Datum {
        if self.shape.is_empty() {
            return next();
        }
        let count = self.shape.iter().product();
        let mut elements = Elements::with_capacity(self.elem, count);
        for _ in 0..count {
            elements.push(&next());
        }
        ArrayValue::new(self.elem, self.shape.clone(), elements).map_or(Datum::Unit, Datum::array)
    }

    /// The elements of a value.
    fn elements(value: &Datum) -> Vec<Datum> {
        match value.as_array() {
            Some(array) => (0..array.len()).filter_map(|at| array.get(at)).collect(),
            None => vec![value.clone()],
        }
    }

    fn agree(&self, left: &Datum, right: &Datum) -> bool {
        let (left, right) = (Format::elements(left), Format::elements(right));
        left.len() == right.len()
            && left
                .iter()
                .zip(&right)
                .all(|(left, right)| close(left, right, self.elem))
    }
}

impl Operator {
    fn of(ir: &Ir, op: Op) -> Option<Operator> {
        let constants = |values: &[Value]| {
            values
                .iter()
                .map(|&value| neutral::element_of(ir, value))
                .collect()
        };
        let types = |values: &[Value]| values.iter().map(|&value| ir.value_type(value)).collect();
        let soac = Soac::of(ir, op)?;
        let combine = soac.combine?;
        let (neutral, commutes) = match (soac.flavour, soac.written.as_slice()) {
            (Flavour::Hist, _) => (constants(&soac.start), Commutes::Must),
            (_, []) => {
                let derived = neutral::derived(ir, combine)?;
                (derived.into_iter().map(Some).collect(), Commutes::NeedNot)
            }
            (_, written) => (constants(written), Commutes::NeedNot),
        };
        Some(Operator {
            op,
            combine,
            neutral,
            types: types(&soac.start),
            commutes,
        })
    }
}

enum Verdict {
    Holds,
    Skipped(&'static str),
    Wrong(String),
}

impl CheckOperators {
    fn check(&self, ir: &mut Ir, operator: &Operator) -> Verdict {
        let formats: Option<Vec<Format>> = operator
            .types
            .iter()
            .map(|&ty| Format::of(ir.ctx(), ty))
            .collect();
        let Some(formats) = formats else {
            return Verdict::Skipped("it combines values of another kind");
        };
        if outside(ir, operator.combine)
            .iter()
            .any(|&value| constant_of(ir, value).is_none())
        {
            return Verdict::Skipped("it depends on values from outside");
        }
        let func = function(ir, operator);
        let verdict = self.try_out(ir, func, &formats, operator);
        ir.erase_op(func);
        verdict
    }

    fn try_out(&self, ir: &Ir, func: Op, formats: &[Format], operator: &Operator) -> Verdict {
        let interpreter = Interpreter::new(ir);
        let apply =
            |a: &[Datum], b: &[Datum]| {
                let args: Vec<Datum> = a.iter().chain(b).cloned().collect();
                interpreter.call_op(func, &args).map(|mut results| {
                    let units = results.split_off(formats.len());
                    let units = units.into_iter().zip(formats).map(|(unit, format)| {
                        match unit.as_array() {
                            None => format.make(|| unit.clone()),
                            Some(_) => unit,
                        }
                    });
                    (results, units.collect::<Vec<Datum>>())
                })
            };
        let mut rng = Rng::new(self.seed as u64);
        let constant = operator.neutral.iter().all(Option::is_some);
        for _ in 0..self.trials {
            let mut tuple = || -> Vec<Datum> {
                formats
                    .iter()
                    .map(|format| format.make(|| rng.scalar(format.elem)))
                    .collect()
            };
            let (a, b, c) = (tuple(), tuple(), tuple());
            let tried = (|| {
                let (ab, units) = apply(&a, &b)?;
                let left = apply(&ab, &c)?.0;
                let right = apply(&a, &apply(&b, &c)?.0)?.0;
                let with_unit = if constant {
                    apply(&units, &a)?.0
                } else {
                    a.clone()
                };
                let ba = if operator.commutes == Commutes::Must {
                    apply(&b, &a)?.0
                } else {
                    ab.clone()
                };
                Ok::<_, segra_interp::EvalError>((left, right, with_unit, ab, ba))
            })();
            // An operator that fails on some values (a division) says nothing about the others.
            let Ok((left, right, with_unit, ab, ba)) = tried else {
                continue;
            };
            let given = [&a[..], &b, &c];
            let found = broken_law(formats, given, [&left, &right, &with_unit, &ab, &ba]);
            if let Some(message) = found {
                return Verdict::Wrong(message);
            }
        }
        Verdict::Holds
    }
}

/// Values the operator uses from outside its block.
fn outside(ir: &Ir, combine: Block) -> Vec<Value> {
    let mut values = Vec::new();
    for op in ir.ops(combine) {
        values.extend(ir.free_values(op));
    }
    values.retain(|&value| ir.value_block(value) != Some(combine));
    values
}

/// A detached function that applies the operator, and returns after that the neutral elements (for arrays, what all their
/// elements are) where they are constants, else its first arguments.
fn function(ir: &mut Ir, operator: &Operator) -> Op {
    let doubled: Vec<Type> = operator
        .types
        .iter()
        .chain(&operator.types)
        .copied()
        .collect();
    let constants = outside(ir, operator.combine);
    let mut b = Builder::before(ir, operator.op);
    let func = FuncOp::define(&mut b, "operator", &doubled, &doubled, |b, args| {
        let mut mapping = Mapping::new();
        for value in constants {
            if let Some(def) = b.ir.defining_op(value) {
                b.clone_op(def, &mut mapping);
            }
        }
        let mut results = b.clone_block_body(operator.combine, args, &mut mapping);
        for (index, &element) in operator.neutral.iter().enumerate() {
            let scalar = sizes_and_element(b.ctx(), operator.types[index]).1;
            let constant = element.and_then(|element| materialize_constant(b, element, scalar));
            results.push(constant.map_or(args[index], |constant| b.ir.result(constant, 0)));
        }
        ReturnOp::build(b, &results);
    });
    ir.detach_op(func.op());
    func.op()
}

fn close(left: &Datum, right: &Datum, elem: Elem) -> bool {
    if !elem.is_float() {
        return left.as_int() == right.as_int();
    }
    let (Some(left), Some(right)) = (left.as_f64(), right.as_f64()) else {
        return false;
    };
    let tolerance = if elem.bytes() < 4 { 0.05 } else { 1e-4 };
    left == right
        || (left.is_nan() && right.is_nan())
        || (left - right).abs() <= tolerance * 1f64.max(left.abs()).max(right.abs())
}

fn shown(values: &[Datum]) -> String {
    let number = |value: &Datum| match value.as_int() {
        Some(value) => value.to_string(),
        None => value
            .as_f64()
            .map_or_else(|| "?".to_owned(), |value| format!("{value:.6}")),
    };
    let value = |value: &Datum| match value.as_array() {
        Some(_) => format!(
            "[{}]",
            Format::elements(value)
                .iter()
                .map(number)
                .collect::<Vec<_>>()
                .join(", ")
        ),
        None => number(value),
    };
    format!(
        "({})",
        values.iter().map(value).collect::<Vec<_>>().join(", ")
    )
}

/// The law that does not hold for `a`, `b` and `c`, by `(a . b) . c`, `a . (b . c)`, the neutral element with `a`, `a . b`
/// and `b . a`.
fn broken_law(formats: &[Format], given: [&[Datum]; 3], found: [&[Datum]; 5]) -> Option<String> {
    let agree = |left: &[Datum], right: &[Datum]| {
        let mut rows = left.iter().zip(right).zip(formats);
        rows.all(|((left, right), format)| format.agree(left, right))
    };
    let [left, right, with_unit, ab, ba] = found;
    let [a, b, c] = given.map(shown);
    if !agree(left, right) {
        let (left, right) = (shown(left), shown(right));
        return Some(format!(
            "has an operator that is not associative: (a . b) . c is {left}, but a . (b . c) is {right}, \
             for a = {a}, b = {b}, c = {c}"
        ));
    }
    if !agree(with_unit, given[0]) {
        let with_unit = shown(with_unit);
        return Some(format!(
            "has a neutral element that is not neutral: combined with {a} it gives {with_unit}"
        ));
    }
    let (ab, ba) = (!agree(ab, ba)).then(|| (shown(ab), shown(ba)))?;
    Some(format!(
        "has an operator that is not commutative: a . b is {ab}, but b . a is {ba}, for a = {a}, b = {b}"
    ))
}
