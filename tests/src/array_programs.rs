//! Programs of the array level for tests of passes: reading, verifying, running, counting, timing.
//!
//! Deliberately absent: the passes. Only `std` and `array` are known.

use segra_array::combinator::is_combinator;
use segra_interp::{ArrayValue, Datum, Interpreter};
use segra_ir::{Context, Diagnostics, Ir};
use segra_text::{ParseOptions, PrintOptions, parse_module, print};
use std::sync::Arc;
use std::time::Duration;

/// Reads and verifies a program.
///
/// # Panics
/// With the messages, where it is wrong.
pub fn parse(text: &str) -> Ir {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_array::dialect());
    let ctx = Arc::new(ctx);
    let ir = parse_module(&ctx, "program", text, &ParseOptions::default())
        .unwrap_or_else(|diags| panic!("{}\n{text}", rendered(&ctx, &diags)));
    assert_verified(&ir);
    ir
}

fn rendered(ctx: &Context, diags: &Diagnostics) -> String {
    diags
        .iter()
        .map(|d| segra_ir::diag::render::render(ctx, d, segra_ir::diag::render::Style::Plain))
        .collect()
}

/// A program is well-formed.
///
/// # Panics
/// With the messages, where it is not.
pub fn assert_verified(ir: &Ir) {
    let mut diags = Diagnostics::new();
    segra_ir::verify::verify(ir, &mut diags);
    assert!(
        !diags.has_errors(),
        "{}\n{}",
        rendered(ir.ctx(), &diags),
        text_of(ir)
    );
}

/// A program as text.
pub fn text_of(ir: &Ir) -> String {
    print(ir, ir.root(), &PrintOptions::default())
}

/// How many combinators a program has.
pub fn combinators(ir: &Ir) -> usize {
    ir.walk(ir.root())
        .iter()
        .filter(|&&op| is_combinator(ir, op))
        .count()
}

/// Small numbers, which a seed decides.
///
/// # Panics
/// Never: there are as many as the shape says.
pub fn ints(shape: &[usize], seed: i32) -> Datum {
    let count: usize = shape.iter().product();
    let values: Vec<i32> = (0..count as i32)
        .map(|at| (at * 7 + seed * 13 + at * at * 3) % 31 - 11)
        .collect();
    Datum::array(
        ArrayValue::i32s(&values)
            .reshaped(shape.to_vec())
            .expect("as many as the shape says"),
    )
}

/// The results of `@main`, as text; arrays without elements as such, since their rows were never made.
///
/// # Panics
/// With `what` and the program, where it stops.
pub fn results(ir: &Ir, inputs: &[Datum], what: &str) -> Vec<String> {
    let found = Interpreter::new(ir).call("main", inputs);
    let found = found.unwrap_or_else(|error| panic!("{what}: {error}\n{}", text_of(ir)));
    let one = |value: &Datum| match value.as_array() {
        Some(array) if array.is_empty() => "empty".to_owned(),
        _ => format!("{value:?}"),
    };
    found.iter().map(one).collect()
}

/// The same of a random chain (see [`crate::random_chain`]).
pub fn chain_results(ir: &Ir, n: usize, m: usize, seed: u64) -> Vec<String> {
    let inputs = [
        ints(&[n], 1),
        ints(&[n], 2),
        ints(&[m], 3),
        ints(&[n, m], 4),
        Datum::Int(seed as i64 % 7),
    ];
    results(ir, &inputs, &format!("seed {seed}"))
}

/// Seeds of random programs: `usual` many, or what `SEGRA_SEEDS` says.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let count = std::env::var("SEGRA_SEEDS")
        .ok()
        .and_then(|text| text.parse().ok());
    0..count.unwrap_or(usual)
}

/// Ten programs of 500 maps in a row and one of 5,000 take a pass about as long: what is quadratic takes ten times as
/// long.
///
/// # Panics
/// Where the long one takes four times as long.
pub fn assert_linear(pass: impl Fn(&mut Ir)) {
    let time = |programs: usize, count: usize| {
        let mut text =
            "func.func @main(%m0: !array.array<[n]i32>, %k: i32) -> !array.array<[n]i32> {\n"
                .to_owned();
        for at in 1..=count {
            let from = at - 1;
            text += &format!(
                "%m{at} = array.map (%x in %m{from} : [n]i32) {{\n%y = arith.addi %x, %k : i32\narray.yield %y : i32\n}}\n"
            );
        }
        text += &format!("func.return %m{count} : !array.array<[n]i32>\n}}");
        let mut read: Vec<Ir> = (0..programs).map(|_| parse(&text)).collect();
        let start = thread_time();
        read.iter_mut().for_each(&pass);
        thread_time() - start
    };
    let (few, many) = (time(10, 500), time(1, 5000));
    assert!(
        many < few * 4 + Duration::from_millis(20),
        "10 x 500 combinators {few:?}, 5000 {many:?}"
    );
}

/// Time this thread has run, which other programs on the machine do not lengthen; where the system does not tell, time.
fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|first| first.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
