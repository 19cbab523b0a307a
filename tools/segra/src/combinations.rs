//! `segra tune --top`: the combinations of kernels that are predicted best, as they are measured.
//!
//! Filipovič et al., "Optimizing CUDA code by kernel fusion", 5.3: a good prediction leaves few candidates to an empirical search.
//! The order is that of the pass `fuse-traversals`, so a number means the same when a program is compiled; it is predicted for
//! the pass's own device, whatever device costs are of. Beside them runs the program as it is compiled without a choice, whose
//! fusion of arrays knows more than nests of scalars: no combination is chosen where that costs less than each of them.

use crate::args::Tune as Args;
use crate::data::Bench;
use crate::report::{Error, note};
use crate::thresholds::Choices;
use crate::{profile, source};
use comfy_table::{CellAlignment, Table};
use segra::fusion::{Sizes, fusions};
use segra::{FusionChoice, Value};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The combinations that were run.
pub(crate) struct Tried {
    extent: i64,
    blocks: bool,
    /// In the order of prediction: predicted and measured microseconds, the latter for all data sets; none where the device refuses
    /// to run it.
    times: Vec<(f64, Option<f64>)>,
    /// Without a choice.
    default: f64,
    /// The number of the one that costs least; none: there is no better one than the program without a choice.
    best: Option<usize>,
}

impl Tried {
    /// The one that costs least.
    pub(crate) fn chosen(&self) -> Option<FusionChoice> {
        self.best.map(|combination| FusionChoice {
            combination,
            extent: self.extent,
            blocks: self.blocks,
        })
    }

    fn mark(&self, row: Option<usize>) -> String {
        if row == self.best { "chosen" } else { "" }.to_owned()
    }

    pub(crate) fn text(&self) -> String {
        let mut table = Table::new();
        table.load_style(profile::STYLE);
        table.set_header(["combination", "predicted, µs", "all data, µs", ""]);
        for column in table.column_iter_mut().take(3) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        for (index, (predicted, cost)) in self.times.iter().enumerate() {
            table.add_row([
                (index + 1).to_string(),
                format!("{predicted:.1}"),
                cost.map_or_else(|| "-".to_owned(), |cost| format!("{cost:.1}")),
                self.mark(Some(index + 1)),
            ]);
        }
        table.add_row([
            "default".to_owned(),
            String::new(),
            format!("{:.1}", self.default),
            self.mark(None),
        ]);
        format!(
            "Kernels, predicted for extents of {}:\n{table}\n\n",
            self.extent
        )
    }

    pub(crate) fn json(&self) -> Json {
        let times = self.times.iter().map(|(predicted, cost)| {
            json!({ "predicted_microseconds": predicted, "microseconds": cost })
        });
        json!({
            "chosen": self.best, "extent": self.extent, "default_microseconds": self.default,
            "tried": times.collect::<Vec<_>>(),
        })
    }
}

/// Runs the best combinations; the program with the one that costs least. Without a choice the program is compiled as always.
pub(crate) fn best(args: &Args, top: usize) -> Result<(Bench, Option<Tried>), Error> {
    let program = source::read_program(&args.file)?;
    let with = |fusion| {
        let choices = Choices {
            fusion,
            ..Choices::default()
        };
        Bench::new(&args.file, &args.data, (&args.common, choices), None)
    };
    let mut bench = with(None)?;
    let extent = args.extent.unwrap_or_else(|| largest(&bench.values));
    let sizes = Sizes {
        named: BTreeMap::new(),
        other: extent,
    };
    let figures = crate::explain::figures(segra::fusion::DEVICE)?;
    // The parts of a program take combinations of the same number; parts that have fewer take their last one.
    let mut predicted: Vec<f64> = Vec::new();
    let scope = crate::explain::scope(args.blocks);
    for space in fusions(program, scope, (&sizes, figures))? {
        let ranked: Vec<f64> = space
            .exploration
            .combinations()
            .take(top)
            .map(|one| one.time)
            .collect();
        let (before, last) = (
            predicted.last().copied().unwrap_or(0.0),
            ranked.last().copied().unwrap_or(0.0),
        );
        let longest = predicted.len().max(ranked.len());
        predicted.resize(longest, before);
        for (index, time) in predicted.iter_mut().enumerate() {
            *time += ranked.get(index).copied().unwrap_or(last);
        }
    }
    if predicted.len() < 2 {
        note("there is one combination of kernels: nothing to choose from");
        return Ok((bench, None));
    }
    let mut tried = Tried {
        extent,
        blocks: args.blocks,
        times: Vec::new(),
        default: bench.cost()?.0,
        best: None,
    };
    let mut least = tried.default;
    for (index, predicted) in predicted.into_iter().enumerate() {
        let choice = FusionChoice {
            combination: index + 1,
            extent,
            blocks: args.blocks,
        };
        let candidate = with(Some(choice))?;
        // The program without a choice has run on these data: it is the combination that the device refuses.
        let cost = match candidate.cost() {
            Ok((cost, _)) => cost,
            Err(Error::Message(why)) => {
                note(&format!("combination {} is left out: {why}", index + 1));
                tried.times.push((predicted, None));
                continue;
            }
            Err(error) => return Err(error),
        };
        tried.times.push((predicted, Some(cost)));
        if cost < least || cost <= least && tried.best.is_none() {
            tried.best = Some(choice.combination);
            least = cost;
            bench = candidate;
        }
    }
    Ok((bench, Some(tried)))
}

/// The largest extent of the data.
fn largest(data: &[Vec<Value>]) -> i64 {
    let arrays = data.iter().flatten().filter_map(Value::as_array);
    let extents = arrays.flat_map(|array| array.shape().to_vec());
    extents
        .max()
        .and_then(|extent| i64::try_from(extent).ok())
        .unwrap_or(1)
        .max(1)
}
