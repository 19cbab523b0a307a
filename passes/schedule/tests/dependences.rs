//! Direction matrices of nests, and the orders of loops that they allow.

mod support;

use segra_schedule::tile::dependence::{Direction, Matrix};
use support::{PRODUCT, parse, segmaps, verify};

/// The matrix of the first segmap of a program.
fn matrix(program: &str) -> Matrix {
    let ir = parse(program);
    verify(&ir);
    Matrix::of(&ir, segmaps(&ir)[0])
}

/// Its rows as text.
fn rows(matrix: &Matrix) -> Vec<String> {
    matrix.rows.iter().map(ToString::to_string).collect()
}

/// The product as the thesis writes it down, listing 1: two parallel loops around one that carries the sum.
#[test]
fn the_naive_product_is_parallel_in_its_outer_loops() {
    let matrix = matrix(PRODUCT);
    let names: Vec<&str> = matrix
        .columns
        .iter()
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(names, ["i", "j", "k"]);
    assert_eq!(
        rows(&matrix),
        [
            "[= =] %acc starts",
            "[= = <] %acc is carried",
            "[= =] %acc is the result"
        ]
    );
    assert_eq!(
        matrix.to_string(),
        "i  j  k  \n=  =     %acc starts\n=  =  <  %acc is carried\n=  =     %acc is the result"
    );
    let parallel: Vec<bool> = (0..3).map(|column| matrix.is_parallel(column)).collect();
    assert_eq!(parallel, [true, true, false]);
    // Parallel loops may go anywhere, so all orders are right.
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        assert_eq!(matrix.reordered(&order), Ok(()), "{order:?}");
    }
}

/// A point with two loops, one in the other, around `body`, which replaces an element of what they carry.
fn plane(body: &str) -> Matrix {
    matrix(&format!(
        "func.func @main(%n: index, %off: index) -> tensor<?x9x9xf32> {{
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %c2 = arith.constant 2 : index
           %c8 = arith.constant 8 : index
           %c9 = arith.constant 9 : index
           %r = kernel.segmap thread (%p < %n) -> (tensor<?x9x9xf32>) {{
             %start = tensor.empty() : tensor<9x9xf32>
             %done = scf.for %k = %c1 to %c8 step %c1 iter_args(%outer = %start) -> (tensor<9x9xf32>) {{
               %line = scf.for %l = %c1 to %c8 step %c1 iter_args(%t = %outer) -> (tensor<9x9xf32>) {{
                 {body}
                 scf.yield %new : tensor<9x9xf32>
               }}
               scf.yield %line : tensor<9x9xf32>
             }}
             kernel.return %done : tensor<9x9xf32>
           }}
           func.return %r : tensor<?x9x9xf32>
         }}"
    ))
}

/// `t[k, l] = t[at]`
fn moved(before: &str, at: &str) -> Matrix {
    plane(&format!(
        "{before}
         %x = tensor.extract %t[{at}] : tensor<9x9xf32>
         %new = tensor.insert %x into %t[%k, %l] : tensor<9x9xf32>"
    ))
}

#[test]
fn elements_say_from_which_rounds_to_which_a_dependence_goes() {
    let above = moved("%up = arith.subi %k, %c1 : index", "%up, %l");
    assert_eq!(rows(&above), ["[= < =] %outer an element is read"]);
    assert!(above.is_parallel(2) && !above.is_parallel(1));
    assert_eq!(above.reordered(&[0, 2, 1]), Ok(()));

    let left = moved("%left = arith.subi %l, %c1 : index", "%k, %left");
    assert_eq!(rows(&left), ["[= = <] %outer an element is read"]);
    assert!(left.is_parallel(1) && !left.is_parallel(2));

    // Read before it is replaced: the other way round.
    let below = moved("%down = arith.addi %k, %c1 : index", "%down, %l");
    assert_eq!(rows(&below), ["[= < =] %outer an element is replaced"]);

    let own = moved("", "%k, %l");
    assert_eq!(rows(&own), ["[= = =] %outer an element is replaced"]);
    assert!(own.is_parallel(1) && own.is_parallel(2));
}

#[test]
fn loops_are_not_interchanged_where_a_dependence_would_go_backwards() {
    let diagonal = moved(
        "%up = arith.subi %k, %c1 : index
         %right = arith.addi %l, %c1 : index",
        "%up, %right",
    );
    assert_eq!(rows(&diagonal), ["[= < >] %outer an element is read"]);
    assert_eq!(diagonal.reordered(&[0, 1, 2]), Ok(()));
    let refused = diagonal
        .reordered(&[0, 2, 1])
        .expect_err("[>, <] starts backwards");
    assert_eq!(
        refused.directions,
        [Direction::Equal, Direction::Later, Direction::Earlier].map(Some)
    );
    // With what the dependence is hidden behind outside, the order inside is free.
    assert!(diagonal.is_parallel(2));

    let wave = moved(
        "%up = arith.subi %k, %c1 : index
         %left = arith.subi %l, %c1 : index",
        "%up, %left",
    );
    assert_eq!(rows(&wave), ["[= < <] %outer an element is read"]);
    assert_eq!(wave.reordered(&[0, 2, 1]), Ok(()));
}

#[test]
fn indices_that_never_meet_are_no_dependence_and_unknown_ones_are_any() {
    // Even and odd columns.
    let parity = plane(
        "%twice = arith.muli %l, %c2 : index
         %odd = arith.addi %twice, %c1 : index
         %x = tensor.extract %t[%k, %odd] : tensor<9x9xf32>
         %new = tensor.insert %x into %t[%k, %twice] : tensor<9x9xf32>",
    );
    assert!(rows(&parity).is_empty(), "{parity}");

    // Both columns are constants.
    let apart = plane(
        "%x = tensor.extract %t[%k, %c1] : tensor<9x9xf32>
         %new = tensor.insert %x into %t[%k, %c2] : tensor<9x9xf32>",
    );
    assert_eq!(
        rows(&apart),
        ["[= = <] %outer an element is replaced again"]
    );

    // A value from outside, the same on both sides; and one that is not.
    let shifted = plane(
        "%here = arith.addi %l, %off : index
         %left = arith.subi %here, %c1 : index
         %x = tensor.extract %t[%k, %left] : tensor<9x9xf32>
         %new = tensor.insert %x into %t[%k, %here] : tensor<9x9xf32>",
    );
    assert_eq!(rows(&shifted), ["[= = <] %outer an element is read"]);
    let unknown = moved("%there = arith.addi %l, %off : index", "%k, %there");
    assert_eq!(
        rows(&unknown),
        [
            "[= = <] %outer an element is replaced",
            "[= = <] %outer an element is read",
            "[= = =] %outer an element is replaced"
        ]
    );
    let across = moved("", "%l, %k");
    assert!(across.reordered(&[0, 2, 1]).is_err(), "{across}");
}

/// A sum over two loops goes from the end of a row to the start of the next, so its loops keep their order.
#[test]
fn sums_over_two_loops_keep_their_order() {
    let matrix = matrix(
        "func.func @main(%n: index, %a: tensor<?x?x?xf32>) -> tensor<?xf32> {
           %zero = arith.constant 0.0 : f32
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
             %s = scf.for %k = %c0 to %n step %c1 iter_args(%rows = %zero) -> (f32) {
               %line = scf.for %l = %c0 to %n step %c1 iter_args(%acc = %rows) -> (f32) {
                 %x = tensor.extract %a[%i, %k, %l] : tensor<?x?x?xf32>
                 %next = arith.addf %acc, %x : f32
                 scf.yield %next : f32
               }
               scf.yield %line : f32
             }
             kernel.return %s : f32
           }
           func.return %r : tensor<?xf32>
         }",
    );
    assert_eq!(
        rows(&matrix),
        [
            "[=] %rows starts",
            "[= < *] %rows is carried",
            "[=] %rows is the result",
            "[= =] %acc starts",
            "[= = <] %acc is carried",
            "[= =] %acc is the result"
        ]
    );
    assert_eq!(matrix.reordered(&[1, 0, 2]), Ok(()));
    let refused = matrix
        .reordered(&[0, 2, 1])
        .expect_err("rows follow each other");
    assert_eq!(refused.to_string(), "[= < *] %rows is carried");
}
