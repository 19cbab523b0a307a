//! Which tiles a product has by its sizes, and whether its sums are right: whole numbers, which are exact in any order.

use crate::Outcome;
use segra::{Array, CompileOptions, Compiler, Program, Value};
use segra_runtime::{RunOptions, SimDevice, SimOptions};
use segra_tests::case::{self, Case, Failure};
use std::sync::Arc;

/// A product of sizes which the program knows, or which it is told, and the kernels that it launches: their name without a number,
/// and how many threads a block has.
fn launched(known: bool, [n, k, m]: [usize; 3]) -> Result<Vec<(String, u32)>, Failure> {
    let path = case::folder().join("run/tiled/product.mlir");
    let mut text = Case::read(&path)?.source();
    if known {
        for (name, size) in [("n", n), ("k", k), ("m", m)] {
            text = text.replace(&format!("[{name}]"), &format!("[{size}]"));
        }
    }
    let program =
        Program::from_text("product", &text).map_err(|failure| crate::rendered(&failure))?;
    let compiled = Compiler::new(CompileOptions::default()).compile(program);
    let artifact = compiled
        .map_err(|failure| crate::rendered(&failure))?
        .artifact;
    let device = Arc::new(SimDevice::new(&SimOptions::checked()));
    let loaded = segra::load_on(artifact, device).map_err(|error| error.to_string())?;
    let entry = loaded
        .entry(crate::programs::ENTRY)
        .map_err(|error| error.to_string())?;
    let numbers =
        |count: usize| -> Vec<f32> { (0..count).map(|at| (at % 7) as f32 - 3.0).collect() };
    let (a, b) = (numbers(n * k), numbers(k * m));
    let array = |shape: [usize; 2], numbers: &[f32]| {
        let array = Array::new(&shape, numbers).map_err(|error| error.to_string());
        array.map(Value::Array)
    };
    let arguments = [array([n, k], &a)?, array([k, m], &b)?];
    let run = entry.run_with(&arguments, &RunOptions::default());
    let run = run.map_err(|error| error.to_string())?;
    let found = run.results.first().and_then(Value::as_array);
    let found = found.ok_or("no array")?.to_vec::<f32>();
    let found = found.map_err(|error| error.to_string())?;
    for (at, found) in found.into_iter().enumerate() {
        let (row, column) = (at / m, at % m);
        let products = (0..k).map(|step| a[row * k + step] * b[step * m + column]);
        let wanted: f32 = products.sum();
        if found != wanted {
            return Err(format!("element {row}, {column} is {found}, not {wanted}"));
        }
    }
    let launches = run.report.launches.iter();
    let launches = launches.map(|launch| {
        let name = launch
            .kernel
            .trim_end_matches(|c: char| c.is_ascii_digit() || c == '_');
        (name.to_owned(), launch.block.iter().product())
    });
    Ok(launches.collect())
}

/// The one kernel that is wanted, and how many threads a block of tiles has.
fn expect(known: bool, sizes: [usize; 3], (wanted, threads): (&str, Option<u32>)) -> Outcome {
    let found = launched(known, sizes).map_err(|error| format!("{sizes:?}: {error}"))?;
    match &found[..] {
        [(name, block)] if name == wanted && threads.is_none_or(|threads| *block == threads) => {}
        _ => {
            return Err(format!(
                "{sizes:?}: launches {found:?}, not {wanted} of {threads:?} threads"
            ));
        }
    }
    Ok(())
}

/// From 10,240 points on there are tiles, however short the loop is, as long as a tile is deep.
pub(super) fn area() -> Outcome {
    const TILED: (&str, Option<u32>) = ("main_segmap_block", Some(256));
    for known in [false, true] {
        expect(known, [101, 20, 103], TILED)?;
        expect(known, [130, 127, 79], TILED)?;
        expect(known, [101, 20, 101], ("main_segred_lanes", None))?;
        expect(known, [101, 15, 103], ("main_segred_lanes", None))?;
    }
    // Points fill less than a sixth of the tiles: ten rows are.
    expect(false, [10, 20, 1030], ("main_segred_lanes", None))
}

/// Few rows or columns that the program knows have tiles of 32 of them, of half as many threads. Those it does not know,
/// or more of them, have square ones.
pub(super) fn slim() -> Outcome {
    for few in [31, 32, 12] {
        expect(true, [1031, 17, few], ("main_segmap_block", Some(128)))?;
        expect(true, [few, 40, 1028], ("main_segmap_block", Some(128)))?;
    }
    expect(true, [400, 17, 33], ("main_segmap_block", Some(256)))?;
    expect(false, [400, 17, 32], ("main_segmap_block", Some(256)))
}
