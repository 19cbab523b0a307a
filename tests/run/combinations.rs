//! Combinations of kernels: scripts and programs whose fused kernels are wrong where a dependence is missed, in the combinations
//! that a search lists for them, beside the interpreter.
//!
//! The programs are the scripts of `combined` and those of `sequences`: matrices that row and column reductions share, chains of
//! barriers, symmetric matrices, values used twice, results that are inputs, scalars of reductions in later calls, batches. Of
//! each the combinations are run that differ in which nests are one kernel or which of them have tiles, [`MOST`] at most, the
//! first and the last among them, and what is compiled without a choice; tiles are taken whatever the sizes.

use crate::{Outcome, compile_options, device_name, inputs, load, options, rendered};
use libtest_mimic::Trial;
use segra::fusion::{Combination, Exploration, Figures, Scope, Sizes, fusions};
use segra::{
    CompileOptions, Compiler, DeviceChoice, FusionChoice, Program, Tolerance, Value, compare,
    interpret,
};
use segra_tests::case::{self, Case, Failure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const ENTRY: &str = "main";
/// Most combinations that are run.
const MOST: usize = 3;
/// Most samples of a header that are run, the last ones.
const SAMPLES: usize = 2;
/// The extent that times are predicted for.
const EXTENT: i64 = 4096;

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let files = |folder: &str, ending: &str| {
        case::files(&case::folder().join("run").join(folder), ending).expect("it can be read")
    };
    let mut paths = files("combined", segra_blas::ENDING);
    paths.extend(files("sequences", "mlir"));
    let trial = |path: &Path, device: DeviceChoice| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let title = format!("combinations: {name}: {}", device_name(device));
        let path = path.to_owned();
        Trial::test(title, move || agree(&path, device).map_err(Into::into))
    };
    paths
        .iter()
        .flat_map(|path| devices.iter().map(move |&device| trial(path, device)))
        .collect()
}

fn read(path: &Path, case: &Case) -> Result<Program, Failure> {
    let name = path.display().to_string();
    let is_script = path.extension().is_some_and(|it| it == segra_blas::ENDING);
    let program = match is_script {
        true => segra_blas::read(&name, &case.source()),
        false => Program::from_text(&name, &case.source()),
    };
    program.map_err(|failure| rendered(&failure))
}

fn agree(path: &Path, device: DeviceChoice) -> Outcome {
    let case = Case::read(path)?;
    let program = read(path, &case)?;
    let signatures = program.signatures();
    let signature = &signatures.get(ENTRY).ok_or("there is no @main")?.entry;
    let mut runs: Vec<(Vec<Value>, Vec<Value>)> = Vec::new();
    let samples = inputs::samples(&case)?;
    for sample in samples.iter().rev().take(SAMPLES) {
        let arguments = inputs::arguments(signature, &sample.inputs)?;
        let expected = interpret(program.ir(), ENTRY, &arguments);
        runs.push((arguments, expected.map_err(|failure| rendered(&failure))?));
    }
    let numbers = different(&program)?;
    for combination in [None].into_iter().chain(numbers.into_iter().map(Some)) {
        let fusion = combination.map(|combination| FusionChoice {
            combination,
            extent: EXTENT,
            blocks: false,
        });
        let compiler = Compiler::new(CompileOptions {
            fusion,
            ..compile_options(device)
        });
        let named = |error: String| format!("combination {combination:?}: {error}");
        let compiled = compiler.compile(program.clone());
        let compiled = compiled.map_err(|failure| named(rendered(&failure)))?;
        let tiles = compiled.artifact.tunables.iter();
        let tiles = tiles.filter(|tunable| tunable.name.contains(".traverse"));
        let tiles: BTreeMap<String, i64> = tiles
            .map(|tunable| (tunable.name.clone(), tunable.min))
            .collect();
        let loaded = load(compiled.artifact, device)?;
        let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
        for (arguments, expected) in &runs {
            let found = entry.run_with(arguments, &options(tiles.clone()));
            let found = found.map_err(|error| named(error.to_string()))?.results;
            let shape = || {
                arguments
                    .first()
                    .map(|value| value.to_array().shape().to_vec())
            };
            if let Some(difference) = compare(&found, expected, tolerance()) {
                return Err(named(format!("{:?}: {difference}", shape())));
            }
        }
    }
    Ok(())
}

/// Sums in another order, several of them one after the other.
fn tolerance() -> Tolerance {
    Tolerance {
        ulps: 8192.0,
        ..Tolerance::default()
    }
}

/// Numbers of combinations that differ in nests that are one kernel, or in those with tiles.
fn different(program: &Program) -> Result<Vec<usize>, Failure> {
    let sizes = Sizes {
        named: BTreeMap::new(),
        other: EXTENT,
    };
    let figures = Figures::named(segra::fusion::DEVICE).ok_or("the device has no figures")?;
    let spaces = fusions(program.clone(), Scope::All, (&sizes, figures));
    let mut found = BTreeSet::new();
    for space in spaces.map_err(|failure| rendered(&failure))? {
        found.extend(kinds(&space.exploration));
    }
    let found: Vec<usize> = found.into_iter().collect();
    let few = found.len().min(MOST);
    let spread = (0..few).map(|at| found[at * (found.len() - 1) / (few - 1).max(1)]);
    Ok(spread.collect())
}

/// The first combination of each kind, of the first five hundred.
fn kinds(space: &Exploration) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut is_new = |combination: &Combination| {
        let kernels = combination
            .kernels
            .iter()
            .map(|&kernel| &space.kernels[kernel]);
        let kind: BTreeSet<_> = kernels
            .map(|kernel| (kernel.nests(), kernel.tile.is_some()))
            .collect();
        seen.insert(kind)
    };
    let numbered = space.combinations().take(500).enumerate();
    numbered
        .filter(|row| is_new(&row.1))
        .map(|row| row.0 + 1)
        .collect()
}
