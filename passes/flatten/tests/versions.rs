//! Versions: when the one inside thread blocks is taken, and which are left out where sizes are known.

mod support;

use segra_flatten::{Flatten, Versions};
use support::{count, flattened};

/// The predicate of the version inside thread blocks: the widest op inside has no more points than a block has threads,
/// and what the block holds, with arrays that loops carry twice and what its warps tell each other, fits its memory.
#[test]
fn a_block_takes_rows_that_fit_its_threads_and_its_memory() {
    let program = |k: &str| {
        format!(
            "func.func @main(%xss: !array.array<[n][m]i32>, %yss: !array.array<[n][{k}]i32>, %count: index)
                 -> (!array.array<[n][m]i32>, !array.array<[n]i32>) {{
               %zero = arith.constant 0 : i32
               %c0 = arith.constant 0 : index
               %c1 = arith.constant 1 : index
               %r, %s = array.map (%xs in %xss : [n][m]i32, %ys in %yss : [n][{k}]i32) {{
                 %zs = scf.for %i = %c0 to %count step %c1 iter_args(%now = %xs) -> (!array.array<[m]i32>) {{
                   %next = array.scan (%now : [m]i32) init (%zero : i32) combine arith.addi
                   scf.yield %next : !array.array<[m]i32>
                 }}
                 %t = array.reduce (%ys : [{k}]i32) init (%zero : i32) combine arith.addi
                 array.yield %zs, %t : !array.array<[m]i32>, i32
               }}
               func.return %r, %s : !array.array<[n][m]i32>, !array.array<[n]i32>
             }}"
        )
    };
    let incremental = Flatten {
        versions: Versions::Incremental,
        ..Flatten::default()
    };
    let text = flattened(&program("k"), &incremental);
    let predicate = text
        .lines()
        .skip_while(|line| !line.contains("} else {"))
        .collect::<Vec<_>>();
    let end = predicate
        .iter()
        .position(|line| line.contains("main.intra.0\""))
        .expect("there is a choice");
    // The choice itself, whether a thread block takes less, either, and what follows.
    let predicate = predicate[..end + 4].join("\n");
    // Threads: of the copy of a row, the scan and the reduction. Memory: two of 256 bytes for warps and 15 for each of
    // three arrays to be aligned; a row in the loop twice, and two rows once.
    for (what, times) in [
        ("arith.maxsi", 2),
        ("arith.constant 1024 : index", 1),
        ("arith.cmpi sle", 2),
        ("arith.constant 557 : index", 1),
        ("arith.constant 8 : index", 1),
        ("arith.constant 4 : index", 2),
        ("arith.andi", 2),
    ] {
        assert_eq!(count(&predicate, what), times, "{what}\n{predicate}");
    }
    // A known extent rules the version out from one more than a block has threads.
    for (k, versions) in [("1024", 1), ("1025", 0)] {
        let text = flattened(&program(k), &incremental);
        assert_eq!(count(&text, "main.intra.0\""), versions, "{k}\n{text}");
    }
}

/// Versions that known sizes rule out are not made.
#[test]
fn dead_versions_are_left_out_where_sizes_are_known() {
    const MATMUL: &str = include_str!("../../../examples/matmul.mlir");
    let incremental = Flatten {
        versions: Versions::Incremental,
        ..Flatten::default()
    };
    let names = |text: &str| {
        let names = ["main.top.0", "main.intra.0", "main.top.1", "main.intra.1"];
        names
            .into_iter()
            .filter(|name| text.contains(name))
            .collect::<Vec<_>>()
    };
    let sized = |sizes: &[(&str, &str)]| {
        let program = sizes
            .iter()
            .fold(MATMUL.to_owned(), |text, (from, to)| text.replace(from, to));
        flattened(&program, &incremental)
    };
    // Inner extents beyond the threads of a block.
    let text = sized(&[("[k]", "[4096]")]);
    assert_eq!(names(&text), ["main.top.0"], "{text}");
    assert_eq!(count(&text, "kernel.segmap block"), 0, "{text}");
    // One row: the other dimension still has points enough to ask.
    let text = sized(&[("[n]", "[1]")]);
    assert_eq!(names(&text), ["main.top.0", "main.intra.0"], "{text}");
    // One element: only the reduction is parallel.
    let text = sized(&[("[n]", "[1]"), ("[m]", "[1]"), ("[k]", "[4096]")]);
    assert_eq!(names(&text), [""; 0], "{text}");
    assert_eq!(count(&text, "kernel.seg"), 1, "{text}");
}
