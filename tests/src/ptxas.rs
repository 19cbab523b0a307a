//! Runs NVIDIA's assembler on PTX and reads what it says about registers, spills and memory.
//!
//! Only tests use it: Segra itself ships PTX and needs no CUDA toolkit.

use crate::case;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs, io};

/// The assembler of this machine.
#[derive(Clone, Debug)]
pub struct Ptxas {
    path: PathBuf,
}

/// The resources of one kernel, as `ptxas -v` reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelUsage {
    /// The entry's name.
    pub name: String,
    /// Registers per thread.
    pub registers: u32,
    /// Bytes of stack per thread (arrays that did not fit into registers).
    pub stack_bytes: u32,
    /// Bytes stored to local memory for want of registers.
    pub spill_store_bytes: u32,
    /// Bytes loaded back.
    pub spill_load_bytes: u32,
    /// Bytes of static shared memory per thread block.
    pub shared_bytes: u32,
    /// Bytes of its instructions, with those that fill up the last line.
    pub code_bytes: u64,
}

/// Why PTX could not be assembled.
#[derive(Debug, thiserror::Error)]
pub enum PtxasError {
    /// There is no assembler.
    #[error(
        "ptxas not found: set SEGRA_PTXAS to it, put it on PATH, or run tools/setup, which fetches it"
    )]
    NotFound,
    /// The assembler could not be run.
    #[error("cannot run {path}: {source}")]
    Run {
        /// The program.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The assembler refuses the PTX.
    #[error("ptxas refuses the PTX for {chip}:\n{output}")]
    Refused {
        /// The chip assembled for.
        chip: String,
        /// All it said.
        output: String,
    },
    /// The assembler's report has changed its form.
    #[error("cannot read the report of ptxas: {0}")]
    Report(String),
}

impl Ptxas {
    /// Finds the assembler: `SEGRA_PTXAS`, then what `tools/setup` put into `.tools`, then `PATH`.
    ///
    /// # Errors
    /// [`PtxasError::NotFound`], with what to do.
    pub fn find() -> Result<Self, PtxasError> {
        let given = env::var_os("SEGRA_PTXAS").map(PathBuf::from);
        let on_path = env::var_os("PATH")
            .map(|path| {
                env::split_paths(&path)
                    .map(|folder| folder.join("ptxas"))
                    .collect::<Vec<_>>()
            })
            .unwrap_or_default();
        let local = case::folder().join("../.tools/bin/ptxas");
        let mut candidates = given.into_iter().chain([local]).chain(on_path);
        candidates
            .find(|path| path.is_file())
            .map(|path| Self { path })
            .ok_or(PtxasError::NotFound)
    }

    /// Assembles `ptx` for `chip` (such as `sm_80`) and reports each kernel, in the order ptxas names them.
    ///
    /// # Errors
    /// [`PtxasError::Refused`] with the assembler's words when the PTX is wrong.
    pub fn assemble(&self, ptx: &str, chip: &str) -> Result<Vec<KernelUsage>, PtxasError> {
        let failed = |source| PtxasError::Run {
            path: self.path.clone(),
            source,
        };
        let folder = tempfile::tempdir().map_err(failed)?;
        let input = folder.path().join("kernel.ptx");
        fs::write(&input, ptx).map_err(failed)?;
        let cubin = folder.path().join("kernel.cubin");
        let output = Command::new(&self.path)
            .arg("--verbose")
            .arg(format!("--gpu-name={chip}"))
            .arg("--output-file")
            .arg(&cubin)
            .arg(&input)
            .output()
            .map_err(failed)?;
        let report = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        if !output.status.success() {
            return Err(PtxasError::Refused {
                chip: chip.to_owned(),
                output: report,
            });
        }
        let mut kernels = parse_report(&report)?;
        let code = fs::read(&cubin).map_err(failed)?;
        for kernel in &mut kernels {
            let bytes = section_bytes(&code, &format!(".text.{}", kernel.name));
            let missing = || PtxasError::Report(format!("no code of {}", kernel.name));
            kernel.code_bytes = bytes.ok_or_else(missing)?;
        }
        Ok(kernels)
    }
}

/// Bytes of a section of an ELF file of 64 bits, little-endian.
fn section_bytes(file: &[u8], wanted: &str) -> Option<u64> {
    let number = |at: u64, bytes: u64| {
        let (from, to) = (usize::try_from(at).ok()?, at.checked_add(bytes)?);
        let bytes = file.get(from..usize::try_from(to).ok()?)?;
        let digits = bytes.iter().rev();
        Some(digits.fold(0, |all, &byte| all << 8 | u64::from(byte)))
    };
    let (table, size) = (number(0x28, 8)?, number(0x3a, 2)?);
    let (count, names) = (number(0x3c, 2)?, number(0x3e, 2)?);
    let header = |section: u64| table.checked_add(size * section);
    let names = number(header(names)?.checked_add(0x18)?, 8)?;
    (0..count).find_map(|section| {
        let header = header(section)?;
        let name = usize::try_from(names.checked_add(number(header, 4)?)?).ok()?;
        let name = file.get(name..)?.split(|&byte| byte == 0).next()?;
        (name == wanted.as_bytes()).then(|| number(header + 0x20, 8))?
    })
}

/// CUDA's library of device functions: `SEGRA_LIBDEVICE`, else what `tools/setup` put into `.tools`.
///
/// # Errors
/// There is none: what to do.
pub fn libdevice() -> Result<PathBuf, String> {
    let given = env::var_os("SEGRA_LIBDEVICE").map(PathBuf::from);
    let lib = case::folder().join("../.tools/lib");
    let pythons = fs::read_dir(lib)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let wheels = pythons.map(|python| python.join("site-packages/nvidia/cuda_nvcc"));
    let in_wheels = wheels.map(|wheel| wheel.join("nvvm/libdevice/libdevice.10.bc"));
    let missing = "libdevice.10.bc not found: set SEGRA_LIBDEVICE to it, or run tools/setup, which fetches it";
    given
        .into_iter()
        .chain(in_wheels)
        .find(|path| path.is_file())
        .ok_or_else(|| missing.to_owned())
}

impl KernelUsage {
    /// Whether registers were moved to memory.
    pub fn spills(&self) -> bool {
        self.spill_store_bytes > 0 || self.spill_load_bytes > 0
    }
}

/// Reads the report: per kernel a line that names it, one about the stack and spills, one about registers.
fn parse_report(report: &str) -> Result<Vec<KernelUsage>, PtxasError> {
    let mut kernels: Vec<KernelUsage> = Vec::new();
    for line in report.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let name = rest.split('\'').next().unwrap_or_default().to_owned();
            kernels.push(KernelUsage {
                name,
                ..KernelUsage::default()
            });
        } else if line.contains("bytes stack frame") {
            let Some(kernel) = kernels.last_mut() else {
                continue;
            };
            kernel.stack_bytes = number_before(line, " bytes stack frame")?;
            kernel.spill_store_bytes = number_before(line, " bytes spill stores")?;
            kernel.spill_load_bytes = number_before(line, " bytes spill loads")?;
        } else if line.contains(": Used ") {
            let Some(kernel) = kernels.last_mut() else {
                continue;
            };
            kernel.registers = number_before(line, " registers")?;
            if line.contains(" bytes smem") {
                kernel.shared_bytes = number_before(line, " bytes smem")?;
            }
        }
    }
    Ok(kernels)
}

/// The number that stands right before `unit`.
fn number_before(line: &str, unit: &str) -> Result<u32, PtxasError> {
    line.split_once(unit)
        .and_then(|(before, _)| {
            before
                .rsplit(|character: char| !character.is_ascii_digit())
                .next()
        })
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| PtxasError::Report(line.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_kernel_by_kernel() {
        let report = "ptxas info    : 0 bytes gmem\n\
            ptxas info    : Compiling entry function 'first' for 'sm_90'\n\
            ptxas info    : Function properties for first\n    \
            16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n\
            ptxas info    : Used 32 registers, used 1 barriers, 16 bytes cumulative stack size, 1024 bytes smem\n\
            ptxas info    : Compiling entry function 'second' for 'sm_90'\n\
            ptxas info    : Function properties for second\n    \
            0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n\
            ptxas info    : Used 8 registers, used 0 barriers\n";
        let first = KernelUsage {
            name: "first".to_owned(),
            registers: 32,
            stack_bytes: 16,
            spill_store_bytes: 8,
            spill_load_bytes: 4,
            shared_bytes: 1024,
            ..KernelUsage::default()
        };
        let second = KernelUsage {
            name: "second".to_owned(),
            registers: 8,
            ..KernelUsage::default()
        };
        let kernels = parse_report(report).unwrap();
        assert!(kernels[0].spills() && !kernels[1].spills());
        assert_eq!(kernels, [first, second]);
    }

    #[test]
    fn an_unreadable_report_is_an_error() {
        let report = "Compiling entry function 'k' for 'sm_90'\nptxas info : Used many registers\n";
        assert!(matches!(parse_report(report), Err(PtxasError::Report(_))));
    }
}
