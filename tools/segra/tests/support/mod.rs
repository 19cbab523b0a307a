//! Support of the tests of the tool: running it, and a program with versions.

use std::path::Path;
use std::process::{Command, Output};

/// Runs the tool in a folder of its own.
pub(crate) fn segra(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().expect("the tool starts")
}

/// The tool in a folder of its own, not started yet.
pub(crate) fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_segra"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1");
    command
}

/// A matrix-vector product: per row a reduction, so there are versions to choose from.
pub(crate) const ROWS: &str = "
func.func @main(%a: !array.array<[n][m]f32>, %xs: !array.array<[m]f32>) -> !array.array<[n]f32> {
  %zero = arith.constant 0.0 : f32
  %ys = array.map (%row in %a : [n][m]f32) {
    %y = array.redomap (%e in %row : [m]f32, %x in %xs : [m]f32) init (%zero : f32) map {
      %p = arith.mulf %e, %x : f32
      array.yield %p : f32
    } combine (%s, %t) {
      %u = arith.addf %s, %t : f32
      array.yield %u : f32
    }
    array.yield %y : f32
  }
  func.return %ys : !array.array<[n]f32>
}
";
