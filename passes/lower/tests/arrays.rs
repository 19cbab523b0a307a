//! Operators that combine arrays, and histograms in global memory: results are kept at the device level, by the
//! interpreter.

mod support;

use segra_interp::Datum;
use segra_lower::LowerToGpu;
use support::{Schedule, context, ints, lower_scheduled, parse, same, same_scheduled, typed};

/// Products of 2 x 2 matrices: associative, not commutative.
const PRODUCT: &str = "combine (%left, %right) {
      %s = tensor.empty(%c2, %c2) : tensor<?x?xi32>
      %r = scf.for %p = %c0 to %c2 step %c1 iter_args(%t = %s) -> (tensor<?x?xi32>) {
        %row = scf.for %q = %c0 to %c2 step %c1 iter_args(%u = %t) -> (tensor<?x?xi32>) {
          %sum = scf.for %k = %c0 to %c2 step %c1 iter_args(%acc = %zero) -> (i32) {
            %x = tensor.extract %left[%p, %k] : tensor<?x?xi32>
            %y = tensor.extract %right[%k, %q] : tensor<?x?xi32>
            %z = arith.muli %x, %y : i32
            %next = arith.addi %acc, %z : i32
            scf.yield %next : i32
          }
          %v = tensor.insert %sum into %u[%p, %q] : tensor<?x?xi32>
          scf.yield %v : tensor<?x?xi32>
        }
        scf.yield %row : tensor<?x?xi32>
      }
      kernel.return %r : tensor<?x?xi32>
    }";

/// A program over `n` segments of `m` elements that are matrices; `body` defines `%r`.
fn matrices(result: &str, body: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x?x?x?xi32>, %n: index, %m: index) -> {result} {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %unit = kernel.segmap thread (%p < %c2, %q < %c2) -> (tensor<?x?xi32>) {{
      %same = arith.cmpi eq, %p, %q : index
      %x = arith.select %same, %one, %zero : i32
      kernel.return %x : i32
    }}
    {body}
    func.return %r : {result}
  }}"
    )
}

fn inputs(n: usize, m: usize) -> [Datum; 3] {
    [
        Datum::array(ints(&[n, m, 2, 2], 3)),
        Datum::Int(n as i64),
        Datum::Int(m as i64),
    ]
}

/// Zero segments and elements; one part; several; so many that their results are divided again.
const SHAPES: &[(usize, usize)] = &[
    (0, 3),
    (3, 0),
    (1, 1),
    (2, 31),
    (3, 32),
    (2, 33),
    (1, 70),
    (1, 1100),
];

#[test]
fn products_of_matrices_keep_their_order() {
    let of = "(%i < %n, %j < %m) init (%unit : tensor<?x?xi32>)";
    let read = "%size1 = tensor.dim %a, %c2 : tensor<?x?x?x?xi32>
%c3 = arith.constant 3 : index
%size2 = tensor.dim %a, %c3 : tensor<?x?x?x?xi32>
%x = tensor.extract_slice %a[%i, %j, 0, 0] [1, 1, %size1, %size2] [1, 1, 1, 1] : tensor<?x?x?x?xi32> to tensor<?x?xi32>
      kernel.return %x : tensor<?x?xi32>";
    let red =
        format!("%r = kernel.segred thread {of} -> (tensor<?x?x?xi32>) {{\n{read}\n}} {PRODUCT}");
    let scan = |kind: &str| {
        format!(
            "%r = kernel.segscan thread {kind}{of} -> (tensor<?x?x?x?xi32>) {{\n{read}\n}} {PRODUCT}"
        )
    };
    for &(n, m) in SHAPES {
        same(&matrices("tensor<?x?x?xi32>", &red), &inputs(n, m));
        same(&matrices("tensor<?x?x?x?xi32>", &scan("")), &inputs(n, m));
        same(
            &matrices("tensor<?x?x?x?xi32>", &scan("exclusive ")),
            &inputs(n, m),
        );
    }
}

#[test]
fn a_single_segment_of_arrays_and_scalars_stores_beside() {
    // The row of the largest key, the first of them; and each key once more.
    let body = "%low = arith.constant -100 : i32
    %none = kernel.segmap thread (%p < %c2) -> (tensor<?xi32>) { kernel.return %zero : i32 }
    %key, %r, %keys = kernel.segred thread (%j < %m) init (%low, %none : i32, tensor<?xi32>) -> (i32, tensor<?xi32>, tensor<?xi32>) {
      %k = tensor.extract %a[%c0, %j, %c0, %c1] : tensor<?x?x?x?xi32>
      %c3 = arith.constant 3 : index
      %size3 = tensor.dim %a, %c3 : tensor<?x?x?x?xi32>
      %row = tensor.extract_slice %a[%c0, %j, %c1, 0] [1, 1, 1, %size3] [1, 1, 1, 1] : tensor<?x?x?x?xi32> to tensor<?xi32>
      kernel.return %k, %row, %k : i32, tensor<?xi32>, i32
    } combine (%k, %row, %l, %other) {
      %more = arith.cmpi sgt, %l, %k : i32
      %most = arith.maxsi %k, %l : i32
      %taken = scf.if %more -> (tensor<?xi32>) {
        scf.yield %other : tensor<?xi32>
      } else {
        scf.yield %row : tensor<?xi32>
      }
      kernel.return %most, %taken : i32, tensor<?xi32>
    }";
    let result = "(i32, tensor<?xi32>, tensor<?xi32>)";
    let program = matrices(result, body).replace(
        &format!("func.return %r : {result}"),
        "func.return %key, %r, %keys : i32, tensor<?xi32>, tensor<?xi32>",
    );
    for m in [0, 1, 31, 33, 1025] {
        same(&program, &inputs(1, m));
    }
}

#[test]
fn two_arrays_may_change_places() {
    // The accumulators are exchanged for each element, so that results tell whether their number is even.
    let body = "%none = kernel.segmap thread (%p < %c2) -> (tensor<?xi32>) { kernel.return %zero : i32 }
    %ones = kernel.segmap thread (%p < %c2) -> (tensor<?xi32>) { kernel.return %one : i32 }
    %r, %s = kernel.segred thread (%i < %n, %j < %m) init (%none, %ones : tensor<?xi32>, tensor<?xi32>) -> (tensor<?x?xi32>, tensor<?x?xi32>) {
      %c3 = arith.constant 3 : index
      %size4 = tensor.dim %a, %c3 : tensor<?x?x?x?xi32>
      %x = tensor.extract_slice %a[%i, %j, %c0, 0] [1, 1, 1, %size4] [1, 1, 1, 1] : tensor<?x?x?x?xi32> to tensor<?xi32>
      %size5 = tensor.dim %a, %c3 : tensor<?x?x?x?xi32>
      %y = tensor.extract_slice %a[%i, %j, %c1, 0] [1, 1, 1, %size5] [1, 1, 1, 1] : tensor<?x?x?x?xi32> to tensor<?xi32>
      kernel.return %x, %y : tensor<?xi32>, tensor<?xi32>
    } combine (%a0, %b0, %a1, %b1) {
      kernel.return %b0, %a0 : tensor<?xi32>, tensor<?xi32>
    }";
    let program = matrices("(tensor<?x?xi32>, tensor<?x?xi32>)", body).replace(
        "func.return %r : (tensor<?x?xi32>, tensor<?x?xi32>)",
        "func.return %r, %s : tensor<?x?xi32>, tensor<?x?xi32>",
    );
    // One part, so that the operator, which is not associative, is applied in the interpreter's order.
    for (n, m) in [(2, 0), (1, 1), (3, 5), (2, 8)] {
        same(&program, &inputs(n, m));
    }
}

#[test]
fn a_thread_block_combines_arrays() {
    let point = |inner: &str| {
        format!(
            "%r = kernel.segmap block (%i < %n) -> (tensor<?x?x?xi32>) {{
      {inner}
      kernel.return %p : tensor<?x?xi32>
    }}"
        )
    };
    let read = "%size6 = tensor.dim %a, %c2 : tensor<?x?x?x?xi32>
%c3 = arith.constant 3 : index
%size7 = tensor.dim %a, %c3 : tensor<?x?x?x?xi32>
%x = tensor.extract_slice %a[%i, %j, 0, 0] [1, 1, %size6, %size7] [1, 1, 1, 1] : tensor<?x?x?x?xi32> to tensor<?x?xi32>
      kernel.return %x : tensor<?x?xi32>";
    let red = format!(
        "%p = kernel.segred thread (%j < %m) init (%unit : tensor<?x?xi32>) -> (tensor<?x?xi32>) {{\n{read}\n}} {PRODUCT}"
    );
    let scan = format!(
        "%all = kernel.segscan thread exclusive (%j < %m) init (%unit : tensor<?x?xi32>) -> (tensor<?x?x?xi32>) {{\n{read}\n}} {PRODUCT}
      %p = kernel.segred thread (%j < %m) init (%unit : tensor<?x?xi32>) -> (tensor<?x?xi32>) {{
      %size8 = tensor.dim %all, %c1 : tensor<?x?x?xi32>
      %size9 = tensor.dim %all, %c2 : tensor<?x?x?xi32>
      %x = tensor.extract_slice %all[%j, 0, 0] [1, %size8, %size9] [1, 1, 1] : tensor<?x?x?xi32> to tensor<?x?xi32>
      kernel.return %x : tensor<?x?xi32>\n}} {PRODUCT}"
    );
    for (n, m) in [(0, 3), (3, 0), (1, 1), (2, 33), (3, 70)] {
        same(&matrices("tensor<?x?x?xi32>", &point(&red)), &inputs(n, m));
        same(&matrices("tensor<?x?x?xi32>", &point(&scan)), &inputs(n, m));
    }
}

#[test]
fn histograms_of_rows_are_combined_under_locks() {
    let hist = |at: &str, space: &str, into: &str| {
        format!(
            "kernel.seghist thread ({space}) into ({into}) init (%none : tensor<?xi32>) -> ({}) {{
      %k = tensor.extract %a[%i, %j, %c0, %c0] : tensor<?x?x?x?xi32>
      %bin = arith.index_cast %k : i32 to index
      %c3 = arith.constant 3 : index
      %size10 = tensor.dim %a, %c3 : tensor<?x?x?x?xi32>
      %row = tensor.extract_slice %a[%i, %j, %c1, 0] [1, 1, 1, %size10] [1, 1, 1, 1] : tensor<?x?x?x?xi32> to tensor<?xi32>
      kernel.return %bin, %row : index, tensor<?xi32>
    }} combine (%p, %q) {{
      %s = tensor.empty(%c2) : tensor<?xi32>
      %t = scf.for %e = %c0 to %c2 step %c1 iter_args(%u = %s) -> (tensor<?xi32>) {{
        %x = tensor.extract %p[%e] : tensor<?xi32>
        %y = tensor.extract %q[%e] : tensor<?xi32>
        %z = arith.addi %x, %y : i32
        %v = tensor.insert %z into %u[%e] : tensor<?xi32>
        scf.yield %v : tensor<?xi32>
      }}
      kernel.return %t : tensor<?xi32>
    }}",
            at
        )
    };
    let neutral = "%none = kernel.segmap thread (%p < %c2) -> (tensor<?xi32>) { kernel.return %zero : i32 }
    %c7 = arith.constant 7 : index
    %d = kernel.segmap thread (%i < %n, %b < %c7, %p < %c2) -> (tensor<?x?x?xi32>) { kernel.return %one : i32 }";
    let top = format!(
        "{neutral}\n %r = {}",
        hist(
            "tensor<?x?x?xi32>",
            "%i < %n, %j < %m",
            "%d : tensor<?x?x?xi32>"
        )
    );
    let block = format!(
        "{neutral}\n %r = kernel.segmap block (%i < %n) -> (tensor<?x?x?xi32>) {{
      %size11 = tensor.dim %d, %c1 : tensor<?x?x?xi32>
      %size12 = tensor.dim %d, %c2 : tensor<?x?x?xi32>
      %own = tensor.extract_slice %d[%i, 0, 0] [1, %size11, %size12] [1, 1, 1] : tensor<?x?x?xi32> to tensor<?x?xi32>
      %h = {}
      kernel.return %h : tensor<?x?xi32>
    }}",
        hist("tensor<?x?xi32>", "%j < %m", "%own : tensor<?x?xi32>")
    );
    for (n, m) in [(0, 3), (3, 0), (1, 1), (2, 31), (2, 33), (1, 300)] {
        same(&matrices("tensor<?x?x?xi32>", &top), &inputs(n, m));
        same(&matrices("tensor<?x?x?xi32>", &block), &inputs(n, m));
    }
}

/// A histogram of pairs, floats or narrow integers, with more bins than fit shared memory in a few ranges.
#[test]
fn histograms_of_many_bins_are_combined_in_global_memory() {
    let program = |ty: &str, op: &str, neutral: &str| {
        format!(
            "func.func @main(%a: tensor<?x?xi32>, %d: tensor<?x?x{ty}>, %n: index, %m: index) -> tensor<?x?x{ty}> {{
    %neutral = arith.constant {neutral} : {ty}
    %three = arith.constant 3 : {ty}
    %r = kernel.seghist thread (%i < %n, %j < %m) into (%d : tensor<?x?x{ty}>) init (%neutral : {ty}) -> (tensor<?x?x{ty}>) {{
      %x = tensor.extract %a[%i, %j] : tensor<?x?xi32>
      %b = arith.index_cast %x : i32 to index
      %v = tensor.extract %d[%i, %i] : tensor<?x?x{ty}>
      %w = {} %v, %three : {ty}
      kernel.return %b, %w : index, {ty}
    }} combine (%x, %y) {{
      %s = {op} %x, %y : {ty}
      kernel.return %s : {ty}
    }}
    func.return %r : tensor<?x?x{ty}>
  }}",
            if ty.starts_with('f') { "arith.addf" } else { "arith.addi" }
        )
    };
    let pass = LowerToGpu {
        block_size: 32,
        chunk: 64,
        ..LowerToGpu::default()
    };
    let few = Schedule {
        hist_bins: 2,
        ..Schedule::default()
    };
    let cases = [
        ("i8", "arith.muli", "1", "seghist_locks"),
        ("i16", "arith.muli", "1", "memref.generic_atomic_rmw"),
        ("i32", "arith.muli", "1", "memref.generic_atomic_rmw"),
        ("i32", "arith.addi", "0", "memref.atomic_rmw addi"),
        ("i64", "arith.xori", "0", "memref.atomic_rmw xori"),
    ];
    for (ty, op, neutral, kernel) in cases {
        let program = program(ty, op, neutral);
        for (n, m) in [(0, 3), (3, 0), (1, 1), (2, 33), (3, 70)] {
            let bins = 20;
            let sizes = [Datum::Int(n as i64), Datum::Int(m as i64)];
            let start = typed(ty, &ints(&[n, bins], 2));
            let arrays = [Datum::array(ints(&[n, m], 1)), Datum::array(start)];
            let inputs = [&arrays[..], &sizes[..]].concat();
            same_scheduled(&program, &inputs, &few, &pass);
        }
        let mut ir = parse(&context(), &program);
        lower_scheduled(&mut ir, &few, &pass).unwrap_or_else(|error| panic!("{error}"));
        let text = segra_text::print(&ir, ir.root(), &segra_text::PrintOptions::default());
        assert!(text.contains(kernel), "{text}");
    }
    for (op, kernel) in [
        ("arith.addf", "memref.atomic_rmw addf"),
        ("arith.maximumf", "memref.generic_atomic_rmw"),
        ("arith.mulf", "memref.generic_atomic_rmw"),
    ] {
        let mut ir = parse(
            &context(),
            &program("f64", op, "0.0").replace("constant 3 :", "constant 3.0 :"),
        );
        lower_scheduled(&mut ir, &few, &pass).unwrap_or_else(|error| panic!("{error}"));
        let text = segra_text::print(&ir, ir.root(), &segra_text::PrintOptions::default());
        assert!(text.contains(kernel), "{op}: {text}");
    }
}
