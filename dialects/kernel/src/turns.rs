//! Turns that thread blocks take for segments, of which a GPU has only so many at once.
//!
//! ```text
//! 300 segments of 517      1 turn:    517 elements for each: a thread block
//! 2448 segments of 36      3 turns:    12 elements for each: a warp, which does as much for an eighth of the turns
//! ```
//!
//! Segments at the points of thread blocks are combined by a warp each ([`Combiner`](crate::segop::Combiner)), so that short ones
//! take more warps than their elements need ([`warps_for_segments`]).
//!
//! Operators that combine arrays are run by single threads, which take parts of segments ([`Parts::of_threads`]).
//!
//! Not here: thresholds for that (`choose-forms`, `flatten`).

use segra_ir::{Builder, Value};
use segra_space::Target;
use segra_std::arith::{self, index};

/// So many thread blocks of 256 threads are about what a large GPU runs at once (an H100: 8 on each of 132 processors).
pub const BLOCKS_AT_ONCE: i64 = 1 << 10;

/// How many times a device begins anew where there are more segments than it does at once, as far as that decides how they are
/// done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    /// Segments that are done at once.
    pub at_once: i64,
    /// Turns that count; more do not change the choice.
    pub most: i64,
}

impl Turns {
    /// Of a thread block for each segment. From eight turns on, warps, of which a thread block has as many, take as many.
    pub const OF_BLOCKS: Turns = Turns {
        at_once: BLOCKS_AT_ONCE,
        most: 8,
    };
    /// Of a warp for each segment. From four turns on, segments that other forms read as fast are long enough to fill a warp.
    pub const OF_WARPS: Turns = Turns {
        at_once: 4 * BLOCKS_AT_ONCE,
        most: 4,
    };

    /// `length` divided by the turns that the segments of `outer` take.
    pub fn for_each(self, b: &mut Builder<'_>, length: Value, outer: &[Value]) -> Value {
        let known: Option<Vec<i64>> = outer.iter().map(|&size| b.ir.constant_int(size)).collect();
        if let Some(known) = known {
            let segments = known
                .iter()
                .fold(1i64, |all, &size| all.saturating_mul(size));
            let turns = (segments.max(1) - 1) / self.at_once + 1;
            let turns = turns.min(self.most);
            if let Some(length) = b.ir.constant_int(length) {
                return index::constant(b, length / turns);
            }
            if turns == 1 {
                return length;
            }
        }
        let segments = index::product(b, outer);
        let [one, most, at_once] =
            [1, self.most, self.at_once].map(|value| index::constant(b, value));
        let turns = arith::CeilDivSIOp::build(b, segments, at_once).result(b.ir);
        let turns = arith::MinSIOp::build(b, turns, most).result(b.ir);
        let turns = arith::MaxSIOp::build(b, turns, one).result(b.ir);
        arith::DivSIOp::build(b, length, turns).result(b.ir)
    }
}

/// Least elements of a part that a thread combines.
const LEAST_ELEMENTS: i64 = 32;
/// About as many threads keep a device busy.
const MOST_THREADS: i64 = 4096;

/// A segment that several threads or thread blocks have, a part each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// How many; at least one.
    pub count: Value,
    /// Elements of each, but for the last one.
    pub length: Value,
}

impl Parts {
    /// Divides `count` elements of each segment of `outer` among threads: as many as keep a device busy, if they have enough
    /// to do.
    pub fn of_threads(b: &mut Builder<'_>, count: Value, outer: &[Value]) -> Parts {
        let [one, least, most] =
            [1, LEAST_ELEMENTS, MOST_THREADS].map(|value| index::constant(b, value));
        let segments = index::product(b, outer);
        let segments = index::max(b, segments, one);
        let most = ceil_div(b, most, segments);
        let wanted = ceil_div(b, count, least);
        let few = index::min(b, wanted, most);
        let few = index::max(b, few, one);
        let length = ceil_div(b, count, few);
        let length = index::max(b, length, one);
        let parts = ceil_div(b, count, length);
        Parts {
            count: index::max(b, parts, one),
            length,
        }
    }
}

/// `x / y`, rounded up, as one op where it is not a constant: passes on the host tell how large it is.
fn ceil_div(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    match b.ir.constant_int(x).and(b.ir.constant_int(y)) {
        Some(_) => index::ceil_div(b, x, y),
        None => arith::CeilDivSIOp::build(b, x, y).result(b.ir),
    }
}

/// Warps of each of so many thread blocks for segments that a warp combines each: one for each segment, where the device has that
/// many that nothing else needs. More of them hide no latency, and each runs what all threads of a block do alike.
pub fn warps_for_segments(b: &mut Builder<'_>, segments: Value, blocks: Value) -> Value {
    let [one, busy] = [1, Target::CUDA.busy_blocks * Turns::OF_BLOCKS.most]
        .map(|value| index::constant(b, value));
    let blocks = index::max(b, blocks, one);
    let spare = index::div(b, busy, blocks);
    index::min(b, segments, spare)
}
