//! Updates of arrays whose rows differ in shape: one kernel per shape, no loop on the host.

mod support;

use segra_flatten::{Flatten, InnerReduce};
use segra_interp::Datum;
use support::{count, flattened, ints, same, small};

fn all_parallel() -> Flatten {
    Flatten {
        inner_reduce: InnerReduce::Parallel,
        ..Flatten::default()
    }
}

/// A function over keys, rows of two extents, and where they go.
fn program(body: &str) -> String {
    format!(
        "func.func @main(%is: !array.array<[n]i32>, %xs: !array.array<[n][k]i32>, %ys: !array.array<[n][l]i32>,
    %p: !array.array<[m][k]i32>, %q: !array.array<[m][l]i32>, %z: !array.array<[m]i32>)
    -> (!array.array<[m][k]i32>, !array.array<[m][l]i32>, !array.array<[m]i32>) {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
{body}
  func.return %a, %b, %c : !array.array<[m][k]i32>, !array.array<[m][l]i32>, !array.array<[m]i32>
}}"
    )
}

const INPUTS: &str = "(%key in %is : [n]i32, %x in %xs : [n][k]i32, %y in %ys : [n][l]i32) into (%p : [m][k]i32, %q : [m][l]i32, %z : [m]i32)";
const YIELD: &str = "%i = arith.index_cast %key : i32 to index
    array.yield %i, %x, %y, %key : index, !array.array<[k]i32>, !array.array<[l]i32>, i32";

/// Runs a program in every way, with rows of these extents, and some without elements.
fn runs(name: &str, program: &str, scattered: bool) {
    for (n, k, l, m) in [
        (0, 2, 3, 4),
        (1, 1, 5, 1),
        (5, 7, 2, 6),
        (9, 1, 33, 4),
        (4, 0, 3, 9),
    ] {
        // A scatter's keys are all different, some of them out of range.
        let keys: Vec<i32> = (0..n as i32).map(|at| at - 1).collect();
        let keys = match scattered {
            true => Datum::array(segra_interp::ArrayValue::i32s(&keys)),
            false => small(&[n], 3),
        };
        let inputs = [
            keys,
            ints(&[n, k], 1),
            ints(&[n, l], 2),
            ints(&[m, k], 4),
            ints(&[m, l], 5),
            ints(&[m], 6),
        ];
        same(name, program, &inputs);
    }
}

#[test]
fn rows_of_two_shapes_are_two_scatters() {
    let text = program(&format!(
        "  %a, %b, %c = array.scatter {INPUTS} {{\n    {YIELD}\n  }}"
    ));
    let flat = flattened(&text, &all_parallel());
    assert_eq!(
        (
            count(&flat, "kernel.scatter thread"),
            count(&flat, "scf.for")
        ),
        (3, 0),
        "{flat}"
    );
    runs("scatter", &text, true);
}

#[test]
fn bins_of_two_shapes_are_two_histograms() {
    let operator = "%d = array.map (%u in %s : [k]i32, %v in %e : [k]i32) {
      %w = arith.addi %u, %v : i32
      array.yield %w : i32
    }
    %f = array.map (%u in %t : [l]i32, %v in %g : [l]i32) {
      %w = arith.maxsi %u, %v : i32
      array.yield %w : i32
    }
    %h = arith.addi %r, %o : i32
    array.yield %d, %f, %h : !array.array<[k]i32>, !array.array<[l]i32>, i32";
    let text = program(&format!(
        "  %k = array.dim %xs, 1 : [n][k]i32
  %l = array.dim %ys, 1 : [n][l]i32
  %least = arith.constant -1000 : i32
  %nk = array.replicate %zero, [%k] : i32 -> [k]i32
  %nl = array.replicate %least, [%l] : i32 -> [l]i32
  %a, %b, %c = array.hist {INPUTS} neutral (%nk : !array.array<[k]i32>, %nl : !array.array<[l]i32>, %zero : i32) map {{
    {YIELD}
  }} combine (%s, %t, %r, %e, %g, %o) {{
    {operator}
  }}"
    ));
    let flat = flattened(&text, &all_parallel());
    assert_eq!(
        (
            count(&flat, "kernel.seghist thread"),
            count(&flat, "scf.for")
        ),
        (3, 0),
        "{flat}"
    );
    runs("hist", &text, false);
}

/// The parallel part of a body is done once, for all shapes.
#[test]
fn parallelism_of_the_body_is_done_once() {
    let body = "%s = array.scan (%x : [k]i32) init (%zero : i32) combine (%t, %u) {
      %v = arith.addi %t, %u : i32
      array.yield %v : i32
    }
    %i = arith.index_cast %key : i32 to index
    array.yield %i, %s, %y, %key : index, !array.array<[k]i32>, !array.array<[l]i32>, i32";
    let text = program(&format!(
        "  %a, %b, %c = array.scatter {INPUTS} {{\n    {body}\n  }}"
    ));
    let flat = flattened(&text, &all_parallel());
    assert_eq!(
        (
            count(&flat, "kernel.scatter thread"),
            count(&flat, "kernel.segscan")
        ),
        (3, 1),
        "{flat}"
    );
    runs("scan", &text, true);
}

/// Destinations of one shape stay one scatter: its points are there once.
#[test]
fn rows_of_one_shape_stay_together() {
    let text = "func.func @main(%is: !array.array<[n]i32>, %xs: !array.array<[n][k]i32>, %p: !array.array<[m][k]i32>,
    %q: !array.array<[m][k]i32>) -> (!array.array<[m][k]i32>, !array.array<[m][k]i32>) {
  %a, %b = array.scatter (%key in %is : [n]i32, %x in %xs : [n][k]i32) into (%p : [m][k]i32, %q : [m][k]i32) {
    %i = arith.index_cast %key : i32 to index
    array.yield %i, %x, %x : index, !array.array<[k]i32>, !array.array<[k]i32>
  }
  func.return %a, %b : !array.array<[m][k]i32>, !array.array<[m][k]i32>
}";
    let flat = flattened(text, &all_parallel());
    assert_eq!(
        (
            count(&flat, "kernel.scatter thread"),
            count(&flat, "scf.for")
        ),
        (1, 0),
        "{flat}"
    );
}

/// Values of an operator that need each other stay in one op, which is then a loop.
#[test]
fn values_of_two_shapes_that_need_each_other_stay_one_op() {
    let text = program(&format!(
        "  %k = array.dim %xs, 1 : [n][k]i32
  %l = array.dim %ys, 1 : [n][l]i32
  %nk = array.replicate %zero, [%k] : i32 -> [k]i32
  %nl = array.replicate %zero, [%l] : i32 -> [l]i32
  %a, %b, %c = array.hist {INPUTS} neutral (%nk : !array.array<[k]i32>, %nl : !array.array<[l]i32>, %zero : i32) map {{
    {YIELD}
  }} combine (%s, %t, %r, %e, %g, %o) {{
    %h = arith.addi %r, %o : i32
    %z1 = arith.cmpi sgt, %h, %r : i32
    %d = scf.if %z1 -> (!array.array<[k]i32>) {{
      scf.yield %s : !array.array<[k]i32>
    }} else {{
      scf.yield %e : !array.array<[k]i32>
    }}
    %f = array.map (%u in %t : [l]i32, %v in %g : [l]i32) {{
      %w = arith.addi %u, %v : i32
      array.yield %w : i32
    }}
    array.yield %d, %f, %h : !array.array<[k]i32>, !array.array<[l]i32>, i32
  }}"
    ));
    let flat = flattened(&text, &all_parallel());
    // The rows of one shape are a kernel; the other rows and what they depend on are not.
    assert_eq!(
        (
            count(&flat, "kernel.seghist thread"),
            count(&flat, "scf.for") > 0
        ),
        (1, true),
        "{flat}"
    );
}

/// A number and a row of few that come along with it: one op, and no kernel, whichever stands first.
#[test]
fn a_scalar_and_a_row_that_need_each_other_are_combined_one_after_the_other() {
    for swapped in [false, true] {
        // In the order of the destinations: `order(number, row)`.
        let order = |number: &str, row: &str| match swapped {
            false => format!("{number}, {row}"),
            true => format!("{row}, {number}"),
        };
        let types = order("i32", "!array.array<[2]i32>");
        let text = format!(
            "func.func @main(%is: !array.array<[n]i32>, %vs: !array.array<[n]i32>, %xs: !array.array<[n][2]i32>,
    %best: !array.array<[m]i32>, %rows: !array.array<[m][2]i32>) -> (!array.array<[m]i32>, !array.array<[m][2]i32>) {{
  %least = arith.constant -1000 : i32
  %c2 = arith.constant 2 : index
  %none = array.replicate %least, [%c2] : i32 -> [2]i32
  {} = array.hist (%key in %is : [n]i32, %v in %vs : [n]i32, %x in %xs : [n][2]i32) into ({}) neutral ({}) map {{
    %i = arith.index_cast %key : i32 to index
    array.yield %i, {} : index, {types}
  }} combine ({}, {}) {{
    %more = arith.cmpi sgt, %v, %u : i32
    %w = arith.select %more, %v, %u : i32
    %z = scf.if %more -> (!array.array<[2]i32>) {{
      scf.yield %y : !array.array<[2]i32>
    }} else {{
      scf.yield %x : !array.array<[2]i32>
    }}
    array.yield {} : {types}
  }}
  func.return %a, %b : !array.array<[m]i32>, !array.array<[m][2]i32>
}}",
            order("%a", "%b"),
            order("%best : [m]i32", "%rows : [m][2]i32"),
            order("%least : i32", "%none : [2]i32"),
            order("%v", "%x"),
            order("%u", "%x"),
            order("%v", "%y"),
            order("%w", "%z"),
        );
        let flat = flattened(&text, &all_parallel());
        assert_eq!(
            (count(&flat, "kernel.seghist"), count(&flat, "scf.for") > 0),
            (0, true),
            "{flat}"
        );
        for (n, m) in [(5, 3), (0, 2), (1, 1), (17, 4)] {
            // Numbers that differ, so that which row comes along is certain.
            let numbers: Vec<i32> = (0..n as i32).map(|at| at * 5 % 17).collect();
            let numbers = Datum::array(segra_interp::ArrayValue::i32s(&numbers));
            let bins = ints(&[m], 4);
            same(
                "best",
                &text,
                &[
                    small(&[n], 3),
                    numbers,
                    ints(&[n, 2], 2),
                    bins,
                    ints(&[m, 2], 5),
                ],
            );
        }
    }
}

/// The outer op is split when its body is: neither is looked at after it is gone.
#[test]
fn updates_in_the_body_of_an_update_are_split_first() {
    let text = "func.func @main(%is: !array.array<[n]i32>, %js: !array.array<[n][s]i32>, %ys: !array.array<[n][l]i32>,
    %row: !array.array<[k]i32>, %p: !array.array<[m][k]i32>, %q: !array.array<[m][l]i32>)
    -> (!array.array<[m][k]i32>, !array.array<[m][l]i32>) {
  %a, %b = array.scatter (%key in %is : [n]i32, %j in %js : [n][s]i32, %y in %ys : [n][l]i32) into (%p : [m][k]i32, %q : [m][l]i32) {
    %i = arith.index_cast %key : i32 to index
    %r = array.scatter (%x in %j : [s]i32) into (%row : [k]i32) {
      %at = arith.index_cast %x : i32 to index
      array.yield %at, %x : index, i32
    }
    array.yield %i, %r, %y : index, !array.array<[k]i32>, !array.array<[l]i32>
  }
  func.return %a, %b : !array.array<[m][k]i32>, !array.array<[m][l]i32>
}";
    let flat = flattened(text, &all_parallel());
    assert!(count(&flat, "kernel.scatter thread") >= 2, "{flat}");
    for (n, s, k, l, m) in [(3, 4, 6, 2, 5), (2, 1, 1, 3, 2), (0, 2, 2, 2, 3)] {
        let keys = Datum::array(segra_interp::ArrayValue::i32s(
            &(0..n as i32).collect::<Vec<_>>(),
        ));
        let inputs = [
            keys,
            ints(&[n, s], 1),
            ints(&[n, l], 2),
            ints(&[k], 3),
            ints(&[m, k], 4),
            ints(&[m, l], 5),
        ];
        same("nested", text, &inputs);
    }
}

/// Extents without a name may differ: rows of such are no two of one shape.
#[test]
fn rows_of_unnamed_extents_are_apart() {
    let text = "func.func @main(%is: !array.array<[n]i32>, %xs: !array.array<[n][?]i32>, %ys: !array.array<[n][?]i32>,
    %p: !array.array<[m][?]i32>, %q: !array.array<[m][?]i32>) -> (!array.array<[m][?]i32>, !array.array<[m][?]i32>) {
  %a, %b = array.scatter (%key in %is : [n]i32, %x in %xs : [n][?]i32, %y in %ys : [n][?]i32) into (%p : [m][?]i32, %q : [m][?]i32) {
    %i = arith.index_cast %key : i32 to index
    array.yield %i, %x, %y : index, !array.array<[?]i32>, !array.array<[?]i32>
  }
  func.return %a, %b : !array.array<[m][?]i32>, !array.array<[m][?]i32>
}";
    let flat = flattened(text, &all_parallel());
    assert_eq!(
        (
            count(&flat, "kernel.scatter thread"),
            count(&flat, "scf.for")
        ),
        (2, 0),
        "{flat}"
    );
    for (n, k, l, m) in [(3, 4, 2, 5), (5, 1, 9, 4)] {
        let keys = Datum::array(segra_interp::ArrayValue::i32s(
            &(0..n as i32).collect::<Vec<_>>(),
        ));
        same(
            "rows",
            text,
            &[
                keys,
                ints(&[n, k], 1),
                ints(&[n, l], 2),
                ints(&[m, k], 3),
                ints(&[m, l], 4),
            ],
        );
    }
}
