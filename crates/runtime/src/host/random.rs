//! Random arrays for trying programs out: the same on every machine for the same seed.
//!
//! Elements are made of a stream of [`SplitMix64`] whose start depends on the seed and the array's number only, so it does not
//! matter in which order arrays are made.

use super::array::room_for;
use crate::{Array, ArrayError};
use segra_artifact::{ElemType, Scalar};
use segra_random::{SplitMix64, mix};

/// Random integers are in `0..RANDOM_INTEGERS`: small enough that sums stay exact in every type, and fit in an i8.
pub const RANDOM_INTEGERS: u64 = 100;

/// The numbers of a stream.
fn numbers(seed: u64, stream: u64) -> SplitMix64 {
    SplitMix64::new(mix(seed ^ mix(stream.wrapping_add(1))))
}

/// Random array: integers in `0..100`, bools fair, floats uniform in [0, 1) (every multiple of the type's half ulp of
/// 1 is equally likely). `stream` separates arrays of one seed, e.g. the parameters of one run.
pub fn random_array(
    elem: ElemType,
    shape: &[usize],
    seed: u64,
    stream: u64,
) -> Result<Array, ArrayError> {
    let (mut bytes, count) = room_for(elem, shape)?;
    let mut numbers = numbers(seed, stream);
    for _ in 0..count / elem.size() {
        let raw = numbers.next_u64();
        bytes.extend_from_slice(&scalar(elem, raw).bits().to_le_bytes()[..elem.size()]);
    }
    Array::from_bytes(elem, shape, bytes)
}

/// The random scalar that [`random_array`] would put first.
pub fn random_scalar(elem: ElemType, seed: u64, stream: u64) -> Scalar {
    scalar(elem, numbers(seed, stream).next_u64())
}

fn scalar(elem: ElemType, raw: u64) -> Scalar {
    // The top `digits` bits as a fraction: exactly representable, never 1.
    let fraction = |digits: u32| (raw >> (64 - digits)) as f64 / (1u64 << digits) as f64;
    match elem {
        ElemType::Bool => Scalar::bool(raw >> 63 == 1),
        ElemType::I8 | ElemType::I16 | ElemType::I32 | ElemType::I64 => {
            let scaled = (u128::from(raw) * u128::from(RANDOM_INTEGERS)) >> 64;
            Scalar::from_i64(elem, scaled as i64)
        }
        ElemType::F16 => Scalar::from_f64(elem, fraction(11)),
        ElemType::BF16 => Scalar::from_f64(elem, fraction(8)),
        ElemType::F32 => Scalar::from_f64(elem, fraction(24)),
        ElemType::F64 => Scalar::from_f64(elem, fraction(53)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers_for_ever() {
        // Pinned: files and papers refer to results by seed.
        let array = random_array(ElemType::I32, &[6], 42, 0).unwrap();
        assert_eq!(array.to_vec::<i32>().unwrap(), [19, 35, 12, 48, 25, 91]);
        assert_ne!(array, random_array(ElemType::I32, &[6], 42, 1).unwrap());
        assert_ne!(array, random_array(ElemType::I32, &[6], 43, 0).unwrap());
        assert_eq!(array.get(0), Some(random_scalar(ElemType::I32, 42, 0)));
    }

    #[test]
    fn numbers_fill_their_range() {
        for elem in ElemType::ALL {
            let array = random_array(elem, &[100, 100], 1, 0).unwrap();
            let values: Vec<f64> = array.scalars().map(Scalar::to_f64).collect();
            let limit = if elem.is_float() {
                1.0
            } else {
                RANDOM_INTEGERS as f64
            };
            assert!(
                values.iter().all(|value| (0.0..limit).contains(value)),
                "{elem}"
            );
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let expected = match elem {
                ElemType::Bool => 0.5,
                _ if elem.is_float() => 0.5,
                _ => 49.5,
            };
            assert!(
                (mean - expected).abs() < expected * 0.05,
                "{elem}: mean {mean}"
            );
        }
    }
}
