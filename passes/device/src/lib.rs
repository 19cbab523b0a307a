//! Device → device: memory, arithmetic and checks of lowered programs. Passes read and write `gpu`, `memref` and `vector`
//! with `arith`, `math`, `scf` and `check`; they see neither kernels as nests nor the artifact.
//!
//! * [`in_place`]: pass `update-in-place`: a copy of a buffer nobody needs any more is that buffer;
//! * [`free`]: pass `free-memory`: buffers are freed after their last use in their block;
//! * [`reuse`]: pass `reuse-memory`: buffers take the memory of earlier ones that are freed;
//! * [`contract`]: pass `contract-fma`; [`expand`]: passes `drop-promises` and `expand-math`;
//! * [`checks`]: pass `lower-checks`: failed checks in kernels, as the runtime reports them;
//! * [`annotate`]: pass `annotate-kernels`: what callers promise about pointers (`llvm.noalias`, `llvm.readonly`);
//! * [`widen`]: pass `widen-loads`: loads of neighbours are one load;
//! * [`narrow`]: pass `narrow-indices`: indices in 32 bits where sizes allow it;
//! * `alias`: which values are one buffer seen differently, and where they are used.

mod alias;
pub mod annotate;
pub mod checks;
pub mod contract;
pub mod expand;
pub mod free;
pub mod in_place;
pub mod narrow;
pub mod reuse;
pub mod widen;

pub use annotate::AnnotateKernels;
pub use checks::LowerChecks;
pub use contract::ContractFma;
pub use expand::{DropPromises, ExpandMath};
pub use free::FreeMemory;
pub use in_place::UpdateInPlace;
pub use narrow::NarrowIndices;
pub use reuse::ReuseMemory;
pub use widen::WidenLoads;
