//! Step 2: a loop becomes a loop over tiles around a loop over the elements of one.
//!
//! ```mlir
//! scf.for %k = 0 to %u iter_args(%acc = %start) {     scf.for %t = 0 to ceildiv(%u, 16) iter_args(%acc0 = %start) {
//!   yield f(%acc, %k)                             ==>   scf.for %e = 0 to min(16, %u - %t * 16) iter_args(%acc = %acc0) {
//! }                                                       yield f(%acc, %t * 16 + %e)
//!                                                     } }
//! ```
//! "Regular flattening" (Henriksen 2021), "Chunking/strip-mining the redomap": the accumulator of a tile starts from what
//! the tile before it has left, the first one from the given value. Order is kept. Where the length is a multiple of the
//! tile (a constant, or what [`crate::tile::peel()`] leaves), all tiles are full, and their length is a constant.
//!
//! Legality: the loop counts from 0 by ones. Any number of values may be carried, of any type.

use crate::tile::Refusal;
use crate::tile::strip::tiles_of;
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ir, OpView, Type, Value};
use segra_std::arith;
use segra_std::scf::{ForOp, YieldOp};

/// The result of chunking.
#[derive(Clone, Copy, Debug)]
pub struct Chunked {
    /// The loop over tiles.
    pub tiles: ForOp,
    /// The loop over the elements of one.
    pub elements: ForOp,
}

/// Splits a loop into tiles of `tile` iterations; the last may have fewer.
///
/// # Errors
/// The loop does not count from 0 by ones, or the tile is empty.
pub fn chunk(ir: &mut Ir, looped: ForOp, tile: i64) -> Result<Chunked, Refusal> {
    if !looped.counts_from_zero(ir) {
        return Err(Refusal::new(
            looped.op(),
            "has a loop that does not count from 0 by ones",
        ));
    }
    if tile < 1 {
        return Err(Refusal::new(
            looped.op(),
            "cannot be divided into empty tiles",
        ));
    }
    let inits = looped.init_args(ir);
    let types: Vec<Type> = inits.iter().map(|&init| ir.value_type(init)).collect();
    let mut args = vec![ir.ctx().index()];
    args.extend(&types);
    let body = looped.region_block(ir);
    let upper = looped.upper_bound(ir);
    let mut b = Builder::before(ir, looped.op());
    let (zero, one) = (
        arith::ConstantOp::index(&mut b, 0),
        arith::ConstantOp::index(&mut b, 1),
    );
    let extent = arith::ConstantOp::index(&mut b, tile);
    let known = b.ir.constant_int(upper);
    let tiles = quotient(b.ir, upper, tile);
    let count = match (tiles, known) {
        (Some(tiles), _) => tiles,
        (None, Some(0..)) => tiles_of(&mut b, upper, tile),
        (None, _) => {
            let length = arith::MaxSIOp::build(&mut b, upper, zero).result(b.ir);
            tiles_of(&mut b, length, tile)
        }
    };
    let full = tiles.is_some();
    let tiles = ForOp::builder()
        .lower_bound(zero)
        .upper_bound(count)
        .step(one)
        .init_args(&inits)
        .results_types(&types)
        .build(&mut b);
    let region = tiles.region(b.ir);
    let elements = b.build_block(region, &args, |b, outer| {
        let first = arith::MulIOp::build(b, outer[0], extent).result(b.ir);
        let length = match known {
            Some(known) if known % tile == 0 => extent,
            _ if full => extent,
            _ => {
                let rest = arith::SubIOp::build(b, upper, first).result(b.ir);
                arith::MinSIOp::build(b, rest, extent).result(b.ir)
            }
        };
        let elements = ForOp::builder()
            .lower_bound(zero)
            .upper_bound(length)
            .step(one)
            .init_args(&outer[1..])
            .results_types(&types)
            .build(b);
        let region = elements.region(b.ir);
        b.build_block(region, &args, |b, inner| {
            let at = arith::AddIOp::build(b, first, inner[0]).result(b.ir);
            let values: Vec<Value> = std::iter::once(at)
                .chain(inner[1..].iter().copied())
                .collect();
            let next = b.clone_block_body(body, &values, &mut Mapping::new());
            YieldOp::build(b, &next);
        });
        let last = elements.results(b.ir);
        YieldOp::build(b, &last);
        elements
    });
    let results = tiles.results(ir);
    ir.replace_op(looped.op(), &results);
    Ok(Chunked { tiles, elements })
}

/// The number that a length is the product of with `tile`, where it is written as one.
fn quotient(ir: &Ir, length: Value, tile: i64) -> Option<Value> {
    let product = ir.def_as::<arith::MulIOp>(length)?;
    let factor = ir.constant_int(product.rhs(ir))?;
    (factor == tile).then(|| product.lhs(ir))
}
