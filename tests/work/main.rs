//! Work of each pass of the pipelines, counted in bytes of memory asked for, grows no faster than programs.
//!
//! No clock: the figures are the same on every machine and under every load. Code that walks the whole program once for each
//! of its ops collects the ops, so it asks for quadratically much. Programs are those of `segra_tests::long_programs`;
//! `SEGRA_LONG=1` takes longer ones. Deliberately absent: seconds (`benches/compile.py`).

mod canonical;
mod deep;
mod memory;
mod search;

use allocation_counter::measure;
use segra_ir::{Context, Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline, ShowOptions, Threads};
use segra_tests::long_programs::Shape;
use segra_text::{ParseOptions, parse_module};
use std::num::NonZero;
use std::sync::{Arc, Mutex};
use std::thread::{available_parallelism, scope};

/// How many times as long the longer program is.
const TIMES: usize = 4;
/// A pass may ask for so many times as much on the longer program: linear work for 4 times, quadratic work for 16 times.
/// Tables grow in steps, hence 6.
const GROWTH: f64 = 6.0;
/// Smaller requests say little: a few tables that double, or what programs have few of.
const LEAST: u64 = 1 << 20;

fn sizes() -> [usize; 2] {
    let short = if std::env::var_os("SEGRA_LONG").is_some() {
        1000
    } else {
        250
    };
    [short, TIMES * short]
}

/// The memory requested by reading a program and by each pass, verifying the output included.
fn work(text: &str, pipeline: &str) -> Vec<(String, u64)> {
    let ctx = Arc::new(Context::new());
    segra_pipeline::register_all_dialects(&ctx);
    let mut read = None;
    let parsing =
        measure(|| read = parse_module(&ctx, "program", text, &ParseOptions::default()).ok());
    let mut ir: Ir = read.expect("it is a program");
    let mut rows = vec![("reading".to_owned(), parsing.bytes_total)];
    let text = format!("builtin.module({pipeline})");
    let all = Pipeline::parse(&text, &segra_pipeline::registry()).expect("it is a pipeline");
    for item in all.items {
        let name = item.text(ShowOptions::Changed);
        let one = Pipeline {
            anchor: all.anchor.clone(),
            items: vec![item],
        };
        let mut diags = Diagnostics::new();
        let asked = measure(|| {
            // Requests of other threads are not counted.
            let manager = PassManager::new(&one).threads(Threads::Exactly(1));
            manager.run(&mut ir, &mut diags).expect("the pass succeeds");
        });
        rows.push((name, asked.bytes_total));
    }
    rows
}

/// Steps of a pipeline that ask for too much on programs of a shape.
fn superlinear(shape: Shape, pipeline: &str) -> Vec<String> {
    let mut found = Vec::new();
    let [short, long] = sizes().map(|size| work(&shape.program(size), pipeline));
    for (at, ((name, a), (_, b))) in short.iter().zip(&long).enumerate() {
        let growth = *b as f64 / (*a).max(1) as f64;
        if *b > LEAST && growth > GROWTH {
            let shape = shape.name();
            found.push(format!(
                "{shape}, step {at} of {pipeline}, {name}: {a} and {b} bytes, {growth:.2} times"
            ));
        }
    }
    found
}

fn assert_linear(pipeline: &str) {
    // The requests of each thread are counted by themselves, so that shapes may be measured side by side.
    let left = Mutex::new(Shape::ALL.into_iter());
    let next = || left.lock().expect("nobody fails with it").next();
    let one_after_another = || -> Vec<String> {
        core::iter::from_fn(next)
            .flat_map(|shape| superlinear(shape, pipeline))
            .collect()
    };
    let threads = available_parallelism().map_or(1, NonZero::get);
    let found = scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| scope.spawn(one_after_another))
            .collect();
        let joined = workers.into_iter();
        let joined = joined.flat_map(|worker| worker.join().expect("no pass panics"));
        joined.collect::<Vec<String>>()
    });
    assert!(
        found.is_empty(),
        "for {:?} SOACs:\n{}",
        sizes(),
        found.join("\n")
    );
}

#[test]
fn every_pass_of_one_version_is_linear_in_programs_of_every_shape() {
    assert_linear("array-to-kernel-one,kernel-to-gpu");
}

#[test]
fn every_pass_of_all_versions_is_linear_in_programs_of_every_shape() {
    assert_linear("array-to-gpu");
}
