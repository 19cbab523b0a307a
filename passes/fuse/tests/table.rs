//! The table of fusion, all of it: every producer, with a cheap and an expensive body, through every view, into every consumer,
//! in one block, into a branch, out of a branch, into a loop, out of a loop. For each it is stated whether the array
//! between disappears, and why not; each program runs before and after at sizes 0, 1 and a prime.

mod support;

use segra_ir::Ir;
use segra_tests::array_programs::text_of;
use support::{PRODUCERS, consumers, fused, inputs, program};

/// Views between producer and consumer: name, text that makes `%v` of `%p`, text that counts its elements.
const VIEWS: &[(&str, &str, &str)] = &[
    ("nothing", "", ""),
    ("reverse", "%v = array.reverse %p, 0 : [n]i32", ""),
    (
        "slice",
        "%v = array.slice %p[%c0] sizes [%h] strides [%c2] : [n]i32 -> [?]i32",
        "%vc = arith.addi %h, %c0 : index",
    ),
    (
        "gather",
        "%v = array.gather %p[%order] : [n]i32, [n]index",
        "",
    ),
    (
        "reshape",
        "%v = array.reshape %p, [%n] : [n]i32 -> [?]i32",
        "%vc = arith.addi %n, %c0 : index",
    ),
    (
        "concat",
        "%v = array.concat %p, %ys : [n]i32, [n]i32 -> [?]i32",
        "%vc = arith.addi %n, %n : index",
    ),
    (
        "pad",
        "%v = array.pad %p, %k low [%c1] high [%c2] : [n]i32 -> [?]i32",
        "%vd = arith.addi %n, %c1 : index\n%vc = arith.addi %vd, %c2 : index",
    ),
    (
        "pad of concat",
        "%j = array.concat %p, %ys : [n]i32, [n]i32 -> [?]i32\n\
         %v = array.pad %j, %k low [%c1] high [%c2] : [?]i32 -> [?]i32",
        "%vb = arith.addi %n, %n : index\n%vd = arith.addi %vb, %c1 : index\n%vc = arith.addi %vd, %c2 : index",
    ),
    (
        "concat of pad and replicate",
        "%j = array.pad %p, %k low [%c1] high [%c2] : [n]i32 -> [?]i32\n\
         %ks = array.replicate %k, [%h] : i32 -> [?]i32\n\
         %v = array.concat %ks, %j, %ys : [?]i32, [?]i32, [n]i32 -> [?]i32",
        "%va = arith.addi %n, %c1 : index\n%vb = arith.addi %va, %c2 : index\n%vd = arith.addi %vb, %n : index\n\
         %vc = arith.addi %vd, %h : index",
    ),
    (
        "reverse of concat",
        "%j = array.concat %p, %ys : [n]i32, [n]i32 -> [?]i32\n%v = array.reverse %j, 0 : [?]i32",
        "%vc = arith.addi %n, %n : index",
    ),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Straight,
    IntoBranch,
    OutOfBranch,
    IntoLoop,
    OutOfLoop,
}

/// Why an array stays.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Why {
    /// Illegal: all of it must be there before the consumer can start.
    Whole,
    /// No op both reduces and scans, scans in both ways, or returns arrays beside a scatter or hist.
    NoOp,
    /// The producer combines its elements in their order, the consumer sees them in another.
    Order,
    /// Expensive work would be done more than once.
    Repeats,
    /// It would run in every round instead of once.
    EveryRound,
}

/// Whether the array between producer and consumer disappears.
fn verdict(
    producer: &str,
    expensive: bool,
    view: &str,
    consumer: &str,
    place: Place,
    with: &[&str],
) -> Result<(), Why> {
    if matches!(producer, "scan" | "scatter" | "hist") {
        return Err(Why::Whole);
    }
    if place == Place::OutOfLoop {
        return Err(Why::EveryRound);
    }
    let joined = view.contains("concat") || view == "pad";
    // These read each part in its order.
    let in_parts = matches!(view, "concat" | "pad") && consumer == "map"
        || view == "concat" && matches!(consumer, "reduce" | "redomap");
    if view != "nothing" && producer != "map" && !in_parts {
        return Err(Why::Order);
    }
    if view == "gather" && expensive {
        return Err(Why::Repeats);
    }
    // A cheap array is computed again rather than stored, in loops too. A joined array is read where it is.
    if place == Place::IntoLoop {
        return if expensive || joined {
            Err(Why::Repeats)
        } else {
            Ok(())
        };
    }
    let again = !expensive && place != Place::OutOfBranch && (view == "nothing" || in_parts);
    if with.contains(&producer) || again {
        Ok(())
    } else {
        Err(Why::NoOp)
    }
}

/// The producer's text with a body of two or of fourteen operations.
fn producer_text(text: &str, expensive: bool) -> String {
    if !expensive {
        return text.to_owned();
    }
    let mut body = "%d0 = arith.muli %x, %k : i32\n".to_owned();
    (0..12).for_each(|at| body += &format!("%d{} = arith.xori %d{at}, %x : i32\n", at + 1));
    text.replace(
        "%y = arith.muli %x, %k : i32",
        &format!("{body}%y = arith.muli %d12, %k : i32"),
    )
}

/// The consumer over `%v : size`, with indices as many as `count` says.
fn consumer_text(text: &str, size: &str, count: &str) -> String {
    let over = text.replace("%e in %p : [n]i32", &format!("%e in %v : {size}i32"));
    let over = over.replace("(%p : [n]i32)", &format!("(%v : {size}i32)"));
    if count.is_empty() || !over.contains("%is") {
        return over;
    }
    format!(
        "{count}\n%vi = array.iota %vc : [?]index\n{}",
        over.replace("%is : [n]index", "%vi : [?]index")
    )
}

/// Whether what the producer makes is stored, as it is or as its reader sees it.
fn is_stored(ir: &Ir) -> bool {
    ir.walk(ir.root()).into_iter().any(|op| {
        segra_array::combinator::is_combinator(ir, op)
            && ir.results(op).any(|result| {
                let between = |name| matches!(ir.ctx().str(name), "p" | "v");
                ir.value_name(result).is_some_and(between) && ir.has_uses(result)
            })
    })
}

/// A view of `%ys` instead of `%p`, by other names.
fn start_view(view: &str) -> String {
    view.replace("%v =", "%w =")
        .replace("%p", "%ys")
        .replace("%j", "%j0")
        .replace("%ks", "%ks0")
}

/// The program of a row of the table; `read` goes over `%v`.
fn text(made: &str, view: &str, read: &str, size: &str, ty: &str, place: Place) -> String {
    let read = if view.is_empty() {
        read.replace("%v ", "%p ")
    } else {
        read.to_owned()
    };
    let branch = "%cond = arith.cmpi sgt, %k, %zero : i32\n";
    let array = format!("!array.array<{size}i32>");
    // The start of the loops and the end of the other ways, of the consumer's type.
    let other = match (ty, size) {
        ("i32", _) => "%k",
        (_, "[n]") => "%ys",
        _ if ty.contains("[n]") => "%ys",
        _ => "%other",
    };
    let unknown = "%other = array.cast %ys : [n]i32 -> [?]i32\n";
    let body = match place {
        Place::Straight => format!("{made}\n{view}\n{read}"),
        Place::IntoBranch => format!(
            "{unknown}{made}\n{view}\n{branch}%res = scf.if %cond -> ({ty}) {{\n{read}\nscf.yield %r : {ty}\n}} else {{\nscf.yield {other} : {ty}\n}}"
        ),
        Place::IntoLoop => format!(
            "{unknown}{made}\n{view}\n%res = scf.for %it = %c0 to %c2 step %c1 iter_args(%acc = {other}) -> ({ty}) {{\n\
             {read}\nscf.yield %r : {ty}\n}}"
        ),
        Place::OutOfBranch => {
            let (last, start) = if view.is_empty() {
                ("%p", "%ys")
            } else {
                ("%v", "%w")
            };
            let start_view = start_view(view);
            let read = read
                .replace(&format!("%e in {last}"), "%e in %b")
                .replace(&format!("({last} :"), "(%b :");
            format!(
                "{branch}%b = scf.if %cond -> ({array}) {{\n{made}\n{view}\nscf.yield {last} : {array}\n}} else {{\n{start_view}\n\
                 scf.yield {start} : {array}\n}}\n{read}"
            )
        }
        Place::OutOfLoop => {
            let (last, start) = if view.is_empty() {
                ("%p", "%ys")
            } else {
                ("%v", "%w")
            };
            let start_view = start_view(view);
            let read = read
                .replace(&format!("%e in {last}"), "%e in %b")
                .replace(&format!("({last} :"), "(%b :");
            format!(
                "{start_view}\n%b = scf.for %it = %c0 to %c2 step %c1 iter_args(%acc = {start}) -> ({array}) {{\n{made}\n{view}\n\
                 scf.yield {last} : {array}\n}}\n{read}"
            )
        }
    };
    let result = if matches!(place, Place::IntoBranch | Place::IntoLoop) {
        "%res"
    } else {
        "%r"
    };
    program(&body, result, ty)
}

#[test]
fn every_producer_view_consumer_and_place() {
    let places = [
        Place::Straight,
        Place::IntoBranch,
        Place::OutOfBranch,
        Place::IntoLoop,
        Place::OutOfLoop,
    ];
    let (mut wrong, mut count) = (Vec::new(), [0, 0]);
    for (producer, made) in PRODUCERS.iter().filter(|row| row.0 != "reduce") {
        for expensive in [false, true] {
            // An op without a body is neither.
            if expensive && matches!(*producer, "scan" | "scatter" | "hist") {
                continue;
            }
            for (view, seen, extent) in VIEWS {
                for (consumer, read, ty, with) in consumers() {
                    let size = if matches!(*view, "nothing" | "reverse" | "gather") {
                        "[n]"
                    } else {
                        "[?]"
                    };
                    let ty = if consumer.contains("scatter") || consumer.contains("hist") {
                        ty.to_owned()
                    } else {
                        ty.replace("[n]", size)
                    };
                    for place in places {
                        let source = text(
                            &producer_text(made, expensive),
                            seen,
                            &consumer_text(&read, size, extent),
                            size,
                            &ty,
                            place,
                        );
                        let after = fused(&source, &inputs());
                        let wanted = verdict(producer, expensive, view, consumer, place, with);
                        count[usize::from(wanted.is_ok())] += 1;
                        if is_stored(&after) == wanted.is_ok() {
                            let name = if expensive { "expensive" } else { "cheap" };
                            wrong.push(format!(
                                "{name} {producer} through {view} into {consumer}, {place:?}: {wanted:?}"
                            ));
                            if wrong.len() == 1 {
                                println!("{source}\n{}", text_of(&after));
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {count:?}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Readers of the whole of a nest, in another order of its dimensions or as one: every consumer, in a map over the rows
/// or over all elements.
#[test]
fn nests_meet_every_consumer_through_views_of_several_dimensions() {
    let rows = "%xss = array.replicate %xs, [%n] : [n]i32 -> [n][n]i32\n%p = array.map (%row in %xss : [n][n]i32) {\n\
        %line = array.map (%w in %row : [n]i32) {\n%y = arith.muli %k, %w : i32\narray.yield %y : i32\n}\n\
        array.yield %line : !array.array<[n]i32>\n}";
    let views = [
        (
            "transpose",
            "%v = array.rearrange %p, [1, 0] : [n][n]i32",
            "[n][n]",
            true,
        ),
        (
            "reverse of rows",
            "%v = array.reverse %p, 1 : [n][n]i32",
            "[n][n]",
            true,
        ),
        (
            "reverse",
            "%v = array.reverse %p, 0 : [n][n]i32",
            "[n][n]",
            true,
        ),
        (
            "slice",
            "%v = array.slice %p[%c0, %c0] sizes [%h, %n] strides [%c2, %c1] : [n][n]i32 -> [?][n]i32",
            "[?][n]",
            true,
        ),
        (
            "gather",
            "%v = array.gather %p[%order] : [n][n]i32, [n]index",
            "[n][n]",
            true,
        ),
        (
            "reshape",
            "%nn = arith.muli %n, %n : index\n%v = array.reshape %p, [%nn] : [n][n]i32 -> [?]i32",
            "[?]",
            false,
        ),
    ];
    for (name, view, size, nested) in views {
        for (consumer, read, ty, _) in consumers() {
            for (kind, made) in [("outer product", NEST), ("rows", rows)] {
                if name == "gather" {
                    continue;
                }
                let stays = name == "reshape" && kind == "outer product" && consumer != "map";
                let (read, ty) = if nested {
                    let row = read
                        .replace("%e in %p", "%e in %one")
                        .replace("(%p :", "(%one :")
                        .replace("%r =", "%q =");
                    let outer = size.strip_suffix("[n]").unwrap_or(size);
                    let whole = match ty {
                        "i32" => format!("!array.array<{outer}i32>"),
                        _ => format!("!array.array<{outer}[n]i32>"),
                    };
                    (
                        format!(
                            "%r = array.map (%one in %v : {size}i32) {{\n{row}\narray.yield %q : {ty}\n}}"
                        ),
                        whole,
                    )
                } else if matches!(consumer, "scatter" | "hist") {
                    (
                        consumer_text(&read, size, "%vc = arith.addi %nn, %c0 : index"),
                        ty.to_owned(),
                    )
                } else {
                    (consumer_text(&read, size, ""), ty.replace("[n]", size))
                };
                let source = program(&format!("{made}\n{view}\n{read}"), "%r", &ty);
                let after = fused(&source, &inputs());
                assert_eq!(
                    is_stored(&after),
                    stays,
                    "{kind} through {name} into {consumer}\n{source}\n{}",
                    text_of(&after)
                );
            }
        }
    }
}

/// A map that reduces rows has no reshape: its rows are no numbers.
#[test]
fn sums_of_rows_are_reshaped_where_they_are_made() {
    let made = "%xss = array.replicate %xs, [%n] : [n]i32 -> [n][n]i32\n%p = array.map (%row in %xss : [n][n]i32) {\n\
        %y = array.reduce (%row : [n]i32) init (%zero : i32) combine (%s, %x) {\n%t = arith.addi %s, %x : i32\narray.yield %t : i32\n}\n\
        array.yield %y : i32\n}";
    let view = "%v = array.reshape %p, [%n, %c1] : [n]i32 -> [n][1]i32";
    let read = "%r = array.map (%row in %v : [n][1]i32) {\n%e = array.index %row[%c0] : [1]i32\narray.yield %e : i32\n}";
    let after = fused(
        &program(
            &format!("{made}\n{view}\n{read}"),
            "%r",
            "!array.array<[n]i32>",
        ),
        &inputs(),
    );
    assert!(is_stored(&after), "{}", text_of(&after));
}

/// A reduction of what the round before made: one traversal per round. An op that is expensive, or may stop the program, is not
/// done once more for the last round.
#[test]
fn rounds_of_a_loop_meet() {
    let looped = |first: &str, used: &str| {
        format!(
            "%res = scf.for %it = %c0 to %c3 step %c1 iter_args(%a = %xs) -> (!array.array<[n]i32>) {{\n{first}\n\
             %g = array.map (%x in %a : [n]i32{used}) {{\n%y = arith.xori %x, %s : i32\narray.yield %y : i32\n}}\n\
             scf.yield %g : !array.array<[n]i32>\n}}"
        )
    };
    let sum = "%s = array.redomap (%x in %a : [n]i32) init (%zero : i32) map {\nBODYarray.yield %y : i32\n} combine (%b, %c) {\n\
        %d = arith.addi %b, %c : i32\narray.yield %d : i32\n}";
    let cheap = sum.replace("BODY", "%y = arith.muli %x, %x : i32\n");
    let stops = sum.replace("BODY", "%y = arith.divsi %x, %k : i32\n");
    let mut expensive = "%y0 = arith.muli %x, %x : i32\n".to_owned();
    (0..12).for_each(|at| expensive += &format!("%y{} = arith.xori %y{at}, %x : i32\n", at + 1));
    let expensive = sum
        .replace("BODY", &expensive)
        .replace("array.yield %y :", "array.yield %y12 :");
    let scan = "%ps = array.scan (%a : [n]i32) init (%zero : i32) combine (%b, %x) {\n%d = arith.addi %b, %x : i32\narray.yield %d : i32\n}";
    let three = "%c3 = arith.constant 3 : index\n";
    let array = "!array.array<[n]i32>";
    let count = |source: &str| {
        let after = fused(source, &inputs());
        let inside = |op| ir_is_in_loop(&after, op);
        let found = after
            .walk(after.root())
            .into_iter()
            .filter(|&op| segra_array::combinator::is_combinator(&after, op) && inside(op));
        (found.count(), text_of(&after))
    };
    let source = |first: &str| program(&format!("{three}{}", looped(first, "")), "%res", array);
    for (what, first, wanted) in [
        ("cheap", &cheap, 1),
        ("expensive", &expensive, 2),
        ("stops", &stops, 2),
    ] {
        let (found, after) = count(&source(first));
        assert_eq!(found, wanted, "{what}\n{after}");
    }
    // A value computed in the round is not available before the loop.
    let own = cheap.replace(
        "%s = array",
        "%ii = arith.index_cast %it : index to i32\n%s = array",
    );
    let own = own.replace("%y = arith.muli %x, %x", "%y = arith.muli %x, %ii");
    let (found, after) = count(&source(&own));
    assert_eq!(found, 2, "{after}");
    // Prefixes that the next array is made of.
    let prefixes = looped(scan, ", %s in %ps : [n]i32");
    let (found, after) = count(&program(&format!("{three}{prefixes}"), "%res", array));
    assert_eq!(
        (found, after.matches("array.scanomap").count()),
        (1, 1),
        "{after}"
    );
    // One round meets no other.
    let once = source(&cheap).replace("to %c3", "to %c1");
    assert_eq!(count(&once).0, 2);
}

/// The same of a loop that a condition ends: what its second region does first; and what the first region decides by, which
/// runs as often as before wherever it stands, so it may be expensive.
#[test]
fn rounds_of_a_loop_with_a_condition_meet() {
    let sum = "%s = array.redomap (%x in %a : [n]i32) init (%zero : i32) map {\nBODYarray.yield %y : i32\n} combine (%u, %v) {\n\
        %w = arith.addi %u, %v : i32\narray.yield %w : i32\n}";
    let bodies = |sum: &str| {
        let mut expensive = "%y0 = arith.muli %x, %x : i32\n".to_owned();
        (0..12)
            .for_each(|at| expensive += &format!("%y{} = arith.xori %y{at}, %x : i32\n", at + 1));
        let expensive = sum
            .replace("BODY", &expensive)
            .replace("array.yield %y :", "array.yield %y12 :");
        let cheap = sum.replace("BODY", "%y = arith.muli %x, %x : i32\n");
        [
            ("cheap", cheap),
            ("expensive", expensive),
            (
                "stops",
                sum.replace("BODY", "%y = arith.divsi %x, %k : i32\n"),
            ),
        ]
    };
    let types = "!array.array<[n]i32>, i32";
    let looped = |test: &str, decided: &str, passed: &str, first: &str, used: &str| {
        let three = "%one = arith.constant 1 : i32\n%three = arith.constant 3 : i32\n";
        let looped = format!(
            "%res, %rounds = scf.while (%a = %xs, %i = %zero) : ({types}) -> ({types}) {{\n{test}\n\
             %few = arith.cmpi slt, %i, %three : i32\n%more = arith.cmpi sle, {decided}, %three : i32\n\
             %go = arith.ori %few, %more : i1\n%on = arith.andi %go, %few : i1\n\
             scf.condition(%on) {passed}, %i : {types}\n}} do {{\n^bb0(%a2: !array.array<[n]i32>, %j: i32):\n{first}\n\
             %g = array.map (%x in %a2 : [n]i32) {{\n%y = arith.xori %x, {used} : i32\narray.yield %y : i32\n}}\n\
             %next = arith.addi %j, %one : i32\nscf.yield %g, %next : {types}\n}}"
        );
        program(&format!("{three}{looped}"), "%res, %rounds", types)
    };
    let count = |source: &str| {
        let after = fused(source, &inputs());
        let all = after.walk(after.root());
        let found = all.into_iter().filter(|&op| {
            segra_array::combinator::is_combinator(&after, op) && ir_is_in_loop(&after, op)
        });
        (found.count(), text_of(&after))
    };
    for (what, first) in bodies(sum) {
        let (found, after) = count(&looped(&first, "%s", "%a", "", "%k"));
        assert_eq!(
            found,
            if what == "stops" { 2 } else { 1 },
            "decided by what is {what}\n{after}"
        );
    }
    let behind = sum.replace("%a :", "%a2 :");
    for (what, first) in bodies(&behind) {
        let (found, after) = count(&looped("", "%i", "%a", &first, "%s"));
        assert_eq!(
            found,
            if what == "cheap" { 1 } else { 2 },
            "first of the second region, {what}\n{after}"
        );
    }
    // The second region is handed something else than the first was.
    let (_, cheap) = &bodies(&behind)[0];
    let (found, after) = count(&looped(
        "%o = array.reverse %a, 0 : [n]i32",
        "%i",
        "%o",
        cheap,
        "%s",
    ));
    assert_eq!(found, 2, "{after}");
}

fn ir_is_in_loop(ir: &Ir, op: segra_ir::Op) -> bool {
    ir.ancestors(op)
        .any(|around| matches!(ir.op_name_str(around), "scf.for" | "scf.while"))
}

/// A matrix `%p` made by a nest.
const NEST: &str = "%p = array.map (%x in %xs : [n]i32) {\n%line = array.map (%w in %ys : [n]i32) {\n%y = arith.subi %x, %w : i32\n\
    array.yield %y : i32\n}\narray.yield %line : !array.array<[n]i32>\n}";

/// Joined matrices and padded ones, with views between: rows, columns and all elements are read where they are made.
#[test]
fn joined_rows_and_padded_matrices_meet_what_reads_them() {
    let other = "%q = array.replicate %ys, [%h] : [n]i32 -> [?][n]i32";
    let joined = "%j = array.concat %p, %q : [n][n]i32, [?][n]i32 -> [?][n]i32";
    let low = "%j = array.pad %p, %k low [%c1, %c2] high [%c2, %c1] : [n][n]i32 -> [?][?]i32";
    let views = [
        (
            "concat",
            format!("{other}\n{}", joined.replace("%j", "%v")),
            "[?][n]",
        ),
        (
            "transpose of concat",
            format!("{other}\n{joined}\n%v = array.rearrange %j, [1, 0] : [?][n]i32"),
            "[n][?]",
        ),
        (
            "reverse of concat",
            format!("{other}\n{joined}\n%v = array.reverse %j, 1 : [?][n]i32"),
            "[?][n]",
        ),
        (
            "concat of transpose",
            format!(
                "{other}\n%t = array.rearrange %p, [1, 0] : [n][n]i32\n%v = array.concat %q, %t : [?][n]i32, [n][n]i32 -> [?][n]i32"
            ),
            "[?][n]",
        ),
        ("pad", low.replace("%j", "%v"), "[?][?]"),
        (
            "transpose of pad",
            format!("{low}\n%v = array.rearrange %j, [1, 0] : [?][?]i32"),
            "[?][?]",
        ),
        (
            "pad of concat",
            format!(
                "{other}\n{joined}\n%v = array.pad %j, %k low [%c1, %c0] high [%c0, %c2] : [?][n]i32 -> [?][?]i32"
            ),
            "[?][?]",
        ),
    ];
    for (name, view, size) in &views {
        let (outer, inner) = size.split_at(3);
        let row_type = format!("!array.array<{inner}i32>");
        let readers = [
            (
                "map",
                format!(
                    "%e = array.map (%x in %one : {inner}i32) {{\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}}"
                ),
                row_type.clone(),
            ),
            (
                "reduce",
                format!(
                    "%e = array.reduce (%one : {inner}i32) init (%zero : i32) combine (%s, %x) {{\n%y = arith.addi %s, %x : i32\narray.yield %y : i32\n}}"
                ),
                "i32".to_owned(),
            ),
            (
                "scan",
                format!(
                    "%e = array.scan (%one : {inner}i32) init (%zero : i32) combine (%s, %x) {{\n%y = arith.addi %s, %x : i32\narray.yield %y : i32\n}}"
                ),
                row_type,
            ),
        ];
        for (reader, body, ty) in readers {
            let whole = match &ty[..] {
                "i32" => format!("!array.array<{outer}i32>"),
                _ => format!("!array.array<{size}i32>"),
            };
            let read = format!(
                "%r = array.map (%one in %v : {size}i32) {{\n{body}\narray.yield %e : {ty}\n}}"
            );
            let after = fused(
                &program(&format!("{NEST}\n{view}\n{read}"), "%r", &whole),
                &inputs(),
            );
            let text = text_of(&after);
            assert!(!is_stored(&after), "{name} into {reader}\n{text}");
            for gone in ["array.concat", "array.pad", "array.rearrange"] {
                assert!(
                    !text.contains(gone),
                    "{gone} of {name} into {reader}\n{text}"
                );
            }
        }
    }
}

/// Rows whose sizes may differ stay what they are: joining them is where that stops the program.
#[test]
fn joined_rows_of_unknown_sizes_are_stored() {
    let unknown = "%u = array.cast %xss : [n][n]i32 -> [?][?]i32\n%v = array.concat %p, %u : [n][n]i32, [?][?]i32 -> [?][n]i32";
    let rows = "%xss = array.map (%x in %ys : [n]i32) {\n%line = array.map (%w in %xs : [n]i32) {\n%y = arith.muli %x, %w : i32\n\
        array.yield %y : i32\n}\narray.yield %line : !array.array<[n]i32>\n}";
    let read = "%r = array.map (%one in %v : [?][n]i32) {\n%e = array.reduce (%one : [n]i32) init (%zero : i32) combine (%s, %x) \
        {\n%y = arith.addi %s, %x : i32\narray.yield %y : i32\n}\narray.yield %e : i32\n}";
    let after = fused(
        &program(
            &format!("{rows}\n{NEST}\n{unknown}\n{read}"),
            "%r",
            "!array.array<[?]i32>",
        ),
        &inputs(),
    );
    assert!(is_stored(&after), "{}", text_of(&after));
}
