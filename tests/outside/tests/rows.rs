//! A language of somebody else's: its programs compute what they say, and mistakes are shown in its own text.

use fixed::rows::read;
use segra::{Array, CompileOptions, Compiler, Stage, Value, interpret};

const PROGRAM: &str = "def norm(x: f32[n]) = sqrt(sum(x * x));
def main(a: f32[n][m], x: f32[m]) =
  let y = map row in a: sum(row * x) in
  let z = if norm(y) > 0.0 then y / norm(y) else y in
  let i = float(iota(length(x))) in
  let total = loop s = 0.0 for k < length(x): s + x[k] * i[k] in
  (transpose(a) * total)[1] + largest(z);
";

fn array(shape: &[usize], values: &[f32]) -> Value {
    Value::Array(Array::new(shape, values).expect("fits"))
}

#[test]
fn programs_compute_what_they_say() {
    let program = read("program.rows", PROGRAM).unwrap_or_else(|failure| panic!("{failure}"));
    let inputs = [array(&[2, 3], &[3.0, 0.0, 0.0, 0.0, 4.0, 0.0]), array(&[3], &[1.0, 1.0, 2.0])];
    let results = interpret(program.ir(), "main", &inputs).unwrap_or_else(|failure| panic!("{failure}"));
    // total = 0 + 1 + 4; the second column is (0, 4); the largest of (3, 4) / 5 is 0.8.
    assert_eq!(results, [array(&[2], &[0.8, 20.8])]);
    let compiler = Compiler::new(CompileOptions::default());
    let kernels = compiler.emit(program, Stage::Kernel).unwrap_or_else(|failure| panic!("{failure}"));
    assert!(kernels.contains("kernel.segred"), "{kernels}");
}

#[test]
fn mistakes_are_shown_in_the_programs_own_text() {
    let wrong = [
        ("def f(x: f32[n]) = y;", "own.rows:1:20: error: `y` is not known here"),
        ("def f(x: f32[n], y: f32[m]) = x + y;", "own.rows:1:33: error"),
        ("def f(x: f32[n]) = x[1.5];", "own.rows:1:21: error"),
        ("def f(x: f32[n]) =\n  if x then x else x;", "own.rows:2:3: error: a condition must be a truth value"),
        ("def f(x: f32) = x + 1;", "own.rows:1:19: error"),
        ("def f(x: f32) = nothing(x);", "own.rows:1:17: error: there is no function `nothing`"),
        ("def f(x: f32[n][m]) = 1.0;\ndef g(x: f32[n]) = f(x);", "own.rows:2:20: error"),
        ("def f(x: f32[n] = x;", "own.rows:1:17: error: expected `,`, found `=`"),
        ("def f(x: f32) = (x", "own.rows:1:19: error: expected `)`"),
        ("def f(x: f32) = x; def f(x: f32) = x;", "own.rows:1:24: error"),
    ];
    for (text, message) in wrong {
        let failure = read("own.rows", text).expect_err(text).to_string();
        assert!(failure.contains(message), "{text}\n{failure}");
        assert!(failure.contains(text.lines().last().expect("not empty")), "{text}\n{failure}");
    }
    assert!(read("own.rows", &format!("def f(x: f32) = {};", "(".repeat(10_000))).is_err());
}

#[test]
fn the_whole_language_is_four_hundred_lines() {
    assert!(include_str!("../src/rows.rs").lines().count() <= 400);
}
