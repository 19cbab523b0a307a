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
        let fired: u64 = found
            .iter()
            .flat_map(|piece| &piece.rules)
            .map(|rule| rule.count)
            .sum();
        assert!(fired > 0, "{} finds nothing in\n{text}", rule.name);
        assert_verified(&after);
        assert_ne!(
            text_of(&before),
            text_of(&after),
            "{} changes nothing",
            rule.name
        );
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
        let taken = Algebra {
            fast_math,
            ..Algebra::default()
        }
        .rewrite(&mut ir, root);
        assert_eq!(
            taken.iter().filter(|piece| piece.taken).count(),
            wanted,
            "{}",
            text_of(&ir)
        );
    }
}

/// The sum of a linear combination is that of the sums: no product is left for the elements.
#[test]
fn factors_leave_both_halves_of_a_sum() {
    let body = "%l = arith.muli %k, %k : i32
        %r = array.redomap (%x in %xs : [n]i32, %w in %ys : [n]i32) init (%zero : i32) map {\n%o = arith.muli %k, %x : i32\n\
        %p = arith.muli %o, %l : i32\n%q = arith.muli %w, %l : i32\n%y = arith.addi %p, %q : i32\narray.yield %y : i32\n} combine (%a, %b) {\n\
        %s = arith.addi %a, %b : i32\narray.yield %s : i32\n}";
    let (text, rules) = rewritten(body, "i32");
    assert!(
        rules.contains(&"sum-split") && rules.contains(&"sum-factor"),
        "{rules:?}\n{text}"
    );
    assert_eq!(
        (
            text.matches("array.reduce").count(),
            text.matches("arith.muli").count()
        ),
        (2, 4),
        "{text}"
    );
    assert!(!text.contains("array.redomap"), "{text}");
}

/// The body has the same sum for every row: it is computed once.
#[test]
fn what_does_not_depend_on_the_elements_leaves_a_map() {
    let body = "%r = array.map (%x in %xs : [n]i32) {\n%s = array.reduce (%ys : [n]i32) init (%zero : i32) combine (%a, %y) {\n%t = arith.addi %a, %y : i32\n\
        array.yield %t : i32\n}\n%z = arith.addi %x, %s : i32\narray.yield %z : i32\n}";
    let before = parse(&example(body, "[n]i32"));
    let mut after = parse(&example(body, "[n]i32"));
    let root = after.root();
    let done = Algebra::default().rewrite(&mut after, root);
    assert!(
        done.iter()
            .any(|piece| piece.taken && piece.after * 2 < piece.before),
        "{done:?}"
    );
    assert_verified(&after);
    let text = text_of(&after);
    assert!(text.find("array.reduce") < text.find("array.map"), "{text}");
    assert_eq!(
        results(&before, 5, 2, "hoist"),
        results(&after, 5, 2, "hoist")
    );
}

/// Two maps that differ in the names of their variables only.
#[test]
fn equal_terms_are_computed_once_whatever_their_variables_are_called() {
    let body = "%p = array.map (%x in %xs : [n]i32) {\n%y = arith.muli %x, %k : i32\narray.yield %y : i32\n}
        %q = array.map (%a in %xs : [n]i32) {\n%b = arith.muli %a, %k : i32\narray.yield %b : i32\n}
        %c = array.reverse %q, 0 : [n]i32
        %r = array.scan (%p : [n]i32, %c : [n]i32) init (%zero : i32, %zero : i32) combine (%d, %e, %u, %w) {\n%t = arith.addi %d, %u : i32\n\
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
        %s, %t = array.reduce (%p : [n]i32, %q : [n]i32) init (%zero : i32, %least : i32) combine (%a, %b, %u, %v) {\n\
        %c = arith.addi %a, %u : i32\n%d = arith.maxsi %b, %v : i32\narray.yield %c, %d : i32, i32\n}
        %r = arith.subi %s, %t : i32";
    let before = parse(&example(body, "i32"));
    let mut after = parse(&example(body, "i32"));
    let root = after.root();
    let done = Algebra::default().rewrite(&mut after, root);
    assert!(
        done.iter().any(|piece| piece.taken),
        "{done:?}\n{}",
        text_of(&after)
    );
    assert_verified(&after);
    for n in [0, 1, 7] {
        assert_eq!(
            results(&before, n, 2, "parts"),
            results(&after, n, 2, "parts"),
            "{}",
            text_of(&after)
        );
    }
    // The factor leaves the sum: k times the sum of the elements.
    assert!(
        done.iter()
            .flat_map(|piece| &piece.rules)
            .any(|rule| rule.name == "sum-factor"),
        "{done:?}"
    );
    assert_eq!(counted(&after, "array.map "), 0, "{}", text_of(&after));
}

/// Twelve operations on `%x`, from `%d0` to `%d12`.
fn expensive() -> String {
    (0..12).fold("%d0 = arith.muli %x, %x : i32\n".to_owned(), |text, at| {
        text + &format!("%d{} = arith.xori %d{at}, %x : i32\n", at + 1)
    })
}

/// The rewrite of a program that returns `%r`: its text, and the rules that found something where it was taken.
fn rewritten(statements: &str, result: &str) -> (String, Vec<&'static str>) {
    let text = example(statements, result);
    let before = parse(&text);
    let mut after = parse(&text);
    let root = after.root();
    let done = Algebra::default().rewrite(&mut after, root);
    assert_verified(&after);
    for (n, m) in [(0, 2), (1, 1), (7, 5)] {
        let wanted = results(&before, n, m, "before");
        assert_eq!(
            wanted,
            results(&after, n, m, "after"),
            "n = {n}, m = {m}\n{}",
            text_of(&after)
        );
    }
    let taken = done
        .iter()
        .filter(|piece| piece.taken)
        .flat_map(|piece| &piece.rules);
    (text_of(&after), taken.map(|rule| rule.name).collect())
}

/// Two results of a map share expensive work: what stands before it is composed with both, and they stay one op.
#[test]
fn results_that_share_expensive_work_are_composed_and_stay_one_op() {
    let body = format!(
        "%p = array.map (%a in %xs : [n]i32, %b in %ys : [n]i32) {{\n%c = arith.subi %a, %b : i32\narray.yield %c : i32\n}}
        %q, %o = array.map (%x in %p : [n]i32) {{\n{}%y = arith.addi %d12, %k : i32\narray.yield %d12, %y : i32, i32\n}}
        %t, %u = array.scan (%q : [n]i32, %o : [n]i32) init (%zero : i32, %zero : i32) combine (%g, %h, %e, %f1) {{\n\
        %i = arith.addi %g, %e : i32\n%j = arith.addi %h, %f1 : i32\narray.yield %i, %j : i32, i32\n}}
        %r = array.map (%e in %t : [n]i32, %f1 in %u : [n]i32) {{\n%i = arith.xori %e, %f1 : i32\narray.yield %i : i32\n}}",
        expensive()
    );
    let (text, rules) = rewritten(&body, "[n]i32");
    assert!(rules.contains(&"map-of-map"), "{rules:?}\n{text}");
    // Twelve of the body, once; and the one at the end.
    assert_eq!(
        (
            text.matches("arith.xori").count(),
            text.matches("arith.subi").count()
        ),
        (13, 1),
        "{text}"
    );
}

/// A factor leaves the sum; the maximum and the array beside it, which have an input more, stay in its traversal: the
/// work that all need is done once.
#[test]
fn sums_that_share_expensive_work_are_rewritten_one_by_one_and_made_in_one_traversal() {
    let body = format!(
        "%s, %t, %u = array.redomap (%x in %xs : [n]i32, %w in %ys : [n]i32) init (%zero : i32, %least : i32) map {{\n{}\
        %y = arith.muli %d12, %k : i32\n%z = arith.addi %d12, %w : i32\n%v = arith.subi %d12, %w : i32\n\
        array.yield %y, %z, %v : i32, i32, i32\n}} combine (%a, %b, %c, %d) {{\n\
        %e = arith.addi %a, %c : i32\n%g = arith.maxsi %b, %d : i32\narray.yield %e, %g : i32, i32\n}}
        %st = arith.subi %s, %t : i32
        %r = array.map (%o in %u : [n]i32) {{\n%y = arith.subi %o, %st : i32\narray.yield %y : i32\n}}",
        expensive()
    );
    let (text, rules) = rewritten(&body, "[n]i32");
    assert!(rules.contains(&"sum-factor"), "{rules:?}\n{text}");
    assert_eq!(
        (
            text.matches("arith.xori").count(),
            text.matches("array.redomap").count()
        ),
        (12, 1),
        "{text}"
    );
    // The square, and the factor behind the traversal.
    assert_eq!(text.matches("arith.muli").count(), 2, "{text}");
    assert!(text.rfind("arith.muli") > text.find("combine"), "{text}");
}

/// A factor that is a square of a square and so on: as a tree it is larger than any number of steps.
#[test]
fn factors_that_share_what_they_are_made_of_are_walked_once() {
    let squares: String = (0..40).fold("%s0 = arith.muli %k, %k : i32\n".to_owned(), |text, at| {
        text + &format!("%s{} = arith.muli %s{at}, %s{at} : i32\n", at + 1)
    });
    let body = format!(
        "{squares}%s, %t = array.redomap (%x in %xs : [n]i32) init (%zero : i32, %least : i32) map {{\n{}\
        %y = arith.muli %d12, %s40 : i32\narray.yield %y, %d12 : i32, i32\n}} combine (%a, %b, %c, %d) {{\n\
        %g = arith.addi %a, %c : i32\n%h = arith.maxsi %b, %d : i32\narray.yield %g, %h : i32, i32\n}}
        %r = arith.subi %s, %t : i32",
        expensive()
    );
    let (text, rules) = rewritten(&body, "i32");
    assert!(rules.contains(&"sum-factor"), "{rules:?}\n{text}");
    let counts = ["array.redomap", "arith.xori"].map(|what| text.matches(what).count());
    assert_eq!(counts, [1, 12], "{text}");
}

/// The same inside a map over rows, after that map was composed with what stands before it.
#[test]
fn results_that_share_expensive_work_stay_one_op_inside_of_maps() {
    let body = format!(
        "%ks = array.map (%x in %xs : [n]i32) {{\n%y = arith.addi %x, %k : i32\narray.yield %y : i32\n}}
        %r = array.map (%row in %xss : [n][m]i32, %e in %ks : [n]i32) {{
        %s, %t = array.redomap (%x in %row : [m]i32) init (%zero : i32, %least : i32) map {{\n{}%y = arith.muli %d12, %e : i32\n\
        array.yield %y, %d12 : i32, i32\n}} combine (%a, %b, %c, %d) {{\n%g = arith.addi %a, %c : i32\n\
        %h = arith.maxsi %b, %d : i32\narray.yield %g, %h : i32, i32\n}}
        %u = arith.subi %s, %t : i32\narray.yield %u : i32\n}}",
        expensive()
    );
    let (text, rules) = rewritten(&body, "[n]i32");
    assert!(
        rules.contains(&"map-of-map") && rules.contains(&"sum-factor"),
        "{rules:?}\n{text}"
    );
    let counts =
        ["array.map ", "array.redomap", "arith.xori"].map(|what| text.matches(what).count());
    assert_eq!(counts, [1, 1, 12], "{text}");
}

/// A sum over the same array is a factor of one result and used by the other: it is made before, not in their traversal.
#[test]
fn what_results_that_share_expensive_work_use_is_made_before_them() {
    let body = format!(
        "%l = array.reduce (%xs : [n]i32) init (%least : i32) combine (%a, %x) {{\n%g = arith.maxsi %a, %x : i32\narray.yield %g : i32\n}}
        %s, %t = array.redomap (%x in %xs : [n]i32) init (%zero : i32, %least : i32) map {{\n{}%y = arith.muli %d12, %l : i32\n\
        %z = arith.addi %d12, %l : i32\narray.yield %y, %z : i32, i32\n}} combine (%a, %b, %c, %d) {{\n\
        %g = arith.addi %a, %c : i32\n%h = arith.maxsi %b, %d : i32\narray.yield %g, %h : i32, i32\n}}
        %r = arith.subi %s, %t : i32",
        expensive()
    );
    let (text, rules) = rewritten(&body, "i32");
    assert!(rules.contains(&"sum-factor"), "{rules:?}\n{text}");
    let counts =
        ["array.reduce", "array.redomap", "arith.xori"].map(|what| text.matches(what).count());
    assert_eq!(counts, [1, 1, 12], "{text}");
}

/// A result that is the same everywhere is a sum's over the same array: that is no prefix.
#[test]
fn reductions_stay_apart_from_scans_that_share_expensive_work() {
    let body = format!(
        "%l = array.reduce (%xs : [n]i32) init (%zero : i32) combine (%a, %x) {{\n%g = arith.addi %a, %x : i32\narray.yield %g : i32\n}}
        %s, %t, %u = array.scanomap (%x in %xs : [n]i32) init (%zero : i32) map {{\n{}%y = arith.addi %d12, %k : i32\n\
        array.yield %d12, %y, %l : i32, i32, i32\n}} combine (%a, %b) {{\n%g = arith.addi %a, %b : i32\narray.yield %g : i32\n}}
        %r = array.map (%a in %s : [n]i32, %b in %t : [n]i32, %c in %u : [n]i32) {{\n%g = arith.subi %a, %b : i32\n\
        %h = arith.muli %g, %c : i32\narray.yield %h : i32\n}}",
        expensive()
    );
    let (text, rules) = rewritten(&body, "[n]i32");
    let counts = [
        "array.reduce",
        "array.scanomap",
        "arith.xori",
        "array.replicate",
    ];
    assert_eq!(
        counts.map(|what| text.matches(what).count()),
        [1, 1, 12, 0],
        "{rules:?}\n{text}"
    );
    assert!(!text.contains("%u"), "{text}");
}

/// Expensive work is not done for each of two readers: they read what is stored, and fusion decides about them together.
#[test]
fn expensive_work_for_two_readers_is_not_done_twice() {
    let body = format!(
        "%p, %q = array.map (%x in %xs : [n]i32) {{\n{}%y = arith.addi %d12, %k : i32\narray.yield %d12, %y : i32, i32\n}}
        %o = array.reverse %q, 0 : [n]i32
        %s = array.reduce (%p : [n]i32) init (%zero : i32) combine (%a, %e) {{\n%g = arith.addi %a, %e : i32\narray.yield %g : i32\n}}
        %t = array.scan (%o : [n]i32) init (%zero : i32) combine (%a, %e) {{\n%g = arith.addi %a, %e : i32\narray.yield %g : i32\n}}
        %r = array.map (%e in %t : [n]i32) {{\n%g = arith.subi %e, %s : i32\narray.yield %g : i32\n}}",
        expensive()
    );
    let (text, _) = rewritten(&body, "[n]i32");
    assert_eq!(text.matches("arith.xori").count(), 12, "{text}");
}

/// Components that use one another, and expensive work for two results, stay in one op.
#[test]
fn what_belongs_together_is_not_taken_apart() {
    let expensive: String = (0..12)
        .fold("%d0 = arith.muli %x, %k : i32\n".to_owned(), |text, at| {
            text + &format!("%d{} = arith.muli %d{at}, %x : i32\n", at + 1)
        });
    let shared = format!(
        "%p = array.reverse %xs, 0 : [n]i32\n%e = array.reverse %p, 0 : [n]i32
        %q, %r = array.map (%x in %e : [n]i32) {{\n{expensive}%y = arith.addi %d12, %k : i32\narray.yield %d12, %y : i32, i32\n}}
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
        %s, %r = array.reduce (%xs : [n]i32, %is : [n]i32) init (%least : i32, %zero : i32) neutral (%least : i32, %zero : i32) combine (%a, %b, %u, %v) {\n\
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
    let body = RULES
        .iter()
        .find(|rule| rule.name == "reduce-of-transpose")
        .expect("it is in the table")
        .example;
    let mut ir = parse(&example(body, "i32"));
    let root = ir.root();
    let done = Algebra::default().rewrite(&mut ir, root);
    assert!(
        done.iter().any(|piece| piece.taken),
        "{done:?}\n{}",
        text_of(&ir)
    );
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
            Algebra {
                nodes,
                ..Algebra::default()
            }
            .rewrite(&mut after, root);
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

/// The rewrite of statements by a rule, whatever its cost, computes the same.
fn kept(rule: &str, statements: &str, result: &str) -> String {
    let rule = RULES
        .iter()
        .find(|row| row.name == rule)
        .expect("it is in the table");
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

/// A gather at `0, 1, ..` is the array only where there are as many indices as elements, by their types; any other keeps
/// its elements, and the program its right to stop at it.
#[test]
fn gathers_of_a_part_of_an_array_stay() {
    let cases = [
        ("[n]", "%n : [n]", "[n]", true),
        ("[n]", "%m : [m]", "[m]", false),
        ("[n]", "%m : [?]", "[?]", false),
        ("[n]", "%n : [?]", "[?]", false),
        ("[?]", "%m : [m]", "[m]", false),
        ("[?]", "%m : [?]", "[?]", false),
        ("[?]", "%n : [?]", "[?]", false),
    ];
    for (rule, backwards) in [("gather-iota", false), ("gather-backwards", true)] {
        for (array, iota, result, whole) in cases {
            let indices = match backwards {
                true => format!(
                    "%js = array.iota {iota}index\n%is = array.reverse %js, 0 : {result}index"
                ),
                false => format!("%is = array.iota {iota}index"),
            };
            let text = format!(
                "%ws = array.cast %xs : [n]i32 -> {array}i32\n{indices}\n%r = array.gather %ws[%is] : {array}i32, {result}index"
            );
            let before = parse(&example(&text, &format!("{result}i32")));
            let row = RULES.iter().filter(|row| row.name == rule);
            let mut after = before.clone();
            let root = after.root();
            Algebra::default().rewrite_by(
                &mut after,
                root,
                &row.copied().collect::<Vec<_>>(),
                Choice::New,
            );
            assert_verified(&after);
            assert_eq!(
                counted(&after, "array.gather"),
                usize::from(!whole),
                "{rule}: {}",
                text_of(&after)
            );
            for (n, m) in [(0, 0), (1, 0), (1, 1), (7, 5)] {
                assert_eq!(
                    results(&before, n, m, rule),
                    results(&after, n, m, rule),
                    "{}",
                    text_of(&after)
                );
            }
        }
    }
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
         %s = array.reduce (%row : [m]i32) init (%zero : i32) combine (%a, %e) {\n%t = arith.addi %a, %e : i32\narray.yield %t : i32\n}\n\
         %y = arith.addi %x, %s : i32\narray.yield %y : i32\n}\narray.yield %q : !array.array<[m]i32>\n}
         %r = array.rearrange %p, [1, 0] : [n][m]i32",
        "[m][n]i32",
    );
    assert!(
        text.find("array.map") < text.find("array.rearrange"),
        "{text}"
    );
}

/// The last number that is not zero: it depends on the order.
#[test]
fn operators_that_do_not_commute_keep_the_order_of_elements() {
    let last = |name: &str, array: &str, acc: &str| {
        format!(
            "%{name} = array.reduce ({array}) init (%zero : i32) combine ({acc}, %x) {{\n%c = arith.cmpi eq, %x, %zero : i32\n\
             %y = arith.select %c, {acc}, %x : i32\narray.yield %y : i32\n}}\n"
        )
    };
    let reversed = format!(
        "%p = array.reverse %xs, 0 : [n]i32\n{}",
        last("r", "%p : [n]i32", "%a")
    );
    let text = kept("reduce-of-reverse", &reversed, "i32");
    assert!(text.contains("array.reverse"), "{text}");
    let turned = format!(
        "%p = array.rearrange %xss, [1, 0] : [n][m]i32\n%q = array.map (%row in %p : [m][n]i32) {{\n{}array.yield %s : i32\n}}\n{}",
        last("s", "%row : [n]i32", "%a"),
        last("r", "%q : [m]i32", "%b")
    );
    let text = kept("reduce-of-transpose", &turned, "i32");
    assert!(text.contains("array.rearrange"), "{text}");
}

/// The same beside a sum that a factor leaves, with expensive work for both: the left operand stays the left one.
#[test]
fn operators_of_one_traversal_keep_their_operands_in_order() {
    let body = format!(
        "%s, %t = array.redomap (%x in %xs : [n]i32) init (%zero : i32, %zero : i32) map {{\n{}%y = arith.muli %d12, %k : i32\n\
        %z = arith.addi %d12, %k : i32\narray.yield %y, %z : i32, i32\n}} combine (%a, %b, %c, %d) {{\n\
        %e = arith.addi %a, %c : i32\n%g = arith.cmpi eq, %d, %zero : i32\n%h = arith.select %g, %b, %d : i32\n\
        array.yield %e, %h : i32, i32\n}}
        %r = arith.subi %s, %t : i32",
        expensive()
    );
    let (text, rules) = rewritten(&body, "i32");
    assert!(rules.contains(&"sum-factor"), "{rules:?}\n{text}");
    assert_eq!(
        (
            text.matches("array.redomap").count(),
            text.matches("arith.xori").count()
        ),
        (1, 12),
        "{text}"
    );
}

/// The operator on rows adds their length, too, which is not there for one that combines scalars.
#[test]
fn operators_that_use_whole_rows_are_not_interchanged() {
    let text = kept(
        "reduce-rows",
        "%es = array.replicate %zero, [%m] : i32 -> [m]i32
         %r = array.reduce (%xss : [n][m]i32) init (%es : [m]i32) neutral (%es : [m]i32) combine (%acc, %row) {\n\
         %s = array.map (%a in %acc : [m]i32, %x in %row : [m]i32) {\n%d = array.dim %row, 0 : [m]i32\n\
         %e = arith.index_cast %d : index to i32\n%y = arith.addi %a, %x : i32\n%z = arith.addi %y, %e : i32\n\
         array.yield %z : i32\n}\narray.yield %s : [m]i32\n}",
        "[m]i32",
    );
    assert!(!text.contains("array.rearrange"), "{text}");
}

/// Reversed along one dimension, then along another; turned twice, in an order that counts.
#[test]
fn views_of_several_dimensions_are_composed_in_their_order() {
    let turned_over =
        "%p = array.reverse %xss, 0 : [n][m]i32\n%r = array.reverse %p, 1 : [n][m]i32";
    assert_eq!(
        kept("reverse-reverse", turned_over, "[n][m]i32")
            .matches("array.reverse")
            .count(),
        2
    );
    let turned =
        "%three = arith.constant 3 : index\n%a = array.replicate %xss, [%three] : [n][m]i32 -> [3][n][m]i32
        %p = array.rearrange %a, [1, 2, 0] : [3][n][m]i32\n%r = array.rearrange %p, [1, 0, 2] : [n][m][3]i32";
    let text = kept("rearrange-rearrange", turned, "[m][n][3]i32");
    assert!(text.contains("array.rearrange %a, [2, 1, 0]"), "{text}");
}

/// Sums that must not overflow are not regrouped: the parts might.
#[test]
fn sums_that_say_something_about_overflow_stay_as_they_are() {
    let reduced = |flags: [&str; 2]| {
        format!(
            "%r = array.redomap (%x in %xs : [n]i32) init (%zero : i32) map {{\n%y = arith.muli %k, %x{} : i32\narray.yield %y : i32\n}} \
             combine (%a, %b) {{\n%s = arith.addi %a, %b{} : i32\narray.yield %s : i32\n}}",
            flags[0], flags[1]
        )
    };
    let nsw = " overflow<nsw>";
    for (flags, stays) in [(["", ""], false), ([nsw, ""], true), (["", nsw], true)] {
        let text = kept("sum-factor", &reduced(flags), "i32");
        assert_eq!(text.contains("array.redomap"), stays, "{flags:?}\n{text}");
    }
}

/// The body of a reduction is sequential: sums of rows stay in a map.
#[test]
fn parallel_bodies_are_not_put_into_reductions() {
    let text = kept(
        "reduce-of-map",
        "%q = array.map (%row in %xss : [n][m]i32) {\n%s = array.reduce (%row : [m]i32) init (%zero : i32) combine (%a, %x) {\n\
         %y = arith.maxsi %a, %x : i32\narray.yield %y : i32\n}\narray.yield %s : i32\n}
         %r = array.reduce (%q : [n]i32) init (%zero : i32) combine (%a, %x) {\n%y = arith.addi %a, %x : i32\narray.yield %y : i32\n}",
        "i32",
    );
    assert!(
        text.contains("array.map") && !text.contains("array.redomap"),
        "{text}"
    );
}

/// As many indices as another array has elements: some may be out of range, which stops the program, used or not.
#[test]
fn gathers_that_may_stop_the_program_stay() {
    let body = |count: &str, size: &str| {
        format!(
            "%is = array.iota {count} : [{size}]index\n%g = array.gather %xs[%is] : [n]i32, [{size}]index\n\
             %js = array.iota {count} : [{size}]i32\n%r = array.map (%x in %g : [{size}]i32, %y in %js : [{size}]i32) {{\n\
             %z = arith.muli %y, %k : i32\narray.yield %z : i32\n}}"
        )
    };
    for (count, size, stays) in [("%n", "n", false), ("%m", "m", true)] {
        let mut ir = parse(&example(&body(count, size), &format!("[{size}]i32")));
        let root = ir.root();
        Algebra::default().rewrite(&mut ir, root);
        assert_eq!(counted(&ir, "array.gather") == 1, stays, "{}", text_of(&ir));
    }
}

/// The largest of equal elements, but of a hundred, too, which is not neutral.
#[test]
fn initial_values_that_are_not_neutral_stay_in_reductions() {
    let reduced = |operator: &str, body: &str| {
        format!(
            "%hundred = arith.constant 100 : i32
             %r = array.redomap (%x in %xs : [n]i32) init (%hundred : i32) map {{\n{body}array.yield %y : i32\n}} combine (%a, %b) {{\n\
             %s = {operator} %a, %b : i32\narray.yield %s : i32\n}}"
        )
    };
    let (same, scaled) = (
        "%y = arith.muli %k, %k : i32\n",
        "%y = arith.muli %k, %x : i32\n",
    );
    for (rule, operator, body) in [
        ("extremum-invariant", "arith.maxsi", same),
        ("sum-invariant", "arith.addi", same),
        ("sum-factor", "arith.addi", scaled),
        ("sum-offset", "arith.addi", "%y = arith.addi %k, %x : i32\n"),
        (
            "sum-split",
            "arith.addi",
            "%z = arith.muli %x, %x : i32\n%y = arith.addi %z, %x : i32\n",
        ),
    ] {
        let text = kept(rule, &reduced(operator, body), "i32");
        assert!(
            text.contains("array.redomap") && text.contains("init (%hundred"),
            "{rule}\n{text}"
        );
    }
}

/// Rows are summed from one initial value, all of them from another: not from the same.
#[test]
fn sums_of_transposed_rows_keep_their_initial_values() {
    let sum = |name: &str, array: &str, unit: &str| {
        format!(
            "%{name} = array.reduce ({array}) init ({unit} : i32) combine (%a, %x) {{\n%y = arith.addi %a, %x : i32\narray.yield %y : i32\n}}\n"
        )
    };
    let body = format!(
        "%p = array.rearrange %xss, [1, 0] : [n][m]i32\n%q = array.map (%row in %p : [m][n]i32) {{\n{}array.yield %s : i32\n}}\n{}",
        sum("s", "%row : [n]i32", "%one"),
        sum("r", "%q : [m]i32", "%zero")
    );
    let text = kept("reduce-of-transpose", &body, "i32");
    assert!(text.contains("array.rearrange"), "{text}");
}

/// A sum of equal elements is a product: no array, no traversal.
#[test]
fn what_is_replicated_is_never_stored() {
    let body = "%p = array.replicate %k, [%n] : i32 -> [n]i32
        %q = array.map (%x in %p : [n]i32) {\n%y = arith.muli %x, %x : i32\narray.yield %y : i32\n}
        %r = array.reduce (%q : [n]i32) init (%zero : i32) combine (%a, %x) {\n%y = arith.addi %a, %x : i32\narray.yield %y : i32\n}";
    let before = parse(&example(body, "i32"));
    let mut after = parse(&example(body, "i32"));
    let root = after.root();
    Algebra::default().rewrite(&mut after, root);
    assert_verified(&after);
    let text = text_of(&after);
    assert_eq!(
        (
            counted(&after, "array.map "),
            counted(&after, "array.redu"),
            counted(&after, "array.redo")
        ),
        (0, 0, 0),
        "{text}"
    );
    for n in [0, 1, 7] {
        assert_eq!(
            results(&before, n, 2, "replicated"),
            results(&after, n, 2, "replicated"),
            "{text}"
        );
    }
}

/// Without rounds the program stays as it is; where there is no space for another node, that is said.
#[test]
fn bounds_end_the_search_and_say_so() {
    let rule = RULES
        .iter()
        .find(|rule| rule.name == "sum-factor")
        .expect("it is in the table");
    let run = |algebra: Algebra| {
        let mut ir = parse(&example(rule.example, rule.result));
        let root = ir.root();
        let done = algebra.rewrite(&mut ir, root);
        (text_of(&ir), done)
    };
    let unchanged = text_of(&parse(&example(rule.example, rule.result)));
    assert_eq!(
        run(Algebra {
            rounds: 0,
            ..Algebra::default()
        })
        .0,
        unchanged
    );
    let (_, done) = run(Algebra {
        nodes: 1,
        ..Algebra::default()
    });
    assert!(
        done.iter()
            .any(|piece| piece.stopped == segra_algebra::rules::Stopped::Nodes),
        "{done:?}"
    );
    assert_ne!(run(Algebra::default()).0, unchanged);
}
