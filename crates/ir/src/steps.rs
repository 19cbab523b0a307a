//! Steps of work, counted in debug builds only: looks at ops, blocks, regions, values and uses, tokens that are read,
//! keys that are compared.
//!
//! For tests that show that work grows no faster than the program: a count says so on any machine, under any load,
//! where a time does not. Release builds count nothing. Each thread has its own count.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// Counts steps.
#[inline]
pub fn count(steps: usize) {
    if cfg!(debug_assertions) {
        STEPS.set(STEPS.get().wrapping_add(steps as u64));
    }
}

/// The steps this thread has taken; 0 in release builds.
pub fn taken() -> u64 {
    STEPS.get()
}
