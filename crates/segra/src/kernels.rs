//! Which kernels a program became, and what chooses between its versions: plain tables for `explain` and for frontends.

use crate::choices;
use crate::compile::Compiled;
use segra_artifact::{Access, Artifact, KernelParam, Side};
use segra_ir::Severity;

/// One kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelSummary {
    /// Its name in PTX.
    pub name: String,
    /// Its summary; may be empty.
    pub summary: String,
    /// `file:line:column` of the source it comes from.
    pub location: String,
    /// Threads per block at most.
    pub threads: u32,
    /// Bytes of shared memory that every launch has.
    pub shared_bytes: u32,
    /// Bytes of it that launches ask for beyond those, as expressions; one for each that differs.
    pub dynamic_shared: Vec<String>,
    /// Buffers read, buffers written, scalars.
    pub params: [usize; 3],
    /// The index-space mapping; may be empty.
    pub mapping: String,
    /// Remarks of passes about the same place.
    pub reasons: Vec<String>,
}

/// The kernels of a compiled program, in order.
pub fn summaries(compiled: &Compiled) -> Vec<KernelSummary> {
    let artifact = &compiled.artifact;
    let ctx = compiled.lowered.ctx();
    let remarks: Vec<(String, String)> = compiled
        .remarks
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Remark)
        .filter_map(|diagnostic| {
            let place = diagnostic.fields(ctx).place?;
            Some((
                format!("{}:{}:{}", place.file, place.line, place.column),
                diagnostic.message.clone(),
            ))
        })
        .collect();
    let mut dynamic_shared = choices::dynamic_shared(artifact);
    let kernels = artifact.kernels.iter().enumerate().map(|(index, kernel)| {
        let location = artifact.location_text(kernel.location);
        let mut params = [0; 3];
        for param in &kernel.params {
            match param {
                KernelParam::Buffer {
                    access: Access::Read,
                    ..
                }
                | KernelParam::TensorMap(_) => params[0] += 1,
                KernelParam::Buffer { .. } => params[1] += 1,
                KernelParam::Scalar(_) | KernelParam::ErrorRecord => params[2] += 1,
            }
        }
        KernelSummary {
            name: kernel.name.clone(),
            summary: kernel.summary.clone(),
            reasons: remarks
                .iter()
                .filter(|row| row.0 == location)
                .map(|row| row.1.clone())
                .collect(),
            location,
            threads: kernel.max_threads_per_block,
            shared_bytes: kernel.static_shared_bytes,
            dynamic_shared: core::mem::take(&mut dynamic_shared[index]),
            params,
            mapping: compiled.mappings.get(index).cloned().unwrap_or_default(),
        }
    });
    kernels.collect()
}

/// A threshold between versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThresholdSummary {
    /// Its name, as tuning files and `--threshold` have it.
    pub name: String,
    /// Its value where nobody says otherwise.
    pub default: i64,
    /// The other side of the comparison: an expression over the sizes of the function's parameters.
    pub compared: String,
    /// The side of another threshold's choice it is asked on, such as `< main.top.0`; empty where it always is.
    pub under: String,
    /// `file:line:column` of the source it comes from.
    pub location: String,
}

/// The thresholds of a compiled program, outer choices before those inside them.
pub fn thresholds(artifact: &Artifact) -> Vec<ThresholdSummary> {
    let tunables = artifact.tunables.iter();
    let rows = tunables.map(|tunable| ThresholdSummary {
        name: tunable.name.clone(),
        default: tunable.default,
        compared: tunable.compared.clone(),
        under: tunable.under.map_or_else(String::new, |branch| {
            let sign = if branch.side == Side::AtLeast {
                ">="
            } else {
                "<"
            };
            format!("{sign} {}", artifact.tunable_name(branch.tunable))
        }),
        location: artifact.location_text(tunable.location),
    });
    rows.collect()
}
