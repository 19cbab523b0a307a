//! Bytes that sequences of BLAS calls move, counted, beside the least possible: the programs of `benches/sequences`, which are
//! those of Filipovič et al., "Optimizing CUDA code by kernel fusion", Table 1.
//!
//! `benches/sequences.py` makes the table of all of them at large sizes; here the ratios that must hold are asserted at small
//! ones, with the tiles of the default pipeline whatever the size.

use crate::Outcome;
use crate::traffic::{array, moved, profiles, run_text};
use libtest_mimic::Trial;
use segra::{ElemType, Scalar as Number, Value};
use segra_tests::case;

/// Rows and columns of matrices, of which tiles are 128 by 256; vectors that come without a matrix have `LONG` elements.
const ROWS: usize = 512;
const COLUMNS: usize = 1024;
const LONG: usize = 1 << 18;
/// The most that may be moved of the least possible.
const MOST: f64 = 1.03;

/// An input.
#[derive(Clone, Copy)]
enum Input {
    Scalar,
    Matrix,
    /// A vector with an element for each row, for each column, and one of a program of vectors.
    OfRows,
    OfColumns,
    Long,
}
use Input::{Long, Matrix, OfColumns, OfRows, Scalar};

/// A program of `benches/sequences`, its inputs, and how often it moves matrices or long vectors at least; vectors beside a
/// matrix, each once, are counted from the inputs and with `vectors`, elements of those that are results or go between
/// kernels.
struct Sequence {
    name: &'static str,
    inputs: &'static [Input],
    moves: usize,
    vectors: usize,
    calls: Calls,
}

/// A library's calls for a sequence: how often they move matrices or long vectors, elements of vectors beside a matrix that they
/// move, and the arrays that are copied first as a call overwrites one of its arguments.
struct Calls {
    tags: &'static [Tag],
    moves: usize,
    vectors: usize,
    copies: usize,
}

/// The letters of table 1.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    /// Fusion: a kernel for several calls moves less than the calls.
    F,
    /// Specialization: results have memory of their own, so nothing is copied.
    S,
    /// As good as the library's only call.
    B,
}
use Tag::{B, F, S};

const SEQUENCES: &[Sequence] = &[
    Sequence {
        name: "axpydot",
        inputs: &[Scalar, Long, Long, Long],
        moves: 4,
        vectors: 0,
        calls: Calls {
            tags: &[F, S],
            moves: 5,
            vectors: 0,
            copies: 1,
        },
    },
    Sequence {
        name: "atax",
        inputs: &[Matrix, OfColumns],
        moves: 2,
        vectors: 2 * ROWS + COLUMNS,
        calls: Calls {
            tags: &[],
            moves: 2,
            vectors: 2 * ROWS + 2 * COLUMNS,
            copies: 0,
        },
    },
    Sequence {
        name: "bicgk",
        inputs: &[Matrix, OfColumns, OfRows],
        moves: 1,
        vectors: ROWS + COLUMNS,
        calls: Calls {
            tags: &[F],
            moves: 2,
            vectors: 2 * ROWS + 2 * COLUMNS,
            copies: 0,
        },
    },
    Sequence {
        name: "sgemv",
        inputs: &[Scalar, Scalar, Matrix, OfColumns, OfRows],
        moves: 1,
        vectors: ROWS,
        calls: Calls {
            tags: &[B],
            moves: 1,
            vectors: 2 * ROWS + COLUMNS,
            copies: 0,
        },
    },
    Sequence {
        name: "sgemvt",
        inputs: &[Scalar, Scalar, Matrix, OfRows, OfColumns],
        moves: 2,
        vectors: ROWS + 2 * COLUMNS,
        calls: Calls {
            tags: &[S],
            moves: 2,
            vectors: 2 * ROWS + 3 * COLUMNS,
            copies: 1,
        },
    },
    Sequence {
        name: "sscal",
        inputs: &[Scalar, Long],
        moves: 2,
        vectors: 0,
        calls: Calls {
            tags: &[B],
            moves: 2,
            vectors: 0,
            copies: 0,
        },
    },
    Sequence {
        name: "gemver",
        inputs: &[
            Scalar, Scalar, Matrix, OfRows, OfColumns, OfRows, OfColumns, OfRows, OfColumns,
        ],
        moves: 3,
        vectors: ROWS + 2 * COLUMNS,
        calls: Calls {
            tags: &[F, S],
            moves: 6,
            vectors: 4 * ROWS + 6 * COLUMNS,
            copies: 1,
        },
    },
    Sequence {
        name: "gesummv",
        inputs: &[Scalar, Scalar, Matrix, Matrix, OfColumns],
        moves: 2,
        vectors: ROWS,
        calls: Calls {
            tags: &[F],
            moves: 2,
            vectors: 2 * ROWS + 2 * COLUMNS,
            copies: 0,
        },
    },
    Sequence {
        name: "madd",
        inputs: &[Matrix, Matrix],
        moves: 3,
        vectors: 0,
        calls: Calls {
            tags: &[S],
            moves: 3,
            vectors: 0,
            copies: 1,
        },
    },
    Sequence {
        name: "vadd",
        inputs: &[Long, Long, Long],
        moves: 4,
        vectors: 0,
        calls: Calls {
            tags: &[F, S],
            moves: 6,
            vectors: 0,
            copies: 1,
        },
    },
    Sequence {
        name: "waxpby",
        inputs: &[Scalar, Scalar, Long, Long],
        moves: 3,
        vectors: 0,
        calls: Calls {
            tags: &[F],
            moves: 5,
            vectors: 0,
            copies: 0,
        },
    },
];

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |sequence: &'static Sequence| {
        let name = format!("bytes of a sequence: {}", sequence.name);
        Trial::test(name, move || sequence.check().map_err(Into::into))
    };
    SEQUENCES.iter().map(trial).collect()
}

impl Input {
    fn shape(self) -> Vec<usize> {
        match self {
            Scalar => Vec::new(),
            Matrix => vec![ROWS, COLUMNS],
            OfRows => vec![ROWS],
            OfColumns => vec![COLUMNS],
            Long => vec![LONG],
        }
    }

    fn value(self) -> Result<Value, case::Failure> {
        if matches!(self, Scalar) {
            return Ok(Value::Scalar(Number::f32(2.0)));
        }
        let shape = self.shape();
        let numbers = (0..shape.iter().product::<usize>()).map(|at| (at % 7) as f32);
        array(
            ElemType::F32,
            &shape,
            numbers.flat_map(f32::to_le_bytes).collect(),
        )
    }
}

impl Sequence {
    fn check(&self) -> Outcome {
        let path = case::folder().join(format!("../benches/sequences/{}.mlir", self.name));
        let text = std::fs::read_to_string(&path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let inputs = self.inputs.iter().map(|input| input.value());
        let inputs = inputs.collect::<Result<Vec<Value>, _>>()?;
        let tiles = "func.func(fuse-traversals{versions=one tiles=1})";
        let pipeline = segra::default_pipeline_with("func.func(fuse-traversals)", tiles);
        let run = run_text(self.name, &text, &inputs, &pipeline)?;
        let copied = run.report.copied_bytes;
        let moved = moved(&run);
        let has_matrix = self.inputs.iter().any(|input| matches!(input, Matrix));
        let large = if has_matrix { ROWS * COLUMNS } else { LONG };
        let small = |input: &&Input| matches!(input, OfRows | OfColumns);
        let given: usize = self
            .inputs
            .iter()
            .filter(small)
            .flat_map(|input| input.shape())
            .sum();
        let least = 4 * (self.moves * large + given + self.vectors);
        let ratio = moved as f64 / least as f64;
        if !(0.99..=MOST).contains(&ratio) {
            return Err(format!("moves {moved} bytes, {ratio:.4} times {least}"));
        }
        let kernels = profiles(&run).len();
        self.calls.compare(
            moved,
            4 * (self.calls.moves * large + self.calls.vectors),
            (kernels, copied),
        )
    }
}

impl Calls {
    /// Whether kernels that move so many bytes are better than calls that move `by_calls` without copies, as the tags say.
    fn compare(&self, moved: u64, by_calls: usize, (kernels, copied): (usize, u64)) -> Outcome {
        let ratio = by_calls as f64 / moved as f64;
        for tag in self.tags {
            let holds = match tag {
                F => ratio > 1.0,
                S => self.copies > 0 && copied == 0,
                B => self.copies == 0 && kernels == 1 && ratio >= 1.0 / MOST,
            };
            if !holds {
                let tag = match tag {
                    F => "F",
                    S => "S",
                    B => "B",
                };
                return Err(format!(
                    "{tag}: {kernels} kernels move {moved} bytes and copy {copied}, calls move {by_calls}"
                ));
            }
        }
        // Without a letter, barriers leave nothing to fuse.
        match self.tags.contains(&F) || ratio <= MOST {
            true => Ok(()),
            false => Err(format!(
                "{moved} bytes are fewer than the calls' {by_calls}, without F"
            )),
        }
    }
}
