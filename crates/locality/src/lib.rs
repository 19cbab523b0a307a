//! Locality: what caches hold, what an order of tasks fetches, and what closed forms say it should. No IR, no PTX.
//!
//! ```text
//! Cache      sectors and lines of one cache under a policy of replacement; the simulator's profiles use it, too
//! replay     the accesses of tasks, one task after the other, through one cache: hits, fetched lines, a picture
//! forms      the thesis' closed forms of working sets and fetches, for stencils and products in each order
//! pattern    which of the two a program is, from the accesses of its tasks
//! Diagram    address against time: what served each access, in as many cells as a picture has
//! ```
//!
//! Source: Prasetya, "Column-based iteration" (2022). Where the thesis errs, the header of the module says what is done
//! instead.
//!
//! ```
//! use segra_locality::{Access, CacheShape, forms::*, replay};
//!
//! // The thesis' table 3.1: a 7x7 stencil over 16x16 elements, rows one after the other, 24 lines of 4 elements.
//! let cache = CacheShape::fully_associative(24, 16);
//! let task = |i: i32| {
//!     let (y, x) = (i / 16, i % 16);
//!     let near = (-3..=3).flat_map(move |dy| (-3..=3).map(move |dx| (y + dy, x + dx)));
//!     let clamped = near.map(|(y, x)| (y.clamp(0, 15), x.clamp(0, 15)));
//!     clamped.map(|(y, x)| Access { address: 4 * (16 * y + x) as u64, bytes: 4 }).collect()
//! };
//! let counts = replay(cache, (0..256).map(task), 0).counts;
//! assert_eq!((counts.accesses, counts.fetches), (256 * 49, 316));
//!
//! let stencil = Stencil { width: 16, height: 16, across: 7, down: 7, inputs: 1 };
//! let cost = stencil.cost(Lines { held: 24, elements: 4 }, Order::Linear, 1);
//! assert!(!cost.fits && counts.fetches <= cost.fetches);
//! ```

mod cache;
mod diagram;
pub mod forms;
pub mod pattern;
mod replay;

pub use cache::{Cache, CacheShape, Outcome, Replacement, Stay};
pub use diagram::{Diagram, Mark, Run, Served};
pub use replay::{Access, Counts, Replay, replay};
