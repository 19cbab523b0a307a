//! `segra explain --mapping`: compositions that map the spaces of kernels, with their scores, and the index code of the first.

use crate::args::Explain;
use crate::report::Error;
use crate::{output, source};
use segra::mappings::{Candidate, MappedOp, mappings};
use serde_json::json;

/// Most compositions of an op that are shown as text.
const MOST_SHOWN: usize = 12;

/// Shows what there is to choose from.
pub(super) fn explain(args: &Explain) -> Result<(), Error> {
    let compiler = source::compiler(&args.common);
    let found = mappings(&compiler, source::read_program(&args.file)?)?;
    if args.json {
        let rows: Vec<_> = found.iter().map(row).collect();
        return output::print(&format!("{}\n", json!({ "mappings": rows })));
    }
    if found.is_empty() {
        return output::print("no op of this program has a mapping to choose\n");
    }
    let mut text = String::new();
    for op in &found {
        text += &format!("{}: {}\n", op.place, op.what);
        if let Some(own) = &op.own {
            text += &format!("  given: {own}\n");
        }
        text += "  cycles  sectors   steps  full  operations; composition\n";
        for candidate in op.candidates.iter().take(MOST_SHOWN) {
            text += &line(candidate);
        }
        if op.candidates.len() > MOST_SHOWN {
            text += &format!("  and {} more\n", op.candidates.len() - MOST_SHOWN);
        }
        text += "  index code:\n";
        op.code
            .iter()
            .for_each(|line| text += &format!("    {line}\n"));
        text.push('\n');
    }
    output::print(&format!(
        "{text}Estimated per index, the mean of several shapes: cycles of a multiprocessor, 32-byte sectors moved, steps of threads; \
         full: threads a multiprocessor holds.\n--mapping-strategy auto takes the first; a mapping attribute of an op any.\n"
    ))
}

fn line(candidate: &Candidate) -> String {
    let score = &candidate.score;
    let name = candidate
        .strategy
        .as_ref()
        .map(|strategy| format!(" ({strategy})"))
        .unwrap_or_default();
    let cycles = match score.cycles.is_finite() {
        true => format!("{:.3}", score.cycles),
        false => "refused".to_owned(),
    };
    format!(
        "  {cycles:>7} {:>8.3} {:>7.2} {:>4.0}%  {}\n    {}{name}\n",
        score.sectors,
        score.steps,
        100.0 * score.occupancy,
        score.operations,
        candidate.chain,
    )
}

fn row(op: &MappedOp) -> serde_json::Value {
    let candidate = |candidate: &Candidate| {
        let score = &candidate.score;
        json!({
            "chain": candidate.chain.to_string(),
            "strategy": candidate.strategy.as_ref().map(ToString::to_string),
            "cycles": score.cycles.is_finite().then_some(score.cycles),
            "sectors": score.sectors,
            "steps": score.steps,
            "occupancy": score.occupancy,
            "operations": score.operations.to_string(),
        })
    };
    json!({
        "op": op.what,
        "from": op.place,
        "own": op.own,
        "candidates": op.candidates.iter().map(candidate).collect::<Vec<_>>(),
        "code": op.code,
    })
}
