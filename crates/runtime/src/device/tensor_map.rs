//! Tensor maps as arguments of launches: facts of an array of which a kernel copies boxes to shared memory.
//!
//! Both devices check them alike, by the rules of `cuTensorMapEncodeTiled` (CUDA driver API, "Tensor Map Object Management").
//! Elements are numbers of so many bytes, whatever their type: copies take their bits, and put zeros outside of the array.

use super::{DeviceError, DevicePtr};
use segra_artifact::MOST_EXTENTS;
use segra_ptx::{OutOfBoundsFill, Swizzle, TensorMap};

/// A row-major array of which boxes are copied. Extents are the outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapArg {
    /// The first element.
    pub array: DevicePtr,
    /// Bytes of an element.
    pub element_bytes: u32,
    /// How many extents there are.
    pub rank: usize,
    /// Of the array.
    pub extents: [u64; MOST_EXTENTS],
    /// Of a box.
    pub extents_of_box: [u32; MOST_EXTENTS],
    /// Rows of a box are lines of 128 bytes, whose parts of 16 bytes change places.
    pub in_lines: bool,
}

impl MapArg {
    /// The map as the simulator has it, dimensions innermost first.
    ///
    /// # Errors
    /// Where hardware refuses it: an array that begins, or rows that lie, at no multiple of 16 bytes; an extent of 0.
    pub(crate) fn map(&self) -> Result<TensorMap, DeviceError> {
        let rank = self.rank.min(MOST_EXTENTS);
        let mut extents = self.extents[..rank].to_vec();
        extents.reverse();
        let mut box_extents = self.extents_of_box[..rank].to_vec();
        box_extents.reverse();
        let mut bytes = u64::from(self.element_bytes);
        let mut strides = Vec::new();
        for &extent in extents.iter().take(rank.saturating_sub(1)) {
            bytes = bytes.saturating_mul(extent);
            strides.push(bytes);
        }
        let swizzle = match self.in_lines {
            true => Swizzle::Bytes128,
            false => Swizzle::None,
        };
        let map = TensorMap {
            address: self.array.0,
            element_bytes: self.element_bytes,
            extents,
            strides,
            box_extents,
            element_strides: vec![1; rank],
            swizzle,
            fill: OutOfBoundsFill::Zero,
        };
        match map.to_bytes() {
            Ok(_) => Ok(map),
            Err(error) => Err(DeviceError::TensorMap(error.to_string())),
        }
    }
}
