//! Signatures: all there is to an op without regions and successors but which values it uses and where it stands.
//!
//! Programs have many ops and few signatures, so what depends on the signature alone (whether it is right, how it is
//! written) is remembered. A signature is made of ids of interned data, compared at once. A signature that the reader meets again
//! and again gets a number ([`SignatureId`]), which an op keeps until something of its signature changes: then nothing
//! has to be compared. Deliberately absent: ops with successors, whose checks depend on more, and ops with many values,
//! which are rare.

use crate::attrs::Dict;
use crate::context::OpName;
use crate::store::{Ir, Op};
use crate::types::Type;

entity_id!(
    /// The number of a signature in its context.
    pub SignatureId, "signature"
);

/// Words behind the name: two dictionaries, the numbers of operands and of results, then their types.
const WORDS: usize = 11;
/// Where the types begin.
const TYPES: usize = 3;
/// The bits for the number of operands, and for that of results.
const NUMBER_BITS: u32 = 4;
const _: () = assert!(WORDS - TYPES < 1 << NUMBER_BITS);

/// The word of both numbers, and of the name of the op around where that counts.
#[inline]
fn counts(operands: usize, results: usize, around: Option<OpName>) -> u32 {
    let around = around.map_or(0, |name| name.raw() << (2 * NUMBER_BITS));
    around | (results as u32) << NUMBER_BITS | operands as u32
}

/// Whether a name's number leaves space for the numbers of values; the first 16 million do.
#[inline]
fn fits(name: OpName) -> bool {
    name.raw() <= u32::MAX >> (2 * NUMBER_BITS)
}

/// The signature of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signature {
    name: OpName,
    /// 0 behind the last type.
    words: [u32; WORDS],
}

/// A signature in the making.
#[derive(Clone, Copy, Debug)]
pub struct Signing {
    signature: Signature,
    length: usize,
}

impl Signing {
    /// A signature without values yet.
    #[inline]
    pub fn new(name: OpName, properties: Dict, attrs: Dict, operands: usize) -> Signing {
        let mut words = [0; WORDS];
        (words[0], words[1], words[2]) = (properties.raw(), attrs.raw(), counts(operands, 0, None));
        Signing {
            signature: Signature { name, words },
            length: TYPES,
        }
    }
    /// Adds the type of a value; there is space for it.
    #[inline]
    pub fn push(&mut self, ty: Type) {
        self.signature.words[self.length] = ty.raw();
        self.length += 1;
    }
    /// The signature of the values that were added, the operands first.
    #[inline]
    pub fn done(mut self) -> Signature {
        let operands = self.signature.words[2] as usize;
        self.signature.words[2] = counts(operands, self.length - TYPES - operands, None);
        self.signature
    }
}

impl Signature {
    /// Whether there is space for so many values.
    #[inline]
    pub fn has_room(values: usize) -> bool {
        values <= WORDS - TYPES
    }
    /// The signature of an op of that name; `None` where it has too many values.
    pub fn from_parts(
        name: OpName,
        (properties, attrs): (Dict, Dict),
        inputs: &[Type],
        results: &[Type],
    ) -> Option<Signature> {
        if !Signature::has_room(inputs.len() + results.len()) {
            return None;
        }
        let mut signing = Signing::new(name, properties, attrs, inputs.len());
        for &ty in inputs.iter().chain(results) {
            signing.push(ty);
        }
        Some(signing.done())
    }
    /// The signature of an op, regions and successors aside; `None` where it has too many values.
    #[inline]
    pub fn of(ir: &Ir, op: Op) -> Option<Signature> {
        let row = ir.row(op);
        if !Signature::has_room(row.num_values()) {
            return None;
        }
        let mut signing = Signing::new(
            row.name,
            row.properties,
            row.attrs,
            row.num_operands as usize,
        );
        for value in ir.row_operands(row) {
            signing.push(ir.value_type(value));
        }
        for ty in ir.row_result_types(row) {
            signing.push(ty);
        }
        Some(signing.done())
    }
    /// The signature without its attributes.
    pub fn without_attributes(mut self) -> Signature {
        // No dictionary has the number 0.
        (self.words[0], self.words[1]) = (0, 0);
        self
    }
    /// The signature of an op that ends a block, told apart by the op around it; `None` where that has a number that
    /// leaves no space.
    #[inline]
    pub fn under(mut self, around: OpName) -> Option<Signature> {
        self.words[2] |= counts(0, 0, Some(around));
        fits(around).then_some(self)
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
        sum = sum
            .wrapping_add(part(0))
            .wrapping_add(part(1))
            .wrapping_add(part(2));
        sum = sum.wrapping_add(part(3)).wrapping_add(part(4));
        ((sum ^ sum >> 29) >> 32) as usize
    }
}

/// Numbers of slots, powers of two: a table begins small, since many are for a few ops, and ends at a fixed size.
const FEWEST: usize = 16;
const MOST: usize = 2048;

#[derive(Debug)]
struct Known<T> {
    signature: Signature,
    value: T,
    /// Whether it was found since it was last about to give way.
    found: bool,
}

/// A cache of signatures, each in one of two slots. A new one takes the place of one that was not found since
/// the last new one.
#[derive(Debug)]
pub struct SignatureTable<T> {
    /// Empty until something is remembered.
    slots: Vec<Option<Known<T>>>,
    /// How often something was remembered.
    inserted: usize,
}

impl<T> Default for SignatureTable<T> {
    fn default() -> Self {
        SignatureTable {
            slots: Vec::new(),
            inserted: 0,
        }
    }
}

impl<T> SignatureTable<T> {
    /// The cached data of a signature.
    #[inline]
    pub fn get(&mut self, signature: &Signature) -> Option<&T> {
        let slot = signature.hash() & self.slots.len().wrapping_sub(1);
        let is_it = |known: &Option<Known<T>>| {
            known
                .as_ref()
                .is_some_and(|known| known.signature == *signature)
        };
        let place = [slot, slot ^ 1]
            .into_iter()
            .find(|&slot| self.slots.get(slot).is_some_and(is_it))?;
        let known = self.slots[place].as_mut()?;
        known.found = true;
        Some(&known.value)
    }
    /// Remembers something.
    pub fn insert(&mut self, signature: Signature, value: T) {
        if self.inserted >= self.slots.len() && self.slots.len() < MOST {
            let size = (4 * self.slots.len()).clamp(FEWEST, MOST);
            let old = std::mem::take(&mut self.slots);
            self.slots.resize_with(size, || None);
            for known in old.into_iter().flatten() {
                self.put(known.signature, known.value);
            }
        }
        self.inserted += 1;
        self.put(signature, value);
    }
    fn put(&mut self, signature: Signature, value: T) {
        let slot = signature.hash() & (self.slots.len() - 1);
        let other = slot ^ 1;
        let is_own = |slot: usize| {
            self.slots[slot]
                .as_ref()
                .is_some_and(|known| known.signature == signature)
        };
        let is_idle = |slot: usize| self.slots[slot].as_ref().is_none_or(|known| !known.found);
        let place = match () {
            () if is_own(slot) => slot,
            () if is_own(other) => other,
            // The later of two that were not found yet stays.
            () if is_idle(slot) && is_idle(other) => {
                self.slots.swap(slot, other);
                slot
            }
            () if is_idle(slot) => slot,
            () if is_idle(other) => other,
            // Entries found repeatedly are not evicted by entries that come once.
            () => {
                for place in [slot, other] {
                    if let Some(known) = &mut self.slots[place] {
                        known.found = false;
                    }
                }
                return;
            }
        };
        self.slots[place] = Some(Known {
            signature,
            value,
            found: false,
        });
    }
}
