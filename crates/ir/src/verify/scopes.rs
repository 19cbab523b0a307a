//! Which values the op being walked sees, told by one number per value.
//!
//! Every visit of a block is a scope with a number of its own, and a value gets the number of the scope it is defined
//! in when the walk passes its definition. So a value whose scope is still open was defined before in the same block
//! or in one around it, and needs no look at its definition. An order that cannot be told so (other blocks of a region, graphs,
//! what lies around the place where the walk began) is left to [`super::structure`].
//!
//! Numbers rise from one walk to the next, so what earlier walks left need not be cleared.

use crate::entity::EntityId;
use crate::store::{Ir, Value};

/// The number of no scope: those of values that the walk has not come to are smaller than any, this one is larger.
const NONE: u32 = u32::MAX;

/// The scopes of a walk.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// By value: the scope it is defined in; smaller than `first` where the walk has not come to it.
    of: Vec<u32>,
    /// Number of the walk's first scope.
    first: u32,
    /// By scope from `first` on: whether it is open.
    open: Vec<bool>,
    /// The first scope inside the isolated op around: those before it are out of sight.
    floor: u32,
    /// The scope of the block being walked; [`NONE`] where there is none.
    current: u32,
}

impl Scopes {
    /// Begins a walk: nothing is seen.
    pub(super) fn begin(&mut self, ir: &Ir) {
        self.first = self.first.saturating_add(self.open.len() as u32).max(1);
        if self.first > u32::MAX / 2 {
            self.of.clear();
            self.first = 1;
        }
        self.open.clear();
        self.current = NONE;
        self.floor = self.first;
        if self.of.len() < ir.value_capacity() {
            self.of.resize(ir.value_capacity(), 0);
        }
    }
    /// Opens a scope and gives its number.
    pub(super) fn open(&mut self) -> u32 {
        self.current = self.first + self.open.len() as u32;
        self.open.push(true);
        self.current
    }
    /// Goes back to an open scope, or to none.
    pub(super) fn resume(&mut self, scope: Option<u32>) {
        self.current = scope.unwrap_or(NONE);
    }
    /// Closes a scope.
    pub(super) fn close(&mut self, scope: u32) {
        let index = scope.wrapping_sub(self.first);
        if let Some(slot) = self.open.get_mut(index as usize) {
            *slot = false;
        }
    }
    /// The first scope that is seen.
    pub(super) fn floor(&self) -> u32 {
        self.floor
    }
    /// Hides the scopes before one.
    pub(super) fn set_floor(&mut self, scope: u32) {
        self.floor = scope;
    }
    /// The state while the walk stays in one block, each in a place of its own.
    #[inline]
    pub(super) fn of_block(&mut self) -> BlockScopes<'_> {
        let Scopes {
            of,
            first,
            open,
            floor,
            current,
        } = self;
        BlockScopes {
            of,
            open,
            first: *first,
            floor: *floor,
            current: *current,
        }
    }
    /// The value is defined in the current scope.
    #[inline]
    pub(super) fn define(&mut self, value: Value) {
        if let Some(slot) = self.of.get_mut(value.index()) {
            *slot = self.current;
        }
    }
    /// Whether the value is certainly seen.
    #[inline]
    pub(super) fn sees(&mut self, value: Value) -> bool {
        self.of_block().sees(value)
    }
}

/// [`Scopes`] while the walk stays in one block.
#[derive(Debug)]
pub(super) struct BlockScopes<'a> {
    of: &'a mut [u32],
    open: &'a [bool],
    first: u32,
    floor: u32,
    current: u32,
}

impl BlockScopes<'_> {
    /// So many values from the `first` on are defined in the current scope.
    #[inline]
    pub(super) fn define_run(&mut self, first: u32, count: u32) {
        let (first, count) = (first as usize, count as usize);
        if count == 1
            && let Some(slot) = self.of.get_mut(first)
        {
            *slot = self.current;
        } else if count > 0
            && let Some(slots) = self.of.get_mut(first..first + count)
        {
            slots.fill(self.current);
        }
    }
    /// Whether the value is certainly seen.
    #[inline]
    pub(super) fn sees(&self, value: Value) -> bool {
        let Some(&scope) = self.of.get(value.index()) else {
            return false;
        };
        if scope == self.current {
            return true;
        }
        let index = scope.wrapping_sub(self.first);
        scope >= self.floor && self.open.get(index as usize).copied().unwrap_or(false)
    }
}
