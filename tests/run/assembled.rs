//! PTX before NVIDIA's assembler: accepted for every target, with all values in registers.
//!
//! Deliberately absent: bounds on registers; they are the assembler's business as long as nothing spills.

use crate::rendered;
use segra::{CompileOptions, Compiler, Program};
use segra_tests::case::Failure;
use segra_tests::ptxas::Ptxas;

/// Compiles a program for all targets and assembles it. The number of kernels.
pub(crate) fn kernels(program: Program, options: CompileOptions) -> Result<usize, Failure> {
    let ptxas = Ptxas::find().map_err(|error| error.to_string())?;
    let compiled = Compiler::new(options).compile(program);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    let mut kernels = 0;
    for target in artifact.targets.iter().filter(|target| !target.ptx.is_empty()) {
        let chip = target.chip.to_string();
        let usage = ptxas.assemble(&target.ptx, &chip).map_err(|error| error.to_string())?;
        if let Some(kernel) = usage.iter().find(|kernel| kernel.spills() || kernel.stack_bytes > 0) {
            return Err(format!("{} for {chip} needs memory for want of registers: {kernel:?}", kernel.name));
        }
        kernels = usage.len();
    }
    if kernels != artifact.kernels.len() {
        return Err(format!("{} kernels in the manifest, {kernels} assembled", artifact.kernels.len()));
    }
    Ok(kernels)
}
