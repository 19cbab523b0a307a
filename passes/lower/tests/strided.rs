//! Loops along rows in shared memory take several steps at a time: results are kept, and where it is not legal nothing changes.

mod support;

use segra_interp::{ArrayValue, Datum};
use segra_lower::LowerToGpu;
use support::{context, lower, parse, same, typed};

/// A block per point `%i` with a tile `%t` of 8 rows of `columns` elements, and a thread per row `%p` that runs `body`, which
/// defines `%s` from the tile.
fn program(ty: &str, columns: i64, body: &str) -> String {
    format!(
        "func.func @main(%a: tensor<?x{ty}>, %n: index, %m: index) -> tensor<?x?x{ty}> {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %columns = arith.constant {columns} : index
    %zero = arith.constant 0 : {ty}
    %out = kernel.segmap block (%i < %n) -> (tensor<?x?x{ty}>) {{
      %t = kernel.segmap thread (%p < %c8, %q < %columns) -> (tensor<?x?x{ty}>) {{
        %first = arith.addi %i, %p : index
        %at = arith.addi %first, %q : index
        %x = tensor.extract %a[%at] : tensor<?x{ty}>
        kernel.return %x : {ty}
      }}
      %r = kernel.segmap thread (%p < %c8) -> (tensor<?x{ty}>) {{
{body}
        kernel.return %s : {ty}
      }}
      kernel.return %r : tensor<?x{ty}>
    }}
    func.return %out : tensor<?x?x{ty}>
  }}"
    )
}

/// A loop that combines elements of the thread's row: `index` is where the step numbered `%k` reads.
fn sum(ty: &str, (from, to, step): (&str, &str, &str), index: &str) -> String {
    format!(
        "        %s = scf.for %k = {from} to {to} step {step} iter_args(%sum = %zero) -> ({ty}) {{
          %other = arith.subi %c8, %c1 : index
          %x = tensor.extract %t[{index}] : tensor<?x?x{ty}>
          %twice = arith.addi %sum, %sum : {ty}
          %next = arith.addi %twice, %x : {ty}
          scf.yield %next : {ty}
        }}"
    )
}

/// Checks results; how many loads from shared memory there are of several elements, and of one.
fn loads(ty: &str, columns: i64, body: &str) -> [usize; 2] {
    let program = program(ty, columns, body);
    for n in [0, 1, 3] {
        let count = n + 8 + columns as usize;
        let numbers: Vec<i32> = (0..count as i32)
            .map(|at| (at * 37 + 11) % 101 - 50)
            .collect();
        let numbers = typed(ty, &ArrayValue::i32s(&numbers));
        same(
            &program,
            &[
                Datum::array(numbers),
                Datum::Int(n as i64),
                Datum::Int(columns),
            ],
        );
    }
    let mut ir = parse(&context(), &program);
    lower(&mut ir, &LowerToGpu::default()).unwrap_or_else(|error| panic!("{error}"));
    let is_shared = |op| {
        let text = ir
            .operands(op)
            .next()
            .map(|value| segra_text::print_type(ir.ctx(), ir.value_type(value)));
        text.is_some_and(|text| text.contains("workgroup"))
    };
    let count = |name: &str| {
        ir.walk(ir.root())
            .into_iter()
            .filter(|&op| ir.op_name_str(op) == name && is_shared(op))
            .count()
    };
    ["vector.load", "memref.load"].map(count)
}

#[test]
fn rows_are_read_128_bits_at_a_time() {
    for (ty, columns) in [
        ("i32", 16),
        ("i32", 32),
        ("i32", 12),
        ("i64", 6),
        ("i16", 16),
        ("i8", 32),
    ] {
        assert_eq!(
            loads(ty, columns, &sum(ty, ("%c0", "%columns", "%c1"), "%p, %k")),
            [1, 0],
            "{ty} {columns}"
        );
    }
    // A part of a row that starts at a vector.
    assert_eq!(
        loads("i32", 16, &sum("i32", ("%c4", "%c8", "%c1"), "%p, %k")),
        [1, 0]
    );
}

#[test]
fn what_is_not_aligned_or_not_along_a_row_is_read_one_by_one() {
    let all = ("%c0", "%columns", "%c1");
    let cases = [
        (18, all, "%p, %k", "the steps are no multiple of the lanes"),
        (18, ("%c0", "%c8", "%c1"), "%p, %k", "rows start anywhere"),
        (
            16,
            ("%c3", "%c8", "%c1"),
            "%p, %k",
            "the first element is no multiple of the lanes",
        ),
        (16, ("%c0", "%columns", "%c4"), "%p, %k", "steps are apart"),
        (
            16,
            ("%c0", "%m", "%c1"),
            "%p, %k",
            "the number of steps is not known",
        ),
        (8, all, "%k, %p", "it goes down a column"),
        (16, all, "%p, %other", "it is one element"),
    ];
    for (columns, bounds, index, why) in cases {
        let [several, one] = loads("i32", columns, &sum("i32", bounds, index));
        assert!(several == 0 && one > 0, "{why}: {several} and {one}");
    }
}

#[test]
fn other_reads_of_such_a_loop_stay() {
    let body =
        "        %s = scf.for %k = %c0 to %columns step %c1 iter_args(%sum = %zero) -> (i32) {
          %x = tensor.extract %t[%p, %k] : tensor<?x?xi32>
          %y = tensor.extract %t[%c3, %k] : tensor<?x?xi32>
          %z = tensor.extract %t[%p, %p] : tensor<?x?xi32>
          %at = arith.index_cast %k : index to i32
          %w = arith.muli %x, %at : i32
          %v = arith.subi %w, %y : i32
          %u = arith.xori %v, %z : i32
          %next = arith.addi %sum, %u : i32
          scf.yield %next : i32
        }";
    assert_eq!(loads("i32", 16, body), [2, 4]);
}
