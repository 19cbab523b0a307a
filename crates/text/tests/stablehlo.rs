//! Generic StableHLO text as JAX exports it is read and written back, without the dialect being known.
//!
//! `data/stablehlo/*.mlir` were made by `data/stablehlo/export.py` with JAX 0.10.2 (`.dbg`: with locations). The ignored
//! test installs that JAX into an environment of its own (about 100 MB from the network), exports anew, and checks what
//! comes out: `cargo test -p segra-ir --test stablehlo -- --ignored`.

use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{Context, Diagnostics};
use segra_text::printer::Locations;
use segra_text::{ParseOptions, PrintOptions, Unregistered, parse_source, print};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

fn round_trip(text: &str, locations: Locations) -> String {
    let ctx = Arc::new(Context::new());
    let parsed = parse_source(
        &ctx,
        "export.mlir",
        text,
        &ParseOptions::allowing_unregistered(),
    );
    let mut diags = Diagnostics::new();
    diags.extend(parsed.diags);
    let ir = parsed.ir;
    verify_op(
        &ir,
        ir.root(),
        &VerifyOptions {
            unregistered: Unregistered::Allow,
        },
        &mut diags,
    );
    assert!(!diags.has_errors(), "{diags:#?}");
    print(
        &ir,
        ir.root(),
        &PrintOptions {
            locations,
            ..PrintOptions::mlir_generic()
        },
    )
}

/// Every line is written as it was read, but for booleans in hexadecimal: JAX's MLIR writes a byte for each, 22 a bit.
fn check(folder: &Path) {
    let files = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("a file").path());
    let files: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|ext| ext == "mlir"))
        .collect();
    assert!(files.len() >= 10, "{files:?}");
    for path in files {
        let text = std::fs::read_to_string(&path).expect("readable");
        let locations = match path.to_string_lossy().ends_with(".dbg.mlir") {
            true => Locations::Aliased,
            false => Locations::Hidden,
        };
        let ours = round_trip(&text, locations);
        assert_eq!(round_trip(&ours, locations), ours, "{}", path.display());
        assert_eq!(
            ours.lines().count(),
            text.trim_end().lines().count(),
            "{}",
            path.display()
        );
        for (theirs, ours) in text.lines().zip(ours.lines()) {
            let packed = ours.contains("dense<\"0x") && ours.contains("xi1>}");
            assert!(
                packed || ours == theirs,
                "{}:\n{theirs}\n{ours}",
                path.display()
            );
        }
    }
}

#[test]
fn programs_of_jax_survive() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stablehlo"));
}

#[test]
#[ignore = "installs JAX from the network"]
fn programs_of_a_fresh_jax_survive() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("jax");
    let exports = folder.join("exports");
    std::fs::create_dir_all(&exports).expect("made");
    let run = |program: &Path, args: &[&str]| {
        let status = Command::new(program)
            .args(args)
            .current_dir(&folder)
            .status()
            .expect("it starts");
        assert!(status.success(), "{} {args:?}", program.display());
    };
    let python = folder.join("venv/bin/python");
    if !python.is_file() {
        run(Path::new("python3"), &["-m", "venv", "venv"]);
        run(&python, &["-m", "pip", "install", "--quiet", "jax==0.10.2"]);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stablehlo/export.py");
    run(&python, &[&script.to_string_lossy(), "exports"]);
    check(&exports);
}
