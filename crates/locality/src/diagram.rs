//! Spatial-temporal diagrams: address against time, each cell what served the accesses that fall into it.
//!
//! Source: column-based iteration thesis, 3.2. Addresses that nothing accesses are left out, so rows are numbers of lines
//! among those that are accessed; [`Diagram::address`] leads back. Where several accesses fall into a cell, the slowest one is
//! shown. Deliberately absent: colours and axes, which belong to what draws it.

/// The level that served an access, from the fastest to the slowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Served {
    /// Not accessed at this time, but in the cache.
    Held,
    /// The first cache.
    First,
    /// The second one.
    Second,
    /// Memory.
    Memory,
}

/// A line at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    /// Step of time.
    pub column: u32,
    /// First address of a line, or any in it.
    pub address: u64,
    /// The level that served it.
    pub served: Served,
}

/// Cells of a row that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Row, from the lowest address.
    pub row: usize,
    /// First column.
    pub column: usize,
    /// Columns.
    pub length: usize,
    /// The level that served them.
    pub served: Served,
}

/// A picture in cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagram {
    columns: usize,
    /// Accessed lines by address.
    lines: Vec<u64>,
    /// By row, that is by line.
    cells: Vec<Option<Served>>,
}

impl Diagram {
    /// Most rows of a picture.
    const MOST_ROWS: usize = 1024;

    /// The picture of marks in so many steps of time, with a row for each line of `line_bytes` that is accessed; for several
    /// where there are too many.
    pub fn new(mut marks: Vec<Mark>, columns: usize, line_bytes: u64) -> Diagram {
        let bytes = line_bytes.max(1);
        marks
            .iter_mut()
            .for_each(|mark| mark.address -= mark.address % bytes);
        let mut lines: Vec<u64> = marks.iter().map(|mark| mark.address).collect();
        lines.sort_unstable();
        lines.dedup();
        let rows = lines.len().min(Diagram::MOST_ROWS);
        let mut diagram = Diagram {
            columns,
            cells: vec![None; rows * columns],
            lines,
        };
        for mark in marks {
            let row = diagram.row_of(mark.address);
            let Some(row) = row.filter(|_| (mark.column as usize) < columns) else {
                continue;
            };
            let cell = &mut diagram.cells[row * columns + mark.column as usize];
            *cell = (*cell).max(Some(mark.served));
        }
        diagram
    }

    /// Rows.
    pub fn rows(&self) -> usize {
        self.lines.len().min(Diagram::MOST_ROWS)
    }

    /// Steps of time.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Lines that are accessed.
    pub fn lines(&self) -> usize {
        self.lines.len()
    }

    /// The row of a line.
    pub fn row_of(&self, address: u64) -> Option<usize> {
        let number = self.lines.binary_search(&address).ok()?;
        Some(number * self.rows() / self.lines.len())
    }

    /// First address of a row.
    pub fn address(&self, row: usize) -> Option<u64> {
        let number = (row * self.lines.len()).div_ceil(self.rows().max(1));
        self.lines.get(number).copied()
    }

    /// The level that served a cell.
    pub fn cell(&self, row: usize, column: usize) -> Option<Served> {
        let inside = column < self.columns;
        let cell = self.cells.get(row * self.columns + column);
        cell.copied().flatten().filter(|_| inside)
    }

    /// Cells served alike, side by side, as one each.
    pub fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for row in 0..self.rows() {
            for column in 0..self.columns {
                let Some(served) = self.cell(row, column) else {
                    continue;
                };
                match runs.last_mut() {
                    Some(run)
                        if run.row == row
                            && run.column + run.length == column
                            && run.served == served =>
                    {
                        run.length += 1;
                    }
                    _ => runs.push(Run {
                        row,
                        column,
                        length: 1,
                        served,
                    }),
                }
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(column: u32, address: u64, served: Served) -> Mark {
        Mark {
            column,
            address,
            served,
        }
    }

    #[test]
    fn rows_are_the_lines_that_are_accessed_and_the_slowest_access_of_a_cell_is_shown() {
        let marks = vec![
            mark(0, 0, Served::Memory),
            mark(0, 4, Served::First),
            mark(1, 8, Served::First),
            mark(2, 12, Served::First),
            mark(1, 1 << 20, Served::Second),
        ];
        let diagram = Diagram::new(marks, 3, 16);
        assert_eq!((diagram.rows(), diagram.lines()), (2, 2));
        assert_eq!(diagram.address(1), Some(1 << 20));
        let run = |row, column, length, served| Run {
            row,
            column,
            length,
            served,
        };
        assert_eq!(
            diagram.runs(),
            [
                run(0, 0, 1, Served::Memory),
                run(0, 1, 2, Served::First),
                run(1, 1, 1, Served::Second)
            ]
        );
    }

    #[test]
    fn many_lines_share_rows_and_every_row_has_an_address() {
        let marks = (0..5000).map(|line| mark(0, line * 32, Served::First));
        let diagram = Diagram::new(marks.collect(), 1, 32);
        assert_eq!(diagram.rows(), Diagram::MOST_ROWS);
        for row in 0..diagram.rows() {
            let address = diagram.address(row).expect("rows have lines");
            assert_eq!(diagram.row_of(address), Some(row));
        }
        assert_eq!(Diagram::new(Vec::new(), 5, 32).runs(), []);
    }
}
