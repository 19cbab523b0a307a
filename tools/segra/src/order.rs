//! Orders in which the points of a kernel are visited, as they are written on the command line.

use segra_locality::forms;
use segra_locality::pattern::Pattern;
use segra_runtime::Machine;
use std::fmt;
use std::str::FromStr;

/// Width of columns where none is given and the problem is not known: what [`Order::for_problem`] finds for the stencils and the
/// product of the column-based iteration thesis.
const WIDTH: u32 = 64;
/// Threads of a block where neither is given. A thread block has a multiprocessor's caches to itself only if it is as large as what a
/// multiprocessor holds: the next block of its column runs on another one. The smallest of compute capability 7.5 holds this many.
const THREADS: u32 = 1024;

/// An order, and the threads of a block where they are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    visit: Visit,
    threads: Option<u32>,
}

/// How points follow one another. Rows are those of the innermost dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visit {
    Linear,
    Tiled(u32, u32),
    /// Of this width, if it is given.
    Column(Option<u32>),
    Zigzag(u32),
}

impl Order {
    /// Columns of so many points, or the linear order where that is 0, by blocks of so many threads.
    pub(crate) fn of_columns(width: u32, threads: u32) -> Option<Order> {
        (1..=1024).contains(&threads).then_some(Order {
            visit: match width {
                0 => Visit::Linear,
                width => Visit::Column(Some(width)),
            },
            threads: Some(threads),
        })
    }

    /// The width of columns and the threads of a block, as [`Order::of_columns`] takes them, if both are given.
    pub(crate) fn columns(self) -> Option<(u32, u32)> {
        let width = match self.visit {
            Visit::Linear => 0,
            Visit::Column(width) => width.unwrap_or(WIDTH),
            Visit::Tiled(..) | Visit::Zigzag(_) => return None,
        };
        Some((width, self.threads?))
    }

    /// Whether the width of columns is to be found.
    pub(crate) fn is_open(self) -> bool {
        self.visit == Visit::Column(None)
    }

    /// The order for a problem with elements of so many bytes: where no width of columns is given, the one whose thread blocks ask for
    /// the fewest lines by the thesis' working set ([`forms::fewest_requests`]).
    pub(crate) fn for_problem(
        self,
        pattern: Pattern,
        element_bytes: u32,
        machine: &Machine,
    ) -> Order {
        const WARP: u64 = 32;
        if !self.is_open() {
            return self;
        }
        let elements = |bytes: u32| u64::from(bytes / element_bytes.max(1)).max(1);
        let (line, sector) = (
            elements(machine.l1.line_bytes),
            elements(machine.l1.sector_bytes),
        );
        let block = u64::from(self.threads.unwrap_or(THREADS));
        let width = match pattern {
            Pattern::Stencil(stencil) => {
                forms::fewest_requests(block, WARP, |width| stencil.requests(width, block, line))
            }
            Pattern::Product(product) => forms::fewest_requests(block, WARP, |width| {
                product.requests(width, block, line, sector)
            }),
            Pattern::Other => WIDTH.into(),
        };
        Order {
            visit: Visit::Column(u32::try_from(width).ok().or(Some(WIDTH))),
            ..self
        }
    }

    /// The strategy of `crates/space` that makes kernels so.
    pub(crate) fn strategy(self) -> String {
        let name = match self.visit {
            Visit::Linear => "fold-all".to_owned(),
            Visit::Tiled(width, height) => format!("tiles({width}x{height}"),
            Visit::Column(width) => format!("columns({}", width.unwrap_or(WIDTH)),
            Visit::Zigzag(width) => format!("zigzag({width}"),
        };
        match (self.visit, self.threads) {
            (Visit::Linear, None) => name,
            (Visit::Linear, Some(threads)) => format!("{name}({threads})"),
            (_, None) => format!("{name})"),
            (_, Some(threads)) => format!("{name},{threads})"),
        }
    }

    /// The order as closed forms know it.
    pub(crate) fn form(self) -> forms::Order {
        match self.visit {
            Visit::Linear => forms::Order::Linear,
            Visit::Tiled(width, height) => forms::Order::Tiled {
                width: width.into(),
                height: height.into(),
            },
            Visit::Column(width) => forms::Order::Column {
                width: width.unwrap_or(WIDTH).into(),
            },
            Visit::Zigzag(width) => forms::Order::Column {
                width: width.into(),
            },
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.visit {
            Visit::Linear => f.write_str("linear")?,
            Visit::Tiled(width, height) => write!(f, "tiled:{width}x{height}")?,
            Visit::Column(None) => f.write_str("column")?,
            Visit::Column(Some(width)) => write!(f, "column:{width}")?,
            Visit::Zigzag(width) => write!(f, "zigzag:{width}")?,
        }
        match self.threads {
            None => Ok(()),
            Some(threads) => write!(f, "@{threads}"),
        }
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Order, String> {
        let (visit, threads) = match text.split_once('@') {
            Some((visit, threads)) => match threads.parse() {
                Ok(threads @ 1..=1024) => (visit, Some(threads)),
                _ => {
                    return Err(format!(
                        "a thread block has 1 to 1024 threads, not `{threads}`"
                    ));
                }
            },
            None => (text, None),
        };
        let extent = |text: &str| match text.parse::<u32>() {
            Ok(extent @ 1..) => Ok(extent),
            _ => Err(format!("`{text}` is no width: it is 1 or more")),
        };
        let visit = match visit.split_once(':') {
            None if visit == "linear" => Visit::Linear,
            None if visit == "column" => {
                return Ok(Order {
                    visit: Visit::Column(None),
                    threads: threads.or(Some(THREADS)),
                });
            }
            Some(("column", width)) => Visit::Column(Some(extent(width)?)),
            Some(("zigzag", width)) => Visit::Zigzag(extent(width)?),
            Some(("tiled", tile)) => match tile.split_once('x') {
                Some((width, height)) => Visit::Tiled(extent(width)?, extent(height)?),
                None => return Err("a tile is written WIDTHxHEIGHT, as in tiled:16x8".to_owned()),
            },
            _ => {
                return Err(format!(
                    "there is no order `{visit}`; there are linear, column, column:WIDTH, zigzag:WIDTH, tiled:WIDTHxHEIGHT, each with @THREADS \
                     where thread blocks are to have so many"
                ));
            }
        };
        Ok(Order { visit, threads })
    }
}
