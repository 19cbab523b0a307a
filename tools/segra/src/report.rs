//! Errors, for people: messages with source lines on standard error.

use crate::args::Color;
use crate::watch::INTERRUPTED;
use segra::Failure;
use segra_ir::diag::render::{Style, printable, printable_name};
use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why a subcommand ends without success.
#[derive(Debug)]
pub(crate) enum Error {
    /// The program is wrong or cannot be compiled; with places.
    Program(Box<Failure>),
    /// A file cannot be read or written.
    File {
        action: &'static str,
        path: PathBuf,
        error: std::io::Error,
    },
    /// Anything else, in one message.
    Message(String),
    /// The results differ from the reference.
    Differs(String),
    /// Ctrl-C.
    Interrupted(String),
}

impl Error {
    pub(crate) fn message(text: impl Into<String>) -> Error {
        Error::Message(text.into())
    }
    pub(crate) fn file(action: &'static str, path: &Path, error: std::io::Error) -> Error {
        Error::File {
            action,
            path: path.to_owned(),
            error,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        Error::Program(Box::new(failure))
    }
}

/// Whether standard error takes colours.
pub(crate) fn style(color: Color) -> Style {
    let wanted = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => std::env::var_os("NO_COLOR").is_none() && std::io::stderr().is_terminal(),
    };
    if wanted {
        Style::Coloured
    } else {
        Style::Plain
    }
}

/// A line for people beside the results. Where standard error is gone nobody can be told.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", printable(text));
}

/// A path for people, on one line.
pub(crate) fn shown(path: &Path) -> String {
    printable_name(&path.display().to_string()).into_owned()
}

/// A file's name for people, which is to "read" or to "write"; `-` is a stream.
pub(crate) fn file_name(action: &str, path: &Path) -> String {
    match (action, path.to_str()) {
        ("read", Some("-")) => "standard input".to_owned(),
        ("write", Some("-")) => "standard output".to_owned(),
        _ => shown(path),
    }
}

/// Reports an error and says how the process ends.
pub(crate) fn fail(error: &Error, color: Color) -> ExitCode {
    let (text, code) = match error {
        Error::Program(failure) => (failure.render(style(color)), 1),
        Error::File {
            action,
            path,
            error,
        } => (
            format!(
                "segra: error: cannot {action} {}: {error}\n",
                file_name(action, path)
            ),
            1,
        ),
        Error::Message(text) => (format!("segra: error: {text}\n"), 1),
        Error::Differs(text) => (format!("segra: check failed: {text}\n"), 3),
        Error::Interrupted(text) => (format!("segra: {text}\n"), INTERRUPTED),
    };
    // Only what was rendered here has colours.
    let text = if matches!(error, Error::Program(_)) {
        Cow::from(text)
    } else {
        Cow::from(printable(&text).into_owned())
    };
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
    ExitCode::from(code)
}
