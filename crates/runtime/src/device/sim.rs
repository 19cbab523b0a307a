//! The simulator as a device: runs the PTX that a GPU would load, on the host (segra-ptx).
//!
//! A launch has ended when it returns; its outcome carries the simulator's counters, and the time it took to simulate
//! (which says nothing about hardware). Launches may run at the same time from several threads; allocating and
//! copying wait for them. Checkers and profiles are the simulator's; [`SimOptions`] switches them on.

use super::{
    Device, DeviceError, DeviceInfo, DeviceKind, DevicePtr, KernelArg, KernelLaunch, LaunchOutcome,
    MemoryInfo, ModuleHandle,
};
use segra_artifact::{SourceMap, Target};
use segra_ptx::{
    Argument, Checks, DEFAULT_INSTRUCTION_LIMIT, FaultReason, Finding, Kernel, LaunchConfig,
    LaunchStats, Machine, Memory, MemoryError, Module, Options, ProfileOptions, Sample,
    TraceOptions,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Instant;

/// The machine to simulate.
#[derive(Clone, Debug, PartialEq)]
pub struct SimOptions {
    /// Decides which of an artifact's targets is run.
    pub compute_capability: (u32, u32),
    /// Size of device memory in bytes; the host commits only what is used. Halved until the host can promise it.
    pub memory_bytes: u64,
    /// Shared memory a block may have, in bytes.
    pub max_shared_bytes: u32,
    /// Host threads; `None` takes one per core.
    pub threads: Option<usize>,
    /// Stops a thread block after so many warp instructions: an endless loop becomes an error.
    pub instruction_limit: Option<u64>,
    /// The checks beyond those hardware stops at. A launch with findings fails with them as its report.
    pub checks: Checks,
    /// Makes a profile of every launch, for this GPU. Simulation is then several times slower.
    pub profile: Option<Machine>,
    /// Which thread blocks run for a profile. With a sample, launches do not compute their results.
    pub sample: Sample,
    /// Records the accesses of every launch, with a profile.
    pub trace: Option<TraceOptions>,
}

impl SimOptions {
    /// As by default, with all checkers: uninitialised reads and data races fail the launch, leaks can be asked for.
    pub fn checked() -> SimOptions {
        SimOptions {
            checks: Checks::ALL,
            ..SimOptions::default()
        }
    }
}

impl Default for SimOptions {
    /// A chip like the H100 with 16 GiB of memory, all host cores, the simulator's default limit of instructions.
    fn default() -> SimOptions {
        SimOptions {
            compute_capability: (9, 0),
            memory_bytes: 16 << 30,
            max_shared_bytes: 227 * 1024,
            threads: None,
            instruction_limit: Some(DEFAULT_INSTRUCTION_LIMIT),
            checks: Checks::FAULTS,
            profile: None,
            sample: Sample::All,
            trace: None,
        }
    }
}

/// The simulator.
pub struct SimDevice {
    info: DeviceInfo,
    options: Options,
    memory_bytes: u64,
    memory: RwLock<Memory>,
    modules: Mutex<Modules>,
}

#[derive(Default)]
struct Modules {
    loaded: HashMap<u64, Loaded>,
    next: u64,
}

#[derive(Clone)]
struct Loaded {
    module: Arc<Module>,
    kernels: Arc<[String]>,
}

impl SimDevice {
    /// A simulator with empty memory.
    pub fn new(options: &SimOptions) -> SimDevice {
        let info = DeviceInfo {
            kind: DeviceKind::Simulator,
            name: "PTX simulator".to_owned(),
            compute_capability: options.compute_capability,
            max_grid: [i32::MAX as u32, 65_535, 65_535],
            max_block: [1024, 1024, 64],
            max_threads_per_block: 1024,
            max_shared_bytes: options.max_shared_bytes,
        };
        let launch_options = Options {
            threads: options.threads,
            instruction_limit: options.instruction_limit,
            shared_limit: options.max_shared_bytes,
            checks: options.checks,
            profile: options.profile.clone().map(|machine| ProfileOptions {
                machine,
                registers: None,
                sample: options.sample,
                trace: options.trace,
            }),
            cancel: None,
        };
        let memory_bytes = promised(options.memory_bytes);
        SimDevice {
            info,
            options: launch_options,
            memory_bytes,
            memory: RwLock::new(Memory::new(memory_bytes)),
            modules: Mutex::default(),
        }
    }

    /// Names and sizes in bytes of the allocations that are live: after a run, what it leaked.
    pub fn live_allocations(&self) -> Vec<(String, u64)> {
        self.shared()
            .live_allocations()
            .iter()
            .map(|live| (live.name.clone(), live.bytes))
            .collect()
    }

    // A thread that panicked while it held a lock leaves consistent tables and, at worst, half-copied bytes.
    fn shared(&self) -> RwLockReadGuard<'_, Memory> {
        self.memory.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn exclusive(&self) -> RwLockWriteGuard<'_, Memory> {
        self.memory.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn modules(&self) -> MutexGuard<'_, Modules> {
        self.modules.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn loaded(&self, handle: ModuleHandle) -> Result<Loaded, DeviceError> {
        let not_loaded = || DeviceError::Memory("launch of a kernel that is not loaded".to_owned());
        self.modules()
            .loaded
            .get(&handle.0)
            .cloned()
            .ok_or_else(not_loaded)
    }
}

/// The most memory up to `bytes` that the host can promise: a failed allocation would end the process.
fn promised(bytes: u64) -> u64 {
    let mut bytes = bytes;
    let possible = |bytes: u64| {
        usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
    };
    while bytes > 1 && !possible(bytes) {
        bytes /= 2;
    }
    bytes
}

fn memory_error(error: MemoryError, total: u64) -> DeviceError {
    match error {
        MemoryError::OutOfMemory {
            requested: wanted,
            free,
            ..
        } => DeviceError::OutOfMemory {
            wanted,
            free,
            total,
        },
        other => DeviceError::Memory(other.to_string()),
    }
}

/// The kernel's parameter block: each argument at the offset its declaration has.
fn parameter_block(kernel: &Kernel, args: &[KernelArg]) -> Result<Vec<u8>, DeviceError> {
    let arguments: Vec<Argument> = args
        .iter()
        .map(|arg| Ok(Argument::Bytes(arg.bytes()?)))
        .collect::<Result<_, DeviceError>>()?;
    kernel
        .parameter_block(&arguments)
        .map_err(|_| DeviceError::Signature {
            kernel: kernel.name().to_owned(),
            declared: kernel
                .params()
                .iter()
                .map(|param| param.size as usize)
                .collect(),
            given: args.iter().map(|arg| arg.size()).collect(),
        })
}

/// The findings of the checkers, one paragraph each.
fn findings(found: &[Finding]) -> String {
    found
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join("\n")
}

fn counters(stats: &LaunchStats) -> Vec<(&'static str, u64)> {
    let classes = &stats.warp_instructions;
    vec![
        ("blocks", stats.blocks),
        ("threads", stats.threads),
        ("thread_instructions", stats.thread_instructions),
        ("warp_instructions", classes.total()),
        ("warp_instructions.integer", classes.integer),
        ("warp_instructions.float32", classes.float32),
        ("warp_instructions.float64", classes.float64),
        ("warp_instructions.half", classes.half),
        ("warp_instructions.special", classes.special),
        ("warp_instructions.load", classes.load),
        ("warp_instructions.store", classes.store),
        ("warp_instructions.atomic", classes.atomic),
        ("warp_instructions.control", classes.control),
        ("warp_instructions.barrier", classes.barrier),
        ("warp_instructions.warp", classes.warp),
        ("warp_instructions.tensor", classes.tensor),
        ("branches", stats.branches),
        ("branches.divergent", stats.divergent_branches),
        ("barriers", stats.barriers),
        ("global_requests", stats.global_requests),
        ("global_loads", stats.global_loads),
        ("global_stores", stats.global_stores),
        ("global_atomics", stats.global_atomics),
        ("global_bytes_read", stats.global_bytes_read),
        ("global_bytes_written", stats.global_bytes_written),
        ("global_sectors_read", stats.global_sectors_read),
        ("global_sectors_written", stats.global_sectors_written),
        ("global_sectors_atomic", stats.global_sectors_atomic),
        ("shared_loads", stats.shared_loads),
        ("shared_stores", stats.shared_stores),
        ("shared_atomics", stats.shared_atomics),
    ]
}

impl Device for SimDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn memory(&self) -> Result<MemoryInfo, DeviceError> {
        let used: u64 = self
            .shared()
            .live_allocations()
            .iter()
            .map(|live| live.bytes)
            .sum();
        Ok(MemoryInfo {
            free: self.memory_bytes.saturating_sub(used),
            total: self.memory_bytes,
        })
    }

    fn load(
        &self,
        target: &Target,
        kernels: &[&str],
        sources: &SourceMap,
    ) -> Result<ModuleHandle, DeviceError> {
        const SHOWN: usize = 10;
        let chip = target.chip.to_string();
        let mut module = Module::parse(&target.ptx).map_err(|errors| {
            let mut lines: Vec<String> =
                errors.iter().take(SHOWN).map(ToString::to_string).collect();
            if errors.len() > SHOWN {
                lines.push(format!("and {} more", errors.len() - SHOWN));
            }
            DeviceError::Load {
                chip: chip.clone(),
                log: lines.join("\n"),
            }
        })?;
        if let Some(kernel) = kernels.iter().find(|name| module.kernel(name).is_none()) {
            return Err(DeviceError::MissingKernel {
                chip,
                kernel: (*kernel).to_owned(),
            });
        }
        module.name_sources(sources.named_ops());
        let kernels = kernels.iter().map(|name| (*name).to_owned()).collect();
        let mut modules = self.modules();
        let handle = modules.next;
        modules.next += 1;
        modules.loaded.insert(
            handle,
            Loaded {
                module: Arc::new(module),
                kernels,
            },
        );
        Ok(ModuleHandle(handle))
    }

    fn unload(&self, module: ModuleHandle) -> Result<(), DeviceError> {
        self.modules().loaded.remove(&module.0);
        Ok(())
    }

    fn alloc(&self, bytes: u64, name: &str) -> Result<DevicePtr, DeviceError> {
        let allocated = self.exclusive().alloc(bytes, name);
        allocated
            .map(DevicePtr)
            .map_err(|error| memory_error(error, self.memory_bytes))
    }

    fn renew(&self, ptr: DevicePtr, bytes: u64, name: &str) -> Result<(), DeviceError> {
        let renewed = self.exclusive().renew(ptr.0, bytes, name);
        renewed.map_err(|error| memory_error(error, self.memory_bytes))
    }

    fn free(&self, ptr: DevicePtr) -> Result<(), DeviceError> {
        self.exclusive()
            .free(ptr.0)
            .map_err(|error| memory_error(error, self.memory_bytes))
    }

    fn upload(&self, dst: DevicePtr, data: &[u8]) -> Result<(), DeviceError> {
        self.exclusive()
            .write(dst.0, data)
            .map_err(|error| memory_error(error, self.memory_bytes))
    }

    fn download(&self, src: DevicePtr, out: &mut [u8]) -> Result<(), DeviceError> {
        self.shared()
            .read(src.0, out)
            .map_err(|error| memory_error(error, self.memory_bytes))
    }

    fn copy(&self, dst: DevicePtr, src: DevicePtr, bytes: u64) -> Result<(), DeviceError> {
        const CHUNK: u64 = 1 << 20;
        let mut memory = self.exclusive();
        let mut buffer = vec![0u8; bytes.min(CHUNK) as usize];
        let mut done = 0;
        while done < bytes {
            let part = &mut buffer[..(bytes - done).min(CHUNK) as usize];
            memory
                .read(src.0 + done, part)
                .and_then(|()| memory.write(dst.0 + done, part))
                .map_err(|error| memory_error(error, self.memory_bytes))?;
            done += part.len() as u64;
        }
        Ok(())
    }

    fn fill(&self, dst: DevicePtr, pattern: &[u8], count: u64) -> Result<(), DeviceError> {
        const REPEATS: u64 = 1 << 17;
        let repeated = pattern.repeat(count.min(REPEATS) as usize);
        let bytes = count.saturating_mul(pattern.len() as u64);
        let mut memory = self.exclusive();
        let mut done = 0;
        while done < bytes {
            let part = &repeated[..(bytes - done).min(repeated.len() as u64) as usize];
            memory
                .write(dst.0 + done, part)
                .map_err(|error| memory_error(error, self.memory_bytes))?;
            done += part.len() as u64;
        }
        Ok(())
    }

    fn launch(&self, launch: &KernelLaunch<'_>) -> Result<LaunchOutcome, DeviceError> {
        let loaded = self.loaded(launch.module)?;
        let name = loaded.kernels.get(launch.kernel).map_or("", String::as_str);
        let Some(kernel) = loaded.module.kernel(name) else {
            return Err(DeviceError::Memory(
                "launch of a kernel that is not loaded".to_owned(),
            ));
        };
        let params = parameter_block(kernel, launch.args)?;
        let config = LaunchConfig {
            grid: launch.grid,
            block: launch.block,
            dynamic_shared: launch.dynamic_shared,
        };
        let options = Options {
            cancel: launch.cancel.cloned(),
            ..self.options.clone()
        };
        let started = Instant::now();
        let memory = self.shared();
        let stats = segra_ptx::launch(&loaded.module, name, &config, &params, &memory, &options)
            .map_err(|fault| {
                if fault.reason == FaultReason::Cancelled {
                    let kernel = name.to_owned();
                    return DeviceError::Cancelled { kernel };
                }
                // A finding before the fault may well be its cause.
                let found: Vec<Finding> = fault.findings().collect();
                DeviceError::Fault {
                    kernel: name.to_owned(),
                    report: findings(&found),
                }
            })?;
        if !stats.findings.is_empty() {
            return Err(DeviceError::Fault {
                kernel: name.to_owned(),
                report: findings(&stats.findings),
            });
        }
        let counters = counters(&stats);
        Ok(LaunchOutcome {
            time: Some(started.elapsed()),
            counters,
            profile: stats.profile,
        })
    }

    fn synchronize(&self) -> Result<(), DeviceError> {
        Ok(())
    }
}
