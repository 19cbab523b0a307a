//! The artifact file: a fixed header, then a postcard payload.
//!
//! | offset | bytes | content |
//! |---|---|---|
//! | 0 | 8 | [`MAGIC`]: not text, and damaged by any transfer that rewrites line ends |
//! | 8 | 4 | format version, little endian |
//! | 12 | 8 | payload length in bytes, little endian |
//! | 20 | 4 | CRC-32 (IEEE) of bytes 8..20 and the payload, little endian |
//! | 24 | | payload |
//!
//! The header stays as it is in every later version, so an old reader tells a newer file from a damaged one.
//! Reading checks, in this order: magic, length, checksum, version, payload, then [`Artifact::validate`].

use crate::Artifact;
use crate::validate::ValidationError;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// First bytes of every artifact file.
pub const MAGIC: [u8; 8] = *b"\x89SGR\r\n\x1a\n";
/// Version of the payload this crate writes, and the only one it reads.
pub const FORMAT_VERSION: u32 = 3;

const HEADER: usize = 24;
const CHECKED_FROM: usize = 8;
const CHECKSUM_AT: usize = 20;

/// Why an artifact could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// The file could not be read.
    #[error("cannot read artifact {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// The file could not be written; what was there before is untouched.
    #[error("cannot write artifact {}: {source}; nothing was changed there", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
    /// No bytes at all.
    #[error("empty artifact: the file has no bytes")]
    Empty,
    /// Not an artifact at all.
    #[error("not a Segra artifact: the file does not begin with Segra's signature")]
    Foreign,
    /// Shorter than its header says.
    #[error("truncated artifact: {expected} bytes expected, {found} found")]
    Truncated {
        /// Bytes the header announces (or the header itself).
        expected: u64,
        /// Bytes there are.
        found: u64,
    },
    /// Longer than its header says.
    #[error("damaged artifact: {extra} bytes follow its end")]
    Trailing {
        /// Bytes too many.
        extra: u64,
    },
    /// The checksum does not match.
    #[error("damaged artifact: its checksum is {found:08x}, its content has {expected:08x}")]
    Checksum {
        /// Computed from the content.
        expected: u32,
        /// Stored in the header.
        found: u32,
    },
    /// Written by a newer (or, should one ever be dropped, older) version.
    #[error("artifact of format version {found}; this build reads version {FORMAT_VERSION}{}", hint(*found))]
    Version {
        /// The file's version.
        found: u32,
    },
    /// The checksum matches, but the payload is not an artifact: a producer's mistake.
    #[error("malformed artifact: {0}")]
    Malformed(String),
    /// The artifact contradicts itself: a producer's mistake.
    #[error("invalid artifact: {0}")]
    Invalid(#[from] ValidationError),
}

fn hint(found: u32) -> &'static str {
    if found > FORMAT_VERSION {
        ": it was made by a newer Segra, update this one"
    } else {
        ": compile it again"
    }
}

impl Artifact {
    /// The file's bytes; the same artifact always gives the same. Refuses an invalid artifact.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ArtifactError> {
        self.validate()?;
        let payload = postcard::to_stdvec(self)
            .map_err(|error| ArtifactError::Malformed(error.to_string()))?;
        let mut bytes = Vec::with_capacity(HEADER + payload.len());
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        bytes.extend_from_slice(&(payload.len() as u64).to_le_bytes());
        let checksum = checksum(&bytes[CHECKED_FROM..], &payload);
        bytes.extend_from_slice(&checksum.to_le_bytes());
        bytes.extend_from_slice(&payload);
        Ok(bytes)
    }

    /// Reads what [`Artifact::to_bytes`] made and validates it. Never panics, whatever the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Artifact, ArtifactError> {
        let known = bytes.len().min(MAGIC.len());
        if bytes.is_empty() {
            return Err(ArtifactError::Empty);
        }
        if bytes[..known] != MAGIC[..known] {
            return Err(ArtifactError::Foreign);
        }
        let found = bytes.len() as u64;
        let truncated = |expected: u64| ArtifactError::Truncated { expected, found };
        let (Some(version), Some(length), Some(stored)) = (
            word(bytes, CHECKED_FROM),
            long(bytes, 12),
            word(bytes, CHECKSUM_AT),
        ) else {
            return Err(truncated(HEADER as u64));
        };
        let end = length.saturating_add(HEADER as u64);
        if found < end {
            return Err(truncated(end));
        }
        if found > end {
            return Err(ArtifactError::Trailing { extra: found - end });
        }
        let payload = &bytes[HEADER..];
        let computed = checksum(&bytes[CHECKED_FROM..CHECKSUM_AT], payload);
        if computed != stored {
            return Err(ArtifactError::Checksum {
                expected: computed,
                found: stored,
            });
        }
        if version != FORMAT_VERSION {
            return Err(ArtifactError::Version { found: version });
        }
        let (artifact, rest): (Artifact, &[u8]) = postcard::take_from_bytes(payload)
            .map_err(|error| ArtifactError::Malformed(error.to_string()))?;
        if !rest.is_empty() {
            return Err(ArtifactError::Malformed(format!(
                "{} unread bytes in the payload",
                rest.len()
            )));
        }
        artifact.validate()?;
        Ok(artifact)
    }

    /// Writes the file in one step: readers see the old file or the new one, never a part, and a full disk leaves
    /// the old one. The directory must exist.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), ArtifactError> {
        let path = path.as_ref();
        let bytes = self.to_bytes()?;
        write_file(path, &bytes).map_err(|source| ArtifactError::Write {
            path: path.to_owned(),
            source,
        })
    }

    /// Reads and validates a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Artifact, ArtifactError> {
        let path = path.as_ref();
        let bytes = std::fs::read(path).map_err(|source| ArtifactError::Read {
            path: path.to_owned(),
            source,
        })?;
        Artifact::from_bytes(&bytes)
    }
}

/// Writes a file whole or not at all: where that fails, what was in the place before is still there.
///
/// A link stays a link: what it points to is replaced. A file that is replaced keeps its mode. Anything but a regular file
/// (a device, a pipe) is written into.
///
/// # Errors
/// The system's message, a full disk included.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let found = std::fs::metadata(&target).ok();
    if found.as_ref().is_some_and(|found| !found.is_file()) {
        return std::fs::File::options()
            .write(true)
            .open(&target)?
            .write_all(bytes);
    }
    // A temporary file elsewhere could not be renamed into place across file systems.
    let directory = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".segra-");
    #[cfg(unix)]
    {
        // The default of 0600 suits secrets; a new file gets what any new file gets (the umask still applies).
        use std::os::unix::fs::PermissionsExt as _;
        let mode = found.map_or(0o666, |found| found.permissions().mode());
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    let mut file = builder.tempfile_in(directory)?;
    file.write_all(bytes)?;
    // Without this a full disk or a crash could show up only after the rename.
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

fn checksum(header: &[u8], payload: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(header);
    hasher.update(payload);
    hasher.finalize()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes
        .get(at..at + 4)?
        .try_into()
        .ok()
        .map(u32::from_le_bytes)
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes
        .get(at..at + 8)?
        .try_into()
        .ok()
        .map(u64::from_le_bytes)
}
