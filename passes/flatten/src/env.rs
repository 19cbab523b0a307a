//! The new values for those of the old program, in scopes.
//!
//! A point of a nest, a branch or a version is a scope: what was bound in it is forgotten when it ends, so the same op
//! of the old program can be emitted in several places.

use crate::active::Active;
use crate::view::Lifted;
use rustc_hash::FxHashMap;
use segra_ir::{Op, Value};

/// A scoped map from values of the old program, and from control flow that is held by points that do not take part in it.
#[derive(Debug, Default)]
pub(crate) struct Env {
    bound: FxHashMap<Value, Lifted>,
    held: FxHashMap<Op, Active>,
    undo: Vec<Undo>,
}

/// The entry that stood there before.
#[derive(Debug)]
enum Undo {
    Value(Value, Option<Lifted>),
    Held(Op, Option<Active>),
}

/// Where a scope began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark(usize);

impl Env {
    pub(crate) fn get(&self, value: Value) -> Option<&Lifted> {
        self.bound.get(&value)
    }
    pub(crate) fn bind(&mut self, value: Value, lifted: Lifted) {
        let before = self.bound.insert(value, lifted);
        self.undo.push(Undo::Value(value, before));
    }
    /// Which points take part in a branch or loop that all points hold.
    pub(crate) fn held(&self, op: Op) -> Option<&Active> {
        self.held.get(&op)
    }
    pub(crate) fn holds_any(&self) -> bool {
        !self.held.is_empty()
    }
    pub(crate) fn hold(&mut self, op: Op, active: Active) {
        let before = self.held.insert(op, active);
        self.undo.push(Undo::Held(op, before));
    }
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.undo.len())
    }
    /// Forgets everything bound since `mark`.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        for undo in self.undo.drain(mark.0..).rev() {
            match undo {
                Undo::Value(value, Some(lifted)) => drop(self.bound.insert(value, lifted)),
                Undo::Value(value, None) => drop(self.bound.remove(&value)),
                Undo::Held(op, Some(active)) => drop(self.held.insert(op, active)),
                Undo::Held(op, None) => drop(self.held.remove(&op)),
            }
        }
    }
}
