//! A device whose kernels are Rust functions, so that the executor is tested apart from any PTX.
//!
//! It checks every access, counts live allocations, and fails on demand.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

use segra_artifact::{
    Access, Artifact, Chip, ElemType, ErrorRecord, Kernel, KernelId, KernelParam, SourceMap, Target,
};
use segra_runtime::{
    Device, DeviceError, DeviceInfo, DeviceKind, DevicePtr, KernelArg, KernelLaunch, LaunchOutcome,
    MemoryInfo, ModuleHandle,
};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

const PTX: &str = ".version 7.0\n.target sm_80\n
    .visible .entry double(.param .u64 a, .param .u64 b, .param .u64 c) { ret; }
    .visible .entry sum(.param .u64 a, .param .u64 b, .param .u64 c) { ret; }
    .visible .entry check(.param .u64 a, .param .u64 b) { ret; }";
pub const DOUBLE: KernelId = KernelId(0);
pub const SUM: KernelId = KernelId(1);
pub const CHECK: KernelId = KernelId(2);

/// An artifact with the three kernels of the device and no entries. `output` is what `double` says of its output: it
/// writes it.
pub fn kernels(output: Access) -> Artifact {
    let mut artifact = Artifact::new("test");
    artifact.add_target(Chip::sm(8, 0), PTX);
    artifact.add_target(Chip::sm(9, 0), PTX);
    let buffer = |access| KernelParam::Buffer {
        elem: ElemType::F32,
        access,
    };
    let index = KernelParam::Scalar(ElemType::I64);
    for (name, params) in [
        ("double", vec![buffer(Access::Read), buffer(output), index]),
        (
            "sum",
            vec![buffer(Access::Read), buffer(Access::Write), index],
        ),
        ("check", vec![index, KernelParam::ErrorRecord]),
    ] {
        artifact.add_kernel(Kernel {
            name: name.to_owned(),
            params,
            static_shared_bytes: 1024,
            max_threads_per_block: 256,
            summary: String::new(),
            location: None,
        });
    }
    artifact
}

pub struct HostDevice {
    info: DeviceInfo,
    state: Mutex<State>,
}

#[derive(Default)]
pub struct State {
    allocations: BTreeMap<u64, Vec<u8>>,
    next: u64,
    modules: Vec<Vec<String>>,
    pub loaded_chip: String,
    pub unloaded: usize,
    /// Fails the call when it reaches 0.
    pub calls_left: Option<usize>,
}

fn bad(what: &str) -> DeviceError {
    DeviceError::Memory(what.to_owned())
}

impl State {
    fn step(&mut self) -> Result<(), DeviceError> {
        match &mut self.calls_left {
            Some(0) => Err(bad("failure on demand")),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    pub fn slice(&mut self, ptr: DevicePtr, bytes: usize) -> Result<&mut [u8], DeviceError> {
        let (start, data) = self
            .allocations
            .range_mut(..=ptr.0)
            .next_back()
            .ok_or_else(|| bad("no memory"))?;
        let from = (ptr.0 - start) as usize;
        data.get_mut(from..)
            .and_then(|rest| rest.get_mut(..bytes))
            .ok_or_else(|| bad("out of bounds"))
    }

    /// Reads beyond memory give NaN and writes there nothing, so that damaged programs run too.
    fn get(&mut self, ptr: DevicePtr, index: usize) -> f32 {
        let bytes = self
            .slice(ptr.offset(index as u64 * 4), 4)
            .ok()
            .and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(f32::NAN, f32::from_le_bytes)
    }

    fn set(&mut self, ptr: DevicePtr, index: usize, value: f32) {
        if let Ok(bytes) = self.slice(ptr.offset(index as u64 * 4), 4) {
            bytes.copy_from_slice(&value.to_le_bytes());
        }
    }

    fn run(&mut self, kernel: &str, launch: &KernelLaunch<'_>) {
        let ptr = |at: usize| match launch.args[at] {
            KernelArg::Pointer(ptr) => ptr,
            KernelArg::Scalar(_) | KernelArg::TensorMap(_) => DevicePtr::NULL,
        };
        let index = |at: usize| match launch.args[at] {
            KernelArg::Scalar(value) => value.as_i64().unwrap_or(0),
            KernelArg::Pointer(_) | KernelArg::TensorMap(_) => 0,
        };
        let threads = launch.grid[0] as usize * launch.block[0] as usize;
        match kernel {
            // double(in, out, n): out = 2 * in
            "double" | "step" => {
                for i in 0..threads.min(index(2) as usize) {
                    let value = self.get(ptr(0), i);
                    self.set(ptr(1), i, 2.0 * value);
                }
            }
            // sum(in, out, n): out[0] = sum of in
            "sum" => {
                let total = (0..index(2) as usize).map(|i| self.get(ptr(0), i)).sum();
                self.set(ptr(1), 0, total);
            }
            // check(limit, record): fails for thread `limit` and those after it
            "check" => {
                if threads as i64 > index(0) {
                    let record = self
                        .slice(ptr(1), ErrorRecord::SIZE)
                        .expect("the record is allocated");
                    record[..4].copy_from_slice(&1u32.to_le_bytes());
                    record[8..16].copy_from_slice(&index(0).to_le_bytes());
                    record[16..24].copy_from_slice(&(threads as i64).to_le_bytes());
                }
            }
            _ => panic!("no kernel {kernel}"),
        }
    }
}

impl HostDevice {
    pub fn new() -> Arc<HostDevice> {
        let info = DeviceInfo {
            kind: DeviceKind::Simulator,
            name: "host".to_owned(),
            compute_capability: (8, 6),
            max_grid: [i32::MAX as u32, 65535, 65535],
            max_block: [1024, 1024, 64],
            max_threads_per_block: 1024,
            max_shared_bytes: 48 * 1024,
        };
        Arc::new(HostDevice {
            info,
            state: Mutex::new(State {
                next: 0x1000,
                ..State::default()
            }),
        })
    }

    pub fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no test panics with the lock")
    }

    pub fn live(&self) -> usize {
        self.state().allocations.len()
    }
}

impl Device for HostDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }
    fn memory(&self) -> Result<MemoryInfo, DeviceError> {
        Ok(MemoryInfo {
            free: 1 << 30,
            total: 1 << 30,
        })
    }
    fn load(
        &self,
        target: &Target,
        kernels: &[&str],
        _sources: &SourceMap,
    ) -> Result<ModuleHandle, DeviceError> {
        let mut state = self.state();
        state.loaded_chip = target.chip.to_string();
        state
            .modules
            .push(kernels.iter().map(|name| (*name).to_owned()).collect());
        Ok(ModuleHandle(state.modules.len() as u64 - 1))
    }
    fn unload(&self, _module: ModuleHandle) -> Result<(), DeviceError> {
        self.state().unloaded += 1;
        Ok(())
    }
    fn alloc(&self, bytes: u64, _name: &str) -> Result<DevicePtr, DeviceError> {
        let mut state = self.state();
        state.step()?;
        assert!(bytes > 0);
        if bytes > 1 << 24 {
            return Err(DeviceError::OutOfMemory {
                wanted: bytes,
                free: 1 << 24,
                total: 1 << 24,
            });
        }
        let ptr = state.next;
        state.next += bytes.next_multiple_of(256) + 256;
        state.allocations.insert(ptr, vec![0xcd; bytes as usize]);
        Ok(DevicePtr(ptr))
    }
    fn free(&self, ptr: DevicePtr) -> Result<(), DeviceError> {
        self.state()
            .allocations
            .remove(&ptr.0)
            .map(|_| ())
            .ok_or_else(|| bad("double free"))
    }
    fn upload(&self, dst: DevicePtr, data: &[u8]) -> Result<(), DeviceError> {
        let mut state = self.state();
        state.step()?;
        state.slice(dst, data.len())?.copy_from_slice(data);
        Ok(())
    }
    fn download(&self, src: DevicePtr, out: &mut [u8]) -> Result<(), DeviceError> {
        let mut state = self.state();
        state.step()?;
        out.copy_from_slice(state.slice(src, out.len())?);
        Ok(())
    }
    fn copy(&self, dst: DevicePtr, src: DevicePtr, bytes: u64) -> Result<(), DeviceError> {
        let mut state = self.state();
        state.step()?;
        let data = state.slice(src, bytes as usize)?.to_vec();
        state.slice(dst, bytes as usize)?.copy_from_slice(&data);
        Ok(())
    }
    fn fill(&self, dst: DevicePtr, pattern: &[u8], count: u64) -> Result<(), DeviceError> {
        let mut state = self.state();
        state.step()?;
        let bytes = pattern.len() * count as usize;
        state
            .slice(dst, bytes)?
            .copy_from_slice(&pattern.repeat(count as usize));
        Ok(())
    }
    fn launch(&self, launch: &KernelLaunch<'_>) -> Result<LaunchOutcome, DeviceError> {
        let mut state = self.state();
        state.step()?;
        let name = state.modules[launch.module.0 as usize][launch.kernel].clone();
        state.run(&name, launch);
        Ok(LaunchOutcome::default())
    }
    fn synchronize(&self) -> Result<(), DeviceError> {
        self.state().step()
    }
}
