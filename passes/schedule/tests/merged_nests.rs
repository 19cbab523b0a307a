//! `fuse-traversals` with a number of a combination: nests over vectors, and those over matrices that combine no columns, are
//! one nest where the combination says so, and keep what they return.

mod support;

use segra_interp::{Datum, Elem};
use segra_random::SplitMix64;
use segra_schedule::FuseTraversals;
use segra_schedule::traverse::{Exploration, Figures, Scope, Sizes, explore};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use support::{apply_to_function, function, keeps, numbers, parse};

fn with(combination: usize) -> FuseTraversals {
    FuseTraversals {
        combination,
        ..FuseTraversals::default()
    }
}

fn explored(program: &str) -> Exploration {
    let mut ir = parse(program);
    let sizes = Sizes {
        named: BTreeMap::new(),
        other: 4096,
    };
    let figures = Figures::named("H100").expect("is stored");
    let at = function(&ir);
    let mut found = explore(&mut ir, at, Scope::All, (&sizes, figures));
    assert_eq!(found.len(), 1, "there is one block of nests");
    found.remove(0)
}

/// The nests of each kernel of a combination, from 0 on.
fn nests(space: &Exploration, combination: usize) -> Vec<Vec<usize>> {
    let found = space.combinations().nth(combination).expect("is there");
    let kernels = found.kernels.iter();
    kernels
        .map(|&kernel| space.kernels[kernel].nests())
        .collect()
}

/// How one nest is written: its extents, its indices, and the type of what has an element for each of its points.
struct Over {
    space: &'static str,
    at: &'static str,
    all: &'static str,
    combined: &'static str,
}

const VECTOR: Over = Over {
    space: "%i < %n",
    at: "%i",
    all: "tensor<?xi32>",
    combined: "i32",
};
const MATRIX: Over = Over {
    space: "%i < %n, %j < %n",
    at: "%i, %j",
    all: "tensor<?x?xi32>",
    combined: "tensor<?xi32>",
};

/// An operation at a point on the elements of two arrays.
fn point(over: &Over, x: &str, y: &str, op: &str) -> String {
    format!(
        "%x = tensor.extract {x}[{at}] : {all}
         %y = tensor.extract {y}[{at}] : {all}
         %e = arith.{op} %x, %y : i32",
        at = over.at,
        all = over.all
    )
}

fn map(over: &Over, name: &str, point: &str) -> String {
    format!(
        "{name} = kernel.segmap thread ({}) -> ({}) {{\n{point}\nkernel.return %e : i32\n}}\n",
        over.space, over.all
    )
}

/// A sum, or where `kept` the composition of affine functions, which does not commute, with the elements beside.
fn reduction(over: &Over, name: &str, point: &str, kept: bool) -> String {
    match kept {
        false => format!(
            "{name} = kernel.segred thread ({}) init (%nil : i32) -> ({}) {{\n{point}\nkernel.return %e : i32\n}} \
             combine (%s, %t) {{\n%u = arith.addi %s, %t : i32\nkernel.return %u : i32\n}}\n",
            over.space, over.combined
        ),
        true => format!(
            "{name}, {name}b, {name}c = kernel.segred thread ({}) init (%one, %nil : i32, i32) -> ({}, {}, {}) {{
               {point}
               %odd = arith.ori %e, %one : i32
               kernel.return %odd, %x, %e : i32, i32, i32
             }} combine (%a, %b, %c, %d) {{
               %p = arith.muli %a, %c : i32
               %q = arith.muli %b, %c : i32
               %r = arith.addi %q, %d : i32
               kernel.return %p, %r : i32, i32
             }}\n",
            over.space, over.combined, over.combined, over.all
        ),
    }
}

fn program(over: &Over, body: &str, results: &[(String, &str)]) -> String {
    let names: Vec<&str> = results.iter().map(|row| row.0.as_str()).collect();
    let types: Vec<&str> = results.iter().map(|row| row.1).collect();
    let (names, types, all) = (names.join(", "), types.join(", "), over.all);
    format!(
        "func.func @main(%v0: {all}, %v1: {all}, %v2: {all}) -> ({types}) {{
           %nil = arith.constant 0 : i32
           %one = arith.constant 1 : i32
           %c0 = arith.constant 0 : index
           %n = tensor.dim %v0, %c0 : {all}
           {body}
           func.return {names} : {types}
         }}"
    )
}

/// A sequence at random: maps, sums and kept compositions over arrays that are given or made before.
fn sequence(over: &Over, seed: u64) -> String {
    let mut stream = SplitMix64::new(seed);
    let mut below = |count: usize| stream.below(count as u64) as usize;
    let mut arrays: Vec<String> = (0..3).map(|number| format!("%v{number}")).collect();
    let (mut body, mut results) = (String::new(), Vec::new());
    for number in 0..3 + below(3) {
        let [x, y] = [below(arrays.len()), below(arrays.len())].map(|at| arrays[at].clone());
        let op = ["addi", "subi", "muli"][below(3)];
        let point = point(over, &x, &y, op);
        let name = format!("%r{number}");
        match below(4) {
            0 => body += &reduction(over, &name, &point, false),
            1 => {
                body += &reduction(over, &name, &point, true);
                results.push((format!("{name}b"), over.combined));
                arrays.push(format!("{name}c"));
            }
            kind => {
                body += &map(over, &name, &point);
                arrays.push(name.clone());
                if kind == 2 {
                    results.push((name, over.all));
                }
                continue;
            }
        }
        results.push((name, over.combined));
    }
    let _ = writeln!(body);
    if let Some(last) = arrays.last().filter(|name| name.starts_with("%r")) {
        results.push((last.clone(), over.all));
    }
    match results.is_empty() {
        true => sequence(over, seed + 1),
        false => program(over, &body, &results),
    }
}

#[test]
fn every_combination_keeps_what_it_returns() {
    let (mut fused, mut chosen) = (0, 0);
    for (over, rank) in [(&VECTOR, 1), (&MATRIX, 2)] {
        for seed in 0..40 {
            let program = sequence(over, seed);
            let space = explored(&program);
            let combinations: Vec<usize> = (0..space.combinations().count()).collect();
            let extents = [0, 1, 2, 7, 31, 67];
            // The first one, the last one, and one between.
            for at in [0, combinations.len() / 2, combinations.len() - 1] {
                let extent = extents[(seed as usize + at) % extents.len()];
                let array = |seed| numbers(Elem::I32, &vec![extent; rank], seed);
                let inputs: Vec<Datum> = vec![array(1), array(2), array(3)];
                let pass = with(at + 1);
                let after = keeps(&program, &[inputs], |ir| apply_to_function(&pass, ir));
                let several = nests(&space, at).iter().any(|kernel| kernel.len() > 1);
                fused += usize::from(several);
                chosen += usize::from(several && after.contains("scf.if"));
            }
        }
    }
    assert!(fused > 60, "{fused} combinations have one nest for several");
    assert_eq!(fused, chosen, "what is listed is made");
}

/// z = v0 - v1, the sum of z v2: an array that the sum reads and the caller gets.
fn difference_and_sum(over: &Over, kept: bool) -> String {
    let body = map(over, "%z", &point(over, "%v0", "%v1", "subi"))
        + &reduction(over, "%r", &point(over, "%z", "%v2", "muli"), false);
    let sum = ("%r".to_owned(), over.combined);
    match kept {
        true => program(over, &body, &[("%z".to_owned(), over.all), sum]),
        false => program(over, &body, &[sum]),
    }
}

#[test]
fn the_element_at_hand_is_not_read_again_and_stored_only_for_others() {
    for over in [&VECTOR, &MATRIX] {
        for kept in [true, false] {
            let program = difference_and_sum(over, kept);
            let space = explored(&program);
            assert_eq!((space.nests.len(), space.combinations().count()), (2, 2));
            assert_eq!(nests(&space, 0), [vec![0, 1]]);
            let mut ir = parse(&program);
            apply_to_function(&with(1), &mut ir);
            let text = support::text(&ir);
            let made = text.split("} else {").next().expect("is there");
            let (_, made) = made.split_once("scf.if").expect("there is a choice");
            assert!(!made.contains("segmap"), "one nest is left:\n{made}");
            assert_eq!(
                made.matches("tensor.extract").count(),
                3,
                "each array once:\n{made}"
            );
            assert_eq!(
                made.contains(&format!("({}, {})", over.combined, over.all)),
                kept,
                "{made}"
            );
        }
    }
}

#[test]
fn bytes_are_those_of_each_array_once() {
    let space = explored(&difference_and_sum(&VECTOR, true));
    let bytes: Vec<f64> = space.combinations().map(|one| one.bytes).collect();
    // Three arrays read and one written, or that one read again; and the sum.
    assert_eq!(
        bytes,
        [4.0 * (4.0 * 4096.0 + 1.0), 4.0 * (5.0 * 4096.0 + 1.0)]
    );
    let times: Vec<f64> = space.combinations().map(|one| one.time).collect();
    assert!(
        times[0] < times[1],
        "a launch and a transfer less: {times:?}"
    );
}

#[test]
fn what_needs_a_sum_is_no_part_of_its_nest() {
    let body = reduction(&VECTOR, "%r", &point(&VECTOR, "%v0", "%v1", "muli"), false)
        + &map(
            &VECTOR,
            "%z",
            "%x = tensor.extract %v0[%i] : tensor<?xi32>
             %e = arith.addi %x, %r : i32",
        );
    let program = program(&VECTOR, &body, &[("%z".to_owned(), VECTOR.all)]);
    let space = explored(&program);
    assert_eq!((space.fusions, space.combinations().count()), (0, 1));
}

#[test]
fn nests_that_share_nothing_and_nests_of_other_points_stay_apart() {
    let sum = |name: &str, array: &str| {
        let point = format!("%e = tensor.extract {array}[%i] : tensor<?xi32>");
        reduction(&VECTOR, name, &point, false)
    };
    let results = ["%r", "%s"].map(|name| (name.to_owned(), "i32"));
    let apart = sum("%r", "%v0") + &sum("%s", "%v1");
    assert_eq!(explored(&program(&VECTOR, &apart, &results)).fusions, 0);
    let shared = sum("%r", "%v0") + &sum("%s", "%v0");
    assert_eq!(explored(&program(&VECTOR, &shared, &results)).fusions, 1);
    let backwards = sum("%r", "%v0")
        + "%last = arith.subi %n, %c1 : index\n"
        + &reduction(
            &VECTOR,
            "%s",
            "%at = arith.subi %last, %i : index\n%e = tensor.extract %v0[%at] : tensor<?xi32>",
            false,
        );
    let backwards = format!("%c1 = arith.constant 1 : index\n{backwards}");
    assert_eq!(explored(&program(&VECTOR, &backwards, &results)).fusions, 0);
}

#[test]
fn a_nest_has_a_bounded_number_of_accumulators() {
    let sums = |count: usize| {
        let mut body = String::new();
        for number in 0..count {
            let point = point(&VECTOR, "%v0", "%v1", ["addi", "muli"][number % 2]);
            body += &reduction(&VECTOR, &format!("%r{number}"), &point, false);
        }
        let results: Vec<(String, &str)> = (0..count)
            .map(|number| (format!("%r{number}"), "i32"))
            .collect();
        explored(&program(&VECTOR, &body, &results))
    };
    let largest = |space: &Exploration| {
        let sizes = space.kernels.iter().map(|kernel| kernel.nests().len());
        sizes.max().unwrap_or(0)
    };
    // Of 32 bits each.
    assert_eq!(largest(&sums(16)), 16);
    assert_eq!(largest(&sums(17)), 16);
    // However many ways there are, one is found.
    for count in [17, 40] {
        let space = sums(count);
        let kernels = space.combinations().next().map(|one| one.kernels.len());
        assert_eq!(kernels, Some(count.div_ceil(16)), "{count} sums");
    }
}

#[test]
fn without_a_number_vectors_are_left_to_the_fusion_of_arrays() {
    let program = difference_and_sum(&VECTOR, true);
    let mut ir = parse(&program);
    apply_to_function(&with(0), &mut ir);
    assert!(!support::text(&ir).contains("scf.if"));
}
