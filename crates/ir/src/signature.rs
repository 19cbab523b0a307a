//! Signatures: all there is to an op without regions and successors but which values it uses and where it stands.
//!
//! Programs have many ops and few signatures, so what depends on the signature alone (whether it is right, how it is
//! written) is remembered. A signature is made of ids of interned data, compared at once. Deliberately absent:
//! ops with regions or successors, whose checks depend on more, and ops with many values, which are rare.

use crate::attrs::Dict;
use crate::context::OpName;
use crate::store::{Ir, Op};
use crate::types::Type;

/// Words behind the name: two dictionaries, the numbers of operands and of words, then types of operands and results.
const WORDS: usize = 11;
/// Where the types begin.
const TYPES: usize = 3;

/// The signature of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    name: OpName,
    /// 0 behind the last type.
    words: [u32; WORDS],
}

/// A signature in the making.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signing {
    signature: Signature,
    length: usize,
}

impl Signing {
    /// A signature without values yet.
    #[inline]
    pub(crate) fn new(name: OpName, properties: Dict, attrs: Dict, operands: usize) -> Signing {
        let mut words = [0; WORDS];
        (words[0], words[1], words[2]) = (properties.raw(), attrs.raw(), operands as u32);
        Signing { signature: Signature { name, words }, length: TYPES }
    }
    /// Adds the type of a value; there is room for it.
    #[inline]
    pub(crate) fn push(&mut self, ty: Type) {
        self.signature.words[self.length] = ty.raw();
        self.length += 1;
    }
    /// The signature of the values that were added. No type is 0, so their number need not be kept.
    #[inline]
    pub(crate) fn done(self) -> Signature {
        self.signature
    }
}

impl Signature {
    /// Whether there is room for so many values.
    #[inline]
    pub(crate) fn has_room(values: usize) -> bool {
        values <= WORDS - TYPES
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
        let mut signing = Signing::new(row.name, row.properties, row.attrs, row.num_operands);
        for value in ir.operands(op) {
            signing.push(ir.value_type(value));
        }
        for ty in ir.result_types(op) {
            signing.push(ty);
        }
        Some(signing.done())
    }
    /// Sums products with odd factors: none waits for another, and the upper half depends on every bit.
    #[inline]
    fn hash(&self) -> usize {
        const FACTORS: [u64; WORDS / 2] = [
            0x9E37_79B9_7F4A_7C15,
            0xC2B2_AE3D_27D4_EB4F,
            0x1656_67B1_9E37_79F9,
            0x8538_ECB5_BD45_6EA3,
            0xD6E8_FEB8_6659_FD93,
        ];
        let wide = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let part = |index: usize| {
            wide(self.words[2 * index + 1], self.words[2 * index + 2]).wrapping_mul(FACTORS[index])
        };
        let mut sum = wide(self.name.raw(), self.words[0]).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        sum = sum.wrapping_add(part(0)).wrapping_add(part(1)).wrapping_add(part(2));
        sum = sum.wrapping_add(part(3)).wrapping_add(part(4));
        ((sum ^ sum >> 29) >> 32) as usize
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
