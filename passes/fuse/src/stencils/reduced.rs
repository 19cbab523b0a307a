//! Stencils that a reduction alone reads are computed by it.
//!
//! ```text
//! %ys = array.stencil (%a, %b in %xs at [-1, 1] clamp) { f(%a, %b) }      %s = array.redomap (%i in iota n) init (...) map {
//! %s = array.reduce (%ys) init (...) combine {op}                    =>     f(array.near %xs[%i] by [-1], ...)
//!                                                                         } combine (...) {op}
//! ```
//! The stencil becomes maps over indices, which fusion takes into the reduction as any maps: nothing is stored, and one traversal is
//! gone. Each point reads its neighbours where they are, so there are [`MOST`] of them at most: for more of them tiles are
//! cheaper, though their results are stored. By the simulator's estimate on an H100, µs, of sums of squares of f32, stored / not:
//!
//! | | cross of 5 | 3 x 3 |
//! |---|---|---|
//! | 512 by 512 | 17.5 / 7.3 | 17.6 / 7.3 |
//! | 2048 by 2048 | 25.0 / 14.1 | 25.0 / 17.4 |
//!
//! Legality: that of maps before reductions. One result, whose only use is a reduction in the block, or a map whose rows a
//! reduction reads and nothing else does.

use segra_array::combinator::{Combinator, Flavour, Soac, is_scheduled};
use segra_array::stencil::StencilOp;
use segra_ir::{Block, Ir, Op, Value};

/// Neighbours that a point reads.
const MOST: usize = 9;

/// Makes maps of the stencils of a block that are for reductions; how many.
pub(crate) fn expand_block(ir: &mut Ir, block: Block) -> u64 {
    let ops: Vec<Op> = ir.ops(block).collect();
    let mut expanded = 0;
    for op in ops {
        let stencil = ir.cast::<StencilOp>(op);
        let Some(stencil) = stencil.filter(|_| !is_scheduled(ir, op)) else {
            continue;
        };
        let inputs = stencil.inputs(ir);
        let reads: usize = inputs.iter().map(|input| input.offsets.len()).sum();
        let results: Vec<Value> = ir.results(op).collect();
        if reads <= MOST
            && let [result] = results[..]
            && is_reduced(ir, result)
            && stencil.expand(ir, op)
        {
            expanded += 1;
        }
    }
    expanded
}

/// Whether a reduction reads an array, or its rows, and nothing else does.
fn is_reduced(ir: &Ir, array: Value) -> bool {
    let mut array = array;
    loop {
        let mut users = ir.users(array);
        let (Some(user), None) = (users.next(), users.next()) else {
            return false;
        };
        let Some(soac) = Soac::of(ir, user) else {
            return false;
        };
        let place = soac.arrays.iter().position(|&read| read == array);
        match (soac.flavour, soac.body, place) {
            (Flavour::Reduce, _, Some(_)) => return true,
            (Flavour::Map, Some(body), Some(place)) => array = ir.block_args(body)[place],
            _ => return false,
        }
    }
}
