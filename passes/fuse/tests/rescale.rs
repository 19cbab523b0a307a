//! Chained reductions become one where a proof allows it: results by the interpreter before and after, with infinite
//! and undefined elements and none at all, for random mapped values; and programs that must stay as they are.

mod support;

use segra_interp::{ArrayValue, Datum, Interpreter};
use segra_ir::Ir;
use segra_tests::array_programs::{assert_verified, parse, seeds, text_of};
use segra_tests::draft::Choices;
use support::rescale;

/// `%m` is an extreme of `%a` for each of `%xs`, `%s` the sum of `%f`, with `%w` of `%ws`.
fn program(extreme: &str, value: &str, mapped: &str, flags: &str) -> String {
    let start = if extreme == "arith.maximumf" {
        "0xFFF0000000000000"
    } else {
        "0x7FF0000000000000"
    };
    let mapped = mapped.replace(" : f64", &format!("{flags} : f64"));
    format!(
        "func.func @main(%xs: !array.array<[n]f64>, %ws: !array.array<[n]f64>) -> (f64, f64) {{
           %zero = arith.constant 0.0 : f64
           %c = arith.constant 0.75 : f64
           %far = arith.constant {start} : f64
           %m = array.redomap (%x in %xs : [n]f64) init (%far : f64) map {{
             {value}
             array.yield %a : f64
           }} combine {extreme}
           %s = array.redomap (%x in %xs : [n]f64, %w in %ws : [n]f64) init (%zero : f64) map {{
             {value}
             {mapped}
             array.yield %f : f64
           }} combine (%p, %q) {{
             %r = arith.addf %p, %q {flags} : f64
             array.yield %r : f64
           }}
           func.return %m, %s : f64, f64
         }}"
    )
}

const REASSOC: &str = " fastmath<reassoc>";
const SCALED: &str = "%a = arith.mulf %x, %c : f64";
const WEIGHT: &str = "%d = arith.subf %a, %m : f64\n%f = math.exp %d : f64";

fn numbers(ir: &Ir, xs: &[f64], ws: &[f64]) -> Vec<f64> {
    let inputs = [xs, ws].map(|values| Datum::array(ArrayValue::f64s(values)));
    let found = Interpreter::new(ir).call("main", &inputs);
    let found = found.unwrap_or_else(|error| panic!("{error}\n{}", text_of(ir)));
    found.iter().filter_map(Datum::as_f64).collect()
}

fn agree(x: f64, y: f64) -> bool {
    x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= 1e-12 * x.abs().max(y.abs()).max(1e-280)
}

/// Inputs: of random numbers, some of which are infinite, and some undefined.
fn inputs() -> Vec<Vec<f64>> {
    let (low, high, nan) = (f64::NEG_INFINITY, f64::INFINITY, f64::NAN);
    let mut all = vec![
        vec![],
        vec![1.5],
        vec![low],
        vec![high],
        vec![nan],
        vec![low, low, low],
        vec![high, high],
        vec![low, 2.0, low, -3.0],
        vec![2.0, high, 1.0],
        vec![2.0, high, low],
        vec![2.0, nan, low],
        vec![1e3, -1e3, 999.0, 1e3],
        vec![-700.0, -710.0, -1e5],
    ];
    all.push((0..13).map(|at| f64::from(at * 37 % 23) - 9.5).collect());
    all
}

/// The number of reductions after fusion; results are what they were.
fn reductions(text: &str, inputs: &[Vec<f64>]) -> usize {
    let before = parse(text);
    let mut after = parse(text);
    rescale(&mut after);
    assert_verified(&after);
    for xs in inputs {
        let ws: Vec<f64> = (0..xs.len()).map(|at| 0.5 + at as f64).collect();
        let (old, new) = (numbers(&before, xs, &ws), numbers(&after, xs, &ws));
        assert_eq!(old.len(), 2);
        assert!(
            old.iter().zip(&new).all(|(&x, &y)| agree(x, y)),
            "{xs:?}: {old:?}, then {new:?}\n{text}\n{}",
            text_of(&after)
        );
    }
    let text = text_of(&after);
    text.matches("array.redomap").count() + text.matches("array.reduce").count()
}

#[test]
fn sums_of_exponentials_join_the_maximum_and_the_minimum() {
    let rising = "%d = arith.subf %m, %a : f64\n%f = math.exp %d : f64";
    for (extreme, mapped) in [("arith.maximumf", WEIGHT), ("arith.minimumf", rising)] {
        let text = program(extreme, SCALED, mapped, REASSOC);
        assert_eq!(reductions(&text, &inputs()), 1, "{text}");
    }
}

#[test]
fn what_no_proof_covers_stays() {
    let declined = [
        (
            "the sums have an order",
            program("arith.maximumf", SCALED, WEIGHT, ""),
        ),
        (
            "the factor would grow",
            program("arith.minimumf", SCALED, WEIGHT, REASSOC),
        ),
        (
            "the exponent is another element's",
            program(
                "arith.maximumf",
                SCALED,
                "%d = arith.subf %w, %m : f64\n%f = math.exp %d : f64",
                REASSOC,
            ),
        ),
        (
            "the coefficients differ",
            program(
                "arith.maximumf",
                SCALED,
                "%d = arith.subf %x, %m : f64\n%f = math.exp %d : f64",
                REASSOC,
            ),
        ),
        (
            "a sum of what is scaled and what is not",
            program(
                "arith.maximumf",
                SCALED,
                &format!(
                    "{}\n%f = arith.addf %e, %w : f64",
                    WEIGHT.replace("%f", "%e")
                ),
                REASSOC,
            ),
        ),
        (
            "no exponential",
            program(
                "arith.maximumf",
                SCALED,
                "%f = arith.subf %a, %m : f64",
                REASSOC,
            ),
        ),
        (
            "a start that is not neutral",
            program("arith.maximumf", SCALED, WEIGHT, REASSOC).replace("0xFFF0000000000000", "2.0"),
        ),
    ];
    for (why, text) in declined {
        assert_eq!(reductions(&text, &inputs()), 2, "{why}\n{text}");
    }
}

/// A random exponent that is a multiple of the distance, and a random product or quotient of it, from a seed.
fn random(seed: u64) -> String {
    let mut choices = Choices::new(seed);
    let mut pick = |count: usize| choices.below(count);
    let mut text = match pick(3) {
        0 => "%d0 = arith.subf %a, %m : f64\n".to_owned(),
        1 => "%n = arith.subf %m, %a : f64\n%d0 = arith.negf %n : f64\n".to_owned(),
        _ => "%n = arith.negf %m : f64\n%d0 = arith.addf %n, %a : f64\n".to_owned(),
    };
    let exponents = [
        "mulf %d0, %c",
        "divf %d0, %c",
        "addf %d0, %c",
        "mulf %c, %d0",
    ];
    text += &format!("%d = arith.{} : f64\n", exponents[pick(4)]);
    text += &format!("%e0 = math.{} %d : f64\n", ["exp", "exp2"][pick(2)]);
    let count = pick(4);
    for at in 0..count {
        let other = ["%w", "%c", "%e0"][pick(3)];
        let op = match pick(4) {
            0 if other != "%e0" => format!("arith.divf %e{at}, {other}"),
            1 => format!("arith.negf %e{at}"),
            _ => format!("arith.mulf {other}, %e{at}"),
        };
        text += &format!("%e{} = {op} : f64\n", at + 1);
    }
    text + &format!("%f = arith.mulf %e{count}, %c : f64")
}

#[test]
fn random_chains_compute_the_same_in_one_traversal() {
    for seed in seeds(200) {
        let text = program("arith.maximumf", SCALED, &random(seed), REASSOC);
        assert_eq!(reductions(&text, &inputs()), 1, "seed {seed}\n{text}");
    }
}

#[test]
fn a_row_softmax_reads_its_row_twice() {
    let text = "func.func @main(%xs: !array.array<[n]f64>) -> !array.array<[n]f64> {
      %zero = arith.constant 0.0 : f64
      %low = arith.constant 0xFFF0000000000000 : f64
      %m = array.reduce (%xs : [n]f64) init (%low : f64) combine arith.maximumf
      %es = array.map (%x in %xs : [n]f64) {
        %d = arith.subf %x, %m fastmath<reassoc> : f64
        %e = math.exp %d fastmath<reassoc> : f64
        array.yield %e : f64
      }
      %s = array.reduce (%es : [n]f64) init (%zero : f64) combine (%p, %q) {
        %r = arith.addf %p, %q fastmath<reassoc> : f64
        array.yield %r : f64
      }
      %ys = array.map (%e in %es : [n]f64) {
        %y = arith.divf %e, %s : f64
        array.yield %y : f64
      }
      func.return %ys : !array.array<[n]f64>
    }";
    let before = parse(text);
    let mut after = parse(text);
    rescale(&mut after);
    assert_verified(&after);
    let printed = text_of(&after);
    let traversals = ["array.redomap", "array.reduce", "array.map"];
    let counts = traversals.map(|op| printed.matches(op).count());
    assert_eq!(counts, [1, 0, 1], "{printed}");
    for xs in inputs().iter().filter(|xs| !xs.is_empty()) {
        let rows = [&before, &after].map(|ir| {
            let inputs = [Datum::array(ArrayValue::f64s(xs))];
            let found = Interpreter::new(ir).call("main", &inputs).expect("it runs");
            let array = found[0].as_array().expect("an array").clone();
            (0..xs.len())
                .filter_map(|at| array.get(at)?.as_f64())
                .collect::<Vec<f64>>()
        });
        assert_eq!(rows[0].len(), xs.len());
        assert!(
            rows[0].iter().zip(&rows[1]).all(|(&x, &y)| agree(x, y)),
            "{xs:?}: {rows:?}\n{printed}"
        );
    }
}
