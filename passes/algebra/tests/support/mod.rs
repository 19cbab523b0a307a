//! Support of the tests of the algebra: programs around examples of rules, and running them.

use segra_interp::{ArrayValue, Datum};
use segra_ir::Ir;
use segra_tests::array_programs::{self, ints, text_of};

/// A program that returns `%r` of the statements.
pub(crate) fn example(statements: &str, result: &str) -> String {
    let ty = if result.starts_with('[') {
        format!("!array.array<{result}>")
    } else {
        result.to_owned()
    };
    format!(
        "func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>, %xss: !array.array<[n][m]i32>, %k: i32, \
         %f: f32, %fs: !array.array<[n]f32>) -> {ty} {{
         %zero = arith.constant 0 : i32\n%one = arith.constant 1 : i32\n%least = arith.constant -2147483648 : i32
         %fzero = arith.constant 0.0 : f32\n%n = array.dim %xss, 0 : [n][m]i32\n%m = array.dim %xss, 1 : [n][m]i32
         {statements}\nfunc.return %r : {ty}\n}}"
    )
}

/// How often the text of a program has `what`.
pub(crate) fn counted(ir: &Ir, what: &str) -> usize {
    text_of(ir).matches(what).count()
}

/// The results of an example at these sizes.
pub(crate) fn results(ir: &Ir, n: usize, m: usize, what: &str) -> Vec<String> {
    let floats: Vec<f32> = (0..n).map(|at| at as f32 * 0.5 - 2.0).collect();
    let inputs = [
        ints(&[n], 1),
        ints(&[n], 2),
        ints(&[n, m], 3),
        Datum::Int(3),
        Datum::F32(1.5),
        Datum::array(ArrayValue::f32s(&floats)),
    ];
    array_programs::results(ir, &inputs, what)
}
