//! Output: files are written whole or not at all; a reader that goes away ends the program quietly.

use crate::report::{Error, printable};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Writes to standard output; see [`printable`] for what a terminal gets.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() {
        printable(text)
    } else {
        text.into()
    };
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // The reader has seen enough (`| head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(|error| Error::file("write", Path::new("-"), error)),
    }
}

/// Writes a file; `-` is standard output.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error| Error::file("write", path, error);
    if path == Path::new("-") {
        return io::stdout().lock().write_all(bytes).map_err(failed);
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
