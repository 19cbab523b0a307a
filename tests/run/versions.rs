//! Every version of the programs beside this file: compiled with all of them, run in each, forced by its thresholds.
//!
//! The versions are those of incremental flattening ("Regular flattening", Henriksen 2021), as the artifact lists them:
//! at each level of a nest only outer parallelism or inner parallelism inside thread blocks, and all flattened. Each runs
//! on the header's samples and on shapes made from the program's sizes: all large, the outer or the inner one large (as
//! large as the program's work allows, or where `SEGRA_LONG=1`), one, zero. With all thresholds at their defaults samples that must fail run, too.
//!
//! Arrays of a shape are random; where the interpreter refuses that (numbers that are indices), integers are zero. Inputs that
//! it refuses then, too, are no run; the header says how many shapes are left, or by `// given: WHY` that its own inputs
//! are all there can be.

use crate::inputs;
use crate::numpy::Numpy;
use crate::programs::{ENTRY, Test};
use crate::{Outcome, header, load, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, Artifact, CompileOptions, Compiled, Compiler, DeviceChoice, Entry, ParamType, Program,
    RunOptions, Tolerance, Value, compare_results, interpret_within,
};
use segra_artifact::{Dim, ElemType, Side};
use segra_ir::Op;
use segra_kernel::level::Level;
use segra_kernel::segop::SegmentedOp;
use segra_tests::case::{self, Failure};
use std::collections::BTreeMap;
use std::path::Path;

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
        let mut settings: BTreeMap<String, i64> = tunables
            .iter()
            .map(|known| (known.name.clone(), known.max))
            .collect();
        let mut met = Vec::new();
        for &index in trees.values().filter_map(|tree| tree.get(row)) {
            let known = &tunables[index];
            met.push(known.name.as_str());
            settings.insert(known.name.clone(), known.min);
            let mut around = known.under;
            while let Some(branch) = around {
                let outer = &tunables[branch.tunable.index()];
                let value = if branch.side == Side::AtLeast {
                    outer.min
                } else {
                    outer.max
                };
                settings.insert(outer.name.clone(), value);
                around = outer.under;
            }
        }
        (
            if met.is_empty() {
                FLAT.to_owned()
            } else {
                met.join(", ")
            },
            settings,
        )
    };
    (0..rows).map(row).collect()
}

/// The version in which no threshold is met.
const FLAT: &str = "flat";

/// Extents by shape: of the first size, of the last, of those between.
pub(crate) type Shape = [usize; 3];

/// The function that runs one version on arguments.
pub(crate) type Run<'a> = &'a dyn Fn(&[Value]) -> Result<Vec<Value>, Failure>;

/// Shapes of programs that people wrote.
const SHAPES: &[Shape] = &[
    [12, 12, 12],
    [70, 3, 3],
    [3, 270, 3],
    [1, 1, 1],
    [0, 3, 3],
    [3, 0, 3],
    [3, 3, 0],
];

/// More than a warp, and no multiple of it: the least that a large extent becomes.
const SMALL: usize = 33;
/// The least that an extent below a warp becomes, where there are many of them.
const FEW: usize = 5;

/// The work that a shape may be in all versions together: ops, once for each element.
const STEPS: u64 = 4_000_000;

/// How a version is come by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chosen {
    /// Thresholds have their defaults.
    ByDefault,
    /// Thresholds are set.
    ByForce,
}

/// The contents of arrays of a shape.
#[derive(Clone, Copy)]
enum Contents {
    Random,
    /// Random, but zero where they are integers.
    Indices,
}

/// A program, and what its scalars are.
pub(crate) struct Subject {
    program: Program,
    entry: Entry,
    /// One text per parameter; those of arrays do not count.
    sample: Vec<String>,
    /// Whether it only runs on what the header gives.
    given: bool,
    /// Whether parts of it may never run, whatever the shapes.
    dead_code: bool,
    /// The source of its expected results, instead of the interpreter.
    numpy: Option<Numpy>,
    /// Whether `ptxas` assembles the kernels for all targets before those of the first one run on the simulator.
    assembled: bool,
}

impl Subject {
    /// A program whose scalars are all `scalar`.
    pub(crate) fn new(name: &str, text: &str, scalar: &str) -> Result<Subject, Failure> {
        let program = Program::from_text(name, text).map_err(|failure| rendered(&failure))?;
        let entry = program
            .signatures()
            .get(ENTRY)
            .ok_or("there is no function @main")?
            .entry
            .clone();
        let text = |ty: &ParamType| match ty {
            ParamType::Array { .. } => "random".to_owned(),
            _ => scalar.to_owned(),
        };
        let sample = entry.params.iter().map(|param| text(&param.ty)).collect();
        Ok(Subject {
            program,
            entry,
            sample,
            given: false,
            dead_code: false,
            numpy: None,
            assembled: false,
        })
    }

    /// The same, where nobody has seen to it that everything runs: a loop may have no rounds.
    pub(crate) fn with_dead_code(self) -> Subject {
        Subject {
            dead_code: true,
            ..self
        }
    }

    /// Arguments of a shape; scalars as in the sample.
    fn shaped(
        &self,
        [first, last, between]: Shape,
        contents: Contents,
    ) -> Result<Vec<Value>, Failure> {
        let count = self.entry.sizes.len();
        let extent = |number: usize| match number {
            0 => first,
            _ if number + 1 == count => last,
            _ => between,
        };
        let mut texts = Vec::new();
        for (param, text) in self.entry.params.iter().zip(&self.sample) {
            let ParamType::Array { dims, .. } = &param.ty else {
                texts.push(text.clone());
                continue;
            };
            let extents = dims.iter().map(|dim| match dim {
                Dim::Size(size) => extent(size.index()).to_string(),
                Dim::Const(extent) => extent.to_string(),
                Dim::Any => between.to_string(),
            });
            texts.push(format!("random:{}", extents.collect::<Vec<_>>().join("x")));
        }
        let mut arguments = inputs::arguments(&self.entry, &texts)?;
        if matches!(contents, Contents::Indices) {
            for array in &mut arguments {
                if let Value::Array(array) = array
                    && !matches!(
                        array.elem(),
                        ElemType::F16 | ElemType::BF16 | ElemType::F32 | ElemType::F64
                    )
                {
                    *array = Array::zeros(array.elem(), array.shape())
                        .map_err(|error| error.to_string())?;
                }
            }
        }
        Ok(arguments)
    }

    /// Runs every version; `more` has further runs by a function that runs a program. How many of the shapes the
    /// interpreter takes.
    fn check(
        &self,
        device: DeviceChoice,
        shapes: &[Shape],
        more: impl Fn(Chosen, Run<'_>) -> Outcome,
    ) -> Result<usize, Failure> {
        self.check_validated(device, shapes, None, more)
    }

    /// The same; where a shape is given, every pass must keep what the program computes with arguments of it.
    pub(crate) fn check_validated(
        &self,
        device: DeviceChoice,
        shapes: &[Shape],
        validated: Option<Shape>,
        more: impl Fn(Chosen, Run<'_>) -> Outcome,
    ) -> Result<usize, Failure> {
        let mut validator = None;
        // Passes are the same for all devices.
        if let Some(shape) = validated.filter(|_| device == DeviceChoice::Sim) {
            let arguments = self.shaped(shape, Contents::Random)?;
            let by = segra::validate::Validator::new(ENTRY, arguments, Tolerance::EXACT);
            validator = Some(Box::new(by) as Box<_>);
        }
        let assembled = self.assembled && device == DeviceChoice::Sim;
        let options = match assembled {
            true => CompileOptions::default(),
            false => crate::compile_options(device),
        };
        let compiled = Compiler::new(options).compile_with(self.program.clone(), validator);
        let Compiled { mut artifact, .. } = compiled.map_err(|failure| rendered(&failure))?;
        if assembled {
            crate::assembled::assemble(&artifact)?;
            artifact.targets.truncate(1);
        }
        let has_blocks = artifact
            .kernels
            .iter()
            .any(|kernel| kernel.name.contains(BLOCK_KERNEL));
        let mut rows = vec![(Chosen::ByDefault, "by default".to_owned(), BTreeMap::new())];
        let forced = forced(&artifact);
        if forced.len() > 1 {
            rows.extend(
                forced
                    .into_iter()
                    .map(|(name, settings)| (Chosen::ByForce, name, settings)),
            );
        }
        let loaded = load(artifact, device)?;
        let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
        let in_blocks = std::cell::Cell::new(false);
        let cases = self.cases(shapes, STEPS / rows.len() as u64)?;
        for (chosen, name, tunables) in rows {
            let options = crate::options(tunables);
            let run = |arguments: &[Value]| -> Result<Vec<Value>, Failure> {
                let output = entry
                    .run_with(arguments, &options)
                    .map_err(|error| error.to_string())?;
                crate::nothing_leaked(&output.report)?;
                crate::foreseen(&entry, arguments, &options.tunables, &output.report)?;
                let mut launches = output.report.launches.iter();
                if let Some(launch) = launches.find(|it| it.kernel.contains(BLOCK_KERNEL)) {
                    if name == FLAT && !self.written_in_blocks() {
                        return Err(format!("`{}` is in the flat version", launch.kernel));
                    }
                    in_blocks.set(true);
                }
                Ok(output.results)
            };
            more(chosen, &run).map_err(|error| format!("version `{name}`: {error}"))?;
            for case in &cases {
                case.check(&self.entry, &run)
                    .map_err(|error| format!("version `{name}`, {error}"))?;
            }
        }
        if let Some(case) = cases.first() {
            // The second run of arguments that stay on the device: the first one has not touched them.
            let resident = entry
                .resident(&case.arguments)
                .map_err(|error| error.to_string())?;
            let run = |_: &[Value]| -> Result<Vec<Value>, Failure> {
                let options = RunOptions::default();
                let twice = resident
                    .measure(&options)
                    .and_then(|_| resident.run_with(&options));
                twice
                    .map(|output| output.results)
                    .map_err(|error| error.to_string())
            };
            case.check(&self.entry, &run)
                .map_err(|error| format!("arguments that stay on the device, {error}"))?;
        }
        if has_blocks && !in_blocks.get() && !self.dead_code {
            return Err("no run of a version inside thread blocks has got there".to_owned());
        }
        Ok(cases.len())
    }

    /// Whether the program itself, being one of kernels, has points that thread blocks run.
    fn written_in_blocks(&self) -> bool {
        let ir = self.program.ir();
        let of_blocks = |op: Op| {
            let nest = ir.interface::<dyn SegmentedOp>(op);
            nest.is_some_and(|nest| nest.level(ir, op) == Level::Block)
        };
        ir.walk(ir.root()).into_iter().any(of_blocks)
    }

    /// The shapes that the interpreter takes, with numpy's results or its own: where it refuses, nothing is said about devices.
    /// Each is at most so many steps of work.
    fn cases(&self, shapes: &[Shape], steps: u64) -> Result<Vec<Shaped>, Failure> {
        let mut cases = Vec::new();
        if self.given {
            return Ok(cases);
        }
        // Without sizes there is one shape.
        let shapes = if self.entry.sizes.is_empty() {
            &shapes[..1]
        } else {
            shapes
        };
        for &shape in shapes {
            for contents in [Contents::Random, Contents::Indices] {
                let Some(mut case) = self.affordable(shape, contents, steps)? else {
                    continue;
                };
                if let Some(numpy) = &self.numpy {
                    let results = numpy.results(&self.entry, &case.arguments);
                    case.expected =
                        results.map_err(|error| format!("shape {:?}: {error}", case.shape))?;
                }
                cases.push(case);
                break;
            }
        }
        Ok(cases)
    }

    /// The shape, its arguments and the interpreter's results; extents are halved where the work is more than a version
    /// can be asked to do, as it grows with the cube of one. `None` where the interpreter refuses.
    fn affordable(
        &self,
        shape: Shape,
        contents: Contents,
        steps: u64,
    ) -> Result<Option<Shaped>, Failure> {
        let long = std::env::var_os("SEGRA_LONG").is_some();
        let mut shape = shape;
        loop {
            let arguments = self.shaped(shape, contents)?;
            let smaller = shape.map(|extent| match extent {
                ..=FEW | SMALL => extent,
                ..SMALL => (extent / 2).max(FEW),
                _ => (extent / 2).max(SMALL),
            });
            let all = long || smaller == shape;
            let most = if all { u64::MAX } else { steps };
            match interpret_within(self.program.ir(), ENTRY, &arguments, most) {
                Ok(None) => shape = smaller,
                Ok(Some(expected)) => {
                    return Ok(Some(Shaped {
                        shape,
                        arguments,
                        expected,
                    }));
                }
                Err(_) => return Ok(None),
            }
        }
    }
}

/// Arguments of a shape and the results.
struct Shaped {
    shape: Shape,
    arguments: Vec<Value>,
    expected: Vec<Value>,
}

impl Shaped {
    fn check(&self, entry: &Entry, run: Run<'_>) -> Outcome {
        let [first, last, between] = self.shape;
        let context =
            |error: String| format!("first size {first}, last {last}, others {between}: {error}");
        let found = run(&self.arguments).map_err(context)?;
        let longest = self
            .arguments
            .iter()
            .map(|value| value.to_array().len())
            .max()
            .unwrap_or(1);
        let tolerance = Tolerance::for_length(longest);
        match compare_results(&found, &self.expected, &entry.results, tolerance) {
            Some(difference) => Err(context(difference.to_string())),
            None => Ok(()),
        }
    }
}

/// Part of the names of kernels whose points are run by thread blocks.
const BLOCK_KERNEL: &str = "_segmap_block_";

/// Runs a program in every version.
pub(crate) fn every(path: &Path, device: DeviceChoice) -> Outcome {
    let test = Test::read(path)?;
    let sample = inputs::samples(&test.case)?
        .into_iter()
        .next()
        .map(|sample| sample.inputs)
        .unwrap_or_default();
    let given = test.case.values("given").next().is_some();
    let (program, entry, numpy) = (test.program.clone(), test.entry.clone(), test.numpy.clone());
    let subject = Subject {
        program,
        entry,
        sample,
        given,
        dead_code: false,
        numpy,
        assembled: true,
    };
    let passing = Test::read(path)?.without_errors();
    let compared = subject.check(device, SHAPES, |chosen, run| match chosen {
        Chosen::ByDefault => test.check(run),
        Chosen::ByForce => passing.check(run),
    })?;
    if given {
        return Ok(());
    }
    let all = if subject.entry.sizes.is_empty() {
        1
    } else {
        SHAPES.len()
    };
    let found = (compared < all).then(|| compared.to_string());
    header::expect(&test.case, "shapes", found.as_deref())
}

/// The examples.
pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let mut trials = Vec::new();
    let folder = case::folder().join("../examples");
    for path in case::files(&folder, "mlir").expect("the examples can be read") {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for &device in devices {
            let (name, path) = (name.clone(), path.clone());
            let title = crate::title(&format!("examples/{name}: versions"), device);
            trials.push(Trial::test(title, move || {
                let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
                Subject::new(&name, &text, "3")?.check(device, SHAPES, |_, _| Ok(()))?;
                Ok(())
            }));
        }
    }
    trials
}
