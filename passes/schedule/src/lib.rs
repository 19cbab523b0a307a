//! Kernel → kernel: how nests run is decided here. Passes read and write `kernel` with `arith` and `scf`; they see neither
//! the array program nor the device.
//!
//! * [`forms`]: pass `choose-forms`: how the segments of reductions and scans are divided among threads;
//! * [`fuse_loops`]: pass `fuse-loops`: loops in a thread over the same range become one;
//! * [`rows`]: pass `rows-in-blocks`: what is done to a row one op after another is done by one thread block;
//! * [`coalesce`]: pass `coalesce-inputs`: arrays that threads go along are read from transposed copies;
//! * [`tile`]: pass `tile-blocks`: what several threads read in a loop is copied to shared memory by their thread block.

pub mod coalesce;
pub mod forms;
pub mod fuse_loops;
pub mod rows;
pub mod tile;

pub use coalesce::CoalesceInputs;
pub use forms::ChooseForms;
pub use fuse_loops::FuseLoops;
pub use rows::RowsInBlocks;
pub use tile::TileBlocks;
