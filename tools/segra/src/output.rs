//! Output: files are written whole or not at all; a reader that goes away ends the program quietly.

use crate::report::Error;
use std::io::{self, Write};
use std::path::Path;

/// Writes to standard output.
pub(crate) fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
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
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".segra-").tempfile_in(folder).map_err(failed)?;
    // Without the sync a full disk could show up only after the rename, when the old file is gone.
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Makes a folder and those above it.
pub(crate) fn folder(path: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(path).map_err(|error| Error::file("make folder", path, error))
}
