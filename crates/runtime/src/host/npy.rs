//! numpy's `.npy` files: reading into an [`Array`] and writing one.
//!
//! Read: bool, signed and unsigned integers (unsigned by their bits, since [`ElemType`] has no signedness), float16,
//! float32, float64; both byte orders, C and Fortran order (brought to row-major). Written: C order, little endian,
//! signed. bfloat16 has no numpy type: a bf16 array is written as float32, which holds every bf16 exactly, and reads
//! back as f32 (an input for a bf16 parameter takes float32 and rounds, see [`crate::Input`]).
//!
//! Absent: structured, complex, string and pickled types, `.npz`, memory mapping.

use super::array::byte_count;
use crate::{Array, ArrayError, Value};
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, WriterBuilder as _};
use segra_artifact::{ElemType, Scalar};
use std::io;
use std::path::{Path, PathBuf};

/// Why a `.npy` file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    /// The system could not read or write.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Not a `.npy` file, or a damaged one.
    #[error("not a readable .npy file: {0}")]
    Header(String),
    /// A type that arrays here cannot have.
    #[error(
        "a .npy file of type {0} cannot be used; supported are bool, int8-64, uint8-64, float16, float32, float64"
    )]
    DType(String),
    /// Fewer or more data than the header says.
    #[error("damaged .npy file: {expected} bytes of data expected, {found} found")]
    Length {
        /// Bytes the header implies.
        expected: usize,
        /// Bytes there.
        found: usize,
    },
    /// The header's shape is not possible.
    #[error(transparent)]
    Array(#[from] ArrayError),
}

/// Reads a file's array.
pub fn read_npy(path: &Path) -> Result<Array, NpyError> {
    let bytes = std::fs::read(path).map_err(|source| NpyError::Io { path: path.to_owned(), source })?;
    parse_npy(&bytes)
}

/// Reads the array from a file's content. Never panics, whatever the bytes.
pub fn parse_npy(bytes: &[u8]) -> Result<Array, NpyError> {
    guard_header(bytes)?;
    let mut rest = bytes;
    let header = NpyHeader::from_reader(&mut rest).map_err(|error| NpyError::Header(error.to_string()))?;
    let (elem, endianness) = elem_of(&header.dtype())?;
    let shape: Vec<usize> = header
        .shape()
        .iter()
        .map(|extent| usize::try_from(*extent))
        .collect::<Result<_, _>>()
        .map_err(|_| NpyError::Header(format!("impossible shape {:?}", header.shape())))?;
    let expected = byte_count(elem, &shape).ok_or_else(|| ArrayError::TooLarge(shape.clone()))?;
    if rest.len() != expected {
        return Err(NpyError::Length { expected, found: rest.len() });
    }
    let mut data = rest.to_vec();
    if endianness == Endianness::Big {
        data.chunks_exact_mut(elem.size()).for_each(<[u8]>::reverse);
    }
    if header.order() == Order::Fortran {
        data = to_row_major(&data, elem.size(), &shape);
    }
    Ok(Array::from_bytes(elem, &shape, data)?)
}

/// Writes a file in one step: nobody sees a part of it.
pub fn write_npy(path: &Path, value: &Value) -> Result<(), NpyError> {
    let failed = |source| NpyError::Io { path: path.to_owned(), source };
    let bytes = npy_bytes(&value.to_array()).map_err(failed)?;
    segra_artifact::write_file(path, &bytes).map_err(failed)
}

/// The content of the array's file.
pub fn npy_bytes(array: &Array) -> io::Result<Vec<u8>> {
    if array.elem() == ElemType::BF16 {
        return npy_bytes(&widened(array));
    }
    let descr = match array.elem() {
        ElemType::Bool => "|b1",
        ElemType::I8 => "|i1",
        ElemType::I16 => "<i2",
        ElemType::I32 => "<i4",
        ElemType::I64 => "<i8",
        ElemType::F16 => "<f2",
        ElemType::BF16 | ElemType::F32 => "<f4",
        ElemType::F64 => "<f8",
    };
    let ty = descr.parse().map_err(|error| io::Error::other(format!("{error}")))?;
    let shape: Vec<u64> = array.shape().iter().map(|extent| *extent as u64).collect();
    let mut bytes = npyz::WriteOptions::new_header_only()
        .dtype(DType::Plain(ty))
        .shape(&shape)
        .writer(Vec::with_capacity(128 + array.bytes().len()))
        .write_header_only()?;
    bytes.extend_from_slice(array.bytes());
    Ok(bytes)
}

/// The same values as f32.
fn widened(array: &Array) -> Array {
    let bytes: Vec<u8> = array
        .scalars()
        .flat_map(|scalar| Scalar::from_f64(ElemType::F32, scalar.to_f64()).to_le_bytes())
        .collect();
    // The byte count fits by construction; a zero-extent shape keeps its zero.
    Array::from_bytes(ElemType::F32, array.shape(), bytes).unwrap_or_else(|_| Array::vector::<f32>(&[]))
}

/// Refuses headers on which the header parser would overflow, recurse without bound, or allocate without need.
fn guard_header(bytes: &[u8]) -> Result<(), NpyError> {
    const MAX_DEPTH: usize = 8;
    let malformed = |what: &str| NpyError::Header(what.to_owned());
    if bytes.len() < 10 || &bytes[..6] != b"\x93NUMPY" {
        return Err(malformed("it does not begin with numpy's signature"));
    }
    let (start, len) = match bytes[6] {
        1 => (10, usize::from(u16::from_le_bytes([bytes[8], bytes[9]]))),
        _ => match bytes.get(8..12).and_then(|len| <[u8; 4]>::try_from(len).ok()) {
            Some(len) => (12, u32::from_le_bytes(len) as usize),
            None => return Err(malformed("the header is truncated")),
        },
    };
    let Some(text) = bytes.get(start..).and_then(|rest| rest.get(..len)) else {
        return Err(malformed("the header is truncated"));
    };
    let mut depth = 0usize;
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(malformed("the header is nested too deeply"));
        }
    }
    // The product of every group of numbers must fit, whichever of them is the shape; zero extents count as one
    // because strides are products of the others.
    let text = String::from_utf8_lossy(text);
    for group in text.split(['(', ')', '[', ']']) {
        let product = group
            .split(',')
            .filter_map(|extent| extent.trim().parse::<u128>().ok())
            .try_fold(1u64, |product, extent| product.checked_mul(u64::try_from(extent.max(1)).ok()?));
        if product.is_none_or(|product| product > isize::MAX as u64) {
            return Err(malformed("the shape does not fit in memory"));
        }
    }
    Ok(())
}

fn elem_of(dtype: &DType) -> Result<(ElemType, Endianness), NpyError> {
    let DType::Plain(ty) = dtype else {
        return Err(NpyError::DType(dtype.descr()));
    };
    let elem = match (ty.type_char(), ty.size_field()) {
        (TypeChar::Bool, 1) => ElemType::Bool,
        (TypeChar::Int | TypeChar::Uint, 1) => ElemType::I8,
        (TypeChar::Int | TypeChar::Uint, 2) => ElemType::I16,
        (TypeChar::Int | TypeChar::Uint, 4) => ElemType::I32,
        (TypeChar::Int | TypeChar::Uint, 8) => ElemType::I64,
        (TypeChar::Float, 2) => ElemType::F16,
        (TypeChar::Float, 4) => ElemType::F32,
        (TypeChar::Float, 8) => ElemType::F64,
        _ => return Err(NpyError::DType(dtype.descr())),
    };
    Ok((elem, ty.endianness()))
}

/// Reorders elements from Fortran order (first index fastest) to row-major (last index fastest).
fn to_row_major(data: &[u8], size: usize, shape: &[usize]) -> Vec<u8> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1usize;
    for extent in shape {
        strides.push(stride);
        stride = stride.saturating_mul(*extent);
    }
    let mut out = Vec::with_capacity(data.len());
    let mut index = vec![0usize; shape.len()];
    let mut source = 0usize;
    while out.len() < data.len() {
        out.extend_from_slice(&data[source * size..(source + 1) * size]);
        // Step the row-major index: the last dimension fastest, carrying leftwards.
        for dim in (0..shape.len()).rev() {
            index[dim] += 1;
            source += strides[dim];
            if index[dim] < shape[dim] {
                break;
            }
            source -= strides[dim] * shape[dim];
            index[dim] = 0;
        }
    }
    out
}
