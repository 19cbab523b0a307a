//! The registry is in order, and everything in it can be run.

use segra_pass::{Pipeline, ShowOptions};

#[test]
fn lists_are_alphabetic_and_summaries_one_line() {
    assert_eq!(segra_pipeline::registry().problems(), Vec::<String>::new());
}

#[test]
fn every_pass_and_every_named_pipeline_reads_and_reads_back() {
    let registry = segra_pipeline::registry();
    for name in registry.names() {
        let pipeline = Pipeline::parse(&format!("builtin.module({name})"), &registry);
        let text = pipeline.unwrap_or_else(|error| panic!("{error}")).text(ShowOptions::All);
        let again = Pipeline::parse(&text, &registry).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.text(ShowOptions::All), text);
    }
}
