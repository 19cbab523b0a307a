//! `ldmatrix`, `stmatrix` and `movmatrix` (PTX ISA, "Warp-level Matrix Load/Store/Transpose").
//!
//! An 8×8 matrix of 16-bit elements is spread over a warp by rows of eight: lane `l` holds elements `2 (l % 4)` and
//! the next of row `l / 4`; transposed, of column `l / 4`. Lane `8 i + r` gives the address of row `r` of matrix `i`.

use super::mma::whole_warp;
use super::observe::AccessKind;
use super::view::{LaneResult, View, addresses, by_space};
use crate::fault::FaultReason;
use crate::isa::tensor::{MatrixMove, Order};
use crate::regs::{LANES, Regs, lanes};
use crate::types::Space;

/// Bytes of a matrix row.
const ROW: u32 = 16;

/// The lanes whose addresses count, one per row.
fn providers(matrices: &MatrixMove) -> u32 {
    let count = 8 * matrices.registers.len() as u32;
    if count >= 32 {
        u32::MAX
    } else {
        (1 << count) - 1
    }
}

/// Offsets of all rows in shared memory, checked.
fn rows(
    view: &View<'_>,
    regs: &Regs,
    matrices: &MatrixMove,
    access: &'static str,
) -> LaneResult<[u64; LANES]> {
    let given = addresses(regs, &matrices.address);
    let mask = providers(matrices);
    if matrices.space == Space::Shared {
        view.check(Space::Shared, &given, mask, ROW, access)?;
        return Ok(given);
    }
    let mut plain = [0; LANES];
    by_space(&given, mask, |space, offsets, group| {
        if space != Space::Shared {
            let lane = group.trailing_zeros() as usize & 31;
            let (address, nearest) = (given[lane], None);
            let space = space.name();
            return Err((
                lane,
                FaultReason::OutOfBounds {
                    access,
                    space,
                    address,
                    bytes: ROW,
                    nearest,
                },
            ));
        }
        view.check(Space::Shared, offsets, group, ROW, access)?;
        for lane in lanes(group) {
            plain[lane] = offsets[lane];
        }
        Ok(())
    })?;
    Ok(plain)
}

/// Row and column of the element in half `half` of a lane's register.
fn place(order: Order, lane: usize, half: usize) -> (usize, usize) {
    let (line, along) = (lane / 4, 2 * (lane % 4) + half);
    match order {
        Order::Rows => (line, along),
        Order::Columns => (along, line),
    }
}

/// Executes `ldmatrix`.
pub(crate) fn load(
    view: &mut View<'_>,
    regs: &mut Regs,
    matrices: &MatrixMove,
    mask: u32,
) -> LaneResult<()> {
    whole_warp(mask, "ldmatrix")?;
    let rows = rows(view, regs, matrices, "load")?;
    view.touch(
        AccessKind::Load,
        Space::Shared,
        &rows,
        providers(matrices),
        ROW,
        None,
    );
    for (matrix, &register) in matrices.registers.iter().enumerate() {
        for lane in 0..LANES {
            let mut word = 0;
            for half in 0..2 {
                let (row, column) = place(matrices.order, lane, half);
                let at = rows[8 * matrix + row] as usize + 2 * column;
                word |= u32::from(u16::from_le_bytes([view.shared[at], view.shared[at + 1]]))
                    << (16 * half);
            }
            regs.words[register as usize][lane] = word;
        }
    }
    view.counters.shared_load += 1;
    Ok(())
}

/// Executes `stmatrix`.
pub(crate) fn store(
    view: &mut View<'_>,
    regs: &Regs,
    matrices: &MatrixMove,
    mask: u32,
) -> LaneResult<()> {
    whole_warp(mask, "stmatrix")?;
    let rows = rows(view, regs, matrices, "store")?;
    view.touch(
        AccessKind::Store,
        Space::Shared,
        &rows,
        providers(matrices),
        ROW,
        None,
    );
    for (matrix, &register) in matrices.registers.iter().enumerate() {
        for lane in 0..LANES {
            let word = regs.words[register as usize][lane];
            for half in 0..2 {
                let (row, column) = place(matrices.order, lane, half);
                let at = rows[8 * matrix + row] as usize + 2 * column;
                view.shared[at..at + 2]
                    .copy_from_slice(&((word >> (16 * half)) as u16).to_le_bytes());
            }
        }
    }
    view.counters.shared_store += 1;
    Ok(())
}

/// Executes `movmatrix.trans`: the matrix in `source` transposed to `dest`.
pub(crate) fn transpose(regs: &mut Regs, dest: u32, source: u32, mask: u32) -> LaneResult<()> {
    whole_warp(mask, "movmatrix")?;
    let from = regs.words[source as usize];
    let element =
        |row: usize, column: usize| (from[4 * row + column / 2] >> (16 * (column % 2))) & 0xffff;
    regs.words[dest as usize] = core::array::from_fn(|lane| {
        let (line, along) = (lane / 4, 2 * (lane % 4));
        element(along, line) | element(along + 1, line) << 16
    });
    Ok(())
}
