//! The new values for those of the old program, in scopes.
//!
//! A point of a nest, a branch or a version is a scope: what was bound in it is forgotten when it ends, so the same op
//! of the old program can be emitted in several places.

use crate::view::Lifted;
use rustc_hash::FxHashMap;
use segra_ir::Value;

/// A scoped map from values of the old program.
#[derive(Debug, Default)]
pub(crate) struct Env {
    bound: FxHashMap<Value, Lifted>,
    undo: Vec<(Value, Option<Lifted>)>,
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
        self.undo.push((value, before));
    }
    pub(crate) fn mark(&self) -> Mark {
        Mark(self.undo.len())
    }
    /// Forgets everything bound since `mark`.
    pub(crate) fn rewind(&mut self, mark: Mark) {
        for (value, before) in self.undo.drain(mark.0..).rev() {
            match before {
                Some(lifted) => self.bound.insert(value, lifted),
                None => self.bound.remove(&value),
            };
        }
    }
}
