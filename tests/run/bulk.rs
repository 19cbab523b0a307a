//! Copies of tiles by tensor maps written by hand, in a ring of barriers in shared memory with one warp that copies: the
//! interpreter and the simulator give the same, with the simulator's checkers silent; ptxas takes them; and a wait that is missing,
//! an older target, and arrays that no tensor map has are reported.

use crate::{Outcome, assembled, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, Chip, CompileOptions, Compiler, ElemType, Program, Scalar, Tolerance, Value, compare,
    interpret,
};
use segra_runtime::{SimDevice, SimOptions};
use segra_tests::case::Failure;
use std::sync::Arc;

/// Each block has 64 rows of a matrix, and reads them 64 columns at a time, from lines of which parts have changed places; its
/// third warp copies. Elements outside of the matrix are zeros.
const RING: &str = r#"
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @ring(%x: memref<?xf16>, %n: index, %k: index, %tiles: index, %y: memref<?xf16>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c8 = arith.constant 8 : index
      %c64 = arith.constant 64 : index
      %c4096 = arith.constant 4096 : index
      %c8192 = arith.constant 8192 : index
      %c16384 = arith.constant 16384 : index
      %c4 = arith.constant 4 : index
      %block = gpu.block_id x
      %t = gpu.thread_id x
      %s = gpu.shared_array %c0, %c8192 : memref<?xf16, #gpu.address_space<workgroup>>
      %bars = gpu.shared_array %c16384, %c4 : memref<?xi64, #gpu.address_space<workgroup>>
      %row = arith.muli %block, %c64 : index
      %copies = arith.cmpi eq, %t, %c64 : index
      %reads = arith.cmpi ult, %t, %c64 : index
      %first = arith.cmpi ult, %t, %c2 : index
      %behind = arith.addi %t, %c2 : index
      scf.if %first {
        gpu.mbarrier_init %bars[%t], 1 : memref<?xi64, #gpu.address_space<workgroup>>
        gpu.mbarrier_init %bars[%behind], 64 : memref<?xi64, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      scf.for %tile = %c0 to %tiles step %c1 {
        %slot = arith.remui %tile, %c2 : index
        %turn = arith.divui %tile, %c2 : index
        %next = arith.addi %turn, %c1 : index
        %place = arith.muli %slot, %c4096 : index
        %empty = arith.addi %slot, %c2 : index
        %column = arith.muli %tile, %c64 : index
        scf.if %copies {
          gpu.mbarrier_wait %bars[%empty] parity %next : memref<?xi64, #gpu.address_space<workgroup>>
          gpu.mbarrier_arrive %bars[%slot] expecting 8192 : memref<?xi64, #gpu.address_space<workgroup>>
          gpu.bulk_copy %x[%row, %column] of [%n, %k] to %s[%place] at %bars[%slot] {box = array<i64: 64, 64>, in_lines} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
        }
        scf.if %reads {
          gpu.mbarrier_wait %bars[%slot] parity %turn : memref<?xi64, #gpu.address_space<workgroup>>
          %in_group = arith.remui %t, %c8 : index
          %turned = arith.muli %in_group, %c8 : index
          %line = arith.muli %t, %c64 : index
          %whole = arith.muli %tiles, %c64 : index
          %here = arith.addi %row, %t : index
          %start = arith.muli %here, %whole : index
          scf.for %c = %c0 to %c64 step %c1 {
            %moved = arith.xori %c, %turned : index
            %in_line = arith.addi %line, %moved : index
            %at = arith.addi %place, %in_line : index
            %v = memref.load %s[%at] : memref<?xf16, #gpu.address_space<workgroup>>
            %along = arith.addi %column, %c : index
            %goal = arith.addi %start, %along : index
            memref.store %v, %y[%goal] : memref<?xf16>
          }
          gpu.mbarrier_arrive %bars[%empty] : memref<?xi64, #gpu.address_space<workgroup>>
        }
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<?x?xf16>) -> memref<?xf16> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c96 = arith.constant 96 : index
    %bytes = arith.constant 16416 : i32
    %n = memref.dim %x, %c0 : memref<?x?xf16>
    %k = memref.dim %x, %c1 : memref<?x?xf16>
    %rows = arith.ceildivui %n, %c64 : index
    %tiles = arith.ceildivui %k, %c64 : index
    %whole_rows = arith.muli %rows, %c64 : index
    %whole_columns = arith.muli %tiles, %c64 : index
    %count = arith.muli %whole_rows, %whole_columns : index
    %elements = arith.muli %n, %k : index
    %flat = memref.reinterpret_cast %x to offset: [0], sizes: [%elements], strides: [1] : memref<?x?xf16> to memref<?xf16>
    %y = gpu.alloc (%count) : memref<?xf16>
    gpu.launch_func @kernels::@ring blocks in (%rows, %c1, %c1) threads in (%c96, %c1, %c1) dynamic_shared_memory_size %bytes args(%flat : memref<?xf16>, %n : index, %k : index, %tiles : index, %y : memref<?xf16>)
    func.return %y : memref<?xf16>
  }
}
"#;

/// A warpgroup multiplies 64 rows by 128 columns, 64 of the depth at a time, what a fifth warp copies.
const PRODUCT: &str = r#"
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @product(%x: memref<?xf16>, %w: memref<?xf16>, %n: index, %k: index, %m: index, %y: memref<?xf32>) kernel attributes {known_block_size = array<i32: 160, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c64 = arith.constant 64 : index
      %c128 = arith.constant 128 : index
      %c4096 = arith.constant 4096 : index
      %c8192 = arith.constant 8192 : index
      %c12288 = arith.constant 12288 : index
      %c24576 = arith.constant 24576 : index
      %c49152 = arith.constant 49152 : index
      %zero = arith.constant 0.0 : f32
      %t = gpu.thread_id x
      %s = gpu.shared_array %c0, %c24576 : memref<?xf16, #gpu.address_space<workgroup>>
      %bars = gpu.shared_array %c49152, %c4 : memref<?xi64, #gpu.address_space<workgroup>>
      %copies = arith.cmpi eq, %t, %c128 : index
      %multiplies = arith.cmpi ult, %t, %c128 : index
      %first = arith.cmpi ult, %t, %c2 : index
      %behind = arith.addi %t, %c2 : index
      scf.if %first {
        gpu.mbarrier_init %bars[%t], 1 : memref<?xi64, #gpu.address_space<workgroup>>
        gpu.mbarrier_init %bars[%behind], 128 : memref<?xi64, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %steps = arith.ceildivui %k, %c64 : index
      %r:64 = scf.for %step = %c0 to %steps step %c1 iter_args(STARTS) -> (FLOATS) {
        %slot = arith.remui %step, %c2 : index
        %turn = arith.divui %step, %c2 : index
        %next = arith.addi %turn, %c1 : index
        %a = arith.muli %slot, %c12288 : index
        %b = arith.addi %a, %c4096 : index
        %right = arith.addi %a, %c8192 : index
        %empty = arith.addi %slot, %c2 : index
        %depth = arith.muli %step, %c64 : index
        scf.if %copies {
          gpu.mbarrier_wait %bars[%empty] parity %next : memref<?xi64, #gpu.address_space<workgroup>>
          gpu.mbarrier_arrive %bars[%slot] expecting 24576 : memref<?xi64, #gpu.address_space<workgroup>>
          gpu.bulk_copy %x[%c0, %depth] of [%n, %k] to %s[%a] at %bars[%slot] {box = array<i64: 64, 64>, in_lines} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
          gpu.bulk_copy %w[%depth, %c0] of [%k, %m] to %s[%b] at %bars[%slot] {box = array<i64: 64, 64>, in_lines} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
          gpu.bulk_copy %w[%depth, %c64] of [%k, %m] to %s[%right] at %bars[%slot] {box = array<i64: 64, 64>, in_lines} : memref<?xf16>, memref<?xf16, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
        }
        %sums:64 = scf.if %multiplies -> (FLOATS) {
          gpu.mbarrier_wait %bars[%slot] parity %turn : memref<?xi64, #gpu.address_space<workgroup>>
          %d:64 = gpu.warpgroup_mma %s[%a], %s[%b] add OLD {across_b, apart_a = 512 : i64, apart_b = array<i64: 4096, 512>, columns = 128 : i64, starts_a = array<i64: 0, 16, 32, 48>, starts_b = array<i64: 0, 1024, 2048, 3072>} : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>> to FLOATS
          %e:64 = gpu.warpgroup_wait BEGUN : FLOATS
          gpu.mbarrier_arrive %bars[%empty] : memref<?xi64, #gpu.address_space<workgroup>>
          scf.yield DONE : FLOATS
        } else {
          scf.yield OLD : FLOATS
        }
        scf.yield SUMS : FLOATS
      }
      %warp = arith.divui %t, %c32 : index
      %lane = arith.remui %t, %c32 : index
      %group = arith.divui %lane, %c4 : index
      %pair = arith.remui %lane, %c4 : index
      %rows = arith.muli %warp, %c16 : index
      %row = arith.addi %rows, %group : index
      %along = arith.muli %row, %c128 : index
      %column = arith.muli %pair, %c2 : index
      %start = arith.addi %along, %column : index
      scf.if %multiplies {
STORES
      }
      gpu.return
    }
  }
  func.func @main(%x: memref<?x?xf16>, %w: memref<?x?xf16>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c160 = arith.constant 160 : index
    %c8192 = arith.constant 8192 : index
    %bytes = arith.constant 49184 : i32
    %n = memref.dim %x, %c0 : memref<?x?xf16>
    %k = memref.dim %x, %c1 : memref<?x?xf16>
    %m = memref.dim %w, %c1 : memref<?x?xf16>
    %of_x = arith.muli %n, %k : index
    %of_w = arith.muli %k, %m : index
    %flat_x = memref.reinterpret_cast %x to offset: [0], sizes: [%of_x], strides: [1] : memref<?x?xf16> to memref<?xf16>
    %flat_w = memref.reinterpret_cast %w to offset: [0], sizes: [%of_w], strides: [1] : memref<?x?xf16> to memref<?xf16>
    %y = gpu.alloc (%c8192) : memref<?xf32>
    gpu.launch_func @kernels::@product blocks in (%c1, %c1, %c1) threads in (%c160, %c1, %c1) dynamic_shared_memory_size %bytes args(%flat_x : memref<?xf16>, %flat_w : memref<?xf16>, %n : index, %k : index, %m : index, %y : memref<?xf32>)
    func.return %y : memref<?xf32>
  }
}
"#;

const FULL: &str = "          gpu.mbarrier_wait %bars[%slot] parity %turn : memref<?xi64, #gpu.address_space<workgroup>>\n";
const EMPTY: &str = "          gpu.mbarrier_wait %bars[%empty] parity %next : memref<?xi64, #gpu.address_space<workgroup>>\n";

const ARRIVAL: &str = "          gpu.mbarrier_arrive %bars[%slot] expecting 8192 : memref<?xi64, #gpu.address_space<workgroup>>\n";

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |name: &str, check: fn() -> Outcome| {
        Trial::test(format!("bulk: {name}"), move || check().map_err(Into::into))
    };
    vec![
        trial("a ring", padded),
        trial("instructions", instructions),
        trial("a product", product),
        trial("a missing wait for a copy", || {
            missing(FULL, "uninitialised shared memory")
        }),
        trial("a missing wait for readers", || {
            missing(EMPTY, "arrivals at an mbarrier that expects 0 more")
        }),
        trial("a wait for what nobody does", never),
        trial("an older target", older),
        trial("rows that are no multiples of 16 bytes", odd_rows),
    ]
}

fn target() -> Chip {
    Chip::sm(9, 0)
}

fn number(at: usize) -> Scalar {
    Scalar::from_f64(ElemType::F16, (at * 7 % 1000 + 1) as f64)
}

fn input([n, k]: [usize; 2]) -> Result<Value, Failure> {
    let numbers: Vec<Scalar> = (0..n * k).map(number).collect();
    let array = Array::from_scalars(ElemType::F16, &[n, k], &numbers);
    Ok(Value::Array(array.map_err(|error| error.to_string())?))
}

/// The matrix in zeros, up to whole tiles.
fn expected([n, k]: [usize; 2]) -> Result<Value, Failure> {
    let (rows, columns) = (n.next_multiple_of(64), k.next_multiple_of(64));
    let numbers: Vec<Scalar> = (0..rows * columns)
        .map(|at| match (at / columns, at % columns) {
            (row, column) if row < n && column < k => number(row * k + column),
            _ => Scalar::from_f64(ElemType::F16, 0.0),
        })
        .collect();
    let array = Array::from_scalars(ElemType::F16, &[rows * columns], &numbers);
    Ok(Value::Array(array.map_err(|error| error.to_string())?))
}

fn options(chip: Chip) -> CompileOptions {
    CompileOptions {
        pipeline: "canonicalize".to_owned(),
        targets: vec![chip],
        ..CompileOptions::default()
    }
}

fn simulated(text: &str, chip: Chip, extents: [usize; 2]) -> Result<Vec<Value>, Failure> {
    run(text, chip, &[input(extents)?])
}

fn run(text: &str, chip: Chip, given: &[Value]) -> Result<Vec<Value>, Failure> {
    let program = Program::from_text("ring.mlir", text).map_err(|failure| rendered(&failure))?;
    let compiled = Compiler::new(options(chip)).compile(program);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    // A thread that waits for what never comes ends the run soon.
    let options = SimOptions {
        instruction_limit: Some(1 << 20),
        ..SimOptions::checked()
    };
    let device = Arc::new(SimDevice::new(&options));
    let loaded = segra::load_on(artifact, device).map_err(|error| error.to_string())?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    entry.run(given).map_err(|error| error.to_string())
}

fn padded() -> Outcome {
    for extents in [[64, 64], [64, 128], [1, 8], [67, 328], [131, 200]] {
        let program =
            Program::from_text("ring.mlir", RING).map_err(|failure| rendered(&failure))?;
        let interpreted = interpret(program.ir(), "main", &[input(extents)?]);
        let interpreted = interpreted.map_err(|failure| rendered(&failure))?;
        let expected = [expected(extents)?];
        for (what, found) in [
            ("interpreter", interpreted),
            ("simulator", simulated(RING, target(), extents)?),
        ] {
            if let Some(difference) = compare(&found, &expected, Tolerance::EXACT) {
                return Err(format!("{extents:?}, {what}: {difference}"));
            }
        }
    }
    Ok(())
}

fn instructions() -> Outcome {
    let program = || Program::from_text("ring.mlir", RING).map_err(|failure| rendered(&failure));
    assembled::kernels(program()?, options(target()))?;
    let compiled = Compiler::new(options(target())).compile(program()?);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    let ptx = &artifact.targets.first().ok_or("no target")?.ptx;
    let wanted = [
        ".param .align 64 .b8",
        "mbarrier.init.shared",
        "mbarrier.arrive.expect_tx",
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes",
        "mbarrier.try_wait.parity",
    ];
    match wanted.iter().find(|wanted| !ptx.contains(**wanted)) {
        Some(missing) => Err(format!("no {missing}")),
        None => Ok(()),
    }
}

/// [`PRODUCT`] with its 64 sums.
fn product_text() -> String {
    let list = |item: &dyn Fn(usize) -> String| (0..64).map(item).collect::<Vec<_>>().join(", ");
    let stores = (0..64).map(|at| {
        let (column, down) = (at / 4 * 8 + at % 2, at / 2 % 2 * 8);
        let behind = down * 128 + column;
        format!(
            "        %o{at} = arith.constant {behind} : index\n        %p{at} = arith.addi %start, %o{at} : index\n        \
             memref.store %r#{at}, %y[%p{at}] : memref<?xf32>"
        )
    });
    let stores: Vec<String> = stores.collect();
    PRODUCT
        .replace("STARTS", &list(&|at| format!("%c{at}_ = %zero")))
        .replace("OLD", &list(&|at| format!("%c{at}_")))
        .replace("BEGUN", &list(&|at| format!("%d#{at}")))
        .replace("DONE", &list(&|at| format!("%e#{at}")))
        .replace("SUMS", &list(&|at| format!("%sums#{at}")))
        .replace("FLOATS", &list(&|_| "f32".to_owned()))
        .replace("STORES", &stores.join("\n"))
}

/// Warpgroups multiply what tensor maps bring: exact sums, of whole tiles and of some that end inside, by the interpreter and the
/// simulator, of instructions that ptxas takes.
fn product() -> Outcome {
    let chip = Chip {
        reach: segra::ChipReach::Exact,
        ..target()
    };
    let text = product_text();
    let program =
        || Program::from_text("product.mlir", &text).map_err(|failure| rendered(&failure));
    assembled::kernels(program()?, options(chip))?;
    for [n, k, m] in [[64, 64, 128], [64, 320, 128], [61, 136, 104], [1, 8, 8]] {
        let small = |at: usize| (at * 7 % 5) as f64 - 2.0;
        let matrix = |extents: [usize; 2]| {
            let numbers =
                (0..extents[0] * extents[1]).map(|at| Scalar::from_f64(ElemType::F16, small(at)));
            let array = Array::from_scalars(ElemType::F16, &extents, &numbers.collect::<Vec<_>>());
            array.map(Value::Array).map_err(|error| error.to_string())
        };
        let sums = (0..64 * 128).map(|at| {
            let (row, column) = (at / 128, at % 128);
            let inside = row < n && column < m;
            let products = (0..if inside { k } else { 0 })
                .map(|step| small(row * k + step) * small(step * m + column));
            Scalar::from_f64(ElemType::F32, products.sum())
        });
        let sums: Vec<Scalar> = sums.collect();
        let expected = Array::from_scalars(ElemType::F32, &[64 * 128], &sums);
        let expected = [Value::Array(expected.map_err(|error| error.to_string())?)];
        let given = [matrix([n, k])?, matrix([k, m])?];
        let interpreted = interpret(program()?.ir(), "main", &given);
        let interpreted = interpreted.map_err(|failure| rendered(&failure))?;
        for (what, found) in [
            ("interpreter", interpreted),
            ("simulator", run(&text, chip, &given)?),
        ] {
            if let Some(difference) = compare(&found, &expected, Tolerance::EXACT) {
                return Err(format!("{n} x {k} x {m}, {what}: {difference}"));
            }
        }
    }
    Ok(())
}

fn missing(wait: &str, found: &str) -> Outcome {
    match simulated(&RING.replace(wait, ""), target(), [64, 256]) {
        Err(message) if message.contains(found) => Ok(()),
        other => Err(format!("expected {found}, not {other:?}")),
    }
}

/// The interpreter says of a wait that nobody ends what is missing.
fn never() -> Outcome {
    let text = RING.replace(ARRIVAL, "");
    let program = Program::from_text("ring.mlir", &text).map_err(|failure| rendered(&failure))?;
    match interpret(program.ir(), "main", &[input([64, 64])?]) {
        Err(failure) if rendered(&failure).contains("waits for a phase that nobody ends") => Ok(()),
        Err(failure) => Err(rendered(&failure)),
        Ok(_) => Err("nothing is missing".to_owned()),
    }
}

fn older() -> Outcome {
    match simulated(RING, Chip::sm(8, 0), [64, 64]) {
        Err(message) if message.contains("needs sm_90") => Ok(()),
        other => Err(format!("expected a refusal, not {other:?}")),
    }
}

fn odd_rows() -> Outcome {
    match simulated(RING, target(), [64, 61]) {
        Err(message) if message.contains("an array cannot be copied by boxes") => Ok(()),
        other => Err(format!("expected a refusal, not {other:?}")),
    }
}
