//! Shared memory: how often its banks must be asked for one request (wavefronts).
//!
//! 32 banks hold one 4-byte word each in turn. Lanes that want the same word are served together; different words of
//! one bank one after the other. Elements wider than a word go in parts of the warp: halves for 8 bytes, quarters for
//! 16, so that 128 bytes are moved at a time. Atomics serve the lanes of a bank one after the other, same word or not.

use crate::regs::{LANES, lanes};

const BANKS: usize = 32;
const WORD: u64 = 4;

/// How lanes that want the same word are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SameWord {
    Together,
    InTurn,
}

/// Wavefronts of a request of `bytes` per lane.
pub(crate) fn wavefronts(addresses: &[u64; LANES], mask: u32, bytes: u32, same: SameWord) -> u32 {
    let words = u64::from(bytes).div_ceil(WORD).max(1);
    let parts = (words as usize).next_power_of_two().min(LANES);
    let width = LANES / parts;
    let mut total = 0;
    for part in 0..parts {
        let group = mask & (((1u64 << width) - 1) << (part * width)) as u32;
        if group != 0 {
            total += part_wavefronts(addresses, group, words, same);
        }
    }
    total
}

fn part_wavefronts(addresses: &[u64; LANES], group: u32, words: u64, same: SameWord) -> u32 {
    let mut wanted: [u64; LANES] = [0; LANES];
    let mut count = 0;
    for lane in lanes(group) {
        for word in 0..words {
            if count < LANES {
                wanted[count] = addresses[lane] / WORD + word;
                count += 1;
            }
        }
    }
    let wanted = &mut wanted[..count];
    let mut load = [0u8; BANKS];
    if same == SameWord::Together {
        wanted.sort_unstable();
    }
    let mut last = u64::MAX;
    for &word in wanted.iter() {
        if same == SameWord::InTurn || word != last {
            load[(word % BANKS as u64) as usize] += 1;
        }
        last = word;
    }
    u32::from(load.into_iter().max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(stride: u64) -> [u64; LANES] {
        core::array::from_fn(|lane| lane as u64 * stride)
    }

    #[test]
    fn strides_conflict_as_their_common_divisor_with_the_banks() {
        let of = |stride, bytes| wavefronts(&strided(stride), u32::MAX, bytes, SameWord::Together);
        assert_eq!(
            [of(4, 4), of(8, 4), of(12, 4), of(128, 4), of(132, 4)],
            [1, 2, 1, 32, 1]
        );
        assert_eq!([of(0, 4), of(1, 1), of(2, 2)], [1, 1, 1]);
        assert_eq!([of(8, 8), of(16, 16), of(0, 16), of(32, 16)], [2, 4, 4, 8]);
    }

    #[test]
    fn atomics_of_one_word_go_in_turn() {
        assert_eq!(wavefronts(&strided(0), u32::MAX, 4, SameWord::InTurn), 32);
        assert_eq!(wavefronts(&strided(4), u32::MAX, 4, SameWord::InTurn), 1);
        assert_eq!(wavefronts(&strided(0), 0b111, 4, SameWord::InTurn), 3);
    }
}
