//! Schedules of a nest: lists of rewrites with parameters, as text and as data.
//!
//! ```text
//! stripmine [64, 64] registers [4, 4], peel 16, chunk 16, distribute, interchange, stage, pipeline 2, contract, unroll
//! ```
//! | step | of the nest | thesis, 2.1 |
//! |---|---|---|
//! | `join` | loops in loops of its points, as one | none |
//! | `stripmine [Ty, Tx]` | its innermost dimensions, in tiles that a thread block runs | step 1, of i and j |
//! | `... registers [Ry, Rx] runs [1, 4]` | points of the tile that a thread has, in runs of neighbours | step 1, the second time; step 5a |
//! | `halo` | what the points of a tile read of their neighbours, copied to shared memory with what lies around the tile; after `stripmine` alone | none |
//! | `peel Tk` | a loop of its points, into one over full tiles and one over the rest | 4.2.2, the epilogue |
//! | `chunk Tk` | a loop of its points, in tiles | step 1, of k |
//! | `distribute` | over what comes before the loop, the loop, and what comes after it | steps 3a and 3b |
//! | `interchange` | the loop over tiles, out of the points | steps 2 and 4 |
//! | `stage` | what several points read in a tile of the loop, copied to shared memory | 2.2.2 |
//! | `pipeline 2`, `pipeline upto 2` | the copies, that many tiles at a time, or at most as many as fit | 5.2 |
//! | `repeat` | the steps from `peel` or `chunk` on, for each further loop whose points read the same | 2.4 |
//! | `contract`, `contract reassoc` | sums of products, for tensor cores; taking sums to be in any order | none |
//! | `unroll` | the points that a thread has | step 5b |
//!
//! "Teaching the Futhark compiler block and register tiled matrix multiplication" (Cholewa-Madsen and Holst, 2020). Steps
//! that need what others leave must come after them, and each stands once at most; a [`Schedule`] holds that and all that is
//! known of its numbers without a nest. Whether a step may be done to a nest is found when it is done.
//!
//! Deliberately absent: nests, and what the steps do to them (`segra-schedule`).
//!
//! ```
//! use segra_space::Schedule;
//!
//! let schedule: Schedule = "stripmine [16,16], chunk 16, distribute, interchange, stage".parse()?;
//! assert_eq!(schedule.to_string(), "stripmine [16, 16], chunk 16, distribute, interchange, stage");
//! let error = "stripmine [16, 16], stage".parse::<Schedule>().unwrap_err();
//! assert_eq!(error.to_string(), "at column 21: `stage` needs `chunk` before it");
//! # Ok::<(), segra_space::TextError>(())
//! ```

use crate::target::Target;
use crate::text::{Reader, TextError, is_near};
use std::fmt;
use std::str::FromStr;

/// A rewrite of a nest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Loops in loops as one.
    Join,
    /// The innermost dimensions in tiles, each run by a thread block.
    Stripmine(Strips),
    /// Copies in shared memory of the elements of a tile and of those around it.
    Halo,
    /// A loop into one over full tiles of so many rounds, and one over the rest.
    Peel(i64),
    /// A loop in tiles of so many rounds.
    Chunk(i64),
    /// The nest over what comes before the loop, the loop, and what comes after it.
    Distribute,
    /// The loop over tiles out of the points.
    Interchange,
    /// Copies in shared memory of what several points read.
    Stage,
    /// Copies of later tiles on their way while one is used.
    Pipeline(Depth),
    /// The steps from `peel` or `chunk` on for each further loop.
    Repeat,
    /// Sums of products for tensor cores.
    Contract(SumOrder),
    /// The points of a thread side by side.
    Unroll,
}

/// Tiles of the innermost dimensions, outermost first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Strips {
    /// Points of a tile along each dimension.
    pub tiles: Vec<i64>,
    /// Points of those that a thread has; empty: one.
    pub registers: Vec<i64>,
    /// How many of a thread's points follow each other; empty: as suits what is read.
    pub runs: Vec<i64>,
}

/// How many tiles of copies there are at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Depth {
    /// That many.
    Exactly(i64),
    /// At most that many: fewer where they do not fit, one where nothing can be copied ahead.
    AtMost(i64),
}

/// The order that sums are taken to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumOrder {
    /// The program's, where its additions do not say otherwise.
    Written,
    /// None.
    Any,
}

/// More tiles of copies than any shared memory holds.
const MOST_STAGES: i64 = 8;

/// The names of steps, in the order that they have in a schedule.
const NAMES: [&str; 12] = [
    "join",
    "stripmine",
    "halo",
    "peel",
    "chunk",
    "distribute",
    "interchange",
    "stage",
    "pipeline",
    "repeat",
    "contract",
    "unroll",
];

impl Step {
    /// Its name.
    pub fn name(&self) -> &'static str {
        NAMES[self.rank()]
    }

    /// Its position among the steps.
    fn rank(&self) -> usize {
        match self {
            Step::Join => 0,
            Step::Stripmine(_) => 1,
            Step::Halo => 2,
            Step::Peel(_) => 3,
            Step::Chunk(_) => 4,
            Step::Distribute => 5,
            Step::Interchange => 6,
            Step::Stage => 7,
            Step::Pipeline(_) => 8,
            Step::Repeat => 9,
            Step::Contract(_) => 10,
            Step::Unroll => 11,
        }
    }

    /// The names of the steps that must come before it.
    fn needs(&self) -> &'static [&'static str] {
        match self {
            Step::Join | Step::Stripmine(_) | Step::Peel(_) | Step::Chunk(_) => &[],
            Step::Distribute => &["chunk"],
            Step::Interchange | Step::Repeat => &["distribute"],
            Step::Stage => &["chunk", "stripmine", "interchange"],
            Step::Pipeline(_) | Step::Contract(_) => &["stage"],
            Step::Halo | Step::Unroll => &["stripmine"],
        }
    }

    /// The fault of its numbers.
    fn fault(&self) -> Option<String> {
        match self {
            Step::Stripmine(strips) => strips.fault(),
            Step::Peel(0) | Step::Chunk(0) => {
                Some("a tile of a loop has at least one round".to_owned())
            }
            Step::Pipeline(Depth::Exactly(stages) | Depth::AtMost(stages)) => (!(2..=MOST_STAGES)
                .contains(stages))
            .then(|| format!("a pipeline has from 2 to {MOST_STAGES} tiles at a time")),
            _ => None,
        }
    }
}

impl Strips {
    /// Threads of a block.
    pub fn threads(&self) -> Option<i64> {
        let registers = self.registers.iter().copied().chain(std::iter::repeat(1));
        self.tiles
            .iter()
            .zip(registers)
            .try_fold(1i64, |all, (&tile, points)| {
                let threads = (points > 0 && tile % points == 0).then(|| tile / points);
                all.checked_mul(threads?)
            })
    }

    fn fault(&self) -> Option<String> {
        if self.tiles.is_empty() || self.tiles.contains(&0) {
            return Some(
                "needs the points of a tile along one dimension or more, at least 1 each"
                    .to_owned(),
            );
        }
        for (what, numbers, divided) in [
            ("points of a thread", &self.registers, &self.tiles),
            ("runs", &self.runs, &self.registers),
        ] {
            if numbers.is_empty() {
                continue;
            }
            if numbers.len() != divided.len() {
                return Some(format!(
                    "{what}: {} numbers for {} dimensions",
                    numbers.len(),
                    divided.len()
                ));
            }
            if let Some((number, of)) = numbers
                .iter()
                .zip(divided)
                .find(|(number, of)| **number < 1 || *of % *number != 0)
            {
                return Some(format!("{what}: {number} does not divide {of}"));
            }
        }
        let most = Target::CUDA.launch.block_threads;
        match self.threads() {
            Some(threads) if (1..=most).contains(&threads) => None,
            Some(threads) => Some(format!(
                "a block of {threads} threads: it can have from 1 to {most}"
            )),
            None => Some(format!("a block of more than {most} threads")),
        }
    }
}

/// A list of steps, each of which has what it needs before it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    steps: Vec<Step>,
}

/// A step that cannot stand where it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {}: {message}", .at + 1)]
pub struct ScheduleFault {
    /// Which step, from 0 on.
    pub at: usize,
    /// Why.
    pub message: String,
}

impl Schedule {
    /// A schedule of steps.
    ///
    /// # Errors
    /// A step that stands before one that it needs, or a second time, or whose numbers cannot be right for any nest.
    pub fn new(steps: Vec<Step>) -> Result<Schedule, ScheduleFault> {
        for (at, step) in steps.iter().enumerate() {
            if let Some(message) = fault(&steps[..at], step) {
                return Err(ScheduleFault { at, message });
            }
        }
        Ok(Schedule { steps })
    }

    /// The steps in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Its tiles of points, if it has any.
    pub fn strips(&self) -> Option<&Strips> {
        self.steps.iter().find_map(|step| match step {
            Step::Stripmine(strips) => Some(strips),
            _ => None,
        })
    }

    /// Its tiles of points that read their neighbours, if it has any.
    pub fn halo(&self) -> Option<&Strips> {
        self.strips().filter(|_| self.steps.contains(&Step::Halo))
    }

    /// Rounds of a tile of a loop, if it has any.
    pub fn depth(&self) -> Option<i64> {
        self.steps.iter().find_map(|step| match step {
            Step::Chunk(depth) => Some(*depth),
            _ => None,
        })
    }
}

/// The fault of a step after others.
fn fault(before: &[Step], step: &Step) -> Option<String> {
    let name = step.name();
    if let Some(later) = before.iter().find(|earlier| earlier.rank() >= step.rank()) {
        let later = later.name();
        return Some(match later == name {
            true => format!("`{name}` stands here a second time"),
            false => format!("`{name}` comes before `{later}`"),
        });
    }
    let has = |name: &str| before.iter().any(|earlier| earlier.name() == name);
    if let Some(missing) = step.needs().iter().find(|needed| !has(needed)) {
        return Some(format!("`{name}` needs `{missing}` before it"));
    }
    let mut all = before.iter().chain([step]);
    let other = all
        .clone()
        .find(|step| !matches!(step, Step::Stripmine(_) | Step::Halo));
    if let Some(other) = other.filter(|_| all.any(|step| *step == Step::Halo)) {
        let other = other.name();
        return Some(format!(
            "`halo` stands beside `stripmine` alone, not `{other}`"
        ));
    }
    let held = before
        .iter()
        .any(|step| matches!(step, Step::Stripmine(strips) if !strips.registers.is_empty()));
    if matches!(step, Step::Contract(_) | Step::Unroll) && !held {
        return Some(format!("`{name}` needs `registers` of `stripmine`"));
    }
    let peeled = before.iter().find_map(|step| match step {
        Step::Peel(rounds) => Some(*rounds),
        _ => None,
    });
    if let (Some(peeled), Step::Chunk(rounds)) = (peeled, step)
        && peeled != *rounds
    {
        let fault = format!("tiles of {rounds} rounds, where full ones have {peeled}");
        return Some(format!("`{name}`: {fault}"));
    }
    step.fault().map(|fault| format!("`{name}`: {fault}"))
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Step::Stripmine(strips) => {
                write!(f, " {:?}", strips.tiles)?;
                for (name, numbers) in [("registers", &strips.registers), ("runs", &strips.runs)] {
                    if !numbers.is_empty() {
                        write!(f, " {name} {numbers:?}")?;
                    }
                }
                Ok(())
            }
            Step::Peel(rounds) | Step::Chunk(rounds) => write!(f, " {rounds}"),
            Step::Pipeline(Depth::Exactly(stages)) => write!(f, " {stages}"),
            Step::Pipeline(Depth::AtMost(stages)) => write!(f, " upto {stages}"),
            Step::Contract(SumOrder::Any) => f.write_str(" reassoc"),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.steps.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{step}")?;
        }
        Ok(())
    }
}

impl FromStr for Schedule {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let mut steps = Vec::new();
        loop {
            let at = reader.position();
            let step = reader.step()?;
            if let Some(message) = fault(&steps, &step) {
                return Err(reader.error(at, message));
            }
            steps.push(step);
            if reader.peek() != Some(',') {
                break;
            }
            reader.expect(',')?;
        }
        reader.end("the schedule")?;
        Ok(Self { steps })
    }
}

impl Reader<'_> {
    fn step(&mut self) -> Result<Step, TextError> {
        let at = self.position();
        let name = self.word();
        Ok(match name {
            "join" => Step::Join,
            "stripmine" => Step::Stripmine(Strips {
                tiles: self.numbers()?,
                registers: self.numbers_of("registers")?,
                runs: self.numbers_of("runs")?,
            }),
            "halo" => Step::Halo,
            "peel" => Step::Peel(self.number("the rounds of a tile")?),
            "chunk" => Step::Chunk(self.number("the rounds of a tile")?),
            "distribute" => Step::Distribute,
            "interchange" => Step::Interchange,
            "stage" => Step::Stage,
            "pipeline" => {
                let most = self.eat("upto");
                let stages = self.number("how many tiles there are at a time")?;
                Step::Pipeline(match most {
                    true => Depth::AtMost(stages),
                    false => Depth::Exactly(stages),
                })
            }
            "repeat" => Step::Repeat,
            "contract" if self.eat("reassoc") => Step::Contract(SumOrder::Any),
            "contract" => Step::Contract(SumOrder::Written),
            "unroll" => Step::Unroll,
            _ => return Err(self.error(at, self.unknown_step(name, at))),
        })
    }

    fn unknown_step(&self, name: &str, at: usize) -> String {
        let shown = self.shown(name, at);
        match NAMES.iter().find(|known| is_near(known, name)) {
            Some(known) => format!("unknown step {shown}, did you mean `{known}`?"),
            None => format!(
                "expected a step, found {shown}; there are {}",
                NAMES.join(", ")
            ),
        }
    }

    /// Whether a word stands here, which is then read.
    fn eat(&mut self, word: &str) -> bool {
        let at = self.position();
        let found = self.word() == word;
        if !found {
            self.go_back(at);
        }
        found
    }

    fn numbers(&mut self) -> Result<Vec<i64>, TextError> {
        Ok(self.list()?.into_iter().map(|(_, number)| number).collect())
    }

    /// A list behind its name; empty where there is none.
    fn numbers_of(&mut self, name: &str) -> Result<Vec<i64>, TextError> {
        if self.eat(name) {
            self.numbers()
        } else {
            Ok(Vec::new())
        }
    }
}
