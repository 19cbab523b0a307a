//! Machine levels: which unit of the machine executes one point of a segment space.
//!
//! A tag without meaning for results: an op computes the same at every level. It decides how the op is lowered.
//! Units of one level do not talk to each other; they run ops of the levels below.
//!
//! Deliberately absent: the grid, which runs the whole of an op, and the host, which runs points one after the other in an
//! `scf.for`; warps and lanes, which are forms of ops ([`crate::form`]).

use segra_ir::enum_attr;

enum_attr! {
    /// The unit that executes one point of a segment space.
    Level, LevelAttr, "a machine level (`block` or `thread`)", 32, {
        /// One thread block runs each point; what is inside uses its threads and its shared memory.
        Block = "block" = 1,
        /// One thread runs each point, sequentially.
        Thread = "thread" = 2,
    }
}

impl Level {
    /// Whether an op of level `self` may stand directly or indirectly inside one of level `outer`.
    pub fn may_stand_inside(self, outer: Level) -> bool {
        self.value() > outer.value()
    }
}
