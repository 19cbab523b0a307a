//! The memory of the executor itself does not grow with the rounds of a loop on the host.

use allocation_counter::measure;
use segra::{Array, CompileOptions, Compiled, Compiler, Program, RunOptions, Scalar, Value};
use segra_runtime::{SimDevice, SimOptions};
use std::sync::Arc;

const LOOP: &str = "
func.func @main(%xs: !array.array<[n]f32>, %rounds: index) -> !array.array<[n]f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = scf.for %i = %c0 to %rounds step %c1 iter_args(%ys = %xs) -> (!array.array<[n]f32>) {
    %zs = array.map (%y in %ys : [n]f32) {
      %z = arith.addf %y, %y : f32
      array.yield %z : f32
    }
    scf.yield %zs : !array.array<[n]f32>
  }
  func.return %last : !array.array<[n]f32>
}
";
/// The report's list of launches has the same capacity after both.
const ROUNDS: [i64; 2] = [260, 500];
const MORE: i64 = 1 << 15;

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn rounds_of_a_loop_leave_nothing_behind() {
    let program = Program::from_text("loop.mlir", LOOP).expect("it is well formed");
    let mut options = CompileOptions::default();
    options.targets.truncate(1);
    let compiled = Compiler::new(options).compile(program);
    let Compiled { artifact, .. } = compiled.unwrap_or_else(|failure| panic!("{failure}"));
    // The counting allocator writes all memory that a device has.
    let device = SimDevice::new(&SimOptions {
        memory_bytes: 1 << 16,
        ..SimOptions::default()
    });
    let loaded = segra::load_on(artifact, Arc::new(device)).expect("it is loaded");
    let entry = loaded.entry("main").expect("it is there");
    let held = ROUNDS.map(|rounds| {
        let xs: Value = Array::vector(&[1.0f32; 3]).into();
        let arguments = [xs, Scalar::i64(rounds).into()];
        let mut came = None;
        let memory = measure(|| came = Some(entry.run_with(&arguments, &RunOptions::default())));
        assert!(came.is_some_and(|came| came.is_ok()));
        // Without what is handed over.
        memory.bytes_max as i64 - memory.bytes_current
    });
    assert!(
        held[1] < held[0] + MORE,
        "{held:?} bytes in {ROUNDS:?} rounds"
    );
}
