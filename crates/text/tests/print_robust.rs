//! Every program that can be read can be verified and printed without a panic, and the printed text reads back as the same text.

use segra_ir::constraint::*;
use segra_ir::verify::{Unregistered, VerifyOptions, verify_op};
use segra_ir::*;

use segra_random::SplitMix64;
use segra_text::printer::{Form, Locations, NamePolicy};
use segra_text::{ParseOptions, PrintOptions, parse_source, print};
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
    traits(IsolatedFromAbove, NoTerminator),
    format = "`(` $inits `)` (`to` $bound^ `:` type($bound))? (`hot` $hot^)? $body attr-dict `:` functional-type($inits, $outs)"
)]
pub struct LoopOp {
    inits: VariadicOperand<AnyType>,
    bound: OptionalOperand<Index>,
    hot: OptionalAttr<UnitAttr>,
    body: BlockRegion,
    outs: VariadicResult<AnyType>,
}

/// A symbol.
#[op("r.sym", traits(Symbol), format = "$sym_name `=` $size attr-dict")]
pub struct SymOp {
    sym_name: Attr<SymbolNameAttr>,
    size: Attr<I64Attr>,
}

/// A branch.
#[op(
    "r.br",
    traits(Terminator),
    format = "$dest (`(` $passed^ `:` type($passed) `)`)? attr-dict"
)]
pub struct BrOp {
    passed: VariadicOperand<AnyType>,
    dest: Successor,
}

const CUSTOM: &str = r#"#map = affine_map<(d0) -> (d0 + 1)>
"builtin.module"() ({
  r.sym @a = 4 {note = #map}
  r.sym @"b c" = -7
  %x:2, %y = "t.source"() : () -> (i32, index, memref<4xf32, #map>)
  %sum = r.add %x#0, %x#0 : i32
  %r:2 = r.loop(%sum, %y) to %x#1 : index hot {
  ^entry(%i: i32, %m: memref<4xf32, #map>):
    %sum = r.add %i, %i {z, a = 1.5 : f64} : i32
  } {k = "v"} : (i32, memref<4xf32, #map>) -> (i32, index)
  "t.body"(%r#1) ({
    r.br ^two(%sum : i32)
  ^two(%arg0: i32):
    r.br ^bb7
  ^bb7:
    r.br ^two(%arg0 : i32)
  }) : (index) -> ()
}) : () -> ()
"#;

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    let ops = vec![AddOp::DEF, LoopOp::DEF, SymOp::DEF, BrOp::DEF];
    ctx.register(Dialect {
        name: "r",
        ops,
        ..Dialect::default()
    });
    assert_eq!(segra_text::check_formats(&ctx), [""; 0]);
    ctx
}

fn styles() -> Vec<PrintOptions> {
    let mut styles = Vec::new();
    for form in [Form::Custom, Form::Generic] {
        for names in [NamePolicy::Kept, NamePolicy::Numbered] {
            for locations in [Locations::Hidden, Locations::Aliased, Locations::Inline] {
                styles.push(PrintOptions {
                    form,
                    names,
                    locations,
                    ..PrintOptions::default()
                });
            }
        }
    }
    styles
}

/// Reads, verifies and prints in every style; returns whether the text was sound.
fn exercise(text: &str) -> bool {
    let ctx = context();
    let parsed = parse_source(&ctx, "input", text, &ParseOptions::allowing_unregistered());
    let ir = &parsed.ir;
    let mut diags = Diagnostics::new();
    verify_op(
        ir,
        ir.root(),
        &VerifyOptions {
            unregistered: Unregistered::Allow,
        },
        &mut diags,
    );
    for diagnostic in diags.iter().chain(parsed.diags.iter()) {
        diag::render::render(&ctx, diagnostic, diag::render::Style::Coloured);
    }
    let sound = !parsed.diags.has_errors() && diags.is_empty();
    for style in styles() {
        let printed = print(ir, ir.root(), &style);
        if sound {
            let again = context();
            let read = parse_source(
                &again,
                "input",
                &printed,
                &ParseOptions::allowing_unregistered(),
            );
            let errors: Vec<_> = read
                .diags
                .iter()
                .map(|it| diag::render::render(&again, it, diag::render::Style::Plain))
                .collect();
            assert!(
                !read.diags.has_errors(),
                "{errors:?}\n{text}\n--- printed ---\n{printed}"
            );
            let reprinted = print(&read.ir, read.ir.root(), &style);
            assert_eq!(reprinted, printed, "{text}");
        }
    }
    sound
}

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound.max(1) as u64) as usize
    }
}

/// Words, numbers, names and single characters of a text.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%' | '@' | '^' | '#');
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        pieces.push(&rest[..length]);
        rest = &rest[length..];
    }
    pieces
}

#[test]
fn seeds_survive_every_style() {
    assert!(exercise(CUSTOM));
    for name in [
        "structure_and_locations.generic",
        "types_and_attributes.debuginfo",
    ] {
        let path = format!("{}/tests/mlir/{name}", env!("CARGO_MANIFEST_DIR"));
        assert!(exercise(
            &std::fs::read_to_string(path).expect("golden file")
        ));
    }
}

#[test]
fn a_custom_form_reads_back_byte_for_byte_through_the_generic_form() {
    let ctx = context();
    let read =
        |text: &str| parse_source(&ctx, "input", text, &ParseOptions::allowing_unregistered()).ir;
    let style = |form| PrintOptions {
        form,
        ..PrintOptions::default()
    };
    let first = read(CUSTOM);
    let custom = print(&first, first.root(), &style(Form::Custom));
    let generic = print(&first, first.root(), &style(Form::Generic));
    let through = read(&generic);
    assert_eq!(
        print(&through, through.root(), &style(Form::Custom)),
        custom
    );
}

#[test]
fn mutated_programs_never_panic_and_read_back_where_they_are_sound() {
    let mut random = Random(SplitMix64::new(7));
    let all = pieces(CUSTOM);
    let mut sound = 0;
    for _ in 0..1500 {
        let mut mutated = all.clone();
        for _ in 0..1 + random.below(3) {
            let (at, from) = (random.below(mutated.len()), random.below(all.len()));
            match random.below(4) {
                0 => mutated[at] = all[from],
                1 => mutated.insert(at, all[from]),
                2 => drop(mutated.remove(at)),
                _ => {
                    let other = from.min(mutated.len() - 1);
                    mutated.swap(at, other);
                }
            }
        }
        sound += usize::from(exercise(&mutated.concat()));
    }
    assert!(sound > 20, "{sound} mutants were sound");
}
