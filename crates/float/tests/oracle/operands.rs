//! Operands: edges of each format, and random ones among which ties and cancellation are common.

use segra_float::FloatKind;
use segra_random::SplitMix64;

/// The formats that the oracle has.
pub(crate) const KINDS: [FloatKind; 8] = [
    FloatKind::F8E5M2,
    FloatKind::F8E4M3FN,
    FloatKind::F16,
    FloatKind::BF16,
    FloatKind::F32,
    FloatKind::F64,
    FloatKind::F80,
    FloatKind::F128,
];

/// Every pattern of a narrow format.
pub(crate) fn all(kind: FloatKind) -> impl Iterator<Item = u128> {
    0..1 << kind.width()
}

/// Zeros, subnormals, the neighbours of powers of two, the largest numbers, infinities, NaNs; of both signs.
pub(crate) fn edges(kind: FloatKind) -> Vec<u128> {
    let infinity = kind.encode(f64::INFINITY);
    let least = kind.pack(
        &segra_float::Number::Finite {
            negative: false,
            significand: 1u128,
            exponent: 2 - kind.largest_exponent() - i32::from(kind == FloatKind::F8E4M3FN),
        },
        segra_float::Round::Zero,
    );
    let quiet = kind.encode(f64::NAN);
    let mut found = vec![
        0,
        1,
        2,
        3,
        infinity,
        infinity - 1,
        infinity - 2,
        infinity + 1,
        quiet,
        quiet | 1,
    ];
    for middle in [
        least,
        kind.encode(1.0),
        kind.encode(2.0),
        kind.encode(0.25),
        kind.encode(3.0),
    ] {
        found.extend([middle - 1, middle, middle + 1]);
    }
    let negative: Vec<u128> = found.iter().map(|bits| bits | kind.sign_mask()).collect();
    found.extend(negative);
    found
        .into_iter()
        .map(|bits| with_leading(kind, bits))
        .collect()
}

/// The leading one of `f80`, as the exponent asks for it.
fn with_leading(kind: FloatKind, bits: u128) -> u128 {
    if kind.is_canonical(bits) {
        bits
    } else {
        bits ^ 1 << 63
    }
}

/// Random operands.
pub(crate) struct Operands {
    kind: FloatKind,
    edges: Vec<u128>,
    random: SplitMix64,
}

impl Operands {
    pub(crate) fn new(kind: FloatKind, seed: u64) -> Operands {
        Operands {
            kind,
            edges: edges(kind),
            random: SplitMix64::new(seed),
        }
    }
    fn bits(&mut self) -> u128 {
        let wide = u128::from(self.random.next_u64()) << 64 | u128::from(self.random.next_u64());
        wide >> (128 - self.kind.width())
    }
    /// The next operand, near `other` every other time.
    pub(crate) fn next(&mut self, other: u128) -> u128 {
        let fraction = self.kind.precision() - 1;
        let mut bits = self.bits();
        match self.random.below(8) {
            0 => return self.edges[self.random.below(self.edges.len() as u64) as usize],
            1 => {}
            // Few ones: sums and products are often ties or exact.
            2 => bits = bits >> (fraction / 2) << (fraction / 2),
            3 => bits = bits >> (fraction - 1) << (fraction - 1) | u128::from(bits & 1 == 1),
            _ => {
                // An exponent close to the other's, and sometimes all but its last bits.
                let stored = fraction + u32::from(self.kind == FloatKind::F80);
                let by = u128::from(self.random.below(2 * u64::from(fraction))) << stored;
                let near = match self.random.below(3) {
                    0 => other ^ (bits & 7),
                    1 => other.wrapping_add(by),
                    _ => other.wrapping_sub(by),
                };
                let kept = if self.random.below(2) == 0 { stored } else { 2 };
                let mask = (1 << kept) - 1;
                bits = (near & !mask | bits & mask) & (u128::MAX >> (128 - self.kind.width()));
            }
        }
        with_leading(self.kind, bits)
    }
}
