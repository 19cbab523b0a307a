//! numpy's `.npy` files: reading into an [`Array`] and writing one.
//!
//! Read: bool, signed and unsigned integers (unsigned by their bits, since [`ElemType`] has no signedness), float16,
//! float32, float64; both byte orders, C and Fortran order (brought to row-major). Written: C order, little endian,
//! signed. bfloat16 has no numpy type: a bf16 array is written as float32, which holds every bf16 exactly, and reads
//! back as f32 (an input for a bf16 parameter takes float32 and rounds, see [`crate::Input`]).
//!
//! Absent: structured, complex, string and pickled types, `.npz`, memory mapping.

mod header;

use super::array::byte_count;
use crate::{Array, ArrayError, Value};
use header::Header;
use segra_artifact::{ElemType, Scalar};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// Why a `.npy` file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum NpyError {
    /// The system could not read or write.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
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
    /// Fewer or more data than the header says; of what is too much in a file, a byte is read and counted.
    #[error("damaged .npy file: {expected} bytes of data expected, {} found", if found > expected { "more".to_owned() } else { found.to_string() })]
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
    let failed = |source| NpyError::Io {
        path: path.to_owned(),
        source,
    };
    read_from(&mut std::fs::File::open(path).map_err(failed)?, failed)
}

/// Reads an array and no more than a byte behind it, however much there is.
fn read_from(
    file: &mut impl io::Read,
    failed: impl Fn(io::Error) -> NpyError,
) -> Result<Array, NpyError> {
    let mut bytes = Vec::new();
    while let Some(more) = header::missing(&bytes).map_err(NpyError::Header)? {
        let found = file
            .by_ref()
            .take(more as u64)
            .read_to_end(&mut bytes)
            .map_err(&failed)?;
        if found < more {
            break;
        }
    }
    let (header, start) = Header::read(&bytes).map_err(NpyError::Header)?;
    let (elem, _) = elem_of(&header.descr)?;
    let data = byte_count(elem, &header.shape).ok_or(ArrayError::TooLarge(header.shape))?;
    let most = (start as u64).saturating_add(data as u64).saturating_add(1);
    file.take(most - bytes.len() as u64)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    parse_npy(&bytes)
}

/// Reads the array from a file's content. Never panics, whatever the bytes.
pub fn parse_npy(bytes: &[u8]) -> Result<Array, NpyError> {
    let (header, start) = Header::read(bytes).map_err(NpyError::Header)?;
    let (elem, endianness) = elem_of(&header.descr)?;
    let (shape, rest) = (header.shape, &bytes[start..]);
    let expected = byte_count(elem, &shape).ok_or_else(|| ArrayError::TooLarge(shape.clone()))?;
    if rest.len() != expected {
        return Err(NpyError::Length {
            expected,
            found: rest.len(),
        });
    }
    let mut data = rest.to_vec();
    if endianness == Endianness::Big {
        data.chunks_exact_mut(elem.size()).for_each(<[u8]>::reverse);
    }
    if header.fortran_order {
        data = to_row_major(&data, elem.size(), &shape);
    }
    Ok(Array::from_bytes(elem, &shape, data)?)
}

/// Writes a file in one step: nobody sees a part of it.
pub fn write_npy(path: &Path, value: &Value) -> Result<(), NpyError> {
    let failed = |source| NpyError::Io {
        path: path.to_owned(),
        source,
    };
    segra_artifact::write_file(path, &npy_bytes(&value.to_array())).map_err(failed)
}

/// The content of the array's file.
pub fn npy_bytes(array: &Array) -> Vec<u8> {
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
    let header = Header {
        descr: descr.to_owned(),
        fortran_order: false,
        shape: array.shape().to_vec(),
    };
    let mut bytes = header.bytes();
    bytes.extend_from_slice(array.bytes());
    bytes
}

/// The same values as f32.
fn widened(array: &Array) -> Array {
    let bytes: Vec<u8> = array
        .scalars()
        .flat_map(|scalar| Scalar::from_f64(ElemType::F32, scalar.to_f64()).to_le_bytes())
        .collect();
    // The byte count fits by construction; a zero-extent shape keeps its zero.
    Array::from_bytes(ElemType::F32, array.shape(), bytes)
        .unwrap_or_else(|_| Array::vector::<f32>(&[]))
}

/// Where the bytes of a number begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Endianness {
    Little,
    Big,
}

/// The type that a string such as `<f4` names: byte order, kind, bytes.
fn elem_of(descr: &str) -> Result<(ElemType, Endianness), NpyError> {
    let refused = || NpyError::DType(descr.to_owned());
    let mut letters = descr.chars();
    let (order, kind) = (letters.next(), letters.next());
    let endianness = match order {
        Some('>') => Endianness::Big,
        Some('<' | '|' | '=') => Endianness::Little,
        _ => return Err(refused()),
    };
    let elem = match (kind, letters.as_str()) {
        (Some('b'), "1") => ElemType::Bool,
        (Some('i' | 'u'), "1") => ElemType::I8,
        (Some('i' | 'u'), "2") => ElemType::I16,
        (Some('i' | 'u'), "4") => ElemType::I32,
        (Some('i' | 'u'), "8") => ElemType::I64,
        (Some('f'), "2") => ElemType::F16,
        (Some('f'), "4") => ElemType::F32,
        (Some('f'), "8") => ElemType::F64,
        _ => return Err(refused()),
    };
    Ok((elem, endianness))
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
