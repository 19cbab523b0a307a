//! `segra-opt` as a library: reads a program, runs passes on it, writes it. Flags are `mlir-opt`'s where the same thing
//! exists there. A project with dialects and passes of its own makes a driver that knows them by a [`Tool`].
//!
//! * `flags`, `args`: the command line, made from the pass registry. `run`: the steps from text to text.
//! * `split`, `expected`: `--split-input-file`, `--verify-diagnostics`. `report`: diagnostics as text or JSON.
//! * `output`: files written whole or not at all. `show`: lists, tables, completion scripts. `validate`: `--validate-passes`.
//! * `watch`: printing, timing, tracing, bisecting and reproducing passes.
//!
//! Deliberately absent: any pass, any dialect (see `passes/pipeline`), anything about devices.
//!
//! ```
//! use segra_opt::Tool;
//! use std::process::ExitCode;
//!
//! // The whole `main` of a driver with Segra's dialects and passes.
//! let tool = Tool::segra().named("my-opt");
//! assert_eq!(tool.run(["my-opt", "--help"].map(Into::into)), ExitCode::SUCCESS);
//! ```

mod args;
mod expected;
mod flags;
mod output;
mod report;
mod run;
mod show;
mod split;
mod validate;
mod watch;

use segra_ir::{Context, Dialect};
use segra_pass::{PassEntry, PassRegistry};
use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::process::ExitCode;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

/// Makes a dialect known in a context.
type Register = Box<dyn Fn(&Context)>;

/// A driver: its name, and the passes and dialects it knows.
///
/// `Tool::segra().named("my-opt").with_dialect(my_dialect).with_passes(vec![PassEntry::of::<MyPass>()]).main()` is the
/// whole `main` of a driver.
pub struct Tool {
    name: &'static str,
    passes: PassRegistry,
    dialects: Vec<Register>,
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tool({}, {:?})", self.name, self.passes)
    }
}

impl Tool {
    /// A driver that knows no dialect and no pass.
    pub fn new(name: &'static str) -> Tool {
        Tool {
            name,
            passes: PassRegistry::default(),
            dialects: Vec::new(),
        }
    }
    /// The driver with every dialect, pass and pipeline of Segra.
    pub fn segra() -> Tool {
        let dialects: Vec<Register> = vec![Box::new(segra_pipeline::register_all_dialects)];
        Tool {
            name: "segra-opt",
            passes: segra_pipeline::registry(),
            dialects,
        }
    }
    /// Another name, for help and messages.
    pub fn named(mut self, name: &'static str) -> Tool {
        self.name = name;
        self
    }
    /// One more dialect; the function is called for every program that is read.
    pub fn with_dialect(mut self, dialect: impl Fn() -> Dialect + 'static) -> Tool {
        self.dialects
            .push(Box::new(move |ctx| ctx.register(dialect())));
        self
    }
    /// More passes.
    pub fn with_passes(mut self, passes: Vec<PassEntry>) -> Tool {
        self.passes = self.passes.with_passes(passes);
        self
    }
    /// Does what the process's command line says, and reports on standard error.
    pub fn main(&self) -> ExitCode {
        start_log();
        self.run(std::env::args_os())
    }
    /// Does what a command line says (its first word is the program's name), and reports on standard error.
    pub fn run(&self, args: impl IntoIterator<Item = OsString>) -> ExitCode {
        let args = match args::parse(args, self) {
            Ok(args) => args,
            Err(error) => {
                return match output::answer(&error) {
                    Ok(()) => {
                        u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
                    }
                    Err(failed) => report::fatal(self.name, &failed.into()),
                };
            }
        };
        match run::run(&args, self) {
            Ok(run::Verdict::Accepted) => ExitCode::SUCCESS,
            Ok(run::Verdict::Rejected) => ExitCode::FAILURE,
            Err(error) => report::fatal(self.name, &error),
        }
    }
    /// Registers the dialects.
    fn register(&self, ctx: &Context) {
        self.dialects.iter().for_each(|register| register(ctx));
    }
}

/// `SEGRA_LOG=debug` shows passes, kernels loaded and launches with their times on standard error. For tools, once in a process.
pub fn start_log() {
    let filter = std::env::var("SEGRA_LOG")
        .ok()
        .and_then(|text| text.parse::<Targets>().ok());
    let Some(filter) = filter else { return };
    // A level alone is for Segra's own crates: the libraries below have thousands of lines to say.
    let filter = match filter.default_level() {
        Some(level) => Targets::new().with_target("segra", level).with_targets(
            filter
                .iter()
                .map(|(target, level)| (target.to_owned(), level)),
        ),
        None => filter,
    };
    let printer = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_target(false)
        .without_time()
        .with_ansi(std::io::stderr().is_terminal())
        .with_filter(filter);
    tracing_subscriber::registry().with(printer).init();
}
