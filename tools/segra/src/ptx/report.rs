//! The report of a launch, for people and as JSON.

use super::Ran;
use super::params::Buffers;
use crate::args::Ptx;
use crate::report::{Error, note, shown};
use crate::{output, profile, run};
use segra_ptx::{Finding, Kernel, LaunchStats};
use segra_runtime::{ELIDE_ABOVE, npy_bytes};
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;

/// Opcodes shown to people.
const OPCODES: usize = 12;

/// Writes results to the folder the command line names; gives their files.
pub(super) fn results(args: &Ptx, buffers: &Buffers) -> Result<Vec<PathBuf>, Error> {
    let Some(folder) = &args.output else {
        return Ok(Vec::new());
    };
    output::folder(folder)?;
    let mut files = Vec::new();
    for (index, result) in buffers.results.iter().enumerate() {
        let path = folder.join(format!("{index}.npy"));
        output::write(&path, &npy_bytes(&buffers.read(result)?.to_array()))?;
        files.push(path);
    }
    Ok(files)
}

/// The kernel's printed text and its results on standard output; counts and findings on standard error, where they go even
/// if standard output takes nothing.
pub(super) fn text(
    args: &Ptx,
    ran: &Ran,
    buffers: &Buffers,
    files: &[PathBuf],
) -> Result<(), Error> {
    let printed = values(ran, buffers, files).and_then(|out| output::print(&out));
    for finding in &ran.findings {
        let place = match finding.report.line {
            0 => shown(&args.file),
            line => format!("{}:{line}", shown(&args.file)),
        };
        let kind = finding.kind().name();
        note(&format!("{place}: {kind}: {finding}"));
    }
    if args.counters {
        note(counters_text(&ran.stats).trim_end());
    }
    if let Some(profile) = &ran.stats.profile {
        note(profile::kernels_text(&[profile], "").trim_end());
    }
    printed
}

/// The kernel's printed text, and its results or the files they are in.
fn values(ran: &Ran, buffers: &Buffers, files: &[PathBuf]) -> Result<String, Error> {
    let mut out = ran.stats.printed.clone();
    for (index, result) in buffers.results.iter().enumerate() {
        let value = buffers.read(result)?;
        match files.get(index) {
            Some(path) => out += &format!("{}: {}\n", shown(path), value.type_text()),
            None => out += &format!("{value}\n"),
        }
    }
    Ok(out)
}

fn counters_text(stats: &LaunchStats) -> String {
    let mut text = String::new();
    for (name, value) in counters(stats) {
        text += &format!("{name:24} {}\n", value.as_u64().unwrap_or(0));
    }
    let mut opcodes = stats.opcodes.clone();
    opcodes.sort_by_key(|count| core::cmp::Reverse(count.warp_instructions));
    for count in opcodes.iter().take(OPCODES) {
        text += &format!("  {:32} {}\n", count.opcode, count.warp_instructions);
    }
    text
}

fn counters(stats: &LaunchStats) -> Map<String, Json> {
    let counters = json!({
        "blocks": stats.blocks,
        "threads": stats.threads,
        "warp_instructions": stats.warp_instructions.total(),
        "thread_instructions": stats.thread_instructions,
        "branches": stats.branches,
        "divergent_branches": stats.divergent_branches,
        "barriers": stats.barriers,
        "global_loads": stats.global_loads,
        "global_stores": stats.global_stores,
        "global_atomics": stats.global_atomics,
        "global_bytes_read": stats.global_bytes_read,
        "global_bytes_written": stats.global_bytes_written,
        "global_sectors_read": stats.global_sectors_read,
        "global_sectors_written": stats.global_sectors_written,
        "global_sectors_atomic": stats.global_sectors_atomic,
        "shared_loads": stats.shared_loads,
        "shared_stores": stats.shared_stores,
        "shared_atomics": stats.shared_atomics,
    });
    match counters {
        Json::Object(counters) => counters,
        _ => Map::new(),
    }
}

/// Everything in one object.
pub(super) fn json(
    args: &Ptx,
    kernel: &Kernel,
    ran: &Ran,
    buffers: &Buffers,
    files: &[PathBuf],
) -> Json {
    let stats = &ran.stats;
    let results: Vec<Json> = buffers
        .results
        .iter()
        .enumerate()
        .filter_map(|(index, result)| {
            let array = buffers.read(result).ok()?.to_array();
            let file = files.get(index).map(|path| path.display().to_string());
            // A literal in a file, or too long to read, is not repeated.
            let elements = (file.is_none() && array.len() <= ELIDE_ABOVE)
                .then(|| array.scalars().map(run::number).collect::<Vec<_>>());
            Some(json!({
                "param": result.name, "type": array.elem().to_string(), "shape": array.shape(),
                "file": file, "elements": elements,
            }))
        })
        .collect();
    let opcodes: Map<String, Json> = stats
        .opcodes
        .iter()
        .map(|count| {
            let of =
                json!({ "warp": count.warp_instructions, "thread": count.thread_instructions });
            (count.opcode.clone(), of)
        })
        .collect();
    json!({
        "kernel": kernel.name(),
        "grid": args.grid.0,
        "block": args.block.0,
        "shared_bytes": u64::from(kernel.static_shared_bytes()) + u64::from(args.shared),
        "results": results,
        "printed": stats.printed,
        "counters": counters(stats),
        "instructions": stats.warp_instructions,
        "opcodes": opcodes,
        "findings": ran.findings.iter().map(finding).collect::<Vec<_>>(),
        "stopped": ran.stopped,
        "profile": stats.profile,
    })
}

fn finding(finding: &Finding) -> Json {
    let report = &finding.report;
    json!({
        "kind": finding.kind().name(),
        "message": report.reason.to_string(),
        "line": report.line,
        "text": report.text,
        "source": report.source_location.as_ref().map(ToString::to_string),
        "block": report.block,
        "thread": report.thread,
        "count": finding.count,
    })
}
