//! Output: files are written whole or not at all; a reader that goes away ends the program quietly.

use segra_ir::diag::render::printable_name;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Why a file could not be read or written.
#[derive(Debug)]
pub(crate) struct FileError {
    pub(crate) action: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) error: io::Error,
}

impl std::fmt::Display for FileError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (action, error) = (self.action, &self.error);
        let path = self.path.display().to_string();
        let path = printable_name(&path);
        match (action, self.path.to_str()) {
            ("read", Some("-")) => write!(f, "cannot read standard input: {error}"),
            ("write", Some("-")) => write!(f, "cannot write standard output: {error}"),
            _ => write!(f, "cannot {action} {path}: {error}"),
        }
    }
}

/// Reads a text; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<String, FileError> {
    let mut bytes = Vec::new();
    let result = if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    };
    let text = result.and_then(|_| {
        if let Some(form) = segra_text::foreign_form(&bytes) {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("it is {form}"),
            ));
        }
        String::from_utf8(bytes).map(without_mark).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("byte {at} is not UTF-8"),
            )
        })
    });
    text.map_err(|error| FileError {
        action: "read",
        path: path.to_owned(),
        error,
    })
}

/// The text without the mark of the byte order that some editors put in front.
fn without_mark(text: String) -> String {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

/// Writes a text; `-` is standard output.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), FileError> {
    let result = if path == Path::new("-") {
        to_stdout(text)
    } else {
        segra_artifact::write_file(path, text.as_bytes())
    };
    result.map_err(|error| FileError {
        action: "write",
        path: path.to_owned(),
        error,
    })
}

fn to_stdout(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

/// The result of writing to standard output; a reader that has seen enough (`| head`) is no error.
fn written(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Prints the help or the version that was asked for, or what is wrong with the command line.
pub(crate) fn answer(answer: &clap::Error) -> Result<(), FileError> {
    let result = answer.print().and_then(|()| io::stdout().flush());
    if answer.use_stderr() {
        // Where standard error is gone nobody can be told.
        return Ok(());
    }
    written(result).map_err(|error| FileError {
        action: "write",
        path: PathBuf::from("-"),
        error,
    })
}
