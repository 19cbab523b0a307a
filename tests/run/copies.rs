//! Asynchronous copies written by hand: the interpreter and every target on the simulator give the same, with the
//! simulator's checkers silent; and a wait or a barrier that is missing is found.

use crate::{Outcome, rendered};
use libtest_mimic::Trial;
use segra::{
    Array, Chip, CompileOptions, Compiler, ElemType, Program, Tolerance, Value, compare, interpret,
};
use segra_runtime::{SimDevice, SimOptions};
use segra_tests::case::Failure;
use std::sync::Arc;

/// A block reverses each tile of 256 elements; while it does, the next one is on its way to the other of two buffers.
const RING: &str = r#"
builtin.module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @ring(%x: memref<?xf32>, %y: memref<?xf32>, %tiles: index) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c255 = arith.constant 255 : index
      %c256 = arith.constant 256 : index
      %c512 = arith.constant 512 : index
      %t = gpu.thread_id x
      %s = gpu.shared_array %c0, %c512 : memref<?xf32, #gpu.address_space<workgroup>>
      %last = arith.subi %tiles, %c1 : index
      %i = arith.muli %t, %c4 : index
      %token = nvgpu.device_async_copy %x[%i], %s[%i], 4 {bypassL1} : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
      %first = nvgpu.device_async_create_group %token
      scf.for %tile = %c0 to %tiles step %c1 {
        %before = arith.muli %tile, %c256 : index
        %next = arith.addi %tile, %c1 : index
        %clamped = arith.minsi %next, %last : index
        %from = arith.muli %clamped, %c256 : index
        %half = arith.remui %tile, %c2 : index
        %other = arith.remui %next, %c2 : index
        %here = arith.muli %half, %c256 : index
        %there = arith.muli %other, %c256 : index
        gpu.barrier
        scf.for %part = %c0 to %c4 step %c1 {
          %at = arith.addi %i, %part : index
          %source = arith.addi %from, %at : index
          %target = arith.addi %there, %at : index
          %one = nvgpu.device_async_copy %x[%source], %s[%target], 1 : memref<?xf32> to memref<?xf32, #gpu.address_space<workgroup>>
        }
        %group = nvgpu.device_async_create_group {}
        nvgpu.device_async_wait %group {numGroups = 1 : i32}
        gpu.barrier
        scf.for %part = %c0 to %c4 step %c1 {
          %at = arith.addi %i, %part : index
          %mirrored = arith.subi %c255, %at : index
          %place = arith.addi %here, %mirrored : index
          %v = memref.load %s[%place] : memref<?xf32, #gpu.address_space<workgroup>>
          %goal = arith.addi %before, %at : index
          memref.store %v, %y[%goal] : memref<?xf32>
        }
      }
      nvgpu.device_async_wait %first {numGroups = 0 : i32}
      gpu.return
    }
  }
  func.func @main(%x: memref<?xf32>) -> memref<?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %bytes = arith.constant 2048 : i32
    %n = memref.dim %x, %c0 : memref<?xf32>
    %tiles = arith.divui %n, %c256 : index
    %y = gpu.alloc (%n) : memref<?xf32>
    gpu.launch_func @kernels::@ring blocks in (%c1, %c1, %c1) threads in (%c64, %c1, %c1) dynamic_shared_memory_size %bytes args(%x : memref<?xf32>, %y : memref<?xf32>, %tiles : index)
    func.return %y : memref<?xf32>
  }
}
"#;

const WAIT: &str = "        nvgpu.device_async_wait %group {numGroups = 1 : i32}\n";
const BARRIER: &str = "        gpu.barrier\n";

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for chip in segra::default_targets() {
        trials.push(Trial::test(
            format!("copies: a ring on {chip}"),
            move || reversed(chip).map_err(Into::into),
        ));
    }
    let both = [WAIT, BARRIER].concat();
    for (what, left) in [("wait", BARRIER), ("barrier", WAIT)] {
        let broken = RING.replace(&both, left);
        trials.push(Trial::test(
            format!("copies: a missing {what}"),
            move || match simulated(&broken, with_the_instruction()?, 2) {
                Err(message) if message.contains("race on shared memory") => Ok(()),
                other => Err(format!("expected a race, not {other:?}").into()),
            },
        ));
    }
    trials
}

/// The first of the default targets after sm_75, which has no asynchronous copies.
fn with_the_instruction() -> Result<Chip, Failure> {
    let chip = segra::default_targets().into_iter().nth(1);
    chip.ok_or_else(|| "there is one target".to_owned())
}

fn input(tiles: usize) -> Result<Value, Failure> {
    array(tiles, |at| at)
}

fn mirrored(tiles: usize) -> Result<Value, Failure> {
    array(tiles, |at| at / 256 * 256 + 255 - at % 256)
}

/// The numbers of these places.
fn array(tiles: usize, place: impl Fn(usize) -> usize) -> Result<Value, Failure> {
    let numbers = (0..256 * tiles).map(|at| (place(at) * 7 % 1000) as f32);
    let bytes = numbers.flat_map(f32::to_le_bytes).collect();
    let array = Array::from_bytes(ElemType::F32, &[256 * tiles], bytes);
    Ok(Value::Array(array.map_err(|error| error.to_string())?))
}

fn simulated(text: &str, chip: Chip, tiles: usize) -> Result<Vec<Value>, Failure> {
    let program = Program::from_text("ring.mlir", text).map_err(|failure| rendered(&failure))?;
    let options = CompileOptions {
        pipeline: "canonicalize".to_owned(),
        targets: vec![chip],
        ..CompileOptions::default()
    };
    let compiled = Compiler::new(options).compile(program);
    let artifact = compiled.map_err(|failure| rendered(&failure))?.artifact;
    let device = Arc::new(SimDevice::new(&SimOptions::checked()));
    let loaded = segra::load_on(artifact, device).map_err(|error| error.to_string())?;
    let entry = loaded.entry("main").map_err(|error| error.to_string())?;
    entry
        .run(&[input(tiles)?])
        .map_err(|error| error.to_string())
}

fn reversed(chip: Chip) -> Outcome {
    for tiles in [1, 2, 5] {
        let program =
            Program::from_text("ring.mlir", RING).map_err(|failure| rendered(&failure))?;
        let expected = interpret(program.ir(), "main", &[input(tiles)?]);
        let expected = expected.map_err(|failure| rendered(&failure))?;
        let found = simulated(RING, chip, tiles)?;
        if let Some(difference) = compare(&found, &expected, Tolerance::for_length(1)) {
            return Err(format!(
                "{tiles} tiles, against the interpreter: {difference}"
            ));
        }
        if let Some(difference) = compare(&found, &[mirrored(tiles)?], Tolerance::for_length(1)) {
            return Err(format!("{tiles} tiles: {difference}"));
        }
    }
    Ok(())
}
