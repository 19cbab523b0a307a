//! The host plan: a structured register program that allocates, launches, loops and branches.
//!
//! A [`Plan`] has typed [`Slot`]s (registers), parameters, and blocks in one table; block 0 is the body and its
//! results are the plan's results. Instructions with nested blocks name them by [`BlockId`]. Rules, all checked by
//! [`crate::Artifact::validate`]:
//! - every slot has exactly one defining place (a parameter, a loop's block argument, or one instruction) and is
//!   read only after it, in the same block or in blocks nested there;
//! - every block but the body belongs to exactly one instruction; nesting is at most [`crate::MAX_NESTING`] deep;
//! - types match as stated at each instruction.
//!
//! Scalar arithmetic wraps. Instructions read integers as signed unless their name ends in `U`.
//! Buffers are references: copying a buffer slot (by `Select`, a block result, a call) shares the memory. Memory is
//! released by `Free`; what a plan leaves is released by the executor when the run ends.
//!
//! Deliberately absent: sizes of arrays (buffers know their element count, shapes are ordinary `i64` slots); streams, events
//! and graphs: instructions are in order, and who runs a plan finds out which of them are independent.

use crate::{BlockId, ElemType, KernelId, LocationId, PlanId, Scalar, SiteId, Slot, TunableId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The type of a [`Slot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SlotType {
    /// A scalar on the host.
    Scalar(ElemType),
    /// A contiguous run of elements in device memory.
    Buffer(ElemType),
}

impl SlotType {
    /// `i64`, the type of sizes, indices, grid and block extents.
    pub const INDEX: SlotType = SlotType::Scalar(ElemType::I64);
    /// Truth values.
    pub const BOOL: SlotType = SlotType::Scalar(ElemType::Bool);

    /// The element type of the scalar or buffer.
    pub const fn elem(self) -> ElemType {
        match self {
            SlotType::Scalar(elem) | SlotType::Buffer(elem) => elem,
        }
    }

    /// True for buffers.
    pub const fn is_buffer(self) -> bool {
        matches!(self, SlotType::Buffer(_))
    }
}

impl fmt::Display for SlotType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlotType::Scalar(elem) => write!(f, "{elem}"),
            SlotType::Buffer(elem) => write!(f, "buffer<{elem}>"),
        }
    }
}

/// Operations with one operand; operand and result have one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum UnaryOp {
    /// Negation; integers wrap.
    Neg,
    /// Bitwise complement (integers only).
    Not,
    /// Absolute value; the least integer wraps to itself.
    Abs,
    /// Number of one bits (integers only).
    PopCount,
    /// Leading zero bits; the width for 0 (integers only).
    LeadingZeros,
    /// Trailing zero bits; the width for 0 (integers only).
    TrailingZeros,
    /// Square root (floats only, like all below).
    Sqrt,
    /// 1 / square root.
    Rsqrt,
    /// e^x.
    Exp,
    /// 2^x.
    Exp2,
    /// e^x - 1.
    ExpM1,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 2.
    Log2,
    /// Logarithm to base 10.
    Log10,
    /// ln(1 + x).
    Log1P,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Arc sine.
    Asin,
    /// Arc cosine.
    Acos,
    /// Arc tangent.
    Atan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Largest integral value not above.
    Floor,
    /// Smallest integral value not below.
    Ceil,
    /// Towards zero.
    Trunc,
    /// To nearest, halves away from zero.
    Round,
    /// To nearest, halves to even.
    RoundEven,
}

impl UnaryOp {
    /// True when the operation takes operands of type `elem`.
    pub const fn accepts(self, elem: ElemType) -> bool {
        match self {
            UnaryOp::Neg | UnaryOp::Abs => true,
            UnaryOp::Not | UnaryOp::PopCount | UnaryOp::LeadingZeros | UnaryOp::TrailingZeros => {
                elem.is_integer()
            }
            _ => elem.is_float(),
        }
    }
}

/// Operations with two operands; operands and result have one type. Integers wrap and are signed unless the name
/// ends in `U`; an integer division by zero ends the run with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum BinaryOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient; integers truncate towards zero.
    Div,
    /// Unsigned quotient (integers only).
    DivU,
    /// Remainder with the sign of the dividend; for floats C's `fmod`.
    Rem,
    /// Unsigned remainder (integers only).
    RemU,
    /// Quotient rounded down (integers only).
    FloorDiv,
    /// Quotient rounded up (integers only).
    CeilDiv,
    /// Unsigned quotient rounded up (integers only).
    CeilDivU,
    /// Bitwise and (integers only).
    And,
    /// Bitwise or (integers only).
    Or,
    /// Bitwise exclusive or (integers only).
    Xor,
    /// Left shift; 0 when the amount is at least the width (integers only).
    Shl,
    /// Arithmetic right shift; all sign bits when the amount is at least the width (integers only).
    Shr,
    /// Logical right shift; 0 when the amount is at least the width (integers only).
    ShrU,
    /// Minimum; for floats IEEE 754-2019 `minimum` (NaN wins, -0 < +0).
    Min,
    /// Maximum; for floats IEEE 754-2019 `maximum` (NaN wins, -0 < +0).
    Max,
    /// Unsigned minimum (integers only).
    MinU,
    /// Unsigned maximum (integers only).
    MaxU,
    /// IEEE 754 `minNum`: a NaN operand yields the other (floats only).
    MinNum,
    /// IEEE 754 `maxNum`: a NaN operand yields the other (floats only).
    MaxNum,
    /// Power (floats only).
    Pow,
    /// Angle of the point (x = rhs, y = lhs) (floats only).
    Atan2,
    /// Magnitude of lhs with the sign of rhs, plus where that is NaN (floats only).
    CopySign,
}

impl BinaryOp {
    /// True when the operation takes operands of type `elem`.
    pub const fn accepts(self, elem: ElemType) -> bool {
        use BinaryOp::*;
        match self {
            Add | Sub | Mul | Div | Rem | Min | Max => true,
            MinNum | MaxNum | Pow | Atan2 | CopySign => elem.is_float(),
            _ => elem.is_integer(),
        }
    }
}

/// Comparisons; the result is [`ElemType::Bool`].
///
/// On floats all but [`Compare::Ne`] and [`Compare::Unordered`] are false when an operand is NaN. The other
/// predicates of `arith.cmpf` are combinations: `ult` = not `oge`, `one` = `une` and `ord`, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Not equal; true when an operand is NaN.
    Ne,
    /// Less than.
    Lt,
    /// At most.
    Le,
    /// Greater than.
    Gt,
    /// At least.
    Ge,
    /// Unsigned less than (integers only).
    LtU,
    /// Unsigned at most (integers only).
    LeU,
    /// Unsigned greater than (integers only).
    GtU,
    /// Unsigned at least (integers only).
    GeU,
    /// Neither operand is NaN (floats only).
    Ordered,
    /// An operand is NaN (floats only).
    Unordered,
}

impl Compare {
    /// True when the comparison takes operands of type `elem`.
    pub const fn accepts(self, elem: ElemType) -> bool {
        match self {
            Compare::LtU | Compare::LeU | Compare::GtU | Compare::GeU => elem.is_integer(),
            Compare::Ordered | Compare::Unordered => elem.is_float(),
            _ => true,
        }
    }
}

/// Conversions between scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Convert {
    /// By value, integers signed: truncation, sign extension (a true `i1` is -1), rounding to nearest even between
    /// floats and from integers, towards zero with saturation (NaN to 0) from floats.
    Signed,
    /// Like [`Convert::Signed`] with integers read, and produced, as unsigned (a true `i1` is 1).
    Unsigned,
    /// The same bits; both types have one width.
    Bitcast,
}

impl Convert {
    /// True when a value of type `from` converts to `to`.
    pub const fn accepts(self, from: ElemType, to: ElemType) -> bool {
        match self {
            Convert::Signed | Convert::Unsigned => true,
            Convert::Bitcast => from.bits() == to.bits(),
        }
    }
}

/// A kernel launch. When any extent of the grid or the block is zero, nothing is launched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchInstr {
    /// The kernel.
    pub kernel: KernelId,
    /// Thread blocks in x, y, z (`i64`).
    pub grid: [Slot; 3],
    /// Threads per block in x, y, z (`i64`).
    pub block: [Slot; 3],
    /// Bytes of dynamic shared memory (`i64`), none when absent.
    pub dynamic_shared: Option<Slot>,
    /// One per kernel parameter except [`crate::KernelParam::ErrorRecord`], which the executor adds.
    pub args: Vec<Slot>,
}

/// A counted loop: `index` runs from `lower` below `upper` by `step`, which must be positive when it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForLoop {
    /// First index (`i64`).
    pub lower: Slot,
    /// Bound of the index, exclusive (`i64`).
    pub upper: Slot,
    /// Increment (`i64`).
    pub step: Slot,
    /// Defined in the body: the index (`i64`).
    pub index: Slot,
    /// Initial values of what the loop carries.
    pub inits: Vec<Slot>,
    /// Defined in the body: the carried values; types as `inits`.
    pub carried: Vec<Slot>,
    /// The body; its results are the next carried values.
    pub body: BlockId,
    /// The carried values after the last iteration; types as `inits`.
    pub results: Vec<Slot>,
}

/// A loop with a condition, as `scf.while`: `before` computes the condition and the values to forward; while it is
/// true, `after` takes them and yields the next arguments of `before`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhileLoop {
    /// First arguments of `before`.
    pub inits: Vec<Slot>,
    /// Defined in `before`: its arguments; types as `inits`.
    pub before_args: Vec<Slot>,
    /// Computes the condition; its results are the forwarded values.
    pub before: BlockId,
    /// The condition (`i1`), defined in `before` or outside.
    pub cond: Slot,
    /// Defined in `after`: the forwarded values; types as the results of `before`.
    pub after_args: Vec<Slot>,
    /// The loop's work; its results are the next arguments of `before`.
    pub after: BlockId,
    /// The values forwarded when the condition was false; types as the results of `before`.
    pub results: Vec<Slot>,
}

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Instr {
    /// `dst = value`.
    Const {
        /// Scalar of the value's type.
        dst: Slot,
        /// The constant.
        value: Scalar,
    },
    /// `dst = op src`.
    Unary {
        /// The operation to compute.
        op: UnaryOp,
        /// Scalar of the operand's type.
        dst: Slot,
        /// The operand.
        src: Slot,
    },
    /// `dst = lhs op rhs`.
    Binary {
        /// The operation to compute.
        op: BinaryOp,
        /// Scalar of the operands' type.
        dst: Slot,
        /// Left operand.
        lhs: Slot,
        /// Right operand.
        rhs: Slot,
    },
    /// `dst = lhs op rhs`, an `i1`.
    Compare {
        /// The comparison to make.
        op: Compare,
        /// `i1`.
        dst: Slot,
        /// Left operand.
        lhs: Slot,
        /// Right operand, same type.
        rhs: Slot,
    },
    /// `dst = cond ? on_true : on_false`, scalars or buffers of one type.
    Select {
        /// Result.
        dst: Slot,
        /// `i1`.
        cond: Slot,
        /// Taken when the condition is true.
        on_true: Slot,
        /// Taken when the condition is false.
        on_false: Slot,
    },
    /// `dst = convert src` to the type of `dst`.
    Convert {
        /// How.
        op: Convert,
        /// Scalar.
        dst: Slot,
        /// Scalar.
        src: Slot,
    },
    /// `dst` = whether `value` is at least the tunable's value in this run; the run's report has `value`.
    AtLeast {
        /// `i1`.
        dst: Slot,
        /// `i64`.
        value: Slot,
        /// Which.
        tunable: TunableId,
    },
    /// Allocates `count` elements (`i64`, not negative); contents are undefined.
    Alloc {
        /// Buffer.
        dst: Slot,
        /// Elements.
        count: Slot,
    },
    /// Releases a buffer that [`Instr::Alloc`] made or an array parameter; not a slice. Later use is an error.
    Free {
        /// Buffer.
        buffer: Slot,
    },
    /// `dst` = the `count` elements of `src` from `offset` on; shares the memory.
    Slice {
        /// Buffer of the element type of `src`.
        dst: Slot,
        /// Buffer.
        src: Slot,
        /// First element (`i64`).
        offset: Slot,
        /// Elements (`i64`).
        count: Slot,
    },
    /// Copies the first `count` elements of `src` to the start of `dst`; the two must not overlap.
    Copy {
        /// Buffer.
        dst: Slot,
        /// Buffer of the same element type.
        src: Slot,
        /// Elements (`i64`).
        count: Slot,
    },
    /// Sets the first `count` elements of `buffer` to `value`.
    Fill {
        /// Buffer.
        buffer: Slot,
        /// Scalar of the element type.
        value: Slot,
        /// Elements (`i64`).
        count: Slot,
    },
    /// `dst = buffer[index]`; waits for the device.
    ReadElem {
        /// Scalar of the element type.
        dst: Slot,
        /// Buffer.
        buffer: Slot,
        /// Element (`i64`).
        index: Slot,
    },
    /// `buffer[index] = value`.
    WriteElem {
        /// Buffer.
        buffer: Slot,
        /// Element (`i64`).
        index: Slot,
        /// Scalar of the element type.
        value: Slot,
    },
    /// Launches a kernel.
    Launch(LaunchInstr),
    /// Runs one of two blocks; the block's results become `results`.
    If {
        /// `i1`.
        cond: Slot,
        /// Run when true.
        then_block: BlockId,
        /// Run when false.
        else_block: BlockId,
        /// Types as the results of both blocks.
        results: Vec<Slot>,
    },
    /// A counted loop.
    For(ForLoop),
    /// A loop with a condition.
    While(WhileLoop),
    /// Runs another plan. Recursion is allowed; its depth is limited when it runs.
    Call {
        /// The callee.
        plan: PlanId,
        /// Types as the callee's parameters.
        args: Vec<Slot>,
        /// Types as the callee's results.
        results: Vec<Slot>,
    },
    /// Ends the run with the site's message unless `cond` is true.
    Check {
        /// `i1`.
        cond: Slot,
        /// Message and source location.
        site: SiteId,
        /// Scalars that fill the message's `{0}`, `{1}`, ...
        values: Vec<Slot>,
    },
}

/// An instruction and where it came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stmt {
    /// The instruction.
    pub instr: Instr,
    /// Where in the source program.
    pub location: Option<LocationId>,
}

/// Instructions in order, and the slots they yield.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Run in order.
    pub stmts: Vec<Stmt>,
    /// Values the block yields to the instruction it belongs to (or the plan returns).
    pub results: Vec<Slot>,
}

/// A function that runs on the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Name, for people.
    pub name: String,
    /// The type of every slot.
    pub slots: Vec<SlotType>,
    /// Slots that hold the arguments on entry.
    pub params: Vec<Slot>,
    /// All blocks; block 0 is the body.
    pub blocks: Vec<Block>,
}

impl Plan {
    /// The body's block.
    pub const BODY: BlockId = BlockId(0);

    /// The type of a slot; `None` when there is no such slot.
    pub fn slot_type(&self, slot: Slot) -> Option<SlotType> {
        self.slots.get(slot.index()).copied()
    }

    /// A block; `None` when there is no such block.
    pub fn block(&self, block: BlockId) -> Option<&Block> {
        self.blocks.get(block.index())
    }

    /// The slots the plan returns.
    pub fn results(&self) -> &[Slot] {
        self.blocks.first().map_or(&[], |body| &body.results)
    }
}

impl Instr {
    /// Calls `visit` with every slot the instruction reads, except those its nested blocks read.
    pub fn for_each_use(&self, visit: &mut dyn FnMut(Slot)) {
        let mut all = |slots: &[Slot]| slots.iter().for_each(|slot| visit(*slot));
        match self {
            Instr::Const { .. } => {}
            Instr::AtLeast { value, .. } => all(&[*value]),
            Instr::Unary { src, .. } | Instr::Convert { src, .. } => all(&[*src]),
            Instr::Binary { lhs, rhs, .. } | Instr::Compare { lhs, rhs, .. } => all(&[*lhs, *rhs]),
            Instr::Select {
                cond,
                on_true,
                on_false,
                ..
            } => all(&[*cond, *on_true, *on_false]),
            Instr::Alloc { count, .. } => all(&[*count]),
            Instr::Free { buffer } => all(&[*buffer]),
            Instr::Slice {
                src, offset, count, ..
            } => all(&[*src, *offset, *count]),
            Instr::Copy { dst, src, count } => all(&[*dst, *src, *count]),
            Instr::Fill {
                buffer,
                value,
                count,
            } => all(&[*buffer, *value, *count]),
            Instr::ReadElem { buffer, index, .. } => all(&[*buffer, *index]),
            Instr::WriteElem {
                buffer,
                index,
                value,
            } => all(&[*buffer, *index, *value]),
            Instr::Launch(launch) => {
                all(&launch.grid);
                all(&launch.block);
                all(launch.dynamic_shared.as_slice());
                all(&launch.args);
            }
            Instr::If { cond, .. } => all(&[*cond]),
            Instr::For(for_loop) => {
                all(&[for_loop.lower, for_loop.upper, for_loop.step]);
                all(&for_loop.inits);
            }
            Instr::While(while_loop) => all(&while_loop.inits),
            Instr::Call { args, .. } => all(args),
            Instr::Check { cond, values, .. } => {
                all(&[*cond]);
                all(values);
            }
        }
    }

    /// The slots the instruction defines for what follows it.
    pub fn defs(&self) -> &[Slot] {
        match self {
            Instr::Const { dst, .. }
            | Instr::Unary { dst, .. }
            | Instr::Binary { dst, .. }
            | Instr::Compare { dst, .. }
            | Instr::Select { dst, .. }
            | Instr::Convert { dst, .. }
            | Instr::AtLeast { dst, .. }
            | Instr::Alloc { dst, .. }
            | Instr::Slice { dst, .. }
            | Instr::ReadElem { dst, .. } => std::slice::from_ref(dst),
            Instr::If { results, .. } | Instr::Call { results, .. } => results,
            Instr::For(for_loop) => &for_loop.results,
            Instr::While(while_loop) => &while_loop.results,
            Instr::Free { .. }
            | Instr::Copy { .. }
            | Instr::Fill { .. }
            | Instr::WriteElem { .. }
            | Instr::Launch(_)
            | Instr::Check { .. } => &[],
        }
    }
}
