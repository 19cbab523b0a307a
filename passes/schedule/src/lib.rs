//! Kernel → kernel: how nests run is decided here. Passes read and write `kernel` with `arith` and `scf`; they see neither
//! the array program nor the device.
//!
//! * [`forms`]: pass `choose-forms`: how the segments of reductions and scans are divided among threads, how histograms
//!   combine;
//! * [`bound`]: pass `bound-arrays`: how large the arrays of points are whose extents differ between points;
//! * [`traverse`]: pass `fuse-traversals`: what iterates over the same matrices becomes one kernel;
//! * [`vectorize`]: pass `vectorize`: where a thread takes several elements at once, and what goes through shared memory;
//! * [`fuse_loops`]: pass `fuse-loops`: loops in a thread over the same range become one;
//! * [`rows`]: pass `rows-in-blocks`: what is done to a row one op after another is done by one thread block;
//! * [`chain`]: pass `tile-chains`: two products with reductions of rows between them become one kernel;
//! * [`coalesce`]: pass `coalesce-inputs`: arrays that threads iterate over are read from transposed copies;
//! * [`contract`]: pass `use-tensor-cores`: sums of products that threads hold become those of tensor cores;
//! * [`boxes`]: pass `copy-boxes`: tiles that warpgroups multiply are copied as boxes of arrays;
//! * [`mapping`]: pass `choose-mapping`: which thread block and thread runs which index;
//! * [`registers`]: pass `unroll-registers`: the points that a thread holds in registers are run at once;
//! * [`stencil`]: pass `schedule-stencils`: points that read their neighbours are run in tiles;
//! * [`tile`]: pass `tile-blocks`: what several threads read in a loop is copied to shared memory by their thread block; pass
//!   `apply-schedules`: nests are rewritten as the program says;
//! * [`windows`]: pass `expand-windows`: windows of tensors become nests over their elements.
//!
//! ```
//! use segra_ir::{Context, Diagnostics};
//! use segra_pass::{PassManager, Pipeline};
//! use segra_text::{ParseOptions, PrintOptions, parse_module, print};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! ctx.register(segra_kernel::dialect());
//! let program = "
//!     func.func @main(%xs: tensor<?xf32>) -> f32 {
//!       %zero = arith.constant 0.0 : f32
//!       %c0 = arith.constant 0 : index
//!       %n = tensor.dim %xs, %c0 : tensor<?xf32>
//!       %sum = kernel.segred thread (%i < %n) init (%zero : f32) -> (f32) {
//!         %x = tensor.extract %xs[%i] : tensor<?xf32>
//!         kernel.return %x : f32
//!       } combine (%s, %t) {
//!         %u = arith.addf %s, %t : f32
//!         kernel.return %u : f32
//!       }
//!       func.return %sum : f32
//!     }";
//! let mut ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let mut pipeline = Pipeline::on("builtin.module");
//! pipeline.add(Box::new(segra_schedule::ChooseForms::default()));
//! let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
//! assert!(done.is_ok());
//! let after = print(&ir, ir.root(), &PrintOptions::default());
//! assert!(after.contains("form"), "{after}");
//! ```

pub mod bound;
pub mod boxes;
pub mod chain;
mod choice;
pub mod coalesce;
pub mod contract;
mod equal;
pub mod forms;
pub mod fuse_loops;
pub mod mapping;
pub mod registers;
pub mod rows;
pub mod stencil;
pub mod tile;
pub mod traverse;
pub mod vectorize;
pub mod windows;

pub use bound::BoundArrays;
pub use boxes::CopyBoxes;
pub use chain::TileChains;
pub use coalesce::CoalesceInputs;
pub use contract::UseTensorCores;
pub use forms::ChooseForms;
pub use fuse_loops::FuseLoops;
pub use mapping::{ChooseMapping, Explained, explained};
pub use registers::UnrollRegisters;
pub use rows::RowsInBlocks;
pub use stencil::ScheduleStencils;
pub use tile::{ApplySchedules, TileBlocks};
pub use traverse::FuseTraversals;
pub use vectorize::Vectorize;
pub use windows::ExpandWindows;
