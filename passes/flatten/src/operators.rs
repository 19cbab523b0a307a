//! `check-operators`: tries the operators of reductions and scans on random values.
//!
//! Flattening takes it from the program that operators are associative and that initial values are neutral. An
//! operator that is not gives other results on every run on a parallel machine; this check finds most such mistakes.
//!
//! ```text
//! error: 'array.reduce' op has an operator that is not associative: (a . b) . c is (3), but a . (b . c) is (5), for
//!   a = (1), b = (-2), c = (1)
//! ```
//!
//! Tried are operators over scalars that use nothing from outside but constants; others are remarked on. Floats agree
//! within a tolerance that reassociation needs. It changes nothing; passing is no proof.

use segra_array::soac::{RedomapOp, ReduceOp, ScanOp};
use segra_interp::random::Rng;
use segra_interp::{Datum, Elem, Interpreter};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::constant_of;
use segra_ir::{Block, Builder, Diagnostic, Ir, Op, OpView, Severity, Type, Value};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};
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
    summary: "try on random values whether operators are associative and initial values neutral",
    reads: &["array"],
    writes: &[],
    anchors: Anchors::Ops(&["builtin.module"]),
};

impl Pass for CheckOperators {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut wrong = false;
        for op in ir.walk(op) {
            let Some((combine, neutral)) = operator(ir, op) else { continue };
            match self.check(ir, op, combine, &neutral) {
                Verdict::Holds => cx.count("operators tried", 1),
                Verdict::Skipped(why) => {
                    let message = format!("operator is not checked: {why}");
                    cx.diags().push(Diagnostic::new(Severity::Remark, ir.loc(op), message));
                }
                Verdict::Wrong(message) => {
                    cx.diags().op_error(ir, op, message);
                    wrong = true;
                }
            }
        }
        if wrong { Err(segra_pass::PassFailure) } else { Ok(Outcome::unchanged()) }
    }
}

/// The operator's block and the initial values, if `op` has an operator.
fn operator(ir: &Ir, op: Op) -> Option<(Block, Vec<Value>)> {
    if let Some(reduce) = ir.cast::<ReduceOp>(op) {
        return Some((reduce.combine_block(ir), reduce.neutral(ir)));
    }
    if let Some(redomap) = ir.cast::<RedomapOp>(op) {
        return Some((redomap.combine_block(ir), redomap.neutral(ir)));
    }
    let scan = ir.cast::<ScanOp>(op)?;
    Some((scan.combine_block(ir), scan.neutral(ir)))
}

enum Verdict {
    Holds,
    Skipped(&'static str),
    Wrong(String),
}

impl CheckOperators {
    fn check(&self, ir: &mut Ir, op: Op, combine: Block, neutral: &[Value]) -> Verdict {
        let types: Vec<Type> = neutral.iter().map(|&value| ir.value_type(value)).collect();
        let elems: Option<Vec<Elem>> = types.iter().map(|&ty| Elem::of(ir.ctx(), ty)).collect();
        let Some(elems) = elems else { return Verdict::Skipped("it combines arrays") };
        if outside(ir, combine).iter().any(|&value| constant_of(ir, value).is_none()) {
            return Verdict::Skipped("it depends on values from outside");
        }
        let func = function(ir, op, combine, neutral, &types);
        let verdict = self.try_out(ir, func, &elems, neutral);
        ir.erase_op(func);
        verdict
    }

    fn try_out(&self, ir: &Ir, func: Op, elems: &[Elem], neutral: &[Value]) -> Verdict {
        let interpreter = Interpreter::new(ir);
        let apply = |a: &[Datum], b: &[Datum]| {
            let args: Vec<Datum> = a.iter().chain(b).cloned().collect();
            interpreter.call_op(func, &args).map(|mut results| {
                let units = results.split_off(elems.len());
                (results, units)
            })
        };
        let mut rng = Rng::new(self.seed as u64);
        let constant = neutral.iter().all(|&value| constant_of(ir, value).is_some());
        for _ in 0..self.trials {
            let mut tuple = || elems.iter().map(|&elem| rng.scalar(elem)).collect::<Vec<Datum>>();
            let (a, b, c) = (tuple(), tuple(), tuple());
            let tried = (|| {
                let (ab, units) = apply(&a, &b)?;
                let left = apply(&ab, &c)?.0;
                let right = apply(&a, &apply(&b, &c)?.0)?.0;
                let with_unit = if constant { apply(&units, &a)?.0 } else { a.clone() };
                Ok::<_, segra_interp::EvalError>((left, right, with_unit))
            })();
            // An operator that fails on some values (a division) says nothing about the others.
            let Ok((left, right, with_unit)) = tried else { continue };
            if !agree(&left, &right, elems) {
                return Verdict::Wrong(format!(
                    "has an operator that is not associative: (a . b) . c is {}, but a . (b . c) is {}, \
                     for a = {}, b = {}, c = {}",
                    shown(&left),
                    shown(&right),
                    shown(&a),
                    shown(&b),
                    shown(&c)
                ));
            }
            if !agree(&with_unit, &a, elems) {
                return Verdict::Wrong(format!(
                    "has an initial value that is not neutral: combined with {} it gives {}",
                    shown(&a),
                    shown(&with_unit)
                ));
            }
        }
        Verdict::Holds
    }
}

/// Values the operator uses from outside its block.
fn outside(ir: &Ir, combine: Block) -> Vec<Value> {
    let mut values = Vec::new();
    for op in ir.ops(combine) {
        crate::cost::free_values(ir, op, &mut |value| values.push(value));
    }
    values.retain(|&value| ir.value_block(value) != Some(combine));
    values
}

/// A detached function that applies the operator, and returns the initial values where they are constants (else its
/// first arguments) after that.
fn function(ir: &mut Ir, op: Op, combine: Block, neutral: &[Value], types: &[Type]) -> Op {
    let doubled: Vec<Type> = types.iter().chain(types).copied().collect();
    let mut constants = outside(ir, combine);
    constants.extend(neutral.iter().copied().filter(|&value| constant_of(ir, value).is_some()));
    let mut b = Builder::before(ir, op);
    let func = FuncOp::define(&mut b, "operator", &doubled, &doubled, |b, args| {
        let mut mapping = Mapping::new();
        for value in constants {
            if let Some(def) = b.ir.defining_op(value) {
                b.clone_op(def, &mut mapping);
            }
        }
        let mut results = b.clone_block_body(combine, args, &mut mapping);
        for (index, &value) in neutral.iter().enumerate() {
            let unit = mapping.get(value);
            results.push(if unit == value { args[index] } else { unit });
        }
        ReturnOp::build(b, &results);
    });
    ir.detach_op(func.op());
    func.op()
}

fn agree(left: &[Datum], right: &[Datum], elems: &[Elem]) -> bool {
    left.iter().zip(right).zip(elems).all(|((left, right), elem)| {
        if !elem.is_float() {
            return left.as_int() == right.as_int();
        }
        let (Some(left), Some(right)) = (left.as_f64(), right.as_f64()) else { return false };
        let tolerance = if elem.bytes() < 4 { 0.05 } else { 1e-4 };
        left == right
            || (left.is_nan() && right.is_nan())
            || (left - right).abs() <= tolerance * 1f64.max(left.abs()).max(right.abs())
    })
}

fn shown(values: &[Datum]) -> String {
    let number = |value: &Datum| match value.as_int() {
        Some(value) => value.to_string(),
        None => value.as_f64().map_or_else(|| "?".to_owned(), |value| format!("{value:.6}")),
    };
    format!("({})", values.iter().map(number).collect::<Vec<_>>().join(", "))
}
