//! Bytes that many host threads may read and write at once.
//!
//! Device memory is shared by all thread blocks, which run on several host threads. Every access here is an atomic
//! of the access's own width with relaxed ordering, so a race in a simulated program is a race between atomics:
//! it gives some value, never undefined behaviour of the simulator. The unsafe code is confined to forming those
//! atomics at checked, aligned offsets of one allocation this type owns.
#![allow(
    unsafe_code,
    reason = "atomics of several widths over one allocation have no safe form in the standard library"
)]

use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A fixed block of zero-initialised shared bytes, aligned to eight.
pub(crate) struct Cells {
    words: Vec<AtomicU64>,
    bytes: u64,
}

macro_rules! accessors {
    ($load:ident, $store:ident, $atomic:ident, $value:ty, $ty:ty) => {
        /// Loads at a byte offset; `None` when out of range or misaligned.
        #[inline(always)]
        pub(crate) fn $load(&self, offset: u64) -> Option<$value> {
            self.$atomic(offset)
                .map(|cell| cell.load(Ordering::Relaxed))
        }

        /// Stores at a byte offset; `None` when out of range or misaligned.
        #[inline(always)]
        pub(crate) fn $store(&self, offset: u64, value: $value) -> Option<()> {
            self.$atomic(offset)
                .map(|cell| cell.store(value, Ordering::Relaxed))
        }

        /// The cell at a byte offset; `None` when out of range or misaligned.
        #[inline(always)]
        pub(crate) fn $atomic(&self, offset: u64) -> Option<&$ty> {
            const SIZE: u64 = size_of::<$value>() as u64;
            if !offset.is_multiple_of(SIZE) || offset >= self.bytes || self.bytes - offset < SIZE {
                return None;
            }
            // SAFETY: `words` is one allocation of at least `bytes` bytes aligned to 8 (`AtomicU64` promises it
            // on every target we build for), the offset is in range and aligned to the size, and atomics may be
            // written through a shared reference. Accesses of other widths to the same bytes are atomics too.
            Some(unsafe {
                <$ty>::from_ptr(
                    self.words
                        .as_ptr()
                        .cast::<u8>()
                        .cast_mut()
                        .add(offset as usize)
                        .cast(),
                )
            })
        }
    };
}

impl Cells {
    /// Allocates; the host commits pages only when they are touched.
    pub(crate) fn new(bytes: u64) -> Cells {
        let count = bytes.div_ceil(8) as usize;
        let zeros = core::mem::ManuallyDrop::new(vec![0u64; count]);
        // SAFETY: `AtomicU64` has the size, alignment and bit validity of `u64`; pointer, length and capacity come
        // from a vector that is not dropped.
        let words = unsafe {
            Vec::from_raw_parts(zeros.as_ptr().cast_mut().cast(), count, zeros.capacity())
        };
        Cells { words, bytes }
    }

    pub(crate) fn len(&self) -> u64 {
        self.bytes
    }

    accessors!(load8, store8, atomic8, u8, AtomicU8);
    accessors!(load16, store16, atomic16, u16, AtomicU16);
    accessors!(load32, store32, atomic32, u32, AtomicU32);
    accessors!(load64, store64, atomic64, u64, AtomicU64);

    /// Copies out; `None` when out of range.
    pub(crate) fn read(&self, offset: u64, out: &mut [u8]) -> Option<()> {
        let end = offset
            .checked_add(out.len() as u64)
            .filter(|&end| end <= self.bytes)?;
        let mut at = offset;
        let mut rest = out;
        while at < end {
            if at.is_multiple_of(8) && end - at >= 8 {
                let (head, tail) = rest.split_at_mut(8);
                head.copy_from_slice(&self.load64(at)?.to_le_bytes());
                rest = tail;
                at += 8;
            } else {
                let (head, tail) = rest.split_at_mut(1);
                head[0] = self.load8(at)?;
                rest = tail;
                at += 1;
            }
        }
        Some(())
    }

    /// Copies in; `None` when out of range.
    pub(crate) fn write(&self, offset: u64, data: &[u8]) -> Option<()> {
        let end = offset
            .checked_add(data.len() as u64)
            .filter(|&end| end <= self.bytes)?;
        let mut at = offset;
        let mut rest = data;
        while at < end {
            if at.is_multiple_of(8) && end - at >= 8 {
                let (head, tail) = rest.split_at(8);
                let mut word = [0; 8];
                word.copy_from_slice(head);
                self.store64(at, u64::from_le_bytes(word))?;
                rest = tail;
                at += 8;
            } else {
                self.store8(at, rest[0])?;
                rest = &rest[1..];
                at += 1;
            }
        }
        Some(())
    }

    /// Fills a range with one byte value; `None` when out of range.
    pub(crate) fn fill(&self, offset: u64, bytes: u64, value: u8) -> Option<()> {
        let chunk = [value; 4096];
        let mut at = 0;
        while at < bytes {
            let part = (bytes - at).min(4096);
            self.write(offset + at, &chunk[..part as usize])?;
            at += part;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_written_in_one_width_are_read_in_another() {
        let cells = Cells::new(24);
        assert_eq!(cells.store64(8, 0x0807_0605_0403_0201), Some(()));
        assert_eq!(cells.load8(9), Some(2));
        assert_eq!(cells.load16(10), Some(0x0403));
        assert_eq!(cells.load32(12), Some(0x0807_0605));
        let mut out = [0; 7];
        assert_eq!(cells.read(9, &mut out), Some(()));
        assert_eq!(out, [2, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn misaligned_and_out_of_range_accesses_are_refused() {
        let cells = Cells::new(10);
        assert_eq!(cells.load32(2), None);
        assert_eq!(cells.load32(8), None);
        assert_eq!(cells.load16(8), Some(0));
        assert_eq!(cells.load8(u64::MAX), None);
        assert_eq!(cells.write(4, &[0; 7]), None);
    }
}
