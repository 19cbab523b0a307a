//! The gpu dialect: device modules and functions, launches, ids, workgroup memory, barriers.
//!
//! Names, attributes and generic form are upstream MLIR's.
//!
//! * [`host`]: modules, device memory, launches.
//! * [`device`]: functions, ids, barriers, shuffles.
//! * [`launch`]: launches in place, what the host does besides, compiled code.
//! * [`subgroup`]: reductions, broadcasts, matrices of a subgroup.
//! * [`sparse`]: sparse matrices through a library.
//! * `canonical`: canonical forms.
//! * [`types`], [`attrs`]: tokens, matrices, handles; dimensions, modes, address spaces.
//! * [`mapping`], [`compiled`]: attributes that say what runs where, and what was compiled.
//! * [`fragments`]: matrices that a warp multiplies together.
//! * [`warpgroup`]: matrices in shared memory that four warps multiply together.
//! * [`bulk`]: copies of tiles to shared memory, and barriers that count what has arrived.
//! * [`nvgpu`]: copies from global to shared memory that threads do not wait for, a dialect of its own.
//! * [`record`]: the error record of kernels with checks.
//!
//! Deliberately absent: evaluation of asynchronous ops and of what only a device's libraries can do.
//!
//! ```
//! use segra_ir::{Context, Diagnostics};
//! use segra_text::{ParseOptions, parse_module};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! ctx.register(segra_gpu::dialect());
//! let program = "
//!     gpu.module @kernels {
//!       gpu.func @fill(%x: f32, %ys: memref<?xf32>) kernel {
//!         %i = gpu.thread_id x
//!         memref.store %x, %ys[%i] : memref<?xf32>
//!         gpu.return
//!       }
//!     }";
//! let ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let mut diags = Diagnostics::new();
//! segra_ir::verify::verify(&ir, &mut diags);
//! assert!(!diags.has_errors());
//! ```

pub mod attrs;
pub mod bulk;
mod canonical;
pub mod compiled;
pub mod device;
mod eval;
pub mod fragments;
pub mod host;
pub mod launch;
pub mod mapping;
pub mod nvgpu;
pub mod record;
pub mod sparse;
pub mod subgroup;
mod syntax;
pub mod types;
pub mod warpgroup;

use segra_ir::Dialect;
use segra_ir::def::Origin;

/// The dialect, to be registered in a context.
pub fn dialect() -> Dialect {
    Dialect {
        name: "gpu",
        origin: Origin::Upstream,
        doc: "The host's and the device's side of kernels, as in upstream MLIR.",
        ops: [
            device::OPS,
            host::OPS,
            launch::OPS,
            subgroup::OPS,
            sparse::OPS,
            warpgroup::OPS,
            bulk::OPS,
        ]
        .concat(),
        types: segra_text::type_parsers(&[
            ("async.token", types::parse_async_token),
            ("mma_matrix", types::parse_mma_matrix),
            ("sparse.dntensor_handle", types::parse_dn_tensor_handle),
            ("sparse.spgemmop_handle", types::parse_sp_gemm_handle),
            ("sparse.spmat_handle", types::parse_sp_mat_handle),
        ]),
        attrs: segra_text::attr_parsers(&[
            ("address_space", attrs::parse_address_space),
            ("all_reduce_op", attrs::parse_reduce_kind),
            ("block", mapping::parse_block),
            ("broadcast", attrs::parse_broadcast),
            ("dim", attrs::parse_dimension),
            ("kernel_metadata", compiled::parse_kernel_metadata),
            ("kernel_table", compiled::parse_kernel_table),
            ("lane", mapping::parse_lane),
            ("loop_dim_map", mapping::parse_loop_dim_map),
            ("mask", mapping::parse_mask),
            ("mat_transpose_mode", attrs::parse_transpose_mode),
            ("memory_space", mapping::parse_memory_space),
            ("mma_element_wise", attrs::parse_mma_elementwise),
            ("object", compiled::parse_object),
            ("prune_2to4_spmat_flag", attrs::parse_prune_flag),
            ("select_object", compiled::parse_select_object),
            ("shuffle_mode", attrs::parse_shuffle_mode),
            (
                "spgemm_work_estimation_or_compute_kind",
                attrs::parse_sp_gemm_step,
            ),
            ("thread", mapping::parse_thread),
            ("warp", mapping::parse_warp),
            ("warpgroup", mapping::parse_warpgroup),
        ]),
        attached_attr: Some(host::check_attached),
        ..Dialect::default()
    }
}
