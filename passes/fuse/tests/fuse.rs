//! Fusion keeps results and removes intermediate arrays: programs run in the reference interpreter before and after,
//! and op counts say what was fused.

mod support;

use segra_tests::array_programs::{assert_verified, ints, parse, text_of};
use support::fuse;

/// The program after fusion; it computes what it did before.
fn fused(body: &str, extents: &[(usize, usize)]) -> String {
    let text = format!(
        "func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>, %xss: !array.array<[n][m]i32>) -> {body}"
    );
    let inputs = extents
        .iter()
        .map(|&(n, m)| vec![ints(&[n], 1), ints(&[n], 2), ints(&[n, m], 3)]);
    text_of(&support::fused(&text, &inputs.collect::<Vec<_>>()))
}

const SHAPES: &[(usize, usize)] = &[(4, 3), (1, 1), (0, 2), (5, 0)];

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// `%name = array.map (%x in %from) { op %x, %x }` over `[n]i32`.
fn map(name: &str, op: &str, from: &str) -> String {
    format!(
        "{name} = array.map (%e in {from} : [n]i32) {{ %r = {op} %e, %e : i32\n array.yield %r : i32 }}\n"
    )
}

fn sum(name: &str, op: &str, from: &str) -> String {
    format!(
        "{name} = array.reduce ({from} : [n]i32) init (%zero : i32) combine (%acc, %e) {{ %r = {op} %acc, %e : i32\n array.yield %r : i32 }}\n"
    )
}

const ZERO: &str = "%zero = arith.constant 0 : i32\n";

#[test]
fn a_chain_of_maps_becomes_one() {
    let body = format!(
        "!array.array<[n]i32> {{ {} {} {} func.return %c : !array.array<[n]i32> }}",
        map("%a", "arith.addi", "%xs"),
        map("%b", "arith.muli", "%a"),
        map("%c", "arith.addi", "%b")
    );
    assert_eq!(count(&fused(&body, SHAPES), "array.map"), 1);
}

#[test]
fn a_map_into_a_reduction_becomes_a_redomap() {
    let body = format!(
        "i32 {{ {ZERO} {} {} func.return %s : i32 }}",
        map("%a", "arith.muli", "%xs"),
        sum("%s", "arith.addi", "%a")
    );
    let text = fused(&body, SHAPES);
    assert_eq!(
        (
            count(&text, "array.redomap"),
            count(&text, "array.map "),
            count(&text, "array.reduce")
        ),
        (1, 0, 0)
    );
}

#[test]
fn a_result_used_later_too_is_returned_beside() {
    let body = format!(
        "(i32, !array.array<[n]i32>) {{ {ZERO} {} {} func.return %s, %a : i32, !array.array<[n]i32> }}",
        map("%a", "arith.muli", "%xs"),
        sum("%s", "arith.addi", "%a")
    );
    let text = fused(&body, SHAPES);
    assert_eq!(
        (count(&text, "array.redomap"), count(&text, "array.map ")),
        (1, 0),
        "{text}"
    );
}

/// `l` needs prefixes, which are there only after the traversal: `a` is stored beside them.
#[test]
fn what_reads_a_prefix_comes_after_the_scan() {
    let body = format!(
        "(i32, !array.array<[n]i32>) {{ {ZERO} {}
        %ps = array.scan (%a : [n]i32) init (%zero : i32) combine (%acc, %e) {{ %r = arith.addi %acc, %e : i32\n array.yield %r : i32 }}
        %l = array.map (%e in %ps : [n]i32, %f in %a : [n]i32) {{ %r = arith.addi %e, %f : i32\n array.yield %r : i32 }}
        func.return %zero, %l : i32, !array.array<[n]i32> }}",
        map("%a", "arith.divsi", "%xs"),
    );
    let text = fused(&body, SHAPES);
    assert_eq!(
        (count(&text, "array.map "), count(&text, "array.scanomap")),
        (1, 1),
        "{text}"
    );
    assert_eq!(
        count(&text, "%ps, %a = array.scanomap") + count(&text, "%ps:2"),
        1,
        "{text}"
    );
}

#[test]
fn reductions_over_one_array_share_a_traversal() {
    let body = format!(
        "(i32, i32) {{ {ZERO} {} {} func.return %s, %t : i32, i32 }}",
        sum("%s", "arith.addi", "%xs"),
        sum("%t", "arith.maxsi", "%xs")
    );
    let text = fused(&body, SHAPES);
    assert_eq!(
        (count(&text, "array.redomap"), count(&text, "array.reduce")),
        (1, 0),
        "{text}"
    );
}

#[test]
fn maps_over_one_array_share_a_traversal() {
    let body = format!(
        "(!array.array<[n]i32>, !array.array<[n]i32>) {{ {} {} func.return %a, %b : !array.array<[n]i32>, !array.array<[n]i32> }}",
        map("%a", "arith.addi", "%xs"),
        map("%b", "arith.muli", "%xs")
    );
    assert_eq!(count(&fused(&body, SHAPES), "array.map "), 1);
}

/// The lecture's sumrows (increment a): no intermediate matrix, and the inner map goes into the inner reduction.
#[test]
fn sum_of_rows_of_an_incremented_matrix_makes_no_matrix() {
    let body = "!array.array<[n]i32> {
      %zero = arith.constant 0 : i32
      %two = arith.constant 2 : i32
      %a = array.map (%row in %xss : [n][m]i32) {
        %b = array.map (%x in %row : [m]i32) { %y = arith.addi %x, %two : i32
          array.yield %y : i32 }
        array.yield %b : !array.array<[m]i32>
      }
      %s = array.map (%row in %a : [n][m]i32) {
        %t = array.reduce (%row : [m]i32) init (%zero : i32) combine (%acc, %x) { %y = arith.addi %acc, %x : i32
          array.yield %y : i32 }
        array.yield %t : i32
      }
      func.return %s : !array.array<[n]i32> }";
    let text = fused(body, SHAPES);
    assert_eq!(
        (count(&text, "array.map "), count(&text, "array.redomap")),
        (1, 1),
        "{text}"
    );
}

/// Parallel ops inside a map would become sequential inside a reduction.
#[test]
fn a_map_with_parallelism_inside_is_not_fused_into_a_reduction() {
    let body = "i32 {
      %zero = arith.constant 0 : i32
      %s = array.map (%row in %xss : [n][m]i32) {
        %t = array.reduce (%row : [m]i32) init (%zero : i32) combine (%acc, %x) { %y = arith.addi %acc, %x : i32
          array.yield %y : i32 }
        array.yield %t : i32
      }
      %u = array.reduce (%s : [n]i32) init (%zero : i32) combine (%acc, %x) { %y = arith.addi %acc, %x : i32
          array.yield %y : i32 }
      func.return %u : i32 }";
    let text = fused(body, SHAPES);
    assert_eq!(
        (count(&text, "array.map "), count(&text, "array.reduce")),
        (1, 2),
        "{text}"
    );
}

#[test]
fn replicated_inputs_become_values_and_rearranged_rows_move_inside() {
    let body = "!array.array<[n][m]i32> {
      %three = arith.constant 3 : i32
      %n = array.dim %xs, 0 : [n]i32
      %m = array.dim %xss, 1 : [n][m]i32
      %zs = array.replicate %three, [%n] : i32 -> [n]i32
      %a = array.map (%x in %xs : [n]i32, %z in %zs : [n]i32) { %y = arith.addi %x, %z : i32
          array.yield %y : i32 }
      %cube = array.map (%x in %a : [n]i32, %row in %xss : [n][m]i32) {
        %one = array.replicate %row, [%m] : [m]i32 -> [m][m]i32
        array.yield %one : !array.array<[m][m]i32>
      }
      %turned = array.rearrange %cube, [0, 2, 1] : [n][m][m]i32
      %r = array.map (%plane in %turned : [n][m][m]i32, %x in %a : [n]i32) {
        %s = array.map (%line in %plane : [m][m]i32) {
          %t = array.reduce (%line : [m]i32) init (%x : i32) combine (%acc, %e) { %y = arith.addi %acc, %e : i32
            array.yield %y : i32 }
          array.yield %t : i32
        }
        array.yield %s : !array.array<[m]i32>
      }
      func.return %r : !array.array<[n][m]i32> }";
    let text = fused(body, SHAPES);
    assert_eq!(
        (
            count(&text, "array.replicate %three"),
            count(&text, "[n][m][m]i32")
        ),
        (0, 0),
        "{text}"
    );
}

/// Softmax: exponentials are summed while they are made.
#[test]
fn exponentials_of_a_softmax_are_summed_as_they_are_made() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/softmax.mlir"
    ))
    .expect("the example is there");
    let mut after = parse(&text);
    fuse(&mut after);
    assert_verified(&after);
    let text = text_of(&after);
    assert_eq!(
        (count(&text, "array.map "), count(&text, "array.redomap")),
        (2, 1),
        "{text}"
    );
}
