//! The report of a run: its launches, memory and transfers.

use segra_ptx::Profile;
use serde::Serialize;
use std::time::Duration;

/// One launch that took place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LaunchRecord {
    /// The kernel.
    pub kernel: String,
    /// Thread blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads per block in x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
    /// The stream it ran in.
    pub stream: usize,
    /// Whether it was part of a graph: one call launched all of its batch.
    pub in_graph: bool,
    /// Time on the device (simulator: time to simulate), when launches were measured.
    pub time: Option<Duration>,
    /// The simulator's counters, by name; empty on hardware.
    pub counters: Vec<(&'static str, u64)>,
    /// The simulator's profile, when it was asked for one; its estimate of time is that of a launch in a graph where it was
    /// part of one.
    pub profile: Option<Box<Profile>>,
}

/// A comparison of a value with a tunable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// The tunable.
    pub tunable: String,
    /// The other side of the comparison.
    pub value: i64,
    /// How often in this run.
    pub times: u64,
}

/// The report of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RunReport {
    /// Launches in order; those with an empty grid did not take place and are absent. Of launches that were neither timed
    /// nor profiled only the first [`RunReport::RECORDS`] are here: a loop of any number of rounds has a report of one size.
    pub launches: Vec<LaunchRecord>,
    /// How many launches took place.
    pub launched: usize,
    /// Launches skipped because an extent was zero.
    pub empty_launches: usize,
    /// Batches of launches, copies and fills handed to the device.
    pub batches: usize,
    /// Most streams that a batch had: so many steps could run beside each other.
    pub streams: usize,
    /// Batches that were launched as graphs, because their shape had come before.
    pub graph_launches: usize,
    /// Buffers allocated, arguments included.
    pub allocations: usize,
    /// Times the device was asked for memory; the other buffers took what earlier ones had freed.
    pub device_allocations: usize,
    /// Names and sizes in bytes of buffers that are neither arguments nor results and were never freed.
    pub leaked: Vec<(String, u64)>,
    /// Buffers the plan left to the executor to release, results and arguments included.
    pub released_at_end: usize,
    /// Most bytes of live buffers at one time.
    pub peak_bytes: u64,
    /// Most bytes asked of the device at one time: live buffers, and freed ones that are kept for later ones.
    pub peak_held_bytes: u64,
    /// Bytes copied from buffer to buffer on the device.
    pub copied_bytes: u64,
    /// Bytes filled with a value on the device.
    pub filled_bytes: u64,
    /// Bytes copied to the device.
    pub uploaded_bytes: u64,
    /// Bytes copied to the host.
    pub downloaded_bytes: u64,
    /// Comparisons with tunables: by tunable as the artifact lists them, then by value; the first [`RunReport::RECORDS`]
    /// different ones.
    pub comparisons: Vec<Comparison>,
    /// Time on the device from the plan's first step to its last, when that was measured ([`Timing::Plan`](crate::Timing)).
    pub plan_time: Option<Duration>,
    /// Time from the first upload to the last download.
    pub time: Duration,
}

impl RunReport {
    /// Most entries of a list that a loop may make longer in every round.
    pub const RECORDS: usize = 1000;
}
