//! Products by tensor cores: which instructions each target gets, and what warps read for them.

use super::{compiled, for_chip, number, run_counted, with_registers};
use crate::programs::{ENTRY, Test};
use crate::{Outcome, load};
use segra::{Array, Artifact, Chip, CompileOptions, DeviceChoice, ElemType, Scalar, Value};
use segra_runtime::Machine;
use segra_std::arith::RoundingMode;
use segra_tests::case;

/// A program of `tiled/` for tensor cores.
pub(super) struct Product {
    pub(super) program: &'static str,
    /// Bytes of a number that is multiplied, and of a sum.
    bytes: [usize; 2],
    /// How the matrices are stored: whether depth by rows, and columns by depth.
    transposed: [bool; 2],
    /// How a fragment is read.
    by_matrices: [bool; 2],
    /// Whether numbers of the second matrix have no sign.
    unsigned: bool,
    /// Sums are divided by this.
    divided: i64,
    /// Tiles as an option: what the default pipeline chooses for large arrays.
    tiles: &'static str,
    /// Instructions of a target: on sm_75, and on newer ones.
    instructions: [&'static [(&'static str, usize)]; 2],
    /// Shapes of tiles whose reads are counted: rows and columns, points of a thread along each, and depth.
    shapes: &'static [([usize; 2], [usize; 2], usize)],
}

/// A thread has 8 by 8 points: a warp multiplies 4 by 4 fragments, twice for 32 steps of halves.
const LARGE: &str = "tile-y=128 tile-x=128 registers-y=8 registers-x=8 tile-k=32 stages=2";
/// As many bytes along the depth, in numbers of 4 bytes.
const LARGE_WIDE: &str = "tile-y=128 tile-x=128 registers-y=8 registers-x=8 tile-k=16 stages=2";
/// A thread has 4 by 4 points.
const SMALL: &str = "tile-y=64 tile-x=64 registers-y=4 registers-x=4 tile-k=16 stages=2";

/// Fragments of 4 by 4 points that three tiles of the loop are copied for.
const DEEP: &str = "tile-y=64 tile-x=64 registers-y=4 registers-x=4 tile-k=32 stages=3";

/// A thread has 8 by 16 points: what the default pipeline chooses for numbers of 16 bits, where all targets have the product.
const WIDE: &str = "tile-y=128 tile-x=128 registers-y=8 registers-x=16 tile-k=32 stages=2";
/// The same for numbers of 4 bytes that are rounded.
const WIDE_ROUNDED: &str = "tile-y=128 tile-x=128 registers-y=8 registers-x=16 tile-k=16 stages=2";

/// None at all.
const NONE: &[(&str, usize)] = &[("mma.sync", 0), ("ldmatrix", 0)];

/// Rows of 64, 256, 32, 128 and 96 bytes.
const OF_HALVES: &[([usize; 2], [usize; 2], usize)] = &[
    ([128, 128], [8, 16], 32),
    ([128, 128], [8, 8], 32),
    ([128, 128], [8, 8], 16),
    ([64, 64], [4, 4], 64),
    ([64, 48], [4, 4], 32),
];

const HALVES: Product = Product {
    program: "product-of-halves",
    bytes: [2, 4],
    transposed: [false, false],
    by_matrices: [true, true],
    unsigned: false,
    divided: 1,
    tiles: LARGE,
    instructions: [
        &[
            ("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 64),
            ("ldmatrix.sync", 12),
        ],
        &[
            ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 32),
            ("ldmatrix.sync", 12),
        ],
    ],
    shapes: OF_HALVES,
};

const DOUBLES: Product = Product {
    program: "product-of-doubles",
    bytes: [8, 8],
    by_matrices: [false, false],
    tiles: SMALL,
    instructions: [
        NONE,
        &[
            ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 32),
            ("ldmatrix", 0),
        ],
    ],
    // Rows that are copied are whole lines of 128 bytes: copies of shorter ones, with gaps between, meet in banks.
    shapes: &[([64, 64], [4, 4], 16), ([64, 48], [4, 4], 16)],
    ..HALVES
};

const TF32: &str = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";

/// Rows of 128, 64 and 32 bytes.
const ROUNDED: Product = Product {
    program: "product-of-rounded-floats",
    bytes: [4, 4],
    by_matrices: [true, false],
    tiles: LARGE_WIDE,
    instructions: [NONE, &[(TF32, 32), ("ldmatrix.sync", 8)]],
    // Rows that are copied are whole lines, as those of doubles.
    shapes: &[
        ([128, 128], [8, 8], 16),
        ([128, 128], [8, 16], 16),
        ([64, 64], [4, 4], 32),
        ([64, 64], [4, 4], 16),
        ([64, 64], [4, 4], 8),
    ],
    ..HALVES
};

const BYTES: Product = Product {
    program: "product-of-bytes",
    bytes: [1, 4],
    transposed: [false, true],
    unsigned: true,
    instructions: [
        NONE,
        &[
            ("mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", 16),
            ("ldmatrix.sync", 6),
        ],
    ],
    shapes: &[([128, 128], [8, 8], 32), ([64, 64], [4, 4], 64)],
    ..HALVES
};

/// All of them.
pub(super) const PRODUCTS: [Product; 10] = [
    HALVES,
    Product {
        program: "product-of-transposed-halves",
        transposed: [true, true],
        divided: 2,
        ..HALVES
    },
    Product {
        program: "product-of-brain-halves",
        instructions: [
            NONE,
            &[
                ("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 32),
                ("ldmatrix.sync", 12),
            ],
        ],
        ..HALVES
    },
    Product {
        program: "product-of-half-sums",
        bytes: [2, 2],
        instructions: [
            &[("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", 64)],
            &[("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 32)],
        ],
        ..HALVES
    },
    DOUBLES,
    Product {
        program: "product-of-transposed-doubles",
        transposed: [true, true],
        divided: 2,
        ..DOUBLES
    },
    ROUNDED,
    Product {
        program: "product-of-transposed-rounded-floats",
        transposed: [true, true],
        by_matrices: [false, true],
        divided: 2,
        instructions: [NONE, &[(TF32, 32), ("ldmatrix.sync", 4)]],
        ..ROUNDED
    },
    BYTES,
    Product {
        program: "product-of-columns-of-bytes",
        transposed: [false, false],
        by_matrices: [true, false],
        unsigned: false,
        instructions: [
            NONE,
            &[
                ("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 16),
                ("ldmatrix.sync", 4),
            ],
        ],
        shapes: &[([128, 128], [8, 8], 32), ([64, 128], [4, 4], 64)],
        ..BYTES
    },
];

/// Each target has its instructions; the kernel is made in one width of indices.
pub(super) fn multiplies(product: &Product) -> Outcome {
    let options = CompileOptions {
        pipeline: with_registers(product.tiles),
        ..CompileOptions::default()
    };
    for target in compiled(product.program, options)?.targets {
        let newer = target.chip > Chip::sm(7, 5);
        for &(instruction, wanted) in product.instructions[usize::from(newer)] {
            let found = target.ptx.matches(instruction).count();
            if found != wanted {
                let chip = target.chip;
                return Err(format!(
                    "{found} {instruction} for {chip}, expected {wanted}"
                ));
            }
        }
    }
    Ok(())
}

/// The code of every target of one compilation, with both versions of a kernel where only newer ones have instructions,
/// returns what the interpreter does, with no race and no read of what was never written.
pub(super) fn results(product: &Product) -> Outcome {
    let path = case::folder().join("run/tiled").join(product.program);
    let test = Test::read(&path.with_extension("mlir"))?;
    let wide = match product.instructions[1][0] {
        (TF32, _) => Some(WIDE_ROUNDED),
        _ => Some(WIDE).filter(|_| product.bytes[0] == 2),
    };
    for tiles in [product.tiles, DEEP].into_iter().chain(wide) {
        let options = CompileOptions {
            pipeline: with_registers(tiles),
            ..CompileOptions::default()
        };
        let artifact = compiled(product.program, options)?;
        for target in &artifact.targets {
            let chip = target.chip;
            let artifact = Artifact {
                targets: vec![target.clone()],
                ..artifact.clone()
            };
            let loaded = load(artifact, DeviceChoice::Sim)?;
            let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
            test.check(|arguments| entry.run(arguments).map_err(|error| error.to_string()))
                .map_err(|error| format!("{tiles}: {chip}: {error}"))?;
        }
    }
    Ok(())
}

/// The default pipeline gives threads twice as many points where all targets have the product: a warp multiplies 4 by 8 fragments.
pub(super) fn by_default() -> Outcome {
    let (turing, ampere) = (Chip::sm(7, 5), Chip::sm(8, 0));
    for (program, targets, wanted) in [
        ("product-of-halves", vec![ampere], [64, 16]),
        ("product-of-halves", vec![turing, ampere], [64, 16]),
        ("product-of-rows-of-halves", vec![ampere], [64, 16]),
        ("product-of-brain-halves", vec![ampere], [64, 16]),
        ("product-of-brain-halves", vec![turing, ampere], [32, 12]),
        ("product-of-rounded-floats", vec![ampere], [64, 8]),
        ("product-of-rounded-floats", vec![turing, ampere], [32, 8]),
        // 8 by 16 results of another matrix beside as many sums are too many registers.
        ("gemm", vec![ampere], [0, 0]),
    ] {
        let options = CompileOptions {
            targets: targets.clone(),
            ..CompileOptions::default()
        };
        let artifact = compiled(program, options)?;
        let ptx = artifact.targets.last().map_or("", |target| &target.ptx);
        // The largest tiles are the first kernel.
        let kernel = ptx
            .split(".entry")
            .find(|it| it.starts_with(" main_segmap_block_0("));
        let kernel = kernel.ok_or("no tiles")?;
        let found = ["mma.sync", "ldmatrix.sync"].map(|it| kernel.matches(it).count());
        if found != wanted {
            return Err(format!(
                "{program}, {targets:?}: {found:?}, expected {wanted:?}"
            ));
        }
    }
    Ok(())
}

/// Nobody meets in a bank, sums are exact.
pub(super) fn reads(product: &Product) -> Outcome {
    for &(tile, points, depth) in product.shapes {
        let ([y, x], [down, across]) = (tile, points);
        let shape = format!(
            "tile-y={y} tile-x={x} registers-y={down} registers-x={across} tile-k={depth} stages=2"
        );
        reads_in(product, &shape, (tile, points)).map_err(|error| format!("{shape}: {error}"))?;
    }
    Ok(())
}

/// Requests and wavefronts of a warp for what it reads of both matrices, in a step of 32 bytes along the depth.
fn reads_of_step(product: &Product, [down, across]: [usize; 2]) -> (usize, usize) {
    let each = 4 / product.bytes[0].min(4);
    let (rows, pairs) = (down, across / 2);
    let mut all = (0, 0);
    for (operand, by_matrices) in product.by_matrices.into_iter().enumerate() {
        // Parts of 8 rows, or of 8 columns, of 32 bytes.
        let parts = if operand == 0 { rows } else { pairs };
        let (requests, wavefronts) = match (by_matrices, product.bytes[0]) {
            // Four matrices of 8 rows of 16 bytes, which are 512 bytes.
            (true, _) => (parts / 2, 4 * parts / 2),
            (false, 8) => (parts, 2 * parts),
            (false, 4) => (2 * parts, 2 * parts),
            // A register for each 16 bytes; two of its four rows meet.
            (false, _) => (2 * parts * each, 2 * 2 * parts * each),
        };
        all = (all.0 + requests, all.1 + wavefronts);
    }
    all
}

fn reads_in(product: &Product, shape: &str, (tile, points): ([usize; 2], [usize; 2])) -> Outcome {
    let (m, n, u) = (256, 2 * tile[1], 64);
    let [number_bytes, sum_bytes] = product.bytes;
    let stored = |transposed: bool, shape: [usize; 2]| match transposed {
        false => shape,
        true => [shape[1], shape[0]],
    };
    let shapes = [
        stored(product.transposed[0], [m, u]),
        stored(product.transposed[1], [u, n]),
    ];
    let options = for_chip(&with_registers(shape), Chip::sm(8, 0));
    let (tiled, found) = run_counted(
        product.program,
        (options, Machine::H100),
        [&shapes[0], &shapes[1]],
    )?;
    let copied = number_bytes * (m * n * u / tile[0] + m * n * u / tile[1]);
    let wanted = copied + sum_bytes * m * n;
    if tiled.traffic.bytes != wanted as u64 {
        return Err(format!(
            "{} bytes asked for, expected {wanted}",
            tiled.traffic.bytes
        ));
    }
    // A request is for 512 bytes of a copy, which are 4 wavefronts.
    let copies = copied / 512;
    let steps = m * n / (8 * points[0] * 4 * points[1]) * (u * number_bytes / 32);
    let step = reads_of_step(product, points);
    let wanted = (copies + steps * step.0, 4 * copies + steps * step.1);
    let traffic = (
        tiled.traffic.shared_requests,
        tiled.traffic.shared_wavefronts,
    );
    if traffic != (wanted.0 as u64, wanted.1 as u64) {
        return Err(format!(
            "requests and wavefronts {traffic:?}, expected {wanted:?}"
        ));
    }
    let found = found.as_ref().and_then(Value::as_array).ok_or("no array")?;
    for (at, found) in found.scalars().map(Scalar::to_f64).enumerate() {
        let (row, column) = (at / n, at % n);
        let element = |operand: usize, at: [usize; 2], width: usize| {
            let [outer, inner] = stored(product.transposed[operand], at);
            let found = number(outer * width + inner);
            match product.unsigned && operand == 1 {
                true => found & 0xff,
                false => found,
            }
        };
        let sum: i64 = (0..u)
            .map(|step| {
                element(0, [row, step], shapes[0][1]) * element(1, [step, column], shapes[1][1])
            })
            .sum();
        let wanted = sum as f64 / product.divided as f64;
        if found != wanted {
            return Err(format!("{found} at {row}, {column}, expected {wanted}"));
        }
    }
    Ok(())
}

/// A product of f32 whose program rounds nothing, where rounding to tf32 is allowed: all targets add up the same rounded
/// factors; in sizes that tiles do not divide, part of a sum may be of factors as they are.
pub(super) fn allowed() -> Outcome {
    allowed_for(CompileOptions::default(), RoundingMode::ToNearestAway)?;
    let newest = for_chip("", Chip::sm(9, 0));
    allowed_for(newest, RoundingMode::ToNearestEven)
}

fn allowed_for(options: CompileOptions, mode: RoundingMode) -> Outcome {
    let options = CompileOptions {
        pipeline: with_registers(SMALL),
        allow_tf32: true,
        ..options
    };
    let to_tf32 = |value: f32| to_tf32(value, mode);
    let artifact = compiled("product", options)?;
    for target in &artifact.targets {
        let chip = target.chip;
        if target.ptx.contains(TF32) != (chip > Chip::sm(7, 5)) {
            return Err(format!("has the instruction, or not, for {chip}"));
        }
        // Where all targets have an instruction that rounds, ties to even.
        let rounds = mode == RoundingMode::ToNearestEven;
        if target.ptx.contains("cvt.rn.tf32.f32") != rounds {
            return Err(format!("rounds by an instruction, or not, for {chip}"));
        }
        let artifact = Artifact {
            targets: vec![target.clone()],
            ..artifact.clone()
        };
        let loaded = load(artifact, DeviceChoice::Sim)?;
        let entry = loaded.entry(ENTRY).map_err(|error| error.to_string())?;
        for [m, u, n] in [[64, 64, 64], [67, 97, 71]] {
            let (a, b) = (fractions(m * u, 1), fractions(u * n, 2));
            let arguments = [(&a, [m, u]), (&b, [u, n])].map(|(values, shape)| {
                let number = |&it: &f32| Scalar::from_f64(ElemType::F32, it.into());
                let values: Vec<Scalar> = values.iter().map(number).collect();
                let array = Array::from_scalars(ElemType::F32, &shape, &values);
                array.map(Value::Array)
            });
            let arguments = arguments.into_iter().collect::<Result<Vec<Value>, _>>();
            let results = entry
                .run(&arguments.map_err(|error| error.to_string())?)
                .map_err(|error| error.to_string())?;
            let found = results
                .first()
                .and_then(Value::as_array)
                .ok_or("no array")?;
            let whole = u % 16 == 0;
            for (at, found) in found.scalars().map(Scalar::to_f64).enumerate() {
                let (row, column) = (at / n, at % n);
                let factors = || (0..u).map(|k| (a[row * u + k], b[k * n + column]));
                let exact: f64 = factors().map(|(x, y)| f64::from(x) * f64::from(y)).sum();
                let near: f64 = factors().map(|(x, y)| to_tf32(x) * to_tf32(y)).sum();
                let (wanted, bound) = match whole {
                    true => (near, 1e-6 * near),
                    false => (exact, exact / 1024.0),
                };
                if (found - wanted).abs() > bound {
                    return Err(format!(
                        "{chip}: {found} at {row}, {column}, expected {wanted}"
                    ));
                }
                if whole && at == 0 && (found - exact).abs() <= bound {
                    return Err(format!("{chip}: factors are not rounded"));
                }
            }
        }
    }
    Ok(())
}

/// Numbers from 1 to 2 with bits that tf32 has not.
fn fractions(count: usize, step: usize) -> Vec<f32> {
    let number = |at: usize| 1.0 + (at * step * 7919 % 65521) as f32 / 65536.0;
    (0..count).map(number).collect()
}

/// The nearest number with 11 bits, of one between 1 and 2; ties away from zero.
fn to_tf32(value: f32, mode: RoundingMode) -> f64 {
    let scaled = f64::from(value) * 1024.0;
    let near = match mode {
        RoundingMode::ToNearestEven => scaled.round_ties_even(),
        _ => (scaled + 0.5).floor(),
    };
    near / 1024.0
}

/// 16 by 16 tiles of 64 by 64 on a machine that runs one row of them at a time, and whose L2 cache holds less than the second
/// matrix and a row of results: memory is read for 17 rows or columns of tiles at a time, or for 8 rows once and their columns one after the other.
pub(super) fn groups() -> Outcome {
    let mut machine = Machine::H100;
    machine.multiprocessors = 2;
    machine.l2.bytes = 640 << 10;
    let read = |strategy: Option<&str>| {
        let mut options = for_chip(&with_registers(DEEP), Chip::sm(9, 0));
        options.mapping_strategy = strategy.map(str::to_owned);
        let shapes: [&[usize]; 2] = [&[1024, 256], &[256, 1024]];
        let (profile, _) = run_counted(HALVES.program, (options, machine.clone()), shapes)?;
        Ok::<u64, String>(profile.traffic.memory_read_bytes)
    };
    let (row_by_row, grouped) = (
        read(Some("GridBlock(0, FoldLast2(ShiftLB(Gen)))"))?,
        read(None)?,
    );
    let matrix = 2 * 1024 * 256;
    if grouped > 3 * matrix + matrix / 4 || row_by_row < 16 * matrix {
        return Err(format!(
            "{grouped} bytes read in groups of rows, {row_by_row} row by row"
        ));
    }
    Ok(())
}
