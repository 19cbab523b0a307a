//! `cse`: what is merged and what is not.

mod support;

use segra_cleanup::Cse;
use support::{becomes, run};

#[test]
fn operands_of_commutative_ops_compare_in_any_order() {
    becomes(
        Cse::default(),
        "func.func @f(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
           %sum = arith.addi %a, %b : i32
           %sum2 = arith.addi %b, %a : i32
           %difference = arith.subi %a, %b : i32
           %difference2 = arith.subi %b, %a : i32
           return %sum, %sum2, %difference, %difference2 : i32, i32, i32, i32
         }",
        "func.func @f(%a: i32, %b: i32) -> (i32, i32, i32, i32) {
           %sum = arith.addi %a, %b : i32
           %difference = arith.subi %a, %b : i32
           %difference2 = arith.subi %b, %a : i32
           func.return %sum, %sum, %difference, %difference2 : i32, i32, i32, i32
         }",
    );
}

#[test]
fn what_dominates_is_seen_in_nested_regions_and_later_blocks_but_siblings_are_not() {
    becomes(
        Cse::default(),
        "func.func @f(%c: i1, %a: i32) -> i32 {
           %sq = arith.muli %a, %a : i32
           cf.cond_br %c, ^left, ^right
         ^left:
           %sq2 = arith.muli %a, %a : i32
           %x = arith.subi %a, %sq2 : i32
           cf.br ^join(%x : i32)
         ^right:
           %y = arith.subi %a, %sq : i32
           cf.br ^join(%y : i32)
         ^join(%z: i32):
           %w = arith.subi %a, %sq : i32
           %r = scf.if %c -> (i32) {
             %w2 = arith.subi %a, %sq : i32
             scf.yield %w2 : i32
           } else {
             %v = arith.addi %w, %z : i32
             scf.yield %v : i32
           }
           %v2 = arith.addi %w, %z : i32
           %s = arith.muli %v2, %r : i32
           return %s : i32
         }",
        "func.func @f(%c: i1, %a: i32) -> i32 {
           %sq = arith.muli %a, %a : i32
           cf.cond_br %c, ^left, ^right
         ^left:  // pred: ^bb0
           %x = arith.subi %a, %sq : i32
           cf.br ^join(%x : i32)
         ^right:  // pred: ^bb0
           %y = arith.subi %a, %sq : i32
           cf.br ^join(%y : i32)
         ^join(%z: i32):  // 2 preds: ^left, ^right
           %w = arith.subi %a, %sq : i32
           %r = scf.if %c -> (i32) {
             scf.yield %w : i32
           } else {
             %v = arith.addi %w, %z : i32
             scf.yield %v : i32
           }
           %v2 = arith.addi %w, %z : i32
           %s = arith.muli %v2, %r : i32
           func.return %s : i32
         }",
    );
}

#[test]
fn ops_with_equal_regions_merge_whatever_their_values_are_called() {
    becomes(
        Cse::default(),
        "func.func @f(%n: index, %a: f32) -> (f32, f32, f32) {
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           %p = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> (f32) {
             %t = arith.addf %s, %a : f32
             scf.yield %t : f32
           }
           %q = scf.for %j = %zero to %n step %one iter_args(%u = %a) -> (f32) {
             %v = arith.addf %a, %u : f32
             scf.yield %v : f32
           }
           %r = scf.for %j = %zero to %n step %one iter_args(%u = %a) -> (f32) {
             %v = arith.addf %u, %u : f32
             scf.yield %v : f32
           }
           return %p, %q, %r : f32, f32, f32
         }",
        "func.func @f(%n: index, %a: f32) -> (f32, f32, f32) {
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           %p = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> (f32) {
             %t = arith.addf %s, %a : f32
             scf.yield %t : f32
           }
           %r = scf.for %j = %zero to %n step %one iter_args(%u = %a) -> (f32) {
             %v = arith.addf %u, %u : f32
             scf.yield %v : f32
           }
           func.return %p, %p, %r : f32, f32, f32
         }",
    );
}

#[test]
fn functions_do_not_see_one_another_and_attributes_count() {
    let text = "func.func @f() -> (i32, i64) {
           %a = arith.constant 1 : i32
           %b = arith.constant 1 : i64
           func.return %a, %b : i32, i64
         }
         func.func @g() -> i32 {
           %a = arith.constant 1 : i32
           func.return %a : i32
         }";
    becomes(Cse::default(), text, text);
}

#[test]
fn what_has_unknown_effects_stays() {
    let text = "func.func @f() {
           \"x.random\"() : () -> ()
           %0 = \"x.random\"() : () -> i32
           %1 = \"x.random\"() : () -> i32
           \"x.use\"(%0, %1) : (i32, i32) -> ()
           func.return
         }";
    becomes(Cse::default(), text, text);
}

#[test]
fn reads_merge_only_where_nothing_may_write_between_them() {
    becomes(
        Cse::default(),
        "func.func @f(%m: memref<4xi32>, %i: index, %x: i32, %c: i1) -> (i32, i32, i32, i32) {
           %a = memref.load %m[%i] : memref<4xi32>
           %b = memref.load %m[%i] : memref<4xi32>
           memref.store %x, %m[%i] : memref<4xi32>
           %d = memref.load %m[%i] : memref<4xi32>
           scf.if %c {
             memref.store %x, %m[%i] : memref<4xi32>
           }
           %e = memref.load %m[%i] : memref<4xi32>
           return %a, %b, %d, %e : i32, i32, i32, i32
         }",
        "func.func @f(%m: memref<4xi32>, %i: index, %x: i32, %c: i1) -> (i32, i32, i32, i32) {
           %a = memref.load %m[%i] : memref<4xi32>
           memref.store %x, %m[%i] : memref<4xi32>
           %d = memref.load %m[%i] : memref<4xi32>
           scf.if %c {
             memref.store %x, %m[%i] : memref<4xi32>
           }
           %e = memref.load %m[%i] : memref<4xi32>
           func.return %a, %a, %d, %e : i32, i32, i32, i32
         }",
    );
}

#[test]
fn two_allocations_are_two() {
    let text = "func.func @f() -> (memref<4xi32>, memref<4xi32>) {
           %a = memref.alloc() : memref<4xi32>
           %b = memref.alloc() : memref<4xi32>
           func.return %a, %b : memref<4xi32>, memref<4xi32>
         }";
    becomes(Cse::default(), text, text);
}

/// Loops whose bodies have the same ops but use different values are told apart by their hashes: 2,000 of them are
/// merged with their doubles in a time that lets a quadratic search stand out.
#[test]
fn many_ops_with_similar_regions_are_compared_with_few() {
    let mut text = "func.func @f(%n: index, %x0: f32) -> f32 {
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index\n"
        .to_owned();
    for at in 0..2000 {
        for name in [format!("%x{}", at + 1), format!("%y{at}")] {
            text += &format!(
                "{name} = scf.for %i = %zero to %n step %one iter_args(%s = %x0) -> (f32) {{
                   %t = arith.addf %s, %x{at} : f32
                   scf.yield %t : f32
                 }}\n"
            );
        }
        text += &format!("\"x.use\"(%y{at}) : (f32) -> ()\n");
    }
    text += "return %x2000 : f32 }";
    let (after, _) = run(vec![Box::new(Cse::default())], &text);
    assert_eq!(after.matches("scf.for").count(), 2000);
}

/// The same of bodies longer than hashes look at: what they read from outside tells them apart, not only their ops. Steps
/// are counted (see [`segra_ir::steps`]): ten times as many such loops take about ten times as many.
#[test]
fn long_bodies_are_told_apart_by_what_they_read_from_outside() {
    let steps = |count: usize| {
        let mut text = "func.func @f(%n: index, %x0: f32) -> f32 {
            %zero = arith.constant 0 : index
            %one = arith.constant 1 : index\n"
            .to_owned();
        for at in 0..count {
            let op = |op: usize| {
                let last = if op == 0 {
                    "%s".to_owned()
                } else {
                    format!("%t{}", op - 1)
                };
                format!("%t{op} = arith.addf {last}, %x{at} : f32\n")
            };
            let ops: String = (0..80).map(op).collect();
            text += &format!(
                "%x{} = scf.for %i = %zero to %n step %one iter_args(%s = %x0) -> (f32) {{\n{ops}scf.yield %t79 : f32\n}}\n",
                at + 1
            );
        }
        text += &format!("return %x{count} : f32 }}");
        let before = segra_ir::steps::taken();
        run(vec![Box::new(Cse::default())], &text);
        segra_ir::steps::taken() - before
    };
    let (few, many) = (steps(30), steps(300));
    assert!(many <= 12 * few, "{few} steps grow to {many}");
}
