//! The command line's definition. Every registered pass and pipeline is a flag of its own; what was given is read by
//! `args`.

use crate::Tool;
use crate::args::{Color, Display};
use clap::builder::{PossibleValuesParser, StyledStr};
use clap::{Arg, ArgAction, Command, ValueHint, value_parser};
use segra_pass::PassRegistry;
use std::path::PathBuf;

const ABOUT: &str = "Reads a program, runs passes on it, writes it.";

const EXAMPLES: &str = "\
Examples:
  segra-opt program.mlir                                  check and print a program
  segra-opt program.mlir --canonicalize --cse             run two passes, in this order
  segra-opt program.mlir --pass-pipeline='builtin.module(func.func(canonicalize,cse))'
                                                          the same on every function; passes take options: name{key=value}
  segra-opt a.mlir --cse --mlir-print-ir-after-change     what does each pass change?
  segra-opt a.mlir --canonicalize --validate-passes       does each pass keep what the program computes?
  segra-opt a.mlir --mlir-print-op-generic | mlir-opt     hand a program to MLIR
  mlir-opt b.mlir --mlir-print-op-generic | segra-opt     and take one over

Exit code: 0 if the program was read, verified and rewritten; 1 on any error. SEGRA_LOG=debug logs passes.";

const PASSES: &str = "Passes and pipelines (in the order given; options as --NAME='key=value ...')";
const PRINTING: &str = "Printing the result";
const WATCHING: &str = "Watching passes";
const TESTING: &str = "Testing";

/// The definition of the whole command line.
pub(crate) fn command(tool: &Tool) -> Command {
    let registry = &tool.passes;
    let mut command = general(tool.name);
    command = choosing(command.next_help_heading(PASSES), registry);
    command = printing(command.next_help_heading(PRINTING));
    command = watching(command.next_help_heading(WATCHING), registry);
    testing(command.next_help_heading(TESTING))
}

fn general(name: &'static str) -> Command {
    Command::new(name)
        .version(env!("CARGO_PKG_VERSION"))
        .about(ABOUT)
        .after_help(StyledStr::from(EXAMPLES))
        .arg(
            Arg::new("FILE")
                .help("The program; - for standard input")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .default_value("-"),
        )
        .arg(
            Arg::new("o")
                .short('o')
                .value_name("FILE")
                .help("Where the result goes; - for standard output")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .default_value("-"),
        )
        .arg(flag(
            "allow-unregistered-dialect",
            "Accept dialects that are not registered",
        ))
        .arg(flag("json", "Write diagnostics as JSON, one object a line"))
        .arg(
            Arg::new("color")
                .long("color")
                .value_name("WHEN")
                .value_parser(value_parser!(Color))
                .default_value("auto")
                .help("Colour diagnostics"),
        )
        .arg(flag(
            "show-dialects",
            "List the registered dialects and their ops",
        ))
        .arg(flag(
            "show-passes",
            "Document all passes and pipelines (Markdown)",
        ))
        .arg(
            Arg::new("completions")
                .long("completions")
                .value_name("SHELL")
                .value_parser(value_parser!(clap_complete::Shell))
                .help("Write a completion script for a shell"),
        )
}

fn choosing(command: Command, registry: &PassRegistry) -> Command {
    let mut command = command.arg(
        Arg::new("pass-pipeline")
            .long("pass-pipeline")
            .value_name("TEXT")
            .help("Run a pipeline: 'builtin.module(func.func(canonicalize,cse))'"),
    );
    for entry in registry.passes() {
        command = command.arg(pass_flag(entry.info.name, entry.info.summary));
    }
    for pipeline in registry.pipelines() {
        let options = registry.pipeline_options(pipeline);
        let names: Vec<String> = options.into_iter().map(|spec| spec.name).collect();
        let summary = match names.is_empty() {
            true => pipeline.summary.to_owned(),
            false => format!("{}; options: {}", pipeline.summary, names.join(", ")),
        };
        command = command.arg(pass_flag(pipeline.name, summary));
    }
    command
}

fn printing(command: Command) -> Command {
    command
        .arg(flag(
            "mlir-print-op-generic",
            "Write every op in MLIR's generic form",
        ))
        .arg(flag("mlir-print-debuginfo", "Write locations"))
        .arg(flag(
            "mlir-print-local-scope",
            "Write no aliases, locations in place",
        ))
        .arg(flag("mlir-print-skip-regions", "Leave out regions"))
        .arg(number(
            "mlir-elide-elementsattrs-if-larger",
            "Leave out constants with more elements than this",
        ))
        .arg(number(
            "mlir-print-elementsattrs-with-hex-if-larger",
            "Write constants with more elements than this in hexadecimal",
        ))
}

fn watching(command: Command, registry: &PassRegistry) -> Command {
    selecting(measuring(showing(command, registry)), registry)
        .arg(
            Arg::new("verify-each")
                .long("verify-each")
                .value_name("BOOL")
                .num_args(0..=1)
                .require_equals(true)
                .default_value("true")
                .default_missing_value("true")
                .value_parser(value_parser!(bool))
                .help("Verify after each pass"),
        )
        .arg(flag("mlir-disable-threading", "Run passes on one thread"))
        .arg(number(
            "threads",
            "Run passes of nested pipelines on so many threads (all the machine has)",
        ))
}

/// A flag that takes a list of passes.
fn passes(registry: &PassRegistry, name: &'static str, help: &'static str) -> Arg {
    let names: Vec<&'static str> = registry.names().collect();
    Arg::new(name)
        .long(name)
        .value_name("PASSES")
        .help(help)
        .value_delimiter(',')
        .require_equals(true)
        .action(ArgAction::Append)
        .value_parser(PossibleValuesParser::new(names))
        .hide_possible_values(true)
}

/// Flags that print programs between passes.
fn showing(command: Command, registry: &PassRegistry) -> Command {
    command
        .arg(passes(
            registry,
            "mlir-print-ir-before",
            "Print the program before these passes (a,b,...)",
        ))
        .arg(passes(
            registry,
            "mlir-print-ir-after",
            "Print the program after these passes",
        ))
        .arg(flag(
            "mlir-print-ir-before-all",
            "Print the program before each pass",
        ))
        .arg(flag(
            "mlir-print-ir-after-all",
            "Print the program after each pass",
        ))
        .arg(flag(
            "mlir-print-ir-after-change",
            "After passes: print only where something changed",
        ))
        .arg(flag(
            "mlir-print-ir-after-failure",
            "Print the program when a pass fails",
        ))
        .arg(flag(
            "print-schedule",
            "Print each nest that is rewritten by a schedule, after each step",
        ))
        .arg(flag(
            "mlir-print-ir-module-scope",
            "Print the whole program instead of what the pass runs on",
        ))
        .arg(file(
            "mlir-print-ir-tree-dir",
            "DIR",
            "Print into files of this folder, one folder an op",
        ))
}

/// Flags for times, counts and reproducers.
fn measuring(command: Command) -> Command {
    command
        .arg(flag("mlir-timing", "Show the time each pass took"))
        .arg(display(
            "mlir-timing-display",
            "How times are shown: list or tree",
        ))
        .arg(flag("mlir-pass-statistics", "Show what passes counted"))
        .arg(display(
            "mlir-pass-statistics-display",
            "How counts are shown: list or pipeline",
        ))
        .arg(file(
            "profile-actions-to",
            "FILE",
            "Write a trace for chrome://tracing or Perfetto",
        ))
        .arg(file(
            "mlir-pass-pipeline-crash-reproducer",
            "FILE",
            "Where a pass fails, write program and pipeline",
        ))
        .arg(
            flag(
                "mlir-pass-pipeline-local-reproducer",
                "Only the pass that fails, and the program before it",
            )
            .requires("mlir-pass-pipeline-crash-reproducer"),
        )
        .arg(file(
            "mlir-generate-reproducer",
            "FILE",
            "Write program and pipeline, whether or not a pass fails",
        ))
        .arg(
            flag(
                "run-reproducer",
                "Run the pipeline that is stored in the program's file",
            )
            .conflicts_with("pass-pipeline"),
        )
        .arg(flag(
            "dump-pass-pipeline",
            "Show the pipeline with all its options",
        ))
}

/// Flags that choose which passes run.
fn selecting(command: Command, registry: &PassRegistry) -> Command {
    command
        .arg(passes(registry, "skip-passes", "Leave out these passes"))
        .arg(number(
            "opt-bisect-limit",
            "Run only so many passes, to find the one that breaks a program",
        ))
        .arg(
            passes(
                registry,
                "opt-bisect-passes",
                "Let --opt-bisect-limit count these passes only",
            )
            .requires("opt-bisect-limit"),
        )
}

fn testing(command: Command) -> Command {
    let marker = |name: &'static str, default: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .value_name("MARKER")
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(default)
            .help(help)
    };
    let command = command
        .arg(marker("split-input-file", "// -----", "Work on each part of the file between lines `// -----`"))
        .arg(
            marker("output-split-marker", "// -----", "The separator between the results of parts")
                .default_value("// -----"),
        )
        .arg(
            Arg::new("verify-diagnostics")
                .long("verify-diagnostics")
                .value_name("WHICH")
                .num_args(0..=1)
                .require_equals(true)
                .default_missing_value("all")
                .value_parser(["all", "only-expected"])
                .help("Check diagnostics against comments: // expected-error@+1 {{text}}; only-expected lets others be"),
        )
        .arg(flag("verify-roundtrip", "Check that what is written reads back as the same program"))
        .arg(flag(
            "validate-passes",
            "Run the program before and after each pass and compare what it computes",
        ));
    validation(command)
}

/// Flags of `--validate-passes`.
fn validation(command: Command) -> Command {
    command
        .arg(
            Arg::new("entry")
                .long("entry")
                .value_name("NAME")
                .requires("validate-passes")
                .help("The function to run; needed where there are several"),
        )
        .arg(
            Arg::new("input")
                .long("input")
                .value_name("VALUE")
                .requires("validate-passes")
                .action(ArgAction::Append)
                .allow_hyphen_values(true)
                .help("An argument, in order: a literal, or random:SHAPE; random where left out"),
        )
        .arg(
            Arg::new("seed")
                .long("seed")
                .value_name("N")
                .requires("validate-passes")
                .value_parser(value_parser!(u64))
                .default_value("0")
                .help("Seed of random arguments"),
        )
        .arg(
            Arg::new("validate-ulps")
                .long("validate-ulps")
                .value_name("N")
                .requires("validate-passes")
                .value_parser(value_parser!(u64))
                .default_value("64")
                .help("How many representable numbers floats may be apart; 0: not at all"),
        )
}

fn pass_flag(name: &'static str, summary: impl Into<StyledStr>) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("OPTIONS")
        .help(summary)
        .num_args(0..=1)
        .require_equals(true)
        .default_missing_value("")
        .action(ArgAction::Append)
        .conflicts_with("pass-pipeline")
}

fn file(name: &'static str, what: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(what)
        .value_hint(ValueHint::AnyPath)
        .help(help)
}

fn display(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("HOW")
        .value_parser(value_parser!(Display))
        .help(help)
}

fn number(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name("N")
        .value_parser(value_parser!(usize))
        .help(help)
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name)
        .long(name)
        .help(help)
        .action(ArgAction::SetTrue)
}
