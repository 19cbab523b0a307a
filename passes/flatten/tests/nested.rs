//! Nested programs flattened in every way: the lecture's examples, irregular extents, array-valued operators, control
//! flow in nests. Results are compared with the reference interpreter's; op counts say which kernels come out.

mod support;

use segra_flatten::{Flatten, InnerReduce, Versions};
use segra_interp::Datum;
use support::{count, flattened, floats, ints, same};

const LECTURE: &str = include_str!("programs/lecture.mlir");
const LOCVOLCALIB: &str = include_str!("programs/locvolcalib.mlir");
const SEQUENTIAL: &str = include_str!("programs/sequential.mlir");
const VECTORISED: &str = include_str!("programs/vectorised.mlir");
const CONTROL: &str = include_str!("programs/control.mlir");
const LAYOUT: &str = include_str!("programs/layout.mlir");
const MATMUL: &str = include_str!("../../../examples/matmul.mlir");

/// Row 001-14 of the mission: kernels of m^2, m^3, m^3, m^2, the last two inside the host's loop, the irregular part
/// sequential in the first.
#[test]
fn the_running_example_becomes_the_kernels_the_lecture_derives() {
    let text = flattened(
        LECTURE,
        &Flatten {
            inner_reduce: InnerReduce::Parallel,
            ..Flatten::default()
        },
    );
    let kernels: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("kernel.seg"))
        .map(str::trim)
        .collect();
    let shape = |line: &str| {
        (
            line.split_whitespace().nth(2).unwrap_or("").to_owned(),
            count(line, " < "),
        )
    };
    let found: Vec<(String, usize)> = kernels.iter().map(|line| shape(line)).collect();
    let wanted = [
        ("kernel.segmap", 2),
        ("kernel.segmap", 3),
        ("kernel.segred", 3),
        ("kernel.segmap", 2),
    ];
    assert_eq!(
        found,
        wanted.map(|(name, rank)| (name.to_owned(), rank)),
        "{text}"
    );
    // All extents are m: one of both of pss, which are checked to be the same.
    let extents: Vec<&str> = kernels
        .iter()
        .flat_map(|line| line.split(" < ").skip(1))
        .filter_map(|rest| rest.split([',', ')']).next())
        .collect();
    let is_m = |extent: &str| text.contains(&format!("{extent} = tensor.dim %pss, "));
    assert!(
        extents.len() == 10 && extents.iter().all(|extent| is_m(extent)),
        "{extents:?}\n{text}"
    );
    assert!(
        text.contains("size `m`: dimension 1 of parameter #0 differs from dimension 0"),
        "{text}"
    );
    // The loops of the first kernel: the scan and the reduction over iota p.
    let host_loop = text.rfind("scf.for").expect("the host has a loop");
    let second = text.find("kernel.segred").expect("there is a segred");
    assert!(host_loop < second, "{text}");
    assert_eq!(
        count(&text[..text.find(kernels[1]).unwrap_or(0)], "scf.for"),
        2,
        "{text}"
    );
}

#[test]
fn the_running_example_keeps_its_results() {
    for (m, n) in [(0, 2), (1, 0), (3, 2), (5, 1)] {
        let pss = support::small(&[m, m], 3);
        same("lecture", LECTURE, &[pss, Datum::Int(n)]);
    }
}

#[test]
fn three_scans_keep_their_results_in_every_version() {
    for shape in [
        [2, 3, 4],
        [5, 1, 2],
        [1, 1, 9],
        [0, 2, 3],
        [2, 0, 3],
        [2, 3, 0],
    ] {
        same("locvolcalib", LOCVOLCALIB, &[ints(&shape, 5)]);
    }
}

#[test]
fn irregular_extents_run_sequentially_with_the_same_results() {
    for n in [0, 1, 6, 19] {
        same("sequential", SEQUENTIAL, &[ints(&[n], 2)]);
    }
}

#[test]
fn operators_over_arrays_keep_their_results() {
    for shape in [[2, 3, 4], [1, 5, 1], [3, 0, 2], [0, 2, 2], [2, 2, 0]] {
        same("vectorised", VECTORISED, &[ints(&shape, 7)]);
    }
}

#[test]
fn control_flow_in_nests_keeps_its_results() {
    for (n, m) in [(3, 4), (1, 1), (0, 2), (2, 0), (5, 2)] {
        for (trips, flag) in [(0, 1), (3, 0)] {
            same(
                "control",
                CONTROL,
                &[ints(&[n, m], 4), Datum::Int(trips), Datum::Int(flag)],
            );
        }
    }
}

/// Points that take the other side have steps that are not positive, and first numbers far below the last. Both loops are code
/// of a point, which the reduction needs stored for all points.
#[test]
fn loops_in_a_side_harm_no_points_that_take_the_other() {
    let program = "
        func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[n]i32>) -> !array.array<[n]i32> {
          %zero = arith.constant 0 : i32
          %one = arith.constant 1 : i32
          %three = arith.constant 3 : i32
          %twenty = arith.constant 20 : i32
          %shift = arith.constant 26 : i32
          %r = array.map (%xs in %xss : [n][m]i32, %k in %ks : [n]i32) {
            %far = arith.shli %k, %shift : i32
            %from = arith.minsi %far, %three : i32
            %p = arith.cmpi sgt, %k, %zero : i32
            %y = scf.if %p -> i32 {
              %v = scf.for %i = %zero to %twenty step %k iter_args(%a = %zero) -> (i32) : i32 {
                %b = arith.addi %a, %one : i32
                scf.yield %b : i32
              }
              %w = scf.for %i = %from to %twenty step %one iter_args(%a = %v) -> (i32) : i32 {
                %b = arith.addi %a, %i : i32
                scf.yield %b : i32
              }
              %s = array.redomap (%x in %xs : [m]i32) init (%zero : i32) map {
                %z = arith.xori %x, %w : i32
                array.yield %z : i32
              } combine (%acc, %z) {
                %sum = arith.addi %acc, %z : i32
                array.yield %sum : i32
              }
              scf.yield %s : i32
            } else {
              scf.yield %k : i32
            }
            array.yield %y : i32
          }
          func.return %r : !array.array<[n]i32>
        }";
    for (n, m) in [(9, 4), (1, 1), (0, 2), (2, 0)] {
        same("sides", program, &[ints(&[n, m], 4), ints(&[n], 1)]);
    }
}

#[test]
fn layout_ops_keep_their_results_everywhere() {
    for (n, m, c) in [(3, 4, 2), (1, 1, 0), (5, 2, 1), (4, 7, 3)] {
        same(
            "layout",
            LAYOUT,
            &[ints(&[n], 3), ints(&[n, m], 4), Datum::Int(c)],
        );
    }
}

#[test]
fn the_layout_program_that_runs_on_devices_keeps_its_results() {
    for n in [1, 2, 9] {
        same(
            "run/layout",
            include_str!("../../../tests/run/layout.mlir"),
            &[ints(&[n], 3)],
        );
    }
}

/// The later number that is not zero, by an operator that names its arguments in another order: rows are combined in theirs.
#[test]
fn operators_on_rows_that_exchange_their_arguments_keep_the_order_of_rows() {
    let program = |map: &str| {
        format!(
            "func.func @main(%xsss: !array.array<[a][n][m]i32>) -> (!array.array<[m]i32>, !array.array<[a][m]i32>) {{
               %zero = arith.constant 0 : i32
               %c0 = arith.constant 0 : index
               %m = array.dim %xsss, 2 : [a][n][m]i32
               %init = array.replicate %zero, [%m] : i32 -> [m]i32
               %cols = array.map (%xss in %xsss : [a][n][m]i32) {{
                 %last = array.reduce (%xss : [n][m]i32) init (%init : [m]i32) neutral (%init : [m]i32) combine (%acc, %xs) {{\n{map}array.yield %s : [m]i32\n}}
                 array.yield %last : [m]i32
               }}
               %r = array.reduce (%cols : [a][m]i32) init (%init : [m]i32) neutral (%init : [m]i32) combine (%acc, %xs) {{\n{map}array.yield %s : [m]i32\n}}
               func.return %r, %cols : !array.array<[m]i32>, !array.array<[a][m]i32>
             }}"
        )
    };
    let body = "%c = arith.cmpi eq, %q, %zero : i32\n%t = arith.select %c, %p, %q : i32\narray.yield %t : i32\n}\n";
    let in_order = format!("%s = array.map (%p in %acc : [m]i32, %q in %xs : [m]i32) {{\n{body}");
    let exchanged = format!("%s = array.map (%q in %xs : [m]i32, %p in %acc : [m]i32) {{\n{body}");
    for map in [&in_order, &exchanged] {
        for shape in [[2, 3, 4], [1, 5, 1], [3, 0, 2]] {
            same("last", &program(map), &[ints(&shape, 7)]);
        }
    }
}

/// Scatters and histograms of a size that differs between threads, in each thread: locations from the first to the last are met.
#[test]
fn sequential_updates_reach_the_first_and_the_last_place() {
    let program =
        "func.func @main(%xs: !array.array<[n]i32>) -> (!array.array<[n][4]i32>, !array.array<[n][4]i32>) {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %seven = arith.constant 7 : i32
      %r, %h = array.map (%x in %xs : [n]i32) {
        %few = arith.andi %x, %seven : i32
        %count = arith.index_cast %few : i32 to index
        %is = array.iota %count : [?]index
        %none = array.replicate %zero, [%c4] : i32 -> [4]i32
        %s = array.scatter (%i in %is : [?]index) into (%none : [4]i32) {
          %at = arith.subi %i, %c1 : index
          %v = arith.index_cast %i : index to i32
          array.yield %at, %v : index, i32
        }
        %t = array.hist (%i in %is : [?]index) into (%none : [4]i32) neutral (%zero : i32) map {
          %at = arith.subi %i, %c1 : index
          array.yield %at, %one : index, i32
        } combine (%a, %b) {
          %c = arith.addi %a, %b : i32
          array.yield %c : i32
        }
        array.yield %s, %t : [4]i32, [4]i32
      }
      func.return %r, %h : !array.array<[n][4]i32>, !array.array<[n][4]i32>
    }";
    let numbers = segra_interp::ArrayValue::i32s(&[0, 1, 2, 3, 4, 5, 6, 7]);
    same("updates", program, &[Datum::array(numbers)]);
}

/// The extents of a body's arrays are found before the map, without making its first row.
#[test]
fn extents_that_bodies_compute_from_what_is_outside_are_computed_there() {
    let plane =
        "func.func @main(%xss: !array.array<[n][m]i32>, %k: index) -> !array.array<[n][?][?]i32> {
      %c1 = arith.constant 1 : index
      %r = array.map (%xs in %xss : [n][m]i32) {
        %m = array.dim %xs, 0 : [m]i32
        %less = arith.subi %m, %k : index
        %count = arith.addi %less, %c1 : index
        %is = array.iota %count : [?]index
        %js = array.iota %k : [?]index
        %p = array.map (%i in %is : [?]index) {
          %q = array.map (%j in %js : [?]index) {
            %at = arith.addi %i, %j : index
            %x = array.index %xs[%at] : [m]i32
            array.yield %x : i32
          }
          array.yield %q : [?]i32
        }
        array.yield %p : [?][?]i32
      }
      func.return %r : !array.array<[n][?][?]i32>
    }";
    for (n, m, k) in [(2, 5, 3), (1, 4, 4), (3, 1, 1), (2, 6, 1), (0, 3, 2)] {
        same("plane", plane, &[ints(&[n, m], 3), Datum::Int(k)]);
    }
    let text = flattened(plane, &incremental());
    assert_eq!(
        count(&text, "scf.if"),
        count(&text, "kernel.at_least"),
        "{text}"
    );
}

/// The same where a thread's loop makes the rows: numbers of the body are computed before it, those from outside are at hand.
#[test]
fn extents_that_the_body_of_a_loop_computes_are_computed_before_it() {
    let rows = "func.func @main(%xss: !array.array<[n][m]i32>, %ks: !array.array<[1]i32>) -> !array.array<[n][m][?]i32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %three = arith.constant 3 : i32
      %first = array.index %ks[%c0] : [1]i32
      %few = arith.andi %first, %three : i32
      %k = arith.index_cast %few : i32 to index
      %r = array.map (%xs in %xss : [n][m]i32) {
        %p = array.map (%x in %xs : [m]i32) {
          %more = arith.addi %k, %c1 : index
          %js = array.iota %more : [?]index
          %q = array.map (%j in %js : [?]index) {
            %y = arith.index_cast %j : index to i32
            %z = arith.addi %x, %y : i32
            array.yield %z : i32
          }
          array.yield %q : [?]i32
        }
        array.yield %p : [m][?]i32
      }
      func.return %r : !array.array<[n][m][?]i32>
    }";
    for (n, m) in [(2, 5), (1, 1), (0, 3), (2, 0)] {
        for seed in 1..4 {
            same("rows", rows, &[ints(&[n, m], 3), ints(&[1], seed)]);
        }
    }
    let text = flattened(rows, &incremental());
    assert_eq!(
        count(&text, "scf.if"),
        count(&text, "kernel.at_least"),
        "{text}"
    );
    assert_eq!(
        count(&text, "array.index") + count(&text, "arith.andi"),
        1,
        "{text}"
    );
}

fn incremental() -> Flatten {
    Flatten {
        versions: Versions::Incremental,
        ..Flatten::default()
    }
}

#[test]
fn a_matrix_product_has_three_versions_behind_named_thresholds() {
    let text = flattened(MATMUL, &incremental());
    for (name, times) in [
        ("main.top.0", 1),
        ("main.intra.0", 1),
        ("main.top.1", 0),
        ("main.intra.1", 0),
    ] {
        assert_eq!(count(&text, name), times, "{name}: {text}");
    }
    // The two maps are one nest: a thread per element, a block per element, and a segred over three dimensions.
    assert_eq!(count(&text, "kernel.segmap block"), 1, "{text}");
    assert_eq!(count(&text, "kernel.segred thread"), 2, "{text}");
    same("matmul", MATMUL, &[floats(&[3, 4], 1), floats(&[4, 2], 2)]);
}

#[test]
fn three_scans_have_the_lectures_three_options() {
    let text = flattened(LOCVOLCALIB, &incremental());
    // Option I: loops in a thread; II: segmented scans; III: those of one point inside a block.
    assert_eq!(count(&text, "kernel.segmap thread"), 1, "{text}");
    assert_eq!(count(&text, "kernel.segmap block"), 1, "{text}");
    assert_eq!(count(&text, "kernel.segscan thread"), 2 * 3, "{text}");
}

/// The stated bound of code growth: at depth k at most 2k + 1 copies.
#[test]
fn code_growth_is_linear_in_the_depth_of_nesting() {
    for depth in 1..6 {
        let text = flattened(&tower(depth), &incremental());
        // Those of truth values are of the choices.
        let of_numbers = |line: &&str| line.contains("arith.xori") && line.ends_with(": i32");
        let copies = text.lines().filter(of_numbers).count();
        assert!(
            copies <= 2 * depth + 1,
            "depth {depth}: {copies} copies\n{text}"
        );
        let beside = count(&text, ".short\"") + count(&text, ".slow\"");
        let choices = count(&text, "main.top.") - beside;
        assert_eq!(choices, depth.saturating_sub(1), "{text}");
    }
}

/// Many points are no reason for sequential ones that are estimated to be much slower, where they have nests to share what they read.
#[test]
fn points_with_nests_are_sequential_where_that_is_not_much_slower() {
    let program = |rows: &str| {
        format!(
            "func.func @main(%q: !array.array<[n][d]i32>, %k: !array.array<[m][d]i32>) -> !array.array<[n]i32> {{
               %zero = arith.constant 0 : i32
               %r = array.map (%row in %q : [n][d]i32) {{
                 {rows}
                 %largest = array.reduce (%xs : [m]i32) init (%zero : i32) combine arith.maxsi
                 %sum = array.reduce (%xs : [m]i32) init (%zero : i32) combine arith.addi
                 %both = arith.divsi %sum, %largest : i32
                 array.yield %both : i32
               }}
               func.return %r : !array.array<[n]i32>
             }}"
        )
    };
    let nests = "%xs = array.map (%key in %k : [m][d]i32) {
                   %x = array.redomap (%a in %row : [d]i32, %b in %key : [d]i32) init (%zero : i32) map arith.muli combine arith.addi
                   array.yield %x : i32
                 }";
    let text = flattened(&program(nests), &incremental());
    assert_eq!(count(&text, "\"main.top.0.slow\" default 20"), 1, "{text}");
    let maps = "%first = array.index %row[%c0] : [d]i32
                %xs = array.map (%key in %k : [m][d]i32) {
                  %x = array.index %key[%c0] : [d]i32
                  %y = arith.muli %x, %first : i32
                  array.yield %y : i32
                }";
    let program = program(maps).replacen("%zero =", "%c0 = arith.constant 0 : index\n%zero =", 1);
    let text = flattened(&program, &incremental());
    assert_eq!(count(&text, ".short\""), 1, "{text}");
    assert_eq!(count(&text, ".slow\""), 0, "{text}");
}

/// `depth` maps around each other, the innermost with one operation, each with more than the next in its body.
fn tower(depth: usize) -> String {
    let sizes = |from: usize| {
        (from..depth)
            .map(|dim| format!("[n{dim}]"))
            .collect::<String>()
    };
    let ty = |from: usize| {
        if from == depth {
            "i32".to_owned()
        } else {
            format!("!array.array<{}i32>", sizes(from))
        }
    };
    let mut text = format!("func.func @main(%x0: {0}) -> {0} {{\n", ty(0));
    for level in 0..depth {
        let next = level + 1;
        text += &format!(
            "%y{level} = array.map (%x{next} in %x{level} : {}i32) {{\n",
            sizes(level)
        );
    }
    text += &format!("%y{depth} = arith.xori %x{depth}, %x{depth} : i32\n");
    text += &format!("array.yield %y{depth} : i32\n}}\n");
    for level in (1..depth).rev() {
        text += &format!(
            "%z{level} = array.reverse %y{level}, 0 : {}i32\narray.yield %z{level} : {}\n}}\n",
            sizes(level),
            ty(level)
        );
    }
    text + &format!("func.return %y0 : {}\n}}\n", ty(0))
}
