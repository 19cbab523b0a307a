//! The parts of upstream MLIR we lower to: builtin, func, arith, math, scf, memref, vector.
