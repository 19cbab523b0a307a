//! Counters of one host thread while a launch runs.

use crate::regs::{LANES, lanes};

/// Bytes of a sector, the unit of traffic between the L2 cache and memory.
pub const SECTOR_BYTES: u64 = 32;

/// Counters of one host thread; merged at the end of a launch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counters {
    /// Warp and thread executions of each instruction.
    pub(crate) executed: Vec<(u64, u64)>,
    pub(crate) bytes_read: u64,
    pub(crate) bytes_written: u64,
    pub(crate) sectors_read: u64,
    pub(crate) sectors_written: u64,
    pub(crate) sectors_atomic: u64,
    pub(crate) global_loads: u64,
    pub(crate) global_stores: u64,
    pub(crate) global_atomics: u64,
    pub(crate) shared_load: u64,
    pub(crate) shared_store: u64,
    pub(crate) shared_atomic: u64,
    pub(crate) branches: u64,
    pub(crate) divergent: u64,
    pub(crate) barriers: u64,
    /// Text printed by the block that runs.
    pub(crate) printed: String,
    /// Text printed by earlier blocks, with their linear index.
    pub(crate) pages: Vec<(u64, String)>,
}

impl Counters {
    pub(crate) fn new(instructions: usize) -> Counters {
        Counters {
            executed: vec![(0, 0); instructions],
            ..Counters::default()
        }
    }

    pub(crate) fn global_read(&mut self, addresses: &[u64; LANES], mask: u32, bytes: u32) {
        self.global_loads += 1;
        self.bytes_read += u64::from(mask.count_ones() * bytes);
        self.sectors_read += sectors(addresses, mask, bytes);
    }

    pub(crate) fn global_write(&mut self, addresses: &[u64; LANES], mask: u32, bytes: u32) {
        self.global_stores += 1;
        self.bytes_written += u64::from(mask.count_ones() * bytes);
        self.sectors_written += sectors(addresses, mask, bytes);
    }

    pub(crate) fn global_atomic(&mut self, addresses: &[u64; LANES], mask: u32, bytes: u32) {
        self.global_atomics += 1;
        self.sectors_atomic += sectors(addresses, mask, bytes);
    }

    /// A piece of a bulk copy from global memory, in whole sectors.
    pub(crate) fn global_bulk_read(&mut self, address: u64, bytes: u64) {
        self.global_loads += 1;
        self.bytes_read += bytes;
        self.sectors_read += sectors_of_range(address, bytes);
    }

    /// A piece of a bulk copy to global memory.
    pub(crate) fn global_bulk_write(&mut self, address: u64, bytes: u64) {
        self.global_stores += 1;
        self.bytes_written += bytes;
        self.sectors_written += sectors_of_range(address, bytes);
    }

    pub(crate) fn merge(&mut self, other: &Counters) {
        self.combine(other, |mine, theirs| mine + theirs);
        self.pages.extend(other.pages.iter().cloned());
    }

    /// Every count becomes what `combined` makes of it and the other's; what was printed stays.
    pub(crate) fn combine(&mut self, other: &Counters, combined: impl Fn(u64, u64) -> u64) {
        for (mine, theirs) in self.executed.iter_mut().zip(&other.executed) {
            *mine = (combined(mine.0, theirs.0), combined(mine.1, theirs.1));
        }
        self.bytes_read = combined(self.bytes_read, other.bytes_read);
        self.bytes_written = combined(self.bytes_written, other.bytes_written);
        self.sectors_read = combined(self.sectors_read, other.sectors_read);
        self.sectors_written = combined(self.sectors_written, other.sectors_written);
        self.sectors_atomic = combined(self.sectors_atomic, other.sectors_atomic);
        self.global_loads = combined(self.global_loads, other.global_loads);
        self.global_stores = combined(self.global_stores, other.global_stores);
        self.global_atomics = combined(self.global_atomics, other.global_atomics);
        self.shared_load = combined(self.shared_load, other.shared_load);
        self.shared_store = combined(self.shared_store, other.shared_store);
        self.shared_atomic = combined(self.shared_atomic, other.shared_atomic);
        self.branches = combined(self.branches, other.branches);
        self.divergent = combined(self.divergent, other.divergent);
        self.barriers = combined(self.barriers, other.barriers);
    }

    /// Puts away what block `index` printed.
    pub(crate) fn end_page(&mut self, index: u64) {
        if !self.printed.is_empty() {
            self.pages.push((index, core::mem::take(&mut self.printed)));
        }
    }

    pub(crate) fn printed_text(&self) -> String {
        let mut pages: Vec<_> = self.pages.iter().collect();
        pages.sort_by_key(|(index, _)| *index);
        pages.into_iter().map(|(_, text)| text.as_str()).collect()
    }
}

fn sectors_of_range(address: u64, bytes: u64) -> u64 {
    if bytes == 0 {
        0
    } else {
        (address + bytes - 1) / SECTOR_BYTES - address / SECTOR_BYTES + 1
    }
}

/// The distance of each lane's address from the one before, where it is the same for all and not negative.
fn stride(addresses: &[u64; LANES]) -> Option<u64> {
    let stride = addresses[1].checked_sub(addresses[0])?;
    let other = addresses.windows(2).fold(0, |other, pair| {
        other | (pair[1].wrapping_sub(pair[0]) ^ stride)
    });
    (other == 0).then_some(stride)
}

/// Distinct sectors a warp's request touches. An element never crosses a sector: it is aligned to its size.
fn sectors(addresses: &[u64; LANES], mask: u32, bytes: u32) -> u64 {
    let per_lane = u64::from(bytes).div_ceil(SECTOR_BYTES).max(1);
    // Most requests are of all lanes at one stride: with none or small ones, no sector between the ends is left out.
    if mask == u32::MAX
        && let Some(stride) = stride(addresses)
    {
        let distinct = match stride {
            0..=SECTOR_BYTES => {
                addresses[LANES - 1] / SECTOR_BYTES - addresses[0] / SECTOR_BYTES + 1
            }
            _ => LANES as u64,
        };
        return distinct * per_lane;
    }
    let mut seen = [0u64; LANES];
    let (mut count, mut sorted) = (0usize, true);
    for lane in lanes(mask) {
        let sector = addresses[lane] / SECTOR_BYTES;
        if count > 0 {
            if seen[count - 1] == sector {
                continue;
            }
            sorted &= seen[count - 1] < sector;
        }
        seen[count] = sector;
        count += 1;
    }
    if !sorted {
        seen[..count].sort_unstable();
        let mut distinct = 1;
        for at in 1..count {
            distinct += usize::from(seen[at] != seen[at - 1]);
        }
        count = distinct;
    }
    count as u64 * per_lane
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(stride: u64) -> [u64; LANES] {
        core::array::from_fn(|lane| 4096 + lane as u64 * stride)
    }

    #[test]
    fn sectors_per_request_of_strided_accesses() {
        let of = |stride, bytes| sectors(&strided(stride), u32::MAX, bytes);
        assert_eq!(of(4, 4), 4);
        assert_eq!(of(8, 4), 8);
        assert_eq!(of(16, 4), 16);
        assert_eq!(of(32, 4), 32);
        assert_eq!(of(16, 16), 16);
        assert_eq!(of(0, 4), 1);
    }

    #[test]
    fn requests_at_a_stride_count_as_any_others() {
        for stride in [0, 1, 2, 4, 8, 12, 16, 20, 32, 36, 64, 4096] {
            for start in [0, 4, 20, 28] {
                let addresses: [u64; LANES] =
                    core::array::from_fn(|lane| 4096 + start + lane as u64 * stride);
                let mut others = addresses;
                others.swap(0, 31);
                let (one, other) = (
                    sectors(&addresses, u32::MAX, 4),
                    sectors(&others, u32::MAX, 4),
                );
                assert_eq!(one, other, "stride {stride} from {start}");
            }
        }
    }

    #[test]
    fn unordered_addresses_count_each_sector_once() {
        let mut addresses = strided(4);
        addresses.reverse();
        assert_eq!(sectors(&addresses, u32::MAX, 4), 4);
        addresses.swap(0, 31);
        assert_eq!(sectors(&addresses, u32::MAX, 4), 4);
    }
}
