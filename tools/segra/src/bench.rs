//! `segra bench`.

use crate::args::Bench as Args;
use crate::data::Bench;
use crate::report::Error;
use crate::{output, profile, thresholds, watch};
use comfy_table::{CellAlignment, Table};
use segra_runtime::{LaunchRecord, RunReport};
use segra_tune::measure::Settings;
use segra_tune::{Cost, CostSource, OnDevice, Precision};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// After so many runs of a data set there are no more, once they have taken long.
const ENOUGH_RUNS: u32 = 3;
const LONG: Duration = Duration::from_secs(1);

/// The cost of a data set.
struct Row {
    cost: Cost,
    report: RunReport,
    /// A run with each launch measured by itself, where it is asked for; the simulator always counts them so.
    alone: Option<RunReport>,
}

impl Row {
    /// Each by itself.
    fn launches(&self) -> &[LaunchRecord] {
        &self.alone.as_ref().unwrap_or(&self.report).launches
    }
}

/// Measures a program on data sets.
pub(crate) fn bench(args: &Args) -> Result<(), Error> {
    watch::end_after(args.time_limit, "data sets are measured");
    let choices = thresholds::chosen(&args.thresholds, &args.file)?;
    let given = thresholds::given(&args.thresholds, &args.file)?;
    let bench = Bench::new(&args.file, &args.data, (&args.common, choices), Some(given))?;
    let settings = thresholds::settings(&args.thresholds, &args.file, bench.loaded.artifact())?;
    let rows = measure(args, &bench, &settings)?;
    if args.json {
        let rows: Vec<_> = bench
            .names
            .iter()
            .zip(&rows)
            .map(|(name, row)| {
                json!({
                    "data": name,
                    "microseconds": row.cost.median(),
                    "uncertainty": finite(row.cost.uncertainty()),
                    "runs": row.cost.runs(),
                    "launches": row.launches().iter().map(|launch| launched(&bench, launch)).collect::<Vec<_>>(),
                    "kernels": row.report.launches.iter().map(|launch| &launch.kernel).collect::<Vec<_>>(),
                    "thresholds": thresholds::asked(&row.report),
                })
            })
            .collect();
        let whole = json!({ "on": bench.place(), "settings": settings, "data_sets": rows });
        return output::print(&format!("{whole}\n"));
    }
    let mut table = Table::new();
    table.load_style(profile::STYLE);
    table.set_header(["data", "µs", "±", "runs", "launches", "thresholds asked"]);
    for column in table.column_iter_mut().skip(1).take(4) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for (name, row) in bench.names.iter().zip(&rows) {
        let uncertainty =
            finite(row.cost.uncertainty()).map_or("-".to_owned(), |half| format!("{half:.1}"));
        let asked: Vec<String> = row
            .report
            .comparisons
            .iter()
            .map(|row| format!("{}: {}", row.tunable, row.value))
            .collect();
        table.add_row([
            name.clone(),
            format!("{:.1}", row.cost.median()),
            uncertainty,
            row.cost.runs().to_string(),
            row.report.launched.to_string(),
            asked.join("\n"),
        ]);
    }
    output::print(&format!("On {}:\n{table}\n", bench.place()))
}

fn launched(bench: &Bench, launch: &LaunchRecord) -> Value {
    json!({ "kernel": launch.kernel, "microseconds": bench.source.of_launch(launch) })
}

fn finite(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

fn measure(args: &Args, bench: &Bench, settings: &Settings) -> Result<Vec<Row>, Error> {
    let entry = bench
        .loaded
        .entry(&bench.entry)
        .map_err(|error| Error::message(error.to_string()))?;
    let mut device = OnDevice::new(entry, &bench.values, bench.source);
    let runs = if bench.source.precision() == Precision::Exact {
        1
    } else {
        args.runs
    };
    let mut rows = Vec::new();
    for (index, name) in bench.names.iter().enumerate() {
        let failed = |message: &str| Error::message(format!("data set {name}: {message}"));
        let mut row = Row {
            cost: Cost::default(),
            report: RunReport::default(),
            alone: None,
        };
        let started = Instant::now();
        for done in 0..runs {
            if done >= ENOUGH_RUNS && started.elapsed() > LONG {
                break;
            }
            row.report = device
                .report(index, settings)
                .map_err(|error| failed(&error.0))?;
            let cost = bench.source.cost(&row.report);
            row.cost
                .add(cost.ok_or_else(|| failed("the device does not say what a launch costs"))?);
        }
        // Only the object shows them.
        if args.json && bench.source == CostSource::Time {
            row.alone = Some(
                device
                    .report_launches(index, settings)
                    .map_err(|error| failed(&error.0))?,
            );
        }
        rows.push(row);
    }
    Ok(rows)
}
