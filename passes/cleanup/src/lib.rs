//! Clean-up passes: they change how a program says something, never what it says. No dialect is named here; what an op
//! allows is asked through interfaces.
//!
//! One file per pass: [`apply_rules`], [`canonicalize`], [`cse`], [`dce`], [`duplicate_function_elimination`], [`inline`],
//! [`int_range_optimizations`], [`mem2reg`], [`remove_dead_values`], [`sccp`], [`symbol_dce`].

pub mod apply_rules;
pub mod canonicalize;
pub mod cse;
pub mod dce;
pub mod duplicate_function_elimination;
mod equivalence;
pub mod inline;
pub mod int_range_optimizations;
pub mod mem2reg;
pub mod remove_dead_values;
pub mod sccp;
pub mod symbol_dce;

pub use apply_rules::ApplyRules;
pub use canonicalize::Canonicalize;
pub use cse::Cse;
pub use dce::Dce;
pub use duplicate_function_elimination::DuplicateFunctionElimination;
pub use inline::Inline;
pub use int_range_optimizations::IntRangeOptimizations;
pub use mem2reg::Mem2Reg;
pub use remove_dead_values::RemoveDeadValues;
pub use sccp::Sccp;
pub use symbol_dce::SymbolDce;
