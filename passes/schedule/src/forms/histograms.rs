//! Forms of histograms, by operator and number of bins:
//!
//! | bins | form | threshold |
//! |---|---|---|
//! | any, for few elements, and all values are atomics | `atomics` | how many times as many would be few, `NAME.few` |
//! | fewer than `capacity` | `shared`, with space for few, so that a multiprocessor has more thread blocks | `NAME.capacity` |
//! | fewer than `global` | `shared`, with space for as many as fit | `NAME.global` |
//! | else | `atomics`; `locks`, where some value of the operator needs one | |
//!
//! An operator that combines arrays, or may stop the program, takes `locks` in any case: it runs once for each element that
//! has a bin then, and never on neutral elements.
//!
//! By default all bins have space where all values are exact atomics, which are cheap in global memory, too; else a few
//! ranges of bins are done one after another, each of which reads all elements. Atomics and locks in global memory read
//! each element once, however many bins there are.
//!
//! Thread blocks that begin with empty bins and add all of them to the result take two kernels, or many atomics, however few elements
//! there are. Atomics take the L2 cache two cycles each for those that meet in one sector of it: 4096 of them, of all bins in the
//! worst case, take no longer. Bins of more sectors share elements out; as these may be skewed, only one sector in four counts.
//! Segments have bins of their own: where they are short, a thread block for each has little to do (15 bins on an H100, estimated,
//! us by atomics and in shared memory: 20,000 segments of 30 elements 5.9 and 34.1, of 128 14.5 and 34.4, of 300 30.2 and 34.9;
//! 1,000 of 128 3.6 and 4.6, of 1,000 7.5 and 4.7).
//! A loop of compare-and-swap goes around again for each of those that meet in a bin: few are as many as there are bins then.
//! Sums of floats in global memory differ in their last bits from run to run; with `NAME.few` out of reach they do not.

use super::{Beside, Condition, Decision, combines_arrays};
use crate::choice::Threshold;
use segra_ir::types::DYNAMIC;
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::atomic::{Ways, instructions};
use segra_kernel::extent::extent_of;
use segra_kernel::form::Form;
use segra_kernel::update::{SegHistOp, num_indices};
use segra_pass::analysis::operator;
use segra_space::Target;
use segra_std::arith::index;
use segra_std::tensor::DimOp;

/// Shared memory of a histogram, in bytes: so much that it leaves a third to others.
const SHARED_BYTES: i64 = Target::CUDA.shared_bytes / 3 * 2;
/// Most bins in shared memory, however narrow.
const MOST_BINS: i64 = 8192;
/// Space of the version for few bins.
const FEW_BINS: i64 = 512;
/// Most ranges of bins in shared memory: elements are read once for each.
const MOST_RANGES: i64 = 8;
/// So few elements go to global memory, however they are spread.
const FEW_ELEMENTS: i64 = 1 << 12;
/// Bins among which so many are shared out for sure, and most times that the above counts.
const SHARED_OUT: i64 = 32;
const MOST_SHARES: i64 = 16;
/// Segments of so many elements go to global memory, however many there are.
const SHORT: i64 = 256;

impl Decision {
    /// Of a histogram; at most `hist_bins` bins have space in shared memory, unless it is 0.
    pub(super) fn histogram(ir: &mut Ir, op: Op, name: &str, hist_bins: i64) -> Option<Decision> {
        let hist = ir.cast::<SegHistOp>(op)?;
        let (neutral, combine) = (hist.neutral(ir), hist.combine(ir));
        let only_computes = ir
            .entry_block(combine)
            .is_some_and(|block| operator::only_computes(ir, block));
        if combines_arrays(ir, &neutral) || !only_computes {
            return Some(Decision::Take(Form::Locks));
        }
        let in_order = !Ways::same_in_any_order(ir, combine).locked.is_empty();
        let global = match Ways::any_order(ir, combine).locked.is_empty() {
            true => Form::Atomics,
            false => Form::Locks,
        };
        let capacity = match (capacity(ir, &neutral, in_order), hist_bins) {
            (capacity, 0) => capacity,
            (capacity, most) => capacity.min(most),
        };
        let bins = bins(ir, hist)?;
        let shared = match capacity <= FEW_BINS {
            true => Decision::Share(capacity),
            false => {
                let sides = [capacity, FEW_BINS].map(Decision::Share);
                Decision::at_least(bins, format!("{name}.capacity"), FEW_BINS + 1, sides)
            }
        };
        let default = capacity * if in_order { MOST_RANGES } else { 1 } + 1;
        let sides = [Decision::Take(global), shared];
        let at_least = Threshold {
            size: bins,
            name: format!("{name}.global"),
            default,
        };
        let beside = (global == Form::Atomics).then(|| few_elements(ir, hist, bins, name));
        Some(Decision::Ask(
            Condition { at_least, beside },
            Box::new(sides),
        ))
    }
}

/// The condition for so few elements that atomics are faster than thread blocks with bins of their own.
fn few_elements(ir: &mut Ir, hist: SegHistOp, bins: Value, name: &str) -> Beside {
    let extents = hist.sizes(ir);
    let segments = &extents[..extents.len() - 1];
    let by_hardware = instructions(ir, hist.combine(ir))
        .iter()
        .all(Option::is_some);
    let mut b = Builder::before(ir, hist.op());
    let all_bins = index::product(&mut b, &[segments, &[bins]].concat());
    let elements = index::product(&mut b, &extents);
    let [one, few, shared_out, most] =
        [1, FEW_ELEMENTS, SHARED_OUT, MOST_SHARES].map(|it| index::constant(&mut b, it));
    let shares = index::div(&mut b, all_bins, shared_out);
    let shares = index::max(&mut b, shares, one);
    let shares = index::min(&mut b, shares, most);
    let few = match by_hardware {
        true => {
            let few = index::mul(&mut b, few, shares);
            match segments.is_empty() {
                true => few,
                false => {
                    let count = index::product(&mut b, segments);
                    let short = index::constant(&mut b, SHORT);
                    let of_short = index::mul(&mut b, count, short);
                    index::max(&mut b, few, of_short)
                }
            }
        }
        false => all_bins,
    };
    let elements = index::max(&mut b, elements, one);
    Beside::Or(Threshold {
        size: index::div(&mut b, few, elements),
        name: format!("{name}.few"),
        default: 1,
    })
}

/// Bins that a thread block has space for, a power of two; `in_order`: some values are combined under a lock.
fn capacity(ir: &Ir, neutral: &[Value], in_order: bool) -> i64 {
    let values: i64 = neutral
        .iter()
        .map(|&value| bytes(ir, ir.value_type(value)))
        .sum();
    let lock = if in_order { 4 } else { 0 };
    let fitting = (SHARED_BYTES / (values + lock)).max(1);
    MOST_BINS.min(1 << fitting.ilog2())
}

/// Bytes of a number in memory.
fn bytes(ir: &Ir, ty: Type) -> i64 {
    let float = ty.float_kind(ir.ctx()).map(|kind| kind.width());
    let bits = ty.integer_width(ir.ctx()).or(float).unwrap_or(64);
    i64::from(bits.max(8) / 8)
}

/// How many bins a segment has: a value before the op.
fn bins(ir: &mut Ir, hist: SegHistOp) -> Option<Value> {
    let op = hist.op();
    let destination = *hist.destinations(ir).first()?;
    let segments = hist.sizes(ir).len() - 1;
    let dims = segments..segments + num_indices(ir, op);
    let shape = ir.value_type(destination).shaped(ir.ctx())?.0.to_vec();
    let extents: Vec<Value> = dims
        .map(|dim| {
            let known = match shape[dim] {
                DYNAMIC => {
                    extent_of(ir, destination, dim).and_then(|extent| ir.constant_int(extent))
                }
                extent => Some(extent),
            };
            let mut b = Builder::before(ir, op);
            match known {
                Some(extent) => index::constant(&mut b, extent),
                None => DimOp::of(&mut b, destination, dim),
            }
        })
        .collect();
    Some(index::product(&mut Builder::before(ir, op), &extents))
}
