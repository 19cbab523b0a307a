//! Output: files are written whole or not at all; a reader that goes away ends the program quietly.

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
        write!(f, "cannot {} {}: {}", self.action, self.path.display(), self.error)
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
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            io::Error::new(io::ErrorKind::InvalidData, format!("byte {at} is not UTF-8"))
        })
    });
    text.map_err(|error| FileError { action: "read", path: path.to_owned(), error })
}

/// Writes a text; `-` is standard output.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), FileError> {
    let result = if path == Path::new("-") { to_stdout(text) } else { to_file(path, text) };
    result.map_err(|error| FileError { action: "write", path: path.to_owned(), error })
}

fn to_stdout(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // The reader has seen enough (`| head`).
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn to_file(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link: what it points to is replaced. What is no regular file (a device, a pipe) is written into.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if std::fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
        return File::options().write(true).open(&target)?.write_all(text.as_bytes());
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&target).map_or(0o666, |found| found.permissions().mode());
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    let mut file = builder.prefix(".segra-opt-").tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(&target)?;
    Ok(())
}
