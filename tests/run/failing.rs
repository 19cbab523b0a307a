//! Random nested programs that may fail when they run: each run gives the interpreter's results, or stops where it does.
//!
//! 300 programs, each in one pipeline and all its versions; 10,000 in every pipeline where `SEGRA_LONG=1`. A kernel's
//! threads do not come in the interpreter's order, so where several statements can fail, any of them may be reported: a
//! statement that fails is replaced by one that cannot, where it fails or, if it has no condition for that, everywhere,
//! until the interpreter gets to the end, and what failed on the way is what may be reported.
//!
//! A program for which a difference is found is made smaller before it is shown: statements that are not needed become
//! constants. `SEGRA_FAILURES=FOLDER` has such programs written into a folder, too.

use crate::{Outcome, load, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, CompileOptions, Compiled, Compiler, DeviceChoice, Program as Parsed, Tolerance, Value,
    compare_results, interpret,
};
use segra_artifact::{ElemType, Scalar};
use segra_runtime::EntryPoint;
use segra_tests::case::Failure;
use segra_tests::draft::Choices;
use segra_tests::random_failing::{Place, Program, StandIns, Written};
use std::collections::{BTreeMap, BTreeSet};

/// The names of the programs in messages.
const NAME: &str = "failing.mlir";
/// The function that programs are entered by.
const ENTRY: &str = "main";
/// Extents of both sizes.
const SHAPES: [[usize; 2]; 5] = [[3, 4], [1, 1], [0, 3], [3, 0], [34, 2]];
/// A pipeline, and what of its versions is run.
const PIPELINES: [&str; 3] = [
    "array-to-gpu",
    "array-to-gpu-tiled",
    "array-to-kernel-one,kernel-to-gpu",
];

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let long = std::env::var_os("SEGRA_LONG").is_some();
    let count = if long { 10_000 } else { 300 };
    let trial = |device: DeviceChoice, seed: u64| {
        let title = crate::title(&format!("random failing program {seed}"), device);
        Trial::test(title, move || {
            let program = Program::of(seed);
            // Half of the programs take the way of most.
            let pipelines = match seed % 4 {
                _ if long => &PIPELINES[..],
                3 => &PIPELINES[2..],
                2 => &PIPELINES[1..2],
                _ => &PIPELINES[..1],
            };
            for pipeline in pipelines {
                if let Err(error) = check(&program, &StandIns::default(), seed, pipeline, device) {
                    Err(smaller(&program, seed, pipeline, device, error))?;
                }
            }
            Ok(())
        })
    };
    let read = Trial::test("stand-ins of failing programs", || {
        stand_ins().map_err(Into::into)
    });
    devices
        .iter()
        .flat_map(|&device| (0..count).map(move |seed| trial(device, seed)))
        .chain([read])
        .collect()
}

/// With all conditions that there are, programs are well formed, and few still stop: gathers and reshapes have none.
fn stand_ins() -> Outcome {
    const SEEDS: u64 = 300;
    let (mut stop, mut guarded) = (0, 0);
    for seed in 0..SEEDS {
        let program = Program::of(seed);
        let instead = StandIns {
            guarded: (0..program.count()).collect(),
            plain: BTreeSet::new(),
        };
        let arguments = arguments(seed, SHAPES[0]);
        let stops = |instead: &StandIns| -> Result<usize, Failure> {
            let written = program.written(instead);
            let came = interpreted(&parse(&written)?, &written, &arguments);
            Ok(usize::from(matches!(came, Came::Stopped(..))))
        };
        stop += stops(&StandIns::default())?;
        guarded += stops(&instead)?;
    }
    if 5 * guarded < stop {
        return Ok(());
    }
    Err(format!(
        "of {SEEDS} programs {stop} stop, {guarded} with conditions"
    ))
}

/// The outcome of a run.
enum Came {
    To(Vec<Value>),
    /// Stopped there; `None`: nobody says where.
    Stopped(Option<Place>, String),
}

/// Finds out whether a device and the interpreter agree on a program with stand-ins in some places.
fn check(
    program: &Program,
    instead: &StandIns,
    seed: u64,
    pipeline: &str,
    device: DeviceChoice,
) -> Outcome {
    let written = program.written(instead);
    let parsed = parse(&written)?;
    let options = CompileOptions {
        pipeline: pipeline.to_owned(),
        ..crate::compile_options(device)
    };
    let compiled = Compiler::new(options).compile(parsed.clone());
    let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
    let mut versions = vec![("by default".to_owned(), BTreeMap::new())];
    let forced = crate::versions::forced(&artifact);
    if forced.len() > 1 {
        versions.extend(forced);
    }
    let loaded = load(artifact, device)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let signatures = parsed.signatures();
    let known = signatures.get(ENTRY).ok_or("there is no entry")?;
    let results = known.entry.results.clone();
    for shape in SHAPES {
        let arguments = arguments(seed, shape);
        let expected = interpreted(&parsed, &written, &arguments);
        let mut failing = None;
        for (name, tunables) in &versions {
            let found = ran(&entry, &written, &arguments, tunables);
            let context =
                |error: String| format!("sizes {shape:?}, pipeline {pipeline}, {name}: {error}");
            match (&found, &expected) {
                (Came::To(found), Came::To(expected)) => {
                    let difference = compare_results(found, expected, &results, Tolerance::EXACT);
                    if let Some(difference) = difference {
                        return Err(context(difference.to_string()));
                    }
                }
                (Came::To(_), Came::Stopped(_, message)) => {
                    return Err(context(format!(
                        "ran to the end, but the interpreter stops: {message}"
                    )));
                }
                (Came::Stopped(_, message), Came::To(_)) => {
                    return Err(context(format!(
                        "stopped, but the interpreter does not: {message}"
                    )));
                }
                (Came::Stopped(place, message), Came::Stopped(..)) => {
                    let failing =
                        failing.get_or_insert_with(|| failing_places(program, instead, &arguments));
                    if !place.is_some_and(|place| failing.contains(&place)) {
                        let lines = lines(&written, failing);
                        return Err(context(format!(
                            "stops elsewhere than in lines {lines:?}: {message}"
                        )));
                    }
                }
            }
        }
    }
    Ok(())
}

fn parse(written: &Written) -> Result<Parsed, Failure> {
    Parsed::from_text(NAME, &written.text)
        .map_err(|failure| format!("{}\n{}", rendered(&failure), written.text))
}

/// The sizes' arrays and a number, of small numbers and the largest.
fn arguments(seed: u64, [n, m]: [usize; 2]) -> Vec<Value> {
    let mut choices = Choices::new(seed ^ (n * 100 + m) as u64);
    let mut number = || {
        let vast = [i32::MIN, i32::MAX, -1, 32, 1000];
        let small = choices.below(7) as i32 - 1;
        if choices.below(8) == 0 {
            *choices.pick(&vast)
        } else {
            small
        }
    };
    let mut array = |shape: &[usize]| {
        let count: usize = shape.iter().product();
        let values: Vec<Scalar> = (0..count).map(|_| Scalar::i32(number())).collect();
        Value::Array(
            Array::from_scalars(ElemType::I32, shape, &values).expect("as many values as elements"),
        )
    };
    let mut arguments = vec![array(&[n, m]), array(&[n]), array(&[m])];
    arguments.push(Value::Scalar(Scalar::i32(number())));
    arguments
}

/// The place behind the file's name in a message.
fn place_in(written: &Written, text: &str) -> Option<Place> {
    let (_, rest) = text.split_once(&format!("{NAME}:"))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    written.place(digits.parse().ok()?)
}

fn interpreted(parsed: &Parsed, written: &Written, arguments: &[Value]) -> Came {
    match interpret(parsed.ir(), ENTRY, arguments) {
        Ok(results) => Came::To(results),
        Err(failure) => {
            let message = rendered(&failure);
            Came::Stopped(place_in(written, &message), message)
        }
    }
}

fn ran(
    entry: &EntryPoint<'_>,
    written: &Written,
    arguments: &[Value],
    tunables: &BTreeMap<String, i64>,
) -> Came {
    match entry.run_with(arguments, &crate::options(tunables.clone())) {
        Ok(output) => Came::To(output.results),
        Err(error) => {
            let at = error.location.as_ref().map(ToString::to_string);
            let place = at.and_then(|at| place_in(written, &at));
            Came::Stopped(place, error.to_string())
        }
    }
}

/// Every statement that fails for these arguments, be it behind others.
fn failing_places(program: &Program, instead: &StandIns, arguments: &[Value]) -> BTreeSet<Place> {
    let (mut instead, mut failing) = (instead.clone(), BTreeSet::new());
    loop {
        let written = program.written(&instead);
        let parsed = parse(&written).unwrap_or_else(|error| panic!("stand-ins: {error}"));
        match interpreted(&parsed, &written, arguments) {
            Came::Stopped(Some(place), _)
                if instead.guarded.insert(place) || instead.plain.insert(place) =>
            {
                failing.insert(place)
            }
            _ => return failing,
        };
    }
}

/// The first lines of statements.
fn lines(written: &Written, places: &BTreeSet<Place>) -> Vec<usize> {
    let line = |place: &Place| {
        written
            .places
            .iter()
            .position(|it| *it == Some(*place))
            .map(|line| line + 1)
    };
    places.iter().filter_map(line).collect()
}

/// The message about the program with as many stand-ins as leave a difference.
fn smaller(
    program: &Program,
    seed: u64,
    pipeline: &str,
    device: DeviceChoice,
    error: Failure,
) -> Failure {
    let (mut instead, mut error) = (StandIns::default(), error);
    // Outer statements first: those within go with them.
    for place in 0..program.count() {
        let mut tried = instead.clone();
        tried.plain.insert(place);
        if program.written(&tried).text == program.written(&instead).text {
            continue;
        }
        if let Err(found) = check(program, &tried, seed, pipeline, device) {
            (instead, error) = (tried, found);
        }
    }
    let text = program.written(&instead).text;
    let message = format!("{error}\n{text}");
    if let Some(folder) = std::env::var_os("SEGRA_FAILURES") {
        let commented: String = error.lines().map(|line| format!("// {line}\n")).collect();
        let path = std::path::Path::new(&folder).join(format!("failing-{seed}.mlir"));
        // The message has it all, too.
        let _ = std::fs::write(path, format!("// seed {seed}\n{commented}{text}"));
    }
    message
}
