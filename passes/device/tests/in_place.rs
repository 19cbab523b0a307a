//! `update-in-place`: a copy goes only where nobody can see the source any more.

mod support;

use segra_device::UpdateInPlace;
use support::{after, has};

/// A function that makes `%a`, copies it to `%b`, and writes to `%b`; `between` and `end` use what there is.
fn program(between: &str, end: &str, results: &str) -> String {
    format!(
        "func.func private @keep(memref<?xf32>)
         func.func @main(%n: index, %x: f32, %c: i1) {results} {{
           %zero = arith.constant 0 : index
           %a = gpu.alloc (%n) : memref<?xf32>
           memref.store %x, %a[%zero] : memref<?xf32>
           {between}
           %b = gpu.alloc (%n) : memref<?xf32>
           gpu.memcpy %b, %a : memref<?xf32>, memref<?xf32>
           memref.store %x, %b[%zero] : memref<?xf32>
           {end}
         }}"
    )
}

#[track_caller]
fn copies(text: &str, times: usize) {
    has(&after(&UpdateInPlace {}, text), "gpu.memcpy", times);
}

#[test]
fn a_source_that_nobody_needs_is_changed_itself() {
    copies(
        &program("", "func.return %b : memref<?xf32>", "-> memref<?xf32>"),
        0,
    );
    let read_before = "%v = memref.load %a[%zero] : memref<?xf32>";
    copies(
        &program(
            read_before,
            "func.return %b : memref<?xf32>",
            "-> memref<?xf32>",
        ),
        0,
    );
    // An extent is no use.
    let extent = "%m = memref.dim %a, %zero : memref<?xf32> func.return %m : index";
    copies(&program("", extent, "-> index"), 0);
}

#[test]
fn a_source_that_is_used_afterwards_keeps_its_contents() {
    let read = "%v = memref.load %a[%zero] : memref<?xf32> func.return %v : f32";
    copies(&program("", read, "-> f32"), 1);
    let view = "%v = memref.cast %a : memref<?xf32> to memref<4xf32>";
    let read = "%w = memref.load %v[%zero] : memref<4xf32> func.return %w : f32";
    copies(&program(view, read, "-> f32"), 1);
    let nested = "scf.if %c { memref.store %x, %a[%zero] : memref<?xf32> } func.return";
    copies(&program("", nested, ""), 1);
}

#[test]
fn a_source_that_escapes_keeps_its_contents() {
    let returned = "func.return %a, %b : memref<?xf32>, memref<?xf32>";
    copies(
        &program("", returned, "-> (memref<?xf32>, memref<?xf32>)"),
        1,
    );
    // An earlier receiver may still have it.
    let given = "func.call @keep(%a) : (memref<?xf32>) -> ()";
    copies(
        &program(given, "func.return %b : memref<?xf32>", "-> memref<?xf32>"),
        1,
    );
    let yielded = "%y = scf.if %c -> (memref<?xf32>) { scf.yield %a : memref<?xf32> }
                   else { %d = gpu.alloc (%n) : memref<?xf32> scf.yield %d : memref<?xf32> }";
    let both = "func.return %b, %y : memref<?xf32>, memref<?xf32>";
    copies(
        &program(yielded, both, "-> (memref<?xf32>, memref<?xf32>)"),
        1,
    );
    let chosen = "%y = arith.select %c, %a, %a : memref<?xf32>";
    copies(
        &program(chosen, both, "-> (memref<?xf32>, memref<?xf32>)"),
        1,
    );
}

#[test]
fn a_parameter_keeps_its_contents() {
    copies(
        "func.func @main(%n: index, %x: f32, %a: memref<?xf32>) -> memref<?xf32> {
           %zero = arith.constant 0 : index
           %b = gpu.alloc (%n) : memref<?xf32>
           gpu.memcpy %b, %a : memref<?xf32>, memref<?xf32>
           memref.store %x, %b[%zero] : memref<?xf32>
           func.return %b : memref<?xf32>
         }",
        1,
    );
}

/// A loop that carries two buffers, copies the first, and yields what `yields` says.
fn looped(more: &str, yields: &str) -> String {
    format!(
        "func.func @main(%n: index, %x: f32, %p: memref<?xf32>, %q: memref<?xf32>) -> memref<?xf32> {{
           %zero = arith.constant 0 : index
           %one = arith.constant 1 : index
           %r, %s = scf.for %i = %zero to %n step %one iter_args(%a = %p, %d = %q) -> (memref<?xf32>, memref<?xf32>) {{
             %b = gpu.alloc (%n) : memref<?xf32>
             gpu.memcpy %b, %a : memref<?xf32>, memref<?xf32>
             memref.store %x, %b[%zero] : memref<?xf32>
             {more}
             scf.yield {yields} : memref<?xf32>, memref<?xf32>
           }}
           func.return %r : memref<?xf32>
         }}"
    )
}

#[test]
fn a_loop_copies_what_it_was_given_and_nothing_else() {
    let text = after(&UpdateInPlace {}, &looped("", "%b, %d"));
    has(&text, "gpu.memcpy", 1);
    has(&text, "scf.if", 1);
    // Two carried values would be one buffer, or the old contents are carried on.
    for yields in ["%b, %b", "%b, %a", "%d, %b", "%a, %b"] {
        has(&after(&UpdateInPlace {}, &looped("", yields)), "scf.if", 0);
    }
    let read =
        "%v = memref.load %a[%zero] : memref<?xf32> memref.store %v, %d[%zero] : memref<?xf32>";
    has(
        &after(&UpdateInPlace {}, &looped(read, "%b, %d")),
        "scf.if",
        0,
    );
}
