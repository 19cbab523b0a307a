//! The reference interpreter on the runtime's values.

use crate::failure::Failure;
use segra_artifact::{ElemType, Scalar};
use segra_interp::{ArrayValue, Datum, Elem, EvalError, Interpreter, Limits, MemRefValue};
use segra_ir::interfaces::Callable;
use segra_ir::type_arguments::size_claims;
use segra_ir::{Context, Diagnostics, Ir, Op, Type, TypeKind};
use segra_runtime::{Array, Value};

/// Runs a function of a program at any level and returns its results.
///
/// # Errors
/// There is no such function, an argument does not suit its parameter, or the program fails; with the place.
pub fn interpret(ir: &Ir, entry: &str, args: &[Value]) -> Result<Vec<Value>, Failure> {
    call(&Interpreter::new(ir), entry, args).map_err(|why| why.into_failure(ir))
}

/// The same in at most `steps` ops, counted once for each element they are evaluated for; `None` where that is too few.
///
/// ```
/// # use segra::{Program, Scalar, interpret_within};
/// let text = "func.func @main(%x: i32) -> i32 {
///   %y = arith.addi %x, %x : i32
///   func.return %y : i32
/// }";
/// let program = Program::from_text("twice.mlir", text)?;
/// let results = |steps| interpret_within(program.ir(), "main", &[Scalar::i32(4).into()], steps);
/// assert_eq!(results(1)?, Some(vec![Scalar::i32(8).into()]));
/// assert_eq!(results(0)?, None);
/// # Ok::<(), segra::Failure>(())
/// ```
///
/// # Errors
/// As of [`interpret()`].
pub fn interpret_within(
    ir: &Ir,
    entry: &str,
    args: &[Value],
    steps: u64,
) -> Result<Option<Vec<Value>>, Failure> {
    let limits = Limits {
        steps,
        ..Limits::default()
    };
    match call(&Interpreter::new(ir).with_limits(limits), entry, args) {
        Ok(results) => Ok(Some(results)),
        Err(Stopped::Program(error)) if error.exceeds_steps() => Ok(None),
        Err(why) => Err(why.into_failure(ir)),
    }
}

fn call(interpreter: &Interpreter<'_>, entry: &str, args: &[Value]) -> Result<Vec<Value>, Stopped> {
    match interpreter.entry(entry) {
        Some(function) => run(interpreter, function, args),
        None => Err(Stopped::Argument(format!("there is no function @{entry}"))),
    }
}

/// Why a run ended without results.
pub(crate) enum Stopped {
    /// There is no such function, or an argument does not suit.
    Argument(String),
    /// The program failed.
    Program(EvalError),
}

impl Stopped {
    /// The reason with its place in the program.
    pub(crate) fn into_failure(self, ir: &Ir) -> Failure {
        match self {
            Stopped::Argument(message) => Failure::new(ir.context(), message),
            Stopped::Program(error) => {
                let mut diagnostics = Diagnostics::new();
                diagnostics.push(error.to_diagnostic(ir));
                Failure {
                    context: ir.context(),
                    diagnostics,
                }
            }
        }
    }
}

/// Runs one function.
pub(crate) fn run(
    interpreter: &Interpreter<'_>,
    function: Op,
    args: &[Value],
) -> Result<Vec<Value>, Stopped> {
    let ir = interpreter.ir();
    let (inputs, outputs) = ir
        .interface::<dyn Callable>(function)
        .map(|callable| callable.signature(ir, function))
        .unwrap_or_default();
    if inputs.len() != args.len() {
        return Err(Stopped::Argument(format!(
            "{} arguments for {} parameters",
            args.len(),
            inputs.len()
        )));
    }
    let mut data = Vec::new();
    for (index, (value, &ty)) in args.iter().zip(&inputs).enumerate() {
        let datum = datum(ir.ctx(), value, ty).ok_or_else(|| {
            let ty = segra_text::print_type(ir.ctx(), ty);
            Stopped::Argument(format!(
                "argument {index} is {}, its parameter {ty}",
                value.type_text()
            ))
        })?;
        data.push(datum);
    }
    for claim in size_claims(ir.ctx(), &inputs) {
        let extent = |(index, dim): (usize, usize)| {
            let shape = data
                .get(index)
                .and_then(|datum: &Datum| datum.as_array())?
                .shape();
            i64::try_from(*shape.get(dim)?).ok()
        };
        let (found, wanted) = (extent(claim.of), claim.is.map_or_else(Some, extent));
        if let (Some(found), Some(wanted)) = (found, wanted)
            && found != wanted
        {
            let message = segra_std::check::with_numbers(&claim.message, &[found, wanted]);
            return Err(Stopped::Argument(message));
        }
    }
    let results = interpreter
        .call_op(function, &data)
        .map_err(Stopped::Program)?;
    let values = results
        .iter()
        .zip(&outputs)
        .map(|(datum, &ty)| value(ir.ctx(), datum, ty));
    values.collect::<Option<_>>().ok_or_else(|| {
        Stopped::Argument(
            "a result is neither a number nor an array, so it means nothing outside".to_owned(),
        )
    })
}

/// The interpreter's format of an element type; `index` where the program says so.
fn elem(ctx: &Context, ty: Type) -> Option<Elem> {
    let element = match ty.dialect::<segra_array::types::ArrayType>(ctx) {
        Some(array) => array.element,
        None => ty.element_or_self(ctx),
    };
    Elem::of(ctx, element)
}

fn elem_type(elem: Elem) -> Option<ElemType> {
    Some(match elem {
        Elem::Index => ElemType::I64,
        Elem::Int(width) => match width.bits() {
            1 => ElemType::Bool,
            8 => ElemType::I8,
            16 => ElemType::I16,
            32 => ElemType::I32,
            64 => ElemType::I64,
            _ => return None,
        },
        Elem::F16 => ElemType::F16,
        Elem::BF16 => ElemType::BF16,
        Elem::TF32 => return None,
        Elem::F32 => ElemType::F32,
        Elem::F64 => ElemType::F64,
    })
}

fn datum(ctx: &Context, value: &Value, ty: Type) -> Option<Datum> {
    let elem = elem(ctx, ty)?;
    let is_scalar = Elem::of(ctx, ty).is_some();
    match value {
        Value::Scalar(scalar) => (is_scalar && elem_type(elem) == Some(scalar.elem()))
            .then(|| Datum::from_bits(scalar.bits(), elem)),
        Value::Array(array) => {
            if is_scalar || elem_type(elem) != Some(array.elem()) {
                return None;
            }
            let array = ArrayValue::from_bytes(elem, array.shape().to_vec(), array.bytes())?;
            Some(match ctx.type_kind(ty) {
                TypeKind::MemRef { .. } => Datum::memref(MemRefValue::from_array(&array)),
                _ => Datum::array(array),
            })
        }
    }
}

/// A value outside for a run-time value of an IR type.
pub(crate) fn value(ctx: &Context, datum: &Datum, ty: Type) -> Option<Value> {
    let array = match datum {
        Datum::Array(array) | Datum::Vector(array) => ArrayValue::clone(array),
        Datum::MemRef(memref) => memref.to_array().ok()?,
        scalar => {
            let elem = elem_type(elem(ctx, ty)?)?;
            // Integers are sign-extended there and cut to their width here.
            let bits = scalar.to_bits()? & (u64::MAX >> (64 - 8 * elem.size() as u32));
            return Some(Value::Scalar(Scalar::from_bits(elem, bits)));
        }
    };
    let elem = elem_type(array.elem())?;
    Array::from_bytes(elem, array.shape(), array.to_bytes())
        .ok()
        .map(Value::Array)
}
