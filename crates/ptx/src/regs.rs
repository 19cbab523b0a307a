//! The register file of a warp: one array of 32 lanes for each register.

/// Lanes of a warp.
pub(crate) const LANES: usize = 32;

/// All lanes.
pub(crate) const FULL: u32 = u32::MAX;

/// The registers of one warp, by bank.
#[derive(Clone, Default)]
pub(crate) struct Regs {
    pub(crate) predicates: Vec<u32>,
    pub(crate) words: Vec<[u32; LANES]>,
    pub(crate) doubles: Vec<[u64; LANES]>,
}

/// A register slot with its bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    Word(u32),
    Double(u32),
}

/// Lanes of a mask, in order.
#[inline(always)]
pub(crate) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    core::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let lane = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        Some(lane)
    })
}

/// Writes the lanes of the mask of a predicate.
#[inline(always)]
pub(crate) fn set_predicate(regs: &mut Regs, slot: u32, mask: u32, bits: u32) {
    let old = &mut regs.predicates[slot as usize];
    *old = *old & !mask | bits & mask;
}

#[inline]
pub(crate) fn read_slot(regs: &Regs, slot: Slot, lane: usize) -> u64 {
    match slot {
        Slot::Word(slot) => u64::from(regs.words[slot as usize][lane]),
        Slot::Double(slot) => regs.doubles[slot as usize][lane],
    }
}

#[inline]
pub(crate) fn write_slot(regs: &mut Regs, slot: Slot, lane: usize, value: u64) {
    match slot {
        Slot::Word(slot) => regs.words[slot as usize][lane] = value as u32,
        Slot::Double(slot) => regs.doubles[slot as usize][lane] = value,
    }
}
