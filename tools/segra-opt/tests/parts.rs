//! Parts of a file (`--split-input-file`) cost what they contain, however many come before: counted in bytes asked for.

use allocation_counter::measure;
use segra_opt::Tool;
use std::ffi::OsString;
use std::process::ExitCode;

/// Bytes asked for to read so many parts of 20,000 lines each.
fn asked(parts: usize) -> u64 {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (from, to) = (
        folder.path().join("in.mlir"),
        folder.path().join("out.mlir"),
    );
    let part = "\n".repeat(20_000) + "// expected-error@+1 {{t.r}}\n\"t.r\"() : () -> ()\n";
    std::fs::write(&from, vec![part; parts].join("// -----")).expect("can be written");
    let mut args: Vec<OsString> = [
        "segra-opt",
        "--split-input-file",
        "--verify-diagnostics",
        "-o",
    ]
    .map(OsString::from)
    .into();
    args.extend([OsString::from(to), OsString::from(from)]);
    let mut code = None;
    let asked = measure(|| code = Some(Tool::segra().run(args)));
    assert_eq!(
        code,
        Some(ExitCode::SUCCESS),
        "diagnostics are where they are expected"
    );
    asked.bytes_total
}

#[test]
fn many_parts_take_linear_work() {
    let (few, many) = (asked(20), asked(200));
    assert!(
        many < 12 * few,
        "20 parts ask for {few} bytes, 200 for {many}"
    );
}
