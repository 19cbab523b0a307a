//! The validation of the thesis on block and register tiling (Cholewa-Madsen and Holst, DIKU 2020, chapter 5): every size of
//! its table 4 with every tuple of tile parameters of its table 5, for its three programs, against numpy, on the simulator with
//! all its checkers.
//!
//! * [`SIZES`] are those of table 4, and `(128, 96, 64)`: the table says of `(128, 103, 64)` that there is no residual, but 32
//!   does not divide 103.
//! * [`TUPLES`] are those of table 5 with what their descriptions say where the table repeats a row: neither of 13 and 13
//!   divides 16; 19 along x is greater than 16.
//! * Programs are a product; one that divides integers which are not 0, so that what tiles are filled up with must not reach
//!   the operator; and one of i16 and f64 whose results are booleans, combined by `and` from true (5.1.2).
//!
//! Sizes above a thread block's come with one tuple each, in turn, and with all where `SEGRA_LONG=1`.

use crate::numpy::Numpy;
use crate::programs::ENTRY;
use crate::{Outcome, load, rendered, tiled};
use libtest_mimic::Trial;
use segra::{
    Array, CompileOptions, Compiler, DeviceChoice, ElemType, Entry, Loaded, Program, RunOptions,
    Tolerance, Value, compare,
};
use segra_tests::case::Failure;

/// `M`, `U`, `N`: rows, terms of a sum, columns.
const SIZES: [[usize; 3]; 14] = [
    [2, 3, 4],
    [15, 29, 27],
    [128, 32, 64],
    [128, 103, 64],
    [128, 96, 64],
    [512, 32, 1024],
    [512, 128, 1024],
    [513, 128, 1024],
    [512, 129, 1024],
    [512, 128, 1025],
    [513, 129, 1024],
    [513, 128, 1025],
    [512, 129, 1025],
    [513, 129, 1025],
];

/// The first of the sizes with more than one thread block of any tuple.
const SEVERAL_BLOCKS: usize = 5;

/// `Ty`, `Tx`, `Tk`, `Ry`, `Rx`.
const TUPLES: [[usize; 5]; 7] = [
    [16, 16, 32, 8, 4],
    [13, 16, 16, 8, 4],
    [16, 13, 16, 8, 4],
    [13, 13, 16, 8, 4],
    [19, 16, 16, 8, 4],
    [16, 19, 16, 8, 4],
    [19, 19, 16, 8, 4],
];

/// A program of the shape of a matrix product.
struct Like {
    name: &'static str,
    /// Types of the elements, and of the results.
    types: [&'static str; 3],
    /// The start of a sum.
    start: &'static str,
    /// The term of `%x` and `%y`, and its op.
    term: &'static str,
    combine: &'static str,
    /// The results, in numpy.
    numpy: &'static str,
    /// Elements by their number, never 0 where 0 is no input.
    elements: [fn(usize) -> f64; 2],
}

const PROGRAMS: [Like; 3] = [
    Like {
        name: "product",
        types: ["f32", "f32", "f32"],
        start: "0.0 : f32",
        term: "%t = arith.mulf %x, %y : f32",
        combine: "arith.addf",
        numpy: "a @ b",
        // Small numbers: sums are exact.
        elements: [|at| (at % 7) as f64 - 2.0, |at| (at % 11) as f64 - 5.0],
    },
    Like {
        name: "division",
        types: ["i32", "i32", "i32"],
        start: "0 : i32",
        term: "%t = arith.divsi %x, %y : i32",
        combine: "arith.addi",
        numpy: "sum(np.trunc(a[:, k, None] / b[k]) for k in range(len(b))).astype(np.int32)",
        elements: [
            |at| (at % 997) as f64 - 400.0,
            |at| {
                let number = (at % 19) as f64 - 9.0;
                if number == 0.0 { 10.0 } else { number }
            },
        ],
    },
    Like {
        name: "mixed types",
        types: ["i16", "f64", "i1"],
        start: "true",
        term: "%f = arith.sitofp %x : i16 to f64
          %t = arith.cmpf olt, %f, %y : f64",
        combine: "arith.andi",
        numpy: "np.logical_and.reduce([a[:, k, None] < b[k] for k in range(len(b))])",
        // About half of the results are true.
        elements: [
            |at| (at % 101) as f64 - 50.0,
            |at| if at % 97 == 5 { 20.5 } else { 50.5 },
        ],
    },
];

pub(crate) fn trials(device: DeviceChoice) -> Vec<Trial> {
    let long = std::env::var_os("SEGRA_LONG").is_some();
    let mut trials = Vec::new();
    for like in &PROGRAMS {
        for (number, tuple) in TUPLES.iter().enumerate() {
            let title = format!("thesis: {}, tiles {tuple:?}", like.name);
            let sizes: Vec<[usize; 3]> = SIZES
                .iter()
                .enumerate()
                .filter(|&(at, _)| long || at < SEVERAL_BLOCKS || at % TUPLES.len() == number)
                .map(|(_, &size)| size)
                .collect();
            trials.push(Trial::test(crate::title(&title, device), move || {
                validates(like, tuple, &sizes, device).map_err(Into::into)
            }));
        }
    }
    trials
}

impl Like {
    fn program(&self) -> String {
        let [x, y, z] = self.types;
        let (start, term, combine) = (self.start, self.term, self.combine);
        format!(
            "func.func @main(%a: !array.array<[m][u]{x}>, %b: !array.array<[u][n]{y}>) -> !array.array<[m][n]{z}> {{
  %start = arith.constant {start}
  %bt = array.rearrange %b, [1, 0] : [u][n]{y}
  %c = array.map (%row in %a : [m][u]{x}) {{
    %r = array.map (%column in %bt : [n][u]{y}) {{
      %dot = array.redomap (%x in %row : [u]{x}, %y in %column : [u]{y}) init (%start : {z}) map {{
          {term}
          array.yield %t : {z}
      }} combine {combine}
      array.yield %dot : {z}
    }}
    array.yield %r : [n]{z}
  }}
  func.return %c : !array.array<[m][n]{z}>
}}"
        )
    }

    /// The matrices of a size.
    fn arguments(&self, [m, u, n]: [usize; 3]) -> Result<Vec<Value>, Failure> {
        let mut arguments = Vec::new();
        for (operand, shape) in [[m, u], [u, n]].into_iter().enumerate() {
            let numbers = (0..shape[0] * shape[1]).map(self.elements[operand]);
            let (elem, bytes): (ElemType, Vec<u8>) = match self.types[operand] {
                "i16" => (
                    ElemType::I16,
                    numbers.flat_map(|it| (it as i16).to_le_bytes()).collect(),
                ),
                "i32" => (
                    ElemType::I32,
                    numbers.flat_map(|it| (it as i32).to_le_bytes()).collect(),
                ),
                "f64" => (ElemType::F64, numbers.flat_map(f64::to_le_bytes).collect()),
                _ => (
                    ElemType::F32,
                    numbers.flat_map(|it| (it as f32).to_le_bytes()).collect(),
                ),
            };
            let array = Array::from_bytes(elem, &shape, bytes);
            arguments.push(Value::Array(array.map_err(|error| error.to_string())?));
        }
        Ok(arguments)
    }
}

/// One compilation runs with all sizes.
fn validates(
    like: &Like,
    &[ty, tx, tk, ry, rx]: &[usize; 5],
    sizes: &[[usize; 3]],
    device: DeviceChoice,
) -> Outcome {
    let shape = format!(
        "tile-y={} tile-x={} registers-y={ry} registers-x={rx} tile-k={tk}",
        ty * ry,
        tx * rx
    );
    let program = Program::from_text(like.name, &like.program());
    let program = program.map_err(|failure| rendered(&failure))?;
    let signature = program
        .signatures()
        .get(ENTRY)
        .ok_or("no entry")?
        .entry
        .clone();
    let options = CompileOptions {
        pipeline: tiled::with_registers(&shape),
        ..crate::compile_options(device)
    };
    let compiled = Compiler::new(options).compile(program);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    let tiles = artifact
        .kernels
        .iter()
        .filter(|it| it.name.contains("segmap_block"));
    let threads: Vec<u32> = tiles.map(|kernel| kernel.max_threads_per_block).collect();
    if threads.is_empty() || threads.iter().any(|&it| it as usize != ty * tx) {
        return Err(format!(
            "threads of blocks: {threads:?}, expected {}",
            ty * tx
        ));
    }
    let loaded = load(artifact, device)?;
    let tile = [ty * ry, tx * rx];
    for &size in sizes {
        agrees(like, &signature, &loaded, (size, tile))
            .map_err(|error| format!("{size:?}: {error}"))?;
    }
    Ok(())
}

/// Results are numpy's, by one launch of a thread block for each tile, those at the edges too.
fn agrees(
    like: &Like,
    signature: &Entry,
    loaded: &Loaded,
    (size, tile): ([usize; 3], [usize; 2]),
) -> Outcome {
    let arguments = like.arguments(size)?;
    let expected = Numpy::of(like.numpy.to_owned()).results(signature, &arguments)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    let run = entry.run_with(&arguments, &RunOptions::default());
    let run = run.map_err(|error| error.to_string())?;
    let blocks = size[0].div_ceil(tile[0]) * size[2].div_ceil(tile[1]);
    let launches = run.report.launches.iter();
    let grids: Vec<usize> = launches
        .map(|launch| launch.grid.iter().map(|&extent| extent as usize).product())
        .collect();
    if grids != [blocks] {
        return Err(format!(
            "launches of {grids:?} thread blocks, expected one of {blocks}"
        ));
    }
    match compare(&run.results, &expected, Tolerance::EXACT) {
        Some(difference) => Err(difference.to_string()),
        None => Ok(()),
    }
}
