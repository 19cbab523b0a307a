//! Loops that change one array copy it no more than once: counted, at different numbers of steps and sizes.

use crate::Outcome;
use crate::traffic::{profiles, run_text};
use libtest_mimic::Trial;
use segra::{Array, ElemType, RunOutput, Scalar, Value};
use segra_tests::case;

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("a loop of updates copies its array once", || {
            on_host().map_err(Into::into)
        }),
        Trial::test("loops of updates at points copy nothing per step", || {
            at_points().map_err(Into::into)
        }),
    ]
}

fn run(program: &str, shapes: &[&[usize]], steps: i64) -> Result<RunOutput, case::Failure> {
    let path = case::folder()
        .join("run")
        .join(program)
        .with_extension("mlir");
    let text = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let mut arguments = Vec::new();
    for shape in shapes {
        let numbers = (0..shape.iter().product::<usize>()).map(|at| (at % 7) as f32);
        let bytes = numbers.flat_map(f32::to_le_bytes).collect();
        let array =
            Array::from_bytes(ElemType::F32, shape, bytes).map_err(|error| error.to_string())?;
        arguments.push(Value::Array(array));
    }
    arguments.push(Value::Scalar(Scalar::from_i64(ElemType::I64, steps)));
    run_text(program, &text, &arguments, segra::DEFAULT_PIPELINE)
}

/// Bytes that are moved, whatever moves them.
fn moved(run: &RunOutput) -> u64 {
    let memory = profiles(run)
        .iter()
        .map(|p| p.traffic.memory_read_bytes + p.traffic.memory_written_bytes)
        .sum::<u64>();
    memory + 2 * run.report.copied_bytes
}

fn on_host() -> Outcome {
    const ELEMENTS: usize = 10_000;
    let run = |steps| run("loop-updates", &[&[ELEMENTS], &[ELEMENTS, 1]], steps);
    let (few, many) = (run(2)?, run(40)?);
    // The first step copies what the loop is given; of each of the others, a sector is read and one written at most.
    let bytes = 2 * 4 * ELEMENTS as u64;
    let per_step = moved(&many).saturating_sub(moved(&few)) / 38;
    match (few.report.copied_bytes, many.report.copied_bytes) {
        (one, other) if one == bytes && other == bytes && per_step < 1000 => Ok(()),
        found => Err(format!(
            "{found:?} bytes copied, expected {bytes}; {per_step} bytes moved per step"
        )),
    }
}

fn at_points() -> Outcome {
    let instructions = |length: usize, steps: i64| -> Result<u64, case::Failure> {
        let run = run("point-updates", &[&[32, length]], steps)?;
        Ok(profiles(&run)
            .iter()
            .map(|profile| profile.thread_instructions)
            .sum())
    };
    let of_steps = |length| {
        Ok::<u64, case::Failure>(instructions(length, 30)?.abs_diff(instructions(length, 10)?))
    };
    let (short, long) = (of_steps(16)?, of_steps(512)?);
    // The work of 20 steps does not depend on the length of the array.
    match long < short + short / 10 && short > 0 {
        true => Ok(()),
        false => Err(format!(
            "20 steps take {short} instructions on rows of 16, {long} on rows of 512"
        )),
    }
}
