//! `record-source`: what lowering has no types or ops for is written down: sizes in signatures, ops at their places.
//!
//! ```mlir
//! func.func @main(%xs: !array.array<[n]f32>)
//!   // becomes, and stays after lowering
//! func.func @main(%xs: !array.array<[n]f32> {array.sizes = ["n"]})
//! ```
//! An op at `file:1:2` is then at `"array.map"("file":1:2)`, as are those that passes make of it: profiles name it. Where
//! several ops stand at one place, the first is the one that was written. A program that says it already is not changed.

use rustc_hash::FxHashMap;
use segra_array::recorded::record_sizes;
use segra_ir::{Context, Ir, Loc, LocKind, Op, OpView};
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::builtin;
use segra_std::func::FuncOp;

pass_options! {
    /// The pass `record-source`.
    #[derive(Copy)]
    pub struct RecordSource {}
}

const INFO: PassInfo = PassInfo {
    name: "record-source",
    summary: "write down sizes in signatures and which op stands where, for what comes after lowering",
    reads: &["array", "func"],
    writes: &[],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for RecordSource {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let ops = ir.walk(module);
        let functions = ops.iter().filter_map(|&op| ir.cast::<FuncOp>(op));
        let functions: Vec<FuncOp> = functions.collect();
        let mut sizes = 0;
        for func in functions {
            sizes += u64::from(record_sizes(ir, func));
        }
        cx.count("signatures", sizes);
        let named = name_places(ir, &ops);
        cx.count("places", named);
        Ok(Outcome::of(Changed::when(sizes + named > 0)))
    }
}

/// Whether a location names an op.
fn names_op(ctx: &Context, loc: Loc) -> bool {
    matches!(*ctx.loc_kind(loc), LocKind::Name { name, .. } if ctx.op_info(ctx.op_name(ctx.str(name))).is_some())
}

/// Names the op at each place of a file; how many.
fn name_places(ir: &mut Ir, ops: &[Op]) -> u64 {
    let ctx = ir.context();
    if ops.iter().any(|&op| names_op(&ctx, ir.loc(op))) {
        return 0;
    }
    let mut places: FxHashMap<Loc, Loc> = FxHashMap::default();
    for &op in ops {
        let at = ir.loc(op);
        if !matches!(
            ctx.loc_kind(at),
            LocKind::File { .. } | LocKind::FileRange(_)
        ) {
            continue;
        }
        let named = *places.entry(at).or_insert_with(|| {
            let name = ctx.ident(ir.op_name_str(op));
            ctx.loc(LocKind::Name { name, child: at })
        });
        ir.set_loc(op, named);
    }
    places.len() as u64
}
