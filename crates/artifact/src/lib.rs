//! The parts of a compiled program: PTX per target, kernel manifest, host plan, tunables. No IR, no LLVM, no CUDA.
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
//! ```
//! use segra_artifact::*;
//! let mut artifact = Artifact::new("segra 0.1.0");
//! artifact.add_target(Chip::sm(7, 5), "... PTX with .entry saxpy ...");
//! let buffer = |access| KernelParam::Buffer { elem: ElemType::F32, access };
//! let saxpy = artifact.add_kernel(Kernel {
//!     name: "saxpy".into(),
//!     params: vec![buffer(Access::Read), buffer(Access::ReadWrite), KernelParam::Scalar(ElemType::I64)],
//!     static_shared_bytes: 0,
//!     max_threads_per_block: 256,
//!     summary: "segmap over n".into(),
//!     location: None,
//! });
//! // main(x: f32[n], y: f32[n], times: i64) -> f32[n]: launches the kernel `times` times.
//! let mut b = PlanBuilder::new("main");
//! let n = b.index_param(); // sizes come first, then the parameters
//! let x = b.param(SlotType::Buffer(ElemType::F32));
//! let y = b.param(SlotType::Buffer(ElemType::F32));
//! let times = b.index_param();
//! let (zero, one, width) = (b.index(0), b.index(1), b.index(256));
//! let blocks = b.binary(BinaryOp::CeilDiv, n, width);
//! b.for_(zero, times, one, &[], |b, _index, _carried| {
//!     b.launch(saxpy, [blocks, one, one], [width, one, one], None, &[x, y, n]);
//!     vec![]
//! });
//! let plan = artifact.add_plan(b.finish(&[y, n])?); // an array result is its buffer, then its extents
//! let dims = vec![Dim::Size(SizeId(0))];
//! let array = ParamType::Array { elem: ElemType::F32, dims: dims.clone() };
//! let param = |name: &str, ty| EntryParam { name: name.into(), ty };
//! artifact.entries.push(Entry {
//!     name: "main".into(),
//!     sizes: vec!["n".into()],
//!     params: vec![param("x", array.clone()), param("y", array), param("times", ParamType::Scalar(ElemType::I64))],
//!     results: vec![EntryResult { name: "y".into(), ty: ResultType::Array { elem: ElemType::F32, dims } }],
//!     plan,
//!     location: None,
//! });
//! let bytes = artifact.to_bytes()?; // validates
//! assert_eq!(Artifact::from_bytes(&bytes)?, artifact);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Deliberately absent: evaluation of plans (in `segra-runtime`), PTX parsing (in `segra-ptx`).

mod builder;
mod display;
mod element;
mod file;
mod ids;
mod manifest;
mod part;
pub mod plan;
mod scalar;
mod validate;

pub use builder::{BuildError, PlanBuilder};
pub use element::ElemType;
pub use file::{ArtifactError, FORMAT_VERSION, MAGIC, write_file};
pub use ids::{BlockId, KernelId, LocationId, PlanId, SiteId, SizeId, Slot, TargetId, TunableId};
pub use manifest::{
    Access, Artifact, Branch, CheckSite, Chip, ChipReach, Dim, Entry, EntryParam, EntryResult,
    ErrorRecord, Kernel, KernelParam, Location, MOST_EXTENTS, MapExtent, ParamType, ParseChipError,
    ResultType, Side, SourceMap, SourcePosition, Target, TensorMap, Tunable,
};
pub use plan::{
    BinaryOp, Block, Compare, Convert, ForLoop, Instr, LaunchInstr, Plan, SlotType, Stmt, UnaryOp,
    WhileLoop,
};
pub use scalar::Scalar;
pub use validate::{MAX_NESTING, ValidationError};
