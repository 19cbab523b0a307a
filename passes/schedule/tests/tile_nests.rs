//! Reductions over several dimensions, and nests of which other dimensions than the innermost two are tiled.

mod support;

use segra_interp::{Datum, Elem, IntWidth};
use segra_ir::types::DYNAMIC;
use segra_ir::{Ir, OpView};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::SegMapOp;
use segra_schedule::tile::{Versions, join};
use segra_schedule::{TileBlocks, UnrollRegisters};
use segra_std::scf::ForOp;
use support::{count, keeps, loops, numbers, parse, remarks, segmaps, text};

/// Small tiles with two by four points of a thread, so that small inputs have several.
const HELD: TileBlocks = TileBlocks {
    versions: Versions::One,
    tile_y: 8,
    tile_x: 32,
    registers_y: 2,
    registers_x: 4,
    tile_k: 8,
    tile: 32,
    stages: 2,
    warpgroups: false,
    oldest: 75,
    allow_tf32: false,
    large: None,
    schedule: None,
};

/// The extents of the segmaps of thread blocks' tiles.
fn tiles(ir: &Ir) -> Vec<Vec<i64>> {
    let blocks = segmaps(ir);
    let blocks = blocks.iter().filter(|it| it.level(ir) == Level::Block);
    let inner = |block: &SegMapOp| {
        let first = ir
            .ops(block.body_block(ir))
            .find_map(|op| ir.cast::<SegMapOp>(op));
        let sizes = first
            .expect("a tile starts with its accumulators")
            .sizes(ir);
        sizes
            .into_iter()
            .filter_map(|size| ir.constant_int(size))
            .collect()
    };
    blocks.map(inner).collect()
}

/// Tiled like this, and with registers written out, the program keeps its results; the tiles have these extents.
fn tiled(program: &str, inputs: &[Vec<Datum>], extents: &[&[i64]]) {
    keeps(program, inputs, |ir| {
        assert_eq!(remarks(&HELD, ir), [""; 0]);
        assert_eq!(tiles(ir), extents);
        remarks(&UnrollRegisters {}, ir);
    });
}

fn sizes(all: &[usize]) -> Vec<Datum> {
    all.iter().map(|&size| Datum::Int(size as i64)).collect()
}

/// Images with channels, one after another, and filters: `r[f][i][j] = sum c, y, x of a[c][i + y][j + x] b[f][c][y][x]`.
const CONVOLUTION: &str = "func.func @main(%a: tensor<?x?x?xi32>, %b: tensor<?x?x?x?xi32>, %c: index, %y: index, %x: index, %f: index, %h: index, %w: index) -> tensor<?x?x?xi32> {
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%n < %f, %i < %h, %j < %w) -> (tensor<?x?x?xi32>) {
    %s = scf.for %k = %c0 to %c step %c1 iter_args(%s0 = %zero) -> (i32) {
      %t = scf.for %dy = %c0 to %y step %c1 iter_args(%s1 = %s0) -> (i32) {
        %at = arith.addi %i, %dy : index
        %u = scf.for %dx = %c0 to %x step %c1 iter_args(%s2 = %s1) -> (i32) {
          %to = arith.addi %j, %dx : index
          %p = tensor.extract %a[%k, %at, %to] : tensor<?x?x?xi32>
          %q = tensor.extract %b[%n, %k, %dy, %dx] : tensor<?x?x?x?xi32>
          %m = arith.muli %p, %q : i32
          %next = arith.addi %s2, %m : i32
          scf.yield %next : i32
        }
        scf.yield %u : i32
      }
      scf.yield %t : i32
    }
    kernel.return %s : i32
  }
  func.return %r : tensor<?x?x?xi32>
}";

fn word() -> Elem {
    Elem::Int(IntWidth::new(32).expect("a width"))
}

/// Filters and columns are tiled, as the image differs along rows and columns, the filters along neither.
#[test]
fn convolutions_are_tiled_along_filters_and_columns() {
    let mut inputs = Vec::new();
    for [c, y, x, f, h, w] in [
        [3, 3, 3, 9, 2, 33],
        [1, 1, 1, 8, 1, 32],
        [5, 2, 4, 1, 3, 7],
        [0, 3, 3, 2, 2, 2],
        [2, 0, 3, 2, 2, 2],
        [2, 3, 3, 0, 2, 2],
        [4, 3, 3, 17, 1, 0],
    ] {
        let mut row = vec![
            numbers(word(), &[c, h + y, w + x], 1),
            numbers(word(), &[f, c, y, x], 2),
        ];
        row.extend(sizes(&[c, y, x, f, h, w]));
        inputs.push(row);
    }
    tiled(CONVOLUTION, &inputs, &[&[8, 1, 32]]);
}

/// Rows and columns of either factor lie in any order among the dimensions of the result.
#[test]
fn contractions_in_any_order_of_indices_are_tiled() {
    for (a, b) in [
        ("%i, %k, %p, %l", "%l, %j, %k, %q"),
        ("%k, %l, %i, %j", "%q, %p, %l, %k"),
        ("%q, %k, %j, %l", "%k, %p, %i, %l"),
    ] {
        let tensor = "tensor<?x?x?x?xi32>";
        let program = format!(
            "func.func @main(%a: {tensor}, %b: {tensor}, %ni: index, %nj: index, %np: index, %nq: index, %nk: index, %nl: index) -> {tensor} {{
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %ni, %j < %nj, %p < %np, %q < %nq) -> ({tensor}) {{
    %s = scf.for %k = %c0 to %nk step %c1 iter_args(%s0 = %zero) -> (i32) {{
      %t = scf.for %l = %c0 to %nl step %c1 iter_args(%s1 = %s0) -> (i32) {{
        %x = tensor.extract %a[{a}] : {tensor}
        %y = tensor.extract %b[{b}] : {tensor}
        %m = arith.muli %x, %y : i32
        %next = arith.addi %s1, %m : i32
        scf.yield %next : i32
      }}
      scf.yield %t : i32
    }}
    kernel.return %s : i32
  }}
  func.return %r : {tensor}
}}"
        );
        let mut inputs = Vec::new();
        for all in [
            [2, 3, 9, 33, 4, 5],
            [1, 1, 1, 1, 1, 1],
            [9, 2, 3, 17, 0, 3],
            [2, 9, 1, 5, 3, 0],
            [0, 2, 3, 4, 2, 2],
        ] {
            let extent = |name: &str| match name {
                "%i" => all[0],
                "%j" => all[1],
                "%p" => all[2],
                "%q" => all[3],
                "%k" => all[4],
                _ => all[5],
            };
            let shape = |indices: &str| indices.split(", ").map(extent).collect::<Vec<_>>();
            let mut row = vec![numbers(word(), &shape(a), 1), numbers(word(), &shape(b), 2)];
            row.extend(sizes(&all));
            inputs.push(row);
        }
        // The two innermost dimensions of which each factor has one.
        let extents: &[i64] = match a {
            "%k, %l, %i, %j" => &[8, 1, 32],
            _ => &[8, 32],
        };
        tiled(&program, &inputs, &[extents]);
    }
}

/// `sum k of a[i][j][k] b[j][l][k] c[i][l][k]`: no two dimensions of which each array has one.
#[test]
fn three_dimensions_are_tiled_where_each_array_has_two_of_them() {
    let cube = "tensor<?x?x?xi32>";
    let program = format!(
        "func.func @main(%a: {cube}, %b: {cube}, %c: {cube}, %ni: index, %nj: index, %nl: index, %nk: index) -> {cube} {{
  %zero = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %ni, %j < %nj, %l < %nl) -> ({cube}) {{
    %s = scf.for %k = %c0 to %nk step %c1 iter_args(%acc = %zero) -> (i32) {{
      %x = tensor.extract %a[%i, %j, %k] : {cube}
      %y = tensor.extract %b[%j, %l, %k] : {cube}
      %z = tensor.extract %c[%i, %l, %k] : {cube}
      %p = arith.muli %x, %y : i32
      %q = arith.muli %p, %z : i32
      %next = arith.addi %acc, %q : i32
      scf.yield %next : i32
    }}
    kernel.return %s : i32
  }}
  func.return %r : {cube}
}}"
    );
    let mut inputs = Vec::new();
    for [i, j, l, k] in [
        [17, 5, 33, 9],
        [16, 16, 16, 8],
        [1, 1, 1, 1],
        [3, 0, 2, 4],
        [3, 2, 2, 0],
    ] {
        let mut row = vec![
            numbers(word(), &[i, j, k], 1),
            numbers(word(), &[j, l, k], 2),
            numbers(word(), &[i, l, k], 3),
        ];
        row.extend(sizes(&[i, j, l, k]));
        inputs.push(row);
    }
    tiled(&program, &inputs, &[&[16, 16, 16]]);
}

/// The nearest of some points: a sum in a search, so that there is code before and after the inner loop, and where rows
/// have no elements the outer loop still runs.
fn nearest(before: &str, start: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x?xi32>, %b: tensor<?x?xi32>, %n: index, %m: index, %d: index) -> (tensor<?xi32>, tensor<?xi32>) {{
  %zero = arith.constant 0 : i32
  %most = arith.constant 1000000 : i32
  %none = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = kernel.segmap thread (%i < %n) -> (tensor<?xi32>, tensor<?xi32>) {{
    %s:2 = scf.for %j = %c0 to %m step %c1 iter_args(%least = %most, %at = %none) -> (i32, i32) {{
      {before}
      %far = scf.for %k = %c0 to %d step %c1 iter_args(%acc = {start}) -> (i32) {{
        %y = tensor.extract %b[%j, %k] : tensor<?x?xi32>
        %z = tensor.extract %a[%i, %c0] : tensor<?x?xi32>
        %e = arith.subi %z, %y : i32
        %q = arith.muli %e, %e : i32
        %next = arith.addi %acc, %q : i32
        scf.yield %next : i32
      }}
      %less = arith.cmpi slt, %far, %least : i32
      %number = arith.index_cast %j : index to i32
      %new = arith.select %less, %far, %least : i32
      %where = arith.select %less, %number, %at : i32
      scf.yield %new, %where : i32, i32
    }}
    kernel.return %s#0, %s#1 : i32, i32
  }}
  func.return %r#0, %r#1 : tensor<?xi32>, tensor<?xi32>
}}"
    )
}

fn points() -> Vec<Vec<Datum>> {
    let all = [
        [33, 5, 3],
        [32, 16, 1],
        [1, 1, 1],
        [5, 3, 0],
        [5, 0, 3],
        [0, 3, 2],
        [61, 40, 2],
    ];
    let row = |&[n, m, d]: &[usize; 3]| {
        let mut row = vec![numbers(word(), &[n, d + 1], 1), numbers(word(), &[m, d], 2)];
        row.extend(sizes(&[n, m, d]));
        row
    };
    all.iter().map(row).collect()
}

#[test]
fn loops_with_code_around_the_loop_in_them_are_tiled_as_one() {
    let program = nearest("", "%zero");
    let text = keeps(&program, &points(), |ir| {
        assert_eq!(remarks(&HELD, ir), [""; 0]);
        assert_eq!(tiles(ir), [[32]]);
    });
    // The program as it was is for rows without elements.
    assert!(text.contains("arith.cmpi sgt, %d, %c0"), "{text}");
}

/// Code before the inner loop, which uses what the outer one carries, too.
#[test]
fn joined_loops_start_rows_with_what_the_row_says() {
    let before = "%first = tensor.extract %a[%i, %c0] : tensor<?x?xi32>
      %half = arith.shrsi %least, %one : i32
      %sum = arith.addi %first, %half : i32";
    let program = nearest(before, "%sum").replace(
        "  %c0 = arith",
        "  %one = arith.constant 3 : i32
  %c0 = arith",
    );
    let full: Vec<Vec<Datum>> = points();
    let full: Vec<Vec<Datum>> = full
        .into_iter()
        .filter(|row| !matches!(row.last(), Some(Datum::Int(0))))
        .collect();
    keeps(&program, &full, |ir| {
        let segmap = segmaps(ir)[0];
        let looped = loops(ir, segmap)[0];
        let joined = join(ir, segmap, looped).expect("it is a loop in a loop");
        assert_eq!(loops(ir, segmap), [joined]);
        assert_eq!(count(ir, "scf.for"), 1);
        // Its count is known before the points are.
        let count = ir.defining_op(joined.upper_bound(ir)).expect("a product");
        assert!(!ir.is_inside(count, segmap.op()));
    });
}

#[test]
fn loops_whose_rows_differ_or_that_do_more_are_not_joined() {
    let refused = |program: &str, why: &str| {
        let mut ir = parse(program);
        let before = text(&ir);
        let segmap = segmaps(&ir)[0];
        let looped = loops(&ir, segmap)[0];
        let refusal = join(&mut ir, segmap, looped).expect_err("it cannot be joined");
        assert_eq!(before, text(&ir), "nothing was changed");
        assert!(refusal.reason.contains(why), "{}", refusal.reason);
    };
    let program = nearest("", "%zero");
    refused(
        &program.replace("%k = %c0 to %d", "%k = %c0 to %j"),
        "whose length differs",
    );
    refused(
        &program.replace("%k = %c0 to %d", "%k = %c1 to %d"),
        "does not count from 0",
    );
    let branch = "%positive = arith.cmpi sgt, %least, %zero : i32
      %sum = scf.if %positive -> (i32) {
        scf.yield %zero : i32
      } else {
        scf.yield %most : i32
      }";
    refused(&nearest(branch, "%sum"), "more than reads before");
}

/// A matrix product.
const PRODUCT: &str = "func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %m: index, %n: index, %u: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = kernel.segmap thread (%i < %m, %j < %n) -> (tensor<?x?xf32>) {
    %s = scf.for %k = %c0 to %u step %c1 iter_args(%acc = %zero) -> (f32) {
      %x = tensor.extract %a[%i, %k] : tensor<?x?xf32>
      %y = tensor.extract %b[%k, %j] : tensor<?x?xf32>
      %p = arith.mulf %x, %y : f32
      %next = arith.addf %acc, %p : f32
      scf.yield %next : f32
    }
    kernel.return %s : f32
  }
  func.return %r : tensor<?x?xf32>
}";

/// The shapes of what the threads of a block copy: segmaps of threads whose points end with a read of a whole array.
fn copies(ir: &Ir) -> Vec<Vec<i64>> {
    let threads = segmaps(ir).into_iter().filter(|it| {
        let ops: Vec<_> = ir.ops(it.body_block(ir)).collect();
        let last = ops.iter().rev().nth(1).and_then(|&op| Read::of(ir, op));
        let shape = last.and_then(|read| ir.value_type(read.tensor(ir)).shaped(ir.ctx()));
        let whole = shape.is_some_and(|(shape, _)| shape == [DYNAMIC; 2]);
        whole && it.level(ir) == Level::Thread
    });
    let shape = |it: SegMapOp| {
        let sizes = it.sizes(ir).into_iter();
        sizes.filter_map(|size| ir.constant_int(size)).collect()
    };
    threads.map(shape).collect()
}

/// Slices of the thesis' 2.2.2: `Ty Ry` rows by `Tk` of the first matrix, `Tk` by `Tx Rx` columns of the second.
#[test]
fn a_step_copies_a_slice_of_either_matrix() {
    let mut ir = parse(PRODUCT);
    let pass = TileBlocks {
        tile_k: 4,
        stages: 1,
        warpgroups: false,
        oldest: 75,
        ..HELD
    };
    assert_eq!(remarks(&pass, &mut ir), [""; 0]);
    let mut found = copies(&ir);
    found.dedup();
    assert_eq!(found[..2], [vec![4, 32], vec![8, 4]]);
}

/// Rows and columns are bounded where they are copied and where results are written, steps where less than a tile is left: the
/// loop over the steps of a full tile has no bounds.
#[test]
fn steps_of_full_tiles_have_no_bounds() {
    let mut ir = parse(PRODUCT);
    assert_eq!(remarks(&HELD, &mut ir), [""; 0]);
    let full = ir
        .walk(ir.root())
        .into_iter()
        .filter_map(|op| ir.cast::<ForOp>(op));
    let full: Vec<ForOp> = full
        .filter(|looped| ir.constant_int(looped.upper_bound(&ir)) == Some(HELD.tile_k))
        .collect();
    assert_eq!(full.len(), 1);
    let inside: Vec<&str> = ir
        .walk(full[0].op())
        .into_iter()
        .map(|op| ir.op_name_str(op))
        .collect();
    assert!(inside.contains(&"arith.mulf"), "{inside:?}");
    let bounds = ["arith.minsi", "arith.cmpi", "scf.if", "arith.select"];
    assert!(
        !inside.iter().any(|name| bounds.contains(name)),
        "{inside:?}"
    );
}

/// `Tk (szA Ty Ry + szB Tx Rx)` bytes, of 48 KiB: the thesis' 32, 32, 2, 2 with numbers of 4 bytes have at most 96 steps.
#[test]
fn tiles_whose_copies_do_not_fit_shared_memory_are_not_taken() {
    let with = |tile_k| TileBlocks {
        tile_y: 64,
        tile_x: 64,
        registers_y: 2,
        registers_x: 2,
        tile_k,
        stages: 1,
        ..HELD
    };
    let mut ir = parse(PRODUCT);
    assert_eq!(remarks(&with(96), &mut ir), [""; 0]);
    assert_eq!(tiles(&ir), [[64, 64]]);
    let mut ir = parse(PRODUCT);
    assert_eq!(remarks(&with(97), &mut ir), [""; 0]);
    // Along one dimension less is copied.
    assert_eq!(tiles(&ir), [[32]]);
}
