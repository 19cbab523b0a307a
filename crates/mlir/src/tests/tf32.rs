//! Numbers that an instruction rounds to `tf32`.

use super::{assemble, kernel, ptx, refusal};
use segra_worker::{Chip, ErrorCode, Target};

/// Rounds a number in this way, and stores what it is widened to twice.
fn rounding(mode: &str, narrow: &str) -> String {
    let body = format!(
        "%v = memref.load %x[%i] : memref<?xf32>\n\
         %t = arith.truncf %v {mode} : f32 to {narrow}\n\
         %y = arith.extf %t : {narrow} to f32\n\
         %z = arith.extf %t : {narrow} to f32\n\
         %s = arith.addf %y, %z : f32\n\
         memref.store %s, %x[%i] : memref<?xf32>"
    );
    kernel("%x: memref<?xf32>, %i: index", &body)
}

#[test]
fn one_instruction_rounds_to_tf32() {
    for (mode, opcode) in [
        ("", "cvt.rn.tf32.f32"),
        ("to_nearest_even", "cvt.rn.tf32.f32"),
        ("toward_zero", "cvt.rz.tf32.f32"),
    ] {
        let ptx = ptx(&rounding(mode, "tf32"), Chip::SM_90);
        assert!(ptx.contains(opcode), "{ptx}");
        assemble(&ptx, Chip::SM_90);
    }
}

#[test]
fn other_roundings_are_refused() {
    for (mode, narrow, chip, part) in [
        (
            "to_nearest_away",
            "tf32",
            Chip::SM_90,
            "to nearest, ties to even, or toward zero",
        ),
        (
            "upward",
            "tf32",
            Chip::SM_90,
            "to nearest, ties to even, or toward zero",
        ),
        (
            "to_nearest_even",
            "tf32",
            Chip::SM_80,
            "needs sm_90, the target is sm_80",
        ),
        (
            "to_nearest_even",
            "f8E5M2",
            Chip::SM_90,
            "`f8E5M2`, which has no arithmetic",
        ),
    ] {
        let error = refusal(&rounding(mode, narrow), &Target::new(chip));
        assert_eq!(error.code, ErrorCode::Unsupported, "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
    // The same in several places is said of each, twice of one place once.
    let twice = rounding("upward", "tf32").replace(
        "%z = arith.extf %t : tf32 to f32",
        "%z = arith.extf %t : tf32 to f32 loc(\"here\":1:1)\n%p = arith.truncf %v upward : f32 to tf32 loc(\"here\":1:1)\n\
         %q = arith.truncf %v upward : f32 to tf32 loc(\"here\":1:1)",
    );
    let error = refusal(&twice, &Target::new(Chip::SM_90));
    assert_eq!(error.diagnostics.len(), 2, "{error}");
    // It is widened, or it is nothing.
    let stored = "%v = memref.load %x[%i] : memref<?xf32>\n\
                  %t = arith.truncf %v : f32 to tf32\n\
                  memref.store %t, %y[%i] : memref<?xtf32>";
    let stored = kernel("%x: memref<?xf32>, %y: memref<?xtf32>, %i: index", stored);
    let error = refusal(&stored, &Target::new(Chip::SM_90));
    assert_eq!(error.code, ErrorCode::Unsupported, "{error}");
}
