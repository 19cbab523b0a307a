//! Passes, pipelines, the pass manager, analyses and rewrite drivers.
