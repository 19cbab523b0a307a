//! The array type: element type and one size per dimension.
//!
//! A size is a constant, a symbol bound in the enclosing function (the first parameter whose type names it binds
//! it; else the first result that names it; inside combinators, arrays whose extent is the same for all elements), or
//! unknown. Equality of symbols is what makes regularity a type question: two arrays of outer size `n` have
//! the same length wherever the function runs. Elements are scalars; arrays of tuples do not exist.

use segra_ir::constraint::TypeConstraint;
use segra_ir::type_arguments::{DeclaredExtent, Parametric, TypeArguments};
use segra_ir::types::CustomType;
use segra_ir::{Attr, Builder, Context, Ident, Type, Value};
use std::fmt::Write;

/// The extent of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// Known now; never negative.
    Constant(i64),
    /// A name bound in the enclosing function.
    Symbol(Ident),
    /// Only known when the program runs.
    Unknown,
}

impl Size {
    /// Whether two extents may be the same: equal, or one of them unknown.
    pub fn compatible(self, other: Size) -> bool {
        self == other || self == Size::Unknown || other == Size::Unknown
    }
    /// The more telling of two compatible extents.
    pub fn or(self, other: Size) -> Size {
        if self == Size::Unknown { other } else { self }
    }
    /// The extent as an attribute: a number, a name, or nothing.
    pub(crate) fn to_attr(self, ctx: &Context) -> Attr {
        match self {
            Size::Constant(extent) => ctx.i64_attr(extent),
            Size::Symbol(name) => ctx.str_attr(ctx.str(name)),
            Size::Unknown => ctx.unit(),
        }
    }
    /// The extent that an attribute of [`Size::to_attr`] says.
    pub(crate) fn of_attr(ctx: &Context, attr: Attr) -> Size {
        match (attr.as_i64(ctx), attr.as_str(ctx)) {
            (Some(extent), _) => Size::Constant(extent),
            (None, Some(name)) => Size::Symbol(ctx.ident(name)),
            (None, None) => Size::Unknown,
        }
    }
    /// As in the text form: `4`, `n`, `?`.
    pub fn text(self, ctx: &Context) -> String {
        match self {
            Size::Constant(extent) => extent.to_string(),
            Size::Symbol(name) => ctx.str(name).to_owned(),
            Size::Unknown => "?".to_owned(),
        }
    }
}

/// `!array.array<[n][4]f32>`: rank at least 1, row-major in meaning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArrayType {
    /// Extents, outermost first.
    pub sizes: Vec<Size>,
    /// Element type, a scalar.
    pub element: Type,
}

impl CustomType for ArrayType {
    const DIALECT: &'static str = "array";
    const MNEMONIC: &'static str = "array";
    fn print(&self, ctx: &Context, out: &mut String) {
        let _ = write!(out, "<{}>", self.bare(ctx));
    }
    fn parametric(&self) -> Option<&dyn Parametric> {
        Some(self)
    }
}

impl Parametric for ArrayType {
    fn learn(
        &self,
        ctx: &Context,
        given: Type,
        place: &str,
        known: &mut TypeArguments,
    ) -> Result<(), String> {
        let Some(array) = given.dialect::<ArrayType>(ctx) else {
            return Err(String::new());
        };
        if array.element != self.element || array.sizes.len() != self.sizes.len() {
            return Err(String::new());
        }
        for (dim, (&declared, &given)) in self.sizes.iter().zip(&array.sizes).enumerate() {
            learn_size(
                ctx,
                declared,
                given,
                &format!("dimension {dim} of {place}"),
                known,
            )?;
        }
        Ok(())
    }
    fn instantiate(&self, ctx: &Context, known: &TypeArguments) -> Option<Type> {
        let sizes = self.sizes.iter().map(|&size| {
            let Size::Symbol(name) = size else {
                return size;
            };
            match (known.get(name), known.suffix()) {
                (Some(argument), _) => Size::of_attr(ctx, argument.value),
                (None, Some(suffix)) => {
                    Size::Symbol(ctx.ident(&format!("{}{suffix}", ctx.str(name))))
                }
                (None, None) => size,
            }
        });
        let sizes: Vec<Size> = sizes.collect();
        (sizes != self.sizes).then(|| array_or_scalar(ctx, &sizes, self.element))
    }
    fn extents(&self) -> Vec<DeclaredExtent> {
        let extent = |&size: &Size| match size {
            Size::Constant(number) => DeclaredExtent::Number(number),
            Size::Symbol(name) => DeclaredExtent::Name(name),
            Size::Unknown => DeclaredExtent::Open,
        };
        self.sizes.iter().map(extent).collect()
    }
    fn cast(&self, b: &mut Builder<'_>, value: Value, to: Type) -> Option<Value> {
        types_compatible(b.ctx(), b.ir.value_type(value), to)
            .then(|| crate::shape::CastOp::build(b, value, to).result(b.ir))
    }
}

/// One size of a signature against the one given there.
fn learn_size(
    ctx: &Context,
    declared: Size,
    given: Size,
    place: &str,
    known: &mut TypeArguments,
) -> Result<(), String> {
    let Size::Symbol(name) = declared else {
        return if declared.compatible(given) {
            Ok(())
        } else {
            Err(format!(
                "{place} is `{}`, not `{}`",
                given.text(ctx),
                declared.text(ctx)
            ))
        };
    };
    let Some(argument) = known.get(name).cloned() else {
        known.bind(name, given.to_attr(ctx), place.to_owned());
        return Ok(());
    };
    let first = Size::of_attr(ctx, argument.value);
    if !first.compatible(given) {
        let (first, given) = (first.text(ctx), given.text(ctx));
        return Err(format!(
            "size `{}` is `{first}` in {}, but `{given}` in {place}",
            ctx.str(name),
            argument.place
        ));
    }
    if first == Size::Unknown {
        known.bind(name, given.to_attr(ctx), place.to_owned());
    }
    Ok(())
}

impl ArrayType {
    /// The short form used inside array ops: `[n][4]f32`.
    pub fn bare(&self, ctx: &Context) -> String {
        let mut text = String::new();
        for size in &self.sizes {
            let _ = write!(text, "[{}]", size.text(ctx));
        }
        text + &segra_text::print_type(ctx, self.element)
    }
    /// The type of one element of the outermost dimension: an array, or a scalar for rank 1.
    pub fn row(&self, ctx: &Context) -> Type {
        array_or_scalar(ctx, &self.sizes[1..], self.element)
    }
}

/// `element` for no sizes, else the array type.
pub fn array_or_scalar(ctx: &Context, sizes: &[Size], element: Type) -> Type {
    if sizes.is_empty() {
        return element;
    }
    ctx.custom_type(ArrayType {
        sizes: sizes.to_vec(),
        element,
    })
}

/// The array type `outer` many `row`s have.
pub fn array_of(ctx: &Context, outer: Size, row: Type) -> Type {
    let (mut sizes, element) = sizes_and_element(ctx, row);
    sizes.insert(0, outer);
    array_or_scalar(ctx, &sizes, element)
}

/// Sizes and element type; a scalar has no sizes.
pub fn sizes_and_element(ctx: &Context, ty: Type) -> (Vec<Size>, Type) {
    match ty.dialect::<ArrayType>(ctx) {
        Some(array) => (array.sizes.clone(), array.element),
        None => (Vec::new(), ty),
    }
}

/// Whether a value of type `from` may stand where `to` is expected: same rank and element, compatible sizes.
pub fn types_compatible(ctx: &Context, from: Type, to: Type) -> bool {
    let (from_sizes, from_element) = sizes_and_element(ctx, from);
    let (to_sizes, to_element) = sizes_and_element(ctx, to);
    from_element == to_element
        && from_sizes.len() == to_sizes.len()
        && from_sizes
            .iter()
            .zip(&to_sizes)
            .all(|(a, b)| a.compatible(*b))
}

/// Any array.
#[derive(Clone, Copy, Debug)]
pub struct AnyArray;

impl TypeConstraint for AnyArray {
    fn describe(&self) -> &'static str {
        "an array"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        ty.dialect::<ArrayType>(ctx).is_some()
    }
}

/// A scalar or an array.
#[derive(Clone, Copy, Debug)]
pub struct ArrayOrScalar;

impl TypeConstraint for ArrayOrScalar {
    fn describe(&self) -> &'static str {
        "a scalar or an array"
    }
    fn accepts(&self, ctx: &Context, ty: Type) -> bool {
        ty.is_scalar(ctx) || ty.dialect::<ArrayType>(ctx).is_some()
    }
}
