//! Output: files are written whole or not at all; a reader that goes away ends the program quietly.

use crate::report::Error;
use segra_ir::diag::render::printable;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Writes to standard output; see [`printable`] for what a terminal gets.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let text = if io::stdout().is_terminal() {
        printable(text)
    } else {
        text.into()
    };
    to_stdout(text.as_bytes())
}

fn to_stdout(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    written(out.write_all(bytes).and_then(|()| out.flush()))
}

/// The result of writing to standard output; a reader that has seen enough (`| head`) is no error.
fn written(result: io::Result<()>) -> Result<(), Error> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| Error::file("write", Path::new("-"), error)),
    }
}

/// Prints the help or the version that was asked for, or what is wrong with the command line.
pub(crate) fn answer(answer: &clap::Error) -> Result<(), Error> {
    let result = answer.print().and_then(|()| io::stdout().flush());
    if answer.use_stderr() {
        // Where standard error is gone nobody can be told.
        return Ok(());
    }
    written(result)
}

/// Writes a file; `-` is standard output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error| Error::file("write", path, error);
    if path == Path::new("-") {
        return to_stdout(bytes);
    }
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        // A device or a pipe is written into.
        return std::fs::write(path, bytes).map_err(failed);
    }
    segra_artifact::write_file(path, bytes).map_err(failed)
}

/// Makes a folder and those above it.
pub(crate) fn folder(path: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(path).map_err(|error| Error::file("make folder", path, error))
}
