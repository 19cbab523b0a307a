//! Classes of integer operations that passes ask for: which divide, and which are the same in fewer bits. An op that is in
//! neither is unknown to those passes, which then leave it alone.

use super::cmp::SelectOp;
use super::int::{
    AddIOp, CeilDivSIOp, CeilDivUIOp, DivSIOp, DivUIOp, FloorDivSIOp, MaxSIOp, MinSIOp, MulIOp,
    RemSIOp, RemUIOp, SubIOp,
};

/// An integer quotient or remainder: the second operand must not be 0.
pub trait Division: Sync {}

macro_rules! divisions {
    ($($op:ident)*) => { $(impl Division for $op {})* };
}
divisions!(CeilDivSIOp CeilDivUIOp DivSIOp DivUIOp FloorDivSIOp RemSIOp RemUIOp);

/// How an operation may be computed in fewer bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Narrow {
    /// The result is the same where operands and result fit.
    Exact,
    /// The low bits of the result need only those of the operands.
    Modular,
}

/// An operation on integers that there is in any width.
pub trait Narrowing: Sync {
    /// The requirement for equal results in fewer bits.
    fn narrow(&self) -> Narrow;
}

macro_rules! narrowing {
    ($($how:ident: $($op:ident)*;)*) => { $($(impl Narrowing for $op {
        fn narrow(&self) -> Narrow {
            Narrow::$how
        }
    })*)* };
}
narrowing! {
    Exact: DivSIOp DivUIOp MaxSIOp MinSIOp RemSIOp RemUIOp SelectOp;
    Modular: AddIOp MulIOp SubIOp;
}
