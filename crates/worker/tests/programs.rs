//! Every program that can stand where the worker should, and what is said about it. None of these tests needs LLVM.

#![cfg(unix)]

use segra_worker::protocol::{self, Output, Reply};
use segra_worker::{Chip, ErrorCode, MlirError, Stage, Target, WorkerProgram};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// One test at a time: a script that is being written while another thread starts a process is "busy" in that process
/// until it executes its program.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A shell script in a folder of its own.
fn script(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("segra-ptx");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a script can be written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it becomes a program");
    path
}

fn compile(program: &Path) -> Result<Output, MlirError> {
    WorkerProgram::at(program).compile("module {}", &Target::new(Chip::SM_80), Stage::Ptx, 1)
}

/// The error of a script in the worker's place.
fn refusal(text: &str) -> MlirError {
    let folder = tempfile::tempdir().expect("a folder can be made");
    compile(&script(&folder, text)).expect_err("it is no worker")
}

fn assert_no_worker(error: &MlirError, expected: &[&str]) {
    assert_eq!(error.code, ErrorCode::NoWorker, "{error}");
    for part in expected {
        assert!(error.message.contains(part), "no `{part}` in: {error}");
    }
}

#[test]
fn a_worker_of_another_build_is_refused_with_both_versions() {
    let _alone = alone();
    let error = refusal("echo segra-ptx 0.0.1 protocol 0123\nsleep 10");
    assert_no_worker(
        &error,
        &[
            "segra-ptx 0.0.1 protocol 0123",
            &protocol::greeting(),
            "cargo build --bin segra-ptx",
        ],
    );
}

#[test]
fn another_program_is_refused_by_what_it_says() {
    let _alone = alone();
    assert_no_worker(
        &refusal("printf 'hello\\033[31m\\n'; sleep 10"),
        &["another program", "hello\\u{1b}[31m"],
    );
    // It never ends its line: only the beginning is read.
    assert_no_worker(&refusal("yes | tr -d '\\n'"), &["another program", "yyyy"]);
}

#[test]
fn a_program_that_does_not_start_is_told_with_its_reason() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    assert_no_worker(
        &compile(&folder.path().join("segra-ptx")).unwrap_err(),
        &["does not start", "No such file"],
    );
    let path = folder.path().join("plain");
    fs::write(&path, "").unwrap();
    assert_no_worker(
        &compile(&path).unwrap_err(),
        &["does not start", "Permission denied"],
    );
    let error = refusal("echo error while loading shared libraries: libMLIR.so.22.1 >&2; exit 127");
    assert_no_worker(&error, &["ends before it greets", "127", "libMLIR.so.22.1"]);
}

#[test]
fn a_worker_that_aborts_is_an_error_with_its_last_words() {
    let _alone = alone();
    // Far more than a pipe takes, so that the words must be read while it works.
    let error = refusal(&format!(
        "echo '{}'\nhead -c 4 >/dev/null\n\
         yes 'LLVM ERROR: Cannot select: something' | head -c 300000 >&2\nkill -ABRT $$",
        protocol::greeting()
    ));
    assert_eq!(error.code, ErrorCode::Aborted, "{error}");
    assert!(
        error
            .message
            .contains("LLVM ERROR: Cannot select: something"),
        "{error}"
    );
    assert!(
        error.message.contains("sm_80") && error.message.contains("SIGABRT"),
        "{error}"
    );
    assert!(error.diagnostics[0].message.len() < 10_000);
}

#[test]
fn a_reply_that_cannot_be_read_is_an_error() {
    let _alone = alone();
    let error = refusal(&format!(
        "echo '{}'\nhead -c 4 >/dev/null\nprintf '\\001\\000\\000\\000\\007'",
        protocol::greeting()
    ));
    assert_eq!(error.code, ErrorCode::Aborted, "{error}");
}

/// A program that counts its starts and serves once, and what it replies.
fn serves_once(folder: &TempDir) -> (PathBuf, Output) {
    let output = Output {
        text: "ptx".to_owned(),
        units: Vec::new(),
        diagnostics: Vec::new(),
    };
    let mut reply = Vec::new();
    protocol::send(&mut reply, &Reply::Ok(output.clone())).expect("it is written");
    fs::write(folder.path().join("reply"), reply).expect("it is written");
    let program = script(
        folder,
        &format!(
            "cd '{}'; echo >>starts; echo '{}'; head -c 4 >/dev/null; cat reply",
            folder.path().display(),
            protocol::greeting()
        ),
    );
    (program, output)
}

fn starts(folder: &TempDir) -> usize {
    fs::read(folder.path().join("starts"))
        .expect("it was started")
        .len()
}

#[test]
fn a_worker_that_died_while_it_waited_is_replaced() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let (program, output) = serves_once(&folder);
    for round in 1..=3 {
        assert_eq!(compile(&program).as_ref(), Ok(&output));
        assert_eq!(starts(&folder), round);
    }
}

#[test]
fn a_worker_that_was_started_ahead_is_the_one_that_serves() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let (program, output) = serves_once(&folder);
    for _ in 0..2 {
        WorkerProgram::at(&program).start(1).wait();
        assert_eq!(starts(&folder), 1);
    }
    assert_eq!(compile(&program), Ok(output));
    assert_eq!(starts(&folder), 1);
}

#[test]
fn one_that_cannot_be_started_ahead_is_refused_when_it_is_asked() {
    let _alone = alone();
    let missing = Path::new("/no/such/program");
    WorkerProgram::at(missing).start(1).wait();
    assert_no_worker(&compile(missing).unwrap_err(), &["does not start"]);
}
