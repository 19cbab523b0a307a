//! The memory of a thread block and of the launch, as the instructions of a warp see it.
//!
//! Generic addresses are split by the window they lie in and then take the same road as accesses of the named space.

use super::observe::Observers;
use super::pipeline::Pipeline;
use crate::cells::Cells;
use crate::counters::Counters;
use crate::fault::FaultReason;
use crate::isa::{Address, Base, Code};
use crate::memory::{Memory, Nearest};
use crate::notes::SharedVariable;
use crate::regs::{LANES, Regs, lanes};
use crate::types::{
    CONST_WINDOW, LOCAL_WINDOW, MODULE_WINDOW, PARAM_WINDOW, SHARED_WINDOW, Space, WINDOW_BYTES,
};

/// A fault and the lane that caused it.
pub(crate) type LaneResult<T> = Result<T, (usize, FaultReason)>;

/// The state shared by all thread blocks of a launch.
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

/// The state that the warps of one thread block share, seen from one of them.
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
    /// Groups of products that each warp of the block has committed; those of a warp that has ended are all.
    pub(crate) committed: &'a mut [u32],
    pub(crate) counters: &'a mut Counters,
    /// Who is told what the warp does.
    pub(crate) observers: Observers<'a>,
    /// By instruction: whether an observer follows it; empty without one.
    pub(crate) followed: &'a [bool],
    /// An observer wants other warps to go on first.
    pub(crate) yields: bool,
    /// Linear index of the block.
    pub(crate) block: u64,
    /// The instruction that is executed.
    pub(crate) pc: u32,
    /// Cycles in which the warp's instructions of this turn were issued.
    pub(crate) issued: u64,
    /// The warp did something in this turn that others may wait for.
    pub(crate) progress: bool,
    /// The last instruction of this turn that looked at an mbarrier or waited for products in vain, and the thread.
    pub(crate) in_vain: Option<(u32, u64)>,
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

/// The window a generic address lies in, and where that window starts.
pub(super) fn window(address: u64) -> (Space, u64) {
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

pub(super) fn largest(addresses: &[u64; LANES]) -> u64 {
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
        let space_text = space.name();
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
    pub(super) fn local_base(&self, lane: usize) -> u64 {
        (self.first_thread + lane as u64) * self.local_bytes
    }
}
