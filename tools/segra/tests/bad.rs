//! Bad input of every kind to every command: each is refused with a message that names what is bad, nothing is printed on
//! standard output, and files that were there stay. Kinds: files (absent, folders, no text, no program, an invalid program;
//! artifacts that are damaged, truncated, newer, foreign), flags, values, sizes that do not agree, places that cannot be
//! written, full disks.

mod support;

use std::process::{Command, Output};
use support::{ROWS, segra};

const PROGRAM: &str =
    "func.func @main(%xs: !array.array<[n]f32>, %ys: !array.array<[n]f32>) -> !array.array<[n]f32> {
  %zs = array.map (%x in %xs : [n]f32, %y in %ys : [n]f32) {
    %z = arith.addf %x, %y : f32
    array.yield %z : f32
  }
  func.return %zs : !array.array<[n]f32>
}
";

/// Commands that take a program or an artifact, with what else they need. The last takes programs only.
const COMMANDS: [(&str, &[&str]); 6] = [
    ("compile", &["--target", "sm_90", "-o", "out.segra"]),
    (
        "run",
        &["--device", "sim", "--input", "[1]", "--input", "[2]"],
    ),
    ("bench", &["--device", "sim", "--data", "[1]; [2]"]),
    ("tune", &["--device", "sim", "--data", "[1]; [2]"]),
    ("explain", &[]),
    (
        "bisect",
        &["--device", "sim", "--input", "[1]", "--input", "[2]"],
    ),
];

/// A folder with a program, an artifact of it, and bad files of every kind.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let at = |name: &str| folder.path().join(name);
    let write = |name: &str, bytes: &[u8]| std::fs::write(at(name), bytes).expect("can be written");
    write("good.mlir", PROGRAM.as_bytes());
    write("rows.mlir", ROWS.as_bytes());
    let made = segra(
        folder.path(),
        &[
            "compile",
            "good.mlir",
            "--target",
            "sm_90",
            "-o",
            "good.segra",
        ],
    );
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    let artifact = std::fs::read(at("good.segra")).expect("was written");
    std::fs::create_dir(at("folder.mlir")).expect("can be made");
    write("binary.mlir", &[0xff, 0xfe, 0x00, 0x80, 0xc3]);
    write("rubbish.mlir", b"this is no program");
    write(
        "invalid.mlir",
        PROGRAM.replace("arith.addf", "arith.addi").as_bytes(),
    );
    let mut damaged = artifact.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    write("damaged.segra", &damaged);
    write("truncated.segra", &artifact[..middle]);
    let mut newer = artifact.clone();
    newer[8] = newer[8].wrapping_add(1);
    write("newer.segra", &newer);
    write("foreign.segra", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR");
    folder
}

/// The problem with an answer to bad input; `None` for a refusal that says all of `parts`.
fn complaint(output: &Output, parts: &[&str]) -> Option<String> {
    let (out, text) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let missing = parts.iter().find(|part| !text.contains(**part));
    let problem = match output.status.code() {
        None => "was killed".to_owned(),
        Some(0) => "succeeded".to_owned(),
        Some(1 | 2) if text.contains("panicked") => "panicked".to_owned(),
        Some(1 | 2) if !out.is_empty() => format!("printed `{out}`"),
        Some(1 | 2) => format!("does not say `{}`", missing?),
        Some(code) => format!("ended with {code}"),
    };
    Some(format!("{problem}:\n{text}"))
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn bad_files_are_refused_by_every_command_with_their_name() {
    let folder = folder();
    let (mut complaints, mut count) = (Vec::new(), 0);
    let artifacts = [
        "damaged.segra",
        "truncated.segra",
        "newer.segra",
        "foreign.segra",
    ];
    let programs = [
        "absent.mlir",
        "folder.mlir",
        "binary.mlir",
        "rubbish.mlir",
        "invalid.mlir",
    ];
    for (command, rest) in COMMANDS {
        for file in programs.iter().chain(&artifacts) {
            let output = segra(folder.path(), &[&[command, file], rest].concat());
            complaints
                .extend(complaint(&output, &[file]).map(|text| format!("{command} {file} {text}")));
            count += 1;
        }
    }
    assert!(
        complaints.is_empty(),
        "{} of {count}:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(
        !folder.path().join("out.segra").exists(),
        "nothing bad is compiled"
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn bad_flags_and_values_are_refused_by_every_command() {
    let folder = folder();
    let mut complaints = Vec::new();
    let mut refused = |args: &[&str], parts: &[&str]| {
        let output = segra(folder.path(), args);
        complaints.extend(complaint(&output, parts).map(|text| format!("{args:?} {text}")));
    };
    for (command, rest) in COMMANDS {
        refused(
            &[command, "good.mlir", "--no-such-flag"],
            &["--no-such-flag"],
        );
        refused(&[command], &["<FILE>"]);
        refused(&[command, "good.mlir", "--target", "gfx90a"], &["gfx90a"]);
        let passes = [command, "good.mlir", "--pipeline", "fly-to-the-moon"];
        refused(&[&passes[..], rest].concat(), &["fly-to-the-moon"]);
        refused(&[command, "good.mlir", "--color", "pink"], &["pink"]);
    }
    for command in ["run", "bisect"] {
        let with = |inputs: &[&'static str]| {
            let inputs = inputs.iter().flat_map(|input| ["--input", *input]);
            [command, "good.mlir", "--device", "sim"]
                .into_iter()
                .chain(inputs)
                .collect::<Vec<_>>()
        };
        refused(&with(&["[1, 2"]), &["[1, 2"]);
        refused(&with(&["[1, 2]", "[1, 2, 3]"]), &["size `n`"]);
        refused(&with(&["[1]", "[true]", "3"]), &["3 inputs"]);
        refused(&with(&["absent.npy", "[1]"]), &["absent.npy"]);
        refused(&with(&["random:-1", "[1]"]), &["-1"]);
        refused(&[command, "good.mlir", "--device", "tpu"], &["tpu"]);
    }
    for command in ["bench", "tune"] {
        let versions = [
            command,
            "rows.mlir",
            "--pipeline",
            "array-to-gpu",
            "--device",
            "sim",
        ];
        let mut with = |data: &str, parts: &[&str]| {
            refused(&[&versions[..], &["--data", data]].concat(), parts)
        };
        with("[[1]]", &["parameter xs"]);
        with("[[1, 2]]; [1]", &["expected 2", "found 1"]);
        with("random:x; [1]", &["random:x"]);
        with("; ;", &[]);
        with("[[1]]; [2]; [3]", &["3"]);
        refused(
            &[
                command,
                "rows.mlir",
                "--data",
                "[[1]]; [2]",
                "--profile",
                "Voodoo2",
            ],
            &["Voodoo2"],
        );
    }
    refused(
        &["compile", "good.mlir", "--libdevice", "absent.bc"],
        &["absent.bc", "cannot be read"],
    );
    refused(
        &["compile", "good.mlir", "--libdevice", "good.mlir"],
        &["good.mlir", "not LLVM bitcode"],
    );
    for command in ["run", "bench"] {
        refused(&[command, "good.mlir", "--threshold", "fast"], &["fast"]);
        refused(
            &[
                command,
                "good.mlir",
                "--tuning",
                "absent.tuning",
                "--no-tuning",
            ],
            &["--no-tuning"],
        );
    }
    assert!(
        complaints.is_empty(),
        "{}:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
}

const RUN: [&str; 8] = [
    "run",
    "good.mlir",
    "--device",
    "sim",
    "--input",
    "[1]",
    "--input",
    "[2]",
];

/// Commands that write, with the flag that says where to.
fn writers() -> [(Vec<&'static str>, &'static str); 6] {
    let versions = ["--pipeline", "array-to-gpu", "--target", "sm_90"];
    let tune = [
        &[
            "tune",
            "rows.mlir",
            "--device",
            "sim",
            "--data",
            "random:2x3; random:3",
        ],
        &versions[..],
    ]
    .concat();
    let compile = ["compile", "good.mlir"];
    let ptx = [&compile[..], &["--emit", "ptx", "--target", "sm_90"]].concat();
    [
        ([&compile[..], &["--target", "sm_90"]].concat(), "-o"),
        (ptx, "-o"),
        (RUN.to_vec(), "--keep-ptx"),
        (RUN.to_vec(), "--output"),
        (tune.clone(), "-o"),
        (tune, "--log"),
    ]
}

/// A writer says that it could not write, and the former contents are still there.
#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn full_disks_and_places_that_cannot_be_written_are_reported_by_every_writer() {
    let folder = folder();
    let mut complaints = Vec::new();
    // Computed results are shown all the same.
    let without_results = |args: &[&str], mut output: Output| {
        if args[0] == "run" {
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                "[3.0]\n",
                "{args:?}"
            );
            output.stdout.clear();
        }
        output
    };
    for (args, flag) in writers() {
        let args = &args[..];
        for place in ["/dev/full", "/proc/none/file"] {
            let output =
                without_results(args, segra(folder.path(), &[args, &[flag, place]].concat()));
            complaints.extend(
                complaint(&output, &[place]).map(|text| format!("{args:?} {flag} {place} {text}")),
            );
        }
        // Files of at most 512 bytes: what a disk is that fills up while the tool writes.
        std::fs::write(folder.path().join("old"), "old").expect("can be written");
        let line = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
        let tool = [env!("CARGO_BIN_EXE_segra")];
        let limited = Command::new("sh")
            .args(["-c", line, "sh"])
            .args([&tool, args, &[flag, "old"]].concat())
            .current_dir(folder.path())
            .env("NO_COLOR", "1")
            .output()
            .expect("a shell starts");
        let small = limited.status.success();
        if !small {
            let limited = without_results(args, limited);
            complaints.extend(
                complaint(&limited, &["old"]).map(|text| format!("{args:?} {flag} {text}")),
            );
            // The tuning file is small enough; its log is not.
            let kept = args[0] == "tune"
                || std::fs::read(folder.path().join("old")).is_ok_and(|old| old == b"old");
            complaints.extend((!kept).then(|| format!("{args:?} {flag}: the old file is gone")));
        } else if flag == "-o" && args[0] == "compile" {
            complaints.push(format!("{args:?}: more than 512 bytes were written"));
        }
    }
    assert!(
        complaints.is_empty(),
        "{}:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    for args in [&RUN[..], &["explain", "good.mlir"]] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("a device");
        let mut command = Command::new(env!("CARGO_BIN_EXE_segra"));
        let output = command
            .args(args)
            .current_dir(folder.path())
            .stdout(full)
            .output()
            .expect("the tool starts");
        assert_eq!(complaint(&output, &["write"]), None, "{args:?}");
    }
}
