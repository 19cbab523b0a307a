//! Run tests: the programs beside this file and those of `examples/`, run at every level and on every device.
//!
//! Each program is run by the interpreter, again after the passes to the kernel level in one version, again after those
//! to the device level in all of them, and as PTX in every version (see `versions`; with numpy's results also by the
//! passes that make tiles), on the simulator and, where there is one, on a CUDA GPU (`tests/gpu` says how to run them on
//! another machine). Its header says with which inputs, and with which results: written out where they are short (see
//! `inputs`), or what numpy makes of the inputs (see `numpy`); else results of the interpreter are the reference. How many
//! segmented ops of each kind come out of flattening stands in the header, too (see `header`). Random nested programs (see
//! `random`) and programs with every pair of combinators (see `pairs`) run in every version, too. Random programs that may
//! fail stop where the interpreter stops (see `failing`), and so do programs that people wrote to stop (see `agree`). Scalar ops are compared one by one on edge values (see `scalars`).
//! Copies to shared memory that threads do not wait for are written by hand (see `copies`), and so are those of tiles by tensor maps (`bulk`).
//!
//! The simulator's checkers are on, and steps of host plans that are independent run in a random order. All PTX must pass `ptxas` for every target without spills. Examples run with the
//! inputs of `examples/examples.py`, which also checks the results with numpy.
//!
//! The worker program `segra-ptx` makes the PTX (`tools/test` builds it). Deliberately absent: command lines (see `tools`).

mod agree;
mod assembled;
mod blas;
mod bulk;
mod combinations;
mod copies;
mod defaults;
mod examples;
mod failing;
mod header;
mod hints;
mod inputs;
mod kernel_results;
mod known;
mod libdevice;
mod locvolcalib;
mod mapped;
mod numpy;
mod pairs;
mod peak;
mod programs;
mod random;
mod scalars;
mod scripts;
mod sequences;
mod spared;
mod stages;
mod stencils;
mod sweep;
mod thesis;
mod tiled;
mod traffic;
mod tuned;
mod updates;
mod versions;
mod with_loops;

use libtest_mimic::Trial;
use segra::{Artifact, Chip, CompileOptions, DeviceChoice, Failure as CompileFailure, Loaded};
use segra_runtime::{
    EntryPoint, KnownInputs, RunOptions, RunReport, SimDevice, SimOptions, StepOrder, Value,
};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};

/// Draws orders of steps; any other number must do.
const ORDER: u64 = 20;

/// The result of a trial.
type Outcome = Result<(), segra_tests::case::Failure>;

fn main() -> ExitCode {
    let mut devices = vec![DeviceChoice::Sim];
    if segra_runtime::open(DeviceChoice::Cuda).is_ok() {
        devices.push(DeviceChoice::Cuda);
    }
    let mut trials: Vec<Trial> = programs::trials(&devices);
    trials.extend(examples::trials(&devices));
    trials.extend(blas::trials(&devices));
    trials.extend(combinations::trials(&devices));
    trials.extend(pairs::trials(&devices));
    trials.extend(random::trials(&devices));
    trials.extend(failing::trials(&devices));
    trials.extend(with_loops::trials(&devices));
    trials.extend(scalars::trials(&devices));
    trials.extend(versions::trials(&devices));
    trials.extend(agree::trials(&devices));
    trials.extend(stages::trials());
    trials.extend(sweep::trials(&devices));
    trials.extend(tiled::trials(&devices));
    trials.extend(devices.iter().flat_map(|&device| thesis::trials(device)));
    trials.extend(spared::trials());
    trials.extend(assembled::trials());
    trials.extend(bulk::trials());
    trials.extend(copies::trials());
    trials.extend(sequences::trials());
    trials.extend(scripts::trials());
    trials.extend(traffic::trials());
    trials.extend(hints::trials());
    trials.extend(kernel_results::trials());
    trials.extend(stencils::trials(&devices));
    trials.extend(updates::trials());
    trials.extend(mapped::trials());
    trials.extend(peak::trials());
    trials.extend(tuned::trials());
    trials.extend(defaults::trials());
    trials.extend(locvolcalib::trials(&devices));
    trials.extend(known::trials(&devices));
    trials.extend(libdevice::trials());
    trials.extend(numpy::trials());
    if cfg!(without_ptx) {
        trials = trials.into_iter().map(ignored_if_it_makes_ptx).collect();
    }
    segra_tests::filters::run(trials)
}

/// Where PTX cannot be made, the structure of programs is looked at and they are interpreted at each level.
fn ignored_if_it_makes_ptx(trial: Trial) -> Trial {
    let kinds = [
        ": structure",
        ": array level",
        ": kernel level",
        ": device level",
    ];
    let makes_none = kinds.iter().any(|kind| trial.name().ends_with(kind));
    trial.with_ignored_flag(!makes_none)
}

/// Loads an artifact on a device. The simulator checks for races and reads of what was never written.
fn load(artifact: Artifact, device: DeviceChoice) -> Result<Loaded, segra_tests::case::Failure> {
    let loaded = match device {
        DeviceChoice::Sim => {
            segra::load_on(artifact, Arc::new(SimDevice::new(&SimOptions::checked())))
        }
        _ => segra::load(artifact, device),
    };
    loaded.map_err(|error| error.to_string())
}

/// Options that compile for a device alone.
fn compile_options(device: DeviceChoice) -> CompileOptions {
    let mut options = CompileOptions::default();
    match device {
        // The simulator takes any target; `ptxas` takes them all.
        DeviceChoice::Sim => options.targets.truncate(1),
        _ => options
            .targets
            .retain(|chip| Some(chip) == newest_for_gpu().as_ref()),
    }
    options
}

/// The newest of the default targets that this machine's GPU runs.
fn newest_for_gpu() -> Option<Chip> {
    static NEWEST: OnceLock<Option<Chip>> = OnceLock::new();
    let find = || {
        let (major, minor) = segra_runtime::open(DeviceChoice::Cuda)
            .ok()?
            .info()
            .compute_capability;
        segra::default_targets()
            .into_iter()
            .rfind(|chip| chip.runs_on(major, minor))
    };
    *NEWEST.get_or_init(find)
}

/// Options of a run: independent steps of its plan run in a random order, the same one in every run of the tests.
fn options(tunables: BTreeMap<String, i64>) -> RunOptions {
    RunOptions {
        tunables,
        order: StepOrder::Shuffled(ORDER),
        ..RunOptions::default()
    }
}

/// The results of an entry.
fn results(
    entry: &EntryPoint<'_>,
    arguments: &[Value],
) -> Result<Vec<Value>, segra_tests::case::Failure> {
    let ran = entry
        .run_with(arguments, &options(BTreeMap::new()))
        .map_err(|error| error.to_string())?;
    nothing_leaked(&ran.report)?;
    foreseen(entry, arguments, &BTreeMap::new(), &ran.report)?;
    Ok(ran.results)
}

/// Whether a run has launched no other kernels than its sizes, scalars and thresholds let expect.
fn foreseen(
    entry: &EntryPoint<'_>,
    arguments: &[Value],
    tunables: &BTreeMap<String, i64>,
    report: &RunReport,
) -> Outcome {
    let known = KnownInputs::of(entry.signature(), arguments);
    let mut known = known.map_err(|error| error.to_string())?;
    known.tunables = tunables.clone();
    let artifact = entry.program().artifact();
    let kernels = known.kernels(artifact).map_err(|error| error.to_string())?;
    let is_foreseen = |name: &str| {
        kernels
            .iter()
            .any(|kernel| artifact.kernels[kernel.index()].name == name)
    };
    let mut launches = report.launches.iter().map(|launch| launch.kernel.as_str());
    match launches.find(|name| !is_foreseen(name)) {
        Some(name) => Err(format!(
            "{name} was launched, which {known:?} does not let expect"
        )),
        None => Ok(()),
    }
}

/// Whether a run has freed all memory but its arguments and results.
fn nothing_leaked(report: &RunReport) -> Outcome {
    match report.leaked.as_slice() {
        [] => Ok(()),
        leaked => Err(format!("never freed: {leaked:?}")),
    }
}

/// The name of a trial: those on the simulator go without the device's.
fn title(name: &str, device: DeviceChoice) -> String {
    match device {
        DeviceChoice::Sim => name.to_owned(),
        _ => format!("{name}, {}", device_name(device)),
    }
}

fn device_name(device: DeviceChoice) -> &'static str {
    match device {
        DeviceChoice::Sim => "simulator",
        DeviceChoice::Cuda => "cuda",
        DeviceChoice::Auto => "auto",
    }
}

/// A compiler's messages, for people.
fn rendered(failure: &CompileFailure) -> String {
    failure.render(segra::ir::diag::render::Style::Plain)
}
