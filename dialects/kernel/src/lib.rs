//! The kernel dialect: perfect segmented nests tagged with machine levels.
//!
//! * [`level`]: grid, block, thread.
//! * [`segop`]: segmap, segred, segscan and their nesting rules.
//! * [`access`]: reading tensors.
//!
//! Still values, no addresses: tensors are read, never written. Deliberately absent: thread ids, memory.

pub mod access;
mod eval;
pub mod level;
pub mod segop;
mod syntax;

use segra_ir::{Dialect, OpView};

/// The dialect, to be registered in a context.
pub fn dialect() -> Dialect {
    Dialect {
        name: "kernel",
        doc: "Perfect segmented nests over index spaces, tagged with machine levels.",
        ops: vec![
            access::DimOp::DEF,
            access::ReadOp::DEF,
            segop::ReturnOp::DEF,
            segop::SegMapOp::DEF,
            segop::SegRedOp::DEF,
            segop::SegScanOp::DEF,
        ],
        ..Dialect::default()
    }
}
