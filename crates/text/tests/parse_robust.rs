//! No input makes the reader panic, hang or overflow the stack.

use segra_ir::constraint::*;
use segra_ir::diag::render::{Style, render};
use segra_ir::diag::{Diagnostic, Severity, file_position};
use segra_ir::*;
use segra_random::SplitMix64;
use segra_text::printer::Locations;
use segra_text::*;
use std::sync::Arc;

/// A sum.
#[op(
    "r.add",
    traits(Pure, SameOperandsAndResultType),
    format = "$lhs `,` $rhs attr-dict `:` type($result)"
)]
pub struct AddOp {
    lhs: Operand<AnyType>,
    rhs: Operand<AnyType>,
    result: OpResult<AnyType>,
}

/// A loop of sorts.
#[op(
    "r.loop",
    traits(IsolatedFromAbove),
    format = "`(` $inits `)` (`to` $bound^ `:` type($bound))? $body attr-dict `:` functional-type($inits, $outs)"
)]
pub struct LoopOp {
    inits: VariadicOperand<AnyType>,
    bound: OptionalOperand<AnyType>,
    body: AnyRegion,
    outs: VariadicResult<AnyType>,
}

const SEED: &str = r#"#map = affine_map<(d0, d1)[s0] -> (d0 + s0 * 2, d1 floordiv 4)>
!t = tensor<?x4xf32, #map>
"builtin.module"() ({
  %0:2 = "a.source"() <{k = dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>}> {m = #map, s = @f::@g} : () -> (i32, !t) loc("x":1:2)
  %big, %1 = "b.c"(%0#1, %0#0) ({
  ^bb0(%x: i32 loc(#loc1), %y: memref<4x?xf32, strided<[?, 1], offset: ?>, #gpu.address_space<workgroup>>):
    %2 = r.add %x, %x {fast} : i32
    "cf.br"(%2)[^bb1, ^bb0] : (i32) -> ()
  ^bb1(%z: i32):
    "t.end"(%later) : (vector<4x[8]xbf16>) -> ()
  }, {
    %later = "q"() {a = array<i64: 1, -2>, b = [1.5e3 : f16, "s\0A\"", unit, {x = 1}], c = affine_set<(d0) : (d0 >= 0)>} : () -> vector<4x[8]xbf16>
  }) : (!t, i32) -> (complex<f64>, tuple<i1, none>)
  %3 = r.loop(%0#0) to %1 : tuple<i1, none> {
  ^entry(%i: i32):
    "e"(%i) {v = !foo.bar<a -> "b>"[c]>, w = dense<"0x00FF"> : tensor<2xi8>, h = sparse<[[0]], [1.0]> : tensor<4xf32>} : (i32) -> ()
  } {z = strided<[2], offset: 1>} : (i32) -> i64
}) : () -> () loc(#loc1)
#loc1 = loc(fused<"m">["f":3:4, callsite("n" at "g":1:1 to 2:3)])
{-# dialect_resources: { builtin: { k: "0x0400000010" } } #-}
"#;

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    ctx.register(Dialect {
        name: "r",
        ops: vec![AddOp::DEF, LoopOp::DEF],
        ..Dialect::default()
    });
    ctx
}

/// Reads, verifies and prints what came out of it; what is read without errors reads back.
fn digest(ctx: &Arc<Context>, text: &str, options: &ParseOptions) -> bool {
    let parsed = parse_source(ctx, "fuzz.mlir", text, options);
    let text = print(&parsed.ir, parsed.ir.root(), &PrintOptions::mlir_generic());
    assert!(!text.is_empty());
    let mut diags = Diagnostics::new();
    let allow = verify::VerifyOptions {
        unregistered: options.allow_unregistered,
    };
    verify::verify_op(&parsed.ir, parsed.ir.root(), &allow, &mut diags);
    if parsed.diags.has_errors() {
        return false;
    }
    if !diags.has_errors() {
        let again = parse_source(ctx, "again.mlir", &text, options);
        let messages: Vec<_> = again.diags.iter().map(|d| d.message.clone()).collect();
        assert_eq!(messages, Vec::<String>::new(), "\n{text}");
        let mlir = PrintOptions::mlir_generic();
        assert_eq!(print(&again.ir, again.ir.root(), &mlir), text);
        let custom = print(&parsed.ir, parsed.ir.root(), &PrintOptions::default());
        assert!(
            !parse_source(ctx, "custom.mlir", &custom, options)
                .diags
                .has_errors(),
            "\n{custom}"
        );
    }
    true
}

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound.max(1) as u64) as usize
    }
}

fn mutate(random: &mut Random, seed: &str) -> String {
    const PIECES: [&str; 40] = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "<",
        ">",
        "\"",
        "%0",
        "%x",
        "^bb0",
        "#map",
        "!t",
        "@f",
        ":",
        ",",
        "=",
        "->",
        "loc(",
        "{-#",
        "#-}",
        "0x",
        "99999999999999999999999",
        "-",
        "\\",
        "\n",
        "é",
        "dense<",
        "affine_map<(d0) -> (",
        "tensor<",
        "i32",
        "r.add",
        "r.loop",
        "\"x.y\"() : () -> ()",
        "#",
        "!",
        "<{",
        "}>",
        "%1:4294967295",
    ];
    let mut text: Vec<u8> = seed.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len());
        match random.below(6) {
            0 => text.truncate(at),
            1 => {
                let end = (at + 1 + random.below(20)).min(text.len());
                text.drain(at..end);
            }
            2 | 3 => {
                let piece = PIECES[random.below(PIECES.len())];
                text.splice(at..at, piece.bytes());
            }
            4 => {
                let from = random.below(text.len());
                let end = (from + 1 + random.below(60)).min(text.len());
                let copy = text[from..end].to_vec();
                text.splice(at..at, copy);
            }
            _ => {
                if let Some(byte) = text.get_mut(at) {
                    *byte = 32 + random.below(95) as u8;
                }
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn the_seed_is_read_without_errors() {
    let parsed = parse_source(
        &context(),
        "seed.mlir",
        SEED,
        &ParseOptions::allowing_unregistered(),
    );
    let messages: Vec<_> = parsed.diags.iter().map(|d| d.message.clone()).collect();
    assert_eq!(messages, Vec::<String>::new());
}

#[test]
fn random_mutations_are_read_or_refused() {
    let ctx = context();
    let mut random = Random(SplitMix64::new(42));
    let (allow, refuse) = (
        ParseOptions::allowing_unregistered(),
        ParseOptions::default(),
    );
    let rounds = std::env::var("SEGRA_FUZZ_ROUNDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(3000);
    let mut accepted = 0;
    for round in 0..rounds {
        let text = mutate(&mut random, SEED);
        let options = if round % 8 == 0 { &refuse } else { &allow };
        accepted += u32::from(digest(&ctx, &text, options));
    }
    assert!(
        accepted > 0,
        "no mutation at all was readable: the seed is not read any more"
    );
}

#[test]
fn every_truncation_is_read_or_refused() {
    let ctx = context();
    let options = ParseOptions::allowing_unregistered();
    for end in 0..SEED.len() {
        digest(&ctx, &SEED[..end], &options);
    }
}

#[test]
fn deep_nesting_is_refused_with_a_message() {
    let ctx = context();
    let deep = 100_000;
    let cases: [(&str, &str); 20] = [
        ("\"a\"() <{x = ", "["),
        ("\"a\"() <", "{x = "),
        ("\"a\"() : () -> () loc(", "fused["),
        ("\"a\"() : () -> () loc(", "\"a\"("),
        ("\"a\"() {x = affine_set<(d0) : (", "("),
        ("\"a\"() {x = #b.c", "<["),
        ("\"a\"() : () -> ", "() -> "),
        ("\"a\"() {x = ", "["),
        ("\"a\"() {x = ", "{x = "),
        ("\"a\"() : () -> ", "("),
        ("\"a\"() : () -> ", "tuple<"),
        ("\"a\"() : () -> ", "complex<"),
        ("\"a\"() : () -> ", "tensor<4x"),
        ("\"a\"() {x = affine_map<() -> (", "("),
        ("\"a\"() {x = affine_map<() -> (", "-"),
        ("\"a\"() {x = dense<", "["),
        ("\"a\"() : () -> () loc(", "callsite("),
        ("\"a\"() {x = distinct[0]<", "distinct[0]<"),
        ("", "\"a\"() ({\n"),
        ("\"a\"() : () -> ", "!a<"),
    ];
    for (head, repeated) in cases {
        let text = format!("{head}{}", repeated.repeat(deep));
        let parsed = parse_source(
            &ctx,
            "deep.mlir",
            &text,
            &ParseOptions::allowing_unregistered(),
        );
        assert!(parsed.diags.has_errors(), "{head}{repeated}");
    }
    let parsed = parse_source(
        &ctx,
        "deep.mlir",
        &"\"a\"() ({\n".repeat(deep),
        &ParseOptions::allowing_unregistered(),
    );
    assert!(parsed.diags.iter().any(|d| d.message.contains("nesting")));
    let sum = format!(
        "\"a\"() {{x = affine_map<(d0) -> ({}d0)>}} : () -> ()",
        "d0 + ".repeat(deep)
    );
    assert!(
        parse_source(
            &ctx,
            "deep.mlir",
            &sum,
            &ParseOptions::allowing_unregistered()
        )
        .diags
        .has_errors()
    );
    // Nested by aliases, each defined before its use.
    type Next = fn(usize) -> String;
    let chains: [(&str, Next); 3] = [
        ("#a0 = 1", |i| format!("#a{} = [#a{i}]\n", i + 1)),
        ("!a0 = i32", |i| format!("!a{} = tuple<!a{i}>\n", i + 1)),
        ("#a0 = #x.y", |i| format!("#a{} = #x.y<#a{i}>\n", i + 1)),
    ];
    for (first, next) in chains {
        let chain: String = (0..deep).map(next).collect();
        let text = format!("{first}\n{chain}\"a\"() : () -> ()\n");
        let parsed = parse_source(
            &ctx,
            "deep.mlir",
            &text,
            &ParseOptions::allowing_unregistered(),
        );
        assert!(
            parsed.diags.iter().any(|d| d.message.contains("nesting")),
            "{first}"
        );
        let chain: String = (0..200).map(next).collect();
        let x = &first[..1];
        let text = format!("{first}\n{chain}\"a\"() {{x = {x}a200}} : () -> ()\n");
        assert!(
            digest(&ctx, &text, &ParseOptions::allowing_unregistered()),
            "{first}"
        );
    }
    let chain: String = (0..deep)
        .map(|i| format!("#a{i} = [#a{}]\n", i + 1))
        .collect();
    let text = format!("{chain}\"a\"() {{x = #a0}} : () -> ()");
    assert!(
        parse_source(
            &ctx,
            "deep.mlir",
            &text,
            &ParseOptions::allowing_unregistered()
        )
        .diags
        .has_errors()
    );
}

#[test]
fn locations_nest_as_deep_as_the_file_has_lines() {
    let deep = 100_000;
    let mut definitions = String::from("#loc0 = loc(\"a\":1:1)\n");
    for level in 1..=deep {
        let outer = match level % 4 {
            3 => format!(
                "#loc{level} = loc(fused<{level}>[#loc{}, \"x\"])\n",
                level - 1
            ),
            0 => format!("#loc{level} = loc(\"n\"(#loc{}))\n", level - 1),
            1 => format!("#loc{level} = loc(callsite(#loc{} at \"b\"))\n", level - 1),
            _ => format!("#loc{level} = loc(callsite(\"b\" at #loc{}))\n", level - 1),
        };
        definitions += &outer;
    }
    let op = format!("\"f\"() : () -> () loc(#loc{deep})\n");
    for text in [format!("{definitions}{op}"), format!("{op}{definitions}")] {
        let ctx = context();
        let Parsed { ir, diags } = parse_source(
            &ctx,
            "deep.mlir",
            &text,
            &ParseOptions::allowing_unregistered(),
        );
        assert!(!diags.has_errors(), "{:?}", diags.iter().next());
        let op = ir.walk(ir.root())[1];
        assert_eq!(
            file_position(&ctx, ir.loc(op)).map(|place| place.1),
            Some(1)
        );
        let error = Diagnostic::new(Severity::Error, ir.loc(op), "called from very far away");
        assert!(render(&ctx, &error, Style::Plain).contains("a:1:1"));
        let options = PrintOptions {
            locations: Locations::Aliased,
            ..PrintOptions::mlir_generic()
        };
        let printed = print(&ir, ir.root(), &options);
        assert!(
            printed.matches(" = loc(").count() > deep,
            "one definition each"
        );
        let again = parse_source(
            &ctx,
            "deep.mlir",
            &printed,
            &ParseOptions::allowing_unregistered(),
        );
        assert!(!again.diags.has_errors());
        assert_eq!(print(&again.ir, again.ir.root(), &options), printed);
    }
}

/// Locations in one another without aliases, each kind as the first and as the last part of the next.
#[test]
fn locations_nest_deep_in_one_line() {
    let deep = 100_000;
    let kinds: [(&str, &str); 6] = [
        ("\"n\"(", ")"),
        ("callsite(", " at \"b\")"),
        ("callsite(\"b\" at ", ")"),
        ("fused<1>[\"x\", fused<2>[", ", \"y\"]]"),
        ("fused[\"x\", ", "]"),
        ("fused<1>[fused[\"y\"], ", ", \"z\"]"),
    ];
    for (open, close) in kinds {
        let ctx = context();
        let text = format!(
            "\"f\"() : () -> () loc({}\"a\":1:1{})\n",
            open.repeat(deep),
            close.repeat(deep)
        );
        let read = |text: &str| {
            let parsed = parse_source(
                &ctx,
                "deep.mlir",
                text,
                &ParseOptions::allowing_unregistered(),
            );
            assert!(
                !parsed.diags.has_errors(),
                "{open}: {:?}",
                parsed.diags.iter().next()
            );
            parsed.ir
        };
        let ir = read(&text);
        assert!(file_position(&ctx, ir.loc(ir.walk(ir.root())[1])).is_some());
        for locations in [Locations::Aliased, Locations::Inline] {
            let options = PrintOptions {
                locations,
                ..PrintOptions::mlir_generic()
            };
            let printed = print(&ir, ir.root(), &options);
            assert!(!printed.contains("nested too deep"));
            let again = read(&printed);
            assert_eq!(print(&again, again.root(), &options), printed, "{open}");
        }
    }
}

/// Text before all levels, that opens one, in the innermost, that closes one, and after all.
type Levels = [&'static str; 5];

#[test]
fn a_thousand_levels_are_read_in_every_form() {
    const FORMS: &[Levels] = &[
        [
            "",
            "\"a\"() ({\n",
            "\"x\"() : () -> ()\n",
            "}) : () -> ()\n",
            "",
        ],
        ["\"a\"() {x = ", "[", "1", "]", "} : () -> ()"],
        ["\"a\"() {x = ", "{x = ", "1", "}", "} : () -> ()"],
        ["\"a\"() <{x = ", "[", "1", "]", "}> : () -> ()"],
        ["\"a\"() {x = #b.c", "<[", "", "]>", "} : () -> ()"],
        ["%0 = \"a\"() : () -> ", "tuple<", "i32", ">", ""],
        ["\"a\"() {x = ", "() -> (", "i32", ")", "} : () -> ()"],
        ["\"a\"() {x = ", "(", "i32", ") -> ()", "} : () -> ()"],
        ["%0 = \"a\"() : () -> ", "memref<4x", "i32", ">", ""],
        ["%0 = \"a\"() : () -> ", "!a.b<", "i32", ">", ""],
        [
            "\"a\"() {x = affine_map<(d0) -> (",
            "(",
            "d0",
            ")",
            ")>} : () -> ()",
        ],
        [
            "\"a\"() {x = affine_map<(d0) -> (",
            "(",
            "d0",
            " floordiv 3 + 1)",
            ")>} : () -> ()",
        ],
        [
            "\"a\"() {x = affine_map<(d0) -> (",
            "-",
            "d0",
            "",
            ")>} : () -> ()",
        ],
        [
            "\"a\"() {x = affine_set<(d0) : (",
            "(",
            "d0",
            ")",
            " >= 0)>} : () -> ()",
        ],
        ["\"a\"() : () -> () loc(", "\"a\"(", "\"f\":1:1", ")", ")"],
        [
            "\"a\"() : () -> () loc(",
            "callsite(\"b\" at ",
            "\"f\":1:1",
            ")",
            ")",
        ],
        [
            "\"a\"() : () -> () loc(",
            "fused<1>[\"x\", fused<2>[",
            "\"f\":1:1",
            "]]",
            ")",
        ],
    ];
    let levels = 1000;
    let check = |text: &str| {
        let ctx = context();
        let options = ParseOptions::allowing_unregistered();
        let parsed = parse_source(&ctx, "deep.mlir", text, &options);
        let first = parsed.diags.iter().next().map(|diag| diag.message.clone());
        assert_eq!(first, None, "{}", &text[..text.len().min(60)]);
        digest(&ctx, text, &options);
    };
    for [head, open, inside, close, tail] in FORMS {
        let (open, close) = (open.repeat(levels), close.repeat(levels));
        check(&format!("{head}{open}{inside}{close}{tail}\n"));
    }
    let (ones, extents) = ("1x".repeat(levels), "[".repeat(levels));
    let closed = "]".repeat(levels);
    check(&format!(
        "\"a\"() {{x = dense<{extents}1{closed}> : tensor<{ones}i32>}} : () -> ()\n"
    ));
    let aliases: String = (0..levels)
        .map(|level| format!("#a{} = [#a{level}]\n", level + 1))
        .collect();
    check(&format!(
        "#a0 = 1\n{aliases}\"a\"() {{x = #a{levels}}} : () -> ()\n"
    ));
}

#[test]
fn a_file_of_errors_stops_after_some() {
    let text = "\"a\"( : \n".repeat(5000);
    let parsed = parse_source(
        &context(),
        "bad.mlir",
        &text,
        &ParseOptions::allowing_unregistered(),
    );
    assert!(
        (50..=200).contains(&parsed.diags.error_count()),
        "{}",
        parsed.diags.error_count()
    );
}

/// Quadratic work takes 400 times as long for 20 times as many keys: a clock tells that, whatever else the machine does.
#[test]
fn keys_of_a_dictionary_may_come_in_any_order() {
    let shortest = |keys: usize| {
        let entries: Vec<String> = (0..keys).map(|at| format!("k{at} = {at} : i32")).collect();
        let text = format!("\"t.r\"() {{{}}} : () -> ()\n", entries.join(", "));
        let time = || {
            let ctx = Arc::new(Context::new());
            let start = std::time::Instant::now();
            let options = ParseOptions::allowing_unregistered();
            assert!(
                !parse_source(&ctx, "t.mlir", &text, &options)
                    .diags
                    .has_errors()
            );
            start.elapsed()
        };
        (0..3).map(|_| time()).min().expect("three of them")
    };
    let (few, many) = (shortest(5_000), shortest(100_000));
    assert!(
        many < 100 * few,
        "5,000 keys take {few:?}, 100,000 take {many:?}"
    );
}
