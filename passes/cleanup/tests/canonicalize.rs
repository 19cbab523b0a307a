//! `canonicalize`: folding, constants, dead code, limits; and the same meaning as upstream's where it is installed.

mod support;

use segra_cleanup::Canonicalize;
use segra_pass::PassOptions;
use support::{becomes, run};

#[test]
fn constants_fold_once_and_stand_at_the_start() {
    becomes(
        Canonicalize::default(),
        "func.func @f(%x: i32, %c: i1) -> i32 {
           %two = arith.constant 2 : i32
           %r = scf.if %c -> (i32) {
             %three = arith.constant 3 : i32
             %five = arith.addi %two, %three : i32
             %s = arith.addi %five, %x : i32
             scf.yield %s : i32
           } else {
             %three = arith.constant 3 : i32
             %t = arith.muli %three, %x : i32
             scf.yield %t : i32
           }
           return %r : i32
         }",
        "func.func @f(%x: i32, %c: i1) -> i32 {
           %c5_i32 = arith.constant 5 : i32
           %three = arith.constant 3 : i32
           %r = scf.if %c -> (i32) {
             %s = arith.addi %x, %c5_i32 : i32
             scf.yield %s : i32
           } else {
             %t = arith.muli %x, %three : i32
             scf.yield %t : i32
           }
           func.return %r : i32
         }",
    );
}

#[test]
fn blocks_control_never_reaches_go() {
    becomes(
        Canonicalize::default(),
        "func.func @f(%x: i32) -> i32 {
           return %x : i32
         ^dead:
           %y = arith.addi %x, %x : i32
           cf.br ^dead_too(%y : i32)
         ^dead_too(%z: i32):
           \"x.use\"(%z) : (i32) -> ()
           cf.br ^dead
         }",
        "func.func @f(%x: i32) -> i32 {
           func.return %x : i32
         }",
    );
}

#[test]
fn what_has_effects_stays_and_nothing_moves_past_isolation() {
    let text = "func.func @f() {
           %one = arith.constant 1 : i32
           \"x.use\"(%one) : (i32) -> ()
           func.return
         }
         func.func @g() {
           %one = arith.constant 1 : i32
           \"x.use\"(%one) : (i32) -> ()
           func.return
         }";
    becomes(Canonicalize::default(), text, text);
}

#[test]
fn a_limit_is_a_remark_or_an_error_as_one_likes() {
    let text = "func.func @f() -> i32 {
           %one = arith.constant 1 : i32
           %two = arith.addi %one, %one : i32
           %three = arith.addi %two, %one : i32
           return %three : i32
         }";
    let limited = |converge: &str| {
        let mut pass = Canonicalize::default();
        pass.set_option("max-num-rewrites", Some("1"))
            .expect("a number");
        pass.set_option("test-convergence", Some(converge))
            .expect("a boolean");
        pass
    };
    let (after, statistics) = run(vec![Box::new(limited("false"))], text);
    assert_eq!(statistics.get("canonicalize", "ops folded"), 1);
    assert!(after.contains("arith.addi"), "{after}");
    let failed = std::panic::catch_unwind(|| run(vec![Box::new(limited("true"))], text));
    assert!(failed.is_err(), "the pass is to fail");
}
