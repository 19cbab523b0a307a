//! Writing: the builder of an op by the names of its parts.
//!
//! Each part that an op must have is a type parameter of its builder: `segra_ir::def::Missing` until it is given. `build` is there only for a builder to which everything was given, so a missing part does not compile.
//! Parts that may be absent are `None` or empty until they are given.

use crate::model::{Arity, Field, Kind, OpModel};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

/// Most parameters a constructor without names has.
const MOST_POSITIONS: usize = 3;

/// A part of an op that its builder is given.
struct Part {
    name: Ident,
    /// Type of the value that is given.
    ty: TokenStream,
    need: Need,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Required,
    /// An `Option` of the type.
    Optional,
    /// A slice of the type.
    List,
}

impl From<Arity> for Need {
    fn from(arity: Arity) -> Need {
        match arity {
            Arity::One => Need::Required,
            Arity::Optional => Need::Optional,
            Arity::Variadic => Need::List,
        }
    }
}

/// The parts of an op, in the order of its constructor's parameters.
fn parts(model: &OpModel) -> Vec<Part> {
    let (mut parts, mut types, mut successors) = (Vec::new(), Vec::new(), Vec::new());
    for Field { ident, kind, .. } in &model.fields {
        let part = |name: Ident, ty: &str, need| {
            let ty = format_ident!("{ty}");
            let ty = quote!(::segra_ir::#ty);
            Part { name, ty, need }
        };
        match kind {
            Kind::Operand(arity, _) => parts.push(part(ident.clone(), "Value", (*arity).into())),
            Kind::Attr { optional, .. } => {
                let need = [Need::Required, Need::Optional][usize::from(*optional)];
                parts.push(part(ident.clone(), "Attr", need));
            }
            Kind::Result(..) if model.infers_types() => {}
            Kind::Result(Arity::Variadic, _) => {
                types.push(part(format_ident!("{ident}_types"), "Type", Need::List));
            }
            Kind::Result(arity, _) => {
                types.push(part(format_ident!("{ident}_type"), "Type", (*arity).into()));
            }
            Kind::Region(..) => {}
            Kind::Successor(arity) => {
                successors.push(part(ident.clone(), "Block", (*arity).into()));
            }
        }
    }
    parts.extend(types);
    parts.extend(successors);
    parts
}

/// The constructor without names: it takes what an op must have, where that is little enough to be read by position.
pub(crate) fn short_constructor(model: &OpModel) -> TokenStream {
    let all = parts(model);
    let lists = all.iter().filter(|part| part.need == Need::List).count();
    let needed = || all.iter().filter(|part| part.need != Need::Optional);
    if has_open_regions(model) || needed().count() > MOST_POSITIONS || lists > 1 {
        return TokenStream::new();
    }
    let params = needed().map(|part| {
        let (name, ty) = (&part.name, &part.ty);
        match part.need {
            Need::List => quote!(#name: &[#ty]),
            _ => quote!(#name: #ty),
        }
    });
    let arguments = all.iter().map(|part| match (part.need, &part.name) {
        (Need::Optional, _) => quote!(::std::option::Option::None),
        (_, name) => quote!(#name),
    });
    let doc = format!(
        "Builds `{}` at the builder's insertion point; its regions are empty.",
        model.args.name.value()
    );
    quote! {
        #[doc = #doc]
        pub fn build(builder: &mut ::segra_ir::Builder<'_>, #(#params),*) -> Self {
            Self::of_parts(builder, #(#arguments),*)
        }
    }
}

/// Ops with any number of regions have their constructors written by hand.
fn has_open_regions(model: &OpModel) -> bool {
    let open = |field: &Field| matches!(field.kind, Kind::Region(Arity::Variadic, _));
    model.fields.iter().any(open)
}

/// Whether an op has a builder: parts may be left out, or are too many to be read by position.
fn has_builder(model: &OpModel) -> bool {
    let parts = parts(model);
    let may_be_absent = parts.iter().any(|part| match part.need {
        Need::Required => false,
        Need::Optional => true,
        Need::List => parts.len() > 1,
    });
    (may_be_absent || parts.len() > MOST_POSITIONS) && !has_open_regions(model)
}

/// The method that gives a part that may be absent.
fn optional_method(part: &Part) -> TokenStream {
    let (name, held, ty) = (&part.name, held(part), &part.ty);
    let doc = format!("Gives `{name}`, which may be absent.");
    match part.need {
        Need::List => quote! {
            #[doc = #doc]
            pub fn #name(mut self, #name: #held) -> Self { self.#name = #name; self }
        },
        _ => quote! {
            #[doc = #doc]
            pub fn #name(mut self, #name: impl ::std::convert::Into<::std::option::Option<#ty>>) -> Self {
                self.#name = #name.into();
                self
            }
        },
    }
}

/// The function that begins a builder, and the builder; nothing for ops without one.
pub(crate) fn builder(model: &OpModel) -> (TokenStream, TokenStream) {
    if !has_builder(model) {
        return (TokenStream::new(), TokenStream::new());
    }
    let (op, vis) = (&model.item.ident, &model.item.vis);
    let builder = format_ident!("{op}Builder");
    let parts = parts(model);
    let (required, optional): (Vec<&Part>, Vec<&Part>) =
        parts.iter().partition(|part| part.need == Need::Required);
    let states = (0..required.len()).map(|at| format_ident!("P{at}"));
    let states: Vec<Ident> = states.collect();
    let has_lists = optional.iter().any(|part| part.need == Need::List);
    let life = has_lists.then(|| quote!('a,));
    let (names, types): (Vec<&Ident>, Vec<&TokenStream>) =
        required.iter().map(|part| (&part.name, &part.ty)).unzip();
    let others: Vec<&Ident> = optional.iter().map(|part| &part.name).collect();
    let fields = optional.iter().map(|part| held(part));
    let empty = optional.iter().map(|part| match part.need {
        Need::List => quote!(&[]),
        _ => quote!(::std::option::Option::None),
    });
    let missing = states.iter().map(|_| quote!(::segra_ir::def::Missing));
    let begun = quote!(#builder<#life #(#missing),*>);
    let give_required = required.iter().enumerate().map(|(at, part)| {
        let (name, ty) = (&part.name, &part.ty);
        let mut after: Vec<TokenStream> = states.iter().map(|state| quote!(#state)).collect();
        after[at] = quote!(#ty);
        let rest = names.iter().filter(|other| *other != &name);
        let doc = format!("Gives `{name}`.");
        quote! {
            #[doc = #doc]
            pub fn #name(self, #name: #ty) -> #builder<#life #(#after),*> {
                #builder { #name, #(#rest: self.#rest,)* #(#others: self.#others,)* }
            }
        }
    });
    let give_optional = optional.iter().map(|part| optional_method(part));
    let arguments = parts.iter().map(|part| &part.name);
    let list = &model.args.name.value();
    let doc =
        format!("A `{list}` whose parts are given by name; [`build`]({builder}::build) ends it.");
    let type_doc = format!("Parts of a `{list}` about to be built.");
    let begin = quote! {
        #[doc = #doc]
        pub fn builder<#life>() -> #begun {
            #builder { #(#names: ::segra_ir::def::Missing,)* #(#others: #empty,)* }
        }
    };
    let written = quote! {
        #[doc = #type_doc]
        #[derive(Clone, Copy, Debug)]
        #vis struct #builder<#life #(#states),*> { #(#names: #states,)* #(#others: #fields,)* }

        #[allow(dead_code, reason = "one function per part")]
        impl<#life #(#states),*> #builder<#life #(#states),*> {
            #(#give_required)*
            #(#give_optional)*
        }

        impl<#life> #builder<#life #(#types),*> {
            /// Builds the op at the insertion point; its regions are empty.
            pub fn build(self, builder: &mut ::segra_ir::Builder<'_>) -> #op {
                #op::of_parts(builder, #(self.#arguments),*)
            }
        }
    };
    (begin, written)
}

/// Type of the builder's field for a part that may be absent.
fn held(part: &Part) -> TokenStream {
    let ty = &part.ty;
    match part.need {
        Need::List => quote!(&'a [#ty]),
        _ => quote!(::std::option::Option<#ty>),
    }
}
