//! Canonical forms of the array dialect: each by an example that computes the same before and after, at sizes 0, 1 and
//! primes, and by what is gone.

use super::{call, keeps_results, read, text};
use segra_interp::{ArrayValue, Datum};
use segra_pass::{PassManager, Pipeline};
use segra_text::printer::Form;

/// A canonical form: its name, statements that make `%r`, the type of that, what is counted and how many there are after.
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, usize)],
);

const FORMS: &[Row] = &[
    (
        "reshape of a reshape",
        "%a = array.reshape %xss, [%nm] : [n][m]i32 -> [?]i32\n%r = array.reshape %a, [%m, %n] : [?]i32 -> [m][n]i32",
        "[m][n]i32",
        &[("array.reshape", 1)],
    ),
    (
        "reshape to what it is",
        "%r = array.reshape %xss, [%n, %m] : [n][m]i32 -> [n][m]i32",
        "[n][m]i32",
        &[("array.reshape", 0)],
    ),
    (
        "reshape there and back",
        "%a = array.reshape %xss, [%nm] : [n][m]i32 -> [?]i32\n%r = array.reshape %a, [%n, %m] : [?]i32 -> [n][m]i32",
        "[n][m]i32",
        &[("array.reshape", 0)],
    ),
    (
        "rearrange of a rearrange",
        "%a = array.replicate %xss, [%n] : [n][m]i32 -> [n][n][m]i32\n%b = array.rearrange %a, [2, 0, 1] : [n][n][m]i32\n%r = array.rearrange %b, [0, 2, 1] : [m][n][n]i32",
        "[m][n][n]i32",
        &[("array.rearrange", 1)],
    ),
    (
        "rearrange there and back",
        "%a = array.rearrange %xss, [1, 0] : [n][m]i32\n%r = array.rearrange %a, [1, 0] : [m][n]i32",
        "[n][m]i32",
        &[("array.rearrange", 0)],
    ),
    (
        "replicate of a replicate",
        "%a = array.replicate %k, [%m] : i32 -> [m]i32\n%r = array.replicate %a, [%n] : [m]i32 -> [n][m]i32",
        "[n][m]i32",
        &[("array.replicate", 1)],
    ),
    (
        "reverse of a reverse",
        "%a = array.reverse %xss, 1 : [n][m]i32\n%r = array.reverse %a, 1 : [n][m]i32",
        "[n][m]i32",
        &[("array.reverse", 0)],
    ),
    (
        "reverses of two dimensions stay",
        "%a = array.reverse %xss, 0 : [n][m]i32\n%r = array.reverse %a, 1 : [n][m]i32",
        "[n][m]i32",
        &[("array.reverse", 2)],
    ),
    (
        "reverse of equal elements",
        "%a = array.replicate %k, [%n] : i32 -> [n]i32\n%r = array.reverse %a, 0 : [n]i32",
        "[n]i32",
        &[("array.reverse", 0)],
    ),
    (
        "reverse of one element",
        "%a = array.replicate %k, [%c1] : i32 -> [1]i32\n%b = array.reverse %a, 0 : [1]i32\n%r = array.index %b[%c0] : [1]i32",
        "i32",
        &[("array.reverse", 0)],
    ),
    (
        "slice of everything",
        "%r = array.slice %xs[%c0] sizes [%n] strides [%c1] : [n]i32 -> [n]i32",
        "[n]i32",
        &[("array.slice", 0)],
    ),
    (
        "slice of a slice, from its start",
        "%h = arith.divui %n, %c2 : index\n%a = array.slice %xs[%c0] sizes [%h] strides [%c2] : [n]i32 -> [?]i32\n%r = array.slice %a[%c0] sizes [%h] strides [%c1] : [?]i32 -> [?]i32",
        "[?]i32",
        &[("array.slice", 1)],
    ),
    (
        "slice of a slice, of constants",
        "%t = array.replicate %xs, [%c9] : [n]i32 -> [9][n]i32\n%a = array.slice %t[%c1, %c0] sizes [%c4, %n] strides [%c2, %c1] : [9][n]i32 -> [4][n]i32\n%r = array.slice %a[%c1, %c0] sizes [%c2, %n] strides [%c2, %c1] : [4][n]i32 -> [2][n]i32",
        "[2][n]i32",
        &[("array.slice", 1)],
    ),
    (
        "slice of a slice that may leave it stays",
        "%a = array.slice %xs[%c0] sizes [%n] strides [%c1] : [n]i32 -> [?]i32\n%h = arith.divui %n, %c2 : index\n%r = array.slice %a[%c0] sizes [%h] strides [%c1] : [?]i32 -> [?]i32",
        "[?]i32",
        &[("array.slice", 2)],
    ),
    (
        "concat of a concat",
        "%a = array.concat %xs, %ys : [n]i32, [n]i32 -> [?]i32\n%r = array.concat %a, %xs : [?]i32, [n]i32 -> [?]i32",
        "[?]i32",
        &[("array.concat", 1)],
    ),
    (
        "concat with nothing",
        "%e = array.replicate %k, [%c0] : i32 -> [0]i32\n%r = array.concat %e, %xs, %ys : [0]i32, [n]i32, [n]i32 -> [?]i32",
        "[?]i32",
        &[("array.replicate", 0)],
    ),
    (
        "concat of neighbouring slices",
        "%t = array.replicate %xs, [%c9] : [n]i32 -> [9][n]i32\n%a = array.slice %t[%c1, %c0] sizes [%c2, %n] strides [%c1, %c1] : [9][n]i32 -> [2][n]i32\n%b = array.slice %t[%c3, %c0] sizes [%c4, %n] strides [%c1, %c1] : [9][n]i32 -> [4][n]i32\n%r = array.concat %a, %b : [2][n]i32, [4][n]i32 -> [6][n]i32",
        "[6][n]i32",
        &[("array.concat", 0), ("array.slice", 1)],
    ),
    (
        "concat of two halves",
        "%h = arith.divui %n, %c2 : index\n%l = arith.subi %n, %h : index\n%a = array.slice %xs[%c0] sizes [%h] strides [%c1] : [n]i32 -> [?]i32\n%b = array.slice %xs[%h] sizes [%l] strides [%c1] : [n]i32 -> [?]i32\n%r = array.concat %a, %b : [?]i32, [?]i32 -> [?]i32",
        "[?]i32",
        &[("array.concat", 0), ("array.slice", 1)],
    ),
    (
        "concat of slices that are none stays",
        "%t = array.replicate %xs, [%c9] : [n]i32 -> [9][n]i32\n%a = array.slice %t[%c1, %c0] sizes [%c2, %n] strides [%c1, %c1] : [9][n]i32 -> [2][n]i32\n%b = array.slice %t[%c4, %c0] sizes [%c4, %n] strides [%c1, %c1] : [9][n]i32 -> [4][n]i32\n%r = array.concat %a, %b : [2][n]i32, [4][n]i32 -> [6][n]i32",
        "[6][n]i32",
        &[("array.concat", 1)],
    ),
    (
        "pad by nothing",
        "%a = array.pad %xs, %k low [%c0] high [%c0] : [n]i32 -> [?]i32\n%r = array.map (%x in %a : [?]i32) {\n%y = arith.addi %x, %k : i32\narray.yield %y : i32\n}",
        "[?]i32",
        &[("array.pad", 0)],
    ),
    (
        "pad of a pad",
        "%a = array.pad %xs, %k low [%c1] high [%c0] : [n]i32 -> [?]i32\n%r = array.pad %a, %k low [%c2] high [%c3] : [?]i32 -> [?]i32",
        "[?]i32",
        &[("array.pad", 1)],
    ),
    (
        "pads with two values stay",
        "%a = array.pad %xs, %k low [%c1] high [%c0] : [n]i32 -> [?]i32\n%r = array.pad %a, %zero low [%c2] high [%c3] : [?]i32 -> [?]i32",
        "[?]i32",
        &[("array.pad", 2)],
    ),
    (
        "gather in order",
        "%is = array.iota %n : [n]index\n%r = array.gather %xs[%is] : [n]i32, [n]index",
        "[n]i32",
        &[("array.gather", 0)],
    ),
    (
        "gather of a gather",
        "%is = array.iota %n : [n]index\n%js = array.reverse %is, 0 : [n]index\n%a = array.gather %xss[%js] : [n][m]i32, [n]index\n%ks = array.map (%j in %js : [n]index) {\n%h = arith.divui %j, %c2 : index\narray.yield %h : index\n}\n%r = array.gather %a[%ks] : [n][m]i32, [n]index",
        "[n][m]i32",
        &[(": [n][m]i32, [n]index", 1)],
    ),
    (
        "update of an update",
        "%b = array.replicate %k, [%c4] : i32 -> [4]i32\n%p = array.update %zero, %b[%c1] : i32, [4]i32\n%r = array.update %k, %p[%c1] : i32, [4]i32",
        "[4]i32",
        &[("array.update", 1)],
    ),
    (
        "update with what is there",
        "%p = array.index %t4[%c1] : [4]i32\n%r = array.update %p, %t4[%c1] : i32, [4]i32",
        "[4]i32",
        &[("array.update", 0)],
    ),
    (
        "index of an update",
        "%p = array.update %zero, %t4[%c1] : i32, [4]i32\n%r = array.index %p[%c1] : [4]i32",
        "i32",
        &[("array.update", 0), ("array.index", 0)],
    ),
    (
        "index beside an update",
        "%p = array.update %k, %t4[%c1] : i32, [4]i32\n%r = array.index %p[%c2] : [4]i32",
        "i32",
        &[("array.update", 0), ("array.index", 1)],
    ),
    (
        "index of an index",
        "%t = array.replicate %t4, [%c4] : [4]i32 -> [4][4]i32\n%row = array.index %t[%c1] : [4][4]i32\n%r = array.index %row[%c2] : [4]i32",
        "i32",
        &[("array.index", 1)],
    ),
    (
        "index of a rearrange",
        "%is = array.iota %n : [n]index\n%r = array.map (%i in %is : [n]index) {\n%t = array.rearrange %xss, [1, 0] : [n][m]i32\n%js = array.iota %m : [m]index\n%row = array.map (%j in %js : [m]index) {\n%e = array.index %t[%j, %i] : [m][n]i32\narray.yield %e : i32\n}\narray.yield %row : !array.array<[m]i32>\n}",
        "[n][m]i32",
        &[("array.rearrange", 0)],
    ),
    (
        "index of a reverse",
        "%is = array.iota %n : [n]index\n%r = array.map (%i in %is : [n]index) {\n%t = array.reverse %xs, 0 : [n]i32\n%e = array.index %t[%i] : [n]i32\narray.yield %e : i32\n}",
        "[n]i32",
        &[("array.reverse", 0)],
    ),
    (
        "index of a gather",
        "%is = array.iota %n : [n]index\n%js = array.reverse %is, 0 : [n]index\n%t = array.gather %xss[%js] : [n][m]i32, [n]index\n%ks = array.iota %m : [m]index\n%r = array.map (%i in %is : [n]index) {\n%one = arith.subi %m, %c1 : index\n%s = array.map (%k0 in %ks : [m]index) {\n%e = array.index %t[%i, %one] : [n][m]i32\narray.yield %e : i32\n}\narray.yield %s : !array.array<[m]i32>\n}",
        "[n][m]i32",
        &[("array.gather", 0)],
    ),
    (
        "map that forwards",
        "%r, %s = array.map (%x in %xs : [n]i32) {\n%y = arith.addi %x, %k : i32\narray.yield %x, %y : i32, i32\n}",
        "[n]i32",
        &[("array.map", 0)],
    ),
    (
        "redomap that only forwards",
        "%r = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {\narray.yield %x : i32\n} combine (%a, %b) {\n%c = arith.addi %a, %b : i32\narray.yield %c : i32\n}",
        "i32",
        &[("array.redomap", 0), ("array.reduce", 1)],
    ),
    (
        "scanomap that only forwards",
        "%r = array.scanomap exclusive (%x in %xs : [n]i32) init (%zero : i32) map {\narray.yield %x : i32\n} combine (%a, %b) {\n%c = arith.addi %a, %b : i32\narray.yield %c : i32\n}",
        "[n]i32",
        &[("array.scanomap", 0), ("array.scan exclusive", 1)],
    ),
    (
        "filter that keeps all",
        "%yes = arith.constant true\n%a = array.filter (%x in %xs : [n]i32) -> [?] {\narray.yield %yes : i1\n}\n%r = array.reverse %a, 0 : [?]i32",
        "[?]i32",
        &[("array.filter", 0)],
    ),
    (
        "filter of a filter",
        "%a = array.filter (%x in %xs : [n]i32) -> [?] {\n%p = arith.cmpi slt, %x, %k : i32\narray.yield %p : i1\n}\n%b = array.filter (%x in %a : [?]i32) -> [k2] {\n%p = arith.cmpi sgt, %x, %zero : i32\narray.yield %p : i1\n}\n%r = array.reverse %b, 0 : [k2]i32",
        "[k2]i32",
        &[("array.filter", 1)],
    ),
    (
        "branches that give one array",
        "%p = arith.cmpi slt, %k, %zero : i32\n%r = scf.if %p -> (!array.array<[n]i32>) {\nscf.yield %xs : !array.array<[n]i32>\n} else {\nscf.yield %xs : !array.array<[n]i32>\n}",
        "[n]i32",
        &[("scf.if", 0)],
    ),
    (
        "loop that never runs",
        "%r = scf.for %i = %c1 to %c0 step %c1 iter_args(%a = %xs) -> (!array.array<[n]i32>) {\n%b = array.reverse %a, 0 : [n]i32\nscf.yield %b : !array.array<[n]i32>\n}",
        "[n]i32",
        &[("scf.for", 0)],
    ),
    (
        "loop that runs once",
        "%r = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %xs) -> (!array.array<[n]i32>) {\n%b = array.reverse %a, 0 : [n]i32\nscf.yield %b : !array.array<[n]i32>\n}",
        "[n]i32",
        &[("scf.for", 0), ("array.reverse", 1)],
    ),
];

fn program(statements: &str, result: &str) -> String {
    let ty = if result.starts_with('[') {
        // A size known only by running has no name outside.
        format!("!array.array<{}>", result.replace("[k2]", "[?]"))
    } else {
        result.to_owned()
    };
    let (last, cast) = if result.starts_with("[k2]") {
        ("%out", "%out = array.cast %r : [k2]i32 -> [?]i32\n")
    } else {
        ("%r", "")
    };
    let numbers: String = [0, 1, 2, 3, 4, 9]
        .map(|at| format!("%c{at} = arith.constant {at} : index\n"))
        .concat();
    format!(
        "func.func @main(%xs: !array.array<[n]i32>, %ys: !array.array<[n]i32>, %xss: !array.array<[n][m]i32>, \
         %t4: !array.array<[4]i32>, %k: i32) -> {ty} {{\n{numbers}%zero = arith.constant 0 : i32\n\
         %n = array.dim %xss, 0 : [n][m]i32\n%m = array.dim %xss, 1 : [n][m]i32\n%nm = arith.muli %n, %m : index\n\
         {statements}\n{cast}func.return {last} : {ty}\n}}"
    )
}

fn array(shape: &[usize], first: i32) -> Datum {
    let count: usize = shape.iter().product();
    let values: Vec<i32> = (0..count as i32)
        .map(|at| (at * 7 + first * 5) % 11 - 4)
        .collect();
    Datum::array(
        ArrayValue::i32s(&values)
            .reshaped(shape.to_vec())
            .expect("as many as the shape says"),
    )
}

#[test]
fn canonical_forms_of_arrays_compute_the_same_and_have_less() {
    let registry = segra_pipeline::registry();
    // All rows are looked at, so that one broken form does not hide another.
    let mut wrong = Vec::new();
    for (index, (name, statements, result, wanted)) in FORMS.iter().enumerate() {
        let source = program(statements, result);
        let mut after = read(index as u64, &source);
        let pipeline =
            Pipeline::parse("builtin.module(canonicalize)", &registry).expect("it is right");
        let mut diags = segra_ir::Diagnostics::new();
        assert!(
            PassManager::new(&pipeline)
                .run(&mut after, &mut diags)
                .is_ok(),
            "{name}"
        );
        let after = text(&after, Form::Custom);
        let counts = wanted.iter().map(|(what, _)| after.matches(what).count());
        if !wanted.iter().map(|row| row.1).eq(counts) {
            wrong.push(format!("{name}: not {wanted:?} in\n{after}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        FORMS.len(),
        wrong.join("\n")
    );
    for (index, (name, statements, result, _)) in FORMS.iter().enumerate() {
        let source = program(statements, result);
        keeps_results(index as u64, &source, &["canonicalize"], &|ir| {
            let run = |[n, m]: [usize; 2]| {
                let arguments = [
                    array(&[n], 1),
                    array(&[n], 2),
                    array(&[n, m], 3),
                    array(&[4], 4),
                    Datum::Int(3),
                ];
                (
                    format!("{name}, n = {n}, m = {m}"),
                    call(ir, index as u64, &arguments),
                )
            };
            // Where an element is read, there is one.
            let sizes = if name.starts_with("index of a gather") {
                [[1, 1], [7, 5], [3, 2]]
            } else {
                [[0, 3], [1, 1], [7, 5]]
            };
            sizes.map(run).to_vec()
        });
    }
}
