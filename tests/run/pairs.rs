//! Every pair of combinators, one inside the other and one after the other in a map: 49 programs each, compiled with all
//! versions, run in each on the simulator and compared with the interpreter.
//!
//! | inside | map reduce scan redomap scanomap scatter hist |
//! |---|---|
//! | of map, redomap, scanomap, scatter, hist | in what is done with each row: the row's key |
//! | of reduce, scan | in an operator on rows: the row with the larger key |
//!
//! A row's key is what the inner combinator makes of it, and the largest element of that where it is an array. One after
//! the other: the second reads what the first makes, or uses the number the first reduces to. Elements are integers of
//! four types in turn; the programs beside this file have all others. Filters stand at the top level only: see
//! `programs/`.

use crate::versions::{Shape, Subject};
use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::{DeviceChoice, Program};

/// The combinators, as ops.
const COMBINATORS: &[&str] = &[
    "map", "reduce", "scan", "redomap", "scanomap", "scatter", "hist",
];

/// Element types with the number that is below all others.
const ELEMENTS: &[(&str, &str)] = &[
    ("i32", "-2147483648"),
    ("i64", "-9223372036854775808"),
    ("i16", "-32768"),
    ("i8", "-128"),
];

/// Extents of the outer and the inner dimension.
const SHAPES: &[Shape] = &[
    [5, 7, 0],
    [33, 2, 0],
    [2, 70, 0],
    [1, 1, 0],
    [0, 3, 0],
    [3, 0, 0],
];

/// `combinator` over `array : [m]T`, as statements that define `%NAME`; whether that is an array.
fn over(combinator: &str, name: &str, array: &str, number: &str) -> (String, bool) {
    let head = format!("(%{name}x in {array} : [m]T)");
    let with_index = format!("(%{name}x in {array} : [m]T, %{name}i in %places : [m]index)");
    let max =
        format!("%{name}m = arith.maxsi %{name}a, %{name}b : T\narray.yield %{name}m : T\n}}");
    let halved = format!(
        "%{name}h = arith.shrsi %{name}x, %one : T\n%{name}o = arith.maxsi %{name}h, {number} : T\narray.yield %{name}o : T\n}}"
    );
    let plain = format!("({array} : [m]T) init (%low : T) combine (%{name}a, %{name}b) {{\n{max}");
    let mapped =
        format!("{head} init (%low : T) map {{\n{halved} combine (%{name}a, %{name}b) {{\n{max}");
    match combinator {
        "map" => (format!("%{name} = array.map {head} {{\n{halved}"), true),
        "reduce" => (format!("%{name} = array.reduce {plain}"), false),
        "scan" => (format!("%{name} = array.scan {plain}"), true),
        "redomap" => (format!("%{name} = array.redomap {mapped}"), false),
        "scanomap" => (format!("%{name} = array.scanomap exclusive {mapped}"), true),
        "scatter" => (
            format!(
                "%{name} = array.scatter {with_index} into ({array} : [m]T) {{\n%{name}t = arith.subi %m, %{name}i : index\n\
                 %{name}o = arith.maxsi %{name}x, {number} : T\narray.yield %{name}t, %{name}o : index, T\n}}"
            ),
            true,
        ),
        _ => (
            format!(
                "%{name} = array.hist {with_index} into (%lows : [m]T) neutral (%low : T) map {{\n\
                 %{name}t = arith.shrui %{name}i, %c1 : index\n%{name}o = arith.maxsi %{name}x, {number} : T\n\
                 array.yield %{name}t, %{name}o : index, T\n}} combine (%{name}a, %{name}b) {{\n{max}"
            ),
            true,
        ),
    }
}

/// The key of `array`, as statements that define `%NAMEkey`.
fn key(inner: &str, name: &str, array: &str) -> String {
    let (text, is_array) = over(inner, name, array, "%low");
    if !is_array {
        return format!("{text}\n%{name}key = arith.maxsi %{name}, %low : T\n");
    }
    let (largest, _) = over("reduce", &format!("{name}r"), &format!("%{name}"), "%low");
    format!("{text}\n{largest}\n%{name}key = arith.maxsi %{name}r, %low : T\n")
}

/// `inner` inside `outer`, and the type of the result.
fn inside(outer: &str, inner: &str) -> (String, &'static str) {
    let one = key(inner, "k", "%row");
    let sum = "%d = arith.addi %b, %c : T\narray.yield %d : T\n}";
    let rows = "(%row in %xss : [n][m]T, %at in %outer : [n]index)";
    let mapped = format!(
        "(%row in %xss : [n][m]T) init (%zero : T) map {{\n{one}array.yield %kkey : T\n}} combine (%b, %c) {{\n{sum}"
    );
    let two = format!("{}{}", key(inner, "k", "%row"), key(inner, "l", "%best"));
    let operator = format!(
        "(%xss : [n][m]T) init (%lows : [m]T) neutral (%lows : [m]T) combine (%best, %row) {{\n{two}%more = arith.cmpi sgt, %lkey, %kkey : T\n\
         %d = scf.if %more -> (!array.array<[m]T>) {{\nscf.yield %best : !array.array<[m]T>\n}} else {{\n\
         scf.yield %row : !array.array<[m]T>\n}}\narray.yield %d : [m]T\n}}"
    );
    match outer {
        "map" => (
            format!("%r = array.map (%row in %xss : [n][m]T) {{\n{one}array.yield %kkey : T\n}}"),
            "!array.array<[n]T>",
        ),
        "reduce" => (
            format!("%r = array.reduce {operator}"),
            "!array.array<[m]T>",
        ),
        "scan" => (
            format!("%r = array.scan {operator}"),
            "!array.array<[n][m]T>",
        ),
        "redomap" => (format!("%r = array.redomap {mapped}"), "T"),
        "scanomap" => (
            format!("%r = array.scanomap {mapped}"),
            "!array.array<[n]T>",
        ),
        "scatter" => (
            format!(
                "%r = array.scatter {rows} into (%xs : [n]T) {{\n{one}%to = arith.subi %n, %at : index\n\
                 array.yield %to, %kkey : index, T\n}}"
            ),
            "!array.array<[n]T>",
        ),
        _ => (
            format!(
                "%r = array.hist {rows} into (%xs : [n]T) neutral (%zero : T) map {{\n{one}%to = arith.shrui %at, %c1 : index\n\
                 array.yield %to, %kkey : index, T\n}} combine (%b, %c) {{\n{sum}"
            ),
            "!array.array<[n]T>",
        ),
    }
}

/// `second` after `first`, in a map over rows.
fn after(first: &str, second: &str) -> (String, &'static str) {
    let (one, first_is_array) = over(first, "p", "%row", "%low");
    let (array, number) = if first_is_array {
        ("%p", "%low")
    } else {
        ("%row", "%p")
    };
    let (mut two, is_array) = over(second, "q", array, number);
    // An op without a body reads what a map makes with the number.
    if !first_is_array && matches!(second, "reduce" | "scan") {
        let map = "%w = array.map (%wx in %row : [m]T) {\n%wy = arith.maxsi %wx, %p : T\narray.yield %wy : T\n}";
        two = format!("{map}\n{}", two.replace("in %row", "in %w"));
    }
    let (row, ty) = if is_array {
        ("[m]T", "!array.array<[n][m]T>")
    } else {
        ("T", "!array.array<[n]T>")
    };
    (
        format!(
            "%r = array.map (%row in %xss : [n][m]T) {{\n{one}\n{two}\narray.yield %q : {row}\n}}"
        ),
        ty,
    )
}

/// A program around statements that make `%r`, elements being of type `T` so far.
fn program((body, result): (String, &str), element: usize) -> String {
    let (ty, low) = ELEMENTS[element % ELEMENTS.len()];
    let text = format!(
        "func.func @main(%xss: !array.array<[n][m]T>, %xs: !array.array<[n]T>) -> {result} {{
         %low = arith.constant {low} : T\n%zero = arith.constant 0 : T\n%one = arith.constant 1 : T
         %c1 = arith.constant 1 : index\n%n = array.dim %xss, 0 : [n][m]T\n%m = array.dim %xss, 1 : [n][m]T
         %places = array.iota %m : [m]index\n%outer = array.iota %n : [n]index
         %lows = array.replicate %low, [%m] : T -> [m]T\n{body}\nfunc.return %r : {result}\n}}\n"
    );
    // `T` is no part of a word of this text but as an element type.
    text.replace('T', ty)
}

/// How often an op is inside another.
fn nested(program: &Program, outer: &str, inner: &str) -> usize {
    let ir = program.ir();
    let is = |op, name: &str| ir.op_name_str(op).strip_prefix("array.") == Some(name);
    let inside = |&op: &segra::ir::Op| {
        is(op, inner) && ir.ancestors(op).skip(1).any(|around| is(around, outer))
    };
    ir.walk(ir.root()).into_iter().filter(inside).count()
}

/// Runs a program in every version, having looked that the combinators are in it as they should be.
fn check(text: &str, device: DeviceChoice, pairs: &[(&str, &str)]) -> Outcome {
    let program = Program::from_text("pair", text)
        .map_err(|failure| format!("{}\n{text}", rendered(&failure)))?;
    if let Some((outer, inner)) = pairs
        .iter()
        .find(|(outer, inner)| nested(&program, outer, inner) == 0)
    {
        return Err(format!("there is no {inner} inside a {outer} in\n{text}"));
    }
    let subject = Subject::new("pair", text, "2")?;
    let checked = subject.check_validated(device, SHAPES, Some([3, 2, 0]), |_, _| Ok(()));
    checked
        .map(drop)
        .map_err(|error| format!("{error}\n{text}"))
}

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let mut trials = Vec::new();
    for (row, &a) in COMBINATORS.iter().enumerate() {
        for (column, &b) in COMBINATORS.iter().enumerate() {
            let element = row + column;
            for &device in devices {
                let title = |what: String| crate::title(&format!("pair: {what}"), device);
                trials.push(Trial::test(title(format!("{b} inside {a}")), move || {
                    check(&program(inside(a, b), element), device, &[(a, b)]).map_err(Into::into)
                }));
                trials.push(Trial::test(
                    title(format!("{b} after {a}, in a map")),
                    move || {
                        check(
                            &program(after(a, b), element),
                            device,
                            &[("map", a), ("map", b)],
                        )
                        .map_err(Into::into)
                    },
                ));
            }
        }
    }
    trials
}
