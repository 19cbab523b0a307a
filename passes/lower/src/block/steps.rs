//! Barriers between what the threads of a block do: as few as reads and writes of shared memory ask for.
//!
//! A step is a segmented op inside a point. One barrier orders all before it with all after it. A step needs one before
//! it where it reads what was written since the last barrier, or writes what may still be read or was just written.
//! Segmaps know what they touch once they are emitted ([`Kernel::step`]), so that copies of several arrays share one
//! barrier; the other ops stand between barriers of their own ([`Kernel::begin_step`], [`Kernel::end_step`]). Loops and
//! branches are entered and left with nothing unsynced. Buffers in turn have a barrier per step of their loop
//! ([`super::ring`]) and no other.

use crate::kernel::Kernel;
use crate::state::{Array, Memory, Touched, Unit};
use segra_ir::{InsertPoint, Value};

impl Kernel<'_> {
    /// Code is about to read an element.
    pub(crate) fn now_reads(&mut self, array: &Array) {
        if let Some((buffer, touched)) = self.touched_by(array) {
            touched.reads.push(buffer);
        }
    }

    /// Code is about to write an element.
    pub(crate) fn now_writes(&mut self, array: &Array) {
        if let Some((buffer, touched)) = self.touched_by(array) {
            touched.writes.push(buffer);
        }
    }

    /// A shared buffer, and what the step at hand touches.
    fn touched_by(&mut self, array: &Array) -> Option<(Value, &mut Touched)> {
        let buffer = self.synced(array)?;
        Some((buffer, self.block.as_mut()?.touched.as_mut()?))
    }

    /// The shared buffer of an array, if barriers for it are found here.
    fn synced(&self, array: &Array) -> Option<Value> {
        match array.memory {
            Memory::Shared(buffer) if !self.is_ring(buffer) => Some(buffer),
            _ => None,
        }
    }

    /// Loops and branches of a point: what was read on another way here is not known.
    pub(crate) fn enter_flow(&mut self) {
        self.now_pending();
    }

    fn now_pending(&mut self) {
        if self.unit == Unit::Block
            && let Some(block) = &mut self.block
        {
            block.pending = true;
        }
    }

    /// Scalar code of a point reads elements that a later step may overwrite.
    pub(crate) fn read_at_point(&mut self, array: &Array) {
        if self.synced(array).is_some() {
            self.now_pending();
        }
    }

    /// Scalar code of a point reads what threads have written for each other.
    pub(crate) fn before_read(&mut self, point: InsertPoint, array: &Array) {
        if self.synced(array).is_some() {
            self.flush(point);
        }
    }

    /// From here on, all threads see what each has written.
    pub(crate) fn flush(&mut self, point: InsertPoint) {
        if self.unit == Unit::Block
            && self
                .block
                .as_ref()
                .is_some_and(|block| !block.unsynced.is_empty())
        {
            self.end_step(point);
        }
    }

    /// Before a step in which threads write for each other.
    pub(super) fn begin_step(&mut self, point: InsertPoint) {
        if self
            .block
            .as_ref()
            .is_some_and(|block| block.pending || !block.unsynced.is_empty())
        {
            self.end_step(point);
        }
    }

    /// After it.
    pub(super) fn end_step(&mut self, point: InsertPoint) {
        self.barrier(point);
        if let Some(block) = &mut self.block {
            block.pending = false;
            block.unsynced.clear();
        }
    }

    /// A step that is emitted at the end of a block, with a barrier before it where that is needed, and none after it.
    pub(super) fn step(&mut self, point: InsertPoint, body: impl FnOnce(&mut Self)) {
        let InsertPoint::End(block) = point else {
            self.begin_step(point);
            body(self);
            return self.end_step(point);
        };
        let before = self.ir.last_op(block);
        if let Some(state) = &mut self.block {
            state.touched = Some(Touched::default());
        }
        body(self);
        let first = match before {
            Some(op) => self.ir.next_op(op),
            None => self.ir.first_op(block),
        };
        let Some(state) = &mut self.block else { return };
        let touched = state.touched.take().unwrap_or_default();
        let after_write = touched
            .reads
            .iter()
            .chain(&touched.writes)
            .any(|it| state.unsynced.contains(it));
        let after_read = state.pending && !touched.writes.is_empty();
        if let (true, Some(first)) = (after_write || after_read, first) {
            self.end_step(InsertPoint::Before(first));
        }
        let Some(state) = &mut self.block else { return };
        state.pending |= !touched.reads.is_empty();
        state.unsynced.extend(touched.writes);
        state.unsynced.sort_unstable();
        state.unsynced.dedup();
    }
}
