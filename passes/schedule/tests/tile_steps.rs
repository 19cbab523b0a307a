//! Each step of tiling by itself: what it makes, that it keeps results, what it refuses.

mod support;

use segra_interp::Datum;
use segra_ir::{Ir, OpView};
use segra_schedule::tile::variance::{Indices, Variance};
use segra_schedule::tile::{chunk, distribute, interchange, peel, stage, strip_mine};
use segra_std::scf::ForOp;
use support::{PRODUCT, count, factors, floats, inside, keeps, loops, parse, segmaps, text};

/// The lecture's program: each element of an array meets all of them.
const PAIRS: &str = "func.func @main(%xs: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?xf32>
  %r = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
    %x = tensor.extract %xs[%i] : tensor<?xf32>
    %start = arith.mulf %x, %x : f32
    %s = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %start) -> (f32) {
      %y = tensor.extract %xs[%k] : tensor<?xf32>
      %d = arith.subf %y, %x : f32
      %h = arith.mulf %acc, %d : f32
      %next = arith.addf %h, %y : f32
      scf.yield %next : f32
    }
    %e = arith.addf %s, %x : f32
    kernel.return %e : f32
  }
  func.return %r : tensor<?xf32>
}";

fn lines() -> Vec<Vec<Datum>> {
    [0, 1, 2, 15, 16, 17, 31, 32, 33, 61]
        .iter()
        .map(|&n| vec![floats(&[n], n)])
        .collect()
}

fn products() -> Vec<Vec<Datum>> {
    factors(&[
        (0, 3, 2),
        (3, 0, 2),
        (3, 2, 0),
        (1, 1, 1),
        (4, 8, 8),
        (7, 5, 11),
        (13, 17, 9),
        (16, 8, 24),
    ])
}

fn first_loop(ir: &Ir, at: usize) -> ForOp {
    loops(ir, segmaps(ir)[at])[0]
}

#[test]
fn a_segmap_is_cut_into_strips_of_a_block() {
    keeps(PAIRS, &lines(), |ir| {
        let segmap = segmaps(ir)[0];
        let stripped = strip_mine(ir, segmap, &[32]).expect("it is a segmap of threads");
        assert_eq!(segmaps(ir).len(), 2, "one of blocks, one of threads");
        assert_eq!(inside(ir, stripped.block), [stripped.thread]);
        assert_eq!(count(ir, "kernel.untile"), 1);
    });
    keeps(PRODUCT, &products(), |ir| {
        strip_mine(ir, segmaps(ir)[0], &[4, 8]).expect("it has two dimensions");
    });
    // Only the innermost dimension.
    keeps(PRODUCT, &products(), |ir| {
        strip_mine(ir, segmaps(ir)[0], &[8]).expect("it has two dimensions");
    });
}

#[test]
fn tiles_that_divide_a_known_extent_need_no_bounds() {
    let known = PAIRS.replace(
        "%n = tensor.dim %xs, %c0 : tensor<?xf32>",
        "%n = arith.constant 64 : index",
    );
    let text = keeps(&known, &[vec![floats(&[64], 5)]], |ir| {
        strip_mine(ir, segmaps(ir)[0], &[32]).expect("it is a segmap of threads");
    });
    assert!(!text.contains("minsi"), "{text}");
}

/// Extents that are known and that tiles do not divide: the last tile has bounds, of points and of steps.
#[test]
fn tiles_that_do_not_divide_a_known_extent_have_bounds() {
    for n in [33, 40, 63] {
        let size = format!("%n = arith.constant {n} : index");
        let known = PAIRS.replace("%n = tensor.dim %xs, %c0 : tensor<?xf32>", &size);
        let inputs = [vec![floats(&[n], 5)]];
        let bounded = keeps(&known, &inputs, |ir| {
            strip_mine(ir, segmaps(ir)[0], &[32]).expect("it is a segmap of threads");
        });
        assert!(bounded.contains("minsi"), "{bounded}");
        let bounded = keeps(&known, &inputs, |ir| {
            chunk(ir, first_loop(ir, 0), 32).expect("it counts from 0 by ones");
        });
        assert!(bounded.contains("minsi"), "{bounded}");
        keeps(&known, &inputs, |ir| {
            let segmap = interchanged(ir, &[32], 16);
            let elements = loops(ir, segmap)[0];
            assert_eq!(stage(ir, segmap, elements, 16), Ok(1));
        });
    }
}

/// A loop of a known number of steps that is shorter than the copy has places.
#[test]
fn copies_of_loops_shorter_than_a_tile_repeat_the_last_element() {
    let few = PAIRS.replace("%k = %c0 to %n", "%k = %c0 to %five");
    let few = few.replace(
        "%n = tensor",
        "%five = arith.constant 5 : index\n%n = tensor",
    );
    let inputs: Vec<Vec<Datum>> = [5, 6, 31].iter().map(|&n| vec![floats(&[n], n)]).collect();
    keeps(&few, &inputs, |ir| {
        let stripped = strip_mine(ir, segmaps(ir)[0], &[32]).expect("it is a segmap of threads");
        let looped = loops(ir, stripped.thread)[0];
        assert_eq!(stage(ir, stripped.thread, looped, 16), Ok(1));
    });
}

/// A point whose loop starts from an element that is not its own has no place among those carried.
#[test]
fn loops_that_start_from_the_elements_of_others_stay_inside() {
    let mut ir = parse(PAIRS);
    let (thread, looped) = chunked(&mut ir, &[32], 16);
    let parts = distribute(&mut ir, thread, looped).expect("all is scalar");
    let start = ir.operand(loops(&ir, parts.around)[0].op(), 3);
    let read = ir.defining_op(start).expect("a read");
    let zero = ir.walk(ir.root()).into_iter().find(|&op| {
        ir.results(op).any(|result| {
            ir.value_name(result)
                .is_some_and(|name| ir.ctx().str(name) == "c0")
        })
    });
    let zero = ir.result(zero.expect("it is in the function"), 0);
    ir.set_operand(read, 1, zero);
    let refusal = interchange(&mut ir, parts.around).expect_err("all start from the first");
    assert!(
        refusal.reason.contains("start from stored elements"),
        "{refusal}"
    );
}

#[test]
fn what_cannot_be_cut_into_strips_is_refused() {
    let refused = |program: &str, tiles: &[i64]| {
        let mut ir = parse(program);
        let segmap = segmaps(&ir)[0];
        let before = text(&ir);
        let refusal = strip_mine(&mut ir, segmap, tiles).expect_err("it is not done");
        assert_eq!(before, text(&ir), "nothing was changed");
        refusal.reason
    };
    assert!(refused(PAIRS, &[4, 8]).contains("dimensions"));
    assert!(refused(PAIRS, &[0]).contains("empty"));
    let block = PAIRS.replace("segmap thread", "segmap block");
    assert!(refused(&block, &[32]).contains("not run by threads"));
}

#[test]
fn a_loop_is_cut_into_chunks_that_start_from_what_the_last_one_left() {
    for tile in [1, 8, 32] {
        keeps(PAIRS, &lines(), |ir| {
            let chunked = chunk(ir, first_loop(ir, 0), tile).expect("it counts from 0 by ones");
            assert_eq!(
                ir.parent_op(chunked.elements.op()),
                Some(chunked.tiles.op())
            );
        });
    }
    let mut ir = parse(&PAIRS.replace("%k = %c0 to", "%k = %c1 to"));
    let looped = first_loop(&ir, 0);
    assert!(
        chunk(&mut ir, looped, 8)
            .expect_err("it counts from 1")
            .reason
            .contains("from 0")
    );
    let mut ir = parse(
        &PAIRS
            .replace("step %c1", "step %c2")
            .replace("%n = tensor", "%c2 = arith.constant 2 : index\n%n = tensor"),
    );
    let looped = first_loop(&ir, 0);
    assert!(
        chunk(&mut ir, looped, 8)
            .expect_err("it counts by twos")
            .reason
            .contains("by ones")
    );
    let mut ir = parse(PAIRS);
    let looped = first_loop(&ir, 0);
    assert!(chunk(&mut ir, looped, 0).is_err());
    // A loop up to something negative does not run, in chunks neither.
    let negative = "%end = arith.subi %n, %n16 : index\n    %s = scf.for %k = %c0 to %end";
    let program = PAIRS
        .replace("%s = scf.for %k = %c0 to %n", negative)
        .replace(
            "%n = tensor",
            "%n16 = arith.constant 16 : index\n%n = tensor",
        );
    keeps(&program, &lines(), |ir| {
        chunk(ir, first_loop(ir, 0), 8).expect("it counts from 0 by ones");
    });
}

/// Strips and chunks; the tile's loop.
fn chunked(ir: &mut Ir, tiles: &[i64], steps: i64) -> (segra_kernel::segop::SegMapOp, ForOp) {
    let stripped = strip_mine(ir, segmaps(ir)[0], tiles).expect("it is a segmap of threads");
    let looped = loops(ir, stripped.thread)[0];
    let chunked = chunk(ir, looped, steps).expect("it counts from 0 by ones");
    (stripped.thread, chunked.tiles)
}

#[test]
fn a_segmap_is_distributed_over_a_loop_and_what_is_around_it() {
    keeps(PAIRS, &lines(), |ir| {
        let (thread, tiles) = chunked(ir, &[32], 16);
        let parts = distribute(ir, thread, tiles).expect("all is scalar");
        assert_eq!(loops(ir, parts.before).len(), 0);
        assert_eq!(loops(ir, parts.around).len(), 1);
        assert!(parts.after.is_some(), "the last sum comes after the loop");
        // The start, and the point's own element.
        assert_eq!(parts.before.results(ir).len(), 2);
    });
    keeps(PRODUCT, &products(), |ir| {
        let (thread, tiles) = chunked(ir, &[4, 8], 8);
        let parts = distribute(ir, thread, tiles).expect("all is scalar");
        assert!(parts.after.is_none(), "the sum is all that is returned");
    });
}

/// All up to interchange; the inner segmap.
fn interchanged(ir: &mut Ir, tiles: &[i64], steps: i64) -> segra_kernel::segop::SegMapOp {
    let (thread, looped) = chunked(ir, tiles, steps);
    let parts = distribute(ir, thread, looped).expect("all is scalar");
    interchange(ir, parts.around)
        .expect("bounds are the same for all points")
        .segmap
}

#[test]
fn the_loop_over_chunks_goes_outside_and_carries_an_element_for_each_thread() {
    keeps(PAIRS, &lines(), |ir| {
        let segmap = interchanged(ir, &[32], 16);
        let around = ir.parent_op(segmap.op()).expect("the loop");
        assert_eq!(ir.op_name_str(around), "scf.for");
        let carried = ir.operands(around).nth(3).expect("the accumulators");
        assert_eq!(
            ir.value_type(carried)
                .shaped(ir.ctx())
                .map(|row| row.0.to_vec()),
            Some(vec![32])
        );
    });
    keeps(PRODUCT, &products(), |ir| {
        interchanged(ir, &[4, 8], 8);
    });
}

#[test]
fn a_loop_whose_bounds_differ_between_points_stays_inside() {
    let program = PAIRS.replace("%k = %c0 to %n", "%k = %c0 to %i");
    let mut ir = parse(&program);
    let (thread, looped) = chunked(&mut ir, &[32], 16);
    let parts = distribute(&mut ir, thread, looped).expect("all is scalar");
    let before = text(&ir);
    let refusal = interchange(&mut ir, parts.around).expect_err("the triangle");
    assert!(
        refusal.reason.contains("differ between points"),
        "{refusal}"
    );
    assert_eq!(before, text(&ir), "nothing was changed");
}

#[test]
fn a_chunk_is_copied_by_the_block_and_read_from_the_copy() {
    keeps(PAIRS, &lines(), |ir| {
        let segmap = interchanged(ir, &[32], 16);
        let elements = loops(ir, segmap)[0];
        assert_eq!(stage(ir, segmap, elements, 16), Ok(1));
        let copied = segmaps(ir)
            .into_iter()
            .filter(|&it| ir.parent_op(it.op()) == ir.parent_op(segmap.op()));
        assert_eq!(copied.count(), 2, "the copy, and what reads from it");
    });
    keeps(PRODUCT, &products(), |ir| {
        let segmap = interchanged(ir, &[4, 8], 8);
        let elements = loops(ir, segmap)[0];
        assert_eq!(stage(ir, segmap, elements, 8), Ok(2));
    });
}

#[test]
fn full_tiles_are_a_loop_of_their_own() {
    for program in [PAIRS, PRODUCT] {
        let inputs = if program == PAIRS {
            lines()
        } else {
            products()
        };
        keeps(program, &inputs, |ir| {
            let parts = peel(ir, first_loop(ir, 0), 8).expect("it counts from 0 by ones");
            let [full, rest] = parts.expect("its length is not known");
            let chunked = chunk(ir, full, 8).expect("it counts from 0 by ones");
            let length = chunked.elements.upper_bound(ir);
            assert_eq!(ir.constant_int(length), Some(8), "no test of where it ends");
            assert_eq!(ir.constant_int(rest.upper_bound(ir)), None);
        });
    }
    for (length, parts) in [(64, None), (61, Some([56, 5])), (7, None), (0, None)] {
        let known = format!("%n = arith.constant {length} : index");
        let known = PAIRS.replace("%n = tensor.dim %xs, %c0 : tensor<?xf32>", &known);
        let n = usize::try_from(length).expect("it is a length");
        keeps(&known, &[vec![floats(&[n], 5)]], |ir| {
            let made = peel(ir, first_loop(ir, 0), 8).expect("it counts from 0 by ones");
            let lengths = made.map(|made| made.map(|it| ir.constant_int(it.upper_bound(ir))));
            assert_eq!(lengths, parts.map(|parts| parts.map(Some)), "{length}");
        });
    }
}

/// Loops before and after the one that is tiled: what each starts from is what the one before left, full tiles or rest.
#[test]
fn the_rest_starts_from_what_full_tiles_left() {
    let around = |before: bool| {
        let name = if before { "before" } else { "after" };
        let (start, from, factor) = match before {
            true => ("%p", "%start", "0.5"),
            false => ("%q", "%s", "0.25"),
        };
        format!(
            "%{name} = arith.constant {factor} : f32
    {start} = scf.for %l = %c0 to %n step %c1 iter_args(%old = {from}) -> (f32) {{
      %z = tensor.extract %xs[%l] : tensor<?xf32>
      %less = arith.mulf %old, %{name} : f32
      %new = arith.subf %less, %z : f32
      scf.yield %new : f32
    }}
    "
        )
    };
    let program = PAIRS
        .replace("%s = scf.for", &(around(true) + "%s = scf.for"))
        .replace("iter_args(%acc = %start)", "iter_args(%acc = %p)")
        .replace(
            "%e = arith.addf %s, %x",
            &(around(false) + "%e = arith.addf %q, %x"),
        );
    keeps(&program, &lines(), |ir| {
        let all = loops(ir, segmaps(ir)[0]);
        let [prologue, tiled, epilogue] = all[..] else {
            panic!("{} loops", all.len());
        };
        let made = peel(ir, tiled, 8).expect("it counts from 0 by ones");
        let [full, rest] = made.expect("its length is not known");
        assert_eq!(full.init_args(ir), prologue.results(ir));
        assert_eq!(rest.init_args(ir), full.results(ir));
        assert_eq!(epilogue.init_args(ir), rest.results(ir));
        chunk(ir, full, 8).expect("it counts from 0 by ones");
    });
}

#[test]
fn only_what_several_points_read_at_every_step_is_copied() {
    let staged = |from: &str, to: &str| {
        let program = PRODUCT.replace(from, to);
        assert_ne!(program, PRODUCT);
        let mut copies = 0;
        let copies_at = std::cell::Cell::new(0);
        keeps(&program, &products(), |ir| {
            let segmap = interchanged(ir, &[4, 8], 8);
            let elements = loops(ir, segmap)[0];
            copies_at.set(stage(ir, segmap, elements, 8).expect("the nest is right"));
        });
        copies += copies_at.get();
        copies
    };
    // Both read by each point for itself.
    let own = "%t = arith.addi %i, %j : index
      %w = arith.remui %t, %m : index
      %x = tensor.extract %a[%w, %k] : tensor<?x?xf32>";
    assert_eq!(
        staged("%x = tensor.extract %a[%i, %k] : tensor<?x?xf32>", own),
        1
    );
    // In a branch: the element may not be there when it is not taken.
    let branch = "%even = arith.cmpi slt, %i, %k : index
      %x = scf.if %even -> (f32) {
        %w = tensor.extract %a[%i, %k] : tensor<?x?xf32>
        scf.yield %w : f32
      } else {
        scf.yield %zero : f32
      }";
    assert_eq!(
        staged("%x = tensor.extract %a[%i, %k] : tensor<?x?xf32>", branch),
        1
    );
    // Where what the loop carries says: it is known only as the loop runs.
    let carried = "%first = arith.cmpf ogt, %acc, %zero : f32
      %l = arith.select %first, %k, %c0 : index
      %x = tensor.extract %a[%i, %l] : tensor<?x?xf32>";
    assert_eq!(
        staged("%x = tensor.extract %a[%i, %k] : tensor<?x?xf32>", carried),
        1
    );
    // Backwards along the loop: the index is computed in the copy.
    let reversed = "%l = arith.subi %u, %k : index
      %w = arith.subi %l, %c1 : index
      %x = tensor.extract %a[%i, %w] : tensor<?x?xf32>";
    assert_eq!(
        staged("%x = tensor.extract %a[%i, %k] : tensor<?x?xf32>", reversed),
        2
    );
}

/// Points of a dimension of extent 1 read nothing twice, whether or not a read depends on its index.
#[test]
fn what_only_one_point_reads_is_not_copied() {
    for (tile, copies) in [([4, 8], 2), ([4, 1], 1), ([1, 8], 1), ([1, 1], 0)] {
        keeps(PRODUCT, &products(), |ir| {
            let segmap = interchanged(ir, &tile, 8);
            let elements = loops(ir, segmap)[0];
            assert_eq!(stage(ir, segmap, elements, 8), Ok(copies), "{tile:?}");
        });
    }
}

/// The dependences of a value: through operands, through the conditions and bounds that decide whether or how often it is
/// computed, and around a loop through what the round before forwarded.
#[test]
fn values_depend_on_what_decides_about_them_and_on_what_loops_carry() {
    let ir = parse(
        "func.func @main(%i: index, %j: index, %n: index, %xs: tensor<?xf32>) -> index {
           %c0 = arith.constant 0 : index
           %c1 = arith.constant 1 : index
           %if = arith.cmpi slt, %i, %n : index
           %r = scf.if %if -> (index) {
             %chosen = arith.addi %n, %c1 : index
             scf.yield %chosen : index
           } else {
             scf.yield %c0 : index
           }
           %a, %b = scf.for %k = %c0 to %n step %c1 iter_args(%x = %c0, %y = %c0) -> (index, index) {
             %later = arith.addi %x, %c1 : index
             %more = arith.addi %y, %j : index
             scf.yield %more, %later : index, index
           }
           %inner = scf.for %k2 = %c0 to %i step %c1 iter_args(%x2 = %c0) -> (index) {
             %step = arith.addi %c1, %c1 : index
             scf.yield %step : index
           }
           %wide = arith.addi %j, %c1 : index
           %stepped = scf.for %k3 = %c0 to %n step %wide iter_args(%x3 = %c0) -> (index) {
             %place = arith.addi %k3, %c1 : index
             scf.yield %c1 : index
           }
           func.return %r : index
         }",
    );
    let values: Vec<_> = ir
        .walk(ir.root())
        .into_iter()
        .flat_map(|op| ir.results(op).collect::<Vec<_>>())
        .filter_map(|value| Some((ir.ctx().str(ir.value_name(value)?).to_owned(), value)))
        .collect();
    let named = |name: &str| values.iter().find(|row| row.0 == name).expect(name).1;
    let body = ir.value_block(named("if")).expect("it is in the function");
    let seeds = ir.block_args(body)[..2].to_vec();
    let variance = Variance::of(&ir, body, &seeds);
    let (i, j) = (Indices::one(0), Indices::one(1));
    for (name, wanted) in [
        ("if", i),
        ("chosen", i),
        ("r", i),
        // Each of what a loop carries may come to be the other.
        ("later", j),
        ("more", j),
        ("a", j),
        ("b", j),
        ("step", i),
        ("inner", i),
        // Where a loop steps decides what its counter is.
        ("place", j),
    ] {
        assert_eq!(variance.get(named(name)), wanted, "{name}");
    }
    assert!(variance.get(named("c1")).is_empty());
}
