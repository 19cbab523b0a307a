//! Programs after a pipeline, held against what `mlir-opt` makes of them with passes of its own when the test runs.
//!
//! `// side-by-side: PIPELINE`, with a line `// upstream: FLAGS`. A file's parts (separated by `// -----`) are programs of
//! their own, in any form that `mlir-opt` reads; ops of unknown dialects are allowed. The output of `mlir-opt` for a part is all that is expected of it, where
//! constants stand aside (see [`canonical_form`]). Some part must change: a pipeline that does nothing proves nothing.

use super::{SPLIT, canonical_form, context, rendered, same};
use segra_ir::verify::VerifyOptions;
use segra_ir::{Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline, VerifyEach};
use segra_tests::case::{Case, Failure};
use segra_tests::upstream::{self, MlirOpt};
use segra_text::Unregistered;
use segra_text::{ParseOptions, parse_module};

/// Checks every part of a file.
pub(crate) fn parts(case: &Case, oracle: Option<&MlirOpt>) -> Result<(), Failure> {
    let Some(oracle) = oracle else { return Ok(()) };
    let flags = case
        .values("upstream")
        .next()
        .ok_or("the header has no line `// upstream: FLAGS`")?;
    let flags: Vec<&str> = flags.split(' ').collect();
    let (mut differences, mut changed) = (Vec::new(), false);
    for part in case.program.split(SPLIT) {
        let text = upstream::without_defaults(&oracle.generic(part)?);
        let mut given = read(&text)?;
        let theirs = oracle.transformed(&text, &flags)?;
        let mut theirs = read(&upstream::without_defaults(&theirs))?;
        let mut ours = transformed(&text, &case.argument)?;
        let [given, ours, theirs] = [&mut given, &mut ours, &mut theirs].map(canonical_form::text);
        changed |= given != theirs;
        let title = format!("of\n{part}upstream's result (-) and Segra's (+)");
        differences.extend(same(&title, &theirs, &ours).err());
    }
    if !changed {
        differences.push("upstream changes none of the parts".to_owned());
    }
    if differences.is_empty() {
        Ok(())
    } else {
        Err(differences.join("\n"))
    }
}

fn read(text: &str) -> Result<Ir, Failure> {
    let ctx = context();
    parse_module(&ctx, "input", text, &ParseOptions::allowing_unregistered())
        .map_err(|diags| format!("{}{text}", rendered(&ctx, &diags)))
}

fn transformed(text: &str, pipeline: &str) -> Result<Ir, Failure> {
    let mut ir = read(text)?;
    let pipeline = Pipeline::parse(pipeline, &segra_pipeline::registry())
        .map_err(|error| error.to_string())?;
    let mut diags = Diagnostics::new();
    let manager = PassManager::new(&pipeline)
        .verify_each(VerifyEach::Yes)
        .verify_options(VerifyOptions {
            unregistered: Unregistered::Allow,
        });
    let outcome = manager.run(&mut ir, &mut diags);
    if outcome.is_err() || diags.has_errors() {
        Err(rendered(ir.ctx(), &diags))
    } else {
        Ok(ir)
    }
}
