//! Tensor maps: what a bulk tensor copy knows of an array in global memory.
//!
//! On hardware the driver (`cuTensorMapEncodeTiled`) fills 128 opaque bytes that a kernel takes as a parameter. The
//! simulator has its own encoding of the same facts: fill in a [`TensorMap`] and pass [`TensorMap::to_bytes`] where
//! the kernel wants its `CUtensorMap`.
//! Deliberately absent: im2col mode, interleaved layouts, sub-byte elements.

use thiserror::Error;

/// Size of an encoded tensor map.
pub const TENSOR_MAP_BYTES: usize = 128;
const MAGIC: u32 = 0x5347_544d;
/// Most dimensions of a tensor.
const MOST_DIMENSIONS: usize = 5;

/// How 16-byte units are permuted in shared memory: within rows of this many bytes, against bank conflicts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Swizzle {
    /// As they come.
    #[default]
    None,
    /// Rows of 32 bytes.
    Bytes32,
    /// Rows of 64 bytes.
    Bytes64,
    /// Rows of 128 bytes.
    Bytes128,
}

impl Swizzle {
    /// Width of the permuted rows; 16 permutes nothing.
    pub fn row_bytes(self) -> u32 {
        match self {
            Swizzle::None => 16,
            Swizzle::Bytes32 => 32,
            Swizzle::Bytes64 => 64,
            Swizzle::Bytes128 => 128,
        }
    }

    /// The place of a byte whose unpermuted offset in shared memory is `offset`.
    pub fn apply(self, offset: u64) -> u64 {
        let units = u64::from(self.row_bytes() / 16);
        offset ^ (((offset >> 7) & (units - 1)) << 4)
    }
}

/// The value of elements that a copy reads outside the tensor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutOfBoundsFill {
    /// Zeros.
    #[default]
    Zero,
    /// NaN of the element type, which must be a float.
    Nan,
}

/// A tiled view of a tensor in global memory. Dimensions run from the innermost (fastest) outwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TensorMap {
    /// Device address of the first element, a multiple of 16.
    pub address: u64,
    /// Bytes of an element: 1, 2, 4 or 8.
    pub element_bytes: u32,
    /// Elements along each dimension (1 to 5 dimensions).
    pub extents: Vec<u64>,
    /// Bytes from one element to the next along each dimension but the innermost, multiples of 16.
    pub strides: Vec<u64>,
    /// Elements of the copied box along each dimension, 1 to 256.
    pub box_extents: Vec<u32>,
    /// Steps between copied elements along each dimension, 1 to 8; empty means 1.
    pub element_strides: Vec<u32>,
    /// Permutation in shared memory.
    pub swizzle: Swizzle,
    /// Values outside the tensor.
    pub fill: OutOfBoundsFill,
}

/// Why a tensor map cannot be encoded, or bytes are none.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("tensor map: {0}")]
pub struct TensorMapError(String);

fn ensure(holds: bool, text: impl FnOnce() -> String) -> Result<(), TensorMapError> {
    if holds {
        Ok(())
    } else {
        Err(TensorMapError(text()))
    }
}

impl TensorMap {
    /// The bytes a kernel takes.
    ///
    /// # Errors
    /// Where hardware would refuse the map: dimensions, alignment, sizes.
    pub fn to_bytes(&self) -> Result<[u8; TENSOR_MAP_BYTES], TensorMapError> {
        self.check()?;
        let mut out = Vec::with_capacity(TENSOR_MAP_BYTES);
        out.extend(MAGIC.to_le_bytes());
        let swizzle = match self.swizzle {
            Swizzle::None => 0u8,
            Swizzle::Bytes32 => 1,
            Swizzle::Bytes64 => 2,
            Swizzle::Bytes128 => 3,
        };
        out.extend([self.extents.len() as u8, self.element_bytes as u8]);
        out.extend([swizzle, u8::from(self.fill == OutOfBoundsFill::Nan)]);
        out.extend(self.address.to_le_bytes());
        for at in 0..MOST_DIMENSIONS {
            out.extend((self.extents.get(at).copied().unwrap_or(1)).to_le_bytes());
        }
        for at in 0..MOST_DIMENSIONS - 1 {
            out.extend((self.strides.get(at).copied().unwrap_or(0)).to_le_bytes());
        }
        for at in 0..MOST_DIMENSIONS {
            out.extend((self.box_extents.get(at).copied().unwrap_or(1) as u16).to_le_bytes());
        }
        for at in 0..MOST_DIMENSIONS {
            out.push(self.element_strides.get(at).copied().unwrap_or(1) as u8);
        }
        out.resize(TENSOR_MAP_BYTES, 0);
        out.try_into()
            .map_err(|_| TensorMapError("encoding is too long".into()))
    }

    /// Reads what [`TensorMap::to_bytes`] wrote.
    ///
    /// # Errors
    /// Bytes that are no tensor map of this simulator.
    pub fn from_bytes(bytes: &[u8]) -> Result<TensorMap, TensorMapError> {
        let word = |at: usize, size: usize| -> u64 {
            bytes.get(at..at + size).map_or(0, |part| {
                part.iter()
                    .rev()
                    .fold(0, |value, &byte| value << 8 | u64::from(byte))
            })
        };
        ensure(
            bytes.len() == TENSOR_MAP_BYTES && word(0, 4) == u64::from(MAGIC),
            || "these 128 bytes are not a tensor map of the simulator".into(),
        )?;
        let rank = word(4, 1) as usize;
        let swizzle = match word(6, 1) {
            0 => Swizzle::None,
            1 => Swizzle::Bytes32,
            2 => Swizzle::Bytes64,
            _ => Swizzle::Bytes128,
        };
        let fill = if word(7, 1) == 0 {
            OutOfBoundsFill::Zero
        } else {
            OutOfBoundsFill::Nan
        };
        let rank = rank.clamp(1, MOST_DIMENSIONS);
        let map = TensorMap {
            address: word(8, 8),
            element_bytes: word(5, 1) as u32,
            extents: (0..rank).map(|at| word(16 + 8 * at, 8)).collect(),
            strides: (0..rank - 1).map(|at| word(56 + 8 * at, 8)).collect(),
            box_extents: (0..rank).map(|at| word(88 + 2 * at, 2) as u32).collect(),
            element_strides: (0..rank).map(|at| word(98 + at, 1) as u32).collect(),
            swizzle,
            fill,
        };
        map.check()?;
        Ok(map)
    }

    fn check(&self) -> Result<(), TensorMapError> {
        let rank = self.extents.len();
        ensure((1..=MOST_DIMENSIONS).contains(&rank), || {
            format!("{rank} dimensions, not 1 to 5")
        })?;
        ensure(matches!(self.element_bytes, 1 | 2 | 4 | 8), || {
            format!("elements of {} bytes", self.element_bytes)
        })?;
        ensure(
            self.strides.len() == rank - 1 && self.box_extents.len() == rank,
            || {
                format!(
                    "{rank} dimensions need {} strides and {rank} box extents",
                    rank - 1
                )
            },
        )?;
        ensure(
            self.element_strides.is_empty() || self.element_strides.len() == rank,
            || format!("{rank} dimensions need {rank} element strides or none"),
        )?;
        ensure(self.address.is_multiple_of(16), || {
            format!("address {:#x} is no multiple of 16", self.address)
        })?;
        for &stride in &self.strides {
            ensure(stride.is_multiple_of(16) && stride < 1 << 40, || {
                format!("a stride of {stride} bytes is no multiple of 16 below 2^40")
            })?;
        }
        for &extent in &self.extents {
            ensure((1..=1 << 32).contains(&extent), || {
                format!("an extent of {extent} is not 1 to 2^32")
            })?;
        }
        for &extent in &self.box_extents {
            ensure((1..=256).contains(&extent), || {
                format!("a box extent of {extent} is not 1 to 256")
            })?;
        }
        for &stride in &self.element_strides {
            ensure((1..=8).contains(&stride), || {
                format!("an element stride of {stride} is not 1 to 8")
            })?;
        }
        let inner = self.box_extents.first().copied().unwrap_or(1) * self.element_bytes;
        ensure(inner.is_multiple_of(16), || {
            format!("{inner} bytes of a box row are no multiple of 16")
        })?;
        ensure(
            self.swizzle == Swizzle::None || inner <= self.swizzle.row_bytes(),
            || {
                format!(
                    "a box row of {inner} bytes is longer than the swizzle's {}",
                    self.swizzle.row_bytes()
                )
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_survive_encoding_and_strange_bytes_are_refused() {
        let map = TensorMap {
            address: 0x2000,
            element_bytes: 2,
            extents: vec![100, 1 << 32, 3],
            strides: vec![256, 4096],
            box_extents: vec![64, 8, 1],
            element_strides: vec![1, 2, 1],
            swizzle: Swizzle::Bytes128,
            fill: OutOfBoundsFill::Nan,
        };
        let bytes = map.to_bytes().unwrap();
        assert_eq!(TensorMap::from_bytes(&bytes), Ok(map.clone()));
        assert!(TensorMap::from_bytes(&[7; 128]).is_err());
        assert!(
            TensorMap {
                strides: vec![8, 4096],
                ..map.clone()
            }
            .to_bytes()
            .is_err()
        );
        assert!(
            TensorMap {
                swizzle: Swizzle::Bytes64,
                ..map
            }
            .to_bytes()
            .is_err()
        );
    }

    #[test]
    fn swizzles_permute_sixteen_byte_units_within_their_row() {
        assert_eq!(Swizzle::None.apply(0x3f0), 0x3f0);
        assert_eq!(Swizzle::Bytes128.apply(0x080), 0x090);
        assert_eq!(Swizzle::Bytes128.apply(0x3f2), 0x382);
        assert_eq!(Swizzle::Bytes64.apply(0x380), 0x3b0);
        assert_eq!(Swizzle::Bytes32.apply(0x080), 0x090);
        assert_eq!(Swizzle::Bytes32.apply(0x100), 0x100);
    }
}
