//! Compiles in a child process, so that an abort inside LLVM costs one compilation and not the program.
//!
//! The gate refuses everything known to abort, but its tables cannot know every intrinsic of every chip. A program
//! that wants to survive what slips through calls [`serve_if_worker`] first thing in `main` and then
//! [`compile_isolated`], which starts the same executable again as a worker: request on its standard input,
//! reply on its standard output, 10 ms on top of the compilation.
//!
//! Deliberately absent: a pool of workers and time limits. One worker serves one compilation.

use std::io::{Read, Write};
use std::process::{Command, Output as ProcessOutput, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, io, process};

use serde::{Deserialize, Serialize};

use crate::error::{Diagnostic, ErrorCode, MlirError, Severity, SourceLocation};
use crate::{Output, Stage, Target, compile};

/// Set in a worker's environment, and in nothing else's.
const WORKER_VARIABLE: &str = "SEGRA_MLIR_WORKER";

/// Stands before a reply: whatever the program prints before it serves is skipped.
const REPLY_MARK: &[u8] = b"\0segra-mlir reply\0";

/// How much of what LLVM said before it aborted goes into the error.
const LAST_WORDS: usize = 2000;

/// Whether this program's `main` would serve as a worker if it were started again.
static CAN_SERVE: AtomicBool = AtomicBool::new(false);

#[derive(Serialize, Deserialize)]
struct Request {
    text: String,
    target: Target,
    stage: Stage,
}

/// Serves one compilation and ends the process, if [`compile_isolated`] has started it; returns at once otherwise.
///
/// Call it first in `main`, before the program reads its arguments or prints anything.
pub fn serve_if_worker() {
    if env::var_os(WORKER_VARIABLE).is_none() {
        CAN_SERVE.store(true, Ordering::Release);
        return;
    }
    // A worker that cannot talk to its parent can only tell by how it ends.
    process::exit(if serve().is_ok() { 0 } else { 1 });
}

fn serve() -> io::Result<()> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes)?;
    let request: Request = postcard::from_bytes(&bytes).map_err(io::Error::other)?;
    let reply = compile(&request.text, &request.target, request.stage);
    let reply = postcard::to_stdvec(&reply).map_err(io::Error::other)?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(REPLY_MARK)?;
    stdout.write_all(&reply)?;
    stdout.flush()
}

/// Like [`compile`], but an abort inside LLVM is an error with [`ErrorCode::Aborted`].
///
/// Compiles in this process where the program has not called [`serve_if_worker`] or cannot be started again.
///
/// # Errors
/// Those of [`compile`], and [`ErrorCode::Aborted`].
pub fn compile_isolated(module_text: &str, target: &Target, stage: Stage) -> Result<Output, MlirError> {
    target.check()?;
    let program = if CAN_SERVE.load(Ordering::Acquire) { env::current_exe().ok() } else { None };
    let Some(program) = program else { return compile(module_text, target, stage) };
    let request = Request { text: module_text.to_owned(), target: target.clone(), stage };
    match ask(Command::new(program), &request) {
        Ok(ended) => reply_of(&ended, target),
        Err(_) => compile(module_text, target, stage),
    }
}

/// Starts a worker, hands it the request and waits for its end.
fn ask(mut worker: Command, request: &Request) -> io::Result<ProcessOutput> {
    let request = postcard::to_stdvec(request).map_err(io::Error::other)?;
    let mut child = worker
        .env(WORKER_VARIABLE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A worker that dies while it reads is reported by how it ended.
        let _ = stdin.write_all(&request);
    }
    child.wait_with_output()
}

/// What a worker that has ended replied; how it ended, if it did not reply.
fn reply_of(ended: &ProcessOutput, target: &Target) -> Result<Output, MlirError> {
    let mark = ended.stdout.windows(REPLY_MARK.len()).position(|window| window == REPLY_MARK);
    let reply = mark.map(|position| &ended.stdout[position + REPLY_MARK.len()..]);
    if let Some(reply) = reply.and_then(|reply| postcard::from_bytes(reply).ok()) {
        return reply;
    }
    let said = String::from_utf8_lossy(&ended.stderr);
    let said: String = said.trim().chars().take(LAST_WORDS).collect();
    let cause = said.lines().find(|line| line.contains("LLVM ERROR") || line.contains("error:"));
    let cause = cause.map(|line| format!(": {}", line.trim())).unwrap_or_default();
    let message = format!("LLVM gave up on the module for {} ({}){cause}", target.chip, ended.status);
    let location = SourceLocation { position: None, text: "loc(unknown)".to_owned() };
    let diagnostic = Diagnostic { severity: Severity::Error, location, message: said, notes: Vec::new() };
    Err(MlirError::new(ErrorCode::Aborted, message).with_diagnostics(vec![diagnostic]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chip;

    /// The test binary's `main` is not ours: this test, run alone in a child, is what serves there.
    #[test]
    fn worker_entry() {
        serve_if_worker();
    }

    fn isolated(text: &str, target: &Target) -> Result<Output, MlirError> {
        let mut worker = Command::new(env::current_exe().unwrap());
        worker.args(["--exact", "worker::tests::worker_entry", "--nocapture"]);
        let request = Request { text: text.to_owned(), target: target.clone(), stage: Stage::Ptx };
        reply_of(&ask(worker, &request).unwrap(), target)
    }

    #[test]
    fn a_worker_replies_what_this_process_would() {
        let target = Target::new(Chip::SM_80);
        for text in [include_str!("tests/saxpy.mlir"), "module { foo.bar }"] {
            assert_eq!(isolated(text, &target), compile(text, &target, Stage::Ptx));
        }
    }

    #[test]
    fn an_abort_inside_llvm_is_an_error() {
        // No table lists this intrinsic, and only sm_100a has it.
        let text = "module attributes {gpu.container_module} {\ngpu.module @m {\n\
            gpu.func @k(%x: f32, %m: i32, %y: memref<?xf32>) kernel {\n%c0 = arith.constant 0 : index\n\
            %r = llvm.call_intrinsic \"llvm.nvvm.redux.sync.fmin\"(%x, %m) : (f32, i32) -> f32\n\
            memref.store %r, %y[%c0] : memref<?xf32>\ngpu.return\n}\n}\n}";
        let error = isolated(text, &Target::new(Chip::SM_75)).unwrap_err();
        assert_eq!(error.code, ErrorCode::Aborted, "{error}");
        assert!(error.message.contains("LLVM ERROR: Cannot select"), "{error}");
    }

    #[test]
    fn without_a_worker_the_compilation_still_happens() {
        let target = Target::new(Chip::SM_75);
        let text = include_str!("tests/saxpy.mlir");
        assert_eq!(compile_isolated(text, &target, Stage::Ptx), compile(text, &target, Stage::Ptx));
    }
}
