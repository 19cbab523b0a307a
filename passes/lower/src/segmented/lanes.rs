//! Groups of threads that work together: shuffles, reductions, scans.
//!
//! A group is 2, 4, ... 32 neighbouring lanes of a warp, or a whole thread block. All lanes of a warp take part in each
//! shuffle, so shuffles stand only in code that is the same for a warp; what differs between lanes is in the values.
//! Operands keep their order: neighbours are combined first, lower lanes on the left.

use super::Load;
use crate::access::{bit_width, load, store};
use crate::kernel::Kernel;
use crate::launch::{add, ceil_div, compare, constant, mul};
use crate::operator::{Operator, Order};
use segra_gpu::attrs::ShuffleMode;
use segra_gpu::device::ShuffleOp;
use segra_ir::{Builder, InsertPoint, Type, Value};
use segra_space::Target;
use segra_std::arith::{self, CmpIPredicate};

/// Lanes of a warp.
pub(crate) const WARP: i64 = Target::CUDA.warp;

/// `a < b` etc. of two index values at a place.
pub(crate) fn test(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    predicate: CmpIPredicate,
    a: Value,
    b: i64,
) -> Value {
    let mut builder = kernel.at(point);
    let b = constant(&mut builder, b);
    compare(&mut builder, predicate, a, b)
}

/// Quotient and remainder by a constant of a value that is not negative.
pub(crate) fn split(b: &mut Builder<'_>, value: Value, by: i64) -> (Value, Value) {
    let by = constant(b, by);
    let quotient = arith::DivUIOp::build(b, value, by).result(b.ir);
    (quotient, arith::RemUIOp::build(b, value, by).result(b.ir))
}

/// An `i32` constant.
pub(crate) fn word(b: &mut Builder<'_>, value: i32) -> Value {
    let ctx = b.ir.context();
    let attr = ctx.int_attr(i128::from(value), ctx.i32());
    arith::ConstantOp::build(b, attr).result(b.ir)
}

/// Another lane's value; the lane's own where there is no such lane.
pub(super) fn shuffle(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    mode: ShuffleMode,
    value: Value,
    offset: i32,
) -> Value {
    let offset = word(&mut kernel.at(point), offset);
    shuffle_by(kernel, point, mode, value, offset)
}

/// As [`shuffle`], by an `i32` known at run time.
pub(crate) fn shuffle_by(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    mode: ShuffleMode,
    value: Value,
    offset: Value,
) -> Value {
    let ctx = kernel.ir.context();
    let ty = kernel.ir.value_type(value);
    let mut b = kernel.at(point);
    let (carried, steps) = widened(&mut b, value);
    let width = word(&mut b, WARP as i32);
    let shuffled = ShuffleOp::builder()
        .value(carried)
        .offset(offset)
        .width(width)
        .mode(mode.attr(&ctx))
        .build(&mut b)
        .shuffle_result(b.ir);
    narrowed(&mut b, shuffled, steps, ty)
}

/// Whether a condition holds in any lane of the warp; all lanes get the answer.
pub(super) fn any_lane(kernel: &mut Kernel<'_>, point: InsertPoint, condition: Value) -> Value {
    let ctx = kernel.ir.context();
    let mut b = kernel.at(point);
    let mut any = arith::ExtUIOp::build(&mut b, condition, ctx.i32()).out(b.ir);
    let mut offset = 1;
    while i64::from(offset) < WARP {
        let other = shuffle(kernel, point, ShuffleMode::Xor, any, offset);
        let mut b = kernel.at(point);
        any = arith::OrIOp::build(&mut b, any, other).result(b.ir);
        offset *= 2;
    }
    let mut b = kernel.at(point);
    let zero = word(&mut b, 0);
    compare(&mut b, CmpIPredicate::Ne, any, zero)
}

/// How a value is brought to a type the hardware shuffles.
#[derive(Clone, Copy)]
enum Carried {
    AsIs,
    Index,
    /// Zero-extended from this integer type.
    Integer(Type),
    /// The bits of a float as this integer type, zero-extended.
    Float(Type),
}

fn widened(b: &mut Builder<'_>, value: Value) -> (Value, Carried) {
    let ctx = b.ir.context();
    let ty = b.type_of(value);
    if ty.is_index(&ctx) {
        let carried = arith::IndexCastOp::build(b, value, ctx.i64()).out(b.ir);
        return (carried, Carried::Index);
    }
    match bit_width(&ctx, ty) {
        Some(16) if ty.is_float(&ctx) => {
            let narrow = ctx.integer(16);
            let bits = arith::BitcastOp::build(b, value, narrow).out(b.ir);
            (
                arith::ExtUIOp::build(b, bits, ctx.i32()).out(b.ir),
                Carried::Float(narrow),
            )
        }
        Some(width) if width < 32 => (
            arith::ExtUIOp::build(b, value, ctx.i32()).out(b.ir),
            Carried::Integer(ty),
        ),
        _ => (value, Carried::AsIs),
    }
}

fn narrowed(b: &mut Builder<'_>, value: Value, carried: Carried, ty: Type) -> Value {
    match carried {
        Carried::AsIs => value,
        Carried::Index => arith::IndexCastOp::build(b, value, ty).out(b.ir),
        Carried::Integer(narrow) => arith::TruncIOp::build(b, value, narrow).out(b.ir),
        Carried::Float(narrow) => {
            let bits = arith::TruncIOp::build(b, value, narrow).out(b.ir);
            arith::BitcastOp::build(b, bits, ty).out(b.ir)
        }
    }
}

pub(crate) fn shuffle_all(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    mode: ShuffleMode,
    values: &[Value],
    offset: i32,
) -> Vec<Value> {
    values
        .iter()
        .map(|&value| shuffle(kernel, point, mode, value, offset))
        .collect()
}

/// Combines the values of each `width` neighbouring lanes; the first of them has the result.
pub(crate) fn reduce_lanes(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    operator: &Operator,
    values: &[Value],
    width: i64,
) -> Vec<Value> {
    reduce_lanes_by(kernel, point, values, width, |kernel, left, right| {
        operator.apply(kernel, point, left, right)
    })
}

/// As [`reduce_lanes`]; `combine` gets the values of two lanes.
pub(super) fn reduce_lanes_by(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    values: &[Value],
    width: i64,
    mut combine: impl FnMut(&mut Kernel<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let mut values = values.to_vec();
    let mut offset = 1;
    while i64::from(offset) < width {
        let right = shuffle_all(kernel, point, ShuffleMode::Down, &values, offset);
        values = combine(kernel, &values, &right);
        offset *= 2;
    }
    values
}

/// Inclusive scan over the lanes of a warp.
pub(crate) fn scan_lanes(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    operator: &Operator,
    values: &[Value],
    lane: Value,
) -> Vec<Value> {
    let mut values = values.to_vec();
    let mut offset = 1;
    while i64::from(offset) < WARP {
        let left = shuffle_all(kernel, point, ShuffleMode::Up, &values, offset);
        let has_left = test(kernel, point, CmpIPredicate::Uge, lane, i64::from(offset));
        let own = values;
        values = kernel.if_else(
            point,
            has_left,
            &operator.types,
            |kernel, point| operator.apply(kernel, point, &left, &own),
            |_, _| own.clone(),
        );
        offset *= 2;
    }
    values
}

/// The left neighbour's values; the first lane has `first`.
pub(crate) fn shift_lanes(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    values: &[Value],
    lane: Value,
    first: &[Value],
) -> Vec<Value> {
    let left = shuffle_all(kernel, point, ShuffleMode::Up, values, 1);
    let is_first = test(kernel, point, CmpIPredicate::Eq, lane, 0);
    let mut b = kernel.at(point);
    let pairs = first.iter().zip(left);
    pairs
        .map(|(&first, left)| arith::SelectOp::build(&mut b, is_first, first, left).result(b.ir))
        .collect()
}

/// A group that combines elements `lower..upper` of a segment.
pub(super) struct Group {
    /// Threads: a power of two; above a warp's, the whole thread block.
    pub(super) size: i64,
    /// Number of the thread in the group.
    pub(super) lane: Value,
    /// Whether the group has a segment; none: always.
    pub(super) guard: Option<Value>,
    pub(super) lower: Value,
    /// The same for all groups of a warp, whether they have a segment or not.
    pub(super) upper: Value,
}

/// Combines the elements of a group; its first thread has the result.
///
/// Where the operator is commutative each thread takes every `size`-th element; else warps take consecutive elements, a
/// lane each, so that reads are coalesced in both cases.
pub(super) fn reduce_group(
    kernel: &mut Kernel<'_>,
    operator: &Operator,
    group: &Group,
    load: &mut Load<'_>,
    wide: Option<WideLoad<'_>>,
) -> Vec<Value> {
    let width = group.size.min(WARP);
    let accumulated = match (operator.order, wide) {
        (Order::Any, Some(wide)) => strided_wide(kernel, operator, group, load, wide),
        (Order::Any, None) => strided(kernel, operator, group, load),
        (Order::Kept, _) => consecutive(kernel, operator, group, load),
    };
    let entry = InsertPoint::End(kernel.entry);
    let values = match operator.order {
        Order::Any => reduce_lanes(kernel, entry, operator, &accumulated, width),
        Order::Kept => accumulated,
    };
    if group.size > WARP {
        reduce_warps(kernel, operator, group, &values)
    } else {
        values
    }
}

fn strided(
    kernel: &mut Kernel<'_>,
    operator: &Operator,
    group: &Group,
    load: &mut Load<'_>,
) -> Vec<Value> {
    let entry = InsertPoint::End(kernel.entry);
    let mut b = kernel.builder();
    let step = constant(&mut b, group.size);
    let first = add(&mut b, group.lower, group.lane);
    let upper = match group.guard {
        Some(guard) => arith::SelectOp::build(&mut b, guard, group.upper, group.lower).result(b.ir),
        None => group.upper,
    };
    kernel.for_loop(
        entry,
        (first, upper, step),
        &operator.neutral,
        |kernel, point, at, accumulators| {
            let values = load(kernel, point, at);
            operator.apply(kernel, point, accumulators, &values)
        },
    )
}

/// Gives the values of several elements: kernel, where to emit, the first of them.
type LoadMany<'a> = dyn FnMut(&mut Kernel<'_>, InsertPoint, Value) -> Vec<Vec<Value>> + 'a;

/// Elements of a segment that are loaded together.
pub(super) struct WideLoad<'a> {
    /// How many.
    pub(super) lanes: i64,
    /// Number of the segment's first element among all; none: a multiple of the lanes, as the group's `lower` is.
    pub(super) row: Option<Value>,
    pub(super) load: &'a mut LoadMany<'a>,
}

/// The elements before the first aligned one, one by one; then several at a time; then those that are left.
fn strided_wide(
    kernel: &mut Kernel<'_>,
    operator: &Operator,
    group: &Group,
    load: &mut Load<'_>,
    wide: WideLoad<'_>,
) -> Vec<Value> {
    let entry = InsertPoint::End(kernel.entry);
    let WideLoad {
        lanes,
        row,
        load: load_wide,
    } = wide;
    let mut b = kernel.builder();
    let lower = group.lower;
    let upper = match group.guard {
        Some(guard) => arith::SelectOp::build(&mut b, guard, group.upper, lower).result(b.ir),
        None => group.upper,
    };
    let width = constant(&mut b, lanes);
    let down = |b: &mut Builder<'_>, value: Value| {
        let chunks = arith::DivUIOp::build(b, value, width).result(b.ir);
        mul(b, chunks, width)
    };
    let (begin, end) = match row {
        None => {
            // A difference that bounds take for one that may be negative: signed, so that 32 bits are as good.
            let count = arith::SubIOp::build(&mut b, upper, lower).result(b.ir);
            let chunks = arith::DivSIOp::build(&mut b, count, width).result(b.ir);
            let whole = mul(&mut b, chunks, width);
            (lower, add(&mut b, lower, whole))
        }
        Some(row) => {
            let (first, last) = (add(&mut b, row, lower), add(&mut b, row, upper));
            let more = constant(&mut b, lanes - 1);
            let first = add(&mut b, first, more);
            let (first, last) = (down(&mut b, first), down(&mut b, last));
            let begin = arith::SubIOp::build(&mut b, first, row).result(b.ir);
            let begin = arith::MinSIOp::build(&mut b, begin, upper).result(b.ir);
            let end = arith::SubIOp::build(&mut b, last, row).result(b.ir);
            (
                begin,
                arith::MaxSIOp::build(&mut b, begin, end).result(b.ir),
            )
        }
    };
    let step = constant(&mut b, group.size);
    let wide_step = constant(&mut b, group.size * lanes);
    let first = mul(&mut b, group.lane, width);
    let first = add(&mut b, begin, first);
    let mut one_by_one = |kernel: &mut Kernel<'_>, from: Value, to: Value, carried: &[Value]| {
        let first = add(&mut kernel.builder(), from, group.lane);
        kernel.for_loop(
            entry,
            (first, to, step),
            carried,
            |kernel, point, at, accumulators| {
                let values = load(kernel, point, at);
                operator.apply(kernel, point, accumulators, &values)
            },
        )
    };
    let mut carried = operator.neutral.clone();
    if row.is_some() {
        carried = one_by_one(kernel, lower, begin, &carried);
    }
    carried = kernel.for_loop(
        entry,
        (first, end, wide_step),
        &carried,
        |kernel, point, at, accumulators| {
            let loaded = load_wide(kernel, point, at);
            loaded.iter().fold(accumulators.to_vec(), |sum, values| {
                operator.apply(kernel, point, &sum, values)
            })
        },
    );
    one_by_one(kernel, end, upper, &carried)
}

/// Tiles of a warp's width in order; each is combined over the lanes, then with those before it.
fn consecutive(
    kernel: &mut Kernel<'_>,
    operator: &Operator,
    group: &Group,
    load: &mut Load<'_>,
) -> Vec<Value> {
    let entry = InsertPoint::End(kernel.entry);
    let width = group.size.min(WARP);
    let mut b = kernel.builder();
    let (mut lower, mut upper, mut lane) = (group.lower, group.upper, group.lane);
    if group.size > WARP {
        let (warp, lane_of_warp) = split(&mut b, group.lane, WARP);
        let count = arith::SubIOp::build(&mut b, upper, lower).result(b.ir);
        let tiles = ceil_div(&mut b, count, group.size);
        let warp_size = constant(&mut b, WARP);
        let part = mul(&mut b, tiles, warp_size);
        let before = mul(&mut b, warp, part);
        lower = add(&mut b, lower, before);
        let end = add(&mut b, lower, part);
        upper = arith::MinSIOp::build(&mut b, end, upper).result(b.ir);
        lane = lane_of_warp;
    }
    let step = constant(&mut b, width);
    kernel.for_loop(
        entry,
        (lower, upper, step),
        &operator.neutral,
        |kernel, point, base, accumulators| {
            let mut b = kernel.at(point);
            let at = add(&mut b, base, lane);
            let mut exists = compare(&mut b, CmpIPredicate::Slt, at, upper);
            if let Some(guard) = group.guard {
                exists = arith::AndIOp::build(&mut b, exists, guard).result(b.ir);
            }
            let neutral = operator.neutral.clone();
            let values = kernel.if_else(
                point,
                exists,
                &operator.types,
                |kernel, point| load(kernel, point, at),
                |_, _| neutral,
            );
            let tile = reduce_lanes(kernel, point, operator, &values, width);
            operator.apply(kernel, point, accumulators, &tile)
        },
    )
}

/// The results of a thread block's warps combined by its first warp, in their order.
fn reduce_warps(
    kernel: &mut Kernel<'_>,
    operator: &Operator,
    group: &Group,
    values: &[Value],
) -> Vec<Value> {
    let entry = InsertPoint::End(kernel.entry);
    let warps = group.size / WARP;
    let shared: Vec<Value> = operator
        .types
        .iter()
        .map(|&ty| kernel.shared(warps, ty))
        .collect();
    let (warp, lane) = split(&mut kernel.builder(), group.lane, WARP);
    let first_lane = test(kernel, entry, CmpIPredicate::Eq, lane, 0);
    kernel.when(entry, Some(first_lane), |kernel, point| {
        let mut b = kernel.at(point);
        shared
            .iter()
            .zip(values)
            .for_each(|(&buffer, &value)| store(&mut b, value, buffer, warp));
    });
    kernel.barrier(entry);
    let first_warp = test(kernel, entry, CmpIPredicate::Eq, warp, 0);
    let neutral = operator.neutral.clone();
    kernel.if_else(
        entry,
        first_warp,
        &operator.types,
        |kernel, point| {
            let exists = test(kernel, point, CmpIPredicate::Ult, lane, warps);
            let neutral = operator.neutral.clone();
            let values = kernel.if_else(
                point,
                exists,
                &operator.types,
                |kernel, point| {
                    let mut b = kernel.at(point);
                    shared
                        .iter()
                        .map(|&buffer| load(&mut b, buffer, &[lane]))
                        .collect()
                },
                |_, _| neutral,
            );
            reduce_lanes(kernel, point, operator, &values, warps)
        },
        |_, _| neutral,
    )
}
