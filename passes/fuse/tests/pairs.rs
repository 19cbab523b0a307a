//! Shared traversals beyond pairs of a producer and a consumer (those are in `table`): neighbours, several users,
//! loops, effects. Each program runs before and after at sizes 0, 1 and a prime.

mod support;

use segra_tests::array_programs::{assert_linear, combinators, parse, text_of};
use support::{PRODUCERS, TAIL, consumers, fuse, fused_program as fused, program};

/// Two that do not depend on each other, over one array: `true` where they share a traversal.
#[test]
fn neighbours_share_a_traversal_as_the_table_says() {
    let stores = |name: &str| !matches!(name, "scatter" | "hist");
    let kind = |name: &str| match name {
        "map" => 0,
        "reduce" | "redomap" => 1,
        "scan" | "scanomap" => 2,
        "exclusive scan" => 3,
        "scatter" => 4,
        _ => 5,
    };
    for (a, first, first_type, _) in consumers() {
        for (b, second, second_type, _) in consumers() {
            let first = first.replace("%p", "%xs").replace("%r =", "%a =");
            let second = second.replace("%p", "%xs").replace("%r =", "%b =");
            let text = program(
                &format!("{first}\n{second}"),
                "%a, %b",
                &format!("{first_type}, {second_type}"),
            );
            let (after, count) = fused(&text);
            // A map beside what combines; or two of one kind. An op that scatters returns nothing else.
            let together =
                kind(a) == kind(b) || stores(a) && stores(b) && kind(a).min(kind(b)) == 0;
            // Equal ones are another pass's business, but share the traversal all the same.
            assert_eq!(
                count,
                if together { 1 } else { 2 },
                "{a} beside {b}\n{after}"
            );
        }
    }
}

const SCATTER: &str = "array.scatter (%i in %is : [n]index, %e in %xs : [n]i32) into (%ys : [n]i32) {\n%j = arith.addi %i, %c1 : index\n\
    array.yield %j, %e : index, i32\n}";

/// Two scatters share a traversal where the index is the same, and only there.
#[test]
fn scatters_to_different_places_stay_apart() {
    let other = SCATTER.replace("%j = arith.addi %i, %c1", "%j = arith.addi %i, %c2");
    let into = SCATTER.replace("into (%ys", "into (%a");
    let array = "!array.array<[n]i32>";
    for (second, wanted) in [(SCATTER.to_owned(), 1), (other, 2), (into, 2)] {
        let text = program(
            &format!("%a = {SCATTER}\n%b = {second}"),
            "%a, %b",
            &format!("{array}, {array}"),
        );
        let (after, count) = fused(&text);
        assert_eq!(count, wanted, "{after}");
    }
}

/// The same operations on the same elements are another index where their properties differ: a constant's value, a
/// comparison's predicate, flags.
#[test]
fn scatters_whose_indices_differ_in_properties_stay_apart() {
    let scatter = |constant: i32, predicate: &str, flag: &str| {
        format!(
            "array.scatter (%i in %is : [n]index, %e in %xs : [n]i32) into (%ys : [n]i32) {{\n%c = arith.constant {constant} : index\n\
            %b = arith.cmpi {predicate}, %i, %c2 : index\n%d = arith.addi %i, %c {flag} : index\n%j = arith.select %b, %d, %i : index\n\
            array.yield %j, %e : index, i32\n}}"
        )
    };
    let array = "!array.array<[n]i32>";
    let first = scatter(1, "ult", "");
    for (second, wanted) in [
        (first.clone(), 1),
        (scatter(3, "ult", ""), 2),
        (scatter(1, "uge", ""), 2),
        (scatter(1, "ult", "overflow<nsw>"), 2),
    ] {
        let text = program(
            &format!("%a = {first}\n%b = {second}"),
            "%a, %b",
            &format!("{array}, {array}"),
        );
        let (after, count) = fused(&text);
        assert_eq!(count, wanted, "{after}");
    }
}

/// Rows of two shapes have no points in common: their scatters would be taken apart again.
#[test]
fn scatters_of_rows_of_two_shapes_stay_apart() {
    let scatter = |of: &str, into: &str, row: &str| {
        format!(
            "array.scatter (%i in %is : [n]index, %e in {of} : [n][{row}]i32) into ({into} : [m][{row}]i32) {{\n\
            array.yield %i, %e : index, !array.array<[{row}]i32>\n}}"
        )
    };
    for (row, wanted) in [("k", 1), ("l", 2), ("?", 2)] {
        let text = format!(
            "func.func @main(%is: !array.array<[n]index>, %xs: !array.array<[n][k]i32>, %ys: !array.array<[n][{row}]i32>,
             %p: !array.array<[m][k]i32>, %q: !array.array<[m][{row}]i32>) -> (!array.array<[m][k]i32>, !array.array<[m][{row}]i32>) {{
             %a = {}\n%b = {}\nfunc.return %a, %b : !array.array<[m][k]i32>, !array.array<[m][{row}]i32>\n}}",
            scatter("%xs", "%p", "k"),
            scatter("%ys", "%q", row)
        );
        let mut ir = parse(&text);
        fuse(&mut ir);
        assert_eq!(combinators(&ir), wanted, "{row}: {}", text_of(&ir));
    }
}

/// Hardware adds integers where they lie; in one op with a longer operator, one warp of a block would do both.
#[test]
fn a_histogram_of_atomics_is_not_put_under_locks() {
    let hist = |op: &str| {
        format!(
            "array.hist (%i in %is : [n]index, %e in %xs : [n]i32) into (%ys : [n]i32) neutral (%zero : i32) map {{\n\
            array.yield %i, %e : index, i32\n}} combine (%s, %u) {{\n{op}array.yield %t : i32\n}}"
        )
    };
    let add = hist("%t = arith.addi %s, %u : i32\n");
    let xor = hist("%t = arith.xori %s, %u : i32\n");
    let longer = hist(
        "%v = arith.ori %s, %u : i32\n%w = arith.andi %s, %u : i32\n%t = arith.subi %v, %w : i32\n",
    );
    let array = "!array.array<[n]i32>";
    for (second, wanted) in [(xor, 1), (longer, 2)] {
        let text = program(
            &format!("%a = {add}\n%b = {second}"),
            "%a, %b",
            &format!("{array}, {array}"),
        );
        let (after, count) = fused(&text);
        assert_eq!(count, wanted, "{after}");
    }
}

/// With another user of the producer's array, later: returned beside, or where the consumer cannot, stored.
#[test]
fn a_producer_with_a_later_user_is_returned_beside() {
    for (consumer, read, ty, _) in consumers() {
        let text = program(
            &format!("{}\n{read}", PRODUCERS[0].1.replace("muli", "divsi")),
            "%r, %p",
            &format!("{ty}, !array.array<[n]i32>"),
        );
        let (after, count) = fused(&text);
        let stores = !matches!(consumer, "scatter" | "hist");
        assert_eq!(
            count,
            if stores { 1 } else { 2 },
            "map into {consumer}\n{after}"
        );
    }
}

/// Views between a map and everything that can read what it makes.
#[test]
fn a_map_meets_every_consumer_through_views() {
    let views: &[(&str, &str)] = &[
        ("reverse", "array.reverse %p0, 0 : [n]i32"),
        ("gather", "array.gather %p0[%order] : [n]i32, [n]index"),
        (
            "slice",
            "array.slice %p0[%c0] sizes [%n] strides [%c1] : [n]i32 -> [n]i32",
        ),
    ];
    let made = PRODUCERS[0].1.replace("%p =", "%p0 =");
    for (name, view) in views {
        for (consumer, read, ty, _) in consumers() {
            let (after, count) = fused(&program(&format!("{made}\n%p = {view}\n{read}"), "%r", ty));
            assert_eq!(count, 1, "map through {name} into {consumer}\n{after}");
        }
    }
    // A replicated value is no array at all.
    for (consumer, read, ty, _) in consumers() {
        let other = "%q = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}";
        let beside = read.replacen(
            "%e in %p : [n]i32",
            "%e0 in %p : [n]i32, %e in %q : [n]i32",
            1,
        );
        if matches!(
            consumer,
            "map" | "redomap" | "scanomap" | "scatter" | "hist"
        ) {
            let text = program(
                &format!("%p = array.replicate %k, [%n] : i32 -> [n]i32\n{other}\n{beside}"),
                "%r",
                ty,
            );
            let (after, count) = fused(&text);
            assert_eq!(
                (count, after.matches("array.replicate").count()),
                (1, 0),
                "{consumer}\n{after}"
            );
        }
    }
}

/// Rows are chosen before the map, and of each row a part is made.
#[test]
fn slices_of_several_dimensions_move_into_the_nest() {
    let made = "%rows = array.map (%x in %xs : [n]i32) {\n%row = array.map (%y in %ys : [n]i32) {\n%z = arith.muli %x, %y : i32\narray.yield %z : i32\n}\n\
        array.yield %row : !array.array<[n]i32>\n}";
    let view = "%v = array.slice %rows[%c0, %c0] sizes [%h, %h] strides [%c2, %c1] : [n][n]i32 -> [?][?]i32";
    let read = "%r = array.map (%row in %v : [?][?]i32) {\n%s = array.reduce (%row : [?]i32) init (%zero : i32) combine (%t, %e) {\n\
        %u = arith.addi %t, %e : i32\narray.yield %u : i32\n}\narray.yield %s : i32\n}";
    let (after, count) = fused(&program(
        &format!("{made}\n{view}\n{read}"),
        "%r",
        "!array.array<[?]i32>",
    ));
    assert_eq!(
        (count, after.matches("[n][n]i32").count()),
        (2, 0),
        "{after}"
    );
}

/// Readers of arrays that were joined read each of them, and a reduction needs no joined array at all.
#[test]
fn concat_and_pad_let_producers_meet_consumers() {
    let made = PRODUCERS[0].1;
    let join = "%c = array.concat %p, %ys : [n]i32, [n]i32 -> [?]i32";
    let read =
        "array.map (%e in %c : [?]i32) {\n%t = arith.addi %e, %k : i32\narray.yield %t : i32\n}";
    let ty = "!array.array<[?]i32>";
    let (after, count) = fused(&program(&format!("{made}\n{join}\n%r = {read}"), "%r", ty));
    // One over %xs and one over %ys, which have one extent: a traversal of both.
    assert_eq!(
        (count, after.matches("array.map ").count()),
        (1, 1),
        "{after}"
    );
    let sum = format!("%r = array.reduce (%c : [?]i32) init (%zero : i32) combine (%s, %e) {TAIL}");
    let (after, count) = fused(&program(&format!("{made}\n{join}\n{sum}"), "%r", "i32"));
    assert_eq!(
        (count, after.matches("array.concat").count()),
        (1, 0),
        "{after}"
    );
    let pad = "%c = array.pad %p, %k low [%c1] high [%c2] : [n]i32 -> [?]i32";
    let (after, count) = fused(&program(&format!("{made}\n{pad}\n%r = {read}"), "%r", ty));
    assert_eq!(count, 1, "{after}");
    assert!(!after.contains("array.pad"), "{after}");
    // Nothing meets where no part is made here, or where the joined array is used otherwise.
    let plain = "%c = array.concat %xs, %ys : [n]i32, [n]i32 -> [?]i32";
    let (after, _) = fused(&program(&format!("{plain}\n%r = {read}"), "%r", ty));
    assert!(
        after.find("array.concat") < after.find("array.map"),
        "{after}"
    );
    let (after, count) = fused(&program(
        &format!("{made}\n{join}\n%r = {read}"),
        "%r, %c",
        &format!("{ty}, {ty}"),
    ));
    assert_eq!(count, 2, "{after}");
}

/// A gather may read an element many times: what is expensive is computed once per element.
#[test]
fn expensive_maps_are_not_repeated_by_a_gather() {
    let expensive: String = (0..12)
        .fold(("%x".to_owned(), String::new()), |(last, text), at| {
            (
                format!("%d{at}"),
                format!("{text}%d{at} = arith.muli {last}, %k : i32\n"),
            )
        })
        .1;
    let made =
        format!("%p = array.map (%x in %xs : [n]i32) {{\n{expensive}array.yield %d11 : i32\n}}");
    let read = "%v = array.gather %p[%is] : [n]i32, [n]index\n%r = array.map (%e in %v : [n]i32) {\n%t = arith.addi %e, %k : i32\narray.yield %t : i32\n}";
    let (after, count) = fused(&program(
        &format!("{made}\n{read}"),
        "%r",
        "!array.array<[n]i32>",
    ));
    assert_eq!(count, 2, "{after}");
}

#[test]
fn what_one_branch_uses_sinks_into_it_and_into_a_loop_goes_what_is_cheap() {
    let made = PRODUCERS[0].1;
    let branch = "%c = arith.cmpi sgt, %k, %zero : i32\n%r = scf.if %c -> (i32) {\n%q = array.reduce (%p : [n]i32) init (%zero : i32) combine (%s, %e) \
        {\n%t = arith.addi %s, %e : i32\narray.yield %t : i32\n}\nscf.yield %q : i32\n} else {\nscf.yield %k : i32\n}";
    let (after, count) = fused(&program(&format!("{made}\n{branch}"), "%r", "i32"));
    assert_eq!(
        (count, after.matches("array.redomap").count()),
        (1, 1),
        "{after}"
    );
    let looped = "%r = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %k) -> (i32) {\n%q = array.reduce (%p : [n]i32) init (%zero : i32) combine (%s, %e) \
        {\n%t = arith.addi %s, %e : i32\narray.yield %t : i32\n}\n%z = arith.addi %acc, %q : i32\nscf.yield %z : i32\n}";
    let (after, count) = fused(&program(&format!("{made}\n{looped}"), "%r", "i32"));
    assert_eq!(
        (count, after.matches("array.redomap").count()),
        (1, 1),
        "{after}"
    );
    // In a hundred rounds it is cheaper to read it; and what is expensive, or may stop the program, is computed once.
    let hundred = looped
        .replace("to %c2", "to %c100")
        .replace("%r = scf", "%c100 = arith.constant 100 : index\n%r = scf");
    let divided = made.replace("muli", "divsi");
    for (made, looped) in [(made, &hundred), (divided.as_str(), &looped.to_owned())] {
        let (after, count) = fused(&program(&format!("{made}\n{looped}"), "%r", "i32"));
        assert_eq!(count, 2, "{after}");
        assert!(after.find("array.map") < after.find("scf.for"), "{after}");
    }
}

/// A view in a loop of what is made before it: the map is not made in every round for that.
#[test]
fn expensive_maps_stay_before_a_loop_that_views_them() {
    let expensive: String = (0..12)
        .fold(("%x".to_owned(), String::new()), |(last, text), at| {
            (
                format!("%d{at}"),
                format!("{text}%d{at} = arith.muli {last}, %k : i32\n"),
            )
        })
        .1;
    let made =
        format!("%p = array.map (%x in %xs : [n]i32) {{\n{expensive}array.yield %d11 : i32\n}}");
    let looped = format!(
        "%r = scf.for %i = %c0 to %c2 step %c1 iter_args(%acc = %k) -> (i32) {{\n%v = array.reverse %p, 0 : [n]i32\n\
         %q = array.reduce (%v : [n]i32) init (%zero : i32) combine (%s, %e) {TAIL}\n%z = arith.addi %acc, %q : i32\nscf.yield %z : i32\n}}"
    );
    let (after, count) = fused(&program(&format!("{made}\n{looped}"), "%r", "i32"));
    assert_eq!(
        (count, after.find("array.map") < after.find("scf.for")),
        (2, true),
        "{after}"
    );
}

/// A reader of arrays of two branches, the first of which others read, too, goes into the second.
#[test]
fn a_reader_goes_into_the_branch_whose_array_it_alone_reads() {
    let branch = |name: &str, operation: &str| {
        format!(
            "%{name} = scf.if %cond -> (!array.array<[n]i32>) {{\n%p{name} = array.map (%x in %xs : [n]i32) {{\n\
             %y = arith.{operation} %x, %k : i32\narray.yield %y : i32\n}}\nscf.yield %p{name} : !array.array<[n]i32>\n}} else {{\n\
             scf.yield %ys : !array.array<[n]i32>\n}}"
        )
    };
    let read = "%r = array.map (%x in %a : [n]i32, %w in %b : [n]i32) {\n%t = arith.subi %x, %w : i32\narray.yield %t : i32\n}";
    let body = format!(
        "%cond = arith.cmpi sgt, %k, %zero : i32\n{}\n{}\n{read}",
        branch("a", "muli"),
        branch("b", "xori")
    );
    let ty = "!array.array<[n]i32>";
    let (after, _) = fused(&program(&body, "%r, %a", &format!("{ty}, {ty}")));
    let second = after.find("arith.xori").expect("it is done");
    let read = after.find("arith.subi").expect("it is done");
    assert!(
        second < read && !after[second..read].contains("array.yield"),
        "{after}"
    );
}

/// The reduction needs all of `p` before `r` can divide by it: `p` is computed twice rather than stored.
#[test]
fn a_cheap_array_is_computed_again_instead_of_stored() {
    let sum =
        format!("%sum = array.reduce (%p : [n]i32) init (%zero : i32) combine (%s, %e) {TAIL}");
    let read = "%r = array.map (%e in %p : [n]i32) {\n%t = arith.subi %e, %sum : i32\narray.yield %t : i32\n}";
    let (after, count) = fused(&program(
        &format!("{}\n{sum}\n{read}", PRODUCERS[0].1),
        "%r",
        "!array.array<[n]i32>",
    ));
    assert_eq!(
        (count, after.matches("%sum = array.redomap").count()),
        (2, 1),
        "{after}"
    );
    assert_eq!(after.matches("in %xs").count(), 2, "{after}");
}

/// A map that may stop the program does not pass a check to meet what reads it, which cannot come to it either.
#[test]
fn what_may_stop_the_program_does_not_pass_an_effect() {
    let made = "%p = array.map (%i in %is : [n]index) {\n%y = array.index %xs[%i] : [n]i32\narray.yield %y : i32\n}";
    let check = "%ok = arith.cmpi sge, %n, %c0 : index\ncf.assert %ok, \"never\"";
    let sum =
        format!("%sum = array.reduce (%ys : [n]i32) init (%zero : i32) combine (%s, %e) {TAIL}");
    let read = "%r = array.map (%e in %p : [n]i32) {\n%t = arith.addi %e, %sum : i32\narray.yield %t : i32\n}";
    let ty = "!array.array<[n]i32>";
    let (after, count) = fused(&program(
        &format!("{made}\n{sum}\n{check}\n{read}"),
        "%r",
        ty,
    ));
    // The map and the sum share a traversal before the check.
    assert_eq!(
        (count, after.find("array.index") < after.find("cf.assert")),
        (2, true),
        "{after}"
    );
    assert_eq!(after.matches("array.map ").count(), 1, "{after}");
    let (after, count) = fused(&program(&format!("{made}\n{sum}\n{read}"), "%r", ty));
    assert_eq!(
        (count, after.matches("array.map ").count()),
        (2, 1),
        "{after}"
    );
    assert!(
        after.find("array.reduce") < after.find("array.index"),
        "{after}"
    );
}

/// A reader of an array after a check does not move up to the producer before it, where it may stop the program by itself or by
/// what it needs.
#[test]
fn what_may_stop_the_program_does_not_go_up_past_an_effect() {
    // A branch that hands the array on keeps its map where it is.
    let made = "%p = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}\n\
        %cond = arith.cmpi sgt, %k, %zero : i32\n%b = scf.if %cond -> (!array.array<[n]i32>) {\nscf.yield %p : !array.array<[n]i32>\n\
        } else {\nscf.yield %ys : !array.array<[n]i32>\n}";
    let check = "%ok = arith.cmpi ne, %k, %zero : i32\ncf.assert %ok, \"never\"";
    let inside = "%r = array.map (%e in %p : [n]i32) {\n%one = arith.ori %e, %k : i32\n%t = arith.divsi %k, %one : i32\narray.yield %t : i32\n}";
    let before = "%d = arith.divsi %c7, %k : i32\n\
        %r = array.map (%e in %p : [n]i32) {\n%t = arith.subi %e, %d : i32\narray.yield %t : i32\n}";
    let total = before.replace("divsi", "muli");
    let ty = "!array.array<[n]i32>";
    for (read, count) in [(inside, 2), (before, 2), (&total[..], 1)] {
        let body = format!("%c7 = arith.constant 7 : i32\n{made}\n{check}\n{read}");
        let (after, found) = fused(&program(&body, "%r, %b", &format!("{ty}, {ty}")));
        assert_eq!(found, count, "{after}");
        if let Some(division) = after.find("arith.divsi") {
            assert!(
                after
                    .find("cf.assert")
                    .is_some_and(|check| check < division),
                "{after}"
            );
        }
    }
}

/// A map that may stop the program computes all of its elements: not only those that a slice or a gather keeps, and not
/// one for padding.
#[test]
fn what_may_stop_the_program_runs_for_all_elements() {
    let made = "%p = array.map (%i in %is : [n]index) {\n%y = array.index %xs[%i] : [n]i32\narray.yield %y : i32\n}";
    let read = "%r = array.map (%e in %v : [?]i32) {\n%t = arith.addi %e, %k : i32\narray.yield %t : i32\n}";
    let ty = "!array.array<[?]i32>";
    for view in [
        "%v = array.slice %p[%c0] sizes [%h] strides [%c2] : [n]i32 -> [?]i32",
        "%half = array.slice %is[%c0] sizes [%h] strides [%c2] : [n]index -> [?]index\n\
         %v = array.gather %p[%half] : [n]i32, [?]index",
    ] {
        let (after, count) = fused(&program(&format!("{made}\n{view}\n{read}"), "%r", ty));
        assert_eq!(count, 2, "{after}");
        assert!(
            after.find("array.index") < after.find("array.slice %p").or(after.find("array.gather")),
            "{after}"
        );
    }
    // A quotient of the padding's value might stop a program that pads an array without elements.
    let plain = "%p = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}";
    let pad = "%v = array.pad %p, %zero low [%c0] high [%c0] : [n]i32 -> [?]i32";
    let divide = "%r = array.map (%e in %v : [?]i32) {\n%one = arith.ori %e, %k : i32\n%t = arith.divsi %k, %one : i32\n\
        array.yield %t : i32\n}";
    let (after, _) = fused(&program(&format!("{plain}\n{pad}\n{divide}"), "%r", ty));
    assert_eq!(
        after.matches("arith.divsi").count(),
        1,
        "nothing is divided for the padding\n{after}"
    );
    // An op that a branch does not need is not taken into it where it may stop the program: it stops it without the branch, too.
    let branch = format!(
        "%c = arith.cmpi sgt, %k, %zero : i32\n%r = scf.if %c -> (i32) {{\n\
         %q = array.reduce (%p : [n]i32) init (%zero : i32) combine (%s, %e) {TAIL}\nscf.yield %q : i32\n}} else {{\nscf.yield %k : i32\n}}"
    );
    let (after, _) = fused(&program(&format!("{made}\n{branch}"), "%r", "i32"));
    assert!(after.find("array.index") < after.find("scf.if"), "{after}");
    // Nor is what reads what a branch gives done in the branch: it may come before another effect there.
    let given = "%c = arith.cmpi sgt, %k, %zero : i32\n%b = scf.if %c -> (!array.array<[n]i32>) {\n\
        %p = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}\n\
        scf.yield %p : !array.array<[n]i32>\n} else {\nscf.yield %ys : !array.array<[n]i32>\n}";
    let check = "%ok = arith.cmpi sge, %n, %c0 : index\ncf.assert %ok, \"never\"";
    let divide = "%r = array.map (%e in %b : [n]i32) {\n%one = arith.ori %e, %k : i32\n%t = arith.divsi %k, %one : i32\n\
        array.yield %t : i32\n}";
    let source = program(
        &format!("{given}\n{check}\n{divide}"),
        "%r",
        "!array.array<[n]i32>",
    );
    let (after, _) = fused(&source);
    assert!(
        after.find("cf.assert") < after.find("arith.divsi"),
        "{after}"
    );
}

/// One op reads and stores at most forty arrays, and a thread holds at most 64 bytes of what a reduction combines.
#[test]
fn one_traversal_has_a_bounded_number_of_arrays_and_accumulators() {
    let sum = |at: usize, ty: &str| {
        format!(
            "%x{at} = array.redomap (%e in %xs : [n]i32) init (%z{at} : {ty}) map {{\n%w{at} = arith.extsi %e : i32 to {ty}\n\
             %p{at} = arith.muli %w{at}, %m{at} : {ty}\narray.yield %p{at} : {ty}\n}} combine (%a, %b) {{\n\
             %c = arith.addi %a, %b : {ty}\narray.yield %c : {ty}\n}}"
        )
    };
    for (sums, ops) in [(8, 1), (9, 2)] {
        let constants: String = (0..sums)
            .map(|at| {
                format!(
                    "%z{at} = arith.constant 0 : i64\n%m{at} = arith.constant {} : i64\n",
                    at + 2
                )
            })
            .collect();
        let body: Vec<String> = (0..sums).map(|at| sum(at, "i64")).collect();
        let results: Vec<String> = (0..sums).map(|at| format!("%x{at}")).collect();
        let source = program(
            &format!("{constants}{}", body.join("\n")),
            &results.join(", "),
            &vec!["i64"; sums].join(", "),
        );
        let (after, count) = fused(&source);
        assert_eq!(count, ops, "{sums} sums of 8 bytes\n{after}");
    }
    // Each map stores one more array.
    for (maps, ops) in [(39, 1), (40, 2)] {
        let body: Vec<String> = (0..maps)
            .map(|at| {
                format!(
                    "%m{at} = arith.constant {at} : i32\n%x{at} = array.map (%e in %xs : [n]i32) {{\n\
                     %y = arith.addi %e, %m{at} : i32\narray.yield %y : i32\n}}"
                )
            })
            .collect();
        let results: Vec<String> = (0..maps).map(|at| format!("%x{at}")).collect();
        let ty = vec!["!array.array<[n]i32>"; maps].join(", ");
        let (after, count) = fused(&program(&body.join("\n"), &results.join(", "), &ty));
        assert_eq!(count, ops, "{maps} maps\n{after}");
    }
}

/// Maps of one extent over different arrays, and a reduction of a third.
#[test]
fn combinators_of_one_extent_share_a_traversal() {
    let a = "%a = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}";
    let b = "%b = array.map (%x in %ys : [n]i32) {\n%y = arith.subi %x, %k : i32\narray.yield %y : i32\n}";
    let c = format!("%c = array.reduce (%ys : [n]i32) init (%zero : i32) combine (%s, %e) {TAIL}");
    let ty = "!array.array<[n]i32>";
    let (after, count) = fused(&program(
        &format!("{a}\n{b}\n{c}"),
        "%a, %b, %c",
        &format!("{ty}, {ty}, i32"),
    ));
    assert_eq!(
        (count, after.matches("array.redomap").count()),
        (1, 1),
        "{after}"
    );
}

#[test]
fn long_programs_are_fused_in_linear_time() {
    assert_linear(fuse);
}
