//! The list of supported instructions: every form of it is read, and the page made from it is current.

use crate::common::kernel;
use segra_ptx::{Module, supported};
use std::path::Path;

/// The instruction a form with its choices made stands for, with registers for the letters of its operands.
pub(crate) fn instruction(form: &str) -> String {
    let (opcode, operands) = form.split_once(' ').unwrap_or((form, ""));
    let mut out = String::from(opcode);
    out.push(' ');
    let mut number = 0;
    let characters: Vec<char> = operands.chars().collect();
    for (at, &c) in characters.iter().enumerate() {
        let alone = |c: Option<&char>| c.is_none_or(|c| !c.is_alphanumeric());
        let word = !alone(characters.get(at + 1)) || at > 0 && !alone(characters.get(at - 1));
        if word || !"hrdqfgpiasLT".contains(c) {
            out.push(c);
            continue;
        }
        number += 1;
        out += &match c {
            'h' => format!("%rs{number}"),
            'r' => format!("%r{number}"),
            'd' => format!("%rd{number}"),
            'q' => format!("%q{number}"),
            'f' => format!("%f{number}"),
            'g' => format!("%fd{number}"),
            'p' => format!("%p{number}"),
            'i' => "1".to_owned(),
            'a' => format!("[%rd{number}+16]"),
            's' => format!("[%r{number}]"),
            other => other.to_string(),
        };
    }
    out.push(';');
    out
}

#[test]
fn every_documented_form_is_read() {
    let mut count = 0;
    let mut failures = Vec::new();
    for form in supported::SECTIONS.iter().flat_map(|section| section.forms) {
        for one in supported::expand(form) {
            count += 1;
            let text = instruction(&one);
            let body = format!(".reg .b128 %q<32>;\nL: T: .branchtargets L;\n{text}");
            let functions = ".func function() { ret; }\n.func (.reg .b32 o) function1 (.reg .b32 i) { mov.u32 o, i; ret; }\n.visible";
            let module = kernel("k", "", &body).replace(".visible", functions);
            // No target has all of them.
            let later = module.replace("sm_90a", "sm_100a");
            if let Err(errors) = Module::parse(&module)
                && Module::parse(&later).is_err()
            {
                failures.push(format!("`{one}`: {}", errors[0]));
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {count}:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(count > 1500, "{count}");
}

#[test]
fn the_page_of_supported_instructions_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/ptx-isa.md");
    let wanted = supported::page();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &wanted).expect("docs are writable");
    }
    let have = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        have == wanted,
        "docs/ptx-isa.md is out of date: run this test with BLESS=1"
    );
}
