//! CUDA's device library: what is linked from it, and every way it can be missing.

use super::{CHIPS, assemble, kernel, refusal};
use crate::compile::compile;
use segra_worker::{ErrorCode, Stage, Target};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A kernel that stores `function` of its argument, which is written on line 7 of a source file.
fn of(function: &str, ty: &str) -> String {
    let body = format!(
        "%c0 = arith.constant 0 : index\n\
         %r = math.{function} %x : {ty} loc(\"user.segra\":7:3)\n\
         memref.store %r, %y[%c0] : memref<?x{ty}>"
    );
    kernel(&format!("%x: {ty}, %y: memref<?x{ty}>"), &body)
}

fn linked(path: &Path) -> Vec<Target> {
    CHIPS
        .iter()
        .map(|&chip| Target {
            libdevice: Some(path.to_owned()),
            ..Target::new(chip)
        })
        .collect()
}

fn library() -> PathBuf {
    segra_tests::ptxas::libdevice().expect("tools/setup fetches it")
}

#[test]
fn functions_are_linked_from_the_library() {
    for target in linked(&library()) {
        for (function, ty) in [
            ("erf", "f32"),
            ("erf", "f64"),
            ("asinh", "f64"),
            ("exp2", "f32"),
            ("tanh", "f16"),
        ] {
            let text = of(function, ty);
            let ptx = compile(&text, &target, Stage::Ptx, 1)
                .unwrap_or_else(|error| panic!("{function}: {error}"))
                .text;
            assert!(
                !ptx.contains(".extern .func") && !ptx.contains("call"),
                "{function} of {ty}: {ptx}"
            );
            assemble(&ptx, target.chip);
        }
    }
}

#[test]
fn approximations_stay_instructions_where_an_op_allows_them() {
    let approximate = of("log2", "f32").replace("%x : f32", "%x fastmath<afn> : f32");
    for target in linked(&library()) {
        let instructions = |text: &str| {
            let ptx = compile(text, &target, Stage::Ptx, 1)
                .unwrap_or_else(|error| panic!("{error}"))
                .text;
            ptx.lines()
                .filter(|line| line.starts_with('\t') && line.ends_with(';'))
                .count()
        };
        // The library's is a polynomial.
        assert!(
            instructions(&approximate) < instructions(&of("log2", "f32")),
            "{}",
            target.chip
        );
    }
}

#[test]
fn without_the_library_its_functions_are_refused_and_it_is_named() {
    for chip in CHIPS {
        let error = refusal(&of("erf", "f64"), &Target::new(chip));
        assert_eq!(error.code, ErrorCode::Unsupported, "{error}");
        assert!(
            error.diagnostics[0].message.contains("libdevice"),
            "{error}"
        );
    }
    // It has nothing for vectors.
    let text = of("erf", "vector<4xf32>");
    for target in linked(&library()) {
        assert_eq!(refusal(&text, &target).code, ErrorCode::Unsupported);
    }
}

#[test]
fn a_file_that_is_no_library_is_refused_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    // Neither spaces nor commas nor quotes in a path matter.
    let path = folder.path().join("a \"library\", with {braces}.bc");
    let found = |path: &Path| {
        let error = refusal(&of("erf", "f32"), &linked(path)[0]);
        (error.code, error.to_string())
    };
    let (code, text) = found(&path);
    assert!(
        code == ErrorCode::Library
            && text.contains("cannot be read")
            && text.contains("with {braces}.bc"),
        "{text}"
    );
    for wrong in ["", "BC", "not bitcode at all"] {
        std::fs::write(&path, wrong).unwrap();
        let (code, text) = found(&path);
        assert!(
            code == ErrorCode::Library && text.contains("is not LLVM bitcode"),
            "{wrong}: {text}"
        );
    }
    std::fs::write(&path, b"BC\xc0\xdegarbage").unwrap();
    let (code, text) = found(&path);
    assert!(
        code == ErrorCode::Pipeline && text.contains("bitcode"),
        "{text}"
    );
    std::fs::copy(library(), &path).unwrap();
    compile(&of("erf", "f32"), &linked(&path)[0], Stage::Ptx, 1)
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_function_that_the_file_lacks_is_an_error_at_the_op() {
    let folder = tempfile::tempdir().unwrap();
    let (source, path) = (
        folder.path().join("other.ll"),
        folder.path().join("other.bc"),
    );
    std::fs::write(
        &source,
        "define float @__nv_sinf(float %x) {\n  ret float %x\n}\n",
    )
    .unwrap();
    let assembler = segra_tests::upstream::on_path("llvm-as-22").expect("comes with LLVM 22");
    assert!(
        Command::new(assembler)
            .arg(&source)
            .arg("-o")
            .arg(&path)
            .status()
            .unwrap()
            .success()
    );
    let target = &linked(&path)[0];
    compile(&of("sin", "f32"), target, Stage::Ptx, 1).unwrap_or_else(|error| panic!("{error}"));
    // The same op of the source twice, as in two versions of a kernel, is one error.
    let twice = "%q = math.erf %r : f32 loc(\"user.segra\":7:3)\nmemref.store %q";
    let error = refusal(&of("erf", "f32").replace("memref.store %r", twice), target);
    assert_eq!(error.code, ErrorCode::UnresolvedSymbol, "{error}");
    assert_eq!(error.diagnostics.len(), 1, "{error}");
    assert_eq!(error.diagnostics[0].location.to_string(), "user.segra:7:3");
    assert_eq!(
        error.diagnostics[0].message,
        "`math.erf` calls `__nv_erff`, which nothing defines"
    );
}
