//! The kernel dialect: perfect segmented nests tagged with machine levels.
//!
//! * [`level`]: grid, block, thread.
//! * [`form`]: lanes, warp, block, ...: how segments are divided among threads.
//! * [`atomic`]: which operators are applied to elements of memory without locks.
//! * [`segop`]: segmap, segred, segscan and their nesting rules.
//! * [`update`]: scatter and seghist: tensors with some elements replaced or combined.
//! * [`access`]: reading tensors.
//! * [`contract`]: sums of products, by tensor cores.
//! * [`local`]: arrays made step by step by sequential code.
//! * [`registers`]: points that a thread runs at once.
//! * [`tile`]: arrays in tiles.
//! * [`operator`]: what is known of operators.
//! * [`vector`]: accesses of several elements.
//! * [`threshold`]: named numbers that choose between versions.
//!
//! Still values, no addresses: tensors are read, never written. Deliberately absent: thread ids, memory.

pub mod access;
pub mod atomic;
pub mod contract;
mod eval;
pub mod extent;
pub mod form;
pub mod level;
pub mod local;
pub mod operator;
pub mod registers;
pub mod segop;
mod syntax;
pub mod threshold;
pub mod tile;
pub mod update;
pub mod vector;

use segra_ir::{Dialect, OpView};

/// The dialect, to be registered in a context.
pub fn dialect() -> Dialect {
    Dialect {
        name: "kernel",
        doc: "Perfect segmented nests over index spaces, tagged with machine levels.",
        ops: vec![
            access::DimOp::DEF,
            access::ReadOp::DEF,
            contract::ContractOp::DEF,
            registers::RegTileOp::DEF,
            local::ReshapeOp::DEF,
            local::ScratchOp::DEF,
            local::UpdateOp::DEF,
            segop::ReturnOp::DEF,
            update::ScatterOp::DEF,
            update::SegHistOp::DEF,
            segop::SegMapOp::DEF,
            segop::SegRedOp::DEF,
            segop::SegScanOp::DEF,
            threshold::AtLeastOp::DEF,
            tile::UntileOp::DEF,
        ],
        ..Dialect::default()
    }
}
