//! Segra's figures in process: `build OPS` through the API, `read FILE` and what comes after reading. One `name value`
//! pair a line, seconds and bytes. Functions are those of `benches/modules.py`.

mod module;

use segra_cleanup::{Canonicalize, Cse};
use segra_text::{ParseOptions, PrintOptions, Unregistered, parse_shared, print};
use segra_ir::verify::{VerifyOptions, verify_op};
use segra_ir::{Context, Diagnostics, Ir, Loc, LocKind};
use segra_pass::{PassEntry, PassManager, PassRegistry, Pipeline, Threads, VerifyEach};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes that are held.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);

// Sound: everything is forwarded to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        HELD.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        HELD.fetch_add(size, Ordering::Relaxed);
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["build", ops] => build(ops.parse().expect("a number of ops")),
        ["read", file] => read(file),
        _ => panic!("build OPS | read FILE"),
    }
}

fn context() -> Arc<Context> {
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    ctx
}

/// Runs a step and says how long it took.
fn timed<T>(name: &str, step: impl FnOnce() -> T) -> T {
    let start = processor_time();
    let result = step();
    println!("{name} {:.6}", processor_time() - start);
    result
}

/// Seconds this process has run: other work on the machine does not count.
fn processor_time() -> f64 {
    // The system counts when it switches processes or its clock ticks; being ready to switch is enough.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/self/schedstat").expect("a Linux kernel that counts");
    let nanoseconds: f64 = text.split(' ').next().and_then(|first| first.parse().ok()).expect("a number");
    nanoseconds * 1e-9
}

fn build(ops: usize) {
    let functions = (ops / module::OPS_PER_FUNCTION).max(1);
    // Costs of a first op only (names, types, attributes) are not measured.
    let ctx = context();
    drop(module::build(&ctx, 2, &mut |_| Loc::UNKNOWN));
    let before = HELD.load(Ordering::Relaxed);
    let ir = timed("build", || module::build(&ctx, functions, &mut |_| Loc::UNKNOWN));
    let bytes = HELD.load(Ordering::Relaxed) - before;
    println!("ops {}", functions * module::OPS_PER_FUNCTION);
    println!("bytes {bytes}");
    drop(ir);
    let file = ctx.ident("source.x");
    let before = HELD.load(Ordering::Relaxed);
    let ir = timed("build_with_locations", || {
        module::build(&ctx, functions, &mut |op| ctx.loc(LocKind::File { file, line: op, column: 1 }))
    });
    println!("bytes_with_locations {}", HELD.load(Ordering::Relaxed) - before);
    let mut diags = Diagnostics::new();
    timed("verify", || verify_op(&ir, ir.root(), &VerifyOptions::default(), &mut diags));
    assert!(!diags.has_errors(), "the module is right");
}

fn read(file: &str) {
    let ctx = context();
    let text = Arc::new(std::fs::read_to_string(file).expect("the file can be read"));
    let before = HELD.load(Ordering::Relaxed);
    let options = ParseOptions::allowing_unregistered();
    let parsed = timed("parse", || parse_shared(&ctx, file, &text, &options));
    println!("parsed_bytes {}", HELD.load(Ordering::Relaxed) - before);
    let (mut ir, mut diags) = (parsed.ir, parsed.diags);
    let options = VerifyOptions { unregistered: Unregistered::Allow };
    timed("verify", || verify_op(&ir, ir.root(), &options, &mut diags));
    assert!(!diags.has_errors(), "the module is right");
    let text = timed("print", || print(&ir, ir.root(), &PrintOptions::mlir_generic()));
    println!("printed_bytes {}", text.len());
    for name in ["canonicalize", "cse"] {
        timed(name, || run(&mut ir, name));
    }
    // The system takes back the rest.
    std::process::exit(0);
}

fn run(ir: &mut Ir, pass: &str) {
    let registry =
        PassRegistry::new(vec![PassEntry::of::<Canonicalize>(), PassEntry::of::<Cse>()], Vec::new());
    let mut pipeline = Pipeline::on("builtin.module");
    pipeline.add_text(pass, &registry).expect("a pass");
    let manager = PassManager::new(&pipeline).verify_each(VerifyEach::No).threads(Threads::Exactly(1));
    let _ = manager.run(ir, &mut Diagnostics::new()).map_err(|_| panic!("the pass failed"));
}
