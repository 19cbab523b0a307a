//! Shared memory that one array of a point after another lies in.
//!
//! An array that a segmented op makes takes the memory of one made before it that nobody needs any more: all values that
//! lie there were made, and are used for the last time, before the op, or before a loop or branch that it is in. So what a
//! loop uses in each step keeps its memory for the next one. Only arrays of one element type share memory, the
//! later one no larger, nor so small that most of the memory would be wasted on it; as they are one buffer, barriers between them are found as between any two uses of it
//! ([`super::steps`]). Buffers that a loop has taken in turn ([`super::ring`]) are taken, too, once the loop is over.

use crate::kernel::Kernel;
use crate::launch::constant;
use crate::state::{Lent, Memory};
use segra_ir::interfaces::constant_of;
use segra_ir::{Ir, Op, Type, Value, ValueDef};

/// How many times as much memory as it needs an array does not take from others.
const MUCH: i64 = 16;

impl Kernel<'_> {
    /// Shared memory for the array `result` of `user`, with so many elements.
    pub(super) fn shared_for(
        &mut self,
        result: Value,
        user: Op,
        count: Value,
        element: Type,
    ) -> Value {
        let lent = self
            .block
            .as_ref()
            .map(|block| block.lent.as_slice())
            .unwrap_or_default();
        let suits = |lent: &Lent| {
            lent.element == element
                && self.is_enough(lent.count, count)
                && !self.is_much(lent.count, count)
                && self.is_free(lent, user)
        };
        let free = lent.iter().enumerate().filter(|row| suits(row.1));
        // The smallest that suffices: larger ones are for larger arrays.
        let free = free.min_by_key(|row| self.ir.constant_int(row.1.count));
        let free = free.map(|row| row.0);
        if let (Some(at), Some(block)) = (free, &mut self.block) {
            let lent = &mut block.lent[at];
            lent.owner = result;
            return lent.buffer;
        }
        let known = self.ir.constant_int(count);
        let over = known.and_then(|count| self.ring_over(user, (count, element)));
        let (buffer, count) = match over {
            Some((buffer, space)) => (buffer, constant(&mut self.host_builder(), space)),
            None => (self.dynamic_shared(count, element), count),
        };
        if let Some(block) = &mut self.block {
            block.lent.push(Lent {
                buffer,
                count,
                element,
                owner: result,
            });
        }
        buffer
    }

    /// Whether a capacity for one count, known on the host, suffices for another.
    fn is_enough(&self, room: Value, count: Value) -> bool {
        let known = |value| constant_of(self.ir, value).and_then(|attr| attr.as_i64(self.ir.ctx()));
        room == count
            || known(room)
                .zip(known(count))
                .is_some_and(|(room, count)| count <= room)
    }

    /// Whether an array with one count would keep so much memory from later ones that it had better have its own.
    fn is_much(&self, room: Value, count: Value) -> bool {
        let known = [room, count].map(|value| self.ir.constant_int(value));
        let [Some(room), Some(count)] = known else {
            return false;
        };
        count.saturating_mul(MUCH) <= room
    }

    fn is_free(&self, lent: &Lent, user: Op) -> bool {
        let here = self
            .arrays
            .iter()
            .filter(|row| row.1.memory == Memory::Shared(lent.buffer));
        here.map(|row| *row.0)
            .chain([lent.owner])
            .all(|value| is_over(self.ir, value, user))
    }
}

/// Whether a value is made and used for the last time before `user` runs, or an op around it, and made anew where that
/// runs again.
pub(super) fn is_over(ir: &Ir, value: Value, user: Op) -> bool {
    let made = match ir.value_def(value) {
        ValueDef::Result { op, .. } => Some(op),
        ValueDef::Argument { block, .. } => ir.block_parent(block),
    };
    ir.ancestors(user).any(|last| {
        let block = ir.block_of(last);
        let is_before = |op: Op| {
            let at = ir
                .ancestors(op)
                .find(|&around| ir.block_of(around) == block);
            at.is_some_and(|at| at != last && ir.is_before(at, last))
        };
        block.is_some() && made.is_some_and(is_before) && ir.users(value).all(is_before)
    })
}
