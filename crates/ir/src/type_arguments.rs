//! What the names that a signature leaves open stand for at a call: sizes of arrays, learnt from the types given.
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
    /// What does not fit, in words; empty where the types are simply different.
    fn learn(
        &self,
        ctx: &Context,
        given: Type,
        place: &str,
        known: &mut TypeArguments,
    ) -> Result<(), String>;
    /// This type with its names replaced; `None`: nothing changes.
    fn instantiate(&self, ctx: &Context, known: &TypeArguments) -> Option<Type>;
    /// A value of this type seen as one of type `to` that differs in names only.
    fn cast(&self, b: &mut Builder<'_>, value: Value, to: Type) -> Option<Value>;
}

/// One name and what it stands for.
#[derive(Clone, Debug)]
pub struct TypeArgument {
    /// What the name stands for, in the form its type chose.
    pub value: Attr,
    /// Where it was learnt: `dimension 0 of operand #1`.
    pub place: String,
}

/// What the names of a signature stand for.
#[derive(Clone, Debug, Default)]
pub struct TypeArguments {
    known: FxHashMap<Ident, TypeArgument>,
    /// What is appended to names that nothing is known of.
    suffix: Option<String>,
    instances: FxHashMap<Type, Type>,
}

impl TypeArguments {
    /// What a name stands for.
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

    /// What to append to a name that nothing is known of, if it is to be renamed.
    pub fn suffix(&self) -> Option<&str> {
        self.suffix.as_deref()
    }

    /// Learns from a value of type `given` where `declared` is expected; `place` says which (`operand #1`).
    ///
    /// # Errors
    /// What does not fit, in words; empty where the types are simply different.
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
