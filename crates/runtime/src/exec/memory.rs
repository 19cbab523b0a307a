//! The device buffers of one run.
//!
//! What is freed goes to a pool by its size, and the next buffer of just that size takes it: a loop that makes buffers in
//! every step asks the device for memory in its first steps only. Exactly that size, so that devices that check accesses
//! know where a buffer ends. Memory may come out of the pool while steps that use it have not run: the schedule orders
//! steps by address, so what uses it next comes after them. Memory that no such step uses is taken first.
//!
//! Invariant: every live allocation is in the table, and [`Buffers::release`] frees what is left, pool and all, so a run
//! ends with no allocation of its own whatever happened. Empty buffers have no device memory.

use super::error::RunErrorKind;
use super::report::RunReport;
use crate::device::{Device, DeviceError, DevicePtr};
use segra_artifact::ElemType;
use std::collections::BTreeMap;

/// A buffer in a slot: some elements of an allocation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffer {
    allocation: usize,
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
    live: bool,
    name: String,
    /// Whether it may be live at the end of a run: arguments and results are.
    expected: bool,
    owner: Owner,
}

pub(super) struct Buffers<'a> {
    device: &'a dyn Device,
    allocations: Vec<Allocation>,
    /// Freed memory by its bytes, what was freed last at the end.
    pool: BTreeMap<u64, Vec<DevicePtr>>,
    live_bytes: u64,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(device: &'a dyn Device) -> Buffers<'a> {
        Buffers { device, allocations: Vec::new(), pool: BTreeMap::new(), live_bytes: 0 }
    }

    /// A buffer, and whether its memory comes from the pool, so that the device must be told of its new use. `busy` says
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
        let Some(bytes) = u64::try_from(count).ok().and_then(|count| count.checked_mul(elem.size() as u64))
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
        report.peak_bytes = report.peak_bytes.max(self.live_bytes);
        Ok((buffer, memory))
    }

    /// A buffer whose memory somebody else owns.
    pub(super) fn borrow(&mut self, ptr: DevicePtr, elem: ElemType, count: u64, name: &str) -> Buffer {
        self.add(ptr, elem, count, name, Owner::Caller)
    }

    fn add(&mut self, ptr: DevicePtr, elem: ElemType, count: u64, name: &str, owner: Owner) -> Buffer {
        let (bytes, name, expected) = (count * elem.size() as u64, name.to_owned(), owner == Owner::Caller);
        self.allocations.push(Allocation { ptr, bytes, count, live: true, name, expected, owner });
        Buffer { allocation: self.allocations.len() - 1, elem, offset: 0, count }
    }

    /// What was freed last of what no step is still to use; else what was freed first.
    fn pooled(&mut self, bytes: u64, busy: &dyn Fn(DevicePtr, u64) -> bool) -> Option<DevicePtr> {
        let free = self.pool.get_mut(&bytes).filter(|free| !free.is_empty())?;
        let idle = free.iter().rposition(|&ptr| !busy(ptr, bytes));
        Some(free.remove(idle.unwrap_or(0)))
    }

    /// Gives the pool's memory back to the device, which must have run all steps that use it; whether there was any.
    pub(super) fn give_back(&mut self) -> Result<bool, DeviceError> {
        let any = self.pool.values().any(|free| !free.is_empty());
        self.empty_pool().map(|()| any)
    }

    fn empty_pool(&mut self) -> Result<(), DeviceError> {
        let mut result = Ok(());
        for ptr in std::mem::take(&mut self.pool).into_values().flatten() {
            let freed = self.device.free(ptr);
            result = result.and(freed);
        }
        result
    }

    /// That a buffer is live at the end of the run is no leak: it is an argument or a result.
    pub(super) fn expect(&mut self, buffer: Buffer) {
        if let Some(allocation) = self.allocations.get_mut(buffer.allocation) {
            allocation.expected = true;
        }
    }

    /// Names and sizes in bytes of the buffers that the plan should have freed.
    pub(super) fn leaked(&self) -> Vec<(String, u64)> {
        let left = self.allocations.iter().filter(|allocation| allocation.live && !allocation.expected);
        left.map(|allocation| (allocation.name.clone(), allocation.bytes)).collect()
    }

    pub(super) fn free(&mut self, buffer: Buffer) -> Result<(), RunErrorKind> {
        let allocation = self.live(buffer)?;
        if buffer.offset != 0 || buffer.count != allocation.count {
            return Err(RunErrorKind::Buffer("a slice is freed; only whole buffers can be"));
        }
        if allocation.owner == Owner::Caller {
            return Err(RunErrorKind::Buffer("an argument is freed; it belongs to the caller"));
        }
        let (ptr, bytes) = (allocation.ptr, allocation.bytes);
        self.allocations[buffer.allocation].live = false;
        self.live_bytes -= bytes;
        if bytes > 0 {
            self.pool.entry(bytes).or_default().push(ptr);
        }
        Ok(())
    }

    /// Frees everything that is left; returns how many buffers that were, or the first error.
    pub(super) fn release(&mut self) -> Result<usize, RunErrorKind> {
        let mut left = 0;
        let mut result = self.empty_pool().map_err(RunErrorKind::from);
        for allocation in self.allocations.iter_mut().filter(|allocation| allocation.live) {
            allocation.live = false;
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
        match self.allocations.get(buffer.allocation) {
            Some(allocation) if allocation.live => Ok(allocation),
            _ => Err(RunErrorKind::Buffer("a buffer is used after it was freed")),
        }
    }

    /// The address of the first element; no memory when the buffer is empty.
    pub(super) fn ptr(&self, buffer: Buffer) -> Result<DevicePtr, RunErrorKind> {
        let allocation = self.live(buffer)?;
        if allocation.bytes == 0 {
            return Ok(DevicePtr::NULL);
        }
        Ok(allocation.ptr.offset(buffer.offset * buffer.elem.size() as u64))
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
            (Ok(offset), Ok(count)) => offset.checked_add(count).is_some_and(|end| end <= available),
            _ => false,
        };
        if !fits {
            return Err(RunErrorKind::Range { what, offset, count, available });
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

    pub(super) fn slice(&self, buffer: Buffer, offset: i64, count: i64) -> Result<Buffer, RunErrorKind> {
        self.range("slice", buffer, offset, count)?;
        Ok(Buffer { offset: buffer.offset + offset as u64, count: count as u64, ..buffer })
    }
}
