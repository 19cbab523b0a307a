//! `segra explain`: the tree of choices with the kernels under them; tables, decisions and the host plan on request.

mod fusion;
mod mapping;
mod tiling;
mod tree;

pub(crate) use fusion::{figures, scope};

use crate::args::Explain;
use crate::report::Error;
use crate::{output, profile, source};
use comfy_table::{ColumnConstraint, ContentArrangement, Table, Width};
use segra::choices::choices;
use segra::kernels::{KernelSummary, summaries, thresholds};
use segra::rewrites::{Rewrite, RuleUse, rewrites};
use segra_ir::Severity;
use segra_ir::diag::render::printable_name;
use serde_json::{Value as Json, json};

/// Shows the kernels of a program.
pub(crate) fn explain(args: &Explain) -> Result<(), Error> {
    if args.rewrites {
        return explain_rewrites(args);
    }
    if args.mapping {
        return mapping::explain(args);
    }
    if args.tiling {
        return tiling::explain(args);
    }
    if args.fusion {
        return fusion::explain(args);
    }
    explain_kernels(args)
}

/// Shows choices, kernels and decisions.
fn explain_kernels(args: &Explain) -> Result<(), Error> {
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
            let place = fields.place.map(|place| {
                format!(
                    "{}:{}:{}: ",
                    printable_name(&place.file),
                    place.line,
                    place.column
                )
            });
            format!("{}{}", place.unwrap_or_default(), fields.message)
        })
        .collect();
    let artifact = &compiled.artifact;
    let plan = artifact.to_string();
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
                    "dynamic_shared_bytes": dynamic_shared(kernel),
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
        let trees: serde_json::Map<String, serde_json::Value> = artifact
            .entries
            .iter()
            .map(|entry| {
                let steps = choices(artifact, entry);
                (entry.name.clone(), tree::json(artifact, &steps))
            })
            .collect();
        let thresholds: Vec<_> = thresholds(&compiled.artifact).iter().map(|row| json!({
            "name": row.name, "default": row.default, "compared_with": row.compared, "where": row.under, "from": row.location,
        })).collect();
        return output::print(&format!(
            "{}\n",
            json!({
                "choices": trees,
                "kernels": rows,
                "thresholds": thresholds,
                "remarks": remarks,
                "targets": targets,
            })
        ));
    }
    let mut text = String::new();
    for entry in &artifact.entries {
        text += &tree::text(artifact, entry, &choices(artifact, entry));
    }
    if kernels.is_empty() {
        text += "no kernels: the program runs on the host alone\n";
    }
    if args.kernels && !kernels.is_empty() {
        text += &format!("\nKernels:\n{}\n", table(&kernels));
    }
    if args.decisions {
        text += "\nDecisions:\n";
        remarks
            .iter()
            .for_each(|remark| text += &format!("  {remark}\n"));
    }
    if args.plan {
        text += "\nHost plan:\n";
        plan.lines().for_each(|line| text += &format!("  {line}\n"));
    }
    if !(args.kernels || args.decisions || args.plan) {
        text += &hint(&kernels, &remarks, !artifact.tunables.is_empty());
    }
    output::print(&text)
}

/// How to see more, and how to choose.
fn hint(kernels: &[KernelSummary], remarks: &[String], tunable: bool) -> String {
    let mut text = format!(
        "\n--kernels shows a table of {}, --decisions {}, --plan the host plan.\n",
        counted(kernels.len(), "kernel"),
        counted(remarks.len(), "remark"),
    );
    if tunable {
        text += "Thresholds, with their values in brackets, are set by segra tune or --threshold NAME=VALUE.\n";
    }
    text
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A rewriting of an array, with the rules that it needed.
fn rewrite_json(rewrite: &Rewrite) -> Json {
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
}

/// Shows what the algebra of arrays made of a program.
fn explain_rewrites(args: &Explain) -> Result<(), Error> {
    let found = rewrites(source::read_program(&args.file)?)?;
    if args.json {
        let rows: Vec<_> = found.iter().map(rewrite_json).collect();
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

/// The dynamic shared memory of a kernel, where it has any; launches may differ in it.
fn dynamic_shared(kernel: &KernelSummary) -> Option<String> {
    (!kernel.dynamic_shared.is_empty()).then(|| kernel.dynamic_shared.join(" or "))
}

fn table(kernels: &[KernelSummary]) -> Table {
    let mut table = Table::new();
    table
        .load_style(profile::STYLE)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(tree::WIDTH as u16);
    table.set_header([
        "kernel and mapping",
        "threads",
        "shared",
        "reads",
        "writes",
        "scalars",
        "from",
    ]);
    // Names of kernels are to be read first, then expressions of sizes; both have a blank on each side.
    let names = kernels.iter().map(|kernel| kernel.name.chars().count());
    let least = names.max().unwrap_or(0).clamp(24, 30) as u16 + 2;
    for (index, constraint) in [
        (0, ColumnConstraint::LowerBoundary(Width::Fixed(least))),
        (2, ColumnConstraint::UpperBoundary(Width::Fixed(17))),
    ] {
        if let Some(column) = table.column_mut(index) {
            column.set_constraint(constraint);
        }
    }
    for kernel in kernels {
        table.add_row([
            format!("{}\n{}", kernel.name, kernel.mapping),
            kernel.threads.to_string(),
            tree::shared(kernel.shared_bytes, dynamic_shared(kernel).as_deref()),
            kernel.params[0].to_string(),
            kernel.params[1].to_string(),
            kernel.params[2].to_string(),
            printable_name(&kernel.location).into_owned(),
        ]);
    }
    table
}
