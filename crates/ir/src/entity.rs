//! Typed `u32` ids and dense maps keyed by them.
//!
//! An id is a newtype over `NonZeroU32` (index + 1), so `Option<Id>` costs no more than the id. Ids are plain
//! names, not references: holding one never borrows the program, and side tables ([`SecondaryMap`]) annotate
//! entities without touching them. Deliberately absent: generations. A stale id is a bug in the holder; the
//! verifier finds ids that point nowhere.

use crate::steps;

pub use crate::intern::{NearBuildHasher, NearHasher, NearMap, NearSet};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An id that stands for an index.
pub trait EntityId: Copy + Eq + std::hash::Hash + 'static {
    /// The id of the `index`-th entity.
    fn from_index(index: usize) -> Self;
    /// The index this id stands for.
    fn index(self) -> usize;
}

/// Declares an id type whose `Debug` form is `prefix` and its index; public unless something else is said.
macro_rules! entity_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        entity_id!($(#[$doc])* pub $name, $prefix);
    };
    ($(#[$doc:meta])* $vis:vis $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $vis struct $name(std::num::NonZeroU32);
        impl $name {
            /// An id no entity has: for models that carry no op of their own.
            #[allow(dead_code, reason = "few ids need one")]
            $vis const PLACEHOLDER: $name = $name(std::num::NonZeroU32::MAX);
            #[allow(dead_code, reason = "not every id is looked at raw")]
            #[doc(hidden)]
            pub const fn raw(self) -> u32 {
                self.0.get()
            }
            #[allow(dead_code, reason = "not every id is stored raw")]
            #[doc(hidden)]
            pub const fn from_raw(raw: u32) -> Option<$name> {
                match std::num::NonZeroU32::new(raw) {
                    Some(id) => Some($name(id)),
                    None => None,
                }
            }
        }
        impl $crate::entity::EntityId for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                let raw = u32::try_from(index + 1).ok().and_then(std::num::NonZeroU32::new);
                $name(raw.expect("fewer than 2^32 entities of one kind"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), $crate::entity::EntityId::index(*self))
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self, f)
            }
        }
    };
}

/// A dense map that owns its entities: the id is the position.
#[derive(Clone, Debug)]
pub struct PrimaryMap<K, V> {
    items: Vec<V>,
    key: PhantomData<fn(K)>,
}

impl<K: EntityId, V> Default for PrimaryMap<K, V> {
    fn default() -> Self {
        PrimaryMap {
            items: Vec::new(),
            key: PhantomData,
        }
    }
}

impl<K: EntityId, V> PrimaryMap<K, V> {
    /// Adds an entity and returns its id.
    #[inline]
    pub fn push(&mut self, value: V) -> K {
        let id = K::from_index(self.items.len());
        self.items.push(value);
        id
    }
    /// Adds entities; the index of the first.
    pub(crate) fn extend(&mut self, values: impl ExactSizeIterator<Item = V>) -> u32 {
        let first = self.items.len();
        self.items.extend(values);
        assert!(
            self.items.len() < u32::MAX as usize,
            "fewer than 2^32 entities of one kind"
        );
        first as u32
    }
    /// Consecutive entities; `first` says nothing where there are none.
    #[inline]
    pub(crate) fn run(&self, first: u32, count: u32) -> &[V] {
        if count == 0 {
            return &[];
        }
        steps::count(count as usize);
        &self.items[first as usize..][..count as usize]
    }
    /// The entity at a position, if there is one.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> Option<&V> {
        self.items.get(index)
    }
    /// Number of slots, erased ones included.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether nothing was ever added.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Whether `id` has a slot here.
    pub fn is_valid(&self, id: K) -> bool {
        id.index() < self.items.len()
    }
    /// All ids, in order of creation.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + use<K, V> {
        (0..self.items.len()).map(K::from_index)
    }
    /// Space for `additional` more entities.
    pub fn reserve(&mut self, additional: usize) {
        self.items.reserve(additional);
    }
    /// All entities, in order of creation.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> {
        self.items.iter()
    }
    /// All entities, in order of creation, taken out.
    pub fn into_values(self) -> impl ExactSizeIterator<Item = V> {
        self.items.into_iter()
    }
    /// Replaces the entity of an id, or adds one where `id` is the next.
    pub(crate) fn set_or_push(&mut self, id: K, value: V) {
        match self.items.get_mut(id.index()) {
            Some(slot) => *slot = value,
            None => {
                debug_assert_eq!(id.index(), self.items.len());
                self.items.push(value);
            }
        }
    }
    /// Bytes held by the map itself.
    pub fn capacity_bytes(&self) -> usize {
        self.items.capacity() * size_of::<V>()
    }
}

impl<K: EntityId, V> Index<K> for PrimaryMap<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, id: K) -> &V {
        steps::count(1);
        &self.items[id.index()]
    }
}
impl<K: EntityId, V> IndexMut<K> for PrimaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, id: K) -> &mut V {
        steps::count(1);
        &mut self.items[id.index()]
    }
}

/// A dense side table: entities it has not seen have the default value.
#[derive(Clone, Debug)]
pub struct SecondaryMap<K, V> {
    items: Vec<V>,
    default: V,
    key: PhantomData<fn(K)>,
}

impl<K: EntityId, V: Clone + Default> Default for SecondaryMap<K, V> {
    fn default() -> Self {
        Self::with_default(V::default())
    }
}

impl<K: EntityId, V: Clone> SecondaryMap<K, V> {
    /// An empty table in which every entity has `default`.
    pub fn with_default(default: V) -> Self {
        SecondaryMap {
            items: Vec::new(),
            default,
            key: PhantomData,
        }
    }
    /// Gives an entity the default value again; never grows the table.
    #[inline]
    pub fn reset(&mut self, id: K) {
        if let Some(value) = self.items.get_mut(id.index()) {
            *value = self.default.clone();
        }
    }
    /// Whether every entity has the default value, as far as is known.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Forgets everything, keeps the memory.
    pub fn clear(&mut self) {
        self.items.clear();
    }
    /// Makes space for so many entities.
    pub fn reserve(&mut self, entities: usize) {
        self.items
            .reserve(entities.saturating_sub(self.items.len()));
    }
}

impl<K: EntityId, V: Clone> Index<K> for SecondaryMap<K, V> {
    type Output = V;
    #[inline]
    fn index(&self, id: K) -> &V {
        self.items.get(id.index()).unwrap_or(&self.default)
    }
}
impl<K: EntityId, V: Clone> IndexMut<K> for SecondaryMap<K, V> {
    #[inline]
    fn index_mut(&mut self, id: K) -> &mut V {
        let index = id.index();
        if index >= self.items.len() {
            self.items.resize(index + 1, self.default.clone());
        }
        &mut self.items[index]
    }
}
