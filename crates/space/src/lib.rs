//! Index-space algebra: combinators, inverses, guards, index expressions and their simplifier. No IR.
//!
//! An index space is a [`Descriptor`]; a [`Chain`] of [`Combinator`]s turns it into a launch. The [`Mapping`] of the two
//! gives the extents of grid and block, and recovers in each thread the indices of the original space together with the
//! guards that disable threads which have none. All of it is symbolic: sizes and indices are [`Expr`]s of an
//! [`Arena`], simplified by equality saturation ([`simplify()`]) and walked by lowerings through [`Arena::topological`]
//! and [`Node`]. A [`Strategy`] chooses the chain.
//!
//! Source: Janssen and Scholz, "On Mapping N-Dimensional Data-Parallelism Efficiently into GPU-Thread-Spaces" (2021).
//! Where the paper errs, the header of the module concerned says what is done instead.
//!
//! ```
//! use segra_space::*;
//!
//! let mut arena = Arena::new();
//! let n = arena.symbol("n", Interval::NON_NEGATIVE);
//! let space = Descriptor::of_shape(&mut arena, &[n]);
//! let chain: Chain = "GridBlock(1, SplitLast(256, ShiftLB(Gen)))".parse()?;
//! let mapping = Mapping::new(&mut arena, space, chain)?;
//! assert_eq!(arena.display(mapping.grid()[0]).to_string(), "ceildiv(n, 256)");
//!
//! let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
//! let recovery = mapping.recover_simplified(&mut arena, &ids, &Facts::new(), &SimplifyLimits::default())?;
//! assert_eq!(arena.display(recovery.indices[0]).to_string(), "block_id.x * 256 + thread_id.x");
//! assert_eq!(arena.display(recovery.guards[0]).to_string(), "block_id.x * 256 + thread_id.x < n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A lowering emits one operation per node, each once, operands first:
//! ```
//! use segra_space::*;
//!
//! let mut arena = Arena::new();
//! let [m, n] = ["m", "n"].map(|name| arena.symbol(name, Interval::NON_NEGATIVE));
//! let space = Descriptor::of_shape(&mut arena, &[m, n]);
//! let choices: [&dyn ChooseChain; 2] = [&Strategy::Jing, &Strategy::FoldAll(BlockSize::Automatic)];
//! let fitting = first_fitting(&mut arena, &space, Group::Thread, &choices, &HardwareLimits::CUDA)?;
//! let text = |arena: &Arena, exprs: &[Expr]| exprs.iter().map(|&e| arena.display(e).to_string()).collect::<Vec<_>>();
//! assert_eq!(text(&arena, &fitting.mapping.grid()), ["ceildiv(n, 32)", "ceildiv(m, 32)", "1"]);
//! assert_eq!(text(&arena, &fitting.mapping.block()), ["32", "32", "1"]);
//! assert_eq!(fitting.conditions.len(), 2); // The launcher tests them, and skips the launch where it `is_empty`.
//!
//! let ids = ThreadIds::declare(&mut arena, &HardwareLimits::CUDA);
//! let (facts, limits) = (Facts::new(), SimplifyLimits::default());
//! let recovery = fitting.mapping.recover_simplified(&mut arena, &ids, &facts, &limits)?;
//! let mut roots = recovery.indices.clone();
//! roots.extend(&recovery.guards);
//! let mut code = Vec::new();
//! for expr in arena.topological(&roots) {
//!     match arena.node(expr) {
//!         Node::Int(value) => code.push(format!("{expr:?} = constant {value}")),
//!         Node::Symbol(symbol) => code.push(format!("{expr:?} = {}", arena.symbol_name(symbol).unwrap_or("?"))),
//!         Node::Binary(op, a, b) => code.push(format!("{expr:?} = {a:?} {op} {b:?}")),
//!         node => code.push(format!("{expr:?} = {node:?}")),
//!     }
//! }
//! // 6 symbols, the constant 32, and twice a product, a sum and a comparison.
//! assert_eq!(code.len(), 13);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod auto;
mod chain;
mod columns;
mod combinator;
mod congruence;
mod descriptor;
mod difference;
mod display;
mod eval;
mod expr;
mod facts;
mod group;
mod interval;
mod limits;
mod magic;
mod mapping;
mod operations;
mod order;
mod overflow;
mod schedule;
mod score;
pub mod simplify;
mod strategy;
mod target;
mod text;
mod tiles;

pub use auto::{Auto, Candidate, MOST_CANDIDATES};
pub use chain::Chain;
pub use columns::{COLUMN_THREADS, COLUMN_WIDTH, Footprint, LONG_LOOP, Span, column_width};
pub use combinator::{Combinator, CombinatorError, Inverse};
pub use congruence::Congruence;
pub use descriptor::{Descriptor, Dimension};
pub use display::DisplayExpr;
pub use eval::{EvalError, Evaluator, evaluate};
pub use expr::{Arena, BinaryOp, Expr, Node, Sort, Symbol};
pub use facts::Facts;
pub use group::Group;
pub use interval::Interval;
pub use limits::{HardwareLimits, LaunchCondition, Level, LimitError};
pub use magic::{Magic, reduce_divisions};
pub use mapping::{Mapping, MappingError, Recovery, ThreadIds};
pub use operations::OperationCounts;
pub use overflow::overflow_conditions;
pub use schedule::{Depth, Schedule, ScheduleFault, Step, Strips, SumOrder};
pub use score::{ASSUMED_EXTENT, Access, Place, Score, score};
pub use simplify::{SimplifyLimits, simplify};
pub use strategy::{
    BlockSize, ChooseChain, Fitting, ParseStrategyError, Strategy, StrategyError, VisitOrder,
    first_fitting,
};
pub use target::Target;
pub use text::TextError;
pub use tiles::{FEWEST_SHARED, MOST_TILE_OPS, StencilTile, stencil_tiles};
