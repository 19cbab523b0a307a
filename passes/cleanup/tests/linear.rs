//! Work grows with the size of the program and no faster, for programs that are wide in one way: counted in steps (see
//! [`segra_ir::steps`]), never timed. Ten times as many of something take at most eleven times as many steps to read, to
//! verify, to print, to canonicalize and to merge, and a little more than that of memory.

use segra_cleanup::{Canonicalize, Cse, IntRangeOptimizations, Mem2Reg, RemoveDeadValues, Sccp};
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{Context, Diagnostics, Ir, steps};
use segra_pass::{PassEntry, PassManager, PassRegistry, Pipeline, Threads, VerifyEach};
use segra_text::{ParseOptions, PrintOptions, Unregistered, parse_module, print};
use std::fmt::Write;
use std::sync::Arc;

/// So many of something.
type Shape = fn(usize, &mut String);

/// The steps of each measured part, and its peak memory in bytes.
type Costs = Vec<(&'static str, u64, u64)>;

const SIZES: [usize; 3] = [300, 3_000, 30_000];
/// Ten times the size; what is new in larger programs and does not repeat (table growth, deeper numbers) gets a tenth.
const MOST_STEPS: f64 = 11.0;
/// Passes that put one constant after the other at the start of a function: to keep the order of its ops costs a
/// logarithm then.
const INSERTING: [&str; 2] = ["sccp", "int-range-optimizations"];
const MOST_STEPS_INSERTING: f64 = 12.0;
/// Tables double, so they may hold twice what they need.
const MOST_BYTES: f64 = 22.0;

fn measured<T>(costs: &mut Costs, what: &'static str, work: impl FnOnce() -> T) -> T {
    let before = steps::taken();
    let mut result = None;
    let held = allocation_counter::measure(|| result = Some(work()));
    costs.push((what, steps::taken() - before, held.bytes_max));
    result.expect("the work was done")
}

fn costs(shape: Shape, size: usize) -> Costs {
    let mut text = String::new();
    shape(size, &mut text);
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    let mut costs = Costs::new();
    let options = ParseOptions::allowing_unregistered();
    let read = measured(&mut costs, "read", || {
        parse_module(&ctx, "wide.mlir", &text, &options)
    });
    let ir = read.expect("the program can be read");
    let mut diags = Diagnostics::new();
    let options = VerifyOptions {
        unregistered: Unregistered::Allow,
    };
    measured(&mut costs, "verify", || {
        verify_op(&ir, ir.root(), &options, &mut diags)
    });
    assert!(!diags.has_errors(), "the program does not verify");
    measured(&mut costs, "print", || {
        print(&ir, ir.root(), &PrintOptions::mlir_generic())
    });
    measured(&mut costs, "print with names", || {
        print(&ir, ir.root(), &PrintOptions::default())
    });
    for pass in PASSES {
        // On copies, so that what one pass does away with is there for the others.
        let mut copy = ir.clone();
        measured(&mut costs, pass, || run(&mut copy, pass));
    }
    costs
}

const PASSES: [&str; 6] = [
    "cse",
    "canonicalize",
    "sccp",
    "mem2reg",
    "remove-dead-values",
    "int-range-optimizations",
];

fn run(ir: &mut Ir, pass: &str) {
    let registry = PassRegistry::new(
        vec![
            PassEntry::of::<Canonicalize>(),
            PassEntry::of::<Cse>(),
            PassEntry::of::<IntRangeOptimizations>(),
            PassEntry::of::<Mem2Reg>(),
            PassEntry::of::<RemoveDeadValues>(),
            PassEntry::of::<Sccp>(),
        ],
        Vec::new(),
    );
    let mut pipeline = Pipeline::on("builtin.module");
    pipeline.add_text(pass, &registry).expect("a pass");
    let manager = PassManager::new(&pipeline)
        .verify_each(VerifyEach::No)
        .threads(Threads::Exactly(1));
    assert!(
        manager.run(ir, &mut Diagnostics::new()).is_ok(),
        "`{pass}` fails"
    );
}

fn grows_linearly(shape: Shape) {
    let rows = SIZES.map(|size| costs(shape, size));
    let mut wrong = String::new();
    for pair in rows.windows(2) {
        for (&(what, few, few_bytes), &(_, many, many_bytes)) in pair[0].iter().zip(&pair[1]) {
            if cfg!(debug_assertions) {
                assert!(few > 0, "`{what}` counts nothing");
            }
            // A pass that has nothing to do takes a handful of steps.
            let slack = 1_000.0;
            let most = if INSERTING.contains(&what) {
                MOST_STEPS_INSERTING
            } else {
                MOST_STEPS
            };
            if many as f64 > most * few as f64 + slack {
                let _ = writeln!(wrong, "{what}: {few} steps grow to {many}");
            }
            // Small programs hold tables of a fixed size.
            let slack = 1_000_000.0;
            if many_bytes as f64 > MOST_BYTES * few_bytes as f64 + slack {
                let _ = writeln!(wrong, "{what}: {few_bytes} bytes grow to {many_bytes}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Lines in a function in a module.
fn in_function(arguments: &str, out: &mut String, body: impl FnOnce(&mut String)) {
    let types: Vec<&str> = arguments
        .split(',')
        .filter_map(|argument| argument.split(':').nth(1))
        .collect();
    let _ = writeln!(out, "\"builtin.module\"() ({{");
    let _ = writeln!(
        out,
        "\"func.func\"() <{{function_type = ({}) -> (), sym_name = \"f\"}}> ({{",
        types.join(",")
    );
    let _ = writeln!(out, "^entry({arguments}):");
    body(out);
    out.push_str("\"func.return\"() : () -> ()\n}) : () -> ()\n}) : () -> ()\n");
}

#[test]
fn ops_in_one_block() {
    grows_linearly(|size, out| {
        in_function("%0: i32", out, |out| {
            for number in 1..=size {
                let before = number - 1;
                let _ = writeln!(
                    out,
                    "%{number} = \"arith.addi\"(%{before}, %0) : (i32, i32) -> i32"
                );
            }
            let _ = writeln!(out, "\"x.use\"(%{size}) : (i32) -> ()");
        });
    });
}

#[test]
fn constants_that_fold() {
    grows_linearly(|size, out| {
        in_function("%x: memref<?xi32>, %i: index", out, |out| {
            for number in 0..size {
                let _ = writeln!(
                    out,
                    "%a{number} = \"arith.constant\"() <{{value = {number} : i32}}> : () -> i32"
                );
                let _ = writeln!(
                    out,
                    "%b{number} = \"arith.addi\"(%a{number}, %a{number}) : (i32, i32) -> i32"
                );
                let _ = writeln!(
                    out,
                    "\"memref.store\"(%b{number}, %x, %i) : (i32, memref<?xi32>, index) -> ()"
                );
            }
        });
    });
}

#[test]
fn equal_ops() {
    grows_linearly(|size, out| {
        in_function("%x: memref<?xi32>, %i: index", out, |out| {
            for number in 0..size {
                let _ = writeln!(
                    out,
                    "%l{number} = \"memref.load\"(%x, %i) : (memref<?xi32>, index) -> i32"
                );
                let _ = writeln!(
                    out,
                    "%s{number} = \"arith.muli\"(%l{number}, %l0) : (i32, i32) -> i32"
                );
                let _ = writeln!(
                    out,
                    "\"memref.store\"(%s{number}, %x, %i) : (i32, memref<?xi32>, index) -> ()"
                );
            }
        });
    });
}

#[test]
fn block_arguments() {
    grows_linearly(|size, out| {
        in_function("%0: i32", out, |out| {
            let (operands, types) = (vec!["%0"; size].join(", "), vec!["i32"; size].join(", "));
            let _ = writeln!(out, "\"cf.br\"({operands})[^bb1] : ({types}) -> ()");
            let args: Vec<String> = (0..size).map(|number| format!("%a{number}: i32")).collect();
            let _ = writeln!(out, "^bb1({}):", args.join(", "));
            // Every other one is used.
            for number in (0..size).step_by(2) {
                let _ = writeln!(out, "\"x.use\"(%a{number}) : (i32) -> ()");
            }
        });
    });
}

#[test]
fn blocks() {
    grows_linearly(|size, out| {
        in_function("%0: i1", out, |out| {
            for number in 0..size {
                let _ = writeln!(out, "\"cf.br\"()[^b{number}] : () -> ()\n^b{number}:");
                out.push_str("\"x.op\"() : () -> ()\n");
            }
        });
    });
}

#[test]
fn branches_on_one_condition() {
    grows_linearly(|size, out| {
        in_function("%0: i1", out, |out| {
            for number in 0..size {
                let _ = writeln!(
                    out,
                    "\"cf.cond_br\"(%0)[^a{number}, ^c{number}] <{{operandSegmentSizes = array<i32: 1, 0, 0>}}> : \
                     (i1) -> ()\n^a{number}:\n\"x.use\"(%0) : (i1) -> ()\n\"cf.br\"()[^c{number}] : () -> ()\n^c{number}:"
                );
                out.push_str("\"x.op\"() : () -> ()\n");
            }
        });
    });
}

#[test]
fn cases_of_a_switch() {
    grows_linearly(|size, out| {
        in_function("%0: i32", out, |out| {
            let values: Vec<String> = (0..size).map(|number| number.to_string()).collect();
            let blocks: Vec<String> = (0..size).map(|number| format!("^b{number}")).collect();
            let _ = writeln!(
                out,
                "\"cf.switch\"(%0)[^end, {}] <{{case_operand_segments = array<i32: {}>, case_values = dense<[{}]> : \
                 tensor<{size}xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}}> : (i32) -> ()",
                blocks.join(", "),
                vec!["0"; size].join(", "),
                values.join(", ")
            );
            for number in 0..size {
                let _ = writeln!(
                    out,
                    "^b{number}:\n\"x.use\"() {{n = {number}}} : () -> ()\n\"cf.br\"()[^end] : () -> ()"
                );
            }
            out.push_str("^end:\n");
        });
    });
}

/// A switch over `size` cases, `handed` says what goes to each; `^end` is the default.
fn switch_with_operands(size: usize, out: &mut String, handed: fn(usize) -> String) {
    let values: Vec<String> = (0..size).map(|number| number.to_string()).collect();
    let blocks: Vec<String> = (0..size).map(|number| format!("^b{number}")).collect();
    let operands: Vec<String> = (0..size).map(handed).collect();
    let _ = writeln!(
        out,
        "\"cf.switch\"(%0, {})[^end, {}] <{{case_operand_segments = array<i32: {}>, case_values = dense<[{}]> : \
         tensor<{size}xi32>, operandSegmentSizes = array<i32: 1, 0, {size}>}}> : (i32, {}) -> ()",
        operands.join(", "),
        blocks.join(", "),
        vec!["1"; size].join(", "),
        values.join(", "),
        vec!["i32"; size].join(", ")
    );
}

#[test]
fn cases_that_carry_operands() {
    grows_linearly(|size, out| {
        in_function("%0: i32", out, |out| {
            for number in 0..size {
                let _ = writeln!(out, "%v{number} = \"x.make\"() : () -> i32");
            }
            switch_with_operands(size, out, |number| format!("%v{number}"));
            // In turn: a block of its own, one with an argument nothing uses, one that only branches on.
            for number in 0..size {
                let _ = writeln!(out, "^b{number}(%a{number}: i32):");
                match number % 3 {
                    0 => {
                        let _ =
                            writeln!(out, "\"x.use\"(%a{number}) {{n = {number}}} : (i32) -> ()");
                    }
                    1 => {
                        let _ = writeln!(out, "\"x.use\"() {{n = {number}}} : () -> ()");
                    }
                    _ => {
                        let _ = writeln!(out, "\"cf.br\"(%a{number})[^on] : (i32) -> ()");
                        continue;
                    }
                }
                out.push_str("\"cf.br\"()[^end] : () -> ()\n");
            }
            out.push_str("^on(%on: i32):\n\"x.use\"(%on) : (i32) -> ()\n");
            out.push_str("\"cf.br\"()[^end] : () -> ()\n^end:\n");
        });
    });
}

#[test]
fn cases_that_are_alike() {
    grows_linearly(|size, out| {
        in_function("%0: i32, %1: i32", out, |out| {
            for number in 0..size {
                let _ = writeln!(out, "%v{number} = \"x.make\"() : () -> i32");
            }
            switch_with_operands(size, out, |number| format!("%v{number}"));
            // Two by two they are equal but for a value.
            for number in 0..size {
                let pair = number / 2;
                let _ = writeln!(
                    out,
                    "^b{number}(%a{number}: i32):\n\"x.use\"(%a{number}, %{}) {{n = {pair}}} : (i32, i32) -> ()\n\
                     \"cf.br\"()[^end] : () -> ()",
                    number % 2
                );
            }
            out.push_str("^end:\n");
        });
    });
}

#[test]
fn cases_that_store() {
    grows_linearly(|size, out| {
        in_function("%0: i32", out, |out| {
            out.push_str(
                "%slot = \"memref.alloca\"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<i32>\n",
            );
            out.push_str("\"memref.store\"(%0, %slot) : (i32, memref<i32>) -> ()\n");
            switch_with_operands(size, out, |_| "%0".to_owned());
            // Every block can be come to from the one before it, too: values meet in each.
            for number in 0..size {
                let next = if number + 1 == size {
                    "^end".to_owned()
                } else {
                    format!("^b{}", number + 1)
                };
                let (handed, ty) = if number + 1 == size {
                    (String::new(), "")
                } else {
                    (format!("%a{number}"), "i32")
                };
                let _ = writeln!(
                    out,
                    "^b{number}(%a{number}: i32):\n%l{number} = \"memref.load\"(%slot) : (memref<i32>) -> i32\n\
                     %s{number} = \"arith.addi\"(%l{number}, %a{number}) : (i32, i32) -> i32\n\
                     \"memref.store\"(%s{number}, %slot) : (i32, memref<i32>) -> ()\n\
                     \"cf.br\"({handed})[{next}] : ({ty}) -> ()"
                );
            }
            out.push_str("^end:\n%last = \"memref.load\"(%slot) : (memref<i32>) -> i32\n");
            out.push_str("\"x.use\"(%last) : (i32) -> ()\n");
        });
    });
}

#[test]
fn forward_references() {
    grows_linearly(|size, out| {
        out.push_str("\"builtin.module\"() ({\n");
        for number in 0..size {
            let _ = writeln!(
                out,
                "%{number} = \"x.next\"(%{}) : (i32) -> i32",
                number + 1
            );
        }
        let _ = writeln!(out, "%{size} = \"x.last\"() : () -> i32\n}}) : () -> ()");
    });
}

#[test]
fn symbols() {
    grows_linearly(|size, out| {
        out.push_str("\"builtin.module\"() ({\n");
        for number in 0..size {
            let _ = writeln!(
                out,
                "\"func.func\"() <{{function_type = () -> (), sym_name = \"f{number}\"}}> ({{\n\"func.call\"() <{{callee = @f{}}}> : \
                 () -> ()\n\"func.return\"() : () -> ()\n}}) : () -> ()",
                size - 1 - number
            );
        }
        out.push_str("}) : () -> ()\n");
    });
}

/// Questions the verifier cannot settle on its way: it is asked again once, and no text is made for a message nobody reads.
#[test]
fn calls_of_what_comes_later() {
    grows_linearly(|size, out| {
        out.push_str("\"builtin.module\"() ({\n");
        out.push_str("\"func.func\"() <{function_type = () -> (), sym_name = \"first\"}> ({\n");
        for _ in 0..size {
            out.push_str("\"func.call\"() <{callee = @last}> : () -> ()\n");
        }
        out.push_str("\"func.return\"() : () -> ()\n}) : () -> ()\n");
        out.push_str(
            "\"func.func\"() <{function_type = () -> (), sym_name = \"last\", sym_visibility = \"private\"}> ({}) : () -> ()\n",
        );
        out.push_str("}) : () -> ()\n");
    });
}

#[test]
fn aliases() {
    grows_linearly(|size, out| {
        for number in 0..size {
            let _ = writeln!(out, "#a{number} = {number} : i64");
        }
        out.push_str("\"builtin.module\"() ({\n");
        for number in 0..size {
            let _ = writeln!(out, "\"x.use\"() {{a = #a{number}}} : () -> ()");
        }
        out.push_str("}) : () -> ()\n");
    });
}

#[test]
fn aliases_of_maps_and_locations() {
    grows_linearly(|size, out| {
        out.push_str("\"builtin.module\"() ({\n");
        for number in 0..size {
            let _ = writeln!(
                out,
                "\"x.use\"() {{a = #m{number}}} : () -> () loc(#loc{number})"
            );
        }
        out.push_str("}) : () -> ()\n");
        for number in 0..size {
            let _ = writeln!(out, "#m{number} = affine_map<(d0) -> (d0 + {number})>");
            let _ = writeln!(out, "#loc{number} = loc(\"file\":{number}:1)");
        }
    });
}

#[test]
fn results_and_operands_of_one_op() {
    grows_linearly(|size, out| {
        in_function("%0: i32", out, |out| {
            let types = vec!["i32"; size].join(", ");
            let _ = writeln!(out, "%r:{size} = \"x.many\"() : () -> ({types})");
            let used: Vec<String> = (0..size).map(|number| format!("%r#{number}")).collect();
            let _ = writeln!(out, "\"x.use\"({}) : ({types}) -> ()", used.join(", "));
        });
    });
}

#[test]
fn attributes_of_one_op() {
    grows_linearly(|size, out| {
        let entries: Vec<String> = (0..size)
            .map(|number| format!("a{number} = {number} : i32"))
            .collect();
        let _ = writeln!(
            out,
            "\"builtin.module\"() ({{\n\"x.op\"() {{{}}} : () -> ()",
            entries.join(", ")
        );
        out.push_str("}) : () -> ()\n");
    });
}

#[test]
fn regions_beside_each_other() {
    grows_linearly(|size, out| {
        in_function("%0: i1, %1: i32", out, |out| {
            for _ in 0..size {
                out.push_str(
                    "\"scf.if\"(%0) ({\n\"x.use\"(%1) : (i32) -> ()\n\"scf.yield\"() : () -> ()\n}, {}) : (i1) -> ()\n",
                );
            }
        });
    });
}

#[test]
fn regions_of_one_op() {
    grows_linearly(|size, out| {
        in_function("%0: index, %1: i32", out, |out| {
            let cases: Vec<String> = (0..size).map(|number| number.to_string()).collect();
            let _ = writeln!(
                out,
                "%r = \"scf.index_switch\"(%0) <{{cases = array<i64: {}>}}> ({{",
                cases.join(", ")
            );
            for number in 0..size {
                let _ = writeln!(
                    out,
                    "%v{number} = \"x.make\"() : () -> i32\n\"scf.yield\"(%v{number}) : (i32) -> ()\n}}, {{"
                );
            }
            out.push_str("\"scf.yield\"(%1) : (i32) -> ()\n}) : (index) -> i32\n");
            out.push_str("\"x.use\"(%r) : (i32) -> ()\n");
        });
    });
}

#[test]
fn uses_of_one_value() {
    grows_linearly(|size, out| {
        in_function("%0: i32", out, |out| {
            out.push_str("%c = \"arith.constant\"() <{value = 0 : i32}> : () -> i32\n");
            for number in 0..size {
                let _ = writeln!(
                    out,
                    "%v{number} = \"arith.addi\"(%0, %c) : (i32, i32) -> i32"
                );
                let _ = writeln!(out, "\"x.use\"(%v{number}) : (i32) -> ()");
            }
        });
    });
}
