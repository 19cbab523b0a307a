//! Which batches come again: the steps of a loop are worth a graph.
//!
//! A graph is launched with one call whatever it holds, so many small launches cost the host one; making it costs more
//! than running the batch once. So a shape must have come before.

use super::{Step, Task};
use std::collections::HashMap;

/// Fewest steps a graph is made for.
const LEAST_STEPS: usize = 2;
/// Most shapes that are remembered: a loop whose batches all differ gains nothing by graphs, and must not keep them all.
const MOST_SHAPES: usize = 256;

/// The key under which two batches are one graph with other parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Shape(Vec<(Kind, usize, Vec<usize>)>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Launch(usize),
    Copy,
    Fill(usize),
    Renew,
}

impl Shape {
    fn of(steps: &[Step]) -> Shape {
        let kind = |task: &Task| match task {
            Task::Launch(launch) => Kind::Launch(launch.kernel),
            Task::Copy { .. } => Kind::Copy,
            Task::Fill { pattern, .. } => Kind::Fill(pattern.len()),
            Task::Renew { .. } => Kind::Renew,
        };
        Shape(
            steps
                .iter()
                .map(|step| (kind(&step.task), step.stream, step.waits.clone()))
                .collect(),
        )
    }
}

/// The shapes of a run's batches.
#[derive(Default)]
pub(crate) struct Graphs {
    seen: HashMap<Shape, Option<usize>>,
    numbered: usize,
}

impl Graphs {
    /// The number of the graph that a batch is, if its shape came before.
    pub(crate) fn number(&mut self, steps: &[Step]) -> Option<usize> {
        if steps.len() < LEAST_STEPS {
            return None;
        }
        let shape = Shape::of(steps);
        if self.seen.len() >= MOST_SHAPES && !self.seen.contains_key(&shape) {
            return None;
        }
        match self.seen.entry(shape) {
            std::collections::hash_map::Entry::Vacant(new) => {
                new.insert(None);
                None
            }
            std::collections::hash_map::Entry::Occupied(mut known) => {
                let number = known.get().unwrap_or_else(|| {
                    self.numbered += 1;
                    self.numbered - 1
                });
                known.insert(Some(number));
                Some(number)
            }
        }
    }
}
