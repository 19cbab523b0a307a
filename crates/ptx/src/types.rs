//! Scalar types and state spaces of PTX, as instruction suffixes and declarations name them.
//!
//! Deliberately absent: opaque types (textures, samplers, surfaces), which no kernel of ours uses.

/// A PTX fundamental or packed type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Type {
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    /// Two 8-bit floats in 16 bits.
    E4m3x2,
    /// See [`Type::E4m3x2`].
    E5m2x2,
    Tf32,
    F32,
    F64,
    U16x2,
    S16x2,
    Pred,
}

impl Type {
    /// Reads a type suffix without its leading dot.
    pub(crate) fn parse(text: &str) -> Option<Type> {
        Some(match text {
            "b8" => Type::B8,
            "b16" => Type::B16,
            "b32" => Type::B32,
            "b64" => Type::B64,
            "b128" => Type::B128,
            "u8" => Type::U8,
            "u16" => Type::U16,
            "u32" => Type::U32,
            "u64" => Type::U64,
            "s8" => Type::S8,
            "s16" => Type::S16,
            "s32" => Type::S32,
            "s64" => Type::S64,
            "f16" => Type::F16,
            "f16x2" => Type::F16x2,
            "bf16" => Type::Bf16,
            "bf16x2" => Type::Bf16x2,
            "e4m3x2" => Type::E4m3x2,
            "e5m2x2" => Type::E5m2x2,
            "tf32" => Type::Tf32,
            "f32" => Type::F32,
            "f64" => Type::F64,
            "u16x2" => Type::U16x2,
            "s16x2" => Type::S16x2,
            "pred" => Type::Pred,
            _ => return None,
        })
    }

    /// Size in memory; a predicate has none and counts as zero.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Type::Pred => 0,
            Type::B8 | Type::U8 | Type::S8 => 1,
            Type::B16 | Type::U16 | Type::S16 | Type::F16 | Type::Bf16 => 2,
            Type::E4m3x2 | Type::E5m2x2 => 2,
            Type::B64 | Type::U64 | Type::S64 | Type::F64 => 8,
            Type::B128 => 16,
            _ => 4,
        }
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(
            self,
            Type::S8 | Type::S16 | Type::S32 | Type::S64 | Type::S16x2
        )
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(
            self,
            Type::F16
                | Type::F16x2
                | Type::Bf16
                | Type::Bf16x2
                | Type::E4m3x2
                | Type::E5m2x2
                | Type::Tf32
                | Type::F32
                | Type::F64
        )
    }

    /// The part of a warp's register file that holds values of this type.
    pub(crate) fn bank(self) -> Option<Bank> {
        match self {
            Type::Pred => Some(Bank::Predicate),
            Type::B64 | Type::U64 | Type::S64 | Type::F64 => Some(Bank::Double),
            Type::B128 => None,
            _ => Some(Bank::Word),
        }
    }
}

/// Register banks: predicates are one mask per register, narrow types live zero-extended in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Bank {
    Predicate,
    Word,
    Double,
}

/// State spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Generic,
    Global,
    Shared,
    Local,
    Const,
    Param,
}

impl Space {
    /// The name in PTX.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Const => "const",
            Space::Param => "param",
        }
    }

    pub(crate) fn parse(text: &str) -> Option<Space> {
        Some(match text {
            "global" => Space::Global,
            // Every block is a cluster of its own.
            "shared" | "shared::cta" | "shared::cluster" => Space::Shared,
            "local" => Space::Local,
            "const" => Space::Const,
            "param" | "param::entry" | "param::func" => Space::Param,
            _ => return None,
        })
    }
}

/// First generic address of the shared window: a generic address of shared memory is this plus the offset.
pub(crate) const SHARED_WINDOW: u64 = 0x7f10_0000_0000;
/// First generic address of the local window.
pub(crate) const LOCAL_WINDOW: u64 = 0x7f20_0000_0000;
/// First generic address of the kernel parameter block.
pub(crate) const PARAM_WINDOW: u64 = 0x7f30_0000_0000;
/// First generic address of constant memory.
pub(crate) const CONST_WINDOW: u64 = 0x7f40_0000_0000;
/// First address of a module's own `.global` variables.
pub(crate) const MODULE_WINDOW: u64 = 0x7f50_0000_0000;
/// First address of functions, which lie 16 bytes apart in the order of the text.
pub(crate) const FUNCTION_WINDOW: u64 = 0x7f60_0000_0000;
/// Size of each window.
pub(crate) const WINDOW_BYTES: u64 = 0x10_0000_0000;

/// Rounds up to a multiple of `align`, which is a power of two or zero (no alignment).
pub(crate) fn align_up(value: u64, align: u64) -> u64 {
    let align = align.max(1);
    value.div_ceil(align).saturating_mul(align)
}
