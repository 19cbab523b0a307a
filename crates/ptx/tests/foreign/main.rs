//! Kernels that other compilers made, run on the simulator and compared with numpy: the long mode's independent proof
//! that PTX means here what it means elsewhere.
//!
//! `cargo test -p segra-ptx --test foreign -- --ignored` makes a Python environment of its own in `.tools-long` (1.5 GB:
//! the wheels of Triton and IREE and numpy, from the package index), compiles the programs beside this file for
//! `sm_80` and `sm_90` without a GPU, and runs all of them. `SEGRA_FOREIGN=DIRECTORY` takes what was compiled before.

#[path = "../suite/common.rs"]
mod common;
mod programs;

use programs::Program;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace's root.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn command(program: &Path, arguments: &[&str]) {
    let status = Command::new(program).args(arguments).status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "{} {arguments:?} failed",
        program.display()
    );
}

/// The Python interpreter of the environment with the other compilers, which the first call makes.
fn python() -> PathBuf {
    let environment = root().join(".tools-long/venv");
    let python = environment.join("bin/python");
    let wheels = [
        "numpy==2.4.6",
        "triton==3.9.0",
        "iree-base-compiler==3.13.0",
    ];
    if !environment.join("complete").exists() {
        command(
            Path::new("python3"),
            &["-m", "venv", &environment.to_string_lossy()],
        );
        let mut install = vec!["-m", "pip", "install", "--no-cache-dir", "--quiet"];
        install.extend(wheels);
        command(&python, &install);
        std::fs::write(environment.join("complete"), wheels.join("\n"))
            .expect("the environment is writable");
    }
    python
}

/// A directory with compiled programs of one compiler.
fn compiled(script: &str) -> PathBuf {
    if let Some(given) = std::env::var_os("SEGRA_FOREIGN") {
        return given.into();
    }
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(script);
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/foreign")
        .join(script);
    command(
        &python(),
        &[&script.to_string_lossy(), &directory.to_string_lossy()],
    );
    directory
}

/// Runs every program of a directory, of which there must be some number; reports all failures at once.
#[allow(clippy::print_stdout, reason = "the long mode says what it ran")]
fn run_all(directory: &Path, least: usize) {
    let programs = Program::all(directory);
    assert!(
        programs.len() >= least,
        "{} programs in {}",
        programs.len(),
        directory.display()
    );
    let mut failures = Vec::new();
    for program in &programs {
        match program.run() {
            Ok(instructions) => println!(
                "{}: right, {instructions} thread instructions",
                program.name
            ),
            Err(failure) => failures.push(format!("{}: {failure}", program.name)),
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} programs:\n{}",
        failures.len(),
        programs.len(),
        failures.join("\n")
    );
}

#[test]
#[ignore = "long mode: downloads 1.5 GB of compilers"]
fn triton_kernels_compute_what_numpy_computes() {
    run_all(&compiled("triton_kernels.py"), 26);
}

#[test]
#[ignore = "long mode: downloads 1.5 GB of compilers"]
fn iree_kernels_compute_what_numpy_computes() {
    run_all(&compiled("iree_kernels.py"), 6);
}
