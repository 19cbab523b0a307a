//! Arrays of a block whose rows lie a little apart, or turned, so that threads that go down a column meet different banks.
//!
//! Shared memory has 32 banks of four bytes. Where neighbouring threads read neighbouring rows of an array at one column,
//! rows of a multiple of a power of two would put their elements into few banks; rows of odd length put them into all.
//! The same where a warp has several rows of threads, and rows of the array start at one bank. Where threads iterate over the
//! rows by loads of several elements, an odd number of those lies between rows instead ([`crate::point::lanes_of`]).
//!
//! Tensor cores read matrices of 8 rows of 16 bytes, and threads copy 16 bytes to places side by side; an access of 8 threads
//! wants all 32 banks. Where nobody else reads an array, its rows follow each other, so that places side by side are in
//! different banks. Of rows of `n` parts of 16 bytes, those that are `8 / g` apart begin at one bank, where `g = gcd(n, 8)`:
//! part `c` of row `r` lies at part `c xor (r / (8 / g) mod g)`, which is one of the `g` parts around it.
//!
//! ```text
//! rows of 64 bytes     banks 0-3   4-7   8-11  12-15 16-19 20-23 24-27 28-31     8 rows of one column: all banks
//!   0, 1               0.0   0.1   0.2   0.3   1.0   1.1   1.2   1.3             8 parts side by side: all banks
//!   2, 3               2.1   2.0   2.3   2.2   3.1   3.0   3.3   3.2
//!   4, 5               4.2   4.3   4.0   4.1   5.2   5.3   5.0   5.1
//!   6, 7               6.3   6.2   6.1   6.0   7.3   7.2   7.1   7.0
//! ```
//!
//! Where others read the array, too, or rows are no whole number of parts, they are an odd number of parts long instead. So
//! they are where a warp reads fragments element by element: 4 rows of 8 bytes, 4 of them side by side, meet in no bank where
//! rows are an odd number of 32 bytes apart.
//!
//! Warpgroups multiply what lies in lines of 128 bytes ([`Lines`]), whoever else reads it.
//!
//! Legality: the array is made by a segmap over constant extents, and only read by all its indices.

use crate::kernel::Kernel;
use crate::point::lanes_of;
use crate::state::{Array, Extent, Lines, Memory, Pitch, Swizzle};
use segra_gpu::warpgroup::{GROUP, LINE};
use segra_ir::int_range::gcd;
use segra_ir::interfaces::constant_of;
use segra_ir::{Ir, Op, Value};
use segra_kernel::access::Read;
use segra_kernel::contract::ContractOp;
use segra_kernel::segop::SegMapOp;
use segra_space::Target;
use segra_std::arith::{AddIOp, MulIOp};

/// Bytes that a bank of shared memory has side by side.
const BANK_BYTES: i64 = 4;

/// How rows of a segmap's result lie, which these ops use by these names; none where they follow each other, in order.
pub(super) fn pitch_of(
    ir: &Ir,
    (segmap, element): (SegMapOp, segra_ir::Type),
    users: impl Iterator<Item = (Op, Value)>,
) -> Option<Pitch> {
    let sizes = segmap.sizes(ir);
    let last = *sizes.last().filter(|_| sizes.len() > 1)?;
    let columns = constant_of(ir, last)?.as_i64(ir.ctx())?;
    let (mut apart, mut lanes) = (false, 1);
    let (by_warps, by_threads): (Vec<_>, Vec<_>) =
        users.partition(|&(user, _)| ir.isa::<ContractOp>(user));
    if let Some(pitch) = in_lines(ir, &by_warps, (&sizes, columns)) {
        return Some(pitch);
    }
    if !by_warps.is_empty() {
        let bytes = segra_kernel::vector::element_bytes(ir, element)?;
        lanes = Target::CUDA.vector_bytes / bytes;
        apart = true;
        let elementwise = by_warps.iter().find_map(|&(user, array)| {
            let contract = ir.cast::<ContractOp>(user)?;
            (!contract.by_matrices(ir, array)).then(|| contract.kind(ir))?
        });
        if let Some(kind) = elementwise {
            lanes = kind.elements_apart();
        }
        let matrices = by_threads.is_empty() && elementwise.is_none();
        let turned = turned(columns, (lanes, bytes)).filter(|_| matrices);
        if turned.is_some() {
            return turned;
        }
    }
    for (user, _) in by_threads {
        let read = Read::of(ir, user)?;
        let indices = read.indices(ir);
        if indices.len() != sizes.len() {
            return None;
        }
        let down = columns % 2 == 0 && goes_down(ir, user, &indices, 1)
            || columns % Target::CUDA.banks == 0 && goes_down(ir, user, &indices, 2);
        if down {
            apart = true;
            let several = lanes_of(ir, read).or_else(|| lanes_at_constants(ir, read));
            lanes = lanes.max(several.filter(|lanes| columns % lanes == 0).unwrap_or(1));
        }
    }
    apart.then_some(Pitch {
        elements: (((columns + lanes - 1) / lanes) | 1) * lanes,
        swizzle: None,
        lines: None,
    })
}

/// Rows in lines of 128 bytes, where warpgroups multiply them: see [`segra_gpu::warpgroup`].
fn in_lines(ir: &Ir, users: &[(Op, Value)], (sizes, columns): (&[Value], i64)) -> Option<Pitch> {
    let mut contracts = (users.iter()).filter_map(|&(user, _)| ir.cast::<ContractOp>(user));
    contracts.find_map(|contract| contract.warpgroups(ir))?;
    let rows = constant_of(ir, *sizes.first()?)?.as_i64(ir.ctx())?;
    let lines = Lines {
        apart: rows.checked_mul(LINE)?,
    };
    (columns % LINE == 0).then_some(Pitch {
        elements: LINE,
        swizzle: Some(Swizzle {
            part: GROUP,
            parts: GROUP,
            rows: 1,
        }),
        lines: Some(lines),
    })
}

/// Rows that follow each other, in whose order 8 parts side by side, and 8 rows of one column, are in different banks: see
/// [`self`].
fn turned(columns: i64, (part, bytes): (i64, i64)) -> Option<Pitch> {
    let at_once = Target::CUDA.banks * BANK_BYTES / (part * bytes);
    if columns % part != 0 {
        return None;
    }
    let in_row = (columns / part).unsigned_abs();
    let parts = gcd(in_row, at_once.unsigned_abs()) as i64;
    let swizzle = (parts > 1).then(|| Swizzle {
        part,
        parts,
        rows: at_once / parts,
    });
    Some(Pitch {
        elements: columns,
        swizzle,
        lines: None,
    })
}

/// Whether threads of a warp read different rows: the segmap's index number `from_last` is one before the last, and
/// threads of a warp differ in it.
fn goes_down(ir: &Ir, read: Op, indices: &[Value], from_last: usize) -> bool {
    let Some(segmap) = ir
        .ancestors(read)
        .skip(1)
        .find_map(|op| ir.cast::<SegMapOp>(op))
    else {
        return false;
    };
    let args = ir.block_args(segmap.body_block(ir));
    let Some(number) = args.len().checked_sub(from_last) else {
        return false;
    };
    let known = |size: &Value| constant_of(ir, *size).and_then(|attr| attr.as_i64(ir.ctx()));
    let inner: Option<i64> = segmap.sizes(ir)[number + 1..].iter().map(known).product();
    let rows = &indices[..indices.len() - 1];
    inner.is_some_and(|inner| inner < crate::segmented::WARP)
        && rows.iter().any(|&row| is_affine(ir, row, args[number]))
}

/// Whether a value is an index, a multiple of it, or a constant more than that.
fn is_affine(ir: &Ir, value: Value, index: Value) -> bool {
    let inner = |x: Value, y: Value| match (ir.constant_int(x), ir.constant_int(y)) {
        (_, Some(_)) => is_affine(ir, x, index),
        (Some(_), _) => is_affine(ir, y, index),
        _ => false,
    };
    if let Some(sum) = ir.def_as::<AddIOp>(value) {
        return inner(sum.lhs(ir), sum.rhs(ir));
    }
    if let Some(product) = ir.def_as::<MulIOp>(value) {
        return inner(product.lhs(ir), product.rhs(ir));
    }
    value == index
}

/// Elements of one access where a thread reads a row at constant places, those beside them, too: unrolled loops.
fn lanes_at_constants(ir: &Ir, read: Read) -> Option<i64> {
    let last = *read.indices(ir).last()?;
    let steps = ir
        .def_as::<AddIOp>(last)
        .is_some_and(|sum| ir.constant_int(sum.rhs(ir)).is_some());
    let bytes = segra_kernel::vector::element_bytes(ir, ir.value_type(read.result(ir)))?;
    (steps || ir.constant_int(last).is_some()).then_some(Target::CUDA.vector_bytes / bytes)
}

impl Kernel<'_> {
    /// Shared memory for an array whose rows lie apart, where that pays.
    pub(super) fn pitched(
        &mut self,
        result: Value,
        user: Op,
        extents: &[Extent],
        element: segra_ir::Type,
    ) -> Option<Array> {
        let made = self.ir.defining_op(result)?;
        let segmap = self.ir.cast::<SegMapOp>(made)?;
        let users = self.ir.users(result).map(|user| (user, result));
        let pitch = pitch_of(self.ir, (segmap, element), users)?;
        let (mut rows, mut columns) = (1i64, 1);
        for (dim, extent) in extents.iter().enumerate() {
            let Extent::Host(value) = *extent else {
                return None;
            };
            let extent = constant_of(self.ir, value)?.as_i64(self.ir.ctx())?;
            match dim + 1 == extents.len() {
                true => columns = extent,
                false => rows = rows.checked_mul(extent)?,
            }
        }
        let count = pitch.count(rows, columns)?;
        let count = crate::launch::constant(&mut self.host_builder(), count);
        let buffer = match pitch.lines {
            Some(_) => self.dynamic_shared_at(count, element, pitch.alignment()),
            None => self.shared_for(result, user, count, element),
        };
        let whole = Array::whole(Memory::Shared(buffer), extents.to_vec(), element);
        Some(Array {
            pitch: Some(pitch),
            ..whole
        })
    }
}
