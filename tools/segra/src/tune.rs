//! `segra tune`.

use crate::args::Tune as Args;
use crate::data::Bench;
use crate::order::Order;
use crate::report::{Error, note, shown};
use crate::thresholds::Choices;
use crate::tried::Tried;
use crate::{combinations, orders, output, profile, thresholds, tiles, watch};
use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressStyle};
use segra::{TileShape, Value};
use segra_tune::{Agreement, Event, Interval, Journal, OnDevice, Resumed, Tuned, Tuning};
use serde_json::{Value as Json, json};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Finds thresholds and writes the tuning file.
pub(crate) fn tune(args: &Args) -> Result<(), Error> {
    watch::end_after(args.time_limit, "thresholds are searched for");
    if args.output.is_none() && args.file == Path::new("-") {
        return Err(Error::message(
            "a program from standard input has no place for its tuning: add --output",
        ));
    }
    let Prepared {
        bench,
        combinations,
        orders,
        tiles,
    } = prepared(args)?;
    let path = args
        .output
        .clone()
        .unwrap_or_else(|| thresholds::beside(&args.file));
    let log = args.log.clone().unwrap_or_else(|| {
        let mut name = path.clone().into_os_string();
        name.push(".log");
        PathBuf::from(name)
    });
    if log == path {
        let both = shown(&path);
        return Err(Error::message(format!(
            "{both} cannot be both the tuning file and the log of the search"
        )));
    }
    let order = orders.as_ref().and_then(Tried::chosen);
    let shape = tiles.as_ref().and_then(Tried::chosen);
    let decided = combinations.is_some() || orders.is_some() || tiles.is_some();
    if bench.loaded.artifact().tunables.is_empty() && !decided {
        note("the program has one version: there is nothing to tune, nothing is written");
        return if args.json {
            output::print("null\n")
        } else {
            Ok(())
        };
    }
    let tuned = search(args, &bench, &log, |tuned| {
        let mut tuning = Tuning {
            values: tuned.settings(),
        };
        if let Some(choice) = combinations.as_ref().and_then(combinations::Tried::chosen) {
            tuning.values.extend(thresholds::lines_of(choice));
        }
        if let Some(shape) = shape {
            tuning.values.extend(thresholds::lines_of_tiles(shape));
        }
        if let Some((width, threads)) = order.and_then(Order::columns) {
            tuning
                .values
                .extend(thresholds::lines_of_order(width, threads));
        }
        output::write(&path, tuning.to_text(&comments(args, &bench)).as_bytes())
    })?;
    if args.json {
        let mut whole = json_of(&bench, &tuned, &path);
        if let Some(tried) = &combinations {
            whole["combinations"] = tried.json();
        }
        if let Some(tried) = &orders {
            whole["orders"] = tried.json();
        }
        if let Some(tried) = &tiles {
            whole["tiles"] = tried.json();
        }
        output::print(&format!("{whole}\n"))?;
    } else {
        let tried = combinations
            .as_ref()
            .map_or(String::new(), combinations::Tried::text);
        let visited = orders.as_ref().map_or(String::new(), Tried::text);
        let tiled = tiles.as_ref().map_or(String::new(), Tried::text);
        output::print(&format!(
            "{tried}{visited}{tiled}{}",
            text_of(&bench, &tuned)
        ))?;
    }
    for row in &tuned.thresholds {
        if let Agreement::Compromise(excess) = row.agreement {
            note(&format!(
                "no value of {} is best for all data sets: {} costs least altogether, {excess:.1} µs more than the best of each",
                row.name, row.value
            ));
        }
    }
    note(&format!("{} runs, log: {}", tuned.runs, shown(&log)));
    note(&format!("tuning: {}", shown(&path)));
    Ok(())
}

/// A program whose thresholds are searched for, and the decisions that came before.
struct Prepared {
    bench: Bench,
    combinations: Option<combinations::Tried>,
    orders: Option<Tried<Order>>,
    tiles: Option<Tried<TileShape>>,
}

/// The program with the decisions that come before thresholds.
fn prepared(args: &Args) -> Result<Prepared, Error> {
    let (mut combinations, mut orders, mut tiles) = (None, None, None);
    let bench = match (args.top, &args.orders, args.tiles) {
        (Some(top), ..) => {
            let (bench, tried) = combinations::best(args, top as usize)?;
            combinations = tried;
            bench
        }
        (None, Some(listed), _) => {
            let (bench, tried) = orders::best(args, listed)?;
            orders = Some(tried);
            bench
        }
        (None, None, Some(count)) => {
            let (bench, tried) = tiles::best(args, count as usize)?;
            tiles = Some(tried);
            bench
        }
        (None, None, None) => Bench::new(
            &args.file,
            &args.data,
            (&args.common, Choices::default()),
            None,
        )?,
    };
    Ok(Prepared {
        bench,
        combinations,
        orders,
        tiles,
    })
}

/// Searches; the log says that the search ended once its result is written.
fn search(
    args: &Args,
    bench: &Bench,
    log: &Path,
    write: impl FnOnce(&Tuned) -> Result<(), Error>,
) -> Result<Tuned, Error> {
    let message = |error: &dyn std::fmt::Display| Error::message(error.to_string());
    if args.fresh {
        segra_tune::journal::discard(log).map_err(|error| message(&error))?;
    }
    let entry = bench
        .loaded
        .entry(&bench.entry)
        .map_err(|error| message(&error))?;
    let device = OnDevice::new(entry, &bench.values, bench.source);
    let (mut journal, resumed) =
        Journal::open(log, &identity(bench)?, device).map_err(|error| message(&error))?;
    match resumed {
        Resumed::Runs(runs) if runs > 0 => {
            let plural = if runs == 1 { "" } else { "s" };
            note(&format!(
                "going on from {runs} run{plural} in {}",
                shown(log)
            ));
        }
        Resumed::Other => note(&format!(
            "{} is of something else and starts anew",
            shown(log)
        )),
        Resumed::Runs(_) | Resumed::New => {}
    }
    let had_runs = matches!(resumed, Resumed::Runs(runs) if runs > 0);
    let bar = ProgressBar::new(0).with_style(
        ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed} {msg}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let mut runs = 0;
    let tuned = segra_tune::tune(
        bench.loaded.artifact(),
        bench.values.len(),
        &mut journal,
        &mut |event| match event {
            Event::Ran { .. } => {
                runs += 1;
                bar.set_message(format!("{runs} runs"));
            }
            Event::Step { done, all, name } => {
                bar.set_length(all as u64);
                bar.set_position(done as u64);
                bar.set_message(format!("{runs} runs, {name}"));
            }
            Event::Chose(row) => {
                tracing::info!(threshold = %row.name, value = row.value, interval = %row.interval, "chose");
            }
        },
    );
    // Draws the last step, which may have come too soon after the one before it.
    bar.abandon();
    bar.finish_and_clear();
    let tuned = match tuned {
        Ok(tuned) => tuned,
        Err(error) => {
            let name = bench.names.get(error.data_set).map_or("", String::as_str);
            let failed = format!("data set {name}: {}", error.failure);
            if runs > 0 || had_runs {
                return Err(Error::message(format!(
                    "{failed}; runs so far are kept in {}",
                    shown(log)
                )));
            }
            // A log without runs is of no use to the next search.
            drop(journal);
            segra_tune::journal::discard(log).map_err(|error| message(&error))?;
            return Err(Error::message(failed));
        }
    };
    write(&tuned)?;
    journal.finish().map_err(|error| message(&error))?;
    Ok(tuned)
}

/// The key of a search: program, device, data.
fn identity(bench: &Bench) -> Result<String, Error> {
    let bytes = bench
        .loaded
        .artifact()
        .to_bytes()
        .map_err(|error| Error::message(error.to_string()))?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    for value in bench.values.iter().flatten() {
        match value {
            Value::Array(array) => (array.shape(), array.bytes()).hash(&mut hasher),
            Value::Scalar(scalar) => scalar.to_le_bytes().hash(&mut hasher),
        }
    }
    let sets: Vec<usize> = bench.values.iter().map(Vec::len).collect();
    sets.hash(&mut hasher);
    Ok(format!(
        "{:016x} {} on {}",
        hasher.finish(),
        bench.entry,
        bench.place()
    ))
}

fn comments(args: &Args, bench: &Bench) -> Vec<String> {
    let mut comments = vec![
        format!(
            "Thresholds of {}, found by `segra tune` on {}.",
            shown(&args.file),
            bench.place()
        ),
        "`segra run` and `segra bench` take them from here; the data sets were:".to_owned(),
    ];
    comments.extend(bench.names.iter().map(|name| format!("  {name}")));
    comments
}

fn agreement(row: Agreement) -> &'static str {
    match row {
        Agreement::Unasked => "not asked",
        Agreement::All => "yes",
        Agreement::Compromise(_) => "no",
    }
}

fn text_of(bench: &Bench, tuned: &Tuned) -> String {
    let mut thresholds = Table::new();
    thresholds.load_style(profile::STYLE);
    thresholds.set_header([
        "threshold",
        "of",
        "default",
        "tuned",
        "may be",
        "all data agree",
    ]);
    for column in thresholds.column_iter_mut().skip(2).take(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for row in &tuned.thresholds {
        thresholds.add_row([
            row.name.clone(),
            row.compared.clone(),
            row.default.to_string(),
            row.value.to_string(),
            row.interval.to_string(),
            agreement(row.agreement).to_owned(),
        ]);
    }
    let mut costs = Table::new();
    costs.load_style(profile::STYLE);
    costs.set_header(["data", "default, µs", "tuned, µs", "times as fast"]);
    for column in costs.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    for (name, row) in bench.names.iter().zip(&tuned.data_sets) {
        costs.add_row([
            name.clone(),
            format!("{:.1}", row.default),
            format!("{:.1}", row.tuned),
            if row.tuned > 0.0 {
                format!("{:.2}", row.default / row.tuned)
            } else {
                "-".to_owned()
            },
        ]);
    }
    format!("{thresholds}\n\nOn {}:\n{costs}\n", bench.place())
}

fn interval(interval: Interval) -> Json {
    json!({ "least": interval.low + 1, "most": interval.high })
}

fn json_of(bench: &Bench, tuned: &Tuned, path: &Path) -> Json {
    let thresholds: Vec<Json> = tuned
        .thresholds
        .iter()
        .map(|row| {
            json!({
                "name": row.name,
                "compared_with": row.compared,
                "default": row.default,
                "value": row.value,
                "interval": interval(row.interval),
                "best": row.best.iter().map(|best| best.map(interval)).collect::<Vec<_>>(),
                "agreement": agreement(row.agreement),
                "excess_microseconds": if let Agreement::Compromise(excess) = row.agreement { excess } else { 0.0 },
            })
        })
        .collect();
    let data_sets: Vec<Json> = bench
        .names
        .iter()
        .zip(&tuned.data_sets)
        .map(|(name, row)| json!({ "data": name, "default_microseconds": row.default, "tuned_microseconds": row.tuned }))
        .collect();
    json!({
        "on": bench.place(),
        "thresholds": thresholds,
        "data_sets": data_sets,
        "runs": tuned.runs,
        "tuning": path.display().to_string(),
    })
}
