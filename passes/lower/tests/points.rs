//! Arrays of points, and points run by thread blocks: results are kept at the device level, by the interpreter.

mod support;

use segra_interp::Datum;
use segra_lower::LowerToGpu;
use support::{context, ints, lower, parse, same};

fn sizes(n: usize, m: usize) -> [Datum; 3] {
    [
        Datum::array(ints(&[n, m], 3)),
        Datum::Int(n as i64),
        Datum::Int(m as i64),
    ]
}

const SHAPES: &[(usize, usize)] = &[
    (0, 3),
    (3, 0),
    (1, 1),
    (2, 31),
    (3, 32),
    (2, 33),
    (1, 70),
    (5, 100),
];

/// A program over rows: `body` defines `%r`, a row of `%m` elements, from `%i` and `%a`.
fn rows(level: &str, body: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x?xi32>, %n: index, %m: index) -> tensor<?x?xi32> {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %out = kernel.segmap {level} (%i < %n) -> (tensor<?x?xi32>) {{
{body}
      kernel.return %r : tensor<?xi32>
    }}
    func.return %out : tensor<?x?xi32>
  }}"
    )
}

fn kept(level: &str, body: &str) {
    let program = rows(level, body);
    for &(n, m) in SHAPES {
        same(&program, &sizes(n, m));
    }
}

/// `%NAME`: a scan of `%SOURCE`, inclusive.
fn scan(name: &str, source: &str, op: &str) -> String {
    format!(
        "%{name} = kernel.segscan thread (%j < %m) init (%zero : i32) -> (tensor<?xi32>) {{
        %x = tensor.extract %{source}[%j] : tensor<?xi32>
        kernel.return %x : i32
      }} combine (%p, %q) {{
        %s = {op} %p, %q : i32
        kernel.return %s : i32
      }}"
    )
}

#[test]
fn a_chain_of_scans_runs_inside_a_block() {
    let body = format!(
        "%size1 = tensor.dim %a, %c1 : tensor<?x?xi32>
%row = tensor.extract_slice %a[%i, 0] [1, %size1] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
      {}
      {}",
        scan("b", "row", "arith.addi"),
        scan("r", "b", "arith.xori")
    );
    kept("block", &body);
}

/// How many arrays a program over rows has in shared memory.
fn shared_arrays(body: &str) -> usize {
    let mut ir = parse(&context(), &rows("block", body));
    lower(&mut ir, &LowerToGpu::default()).unwrap_or_else(|error| panic!("{error}"));
    ir.walk(ir.root())
        .into_iter()
        .filter(|&op| ir.op_name_str(op) == "gpu.shared_array")
        .count()
}

#[test]
fn arrays_take_the_shared_memory_of_those_that_nobody_needs() {
    let chain = ["row", "b", "c", "d", "e"]
        .windows(2)
        .map(|pair| scan(pair[1], pair[0], "arith.addi"));
    let chain = format!(
        "%size2 = tensor.dim %a, %c1 : tensor<?x?xi32>
%row = tensor.extract_slice %a[%i, 0] [1, %size2] [1, 1] : tensor<?x?xi32> to tensor<?xi32>\n{}",
        chain.collect::<Vec<_>>().join("\n")
    );
    let last = format!("{chain}\n{}", scan("r", "e", "arith.xori"));
    kept("block", &last);
    assert_eq!(
        shared_arrays(&last),
        2,
        "each of the four is needed by the next one alone"
    );
    // The first is needed to the end, and in each step of a loop.
    let looped = format!(
        "{chain}
      %r = scf.for %t = %c0 to %c3 step %c1 iter_args(%w = %e) -> (tensor<?xi32>) {{
        {}
        {}
        %next = kernel.segmap thread (%j < %m) -> (tensor<?xi32>) {{
          %p = tensor.extract %g[%j] : tensor<?xi32>
          %q = tensor.extract %b[%j] : tensor<?xi32>
          %s = arith.addi %p, %q : i32
          kernel.return %s : i32
        }}
        scf.yield %next : tensor<?xi32>
      }}",
        scan("f", "w", "arith.addi"),
        scan("g", "f", "arith.xori")
    );
    kept("block", &looped);
    assert_eq!(
        shared_arrays(&looped),
        4,
        "b; c and e; d, f and the last; g"
    );
}

#[test]
fn exclusive_scans_and_operators_that_do_not_commute_keep_their_order() {
    // Composition of affine maps x -> u x + v.
    let body = "%us, %r = kernel.segscan thread exclusive (%j < %m) init (%one, %zero : i32, i32) -> (tensor<?xi32>, tensor<?xi32>) {
        %u = tensor.extract %a[%i, %j] : tensor<?x?xi32>
        kernel.return %u, %one : i32, i32
      } combine (%p, %q, %u, %v) {
        %pu = arith.muli %p, %u : i32
        %qu = arith.muli %q, %u : i32
        %w = arith.addi %qu, %v : i32
        kernel.return %pu, %w : i32, i32
      }";
    kept("block", body);
}

#[test]
fn reductions_of_a_block_are_known_to_all_its_threads() {
    let body = "%u, %v, %kept = kernel.segred thread (%j < %m) init (%one, %zero : i32, i32) -> (i32, i32, tensor<?xi32>) {
        %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
        kernel.return %x, %one, %x : i32, i32, i32
      } combine (%p, %q, %s, %t) {
        %ps = arith.muli %p, %s : i32
        %qs = arith.muli %q, %s : i32
        %w = arith.addi %qs, %t : i32
        kernel.return %ps, %w : i32, i32
      }
      %max = kernel.segred thread (%j < %m) init (%zero : i32) -> (i32) {
        %x = tensor.extract %kept[%j] : tensor<?xi32>
        kernel.return %x : i32
      } combine (%p, %q) {
        %s = arith.maxsi %p, %q : i32
        kernel.return %s : i32
      }
      %r = kernel.segmap thread (%j < %m) -> (tensor<?xi32>) {
        %x = tensor.extract %kept[%j] : tensor<?xi32>
        %y = arith.addi %x, %v : i32
        %z = arith.subi %y, %max : i32
        kernel.return %z : i32
      }";
    kept("block", body);
}

#[test]
fn segments_inside_a_block_are_shared_out_among_its_warps() {
    let body =
        "%sums = kernel.segred thread (%k < %c3, %j < %m) init (%zero : i32) -> (tensor<?xi32>) {
        %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
        %l = arith.index_cast %k : index to i32
        %y = arith.muli %x, %l : i32
        kernel.return %y : i32
      } combine (%p, %q) {
        %s = arith.addi %p, %q : i32
        kernel.return %s : i32
      }
      %scans = kernel.segscan thread (%k < %c2, %j < %m) init (%zero : i32) -> (tensor<?x?xi32>) {
        %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
        %y = tensor.extract %sums[%k] : tensor<?xi32>
        %z = arith.xori %x, %y : i32
        kernel.return %z : i32
      } combine (%p, %q) {
        %s = arith.addi %p, %q : i32
        kernel.return %s : i32
      }
      %size3 = tensor.dim %scans, %c1 : tensor<?x?xi32>
      %r = tensor.extract_slice %scans[%c1, 0] [1, %size3] [1, 1] : tensor<?x?xi32> to tensor<?xi32>";
    kept("block", body);
}

#[test]
fn loops_inside_a_block_carry_arrays_even_where_they_change_places() {
    let body = format!(
        "%size4 = tensor.dim %a, %c1 : tensor<?x?xi32>
%row = tensor.extract_slice %a[%i, 0] [1, %size4] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
      {}
      %r, %other = scf.for %t = %c0 to %c3 step %c1 iter_args(%x = %b, %y = %row) -> (tensor<?xi32>, tensor<?xi32>) {{
        {}
        scf.yield %y, %next : tensor<?xi32>, tensor<?xi32>
      }}",
        scan("b", "row", "arith.addi"),
        scan("next", "x", "arith.addi").replace("%x = ", "%e = ").replace("kernel.return %x", "kernel.return %e")
    );
    kept("block", &body);
}

#[test]
fn branches_and_loops_until_a_condition_are_uniform_inside_a_block() {
    let step = scan("next", "w", "arith.addi");
    let body = format!(
        "%size5 = tensor.dim %a, %c1 : tensor<?x?xi32>
%row = tensor.extract_slice %a[%i, 0] [1, %size5] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
      %odd = arith.remui %i, %c2 : index
      %is = arith.cmpi eq, %odd, %c1 : index
      %start = scf.if %is -> (tensor<?xi32>) {{
        {}
        scf.yield %b : tensor<?xi32>
      }} else {{
        scf.yield %row : tensor<?xi32>
      }}
      %t, %r = scf.while (%k = %c0, %v = %start) : (index, tensor<?xi32>) -> (index, tensor<?xi32>) {{
        %go = arith.cmpi slt, %k, %i : index
        scf.condition(%go) %k, %v : index, tensor<?xi32>
      }} do {{
      ^bb0(%k: index, %w: tensor<?xi32>):
        {step}
        %l = arith.addi %k, %c1 : index
        scf.yield %l, %next : index, tensor<?xi32>
      }}",
        scan("b", "row", "arith.xori")
    );
    kept("block", &body);
}

#[test]
fn scatters_and_histograms_run_inside_a_block() {
    for (op, neutral) in [("arith.addi", "%zero"), ("arith.muli", "%one")] {
        let body = format!(
            "%size6 = tensor.dim %a, %c1 : tensor<?x?xi32>
%row = tensor.extract_slice %a[%i, 0] [1, %size6] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
      %turned = kernel.scatter thread (%j < %m) into (%row : tensor<?xi32>) -> (tensor<?xi32>) {{
        %last = arith.subi %m, %c1 : index
        %at = arith.subi %last, %j : index
        %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
        kernel.return %at, %x : index, i32
      }}
      %r = kernel.seghist thread (%j < %m) into (%turned : tensor<?xi32>) init ({neutral} : i32) -> (tensor<?xi32>) {{
        %at = arith.remui %j, %c3 : index
        %x = tensor.extract %row[%j] : tensor<?xi32>
        kernel.return %at, %x : index, i32
      }} combine (%p, %q) {{
        %s = {op} %p, %q : i32
        kernel.return %s : i32
      }}"
        );
        kept("block", &body);
    }
}

#[test]
fn arrays_of_a_thread_are_its_own() {
    let body = "%s = tensor.empty(%m) : tensor<?xi32>
      %first = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> (tensor<?xi32>) {
        %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
        %u = tensor.insert %x into %t[%j] : tensor<?xi32>
        scf.yield %u : tensor<?xi32>
      }
      %r = scf.for %j = %c0 to %m step %c1 iter_args(%t = %first) -> (tensor<?xi32>) {
        %x = tensor.extract %t[%j] : tensor<?xi32>
        %y = tensor.extract %first[%c0] : tensor<?xi32>
        %z = arith.muli %x, %y : i32
        %u = tensor.insert %z into %t[%j] : tensor<?xi32>
        scf.yield %u : tensor<?xi32>
      }";
    kept("thread", body);
}

/// One scratch that two loops fill: each has its own.
#[test]
fn scratch_that_is_used_twice_is_two_arrays() {
    let fill = |name: &str, with: &str| {
        format!(
            "%{name} = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> (tensor<?xi32>) {{
        %u = tensor.insert {with} into %t[%j] : tensor<?xi32>
        scf.yield %u : tensor<?xi32>
      }}"
        )
    };
    let body = format!(
        "%s = tensor.empty(%m) : tensor<?xi32>
      {}
      {}
      %r = scf.for %j = %c0 to %m step %c1 iter_args(%t = %s) -> (tensor<?xi32>) {{
        %x = tensor.extract %p[%j] : tensor<?xi32>
        %y = tensor.extract %q[%j] : tensor<?xi32>
        %z = arith.subi %x, %y : i32
        %u = tensor.insert %z into %t[%j] : tensor<?xi32>
        scf.yield %u : tensor<?xi32>
      }}",
        fill("p", "%zero"),
        fill("q", "%one")
    );
    kept("thread", &body);
}

/// The first `a[i][0] mod 4` numbers, summed up: the host finds the longest first.
const IRREGULAR: &str =
    "func.func @main(%a: tensor<?x?xi32>, %n: index, %m: index) -> tensor<?xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %three = arith.constant 3 : i32
    %out = kernel.segmap thread (%i < %n) -> (tensor<?xi32>) {
      %x = tensor.extract %a[%i, %c0] : tensor<?x?xi32>
      %few = arith.andi %x, %three : i32
      %k = arith.index_cast %few : i32 to index
      %total = scf.for %l = %c0 to %k step %c1 iter_args(%sum = %zero) -> (i32) {
        %s = tensor.empty(%l) : tensor<?xi32>
        %t = scf.for %j = %c0 to %l step %c1 iter_args(%v = %s) -> (tensor<?xi32>) {
          %e = arith.index_cast %j : index to i32
          %u = tensor.insert %e into %v[%j] : tensor<?xi32>
          scf.yield %u : tensor<?xi32>
        }
        %d = tensor.dim %t, %c0 : tensor<?xi32>
        %part = scf.for %j = %c0 to %d step %c1 iter_args(%acc = %sum) -> (i32) {
          %e = tensor.extract %t[%j] : tensor<?xi32>
          %f = arith.addi %acc, %e : i32
          scf.yield %f : i32
        }
        scf.yield %part : i32
      }
      kernel.return %total : i32
    }
    func.return %out : tensor<?xi32>
  }";

#[test]
fn arrays_whose_extents_differ_between_points_have_room() {
    for (n, m) in [(0, 1), (1, 1), (9, 2), (70, 1)] {
        same(IRREGULAR, &sizes(n, m));
    }
}

/// The extent is an element of an array that the point makes: of one with the same extent everywhere, or not, where some bits
/// of it have a bound.
#[test]
fn extents_may_come_from_arrays_of_the_point_and_from_irregular_ones_where_they_are_bounded() {
    let with = |size: &str, bits: &str| {
        IRREGULAR.replace(
            "%s = tensor.empty(%l)",
            &format!(
                "%o = tensor.empty({size}) : tensor<?xi32>
        %w = tensor.insert %x into %o[%c0] : tensor<?xi32>
        %y = tensor.extract %w[%c0] : tensor<?xi32>
        %g = {bits} %y, %three : i32
        %h = arith.index_cast %g : i32 to index
        %z = arith.addi %h, %l : index
        %s = tensor.empty(%z)"
            ),
        )
    };
    for (n, m) in [(0, 1), (9, 2), (40, 1)] {
        same(&with("%c1", "arith.andi"), &sizes(n, m));
        same(&with("%k", "arith.andi"), &sizes(n, m));
    }
    let ctx = context();
    let mut ir = parse(&ctx, &with("%k", "arith.xori"));
    let error = lower(&mut ir, &LowerToGpu::default())
        .expect_err("the extent is an element of an irregular array");
    assert!(
        error.contains("program:17:14") && error.contains("an extent that nothing bounds"),
        "{error}"
    );
}

#[test]
fn the_host_makes_arrays_step_by_step() {
    let program =
        "func.func @main(%a: tensor<?x?xi32>, %n: index, %m: index) -> (tensor<?x?xi32>, i32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %seven = arith.constant 7 : i32
    %s = tensor.empty(%n, %m) : tensor<?x?xi32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %s) -> (tensor<?x?xi32>) {
      %size7 = tensor.dim %a, %c1 : tensor<?x?xi32>
      %row = tensor.extract_slice %a[%i, 0] [1, %size7] [1, 1] : tensor<?x?xi32> to tensor<?xi32>
      %size8 = tensor.dim %t, %c1 : tensor<?x?xi32>
      %u = tensor.insert_slice %row into %t[%i, 0] [1, %size8] [1, 1] : tensor<?xi32> into tensor<?x?xi32>
      scf.yield %u : tensor<?x?xi32>
    }
    %w = tensor.insert %seven into %r[%c0, %c0] : tensor<?x?xi32>
    %x = tensor.extract %w[%c0, %c0] : tensor<?x?xi32>
    func.return %w, %x : tensor<?x?xi32>, i32
  }";
    for (n, m) in [(1, 1), (3, 5), (2, 40)] {
        same(program, &sizes(n, m));
    }
}
