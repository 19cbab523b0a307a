//! The ops still to be looked at: a stack without duplicates.

use segra_ir::{Ir, Op, SecondaryMap};

/// Ops to make space for at the start: those of a batch of functions ([`crate::parallel`]), not of a whole program.
pub(crate) const MOST_AT_ONCE: usize = 4096;

#[derive(Debug)]
pub(crate) struct Worklist {
    stack: Vec<Op>,
    waiting: SecondaryMap<Op, bool>,
}

impl Worklist {
    /// For ops of a program, of which a part will be pushed.
    pub(crate) fn new(ir: &Ir) -> Worklist {
        let mut waiting = SecondaryMap::default();
        waiting.reserve(ir.op_capacity().min(MOST_AT_ONCE));
        Worklist {
            stack: Vec::with_capacity(64),
            waiting,
        }
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
