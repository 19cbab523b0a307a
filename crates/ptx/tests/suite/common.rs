//! Support of the integration tests: a device with buffers, parameter blocks, and kernels from one instruction.
#![allow(dead_code, reason = "each test binary uses a part")]

use segra_ptx::{Fault, LaunchConfig, LaunchStats, Memory, Module, Options, launch};

/// A memory, and launches with parameters given as values.
pub(crate) struct Device {
    pub(crate) memory: Memory,
    pub(crate) options: Options,
}

/// A kernel argument.
#[derive(Clone, Copy)]
pub(crate) enum Arg {
    U32(u32),
    U64(u64),
    F32(f32),
}

impl Device {
    pub(crate) fn new() -> Device {
        let options = Options {
            instruction_limit: Some(1 << 24),
            ..Options::default()
        };
        Device {
            memory: Memory::new(1 << 24),
            options,
        }
    }

    pub(crate) fn buffer<T: Element>(&mut self, name: &str, values: &[T]) -> u64 {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.bytes()).collect();
        let address = self
            .memory
            .alloc(bytes.len() as u64, name)
            .expect("test data fits");
        self.memory.write(address, &bytes).expect("test data fits");
        address
    }

    pub(crate) fn read<T: Element>(&self, address: u64, count: usize) -> Vec<T> {
        let mut bytes = vec![0; count * T::SIZE];
        self.memory
            .read(address, &mut bytes)
            .expect("test data fits");
        bytes.chunks_exact(T::SIZE).map(T::of).collect()
    }

    pub(crate) fn try_launch(
        &self,
        module: &Module,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        args: &[Arg],
    ) -> Result<LaunchStats, Fault> {
        let config = LaunchConfig {
            grid,
            block,
            dynamic_shared: 0,
        };
        launch(
            module,
            kernel,
            &config,
            &params(args),
            &self.memory,
            &self.options,
        )
    }

    pub(crate) fn launch(
        &self,
        module: &Module,
        kernel: &str,
        grid: u32,
        block: u32,
        args: &[Arg],
    ) -> LaunchStats {
        let stats = self
            .try_launch(module, kernel, [grid, 1, 1], [block, 1, 1], args)
            .unwrap_or_else(|fault| panic!("{fault}"));
        assert!(stats.findings.is_empty(), "{}", stats.findings[0]);
        stats
    }
}

/// Lays arguments out as PTX does: each at a multiple of its size.
pub(crate) fn params(args: &[Arg]) -> Vec<u8> {
    let mut block = Vec::new();
    for arg in args {
        let bytes = match arg {
            Arg::U32(value) => value.to_le_bytes().to_vec(),
            Arg::F32(value) => value.to_le_bytes().to_vec(),
            Arg::U64(value) => value.to_le_bytes().to_vec(),
        };
        block.resize(block.len().next_multiple_of(bytes.len()), 0);
        block.extend(bytes);
    }
    block
}

pub(crate) trait Element: Copy {
    const SIZE: usize;
    fn bytes(self) -> Vec<u8>;
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! element {
    ($($t:ty),*) => {$(
        impl Element for $t {
            const SIZE: usize = size_of::<$t>();
            fn bytes(self) -> Vec<u8> {
                self.to_le_bytes().to_vec()
            }
            fn of(bytes: &[u8]) -> Self {
                <$t>::from_le_bytes(bytes.try_into().expect("test data fits"))
            }
        }
    )*};
}
element!(u8, u16, u32, u64, i32, i64, f32, f64);

pub(crate) fn parse(text: &str) -> Module {
    match Module::parse(text) {
        Ok(module) => module,
        Err(errors) => panic!(
            "{}",
            errors.iter().map(|e| format!("{e}\n")).collect::<String>()
        ),
    }
}

/// A module with one kernel: `params` is a parameter list, `body` the statements.
pub(crate) fn kernel(name: &str, params: &str, body: &str) -> String {
    format!(
        ".version 8.8\n.target sm_90a\n.address_size 64\n.visible .entry {name}({params})\n{{\n\
         .reg .pred %p<16>;\n.reg .b16 %rs<32>;\n.reg .b32 %r<64>;\n.reg .b64 %rd<64>;\n.reg .f32 %f<64>;\n\
         .reg .f64 %fd<32>;\n{body}\nret;\n}}\n"
    )
}
