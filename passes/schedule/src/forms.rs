//! Pass `choose-forms`: how the segments of reductions and scans are divided among threads, and how histograms combine.
//!
//! ```mlir
//! %s = kernel.segred thread (%i < %n, %j < %m) ...
//! ==>
//! %large = kernel.at_least %m, "main.red0.block" default 1025
//! %s = scf.if %large -> (tensor<?xf32>) {
//!   ... kernel.segred thread form block | form parts
//! } else {
//!   ... kernel.segred thread form lanes | form warp }
//! ```
//! | segments of a reduction | form | threshold |
//! |---|---|---|
//! | shorter than `warp` | `lanes`: a few lanes each | length for the turns of warps, `NAME.warp` |
//! | shorter than `block` | `warp` | length for the turns of thread blocks, `NAME.block` |
//! | shorter than `parts`, or at least `many` | `block` | length, `NAME.parts`; number, `NAME.many` |
//! | else | `parts`, or as the option `finish` says: several thread blocks each, then one | |
//!
//! A reduction of the parts of tiles has no `parts` of its own: a thread block for each of them keeps up with who makes them.
//! A scan has `warp` below `NAME.tiles` elements and `tiles` from there on; a single segment, which no other keeps company,
//! is never given to less than a thread block. Segments that are columns of what they read have `columns` instead: short
//! ones where there are at least `NAME.columns` of them, long ones where there are at least `NAME.many`. [`histograms`] says what those have. `NAME` is the function's name with
//! `red`, `scan` or `hist` and a number in the order of the program.
//!
//! A thread block for each segment takes `ceildiv(segments, 1024)` turns, as a GPU has about so many at once, a warp for each
//! an eighth of them, so the length is divided by the turns, by at most eight of them, before it is compared with `block`: few
//! segments have a thread block from 129 elements on, many from 1,032 on. A warp for each begins anew from 4,096 segments on: few
//! segments have one from 17 elements on, many from 68 on.
//!
//! Reductions and scans whose points are for thread blocks leave those to a nest of their own first ([`blocks`]).
//!
//! Every threshold is a tunable with a default. Where an extent is a constant the defaults decide at once, and where all
//! are, no choice is left. Segments whose operator combines arrays have `threads` from `NAME.parts` parts on, below it `thread`;
//! histograms of such operators have `locks`.
//!
//! Legality: every form of an op computes the same; ops inside a thread block's segmap have none. An op that has a form
//! keeps it. How the results of several thread blocks meet (Filipovič et al., "Optimizing CUDA code by kernel fusion", 3.2.2) is the
//! option `finish`: by a second kernel, by the last thread block that ends, or by atomics; the first two combine in order, so
//! results are the same in each run. Atomics take operators that commute and whose values are single words; others go by a
//! second kernel.

mod blocks;
mod histograms;

use crate::choice::{Answer, Threshold, branch, is_in_loop};
use segra_ir::interfaces::symbol_name;
use segra_ir::{Builder, Ir, Op, OpView, Value};
use segra_kernel::access::Read;
use segra_kernel::atomic::by_atomics;
use segra_kernel::form::{Form, OF_TILES};
use segra_kernel::level::Level;
use segra_kernel::segop::{SegRedOp, SegScanOp, SegmentedOp};
use segra_kernel::turns::{Parts, Turns};
use segra_kernel::update::SegHistOp;
use segra_kernel::vector::{column_dim, element_bytes};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith::index;

segra_pass::option_enum! {
    /// How the results of several thread blocks of a segment meet.
    pub enum Finish {
        /// By a second kernel.
        Kernel = "kernel",
        /// By the last thread block that ends.
        Last = "last",
        /// By atomics, in any order.
        Atomics = "atomics",
    }
}

segra_pass::pass_options! {
    /// The pass `choose-forms`.
    pub struct ChooseForms {
        /// Longest segments of a reduction that one thread block has where there are few of them; two thirds of it in loops,
        /// where a second launch takes less time, and where segments are columns, which take more. Estimated on an H100, a thread block and parts, us: of 8,192 elements 5.7 and
        /// 7.8, of 12,000 7.0 and 7.8, of 16,384 8.3 and 7.8; columns of 8,000 9.9 and 9.8, of 12,000 13.1 and 9.9.
        pub chunk: i64 = 12_288,
        /// Most bins of a histogram in a thread block's shared memory; 0: as many as fit.
        pub hist_bins: i64 = 0,
        /// How the results of several thread blocks of a segment meet: by a second kernel, by the last of them that ends, or by
        /// atomics, which combine in any order.
        pub finish: Finish = Finish::Kernel,
    }
}

/// From this length on for each turn, segments of a reduction have a warp rather than a few lanes. Estimated on an H100, lanes and
/// warps, us: 10,000 segments of 16 elements 3.8 and 4.6, of 48 5.2 and 4.6; 40,000 of 32 4.6 and 7.0, of 96 7.6 and 7.6; 400,000
/// of 32 18.8 and 41.6.
const WARP: i64 = 17;
/// From this length on, segments of a scan have tiles rather than a warp.
const TILES: i64 = 1025;
/// From this length on for each turn, segments of a reduction have a thread block rather than a warp. A warp of the simulator's
/// H100 waits for each 32 elements as long as a thread block for 256 (560 cycles of memory), which takes 300 more to combine what
/// its warps have.
const BLOCK: i64 = 129;
/// From so many short segments on, it counts that columns are read in whole sectors.
const COLUMNS: i64 = 1 << 13;
/// From so many segments on, a thread block for 8 of them keeps a device busy.
const MANY_COLUMNS: i64 = 8 * 128;
/// Most bytes of the values that a scan of columns combines: a tile of them is in shared memory.
const COLUMN_BYTES: i64 = 32;
/// From this many segments on, one thread block for each keeps a device busy.
const MANY: i64 = 256;

/// From so many parts on that threads would take, a segment whose operator combines arrays has parts: products of 2 x 2 matrices on
/// an H100, estimated, us in parts and by a thread: 33 elements, two parts, 48.4 and 29.6; 65, three, 46.9 and 47.6; 128, four,
/// 55.4 and 82.7.
const SEVERAL_PARTS: i64 = 3;

impl Pass for ChooseForms {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "choose-forms",
            summary: "choose how segments of reductions and scans are divided among threads, and how histograms combine",
            reads: &["kernel"],
            writes: &["arith", "kernel", "scf"],
            anchors: Anchors::Ops(&["func.func"]),
        }
    }

    fn run(&self, ir: &mut Ir, function: Op, cx: &mut PassContext<'_>) -> PassResult {
        if self.chunk < 1 {
            return Err(cx.fail(ir, function, "option chunk: must be at least 1"));
        }
        let name = symbol_name(ir, function)
            .map(|name| ir.ctx().str(name).to_owned())
            .unwrap_or_default();
        if self.hist_bins < 0 {
            return Err(cx.fail(ir, function, "option hist-bins: must not be negative"));
        }
        let [mut reductions, mut scans, mut histograms] = [0; 3];
        let named = |kind, number: &mut usize| {
            *number += 1;
            format!("{name}.{kind}{}", *number - 1)
        };
        let split = blocks::split(ir, function);
        cx.count("points of thread blocks split off", split);
        let mut changed = Changed::when(split > 0);
        for op in undecided(ir, function) {
            let decision = if ir.isa::<SegRedOp>(op) {
                Decision::reduction(ir, op, &named("red", &mut reductions), self)
            } else if ir.isa::<SegScanOp>(op) {
                Decision::scan(ir, op, &named("scan", &mut scans))
            } else {
                Decision::histogram(ir, op, &named("hist", &mut histograms), self.hist_bins)
            };
            if let Some(decision) = decision {
                decision.carry_out(ir, op);
                cx.count("forms chosen", 1);
                changed = Changed::Yes;
            }
        }
        Ok(Outcome::of(changed))
    }
}

/// Reductions, scans and histograms without a form, in the order of the program.
fn undecided(ir: &Ir, function: Op) -> Vec<Op> {
    let is_thread = |&op: &Op| {
        ir.interface::<dyn SegmentedOp>(op)
            .is_some_and(|model| model.level(ir, op) == Level::Thread)
    };
    outermost(ir, function)
        .into_iter()
        .filter(|&op| has_no_form(ir, op))
        .filter(is_thread)
        .collect()
}

/// Gives a reduction of one segment the form `parts` where it has at least so many elements, else `block`.
pub(crate) fn ask_parts(ir: &mut Ir, segred: SegRedOp, name: String, default: i64) {
    let forms = [Form::Parts, Form::Block].map(Decision::Take);
    if let [length] = segred.sizes(ir)[..] {
        Decision::at_least(length, name, default, forms).carry_out(ir, segred.op());
    }
}

/// Segmented ops that are no part of another, in the order of the program.
pub(crate) fn outermost(ir: &Ir, function: Op) -> Vec<Op> {
    let mut found = Vec::new();
    let mut regions: Vec<_> = ir.regions(function).to_vec();
    regions.reverse();
    while let Some(region) = regions.pop() {
        for op in ir.blocks(region).flat_map(|block| ir.ops(block)) {
            match ir.interface::<dyn SegmentedOp>(op) {
                Some(_) => found.push(op),
                None => regions.extend(ir.regions(op).iter().rev()),
            }
        }
    }
    found
}

/// Whether an op is one that has forms, but has none yet.
fn has_no_form(ir: &Ir, op: Op) -> bool {
    let reduction = ir.cast::<SegRedOp>(op).map(|seg| seg.form(ir));
    let scan = || ir.cast::<SegScanOp>(op).map(|seg| seg.form(ir));
    let histogram = || ir.cast::<SegHistOp>(op).map(|seg| seg.form(ir));
    reduction.or_else(scan).or_else(histogram) == Some(None)
}

/// Whether elements of a segment that follow one another lie apart in an array that is read.
fn reads_across(ir: &Ir, segred: SegRedOp) -> bool {
    let body = segred.body_block(ir);
    let Some(along) = ir.block_args(body).last() else {
        return false;
    };
    let mut reads = ir.ops(body).filter_map(|op| Read::of(ir, op));
    reads.any(|read| {
        let indices = read.indices(ir);
        indices.contains(along) && indices.last() != Some(along)
    })
}

/// Which form an op takes, and what decides.
enum Decision {
    Take(Form),
    /// The form `shared`, with space for so many bins.
    Share(i64),
    Ask(Condition, Box<[Decision; 2]>),
}

struct Condition {
    at_least: Threshold,
    beside: Option<Beside>,
}

/// A second size that is compared with its threshold.
enum Beside {
    /// The condition does not hold where it is at least that.
    Unless(Threshold),
    /// The condition holds where it is at least that, too.
    Or(Threshold),
}

impl Decision {
    /// The first side where a size is at least a threshold, else the second.
    fn at_least(size: Value, name: String, default: i64, sides: [Decision; 2]) -> Decision {
        let at_least = Threshold {
            size,
            name,
            default,
        };
        let condition = Condition {
            at_least,
            beside: None,
        };
        Decision::Ask(condition, Box::new(sides))
    }

    /// Of a reduction of segments of `length` elements, one for each index of `outer`.
    fn reduction(ir: &mut Ir, op: Op, name: &str, pass: &ChooseForms) -> Option<Decision> {
        let segred = ir.cast::<SegRedOp>(op)?;
        if combines_arrays(ir, &segred.neutral(ir)) {
            return Decision::of_arrays(ir, op, name);
        }
        let sizes = segred.sizes(ir);
        let (&length, outer) = sizes.split_last()?;
        let beside = match outer {
            [] => None,
            _ => Some(Beside::Unless(Threshold {
                size: index::product(&mut Builder::before(ir, op), outer),
                name: format!("{name}.many"),
                default: MANY,
            })),
        };
        let longest = match is_in_loop(ir, op) || reads_across(ir, segred) {
            true => pass.chunk - pass.chunk / 3,
            false => pass.chunk,
        };
        let at_least = Threshold {
            size: length,
            name: format!("{name}.parts"),
            default: longest.saturating_add(1),
        };
        let parts = match pass.finish {
            Finish::Last => Form::Last,
            Finish::Atomics if by_atomics(ir, segred.combine(ir)) => Form::Atomics,
            Finish::Kernel | Finish::Atomics => Form::Parts,
        };
        let forms = [parts, Form::Block].map(Decision::Take);
        let long = match ir.attr_named(op, OF_TILES) {
            Some(_) => Decision::Take(Form::Block),
            None => Decision::Ask(Condition { at_least, beside }, Box::new(forms)),
        };
        if outer.is_empty() {
            return Some(long);
        }
        let forms = [Form::Warp, Form::Lanes].map(Decision::Take);
        // The length for a turn, or any at least as large where all numbers of turns lead to the same side.
        let mut for_each = |turns: Turns, default: i64| match ir.constant_int(length) {
            Some(known) if known < default || known >= default.saturating_mul(turns.most) => length,
            _ => turns.for_each(&mut Builder::before(ir, op), length, outer),
        };
        let each = for_each(Turns::OF_WARPS, WARP);
        let short = Decision::at_least(each, format!("{name}.warp"), WARP, forms);
        let each = for_each(Turns::OF_BLOCKS, BLOCK);
        let name = format!("{name}.block");
        Some(Decision::at_least(each, name, BLOCK, [long, short]))
    }

    /// Of a reduction or scan whose operator combines arrays.
    fn of_arrays(ir: &mut Ir, op: Op, name: &str) -> Option<Decision> {
        let sizes = ir.interface::<dyn SegmentedOp>(op)?.sizes(ir, op);
        let (&length, outer) = sizes.split_last()?;
        let parts = Parts::of_threads(&mut Builder::before(ir, op), length, outer);
        let forms = [Form::Threads, Form::Thread].map(Decision::Take);
        let name = format!("{name}.parts");
        Some(Decision::at_least(parts.count, name, SEVERAL_PARTS, forms))
    }

    /// Of a scan of segments.
    fn scan(ir: &mut Ir, op: Op, name: &str) -> Option<Decision> {
        let segscan = ir.cast::<SegScanOp>(op)?;
        if combines_arrays(ir, &segscan.neutral(ir)) {
            return Decision::of_arrays(ir, op, name);
        }
        let sizes = segscan.sizes(ir);
        Some(match sizes.split_last()? {
            (_, []) => Decision::Take(Form::Tiles),
            (&length, outer) => {
                let bytes: Option<i64> = segscan
                    .neutral(ir)
                    .into_iter()
                    .map(|value| element_bytes(ir, ir.value_type(value)))
                    .sum();
                let columns = column_dim(ir, segscan)
                    .filter(|_| bytes.is_some_and(|bytes| bytes <= COLUMN_BYTES));
                let forms = match columns {
                    None => [Form::Tiles, Form::Warp].map(Decision::Take),
                    Some(_) => {
                        let all = index::product(&mut Builder::before(ir, op), outer);
                        let long = [Form::Columns, Form::Tiles].map(Decision::Take);
                        let short = [Form::Columns, Form::Warp].map(Decision::Take);
                        let many = format!("{name}.many");
                        let few = format!("{name}.columns");
                        [
                            Decision::at_least(all, many, MANY_COLUMNS, long),
                            Decision::at_least(all, few, COLUMNS, short),
                        ]
                    }
                };
                Decision::at_least(length, format!("{name}.tiles"), TILES, forms)
            }
        })
    }

    /// Gives `op` its form; where the program has to ask, one copy of it each.
    fn carry_out(&self, ir: &mut Ir, op: Op) {
        match self {
            Decision::Take(form) => {
                let attr = form.attr(ir.ctx());
                ir.set_attr_named(op, "form", Some(attr));
            }
            Decision::Share(capacity) => {
                Decision::Take(Form::Shared).carry_out(ir, op);
                let capacity = ir.ctx().i64_attr(*capacity);
                ir.set_attr_named(op, "capacity", Some(capacity));
            }
            Decision::Ask(condition, sides) => {
                let [then, otherwise] = &**sides;
                match condition.answer(&mut Builder::before(ir, op)) {
                    Answer::Known(true) => then.carry_out(ir, op),
                    Answer::Known(false) => otherwise.carry_out(ir, op),
                    Answer::Asked(condition) => {
                        let copy = branch(ir, op, condition);
                        then.carry_out(ir, op);
                        otherwise.carry_out(ir, copy);
                    }
                }
            }
        }
    }
}

impl Condition {
    fn answer(&self, b: &mut Builder<'_>) -> Answer {
        let holds = self.at_least.answer(b);
        match (&self.beside, &holds) {
            (None, _)
            | (Some(Beside::Unless(_)), Answer::Known(false))
            | (Some(Beside::Or(_)), Answer::Known(true)) => holds,
            (Some(Beside::Unless(threshold)), _) => {
                let not = threshold.answer(b).not(b);
                holds.and(not, b)
            }
            (Some(Beside::Or(threshold)), _) => holds.or(threshold.answer(b), b),
        }
    }
}

fn combines_arrays(ir: &Ir, neutral: &[Value]) -> bool {
    neutral
        .iter()
        .any(|&value| ir.value_type(value).shaped(ir.ctx()).is_some())
}
