//! Points of which each has a row of an array to itself: whether one thread reads it, or threads side by side do.
//!
//! ```text
//! segmap (i < n) { for j < m { read xss[i, j] } }     a warp's threads read as many rows: a sector each from 32 bytes on
//! ==>
//! if Par(S') >= t_top and not m >= t_long              rows that are shorter are in few sectors together
//! ```
//!
//! `NAME.top.N` asks whether there are enough points to keep a device busy; here they are, and the version that does points one after
//! another still is slower, as it reads a sector for each element. The flat version reads rows side by side, as do thread blocks.
//! (The lecture, whose device has no caches, takes such accesses for granted and transposes arrays beforehand, which is another pass
//! over them.)
//!
//! Estimated on an H100, f32, one thread and the best of the others, in us. Sums of 400,000 rows of 3 elements: 4.9 and 5.6, of 8: 8.1
//! and 7.3, of 16: 22.1 and 11.1, of 32: 76.9 and 18.8. Softmax, 40,000 rows of 8: 9.4 and 9.5, of 16: 12.0 and 9.5, of 64: 34.3 and
//! 15.9; 400,000 of 8: 25.1 and 64.5, of 16: 60.4 and 64.5. Scans of i64, 40,000 rows of 8: 10.1 and 10.3, of 32: 23.4 and 9.6, of
//! 128: 75.5 and 28.5. Scatters of i16, 100,000 rows of 4: 8.2 and 6.6, of 16: 9.0 and 7.8, of 30: 14.4 and 7.8. Joined and padded rows of
//! i64, summed, 100,000 of 31: 27.9 and 13.1.
//!
//! Legality: a choice between versions that compute the same. Asked where rows have one length, which is known before the choice;
//! where nothing else is read along the rows by other indices, so that no point shares a row with another (of rows that differ in
//! length, as where some are joined, the longest counts); and where points do nothing but reduce rows, map and scatter their
//! elements, or scan one each: what points with several scans do side by side takes many launches.

use crate::function::Flattener;
use crate::versions::byte_width;
use segra_ir::{Builder, Ir, Op, OpView, Region, Value};
use segra_kernel::access::Read;
use segra_kernel::extent::resolved;
use segra_kernel::segop::{SegMapOp, SegRedOp, SegmentedOp};
use segra_kernel::threshold::AtLeastOp;
use segra_kernel::update::ScatterOp;
use segra_std::{arith, scf};

/// Bytes of a row from which on a thread for it is slower than one launch of the flat version, or one that scatters: a sector.
const LONG: i64 = 32;
/// The same, where rows are written, too, or the flat version has several launches.
const LONG_OF_SEVERAL: i64 = 64;
/// So many sums are looked through for the variable of a loop.
const MOST_MOVES: usize = 8;

impl Flattener<'_> {
    /// Asks whether rows are short, too, before the first version of a choice is taken for its number of points.
    pub(crate) fn ask_length(&mut self, choice: scf::IfOp, number: usize, launches: usize) {
        let first = choice.then_region(self.ir);
        let all = self.ir.walk(choice.op()).into_iter();
        let all = all.filter(|&op| self.ir.interface::<dyn SegmentedOp>(op).is_some());
        let (scatters, others): (Vec<Op>, Vec<Op>) =
            all.partition(|&op| self.ir.isa::<ScatterOp>(op));
        let of_points = |&op: &Op| self.ir.isa::<SegRedOp>(op) || self.ir.isa::<SegMapOp>(op);
        let scans = !others.iter().all(of_points);
        let alone = launches == 1;
        if scans && !alone {
            return;
        }
        let Some((lengths, width)) = own_rows(self.ir, choice.op(), first, alone) else {
            return;
        };
        let bytes = match alone && !scans || !scatters.is_empty() {
            true => LONG,
            false => LONG_OF_SEVERAL,
        };
        let name = format!("{}.top.{number}.long", self.name);
        let mut b = Builder::before(self.ir, choice.op());
        let longer = |x, y| arith::MaxSIOp::build(&mut b, x, y).result(b.ir);
        let Some(length) = lengths.into_iter().reduce(longer) else {
            return;
        };
        let long = AtLeastOp::ask(&mut b, length, &name, bytes / width);
        let short = arith::XOrIOp::not(&mut b, long);
        let many = choice.condition(b.ir);
        let both = arith::AndIOp::build(&mut b, many, short).result(b.ir);
        self.ir.set_operand(choice.op(), 0, both);
    }
}

/// The lengths of the rows that points of the one nest in a region have to themselves, known before `choice`, and the bytes of
/// the widest element. None where there are none such, or others are read by the same loops; `alone`: the flat version is one launch.
fn own_rows(ir: &Ir, choice: Op, region: Region, alone: bool) -> Option<(Vec<Value>, i64)> {
    let block = ir.entry_block(region)?;
    let nests = ir.ops(block).filter_map(|op| ir.cast::<SegMapOp>(op));
    let [nest] = nests.collect::<Vec<SegMapOp>>()[..] else {
        return None;
    };
    let points = ir.block_args(nest.body_block(ir));
    let inside = ir.walk(nest.op()).into_iter();
    let (mut lengths, mut widest) = (Vec::new(), 0);
    let own = |read: &Read| ir.is_defined_inside(read.tensor(ir), nest.op());
    let reads = inside.filter_map(|op| Read::of(ir, op));
    // An array that a point makes for itself is no row of another; where it makes that step by step, the flat version has launches for
    // each step.
    for read in reads.filter(|read| !alone || !own(read)) {
        let unmoved = |&index: &Value| unmoved(ir, index, nest.op());
        let indices: Vec<Value> = read.indices(ir).iter().map(unmoved).collect();
        let Some((&last, outer)) = indices.split_last() else {
            continue;
        };
        let Some(length) = trips(ir, last) else {
            // A number for each point, side by side, or for all.
            let loops = indices.iter().any(|&index| trips(ir, index).is_some());
            let known =
                |&index: &Value| points.contains(&index) || !ir.is_defined_inside(index, nest.op());
            if loops || !indices.iter().all(known) {
                return None;
            }
            continue;
        };
        if !outer
            .iter()
            .any(|&index| ir.is_defined_inside(index, nest.op()))
        {
            // One row for all points.
            continue;
        }
        let length = resolved(ir, length);
        if ir.is_defined_inside(length, choice) || !points.iter().all(|point| outer.contains(point))
        {
            return None;
        }
        if !lengths.contains(&length) {
            lengths.push(length);
        }
        widest = widest.max(byte_width(ir.ctx(), ir.value_type(read.result(ir))));
    }
    (!lengths.is_empty()).then_some((lengths, widest))
}

/// An index without what is added to it for all points, as where rows are joined or padded.
fn unmoved(ir: &Ir, index: Value, nest: Op) -> Value {
    let still =
        |value: Value| !ir.is_defined_inside(value, nest) || ir.constant_int(value).is_some();
    let mut index = index;
    for _ in 0..MOST_MOVES {
        let next = if let Some(sum) = ir.def_as::<arith::AddIOp>(index) {
            let (lhs, rhs) = (sum.lhs(ir), sum.rhs(ir));
            match (still(lhs), still(rhs)) {
                (false, true) => lhs,
                (true, false) => rhs,
                _ => break,
            }
        } else if let Some(difference) = ir.def_as::<arith::SubIOp>(index) {
            match still(difference.rhs(ir)) {
                true => difference.lhs(ir),
                false => break,
            }
        } else {
            break;
        };
        index = next;
    }
    index
}

/// How often the loop runs whose variable a value is, from 0 on in steps of 1.
fn trips(ir: &Ir, value: Value) -> Option<Value> {
    let around = ir.block_parent(ir.value_block(value)?)?;
    let looped = ir.cast::<scf::ForOp>(around)?;
    let counts = looped.induction_var(ir) == value && looped.counts_from_zero(ir);
    counts.then(|| looped.upper_bound(ir))
}
