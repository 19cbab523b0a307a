//! Loads with hints: inline PTX with what the target has for them.

use super::{CHIPS, assemble, kernel, ptx, refusal};
use segra_worker::{Chip, ErrorCode, Target};

/// A load with a hint, of an element or of a vector, and a store of what it loads.
fn load(hint: &str, element: &str, lanes: u32) -> String {
    let array = format!("memref<?x{element}>");
    let attribute = format!("{{segra.load_hint = \"{hint}\"}}");
    let body = match lanes {
        1 => format!(
            "%v = memref.load %x[%i] {attribute} : {array}\nmemref.store %v, %y[%i] : {array}"
        ),
        _ => format!(
            "%v = vector.load %x[%i] {attribute} : {array}, vector<{lanes}x{element}>\n\
             vector.store %v, %y[%i] : {array}, vector<{lanes}x{element}>"
        ),
    };
    let signature = format!("%x: {array}, %y: {array}, %i: index");
    kernel(&signature, &body)
}

#[test]
fn hints_are_modifiers_of_loads_of_all_widths() {
    for (element, lanes, form) in [
        ("f16", 1, ".b16 "),
        ("i16", 1, ".b16 "),
        ("f32", 1, ".b32 "),
        ("i64", 1, ".b64 "),
        ("f64", 1, ".b64 "),
        ("bf16", 2, ".b32 "),
        ("f16", 4, ".v2.b32 {"),
        ("f16", 8, ".v4.b32 {"),
        ("f32", 4, ".v4.b32 {"),
        ("f64", 2, ".v4.b32 {"),
    ] {
        for chip in CHIPS {
            let first = match chip {
                Chip::SM_90 => "ld.global.nc.L1::no_allocate",
                _ => "ld.global.cg",
            };
            for (hint, opcode) in [("l2", first), ("streaming", "ld.global.cs.nc")] {
                let ptx = ptx(&load(hint, element, lanes), chip);
                let wanted = format!("{opcode}{form}");
                assert!(ptx.contains(&wanted), "no {wanted} for {chip}:\n{ptx}");
                assemble(&ptx, chip);
            }
        }
    }
}

#[test]
fn hints_that_no_instruction_has_are_refused() {
    for text in [
        load("l3", "f32", 1),
        load("l2", "i8", 1),
        load("l2", "f32", 8),
        load("l2", "f32", 1).replace(
            "memref.store %v, %y[%i]",
            "memref.store %v, %y[%i] {segra.load_hint = \"l2\"}",
        ),
    ] {
        let error = refusal(&text, &Target::new(Chip::SM_90));
        assert_eq!(error.code, ErrorCode::KernelContract, "{text}: {error}");
        assert!(error.to_string().contains("segra.load_hint"), "{error}");
    }
}
