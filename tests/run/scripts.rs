//! Bytes that scripts of linear algebra calls move, compiled as everybody compiles them, beside the least possible: those of
//! `examples/blas`, and those of `combined` whose matrices one kernel makes and combines along rows and along columns.
//!
//! Each runs by default, and as the first combination of kernels that `segra explain --fusion` lists: its prediction must be what is
//! counted. [`sequences`](crate::sequences) has what a library would move; `benches/sequences.py` has larger sizes.

use crate::traffic::{array, moved, run_compiled};
use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::fusion::{Figures, Scope, Sizes, fusions};
use segra::{CompileOptions, ElemType, FusionChoice, Scalar, Value};
use segra_runtime::Machine;
use segra_tests::case::{self, Failure};
use std::collections::BTreeMap;

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
    /// Kernels that are launched, by default and by the first combination.
    kernels: [usize; 2],
}

#[rustfmt::skip] // a table
const SCRIPTS: [Script; 23] = [
    // z once more; a sum of it.
    Script { name: "axpydot", inputs: "L L L 1.5", least: 4, kernels: [2, 2] },
    // A barrier between both products.
    Script { name: "atax", inputs: "NxM M", least: 2, kernels: [3, 3] },
    Script { name: "bicgk", inputs: "NxM M N", least: 1, kernels: [3, 3] },
    Script { name: "sgemv", inputs: "NxM M N 1.5 0.5", least: 1, kernels: [1, 1] },
    Script { name: "sgemvt", inputs: "NxM N M 1.5 0.5", least: 2, kernels: [3, 3] },
    Script { name: "sscal", inputs: "L 1.5", least: 2, kernels: [1, 1] },
    // The updated matrix is stored, and read behind a barrier.
    Script { name: "gemver", inputs: "NxM N M N M N M 1.5 0.5", least: 3, kernels: [3, 3] },
    Script { name: "gesummv", inputs: "NxM NxM M 1.5 0.5", least: 2, kernels: [1, 1] },
    Script { name: "madd", inputs: "NxM NxM", least: 3, kernels: [1, 1] },
    Script { name: "vadd", inputs: "L L L", least: 4, kernels: [1, 1] },
    Script { name: "waxpby", inputs: "L L 1.5 0.5", least: 3, kernels: [1, 1] },
    Script { name: "conjugate_gradient", inputs: "NxN N N N 0.7", least: 1, kernels: [4, 4] },
    Script { name: "bicgstab", inputs: "NxN N N N N 0.7", least: 2, kernels: [7, 7] },
    Script { name: "gram_schmidt", inputs: "NxM N", least: 2, kernels: [5, 5] },
    Script { name: "power_iteration", inputs: "NxN N", least: 2, kernels: [5, 5] },
    Script { name: "jacobi", inputs: "NxN N N", least: 1, kernels: [3, 2] },
    Script { name: "scaled-for-rows", inputs: "NxM N M", least: 1, kernels: [3, 3] },
    Script { name: "scaled-for-columns", inputs: "NxM N M", least: 1, kernels: [3, 3] },
    Script { name: "update-for-columns", inputs: "NxM N M N", least: 1, kernels: [2, 2] },
    Script { name: "update-for-both", inputs: "NxM N M N M", least: 1, kernels: [3, 3] },
    Script { name: "updates-in-turn", inputs: "NxM N M N M", least: 1, kernels: [3, 3] },
    Script { name: "sums-columns-first", inputs: "NxM NxM N M", least: 2, kernels: [3, 3] },
    // One of the sums is a result.
    Script { name: "sums-rows-first", inputs: "NxM NxM N M", least: 3, kernels: [3, 3] },
];

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |script: &'static Script| {
        let name = format!("bytes of a script: {}", script.name);
        Trial::test(name, move || script.check().map_err(Into::into))
    };
    SCRIPTS.iter().map(trial).collect()
}

impl Script {
    fn check(&self) -> Outcome {
        let file = format!("{}.{}", self.name, segra_blas::ENDING);
        let folders = ["../examples/blas", "run/combined"];
        let paths = folders.map(|folder| case::folder().join(folder).join(&file));
        let path = paths.iter().find(|path| path.exists());
        let path = path.ok_or_else(|| format!("there is no {file}"))?;
        let text = std::fs::read_to_string(path).map_err(|error| format!("{file}: {error}"))?;
        let program = segra_blas::read(&file, &text).map_err(|failure| rendered(&failure))?;
        let inputs = self.inputs.split(' ').map(input);
        let inputs = inputs.collect::<Result<Vec<Value>, Failure>>()?;
        let elements = match self.inputs.contains('x') {
            true => ROWS * COLUMNS,
            false => LONG,
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
        let extent = match self.inputs.contains('x') {
            true => COLUMNS,
            false => LONG,
        } as i64;
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
            if !(0.99..=MOST).contains(&ratio) {
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

/// An input as the table has it.
fn input(text: &str) -> Result<Value, Failure> {
    if let Ok(number) = text.parse::<f32>() {
        return Ok(Value::Scalar(Scalar::f32(number)));
    }
    let extents = text.split('x').map(|extent| match extent {
        "N" => Ok(ROWS),
        "M" => Ok(COLUMNS),
        "L" => Ok(LONG),
        _ => Err(format!("`{extent}` is no extent")),
    });
    let shape = extents.collect::<Result<Vec<usize>, Failure>>()?;
    let numbers = (0..shape.iter().product::<usize>()).map(|at| (at % 7) as f32);
    let bytes = numbers.flat_map(f32::to_le_bytes).collect();
    array(ElemType::F32, &shape, bytes)
}
