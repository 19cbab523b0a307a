//! Decisions of the compiler that are measured one by one, beside what it decides by itself.

use crate::args::Tune as Args;
use crate::data::Bench;
use crate::report::Error;
use crate::thresholds::Choices;
use crate::{profile, source};
use comfy_table::{CellAlignment, Table};
use segra_runtime::RunReport;
use serde_json::{Value as Json, json};
use std::fmt::Display;

/// The decisions that were run.
pub(crate) struct Tried<T> {
    /// The kind of decision.
    name: &'static str,
    /// With microseconds for all data sets.
    times: Vec<(T, f64)>,
    /// Without one.
    default: f64,
    best: Option<T>,
}

impl<T: Copy + Display + PartialEq> Tried<T> {
    /// Runs the program without a decision, and by each of those that are found from the reports of these runs; the program that
    /// costs least.
    pub(crate) fn measured(
        name: &'static str,
        args: &Args,
        decisions: impl FnOnce(&[RunReport]) -> Vec<T>,
        choices: impl Fn(Option<T>) -> Choices,
    ) -> Result<(Bench, Tried<T>), Error> {
        // Of an artifact all is decided.
        source::read_program(&args.file)?;
        let with = |decision| {
            let choices = choices(decision);
            Bench::new(&args.file, &args.data, (&args.common, choices), None)
        };
        let mut bench = with(None)?;
        let (default, reports) = bench.cost()?;
        let mut tried = Tried {
            name,
            times: Vec::new(),
            default,
            best: None,
        };
        let mut least = tried.default;
        for decision in decisions(&reports) {
            let candidate = with(Some(decision))?;
            let (cost, _) = candidate.cost()?;
            tried.times.push((decision, cost));
            if cost < least {
                (least, bench, tried.best) = (cost, candidate, Some(decision));
            }
        }
        Ok((bench, tried))
    }

    /// The decision that is best, where one is.
    pub(crate) fn chosen(&self) -> Option<T> {
        self.best
    }

    pub(crate) fn text(&self) -> String {
        let mut table = Table::new();
        table.load_style(profile::STYLE);
        table.set_header([self.name, "all data, µs", ""]);
        if let Some(column) = table.column_mut(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let mark = |decision: Option<T>| if decision == self.best { "chosen" } else { "" };
        for &(decision, cost) in &self.times {
            table.add_row([
                decision.to_string(),
                format!("{cost:.1}"),
                mark(Some(decision)).to_owned(),
            ]);
        }
        table.add_row([
            "default".to_owned(),
            format!("{:.1}", self.default),
            mark(None).to_owned(),
        ]);
        format!("{table}\n\n")
    }

    pub(crate) fn json(&self) -> Json {
        let times = self.times.iter();
        let times = times.map(
            |(decision, cost)| json!({ self.name: decision.to_string(), "microseconds": cost }),
        );
        json!({
            "chosen": self.best.map(|decision| decision.to_string()), "default_microseconds": self.default,
            "tried": times.collect::<Vec<_>>(),
        })
    }
}
