//! Block tiling: programs of `tiled/` compiled with tiles, on the simulator with its checkers, and what tiles save.
//!
//! The thesis on block and register tiling counts the elements that a matrix product reads from global memory: `2 m n u`
//! without tiles, `m n u / ty + m n u / tx` with tiles of `ty` by `tx` (table 3). The simulator counts the same.

use crate::programs::{ENTRY, Test};
use crate::{Outcome, assembled, load, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, Artifact, Chip, CompileOptions, Compiled, Compiler, DeviceChoice, ElemType, Program,
    Scalar, Value,
};
use segra_runtime::{Machine, Profile, RunOptions, SimDevice, SimOptions};
use segra_tests::case::{self, Failure};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

mod fragments;
mod ladder;
mod sizes;
mod warpgroups;

/// The passes with tiles of 16 by 16, and of 256.
pub(crate) const PIPELINE: &str = "array-to-gpu-tiled";

/// Tiles whose threads have several points: runs of one, two and four, and what the default pipeline chooses for large
/// arrays.
const REGISTERS: [&str; 5] = [
    "tile-y=16 tile-x=24 registers-y=2 registers-x=3 tile-k=5",
    "tile-y=8 tile-x=32 registers-y=4 registers-x=2 tile-k=8",
    "tile-y=16 tile-x=32 registers-y=2 registers-x=8 tile-k=4 stages=3",
    "tile-y=64 tile-x=64 registers-y=4 registers-x=4 tile-k=16 stages=2",
    "tile-y=128 tile-x=128 registers-y=8 registers-x=8 tile-k=16 stages=2",
];

/// The passes with tiles of a shape.
pub(crate) fn with_registers(shape: &str) -> String {
    let tiled = format!("tile-blocks{{{shape}}}");
    to_kernel().replace("tile-blocks", &tiled) + ",kernel-to-gpu"
}

/// Those of them that come to tiled nests: all but the way down from there.
pub(crate) fn to_kernel() -> String {
    use segra_pipeline::named::{ARRAY_TO_GPU_TILED, KERNEL_TO_GPU};
    let steps = ARRAY_TO_GPU_TILED.steps.iter().copied();
    steps
        .take_while(|&step| step != KERNEL_TO_GPU.name)
        .collect::<Vec<_>>()
        .join(",")
}

/// A test by itself.
type Check = fn() -> Outcome;

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let folder = case::folder().join("run/tiled");
    let files = case::files(&folder, "mlir").expect("the folder of tiled programs can be read");
    let mut trials = Vec::new();
    for path in files {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for &device in devices {
            let (path, title) = (
                path.clone(),
                crate::title(&format!("tiles: {name}: results"), device),
            );
            trials.push(Trial::test(title, move || {
                results(&path, device, PIPELINE).map_err(Into::into)
            }));
        }
        for shape in REGISTERS {
            for &device in devices {
                let path = path.clone();
                let title = format!("registers: {name}: results, {shape}");
                trials.push(Trial::test(crate::title(&title, device), move || {
                    results(&path, device, &with_registers(shape)).map_err(Into::into)
                }));
            }
        }
        let large = path.clone();
        trials.push(Trial::test(
            format!("registers: {name}: ptxas"),
            move || without_spills(&large, &with_registers(REGISTERS[3])).map_err(Into::into),
        ));
        trials.push(Trial::test(format!("tiles: {name}: ptxas"), move || {
            without_spills(&path, PIPELINE).map_err(Into::into)
        }));
    }
    for (program, transposed) in [("product", false), ("product-of-rows", true)] {
        trials.push(Trial::test(
            format!("tiles: global reads of {program}"),
            move || reads_of_products(program, transposed).map_err(Into::into),
        ));
    }
    for (program, transposed) in [("product", false), ("product-of-rows", true)] {
        trials.push(Trial::test(
            format!("registers: reads of {program}"),
            move || reads_with_registers(program, transposed).map_err(Into::into),
        ));
    }
    for product in &fragments::PRODUCTS {
        let program = product.program;
        trials.push(Trial::test(
            format!("tensor cores: instructions of {program}"),
            move || fragments::multiplies(product).map_err(Into::into),
        ));
        trials.push(Trial::test(
            format!("tensor cores: results of {program} on each target"),
            move || fragments::results(product).map_err(Into::into),
        ));
        trials.push(Trial::test(
            format!("tensor cores: reads of {program}"),
            move || fragments::reads(product).map_err(Into::into),
        ));
    }
    for product in &warpgroups::PRODUCTS {
        let program = product.program;
        for (what, run) in [
            ("instructions", warpgroups::multiplies as fn(&_) -> Outcome),
            ("results", warpgroups::results),
            ("passes", warpgroups::validated),
            ("reads", warpgroups::reads),
            ("copies", warpgroups::copies),
        ] {
            let title = format!("warpgroups: {what} of {program}");
            trials.push(Trial::test(title, move || run(product).map_err(Into::into)));
        }
    }
    let single: [(&str, Check); 9] = [
        ("tiles: the ladder of the thesis", ladder::rises),
        ("tiles: from some points on", sizes::area),
        ("tiles: of few rows or columns", sizes::slim),
        ("warpgroups: by default", warpgroups::by_default),
        ("tensor cores: tiles in groups of rows", fragments::groups),
        ("tensor cores: by default", fragments::by_default),
        ("tensor cores: tf32 is allowed", fragments::allowed),
        ("registers: steps of a product", steps_of_product),
        ("tiles: global reads of bodies", reads_of_bodies),
    ];
    for (title, run) in single {
        trials.push(Trial::test(title, move || run().map_err(Into::into)));
    }
    for &device in devices {
        let title = crate::title("tiles: parts of a long loop", device);
        trials.push(Trial::test(title, move || {
            parts_of_products(device).map_err(Into::into)
        }));
    }
    trials
}

/// Results are the interpreter's, with no race and no read of what was never written.
fn results(path: &Path, device: DeviceChoice, pipeline: &str) -> Outcome {
    let test = Test::read(path)?;
    let options = CompileOptions {
        pipeline: pipeline.to_owned(),
        ..crate::compile_options(device)
    };
    let compiled = Compiler::new(options).compile(test.program.clone());
    let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
    if !artifact
        .kernels
        .iter()
        .any(|kernel| kernel.name.contains("segmap_block"))
    {
        return Err("nothing was tiled".to_owned());
    }
    let loaded = load(artifact, device)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    test.check(|arguments| entry.run(arguments).map_err(|error| error.to_string()))
}

fn without_spills(path: &Path, pipeline: &str) -> Outcome {
    let options = CompileOptions {
        pipeline: pipeline.to_owned(),
        ..CompileOptions::default()
    };
    assembled::kernels(Test::read(path)?.program, options).map(drop)
}

/// Few tiles of a long loop: several thread blocks for each, and a nest that combines what they have; sums are exact.
fn parts_of_products(device: DeviceChoice) -> Outcome {
    let path = case::folder().join("run/tiled/product.mlir");
    let compiled =
        Compiler::new(crate::compile_options(device)).compile(Test::read(&path)?.program);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    let loaded = load(artifact, device)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let always: &[_] = &[("main.top.0", 1), ("main.tile0.split", 16)];
    // As many parts as are 64 steps long; one needs nothing combined. Rows of 16 bytes, and others. By default where
    // points fill a sixth of the tiles, and there is work for a second kernel.
    for (thresholds, [n, k, m], launches) in [
        (always, [64, 128, 64], 2),
        (always, [65, 783, 70], 2),
        (always, [70, 1040, 64], 2),
        (always, [64, 100, 64], 1),
        (&[], [64, 293, 64], 2),
        (&[], [97, 131, 101], 2),
        (&[], [64, 292, 64], 1),
        (&[], [63, 310, 68], 2),
        (&[], [12, 2000, 64], 2),
        (&[], [10, 2000, 64], 1),
        (&[], [100, 127, 100], 1),
    ] {
        let thresholds = thresholds.iter().copied();
        let thresholds = thresholds.map(|(name, value): (&str, i64)| (name.to_owned(), value));
        let options = crate::options(thresholds.collect());
        let number = |at: usize| (at % 7) as f32 - 3.0;
        let numbers = |count: usize| (0..count).map(number).collect::<Vec<_>>();
        let (a, b) = (numbers(n * k), numbers(k * m));
        let array = |shape: [usize; 2], numbers: &[f32]| {
            Array::new(&shape, numbers).map_err(|error| error.to_string())
        };
        let arguments = [
            Value::Array(array([n, k], &a)?),
            Value::Array(array([k, m], &b)?),
        ];
        let run = entry
            .run_with(&arguments, &options)
            .map_err(|error| error.to_string())?;
        let found = run.results.first().and_then(Value::as_array);
        let found = found.map(|found| found.to_vec::<f32>());
        let found = found
            .ok_or("no array")?
            .map_err(|error| error.to_string())?;
        for (at, found) in found.into_iter().enumerate() {
            let (row, column) = (at / m, at % m);
            let wanted: f32 = (0..k)
                .map(|step| a[row * k + step] * b[step * m + column])
                .sum();
            if found != wanted {
                return Err(format!(
                    "{n} x {k} x {m}: {found} at {row}, {column}, expected {wanted}"
                ));
            }
        }
        if run.report.launches.len() != launches {
            let found = run.report.launches.len();
            return Err(format!(
                "{n} x {k} x {m}: {found} launches, expected {launches}"
            ));
        }
    }
    Ok(())
}

/// The counters of the only launch of a program of `tiled/` on arrays of these shapes.
fn counted(program: &str, pipeline: &str, shapes: [&[usize]; 2]) -> Result<Profile, Failure> {
    let options = for_chip(pipeline, segra::default_targets()[0]);
    let (profile, _) = run_counted(program, (options, Machine::H100), shapes)?;
    Ok(profile)
}

/// A pipeline for one chip.
fn for_chip(pipeline: &str, chip: Chip) -> CompileOptions {
    CompileOptions {
        pipeline: pipeline.to_owned(),
        targets: vec![chip],
        ..CompileOptions::default()
    }
}

/// As [`counted`], by these options on this machine, with what is returned.
fn run_counted(
    program: &str,
    (options, machine): (CompileOptions, Machine),
    shapes: [&[usize]; 2],
) -> Result<(Profile, Option<Value>), Failure> {
    run_compiled(compiled(program, options)?, machine, shapes)
}

/// A program of `tiled/`, compiled with these options: once, several trials look at one and the same.
fn compiled(program: &str, options: CompileOptions) -> Result<Artifact, Failure> {
    static COMPILED: Mutex<BTreeMap<String, Shared>> = Mutex::new(BTreeMap::new());
    let key = format!("{program} {options:?}");
    let shared = {
        let mut all = COMPILED.lock().map_err(|error| error.to_string())?;
        Arc::clone(all.entry(key).or_default())
    };
    shared.get_or_init(|| compile(program, options)).clone()
}

/// The result of a compilation, which one trial makes and others wait for.
type Shared = Arc<OnceLock<Result<Artifact, Failure>>>;

fn compile(program: &str, options: CompileOptions) -> Result<Artifact, Failure> {
    let path = case::folder()
        .join("run/tiled")
        .join(program)
        .with_extension("mlir");
    let text = case::Case::read(&path)?.source();
    let program = Program::from_text(program, &text).map_err(|failure| rendered(&failure))?;
    let compiled = Compiler::new(options)
        .compile(program)
        .map_err(|failure| rendered(&failure))?;
    Ok(compiled.artifact)
}

/// As [`run_counted`], of what is compiled.
fn run_compiled(
    artifact: Artifact,
    machine: Machine,
    shapes: [&[usize]; 2],
) -> Result<(Profile, Option<Value>), Failure> {
    let (mut launches, result) = run_launches(artifact, machine, shapes)?;
    let count = launches.len();
    match launches.pop() {
        Some(profile) if count == 1 => Ok((profile, result)),
        _ => Err(format!("{count} launches, expected 1")),
    }
}

/// The counters of all launches, with what is returned.
fn run_launches(
    artifact: Artifact,
    machine: Machine,
    shapes: [&[usize]; 2],
) -> Result<(Vec<Profile>, Option<Value>), Failure> {
    let entry = artifact.entries.first();
    let param = entry.and_then(|entry| entry.params.first());
    let elem = match param.map(|param| &param.ty) {
        Some(segra::ParamType::Array { elem, .. }) => *elem,
        _ => return Err("takes no array".to_owned()),
    };
    let device = SimOptions {
        profile: Some(machine),
        ..SimOptions::checked()
    };
    let loaded = segra::load_on(artifact, Arc::new(SimDevice::new(&device)));
    let loaded = loaded.map_err(|error| error.to_string())?;
    let mut arguments = Vec::new();
    for shape in shapes {
        let count: usize = shape.iter().product();
        let bytes = (0..count).map(number).flat_map(|number| {
            let number = match elem {
                ElemType::I8 | ElemType::I32 => Scalar::from_i64(elem, number),
                _ => Scalar::from_f64(elem, number as f64),
            };
            number.bits().to_le_bytes().into_iter().take(elem.size())
        });
        let bytes: Vec<u8> = bytes.collect();
        let array = Array::from_bytes(elem, shape, bytes).map_err(|error| error.to_string())?;
        arguments.push(Value::Array(array));
    }
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let run = entry
        .run_with(&arguments, &RunOptions::default())
        .map_err(|error| error.to_string())?;
    let launches = run.report.launches.iter();
    let profiles: Option<Vec<Profile>> = launches
        .map(|launch| launch.profile.as_deref().cloned())
        .collect();
    let profiles = profiles.ok_or("no profile")?;
    Ok((profiles, run.results.into_iter().next()))
}

/// Element number `at` of every array that is given: products of a few hundred of them are exact in each type.
fn number(at: usize) -> i64 {
    (at % 7 + 1) as i64 * if at.is_multiple_of(3) { -1 } else { 1 }
}

/// The lanes ask for these elements of four bytes.
fn moves(profile: &Profile, elements: usize) -> Outcome {
    match profile.traffic.bytes == 4 * elements as u64 {
        true => Ok(()),
        false => Err(format!(
            "{} bytes asked for, expected {}",
            profile.traffic.bytes,
            4 * elements
        )),
    }
}

/// No two lanes meet in a bank of shared memory: a wavefront moves an element of four bytes for each of 32 lanes. Requests are
/// fewer, where a lane takes four elements at once.
fn meets_no_bank_twice(profile: &Profile, elements: usize, requests: usize) -> Outcome {
    let found = (
        profile.traffic.shared_wavefronts,
        profile.traffic.shared_requests,
    );
    let wanted = (elements as u64 / 32, requests as u64);
    match found == wanted {
        true => Ok(()),
        false => Err(format!(
            "wavefronts and requests of shared memory: {found:?}, expected {wanted:?}"
        )),
    }
}

fn reads_of_products(program: &str, transposed: bool) -> Outcome {
    let (m, n, u) = (64, 96, 160);
    let shapes: [&[usize]; 2] = [&[m, u], if transposed { &[n, u] } else { &[u, n] }];
    let untiled = counted(program, segra::DEFAULT_PIPELINE, shapes)?;
    if untiled.traffic.bytes != 4 * (2 * m * n * u + m * n) as u64 {
        return Err(format!("{} bytes without tiles", untiled.traffic.bytes));
    }
    for [ty, tx] in [[16, 16], [8, 32], [32, 32]] {
        let pipeline = format!(
            "array-to-kernel-one,tile-blocks{{tile-y={ty} tile-x={tx} tile-k=32}},canonicalize,cse,dce,kernel-to-gpu"
        );
        let tiled = counted(program, &pipeline, shapes)?;
        let copied = m * n * u / ty + m * n * u / tx;
        // Threads iterate over rows of the first matrix four elements at a time, and of the second where it is read by rows.
        let taken = [
            m * n * u / 4,
            if transposed { m * n * u / 4 } else { m * n * u },
        ];
        let requests = (copied + taken[0] + taken[1]) / 32;
        moves(&tiled, copied + m * n)
            .and_then(|()| meets_no_bank_twice(&tiled, copied + 2 * m * n * u, requests))
            .map_err(|error| format!("tiles of {ty} by {tx}: {error}"))?;
    }
    Ok(())
}

/// "Teaching the Futhark compiler block and register tiled matrix multiplication", table 3: a thread with `ry` by `rx` points
/// reads `ry + rx` elements of shared memory for `ry rx` multiplications, four at a time.
fn reads_with_registers(program: &str, transposed: bool) -> Outcome {
    let (m, n, u) = (128, 256, 64);
    let shapes: [&[usize]; 2] = [&[m, u], if transposed { &[n, u] } else { &[u, n] }];
    for (extent, points) in [(64, 4), (128, 8)] {
        let shape = format!(
            "tile-y={extent} tile-x={extent} registers-y={points} registers-x={points} tile-k=16"
        );
        let tiled = counted(program, &with_registers(&shape), shapes)?;
        let (copied, read) = (2 * m * n * u / extent, 2 * m * n * u / points);
        moves(&tiled, copied + m * n)
            .and_then(|()| {
                // A warp stores two rows of 16 elements of the second matrix, which lie 20 apart: they meet in four banks.
                let met = if transposed { copied / 2 } else { 0 };
                meets_no_bank_twice(&tiled, copied + met + read, (copied + read / 4) / 32)
            })
            .map_err(|error| format!("tiles of {extent}, {points} points: {error}"))?;
    }
    Ok(())
}

/// How often warps run the instructions of a profile whose text has one of these in it.
fn executed(profile: &Profile, parts: &[&str]) -> u64 {
    let of_these = |text: &str| parts.iter().any(|part| text.contains(part));
    let lines = profile.lines.iter().filter(|line| of_these(&line.text));
    lines.map(|line| line.warp_instructions).sum()
}

/// Ten more steps of a product's tile are ten more barriers, copies that go to shared memory by no register, and a branch for the
/// copies beside that of the loop, which all lanes take alike; one round more than full tiles is one round of the rest.
///
/// The thesis (4.3) finds its compiler's kernels slower than those by hand for copies of tiles to other arrays, barriers that
/// order nothing, and rounds of the rest that do nothing.
fn steps_of_product() -> Outcome {
    let (tile, warps, steps) = (128, 8, 10);
    let pipeline = with_registers(REGISTERS[4]);
    let run = |depth: usize| {
        let options = for_chip(&pipeline, Chip::sm(8, 0));
        let shapes: [&[usize]; 2] = [&[tile, depth], &[depth, tile]];
        let (profile, _) = run_counted("product", (options, Machine::H100), shapes)?;
        Ok::<_, Failure>(profile)
    };
    let (short, long, rest) = (run(160)?, run(160 + 16 * steps)?, run(161)?);
    let steps = steps as u64;
    let grown = |parts: &[&str]| executed(&long, parts) - executed(&short, parts);
    let fused = 64 * warps;
    for (parts, wanted) in [
        (&["bar.sync"][..], steps * warps),
        // Two slices of 128 by 16 elements of 4 bytes, 16 bytes a lane.
        (&["cp.async.cg"], steps * 2 * 128 * 16 * 4 / 16 / 32),
        (
            &[
                "ld.global",
                "st.shared",
                "st.global",
                "ld.local",
                "st.local",
            ],
            0,
        ),
        (&["fma.rn"], steps * 16 * fused),
        (&["bra "], steps * 2 * warps),
    ] {
        if grown(parts) != wanted {
            let found = grown(parts);
            return Err(format!(
                "{found} of {parts:?} for ten steps, expected {wanted}"
            ));
        }
    }
    let left = executed(&rest, &["fma.rn"]) - executed(&short, &["fma.rn"]);
    if left != fused {
        return Err(format!(
            "{left} multiplications of the rest, expected {fused}"
        ));
    }
    match long.divergent_branches {
        0 => Ok(()),
        found => Err(format!("{found} branches go different ways")),
    }
}

/// Each block reads both arrays once, each of its threads its own body in every tile and its mass at the end.
fn reads_of_bodies() -> Outcome {
    let (n, tile) = (1024, 256);
    let profile = counted("bodies", PIPELINE, [&[n], &[n]])?;
    moves(&profile, 2 * n * n / tile + n * (n / tile) + 2 * n)
}
