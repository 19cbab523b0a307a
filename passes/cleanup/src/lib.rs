//! Any level → the same: passes change how a program says something, never what it says. They see no dialect, only
//! interfaces of ops; [`unroll`] alone works on `scf` with `arith`.
//!
//! One file per pass: [`apply_rules`], [`canonicalize`], [`cse`], [`dce`], [`duplicate_function_elimination`], [`inline`],
//! [`int_range_optimizations`], [`licm`], [`mem2reg`], [`remove_dead_values`], [`sccp`], [`symbol_dce`], [`unroll`].
//!
//! ```
//! use segra_ir::{Context, Diagnostics};
//! use segra_pass::{PassManager, Pipeline};
//! use segra_text::{ParseOptions, PrintOptions, parse_module, print};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! let program = "
//!     func.func @main(%x: i32) -> i32 {
//!       %two = arith.constant 2 : i32
//!       %three = arith.constant 3 : i32
//!       %six = arith.muli %two, %three : i32
//!       %y = arith.addi %x, %six : i32
//!       func.return %y : i32
//!     }";
//! let mut ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let mut pipeline = Pipeline::on("builtin.module");
//! pipeline.add(Box::new(segra_cleanup::Canonicalize::default()));
//! pipeline.add(Box::new(segra_cleanup::Dce::default()));
//! let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
//! assert!(done.is_ok());
//! let after = print(&ir, ir.root(), &PrintOptions::default());
//! assert!(after.contains("arith.constant 6 : i32") && !after.contains("arith.muli"), "{after}");
//! ```

pub mod apply_rules;
pub mod canonicalize;
pub mod cse;
pub mod dce;
pub mod duplicate_function_elimination;
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
