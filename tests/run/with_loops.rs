//! Random with-loops on devices, and a with-loop of seven dimensions in every mapping that its rank has.
//!
//! 40 programs, 2,000 where `SEGRA_LONG=1`, each compared with its definition; the simulator checks memory.

use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, CompileOptions, Compiled, Compiler, DeviceChoice, Program, Tolerance, Value, compare,
    interpret,
};
use segra_artifact::{ElemType, Scalar};
use segra_tests::random_with_loop::{Case, Kind, case};

/// Strategies; `jing` ends at five dimensions, and what it does not map is folded.
const STRATEGIES: &[&str] = &["jing", "jing-ext", "fold-all", "fold-all(64)", "auto"];

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let long = std::env::var_os("SEGRA_LONG").is_some();
    let count: u64 = if long { 2_000 } else { 40 };
    let mut trials = Vec::new();
    for &device in devices {
        for seed in 0..count {
            let name = crate::title(&format!("random with-loop {seed}"), device);
            trials.push(Trial::test(name, move || {
                let case = case(seed);
                let run = || as_defined(&case, device);
                run().map_err(|error| format!("{error}\n{}", case.text).into())
            }));
        }
        for &strategy in STRATEGIES {
            let name = crate::title(
                &format!("with-loop of seven dimensions by {strategy}"),
                device,
            );
            trials.push(Trial::test(name, move || {
                seven(strategy, device).map_err(Into::into)
            }));
        }
    }
    trials
}

fn compiled(text: &str, device: DeviceChoice, strategy: Option<&str>) -> Result<Compiled, String> {
    let program = Program::from_text("with-loop", text).map_err(|failure| rendered(&failure))?;
    let options = CompileOptions {
        mapping_strategy: strategy.map(str::to_owned),
        ..crate::compile_options(device)
    };
    let compiled = Compiler::new(options).compile(program);
    compiled.map_err(|failure| rendered(&failure))
}

fn array(shape: &[usize], elements: &[i32]) -> Result<Value, String> {
    let array = Array::new(shape, elements);
    array.map(Value::Array).map_err(|error| error.to_string())
}

fn index(number: i64) -> Value {
    Value::Scalar(Scalar::from_i64(ElemType::I64, number))
}

/// Runs the program on a device and compares with the definition.
fn as_defined(case: &Case, device: DeviceChoice) -> Outcome {
    let mut arguments = Vec::new();
    if case.kind == Kind::Modarray {
        arguments.push(array(&case.shape, &case.old)?);
    }
    arguments.extend(case.arguments.iter().map(|&number| index(number)));
    let wanted = match case.kind {
        Kind::Fold => case
            .expected
            .iter()
            .map(|&number| Value::Scalar(Scalar::i32(number)))
            .collect(),
        Kind::Genarray | Kind::Modarray => vec![array(&case.shape, &case.expected)?],
    };
    let Compiled { artifact, .. } = compiled(&case.text, device, None)?;
    let loaded = crate::load(artifact, device)?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    let found = entry.run(&arguments).map_err(|error| error.to_string())?;
    match compare(&found, &wanted, Tolerance::EXACT) {
        None => Ok(()),
        Some(difference) => Err(format!("{difference:?}")),
    }
}

/// The program of seven dimensions, whose partitions are kernels, mapped by a strategy, at sizes with remainders.
fn seven(strategy: &str, device: DeviceChoice) -> Outcome {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/run/with-loops/with-loop-seven-in-place.mlir"
    );
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let program = Program::from_text("seven", &text).map_err(|failure| rendered(&failure))?;
    let Compiled { artifact, .. } = compiled(&text, device, Some(strategy))?;
    let loaded = crate::load(artifact, device)?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    for sizes in [
        [3, 2, 5, 3, 4, 3, 5],
        [1, 1, 1, 1, 1, 1, 1],
        [4, 2, 0, 3, 1, 2, 6],
    ] {
        let arguments = sizes.map(index);
        let wanted =
            interpret(program.ir(), "main", &arguments).map_err(|failure| rendered(&failure))?;
        let found = entry.run(&arguments).map_err(|error| error.to_string())?;
        if let Some(difference) = compare(&found, &wanted, Tolerance::EXACT) {
            return Err(format!("{sizes:?}: {difference:?}"));
        }
    }
    Ok(())
}
