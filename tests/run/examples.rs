//! The examples, with real sizes: on a device against the interpreter and numpy, and their PTX before `ptxas`.

use crate::{Outcome, assembled, device_name, load, rendered};
use libtest_mimic::Trial;
use segra::{
    CompileOptions, Compiler, DeviceChoice, Input, Program, Tolerance, Value, compare, interpret,
};
use segra_runtime::write_npy;
use segra_tests::case::{self, Failure};
use std::path::{Path, PathBuf};
use std::process::Command;

const ENTRY: &str = "main";

fn folder() -> PathBuf {
    case::folder().join("../examples")
}

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let mut trials = Vec::new();
    for path in case::files(&folder(), "mlir").expect("the examples can be read") {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let at = path.clone();
        trials.push(Trial::test(format!("examples/{name}: ptxas"), move || {
            assembled(&at).map_err(Into::into)
        }));
        for &device in devices {
            let (path, title) = (
                path.clone(),
                format!("examples/{name}: {}", device_name(device)),
            );
            trials.push(Trial::test(title, move || {
                runs(&path, device).map_err(Into::into)
            }));
        }
    }
    trials
}

fn read(path: &Path) -> Result<Program, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    Program::from_text(&path.display().to_string(), &text).map_err(|failure| rendered(&failure))
}

/// Every example has kernels, and they assemble.
fn assembled(path: &Path) -> Outcome {
    match assembled::kernels(read(path)?, CompileOptions::default())? {
        0 => Err("no kernel".to_owned()),
        _ => Ok(()),
    }
}

fn runs(path: &Path, device: DeviceChoice) -> Outcome {
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    script(&["inputs", &scratch.path().display().to_string(), &name])?;
    let program = read(path)?;
    let entry = program
        .signatures()
        .get(ENTRY)
        .ok_or("there is no function @main")?
        .entry
        .clone();
    let at = scratch.path().join(&name);
    let mut arguments = Vec::new();
    for (index, param) in entry.params.iter().enumerate() {
        let input = Input::File(at.join(format!("input-{index}.npy")));
        arguments.push(
            input
                .materialise(&param.ty, 0, index)
                .map_err(|error| error.to_string())?,
        );
    }
    let found = run(&program, &arguments, device)?;
    let expected =
        interpret(program.ir(), ENTRY, &arguments).map_err(|failure| rendered(&failure))?;
    // The interpreter adds one by one, so its own sums are off by up to this much; numpy's are the finer reference below.
    let longest = arguments
        .iter()
        .flat_map(|value| value.to_array().shape().to_vec())
        .max()
        .unwrap_or(1);
    let tolerance = Tolerance {
        ulps: 4.0 * longest as f64,
        ..Tolerance::default()
    };
    if let Some(difference) = compare(&found, &expected, tolerance) {
        return Err(format!("against the interpreter: {difference}"));
    }
    let out = at.join("out");
    std::fs::create_dir_all(&out).map_err(|error| error.to_string())?;
    for (index, value) in found.iter().enumerate() {
        write_npy(&out.join(format!("{index}.npy")), value).map_err(|error| error.to_string())?;
    }
    script(&["check", &scratch.path().display().to_string(), &name])
}

fn run(
    program: &Program,
    arguments: &[Value],
    device: DeviceChoice,
) -> Result<Vec<Value>, Failure> {
    let compiled = Compiler::new(crate::compile_options(device))
        .compile(program.clone())
        .map_err(|failure| rendered(&failure))?;
    let loaded = load(compiled.artifact, device)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    crate::results(&entry, arguments)
}

/// Runs `examples.py`.
fn script(arguments: &[&str]) -> Outcome {
    let python = case::python();
    let output = Command::new(&python)
        .arg(folder().join("examples.py"))
        .args(arguments)
        .output();
    let output =
        output.map_err(|error| format!("{}: {error}; tools/setup fetches it", python.display()))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}
