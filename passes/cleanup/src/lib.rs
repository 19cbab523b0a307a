//! Clean-up passes: they change how a program says something, never what it says. No dialect is named here; what an op
//! allows is asked through interfaces.
//!
//! One file per pass: [`canonicalize`], [`cse`], [`dce`], [`sccp`], [`symbol_dce`].

pub mod canonicalize;
pub mod cse;
pub mod dce;
mod equivalence;
pub mod sccp;
pub mod symbol_dce;

pub use canonicalize::Canonicalize;
pub use cse::Cse;
pub use dce::Dce;
pub use sccp::Sccp;
pub use symbol_dce::SymbolDce;
