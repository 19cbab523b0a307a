//! The upstream passes, in order.

use std::path::Path;

use melior::ir::operation::{OperationLike, OperationMutLike};
use melior::ir::{Attribute, Module};
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;

use crate::session::{Session, mutable, top_level};
use segra_worker::Target;
use segra_worker::{ErrorCode, MlirError, Severity};

/// The passes inside `gpu.module`, from upstream dialects to the LLVM dialect. Order matters:
/// strided metadata becomes plain arithmetic and structured control flow becomes branches first, because
/// `convert-gpu-to-nvvm` converts everything else at once; `reconcile-unrealized-casts` then dissolves the
/// descriptors that the `abi` module has built. Copies to shared memory take their addresses from the same descriptors.
const TO_LLVM: &str =
    "convert-nvgpu-to-nvvm,expand-strided-metadata,lower-affine,convert-scf-to-cf,";

/// The pipeline down to the LLVM dialect, as text for MLIR's parser.
pub(crate) fn to_llvm(target: &Target) -> String {
    let redux = target.chip.compute_capability() >= 80;
    format!(
        "builtin.module(\
         gpu.module({TO_LLVM}convert-gpu-to-nvvm{{index-bitwidth=64 has-redux={redux}}},\
         reconcile-unrealized-casts))"
    )
}

/// Says on every `gpu.module` what it is compiled for, as upstream's `nvvm-attach-target` does, which takes no paths with
/// spaces or commas.
pub(crate) fn attach_target<'c>(
    session: &'c Session,
    module: &Module<'c>,
    target: &Target,
) -> Result<(), MlirError> {
    let ptx = target.effective_ptx_version();
    let link = target
        .libdevice
        .as_deref()
        .map(|path| format!(", link = [{}]", quoted(path)));
    let text = format!(
        "[#nvvm.target<O = {}, chip = \"{}\", features = \"+ptx{}{}\"{}>]",
        target.opt_level,
        target.chip,
        ptx.major,
        ptx.minor,
        link.unwrap_or_default()
    );
    let broken = || {
        MlirError::new(
            ErrorCode::Internal,
            format!("upstream MLIR does not read `{text}`"),
        )
    };
    let attribute = Attribute::parse(&session.context, &text).ok_or_else(broken)?;
    for gpu_module in top_level(module, "gpu.module") {
        mutable(gpu_module)
            .ok_or_else(broken)?
            .set_attribute("targets", attribute);
    }
    Ok(())
}

/// A path as a string of MLIR.
fn quoted(path: &Path) -> String {
    let mut text = String::from('"');
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b' ' | b'!' | b'#'..=b'[' | b']'..=b'~' => text.push(char::from(*byte)),
            other => text.push_str(&format!("\\{other:02X}")),
        }
    }
    text.push('"');
    text
}

/// Passes for people who read a stage; LLVM's optimiser does their work otherwise: PTX is the same, and 4 % later, where this runs on the way.
pub(crate) const FOR_READERS: &str = "builtin.module(gpu.module(canonicalize,cse))";

/// The pipeline from the LLVM dialect to PTX.
///
/// Locations become `.loc` lines. With more debug information than these directives alone, `.target` would say `debug`,
/// and the driver would not optimise.
pub(crate) fn to_ptx() -> &'static str {
    "builtin.module(ensure-debug-info-scope-on-llvm-func{emission-kind=DebugDirectivesOnly},\
     gpu-module-to-binary{format=isa})"
}

/// Runs a pipeline given as text on the module, and verifies what it leaves: after each pass this takes 3 % of the way.
///
/// Upstream reports some errors and yet succeeds (it probes conversions), so only the result counts; what was
/// said during a success stays in the session as notes for the curious.
pub(crate) fn run(
    session: &Session,
    module: &mut Module<'_>,
    pipeline: &str,
) -> Result<(), MlirError> {
    let manager = PassManager::new(&session.context);
    manager.enable_verifier(false);
    parse_pass_pipeline(manager.as_operation_pass_manager(), pipeline).map_err(|error| {
        MlirError::new(
            ErrorCode::Internal,
            format!("pipeline `{pipeline}`: {error}"),
        )
    })?;
    let failed = |what: &str| {
        let diagnostics = session.take_diagnostics();
        let first = diagnostics
            .iter()
            .find(|diagnostic| diagnostic.severity == Severity::Error);
        let message = match first {
            Some(first) => format!("{what}: {}", first.message),
            None => what.to_owned(),
        };
        MlirError::new(ErrorCode::Pipeline, message).with_diagnostics(diagnostics)
    };
    manager
        .run(module)
        .map_err(|_| failed("upstream MLIR cannot lower the module"))?;
    match module.as_operation().verify() {
        true => Ok(()),
        false => Err(failed("upstream MLIR's passes left an invalid module")),
    }
}
