//! `free-memory`: buffers are freed once, behind their last use, and only where nobody else can have them.

mod support;

use segra_device::FreeMemory;
use support::{after, has};

fn program(body: &str, results: &str) -> String {
    format!(
        "func.func private @keep(memref<?xf32>)
         func.func @main(%n: index, %x: f32, %c: i1) {results} {{
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           %a = gpu.alloc (%n) : memref<?xf32>
           {body}
         }}"
    )
}

/// The line behind which a buffer is freed, among the lines of the program that name an op.
#[track_caller]
fn freed_behind(text: &str, op: &str) {
    let freed = after(&FreeMemory {}, text);
    has(&freed, "gpu.dealloc", 1);
    let lines: Vec<&str> = freed.lines().collect();
    let at = lines
        .iter()
        .position(|line| line.contains("gpu.dealloc"))
        .expect("counted above");
    let indent = |line: &str| line.len() - line.trim_start().len();
    let before = lines[..at]
        .iter()
        .rev()
        .find(|line| indent(line) == indent(lines[at]));
    // A region ends in a line of its own.
    let before = before.copied().unwrap_or_default();
    assert!(
        before.contains(op),
        "freed behind `{before}`, not behind `{op}`, in\n{freed}"
    );
}

#[test]
fn a_buffer_is_freed_behind_its_last_use() {
    let two =
        "memref.store %x, %a[%zero] : memref<?xf32> %v = memref.load %a[%zero] : memref<?xf32>
               %w = arith.addf %v, %v : f32 func.return %w : f32";
    freed_behind(&program(two, "-> f32"), "memref.load");
    // Nobody uses it.
    freed_behind(&program("func.return", ""), "gpu.alloc");
    let view = "%v = memref.cast %a : memref<?xf32> to memref<4xf32>
                %w = arith.addf %x, %x : f32
                %y = memref.load %v[%zero] : memref<4xf32> func.return %y : f32";
    freed_behind(&program(view, "-> f32"), "memref.load");
    let nested = "scf.for %i = %zero to %n step %one { memref.store %x, %a[%i] : memref<?xf32> } func.return";
    freed_behind(&program(nested, ""), "}");
    let made = "%b = scf.if %c -> (memref<?xf32>) { scf.yield %a : memref<?xf32> }
                else { %d = gpu.alloc (%n) : memref<?xf32> scf.yield %d : memref<?xf32> }
                %v = memref.load %b[%zero] : memref<?xf32> func.return %v : f32";
    // One way gives a buffer that the branch has not made: whose it is only the run knows.
    has(
        &after(&FreeMemory {}, &program(made, "-> f32")),
        "gpu.dealloc",
        0,
    );
}

#[test]
fn what_every_way_of_a_branch_makes_is_freed_behind_its_last_use() {
    let text = "func.func @main(%n: index, %c: i1) -> f32 {
        %zero = arith.constant 0 : index
        %b = scf.if %c -> (memref<?xf32>) {
          %d = gpu.alloc (%n) : memref<?xf32>
          scf.yield %d : memref<?xf32>
        } else {
          %e = gpu.alloc (%n) : memref<?xf32>
          scf.yield %e : memref<?xf32>
        }
        %v = memref.load %b[%zero] : memref<?xf32>
        func.return %v : f32
      }";
    freed_behind(text, "memref.load");
}

#[test]
fn what_leaves_is_not_freed() {
    let stays = |body: &str, results: &str| {
        has(
            &after(&FreeMemory {}, &program(body, results)),
            "gpu.dealloc",
            0,
        );
    };
    stays("func.return %a : memref<?xf32>", "-> memref<?xf32>");
    stays(
        "func.call @keep(%a) : (memref<?xf32>) -> () func.return",
        "",
    );
    stays(
        "%b = arith.select %c, %a, %a : memref<?xf32> func.return %b : memref<?xf32>",
        "-> memref<?xf32>",
    );
    stays(
        "%v = memref.cast %a : memref<?xf32> to memref<4xf32> func.return %v : memref<4xf32>",
        "-> memref<4xf32>",
    );
    // Carried by a loop, and yielded by one.
    stays(
        "%r = scf.for %i = %zero to %n step %one iter_args(%b = %a) -> (memref<?xf32>) {
           scf.yield %b : memref<?xf32>
         }
         %v = memref.load %r[%zero] : memref<?xf32> func.return %v : f32",
        "-> f32",
    );
}

#[test]
fn what_is_freed_already_is_not_freed_again() {
    let freed =
        "memref.store %x, %a[%zero] : memref<?xf32> gpu.dealloc %a : memref<?xf32> func.return";
    has(
        &after(&FreeMemory {}, &program(freed, "")),
        "gpu.dealloc",
        1,
    );
    let in_a_branch = "scf.if %c { gpu.dealloc %a : memref<?xf32> } func.return";
    has(
        &after(&FreeMemory {}, &program(in_a_branch, "")),
        "gpu.dealloc",
        1,
    );
}
