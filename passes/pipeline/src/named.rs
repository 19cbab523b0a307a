//! Named pipelines: plain lists of steps. A comment stands where order matters.

use segra_pass::NamedPipeline;

/// All named pipelines, in alphabetic order.
pub fn pipelines() -> Vec<NamedPipeline> {
    vec![CLEANUP]
}

/// What runs after every large change to a program.
pub const CLEANUP: NamedPipeline = NamedPipeline {
    name: "cleanup",
    summary: "bring a program to its canonical form and drop what it does not need",
    steps: &[
        "canonicalize",
        "cse",        // after canonicalize: equal ops then look equal
        "dce",        // what only dead code used
        "symbol-dce", // last: calls may have gone with dead code
    ],
};
