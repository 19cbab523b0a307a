//! The figures of a device: its rates, and what the routines that kernels consist of take on it.
//!
//! Filipovič et al., 4.2: routines are benchmarked once for each architecture, not when a program is compiled, in the
//! environments that they have in fusions: instances in a thread block, serial iterations, shared memory. A table lies in
//! a text of lines, which `benches/routines.py` makes from the profiles of the simulator; those of [`Figures::named`] are part
//! of this crate.
//!
//! ```text
//! device H100
//! rate bytes 3350000                        of memory in a microsecond; so are l2-bytes
//! rate cycles 1830                          of a microsecond
//! rate multiprocessors 132
//! rate launch 3                             microseconds
//! tile 4 8 4 2 2 rows 0.011 1.30 0.0        BYTES WARPS COLUMNS ROWS STEPS ROUTINE CYCLES WAITED L2
//! resident 4 8 4 2 2 4096 48                the same environment, bytes of shared memory, warps on a multiprocessor
//! alone 4 rows 1048576 4202496 1 1.25 0.71  BYTES ROUTINE ELEMENTS MOVED LAUNCHES TRANSFER COMPUTATION
//! block 4 512 single 1048576 1.00 1.31      a map: BYTES THREADS POINTS ELEMENTS, parts of the time of `alone`: TRANSFER COMPUTATION
//! ```
//! `BYTES` are those of an element. In tiles, `CYCLES` are those that an element keeps a multiprocessor busy, `WAITED` those
//! that its warps wait, to be divided by their number, and `L2` bytes that it moves from the L2 cache. Nests alone have
//! microseconds without launches, at so many elements that move so many bytes at least.

use crate::traverse::search::MapBlock;
use std::sync::OnceLock;

/// The tables that are part of the program.
const TABLES: [&str; 2] = [
    include_str!("figures/A100.txt"),
    include_str!("figures/H100.txt"),
];

/// A part of a kernel of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Routine {
    /// Iterating over the elements, and loading one of each matrix.
    Load,
    /// Combining rows.
    Rows,
    /// Combining columns.
    Columns,
    /// Storing elements.
    Store,
}

/// A nest that is a kernel of its own, as later passes make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alone {
    Map,
    Rows,
    Columns,
    /// A reduction to one value.
    Total,
    /// The reduction of a tile's parts.
    Finish,
}

/// Where a routine runs: instances of a thread block, and iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Environment {
    /// Of an element.
    pub(super) bytes: i64,
    pub(super) warps: i64,
    pub(super) columns: i64,
    pub(super) rows: i64,
    pub(super) steps: i64,
}

impl Environment {
    /// How far apart two are: factors of two.
    fn distance(&self, other: &Environment) -> f64 {
        let pairs = [
            (self.bytes, other.bytes),
            (self.warps, other.warps),
            (self.columns, other.columns),
            (self.rows, other.rows),
            (self.steps, other.steps),
        ];
        let apart = |(x, y): (i64, i64)| (x.max(1) as f64 / y.max(1) as f64).log2().abs();
        pairs.into_iter().map(apart).sum()
    }
}

/// Costs of a routine for each element.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    pub(super) cycles: f64,
    pub(super) waited: f64,
    pub(super) l2_bytes: f64,
}

/// Costs of a nest alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    elements: f64,
    bytes: f64,
    pub(super) launches: f64,
    pub(super) transfer: f64,
    pub(super) computation: f64,
}

/// A map in thread blocks of a size: bytes of an element, elements, and how much longer transfers and computation take than usually.
type OfBlock = (i64, MapBlock, f64, [f64; 2]);

/// The rates of a device and the table of its routines.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// Its name.
    pub name: String,
    /// Bytes that its memory moves in a microsecond.
    pub bytes: f64,
    /// The same of its L2 cache.
    pub l2_bytes: f64,
    /// Cycles of a microsecond.
    pub cycles: f64,
    /// Multiprocessors.
    pub multiprocessors: f64,
    /// Microseconds that a launch takes.
    pub launch: f64,
    tiles: Vec<(Environment, Routine, Taken)>,
    resident: Vec<(Environment, f64, f64)>,
    /// By elements, the fewest first.
    alone: Vec<(i64, Alone, Whole)>,
    blocks: Vec<OfBlock>,
}

/// A line of a table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct FiguresError {
    /// From 1.
    pub line: usize,
    /// In words.
    pub problem: String,
}

impl Figures {
    /// The tables that are part of this crate, in alphabetic order.
    pub fn all() -> &'static [Figures] {
        static ALL: OnceLock<Vec<Figures>> = OnceLock::new();
        ALL.get_or_init(|| {
            TABLES
                .iter()
                .filter_map(|text| Figures::parse(text).ok())
                .collect()
        })
    }

    /// The table of a device, however its name is capitalised.
    pub fn named(name: &str) -> Option<&'static Figures> {
        let mut all = Figures::all().iter();
        all.find(|figures| figures.name.eq_ignore_ascii_case(name))
    }

    /// Reads a table.
    ///
    /// # Errors
    /// The first line that is none of a table, or what a table needs and has not.
    pub fn parse(text: &str) -> Result<Figures, FiguresError> {
        let mut figures = Figures::default();
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> = line
                .split('#')
                .next()
                .unwrap_or_default()
                .split_whitespace()
                .collect();
            figures.add(&words).map_err(|problem| FiguresError {
                line: index + 1,
                problem,
            })?;
        }
        let rates = [
            figures.bytes,
            figures.l2_bytes,
            figures.cycles,
            figures.multiprocessors,
        ];
        let whole = rates.iter().all(|&rate| rate > 0.0) && !figures.name.is_empty();
        let measured = [
            figures.tiles.is_empty(),
            figures.resident.is_empty(),
            figures.alone.is_empty(),
        ];
        let by_elements = |x: &(i64, Alone, Whole), y: &(i64, Alone, Whole)| {
            x.2.elements.total_cmp(&y.2.elements)
        };
        figures.alone.sort_by(by_elements);
        match whole && !measured.contains(&true) {
            true => Ok(figures),
            false => Err(FiguresError {
                line: text.lines().count(),
                problem: "the name, a rate, or all lines of a kind are missing".to_owned(),
            }),
        }
    }

    fn add(&mut self, words: &[&str]) -> Result<(), String> {
        match *words {
            [] => {}
            ["device", name] => name.clone_into(&mut self.name),
            ["rate", name, value] => {
                let rate = match name {
                    "bytes" => &mut self.bytes,
                    "l2-bytes" => &mut self.l2_bytes,
                    "cycles" => &mut self.cycles,
                    "multiprocessors" => &mut self.multiprocessors,
                    "launch" => &mut self.launch,
                    _ => return Err(format!("`{name}` is no rate")),
                };
                *rate = number(value)?;
            }
            [
                "tile",
                bytes,
                warps,
                columns,
                rows,
                steps,
                routine,
                cycles,
                waited,
                l2,
            ] => {
                let environment = environment([bytes, warps, columns, rows, steps])?;
                let routine = match routine {
                    "load" => Routine::Load,
                    "rows" => Routine::Rows,
                    "columns" => Routine::Columns,
                    "store" => Routine::Store,
                    _ => return Err(format!("`{routine}` is no routine of tiles")),
                };
                let taken = Taken {
                    cycles: number(cycles)?,
                    waited: number(waited)?,
                    l2_bytes: number(l2)?,
                };
                self.tiles.push((environment, routine, taken));
            }
            [
                "resident",
                bytes,
                warps,
                columns,
                rows,
                steps,
                shared,
                resident,
            ] => {
                let environment = environment([bytes, warps, columns, rows, steps])?;
                let row = (environment, number(shared)?, number(resident)?);
                self.resident.push(row);
            }
            [
                "alone",
                bytes,
                routine,
                elements,
                moved,
                launches,
                transfer,
                computation,
            ] => {
                let routine = match routine {
                    "map" => Alone::Map,
                    "rows" => Alone::Rows,
                    "columns" => Alone::Columns,
                    "total" => Alone::Total,
                    "finish" => Alone::Finish,
                    _ => return Err(format!("`{routine}` is no routine of a nest alone")),
                };
                let whole = Whole {
                    elements: number(elements)?.max(1.0),
                    bytes: number(moved)?.max(1.0),
                    launches: number(launches)?,
                    transfer: number(transfer)?,
                    computation: number(computation)?,
                };
                self.alone.push((whole_number(bytes)?, routine, whole));
            }
            ["block", ref rest @ ..] => self.blocks.push(of_block(rest)?),
            _ => return Err(format!("`{}` is no line of a table", words.join(" "))),
        }
        Ok(())
    }

    /// Costs of a routine of tiles in the environment that is most like this one.
    pub(super) fn taken(&self, environment: &Environment, routine: Routine) -> Taken {
        let rows = || self.tiles.iter().filter(|row| row.1 == routine);
        // Equal ones are told without logarithms: most of what a search asks for is in the table.
        let equal = rows().find(|row| row.0 == *environment);
        let nearest = || {
            rows().min_by(|x, y| {
                let [x, y] = [x, y].map(|row| row.0.distance(environment));
                x.total_cmp(&y)
            })
        };
        let row = equal.or_else(nearest);
        row.map_or(Taken::default(), |row| row.2)
    }

    /// Warps on a multiprocessor where a thread block of the environment takes so many bytes of shared memory.
    pub(super) fn resident(&self, environment: &Environment, shared: f64) -> f64 {
        let is_equal = |row: &(Environment, f64, f64)| row.0 == *environment;
        let any_equal = self.resident.iter().any(is_equal);
        let rows = self
            .resident
            .iter()
            .filter(|row| !any_equal || is_equal(row));
        let nearest = rows.min_by(|x, y| {
            let apart = |row: &(Environment, f64, f64)| {
                // Less shared memory than needed says nothing.
                let short = if row.1 < shared { 1e3 } else { 0.0 };
                row.0.distance(environment) * 1e6
                    + short
                    + (row.1 / shared.max(1.0)).max(1e-3).ln().abs()
            };
            apart(x).total_cmp(&apart(y))
        });
        nearest.map_or(1.0, |row| row.2.max(1.0))
    }

    /// How much longer transfers and computation of a map of so many elements take in thread blocks of this size than in the usual
    /// ones: as at the number of elements in the table that is next to it.
    pub(super) fn of_block(&self, bytes: i64, elements: f64, block: MapBlock) -> [f64; 2] {
        let wanted = if bytes > 4 { 8 } else { 4 };
        let rows = self
            .blocks
            .iter()
            .filter(|row| row.0 == wanted && row.1 == block);
        let nearest = rows.min_by(|x, y| {
            let apart =
                |row: &(i64, MapBlock, f64, [f64; 2])| (row.2 / elements.max(1.0)).ln().abs();
            apart(x).total_cmp(&apart(y))
        });
        nearest.map_or([1.0; 2], |row| row.3)
    }

    /// Costs of a nest alone with so many elements that move so many bytes: between the two sizes of the table that are next
    /// to it, for each element and each byte.
    pub(super) fn alone(&self, bytes: i64, routine: Alone, (elements, moved): (f64, f64)) -> Whole {
        let wanted = if bytes > 4 { 8 } else { 4 };
        let of_routine = |row: &&(i64, Alone, Whole)| row.1 == routine;
        let has_width = |row: &(i64, Alone, Whole)| row.1 == routine && row.0 == wanted;
        let any_width = !self.alone.iter().any(has_width);
        let rows = self.alone.iter().filter(of_routine);
        let mut rows = rows.filter(|row| any_width || row.0 == wanted);
        let Some(mut low) = rows.next().map(|row| row.2) else {
            return Whole {
                elements,
                bytes: moved,
                launches: 1.0,
                transfer: 0.0,
                computation: 0.0,
            };
        };
        let mut high = low;
        while high.elements < elements {
            low = high;
            let Some(next) = rows.next() else { break };
            high = next.2;
        }
        let span = (high.elements / low.elements).ln();
        let part = match span > 0.0 {
            true => (elements.max(1.0) / low.elements).ln().clamp(0.0, span) / span,
            false => 0.0,
        };
        let between = |low: f64, high: f64| low + (high - low) * part;
        // Beyond the table's sizes a nest takes no less than at the next one.
        let scale = |count: f64, low: f64| count.max(low);
        Whole {
            elements,
            bytes: moved,
            launches: if part < 0.5 {
                low.launches
            } else {
                high.launches
            },
            transfer: between(low.transfer / low.bytes, high.transfer / high.bytes) * moved,
            computation: between(
                low.computation / low.elements,
                high.computation / high.elements,
            ) * scale(elements, low.elements),
        }
    }
}

fn number(text: &str) -> Result<f64, String> {
    let read = text
        .parse::<f64>()
        .ok()
        .filter(|value| value.is_finite() && *value >= 0.0);
    read.ok_or_else(|| format!("`{text}` is no number from 0 on"))
}

fn whole_number(text: &str) -> Result<i64, String> {
    let read = text.parse::<i64>().ok().filter(|&value| value >= 1);
    read.ok_or_else(|| format!("`{text}` is no whole number from 1 on"))
}

/// The words that follow `block` on a line.
fn of_block(words: &[&str]) -> Result<OfBlock, String> {
    let &[bytes, threads, points, elements, transfer, computation] = words else {
        return Err(format!("`block {}` is no line of a table", words.join(" ")));
    };
    let single = match points {
        "single" => true,
        "several" => false,
        _ => return Err(format!("`{points}` says not how many points a thread has")),
    };
    let block = MapBlock {
        threads: whole_number(threads)?,
        single,
    };
    let parts = [number(transfer)?, number(computation)?];
    Ok((
        whole_number(bytes)?,
        block,
        number(elements)?.max(1.0),
        parts,
    ))
}

fn environment(words: [&str; 5]) -> Result<Environment, String> {
    let mut numbers = [0; 5];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = whole_number(word)?;
    }
    let [bytes, warps, columns, rows, steps] = numbers;
    Ok(Environment {
        bytes,
        warps,
        columns,
        rows,
        steps,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "device X # a device\nrate bytes 1000\nrate l2-bytes 2000\nrate cycles 1\nrate multiprocessors 2\nrate launch 3\n\
        tile 4 8 4 2 2 load 1 10 4\ntile 4 8 4 2 2 rows 2 20 0\ntile 4 16 4 2 2 rows 3 30 0\n\
        resident 4 8 4 2 2 1000 48\nresident 4 8 4 2 2 2000 32\nresident 4 16 4 2 2 1000 64\n\
        alone 4 rows 100 400 1 2 1\nalone 4 rows 10000 40000 2 40 10\n";

    #[test]
    fn routines_are_found_by_the_environment_of_the_fusion() {
        let figures = Figures::parse(TABLE).expect("a table");
        let mut environment = Environment {
            bytes: 4,
            warps: 8,
            columns: 4,
            rows: 2,
            steps: 2,
        };
        assert_eq!(figures.taken(&environment, Routine::Rows).cycles, 2.0);
        assert_eq!(figures.resident(&environment, 900.0), 48.0);
        assert_eq!(figures.resident(&environment, 1001.0), 32.0);
        environment.warps = 16;
        assert_eq!(figures.taken(&environment, Routine::Rows).cycles, 3.0);
        assert_eq!(figures.resident(&environment, 900.0), 64.0);
        environment.warps = 32;
        assert_eq!(
            figures.taken(&environment, Routine::Rows).cycles,
            3.0,
            "the nearest one"
        );
        assert_eq!(
            figures.taken(&environment, Routine::Store).cycles,
            0.0,
            "there is none"
        );
    }

    #[test]
    fn nests_alone_are_between_the_sizes_of_the_table() {
        let figures = Figures::parse(TABLE).expect("a table");
        let at = |elements: f64| figures.alone(4, Alone::Rows, (elements, 4.0 * elements));
        assert_eq!((at(100.0).transfer, at(100.0).launches), (2.0, 1.0));
        assert!((at(10_000.0).computation - 10.0).abs() < 1e-9);
        assert_eq!(at(10_000.0).launches, 2.0);
        // Half of the way, counted in factors: 3/400 of a microsecond for each byte.
        assert!(
            (at(1000.0).transfer - 0.003 * 4000.0).abs() < 1e-9,
            "{:?}",
            at(1000.0)
        );
        assert!((at(1e6).transfer - 4000.0).abs() < 1e-6);
        assert_eq!(at(1.0).computation, 1.0, "no less than the smallest");
    }

    #[test]
    fn lines_that_are_none_of_a_table_are_named() {
        let error = |text: &str| Figures::parse(text).expect_err("is wrong");
        assert_eq!(error("device X\nrate speed 3").line, 2);
        assert_eq!(error("tile 4 8 4 2 2 rows 1 2").line, 1);
        assert_eq!(error("tile 4 8 4 2 0 rows 1 2 3").line, 1);
        assert_eq!(error("alone 4 rows 100 400 1 -2 1").line, 1);
        assert!(error("device X").problem.contains("missing"));
        assert!(Figures::parse(&TABLE.replace("rate bytes 1000\n", "")).is_err());
    }

    #[test]
    fn every_stored_table_is_whole() {
        assert_eq!(Figures::all().len(), TABLES.len());
        for figures in Figures::all() {
            for routine in [
                Routine::Load,
                Routine::Rows,
                Routine::Columns,
                Routine::Store,
            ] {
                assert!(
                    figures.tiles.iter().any(|row| row.1 == routine),
                    "{}: {routine:?}",
                    figures.name
                );
            }
            for alone in [
                Alone::Map,
                Alone::Rows,
                Alone::Columns,
                Alone::Total,
                Alone::Finish,
            ] {
                assert!(
                    figures.alone.iter().any(|row| row.1 == alone),
                    "{}: {alone:?}",
                    figures.name
                );
            }
            for block in MapBlock::all() {
                let mut rows = figures.blocks.iter();
                assert!(
                    rows.any(|row| row.1 == block),
                    "{}: {block:?}",
                    figures.name
                );
            }
        }
        assert!(Figures::named("h100").is_some() && Figures::named("abacus").is_none());
    }
}
