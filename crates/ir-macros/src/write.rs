//! Writing: the definition, the constructor and the accessors.

use crate::builder;
use crate::model::{Arity, Field, Kind, OpModel};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Everything the struct turns into.
pub(crate) fn expand(model: &OpModel) -> TokenStream {
    let name = &model.item.ident;
    let vis = &model.item.vis;
    let docs = model
        .item
        .attrs
        .iter()
        .filter(|attr| attr.path().is_ident("doc"));
    let def = definition(model);
    let of_parts = constructor(model);
    let build = builder::short_constructor(model);
    let (with, builder) = builder::builder(model);
    let accessors = accessors(model);
    quote! {
        #(#docs)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #vis struct #name(::segra_ir::Op);

        impl ::segra_ir::OpView for #name {
            const DEF: &'static ::segra_ir::OpDef = {
                const DEFINITION: &::segra_ir::OpDef = &#def;
                DEFINITION
            };
            fn from_op(op: ::segra_ir::Op) -> Self { #name(op) }
            fn op(self) -> ::segra_ir::Op { self.0 }
        }

        #[allow(dead_code, clippy::too_many_arguments, reason = "one constructor and one accessor per field")]
        impl #name {
            #of_parts
            #build
            #with
            #(#accessors)*
        }
        #builder
    }
}

fn arity_tokens(arity: Arity) -> TokenStream {
    match arity {
        Arity::One => quote!(::segra_ir::def::Arity::One),
        Arity::Optional => quote!(::segra_ir::def::Arity::Optional),
        Arity::Variadic => quote!(::segra_ir::def::Arity::Variadic),
    }
}

/// The definitions of operands, results, attributes, regions and successors.
fn part_definitions(model: &OpModel) -> [Vec<TokenStream>; 5] {
    let (mut operands, mut results, mut attrs, mut regions, mut successors) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for field in &model.fields {
        let name = syn::ext::IdentExt::unraw(&field.ident).to_string();
        let doc = &field.doc;
        match &field.kind {
            Kind::Operand(arity, constraint) => {
                let arity = arity_tokens(*arity);
                operands.push(quote!(::segra_ir::def::OperandDef {
                    name: #name, constraint: &#constraint, arity: #arity, doc: #doc }));
            }
            Kind::Result(arity, constraint) => {
                let arity = arity_tokens(*arity);
                results.push(quote!(::segra_ir::def::ResultDef {
                    name: #name, constraint: &#constraint, arity: #arity, doc: #doc }));
            }
            Kind::Attr {
                optional,
                constraint,
                text_name,
            } => {
                attrs.push(quote!(::segra_ir::def::AttrDef {
                    name: #text_name, constraint: &#constraint, optional: #optional, doc: #doc }));
            }
            Kind::Region(arity, blocks) => {
                let arity = arity_tokens(*arity);
                let blocks = format_ident!("{blocks}");
                regions.push(quote!(::segra_ir::def::RegionDef {
                    name: #name, blocks: ::segra_ir::def::RegionBlocks::#blocks, arity: #arity, doc: #doc }));
            }
            Kind::Successor(arity) => {
                let arity = arity_tokens(*arity);
                successors.push(
                    quote!(::segra_ir::def::SuccessorDef { name: #name, arity: #arity, doc: #doc }),
                );
            }
        }
    }
    [operands, results, attrs, regions, successors]
}

fn definition(model: &OpModel) -> TokenStream {
    let ident = &model.item.ident;
    let op_name = &model.args.name;
    let doc = &model.doc;
    let traits = &model.args.traits;
    let interfaces = &model.args.interfaces;
    let [operands, results, attrs, regions, successors] = part_definitions(model);
    let format = match &model.args.format {
        Some(text) => quote!(Some(#text)),
        None => quote!(None),
    };
    quote! {
        ::segra_ir::OpDef {
            name: #op_name,
            doc: #doc,
            view: ::std::any::TypeId::of::<#ident>,
            traits: ::segra_ir::def::TraitSet::of(&[#(::segra_ir::Trait::#traits),*]),
            operands: &[#(#operands),*],
            results: &[#(#results),*],
            attrs: &[#(#attrs),*],
            regions: &[#(#regions),*],
            successors: &[#(#successors),*],
            format: #format,
            interfaces: || vec![
                #(::segra_ir::def::InterfaceEntry::new::<dyn #interfaces>(&#ident(::segra_ir::Op::PLACEHOLDER))),*
            ],
        }
    }
}

/// Parameter and group expression of a field that stands for values or blocks.
fn group(ident: &syn::Ident, arity: Arity, ty: &TokenStream) -> (TokenStream, TokenStream) {
    match arity {
        Arity::One => (quote!(#ident: #ty), quote!(&[#ident])),
        Arity::Optional => (
            quote!(#ident: ::std::option::Option<#ty>),
            quote!(#ident.as_slice()),
        ),
        Arity::Variadic => (quote!(#ident: &[#ty]), quote!(#ident)),
    }
}

fn constructor(model: &OpModel) -> TokenStream {
    let (mut params, mut type_params, mut successor_params) = (Vec::new(), Vec::new(), Vec::new());
    let (mut operands, mut attrs, mut results, mut successors) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut region_count = 0usize;
    for Field { ident, kind, .. } in &model.fields {
        match kind {
            Kind::Operand(arity, _) => {
                let (param, groups) = group(ident, *arity, &quote!(::segra_ir::Value));
                params.push(param);
                operands.push(groups);
            }
            Kind::Attr {
                optional,
                text_name,
                ..
            } if *optional => {
                params.push(quote!(#ident: ::std::option::Option<::segra_ir::Attr>));
                attrs.push(quote!((#text_name, #ident)));
            }
            Kind::Attr { text_name, .. } => {
                params.push(quote!(#ident: ::segra_ir::Attr));
                attrs.push(quote!((#text_name, Some(#ident))));
            }
            Kind::Result(arity, _) => {
                let plural = if *arity == Arity::Variadic { "s" } else { "" };
                let ident = format_ident!("{ident}_type{plural}");
                let (param, groups) = group(&ident, *arity, &quote!(::segra_ir::Type));
                type_params.push(param);
                results.push(groups);
            }
            // Ops with a variable number of regions have their constructors written by hand.
            Kind::Region(Arity::Variadic, _) => return TokenStream::new(),
            Kind::Region(..) => region_count += 1,
            Kind::Successor(arity) => {
                let (param, groups) = group(ident, *arity, &quote!(::segra_ir::Block));
                successor_params.push(param);
                successors.push(groups);
            }
        }
    }
    let mut results = quote!(Some(&[#(#results),*]));
    if model.infers_types() {
        type_params.clear();
        results = quote!(None);
    }
    quote! {
        fn of_parts(
            builder: &mut ::segra_ir::Builder<'_>, #(#params,)* #(#type_params,)* #(#successor_params,)*
        ) -> Self {
            Self(::segra_ir::def::build_op(builder, <Self as ::segra_ir::OpView>::DEF, ::segra_ir::def::OpParts {
                operands: &[#(#operands),*],
                attrs: &[#(#attrs),*],
                regions: #region_count,
                successors: &[#(#successors),*],
                results: #results,
            }))
        }
    }
}

fn accessors(model: &OpModel) -> Vec<TokenStream> {
    // Where a field begins is known as long as those before it stand for one value each.
    let (mut loose_operands, mut loose_results) = (false, false);
    let (mut operands, mut results, mut attrs, mut regions, mut successors) =
        (0usize, 0usize, 0usize, 0usize, 0usize);
    let mut out = Vec::new();
    for field in &model.fields {
        let ident = &field.ident;
        let doc = if field.doc.is_empty() {
            format!("The field `{ident}`.")
        } else {
            field.doc.clone()
        };
        let body = match &field.kind {
            Kind::Operand(arity, _) => {
                operands += 1;
                loose_operands |= *arity != Arity::One;
                value_accessor(ident, *arity, operands - 1, loose_operands, "operand")
            }
            Kind::Result(arity, _) => {
                results += 1;
                loose_results |= *arity != Arity::One;
                value_accessor(ident, *arity, results - 1, loose_results, "result")
            }
            Kind::Attr {
                optional,
                constraint,
                text_name,
            } => {
                attrs += 1;
                attr_accessor(ident, *optional, constraint, text_name, attrs - 1)
            }
            Kind::Region(arity, blocks) => {
                regions += 1;
                region_accessor(ident, *arity, blocks, regions - 1)
            }
            Kind::Successor(Arity::One) => {
                successors += 1;
                let index = successors - 1;
                quote!(pub fn #ident(self, ir: &::segra_ir::Ir) -> ::segra_ir::Block { ir.successors(self.0)[#index] })
            }
            Kind::Successor(_) => {
                let index = successors;
                quote!(pub fn #ident(self, ir: &::segra_ir::Ir) -> &[::segra_ir::Block] { &ir.successors(self.0)[#index..] })
            }
        };
        out.push(quote!(#[doc = #doc] #body));
    }
    out
}

fn value_accessor(
    ident: &syn::Ident,
    arity: Arity,
    index: usize,
    loose: bool,
    what: &str,
) -> TokenStream {
    let get = format_ident!("{what}");
    let range = format_ident!("{what}_group");
    match (arity, loose) {
        (Arity::One, false) => {
            quote!(pub fn #ident(self, ir: &::segra_ir::Ir) -> ::segra_ir::Value { ir.#get(self.0, #index) })
        }
        (Arity::One, true) => quote! {
            pub fn #ident(self, ir: &::segra_ir::Ir) -> ::segra_ir::Value {
                ir.#get(self.0, ir.#range(self.0, #index).start)
            }
        },
        (Arity::Optional, _) => quote! {
            pub fn #ident(self, ir: &::segra_ir::Ir) -> ::std::option::Option<::segra_ir::Value> {
                ir.#range(self.0, #index).next().map(|index| ir.#get(self.0, index))
            }
        },
        (Arity::Variadic, _) => quote! {
            pub fn #ident(self, ir: &::segra_ir::Ir) -> ::std::vec::Vec<::segra_ir::Value> {
                ir.#range(self.0, #index).map(|index| ir.#get(self.0, index)).collect()
            }
        },
    }
}

fn attr_accessor(
    ident: &syn::Ident,
    optional: bool,
    constraint: &syn::Path,
    text_name: &str,
    index: usize,
) -> TokenStream {
    let raw = format_ident!("{ident}_attr");
    let raw_doc = format!("The attribute `{text_name}` as it stands.");
    let read = quote! {
        self.#raw(ir).and_then(|attr| <#constraint as ::segra_ir::constraint::AttrAccess>::read(ir.ctx(), attr))
    };
    let value = quote!(<#constraint as ::segra_ir::constraint::AttrAccess>::Value<'_>);
    let typed = if optional {
        quote!(pub fn #ident(self, ir: &::segra_ir::Ir) -> ::std::option::Option<#value> { #read })
    } else {
        let message = format!("a verified op has the attribute `{text_name}`");
        quote!(pub fn #ident(self, ir: &::segra_ir::Ir) -> #value { #read.expect(#message) })
    };
    quote! {
        #typed
        #[doc = #raw_doc]
        pub fn #raw(self, ir: &::segra_ir::Ir) -> ::std::option::Option<::segra_ir::Attr> {
            ir.inherent_attr(self.0, #index)
        }
    }
}

fn region_accessor(ident: &syn::Ident, arity: Arity, blocks: &str, index: usize) -> TokenStream {
    if arity == Arity::Variadic {
        return quote!(pub fn #ident(self, ir: &::segra_ir::Ir) -> &[::segra_ir::Region] { &ir.regions(self.0)[#index..] });
    }
    let region = quote!(pub fn #ident(self, ir: &::segra_ir::Ir) -> ::segra_ir::Region { ir.region(self.0, #index) });
    if blocks != "Single" {
        return region;
    }
    let block = format_ident!("{ident}_block");
    let doc = format!("The block of `{ident}`.");
    quote! {
        #region
        #[doc = #doc]
        pub fn #block(self, ir: &::segra_ir::Ir) -> ::segra_ir::Block {
            ir.entry_block(ir.region(self.0, #index)).expect("a verified op has this block")
        }
    }
}
