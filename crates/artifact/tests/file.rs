//! The artifact file: round trips, determinism, and refusal of whatever is not a whole, current artifact.

mod support;

use proptest::prelude::*;
use segra_artifact::{Artifact, ArtifactError, FORMAT_VERSION};

/// Stores the right checksum again after a deliberate change.
fn reseal(bytes: &mut [u8]) {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[8..20]);
    hasher.update(&bytes[24..]);
    let checksum = hasher.finalize();
    bytes[20..24].copy_from_slice(&checksum.to_le_bytes());
}

#[test]
fn bytes_read_back_to_the_same_artifact_and_are_deterministic() {
    let artifact = support::sample();
    let bytes = artifact.to_bytes().unwrap();
    let back = Artifact::from_bytes(&bytes).unwrap();
    assert_eq!(back, artifact);
    assert_eq!(
        back.to_bytes().unwrap(),
        support::sample().to_bytes().unwrap()
    );
}

#[test]
fn json_reads_back_to_the_same_artifact() {
    let artifact = support::sample();
    let json = serde_json::to_string(&artifact).unwrap();
    assert_eq!(serde_json::from_str::<Artifact>(&json).unwrap(), artifact);
}

#[test]
fn a_written_file_replaces_the_old_one_and_leaves_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program.segra");
    std::fs::write(&path, "old").unwrap();
    support::sample().write(&path).unwrap();
    assert_eq!(Artifact::read(&path).unwrap(), support::sample());
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_failed_write_keeps_the_old_file_and_says_why() {
    let directory = tempfile::tempdir().unwrap();
    // A directory cannot be replaced by a file: the rename fails after everything was written.
    let path = directory.path().join("taken");
    std::fs::create_dir(&path).unwrap();
    std::fs::write(path.join("inside"), "kept").unwrap();
    let error = support::sample().write(&path).unwrap_err();
    assert!(
        error.to_string().starts_with("cannot write artifact"),
        "{error}"
    );
    assert_eq!(std::fs::read(path.join("inside")).unwrap(), b"kept");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_missing_directory_is_reported() {
    let error = support::sample()
        .write("/nonexistent/directory/program.segra")
        .unwrap_err();
    assert!(matches!(error, ArtifactError::Write { .. }), "{error}");
}

#[test]
fn every_truncation_is_refused_as_truncated() {
    let bytes = support::sample().to_bytes().unwrap();
    assert!(matches!(
        Artifact::from_bytes(&[]),
        Err(ArtifactError::Empty)
    ));
    for len in 1..bytes.len() {
        let result = Artifact::from_bytes(&bytes[..len]);
        assert!(
            matches!(result, Err(ArtifactError::Truncated { .. })),
            "{len}: {result:?}"
        );
    }
}

#[test]
fn foreign_newer_trailing_and_damaged_files_get_their_own_errors() {
    let bytes = support::sample().to_bytes().unwrap();
    assert!(matches!(
        Artifact::from_bytes(b"\x7fELF\x02\x01\x01"),
        Err(ArtifactError::Foreign)
    ));
    assert!(matches!(
        Artifact::from_bytes(b"builtin.module {}"),
        Err(ArtifactError::Foreign)
    ));

    let mut newer = bytes.clone();
    newer[8..12].copy_from_slice(&(FORMAT_VERSION + 1).to_le_bytes());
    reseal(&mut newer);
    let error = Artifact::from_bytes(&newer).unwrap_err();
    assert!(
        error.to_string().contains("made by a newer Segra"),
        "{error}"
    );

    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(
        Artifact::from_bytes(&longer),
        Err(ArtifactError::Trailing { extra: 1 })
    ));
}

#[test]
fn every_single_bit_flip_is_refused() {
    let bytes = support::sample().to_bytes().unwrap();
    for index in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[index] ^= 1 << bit;
            assert!(
                Artifact::from_bytes(&damaged).is_err(),
                "byte {index}, bit {bit}"
            );
        }
    }
}

/// `cases`, unless the environment asks for another number.
fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let default = ProptestConfig::default();
    ProptestConfig {
        cases: if asked { default.cases } else { cases },
        failure_persistence: None,
        ..default
    }
}

proptest! {
    #![proptest_config(config(4096))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Artifact::from_bytes(&bytes);
    }

    /// With the checksum repaired, mutations reach decoding and validation; what passes must print and write.
    #[test]
    fn resealed_mutations_never_panic(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)) {
        let mut bytes = support::sample().to_bytes().unwrap();
        let payload = bytes.len() - 24;
        for (at, value) in edits {
            bytes[24 + at.index(payload)] = value;
        }
        reseal(&mut bytes);
        if let Ok(artifact) = Artifact::from_bytes(&bytes) {
            prop_assert!(!artifact.to_string().is_empty());
            prop_assert!(artifact.to_bytes().is_ok());
        }
    }
}
