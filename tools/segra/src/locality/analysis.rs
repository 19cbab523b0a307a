//! Launches as tasks: what each one reads and writes, which of the thesis' problems that is, what an order should cost.
//!
//! In a machine, closed forms are those of one L1 cache that tasks use one after the other, in sectors, with as many tasks in
//! progress as a multiprocessor holds threads: what the order could reach, not what warps on many multiprocessors do.

use super::replayed::{Runs, trace_of};
use crate::args::Locality as Args;
use crate::order::Order;
use crate::report::Error;
use segra_locality::forms::{Cost, Lines};
use segra_locality::pattern::{Pattern, Task, recognise};
use segra_locality::{Access, Diagram, Mark, Replay, Served, replay};
use segra_runtime::{Allocation, LaunchRecord, Level, Profile, ThreadAccess, Trace};
use std::collections::BTreeMap;
use std::ops::Range;

/// Steps of time of a diagram.
const COLUMNS: usize = 320;
/// Bytes of a row of a machine's diagram: a line.
const ROW_BYTES: u64 = 128;

/// A launch in all orders.
pub(crate) struct Kernel {
    pub(crate) name: String,
    /// Its number in the run.
    pub(crate) launch: usize,
    pub(crate) pattern: Pattern,
    pub(crate) orders: Vec<InOrder>,
}

/// A launch in one order.
pub(crate) struct InOrder {
    pub(crate) order: Order,
    pub(crate) profile: Profile,
    /// Through one cache, where that is asked for.
    pub(crate) replay: Option<Replay>,
    /// By the closed forms, where the problem is one of theirs.
    pub(crate) cost: Option<Cost>,
    pub(crate) diagram: Diagram,
    /// Requests that the diagram of a machine shows.
    pub(crate) requests: u64,
    pub(crate) buffers: Vec<Allocation>,
}

impl InOrder {
    /// Accesses of global memory: lines of a replay, sectors of a machine.
    pub(crate) fn accesses(&self) -> u64 {
        match &self.replay {
            Some(replay) => replay.counts.accesses,
            None => self.profile.traffic.sectors,
        }
    }

    /// Whether some of the launch's thread blocks ran, and the others are taken to be like them.
    pub(crate) fn is_sampled(&self) -> bool {
        self.profile.blocks_run < blocks(&self.profile)
    }
}

/// Thread blocks of a launch.
pub(crate) fn blocks(profile: &Profile) -> u64 {
    profile
        .grid
        .iter()
        .map(|&extent| u64::from(extent))
        .product()
}

/// All launches, by their number in a run. An order may make fewer: a launch is there in the orders that have it.
pub(crate) fn kernels(args: &Args, runs: &Runs) -> Result<Vec<Kernel>, Error> {
    let most = runs.runs.iter().map(|run| run.launches.len()).max();
    let mut kernels = Vec::new();
    for launch in 0..most.unwrap_or(0) {
        let records = runs.runs.iter().filter_map(|run| {
            let record = run.launches.get(launch)?;
            Some((
                run.order_of(&record.kernel),
                record,
                record.profile.as_deref()?,
                trace_of(record)?,
            ))
        });
        let mut kernel: Option<Kernel> = None;
        for (order, record, profile, trace) in records {
            let seen = Seen::of(trace, &runs.shapes);
            let kernel = kernel.get_or_insert_with(|| Kernel {
                name: record.kernel.clone(),
                launch,
                pattern: seen.pattern,
                orders: Vec::new(),
            });
            let pattern = kernel.pattern;
            kernel.orders.push(in_order(
                args,
                runs,
                order,
                record,
                (profile, trace),
                (&seen, pattern),
            ));
        }
        kernels.extend(kernel);
    }
    Ok(kernels)
}

fn in_order(
    args: &Args,
    runs: &Runs,
    order: Order,
    record: &LaunchRecord,
    (profile, trace): (&Profile, &Trace),
    (seen, pattern): (&Seen, Pattern),
) -> InOrder {
    let replay = args.cache.map(|size| {
        let shape = size.shape(seen.element_bytes);
        replay(shape, tasks(trace).into_iter(), COLUMNS)
    });
    let threads = record.block.iter().product::<u32>() * profile.resident_blocks;
    let (lines, in_progress) = match args.cache {
        Some(size) => (
            Lines {
                held: size.lines.into(),
                elements: size.elements.into(),
            },
            1,
        ),
        None => {
            let sector = u64::from(runs.machine.l1.sector_bytes);
            let lines = Lines {
                held: profile.l1_bytes / sector,
                elements: (sector / u64::from(seen.element_bytes)).max(1),
            };
            (lines, u64::from(threads))
        }
    };
    let cost = match pattern {
        Pattern::Stencil(stencil) => Some(stencil.cost(lines, order.form(), in_progress)),
        Pattern::Product(product) => Some(product.cost(lines, order.form())),
        Pattern::Other => None,
    };
    let diagram = match &replay {
        Some(replay) => replay.diagram.clone(),
        None => machine_diagram(trace),
    };
    let profile = Profile {
        trace: None,
        ..profile.clone()
    };
    InOrder {
        order,
        profile,
        replay,
        cost,
        diagram,
        requests: requests(trace) as u64,
        buffers: trace.buffers.clone(),
    }
}

/// Requests whose sectors were recorded.
fn requests(trace: &Trace) -> usize {
    let last = trace.touched.last();
    last.map_or(0, |last| last.request as usize + 1)
}

/// Loads of each thread, in order.
fn tasks(trace: &Trace) -> Vec<Vec<Access>> {
    let threads = trace
        .accesses
        .chunk_by(|one, other| one.thread == other.thread);
    let loads = threads.map(|accesses| {
        let loads = accesses.iter().filter(|access| !access.writes);
        loads
            .map(|access| Access {
                address: access.address,
                bytes: access.bytes,
            })
            .collect()
    });
    loads.collect()
}

/// Loads of a multiprocessor: lines against requests.
fn machine_diagram(trace: &Trace) -> Diagram {
    let requests = requests(trace);
    let columns = COLUMNS.min(requests);
    let loads = trace.touched.iter().filter(|touched| !touched.writes);
    let marks = loads.map(|touched| Mark {
        column: (touched.request as usize * columns / requests.max(1)) as u32,
        address: touched.address,
        served: match touched.level {
            Level::L1 => Served::First,
            Level::L2 => Served::Second,
            Level::Memory => Served::Memory,
        },
    });
    Diagram::new(marks.collect(), columns, ROW_BYTES)
}

/// The accesses that threads were seen to make.
struct Seen {
    pattern: Pattern,
    element_bytes: u32,
}

/// The task that the accesses of a thread make; `elements` gives the buffer and the elements of bytes at an address.
fn task_of(
    accesses: &[ThreadAccess],
    result: Option<usize>,
    elements: impl Fn(u64, u32) -> Option<(usize, Range<u64>)>,
) -> Task {
    let mut task = Task::default();
    for access in accesses {
        let Some((buffer, range)) = elements(access.address, access.bytes) else {
            continue;
        };
        if !access.writes {
            task.reads.extend(range.map(|element| (buffer, element)));
        } else if Some(buffer) == result {
            task.writes = if task.count == 0 {
                range.start
            } else {
                task.writes.min(range.start)
            };
            task.count += range.end - range.start;
        }
    }
    task
}

impl Seen {
    fn of(trace: &Trace, shapes: &[Vec<usize>]) -> Seen {
        // Elements are as wide as the narrowest access of their buffer.
        let mut bytes: BTreeMap<usize, u32> = BTreeMap::new();
        let mut written: BTreeMap<usize, usize> = BTreeMap::new();
        let buffer_of = |address: u64| {
            let inside = |buffer: &Allocation| {
                (buffer.address..buffer.address + buffer.bytes).contains(&address)
            };
            trace.buffers.iter().position(inside)
        };
        for access in &trace.accesses {
            let Some(buffer) = buffer_of(access.address) else {
                continue;
            };
            let narrowest = bytes.entry(buffer).or_insert(access.bytes.max(1));
            *narrowest = (*narrowest).min(access.bytes.max(1));
            if access.writes {
                *written.entry(buffer).or_default() += 1;
            }
        }
        let result = written.iter().max_by_key(|row| row.1).map(|row| *row.0);
        let element_bytes = result.and_then(|buffer| bytes.get(&buffer)).copied();
        let lengths: Vec<u64> = (trace.buffers.iter().enumerate())
            .map(|(buffer, of)| of.bytes / u64::from(bytes.get(&buffer).copied().unwrap_or(1)))
            .collect();
        let elements = |address: u64, width: u32| {
            let buffer = buffer_of(address)?;
            let size = u64::from(*bytes.get(&buffer)?);
            let first = (address - trace.buffers[buffer].address) / size;
            Some((buffer, first..first + (u64::from(width) / size).max(1)))
        };
        let mut tasks = Vec::new();
        for accesses in trace
            .accesses
            .chunk_by(|one, other| one.thread == other.thread)
        {
            let task = task_of(accesses, result, elements);
            if task.count > 0 {
                tasks.push(task);
            }
        }
        let pattern = result.map_or(Pattern::Other, |buffer| {
            recognise(&tasks, extents(shapes, lengths[buffer]), &lengths)
        });
        Seen {
            pattern,
            element_bytes: element_bytes.unwrap_or(4),
        }
    }
}

/// Rows and columns of an array of so many elements: those of an argument or result as large; one row, where there is none.
fn extents(shapes: &[Vec<usize>], length: u64) -> (u64, u64) {
    let found = shapes
        .iter()
        .find(|shape| shape.iter().map(|&extent| extent as u64).product::<u64>() == length);
    match found.and_then(|shape| shape.split_last()) {
        Some((&inner, outer)) => (
            outer.iter().map(|&extent| extent as u64).product(),
            inner as u64,
        ),
        None => (1, length),
    }
}
