//! The results that a nest can have, in one program of segmented nests: an element of each thread, tiles with an element of each
//! thread, a run of elements of each thread, elements that threads write where they say.

use crate::programs::ENTRY;
use crate::traffic::array;
use crate::{Outcome, load, rendered};
use libtest_mimic::Trial;
use segra::{CompileOptions, Compiler, DeviceChoice, ElemType, Program, Scalar};

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("results of four kinds of nests", || {
        results().map_err(Into::into)
    })]
}

const PROGRAM: &str = r"
func.func @main(%xs: tensor<?xf32>, %is: tensor<?xi64>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf32>
  %last = arith.subi %n, %c1 : index
  %each = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    %y = arith.addf %x, %x : f32
    kernel.return %y : f32
  }
  %rows = arith.ceildivsi %n, %c8 : index
  %tiles = kernel.segmap block (%t < %rows) -> (tensor<?x8xf32>) {
    %first = arith.muli %t, %c8 : index
    %tile = kernel.segmap thread (%p < %c8) -> (tensor<8xf32>) {
      %i = arith.addi %first, %p : index
      %in = arith.minsi %i, %last : index
      %x = tensor.extract %xs[%in] : tensor<?xf32>
      %y = arith.mulf %x, %x : f32
      kernel.return %y : f32
    }
    kernel.return %tile : tensor<8xf32>
  }
  %tiled = kernel.untile %tiles to [%n] : tensor<?x8xf32> -> tensor<?xf32>
  %parts = arith.ceildivsi %n, %c32 : index
  %chunks = kernel.segmap block (%t < %parts) -> (tensor<?x32xf32>) {
    %first = arith.muli %t, %c32 : index
    %chunk = kernel.segmap thread registers [4] runs [4] (%p < %c32) -> (tensor<32xf32>) {
      %i = arith.addi %first, %p : index
      %in = arith.minsi %i, %last : index
      %x = tensor.extract %xs[%in] : tensor<?xf32>
      %y = arith.negf %x : f32
      kernel.return %y : f32
    }
    kernel.return %chunk : tensor<32xf32>
  }
  %joined = kernel.untile %chunks to [%n] : tensor<?x32xf32> -> tensor<?xf32>
  %written = kernel.scatter thread (%i < %n) into (%each : tensor<?xf32>) -> (tensor<?xf32>) {
    %at = tensor.extract %is[%i] : tensor<?xi64>
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    %place = arith.index_cast %at : i64 to index
    kernel.return %place, %x : index, f32
  }
  func.return %each, %tiled, %joined, %written : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
";

/// Sizes around those of tiles of 8 and of runs of 4 in 32; none is a multiple of 7.
const SIZES: [usize; 12] = [0, 1, 3, 4, 6, 8, 9, 31, 32, 33, 101, 1000];

fn results() -> Outcome {
    let program =
        Program::from_text("results.mlir", PROGRAM).map_err(|failure| rendered(&failure))?;
    let options = CompileOptions {
        pipeline: "kernel-to-gpu".to_owned(),
        ..CompileOptions::default()
    };
    let compiled = Compiler::new(options).compile(program);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    for target in &artifact.targets {
        let stores = |name: &str| {
            let kernel = target.ptx.split(".entry ").find(|it| it.starts_with(name));
            kernel.map(|kernel| kernel.matches("st.global.b32").count())
        };
        // A thread stores an element of a tile, and four of its run that follow each other.
        let found = [
            "main_segmap_block_1(",
            "main_segmap_block_2(",
            "main_scatter_3(",
        ]
        .map(stores);
        if found != [Some(1), Some(4), Some(1)] {
            return Err(format!("{}: stores of a thread: {found:?}", target.chip));
        }
        let follow = ["+4]", "+8]", "+12]"]
            .iter()
            .all(|at| target.ptx.contains(at));
        if !follow {
            return Err(format!("{}: no run of elements", target.chip));
        }
    }
    let loaded = load(artifact, DeviceChoice::Sim)?;
    let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
    for size in SIZES {
        // Places are a permutation but for every fifth one, which lies outside.
        let place = |at: usize| match at % 5 {
            4 => -1,
            _ => ((at * 7 + 3) % size) as i64,
        };
        let numbers: Vec<f32> = (0..size).map(|at| at as f32 + 0.5).collect();
        let places: Vec<i64> = (0..size).map(place).collect();
        let arguments = [
            array(
                ElemType::F32,
                &[size],
                numbers.iter().flat_map(|it| it.to_le_bytes()).collect(),
            )?,
            array(
                ElemType::I64,
                &[size],
                places.iter().flat_map(|it| it.to_le_bytes()).collect(),
            )?,
        ];
        let found = entry
            .run(&arguments)
            .map_err(|error| format!("{size}: {error}"))?;
        let each: Vec<f32> = numbers.iter().map(|it| 2.0 * it).collect();
        let mut written = each.clone();
        for (number, &place) in numbers.iter().zip(&places) {
            if let Some(at) = usize::try_from(place)
                .ok()
                .and_then(|at| written.get_mut(at))
            {
                *at = *number;
            }
        }
        let wanted = [
            each,
            numbers.iter().map(|it| it * it).collect(),
            numbers.iter().map(|it| -it).collect(),
            written,
        ];
        for (kind, (found, wanted)) in found.iter().zip(wanted).enumerate() {
            let found = found.as_array().ok_or("no array")?;
            let found: Vec<f64> = found.scalars().map(Scalar::to_f64).collect();
            let wanted: Vec<f64> = wanted.into_iter().map(f64::from).collect();
            if found != wanted {
                return Err(format!(
                    "{size}: result {kind}: {found:?}, expected {wanted:?}"
                ));
            }
        }
    }
    Ok(())
}
