//! The transcripts of the documentation, as a reader would type them: each block in a folder of its own, which has the
//! repository's `examples`, with the tools on `PATH`. `BLESS=1` writes what is printed now; `git diff` shows it.
//!
//! The tools are those that cargo has built for these tests, on `PATH` and in `target/debug`: `segra` the one of this package,
//! `segra-opt` this very program under that name. Commands that set a machine up, build or run all tests do nothing here.
//! There is no GPU, whatever the machine has.

use libtest_mimic::{Arguments, Trial};
use segra_tests::case::{self, Failure, blessing};
use segra_tests::transcript::{Step, Transcript, transcripts};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::{env, fs};

/// The pages.
const PAGES: &[&str] = &["README.md"];

fn main() -> ExitCode {
    let name = env::args_os().next().map(PathBuf::from);
    if name.is_some_and(|name| name.ends_with("segra-opt")) {
        return segra_opt::Tool::segra().main();
    }
    let arguments = Arguments::from_args();
    let trials = PAGES.iter().flat_map(|page| {
        let text = fs::read_to_string(root().join(page)).expect("the page is there");
        transcripts(&text).into_iter().map(move |block| {
            let first = block.steps.first().map_or("", |step| step.command.as_str());
            let title = format!(
                "{page}:{}: {}",
                block.line,
                first.lines().next().unwrap_or_default()
            );
            let ignored = cfg!(without_ptx) && block.steps.iter().any(makes_ptx);
            Trial::test(title, move || check(page, &block).map_err(Into::into))
                .with_ignored_flag(ignored)
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Whether a command runs a program.
fn makes_ptx(step: &Step) -> bool {
    let runs = ["run", "bisect", "locality", "bench", "tune", "compile"];
    let words: Vec<&str> = step.command.split_whitespace().collect();
    words
        .windows(2)
        .any(|pair| pair[0].ends_with("segra") && runs.contains(&pair[1]))
}

fn root() -> PathBuf {
    case::folder().join("..")
}

/// Runs a block and compares what it prints, or blesses it.
fn check(page: &str, block: &Transcript) -> Result<(), Failure> {
    let printed = run(block)?;
    let mut updated = String::new();
    let mut problems = Vec::new();
    for (step, (output, status)) in block.steps.iter().zip(&printed) {
        // A command that shows a message may fail, but not crash; one that shows nothing has to work.
        if *status == 101 || *status > 125 || *status > 0 && step.shown.is_empty() {
            return Err(format!("$ {}\n{output}exit status {status}", step.command));
        }
        match step.compare(output) {
            Ok(()) => updated += &step.text(),
            Err(problem) => {
                problems.push(problem);
                updated += &step.updated(&output.lines().collect::<Vec<_>>()).text();
            }
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false if blessing() => bless(page, &block.text, &updated),
        false => Err(format!(
            "{}(- shown, + printed; BLESS=1 writes what is printed)",
            problems.concat()
        )),
    }
}

fn bless(page: &str, old: &str, new: &str) -> Result<(), Failure> {
    /// Trials run at the same time; each writes a block of its own.
    static WRITING: Mutex<()> = Mutex::new(());
    let _alone = WRITING.lock().map_err(|error| error.to_string())?;
    let path = root().join(page);
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    fs::write(&path, text.replacen(old, new, 1)).map_err(|error| error.to_string())
}

/// The output of each command, on both streams, and its exit status.
fn run(block: &Transcript) -> Result<Vec<(String, i32)>, Failure> {
    const END: &str = "=== end of command";
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    furnish(folder.path()).map_err(|error| error.to_string())?;
    let commands = block
        .steps
        .iter()
        .map(|Step { command, .. }| format!("{command}\nprintf '\\n{END} %d\\n' $?\n"));
    let path = env::var_os("PATH").unwrap_or_default();
    let paths = [folder.path().join("bin")]
        .into_iter()
        .chain(env::split_paths(&path));
    let output = Command::new("bash")
        .args([
            "-c",
            &format!("exec 2>&1\n{}", commands.collect::<String>()),
        ])
        .current_dir(folder.path())
        .env(
            "PATH",
            env::join_paths(paths).map_err(|error| error.to_string())?,
        )
        .envs([("NO_COLOR", "1"), ("CUDA_VISIBLE_DEVICES", "")])
        .output()
        .map_err(|error| format!("bash: {error}"))?;
    let mut printed = Vec::new();
    let mut text = String::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        match line.strip_prefix(END) {
            Some(status) => {
                let status = status
                    .trim()
                    .parse()
                    .map_err(|error| format!("{line}: {error}"))?;
                // The line end that the mark begins with.
                printed.push((text.strip_suffix('\n').unwrap_or(&text).to_owned(), status));
                text.clear();
            }
            None => text = text + line + "\n",
        }
    }
    Ok(printed)
}

/// Puts what pages use into a folder.
fn furnish(folder: &Path) -> std::io::Result<()> {
    let (bin, tools) = (folder.join("bin"), folder.join("tools"));
    fs::create_dir(&bin)?;
    fs::create_dir(&tools)?;
    fs::create_dir(folder.join("target"))?;
    symlink(&bin, folder.join("target/debug"))?;
    symlink(env!("CARGO_BIN_EXE_segra"), bin.join("segra"))?;
    symlink(env::current_exe()?, bin.join("segra-opt"))?;
    for path in [bin.join("cargo"), tools.join("setup"), tools.join("test")] {
        fs::write(&path, "#!/bin/sh\n")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    symlink(
        fs::canonicalize(root().join("examples"))?,
        folder.join("examples"),
    )
}
