//! Shadow memory: who accessed a granule last.
//!
//! A granule is as small as the narrowest access of the kernel (1, 2 or 4 bytes), so neighbours in one word do not
//! seem to conflict. Shared memory belongs to one host thread and keeps the last write and two readers of the
//! current epoch; global memory keeps the last write and two readers, in atomics that all host threads share, in
//! chunks that are made when they are first touched. Both keep the last plain write, too, where strong ones followed.

use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;

/// Bytes of global memory one chunk of shadow is for.
const CHUNK_BYTES: u64 = 16 << 10;

/// Where the fields of a stamp in shared memory's shadow lie: epoch 31 bits, thread 11, clock 10, site 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SharedStamp(pub(crate) u64);

/// The epoch of an asynchronous copy that nobody has waited for: it comes after everything.
pub(crate) const IN_FLIGHT: u32 = (1 << 31) - 1;

/// Largest clock a shared stamp holds; larger ones read as this, and then count as known by whoever knows so much.
const SHARED_CLOCK: u32 = (1 << 10) - 1;

impl SharedStamp {
    pub(crate) const NONE: SharedStamp = SharedStamp(0);

    #[inline]
    pub(crate) fn new(epoch: u32, thread: u32, clock: u32, site: u32) -> SharedStamp {
        let clock = clock.min(SHARED_CLOCK);
        SharedStamp(
            u64::from(epoch) << 33
                | u64::from(thread) << 22
                | u64::from(clock) << 12
                | u64::from(site),
        )
    }

    #[inline]
    pub(crate) fn epoch(self) -> u32 {
        (self.0 >> 33) as u32
    }

    #[inline]
    pub(crate) fn thread(self) -> u32 {
        (self.0 >> 22) as u32 & 0x7ff
    }

    #[inline]
    pub(crate) fn clock(self) -> u32 {
        (self.0 >> 12) as u32 & SHARED_CLOCK
    }

    #[inline]
    pub(crate) fn site(self) -> u32 {
        self.0 as u32 & 0xfff
    }
}

/// Last accesses of a granule of shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedCell {
    pub(crate) write: SharedStamp,
    /// The last plain write, where strong ones (atomics) came after it: they are no race to each other, but to it.
    pub(crate) plain: SharedStamp,
    /// The first reader since the last write, and the last one that is another thread, of another warp if there was one.
    pub(crate) reads: [SharedStamp; 2],
}

impl SharedCell {
    pub(crate) const EMPTY: SharedCell = SharedCell {
        write: SharedStamp::NONE,
        plain: SharedStamp::NONE,
        reads: [SharedStamp::NONE; 2],
    };

    /// Remembers a write. Earlier accesses that a strong one is ordered behind may yet race with the next strong one.
    #[inline]
    pub(crate) fn written(&mut self, stamp: SharedStamp, strong: bool, keeps_last: bool) {
        if !strong {
            *self = SharedCell {
                write: stamp,
                ..SharedCell::EMPTY
            };
            return;
        }
        if keeps_last {
            self.plain = self.write;
        }
        self.write = stamp;
    }

    /// Remembers a read.
    #[inline]
    pub(crate) fn read_by(&mut self, stamp: SharedStamp) {
        let first = self.reads[0];
        let flies = first.epoch() == IN_FLIGHT;
        if first.epoch() != stamp.epoch() && !flies {
            self.reads = [stamp, SharedStamp::NONE];
        } else if first.thread() == stamp.thread() && !flies {
            self.reads[0] = stamp;
        } else if self.replaces_second(stamp) {
            self.reads[1] = stamp;
        }
    }

    /// Whether a reader is remembered instead of the second. One of another warp than the first stays: whoever writes
    /// next, and has met the lanes of its own warp only, then finds a reader that it has not met.
    #[inline]
    pub(crate) fn replaces_second(&self, reader: SharedStamp) -> bool {
        let [first, second] = self.reads;
        let of_first = |stamp: SharedStamp| stamp.thread() / 32 == first.thread() / 32;
        second.epoch() != reader.epoch() || of_first(second) || !of_first(reader)
    }
}

/// A stamp in global memory's shadow: block 23 bits, several blocks read 1, epoch 12, thread 10, clock 6, site 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GlobalStamp(pub(crate) u64);

/// Largest epoch a global stamp holds. Later epochs of a block read as this and are not compared within the block.
pub(crate) const LAST_EPOCH: u32 = (1 << 12) - 1;
const GLOBAL_CLOCK: u32 = (1 << 6) - 1;
const BLOCK_MASK: u32 = (1 << 23) - 1;
const SEVERAL: u64 = 1 << 40;

impl GlobalStamp {
    pub(crate) const NONE: GlobalStamp = GlobalStamp(0);

    #[inline]
    pub(crate) fn new(block: u32, epoch: u32, thread: u32, clock: u32, site: u32) -> GlobalStamp {
        GlobalStamp(
            u64::from(block & BLOCK_MASK) << 41
                | u64::from(epoch.min(LAST_EPOCH)) << 28
                | u64::from(thread) << 18
                | u64::from(clock.min(GLOBAL_CLOCK)) << 12
                | u64::from(site),
        )
    }

    /// A write of an asynchronous copy that nobody has waited for. No thread's clock is 0.
    #[inline]
    pub(crate) fn in_flight(self) -> bool {
        self != GlobalStamp::NONE && self.clock() == 0
    }

    /// The same, with a note that threads of several blocks have read the granule.
    #[inline]
    pub(crate) fn of_several(self) -> GlobalStamp {
        GlobalStamp(self.0 | SEVERAL)
    }

    #[inline]
    pub(crate) fn several(self) -> bool {
        self.0 & SEVERAL != 0
    }

    #[inline]
    pub(crate) fn block(self) -> u32 {
        (self.0 >> 41) as u32
    }

    #[inline]
    pub(crate) fn epoch(self) -> u32 {
        (self.0 >> 28) as u32 & LAST_EPOCH
    }

    #[inline]
    pub(crate) fn thread(self) -> u32 {
        (self.0 >> 18) as u32 & 0x3ff
    }

    #[inline]
    pub(crate) fn clock(self) -> u32 {
        (self.0 >> 12) as u32 & GLOBAL_CLOCK
    }

    #[inline]
    pub(crate) fn site(self) -> u32 {
        self.0 as u32 & 0xfff
    }
}

/// The block number as stamps hold it.
pub(crate) fn short_block(block: u64) -> u32 {
    block as u32 & BLOCK_MASK
}

/// Shadow of a range of global memory.
pub(crate) struct GlobalShadow {
    base: u64,
    granule_bits: u32,
    chunks: Vec<OnceLock<Box<[AtomicU64]>>>,
}

impl GlobalShadow {
    pub(crate) fn new(base: u64, bytes: u64, granule: u32) -> GlobalShadow {
        let count = bytes.div_ceil(CHUNK_BYTES) as usize;
        GlobalShadow {
            base,
            granule_bits: granule.trailing_zeros(),
            chunks: (0..count).map(|_| OnceLock::new()).collect(),
        }
    }

    pub(crate) fn granule_bits(&self) -> u32 {
        self.granule_bits
    }

    /// Last write, last plain write behind which strong ones came, and the last and the first reader, if another thread of the
    /// same block, of the granule an address lies in; `None` outside the range.
    #[inline]
    pub(crate) fn cell(&self, address: u64) -> Option<&[AtomicU64; 4]> {
        let offset = address.wrapping_sub(self.base);
        let chunk = self
            .chunks
            .get((offset / CHUNK_BYTES) as usize)?
            .get_or_init(|| {
                let cells = 4 * (CHUNK_BYTES >> self.granule_bits);
                (0..cells).map(|_| AtomicU64::new(0)).collect()
            });
        let at = 4 * ((offset % CHUNK_BYTES) >> self.granule_bits) as usize;
        chunk.get(at..)?.first_chunk()
    }
}

#[inline]
pub(crate) fn load(cell: &AtomicU64) -> GlobalStamp {
    GlobalStamp(cell.load(Ordering::Relaxed))
}

#[inline]
pub(crate) fn store(cell: &AtomicU64, stamp: GlobalStamp) {
    cell.store(stamp.0, Ordering::Relaxed);
}

/// One bit per byte: whether it was ever written.
#[derive(Clone, Debug, Default)]
pub(crate) struct WrittenBytes {
    bits: Vec<u64>,
}

impl WrittenBytes {
    pub(crate) fn new(bytes: usize) -> WrittenBytes {
        WrittenBytes {
            bits: vec![0; bytes.div_ceil(64)],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.bits.fill(0);
    }

    /// The word and the bits in it of bytes that do not cross a multiple of 64, of which there are at least one.
    #[inline]
    fn range(&self, at: usize, bytes: u32) -> Option<(usize, u64)> {
        let inside = bytes <= 64 - (at % 64) as u32 && at / 64 < self.bits.len();
        inside.then(|| (at / 64, u64::MAX >> (64 - bytes.clamp(1, 64)) << (at % 64)))
    }

    /// Marks bytes that do not cross a multiple of 64.
    #[inline]
    pub(crate) fn mark(&mut self, at: u64, bytes: u32) {
        if let Some((word, ones)) = self.range(at as usize, bytes) {
            self.bits[word] |= ones;
        }
    }

    /// The same, to the contrary.
    #[inline]
    pub(crate) fn unmark(&mut self, at: u64, bytes: u32) {
        if let Some((word, ones)) = self.range(at as usize, bytes) {
            self.bits[word] &= !ones;
        }
    }

    /// Whether any of those bytes is marked; true outside.
    #[inline]
    pub(crate) fn any(&self, at: u64, bytes: u32) -> bool {
        self.range(at as usize, bytes)
            .is_none_or(|(word, ones)| self.bits[word] & ones != 0)
    }

    /// Whether all of those bytes are marked; true outside.
    #[inline]
    pub(crate) fn all(&self, at: u64, bytes: u32) -> bool {
        self.range(at as usize, bytes)
            .is_none_or(|(word, ones)| self.bits[word] & ones == ones)
    }
}
