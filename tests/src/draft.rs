//! The text of a program while a generator writes it: choices from a seed, fresh names, lines.
//!
//! Deliberately absent: what is written (the `random_*` modules).

use segra_random::SplitMix64;
use std::fmt::Write;

/// A stream of choices.
#[derive(Clone, Debug)]
pub struct Choices(SplitMix64);

impl Choices {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Choices {
        Choices(SplitMix64::new(seed))
    }
    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }
    /// One of `from`, which is not empty.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Text so far, what names are taken, what comes next.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    pub(crate) choices: Choices,
    pub(crate) text: String,
    /// How far lines are indented.
    pub(crate) depth: usize,
    next: usize,
}

impl Draft {
    /// An empty text whose lines are indented by `depth` levels.
    pub(crate) fn new(seed: u64, depth: usize) -> Draft {
        Draft {
            choices: Choices::new(seed),
            text: String::new(),
            depth,
            next: 0,
        }
    }
    /// A number nobody has.
    pub(crate) fn number(&mut self) -> usize {
        self.next += 1;
        self.next
    }
    /// Drafts text that goes elsewhere than at the end: hands back what `write` wrote.
    pub(crate) fn aside<W: Drafting>(writer: &mut W, write: impl FnOnce(&mut W)) -> String {
        let before = std::mem::take(&mut writer.draft().text);
        write(writer);
        std::mem::replace(&mut writer.draft().text, before)
    }
}

/// The function that writes a program.
pub(crate) trait Drafting {
    /// Where it writes.
    fn draft(&mut self) -> &mut Draft;
    /// A number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        self.draft().choices.below(bound)
    }
    /// A name for a value that no other has.
    fn name(&mut self) -> String {
        format!("%v{}", self.draft().number())
    }
    /// Ends what is there with a line of this text.
    fn line(&mut self, text: &str) {
        let draft = self.draft();
        let _ = writeln!(draft.text, "{}{text}", "  ".repeat(draft.depth));
    }
}
