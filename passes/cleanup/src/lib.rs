//! Any level → the same: passes change how a program says something, never what it says. They see no dialect, only
//! interfaces of ops; [`unroll`] alone works on `scf` with `arith`.
//!
//! One file per pass: [`apply_rules`], [`canonicalize`], [`cse`], [`dce`], [`duplicate_function_elimination`], [`inline`],
//! [`int_range_optimizations`], [`licm`], [`mem2reg`], [`remove_dead_values`], [`sccp`], [`symbol_dce`], [`unroll`].

pub mod apply_rules;
pub mod canonicalize;
pub mod cse;
pub mod dce;
pub mod duplicate_function_elimination;
mod equivalence;
pub mod inline;
pub mod int_range_optimizations;
pub mod licm;
pub mod mem2reg;
pub mod remove_dead_values;
pub mod sccp;
pub mod symbol_dce;
pub mod unroll;

pub use apply_rules::ApplyRules;
pub use canonicalize::Canonicalize;
pub use cse::Cse;
pub use dce::Dce;
pub use duplicate_function_elimination::DuplicateFunctionElimination;
pub use inline::Inline;
pub use int_range_optimizations::IntRangeOptimizations;
pub use licm::LoopInvariantCodeMotion;
pub use mem2reg::Mem2Reg;
pub use remove_dead_values::RemoveDeadValues;
pub use sccp::Sccp;
pub use symbol_dce::SymbolDce;
pub use unroll::LoopUnroll;
