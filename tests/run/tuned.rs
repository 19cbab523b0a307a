//! Tuned programs beside their versions, by the simulator's estimate.
//!
//! Matrix products of constant work, as in the lecture's plot ("Regular flattening", Henriksen 2021): 2^n x 2^m by
//! 2^m x 2^n, m = 15 - 2n here, so that it takes seconds (`benches/matmul.py` makes the table at 25 - 2n). One program,
//! tuned once on all shapes, is close to the best version at every shape; so it is where it is tuned on one shape alone.
//! Estimates from a sample of thread blocks, which that table is made of, are close to those from all of them.

use crate::versions::forced;
use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::{CompileOptions, Compiled, Compiler, Input, Program, Value};
use segra_runtime::{Machine, Sample, SimDevice, SimOptions};
use segra_tests::case::folder;
use segra_tune::{CostSource, Measure, OnDevice, tune};
use std::sync::Arc;

/// log2 of the products a matrix product takes.
const WORK: usize = 15;
/// How much more expensive than the best version of a shape the tuned program may be.
const WITHIN: f64 = 1.05;
/// By what share an estimate from a sample may differ from that of all thread blocks.
const DEVIATION: f64 = 0.02;
/// Waves and warp instructions of a launch that run for one, at least: some waves, a few more, and more than the caches take to fill.
const SAMPLES: [(u32, u64); 4] = [(2, 1), (5, 1), (3, 1 << 14), (3, 1 << 16)];
/// Multiprocessors of a card on which these products have several waves of thread blocks.
const SMALL: u32 = 1;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("matrix products of constant work, tuned", || {
            products().map_err(Into::into)
        }),
        Trial::test(
            "matrix products of constant work, estimated from a sample",
            || sampled().map_err(Into::into),
        ),
    ]
}

/// The product of the examples, for one target.
fn product() -> Result<Compiled, String> {
    let path = folder().join("../examples/matmul.mlir");
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let options = CompileOptions {
        targets: vec![segra::default_targets()[0]],
        ..Default::default()
    };
    let program = Program::from_text("matmul.mlir", &text).map_err(|failure| rendered(&failure))?;
    Compiler::new(options)
        .compile(program)
        .map_err(|failure| rendered(&failure))
}

/// The cost of a version of a shape, and how many thread blocks were run for that, of how many.
type Estimate = (f64, u64, u64);

/// By version and shape.
fn estimates(sample: Sample) -> Result<Vec<Estimate>, String> {
    let compiled = product()?;
    let data = shapes(&compiled)?;
    let versions = forced(&compiled.artifact);
    // So small a card that launches have several waves of thread blocks.
    let machine = Machine::named("H100").ok_or("no preset H100")?;
    let profile = Some(Machine {
        multiprocessors: SMALL,
        ..machine
    });
    let device = SimDevice::new(&SimOptions {
        profile,
        sample,
        ..SimOptions::default()
    });
    let loaded =
        segra::load_on(compiled.artifact, Arc::new(device)).map_err(|error| error.to_string())?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    let mut device = OnDevice::new(entry, &data, CostSource::Estimate);
    let mut found = Vec::new();
    for (_, settings) in &versions {
        for shape in 0..data.len() {
            let report = device
                .report(shape, settings)
                .map_err(|error| error.to_string())?;
            let cost = CostSource::Estimate
                .cost(&report)
                .ok_or("a launch has no profile")?;
            let profiles = || {
                report
                    .launches
                    .iter()
                    .filter_map(|launch| launch.profile.as_ref())
            };
            let blocks = |grid: [u32; 3]| grid.into_iter().map(u64::from).product::<u64>();
            found.push((
                cost,
                profiles().map(|profile| profile.blocks_run).sum(),
                profiles().map(|profile| blocks(profile.grid)).sum(),
            ));
        }
    }
    Ok(found)
}

fn sampled() -> Outcome {
    let all = estimates(Sample::All)?;
    for (waves, instructions) in SAMPLES {
        let part = estimates(Sample::Part {
            waves,
            instructions,
        })?;
        let mut smaller = 0;
        for (at, ((whole, ran, blocks), (estimate, ran_of, _))) in all.iter().zip(&part).enumerate()
        {
            if ran != blocks || (estimate / whole - 1.0).abs() > DEVIATION {
                return Err(format!(
                    "row {at}, {waves} waves: {estimate} us of {ran_of} blocks, {whole} us of {ran} of {blocks}"
                ));
            }
            smaller += usize::from(2 * ran_of <= *ran);
        }
        // Otherwise nothing is shown.
        if smaller < 5 {
            return Err(format!("only {smaller} runs are halved: {part:?}"));
        }
    }
    Ok(())
}

/// Both matrices of each shape.
fn shapes(compiled: &Compiled) -> Result<Vec<Vec<Value>>, String> {
    let entry = compiled.artifact.entry("main").ok_or("no @main")?;
    let shape = |n: usize| -> Result<Vec<Value>, String> {
        let (few, many) = (1usize << n, 1usize << (WORK - 2 * n));
        let texts = [
            format!("random:{few}x{many}"),
            format!("random:{many}x{few}"),
        ];
        let values = texts
            .iter()
            .zip(&entry.params)
            .enumerate()
            .map(|(index, (text, param))| {
                let input = Input::parse(text).map_err(|error| error.to_string())?;
                input
                    .materialise(&param.ty, 1, index)
                    .map_err(|error| error.to_string())
            });
        values.collect()
    };
    (0..=WORK / 2).map(shape).collect()
}

fn products() -> Outcome {
    let compiled = product()?;
    let data = shapes(&compiled)?;
    let versions = forced(&compiled.artifact);
    let machine = Machine::named("H100").ok_or("no preset H100")?;
    let device = SimDevice::new(&SimOptions {
        profile: Some(machine),
        ..SimOptions::default()
    });
    let loaded =
        segra::load_on(compiled.artifact, Arc::new(device)).map_err(|error| error.to_string())?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    // A shape of its own gets its best version.
    let mut table = Vec::new();
    for (n, data) in data.iter().enumerate() {
        let data = std::slice::from_ref(data);
        let mut device = OnDevice::new(entry, data, CostSource::Estimate);
        let tuned = tune(loaded.artifact(), 1, &mut device, &mut |_| {})
            .map_err(|error| error.to_string())?;
        let mut costs = Vec::new();
        for (name, settings) in &versions {
            costs.push((
                name,
                device
                    .run(0, settings)
                    .map_err(|error| error.to_string())?
                    .cost,
            ));
        }
        let least = costs.iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
        let found = tuned.data_sets[0].tuned;
        if found > WITHIN * least {
            let settings = tuned.settings();
            return Err(format!(
                "n = {n}: tuned takes {found} us, versions {costs:?}; {settings:?}"
            ));
        }
        table.push((least, costs));
    }
    let mut device = OnDevice::new(entry, &data, CostSource::Estimate);
    let tuned = tune(loaded.artifact(), data.len(), &mut device, &mut |_| {})
        .map_err(|error| error.to_string())?;
    let bound = data.len() * (versions.len() + 1);
    if tuned.runs > bound {
        return Err(format!(
            "{} runs for {} versions on {} shapes",
            tuned.runs,
            versions.len(),
            data.len()
        ));
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
    let single = (0..versions.len()).map(|version| {
        table
            .iter()
            .map(|(least, costs)| costs[version].1 / least)
            .fold(0.0, f64::max)
    });
    match single.fold(f64::INFINITY, f64::min) {
        worst if worst > WITHIN => Ok(()),
        worst => Err(format!(
            "one version is within {worst} of the best everywhere: {table:?}"
        )),
    }
}
