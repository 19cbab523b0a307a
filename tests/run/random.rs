//! Random nested programs through the whole pipeline: validated after every pass down to the device level, then as PTX
//! on the simulator, in every version, with all its checkers.
//!
//! 300 programs, 10,000 where `SEGRA_LONG=1`, and a fifth as many of parts of rows. Programs that a seed makes are the same everywhere, so a failure is named
//! by its seed. `tests/property` takes the same programs through pipelines that are not the default one.

use crate::versions::{Shape, Subject};
use libtest_mimic::Trial;
use segra::DeviceChoice;
use segra_tests::random_nested;

/// Extents of the runs on the simulator; work grows with their fourth power. More than a warp, one, none.
const SHAPES: &[Shape] = &[
    [3, 4, 3],
    [2, 34, 2],
    [34, 1, 2],
    [1, 1, 1],
    [0, 3, 3],
    [3, 0, 3],
];

/// Extents of the runs after every pass.
const VALIDATED: Shape = [3, 2, 2];

/// The name of a kind of programs, and the one that a seed makes.
type Kind = (&'static str, fn(u64) -> String);

const NESTED: Kind = ("nested program", random_nested::any);
const PARTS: Kind = ("parts of rows", random_nested::parts);

pub(crate) fn trials(devices: &[DeviceChoice]) -> Vec<Trial> {
    let count = if std::env::var_os("SEGRA_LONG").is_some() {
        10_000
    } else {
        300
    };
    let trial = |device: DeviceChoice, (kind, program): Kind, seed: u64| {
        let title = crate::title(&format!("random {kind} {seed}: whole pipeline"), device);
        Trial::test(title, move || {
            let text = program(seed);
            let run = || {
                let subject = Subject::new("random", &text, "2")?.with_dead_code();
                subject.check_validated(device, SHAPES, Some(VALIDATED), |_, _| Ok(()))
            };
            run()
                .map(drop)
                .map_err(|error| format!("{error}\n{text}").into())
        })
    };
    let of_kind = |device: DeviceChoice, kind: Kind, count: u64| {
        (0..count).map(move |seed| trial(device, kind, seed))
    };
    let both = |&device: &DeviceChoice| {
        of_kind(device, NESTED, count).chain(of_kind(device, PARTS, count / 5))
    };
    devices.iter().flat_map(both).collect()
}
