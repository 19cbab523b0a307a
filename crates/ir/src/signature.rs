//! Signatures: all there is to an op without regions and successors but which values it uses and where it stands.
//!
//! Programs have many ops and few signatures, so what depends on the signature alone (whether it is right, how it is
//! written) is remembered. A signature is made of ids of interned data, compared at once. Deliberately absent:
//! ops with regions or successors, whose checks depend on more, and ops with many values, which are rare.

use crate::attrs::Dict;
use crate::context::OpName;
use crate::store::{Ir, Op, OpRow};
use crate::types::Type;

/// Words behind the name: two dictionaries, the numbers of operands and of results, then their types.
const WORDS: usize = 11;
/// Where the types begin.
const TYPES: usize = 3;
/// What the number of operands takes, and that of results.
const NUMBER_BITS: u32 = 4;
const _: () = assert!(WORDS - TYPES < 1 << NUMBER_BITS);

/// The word of both numbers, and of the name of the op around where that counts.
#[inline]
fn counts(operands: usize, results: usize, around: Option<OpName>) -> u32 {
    let around = around.map_or(0, |name| name.raw() << (2 * NUMBER_BITS));
    around | (results as u32) << NUMBER_BITS | operands as u32
}

/// Whether a name's number leaves room for the numbers of values; the first 16 million do.
#[inline]
fn fits(name: OpName) -> bool {
    name.raw() <= u32::MAX >> (2 * NUMBER_BITS)
}

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
        (words[0], words[1], words[2]) = (properties.raw(), attrs.raw(), counts(operands, 0, None));
        Signing { signature: Signature { name, words }, length: TYPES }
    }
    /// Adds the type of a value; there is room for it.
    #[inline]
    pub(crate) fn push(&mut self, ty: Type) {
        self.signature.words[self.length] = ty.raw();
        self.length += 1;
    }
    /// The signature of the values that were added, the operands first.
    #[inline]
    pub(crate) fn done(mut self) -> Signature {
        let operands = self.signature.words[2] as usize;
        self.signature.words[2] = counts(operands, self.length - TYPES - operands, None);
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
    /// What is left of the signature without attributes, regions aside; `None` for ops with successors or many values.
    pub(crate) fn without_attributes(ir: &Ir, op: Op) -> Option<Signature> {
        if !ir.successors(op).is_empty() {
            return None;
        }
        let mut signature = Signature::of_values(ir, op)?;
        // No dictionary has the number 0.
        (signature.words[0], signature.words[1]) = (0, 0);
        Some(signature)
    }
    /// The signature of an op that ends a block, told apart by the op around it; `None` where that has a number that
    /// leaves no room.
    #[inline]
    pub(crate) fn under(mut self, around: OpName) -> Option<Signature> {
        self.words[2] |= counts(0, 0, Some(around));
        fits(around).then_some(self)
    }
    /// Whether it is that of an op with this name, these attributes and so many values, their types aside; `around`
    /// where the op ends a block.
    #[inline]
    pub(crate) fn has_head(&self, row: &OpRow, around: Option<OpName>) -> bool {
        let differs = (self.name.raw() ^ row.name.raw())
            | (self.words[0] ^ row.properties.raw())
            | (self.words[1] ^ row.attrs.raw())
            | (self.words[2] ^ counts(row.num_operands, row.num_results, around));
        differs == 0 && Signature::has_room(row.num_operands + row.num_results) && around.is_none_or(fits)
    }
    /// The types of the values, 0 behind the last.
    #[inline]
    pub(crate) fn types(&self) -> &[u32] {
        &self.words[TYPES..]
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
const _: () = assert!(MOST <= 1 << 16);

impl Default for Trace {
    fn default() -> Self {
        Trace { slots: Box::new([0; TRACE]), length: 0, next: 0 }
    }
}

/// How a signature was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// It was the likely one.
    Spared,
    /// It was not.
    Needed,
}

#[derive(Debug)]
struct Known<T> {
    signature: Signature,
    value: T,
    /// Where in the trace it was found last.
    at: u32,
    /// Whether it was found since it was last about to give way.
    found: bool,
}

/// Length of the trace, a power of two.
const TRACE: usize = 1 << 12;

/// The order in which signatures were found: programs repeat themselves, so the next one is likely what came next
/// last time, and to compare with that takes no search.
#[derive(Debug)]
pub(crate) struct Trace {
    /// Slots, the latest [`TRACE`].
    slots: Box<[u16; TRACE]>,
    /// How many were found, modulo 2^32.
    length: u32,
    /// Where the run that is being repeated goes on.
    next: u32,
}

/// What is remembered of signatures, each in one of two slots. A new one takes the place of one that was not found since
/// the last new one.
#[derive(Debug)]
pub(crate) struct SignatureTable<T> {
    /// Empty until something is remembered.
    slots: Vec<Option<Known<T>>>,
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
        self.find(signature).map(|(_, value)| value)
    }
    /// What is remembered of a signature, and the slot of it.
    #[inline]
    pub(crate) fn find(&self, signature: &Signature) -> Option<(u32, &T)> {
        let slot = signature.hash() & self.slots.len().wrapping_sub(1);
        [slot, slot ^ 1].into_iter().find_map(|slot| match self.slots.get(slot) {
            Some(Some(known)) if known.signature == *signature => Some((slot as u32, &known.value)),
            _ => None,
        })
    }
    /// The signature that is likely next, its slot and what is remembered of it.
    #[inline]
    pub(crate) fn likely(&self, trace: &Trace) -> Option<(u32, &Signature, &T)> {
        let slot = trace.slots[trace.next as usize % TRACE];
        let known = self.slots.get(slot as usize)?.as_ref()?;
        Some((slot.into(), &known.signature, &known.value))
    }
    /// Adds the slot in which a signature was found to the trace.
    #[inline]
    pub(crate) fn follow(&mut self, trace: &mut Trace, slot: u32, search: Search) {
        let Some(Some(known)) = self.slots.get_mut(slot as usize) else { return };
        if search == Search::Needed {
            trace.next = known.at;
        }
        trace.next = trace.next.wrapping_add(1);
        (known.at, known.found) = (trace.length, true);
        trace.slots[trace.length as usize % TRACE] = slot as u16;
        trace.length = trace.length.wrapping_add(1);
    }
    /// Remembers something.
    pub(crate) fn insert(&mut self, signature: Signature, value: T) {
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
        let is_own =
            |slot: usize| self.slots[slot].as_ref().is_some_and(|known| known.signature == signature);
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
            // What is found again and again does not give way to what comes once.
            () => {
                for place in [slot, other] {
                    if let Some(known) = &mut self.slots[place] {
                        known.found = false;
                    }
                }
                return;
            }
        };
        self.slots[place] = Some(Known { signature, value, at: 0, found: false });
    }
}
