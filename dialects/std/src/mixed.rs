//! Lists of numbers that are partly fixed in an attribute and partly operands: bounds of loops, offsets, sizes, strides.

use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, Op, Value};

/// One number of such a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// It stands in the attribute.
    Fixed(i64),
    /// An operand.
    Open(Value),
}

impl Entry {
    /// The number, where it is known.
    pub(crate) fn known(self, ir: &Ir) -> Option<i64> {
        match self {
            Entry::Fixed(value) => Some(value),
            Entry::Open(value) => ir.constant_int(value),
        }
    }
    /// The number, or [`DYNAMIC`].
    pub(crate) fn fixed(self) -> i64 {
        match self {
            Entry::Fixed(value) => value,
            Entry::Open(_) => DYNAMIC,
        }
    }
}

/// The list of the attribute `name`, holes filled from an operand group.
pub(crate) fn entries(ir: &Ir, op: Op, name: &str, group: usize) -> Vec<Entry> {
    let fixed = ir
        .attr_named(op, name)
        .and_then(|attr| attr.as_dense_i64(ir.ctx()))
        .unwrap_or_default();
    let mut open = ir
        .operand_group(op, group)
        .map(|index| Entry::Open(ir.operand(op, index)));
    let fill = |value: i64| {
        if value == DYNAMIC {
            open.next()
        } else {
            Some(Entry::Fixed(value))
        }
    };
    fixed.into_iter().map_while(fill).collect()
}

/// Fixes the numbers that are constants and may be fixed. Whether there were any.
pub(crate) fn fix(ir: &Ir, entries: &mut [Entry], may: impl Fn(i64) -> bool) -> bool {
    let mut found = false;
    for entry in entries {
        if let (Entry::Open(_), Some(value)) = (*entry, entry.known(ir))
            && value != DYNAMIC
            && may(value)
        {
            *entry = Entry::Fixed(value);
            found = true;
        }
    }
    found
}

/// The fixed numbers, with [`DYNAMIC`] for holes.
pub(crate) fn fixed(entries: &[Entry]) -> Vec<i64> {
    entries.iter().map(|entry| entry.fixed()).collect()
}

/// The values for the holes.
pub(crate) fn open(entries: &[Entry]) -> Vec<Value> {
    let value = |entry: &Entry| match entry {
        Entry::Open(value) => Some(*value),
        Entry::Fixed(_) => None,
    };
    entries.iter().filter_map(value).collect()
}
