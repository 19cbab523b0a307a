//! The findings of the checkers: each place once, with how often, bounded in number.

use crate::exec::observe::{AccessKind, PartOfWarp};
use crate::race::RaceCause;
use crate::types::Space;
use rustc_hash::FxHashMap;

/// Two findings are the same by kind and place. Of the accesses a place races with one is shown.
type Key = (u8, u32);

/// A place in the code that is not known.
pub(crate) const UNKNOWN_PC: u32 = u32::MAX;

/// An access: where in the code, by whom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor {
    pub(crate) access: AccessKind,
    pub(crate) pc: u32,
    pub(crate) block: u64,
    pub(crate) thread: u64,
}

/// The facts found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Register,
    Uninitialised {
        space: Space,
        address: u64,
        bytes: u32,
    },
    Race {
        space: Space,
        address: u64,
        cause: RaceCause,
        other: Option<Actor>,
    },
    Warp(PartOfWarp),
    /// An accumulator is read while a product may still write it.
    Product,
    /// The block ends before a bulk store of it has surely read shared memory.
    Outlived,
}

/// Something found, not yet described.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) at: Actor,
    pub(crate) kind: Kind,
    pub(crate) count: u64,
}

impl Found {
    fn key(&self) -> Key {
        match &self.kind {
            Kind::Register => (0, self.at.pc),
            Kind::Uninitialised { space, .. } => (1 + *space as u8, self.at.pc),
            Kind::Race { space, .. } => (8 + *space as u8, self.at.pc),
            Kind::Warp(PartOfWarp::Exited { .. }) => (16, self.at.pc),
            Kind::Warp(PartOfWarp::NotMember { .. }) => (17, self.at.pc),
            Kind::Warp(PartOfWarp::InactiveLane { .. }) => (18, self.at.pc),
            Kind::Product => (19, self.at.pc),
            Kind::Outlived => (20, self.at.pc),
        }
    }

    /// Of several with the same key the lowest is shown.
    fn rank(&self) -> (u64, u64, u32, u64, u64) {
        let other = match self.kind {
            Kind::Race {
                other: Some(other), ..
            } => (other.pc, other.block, other.thread),
            _ => (UNKNOWN_PC, 0, 0),
        };
        (self.at.block, self.at.thread, other.0, other.1, other.2)
    }
}

/// Findings by key. The one of the lowest block and thread stands for all of its key, whatever host thread found
/// it first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    found: FxHashMap<Key, Found>,
}

impl Findings {
    /// Counts a finding.
    pub(crate) fn add(&mut self, at: Actor, kind: Kind) {
        self.put(Found { at, kind, count: 1 });
    }

    fn put(&mut self, new: Found) {
        self.found
            .entry(new.key())
            .and_modify(|known| {
                let count = known.count + new.count;
                if new.rank() < known.rank() {
                    *known = new;
                }
                known.count = count;
            })
            .or_insert(new);
    }

    pub(crate) fn merge(&mut self, other: Findings) {
        other.found.into_values().for_each(|found| self.put(found));
    }

    /// All of them, by place in the code.
    pub(crate) fn sorted(self) -> Vec<Found> {
        let mut found: Vec<Found> = self.found.into_values().collect();
        found.sort_by_key(|found| (found.at.pc, found.key()));
        found
    }
}
