//! The exit to upstream MLIR, LLVM and PTX; the only crate that links LLVM.
