//! The bindings of a signature's free names at a call: sizes of arrays, learnt from the types given.
//!
//! A name that no operand tells is existential: the call's results name it anew. Deliberately absent: which types have
//! such names, and what they may stand for ([`Parametric`] says it for each).

use crate::attrs::Attr;
use crate::build::Builder;
use crate::context::{Context, Ident};
use crate::store::Value;
use crate::types::{Type, TypeKind};
use rustc_hash::FxHashMap;
use std::fmt::Display;

/// A type with names that stand for something else at each call.
pub trait Parametric {
    /// Learns what the names stand for where a value of type `given` is expected to have this type.
    ///
    /// # Errors
    /// The mismatch, in words; empty where the types are simply different.
    fn learn(
        &self,
        ctx: &Context,
        given: Type,
        place: &str,
        known: &mut TypeArguments,
    ) -> Result<(), String>;
    /// This type with its names replaced; `None`: nothing changes.
    fn instantiate(&self, ctx: &Context, known: &TypeArguments) -> Option<Type>;
    /// The type's statement about each extent of its values, outermost first.
    fn extents(&self) -> Vec<DeclaredExtent>;
    /// A value of this type seen as one of type `to` that differs in names only.
    fn cast(&self, b: &mut Builder<'_>, value: Value, to: Type) -> Option<Value>;
}

/// A type's statement about one extent of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclaredExtent {
    /// It is this number.
    Number(i64),
    /// It is what the name stands for.
    Name(Ident),
    /// Nothing.
    Open,
}

/// A signature's statement about an extent of a value given for a parameter.
#[derive(Clone, Debug)]
pub struct SizeClaim {
    /// The parameter and its dimension.
    pub of: (usize, usize),
    /// The required value: the extent of a parameter before it, or a number.
    pub is: Result<(usize, usize), i64>,
    /// The message where it is not; `{0}` stands for the extent, `{1}` for what it must be.
    pub message: String,
}

/// Constraints of parameter types on the extents given for them: names that several have are one number.
pub fn size_claims(ctx: &Context, parameters: &[Type]) -> Vec<SizeClaim> {
    let mut named: FxHashMap<Ident, (usize, usize)> = FxHashMap::default();
    let mut claims = Vec::new();
    for (index, &ty) in parameters.iter().enumerate() {
        let extents = parametric(ctx, ty).map(Parametric::extents);
        for (dim, extent) in extents.unwrap_or_default().into_iter().enumerate() {
            let place = format!("dimension {dim} of operand #{index}");
            let (is, message) = match extent {
                DeclaredExtent::Open => continue,
                DeclaredExtent::Number(number) => {
                    (Err(number), format!("{place} is {{0}}, not {{1}}"))
                }
                DeclaredExtent::Name(name) => match named.get(&name) {
                    None => {
                        named.insert(name, (index, dim));
                        continue;
                    }
                    Some(&(first, at)) => {
                        let name = ctx.str(name);
                        let message = format!(
                            "size `{name}` is {{1}} in dimension {at} of operand #{first}, but {{0}} in {place}"
                        );
                        (Ok((first, at)), message)
                    }
                },
            };
            let of = (index, dim);
            claims.push(SizeClaim { of, is, message });
        }
    }
    claims
}

/// One name and what it stands for.
#[derive(Clone, Debug)]
pub struct TypeArgument {
    /// The binding of the name, in the form its type chose.
    pub value: Attr,
    /// Where it was learnt: `dimension 0 of operand #1`.
    pub place: String,
}

/// The bindings of the names of a signature.
#[derive(Clone, Debug, Default)]
pub struct TypeArguments {
    known: FxHashMap<Ident, TypeArgument>,
    /// The suffix of names that nothing is known of.
    suffix: Option<String>,
    instances: FxHashMap<Type, Type>,
}

impl TypeArguments {
    /// The binding of a name.
    pub fn get(&self, name: Ident) -> Option<&TypeArgument> {
        self.known.get(&name)
    }

    /// Notes what a name stands for.
    pub fn bind(&mut self, name: Ident, value: Attr, place: String) {
        self.known.insert(name, TypeArgument { value, place });
        self.instances.clear();
    }

    /// From now on names that nothing is known of become names of their own, ending in `suffix`.
    pub fn rename_others(&mut self, suffix: impl Into<String>) {
        self.suffix = Some(suffix.into());
        self.instances.clear();
    }

    /// The suffix of a name that nothing is known of, if it is to be renamed.
    pub fn suffix(&self) -> Option<&str> {
        self.suffix.as_deref()
    }

    /// Learns from a value of type `given` where `declared` is expected; `place` says which (`operand #1`).
    ///
    /// # Errors
    /// The mismatch, in words; empty where the types are simply different.
    pub fn learn(
        &mut self,
        ctx: &Context,
        declared: Type,
        given: Type,
        place: impl Display,
    ) -> Result<(), String> {
        match parametric(ctx, declared) {
            Some(parametric) => parametric.learn(ctx, given, &place.to_string(), self),
            None if declared == given => Ok(()),
            None => Err(String::new()),
        }
    }

    /// A type with its names replaced by what they stand for.
    pub fn instantiate(&mut self, ctx: &Context, ty: Type) -> Type {
        if let Some(&instance) = self.instances.get(&ty) {
            return instance;
        }
        let instance = parametric(ctx, ty)
            .and_then(|own| own.instantiate(ctx, self))
            .unwrap_or(ty);
        self.instances.insert(ty, instance);
        instance
    }
}

/// A type's names, if it may have some.
pub fn parametric(ctx: &Context, ty: Type) -> Option<&dyn Parametric> {
    match ctx.type_kind(ty) {
        TypeKind::Dialect(own) => own.parametric(),
        _ => None,
    }
}
