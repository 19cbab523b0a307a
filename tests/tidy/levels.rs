//! A folder of `passes/` has one level it reads and one it writes; passes lie in the folder of their level.
//!
//! The level of a pass follows from the dialects its [`PassInfo`] reads and writes. Dialects of no level (`arith`, `scf`, …)
//! are everyone's; any dialect at all (`*`) is for `cleanup` alone, which works on every level through interfaces.

use crate::{assert_tidy, root};
use segra_pass::PassInfo;
use std::fs;

/// A level of programs, by the dialects only it has.
type Level = &'static [&'static str];

const ARRAY: Level = &["array"];
const KERNEL: Level = &["kernel"];
const DEVICE: Level = &["gpu", "memref", "nvgpu", "vector"];
/// Any level, by interfaces.
const ANY: Level = &["*"];

/// Folders of passes: the level they read, the level they write.
const FOLDERS: &[(&str, Level, Level)] = &[
    ("algebra", ARRAY, ARRAY),
    ("checks", ARRAY, ARRAY),
    ("cleanup", ANY, ANY),
    ("device", DEVICE, DEVICE),
    ("flatten", ARRAY, KERNEL),
    ("fuse", ARRAY, ARRAY),
    ("lower", KERNEL, DEVICE),
    ("schedule", KERNEL, KERNEL),
];
/// Folders without passes: what makes artifacts of the device level, and the list of passes.
const WITHOUT_PASSES: &[&str] = &["emit", "pipeline"];

/// The dialects among `dialects` that belong to another level than `level`.
fn foreign<'a>(
    dialects: &'a [&'static str],
    level: Level,
) -> impl Iterator<Item = &'a &'static str> {
    dialects.iter().filter(move |dialect| {
        let of_some_level = [ARRAY, KERNEL, DEVICE, ANY]
            .iter()
            .any(|level| level.contains(dialect));
        of_some_level && !level.contains(dialect)
    })
}

/// Why a pass does not belong into the crate it is in.
fn misplaced(home: &str, info: &PassInfo) -> Vec<String> {
    let folder = home.strip_prefix("segra_").unwrap_or(home);
    let Some((_, from, to)) = FOLDERS.iter().find(|row| row.0 == folder) else {
        return vec![format!("{}: `{home}` is no folder of passes", info.name)];
    };
    let reads = foreign(info.reads, from).map(|dialect| {
        format!(
            "{}: reads `{dialect}`, which passes/{folder} does not",
            info.name
        )
    });
    let writes = foreign(info.writes, to).map(|dialect| {
        format!(
            "{}: writes `{dialect}`, which passes/{folder} does not",
            info.name
        )
    });
    reads.chain(writes).collect()
}

#[test]
fn passes_lie_in_the_folder_of_their_level() {
    let registry = segra_pipeline::registry();
    let complaints = registry
        .passes()
        .iter()
        .flat_map(|entry| misplaced(entry.home, entry.info));
    assert_tidy(&complaints.collect::<Vec<_>>());
}

#[test]
fn every_folder_of_passes_has_a_level_and_says_it_first() {
    let mut complaints = Vec::new();
    for entry in fs::read_dir(root().join("passes")).expect("the folder is there") {
        let entry = entry.expect("it can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        if !WITHOUT_PASSES.contains(&&*name) && !FOLDERS.iter().any(|row| row.0 == name) {
            complaints.push(format!("passes/{name}: has no level in tests/tidy"));
        }
        let source = fs::read_to_string(entry.path().join("src/lib.rs")).unwrap_or_default();
        if name != "pipeline" && !source.lines().next().unwrap_or_default().contains(" → ") {
            complaints.push(format!("passes/{name}: the first line says no levels"));
        }
    }
    assert_tidy(&complaints);
}

#[test]
fn misplaced_passes_are_found() {
    let pass = |reads, writes| PassInfo {
        name: "planted",
        summary: "",
        reads,
        writes,
        anchors: segra_pass::Anchors::Any,
    };
    let in_device = |reads, writes| misplaced("segra_device", &pass(reads, writes));
    assert_eq!(in_device(&["arith", "gpu"], &["memref"]), [""; 0]);
    assert_eq!(
        in_device(&["kernel"], &["gpu"]),
        ["planted: reads `kernel`, which passes/device does not"]
    );
    assert_eq!(
        in_device(&["*"], &["array"]),
        [
            "planted: reads `*`, which passes/device does not",
            "planted: writes `array`, which passes/device does not"
        ]
    );
    let lower = misplaced("segra_lower", &pass(&["kernel"], &["kernel"]));
    assert_eq!(
        lower,
        ["planted: writes `kernel`, which passes/lower does not"]
    );
    let nowhere = misplaced("segra_memory", &pass(&[], &[]));
    assert_eq!(nowhere, ["planted: `segra_memory` is no folder of passes"]);
}
