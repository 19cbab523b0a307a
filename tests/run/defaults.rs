//! Default versions beside the best that thresholds force, of programs beside this file at given sizes.
//!
//! By the simulator's estimate for an H100, as `benches/choices.py` makes its table. A version is told by the kernels it
//! launches: those of a run with defaults are those of the version named, and take at most 1.2 times what the best version does.

use crate::programs::{ENTRY, Test};
use crate::versions::forced;
use crate::{Outcome, inputs, rendered};
use libtest_mimic::Trial;
use segra::{CompileOptions, Compiler};
use segra_runtime::{Machine, RunOptions, RunReport, SimDevice, SimOptions};
use segra_tests::case;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How much longer than the best version a default may take.
const WITHIN: f64 = 1.2;

/// A program, its inputs, and the version that it takes by default: the first part of a name that [`forced`] gives.
type Row = (&'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    // Extents that differ between points: no thread block fits, and the flat version launches several kernels.
    ("choices/filter-in-a-map", "random:1x1", "main.top.0"),
];

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |&(program, texts, version): &Row| {
        Trial::test(format!("default: {program} of {texts}"), move || {
            is_taken(program, texts, version).map_err(Into::into)
        })
    };
    ROWS.iter().map(trial).collect()
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

fn is_taken(program: &str, texts: &str, version: &str) -> Outcome {
    let path = case::folder().join("run").join(program);
    let test = Test::read(&path.with_extension("mlir"))?;
    let texts: Vec<String> = texts.split(';').map(|it| it.trim().to_owned()).collect();
    let arguments = inputs::arguments(&test.entry, &texts)?;
    let mut options = CompileOptions::default();
    options.targets.truncate(1);
    let compiled = Compiler::new(options).compile(test.program);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    let versions = forced(&artifact);
    let device = SimDevice::new(&SimOptions {
        profile: Some(Machine::H100),
        ..SimOptions::default()
    });
    let loaded = segra::load_on(artifact, Arc::new(device)).map_err(|error| error.to_string())?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let run = |tunables: BTreeMap<String, i64>| {
        let options = RunOptions {
            tunables,
            ..RunOptions::default()
        };
        let run = entry.run_with(&arguments, &options);
        run.map(|run| run.report).map_err(|error| error.to_string())
    };
    let default = run(BTreeMap::new())?;
    let mut best = estimate(&default);
    let mut wanted = None;
    for (name, settings) in versions {
        let report = run(settings)?;
        best = best.min(estimate(&report));
        if name.split(", ").next() == Some(version) {
            wanted = Some(report);
        }
    }
    let wanted = wanted.ok_or_else(|| format!("there is no version {version}"))?;
    if kernels(&default) != kernels(&wanted) {
        let (found, wanted) = (kernels(&default), kernels(&wanted));
        return Err(format!(
            "launched are {found:?}, those of {version} are {wanted:?}"
        ));
    }
    let ratio = estimate(&default) / best;
    match ratio <= WITHIN {
        true => Ok(()),
        false => Err(format!("{ratio:.2} times as long as the best version")),
    }
}
