//! Forms of segmented ops that combine: how the elements of a segment are divided among threads.
//!
//! A form has no meaning for results: an op computes the same in every form, and the interpreter ignores it. Passes of the
//! schedule choose it; the lowering translates it. An op inside a thread block's segmap has none: its segments are
//! divided among the block's threads.

use segra_ir::enum_attr;

enum_attr! {
    /// How the elements of a segment are divided among threads.
    Form, FormAttr, "a form (`lanes`, `warp`, `block`, `parts`, `tiles` or `threads`)", 32, {
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
        /// A thread has consecutive elements of a segment: the one form of operators that combine arrays.
        Threads = "threads" = 5,
    }
}

impl Form {
    /// Whether a reduction can take the form; `arrays`: its operator combines arrays.
    pub fn suits_reduction(self, arrays: bool) -> bool {
        match self {
            Form::Lanes | Form::Warp | Form::Block | Form::Parts => !arrays,
            Form::Threads => arrays,
            Form::Tiles => false,
        }
    }

    /// Whether a scan can take the form; `arrays`: its operator combines arrays.
    pub fn suits_scan(self, arrays: bool) -> bool {
        match self {
            Form::Warp | Form::Tiles => !arrays,
            Form::Threads => arrays,
            Form::Lanes | Form::Block | Form::Parts => false,
        }
    }
}
