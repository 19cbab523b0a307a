//! `tensor`: arrays as values: their extents and elements, parts of them, and other shapes of them.
//!
//! A tensor has no address: an op that changes one gives a new tensor. Indices, windows and shapes are checked when
//! evaluated. An op that stops the program where they do not fit says that it reads: it is not run where the program does not.
//!
//! Deliberately absent: what nothing here produces or lowers (`bitcast`, `concat`, `gather`, `generate`, `pad`, `scatter`,
//! `splat`, ...), which is kept in generic form where unregistered ops are; and a `tensor.from_elements` of constants stays one, so that the extents of a reshape stay values.

mod access;
mod shape;
mod window;

use segra_ir::def::Origin;
use segra_ir::{Dialect, Ir, OpView, Value};

pub use access::{DimOp, ExtractOp, InsertOp};
pub use shape::{CastOp, EmptyOp, FromElementsOp, ReshapeOp};
pub use window::{ExtractSliceOp, InsertSliceOp, Leading, Window};

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "tensor",
        origin: Origin::PartOfUpstream,
        doc: "Arrays as values: extents, elements, parts and other shapes of them.",
        ops: vec![
            CastOp::DEF,
            DimOp::DEF,
            EmptyOp::DEF,
            ExtractOp::DEF,
            ExtractSliceOp::DEF,
            FromElementsOp::DEF,
            InsertOp::DEF,
            InsertSliceOp::DEF,
            ReshapeOp::DEF,
        ],
        ..Dialect::default()
    }
}

/// Rank of a ranked tensor.
fn rank(ir: &Ir, tensor: Value) -> usize {
    ir.value_type(tensor)
        .shaped(ir.ctx())
        .map_or(0, |(shape, _)| shape.len())
}
