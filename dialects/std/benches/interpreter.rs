//! Scalar operations per second of the interpreter: `cargo bench -p segra-std`.
//!
//! A benchmark counts the ops of the loop body as items, so that divan's throughput is operations per second.

use segra_interp::{Datum, Interpreter};
use segra_ir::{Context, Ir};
use segra_text::{ParseOptions, parse_module};
use std::sync::Arc;

fn main() {
    divan::main();
}

const ITERATIONS: i64 = 100_000;

fn program(body: &str) -> Ir {
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    let text = format!(
        "func.func @f(%n: index, %m: memref<1024xf32>) -> (f32, i32) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %one = arith.constant 1.0 : f32
          %mask = arith.constant 1023 : index
          %three = arith.constant 3 : i32
          %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one, %k = %three) -> (f32, i32) {{
            {body}
          }}
          func.return %r#0, %r#1 : f32, i32
        }}"
    );
    parse_module(&ctx, "bench.mlir", &text, &ParseOptions::default()).expect("the benchmark reads")
}

fn measure(bencher: divan::Bencher<'_, '_>, ops: i64, body: &str) {
    let ir = program(body);
    let interpreter = Interpreter::new(&ir);
    let memory = segra_interp::MemRefValue::row_major(
        segra_interp::Buffer::zeros(segra_interp::Elem::F32, 1024),
        &[1024],
    )
    .expect("the extents fit");
    let args = [Datum::Int(ITERATIONS), Datum::memref(memory)];
    bencher
        .counter(divan::counter::ItemsCount::new((ops * ITERATIONS) as u64))
        .bench_local(|| {
            interpreter
                .call("f", divan::black_box(&args))
                .expect("the benchmark runs")
        });
}

#[divan::bench]
fn float_chain(bencher: divan::Bencher<'_, '_>) {
    measure(
        bencher,
        8,
        "%0 = arith.mulf %x, %one : f32
         %1 = arith.addf %0, %one : f32
         %2 = arith.subf %1, %x : f32
         %3 = arith.mulf %2, %1 : f32
         %4 = arith.addf %3, %0 : f32
         %5 = arith.divf %4, %1 : f32
         %6 = arith.maximumf %5, %one : f32
         %7 = arith.minimumf %6, %one : f32
         scf.yield %7, %k : f32, i32",
    );
}

#[divan::bench]
fn integer_chain(bencher: divan::Bencher<'_, '_>) {
    measure(
        bencher,
        8,
        "%0 = arith.muli %k, %three : i32
         %1 = arith.addi %0, %three : i32
         %2 = arith.xori %1, %k : i32
         %3 = arith.shrui %2, %three : i32
         %4 = arith.subi %3, %0 : i32
         %5 = arith.andi %4, %1 : i32
         %6 = arith.cmpi slt, %5, %three : i32
         %7 = arith.select %6, %5, %4 : i32
         scf.yield %x, %7 : f32, i32",
    );
}

#[divan::bench]
fn memory_and_branches(bencher: divan::Bencher<'_, '_>) {
    measure(
        bencher,
        6,
        "%0 = arith.andi %i, %mask : index
         %1 = memref.load %m[%0] : memref<1024xf32>
         %2 = arith.addf %1, %one : f32
         memref.store %2, %m[%0] : memref<1024xf32>
         %c = arith.cmpf olt, %2, %x : f32
         %3 = scf.if %c -> (f32) {
           scf.yield %2 : f32
         } else {
           scf.yield %x : f32
         }
         scf.yield %3, %k : f32, i32",
    );
}
