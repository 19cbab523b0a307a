//! `mbarrier` objects (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier").
//!
//! The eight opaque bytes in shared memory hold, from bit 0: the expected arrivals (20 bits), the pending arrivals
//! (20), the pending transaction bytes (21, signed), and the number of the current phase modulo 8. A state token is those
//! bytes as they were before the arrival.
//! Deliberately absent: barriers of other blocks of a cluster (every block is a cluster of its own).

use super::observe::BarrierUse;
use super::view::{LaneResult, View, addresses, by_space};
use crate::fault::FaultReason;
use crate::isa::Address;
use crate::isa::asynchronous::{Mbarrier, MbarrierOp};
use crate::regs::{LANES, Regs, lanes, read_slot, set_predicate, write_slot};
use crate::types::Space;

const COUNT_BITS: u32 = 20;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
const BYTES_SHIFT: u32 = 2 * COUNT_BITS;
const BYTES_BITS: u32 = 21;
const PHASES: u8 = 8;
const PHASE_SHIFT: u32 = BYTES_SHIFT + BYTES_BITS;

/// A barrier object taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Object {
    expected: u32,
    pending: u32,
    /// Transaction bytes announced and not yet there; may be negative for a while.
    bytes: i32,
    /// The current phase, modulo 8: programs see its parity, checkers whether one operation ended a phase.
    phase: u8,
}

impl Object {
    fn new(count: u32) -> Object {
        Object {
            expected: count,
            pending: count,
            bytes: 0,
            phase: 0,
        }
    }

    fn parity(self) -> bool {
        self.phase & 1 != 0
    }

    fn unpack(bits: u64) -> Object {
        let bytes = (bits << (64 - BYTES_SHIFT - BYTES_BITS)) as i64 >> (64 - BYTES_BITS);
        Object {
            expected: (bits & COUNT_MASK) as u32,
            pending: (bits >> COUNT_BITS & COUNT_MASK) as u32,
            bytes: bytes as i32,
            phase: (bits >> PHASE_SHIFT) as u8,
        }
    }

    fn pack(self) -> u64 {
        u64::from(self.expected)
            | u64::from(self.pending) << COUNT_BITS
            | (self.bytes as u64 & ((1 << BYTES_BITS) - 1)) << BYTES_SHIFT
            | u64::from(self.phase) << PHASE_SHIFT
    }

    /// Ends the phase when nothing is pending.
    fn settle(&mut self) {
        if self.pending == 0 && self.bytes == 0 {
            self.phase = (self.phase + 1) % PHASES;
            self.pending = self.expected;
        }
    }

    fn arrive(&mut self, count: u32, drop: bool) -> Result<(), String> {
        if count > self.pending {
            return Err(format!(
                "{count} arrivals at an mbarrier that expects {} more",
                self.pending
            ));
        }
        if drop {
            self.expected -= count.min(self.expected);
        }
        self.pending -= count;
        self.settle();
        Ok(())
    }

    fn expect(&mut self, bytes: i32) -> Result<(), String> {
        let total = self.bytes + bytes;
        if total.unsigned_abs() > COUNT_MASK as u32 {
            return Err(format!(
                "{total} pending bytes are more than an mbarrier counts"
            ));
        }
        self.bytes = total;
        Ok(())
    }
}

/// Whether the instruction found what it waited for; if not, other warps should get a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Made,
    Waiting,
}

/// Offsets in shared memory of each lane's barrier, checked.
pub(crate) fn offsets(
    view: &View<'_>,
    regs: &Regs,
    space: Space,
    address: &Address,
    mask: u32,
) -> LaneResult<[u64; LANES]> {
    let given = addresses(regs, address);
    if space != Space::Generic {
        view.check(Space::Shared, &given, mask, 8, "atomic")?;
        return Ok(given);
    }
    let mut plain = [0; LANES];
    by_space(&given, mask, |space, offsets, group| {
        if space != Space::Shared {
            let lane = group.trailing_zeros() as usize & 31;
            let (address, nearest, access) = (given[lane], None, "atomic");
            let space = space.name();
            return Err((
                lane,
                FaultReason::OutOfBounds {
                    access,
                    space,
                    address,
                    bytes: 8,
                    nearest,
                },
            ));
        }
        view.check(Space::Shared, offsets, group, 8, "atomic")?;
        for lane in lanes(group) {
            plain[lane] = offsets[lane];
        }
        Ok(())
    })?;
    Ok(plain)
}

fn read(shared: &[u8], at: u64) -> u64 {
    super::memory::read_sized(shared, at as usize, 8)
}

fn write(shared: &mut [u8], at: u64, bits: u64) {
    super::memory::write_sized(shared, at as usize, 8, bits);
}

/// Changes the object at a checked offset.
pub(crate) fn update(
    shared: &mut [u8],
    at: u64,
    change: impl FnOnce(&mut Object) -> Result<(), String>,
) -> Result<u64, FaultReason> {
    let old = read(shared, at);
    let mut object = Object::unpack(old);
    change(&mut object).map_err(FaultReason::Mbarrier)?;
    write(shared, at, object.pack());
    Ok(old)
}

/// Counts bytes that have arrived for the barrier at a checked offset.
pub(crate) fn complete(shared: &mut [u8], at: u64, bytes: u32) -> Result<(), FaultReason> {
    update(shared, at, |object| {
        object.expect(-(bytes as i32))?;
        object.settle();
        Ok(())
    })
    .map(drop)
}

/// One arrival at a checked offset.
pub(crate) fn arrive_once(shared: &mut [u8], at: u64) -> Result<(), FaultReason> {
    update(shared, at, |object| object.arrive(1, false)).map(drop)
}

/// Executes the instruction lane by lane.
pub(crate) fn execute(
    view: &mut View<'_>,
    regs: &mut Regs,
    barrier: &Mbarrier,
    mask: u32,
) -> LaneResult<Progress> {
    let at = offsets(view, regs, barrier.space, &barrier.address, mask)?;
    view.counters.shared_atomic += 1;
    let operation = match barrier.op {
        MbarrierOp::Init { .. } | MbarrierOp::Invalidate => BarrierUse::Initialises,
        MbarrierOp::TestState { .. } | MbarrierOp::TestParity { .. } => BarrierUse::Asks,
        _ => BarrierUse::Counts,
    };
    view.mbarrier(operation, &at, mask);
    let mut progress = Progress::Made;
    for lane in lanes(mask) {
        if !matches!(barrier.op, MbarrierOp::Init { .. }) {
            view.pipeline
                .check_mbarrier(at[lane])
                .map_err(|reason| (lane, reason))?;
        }
        if operation != BarrierUse::Asks {
            view.mbarrier_arrived(lane, at[lane], operation);
        }
        let phase = Object::unpack(read(view.shared, at[lane])).phase;
        let found =
            one(view, regs, &barrier.op, at[lane], lane).map_err(|reason| (lane, reason))?;
        if Object::unpack(read(view.shared, at[lane])).phase != phase {
            view.mbarrier_ended(at[lane]);
        }
        if found == Progress::Waiting {
            progress = Progress::Waiting;
        } else if operation == BarrierUse::Asks {
            view.mbarrier_passed(lane, at[lane]);
        }
    }
    Ok(progress)
}

/// Makes an mbarrier of `count` arrivals at an address of shared memory.
#[inline]
fn set_up(view: &mut View<'_>, at: u64, count: u32) -> Result<(), FaultReason> {
    if count == 0 || u64::from(count) > COUNT_MASK {
        let text = format!("an mbarrier is set up for 1 to {COUNT_MASK} arrivals, not {count}");
        return Err(FaultReason::Mbarrier(text));
    }
    write(view.shared, at, Object::new(count).pack());
    view.pipeline.set_mbarrier(at, true);
    Ok(())
}

fn one(
    view: &mut View<'_>,
    regs: &mut Regs,
    op: &MbarrierOp,
    at: u64,
    lane: usize,
) -> Result<Progress, FaultReason> {
    let word = |slot: u32| regs.words[slot as usize][lane];
    match *op {
        MbarrierOp::Init { count } => set_up(view, at, word(count))?,
        MbarrierOp::Invalidate => {
            write(view.shared, at, u64::MAX);
            view.pipeline.set_mbarrier(at, false);
        }
        MbarrierOp::Expect { bytes } => {
            let bytes = word(bytes) as i32;
            update(view.shared, at, |object| object.expect(bytes))?;
        }
        MbarrierOp::Complete { bytes } => complete(view.shared, at, word(bytes))?,
        MbarrierOp::Arrive {
            count,
            bytes,
            state,
            drop,
        } => {
            let (count, bytes) = (word(count), bytes.map_or(0, |slot| word(slot) as i32));
            let old = update(view.shared, at, |object| {
                object.expect(bytes)?;
                object.arrive(count, drop)
            })?;
            if let Some(slot) = state {
                write_slot(regs, slot, lane, old);
            }
        }
        MbarrierOp::TestState { dest, state } => {
            let parity = Object::unpack(read_slot(regs, state, lane)).parity();
            return test(view, regs, at, dest, parity, lane);
        }
        MbarrierOp::TestParity { dest, parity } => {
            let parity = word(parity) & 1 != 0;
            return test(view, regs, at, dest, parity, lane);
        }
        MbarrierOp::CopyArrive { increment } => {
            if increment {
                update(view.shared, at, |object| {
                    object.pending += 1;
                    Ok(())
                })?;
            }
            view.pipeline
                .arrive_after_copies(view.first_thread, lane, at);
        }
    }
    Ok(Progress::Made)
}

/// Asynchronous copies that signal this barrier arrive when somebody looks at it, not before.
fn test(
    view: &mut View<'_>,
    regs: &mut Regs,
    at: u64,
    dest: u32,
    parity: bool,
    lane: usize,
) -> Result<Progress, FaultReason> {
    let arrived = view.pipeline.deliver(view.shared, at)?;
    view.copies_delivered(at, &arrived);
    let ended = Object::unpack(read(view.shared, at)).parity() != parity;
    set_predicate(regs, dest, 1 << lane, if ended { u32::MAX } else { 0 });
    Ok(if ended {
        Progress::Made
    } else {
        Progress::Waiting
    })
}

/// `mbarrier.pending_count`: the pending arrivals a state token holds.
pub(crate) fn pending_count(token: u64) -> u32 {
    Object::unpack(token).pending
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_survive_packing() {
        for bytes in [-1_048_575, -1, 0, 5, 1_048_575] {
            let object = Object {
                expected: 1_048_575,
                pending: 77,
                bytes,
                phase: if bytes < 0 { PHASES - 1 } else { 2 },
            };
            assert_eq!(Object::unpack(object.pack()), object);
        }
    }

    #[test]
    fn a_phase_ends_when_arrivals_and_bytes_are_there() {
        let mut object = Object::new(2);
        object.expect(64).unwrap();
        object.arrive(2, false).unwrap();
        assert!(!object.parity());
        object.expect(-64).unwrap();
        object.settle();
        assert!(object.parity());
        assert_eq!(object.pending, 2);
        assert!(object.arrive(3, false).is_err());
    }
}
