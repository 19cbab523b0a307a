//! Every version of the programs beside this file: compiled with all of them, run in each, forced by its thresholds.
//!
//! The versions are those of incremental flattening ("Regular flattening", Henriksen 2021), as the artifact lists them:
//! at each level of a nest only outer parallelism or inner parallelism inside thread blocks, and all flattened. Each runs
//! on the header's samples and on shapes made from the program's sizes: all large, the outer or the inner one large,
//! one, zero. Samples that must fail are left out here.

use crate::inputs;
use crate::programs::{ENTRY, Test};
use crate::{Outcome, load, rendered};
use segra::{
    Artifact, CompileOptions, Compiled, Compiler, DeviceChoice, Entry, ParamType, RunOptions, Value,
    interpret,
};
use segra_artifact::Side;
use segra_tests::case::Failure;
use std::collections::BTreeMap;
use std::path::Path;

/// The passes that make all versions.
pub(crate) const PIPELINE: &str = "array-to-gpu-versions";

/// Values of an artifact's thresholds that force each version of each nest, named after the threshold that is met.
///
/// Nests are forced at the same time, so there are as many rows as the nest with most versions has: the thresholds of
/// its tree, and the version where none is met.
pub(crate) fn forced(artifact: &Artifact) -> Vec<(String, BTreeMap<String, i64>)> {
    let tunables = &artifact.tunables;
    let outermost = |mut index: usize| {
        while let Some(branch) = tunables[index].under {
            index = branch.tunable.index();
        }
        index
    };
    let mut trees = BTreeMap::<usize, Vec<usize>>::new();
    for index in 0..tunables.len() {
        trees.entry(outermost(index)).or_default().push(index);
    }
    let rows = trees.values().map(Vec::len).max().unwrap_or(0) + 1;
    let row = |row: usize| {
        let mut settings: BTreeMap<String, i64> =
            tunables.iter().map(|known| (known.name.clone(), known.max)).collect();
        let mut met = Vec::new();
        for &index in trees.values().filter_map(|tree| tree.get(row)) {
            let known = &tunables[index];
            met.push(known.name.as_str());
            settings.insert(known.name.clone(), known.min);
            let mut around = known.under;
            while let Some(branch) = around {
                let outer = &tunables[branch.tunable.index()];
                let value = if branch.side == Side::AtLeast { outer.min } else { outer.max };
                settings.insert(outer.name.clone(), value);
                around = outer.under;
            }
        }
        (if met.is_empty() { "flat".to_owned() } else { met.join(", ") }, settings)
    };
    (0..rows).map(row).collect()
}

/// Extents by shape: of the first size, of the last, of those between.
const SHAPES: &[[usize; 3]] =
    &[[24, 24, 24], [300, 3, 3], [3, 300, 3], [1, 1, 1], [0, 3, 3], [3, 0, 3], [3, 3, 0]];

/// Input texts of a shape: arrays of random numbers; scalars as in a sample. `None` where a size is not symbolic.
fn shaped(entry: &Entry, sample: &[String], [first, last, between]: [usize; 3]) -> Option<Vec<String>> {
    let count = entry.sizes.len();
    let extent = |number: usize| match number {
        0 => first,
        _ if number + 1 == count => last,
        _ => between,
    };
    if count == 0 {
        return None;
    }
    let mut texts = Vec::new();
    for (param, text) in entry.params.iter().zip(sample) {
        texts.push(match &param.ty {
            ParamType::Array { dims, .. } if text.starts_with("random") => {
                let mut extents = Vec::new();
                for dim in dims {
                    extents.push(match dim {
                        segra_artifact::Dim::Size(size) => extent(size.index()).to_string(),
                        segra_artifact::Dim::Const(extent) => extent.to_string(),
                        segra_artifact::Dim::Any => return None,
                    });
                }
                format!("random:{}", extents.join("x"))
            }
            ParamType::Array { .. } => return None,
            _ => text.clone(),
        });
    }
    Some(texts)
}

/// Runs a program in every version.
pub(crate) fn every(path: &Path) -> Outcome {
    let test = Test::read(path)?.without_errors();
    let options = CompileOptions {
        pipeline: PIPELINE.to_owned(),
        targets: vec![segra::default_targets()[0]],
        ..Default::default()
    };
    let compiled = Compiler::new(options).compile(test.program.clone());
    let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
    let forced = forced(&artifact);
    let loaded = load(artifact, DeviceChoice::Sim)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let sample =
        inputs::samples(&test.case)?.into_iter().next().map(|sample| sample.inputs).unwrap_or_default();
    for (name, tunables) in forced {
        let options = RunOptions { tunables, ..RunOptions::default() };
        let run = |arguments: &[Value]| -> Result<Vec<Value>, Failure> {
            entry.run_with(arguments, &options).map(|out| out.results).map_err(|error| error.to_string())
        };
        test.check(run).map_err(|error| format!("version `{name}`: {error}"))?;
        for shape in SHAPES {
            let Some(texts) = shaped(&test.entry, &sample, *shape) else { continue };
            let arguments = inputs::arguments(&test.entry, &texts)?;
            // Where the interpreter refuses the inputs, nothing is said about devices.
            let Ok(expected) = interpret(test.program.ir(), ENTRY, &arguments) else { continue };
            let context = |error: String| format!("version `{name}`, inputs {texts:?}: {error}");
            let found = run(&arguments).map_err(context)?;
            test.same(&found, &expected, &arguments).map_err(context)?;
        }
    }
    Ok(())
}

/// Assembles the kernels of all versions.
pub(crate) fn assembled(path: &Path) -> Outcome {
    let options = CompileOptions { pipeline: PIPELINE.to_owned(), ..Default::default() };
    crate::assembled::kernels(Test::read(path)?.program, options).map(drop)
}
