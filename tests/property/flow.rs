//! Passes on control flow, memory and calls keep what random programs compute.

use crate::{read, rendered, seeds};
use segra_interp::{Datum, Interpreter};
use segra_ir::text::printer::Form;
use segra_ir::{Diagnostics, Ir};
use segra_pass::{PassManager, Pipeline};
use segra_tests::random_flow::flow_program;

/// Pipelines that are tried on every program; combinations, because one pass makes what another looks for.
const PIPELINES: &[&str] = &[
    "canonicalize",
    "canonicalize{region-simplify=aggressive}",
    "canonicalize{top-down=false region-simplify=disabled}",
    "cse",
    "dce",
    "inline",
    "inline{default-pipeline=\"\"}",
    "int-range-optimizations",
    "loop-invariant-code-motion",
    "loop-unroll{unroll-factor=2}",
    "loop-unroll{unroll-factor=3},loop-unroll{full}",
    "mem2reg",
    "mem2reg{region-simplify=false}",
    "sccp",
    "symbol-dce",
    "mem2reg,sccp,canonicalize{region-simplify=aggressive},cse,loop-invariant-code-motion",
    "inline{default-pipeline=mem2reg},mem2reg,loop-unroll{full},sccp,canonicalize,cse,dce,symbol-dce",
];

fn run(ir: &Ir, seed: u64, k: i64, n: i64) -> Vec<Datum> {
    let results = Interpreter::new(ir).call("main", &[Datum::Int(k), Datum::Int(n)]);
    results.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", crate::text(ir, Form::Custom)))
}

#[test]
fn passes_on_control_flow_keep_what_programs_compute() {
    let registry = segra_pipeline::registry();
    for seed in seeds() {
        let source = flow_program(seed, 6);
        let before = read(seed, &source);
        for steps in PIPELINES {
            let mut after = read(seed, &source);
            let pipeline =
                Pipeline::parse(&format!("builtin.module({steps})"), &registry).expect("it is right");
            let mut diags = Diagnostics::new();
            let outcome = PassManager::new(&pipeline).run(&mut after, &mut diags);
            assert!(outcome.is_ok(), "seed {seed}, {steps}:\n{}\n{source}", rendered(after.ctx(), &diags));
            for (k, n) in [(0, 1), (-5, 1000)] {
                let (wanted, found) = (run(&before, seed, k, n), run(&after, seed, k, n));
                assert_eq!(
                    format!("{wanted:?}"),
                    format!("{found:?}"),
                    "seed {seed}, {steps}, {k} {n}\n{source}\nbecame\n{}",
                    crate::text(&after, Form::Custom)
                );
            }
        }
    }
}
