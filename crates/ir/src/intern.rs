//! Interning: equal data get equal ids, and data stay at one address while they are read.
//!
//! Readers take no lock (an append-only vector); only interning something takes the table's lock.

use crate::entity::EntityId;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

/// A hash table of positions of data that live elsewhere. It keeps a hash of each, so that neither growing nor passing
/// over others that share a slot has to look at the data: with millions of them that would be a cache miss each.
#[derive(Debug, Default)]
pub(crate) struct Positions {
    table: HashTable<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    hash: u32,
    position: u32,
}

impl Positions {
    /// The hash of a key, as the other functions take it.
    #[inline]
    pub(crate) fn hash<Q: Hash + ?Sized>(key: &Q) -> u32 {
        let hash = FxBuildHasher.hash_one(key);
        (hash ^ hash >> 32) as u32
    }
    #[inline]
    fn spread(hash: u32) -> u64 {
        u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
    /// The position of data with that hash for which `equal` holds.
    #[inline]
    pub(crate) fn find(&self, hash: u32, mut equal: impl FnMut(u32) -> bool) -> Option<u32> {
        let row = self.table.find(Self::spread(hash), |row| row.hash == hash && equal(row.position))?;
        Some(row.position)
    }
    /// Adds a position that was not found.
    #[inline]
    pub(crate) fn insert(&mut self, hash: u32, position: u32) {
        let row = Row { hash, position };
        self.table.insert_unique(Self::spread(hash), row, |row| Self::spread(row.hash));
    }
}

#[derive(Debug)]
pub(crate) struct Interner<K, V> {
    items: boxcar::Vec<V>,
    table: Mutex<Positions>,
    key: PhantomData<fn(K)>,
}

impl<K: EntityId, V: Eq + Hash> Default for Interner<K, V> {
    fn default() -> Self {
        Interner { items: boxcar::Vec::new(), table: Mutex::default(), key: PhantomData }
    }
}

impl<K: EntityId, V: Eq + Hash> Interner<K, V> {
    pub(crate) fn get(&self, id: K) -> &V {
        &self.items[id.index()]
    }

    /// The id of the item equal to `probe`, made by `make` where there is none yet.
    pub(crate) fn intern_with<Q: Hash + ?Sized>(
        &self,
        probe: &Q,
        equal: impl Fn(&V) -> bool,
        make: impl FnOnce() -> V,
    ) -> K {
        let hash = Positions::hash(probe);
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        match table.find(hash, |position| equal(&self.items[position as usize])) {
            Some(position) => K::from_index(position as usize),
            None => self.add(&mut table, hash, make()),
        }
    }

    pub(crate) fn intern(&self, value: V) -> K {
        let hash = Positions::hash(&value);
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        match table.find(hash, |position| self.items[position as usize] == value) {
            Some(position) => K::from_index(position as usize),
            None => self.add(&mut table, hash, value),
        }
    }

    fn add(&self, table: &mut Positions, hash: u32, value: V) -> K {
        let position = self.items.push(value);
        table.insert(hash, u32::try_from(position).expect("fewer than 2^32 interned items"));
        K::from_index(position)
    }
}
