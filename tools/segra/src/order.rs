//! Orders in which the points of a kernel are visited, as they are written on the command line.

use segra_locality::forms;
use std::fmt;
use std::str::FromStr;

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
    /// Of this width, or of the one that the compiler finds for each kernel.
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
            Visit::Column(width) => width?,
            Visit::Tiled(..) | Visit::Zigzag(_) => return None,
        };
        Some((width, self.threads?))
    }

    /// The strategy of `crates/space` that makes kernels so.
    pub(crate) fn strategy(self) -> String {
        let name = match self.visit {
            Visit::Linear => "fold-all".to_owned(),
            Visit::Tiled(width, height) => format!("tiles({width}x{height}"),
            Visit::Column(None) => "columns(auto".to_owned(),
            Visit::Column(Some(width)) => format!("columns({width}"),
            Visit::Zigzag(width) => format!("zigzag({width}"),
        };
        match (self.visit, self.threads) {
            (Visit::Linear, None) => name,
            (Visit::Linear, Some(threads)) => format!("{name}({threads})"),
            (_, None) => format!("{name})"),
            (_, Some(threads)) => format!("{name},{threads})"),
        }
    }

    /// The order that a kernel has whose mapping this is, where it was left to the compiler.
    pub(crate) fn found(self, mapping: &str) -> Order {
        let number = |name: &str| {
            let (_, rest) = mapping.split_once(name)?;
            let (number, _) = rest.split_once([',', ')'])?;
            number.trim().parse().ok()
        };
        match (self.visit, number("SplitLast("), number("Column(")) {
            (Visit::Column(None), Some(threads), Some(width)) => {
                Order::of_columns(width, threads).unwrap_or(self)
            }
            _ => self,
        }
    }

    /// The order as closed forms know it; a kernel without columns goes row by row.
    pub(crate) fn form(self) -> forms::Order {
        match self.visit {
            Visit::Linear => forms::Order::Linear,
            Visit::Tiled(width, height) => forms::Order::Tiled {
                width: width.into(),
                height: height.into(),
            },
            Visit::Column(None) => forms::Order::Linear,
            Visit::Column(Some(width)) | Visit::Zigzag(width) => forms::Order::Column {
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
            None if visit == "column" => Visit::Column(None),
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
