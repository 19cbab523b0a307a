//! Memory slots: allocations whose content can become a value, and the accesses that allow it.

use crate::build::Builder;
use crate::store::{Ir, Op, Value};
use crate::types::Type;

/// Memory that holds one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemorySlot {
    /// The memory.
    pub memory: Value,
    /// Type of what it holds.
    pub element: Type,
}

/// An op whose only result is another view of the memory of an operand.
pub trait ViewLike: Sync {
    /// The memory it is a view of.
    fn source(&self, ir: &Ir, op: Op) -> Value;
}

/// An op that allocates memory that may become a value.
pub trait PromotableAllocation: Sync {
    /// The slots it allocates.
    fn slots(&self, ir: &Ir, op: Op) -> Vec<MemorySlot>;
    /// Builds what the slot holds before anything was stored; `None`: it cannot be built.
    fn initial_value(&self, b: &mut Builder<'_>, op: Op, slot: MemorySlot) -> Option<Value>;
}

/// Every access of an op to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotAccess {
    /// Its only result is what the slot holds.
    Load,
    /// The slot holds this value afterwards; the op has no result.
    Store(Value),
}

/// An op that reads or writes whole slots.
pub trait PromotableAccess: Sync {
    /// Its access to `slot`, which it uses; `None`: something that needs the memory itself.
    fn access(&self, ir: &Ir, op: Op, slot: MemorySlot) -> Option<SlotAccess>;
}
