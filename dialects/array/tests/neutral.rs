//! Neutral elements as they are derived from operators, and what shows that one is not neutral.

use segra_array::combinator::Soac;
use segra_array::neutral::{counterexample, derived, element_of};
use segra_array::soac::ReduceOp;
use segra_ir::{Context, Ir, Op};
use segra_text::{ParseOptions, parse_module, print_attr};
use std::sync::Arc;

/// The reduction of arrays of these types with an operator on `%a0, ...` and `%b0, ...` that yields `%r0, ...`.
fn reduction(types: &[&str], operator: &str, neutral: &str) -> (Arc<Context>, Ir, Op) {
    let ctx = Context::new();
    ctx.register(segra_array::dialect());
    segra_std::register(&ctx);
    let ctx = Arc::new(ctx);
    let list = |row: &dyn Fn(usize, &str) -> String| -> String {
        types
            .iter()
            .enumerate()
            .map(|(at, ty)| row(at, ty))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let array = |ty: &str| format!("[n]{ty}");
    let text = format!(
        "func.func @main({}, {}, %free: i32, %m: index) {{
           {neutral}
           %r:{} = array.reduce ({}) init ({}) {} combine ({}, {}) {{\n{operator}\narray.yield {} : {}\n}}
           func.return\n}}",
        list(&|at, ty| format!("%x{at}: !array.array<{}>", array(ty))),
        list(&|at, ty| format!(
            "%s{at}: {}",
            if ty.starts_with('[') { format!("!array.array<{ty}>") } else { ty.to_owned() }
        )),
        types.len(),
        list(&|at, ty| format!("%x{at} : {}", array(ty))),
        list(&|at, ty| format!("%s{at} : {ty}")),
        if neutral.is_empty() {
            String::new()
        } else {
            format!("neutral ({})", list(&|at, ty| format!("%e{at} : {ty}")))
        },
        list(&|at, _| format!("%a{at}")),
        list(&|at, _| format!("%b{at}")),
        list(&|at, _| format!("%r{at}")),
        types.join(", "),
    );
    let ir =
        parse_module(&ctx, "operator", &text, &ParseOptions::default()).unwrap_or_else(|diags| {
            let rendered = diags.iter().map(|it| {
                segra_ir::diag::render::render(&ctx, it, segra_ir::diag::render::Style::Plain)
            });
            panic!("{}\n{text}", rendered.collect::<String>())
        });
    let op = ir
        .walk(ir.root())
        .into_iter()
        .find(|&op| ir.isa::<ReduceOp>(op))
        .expect("it is there");
    (ctx, ir, op)
}

/// The elements derived for an operator, as text.
fn found(types: &[&str], operator: &str) -> Option<String> {
    let (ctx, ir, op) = reduction(types, operator, "");
    let combine = Soac::of(&ir, op)?.combine?;
    let elements = derived(&ir, combine)?;
    Some(
        elements
            .iter()
            .map(|&attr| print_attr(&ctx, attr))
            .collect::<Vec<_>>()
            .join("; "),
    )
}

#[test]
fn single_ops_have_the_neutral_elements_of_their_type() {
    for (op, ty, wanted) in [
        ("addi", "i32", "0 : i32"),
        ("muli", "i8", "1 : i8"),
        ("andi", "i16", "-1 : i16"),
        ("andi", "i1", "true"),
        ("ori", "i64", "0"),
        ("xori", "index", "0 : index"),
        ("maxsi", "i8", "-128 : i8"),
        ("minsi", "i8", "127 : i8"),
        ("maxui", "i32", "0 : i32"),
        ("minui", "i32", "-1 : i32"),
        ("addf", "f32", "-0.000000e+00 : f32"),
        ("mulf", "f16", "1.000000e+00 : f16"),
        ("maximumf", "bf16", "0xFF80 : bf16"),
        ("minimumf", "f64", "0x7FF0000000000000"),
        ("maxnumf", "f32", "0x7FC00000 : f32"),
        ("minnumf", "f32", "0x7FC00000 : f32"),
    ] {
        let operator = format!("%r0 = arith.{op} %a0, %b0 : {ty}");
        let text = found(&[ty], &operator).unwrap_or_default();
        assert!(
            text == wanted || text.split(" : ").next() == wanted.split(" : ").next(),
            "{op} {ty}: {text}"
        );
        // The order of the operands does not matter.
        assert_eq!(
            found(&[ty], &format!("%r0 = arith.{op} %b0, %a0 : {ty}")).unwrap_or_default(),
            text,
            "{op}"
        );
    }
}

#[test]
fn tuples_arrays_and_composed_operators_have_theirs() {
    let sums = "%r0 = arith.addi %a0, %b0 : i32\n%r1 = arith.maxsi %a1, %b1 : i32";
    assert_eq!(
        found(&["i32", "i32"], sums).as_deref(),
        Some("0 : i32; -2147483648 : i32")
    );
    let affine = "%r0 = arith.muli %a0, %b0 : i32\n%t = arith.muli %a1, %b0 : i32\n%r1 = arith.addi %t, %b1 : i32";
    assert_eq!(
        found(&["i32", "i32"], affine).as_deref(),
        Some("1 : i32; 0 : i32")
    );
    let product =
        "%ae = arith.muli %a0, %b0 : i32\n%bg = arith.muli %a1, %b2 : i32\n%r0 = arith.addi %ae, %bg : i32
        %af = arith.muli %a0, %b1 : i32\n%bh = arith.muli %a1, %b3 : i32\n%r1 = arith.addi %af, %bh : i32
        %ce = arith.muli %a2, %b0 : i32\n%dg = arith.muli %a3, %b2 : i32\n%r2 = arith.addi %ce, %dg : i32
        %cf = arith.muli %a2, %b1 : i32\n%dh = arith.muli %a3, %b3 : i32\n%r3 = arith.addi %cf, %dh : i32";
    let unit = "1 : i32; 0 : i32; 0 : i32; 1 : i32";
    assert_eq!(
        found(&["i32", "i32", "i32", "i32"], product).as_deref(),
        Some(unit)
    );
    let rows = "%r0 = array.map (%x in %a0 : [4][3]i32, %y in %b0 : [4][3]i32) {
        %z = array.map (%p in %x : [3]i32, %q in %y : [3]i32) arith.muli
        array.yield %z : [3]i32
      }";
    assert_eq!(found(&["[4][3]i32"], rows).as_deref(), Some("1 : i32"));
}

#[test]
fn selections_by_comparison_have_theirs_where_they_are_lexicographic() {
    let least = "%c = arith.cmpi ult, %a0, %b0 : i32\n%r0 = arith.select %c, %a0, %b0 : i32";
    assert_eq!(found(&["i32"], least).as_deref(), Some("-1 : i32"));
    let largest = "%c = arith.cmpf ogt, %a0, %b0 : f32\n%r0 = arith.select %c, %a0, %b0 : f32";
    assert_eq!(
        found(&["f32"], largest).as_deref(),
        Some("0xFF800000 : f32")
    );
    let first = "%less = arith.cmpi slt, %a0, %b0 : i32\n%same = arith.cmpi eq, %a0, %b0 : i32
        %before = arith.cmpi slt, %a1, %b1 : i32\n%tie = arith.andi %same, %before : i1\n%left = arith.ori %less, %tie : i1
        %r0 = arith.select %left, %a0, %b0 : i32\n%r1 = arith.select %left, %a1, %b1 : i32";
    assert_eq!(
        found(&["i32", "i32"], first).as_deref(),
        Some("2147483647 : i32; 2147483647 : i32")
    );
    // Of equal minima the left one: what is right of (2147483647, i) is lost where it has another index.
    let left = "%less = arith.cmpi slt, %b0, %a0 : i32
        %r0 = arith.select %less, %b0, %a0 : i32\n%r1 = arith.select %less, %b1, %a1 : i32";
    assert_eq!(found(&["i32", "i32"], left), None);
}

#[test]
fn operators_without_a_neutral_element_have_none() {
    for operator in [
        "%r0 = arith.subi %a0, %b0 : i32",
        "%t = arith.muli %b0, %free : i32\n%r0 = arith.addi %a0, %t : i32",
        "%t = arith.addi %a0, %b0 : i32\n%r0 = arith.addi %t, %free : i32",
        "%r0 = arith.shli %a0, %b0 : i32",
        "%z = arith.constant 0 : i32\n%r0 = arith.addi %b0, %z : i32",
    ] {
        assert_eq!(found(&["i32"], operator), None, "{operator}");
    }
    // 0 * x is not 0 for all floats.
    let affine = "%r0 = arith.mulf %a0, %b0 : f32\n%t = arith.mulf %a1, %b0 : f32\n%r1 = arith.addf %t, %b1 : f32";
    assert_eq!(found(&["f32", "f32"], affine), None);
    // An array turned round is another one.
    let turned = "%t = array.reverse %a0, 0 : [4]i32\n%r0 = array.map (%x in %t : [4]i32, %y in %b0 : [4]i32) arith.addi";
    assert_eq!(found(&["[4]i32"], turned), None);
}

#[test]
fn written_elements_are_refuted_by_folding() {
    let sum = "%r0 = arith.addi %a0, %b0 : i32";
    for (element, refuted) in [
        ("%e0 = arith.constant 0 : i32", false),
        ("%e0 = arith.constant 2 : i32", true),
    ] {
        let (_, ir, op) = reduction(&["i32"], sum, element);
        let soac = Soac::of(&ir, op).expect("a reduction");
        let combine = soac.combine.expect("it has an operator");
        let elements: Vec<_> = soac
            .written
            .iter()
            .map(|&value| element_of(&ir, value).expect("constant"))
            .collect();
        assert_eq!(
            counterexample(&ir, combine, &elements).is_some(),
            refuted,
            "{element}"
        );
    }
}
