//! Limits of what the tool takes: programs without end, files without end, names of every kind. Nothing hangs, nothing is
//! lost, and what comes from a file does not command the terminal.

#[allow(dead_code, reason = "other tests use more of it")]
mod support;

use segra_artifact::{Access, Artifact, KernelParam};
use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};
use support::{command, segra};

const ENDLESS: &str = "func.func @main(%x: i32) -> i32 {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  %r = scf.while (%v = %x) : (i32) -> (i32) {
    scf.condition(%true) %v : i32
  } do {
  ^bb0(%v: i32):
    %w = arith.addi %v, %c1 : i32
    scf.yield %w : i32
  }
  func.return %r : i32
}
";

fn doubling(function: &str) -> String {
    format!(
        "func.func @{function}(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {{
  %ys = array.map (%x in %xs : [n]f32) {{
    %d = arith.addf %x, %x : f32
    array.yield %d : f32
  }}
  func.return %ys : !array.array<[n]f32>
}}
"
    )
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("can be written");
    }
    folder
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs a program on the simulator.
fn run(folder: &Path, file: &str, rest: &[&str]) -> Output {
    segra(folder, &[&["run", file, "--device", "sim"], rest].concat())
}

#[test]
fn an_endless_loop_ends_at_a_limit_and_says_where_it_was() {
    let folder = folder(&[("endless.mlir", ENDLESS)]);
    let steps = run(
        folder.path(),
        "endless.mlir",
        &["--input", "3", "--step-limit", "1000"],
    );
    assert_eq!(steps.status.code(), Some(1));
    assert!(
        err(&steps).contains("endless.mlir:4:8: error: the host plan ran more than 1000"),
        "{}",
        err(&steps)
    );
    let time = run(
        folder.path(),
        "endless.mlir",
        &["--input", "3", "--time-limit", "0.2"],
    );
    assert_eq!(time.status.code(), Some(1));
    assert!(
        err(&time).contains("the time limit of 0.2 s is reached on the host at endless.mlir:"),
        "{}",
        err(&time)
    );
    for limit in ["0", "-1", "nan", "inf", "x"] {
        let refused = run(
            folder.path(),
            "endless.mlir",
            &["--input", "3", &format!("--time-limit={limit}")],
        );
        assert_eq!(refused.status.code(), Some(2), "{limit}");
    }
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn commands_of_many_runs_end_at_a_limit() {
    // A reduction has thresholds.
    let program = ENDLESS
        .replace(
            "(%x: i32) -> i32",
            "(%xs: !array.array<[n]i32>) -> (i32, i32)",
        )
        .replace("(%v = %x)", "(%v = %c1)")
        .replace(
            "  func.return %r : i32",
            "  %s = array.reduce (%xs : [n]i32) init (%c1 : i32) combine arith.addi
  func.return %r, %s : i32, i32",
        );
    let folder = folder(&[("endless.mlir", &program)]);
    let commands: [(&[&str], &str); 3] = [
        (&["bench", "--data", "[3]"], "data sets are measured"),
        (&["tune", "--data", "[3]"], "thresholds are searched for"),
        (
            &["bisect", "--input", "[3]"],
            "the wrong kernel is searched for",
        ),
    ];
    for (command, what) in commands {
        let args = [
            command,
            &["endless.mlir", "--device", "sim", "--time-limit", "1"],
        ]
        .concat();
        let ended = segra(folder.path(), &args);
        assert_eq!(ended.status.code(), Some(1), "{}", err(&ended));
        let message = format!("segra: error: the time limit of 1 s is reached while {what}");
        assert!(err(&ended).contains(&message), "{}", err(&ended));
    }
}

/// A scalar's file, as numpy writes it.
fn scalar_file() -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = format!(
        "{:117}\n",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (), }"
    );
    bytes.extend(header.bytes());
    bytes.extend(3i32.to_le_bytes());
    bytes
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_interrupted_says_where_it_was() {
    let folder = folder(&[("endless.mlir", ENDLESS)]);
    let fifo = folder.path().join("x.npy");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&fifo)
            .status()
            .expect("mkfifo starts")
            .success()
    );
    let args = ["run", "endless.mlir", "--device", "sim", "--input", "x.npy"];
    let child = command(folder.path(), &args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let child = child.expect("the tool starts");
    // It is opened once the program is compiled; from then on the tool only runs it.
    std::fs::OpenOptions::new()
        .write(true)
        .open(&fifo)
        .and_then(|mut file| file.write_all(&scalar_file()))
        .expect("it reads");
    std::thread::sleep(std::time::Duration::from_millis(300));
    // The shell's own kill: the program of that name is not part of a bare Debian.
    let sent = std::process::Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
    assert!(sent.expect("the shell starts").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", err(&output));
    assert!(
        err(&output).contains("segra: interrupted on the host at endless.mlir:"),
        "{}",
        err(&output)
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn functions_and_files_may_have_any_name() {
    let long = format!("{}.mlir", "n".repeat(240));
    let files = [
        long.as_str(),
        "a\"b\\c.mlir",
        "e\u{301} (1).mlir",
        "-.mlir",
        "\u{1b}[31m.mlir",
        "a\nb.mlir",
    ];
    let folder = folder(&files.map(|file| (file, "")));
    for (file, function) in files.iter().zip([
        "main",
        "\"a.b-c%e\"",
        "\"\\C3\\A9 \\22\"",
        "\"1\"",
        "\"$2e\\07\"",
        "\"a\\0Ab\"",
    ]) {
        std::fs::write(folder.path().join(file), doubling(function)).expect("can be written");
        let ran = run(
            folder.path(),
            &format!("./{file}"),
            &["--input", "[1, 2]", "--check"],
        );
        assert!(ran.status.success(), "{file} {function}: {}", err(&ran));
        assert_eq!(out(&ran), "[2.0, 4.0]\n", "{file} {function}");
        assert!(
            !err(&ran).contains(|c: char| c.is_control() && c != '\n'),
            "{:?}",
            err(&ran)
        );
        assert!(!err(&ran).contains("a\nb"), "{}", err(&ran));
    }
}

#[test]
fn diagnostics_do_not_show_names_of_files_as_they_are() {
    let names = ["e\u{1b}]0;bad\u{7}\u{202e}.mlir", "a\nb.mlir"];
    let wrong = "func.func @main() -> i32 {\n  func.return\n}\n";
    let folder = folder(&names.map(|name| (name, wrong)));
    let shown = |args: &[&str], code: i32, part: &str| {
        let output = segra(folder.path(), args);
        let text = format!("{}{}", out(&output), err(&output));
        assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
        let obeyed = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(obeyed), "{args:?}: {text:?}");
        assert!(!text.contains("a\nb"), "{args:?}: {text:?}");
        assert!(text.contains(part), "{args:?}: {text:?}");
    };
    for (name, part) in names
        .into_iter()
        .zip(["e\\u{1b}]0;bad\\u{7}", "a\\u{a}b.mlir:2:"])
    {
        for command in ["compile", "explain", "run"] {
            shown(&[command, name], 1, part);
        }
        std::fs::write(folder.path().join(name), "").expect("can be written");
        shown(&["explain", name], 1, " is empty");
        std::fs::write(folder.path().join(name), doubling("main")).expect("can be written");
        let cut = part.trim_end_matches(":2:");
        if name.starts_with('a') {
            // Standard output is as it is where it is no terminal, but for lines of tables.
            shown(&["explain", name, "--kernels", "--decisions"], 0, cut);
        }
    }
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn results_are_shown_where_files_cannot_be_written() {
    let folder = folder(&[("double.mlir", &doubling("main"))]);
    for place in [
        ["--keep-ptx", "absent/x.ptx"],
        ["--output", "double.mlir"],
        ["--keep-ptx", "."],
    ] {
        let ran = run(
            folder.path(),
            "double.mlir",
            &[&["--input", "[1, 2]"], &place[..]].concat(),
        );
        assert_eq!(ran.status.code(), Some(1), "{place:?}");
        assert_eq!(out(&ran), "[2.0, 4.0]\n", "{place:?}");
        assert!(err(&ran).contains("error: cannot"), "{}", err(&ran));
    }
}

#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn files_without_end_are_refused() {
    let folder = folder(&[("double.mlir", &doubling("main"))]);
    for name in ["x.npy", "x.mlir"] {
        std::os::unix::fs::symlink("/dev/zero", folder.path().join(name)).expect("a link");
    }
    let input = run(folder.path(), "double.mlir", &["--input", "x.npy"]);
    assert_eq!(input.status.code(), Some(1));
    assert!(err(&input).contains("numpy's signature"), "{}", err(&input));
    let program = run(folder.path(), "x.mlir", &[]);
    assert_eq!(program.status.code(), Some(1));
    assert!(
        err(&program).contains("x.mlir is neither a program nor an artifact: byte 0 is 0"),
        "{}",
        err(&program)
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn numbers_that_are_none_are_refused() {
    let folder = folder(&[("double.mlir", &doubling("main"))]);
    let extent = run(
        folder.path(),
        "double.mlir",
        &["--input", "random:18446744073709551615"],
    );
    assert!(
        err(&extent).contains("`18446744073709551615` is not an extent"),
        "{}",
        err(&extent)
    );
    for tolerance in ["nan", "-1", "inf"] {
        let flag = format!("--tolerance={tolerance}");
        let refused = run(
            folder.path(),
            "double.mlir",
            &["--input", "[1]", "--check", &flag],
        );
        assert_eq!(refused.status.code(), Some(2), "{tolerance}");
        assert!(
            err(&refused).contains("a number that is not negative"),
            "{}",
            err(&refused)
        );
    }
}

/// An artifact of the doubling program, changed.
fn artifact(folder: &Path, change: impl FnOnce(&mut Artifact)) {
    let made = segra(
        folder,
        &[
            "compile",
            "double.mlir",
            "--target",
            "sm_90",
            "-o",
            "double.segra",
        ],
    );
    assert!(made.status.success(), "{}", err(&made));
    let mut artifact = Artifact::read(folder.join("double.segra")).expect("it is one");
    change(&mut artifact);
    artifact
        .write(folder.join("changed.segra"))
        .expect("can be written");
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn names_in_artifacts_do_not_command_the_terminal() {
    const TITLE: &str = "\u{1b}]0;pwned\u{7}\u{9b}31m\u{202e}";
    let folder = folder(&[("double.mlir", &doubling("main"))]);
    artifact(folder.path(), |artifact| {
        artifact.entries[0].name = TITLE.to_owned();
        artifact.entries[0].params[0].name = TITLE.to_owned();
        let (old, ptx) = (
            artifact.kernels[0].name.clone(),
            artifact.targets[0].ptx.clone(),
        );
        artifact.kernels[0].name = TITLE.to_owned();
        artifact.targets[0].ptx = ptx.replace(&old, TITLE);
    });
    let without_inputs: &[&str] = &["run", "changed.segra", "--device", "sim"];
    let not_found: &[&str] = &["run", "changed.segra", "--device", "sim", "--entry", "x"];
    let rejected: &[&str] = &["run", "changed.segra", "--device", "sim", "--input", "[1]"];
    for args in [without_inputs, not_found, rejected] {
        let refused = segra(folder.path(), args);
        assert_eq!(
            refused.status.code(),
            Some(1),
            "{args:?}: {}",
            out(&refused)
        );
        let text = err(&refused);
        assert!(
            !text.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'),
            "{args:?}: {text:?}"
        );
        assert!(
            args.len() > 5 || text.contains("\\u{1b}]0;pwned"),
            "{args:?}: {text:?}"
        );
    }
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_manifest_that_swaps_what_is_read_and_written_is_refused() {
    let folder = folder(&[("double.mlir", &doubling("main"))]);
    artifact(folder.path(), |artifact| {
        for param in &mut artifact.kernels[0].params {
            if let KernelParam::Buffer { access, .. } = param {
                *access = match access {
                    Access::Read => Access::Write,
                    _ => Access::Read,
                };
            }
        }
    });
    let good = run(folder.path(), "double.segra", &["--input", "[1, 2]"]);
    assert_eq!(out(&good), "[2.0, 4.0]\n", "{}", err(&good));
    let refused = run(folder.path(), "changed.segra", &["--input", "[1, 2]"]);
    assert_eq!(refused.status.code(), Some(1), "{}", out(&refused));
    assert!(
        err(&refused).contains("the manifest says that parameter"),
        "{}",
        err(&refused)
    );
}
