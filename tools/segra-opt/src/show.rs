//! Information shown without a program (dialects, passes, completion scripts), and tables about a run.

use crate::args::{Display, Show};
use crate::{Tool, flags};
use comfy_table::{CellAlignment, Table, presets};
use segra_ir::Context;
use segra_pass::timing::{TimingRow, Timings};
use segra_pass::{Pipeline, PipelineItem, Statistics};
use std::collections::BTreeMap;
use std::time::Duration;

/// The text that is asked for.
pub(crate) fn show(what: Show, tool: &Tool) -> String {
    match what {
        Show::Passes => tool.passes.documentation(),
        Show::Dialects => dialects(tool),
        Show::Completions(shell) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut flags::command(tool), tool.name, &mut script);
            String::from_utf8_lossy(&script).into_owned()
        }
    }
}

fn dialects(tool: &Tool) -> String {
    let ctx = Context::new();
    tool.register(&ctx);
    let mut dialects: Vec<_> = ctx.dialects().collect();
    dialects.sort_by_key(|dialect| dialect.name);
    let mut out = String::new();
    for dialect in dialects {
        let summary = dialect.doc.lines().next().unwrap_or_default();
        out += &format!("{}  {summary}\n", dialect.name);
        for op in &dialect.ops {
            out += &format!(
                "  {:32} {}\n",
                op.name,
                op.doc.lines().next().unwrap_or_default()
            );
        }
    }
    out
}

/// The time every pass took.
pub(crate) fn timing_table(timings: &Timings, display: Display) -> String {
    let total = timings.total().as_secs_f64();
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(["wall (s)", "%", "runs", "name"]);
    let percent = |seconds: f64| {
        if total > 0.0 {
            100.0 * seconds / total
        } else {
            0.0
        }
    };
    let mut rows = timings.rows();
    if display == Display::List {
        let mut sums: BTreeMap<String, TimingRow> = BTreeMap::new();
        for row in rows {
            let sum = sums.entry(row.name.clone()).or_insert_with(|| TimingRow {
                depth: 0,
                wall: Duration::ZERO,
                runs: 0,
                name: row.name,
            });
            sum.wall += row.wall;
            sum.runs += row.runs;
        }
        rows = sums.into_values().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.wall));
    }
    for row in rows {
        let seconds = row.wall.as_secs_f64();
        table.add_row([
            format!("{seconds:.4}"),
            format!("{:.1}", percent(seconds)),
            row.runs.to_string(),
            format!("{}{}", "  ".repeat(row.depth), row.name),
        ]);
    }
    table.add_row([
        format!("{total:.4}"),
        "100.0".to_owned(),
        String::new(),
        "Total".to_owned(),
    ]);
    align_numbers(&mut table, 3);
    format!("Execution time\n{}\n", table.trim_fmt())
}

/// The counters of passes, summed over all parts of the input.
pub(crate) fn statistics_table(
    counts: &Statistics,
    pipeline: &Pipeline,
    display: Display,
) -> String {
    if display == Display::Tree {
        let mut out = String::from("Pass statistics\n");
        statistics_tree(counts, pipeline, 0, 0, &mut out);
        return out;
    }
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(["count", "pass", "what"]);
    for (pass, what, count) in counts.iter() {
        table.add_row([count.to_string(), pass.to_owned(), what.to_owned()]);
    }
    align_numbers(&mut table, 1);
    format!("Pass statistics\n{}\n", table.trim_fmt())
}

/// The pipeline's steps from `step` on, each with what it counted.
fn statistics_tree(
    counts: &Statistics,
    pipeline: &Pipeline,
    mut step: usize,
    depth: usize,
    out: &mut String,
) {
    let indent = "  ".repeat(depth);
    *out += &format!("{indent}'{}' Pipeline\n", pipeline.anchor);
    for item in &pipeline.items {
        match item {
            PipelineItem::Pass(pass) => {
                *out += &format!("{indent}  {}\n", pass.info().name);
                for (what, count) in counts.of_step(step) {
                    *out += &format!("{indent}    (S) {count} {what}\n");
                }
            }
            PipelineItem::Nested(nested) => {
                statistics_tree(counts, nested, step + 1, depth + 1, out)
            }
        }
        step += item.steps();
    }
}

fn align_numbers(table: &mut Table, columns: usize) {
    for index in 0..columns {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}
