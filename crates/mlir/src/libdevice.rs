//! CUDA's library of device functions, `libdevice.10.bc`: LLVM bitcode that math functions are linked from.
//!
//! ```text
//! %y = math.erf %x : f32   ==>   %y = llvm.call @__nv_erff(%x), and the body of @__nv_erff from the library
//! ```
//! Upstream turns every op of [`FUNCTIONS`] into such a call and links the library into each `gpu.module`; LLVM takes from
//! it what is called. Without the library those ops are refused (see `math`), so a call that stays unresolved is one
//! that the given file does not define: that is an error at the op, too, though upstream and LLVM succeed.
//!
//! Legality: scalars of f16, bf16 (computed in f32), f32 and f64; `math.fpowi` with an i32 exponent.

use melior::ir::attribute::FlatSymbolRefAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Module, TypeLike, ValueLike};

use crate::session::{collect_ops, error_at, op_name, top_level};
use segra_worker::Diagnostic;

/// Ops and the library's function for f64; that for f32 has an `f` more.
const FUNCTIONS: &[(&str, &str)] = &[
    ("math.acos", "__nv_acos"),
    ("math.acosh", "__nv_acosh"),
    ("math.asin", "__nv_asin"),
    ("math.asinh", "__nv_asinh"),
    ("math.atan", "__nv_atan"),
    ("math.atan2", "__nv_atan2"),
    ("math.atanh", "__nv_atanh"),
    ("math.cbrt", "__nv_cbrt"),
    ("math.cos", "__nv_cos"),
    ("math.cosh", "__nv_cosh"),
    ("math.erf", "__nv_erf"),
    ("math.erfc", "__nv_erfc"),
    ("math.exp", "__nv_exp"),
    ("math.exp2", "__nv_exp2"),
    ("math.expm1", "__nv_expm1"),
    ("math.fpowi", "__nv_powi"),
    ("math.log", "__nv_log"),
    ("math.log10", "__nv_log10"),
    ("math.log1p", "__nv_log1p"),
    ("math.log2", "__nv_log2"),
    ("math.powf", "__nv_pow"),
    ("math.rsqrt", "__nv_rsqrt"),
    ("math.sin", "__nv_sin"),
    ("math.sinh", "__nv_sinh"),
    ("math.tan", "__nv_tan"),
    ("math.tanh", "__nv_tanh"),
];

/// Names of the ops that the library has a function for.
pub(crate) fn functions() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(op, _)| *op)
}

/// Whether an op becomes a call of the library.
pub(crate) fn has(op: OperationRef<'_, '_>) -> bool {
    let name = op_name(op);
    let scalar = |index| {
        op.operand(index)
            .is_ok_and(|value: melior::ir::Value<'_, '_>| {
                let r#type = value.r#type();
                r#type.is_f16() || r#type.is_bf16() || r#type.is_f32() || r#type.is_f64()
            })
    };
    functions().any(|known| known == name)
        && scalar(0)
        && match op.operand_count() {
            1 => true,
            _ if name == "math.fpowi" => op
                .operand(1)
                .is_ok_and(|value| value.r#type().to_string() == "i32"),
            _ => scalar(1),
        }
}

/// Whether the op allows an approximate function, for which there may be an instruction.
pub(crate) fn is_approximate(op: OperationRef<'_, '_>) -> bool {
    let flags = op
        .attribute("fastmath")
        .map(|flags| flags.to_string())
        .unwrap_or_default();
    flags
        .split(|letter: char| !letter.is_alphanumeric())
        .any(|flag| matches!(flag, "afn" | "fast"))
}

/// The calls of functions that `module`, in the LLVM dialect, does not define: whose name, and where.
pub(crate) fn calls(module: &Module<'_>) -> Vec<(String, Diagnostic)> {
    let mut found = Vec::new();
    for gpu_module in top_level(module, "gpu.module") {
        for op in collect_ops(gpu_module)
            .into_iter()
            .filter(|&op| op_name(op) == "llvm.call")
        {
            let Ok(callee) = op.attribute("callee") else {
                continue;
            };
            let Ok(callee) = FlatSymbolRefAttribute::try_from(callee) else {
                continue;
            };
            let name = callee.value().to_owned();
            let message = match op_of(&name) {
                Some(op) => format!("`{op}` calls `{name}`, which nothing defines"),
                None => format!("the PTX calls `{name}`, which nothing defines"),
            };
            found.push((name, error_at(op, message)));
        }
    }
    found
}

/// The op that becomes a call of this function.
fn op_of(function: &str) -> Option<&'static str> {
    let plain = function.replace("__nv_fast_", "__nv_");
    let named = |name: &str| FUNCTIONS.iter().find(|row| row.1 == name).map(|row| row.0);
    named(&plain).or_else(|| plain.strip_suffix('f').and_then(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_found_by_their_name_of_either_width() {
        assert!(FUNCTIONS.is_sorted_by_key(|row| row.0));
        assert_eq!(op_of("__nv_erff"), Some("math.erf"));
        assert_eq!(op_of("__nv_erf"), Some("math.erf"));
        assert_eq!(op_of("__nv_fast_powf"), Some("math.powf"));
        assert_eq!(op_of("__nv_unheard_of"), None);
    }
}
