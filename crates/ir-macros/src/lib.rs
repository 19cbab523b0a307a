//! The only procedural macro: `#[op]` turns one struct into an op definition.
//!
//! ```ignore
//! /// The sum, modulo 2^width.
//! #[op("arith.addi", traits(Pure, Commutative, SameOperandsAndResultType), interfaces(Fold, Eval),
//!      format = "$lhs `,` $rhs attr-dict `:` type($result)")]
//! pub struct AddIOp {
//!     lhs: Operand<IntegerLike>,
//!     rhs: Operand<IntegerLike>,
//!     result: OpResult<IntegerLike>,
//! }
//! ```
//!
//! Field kinds: `Operand<C>`, `OptionalOperand<C>`, `VariadicOperand<C>`; `OpResult<C>`, `OptionalResult<C>`,
//! `VariadicResult<C>`; `Attr<C>`, `OptionalAttr<C>`; `AnyRegion`, `BlockRegion` (one block), `OptionalBlockRegion`
//! (none or one block), `VariadicRegion`; `Successor`, `VariadicSuccessor`. `C` names a constraint in scope.
//! `#[name("textName")]` on an attribute field gives it another name in the text form.
//!
//! The struct becomes a typed op id with `build`, one accessor per field, and `OpView`. `build` takes operands and
//! attributes in field order, then result types (left out with `SameOperandsAndResultType` or `InferTypes`), then
//! successors; regions start empty. Deliberately absent: anything that needs to look beyond the struct.

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
