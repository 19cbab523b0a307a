//! Scripts of linear algebra: every command takes them, inputs have names, messages show the script's lines.

use crate::support::{command, segra};
use crate::{example, folder, refuses, stderr, stdout, succeeds, text_of};
use segra_tests::case;
use std::process::{Command, Output};

fn bicgk() -> String {
    text_of(&example("blas/bicgk.blas"))
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn inputs_have_names_or_an_order() {
    let folder = folder();
    let script = bicgk();
    let run = |inputs: &[&str]| {
        let mut args = vec!["run", &script, "--device", "sim", "--check"];
        args.extend(inputs.iter().flat_map(|input| ["--input", *input]));
        segra(folder.path(), &args)
    };
    let wanted = "[3.0, 7.0]\n[4.0, 6.0]\n";
    for inputs in [
        ["[[1, 2], [3, 4]]", "[1, 1]", "[1, 1]"],
        ["r=[1, 1]", "p=[1, 1]", "A=[[1, 2], [3, 4]]"],
        ["p=[1, 1]", "[[1, 2], [3, 4]]", "[1, 1]"],
    ] {
        let output = run(&inputs);
        succeeds(&output);
        assert_eq!(stdout(&output), wanted, "{inputs:?}");
    }
    let twice = ["p=[1]", "p=[2]"];
    refuses(
        &run(&twice),
        1,
        &["inputs 0 and 1 are both for parameter `p`"],
    );
    refuses(
        &run(&["q=[1]"]),
        1,
        &["is for a parameter `q`", "none of that name"],
    );
    let parts = ["p=[1]", "[[1]]"];
    refuses(&run(&parts), 1, &["parameter r: ", "has no input"]);
    let sizes = ["random:2x3", "random:2", "random:2"];
    refuses(&run(&sizes), 1, &["`A_columns`", "found 2"]);
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn every_command_takes_scripts() {
    let folder = folder();
    let at = folder.path();
    // The file of `tune` is written beside the script.
    std::fs::copy(bicgk(), at.join("bicgk.blas")).expect("copied");
    let script = "bicgk.blas".to_owned();
    let artifact = segra(
        at,
        &["compile", &script, "-o", "bicgk.segra", "--target", "sm_80"],
    );
    succeeds(&artifact);
    let data = "r=random:5; random:5x7; p=random:7";
    let bench = ["bench", "bicgk.segra", "--device", "sim", "--data", data];
    succeeds(&segra(at, &bench));
    let tune = ["tune", &script, "--device", "sim", "--data", data];
    succeeds(&segra(at, &tune));
    let explained = segra(at, &["explain", &script]);
    succeeds(&explained);
    // Kernels are at the calls, not at lines of the library.
    let text = stdout(&explained);
    assert!(text.contains("7:5") && text.contains("8:5"), "{text}");
    let bisect = [
        "bisect",
        &script,
        "--input",
        "random:5x7",
        "--input",
        "random:7",
        "--input",
        "random:5",
    ];
    succeeds(&segra(at, &bisect));
    let emitted = segra(at, &["compile", &script, "--emit", "kernel"]);
    succeeds(&emitted);
    assert!(
        stdout(&emitted).contains("kernel.segred"),
        "{}",
        stdout(&emitted)
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn mistakes_are_shown_in_the_script() {
    let folder = folder();
    let script = "matrix A[n, n];\nvector x, b;\ninput A, b;\nx = trsv_lower(A, c);\nreturn x;\n";
    std::fs::write(folder.path().join("solve.blas"), script).expect("written");
    let output = segra(folder.path(), &["explain", "solve.blas"]);
    refuses(
        &output,
        1,
        &[
            "solve.blas:4:19: error: `c` is not declared",
            "x = trsv_lower(A, c);",
        ],
    );
    // A failure while it runs is at the call, too.
    let packed = "vector ap, x, y;\ninput ap, x;\ny = spmv_lower(ap, x);\nreturn y;\n";
    std::fs::write(folder.path().join("packed.blas"), packed).expect("written");
    let inputs = ["--input", "[1, 2]", "--input", "[1, 2]"];
    let args = [&["run", "packed.blas", "--device", "sim"][..], &inputs].concat();
    let output = segra(folder.path(), &args);
    refuses(&output, 1, &["packed.blas:3:5", "y = spmv_lower(ap, x);"]);
    assert!(
        !stderr(&output).contains("blas.mlir"),
        "{}",
        stderr(&output)
    );
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn sequences_that_are_timed_beside_peers_compute_what_numpy_does() {
    let script = text_of(&case::folder().join("gpu/sequences.py"));
    let python = Command::new(case::python())
        .args([&script, "--segra", env!("CARGO_BIN_EXE_segra")])
        .output()
        .expect("tools/setup fetches Python");
    succeeds(&python);
    let lines = stdout(&python).lines().count();
    assert_eq!(lines, 11, "one for each sequence of table 1");
}

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn kernels_that_no_run_launches_are_not_compiled() {
    let folder = folder();
    let script = bicgk();
    let compile = |sizes: &[&str]| {
        let mut args = vec!["compile", &script, "--emit", "ptx", "--target", "sm_80"];
        args.extend(sizes.iter().flat_map(|size| ["--size", *size]));
        segra(folder.path(), &args)
    };
    let entries = |output: &Output| {
        succeeds(output);
        stdout(output).matches(".entry").count()
    };
    let all = entries(&compile(&[]));
    let rows = entries(&compile(&["A_rows=4096"]));
    let both = entries(&compile(&["A_rows=4096", "A_columns=4096"]));
    assert!(
        both == 3 && both < rows && rows < all,
        "{both}, {rows}, {all}"
    );
    let other = compile(&["n=1"]);
    refuses(
        &other,
        1,
        &["has no size `n`; there are: A_rows, A_columns"],
    );
    // Without elements some launches are empty.
    for shape in [
        ["random:0x3", "random:3", "random:0"],
        ["random:3x0", "random:0", "random:3"],
    ] {
        let inputs = shape.iter().flat_map(|input| ["--input", *input]);
        let run = ["run", &script, "--device", "sim", "--check"]
            .into_iter()
            .chain(inputs);
        succeeds(&segra(folder.path(), &run.collect::<Vec<_>>()));
    }
    // Runs say their sizes by their inputs, and thresholds count.
    let run = |more: &[&str]| {
        let mut args = vec![
            "run",
            &script,
            "--device",
            "sim",
            "--check",
            "--keep-ptx",
            "kept.ptx",
        ];
        args.extend([
            "--input",
            "random:130x260",
            "--input",
            "random:260",
            "--input",
            "random:130",
        ]);
        args.extend(more);
        succeeds(&segra(folder.path(), &args));
        let ptx = std::fs::read_to_string(folder.path().join("kept.ptx")).expect("is there");
        ptx.matches(".entry").count()
    };
    assert_eq!(run(&[]), 2);
    assert_eq!(run(&["--threshold", "main.traverse0.small=0"]), 3);
    // So do the data of measurements, where there is one set.
    let loaded = |data: &[&str]| {
        let mut args = vec!["bench", &script, "--device", "sim"];
        args.extend(data.iter().flat_map(|data| ["--data", *data]));
        let mut command = command(folder.path(), &args);
        let output = command
            .env("SEGRA_LOG", "debug")
            .output()
            .expect("the tool starts");
        succeeds(&output);
        let text = stderr(&output);
        let count = text
            .split("kernels=")
            .nth(1)
            .and_then(|rest| rest.split_whitespace().next());
        count
            .and_then(|count| count.parse::<usize>().ok())
            .expect("says how many kernels are loaded")
    };
    let small = "random:130x260; random:260; random:130";
    assert_eq!(loaded(&[small]), 2);
    assert_eq!(loaded(&[small, "random:9x9; random:9; random:9"]), all);
}
