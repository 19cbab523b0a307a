//! How the bins of a histogram are changed, by what its operator is.

mod support;

use segra_interp::Datum;
use segra_lower::LowerToGpu;
use segra_text::{PrintOptions, print};
use support::{Schedule, context, ints, lower, lower_scheduled, parse, same_with, typed, verify};

/// The kernels of a histogram of `n` elements in `m` bins of these types, by this operator, as text.
///
/// The operator's operands are `%a0`, `%a1` and so on, then `%b0`, `%b1` and so on.
fn kernels(types: &[&str], neutral: &[&str], operator: &str, hist_bins: i64) -> String {
    let names = |prefix: &str| {
        (0..types.len())
            .map(|at| format!("{prefix}{at}"))
            .collect::<Vec<_>>()
    };
    let tensors = types
        .iter()
        .map(|ty| format!("tensor<?x{ty}>"))
        .collect::<Vec<_>>();
    let typed = |names: Vec<String>, types: &[String]| {
        format!("{} : {}", names.join(", "), types.join(", "))
    };
    let args = |names: Vec<String>| {
        names
            .iter()
            .zip(&tensors)
            .map(|(name, ty)| format!("{name}: {ty}"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut text = format!(
        "func.func @main(%keys: tensor<?xi32>, %n: index, %table: tensor<?xi32>, {}, {}) -> ({}) {{\n",
        args(names("%v")),
        args(names("%d")),
        tensors.join(", ")
    );
    for (at, (value, ty)) in neutral.iter().zip(types).enumerate() {
        text += &format!("  %neutral{at} = arith.constant {value} : {ty}\n");
    }
    let scalars: Vec<String> = types.iter().map(|&ty| ty.to_owned()).collect();
    text += &format!(
        "  %r:{} = kernel.seghist thread (%i < %n) into ({}) init ({}) -> ({}) {{
    %key = tensor.extract %keys[%i] : tensor<?xi32>
    %bin = arith.index_cast %key : i32 to index\n",
        types.len(),
        typed(names("%d"), &tensors),
        typed(names("%neutral"), &scalars),
        tensors.join(", ")
    );
    for (at, ty) in tensors.iter().enumerate() {
        text += &format!("    %x{at} = tensor.extract %v{at}[%i] : {ty}\n");
    }
    text += &format!(
        "    kernel.return %bin, {} : index, {}
  }} combine ({}, {}) {{
{operator}
  }}
  func.return {} : {}
}}",
        names("%x").join(", "),
        types.join(", "),
        names("%a").join(", "),
        names("%b").join(", "),
        names("%r#").join(", "),
        tensors.join(", ")
    );
    let mut ir = parse(&context(), &text);
    verify(&ir);
    let schedule = Schedule {
        hist_bins,
        ..Schedule::default()
    };
    lower_scheduled(&mut ir, &schedule, &LowerToGpu::default())
        .unwrap_or_else(|error| panic!("{error}"));
    verify(&ir);
    print(&ir, ir.root(), &PrintOptions::default())
}

/// An operator that is one op of one value.
fn one(op: &str, ty: &str) -> String {
    format!("    %s = {op} %a0, %b0 : {ty}\n    kernel.return %s : {ty}")
}

const SWAP: &str = "memref.generic_atomic_rmw";
const LOCKS: &str = "seghist_locks";
/// Under ordered locks in shared memory, the histograms of thread blocks are combined by a kernel of their own.
const IN_ORDER: &str = "seghist_last";

#[test]
fn operators_on_single_words_are_compared_and_swapped() {
    for ty in ["i16", "i32", "i64"] {
        let text = kernels(&[ty], &["1"], &one("arith.muli", ty), 0);
        assert!(
            text.contains(SWAP) && !text.contains(LOCKS) && !text.contains(IN_ORDER),
            "{ty}: {text}"
        );
    }
    let saturating = "    %sum = arith.addi %a0, %b0 : i32
    %most = arith.constant 100 : i32
    %full = arith.cmpi ugt, %sum, %most : i32
    %s = scf.if %full -> (i32) {
      scf.yield %most : i32
    } else {
      scf.yield %sum : i32
    }
    kernel.return %s : i32";
    let text = kernels(&["i32"], &["0"], saturating, 0);
    assert!(text.contains(SWAP) && !text.contains(LOCKS), "{text}");
}

#[test]
fn atomics_of_the_hardware_come_first() {
    for (op, kind) in [
        ("arith.addi", "addi"),
        ("arith.xori", "xori"),
        ("arith.minui", "minu"),
    ] {
        let text = kernels(&["i32"], &["0"], &one(op, "i32"), 0);
        assert!(
            text.contains(&format!("memref.atomic_rmw {kind}")) && !text.contains(SWAP),
            "{op}: {text}"
        );
    }
}

#[test]
fn values_that_do_not_meet_have_a_way_each() {
    let operator = "    %s = arith.addi %a0, %b0 : i32
    %p = arith.muli %a1, %b1 : i64
    kernel.return %s, %p : i32, i64";
    let text = kernels(&["i32", "i64"], &["0", "1"], operator, 0);
    assert!(
        text.contains("memref.atomic_rmw addi") && text.contains(SWAP) && !text.contains(LOCKS),
        "{text}"
    );
}

#[test]
fn what_is_no_single_word_takes_locks() {
    let pair = "    %more = arith.cmpi sgt, %a0, %b0 : i32
    %s = arith.select %more, %a0, %b0 : i32
    %p = arith.select %more, %a1, %b1 : i32
    kernel.return %s, %p : i32, i32";
    let nested = "    %more = arith.cmpi sgt, %a0, %b0 : i32
    %s = arith.maxsi %a0, %b0 : i32
    %p = scf.if %more -> (i32) {
      scf.yield %a1 : i32
    } else {
      scf.yield %b1 : i32
    }
    kernel.return %s, %p : i32, i32";
    let reads = "    %sum = arith.addi %a0, %b0 : i32
    %at = arith.index_cast %sum : i32 to index
    %s = tensor.extract %table[%at] : tensor<?xi32>
    kernel.return %s : i32";
    let cases: [(&[&str], &[&str], String); 6] = [
        (&["i32", "i32"], &["0", "0"], pair.to_owned()),
        (&["i32", "i32"], &["0", "0"], nested.to_owned()),
        (&["i32"], &["0"], reads.to_owned()),
        (&["i8"], &["1"], one("arith.muli", "i8")),
        (&["i1"], &["0"], one("arith.ori", "i1")),
        (&["index"], &["0"], one("arith.maxui", "index")),
    ];
    for (types, neutral, operator) in cases {
        let text = kernels(types, neutral, &operator, 0);
        assert!(
            text.contains(LOCKS) && text.contains(IN_ORDER) && !text.contains(SWAP),
            "{operator}: {text}"
        );
    }
}

#[test]
fn floats_that_are_rounded_keep_their_order_in_shared_memory() {
    for (op, ordered) in [
        ("arith.addf", true),
        ("arith.mulf", true),
        ("arith.maximumf", false),
    ] {
        let text = kernels(&["f32"], &["0.0"], &one(op, "f32"), 0);
        assert_eq!(text.contains(IN_ORDER), ordered, "{op}: {text}");
        assert!(!text.contains(LOCKS), "{op}: {text}");
    }
    // An integer that is made of rounded floats is no better.
    let sum = "    %x = arith.bitcast %a0 : i32 to f32
    %y = arith.bitcast %b0 : i32 to f32
    %z = arith.addf %x, %y : f32
    %s = arith.bitcast %z : f32 to i32
    kernel.return %s : i32";
    let text = kernels(&["i32"], &["0"], sum, 0);
    assert!(text.contains(IN_ORDER) && text.contains(SWAP), "{text}");
}

/// The text of the first kernel whose name has `part` in it.
fn kernel_named<'a>(text: &'a str, part: &str) -> &'a str {
    let is_named = |kernel: &&str| {
        kernel
            .split('(')
            .next()
            .is_some_and(|name| name.starts_with('@') && name.contains(part))
    };
    text.split("gpu.func ").find(is_named).unwrap_or("")
}

/// Several histograms of one index: each goes its own way, in one kernel.
#[test]
fn values_that_take_locks_leave_the_others_their_atomics() {
    let operator = "    %s = arith.addi %a0, %b0 : i32
    %p = arith.muli %a1, %b1 : i64
    %q = arith.muli %a2, %b2 : i8
    %sum = arith.addi %a3, %b3 : i32
    %at = arith.index_cast %sum : i32 to index
    %t = tensor.extract %table[%at] : tensor<?xi32>
    kernel.return %s, %p, %q, %t : i32, i64, i8, i32";
    let text = kernels(
        &["i32", "i64", "i8", "i32"],
        &["0", "1", "1", "0"],
        operator,
        0,
    );
    let of = |name| kernel_named(&text, name);
    for name in ["seghist_parts", LOCKS] {
        let kernel = of(name);
        assert!(
            kernel.contains("memref.atomic_rmw addi") && kernel.contains(SWAP),
            "{name}: {text}"
        );
        // The exchanged value is computed by its own inputs alone.
        let swap = kernel
            .split(SWAP)
            .nth(1)
            .and_then(|rest| rest.split("memref.atomic_yield").next());
        assert!(
            swap.is_some_and(|swap| !swap.contains("memref.load")),
            "{name}: {text}"
        );
    }
    // The parts of the locked values are combined in order, those of the others by atomics.
    let last = of(IN_ORDER);
    assert!(
        last.contains("memref<?xi8>") && !last.contains("memref<?xi64>"),
        "{text}"
    );
}

#[test]
fn a_count_beside_sums_of_floats_is_an_atomic() {
    let operator = "    %s = arith.addf %a0, %b0 : f32
    %c = arith.addi %a1, %b1 : i32
    kernel.return %s, %c : f32, i32";
    let text = kernels(&["f32", "i32"], &["0.0", "0"], operator, 0);
    let parts = kernel_named(&text, "seghist_parts");
    assert!(
        parts.contains("memref.atomic_rmw addi") && !parts.contains("memref.atomic_rmw addf"),
        "{text}"
    );
    let last = kernel_named(&text, IN_ORDER);
    assert!(last.contains("arith.addf"), "{text}");
    // Beyond shared memory both are.
    let global = kernel_named(&text, "seghist_global");
    assert!(
        global.contains("memref.atomic_rmw addi") && global.contains("memref.atomic_rmw addf"),
        "{text}"
    );
    assert!(!text.contains(LOCKS), "{text}");
}

/// Written forms are kept and translated, whatever the number of bins; without one nothing is lowered.
#[test]
fn every_form_gives_its_kernels_and_the_same_bins() {
    let program = |form: &str, op: &str, ty: &str| {
        format!(
            "func.func @main(%keys: tensor<?x?xi32>, %ys: tensor<?x?x{ty}>, %n: index, %m: index) -> tensor<?x?x{ty}> {{
              %unit = arith.constant 1 : {ty}
              %r = kernel.seghist thread {form} (%i < %n, %j < %m) into (%ys : tensor<?x?x{ty}>) init (%unit : {ty}) -> (tensor<?x?x{ty}>) {{
                %key = tensor.extract %keys[%i, %j] : tensor<?x?xi32>
                %bin = arith.index_cast %key : i32 to index
                %three = arith.constant 3 : {ty}
                kernel.return %bin, %three : index, {ty}
              }} combine (%a, %b) {{
                %s = {op} %a, %b : {ty}
                kernel.return %s : {ty}
              }}
              func.return %r : tensor<?x?x{ty}>
            }}"
        )
    };
    let pass = LowerToGpu {
        block_size: 32,
        chunk: 64,
        ..LowerToGpu::default()
    };
    let cases = [
        (
            "form shared capacity 1",
            "arith.muli",
            "i32",
            "seghist_parts",
        ),
        ("form shared capacity 7", "arith.muli", "i8", "seghist_last"),
        (
            "form shared capacity 64",
            "arith.muli",
            "i64",
            "seghist_parts",
        ),
        ("form atomics", "arith.muli", "i16", "seghist_global"),
        ("form locks", "arith.muli", "i8", "seghist_locks"),
        ("form locks", "arith.xori", "i32", "seghist_locks"),
    ];
    for (form, op, ty, kernel) in cases {
        let text = program(form, op, ty);
        for (n, m, bins) in [(0, 3, 2), (1, 0, 4), (1, 1, 1), (3, 67, 20), (2, 300, 1)] {
            let sizes = [Datum::Int(n as i64), Datum::Int(m as i64)];
            let start = typed(ty, &ints(&[n, bins], 2));
            let arrays = [Datum::array(ints(&[n, m], 1)), Datum::array(start)];
            same_with(&text, &[&arrays[..], &sizes[..]].concat(), &pass);
        }
        let mut ir = parse(&context(), &text);
        lower(&mut ir, &pass).unwrap_or_else(|error| panic!("{error}"));
        let lowered = print(&ir, ir.root(), &PrintOptions::default());
        for other in ["parts", "last", "global", "locks"] {
            let other = format!("gpu.func @main_seghist_{other}");
            let wanted = other.ends_with(kernel)
                || (kernel, &*other) == ("seghist_last", "gpu.func @main_seghist_parts");
            assert_eq!(
                lowered.contains(&other),
                wanted,
                "{form}: {other}: {lowered}"
            );
        }
    }
}
