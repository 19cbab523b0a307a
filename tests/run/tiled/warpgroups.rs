//! Products by warpgroups: on sm_90a alone, four warps multiply what lies in shared memory.

use super::{compiled, number, run_compiled, with_registers};
use crate::programs::{ENTRY, Test};
use crate::{Outcome, assembled, rendered};
use segra::validate::Validator;
use segra::{Array, Artifact, Chip, CompileOptions, Compiler, ElemType, Scalar, Tolerance, Value};
use segra_pipeline::named::KERNEL_TO_GPU;
use segra_runtime::{Machine, Profile};
use segra_tests::case::{self, Failure};

/// A program of `tiled/`, and how it stores the second matrix.
pub(super) struct Product {
    pub(super) program: &'static str,
    /// Columns by depth.
    transposed: bool,
    /// The numbers, as PTX calls them.
    numbers: &'static str,
}

pub(super) const PRODUCTS: [Product; 3] = [
    Product {
        program: "product-of-halves",
        transposed: false,
        numbers: "f16",
    },
    Product {
        program: "product-of-rows-of-halves",
        transposed: true,
        numbers: "f16",
    },
    Product {
        program: "product-of-brain-halves",
        transposed: false,
        numbers: "bf16",
    },
];

/// Rows and columns of a tile, with the points of a thread that the default pipeline gives it without warpgroups, and steps.
const TILES: [([usize; 2], [usize; 2], usize); 3] = [
    ([128, 128], [8, 8], 64),
    ([64, 64], [4, 4], 128),
    ([64, 128], [4, 8], 64),
];

/// How a product with tiles, points of a thread and steps is compiled.
type Options = fn([[usize; 2]; 2], usize) -> CompileOptions;

fn options([tile, points]: [[usize; 2]; 2], depth: usize) -> CompileOptions {
    let ([y, x], [down, right]) = (tile, points);
    CompileOptions {
        pipeline: with_registers(&format!(
            "tile-y={y} tile-x={x} registers-y={down} registers-x={right} tile-k={depth} stages=3"
        )),
        targets: vec![hopper()],
        ..CompileOptions::default()
    }
}

fn hopper() -> Chip {
    Chip {
        reach: segra::ChipReach::Exact,
        ..Chip::sm(9, 0)
    }
}

/// A step of 16 is an instruction for all columns of a tile, in lines of 128 bytes; no spills, and no products by warps.
pub(super) fn multiplies(product: &Product) -> Outcome {
    for (tile, points, depth) in TILES {
        let artifact = compiled(product.program, options([tile, points], depth))?;
        assembled::assemble(&artifact)?;
        let ptx = ptx(artifact)?;
        let numbers = product.numbers;
        let instruction = format!(
            "wgmma.mma_async.sync.aligned.m64n{}k16.f32.{numbers}.{numbers}",
            tile[1]
        );
        // The kernel is made in one width of indices, or in two.
        let found = ptx.matches(&instruction).count();
        let kernels = ptx.matches(".entry").count();
        if found == 0 || found != kernels * depth / 16 || ptx.contains("mma.sync") {
            return Err(format!("{found} {instruction} in {kernels} kernels"));
        }
    }
    Ok(())
}

fn ptx(artifact: Artifact) -> Result<String, Failure> {
    let target = artifact.targets.into_iter().next();
    Ok(target.ok_or("no target")?.ptx)
}

/// Where rows are whole 16 bytes, one thread copies boxes of the matrices, which come at barriers of their own, and nobody copies
/// anything in the loop of the products; in kernels for other matrices, all threads copy.
pub(super) fn copies(product: &Product) -> Outcome {
    let ([tile, points], depth) = ([[64, 64], [4, 4]], 64);
    let ptx = ptx(compiled(product.program, options([tile, points], depth))?)?;
    let products = ptx.split(".entry").skip(1);
    let products = products.filter(|kernel| kernel.contains("wgmma.mma_async"));
    let (boxes, others): (Vec<&str>, Vec<&str>) =
        products.partition(|kernel| kernel.contains("cp.async.bulk.tensor.2d"));
    let await_boxes = boxes.iter().all(|kernel| {
        kernel.contains("mbarrier.try_wait.parity") && !kernel.contains("cp.async.cg")
    });
    let by_threads = others.iter().all(|kernel| kernel.contains("cp.async.cg"));
    if boxes.len() != others.len() || boxes.is_empty() || !await_boxes || !by_threads {
        return Err(format!(
            "{} kernels with boxes, {} others",
            boxes.len(),
            others.len()
        ));
    }
    Ok(())
}

/// The default pipeline takes them for sm_90a alone: beside other targets, whose kernels these would not be, warps multiply.
pub(super) fn by_default() -> Outcome {
    for (targets, wanted) in [
        (vec![hopper()], ["wgmma.mma_async", "mma.sync"]),
        (
            vec![Chip::sm(8, 0), hopper()],
            ["mma.sync", "wgmma.mma_async"],
        ),
    ] {
        let options = CompileOptions {
            targets,
            ..CompileOptions::default()
        };
        let ptx = ptx(compiled("product-of-halves", options)?)?;
        let [there, missing] = wanted;
        if !ptx.contains(there) || ptx.contains(missing) {
            return Err(format!("not {there}, or {missing}"));
        }
    }
    Ok(())
}

/// Every pass keeps what the program computes, by the interpreter: a tile, and steps that the rest of the loop follows.
pub(super) fn validated(product: &Product) -> Outcome {
    let path = case::folder().join("run/tiled").join(product.program);
    let program = Test::read(&path.with_extension("mlir"))?.program;
    let ([tile, points], depth) = ([[64, 64], [4, 4]], 64);
    let shapes = [
        [64, 137],
        if product.transposed {
            [64, 137]
        } else {
            [137, 64]
        },
    ];
    let elem = match product.numbers {
        "f16" => ElemType::F16,
        _ => ElemType::BF16,
    };
    let arguments = shapes.into_iter().map(|shape| {
        let numbers: Vec<Scalar> = (0..shape.iter().product())
            .map(|at| Scalar::from_f64(elem, number(at) as f64))
            .collect();
        Array::from_scalars(elem, &shape, &numbers).map(Value::Array)
    });
    let arguments: Result<Vec<Value>, _> = arguments.collect();
    let arguments = arguments.map_err(|error| error.to_string())?;
    let validator = Validator::new(ENTRY, arguments, Tolerance::EXACT);
    Compiler::new(options([tile, points], depth))
        .compile_with(program, Some(Box::new(validator)))
        .map_err(|failure| rendered(&failure))?;
    Ok(())
}

/// Sums are exact, in sizes that tiles divide and others, with no race and no read of what was never written.
pub(super) fn results(product: &Product) -> Outcome {
    for (tile, points, depth) in TILES {
        let artifact = compiled(product.program, options([tile, points], depth))?;
        for [m, u, n] in [
            [tile[0] + 3, 4 * depth + 9, tile[1] + 8],
            [tile[0], 2 * depth, tile[1] - 1],
            [31, depth - 1, 7],
            // Rows of whole 16 bytes: boxes of the matrices are copied, of which the last ones end outside.
            [tile[0] + 3, 7 * depth + 8, tile[1] + 16],
            [tile[0] - 1, 64, tile[1] - 8],
            [1, 0, 64],
        ] {
            run(product, artifact.clone(), [m, u, n])
                .map_err(|error| format!("{tile:?}, {m} x {u} x {n}: {error}"))?;
        }
    }
    Ok(())
}

fn run(product: &Product, artifact: Artifact, [m, u, n]: [usize; 3]) -> Result<Profile, Failure> {
    let b = if product.transposed { [n, u] } else { [u, n] };
    let (profile, found) = run_compiled(artifact, Machine::H100, [&[m, u], &b])?;
    let found = found.as_ref().and_then(Value::as_array).ok_or("no array")?;
    if found.elem() != ElemType::F32 {
        return Err("sums are of another type".to_owned());
    }
    for (at, found) in found.scalars().map(Scalar::to_f64).enumerate() {
        let (row, column) = (at / n, at % n);
        let factor = |step: usize| match product.transposed {
            true => number(column * u + step),
            false => number(step * n + column),
        };
        let sum: i64 = (0..u)
            .map(|step| number(row * u + step) * factor(step))
            .sum();
        if found != sum as f64 {
            return Err(format!("{found} at {row}, {column}, expected {sum}"));
        }
    }
    Ok(profile)
}

/// As [`options`], without copies of boxes.
fn copied_by_threads(tile: [[usize; 2]; 2], depth: usize) -> CompileOptions {
    let steps = KERNEL_TO_GPU.steps.iter().copied();
    let steps: Vec<&str> = steps.filter(|&step| step != "copy-boxes").collect();
    let mut options = options(tile, depth);
    options.pipeline = (options.pipeline).replace(KERNEL_TO_GPU.name, &steps.join(","));
    options
}

/// Nobody meets in a bank: 512 bytes of a copy by threads, or of a matrix that is multiplied, are 4 wavefronts.
pub(super) fn reads(product: &Product) -> Outcome {
    let ways: [(Options, bool); 2] = [(options, false), (copied_by_threads, true)];
    for ((tile, points, depth), (options, threads)) in
        (TILES.into_iter()).flat_map(|tile| ways.map(|way| (tile, way)))
    {
        let [y, x] = tile;
        let [m, u, n] = [2 * y, 2 * depth, x];
        let artifact = compiled(product.program, options([tile, points], depth))?;
        let profile = run(product, artifact, [m, u, n])?;
        let copied = if threads {
            2 * (m * n * u / y + m * n * u / x)
        } else {
            0
        };
        // Each 64 rows of a tile multiply with all of its columns.
        let (of_a, of_b) = (2 * m * u * (n / x), 2 * n * u * (m / 64));
        let wanted = 4 * (copied + of_a + of_b) as u64 / 512;
        let found = profile.traffic.shared_wavefronts;
        if found != wanted {
            return Err(format!("{tile:?}: {found} wavefronts, expected {wanted}"));
        }
    }
    Ok(())
}
