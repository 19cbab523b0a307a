//! Accesses of tasks through one cache, one task after the other.
//!
//! Source: column-based iteration thesis, 3.1 and 3.2: the order of tasks is what can be changed, so a task is one step of
//! time, and the cache is one with least recently used lines and no sets. Any other [`CacheShape`] will do as well.

use crate::cache::{Cache, CacheShape};
use crate::diagram::{Diagram, Mark, Served};

/// An access of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// First byte.
    pub address: u64,
    /// Bytes.
    pub bytes: u32,
}

/// The counts of a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Tasks.
    pub tasks: u64,
    /// Lines that accesses asked for: one each, unless an access lies across a boundary of lines.
    pub accesses: u64,
    /// Lines that were not there and were fetched.
    pub fetches: u64,
}

impl Counts {
    /// Share of accesses whose line was there.
    pub fn hit_rate(&self) -> f64 {
        if self.accesses == 0 {
            return 0.0;
        }
        1.0 - self.fetches as f64 / self.accesses as f64
    }
}

/// A replay: its counts, and a picture of it.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Hits and fetches.
    pub counts: Counts,
    /// Lines against tasks.
    pub diagram: Diagram,
}

/// Replays tasks through an empty cache. The picture has at most `columns` steps of time; 0 makes none.
pub fn replay(
    shape: CacheShape,
    tasks: impl ExactSizeIterator<Item = Vec<Access>>,
    columns: usize,
) -> Replay {
    let mut cache = Cache::new(shape);
    let mut counts = Counts::default();
    let mut marks = Vec::new();
    let line_bytes = u64::from(shape.line_bytes.max(1));
    let all = tasks.len();
    let columns = columns.min(all);
    for (index, task) in tasks.enumerate() {
        counts.tasks += 1;
        let column = |task: usize| (task as u64 * columns as u64 / all as u64) as u32;
        for access in task {
            let last = access.address + u64::from(access.bytes.max(1)) - 1;
            for line in access.address / line_bytes..=last / line_bytes {
                let hit = cache.access(line * line_bytes, false).hit;
                counts.accesses += 1;
                counts.fetches += u64::from(!hit);
                if columns > 0 {
                    marks.push(Mark {
                        column: column(index),
                        address: line * line_bytes,
                        served: if hit { Served::First } else { Served::Memory },
                    });
                }
            }
        }
        if columns > 0 && (index + 1 == all || column(index + 1) != column(index)) {
            marks.extend(cache.held().map(|address| Mark {
                column: column(index),
                address,
                served: Served::Held,
            }));
            marks.sort_unstable();
            marks.dedup();
        }
    }
    Replay {
        counts,
        diagram: Diagram::new(marks, columns, line_bytes),
    }
}
