//! Tuned programs beside their versions, by the simulator's estimate.
//!
//! Matrix products of constant work, as in the lecture's plot ("Regular flattening", Henriksen 2021): 2^n x 2^m by
//! 2^m x 2^n, m = 15 - 2n here, so that it takes seconds (`benches/matmul.py` makes the table at 25 - 2n). One program,
//! tuned once on all shapes, is close to the best version at every shape; so it is where it is tuned on one shape alone.

use crate::versions::forced;
use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::{CompileOptions, Compiled, Compiler, Input, Program, Value};
use segra_runtime::{Machine, SimDevice, SimOptions};
use segra_tests::case::folder;
use segra_tune::{CostSource, Measure, OnDevice, tune};
use std::sync::Arc;

/// log2 of the products a matrix product takes.
const WORK: usize = 15;
/// How much dearer than the best version of a shape the tuned program may be.
const WITHIN: f64 = 1.05;

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("matrix products of constant work, tuned", || products().map_err(Into::into))]
}

/// Both matrices of each shape.
fn shapes(compiled: &Compiled) -> Result<Vec<Vec<Value>>, String> {
    let entry = compiled.artifact.entry("main").ok_or("no @main")?;
    let shape = |n: usize| -> Result<Vec<Value>, String> {
        let (few, many) = (1usize << n, 1usize << (WORK - 2 * n));
        let texts = [format!("random:{few}x{many}"), format!("random:{many}x{few}")];
        let values = texts.iter().zip(&entry.params).enumerate().map(|(index, (text, param))| {
            let input = Input::parse(text).map_err(|error| error.to_string())?;
            input.materialise(&param.ty, 1, index).map_err(|error| error.to_string())
        });
        values.collect()
    };
    (0..=WORK / 2).map(shape).collect()
}

fn products() -> Outcome {
    let path = folder().join("../examples/matmul.mlir");
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let options = CompileOptions { targets: vec![segra::default_targets()[0]], ..Default::default() };
    let program = Program::from_text("matmul.mlir", &text).map_err(|failure| rendered(&failure))?;
    let compiled = Compiler::new(options).compile(program).map_err(|failure| rendered(&failure))?;
    let data = shapes(&compiled)?;
    let versions = forced(&compiled.artifact);
    let machine = Machine::named("H100").ok_or("no preset H100")?;
    let device = SimDevice::new(&SimOptions { profile: Some(machine), ..SimOptions::default() });
    let loaded = segra::load_on(compiled.artifact, Arc::new(device)).map_err(|error| error.to_string())?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    // A shape of its own gets its best version.
    let mut table = Vec::new();
    for (n, data) in data.iter().enumerate() {
        let data = std::slice::from_ref(data);
        let mut device = OnDevice::new(entry, data, CostSource::Estimate);
        let tuned =
            tune(loaded.artifact(), 1, &mut device, &mut |_| {}).map_err(|error| error.to_string())?;
        let mut costs = Vec::new();
        for (name, settings) in &versions {
            costs.push((name, device.run(0, settings).map_err(|error| error.to_string())?.cost));
        }
        let least = costs.iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
        let found = tuned.data_sets[0].tuned;
        if found > WITHIN * least {
            let settings = tuned.settings();
            return Err(format!("n = {n}: tuned takes {found} us, versions {costs:?}; {settings:?}"));
        }
        table.push((least, costs));
    }
    let mut device = OnDevice::new(entry, &data, CostSource::Estimate);
    let tuned =
        tune(loaded.artifact(), data.len(), &mut device, &mut |_| {}).map_err(|error| error.to_string())?;
    let bound = data.len() * (versions.len() + 1);
    if tuned.runs > bound {
        return Err(format!("{} runs for {} versions on {} shapes", tuned.runs, versions.len(), data.len()));
    }
    for (n, (row, (least, costs))) in tuned.data_sets.iter().zip(&table).enumerate() {
        if row.tuned > WITHIN * least {
            let settings = tuned.settings();
            return Err(format!(
                "n = {n}: tuned on all takes {} us, versions {costs:?}; {settings:?}",
                row.tuned
            ));
        }
    }
    // Otherwise there is nothing to choose: no version is best everywhere.
    let single = (0..versions.len())
        .map(|version| table.iter().map(|(least, costs)| costs[version].1 / least).fold(0.0, f64::max));
    match single.fold(f64::INFINITY, f64::min) {
        worst if worst > WITHIN => Ok(()),
        worst => Err(format!("one version is within {worst} of the best everywhere: {table:?}")),
    }
}
