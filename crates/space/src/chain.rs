//! Chains of combinators and their text form, written inside out as in the paper's pragma:
//! `GridBlock(1, SplitLast(32, ShiftLB(Gen)))`.
//!
//! Source: index-space combinators paper, section 6.1 and listing 9. `Gen` is innermost and stands for the space itself;
//! `GridBlock(n, ..)` is outermost and `n` is the number of *block* dimensions (the later compiler counts grid
//! dimensions instead). Printing and reading are inverse to each other. Reading checks syntax only; whether the
//! chain fits a space is found by [`crate::Mapping::new`].
//!
//! Beyond the paper, `GridBlock(n, Serial(s, ..))` gives the `s` innermost dimensions to the steps of each thread, and the `n`
//! next ones to the block: `GridBlock(1, Serial(1, SplitLast(4, ShiftLB(Gen))))` is four neighbours per thread,
//! `GridBlock(1, Serial(1, Split(0, 256, Stride(0, 65536, ShiftLB(Gen)))))` a grid-stride loop of 65536 threads.

use crate::combinator::Combinator;
use crate::text::{Reader, TextError, is_near};
use std::fmt;
use std::str::FromStr;

/// The treatment of an index space: combinators in the order they apply, then the split into grid and block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chain {
    /// First applied first.
    pub combinators: Vec<Combinator>,
    /// How many of the innermost dimensions of the result are dimensions of the thread block.
    pub block_rank: usize,
    /// How many dimensions, further in, are steps that each thread takes one after the other.
    pub serial_rank: usize,
}

impl Chain {
    /// `GridBlock(block_rank, ...combinators...(Gen))`; `combinators` in the order they apply.
    #[must_use]
    pub fn new(combinators: Vec<Combinator>, block_rank: usize) -> Self {
        Self {
            combinators,
            block_rank,
            serial_rank: 0,
        }
    }

    /// The chain with `serial_rank` innermost dimensions as steps of each thread.
    #[must_use]
    pub fn with_serial(self, serial_rank: usize) -> Self {
        Self {
            serial_rank,
            ..self
        }
    }
}

impl Combinator {
    /// Name and argument as they stand before the nested chain: (`SplitLast`, `Some("32")`).
    fn parts(&self) -> (&'static str, Option<String>) {
        match self {
            Self::ShiftLB => ("ShiftLB", None),
            Self::CompressGrid(z) => (
                "CompressGrid",
                Some(list(z.iter().map(|&z| usize::from(z)))),
            ),
            Self::PruneGrid => ("PruneGrid", None),
            Self::FoldLast2 => ("FoldLast2", None),
            Self::SplitLast(k) => ("SplitLast", Some(k.to_string())),
            Self::PadLast(k) => ("PadLast", Some(k.to_string())),
            Self::Permute(order) => ("Permute", Some(list(order.iter().copied()))),
            Self::Fold(d) => ("Fold", Some(d.to_string())),
            Self::Split(d, k) => ("Split", Some(format!("{d}, {k}"))),
            Self::Stride(d, k) => ("Stride", Some(format!("{d}, {k}"))),
            Self::Column(w) => ("Column", Some(w.to_string())),
            Self::Zigzag(w) => ("Zigzag", Some(w.to_string())),
            Self::Swizzle(d, g) => ("Swizzle", Some(format!("{d}, {g}"))),
            Self::Morton(d, bits) => ("Morton", Some(format!("{d}, {bits}"))),
            Self::Hilbert(d, bits) => ("Hilbert", Some(format!("{d}, {bits}"))),
        }
    }
}

fn list(entries: impl Iterator<Item = usize>) -> String {
    let entries: Vec<String> = entries.map(|entry| entry.to_string()).collect();
    format!("[{}]", entries.join(","))
}

impl fmt::Display for Combinator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.parts() {
            (name, Some(argument)) => write!(f, "{name}({argument})"),
            (name, None) => f.write_str(name),
        }
    }
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GridBlock({}, ", self.block_rank)?;
        if self.serial_rank > 0 {
            write!(f, "Serial({}, ", self.serial_rank)?;
        }
        for combinator in self.combinators.iter().rev() {
            match combinator.parts() {
                (name, Some(argument)) => write!(f, "{name}({argument}, ")?,
                (name, None) => write!(f, "{name}(")?,
            }
        }
        let targets = 1 + usize::from(self.serial_rank > 0);
        write!(f, "Gen{}", ")".repeat(self.combinators.len() + targets))
    }
}

/// The names a chain may contain between `GridBlock` and `Gen`.
const NAMES: [&str; 15] = [
    "Column",
    "CompressGrid",
    "Fold",
    "FoldLast2",
    "Hilbert",
    "Morton",
    "PadLast",
    "Permute",
    "PruneGrid",
    "ShiftLB",
    "Split",
    "SplitLast",
    "Stride",
    "Swizzle",
    "Zigzag",
];

impl FromStr for Chain {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let at = reader.position();
        let name = reader.word();
        if name != "GridBlock" {
            return Err(reader.error(
                at,
                format!("expected `GridBlock`, found {}", reader.shown(name, at)),
            ));
        }
        reader.expect('(')?;
        let block_rank = reader.number("the number of block dimensions")?;
        reader.expect(',')?;
        let serial_rank = reader.serial()?;
        let mut combinators = Vec::new();
        while let Some(combinator) = reader.combinator()? {
            combinators.push(combinator);
        }
        for _ in 0..combinators.len() + 1 + usize::from(serial_rank > 0) {
            reader.expect(')')?;
        }
        reader.end("the chain")?;
        combinators.reverse();
        Ok(Self {
            combinators,
            block_rank,
            serial_rank,
        })
    }
}

impl Reader<'_> {
    /// `Serial(n,` up to where the chain inside it starts; 0 where there is none.
    fn serial(&mut self) -> Result<usize, TextError> {
        let start = self.position();
        if self.word() != "Serial" {
            self.go_back(start);
            return Ok(0);
        }
        self.expect('(')?;
        let at = self.position();
        let rank = self.number("the number of dimensions that are steps of a thread")?;
        if rank == 0 {
            return Err(self.error(at, "Serial needs at least one dimension".to_owned()));
        }
        self.expect(',')?;
        Ok(rank)
    }

    /// The next combinator with its argument, up to where the chain inside it starts; `None` for `Gen`.
    fn combinator(&mut self) -> Result<Option<Combinator>, TextError> {
        let at = self.position();
        let name = self.word();
        if name == "Gen" {
            return Ok(None);
        }
        if !NAMES.contains(&name) {
            return Err(self.error(at, self.unknown(name, at)));
        }
        self.expect('(')?;
        let combinator = match name {
            "ShiftLB" => return Ok(Some(Combinator::ShiftLB)),
            "PruneGrid" => return Ok(Some(Combinator::PruneGrid)),
            "FoldLast2" => return Ok(Some(Combinator::FoldLast2)),
            "SplitLast" => Combinator::SplitLast(self.number("the size of a split")?),
            "PadLast" => Combinator::PadLast(self.number("the multiple to pad to")?),
            "Permute" => {
                Combinator::Permute(self.list()?.into_iter().map(|(_, entry)| entry).collect())
            }
            "CompressGrid" => Combinator::CompressGrid(self.flags()?),
            "Column" => Combinator::Column(self.number("the width of a column")?),
            "Zigzag" => Combinator::Zigzag(self.number("the width of a column")?),
            _ => self.of_a_dimension(name)?,
        };
        self.expect(',')?;
        Ok(Some(combinator))
    }

    /// A combinator whose first argument is a dimension, up to the end of its arguments.
    fn of_a_dimension(&mut self, name: &str) -> Result<Combinator, TextError> {
        let d = self.number("a dimension")?;
        if name == "Fold" {
            return Ok(Combinator::Fold(d));
        }
        self.expect(',')?;
        let tile = "the logarithm of the side of a tile";
        Ok(match name {
            "Split" => Combinator::Split(d, self.number("the size of a split")?),
            "Stride" => Combinator::Stride(d, self.number("the number of threads")?),
            "Swizzle" => Combinator::Swizzle(d, self.number("the rows of a group")?),
            "Morton" => Combinator::Morton(d, self.number(tile)?),
            _ => Combinator::Hilbert(d, self.number(tile)?),
        })
    }

    fn unknown(&self, name: &str, at: usize) -> String {
        let shown = self.shown(name, at);
        if name == "Serial" {
            return "`Serial` stands directly inside `GridBlock`".to_owned();
        }
        let near = NAMES
            .iter()
            .chain(&["Gen"])
            .find(|known| is_near(known, name));
        match near {
            Some(known) => format!("unknown combinator {shown}, did you mean `{known}`?"),
            None => format!(
                "expected a combinator, found {shown}; there are {} and Gen",
                NAMES.join(", ")
            ),
        }
    }

    fn flags(&mut self) -> Result<Vec<bool>, TextError> {
        let mut flags = Vec::new();
        for (at, entry) in self.list::<usize>()? {
            if entry > 1 {
                return Err(self.error(
                    at,
                    format!("entries of CompressGrid are 0 or 1, found {entry}"),
                ));
            }
            flags.push(entry == 1);
        }
        Ok(flags)
    }
}
