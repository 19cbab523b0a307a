//! The products that tensor cores have, as data: what schedules ask for, lowering emits and the interpreter computes.
//!
//! A warp multiplies `rows` by `depth` numbers with `depth` by `columns` (`mma.sync`, PTX ISA 9.7.14). Fragments of all of
//! these products are made of one part: 8 rows, or columns, in which a thread has one register. With `g = thread / 4`,
//! `t = thread mod 4` and `p` numbers in a register, thread `t` of group `g` has the numbers `p t` to `p t + p - 1` along the
//! depth of row, or column, `g`; of sums, the columns `2 t` and `2 t + 1` of row `g`. `a` has parts for each 8 rows, and
//! further ones along the depth; `b` along the depth only.
//!
//! Deliberately absent: sparse and block-scaled products, and numbers of 8 bits or less that are floats.

use crate::registers::Registers;
use segra_ir::{Context, FloatKind, Type};

/// Threads of a warp along the rows and the columns of a part.
pub const LANES: [i64; 2] = [8, 4];

/// Columns of a part of the sums that a thread has.
pub const PAIR: i64 = 2;

/// Threads of a warpgroup along the rows.
const GROUP_ROWS: i64 = 4 * LANES[0];
/// Rows of a thread in what a warpgroup multiplies, as many apart as a warp's threads are along the rows.
const ROWS: i64 = 2;
/// Most columns of it.
const GROUP_COLUMNS: i64 = 256;
/// Numbers of 16 bits in a line of 128 bytes, in which warpgroups read matrices.
pub const LINE: i64 = 64;

/// Bytes of a row of a matrix that `ldmatrix` reads.
const ROW_BYTES: i64 = 16;
/// Bytes of a register.
const REGISTER_BYTES: i64 = 4;

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Floats.
    Float(FloatKind),
    /// Integers of so many bits, with a sign or without.
    Integer(u32),
}

impl Number {
    /// The numbers of a type.
    pub fn of(ctx: &Context, ty: Type) -> Option<Number> {
        let integer = ty.integer_width(ctx).map(Number::Integer);
        integer.or(ty.float_kind(ctx).map(Number::Float))
    }
    /// Their type.
    pub fn ty(self, ctx: &Context) -> Type {
        match self {
            Number::Float(kind) => ctx.float(kind),
            Number::Integer(width) => ctx.integer(width),
        }
    }
    /// How arrays hold them: `tf32` as `f32`, which a product rounds.
    pub fn stored(self) -> Number {
        match self {
            Number::Float(FloatKind::TF32) => F32,
            _ => self,
        }
    }
    fn bytes(self) -> i64 {
        let bits = match self.stored() {
            Number::Float(kind) => kind.width(),
            Number::Integer(width) => width,
        };
        i64::from(bits / 8)
    }
}

/// A product that tensor cores have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The numbers that are multiplied.
    pub factor: Number,
    /// The numbers that products are added to.
    pub sum: Number,
    /// Rows, columns and depth of what a warp multiplies at a time.
    pub shape: [i64; 3],
    /// The oldest chip with it: compute capability, times ten.
    pub since: i64,
    /// How its sums differ from those of single operations.
    pub rounding: Rounding,
}

/// How sums of products by tensor cores are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Not at all: integers wrap, in any order.
    Never,
    /// Products are exact in the type of the sums; sums are in any order.
    Sums,
    /// Products are rounded together with the sum, as in a fused multiply-add; sums are in any order.
    Fused,
}

const fn kind(
    (factor, sum): (Number, Number),
    shape: [i64; 3],
    since: i64,
    rounding: Rounding,
) -> Kind {
    Kind {
        factor,
        sum,
        shape,
        since,
        rounding,
    }
}

const F16: Number = Number::Float(FloatKind::F16);
const BF16: Number = Number::Float(FloatKind::BF16);
const TF32: Number = Number::Float(FloatKind::TF32);
const F32: Number = Number::Float(FloatKind::F32);
const F64: Number = Number::Float(FloatKind::F64);
const I8: Number = Number::Integer(8);
const I32: Number = Number::Integer(32);

/// All of them. On sm_75, halves have instructions of half the depth, two of which are one of these.
pub const KINDS: [Kind; 6] = [
    kind((F16, F32), [16, 8, 16], 75, Rounding::Sums),
    kind((BF16, F32), [16, 8, 16], 80, Rounding::Sums),
    kind((TF32, F32), [16, 8, 8], 80, Rounding::Sums),
    kind((F16, F16), [16, 8, 16], 75, Rounding::Fused),
    kind((I8, I32), [16, 8, 32], 80, Rounding::Never),
    kind((F64, F64), [8, 8, 4], 80, Rounding::Fused),
];

impl Kind {
    /// The product of these numbers, added up in those.
    pub fn of(ctx: &Context, factor: Type, sum: Type) -> Option<Kind> {
        let (factor, sum) = (Number::of(ctx, factor)?, Number::of(ctx, sum)?);
        let fits = |kind: &Kind| kind.factor == factor && kind.sum == sum;
        KINDS.into_iter().find(fits)
    }
    /// Numbers that are multiplied in a register.
    pub fn packed(self) -> i64 {
        (REGISTER_BYTES / self.factor.bytes()).max(1)
    }
    /// Parts of a fragment of `a` along the rows.
    pub fn parts_down(self) -> i64 {
        self.shape[0] / LANES[0]
    }
    /// The depth of a part.
    pub fn part_depth(self) -> i64 {
        LANES[1] * self.packed()
    }
    /// Parts of a fragment along the depth.
    pub fn parts_deep(self) -> i64 {
        self.shape[2] / self.part_depth()
    }
    /// Whether `ldmatrix` reads parts of an array: numbers along the depth lie side by side in memory, or are of 16 bits, which
    /// it transposes.
    pub fn by_matrices(self, along_depth: bool) -> bool {
        let bytes = self.factor.bytes();
        self.part_depth() * bytes == ROW_BYTES && (along_depth || bytes == 2)
    }
    /// Whether warpgroups have it, too, on matrices in shared memory (`wgmma`, PTX ISA 9.7.15).
    pub fn by_warpgroups(self) -> bool {
        [F16, BF16].contains(&self.factor) && self.sum == F32
    }
    /// A divisor of the steps that products may begin at: rows of matrices are aligned.
    pub fn aligned_steps(self) -> i64 {
        self.part_depth()
    }
    /// Columns of fragments that are read at a time, in parts: four matrices, or one part.
    pub fn columns_at_once(self) -> i64 {
        match self.part_depth() * self.factor.bytes() == ROW_BYTES {
            true => 4 / self.parts_deep(),
            false => 1,
        }
    }
    /// Points of a thread, rows and columns, of which it has a multiple.
    pub fn points(self) -> [i64; 2] {
        [self.parts_down(), PAIR * self.columns_at_once()]
    }
    /// Elements between which rows of an array in shared memory lie apart by an odd number, so that threads that read parts
    /// element by element meet in no bank: four threads along the depth, or the rows, with as many of eight along the other
    /// dimension as a wavefront serves.
    pub fn elements_apart(self) -> i64 {
        let bytes = self.factor.bytes();
        match bytes < REGISTER_BYTES {
            true => ROW_BYTES / bytes,
            false => LANES[0] * REGISTER_BYTES / bytes,
        }
    }
}

/// The points of a thread of a tile of rows and columns whose products warpgroups make, and the threads. Each thread has two
/// rows, which are 8 apart, and pairs of columns.
pub fn warpgroup_points([rows, columns]: [i64; 2]) -> Option<(Registers, [i64; 2])> {
    let threads = [rows / ROWS, LANES[1]];
    let points = Registers {
        counts: vec![ROWS, columns / LANES[1]],
        runs: vec![1, PAIR],
        apart: Some(LANES[0]),
    };
    let whole = rows % (ROWS * GROUP_ROWS) == 0 && columns % LINE == 0;
    (whole && rows > 0 && (LINE..=GROUP_COLUMNS).contains(&columns)).then_some((points, threads))
}

/// Whether warpgroups have these points of threads, and read these operands: `a` with numbers along the depth in lines, and
/// `b` in whole lines.
pub(super) fn fits_warpgroups(
    points: &Registers,
    threads: &[i64],
    ([a, b], transposed): ([&[i64]; 2], [bool; 2]),
) -> bool {
    let &[down, across] = threads else {
        return false;
    };
    let tile = [down * ROWS, points.counts[1].saturating_mul(across)];
    let same =
        warpgroup_points(tile).is_some_and(|found| found == (points.clone(), [down, across]));
    let lines = |shape: &[i64]| shape.last().is_some_and(|last| last % LINE == 0);
    same && !transposed[0] && lines(a) && lines(b)
}
