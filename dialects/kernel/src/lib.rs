//! The kernel dialect: perfect segmented nests tagged with machine levels.
//!
//! * [`level`]: block, thread.
//! * [`form`]: lanes, warp, block, ...: how segments are divided among threads.
//! * [`atomic`]: which operators are applied to elements of memory without locks.
//! * [`segop`]: segmap, segred, segscan and their nesting rules.
//! * [`update`]: scatter and seghist: tensors with some elements replaced or combined.
//! * [`access`]: tensors at indices: read, and replaced.
//! * [`boxes`]: copies of boxes of tensors.
//! * [`carried`]: copies that loops carry.
//! * [`contract`]: sums of products, by tensor cores.
//! * [`growth`]: how values change from one point to the next.
//! * [`mapping`]: how spaces are laid out over thread blocks and threads.
//! * [`local`]: arrays that get more elements.
//! * [`near`]: reading neighbours.
//! * [`refine`]: extents that are known in types.
//! * [`registers`]: points that a thread runs at once.
//! * [`rows`]: ops over the same rows that follow each other.
//! * [`schedule`]: how nests are rewritten before they run.
//! * [`target`]: choices that are made for each target.
//! * [`tile`]: arrays in tiles.
//! * [`operator`]: what is known of operators.
//! * [`vector`]: accesses of several elements.
//! * [`threshold`]: named numbers that choose between versions.
//! * [`turns`]: how often thread blocks come for all segments.
//!
//! Still values, no addresses: tensors are read, never written. Deliberately absent: thread ids, memory.
//!
//! ```
//! use segra_interp::{ArrayValue, Datum, Interpreter};
//! use segra_ir::Context;
//! use segra_text::{ParseOptions, parse_module};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! ctx.register(segra_kernel::dialect());
//! let program = "
//!     func.func @main(%xs: tensor<?xf32>) -> tensor<?xf32> {
//!       %c0 = arith.constant 0 : index
//!       %n = tensor.dim %xs, %c0 : tensor<?xf32>
//!       %ys = kernel.segmap thread (%i < %n) -> (tensor<?xf32>) {
//!         %x = tensor.extract %xs[%i] : tensor<?xf32>
//!         %y = arith.addf %x, %x : f32
//!         kernel.return %y : f32
//!       }
//!       func.return %ys : tensor<?xf32>
//!     }";
//! let ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let inputs = [Datum::array(ArrayValue::f32s(&[1.0, 2.0]))];
//! let results = Interpreter::new(&ir).call("main", &inputs)?;
//! let Datum::Array(ys) = &results[0] else { panic!("an array is returned") };
//! assert!(matches!(ys.get(1), Some(Datum::F32(4.0))));
//! # Ok::<(), segra_interp::EvalError>(())
//! ```

pub mod access;
pub mod atomic;
pub mod bound;
pub mod boxes;
pub mod carried;
pub mod contract;
mod eval;
pub mod extent;
pub mod form;
pub mod growth;
pub mod level;
pub mod local;
pub mod mapping;
pub mod near;
pub mod operator;
pub mod refine;
pub mod registers;
pub mod rows;
pub mod schedule;
pub mod segop;
mod syntax;
pub mod target;
pub mod threshold;
pub mod tile;
pub mod turns;
pub mod update;
pub mod vector;

use segra_ir::{Dialect, OpView};

/// The dialect, to be registered in a context.
pub fn dialect() -> Dialect {
    Dialect {
        name: "kernel",
        doc: "Perfect segmented nests over index spaces, tagged with machine levels.",
        ops: vec![
            bound::BoundArraysOp::DEF,
            contract::ContractOp::DEF,
            near::NearOp::DEF,
            registers::RegTileOp::DEF,
            local::ExtendOp::DEF,
            segop::ReturnOp::DEF,
            update::ScatterOp::DEF,
            update::SegHistOp::DEF,
            segop::SegMapOp::DEF,
            segop::SegRedOp::DEF,
            segop::SegScanOp::DEF,
            target::TargetSinceOp::DEF,
            threshold::AtLeastOp::DEF,
            tile::UntileOp::DEF,
        ],
        attrs: segra_text::attr_parsers(&[
            ("mapping", mapping::parse_mapping),
            ("schedule", schedule::parse_schedule),
        ]),
        attached_attr: Some(access::check_attached),
        ..Dialect::default()
    }
}
