//! The common part of dialects' own attributes and types: both are kept behind one pointer, compared and hashed by what
//! they are, and written after `dialect.mnemonic`.

/// Declares the trait a dialect implements, and the wrapper that holds what implements it.
macro_rules! custom_kind {
    ($custom:ident, $any:ident, $dialect:ident, $what:literal, $noun:literal, $sigil:literal) => {
        #[doc = concat!("The trait a dialect implements to have ", $what, " of its own.")]
        pub trait $custom: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static {
            /// Dialect name.
            const DIALECT: &'static str;
            #[doc = concat!("Name within the dialect: the text form starts `", $sigil, "DIALECT.MNEMONIC`.")]
            const MNEMONIC: &'static str;
            /// Writes what follows the mnemonic (`<...>` or nothing).
            fn print(&self, ctx: &Context, out: &mut String);
            /// Its names that stand for something else at each call, if it may have such.
            fn parametric(&self) -> Option<&dyn crate::type_arguments::Parametric> {
                None
            }
            /// One that says as much as both do, where there is one: of sets of flags, those in both.
            fn common(&self, other: &Self) -> Option<Self> {
                (self == other).then(|| self.clone())
            }
        }

        trait $any: fmt::Debug + Send + Sync {
            fn as_any(&self) -> &dyn Any;
            fn equals(&self, other: &dyn $any) -> bool;
            fn hash_into(&self, state: &mut dyn Hasher);
            fn dialect(&self) -> &'static str;
            fn mnemonic(&self) -> &'static str;
            fn print(&self, ctx: &Context, out: &mut String);
            fn parametric(&self) -> Option<&dyn crate::type_arguments::Parametric>;
            fn common(&self, other: &dyn $any) -> Option<$dialect>;
        }

        impl<T: $custom> $any for T {
            fn as_any(&self) -> &dyn Any {
                self
            }
            fn equals(&self, other: &dyn $any) -> bool {
                other.as_any().downcast_ref::<T>() == Some(self)
            }
            fn hash_into(&self, mut state: &mut dyn Hasher) {
                self.hash(&mut state);
            }
            fn dialect(&self) -> &'static str {
                T::DIALECT
            }
            fn mnemonic(&self) -> &'static str {
                T::MNEMONIC
            }
            fn print(&self, ctx: &Context, out: &mut String) {
                $custom::print(self, ctx, out);
            }
            fn parametric(&self) -> Option<&dyn crate::type_arguments::Parametric> {
                $custom::parametric(self)
            }
            fn common(&self, other: &dyn $any) -> Option<$dialect> {
                let other = other.as_any().downcast_ref::<T>()?;
                Some($dialect::new($custom::common(self, other)?))
            }
        }

        #[doc = concat!("A dialect's ", $noun, " behind one pointer.")]
        #[derive(Clone)]
        pub struct $dialect(Arc<dyn $any>);

        impl $dialect {
            #[doc = concat!("Wraps a dialect's ", $noun, ".")]
            pub fn new<T: $custom>(own: T) -> $dialect {
                $dialect(Arc::new(own))
            }
            #[doc = concat!("The dialect's own ", $noun, ", if it is a `T`.")]
            pub fn downcast<T: $custom>(&self) -> Option<&T> {
                self.0.as_any().downcast_ref()
            }
            /// Name of the dialect.
            pub fn dialect(&self) -> &'static str {
                self.0.dialect()
            }
            /// Name within the dialect.
            pub fn mnemonic(&self) -> &'static str {
                self.0.mnemonic()
            }
            /// Writes what follows the mnemonic.
            pub fn print(&self, ctx: &Context, out: &mut String) {
                self.0.print(ctx, out);
            }
            /// Its names that stand for something else at each call, if it may have such.
            pub fn parametric(&self) -> Option<&dyn crate::type_arguments::Parametric> {
                self.0.parametric()
            }
            /// One that says as much as both do, where there is one.
            pub fn common(&self, other: &Self) -> Option<Self> {
                self.0.common(&*other.0)
            }
        }

        impl PartialEq for $dialect {
            fn eq(&self, other: &Self) -> bool {
                self.0.equals(&*other.0)
            }
        }
        impl Eq for $dialect {}
        impl Hash for $dialect {
            fn hash<H: Hasher>(&self, state: &mut H) {
                self.0.hash_into(state);
            }
        }
        impl fmt::Debug for $dialect {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

pub(crate) use custom_kind;
