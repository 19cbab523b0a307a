//! `threads FILE N`: reads the file, and says how long `canonicalize` and `cse` on all its functions take on so many
//! threads, each pass's result verified. Seconds on the clock; the system's allocator as it is.

use segra_cleanup::{Canonicalize, Cse};
use segra_text::{ParseOptions, parse_shared};
use segra_ir::{Context, Diagnostics};
use segra_pass::{PassEntry, PassManager, PassRegistry, Pipeline, Threads, VerifyEach};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, threads] = &args[..] else { panic!("threads FILE N") };
    let ctx = Arc::new(Context::new());
    segra_std::register(&ctx);
    let text = Arc::new(std::fs::read_to_string(file).expect("the file can be read"));
    let mut ir = parse_shared(&ctx, file, &text, &ParseOptions::allowing_unregistered()).ir;
    let registry =
        PassRegistry::new(vec![PassEntry::of::<Canonicalize>(), PassEntry::of::<Cse>()], Vec::new());
    let mut pipeline = Pipeline::on("builtin.module");
    pipeline.add_text("func.func(canonicalize,cse)", &registry).expect("passes");
    let threads = threads.parse().expect("a number of threads");
    let manager =
        PassManager::new(&pipeline).verify_each(VerifyEach::Yes).threads(Threads::Exactly(threads));
    let start = Instant::now();
    let _ = manager.run(&mut ir, &mut Diagnostics::new()).map_err(|_| panic!("a pass failed"));
    println!("passes {:.6}", start.elapsed().as_secs_f64());
    // The system takes back the rest.
    std::process::exit(0);
}
