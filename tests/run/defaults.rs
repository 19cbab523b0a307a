//! Default versions beside the best that thresholds force, of programs beside this file at given sizes.
//!
//! By the simulator's estimate for an H100, as `benches/choices.py` makes its table. A version is told by the kernels it
//! launches: those of a run with defaults are those of the version named, and take at most 1.2 times what the best version does.

use crate::Outcome;
use crate::programs::{ENTRY, compiled_for};
use crate::versions::forced;
use libtest_mimic::Trial;
use segra::Artifact;
use segra_runtime::{Machine, RunOptions, RunReport, SimDevice, SimOptions};
use segra_tests::case::Failure;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How much longer than the best version a default may take.
const WITHIN: f64 = 1.2;

/// A program, its inputs, and the version that it takes by default: a threshold that is met, or `flat`.
type Row = (&'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    // Extents differ between points: no thread block fits, and the flat version launches several kernels.
    ("choices/filter-in-a-map", "random:1x1", "main.top.0"),
    ("choices/filter-in-a-map", "random:40x1", "main.top.0"),
    (
        "programs/forward-substitution",
        "[[[2.0, 0.0], [1.0, 4.0]]]; [[2.0, 9.0]]",
        "main.top.0",
    ),
    // The flat version launches kernels in a loop: the first two alone, the others as parts of graphs.
    ("choices/sum-for-all-points", "random:1", "main.top.0"),
    ("choices/sum-for-all-points", "random:17", "main.top.0"),
    // A thread has done its few elements before a thread block has combined them.
    ("programs/mean-and-variance", "random:1x1", "main.top.0"),
    // Threads that make rows take a transposition as well.
    ("choices/three-scans", "random:1x1x1", "main.intra.0"),
    ("lecture/fission-of-row-sums", "random:33x1", "main.intra.0"),
    // Elements say how often a loop inside repeats.
    (
        "programs/repeated-as-often-as-elements-say",
        "[[7]]; [5]",
        "main.top.0.short",
    ),
    // Loops carry how long lists are that loops inside traverse.
    ("nested/list-of-its-own-sums", "[1, 3, 7]; 1", "main.top.0"),
    ("nested/list-of-its-own-sums", "[1, 3, 7]; 4", "main.top.0"),
    ("nested/list-of-its-own-sums", "random:67; 10", "main.top.0"),
    // More points than a GPU has thread blocks at once: the second turn takes no second launch.
    (
        "tiled/contraction",
        "random:2x4x9x5; random:5x3x4x33",
        "main.intra.0",
    ),
    // Several turns of thread blocks for a reduction that is the only kernel of the flat version: warps take one.
    (
        "tiled/product-of-doubles",
        "random:67x97; random:97x71",
        "main.red0.warp",
    ),
    (
        "tiled/product-of-doubles",
        "random:1x45; random:45x16",
        "main.intra.0",
    ),
    // Points enough for a thread each, which would read a sector for each element: of rows that are scattered, and of rows that are
    // joined and padded, where an index is moved.
    ("map-scatter", "random:40000x30", "main.intra.0"),
    (
        "fused/joined-rows",
        "random:30; random:30; random:40000x30",
        "flat",
    ),
    // Short rows are counted by atomics, each in bins of its own: a thread block for each would have little to do, a thread for each
    // reads a sector for each element.
    (
        "map-hist",
        "random:20000x30; random:20000x3x5",
        "main.hist0.few",
    ),
    (
        "map-hist",
        "random:40000x30; random:40000x3x5",
        "main.hist0.few",
    ),
    // More thread blocks than a GPU runs at once, each of whose warps applies an operator five times where a thread takes 50 elements:
    // the instructions of all decide, and rows in thread blocks are no second way there. Scans take a warp for each row.
    ("programs/mean-and-variance", "random:20000x50", "flat"),
    ("map-scan", "random:20000x50", "flat"),
    // Warps of thread blocks of the nest would add f32 in their order.
    (
        "hist-float-rows",
        "random:1000x200; random:1000x200; random:1000x256",
        "main.hist0.few",
    ),
    // Two parts of a reduction of matrices take longer than a thread for all.
    ("reduce-small-arrays", "random:33x2x2", "flat"),
    // Nine segments of three elements at a point: a warp each, not one for all of them.
    (
        "programs/convolution-with-channels",
        "random:2x3x7x5; random:2x3x3x3",
        "main.intra.0",
    ),
];

/// Programs and inputs whose default takes no version alone, but one of several.
const ANY: &[(&str, &str)] = &[
    // Rows in thread blocks: forced versions turn them off.
    ("choices/filter-in-a-map", "random:40x65"),
    // A scan of rows, and stencils over what it gives: one kernel, whatever the length of few rows.
    ("stencil/stencil-of-part-of-row", "random:4x6; [0, 1, 2, 7]"),
    ("stencil/stencil-of-part-of-row", "random:33x40; random:33"),
    // Few elements of three rows: the loops of a slice are as long as a row at most, and a thread has one.
    (
        "choices/parts-of-rows",
        "[[5, -1, 8], [0, -2, -3], [1, 2, 3]]; [2, 0, 3]",
    ),
    // A step of a tile ends before the host has launched the next one; the last three steps are single ones.
    (
        "stencil/stencil-wave",
        "random:2500; random:2500; random:2500; 19",
    ),
    // A point of 33 elements: its estimate as a thread block decides, which is slower than the launches of the flat version.
    ("sequences/types-and-batch", "random:3x33x1"),
    // A few hundred columns of several hundred elements: a thread block each is one turn, and no tile is full.
    ("sequences/rows-summed", "random:300x517; random:300"),
    // Few thread blocks with two steps each: one kernel takes less time than four launches.
    (
        "programs/attention-rescaled",
        "random:2x65x5; random:2x67x5; random:2x67x70",
    ),
    // A product with an epilogue: its first version has another reason than its points, and tiles are one more.
    (
        "tiled/gemm",
        "0.5; random:128x128; random:128x128; 2.0; random:128x128; random:128; random:128x128",
    ),
    // Between two sizes of the figures: tiles begin where they are predicted to be faster, not at the next size.
    (
        "sequences/bicgk",
        "random:1100x1100; random:1100; random:1100",
    ),
];

type Empty = (&'static str, &'static str, &'static [&'static str], usize);

/// A program with a histogram, its inputs without elements or bins, thresholds out of reach, and how many kernels it launches:
/// those of its other ops; and with few elements, which atomics add; with one part of elements, which is combined with the
/// destination by itself; or several.
const EMPTY: &[Empty] = &[
    ("hist-bins", "random:1025; random:0", &[], 0),
    ("hist-bins", "random:1025; random:0", FEW, 0),
    ("hist-bins", "random:0; random:1", &[], 1),
    ("hist-float", "random:0; random:0", &[], 1),
    ("hist-float", "random:0; random:0", FEW, 2),
    ("hist-float", "random:4096; random:4096", &[], 2),
    ("hist-float", "random:4097; random:4097", &[], 3),
    ("hist-float", "random:33; random:33", FEW, 2),
    ("hist-float", "random:20000; random:20000", FEW, 3),
    ("programs/run-length-codes", "[]", &[], 1),
];
const FEW: &[&str] = &["main.hist0.few"];

pub(crate) fn trials() -> Vec<Trial> {
    let default = |&(program, texts, version): &Row| {
        Trial::test(format!("default: {program} of {texts}"), move || {
            is_taken(program, texts, Some(version)).map_err(Into::into)
        })
    };
    let any = |&(program, texts): &(&'static str, &'static str)| {
        Trial::test(format!("default: {program} of {texts}"), move || {
            is_taken(program, texts, None).map_err(Into::into)
        })
    };
    let empty = |&(program, texts, out, kernels): &Empty| {
        let without: String = out.iter().map(|name| format!(" without {name}")).collect();
        Trial::test(format!("empty: {program} of {texts}{without}"), move || {
            launches(program, texts, out, kernels).map_err(Into::into)
        })
    };
    let defaults = ROWS.iter().map(default);
    let defaults = defaults.chain(ANY.iter().map(any));
    defaults.chain(EMPTY.iter().map(empty)).collect()
}

fn kernels(report: &RunReport) -> Vec<&str> {
    let launches = report.launches.iter();
    launches.map(|launch| launch.kernel.as_str()).collect()
}

/// Microseconds, launches included.
fn estimate(report: &RunReport) -> f64 {
    let profiles = report
        .launches
        .iter()
        .filter_map(|launch| launch.profile.as_deref());
    profiles.map(|profile| profile.estimate.microseconds).sum()
}

/// Runs a program with each of several settings of its thresholds, which are made from its artifact.
fn reports<Name>(
    program: &str,
    texts: &str,
    settings: impl FnOnce(&Artifact) -> Vec<(Name, BTreeMap<String, i64>)>,
) -> Result<Vec<(Name, RunReport)>, Failure> {
    let (artifact, arguments) = compiled_for(program, texts)?;
    let settings = settings(&artifact);
    let device = SimDevice::new(&SimOptions {
        profile: Some(Machine::H100),
        ..SimOptions::default()
    });
    let loaded = segra::load_on(artifact, Arc::new(device)).map_err(|error| error.to_string())?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let run = |(name, tunables)| {
        let options = RunOptions {
            tunables,
            ..RunOptions::default()
        };
        let run = entry.run_with(&arguments, &options);
        let run = run.map_err(|error| error.to_string())?;
        Ok((name, run.report))
    };
    settings.into_iter().map(run).collect()
}

/// Whether the default is within the best, and the version named.
fn is_taken(program: &str, texts: &str, version: Option<&str>) -> Outcome {
    let mut all = reports(program, texts, |artifact| {
        let mut settings = forced(artifact);
        settings.push(("default".to_owned(), BTreeMap::new()));
        settings
    })?;
    let (_, default) = all.pop().ok_or("there are no runs")?;
    if let Some(version) = version {
        let met = |name: &str| name.split(", ").any(|met| met == version);
        let wanted = all.iter().find(|(name, _)| met(name));
        let (_, wanted) = wanted.ok_or_else(|| format!("there is no version {version}"))?;
        let (found, wanted) = (kernels(&default), kernels(wanted));
        if found != wanted {
            return Err(format!(
                "launched are {found:?}, those of {version} are {wanted:?}"
            ));
        }
    }
    let costs = all.iter().map(|(_, report)| estimate(report));
    let ratio = estimate(&default) / costs.fold(f64::INFINITY, f64::min);
    match ratio <= WITHIN {
        true => Ok(()),
        false => Err(format!("{ratio:.2} times as long as the best version")),
    }
}

fn launches(program: &str, texts: &str, out: &[&str], wanted: usize) -> Outcome {
    let settings = out.iter().map(|&name| (name.to_owned(), i64::MAX));
    let all = reports(program, texts, |_| vec![((), settings.collect())])?;
    let found: Vec<&str> = all.iter().flat_map(|(_, report)| kernels(report)).collect();
    match found.len() == wanted {
        true => Ok(()),
        false => Err(format!("launched are {found:?}, expected {wanted}")),
    }
}
