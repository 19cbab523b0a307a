//! The memory of a program that is built, counted: bytes an op, and that a location of its own costs an op
//! nothing.

use allocation_counter::measure;
use segra_ir::{Builder, Context, EntityId, Ir, Loc, LocKind, OpState};
use std::sync::Arc;

const OPS: u32 = 100_000;

/// Bytes an op of a block of binary ops with one attribute each; `locate` says where the op of each number is.
fn bytes_per_op(ctx: &Arc<Context>, locate: impl Fn(u32) -> Loc) -> f64 {
    let name = ctx.op_name("t.op");
    let attr = (ctx.ident("k"), ctx.i32_attr(1));
    let mut ir = Ir::new(ctx.clone());
    let held = measure(|| {
        // The memory a program of this size needs, without the space that growing leaves.
        ir.reserve(OPS as usize + 1);
        let block = ir.create_block(&[ctx.i32()]);
        let mut last = ir.block_args(block)[0];
        let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
        for number in 0..OPS {
            let mut state = OpState::new(name, locate(number));
            state.operands.extend([last, last]);
            state.result_types.push(b.ctx().i32());
            state.properties.push(attr);
            let op = b.insert(state);
            last = b.ir.result(op, 0);
        }
        assert_eq!(last.index(), OPS as usize);
    });
    held.bytes_current as f64 / f64::from(OPS)
}

#[test]
fn an_op_takes_few_bytes_and_its_location_none() {
    let ctx = Arc::new(Context::new());
    bytes_per_op(&ctx, |_| Loc::UNKNOWN);
    let without = bytes_per_op(&ctx, |_| Loc::UNKNOWN);
    let file = ctx.ident("source.x");
    let with = bytes_per_op(&ctx, |line| {
        ctx.loc(LocKind::File {
            file,
            line,
            column: line % 100,
        })
    });
    println!("{without:.1} bytes an op, {with:.1} with locations");
    assert!(without <= 110.0, "{without:.1} bytes an op");
    assert!(
        with - without <= 0.5,
        "{:.1} bytes more with locations",
        with - without
    );
}
