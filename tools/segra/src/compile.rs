//! `segra compile`.

use crate::args::Compile;
use crate::output;
use crate::report::Error;
use crate::thresholds::Choices;
use crate::{source, thresholds};
use std::path::{Path, PathBuf};

/// Compiles a file.
pub(crate) fn compile(args: &Compile) -> Result<(), Error> {
    let program = source::read_program(&args.file)?;
    if let Some(stage) = args.emit.stage() {
        if args.validate_passes {
            source::compile(
                program.clone(),
                (&args.common, Choices::default()),
                Some(&args.arguments),
                None,
            )?;
        }
        let text = source::compiler(&args.common).emit(program, stage)?;
        return match args.output.as_deref() {
            None => output::print(&text),
            Some(path) => output::write(path, text.as_bytes()),
        };
    }
    let validate = args.validate_passes.then_some(&args.arguments);
    let choices = match &args.tuning {
        Some(path) => thresholds::choices(&thresholds::read(path)?),
        None => Choices::default(),
    };
    let compiled = source::compile(program, (&args.common, choices), validate, None)?;
    let path = args.output.clone().unwrap_or_else(|| beside(&args.file));
    let bytes = compiled
        .artifact
        .to_bytes()
        .map_err(|error| Error::message(error.to_string()))?;
    output::write(&path, &bytes)
}

/// The artifact's name beside the program's.
fn beside(file: &Path) -> PathBuf {
    if file == Path::new("-") {
        PathBuf::from("out.segra")
    } else {
        file.with_extension("segra")
    }
}
