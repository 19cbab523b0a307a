//! Bytes that scripts of linear algebra calls move, compiled as everybody compiles them, beside the least possible: those of
//! `examples/blas`, and those of `combined` whose matrices one kernel makes and combines along rows and along columns.
//!
//! Each runs by default, and as the first combination of kernels that `segra explain --fusion` lists: its prediction must be what is
//! counted. [`sequences`](crate::sequences) has what a library would move; `benches/sequences.py` has larger sizes.

use crate::traffic::{moved, profiles, run_compiled, run_with};
use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::fusion::{Figures, Scope, Sizes, fusions};
use segra::{Array, CompileOptions, ElemType, FusionChoice, Program, Scalar, Value};
use segra_runtime::{Machine, Sample, SimOptions};
use segra_tests::case::{self, Failure};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Rows and columns of matrices, large enough that tiles pay, and the elements of vectors that come without a matrix. The larger scripts have square ones of as many
/// rows.
const ROWS: usize = 1536;
const COLUMNS: usize = 1540;
const LONG: usize = 1 << 20;
/// The most that may be moved of the least possible: a tile of 32 rows and 128 columns writes a part of each, which is read again.
const MOST: f64 = 1.08;
/// How far a prediction may be from what is counted.
const APART: f64 = 0.02;

/// A script, its inputs (`N` rows, `M` columns, `L` long vectors, numbers), and the least that it moves: matrices and long vectors;
/// vectors beside matrices are a hundredth.
struct Script {
    name: &'static str,
    inputs: &'static str,
    least: usize,
    /// The most of it that is moved.
    most: f64,
    /// Kernels that are launched, by default and by the first combination.
    kernels: [usize; 2],
}

#[rustfmt::skip] // a table
const SCRIPTS: [Script; 25] = [
    // z once more; a sum of it.
    Script { name: "axpydot", inputs: "L L L 1.5", least: 4, most: MOST, kernels: [2, 2] },
    // A barrier between both products.
    Script { name: "atax", inputs: "NxM M", least: 2, most: MOST, kernels: [3, 3] },
    Script { name: "bicgk", inputs: "NxM M N", least: 1, most: MOST, kernels: [3, 3] },
    Script { name: "sgemv", inputs: "NxM M N 1.5 0.5", least: 1, most: MOST, kernels: [1, 1] },
    Script { name: "sgemvt", inputs: "NxM N M 1.5 0.5", least: 2, most: MOST, kernels: [3, 3] },
    Script { name: "sscal", inputs: "L 1.5", least: 2, most: MOST, kernels: [1, 1] },
    // The updated matrix is stored, and read behind a barrier.
    Script { name: "gemver", inputs: "NxM N M N M N M 1.5 0.5", least: 3, most: MOST, kernels: [3, 3] },
    Script { name: "gesummv", inputs: "NxM NxM M 1.5 0.5", least: 2, most: MOST, kernels: [1, 1] },
    Script { name: "madd", inputs: "NxM NxM", least: 3, most: MOST, kernels: [1, 1] },
    Script { name: "vadd", inputs: "L L L", least: 4, most: MOST, kernels: [1, 1] },
    Script { name: "waxpby", inputs: "L L 1.5 0.5", least: 3, most: MOST, kernels: [1, 1] },
    Script { name: "conjugate_gradient", inputs: "NxN N N N 0.7", least: 1, most: MOST, kernels: [4, 4] },
    Script { name: "bicgstab", inputs: "NxN N N N N 0.7", least: 2, most: MOST, kernels: [7, 7] },
    Script { name: "gram_schmidt", inputs: "NxM N", least: 2, most: MOST, kernels: [5, 5] },
    Script { name: "power_iteration", inputs: "NxN N", least: 2, most: MOST, kernels: [5, 5] },
    Script { name: "jacobi", inputs: "NxN N N", least: 1, most: MOST, kernels: [2, 2] },
    // A launch for the tiles, and one for parts of rows and of columns each, maps and all; each sum has parts of its own.
    Script { name: "mapped-columns", inputs: "NxM N M 1.5", least: 1, most: 1.09, kernels: [3, 3] },
    Script { name: "columns-side-by-side", inputs: "NxM N N N", least: 1, most: 1.11, kernels: [2, 2] },
    Script { name: "scaled-for-rows", inputs: "NxM N M", least: 1, most: MOST, kernels: [3, 3] },
    Script { name: "scaled-for-columns", inputs: "NxM N M", least: 1, most: MOST, kernels: [3, 3] },
    Script { name: "update-for-columns", inputs: "NxM N M N", least: 1, most: MOST, kernels: [2, 2] },
    Script { name: "update-for-both", inputs: "NxM N M N M", least: 1, most: MOST, kernels: [3, 3] },
    Script { name: "updates-in-turn", inputs: "NxM N M N M", least: 1, most: MOST, kernels: [3, 3] },
    Script { name: "sums-columns-first", inputs: "NxM NxM N M", least: 2, most: MOST, kernels: [3, 3] },
    // One of the sums is a result.
    Script { name: "sums-rows-first", inputs: "NxM NxM N M", least: 3, most: MOST, kernels: [3, 3] },
];

/// The least share of a copy's bandwidth that a kernel over matrices or long vectors reaches, by the simulator's estimate.
const BANDWIDTH: f64 = 0.9;
/// The first scripts are the paper's.
const PAPER: usize = 11;
/// Rows and columns of those matrices; long vectors have as many elements.
const LARGE: usize = 4096;

pub(crate) fn trials() -> Vec<Trial> {
    let bytes = |script: &'static Script| {
        let name = format!("bytes of a script: {}", script.name);
        Trial::test(name, move || script.check().map_err(Into::into))
    };
    let bandwidth = |script: &'static Script| {
        let name = format!("bandwidth of a script: {}", script.name);
        Trial::test(name, move || {
            bandwidth_is_near_a_copys(script).map_err(Into::into)
        })
    };
    let mut trials: Vec<Trial> = SCRIPTS.iter().map(bytes).collect();
    trials.extend(SCRIPTS[..PAPER].iter().map(bandwidth));
    trials
}

impl Script {
    fn check(&self) -> Outcome {
        let program = program(self.name)?;
        let inputs = arguments(self.inputs, [ROWS, COLUMNS, LONG])?;
        let (elements, extent) = match self.inputs.contains('x') {
            true => (ROWS * COLUMNS, COLUMNS as i64),
            false => (LONG, LONG as i64),
        };
        let least = 4.0 * (self.least * elements) as f64;
        let count = |fusion: Option<FusionChoice>| -> Result<(f64, usize), Failure> {
            let options = CompileOptions {
                fusion,
                ..CompileOptions::default()
            };
            let run = run_compiled(Machine::H100, program.clone(), &inputs, options)?;
            Ok((moved(&run) as f64, run.report.launches.len()))
        };
        let by_default = count(None)?;
        let first = count(Some(FusionChoice {
            combination: 1,
            extent,
            blocks: false,
        }))?;
        let whats = ["by default", "the first combination"];
        let found = whats.into_iter().zip([by_default, first]);
        for ((what, (bytes, kernels)), expected) in found.zip(self.kernels) {
            let ratio = bytes / least;
            // Square matrices have fewer columns; below that something is not counted.
            if !(0.99..=self.most).contains(&ratio) {
                return Err(format!("{what}: {bytes} bytes, {ratio:.4} times {least}"));
            }
            if kernels != expected {
                return Err(format!("{what}: {kernels} kernels, not {expected}"));
            }
        }
        let sizes = Sizes {
            named: BTreeMap::new(),
            other: extent,
        };
        let figures = Figures::named(segra::fusion::DEVICE).ok_or("the device has no figures")?;
        let spaces = fusions(program, Scope::All, (&sizes, figures));
        let mut predicted = 0.0;
        for space in spaces.map_err(|failure| rendered(&failure))? {
            let best = space.exploration.combinations().next();
            predicted += best.map_or(0.0, |best| best.bytes);
        }
        let (first, _) = first;
        match (predicted / first - 1.0).abs() <= APART {
            true => Ok(()),
            false => Err(format!("{predicted} bytes are predicted, {first} counted")),
        }
    }
}

/// Filipovič et al., tables 2 and 3: how near kernels come to the bandwidth of the device. Launches are not counted.
fn bandwidth_is_near_a_copys(script: &Script) -> Outcome {
    static COPY: LazyLock<Result<f64, Failure>> = LazyLock::new(|| {
        let copied = large_kernels("sscal", "L 1.5")?;
        Ok(copied.first().ok_or("nothing is copied")?.1)
    });
    let copy = COPY.clone()?;
    for (kernel, bandwidth) in large_kernels(script.name, script.inputs)? {
        let share = bandwidth / copy;
        if share < BANDWIDTH {
            return Err(format!(
                "{kernel} has {share:.3} of the bandwidth of a copy"
            ));
        }
    }
    Ok(())
}

/// The kernels of a script that move a large matrix or vector, with bytes a microsecond.
fn large_kernels(name: &str, inputs: &str) -> Result<Vec<(String, f64)>, Failure> {
    let arguments = arguments(inputs, [LARGE, LARGE, LARGE * LARGE])?;
    let device = SimOptions {
        profile: Some(Machine::H100),
        sample: Sample::waves(2),
        ..SimOptions::default()
    };
    let run = run_with(
        &device,
        program(name)?,
        &arguments,
        CompileOptions::default(),
    )?;
    let mut found = Vec::new();
    for profile in profiles(&run) {
        let bytes = profile.traffic.memory_read_bytes + profile.traffic.memory_written_bytes;
        if bytes >= (4 * LARGE * LARGE) as u64 {
            let time = profile.estimate.microseconds - profile.estimate.launch;
            found.push((profile.kernel.clone(), bytes as f64 / time));
        }
    }
    match found.is_empty() {
        true => Err("no kernel moves a matrix".to_owned()),
        false => Ok(found),
    }
}

fn program(name: &str) -> Result<Program, Failure> {
    let file = format!("{name}.{}", segra_blas::ENDING);
    let folders = ["../examples/blas", "run/combined"];
    let paths = folders.map(|folder| case::folder().join(folder).join(&file));
    let path = paths.iter().find(|path| path.exists());
    let path = path.ok_or_else(|| format!("there is no {file}"))?;
    let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
    segra_blas::read(&file, &text).map_err(|failure| rendered(&failure))
}

/// Inputs as the table has them, for this number of rows, of columns, and of a long vector's elements; bytes are of any numbers the same.
fn arguments(inputs: &str, [rows, columns, long]: [usize; 3]) -> Result<Vec<Value>, Failure> {
    let argument = |text: &str| {
        if let Ok(number) = text.parse::<f32>() {
            return Ok(Value::Scalar(Scalar::f32(number)));
        }
        let extents = text.split('x').map(|extent| match extent {
            "N" => Ok(rows),
            "M" => Ok(columns),
            "L" => Ok(long),
            _ => Err(format!("`{extent}` is no extent")),
        });
        let shape = extents.collect::<Result<Vec<usize>, Failure>>()?;
        let zeros = Array::zeros(ElemType::F32, &shape);
        zeros.map(Value::Array).map_err(|error| error.to_string())
    };
    inputs.split(' ').map(argument).collect()
}
