//! Forms of segmented ops that combine: how the elements of a segment are divided among threads, and how those of one bin
//! meet.
//!
//! A form has no meaning for results: an op computes the same in every form, and the interpreter ignores it. Passes of the
//! schedule choose it; the lowering translates it. An op inside a thread block's segmap has none: its segments are
//! divided among the block's threads.

use segra_ir::enum_attr;

/// Lanes of a segment of the form `lanes`.
pub const FEW_LANES: i64 = 4;

/// A mark of reductions that combine the parts of tiles, one for each row or column: there are as many segments as a tile has rows or
/// columns at least, and making a part takes many times as long as combining it.
pub const OF_TILES: &str = "of_tiles";

enum_attr! {
    /// How the elements of a segment are divided among threads, or how those of one bin are combined.
    Form, FormAttr, "a form (`lanes`, `warp`, `block`, `parts`, `tiles`, `thread`, `threads`, `shared`, `atomics`, `locks`, `columns` or `last`)", 32, {
        /// A few lanes of a warp have a segment (reductions): for segments of a few elements.
        Lanes = "lanes" = 0,
        /// A warp has a segment.
        Warp = "warp" = 1,
        /// A thread block has a segment (reductions).
        Block = "block" = 2,
        /// Several thread blocks have a segment, and a second kernel combines their results (reductions): for few long
        /// segments.
        Parts = "parts" = 3,
        /// A thread block has a tile of a segment and looks back for the sum of the tiles before it (scans).
        Tiles = "tiles" = 4,
        /// Several threads have a segment, each consecutive elements of it (reductions and scans by operators that combine
        /// arrays).
        Threads = "threads" = 5,
        /// A thread block has a part of a segment, and for it histograms of its own in shared memory, of one range of bins
        /// after another if not all have space (histograms).
        Shared = "shared" = 6,
        /// A thread has an element, and combines it into the results by atomics (histograms); or several thread blocks have a
        /// segment, and each combines its result into that of the segment (reductions by operators that commute: sums of
        /// floats may differ from run to run).
        Atomics = "atomics" = 7,
        /// A thread has an element, and combines it into the results by atomics where they can, else under a lock per bin
        /// (histograms): the one form of histograms by operators that combine arrays.
        Locks = "locks" = 8,
        /// A thread block has 8 neighbouring segments, which it turns in shared memory tile by tile (scans): for segments that
        /// are columns of what they read.
        Columns = "columns" = 9,
        /// Several thread blocks have a segment, and the last of them to end combines their results, in order (reductions).
        Last = "last" = 10,
        /// A thread has a segment (reductions and scans by operators that combine arrays).
        Thread = "thread" = 11,
    }
}

impl Form {
    /// Whether a reduction can take the form; `arrays`: its operator combines arrays; `atomics`: all of its values can be
    /// combined by atomics, in any order.
    pub fn suits_reduction(self, arrays: bool, atomics: bool) -> bool {
        match self {
            Form::Lanes | Form::Warp | Form::Block | Form::Parts | Form::Last => !arrays,
            Form::Thread | Form::Threads => arrays,
            Form::Atomics => !arrays && atomics,
            Form::Tiles | Form::Columns | Form::Shared | Form::Locks => false,
        }
    }

    /// Whether a scan over so many dimensions can take the form; `arrays`: its operator combines arrays.
    pub fn suits_scan(self, arrays: bool, rank: usize) -> bool {
        match self {
            Form::Warp | Form::Tiles => !arrays,
            Form::Columns => !arrays && rank > 1,
            Form::Thread | Form::Threads => arrays,
            Form::Lanes | Form::Block | Form::Parts | Form::Last => false,
            Form::Shared | Form::Atomics | Form::Locks => false,
        }
    }

    /// Whether a histogram can take the form; `arrays`: its operator combines arrays; `locks`: it needs locks.
    pub fn suits_histogram(self, arrays: bool, locks: bool) -> bool {
        match self {
            Form::Shared => !arrays,
            Form::Atomics => !locks,
            Form::Locks => true,
            Form::Lanes | Form::Warp | Form::Block | Form::Parts | Form::Last => false,
            Form::Tiles | Form::Columns | Form::Thread | Form::Threads => false,
        }
    }
}
