//! Operations a warp's lanes do together (PTX ISA: `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`,
//! `elect.sync`).
//!
//! By the time one of these runs, every live lane of its member mask is in `mask`. Lanes may come from several
//! instructions ([`execute_at_sites`]): their operands are then brought together in scratch registers, which lie behind
//! those of the kernel.

use super::observe::PartOfWarp;
use super::view::{LaneResult, View};
use super::{matrix, mma, wgmma, wmma};
use crate::isa::{AtomicOp, ShuffleMode, WarpOp};
use crate::regs::{FULL, Regs, Slot, lanes, read_slot, set_predicate, write_slot};
use core::mem::{Discriminant, discriminant};
use smallvec::{SmallVec, smallvec};

/// Scratch registers of each kind, the last of a warp's.
pub(crate) const SCRATCH_WORDS: usize = 4;
pub(crate) const SCRATCH_DOUBLES: usize = 1;
pub(crate) const SCRATCH_PREDICATES: usize = 2;

/// Whether lanes at two instructions take part in one operation: it is the same, with the same qualifiers.
pub(crate) fn meet(one: &WarpOp, other: &WarpOp) -> bool {
    qualifiers(one).is_some_and(|mine| qualifiers(other) == Some(mine))
}

/// The key that must be equal for lanes to meet; `None` where it must be the very instruction.
fn qualifiers(op: &WarpOp) -> Option<(Discriminant<WarpOp>, u32)> {
    let wide = |slot: Slot| u32::from(matches!(slot, Slot::Double(_)));
    let detail = match *op {
        WarpOp::Shuffle { mode, .. } => mode as u32,
        WarpOp::MatchAny { source, .. } | WarpOp::MatchAll { source, .. } => wide(source),
        WarpOp::Reduce { op, signed, .. } => 2 * op as u32 + u32::from(signed),
        WarpOp::VoteAll { .. } | WarpOp::VoteAny { .. } | WarpOp::VoteUniform { .. } => 0,
        WarpOp::Ballot { .. } | WarpOp::Elect { .. } | WarpOp::Barrier => 0,
        WarpOp::Mma(_) | WarpOp::Wmma(_) | WarpOp::Wgmma(_) => return None,
        WarpOp::LoadFragment(_) | WarpOp::StoreFragment(_) | WarpOp::LoadMatrix(_) => return None,
        WarpOp::StoreMatrix(_) | WarpOp::TransposeMatrix { .. } => return None,
    };
    Some((discriminant(op), detail))
}

/// An operand of an operation that lanes may meet in.
#[derive(Clone, Copy)]
enum Operand {
    Value(Slot),
    /// A predicate, and whether it is negated.
    Predicate(u32, bool),
}

fn word(slot: u32) -> Operand {
    Operand::Value(Slot::Word(slot))
}

/// Operands that an operation reads, and those it writes.
fn operands(op: &WarpOp) -> (SmallVec<[Operand; 3]>, SmallVec<[Operand; 2]>) {
    let predicate = |slot| Operand::Predicate(slot, false);
    match *op {
        WarpOp::Shuffle {
            dest,
            valid,
            source,
            lane,
            clamp,
            ..
        } => (
            smallvec![word(source), word(lane), word(clamp)],
            smallvec![word(dest), predicate(valid)],
        ),
        WarpOp::VoteAll {
            dest,
            source,
            negated,
        }
        | WarpOp::VoteAny {
            dest,
            source,
            negated,
        }
        | WarpOp::VoteUniform {
            dest,
            source,
            negated,
        } => (
            smallvec![Operand::Predicate(source, negated)],
            smallvec![predicate(dest)],
        ),
        WarpOp::Ballot {
            dest,
            source,
            negated,
        } => (
            smallvec![Operand::Predicate(source, negated)],
            smallvec![word(dest)],
        ),
        WarpOp::MatchAny { dest, source } => {
            (smallvec![Operand::Value(source)], smallvec![word(dest)])
        }
        WarpOp::MatchAll {
            dest,
            valid,
            source,
        } => (
            smallvec![Operand::Value(source)],
            smallvec![word(dest), predicate(valid)],
        ),
        WarpOp::Reduce { dest, source, .. } => (smallvec![word(source)], smallvec![word(dest)]),
        WarpOp::Elect { dest, valid } => (smallvec![], smallvec![word(dest), predicate(valid)]),
        WarpOp::Barrier | WarpOp::Mma(_) | WarpOp::Wmma(_) | WarpOp::Wgmma(_) => Default::default(),
        WarpOp::LoadFragment(_) | WarpOp::StoreFragment(_) | WarpOp::LoadMatrix(_) => {
            Default::default()
        }
        WarpOp::StoreMatrix(_) | WarpOp::TransposeMatrix { .. } => Default::default(),
    }
}

/// The same operation on scratch registers.
fn on_scratch(op: &WarpOp, regs: &Regs) -> WarpOp {
    let [dest, source, lane, clamp] = [4, 3, 2, 1].map(|back| (regs.words.len() - back) as u32);
    let [holds, vote] = [2, 1].map(|back| (regs.predicates.len() - back) as u32);
    let of = |given: Slot| match given {
        Slot::Word(_) => Slot::Word(source),
        Slot::Double(_) => Slot::Double((regs.doubles.len() - 1) as u32),
    };
    match *op {
        WarpOp::Shuffle { mode, .. } => WarpOp::Shuffle {
            mode,
            dest,
            valid: holds,
            source,
            lane,
            clamp,
        },
        WarpOp::VoteAll { .. } => WarpOp::VoteAll {
            dest: holds,
            source: vote,
            negated: false,
        },
        WarpOp::VoteAny { .. } => WarpOp::VoteAny {
            dest: holds,
            source: vote,
            negated: false,
        },
        WarpOp::VoteUniform { .. } => WarpOp::VoteUniform {
            dest: holds,
            source: vote,
            negated: false,
        },
        WarpOp::Ballot { .. } => WarpOp::Ballot {
            dest,
            source: vote,
            negated: false,
        },
        WarpOp::MatchAny { source, .. } => WarpOp::MatchAny {
            dest,
            source: of(source),
        },
        WarpOp::MatchAll { source, .. } => WarpOp::MatchAll {
            dest,
            valid: holds,
            source: of(source),
        },
        WarpOp::Reduce { op, signed, .. } => WarpOp::Reduce {
            op,
            signed,
            dest,
            source,
        },
        WarpOp::Elect { .. } => WarpOp::Elect { dest, valid: holds },
        ref other => other.clone(),
    }
}

/// Copies an operand of the lanes in `mask`.
fn transfer(regs: &mut Regs, from: Operand, to: Operand, mask: u32) {
    match (from, to) {
        (Operand::Value(from), Operand::Value(to)) => {
            for lane in lanes(mask) {
                let value = read_slot(regs, from, lane);
                write_slot(regs, to, lane, value);
            }
        }
        (Operand::Predicate(from, negated), Operand::Predicate(to, _)) => {
            let bits = regs.predicates[from as usize];
            set_predicate(regs, to, mask, if negated { !bits } else { bits });
        }
        _ => {}
    }
}

/// Executes an operation whose lanes come from several instructions.
pub(crate) fn execute_at_sites(
    view: &mut View<'_>,
    regs: &mut Regs,
    sites: &[(&WarpOp, u32)],
) -> LaneResult<()> {
    let Some(&(first, _)) = sites.first() else {
        return Ok(());
    };
    let joint = on_scratch(first, regs);
    let (inputs, outputs) = operands(&joint);
    for &(op, mask) in sites {
        operands(op)
            .0
            .into_iter()
            .zip(&inputs)
            .for_each(|(from, &to)| transfer(regs, from, to, mask));
    }
    execute(
        view,
        regs,
        &joint,
        sites.iter().fold(0, |all, &(_, mask)| all | mask),
    )?;
    for &(op, mask) in sites {
        outputs
            .iter()
            .zip(operands(op).1)
            .for_each(|(&from, to)| transfer(regs, from, to, mask));
    }
    Ok(())
}

/// Executes `op` for the lanes in `mask`.
pub(crate) fn execute(
    view: &mut View<'_>,
    regs: &mut Regs,
    op: &WarpOp,
    mask: u32,
) -> LaneResult<()> {
    match *op {
        WarpOp::Shuffle {
            mode,
            dest,
            valid,
            source,
            lane,
            clamp,
        } => {
            if let Some((lane, source)) =
                shuffle(regs, mask, mode, [dest, valid, source, lane, clamp])
            {
                let instruction = op.name();
                view.part_of_warp(
                    lane,
                    PartOfWarp::InactiveLane {
                        instruction,
                        lane,
                        source,
                    },
                );
            }
        }
        WarpOp::VoteAll { dest, .. }
        | WarpOp::VoteAny { dest, .. }
        | WarpOp::VoteUniform { dest, .. } => {
            let holds = holds(regs, op, mask);
            set_predicate(regs, dest, mask, if holds { FULL } else { 0 });
        }
        WarpOp::Ballot {
            dest,
            source,
            negated,
        } => {
            let votes = vote(regs, mask, source, negated);
            splat(regs, dest, mask, votes);
        }
        WarpOp::MatchAny { dest, source } => match_any(regs, mask, dest, source),
        WarpOp::MatchAll {
            dest,
            valid,
            source,
        } => match_all(regs, mask, [dest, valid], source),
        WarpOp::Reduce {
            op,
            signed,
            dest,
            source,
        } => {
            if let Some(total) = reduced(regs, mask, source, op, signed) {
                splat(regs, dest, mask, total);
            }
        }
        WarpOp::Elect { dest, valid } => {
            let leader = mask.trailing_zeros();
            splat(regs, dest, mask, leader);
            set_predicate(regs, valid, mask, 1u32.checked_shl(leader).unwrap_or(0));
        }
        WarpOp::Barrier => {}
        WarpOp::Mma(ref product) => mma::execute(regs, product, mask)?,
        WarpOp::Wmma(ref product) => wmma::execute(regs, product, mask)?,
        WarpOp::Wgmma(ref product) => wgmma::execute(view, regs, product, mask)?,
        WarpOp::LoadFragment(ref fragment) => wmma::load(view, regs, fragment, mask)?,
        WarpOp::StoreFragment(ref fragment) => wmma::store(view, regs, fragment, mask)?,
        WarpOp::LoadMatrix(ref matrices) => matrix::load(view, regs, matrices, mask)?,
        WarpOp::StoreMatrix(ref matrices) => matrix::store(view, regs, matrices, mask)?,
        WarpOp::TransposeMatrix { dest, source } => matrix::transpose(regs, dest, source, mask)?,
    }
    Ok(())
}

/// Whether a vote other than a ballot holds.
fn holds(regs: &Regs, op: &WarpOp, mask: u32) -> bool {
    match *op {
        WarpOp::VoteAll {
            source, negated, ..
        } => vote(regs, mask, source, negated) == mask,
        WarpOp::VoteAny {
            source, negated, ..
        } => vote(regs, mask, source, negated) != 0,
        WarpOp::VoteUniform {
            source, negated, ..
        } => {
            let votes = vote(regs, mask, source, negated);
            votes == 0 || votes == mask
        }
        _ => false,
    }
}

fn match_any(regs: &mut Regs, mask: u32, dest: u32, source: Slot) {
    for lane in lanes(mask) {
        let value = read_slot(regs, source, lane);
        let same = lanes(mask).filter(|&other| read_slot(regs, source, other) == value);
        regs.words[dest as usize][lane] = same.fold(0, |bits, other| bits | 1 << other);
    }
}

fn match_all(regs: &mut Regs, mask: u32, [dest, valid]: [u32; 2], source: Slot) {
    let first = read_slot(regs, source, mask.trailing_zeros() as usize & 31);
    let all = lanes(mask).all(|lane| read_slot(regs, source, lane) == first);
    splat(regs, dest, mask, if all { mask } else { 0 });
    set_predicate(regs, valid, mask, if all { FULL } else { 0 });
}

/// The result of `redux.sync`; none without lanes.
fn reduced(regs: &Regs, mask: u32, source: u32, op: AtomicOp, signed: bool) -> Option<u32> {
    let values = &regs.words[source as usize];
    let combine = |a: u32, b: u32| match op {
        AtomicOp::Add => a.wrapping_add(b),
        AtomicOp::Min if signed => (a as i32).min(b as i32) as u32,
        AtomicOp::Max if signed => (a as i32).max(b as i32) as u32,
        AtomicOp::Min => a.min(b),
        AtomicOp::Max => a.max(b),
        AtomicOp::And => a & b,
        AtomicOp::Or => a | b,
        _ => a ^ b,
    };
    lanes(mask).map(|lane| values[lane]).reduce(combine)
}

fn vote(regs: &Regs, mask: u32, source: u32, negated: bool) -> u32 {
    let votes = regs.predicates[source as usize];
    mask & if negated { !votes } else { votes }
}

fn splat(regs: &mut Regs, dest: u32, mask: u32, value: u32) {
    for lane in lanes(mask) {
        regs.words[dest as usize][lane] = value;
    }
}

/// The pseudocode of `shfl.sync`: `clamp` holds the segment mask in bits 8 to 12 and the bound in bits 0 to 4. Gives
/// the first lane that reads one outside of `mask`, and which.
fn shuffle(
    regs: &mut Regs,
    mask: u32,
    mode: ShuffleMode,
    [dest, valid, source, lane_slot, clamp]: [u32; 5],
) -> Option<(u32, u32)> {
    let values = regs.words[source as usize];
    let offsets = regs.words[lane_slot as usize];
    let clamps = regs.words[clamp as usize];
    let mut valid_bits = 0;
    let mut stray = None;
    for lane in lanes(mask) {
        let at = lane as i32;
        let offset = (offsets[lane] & 31) as i32;
        let segment = (clamps[lane] >> 8 & 31) as i32;
        let bound = (clamps[lane] & 31) as i32;
        let max_lane = at & segment | bound & !segment;
        let min_lane = at & segment;
        let (from, inside) = match mode {
            ShuffleMode::Up => (at - offset, at - offset >= max_lane),
            ShuffleMode::Down => (at + offset, at + offset <= max_lane),
            ShuffleMode::Butterfly => (at ^ offset, (at ^ offset) <= max_lane),
            ShuffleMode::Index => {
                let from = min_lane | offset & !segment;
                (from, from <= max_lane)
            }
        };
        let from = if inside { from } else { at };
        if mask >> (from & 31) & 1 == 0 && stray.is_none() {
            stray = Some((lane as u32, from as u32 & 31));
        }
        regs.words[dest as usize][lane] = values[(from & 31) as usize];
        valid_bits |= u32::from(inside) << lane;
    }
    set_predicate(regs, valid, mask, valid_bits);
    stray
}
