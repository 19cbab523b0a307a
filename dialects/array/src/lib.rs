//! The array dialect: nested data-parallel programs on values.
//!
//! * [`types`]: arrays with symbolic sizes.
//! * [`combinator`]: the interface of all combinators, and what passes ask through it.
//! * [`soac`]: map, reduce, redomap, scan, scanomap, with typed builders.
//! * [`filter`]: the elements a predicate keeps.
//! * [`update`]: scatter and hist: arrays with some elements replaced or combined.
//! * [`shape`]: iota, replicate, rearrange, dim, index, cast.
//! * [`layout`]: reshape, reverse, slice, concat, pad, update, gather, from_tensor: other arrays of the same elements.
//! * `canonical`: canonical forms; `eval`, `syntax`: execution and text.
//! * [`extent`]: where extents come from.
//! * [`neutral`]: neutral elements of operators; [`start`]: start values that are not neutral, taken apart.
//!
//! Deliberately absent: memory, levels of the machine, any order of evaluation.

mod build;
mod canonical;
pub mod combinator;
mod eval;
pub mod extent;
pub mod filter;
pub mod layout;
pub mod neutral;
pub mod recorded;
pub mod shape;
pub mod soac;
pub mod start;
pub mod stops;
mod syntax;
pub mod types;
pub mod update;

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
            layout::UpdateOp::DEF,
            soac::YieldOp::DEF,
        ],
        types: segra_text::type_parsers(&[("array", syntax::parse_array_type)]),
        attrs: Vec::new(),
        ..Dialect::default()
    }
}
