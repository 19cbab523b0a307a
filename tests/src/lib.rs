//! Support of several test binaries, and nothing that links LLVM: it is built into every one of them.
//!
//! * [`array_programs`]: programs of the array level, read, run, counted.
//! * [`mod@case`]: test files: a header that says what to do, a program, what is expected; blessing.
//! * [`draft`], and by it [`random_chain`], [`random_failing`], [`random_flow`], [`random_ir`], [`random_nested`]: random well-typed programs; [`random_with_loop`]: with what they must give.
//! * [`filters`]: arguments of the test binaries that make their trials.
//! * [`long_programs`]: programs of any number of SOACs.
//! * [`mod@transcript`]: commands in documentation, with what they print.
//! * [`ptxas`]: NVIDIA's assembler as a oracle of PTX. [`upstream`]: `mlir-opt` as a oracle of generic text.

pub mod array_programs;
pub mod case;
pub mod deep_programs;
pub mod draft;
pub mod filters;
pub mod long_programs;
pub mod ptxas;
pub mod random_chain;
pub mod random_failing;
pub mod random_flow;
pub mod random_ir;
pub mod random_nested;
pub mod random_stencil;
pub mod random_with_loop;
pub mod transcript;
pub mod upstream;
