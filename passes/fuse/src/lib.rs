//! Array → array; sees `array` with `arith` and `scf`. `fuse`: array combinators that feed each other, or have the same extent, become one.
//!
//! ```text
//! %ys = array.map (%x in %xs) { f }                  %s = array.redomap (%x in %xs) init (...) map { f }
//! %s = array.reduce (%ys) init (...) combine {op} =>      combine (...) {op}
//! ```
//!
//! Sources: "Regular flattening" (lecture, "Loop fusion" and "Fused constructs": redomap and scanomap; its note writes
//! `redomap op f` for a plain reduce where `id` is meant); Filipovič et al., "Optimizing CUDA code by kernel fusion"
//! (3.2.1: maps; 3.2.2: the result of a reduction needs a global barrier, so nothing that uses it is in its traversal;
//! 3.2.3 "different nesting depths are not fused" is not followed: flattening distributes a map again over what would be
//! repeated). Unlike there, nothing is searched: what can be one traversal is. With `apart`, nests of one depth are
//! left to the search of `fuse-traversals`; a map of what the rows of a nest give is still part of it, as no kernel of
//! that search has both.
//!
//! First, branches on what is the same for all elements go around combinators, and last, those that differ go around
//! elements [`either`]. Between, for each block, outer blocks first, since fusing brings inner blocks together:
//! 1. reductions of rows, element by element, become maps of reductions of columns [`columns`]; views between combinators move out
//!    of the way [`views`], and what only one branch uses moves there [`sink`];
//! 2. producers and consumers become one [`plan`], [`build`]:
//!
//! | producer, by the arrays it stores | into map | reduce, redomap | scan, scanomap | scatter, hist |
//! |---|---|---|---|---|
//! | map | map | redomap | scanomap | scatter, hist with the map in its body, if nothing else uses the map |
//! | redomap | redomap | redomap, operators side by side | no | no |
//! | scanomap | scanomap | no | scanomap, if both are inclusive or both exclusive | no |
//!
//!    A prefix or a reduced value is not there while the traversal runs: what uses it comes after. No op both reduces and
//!    scans, or returns arrays beside a scatter or hist. Any number of producers, results and other users: what others
//!    use is returned beside. The one op stands where all its inputs are there and no use is before it: it is
//!    never the case that work is done twice, or that something moves across an effect it may depend on.
//! 3. stencils take in maps of what they give, and stencils over the same arrays [`merge`](stencils::merge); with `horizontal`, combinators of one extent that do not depend on each other become one: maps and reductions, or
//!    maps and scans, over the same inputs, or over others. Maps with combinators inside only if they share an input.
//!    Two scatters, or two hists, become one where they compute the same index [`places`];
//! 4. with `recompute`, arrays that are cheaper to compute again than to store are not stored: by what reads them in the
//!    block, and in its loops and branches [`recompute`]; stencils compute the maps that feed them [`fed`](stencils::fed);
//! 5. what reads an array that a branch gives is done in the branch [`branches`], and what a round of a loop does first is
//!    done by the round before [`rotate`].
//!
//! 6. filters become masks of the reductions that read them [`filters`];
//! 7. sums of exponentials that depend on a maximum are made in the traversal that makes it [`rescale`].
//!
//! Legality: combinators have no effects; one that may stop the program (an index out of range) is moved only as far as
//! no other effect is passed, and never to where it would run less often. Parallelism is kept: a map with a combinator
//! inside is not fused with what runs its body sequentially (reduce, scan, scatter, hist). At most 40 arrays are read
//! and stored by one op, and its accumulators have at most 64 bytes (a scan's 16). Not done: a producer inside
//! a loop and its consumer after it, which would run in every
//! round; views between what combines (not a map) and its reader, which would go over the elements in another order.
//!
//! Linear in the number of ops and uses: bodies are moved, not copied, and every combinator asks a bounded number of
//! others.
//!
//! ```
//! use segra_ir::{Context, Diagnostics};
//! use segra_pass::{PassManager, Pipeline};
//! use segra_text::{ParseOptions, PrintOptions, parse_module, print};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! ctx.register(segra_array::dialect());
//! let program = "
//!     func.func @main(%xs: !array.array<[n]f32>) -> f32 {
//!       %zero = arith.constant 0.0 : f32
//!       %squares = array.map (%x in %xs : [n]f32) {
//!         %y = arith.mulf %x, %x : f32
//!         array.yield %y : f32
//!       }
//!       %sum = array.reduce (%squares : [n]f32) init (%zero : f32) combine (%s, %t) {
//!         %u = arith.addf %s, %t : f32
//!         array.yield %u : f32
//!       }
//!       func.return %sum : f32
//!     }";
//! let mut ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let mut pipeline = Pipeline::on("builtin.module");
//! pipeline.add(Box::new(segra_fuse::Fuse::default()));
//! let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
//! assert!(done.is_ok());
//! let after = print(&ir, ir.root(), &PrintOptions::default());
//! assert!(after.contains("array.redomap") && !after.contains("array.map"), "{after}");
//! ```

mod absorb;
mod branches;
mod build;
mod columns;
mod cost;
mod either;
mod filters;
mod joined;
mod nest;
pub mod partitions;
mod pieces;
mod places;
mod plan;
mod recompute;
mod rescale;
mod rotate;
mod sink;
mod soac;
mod stencils;
mod views;

pub use stencils::RecogniseStencils;

use plan::Direction;
use segra_ir::{Block, Ir, Op};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};
use segra_std::scf::{ForOp, WhileOp};

pass_options! {
    /// The pass `fuse`.
    #[derive(Copy)]
    pub struct Fuse {
        /// Whether neighbours of one extent become one.
        pub horizontal: bool = true,
        /// Whether arrays that are cheap to compute again are not stored.
        pub recompute: bool = true,
        /// Whether sums of exponentials are made in the traversal that makes their maximum: rows are read once for both, for
        /// two more exponentials an element, which by the estimate is slower wherever rows fit a cache.
        pub rescale: bool = false,
        /// Whether nests of maps and reductions that the host runs stay apart where they have one depth: `fuse-traversals`, asked
        /// for a combination of kernels, chooses which of them become one.
        pub apart: bool = false,
    }
}

const INFO: PassInfo = PassInfo {
    name: "fuse",
    summary: "make one of array combinators that feed or neighbour each other",
    reads: &["array"],
    writes: &["arith", "array", "scf"],
    anchors: Anchors::Any,
};

/// The rewrite that was made.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    fused: u64,
    views: u64,
    sunk: u64,
    rotated: u64,
    recomputed: u64,
    branches: u64,
    rescaled: u64,
    turned: u64,
}

impl Pass for Fuse {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut counts = Counts {
            branches: either::around_combinators(ir, op),
            ..Counts::default()
        };
        self.fuse_inside(ir, op, &mut counts);
        // By now the results of branches are made by one combinator each.
        for block in either::around_elements(ir, op) {
            counts.branches += 1;
            self.fuse_block(ir, block, &mut counts);
            let inner: Vec<Op> = ir.ops(block).collect();
            inner
                .into_iter()
                .for_each(|op| self.fuse_inside(ir, op, &mut counts));
        }
        cx.count("combinators fused", counts.fused);
        cx.count("views moved", counts.views);
        cx.count("ops moved into branches", counts.sunk);
        cx.count("loops rotated", counts.rotated);
        cx.count("arrays computed again", counts.recomputed);
        cx.count("branches moved", counts.branches);
        cx.count("reductions rescaled", counts.rescaled);
        cx.count("reductions of rows turned", counts.turned);
        let done = counts.fused
            + counts.views
            + counts.sunk
            + counts.rotated
            + counts.recomputed
            + counts.branches
            + counts.rescaled
            + counts.turned;
        Ok(if done == 0 {
            Outcome::unchanged()
        } else {
            Outcome::changed()
        })
    }
}

impl Fuse {
    /// Fuses all blocks inside an op, outer ones first.
    fn fuse_inside(self, ir: &mut Ir, op: Op, counts: &mut Counts) {
        let mut pending = vec![op];
        while let Some(op) = pending.pop() {
            let blocks: Vec<Block> = ir
                .regions(op)
                .iter()
                .flat_map(|&region| ir.blocks(region))
                .collect();
            for block in blocks {
                self.fuse_block(ir, block, counts);
                pending.extend(ir.ops(block).filter(|&inner| !ir.regions(inner).is_empty()));
            }
        }
    }

    fn fuse_block(self, ir: &mut Ir, block: Block, counts: &mut Counts) {
        counts.sunk += sink::sink_block(ir, block);
        self.fuse_straight(ir, block, counts);
        // Ops that have come to stand behind a view by now; and readers of a branch's results.
        counts.sunk += sink::sink_block(ir, block) + branches::hand_back(ir, block);
        let is_loop = |op: &Op| ir.isa::<ForOp>(*op) || ir.isa::<WhileOp>(*op);
        let loops: Vec<Op> = ir.ops(block).filter(is_loop).collect();
        let mut rotated = 0;
        for looped in loops {
            rotated += u64::from(self.rotate(ir, looped, counts));
        }
        if rotated > 0 {
            // Ops that stand before loops now, and producers of the arrays loops start from.
            counts.rotated += rotated;
            counts.fused += self.round(ir, block, Direction::Vertical);
        }
    }

    /// Fuses what stands in a block, whatever is inside.
    fn fuse_straight(self, ir: &mut Ir, block: Block, counts: &mut Counts) {
        // Bodies of scalars are most blocks.
        if !ir
            .ops(block)
            .any(|op| segra_array::combinator::is_combinator(ir, op))
        {
            return;
        }
        // Before views: rearranges of the nests that come of it are theirs.
        counts.turned += columns::turn_block(ir, block);
        counts.views += views::simplify_block(ir, block, self.leaves_nests(ir, block));
        counts.fused += self.round(ir, block, Direction::Vertical);
        // Maps of the kept elements are part of their reductions by now.
        counts.fused += filters::join_block(ir, block);
        counts.fused += stencils::merge::merge_block(ir, block);
        if self.recompute {
            // Before maps become one that others read, too.
            counts.recomputed += stencils::fed::feed_block(ir, block);
        }
        if stencils::reduced::expand_block(ir, block) > 0 {
            counts.fused += self.round(ir, block, Direction::Vertical);
        }
        if self.horizontal {
            let neighbours = self.round(ir, block, Direction::Horizontal);
            counts.fused += neighbours;
            if neighbours > 0 {
                // Readers of results of two that became one.
                counts.fused += self.round(ir, block, Direction::Vertical);
            }
        }
        if self.recompute && !self.leaves_nests(ir, block) {
            let recomputed = recompute::recompute_block(ir, block);
            counts.recomputed += recomputed;
            if recomputed > 0 {
                // An array that is not read any more is not stored.
                counts.fused += self.round(ir, block, Direction::Vertical);
            }
        }
        let rescaled = if self.rescale {
            rescale::join_block(ir, block)
        } else {
            0
        };
        counts.rescaled += rescaled;
        if rescaled > 0 {
            // Exponentials that are stored beside a sum are made by a map now; its readers take it in.
            counts.fused += self.round(ir, block, Direction::Vertical);
        }
        // Joined arrays whose parts have become one with their producers.
        counts.views += pieces::join_block(ir, block);
    }

    /// Brings together what the end of a round makes and the start of the next reads; whether it did.
    fn rotate(self, ir: &mut Ir, looped: Op, counts: &mut Counts) -> bool {
        // A producer in the same round is one with its consumer.
        self.fuse_regions(ir, looped, counts);
        let Some(looped) = rotate::rotate(ir, looped) else {
            return false;
        };
        self.fuse_regions(ir, looped, counts);
        true
    }

    fn fuse_regions(self, ir: &mut Ir, looped: Op, counts: &mut Counts) {
        let blocks: Vec<Block> = ir
            .regions(looped)
            .iter()
            .filter_map(|&region| ir.entry_block(region))
            .collect();
        blocks
            .into_iter()
            .for_each(|block| self.fuse_straight(ir, block, counts));
    }

    /// Whether the nests of a block are left to a later search: of one that the host runs.
    fn leaves_nests(self, ir: &Ir, block: Block) -> bool {
        let is_combinator = |op: Op| segra_array::combinator::is_combinator(ir, op);
        let owner = ir.block_parent(block);
        self.apart && !owner.is_some_and(|owner| ir.ancestors(owner).any(is_combinator))
    }

    /// Plans a block and builds it; how many combinators went.
    fn round(self, ir: &mut Ir, block: Block, direction: Direction) -> u64 {
        let mut gone = 0;
        let apart = self.leaves_nests(ir, block);
        for cluster in plan::plan(ir, block, direction, apart) {
            let alone = cluster.members.len() == 1;
            if alone && !build::is_wasteful(ir, &cluster.members[0]) {
                continue;
            }
            if build::build(ir, &cluster).is_some() {
                gone += cluster.members.len() as u64 - u64::from(!alone);
            }
        }
        gone
    }
}
