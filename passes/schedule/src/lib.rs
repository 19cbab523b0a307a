//! Kernel → kernel: how nests run is decided here. Passes read and write `kernel` with `arith` and `scf`; they see neither
//! the array program nor the device.
//!
//! * [`fuse_loops`]: pass `fuse-loops`: loops in a thread over the same range become one;
//! * [`rows`]: pass `rows-in-blocks`: what is done to a row one op after another is done by one thread block;
//! * [`coalesce`]: pass `coalesce-inputs`: arrays that threads go along are read from transposed copies;
//! * [`tile`]: pass `tile-blocks`: what several threads read in a loop is copied to shared memory by their thread block.

pub mod coalesce;
pub mod fuse_loops;
pub mod rows;
pub mod tile;

pub use coalesce::CoalesceInputs;
pub use fuse_loops::FuseLoops;
pub use rows::RowsInBlocks;
pub use tile::TileBlocks;
