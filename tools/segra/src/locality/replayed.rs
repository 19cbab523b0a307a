//! A program in several orders, each compiled and run on the simulator with its accesses recorded.

use crate::args::{Common, Locality as Args};
use crate::order::Order;
use crate::report::{Error, file_name, shown};
use crate::source::Source;
use crate::thresholds::Choices;
use crate::{data, profile, source};
use segra::{Chip, Entry, Program, Value};
use segra_runtime::{
    LaunchRecord, Machine, RunOptions, Sample, SimDevice, SimOptions, TraceOptions, TracedThreads,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Sectors of a multiprocessor that a diagram is made of.
const SECTORS: usize = 1 << 20;
/// Accesses of threads that are kept: 24 bytes each.
const THREAD_ACCESSES: usize = 1 << 23;
/// Waves of thread blocks that run of a large launch, and warp instructions until which there are more.
const SAMPLE: Sample = Sample::Part {
    waves: 2,
    instructions: 1 << 21,
};

/// The runs of a program.
pub(crate) struct Runs {
    pub(crate) machine: Machine,
    pub(crate) entry: String,
    /// Extents of the arrays that go in and come out, results first.
    pub(crate) shapes: Vec<Vec<usize>>,
    /// One per order.
    pub(crate) runs: Vec<Run>,
}

/// A run in one order.
pub(crate) struct Run {
    order: Order,
    /// Of each kernel, where it is another one.
    found: BTreeMap<String, Order>,
    pub(crate) launches: Vec<LaunchRecord>,
}

impl Run {
    /// The order of a kernel.
    pub(crate) fn order_of(&self, kernel: &str) -> Order {
        self.found.get(kernel).copied().unwrap_or(self.order)
    }
}

/// Runs the program in all orders.
pub(crate) fn all(args: &Args) -> Result<Runs, Error> {
    let program = match source::read(&args.file)? {
        Source::Program(program) => *program,
        Source::Artifact(_) => {
            return Err(Error::message(format!(
                "{} is an artifact; orders are compiled from the program it was made from",
                shown(&args.file)
            )));
        }
    };
    let machine = profile::machine(&args.profile)?;
    let mut runs = Runs {
        machine,
        entry: String::new(),
        shapes: Vec::new(),
        runs: Vec::new(),
    };
    let mut values = None;
    for &order in &args.orders {
        let run = run(args, &program, order, (&mut values, &mut runs))?;
        runs.runs.push(run);
    }
    if runs.runs.iter().all(|run| run.launches.is_empty()) {
        return Err(Error::message(format!(
            "{}: `{}` launches no kernel on these inputs: there are no accesses to replay",
            shown(&args.file),
            runs.entry
        )));
    }
    Ok(runs)
}

fn run(
    args: &Args,
    program: &Program,
    order: Order,
    (values, runs): (&mut Option<Vec<Value>>, &mut Runs),
) -> Result<Run, Error> {
    let common = Common {
        print_schedule: false,
        // The simulator is a chip like this.
        targets: vec![Chip::sm(9, 0)],
        order: Some(order),
        mapping_strategy: None,
        allow_tf32: false,
        unchecked: args.unchecked,
        pipeline: segra::DEFAULT_PIPELINE.to_owned(),
        libdevice: segra::Libdevice::None,
        color: args.color,
    };
    let compiled = source::compile(
        Program::clone(program),
        (&common, Choices::default()),
        None,
        None,
        None,
    )?;
    let mappings = compiled.mappings;
    let artifact = compiled.artifact;
    let kernels = artifact.kernels.iter().zip(&mappings);
    let found = kernels
        .map(|(kernel, mapping)| (kernel.name.clone(), order.found(mapping)))
        .collect();
    let entries: Vec<&Entry> = artifact.entries.iter().collect();
    // The same for every order.
    let values = match values {
        Some(values) => values,
        None => {
            let (entry, found) = data::one_set(&args.arguments, &args.data, &entries, program)?;
            runs.entry = entry;
            values.insert(found)
        }
    };
    let cached = args.cache.is_some();
    let device = SimDevice::new(&SimOptions {
        profile: Some(runs.machine.clone()),
        sample: match args.sample {
            _ if args.all || cached => Sample::All,
            Some(waves) => Sample::waves(waves),
            None => SAMPLE,
        },
        trace: Some(TraceOptions {
            multiprocessor: 0,
            sectors: if cached { 0 } else { SECTORS },
            threads: if cached {
                TracedThreads::All
            } else {
                TracedThreads::MiddleBlock
            },
            thread_accesses: THREAD_ACCESSES,
        }),
        ..SimOptions::default()
    });
    let failed = |error: &dyn std::fmt::Display| Error::message(format!("order {order}: {error}"));
    let loaded = segra::load_on(artifact, Arc::new(device)).map_err(|error| failed(&error))?;
    let ran = loaded
        .entry(&runs.entry)
        .and_then(|point| point.run_with(values, &RunOptions::default()))
        .map_err(|error| failed(&error))?;
    let arrays = ran.results.iter().chain(values.iter());
    runs.shapes = arrays
        .filter_map(Value::as_array)
        .map(|array| array.shape().to_vec())
        .collect();
    let launches = ran.report.launches;
    if cached
        && launches
            .iter()
            .any(|launch| trace_of(launch).is_some_and(|trace| trace.cut))
    {
        return Err(Error::message(format!(
            "{}: threads make more than {THREAD_ACCESSES} accesses, too many for --cache; take less data, or leave --cache out",
            file_name("read", &args.file)
        )));
    }
    Ok(Run {
        order,
        found,
        launches,
    })
}

/// The accesses of a launch.
pub(crate) fn trace_of(launch: &LaunchRecord) -> Option<&segra_runtime::Trace> {
    launch.profile.as_ref()?.trace.as_ref()
}
