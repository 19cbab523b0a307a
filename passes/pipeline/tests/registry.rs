//! The registry is in order, and everything in it can be run.

use segra_pass::registry::Registered;
use segra_pass::{Anchors, PassRegistry, Pipeline, ShowOptions};

/// A pipeline of one step, nested in an op the step may run on.
fn alone(registry: &PassRegistry, name: &str) -> String {
    let anchors = match registry.find(name) {
        Some(Registered::Pass(entry)) => entry.info.anchors,
        _ => Anchors::Any,
    };
    match anchors {
        Anchors::Ops(names) if !anchors.accepts("builtin.module") => {
            format!("builtin.module({}({name}))", names[0])
        }
        Anchors::Ops(_) | Anchors::Any => format!("builtin.module({name})"),
    }
}

#[test]
fn lists_are_alphabetic_and_summaries_one_line() {
    assert_eq!(segra_pipeline::registry().problems(), Vec::<String>::new());
}

#[test]
fn every_pass_and_every_named_pipeline_reads_and_reads_back() {
    let registry = segra_pipeline::registry();
    for name in registry.names() {
        let pipeline = Pipeline::parse(&alone(&registry, name), &registry);
        let text = pipeline
            .unwrap_or_else(|error| panic!("{error}"))
            .text(ShowOptions::All);
        let again = Pipeline::parse(&text, &registry).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.text(ShowOptions::All), text);
    }
}
