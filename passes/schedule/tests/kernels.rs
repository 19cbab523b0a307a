//! `coalesce-inputs`, `rows-in-blocks`, and `vectorize` of large operators: what they do, what they must leave, and that results stay the same.

mod support;

use segra_interp::Datum;
use segra_schedule::coalesce::When;
use segra_schedule::{CoalesceInputs, RowsInBlocks, Vectorize};
use support::{floats, has, matrix, pass_keeps as keeps};

/// A thread per row, which reads `%a` at the given indices along the row.
fn along(indices: &str, inside: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x?xf32>) -> tensor<?xf32> {{
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           %none = arith.constant 0.0 : f32
           %c0 = arith.constant 0 : index
           %n = tensor.dim %a, %c0 : tensor<?x?xf32>
           %c1 = arith.constant 1 : index
           %m = tensor.dim %a, %c1 : tensor<?x?xf32>
           %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {{
             %sum = scf.for %k = %zero to %m step %one iter_args(%acc = %none) -> (f32) {{
               {}
               %s = arith.subf %x, %acc : f32
               scf.yield %s : f32
             }}
             kernel.return %sum : f32
           }}
           func.return %r : tensor<?xf32>
         }}",
        inside.replace(
            "READ",
            &format!("tensor.extract %a[{indices}] : tensor<?x?xf32>")
        )
    )
}

const COALESCE: CoalesceInputs = CoalesceInputs { when: When::Always };

#[test]
fn an_array_that_threads_go_along_is_read_from_a_transposed_copy() {
    let inputs = [vec![matrix(5, 3)], vec![matrix(1, 40)], vec![matrix(0, 3)]];
    has(
        &keeps(&COALESCE, &along("%i, %k", "%x = READ"), &inputs),
        "kernel.segmap",
        2,
    );
}

#[test]
fn reads_whose_last_index_is_the_threads_own_stay() {
    // Square, so that the row of a thread's number has as many elements.
    let inputs = [vec![matrix(6, 6)]];
    has(
        &keeps(&COALESCE, &along("%k, %i", "%x = READ"), &inputs),
        "kernel.segmap",
        1,
    );
}

#[test]
fn reads_in_branches_stay() {
    let seldom = "%q = arith.cmpi eq, %k, %one : index
                  %x = scf.if %q -> (f32) { %e = READ scf.yield %e : f32 } else { scf.yield %none : f32 }";
    let inputs = [vec![matrix(5, 3)]];
    has(
        &keeps(&COALESCE, &along("%i, %k", seldom), &inputs),
        "kernel.segmap",
        1,
    );
}

/// Row sums, and elements less the sum that is read at `index`; `between` stands between the two.
fn rows(index: &str, between: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x128xf32>) {{
           %none = arith.constant 0.0 : f32
           %one = arith.constant 1 : index
           %zero = arith.constant 0 : index
           %c0 = arith.constant 0 : index
           %n = tensor.dim %a, %c0 : tensor<?x?xf32>
           %m = arith.constant 128 : index
           %sums = kernel.segred thread (%i < %n, %j < %m) init (%none : f32) -> (tensor<?xf32>) {{
             %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
             kernel.return %x : f32
           }} combine (%p, %q) {{
             %s = arith.addf %p, %q : f32
             kernel.return %s : f32
           }}
           {between}
           %ys = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x128xf32>) {{
             %x = tensor.extract %a[%i, %j] : tensor<?x?xf32>
             %sum = tensor.extract %sums[{index}] : tensor<?xf32>
             %y = arith.subf %x, %sum : f32
             kernel.return %y : f32
           }}
           func.return %sums, %ys : tensor<?xf32>, tensor<?x128xf32>
         }}"
    )
}

fn row_inputs() -> [Vec<Datum>; 2] {
    [vec![matrix(3, 128)], vec![matrix(1, 128)]]
}

#[test]
fn what_is_done_to_a_row_is_one_kernel() {
    let text = keeps(&RowsInBlocks {}, &rows("%i", ""), &row_inputs());
    has(&text, "kernel.segmap block", 1);
}

#[test]
fn rows_that_read_other_rows_stay_apart() {
    let text = keeps(&RowsInBlocks {}, &rows("%zero", ""), &row_inputs());
    has(&text, "kernel.segmap block", 0);
}

#[test]
fn what_needs_a_result_in_between_keeps_rows_apart() {
    // The host reads a sum before the elements are made.
    let between = "%first = tensor.extract %sums[%zero] : tensor<?xf32>";
    let text = keeps(&RowsInBlocks {}, &rows("%i", between), &row_inputs());
    has(&text, "kernel.segmap block", 0);
}

/// A reduction by an operator of so many values, each of which starts as the same element.
fn combined(values: usize, combine: &str, last: &str) -> String {
    let list = |of: &dyn Fn(usize) -> String| (0..values).map(of).collect::<Vec<_>>().join(", ");
    let types = list(&|_| "f32".to_owned());
    format!(
        "func.func @main(%xs: tensor<?xf32>) -> f32 {{
           %none = arith.constant 0.0 : f32
           %c0 = arith.constant 0 : index
           %n = tensor.dim %xs, %c0 : tensor<?xf32>
           %r:{values} = kernel.segred thread form block (%i < %n) init ({} : {types}) -> ({types}) {{
             %x = tensor.extract %xs[%i] : tensor<?xf32>
             kernel.return {} : {types}
           }} combine ({}, {}) {{
             {combine}
             kernel.return {} : {types}
           }}
           func.return %r#0 : f32
         }}",
        list(&|_| "%none".to_owned()),
        list(&|_| "%x".to_owned()),
        list(&|at| format!("%a{at}")),
        list(&|at| format!("%b{at}")),
        list(&|at| format!("%{last}{at}")),
    )
}

#[test]
fn operators_of_many_values_and_long_ones_are_looked_into_as_far_as_it_is_worth() {
    let lines = |count: std::ops::Range<usize>, line: &dyn Fn(usize) -> String| -> String {
        count.map(|at| line(at) + "\n").collect()
    };
    let inputs = [vec![floats(&[0], 1)], vec![floats(&[37], 1)]];
    let wide = |program: &str| keeps(&Vectorize::default(), program, &inputs).contains("vector 4");
    // Each value of its own: however many there are.
    let sums = lines(0..100, &|at| {
        format!("%s{at} = arith.addf %a{at}, %b{at} : f32")
    });
    assert!(wide(&combined(100, &sums, "s")));
    assert!(!wide(&combined(100, &sums.replace("%b57", "%a57"), "s")));
    // The number of paths doubles with each op, that of pairs does not.
    let first = "%c1 = arith.maximumf %a0, %b0 : f32\n";
    let doubled = lines(2..50, &|at| {
        format!("%c{at} = arith.maximumf %c{}, %c{} : f32", at - 1, at - 1)
    });
    let ends = |at: usize| format!("%s0 = arith.maximumf %c{at}, %c{at} : f32\n");
    assert!(wide(&combined(
        1,
        &format!("{first}{doubled}{}", ends(49)),
        "s"
    )));
    // Beyond the longest chain an operator keeps its order, and no stack overflows.
    let long = lines(2..10_000, &|at| {
        format!("%c{at} = arith.maximumf %c{}, %c1 : f32", at - 1)
    });
    assert!(!wide(&combined(
        1,
        &format!("{first}{long}{}", ends(9_999)),
        "s"
    )));
}
