//! Bytes that programs move between memory and the chip, counted: the programs of `benches/traffic` at small sizes.
//!
//! `benches/traffic.py` makes the table of all of them at large sizes; here the ratios that must hold are asserted. All
//! is counted by the simulator's profile, so the figures are the same on every machine.

use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::{Array, CompileOptions, Compiler, ElemType, Program, RunOutput, Scalar, Value};
use segra_runtime::{Machine, Profile, RunOptions, SimDevice, SimOptions};
use segra_tests::case;
use std::sync::Arc;

/// A program, the shape of its argument, and the most it may move of the least possible.
struct Budget {
    program: &'static str,
    shape: &'static [usize],
    /// Elements read and written at least, four bytes each.
    elements: usize,
    most: f64,
}

const BUDGETS: &[Budget] = &[
    Budget {
        program: "map",
        shape: &[60_000],
        elements: 120_000,
        most: 1.01,
    },
    Budget {
        program: "reduce",
        shape: &[1 << 16],
        elements: 1 << 16,
        most: 1.02,
    },
    Budget {
        program: "reduce",
        shape: &[70_001],
        elements: 70_001,
        most: 1.02,
    },
    Budget {
        program: "scan",
        shape: &[1 << 16],
        elements: 2 << 16,
        most: 1.01,
    },
    Budget {
        program: "scan",
        shape: &[70_001],
        elements: 140_002,
        most: 1.01,
    },
    Budget {
        program: "transpose",
        shape: &[256, 256],
        elements: 2 << 16,
        most: 1.0,
    },
    Budget {
        program: "softmax",
        shape: &[64, 512],
        elements: 2 * 64 * 512,
        most: 1.01,
    },
    Budget {
        program: "softmax",
        shape: &[33, 1025],
        elements: 2 * 33 * 1025,
        most: 1.02,
    },
    // Rows do not start at sectors: those at tiles' edges are loaded by both neighbours, if not from the L2 cache.
    Budget {
        program: "transpose",
        shape: &[255, 257],
        elements: 2 * 255 * 257,
        most: 1.02,
    },
];

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for budget in BUDGETS {
        let name = format!("traffic: {} of {:?}", budget.program, budget.shape);
        trials.push(Trial::test(name, move || {
            within(budget).map_err(Into::into)
        }));
    }
    for &(bins, most) in HISTOGRAMS {
        let name = format!("traffic: histogram of {bins} bins");
        trials.push(Trial::test(name, move || {
            histogram(bins, most).map_err(Into::into)
        }));
    }
    trials.push(Trial::test("indices of 32 bits where sizes allow", || {
        narrowed().map_err(Into::into)
    }));
    trials.push(Trial::test(
        "traffic: rows that threads iterate over",
        || coalesced().map_err(Into::into),
    ));
    trials.push(Trial::test("traffic: copies where they pay", || {
        copied_where_it_pays().map_err(Into::into)
    }));
    trials.push(Trial::test("traffic: loads of four elements", || {
        vectors().map_err(Into::into)
    }));
    trials.push(Trial::test("traffic: aligned transpositions", || {
        transposed().map_err(Into::into)
    }));
    trials.push(Trial::test("traffic: lists that grow in place", || {
        lists_in_place().map_err(Into::into)
    }));
    trials.push(Trial::test("traffic: scans of columns", || {
        scanned_columns().map_err(Into::into)
    }));
    trials.push(Trial::test("traffic: histograms of one index", || {
        mixed_histograms().map_err(Into::into)
    }));
    trials.push(Trial::test(
        "profiles name the op and the source line",
        || named().map_err(Into::into),
    ));
    trials
}

/// A histogram, by its number of bins, and the most it may move of the least possible: elements read once, bins copied.
const HISTOGRAMS: &[(usize, f64)] = &[
    (256, 1.02),
    // As many as fit shared memory, and more: what atomics change in memory is read and written once more.
    (8192, 1.25),
    (20_000, 1.35),
];

/// Runs a program of `benches/traffic` on an array of that shape, with a profile for an H100.
fn profiled(program: &str, shape: &[usize]) -> Result<RunOutput, case::Failure> {
    profiled_by(program, shape, segra::DEFAULT_PIPELINE)
}

/// As [`profiled`], compiled by other passes.
fn profiled_by(program: &str, shape: &[usize], pipeline: &str) -> Result<RunOutput, case::Failure> {
    let numbers = (0..shape.iter().product::<usize>()).map(|at| (at % 7) as f32);
    let bytes = numbers.flat_map(f32::to_le_bytes).collect();
    run_profiled(program, &[array(ElemType::F32, shape, bytes)?], pipeline)
}

pub(crate) fn array(
    element: ElemType,
    shape: &[usize],
    bytes: Vec<u8>,
) -> Result<Value, case::Failure> {
    Array::from_bytes(element, shape, bytes)
        .map(Value::Array)
        .map_err(|error| error.to_string())
}

/// Runs a program of `benches/traffic` or of the examples with a profile for an H100.
fn run_profiled(
    program: &str,
    arguments: &[Value],
    pipeline: &str,
) -> Result<RunOutput, case::Failure> {
    let root = case::folder().join("..");
    let folders = ["benches/traffic", "examples"];
    let paths = folders.map(|folder| root.join(folder).join(program).with_extension("mlir"));
    let path = paths
        .iter()
        .find(|path| path.exists())
        .ok_or_else(|| format!("there is no {program}"))?;
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    run_text(program, &text, arguments, pipeline)
}

/// Runs a program with a profile for an H100.
pub(crate) fn run_text(
    program: &str,
    text: &str,
    arguments: &[Value],
    pipeline: &str,
) -> Result<RunOutput, case::Failure> {
    run_on(Machine::H100, (program, text), arguments, pipeline)
}

/// Runs a program, of a name and a text, with a profile for a machine.
pub(crate) fn run_on(
    machine: Machine,
    (program, text): (&str, &str),
    arguments: &[Value],
    pipeline: &str,
) -> Result<RunOutput, case::Failure> {
    let name = format!("{program}.mlir");
    let program = Program::from_text(&name, text).map_err(|failure| rendered(&failure))?;
    let options = CompileOptions {
        pipeline: pipeline.to_owned(),
        ..CompileOptions::default()
    };
    run_compiled(machine, program, arguments, options)
}

/// Runs a program, compiled with these options for the first of their targets, with a profile for a machine.
pub(crate) fn run_compiled(
    machine: Machine,
    program: Program,
    arguments: &[Value],
    options: CompileOptions,
) -> Result<RunOutput, case::Failure> {
    let device = SimOptions {
        profile: Some(machine),
        ..SimOptions::default()
    };
    run_with(&device, program, arguments, options)
}

/// The same on a simulated device.
pub(crate) fn run_with(
    device: &SimOptions,
    program: Program,
    arguments: &[Value],
    mut options: CompileOptions,
) -> Result<RunOutput, case::Failure> {
    options.targets.truncate(1);
    let compiled = Compiler::new(options)
        .compile(program)
        .map_err(|failure| rendered(&failure))?;
    let loaded = segra::load_on(compiled.artifact, Arc::new(SimDevice::new(device)));
    let loaded = loaded.map_err(|error| error.to_string())?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    entry
        .run_with(arguments, &RunOptions::default())
        .map_err(|error| error.to_string())
}

/// Bytes that a run moves between memory and the chip; what is copied is read and written.
pub(crate) fn moved(run: &RunOutput) -> u64 {
    let kernels = profiles(run).into_iter();
    let by_kernels: u64 = kernels
        .map(|profile| profile.traffic.memory_read_bytes + profile.traffic.memory_written_bytes)
        .sum();
    by_kernels + 2 * run.report.copied_bytes + run.report.filled_bytes
}

pub(crate) fn profiles(run: &RunOutput) -> Vec<&Profile> {
    run.report
        .launches
        .iter()
        .filter_map(|launch| launch.profile.as_deref())
        .collect()
}

fn within(budget: &Budget) -> Outcome {
    compared(
        &profiled(budget.program, budget.shape)?,
        budget.elements,
        budget.most,
    )
}

/// Whether the bytes moved are at most so many times those of `elements` elements of four bytes.
fn compared(run: &RunOutput, elements: usize, most: f64) -> Outcome {
    let moved = moved(run);
    let ratio = moved as f64 / (4 * elements) as f64;
    // Below 1, something is not counted.
    match (1.0..=most).contains(&ratio) {
        true => Ok(()),
        false => Err(format!(
            "{moved} bytes moved, {ratio:.4} times the least, expected 1 to {most}"
        )),
    }
}

fn histogram(bins: usize, most: f64) -> Outcome {
    const ELEMENTS: usize = 1 << 16;
    let numbers = |count: usize, step: usize| {
        (0..count)
            .flat_map(|at| ((at * step % bins) as i32).to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let elements = array(ElemType::I32, &[ELEMENTS], numbers(ELEMENTS, 7919))?;
    let start = array(ElemType::I32, &[bins], numbers(bins, 1))?;
    let run = run_profiled("histogram", &[elements, start], segra::DEFAULT_PIPELINE)?;
    compared(&run, ELEMENTS + 3 * bins, most)
}

/// Sectors per request of the kernel that takes the most requests.
fn sectors_per_request(run: &RunOutput) -> f64 {
    let most = profiles(run)
        .into_iter()
        .max_by_key(|profile| profile.traffic.requests);
    most.map_or(0.0, |profile| profile.traffic.sectors_per_request())
}

/// One version, in which threads iterate over rows, without the checks of indices: with no transposed copies, with those that
/// pay, with all.
fn copying() -> [String; 3] {
    let one = segra::unchecked_pipeline().replace("array-to-kernel", "array-to-kernel-one");
    ["", "coalesce-inputs,", "coalesce-inputs{when=always},"]
        .map(|pass| one.replace("coalesce-inputs,", pass))
}

fn coalesced() -> Outcome {
    let [one, _, more] = copying();
    let (without, with) = (
        profiled_by("row_loop", &[512, 96], &one)?,
        profiled_by("row_loop", &[512, 96], &more)?,
    );
    if with.results != without.results {
        return Err("the copy changes results".to_owned());
    }
    // A warp's request is 32 elements of one row of the copy: 4 sectors. Without the copy each of its threads asks for
    // a sector of a row of its own; a third of them has no rounds, another third ends before the last.
    match [sectors_per_request(&with), sectors_per_request(&without)] {
        [with, without] if with < 4.5 && without > 12.0 => Ok(()),
        found => Err(format!(
            "{found:?} sectors per request with and without the copy"
        )),
    }
}

/// Transposed copies are made where reading them saves more than making them costs, by the estimates, too.
fn copied_where_it_pays() -> Outcome {
    let [never, pays, always] = copying();
    // Rows that are read by several rows (too few for tiles), by one, and short ones, for which a launch costs more.
    for (m, n, k, copied) in [
        (10, 6600, 96, true),
        (1, 16_384, 32, false),
        (10, 1000, 32, false),
    ] {
        let numbers = |count: usize| {
            (0..count)
                .flat_map(|at| ((at % 7) as f32).to_le_bytes())
                .collect()
        };
        let shapes = [[m, k], [n, k]];
        let matrix = |shape: &[usize; 2]| array(ElemType::F32, shape, numbers(shape[0] * shape[1]));
        let arguments = shapes
            .iter()
            .map(matrix)
            .collect::<Result<Vec<Value>, _>>()?;
        let run = |pipeline: &String| run_profiled("product_by_rows", &arguments, pipeline);
        let (without, chosen, forced) = (run(&never)?, run(&pays)?, run(&always)?);
        let place = format!("{m} x {k} by {n} x {k}");
        if without.results != chosen.results || without.results != forced.results {
            return Err(format!("{place}: the copy changes results"));
        }
        let launches = [&without, &chosen, &forced].map(|run| run.report.launches.len());
        if launches != [1, 1 + usize::from(copied), 2] {
            return Err(format!(
                "{place}: {launches:?} launches without, by the rule, and with the copy"
            ));
        }
        let time = |run: &RunOutput| {
            profiles(run)
                .iter()
                .map(|p| p.estimate.microseconds)
                .sum::<f64>()
        };
        let (without, forced) = (time(&without), time(&forced));
        if (forced < without) != copied {
            return Err(format!(
                "{place}: {without:.1} µs without the copy, {forced:.1} µs with it"
            ));
        }
    }
    Ok(())
}

/// Which version of a kernel runs is decided by sizes; both give the same.
fn narrowed() -> Outcome {
    // Transpositions compute indices before they ask whether a thread is inside: theirs are bounded by the launch, at up to
    // three times the elements.
    for (program, shape, limit, small) in [
        ("map", &[60_000][..], 90_000, true),
        ("map", &[100_001], 90_000, false),
        ("transpose", &[255, 257], 200_000, true),
        ("transpose", &[500, 500], 200_000, false),
        ("scan", &[60_001], 90_000, true),
        ("scan", &[1 << 17], 90_000, false),
    ] {
        let limit = format!("narrow-indices{{limit={limit}}}");
        let limited = segra::default_pipeline_with("narrow-indices", &limit);
        let (run, default) = (
            profiled_by(program, shape, &limited)?,
            profiled(program, shape)?,
        );
        let wide = |run: &RunOutput| {
            run.report
                .launches
                .iter()
                .any(|launch| launch.kernel.ends_with("_64"))
        };
        if run.results != default.results {
            return Err(format!(
                "{program} of {shape:?}: the versions give different results"
            ));
        }
        if wide(&run) == small || wide(&default) {
            let kernels: Vec<&String> = run
                .report
                .launches
                .iter()
                .map(|launch| &launch.kernel)
                .collect();
            return Err(format!("{program} of {shape:?}: {kernels:?}"));
        }
    }
    Ok(())
}

/// A request of a warp whose threads take 16 bytes each is 16 sectors; of what is left at the end, fewer.
fn vectors() -> Outcome {
    for (program, shape) in [("map", &[60_000][..]), ("reduce", &[1 << 16])] {
        let found = sectors_per_request(&profiled(program, shape)?);
        if !(12.0..=17.0).contains(&found) {
            return Err(format!(
                "{program} of {shape:?}: {found} sectors per request, expected about 16"
            ));
        }
    }
    Ok(())
}

/// Matrices whose rows are aligned on both sides go by four elements at a time, others one by one; neither side of the tile
/// in shared memory meets a bank twice.
fn transposed() -> Outcome {
    let mut per_element = Vec::new();
    for (shape, sectors) in [
        ([256, 260], 15.0..=17.0),
        ([255, 257], 3.9..=5.0),
        ([256, 258], 3.9..=4.6),
    ] {
        let run = profiled("transpose", &shape)?;
        let found = sectors_per_request(&run);
        let (requests, waves) =
            profiles(&run)
                .into_iter()
                .fold((0, 0), |(requests, waves), profile| {
                    (
                        requests + profile.traffic.shared_requests,
                        waves + profile.traffic.shared_wavefronts,
                    )
                });
        if !sectors.contains(&found) || requests != waves {
            return Err(format!(
                "{shape:?}: {found} sectors per request, {waves} wavefronts for {requests}"
            ));
        }
        per_element.push(instructions(&run) / (shape[0] * shape[1]) as f64);
    }
    match per_element[..] {
        [four, one, _] if four < 17.5 && one < 24.5 => Ok(()),
        _ => Err(format!("{per_element:?} instructions per element")),
    }
}

/// Scans of many columns read and write whole sectors, and turn them in shared memory without a conflict; each element is
/// read and written once.
fn scanned_columns() -> Outcome {
    for shape in [[40, 8200], [128, 8192], [130, 8195]] {
        let run = profiled("column_scan", &shape)?;
        let [one] = profiles(&run)[..] else {
            return Err("the columns are scanned by one kernel".into());
        };
        let traffic = &one.traffic;
        let found = sectors_per_request(&run);
        if !(2.9..=6.0).contains(&found) || traffic.shared_requests != traffic.shared_wavefronts {
            return Err(format!(
                "{shape:?}: {found} sectors per request, {traffic:?}"
            ));
        }
    }
    Ok(())
}

/// Instructions of all threads.
fn instructions(run: &RunOutput) -> f64 {
    profiles(run)
        .iter()
        .map(|profile| profile.thread_instructions as f64)
        .sum()
}

/// A step that gives a list of a point an element costs the same however long the list is.
fn lists_in_place() -> Outcome {
    let folder = case::folder().join("run/nested");
    let steps = |count: i64| {
        [count; 32]
            .into_iter()
            .flat_map(i64::to_le_bytes)
            .collect::<Vec<u8>>()
    };
    for name in ["list-of-steps", "list-pushed-where-odd"] {
        let path = folder.join(name).with_extension("mlir");
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let run = |count: i64| {
            let mut arguments = vec![array(ElemType::I64, &[32], steps(count))?];
            arguments.extend(
                text.contains("%k: i32")
                    .then_some(Value::Scalar(Scalar::i32(3))),
            );
            let run = run_text(name, &text, &arguments, segra::DEFAULT_PIPELINE)?;
            Ok::<f64, case::Failure>(instructions(&run))
        };
        let (few, many) = (run(48)?, run(96)?);
        if many > 2.2 * few {
            return Err(format!(
                "{name}: {few} instructions for 48 steps, {many} for 96"
            ));
        }
    }
    Ok(())
}

/// Two histograms of one index, a sum that saturates on numbers of 8 bits (locks) and a count (atomics): in one op each
/// is done its own way, which costs less than two ops, and little more than the locks alone.
fn mixed_histograms() -> Outcome {
    let count = 1 << 14;
    for bins in [16, 256, 20_000] {
        let keys = (0..count)
            .flat_map(|at: i32| ((at * 7919) % bins).to_le_bytes())
            .collect();
        let keys = array(ElemType::I32, &[count as usize], keys)?;
        let bins = bins as usize;
        let words = array(ElemType::I32, &[bins], vec![0; 4 * bins])?;
        let bytes = array(ElemType::I8, &[bins], vec![0; bins])?;
        let run = |values: &[&str], arguments: &[Value]| {
            run_text(
                "mixed",
                &histograms(values),
                arguments,
                segra::DEFAULT_PIPELINE,
            )
        };
        let both = [keys.clone(), words.clone(), bytes.clone()];
        let one = run(&["i32 i8"], &both)?;
        let two = run(&["i32", "i8"], &both)?;
        let locks = run(&["i8"], &[keys, bytes])?;
        if one.results != two.results {
            return Err(format!(
                "{bins} bins: one op and two give different results"
            ));
        }
        let found = [&one, &two, &locks].map(|run| instructions(run) / f64::from(count));
        let times = [&one, &two, &locks].map(|run| {
            profiles(run)
                .iter()
                .map(|profile| profile.estimate.microseconds)
                .sum::<f64>()
        });
        if found[0] >= found[1] || found[0] > found[2] + 20.0 || times[0] >= times[1] {
            let what = "one op, two ops, the locks alone";
            return Err(format!(
                "{bins} bins: {found:?} instructions per element, {times:?} µs ({what})"
            ));
        }
    }
    Ok(())
}

/// A program with an op for each of these, which combines values of the types named in it.
fn histograms(ops: &[&str]) -> String {
    let (mut parameters, mut body, mut results, mut types) = (
        vec!["%xs: !array.array<[n]i32>".to_owned()],
        String::new(),
        Vec::new(),
        Vec::new(),
    );
    for op in ops {
        let each = |text: &str| {
            let of_type = op
                .split(' ')
                .map(|ty| text.replace('T', ty).replace('#', &ty[1..]));
            of_type.collect::<Vec<_>>().join(", ")
        };
        for ty in op.split(' ') {
            let n = &ty[1..];
            parameters.push(format!("%start{n}: !array.array<[m]{ty}>"));
            results.push(format!("%r{n}"));
            types.push(format!("!array.array<[m]{ty}>"));
            body +=
                &format!("%zero{n} = arith.constant 0 : {ty}\n%one{n} = arith.constant 1 : {ty}\n");
        }
        let steps = op.split(' ').map(|ty| match ty {
            "i8" => {
                "%t8 = arith.addi %a8, %b8 : i8\n%most = arith.constant 100 : i8\n\
                     %s8 = arith.minui %t8, %most : i8\n"
            }
            _ => "%s32 = arith.addi %a32, %b32 : i32\n",
        });
        body += &format!(
            "{} = array.hist (%x in %xs : [n]i32) into ({}) neutral ({}) map {{\n\
             %bin = arith.index_cast %x : i32 to index\narray.yield %bin, {} : index, {}\n}} combine ({}, {}) {{\n\
             {}array.yield {} : {}\n}}\n",
            each("%r#"),
            each("%start# : [m]T"),
            each("%zero# : T"),
            each("%one#"),
            each("T"),
            each("%a#"),
            each("%b#"),
            steps.collect::<String>(),
            each("%s#"),
            each("T")
        );
    }
    let (parameters, types) = (parameters.join(", "), types.join(", "));
    let results = results.join(", ");
    format!(
        "func.func @main({parameters}) -> ({types}) {{\n{body}func.return {results} : {types}\n}}"
    )
}

fn named() -> Outcome {
    let run = profiled("reduce", &[5000])?;
    let profiles = profiles(&run);
    let first = profiles.first().ok_or("nothing was launched")?;
    let source = |what: &str| {
        first
            .lines
            .iter()
            .find(|line| line.text.contains(what))
            .map(|line| &line.source)
    };
    let sum = source("add.rn.f32");
    let load = source("ld.global.nc");
    let wanted = [
        "reduce.mlir:5:10 (arith.addf)",
        "reduce.mlir:4:10 (array.reduce)",
    ];
    match (sum, load) {
        (Some(Some(sum)), Some(Some(load))) if [sum, load] == wanted => Ok(()),
        found => Err(format!("{found:?}, expected {wanted:?}")),
    }
}
