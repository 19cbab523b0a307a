//! `segra-opt`: reads a program, runs passes on it, writes it. Flags are `mlir-opt`'s where the same thing exists there.
//!
//! * `flags`, `args`: the command line, made from the pass registry. `run`: the steps from text to text.
//! * `split`, `expected`: `--split-input-file`, `--verify-diagnostics`. `report`: diagnostics as text or JSON.
//! * `output`: files written whole or not at all. `show`: lists, tables, completion scripts. `validate`: `--validate-passes`.
//!
//! Deliberately absent: any pass, any dialect (see `passes/pipeline`), anything about devices.

mod args;
mod expected;
mod flags;
mod output;
mod report;
mod run;
mod show;
mod split;
mod validate;

use std::process::ExitCode;

fn main() -> ExitCode {
    start_log();
    let registry = segra_pipeline::registry();
    let args = match args::parse(std::env::args_os(), &registry) {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    match run::run(&args, &registry) {
        Ok(run::Verdict::Accepted) => ExitCode::SUCCESS,
        Ok(run::Verdict::Rejected) => ExitCode::FAILURE,
        Err(error) => report::fatal(&error),
    }
}

/// `SEGRA_LOG=debug` shows the spans of passes on standard error.
fn start_log() {
    let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("SEGRA_LOG") else { return };
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}
