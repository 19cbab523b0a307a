//! `tile-chains`: which nests are a chain, and which are not. Results are compared by run tests, in every version.

mod support;

use segra_schedule::TileChains;
use support::{apply, count, parse, verify};

/// Rows of a softmax between two products, in the versions that flattening makes: one for many rows, and one nest after the other.
const PROGRAM: &str = "
func.func @main(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>, %v: tensor<?x?xf32>, %w: tensor<?x?xf32>, %asked: i1) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %n = tensor.dim %q, %c0 : tensor<?x?xf32>
  %d = tensor.dim %q, %c1 : tensor<?x?xf32>
  %m = tensor.dim %k, %c0 : tensor<?x?xf32>
  %e = tensor.dim %v, %c1 : tensor<?x?xf32>
  %many = kernel.at_least %n, \"main.top\" default 32768
  %r = scf.if %many -> (tensor<?x?xf32>) {
    %none = tensor.empty(%n, %e) : tensor<?x?xf32>
    scf.yield %none : tensor<?x?xf32>
  } else {
    %s = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %dot = scf.for %x = %c0 to %d step %c1 iter_args(%acc = %zero) -> (f32) {
        %a = tensor.extract %q[%i, %x] : tensor<?x?xf32>
        %b = tensor.extract %k[%j, %x] : tensor<?x?xf32>
        %ab = arith.mulf %a, %b : f32
        %sum = arith.addf %acc, %ab : f32
        scf.yield %sum : f32
      }
      kernel.return %dot : f32
    }
    %max = kernel.segred thread (%i < %n, %j < %m) init (%lowest : f32) -> (tensor<?xf32>) {
      %x = tensor.extract %s[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    } combine (%a, %b) {
      %larger = arith.maximumf %a, %b : f32
      kernel.return %larger : f32
    }
    %sums, %es = kernel.segred thread (%i < %n, %j < %m) init (%zero : f32) -> (tensor<?xf32>, tensor<?x?xf32>) {
      %x = tensor.extract %s[%i, %j] : tensor<?x?xf32>
      %top = tensor.extract %max[%i] : tensor<?xf32>
      %less = arith.subf %x, %top fastmath<reassoc> : f32
      %p = math.exp %less fastmath<reassoc> : f32
      kernel.return %p, %p : f32, f32
    } combine (%a, %b) {
      %sum = arith.addf %a, %b fastmath<reassoc> : f32
      kernel.return %sum : f32
    }
    %wide = kernel.at_least %e, \"main.inner\" default 8
    %o = scf.if %wide -> (tensor<?x?xf32>) {
      %t = kernel.segmap thread (%i < %n, %c < %e) -> (tensor<?x?xf32>) {
        %sum = scf.for %j = %c0 to %m step %c1 iter_args(%acc = %zero) -> (f32) {
          %p = tensor.extract %es[%i, %j] : tensor<?x?xf32>
          %y = tensor.extract %v[%j, %c] : tensor<?x?xf32>
          %py = arith.mulf %p, %y fastmath<reassoc> : f32
          %next = arith.addf %acc, %py fastmath<reassoc> : f32
          scf.yield %next : f32
        }
        %total = tensor.extract %sums[%i] : tensor<?xf32>
        %mean = arith.divf %sum, %total : f32
        kernel.return %mean : f32
      }
      scf.yield %t : tensor<?x?xf32>
    } else {
      %none = tensor.empty(%n, %e) : tensor<?x?xf32>
      scf.yield %none : tensor<?x?xf32>
    }
    scf.yield %o : tensor<?x?xf32>
  }
  func.return %r : tensor<?x?xf32>
}";

/// How many kernels the pass makes of the program, some of whose text is other text.
fn kernels(changes: &[(&str, &str)]) -> usize {
    let mut program = PROGRAM.to_owned();
    for (from, to) in changes {
        assert!(program.contains(from), "{from}");
        program = program.replacen(from, to, 1);
    }
    let mut ir = parse(&program);
    verify(&ir);
    apply(&TileChains {}, &mut ir);
    verify(&ir);
    count(&ir, "kernel.untile")
}

#[test]
fn two_products_around_a_softmax_are_a_chain() {
    // Rows of results of up to 64 elements, and of up to 128.
    assert_eq!(kernels(&[]), 2);
    // With a depth that is known to be short, those of up to 64 for few thread blocks and for many.
    let short = (
        "%d = tensor.dim %q, %c1 : tensor<?x?xf32>",
        "%d = arith.constant 40 : index",
    );
    assert_eq!(kernels(&[short]), 3);
}

#[test]
fn known_widths_have_one_width_of_tiles() {
    for (width, made) in [(8, 1), (33, 1), (100, 1), (129, 0)] {
        let known = format!("%e = arith.constant {width} : index");
        let change = ("%e = tensor.dim %v, %c1 : tensor<?x?xf32>", known.as_str());
        assert_eq!(kernels(&[change]), made, "{width}");
    }
}

#[test]
fn sums_divided_before_the_second_product_are_a_chain() {
    let changes = [
        (
            "    %wide = kernel.at_least",
            "    %ps = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {
      %x = tensor.extract %es[%i, %j] : tensor<?x?xf32>
      %total = tensor.extract %sums[%i] : tensor<?xf32>
      %p = arith.divf %x, %total fastmath<reassoc> : f32
      kernel.return %p : f32
    }
    %wide = kernel.at_least",
        ),
        (
            "%p = tensor.extract %es[%i, %j]",
            "%p = tensor.extract %ps[%i, %j]",
        ),
        (
            "%mean = arith.divf %sum, %total : f32",
            "%mean = arith.addf %sum, %one : f32",
        ),
    ];
    assert_eq!(kernels(&changes), 2);
    // As a factor, too, but not where the square is summed up.
    let factor = ("arith.divf %x, %total", "arith.mulf %x, %total");
    assert_eq!(kernels(&[&changes[..], &[factor]].concat()), 2);
    let square = ("arith.mulf %p, %y fastmath", "arith.mulf %p, %p fastmath");
    assert_eq!(kernels(&[&changes[..], &[square]].concat()), 0);
    // Twice what is stored is another tile, beside those that fit.
    let twice = (
        "%p = arith.divf %x, %total",
        "%xx = arith.addf %x, %x fastmath<reassoc> : f32
      %p = arith.divf %xx, %total",
    );
    assert_eq!(kernels(&[&changes[..], &[twice]].concat()), 0);
    // Nor without the permission to divide later.
    let ordered = (
        "arith.divf %x, %total fastmath<reassoc>",
        "arith.divf %x, %total",
    );
    assert_eq!(kernels(&[&changes[..], &[ordered]].concat()), 0);
}

#[test]
fn what_may_not_be_rescaled_is_no_chain() {
    for change in [
        // Roundings in the order of the program.
        ("math.exp %less fastmath<reassoc>", "math.exp %less"),
        (
            "arith.subf %x, %top fastmath<reassoc>",
            "arith.subf %x, %top",
        ),
        ("arith.addf %a, %b fastmath<reassoc>", "arith.addf %a, %b"),
        (
            "arith.addf %acc, %py fastmath<reassoc>",
            "arith.addf %acc, %py",
        ),
        ("arith.mulf %p, %y fastmath<reassoc>", "arith.mulf %p, %y"),
        // Exponentials that grow beyond 1, or are of something else.
        ("arith.subf %x, %top", "arith.addf %x, %top"),
        ("arith.subf %x, %top", "arith.subf %top, %x"),
        ("math.exp %less", "math.sin %less"),
        // No maximum, or one that starts with a number.
        ("arith.maximumf %a, %b", "arith.addf %a, %b"),
        ("init (%lowest : f32)", "init (%zero : f32)"),
        // Sums that start with a number.
        (
            "init (%zero : f32) -> (tensor<?xf32>, ",
            "init (%one : f32) -> (tensor<?xf32>, ",
        ),
        (
            "%c1 iter_args(%acc = %zero) -> (f32) {\n          %p",
            "%c1 iter_args(%acc = %one) -> (f32) {\n          %p",
        ),
        // A product is no sum.
        (
            "%next = arith.addf %acc, %py",
            "%next = arith.mulf %acc, %py",
        ),
    ] {
        assert_eq!(kernels(&[change]), 0, "{change:?}");
    }
}

#[test]
fn what_is_read_in_another_way_is_no_chain() {
    for change in [
        ("%es[%i, %j]", "%es[%i, %c]"),
        ("%es[%i, %j]", "%es[%j, %i]"),
        ("%s[%i, %j]", "%s[%j, %i]"),
        ("%max[%i]", "%max[%j]"),
        ("%sums[%i]", "%sums[%c]"),
        // Before all columns have made it.
        ("%v[%j, %c] : tensor<?x?xf32>", "%sums[%i] : tensor<?xf32>"),
    ] {
        assert_eq!(kernels(&[change]), 0, "{change:?}");
    }
}

#[test]
fn what_is_needed_elsewhere_or_chosen_by_the_program_is_no_chain() {
    // A branch of the program is no choice between versions.
    assert_eq!(kernels(&[("scf.if %many", "scf.if %asked")]), 0);
    assert_eq!(kernels(&[("scf.if %wide", "scf.if %asked")]), 0);
    // Another array in the last loop would need more shared memory.
    let third = (
        "%py = arith.mulf %p, %y fastmath<reassoc> : f32",
        "%z = tensor.extract %w[%j, %c] : tensor<?x?xf32>
          %yz = arith.mulf %y, %z : f32
          %py = arith.mulf %p, %yz fastmath<reassoc> : f32",
    );
    assert_eq!(kernels(&[third]), 0);
}

/// The first product as the first version of a choice, which gives these arrays beside it.
fn chosen(others: usize) -> usize {
    let list = |first: &str, more: &str| format!("{first}{}", more.repeat(others));
    let types = list("tensor<?x?xf32>", ", tensor<?x?xf32>");
    let start = format!(
        "%two = kernel.at_least %d, \"main.first\" default 3
    {} = scf.if %two -> ({types}) {{
      %s0 = kernel.segmap thread",
        list("%s", ", %also"),
    );
    let end = format!(
        "kernel.return %dot : f32
    }}
      scf.yield {} : {types}
    }} else {{
      scf.yield {} : {types}
    }}",
        list("%s0", ", %q"),
        list("%w", ", %w"),
    );
    kernels(&[
        ("%s = kernel.segmap thread", &start),
        ("kernel.return %dot : f32\n    }", &end),
    ])
}

#[test]
fn scores_are_those_of_the_first_version() {
    assert_eq!(chosen(0), 2);
    // Another array of the choice may be anything.
    assert_eq!(chosen(1), 0);
}

#[test]
fn many_nests_that_read_each_other_are_no_chain() {
    let nest = |made: &str, read: &str| {
        format!(
            "    {made} = kernel.segmap thread (%i < %n, %j < %m) -> (tensor<?x?xf32>) {{
      %x = tensor.extract {read}[%i, %j] : tensor<?x?xf32>
      kernel.return %x : f32
    }}\n"
        )
    };
    // Few are: what they store is there already.
    for (count, made) in [(3, 2), (20_000, 0)] {
        let mut text = nest("%p0", "%es");
        for number in 1..count {
            text += &nest(&format!("%p{number}"), &format!("%p{}", number - 1));
        }
        text += "    %wide = kernel.at_least";
        let read = format!("%p = tensor.extract %p{}[%i, %j]", count - 1);
        let changes = [
            ("    %wide = kernel.at_least", text.as_str()),
            ("%p = tensor.extract %es[%i, %j]", read.as_str()),
        ];
        assert_eq!(kernels(&changes), made, "{count}");
    }
}
