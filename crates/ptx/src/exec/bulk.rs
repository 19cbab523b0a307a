//! Bulk copies, of plain bytes and of boxes of tensors (PTX ISA, "Data Movement and Conversion Instructions:
//! cp.async.bulk, cp.async.bulk.tensor").
//!
//! Each executing lane copies by itself. Copies to shared memory arrive at their barrier, copies to global memory
//! when their group is waited for; see `pipeline`.
//! Deliberately absent: multicast to other blocks, im2col boxes, reductions in memory by bulk.

use super::mbarrier::offsets;
use super::observe::{AccessKind, BulkRange, Copying, Side};
use super::pipeline::Delivery;
use super::view::{LaneResult, View, addresses};
use crate::fault::FaultReason;
use crate::isa::asynchronous::{Bulk, Direction, Source};
use crate::regs::{Regs, Slot, lanes, read_slot};
use crate::tensor_map::{OutOfBoundsFill, Swizzle, TENSOR_MAP_BYTES, TensorMap};
use crate::types::{CONST_WINDOW, LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, Space, WINDOW_BYTES};
use smallvec::SmallVec;

/// Bytes of shared and global memory that belong together: a run of a box row, or bytes outside the tensor.
struct Run {
    /// Offset in the box, before swizzling.
    offset: u64,
    /// Absent outside the tensor.
    global: Option<u64>,
    bytes: u32,
}

fn misaligned(space: &'static str, access: &'static str, address: u64, bytes: u32) -> FaultReason {
    FaultReason::Misaligned {
        access,
        space,
        address,
        bytes,
    }
}

/// Executes a bulk copy for each lane of the mask.
pub(crate) fn execute(view: &mut View<'_>, regs: &Regs, bulk: &Bulk, mask: u32) -> LaneResult<()> {
    let shared = addresses(regs, &bulk.shared);
    for lane in lanes(mask) {
        match &bulk.direction {
            Direction::ToShared {
                barrier,
                barrier_space,
            } => {
                let at = offsets(view, regs, *barrier_space, barrier, 1 << lane)?[lane];
                view.pipeline
                    .check_mbarrier(at)
                    .map_err(|reason| (lane, reason))?;
                let (data, swizzle) = read_box(view, regs, (&bulk.source, at), lane)?;
                let copy = copying(view, lane, shared[lane], data.len() as u64);
                let delivered =
                    place(view, copy, &data, swizzle).map_err(|reason| (lane, reason))?;
                view.copy_issued(delivered.copy, Side::Written);
                view.pipeline.send(at, delivered);
            }
            Direction::ToGlobal => to_global(view, regs, &bulk.source, shared[lane], lane)?,
            Direction::Within { barrier } => {
                let at = offsets(view, regs, Space::Shared, barrier, 1 << lane)?[lane];
                view.pipeline
                    .check_mbarrier(at)
                    .map_err(|reason| (lane, reason))?;
                let Source::Bytes { address, bytes } = &bulk.source else {
                    continue;
                };
                let bytes = regs.words[*bytes as usize][lane];
                let from = addresses(regs, address)[lane];
                let data = shared_bytes(view, from, bytes, "load")
                    .map_err(|reason| (lane, reason))?
                    .to_vec();
                shared_bytes(view, shared[lane], bytes, "store")
                    .map_err(|reason| (lane, reason))?;
                let copy = copying(view, lane, shared[lane], data.len() as u64);
                view.copy_issued(copy, Side::Written);
                view.pipeline.send(at, Delivery { copy, data });
            }
        }
        view.counters.shared_store += 1;
    }
    Ok(())
}

/// A copy that a lane issues now.
fn copying(view: &View<'_>, lane: usize, at: u64, bytes: u64) -> Copying {
    Copying {
        pc: view.pc,
        thread: view.first_thread as u32 + lane as u32,
        at,
        bytes,
    }
}

/// A range of global memory that a lane's copy reads or writes.
fn range(view: &View<'_>, lane: usize, access: AccessKind, at: u64, bytes: u32) -> BulkRange {
    BulkRange {
        pc: view.pc,
        thread: view.first_thread as u32 + lane as u32,
        access,
        at,
        bytes: u64::from(bytes),
        mbarrier: None,
    }
}

/// A checked piece of shared memory, aligned to 16.
fn shared_bytes<'v>(
    view: &'v View<'_>,
    at: u64,
    bytes: u32,
    access: &'static str,
) -> Result<&'v [u8], FaultReason> {
    if !at.is_multiple_of(16) || !bytes.is_multiple_of(16) {
        return Err(misaligned("shared", access, at, 16));
    }
    view.shared
        .get(at as usize..(at + u64::from(bytes)) as usize)
        .ok_or(FaultReason::OutOfBounds {
            access,
            space: "shared",
            address: at,
            bytes,
            nearest: None,
        })
}

/// The runs of the source for one lane, with what the copy does beyond moving bytes.
fn runs(
    view: &View<'_>,
    regs: &Regs,
    source: &Source,
    lane: usize,
) -> LaneResult<(Vec<Run>, Swizzle, OutOfBoundsFill)> {
    match source {
        Source::Bytes { address, bytes } => {
            let bytes = regs.words[*bytes as usize][lane];
            let global = addresses(regs, address)[lane];
            if !global.is_multiple_of(16) || !bytes.is_multiple_of(16) {
                return Err((lane, misaligned("global", "load", global, 16)));
            }
            let run = Run {
                offset: 0,
                global: Some(global),
                bytes,
            };
            Ok((vec![run], Swizzle::None, OutOfBoundsFill::Zero))
        }
        Source::Tensor {
            map,
            map_space,
            coordinates,
        } => {
            let map = read_map(view, addresses(regs, map)[lane], *map_space, lane)?;
            if map.extents.len() != coordinates.len() {
                let text = format!(
                    "a copy with {} coordinates through a tensor map of {} dimensions",
                    coordinates.len(),
                    map.extents.len()
                );
                return Err((lane, FaultReason::TensorMap(text)));
            }
            let start: SmallVec<[i64; 5]> = coordinates
                .iter()
                .map(|&slot| i64::from(read_slot(regs, Slot::Word(slot), lane) as i32))
                .collect();
            Ok((box_runs(&map, &start), map.swizzle, map.fill))
        }
    }
}

/// The map at a generic address, or one of a space.
fn read_map(view: &View<'_>, address: u64, space: Space, lane: usize) -> LaneResult<TensorMap> {
    let within = |base: u64| space == Space::Generic && address.wrapping_sub(base) < WINDOW_BYTES;
    let size = TENSOR_MAP_BYTES;
    let piece = |bytes: &[u8], at: u64| {
        bytes
            .get(at as usize..at as usize + size)
            .map(<[u8]>::to_vec)
    };
    let bytes = if space == Space::Param || within(PARAM_WINDOW) {
        piece(
            view.launch.params,
            if space == Space::Param {
                address
            } else {
                address - PARAM_WINDOW
            },
        )
    } else if space == Space::Const || within(CONST_WINDOW) {
        piece(
            view.launch.constants,
            if space == Space::Const {
                address
            } else {
                address - CONST_WINDOW
            },
        )
    } else if within(SHARED_WINDOW) || within(LOCAL_WINDOW) {
        None
    } else {
        view.check_range(address, size as u64, "load", lane)?;
        let (cells, base) = view.cells_of(address);
        let mut out = vec![0; size];
        cells.read(address - base, &mut out).map(|()| out)
    };
    let Some(bytes) = bytes.filter(|_| address.is_multiple_of(64)) else {
        let text = format!("no tensor map can lie at {address:#x}");
        return Err((lane, FaultReason::TensorMap(text)));
    };
    TensorMap::from_bytes(&bytes).map_err(|error| (lane, FaultReason::TensorMap(error.to_string())))
}

/// Every run of a box: elements along the innermost dimension that lie together.
fn box_runs(map: &TensorMap, start: &[i64]) -> Vec<Run> {
    let rank = map.extents.len();
    let element = u64::from(map.element_bytes);
    let step = |axis: usize| i64::from(map.element_strides.get(axis).copied().unwrap_or(1));
    let inner = map.box_extents[0];
    let rows: u64 = map.box_extents[1..]
        .iter()
        .map(|&extent| u64::from(extent))
        .product();
    let mut out = Vec::new();
    for row in 0..rows {
        let (mut rest, mut address, mut inside) = (row, map.address, true);
        for (axis, &first) in start.iter().enumerate().take(rank).skip(1) {
            let extent = u64::from(map.box_extents[axis]);
            let at = first + (rest % extent) as i64 * step(axis);
            rest /= extent;
            inside &= at >= 0 && (at as u64) < map.extents[axis];
            address = address.wrapping_add((at as u64).wrapping_mul(map.strides[axis - 1]));
        }
        for column in 0..inner {
            let at = start[0] + i64::from(column) * step(0);
            let inside = inside && at >= 0 && (at as u64) < map.extents[0];
            let global = inside.then(|| address.wrapping_add(at as u64 * element));
            let offset = (row * u64::from(inner) + u64::from(column)) * element;
            push_run(
                &mut out,
                Run {
                    offset,
                    global,
                    bytes: map.element_bytes,
                },
            );
        }
    }
    out
}

/// Joins a run with the one before it where both sides go on.
fn push_run(out: &mut Vec<Run>, run: Run) {
    if let Some(last) = out.last_mut()
        && last.offset + u64::from(last.bytes) == run.offset
    {
        let joins = match (last.global, run.global) {
            (Some(a), Some(b)) => a + u64::from(last.bytes) == b,
            (None, None) => true,
            _ => false,
        };
        if joins {
            last.bytes += run.bytes;
            return;
        }
    }
    out.push(run);
}

/// Reads a lane's source, whose bytes arrive at an mbarrier; those outside a tensor hold its fill.
fn read_box(
    view: &mut View<'_>,
    regs: &Regs,
    (source, mbarrier): (&Source, u64),
    lane: usize,
) -> LaneResult<(Vec<u8>, Swizzle)> {
    let (runs, swizzle, fill) = runs(view, regs, source, lane)?;
    let total = runs.iter().map(|run| u64::from(run.bytes)).sum::<u64>();
    // NaN of every float format has all exponent bits; all ones is a NaN of each.
    let outside = if fill == OutOfBoundsFill::Nan {
        0xff
    } else {
        0
    };
    let mut data = vec![outside; total as usize];
    for run in &runs {
        let Some(global) = run.global else { continue };
        view.check_range(global, u64::from(run.bytes), "load", lane)?;
        let (cells, base) = view.cells_of(global);
        let at = run.offset as usize;
        let _ = cells.read(global - base, &mut data[at..at + run.bytes as usize]);
        view.counters.global_bulk_read(global, u64::from(run.bytes));
        let range = range(view, lane, AccessKind::Load, global, run.bytes);
        view.bulk_issued(&BulkRange {
            mbarrier: Some(mbarrier),
            ..range
        });
    }
    Ok((data, swizzle))
}

/// Where the bytes go in shared memory, permuted.
fn place(
    view: &View<'_>,
    copy: Copying,
    data: &[u8],
    swizzle: Swizzle,
) -> Result<Delivery, FaultReason> {
    let to = copy.at;
    shared_bytes(view, to, data.len() as u32, "store")?;
    if swizzle == Swizzle::None {
        return Ok(Delivery {
            copy,
            data: data.to_vec(),
        });
    }
    // The permutation follows the bits of the address, so the box must start where the pattern does.
    let pattern = u64::from(swizzle.row_bytes()) * 8;
    if !to.is_multiple_of(pattern) {
        return Err(misaligned("shared", "store", to, pattern as u32));
    }
    if !data.len().is_multiple_of(swizzle.row_bytes() as usize) {
        let text = format!(
            "a box of {} bytes is no number of whole swizzled rows",
            data.len()
        );
        return Err(FaultReason::TensorMap(text));
    }
    let mut out = vec![0; data.len()];
    for (unit, part) in data.chunks(16).enumerate() {
        let at = swizzle.apply(unit as u64 * 16) as usize;
        out[at..at + part.len()].copy_from_slice(part);
    }
    Ok(Delivery { copy, data: out })
}

/// Sends a lane's bytes of shared memory on their way to global memory.
fn to_global(
    view: &mut View<'_>,
    regs: &Regs,
    source: &Source,
    shared: u64,
    lane: usize,
) -> LaneResult<()> {
    let (runs, swizzle, _) = runs(view, regs, source, lane)?;
    let total: u32 = runs.iter().map(|run| run.bytes).sum();
    shared_bytes(view, shared, total, "load").map_err(|reason| (lane, reason))?;
    let (mut pieces, mut ranges) = (Vec::new(), Vec::new());
    for run in &runs {
        // Elements outside of the tensor are not written.
        let Some(global) = run.global else { continue };
        view.check_range(global, u64::from(run.bytes), "store", lane)?;
        view.counters
            .global_bulk_write(global, u64::from(run.bytes));
        let range = range(view, lane, AccessKind::Store, global, run.bytes);
        view.bulk_issued(&range);
        ranges.push(range);
        let mut done = 0;
        while done < run.bytes {
            let offset = run.offset + u64::from(done);
            let bytes = (16 - (offset % 16) as u32).min(run.bytes - done);
            pieces.push((
                global + u64::from(done),
                shared + swizzle.apply(offset),
                bytes,
            ));
            done += bytes;
        }
    }
    let copy = copying(view, lane, shared, u64::from(total));
    view.copy_issued(copy, Side::Read);
    view.pipeline.store(copy, pieces, ranges);
    Ok(())
}
