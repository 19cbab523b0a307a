//! All pipelines and the registry of passes, in one place.
