//! What several test binaries share, and nothing that links LLVM: it is built into every one of them.
//!
//! * [`mod@case`]: test files: a header that says what to do, a program, what is expected; blessing.
//! * [`random_ir`], [`random_flow`]: random well-typed programs, for property tests.
//! * [`ptxas`]: NVIDIA's assembler as a judge of PTX. [`upstream`]: `mlir-opt` as a judge of generic text.

pub mod case;
pub mod ptxas;
pub mod random_chain;
pub mod random_flow;
pub mod random_ir;
pub mod random_nested;
pub mod upstream;
