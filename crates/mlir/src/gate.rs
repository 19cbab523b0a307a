//! Refuses, before any lowering, what upstream would answer by ending the process or by silent nonsense.
//!
//! LLVM calls `abort` on an instruction it cannot select, so an op that the target lacks must never reach it.
//! The gate walks every `gpu.module` and checks each op by name, operand types and target, against tables that
//! list what is known to work ([`DIALECTS`], [`INTRINSICS`], the routes in `math`) or to need a newer
//! target ([`NEEDS`]). All refusals of a module are reported together, each with the op's location.
//!
//! Not checked: whether inline PTX fits the target (ptxas or the driver tells), and value ranges.

use melior::ir::attribute::StringAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Module, TypeLike, ValueLike};

use crate::bulk;
use crate::copies;
use crate::math;
use crate::session::{collect_ops, error_at, made_by, op_name, symbol_name, top_level};
use crate::swap;
use crate::tf32;
use crate::warpgroup;
use segra_worker::{Diagnostic, ErrorCode, MlirError};
use segra_worker::{PtxVersion, Target};
use std::collections::HashSet;

/// Dialects the pipeline lowers.
const DIALECTS: &[&str] = &[
    "arith", "builtin", "cf", "func", "gpu", "llvm", "math", "memref", "nvgpu", "nvvm", "scf",
    "vector",
];

/// Ops of those dialects that have no (sound) lowering in a kernel, with what to do instead.
const REFUSED: &[(&str, &str)] = &[
    (
        "arith.remf",
        "it becomes a call of the CUDA library's fmod; expand it into arithmetic",
    ),
    (
        "cf.assert",
        "it needs the device runtime; branch and store an error code instead",
    ),
    (
        "gpu.all_reduce",
        "write it with gpu.shuffle, workgroup memory and gpu.barrier",
    ),
    (
        "gpu.dynamic_shared_memory",
        "it is laid over static shared memory; use a workgroup attribution",
    ),
    (
        "gpu.num_subgroups",
        "compute it from gpu.block_dim; a subgroup has 32 threads",
    ),
    ("gpu.printf", "it needs the device runtime"),
    ("gpu.rotate", "write it with gpu.shuffle"),
    (
        "gpu.subgroup_id",
        "compute it from gpu.thread_id; a subgroup has 32 threads",
    ),
    ("gpu.subgroup_size", "it is 32 on every chip"),
    (
        "llvm.frem",
        "it becomes a call of the CUDA library's fmod; expand it into arithmetic",
    ),
    (
        "memref.alloc",
        "kernels cannot allocate; use memref.alloca, workgroup memory, or a parameter",
    ),
    (
        "memref.copy",
        "it becomes a call of MLIR's runtime library; copy in a loop",
    ),
    ("memref.dealloc", "kernels cannot free memory"),
    (
        "memref.dim",
        "array parameters arrive as bare pointers without sizes; pass the size as a scalar",
    ),
];

/// LLVM intrinsics that every chip from sm_75 on lowers without a library, by the name after `llvm.`
/// (`llvm.intr.` as an op), without type suffix.
const INTRINSICS: &[&str] = &[
    "abs",
    "assume",
    "bitreverse",
    "bswap",
    "ceil",
    "copysign",
    "ctlz",
    "ctpop",
    "cttz",
    "expect",
    "fabs",
    "floor",
    "fma",
    "fmuladd",
    "fshl",
    "fshr",
    "is.fpclass",
    "lifetime.end",
    "lifetime.start",
    "maximum",
    "maxnum",
    "memcpy",
    "memcpy.inline",
    "memmove",
    "memset",
    "minimum",
    "minnum",
    "rint",
    "round",
    "roundeven",
    "sadd.sat",
    "sadd.with.overflow",
    "smax",
    "smin",
    "smul.with.overflow",
    "sqrt",
    "ssub.sat",
    "ssub.with.overflow",
    "trap",
    "trunc",
    "uadd.sat",
    "uadd.with.overflow",
    "umax",
    "umin",
    "umul.with.overflow",
    "usub.sat",
    "usub.with.overflow",
    "vector.reduce.add",
    "vector.reduce.and",
    "vector.reduce.fadd",
    "vector.reduce.fmax",
    "vector.reduce.fmaximum",
    "vector.reduce.fmin",
    "vector.reduce.fminimum",
    "vector.reduce.fmul",
    "vector.reduce.mul",
    "vector.reduce.or",
    "vector.reduce.smax",
    "vector.reduce.smin",
    "vector.reduce.umax",
    "vector.reduce.umin",
    "vector.reduce.xor",
];

/// The requirements of a family of ops, by name prefix. The first prefix that fits decides.
struct Need {
    prefix: &'static str,
    compute_capability: u16,
    ptx: PtxVersion,
    features: Features,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Features {
    Portable,
    ArchitectureSpecific,
}

const fn need(prefix: &'static str, compute_capability: u16, ptx: (u8, u8)) -> Need {
    Need {
        prefix,
        compute_capability,
        ptx: PtxVersion::new(ptx.0, ptx.1),
        features: Features::Portable,
    }
}

const fn need_exact(prefix: &'static str, compute_capability: u16, ptx: (u8, u8)) -> Need {
    Need {
        features: Features::ArchitectureSpecific,
        ..need(prefix, compute_capability, ptx)
    }
}

/// PTX ISA, "Target ISA notes" and "PTX ISA notes" of each instruction.
const NEEDS: &[Need] = &[
    need("nvvm.cluster", 90, (7, 8)),
    need("nvvm.convert.float.to.tf32", 80, (7, 0)),
    need("nvvm.cp.async.bulk", 90, (8, 0)),
    need("nvvm.cp.async", 80, (7, 0)),
    need("nvvm.elect.sync", 90, (8, 0)),
    need("nvvm.fence.mbarrier.init", 90, (8, 0)),
    need("nvvm.fence.proxy", 90, (8, 0)),
    need("nvvm.fence.sc.cluster", 90, (7, 8)),
    need("nvvm.griddepcontrol", 90, (7, 8)),
    need("nvvm.mapa", 90, (7, 8)),
    need("nvvm.mbarrier.try_wait", 90, (7, 8)),
    need("nvvm.mbarrier.arrive.expect_tx", 90, (8, 0)),
    need("nvvm.mbarrier", 80, (7, 0)),
    need("nvvm.read.ptx.sreg.cluster", 90, (7, 8)),
    need("nvvm.redux", 80, (7, 0)),
    need_exact("nvvm.setmaxregister", 90, (8, 0)),
    need("nvvm.st.bulk", 100, (8, 6)),
    need("nvvm.stmatrix", 90, (7, 8)),
    need_exact("nvvm.tcgen05", 100, (8, 6)),
    need_exact("nvvm.wgmma", 90, (8, 0)),
];

/// Checks every op of every `gpu.module`.
pub(crate) fn check(module: &Module<'_>, target: &Target) -> Result<(), MlirError> {
    let mut refusals: Vec<Diagnostic> = Vec::new();
    for gpu_module in top_level(module, "gpu.module") {
        for op in collect_ops(gpu_module) {
            if let Some(reason) = refusal(op, target) {
                refusals.push(error_at(op, reason));
            }
        }
    }
    refuse(refusals, target)
}

/// Refuses each op, and what ops of the same place have in common once: a body is in many kernels.
fn refuse(mut refusals: Vec<Diagnostic>, target: &Target) -> Result<(), MlirError> {
    let count = refusals.len();
    let mut said = HashSet::new();
    refusals.retain(|refusal| said.insert(refusal.clone()));
    match count {
        0 => Ok(()),
        count => {
            let what = if count == 1 {
                "one op cannot"
            } else {
                "several ops cannot"
            };
            let message = format!("{what} be lowered for {}", target.chip);
            Err(MlirError::new(ErrorCode::Unsupported, message).with_diagnostics(refusals))
        }
    }
}

/// Refuses what the conversion to the LLVM dialect left behind.
///
/// It is partial: an op no pattern fits stays, and the translation would later stumble over some cast instead.
pub(crate) fn check_converted(module: &Module<'_>, target: &Target) -> Result<(), MlirError> {
    let mut leftovers = Vec::new();
    let mut casts = Vec::new();
    for gpu_module in top_level(module, "gpu.module") {
        for op in collect_ops(gpu_module) {
            let name = op_name(op);
            if name == "builtin.unrealized_conversion_cast" {
                casts.push(error_at(op, "a value of this type could not be converted"));
            } else if !["llvm.", "nvvm.", "gpu.module"]
                .iter()
                .any(|prefix| name.starts_with(prefix))
            {
                leftovers.push(error_at(
                    op,
                    format!("`{name}` has no lowering in this form: {op}"),
                ));
            }
        }
    }
    // Casts around an op that stayed are its consequence.
    let refusals = if leftovers.is_empty() {
        casts
    } else {
        leftovers
    };
    refuse(refusals, target)
}

/// Why `op` cannot be lowered for `target`, if so.
fn refusal(op: OperationRef<'_, '_>, target: &Target) -> Option<String> {
    let name = &*op_name(op);
    let dialect = name.split('.').next().unwrap_or_default();
    if !DIALECTS.contains(&dialect) {
        return Some(format!(
            "`{name}`: the `{dialect}` dialect has no lowering to PTX here"
        ));
    }
    if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
        return Some(format!("`{name}` cannot be lowered: {instead}"));
    }
    math::refusal(op, target)
        .or_else(|| copies::refusal(op, dialect, target))
        .or_else(|| warpgroup::refusal(op, target))
        .or_else(|| bulk::refusal(op, target))
        .or_else(|| unknown_intrinsic(op, name))
        .or_else(|| missing_in_target(name, target))
        .or_else(|| matrix_shape(op, name, target))
        .or_else(|| subgroup_reduction(op, name, target))
        .or_else(|| shuffled_type(op, name))
        .or_else(|| compare_and_swap_type(op, name))
        .or_else(|| dynamic_stack(op, name))
        .or_else(|| malformed_kernel(op, name))
        .or_else(|| tf32::refusal(op, target))
        .or_else(|| odd_type(op, name))
}

fn unknown_intrinsic(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    let called = if name == "llvm.call_intrinsic" {
        let attribute = op.attribute("intrin").ok()?;
        StringAttribute::try_from(attribute)
            .ok()?
            .value()
            .strip_prefix("llvm.")?
            .to_owned()
    } else {
        name.strip_prefix("llvm.intr.")?.to_owned()
    };
    // NVVM's own intrinsics map to instructions one by one.
    let known = called.starts_with("nvvm.")
        || INTRINSICS.iter().any(|known| {
            called.strip_prefix(known).is_some_and(|suffix| {
                suffix.is_empty() || suffix.starts_with(['.']) && is_type_suffix(suffix)
            })
        });
    (!known).then(|| {
        format!("LLVM intrinsic `llvm.{called}` has no lowering to PTX without a CUDA library")
    })
}

/// Whether an intrinsic's name goes on with types only: `.f32`, `.v4f32`, `.p0.p0.i64`.
fn is_type_suffix(suffix: &str) -> bool {
    suffix.split('.').skip(1).all(|part| {
        let digits = part.trim_start_matches(|character: char| character.is_ascii_alphabetic());
        part.starts_with(['b', 'f', 'i', 'p', 'v'])
            && digits.starts_with(|digit: char| digit.is_ascii_digit())
    })
}

fn missing_in_target(name: &str, target: &Target) -> Option<String> {
    let need = NEEDS.iter().find(|need| name.starts_with(need.prefix))?;
    let chip = target.chip;
    let exact = need.features == Features::ArchitectureSpecific;
    let suffix = if exact { "a" } else { "" };
    if chip.compute_capability() < need.compute_capability
        || exact && (!chip.is_architecture_specific() || is_wrong_architecture(name, target))
    {
        return Some(format!(
            "`{name}` needs sm_{}{suffix}, the target is {chip}",
            need.compute_capability
        ));
    }
    let ptx = target.effective_ptx_version();
    (ptx < need.ptx).then(|| {
        format!(
            "`{name}` needs PTX {}, the target writes PTX {ptx}",
            need.ptx
        )
    })
}

/// wgmma exists on Hopper alone; later architectures have tcgen05 instead.
fn is_wrong_architecture(name: &str, target: &Target) -> bool {
    name.starts_with("nvvm.wgmma") && target.chip.compute_capability() != 90
}

/// Tensor core shapes and types that came after Turing.
fn matrix_shape(op: OperationRef<'_, '_>, name: &str, target: &Target) -> Option<String> {
    let matrix = name == "nvvm.mma.sync" || name.starts_with("nvvm.wmma.");
    if !matrix || target.chip.compute_capability() >= 80 {
        return None;
    }
    let text = op.to_string();
    let turing = if name == "nvvm.mma.sync" {
        text.contains("k = 8")
            && !text.contains("bf16")
            && !text.contains("tf32")
            && !text.contains("f64")
    } else {
        text.contains("f16") && !text.contains("bf16")
    };
    (!turing).then(|| {
        format!(
            "this shape or type of `{name}` needs sm_80, the target is {}",
            target.chip
        )
    })
}

/// Only 32-bit integers have an instruction for it, and only where no lane is missing.
fn subgroup_reduction(op: OperationRef<'_, '_>, name: &str, target: &Target) -> Option<String> {
    if name != "gpu.subgroup_reduce" {
        return None;
    }
    let element = op.operand(0).ok()?.r#type().to_string();
    let supported =
        element == "i32" && target.chip.compute_capability() >= 80 && op.has_attribute("uniform");
    (!supported).then(|| {
        format!(
            "`{name}` on `{element}` has no instruction on {} (only `uniform` ones on `i32` from sm_80 on do); \
             use gpu.shuffle",
            target.chip
        )
    })
}

/// The hardware shuffles 32 bits; upstream splits wider scalars, but does not widen narrower ones.
fn shuffled_type(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    if name != "gpu.shuffle" {
        return None;
    }
    let r#type = op.operand(0).ok()?.r#type().to_string();
    let supported = ["i32", "i64", "f32", "f64"].contains(&r#type.as_str());
    (!supported).then(|| {
        format!("`{name}` on `{type}`: shuffle i32, i64, f32 or f64, widening or splitting before")
    })
}

/// Types that can be compared and swapped.
fn compare_and_swap_type(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    if name != swap::OP {
        return None;
    }
    let r#type = op.result(0).ok()?.r#type().to_string();
    if swap::width(&r#type).is_none() {
        return Some(format!(
            "`{name}` on `{type}`: compare-and-swap takes numbers of 16, 32 or 64 bits"
        ));
    }
    (op.operand_count() != 2).then(|| format!("`{name}` takes one index here: see the array flat"))
}

/// LLVM ends the process on a stack allocation of dynamic size, except for the newest PTX versions.
fn dynamic_stack(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    let dynamic = match name {
        "memref.alloca" => op.operand_count() > 0,
        "llvm.alloca" => {
            made_by(op.operand(0).ok()?).is_none_or(|size| !op_name(size).ends_with(".constant"))
        }
        _ => false,
    };
    dynamic.then(|| {
        format!("`{name}` of dynamic size: private memory in kernels must have a static size")
    })
}

fn malformed_kernel(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    (name == "gpu.func"
        && op
            .region(0)
            .is_ok_and(|region| melior::ir::RegionLike::first_block(&region).is_none()))
    .then(|| {
        format!(
            "kernel `{}` has no body",
            symbol_name(op).unwrap_or_default()
        )
    })
}

/// Number types LLVM's NVPTX back end has no arithmetic for.
fn odd_type(op: OperationRef<'_, '_>, name: &str) -> Option<String> {
    // Packed 8-bit and 19-bit formats are legal where an NVVM op converts or multiplies them.
    if name.starts_with("nvvm.") || tf32::is_part(op) {
        return None;
    }
    let results = op.results().map(|result| result.r#type());
    op.operands()
        .map(|operand| operand.r#type())
        .chain(results)
        .find_map(|r#type| {
            let odd_float = r#type.is_float()
                && !(r#type.is_f16() || r#type.is_bf16() || r#type.is_f32() || r#type.is_f64());
            let wide_integer = r#type.is_integer()
                && melior::ir::r#type::IntegerType::try_from(r#type)
                    .is_ok_and(|integer| integer.width() > 128);
            (odd_float || wide_integer)
                .then(|| format!("`{name}` works on `{type}`, which has no arithmetic on GPUs"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(DIALECTS.is_sorted());
        assert!(REFUSED.is_sorted_by_key(|(name, _)| *name));
        assert!(INTRINSICS.is_sorted());
    }

    #[test]
    fn type_suffixes_are_told_from_other_intrinsics() {
        assert!(is_type_suffix(".f32"));
        assert!(is_type_suffix(".v4f32"));
        assert!(is_type_suffix(".p0.p0.i64"));
        assert!(!is_type_suffix(".with.overflow"));
    }
}
