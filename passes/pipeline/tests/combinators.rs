//! Combinators of a dialect that no pass knows: each pass handles them by their parts, or refuses them with a reason.
//!
//! * `other.apply` is a map under another name. * `other.pairs` is of a flavour of its own and says which combinators
//!   give the same. * `other.opaque` says nothing but its parts.

use segra_array::combinator::{Combinator, Flavour, Parts, is_combinator};
use segra_array::soac::{MapOp, map};
use segra_array::types::AnyArray;
use segra_ir::diag::render::{Style, render};
use segra_ir::{Context, Diagnostics, Dialect, Ir, Op, OpView, Value, op};
use segra_pass::{PassManager, Pipeline};
use segra_std::arith::AddIOp;
use segra_text::{ParseOptions, parse_module};
use std::sync::Arc;

/// A map.
#[op("other.apply", traits(RecursiveEffects), interfaces(Combinator))]
struct ApplyOp {
    arrays: VariadicOperand<AnyArray>,
    body: BlockRegion,
    results: VariadicResult<AnyArray>,
}

/// Twice what the body yields for each element.
#[op("other.pairs", traits(RecursiveEffects), interfaces(Combinator))]
struct PairsOp {
    arrays: VariadicOperand<AnyArray>,
    body: BlockRegion,
    results: VariadicResult<AnyArray>,
}

/// Nobody knows.
#[op("other.opaque", traits(RecursiveEffects), interfaces(Combinator))]
struct OpaqueOp {
    arrays: VariadicOperand<AnyArray>,
    body: BlockRegion,
    results: VariadicResult<AnyArray>,
}

impl Combinator for ApplyOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let view = ApplyOp::from_op(op);
        Parts::new(
            Flavour::Map,
            view.arrays(ir).to_vec(),
            Some(view.body_block(ir)),
        )
    }
}

impl Combinator for PairsOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let view = PairsOp::from_op(op);
        Parts::new(
            Flavour::Other,
            view.arrays(ir).to_vec(),
            Some(view.body_block(ir)),
        )
    }
    fn expand(&self, ir: &mut Ir, op: Op) -> bool {
        let view = PairsOp::from_op(op);
        let (arrays, body) = (view.arrays(ir).to_vec(), view.body_block(ir));
        let mut b = segra_ir::Builder::before(ir, op);
        let twice = map(&mut b, &arrays, |b, elements| {
            let mut mapping = segra_ir::clone::Mapping::new();
            let once = b.clone_block_body(body, elements, &mut mapping);
            once.into_iter()
                .map(|value| AddIOp::build(b, value, value).result(b.ir))
                .collect()
        });
        let results: Vec<Value> = twice.results(b.ir).to_vec();
        ir.replace_op(op, &results);
        true
    }
}

impl Combinator for OpaqueOp {
    fn parts(&self, ir: &Ir, op: Op) -> Parts {
        let view = OpaqueOp::from_op(op);
        Parts::new(
            Flavour::Other,
            view.arrays(ir).to_vec(),
            Some(view.body_block(ir)),
        )
    }
}

fn context() -> Arc<Context> {
    let ctx = Context::new();
    segra_pipeline::register_all_dialects(&ctx);
    ctx.register(Dialect {
        name: "other",
        doc: "Combinators of a test.",
        ops: vec![ApplyOp::DEF, OpaqueOp::DEF, PairsOp::DEF],
        ..Dialect::default()
    });
    Arc::new(ctx)
}

/// The op between two maps, one that it could be fused with on either side.
fn program(ctx: &Arc<Context>, op: &str) -> Ir {
    let text = format!(
        "func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[n]i32>) {{
           %ys = array.map (%x in %xs : [n]i32) {{
             %y = arith.muli %x, %x : i32
             array.yield %y : i32
           }}
           %zs = \"{op}\"(%ys) ({{
           ^bb0(%e: i32):
             %d = arith.addi %e, %e : i32
             array.yield %d : i32
           }}) : (!array.array<[n]i32>) -> !array.array<[n]i32>
           %ws = array.map (%z in %zs : [n]i32) {{
             %w = arith.subi %z, %z : i32
             %v = arith.addi %w, %z : i32
             array.yield %v : i32
           }}
           func.return %ws : !array.array<[n]i32>
         }}"
    );
    parse_module(ctx, "program", &text, &ParseOptions::default()).expect("it is a program")
}

/// Runs a pass, which ends well (the verifier ran behind it) or gives a reason.
fn run(ir: &mut Ir, passes: &str) -> Result<(), String> {
    let text = format!("builtin.module({passes})");
    let pipeline =
        Pipeline::parse(&text, &segra_pipeline::registry()).expect("there are such passes");
    let mut diags = Diagnostics::new();
    let done = PassManager::new(&pipeline).run(ir, &mut diags);
    let said: String = diags
        .iter()
        .map(|diag| render(ir.ctx(), diag, Style::Plain))
        .collect();
    done.map(drop).map_err(|_| said)
}

fn has(ir: &Ir, name: &str) -> bool {
    ir.walk(ir.root())
        .into_iter()
        .any(|op| ir.op_name_str(op) == name)
}

#[test]
fn passes_at_the_level_of_arrays_leave_combinators_they_do_not_know_as_they_are() {
    let ctx = context();
    for op in ["other.apply", "other.pairs", "other.opaque"] {
        for pass in [
            "canonicalize",
            "algebra",
            "fuse",
            "fuse-loops",
            "explicit-checks",
            "separate-starts",
            "check-operators",
            "cse",
            "loop-invariant-code-motion",
        ] {
            let mut ir = program(&ctx, op);
            run(&mut ir, pass).unwrap_or_else(|said| panic!("{op}, {pass}: {said}"));
            // A map under another name may become an `array.map`.
            assert!(op == "other.apply" || has(&ir, op), "{op}, {pass}");
        }
    }
}

#[test]
fn a_map_under_another_name_is_fused_and_flattened_as_one() {
    let ctx = context();
    let mut ir = program(&ctx, "other.apply");
    run(&mut ir, "fuse").expect("it is fused");
    let combinators = ir
        .walk(ir.root())
        .into_iter()
        .filter(|&op| is_combinator(&ir, op));
    assert_eq!(combinators.count(), 1);
    assert!(ir.walk(ir.root()).into_iter().any(|op| ir.isa::<MapOp>(op)));
    let mut ir = program(&ctx, "other.apply");
    run(&mut ir, "flatten").expect("it is flattened");
    assert!(!has(&ir, "other.apply") && has(&ir, "kernel.segmap"));
}

#[test]
fn a_combinator_is_expanded_before_it_is_flattened_or_refused_by_name() {
    let ctx = context();
    let mut ir = program(&ctx, "other.pairs");
    run(&mut ir, "flatten").expect("it expands into a map");
    assert!(!has(&ir, "other.pairs") && has(&ir, "kernel.segmap"));
    let mut ir = program(&ctx, "other.opaque");
    let said = run(&mut ir, "flatten").expect_err("there is no rule");
    assert!(
        said.contains("other.opaque") && said.contains("flattening has no rule"),
        "{said}"
    );
}

#[test]
fn every_op_of_the_dialect_with_bodies_over_elements_has_the_interface() {
    let ctx = context();
    for def in segra_array::dialect().ops {
        let info = ctx
            .op_info(ctx.op_name(def.name))
            .expect("it is registered");
        let has_regions = !def.regions.is_empty();
        assert_eq!(
            info.interface::<dyn Combinator>().is_some(),
            has_regions,
            "{}",
            def.name
        );
    }
}
