//! `duplicate-function-elimination`: which functions are equal, which may go, and who refers to them.

mod support;

use segra_cleanup::DuplicateFunctionElimination;
use support::{becomes, run};

#[test]
fn equal_private_functions_become_the_first_of_them() {
    becomes(
        DuplicateFunctionElimination::default(),
        "func.func private @a(%x: i32) -> i32 {
           %y = arith.addi %x, %x : i32
           return %y : i32
         }
         func.func private @b(%z: i32) -> i32 {
           %w = arith.addi %z, %z : i32
           return %w : i32
         }
         func.func @main(%x: i32) -> i32 {
           %y = func.call @b(%x) : (i32) -> i32
           return %y : i32
         }",
        "func.func private @a(%x: i32) -> i32 {
           %y = arith.addi %x, %x : i32
           func.return %y : i32
         }
         func.func @main(%x: i32) -> i32 {
           %y = func.call @a(%x) : (i32) -> i32
           func.return %y : i32
         }",
    );
}

#[test]
fn functions_that_differ_anywhere_stay_apart() {
    let bodies = [
        "%y = arith.addi %x, %k : i32 %z = arith.muli %y, %x : i32",
        "%y = arith.subi %x, %k : i32 %z = arith.muli %y, %x : i32",
        // The same ops on other operands.
        "%y = arith.subi %k, %x : i32 %z = arith.muli %y, %x : i32",
        "%y = arith.subi %x, %k : i32 %z = arith.muli %y, %y : i32",
    ];
    let mut text = String::new();
    for (index, body) in bodies.iter().enumerate() {
        for constant in [1, 2] {
            text += &format!(
                "func.func private @f{index}_{constant}(%x: i32) -> i32 {{ %k = arith.constant {constant} : i32 {body} return %z : i32 }}\n"
            );
        }
    }
    text += "func.func private @other_type(%x: i64) -> i64 { return %x : i64 }
        func.func private @type(%x: i32) -> i32 { return %x : i32 }
        func.func private @marked(%x: i32) -> i32 attributes {no_inline} { return %x : i32 }\n";
    // The same ops in the same blocks, which are gone to in another order.
    for (name, ways) in [("ways", "^a, ^b"), ("other_ways", "^b, ^a")] {
        text += &format!(
            "func.func private @{name}(%c: i1, %x: i32) -> i32 {{
               cf.cond_br %c, {ways}
             ^a:
               %y = arith.muli %x, %x : i32
               return %y : i32
             ^b:
               return %x : i32
             }}\n"
        );
    }
    let (after, _) = run(
        vec![Box::new(DuplicateFunctionElimination::default())],
        &text,
    );
    assert_eq!(after.matches("func.func").count(), 13, "{after}");
}

#[test]
fn public_functions_stay_but_those_of_tables_inside_go_wherever_they_are_named() {
    let text = "func.func @a(%x: i32) -> i32 { return %x : i32 }
        func.func @b(%x: i32) -> i32 { return %x : i32 }
        builtin.module @inner attributes {test.uses = [@c, {deep = @d}]} {
          func.func @c(%x: i32) -> i32 attributes {summary = \"one\"} { return %x : i32 }
          func.func @d(%x: i32) -> i32 attributes {summary = \"two\"} { return %x : i32 }
          func.func @e(%x: i32) -> i32 attributes {summary = \"three\"} { return %x : i32 }
        }
        \"test.launch\"() {kernel = @inner::@e, others = [@inner::@d], deep = {at = @inner::@d}} : () -> ()";
    let pass = || DuplicateFunctionElimination {
        ignored: "summary".to_owned(),
    };
    let (after, _) = run(vec![Box::new(pass())], text);
    assert_eq!(after.matches("func.func").count(), 3, "{after}");
    assert!(
        after.contains("func.func @a") && after.contains("func.func @b"),
        "{after}"
    );
    assert!(
        after.contains("deep = {at = @inner::@c}, kernel = @inner::@c, others = [@inner::@c]"),
        "{after}"
    );
    // Without the option they differ.
    let (apart, _) = run(
        vec![Box::new(DuplicateFunctionElimination::default())],
        text,
    );
    assert_eq!(apart.matches("func.func").count(), 5, "{apart}");
}

#[test]
fn tables_inside_functions_are_gone_through_once_where_the_function_stays() {
    let table = "builtin.module {
          func.func @p(%x: i32) -> i32 { return %x : i32 }
          func.func @q(%x: i32) -> i32 { return %x : i32 }
        }";
    let text = format!(
        "func.func private @a() {{ {table} return }}
        func.func private @b() {{ {table} return }}
        func.func @c() {{ {table} return }}"
    );
    let (after, _) = run(
        vec![Box::new(DuplicateFunctionElimination::default())],
        &text,
    );
    let functions: Vec<&str> = after
        .lines()
        .filter(|line| line.contains("func.func"))
        .map(str::trim)
        .collect();
    let inner = "func.func @p(%x: i32) -> i32 {";
    assert_eq!(
        functions,
        ["func.func private @a() {", inner, "func.func @c() {", inner],
        "{after}"
    );
}
