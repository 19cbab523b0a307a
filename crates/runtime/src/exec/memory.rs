//! The device buffers of one run.
//!
//! A buffer is freed by the plan, or when the last reference to it goes: slots and what the executor carries from block
//! to block are references, counted by [`Buffers::retain`] and [`Buffers::release`]. A freed buffer goes to a pool by its size, and the next buffer of just that size takes it: a loop that makes buffers in
//! every step asks the device for memory in its first steps only. Exactly that size, so that devices that check accesses
//! know where a buffer ends. Memory may come out of the pool while steps that use it have not run: the schedule orders
//! steps by address, so what uses it next comes after them. Memory that no such step uses is taken first. The pool keeps
//! no more bytes than were ever live at one time ([`Buffers::trim`]): a loop whose buffers have another size in every
//! step must not keep them all.
//!
//! Invariant: exactly the live allocations are in the table, and [`Buffers::close`] frees what is left, pool and all, so a
//! run ends with no allocation of its own whatever happened, and its tables are as large as what is live. Empty buffers
//! have no device memory.

use super::error::RunErrorKind;
use super::report::RunReport;
use crate::device::{Device, DeviceError, DevicePtr};
use segra_artifact::ElemType;
use std::collections::BTreeMap;

/// A buffer in a slot: some elements of an allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffer {
    /// Its allocation's number, which no other allocation of the run ever has.
    allocation: u64,
    pub(super) elem: ElemType,
    /// First element.
    offset: u64,
    /// Elements.
    pub(super) count: u64,
}

/// Where the memory of a buffer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Memory {
    /// The device, just for it; or it needs none.
    New,
    /// The pool.
    Reused { ptr: DevicePtr, bytes: u64 },
}

/// Whose memory an allocation is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Run,
    /// It outlives the run, which may not free it.
    Caller,
}

struct Allocation {
    ptr: DevicePtr,
    bytes: u64,
    count: u64,
    /// Slots and carried values that hold it, slices of it included.
    references: usize,
    name: String,
    /// Whether it may be live at the end of a run: arguments and results are.
    expected: bool,
    owner: Owner,
}

pub(super) struct Buffers<'a> {
    device: &'a dyn Device,
    /// The live ones, by number.
    allocations: BTreeMap<u64, Allocation>,
    /// How many there were.
    numbered: u64,
    /// Freed memory by its bytes, what was freed last at the end.
    pool: BTreeMap<u64, Vec<Pooled>>,
    pool_bytes: u64,
    /// How often memory was given to the pool.
    pooled: u64,
    live_bytes: u64,
    most_live_bytes: u64,
}

/// Memory that was freed.
#[derive(Clone, Copy)]
struct Pooled {
    ptr: DevicePtr,
    /// How much was freed before it.
    since: u64,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(device: &'a dyn Device) -> Buffers<'a> {
        Buffers {
            device,
            allocations: BTreeMap::new(),
            numbered: 0,
            pool: BTreeMap::new(),
            pool_bytes: 0,
            pooled: 0,
            live_bytes: 0,
            most_live_bytes: 0,
        }
    }

    /// A buffer, held once, and whether its memory comes from the pool, so that the device must be told of its new use. `busy` says
    /// which memory is used by steps that have not run.
    pub(super) fn alloc(
        &mut self,
        elem: ElemType,
        count: i64,
        name: &str,
        report: &mut RunReport,
        busy: &dyn Fn(DevicePtr, u64) -> bool,
    ) -> Result<(Buffer, Memory), RunErrorKind> {
        let bad = RunErrorKind::BadCount { count, elem };
        let Some(bytes) = u64::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(elem.size() as u64))
        else {
            return Err(bad);
        };
        if bytes > isize::MAX as u64 {
            return Err(bad);
        }
        let (ptr, memory) = match bytes {
            0 => (DevicePtr::NULL, Memory::New),
            _ => match self.pooled(bytes, busy) {
                Some(ptr) => (ptr, Memory::Reused { ptr, bytes }),
                None => {
                    report.device_allocations += 1;
                    (self.device.alloc(bytes, name)?, Memory::New)
                }
            },
        };
        let buffer = self.add(ptr, elem, count as u64, name, Owner::Run);
        self.live_bytes += bytes;
        report.allocations += 1;
        self.most_live_bytes = self.most_live_bytes.max(self.live_bytes);
        report.peak_bytes = self.most_live_bytes;
        report.peak_held_bytes = report
            .peak_held_bytes
            .max(self.live_bytes + self.pool_bytes);
        Ok((buffer, memory))
    }

    /// A buffer whose memory somebody else owns.
    pub(super) fn borrow(
        &mut self,
        ptr: DevicePtr,
        elem: ElemType,
        count: u64,
        name: &str,
    ) -> Buffer {
        self.add(ptr, elem, count, name, Owner::Caller)
    }

    fn add(
        &mut self,
        ptr: DevicePtr,
        elem: ElemType,
        count: u64,
        name: &str,
        owner: Owner,
    ) -> Buffer {
        let (bytes, name, expected) = (
            count * elem.size() as u64,
            name.to_owned(),
            owner == Owner::Caller,
        );
        let allocation = self.numbered;
        self.numbered += 1;
        self.allocations.insert(
            allocation,
            Allocation {
                ptr,
                bytes,
                count,
                references: 1,
                name,
                expected,
                owner,
            },
        );
        Buffer {
            allocation,
            elem,
            offset: 0,
            count,
        }
    }

    /// The buffer freed last of those no step is still to use; else the one freed first.
    fn pooled(&mut self, bytes: u64, busy: &dyn Fn(DevicePtr, u64) -> bool) -> Option<DevicePtr> {
        let free = self.pool.get_mut(&bytes)?;
        let idle = free.iter().rposition(|pooled| !busy(pooled.ptr, bytes));
        let taken = free.remove(idle.unwrap_or(0));
        if free.is_empty() {
            self.pool.remove(&bytes);
        }
        self.pool_bytes -= bytes;
        Some(taken.ptr)
    }

    /// Gives the pool's memory back to the device, which must have been given all steps that use it; whether there was any.
    pub(super) fn give_back(&mut self) -> Result<bool, DeviceError> {
        let any = !self.pool.is_empty();
        self.empty_pool().map(|()| any)
    }

    /// Whether the pool keeps more than was ever live.
    pub(super) fn has_large_pool(&self) -> bool {
        self.pool_bytes > self.most_live_bytes
    }

    /// Gives back what was freed first, until the pool is no longer large; as for [`Buffers::give_back`], the device must
    /// have been given all steps.
    pub(super) fn trim(&mut self) -> Result<(), DeviceError> {
        while self.has_large_pool() {
            let oldest = self
                .pool
                .iter()
                .filter_map(|(&bytes, free)| Some((free.first()?.since, bytes)));
            let Some((_, bytes)) = oldest.min() else {
                break;
            };
            let Some(free) = self.pool.get_mut(&bytes) else {
                break;
            };
            let Pooled { ptr, .. } = free.remove(0);
            if free.is_empty() {
                self.pool.remove(&bytes);
            }
            self.pool_bytes -= bytes;
            self.device.free(ptr)?;
        }
        Ok(())
    }

    fn empty_pool(&mut self) -> Result<(), DeviceError> {
        let mut result = Ok(());
        self.pool_bytes = 0;
        for pooled in std::mem::take(&mut self.pool).into_values().flatten() {
            let freed = self.device.free(pooled.ptr);
            result = result.and(freed);
        }
        result
    }

    /// One more reference; of what was freed already, none.
    pub(super) fn retain(&mut self, buffer: Buffer) {
        if let Some(allocation) = self.allocations.get_mut(&buffer.allocation) {
            allocation.references += 1;
        }
    }

    /// One reference less; the last one frees it. The plan may have freed it before.
    pub(super) fn release(&mut self, buffer: Buffer) {
        let Some(allocation) = self.allocations.get_mut(&buffer.allocation) else {
            return;
        };
        allocation.references -= 1;
        if allocation.references == 0 {
            self.remove(buffer.allocation);
        }
    }

    /// Takes an allocation from the table; its memory goes to the pool if the run may do so.
    fn remove(&mut self, allocation: u64) {
        let Some(Allocation {
            ptr,
            bytes,
            owner: Owner::Run,
            ..
        }) = self.allocations.remove(&allocation)
        else {
            return;
        };
        self.live_bytes -= bytes;
        if bytes > 0 {
            self.pool.entry(bytes).or_default().push(Pooled {
                ptr,
                since: self.pooled,
            });
            self.pool_bytes += bytes;
            self.pooled += 1;
        }
    }

    /// That a buffer is live at the end of the run is no leak: it is an argument or a result.
    pub(super) fn expect(&mut self, buffer: Buffer) {
        if let Some(allocation) = self.allocations.get_mut(&buffer.allocation) {
            allocation.expected = true;
        }
    }

    /// Names and sizes in bytes of the buffers that the plan should have freed.
    pub(super) fn leaked(&self) -> Vec<(String, u64)> {
        let left = self
            .allocations
            .values()
            .filter(|allocation| !allocation.expected);
        left.map(|allocation| (allocation.name.clone(), allocation.bytes))
            .collect()
    }

    pub(super) fn free(&mut self, buffer: Buffer) -> Result<(), RunErrorKind> {
        let allocation = self.live(buffer)?;
        if buffer.offset != 0 || buffer.count != allocation.count {
            return Err(RunErrorKind::Buffer(
                "a slice is freed; only whole buffers can be",
            ));
        }
        if allocation.owner == Owner::Caller {
            return Err(RunErrorKind::Buffer(
                "an argument is freed; it belongs to the caller",
            ));
        }
        self.remove(buffer.allocation);
        Ok(())
    }

    /// Frees everything that is left; returns how many buffers that were, or the first error.
    pub(super) fn close(&mut self) -> Result<usize, RunErrorKind> {
        let mut left = 0;
        let mut result = self.empty_pool().map_err(RunErrorKind::from);
        for allocation in std::mem::take(&mut self.allocations).into_values() {
            if allocation.owner == Owner::Caller {
                continue;
            }
            left += 1;
            if allocation.bytes > 0
                && let Err(error) = self.device.free(allocation.ptr)
                && result.is_ok()
            {
                result = Err(error.into());
            }
        }
        self.live_bytes = 0;
        result.map(|()| left)
    }

    fn live(&self, buffer: Buffer) -> Result<&Allocation, RunErrorKind> {
        let freed = RunErrorKind::Buffer("a buffer is used after it was freed");
        self.allocations.get(&buffer.allocation).ok_or(freed)
    }

    /// The address of the first element; no memory when the buffer is empty.
    pub(super) fn ptr(&self, buffer: Buffer) -> Result<DevicePtr, RunErrorKind> {
        let allocation = self.live(buffer)?;
        if allocation.bytes == 0 {
            return Ok(DevicePtr::NULL);
        }
        Ok(allocation
            .ptr
            .offset(buffer.offset * buffer.elem.size() as u64))
    }

    /// The address of `count` elements from `offset` on, which must be there.
    pub(super) fn range(
        &self,
        what: &'static str,
        buffer: Buffer,
        offset: i64,
        count: i64,
    ) -> Result<DevicePtr, RunErrorKind> {
        let ptr = self.ptr(buffer)?;
        let available = buffer.count;
        let fits = match (u64::try_from(offset), u64::try_from(count)) {
            (Ok(offset), Ok(count)) => offset
                .checked_add(count)
                .is_some_and(|end| end <= available),
            _ => false,
        };
        if !fits {
            return Err(RunErrorKind::Range {
                what,
                offset,
                count,
                available,
            });
        }
        Ok(ptr.offset(offset as u64 * buffer.elem.size() as u64))
    }

    /// The address of one element, which must be there.
    pub(super) fn element(&self, buffer: Buffer, index: i64) -> Result<DevicePtr, RunErrorKind> {
        let count = buffer.count;
        if u64::try_from(index).is_ok_and(|index| index < count) {
            return self.range("access", buffer, index, 1);
        }
        self.live(buffer)?;
        Err(RunErrorKind::OutOfRange { index, count })
    }

    pub(super) fn slice(
        &self,
        buffer: Buffer,
        offset: i64,
        count: i64,
    ) -> Result<Buffer, RunErrorKind> {
        self.range("slice", buffer, offset, count)?;
        Ok(Buffer {
            offset: buffer.offset + offset as u64,
            count: count as u64,
            ..buffer
        })
    }
}
