//! Choices by target: code of which each target keeps one version.
//!
//! ```text
//! %has = builtin.unrealized_conversion_cast to i1 {segra.target_since = 80 : i64}    ==>  (sm_75)  code that is for all
//! scf.if %has { products by tensor cores } else { code that is for all }
//! ```
//! A kernel is one text for all targets. Where a target has better instructions, the text asks so, and has both versions.
//! The value is a constant here, and what is never run goes before anything looks at it, as it may have instructions that
//! the target lacks.
//!
//! Legality: the cast has no operand and one result of type i1; its attribute is a compute capability, times ten.

use melior::IrRewriter;
use melior::ir::Module;
use melior::ir::attribute::IntegerAttribute;
use melior::ir::operation::{OperationLike, OperationRef};
use melior::ir::{Attribute, Type, ValueLike};

use crate::pipeline;
use crate::pointer::emit;
use crate::session::{Session, collect_ops, error_at, op_name, top_level};
use segra_worker::{ErrorCode, MlirError, Target};

/// The discardable attribute.
const ATTRIBUTE: &str = "segra.target_since";

/// Drops what is not for the target, if anything asks.
pub(crate) fn choose<'c>(
    session: &'c Session,
    module: &mut Module<'c>,
    target: &Target,
) -> Result<(), MlirError> {
    let mut found = false;
    for gpu_module in top_level(module, "gpu.module") {
        for op in collect_ops(gpu_module) {
            if op_name(op) == "builtin.unrealized_conversion_cast" && op.has_attribute(ATTRIBUTE) {
                answer(session, op, target).map_err(|error| {
                    let message = format!("a choice with {ATTRIBUTE} cannot be made: {error}");
                    MlirError::new(ErrorCode::KernelContract, "a choice cannot be made")
                        .with_diagnostics(vec![error_at(op, message)])
                })?;
                found = true;
            }
        }
    }
    match found {
        true => pipeline::run(session, module, "builtin.module(gpu.module(canonicalize))"),
        false => Ok(()),
    }
}

fn answer<'c>(
    session: &'c Session,
    op: OperationRef<'c, '_>,
    target: &Target,
) -> Result<(), melior::Error> {
    let since = IntegerAttribute::try_from(op.attribute(ATTRIBUTE)?)?.value();
    let bool = op.result(0)?.r#type();
    let known = Type::parse(&session.context, "i1");
    if op.operand_count() > 0 || op.result_count() != 1 || Some(bool) != known {
        return Err(melior::Error::OperationBuild);
    }
    let has = i64::from(target.chip.compute_capability()) >= since;
    let value = Attribute::parse(&session.context, if has { "true" } else { "false" });
    let value = ("value", value.ok_or(melior::Error::OperationBuild)?);
    let context = &session.context;
    let constant = emit(context, op, "arith.constant", &[], Some(bool), &[value])?;
    let rewriter = IrRewriter::new(context);
    let rewriter = rewriter.as_rewriter_base();
    rewriter.replace_op_with_values(op, &[constant.result(0)?.into()]);
    Ok(())
}
