//! Runs with given thresholds, and what they cost.

use crate::cost::Precision;
use segra_runtime::{
    DeviceKind, EntryPoint, LaunchRecord, Resident, RunError, RunOptions, RunReport, Timing, Value,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Values of thresholds by name; the others have their defaults.
pub type Settings = BTreeMap<String, i64>;

/// The cost of a run, and its comparisons.
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
    /// The time the host plan took on the device, with copies, and gaps between launches.
    Time,
}

impl CostSource {
    /// Settings that suit a device.
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
    /// The cost of a run, in microseconds; `None` where the device did not say. The simulator must have been opened
    /// with a machine to make profiles for.
    pub fn cost(self, report: &RunReport) -> Option<f64> {
        if self == CostSource::Time {
            return report.plan_time.map(|time| time.as_secs_f64() * 1e6);
        }
        // From 0 on: the sum of no floats is -0.
        report
            .launches
            .iter()
            .try_fold(0.0, |sum, launch| Some(sum + self.of_launch(launch)?))
    }
    /// The cost of a launch by itself, in microseconds; `None` where the device did not say.
    pub fn of_launch(self, launch: &LaunchRecord) -> Option<f64> {
        match self {
            CostSource::Estimate => launch
                .profile
                .as_ref()
                .map(|profile| profile.estimate.microseconds),
            CostSource::Time => launch.time.map(|time| time.as_secs_f64() * 1e6),
        }
    }
}

/// Runs an entry on a device.
pub struct OnDevice<'a> {
    entry: EntryPoint<'a>,
    /// One value per parameter.
    data_sets: &'a [Vec<Value>],
    source: CostSource,
    /// The data set that ran last, on the device.
    resident: Option<(usize, Resident<'a>)>,
}

impl<'a> OnDevice<'a> {
    /// An entry and its data sets.
    pub fn new(
        entry: EntryPoint<'a>,
        data_sets: &'a [Vec<Value>],
        source: CostSource,
    ) -> OnDevice<'a> {
        OnDevice {
            entry,
            data_sets,
            source,
            resident: None,
        }
    }
    /// Runs and reports, without asking what it cost.
    ///
    /// # Errors
    /// As [`Measure::run`].
    pub fn report(
        &mut self,
        data_set: usize,
        settings: &Settings,
    ) -> Result<RunReport, RunFailure> {
        let timing = if self.source == CostSource::Time {
            Timing::Plan
        } else {
            Timing::Off
        };
        self.timed(data_set, settings, timing)
    }

    /// Runs with each launch measured by itself, and reports.
    ///
    /// # Errors
    /// As [`Measure::run`].
    pub fn report_launches(
        &mut self,
        data_set: usize,
        settings: &Settings,
    ) -> Result<RunReport, RunFailure> {
        self.timed(data_set, settings, Timing::Launches)
    }

    fn timed(
        &mut self,
        data_set: usize,
        settings: &Settings,
        timing: Timing,
    ) -> Result<RunReport, RunFailure> {
        let Some(args) = self.data_sets.get(data_set) else {
            return Err(RunFailure(format!("there is no data set {data_set}")));
        };
        let options = RunOptions {
            tunables: settings.clone(),
            timing,
            ..RunOptions::default()
        };
        let failed = |error: RunError| RunFailure(error.to_string());
        // The memory of another one goes first.
        let kept = self
            .resident
            .take()
            .filter(|(number, _)| *number == data_set);
        let resident = match kept {
            Some((_, resident)) => resident,
            None => {
                let resident = self.entry.resident(args).map_err(failed)?;
                // The first run on a GPU also loads code and wakes the clocks.
                if self.source == CostSource::Time {
                    resident.measure(&options).map_err(failed)?;
                }
                resident
            }
        };
        self.resident
            .insert((data_set, resident))
            .1
            .measure(&options)
            .map_err(failed)
    }
}

impl Measure for OnDevice<'_> {
    fn run(&mut self, data_set: usize, settings: &Settings) -> Result<Run, RunFailure> {
        let report = self.report(data_set, settings)?;
        let Some(cost) = self.source.cost(&report) else {
            return Err(RunFailure(
                "the device does not say what a launch costs".to_owned(),
            ));
        };
        let compared = report
            .comparisons
            .into_iter()
            .map(|row| (row.tunable, row.value))
            .collect();
        Ok(Run { cost, compared })
    }
    fn precision(&self) -> Precision {
        self.source.precision()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_launches_costs_nothing() {
        let cost = CostSource::Estimate.cost(&RunReport::default());
        assert_eq!(cost.map(f64::to_bits), Some(0.0f64.to_bits()));
        assert_eq!(CostSource::Time.cost(&RunReport::default()), None);
    }
}
