//! Every version of the programs beside this file: compiled with all of them, run in each, forced by its thresholds.
//!
//! The versions are those of incremental flattening ("Regular flattening", Henriksen 2021), as the artifact lists them:
//! at each level of a nest only outer parallelism or inner parallelism inside thread blocks, and all flattened. Each runs
//! on the header's samples and on shapes made from the program's sizes: all large, the outer or the inner one large,
//! one, zero. Samples that must fail are left out here.

use crate::inputs;
use crate::programs::{ENTRY, Test};
use crate::{Outcome, load, rendered};
use libtest_mimic::Trial;
use segra::{
    Artifact, CompileOptions, Compiled, Compiler, DeviceChoice, Entry, ParamType, Program, Tolerance, Value,
    compare, interpret,
};
use segra_artifact::{Dim, Side};
use segra_tests::case::{self, Failure};
use segra_tests::random_nested;
use std::collections::BTreeMap;
use std::path::Path;

/// Random programs that run here; `tests/property` has more of them, in the interpreter.
const RANDOM: u64 = 20;

/// The passes that make all versions.
pub(crate) const PIPELINE: &str = "array-to-gpu-versions";
/// Those of them that come to segmented nests.
pub(crate) const TO_KERNEL: &str = "array-to-fused,flatten{versions=incremental},canonicalize,cse,dce";

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
type Shape = [usize; 3];

/// What runs one version on arguments.
type Run<'a> = &'a dyn Fn(&[Value]) -> Result<Vec<Value>, Failure>;

/// Shapes of programs that people wrote.
const SHAPES: &[Shape] = &[[12, 12, 12], [70, 3, 3], [3, 270, 3], [1, 1, 1], [0, 3, 3], [3, 0, 3], [3, 3, 0]];

/// Shapes of random programs, some of which do work of the fourth power in the interpreter.
const SMALL: &[Shape] = &[[4, 5, 4], [34, 2, 2], [2, 34, 2], [1, 1, 1], [0, 3, 3], [3, 0, 3]];

/// A program, and what its scalars are.
struct Subject {
    program: Program,
    entry: Entry,
    /// One text per parameter; those of arrays only count where they are not random.
    sample: Vec<String>,
}

impl Subject {
    /// A program whose scalars are all `scalar`.
    fn new(name: &str, text: &str, scalar: &str) -> Result<Subject, Failure> {
        let program = Program::from_text(name, text).map_err(|failure| rendered(&failure))?;
        let entry = program.signatures().get(ENTRY).ok_or("there is no function @main")?.entry.clone();
        let text = |ty: &ParamType| match ty {
            ParamType::Array { .. } => "random".to_owned(),
            _ => scalar.to_owned(),
        };
        let sample = entry.params.iter().map(|param| text(&param.ty)).collect();
        Ok(Subject { program, entry, sample })
    }

    /// Input texts of a shape: arrays of random numbers; scalars as in the sample. `None` where a size is not symbolic.
    fn shaped(&self, [first, last, between]: Shape) -> Option<Vec<String>> {
        let count = self.entry.sizes.len();
        let extent = |number: usize| match number {
            0 => first,
            _ if number + 1 == count => last,
            _ => between,
        };
        let mut texts = Vec::new();
        for (param, text) in self.entry.params.iter().zip(&self.sample) {
            texts.push(match &param.ty {
                ParamType::Array { dims, .. } if text.starts_with("random") => {
                    let mut extents = Vec::new();
                    for dim in dims {
                        extents.push(match dim {
                            Dim::Size(size) => extent(size.index()).to_string(),
                            Dim::Const(extent) => extent.to_string(),
                            Dim::Any => return None,
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

    /// Runs every version; `more` has further runs by a function that runs a program.
    fn check(&self, shapes: &[Shape], more: impl Fn(Run<'_>) -> Outcome) -> Outcome {
        let mut options = CompileOptions { pipeline: PIPELINE.to_owned(), ..Default::default() };
        options.targets.truncate(1);
        let compiled = Compiler::new(options).compile(self.program.clone());
        let Compiled { artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
        let has_blocks = artifact.kernels.iter().any(|kernel| kernel.name.contains(BLOCK_KERNEL));
        let forced = forced(&artifact);
        let loaded = load(artifact, DeviceChoice::Sim)?;
        let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
        let in_blocks = std::cell::Cell::new(false);
        for (name, tunables) in forced {
            let options = crate::options(tunables);
            let run = |arguments: &[Value]| -> Result<Vec<Value>, Failure> {
                let output = entry.run_with(arguments, &options).map_err(|error| error.to_string())?;
                let launches = &output.report.launches;
                in_blocks.set(in_blocks.get() || launches.iter().any(|it| it.kernel.contains(BLOCK_KERNEL)));
                Ok(output.results)
            };
            more(&run).map_err(|error| format!("version `{name}`: {error}"))?;
            for shape in shapes {
                self.check_shape(*shape, &run).map_err(|error| format!("version `{name}`, {error}"))?;
            }
        }
        if has_blocks && !in_blocks.get() {
            return Err("no run of a version inside thread blocks has got there".to_owned());
        }
        Ok(())
    }

    fn check_shape(&self, shape: Shape, run: Run<'_>) -> Outcome {
        let Some(texts) = self.shaped(shape) else { return Ok(()) };
        let arguments = inputs::arguments(&self.entry, &texts)?;
        // Where the interpreter refuses the inputs, nothing is said about devices.
        let Ok(expected) = interpret(self.program.ir(), ENTRY, &arguments) else { return Ok(()) };
        let found = run(&arguments).map_err(|error| format!("inputs {texts:?}: {error}"))?;
        let longest = arguments.iter().map(|value| value.to_array().len()).max().unwrap_or(1);
        match compare(&found, &expected, Tolerance::for_length(longest)) {
            Some(difference) => Err(format!("inputs {texts:?}: {difference}")),
            None => Ok(()),
        }
    }
}

/// Part of the names of kernels whose points are run by thread blocks.
const BLOCK_KERNEL: &str = "_segmap_block_";

/// Runs a program in every version.
pub(crate) fn every(path: &Path) -> Outcome {
    let test = Test::read(path)?.without_errors();
    let sample =
        inputs::samples(&test.case)?.into_iter().next().map(|sample| sample.inputs).unwrap_or_default();
    let subject = Subject { program: test.program.clone(), entry: test.entry.clone(), sample };
    subject.check(SHAPES, |run| test.check(run))
}

/// Assembles the kernels of all versions.
pub(crate) fn assembled(path: &Path) -> Outcome {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let program =
        Program::from_text(&path.display().to_string(), &text).map_err(|failure| rendered(&failure))?;
    let options = CompileOptions { pipeline: PIPELINE.to_owned(), ..Default::default() };
    crate::assembled::kernels(program, options).map(drop)
}

/// The examples and random nested programs.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let folder = case::folder().join("../examples");
    for path in case::files(&folder, "mlir").expect("the examples can be read") {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let at = path.clone();
        trials.push(Trial::test(format!("examples/{name}: versions, ptxas"), move || {
            assembled(&at).map_err(Into::into)
        }));
        trials.push(Trial::test(format!("examples/{name}: versions"), move || {
            let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
            Subject::new(&name, &text, "3")?.check(SHAPES, |_| Ok(())).map_err(Into::into)
        }));
    }
    for seed in 0..RANDOM {
        trials.push(Trial::test(format!("random nested program {seed}: versions"), move || {
            let text = random_nested::program(seed, 2, 3);
            let subject = Subject::new("random", &text, "2")?;
            subject.check(SMALL, |_| Ok(())).map_err(|error| format!("{error}\n{text}").into())
        }));
    }
    trials
}
