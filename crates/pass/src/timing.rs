//! Times passes: one row per pass of the pipeline, summed over the ops it ran on, as a tree like `mlir-opt`'s.

use crate::instrument::{Instrumentation, PassEvent, PipelineEvent};
use crate::pass::Changed;
use segra_ir::Ir;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A row of the timing table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimingRow {
    /// Nesting in the tree.
    pub depth: usize,
    /// A pass, or `'op' Pipeline`.
    pub name: String,
    /// Time spent, parts included.
    pub wall: Duration,
    /// How often it ran.
    pub runs: u64,
}

/// The rows, shared between the instrumentation and who shows them. Running a pipeline again adds to its rows.
#[derive(Clone, Debug)]
pub struct Timings {
    since: Instant,
    tree: Arc<Mutex<Tree>>,
}

impl Default for Timings {
    fn default() -> Timings {
        Timings::new()
    }
}

#[derive(Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    /// The row of every step of the pipeline that was run.
    of_step: Vec<Option<usize>>,
}

#[derive(Debug)]
struct Node {
    name: String,
    parent: Option<usize>,
    children: Vec<usize>,
    wall: Duration,
    runs: u64,
}

impl Tree {
    fn add(&mut self, parent: Option<usize>, name: &str) -> usize {
        let at = self.nodes.len();
        let name = name.to_owned();
        self.nodes.push(Node {
            name,
            parent,
            children: Vec::new(),
            wall: Duration::ZERO,
            runs: 0,
        });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(at);
        }
        at
    }
    fn spend(&mut self, at: usize, wall: Duration) {
        self.nodes[at].wall += wall;
        self.nodes[at].runs += 1;
    }
}

impl Timings {
    /// Nothing timed yet; the total counts from now.
    pub fn new() -> Timings {
        Timings {
            since: Instant::now(),
            tree: Arc::default(),
        }
    }
    fn tree(&self) -> MutexGuard<'_, Tree> {
        self.tree.lock().unwrap_or_else(PoisonError::into_inner)
    }
    /// Adds to the row of something that is not a pass (reading, printing).
    pub fn record(&self, name: &str, wall: Duration) {
        let mut tree = self.tree();
        let known = tree
            .nodes
            .iter()
            .position(|node| node.parent.is_none() && node.name == name);
        let at = known.unwrap_or_else(|| tree.add(None, name));
        tree.spend(at, wall);
    }
    /// The rows in order of the tree.
    pub fn rows(&self) -> Vec<TimingRow> {
        let nodes = &self.tree().nodes;
        let mut rows = Vec::new();
        let mut pending: Vec<(usize, usize)> = (0..nodes.len())
            .rev()
            .filter(|&at| nodes[at].parent.is_none())
            .map(|at| (at, 0))
            .collect();
        while let Some((at, depth)) = pending.pop() {
            let node = &nodes[at];
            rows.push(TimingRow {
                depth,
                name: node.name.clone(),
                wall: node.wall,
                runs: node.runs,
            });
            pending.extend(node.children.iter().rev().map(|&child| (child, depth + 1)));
        }
        rows
    }
    /// Time since this was made. Rows that ran beside each other may add up to more, and what has no row makes less of them.
    pub fn total(&self) -> Duration {
        self.since.elapsed()
    }
    /// The instrumentation that fills the rows.
    pub fn instrumentation(&self) -> TimePasses {
        TimePasses {
            timings: self.clone(),
            open: Vec::new(),
            in_pass: false,
        }
    }
}

/// Fills [`Timings`].
#[derive(Debug)]
pub struct TimePasses {
    timings: Timings,
    open: Vec<(usize, Instant)>,
    /// Whether the latest open row is a pass that has not ended.
    in_pass: bool,
}

impl TimePasses {
    fn start(&mut self, step: usize, name: &str) {
        let mut tree = self.timings.tree();
        if tree.of_step.len() <= step {
            tree.of_step.resize(step + 1, None);
        }
        let parent = self.open.last().map(|row| row.0);
        let at = match tree.of_step[step] {
            Some(at) => at,
            None => tree.add(parent, name),
        };
        tree.of_step[step] = Some(at);
        self.open.push((at, Instant::now()));
    }
    fn stop(&mut self) {
        if let Some((at, since)) = self.open.pop() {
            self.timings.tree().spend(at, since.elapsed());
        }
    }
}

impl Instrumentation for TimePasses {
    fn before_pipeline(&mut self, event: PipelineEvent<'_>) {
        self.start(event.step, &format!("'{}' Pipeline", event.anchor));
    }
    fn after_pipeline(&mut self, _: PipelineEvent<'_>) {
        self.stop();
    }
    fn before_pass(&mut self, event: PassEvent<'_>, _: &Ir) {
        self.start(event.step, event.name());
        self.in_pass = true;
    }
    fn after_pass(&mut self, _: PassEvent<'_>, _: &Ir, _: Changed) {
        self.stop();
        self.in_pass = false;
    }
    fn after_failed_pass(&mut self, _: PassEvent<'_>, _: &Ir) {
        if std::mem::take(&mut self.in_pass) {
            self.stop();
        }
    }
    fn after_panic(&mut self, _: PassEvent<'_>) {
        self.stop();
        self.in_pass = false;
    }
    /// Rows are shared; parts that run at once add up, so that the parts of a row may take longer than the row.
    fn fork(&self) -> Option<Box<dyn Instrumentation + Send>> {
        let fork = self.timings.instrumentation();
        Some(Box::new(fork))
    }
}
