//! `segra`: compiles array programs, runs them, explains what became of them.
//!
//! * `args`: the command line. `order`: orders of points on it. `source`: a file that is a program or an artifact. `inputs`: arguments of an entry.
//! * `compile`, `run`, `bisect`, `bench`, `tune`, `explain`, `locality`, `devices`, `ptx`: one subcommand each. `data`, `thresholds`: what
//!   they are run on and which versions. `combinations`, `orders`, `tiles`: what `tune` compiles and measures (`tried`). `output`, `report`: files, messages, JSON.
//!
//! Exit codes: 0 done; 1 the program, an input or a file is wrong; 2 the command line is wrong (clap's own code);
//! 3 `--check` or `bisect` found a difference.
//!
//! Deliberately absent: anything a library user could not do with the `segra` crate.

mod args;
mod bench;
mod bisect;
mod combinations;
mod compile;
mod data;
mod devices;
mod explain;
mod inputs;
mod locality;
mod order;
mod orders;
mod output;
mod profile;
mod ptx;
mod report;
mod run;
mod source;
mod thresholds;
mod tiles;
mod tried;
mod tune;
mod watch;

use args::{Args, Command};
use clap::{CommandFactory, Parser};
use std::process::ExitCode;

fn main() -> ExitCode {
    segra_opt::start_log();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            return match output::answer(&error) {
                Ok(()) => u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from),
                Err(failed) => report::fail(&failed, args::Color::Auto),
            };
        }
    };
    let result = match &args.command {
        Command::Compile(command) => compile::compile(command),
        Command::Run(command) => run::run(command),
        Command::Bisect(command) => bisect::bisect(command),
        Command::Bench(command) => bench::bench(command),
        Command::Tune(command) => tune::tune(command),
        Command::Explain(command) => explain::explain(command),
        Command::Devices(command) => devices::devices(command),
        Command::Locality(command) => locality::locality(command),
        Command::Ptx(command) => ptx::ptx(command),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "segra", &mut script);
            output::print(&String::from_utf8_lossy(&script))
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report::fail(&error, args.command.color()),
    }
}
