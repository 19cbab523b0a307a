//! Maps that feed a stencil are computed by it, for each neighbour anew, where that costs less than their result's bytes.
//!
//! ```text
//! %ys = array.map (%x in %xs) { f }
//! %zs = array.stencil (%a, %b in %ys at [-1, 1] clamp) { g(%a, %b) }
//!   ==>
//! %zs = array.stencil (%a, %b in %xs at [-1, 1] clamp) { g(f(%a), f(%b)) }
//! ```
//! The rule of profit, in bytes a point as [`cost`](crate::cost) counts them: the result is not stored and not read back,
//! which spares twice its size and a launch. A thread has several points of a tile, and makes an element that some of them
//! share once ([`made`]); all but one a point are work that was done once, and each further array of the map is one more
//! element to copy and to read, which counts as [`LOOKUP`] operations:
//! ```text
//! 2 * bytes(y) > ((made - 1) * work(f) + made * (arrays - 1) * LOOKUP) * BYTES_PER_WORK
//! ```
//! And the tile stays as large as without the map: smaller ones, for more code or more arrays, cost more than a map does.
//! By the simulator's estimate, without the map in the stencil / with it, of f32 on an H100, on 500 by 500, 1024 by 1024 and
//! 2048 by 2048 (in brackets where the rule says no):
//!
//! | `f` | cross of 5 | 3 x 3 | 5 x 5 | 9 x 9 |
//! |---|---|---|---|---|
//! | one product | 1.78, 1.18, 1.58 | 1.72, 1.18, 1.57 | 1.48, 1.16, 1.53 | 1.25, 1.12, 1.41 |
//! | 4 sums and products | 1.75, 1.16 | 1.68, 1.15 | 1.41, 1.13 | (0.51, 1.90) |
//! | 12 of them | 1.68, 1.11, 1.48 | 1.47, 1.09, 1.46 | (0.37, -, 2.01) | (1.07, -, 0.35) |
//! | an exponential | 1.48, 1.03, 1.38 | 1.10, 1.01, 1.35 | (0.67, 0.93, 1.23) | (0.39, 0.80, 0.98) |
//! | a product of two arrays | (0.23, 1.42, 1.09) | (0.24, 1.43, 1.09) | (0.28, 1.42, 1.06) | (0.37, 1.38, 0.97) |
//!
//! An RTX 2080 Super, 2048 by 2048: 1.50, 1.44, 1.31 for one product and 3 x 3, 5 x 5, 9 x 9; 1.19, (1.05), (0.85) for an
//! exponential.
//!
//! Legality: a map, or a perfect nest of maps as deep as the stencil has dimensions, whose only reader is the stencil, in the
//! same block, over arrays of the same extents by their types; its body does nothing but compute, cannot stop, and uses
//! nothing of the levels between. Elements outside are elements inside by `clamp`, `mirror`, `symmetric` and `wrap`, so the map
//! makes them like any other; a stencil with values or functions of its own there is left alone. A stencil that feeds a
//! stencil stays, too: clamping twice is not clamping once.

use super::nest_of;
use crate::cost::{BYTES_PER_WORK, bytes};
use rustc_hash::FxHashSet;
use segra_array::combinator::{Soac, is_scheduled};
use segra_array::soac::YieldOp;
use segra_array::stencil::{Neighbours, StencilOp, build};
use segra_array::types::{Size, sizes_and_element};
use segra_ir::clone::Mapping;
use segra_ir::interfaces::{is_pure, is_speculatable, work_of};
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use segra_space::{FEWEST_SHARED, StencilTile, Target, stencil_tiles};

/// Operations that an element of one more array counts as: with a product of two arrays, a 9 x 9 is where nothing is gained.
const LOOKUP: f64 = 5.0;

/// Lets the stencils of a block compute what only they read; how many maps went.
pub(crate) fn feed_block(ir: &mut Ir, block: Block) -> u64 {
    let stencils: Vec<Op> = ir
        .ops(block)
        .filter(|&op| ir.isa::<StencilOp>(op) && !is_scheduled(ir, op))
        .collect();
    let mut fed = 0;
    for mut stencil in stencils {
        // A stencil of several maps takes them one by one.
        while let Some(next) = feed(ir, StencilOp::from_op(stencil)) {
            stencil = next;
            fed += 1;
        }
    }
    fed
}

/// A map that a stencil can compute itself.
struct Producer {
    op: Op,
    body: Block,
    inputs: Vec<Value>,
    result: Value,
}

/// The stencil without one of the maps it reads, if there is one to go.
fn feed(ir: &mut Ir, stencil: StencilOp) -> Option<Op> {
    // Values and functions for elements outside are regions behind the body.
    if ir.regions(stencil.op()).len() != 1 {
        return None;
    }
    let inputs = stencil.inputs(ir);
    let producer = inputs
        .iter()
        .filter_map(|input| producer(ir, stencil, input.array))
        .find(|producer| pays(ir, stencil, producer, &inputs))?;
    let groups = fed_inputs(&inputs, &producer);
    let body = fed_body(ir, stencil, &inputs, &producer);
    let sizes = stencil.sizes(ir);
    let first = stencil.results(ir).first().copied()?;
    let space = sizes_and_element(ir.ctx(), ir.value_type(first)).0;
    let mut b = Builder::before(ir, stencil.op());
    let fed = build(&mut b, &groups, (&sizes, &space), body, &[]);
    let results: Vec<Value> = fed.results(b.ir).to_vec();
    ir.replace_op(stencil.op(), &results);
    ir.erase_op(producer.op);
    Some(fed.op())
}

/// The map that makes an array for a stencil alone.
fn producer(ir: &Ir, stencil: StencilOp, array: Value) -> Option<Producer> {
    let op = ir.defining_op(array)?;
    if ir.block_of(op) != ir.block_of(stencil.op()) || ir.results(op).count() != 1 {
        return None;
    }
    let alone = ir.users(array).all(|user| user == stencil.op());
    let nest = nest_of(ir, op).filter(|nest| alone && nest.depth == stencil.rank(ir))?;
    let last = ir.last_op(nest.body)?;
    let computes = ir
        .ops(nest.body)
        .filter(|&op| op != last)
        .all(|op| ir.regions(op).is_empty() && is_pure(ir, op) && is_speculatable(ir, op));
    let plain = is_closed(ir, op, nest.body);
    let sizes = |value: Value| sizes_and_element(ir.ctx(), ir.value_type(value)).0;
    let known = nest.inputs.len() == 1 || !sizes(array).contains(&Size::Unknown);
    let same = known
        && nest
            .inputs
            .iter()
            .all(|&input| sizes(input) == sizes(array));
    let is_map = Soac::of(ir, op).is_some();
    (computes && plain && same && is_map).then_some(Producer {
        op,
        body: nest.body,
        inputs: nest.inputs,
        result: array,
    })
}

/// The rule above.
fn pays(ir: &Ir, stencil: StencilOp, producer: &Producer, inputs: &[Neighbours]) -> bool {
    let (_, element) = sizes_and_element(ir.ctx(), ir.value_type(producer.result));
    let last = ir.last_op(producer.body);
    let ops: Vec<Op> = ir
        .ops(producer.body)
        .filter(|&op| Some(op) != last)
        .collect();
    let work: u64 = ops.iter().map(|&op| work_of(ir, op)).sum();
    let neighbours = |array: Value| -> usize {
        let reads = inputs.iter().filter(|input| input.array == array);
        reads.map(|input| input.offsets.len()).sum()
    };
    let (fed, arrays) = (neighbours(producer.result), producer.inputs.len());
    let before = ops_of(ir, inputs, &[stencil.body_block(ir)]);
    let after = before + fed * ops.len() + fed * (arrays - 1);
    let tile = tile(ir, inputs, before);
    if tile != self::tile(ir, &fed_inputs(inputs, producer), after) {
        return false;
    }
    let made: f64 = inputs
        .iter()
        .filter(|input| input.array == producer.result)
        .map(|input| made(&input.offsets, tile.as_ref()))
        .sum();
    let again = (made - 1.0) * work as f64 + made * (arrays as f64 - 1.0) * LOOKUP;
    2.0 * bytes(ir, element) as f64 > again * BYTES_PER_WORK
}

/// The tile that stencils of such inputs and so many ops run in, if they do in one.
pub(super) fn tile(ir: &Ir, inputs: &[Neighbours], ops: usize) -> Option<StencilTile> {
    let rank = inputs.first()?.offsets.first()?.len();
    let shared = || inputs.iter().filter(|input| input.offsets.len() > 1);
    let wide = shared().any(|input| width(ir, input) == 8);
    let neighbours: usize = shared().map(|input| input.offsets.len()).sum();
    if neighbours < FEWEST_SHARED {
        return None;
    }
    stencil_tiles(rank).into_iter().find(|tile| {
        let bytes = shared().map(|input| around(ir, input, tile));
        let fits = bytes.fold(0, i64::saturating_add) <= Target::CUDA.shared_bytes;
        fits && tile.is_short(ops, wide)
    })
}

/// Reads and what is done with them, as `schedule-stencils` counts a body's ops.
pub(super) fn ops_of(ir: &Ir, inputs: &[Neighbours], bodies: &[Block]) -> usize {
    let reads: usize = inputs.iter().map(|input| input.offsets.len()).sum();
    let ops = bodies.iter().map(|&body| ir.ops(body).count());
    reads + ops.sum::<usize>()
}

/// Whether a body in a nest uses nothing of the levels between but its elements.
pub(super) fn is_closed(ir: &Ir, op: Op, body: Block) -> bool {
    let args = ir.block_args(body);
    ir.ops(body).flat_map(|inner| ir.walk(inner)).all(|inner| {
        ir.operands(inner).all(|value| {
            args.contains(&value)
                || ir
                    .defining_op(value)
                    .is_some_and(|op| ir.ancestors(op).any(|op| ir.block_of(op) == Some(body)))
                || !ir.is_defined_inside(value, op)
        })
    })
}

/// Bytes of an element.
fn width(ir: &Ir, input: &Neighbours) -> i64 {
    let (_, element) = sizes_and_element(ir.ctx(), ir.value_type(input.array));
    bytes(ir, element) as i64
}

/// Bytes of the elements that the points of a tile read of an input.
fn around(ir: &Ir, input: &Neighbours, tile: &StencilTile) -> i64 {
    let extents = tile.extents().into_iter().enumerate();
    let elements = extents.map(|(dim, extent)| {
        let along = || input.offsets.iter().map(|offset| offset[dim]);
        let (low, high) = (along().min().unwrap_or(0), along().max().unwrap_or(0));
        extent.saturating_add(high.max(0) - low.min(0))
    });
    elements.fold(width(ir, input), i64::saturating_mul)
}

/// Bytes that a point reads, where points run in such tiles or, without one, share what they read in caches.
pub(super) fn read_bytes(ir: &Ir, inputs: &[Neighbours], tile: Option<&StencilTile>) -> f64 {
    let of = |input: &Neighbours| match tile {
        Some(tile) => {
            let points: i64 = tile.extents().iter().product();
            around(ir, input, tile) as f64 / points as f64
        }
        None => width(ir, input) as f64,
    };
    inputs.iter().map(of).sum()
}

/// How many of its neighbours a point makes, if a thread makes those that its points share once.
fn made(offsets: &[Vec<i64>], tile: Option<&StencilTile>) -> f64 {
    let Some(tile) = tile else {
        return offsets.len() as f64;
    };
    let mut elements: FxHashSet<Vec<i64>> = FxHashSet::default();
    for number in 0..tile.count() as i64 {
        let mut rest = number;
        let point: Vec<i64> = tile
            .points
            .iter()
            .map(|&count| {
                let at = rest % count;
                rest /= count;
                at
            })
            .collect();
        elements.extend(
            offsets
                .iter()
                .map(|offset| offset.iter().zip(&point).map(|(by, at)| by + at).collect()),
        );
    }
    elements.len() as f64 / tile.count() as f64
}

/// The inputs with those of the map in the place of its result.
fn fed_inputs(inputs: &[Neighbours], producer: &Producer) -> Vec<Neighbours> {
    let groups = inputs.iter().flat_map(|input| {
        let arrays = match input.array == producer.result {
            true => producer.inputs.clone(),
            false => vec![input.array],
        };
        arrays.into_iter().map(|array| Neighbours {
            array,
            ..input.clone()
        })
    });
    groups.collect()
}

/// The stencil's body, detached, with the map before it for each neighbour.
fn fed_body(ir: &mut Ir, stencil: StencilOp, inputs: &[Neighbours], producer: &Producer) -> Block {
    let elements: Vec<Type> = ir
        .block_args(producer.body)
        .iter()
        .map(|&arg| ir.value_type(arg))
        .collect();
    let old = stencil.body_block(ir);
    let old_args = ir.block_args(old).to_vec();
    // Per input, where the arguments for its neighbours begin, in the old body and in the new one.
    let (mut types, mut starts, mut at) = (Vec::new(), Vec::new(), 0);
    for input in inputs {
        starts.push((at, types.len()));
        let count = input.offsets.len();
        match input.array == producer.result {
            true => elements
                .iter()
                .for_each(|&ty| types.extend(vec![ty; count])),
            false => types.extend(
                old_args[at..at + count]
                    .iter()
                    .map(|&arg| ir.value_type(arg)),
            ),
        }
        at += count;
    }
    let body = ir.create_block(&types);
    let args = ir.block_args(body).to_vec();
    let loc = ir.loc(stencil.op());
    let mut b = Builder::at_end(ir, body, loc);
    let mut values = Vec::new();
    for (input, (_, start)) in inputs.iter().zip(starts) {
        let count = input.offsets.len();
        for neighbour in 0..count {
            if input.array != producer.result {
                values.push(args[start + neighbour]);
                continue;
            }
            let elements: Vec<Value> = (0..elements.len())
                .map(|array| args[start + array * count + neighbour])
                .collect();
            values.extend(b.clone_block_body(producer.body, &elements, &mut Mapping::new()));
        }
    }
    let yields = b.clone_block_body(old, &values, &mut Mapping::new());
    YieldOp::build(&mut b, &yields);
    body
}
