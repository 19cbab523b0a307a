//! Pass `copy-boxes`: tiles that warpgroups multiply are copied as boxes of arrays (tensor memory access, PTX ISA 5.5 and 9.7.9.27).
//!
//! ```mlir
//! %tiles = kernel.segmap block (..) {                    %whole = 64 <= %k, %k mod 8 == 0, the same of %m
//!   ..                                                   %c = scf.if %whole {
//!   scf.for .. iter_args(%xs = %xs0, ..) {                 %tiles = kernel.segmap block (..) {
//!     %xs1 = .. kernel.segmap thread async { .. }    ==>     .. kernel.segmap thread async boxes { .. } .. }
//!     .. kernel.segmap thread contract warpgroups ..         kernel.untile %tiles ..
//!   }                                                      } else { as before }
//! }
//! %c = kernel.untile %tiles ..
//! ```
//! One instruction of one thread copies what else takes each thread several, with tests and an address for each. Where sizes are
//! constants, the condition decides at once; rows of arrays shorter than "main.boxes0" leave most of a box empty.
//!
//! Before, each loop of a thread block gets copies of its own for its first steps ([`carried::separate`]).
//!
//! Legality: all asynchronous copies of the thread block are of boxes ([`BoxCopy`]) of arrays from outside of it, in loops
//! directly in its body ([`crate::tile::pipeline`]), and only warpgroups' products read them. Hardware takes arrays
//! whose rows are a multiple of 16 bytes, and not empty. Of a box that ends outside of its array, nothing is known of what lies there: so
//! indices have an end along the rows and columns of the product only, never along its depth, and of the points of a tile each reads only
//! its own sums, and no op puts several together: so no point that exists depends on one that does not. Other thread blocks stay as
//! they are.

use crate::choice::{Answer, Threshold, beside, function_name};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::is_pure;
use segra_ir::{Builder, InsertPoint, Ir, Op, OpView, Value};
use segra_kernel::access::Read;
use segra_kernel::boxes::{BoxCopy, ROW_ELEMENTS};
use segra_kernel::carried::{self, CarriedCopies};
use segra_kernel::contract::LINE;
use segra_kernel::level::Level;
use segra_kernel::segop::{self, ReturnOp, SegMapOp};
use segra_kernel::tile::UntileOp;
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::arith::{CmpIPredicate, index};
use segra_std::builtin;
use segra_std::scf::{ForOp, IfOp, YieldOp};
use segra_std::tensor::{DimOp, EmptyOp};

pass_options! {
    /// The pass `copy-boxes`.
    pub struct CopyBoxes {
        /// Default of the thresholds on the elements of rows: a line of a box.
        pub row: i64 = LINE,
    }
}

const INFO: PassInfo = PassInfo {
    name: "copy-boxes",
    summary: "copy tiles that warpgroups multiply as boxes of arrays",
    reads: &["kernel", "scf"],
    writes: &["kernel", "scf", "arith"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for CopyBoxes {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let separated = carried::separate(ir, module);
        cx.count("copies made for a second loop", separated as u64);
        let blocks: Vec<SegMapOp> = ir
            .walk(module)
            .into_iter()
            .filter_map(|op| ir.cast::<SegMapOp>(op))
            .filter(|segmap| segmap.level(ir) == Level::Block)
            .collect();
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        let mut found = 0;
        for block in blocks {
            let Some(nest) = Nest::of(ir, block) else {
                continue;
            };
            let Some(around) = ir.block_of(block.op()) else {
                continue;
            };
            let function = function_name(ir, around);
            let number = numbers.entry(function.clone()).or_default();
            let name = format!("{function}.boxes{number}");
            *number += 1;
            found += u64::from(nest.emit(ir, name, self.row));
        }
        cx.count("thread blocks that copy boxes", found);
        Ok(Outcome::of(Changed::when(found > 0 || separated > 0)))
    }
}

/// A thread block whose copies are of boxes.
struct Nest {
    block: SegMapOp,
    copies: Vec<(SegMapOp, BoxCopy)>,
    /// The block and what puts its tiles together, in order, and what later ops use of them.
    ops: Vec<Op>,
    results: Vec<Value>,
}

impl Nest {
    fn of(ir: &Ir, block: SegMapOp) -> Option<Nest> {
        let loops = ir.ops(block.body_block(ir)).filter_map(|op| ir.cast(op));
        let carried = loops.flat_map(|looped| CarriedCopies::of(ir, looped));
        let (mut copies, mut staged) = (Vec::new(), FxHashSet::default());
        for carried in carried {
            for segmap in carried.segmaps(ir) {
                let copy = BoxCopy::of(ir, segmap)?;
                let outside = !ir.is_defined_inside(copy.read.tensor(ir), block.op());
                let mut users = carried.args.iter().flat_map(|&arg| ir.users(arg));
                if !outside || !users.all(|user| is_multiplied(ir, user, copy)) {
                    return None;
                }
                copies.push((segmap, copy));
            }
            staged.extend(carried.args);
        }
        let inside = ir.walk(block.op()).into_iter();
        let inside = inside.filter_map(|op| ir.cast::<SegMapOp>(op));
        let asynchronous = inside.filter(|segmap| segmap.asynchronous(ir).is_some());
        let all = asynchronous.count() == copies.len();
        if copies.is_empty() || !all || !points_are_apart(ir, block, &mut staged) {
            return None;
        }
        let (ops, results) = untiled(ir, block);
        Some(Nest {
            block,
            copies,
            ops,
            results,
        })
    }

    /// Has boxes copied where rows allow it. Whether there is such a version.
    fn emit(&self, ir: &mut Ir, name: String, row: i64) -> bool {
        let op = self.block.op();
        let mut b = Builder::before(ir, op);
        let mut arrays: Vec<(Value, usize)> = Vec::new();
        for (_, copy) in &self.copies {
            let rows = (copy.read.tensor(b.ir), copy.along[1].dim);
            if !arrays.contains(&rows) {
                arrays.push(rows);
            }
        }
        let rows = arrays
            .into_iter()
            .map(|(array, dim)| DimOp::of(&mut b, array, dim));
        let rows: Vec<Value> = rows.collect();
        let zero = index::constant(&mut b, 0);
        let elements = index::constant(&mut b, ROW_ELEMENTS);
        let mut all = Answer::Known(true);
        let mut least: Option<Value> = None;
        for &extent in &rows {
            let rest = index::rem(&mut b, extent, elements);
            let whole = index::cmp(&mut b, CmpIPredicate::Eq, rest, zero);
            all = all.and(Answer::of(b.ir, whole), &mut b);
            least = Some(match least {
                Some(least) => index::min(&mut b, least, extent),
                None => extent,
            });
        }
        let Some(least) = least else { return false };
        let some = index::cmp(&mut b, CmpIPredicate::Sgt, least, zero);
        let threshold = Threshold {
            size: least,
            name,
            default: row,
        };
        let some = Answer::of(b.ir, some);
        let answer = all.and(some, &mut b).and(threshold.answer(&mut b), &mut b);
        let condition = match answer {
            Answer::Known(holds) => {
                self.mark(ir, holds);
                return holds;
            }
            Answer::Asked(condition) => condition,
        };
        self.mark(ir, true);
        let choice = (op, condition);
        let found = beside(ir, choice, (&self.ops, &self.results), |ir, then| {
            let loc = ir.loc(op);
            let mut b = Builder::new(ir, InsertPoint::End(then), loc);
            let mut mapping = Mapping::new();
            for &op in &self.ops {
                b.clone_op(op, &mut mapping);
            }
            Some(self.results.iter().map(|&old| mapping.get(old)).collect())
        });
        self.mark(ir, false);
        found.is_some()
    }

    /// Says whether copies are of boxes.
    fn mark(&self, ir: &mut Ir, boxes: bool) {
        let unit = ir.ctx().unit();
        for (segmap, _) in &self.copies {
            ir.set_attr_named(segmap.op(), "boxes", boxes.then_some(unit));
        }
    }
}

/// Whether an op that uses a copy is a warpgroup's product, along whose depth the copy has no end, or passes it on.
fn is_multiplied(ir: &Ir, user: Op, copy: BoxCopy) -> bool {
    if ir.isa::<YieldOp>(user) || ir.isa::<DimOp>(user) {
        return true;
    }
    let Some(read) = Read::of(ir, user) else {
        return false;
    };
    let segmap = ir
        .ancestors(user)
        .skip(1)
        .find_map(|op| ir.cast::<SegMapOp>(op));
    let Some(segmap) = segmap.filter(|segmap| segmap.warpgroups(ir).is_some()) else {
        return false;
    };
    let points = ir.block_args(segmap.body_block(ir));
    let indices = read.indices(ir);
    let ends = copy.along.iter().zip(&indices);
    let mut ends = ends.filter(|(along, _)| along.last.is_some());
    ends.all(|(_, index)| points.contains(index))
}

/// Whether no point of a block's tiles depends on others: arrays that are made in the block are read at the point's own indices,
/// but those that are copied (`staged`, and what segmaps copy from outside).
fn points_are_apart(ir: &Ir, block: SegMapOp, staged: &mut FxHashSet<Value>) -> bool {
    let inside: Vec<Op> = ir.walk(block.op()).into_iter().skip(1).collect();
    for &op in &inside {
        let Some(segmap) = ir.cast::<SegMapOp>(op) else {
            continue;
        };
        let mut reads = ir.walk(op).into_iter().filter_map(|op| Read::of(ir, op));
        if reads.all(|read| !ir.is_defined_inside(read.tensor(ir), block.op())) {
            staged.extend(segmap.results(ir));
        }
    }
    inside.iter().all(|&op| {
        let arrays: Vec<Value> = ir
            .operands(op)
            .filter(|&value| {
                let array = ir.value_type(value).shaped(ir.ctx()).is_some();
                array && ir.is_defined_inside(value, block.op())
            })
            .collect();
        if let Some(read) = Read::of(ir, op) {
            let around = ir.ancestors(op).skip(1);
            let mut segmaps = around.filter_map(|op| ir.cast::<SegMapOp>(op));
            let own = segmaps.next().is_some_and(|segmap| {
                let points = ir.block_args(segmap.body_block(ir));
                segmap.level(ir) == Level::Thread && read.indices(ir) == points
            });
            return own || arrays.iter().all(|array| staged.contains(array));
        }
        let segmented = ir.interface::<dyn segop::SegmentedOp>(op).is_some();
        let passes_on = ir.isa::<YieldOp>(op)
            || ir.isa::<ForOp>(op)
            || ir.isa::<ReturnOp>(op)
            || ir.isa::<DimOp>(op);
        match segmented {
            true => ir.isa::<SegMapOp>(op),
            false => {
                let plain = ir.isa::<IfOp>(op) || ir.isa::<EmptyOp>(op) || is_pure(ir, op);
                passes_on || plain && arrays.is_empty()
            }
        }
    })
}

/// A block with the ops that put its tiles together, and the values that later ops use.
fn untiled(ir: &Ir, block: SegMapOp) -> (Vec<Op>, Vec<Value>) {
    let (mut ops, mut results) = (vec![block.op()], Vec::new());
    for result in block.results(ir) {
        match UntileOp::of(ir, result) {
            Some(untile) => {
                ops.push(untile.op());
                results.push(untile.result(ir));
            }
            None => results.push(result),
        }
    }
    (ops, results)
}
