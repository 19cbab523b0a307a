//! Reading: what the macro's arguments and the struct's fields say.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, ExprLit, Ident, ItemStruct, Lit, LitStr, Meta, Path, Result, Token,
};

/// Arguments of `#[op(...)]`.
pub(crate) struct Args {
    pub(crate) name: LitStr,
    pub(crate) traits: Vec<Path>,
    pub(crate) interfaces: Vec<Path>,
    pub(crate) format: Option<LitStr>,
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut args = Args {
            name: input.parse()?,
            traits: Vec::new(),
            interfaces: Vec::new(),
            format: None,
        };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            let key: Ident = input.parse()?;
            match key.to_string().as_str() {
                "traits" => args.traits = paths(input)?,
                "interfaces" => args.interfaces = paths(input)?,
                "format" => {
                    input.parse::<Token![=]>()?;
                    args.format = Some(input.parse()?);
                }
                _ => {
                    return Err(Error::new(
                        key.span(),
                        "expected `traits`, `interfaces` or `format`",
                    ));
                }
            }
        }
        Ok(args)
    }
}

fn paths(input: ParseStream<'_>) -> Result<Vec<Path>> {
    let content;
    syn::parenthesized!(content in input);
    Ok(Punctuated::<Path, Token![,]>::parse_terminated(&content)?
        .into_iter()
        .collect())
}

/// How many.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arity {
    One,
    Optional,
    Variadic,
}

/// The role of a field.
pub(crate) enum Kind {
    Operand(Arity, Path),
    Result(Arity, Path),
    Attr {
        optional: bool,
        constraint: Path,
        text_name: String,
    },
    Region(Arity, &'static str),
    Successor(Arity),
}

/// A field.
pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) doc: String,
    pub(crate) kind: Kind,
}

/// Everything the macro knows.
pub(crate) struct OpModel {
    pub(crate) args: Args,
    pub(crate) item: ItemStruct,
    pub(crate) doc: String,
    pub(crate) fields: Vec<Field>,
}

impl OpModel {
    pub(crate) fn new(args: Args, item: ItemStruct) -> Result<OpModel> {
        if !args.name.value().contains('.') {
            return Err(Error::new(args.name.span(), "an op name is `dialect.op`"));
        }
        let mut fields = Vec::new();
        match &item.fields {
            syn::Fields::Named(named) => {
                for field in &named.named {
                    fields.push(read_field(field)?);
                }
            }
            syn::Fields::Unit => {}
            syn::Fields::Unnamed(_) => {
                return Err(Error::new_spanned(&item, "fields of an op are named"));
            }
        }
        let doc = doc_of(&item.attrs);
        if doc.is_empty() {
            return Err(Error::new_spanned(&item.ident, "an op needs a doc comment"));
        }
        Ok(OpModel {
            args,
            item,
            doc,
            fields,
        })
    }
    pub(crate) fn infers_types(&self) -> bool {
        let named = |paths: &[Path], name: &str| {
            paths.iter().any(|path| {
                path.segments
                    .last()
                    .is_some_and(|segment| segment.ident == name)
            })
        };
        named(&self.args.traits, "SameOperandsAndResultType")
            || named(&self.args.interfaces, "InferTypes")
    }
}

/// The kind that a field's type stands for; `named` is the field's name.
fn kind_of(
    field: &syn::Field,
    named: String,
    segment: &syn::PathSegment,
    constraint: Option<Path>,
) -> Result<Kind> {
    let name = segment.ident.to_string();
    let need = || {
        constraint
            .clone()
            .ok_or_else(|| Error::new_spanned(segment, "needs a constraint: `<AnyType>`"))
    };
    Ok(match name.as_str() {
        "Operand" => Kind::Operand(Arity::One, need()?),
        "OptionalOperand" => Kind::Operand(Arity::Optional, need()?),
        "VariadicOperand" => Kind::Operand(Arity::Variadic, need()?),
        "OpResult" => Kind::Result(Arity::One, need()?),
        "OptionalResult" => Kind::Result(Arity::Optional, need()?),
        "VariadicResult" => Kind::Result(Arity::Variadic, need()?),
        "Attr" | "OptionalAttr" => {
            let text_name = name_attr(&field.attrs)?.unwrap_or(named);
            Kind::Attr {
                optional: name == "OptionalAttr",
                constraint: need()?,
                text_name,
            }
        }
        "AnyRegion" => Kind::Region(Arity::One, "Any"),
        "BlockRegion" => Kind::Region(Arity::One, "Single"),
        "OptionalBlockRegion" => Kind::Region(Arity::One, "AtMostOne"),
        "VariadicRegion" => Kind::Region(Arity::Variadic, "Any"),
        "Successor" => Kind::Successor(Arity::One),
        "VariadicSuccessor" => Kind::Successor(Arity::Variadic),
        _ => {
            return Err(Error::new_spanned(
                segment,
                format!("`{name}` is not a field kind of an op"),
            ));
        }
    })
}

fn read_field(field: &syn::Field) -> Result<Field> {
    let ident = field
        .ident
        .clone()
        .ok_or_else(|| Error::new_spanned(field, "fields of an op are named"))?;
    let syn::Type::Path(ty) = &field.ty else {
        return Err(Error::new_spanned(
            &field.ty,
            "expected a field kind such as `Operand<AnyType>`",
        ));
    };
    let segment = ty
        .path
        .segments
        .last()
        .ok_or_else(|| Error::new_spanned(ty, "expected a field kind"))?;
    let constraint = match &segment.arguments {
        syn::PathArguments::AngleBracketed(args) => match args.args.first() {
            Some(syn::GenericArgument::Type(syn::Type::Path(path))) => Some(path.path.clone()),
            _ => None,
        },
        _ => None,
    };
    let named = ident.to_string().replace("r#", "");
    let kind = kind_of(field, named, segment, constraint)?;
    Ok(Field {
        ident,
        doc: doc_of(&field.attrs),
        kind,
    })
}

fn name_attr(attrs: &[Attribute]) -> Result<Option<String>> {
    let Some(attr) = attrs.iter().find(|attr| attr.path().is_ident("name")) else {
        return Ok(None);
    };
    Ok(Some(attr.parse_args::<LitStr>()?.value()))
}

fn doc_of(attrs: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attr in attrs {
        if let Meta::NameValue(pair) = &attr.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) = &pair.value
        {
            let line = text.value();
            lines.push(line.strip_prefix(' ').unwrap_or(&line).to_owned());
        }
    }
    lines.join("\n")
}
