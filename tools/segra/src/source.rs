//! A file that is a program's text, a script or an artifact: scripts have an ending, the others differ in their first bytes.

use crate::args::{Arguments, Common};
use crate::inputs;
use crate::report::{self, Error, shown};
use crate::thresholds::Choices;
use segra::validate::Validator;
use segra::{
    Artifact, CompileOptions, Compiled, Compiler, DeviceInfo, KnownInputs, Program, Tolerance,
    Value, default_targets,
};
use std::io::Read;
use std::path::Path;

/// The ending of the files that `segra compile` writes.
const ARTIFACT_ENDING: &str = "segra";

/// The contents of a file.
pub(crate) enum Source {
    /// A program, verified.
    Program(Box<Program>),
    /// An artifact, valid.
    Artifact(Box<Artifact>),
}

/// Reads a file; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Source, Error> {
    let bytes = if path == Path::new("-") {
        read_bytes(&mut std::io::stdin().lock())
    } else {
        std::fs::File::open(path).and_then(|mut file| read_bytes(&mut file))
    };
    let bytes = bytes.map_err(|error| Error::file("read", path, error))?;
    if bytes.starts_with(&segra_artifact::MAGIC) {
        let artifact = Artifact::from_bytes(&bytes);
        return artifact
            .map(|artifact| Source::Artifact(Box::new(artifact)))
            .map_err(|error| Error::message(format!("{}: {error}", shown(path))));
    }
    if let Some(form) = segra::text::foreign_form(&bytes) {
        return Err(Error::message(format!("{} is {form}", shown(path))));
    }
    if bytes.is_empty() {
        let what = match path.extension() {
            Some(ending) if ending == ARTIFACT_ENDING => "an empty artifact: the file has no bytes",
            _ => "empty: neither a program nor an artifact",
        };
        return Err(Error::message(format!("{} is {what}", shown(path))));
    }
    let neither = |at: usize, what: &str| {
        let path = shown(path);
        Error::message(format!(
            "{path} is neither a program nor an artifact: byte {at} is {what}"
        ))
    };
    let text = String::from_utf8(bytes)
        .map_err(|error| neither(error.utf8_error().valid_up_to(), "not UTF-8"))?;
    let text = text
        .strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text);
    if let Some(at) = text.find('\0') {
        return Err(neither(at, "0"));
    }
    let name = if path == Path::new("-") {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    };
    let program = match path.extension() {
        Some(ending) if ending == segra_blas::ENDING => segra_blas::read(&name, &text)?,
        _ => Program::from_text(&name, &text)?,
    };
    Ok(Source::Program(Box::new(program)))
}

/// All bytes of a file that is a text or an artifact; of another one, which may have no end, as many as tell.
fn read_bytes(file: &mut impl Read) -> std::io::Result<Vec<u8>> {
    const PIECE: u64 = 1 << 20;
    let mut bytes = Vec::new();
    loop {
        let from = bytes.len();
        let found = file.by_ref().take(PIECE).read_to_end(&mut bytes)?;
        let is_artifact = bytes.starts_with(&segra_artifact::MAGIC);
        let is_neither = !is_artifact && bytes[from..].contains(&0);
        // Longer texts are refused by their reader.
        if found == 0 || is_neither || !is_artifact && u32::try_from(bytes.len()).is_err() {
            return Ok(bytes);
        }
    }
}

/// Reads a program; artifacts are refused.
pub(crate) fn read_program(path: &Path) -> Result<Program, Error> {
    match read(path)? {
        Source::Program(program) => Ok(*program),
        Source::Artifact(_) => Err(Error::message(format!(
            "{} is an artifact; this needs the program it was made from",
            shown(path)
        ))),
    }
}

/// The compiler the command line asks for.
pub(crate) fn compiler(common: &Common) -> Compiler {
    compiler_of(common, Choices::default(), None, None)
}

/// As [`compiler`], with the decisions that were made; for one device, and for runs with these inputs alone, if they are given.
pub(crate) fn compiler_of(
    common: &Common,
    choices: Choices,
    device: Option<&DeviceInfo>,
    inputs: Option<KnownInputs>,
) -> Compiler {
    let targets = if common.targets.is_empty() {
        default_targets()
    } else {
        common.targets.clone()
    };
    // The command line goes before what a program was tuned to.
    let free = common.pipeline == segra::DEFAULT_PIPELINE && common.mapping_strategy.is_none();
    let order = common.order.or(choices.order.filter(|_| free));
    let pipeline = match order {
        Some(_) => segra::one_version_pipeline(!common.unchecked),
        None if common.unchecked => segra::unchecked_pipeline(),
        None => common.pipeline.clone(),
    };
    let libdevice = common.libdevice.clone();
    Compiler::new(CompileOptions {
        targets,
        device: device.map(|device| device.compute_capability),
        inputs,
        pipeline,
        libdevice,
        mapping_strategy: match order {
            Some(order) => Some(order.strategy()),
            None => common.mapping_strategy.clone(),
        },
        allow_tf32: common.allow_tf32,
        print_schedule: common.print_schedule.then_some(show_nest),
        fusion: choices.fusion,
        tiles: choices.tiles.filter(|_| free),
        ..CompileOptions::default()
    })
}

/// The text of a nest after a step, with an empty line behind it.
fn show_nest(text: &str) {
    report::note(text.strip_suffix('\n').unwrap_or(text));
}

/// Compiles, with the decisions that were made, if any were; comparing what the program computes after every pass
/// where that is asked for. The PTX is for one device, if it is given, else for all targets, and for runs with these inputs alone,
/// if they are given.
pub(crate) fn compile(
    program: Program,
    (common, choices): (&Common, Choices),
    validate: Option<&Arguments>,
    device: Option<&DeviceInfo>,
    inputs: Option<KnownInputs>,
) -> Result<Compiled, Error> {
    let compiler = compiler_of(common, choices, device, inputs);
    let Some(arguments) = validate else {
        return Ok(compiler.compile(program)?);
    };
    let signatures = program.signatures();
    let entries: Vec<_> = signatures.entries().collect();
    let entry = inputs::choose_entry(&entries, arguments.entry.as_deref())?;
    let name = entry.name.clone();
    let args = inputs::materialise(entry, arguments, Some(&program))?;
    let tolerance = tolerance(arguments, &args);
    Ok(compiler.compile_with(
        program,
        Some(Box::new(Validator::new(name, args, tolerance))),
    )?)
}

/// The tolerance asked for, else one that grows with what a result may be gathered from.
pub(crate) fn tolerance(arguments: &Arguments, args: &[Value]) -> Tolerance {
    match arguments.tolerance {
        Some(ulps) => Tolerance {
            ulps,
            ..Tolerance::default()
        },
        None => {
            let extents = args
                .iter()
                .filter_map(Value::as_array)
                .flat_map(|array| array.shape().iter().copied());
            Tolerance::for_length(extents.max().unwrap_or(1))
        }
    }
}
