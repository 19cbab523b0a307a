//! The command line, as [`Args`]. Its definition is in `flags`.

use crate::{Tool, flags};
use clap::{ArgMatches, Command, ValueEnum};
use segra_pass::PassRegistry;
use std::ffi::OsString;
use std::path::PathBuf;

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReportForm {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// When text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How a table of passes is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Display {
    /// One row a pass, over the whole pipeline.
    List,
    /// As the pipeline is nested.
    #[value(alias = "pipeline")]
    Tree,
}

/// The information to show instead of working on a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    Dialects,
    Passes,
    Completions(clap_complete::Shell),
}

/// How passes are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Passes {
    /// By `--pass-pipeline`.
    Pipeline(String),
    /// By flags of their own, in order: name and options.
    Flags(Vec<(String, String)>),
}

/// The parsed command line.
#[derive(Clone, Debug)]
pub(crate) struct Args {
    pub(crate) input: PathBuf,
    pub(crate) output: PathBuf,
    pub(crate) passes: Passes,
    pub(crate) show: Option<Show>,
    pub(crate) report: ReportForm,
    pub(crate) color: Color,
    pub(crate) split: Option<String>,
    pub(crate) output_split: String,
    pub(crate) verify_each: bool,
    /// Whether diagnostics are checked against comments, and what of those no comment expects.
    pub(crate) expected: Option<crate::expected::Others>,
    pub(crate) skip: Vec<String>,
    pub(crate) bisect_limit: Option<usize>,
    pub(crate) validate: Option<Validate>,
    matches: ArgMatches,
}

/// The runs of `--validate-passes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Validate {
    pub(crate) entry: Option<String>,
    pub(crate) inputs: Vec<String>,
    pub(crate) seed: u64,
    pub(crate) ulps: u64,
}

impl Args {
    /// Whether a plain flag is given.
    pub(crate) fn has(&self, flag: &str) -> bool {
        self.matches.get_flag(flag)
    }
    /// The names given to a flag with a comma-separated list.
    pub(crate) fn names(&self, flag: &str) -> Vec<String> {
        list(&self.matches, flag)
    }
    /// The text given to a flag.
    pub(crate) fn text(&self, flag: &str) -> Option<String> {
        self.matches.get_one::<String>(flag).cloned()
    }
    /// How a table is shown.
    pub(crate) fn display(&self, flag: &str) -> Display {
        self.matches
            .get_one::<Display>(flag)
            .copied()
            .unwrap_or(Display::Tree)
    }
    /// The number given to a flag.
    pub(crate) fn number(&self, flag: &str) -> Option<usize> {
        self.matches.get_one::<usize>(flag).copied()
    }
}

fn list(matches: &ArgMatches, flag: &str) -> Vec<String> {
    matches
        .get_many::<String>(flag)
        .map(|values| values.cloned().collect())
        .unwrap_or_default()
}

/// The thing to show instead of running passes.
fn show(matches: &ArgMatches) -> Option<Show> {
    match matches.get_one::<clap_complete::Shell>("completions") {
        Some(&shell) => Some(Show::Completions(shell)),
        None if matches.get_flag("show-dialects") => Some(Show::Dialects),
        None if matches.get_flag("show-passes") => Some(Show::Passes),
        None => None,
    }
}

/// Reads the command line.
pub(crate) fn parse(
    args: impl IntoIterator<Item = OsString>,
    tool: &Tool,
) -> Result<Args, clap::Error> {
    let mut command = flags::command(tool);
    let args = double_dashes(args, &command);
    let matches = command.try_get_matches_from_mut(args)?;
    let text = |flag: &str| matches.get_one::<String>(flag).cloned();
    let path = |flag: &str| {
        matches
            .get_one::<PathBuf>(flag)
            .cloned()
            .unwrap_or_else(|| PathBuf::from("-"))
    };
    let number = |flag: &str| matches.get_one::<u64>(flag).copied().unwrap_or(0);
    let inputs = matches.get_many::<String>("input");
    let validate = matches.get_flag("validate-passes").then(|| Validate {
        entry: text("entry"),
        inputs: inputs.map_or_else(Vec::new, |all| all.cloned().collect()),
        seed: number("seed"),
        ulps: number("validate-ulps"),
    });
    Ok(Args {
        input: path("FILE"),
        output: path("o"),
        passes: match text("pass-pipeline") {
            Some(pipeline) => Passes::Pipeline(pipeline),
            None => Passes::Flags(pass_flags(&matches, &tool.passes)),
        },
        show: show(&matches),
        report: if matches.get_flag("json") {
            ReportForm::Json
        } else {
            ReportForm::Text
        },
        color: matches
            .get_one::<Color>("color")
            .copied()
            .unwrap_or(Color::Auto),
        split: text("split-input-file"),
        output_split: text("output-split-marker").unwrap_or_default(),
        verify_each: matches
            .get_one::<bool>("verify-each")
            .copied()
            .unwrap_or(true),
        expected: text("verify-diagnostics").map(|which| match which.as_str() {
            "only-expected" => crate::expected::Others::Ignored,
            _ => crate::expected::Others::Wrong,
        }),
        skip: list(&matches, "skip-passes"),
        bisect_limit: matches.get_one::<usize>("opt-bisect-limit").copied(),
        validate,
        matches,
    })
}

/// The passes chosen by flags of their own, in the order of the command line.
fn pass_flags(matches: &ArgMatches, registry: &PassRegistry) -> Vec<(String, String)> {
    let mut chosen = Vec::new();
    for name in registry.names() {
        let indices = matches.indices_of(name).into_iter().flatten();
        let values = matches.get_many::<String>(name).into_iter().flatten();
        chosen.extend(
            indices
                .zip(values)
                .map(|(index, options)| (index, name.to_owned(), options.clone())),
        );
    }
    chosen.sort();
    chosen
        .into_iter()
        .map(|(_, name, options)| (name, options))
        .collect()
}

/// LLVM's tools take long flags with one dash too.
fn double_dashes(args: impl IntoIterator<Item = OsString>, command: &Command) -> Vec<OsString> {
    let is_long = |name: &str| {
        name.len() > 1
            && (name == "help"
                || name == "version"
                || command
                    .get_arguments()
                    .any(|arg| arg.get_long() == Some(name)))
    };
    args.into_iter()
        .map(
            |arg| match arg.to_str().and_then(|text| text.strip_prefix('-')) {
                Some(rest) if is_long(rest.split('=').next().unwrap_or(rest)) => {
                    OsString::from(format!("--{rest}"))
                }
                _ => arg,
            },
        )
        .collect()
}
