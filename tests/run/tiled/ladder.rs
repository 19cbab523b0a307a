//! The ladder of the thesis on block and register tiling: a near-square product without tiles, with block tiles, with block and
//! register tiles, and as the compiler chooses, on two cards by the simulator's estimate.
//!
//! `benches/ladder.py` climbs it at all sixteen sizes of the thesis' tables 6 to 13. Here stands the first of them, which no tile divides.
//! Both cards have about as many multiprocessors as those of the thesis. On an H100, which has 132, this product is faster by block
//! tiles (8.2 us) than by default (10.5 us, of which a second launch combines parts of the sums).

use super::{compiled, run_launches, with_registers};
use crate::Outcome;
use segra::{Chip, CompileOptions};
use segra_runtime::Machine;
use segra_tests::case::Failure;

/// Rows, terms of a sum, columns.
const SIZE: [usize; 3] = [214, 272, 263];

const NO_TILES: &str =
    "array-to-fused,flatten{inner-reduce=sequential},canonicalize,cse,dce,kernel-to-gpu";

/// The thesis' optima, from the bottom up: 16 by 16 threads, then 8 by 4 points of each.
const RUNGS: [&str; 2] = [
    "tile-y=16 tile-x=16 tile-k=16 registers-y=1 registers-x=1 stages=1",
    "tile-y=128 tile-x=64 tile-k=16 registers-y=8 registers-x=4 stages=1",
];

/// Microseconds on a machine by a pipeline, of all launches.
fn microseconds(pipeline: String, machine: &Machine) -> Result<f64, Failure> {
    let options = CompileOptions {
        pipeline,
        targets: vec![Chip::sm(7, 5)],
        ..CompileOptions::default()
    };
    let [m, u, n] = SIZE;
    let shapes: [&[usize]; 2] = [&[m, u], &[u, n]];
    let artifact = compiled("product", options)?;
    let (launches, _) = run_launches(artifact, machine.clone(), shapes)?;
    let each = launches.iter().map(|launch| launch.estimate.microseconds);
    Ok(each.sum())
}

/// By default it is slower than no rung on either card, and each rung is faster than the one below.
pub(super) fn rises() -> Outcome {
    for machine in [Machine::RTX_2080_SUPER, Machine::T4] {
        let mut rungs = vec![microseconds(NO_TILES.to_owned(), &machine)?];
        for shape in RUNGS {
            rungs.push(microseconds(with_registers(shape), &machine)?);
        }
        let default = microseconds(CompileOptions::default().pipeline, &machine)?;
        let rises = rungs.is_sorted_by(|below, above| above < below);
        if !rises || rungs.iter().any(|&rung| default > rung) {
            let name = machine.name;
            return Err(format!("{name}: {rungs:?} us, by default {default}"));
        }
    }
    Ok(())
}
