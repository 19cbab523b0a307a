//! `dce`, `symbol-dce` and `remove-dead-values`: what goes and what stays.

mod support;

use segra_cleanup::{Dce, RemoveDeadValues, SymbolDce};
use support::{becomes, run};

#[test]
fn loops_that_compute_nothing_observable_go_with_what_they_used() {
    becomes(
        Dce::default(),
        "func.func @f(%n: index, %x: f32) -> f32 {
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           scf.for %i = %zero to %n step %one {
             %t = arith.mulf %x, %x : f32
           }
           %r = scf.for %i = %zero to %n step %one iter_args(%s = %x) -> (f32) {
             %t = arith.addf %s, %x : f32
             scf.yield %t : f32
           }
           return %x : f32
         }",
        "func.func @f(%n: index, %x: f32) -> f32 {
           func.return %x : f32
         }",
    );
}

#[test]
fn a_loop_around_something_observable_stays_with_only_what_that_needs() {
    becomes(
        Dce::default(),
        "func.func @f(%n: index, %x: f32) {
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           scf.for %i = %zero to %n step %one {
             %t = arith.mulf %x, %x : f32
             %u = arith.addf %t, %x : f32
             \"x.observe\"(%t) : (f32) -> ()
           }
           return
         }",
        "func.func @f(%n: index, %x: f32) {
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           scf.for %i = %zero to %n step %one {
             %t = arith.mulf %x, %x : f32
             \"x.observe\"(%t) : (f32) -> ()
           }
           func.return
         }",
    );
}

#[test]
fn arguments_stay_where_a_branch_does_not_say_what_it_hands_on() {
    let text = "func.func @f(%c: i1, %x: i32) {
           cf.cond_br %c, ^a, ^b(%x : i32)
         ^a:  // pred: ^bb0
           \"x.branch\"(%x)[^b] : (i32) -> ()
         ^b(%unused: i32):  // 2 preds: ^bb0, ^a
           func.return
         }";
    becomes(Dce::default(), text, text);
}

#[test]
fn calls_and_branches_stay() {
    let text = "func.func @f(%c: i1) {
           func.call @g() : () -> ()
           cf.cond_br %c, ^bb1, ^bb1
         ^bb1:  // 2 preds: ^bb0, ^bb0
           func.return
         }
         func.func @g() {
           func.return
         }";
    becomes(Dce::default(), text, text);
}

#[test]
fn private_symbols_go_unless_a_public_one_leads_to_them() {
    becomes(
        SymbolDce::default(),
        "func.func @public() {
           func.call @used() : () -> ()
           return
         }
         func.func private @used() {
           func.call @used_too() : () -> ()
           return
         }
         func.func private @used_too() {
           return
         }
         func.func private @ping() {
           func.call @pong() : () -> ()
           return
         }
         func.func private @pong() {
           func.call @ping() : () -> ()
           return
         }",
        "func.func @public() {
           func.call @used() : () -> ()
           func.return
         }
         func.func private @used() {
           func.call @used_too() : () -> ()
           func.return
         }
         func.func private @used_too() {
           func.return
         }",
    );
}

#[test]
fn tables_inside_functions_keep_what_their_own_symbols_refer_to() {
    becomes(
        SymbolDce::default(),
        "func.func @main(%c: i1) {
           scf.if %c {
             builtin.module {
               func.func private @used() {
                 return
               }
               func.func private @unused() {
                 return
               }
               func.func @calls() {
                 func.call @used() : () -> ()
                 return
               }
             }
           }
           return
         }",
        "func.func @main(%c: i1) {
           scf.if %c {
             builtin.module {
               func.func private @used() {
                 func.return
               }
               func.func @calls() {
                 func.call @used() : () -> ()
                 func.return
               }
             }
           }
           func.return
         }",
    );
}

#[test]
fn what_is_said_of_a_dead_argument_goes_with_it_at_calls_too() {
    // Upstream 22 leaves two entries for one argument at the call.
    becomes(
        RemoveDeadValues::default(),
        "func.func private @square(%x: i32, %y: i32) -> i32 {
           %s = arith.muli %y, %y : i32
           return %s : i32
         }
         func.func @main(%x: i32, %y: i32) -> i32 {
           %a = \"func.call\"(%x, %y) <{arg_attrs = [{x.a = 1 : i32}, {x.b = 2 : i32}], callee = @square}> : (i32, i32) -> i32
           return %a : i32
         }",
        "func.func private @square(%y: i32) -> i32 {
           %s = arith.muli %y, %y : i32
           func.return %s : i32
         }
         func.func @main(%x: i32, %y: i32) -> i32 {
           %a = func.call @square(%y) {arg_attrs = [{x.b = 2 : i32}]} : (i32) -> i32
           func.return %a : i32
         }",
    );
}

#[test]
fn what_went_is_counted() {
    let (_, statistics) = run(
        vec![Box::new(Dce::default()), Box::new(SymbolDce::default())],
        "func.func private @f(%x: i32) {
           %0 = arith.addi %x, %x : i32
           %1 = arith.addi %0, %x : i32
           return
         }",
    );
    assert_eq!(statistics.get("dce", "ops erased"), 2);
    assert_eq!(statistics.get("symbol-dce", "symbols erased"), 1);
}
