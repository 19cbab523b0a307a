//! Why a program could not be loaded or run, with the place in the source program where there is one.

use super::control::Stop;
use crate::device::DeviceError;
use segra_artifact::{ElemType, SourcePosition, ValidationError};
use std::fmt;

/// Why a program could not be loaded.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LoadError {
    /// The artifact contradicts itself.
    #[error("invalid artifact: {0}")]
    Invalid(#[from] ValidationError),
    /// No target's PTX runs on the device.
    #[error("the artifact has PTX for {available}; none of it runs on {device}")]
    NoTarget {
        /// Chips there are.
        available: String,
        /// The device.
        device: String,
    },
    /// The device refused the PTX.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// The manifest and the PTX disagree: a producer's mistake.
    #[error(
        "kernel `{kernel}`: the manifest has parameters of {manifest:?} bytes, the PTX for {chip} declares {declared:?}"
    )]
    Manifest {
        /// The kernel.
        kernel: String,
        /// The target.
        chip: String,
        /// Sizes by the manifest.
        manifest: Vec<usize>,
        /// Sizes by the PTX.
        declared: Vec<usize>,
    },
    /// A kernel does with a buffer what the manifest says it does not: a producer's mistake.
    #[error(
        "kernel `{kernel}`: the manifest says that parameter {param} is {manifest}, the PTX for {chip} {found} it"
    )]
    Access {
        /// The kernel.
        kernel: String,
        /// The target.
        chip: String,
        /// Position of the parameter.
        param: usize,
        /// In words.
        manifest: &'static str,
        /// In words.
        found: &'static str,
    },
}

/// Why a run ended without results.
#[derive(Clone, Debug, PartialEq)]
pub struct RunError {
    /// The error; boxed, since the way of an error through many calls should cost little.
    pub kind: Box<RunErrorKind>,
    /// The op in the source program, where the error belongs to one.
    pub location: Option<SourcePosition>,
}

/// The reason a run ended.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunErrorKind {
    /// There is no such entry.
    #[error("there is no entry `{name}`; {available}")]
    NoEntry {
        /// Asked for.
        name: String,
        /// The names there are, as [`there_are`](crate::there_are) lists them.
        available: String,
    },
    /// There is no such tunable.
    #[error("there is no tunable `{name}`; {available}")]
    NoTunable {
        /// Asked for.
        name: String,
        /// The names there are, as [`there_are`](crate::there_are) lists them.
        available: String,
    },
    /// A tunable is given a value it cannot take.
    #[error("tunable `{name}`: {value} is not in {min}..={max}")]
    TunableRange {
        /// The tunable.
        name: String,
        /// Given.
        value: i64,
        /// Least it takes.
        min: i64,
        /// Greatest it takes.
        max: i64,
    },
    /// Too few or too many arguments.
    #[error("`{signature}` takes {expected} arguments, {found} given")]
    ArgumentCount {
        /// The entry's signature.
        signature: String,
        /// Parameters.
        expected: usize,
        /// Arguments.
        found: usize,
    },
    /// An argument of another type or rank.
    #[error("parameter `{param}` of `{entry}`: expected {expected}, found {found}")]
    ArgumentType {
        /// The entry.
        entry: String,
        /// The parameter.
        param: String,
        /// In words.
        expected: String,
        /// In words.
        found: String,
    },
    /// An array of another size than its type and the other arguments imply.
    #[error(
        "parameter `{param}` of `{entry}`, dimension {dim}: expected {expected} ({because}), found {actual}"
    )]
    Extent {
        /// The entry.
        entry: String,
        /// The parameter.
        param: String,
        /// Position of the dimension, from 0.
        dim: usize,
        /// The constraint on it.
        expected: u64,
        /// Why it must be that.
        because: String,
        /// Its kind.
        actual: u64,
    },
    /// A scalar that gives a size is negative, or contradicts an array.
    #[error("parameter `{param}` of `{entry}`: {problem}")]
    Size {
        /// The entry.
        entry: String,
        /// The parameter.
        param: String,
        /// In words.
        problem: String,
    },
    /// A check of the program failed.
    #[error("{message}{}", in_kernel(kernel))]
    Check {
        /// The site's message with its values.
        message: String,
        /// The kernel it failed in; none when the host plan checked.
        kernel: Option<String>,
    },
    /// An integer division by zero on the host.
    #[error("division by zero")]
    DivisionByZero,
    /// An element outside a buffer was read or written on the host.
    #[error("index {index} is out of range for a buffer of {count} elements")]
    OutOfRange {
        /// The index.
        index: i64,
        /// Elements there are.
        count: u64,
    },
    /// A buffer with a negative or impossible number of elements.
    #[error("a buffer of {count} elements of type {elem} is impossible")]
    BadCount {
        /// Asked for.
        count: i64,
        /// Element type.
        elem: ElemType,
    },
    /// A slice, copy or fill beyond a buffer.
    #[error("{what} of {count} elements at {offset} does not fit a buffer of {available}")]
    Range {
        /// `slice`, `copy`, `fill`.
        what: &'static str,
        /// First element.
        offset: i64,
        /// Elements.
        count: i64,
        /// Elements there are.
        available: u64,
    },
    /// A freed buffer was used, or a part of one freed.
    #[error("host plan: {0}")]
    Buffer(&'static str),
    /// A loop whose step is not positive.
    #[error("loop step {0} is not positive")]
    Step(i64),
    /// Calls and loops nest too deeply (an endless recursion).
    #[error("the host plan nests more than {0} levels deep")]
    Depth(usize),
    /// More host instructions than [`crate::RunOptions::instruction_limit`] allows.
    #[error("the host plan ran more than {0} instructions")]
    InstructionLimit(u64),
    /// The run was ended by its [`crate::RunControl`].
    #[error("{}", stopped(*.0))]
    Stopped(Stop),
    /// A launch beyond what the device or the kernel allows.
    #[error("kernel `{kernel}` cannot be launched: {what} is {value}, at most {limit} is possible")]
    LaunchLimit {
        /// The kernel.
        kernel: String,
        /// Which extent.
        what: String,
        /// Asked for.
        value: i64,
        /// Possible.
        limit: u64,
    },
    /// The device could not do something.
    #[error("{0}")]
    Device(#[from] DeviceError),
    /// The plan returned a shape that its buffer cannot hold: a producer's mistake.
    #[error("result {result}: shape {shape:?} does not fit a buffer of {count} elements")]
    ResultShape {
        /// Position of the result.
        result: usize,
        /// The shape.
        shape: Vec<i64>,
        /// Elements there are.
        count: u64,
    },
    /// Something validation excludes: a mistake in the runtime.
    #[error("internal error: {0}")]
    Internal(&'static str),
}

fn stopped(why: Stop) -> &'static str {
    match why {
        Stop::Interrupted => "interrupted",
        Stop::TimeLimit => "the time limit is reached",
    }
}

fn in_kernel(kernel: &Option<String>) -> String {
    kernel
        .as_ref()
        .map_or_else(String::new, |kernel| format!(" (in kernel `{kernel}`)"))
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{location}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl From<RunErrorKind> for RunError {
    fn from(kind: RunErrorKind) -> RunError {
        RunError {
            kind: Box::new(kind),
            location: None,
        }
    }
}

impl From<DeviceError> for RunError {
    fn from(error: DeviceError) -> RunError {
        RunErrorKind::Device(error).into()
    }
}
