//! The protocol between client and worker, on the worker's standard input and output.
//!
//! The worker first writes one line, its [`greeting`]. Then every request is one frame, and so is its reply: the length
//! as four bytes (little endian), then as many bytes of postcard. The end of its input ends the worker.
//!
//! Invariant: two programs with the same greeting have the same requests and replies, since the greeting holds a hash
//! of the files that define them.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Read, Write};

use crate::error::{Diagnostic, MlirError};
use crate::target::Target;

/// The worker's name, and that of its executable.
pub const PROGRAM: &str = "segra-ptx";

/// The argument that makes the program serve.
pub const SERVE: &str = "serve";

/// Bytes of a frame's length.
const LENGTH: usize = 4;

/// The output of a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Stage {
    /// The module in the LLVM dialect, after all conversions.
    Llvm,
    /// PTX text.
    Ptx,
}

/// One compilation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The module, in MLIR's generic or custom form.
    pub text: String,
    /// The target of the compilation.
    pub target: Target,
    /// How far.
    pub stage: Stage,
    /// Threads at most, for several kernels at once; the reply does not depend on it.
    pub threads: usize,
}

/// The answer to a [`Request`].
pub type Reply = Result<Output, MlirError>;

/// The text of one `gpu.module`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The name of the `gpu.module`.
    pub name: String,
    /// Its PTX: one loadable CUDA module.
    pub text: String,
}

/// The result of a compilation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The text of the stage asked for. With several GPU modules at [`Stage::Ptx`], their texts one after the
    /// other; load [`Output::units`] then.
    pub text: String,
    /// At [`Stage::Ptx`], one unit per `gpu.module`, in order; empty otherwise.
    pub units: Vec<Unit>,
    /// Upstream's diagnostics of a compilation that succeeded.
    pub diagnostics: Vec<Diagnostic>,
}

/// The worker's first line, without its end.
pub fn greeting() -> String {
    format!(
        "{PROGRAM} {} protocol {FINGERPRINT:016x}",
        env!("CARGO_PKG_VERSION")
    )
}

/// A hash of the types that are sent, by the text that defines them.
const FINGERPRINT: u64 = {
    let files = [
        include_str!("protocol.rs"),
        include_str!("error.rs"),
        include_str!("target.rs"),
    ];
    // FNV-1a, which can be computed while this is compiled.
    let (mut hash, mut file) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while file < files.len() {
        let (text, mut at) = (files[file].as_bytes(), 0);
        while at < text.len() {
            hash = (hash ^ text[at] as u64).wrapping_mul(0x0100_0000_01b3);
            at += 1;
        }
        file += 1;
    }
    hash
};

/// Writes one request or reply.
///
/// # Errors
/// The other side is gone, or the value is larger than a frame.
pub fn send(writer: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    // In one piece with its length.
    let mut frame = postcard::to_extend(value, vec![0; LENGTH]).map_err(io::Error::other)?;
    let length = u32::try_from(frame.len() - LENGTH).map_err(io::Error::other)?;
    frame[..LENGTH].copy_from_slice(&length.to_le_bytes());
    writer.write_all(&frame)?;
    writer.flush()
}

/// Reads one request or reply; `None` at the end of the stream.
///
/// # Errors
/// The stream ends within a frame, or the frame is not such a value.
pub fn receive<T: DeserializeOwned>(reader: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; LENGTH];
    let mut seen = 0;
    while seen < length.len() {
        match reader.read(&mut length[seen..]) {
            Ok(0) if seen == 0 => return Ok(None),
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => seen += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let length = u32::from_le_bytes(length);
    // Grows as bytes arrive, so that a wrong length allocates nothing.
    let mut bytes = Vec::new();
    reader.take(u64::from(length)).read_to_end(&mut bytes)?;
    if bytes.len() < length as usize {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    postcard::from_bytes(&bytes)
        .map(Some)
        .map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Chip;

    #[test]
    fn frames_are_read_as_they_were_written() {
        let request = Request {
            text: "module {}".to_owned(),
            target: Target::new(Chip::SM_90),
            stage: Stage::Llvm,
            threads: 2,
        };
        let mut bytes = Vec::new();
        send(&mut bytes, &request).unwrap();
        send(&mut bytes, &request).unwrap();
        let mut rest = &bytes[..];
        for _ in 0..2 {
            let read: Request = receive(&mut rest).unwrap().unwrap();
            assert_eq!(
                (read.text, read.target, read.stage, read.threads),
                (
                    request.text.clone(),
                    request.target.clone(),
                    request.stage,
                    request.threads
                )
            );
        }
        assert!(receive::<Request>(&mut rest).unwrap().is_none());
    }

    #[test]
    fn a_frame_that_is_cut_off_or_wrong_is_an_error() {
        let mut bytes = Vec::new();
        send(&mut bytes, &Stage::Ptx).unwrap();
        for end in 1..bytes.len() {
            assert!(receive::<Stage>(&mut &bytes[..end]).is_err(), "{end}");
        }
        // Four gigabytes announced, none sent.
        assert!(receive::<Stage>(&mut &[0xff; 6][..]).is_err());
        assert!(receive::<Stage>(&mut &[1, 0, 0, 0, 7][..]).is_err());
    }
}
