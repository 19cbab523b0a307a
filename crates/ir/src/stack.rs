//! Recursion whose depth input decides: chains of definitions, types and attributes in one another.
//!
//! A thread's stack has a fixed size that a program of a few thousand lines exhausts. Functions that follow what a
//! program nests or strings together, and are not bounded otherwise, call themselves through [`deep`].

/// As much of the stack is left for what is called without [`deep`].
const RED_ZONE: usize = 128 * 1024;
/// The number added where less than that is left.
const CHUNK: usize = 4 * 1024 * 1024;

/// Runs `work` on a larger stack where little is left of this one.
#[inline]
pub fn deep<R>(work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, CHUNK, work)
}
