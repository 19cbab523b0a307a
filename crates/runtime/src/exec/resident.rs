//! Arguments that stay on the device between runs: what measuring needs, and callers whose arguments do not change.
//!
//! Plans write to no argument (an update of one begins with a copy) and free none, so every run finds what the first one
//! found.

use super::error::{RunError, RunErrorKind};
use super::machine::Cell;
use super::{EntryPoint, Results, RunOptions, RunOutput, bind, size_cells};
use crate::device::{Device, DevicePtr};
use crate::{Array, Value};
use segra_artifact::{ElemType, ParamType, Scalar};
use std::borrow::Cow;

/// An entry with its arguments on the device.
pub struct Resident<'a> {
    entry: EntryPoint<'a>,
    sizes: Vec<i64>,
    args: Vec<Arg>,
}

enum Arg {
    Scalar(Scalar),
    Array {
        ptr: DevicePtr,
        elem: ElemType,
        count: u64,
    },
}

impl<'a> Resident<'a> {
    pub(super) fn new(entry: EntryPoint<'a>, args: &[Value]) -> Result<Resident<'a>, RunError> {
        let sizes = bind::bind(entry.entry, args)?;
        // From here on what was brought there goes when `resident` does, whatever happens.
        let mut resident = Resident {
            entry,
            sizes,
            args: Vec::with_capacity(args.len()),
        };
        for (param, arg) in entry.entry.params.iter().zip(args) {
            let arg = match (&param.ty, arg) {
                (ParamType::Array { .. }, Value::Array(array)) => {
                    resident.upload(&param.name, Cow::Borrowed(array))?
                }
                (ParamType::Array { .. }, arg) => {
                    resident.upload(&param.name, Cow::Owned(arg.to_array()))?
                }
                (_, Value::Scalar(scalar)) => Arg::Scalar(*scalar),
                (_, Value::Array(_)) => {
                    return Err(RunErrorKind::Internal("an argument was not bound").into());
                }
            };
            resident.args.push(arg);
        }
        Ok(resident)
    }

    fn upload(&mut self, name: &str, array: Cow<'_, Array>) -> Result<Arg, RunError> {
        let (elem, count) = (array.elem(), array.len() as u64);
        if array.is_empty() {
            return Ok(Arg::Array {
                ptr: DevicePtr::NULL,
                elem,
                count,
            });
        }
        let device = self.device();
        let ptr = device.alloc(array.bytes().len() as u64, name)?;
        if let Err(error) = device.upload(ptr, array.bytes()) {
            // The failure to upload is what matters.
            let _ = device.free(ptr);
            return Err(error.into());
        }
        Ok(Arg::Array { ptr, elem, count })
    }

    fn device(&self) -> &'a dyn Device {
        &*self.entry.program.device
    }

    /// Runs it; results come to the host.
    pub fn run_with(&self, options: &RunOptions) -> Result<RunOutput, RunError> {
        self.run(options, Results::Downloaded)
    }

    /// Runs it for its report: results are given up where they are.
    pub fn measure(&self, options: &RunOptions) -> Result<super::RunReport, RunError> {
        self.run(options, Results::LeftThere)
            .map(|output| output.report)
    }

    fn run(&self, options: &RunOptions, wanted: Results) -> Result<RunOutput, RunError> {
        self.entry.run_on(options, |machine| {
            let mut cells = size_cells(&self.sizes);
            for (param, arg) in self.entry.entry.params.iter().zip(&self.args) {
                cells.push(match *arg {
                    Arg::Scalar(scalar) => Cell::Scalar(scalar),
                    Arg::Array { ptr, elem, count } => {
                        Cell::Buffer(machine.buffers.borrow(ptr, elem, count, &param.name))
                    }
                });
            }
            self.entry.execute(machine, &cells, wanted)
        })
    }
}

impl Drop for Resident<'_> {
    fn drop(&mut self) {
        for arg in &self.args {
            if let Arg::Array {
                ptr, count: 1.., ..
            } = *arg
                && let Err(error) = self.device().free(ptr)
            {
                tracing::warn!(%error, "an argument could not be freed");
            }
        }
    }
}
