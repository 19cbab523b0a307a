//! `reuse-memory`: a buffer takes memory that is free and provably large enough.

mod support;

use segra_device::ReuseMemory;
use support::{after, has};

/// A buffer of `%first` elements, used and freed, then one of `%second`; `sizes` makes these two.
fn program(sizes: &str, ty: [&str; 2]) -> String {
    let [first, second] = ty;
    format!(
        "func.func @main(%n: index, %m: index, %x: f32) {{
           %zero = arith.constant 0 : index
           {sizes}
           %a = gpu.alloc (%first) : memref<?x{first}>
           %p = memref.load %a[%zero] : memref<?x{first}>
           gpu.dealloc %a : memref<?x{first}>
           %b = gpu.alloc (%second) : memref<?x{second}>
           %q = memref.load %b[%zero] : memref<?x{second}>
           gpu.dealloc %b : memref<?x{second}>
           func.return
         }}"
    )
}

#[track_caller]
fn allocations(sizes: &str, times: usize) {
    let text = after(&ReuseMemory {}, &program(sizes, ["f32", "f32"]));
    has(&text, "gpu.alloc", times);
    has(&text, "gpu.dealloc", times);
}

/// `%first` and `%second` as ops on `%n`, `%m` and constants.
fn sizes(first: &str, second: &str) -> String {
    format!(
        "%two = arith.constant 2 : index
         %three = arith.constant 3 : index
         %minus = arith.constant -1 : index
         %first = {first} : index
         %second = {second} : index"
    )
}

#[test]
fn sizes_that_are_never_larger_fit() {
    for (first, second) in [
        ("arith.muli %n, %m", "arith.muli %m, %n"),
        ("arith.muli %n, %three", "arith.muli %n, %two"),
        ("arith.muli %n, %two", "arith.minsi %first, %m"),
        ("arith.muli %n, %two", "arith.minsi %m, %n"),
        ("arith.muli %n, %m", "arith.ceildivsi %first, %three"),
        ("arith.constant 5", "arith.constant 4"),
    ] {
        allocations(&sizes(first, second), 1);
    }
}

#[test]
fn sizes_that_may_be_larger_do_not() {
    for (first, second) in [
        // A maximum is as large as the larger one.
        ("arith.muli %n, %two", "arith.maxsi %first, %m"),
        ("arith.muli %n, %two", "arith.maxsi %m, %n"),
        ("arith.minsi %n, %m", "arith.muli %n, %two"),
        ("arith.muli %n, %two", "arith.muli %n, %three"),
        ("arith.muli %n, %two", "arith.muli %m, %two"),
        ("arith.muli %n, %two", "arith.minsi %m, %m"),
        ("arith.muli %n, %two", "arith.addi %n, %m"),
        ("arith.muli %n, %two", "arith.subi %first, %m"),
        ("arith.muli %n, %m", "arith.ceildivsi %first, %minus"),
        ("arith.muli %n, %m", "arith.ceildivsi %first, %m"),
        ("arith.muli %n, %m", "arith.muli %first, %n"),
        ("arith.constant 4", "arith.constant 5"),
    ] {
        allocations(&sizes(first, second), 2);
    }
}

#[test]
fn elements_of_another_type_do_not_fit() {
    let same = sizes("arith.muli %n, %two", "arith.muli %n, %two");
    has(
        &after(&ReuseMemory {}, &program(&same, ["f32", "i32"])),
        "gpu.alloc",
        2,
    );
}

#[test]
fn memory_that_is_not_free_yet_is_not_taken() {
    let text = after(
        &ReuseMemory {},
        "func.func @main(%n: index, %c: i1) {
           %zero = arith.constant 0 : index
           %a = gpu.alloc (%n) : memref<?xf32>
           %b = gpu.alloc (%n) : memref<?xf32>
           %p = memref.load %a[%zero] : memref<?xf32>
           gpu.dealloc %a : memref<?xf32>
           // Free only on one way through the program.
           scf.if %c { gpu.dealloc %b : memref<?xf32> }
           %d = gpu.alloc (%n) : memref<?xf32>
           %e = gpu.alloc (%n) : memref<?xf32>
           gpu.dealloc %d : memref<?xf32>
           gpu.dealloc %e : memref<?xf32>
           func.return
         }",
    );
    // Only `%d` has `%a`'s memory.
    has(&text, "gpu.alloc", 3);
    has(&text, "memref.reinterpret_cast", 1);
}
