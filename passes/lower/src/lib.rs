//! Lowering: kernels to gpu functions, and the exit form for upstream MLIR.
