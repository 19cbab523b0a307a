//! Operations a warp's lanes do together (PTX ISA: `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`,
//! `elect.sync`).
//!
//! By the time one of these runs, every live lane of its member mask is in `mask`.

use super::lanes::{FULL, Regs, lanes, set_predicate};
use super::memory::{LaneResult, View, read_slot};
use super::{matrix, mma, wgmma};
use crate::isa::{AtomicOp, ShuffleMode, WarpOp};

/// Executes `op` for the lanes in `mask`.
pub(crate) fn execute(view: &mut View<'_>, regs: &mut Regs, op: &WarpOp, mask: u32) -> LaneResult<()> {
    match *op {
        WarpOp::Shuffle { mode, dest, valid, source, lane, clamp } => {
            shuffle(regs, mask, mode, [dest, valid, source, lane, clamp]);
        }
        WarpOp::VoteAll { dest, source, negated } => {
            let holds = vote(regs, mask, source, negated) == mask;
            set_predicate(regs, dest, mask, if holds { FULL } else { 0 });
        }
        WarpOp::VoteAny { dest, source, negated } => {
            let holds = vote(regs, mask, source, negated) != 0;
            set_predicate(regs, dest, mask, if holds { FULL } else { 0 });
        }
        WarpOp::VoteUniform { dest, source, negated } => {
            let votes = vote(regs, mask, source, negated);
            set_predicate(regs, dest, mask, if votes == 0 || votes == mask { FULL } else { 0 });
        }
        WarpOp::Ballot { dest, source, negated } => {
            let votes = vote(regs, mask, source, negated);
            splat(regs, dest, mask, votes);
        }
        WarpOp::MatchAny { dest, source } => {
            for lane in lanes(mask) {
                let value = read_slot(regs, source, lane);
                let same = lanes(mask).filter(|&other| read_slot(regs, source, other) == value);
                regs.words[dest as usize][lane] = same.fold(0, |bits, other| bits | 1 << other);
            }
        }
        WarpOp::MatchAll { dest, valid, source } => {
            let first = read_slot(regs, source, mask.trailing_zeros() as usize & 31);
            let all = lanes(mask).all(|lane| read_slot(regs, source, lane) == first);
            splat(regs, dest, mask, if all { mask } else { 0 });
            set_predicate(regs, valid, mask, if all { FULL } else { 0 });
        }
        WarpOp::Reduce { op, signed, dest, source } => {
            let values = regs.words[source as usize];
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
            if let Some(total) = lanes(mask).map(|lane| values[lane]).reduce(combine) {
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
        WarpOp::Wgmma(ref product) => wgmma::execute(view, regs, product, mask)?,
        WarpOp::LoadMatrix(ref matrices) => matrix::load(view, regs, matrices, mask)?,
        WarpOp::StoreMatrix(ref matrices) => matrix::store(view, regs, matrices, mask)?,
        WarpOp::TransposeMatrix { dest, source } => matrix::transpose(regs, dest, source, mask)?,
    }
    Ok(())
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

/// The pseudocode of `shfl.sync`: `clamp` holds the segment mask in bits 8 to 12 and the bound in bits 0 to 4.
fn shuffle(regs: &mut Regs, mask: u32, mode: ShuffleMode, [dest, valid, source, lane_slot, clamp]: [u32; 5]) {
    let values = regs.words[source as usize];
    let offsets = regs.words[lane_slot as usize];
    let clamps = regs.words[clamp as usize];
    let mut valid_bits = 0;
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
        regs.words[dest as usize][lane] = values[(from & 31) as usize];
        valid_bits |= u32::from(inside) << lane;
    }
    set_predicate(regs, valid, mask, valid_bits);
}
