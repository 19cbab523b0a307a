//! Schedules of nests: printed, validated, explained.

use crate::support::segra;
use crate::{example, folder, stderr, stdout, succeeds, text_of};
use std::path::Path;

/// A product whose map has a schedule, beside the examples.
const SCHEDULED: &str = "../tests/run/programs/scheduled-product.mlir";

#[test]
#[cfg_attr(without_ptx, ignore = "makes PTX")]
fn nests_are_printed_and_validated_after_each_step_of_their_schedule() {
    let folder = folder();
    let program = example(SCHEDULED);
    let args = [
        "run",
        &text_of(&program),
        "--device",
        "sim",
        "--validate-passes",
        "--print-schedule",
        "--check",
        "--input",
        "random:17x9",
        "--input",
        "random:9x33",
    ];
    let output = segra(folder.path(), &args);
    succeeds(&output);
    let printed = stderr(&output);
    for heading in [
        "// -----// apply-schedules 1 at 10:10: stripmine [16, 32] registers [4, 4] //----- //\nfunc.func @main",
        "// -----// apply-schedules 7 at 10:10: pipeline 2 //----- //",
        "// -----// apply-schedules 11 at 10:10: stage, of loop 2 //----- //",
    ] {
        assert!(printed.contains(heading), "{heading}\n{printed}");
    }
}

#[test]
fn schedules_of_tiles_are_explained() {
    let folder = folder();
    let explained = |file: &Path, more: &[&str]| {
        let file = text_of(file);
        let args = [&["explain", &file, "--tiling"], more].concat();
        let output = segra(folder.path(), &args);
        succeeds(&output);
        stdout(&output)
    };
    let product = explained(&example("matmul.mlir"), &[]);
    for words in [
        "kernel.segmap over ? x ?\n  dependences:\n    i0  i1  k2\n    =   =       %s starts\n    =   =   <   %s is carried\n",
        "  large: stripmine [128, 128] registers [8, 8] runs [1, 4], peel 16, chunk 16, distribute, interchange, stage, pipeline upto 2, repeat\n",
        "    taken with at least 128 full tiles (main.tile0.large) and at least 16 rounds of the loop (main.tile0.depth)\n",
    ] {
        assert!(product.contains(words), "{words}\n{product}");
    }
    let json = explained(&example("matmul.mlir"), &["--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["nests"][0]["schedules"][1]["shape"], "small", "{json}");
    assert_eq!(
        json["nests"][0]["schedules"][1]["outcome"], "taken",
        "{json}"
    );
    // A nest whose loop reads nothing twice.
    let file = folder.path().join("rows.mlir");
    let rows = "func.func @main(%a: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %u = tensor.dim %a, %c1 : tensor<?x?xf32>
  %c = kernel.segmap thread (%i < %m) -> (tensor<?xf32>) {
    %dot = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %next = arith.addf %acc, %x : f32
      scf.yield %next : f32
    }
    kernel.return %dot : f32
  }
  func.return %c : tensor<?xf32>
}
";
    std::fs::write(&file, rows).expect("can be written");
    let declined = explained(&file, &["--pipeline", "tile-blocks,kernel-to-gpu"]);
    let words = "the options': no schedule\n    declined: the nest has no loop in which several points read the same elements (";
    assert!(declined.contains(words), "{declined}");
    let given = explained(&example(SCHEDULED), &[]);
    assert!(
        given.contains("  the program's: stripmine [16, 32] registers [4, 4], peel 8, "),
        "{given}"
    );
}
