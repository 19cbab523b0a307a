//! Typed arguments of a launch, and the parameter block they make.

use crate::module::{Kernel, Param};
use core::fmt;
use thiserror::Error;

/// The values of a parameter, by its declaration; its size says how wide they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParamKind {
    /// `.u8` to `.u64`; pointers are `.u64`.
    Unsigned,
    /// `.s8` to `.s64`.
    Signed,
    /// `.f16` to `.f64`.
    Float,
    /// `.b8` to `.b64`: anything of that width.
    Bits,
    /// An array of bytes: a structure by value.
    Bytes,
}

/// One argument of a launch. Each fits a parameter of its own size, whatever kind that is declared to be.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A pointer to global memory.
    Pointer(u64),
    /// An 8-bit integer.
    U8(u8),
    /// A 16-bit integer, or the bits of a 16-bit float.
    U16(u16),
    /// A 32-bit integer.
    U32(u32),
    /// A 64-bit integer.
    U64(u64),
    /// A signed 32-bit integer.
    I32(i32),
    /// A signed 64-bit integer.
    I64(i64),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// The bytes of a structure, or of any scalar, as they lie in memory.
    Bytes(Vec<u8>),
}

impl Argument {
    /// As it lies in the parameter block.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Argument::Pointer(value) | Argument::U64(value) => value.to_le_bytes().to_vec(),
            Argument::U8(value) => vec![*value],
            Argument::U16(value) => value.to_le_bytes().to_vec(),
            Argument::U32(value) => value.to_le_bytes().to_vec(),
            Argument::I32(value) => value.to_le_bytes().to_vec(),
            Argument::I64(value) => value.to_le_bytes().to_vec(),
            Argument::F32(value) => value.to_le_bytes().to_vec(),
            Argument::F64(value) => value.to_le_bytes().to_vec(),
            Argument::Bytes(bytes) => bytes.clone(),
        }
    }
}

macro_rules! from {
    ($($ty:ty => $variant:ident),*) => {$(
        impl From<$ty> for Argument {
            fn from(value: $ty) -> Argument {
                Argument::$variant(value)
            }
        }
    )*};
}
from!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, i32 => I32, i64 => I64, f32 => F32, f64 => F64, Vec<u8> => Bytes);

/// Why arguments do not fit a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArgumentError {
    /// Too many or too few.
    #[error("kernel `{kernel}` takes {wanted} parameters, not {given}")]
    Count {
        /// The kernel.
        kernel: String,
        /// Parameters it has.
        wanted: usize,
        /// Arguments given.
        given: usize,
    },
    /// One is of another size than its parameter.
    #[error(
        "parameter {index} of `{kernel}`, {param}, has {wanted} bytes; the argument has {given}"
    )]
    Size {
        /// The kernel.
        kernel: String,
        /// Which, from 0.
        index: usize,
        /// The parameter's name and type.
        param: String,
        /// Its bytes.
        wanted: usize,
        /// The argument's.
        given: usize,
    },
}

impl fmt::Display for Param {
    /// The type and name of its declaration.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = 8 * self.size;
        match self.kind {
            ParamKind::Unsigned => write!(f, ".u{bits} {}", self.name),
            ParamKind::Signed => write!(f, ".s{bits} {}", self.name),
            ParamKind::Float => write!(f, ".f{bits} {}", self.name),
            ParamKind::Bits => write!(f, ".b{bits} {}", self.name),
            ParamKind::Bytes => write!(f, ".b8 {}[{}]", self.name, self.size),
        }
    }
}

impl Kernel {
    /// The parameter block of a launch with these arguments, one for each parameter.
    ///
    /// # Errors
    /// There are more or fewer than parameters, or one is of another size.
    pub fn parameter_block(&self, arguments: &[Argument]) -> Result<Vec<u8>, ArgumentError> {
        let kernel = || self.name().to_owned();
        let (params, given) = (self.params(), arguments.len());
        if given != params.len() {
            return Err(ArgumentError::Count {
                kernel: kernel(),
                wanted: params.len(),
                given,
            });
        }
        let mut block = vec![0; self.param_bytes() as usize];
        for (index, (param, argument)) in params.iter().zip(arguments).enumerate() {
            let bytes = argument.bytes();
            let (start, wanted) = (param.offset as usize, param.size as usize);
            match block.get_mut(start..start + wanted) {
                Some(target) if bytes.len() == wanted => target.copy_from_slice(&bytes),
                _ => {
                    let (kernel, param, given) = (kernel(), param.to_string(), bytes.len());
                    return Err(ArgumentError::Size {
                        kernel,
                        index,
                        param,
                        wanted,
                        given,
                    });
                }
            }
        }
        Ok(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Module;

    #[test]
    fn arguments_lie_at_the_offsets_of_their_parameters() {
        let text = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 n, \
                    .param .u64 p, .param .f32 x, .param .align 4 .b8 s[6])\n{\nret;\n}\n";
        let module = Module::parse(text).expect("it is PTX");
        let kernel = &module.kernels()[0];
        let arguments = [
            7u32.into(),
            Argument::Pointer(1 << 40),
            1.0f32.into(),
            vec![1u8; 6].into(),
        ];
        let block = kernel.parameter_block(&arguments).expect("they fit");
        assert_eq!(block.len(), 26);
        assert_eq!(
            (&block[..4], &block[8..16]),
            (&[7, 0, 0, 0][..], &(1u64 << 40).to_le_bytes()[..])
        );
        assert_eq!(
            (&block[16..20], &block[20..]),
            (&1.0f32.to_le_bytes()[..], &[1; 6][..])
        );
        let kinds: Vec<String> = kernel.params().iter().map(ToString::to_string).collect();
        assert_eq!(kinds, [".u32 n", ".u64 p", ".f32 x", ".b8 s[6]"]);
        let error = kernel
            .parameter_block(&arguments[..2])
            .expect_err("too few");
        assert_eq!(error.to_string(), "kernel `k` takes 4 parameters, not 2");
        let wide = [
            7u64.into(),
            Argument::Pointer(0),
            1.0f32.into(),
            vec![1u8; 6].into(),
        ];
        let error = kernel.parameter_block(&wide).expect_err("too wide");
        assert_eq!(
            error.to_string(),
            "parameter 0 of `k`, .u32 n, has 4 bytes; the argument has 8"
        );
    }
}
