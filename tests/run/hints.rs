//! Loads with hints (`hint-loads`): they change no result, and what a kernel reads again is found in the caches more often.

use crate::traffic::{array, profiles, run_on};
use libtest_mimic::Trial;
use segra::{ElemType, RunOutput, Value};
use segra_runtime::Machine;
use segra_tests::case;

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("traffic: hints of loads", || {
        kept().map_err(Into::into)
    })]
}

/// A matrix of so many rows by a vector: the vector fits the L1 cache of 64 KiB, two rows do not.
const ROWS: usize = 1200;
const COLUMNS: usize = 8192;

/// Numbers whose sums are exact.
fn numbers(count: usize) -> Vec<u8> {
    let numbers = (0..count).map(|at| (at % 13) as f32);
    numbers.flat_map(f32::to_le_bytes).collect()
}

fn product(pipeline: &str) -> Result<RunOutput, case::Failure> {
    let path = case::folder().join("../examples/matvec.mlir");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let arguments: [Value; 2] = [
        array(ElemType::F32, &[ROWS, COLUMNS], numbers(ROWS * COLUMNS))?,
        array(ElemType::F32, &[COLUMNS], numbers(COLUMNS))?,
    ];
    let program = ("matvec", &text[..]);
    run_on(Machine::RTX_2080_SUPER, program, &arguments, pipeline)
}

/// Sectors that the L2 cache is asked for beyond those of the matrix, which everyone needs once: those of the vector.
fn sectors_of_the_vector(run: &RunOutput) -> u64 {
    let all: u64 = profiles(run)
        .iter()
        .map(|profile| profile.traffic.l2_read_sectors)
        .sum();
    all - (ROWS * COLUMNS / 8) as u64
}

fn kept() -> Result<(), case::Failure> {
    let without = product(&segra::default_pipeline_with("hint-loads", "cse"))?;
    let with = product(segra::DEFAULT_PIPELINE)?;
    if with.results != without.results {
        return Err("hints change results".to_owned());
    }
    let [without, with] = [without, with].map(|run| sectors_of_the_vector(&run));
    match 2 * with <= without {
        true => Ok(()),
        false => Err(format!(
            "{with} sectors of the vector with hints, {without} without"
        )),
    }
}
