//! Step 5: a loop over the elements of a tile gets a version for full tiles, whose length is a constant.
//!
//! ```mlir
//! scf.for %e = 0 to %len { ... }   ==>   scf.if %len == 16 { scf.for %e = 0 to 16 { ... } } else { scf.for %e = 0 to %len { ... } }
//! ```
//! All threads of a block take the same branch. The back end unrolls loops of constant length; only the last tile has
//! fewer elements ("the epilogue", block-and-register tiling thesis, 4.2.2).
//!
//! Legality: always.

use segra_ir::clone::Mapping;
use segra_ir::interfaces::constant_of;
use segra_ir::{Builder, Ir, OpView, Type};
use segra_std::arith::{self, CmpIPredicate};
use segra_std::scf::{ForOp, IfOp, YieldOp};

/// Gives a loop that counts from 0 to at most `tile` a version that counts to `tile`. Nothing where it does so already.
pub fn specialise(ir: &mut Ir, looped: ForOp, tile: i64) {
    let upper = looped.upper_bound(ir);
    if constant_of(ir, upper).is_some() {
        return;
    }
    let types: Vec<Type> = looped
        .results(ir)
        .into_iter()
        .map(|value| ir.value_type(value))
        .collect();
    let mut b = Builder::before(ir, looped.op());
    let extent = arith::ConstantOp::index(&mut b, tile);
    let predicate = CmpIPredicate::Eq.attr(b.ctx());
    let full = arith::CmpIOp::build(&mut b, predicate, upper, extent).result(b.ir);
    let branch = IfOp::build(&mut b, full, &types).op();
    for (region, bound) in [(0, extent), (1, upper)] {
        let region = b.ir.region(branch, region);
        b.build_block(region, &[], |b, _| {
            let copy = b.clone_op(looped.op(), &mut Mapping::new());
            b.ir.set_operand(copy, 1, bound);
            let results: Vec<_> = b.ir.results(copy).collect();
            YieldOp::build(b, &results);
        });
    }
    let results: Vec<_> = ir.results(branch).collect();
    ir.replace_op(looped.op(), &results);
}
