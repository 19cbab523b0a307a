//! The artifact loader: any bytes give an artifact or an error, never a panic; what it accepts is written and read back
//! as the same artifact.
//!
//! The first byte chooses: odd, the rest is a whole file; even, it is a payload that gets a right header, so that the
//! checksum does not keep every mutation out.
#![no_main]

use libfuzzer_sys::fuzz_target;
use segra_artifact::{Artifact, FORMAT_VERSION, MAGIC};

fn with_header(payload: &[u8]) -> Vec<u8> {
    let mut file = MAGIC.to_vec();
    file.extend(FORMAT_VERSION.to_le_bytes());
    file.extend((payload.len() as u64).to_le_bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&file[MAGIC.len()..]);
    hasher.update(payload);
    file.extend(hasher.finalize().to_le_bytes());
    file.extend(payload);
    file
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, rest)) = bytes.split_first() else { return };
    let file = if choice & 1 == 1 { rest.to_vec() } else { with_header(rest) };
    let Ok(artifact) = Artifact::from_bytes(&file) else { return };
    let written = artifact.to_bytes().expect("what was read is valid");
    let again = Artifact::from_bytes(&written).expect("what was written is read");
    assert!(again.to_bytes().is_ok_and(|bytes| bytes == written), "writing is not stable");
});
