//! `segra tune --orders`: a program in several orders of its points, as they are measured.
//!
//! Prasetya, "Column-based iteration" (2022), 5.1: the width that is best does not follow from the estimate of the working set, so
//! it is measured. Beside the orders runs the program as it is compiled without one, in versions and with tiles: no order is
//! chosen where that costs no more.

use crate::args::Tune as Args;
use crate::combinations::cost;
use crate::data::Bench;
use crate::order::Order;
use crate::profile;
use crate::report::Error;
use crate::thresholds::Choices;
use comfy_table::{CellAlignment, Table};
use serde_json::{Value as Json, json};

/// The orders that were run.
pub(crate) struct Tried {
    /// With microseconds for all data sets.
    times: Vec<(Order, f64)>,
    /// Without an order.
    default: f64,
    best: Option<Order>,
}

impl Tried {
    /// The width of columns and the threads of a block, where an order is best.
    pub(crate) fn chosen(&self) -> Option<(u32, u32)> {
        self.best.and_then(Order::columns)
    }

    pub(crate) fn text(&self) -> String {
        let mut table = Table::new();
        table.load_style(profile::STYLE);
        table.set_header(["order", "all data, µs", ""]);
        if let Some(column) = table.column_mut(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let mark = |order: Option<Order>| if order == self.best { "chosen" } else { "" };
        for &(order, cost) in &self.times {
            table.add_row([
                order.to_string(),
                format!("{cost:.1}"),
                mark(Some(order)).to_owned(),
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
        let times = self
            .times
            .iter()
            .map(|(order, cost)| json!({ "order": order.to_string(), "microseconds": cost }));
        json!({
            "chosen": self.best.map(|order| order.to_string()), "default_microseconds": self.default,
            "tried": times.collect::<Vec<_>>(),
        })
    }
}

/// Runs the orders; the program in the one that costs least.
pub(crate) fn best(args: &Args, orders: &[Order]) -> Result<(Bench, Tried), Error> {
    let with = |order| {
        let choices = Choices {
            fusion: None,
            order,
        };
        Bench::new(&args.file, &args.data, (&args.common, choices), None)
    };
    // Before anything is measured.
    if let Some(order) = orders.iter().find(|order| order.columns().is_none()) {
        return Err(Error::message(format!(
            "`{order}` cannot be tuned to: tuning files have orders linear@THREADS and column:WIDTH@THREADS"
        )));
    }
    let mut bench = with(None)?;
    let mut tried = Tried {
        times: Vec::new(),
        default: cost(&bench)?,
        best: None,
    };
    let mut least = tried.default;
    for &order in orders {
        let candidate = with(Some(order))?;
        let cost = cost(&candidate)?;
        tried.times.push((order, cost));
        if cost < least {
            (least, bench, tried.best) = (cost, candidate, Some(order));
        }
    }
    Ok((bench, tried))
}
