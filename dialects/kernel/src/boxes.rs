//! Copies of boxes of arrays: what `kernel.segmap thread async boxes` copies.
//!
//! ```mlir
//! %as = kernel.segmap thread async boxes (%p < 128, %e < 64) -> (tensor<128x64xf16>) {
//!   %row = arith.addi %first, %p : index
//!   %r = arith.minsi %row, %last : index
//!   %k = arith.addi %start, %e : index
//!   %a = tensor.extract %x[%b, %r, %k] : tensor<?x?x?xf16>       the box of 1 by 128 by 64 elements of %x at [%b, %first, %start]
//!   kernel.return %a : f16
//! }
//! ```
//! Elements behind an end of the array (`%last`) may have any value: where the target copies the box as one, they are zeros, and
//! else what the program reads. So nobody may depend on them.
//!
//! Legality: see [`BoxCopy::of`].

use crate::access::Read;
use crate::contract::LINE;
use crate::growth::Along;
use crate::registers::constant_sizes;
use crate::segop::SegMapOp;
use crate::vector::element_bytes;
use segra_ir::{Ir, Value};

/// Bytes of an element: rows are lines of 128 bytes.
const ELEMENT_BYTES: i64 = 2;
/// Most extents of an array, and most rows of a box.
const MOST_EXTENTS: usize = 5;
const MOST_ROWS: i64 = 256;
/// Bytes that rows of an array whose boxes are copied are a multiple of.
const ROW_BYTES: i64 = 16;
/// Elements that they are a multiple of.
pub const ROW_ELEMENTS: i64 = ROW_BYTES / ELEMENT_BYTES;

/// The read of a copy of a box.
#[derive(Clone, Copy, Debug)]
pub struct BoxCopy {
    /// The one value that is copied.
    pub read: Read,
    /// The indices of the array that rows and columns of the box follow; columns are along its last dimension.
    pub along: [Along; 2],
    /// Rows and columns of the box.
    pub extents: [i64; 2],
}

impl BoxCopy {
    /// Of a segmap over constant extents of two dimensions that returns one read, without a check, of an array of elements of 2 bytes:
    /// one index grows by ones along the rows, the last one along the columns, each up to an end if there is one; rows are
    /// whole lines ([`LINE`]). None for others.
    pub fn of(ir: &Ir, segmap: SegMapOp) -> Option<BoxCopy> {
        let extents = <[i64; 2]>::try_from(constant_sizes(ir, segmap)?).ok()?;
        let block = segmap.body_block(ir);
        let &[value] = &ir.operands(ir.last_op(block)?).collect::<Vec<Value>>()[..] else {
            return None;
        };
        let read = Read::defining(ir, value)?;
        let indices = read.indices(ir);
        let args = ir.block_args(block);
        let [rows, columns] = [0, 1].map(|dim| Along::of(ir, block, &indices, args[dim]));
        let (rows, columns) = (rows?, columns?);
        let good = (2..=MOST_EXTENTS).contains(&indices.len())
            && rows.dim < columns.dim
            && columns.dim + 1 == indices.len()
            && (1..=MOST_ROWS).contains(&extents[0])
            && extents[1] > 0
            && extents[1] % LINE == 0
            && element_bytes(ir, ir.value_type(value)) == Some(ELEMENT_BYTES)
            && !read.is_checked(ir);
        good.then_some(BoxCopy {
            read,
            along: [rows, columns],
            extents,
        })
    }
}
