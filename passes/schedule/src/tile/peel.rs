//! Step 2a: a loop becomes one whose length is a multiple of a tile, and one over the rest.
//!
//! ```mlir
//! %r = scf.for %k = 0 to %u iter_args(%acc = %start) {     %full = (%u / 16) * 16
//!   yield f(%acc, %k)                                 ==>   %s = scf.for %k = 0 to %full iter_args(%acc = %start) { yield f(%acc, %k) }
//! }                                                        %r = scf.for %e = 0 to %u - %full iter_args(%acc = %s) { yield f(%acc, %full + %e) }
//! ```
//! The tiles of the first loop are all full: their copies and steps need no test of where the loop ends, and are of constant
//! length. "The epilogue" of the thesis on block and register tiling (4.2.2); there the kernel is written twice, here only
//! what is in the loop. Order is kept.
//!
//! Legality: the loop counts from 0 by ones.

use crate::tile::Refusal;
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ir, OpView, Type, Value};
use segra_std::arith;
use segra_std::scf::{ForOp, YieldOp};

/// Splits a loop where its last full tile of `tile` iterations ends: the first part, and the rest. None where its length is
/// known to be a multiple of the tile, or less than one.
///
/// # Errors
/// The loop does not count from 0 by ones, or the tile is empty.
pub fn peel(ir: &mut Ir, looped: ForOp, tile: i64) -> Result<Option<[ForOp; 2]>, Refusal> {
    let refuse = |reason: &str| Err(Refusal::new(looped.op(), reason));
    if !looped.counts_from_zero(ir) {
        return refuse("has a loop that does not count from 0 by ones");
    }
    if tile < 1 {
        return refuse("cannot be divided into empty tiles");
    }
    let upper = looped.upper_bound(ir);
    if ir
        .constant_int(upper)
        .is_some_and(|known| known < tile || known % tile == 0)
    {
        return Ok(None);
    }
    let [zero, step] = [looped.lower_bound(ir), looped.step(ir)];
    let inits = looped.init_args(ir);
    let types: Vec<Type> = inits.iter().map(|&init| ir.value_type(init)).collect();
    let body = looped.region_block(ir);
    let mut b = Builder::before(ir, looped.op());
    let (full, rest) = full_and_rest(&mut b, upper, tile);
    let part = |b: &mut Builder<'_>, length: Value, inits: &[Value], first: Option<Value>| {
        let part = ForOp::builder()
            .lower_bound(zero)
            .upper_bound(length)
            .step(step)
            .init_args(inits)
            .results_types(&types)
            .build(b);
        let mut args = vec![b.ctx().index()];
        args.extend(&types);
        let region = part.region(b.ir);
        b.build_block(region, &args, |b, inner| {
            let mut values = inner.to_vec();
            if let Some(first) = first {
                values[0] = arith::AddIOp::build(b, first, inner[0]).result(b.ir);
            }
            let next = b.clone_block_body(body, &values, &mut Mapping::new());
            YieldOp::build(b, &next);
        });
        part
    };
    let main = part(&mut b, full, &inits, None);
    let between = main.results(b.ir);
    let last = part(&mut b, rest, &between, Some(full));
    let results = last.results(ir);
    ir.replace_op(looped.op(), &results);
    Ok(Some([main, last]))
}

/// How many iterations of a length are in full tiles, and how many are left over.
fn full_and_rest(b: &mut Builder<'_>, upper: Value, tile: i64) -> (Value, Value) {
    if let Some(known) = b.ir.constant_int(upper) {
        let rest = known % tile;
        return (
            arith::ConstantOp::index(b, known - rest),
            arith::ConstantOp::index(b, rest),
        );
    }
    let (zero, tile) = (
        arith::ConstantOp::index(b, 0),
        arith::ConstantOp::index(b, tile),
    );
    let length = arith::MaxSIOp::build(b, upper, zero).result(b.ir);
    let tiles = arith::DivUIOp::build(b, length, tile).result(b.ir);
    let full = arith::MulIOp::build(b, tiles, tile).result(b.ir);
    let rest = arith::SubIOp::build(b, length, full).result(b.ir);
    (full, rest)
}
