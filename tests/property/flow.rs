//! Passes on control flow, memory and calls keep what random programs compute.

use crate::{call, keeps_results, seeds};
use segra_interp::Datum;
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

#[test]
fn passes_on_control_flow_keep_what_programs_compute() {
    for seed in seeds() {
        keeps_results(seed, &flow_program(seed, 6), PIPELINES, &|ir| {
            let run = |(k, n)| {
                (
                    format!("{k}, {n}"),
                    call(ir, seed, &[Datum::Int(k), Datum::Int(n)]),
                )
            };
            [(0, 1), (-5, 1000)].map(run).to_vec()
        });
    }
}
