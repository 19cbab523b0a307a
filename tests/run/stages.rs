//! Tiles that are copied ahead: programs of `tiled/` in several stages, by the interpreter at the device level and
//! on the simulator with its checkers, on a target without asynchronous copies and one with them.

use crate::programs::{ENTRY, Test};
use crate::{Outcome, load, rendered, tiled};
use libtest_mimic::Trial;
use segra::{Chip, CompileOptions, Compiler, DeviceChoice, interpret};
use segra_pipeline::named::KERNEL_TO_GPU;
use segra_tests::case;
use std::path::Path;

/// The settings of the tiles: two or three stages, of one element for a thread to copy and of several rounds.
const OPTIONS: [&str; 3] = [
    "stages=2",
    "stages=3",
    "tile-y=64 tile-x=64 tile-k=16 registers-y=4 registers-x=4 tile=64 stages=2",
];

/// The passes, with such tiles.
fn pipeline(options: &str) -> String {
    let steps = tiled::to_kernel().replace("tile-blocks", &format!("tile-blocks{{{options}}}"));
    format!("{steps},{}", KERNEL_TO_GPU.name)
}

pub(crate) fn trials() -> Vec<Trial> {
    let folder = case::folder().join("run/tiled");
    let files = case::files(&folder, "mlir").expect("the folder of tiled programs can be read");
    let mut trials = Vec::new();
    for path in files {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        for options in OPTIONS {
            let file = path.clone();
            trials.push(Trial::test(
                format!("stages: {name}, {options}: device level"),
                move || interpreted(&file, options).map_err(Into::into),
            ));
            for chip in segra::default_targets().into_iter().take(2) {
                let file = path.clone();
                trials.push(Trial::test(
                    format!("stages: {name}, {options}: {chip}"),
                    move || simulated(&file, options, chip).map_err(Into::into),
                ));
            }
        }
    }
    trials
}

fn interpreted(path: &Path, options: &str) -> Outcome {
    let test = Test::read(path)?;
    let lowered = Compiler::default().lower(test.program.clone(), &pipeline(options), None);
    let lowered = lowered.map_err(|failure| rendered(&failure))?;
    test.without_errors().check(|arguments| {
        interpret(&lowered.ir, ENTRY, arguments).map_err(|failure| rendered(&failure))
    })
}

fn simulated(path: &Path, options: &str, chip: Chip) -> Outcome {
    let test = Test::read(path)?;
    let options = CompileOptions {
        pipeline: pipeline(options),
        targets: vec![chip],
        ..CompileOptions::default()
    };
    let compiled = Compiler::new(options).compile(test.program.clone());
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    let loaded = load(artifact, DeviceChoice::Sim)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    test.check(|arguments| entry.run(arguments).map_err(|error| error.to_string()))
}
