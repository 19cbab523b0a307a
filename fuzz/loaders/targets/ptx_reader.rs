//! The PTX reader: any text gives a module or errors, never a panic; what it accepts runs or faults within a limit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use segra_ptx::{LaunchConfig, Memory, Module, Options, launch};

/// Parameter blocks and local memory beyond this only cost time.
const LARGEST: u32 = 1 << 16;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(module) = Module::parse(text) else { return };
    let mut memory = Memory::new(1 << 16);
    let Ok(buffer) = memory.alloc(1024, "buffer") else { return };
    let options = Options {
        threads: Some(1),
        instruction_limit: Some(5000),
        shared_limit: LARGEST,
        ..Options::default()
    };
    for kernel in module.kernels() {
        if kernel.param_bytes() > LARGEST || kernel.local_bytes() > LARGEST {
            continue;
        }
        let params: Vec<u8> = buffer.to_le_bytes().into_iter().cycle().take(kernel.param_bytes() as usize).collect();
        let block = kernel.required_threads().unwrap_or([33, 1, 1]);
        let config = LaunchConfig { grid: [2, 1, 1], block, dynamic_shared: 64 };
        let _ = launch(&module, kernel.name(), &config, &params, &memory, &options);
    }
});
