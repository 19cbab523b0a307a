//! The only procedural macro: `#[op]` turns one struct into an op definition.
//!
//! ```
//! use segra_ir::constraint::AnyInteger;
//! use segra_ir::{OpView, op};
//!
//! /// The sum, modulo 2^width.
//! #[op("my.add", traits(Pure, Commutative, SameOperandsAndResultType),
//!      format = "$lhs `,` $rhs attr-dict `:` type($result)")]
//! pub struct AddOp {
//!     lhs: Operand<AnyInteger>,
//!     rhs: Operand<AnyInteger>,
//!     result: OpResult<AnyInteger>,
//! }
//!
//! # fn main() {
//! assert_eq!(AddOp::DEF.name, "my.add");
//! # }
//! ```
//!
//! Field kinds: `Operand<C>`, `OptionalOperand<C>`, `VariadicOperand<C>`; `OpResult<C>`, `OptionalResult<C>`,
//! `VariadicResult<C>`; `Attr<C>`, `OptionalAttr<C>`; `AnyRegion`, `BlockRegion` (one block), `OptionalBlockRegion`
//! (none or one block), `VariadicRegion`; `Successor`, `VariadicSuccessor`. `C` names a constraint in scope.
//! `#[name("textName")]` on an attribute field gives it another name in the text form.
//!
//! The struct becomes a typed op id with one accessor per field, and `OpView`. There are two ways to build one, both with
//! empty regions:
//! * `X::build(b, …)` takes what the op must have, at most three parts: operands and attributes in field order, then result
//!   types (left out with `SameOperandsAndResultType` or `InferTypes`), then successors.
//! * `X::builder().lhs(x).rhs(y).result_type(t).build(b)` names parts; ops have it where parts may be absent or are more
//!   than three. A part that the op must have and that was not given is a type error; others are absent or empty.
//!
//! Deliberately absent: anything that needs to look beyond the struct.

mod builder;
mod model;
mod write;

use proc_macro::TokenStream;

/// Turns a struct into an op definition; see the crate documentation.
#[proc_macro_attribute]
pub fn op(args: TokenStream, item: TokenStream) -> TokenStream {
    let args = syn::parse_macro_input!(args as model::Args);
    let item = syn::parse_macro_input!(item as syn::ItemStruct);
    match model::OpModel::new(args, item) {
        Ok(model) => write::expand(&model).into(),
        Err(error) => error.to_compile_error().into(),
    }
}
