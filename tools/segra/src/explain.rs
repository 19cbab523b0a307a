//! `segra explain`.

use crate::args::Explain;
use crate::report::Error;
use crate::{output, profile, source};
use comfy_table::{ContentArrangement, Table, presets};
use segra::kernels::{KernelSummary, ThresholdSummary, summaries, thresholds};
use segra::rewrites::{Rewrite, RuleUse, rewrites};
use segra_ir::Severity;
use serde_json::json;

/// Shows the kernels of a program.
pub(crate) fn explain(args: &Explain) -> Result<(), Error> {
    if args.rewrites {
        return explain_rewrites(args);
    }
    let compiler = source::compiler(&args.common);
    let compiled = compiler.plan(source::read_program(&args.file)?)?;
    let kernels = summaries(&compiled);
    let ctx = compiled.lowered.ctx();
    let remarks: Vec<String> = compiled
        .remarks
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Remark)
        .map(|diagnostic| {
            let fields = diagnostic.fields(ctx);
            let place = fields
                .place
                .map(|place| format!("{}:{}:{}: ", place.file, place.line, place.column));
            format!("{}{}", place.unwrap_or_default(), fields.message)
        })
        .collect();
    let plan = compiled.artifact.to_string();
    if args.json {
        let rows: Vec<_> = kernels
            .iter()
            .map(|kernel| {
                json!({
                    "kernel": kernel.name,
                    "what": kernel.summary,
                    "from": kernel.location,
                    "threads_per_block": kernel.threads,
                    "shared_bytes": kernel.shared_bytes,
                    "reads": kernel.params[0],
                    "writes": kernel.params[1],
                    "scalars": kernel.params[2],
                    "mapping": kernel.mapping,
                    "why": kernel.reasons,
                })
            })
            .collect();
        let targets: Vec<String> = compiler
            .options()
            .targets
            .iter()
            .map(ToString::to_string)
            .collect();
        let thresholds: Vec<_> = thresholds(&compiled.artifact).iter().map(|row| json!({
            "name": row.name, "default": row.default, "compared_with": row.compared, "where": row.under, "from": row.location,
        })).collect();
        return output::print(&format!(
            "{}\n",
            json!({ "kernels": rows, "thresholds": thresholds, "remarks": remarks, "targets": targets })
        ));
    }
    let mut text = if kernels.is_empty() {
        "no kernels: the program runs on the host alone\n".to_owned()
    } else {
        format!("{}\n", table(&kernels))
    };
    if !remarks.is_empty() {
        text += "\nDecisions:\n";
        remarks
            .iter()
            .for_each(|remark| text += &format!("  {remark}\n"));
    }
    let choices = thresholds(&compiled.artifact);
    if !choices.is_empty() {
        text += &format!(
            "\nVersions are chosen when the program runs, by thresholds (see segra tune):\n{}\n",
            choice_table(&choices)
        );
    }
    text += "\nHost plan:\n";
    plan.lines().for_each(|line| text += &format!("  {line}\n"));
    output::print(&text)
}

/// Shows what the algebra of arrays made of a program.
fn explain_rewrites(args: &Explain) -> Result<(), Error> {
    let found = rewrites(source::read_program(&args.file)?)?;
    if args.json {
        let row = |rewrite: &Rewrite| {
            let rule = |rule: &RuleUse| {
                json!({
                    "rule": rule.name,
                    "law": rule.law,
                    "count": rule.count,
                    "found_in": rule.found_in,
                    "cost_without": rule.without.unwrap_or(rewrite.before),
                })
            };
            let rules: Vec<_> = rewrite.rules.iter().map(rule).collect();
            json!({
                "from": rewrite.place,
                "cost_before": rewrite.before,
                "cost_after": rewrite.after,
                "taken": rewrite.taken,
                "rules": rules,
                "ended": rewrite.ended,
            })
        };
        let rows: Vec<_> = found.iter().map(row).collect();
        return output::print(&format!("{}\n", json!({ "rewrites": rows })));
    }
    if found.is_empty() {
        return output::print("no rule of the algebra of arrays finds anything in this program\n");
    }
    let mut text = String::new();
    for rewrite in &found {
        let verdict = match rewrite.taken {
            true => format!("cost {} before, {} after", rewrite.before, rewrite.after),
            false => {
                format!(
                    "left as it is: cost {}, the cheapest other form {}",
                    rewrite.before, rewrite.after
                )
            }
        };
        text += &format!("{}: {verdict} ({})\n", rewrite.place, rewrite.ended);
        for rule in &rewrite.rules {
            let found_in = match rule.found_in.is_empty() {
                true => "what other rules made".to_owned(),
                false => rule.found_in.join(", "),
            };
            text += &format!("  {}: {} in {found_in}\n", rule.name, times(rule.count));
            text += &format!("    {}\n", rule.law);
            if rewrite.taken {
                let without = rule.without.unwrap_or(rewrite.before);
                text += &match without > rewrite.after {
                    true => format!("    without it the cost would be {without}\n"),
                    false => "    without it the cost would be the same\n".to_owned(),
                };
            }
        }
        text.push('\n');
    }
    output::print(&format!(
        "{text}Cost: bytes moved, an operation counting as a quarter of a byte; unknown extents as {}.\n",
        segra::rewrites::ASSUMED_EXTENT
    ))
}

fn times(count: u64) -> String {
    if count == 1 {
        "once".to_owned()
    } else {
        format!("{count} times")
    }
}

fn choice_table(choices: &[ThresholdSummary]) -> Table {
    let mut table = Table::new();
    table.load_style(profile::STYLE);
    table.set_header(["threshold", "default", "predicate", "where", "from"]);
    for row in choices {
        let (name, default) = (row.name.clone(), row.default.to_string());
        let predicate = format!("{} >= {name}", row.compared);
        table.add_row([
            name,
            default,
            predicate,
            row.under.clone(),
            row.location.clone(),
        ]);
    }
    table
}

fn table(kernels: &[KernelSummary]) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header([
        "kernel",
        "what",
        "from",
        "threads/block",
        "shared bytes",
        "reads",
        "writes",
        "scalars",
        "mapping",
    ]);
    for kernel in kernels {
        table.add_row([
            kernel.name.clone(),
            kernel.summary.clone(),
            kernel.location.clone(),
            kernel.threads.to_string(),
            kernel.shared_bytes.to_string(),
            kernel.params[0].to_string(),
            kernel.params[1].to_string(),
            kernel.params[2].to_string(),
            kernel.mapping.clone(),
        ]);
    }
    table
}
