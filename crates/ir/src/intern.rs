//! Interning: equal data get equal ids, and data stay at one address while they are read.
//!
//! Readers take no lock (an append-only vector); only interning something takes the table's lock.

use crate::entity::EntityId;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub(crate) struct Interner<K, V> {
    items: boxcar::Vec<V>,
    table: Mutex<HashTable<u32>>,
    key: PhantomData<fn(K)>,
}

impl<K: EntityId, V: Eq + Hash> Default for Interner<K, V> {
    fn default() -> Self {
        Interner { items: boxcar::Vec::new(), table: Mutex::new(HashTable::new()), key: PhantomData }
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
        let hash = FxBuildHasher.hash_one(probe);
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&index) = table.find(hash, |&index| equal(&self.items[index as usize])) {
            return K::from_index(index as usize);
        }
        let index = self.items.push(make());
        let rehash = |&index: &u32| FxBuildHasher.hash_one(&self.items[index as usize]);
        table.insert_unique(hash, u32::try_from(index).expect("fewer than 2^32 interned items"), rehash);
        K::from_index(index)
    }

    pub(crate) fn intern(&self, value: V) -> K
    where
        V: Clone,
    {
        self.intern_with(&value, |item| *item == value, || value.clone())
    }

    /// Appends without looking for an equal item: for data that hardly ever repeat.
    pub(crate) fn push(&self, value: V) -> K {
        K::from_index(self.items.push(value))
    }
}
