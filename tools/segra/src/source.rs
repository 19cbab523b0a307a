//! A file that is a program's text or an artifact, told apart by its first bytes.

use crate::args::{Arguments, Common};
use crate::inputs;
use crate::report::Error;
use segra::validate::Validator;
use segra::{Artifact, CompileOptions, Compiled, Compiler, Program, Tolerance, Value, default_targets};
use std::io::Read;
use std::path::Path;

/// What a file holds.
pub(crate) enum Source {
    /// A program, verified.
    Program(Box<Program>),
    /// An artifact, valid.
    Artifact(Box<Artifact>),
}

/// Reads a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Source, Error> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        std::io::stdin().lock().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    result.map_err(|error| Error::file("read", path, error))?;
    if bytes.starts_with(&segra_artifact::MAGIC) {
        let artifact = Artifact::from_bytes(&bytes);
        return artifact
            .map(|artifact| Source::Artifact(Box::new(artifact)))
            .map_err(|error| Error::message(format!("{}: {error}", path.display())));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::message(format!(
            "{} is neither a program nor an artifact: byte {at} is not UTF-8",
            path.display()
        ))
    })?;
    let name = if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() };
    Ok(Source::Program(Box::new(Program::from_text(&name, &text)?)))
}

/// Reads a program; artifacts are refused.
pub(crate) fn read_program(path: &Path) -> Result<Program, Error> {
    match read(path)? {
        Source::Program(program) => Ok(*program),
        Source::Artifact(_) => Err(Error::message(format!(
            "{} is an artifact; this needs the program it was made from",
            path.display()
        ))),
    }
}

/// The compiler the command line asks for.
pub(crate) fn compiler(common: &Common) -> Compiler {
    let targets = if common.targets.is_empty() { default_targets() } else { common.targets.clone() };
    let pipeline = if common.unchecked { segra::unchecked_pipeline() } else { common.pipeline.clone() };
    let libdevice = common.libdevice.clone();
    Compiler::new(CompileOptions { targets, pipeline, libdevice, ..CompileOptions::default() })
}

/// Compiles, comparing what the program computes after every pass where that is asked for.
pub(crate) fn compile(
    program: Program,
    common: &Common,
    validate: Option<&Arguments>,
) -> Result<Compiled, Error> {
    let compiler = compiler(common);
    let Some(arguments) = validate else { return Ok(compiler.compile(program)?) };
    let entries: Vec<_> = program.signatures().iter().map(|signature| &signature.entry).collect();
    let entry = inputs::choose_entry(&entries, arguments.entry.as_deref())?;
    let name = entry.name.clone();
    let args = inputs::materialise(entry, arguments, Some(&program))?;
    let tolerance = tolerance(arguments, &args);
    Ok(compiler.compile_with(program, Some(Box::new(Validator::new(name, args, tolerance))))?)
}

/// The tolerance asked for, else one that grows with what a result may be gathered from.
pub(crate) fn tolerance(arguments: &Arguments, args: &[Value]) -> Tolerance {
    match arguments.tolerance {
        Some(ulps) => Tolerance { ulps, ..Tolerance::default() },
        None => {
            let extents =
                args.iter().filter_map(Value::as_array).flat_map(|array| array.shape().iter().copied());
            Tolerance::for_length(extents.max().unwrap_or(1))
        }
    }
}
