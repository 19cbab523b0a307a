//! An artifact that passes validation runs without a panic: artifacts damaged at random, with the checksum repaired.
//!
//! `PROPTEST_CASES=1000000 cargo test -p segra-runtime --test fuzz` searches longer.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail like tests")]

#[path = "../../artifact/tests/support/mod.rs"]
mod artifacts;
mod support;

use proptest::prelude::*;
use segra_artifact::{Artifact, ParamType};
use segra_runtime::{Program, RunOptions, Value, random_array, random_scalar};
use support::HostDevice;

fn reseal(bytes: &mut [u8]) {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&bytes[8..20]);
    hasher.update(&bytes[24..]);
    let checksum = hasher.finalize();
    bytes[20..24].copy_from_slice(&checksum.to_le_bytes());
}

/// Arguments that suit the entry, when its extents are small constants or sizes.
fn arguments(entry: &segra_artifact::Entry) -> Option<Vec<Value>> {
    let argument = |ty: &ParamType| match ty {
        ParamType::Scalar(elem) => Some(random_scalar(*elem, 3, 0).into()),
        ParamType::Size(_) => Some(segra_artifact::Scalar::i64(5).into()),
        ParamType::Array { elem, dims } => {
            let shape: Option<Vec<usize>> = dims
                .iter()
                .map(|dim| match dim {
                    segra_artifact::Dim::Const(extent) => {
                        usize::try_from(*extent).ok().filter(|n| *n < 100)
                    }
                    _ => Some(5),
                })
                .collect();
            random_array(*elem, &shape?, 3, 1).ok().map(Value::from)
        }
    };
    entry
        .params
        .iter()
        .map(|param| argument(&param.ty))
        .collect()
}

#[test]
fn the_undamaged_artifact_runs() {
    let mut artifact = artifacts::sample();
    artifact
        .targets
        .iter_mut()
        .for_each(|target| target.ptx = PTX.to_owned());
    let device = HostDevice::new();
    let program = Program::load(artifact, device.clone()).unwrap();
    let entry = program.entry("repeat").unwrap();
    let args = [
        segra_artifact::Scalar::i32(3).into(),
        random_array(segra_artifact::ElemType::F32, &[200], 1, 1)
            .unwrap()
            .into(),
    ];
    let results = entry.run(&args).unwrap();
    // Three steps of the test device's kernel leave the result in the second buffer: eight times the input.
    let doubled: Vec<f32> = args[1]
        .as_array()
        .unwrap()
        .to_vec::<f32>()
        .unwrap()
        .iter()
        .map(|x| 8.0 * x)
        .collect();
    assert_eq!(
        results[0].as_array().unwrap().to_vec::<f32>().unwrap(),
        doubled
    );
    assert_eq!(device.live(), 0);
}

const PTX: &str =
    ".visible .entry step(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }";

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
    fn valid_artifacts_never_panic_when_run(
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)
    ) {
        let mut artifact = artifacts::sample();
        artifact.targets.iter_mut().for_each(|target| target.ptx = PTX.to_owned());
        let mut bytes = artifact.to_bytes().unwrap();
        let payload = bytes.len() - 24;
        for (at, value) in edits {
            bytes[24 + at.index(payload)] = value;
        }
        reseal(&mut bytes);
        let Ok(artifact) = Artifact::from_bytes(&bytes) else { return Ok(()) };
        let device = HostDevice::new();
        let Ok(program) = Program::load(artifact, device.clone()) else { return Ok(()) };
        let options = RunOptions { instruction_limit: Some(10_000), ..RunOptions::default() };
        for entry in program.artifact().entries.clone() {
            let Some(args) = arguments(&entry) else { continue };
            let _ = program.entry(&entry.name).unwrap().run_with(&args, &options);
            prop_assert_eq!(device.live(), 0);
        }
    }
}
