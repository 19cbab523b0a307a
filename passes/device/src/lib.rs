//! Device → device: memory, arithmetic and checks of lowered programs. Passes read and write `gpu`, `memref` and `vector`
//! with `arith`, `math`, `scf` and `check`; they see neither kernels as nests nor the artifact.
//!
//! * [`in_place`]: pass `update-in-place`: a copy of a buffer nobody needs any more is that buffer;
//! * [`free`]: pass `free-memory`: buffers are freed after their last use in their block;
//! * [`reuse`]: pass `reuse-memory`: buffers take the memory of earlier ones that are freed;
//! * [`contract`]: pass `contract-fma`; [`expand`]: passes `drop-promises`, `expand-math` and `expand-tf32`;
//! * [`checks`]: pass `lower-checks`: failed checks in kernels, as the runtime reports them;
//! * [`annotate`]: pass `annotate-kernels`: what callers promise about pointers (`llvm.noalias`, `llvm.readonly`);
//! * [`hint`]: pass `hint-loads`: loads of elements that are read once leave the caches to others;
//! * [`widen`]: pass `widen-loads`: loads of neighbours are one load;
//! * [`narrow`]: pass `narrow-indices`: indices in 32 bits where sizes allow it;
//! * [`advance`]: pass `advance-copies`: places of asynchronous copies grow by sums from step to step of a loop;
//! * `alias`: which values are one buffer seen differently, and where they are used.
//!
//! ```
//! use segra_ir::{Context, Diagnostics};
//! use segra_pass::{PassEntry, PassManager, PassRegistry, Pipeline};
//! use segra_text::{ParseOptions, PrintOptions, parse_module, print};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! ctx.register(segra_gpu::dialect());
//! let program = "
//!     gpu.module @kernels {
//!       gpu.func @k(%x: f32, %y: f32, %zs: memref<?xf32>) kernel {
//!         %i = gpu.thread_id x
//!         %z = memref.load %zs[%i] : memref<?xf32>
//!         %product = arith.mulf %x, %y : f32
//!         %sum = arith.addf %product, %z : f32
//!         memref.store %sum, %zs[%i] : memref<?xf32>
//!         gpu.return
//!       }
//!     }";
//! let mut ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let registry = PassRegistry::new(vec![PassEntry::of::<segra_device::ContractFma>()], vec![]);
//! let text = "builtin.module(gpu.module(contract-fma{sums=all}))";
//! let pipeline = Pipeline::parse(text, &registry).expect("it is a pipeline");
//! let done = PassManager::new(&pipeline).run(&mut ir, &mut Diagnostics::new());
//! assert!(done.is_ok());
//! let after = print(&ir, ir.root(), &PrintOptions::default());
//! assert!(after.matches("fastmath<contract>").count() == 2, "{after}");
//! ```

pub mod advance;
mod alias;
pub mod annotate;
pub mod checks;
pub mod contract;
pub mod expand;
pub mod free;
pub mod hint;
pub mod in_place;
pub mod narrow;
pub mod reuse;
pub mod widen;

pub use advance::AdvanceCopies;
pub use annotate::AnnotateKernels;
pub use checks::LowerChecks;
pub use contract::ContractFma;
pub use expand::{DropPromises, ExpandMath, ExpandTf32};
pub use free::FreeMemory;
pub use hint::HintLoads;
pub use in_place::UpdateInPlace;
pub use narrow::NarrowIndices;
pub use reuse::ReuseMemory;
pub use widen::WidenLoads;
