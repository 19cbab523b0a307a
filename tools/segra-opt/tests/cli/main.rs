//! The program as its users run it: arguments and text in; text, messages and an exit code out.

mod validated;

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn opt(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_segra-opt"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The program may end before it has read everything.
    let _ = child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are UTF-8")
}

fn accepted(args: &[&str], input: &str) -> String {
    let output = opt(args, input);
    assert!(output.status.success(), "{args:?}\n{}", err(&output));
    out(&output)
}

fn rejected(args: &[&str], input: &str) -> String {
    let output = opt(args, input);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{args:?}\n{}{}",
        out(&output),
        err(&output)
    );
    err(&output)
}

const UNKNOWN: &str = "\"builtin.module\"() ({\n  %0 = \"x.a\"() : () -> i32\n  \"x.b\"(%0) : (i32) -> ()\n}) : () -> ()\n";

#[test]
fn text_goes_through_unchanged_in_generic_form() {
    let args = ["--allow-unregistered-dialect", "--mlir-print-op-generic"];
    assert_eq!(accepted(&args, UNKNOWN), UNKNOWN);
    // One dash will do, as in LLVM's tools.
    assert_eq!(
        accepted(
            &["-allow-unregistered-dialect", "-mlir-print-op-generic", "-"],
            UNKNOWN
        ),
        UNKNOWN
    );
}

#[test]
fn mistakes_have_places_and_exit_code_1() {
    let message = rejected(&[], UNKNOWN);
    assert!(
        message.contains("<stdin>:2:8: error:") && message.contains("x.a"),
        "{message}"
    );
    let message = rejected(&["--json"], UNKNOWN);
    let row: serde_json::Value =
        serde_json::from_str(message.lines().next().expect("a line")).expect("JSON");
    assert_eq!(
        (&row["severity"], &row["place"]["line"]),
        (&"error".into(), &2.into())
    );
    assert!(!message.contains('\u{1b}'));
    assert!(rejected(&["--color=always"], UNKNOWN).contains('\u{1b}'));
}

#[test]
fn pipelines_are_dumped_with_all_their_options() {
    let args = [
        "--pass-pipeline=builtin.module( cleanup, any(cse) )",
        "--dump-pass-pipeline",
        "--allow-unregistered-dialect",
    ];
    let output = opt(&args, "");
    let expected = "Pass Manager with 5 passes:\nbuiltin.module(canonicalize{max-iterations=10 max-num-rewrites=-1 \
                    region-simplify=normal test-convergence=false enable-patterns=\"\" disable-patterns=\"\" top-down=true},cse,dce,symbol-dce,any(cse))\n";
    assert!(err(&output).starts_with(expected), "{}", err(&output));
    let flags = opt(
        &[
            "--cse",
            "--canonicalize=max-iterations=3",
            "--cse",
            "--dump-pass-pipeline",
        ],
        "",
    );
    assert!(
        err(&flags).contains("builtin.module(cse,canonicalize{max-iterations=3 "),
        "{}",
        err(&flags)
    );
}

#[test]
fn wrong_pipelines_are_shown_with_a_caret() {
    let message = rejected(&["--pass-pipeline=builtin.module(canonicalise)"], "");
    assert!(
        message.contains("builtin.module(canonicalise)\n                 ^^^^^^^^^^^^"),
        "{message}"
    );
    assert!(
        message.contains("did you mean `canonicalize`?"),
        "{message}"
    );
    let message = rejected(&["--canonicalize=max-iterations=many"], "");
    assert!(
        message.contains("option `max-iterations` takes a 64-bit integer, not `many`"),
        "{message}"
    );
    let both = opt(&["--cse", "--pass-pipeline=any(cse)"], "");
    assert!(
        !both.status.success() && err(&both).contains("cannot be used with"),
        "{}",
        err(&both)
    );
}

#[test]
fn parts_are_worked_on_one_by_one() {
    let input = format!("{UNKNOWN}// -----\n%bad !\n// -----\n{UNKNOWN}");
    let args = [
        "--split-input-file",
        "--allow-unregistered-dialect",
        "--mlir-print-op-generic",
    ];
    let output = opt(&args, &input);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        out(&output),
        format!("{UNKNOWN}// -----\n// -----\n{UNKNOWN}")
    );
    assert!(
        err(&output).contains("<stdin>:6:"),
        "lines count from the start of the file: {}",
        err(&output)
    );
}

#[test]
fn diagnostics_are_compared_with_comments() {
    let args = ["--verify-diagnostics", "--split-input-file"];
    let input = "// expected-error@below {{x.a}}\n\"x.a\"() : () -> ()\n// -----\n\
                 \"x.b\"() : () -> () // expected-error-re {{x.{{[b-c]}}}}\n";
    accepted(&args, input);
    let message = rejected(
        &args,
        "// expected-error {{something else}}\n\"x.a\"() : () -> ()\n",
    );
    assert!(
        message.contains("<stdin>:2:1: error: unexpected error:"),
        "{message}"
    );
    let missing = "<stdin>:1:1: error: expected error \"something else\" was not produced";
    assert!(message.contains(missing), "{message}");
}

#[test]
fn what_comments_do_not_expect_can_be_let_be() {
    let input = "// expected-error@below {{x.a}}\n\"x.a\"() : () -> ()\n\"x.b\"() : () -> ()\n";
    assert!(
        rejected(&["--verify-diagnostics"], input)
            .contains("<stdin>:3:1: error: unexpected error:")
    );
    accepted(&["--verify-diagnostics=only-expected"], input);
    rejected(
        &["--verify-diagnostics=only-expected"],
        "// expected-error {{x.a}}\n",
    );
}

#[test]
fn the_way_to_the_generic_form_is_told_only_where_it_helps() {
    let function =
        |body: &str| format!("func.func @f(%a: i32, %m: memref<4xf32>) {{\n{body}\nreturn\n}}\n");
    let message = |text: &str| rejected(&["--allow-unregistered-dialect"], text);
    for text in [
        // Ops of dialects that are not registered, in the file and in regions, with results and without.
        "llvm.func @f(i32) -> i32\n".to_owned(),
        "spirv.module Logical GLSL450 {\n}\n".to_owned(),
        function("%0 = tensor.splat %a : tensor<4xi32>"),
        function("affine.for %i = 0 to 4 {\n}"),
        function("%0:2 = linalg.generic {a = 1} ins(%a : i32) outs(%a : i32) {\n}"),
        function("scf.execute_region {\n%1 = llvm.mlir.constant(1 : i32) : i32\nscf.yield\n}"),
        // Ops that are registered without a custom form.
        function("gpu.launch blocks(%x, %y, %z) in (%a = %a, %b = %a, %c = %a) {\n}"),
    ] {
        let message = message(&text);
        assert!(
            message.contains("`mlir-opt --mlir-print-op-generic FILE`"),
            "{text}{message}"
        );
    }
    let stablehlo = message(&function("%0 = stablehlo.add %a, %a : i32"));
    assert!(
        stablehlo.contains("`stablehlo-opt --mlir-print-op-generic FILE`"),
        "{stablehlo}"
    );
    for text in [
        // Mistakes in forms that are read.
        function("%0 = vector.transfer_read %m[%a], %a : memref<4xf32>, vector<4xf32>"),
        function("memref.global \"private\" @g : memref<i32> = oddly"),
        function("%0 = arith.addi %a : i32"),
        // Misspelt names.
        function("retrun"),
        function("%0 = arith.plus %a, %a : i32"),
    ] {
        let message = message(&text);
        assert!(!message.contains("generic"), "{text}{message}");
    }
}

fn temporary(name: &str) -> PathBuf {
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

#[test]
fn output_files_are_replaced_only_by_whole_results() {
    let folder = temporary("output");
    let file = folder.join("out.mlir");
    let path = file.to_str().expect("UTF-8");
    std::fs::write(&file, "before").expect("it can be written");
    rejected(&["-o", path], UNKNOWN);
    assert_eq!(
        std::fs::read_to_string(&file).expect("it is there"),
        "before"
    );
    accepted(
        &[
            "-o",
            path,
            "--allow-unregistered-dialect",
            "--mlir-print-op-generic",
        ],
        UNKNOWN,
    );
    assert_eq!(
        std::fs::read_to_string(&file).expect("it is there"),
        UNKNOWN
    );
    assert_eq!(
        std::fs::read_dir(&folder).expect("it is there").count(),
        1,
        "no temporary file is left"
    );
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn files_that_cannot_be_read_or_written_are_errors_not_panics() {
    assert!(rejected(&["/no/such/file.mlir"], "").contains("cannot read /no/such/file.mlir"));
    assert!(rejected(&["-o", "/no/such/folder/out.mlir"], "").contains("cannot write"));
    #[cfg(target_os = "linux")]
    {
        assert!(rejected(&["-o", "/dev/full"], "").contains("cannot write /dev/full"));
        for args in [&[][..], &["--help"], &["--version"]] {
            let full = std::fs::File::options()
                .write(true)
                .open("/dev/full")
                .expect("a device");
            let mut command = Command::new(env!("CARGO_BIN_EXE_segra-opt"));
            let output = command
                .args(args)
                .stdin(Stdio::null())
                .stdout(full)
                .output()
                .expect("the program starts");
            assert_eq!(output.status.code(), Some(1), "{args:?}");
            let wanted = "segra-opt: error: cannot write standard output";
            assert!(err(&output).contains(wanted), "{}", err(&output));
        }
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let many = "  \"x.b\"(%0) : (i32) -> ()\n".repeat(20_000);
    let many = UNKNOWN.replace("  \"x.b\"(%0) : (i32) -> ()\n", &many);
    let mut child = Command::new(env!("CARGO_BIN_EXE_segra-opt"))
        .arg("--allow-unregistered-dialect")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(many.as_bytes())
        .expect("it reads everything");
    let output = child.wait_with_output().expect("the program ends");
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        err(&output)
    );
}

#[test]
fn help_lists_every_pass_and_teaches_by_examples() {
    let help = accepted(&["--help"], "");
    for word in [
        "--canonicalize",
        "--cse",
        "--dce",
        "--symbol-dce",
        "--cleanup",
        "Examples:",
        "--validate-passes",
        "--print-schedule",
    ] {
        assert!(help.contains(word), "{word}\n{help}");
    }
    assert!(accepted(&["--completions=bash"], "").contains("segra-opt"));
    assert!(accepted(&["--show-passes"], "").contains("| `max-iterations` | `10` |"));
    assert!(accepted(&["--show-dialects"], "").contains("array.map"));
}

#[test]
fn the_program_is_printed_around_passes_timed_and_counted() {
    let args = [
        "--pass-pipeline=builtin.module(func.func(cse,dce))",
        "--mlir-print-ir-after-change",
        "--mlir-timing",
        "--mlir-pass-statistics",
    ];
    let output = opt(&args, validated::ROW_SUMS);
    let text = err(&output);
    assert!(
        text.starts_with(
            "// -----// IR Dump After cse ('func.func' operation: @sums) //----- //\nfunc.func @sums"
        ),
        "{text}"
    );
    assert_eq!(
        text.matches("IR Dump").count(),
        1,
        "dce changed nothing: {text}"
    );
    for word in [
        "Parser",
        "'func.func' Pipeline",
        "    cse",
        "Total",
        "(S) 1 ops merged",
    ] {
        assert!(text.contains(word), "{word}\n{text}");
    }
}

const SUMS: &str = "func.func @f(%a: i32) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %0 = arith.addi %c1, %c2 : i32
  %1 = arith.addi %a, %0 : i32
  func.return %1 : i32
}
func.func @g() {
  func.return
}
";

#[test]
fn dumps_go_into_a_tree_of_folders() {
    let folder = tempfile::tempdir().expect("a folder");
    let tree = format!("--mlir-print-ir-tree-dir={}", folder.path().display());
    let pipeline = "--pass-pipeline=builtin.module(func.func(cse,canonicalize),cse)";
    accepted(&[pipeline, "--mlir-print-ir-after-all", &tree], SUMS);
    let root = folder.path().join("builtin_module_no-symbol-name");
    for file in [
        "func_func_f/0_0_cse.mlir",
        "func_func_f/0_1_canonicalize.mlir",
        "func_func_g/0_0_cse.mlir",
        "1_cse.mlir",
    ] {
        let text = std::fs::read_to_string(root.join(file))
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(
            text.starts_with("// -----// IR Dump After"),
            "{file}: {text}"
        );
    }
}

#[test]
fn a_reproducer_repeats_the_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("again.mlir");
    let path = path.to_str().expect("a plain path");
    let crash = format!("--mlir-pass-pipeline-crash-reproducer={path}");
    let pipeline = "--pass-pipeline=builtin.module(cse,func.func(canonicalize{test-convergence=true max-iterations=1}))";
    let message = rejected(&[pipeline, &crash], SUMS);
    assert!(message.contains("a reproducer was written to"), "{message}");
    assert!(rejected(&[path, "--run-reproducer"], "").contains("did not reach its canonical form"));
    let local = rejected(
        &[pipeline, &crash, "--mlir-pass-pipeline-local-reproducer"],
        SUMS,
    );
    assert!(
        local.contains("the pipeline failed: builtin.module(func.func(canonicalize"),
        "{local}"
    );
    let text = std::fs::read_to_string(path).expect("it was written");
    assert!(
        text.contains("mlir_reproducer") && !text.contains("cse"),
        "{text}"
    );
    assert!(rejected(&[path, "--run-reproducer"], "").contains("did not reach its canonical form"));
}

#[test]
fn passes_are_bisected_traced_and_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("trace.json");
    let trace = format!("--profile-actions-to={}", path.display());
    let pipeline = "--pass-pipeline=builtin.module(func.func(canonicalize,cse))";
    let args = [
        pipeline,
        &trace,
        "--mlir-pass-statistics",
        "--mlir-pass-statistics-display=pipeline",
    ];
    let output = opt(&args, SUMS);
    assert!(err(&output).contains(
        "'builtin.module' Pipeline\n  'func.func' Pipeline\n    canonicalize\n      (S) "
    ));
    let text = std::fs::read_to_string(path).expect("it was written");
    let events: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let events = events.as_array().expect("a list");
    assert!(
        events
            .iter()
            .any(|row| row["name"] == "canonicalize" && row["args"]["op"] == "'func.func' @f")
    );
    let told = opt(
        &[pipeline, "--opt-bisect-limit=1", "--opt-bisect-passes=cse"],
        SUMS,
    );
    assert_eq!(
        err(&told),
        "BISECT: running pass (1) cse on 'func.func' @f\nBISECT: NOT running pass (2) cse on 'func.func' @g\n"
    );
}

const LISTED: &str = "\"builtin.module\"() ({
  %0 = \"arith.constant\"() <{value = dense<[1, 2, 3, 4]> : tensor<4xi32>}> : () -> tensor<4xi32> loc(\"a.py\":3:4)
}) : () -> ()
";

#[test]
fn options_of_printing_reach_the_printer() {
    let printed = |flag: &str| accepted(&["--mlir-print-op-generic", flag], LISTED);
    for (option, spelling) in [
        (
            "mlir-elide-elementsattrs-if-larger",
            "dense_resource<__elided__>",
        ),
        (
            "mlir-print-elementsattrs-with-hex-if-larger",
            "dense<\"0x01000000020000000300000004000000\">",
        ),
    ] {
        assert!(
            printed(&format!("--{option}=3")).contains(spelling),
            "{option}"
        );
        assert!(
            printed(&format!("--{option}=4")).contains("dense<[1, 2, 3, 4]>"),
            "{option}"
        );
    }
    assert_eq!(
        printed("--mlir-print-skip-regions"),
        "\"builtin.module\"() ({...}) : () -> ()\n"
    );
    assert!(printed("--mlir-print-debuginfo").contains("= loc(\"a.py\":3:4)"));
    assert!(!printed("--verify-roundtrip").contains("loc("));
}

#[test]
fn results_of_parts_are_parted_by_the_marker_asked_for() {
    let input = format!("{LISTED}// -----\n{LISTED}");
    let text = accepted(
        &["--split-input-file", "--output-split-marker=//@@"],
        &input,
    );
    assert_eq!(text.matches("\n//@@\n").count(), 1, "{text}");
    assert!(!text.contains("// -----"), "{text}");
    let given = input.replace("// -----", "//##");
    let text = accepted(&["--split-input-file=//##"], &given);
    assert_eq!(text.matches("\n// -----\n").count(), 1, "{text}");
}

#[test]
fn passes_are_left_out_and_times_listed_or_nested() {
    let pipeline = "--pass-pipeline=builtin.module(func.func(canonicalize,cse))";
    assert!(!accepted(&[pipeline], SUMS).contains("arith.addi %c1, %c2"));
    assert!(
        accepted(&[pipeline, "--skip-passes=canonicalize"], SUMS).contains("arith.addi %c1, %c2")
    );
    for (how, nested) in [("list", false), ("tree", true)] {
        let output = opt(
            &[
                pipeline,
                "--mlir-timing",
                &format!("--mlir-timing-display={how}"),
            ],
            SUMS,
        );
        assert_eq!(
            err(&output).contains("    cse\n"),
            nested,
            "{}",
            err(&output)
        );
    }
}

#[test]
fn a_reproducer_is_written_on_demand_with_how_passes_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("again.mlir");
    let path = path.to_str().expect("a plain path");
    let generate = format!("--mlir-generate-reproducer={path}");
    let pipeline = "--pass-pipeline=builtin.module(func.func(canonicalize))";
    let written = |flags: &[&str]| {
        let result = accepted(&[&[pipeline, &generate], flags].concat(), SUMS);
        (
            result,
            std::fs::read_to_string(path).expect("it was written"),
        )
    };
    let (result, text) = written(&[]);
    assert!(
        text.contains("verify_each: true") && text.contains("disable_threading: false"),
        "{text}"
    );
    assert!(
        text.contains("arith.addi"),
        "the program before the passes: {text}"
    );
    assert_eq!(accepted(&[path, "--run-reproducer"], ""), result);
    let (_, text) = written(&["--verify-each=false", "--mlir-disable-threading"]);
    assert!(
        text.contains("verify_each: false") && text.contains("disable_threading: true"),
        "{text}"
    );
}

#[test]
fn named_pipelines_take_the_strategy_of_their_mapping() {
    let program = "func.func @main(%x: i32) -> i32 {\n  func.return %x : i32\n}\n";
    let dumped = |flag: &str| {
        let output = opt(&[flag, "--dump-pass-pipeline"], program);
        assert!(output.status.success(), "{}", err(&output));
        err(&output)
    };
    let wanted = dumped("--pass-pipeline=builtin.module(array-to-gpu{strategy=jing})");
    assert!(wanted.contains("choose-mapping{strategy=jing "), "{wanted}");
    assert_eq!(dumped("--array-to-gpu=strategy=jing"), wanted);
    assert!(dumped("--kernel-to-gpu=strategy=jing").contains("strategy=jing "));
    let unknown = rejected(&["--array-to-gpu=stategy=jing"], program);
    let message = "pipeline `array-to-gpu`: has no option `stategy`; it has strategy";
    assert!(unknown.contains(message), "{unknown}");
    assert!(rejected(&["--cleanup=strategy=jing"], program).contains("it has none"));
    // The option's values are the pass's: so are its errors.
    let kernel = "func.func @main(%xs: !array.array<[n]f32>) -> !array.array<[n]f32> {\n  \
                  %ys = array.map (%x in %xs : [n]f32) math.exp\n  \
                  func.return %ys : !array.array<[n]f32>\n}\n";
    let wrong = rejected(&["--array-to-gpu=strategy=xyzzy"], kernel);
    let of_pass = rejected(
        &["--array-to-kernel", "--choose-mapping=strategy=xyzzy"],
        kernel,
    );
    for message in [wrong, of_pass] {
        assert!(message.contains("option strategy: "), "{message}");
    }
}

#[test]
fn the_pass_that_failed_is_named() {
    let pipeline = "--pass-pipeline=builtin.module(cse,func.func(canonicalize{test-convergence=true max-iterations=1}))";
    for threads in ["--threads=2", "--mlir-disable-threading"] {
        let message = rejected(&[pipeline, threads], SUMS);
        assert!(
            message.ends_with("note: pass `canonicalize` failed\n"),
            "{message}"
        );
    }
    let json = rejected(&[pipeline, "--json"], SUMS);
    let last = json
        .lines()
        .last()
        .map(serde_json::from_str::<serde_json::Value>);
    let last = last.expect("there is a line").expect("it is JSON");
    assert_eq!(last["message"], "pass `canonicalize` failed");
    // A program that no pass has seen is no pass's fault.
    assert!(!rejected(&[pipeline], UNKNOWN).contains("failed"));
}

#[test]
fn names_of_files_do_not_command_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["e\u{1b}]0;bad\u{7}\u{202e}.mlir", "a\nb.mlir"] {
        let path = folder.path().join(name);
        let path = path.to_str().expect("UTF-8");
        let shown = |text: &str| {
            let obeyed = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!text.contains(obeyed), "{text:?}");
            assert!(!text.contains("a\nb"), "{text:?}");
        };
        shown(&rejected(&[path], ""));
        std::fs::write(path, "func.func @f() -> i32 {\n  func.return\n}\n").expect("is written");
        shown(&rejected(&[path], ""));
        std::fs::write(path, SUMS).expect("is written");
        shown(&err(&opt(
            &[path, "--cse", "--mlir-print-ir-after-all"],
            "",
        )));
    }
}

#[test]
fn passes_are_logged_with_their_times() {
    let logged = |flag: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_segra-opt"))
            .arg(flag)
            .env("SEGRA_LOG", "debug")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut input = child.stdin.take().expect("it is piped");
        input.write_all(SUMS.as_bytes()).expect("it reads");
        drop(input);
        err(&child.wait_with_output().expect("it ends"))
    };
    let changed = logged("--canonicalize");
    assert!(changed.contains("pass{name=\"canonicalize\""), "{changed}");
    assert!(changed.contains("changed micros="), "{changed}");
    let unchanged = logged("--algebra");
    assert!(
        unchanged.contains("passes=\"algebra\" micros="),
        "{unchanged}"
    );
}
