//! Places in files by number: a location that says a file, a line and a column takes no space of its own.
//!
//! Files are cut into squares of so many lines and columns. A square gets a run of numbers when its first place is
//! asked for; which of them stands for a place is arithmetic. Numbers lie above those of interned locations and below
//! those of places in texts that were read ([`crate::source`]). Where they are used up (8 million lines of usual
//! width) locations are interned like all others.

use crate::ident::Ident;
use crate::location::Loc;
use crate::source::FIRST_PLACE;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, PoisonError};

/// Lines and columns of a square.
const LINES: u32 = 1 << 10;
const COLUMNS: u32 = 1 << 7;
const PLACES: u32 = LINES * COLUMNS;

/// The first number of a place in a square.
const FIRST: u32 = 1 << 30;
const MOST_SQUARES: u32 = (FIRST_PLACE - FIRST) / PLACES;

/// Part of a file: its number of lines and of columns before, in squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Square {
    file: Ident,
    line: u32,
    column: u32,
}

/// The squares of a context.
#[derive(Debug, Default)]
pub(crate) struct Grid {
    squares: boxcar::Vec<Square>,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    numbers: FxHashMap<Square, u32>,
    /// The square asked for last: places mostly come in order.
    latest: Option<(Square, u32)>,
}

impl Grid {
    /// The location of a place; `None` where the numbers are used up.
    pub(crate) fn loc(&self, file: Ident, line: u32, column: u32) -> Option<Loc> {
        let square = Square {
            file,
            line: line / LINES,
            column: column / COLUMNS,
        };
        let number = self.number(square)?;
        Loc::from_raw(FIRST + number * PLACES + line % LINES * COLUMNS + column % COLUMNS)
    }

    fn number(&self, square: Square) -> Option<u32> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((latest, number)) = known.latest
            && latest == square
        {
            return Some(number);
        }
        let number = match known.numbers.get(&square) {
            Some(&number) => number,
            None if known.numbers.len() as u32 >= MOST_SQUARES => return None,
            None => {
                let number = self.squares.push(square) as u32;
                known.numbers.insert(square, number);
                number
            }
        };
        known.latest = Some((square, number));
        Some(number)
    }

    /// File, line and column of a place in a square; `None` for other locations.
    pub(crate) fn place(&self, loc: Loc) -> Option<(Ident, u32, u32)> {
        let raw = loc.raw();
        if !(FIRST..FIRST_PLACE).contains(&raw) {
            return None;
        }
        let (number, inside) = ((raw - FIRST) / PLACES, (raw - FIRST) % PLACES);
        let square = self.squares.get(number as usize)?;
        let line = square.line * LINES + inside / COLUMNS;
        Some((
            square.file,
            line,
            square.column * COLUMNS + inside % COLUMNS,
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, Grid, LINES, MOST_SQUARES};
    use crate::entity::EntityId;

    #[test]
    fn a_place_has_one_number_that_says_where_it_is() {
        let (grid, a, b) = (
            Grid::default(),
            EntityId::from_index(0),
            EntityId::from_index(1),
        );
        let edges = |size: u32| [0, 1, size - 1, size, size + 1, 7 * size + 3, u32::MAX];
        for file in [a, b] {
            for line in edges(LINES) {
                for column in edges(COLUMNS) {
                    let loc = grid.loc(file, line, column).expect("there is space");
                    assert_eq!(grid.loc(file, line, column), Some(loc));
                    assert_eq!(grid.place(loc), Some((file, line, column)));
                }
            }
        }
        assert_eq!(grid.place(crate::Loc::UNKNOWN), None);
    }

    #[test]
    fn numbers_that_are_used_up_are_refused() {
        let (grid, file) = (Grid::default(), EntityId::from_index(0));
        let last = (0..MOST_SQUARES)
            .map(|square| grid.loc(file, square * LINES, 1))
            .last()
            .flatten();
        assert_eq!(
            last.and_then(|loc| grid.place(loc)),
            Some((file, (MOST_SQUARES - 1) * LINES, 1))
        );
        assert_eq!(grid.loc(file, MOST_SQUARES * LINES, 1), None);
        assert!(grid.loc(file, 5, 1).is_some());
    }
}
