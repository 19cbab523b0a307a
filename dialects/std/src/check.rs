//! `check`: conditions under which a program goes on, as ops that give a value.
//!
//! A check is needed by whatever uses its value, so no pass can run that without it; and it has an effect of its own, so
//! none can drop it where nothing uses the value. The message is the program's: it names what the program says, at the
//! program's place, whatever passes make of the ops it protects.

use segra_interp::{Cx, Eval, EvalError, EvalResult, Flow, Inst, Lanes};
use segra_ir::constraint::{AnyType, Bool, Index, StrAttr};
use segra_ir::def::Origin;
use segra_ir::interfaces::{
    Effect, EffectKind, Effects, Fold, FoldResult, Folded, InferTypes, Verify,
};
use segra_ir::{Attr, Dialect, Ir, Op, OpDef, OpDiagnostics, OpState, OpView, Type, op};
use smallvec::smallvec;

const OPS: &[&OpDef] = &[RequireOp::DEF];

/// Most numbers a message can have.
pub const MOST_VALUES: usize = 3;

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "check",
        origin: Origin::default(),
        doc: "Conditions under which a program goes on.",
        ops: OPS.to_vec(),
        ..Dialect::default()
    }
}

/// The value, where the condition holds; else the program stops with the message, in which `{0}`, `{1}`, `{2}` stand for
/// the numbers.
///
/// On a device other threads run on, and so does the one whose condition does not hold, with the value after `else`
/// instead: one with which nothing can be harmed. Of several checks that fail in one kernel any one is reported.
///
/// ```mlir
/// %d = check.require %divides, %y else %one : i32, i32, "divides by zero"
/// %k = check.require %inside, %i else %zero : index, index, "index {0} is out of range for {1}"(%i, %n : index, index)
/// ```
#[op(
    "check.require",
    interfaces(Verify, InferTypes, Fold, Effects, Eval),
    format = "$condition `,` $value `else` $otherwise `:` type($value) `,` type($otherwise) `,` $message (`(` $numbers^ `:` \
              type($numbers) `)`)? attr-dict"
)]
pub struct RequireOp {
    condition: Operand<Bool>,
    /// Its value.
    value: Operand<AnyType>,
    /// Its value on a device whose run is lost.
    otherwise: Operand<AnyType>,
    /// At most three.
    numbers: VariadicOperand<Index>,
    message: Attr<StrAttr>,
    result: OpResult<AnyType>,
}

impl Verify for RequireOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let check = RequireOp::from_op(op);
        let ty = |value| ir.value_type(value);
        let wanted = ty(check.value(ir));
        if ty(check.otherwise(ir)) != wanted || ty(check.result(ir)) != wanted {
            diags.error("operands `value` and `otherwise` and the result must be of one type");
        }
        let count = check.numbers(ir).len();
        if count > MOST_VALUES {
            diags.error(format!(
                "reports at most {MOST_VALUES} numbers, not {count}"
            ));
        }
    }
}

impl InferTypes for RequireOp {
    fn infer_types(&self, ir: &Ir, state: &OpState) -> Result<Vec<Type>, String> {
        let value = state.operands.get(1).ok_or("needs a value")?;
        Ok(vec![ir.value_type(*value)])
    }
}

impl Fold for RequireOp {
    /// A check that always holds is none.
    fn fold(&self, ir: &Ir, op: Op, operands: &[Option<Attr>]) -> Folded {
        let holds = operands.first().copied().flatten()?.as_integer(ir.ctx())? != 0;
        holds.then(|| smallvec![FoldResult::Value(RequireOp::from_op(op).value(ir))])
    }
}

impl Effects for RequireOp {
    fn effects(&self, ir: &Ir, op: Op, effects: &mut Vec<Effect>) {
        // A check that always holds has none.
        let known = ir.constant_int(RequireOp::from_op(op).condition(ir));
        if known.is_none_or(|holds| holds == 0) {
            effects.push(Effect::of(EffectKind::Stop));
        }
    }
}

impl Eval for RequireOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            if cx.int(inst, 0, lane)? & 1 == 0 {
                let message = RequireOp::from_op(inst.op).message_attr(cx.ir());
                let message = message
                    .and_then(|attr| attr.as_str(cx.ir().ctx()))
                    .unwrap_or("a check failed");
                let numbers = cx.ints(inst, 3..inst.operands.len(), lane)?;
                return Err(EvalError::about(
                    cx.ir(),
                    inst.op,
                    with_numbers(message, &numbers),
                ));
            }
            let value = cx.operand(inst, 1, lane).clone();
            cx.set_result(inst, 0, lane, value);
        }
        Ok(Flow::Next)
    }
}

/// A message with its numbers put in.
pub fn with_numbers(message: &str, numbers: &[i64]) -> String {
    let put = |text: String, (at, number): (usize, &i64)| {
        text.replace(&format!("{{{at}}}"), &number.to_string())
    };
    numbers.iter().enumerate().fold(message.to_owned(), put)
}
