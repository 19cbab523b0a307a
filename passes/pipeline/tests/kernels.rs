//! How many kernels programs come to: equal ones are emitted once, and versions grow linearly with the depth of nests.

use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline};
use segra_text::{ParseOptions, parse_module};
use std::sync::Arc;

fn compiled(text: &str, pipeline: &str) -> Ir {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    let mut ir =
        parse_module(&ctx, "program", text, &ParseOptions::default()).expect("it is a program");
    let pipeline = Pipeline::parse(
        &format!("builtin.module({pipeline})"),
        &segra_pipeline::registry(),
    );
    let mut diags = Diagnostics::new();
    let done = PassManager::new(&pipeline.expect("it is a pipeline")).run(&mut ir, &mut diags);
    done.expect("it compiles");
    ir
}

fn count(ir: &Ir, name: &str) -> usize {
    ir.walk(ir.root())
        .into_iter()
        .filter(|&op| ir.op_name_str(op) == name)
        .count()
}

/// Row sums of three matrices; the last of the three adds other numbers.
const SUMS: &str = "
func.func @main(%a: !array.array<[n][m]i32>, %b: !array.array<[k][l]i32>, %c: !array.array<[p][q]i32>)
    -> (!array.array<[n]i32>, !array.array<[k]i32>, !array.array<[p]i32>) {
  %zero = arith.constant 0 : i32
  %x = array.map (%r in %a : [n][m]i32) {
    %s = array.reduce (%r : [m]i32) init (%zero : i32) combine (%acc, %e) {
      %t = arith.addi %acc, %e : i32
      array.yield %t : i32
    }
    array.yield %s : i32
  }
  %y = array.map (%r in %b : [k][l]i32) {
    %s = array.reduce (%r : [l]i32) init (%zero : i32) combine (%acc, %e) {
      %t = arith.addi %acc, %e : i32
      array.yield %t : i32
    }
    array.yield %s : i32
  }
  %z = array.map (%r in %c : [p][q]i32) {
    %s = array.reduce (%r : [q]i32) init (%zero : i32) combine (%acc, %e) {
      %t = arith.xori %acc, %e : i32
      array.yield %t : i32
    }
    array.yield %s : i32
  }
  func.return %x, %y, %z : !array.array<[n]i32>, !array.array<[k]i32>, !array.array<[p]i32>
}
";

#[test]
fn equal_kernels_of_all_versions_are_emitted_once() {
    let steps = segra_pipeline::named::KERNEL_TO_GPU.steps;
    let apart: Vec<&str> = steps
        .iter()
        .copied()
        .filter(|step| !step.starts_with("duplicate-function-elimination"))
        .collect();
    let before = compiled(SUMS, &format!("array-to-kernel,{}", apart.join(",")));
    let after = compiled(SUMS, "array-to-gpu");
    // Three nests of the same versions; two of them are equal but for the arrays.
    let (all, left) = (count(&before, "gpu.func"), count(&after, "gpu.func"));
    assert_eq!(all % 3, 0, "{all}");
    assert_eq!(left, all / 3 * 2, "of {all}");
    assert_eq!(
        count(&after, "gpu.launch_func"),
        count(&before, "gpu.launch_func")
    );
}

/// At depth k at most 2k + 1 versions, each a kernel: flattened, and one outer-only and one intra-block per level. Each
/// of them is there in both widths of indices.
#[test]
fn kernels_grow_linearly_with_the_depth_of_nesting() {
    for depth in 1..6 {
        let sizes = |from: usize| {
            (from..depth)
                .map(|dim| format!("[n{dim}]"))
                .collect::<String>()
        };
        let ty = |from: usize| match from == depth {
            true => "i32".to_owned(),
            false => format!("!array.array<{}i32>", sizes(from)),
        };
        let mut text = format!("func.func @main(%x0: {0}) -> {0} {{\n", ty(0));
        for level in 0..depth {
            text += &format!(
                "%y{level} = array.map (%x{} in %x{level} : {}i32) {{\n",
                level + 1,
                sizes(level)
            );
        }
        text += &format!("%y{depth} = arith.xori %x{depth}, %x{depth} : i32\n");
        for level in (1..=depth).rev() {
            text += &format!("array.yield %y{level} : {}\n}}\n", ty(level));
        }
        text += &format!("func.return %y0 : {}\n}}\n", ty(0));
        let ir = compiled(&text.replace("arith.xori", "arith.muli"), "array-to-gpu");
        let copies = count(&ir, "arith.muli");
        assert!(copies > 0);
        let bodies: usize = ir
            .walk(ir.root())
            .into_iter()
            .filter(|&op| ir.op_name_str(op) == "gpu.func")
            .filter(|&op| {
                let name = segra_ir::interfaces::symbol_name(&ir, op)
                    .map(|name| ir.ctx().str(name).to_owned());
                // Copies between layouts compute nothing.
                name.is_some_and(|name| !name.contains("transposed"))
            })
            .count();
        assert!(
            bodies <= 2 * (2 * depth + 1),
            "depth {depth}: {bodies} kernels"
        );
    }
}
