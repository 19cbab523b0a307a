//! Pass `bound-arrays`: how large the largest of the arrays is whose extents differ between points.
//!
//! A thread's arrays lie in buffers that the host allocates before the launch. Where an extent is only known at a point,
//! a reduction over all points finds the largest number of elements first: a slice of the point's code, with its counted
//! loops and branches, that computes extents and nothing else.
//!
//! ```mlir
//! kernel.segmap thread (%p < %n) { A }
//! ==>
//! %most = kernel.segred thread (%p < %points) init (%zero : index) -> (index) {
//!   %k = ... the code of A that extents need ...
//!   kernel.return %k : index
//! } combine (%a, %b) { arith.maxsi }
//! kernel.segmap thread (%p < %n) {
//!   kernel.bound_arrays %most
//!   A }
//! ```
//! Where what extents need is computed by segmented ops, thread blocks find the largest array of each point, and the reduction is over
//! those. It has the form `block`, or `parts` where there are at least `NAME.boundN.parts` points. Versions that cannot run are left out first ([`versions`]).
//!
//! Legality: extents come from what is known before the point runs, or are at most as large as something that is ([`needed`]).
//! Otherwise it is an error, with the place. Points run twice what extents need; all of that has no effects.

mod facts;
mod needed;
mod slice;
mod versions;

use crate::forms::{ask_parts, outermost};
use needed::{Needed, is_loop};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::symbol_name;
use segra_ir::{Block, Builder, InsertPoint, Ir, Loc, Op, Value};
use segra_kernel::access::Read;
use segra_kernel::bound::BoundArraysOp;
use segra_kernel::extent::irregular_arrays;
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp, SegmentedOp, tensor_over};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_std::arith;
use segra_std::arith::expr::unfold;
use segra_std::arith::index;
use slice::Slice;

/// Most points whose largest array one thread block finds: each of them computes for a while.
const LONGEST: i64 = 4096;

segra_pass::pass_options! {
    /// The pass `bound-arrays`.
    pub struct BoundArrays {}
}

impl Pass for BoundArrays {
    fn info(&self) -> &'static PassInfo {
        &PassInfo {
            name: "bound-arrays",
            summary: "find how large the arrays of points are whose extents differ between points",
            reads: &["kernel"],
            writes: &["arith", "kernel", "scf"],
            anchors: Anchors::Ops(&["func.func"]),
        }
    }

    fn run(&self, ir: &mut Ir, function: Op, cx: &mut PassContext<'_>) -> PassResult {
        let nests = outermost(ir, function).into_iter();
        let mut nests: Vec<Nest> = nests.filter_map(|op| Nest::of(ir, op)).collect();
        let left_out = versions::leave_out_unbounded(ir, function, &mut nests, cx);
        cx.count("versions left out", left_out);
        let mut changed = Changed::when(left_out > 0);
        let name = symbol_name(ir, function).map(|name| ir.ctx().str(name).to_owned());
        let name = name.unwrap_or_default();
        let mut failure = None;
        let mut searches = 0;
        for nest in nests {
            match bound(ir, nest) {
                Ok(search) => {
                    let name = format!("{name}.bound{searches}.parts");
                    ask_parts(ir, search, name, LONGEST + 1);
                    searches += 1;
                    cx.count("bounds", 1);
                    changed = Changed::Yes;
                }
                Err((at, message)) => failure = Some(cx.fail(ir, at, message)),
            }
        }
        failure.map_or(Ok(Outcome::of(changed)), Err)
    }
}

/// An op that makes it impossible to say how large arrays are, and why.
type Fault = (Op, &'static str);

/// A segmented op with arrays whose extents only its points know, and no bound of them yet.
struct Nest {
    op: Op,
    sizes: Vec<Value>,
    /// The code of a point.
    block: Block,
    irregular: Vec<Op>,
    /// The code that extents need; else the op that they cannot be computed without.
    needed: Result<Needed, Op>,
}

impl Nest {
    fn of(ir: &Ir, op: Op) -> Option<Nest> {
        let irregular = irregular_arrays(ir, op);
        if irregular.is_empty() || BoundArraysOp::of(ir, op).is_some() {
            return None;
        }
        let model = ir.interface::<dyn SegmentedOp>(op)?;
        Some(Nest {
            op,
            sizes: model.sizes(ir, op).to_vec(),
            block: ir.entry_block(model.body(ir, op))?,
            needed: Needed::of(ir, op, &irregular),
            irregular,
        })
    }
}

/// Finds how large the arrays of a nest are, before it, and says so in its body.
fn bound(ir: &mut Ir, nest: Nest) -> Result<SegRedOp, Fault> {
    let beside = nest.irregular.iter().find(|&&array| {
        let mut blocks = ir.ancestors(array).filter_map(|inner| ir.block_of(inner));
        !blocks.any(|block| block == nest.block)
    });
    if let Some(&array) = beside {
        return Err((
            array,
            "is as large as only each application of the operator knows",
        ));
    }
    let Nest {
        op,
        sizes,
        block,
        irregular,
        needed,
    } = nest;
    let needed = needed.map_err(|at| {
        let message = if irregular.contains(&at) {
            "gives an array an extent that nothing bounds before the point of the nest runs"
        } else if is_loop(ir, at) {
            "may give an array more elements in each round, and runs as often as only the point of the nest knows"
        } else {
            "decides how large an array at a point of a nest is, which is only known when the point runs"
        };
        (at, message)
    })?;
    let by_blocks = needed.needs_parallel_ops(ir);
    let slice = Slice {
        needed,
        values: Mapping::new(),
        by_block: by_blocks,
    };
    let search = match by_blocks {
        true => search_by_blocks(ir, (op, &sizes, block), slice),
        false => search(ir, (op, &sizes, block), slice),
    };
    let most = search.results(ir)[0];
    let first = ir.first_op(block);
    let point = first.map_or(InsertPoint::End(block), InsertPoint::Before);
    let loc = ir.loc(op);
    BoundArraysOp::build(&mut Builder::new(ir, point, loc), most);
    Ok(search)
}

/// The search by a thread for each point of a nest, of which are given the op, its sizes and the code of a point.
fn search(ir: &mut Ir, (op, sizes, old): (Op, &[Value], Block), mut slice: Slice) -> SegRedOp {
    let (point, loc) = (InsertPoint::Before(op), ir.loc(op));
    largest(ir, (point, loc), sizes, |ir, block, indices| {
        slice.emit_all(ir, (block, loc), old, indices)
    })
}

/// The search where what extents need is computed by thread blocks: the largest array of each point, and the largest of
/// those.
fn search_by_blocks(
    ir: &mut Ir,
    (op, sizes, old): (Op, &[Value], Block),
    mut slice: Slice,
) -> SegRedOp {
    let (ctx, loc) = (ir.context(), ir.loc(op));
    let counts = tensor_over(&ctx, sizes.len(), ctx.index());
    let segmap = SegMapOp::builder()
        .level(Level::Block.attr(&ctx))
        .sizes(sizes)
        .results_types(&[counts])
        .build(&mut Builder::before(ir, op));
    let region = segmap.body(ir);
    let block = ir.add_block(region, &vec![ctx.index(); sizes.len()]);
    let indices = ir.block_args(block).to_vec();
    let most = slice.emit_all(ir, (block, loc), old, &indices);
    ReturnOp::build(&mut Builder::at_end(ir, block, loc), &[most]);
    let counted = segmap.results(ir)[0];
    let place = (InsertPoint::Before(op), loc);
    largest(ir, place, sizes, |ir, block, indices| {
        Read::build(&mut Builder::at_end(ir, block, loc), counted, indices).result(ir)
    })
}

/// The largest of the numbers that `number` computes at the end of a block for all points of a space.
fn largest(
    ir: &mut Ir,
    (point, loc): (InsertPoint, Loc),
    sizes: &[Value],
    number: impl FnOnce(&mut Ir, Block, &[Value]) -> Value,
) -> SegRedOp {
    let ctx = ir.context();
    let mut b = Builder::new(ir, point, loc);
    let points = index::product(&mut b, sizes);
    let zero = index::constant(&mut b, 0);
    let search = SegRedOp::builder()
        .level(Level::Thread.attr(&ctx))
        .sizes(&[points])
        .neutral(&[zero])
        .results_types(&[ctx.index()])
        .build(&mut b);
    let region = search.body(ir);
    let block = ir.add_block(region, &[ctx.index()]);
    let at = ir.block_args(block)[0];
    let indices = unfold(&mut Builder::at_end(ir, block, loc), sizes, at);
    let found = number(ir, block, &indices);
    ReturnOp::build(&mut Builder::at_end(ir, block, loc), &[found]);
    let region = search.combine(ir);
    let block = ir.add_block(region, &[ctx.index(), ctx.index()]);
    let args = ir.block_args(block).to_vec();
    let mut b = Builder::at_end(ir, block, loc);
    let larger = arith::MaxSIOp::build(&mut b, args[0], args[1]).result(b.ir);
    ReturnOp::build(&mut b, &[larger]);
    search
}
