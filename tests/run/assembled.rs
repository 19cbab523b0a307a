//! PTX before NVIDIA's assembler: accepted for every target, with all values in registers.
//!
//! Deliberately absent: bounds on registers; they are the assembler's business as long as nothing spills.

use crate::rendered;
use libtest_mimic::Trial;
use segra::{Artifact, Chip, CompileOptions, Compiler, Program};
use segra_tests::case::{self, Failure};
use segra_tests::ptxas::Ptxas;

/// Compiles a program for all targets and assembles it. The number of kernels.
pub(crate) fn kernels(program: Program, options: CompileOptions) -> Result<usize, Failure> {
    let compiled = Compiler::new(options).compile(program);
    assemble(&compiled.map_err(|failure| rendered(&failure))?.artifact)
}

/// Assembles an artifact for all targets it has. The number of kernels.
pub(crate) fn assemble(artifact: &Artifact) -> Result<usize, Failure> {
    let ptxas = Ptxas::find().map_err(|error| error.to_string())?;
    let mut kernels = 0;
    for target in artifact
        .targets
        .iter()
        .filter(|target| !target.ptx.is_empty())
    {
        let chip = target.chip.to_string();
        let usage = ptxas
            .assemble(&target.ptx, &chip)
            .map_err(|error| error.to_string())?;
        if let Some(kernel) = usage
            .iter()
            .find(|kernel| kernel.spills() || kernel.stack_bytes > 0)
        {
            return Err(format!(
                "{} for {chip} needs memory for want of registers: {kernel:?}",
                kernel.name
            ));
        }
        kernels = usage.len();
    }
    if kernels != artifact.kernels.len() {
        return Err(format!(
            "{} kernels in the manifest, {kernels} assembled",
            artifact.kernels.len()
        ));
    }
    Ok(kernels)
}

/// Examples with symbolic sizes: how many kernels they are at most, and how many bytes of PTX for a target. A new version
/// of a kernel is worth more than it costs when it is compiled, or should not be there.
const AMOUNTS: [(&str, usize, usize); 5] = [
    ("matmul.mlir", 12, 150_000),
    ("blas/axpydot.blas", 5, 19_500),
    // Rows of any length are read side by side, with indices of 64 bits, too.
    ("blas/atax.blas", 35, 138_000),
    ("blas/bicgk.blas", 53, 205_000),
    ("blas/gemver.blas", 47, 220_000),
];

pub(crate) fn trials() -> Vec<Trial> {
    let promises = Trial::test("launch bounds and read-only loads of the examples", || {
        promises().map_err(Into::into)
    });
    let amounts = AMOUNTS.iter().map(|&(name, kernels, bytes)| {
        Trial::test(format!("amount of code: {name}"), move || {
            amount(name, kernels, bytes).map_err(Into::into)
        })
    });
    amounts.chain([promises]).collect()
}

/// Kernels and PTX of an example are no more than that, for each target.
fn amount(name: &str, kernels: usize, bytes: usize) -> Result<(), Failure> {
    let path = case::folder().join("../examples").join(name);
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let program = match name.ends_with(segra_blas::ENDING) {
        true => segra_blas::read(name, &text),
        false => Program::from_text(name, &text),
    };
    let compiled = program.and_then(|program| Compiler::default().compile(program));
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    let targets = artifact.targets.iter();
    let most = targets.map(|target| target.ptx.len()).max().unwrap_or(0);
    let found = artifact.kernels.len();
    match found <= kernels && (1..=bytes).contains(&most) {
        true => Ok(()),
        false => Err(format!(
            "{found} kernels, {most} bytes; at most {kernels} and {bytes} are wanted"
        )),
    }
}

/// Every kernel bounds the threads of its blocks; loads of what is only read go through the read-only cache. That is all
/// loads but those by which thread blocks of a scan see what others have written. In one version: outer versions also
/// load from arrays that each of their threads has written itself.
fn promises() -> Result<(), Failure> {
    let files = case::files(&case::folder().join("../examples"), "mlir");
    for path in files.map_err(|error| error.to_string())? {
        let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
        let name = path.display().to_string();
        let program = Program::from_text(&name, &text).map_err(|failure| rendered(&failure))?;
        let pipeline = "array-to-kernel-one,rows-in-blocks,kernel-to-gpu".to_owned();
        let options = CompileOptions {
            pipeline,
            ..CompileOptions::default()
        };
        let compiled = Compiler::new(options)
            .compile(program)
            .map_err(|failure| rendered(&failure))?;
        for target in &compiled.artifact.targets {
            for kernel in target.ptx.split(".entry ").skip(1) {
                let (head, body) = kernel.split_once('{').unwrap_or((kernel, ""));
                let loads = |line: &&str| line.contains("ld.") && line.contains("global");
                // Before PTX 7.4 (targets before sm_90) the hint to leave the L1 cache alone is a form without the modifier.
                let hinted =
                    |line: &str| line.contains("ld.global.cg.") && target.chip < Chip::sm(9, 0);
                let plain = |line: &&str| !line.contains(".nc.") && !hinted(line);
                let load = body
                    .lines()
                    .filter(loads)
                    .find(plain)
                    .filter(|_| !head.contains("_segscan_"));
                if !head.contains(".maxntid") || load.is_some() {
                    return Err(format!(
                        "{name}, {}: {load:?}, or no launch bound, in\n{head}",
                        target.chip
                    ));
                }
            }
        }
    }
    Ok(())
}
