//! Rules that move a nest into control flow ("Regular flattening", Henriksen 2021): that they were taken, and where not.

mod support;

use segra_flatten::{Flatten, InnerReduce};
use support::{SUM, all_parallel, count, flattened, rows, with_remarks};

/// The lecture's informal example: (xs', j) = (xs, 0) becomes (xss, replicate m 0), the loop is outside.
#[test]
fn a_nest_moves_into_a_loop_and_invariant_initial_values_are_replicated() {
    let body = |bound: &str| {
        format!(
            "%ys, %j = scf.for %i = %c0 to {bound} step %c1 iter_args(%zs = %xs, %k = %zero) -> (!array.array<[m]i32>, i32) {{
               %new = array.map (%z in %zs : [m]i32) {{
                 %s = arith.addi %z, %k : i32
                 array.yield %s : i32
               }}
               %ii = arith.index_cast %i : index to i32
               %next = arith.addi %k, %ii : i32
               scf.yield %new, %next : !array.array<[m]i32>, i32
             }}
             array.yield %ys : !array.array<[m]i32>"
        )
    };
    let text = flattened(&rows(&body("%count"), "[m]i32"), &all_parallel());
    let host = text.find("scf.for").expect("there is a loop");
    let nests: Vec<&str> = text[host..]
        .lines()
        .filter(|line| line.contains("kernel.segmap"))
        .collect();
    // Before it the invariant 0 is stored for every row; it carries both as tensors over the nest.
    assert!(
        text[..host].contains("kernel.segmap thread (%arg0 < %0) -> (tensor<?xi32>)"),
        "{text}"
    );
    let header = text[host..].lines().next().unwrap_or_default();
    assert!(
        header.ends_with("-> (tensor<?x?xi32>, tensor<?xi32>) {"),
        "{header}"
    );
    // In it the new rows, over both dimensions, and the next numbers, over the rows.
    let ranks: Vec<usize> = nests.iter().map(|line| count(line, " < ")).collect();
    assert_eq!(ranks, [2, 1], "{text}");
    assert_eq!(count(&text, "scf.for"), 1, "{text}");
    // Bounds that differ between points, or steps: rounds up to the most.
    let first = |body: &str| {
        format!(
            "%first = array.index %xs[%c0] : [m]i32
             %own = arith.index_cast %first : i32 to index
             {body}"
        )
    };
    let stepped = body("%count").replace("step %c1", "step %own");
    for own in [
        body("%own"),
        stepped.replace("scf.for", "scf.for unsigned"),
        stepped,
    ] {
        let (text, remarks) = with_remarks(&rows(&first(&own), "[m]i32"), &all_parallel());
        let most = text.find("arith.maxsi").expect("the most iterations");
        assert!(Some(most) < text.find("scf.for"), "{text}");
        assert!(
            remarks.contains("the nest moves into the loop, until the last point leaves it"),
            "{remarks}"
        );
    }
}

#[test]
fn a_nest_moves_into_a_branch_on_a_condition_that_is_the_same_everywhere() {
    let branch = |condition: &str| {
        format!(
            "%first = array.index %xs[%c0] : [m]i32
             %own = arith.cmpi sgt, %first, %zero : i32
             %r = scf.if {condition} -> (!array.array<[m]i32>) {{
               %ps = array.scan (%xs : [m]i32) {SUM}
               scf.yield %ps : !array.array<[m]i32>
             }} else {{
               scf.yield %xs : !array.array<[m]i32>
             }}
             array.yield %r : !array.array<[m]i32>"
        )
    };
    let text = flattened(&rows(&branch("%flag"), "[m]i32"), &all_parallel());
    assert!(
        text.find("scf.if %flag") < text.find("kernel.segscan"),
        "{text}"
    );
    assert_eq!(count(&text, "kernel.segscan"), 1, "{text}");
    // A condition of the point: its sides are made for all points, and the elements of one are taken.
    let own = rows(&branch("%own"), "[m]i32");
    let (text, remarks) = with_remarks(&own, &all_parallel());
    assert_eq!(count(&text, "kernel.segscan"), 1, "{text}");
    assert!(text.find("kernel.segscan") < text.find("scf.if"), "{text}");
    assert!(
        remarks.contains("both sides are made for all points of the nest"),
        "{remarks}"
    );
    // An element at an index is read by the points that come to it.
    let stops = own.replace(
        "scf.yield %ps : !array.array<[m]i32>",
        "%at = arith.index_cast %first : i32 to index
         %p = array.index %ps[%at] : [m]i32
         %m = array.dim %xs, 0 : [m]i32
         %all = array.replicate %p, [%m] : i32 -> [m]i32
         scf.yield %all : !array.array<[m]i32>",
    );
    assert_ne!(own, stops);
    let (text, remarks) = with_remarks(&stops, &all_parallel());
    assert_eq!(count(&text, "kernel.segscan"), 1, "{text}");
    assert!(
        text.find("scf.if") < text.rfind("{kernel.checked}"),
        "{text}"
    );
    assert!(
        remarks.contains("both sides are made for all points of the nest"),
        "{remarks}"
    );
    // An operator cannot ask which points it combines the values of.
    let stays = "its condition differs between the points of the nest";
    let divides = own.replace("arith.addi %acc, %x", "arith.divsi %acc, %x");
    assert_ne!(own, divides);
    let (text, remarks) = with_remarks(&divides, &all_parallel());
    assert_eq!(count(&text, "kernel.segscan"), 0, "{text}");
    assert!(remarks.contains(stays), "{remarks}");
}

/// A switch is branches that ask for one case each.
#[test]
fn a_switch_with_parallelism_inside_is_branches() {
    let body = format!(
        "%first = array.index %xs[%c0] : [m]i32
         %own = arith.index_cast %first : i32 to index
         %r = scf.index_switch %own -> !array.array<[m]i32>
         case 7 {{
           %ps = array.scan (%xs : [m]i32) {SUM}
           scf.yield %ps : !array.array<[m]i32>
         }}
         case -1 {{
           %ds = array.map (%x in %xs : [m]i32) {{
             %d = arith.addi %x, %x : i32
             array.yield %d : i32
           }}
           scf.yield %ds : !array.array<[m]i32>
         }}
         default {{
           scf.yield %xs : !array.array<[m]i32>
         }}
         array.yield %r : !array.array<[m]i32>"
    );
    let text = flattened(&rows(&body, "[m]i32"), &all_parallel());
    let loops = count(&text, "scf.for") + count(&text, "scf.index_switch");
    assert_eq!((count(&text, "kernel.segscan"), loops), (1, 0), "{text}");
    for case in ["constant 7 : index", "constant -1 : index"] {
        assert!(text.contains(case), "{text}");
    }
}

/// Values that a loop or branch the nest moves into needs of the body around are computed once, before; where that has no
/// place to be stored, the nest stays outside.
#[test]
fn what_is_expensive_is_stored_before_the_nest_moves_inside() {
    let inside = |place: &str, element: &str| {
        match place {
        "scf.for" => format!(
            "%r = scf.for %i = %c0 to %count step %c1 iter_args(%zs = %xs) -> (!array.array<[m]i32>) {{
               %new = array.map (%z in %zs : [m]i32) {{
                 {element}
                 %s = arith.addi %z, %y : i32
                 array.yield %s : i32
               }}
               scf.yield %new : !array.array<[m]i32>
             }}
             array.yield %r : !array.array<[m]i32>"
        ),
        _ => format!(
            "%r = scf.if %flag -> (!array.array<[m]i32>) {{
               %new = array.map (%z in %xs : [m]i32) {{
                 {element}
                 %s = arith.addi %z, %y : i32
                 array.yield %s : i32
               }}
               scf.yield %new : !array.array<[m]i32>
             }} else {{
               scf.yield %xs : !array.array<[m]i32>
             }}
             array.yield %r : !array.array<[m]i32>"
        ),
    }
    };
    let pass = Flatten {
        inner_reduce: InnerReduce::Sequential,
        ..Flatten::default()
    };
    for place in ["scf.for", "scf.if"] {
        let sum = format!("%y = array.reduce (%xs : [m]i32) {SUM}\n");
        let text = flattened(
            &rows(&format!("{sum}{}", inside(place, "")), "[m]i32"),
            &pass,
        );
        let host = text
            .find(&format!("\n    %r = {place}"))
            .or(text.find(&format!(" = {place}")));
        let moved = match place {
            // The first loop sums a row in a thread, the second is the host's.
            "scf.for" => text.match_indices(" = scf.for").map(|found| found.0).nth(1),
            _ => host,
        };
        let moved = moved.expect("the nest moved inside");
        assert!(
            text[..moved].contains("kernel.segmap thread (%arg0 < %0) -> (tensor<?xi32>)"),
            "{text}"
        );
        assert_eq!(
            count(&text[moved + 1..], " = scf.for"),
            0,
            "the sum is not made again\n{text}"
        );
        let irregular = "%first = array.index %xs[%c0] : [m]i32
             %p = arith.index_cast %first : i32 to index
             %is = array.iota %p : [?]i32
             %cs = array.scan (%is : [?]i32) init (%zero : i32) combine (%acc, %x) {
               %s = arith.addi %acc, %x : i32
               array.yield %s : i32
             }\n";
        let element = "%y = array.index %cs[%c0] : [?]i32";
        let (_, remarks) = with_remarks(
            &rows(&format!("{irregular}{}", inside(place, element)), "[m]i32"),
            &pass,
        );
        let why = format!(
            "{place} stays in the code of each thread: it needs an array whose extent differs"
        );
        assert!(remarks.contains(&why), "{remarks}");
    }
}

/// A loop over scalars is each point's own: moving the nest inside would make a kernel per round.
#[test]
fn a_loop_without_parallelism_stays_in_the_code_of_a_point() {
    let body = "%first = array.index %xs[%c0] : [m]i32
         %y = scf.for %i = %c0 to %count step %c1 iter_args(%a = %zero) -> (i32) {
           %b = arith.addi %a, %first : i32
           scf.yield %b : i32
         }
         array.yield %y : i32";
    let text = flattened(&rows(body, "i32"), &all_parallel());
    assert_eq!(
        (count(&text, "kernel.segmap"), count(&text, "scf.for")),
        (1, 1),
        "{text}"
    );
    assert!(text.find("kernel.segmap") < text.find("scf.for"), "{text}");
}

/// So are loops and branches whose arrays have a length for each point: there is nothing to be made for all points, and
/// rounds would only make kernels; no remark tells of those that were tried.
#[test]
fn control_flow_with_nothing_for_all_points_stays_in_the_code_of_a_point() {
    let sum = format!(
        "%ks = array.iota %i : [?]i32
         %e = array.reduce (%ks : [?]i32) {SUM}"
    );
    let bodies = [
        (
            "scf.for",
            format!(
                "%y = scf.for %i = %c0 to %own step %c1 iter_args(%a = %zero) -> (i32) {{
               {sum}
               %b = arith.addi %a, %e : i32
               scf.yield %b : i32
             }}"
            ),
        ),
        (
            "scf.while",
            format!(
                "%y, %at = scf.while (%a = %zero, %j = %own) : (i32, index) -> (i32, index) {{
               %on = arith.cmpi sgt, %j, %c0 : index
               scf.condition(%on) %a, %j : i32, index
             }} do {{
             ^bb0(%a: i32, %i: index):
               {sum}
               %b = arith.addi %a, %e : i32
               %next = arith.subi %i, %c1 : index
               scf.yield %b, %next : i32, index
             }}"
            ),
        ),
        (
            "scf.if",
            format!(
                "%some = arith.cmpi sgt, %own, %c1 : index
             %y = scf.if %some -> (i32) {{
               %i = arith.subi %own, %c1 : index
               {sum}
               scf.yield %e : i32
             }} else {{
               scf.yield %zero : i32
             }}"
            ),
        ),
        (
            "scf.for",
            format!(
                "%y = scf.for %j = %c0 to %count step %c1 iter_args(%a = %zero) -> (i32) {{
               %i = arith.maxsi %own, %j : index
               {sum}
               %b = arith.addi %a, %e : i32
               scf.yield %b : i32
             }}"
            ),
        ),
    ];
    for (name, body) in bodies {
        let body = format!(
            "%first = array.index %xs[%c0] : [m]i32
             %own = arith.index_cast %first : i32 to index
             {body}
             array.yield %y : i32"
        );
        let (text, remarks) = with_remarks(&rows(&body, "i32"), &all_parallel());
        let nests = ["segmap", "segred"].map(|nest| count(&text, &format!("kernel.{nest}")));
        assert_eq!(nests, [1, 0], "{name}\n{text}");
        assert!(text.find("kernel.segmap") < text.find(name), "{text}");
        assert!(!remarks.contains("moves into"), "{remarks}");
        assert!(!remarks.contains("becomes a segred"), "{remarks}");
    }
}

/// Rule "loop": the nest moves into a loop with bounds that all points share, and bounds stay unsigned. From 2^63 - 1 to
/// 2^63 + 1 the loop takes two steps; of signed numbers none.
#[test]
fn interchanged_loops_compare_their_bounds_as_they_did() {
    let body = |unsigned: &str| {
        format!(
            "%low = arith.constant 9223372036854775807 : index
             %two = arith.constant 2 : index
             %high = arith.addi %low, %two : index
             %ys = scf.for {unsigned}%i = %low to %high step %c1 iter_args(%ys = %xs) -> (!array.array<[m]i32>) {{
               %sum = array.reduce (%ys : [m]i32) {SUM}
               %zs = array.map (%y in %ys : [m]i32) {{\narray.yield %sum : i32\n}}
               scf.yield %zs : !array.array<[m]i32>
             }}
             array.yield %ys : !array.array<[m]i32>"
        )
    };
    for unsigned in ["unsigned ", ""] {
        let program = rows(&body(unsigned), "[m]i32");
        let text = flattened(&program, &all_parallel());
        assert_eq!(count(&text, "kernel.segred"), 1, "{text}");
        assert!(text.contains(&format!("scf.for {unsigned}%")), "{text}");
        support::same(
            unsigned,
            &program,
            &[
                support::ints(&[2, 3], 5),
                segra_interp::Datum::Int(0),
                segra_interp::Datum::bool(true),
            ],
        );
    }
}
