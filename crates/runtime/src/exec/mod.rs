//! Runs artifacts: a [`Program`] is an artifact loaded on a device, an [`EntryPoint`] one of its entries.
//!
//! A run uploads the arguments, executes the host plan, downloads the results and frees everything it allocated,
//! also when it fails. Runs share nothing but the loaded kernels, so a program may be run from several threads.

mod bind;
mod control;
mod error;
mod eval;
mod lifetimes;
mod machine;
mod memory;
mod queue;
mod reach;
mod report;
mod resident;

pub use control::{Progress, RunControl, Stop};
pub use error::{LoadError, RunError, RunErrorKind};
pub use reach::KnownInputs;
pub use report::{Comparison, LaunchRecord, RunReport};
pub use resident::Resident;

use crate::device::{Device, ModuleHandle, Signature, Timing};
use crate::schedule::StepOrder;
use crate::{Array, Value};
use lifetimes::Lifetimes;
use machine::{Cell, Machine};
use segra_artifact::{Access, Artifact, Entry, Kernel, KernelParam, ParamType, ResultType, Target};
use segra_ptx::TENSOR_MAP_BYTES;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// When failed checks inside kernels are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorChecks {
    /// After each launch on the simulator, at reads on hardware.
    #[default]
    Auto,
    /// After each launch: the report names the kernel, but the device idles meanwhile.
    EachLaunch,
    /// Before each value that the host reads, and at the end.
    AtReads,
}

/// How to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Values of tunables, by name; the others keep their defaults.
    pub tunables: BTreeMap<String, i64>,
    /// The quantities the device measures.
    pub timing: Timing,
    /// When failed checks inside kernels are looked for.
    pub error_checks: ErrorChecks,
    /// In which order a device without streams runs steps that may run in any.
    pub order: StepOrder,
    /// Ends a run after so many host instructions, so that an endless loop becomes an error.
    pub instruction_limit: Option<u64>,
    /// Watches the run, and ends it.
    pub control: Option<Arc<RunControl>>,
}

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct RunOutput {
    /// The results in order.
    pub results: Vec<Value>,
    /// Its report.
    pub report: RunReport,
}

/// An artifact loaded on a device.
pub struct Program {
    artifact: Artifact,
    device: Arc<dyn Device>,
    /// None when there are no kernels.
    module: Option<ModuleHandle>,
    /// One per plan.
    lifetimes: Vec<Lifetimes>,
}

/// An entry of a program, ready to run.
#[derive(Clone, Copy)]
pub struct EntryPoint<'a> {
    program: &'a Program,
    entry: &'a Entry,
}

impl Program {
    /// Validates the artifact, chooses the PTX for the latest chip the device runs, and loads it.
    pub fn load(artifact: Artifact, device: Arc<dyn Device>) -> Result<Program, LoadError> {
        artifact.validate()?;
        let module = if artifact.kernels.is_empty() {
            None
        } else {
            let (major, minor) = device.info().compute_capability;
            let target = artifact
                .target_for(major, minor)
                .ok_or_else(|| no_target(&artifact, &*device))?;
            artifact
                .kernels
                .iter()
                .try_for_each(|kernel| compare_signature(kernel, target))?;
            compare_accesses(&artifact.kernels, target)?;
            let names: Vec<&str> = artifact
                .kernels
                .iter()
                .map(|kernel| kernel.name.as_str())
                .collect();
            let span = tracing::debug_span!("load", chip = %target.chip);
            let _entered = span.enter();
            let started = Instant::now();
            let module = device.load(target, &names, &artifact.source_map)?;
            let micros = started.elapsed().as_micros() as u64;
            tracing::debug!(kernels = names.len(), micros, "loaded");
            Some(module)
        };
        let lifetimes = lifetimes::of(&artifact);
        Ok(Program {
            artifact,
            device,
            module,
            lifetimes,
        })
    }

    /// The artifact.
    pub fn artifact(&self) -> &Artifact {
        &self.artifact
    }

    /// The device.
    pub fn device(&self) -> &Arc<dyn Device> {
        &self.device
    }

    /// The entry of that name.
    pub fn entry(&self, name: &str) -> Result<EntryPoint<'_>, RunError> {
        let entry = Program::entry_of(&self.artifact, name)?;
        Ok(EntryPoint {
            program: self,
            entry,
        })
    }

    /// The entry of that name of an artifact.
    fn entry_of<'a>(artifact: &'a Artifact, name: &str) -> Result<&'a Entry, RunError> {
        let names = artifact.entries.iter().map(|entry| entry.name.as_str());
        let missing = || RunErrorKind::NoEntry {
            name: name.to_owned(),
            available: there_are(names),
        };
        artifact.entry(name).ok_or_else(|| missing().into())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(module) = self.module
            && let Err(error) = self.device.unload(module)
        {
            tracing::warn!(%error, "a module could not be unloaded");
        }
    }
}

fn no_target(artifact: &Artifact, device: &dyn Device) -> LoadError {
    let chips: Vec<String> = artifact
        .targets
        .iter()
        .map(|target| target.chip.to_string())
        .collect();
    let available = if chips.is_empty() {
        "no chip".to_owned()
    } else {
        chips.join(", ")
    };
    LoadError::NoTarget {
        available,
        device: device.info().to_string(),
    }
}

/// Refuses a kernel whose PTX declares other parameters than the manifest: its launches would pass nonsense.
fn compare_signature(kernel: &Kernel, target: &Target) -> Result<(), LoadError> {
    let manifest: Vec<usize> = kernel
        .params
        .iter()
        .map(|param| match param {
            KernelParam::Buffer { .. } | KernelParam::ErrorRecord => 8,
            KernelParam::Scalar(elem) => elem.size(),
            KernelParam::TensorMap(_) => TENSOR_MAP_BYTES,
        })
        .collect();
    let chip = target.chip.to_string();
    let kernel = kernel.name.clone();
    match Signature::of(&target.ptx, &kernel) {
        Some(declared) if declared.sizes == manifest => Ok(()),
        Some(Signature { sizes: declared }) => Err(LoadError::Manifest {
            kernel,
            chip,
            manifest,
            declared,
        }),
        None => Err(crate::device::DeviceError::MissingKernel { chip, kernel }.into()),
    }
}

/// Refuses kernels that store to what the manifest says is read, or load what it says is written only: steps that use
/// the same memory would be in the wrong order.
fn compare_accesses(kernels: &[Kernel], target: &Target) -> Result<(), LoadError> {
    // Of a tensor map nobody loads or stores.
    let is_buffer = |param: &KernelParam| {
        matches!(param, KernelParam::Buffer { .. } | KernelParam::ErrorRecord)
    };
    let asked: Vec<(&str, Vec<bool>)> = kernels
        .iter()
        .map(|kernel| {
            (
                kernel.name.as_str(),
                kernel.params.iter().map(is_buffer).collect(),
            )
        })
        .collect();
    for (kernel, uses) in kernels
        .iter()
        .zip(segra_ptx::buffer_uses(&target.ptx, &asked))
    {
        for (index, (param, found)) in kernel
            .params
            .iter()
            .zip(uses.into_iter().flatten())
            .enumerate()
        {
            let KernelParam::Buffer { access, .. } = param else {
                continue;
            };
            let (manifest, does) = match access {
                Access::Read if found.stores => ("only read", "stores to"),
                Access::Write if found.loads => ("only written", "loads from"),
                _ => continue,
            };
            let (kernel, chip) = (kernel.name.clone(), target.chip.to_string());
            return Err(LoadError::Access {
                kernel,
                chip,
                param: index,
                manifest,
                found: does,
            });
        }
    }
    Ok(())
}

impl<'a> EntryPoint<'a> {
    /// The program that it is an entry of.
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// Its signature.
    pub fn signature(&self) -> &'a Entry {
        self.entry
    }

    /// Runs it on these arguments, one per parameter.
    pub fn run(&self, args: &[Value]) -> Result<Vec<Value>, RunError> {
        self.run_with(args, &RunOptions::default())
            .map(|output| output.results)
    }

    /// As [`EntryPoint::run`], with options, and with a report of what happened.
    pub fn run_with(&self, args: &[Value], options: &RunOptions) -> Result<RunOutput, RunError> {
        let sizes = bind::bind(self.entry, args)?;
        self.run_on(options, |machine| {
            let mut cells = size_cells(&sizes);
            for (param, arg) in self.entry.params.iter().zip(args) {
                cells.push(match (&param.ty, arg) {
                    (ParamType::Array { .. }, arg) => {
                        Cell::Buffer(upload(machine, &param.name, arg)?)
                    }
                    (_, Value::Scalar(scalar)) => Cell::Scalar(*scalar),
                    (_, Value::Array(_)) => {
                        return Err(RunErrorKind::Internal("an argument was not bound").into());
                    }
                });
            }
            self.execute(machine, &cells, Results::Downloaded)
        })
    }

    /// Brings arguments to the device, for several runs.
    pub fn resident(&self, args: &[Value]) -> Result<Resident<'a>, RunError> {
        Resident::new(*self, args)
    }

    /// A run: what `work` does with a machine, and what is to be said about it.
    fn run_on(
        &self,
        options: &RunOptions,
        work: impl FnOnce(&mut Machine<'_>) -> Result<Vec<Value>, RunError>,
    ) -> Result<RunOutput, RunError> {
        let Program {
            artifact,
            device,
            module,
            lifetimes,
        } = self.program;
        let tunables = tunable_values(artifact, options)?;
        let span = tracing::debug_span!("run", entry = %self.entry.name);
        let _entered = span.enter();
        let started = Instant::now();
        let mut machine = Machine::new(artifact, &**device, *module, lifetimes, options, tunables);
        let results = work(&mut machine);
        machine.close();
        tracing::debug!(micros = started.elapsed().as_micros() as u64, "ran");
        let leaked = machine.buffers.leaked();
        let released = machine.buffers.close();
        let mut report = std::mem::take(&mut machine.report);
        report.comparisons = machine.comparisons();
        // The first error is the cause; a failure to clean up after it is not.
        let results = results?;
        report.released_at_end = released?;
        report.leaked = leaked;
        report.time = started.elapsed();
        Ok(RunOutput { results, report })
    }

    fn execute(
        &self,
        machine: &mut Machine<'_>,
        cells: &[Cell],
        wanted: Results,
    ) -> Result<Vec<Value>, RunError> {
        let plan = machine.options.timing == Timing::Plan;
        let start = if plan { machine.device.mark()? } else { None };
        let returned = machine.enter(self.entry.plan, cells);
        // A fault of an earlier step comes before one that the host found later.
        machine.flush()?;
        let end = if plan { machine.device.mark()? } else { None };
        let returned = match returned {
            Ok(returned) => returned,
            Err(error) => {
                machine.check_record(None)?;
                return Err(error);
            }
        };
        machine.device.synchronize().or_else(|error| {
            machine.check_record(None)?;
            Err(RunError::from(error))
        })?;
        machine.check_record(None)?;
        if let (Some(start), Some(end)) = (start, end) {
            machine.report.plan_time = Some(machine.device.between(start, end)?);
        }
        if wanted == Results::LeftThere {
            returned.iter().for_each(|cell| machine.expect(cell));
            return Ok(Vec::new());
        }
        let mut returned = returned.into_iter();
        let mut results = Vec::with_capacity(self.entry.results.len());
        for (position, result) in self.entry.results.iter().enumerate() {
            let first = returned.next();
            results.push(match (&result.ty, first) {
                (ResultType::Scalar(_), Some(Cell::Scalar(scalar))) => Value::Scalar(scalar),
                (ResultType::Array { dims, .. }, Some(Cell::Buffer(buffer))) => {
                    let shape: Vec<i64> = returned
                        .by_ref()
                        .take(dims.len())
                        .map(|cell| match cell {
                            Cell::Scalar(extent) => extent.bits() as i64,
                            _ => -1,
                        })
                        .collect();
                    download(machine, position, buffer, shape)?
                }
                _ => return Err(RunErrorKind::Internal("a result is missing").into()),
            });
        }
        Ok(results)
    }
}

/// The treatment of results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Results {
    Downloaded,
    /// Freed at the end of the run, like everything else.
    LeftThere,
}

fn size_cells(sizes: &[i64]) -> Vec<Cell> {
    sizes
        .iter()
        .map(|size| Cell::Scalar(segra_artifact::Scalar::i64(*size)))
        .collect()
}

/// The value of each tunable in a run.
fn tunable_values(artifact: &Artifact, options: &RunOptions) -> Result<Vec<i64>, RunError> {
    let tunables = &artifact.tunables;
    if let Some(name) = options
        .tunables
        .keys()
        .find(|&name| tunables.iter().all(|known| known.name != *name))
    {
        let available = there_are(tunables.iter().map(|tunable| tunable.name.as_str()));
        return Err(RunErrorKind::NoTunable {
            name: name.clone(),
            available,
        }
        .into());
    }
    let values = tunables.iter().map(|tunable| {
        let (name, min, max) = (tunable.name.clone(), tunable.min, tunable.max);
        let value = options
            .tunables
            .get(&name)
            .copied()
            .unwrap_or(tunable.default);
        let within = (min..=max).contains(&value);
        if within {
            Ok(value)
        } else {
            Err(RunErrorKind::TunableRange {
                name,
                value,
                min,
                max,
            }
            .into())
        }
    });
    values.collect()
}

/// The names that were to choose from, for a message: `there are: a, b`, or `there are none`.
///
/// ```
/// assert_eq!(segra_runtime::there_are(["width", "height"].into_iter()), "there are: width, height");
/// assert_eq!(segra_runtime::there_are(std::iter::empty()), "there are none");
/// ```
pub fn there_are<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        "there are none".to_owned()
    } else {
        format!("there are: {}", names.join(", "))
    }
}

fn upload(machine: &mut Machine<'_>, name: &str, arg: &Value) -> Result<memory::Buffer, RunError> {
    let owned;
    let array = match arg {
        Value::Array(array) => array,
        Value::Scalar(_) => {
            owned = arg.to_array();
            &owned
        }
    };
    let buffer = machine.alloc(array.elem(), array.len() as i64, name)?;
    machine.buffers.expect(buffer);
    if !array.is_empty() {
        machine
            .device
            .upload(machine.buffers.ptr(buffer)?, array.bytes())?;
        machine.report.uploaded_bytes += array.bytes().len() as u64;
    }
    Ok(buffer)
}

fn download(
    machine: &mut Machine<'_>,
    result: usize,
    buffer: memory::Buffer,
    shape: Vec<i64>,
) -> Result<Value, RunError> {
    machine.buffers.expect(buffer);
    let extents: Option<Vec<usize>> = shape
        .iter()
        .map(|extent| usize::try_from(*extent).ok())
        .collect();
    let bytes = extents
        .as_ref()
        .and_then(|extents| crate::host::array::byte_count(buffer.elem, extents));
    let held = buffer.count.saturating_mul(buffer.elem.size() as u64);
    let (Some(extents), Some(bytes)) = (extents, bytes.filter(|bytes| *bytes as u64 <= held))
    else {
        return Err(RunErrorKind::ResultShape {
            result,
            shape,
            count: buffer.count,
        }
        .into());
    };
    let mut data = vec![0u8; bytes];
    if bytes > 0 {
        machine
            .device
            .download(machine.buffers.ptr(buffer)?, &mut data)?;
        machine.report.downloaded_bytes += bytes as u64;
    }
    match Array::from_bytes(buffer.elem, &extents, data) {
        Ok(array) => Ok(array.into()),
        Err(_) => Err(RunErrorKind::Internal("a result has the wrong size").into()),
    }
}
