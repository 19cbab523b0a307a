//! The ops still to be looked at: a stack without duplicates.

use segra_ir::{Ir, Op, SecondaryMap};

#[derive(Debug)]
pub(crate) struct Worklist {
    stack: Vec<Op>,
    waiting: SecondaryMap<Op, bool>,
}

impl Worklist {
    pub(crate) fn new() -> Worklist {
        Worklist { stack: Vec::new(), waiting: SecondaryMap::default() }
    }
    pub(crate) fn push(&mut self, op: Op) {
        if !self.waiting[op] {
            self.waiting[op] = true;
            self.stack.push(op);
        }
    }
    /// The latest op that is still in the program. An op erased meanwhile is in no block; one in whose slot a new op
    /// was put is looked at as that new op, which does no harm.
    pub(crate) fn pop(&mut self, ir: &Ir) -> Option<Op> {
        while let Some(op) = self.stack.pop() {
            if std::mem::take(&mut self.waiting[op]) && ir.block_of(op).is_some() {
                return Some(op);
            }
        }
        None
    }
    /// Turns the stack around: what was pushed first comes first.
    pub(crate) fn reverse(&mut self) {
        self.stack.reverse();
    }
    pub(crate) fn clear(&mut self) {
        for op in self.stack.drain(..) {
            self.waiting[op] = false;
        }
    }
}
