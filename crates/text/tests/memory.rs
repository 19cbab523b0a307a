//! The memory the reader holds is bounded by a multiple of the text (see `parse_source`): ordinary programs, wide
//! ones, and texts made to cost much per byte.

use allocation_counter::measure;
use segra_ir::Context;
use segra_text::{ParseOptions, parse_shared};
use std::sync::Arc;

/// Bytes held per byte of the text, at most.
const PER_BYTE: u64 = 128;
/// And so much more, whatever the text.
const MORE: u64 = 1 << 20;

/// The most that is held while a text is read, the text itself not counted.
fn peak(text: &str) -> u64 {
    let ctx = Arc::new(Context::new());
    let text = Arc::new(text.to_owned());
    let mut parsed = None;
    let held = measure(|| {
        parsed = Some(parse_shared(
            &ctx,
            "t.mlir",
            &text,
            &ParseOptions::allowing_unregistered(),
        ));
    });
    held.bytes_max
}

/// Texts that take much memory, each in its own way.
fn texts() -> [(&'static str, String); 24] {
    let many = |piece: &str| piece.repeat(400_000 / piece.len());
    let numbered = |piece: &dyn Fn(usize) -> String| (0..20_000).map(piece).collect::<String>();
    let ordinary = numbered(&|i| {
        format!("%{i} = \"arith.addi\"(%{i}, %{i}) <{{k = {i}}}> : (i32, i32) -> i32\n")
    });
    [
        ("an ordinary program", ordinary),
        ("the smallest ops", many("\"a\"():()->()\n")),
        ("ops with a name", many("%0=\"a\"():()->i1\n")),
        ("operands", format!("\"a\"({}%0):()->()", many("%0,"))),
        (
            "forward references",
            numbered(&|i| format!("\"a\"(%x{i}):(i1)->()\n")),
        ),
        (
            "large numbers as names",
            numbered(&|i| format!("\"a\"(%{}):(i1)->()\n", 99_999_999 - i)),
        ),
        (
            "numbers as large as can be",
            numbered(&|i| format!("%{}=\"a\"():()->i1\n", 40_000 - i)),
        ),
        ("results", format!("\"a\"() : () -> ({}i1)", many("i1,"))),
        ("a large pack", many("%0:4000000000=\"a\"():()->i1\n")),
        (
            "blocks",
            format!(
                "\"a\"() ({{{}}}) : () -> ()",
                numbered(&|i| format!("^{i}:\n"))
            ),
        ),
        (
            "arguments",
            format!(
                "\"a\"() ({{^0({}%z:i1):}}) : () -> ()",
                numbered(&|i| format!("%{i}:i1,"))
            ),
        ),
        (
            "successors",
            format!(
                "\"a\"() ({{\"b\"()[{}^0]:()->()}}) : () -> ()",
                numbered(&|i| format!("^{i},"))
            ),
        ),
        (
            "regions",
            format!("\"a\"() ({}{{}}) : () -> ()", many("{},")),
        ),
        (
            "an array",
            format!("\"a\"() {{x = [{}1]}} : () -> ()", many("1,")),
        ),
        (
            "arrays",
            format!(
                "\"a\"() {{x = [{}1]}} : () -> ()",
                numbered(&|i| format!("[{i}],"))
            ),
        ),
        (
            "a dictionary",
            format!("\"a\"() {{{}}} : () -> ()", numbered(&|i| format!("k{i},"))),
        ),
        (
            "elements",
            format!(
                "\"a\"() {{x = dense<[{}1]> : tensor<4xi1>}} : () -> ()",
                many("1,")
            ),
        ),
        (
            "a dense array",
            format!("\"a\"() {{x = array<i64: {}1>}} : () -> ()", many("1,")),
        ),
        (
            "a map",
            format!(
                "\"a\"() {{x = affine_map<(d0) -> ({}1)>}} : () -> ()",
                many("d0,")
            ),
        ),
        ("types", numbered(&|i| format!("\"a\"():()->i{i}\n"))),
        (
            "strings",
            numbered(&|i| format!("\"a\"(){{x=\"{i}\"}}:()->()\n")),
        ),
        ("aliases", numbered(&|i| format!("#a{i}={i}\n"))),
        (
            "locations",
            numbered(&|i| format!("\"a\"():()->()loc(\"f\":{i}:1)\n")),
        ),
        ("errors", many("\"a\"( : \n")),
    ]
}

#[test]
fn reading_takes_at_most_a_multiple_of_the_text() {
    let texts = texts();
    let mut wrong = Vec::new();
    for (what, text) in &texts {
        let held = peak(text);
        println!(
            "{what}: {:.1} bytes a byte",
            held as f64 / text.len() as f64
        );
        if held > PER_BYTE * text.len() as u64 + MORE {
            wrong.push(*what);
        }
    }
    assert_eq!(wrong, Vec::<&str>::new());
}
