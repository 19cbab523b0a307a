//! Pass `use-tensor-cores`: sums of products that threads hold in registers become those of tensor cores.
//!
//! ```mlir
//! %s = kernel.segmap thread registers [8, 8] runs [1, 4]            %s = kernel.segmap thread contract registers [8, 8] runs [1, 2]
//!     (%p < 128, %q < 128) {                                            (%p < 128, %q < 128) {
//!   scf.for %k = 0 to 32 iter_args(%c = %accs[%p, %q]) {       ==>    ... as before
//!     %a = extf %as[%p, %k]; %b = extf %bs[%k, %q]                  }
//!     yield %c + %a * %b
//!   }
//! }
//! ```
//! The points of a thread become those that it has of a fragment ([`segra_kernel::contract`]), in all segmaps over the tile,
//! and [`crate::registers`] makes a `kernel.contract` of the loop when it writes the points out.
//!
//! With the option `warpgroups`, four warps multiply together what lies in shared memory, on sm_90a; then a thread has two rows
//! that are 8 apart, and pairs of columns. They take f16 and bf16 to f32, the first matrix with numbers along the depth in rows, and
//! rows of arrays that are whole lines of 128 bytes, in blocks whose threads hold tiles of one shape only; warps make other products
//! as before.
//!
//! Where only newer targets have the product, the segmap is `contract since 80`, and its loop stands beside the other one.
//!
//! Legality: a product of a row and a column of two arrays, of numbers that tensor cores multiply
//! ([`segra_kernel::contract::KINDS`]): f16 and bf16 widened to f32, so that products are exact; i8 widened to i32, with a sign
//! or without; f64 and f16 as they are; f32 rounded to tf32, to nearest, and widened again (`arith.truncf`, `arith.extf`). A
//! sum of floats may be made in any order (`fastmath<reassoc>` at the addition, or the
//! option `any-order`, where all sums of the program are known to be reductions); where products are not exact, they may be
//! rounded with the sum, too (`fastmath<contract>` at both). Sums of integers wrap, in whatever order. A loop of constant
//! length, a multiple of the product's depth, that begins at a constant multiple of 16 bytes. All such loops of a segmap
//! are, or none. Other segmaps stay as they are.
//!
//! With the option `allow-tf32`, factors of f32 are rounded so where the program does not say it: each keeps 11 bits, which
//! makes a product wrong by up to 2^-10 of itself, and such sums are in any order. Only sums that tensor cores make are changed, on all targets alike.

use segra_ir::{Builder, FloatKind, InsertPoint, Ir, Op, OpView, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::contract::{Kind, LINE, Number, Rounding, fits, warpgroup_points};
use segra_kernel::level::Level;
use segra_kernel::registers::{Registers, constant_sizes};
use segra_kernel::segop::SegMapOp;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::arith::{
    AddFOp, AddIOp, ExtFOp, ExtSIOp, ExtUIOp, FastMath, MulFOp, MulIOp, RoundingMode, TruncFOp,
    round_through,
};
use segra_std::builtin;
use segra_std::scf::ForOp;

pass_options! {
    /// The pass `use-tensor-cores`.
    pub struct UseTensorCores {
        /// Take sums of floats to be in no order, whatever their additions say.
        pub any_order: bool = false,
        /// Round factors of f32 to tf32, 11 bits of 24, where tensor cores then make the sums, in any order: ties to even
        /// where all targets have an instruction for it, from 90 on, and else away from zero.
        pub allow_tf32: bool = false,
        /// Compute capability, times ten, of the oldest target: from 75 on for f16, from 80 on for other numbers.
        pub oldest: i64 = 75,
        /// Of the newest one. Where only newer targets have a product, others make sums without tensor cores.
        pub newest: i64 = 90,
        /// All targets have products of warpgroups: they are sm_90a.
        pub warpgroups: bool = false,
    }
}

/// Compute capability, times ten, from which on an instruction rounds to `tf32` with ties to even.
const EVEN_SINCE: i64 = 90;

const INFO: PassInfo = PassInfo {
    name: "use-tensor-cores",
    summary: "leave sums of products that threads hold in registers to tensor cores",
    reads: &["kernel", "scf"],
    writes: &["kernel"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for UseTensorCores {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let blocks: Vec<SegMapOp> = ir
            .walk(module)
            .into_iter()
            .filter_map(|op| ir.cast::<SegMapOp>(op))
            .filter(|segmap| segmap.level(ir) == Level::Block)
            .collect();
        let mut found = 0;
        for block in blocks {
            found += self.mark(ir, block);
        }
        cx.count("segmaps for tensor cores", found);
        Ok(Outcome::of(Changed::when(found > 0)))
    }
}

impl UseTensorCores {
    /// Marks the segmaps of a point of a block whose sums are for tensor cores. How many there are.
    pub(crate) fn mark(&self, ir: &mut Ir, block: SegMapOp) -> u64 {
        let segmaps: Vec<SegMapOp> = ir
            .walk(block.op())
            .into_iter()
            .filter_map(|op| ir.cast::<SegMapOp>(op))
            .filter(|segmap| segmap.level(ir) == Level::Thread)
            .collect();
        let found: Vec<(SegMapOp, i64)> = segmaps
            .iter()
            .filter_map(|&segmap| Some((segmap, self.since(ir, segmap)?)))
            .collect();
        for &(segmap, since) in &found {
            let (sizes, registers) = (constant_sizes(ir, segmap), Registers::of(ir, segmap));
            let Some(points) = registers.clone() else {
                continue;
            };
            // A warpgroup has its threads in an order of its own, which is that of all tiles then.
            let alone = segmaps.iter().all(|&other| {
                let held = Registers::of(ir, other);
                held.is_none() || held == registers && constant_sizes(ir, other) == sizes
            });
            let together = sizes
                .as_deref()
                .filter(|_| alone)
                .and_then(|sizes| self.by_warpgroups(ir, segmap, sizes));
            let unit = ir.ctx().unit();
            let flag = together.as_ref().map(|_| unit);
            ir.set_attr_named(segmap.op(), "warpgroups", flag);
            let wanted = together.unwrap_or_else(|| in_pairs(&points));
            // Tiles of one shape may be carried into each other, so all are held alike.
            for &other in &segmaps {
                if constant_sizes(ir, other) == sizes && Registers::of(ir, other) == registers {
                    wanted.assign(ir, other);
                }
            }
            ir.set_attr_named(segmap.op(), "contract", Some(unit));
            let since = (since > self.oldest).then(|| ir.ctx().i64_attr(since));
            ir.set_attr_named(segmap.op(), "since", since);
            if let Some(mode) = self.allowed() {
                round_factors(ir, segmap, mode);
            }
        }
        found.len() as u64
    }

    /// How factors are rounded to `tf32`, where the program does not say it but they may be.
    fn allowed(&self) -> Option<RoundingMode> {
        let mode = match self.oldest {
            ..EVEN_SINCE => RoundingMode::ToNearestAway,
            EVEN_SINCE.. => RoundingMode::ToNearestEven,
        };
        self.allow_tf32.then_some(mode)
    }

    /// The sums of products of a segmap.
    fn contractions(&self, ir: &Ir, segmap: SegMapOp) -> Vec<Contraction> {
        let loops = ir.walk(segmap.op()).into_iter();
        loops
            .filter_map(|op| {
                let looped = ir.cast::<ForOp>(op)?;
                Contraction::found(ir, looped, segmap, self.allowed())
            })
            .collect()
    }

    /// The points of threads for warpgroups, if those make all sums of a segmap.
    fn by_warpgroups(&self, ir: &Ir, segmap: SegMapOp, sizes: &[i64]) -> Option<Registers> {
        let sizes = <[i64; 2]>::try_from(sizes).ok()?;
        let (points, _) = warpgroup_points(sizes).filter(|_| self.warpgroups)?;
        let found = self.contractions(ir, segmap);
        let all = found.iter().all(|found| found.suits_warpgroups(ir));
        all.then_some(points)
    }

    /// The oldest target whose tensor cores make the sums of a segmap, if any of the targets has them.
    fn since(&self, ir: &Ir, segmap: SegMapOp) -> Option<i64> {
        let sizes = constant_sizes(ir, segmap)?;
        let points = in_pairs(&Registers::of(ir, segmap)?);
        let threads = points.threads(&sizes)?;
        let found = self.contractions(ir, segmap);
        let good = |found: &Contraction| {
            // Who lets factors be rounded does not ask for the order of their sum.
            let any_order = self.any_order || !found.unrounded.is_empty();
            found.sum.is_free(found.kind, any_order)
                && found.kind.since <= self.newest
                && fits(found.kind, &points, &threads)
        };
        let since = found.iter().map(|found| found.kind.since).max();
        since.filter(|_| found.iter().all(good))
    }
}

/// The points of a thread, in runs of two along the columns.
fn in_pairs(points: &Registers) -> Registers {
    let mut runs = vec![1; points.runs.len()];
    if let Some(last) = runs.last_mut() {
        *last = 2;
    }
    Registers {
        counts: points.counts.clone(),
        runs,
        apart: None,
    }
}

/// A loop in a point that adds up products of a row and a column.
pub(crate) struct Contraction {
    pub(crate) a: Value,
    pub(crate) b: Value,
    /// Whether `a` is depth by rows, `b` columns by depth.
    pub(crate) transposed: [bool; 2],
    pub(crate) depth: i64,
    /// Where along the depth it begins.
    lower: i64,
    /// Whether integers of `a` and `b` have no sign.
    pub(crate) unsigned: [bool; 2],
    /// How factors of `f32` are rounded to `tf32`.
    pub(crate) tf32: Option<RoundingMode>,
    /// Factors of `f32` that are still to be rounded.
    unrounded: Vec<Value>,
    kind: Kind,
    sum: Sum,
}

impl Contraction {
    /// The contraction that a loop of a point of `segmap` is, if it is one.
    pub(crate) fn of(ir: &Ir, looped: ForOp, segmap: SegMapOp) -> Option<Contraction> {
        Contraction::found(ir, looped, segmap, None)
    }

    /// The same, also where factors are still to be rounded to `tf32`, if they may be.
    fn found(
        ir: &Ir,
        looped: ForOp,
        segmap: SegMapOp,
        allowed: Option<RoundingMode>,
    ) -> Option<Contraction> {
        let place = ir.block_args(segmap.body_block(ir));
        let &[row, column] = place else { return None };
        let known = |value: Value| ir.constant_int(value);
        let (lower, upper) = (
            known(looped.lower_bound(ir))?,
            known(looped.upper_bound(ir))?,
        );
        let depth = upper.checked_sub(lower)?;
        if known(looped.step(ir)) != Some(1) {
            return None;
        }
        let body = looped.region_block(ir);
        let (step, sum) = Sum::of_loop(ir, looped)?;
        let ([a, b], transposed) = sum.sides(ir, step, [row, column])?;
        let ops = ir.ops(body).count();
        let alone = a.ops + b.ops + sum.ops == ops;
        let outside = |array: Value| ir.value_block(array) != Some(body);
        let sums = sum.ty;
        let mut kind = Kind::of(ir.ctx(), a.element, sums);
        let (mut tf32, mut unrounded) = (a.tf32, Vec::new());
        if let (None, Some(mode)) = (kind, allowed.filter(|_| a.element == ir.ctx().f32())) {
            kind = Kind::of(ir.ctx(), ir.ctx().float(FloatKind::TF32), sums);
            tf32 = Some(mode);
            unrounded = vec![a.number, b.number];
        }
        let kind = kind?;
        let steps = kind.shape[2];
        let whole = depth >= steps && depth % steps == 0;
        let aligned = lower >= 0 && lower % kind.aligned_steps() == 0;
        let alike = a.element == b.element && a.tf32 == b.tf32;
        let fits = alone && alike && outside(a.array) && outside(b.array);
        (fits && whole && aligned).then_some(Contraction {
            a: a.array,
            b: b.array,
            transposed,
            depth,
            lower,
            unsigned: [a.unsigned, b.unsigned],
            tf32,
            unrounded,
            kind,
            sum,
        })
    }

    /// Whether warpgroups make the sums, and read the arrays where they lie.
    fn suits_warpgroups(&self, ir: &Ir) -> bool {
        let lines = [self.a, self.b].iter().all(|&array| {
            let shaped = ir.value_type(array).shaped(ir.ctx());
            shaped.is_some_and(|(shape, _)| shape.last().is_some_and(|&last| last % LINE == 0))
        });
        let [across_a, _] = self.transposed;
        let whole = self.lower % self.kind.shape[2] == 0;
        self.kind.by_warpgroups() && self.a != self.b && !across_a && lines && whole
    }
}

/// The sums of products in the loops of a nest's points that tensor cores have, wherever the factors are read, and whether their
/// factors are rounded only because they may be.
fn sums_of(ir: &Ir, segmap: SegMapOp, allow_tf32: bool) -> impl Iterator<Item = (Kind, Sum, bool)> {
    ir.ops(segmap.body_block(ir)).filter_map(move |op| {
        let (_, sum) = Sum::of_loop(ir, ir.cast::<ForOp>(op)?)?;
        let widened = ir.def_as::<ExtFOp>(sum.factors[0]);
        let factor = widened.map_or(sum.factors[0], |widened| widened.r#in(ir));
        let (ctx, factor) = (ir.ctx(), ir.value_type(factor));
        if let Some(kind) = Kind::of(ctx, factor, sum.ty) {
            return Some((kind, sum, false));
        }
        let rounded = ctx.float(FloatKind::TF32);
        let kind = Kind::of(ctx, rounded, sum.ty).filter(|_| allow_tf32 && factor == ctx.f32());
        Some((kind?, sum, true))
    })
}

/// Whether loops of a nest's points add up products that warpgroups have.
pub(crate) fn suit_warpgroups(ir: &Ir, segmap: SegMapOp) -> bool {
    sums_of(ir, segmap, false).any(|(kind, ..)| kind.by_warpgroups())
}

/// Whether they add up products that warps of this compute capability, times ten, have, in an order that is free: of matrices
/// that a warp reads as such, or of numbers of `tf32`, of which each that is read twice is rounded twice.
pub(crate) fn suit_warps(ir: &Ir, segmap: SegMapOp, oldest: i64, allow_tf32: bool) -> bool {
    let suits = |(kind, sum, only_allowed): (Kind, Sum, bool)| {
        let rounded = kind.factor == Number::Float(FloatKind::TF32);
        let reads = kind.by_matrices(false) || rounded;
        kind.since <= oldest && reads && sum.is_free(kind, only_allowed)
    };
    sums_of(ir, segmap, allow_tf32).any(suits)
}

/// A sum of a product and what a loop carries.
struct Sum {
    factors: [Value; 2],
    /// The type of the sum.
    ty: Type,
    /// The flags of the sum and of the product; none of integers.
    flags: [Option<FastMath>; 2],
    /// How many ops it is, with the loop's terminator.
    ops: usize,
}

impl Sum {
    /// The factor of rows, then the one of columns, and whether each of them is transposed.
    fn sides(
        &self,
        ir: &Ir,
        step: Value,
        [row, column]: [Value; 2],
    ) -> Option<([Factor; 2], [bool; 2])> {
        let [first, second] = [
            Factor::of(ir, self.factors[0])?,
            Factor::of(ir, self.factors[1])?,
        ];
        let along = |factor: &Factor, place: Value| match factor.indices {
            [outer, inner] if outer == place && inner == step => Some(false),
            [outer, inner] if outer == step && inner == place => Some(true),
            _ => None,
        };
        // An array of rows is a, one of columns b.
        let (a, b) = match along(&first, row) {
            Some(_) => (first, second),
            None => (second, first),
        };
        let transposed = [along(&a, row)?, !along(&b, column)?];
        Some(([a, b], transposed))
    }

    /// Whether it may be rounded as those of tensor cores, where additions of floats are in any order if they say so, or all
    /// are.
    fn is_free(&self, kind: Kind, any_order: bool) -> bool {
        let any_order = any_order || self.has(0, FastMath::REASSOC);
        let fused = [0, 1].map(|op| self.has(op, FastMath::CONTRACT));
        match kind.rounding {
            Rounding::Never => true,
            Rounding::Sums => any_order,
            Rounding::Fused => any_order && fused == [true; 2],
        }
    }

    /// The counter of a loop that carries one value, and the sum that it carries.
    fn of_loop(ir: &Ir, looped: ForOp) -> Option<(Value, Sum)> {
        let body = looped.region_block(ir);
        let &[step, carried] = ir.block_args(body) else {
            return None;
        };
        let &[sum] = &ir.operands(ir.last_op(body)?).collect::<Vec<_>>()[..] else {
            return None;
        };
        Some((step, Sum::of(ir, sum, carried)?))
    }

    fn of(ir: &Ir, sum: Value, carried: Value) -> Option<Sum> {
        if let Some(sum) = ir.def_as::<AddIOp>(sum) {
            let product = other(sum.lhs(ir), sum.rhs(ir), carried)?;
            let product = ir.def_as::<MulIOp>(product)?;
            return Some(Sum {
                ty: ir.value_type(carried),
                factors: [product.lhs(ir), product.rhs(ir)],
                flags: [None; 2],
                ops: 3,
            });
        }
        let sum = ir.def_as::<AddFOp>(sum)?;
        let product = other(sum.lhs(ir), sum.rhs(ir), carried)?;
        let product = ir.def_as::<MulFOp>(product)?;
        Some(Sum {
            ty: ir.value_type(carried),
            factors: [product.lhs(ir), product.rhs(ir)],
            flags: [sum.fastmath(ir), product.fastmath(ir)],
            ops: 3,
        })
    }

    /// Whether the sum, or the product, has a flag.
    fn has(&self, op: usize, flag: FastMath) -> bool {
        self.flags[op].is_some_and(|flags| flags.contains(flag))
    }
}

/// Rounds the factors of a segmap's sums to `tf32` that are still to be rounded.
fn round_factors(ir: &mut Ir, segmap: SegMapOp, mode: RoundingMode) {
    let loops: Vec<ForOp> = ir
        .walk(segmap.op())
        .into_iter()
        .filter_map(|op| ir.cast::<ForOp>(op))
        .collect();
    for looped in loops {
        let found = Contraction::found(ir, looped, segmap, Some(mode));
        for number in found.into_iter().flat_map(|found| found.unrounded) {
            let Some(read) = ir.defining_op(number) else {
                continue;
            };
            let uses: Vec<(Op, usize)> = ir
                .uses(number)
                .map(|id| (ir.use_owner(id), ir.use_index(id)))
                .collect();
            let (Some(next), loc) = (ir.next_op(read), ir.loc(read)) else {
                continue;
            };
            let mut b = Builder::new(ir, InsertPoint::Before(next), loc);
            let widened = round_through(&mut b, number, FloatKind::TF32, mode);
            for (user, index) in uses {
                ir.set_operand(user, index, widened);
            }
        }
    }
}

/// The one of two values that is not `known`, which the other one is.
fn other(x: Value, y: Value, known: Value) -> Option<Value> {
    match (x == known, y == known) {
        (true, false) => Some(y),
        (false, true) => Some(x),
        _ => None,
    }
}

/// An element of an array, widened, rounded or as it is.
struct Factor {
    /// The factor: it is multiplied.
    number: Value,
    array: Value,
    indices: [Value; 2],
    /// The type of what is multiplied, before it is widened.
    element: Type,
    /// How it is rounded to `tf32`, if it is: to nearest.
    tf32: Option<RoundingMode>,
    /// Whether it is widened without a sign.
    unsigned: bool,
    /// How many ops it is.
    ops: usize,
}

impl Factor {
    fn of(ir: &Ir, value: Value) -> Option<Factor> {
        let unsigned = ir.def_as::<ExtUIOp>(value).map(|wide| wide.r#in(ir));
        let signed = ir.def_as::<ExtSIOp>(value).map(|wide| wide.r#in(ir));
        let float = ir.def_as::<ExtFOp>(value).map(|wide| wide.r#in(ir));
        let narrow = unsigned.or(signed).or(float);
        let rounded = narrow.and_then(|narrow| ir.def_as::<TruncFOp>(narrow));
        let tf32 = match rounded {
            Some(rounded) => Some(nearest(ir, rounded)?),
            None => None,
        };
        let number = rounded.map(|rounded| rounded.r#in(ir)).or(narrow);
        let read = Read::defining(ir, number.unwrap_or(value))?;
        let &[outer, inner] = &read.indices(ir)[..] else {
            return None;
        };
        let shape = ir.value_type(read.tensor(ir)).shaped(ir.ctx())?.0;
        let plain = !read.is_checked(ir) && shape.iter().all(|&it| it >= 0);
        plain.then(|| Factor {
            number: value,
            array: read.tensor(ir),
            indices: [outer, inner],
            element: ir.value_type(narrow.unwrap_or(value)),
            tf32,
            unsigned: unsigned.is_some(),
            ops: 1 + usize::from(narrow.is_some()) + usize::from(rounded.is_some()),
        })
    }
}

/// How a number of `f32` is rounded to `tf32`, if that is what is done, and to nearest.
fn nearest(ir: &Ir, rounded: TruncFOp) -> Option<RoundingMode> {
    let mode = rounded.roundingmode(ir);
    let mode = mode.unwrap_or(RoundingMode::ToNearestEven);
    let to_nearest = [RoundingMode::ToNearestEven, RoundingMode::ToNearestAway].contains(&mode);
    let from = ir.value_type(rounded.r#in(ir)) == ir.ctx().f32();
    let to = ir.value_type(rounded.out(ir)).float_kind(ir.ctx()) == Some(FloatKind::TF32);
    (from && to && to_nearest).then_some(mode)
}
