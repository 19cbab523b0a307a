//! From upstream text to PTX, with errors that point into the source program.

use crate::failure::Failure;
use segra_artifact::Chip;
use segra_ir::{Context, Diagnostic, Diagnostics, Loc, LocKind, Severity};
use segra_worker::{ErrorCode, MlirError, SourceLocation, Stage, Target};
use std::path::Path;
use std::sync::Arc;

/// PTX for each chip, in the given order; chips are compiled side by side, and so are the kernels of one where there are more
/// cores than chips. Math functions are linked from `libdevice`,
/// where that is given.
pub(crate) fn all(
    ctx: &Arc<Context>,
    text: &str,
    chips: &[Chip],
    libdevice: Option<&Path>,
) -> Result<Vec<(Chip, String)>, Failure> {
    if chips.is_empty() {
        return Err(Failure::new(ctx.clone(), "no target is given"));
    }
    let threads = (cores() / chips.len()).max(1);
    let compiled: Vec<Result<String, MlirError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = chips
            .iter()
            .map(|&chip| scope.spawn(move || compile(text, chip, Stage::Ptx, libdevice, threads)))
            .collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
    let mut targets = Vec::new();
    for (&chip, result) in chips.iter().zip(compiled) {
        targets.push((chip, result.map_err(|error| failure(ctx, chip, &error))?));
    }
    Ok(targets)
}

/// The text of one of the worker's stages.
pub(crate) fn one(
    ctx: &Arc<Context>,
    text: &str,
    chip: Chip,
    stage: Stage,
    libdevice: Option<&Path>,
) -> Result<String, Failure> {
    compile(text, chip, stage, libdevice, cores()).map_err(|error| failure(ctx, chip, &error))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn compile(
    text: &str,
    chip: Chip,
    stage: Stage,
    libdevice: Option<&Path>,
    threads: usize,
) -> Result<String, MlirError> {
    let chip = chip.to_string().parse()?;
    let target = Target {
        libdevice: libdevice.map(Path::to_owned),
        ..Target::new(chip)
    };
    segra_worker::compile(text, &target, stage, threads).map(|output| output.text)
}

fn failure(ctx: &Arc<Context>, chip: Chip, error: &MlirError) -> Failure {
    // Not the program's fault, nor the chip's.
    if error.code == ErrorCode::NoWorker {
        return Failure::new(ctx.clone(), error.to_string());
    }
    let mut diagnostics = Diagnostics::new();
    for diagnostic in error
        .diagnostics
        .iter()
        .filter(|row| row.severity == segra_worker::Severity::Error)
    {
        let mut found = Diagnostic::new(
            Severity::Error,
            loc(ctx, &diagnostic.location),
            diagnostic.message.clone(),
        );
        for note in &diagnostic.notes {
            found.note(loc(ctx, &note.location), note.message.clone());
        }
        found.note(
            Loc::UNKNOWN,
            format!("while making code for {chip}: {}", error.message),
        );
        diagnostics.push(found);
    }
    if diagnostics.is_empty() {
        diagnostics.error(
            Loc::UNKNOWN,
            format!("while making code for {chip}: {error}"),
        );
    }
    Failure {
        context: ctx.clone(),
        diagnostics,
    }
}

/// A place of upstream's in ours: locations are handed through, so files are those of the source program.
fn loc(ctx: &Context, location: &SourceLocation) -> Loc {
    match &location.position {
        // `-` is the text made here, which nobody wrote.
        Some(position) if position.file != "-" => ctx.loc(LocKind::File {
            file: ctx.ident(&position.file),
            line: position.line,
            column: position.column,
        }),
        _ => Loc::UNKNOWN,
    }
}
