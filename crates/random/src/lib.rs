//! Numbers that a seed determines: the same on every machine, for ever, since goldens and reports name seeds.
//!
//! The generator is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
//! Deliberately absent: seeds from the clock, secrets, distributions (its users know their formats).
//!
//! ```
//! use segra_random::SplitMix64;
//!
//! let mut stream = SplitMix64::new(42);
//! assert_eq!(stream.next_u64(), 13_679_457_532_755_275_413);
//! assert!(stream.below(6) < 6);
//! assert!((0.0..1.0).contains(&stream.unit()));
//! ```

/// A stream of evenly spread numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The stream of a seed.
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }
    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }
    /// A number in `0..bound` (0 where `bound` is 0).
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }
    /// A number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// Spreads the bits of a number: a bijection in which each bit of `z` changes about half of those of the result. Seeds
/// that differ by little are mixed before they start streams of their own.
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_that_of_the_paper() {
        // The first numbers of seed 1234567 in the reference implementation in C.
        let mut stream = SplitMix64::new(1_234_567);
        let first = [(); 3].map(|()| stream.next_u64());
        let wanted = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(first, wanted);
    }

    #[test]
    fn bounds_hold() {
        let mut stream = SplitMix64::new(0);
        assert_eq!(stream.below(0), 0);
        let counts = (0..6000).fold([0; 6], |mut counts, _| {
            counts[stream.below(6) as usize] += 1;
            counts
        });
        assert!(
            counts.iter().all(|count| (800..1200).contains(count)),
            "{counts:?}"
        );
        assert!((0..1000).all(|_| (0.0..1.0).contains(&stream.unit())));
    }
}
