//! Support of the tests of fusion: the pass, before and after compared, producers and consumers of every kind.

#![allow(dead_code, reason = "each test binary uses a part")]

use segra_fuse::Fuse;
use segra_interp::{ArrayValue, Datum};
use segra_ir::{Diagnostics, Ir};
use segra_pass::{Analyses, Pass, PassContext, Statistics};
use segra_tests::array_programs::{assert_verified, combinators, ints, parse, results, text_of};

/// Runs the pass.
pub(crate) fn fuse(ir: &mut Ir) {
    run(ir, Fuse::default());
}

/// Runs the pass with its option `rescale`.
pub(crate) fn rescale(ir: &mut Ir) {
    let rescale = true;
    run(
        ir,
        Fuse {
            rescale,
            ..Fuse::default()
        },
    );
}

fn run(ir: &mut Ir, pass: Fuse) {
    let (mut diags, mut analyses, mut statistics) = (
        Diagnostics::new(),
        Analyses::default(),
        Statistics::default(),
    );
    let root = ir.root();
    let mut cx = PassContext::new("fuse", &mut diags, &mut analyses, &mut statistics);
    pass.run(ir, root, &mut cx).expect("fusion does not fail");
}

/// A program after fusion; with each of the inputs it computes what it did before.
pub(crate) fn fused(text: &str, inputs: &[Vec<Datum>]) -> Ir {
    let before = parse(text);
    let mut after = parse(text);
    fuse(&mut after);
    assert_verified(&after);
    for inputs in inputs {
        let found = results(&after, inputs, text);
        assert_eq!(
            results(&before, inputs, text),
            found,
            "{text}\n{}",
            text_of(&after)
        );
    }
    after
}

/// Producers of `%p : [n]i32`, with their other results.
pub(crate) const PRODUCERS: &[(&str, &str)] = &[
    (
        "map",
        "%p = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}",
    ),
    (
        "redomap",
        "%o, %p = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {\n%y = arith.muli %x, %k : i32\n\
         array.yield %x, %y : i32, i32\n} combine (%a, %b) {\n%c = arith.addi %a, %b : i32\narray.yield %c : i32\n}",
    ),
    (
        "scanomap",
        "%o, %p = array.scanomap (%x in %xs : [n]i32) init (%zero : i32) map {\n%y = arith.muli %x, %k : i32\n\
         array.yield %x, %y : i32, i32\n} combine (%a, %b) {\n%c = arith.addi %a, %b : i32\narray.yield %c : i32\n}",
    ),
    (
        "exclusive scanomap",
        "%o, %p = array.scanomap exclusive (%x in %xs : [n]i32) init (%zero : i32) map {\n%y = arith.muli %x, %k : i32\n\
         array.yield %x, %y : i32, i32\n} combine (%a, %b) {\n%c = arith.addi %a, %b : i32\narray.yield %c : i32\n}",
    ),
    // The arrays these store depend on all elements: nothing that reads it runs in the same traversal.
    (
        "reduce",
        "%q = array.reduce (%xs : [n]i32) init (%zero : i32) combine (%s, %x) {\n%y = arith.addi %s, %x : i32\narray.yield %y : i32\n}\n\
         %p = array.replicate %q, [%n] : i32 -> [n]i32",
    ),
    (
        "scan",
        "%p = array.scan (%xs : [n]i32) init (%zero : i32) combine (%s, %x) {\n%y = arith.addi %s, %x : i32\narray.yield %y : i32\n}",
    ),
    (
        "scatter",
        "%p = array.scatter (%i in %is : [n]index, %x in %xs : [n]i32) into (%ys : [n]i32) {\narray.yield %i, %x : index, i32\n}",
    ),
    (
        "hist",
        "%p = array.hist (%i in %is : [n]index, %x in %xs : [n]i32) into (%ys : [n]i32) neutral (%zero : i32) map {\n\
         array.yield %i, %x : index, i32\n} combine (%a, %b) {\n%c = arith.addi %a, %b : i32\narray.yield %c : i32\n}",
    ),
];

pub(crate) const TAIL: &str = "{\n%t = arith.addi %s, %e : i32\narray.yield %t : i32\n}";

/// Consumers that read `%p` and make `%r`: name, its text, the type of `%r`, what it fuses with.
pub(crate) fn consumers() -> Vec<(&'static str, String, &'static str, &'static [&'static str])> {
    let array = "!array.array<[n]i32>";
    let fused = "map {\n%f = arith.addi %e, %k : i32\narray.yield %f : i32\n} combine (%s, %u) {\n%t = arith.addi %s, %u : i32\narray.yield %t : i32\n}";
    vec![
        ("map", "%r = array.map (%e in %p : [n]i32) {\n%t = arith.addi %e, %k : i32\narray.yield %t : i32\n}".into(), array, &["map", "redomap", "scanomap", "exclusive scanomap"]),
        ("reduce", format!("%r = array.reduce (%p : [n]i32) init (%zero : i32) combine (%s, %e) {TAIL}"), "i32", &["map", "redomap"]),
        ("redomap", format!("%r = array.redomap (%e in %p : [n]i32) init (%zero : i32) {fused}"), "i32", &["map", "redomap"]),
        ("scan", format!("%r = array.scan (%p : [n]i32) init (%zero : i32) combine (%s, %e) {TAIL}"), array, &["map", "scanomap"]),
        ("exclusive scan", format!("%r = array.scan exclusive (%p : [n]i32) init (%zero : i32) combine (%s, %e) {TAIL}"), array, &["map", "exclusive scanomap"]),
        ("scanomap", format!("%r = array.scanomap (%e in %p : [n]i32) init (%zero : i32) {fused}"), array, &["map", "scanomap"]),
        ("scatter", "%r = array.scatter (%i in %is : [n]index, %e in %p : [n]i32) into (%ys : [n]i32) {\narray.yield %i, %e : index, i32\n}".into(), array, &["map"]),
        ("hist", "%r = array.hist (%i in %is : [n]index, %e in %p : [n]i32) into (%ys : [n]i32) neutral (%zero : i32) map {\narray.yield %i, %e : index, i32\n} combine (%s, %u) {\n%t = arith.addi %s, %u : i32\narray.yield %t : i32\n}".into(), array, &["map"]),
    ]
}

/// A function over `%xs, %ys : [n]i32`, indices `%is`, `%k : i32`, with constants.
pub(crate) fn program(body: &str, results: &str, types: &str) -> String {
    format!(
        "func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>, %is: !array.array<[n]index>, %k: i32) -> ({types}) {{
         %zero = arith.constant 0 : i32\n%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index
         %n = array.dim %xs, 0 : [n]i32\n%up = arith.addi %n, %c1 : index\n%h = arith.divui %up, %c2 : index
         %order = array.reverse %is, 0 : [n]index\n{body}\nfunc.return {results} : {types}\n}}"
    )
}

/// Inputs of [`program`] at sizes 0, 1 and a prime.
pub(crate) fn inputs() -> Vec<Vec<Datum>> {
    let of_size = |n: usize| {
        let indices: Vec<i64> = (0..n).map(|at| (at * 3 % n.max(1)) as i64).collect();
        vec![
            ints(&[n], 1),
            ints(&[n], 2),
            Datum::array(ArrayValue::indices(&indices)),
            Datum::Int(3),
        ]
    };
    [0, 1, 7].map(of_size).to_vec()
}

/// The text after fusion, and how many combinators it has; results are the same.
pub(crate) fn fused_program(text: &str) -> (String, usize) {
    let after = fused(text, &inputs());
    (text_of(&after), combinators(&after))
}
