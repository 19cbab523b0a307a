//! Random stencils as text, from a seed: the same on every machine.
//!
//! `@main` takes two arrays of one shape, of one to three dimensions, and a number of steps. Neighbourhoods, rules for what
//! is outside, element types, numbers of inputs and results are random; so is whether the stencil is the body of a loop that
//! carries what it returns. [`chain`] has several stencils that read what those before them return, [`steps`] a loop of stencils and maps.
//! Weights keep floats within their ranges.

use crate::draft::Choices;
use std::fmt::Write;

/// Rules for elements outside.
const RULES: [&str; 6] = [
    "clamp",
    "mirror",
    "symmetric",
    "wrap",
    "constant %c",
    "constant %c",
];

/// One input, whose far neighbours are so far at most: names of the body's arguments, and the text of it.
fn input(
    choices: &mut Choices,
    (array, ty): (&str, &str),
    (rank, far): (usize, usize),
    prefix: &str,
    rules: &[&str],
) -> (Vec<String>, String) {
    let count = 1 + choices.below(5);
    let mut offsets: Vec<Vec<i64>> = Vec::new();
    for _ in 0..count {
        let offset = (0..rank).map(|_| match choices.below(3) {
            0 => choices.below(2 * far + 1) as i64 - far as i64,
            _ => choices.below(3) as i64 - 1,
        });
        offsets.push(offset.collect());
    }
    let names: Vec<String> = (0..count).map(|at| format!("%{prefix}{at}")).collect();
    let lists: Vec<String> = offsets.iter().map(|offset| format!("{offset:?}")).collect();
    let rule = choices.pick(rules);
    let text = format!(
        "{} in {array} : {ty} at [{}] {rule}",
        names.join(", "),
        lists.join(", ")
    );
    (names, text)
}

/// The sums that a stencil yields: code of its body, and the values.
fn sums(
    choices: &mut Choices,
    element: &str,
    names: &[String],
    results: usize,
) -> (String, Vec<String>) {
    let (add, multiply) = match element {
        "i32" => ("arith.addi", "arith.muli"),
        _ => ("arith.addf", "arith.mulf"),
    };
    let (mut body, mut yielded) = (String::new(), Vec::new());
    for result in 0..results {
        let mut sum: Option<String> = None;
        for (at, name) in names.iter().enumerate() {
            let id = format!("{result}_{at}");
            let weight = number(element, choices.below(9));
            let _ = writeln!(body, "    %w{id} = arith.constant {weight} : {element}");
            let _ = writeln!(body, "    %p{id} = {multiply} {name}, %w{id} : {element}");
            sum = Some(match sum {
                None => format!("%p{id}"),
                Some(sum) => {
                    let _ = writeln!(body, "    %s{id} = {add} {sum}, %p{id} : {element}");
                    format!("%s{id}")
                }
            });
        }
        yielded.push(sum.unwrap_or_default());
    }
    (body, yielded)
}

fn number(element: &str, value: usize) -> String {
    match element {
        "i32" => format!("{value}"),
        _ => format!("0.0{}", value + 1),
    }
}

/// The rank of a program's arrays, the type of their elements, and theirs, by itself and as a value's.
fn arrays(choices: &mut Choices) -> (usize, &'static str, String, String) {
    let rank = 1 + choices.below(3);
    let element = *choices.pick(&["i32", "f32", "f64", "f32"]);
    let ty = ["[n]", "[n][m]", "[n][k][m]"][rank - 1].to_owned() + element;
    let array = format!("!array.array<{ty}>");
    (rank, element, ty, array)
}

/// The text of a program.
pub fn program(seed: u64) -> String {
    let mut choices = Choices::new(seed);
    let (rank, element, ty, array) = arrays(&mut choices);
    let (looped, both) = (choices.below(2) == 0, choices.below(2) == 0);
    let (first, second) = if looped { ("%u", "%v") } else { ("%a", "%b") };
    let (mut names, mut inputs) = input(&mut choices, (first, &ty), (rank, 3), "x", &RULES);
    if both {
        let (more, other) = input(&mut choices, (second, &ty), (rank, 3), "y", &RULES);
        names.extend(more);
        inputs = format!("{inputs}, {other}");
    }
    let results = 1 + choices.below(2);
    let (body, yielded) = sums(&mut choices, element, &names, results);
    let types = vec![element; results].join(", ");
    let made = ["%r0", "%r0, %r1"][results - 1];
    let stencil = format!(
        "{made} = array.stencil ({inputs}) {{\n{body}    array.yield {} : {types}\n  }}",
        yielded.join(", ")
    );
    let value = number(element, 4);
    let head = format!(
        "func.func @main(%a: {array}, %b: {array}, %steps: index) -> ({array}, {array}) {{\n  \
         %c = arith.constant {value} : {element}"
    );
    if !looped {
        let last = ["%r0", "%r1"][results - 1];
        return format!("{head}\n  {stencil}\n  func.return %r0, {last} : {array}, {array}\n}}\n");
    }
    // The second array is returned beside the first, or is what the first was before.
    let next = if results == 2 { "%r1" } else { "%u" };
    format!(
        "{head}\n  %from = arith.constant 0 : index\n  %by = arith.constant 1 : index\n  \
         %l:2 = scf.for %t = %from to %steps step %by iter_args(%u = %a, %v = %b) -> ({array}, {array}) {{\n  {stencil}\n  \
         scf.yield %r0, {next} : {array}, {array}\n  }}\n  func.return %l#0, %l#1 : {array}, {array}\n}}\n"
    )
}

/// The text of a program of two to four stencils, each of which reads the result of the one before it or of any other array there is; what is
/// returned is the last one's result and that of any.
pub fn chain(seed: u64) -> String {
    let mut choices = Choices::new(seed);
    let (rank, element, ty, array) = arrays(&mut choices);
    let mut known = vec!["%a".to_owned(), "%b".to_owned()];
    // Near neighbours, and often one rule for all.
    let far = *choices.pick(&[1, 1, 1, 3]);
    let rule = choices.below(RULES.len());
    let rules = match choices.below(2) {
        0 => &RULES[..],
        _ => &RULES[rule..=rule],
    };
    let value = number(element, 4);
    let mut text = format!(
        "func.func @main(%a: {array}, %b: {array}, %steps: index) -> ({array}, {array}) {{\n  \
         %c = arith.constant {value} : {element}\n"
    );
    for stage in 0..2 + choices.below(3) {
        let first = known[if stage == 0 { 0 } else { known.len() - 1 }].clone();
        let (mut names, mut inputs) = input(&mut choices, (&first, &ty), (rank, far), "x", rules);
        if choices.below(3) == 0 {
            let second = choices.pick(&known).clone();
            let (more, other) = input(&mut choices, (&second, &ty), (rank, far), "y", rules);
            names.extend(more);
            inputs = format!("{inputs}, {other}");
        }
        let (body, yielded) = sums(&mut choices, element, &names, 1);
        let _ = writeln!(
            text,
            "  %r{stage} = array.stencil ({inputs}) {{\n{body}    array.yield {} : {element}\n  }}",
            yielded.join(", ")
        );
        known.push(format!("%r{stage}"));
    }
    let last = known[known.len() - 1].clone();
    let any = match choices.below(3) {
        0 => choices.pick(&known).clone(),
        _ => last.clone(),
    };
    let _ = writeln!(text, "  func.return {last}, {any} : {array}, {array}\n}}");
    text
}

/// The text of a program whose loop does two to four stencils and maps in each step, of what it carries and what those before return; it carries the
/// last one's result and that of any.
pub fn steps(seed: u64) -> String {
    let mut choices = Choices::new(seed);
    let (rank, element, ty, array) = arrays(&mut choices);
    let mut known = vec!["%u".to_owned(), "%v".to_owned()];
    let rule = choices.below(RULES.len());
    let rules = match choices.below(2) {
        0 => &RULES[..],
        _ => &RULES[rule..=rule],
    };
    let value = number(element, 4);
    let mut text = format!(
        "func.func @main(%a: {array}, %b: {array}, %steps: index) -> ({array}, {array}) {{\n  \
         %c = arith.constant {value} : {element}\n  \
         %from = arith.constant 0 : index\n  %by = arith.constant 1 : index\n  \
         %l:2 = scf.for %t = %from to %steps step %by iter_args(%u = %a, %v = %b) -> ({array}, {array}) {{\n"
    );
    for stage in 0..2 + choices.below(3) {
        let made = format!("%r{stage}");
        let mut read = vec![choices.pick(&known).clone()];
        if stage > 0 && choices.below(3) > 0 {
            read[0] = known[known.len() - 1].clone();
        }
        if choices.below(2) == 0 {
            read.push(choices.pick(&known).clone());
        }
        if choices.below(3) == 0 {
            text += &map(&mut choices, &made, &read, (rank, element, &ty));
        } else {
            let (mut names, mut inputs) = (Vec::new(), Vec::new());
            for (array, prefix) in read.iter().zip(["x", "y"]) {
                let (more, input) = input(&mut choices, (array, &ty), (rank, 1), prefix, rules);
                names.extend(more);
                inputs.push(input);
            }
            let (body, yielded) = sums(&mut choices, element, &names, 1);
            let inputs = inputs.join(", ");
            let yielded = yielded.join(", ");
            let _ = writeln!(
                text,
                "  {made} = array.stencil ({inputs}) {{\n{body}    array.yield {yielded} : {element}\n  }}"
            );
        }
        known.push(made);
    }
    let last = known[known.len() - 1].clone();
    let any = choices.pick(&known).clone();
    let _ = writeln!(
        text,
        "  scf.yield {last}, {any} : {array}, {array}\n  }}\n  func.return %l#0, %l#1 : {array}, {array}\n}}"
    );
    text
}

/// The text of a nest of maps over arrays.
fn map(
    choices: &mut Choices,
    made: &str,
    arrays: &[String],
    (rank, element, ty): (usize, &str, &str),
) -> String {
    let mut text = String::new();
    let mut arrays = arrays.to_vec();
    // The types of what each level has elements of.
    let mut types = vec![ty];
    for level in 0..rank {
        let ty = types[level];
        let names: Vec<String> = (0..arrays.len())
            .map(|at| format!("%e{level}_{at}"))
            .collect();
        let pairs = names.iter().zip(&arrays);
        let inputs: Vec<String> = pairs
            .map(|(name, array)| format!("{name} in {array} : {ty}"))
            .collect();
        let result = match level {
            0 => made.to_owned(),
            _ => format!("%row{level}"),
        };
        let _ = writeln!(text, "  {result} = array.map ({}) {{", inputs.join(", "));
        arrays = names;
        types.push(ty.split_once(']').map_or(ty, |(_, inner)| inner));
    }
    let (body, yielded) = sums(choices, element, &arrays, 1);
    let _ = writeln!(
        text,
        "{body}    array.yield {} : {element}\n  }}",
        yielded.join(", ")
    );
    for level in (1..rank).rev() {
        let _ = writeln!(text, "    array.yield %row{level} : {}\n  }}", types[level]);
    }
    text
}
