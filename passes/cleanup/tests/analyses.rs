//! Liveness, aliases, ranges, memory versions and the call graph, asked about programs of the standard dialects; which
//! analyses passes keep.

use segra_cleanup::{Canonicalize, Cse};
use segra_ir::dominance::Dominance;
use segra_ir::interfaces::{CallLike, LoopLike};
use segra_ir::text::{ParseOptions, parse_module};
use segra_ir::{Context, Diagnostics, Ident, Ir, Op, Value};
use segra_pass::analysis::alias::{AliasResult, ModRef, alias, mod_ref};
use segra_pass::analysis::call_graph::CallGraph;
use segra_pass::analysis::liveness::Liveness;
use segra_pass::dataflow::{
    IntRanges, LiveFact, LiveValuesAnalysis, MemoryVersions, RangeFact, Version, solve, solve_backward,
};
use segra_pass::{Analyses, Changed, Pass, PassContext, Statistics};
use std::sync::Arc;

fn read(text: &str) -> Ir {
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    parse_module(&ctx, "test.mlir", text, &ParseOptions::allowing_unregistered()).expect("it can be read")
}

/// The value of that name.
fn value(ir: &Ir, name: &str) -> Value {
    let name: Ident = ir.ctx().ident(name);
    let named = |value: &Value| ir.value_name(*value) == Some(name);
    let ops = ir.walk(ir.root());
    let results = ops.iter().flat_map(|&op| ir.results(op));
    let blocks = ops.iter().flat_map(|&op| ir.regions(op)).flat_map(|&region| ir.blocks(region));
    let args = blocks.flat_map(|block| ir.block_args(block).iter().copied());
    results.chain(args).find(named).expect("a value of that name")
}

fn op(ir: &Ir, name: &str) -> Op {
    ir.walk(ir.root()).into_iter().find(|&op| ir.op_name_str(op) == name).expect("an op of that name")
}

#[test]
fn values_live_from_definition_to_last_use_around_loops_too() {
    let ir = read(
        "func.func @f(%a: i32, %b: i32, %c: i1) -> i32 {
           cf.br ^head(%a : i32)
         ^head(%x: i32):
           %y = arith.addi %x, %b : i32
           %dead = arith.muli %y, %y : i32
           cf.cond_br %c, ^head(%y : i32), ^exit
         ^exit:
           return %y : i32
         }",
    );
    let mut live = Liveness::default();
    let head = ir.value_block(value(&ir, "x")).expect("a block");
    let names = |set: &rustc_hash::FxHashSet<Value>| -> Vec<String> {
        let mut names: Vec<String> = set
            .iter()
            .filter_map(|&value| ir.value_name(value))
            .map(|name| ir.ctx().str(name).to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names(&live.block(&ir, head).live_in), ["b", "c"]);
    assert_eq!(names(&live.block(&ir, head).live_out), ["b", "c", "y"]);
    let sum = op(&ir, "arith.addi");
    assert!(live.is_dead_after(&ir, value(&ir, "x"), sum));
    assert!(!live.is_dead_after(&ir, value(&ir, "b"), sum), "the loop comes back to it");
    assert!(live.is_dead_after(&ir, value(&ir, "dead"), op(&ir, "arith.muli")));
}

#[test]
fn allocations_are_apart_views_are_not_and_escapes_count() {
    let ir = read(
        "func.func private @keep(memref<8xi32>)
         func.func @f(%arg: memref<8xi32>, %other: memref<8xi32>, %c: i1, %i: index) -> i32 {
           %a = memref.alloc() : memref<8xi32>
           %b = memref.alloc() : memref<8xi32>
           %view = memref.cast %a : memref<8xi32> to memref<?xi32>
           %either = scf.if %c -> (memref<8xi32>) {
             scf.yield %a : memref<8xi32>
           } else {
             scf.yield %b : memref<8xi32>
           }
           %kept = memref.alloc() : memref<8xi32>
           func.call @keep(%kept) : (memref<8xi32>) -> ()
           %got = \"x.get\"() : () -> memref<8xi32>
           %v = memref.load %a[%i] : memref<8xi32>
           memref.store %v, %arg[%i] : memref<8xi32>
           return %v : i32
         }",
    );
    let relation = |a: &str, b: &str| alias(&ir, value(&ir, a), value(&ir, b));
    assert_eq!(relation("a", "a"), AliasResult::Must);
    assert_eq!(relation("a", "b"), AliasResult::No);
    assert_eq!(relation("view", "a"), AliasResult::May);
    assert_eq!(relation("view", "b"), AliasResult::No);
    assert_eq!(relation("either", "a"), AliasResult::May);
    assert_eq!(relation("either", "kept"), AliasResult::No);
    assert_eq!(relation("arg", "other"), AliasResult::May);
    assert_eq!(relation("arg", "kept"), AliasResult::No, "the argument was there before");
    assert_eq!(relation("got", "kept"), AliasResult::May, "it was given away");
    let (load, store) = (op(&ir, "memref.load"), op(&ir, "memref.store"));
    assert_eq!(mod_ref(&ir, load, value(&ir, "a")), ModRef { modifies: false, reads: true });
    assert_eq!(mod_ref(&ir, load, value(&ir, "b")), ModRef::default());
    assert_eq!(mod_ref(&ir, store, value(&ir, "other")), ModRef { modifies: true, reads: false });
    assert_eq!(mod_ref(&ir, op(&ir, "func.call"), value(&ir, "arg")), ModRef { modifies: true, reads: true });
}

#[test]
fn ranges_know_bounds_and_divisors() {
    let ir = read(
        "func.func @f(%n: index, %x: i32) {
           %c0 = arith.constant 0 : index
           %c64 = arith.constant 64 : index
           %c4 = arith.constant 4 : index
           %c12 = arith.constant 12 : index
           scf.for %i = %c0 to %c64 step %c4 {
             %s = arith.addi %i, %c12 : index
             %p = arith.muli %s, %n : index
             \"x.use\"(%s, %p) : (index, index) -> ()
           }
           scf.while (%w = %x) : (i32) -> i32 {
             %c = \"x.c\"() : () -> i1
             scf.condition(%c) %w : i32
           } do {
           ^bb0(%v: i32):
             %one = arith.constant 1 : i32
             %grown = arith.addi %v, %one : i32
             scf.yield %grown : i32
           }
           return
         }",
    );
    let facts = solve(&ir, ir.root(), &IntRanges);
    let range =
        |name: &str| facts.of(value(&ir, name)).copied().and_then(RangeFact::range).expect("an integer");
    assert_eq!((range("i").smin, range("i").smax, range("i").divisor), (0, 63, 4));
    assert_eq!((range("s").smin, range("s").smax, range("s").divisor), (12, 75, 4));
    assert_eq!(range("p").divisor, 4, "a power of two divides a product that wraps, too");
    assert!(!range("grown").is_bounded(), "what grows around a loop is given up");
    let looped = op(&ir, "scf.for");
    let model = ir.interface::<dyn LoopLike>(looped).expect("a loop");
    assert_eq!(model.trip_count(&ir, looped), Some(16));
}

#[test]
fn the_call_graph_knows_callers_circles_and_what_may_be_called_from_elsewhere() {
    let ir = read(
        "func.func private @even(%n: i32) {
           func.call @odd(%n) : (i32) -> ()
           return
         }
         func.func private @odd(%n: i32) {
           func.call @even(%n) : (i32) -> ()
           return
         }
         func.func private @named() {
           return
         }
         func.func @main(%n: i32) {
           func.call @even(%n) : (i32) -> ()
           \"x.ref\"() {to = @named} : () -> ()
           return
         }",
    );
    let graph = CallGraph::of(&ir, ir.root());
    let [even, odd, named, main] = graph.callables() else { panic!("four functions") };
    let node = |callable: &Op| graph.node(*callable).expect("a node");
    assert_eq!((node(even).callers.len(), node(even).escapes), (2, false));
    assert_eq!((node(odd).callers.len(), node(odd).escapes), (1, false));
    assert!(node(named).escapes && node(main).escapes);
    let call = node(main).calls[0];
    assert!(ir.interface::<dyn CallLike>(call).is_some());
    assert_eq!(graph.callee(call), Some(*even));
    let components = graph.components();
    let sizes: Vec<usize> = components.iter().map(Vec::len).collect();
    assert_eq!(sizes, [2, 1, 1]);
    assert!(components[0].contains(even) && components[0].contains(odd), "callees before callers");
}

#[test]
fn cse_keeps_dominator_trees_and_canonicalize_does_not() {
    let text = "func.func @f(%c: i1, %x: i32) -> i32 {
           %a = arith.addi %x, %x : i32
           cf.cond_br %c, ^a, ^b
         ^a:
           %b = arith.addi %x, %x : i32
           cf.br ^exit(%b : i32)
         ^b:
           %d = arith.constant 0 : i32
           %e = arith.addi %x, %d : i32
           cf.br ^exit(%e : i32)
         ^exit(%r: i32):
           %s = arith.addi %a, %r : i32
           return %s : i32
         }";
    let mut ir = read(text);
    let root = ir.root();
    let mut analyses = Analyses::new();
    let run = |ir: &mut Ir, pass: &dyn Pass, analyses: &mut Analyses| {
        let (mut diags, mut counts) = (Diagnostics::new(), Statistics::default());
        let mut cx = PassContext::new(pass.info().name, &mut diags, analyses, &mut counts);
        let outcome = pass.run(ir, root, &mut cx).expect("nothing can fail");
        analyses.invalidate(&outcome.preserved);
        outcome.changed
    };
    // Merging an op changes the program, not the ways through it: the trees made for it serve the next pass.
    assert_eq!(run(&mut ir, &Cse::default(), &mut analyses), Changed::Yes);
    assert!(analyses.is_known::<Dominance>(root));
    assert_eq!(run(&mut ir, &Cse::default(), &mut analyses), Changed::No);
    assert!(analyses.is_known::<Dominance>(root));
    assert_eq!(run(&mut ir, &Canonicalize::default(), &mut analyses), Changed::Yes);
    assert!(!analyses.is_known::<Dominance>(root), "blocks may have been merged");
}

#[test]
fn values_that_only_dead_calls_and_loops_get_are_dead() {
    let ir = read(
        "func.func private @f(%a: i32, %b: i32) -> (i32, i32) {
           %0 = arith.addi %b, %b : i32
           return %a, %0 : i32, i32
         }
         func.func @main(%x: i32, %y: i32, %n: index) -> i32 {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %0:2 = call @f(%x, %y) : (i32, i32) -> (i32, i32)
           %1 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %0#1) -> (i32) {
             %2 = arith.muli %s, %s : i32
             scf.yield %2 : i32
           }
           return %0#0 : i32
         }",
    );
    let facts = solve_backward(&ir, ir.root(), &LiveValuesAnalysis);
    let functions: Vec<Op> =
        ir.walk(ir.root()).into_iter().filter(|&op| ir.op_name_str(op) == "func.func").collect();
    let live = |function: Op| -> Vec<bool> {
        let entry = ir.entry_block(ir.region(function, 0)).expect("a body");
        ir.block_args(entry).iter().map(|&arg| facts.of(arg) == LiveFact::Live).collect()
    };
    assert_eq!(live(functions[0]), [true, false]);
    assert_eq!(live(functions[1]), [true, false, false], "the loop computes for nobody");
}

#[test]
fn memory_has_one_version_until_something_may_write() {
    let ir = read(
        "func.func @f(%m: memref<i32>, %c: i1, %x: i32) {
           %0 = memref.load %m[] : memref<i32>
           scf.if %c {
             %1 = memref.load %m[] : memref<i32>
             memref.store %x, %m[] : memref<i32>
             %2 = memref.load %m[] : memref<i32>
           }
           %3 = memref.load %m[] : memref<i32>
           %4 = memref.load %m[] : memref<i32>
           return
         }",
    );
    let versions = MemoryVersions::of(&ir, ir.root());
    let of: Vec<Version> = ir
        .walk(ir.root())
        .into_iter()
        .filter(|&op| ir.op_name_str(op) == "memref.load")
        .map(|op| *versions.before(op).expect("control reaches it"))
        .collect();
    assert_eq!(of[0], of[1]);
    assert!(matches!(of[2], Version::Written(_)));
    assert!(matches!(of[3], Version::Merged(_)));
    assert_eq!(of[3], of[4]);
}
