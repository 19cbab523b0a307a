//! Launching a kernel: checks, then thread blocks in parallel on the host's cores.
//!
//! Blocks start in order of their linear index and each runs to its end on one host thread, so a block may wait for
//! one with a lower index (as single-pass scans do), never for one with a higher.

use crate::block::{BlockFault, BlockRunner, Shape};
use crate::check::{self, Checks, Findings, LaunchWatch};
use crate::exec::memory::Shared;
use crate::fault::{Fault, FaultReason, FaultReport, SourceLocation};
use crate::memory::Memory;
use crate::module::{Kernel, Module};
use crate::profile::{self, ProfileOptions};
use crate::stats::{Counters, LaunchStats};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Grid and block extents, x first, and the dynamic shared memory of each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchConfig {
    /// Thread blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
}

/// How to run a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Host threads; `None` takes one per core. One makes even racing programs repeatable.
    pub threads: Option<usize>,
    /// Stops a thread block that executes more warp instructions than this: an endless loop becomes a fault.
    pub instruction_limit: Option<u64>,
    /// Largest sum of static and dynamic shared memory of a block.
    pub shared_limit: u32,
    /// Which checkers watch.
    pub checks: Checks,
    /// Makes a profile. Blocks then run in the order of the machine it is for, and slower.
    pub profile: Option<ProfileOptions>,
    /// Stops the launch from another thread.
    pub cancel: Option<Cancel>,
}

/// A switch that stops the launches whose options hold it; clones are the same switch.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops the launches: each fails with [`FaultReason::Cancelled`] within some thousand instructions.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl PartialEq for Cancel {
    fn eq(&self, other: &Cancel) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Warp instructions a thread block may execute unless the options say otherwise: minutes of simulation, far beyond
/// any kernel that ends.
pub const DEFAULT_INSTRUCTION_LIMIT: u64 = 1 << 33;

impl Default for Options {
    /// All cores, [`DEFAULT_INSTRUCTION_LIMIT`], the 227 KiB of shared memory of an H100, all checkers.
    fn default() -> Options {
        Options {
            threads: None,
            instruction_limit: Some(DEFAULT_INSTRUCTION_LIMIT),
            shared_limit: 227 * 1024,
            checks: Checks::ALL,
            profile: None,
            cancel: None,
        }
    }
}

/// Runs `kernel` over the grid. `params` is its parameter block: each parameter at its aligned offset.
///
/// # Errors
/// The fault of the thread block with the lowest linear index that has one, with what was counted, printed and found
/// until the launch stopped; memory then holds what was written by then.
#[allow(
    clippy::result_large_err,
    reason = "a launch fails at most once, and callers want the fault by value"
)]
pub fn launch(
    module: &Module,
    kernel: &str,
    config: &LaunchConfig,
    params: &[u8],
    memory: &Memory,
    options: &Options,
) -> Result<LaunchStats, Fault> {
    let refuse = |text: String| {
        Fault::from(FaultReport {
            kernel: kernel.into(),
            line: 0,
            text: String::new(),
            source_location: None,
            block: [0; 3],
            thread: [0; 3],
            reason: FaultReason::Launch(text),
        })
    };
    let Some(found) = module.kernel(kernel) else {
        return Err(refuse(format!("the module has no kernel `{kernel}`")));
    };
    let shape = check(found, config, params, options).map_err(refuse)?;
    let code = found.code();
    let (globals, constants, bounds) =
        (module.globals(), module.constants(), options.checks.bounds);
    let shared = Shared {
        memory,
        globals,
        constants,
        params,
        code,
        bounds,
    };
    if !options.checks.uninitialised {
        memory.forget_written();
    }
    let watch = options.checks.watches().then(|| {
        let tracking = found.tracking(options.checks);
        Arc::new(LaunchWatch::new(
            code,
            tracking,
            options.checks,
            memory,
            module.globals().len(),
        ))
    });
    let blocks: u64 = config
        .grid
        .iter()
        .map(|&extent| u64::from(extent))
        .product();
    let threads = blocks * u64::from(shape.threads());
    let described = |findings| {
        check::describe(
            module,
            found,
            &shared,
            &shape,
            findings,
            options.checks.max_findings,
        )
    };
    let (stats, fault) = if let Some(wanted) = &options.profile {
        let mut run = profile::run(wanted, &shared, shape, options, watch.as_ref());
        let mut stats = run.counters.finish(blocks, threads, code);
        stats.findings = described(core::mem::take(&mut run.findings));
        let fault = run.fault.take();
        if fault.is_none() {
            stats.profile = Some(Box::new(profile::assemble(
                module, found, config, wanted, &stats, &run,
            )));
        }
        (stats, fault)
    } else {
        let run = run_grid(&shared, shape, options, watch.as_ref());
        (
            LaunchStats {
                findings: described(run.findings),
                ..run.counters.finish(blocks, threads, code)
            },
            run.fault,
        )
    };
    match fault {
        None => Ok(stats),
        Some((block, fault)) => Err(Fault::new(
            describe(module, found, config, block, fault),
            stats,
        )),
    }
}

/// What the blocks of a launch did until they ended or one had a fault: its index, and what.
struct Ran {
    counters: Counters,
    findings: Findings,
    fault: Option<(u64, BlockFault)>,
}

/// Runs all blocks, on as many host threads as the options say.
fn run_grid(
    shared: &Shared<'_>,
    shape: Shape,
    options: &Options,
    watch: Option<&Arc<LaunchWatch>>,
) -> Ran {
    let blocks: u64 = shape.grid.iter().map(|&extent| u64::from(extent)).product();
    let run = GridRun {
        next: AtomicU64::new(0),
        blocks,
        fault: Mutex::new(None),
        counters: Mutex::new(Counters::new(shared.code.insts.len())),
        findings: Mutex::default(),
    };
    let cores = options
        .threads
        .unwrap_or_else(rayon::current_num_threads)
        .max(1);
    let workers = cores.min(usize::try_from(blocks).unwrap_or(usize::MAX));
    let work = || run.work(BlockRunner::new(shared, shape, options, watch), shape.grid);
    if workers <= 1 {
        work();
    } else {
        rayon::scope(|scope| (0..workers).for_each(|_| scope.spawn(|_| work())));
    }
    let fault = run
        .fault
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let counters = run
        .counters
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let findings = run
        .findings
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    Ran {
        counters,
        findings,
        fault,
    }
}

/// What the host threads of a launch share.
struct GridRun {
    next: AtomicU64,
    blocks: u64,
    fault: Mutex<Option<(u64, BlockFault)>>,
    counters: Mutex<Counters>,
    findings: Mutex<Findings>,
}

impl GridRun {
    fn work(&self, mut runner: BlockRunner<'_>, grid: [u32; 3]) {
        loop {
            let block = self.next.fetch_add(1, Ordering::Relaxed);
            if block >= self.blocks {
                break;
            }
            let ended = runner.run(block, Shape::coordinates(grid, block));
            runner.counters.end_page(block);
            if let Err(fault) = ended {
                // No later block starts; earlier ones are running and may still report a lower index.
                self.next.store(self.blocks, Ordering::Relaxed);
                let mut slot = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
                if slot.as_ref().is_none_or(|(lowest, _)| block < *lowest) {
                    *slot = Some((block, fault));
                }
                break;
            }
        }
        let (counters, findings) = runner.results();
        self.counters
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .merge(&counters);
        self.findings
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .merge(findings);
    }
}

fn check(
    kernel: &Kernel,
    config: &LaunchConfig,
    params: &[u8],
    options: &Options,
) -> Result<Shape, String> {
    let [gx, gy, gz] = config.grid;
    let [bx, by, bz] = config.block;
    if gx == 0 || gy == 0 || gz == 0 || gx > i32::MAX as u32 || gy > 65_535 || gz > 65_535 {
        return Err(format!(
            "grid ({gx}, {gy}, {gz}) is outside 1 to (2147483647, 65535, 65535)"
        ));
    }
    let threads = u64::from(bx) * u64::from(by) * u64::from(bz);
    if threads == 0 || threads > 1024 || bz > 64 {
        return Err(format!(
            "block ({bx}, {by}, {bz}) is empty or larger than 1024 threads or 64 along z"
        ));
    }
    if let Some(limit) = kernel.max_threads() {
        let most: u64 = limit.iter().map(|&extent| u64::from(extent)).product();
        if threads > most {
            return Err(format!(
                "{threads} threads per block, but the kernel was compiled for {most} at most"
            ));
        }
    }
    if let Some(required) = kernel
        .required_threads()
        .filter(|&required| required != config.block)
    {
        return Err(format!(
            "block ({bx}, {by}, {bz}), but the kernel requires {required:?}"
        ));
    }
    if params.len() != kernel.param_bytes() as usize {
        return Err(format!(
            "{} bytes of parameters, but the kernel takes {}",
            params.len(),
            kernel.param_bytes()
        ));
    }
    let bytes = u64::from(kernel.code().static_shared) + u64::from(config.dynamic_shared);
    let Some(shared_bytes) = u32::try_from(bytes)
        .ok()
        .filter(|&bytes| bytes <= options.shared_limit)
    else {
        return Err(format!(
            "{bytes} bytes of shared memory, more than the limit of {}",
            options.shared_limit
        ));
    };
    Ok(Shape {
        grid: config.grid,
        block: config.block,
        dynamic_shared: config.dynamic_shared,
        shared_bytes,
    })
}

/// Where an instruction stands in the text and in the source.
pub(crate) struct Place {
    pub(crate) line: u32,
    pub(crate) text: String,
    pub(crate) source_location: Option<SourceLocation>,
}

impl Place {
    pub(crate) fn of(module: &Module, kernel: &Kernel, pc: u32) -> Place {
        let origin = kernel.code().origins.get(pc as usize);
        let line = origin.map_or(0, |origin| origin.line);
        let source_location = origin
            .and_then(|origin| origin.location)
            .and_then(|location| module.source(location));
        Place {
            line,
            text: module.line(line).into(),
            source_location,
        }
    }
}

fn describe(
    module: &Module,
    kernel: &Kernel,
    config: &LaunchConfig,
    block: u64,
    fault: BlockFault,
) -> FaultReport {
    let Place {
        line,
        text,
        source_location,
    } = Place::of(module, kernel, fault.pc);
    FaultReport {
        kernel: kernel.name().into(),
        line,
        text,
        source_location,
        block: Shape::coordinates(config.grid, block),
        thread: Shape::coordinates(config.block, fault.thread),
        reason: fault.reason,
    }
}
