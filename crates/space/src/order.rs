//! Orders of a box of indices: bijections between the positions of several dimensions and one number.
//!
//! | order | dimensions | number of position (.., y, x) of extents (.., h, n) | wasted |
//! |---|---|---|---|
//! | rows | any | y * n + x | - |
//! | columns of width w | any, all but the innermost are rows of y | columns one after the other, rows in each, x in each row | - |
//! | the same, zigzag | as before | x backwards where y is odd | - |
//! | groups of g rows | 2 | groups one after the other, x in each group, y within x | - |
//! | Morton, side B | 2 | tiles B by B row by row, in each the bits of y and x interleaved, y above x | edge tiles |
//! | Hilbert, side B | 2 | tiles B by B row by row, in each the Hilbert curve from the first corner | edge tiles |
//!
//! Source of columns: column-based iteration thesis, equations 4.1 to 4.7 and listings 5 and 6, with `min(n - start, w)` in
//! place of the branch. Corrected: the index within a column is `i mod (h * w)` (equation 4.3 has the width of
//! this column, which starts the last one in its middle for n = 11, w = 4); the zigzag is `w' - 1 - x` (equation 4.7 leaves the cells of a row one to the
//! right); the first row runs forwards, odd rows backwards. The thesis' commented branch takes a whole number of columns for
//! one with a last column of width 0; the minimum does not.
//! Groups of rows are columns of the transposed box. A Morton or Hilbert order of the whole box is one whose side
//! is at least the larger extent.
//!
//! A number outside of the box recovers anything, but never divides by 0 where the box is not empty.

use crate::expr::{Arena, Expr};

/// Which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Rows,
    Columns { width: i64, zigzag: bool },
    Groups { rows: i64 },
    Morton { bits: u32 },
    Hilbert { bits: u32 },
}

/// Largest number of bits of a side of a tile; the numbers in a tile fit 32 bits.
pub(crate) const MOST_BITS: u32 = 15;

/// A quotient with its remainder.
fn divide(arena: &mut Arena, a: Expr, b: Expr) -> (Expr, Expr) {
    (arena.floor_div(a, b), arena.modulo(a, b))
}

/// `a * k + b`.
fn multiply_add(arena: &mut Arena, a: Expr, k: Expr, b: Expr) -> Expr {
    let product = arena.mul(a, k);
    arena.add(product, b)
}

/// `a * k + b` for a constant.
fn scale_add(arena: &mut Arena, a: Expr, k: i64, b: Expr) -> Expr {
    let k = arena.int(k);
    multiply_add(arena, a, k, b)
}

/// The number of `position` in rows.
fn number_of(arena: &mut Arena, extents: &[Expr], position: &[Expr]) -> Expr {
    let mut number = arena.int(0);
    for (&extent, &index) in extents.iter().zip(position) {
        number = multiply_add(arena, number, extent, index);
    }
    number
}

/// The position of `number` in rows.
fn position_of(arena: &mut Arena, extents: &[Expr], number: Expr) -> Vec<Expr> {
    let Some((_, inner)) = extents.split_first() else {
        return Vec::new();
    };
    let mut rest = number;
    let mut position = Vec::with_capacity(extents.len());
    for &extent in inner.iter().rev() {
        let (quotient, remainder) = divide(arena, rest, extent);
        position.push(remainder);
        rest = quotient;
    }
    position.push(rest);
    position.reverse();
    position
}

impl Order {
    /// How many numbers the box has, those without a position included. Of no dimensions: 1.
    pub(crate) fn extent(self, arena: &mut Arena, extents: &[Expr]) -> Expr {
        match self {
            Self::Rows | Self::Columns { .. } | Self::Groups { .. } => arena.product(extents),
            Self::Morton { bits } | Self::Hilbert { bits } => {
                let side = arena.int(1 << bits);
                let mut count = arena.int(1 << (2 * bits));
                for &extent in extents {
                    let tiles = arena.ceil_div(extent, side);
                    count = arena.mul(tiles, count);
                }
                count
            }
        }
    }

    /// The number of a position.
    pub(crate) fn number(self, arena: &mut Arena, extents: &[Expr], position: &[Expr]) -> Expr {
        match (self, extents, position) {
            (Self::Columns { width, zigzag }, [outer @ .., inner], [rows @ .., x]) => {
                let height = arena.product(outer);
                let y = number_of(arena, outer, rows);
                let column = Column {
                    height,
                    extent: *inner,
                    width,
                    zigzag,
                };
                column.number(arena, y, *x)
            }
            (Self::Groups { rows }, &[height, width], &[y, x]) => {
                let column = Column {
                    height: width,
                    extent: height,
                    width: rows,
                    zigzag: false,
                };
                column.number(arena, x, y)
            }
            (Self::Morton { bits } | Self::Hilbert { bits }, &[_, width], &[y, x]) => {
                let side = arena.int(1 << bits);
                let across = arena.ceil_div(width, side);
                let ((row, y), (column, x)) = (divide(arena, y, side), divide(arena, x, side));
                let tile = multiply_add(arena, row, across, column);
                let within = match self {
                    Self::Morton { .. } => morton_number(arena, bits, y, x),
                    _ => hilbert_number(arena, bits, y, x),
                };
                scale_add(arena, tile, 1 << (2 * bits), within)
            }
            _ => number_of(arena, extents, position),
        }
    }

    /// The position of a number, and a test that says whether it is in the box; none where every number below
    /// [`Self::extent`] is.
    pub(crate) fn position(
        self,
        arena: &mut Arena,
        extents: &[Expr],
        number: Expr,
    ) -> (Vec<Expr>, Option<Expr>) {
        match (self, extents) {
            (Self::Columns { width, zigzag }, [outer @ .., inner]) => {
                let height = arena.product(outer);
                let column = Column {
                    height,
                    extent: *inner,
                    width,
                    zigzag,
                };
                let (y, x) = column.position(arena, number);
                let mut position = position_of(arena, outer, y);
                position.push(x);
                (position, None)
            }
            (Self::Groups { rows }, &[height, width]) => {
                let column = Column {
                    height: width,
                    extent: height,
                    width: rows,
                    zigzag: false,
                };
                let (x, y) = column.position(arena, number);
                (vec![y, x], None)
            }
            (Self::Morton { bits } | Self::Hilbert { bits }, &[height, width]) => {
                let (side, square) = (arena.int(1 << bits), arena.int(1 << (2 * bits)));
                let across = arena.ceil_div(width, side);
                let (tile, within) = divide(arena, number, square);
                let (row, column) = divide(arena, tile, across);
                let (y, x) = match self {
                    Self::Morton { .. } => morton_position(arena, bits, within),
                    _ => hilbert_position(arena, bits, within),
                };
                let y = multiply_add(arena, row, side, y);
                let x = multiply_add(arena, column, side, x);
                let (above, left) = (arena.less(y, height), arena.less(x, width));
                (vec![y, x], Some(arena.and(above, left)))
            }
            _ => (position_of(arena, extents, number), None),
        }
    }
}

/// Columns of a box of `height` rows of `extent` cells, each `width` wide, the last one as wide as what is left.
#[derive(Clone, Copy)]
struct Column {
    height: Expr,
    extent: Expr,
    width: i64,
    zigzag: bool,
}

impl Column {
    /// Width of the column that starts at `start`; at least 1, so that numbers beyond the box can be divided by it.
    fn width_at(self, arena: &mut Arena, start: Expr) -> Expr {
        let (one, width) = (arena.int(1), arena.int(self.width));
        let left = arena.sub(self.extent, start);
        let width = arena.min(left, width);
        arena.max(width, one)
    }

    /// `x`, or counted from the other end where `y` is odd and the order is a zigzag. Its own inverse.
    fn turned(self, arena: &mut Arena, y: Expr, x: Expr, width: Expr) -> Expr {
        if !self.zigzag {
            return x;
        }
        let (one, two) = (arena.int(1), arena.int(2));
        let parity = arena.modulo(y, two);
        let odd = arena.equal(parity, one);
        let last = arena.sub(width, one);
        let backwards = arena.sub(last, x);
        arena.select(odd, backwards, x)
    }

    fn number(self, arena: &mut Arena, y: Expr, x: Expr) -> Expr {
        let constant = arena.int(self.width);
        let (column, x) = divide(arena, x, constant);
        let start = arena.mul(column, constant);
        let width = self.width_at(arena, start);
        let x = self.turned(arena, y, x, width);
        let within = multiply_add(arena, y, width, x);
        multiply_add(arena, start, self.height, within)
    }

    fn position(self, arena: &mut Arena, number: Expr) -> (Expr, Expr) {
        let constant = arena.int(self.width);
        let size = arena.mul(self.height, constant);
        let (column, within) = divide(arena, number, size);
        let start = arena.mul(column, constant);
        let width = self.width_at(arena, start);
        let (y, x) = divide(arena, within, width);
        let x = self.turned(arena, y, x, width);
        (y, arena.add(start, x))
    }
}

/// Bit `place` of a number.
fn bit(arena: &mut Arena, number: Expr, place: u32) -> Expr {
    let (shift, two) = (arena.int(1 << place), arena.int(2));
    let shifted = arena.floor_div(number, shift);
    arena.modulo(shifted, two)
}

fn morton_number(arena: &mut Arena, bits: u32, y: Expr, x: Expr) -> Expr {
    let mut number = arena.int(0);
    for place in (0..bits).rev() {
        let (high, low) = (bit(arena, y, place), bit(arena, x, place));
        let pair = scale_add(arena, high, 2, low);
        number = scale_add(arena, number, 4, pair);
    }
    number
}

fn morton_position(arena: &mut Arena, bits: u32, number: Expr) -> (Expr, Expr) {
    let (mut y, mut x) = (arena.int(0), arena.int(0));
    for place in (0..bits).rev() {
        let (high, low) = (
            bit(arena, number, 2 * place + 1),
            bit(arena, number, 2 * place),
        );
        y = scale_add(arena, y, 2, high);
        x = scale_add(arena, x, 2, low);
    }
    (y, x)
}

/// Whether a bit is set.
fn is_set(arena: &mut Arena, bit: Expr) -> Expr {
    let one = arena.int(1);
    arena.equal(bit, one)
}

/// Brings a quadrant of side `side` into the curve's first orientation, and back: quadrants with `y` 0 are mirrored
/// where `x` is 1 and then transposed.
fn turn_quadrant(
    arena: &mut Arena,
    side: i64,
    (high, low): (Expr, Expr),
    (y, x): (Expr, Expr),
) -> (Expr, Expr) {
    let last = arena.int(side - 1);
    let (stays, mirrored) = (is_set(arena, high), is_set(arena, low));
    let (mirrored_y, mirrored_x) = (arena.sub(last, y), arena.sub(last, x));
    let (turned_y, turned_x) = (
        arena.select(mirrored, mirrored_y, y),
        arena.select(mirrored, mirrored_x, x),
    );
    (
        arena.select(stays, y, turned_x),
        arena.select(stays, x, turned_y),
    )
}

fn hilbert_number(arena: &mut Arena, bits: u32, y: Expr, x: Expr) -> Expr {
    let (mut number, mut y, mut x) = (arena.int(0), y, x);
    for place in (0..bits).rev() {
        let side = arena.int(1 << place);
        let ((high, rest_y), (low, rest_x)) = (divide(arena, y, side), divide(arena, x, side));
        // Quadrants in order: (0, 0), (1, 0), (1, 1), (0, 1), written (y, x).
        let three = arena.int(3);
        let (backwards, right) = (arena.sub(three, high), is_set(arena, low));
        let quadrant = arena.select(right, backwards, high);
        number = scale_add(arena, number, 4, quadrant);
        (y, x) = turn_quadrant(arena, 1 << place, (high, low), (rest_y, rest_x));
    }
    number
}

fn hilbert_position(arena: &mut Arena, bits: u32, number: Expr) -> (Expr, Expr) {
    let (mut y, mut x) = (arena.int(0), arena.int(0));
    for place in 0..bits {
        let (low, parity) = (
            bit(arena, number, 2 * place + 1),
            bit(arena, number, 2 * place),
        );
        let one = arena.int(1);
        let (flipped, right) = (arena.sub(one, parity), is_set(arena, low));
        let high = arena.select(right, flipped, parity);
        let (inner_y, inner_x) = turn_quadrant(arena, 1 << place, (high, low), (y, x));
        y = scale_add(arena, high, 1 << place, inner_y);
        x = scale_add(arena, low, 1 << place, inner_x);
    }
    (y, x)
}
