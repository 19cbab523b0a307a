//! The array dialect: nested data-parallel programs on values.
//!
//! * [`types`]: arrays with symbolic sizes.
//! * [`combinator`]: the interface of all combinators, and what passes ask through it.
//! * [`soac`]: map, reduce, redomap, scan, scanomap, with typed builders.
//! * [`filter`]: the elements a predicate keeps.
//! * [`update`]: scatter and hist: arrays with some elements replaced or combined.
//! * [`stencil`]: elements computed from those around them.
//! * [`with_loop`]: arrays made, changed or folded over strided index spaces.
//! * [`shape`]: iota, replicate, rearrange, dim, index, cast.
//! * [`layout`]: reshape, reverse, slice, concat, pad, update, gather, from_tensor: other arrays of the same elements.
//! * `canonical`: canonical forms; `eval`, `syntax`: execution and text.
//! * [`extent`]: where extents come from; [`identity`]: which of them are the same.
//! * [`neutral`]: neutral elements of operators; [`start`]: start values that are not neutral, taken apart.
//!
//! Deliberately absent: memory, levels of the machine, any order of evaluation.
//!
//! ```
//! use segra_interp::{ArrayValue, Datum, Interpreter};
//! use segra_ir::Context;
//! use segra_text::{ParseOptions, parse_module};
//! use std::sync::Arc;
//!
//! let ctx = Arc::new(Context::new());
//! segra_std::register(&ctx);
//! ctx.register(segra_array::dialect());
//! let program = "
//!     func.func @main(%xs: !array.array<[n]f32>) -> f32 {
//!       %zero = arith.constant 0.0 : f32
//!       %squares = array.map (%x in %xs : [n]f32) {
//!         %y = arith.mulf %x, %x : f32
//!         array.yield %y : f32
//!       }
//!       %sum = array.reduce (%squares : [n]f32) init (%zero : f32) combine (%s, %t) {
//!         %u = arith.addf %s, %t : f32
//!         array.yield %u : f32
//!       }
//!       func.return %sum : f32
//!     }";
//! let ir = parse_module(&ctx, "program", program, &ParseOptions::default()).expect("it is a program");
//! let inputs = [Datum::array(ArrayValue::f32s(&[1.0, 2.0, 3.0]))];
//! let results = Interpreter::new(&ir).call("main", &inputs)?;
//! assert!(matches!(results[0], Datum::F32(14.0)));
//! # Ok::<(), segra_interp::EvalError>(())
//! ```

mod build;
mod canonical;
pub mod combinator;
mod eval;
pub mod extent;
pub mod filter;
pub mod identity;
pub mod layout;
pub mod neutral;
pub mod recorded;
pub mod shape;
pub mod soac;
pub mod start;
pub mod stencil;
pub mod stops;
mod syntax;
pub mod types;
pub mod update;
pub mod with_loop;

use segra_ir::{Dialect, OpView};

/// The dialect, to be registered in a context.
pub fn dialect() -> Dialect {
    Dialect {
        name: "array",
        doc: "Nested data-parallel programs on array values.",
        ops: vec![
            shape::CastOp::DEF,
            layout::ConcatOp::DEF,
            filter::FilterOp::DEF,
            layout::FromTensorOp::DEF,
            shape::DimOp::DEF,
            layout::GatherOp::DEF,
            update::HistOp::DEF,
            shape::IndexOp::DEF,
            shape::IotaOp::DEF,
            soac::MapOp::DEF,
            stencil::NearOp::DEF,
            layout::PadOp::DEF,
            shape::RearrangeOp::DEF,
            soac::RedomapOp::DEF,
            soac::ReduceOp::DEF,
            shape::ReplicateOp::DEF,
            layout::ReshapeOp::DEF,
            layout::ReverseOp::DEF,
            soac::ScanOp::DEF,
            soac::ScanomapOp::DEF,
            update::ScatterOp::DEF,
            layout::SliceOp::DEF,
            stencil::StencilOp::DEF,
            layout::UpdateOp::DEF,
            with_loop::WithLoopOp::DEF,
            soac::YieldOp::DEF,
        ],
        types: segra_text::type_parsers(&[("array", syntax::parse_array_type)]),
        attrs: Vec::new(),
        ..Dialect::default()
    }
}
