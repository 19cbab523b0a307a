//! Barriers of the kernels that Segra emits, taken out one by one: the simulator's checkers must report each that
//! matters. Survivors are listed in [`BENIGN`] with their reasons; a test fails for a barrier that is missing there,
//! and for an entry that no barrier needs any more.

#[allow(dead_code, reason = "each test binary uses a part")]
mod support;

use segra::{Artifact, Input, RunOptions, Value};
use segra_runtime::{Program, SimDevice, SimOptions};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use support::segra;

/// Reductions, scans, histograms, and products in tiles: what uses shared memory. A name, the program, flags of its
/// compilation, and the inputs it is run on.
const CASES: &[(&str, &str, &[&str], &[&str])] = &[
    (
        "sum",
        "examples/dot.mlir",
        &[],
        &["random:5000", "random:5000"],
    ),
    ("scan", "examples/prefix_sum.mlir", &[], &["random:5000"]),
    ("softmax", "examples/softmax.mlir", &[], &["random:5x700"]),
    (
        "product",
        "examples/matmul.mlir",
        &[],
        &["random:3x900", "random:900x2"],
    ),
    (
        "tiles",
        "examples/matmul.mlir",
        TILED,
        // Two full tiles and a rest, so that tiles of one step are written where those of the step before were.
        &["random:40x69", "random:69x24"],
    ),
    (
        "bodies",
        "tests/run/tiled/bodies.mlir",
        TILED,
        &["random:600", "random:600"],
    ),
    (
        "batched-product",
        "tests/run/tiled/batched-product.mlir",
        TILED,
        &["random:2x18x70", "random:2x70x17"],
    ),
    (
        "reduce-affine",
        "tests/run/reduce-affine.mlir",
        &[],
        &["random:3001", "random:3001"],
    ),
    (
        "reduce-matrices",
        "tests/run/reduce-matrices.mlir",
        &[],
        &["random:2x1025"],
    ),
    (
        "map-argmin",
        "tests/run/map-argmin.mlir",
        &[],
        &["random:5x257"],
    ),
    (
        "scan-affine",
        "tests/run/scan-affine.mlir",
        &[],
        &["random:1031", "random:1031"],
    ),
    (
        "map-scan",
        "tests/run/map-scan.mlir",
        &[],
        &["random:7x300"],
    ),
    (
        "map-scan-exclusive",
        "tests/run/map-scan-exclusive.mlir",
        &[],
        &["random:3x4097"],
    ),
    (
        "scanomap",
        "tests/run/scanomap.mlir",
        &[],
        &["random:1025", "random:3x1025"],
    ),
    (
        "hist-count",
        "tests/run/hist-count.mlir",
        &[],
        &["random:3000", "random:64"],
    ),
    (
        "hist-argmax",
        "tests/run/hist-argmax.mlir",
        &[],
        &["random:3000"],
    ),
    (
        "hist-bins",
        "tests/run/hist-bins.mlir",
        &[],
        &["random:3000", "random:900"],
    ),
    (
        "hist-float",
        "tests/run/hist-float-bins.mlir",
        &[],
        // Bins with 16 places, which lanes share; more elements than go to global memory.
        &["random:4200", "random:4200", "random:20"],
    ),
    (
        "hist-words",
        "tests/run/hist-words.mlir",
        &[],
        &["random:1025", "random:1025"],
    ),
    (
        "equalised-rows",
        "tests/run/nested/equalised-rows.mlir",
        &[],
        &["random:7x300"],
    ),
];

/// Tile by tile through shared memory.
const TILED: &[&str] = &["--pipeline", "array-to-gpu-tiled"];

/// Barriers whose absence nothing can observe: program, kernel, number of the barrier in it; and why.
const BENIGN: &[(&str, &str, usize, &str)] = &[
    ("hist-argmax", "main_seghist_parts_2", 0, OWN_PLACES),
    ("hist-argmax", "main_seghist_parts_2", 1, OWN_PLACES),
    ("hist-argmax", "main_seghist_parts_2", 2, OWN_PLACES),
    ("hist-argmax", "main_seghist_parts_2", 3, OWN_PLACES),
    ("hist-argmax", "main_seghist_parts_2", 4, OWN_PLACES),
    ("hist-argmax", "main_seghist_parts_2", 5, OWN_PLACES),
    ("hist-argmax", "main_seghist_parts_2", 6, OWN_PLACES),
    ("hist-argmax", "main_seghist_parts_2", 7, OWN_PLACES),
    ("hist-argmax", "main_seghist_parts_2", 8, OWN_PLACES),
    ("hist-argmax", "main_seghist_parts_2", 9, LEFT_THE_LOOP),
    ("hist-float", "main_seghist_parts_3", 9, LEFT_THE_LOOP),
    ("hist-float", "main_seghist_parts_10", 9, LEFT_THE_LOOP),
    ("equalised-rows", "main_segmap_block_8", 2, ONE_ROUND),
    ("equalised-rows", "main_segmap_block_8", 4, LEFT_THE_LOOP),
    ("map-scan", "main_segmap_block_2", 2, BEFORE_THE_END),
];

const OWN_PLACES: &str = "its 3 bins have a place for each of the 32 lanes, which nobody else touches before the loop has ended";
const LEFT_THE_LOOP: &str = "behind the loop over elements, whose last step ends with a barrier behind its last stores to shared memory";
const ONE_ROUND: &str = "the last of a loop over 4 bins, which a thread block does in one step; a barrier comes behind the loop";
const BEFORE_THE_END: &str = "the last instruction before `ret`: no access comes behind it";

/// A line of PTX that makes the threads of a block or a warp meet.
fn is_barrier(line: &str) -> bool {
    ["bar.sync", "bar.red", "bar.warp.sync", "barrier."]
        .iter()
        .any(|name| line.trim_start().starts_with(name))
}

/// Lines with barriers: kernel, number of the barrier in it, line.
fn barriers(ptx: &str) -> Vec<(String, usize, usize)> {
    let (mut kernel, mut number, mut found) = (String::new(), 0, Vec::new());
    for (at, line) in ptx.lines().enumerate() {
        if let Some((_, rest)) = line.split_once(".entry ") {
            kernel = rest.trim().trim_end_matches(['(', ')']).to_owned();
            number = 0;
        }
        if is_barrier(line) {
            found.push((kernel.clone(), number, at));
            number += 1;
        }
    }
    found
}

/// Runs an artifact with all checkers; gives the kernels it launched.
fn run(artifact: Artifact, inputs: &[&str]) -> Result<BTreeSet<String>, String> {
    let options = SimOptions {
        threads: Some(1),
        instruction_limit: Some(1 << 22),
        ..SimOptions::checked()
    };
    let loaded: Program =
        segra::load_on(artifact, Arc::new(SimDevice::new(&options))).map_err(|e| e.to_string())?;
    let params = loaded.artifact().entries[0].params.clone();
    let value = |(index, (text, param)): (usize, (&&str, &segra_artifact::EntryParam))| -> Value {
        let input = Input::parse(text).expect("a valid input");
        input.materialise(&param.ty, 0, index).expect("it fits")
    };
    let values: Vec<Value> = inputs.iter().zip(&params).enumerate().map(value).collect();
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    let ran = entry
        .run_with(&values, &RunOptions::default())
        .map_err(|error| error.to_string())?;
    Ok(ran
        .report
        .launches
        .iter()
        .map(|launch| launch.kernel.clone())
        .collect())
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn every_barrier_that_matters_is_missed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (mut survived, mut reported) = (Vec::new(), 0);
    for &(name, file, flags, inputs) in CASES {
        let path = root.join(file).display().to_string();
        let args = [
            &[
                "compile",
                path.as_str(),
                "--target",
                "sm_90",
                "-o",
                "made.segra",
            ],
            flags,
        ]
        .concat();
        let made = segra(folder.path(), &args);
        assert!(
            made.status.success(),
            "{name}: {}",
            String::from_utf8_lossy(&made.stderr)
        );
        let bytes = std::fs::read(folder.path().join("made.segra")).expect("was written");
        let artifact = Artifact::from_bytes(&bytes).expect("it is an artifact");
        let launched =
            run(artifact.clone(), inputs).unwrap_or_else(|report| panic!("{name}: {report}"));
        let ptx = artifact.targets[0].ptx.clone();
        for (kernel, number, line) in barriers(&ptx) {
            if !launched.contains(&kernel) {
                continue;
            }
            let mut mutant = artifact.clone();
            let kept = ptx
                .lines()
                .enumerate()
                .map(|(at, text)| if at == line { "" } else { text });
            mutant.targets[0].ptx = kept.collect::<Vec<_>>().join("\n");
            match run(mutant, inputs) {
                Ok(_) => survived.push((name, kernel, number)),
                Err(_) => reported += 1,
            }
        }
    }
    let survived: BTreeSet<(&str, &str, usize)> = survived
        .iter()
        .map(|(name, kernel, number)| (*name, kernel.as_str(), *number))
        .collect();
    let benign: BTreeSet<(&str, &str, usize)> = BENIGN
        .iter()
        .map(|&(name, kernel, number, _reason)| (name, kernel, number))
        .collect();
    assert_eq!(
        survived, benign,
        "barriers nobody misses, and those known as benign ({reported} are reported)"
    );
    assert!(reported >= 10, "{reported}");
}
