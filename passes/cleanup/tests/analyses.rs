//! Liveness, dominance, aliases, ranges, memory versions and the call graph, asked about programs of the standard dialects; which
//! analyses passes keep.

use rustc_hash::FxHashSet;
use segra_cleanup::{Canonicalize, Cse};
use segra_ir::dominance::{DomTree, Dominance};
use segra_ir::interfaces::{CallLike, LoopLike};
use segra_ir::{Context, Diagnostics, Ident, Ir, Op, Value};
use segra_pass::analysis::alias::{AliasResult, ModRef, alias, mod_ref};
use segra_pass::analysis::call_graph::CallGraph;
use segra_pass::analysis::liveness::Liveness;
use segra_pass::dataflow::{
    IntRanges, LiveFact, LiveValuesAnalysis, MemoryVersions, RangeFact, Version, solve,
    solve_backward,
};
use segra_pass::{Analyses, Changed, Pass, PassContext, Statistics};
use segra_text::{ParseOptions, parse_module};
use std::sync::Arc;

fn read(text: &str) -> Ir {
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    parse_module(
        &ctx,
        "test.mlir",
        text,
        &ParseOptions::allowing_unregistered(),
    )
    .expect("it can be read")
}

/// The value of that name.
fn value(ir: &Ir, name: &str) -> Value {
    let name: Ident = ir.ctx().ident(name);
    let named = |value: &Value| ir.value_name(*value) == Some(name);
    let ops = ir.walk(ir.root());
    let results = ops.iter().flat_map(|&op| ir.results(op));
    let blocks = ops
        .iter()
        .flat_map(|&op| ir.regions(op))
        .flat_map(|&region| ir.blocks(region));
    let args = blocks.flat_map(|block| ir.block_args(block).iter().copied());
    results
        .chain(args)
        .find(named)
        .expect("a value of that name")
}

fn op(ir: &Ir, name: &str) -> Op {
    ir.walk(ir.root())
        .into_iter()
        .find(|&op| ir.op_name_str(op) == name)
        .expect("an op of that name")
}

/// The names of some values, in order.
fn names(ir: &Ir, values: &FxHashSet<Value>) -> Vec<String> {
    let named = values.iter().filter_map(|&value| ir.value_name(value));
    let mut names: Vec<String> = named.map(|name| ir.ctx().str(name).to_owned()).collect();
    names.sort();
    names
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
    assert_eq!(names(&ir, &live.block(&ir, head).live_in), ["b", "c"]);
    assert_eq!(names(&ir, &live.block(&ir, head).live_out), ["b", "c", "y"]);
    let sum = op(&ir, "arith.addi");
    assert!(live.is_dead_after(&ir, value(&ir, "x"), sum));
    assert!(
        !live.is_dead_after(&ir, value(&ir, "b"), sum),
        "the loop comes back to it"
    );
    assert!(live.is_dead_after(&ir, value(&ir, "dead"), op(&ir, "arith.muli")));
}

#[test]
fn values_are_alive_on_the_way_to_uses_in_later_blocks_and_inside_ops() {
    // The blocks stand in no order of control.
    let ir = read(
        "func.func @f(%a: i32, %b: i32, %n: index, %c: i1) -> i32 {
           %far = arith.addi %a, %a : i32
           cf.br ^one
         ^three:
           return %far : i32
         ^two:
           %m = arith.muli %a, %a : i32
           scf.if %c {
             \"x.use\"(%m) : (i32) -> ()
           }
           cf.br ^three
         ^one:
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           scf.for %i = %c0 to %n step %c1 {
             %k = arith.index_cast %i : index to i32
             %s = arith.addi %k, %b : i32
             \"x.use\"(%s) : (i32) -> ()
           }
           cf.br ^two
         }",
    );
    let mut live = Liveness::default();
    let block = |name: &str| ir.value_block(value(&ir, name)).expect("a block");
    assert_eq!(
        names(&ir, &live.block(&ir, block("c0")).live_in),
        ["a", "b", "c", "far", "n"]
    );
    assert_eq!(
        names(&ir, &live.block(&ir, block("c0")).live_out),
        ["a", "c", "far"]
    );
    assert_eq!(names(&ir, &live.block(&ir, block("m")).live_out), ["far"]);
    let product = op(&ir, "arith.muli");
    assert!(
        !live.is_dead_after(&ir, value(&ir, "m"), product),
        "an op inside a later one uses it"
    );
    assert!(live.is_dead_after(&ir, value(&ir, "m"), op(&ir, "scf.if")));
}

#[test]
fn dominators_are_found_where_ways_into_circles_meet_and_where_none_lead() {
    // The graph of Cooper, Harvey and Kennedy that takes several rounds: circles with two ways in.
    let ir = read(
        "func.func @f(%c: i1) {
           %six = arith.constant 6 : i32
           cf.cond_br %c, ^five, ^four
         ^five:
           %five = arith.constant 5 : i32
           cf.br ^one
         ^four:
           %four = arith.constant 4 : i32
           cf.cond_br %c, ^two, ^three
         ^one:
           %one = arith.constant 1 : i32
           cf.br ^two
         ^two:
           %two = arith.constant 2 : i32
           cf.cond_br %c, ^one, ^three
         ^three:
           %three = arith.constant 3 : i32
           cf.cond_br %c, ^two, ^end
         ^end:
           return
         ^dead:
           %dead = arith.constant 0 : i32
           cf.br ^end
         }",
    );
    let block = |name: &str| ir.value_block(value(&ir, name)).expect("a block");
    let entry = block("six");
    let region = ir.block_region(entry).expect("a region");
    let tree = DomTree::of(&ir, region);
    for name in ["five", "four", "three", "two", "one"] {
        assert_eq!(tree.immediate(block(name)), Some(entry), "{name}");
        assert!(tree.dominates(entry, block(name)) && !tree.dominates(block(name), entry));
    }
    assert!(
        !tree.dominates(block("four"), block("three"))
            && !tree.dominates(block("one"), block("two"))
    );
    let dead = block("dead");
    assert!(!tree.is_reachable(dead) && !tree.dominates(dead, block("one")));
    assert!(
        tree.dominates(block("one"), dead),
        "whatever holds on no way at all"
    );
}

#[test]
fn in_a_graph_order_and_blocks_do_not_matter() {
    let ir = read(
        "\"x.graph\"() ({
           \"x.first\"(%later, %other) : (i32, i32) -> ()
           %later = \"x.later\"() : () -> i32
         ^second:
           %other = \"x.other\"() ({
             \"x.inside\"(%other) : (i32) -> ()
           }) : () -> i32
           %own = \"x.own\"(%own) : (i32) -> i32
         }) : () -> ()
         func.func @f(%c: i1, %x: i32) {
           %sum = arith.addi %x, %x : i32
           %product = arith.muli %sum, %sum : i32
           return
         }",
    );
    let mut dominance = Dominance::new();
    let mut sees =
        |name: &str, user: &str| dominance.value_dominates(&ir, value(&ir, name), op(&ir, user));
    assert!(sees("later", "x.first") && sees("other", "x.first") && sees("other", "x.inside"));
    assert!(sees("own", "x.own"), "as upstream has it");
    assert!(
        sees("sum", "arith.muli")
            && !sees("product", "arith.addi")
            && !sees("product", "arith.muli")
    );
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
    assert_eq!(relation("either", "b"), AliasResult::May);
    assert_eq!(relation("either", "kept"), AliasResult::No);
    assert_eq!(relation("arg", "other"), AliasResult::May);
    assert_eq!(
        relation("arg", "kept"),
        AliasResult::No,
        "the argument was there before"
    );
    assert_eq!(
        relation("got", "kept"),
        AliasResult::May,
        "it was given away"
    );
    let (load, store) = (op(&ir, "memref.load"), op(&ir, "memref.store"));
    assert_eq!(
        mod_ref(&ir, load, value(&ir, "a")),
        ModRef {
            modifies: false,
            reads: true
        }
    );
    assert_eq!(mod_ref(&ir, load, value(&ir, "b")), ModRef::default());
    assert_eq!(
        mod_ref(&ir, store, value(&ir, "other")),
        ModRef {
            modifies: true,
            reads: false
        }
    );
    assert_eq!(
        mod_ref(&ir, op(&ir, "func.call"), value(&ir, "arg")),
        ModRef {
            modifies: true,
            reads: true
        }
    );
}

#[test]
fn memory_is_traced_through_blocks_and_to_where_its_address_goes() {
    let ir = read(
        "func.func private @keep(memref<?xi32>)
         func.func @f(%c: i1, %cells: memref<memref<8xi32>>) {
           %a = memref.alloc() : memref<8xi32>
           %b = memref.alloc() : memref<8xi32>
           %mine = memref.alloc() : memref<8xi32>
           %stored = memref.alloc() : memref<8xi32>
           memref.store %stored, %cells[] : memref<memref<8xi32>>
           %back = memref.load %cells[] : memref<memref<8xi32>>
           %given = memref.alloc() : memref<8xi32>
           %wide = memref.cast %given : memref<8xi32> to memref<?xi32>
           func.call @keep(%wide) : (memref<?xi32>) -> ()
           \"x.loop\"() ({
           ^bb0(%around: memref<8xi32>):
             %fresh = memref.alloc() : memref<8xi32>
             \"x.yield\"(%fresh) : (memref<8xi32>) -> ()
           }) : () -> ()
           cf.cond_br %c, ^exit(%a : memref<8xi32>), ^exit(%b : memref<8xi32>)
         ^exit(%either: memref<8xi32>):
           cf.assert %c, \"holds\"
           memref.dealloc %b : memref<8xi32>
           return
         }",
    );
    let relation = |a: &str, b: &str| alias(&ir, value(&ir, a), value(&ir, b));
    assert_eq!(relation("either", "a"), AliasResult::May);
    assert_eq!(relation("either", "b"), AliasResult::May);
    assert_eq!(relation("either", "mine"), AliasResult::No);
    assert_eq!(relation("back", "stored"), AliasResult::May);
    assert_eq!(relation("back", "mine"), AliasResult::No);
    assert_eq!(
        relation("back", "given"),
        AliasResult::May,
        "a view of it was given away"
    );
    assert_eq!(
        relation("around", "fresh"),
        AliasResult::May,
        "it may come from the round before"
    );
    let both = ModRef {
        modifies: true,
        reads: true,
    };
    assert_eq!(mod_ref(&ir, op(&ir, "cf.assert"), value(&ir, "mine")), both);
    let free = op(&ir, "memref.dealloc");
    assert_eq!(
        mod_ref(&ir, free, value(&ir, "b")),
        ModRef {
            modifies: true,
            reads: false
        }
    );
    assert_eq!(mod_ref(&ir, free, value(&ir, "mine")), ModRef::default());
}

/// Loops and arithmetic of known bounds.
const RANGES: &str = "func.func @f(%n: index, %x: i32) {
           %c0 = arith.constant 0 : index
           %c64 = arith.constant 64 : index
           %c4 = arith.constant 4 : index
           %c12 = arith.constant 12 : index
           scf.for %i = %c0 to %c64 step %c4 {
             %s = arith.addi %i, %c12 : index
             %p = arith.muli %s, %n : index
             \"x.use\"(%s, %p) : (index, index) -> ()
           }
           %c2 = arith.constant 2 : index
           %c0_i32 = arith.constant 0 : i32
           %c6 = arith.constant 6 : i32
           scf.for %shifted = %c2 to %c64 step %c4 {
             \"x.use\"(%shifted) : (index) -> ()
           }
           scf.for unsigned %u = %c0 to %c64 step %c4 {
             \"x.use\"(%u) : (index) -> ()
           }
           %high = arith.constant 200 : i8
           %c0_i8 = arith.constant 0 : i8
           %c1_i8 = arith.constant 1 : i8
           scf.for unsigned %byte = %c0_i8 to %high step %c1_i8 : i8 {
             \"x.use\"(%byte) : (i8) -> ()
           }
           %c100 = arith.constant 100 : i8
           %c150 = arith.constant 150 : i8
           %given = \"x.byte\"() : () -> i8
           %above = arith.maxui %given, %c100 : i8
           %middle = arith.minui %above, %high : i8
           %larger = arith.maxsi %middle, %c150 : i8
           %unknown = \"x.byte\"() : () -> i8
           %more = arith.maxui %unknown, %high : i8
           %few = arith.minui %above, %c150 : i8
           %rest = arith.remui %few, %more : i8
           scf.while (%w = %c0_i32) : (i32) -> i32 {
             %c = \"x.c\"() : () -> i1
             scf.condition(%c) %w : i32
           } do {
           ^bb0(%v: i32):
             %even = arith.addi %v, %c6 : i32
             scf.yield %even : i32
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
         }";

#[test]
fn ranges_know_bounds_and_divisors() {
    let ir = read(RANGES);
    let facts = solve(&ir, ir.root(), &IntRanges);
    let range = |name: &str| {
        facts
            .of(value(&ir, name))
            .copied()
            .and_then(RangeFact::range)
            .expect("an integer")
    };
    assert_eq!(
        (range("i").smin, range("i").smax, range("i").divisor),
        (0, 63, 4)
    );
    assert_eq!(
        (range("s").smin, range("s").smax, range("s").divisor),
        (12, 75, 4)
    );
    assert_eq!(
        range("p").divisor,
        4,
        "a power of two divides a product that wraps, too"
    );
    assert_eq!(
        (
            range("shifted").smin,
            range("shifted").smax,
            range("shifted").divisor
        ),
        (2, 63, 2)
    );
    assert_eq!((range("byte").umin, range("byte").umax), (0, 199));
    assert_eq!(
        (range("larger").umin, range("larger").umax),
        (100, 200),
        "it is one of the two"
    );
    assert_eq!(
        (range("rest").umin, range("rest").umax),
        (100, 150),
        "the divisor is larger"
    );
    assert!(
        !range("grown").is_bounded(),
        "what grows around a loop is given up"
    );
    assert!(!range("even").is_bounded());
    assert_eq!(range("even").divisor, 2, "of 6 what values that wrap keep");
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
    let [even, odd, named, main] = graph.callables() else {
        panic!("four functions")
    };
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
    assert!(
        components[0].contains(even) && components[0].contains(odd),
        "callees before callers"
    );
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
    assert_eq!(
        run(&mut ir, &Canonicalize::default(), &mut analyses),
        Changed::Yes
    );
    assert!(
        !analyses.is_known::<Dominance>(root),
        "blocks may have been merged"
    );
}

#[test]
fn cse_forgets_dominator_trees_of_regions_that_went() {
    let mut ir = read(
        "func.func @f(%c: i1, %x: i32) -> i32 {
           %a = scf.if %c -> (i32) {
             scf.yield %x : i32
           } else {
             %s = arith.addi %x, %x : i32
             scf.yield %s : i32
           }
           %b = scf.if %c -> (i32) {
             scf.yield %x : i32
           } else {
             %s = arith.addi %x, %x : i32
             scf.yield %s : i32
           }
           %r = arith.muli %a, %b : i32
           return %r : i32
         }",
    );
    let root = ir.root();
    let mut analyses = Analyses::new();
    let (mut diags, mut counts) = (Diagnostics::new(), Statistics::default());
    let mut cx = PassContext::new("cse", &mut diags, &mut analyses, &mut counts);
    let outcome = Cse::default()
        .run(&mut ir, root, &mut cx)
        .expect("nothing can fail");
    assert_eq!(counts.get("cse", "ops merged"), 1);
    analyses.invalidate(&outcome.preserved);
    assert!(
        !analyses.is_known::<Dominance>(root),
        "they are trees of nothing"
    );
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
    let functions: Vec<Op> = ir
        .walk(ir.root())
        .into_iter()
        .filter(|&op| ir.op_name_str(op) == "func.func")
        .collect();
    let live = |function: Op| -> Vec<bool> {
        let entry = ir.entry_block(ir.region(function, 0)).expect("a body");
        ir.block_args(entry)
            .iter()
            .map(|&arg| facts.of(arg) == LiveFact::Live)
            .collect()
    };
    assert_eq!(live(functions[0]), [true, false]);
    assert_eq!(
        live(functions[1]),
        [true, false, false],
        "the loop computes for nobody"
    );
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
