//! Rewrites math ops that the hardware has into calls of LLVM intrinsics.
//!
//! Upstream's `convert-gpu-to-nvvm` turns every math op, even `math.sqrt`, into a call of a CUDA library
//! function (`__nv_sqrtf`) and refuses the `llvm.intr.*` ops that other passes would make of them. The one op that it
//! leaves alone is `llvm.call_intrinsic`:
//!
//! ```text
//! %y = math.sqrt %x fastmath<contract> : f32
//!   ==>
//! %y = llvm.call_intrinsic "llvm.sqrt"(%x) {fastmathFlags = #llvm.fastmath<contract>} : (f32) -> f32
//! ```
//!
//! [`ROUTES`] is the whole list; the gate asks [`refusal`] about every other op of the `math` dialect. Functions that are
//! not here (exp, log, sin, pow, erf …) must have been expanded into arithmetic before, or come from CUDA's library
//! where that is given ([`libdevice`]); the approximations here are then only taken where the op allows them.

use melior::Context;
use melior::IrRewriter;
use melior::ir::attribute::{DenseI32ArrayAttribute, IntegerAttribute, StringAttribute};
use melior::ir::operation::{OperationBuilder, OperationLike, OperationRef};
use melior::ir::r#type::IntegerType;
use melior::ir::{Attribute, BlockLike, Identifier, Operation, Type, Value, ValueLike};

use crate::libdevice;
use crate::pointer::emit;
use crate::session::op_name;
use segra_worker::Target;
use segra_worker::{ErrorCode, MlirError};

/// How one op becomes one intrinsic.
struct Route {
    op: &'static str,
    intrinsic: Intrinsic,
    /// Element types the intrinsic is lowered for.
    elements: &'static [&'static str],
    /// An operand the intrinsic takes on top of the op's.
    extra: Extra,
}

#[derive(Clone, Copy)]
enum Intrinsic {
    /// One name for all types, vectors included.
    Overloaded(&'static str),
    /// One name per element type, in the order of [`Route::elements`]; scalars only.
    PerElement(&'static [&'static str]),
}

#[derive(Clone, Copy)]
enum Extra {
    None,
    /// `false : i1`: zero (or the smallest integer) is an ordinary input, not poison.
    DefinedEverywhere,
    /// The mask of floating-point classes asked for, as `llvm.is.fpclass` numbers them.
    FloatClasses(i64),
}

const FLOATS: &[&str] = &["f16", "bf16", "f32", "f64"];
const INTEGERS: &[&str] = &["i1", "i8", "i16", "i32", "i64", INDEX];
/// An integer of 64 bits to LLVM.
const INDEX: &str = "index";

const fn float(op: &'static str, intrinsic: &'static str) -> Route {
    Route {
        op,
        intrinsic: Intrinsic::Overloaded(intrinsic),
        elements: FLOATS,
        extra: Extra::None,
    }
}

const fn classify(op: &'static str, classes: i64) -> Route {
    let intrinsic = Intrinsic::Overloaded("llvm.is.fpclass");
    Route {
        op,
        intrinsic,
        elements: FLOATS,
        extra: Extra::FloatClasses(classes),
    }
}

const fn integer(op: &'static str, intrinsic: &'static str, extra: Extra) -> Route {
    Route {
        op,
        intrinsic: Intrinsic::Overloaded(intrinsic),
        elements: INTEGERS,
        extra,
    }
}

/// Every op with an instruction (or a short exact sequence) of its own. Accuracy as the PTX ISA states it:
/// all are correctly rounded or exact, but exp2, log2 and rsqrt (approximate: 2 ulp, 2^-22 absolute, 2^-22.9).
const ROUTES: &[Route] = &[
    float("arith.maxnumf", "llvm.maxnum"),
    float("arith.minnumf", "llvm.minnum"),
    float("math.absf", "llvm.fabs"),
    integer("math.absi", "llvm.abs", Extra::DefinedEverywhere),
    float("math.ceil", "llvm.ceil"),
    float("math.copysign", "llvm.copysign"),
    integer("math.ctlz", "llvm.ctlz", Extra::DefinedEverywhere),
    integer("math.ctpop", "llvm.ctpop", Extra::None),
    // Bit tricks and popc behind a branch around zero: LLVM folds every branch-free spelling back into this.
    integer("math.cttz", "llvm.cttz", Extra::DefinedEverywhere),
    Route {
        op: "math.exp2",
        intrinsic: Intrinsic::Overloaded("llvm.exp2"),
        elements: &["f16", "bf16", "f32"],
        extra: Extra::None,
    },
    float("math.floor", "llvm.floor"),
    float("math.fma", "llvm.fma"),
    classify("math.isfinite", 0x1f8),
    classify("math.isinf", 0x204),
    classify("math.isnan", 0x003),
    classify("math.isnormal", 0x108),
    Route {
        op: "math.log2",
        intrinsic: Intrinsic::PerElement(&["llvm.nvvm.lg2.approx.f"]),
        elements: &["f32"],
        extra: Extra::None,
    },
    float("math.round", "llvm.round"),
    float("math.roundeven", "llvm.roundeven"),
    Route {
        op: "math.rsqrt",
        intrinsic: Intrinsic::PerElement(&["llvm.nvvm.rsqrt.approx.f", "llvm.nvvm.rsqrt.approx.d"]),
        elements: &["f32", "f64"],
        extra: Extra::None,
    },
    float("math.sqrt", "llvm.sqrt"),
    float("math.trunc", "llvm.trunc"),
];

/// Names of the math ops that lower to instructions of the hardware.
#[cfg(test)]
pub(crate) fn routed_ops() -> impl Iterator<Item = &'static str> {
    ROUTES.iter().map(|route| route.op)
}

fn route(name: &str) -> Option<&'static Route> {
    ROUTES.iter().find(|route| route.op == name)
}

/// An element type and whether it stands alone or in a vector.
struct Operand {
    element: String,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Scalar,
    Vector,
    /// A vector LLVM has no type for, or no vector at all.
    Other,
}

fn classify_type(r#type: Type<'_>) -> Operand {
    let text = r#type.to_string();
    match text
        .strip_prefix("vector<")
        .and_then(|rest| rest.strip_suffix('>'))
    {
        None => Operand {
            element: text,
            form: Form::Scalar,
        },
        Some(inner) => match inner.split_once('x') {
            Some((lanes, element))
                if lanes.bytes().all(|byte| byte.is_ascii_digit()) && !element.contains('x') =>
            {
                Operand {
                    element: element.to_owned(),
                    form: Form::Vector,
                }
            }
            _ => Operand {
                element: inner.to_owned(),
                form: Form::Other,
            },
        },
    }
}

/// Whether upstream makes a call of CUDA's library of the op.
fn is_library(op: OperationRef<'_, '_>, target: &Target) -> bool {
    let approximated = route(&op_name(op)).is_some() && libdevice::is_approximate(op);
    target.libdevice.is_some() && libdevice::has(op) && !approximated
}

/// Why this math op cannot be lowered, if so.
pub(crate) fn refusal(op: OperationRef<'_, '_>, target: &Target) -> Option<String> {
    let name = &*op_name(op);
    if is_library(op, target) {
        return None;
    }
    let Some(route) = route(name) else {
        return name.starts_with("math.").then(|| match libdevice::has(op) {
            true => format!(
                "`{name}` has no instruction; expand it into arithmetic before the exit to upstream MLIR, \
                 or give CUDA's libdevice, which has it"
            ),
            false => format!(
                "`{name}` has no instruction; expand it into arithmetic before the exit to upstream MLIR"
            ),
        });
    };
    let r#type = op.operand(0).ok()?.r#type();
    let operand = classify_type(r#type);
    let supported = route.elements.contains(&operand.element.as_str())
        && match route.intrinsic {
            Intrinsic::Overloaded(_) => {
                operand.form == Form::Scalar
                    || operand.form == Form::Vector && operand.element != INDEX
            }
            Intrinsic::PerElement(_) => operand.form == Form::Scalar,
        };
    (!supported).then(|| {
        let vectors = match route.intrinsic {
            Intrinsic::Overloaded(_) => " and vectors of one dimension of them",
            Intrinsic::PerElement(_) => "",
        };
        format!(
            "`{name}` has no instruction for `{type}`; it takes {}{vectors}",
            route.elements.join(", ")
        )
    })
}

/// Rewrites one op if it has a route; others stay, and those that a library has.
pub(crate) fn rewrite<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    target: &Target,
) -> Result<(), MlirError> {
    let name = &*op_name(op);
    let Some(route) = route(name).filter(|_| !is_library(op, target)) else {
        return Ok(());
    };
    replace(context, op, route).map_err(|error| {
        MlirError::new(
            ErrorCode::Internal,
            format!("cannot rewrite `{name}`: {error}"),
        )
    })
}

fn replace<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    route: &Route,
) -> Result<(), melior::Error> {
    let block = op.block().ok_or(melior::Error::OperationBuild)?;
    let mut result_type = op.result(0)?.r#type();
    let mut operands: Vec<Value<'c, '_>> = op.operands().collect();
    let on_index = result_type.to_string() == INDEX;
    if on_index {
        let word = IntegerType::new(context, 64).into();
        for operand in &mut operands {
            *operand = emit(
                context,
                op,
                "arith.index_cast",
                &[*operand],
                Some(word),
                &[],
            )?
            .result(0)?
            .into();
        }
        result_type = word;
    }

    let extra = match route.extra {
        Extra::None => None,
        Extra::DefinedEverywhere => Some((1, 0)),
        Extra::FloatClasses(classes) => Some((32, classes)),
    };
    if let Some((width, value)) = extra {
        let r#type = IntegerType::new(context, width).into();
        let value = IntegerAttribute::new(r#type, value).into();
        let constant = OperationBuilder::new("llvm.mlir.constant", op.location())
            .add_results(&[r#type])
            .add_attributes(&[(Identifier::new(context, "value"), value)])
            .build()?;
        operands.push(
            block
                .insert_operation_before(op, constant)
                .result(0)?
                .into(),
        );
    }

    let intrinsic = match route.intrinsic {
        Intrinsic::Overloaded(name) => name,
        Intrinsic::PerElement(names) => {
            let element = result_type.to_string();
            let index = route.elements.iter().position(|known| *known == element);
            index
                .and_then(|index| names.get(index))
                .copied()
                .ok_or(melior::Error::OperationBuild)?
        }
    };
    let call = call(context, op, intrinsic, &operands, result_type)?;
    let mut result: Value<'c, '_> = block.insert_operation_before(op, call).result(0)?.into();
    if on_index {
        let index = Some(op.result(0)?.r#type());
        result = emit(context, op, "arith.index_cast", &[result], index, &[])?
            .result(0)?
            .into();
    }
    IrRewriter::new(context)
        .as_rewriter_base()
        .replace_op_with_values(op, &[result]);
    Ok(())
}

/// `llvm.call_intrinsic` with the location and flags of `op`.
pub(crate) fn call<'c>(
    context: &'c Context,
    op: OperationRef<'c, '_>,
    intrinsic: &str,
    operands: &[Value<'c, '_>],
    result: Type<'c>,
) -> Result<Operation<'c>, melior::Error> {
    let operand_count = i32::try_from(operands.len()).unwrap_or(i32::MAX);
    let mut attributes: Vec<(&str, Attribute<'c>)> = vec![
        ("intrin", StringAttribute::new(context, intrinsic).into()),
        (
            "op_bundle_sizes",
            DenseI32ArrayAttribute::new(context, &[]).into(),
        ),
        (
            "operandSegmentSizes",
            DenseI32ArrayAttribute::new(context, &[operand_count, 0]).into(),
        ),
    ];
    attributes.extend(fastmath_flags(context, op).map(|flags| ("fastmathFlags", flags)));
    let attributes: Vec<_> = attributes
        .into_iter()
        .map(|(name, value)| (Identifier::new(context, name), value))
        .collect();
    OperationBuilder::new("llvm.call_intrinsic", op.location())
        .add_operands(operands)
        .add_results(&[result])
        .add_attributes(&attributes)
        .build()
}

/// The op's flags in LLVM's dialect, if any are set: both dialects spell them alike.
fn fastmath_flags<'c>(context: &'c Context, op: OperationRef<'c, '_>) -> Option<Attribute<'c>> {
    let text = op.attribute("fastmath").ok()?.to_string();
    let flags = text.strip_prefix("#arith.fastmath")?;
    if flags == "<none>" {
        None
    } else {
        Attribute::parse(context, &format!("#llvm.fastmath{flags}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_sorted_and_complete() {
        let names: Vec<_> = routed_ops().collect();
        assert!(names.windows(2).all(|pair| pair[0] < pair[1]), "{names:?}");
        for route in ROUTES {
            if let Intrinsic::PerElement(names) = route.intrinsic {
                assert_eq!(names.len(), route.elements.len(), "{}", route.op);
            }
        }
    }
}
