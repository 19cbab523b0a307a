//! Runs with given thresholds, and what they cost.

use crate::cost::Precision;
use segra_runtime::{DeviceKind, EntryPoint, RunOptions, RunReport, Timing, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Values of thresholds by name; the others have their defaults.
pub type Settings = BTreeMap<String, i64>;

/// What a run cost and asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// In microseconds.
    pub cost: f64,
    /// Every threshold asked, with every value it was compared with.
    pub compared: Vec<(String, i64)>,
}

/// Why there is no cost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RunFailure(pub String);

/// Something that runs a program on data sets.
pub trait Measure {
    /// Runs the program on a data set, by number.
    ///
    /// # Errors
    /// In words, why it did not run to its end.
    fn run(&mut self, data_set: usize, settings: &Settings) -> Result<Run, RunFailure>;
    /// Whether the same run costs the same again.
    fn precision(&self) -> Precision;
}

/// Where costs come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CostSource {
    /// The estimates of the simulator's profiles, added up: exact, repeatable.
    Estimate,
    /// The time kernels took on the device, added up.
    Time,
}

impl CostSource {
    /// What suits a device.
    pub fn of(device: DeviceKind) -> CostSource {
        match device {
            DeviceKind::Simulator => CostSource::Estimate,
            DeviceKind::Cuda => CostSource::Time,
        }
    }
    /// Whether the same run costs the same again.
    pub fn precision(self) -> Precision {
        match self {
            CostSource::Estimate => Precision::Exact,
            CostSource::Time => Precision::Noisy,
        }
    }
    /// What a run cost, in microseconds; `None` where the device did not say. The simulator must have been opened
    /// with a machine to make profiles for.
    pub fn cost(self, report: &RunReport) -> Option<f64> {
        let costs = report.launches.iter().map(|launch| match self {
            CostSource::Estimate => launch.profile.as_ref().map(|profile| profile.estimate.microseconds),
            CostSource::Time => launch.time.map(|time| time.as_secs_f64() * 1e6),
        });
        costs.sum()
    }
}

/// Runs an entry on a device.
pub struct OnDevice<'a> {
    entry: EntryPoint<'a>,
    /// One value per parameter.
    data_sets: &'a [Vec<Value>],
    source: CostSource,
    /// Data sets that ran before.
    warm: Vec<bool>,
}

impl<'a> OnDevice<'a> {
    /// An entry and its data sets.
    pub fn new(entry: EntryPoint<'a>, data_sets: &'a [Vec<Value>], source: CostSource) -> OnDevice<'a> {
        OnDevice { entry, data_sets, source, warm: vec![false; data_sets.len()] }
    }
    /// Runs and reports, without asking what it cost.
    ///
    /// # Errors
    /// As [`Measure::run`].
    pub fn report(&mut self, data_set: usize, settings: &Settings) -> Result<RunReport, RunFailure> {
        let Some(args) = self.data_sets.get(data_set) else {
            return Err(RunFailure(format!("there is no data set {data_set}")));
        };
        let timing = if self.source == CostSource::Time { Timing::On } else { Timing::Off };
        let options = RunOptions { tunables: settings.clone(), timing, ..RunOptions::default() };
        let run = || self.entry.run_with(args, &options).map_err(|error| RunFailure(error.to_string()));
        // The first run on a GPU also loads code and wakes the clocks.
        if self.source == CostSource::Time && !std::mem::replace(&mut self.warm[data_set], true) {
            run()?;
        }
        Ok(run()?.report)
    }
}

impl Measure for OnDevice<'_> {
    fn run(&mut self, data_set: usize, settings: &Settings) -> Result<Run, RunFailure> {
        let report = self.report(data_set, settings)?;
        let Some(cost) = self.source.cost(&report) else {
            return Err(RunFailure("the device does not say what a launch costs".to_owned()));
        };
        let compared = report.comparisons.into_iter().map(|row| (row.tunable, row.value)).collect();
        Ok(Run { cost, compared })
    }
    fn precision(&self) -> Precision {
        self.source.precision()
    }
}
