//! The lecture's rules one by one ("Regular flattening", Henriksen 2021): a program that needs the rule, and the nests
//! that come out. `nested.rs` shows that results stay; here is shown that the rule was taken, not a loop instead.

mod support;

use segra_flatten::{Flatten, InnerReduce};
use support::{SUM, all_parallel, count, flattened, rows, with_remarks};

/// Rule "map with inner combinators" and the ends of the derivation: the context grows, then becomes a segmap.
#[test]
fn maps_in_maps_are_one_context() {
    let body = "%ys = array.map (%x in %xs : [m]i32) {
        %y = arith.addi %x, %x : i32
        array.yield %y : i32
      }
      array.yield %ys : !array.array<[m]i32>";
    let text = flattened(&rows(body, "[m]i32"), &all_parallel());
    assert_eq!(
        (count(&text, "kernel.segmap"), count(&text, "scf.for")),
        (1, 0),
        "{text}"
    );
    assert!(
        text.contains("kernel.segmap thread (%arg0 < %0, %arg1 < %1)"),
        "{text}"
    );
}

#[test]
fn redomap_scanomap_and_their_plain_forms_take_the_context() {
    for (op, what) in [
        ("reduce", "kernel.segred thread"),
        ("scan", "kernel.segscan thread"),
    ] {
        let ty = if op == "reduce" {
            ("i32", "")
        } else {
            ("!array.array<[m]i32>", "[m]")
        };
        let plain = format!(
            "%r = array.{op} (%xs : [m]i32) {SUM}\n array.yield %r : {}",
            ty.0
        );
        let fused = format!(
            "%r = array.{} (%e in %xs : [m]i32) init (%zero : i32) map {{
               %p = arith.muli %e, %e : i32
               array.yield %p : i32
             }} combine (%acc, %x) {{
               %s = arith.addi %acc, %x : i32
               array.yield %s : i32
             }}
             array.yield %r : {}",
            if op == "reduce" {
                "redomap"
            } else {
                "scanomap"
            },
            ty.0
        );
        for body in [plain, fused] {
            let text = flattened(&rows(&body, &format!("{}i32", ty.1)), &all_parallel());
            assert_eq!(
                count(&text, &format!("{what} (%arg0 < %0, %arg1 < %1)")),
                1,
                "{op}: {text}"
            );
            assert_eq!(
                (count(&text, "kernel.seg"), count(&text, "scf.for")),
                (1, 0),
                "{op}: {text}"
            );
        }
    }
}

#[test]
fn scatter_and_histogram_take_the_context() {
    let scatter = "%is = array.iota %count : [?]index
      %ys = array.scatter (%i in %is : [?]index, %v in %is : [?]index) into (%xs : [m]i32) {
        %w = arith.index_cast %v : index to i32
        array.yield %i, %w : index, i32
      }
      array.yield %ys : !array.array<[m]i32>";
    let text = flattened(&rows(scatter, "[m]i32"), &all_parallel());
    assert!(
        text.contains("kernel.scatter thread (%arg0 < %0, %arg1 < %count)"),
        "{text}"
    );
    let hist = "%one = arith.constant 1 : i32
      %none = array.replicate %zero, [%count] : i32 -> [?]i32
      %h = array.hist (%x in %xs : [m]i32) into (%none : [?]i32) neutral (%zero : i32) map {
        %i = arith.index_cast %x : i32 to index
        array.yield %i, %one : index, i32
      } combine (%a, %b) {
        %s = arith.addi %a, %b : i32
        array.yield %s : i32
      }
      array.yield %h : !array.array<[?]i32>";
    let text = flattened(&rows(hist, "[?]i32"), &all_parallel());
    assert!(
        text.contains("kernel.seghist thread (%arg0 < %0, %arg1 < %1)"),
        "{text}"
    );
}

/// Rule "let": what is expensive and used by a nest further in is stored for every point, if its sizes are the same everywhere.
#[test]
fn a_body_is_distributed_where_sizes_are_invariant_and_left_whole_where_they_are_not() {
    let body = format!(
        "%y = array.reduce (%xs : [m]i32) {SUM}
         %ys = array.map (%x in %xs : [m]i32) {{
           %z = arith.addi %x, %y : i32
           array.yield %z : i32
         }}
         array.yield %ys : !array.array<[m]i32>"
    );
    let text = flattened(&rows(&body, "[m]i32"), &all_parallel());
    assert_eq!(
        (count(&text, "kernel.segred"), count(&text, "kernel.segmap")),
        (1, 1),
        "{text}"
    );
    // The reduction's result is read in the segmap, by the outer index alone.
    assert!(
        text.contains("(%arg0 < %0, %arg1 < %1)") && text.contains("[%arg0] : tensor<?xi32>"),
        "{text}"
    );
    // The side condition: an array of a size that differs has no place to be stored.
    let irregular = format!(
        "%first = array.index %xs[%c0] : [m]i32
         %p = arith.index_cast %first : i32 to index
         %is = array.iota %p : [?]i32
         %cs = array.scan (%is : [?]i32) {SUM}
         %r = array.reduce (%cs : [?]i32) {SUM}
         array.yield %r : i32"
    );
    let (text, remarks) = with_remarks(&rows(&irregular, "i32"), &all_parallel());
    assert_eq!(
        (count(&text, "kernel.seg"), count(&text, "scf.for")),
        (1, 2),
        "{text}"
    );
    for (place, remark) in [
        (
            "9:16",
            "array.scan is executed sequentially by each thread: its extent differs",
        ),
        (
            "13:15",
            "array.reduce is executed sequentially by each thread: it needs an array whose extent differs",
        ),
    ] {
        assert_eq!(
            count(&remarks, &format!("program:{place}: remark: {remark}")),
            1,
            "{remarks}"
        );
    }
}

/// Rule "rearrange": of a row in a map it is one of the whole array, and only changes indices.
#[test]
fn a_rearrangement_in_a_nest_is_index_arithmetic() {
    let program =
        "func.func @main(%xsss: !array.array<[a][b][c]i32>) -> !array.array<[a][c][b]i32> {
        %r = array.map (%xss in %xsss : [a][b][c]i32) {
          %t = array.rearrange %xss, [1, 0] : [b][c]i32
          array.yield %t : !array.array<[c][b]i32>
        }
        func.return %r : !array.array<[a][c][b]i32>
      }";
    let text = flattened(program, &all_parallel());
    assert_eq!(count(&text, "kernel.segmap"), 1, "{text}");
    assert!(
        text.contains("tensor.extract %xsss[%arg0, %arg2, %arg1]"),
        "{text}"
    );
}

/// Interchange of a reduction with the map that its operator is.
#[test]
fn a_reduction_of_rows_is_a_map_of_reductions() {
    let program = "func.func @main(%xss: !array.array<[n][m]i32>) -> !array.array<[m]i32> {
        %zero = arith.constant 0 : i32
        %c1 = arith.constant 1 : index
        %m = array.dim %xss, 1 : [n][m]i32
        %none = array.replicate %zero, [%m] : i32 -> [m]i32
        %r = array.reduce (%xss : [n][m]i32) init (%none : [m]i32) combine (%acc, %row) {
          %s = array.map (%a in %acc : [m]i32, %b in %row : [m]i32) {
            %c = arith.addi %a, %b : i32
            array.yield %c : i32
          }
          array.yield %s : !array.array<[m]i32>
        }
        func.return %r : !array.array<[m]i32>
      }";
    let text = flattened(program, &all_parallel());
    assert_eq!(
        (count(&text, "kernel.segred"), count(&text, "scf.for")),
        (1, 0),
        "{text}"
    );
    assert!(text.contains("tensor.extract %xss[%arg1, %arg0]"), "{text}");
}

/// Such an operator combines numbers and uses nothing that differs between columns, nor between the points of a nest; the
/// neutral element has one number for all columns. Else each column would need a reduction of its own.
#[test]
fn reductions_of_rows_that_differ_by_column_or_point_stay_whole() {
    let program = |neutral: &str, more: &str, combined: &str| {
        format!(
            "func.func @main(%xsss: !array.array<[a][n][2]i32>, %ks: !array.array<[a]i32>) -> !array.array<[a][2]i32> {{
               %zero = arith.constant 0 : i32
               %c0 = arith.constant 0 : index
               %c2 = arith.constant 2 : index
               %start = {neutral}
               %init = array.from_tensor %start : tensor<2xi32>
               %r = array.map (%xss in %xsss : [a][n][2]i32, %k in %ks : [a]i32) {{
                 %s = array.reduce (%xss : [n][2]i32) init (%init : [2]i32) neutral (%init : [2]i32) combine (%acc, %xs) {{
                   %t = array.map (%p in %acc : [2]i32, %q in %xs : [2]i32) {{
                     {more}
                     %u = {combined}
                     array.yield %u : i32
                   }}
                   array.yield %t : [2]i32
                 }}
                 array.yield %s : [2]i32
               }}
               func.return %r : !array.array<[a][2]i32>
             }}"
        )
    };
    let zeros = "arith.constant dense<0> : tensor<2xi32>";
    let sum = "arith.addi %p, %q : i32";
    let largest = "arith.maxsi %p, %q : i32";
    for (why, columns, neutral, more, combined) in [
        (
            "all that is combined is a pair of numbers",
            true,
            zeros,
            "",
            sum,
        ),
        // Numbers from -9 to 0 count in the second column only.
        (
            "the neutral element has two numbers",
            false,
            "arith.constant dense<[0, -9]> : tensor<2xi32>",
            "",
            largest,
        ),
        (
            "the operator looks at another column",
            false,
            zeros,
            "%first = array.index %acc[%c0] : [2]i32\n%none = arith.muli %first, %zero : i32\n%o = arith.addi %p, %none : i32",
            "arith.addi %o, %q : i32",
        ),
        (
            "the operator differs between points",
            false,
            zeros,
            "%pq = arith.muli %p, %q : i32\n%kpq = arith.muli %k, %pq : i32\n%o = arith.addi %p, %kpq : i32",
            "arith.addi %o, %q : i32",
        ),
    ] {
        let text = program(neutral, more, combined);
        let (flat, remarks) = with_remarks(&text, &all_parallel());
        assert_eq!(
            remarks.contains("becomes a map of reductions of columns"),
            columns,
            "{why}\n{remarks}\n{flat}"
        );
        for (a, n) in [(2, 3), (1, 1), (3, 0), (2, 33)] {
            support::same(
                why,
                &text,
                &[support::ints(&[a, n, 2], 3), support::ints(&[a], 5)],
            );
        }
    }
}

/// An op too cheap to be worth a nest of its own stays in the thread, with a remark.
#[test]
fn combinators_over_few_elements_are_sequential() {
    let body = format!(
        "%first = array.index %xs[%c0] : [m]i32
         %few = array.replicate %first, [%c1] : i32 -> [1]i32
         %r = array.reduce (%few : [1]i32) {SUM}
         array.yield %r : i32"
    );
    let (text, remarks) = with_remarks(&rows(&body, "i32"), &all_parallel());
    assert_eq!(count(&text, "kernel.segred"), 0, "{text}");
    assert!(
        remarks.contains("it has fewer elements than option sequential-below asks for"),
        "{remarks}"
    );
    // As many as the option says are not fewer.
    for (below, parallel) in [(1, 1), (2, 0)] {
        let pass = Flatten {
            sequential_below: below,
            ..all_parallel()
        };
        let text = flattened(&rows(&body, "i32"), &pass);
        assert_eq!(count(&text, "kernel.segred"), parallel, "{below}\n{text}");
    }
}

/// A segmented reduction has one neutral element and one operator: where they differ between the points of the nest, each
/// point does its own. An exclusive scan stays one.
#[test]
fn operators_and_neutral_elements_are_the_same_at_all_points() {
    let reduce = |start: &str, other: &str| {
        format!(
            "%own = array.index %xs[%c0] : [m]i32
             %given = arith.index_cast %count : index to i32
             %r = array.reduce (%xs : [m]i32) init ({start} : i32) neutral ({start} : i32) combine (%acc, %x) {{
               %s = arith.addi %acc, %x : i32
               %t = arith.maxsi %s, {other} : i32
               array.yield %t : i32
             }}
             array.yield %r : i32"
        )
    };
    let why = |what: &str| {
        format!("array.reduce is executed sequentially by each thread: its {what} differs")
    };
    for (start, other, segreds, remark) in [
        ("%given", "%zero", 1, None),
        ("%own", "%zero", 0, Some(why("neutral element"))),
        ("%zero", "%given", 1, None),
        ("%zero", "%own", 0, Some(why("operator"))),
    ] {
        let (text, remarks) = with_remarks(&rows(&reduce(start, other), "i32"), &all_parallel());
        assert_eq!(
            count(&text, "kernel.segred"),
            segreds,
            "{start}, {other}\n{text}"
        );
        assert_eq!(
            remarks.contains("sequentially"),
            remark.is_some(),
            "{remarks}"
        );
        assert!(
            remark.is_none_or(|remark| remarks.contains(&remark)),
            "{remarks}"
        );
    }
    // Of a scan, too: the least number a row has.
    let scan = |start: &str| {
        format!(
            "%own = array.index %xs[%c0] : [m]i32
             %given = arith.index_cast %count : index to i32
             %ps = array.scan (%xs : [m]i32) init ({start} : i32) neutral ({start} : i32) combine arith.maxsi
             array.yield %ps : !array.array<[m]i32>"
        )
    };
    for (start, segscans) in [("%given", 1), ("%own", 0)] {
        let (text, remarks) = with_remarks(&rows(&scan(start), "[m]i32"), &all_parallel());
        assert_eq!(count(&text, "kernel.segscan"), segscans, "{start}\n{text}");
        let why = "array.scan is executed sequentially by each thread: its neutral element differs";
        assert_eq!(remarks.contains(why), segscans == 0, "{start}: {remarks}");
    }
    let scan = |exclusive: &str| {
        format!(
            "%ps = array.scan{exclusive} (%xs : [m]i32) {SUM}\narray.yield %ps : !array.array<[m]i32>"
        )
    };
    for exclusive in ["", " exclusive"] {
        let text = flattened(&rows(&scan(exclusive), "[m]i32"), &all_parallel());
        assert_eq!(
            count(&text, &format!("kernel.segscan thread{exclusive} (")),
            1,
            "{text}"
        );
    }
}

/// The values one thread combines: arrays of at most 64 elements, as the program text says.
#[test]
fn small_arrays_are_combined_in_parallel_and_large_ones_in_a_loop() {
    let program = |extent: usize| {
        format!(
            "func.func @main(%xss: !array.array<[n][{extent}]i32>) -> !array.array<[{extent}]i32> {{
               %zero = arith.constant 0 : i32
               %c = arith.constant {extent} : index
               %none = array.replicate %zero, [%c] : i32 -> [{extent}]i32
               %r = array.reduce (%xss : [n][{extent}]i32) init (%none : [{extent}]i32) combine (%acc, %row) {{
                 %back = array.reverse %row, 0 : [{extent}]i32
                 %s = array.scan (%back : [{extent}]i32) init (%zero : i32) combine arith.addi
                 %t = array.map (%a in %acc : [{extent}]i32, %b in %s : [{extent}]i32) {{
                   %c0 = arith.maxsi %a, %b : i32
                   array.yield %c0 : i32
                 }}
                 array.yield %t : !array.array<[{extent}]i32>
               }}
               func.return %r : !array.array<[{extent}]i32>
             }}"
        )
    };
    for (extent, parallel) in [(64, true), (65, false)] {
        let (text, remarks) = with_remarks(&program(extent), &all_parallel());
        assert_eq!(text.contains("kernel.segred"), parallel, "{extent}\n{text}");
        assert_eq!(
            remarks.contains("arrays that are not known to be small"),
            !parallel,
            "{remarks}"
        );
    }
}

/// A row that a thread makes and reads twice is made once.
#[test]
fn what_a_thread_reads_twice_is_made_once() {
    let body = |second: &str| {
        format!(
            "%ys = array.map (%x in %xs : [m]i32) {{
               %y = arith.muli %x, %x : i32
               array.yield %y : i32
             }}
             %a = array.reduce (%ys : [m]i32) {SUM}
             %b = array.reduce ({second} : [m]i32) {SUM}
             %r = arith.subi %a, %b : i32
             array.yield %r : i32"
        )
    };
    let pass = Flatten {
        inner_reduce: InnerReduce::Sequential,
        sequential_below: i64::MAX,
        ..Flatten::default()
    };
    let sequential =
        |second: &str| flattened(&rows(&body(second), "i32").replace("[m]", "[7]"), &pass);
    let (once, twice) = (sequential("%xs"), sequential("%ys"));
    assert_eq!(
        (count(&once, "tensor.empty"), count(&once, "arith.muli")),
        (0, 1),
        "{once}"
    );
    assert_eq!(
        (count(&twice, "tensor.empty"), count(&twice, "arith.muli")),
        (1, 1),
        "{twice}"
    );
}

/// Scalars that are the same at all points are computed once, before the nest.
#[test]
fn what_is_the_same_at_all_points_is_done_once() {
    let body = "%double = arith.addi %count, %count : index
         %large = arith.index_cast %double : index to i32
         %x = array.index %xs[%c0] : [m]i32
         %y = arith.addi %x, %large : i32
         array.yield %y : i32";
    let text = flattened(&rows(body, "i32"), &all_parallel());
    let nest = text.find("kernel.segmap").expect("there is a nest");
    assert!(
        text[..nest].contains("arith.addi %count, %count") && text[..nest].contains("index_cast"),
        "{text}"
    );
}
