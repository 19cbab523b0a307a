//! A launch that stopped early: its fault, with what it did until then.

use crate::fault::{FaultReport, Finding};
use crate::stats::LaunchStats;
use thiserror::Error;

/// A stopped launch; reads like the [`FaultReport`] it holds. It is one pointer, so results stay small.
#[derive(Clone, Debug, Error)]
#[error("{}", self.0.report)]
pub struct Fault(Box<Stopped>);

#[derive(Clone, Debug)]
struct Stopped {
    report: FaultReport,
    stats: LaunchStats,
}

impl Fault {
    pub(crate) fn new(report: FaultReport, stats: LaunchStats) -> Fault {
        Fault(Box::new(Stopped { report, stats }))
    }

    /// The counters, the printed text and the findings of the launch when it stopped; nothing if it did not start.
    pub fn stats(&self) -> &LaunchStats {
        &self.0.stats
    }

    /// The findings before, and the fault itself last.
    pub fn findings(&self) -> impl Iterator<Item = Finding> + '_ {
        let last = Finding {
            report: self.0.report.clone(),
            count: 1,
        };
        self.0.stats.findings.iter().cloned().chain([last])
    }
}

impl PartialEq for Fault {
    /// Whether the same stopped the launch.
    fn eq(&self, other: &Fault) -> bool {
        self.0.report == other.0.report
    }
}

impl Eq for Fault {}

impl From<FaultReport> for Fault {
    fn from(report: FaultReport) -> Fault {
        Fault::new(report, LaunchStats::default())
    }
}

impl core::ops::Deref for Fault {
    type Target = FaultReport;

    fn deref(&self) -> &FaultReport {
        &self.0.report
    }
}
