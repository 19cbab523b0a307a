//! `expand-tf32`: bits as `arith.truncf` has them, in every rounding mode, and numbers of `tf32` that are more than a rounding.

mod support;

use segra_device::ExpandTf32;
use segra_interp::{Datum, Interpreter};
use segra_ir::Ir;
use segra_pass::analysis::Analyses;
use segra_pass::{Pass, PassContext, Statistics};
use support::{apply, parse};

const MODES: [&str; 5] = [
    "to_nearest_even",
    "to_nearest_away",
    "toward_zero",
    "upward",
    "downward",
];

fn rounded(ir: &Ir, name: &str, bits: u32) -> f32 {
    let value = [Datum::F32(f32::from_bits(bits))];
    let results = Interpreter::new(ir).call(name, &value);
    match results.map(|results| results.first().cloned()) {
        Ok(Some(Datum::F32(value))) => value,
        other => panic!("{name} of {bits:#x}: {other:?}"),
    }
}

/// Numbers around those that `tf32` has, of all magnitudes, and what is no number.
fn bits() -> impl Iterator<Item = u32> {
    let kept = (0..1u32 << 19).step_by(509).chain([
        0, 1, 0x3f, 0x3ff, 0x400, 0x3fbff, 0x3fc00, 0x3fe00, 0x3ffff, 0x40000, 0x40001, 0x7fbff,
        0x7fc00, 0x7fe00, 0x7ffff,
    ]);
    kept.flat_map(|kept| [0, 1, 0xfff, 0x1000, 0x1001, 0x1fff].map(|dropped| kept << 13 | dropped))
}

#[test]
fn bits_are_those_of_a_rounding() {
    let functions: String = MODES
        .iter()
        .map(|mode| {
            format!(
                "func.func @{mode}(%x: f32) -> f32 {{
                   %y = arith.truncf %x {mode} : f32 to tf32
                   %z = arith.extf %y : tf32 to f32
                   func.return %z : f32
                 }}\n"
            )
        })
        .collect();
    let before = parse(&functions);
    let mut after = parse(&functions);
    apply(&ExpandTf32::default(), &mut after);
    for mode in MODES {
        for bits in bits() {
            let (x, y) = (rounded(&before, mode, bits), rounded(&after, mode, bits));
            let same = x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
            assert!(same, "{mode} of {bits:#x}: {x:e}, expanded {y:e}");
        }
    }
}

#[test]
fn arithmetic_in_tf32_is_refused() {
    let mut ir = parse(
        "func.func @f(%x: f32) -> f32 {
           %y = arith.truncf %x : f32 to tf32
           %sum = arith.addf %y, %y : tf32
           %z = arith.extf %sum : tf32 to f32
           func.return %z : f32
         }",
    );
    let mut diags = segra_ir::Diagnostics::new();
    let (mut analyses, mut statistics) = (Analyses::new(), Statistics::default());
    let root = ir.root();
    let mut cx = PassContext::new("expand-tf32", &mut diags, &mut analyses, &mut statistics);
    assert!(ExpandTf32::default().run(&mut ir, root, &mut cx).is_err());
    let text = support::rendered(ir.ctx(), &diags);
    assert!(
        text.contains("program:3:") && text.contains("devices only round to `tf32`"),
        "{text}"
    );
}
