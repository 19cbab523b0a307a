//! Passes on loops: what need not be repeated, loops joined, and loops written out.
//!
//! One file per pass: [`licm`] asks only interfaces and works on every dialect's loops; [`fuse_loops`] and [`unroll`] work
//! on `scf.for`.

pub mod fuse_loops;
pub mod licm;
pub mod unroll;

pub use fuse_loops::FuseLoops;
pub use licm::LoopInvariantCodeMotion;
pub use unroll::LoopUnroll;
