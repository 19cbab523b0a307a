//! Products of matrices, and the moves of their fragments.

use super::Address;
use super::element::Element;
use crate::regs::Slot;
use crate::types::Space;
use smallvec::SmallVec;

/// Rows, columns and depth of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) m: u32,
    pub(crate) n: u32,
    pub(crate) k: u32,
}

/// How bits of single-bit operands are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BitOp {
    Xor,
    And,
}

/// The behaviour of an integer accumulator beyond its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overflow {
    Wrap,
    Saturate,
}

/// Registers of a fragment.
pub(crate) type Fragment = SmallVec<[Slot; 8]>;

/// One `mma.sync`.
#[derive(Clone, Debug)]
pub(crate) struct Mma {
    pub(crate) shape: Shape,
    pub(crate) a_type: Element,
    pub(crate) b_type: Element,
    /// Type of the accumulator read, and of the one written.
    pub(crate) c_type: Element,
    pub(crate) d_type: Element,
    pub(crate) bit_op: BitOp,
    pub(crate) overflow: Overflow,
    pub(crate) d: Fragment,
    pub(crate) a: Fragment,
    pub(crate) b: Fragment,
    pub(crate) c: Fragment,
}

/// How an operand lies in shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Major {
    /// Elements along the depth lie together.
    Depth,
    /// Elements across the depth lie together (`.trans`).
    Across,
}

/// Where the first operand comes from.
#[derive(Clone, Debug)]
pub(crate) enum Left {
    Registers(Fragment),
    /// Double slot of a descriptor.
    Shared(u32, Major),
}

/// One `wgmma.mma_async`.
#[derive(Clone, Debug)]
pub(crate) struct Wgmma {
    pub(crate) shape: Shape,
    pub(crate) d_type: Element,
    pub(crate) a_type: Element,
    pub(crate) b_type: Element,
    pub(crate) d: Fragment,
    pub(crate) a: Left,
    /// Double slot of the descriptor of B.
    pub(crate) b: u32,
    pub(crate) b_major: Major,
    /// Predicate slot: the accumulator counts; otherwise the product replaces it. Negated where the flag says.
    pub(crate) accumulate: (u32, bool),
    /// A or B (but not both) is negated.
    pub(crate) negate: bool,
    pub(crate) overflow: Overflow,
}

/// `wgmma.commit_group` and `wgmma.wait_group`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProductGroup {
    Commit,
    /// Waits until at most so many groups are not done.
    Wait {
        most: u32,
    },
}

/// Which operand of a `wmma` product a fragment is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    A,
    B,
    /// The accumulator read or written.
    C,
}

/// `wmma.load` or `wmma.store` of one fragment.
#[derive(Clone, Debug)]
pub(crate) struct FragmentMove {
    pub(crate) part: Part,
    pub(crate) shape: Shape,
    pub(crate) element: Element,
    pub(crate) space: Space,
    pub(crate) address: Address,
    /// Word slot of the distance between rows or columns in memory, in elements.
    pub(crate) stride: u32,
    pub(crate) order: Order,
    pub(crate) fragment: Fragment,
}

/// Whether the matrix is held by rows or by columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Rows,
    Columns,
}

/// `ldmatrix` or `stmatrix` of as many matrices as there are registers.
#[derive(Clone, Debug)]
pub(crate) struct MatrixMove {
    pub(crate) space: Space,
    pub(crate) address: Address,
    pub(crate) order: Order,
    /// Word slots.
    pub(crate) registers: SmallVec<[u32; 4]>,
}
