//! Programs whose sizes are known: those beside this file, with numbers in place of the names of extents.
//!
//! The program that is compiled then is another one: versions and kernels that no run reaches are gone, bounds, strides and numbers of
//! rounds are constants, and types say extents on all levels.

use crate::inputs;
use crate::programs::{ENTRY, Test};
use crate::{Outcome, load, rendered};
use libtest_mimic::Trial;
use segra::{Array, Compiled, Compiler, DeviceChoice, ParamType, Program, Value};
use segra_artifact::{Dim, Entry};
use segra_tests::case::{self, Case, Failure};
use std::collections::BTreeMap;
use std::path::Path;

/// Samples of a program whose sizes become numbers: the last of its header, where sizes are largest, and those before.
const SAMPLES: usize = 2;

/// Extents by name.
type Extents = BTreeMap<String, usize>;

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let files = case::files(&case::folder().join("run"), "mlir")
        .expect("the folder of run tests can be read");
    let named = |path: &Path| Case::read(path).is_ok_and(|case| has_sizes(&case));
    let mut trials = Vec::new();
    for path in files.into_iter().filter(|path| named(path)) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for &device in devices {
            let title = crate::title(&format!("{name}: known sizes"), device);
            let path = path.clone();
            trials.push(Trial::test(title, move || {
                agrees(&path, device).map_err(Into::into)
            }));
        }
    }
    trials
}

/// Whether the entry of a program has parameters with extents that have names. By its text: all programs are asked, whatever
/// trials are run.
fn has_sizes(case: &Case) -> bool {
    let entry = case.program.split_once(&format!("@{ENTRY}("));
    let params = entry.and_then(|(_, rest)| rest.split_once(')'));
    let named = |part: &str| part.starts_with(|first: char| first.is_ascii_alphabetic());
    case.values("inputs").next().is_some()
        && params.is_some_and(|(params, _)| params.split('[').skip(1).any(named))
}

fn agrees(path: &Path, device: DeviceChoice) -> Outcome {
    let test = Test::read(path)?;
    let source = test.case.source();
    let mut seen: Vec<Extents> = Vec::new();
    let samples = inputs::samples(&test.case)?;
    for sample in samples.iter().rev().filter(|sample| sample.error.is_none()) {
        let arguments = inputs::arguments(&test.entry, &sample.inputs)?;
        let extents = extents(&test.entry, &arguments);
        if seen.contains(&extents) {
            continue;
        }
        let context = |error: Failure| format!("{extents:?}: {error}");
        let text = with_numbers(&source, &extents);
        let found = run(&text, &arguments, device).map_err(context)?;
        let expected = test.expected(sample, &arguments).map_err(context)?;
        for (source, expected) in expected {
            let same = test.same(&found, &expected, &arguments);
            same.map_err(|error| context(format!("against {source}: {error}")))?;
        }
        seen.push(extents);
        if seen.len() == SAMPLES {
            break;
        }
    }
    Ok(())
}

/// The extents that arguments give to the names of an entry.
fn extents(entry: &Entry, arguments: &[Value]) -> Extents {
    let mut extents = Extents::new();
    for (param, argument) in entry.params.iter().zip(arguments) {
        let ParamType::Array { dims, .. } = &param.ty else {
            continue;
        };
        let array: Array = argument.to_array();
        for (dim, &extent) in dims.iter().zip(array.shape()) {
            if let Dim::Size(size) = dim
                && let Some(name) = entry.sizes.get(size.index())
            {
                extents.insert(name.clone(), extent);
            }
        }
    }
    extents
}

/// The text with numbers for names in the entry; other functions have names of their own.
fn with_numbers(source: &str, extents: &Extents) -> String {
    let start = source.find(&format!("@{ENTRY}(")).unwrap_or(0);
    let (before, entry) = source.split_at(start);
    let end = entry.find("func.func").unwrap_or(entry.len());
    let (entry, behind) = entry.split_at(end);
    let number = |text: String, (name, extent): (&String, &usize)| {
        text.replace(&format!("[{name}]"), &format!("[{extent}]"))
    };
    let entry = extents.iter().fold(entry.to_owned(), number);
    format!("{before}{entry}{behind}")
}

fn run(text: &str, arguments: &[Value], device: DeviceChoice) -> Result<Vec<Value>, Failure> {
    let program = Program::from_text("program", text).map_err(|failure| rendered(&failure))?;
    let compiled = Compiler::new(crate::compile_options(device)).compile(program);
    let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
    let loaded = load(artifact, device)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    entry.run(arguments).map_err(|error| error.to_string())
}
