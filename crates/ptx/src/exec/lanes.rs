//! A warp's register file and the loops over its lanes.
//!
//! Registers are stored one array of 32 lanes each. The loops work on chunks of eight lanes held in local arrays,
//! which the optimiser turns into vector code; a chunk is read whole before it is written, so a destination may be
//! one of the sources. Lanes outside the mask keep their value.

use crate::isa::Alu;
use crate::regs::{LANES, Regs, lanes};
use half::{bf16, f16};

const CHUNK: usize = 8;
const CHUNKS: usize = LANES / CHUNK;

/// A value that lives in one lane of a register.
pub(crate) trait Lane: Copy {
    /// The bank's contents.
    type Raw: Copy + Default;
    fn slot(regs: &Regs, slot: u32) -> &[Self::Raw; LANES];
    fn slot_mut(regs: &mut Regs, slot: u32) -> &mut [Self::Raw; LANES];
    fn from_raw(raw: Self::Raw) -> Self;
    fn raw(self) -> Self::Raw;
}

macro_rules! lane {
    ($ty:ty, $raw:ty, $bank:ident, $from:expr, $to:expr) => {
        impl Lane for $ty {
            type Raw = $raw;
            #[inline(always)]
            fn slot(regs: &Regs, slot: u32) -> &[$raw; LANES] {
                &regs.$bank[slot as usize]
            }
            #[inline(always)]
            fn slot_mut(regs: &mut Regs, slot: u32) -> &mut [$raw; LANES] {
                &mut regs.$bank[slot as usize]
            }
            #[inline(always)]
            fn from_raw(raw: $raw) -> Self {
                let from: fn($raw) -> Self = $from;
                from(raw)
            }
            #[inline(always)]
            fn raw(self) -> $raw {
                let to: fn(Self) -> $raw = $to;
                to(self)
            }
        }
    };
}

/// Two half-precision values in one register, the first in the low half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair<T>(pub(crate) T, pub(crate) T);

lane!(u8, u32, words, |r| r as u8, u32::from);
lane!(i8, u32, words, |r| r as i8, |v| u32::from(v as u8));
lane!(u16, u32, words, |r| r as u16, u32::from);
lane!(i16, u32, words, |r| r as i16, |v| u32::from(v as u16));
lane!(u32, u32, words, |r| r, |v| v);
lane!(i32, u32, words, |r| r as i32, |v| v as u32);
lane!(u64, u64, doubles, |r| r, |v| v);
lane!(i64, u64, doubles, |r| r as i64, |v| v as u64);
lane!(f32, u32, words, f32::from_bits, f32::to_bits);
lane!(f64, u64, doubles, f64::from_bits, f64::to_bits);
lane!(
    f16,
    u32,
    words,
    |r| f16::from_bits(r as u16),
    |v| u32::from(v.to_bits())
);
lane!(bf16, u32, words, |r| bf16::from_bits(r as u16), |v| {
    u32::from(v.to_bits())
});
lane!(
    Pair<u16>,
    u32,
    words,
    |r| Pair(r as u16, (r >> 16) as u16),
    |v| u32::from(v.0) | u32::from(v.1) << 16
);

#[inline(always)]
fn read<T: Lane>(regs: &Regs, slot: u32, chunk: usize) -> [T::Raw; CHUNK] {
    let mut out = [T::Raw::default(); CHUNK];
    out.copy_from_slice(&T::slot(regs, slot)[chunk * CHUNK..(chunk + 1) * CHUNK]);
    out
}

#[inline(always)]
fn write<T: Lane>(regs: &mut Regs, slot: u32, chunk: usize, mask: u32, values: [T::Raw; CHUNK]) {
    let out = &mut T::slot_mut(regs, slot)[chunk * CHUNK..(chunk + 1) * CHUNK];
    let part = (mask >> (chunk * CHUNK)) as u8;
    if part == 0xff {
        out.copy_from_slice(&values);
    } else {
        for lane in 0..CHUNK {
            if part >> lane & 1 != 0 {
                out[lane] = values[lane];
            }
        }
    }
}

/// `d = f(a)`; `f` may run on lanes outside the mask, whose results are dropped.
#[inline(always)]
pub(crate) fn map1<A: Lane, D: Lane>(regs: &mut Regs, i: &Alu, mask: u32, f: impl Fn(A) -> D) {
    for chunk in 0..CHUNKS {
        let a = read::<A>(regs, i.a, chunk);
        let mut out = [D::Raw::default(); CHUNK];
        for lane in 0..CHUNK {
            out[lane] = f(A::from_raw(a[lane])).raw();
        }
        write::<D>(regs, i.d, chunk, mask, out);
    }
}

/// `d = f(a, b)`.
#[inline(always)]
pub(crate) fn map2<A: Lane, B: Lane, D: Lane>(
    regs: &mut Regs,
    i: &Alu,
    mask: u32,
    f: impl Fn(A, B) -> D,
) {
    for chunk in 0..CHUNKS {
        let a = read::<A>(regs, i.a, chunk);
        let b = read::<B>(regs, i.b, chunk);
        let mut out = [D::Raw::default(); CHUNK];
        for lane in 0..CHUNK {
            out[lane] = f(A::from_raw(a[lane]), B::from_raw(b[lane])).raw();
        }
        write::<D>(regs, i.d, chunk, mask, out);
    }
}

/// `d = f(a, b, c)`.
#[inline(always)]
pub(crate) fn map3<A: Lane, B: Lane, C: Lane, D: Lane>(
    regs: &mut Regs,
    i: &Alu,
    mask: u32,
    f: impl Fn(A, B, C) -> D,
) {
    for chunk in 0..CHUNKS {
        let a = read::<A>(regs, i.a, chunk);
        let b = read::<B>(regs, i.b, chunk);
        let c = read::<C>(regs, i.c, chunk);
        let mut out = [D::Raw::default(); CHUNK];
        for lane in 0..CHUNK {
            out[lane] = f(
                A::from_raw(a[lane]),
                B::from_raw(b[lane]),
                C::from_raw(c[lane]),
            )
            .raw();
        }
        write::<D>(regs, i.d, chunk, mask, out);
    }
}

/// `d = f(a)` only on lanes of the mask: for functions that cost more than a masked write.
#[inline(always)]
pub(crate) fn each1<A: Lane, D: Lane>(regs: &mut Regs, i: &Alu, mask: u32, f: impl Fn(A) -> D) {
    for lane in lanes(mask) {
        let a = A::from_raw(A::slot(regs, i.a)[lane]);
        D::slot_mut(regs, i.d)[lane] = f(a).raw();
    }
}

/// `d = f(a, b)` only on lanes of the mask.
#[inline(always)]
pub(crate) fn each2<A: Lane, B: Lane, D: Lane>(
    regs: &mut Regs,
    i: &Alu,
    mask: u32,
    f: impl Fn(A, B) -> D,
) {
    for lane in lanes(mask) {
        let a = A::from_raw(A::slot(regs, i.a)[lane]);
        let b = B::from_raw(B::slot(regs, i.b)[lane]);
        D::slot_mut(regs, i.d)[lane] = f(a, b).raw();
    }
}

/// `d = f(a, b, c)` only on lanes of the mask.
#[inline(always)]
pub(crate) fn each3<A: Lane, B: Lane, C: Lane, D: Lane>(
    regs: &mut Regs,
    i: &Alu,
    mask: u32,
    f: impl Fn(A, B, C) -> D,
) {
    for lane in lanes(mask) {
        let a = A::from_raw(A::slot(regs, i.a)[lane]);
        let b = B::from_raw(B::slot(regs, i.b)[lane]);
        let c = C::from_raw(C::slot(regs, i.c)[lane]);
        D::slot_mut(regs, i.d)[lane] = f(a, b, c).raw();
    }
}

/// One bit per lane of `f(a)`.
#[inline(always)]
pub(crate) fn test1<A: Lane>(regs: &Regs, a: u32, f: impl Fn(A) -> bool) -> u32 {
    let mut bits = 0;
    for chunk in 0..CHUNKS {
        let a = read::<A>(regs, a, chunk);
        for (lane, &value) in a.iter().enumerate() {
            bits |= u32::from(f(A::from_raw(value))) << (chunk * CHUNK + lane);
        }
    }
    bits
}

/// One bit per lane of `f(a, b)`.
#[inline(always)]
pub(crate) fn test2<A: Lane>(regs: &Regs, a: u32, b: u32, f: impl Fn(A, A) -> bool) -> u32 {
    let mut bits = 0;
    for chunk in 0..CHUNKS {
        let a = read::<A>(regs, a, chunk);
        let b = read::<A>(regs, b, chunk);
        for lane in 0..CHUNK {
            bits |=
                u32::from(f(A::from_raw(a[lane]), A::from_raw(b[lane]))) << (chunk * CHUNK + lane);
        }
    }
    bits
}

/// Builds the function of a unary instruction: `un!(f32 => f32, |a| …)`.
macro_rules! un {
    ($a:ty => $d:ty, $f:expr) => {{
        fn run(regs: &mut $crate::regs::Regs, i: &$crate::isa::Alu, mask: u32) {
            $crate::exec::lanes::map1::<$a, $d>(regs, i, mask, $f);
        }
        run as $crate::isa::AluFn
    }};
}

/// A binary instruction over one type: `bin!(f32, |a, b| …)`.
macro_rules! bin {
    ($t:ty, $f:expr) => {{
        fn run(regs: &mut $crate::regs::Regs, i: &$crate::isa::Alu, mask: u32) {
            $crate::exec::lanes::map2::<$t, $t, $t>(regs, i, mask, $f);
        }
        run as $crate::isa::AluFn
    }};
    ($a:ty, $b:ty => $d:ty, $f:expr) => {{
        fn run(regs: &mut $crate::regs::Regs, i: &$crate::isa::Alu, mask: u32) {
            $crate::exec::lanes::map2::<$a, $b, $d>(regs, i, mask, $f);
        }
        run as $crate::isa::AluFn
    }};
}

/// A ternary instruction: `tri!(u32, u32, u64 => u64, |a, b, c| …)`.
macro_rules! tri {
    ($a:ty, $b:ty, $c:ty => $d:ty, $f:expr) => {{
        fn run(regs: &mut $crate::regs::Regs, i: &$crate::isa::Alu, mask: u32) {
            $crate::exec::lanes::map3::<$a, $b, $c, $d>(regs, i, mask, $f);
        }
        run as $crate::isa::AluFn
    }};
}

/// As `un!`, `bin!` and `tri!`, but computed only where the mask says.
macro_rules! each {
    ($a:ty => $d:ty, $f:expr) => {{
        fn run(regs: &mut $crate::regs::Regs, i: &$crate::isa::Alu, mask: u32) {
            $crate::exec::lanes::each1::<$a, $d>(regs, i, mask, $f);
        }
        run as $crate::isa::AluFn
    }};
    ($a:ty, $b:ty => $d:ty, $f:expr) => {{
        fn run(regs: &mut $crate::regs::Regs, i: &$crate::isa::Alu, mask: u32) {
            $crate::exec::lanes::each2::<$a, $b, $d>(regs, i, mask, $f);
        }
        run as $crate::isa::AluFn
    }};
    ($a:ty, $b:ty, $c:ty => $d:ty, $f:expr) => {{
        fn run(regs: &mut $crate::regs::Regs, i: &$crate::isa::Alu, mask: u32) {
            $crate::exec::lanes::each3::<$a, $b, $c, $d>(regs, i, mask, $f);
        }
        run as $crate::isa::AluFn
    }};
}

/// The same body for every integer type an instruction allows; `b` types count as unsigned.
macro_rules! by_int {
    ($ty:expr, $t:ident => $body:expr) => {{
        use $crate::types::Type;
        match $ty {
            Type::U16 | Type::B16 => {
                type $t = u16;
                Some($body)
            }
            Type::S16 => {
                type $t = i16;
                Some($body)
            }
            Type::U32 | Type::B32 => {
                type $t = u32;
                Some($body)
            }
            Type::S32 => {
                type $t = i32;
                Some($body)
            }
            Type::U64 | Type::B64 => {
                type $t = u64;
                Some($body)
            }
            Type::S64 => {
                type $t = i64;
                Some($body)
            }
            _ => None,
        }
    }};
}

pub(crate) use {bin, by_int, each, tri, un};
