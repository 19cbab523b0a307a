//! A sectored, set-associative cache: what it holds, not what is in it.
//!
//! A line is looked up by a hashed set index, so power-of-two strides spread over the sets as on hardware. Sectors of
//! a line are filled one by one. Deterministic also under random replacement: the generator belongs to the cache.

use serde::Serialize;

/// The line that a full set gives up for one that is not there.
///
/// Source: column-based iteration thesis, 2.1.2: older chips replace the least recently used line; on Volta and Turing the
/// test for that fails, and four neighbouring lines are seen to go at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Replacement {
    /// The one used least recently.
    Lru,
    /// Any, from a fixed pseudo-random sequence.
    Random,
    /// Any four neighbours at once, from the same sequence.
    RandomFour,
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

impl Line {
    /// An access of a sector of this line at this time; whether the sector was there.
    #[inline]
    fn touch(&mut self, sector: u8, dirty: u8, stay: Stay, clock: u64) -> bool {
        let hit = self.present & sector != 0;
        match stay {
            Stay::Normal => self.used = clock,
            Stay::Briefly => {}
            Stay::Not => return hit,
        }
        self.present |= sector;
        self.dirty |= dirty;
        hit
    }
}

/// The state of a cache.
#[derive(Clone)]
pub struct Cache {
    shape: CacheShape,
    sets: u64,
    lines: Vec<Line>,
    clock: u64,
    random: u64,
}

/// How long a line that an access fills is to stay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stay {
    /// Until its turn comes by the cache's own rule.
    #[default]
    Normal,
    /// It is the first to go (`evict_first`, `.cs`).
    Briefly,
    /// It is not filled (`no_allocate`).
    Not,
}

/// The outcome of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the sector was there.
    pub hit: bool,
    /// Dirty sectors of the evicted lines.
    pub written_back: u32,
}

impl CacheShape {
    /// A cache of so many lines in which any line may lie anywhere, least recently used goes first: the one of textbooks, and
    /// of the thesis' analysis (3.1). `line_bytes` is a power of two.
    pub const fn fully_associative(lines: u32, line_bytes: u32) -> CacheShape {
        CacheShape {
            bytes: lines as u64 * line_bytes as u64,
            line_bytes,
            sector_bytes: line_bytes,
            ways: lines,
            replacement: Replacement::Lru,
        }
    }

    /// Lines it holds.
    pub const fn lines(&self) -> u64 {
        self.bytes
            / if self.line_bytes == 0 {
                1
            } else {
                self.line_bytes as u64
            }
    }
}

/// The line of a set that was used longest ago.
fn oldest(set: &[Line]) -> usize {
    let oldest = set.iter().enumerate().min_by_key(|(_, line)| line.used);
    oldest.map_or(0, |(place, _)| place)
}

impl Cache {
    /// An empty cache.
    pub fn new(shape: CacheShape) -> Cache {
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
    pub fn access(&mut self, address: u64, writes: bool) -> Outcome {
        self.access_for(address, writes, Stay::Normal)
    }

    /// As [`Self::access`], with a hint for the line where it is not there.
    pub fn access_for(&mut self, address: u64, writes: bool, stay: Stay) -> Outcome {
        let (tag, start, sector) = self.place(address);
        self.clock += 1;
        let dirty = if writes { sector } else { 0 };
        let set = &mut self.lines[start..start + self.shape.ways.max(1) as usize];
        if let Some(line) = set.iter_mut().find(|line| line.tag == tag) {
            return Outcome {
                hit: line.touch(sector, dirty, stay, self.clock),
                written_back: 0,
            };
        }
        if stay == Stay::Not {
            return Outcome {
                hit: false,
                written_back: 0,
            };
        }
        // A line that is there briefly was never used, so it is the oldest, too.
        let free = set.iter().position(|line| line.tag == 0);
        let free = free.or_else(|| set.iter().position(|line| line.used == 0));
        let (first, count) = match (self.shape.replacement, free) {
            (Replacement::Lru, _) => (oldest(set), 1),
            (_, Some(free)) => (free, 1),
            (replacement, None) => {
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                let any = (self.random >> 33) as usize % set.len();
                if replacement == Replacement::Random {
                    (any, 1)
                } else {
                    (any / 4 * 4, 4)
                }
            }
        };
        let mut written_back = 0;
        for victim in set.iter_mut().skip(first).take(count) {
            written_back += victim.dirty.count_ones();
            *victim = Line::default();
        }
        if let Some(line) = set.get_mut(first) {
            *line = Line {
                tag,
                used: match stay {
                    Stay::Normal => self.clock,
                    Stay::Briefly | Stay::Not => 0,
                },
                present: sector,
                dirty,
            };
        }
        Outcome {
            hit: false,
            written_back,
        }
    }

    /// The set that the line of an address lies in.
    pub fn set_of(&self, address: u64) -> u64 {
        self.place(address).1 as u64 / u64::from(self.shape.ways.max(1))
    }

    /// First addresses of the lines it holds, in no order.
    pub fn held(&self) -> impl Iterator<Item = u64> {
        let bytes = u64::from(self.shape.line_bytes);
        let full = self.lines.iter().filter(|line| line.tag > 0);
        full.map(move |line| (line.tag - 1) * bytes)
    }

    /// Dirty sectors that are left.
    pub fn dirty_sectors(&self) -> u64 {
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
    #[test]
    fn four_neighbours_go_at_once_where_the_policy_says_so() {
        let mut cache = Cache::new(CacheShape {
            replacement: Replacement::RandomFour,
            ..SHAPE
        });
        (0..8).for_each(|line| assert!(!cache.access(line * 128, true).hit));
        let ninth = cache.access(8 * 128, false);
        assert_eq!((ninth.written_back, cache.held().count()), (4, 5));
    }

    #[test]
    fn what_stays_briefly_is_the_first_to_go_and_what_stays_not_takes_no_place() {
        for replacement in [
            Replacement::Lru,
            Replacement::Random,
            Replacement::RandomFour,
        ] {
            let filled = || {
                let mut cache = Cache::new(CacheShape {
                    replacement,
                    ..SHAPE
                });
                (0..7).for_each(|line| assert!(!cache.access(line * 128, false).hit));
                cache
            };
            let mut kept = filled();
            for line in 7..100 {
                assert!(!kept.access_for(line * 128, false, Stay::Briefly).hit);
            }
            assert!(kept.access_for(99 * 128, false, Stay::Briefly).hit);
            assert!(
                (0..7).all(|line| kept.access(line * 128, false).hit),
                "{replacement:?}"
            );
            let mut none = filled();
            for line in 7..100 {
                assert!(!none.access_for(line * 128, false, Stay::Not).hit);
            }
            assert!(none.access_for(128, false, Stay::Not).hit);
            assert_eq!(none.held().count(), 7);
        }
    }

    #[test]
    fn a_fully_associative_cache_has_one_set() {
        let cache = Cache::new(CacheShape::fully_associative(24, 16));
        assert!((0..1000).all(|line| cache.set_of(line * 16) == 0));
        assert_eq!(CacheShape::fully_associative(24, 16).lines(), 24);
    }
}
