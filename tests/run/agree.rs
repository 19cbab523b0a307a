//! Programs that stop: in every pipeline and every version, forced by its thresholds, a run gives the interpreter's results
//! or stops at the same place with the same message.
//!
//! All run tests whose header has an `error:` are such programs. `SEGRA_AGREE=FOLDER` adds those of a folder; there the
//! header only needs inputs, since the interpreter says what becomes of them.

use crate::inputs;
use crate::programs::{ENTRY, Test};
use crate::{Outcome, load, rendered};
use libtest_mimic::Trial;
use segra::{CompileOptions, Compiled, Compiler, DeviceChoice, Value, interpret};
use segra_tests::case::{self, Case, Failure};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The pipelines, by the names of their trials.
const PIPELINES: [(&str, &str); 3] = [
    ("all versions", "array-to-gpu"),
    ("with tiles", crate::tiled::PIPELINE),
    ("one version", "array-to-kernel-one,kernel-to-gpu"),
];

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let files = |folder: &Path| case::files(folder, "mlir").expect("the folder can be read");
    let stops =
        |path: &PathBuf| Case::read(path).is_ok_and(|case| case.values("error").next().is_some());
    let mut paths: Vec<PathBuf> = files(&case::folder().join("run"));
    paths.retain(stops);
    if let Some(folder) = std::env::var_os("SEGRA_AGREE") {
        paths.extend(files(Path::new(&folder)));
    }
    let mut trials = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for &device in devices {
            for (what, pipeline) in PIPELINES {
                let title = crate::title(&format!("{name}: stops alike, {what}"), device);
                let path = path.clone();
                trials.push(Trial::test(title, move || {
                    agrees(&path, pipeline, device).map_err(Into::into)
                }));
            }
        }
    }
    trials
}

fn agrees(path: &Path, pipeline: &str, device: DeviceChoice) -> Outcome {
    let test = Test::read(path)?;
    let options = CompileOptions {
        pipeline: pipeline.to_owned(),
        ..crate::compile_options(device)
    };
    let compiled = Compiler::new(options).compile(test.program.clone());
    let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
    let mut versions = vec![("by default".to_owned(), BTreeMap::new())];
    versions.extend(crate::versions::forced(&artifact));
    let loaded = load(artifact, device)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let mut differences = String::new();
    for sample in inputs::samples(&test.case)? {
        let arguments = inputs::arguments(&test.entry, &sample.inputs)?;
        let expected = interpreted(&test, &arguments);
        for (name, tunables) in &versions {
            let found = entry.run_with(&arguments, &crate::options(tunables.clone()));
            let found = found
                .map(|output| output.results)
                .map_err(|error| error.to_string());
            if let Err(difference) = same(&test, &found, &expected, &arguments) {
                differences += &format!(
                    "inputs {:?}, version `{name}`: {difference}\n",
                    sample.inputs
                );
            }
        }
    }
    if differences.is_empty() {
        Ok(())
    } else {
        Err(differences)
    }
}

/// The results, or the place and the message.
fn interpreted(test: &Test, arguments: &[Value]) -> Result<Vec<Value>, String> {
    interpret(test.program.ir(), ENTRY, arguments).map_err(|failure| {
        let rendered = rendered(&failure);
        let first = rendered.lines().next().unwrap_or_default();
        first.replacen(": error: ", ": ", 1)
    })
}

fn same(
    test: &Test,
    found: &Result<Vec<Value>, Failure>,
    expected: &Result<Vec<Value>, String>,
    arguments: &[Value],
) -> Outcome {
    match (found, expected) {
        (Ok(found), Ok(expected)) => test.same(found, expected, arguments),
        // A device says the kernel, too. Arguments that nobody takes are no place of the program.
        (Err(found), Err(expected))
            if found.starts_with(expected) || expected.starts_with("error: size") =>
        {
            Ok(())
        }
        (Err(found), Err(expected)) => Err(format!(
            "stops by\n  {found}\nthe interpreter by\n  {expected}"
        )),
        (Err(found), Ok(_)) => Err(format!("stops, the interpreter does not: {found}")),
        (Ok(_), Err(expected)) => Err(format!("runs, the interpreter stops: {expected}")),
    }
}
