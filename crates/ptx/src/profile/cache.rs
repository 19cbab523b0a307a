//! A sectored, set-associative cache: what it holds, not what is in it.
//!
//! A line is looked up by a hashed set index, so power-of-two strides spread over the sets as on hardware. Sectors of
//! a line are filled one by one. Deterministic also under random replacement: the generator belongs to the cache.

use serde::Serialize;

/// The line of a full set that is evicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Replacement {
    /// The one used least recently.
    Lru,
    /// Any, from a fixed pseudo-random sequence.
    Random,
}

/// Size and organisation of a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct CacheShape {
    /// Bytes it holds.
    pub bytes: u64,
    /// Bytes of a line, a power of two.
    pub line_bytes: u32,
    /// Bytes of a sector, a power of two of which at most 8 make a line.
    pub sector_bytes: u32,
    /// Lines per set.
    pub ways: u32,
    /// The evicted line.
    pub replacement: Replacement,
}

#[derive(Clone, Copy, Default)]
struct Line {
    /// Line number plus one; 0 is empty.
    tag: u64,
    used: u64,
    /// Sectors that are there, and those that differ from the level below.
    present: u8,
    dirty: u8,
}

/// The state of a cache.
pub(crate) struct Cache {
    shape: CacheShape,
    sets: u64,
    lines: Vec<Line>,
    clock: u64,
    random: u64,
}

/// The outcome of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) hit: bool,
    /// Dirty sectors of the evicted line.
    pub(crate) written_back: u32,
}

impl Cache {
    pub(crate) fn new(shape: CacheShape) -> Cache {
        let ways = u64::from(shape.ways.max(1));
        let sets = (shape.bytes / u64::from(shape.line_bytes.max(1)) / ways).max(1);
        Cache {
            shape,
            sets,
            lines: vec![Line::default(); (sets * ways) as usize],
            clock: 0,
            random: 0x9e37_79b9_7f4a_7c15,
        }
    }

    fn place(&self, address: u64) -> (u64, usize, u8) {
        let line = address / u64::from(self.shape.line_bytes);
        let sector =
            address % u64::from(self.shape.line_bytes) / u64::from(self.shape.sector_bytes);
        let hashed = line ^ line >> 7 ^ line >> 13 ^ line >> 19;
        let start = (hashed % self.sets) as usize * self.shape.ways.max(1) as usize;
        (line + 1, start, 1 << (sector & 7))
    }

    /// Looks a sector up and fills it where it is missing. A write makes it dirty.
    pub(crate) fn access(&mut self, address: u64, writes: bool) -> Outcome {
        let (tag, start, sector) = self.place(address);
        self.clock += 1;
        let dirty = if writes { sector } else { 0 };
        let set = &mut self.lines[start..start + self.shape.ways.max(1) as usize];
        if let Some(line) = set.iter_mut().find(|line| line.tag == tag) {
            let hit = line.present & sector != 0;
            line.used = self.clock;
            line.present |= sector;
            line.dirty |= dirty;
            return Outcome {
                hit,
                written_back: 0,
            };
        }
        let victim = match self.shape.replacement {
            Replacement::Lru => set.iter_mut().min_by_key(|line| line.used),
            Replacement::Random => {
                let free = set.iter().position(|line| line.tag == 0);
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                let any = (self.random >> 33) as usize % set.len();
                set.get_mut(free.unwrap_or(any))
            }
        };
        let mut written_back = 0;
        if let Some(line) = victim {
            written_back = line.dirty.count_ones();
            *line = Line {
                tag,
                used: self.clock,
                present: sector,
                dirty,
            };
        }
        Outcome {
            hit: false,
            written_back,
        }
    }

    /// Dirty sectors that are left.
    pub(crate) fn dirty_sectors(&self) -> u64 {
        self.lines
            .iter()
            .map(|line| u64::from(line.dirty.count_ones()))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: CacheShape = CacheShape {
        bytes: 1024,
        line_bytes: 128,
        sector_bytes: 32,
        ways: 8,
        replacement: Replacement::Lru,
    };

    #[test]
    fn sectors_of_a_line_are_filled_one_by_one() {
        let mut cache = Cache::new(SHAPE);
        assert!(!cache.access(0, false).hit);
        assert!(cache.access(4, false).hit);
        assert!(!cache.access(32, false).hit);
        assert!(cache.access(0, false).hit);
    }

    #[test]
    fn the_least_recently_used_line_makes_room_and_its_dirty_sectors_are_written_back() {
        // One set of eight lines.
        let mut cache = Cache::new(SHAPE);
        cache.access(0, true);
        cache.access(32, true);
        for line in 1..8 {
            cache.access(line * 128, false);
        }
        cache.access(128, false);
        assert_eq!(
            cache.access(8 * 128, false).written_back,
            2,
            "line 0 was the oldest"
        );
        assert!(cache.access(128, false).hit);
        assert!(!cache.access(0, false).hit);
        assert_eq!(cache.dirty_sectors(), 0);
    }

    #[test]
    fn random_replacement_is_the_same_in_every_run() {
        // Ten lines in turn through eight ways: the oldest is always the next that is wanted.
        let run = |replacement| {
            let mut cache = Cache::new(CacheShape {
                replacement,
                ..SHAPE
            });
            (0..1000u64)
                .filter(|i| cache.access(i % 10 * 128, false).hit)
                .count()
        };
        assert_eq!(run(Replacement::Random), run(Replacement::Random));
        assert_eq!(run(Replacement::Lru), 0);
        assert!(run(Replacement::Random) > 200);
    }
}
