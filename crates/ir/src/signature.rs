//! Signatures: all there is to an op without regions and successors but which values it uses and where it stands.
//!
//! Programs have many ops and few signatures, so what depends on the signature alone (whether it is right, how it is
//! written) is remembered. A signature is made of ids of interned data, compared in no time. Deliberately absent:
//! ops with regions or successors, whose checks depend on more, and ops with many values, which are rare.

use crate::attrs::Dict;
use crate::context::OpName;
use crate::store::{Ir, Op};
use crate::types::Type;

/// Ids a signature has room for: four in front, then types of operands and results.
const WORDS: usize = 12;

/// The signature of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// Name, attributes, number of operands, types; 0 for the rest.
    words: [u32; WORDS],
    length: usize,
}

impl Signature {
    /// A signature without values yet.
    #[inline]
    pub(crate) fn new(name: OpName, properties: Dict, attrs: Dict, operands: usize) -> Signature {
        let mut words = [0; WORDS];
        (words[0], words[1], words[2]) = (name.raw(), properties.raw(), attrs.raw());
        words[3] = operands as u32;
        Signature { words, length: 4 }
    }
    /// Whether there is room for so many values.
    #[inline]
    pub(crate) fn has_room(values: usize) -> bool {
        values <= WORDS - 4
    }
    /// Adds the type of a value; there is room for it.
    #[inline]
    pub(crate) fn push(&mut self, ty: Type) {
        self.words[self.length] = ty.raw();
        self.length += 1;
    }
    /// The signature of an op, if it is one that has one.
    #[inline]
    pub(crate) fn of(ir: &Ir, op: Op) -> Option<Signature> {
        if ir.row(op).is_plain { Signature::of_values(ir, op) } else { None }
    }
    /// The signature of an op with regions but without successors: equal for ops that differ in their regions only.
    pub(crate) fn around_regions(ir: &Ir, op: Op) -> Option<Signature> {
        if ir.regions(op).is_empty() || !ir.successors(op).is_empty() {
            return None;
        }
        Signature::of_values(ir, op)
    }
    #[inline]
    fn of_values(ir: &Ir, op: Op) -> Option<Signature> {
        let row = ir.row(op);
        if !Signature::has_room(row.num_operands + row.num_results) {
            return None;
        }
        let mut signature = Signature::new(row.name, row.properties, row.attrs, row.num_operands);
        for value in ir.operands(op) {
            signature.push(ir.value_type(value));
        }
        for value in ir.results(op) {
            signature.push(ir.value_type(value));
        }
        Some(signature)
    }
    #[inline]
    fn hash(&self) -> usize {
        const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
        let mixed = self.words[..self.length]
            .iter()
            .fold(0u64, |hash, &word| (hash.rotate_left(23) ^ u64::from(word)).wrapping_mul(FACTOR));
        (mixed >> 32) as usize
    }
}

/// Numbers of slots, powers of two: a table begins small, since many are for a few ops, and ends at a fixed size.
const FEWEST: usize = 16;
const MOST: usize = 2048;

/// What is remembered of signatures. A new one takes the place of the one in its slot.
#[derive(Debug)]
pub(crate) struct SignatureTable<T> {
    /// Empty until something is remembered.
    slots: Vec<Option<(Signature, T)>>,
    /// How often something was remembered.
    inserted: usize,
}

impl<T> Default for SignatureTable<T> {
    fn default() -> Self {
        SignatureTable { slots: Vec::new(), inserted: 0 }
    }
}

impl<T> SignatureTable<T> {
    /// What is remembered of a signature.
    #[inline]
    pub(crate) fn get(&self, signature: &Signature) -> Option<&T> {
        match self.slots.get(signature.hash() & self.slots.len().wrapping_sub(1)) {
            Some(Some((known, value))) if known == signature => Some(value),
            _ => None,
        }
    }
    /// Remembers something.
    pub(crate) fn insert(&mut self, signature: Signature, value: T) {
        if self.inserted >= self.slots.len() && self.slots.len() < MOST {
            let size = (4 * self.slots.len()).clamp(FEWEST, MOST);
            let old = std::mem::take(&mut self.slots);
            self.slots.resize_with(size, || None);
            for (signature, value) in old.into_iter().flatten() {
                self.put(signature, value);
            }
        }
        self.inserted += 1;
        self.put(signature, value);
    }
    fn put(&mut self, signature: Signature, value: T) {
        let slot = signature.hash() & (self.slots.len() - 1);
        self.slots[slot] = Some((signature, value));
    }
}
