//! `segra run --profile`: tables of what the simulator counted.

use crate::report::Error;
use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use segra_runtime::{Machine, Profile, RunReport, Totals};
use serde_json::{Value as Json, json};

/// Lines shown of each kernel.
const HOTTEST: usize = 10;

/// The GPU of that name.
pub(crate) fn machine(name: &str) -> Result<Machine, Error> {
    Machine::named(name).ok_or_else(|| {
        let known = Machine::PRESETS.map(|machine| machine.name).join(", ");
        Error::message(format!(
            "no profile can be made for `{name}`; known are {known}"
        ))
    })
}

/// One table of all launches, then the hottest lines of each kernel.
pub(crate) fn text(report: &RunReport) -> String {
    let profiles: Vec<&Profile> = report
        .launches
        .iter()
        .filter_map(|launch| launch.profile.as_deref())
        .collect();
    if profiles.is_empty() {
        return "no kernel was launched\n".to_owned();
    }
    kernels_text(&profiles, &handed_over(report))
}

/// One table of all profiles with a line below it, then the hottest lines of each kernel.
pub(crate) fn kernels_text(profiles: &[&Profile], below: &str) -> String {
    let machine = profiles.first().map_or("", |profile| profile.machine);
    let mut out = format!(
        "Profile for {machine} (time is an estimate)\n{}\n{below}",
        kernels(profiles)
    );
    let mut shown: Vec<&str> = Vec::new();
    for profile in profiles {
        if !shown.contains(&profile.kernel.as_str()) {
            shown.push(&profile.kernel);
            out += &format!(
                "\nHottest lines of {}\n{}\n",
                profile.kernel,
                lines(profile)
            );
        }
    }
    out
}

/// How the launches reach the device.
fn handed_over(report: &RunReport) -> String {
    let (
        launches,
        RunReport {
            batches,
            streams,
            graph_launches,
            ..
        },
    ) = (report.launched, report);
    format!(
        "{launches} launches; batches: {batches}, of them as graphs: {graph_launches}; most streams: {streams}\n"
    )
}

/// All of it.
pub(crate) fn json(report: &RunReport) -> Json {
    report
        .launches
        .iter()
        .map(|launch| json!(launch.profile))
        .collect()
}

/// A rule under the head and no other: rows are one line each.
pub(crate) const STYLE: TableStyle =
    TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(STYLE).set_header(head.to_vec());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

pub(crate) fn share(part: f64) -> String {
    format!("{:.1} %", 100.0 * part)
}

/// A rate, where there is anything to take it of.
fn rate(whole: u64, rate: f64, show: fn(f64) -> String) -> String {
    if whole == 0 {
        "-".to_owned()
    } else {
        show(rate)
    }
}

pub(crate) fn bytes(count: u64) -> String {
    match count {
        0..10_000 => format!("{count} B"),
        10_000..10_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

fn two(value: f64) -> String {
    format!("{value:.2}")
}

fn kernels(profiles: &[&Profile]) -> Table {
    let mut table = table(&[
        "kernel",
        "grid",
        "block",
        "occupancy",
        "warp instr.",
        "lanes",
        "sectors/req",
        "L1 hits",
        "L2 hits",
        "read",
        "written",
        "wavefronts/req",
        "est. µs",
        "bound by",
    ]);
    for profile in profiles {
        let Totals {
            memory_read_bytes,
            memory_written_bytes,
            ..
        } = profile.traffic;
        let extent = |[x, y, z]: [u32; 3]| match (y, z) {
            (1, 1) => x.to_string(),
            (_, 1) => format!("{x}×{y}"),
            _ => format!("{x}×{y}×{z}"),
        };
        let [sectors, l1, l2, wavefronts] = rates(&profile.traffic);
        table.add_row([
            profile.kernel.clone(),
            extent(profile.grid),
            extent(profile.block),
            share(profile.occupancy),
            profile.instructions.total().to_string(),
            format!("{:.1}", profile.lanes_per_instruction()),
            sectors,
            l1,
            l2,
            bytes(memory_read_bytes),
            bytes(memory_written_bytes),
            wavefronts,
            format!("{:.1}", profile.estimate.microseconds),
            profile.estimate.bound.to_owned(),
        ]);
    }
    table
}

/// Sectors per request, hit rates, wavefronts per request.
fn rates(traffic: &Totals) -> [String; 4] {
    [
        rate(traffic.requests, traffic.sectors_per_request(), two),
        rate(traffic.l1_lookups, traffic.l1_hit_rate(), share),
        rate(
            traffic.l2_read_sectors + traffic.l2_atomic_sectors,
            traffic.l2_hit_rate(),
            share,
        ),
        rate(
            traffic.shared_requests,
            traffic.wavefronts_per_request(),
            two,
        ),
    ]
}

fn lines(profile: &Profile) -> Table {
    let mut table = table(&[
        "PTX",
        "line",
        "warp instr.",
        "lanes",
        "sectors/req",
        "L1 hits",
        "L2 hits",
        "wavefronts/req",
        "source",
    ]);
    for line in profile.hottest().into_iter().take(HOTTEST) {
        let lanes = line.thread_instructions as f64 / line.warp_instructions.max(1) as f64;
        let [sectors, l1, l2, wavefronts] = rates(&line.traffic);
        table.add_row([
            line.text.split_whitespace().collect::<Vec<_>>().join(" "),
            line.line.to_string(),
            line.warp_instructions.to_string(),
            format!("{lanes:.1}"),
            sectors,
            l1,
            l2,
            wavefronts,
            line.source.clone().unwrap_or_default(),
        ]);
    }
    table
}
