//! Segra's intermediate representation: the mechanism every dialect, pass and tool stands on.
//!
//! * [`entity`]: typed `u32` ids and the maps keyed by them.
//! * [`context`]: everything interned and shared: identifiers, types, attributes, locations, registered dialects.
//! * [`types`], [`attrs`], [`location`]: what can be interned.
//! * [`store`]: one program: ops, blocks, regions, values in arenas, with use-def chains.
//! * [`build`]: insertion points and op construction; [`clone`](mod@clone): copies with a value mapping.
//! * [`def`]: what an op definition is (filled in by the `#[op]` macro); [`interfaces`]: what passes may ask of an op.
//! * [`integer`]: integers of any width; [`int_range`]: sets of integers, for analyses.
//! * [`resource`]: data a file carries beside its program.
//! * [`stack`]: recursion of any depth.
//! * [`steps`]: counted work, for tests of how it grows.
//! * [`symbol`]: symbol tables; [`dominance`]: dominance between values and ops.
//! * [`diag`]: diagnostics and their rendering; [`verify`](mod@verify): the layered verifier; [`walk`]: steps through a program.
//!
//! Deliberately absent: any dialect (not even `builtin`), any pass, any evaluation of ops, and the text form (`crates/text`),
//! which messages reach through [`diag::TextForm`].
//!
//! ```
//! use segra_ir::constraint::AnyInteger;
//! use segra_ir::{Builder, Context, Diagnostics, Dialect, Ir, Loc, OpState, OpView, op};
//! use std::sync::Arc;
//!
//! /// The sum of two integers of one type.
//! #[op("my.add", traits(Pure, Commutative, SameOperandsAndResultType),
//!      format = "$lhs `,` $rhs attr-dict `:` type($result)")]
//! pub struct AddOp {
//!     lhs: Operand<AnyInteger>,
//!     rhs: Operand<AnyInteger>,
//!     result: OpResult<AnyInteger>,
//! }
//!
//! # fn main() {
//! let ctx = Arc::new(Context::new());
//! ctx.register(Dialect { name: "my", ops: vec![AddOp::DEF], ..Dialect::default() });
//! let mut ir = Ir::new(ctx.clone());
//! let mut program = OpState::new(ctx.op_name("my.program"), Loc::UNKNOWN);
//! program.regions = 1;
//! let root = ir.create_op(program);
//! ir.set_root(root);
//! let body = ir.region(root, 0);
//! let block = ir.add_block(body, &[ctx.i32()]);
//! let x = ir.block_args(block)[0];
//!
//! let mut b = Builder::at_end(&mut ir, block, Loc::UNKNOWN);
//! let twice = AddOp::build(&mut b, x, x);
//! let sum = twice.result(b.ir);
//! AddOp::build(&mut b, sum, x);
//! assert_eq!((ir.users(x).count(), ir.users(sum).count()), (3, 1));
//!
//! let mut diags = Diagnostics::new();
//! segra_ir::verify::verify(&ir, &mut diags);
//! assert!(diags.iter().all(|diagnostic| !diagnostic.message.contains("my.add")));
//! # }
//! ```

#[macro_use] // ids are declared by a macro
pub mod entity;
pub mod equivalence;

pub mod affine;
pub mod attrs;
pub mod build;
pub mod clone;
pub mod constraint;
pub mod context;
mod custom;
pub mod def;
pub mod diag;
pub mod dominance;
mod grid;
mod ident;
pub mod int_range;
pub mod integer;
pub mod interfaces;
pub mod intern;
pub mod layout;
pub mod lists;
pub mod location;
pub mod opaque;
pub mod resource;
pub mod signature;
pub mod source;
pub mod stack;
pub mod steps;
pub mod store;
pub mod symbol;
pub mod type_arguments;
pub mod types;
pub mod verify;
pub mod walk;

pub use attrs::{Attr, AttrKind, Dict};
pub use build::{Builder, InsertPoint, OpState};
pub use context::{Context, Ident, OpName};
pub use def::{Dialect, OpDef, OpInfo, OpView, Trait};
pub use diag::{Diagnostic, Diagnostics, OpDiagnostics, Severity};
pub use entity::{EntityId, PrimaryMap, SecondaryMap};
pub use location::{Loc, LocKind};
pub use num_bigint::BigInt;
pub use segra_ir_macros::op;
pub use store::{Block, Ir, Op, Region, Use, Value, ValueDef};
pub use types::{FloatKind, Signedness, Type, TypeKind};

/// Names that the output of the `#[op]` macro refers to; not for direct use.
#[doc(hidden)]
pub mod macro_support {
    pub use crate::attrs::Attr;
    pub use crate::build::{Builder, OpState};
    pub use crate::constraint::{AttrConstraint, TypeConstraint};
    pub use crate::def::*;
    pub use crate::interfaces::*;
    pub use crate::store::{Block, Ir, Op, Region, Value};
    pub use crate::types::Type;
}
