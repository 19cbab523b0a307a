//! What several test binaries share, and nothing that links LLVM: it is built into every one of them.

pub mod ptxas;
