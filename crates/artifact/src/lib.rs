//! What a compiled program is: PTX per target, kernel manifest, host plan, tunables. No IR, no LLVM, no CUDA.
//!
//! An [`Artifact`] is a plain value: the compiler fills it (with [`PlanBuilder`] for the host plans), one file
//! holds it ([`Artifact::write`], [`Artifact::read`]), the runtime executes it. Nothing of the compiler is
//! needed to run one.
//!
//! Invariants:
//! - whatever [`Artifact::from_bytes`] or [`Artifact::read`] returns is valid ([`Artifact::validate`]): every
//!   id is in range, every slot has been written where it is read, every type rule of [`plan`] holds, nesting is
//!   bounded. An executor may index freely.
//! - the same artifact gives the same bytes; reading arbitrary bytes never panics.
//!
//! Deliberately absent: evaluation of plans (in `segra-runtime`), PTX parsing (in `segra-ptx`).

mod builder;
mod display;
mod element;
mod file;
mod ids;
mod manifest;
pub mod plan;
mod scalar;
mod validate;

pub use builder::{BuildError, PlanBuilder};
pub use element::ElemType;
pub use file::{ArtifactError, FORMAT_VERSION, MAGIC};
pub use ids::{BlockId, KernelId, LocationId, PlanId, SiteId, SizeId, Slot, TargetId, TunableId};
pub use manifest::{
    Access, Artifact, CheckSite, Chip, ChipReach, Dim, Entry, EntryParam, EntryResult, ErrorRecord, Kernel,
    KernelParam, Location, ParamType, ParseChipError, ResultType, SourceMap, Target, Tunable,
};
pub use plan::{
    BinaryOp, Block, Compare, Convert, ForLoop, Instr, LaunchInstr, Plan, SlotType, Stmt, UnaryOp, WhileLoop,
};
pub use scalar::Scalar;
pub use validate::{MAX_NESTING, ValidationError};
