//! Launching a kernel: checks, then thread blocks in parallel on the host's cores.
//!
//! Blocks start in order of their linear index, each on one host thread, and run to their end: a block may wait for one
//! with a lower index, as single-pass scans do. One that is still not done after [`PATIENCE`] instructions may wait for
//! one with a higher index, as barriers of the whole grid do: from then on blocks take turns, as many as [`TOGETHER`]
//! bytes hold.

use crate::block::{BlockFault, BlockRunner};
use crate::check::{self, Findings, LaunchWatch, Watch};
use crate::counters::Counters;
use crate::exec::observe::Observer;
use crate::exec::view::Shared;
use crate::fault::{FaultReason, FaultReport};
use crate::memory::Memory;
use crate::module::{Kernel, Module};
use crate::options::{LaunchConfig, Options, Shape};
use crate::place::Place;
use crate::profile;
use crate::stats::LaunchStats;
use crate::stopped::Fault;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Warp instructions after which a block may be waiting for one that has not begun.
const PATIENCE: u64 = 1 << 22;
/// Warp instructions of a turn, once some block may be waiting.
const TURN: u64 = 1 << 16;
/// Memory for blocks that take turns.
const TOGETHER: u64 = 1 << 30;

/// Runs `kernel` over the grid. `params` is its parameter block: each parameter at its aligned offset.
///
/// # Errors
/// The fault of the thread block with the lowest linear index that has one (where blocks take turns: the first), with what was
/// counted, printed and found until the launch stopped; memory then holds what was written by then.
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
    let checker = || {
        let watch = watch.as_ref()?;
        Some(Watch::new(watch.clone(), &shape, code.local_bytes))
    };
    let described = |checkers: Vec<Watch>| {
        let mut findings = Findings::default();
        for checker in checkers {
            findings.merge(checker.findings);
        }
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
        let (mut run, checkers) = profile::run(wanted, &shared, shape, options, checker);
        let mut stats = LaunchStats::of(&run.counters, blocks, threads, code);
        stats.findings = described(checkers);
        let fault = run.fault.take();
        if fault.is_none() {
            stats.profile = Some(Box::new(profile::assemble(
                module, found, config, wanted, &stats, &mut run,
            )));
        }
        (stats, fault)
    } else {
        let run = run_grid(&shared, shape, options, checker);
        (
            LaunchStats {
                findings: described(run.checkers),
                ..LaunchStats::of(&run.counters, blocks, threads, code)
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

/// The outcomes of a launch's blocks until they ended or one had a fault: its index, and the fault.
struct Ran<C> {
    counters: Counters,
    checkers: Vec<C>,
    fault: Option<(u64, BlockFault)>,
}

/// Runs all blocks, on as many host threads as the options say.
fn run_grid<C: Observer + Send>(
    shared: &Shared<'_>,
    shape: Shape,
    options: &Options,
    checker: impl Fn() -> Option<C> + Sync,
) -> Ran<C> {
    let blocks: u64 = shape.grid.iter().map(|&extent| u64::from(extent)).product();
    let run = GridRun {
        next: AtomicU64::new(0),
        blocks,
        waiting: AtomicBool::new(false),
        fault: Mutex::new(None),
        counters: Mutex::new(Counters::new(shared.code.insts.len())),
        checkers: Mutex::default(),
    };
    let cores = options
        .threads
        .unwrap_or_else(rayon::current_num_threads)
        .max(1);
    let workers = cores.min(usize::try_from(blocks).unwrap_or(usize::MAX));
    let together = TOGETHER / workers.max(1) as u64;
    let work = || {
        let runner = || BlockRunner::new(shared, shape, options, checker());
        run.work(runner, shape.grid, together)
    };
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
    let checkers = run
        .checkers
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    Ran {
        counters,
        checkers,
        fault,
    }
}

/// The state shared by the host threads of a launch.
struct GridRun<C> {
    next: AtomicU64,
    blocks: u64,
    /// Some block has run for so long that it may be waiting for one that has not begun.
    waiting: AtomicBool,
    fault: Mutex<Option<(u64, BlockFault)>>,
    counters: Mutex<Counters>,
    checkers: Mutex<Vec<C>>,
}

impl<C: Observer> GridRun<C> {
    /// The next block to start.
    fn take(&self) -> Option<u64> {
        let block = self.next.fetch_add(1, Ordering::Relaxed);
        (block < self.blocks).then_some(block)
    }

    fn work<'a>(&self, make: impl Fn() -> BlockRunner<'a, C>, grid: [u32; 3], together: u64) {
        let mut idle = vec![make()];
        let most = (together / idle[0].bytes().max(1)).max(1);
        let mut begun: VecDeque<(u64, BlockRunner<'a, C>)> = VecDeque::new();
        loop {
            // Who has waited gives way to who has not begun.
            if (begun.len() as u64) < most
                && let Some(block) = self.take()
            {
                let mut runner = idle.pop().unwrap_or_else(&make);
                runner.start(block, Shape::coordinates(grid, block));
                begun.push_front((block, runner));
            }
            let Some((block, mut runner)) = begun.pop_front() else {
                break;
            };
            let waiting = self.waiting.load(Ordering::Relaxed);
            match runner.turn(block, if waiting { TURN } else { PATIENCE }) {
                Ok(true) => {
                    runner.counters.end_page(block);
                    idle.push(runner);
                }
                Ok(false) => {
                    self.waiting.store(true, Ordering::Relaxed);
                    begun.push_back((block, runner));
                }
                Err(fault) => {
                    // No later block starts; earlier ones are running and may still report a lower index.
                    self.next.store(self.blocks, Ordering::Relaxed);
                    let mut slot = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
                    if slot.as_ref().is_none_or(|(lowest, _)| block < *lowest) {
                        *slot = Some((block, fault));
                    }
                    runner.counters.end_page(block);
                    idle.push(runner);
                    break;
                }
            }
            if self.waiting.load(Ordering::Relaxed) && self.has_fault() {
                break;
            }
        }
        let unfinished = begun.into_iter().map(|(block, mut runner)| {
            runner.counters.end_page(block);
            runner
        });
        for runner in idle.into_iter().chain(unfinished) {
            let (counters, checker) = runner.results();
            self.counters
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .merge(&counters);
            self.checkers
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend(checker);
        }
    }

    /// Some block has a fault: those that wait for it would do so forever.
    fn has_fault(&self) -> bool {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.is_some()
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
