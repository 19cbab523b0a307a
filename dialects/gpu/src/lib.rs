//! The gpu dialect: device modules and functions, launches, ids, workgroup memory, barriers.
//!
//! Names, attributes and generic form are upstream MLIR's.
//!
//! * [`host`]: modules, device memory, launches.
//! * [`device`]: functions, ids, barriers, shuffles.
//! * [`attrs`]: dimensions, shuffle modes, address spaces.
//!
//! Deliberately absent: asynchronous tokens beyond their operand slots (nothing here makes one).

pub mod attrs;
pub mod device;
mod eval;
pub mod host;
mod syntax;

use segra_ir::{Dialect, OpView};

/// The dialect, to be registered in a context.
pub fn dialect() -> Dialect {
    Dialect {
        name: "gpu",
        doc: "The host's and the device's side of kernels, as in upstream MLIR.",
        ops: vec![
            host::AllocOp::DEF,
            device::BarrierOp::DEF,
            device::BlockDimOp::DEF,
            device::BlockIdOp::DEF,
            device::CheckOp::DEF,
            host::DeallocOp::DEF,
            device::GpuFuncOp::DEF,
            device::GridDimOp::DEF,
            host::LaunchFuncOp::DEF,
            host::MemcpyOp::DEF,
            host::MemsetOp::DEF,
            host::GpuModuleOp::DEF,
            device::ReturnOp::DEF,
            device::ShuffleOp::DEF,
            device::ThreadIdOp::DEF,
        ],
        types: Vec::new(),
        attrs: vec![
            ("address_space", attrs::parse_address_space),
            ("dim", attrs::parse_dimension),
            ("shuffle_mode", attrs::parse_shuffle_mode),
        ],
        materialize_constant: None,
    }
}
