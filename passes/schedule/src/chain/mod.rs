//! Pass `tile-chains`: two products with reductions of rows between them become one kernel, which has the rows between them by parts.
//!
//! ```mlir
//! %s = (%i < %n, %j < %m) { sum over %d of %q[%i, %d] * %k[%j, %d] }      kernel.segmap block (%bi < ceildiv(%n, 64)) {
//! %x = max over %j of %s[%i, %j]                                            for %bj = 0 to ceildiv(%m, 32) with %x, %l, %acc {
//! %l, %e = sum over %j of exp(%s[%i, %j] - %x[%i])                     ==>    %s' = a tile of 64 by 32 of %s
//! %o = (%i < %n, %c < %w) {                                                   %x' = max(%x, max of the tile's rows)
//!   sum over %j of %e[%i, %j] * %v[%j, %c] / %l[%i]                           %e' = exp(%s' - %x'), %f = exp(%x - %x')
//! }                                                                           %l' = %l * %f + sums of the rows of %e'
//!                                                                             %acc' = %acc * %f + %e' * the tile of %v
//!                                                                           }
//!                                                                           %o = %acc / %l }
//! ```
//! Attention is such a chain. No array of rows by columns is in global memory, whatever the number of columns. Sources: Milakov and
//! Gimelshein, "Online normalizer calculation for softmax" (2018), for sums relative to a maximum that grows; Rabe and Staats,
//! "Self-attention does not need O(n^2) memory" (2021), and Dao et al., "FlashAttention" (2022), for the chain. That the sums may be
//! rescaled, and by which factor, is not known of the program's names but proved from its operators ([`segra_std::rescaled`]).
//!
//! The nests are those of the first versions of a choice that flattening made: a product (of scores: a segmap whose points run
//! one loop), then any reductions, maps and both together over the same rows and columns, then a segmap with a loop over
//! the columns, whose carried numbers are sums. The chain is a further version of all of them.
//!
//! Legality:
//! - the nests read each other at their own row and column only, and other arrays as they like; they have no effects, and run no
//!   checks. Nothing but the last one's result leaves the choice;
//! - one extreme of each row is read by the others. A reduction whose elements do not depend on it has any operator: parts of it
//!   are combined in order. One whose elements do is a sum that starts with 0, and its elements have a factor that makes up
//!   for another extreme, of at most 1; so have elements that are stored, and products of the last loop;
//! - other numbers of a row that all columns make are read in the end: after the last loop, or as a divisor or factor of what is
//!   stored, which then is one of the sums (a softmax that is divided by its sum before the second product). It is
//!   linear in them;
//! - all ops that this moves over each other allow `fastmath<reassoc>`.
//!
//! Padding does not reach the program's operators: places beyond the last row or column compute what the last one does. In a
//! step with fewer columns than a tile has, reductions take neutral elements for places beyond them, and the last loop ends.
//! A row of nothing but the extreme's neutral element (all of it masked) makes NaN, as it does without tiles.
//!
//! The products are staged by the steps of [`crate::tile`]. Rows of a result that are longer than a tile is wide are parts, and the
//! scores are computed for each. Chosen when the program runs, from `NAME.chainN` thread blocks on, which
//! count more where they have few steps (with more points of a thread from `NAME.chainN.many` on), where rows of results fit one
//! tile, and there are 64 columns (`NAME.chainN.depth`).

mod find;
mod make;

use crate::choice::{Answer, Threshold, all_tiles, beside, function_name};
use crate::rows::in_segmented;
use crate::tile::apply::first_loop;
use crate::tile::{apply_inside, plan, stage};
use find::Chain;
use make::{Nests, Shape};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::interfaces::is_pure;
use segra_ir::{Builder, Ir, Op, OpView, Value};
use segra_kernel::registers::Registers;
use segra_kernel::segop::SegMapOp;
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_space::Step;
use segra_std::arith::{CmpIPredicate, index};
use segra_std::builtin;
use segra_std::scf::ForOp;

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct TileChains {}
}

const INFO: PassInfo = PassInfo {
    name: "tile-chains",
    summary: "make products with reductions of rows between them one kernel, a tile of the rows after another",
    reads: &["kernel", "scf"],
    writes: &["arith", "kernel", "math", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

/// Shapes of tiles, by how long rows of results are. A thread block of them has at most 64 KB of shared memory, as all devices do.
const SHAPES: [Shape; 5] = [
    shape(32, 64, Threads::Few),
    shape(32, 64, Threads::Many),
    shape(64, 64, Threads::Few),
    shape(64, 64, Threads::Many),
    // Few threads would have more points of 128 than registers for them.
    shape(128, 32, Threads::Many),
];

/// How many threads share a tile. Few have twice as many points each, which spares reads of shared memory, and leave a
/// multiprocessor idle that has but one thread block.
///
/// Estimated on an H100, rows of 64 in f32, many and few, in us: 128 thread blocks with 1024 columns 92.8 and about 190, 256
/// with 1024 175 and 205, 448 with 1024 305 and 257, 1024 with 4096 3188 and 2395. With half the columns at a time and few
/// threads the last one is 3337.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Threads {
    /// 8 by 16.
    Few,
    /// 16 by 16.
    Many,
}

/// A tile whose threads have points of both products.
const fn shape(width: i64, columns: i64, threads: Threads) -> Shape {
    let (rows, blocks) = match threads {
        Threads::Few => (8, MANY_BLOCKS),
        Threads::Many => (4, BLOCKS),
    };
    Shape {
        rows: 64,
        columns,
        width,
        scores: [rows, columns / 16],
        result: [rows, width / 16],
        blocks,
    }
}

impl Shape {
    /// The shape for elements of so many bytes: of those that take more than four, there are half as many rows and columns.
    fn of(&self, bytes: i64) -> Shape {
        let mut shape = *self;
        if bytes > 4 {
            (shape.rows, shape.columns) = (self.rows / 2, self.columns / 2);
            shape.scores = self.scores.map(|points| points / 2);
            shape.result[0] /= 2;
        }
        shape
    }
}

/// Steps of the first product's loop at a time.
const STEPS: i64 = 32;
/// Steps of that loop that are staged at once: what each row reads is then there for all columns.
const MOST_STEPS: i64 = 64;
/// Thread blocks from which on the chain is taken: fewer leave multiprocessors idle that the nests apart would keep busy.
const BLOCKS: i64 = 128;
/// Thread blocks with so few steps each count more, by this divided by the third power of their steps. Estimated on an H100, in f32, rows
/// of 64, by one kernel and by four, in us: 1 block with a step 8.7 and 15.5, 24 with 2 14.2 and 24.9, 72 with 6 35.8 and 44.6;
/// 64 with 8 46.7 and 44.7, 32 with 8 46.7 and 31.5, 1 with 4 25.0 and 20.7.
const FEW_STEPS: i64 = 1024;
/// From this number of steps on, only the thread blocks count.
const MOST_STEPS_WEIGHED: i64 = 16;
/// Those from which on each multiprocessor has several, so that few threads of more points each are faster.
const MANY_BLOCKS: i64 = 384;
/// Columns from which on the chain is taken.
const DEPTH: i64 = 64;

impl Pass for TileChains {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut numbers: FxHashMap<String, usize> = FxHashMap::default();
        let mut changed = Changed::No;
        let ops = ir.walk(module).into_iter();
        let nests: Vec<SegMapOp> = ops.filter_map(|op| ir.cast::<SegMapOp>(op)).collect();
        for last in nests {
            if in_segmented(ir, last.op()) {
                continue;
            }
            let Some(chain) = find::chain(ir, last) else {
                continue;
            };
            let function = ir.block_of(chain.choice);
            let function = function.map_or_else(String::new, |block| function_name(ir, block));
            let number = numbers.entry(function.clone()).or_default();
            let name = format!("{function}.chain{number}");
            for &op in &chain.before {
                ir.move_before(op, chain.choice);
                changed = Changed::Yes;
            }
            let made = versions(ir, &chain, &name);
            if made > 0 {
                *number += 1;
                cx.count("chains", made);
                changed = Changed::Yes;
            }
        }
        Ok(Outcome::of(changed))
    }
}

/// Puts the chain beside the choice that it is a version of, once for each shape that suits it; how many.
fn versions(ir: &mut Ir, chain: &Chain, name: &str) -> u64 {
    let width = ir.constant_int(chain.width);
    let least = match width {
        Some(width) => SHAPES
            .iter()
            .map(|shape| shape.width)
            .find(|&it| width <= it),
        None => None,
    };
    // Of widths that are not known, the narrowest shapes would be two more kernels.
    let suits = |shape: &Shape| match width {
        Some(_) => Some(shape.width) == least,
        None => shape.width > SHAPES[0].width,
    };
    // Loops over parts of the depth take registers, too: few threads would have too few.
    let short = first_loop(ir, chain.scores).is_some_and(|looped| depth(ir, looped).is_some());
    let held = |shape: &Shape| short || shape.blocks == BLOCKS;
    let shapes = SHAPES
        .into_iter()
        .filter(|shape| suits(shape) && held(shape));
    let shapes: Vec<Shape> = shapes.map(|shape| shape.of(chain.bytes)).collect();
    let mut made = 0;
    // The narrowest that fits is asked for first: others are in its second branch.
    for shape in &shapes {
        let Some(condition) = condition(ir, chain, shape, name) else {
            continue;
        };
        let results: Vec<Value> = ir.results(chain.choice).collect();
        let mut nests = Nests::default();
        let choice = chain.choice;
        beside(ir, (choice, condition), (&[choice], &results), |ir, to| {
            let (result, built) = make::kernel(ir, chain, shape, to);
            nests = built;
            Some(vec![result])
        });
        tile(ir, &nests, shape);
        made += 1;
    }
    made
}

/// Whether a shape pays, asked before the choice; none where it does not.
fn condition(ir: &mut Ir, chain: &Chain, shape: &Shape, name: &str) -> Option<Value> {
    let mut b = Builder::before(ir, chain.choice);
    let sizes = [&chain.outer[..], &[chain.rows, chain.width]].concat();
    let blocks = all_tiles(&mut b, &sizes, &[shape.rows, shape.width]);
    let most = index::constant(&mut b, shape.width);
    let fits = index::cmp(&mut b, CmpIPredicate::Sle, chain.width, most);
    let fits = Answer::of(b.ir, fits);
    let (size, name_of_blocks) = match shape.blocks {
        BLOCKS => (weighed(&mut b, blocks, chain, shape), name.to_owned()),
        _ => (blocks, format!("{name}.many")),
    };
    let many = Threshold {
        size,
        name: name_of_blocks,
        default: shape.blocks,
    };
    let long = Threshold {
        size: chain.columns,
        name: format!("{name}.depth"),
        default: DEPTH,
    };
    let many = many.answer(&mut b);
    let long = long.answer(&mut b);
    let all = many.and(long, &mut b).and(fits, &mut b);
    match all {
        Answer::Known(false) => None,
        all => Some(all.value(&mut b)),
    }
}

/// A number of thread blocks, or more where they have few steps: the nests apart are four kernels at least, which take longer than a few
/// steps of idle multiprocessors.
fn weighed(b: &mut Builder<'_>, blocks: Value, chain: &Chain, shape: &Shape) -> Value {
    let [columns, most, few] =
        [shape.columns, MOST_STEPS_WEIGHED, FEW_STEPS].map(|value| index::constant(b, value));
    let one = index::constant(b, 1);
    let steps = index::ceil_div(b, chain.columns, columns);
    let steps = index::min(b, steps, most);
    let steps = index::max(b, steps, one);
    let square = index::mul(b, steps, steps);
    let cube = index::mul(b, square, steps);
    let more = index::mul(b, blocks, few);
    let more = index::div(b, more, cube);
    index::max(b, blocks, more)
}

/// Stages what the products of a kernel read.
fn tile(ir: &mut Ir, nests: &Nests, shape: &Shape) {
    let around = |ir: &Ir, segmap: SegMapOp| {
        let mut around = ir.ancestors(segmap.op()).skip(1);
        around.find_map(|op| ir.cast::<SegMapOp>(op))
    };
    let mut runs = None;
    for &last in &nests.last {
        let result = shape.result.to_vec();
        let runs = runs.get_or_insert_with(|| plan::runs_for(ir, last, &result));
        registers(ir, last, &shape.result, runs);
        if let Some(looped) = first_loop(ir, last) {
            // Where it cannot be copied, it is read from where it is.
            let _ = stage(ir, last, looped, shape.columns);
        }
    }
    for &beside in &nests.beside {
        let runs = runs.clone().unwrap_or(vec![1, 1]);
        registers(ir, beside, &shape.result, &runs);
    }
    let steps = [
        Step::Peel(STEPS),
        Step::Chunk(STEPS),
        Step::Distribute,
        Step::Interchange,
        Step::Stage,
        Step::Repeat,
    ];
    for &scores in &nests.scores {
        registers(ir, scores, &shape.scores, &[1, 1]);
        let short = first_loop(ir, scores);
        let short = short.and_then(|looped| Some((looped, depth(ir, looped)?)));
        if let Some((looped, steps)) = short {
            let _ = stage(ir, scores, looped, steps);
            hoist(ir, scores);
            continue;
        }
        if let Some(block) = around(ir, scores) {
            // A step that does not apply leaves the nest as those before it have made it.
            let _ = apply_inside(ir, (block, scores), &steps);
        }
    }
}

/// Moves what is copied for a nest, and is the same in all steps of the loop that the nest is in, before the loop.
fn hoist(ir: &mut Ir, nest: SegMapOp) {
    let Some(block) = ir.block_of(nest.op()) else {
        return;
    };
    let Some(looped) = ir.block_parent(block).filter(|&op| ir.isa::<ForOp>(op)) else {
        return;
    };
    let copies: Vec<Op> = ir
        .ops(block)
        .take_while(|&op| op != nest.op())
        .filter(|&op| ir.isa::<SegMapOp>(op))
        .collect();
    for copy in copies {
        let values = ir.operands(copy).chain(ir.free_values(copy));
        let Some(moved) = needed(ir, values, looped, |_| false) else {
            continue;
        };
        for op in moved.into_iter().chain([copy]) {
            ir.move_before(op, looped);
        }
    }
}

/// The ops inside of `around` that values are made by, but for those that are `known`, in order; none where one of them is not pure,
/// or depends on what `around` counts or carries.
fn needed(
    ir: &Ir,
    values: impl IntoIterator<Item = Value>,
    around: Op,
    known: impl Fn(Value) -> bool,
) -> Option<Vec<Op>> {
    let inside = |value: &Value| ir.is_defined_inside(*value, around) && !known(*value);
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    let mut pending: Vec<(Op, bool)> = Vec::new();
    for value in values.into_iter().filter(inside) {
        pending.push((ir.defining_op(value)?, false));
    }
    while let Some((op, made)) = pending.pop() {
        if made {
            found.push(op);
        } else if seen.insert(op) {
            (is_pure(ir, op) && ir.regions(op).is_empty()).then_some(())?;
            pending.push((op, true));
            for value in ir.operands(op).filter(inside) {
                pending.push((ir.defining_op(value)?, false));
            }
        }
    }
    Some(found)
}

/// The length of a loop that is staged at once.
fn depth(ir: &Ir, looped: ForOp) -> Option<i64> {
    let steps = ir.constant_int(looped.upper_bound(ir))?;
    (1..=MOST_STEPS).contains(&steps).then_some(steps)
}

fn registers(ir: &mut Ir, segmap: SegMapOp, counts: &[i64], runs: &[i64]) {
    let registers = Registers {
        counts: counts.to_vec(),
        runs: runs.to_vec(),
        apart: None,
    };
    registers.assign(ir, segmap);
}
