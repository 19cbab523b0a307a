//! Loads, stores and copies of a warp (PTX ISA, "Data Movement and Conversion Instructions": `ld`, `st`, `cp.async`).
//!
//! An access is checked for all its lanes before any of them moves data. Generic addresses are split by the window
//! they lie in and then take the same road as accesses of the named space.

use super::lanes::{LANES, Regs, lanes};
use super::pipeline::Pipeline;
use crate::cells::Cells;
use crate::check::{Access as Accessing, Findings, Values, Watch};
use crate::fault::FaultReason;
use crate::isa::{Access, Address, Base, Code, Slot};
use crate::memory::{Memory, Nearest};
use crate::notes::SharedVariable;
use crate::profile::Multiprocessor;
use crate::stats::Counters;
use crate::types::{
    CONST_WINDOW, LOCAL_WINDOW, MODULE_WINDOW, PARAM_WINDOW, SHARED_WINDOW, Space, Type,
    WINDOW_BYTES,
};

/// A fault and the lane that caused it.
pub(crate) type LaneResult<T> = Result<T, (usize, FaultReason)>;

/// What all thread blocks of a launch share.
pub(crate) struct Shared<'a> {
    pub(crate) memory: &'a Memory,
    /// The module's `.global` variables.
    pub(crate) globals: &'a Cells,
    pub(crate) constants: &'a [u8],
    pub(crate) params: &'a [u8],
    pub(crate) code: &'a Code,
    /// Whether global accesses must lie in live allocations.
    pub(crate) bounds: bool,
}

/// What the warps of one thread block share, seen from one of them.
pub(crate) struct View<'a> {
    pub(crate) launch: &'a Shared<'a>,
    pub(crate) shared: &'a mut [u8],
    /// Local memory of the whole block, one piece after another by thread.
    pub(crate) local: &'a mut [u8],
    pub(crate) local_bytes: u64,
    /// First thread of the warp.
    pub(crate) first_thread: u64,
    /// Asynchronous copies of the block.
    pub(crate) pipeline: &'a mut Pipeline,
    pub(crate) counters: &'a mut Counters,
    /// The checkers, when there are any.
    pub(crate) watch: Option<&'a mut Watch>,
    /// Where parts of warps are reported, when they are looked for.
    pub(crate) findings: Option<&'a mut Findings>,
    /// Counts for a profile, when there is one.
    pub(crate) profile: Option<&'a mut Multiprocessor>,
    /// Linear index of the block.
    pub(crate) block: u64,
    /// The instruction that is executed.
    pub(crate) pc: u32,
}

/// Addresses of all lanes; those outside the mask are meaningless.
#[inline]
pub(crate) fn addresses(regs: &Regs, address: &Address) -> [u64; LANES] {
    let offset = address.offset as u64;
    match address.base {
        Base::None => [offset; LANES],
        Base::Double(slot) => regs.doubles[slot as usize].map(|base| base.wrapping_add(offset)),
        Base::Word(slot) => {
            regs.words[slot as usize].map(|base| u64::from(base.wrapping_add(offset as u32)))
        }
    }
}

pub(crate) fn space_name(space: Space) -> &'static str {
    match space {
        Space::Generic => "generic",
        Space::Global => "global",
        Space::Shared => "shared",
        Space::Local => "local",
        Space::Const => "const",
        Space::Param => "param",
    }
}

/// The window a generic address lies in, and where that window starts.
fn window(address: u64) -> (Space, u64) {
    let within = |base: u64| address.wrapping_sub(base) < WINDOW_BYTES;
    if within(SHARED_WINDOW) {
        (Space::Shared, SHARED_WINDOW)
    } else if within(LOCAL_WINDOW) {
        (Space::Local, LOCAL_WINDOW)
    } else if within(PARAM_WINDOW) {
        (Space::Param, PARAM_WINDOW)
    } else if within(CONST_WINDOW) {
        (Space::Const, CONST_WINDOW)
    } else {
        (Space::Global, 0)
    }
}

/// Splits lanes of generic addresses by space and calls `f` with plain addresses for each group.
pub(crate) fn by_space(
    addresses: &[u64; LANES],
    mask: u32,
    mut f: impl FnMut(Space, &[u64; LANES], u32) -> LaneResult<()>,
) -> LaneResult<()> {
    let mut rest = mask;
    while rest != 0 {
        let (space, base) = window(addresses[rest.trailing_zeros() as usize]);
        let mut group = 0;
        let mut plain = *addresses;
        for lane in lanes(rest) {
            if window(addresses[lane]).0 == space {
                group |= 1 << lane;
                plain[lane] = addresses[lane] - base;
            }
        }
        f(space, &plain, group)?;
        rest &= !group;
    }
    Ok(())
}

fn largest(addresses: &[u64; LANES]) -> u64 {
    addresses.iter().fold(0, |most, &address| most.max(address))
}

fn smallest(addresses: &[u64; LANES]) -> u64 {
    addresses
        .iter()
        .fold(u64::MAX, |least, &address| least.min(address))
}

/// Whether the lanes' addresses are multiples of `align`; names the first that is not.
fn check_alignment(
    addresses: &[u64; LANES],
    mask: u32,
    align: u64,
    fault: impl Fn(u64) -> FaultReason,
) -> LaneResult<()> {
    // Without regard to the mask first: a loop over all lanes is a few vector instructions.
    if addresses.iter().fold(0, |any, address| any | address) & (align - 1) == 0 {
        return Ok(());
    }
    if lanes(mask).all(|lane| addresses[lane] & (align - 1) == 0) {
        return Ok(());
    }
    let lane = lanes(mask)
        .find(|&lane| addresses[lane] & (align - 1) != 0)
        .unwrap_or(0);
    Err((lane, fault(addresses[lane])))
}

impl<'a> View<'a> {
    /// Checks alignment and bounds of an access; global memory lanes must all lie in live allocations.
    pub(crate) fn check(
        &self,
        space: Space,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
        access: &'static str,
    ) -> LaneResult<()> {
        let space_text = space_name(space);
        check_alignment(
            addresses,
            mask,
            u64::from(bytes.next_power_of_two()),
            |address| FaultReason::Misaligned {
                access,
                space: space_text,
                address,
                bytes,
            },
        )?;
        let size = u64::from(bytes);
        let limit = match space {
            Space::Global | Space::Generic => {
                return self.check_global(addresses, mask, bytes, access);
            }
            Space::Shared => self.shared.len() as u64,
            Space::Local => self.local_bytes,
            Space::Const => self.launch.constants.len() as u64,
            Space::Param => self.launch.params.len() as u64,
        };
        if size <= limit && largest(addresses) <= limit - size {
            return Ok(());
        }
        for lane in lanes(mask) {
            if limit < size || addresses[lane] > limit - size {
                let address = addresses[lane];
                let nearest = if space == Space::Shared {
                    self.nearest_shared(address)
                } else {
                    None
                };
                return Err((
                    lane,
                    FaultReason::OutOfBounds {
                        access,
                        space: space_text,
                        address,
                        bytes,
                        nearest,
                    },
                ));
            }
        }
        Ok(())
    }

    /// The shared variable nearest before an address beyond the window.
    fn nearest_shared(&self, address: u64) -> Option<Nearest> {
        let end = |variable: &SharedVariable| match variable.bytes {
            0 => self.shared.len() as u64,
            bytes => variable.address + bytes,
        };
        let last = self
            .launch
            .code
            .shared_variables
            .iter()
            .max_by_key(|variable| end(variable))?;
        let bytes = end(last) - last.address;
        let distance = address.saturating_sub(end(last));
        Some(Nearest {
            name: last.name.clone(),
            bytes,
            distance,
            after: true,
        })
    }

    fn check_global(
        &self,
        addresses: &[u64; LANES],
        mask: u32,
        bytes: u32,
        access: &'static str,
    ) -> LaneResult<()> {
        let (mut start, mut end) = (0, 0);
        if mask == u32::MAX {
            // All lanes within the allocation of the first is the common case.
            let (least, most) = (smallest(addresses), largest(addresses));
            if most < MODULE_WINDOW
                && let Some((_, end)) = self.launch.memory.find(least)
                && most < end
                && end - most >= u64::from(bytes)
            {
                return Ok(());
            }
        }
        for lane in lanes(mask) {
            let address = addresses[lane];
            if address >= start && address < end && end - address >= u64::from(bytes) {
                continue;
            }
            let module = (MODULE_WINDOW, MODULE_WINDOW + self.launch.globals.len());
            let found = if address >= MODULE_WINDOW {
                (address < module.1).then_some(module)
            } else if self.launch.bounds {
                self.launch.memory.find(address)
            } else {
                self.launch.memory.whole(address)
            };
            match found {
                Some(range) if range.1 - address >= u64::from(bytes) => (start, end) = range,
                _ => {
                    let nearest = self.launch.memory.nearest(address);
                    return Err((
                        lane,
                        FaultReason::OutOfBounds {
                            access,
                            space: "global",
                            address,
                            bytes,
                            nearest,
                        },
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks that a range of global memory lies in one live allocation.
    pub(crate) fn check_range(
        &self,
        address: u64,
        bytes: u64,
        access: &'static str,
        lane: usize,
    ) -> LaneResult<()> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.check_global(&[address; LANES], 1 << lane, bytes, access)
    }

    /// The cells a checked global address lies in, and the address of their first byte.
    #[inline]
    pub(crate) fn cells_of(&self, address: u64) -> (&'a Cells, u64) {
        if address >= MODULE_WINDOW {
            (self.launch.globals, MODULE_WINDOW)
        } else {
            self.launch.memory.cells()
        }
    }

    /// Start of a lane's local memory.
    #[inline]
    fn local_base(&self, lane: usize) -> u64 {
        (self.first_thread + lane as u64) * self.local_bytes
    }
}

/// Executes `ld`.
pub(crate) fn load(
    view: &mut View<'_>,
    regs: &mut Regs,
    access: &Access,
    mask: u32,
) -> LaneResult<()> {
    let addresses = addresses(regs, &access.address);
    if access.space == Space::Generic {
        return by_space(&addresses, mask, |space, plain, group| {
            load_space(view, regs, access, space, plain, group)
        });
    }
    load_space(view, regs, access, access.space, &addresses, mask)
}

fn load_space(
    view: &mut View<'_>,
    regs: &mut Regs,
    access: &Access,
    space: Space,
    addresses: &[u64; LANES],
    mask: u32,
) -> LaneResult<()> {
    let size = access.ty.bytes();
    let total = size * access.slots.len() as u32;
    view.check(space, addresses, mask, total, "load")?;
    view.touch(Accessing::Load, space, addresses, mask, total, None);
    match space {
        Space::Global | Space::Generic => {
            view.counters.global_read(addresses, mask, total);
            load_global(view, regs, access, addresses, mask);
        }
        Space::Shared => {
            view.counters.shared_load += 1;
            load_bytes(regs, access, mask, view.shared, |lane| addresses[lane]);
        }
        Space::Local => {
            let bases: [u64; LANES] = core::array::from_fn(|lane| view.local_base(lane));
            load_bytes(regs, access, mask, view.local, |lane| {
                bases[lane] + addresses[lane]
            });
        }
        Space::Const => load_bytes(regs, access, mask, view.launch.constants, |lane| {
            addresses[lane]
        }),
        Space::Param => load_bytes(regs, access, mask, view.launch.params, |lane| {
            addresses[lane]
        }),
    }
    view.observed(Accessing::Load, space, addresses, mask, total);
    Ok(())
}

fn load_global(
    view: &View<'_>,
    regs: &mut Regs,
    access: &Access,
    addresses: &[u64; LANES],
    mask: u32,
) {
    let size = u64::from(access.ty.bytes());
    for (part, &slot) in access.slots.iter().enumerate() {
        let offset = part as u64 * size;
        if size == 4
            && let Slot::Word(slot) = slot
        {
            let out = &mut regs.words[slot as usize];
            if mask == u32::MAX && largest(addresses) < MODULE_WINDOW {
                let (cells, base) = view.launch.memory.cells();
                for (out, address) in out.iter_mut().zip(addresses) {
                    *out = cells.load32(address - base + offset).unwrap_or(0);
                }
                continue;
            }
            for lane in lanes(mask) {
                let (cells, base) = view.cells_of(addresses[lane]);
                out[lane] = cells.load32(addresses[lane] - base + offset).unwrap_or(0);
            }
            continue;
        }
        for lane in lanes(mask) {
            let (cells, base) = view.cells_of(addresses[lane]);
            let at = addresses[lane] - base + offset;
            let raw = match size {
                1 => cells.load8(at).map(u64::from),
                2 => cells.load16(at).map(u64::from),
                4 => cells.load32(at).map(u64::from),
                _ => cells.load64(at),
            };
            write_slot(regs, slot, lane, extend(raw.unwrap_or(0), access.ty));
        }
    }
}

fn load_bytes(
    regs: &mut Regs,
    access: &Access,
    mask: u32,
    bytes: &[u8],
    at: impl Fn(usize) -> u64,
) {
    let size = access.ty.bytes() as usize;
    for (part, &slot) in access.slots.iter().enumerate() {
        let offset = part * size;
        if size == 4
            && let Slot::Word(slot) = slot
        {
            let out = &mut regs.words[slot as usize];
            if mask == u32::MAX {
                // A plain loop over all lanes is shorter than one over the bits of a mask.
                for (lane, out) in out.iter_mut().enumerate() {
                    *out = read_bytes::<4>(bytes, at(lane) as usize + offset) as u32;
                }
                continue;
            }
            for lane in lanes(mask) {
                out[lane] = read_bytes::<4>(bytes, at(lane) as usize + offset) as u32;
            }
            continue;
        }
        for lane in lanes(mask) {
            let raw = read_sized(bytes, at(lane) as usize + offset, size);
            write_slot(regs, slot, lane, extend(raw, access.ty));
        }
    }
}

/// Executes `st`.
pub(crate) fn store(
    view: &mut View<'_>,
    regs: &Regs,
    access: &Access,
    mask: u32,
) -> LaneResult<()> {
    let addresses = addresses(regs, &access.address);
    if access.space == Space::Generic {
        return by_space(&addresses, mask, |space, plain, group| {
            store_space(view, regs, access, space, plain, group)
        });
    }
    store_space(view, regs, access, access.space, &addresses, mask)
}

fn store_space(
    view: &mut View<'_>,
    regs: &Regs,
    access: &Access,
    space: Space,
    addresses: &[u64; LANES],
    mask: u32,
) -> LaneResult<()> {
    let total = access.ty.bytes() * access.slots.len() as u32;
    view.check(space, addresses, mask, total, "store")?;
    let values = Values {
        regs,
        slots: &access.slots,
        size: access.ty.bytes(),
    };
    view.touch(
        Accessing::Store,
        space,
        addresses,
        mask,
        total,
        Some(values),
    );
    match space {
        Space::Global | Space::Generic => {
            view.counters.global_write(addresses, mask, total);
            store_global(view, regs, access, addresses, mask);
        }
        Space::Shared => {
            view.counters.shared_store += 1;
            store_bytes(regs, access, mask, view.shared, |lane| addresses[lane]);
        }
        Space::Local => {
            let bases: [u64; LANES] = core::array::from_fn(|lane| view.local_base(lane));
            store_bytes(regs, access, mask, view.local, |lane| {
                bases[lane] + addresses[lane]
            });
        }
        Space::Const | Space::Param => {
            let lane = mask.trailing_zeros() as usize;
            return Err((
                lane,
                FaultReason::ReadOnly {
                    space: space_name(space),
                    address: addresses[lane & 31],
                },
            ));
        }
    }
    Ok(())
}

fn store_global(
    view: &View<'_>,
    regs: &Regs,
    access: &Access,
    addresses: &[u64; LANES],
    mask: u32,
) {
    let size = u64::from(access.ty.bytes());
    for lane in lanes(mask) {
        let (cells, base) = view.cells_of(addresses[lane]);
        for (part, &slot) in access.slots.iter().enumerate() {
            let at = addresses[lane] - base + part as u64 * size;
            let raw = read_slot(regs, slot, lane);
            let _ = match size {
                1 => cells.store8(at, raw as u8),
                2 => cells.store16(at, raw as u16),
                4 => cells.store32(at, raw as u32),
                _ => cells.store64(at, raw),
            };
        }
    }
}

fn store_bytes(
    regs: &Regs,
    access: &Access,
    mask: u32,
    bytes: &mut [u8],
    at: impl Fn(usize) -> u64,
) {
    let size = access.ty.bytes() as usize;
    for lane in lanes(mask) {
        for (part, &slot) in access.slots.iter().enumerate() {
            write_sized(
                bytes,
                at(lane) as usize + part * size,
                size,
                read_slot(regs, slot, lane),
            );
        }
    }
}

/// Moves bytes between parameter variables, which live in local memory.
pub(crate) fn copy_local(view: &mut View<'_>, from: u32, to: u32, bytes: u32, mask: u32) {
    for lane in lanes(mask) {
        let base = view.local_base(lane) as usize;
        let source = base + from as usize..base + (from + bytes) as usize;
        if source.end <= view.local.len() && base + ((to + bytes) as usize) <= view.local.len() {
            view.local.copy_within(source, base + to as usize);
        }
        if let Some(watch) = &mut view.watch {
            watch.local_copied(base as u64 + u64::from(to), bytes);
        }
    }
}

/// One byte at a generic address, as one lane sees it; `None` outside every space.
pub(crate) fn generic_byte(view: &View<'_>, address: u64, lane: usize) -> Option<u8> {
    let (space, base) = window(address);
    let at = (address - base) as usize;
    match space {
        Space::Shared => view.shared.get(at).copied(),
        Space::Local if (at as u64) < view.local_bytes => {
            view.local.get(view.local_base(lane) as usize + at).copied()
        }
        Space::Local => None,
        Space::Const => view.launch.constants.get(at).copied(),
        Space::Param => view.launch.params.get(at).copied(),
        Space::Global | Space::Generic => {
            view.check_range(address, 1, "load", lane).ok()?;
            let (cells, base) = view.cells_of(address);
            cells.load8(address - base)
        }
    }
}

/// A value in a parameter variable of a call, which lies in local memory.
pub(crate) fn local_value(view: &View<'_>, at: u32, size: usize, lane: usize) -> u64 {
    read_sized(
        view.local,
        (view.local_base(lane) + u64::from(at)) as usize,
        size,
    )
}

/// Writes a parameter variable of a call.
pub(crate) fn set_local_value(view: &mut View<'_>, at: u32, size: usize, lane: usize, value: u64) {
    let at = view.local_base(lane) + u64::from(at);
    write_sized(view.local, at as usize, size, value);
}

/// Sign-extends signed elements to 64 bits; others are zero-extended already.
fn extend(raw: u64, ty: Type) -> u64 {
    if ty.is_signed() && ty.bytes() < 8 {
        super::convert::extend(raw, ty) as u64
    } else {
        raw
    }
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

#[inline(always)]
fn read_bytes<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let mut out = [0; 8];
    if let Some(source) = bytes.get(at..at + N) {
        out[..N].copy_from_slice(source);
    }
    u64::from_le_bytes(out)
}

pub(crate) fn read_sized(bytes: &[u8], at: usize, size: usize) -> u64 {
    match size {
        1 => read_bytes::<1>(bytes, at),
        2 => read_bytes::<2>(bytes, at),
        4 => read_bytes::<4>(bytes, at),
        _ => read_bytes::<8>(bytes, at),
    }
}

pub(crate) fn write_sized(bytes: &mut [u8], at: usize, size: usize, value: u64) {
    if let Some(target) = bytes.get_mut(at..at + size) {
        target.copy_from_slice(&value.to_le_bytes()[..size]);
    }
}
