//! Every rule of the table, by its example: what the rule makes computes the same, at sizes 0, 1 and primes. The test goes
//! over the table, so a new rule is tested by its line.

mod support;

use segra_algebra::rules::RULES;
use segra_algebra::{Algebra, Choice};
use segra_tests::array_programs::{assert_verified, parse, text_of};
use support::{counted, example, results};

#[test]
fn every_rule_fires_on_its_example_and_keeps_the_result() {
    for rule in RULES {
        let text = example(rule.example, rule.result);
        let before = parse(&text);
        let mut after = parse(&text);
        let root = after.root();
        let found = Algebra::default().rewrite_by(&mut after, root, &[*rule], Choice::New);
        let fired: u64 = found.iter().flat_map(|piece| &piece.rules).map(|rule| rule.count).sum();
        assert!(fired > 0, "{} finds nothing in\n{text}", rule.name);
        assert_verified(&after);
        assert_ne!(text_of(&before), text_of(&after), "{} changes nothing", rule.name);
        for (n, m) in [(0, 0), (0, 2), (1, 1), (2, 0), (7, 5), (13, 3)] {
            assert_eq!(
                results(&before, n, m, rule.name),
                results(&after, n, m, rule.name),
                "{} at n = {n}, m = {m}:\n{}\n{}",
                rule.name,
                text_of(&before),
                text_of(&after)
            );
        }
    }
}

/// Rules on sums are for integers; floats only where the user says so.
#[test]
fn sums_of_floats_are_regrouped_only_with_fast_math() {
    let body = "%r = array.redomap (%x in %fs : [n]f32) init (%fzero : f32) map {\n%y = arith.mulf %f, %x : f32\narray.yield %y : f32\n} \
        combine (%a, %b) {\n%s = arith.addf %a, %b : f32\narray.yield %s : f32\n}";
    for (fast_math, wanted) in [(false, 0), (true, 1)] {
        let mut ir = parse(&example(body, "f32"));
        let root = ir.root();
        let taken = Algebra { fast_math, ..Algebra::default() }.rewrite(&mut ir, root);
        assert_eq!(taken.iter().filter(|piece| piece.taken).count(), wanted, "{}", text_of(&ir));
    }
}

/// The body has the same sum for every row: it is computed once.
#[test]
fn what_does_not_depend_on_the_elements_leaves_a_map() {
    let body = "%r = array.map (%x in %xs : [n]i32) {\n%s = array.reduce (%y in %ys : [n]i32) init (%a = %zero : i32) {\n%t = arith.addi %a, %y : i32\n\
        array.yield %t : i32\n}\n%z = arith.addi %x, %s : i32\narray.yield %z : i32\n}";
    let before = parse(&example(body, "[n]i32"));
    let mut after = parse(&example(body, "[n]i32"));
    let root = after.root();
    let done = Algebra::default().rewrite(&mut after, root);
    assert!(done.iter().any(|piece| piece.taken && piece.after * 2 < piece.before), "{done:?}");
    assert_verified(&after);
    let text = text_of(&after);
    assert!(text.find("array.reduce") < text.find("array.map"), "{text}");
    assert_eq!(results(&before, 5, 2, "hoist"), results(&after, 5, 2, "hoist"));
}

/// Two maps that differ in the names of their variables only.
#[test]
fn equal_terms_are_computed_once_whatever_their_variables_are_called() {
    let body = "%p = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}
        %q = array.map (%a in %xs : [n]i32) {\n%b = arith.muli %a, %k : i32\narray.yield %b : i32\n}
        %c = array.reverse %q, 0 : [n]i32
        %r = array.scan (%u in %p : [n]i32, %w in %c : [n]i32) init (%d = %zero : i32, %e = %zero : i32) {\n%t = arith.addi %d, %u : i32\n\
        %v = arith.addi %e, %w : i32\narray.yield %t, %v : i32, i32\n}".replace("%r = array.scan", "%r, %other = array.scan");
    let mut ir = parse(&example(&body, "[n]i32"));
    let root = ir.root();
    Algebra::default().rewrite(&mut ir, root);
    assert_verified(&ir);
    assert_eq!(counted(&ir, "array.map "), 1, "{}", text_of(&ir));
}

/// The parts of a map with two results, and of a reduction with two: rules go through each.
#[test]
fn combinators_with_several_results_are_rewritten_part_by_part() {
    let body = "%p, %q = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\n%z = arith.addi %x, %k : i32\n\
        array.yield %y, %z : i32, i32\n}
        %s, %t = array.reduce (%u in %p : [n]i32, %v in %q : [n]i32) init (%a = %zero : i32, %b = %least : i32) {\n\
        %c = arith.addi %a, %u : i32\n%d = arith.maxsi %b, %v : i32\narray.yield %c, %d : i32, i32\n}
        %r = arith.subi %s, %t : i32";
    let before = parse(&example(body, "i32"));
    let mut after = parse(&example(body, "i32"));
    let root = after.root();
    let done = Algebra::default().rewrite(&mut after, root);
    assert!(done.iter().any(|piece| piece.taken), "{done:?}\n{}", text_of(&after));
    assert_verified(&after);
    for n in [0, 1, 7] {
        assert_eq!(results(&before, n, 2, "parts"), results(&after, n, 2, "parts"), "{}", text_of(&after));
    }
    // The factor leaves the sum: k times the sum of the elements.
    assert!(done.iter().flat_map(|piece| &piece.rules).any(|rule| rule.name == "sum-factor"), "{done:?}");
    assert_eq!(counted(&after, "array.map "), 0, "{}", text_of(&after));
}

/// Components that use one another, and dear work for two results, stay in one op.
#[test]
fn what_belongs_together_is_not_taken_apart() {
    let dear: String = (0..12).fold("%d0 = arith.muli %x, %k : i32\n".to_owned(), |text, at| {
        text + &format!("%d{} = arith.muli %d{at}, %x : i32\n", at + 1)
    });
    let shared = format!(
        "%p = array.reverse %xs, 0 : [n]i32\n%e = array.reverse %p, 0 : [n]i32
        %q, %r = array.map (%x in %e : [n]i32) {{\n{dear}%y = arith.addi %d12, %k : i32\narray.yield %d12, %y : i32, i32\n}}
        %z = array.index %q[%n] : [n]i32"
    )
    .replace("%z = array.index %q[%n] : [n]i32", "");
    let mut after = parse(&example(&shared, "[n]i32"));
    let root = after.root();
    Algebra::default().rewrite(&mut after, root);
    assert_verified(&after);
    assert_eq!(counted(&after, "array.map "), 1, "{}", text_of(&after));
    assert_eq!(counted(&after, "array.reverse"), 0, "{}", text_of(&after));
    let pairs = "%is = array.iota %n : [n]i32
        %s, %r = array.reduce (%u in %xs : [n]i32, %v in %is : [n]i32) init (%a = %least : i32, %b = %zero : i32) {\n\
        %c = arith.cmpi sge, %a, %u : i32\n%d = arith.select %c, %a, %u : i32\n%e = arith.select %c, %b, %v : i32\n\
        array.yield %d, %e : i32, i32\n}";
    let mut after = parse(&example(pairs, "i32"));
    let root = after.root();
    Algebra::default().rewrite(&mut after, root);
    assert_verified(&after);
    assert_eq!(counted(&after, "array.reduce"), 1, "{}", text_of(&after));
}

/// The lecture's row sums of an incremented matrix, over its transpose: no transpose, no matrix in between.
#[test]
fn a_sum_over_a_transposed_matrix_is_a_sum_over_the_matrix() {
    let body =
        RULES.iter().find(|rule| rule.name == "reduce-of-transpose").expect("it is in the table").example;
    let mut ir = parse(&example(body, "i32"));
    let root = ir.root();
    let done = Algebra::default().rewrite(&mut ir, root);
    assert!(done.iter().any(|piece| piece.taken), "{done:?}\n{}", text_of(&ir));
    assert_verified(&ir);
    assert_eq!(counted(&ir, "array.rearrange"), 0, "{}", text_of(&ir));
}

/// The same bytes each time, and nothing left to do the second time.
#[test]
fn the_result_is_the_same_every_time_and_stays() {
    for rule in RULES {
        let run = || {
            let mut ir = parse(&example(rule.example, rule.result));
            let root = ir.root();
            Algebra::default().rewrite(&mut ir, root);
            text_of(&ir)
        };
        assert_eq!(run(), run(), "{}", rule.name);
    }
}

/// Bounds: a graph that may hardly grow leaves the program as it was, or as far as it came.
#[test]
fn where_a_bound_is_met_the_program_still_computes_the_same() {
    for nodes in [1, 20, 40, 60] {
        for rule in RULES {
            let text = example(rule.example, rule.result);
            let before = parse(&text);
            let mut after = parse(&text);
            let root = after.root();
            Algebra { nodes, ..Algebra::default() }.rewrite(&mut after, root);
            assert_verified(&after);
            assert_eq!(
                results(&before, 7, 5, rule.name),
                results(&after, 7, 5, rule.name),
                "{}",
                text_of(&after)
            );
        }
    }
}

/// What a rule makes of statements, whatever it costs, computes the same.
fn kept(rule: &str, statements: &str, result: &str) -> String {
    let rule = RULES.iter().find(|row| row.name == rule).expect("it is in the table");
    let text = example(statements, result);
    let before = parse(&text);
    let mut after = parse(&text);
    let root = after.root();
    Algebra::default().rewrite_by(&mut after, root, &[*rule], Choice::New);
    assert_verified(&after);
    for (n, m) in [(1, 1), (3, 2), (5, 7)] {
        assert_eq!(
            results(&before, n, m, rule.name),
            results(&after, n, m, rule.name),
            "{}",
            text_of(&after)
        );
    }
    text_of(&after)
}

/// The element of the outer map is used inside the inner one, under its parameter: it must be seen from there.
#[test]
fn what_is_put_under_a_binder_is_not_captured() {
    let text = kept(
        "map-of-map",
        "%p = array.map (%x in %xs : [n]i32, %y in %ys : [n]i32) {\n%q = arith.subi %x, %y : i32\narray.yield %q : i32\n}
         %r = array.map (%e in %p : [n]i32, %row in %xss : [n][m]i32) {\n%s = array.map (%u in %row : [m]i32) {\n%v = arith.subi %u, %e : i32\n\
         array.yield %v : i32\n}\narray.yield %s : !array.array<[m]i32>\n}",
        "[n][m]i32",
    );
    assert_eq!(text.matches("array.map ").count(), 2, "{text}");
}

/// The inner map uses all of the row: it cannot become a map over columns.
#[test]
fn maps_that_use_whole_rows_are_not_interchanged() {
    let text = kept(
        "map-interchange",
        "%p = array.map (%row in %xss : [n][m]i32) {\n%q = array.map (%x in %row : [m]i32) {\n\
         %s = array.reduce (%e in %row : [m]i32) init (%a = %zero : i32) {\n%t = arith.addi %a, %e : i32\narray.yield %t : i32\n}\n\
         %y = arith.addi %x, %s : i32\narray.yield %y : i32\n}\narray.yield %q : !array.array<[m]i32>\n}
         %r = array.rearrange %p, [1, 0] : [n][m]i32",
        "[m][n]i32",
    );
    assert!(text.find("array.map") < text.find("array.rearrange"), "{text}");
}

/// A sum of equal elements is a product: no array, no traversal.
#[test]
fn what_is_replicated_is_never_stored() {
    let body = "%p = array.replicate %k, [%n] : i32 -> [n]i32
        %q = array.map (%x in %p : [n]i32) {\n%y = arith.muli %x, %x : i32\narray.yield %y : i32\n}
        %r = array.reduce (%x in %q : [n]i32) init (%a = %zero : i32) {\n%y = arith.addi %a, %x : i32\narray.yield %y : i32\n}";
    let before = parse(&example(body, "i32"));
    let mut after = parse(&example(body, "i32"));
    let root = after.root();
    Algebra::default().rewrite(&mut after, root);
    assert_verified(&after);
    let text = text_of(&after);
    assert_eq!(
        (counted(&after, "array.map "), counted(&after, "array.redu"), counted(&after, "array.redo")),
        (0, 0, 0),
        "{text}"
    );
    for n in [0, 1, 7] {
        assert_eq!(results(&before, n, 2, "replicated"), results(&after, n, 2, "replicated"), "{text}");
    }
}

/// Without rounds the program stays as it is; where there is no room for another node, that is said.
#[test]
fn bounds_end_the_search_and_say_so() {
    let rule = RULES.iter().find(|rule| rule.name == "sum-factor").expect("it is in the table");
    let run = |algebra: Algebra| {
        let mut ir = parse(&example(rule.example, rule.result));
        let root = ir.root();
        let done = algebra.rewrite(&mut ir, root);
        (text_of(&ir), done)
    };
    let unchanged = text_of(&parse(&example(rule.example, rule.result)));
    assert_eq!(run(Algebra { rounds: 0, ..Algebra::default() }).0, unchanged);
    let (_, done) = run(Algebra { nodes: 1, ..Algebra::default() });
    assert!(done.iter().any(|piece| piece.stopped == segra_algebra::rules::Stopped::Nodes), "{done:?}");
    assert_ne!(run(Algebra::default()).0, unchanged);
}
