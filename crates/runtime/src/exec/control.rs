//! A run as other threads see it: how far it is, and a way to end it.
//!
//! The host plan looks at its control whenever it enters a block, so loops end, however little they do. The simulator
//! ends a kernel too; hardware knows no way. Who cannot wait for one ends the process.

use segra_artifact::LocationId;
use segra_ptx::Cancel;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// Why a run is to end before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Someone wants it to end.
    Interrupted,
    /// It took too long.
    TimeLimit,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Statements and blocks of the host plan begun so far.
    pub steps: u64,
    /// Where in the source program the latest statement comes from.
    pub location: Option<LocationId>,
    /// The kernel that runs, by its number in the manifest; devices with queues of their own do not tell.
    pub kernel: Option<usize>,
}

/// Watches and ends a run from other threads ([`crate::RunOptions::control`]). For one run at a time.
#[derive(Debug, Default)]
pub struct RunControl {
    /// 0: go on.
    stop: AtomicU8,
    /// Ends the launch that runs, where the device can.
    cancel: Cancel,
    steps: AtomicU64,
    /// Numbers plus one; 0: none.
    location: AtomicU32,
    kernel: AtomicU32,
}

impl RunControl {
    /// A control of a run that may go on.
    pub fn new() -> RunControl {
        RunControl::default()
    }

    /// Ends the run at its next step, and a kernel on the simulator within some thousand instructions; what came first
    /// counts.
    pub fn stop(&self, why: Stop) {
        let code = match why {
            Stop::Interrupted => 1,
            Stop::TimeLimit => 2,
        };
        let _ = self
            .stop
            .compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
        self.cancel.set();
    }

    /// Whether it is to end.
    pub fn stopped(&self) -> Option<Stop> {
        match self.stop.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Stop::Interrupted),
            _ => Some(Stop::TimeLimit),
        }
    }

    /// How far the run is.
    pub fn progress(&self) -> Progress {
        let number = |cell: &AtomicU32| cell.load(Ordering::Relaxed).checked_sub(1);
        Progress {
            steps: self.steps.load(Ordering::Relaxed),
            location: number(&self.location).map(|number| LocationId::new(number as usize)),
            kernel: number(&self.kernel).map(|number| number as usize),
        }
    }

    /// The switch that ends launches.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    pub(super) fn entered(&self, steps: u64) {
        self.steps.store(steps, Ordering::Relaxed);
    }
    pub(super) fn at(&self, location: Option<LocationId>) {
        self.location.store(
            location.map_or(0, |location| location.index() as u32 + 1),
            Ordering::Relaxed,
        );
    }
    pub(super) fn in_kernel(&self, kernel: Option<usize>) {
        self.kernel.store(
            kernel.map_or(0, |kernel| kernel as u32 + 1),
            Ordering::Relaxed,
        );
    }
}

/// A control is equal to itself only.
impl PartialEq for RunControl {
    fn eq(&self, other: &RunControl) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for RunControl {}
