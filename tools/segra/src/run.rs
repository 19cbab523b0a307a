//! `segra run`.

use crate::args::Run;
use crate::report::{Error, note, shown};
use crate::source::Source;
use crate::watch::{Phase, Watch};
use crate::{inputs, output, profile, source, thresholds};
use segra::{
    Artifact, Device, DeviceChoice, Entry, KnownInputs, LoadFailure, Program, RunOutput, Value,
    compare_results, interpret,
};
use segra_runtime::{DeviceInfo, RunOptions, SimDevice, SimOptions, StepOrder, npy_bytes};
use serde_json::{Value as Json, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Runs a program or an artifact.
pub(crate) fn run(args: &Run) -> Result<(), Error> {
    let mut watch = Watch::start(args.time_limit);
    let device = open(args)?;
    let mut early = None;
    let (artifact, program) = match source::read(&args.file)? {
        Source::Artifact(_) if args.check || args.validate_passes => {
            let flag = if args.check {
                "--check"
            } else {
                "--validate-passes"
            };
            return Err(Error::message(format!(
                "{flag} compares with the program as written, but {} is an artifact",
                shown(&args.file)
            )));
        }
        Source::Artifact(artifact) => (*artifact, None),
        Source::Program(program) => {
            let validate = args.validate_passes.then_some(&args.arguments);
            let choices = thresholds::chosen(&args.thresholds, &args.file)?;
            let common = (&args.common, choices);
            let written = Program::clone(&program);
            let (inputs, values) = known_inputs(args, &program).unzip();
            early = values;
            let compiled = source::compile(written, common, validate, Some(device.info()), inputs)?;
            (compiled.artifact, Some(program))
        }
    };
    let entries: Vec<&Entry> = artifact.entries.iter().collect();
    let entry = inputs::choose_entry(&entries, args.arguments.entry.as_deref())?
        .name
        .clone();
    let chosen = inputs::choose_entry(&entries, Some(&entry))?;
    let values = match early {
        Some(values) => values,
        None => inputs::materialise(chosen, &args.arguments, program.as_deref())?,
    };
    let tunables = thresholds::settings(&args.thresholds, &args.file, &artifact)?;
    let loaded = segra::load_on(artifact, device);
    let loaded = loaded.map_err(|error| Error::message(error.to_string()))?;
    let device = loaded.device().info().clone();
    // Who looks for wrong accesses wants to know of missing dependences, too.
    let order = if args.check_memory {
        StepOrder::Shuffled(0)
    } else {
        StepOrder::Program
    };
    let options = RunOptions {
        tunables,
        order,
        instruction_limit: args.step_limit,
        control: Some(watch.running(&loaded)),
        ..RunOptions::default()
    };
    let ran = loaded
        .entry(&entry)
        .and_then(|point| point.run_with(&values, &options));
    let ran =
        ran.map_err(|error| watch.error(&error, program.as_ref().map(|it| it.ir().context())))?;
    // From here on there are results: whatever else fails, they are shown first.
    let mut failed = Vec::new();
    let ptx = keep_ptx(args, loaded.artifact(), &device).unwrap_or_else(|error| {
        failed.push(error);
        None
    });
    let files = write_results(args, &ran.results).unwrap_or_else(|error| {
        failed.push(error);
        Vec::new()
    });
    watch.enter(Phase::Check);
    let difference = match &program {
        Some(program) if args.check => difference(args, program, &entry, &values, &ran.results),
        _ => Ok(None),
    };
    let checked = args.check && difference.is_ok();
    let difference = difference.unwrap_or_else(|error| {
        failed.push(error);
        None
    });
    let (ran, device, ptx) = (&ran, &device, ptx.as_deref());
    let report = Report {
        ran,
        device,
        ptx,
        files: &files,
        checked,
        difference: &difference,
    };
    if args.json {
        output::print(&format!("{}\n", report.json(args)))?
    } else {
        report.text(args)?
    }
    match (failed.into_iter().next(), difference) {
        (Some(error), _) => Err(error),
        (None, Some(difference)) => Err(Error::Differs(difference)),
        (None, None) => Ok(()),
    }
}

/// The facts about the inputs that the command line gives, and the inputs; nothing, where it is wrong, which is reported when they are needed.
fn known_inputs(args: &Run, program: &Program) -> Option<(KnownInputs, Vec<Value>)> {
    let signatures = program.signatures();
    let entries: Vec<&Entry> = signatures.entries().collect();
    let entry = inputs::choose_entry(&entries, args.arguments.entry.as_deref()).ok()?;
    let values = inputs::materialise(entry, &args.arguments, Some(program)).ok()?;
    let mut known = KnownInputs::of(entry, &values).ok()?;
    known.tunables = thresholds::given(&args.thresholds, &args.file).ok()?;
    Some((known, values))
}

fn open(args: &Run) -> Result<Arc<dyn Device>, Error> {
    Ok(match simulator(args)? {
        Some(options) => Arc::new(SimDevice::new(&options)),
        None => segra_runtime::open(args.device)
            .map_err(|error| Error::message(LoadFailure::Device(error).to_string()))?,
    })
}

/// The simulator to run on, where flags ask for what only it can do.
fn simulator(args: &Run) -> Result<Option<SimOptions>, Error> {
    if !args.check_memory && args.profile.is_none() {
        return Ok(None);
    }
    if args.device == DeviceChoice::Cuda {
        return Err(Error::message(
            "--check-memory and --profile are the simulator's: use --device sim",
        ));
    }
    let mut options = if args.check_memory {
        SimOptions::checked()
    } else {
        SimOptions::default()
    };
    if let Some(name) = &args.profile {
        options.profile = Some(profile::machine(name)?);
    }
    Ok(Some(options))
}

/// The first difference from the reference interpreter.
fn difference(
    args: &Run,
    program: &Program,
    entry: &str,
    values: &[Value],
    results: &[Value],
) -> Result<Option<String>, Error> {
    let expected = interpret(program.ir(), entry, values)?;
    let tolerance = source::tolerance(&args.arguments, values);
    let signatures = program.signatures();
    let types = signatures.get(entry).map(|known| &known.entry.results[..]);
    let difference = compare_results(results, &expected, types.unwrap_or_default(), tolerance);
    Ok(difference.map(|difference| {
        format!(
            "{difference} by the reference interpreter (floats may be {} ulps apart)",
            tolerance.ulps
        )
    }))
}

/// The names of files made of a program, with space for an ending: names have 255 bytes at most.
fn stem(file: &Path) -> String {
    const MOST: usize = 200;
    let mut stem = file
        .file_stem()
        .map_or("program".into(), |stem| stem.to_string_lossy().into_owned());
    while stem.len() > MOST {
        stem.pop();
    }
    stem
}

/// Writes the PTX that ran where it can be looked at.
fn keep_ptx(
    args: &Run,
    artifact: &Artifact,
    device: &DeviceInfo,
) -> Result<Option<PathBuf>, Error> {
    let (major, minor) = device.compute_capability;
    let Some(target) = artifact
        .target_for(major, minor)
        .filter(|target| !target.ptx.is_empty())
    else {
        return Ok(None);
    };
    let path = match (&args.keep_ptx, &args.output) {
        (Some(path), _) => path.clone(),
        (None, Some(folder)) => {
            output::folder(folder)?;
            folder.join(format!("{}.{}.ptx", stem(&args.file), target.chip))
        }
        (None, None) => {
            // The same PTX lies at the same place; another program's does not overwrite it.
            let mut hasher = DefaultHasher::new();
            target.ptx.hash(&mut hasher);
            let hash = hasher.finish() as u32;
            let name = format!("{}-{hash:08x}.{}.ptx", stem(&args.file), target.chip);
            return Ok(keep_somewhere(&name, target.ptx.as_bytes()));
        }
    };
    output::write(&path, target.ptx.as_bytes())?;
    Ok(Some(path))
}

/// Writes PTX that nobody asked to be kept: in the folder of everyone's, or, where that is another user's or no folder, one of
/// this user's. Where that cannot be either, a warning is all.
fn keep_somewhere(name: &str, ptx: &[u8]) -> Option<PathBuf> {
    let user = std::env::var("USER").or_else(|_| std::env::var("LOGNAME"));
    let user = user
        .unwrap_or_else(|_| "user".into())
        .replace(['/', '\\'], "_");
    let folder = std::env::temp_dir();
    let keep = |own: String| -> std::io::Result<PathBuf> {
        let own = folder.join(own);
        std::fs::create_dir_all(&own)?;
        let path = own.join(name);
        segra_artifact::write_file(&path, ptx)?;
        Ok(path)
    };
    let kept = keep("segra".into()).or_else(|_| keep(format!("segra-{user}")));
    kept.inspect_err(|error| {
        let place = shown(&folder);
        note(&format!(
            "segra: warning: the PTX is not kept in {place}: {error}"
        ));
    })
    .ok()
}

fn write_results(args: &Run, results: &[Value]) -> Result<Vec<PathBuf>, Error> {
    let Some(folder) = &args.output else {
        return Ok(Vec::new());
    };
    output::folder(folder)?;
    let mut files = Vec::new();
    for (index, value) in results.iter().enumerate() {
        let path = folder.join(format!("{index}.npy"));
        output::write(&path, &npy_bytes(&value.to_array()))?;
        files.push(path);
    }
    Ok(files)
}

/// The label a run is reported by.
struct Report<'a> {
    ran: &'a RunOutput,
    device: &'a DeviceInfo,
    ptx: Option<&'a Path>,
    files: &'a [PathBuf],
    /// Whether the results were compared.
    checked: bool,
    difference: &'a Option<String>,
}

impl Report<'_> {
    /// Results on standard output, everything about the run on standard error.
    fn text(&self, args: &Run) -> Result<(), Error> {
        let mut text = String::new();
        for (index, value) in self.ran.results.iter().enumerate() {
            match self.files.get(index) {
                Some(path) => text += &format!("{}: {}\n", shown(path), value.type_text()),
                None => text += &format!("{value}\n"),
            }
        }
        output::print(&text)?;
        if self.checked && self.difference.is_none() {
            note("check: the same as the reference interpreter");
        }
        let launches = self.ran.report.launched;
        note(&format!(
            "ran {launches} kernel{} on {}",
            if launches == 1 { "" } else { "s" },
            self.device.name
        ));
        if args.check_memory {
            for (name, bytes) in &self.ran.report.leaked {
                note(&format!("never freed: buffer {name} of {bytes} bytes"));
            }
        }
        if args.profile.is_some() {
            note(profile::text(&self.ran.report).trim_end());
        }
        if let Some(path) = self.ptx {
            note(&format!("PTX: {}", shown(path)));
        }
        Ok(())
    }

    fn json(&self, args: &Run) -> Json {
        let results: Vec<Json> = self
            .ran
            .results
            .iter()
            .enumerate()
            .map(|(index, value)| {
                let array = value.to_array();
                let file = self.files.get(index).map(|path| path.display().to_string());
                // A literal in a file, or too long to read, is not repeated.
                let elements = (file.is_none() && array.len() <= segra_runtime::ELIDE_ABOVE)
                    .then(|| array.scalars().map(number).collect::<Vec<_>>());
                json!({
                    "type": array.elem().to_string(),
                    "shape": array.shape(),
                    "file": file,
                    "elements": elements,
                })
            })
            .collect();
        let launches: Vec<Json> = self
            .ran
            .report
            .launches
            .iter()
            .map(|launch| {
                json!({
                    "kernel": launch.kernel, "grid": launch.grid, "block": launch.block,
                    "stream": launch.stream, "in_graph": launch.in_graph,
                })
            })
            .collect();
        json!({
            "results": results,
            "device": { "name": self.device.name, "chip": self.device.chip() },
            "launches": launches,
            "profile": if args.profile.is_some() { profile::json(&self.ran.report) } else { Json::Null },
            "batches": self.ran.report.batches,
            "streams": self.ran.report.streams,
            "graph_launches": self.ran.report.graph_launches,
            "allocations": self.ran.report.allocations,
            "thresholds": thresholds::asked(&self.ran.report),
            "device_allocations": self.ran.report.device_allocations,
            "leaked": self.ran.report.leaked,
            "launched": self.ran.report.launched,
            "peak_bytes": self.ran.report.peak_bytes,
            "peak_held_bytes": self.ran.report.peak_held_bytes,
            "copied_bytes": self.ran.report.copied_bytes,
            "filled_bytes": self.ran.report.filled_bytes,
            "ptx": self.ptx.map(|path| path.display().to_string()),
            "check": if self.checked { json!({ "passed": self.difference.is_none(), "difference": self.difference }) } else { Json::Null },
        })
    }
}

/// JSON has no infinities and NaN: they become strings.
pub(crate) fn number(scalar: segra::Scalar) -> Json {
    match (scalar.elem(), scalar.as_i64()) {
        (segra::ElemType::Bool, _) => json!(scalar.as_bool()),
        (_, Some(integer)) => json!(integer),
        (_, None) if scalar.to_f64().is_finite() => json!(scalar.to_f64()),
        _ => json!(scalar.to_string()),
    }
}
