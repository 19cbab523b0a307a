//! Interning: equal data get equal ids, and data stay at one address while they are read.
//!
//! Readers take no lock (an append-only vector); only interning something takes the table's lock.

use crate::entity::EntityId;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

/// Lowest bits of a hash that tell neighbours apart.
const NEAR: u64 = 7;

/// A hasher that keeps neighbours together: keys that differ in the lowest bits of what was written last (`%a16` and
/// `%a17`, dictionaries of attributes made one after the other) get hashes that differ in the lowest bits. Names and ids
/// mostly come in order, so a table of a million of them is gone through as a list is, not a cache miss an entry.
#[derive(Clone, Default)]
pub struct NearHasher {
    before: FxHasher,
    /// The item written last: an id, a number, the last byte of a text. Lengths and variants do not count.
    last: u64,
}

impl NearHasher {
    #[inline]
    fn put(&mut self, value: u64) {
        self.before.write_u64(self.last);
        self.last = value;
    }
    /// The hash in 32 bits, the lowest those that tell neighbours apart.
    #[inline]
    fn near(&self) -> u32 {
        let mut all = self.before.clone();
        all.write_u64(self.last & !NEAR);
        let hash = all.finish();
        ((hash ^ hash >> 32) & !NEAR | self.last & NEAR) as u32
    }
}

impl Hasher for NearHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        if let Some((&last, before)) = bytes.split_last() {
            self.before.write(before);
            self.put(last.into());
        }
    }
    #[inline]
    fn write_u8(&mut self, value: u8) {
        self.before.write_u8(value);
    }
    #[inline]
    fn write_u32(&mut self, value: u32) {
        self.put(value.into());
    }
    #[inline]
    fn write_u64(&mut self, value: u64) {
        self.put(value);
    }
    #[inline]
    fn write_i64(&mut self, value: i64) {
        self.put(value as u64);
    }
    #[inline]
    fn write_u128(&mut self, value: u128) {
        self.before.write_u64((value >> 64) as u64);
        self.put(value as u64);
    }
    #[inline]
    fn write_i128(&mut self, value: i128) {
        self.write_u128(value as u128);
    }
    #[inline]
    fn write_usize(&mut self, value: usize) {
        self.before.write_usize(value);
    }
    #[inline]
    fn write_isize(&mut self, value: isize) {
        self.before.write_isize(value);
    }
    #[inline]
    fn finish(&self) -> u64 {
        spread(self.near().into())
    }
}

/// A hash for a table: neighbours follow each other, their tags (the seven highest bits) differ.
#[inline]
fn spread(hash: u64) -> u64 {
    let family = (hash & 0xFFFF_FFFF & !NEAR).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (family ^ (hash & NEAR) << 61) & !0 << 57 | family >> 33 << 3 & !(!0 << 57) | hash & NEAR
}

/// Builds [`NearHasher`]s.
pub type NearBuildHasher = std::hash::BuildHasherDefault<NearHasher>;
/// A hash map by ids, which mostly come in order.
pub type NearMap<K, V> = std::collections::HashMap<K, V, NearBuildHasher>;
/// A hash set of ids, likewise.
pub type NearSet<K> = std::collections::HashSet<K, NearBuildHasher>;

/// A hash table of positions of data that live elsewhere. It keeps a hash of each, so that neither growing nor passing
/// over others that share a slot has to look at the data: with millions of them that would be a cache miss each.
#[derive(Debug, Default)]
pub struct Positions {
    table: HashTable<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    hash: u32,
    position: u32,
}

impl Positions {
    /// The hash of a key, as the other functions take it; see [`NearHasher`].
    #[inline]
    pub fn hash<Q: Hash + ?Sized>(key: &Q) -> u32 {
        let mut hasher = NearHasher::default();
        key.hash(&mut hasher);
        hasher.near()
    }
    /// The position of data with that hash for which `equal` holds.
    #[inline]
    pub fn find(&self, hash: u32, mut equal: impl FnMut(u32) -> bool) -> Option<u32> {
        let row = self.table.find(spread(hash.into()), |row| {
            crate::steps::count(1);
            row.hash == hash && equal(row.position)
        })?;
        Some(row.position)
    }
    /// Adds a position that was not found.
    #[inline]
    pub fn insert(&mut self, hash: u32, position: u32) {
        let row = Row { hash, position };
        self.table
            .insert_unique(spread(hash.into()), row, |row| spread(row.hash.into()));
    }
}

/// In cache lines of its own: who only reads items does not wait for who interns.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Table(Mutex<Positions>);

#[derive(Debug)]
pub(crate) struct Interner<K, V> {
    items: boxcar::Vec<V>,
    table: Table,
    key: PhantomData<fn(K)>,
}

impl<K: EntityId, V: Eq + Hash> Default for Interner<K, V> {
    fn default() -> Self {
        Interner {
            items: boxcar::Vec::new(),
            table: Table::default(),
            key: PhantomData,
        }
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
        let mut table = self.table.0.lock().unwrap_or_else(PoisonError::into_inner);
        match table.find(hash, |position| equal(&self.items[position as usize])) {
            Some(position) => K::from_index(position as usize),
            None => self.add(&mut table, hash, make()),
        }
    }

    pub(crate) fn intern(&self, value: V) -> K {
        let hash = Positions::hash(&value);
        let mut table = self.table.0.lock().unwrap_or_else(PoisonError::into_inner);
        match table.find(hash, |position| self.items[position as usize] == value) {
            Some(position) => K::from_index(position as usize),
            None => self.add(&mut table, hash, value),
        }
    }

    fn add(&self, table: &mut Positions, hash: u32, value: V) -> K {
        let position = self.items.push(value);
        table.insert(
            hash,
            u32::try_from(position).expect("fewer than 2^32 interned items"),
        );
        K::from_index(position)
    }
}

#[cfg(test)]
mod tests {
    use super::{NearSet, Positions, spread};

    #[test]
    fn hashes_of_neighbours_differ_in_the_lowest_bits_only() {
        for (first, second) in [("a16", "a17"), ("%arg100", "%arg103")] {
            let (first, second) = (Positions::hash(first), Positions::hash(second));
            assert_eq!(first >> 3, second >> 3);
            assert_ne!(first, second);
        }
        let entries = |attr: u32| Positions::hash(&[(5u32, 64u32), (9u32, attr)][..]);
        assert_eq!(entries(16) >> 3, entries(23) >> 3);
        assert_ne!(entries(16) >> 3, entries(24) >> 3);
        assert_ne!(Positions::hash("a16") >> 3, Positions::hash("b16") >> 3);
    }

    #[test]
    fn neighbours_lie_side_by_side_with_tags_of_their_own() {
        let hashes: Vec<u64> = (40..48).map(spread).collect();
        assert!(
            hashes
                .windows(2)
                .all(|pair| pair[0] & 0xFF_FFFF == (pair[1] & 0xFF_FFFF) - 1)
        );
        let mut tags: Vec<u64> = hashes.iter().map(|hash| hash >> 57).collect();
        tags.sort_unstable();
        tags.dedup();
        assert_eq!(tags.len(), 8);
    }

    #[test]
    fn a_table_of_names_in_order_is_spread_evenly() {
        // How often each group of 16 slots of a table is the first that is looked at.
        let mut groups = vec![0u32; 1 << 12];
        for number in 0..40_000 {
            let hash = spread(Positions::hash(&format!("v{number}")[..]).into());
            groups[(hash >> 4) as usize % (1 << 12)] += 1;
        }
        assert!(
            groups.iter().all(|&count| count <= 80),
            "at most {:?}",
            groups.iter().max()
        );
    }

    #[test]
    fn maps_by_ids_find_what_was_put_in() {
        let set: NearSet<u32> = (0..10_000).filter(|number| number % 3 != 0).collect();
        assert!((0..10_000).all(|number| set.contains(&number) == (number % 3 != 0)));
    }
}
