//! The width of columns, from what thread blocks ask a cache for.
//!
//! Source: column-based iteration thesis, 4.3 and 4.4: the working set of the threads in progress is the rows that they are in and
//! the neighbourhood around them, in lines. Threads of a block are in progress at once, so of all widths the one is best
//! whose blocks have the smallest such set: each line of it is fetched once for all of them.
//!
//! Lines are counted as columns lie in them, which begin at multiples of a line: 32 floats and 4 to each side are in three lines,
//! where the thesis' `ceil((c + Sw) / L)` has two. Elements that a thread reads one at a time, along a row of its own, come in
//! sectors; those that neighbours read side by side, in lines.

use crate::target::Target;

/// Width of columns where a program's reads say nothing: what they say for the stencils of the thesis.
pub const COLUMN_WIDTH: i64 = 64;
/// Threads of a block. A multiprocessor holds several blocks of a column, and what one of them asked for is in its cache for the others,
/// so larger blocks share no more; but a place for a block is free only when its last warp has ended, which waited for all that its
/// block asked for first. (The thesis' stencils, 5.1, are fastest in columns by blocks of 256; its product by 1024, where the
/// estimate has 256.)
pub const COLUMN_THREADS: i64 = 256;

/// Bytes of a line and of a sector.
const LINE: i64 = Target::CUDA.line_bytes;
const SECTOR: i64 = Target::CUDA.sector_bytes;
/// Trips of a loop that are more than a neighbourhood has elements.
pub const LONG_LOOP: i64 = 256;

/// Which elements the threads of a block read by an index of an array; the number of them that one thread reads is `reach`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Span {
    /// Those around its row: one of all dimensions but the innermost.
    Row {
        /// At least 1.
        reach: i64,
    },
    /// Those around its place in the row, from `first` on.
    Column {
        /// Where the neighbourhood begins, from the thread's place.
        first: i64,
        /// At least 1.
        reach: i64,
    },
    /// Those of a loop, one after the other, the same for all threads.
    Loop {
        /// Trips.
        reach: i64,
    },
    /// Those that do not depend on the thread.
    Uniform {
        /// At least 1.
        reach: i64,
    },
}

/// The elements that a thread reads of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Footprint {
    /// By index of the array, outermost first.
    pub spans: Vec<Span>,
    /// Bytes of an element; at least 1.
    pub bytes: i64,
}

impl Footprint {
    /// Lines, or sectors of a loop, that the threads of a block ask for, `width` of them in each of `rows` rows.
    fn requests(&self, width: i64, rows: i64) -> i64 {
        let Some((last, outer)) = self.spans.split_last() else {
            return 1;
        };
        let per = |bytes: i64| (bytes / self.bytes.max(1)).max(1);
        let along = match *last {
            Span::Column { first, reach } => {
                let line = per(LINE);
                let end = first + width + reach - 2;
                end.div_euclid(line) - first.div_euclid(line) + 1
            }
            Span::Row { reach } => (rows + reach - 2).div_euclid(per(LINE)) + 1,
            Span::Loop { reach } => (reach - 1).div_euclid(per(SECTOR)) + 1,
            Span::Uniform { reach } => (reach - 1).div_euclid(per(LINE)) + 1,
        };
        let elements = outer.iter().map(|span| match *span {
            Span::Row { reach } => rows + reach - 1,
            Span::Column { reach, .. } => width + reach - 1,
            Span::Loop { reach } | Span::Uniform { reach } => reach,
        });
        elements.fold(along, i64::saturating_mul)
    }
}

/// The width of columns for blocks of so many threads: warps by a power of two, so that blocks are whole rows of a column. Of several
/// that ask for the same, [`COLUMN_WIDTH`], or else the narrowest.
#[must_use]
pub fn column_width(reads: &[Footprint], threads: i64) -> i64 {
    let widths = std::iter::successors(Some(Target::CUDA.warp), |width| width.checked_mul(2));
    let widths = widths.take_while(|&width| width <= threads.max(Target::CUDA.warp));
    let requests = |width: i64| {
        let rows = (threads / width).max(1);
        let of_all = reads.iter().map(|read| read.requests(width, rows));
        of_all.fold(0, i64::saturating_add)
    };
    widths
        .min_by_key(|&width| (requests(width), width != COLUMN_WIDTH, width))
        .unwrap_or(COLUMN_WIDTH)
}

#[cfg(test)]
mod tests {
    use super::{COLUMN_THREADS, Footprint, Span, column_width};

    fn stencil(across: i64, down: i64, bytes: i64) -> Vec<Footprint> {
        vec![Footprint {
            spans: vec![
                Span::Row { reach: down },
                Span::Column {
                    first: -(across / 2),
                    reach: across,
                },
            ],
            bytes,
        }]
    }

    /// A row of A and a column of B.
    fn product(depth: i64, bytes: i64) -> Vec<Footprint> {
        let along = Span::Loop { reach: depth };
        let column = Span::Column { first: 0, reach: 1 };
        [vec![Span::Row { reach: 1 }, along], vec![along, column]]
            .map(|spans| Footprint { spans, bytes })
            .to_vec()
    }

    #[test]
    fn requests_are_counted_as_columns_lie_in_lines() {
        let reads = stencil(9, 9, 4);
        // 4 + 32 + 4 elements from 4 before a line, in 8 + 16 rows; and twice as wide.
        assert_eq!(reads[0].requests(32, 16), 3 * 24);
        assert_eq!(reads[0].requests(64, 8), 4 * 16);
        // Four sectors of each of 16 rows, and two lines in each of 32 steps.
        let reads = product(32, 4);
        assert_eq!(reads[0].requests(64, 16), 16 * 4);
        assert_eq!(reads[1].requests(64, 16), 32 * 2);
    }

    #[test]
    fn stencils_of_the_thesis_have_columns_of_64_and_its_product_of_32() {
        assert_eq!(column_width(&stencil(9, 9, 4), COLUMN_THREADS), 64);
        assert_eq!(column_width(&product(1024, 4), COLUMN_THREADS), 32);
        // As blocks of 512, and of 1024.
        assert_eq!(column_width(&stencil(9, 9, 4), 512), 64);
        assert_eq!(column_width(&product(1024, 4), 1024), 64);
    }

    #[test]
    fn flat_neighbourhoods_have_wide_columns_and_tall_ones_narrow_ones() {
        assert_eq!(column_width(&stencil(9, 1, 4), 512), 512);
        assert_eq!(column_width(&stencil(1, 33, 4), 512), 32);
        // A transposed read: blocks that are narrow find its lines.
        let transposed = Footprint {
            spans: vec![Span::Column { first: 0, reach: 1 }, Span::Row { reach: 1 }],
            bytes: 4,
        };
        assert_eq!(column_width(&[transposed], 512), 32);
        assert_eq!(column_width(&[], 512), 64);
        assert_eq!(column_width(&stencil(9, 9, 4), 16), 32);
    }
}
