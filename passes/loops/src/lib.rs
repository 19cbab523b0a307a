//! Passes on loops: what need not be repeated, and loops written out.
//!
//! One file per pass: [`licm`] asks only interfaces and works on every dialect's loops; [`unroll`] works on `scf.for`.

pub mod licm;
pub mod unroll;

pub use licm::LoopInvariantCodeMotion;
pub use unroll::LoopUnroll;
