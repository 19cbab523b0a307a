//! Arguments of the test binaries with trials of their own: those of `libtest-mimic`, and any number of filters.
//!
//! `cargo test --test text --test tidy -- math documentation` gives every binary both filters; `libtest` runs what either
//! matches, `libtest-mimic` refuses the second.

use clap::Parser;
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;

/// Arguments of a test binary.
#[derive(Parser)]
struct Command {
    #[command(flatten)]
    arguments: Arguments,
    /// Further filters: a trial runs whose name contains one of them.
    further: Vec<String>,
}

/// Runs those of `trials` that the arguments of the process name, and says whether all passed.
pub fn run(trials: Vec<Trial>) -> ExitCode {
    let Command {
        mut arguments,
        further,
    } = Command::parse();
    let trials = match further.as_slice() {
        // Its messages tell how many trials a single filter left out.
        [] => trials,
        further => matching(&mut arguments, further, trials),
    };
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The trials that one of several filters matches; `arguments` has none afterwards.
fn matching(arguments: &mut Arguments, further: &[String], mut trials: Vec<Trial>) -> Vec<Trial> {
    let first = arguments.filter.take();
    let filters: Vec<&str> = first.iter().chain(further).map(String::as_str).collect();
    let exact = arguments.exact;
    trials.retain(|trial| {
        let name = trial.name();
        let matches = |&filter: &&str| {
            if exact {
                name == filter
            } else {
                name.contains(filter)
            }
        };
        filters.iter().any(matches)
    });
    trials
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(line: &[&str]) -> Vec<String> {
        let Command {
            mut arguments,
            further,
        } = Command::parse_from(line);
        let trial = |name| Trial::test(name, || Ok(()));
        let trials = ["map", "map of map", "scan", "fold"].map(trial).into();
        let left = matching(&mut arguments, &further, trials);
        left.iter().map(|trial| trial.name().to_owned()).collect()
    }

    #[test]
    fn a_trial_runs_that_one_of_the_filters_matches() {
        assert_eq!(
            names(&["run", "map", "fold"]),
            ["map", "map of map", "fold"]
        );
        assert_eq!(names(&["run", "--exact", "map", "scan"]), ["map", "scan"]);
    }
}
