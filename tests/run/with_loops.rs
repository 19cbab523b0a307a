//! Random with-loops on devices, and a with-loop of seven dimensions in every mapping that its rank has.
//!
//! 40 programs, 2,000 where `SEGRA_LONG=1`, each compared with its definition; the simulator checks memory.

use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, CompileOptions, Compiled, Compiler, DeviceChoice, Program, RunOptions, Tolerance, Value,
    compare, interpret,
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
        let name = crate::title("row 004-09: with-loops in a loop of the host", device);
        trials.push(Trial::test(name, move || {
            stays_on_the_device(device).map_err(Into::into)
        }));
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

/// Rounds of a with-loop of two partitions, in a loop of the host; both read weights from outside of it.
const ROUNDS: &str = "func.func private @outside(f32) -> f32
func.func @main(%xs: !array.array<[n][m]f32>, %ws: !array.array<[m]f32>, %rounds: index) -> !array.array<[n][m]f32> {
  %n = array.dim %xs, 0 : [n][m]f32
  %m = array.dim %xs, 1 : [n][m]f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %round = %c0 to %rounds step %c1 iter_args(%a = %xs) -> (!array.array<[n][m]f32>) {
    %b = array.with_loop genarray [%n, %m] default (%zero : f32) partition ([0, 1] <= (%i, %j) < [%n, %m]) {
      %before = arith.subi %j, %c1 : index
      %x = array.index %a[%i, %before] : [n][m]f32
      %w = array.index %ws[%j] : [m]f32
      %y = arith.mulf %x, %w : f32
      array.yield %y : f32
    } partition ([0, 0] <= (%i, %j) < [%n, %c1]) {
      %x = array.index %a[%i, %j] : [n][m]f32
      %w = array.index %ws[%j] : [m]f32
      %y = arith.addf %x, %w : f32
      array.yield %y : f32
    } : [n][m]f32
    scf.yield %b : !array.array<[n][m]f32>
  }
  func.return %r : !array.array<[n][m]f32>
}";

/// Arguments go to the device once, before all rounds, and only the result comes back; each round launches what the one before it
/// did. A body that calls a function from elsewhere has no kernel.
fn stays_on_the_device(device: DeviceChoice) -> Outcome {
    let program = Program::from_text("rounds", ROUNDS).map_err(|failure| rendered(&failure))?;
    let Compiled { artifact, .. } = compiled(ROUNDS, device, None)?;
    let loaded = crate::load(artifact, device)?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    let (rows, columns) = (5, 37);
    let floats = |shape: &[usize]| {
        let count = shape.iter().product();
        let numbers: Vec<f32> = (0..count).map(|at: usize| (at % 5) as f32).collect();
        let array = Array::new(shape, &numbers);
        array.map(Value::Array).map_err(|error| error.to_string())
    };
    let mut launches_of_a_round = None;
    for rounds in [0, 1, 2, 9] {
        let arguments = [
            floats(&[rows, columns])?,
            floats(&[columns])?,
            index(rounds as i64),
        ];
        let wanted =
            interpret(program.ir(), "main", &arguments).map_err(|failure| rendered(&failure))?;
        let ran = entry
            .run_with(&arguments, &RunOptions::default())
            .map_err(|error| error.to_string())?;
        if let Some(difference) = compare(&ran.results, &wanted, Tolerance::EXACT) {
            return Err(format!("{rounds} rounds: {difference:?}"));
        }
        let report = &ran.report;
        let result = 4 * rows * columns;
        let moved = (report.uploaded_bytes, report.downloaded_bytes);
        if moved != ((result + 4 * columns) as u64, result as u64) {
            return Err(format!(
                "{rounds} rounds: bytes to the device and back {moved:?}"
            ));
        }
        if rounds > 0 {
            let launched = report.launched;
            let of_one = *launches_of_a_round.get_or_insert(launched);
            if launched == 0 || launched != of_one * rounds {
                return Err(format!(
                    "{rounds} rounds: {launched} launches, {of_one} of one"
                ));
            }
        }
    }
    let foreign = ROUNDS.replace(
        "%y = arith.addf %x, %w : f32",
        "%y = func.call @outside(%x) : (f32) -> f32",
    );
    match compiled(&foreign, device, None) {
        Ok(_) => Err("a body that calls a function from elsewhere is compiled".to_owned()),
        Err(error) if error.contains("must not have") => Ok(()),
        Err(error) => Err(error),
    }
}
