//! Extents that types fix: flattened programs stop at arguments without them, and results have them.

mod support;

use segra_flatten::Flatten;
use segra_interp::{Datum, Interpreter};
use segra_text::{PrintOptions, print};
use support::{context, flatten, floats, parse, ways};

/// `@f` of the program is flattened in every way and run on an argument of this shape: the shape of its result, or the message.
fn outcomes(program: &str, shape: &[usize]) -> Vec<Result<Vec<usize>, String>> {
    let run = |pass: &Flatten| {
        let ctx = context();
        let mut ir = parse(&ctx, "extents", program);
        flatten(&mut ir, pass).expect("it flattens");
        let text = print(&ir, ir.root(), &PrintOptions::default());
        assert!(text.contains("tensor<"), "{text}");
        let found = Interpreter::new(&ir).call("f", &[floats(shape, 1)]);
        match found.as_deref() {
            Ok([Datum::Array(array)]) => Ok(array.shape().to_vec()),
            Ok(other) => panic!("{} results", other.len()),
            Err(error) => Err(error.message().to_owned()),
        }
    };
    ways().iter().map(run).collect()
}

const ROWS: &str = "
    func.func @f(%rows: !array.array<[n][4]f32>) -> !array.array<[n][4]f32> {
      %r = array.map (%row in %rows : [n][4]f32) {
        %s = array.map (%x in %row : [4]f32) {
          %y = arith.addf %x, %x : f32
          array.yield %y : f32
        }
        array.yield %s : !array.array<[4]f32>
      }
      func.return %r : !array.array<[n][4]f32>
    }";

#[test]
fn arguments_without_the_extents_of_their_types_are_refused() {
    for outcome in outcomes(ROWS, &[3, 4]) {
        assert_eq!(outcome, Ok(vec![3, 4]));
    }
    for rows in [0, 3] {
        for outcome in outcomes(ROWS, &[rows, 5]) {
            let message = "dimension 1 of parameter #0 is not 4";
            let stopped = outcome.as_ref().is_err_and(|found| found.contains(message));
            assert!(stopped, "{rows}: {outcome:?}");
        }
    }
}

/// A function that another one calls has parameters of open extents, which it checks.
#[test]
fn arguments_of_calls_are_checked() {
    let called = |wanted: &str| {
        format!(
            "func.func @f(%xs: !array.array<[n]f32>) -> !array.array<[?]f32> {{
               %r = func.call @again(%xs) : (!array.array<[n]f32>) -> !array.array<[?]f32>
               func.return %r : !array.array<[?]f32>
             }}
             func.func private @again(%xs: !array.array<[{wanted}]f32>) -> !array.array<[?]f32> {{
               %no = arith.constant false
               %r = array.map (%x in %xs : [{wanted}]f32) {{
                 %y = arith.addf %x, %x : f32
                 array.yield %y : f32
               }}
               %open = array.cast %r : [{wanted}]f32 -> [?]f32
               %s = scf.if %no -> (!array.array<[?]f32>) {{
                 %t = func.call @again(%r) : (!array.array<[{wanted}]f32>) -> !array.array<[?]f32>
                 scf.yield %t : !array.array<[?]f32>
               }} else {{
                 scf.yield %open : !array.array<[?]f32>
               }}
               func.return %s : !array.array<[?]f32>
             }}"
        )
    };
    for (wanted, given, message) in [
        ("m", 5, None),
        ("5", 5, None),
        ("5", 6, Some("5")),
        ("0", 0, None),
    ] {
        for outcome in outcomes(&called(wanted), &[given]) {
            match message {
                None => assert_eq!(outcome, Ok(vec![given])),
                Some(text) => assert!(
                    outcome.as_ref().is_err_and(|found| found.contains(text)),
                    "{outcome:?}"
                ),
            }
        }
    }
}
