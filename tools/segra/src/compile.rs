//! `segra compile`.

use crate::args::Compile;
use crate::output;
use crate::report::Error;
use crate::thresholds::Choices;
use crate::{inputs, source, thresholds};
use segra::{Entry, KnownInputs, Program};
use std::path::{Path, PathBuf};

/// Compiles a file.
pub(crate) fn compile(args: &Compile) -> Result<(), Error> {
    let program = source::read_program(&args.file)?;
    let inputs = known_inputs(args, &program)?;
    let choices = match &args.tuning {
        Some(path) => thresholds::choices(path, &thresholds::read(path)?)?,
        None => Choices::default(),
    };
    if let Some(stage) = args.emit.stage() {
        if args.validate_passes {
            source::compile(
                program.clone(),
                (&args.common, choices),
                Some(&args.arguments),
                None,
                None,
            )?;
        }
        let text = source::compiler_of(&args.common, choices, None, inputs).emit(program, stage)?;
        return match args.output.as_deref() {
            None => output::print(&text),
            Some(path) => output::write(path, text.as_bytes()),
        };
    }
    let validate = args.validate_passes.then_some(&args.arguments);
    let compiled = source::compile(program, (&args.common, choices), validate, None, inputs)?;
    let path = args.output.clone().unwrap_or_else(|| beside(&args.file));
    let bytes = compiled
        .artifact
        .to_bytes()
        .map_err(|error| Error::message(error.to_string()))?;
    output::write(&path, &bytes)
}

/// The sizes of all runs that the command line gives.
fn known_inputs(args: &Compile, program: &Program) -> Result<Option<KnownInputs>, Error> {
    if args.sizes.is_empty() {
        return Ok(None);
    }
    let signatures = program.signatures();
    let entries: Vec<&Entry> = signatures.entries().collect();
    let entry = inputs::choose_entry(&entries, args.arguments.entry.as_deref())?;
    let known = entry.sizes.iter().map(String::as_str);
    inputs::check_sizes(&args.sizes, &format!("`{}`", entry.name), known)?;
    Ok(Some(KnownInputs {
        entry: entry.name.clone(),
        sizes: args.sizes.iter().cloned().collect(),
        ..KnownInputs::default()
    }))
}

/// The artifact's name beside the program's.
fn beside(file: &Path) -> PathBuf {
    if file == Path::new("-") {
        PathBuf::from("out.segra")
    } else {
        file.with_extension("segra")
    }
}
