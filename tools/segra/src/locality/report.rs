//! Tables and JSON of what orders fetch.

use super::analysis::{InOrder, Kernel, blocks};
use super::replayed::Runs;
use crate::args::Locality as Args;
use crate::profile::{self, STYLE};
use crate::report::file_name;
use comfy_table::{CellAlignment, Table};
use segra_locality::forms::Cost;
use segra_locality::pattern::Pattern;
use serde_json::{Value as Json, json};

/// All of it for people.
pub(crate) fn text(args: &Args, runs: &Runs, kernels: &[Kernel]) -> String {
    let mut out = String::new();
    for kernel in kernels {
        out += &format!(
            "{}: {}\n{}\n",
            kernel.name,
            problem(&kernel.pattern),
            model(args, runs, kernel)
        );
        out += &format!("{}\n", table(args, kernel));
        for row in kernel.orders.iter().filter(|row| row.is_sampled()) {
            out += &format!(
                "{}: from {} of {} thread blocks, whole ones; the others are taken to be like them\n",
                row.order,
                row.profile.blocks_run,
                blocks(&row.profile)
            );
        }
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The computation of a kernel.
pub(crate) fn problem(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Stencil(stencil) if (stencil.across, stencil.down) == (1, 1) => {
            format!("map over {} x {}", stencil.height, stencil.width)
        }
        Pattern::Stencil(stencil) => format!(
            "stencil of {} x {} over {} x {}",
            stencil.down, stencil.across, stencil.height, stencil.width
        ),
        Pattern::Product(product) => format!(
            "product of {} x {} and {} x {}",
            product.height, product.depth, product.depth, product.width
        ),
        Pattern::Other => "neither a stencil nor a product: there is no closed form".to_owned(),
    }
}

/// The caches.
pub(crate) fn model(args: &Args, runs: &Runs, kernel: &Kernel) -> String {
    if let Some(size) = args.cache {
        return format!(
            "One thread after the other, one cache of {} lines of {} elements, the least recently used line goes first",
            size.lines, size.elements
        );
    }
    let l1 = kernel.orders.first().map_or(0, |row| row.profile.l1_bytes);
    format!(
        "{}: {} multiprocessors with {} KiB of L1 cache each, {} MiB of L2 cache, sectors of {} bytes",
        runs.machine.name,
        runs.machine.multiprocessors,
        l1 >> 10,
        runs.machine.l2.bytes >> 20,
        runs.machine.l1.sector_bytes
    )
}

/// A closed form: of stencils a bound, as edges fetch less.
fn bound(pattern: &Pattern) -> &'static str {
    match pattern {
        Pattern::Stencil(_) => "at most ",
        Pattern::Product(_) | Pattern::Other => "",
    }
}

fn table(args: &Args, kernel: &Kernel) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE);
    if args.cache.is_some() {
        table.set_header([
            "order",
            "lines read",
            "hits",
            "fetched",
            "closed form",
            "needs lines",
        ]);
    } else {
        table.set_header([
            "order",
            "sectors read",
            "L1 hits",
            "L2 to L1",
            "L2 hits",
            "memory to L2",
            "est. µs",
            "closed form",
            "needs",
        ]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for row in &kernel.orders {
        table.add_row(cells(row, bound(&kernel.pattern)));
    }
    table
}

fn cells(row: &InOrder, bound: &str) -> Vec<String> {
    let form = |of: fn(&Cost) -> u64, show: &dyn Fn(u64) -> String| {
        row.cost
            .as_ref()
            .map_or("-".to_owned(), |cost| show(of(cost)))
    };
    if let Some(replay) = &row.replay {
        let counts = replay.counts;
        return vec![
            row.order.to_string(),
            counts.accesses.to_string(),
            profile::share(counts.hit_rate()),
            counts.fetches.to_string(),
            form(|cost| cost.fetches, &|count| format!("{bound}{count}")),
            form(|cost| cost.working_set, &|count| count.to_string()),
        ];
    }
    let traffic = &row.profile.traffic;
    let sectors = |count: u64| profile::bytes(count * 32);
    vec![
        row.order.to_string(),
        traffic.l1_lookups.to_string(),
        profile::share(traffic.l1_hit_rate()),
        sectors(traffic.l2_read_sectors),
        profile::share(traffic.l2_hit_rate()),
        profile::bytes(traffic.memory_read_bytes),
        format!("{:.1}", row.profile.estimate.microseconds),
        form(|cost| cost.fetches, &|count| {
            format!("{bound}{}", sectors(count))
        }),
        form(|cost| cost.working_set, &sectors),
    ]
}

/// All of it for programs.
pub(crate) fn json(args: &Args, runs: &Runs, kernels: &[Kernel]) -> Json {
    let rows = |kernel: &Kernel| -> Vec<Json> {
        let orders = kernel.orders.iter().map(|row| {
            json!({
                "order": row.order.to_string(),
                "grid": row.profile.grid,
                "block": row.profile.block,
                "blocks": blocks(&row.profile),
                "blocks_run": row.profile.blocks_run,
                "replay": row.replay.as_ref().map(|replay| replay.counts),
                "traffic": if row.replay.is_none() { json!(row.profile.traffic) } else { Json::Null },
                "l1_hit_rate": row.profile.traffic.l1_hit_rate(),
                "l2_hit_rate": row.profile.traffic.l2_hit_rate(),
                "microseconds": row.profile.estimate.microseconds,
                "bound_by": row.profile.estimate.bound,
                "closed_form": row.cost,
            })
        });
        orders.collect()
    };
    let kernels: Vec<Json> = kernels
        .iter()
        .map(|kernel| {
            json!({
                "kernel": kernel.name,
                "launch": kernel.launch,
                "problem": problem(&kernel.pattern),
                "pattern": kernel.pattern,
                "orders": rows(kernel),
            })
        })
        .collect();
    json!({
        "program": file_name("read", &args.file),
        "entry": runs.entry,
        "machine": if args.cache.is_none() { json!(runs.machine) } else { Json::Null },
        "cache": args.cache.map(|size| json!({ "lines": size.lines, "elements": size.elements })),
        "kernels": kernels,
    })
}
