//! Fixed-point numbers, a dialect outside of Segra: `!fixed.number<8>` is a 64-bit integer that counts 2^-8.
//!
//! * [`types`]: the type and the attribute. [`ops`]: the ops. [`lower`]: the pass `fixed-to-arith`.
//! * `main.rs`: the driver `fixed-opt`, which knows all of it beside everything Segra has.
//!
//! Beside it, [`rows`]: a small array language on Segra's dynamic builder.
//!
//! Only Segra's public API is used.

pub mod lower;
pub mod ops;
pub mod rows;
pub mod types;

use segra_ir::{Dialect, OpView};

/// The dialect: its ops, types and attributes.
pub fn dialect() -> Dialect {
    Dialect {
        name: "fixed",
        doc: "Fixed-point numbers.",
        ops: vec![ops::AddOp::DEF, ops::FromIntOp::DEF, ops::MulOp::DEF, ops::ToIntOp::DEF],
        types: segra_text::type_parsers(&[("number", types::parse_number)]),
        attrs: segra_text::attr_parsers(&[("rounding", types::parse_rounding)]),
        ..Dialect::default()
    }
}
