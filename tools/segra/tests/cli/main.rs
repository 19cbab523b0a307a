//! The tool as people use it: what it prints, what it writes, how it refuses.

mod explain;
mod fusion;
mod locality;
mod schedules;
mod scripts;
#[path = "../support/mod.rs"]
mod support;
mod tuning;

use std::path::{Path, PathBuf};
use std::process::Output;
use support::{command, segra};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(name)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder can be made")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn succeeds(output: &Output) {
    assert!(
        output.status.success(),
        "{}\n{}",
        stdout(output),
        stderr(output)
    );
}

/// The report in JSON of a command that succeeded.
fn reported(output: &Output) -> serde_json::Value {
    succeeds(output);
    serde_json::from_str(&stdout(output)).expect("is JSON")
}

/// It ends with that code and says all of `parts` on standard error, without a panic.
#[track_caller]
fn refuses(output: &Output, code: i32, parts: &[&str]) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(!text.contains("panicked"), "{text}");
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
}

fn text_of(path: &Path) -> String {
    path.display().to_string()
}

/// The folder that everyone's PTX goes to may be another user's, or no folder.
#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn ptx_that_nobody_asked_for_is_no_reason_to_fail() {
    let folder = folder();
    let axpy = text_of(&example("axpy.mlir"));
    let inputs = ["2", "[1, 2, 3]", "[10, 20, 30]"].map(|value| ["--input", value]);
    let args = [
        &["run", axpy.as_str(), "--device", "sim"],
        inputs.as_flattened(),
    ]
    .concat();
    let run = || {
        let mut command = command(folder.path(), &args);
        command.env("TMPDIR", folder.path()).env("USER", "me");
        command.output().expect("the tool starts")
    };
    std::fs::write(folder.path().join("segra"), "").expect("a file in its place");
    let output = run();
    succeeds(&output);
    assert!(
        stderr(&output).contains("segra-me/axpy-"),
        "{}",
        stderr(&output)
    );
    std::fs::remove_dir_all(folder.path().join("segra-me")).expect("it is there");
    std::fs::write(folder.path().join("segra-me"), "").expect("a file in its place");
    let output = run();
    succeeds(&output);
    assert_eq!(stdout(&output).trim(), "[12.0, 24.0, 36.0]");
    let warning = "warning: the PTX is not kept in";
    assert!(stderr(&output).contains(warning), "{}", stderr(&output));
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn a_program_runs_and_says_where_its_ptx_lies() {
    let folder = folder();
    let axpy = text_of(&example("axpy.mlir"));
    let inputs = [
        "--input",
        "2",
        "--input",
        "[1, 2, 3]",
        "--input",
        "[10, 20, 30]",
    ];
    let args = [
        &[
            "run",
            axpy.as_str(),
            "--device",
            "sim",
            "--check",
            "--keep-ptx",
            "axpy.ptx",
        ],
        &inputs[..],
    ]
    .concat();
    let output = segra(folder.path(), &args);
    succeeds(&output);
    assert_eq!(stdout(&output).trim(), "[12.0, 24.0, 36.0]");
    assert!(
        stderr(&output).contains("PTX: axpy.ptx"),
        "{}",
        stderr(&output)
    );
    assert!(
        stderr(&output).contains("the same as the reference interpreter"),
        "{}",
        stderr(&output)
    );
    let ptx = std::fs::read_to_string(folder.path().join("axpy.ptx")).expect("the PTX lies there");
    assert!(
        ptx.contains(".visible .entry") && ptx.contains("fma.rn.f32"),
        "{ptx}"
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn an_artifact_runs_like_its_program_and_is_the_same_every_time() {
    let folder = folder();
    let dot = text_of(&example("dot.mlir"));
    for name in ["a.segra", "b.segra"] {
        succeeds(&segra(folder.path(), &["compile", &dot, "-o", name]));
    }
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("was written");
    assert_eq!(read("a.segra"), read("b.segra"));
    let inputs = ["--input", "[1, 2, 3, 4]", "--input", "[5, 6, 7, 8]"];
    let output = segra(
        folder.path(),
        &[
            &[
                "run", "a.segra", "--device", "sim", "--output", "out", "--json",
            ],
            &inputs[..],
        ]
        .concat(),
    );
    succeeds(&output);
    let json = stdout(&output);
    assert!(
        json.contains("\"type\":\"f32\"") && json.contains("out/0.npy"),
        "{json}"
    );
    assert!(read("out/0.npy").ends_with(&70.0f32.to_le_bytes()));
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn every_stage_can_be_looked_at() {
    let folder = folder();
    let axpy = text_of(&example("axpy.mlir"));
    for (stage, part) in [
        ("kernel", "kernel.segmap"),
        ("gpu", "gpu.launch_func"),
        ("mlir", "gpu.func"),
        ("llvm", "llvm.func"),
        ("ptx", ".target sm_80"),
    ] {
        let output = segra(
            folder.path(),
            &["compile", &axpy, "--emit", stage, "--target", "sm_80"],
        );
        succeeds(&output);
        assert!(
            stdout(&output).contains(part),
            "{stage}:\n{}",
            stdout(&output)
        );
    }
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn passes_are_validated_on_the_given_inputs() {
    let folder = folder();
    let softmax = text_of(&example("softmax.mlir"));
    let args = [
        "run",
        &softmax,
        "--device",
        "sim",
        "--validate-passes",
        "--check",
        "--input",
        "random:3x40",
    ];
    succeeds(&segra(folder.path(), &args));
}

#[test]
fn wrong_programs_are_shown_with_their_line() {
    let folder = folder();
    let file = folder.path().join("wrong.mlir");
    std::fs::write(
        &file,
        "func.func @main(%x: f32) -> f32 {\n  %y = arith.addf %x, %z : f32\n  func.return %y : f32\n}\n",
    )
    .expect("can be written");
    let output = segra(folder.path(), &["compile", "wrong.mlir"]);
    refuses(&output, 1, &["wrong.mlir:2:", "%z", "^"]);
}

#[test]
fn a_run_that_stops_is_shown_with_its_line() {
    let folder = folder();
    let text = "func.func @main(%xs: !array.array<[n]i32>, %i: index) -> i32 {\n  \
                %back = array.reverse %xs, 0 : [n]i32\n  \
                %x = array.index %back[%i] : [n]i32\n  \
                func.return %x : i32\n}\n";
    std::fs::write(folder.path().join("stops.mlir"), text).expect("can be written");
    let inputs = ["--device", "sim", "--input", "[1, 2]", "--input", "100"];
    let output = segra(
        folder.path(),
        &[&["run", "stops.mlir"], &inputs[..]].concat(),
    );
    // The program's own index, the line of the op, and a caret below it.
    let line = "%x = array.index %back[%i] : [n]i32";
    refuses(&output, 1, &["stops.mlir:3:8: error: ", "100", line, "^"]);
    // An artifact knows the position; the text may have changed since.
    succeeds(&segra(
        folder.path(),
        &["compile", "stops.mlir", "-o", "stops.segra"],
    ));
    let output = segra(
        folder.path(),
        &[&["run", "stops.segra"], &inputs[..]].concat(),
    );
    refuses(&output, 1, &["error: stops.mlir:3:8: ", "100"]);
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn wrong_inputs_are_explained() {
    let folder = folder();
    let axpy = text_of(&example("axpy.mlir"));
    let run = |inputs: &[&str]| {
        let mut args = vec!["run", axpy.as_str(), "--device", "sim"];
        inputs
            .iter()
            .for_each(|input| args.extend(["--input", *input]));
        segra(folder.path(), &args)
    };
    refuses(&run(&["2"]), 1, &["parameter xs: [n]f32", "has no input"]);
    refuses(&run(&["2", "[1, 2]", "[1, 2, 3]"]), 1, &["n"]);
    refuses(&run(&["2", "[[1, 2]]", "[1, 2]"]), 1, &["input 1"]);
    refuses(&run(&["two", "[1]", "[1]"]), 1, &["`two`"]);
    refuses(&run(&["2", "absent.npy", "[1]"]), 1, &["absent.npy"]);
    refuses(
        &run(&["2", "[1]", "[1]", "[1]"]),
        1,
        &["4 inputs are given"],
    );
    for shape in ["9999999999999", "99999999999999999", "9223372036854775807"] {
        let wanted = format!("an array of shape [{shape}] does not fit in memory");
        refuses(
            &run(&["2", &format!("random:{shape}"), "[1]"]),
            1,
            &["parameter xs: [n]f32", &wanted],
        );
    }
    // A long input is not repeated in full.
    let output = run(&["2", &"[".repeat(10_000), "[1]"]);
    refuses(
        &output,
        1,
        &["input 1 (`[[[", "...`) for parameter xs", "is no input"],
    );
    assert!(stderr(&output).len() < 500, "{}", stderr(&output));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_of_help_too() {
    let folder = folder();
    for args in [
        &["--help"][..],
        &["--version"],
        &["run", "--help"],
        &["devices"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut command = command(folder.path(), args);
        let output = command.stdout(full.expect("a device")).output();
        let output = output.expect("the tool starts");
        let wanted = "segra: error: cannot write standard output";
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
    }
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn what_does_not_exist_is_named() {
    let folder = folder();
    let axpy = text_of(&example("axpy.mlir"));
    refuses(
        &segra(folder.path(), &["run", "absent.mlir"]),
        1,
        &["cannot read absent.mlir"],
    );
    refuses(
        &segra(folder.path(), &["run", &axpy, "--entry", "other"]),
        1,
        &["there is no function `other`", "main"],
    );
    refuses(
        &segra(
            folder.path(),
            &["compile", &axpy, "-o", "no/such/folder/x.segra"],
        ),
        1,
        &["cannot write"],
    );
    refuses(
        &segra(folder.path(), &["compile", &axpy, "--target", "sm_12345"]),
        2,
        &["sm_12345"],
    );
    refuses(
        &segra(folder.path(), &["compile", &axpy, "--target", "sm_61"]),
        1,
        &["sm_61"],
    );
    refuses(
        &segra(
            folder.path(),
            &["compile", &axpy, "--pipeline", "no-such-pass"],
        ),
        1,
        &["no-such-pass"],
    );
    std::fs::write(folder.path().join("bad.segra"), b"\x89SGR\r\n\x1a\nrubbish")
        .expect("can be written");
    refuses(
        &segra(folder.path(), &["run", "bad.segra"]),
        1,
        &["bad.segra"],
    );
}

#[test]
fn devices_and_completions_are_listed() {
    let folder = folder();
    let output = segra(folder.path(), &["devices"]);
    succeeds(&output);
    assert!(stdout(&output).contains("sim"), "{}", stdout(&output));
    let output = segra(folder.path(), &["completions", "bash"]);
    succeeds(&output);
    assert!(stdout(&output).contains("_segra"));
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn bisect_says_when_every_kernel_agrees_and_a_program_may_carry_its_inputs() {
    let folder = folder();
    let softmax = text_of(&example("softmax.mlir"));
    let output = segra(
        folder.path(),
        &[
            "bisect",
            &softmax,
            "--input",
            "random:3x1025",
            "--device",
            "sim",
        ],
    );
    succeeds(&output);
    assert!(
        stderr(&output).contains("all 3 kernels and the whole program agree"),
        "{}",
        stderr(&output)
    );

    let text = r#"func.func @main(%xs: tensor<?xf32>, %k: i32) -> f32 attributes {segra.inputs = [dense<[1.5, 2.5]> : tensor<2xf32>, 1 : i32]} {
  %i = arith.constant 1 : index
  %x = tensor.extract %xs[%i] : tensor<?xf32>
  func.return %x : f32
}
"#;
    std::fs::write(folder.path().join("carried.mlir"), text).expect("written");
    let output = segra(
        folder.path(),
        &["run", "carried.mlir", "--device", "sim", "--check"],
    );
    succeeds(&output);
    assert_eq!(stdout(&output).trim(), "2.5");
    std::fs::write(
        folder.path().join("wrong.mlir"),
        text.replace("1 : i32", "\"one\""),
    )
    .expect("written");
    let output = segra(folder.path(), &["run", "wrong.mlir", "--device", "sim"]);
    refuses(
        &output,
        1,
        &[
            "segra.inputs",
            "element 1 is neither a number nor a dense array",
        ],
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn profiles_are_tables_or_json_and_memory_can_be_checked() {
    let folder = folder();
    let axpy = text_of(&example("axpy.mlir"));
    let inputs = [
        "--input",
        "2",
        "--input",
        "random:1024",
        "--input",
        "random:1024",
    ];
    let args = |flags: &[&'static str]| [&["run", axpy.as_str()], flags, &inputs[..]].concat();
    let output = segra(folder.path(), &args(&["--check-memory", "--profile=T4"]));
    succeeds(&output);
    for part in [
        "Profile for T4",
        "L1 hits",
        "est. µs",
        "most streams: 1",
        "Hottest lines",
        "ld.global",
    ] {
        assert!(
            stderr(&output).contains(part),
            "`{part}` is missing in:\n{}",
            stderr(&output)
        );
    }
    let output = segra(folder.path(), &args(&["--profile", "--json"]));
    succeeds(&output);
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("it is JSON");
    let profile = &report["profile"][0];
    assert_eq!(profile["machine"], "H100");
    // Two arrays of 1024 floats are read, one is written.
    assert_eq!(profile["traffic"]["memory_read_bytes"], 8192);
    assert_eq!(profile["traffic"]["memory_written_bytes"], 4096);
    assert!(
        profile["lines"]
            .as_array()
            .is_some_and(|lines| !lines.is_empty())
    );
    refuses(
        &segra(folder.path(), &args(&["--profile=ZX81"])),
        1,
        &["ZX81", "RTX 2080 Super"],
    );
    refuses(
        &segra(folder.path(), &args(&["--device", "cuda", "--profile"])),
        1,
        &["--device sim"],
    );
}

/// Runs the tool where this file stands for the worker program.
fn with_worker(worker: &Path, folder: &tempfile::TempDir, args: &[&str]) -> Output {
    command(folder.path(), args)
        .env("SEGRA_PTX", worker)
        .output()
        .expect("the tool starts")
}

#[test]
fn the_kernels_shown_are_those_of_the_pipeline_given() {
    let folder = folder();
    let matmul = text_of(&example("matmul.mlir"));
    let kernels = |pipeline: &str| {
        let flags = [
            "compile",
            &matmul,
            "--emit",
            "kernel",
            "--pipeline",
            pipeline,
        ];
        let output = segra(folder.path(), &flags);
        succeeds(&output);
        stdout(&output)
    };
    let versions = kernels("array-to-gpu");
    assert!(versions.contains("kernel.segred"), "{versions}");
    let one = kernels("array-to-kernel-one");
    assert!(one.contains("kernel.segmap"), "{one}");
    assert!(!one.contains("kernel.segred"), "{one}");
    let tiled = kernels("array-to-gpu-tiled");
    assert!(tiled.contains("kernel.untile"), "{tiled}");
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn without_the_worker_only_making_ptx_fails_and_one_sentence_says_how_to_get_it() {
    let folder = folder();
    let dot = text_of(&example("dot.mlir"));
    let inputs = ["--input", "[1,2,3]", "--input", "[4,5,6]"];
    succeeds(&segra(folder.path(), &["compile", &dot, "-o", "dot.segra"]));

    let without = |args: &[&str]| with_worker(Path::new("/nowhere/segra-ptx"), &folder, args);
    for stage in ["kernel", "gpu", "mlir"] {
        let output = without(&["compile", &dot, "--emit", stage]);
        succeeds(&output);
        assert_eq!(
            stdout(&output),
            stdout(&segra(folder.path(), &["compile", &dot, "--emit", stage]))
        );
    }
    succeeds(&without(&["explain", &dot]));
    let ran = without(&[&["run", "dot.segra", "--device", "sim"], &inputs[..]].concat());
    succeeds(&ran);
    assert_eq!(stdout(&ran).trim(), "32.0");

    for args in [
        &["compile", &dot, "--emit", "ptx"][..],
        &["compile", &dot],
        &["run", &dot, "--input", "[]"],
    ] {
        let output = without(&[args, if args[0] == "run" { &inputs[..2] } else { &[] }].concat());
        refuses(
            &output,
            1,
            &[
                "SEGRA_PTX names `/nowhere/segra-ptx`",
                "`cargo build --bin segra-ptx`",
            ],
        );
        assert_eq!(
            stderr(&output).trim().lines().count(),
            1,
            "{}",
            stderr(&output)
        );
    }
}

#[cfg(unix)]
#[test]
fn a_worker_that_ends_in_the_middle_of_a_compilation_is_an_error() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let worker = folder.path().join("worker");
    let greeting = segra_worker::protocol::greeting();
    let script = format!(
        "#!/bin/sh\necho '{greeting}'\nhead -c 4 >/dev/null\necho LLVM ERROR: planted >&2\nkill -ABRT $$\n"
    );
    std::fs::write(&worker, script).expect("a script can be written");
    std::fs::set_permissions(&worker, std::fs::Permissions::from_mode(0o755))
        .expect("it becomes a program");
    let dot = text_of(&example("dot.mlir"));
    let output = with_worker(&worker, &folder, &["compile", &dot, "--target", "sm_80"]);
    refuses(
        &output,
        1,
        &["while making code for sm_80", "LLVM ERROR: planted"],
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn the_log_of_a_long_run_is_a_page() {
    const ROUNDS: usize = 300;
    let folder = folder();
    let program = format!(
        "func.func @main(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {{
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rounds = arith.constant {ROUNDS} : index
  %r = scf.for %i = %c0 to %rounds step %c1 iter_args(%as = %xs) -> (!array.array<[n]f32>) {{
    %bs = array.scan (%as : [n]f32) init (%zero : f32) combine arith.addf
    scf.yield %bs : !array.array<[n]f32>
  }}
  func.return %r : !array.array<[n]f32>
}}
"
    );
    std::fs::write(folder.path().join("rounds.mlir"), program).expect("can be written");
    let args = ["run", "rounds.mlir", "--device", "sim", "--input", "[1, 0]"];
    let logged = |level: &str| {
        let mut command = command(folder.path(), &args);
        let output = command.env("SEGRA_LOG", level).output().expect("it starts");
        succeeds(&output);
        let text = stderr(&output);
        let launches = text
            .lines()
            .filter(|line| line.contains("launched micros="));
        (launches.count(), text)
    };
    let (launches, text) = logged("debug");
    assert!((4..=16).contains(&launches), "{text}");
    assert!(text.lines().count() < 120, "{text}");
    let summary = |line: &&str| line.contains("launched in all kernel=\"main_");
    let summary = text
        .lines()
        .find(summary)
        .expect("there is a line for all launches");
    assert!(
        summary.contains(&format!("launches={ROUNDS} micros=")),
        "{summary}"
    );
    assert!(logged("trace").0 >= ROUNDS);
}

/// `--mapping-strategy` is the option of the pipeline, for whichever pipeline it is.
#[test]
fn named_pipelines_take_a_mapping_strategy() {
    let folder = folder();
    let file = text_of(&example("matvec.mlir"));
    let explained = |options: &[&str]| {
        let args = [&["explain", &file, "--json"], options].concat();
        segra(folder.path(), &args)
    };
    let mappings = |options: &[&str]| reported(&explained(options))["kernels"].to_string();
    let jing = mappings(&["--pipeline", "array-to-gpu{strategy=jing}"]);
    assert_eq!(mappings(&["--mapping-strategy", "jing"]), jing);
    assert_ne!(mappings(&[]), jing);
    // The pipeline's own option is nearer.
    let both = [
        "--mapping-strategy",
        "auto",
        "--pipeline",
        "array-to-gpu{strategy=jing}",
    ];
    assert_eq!(mappings(&both), jing);
    let unknown = explained(&["--pipeline", "array-to-gpu{mapping=jing}"]);
    let message = "pipeline `array-to-gpu`: has no option `mapping`; it has strategy";
    refuses(&unknown, 1, &[message]);
    for options in [
        ["--pipeline", "array-to-gpu{strategy=xyzzy}"],
        ["--mapping-strategy", "xyzzy"],
    ] {
        refuses(&explained(&options), 1, &["option strategy: "]);
    }
}
