//! The examples in the documentation of the array dialect: each op has one, and each is read, verified and run.

use super::{call, read};
use segra_interp::{ArrayValue, Datum};

/// The parameters of an op's example: names and types, sizes without another binder in arrays nobody uses.
const USES: &[(&str, &[(&str, &str)])] = &[
    ("cast", &[("xs", "[?]f32"), ("other", "[n]f32")]),
    ("concat", &[("xs", "[n]f32"), ("ys", "[m]f32")]),
    ("dim", &[("xs", "[n]f32")]),
    ("filter", &[("xs", "[n]f32"), ("limit", "f32")]),
    ("from_tensor", &[]),
    ("gather", &[("xs", "[n]f32"), ("is", "[m]index")]),
    (
        "hist",
        &[
            ("xs", "[n]i32"),
            ("zeros", "[m]i32"),
            ("zero", "i32"),
            ("one", "i32"),
        ],
    ),
    (
        "index",
        &[("xss", "[n][m]f32"), ("i", "index"), ("j", "index")],
    ),
    ("iota", &[("n", "index"), ("other", "[n]f32")]),
    ("map", &[("xs", "[n]f32"), ("ys", "[n]f32")]),
    (
        "near",
        &[
            ("xss", "[n][m]f32"),
            ("i", "index"),
            ("j", "index"),
            ("zero", "f32"),
        ],
    ),
    (
        "pad",
        &[
            ("xs", "[n]f32"),
            ("zero", "f32"),
            ("one", "index"),
            ("two", "index"),
        ],
    ),
    ("rearrange", &[("b", "[k][m]f32")]),
    (
        "redomap",
        &[("xs", "[n]f32"), ("ys", "[n]f32"), ("zero", "f32")],
    ),
    (
        "reduce",
        &[
            ("xs", "[n]f32"),
            ("start", "f32"),
            ("ns", "[n]i32"),
            ("limit", "i32"),
            ("fs", "[n]f32"),
            ("gs", "[n]f32"),
            ("f0", "f32"),
            ("g0", "f32"),
            ("one", "f32"),
            ("zero", "f32"),
        ],
    ),
    (
        "replicate",
        &[
            ("zero", "f32"),
            ("n", "index"),
            ("m", "index"),
            ("other", "[n][m]f32"),
        ],
    ),
    (
        "reshape",
        &[
            ("xs", "[k]f32"),
            ("n", "index"),
            ("m", "index"),
            ("other", "[n][m]f32"),
        ],
    ),
    ("reverse", &[("xs", "[n]f32")]),
    (
        "scan",
        &[("xs", "[n]i32"), ("zero", "i32"), ("base", "i32")],
    ),
    (
        "scanomap",
        &[("xs", "[n]f32"), ("ys", "[n]f32"), ("zero", "f32")],
    ),
    (
        "scatter",
        &[("is", "[n]index"), ("vs", "[n]f32"), ("xs", "[m]f32")],
    ),
    (
        "slice",
        &[
            ("xs", "[n]f32"),
            ("one", "index"),
            ("half", "index"),
            ("two", "index"),
            ("other", "[h]f32"),
        ],
    ),
    (
        "stencil",
        &[("xs", "[n]f32"), ("fs", "[n]f32"), ("less", "index")],
    ),
    ("update", &[("x", "f32"), ("xs", "[n]f32"), ("i", "index")]),
    (
        "with_loop",
        &[
            ("zero", "i32"),
            ("three", "i32"),
            ("seven", "i32"),
            ("n", "index"),
            ("m", "index"),
            ("ns", "[n]i32"),
        ],
    ),
];

/// The bindings of names.
fn number(name: &str) -> i64 {
    match name {
        "n" => 4,
        "m" => 3,
        "k" => 12,
        "i" | "one" | "half" | "h" => 1,
        "j" | "two" | "?" => 2,
        _ => 0,
    }
}

fn datum(name: &str, ty: &str) -> Datum {
    let (sizes, element) = ty.rsplit_once(']').unwrap_or(("", ty));
    let shape: Vec<usize> = sizes
        .split(']')
        .filter(|size| !size.is_empty())
        .map(|size| number(&size[1..]) as usize)
        .collect();
    // A size that is unknown here is claimed to be the other array's.
    let shape: Vec<usize> = if sizes == "[?" { vec![4] } else { shape };
    let count: usize = shape.iter().product();
    if sizes.is_empty() {
        return if element == "f32" {
            Datum::F32(number(name) as f32)
        } else {
            Datum::Int(number(name))
        };
    }
    let values = match element {
        "f32" => ArrayValue::f32s(&(0..count).map(|at| at as f32).collect::<Vec<_>>()),
        "index" => ArrayValue::indices(&(0..count as i64).collect::<Vec<_>>()),
        _ => ArrayValue::i32s(&(0..count as i32).collect::<Vec<_>>()),
    };
    Datum::array(values.reshaped(shape).expect("as many as the shape says"))
}

#[test]
fn examples_in_the_documentation_of_arrays_are_read_and_run() {
    let dialect = segra_array::dialect();
    for op in dialect.ops.iter().filter(|op| op.name != "array.yield") {
        let name = op.name.trim_start_matches("array.");
        let uses = USES.iter().find(|row| row.0 == name).map(|row| row.1);
        let uses = uses
            .unwrap_or_else(|| panic!("say in this test what the example of `{}` uses", op.name));
        let example = op
            .doc
            .split("```")
            .nth(1)
            .and_then(|code| code.split_once("mlir"));
        let (_, example) = example.unwrap_or_else(|| panic!("`{}` has no example", op.name));
        let ty = |ty: &str| {
            if ty.contains('[') {
                format!("!array.array<{ty}>")
            } else {
                ty.to_owned()
            }
        };
        let args: Vec<String> = uses
            .iter()
            .map(|(name, of)| format!("%{name}: {}", ty(of)))
            .collect();
        let source = format!(
            "func.func @main({}) {{\n{example}\nfunc.return\n}}",
            args.join(", ")
        );
        let ir = read(0, &source);
        assert!(
            ir.walk(ir.root())
                .iter()
                .any(|&inner| ir.op_name_str(inner) == op.name),
            "{source}"
        );
        let inputs: Vec<Datum> = uses.iter().map(|(name, of)| datum(name, of)).collect();
        assert!(call(&ir, 0, &inputs).is_empty());
    }
}
