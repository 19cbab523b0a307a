//! Global device memory: named allocations in one address range, with gaps between them.
//!
//! A gap of [`GUARD_BYTES`] follows every allocation, so an access that runs off its end hits no other. New
//! allocations are filled with ones (NaN as a float, -1 as an integer): programs must not rely on zeros.
//! Deliberately absent: caches and their costs.

use crate::cells::Cells;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use thiserror::Error;

/// First address of global memory.
const BASE: u64 = 0x2_0000_0000;
/// Unused bytes after each allocation.
pub const GUARD_BYTES: u64 = 4096;
/// Allocations start at multiples of this, as the CUDA allocator promises.
const ALIGNMENT: u64 = 256;

/// Why a memory operation was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MemoryError {
    /// No gap is large enough.
    #[error(
        "out of device memory: {requested} bytes requested for `{name}`, {free} of {capacity} free"
    )]
    OutOfMemory {
        /// Name of the refused allocation.
        name: String,
        /// Bytes asked for.
        requested: u64,
        /// Bytes not allocated, in all gaps together.
        free: u64,
        /// Size of the memory.
        capacity: u64,
    },
    /// The address is not the start of a live allocation.
    #[error("{address:#x} is not the start of a live allocation")]
    NotAnAllocation {
        /// The address.
        address: u64,
    },
    /// The range is not inside one live allocation.
    #[error(
        "{bytes} bytes at {address:#x} are outside every live allocation{}",
        near(nearest)
    )]
    OutOfBounds {
        /// First byte.
        address: u64,
        /// Length of the range.
        bytes: u64,
        /// The allocation nearest to it.
        nearest: Option<Nearest>,
    },
}

fn near(nearest: &Option<Nearest>) -> String {
    nearest
        .as_ref()
        .map_or_else(String::new, |nearest| format!(" ({nearest})"))
}

/// Where an address lies relative to the allocation nearest to it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{distance} bytes {} `{name}` of {bytes} bytes", if *.after { "past the end of" } else { "before" })]
pub struct Nearest {
    /// Name of the allocation.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Bytes between the address and the allocation; 0 is the first byte past the end.
    pub distance: u64,
    /// The address is behind the allocation rather than before it.
    pub after: bool,
}

/// A live allocation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// First address.
    pub address: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// Name given at allocation.
    pub name: String,
}

/// Global device memory. Kernels write it through a shared reference; allocation needs an exclusive one.
pub struct Memory {
    cells: Cells,
    /// One bit per byte: whether the host or a kernel has written it since it was allocated.
    written: Cells,
    /// Cleared by a launch that does not keep `written`: nothing is known from then on.
    knows_written: AtomicBool,
    /// Sorted by address.
    allocations: Vec<Allocation>,
}

impl Memory {
    /// Memory of `capacity_bytes`, of which the host commits only what is used.
    pub fn new(capacity_bytes: u64) -> Memory {
        Memory {
            cells: Cells::new(capacity_bytes),
            written: Cells::new(capacity_bytes.div_ceil(64) * 8),
            knows_written: AtomicBool::new(true),
            allocations: Vec::new(),
        }
    }

    /// Allocates `bytes` under a name for messages, at a multiple of 256.
    pub fn alloc(&mut self, bytes: u64, name: &str) -> Result<u64, MemoryError> {
        let size = bytes
            .checked_add(GUARD_BYTES)
            .map(|size| crate::types::align_up(size, ALIGNMENT));
        let place = size.and_then(|size| {
            let mut start = BASE;
            for (index, live) in self.allocations.iter().enumerate() {
                if live.address - start >= size {
                    return Some((index, start));
                }
                start = crate::types::align_up(live.address + live.bytes + GUARD_BYTES, ALIGNMENT);
            }
            let end = BASE + self.cells.len();
            // The guard of the last allocation may lie behind the end of memory.
            (start <= end && end - start >= bytes).then_some((self.allocations.len(), start))
        });
        let Some((index, address)) = place else {
            let used: u64 = self.allocations.iter().map(|live| live.bytes).sum();
            return Err(MemoryError::OutOfMemory {
                name: name.into(),
                requested: bytes,
                free: self.cells.len() - used,
                capacity: self.cells.len(),
            });
        };
        self.allocations.insert(
            index,
            Allocation {
                address,
                bytes,
                name: name.into(),
            },
        );
        self.forget(address, bytes);
        Ok(address)
    }

    /// Fills a new allocation with what nobody should rely on.
    fn forget(&mut self, address: u64, bytes: u64) {
        let _ = self.cells.fill(address - BASE, bytes, 0xff);
        // An allocation begins at a multiple of 8 bytes and its guard is longer than that.
        let _ = self
            .written
            .fill((address - BASE) / 8, bytes.div_ceil(8), 0);
    }

    /// Gives the allocation of `bytes` that starts at `address` another name; its contents are undefined again.
    pub fn renew(&mut self, address: u64, bytes: u64, name: &str) -> Result<(), MemoryError> {
        let known = self
            .allocations
            .binary_search_by_key(&address, |live| live.address)
            .ok();
        match known
            .map(|index| &mut self.allocations[index])
            .filter(|live| live.bytes == bytes)
        {
            Some(live) => {
                name.clone_into(&mut live.name);
                self.forget(address, bytes);
                Ok(())
            }
            None => Err(MemoryError::NotAnAllocation { address }),
        }
    }

    /// Frees the allocation that starts at `address`.
    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        match self
            .allocations
            .binary_search_by_key(&address, |live| live.address)
        {
            Ok(index) => {
                self.allocations.remove(index);
                Ok(())
            }
            Err(_) => Err(MemoryError::NotAnAllocation { address }),
        }
    }

    /// Copies `data` to device memory; the range must lie in one live allocation.
    pub fn write(&mut self, address: u64, data: &[u8]) -> Result<(), MemoryError> {
        self.check(address, data.len() as u64)?;
        self.mark_written(address, data.len() as u64);
        self.cells
            .write(address - BASE, data)
            .ok_or_else(|| self.out_of_bounds(address, data.len() as u64))
    }

    /// Copies device memory to `out`; the range must lie in one live allocation.
    pub fn read(&self, address: u64, out: &mut [u8]) -> Result<(), MemoryError> {
        let bytes = out.len() as u64;
        self.check(address, bytes)?;
        self.cells
            .read(address - BASE, out)
            .ok_or_else(|| self.out_of_bounds(address, bytes))
    }

    /// The live allocations by address: what is left after a program is a leak.
    pub fn live_allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    fn check(&self, address: u64, bytes: u64) -> Result<(), MemoryError> {
        match self.find(address) {
            Some((start, end)) if bytes <= end - address && start <= address => Ok(()),
            _ if bytes == 0 => Ok(()),
            _ => Err(self.out_of_bounds(address, bytes)),
        }
    }

    fn out_of_bounds(&self, address: u64, bytes: u64) -> MemoryError {
        MemoryError::OutOfBounds {
            address,
            bytes,
            nearest: self.nearest(address),
        }
    }

    /// Start and end of the live allocation that contains `address`.
    #[inline]
    pub(crate) fn find(&self, address: u64) -> Option<(u64, u64)> {
        let index = self
            .allocations
            .partition_point(|live| live.address <= address)
            .checked_sub(1)?;
        let live = &self.allocations[index];
        (address - live.address < live.bytes).then_some((live.address, live.address + live.bytes))
    }

    /// Start and end of all device memory, where `address` is in it.
    pub(crate) fn whole(&self, address: u64) -> Option<(u64, u64)> {
        let end = BASE + self.cells.len();
        (BASE..end).contains(&address).then_some((BASE, end))
    }

    /// The allocation nearest to an address that lies in none.
    pub(crate) fn nearest(&self, address: u64) -> Option<Nearest> {
        let describe = |live: &Allocation| {
            let after = address >= live.address;
            let distance = if after {
                address - (live.address + live.bytes).min(address)
            } else {
                live.address - address
            };
            Nearest {
                name: live.name.clone(),
                bytes: live.bytes,
                distance,
                after,
            }
        };
        self.allocations
            .iter()
            .map(describe)
            .min_by_key(|nearest| nearest.distance)
    }

    /// Forgets which bytes were written: a launch that does not watch its stores is about to run.
    pub(crate) fn forget_written(&self) {
        self.knows_written.store(false, Ordering::Relaxed);
    }

    /// Whether it is known which bytes were written.
    pub(crate) fn knows_written(&self) -> bool {
        self.knows_written.load(Ordering::Relaxed)
    }

    /// Notes a write of a whole range.
    pub(crate) fn mark_written(&self, address: u64, bytes: u64) {
        let (start, end) = (address - BASE, address - BASE + bytes);
        let mut at = start;
        while at < end {
            if at.is_multiple_of(64) && end - at >= 64 {
                let whole = (end - at) / 64 * 8;
                let _ = self.written.fill(at / 8, whole, 0xff);
                at += whole * 8;
            } else {
                let until = (at / 8 * 8 + 8).min(end);
                let ones = ((1u16 << (until - at)) - 1) << (at % 8);
                if let Some(cell) = self.written.atomic8(at / 8) {
                    cell.fetch_or(ones as u8, Ordering::Relaxed);
                }
                at = until;
            }
        }
    }

    /// Bits of an access of 1 to 32 bytes that does not cross a multiple of its size: word and mask.
    #[inline]
    fn written_bits(&self, address: u64, bytes: u32) -> Option<(&AtomicU64, u64)> {
        let at = address.wrapping_sub(BASE);
        let ones = ((1u64 << bytes) - 1) << (at % 64);
        self.written.atomic64(at / 64 * 8).map(|cell| (cell, ones))
    }

    /// Notes a store of up to 32 bytes that does not cross a multiple of 64.
    #[inline]
    pub(crate) fn mark_store(&self, address: u64, bytes: u32) {
        if let Some((cell, ones)) = self.written_bits(address, bytes)
            && cell.load(Ordering::Relaxed) & ones != ones
        {
            cell.fetch_or(ones, Ordering::Relaxed);
        }
    }

    /// Whether all bytes of such an access have been written.
    #[inline]
    pub(crate) fn is_written(&self, address: u64, bytes: u32) -> bool {
        self.written_bits(address, bytes)
            .is_none_or(|(cell, ones)| cell.load(Ordering::Relaxed) & ones == ones)
    }

    /// Name, start and size of the live allocation an address lies in.
    pub(crate) fn allocation(&self, address: u64) -> Option<&Allocation> {
        let index = self
            .allocations
            .partition_point(|live| live.address <= address)
            .checked_sub(1)?;
        self.allocations
            .get(index)
            .filter(|live| address - live.address < live.bytes)
    }

    /// First address, and one past the end of the last live allocation.
    pub(crate) fn used_range(&self) -> (u64, u64) {
        (
            BASE,
            self.allocations
                .last()
                .map_or(BASE, |live| live.address + live.bytes),
        )
    }

    /// The cells, and the address of their first byte.
    pub(crate) fn cells(&self) -> (&Cells, u64) {
        (&self.cells, BASE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_separated_and_reused_after_free() {
        let mut memory = Memory::new(1 << 20);
        let a = memory.alloc(100, "a").unwrap();
        let b = memory.alloc(100, "b").unwrap();
        assert!(b >= a + 100 + GUARD_BYTES);
        assert_eq!(a % 256, 0);
        memory.free(a).unwrap();
        assert_eq!(memory.alloc(50, "c").unwrap(), a);
        assert_eq!(memory.live_allocations().len(), 2);
        assert_eq!(
            memory.free(a + 1),
            Err(MemoryError::NotAnAllocation { address: a + 1 })
        );
    }

    #[test]
    fn a_copy_past_the_end_names_the_allocation() {
        let mut memory = Memory::new(1 << 16);
        let a = memory.alloc(16, "weights").unwrap();
        memory.write(a, &[7; 16]).unwrap();
        let error = memory.read(a + 8, &mut [0; 16]).unwrap_err();
        assert!(error.to_string().contains("weights"), "{error}");
        assert!(matches!(
            memory.alloc(1 << 20, "big"),
            Err(MemoryError::OutOfMemory { .. })
        ));
        assert!(memory.alloc(u64::MAX, "huge").is_err());
    }
}
