//! The provider of each function on a device: an instruction, an approximation, or a library.

use super::*;

/// A device's provider of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// An exact instruction, or a short exact sequence.
    Instruction,
    /// An instruction that approximates it, and CUDA's device library.
    Approximation,
    /// CUDA's device library alone.
    Library,
}

/// A function that devices have. One without this has to be expanded into arithmetic.
pub trait Provided: Sync {
    /// Its source.
    fn provider(&self) -> Provider;
}

macro_rules! provided {
    ($($provider:ident: $($op:ident)*;)*) => { $($(impl Provided for $op {
        fn provider(&self) -> Provider {
            Provider::$provider
        }
    })*)* };
}

provided! {
    Instruction: AbsFOp AbsIOp CeilOp CopySignOp CountLeadingZerosOp CountTrailingZerosOp CtPopOp FloorOp FmaOp IsFiniteOp IsInfOp IsNaNOp IsNormalOp RoundEvenOp RoundOp SqrtOp TruncOp;
    Approximation: Exp2Op Log2Op RsqrtOp;
    Library: AcosOp AcoshOp AsinOp AsinhOp Atan2Op AtanOp AtanhOp CbrtOp CosOp CoshOp ErfOp ErfcOp ExpM1Op ExpOp FPowIOp Log10Op Log1pOp LogOp PowFOp SinOp SinhOp TanOp TanhOp;
}
