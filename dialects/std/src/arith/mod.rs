//! `arith`: integer and floating-point arithmetic on scalars and, element by element, on vectors.
//!
//! Integers are signless: the op says how it reads the bits. Results wrap at the width.

pub mod attrs;
pub mod cast;
pub mod classes;
pub mod cmp;
mod cmp_converted;
pub mod constant;
pub mod expr;
pub mod extended;
pub mod float;
pub mod index;
pub mod int;
pub(crate) mod ints;
mod ranges;
pub(crate) mod rules;
mod speculation;

use segra_ir::def::Origin;
use segra_ir::{Attr, Builder, Dialect, Op, OpView, Type};

pub use attrs::{FastMath, FastMathAttr, Overflow, OverflowAttr};
pub use cast::{
    BitcastOp, ExtFOp, ExtSIOp, ExtUIOp, FPToSIOp, FPToUIOp, IndexCastOp, IndexCastUIOp,
    RoundingMode, RoundingModeAttr, SIToFPOp, TruncFOp, TruncIOp, UIToFPOp, round_through, rounded,
};
pub use classes::{Division, Narrow, Narrowing};
pub use cmp::{
    CmpFOp, CmpFPredicate, CmpFPredicateAttr, CmpIOp, CmpIPredicate, CmpIPredicateAttr, SelectOp,
};
pub use constant::{ConstantOp, zero};
pub use extended::{
    AddUIExtendedOp, MulSIExtendedOp, MulUIExtendedOp, ScalingExtFOp, ScalingTruncFOp,
};
pub use float::{
    AddFOp, DivFOp, MaxNumFOp, MaximumFOp, MinNumFOp, MinimumFOp, MulFOp, NegFOp, RemFOp, SubFOp,
};
pub use int::{
    AddIOp, AndIOp, CeilDivSIOp, CeilDivUIOp, DivSIOp, DivUIOp, FloorDivSIOp, MaxSIOp, MaxUIOp,
    MinSIOp, MinUIOp, MulIOp, OrIOp, RemSIOp, RemUIOp, ShLIOp, ShRSIOp, ShRUIOp, SubIOp, XOrIOp,
};
pub use speculation::integer_divisor;

const DOC: &str = "Integer and floating-point arithmetic.

Each op on each operand either has a value, or stops the program with the place of the op; it says which. The interpreter,
constant folding, host code and kernels agree on it, bit for bit. Where upstream has poison or undefined behaviour, there is
a value here: a shift by the width or more moves everything out, a quotient that does not fit wraps, a float that no integer
holds becomes the nearest one. Only an integer division by zero stops.

Any NaN is any other: which sign and payload an operation gives it, nobody says, and only `arith.bitcast` shows them. Flags
that promise something (`nsw`, `nuw`, `exact`, `nnan`, `ninf`) change no result; those that permit something (`reassoc`,
`contract`, `afn`, ...) may.

Constants fold as `mlir-opt` 22 folds them, but where that gives another result than evaluation does or leaves one to
chance: a cast to fewer bits and back to `index` is not taken for nothing, nor an integer that is rounded to a float and
then to a narrower one for one rounding; a division by zero stays, also one in an element of a vector; the larger or
smaller of a number and a signalling not-a-number is the number, in either order.";

/// The dialect.
pub fn dialect() -> Dialect {
    Dialect {
        name: "arith",
        origin: Origin::Upstream,
        doc: DOC,
        ops: [
            constant::OPS,
            int::OPS,
            extended::OPS,
            float::OPS,
            cmp::OPS,
            cast::OPS,
        ]
        .concat(),
        attrs: segra_text::attr_parsers(&[
            ("fastmath", attrs::parse_fastmath),
            ("overflow", attrs::parse_overflow),
        ]),
        materialize_constant: Some(materialize_constant),
        ..Dialect::default()
    }
}

/// An `arith.constant` of a number or dense attribute whose type is `ty`.
pub fn materialize_constant(b: &mut Builder<'_>, value: Attr, ty: Type) -> Option<Op> {
    (value.ty(b.ctx()) == Some(ty)).then(|| ConstantOp::build(b, value).op())
}
