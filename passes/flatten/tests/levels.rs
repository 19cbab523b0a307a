//! Tags of machine levels carry no meaning: the lecture's two examples, by threads and by thread blocks.

use segra_interp::{ArrayValue, Datum, Interpreter, Tolerance, compare};
use segra_ir::Context;
use segra_text::{ParseOptions, parse_module};
use std::sync::Arc;

/// Each row of a batch transposed, and the rows of a matrix summed, with the outer op at this level.
fn program(level: &str, inner: &str) -> String {
    format!(
        "func.func @main(%n: index, %m: index, %k: index, %xsss: tensor<?x?x?xi32>, %xss: tensor<?x?xi32>) -> (tensor<?x?x?xi32>, tensor<?xi32>) {{
  %zero = arith.constant 0 : i32
  %transposed = kernel.segmap {level} (%a < %n, %i < %k, %j < %m) -> (tensor<?x?x?xi32>) {{
    %x = tensor.extract %xsss[%a, %j, %i] : tensor<?x?x?xi32>
    kernel.return %x : i32
  }}
  {inner}
  func.return %transposed, %sums : tensor<?x?x?xi32>, tensor<?xi32>
}}"
    )
}

const BY_THREADS: &str =
    "%sums = kernel.segred thread (%i < %n, %j < %m) init (%zero : i32) -> (tensor<?xi32>) {
    %x = tensor.extract %xss[%i, %j] : tensor<?x?xi32>
    kernel.return %x : i32
  } combine (%a, %b) {
    %s = arith.addi %a, %b : i32
    kernel.return %s : i32
  }";

const BY_BLOCKS: &str = "%sums = kernel.segmap block (%i < %n) -> (tensor<?xi32>) {
    %sum = kernel.segred thread (%j < %m) init (%zero : i32) -> (i32) {
      %x = tensor.extract %xss[%i, %j] : tensor<?x?xi32>
      kernel.return %x : i32
    } combine (%a, %b) {
      %s = arith.addi %a, %b : i32
      kernel.return %s : i32
    }
    kernel.return %sum : i32
  }";

fn run(text: &str, [n, m, k]: [usize; 3]) -> Vec<Datum> {
    let ctx = Context::new();
    segra_std::register(&ctx);
    ctx.register(segra_kernel::dialect());
    let ctx = Arc::new(ctx);
    let ir =
        parse_module(&ctx, "levels", text, &ParseOptions::default()).expect("the program is right");
    let numbers = |shape: Vec<usize>| {
        let values: Vec<i32> = (0..shape.iter().product::<usize>() as i32)
            .map(|at| at * 7 % 11)
            .collect();
        Datum::array(
            ArrayValue::i32s(&values)
                .reshaped(shape)
                .expect("as many as the shape says"),
        )
    };
    let sizes = [n, m, k].map(|size| Datum::Int(size as i64));
    let args: Vec<Datum> = sizes
        .into_iter()
        .chain([numbers(vec![n, m, k]), numbers(vec![n, m])])
        .collect();
    Interpreter::new(&ir)
        .call("main", &args)
        .expect("the program runs")
}

#[test]
fn levels_do_not_change_results() {
    for shape in [[2, 3, 4], [1, 1, 1], [3, 0, 2], [0, 2, 2]] {
        let by_threads = run(&program("thread", BY_THREADS), shape);
        let by_blocks = run(&program("block", BY_BLOCKS), shape);
        assert_eq!(
            compare(&by_threads, &by_blocks, Tolerance::EXACT),
            None,
            "{shape:?}"
        );
    }
    let [_, sums] = &run(&program("thread", BY_THREADS), [2, 3, 1])[..] else {
        panic!("two results")
    };
    let sums = sums.as_array().expect("an array");
    assert_eq!(
        (
            sums.get(0).and_then(|x| x.as_int()),
            sums.get(1).and_then(|x| x.as_int())
        ),
        (Some(10), Some(18))
    );
}
