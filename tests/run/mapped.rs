//! Mappings end to end: programs of every kind of op under chains that a user writes and under every strategy, for sizes of
//! every kind, compared with the interpreter, with all checks of the simulator on.

use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, CompileOptions, Compiled, Compiler, DeviceChoice, Program, Tolerance, Value, compare,
    interpret,
};

/// The pass that chooses what a program does not say, and what comes after it.
const PIPELINE: &str = "kernel-to-gpu";

/// A program of one op with `MAPPING` in place of its mapping, the chains it is run under, and extents of its argument.
struct Mapped {
    name: &'static str,
    text: &'static str,
    chains: &'static [&'static str],
    shapes: &'static [&'static [usize]],
}

const PROGRAMS: &[Mapped] = &[
    Mapped {
        name: "a map of one dimension",
        text: "func.func @main(%xs: tensor<?xi32>) -> tensor<?xi32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %xs, %c0 : tensor<?xi32>
          %r = kernel.segmap thread (%i < %n) MAPPING -> (tensor<?xi32>) {
            %x = tensor.extract %xs[%i] : tensor<?xi32>
            %k = arith.index_cast %i : index to i32
            %y = arith.addi %x, %k : i32
            kernel.return %y : i32
          }
          func.return %r : tensor<?xi32>
        }",
        chains: &[
            "GridBlock(1, SplitLast(32, ShiftLB(Gen)))",
            "GridBlock(1, Serial(1, Split(0, 64, SplitLast(4, ShiftLB(Gen)))))",
            "GridBlock(1, Serial(1, Split(0, 64, SplitLast(17, ShiftLB(Gen)))))",
            "GridBlock(1, Serial(1, Split(0, 32, Stride(0, 96, ShiftLB(Gen)))))",
            "GridBlock(1, Serial(2, Split(1, 3, Split(0, 32, Stride(0, 96, ShiftLB(Gen))))))",
            "GridBlock(0, Serial(1, Gen))",
        ],
        shapes: &[&[0], &[1], &[31], &[96], &[97], &[1000], &[4099]],
    },
    Mapped {
        name: "a map of two dimensions",
        text: "func.func @main(%xs: tensor<?x?xi32>) -> tensor<?x?xi32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %xs, %c0 : tensor<?x?xi32>
          %c1 = arith.constant 1 : index
          %m = tensor.dim %xs, %c1 : tensor<?x?xi32>
          %r = kernel.segmap thread (%j < %m, %i < %n) MAPPING -> (tensor<?x?xi32>) {
            %x = tensor.extract %xs[%i, %j] : tensor<?x?xi32>
            %k = arith.index_cast %i : index to i32
            %y = arith.addi %x, %k : i32
            kernel.return %y : i32
          }
          func.return %r : tensor<?x?xi32>
        }",
        chains: &[
            "GridBlock(2, Permute([2,0,3,1], SplitLast(16, Permute([1,2,0], SplitLast(16, ShiftLB(Gen))))))",
            "GridBlock(1, SplitLast(64, Column(8, Gen)))",
            "GridBlock(1, SplitLast(64, Zigzag(5, Gen)))",
            "GridBlock(1, Serial(1, Split(0, 32, SplitLast(3, Column(4, Gen)))))",
            "GridBlock(1, SplitLast(64, Hilbert(0, 3, Gen)))",
            "GridBlock(1, SplitLast(64, Morton(0, 2, Gen)))",
            "GridBlock(1, SplitLast(64, Swizzle(0, 4, Gen)))",
            "GridBlock(1, Permute([1,0], PadLast(32, Permute([1,0], Gen))))",
        ],
        shapes: &[&[0, 3], &[1, 1], &[7, 13], &[13, 7], &[32, 64], &[33, 17], &[1, 100]],
    },
    Mapped {
        name: "a scatter",
        text: "func.func @main(%xs: tensor<?xi32>) -> tensor<?xi32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %xs, %c0 : tensor<?xi32>
          %one = arith.constant 1 : index
          %r = kernel.scatter thread (%i < %n) MAPPING into (%xs : tensor<?xi32>) -> (tensor<?xi32>) {
            %last = arith.subi %n, %one : index
            %at = arith.subi %last, %i : index
            %x = tensor.extract %xs[%i] : tensor<?xi32>
            kernel.return %at, %x : index, i32
          }
          func.return %r : tensor<?xi32>
        }",
        chains: &[
            "GridBlock(1, SplitLast(96, ShiftLB(Gen)))",
            "GridBlock(1, Serial(1, Split(0, 64, SplitLast(4, ShiftLB(Gen)))))",
            "GridBlock(1, Serial(1, Split(0, 64, Stride(0, 128, ShiftLB(Gen)))))",
        ],
        shapes: &[&[0], &[1], &[127], &[1000]],
    },
    Mapped {
        name: "a histogram by atomics",
        text: "func.func @main(%xs: tensor<?xi32>) -> tensor<?xi32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %xs, %c0 : tensor<?xi32>
          %one = arith.constant 1 : i32
          %zero = arith.constant 0 : i32
          %bins = arith.constant 7 : index
          %seven = arith.constant 7 : i32
          %zeros = kernel.segmap thread (%i < %bins) -> (tensor<?xi32>) {
            kernel.return %zero : i32
          }
          %r = kernel.seghist thread form atomics (%i < %n) MAPPING into (%zeros : tensor<?xi32>) init (%zero : i32) -> (tensor<?xi32>) {
            %x = tensor.extract %xs[%i] : tensor<?xi32>
            %k = arith.remui %x, %seven : i32
            %at = arith.index_castui %k : i32 to index
            kernel.return %at, %one : index, i32
          } combine (%a, %b) {
            %s = arith.addi %a, %b : i32
            kernel.return %s : i32
          }
          func.return %r : tensor<?xi32>
        }",
        chains: &[
            "GridBlock(1, SplitLast(96, ShiftLB(Gen)))",
            "GridBlock(1, Serial(1, Split(0, 64, SplitLast(4, ShiftLB(Gen)))))",
            "GridBlock(1, Serial(1, Split(0, 64, Stride(0, 128, ShiftLB(Gen)))))",
        ],
        shapes: &[&[0], &[1], &[127], &[1000]],
    },
    Mapped {
        name: "a histogram under locks",
        text: "func.func @main(%xs: tensor<?xi32>) -> tensor<?xi32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %xs, %c0 : tensor<?xi32>
          %zero = arith.constant 0 : i32
          %bins = arith.constant 5 : index
          %five = arith.constant 5 : i32
          %zeros = kernel.segmap thread (%i < %bins) -> (tensor<?xi32>) {
            kernel.return %zero : i32
          }
          %r = kernel.seghist thread form locks (%i < %n) MAPPING into (%zeros : tensor<?xi32>) init (%zero : i32) -> (tensor<?xi32>) {
            %x = tensor.extract %xs[%i] : tensor<?xi32>
            %k = arith.remui %x, %five : i32
            %at = arith.index_castui %k : i32 to index
            kernel.return %at, %x : index, i32
          } combine (%a, %b) {
            %s = arith.addi %a, %b : i32
            %t = arith.maxsi %a, %b : i32
            %u = arith.ori %s, %t : i32
            %v = arith.maxsi %a, %b : i32
            kernel.return %v : i32
          }
          func.return %r : tensor<?xi32>
        }",
        chains: &[
            "GridBlock(1, SplitLast(64, ShiftLB(Gen)))",
            "GridBlock(1, Serial(1, Split(0, 64, SplitLast(3, ShiftLB(Gen)))))",
        ],
        shapes: &[&[0], &[1], &[130]],
    },
    Mapped {
        name: "sums of segments by lanes",
        text: "func.func @main(%xs: tensor<?x?x?xi32>) -> tensor<?x?xi32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %xs, %c0 : tensor<?x?x?xi32>
          %c1 = arith.constant 1 : index
          %m = tensor.dim %xs, %c1 : tensor<?x?x?xi32>
          %c2 = arith.constant 2 : index
          %k = tensor.dim %xs, %c2 : tensor<?x?x?xi32>
          %zero = arith.constant 0 : i32
          %r = kernel.segred thread form lanes (%i < %n, %j < %m, %l < %k) MAPPING init (%zero : i32) -> (tensor<?x?xi32>) {
            %x = tensor.extract %xs[%i, %j, %l] : tensor<?x?x?xi32>
            kernel.return %x : i32
          } combine (%a, %b) {
            %s = arith.addi %a, %b : i32
            kernel.return %s : i32
          }
          func.return %r : tensor<?x?xi32>
        }",
        chains: &[
            "GridBlock(1, SplitLast(8, FoldLast2(Gen)))",
            "GridBlock(1, SplitLast(16, Swizzle(0, 2, Gen)))",
            "GridBlock(1, SplitLast(8, Column(4, Gen)))",
            "GridBlock(2, Permute([2,0,3,1], SplitLast(4, Permute([1,2,0], SplitLast(4, Gen)))))",
        ],
        shapes: &[&[0, 2, 3], &[1, 1, 1], &[5, 7, 9], &[9, 33, 0], &[3, 17, 40]],
    },
    Mapped {
        name: "sums of segments by thread blocks",
        text: "func.func @main(%xs: tensor<?x?x?xi32>) -> tensor<?x?xi32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %xs, %c0 : tensor<?x?x?xi32>
          %c1 = arith.constant 1 : index
          %m = tensor.dim %xs, %c1 : tensor<?x?x?xi32>
          %c2 = arith.constant 2 : index
          %k = tensor.dim %xs, %c2 : tensor<?x?x?xi32>
          %zero = arith.constant 0 : i32
          %r = kernel.segred thread form block (%i < %n, %j < %m, %l < %k) MAPPING init (%zero : i32) -> (tensor<?x?xi32>) {
            %x = tensor.extract %xs[%i, %j, %l] : tensor<?x?x?xi32>
            kernel.return %x : i32
          } combine (%a, %b) {
            %s = arith.addi %a, %b : i32
            kernel.return %s : i32
          }
          func.return %r : tensor<?x?xi32>
        }",
        chains: &[
            "GridBlock(0, Gen)",
            "GridBlock(0, FoldLast2(Gen))",
            "GridBlock(0, Swizzle(0, 2, Gen))",
            "GridBlock(0, Column(4, Gen))",
            "GridBlock(0, Permute([1,0], Gen))",
        ],
        shapes: &[&[0, 2, 3], &[1, 1, 1], &[5, 7, 9], &[3, 5, 300]],
    },
    Mapped {
        name: "scans of segments by warps",
        text: "func.func @main(%xs: tensor<?x?xi32>) -> tensor<?x?xi32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %xs, %c0 : tensor<?x?xi32>
          %c1 = arith.constant 1 : index
          %m = tensor.dim %xs, %c1 : tensor<?x?xi32>
          %zero = arith.constant 0 : i32
          %r = kernel.segscan thread form warp (%i < %n, %j < %m) MAPPING init (%zero : i32) -> (tensor<?x?xi32>) {
            %x = tensor.extract %xs[%i, %j] : tensor<?x?xi32>
            kernel.return %x : i32
          } combine (%a, %b) {
            %s = arith.addi %a, %b : i32
            kernel.return %s : i32
          }
          func.return %r : tensor<?x?xi32>
        }",
        chains: &["GridBlock(1, SplitLast(4, Gen))", "GridBlock(0, Gen)"],
        shapes: &[&[0, 3], &[1, 1], &[9, 70], &[5, 0]],
    },
    Mapped {
        name: "rows in thread blocks",
        text: "func.func @main(%xs: tensor<?x?x?xi32>) -> tensor<?x?x?xi32> {
          %c0 = arith.constant 0 : index
          %n = tensor.dim %xs, %c0 : tensor<?x?x?xi32>
          %c1 = arith.constant 1 : index
          %m = tensor.dim %xs, %c1 : tensor<?x?x?xi32>
          %c2 = arith.constant 2 : index
          %k = tensor.dim %xs, %c2 : tensor<?x?x?xi32>
          %zero = arith.constant 0 : i32
          %r = kernel.segmap block (%i < %n, %j < %m) MAPPING -> (tensor<?x?x?xi32>) {
            %sum = kernel.segred thread (%l < %k) init (%zero : i32) -> (i32) {
              %x = tensor.extract %xs[%i, %j, %l] : tensor<?x?x?xi32>
              kernel.return %x : i32
            } combine (%a, %b) {
              %s = arith.addi %a, %b : i32
              kernel.return %s : i32
            }
            %row = kernel.segmap thread (%l < %k) -> (tensor<?xi32>) {
              %x = tensor.extract %xs[%i, %j, %l] : tensor<?x?x?xi32>
              %y = arith.subi %x, %sum : i32
              kernel.return %y : i32
            }
            kernel.return %row : tensor<?xi32>
          }
          func.return %r : tensor<?x?x?xi32>
        }",
        chains: &[
            "GridBlock(0, Gen)",
            "GridBlock(0, Swizzle(0, 3, Gen))",
            "GridBlock(0, Zigzag(2, Gen))",
        ],
        shapes: &[&[2, 2, 0], &[1, 1, 1], &[5, 7, 9], &[3, 5, 70]],
    },
];

pub(crate) fn trials() -> Vec<Trial> {
    let own = PROGRAMS.iter().map(|program| {
        Trial::test(format!("mapped: {}", program.name), move || {
            under_chains(program).map_err(Into::into)
        })
    });
    let ranks = (1..=10).map(|rank| {
        Trial::test(
            format!("mapped: {rank} dimensions by every strategy"),
            move || of_rank(rank).map_err(Into::into),
        )
    });
    let limit = Trial::test(
        "mapped: a launch beyond a limit says which and by how much",
        || beyond_a_limit().map_err(Into::into),
    );
    own.chain(ranks).chain([limit]).collect()
}

fn under_chains(program: &Mapped) -> Outcome {
    for chain in program.chains {
        let mapping = format!("mapping #kernel.mapping<{chain}>");
        let text = program.text.replace("MAPPING", &mapping);
        same(&text, program.shapes, None).map_err(|error| format!("{chain}: {error}"))?;
    }
    Ok(())
}

/// Which values of the argument are read differs between all indices of a space of this rank.
fn of_rank(rank: usize) -> Outcome {
    let list = |item: &dyn Fn(usize) -> String| (0..rank).map(item).collect::<Vec<_>>().join(", ");
    let ty = format!("tensor<{}i32>", "?x".repeat(rank));
    let dims: String = (0..rank)
        .map(|dim| {
            format!(
                "%d{dim} = arith.constant {dim} : index
                 %n{dim} = tensor.dim %xs, %d{dim} : {ty}\n"
            )
        })
        .collect();
    let text = format!(
        "func.func @main(%xs: {ty}) -> {ty} {{
          {dims}
          %r = kernel.segmap thread ({}) -> ({ty}) {{
            %x = tensor.extract %xs[{}] : {ty}
            %k = arith.index_cast %i0 : index to i32
            %y = arith.addi %x, %k : i32
            kernel.return %y : i32
          }}
          func.return %r : {ty}
        }}",
        list(&|dim| format!("%i{dim} < %n{dim}")),
        list(&|dim| format!("%i{dim}")),
    );
    let mut small = vec![1; rank];
    let mut odd: Vec<usize> = (0..rank).map(|dim| [3, 2, 1, 2, 5][dim % 5]).collect();
    let mut shapes = vec![odd.clone(), small.clone()];
    odd[rank / 2] = 0;
    small[rank - 1] = 33;
    shapes.extend([odd, small]);
    let shapes: Vec<&[usize]> = shapes.iter().map(Vec::as_slice).collect();
    for strategy in [
        "fold-all",
        "jing",
        "jing-ext",
        "auto",
        "columns(auto)",
        "zigzag(5,96)",
    ] {
        same(&text, &shapes, Some(strategy)).map_err(|error| format!("{strategy}: {error}"))?;
    }
    Ok(())
}

/// Compiled with checks on, the program gives what the interpreter gives.
fn same(text: &str, shapes: &[&[usize]], strategy: Option<&str>) -> Outcome {
    let options = CompileOptions {
        pipeline: PIPELINE.to_owned(),
        mapping_strategy: strategy.map(str::to_owned),
        ..crate::compile_options(DeviceChoice::Sim)
    };
    let program = Program::from_text("mapped.mlir", text).map_err(|failure| rendered(&failure))?;
    let Compiled { artifact, .. } = Compiler::new(options)
        .compile(program.clone())
        .map_err(|failure| rendered(&failure))?;
    let loaded = crate::load(artifact, DeviceChoice::Sim)?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    for shape in shapes {
        let count: usize = shape.iter().product();
        let values: Vec<i32> = (0..count).map(|at| at as i32 * 7 % 1013).collect();
        let argument = Array::new(shape, &values).map_err(|error| error.to_string())?;
        let arguments = [Value::Array(argument)];
        let found = crate::results(&entry, &arguments)?;
        let expected =
            interpret(program.ir(), "main", &arguments).map_err(|failure| rendered(&failure))?;
        if let Some(difference) = compare(&found, &expected, Tolerance::EXACT) {
            return Err(format!("{shape:?}: {difference}"));
        }
    }
    Ok(())
}

/// 70,000 rows along the grid's y axis, which has 65,535.
fn beyond_a_limit() -> Outcome {
    let text = "func.func @main(%xs: tensor<?x?xi32>) -> tensor<?x?xi32> {
      %c0 = arith.constant 0 : index
      %n = tensor.dim %xs, %c0 : tensor<?x?xi32>
      %c1 = arith.constant 1 : index
      %m = tensor.dim %xs, %c1 : tensor<?x?xi32>
      %r = kernel.segmap thread (%i < %n, %j < %m) mapping #kernel.mapping<GridBlock(1, SplitLast(32, ShiftLB(Gen)))> -> (tensor<?x?xi32>) {
        %x = tensor.extract %xs[%i, %j] : tensor<?x?xi32>
        kernel.return %x : i32
      }
      func.return %r : tensor<?x?xi32>
    }";
    let wanted = "grid y of the launch is 70000, the hardware allows at most 65535: 4465 too many";
    match same(text, &[&[70000, 1]], None) {
        Err(error) if error.contains(wanted) => Ok(()),
        Err(error) => Err(error),
        Ok(()) => Err("it is launched".to_owned()),
    }
}
