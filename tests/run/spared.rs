//! Bytes that tiles save: programs of `tiled/` by the default passes, with tiles and without, on the simulator.
//!
//! Of one compilation, thresholds choose both: so programs are tiled by what anybody gets, and the tiles are those of the
//! default. Results are the same; the header's numpy lines check them elsewhere. Table 3 of the thesis on block and register
//! tiling says how many elements a product reads, exactly (see `tiled`); here it is enough that there are many times fewer.

use crate::Outcome;
use crate::programs::{ENTRY, compiled_for};
use libtest_mimic::Trial;
use segra::{Artifact, Tolerance, Value, compare};
use segra_runtime::{Machine, RunOptions, SimDevice, SimOptions};
use segra_tests::case::Failure;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Programs, inputs of a few tiles, and by what without tiles is asked for at least, divided by the bytes with them.
const PROGRAMS: [(&str, &str, u64); 9] = [
    (
        "gemm",
        "0.5; random:128x48; random:48x128; 2.0; random:128x128; random:128; random:128x128",
        10,
    ),
    ("batched-product", "random:2x128x48; random:2x48x128", 10),
    ("both-transposed", "random:48x128; random:128x48", 20),
    (
        "gathered-rows",
        "random:2x48; [1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0]; random:48x256",
        3,
    ),
    ("min-plus", "random:128x48; random:48x128", 20),
    (
        "complex-product",
        "random:128x48; random:128x48; random:48x128; random:48x128",
        20,
    ),
    ("convolution", "random:1x2x3x130; random:128x2x3x3", 8),
    ("contraction", "random:1x4x128x8; random:8x2x4x128", 15),
    ("bodies", "random:1024; random:1024", 64),
];

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |&(name, texts, least): &(&'static str, &'static str, u64)| {
        Trial::test(format!("spared: {name}"), move || {
            spares(name, texts, least).map_err(Into::into)
        })
    };
    PROGRAMS.iter().map(trial).collect()
}

/// A run whose nests are sequential inside, as versions go, with tiles or without: the results, and bytes asked for.
fn run(
    artifact: &Artifact,
    arguments: &[Value],
    tiles: bool,
) -> Result<(Vec<Value>, u64), Failure> {
    let taken = |name: &str| name.contains(".top.") || (tiles && name.contains(".tile"));
    let tunables = artifact.tunables.iter().filter_map(|tunable| {
        let known = tunable.name.contains(".top.") || tunable.name.contains(".tile");
        let value = if taken(&tunable.name) {
            tunable.min
        } else {
            tunable.max
        };
        known.then(|| (tunable.name.clone(), value))
    });
    let options = RunOptions {
        tunables: tunables.collect::<BTreeMap<_, _>>(),
        ..RunOptions::default()
    };
    let device = SimOptions {
        profile: Some(Machine::H100),
        ..SimOptions::default()
    };
    let loaded = segra::load_on(artifact.clone(), Arc::new(SimDevice::new(&device)));
    let loaded = loaded.map_err(|error| error.to_string())?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let run = entry.run_with(arguments, &options);
    let run = run.map_err(|error| error.to_string())?;
    let launches = run.report.launches.iter();
    let bytes = launches.filter_map(|launch| Some(launch.profile.as_deref()?.traffic.bytes));
    Ok((run.results, bytes.sum()))
}

fn spares(name: &str, texts: &str, least: u64) -> Outcome {
    let (artifact, arguments) = compiled_for(&format!("tiled/{name}"), texts)?;
    let (plain, all) = run(&artifact, &arguments, false)?;
    let (tiled, some) = run(&artifact, &arguments, true)?;
    if let Some(difference) = compare(&tiled, &plain, Tolerance::for_length(1 << 10)) {
        return Err(difference.to_string());
    }
    match all >= least * some {
        true => Ok(()),
        false => Err(format!(
            "{all} bytes without tiles, {some} with them: expected a {least}th at most"
        )),
    }
}
