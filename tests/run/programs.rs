//! The programs beside this file.

use crate::inputs::{self, Sample};
use crate::numpy::Numpy;
use crate::{Outcome, header, load, rendered};
use libtest_mimic::Trial;
use segra::{
    Artifact, CompileOptions, Compiled, Compiler, DeviceChoice, Entry, Program, Tolerance, Value,
    compare_results, interpret,
};
use segra_tests::case::{self, Case, Failure};
use std::path::Path;

/// The function that programs are entered by.
pub(crate) const ENTRY: &str = "main";

/// The passes that come to segmented nests in one version.
const ONE_VERSION: &str = "array-to-kernel-one";
/// Those that make all of them.
const ALL_VERSIONS: &str = "array-to-kernel";

/// How far down a program is taken before it runs.
#[derive(Clone, Copy, Debug)]
enum Level {
    /// As written.
    Array,
    /// Segmented nests on values, in one version.
    Kernel,
    /// Device functions and host code on memory, in all versions.
    Gpu,
}

impl Level {
    fn pipeline(self) -> Option<&'static str> {
        match self {
            Level::Array => None,
            Level::Kernel => Some(ONE_VERSION),
            Level::Gpu => Some(segra::DEFAULT_PIPELINE),
        }
    }
}

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let files = case::files(&case::folder().join("run"), "mlir")
        .expect("the folder of run tests can be read");
    let mut trials = Vec::new();
    for path in files {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut add = |what: &str, run: Box<dyn Fn(&Path) -> Outcome + Send>| {
            let path = path.clone();
            trials.push(Trial::test(format!("{name}: {what}"), move || {
                run(&path).map_err(Into::into)
            }));
        };
        add("structure", Box::new(structure));
        for (what, level) in [
            ("array level", Level::Array),
            ("kernel level", Level::Kernel),
            ("device level", Level::Gpu),
        ] {
            add(what, Box::new(move |path| interpreted(path, level)));
        }
        let numpy = Case::read(&path).is_ok_and(|case| Numpy::read(&case).is_some());
        for &device in devices {
            let title = |what| crate::title(what, device);
            let versions = match device {
                DeviceChoice::Sim => "versions, ptxas",
                _ => "versions",
            };
            add(
                &title(versions),
                Box::new(move |path| crate::versions::every(path, device)),
            );
            add(
                &title("indices of 64 bits"),
                Box::new(move |path| with_wide_indices(path, device)),
            );
            if numpy {
                add(
                    &title("with tiles"),
                    Box::new(move |path| by(path, crate::tiled::PIPELINE, device)),
                );
            }
        }
    }
    trials
}

/// A test file with its program.
pub(crate) struct Test {
    pub(crate) case: Case,
    pub(crate) program: Program,
    pub(crate) entry: Entry,
    pub(crate) numpy: Option<Numpy>,
    errors: Errors,
}

/// The treatment of samples that must fail.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Errors {
    Expected,
    Skipped,
}

impl Test {
    pub(crate) fn read(path: &Path) -> Result<Test, Failure> {
        let case = Case::read(path)?;
        let name = path.display().to_string();
        let program =
            Program::from_text(&name, &case.source()).map_err(|failure| rendered(&failure))?;
        let entry = program
            .signatures()
            .get(ENTRY)
            .ok_or("there is no function @main")?
            .entry
            .clone();
        let numpy = Numpy::read(&case);
        Ok(Test {
            case,
            program,
            entry,
            numpy,
            errors: Errors::Expected,
        })
    }
    /// The test without the samples that must fail.
    pub(crate) fn without_errors(mut self) -> Test {
        self.errors = Errors::Skipped;
        self
    }
    /// Runs every sample by `run` and compares with what the header or the interpreter says.
    pub(crate) fn check(&self, run: impl Fn(&[Value]) -> Result<Vec<Value>, Failure>) -> Outcome {
        for sample in inputs::samples(&self.case)? {
            let context = |error: String| format!("inputs {:?}: {error}", sample.inputs);
            let arguments = inputs::arguments(&self.entry, &sample.inputs).map_err(context)?;
            if let Some(wanted) = &sample.error {
                if self.errors == Errors::Skipped {
                    continue;
                }
                match run(&arguments) {
                    Err(message) if wanted.split(" ... ").all(|part| message.contains(part)) => {
                        continue;
                    }
                    Err(message) => {
                        return Err(context(format!(
                            "expected an error with `{wanted}`: {message}"
                        )));
                    }
                    Ok(_) => {
                        return Err(context(format!(
                            "expected an error with `{wanted}`, but it ran"
                        )));
                    }
                }
            }
            let found = run(&arguments).map_err(context)?;
            for (source, expected) in self.expected(&sample, &arguments).map_err(context)? {
                let same = self.same(&found, &expected, &arguments);
                same.map_err(|error| context(format!("against {source}: {error}")))?;
            }
        }
        Ok(())
    }
    /// Whether results agree.
    pub(crate) fn same(&self, found: &[Value], expected: &[Value], arguments: &[Value]) -> Outcome {
        let difference =
            compare_results(found, expected, &self.entry.results, tolerance(arguments));
        match difference {
            Some(difference) => Err(difference.to_string()),
            None => Ok(()),
        }
    }
    /// The expected results of a sample, and their source: all that the header says, else what the interpreter computes.
    pub(crate) fn expected(
        &self,
        sample: &Sample,
        arguments: &[Value],
    ) -> Result<Vec<(&'static str, Vec<Value>)>, Failure> {
        let mut known = Vec::new();
        if let Some(texts) = &sample.outputs {
            known.push(("the header", inputs::results(&self.entry, texts)?));
        }
        if let Some(numpy) = &self.numpy {
            known.push(("numpy", numpy.results(&self.entry, arguments)?));
        }
        if known.is_empty() {
            let found = interpret(self.program.ir(), ENTRY, arguments);
            known.push((
                "the interpreter",
                found.map_err(|failure| rendered(&failure))?,
            ));
        }
        Ok(known)
    }
}

/// A program beside this file, compiled for one target, and its arguments as the header of a test writes them.
pub(crate) fn compiled_for(name: &str, texts: &str) -> Result<(Artifact, Vec<Value>), Failure> {
    let path = case::folder().join("run").join(name);
    let test = Test::read(&path.with_extension("mlir"))?;
    let texts: Vec<String> = texts.split(';').map(|it| it.trim().to_owned()).collect();
    let arguments = inputs::arguments(&test.entry, &texts)?;
    let mut options = CompileOptions::default();
    options.targets.truncate(1);
    let compiled = Compiler::new(options).compile(test.program);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    Ok((artifact, arguments))
}

/// Sums may be taken in another order: the longest argument bounds how many terms one can have.
fn tolerance(arguments: &[Value]) -> Tolerance {
    Tolerance::for_length(
        arguments
            .iter()
            .map(|value| value.to_array().len())
            .max()
            .unwrap_or(1),
    )
}

fn interpreted(path: &Path, level: Level) -> Outcome {
    let test = Test::read(path)?;
    let Some(pipeline) = level.pipeline() else {
        let ir = test.program.ir();
        return test.check(|arguments| {
            interpret(ir, ENTRY, arguments).map_err(|failure| rendered(&failure))
        });
    };
    let lowered = Compiler::default().lower(test.program.clone(), pipeline, None);
    let lowered = lowered.map_err(|failure| rendered(&failure))?;
    // At the device level checks write the error record, which only a runtime reads.
    let test = if matches!(level, Level::Gpu) {
        test.without_errors()
    } else {
        test
    };
    test.check(|arguments| {
        interpret(&lowered.ir, ENTRY, arguments).map_err(|failure| rendered(&failure))
    })
}

/// The version of each kernel for sizes beyond 32 bits, forced: no index is small enough for the other.
fn with_wide_indices(path: &Path, device: DeviceChoice) -> Outcome {
    by(
        path,
        &segra::default_pipeline_with("narrow-indices", "narrow-indices{limit=0}"),
        device,
    )
}

/// Compiled by these passes and run as they come.
fn by(path: &Path, pipeline: &str, device: DeviceChoice) -> Outcome {
    let test = Test::read(path)?;
    let options = CompileOptions {
        pipeline: pipeline.to_owned(),
        ..crate::compile_options(device)
    };
    let Compiled { artifact, .. } = Compiler::new(options)
        .compile(test.program.clone())
        .map_err(|failure| rendered(&failure))?;
    let loaded = load(artifact, device)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    test.check(|arguments| crate::results(&entry, arguments))
}

/// Compares the numbers of ops at the kernel level with what the header says, of one version and of all.
fn structure(path: &Path) -> Outcome {
    let test = Test::read(path)?;
    for (key, pipeline) in [("structure", ONE_VERSION), ("versions", ALL_VERSIONS)] {
        let lowered = Compiler::default().lower(test.program.clone(), pipeline, None);
        let ir = lowered.map_err(|failure| rendered(&failure))?.ir;
        header::expect(&test.case, key, Some(&header::counts(&test.case, key, &ir))).map_err(
            |error| {
                format!(
                    "{error}\n{}",
                    segra_text::print(&ir, ir.root(), &Default::default())
                )
            },
        )?;
    }
    Ok(())
}
