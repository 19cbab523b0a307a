//! One compilation: a module's text down to a stage.

use melior::ir::Module;
use melior::ir::operation::OperationLike;
use segra_worker::{ErrorCode, MlirError, Output, Stage, Target, Unit};

use crate::session::{Session, collect_ops, op_name, symbol_name, top_level};
use crate::split::{self, Share};
use crate::{
    abi, apart, bulk, copies, fragments, gate, hint, join, libdevice, math, order, pipeline,
    places, ptx, short, swap, targets, tf32, total, warpgroup,
};

/// Compiles MLIR text for `target` down to `stage`, by so many threads at most.
///
/// `module_text` is one `builtin.module`, in MLIR's generic or custom form, with one or more `gpu.module`s that
/// hold kernels as the documentation of `segra-worker` describes them. The same text and target give the same output,
/// byte for byte, whatever the number of threads.
///
/// # Errors
/// Every refusal is an [`MlirError`] with upstream's or this program's diagnostics; see [`ErrorCode`].
pub(crate) fn compile(
    module_text: &str,
    target: &Target,
    stage: Stage,
    threads: usize,
) -> Result<Output, MlirError> {
    target.check()?;
    match split::compile(module_text, target, stage, threads) {
        Some(output) => Ok(output),
        None => lower(module_text, target, stage, None),
    }
}

/// Compiles all kernels of a module, or a share of them, which may be none: the output is empty then.
///
/// # Errors
/// As [`compile`]; also for a module that has no shares.
pub(crate) fn lower(
    module_text: &str,
    target: &Target,
    stage: Stage,
    share: Option<Share>,
) -> Result<Output, MlirError> {
    let session = Session::new();
    let mut module = session.parse(module_text)?;
    targets::choose(&session, &mut module, target)?;
    let target = fragments::with_instructions(&module, target);
    let target = &bulk::with_instructions(&module, target);
    if let Some(share) = share
        && !split::keep(&session, &module, share)?
    {
        return Ok(output(&session, String::new(), Vec::new()));
    }
    gate::check(&module, target)?;
    let asynchronous = prepare(&session, &module, target)?;
    if !module.as_operation().verify() {
        let message = "the module is invalid once its kernels are prepared";
        return Err(MlirError::new(ErrorCode::Internal, message)
            .with_diagnostics(session.take_diagnostics()));
    }
    if asynchronous {
        pipeline::run(&session, &mut module, warpgroup::TO_LLVM)?;
    }
    pipeline::attach_target(&session, &module, target)?;
    pipeline::run(&session, &mut module, &pipeline::to_llvm(target))?;
    gate::check_converted(&module, target)?;
    bulk::say_maps(&session.context, &module)?;
    if stage == Stage::Llvm {
        pipeline::run(&session, &mut module, pipeline::FOR_READERS)?;
        return Ok(output(
            &session,
            module.as_operation().to_string(),
            Vec::new(),
        ));
    }
    apart::rewrite(&module)?;
    let calls = libdevice::calls(&module);
    pipeline::run(&session, &mut module, pipeline::to_ptx())?;

    let mut units = Vec::new();
    for binary in top_level(&module, "gpu.binary") {
        let text = ptx::text_of_binary(binary)?;
        ptx::check_resolved(&text, &calls, binary)?;
        let text = ptx::with_short_parameters(&text);
        let text = join::join(&[&text]).unwrap_or(text);
        units.push(Unit {
            name: symbol_name(binary).unwrap_or_default().to_owned(),
            text,
        });
    }
    if units.is_empty() {
        return Err(MlirError::new(
            ErrorCode::KernelContract,
            "the module has no gpu.module",
        ));
    }
    let text = units
        .iter()
        .map(|unit| unit.text.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    Ok(output(&session, text, units))
}

fn output(session: &Session, text: String, units: Vec<Unit>) -> Output {
    Output {
        text,
        units,
        diagnostics: session.take_diagnostics(),
    }
}

/// Rewrites kernels and math ops into what the upstream pipeline lowers well. Whether there are products of warpgroups, or copies
/// of tiles.
fn prepare<'c>(
    session: &'c Session,
    module: &Module<'c>,
    target: &Target,
) -> Result<bool, MlirError> {
    let mut asynchronous = false;
    for gpu_module in top_level(module, "gpu.module") {
        // First, since some of the ops collected go.
        for op in collect_ops(gpu_module)
            .into_iter()
            .filter(|&op| op_name(op) == swap::OP)
            .collect::<Vec<_>>()
        {
            swap::rewrite(&session.context, op)?;
        }
        asynchronous |= bulk::rewrite(&session.context, gpu_module)?;
        asynchronous |= warpgroup::rewrite(&session.context, gpu_module)?;
        for op in collect_ops(gpu_module) {
            let name = op_name(op);
            if name == "gpu.func" && op.has_attribute("gpu.kernel") {
                abi::rewrite_kernel(&session.context, op)?;
            } else if name == short::OP {
                short::mark(&session.context, op)?;
            } else if fragments::may_change(&name) {
                fragments::rewrite(&session.context, op, target)?;
            } else if places::has_one(&name) && copies::are_native(target) {
                places::rewrite(&session.context, op)?;
            } else {
                math::rewrite(&session.context, op, target)?;
                total::rewrite(&session.context, op)?;
                order::rewrite(&session.context, op)?;
                hint::rewrite(&session.context, op, target)?;
                tf32::rewrite(&session.context, op)?;
                copies::rewrite(&session.context, op, target)?;
            }
        }
    }
    Ok(asynchronous)
}
