//! Autotuning: which values of a program's thresholds make it fastest on given data sets.
//!
//! Source: "Regular flattening" (lecture of Troels Henriksen, DIKU 2021), "Autotuning": from the deepest comparison
//! outwards, for each data set the interval of values that is best, then the intersection of the intervals. Tuning time
//! is linear in the number of comparisons.
//!
//! ```text
//! Artifact (tunables: names, defaults, tree) + Measure (a run with given thresholds: cost, what was compared)
//!     ──tune──▶ Tuning (a value per threshold) ──▶ PROGRAM.tuning ──▶ RunOptions::tunables
//! ```
//! * [`mod@file`]: tuning files; [`search`]: the procedure; [`choose`]: one threshold's value from measured costs;
//! * [`cost`]: when two costs differ; [`measure`]: runs on a device; [`journal`]: runs kept in a file, to go on from.
//!
//! Invariants: the search asks for runs in an order that only earlier runs decide, so replaying them from a journal
//! leads to the same place; no file a user writes makes it panic. Deliberately absent: compilation, command lines.
//!
//! ```
//! use segra_tune::Tuning;
//!
//! let tuning = Tuning::parse("# for long rows\nmain.top.0 = 512\n")?;
//! assert_eq!(tuning.values["main.top.0"], 512);
//! assert_eq!(Tuning::parse("main.top.0 = -1").unwrap_err().line, 1);
//! # Ok::<(), segra_tune::TuningError>(())
//! ```

pub mod choose;
pub mod cost;
pub mod file;
pub mod journal;
pub mod measure;
pub mod search;

pub use choose::{Agreement, Candidate, Interval};
pub use cost::{Cost, Precision};
pub use file::{Tuning, TuningError};
pub use journal::{Journal, JournalError, Resumed};
pub use measure::{CostSource, Measure, OnDevice, Run, RunFailure};
pub use search::{Chosen, DataSetCosts, Event, SearchError, Tuned, tune};
