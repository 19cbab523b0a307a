//! Reading and running what the scripts beside this file write: `NAME.ptx` and `NAME.run`.

use crate::common::Device;
use segra_ptx::{LaunchConfig, Module, launch};
use std::fs;
use std::path::{Path, PathBuf};

/// One kernel with its arguments and results.
pub(crate) struct Program {
    pub(crate) name: String,
    directory: PathBuf,
    lines: Vec<Vec<String>>,
}

/// A buffer that must hold the values of a file.
struct Expected {
    buffer: usize,
    file: String,
    ty: String,
    tolerance: f64,
}

impl Program {
    /// Every program of a directory, by name.
    pub(crate) fn all(directory: &Path) -> Vec<Program> {
        let entries = fs::read_dir(directory).expect("the compilers wrote here");
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let runs = paths
            .iter()
            .filter(|path| path.extension().is_some_and(|extension| extension == "run"));
        runs.map(|path| Program {
            name: path
                .file_stem()
                .map(|stem| stem.to_string_lossy().into_owned())
                .unwrap_or_default(),
            directory: directory.to_owned(),
            lines: fs::read_to_string(path)
                .expect("listed above")
                .lines()
                .map(|line| line.split_whitespace().map(str::to_owned).collect())
                .collect(),
        })
        .collect()
    }

    /// The numbers behind the first line that starts with a word.
    fn numbers(&self, word: &str) -> Vec<u32> {
        let line = self.lines.iter().find(|line| line[0] == word);
        line.map_or(Vec::new(), |line| {
            line[1..]
                .iter()
                .map(|text| text.parse().unwrap_or(0))
                .collect()
        })
    }

    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Runs the kernel; the number of instructions its threads executed, or what is wrong.
    pub(crate) fn run(&self) -> Result<u64, String> {
        let text = String::from_utf8_lossy(&self.file(&format!("{}.ptx", self.name))).into_owned();
        let module = Module::parse(&text).map_err(|errors| {
            errors
                .iter()
                .take(12)
                .map(|e| format!("\n    {e}"))
                .collect::<String>()
        })?;
        let mut device = Device::new();
        device.options.instruction_limit = Some(1 << 30);
        let (mut buffers, mut params, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for line in &self.lines {
            match line[0].as_str() {
                "buffer" => {
                    let data = match line[1].as_str() {
                        "-" => vec![0; line[2].parse().map_err(|_| "a size is no number")?],
                        name => self.file(name),
                    };
                    let address = device.buffer(&format!("buffer {}", buffers.len()), &data);
                    buffers.push((address, data.len()));
                    push(&mut params, &address.to_le_bytes());
                }
                "u32" => push(
                    &mut params,
                    &(line[1].parse::<i64>().unwrap_or(0) as u32).to_le_bytes(),
                ),
                "f32" => push(
                    &mut params,
                    &line[1].parse::<f32>().unwrap_or(f32::NAN).to_le_bytes(),
                ),
                "result" => expected.push(Expected {
                    buffer: line[1].parse().map_err(|_| "a buffer is no number")?,
                    file: line[2].clone(),
                    ty: line[3].clone(),
                    tolerance: line[4].parse().map_err(|_| "a tolerance is no number")?,
                }),
                _ => {}
            }
        }
        let name = self
            .lines
            .iter()
            .find(|line| line[0] == "kernel")
            .map(|line| line[1].clone());
        let name = name.unwrap_or_default();
        let kernel = module
            .kernel(&name)
            .ok_or_else(|| format!("no kernel `{name}`"))?;
        // Compilers add pointers to scratch memory these kernels do not use.
        params.resize(kernel.param_bytes() as usize, 0);
        let grid = self.numbers("grid");
        let block = self.numbers("block");
        let config = LaunchConfig {
            grid: [0, 1, 2].map(|axis| grid.get(axis).copied().unwrap_or(1)),
            block: [0, 1, 2].map(|axis| block.get(axis).copied().unwrap_or(1)),
            dynamic_shared: self.numbers("shared").first().copied().unwrap_or(0),
        };
        let stats = launch(
            &module,
            &name,
            &config,
            &params,
            &device.memory,
            &device.options,
        )
        .map_err(|fault| fault.to_string())?;
        for result in &expected {
            let (address, bytes) = buffers[result.buffer];
            self.compare(result, &device.read::<u8>(address, bytes))?;
        }
        Ok(stats.thread_instructions)
    }

    fn compare(&self, expected: &Expected, got: &[u8]) -> Result<(), String> {
        let (got, wanted) = (
            values(&expected.ty, got),
            values(&expected.ty, &self.file(&expected.file)),
        );
        if wanted.is_empty() || got.len() < wanted.len() {
            return Err(format!("{} values, not {}", got.len(), wanted.len()));
        }
        let largest = wanted
            .iter()
            .fold(1.0f64, |largest, value| largest.max(value.abs()));
        for (at, (got, wanted)) in got.iter().zip(&wanted).enumerate() {
            let near = (got - wanted).abs() <= expected.tolerance * largest;
            if !near {
                return Err(format!(
                    "element {at} of buffer {} is {got}, not {wanted}",
                    expected.buffer
                ));
            }
        }
        Ok(())
    }
}

/// Appends a parameter at a multiple of its size.
fn push(params: &mut Vec<u8>, bytes: &[u8]) {
    params.resize(params.len().next_multiple_of(bytes.len()), 0);
    params.extend(bytes);
}

/// The numbers of an array file.
fn values(ty: &str, bytes: &[u8]) -> Vec<f64> {
    match ty {
        "float32" => bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|&b| f64::from(f32::from_le_bytes(b)))
            .collect(),
        "float16" => bytes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|&b| f64::from(half::f16::from_le_bytes(b)))
            .collect(),
        _ => bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|&b| f64::from(i32::from_le_bytes(b)))
            .collect(),
    }
}
