//! Device memory: how arrays lie in it, who owns a buffer, when it is last used, whether it may be changed in place.
//!
//! * [`in_place`]: pass `update-in-place`: a copy of a buffer nobody needs any more is that buffer;
//! * [`free`]: pass `free-memory`: buffers are freed after their last use in their block;
//! * [`reuse`]: pass `reuse-memory`: buffers take the memory of earlier ones that are freed;
//! * [`coalesce`]: pass `coalesce-inputs`: arrays that threads go along are read from transposed copies;
//! * [`rows`]: pass `rows-in-blocks`: what is done to a row one op after another is done by one thread block;
//! * [`alias`]: which values are one buffer seen differently, and where they are used.
//!
//! Deliberately absent: any knowledge of what kernels compute; only which buffers they are given counts.

mod alias;
pub mod coalesce;
pub mod free;
pub mod in_place;
pub mod reuse;
pub mod rows;

pub use coalesce::CoalesceInputs;
pub use free::FreeMemory;
pub use in_place::UpdateInPlace;
pub use reuse::ReuseMemory;
pub use rows::RowsInBlocks;
