//! Attributes of compiled device code: objects, the kernels in them, and which object is embedded. The same text as
//! upstream's.
//!
//! Deliberately absent: targets, which belong to dialects that are not known here.

use segra_ir::attrs::CustomAttr;
use segra_ir::{Attr, AttrKind, Context, Type};
use segra_text::lexer::Tok;
use segra_text::{ParseFailure, ParseResult, Parser, print_attr, print_type};

/// `#gpu.kernel_metadata<"name", (i32) -> (), arg_attrs = [{}], metadata = {registers = 32 : i32}>`: what is known of a
/// compiled kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KernelMetadata {
    /// Its name: a string that is not empty.
    pub name: Attr,
    /// The types of its parameters and results.
    pub function_type: Type,
    /// An array of dictionaries, one for each parameter.
    pub arg_attrs: Option<Attr>,
    /// A dictionary of whatever else is known.
    pub metadata: Option<Attr>,
}

impl KernelMetadata {
    /// The text behind the mnemonic.
    fn body(&self, ctx: &Context) -> String {
        let mut body = format!(
            "<{}, {}",
            print_attr(ctx, self.name),
            print_type(ctx, self.function_type)
        );
        for (name, part) in [("arg_attrs", self.arg_attrs), ("metadata", self.metadata)] {
            if let Some(part) = part {
                body.push_str(&format!(", {name} = {}", print_attr(ctx, part)));
            }
        }
        body.push('>');
        body
    }
    fn name_bytes<'a>(&self, ctx: &'a Context) -> &'a [u8] {
        match ctx.attr_kind(self.name) {
            AttrKind::String { bytes, .. } => bytes,
            _ => &[],
        }
    }
    /// Reads `<"name", type, ...>`.
    fn parse(p: &mut Parser<'_>) -> ParseResult<KernelMetadata> {
        let at = p.pos();
        p.expect(Tok::Less)?;
        let name = parse_string_attr(p)?;
        p.parse_comma()?;
        let function_type = p.parse_type()?;
        let (mut arg_attrs, mut metadata) = (None, None);
        if p.eat(Tok::Comma) && !p.at(Tok::Greater) {
            loop {
                let at = p.pos();
                let name = p.parse_keyword()?;
                p.expect(Tok::Equal)?;
                match name {
                    "arg_attrs" if arg_attrs.is_none() => {
                        arg_attrs = Some(parse_kind(p, "an array", |kind| {
                            matches!(kind, AttrKind::Array(_))
                        })?);
                    }
                    "metadata" if metadata.is_none() => metadata = Some(parse_dictionary(p)?),
                    _ => return Err(p.error_at(at, format!("duplicate or unknown part `{name}`"))),
                }
                if !p.eat(Tok::Comma) {
                    break;
                }
            }
        }
        p.expect(Tok::Greater)?;
        let read = KernelMetadata {
            name,
            function_type,
            arg_attrs,
            metadata,
        };
        let ctx = p.ctx();
        if read.name_bytes(ctx).is_empty() {
            return Err(p.error_at(at, "the name of a kernel must not be empty"));
        }
        let items = arg_attrs
            .and_then(|attr| attr.as_array(ctx))
            .unwrap_or_default();
        if !items
            .iter()
            .all(|&item| matches!(ctx.attr_kind(item), AttrKind::Dict(_)))
        {
            return Err(p.error_at(at, "`arg_attrs` must be an array of dictionaries"));
        }
        Ok(read)
    }
}

impl CustomAttr for KernelMetadata {
    const DIALECT: &'static str = "gpu";
    const MNEMONIC: &'static str = "kernel_metadata";
    fn print(&self, ctx: &Context, out: &mut String) {
        out.push_str(&self.body(ctx));
    }
}

/// Reads what follows `#gpu.kernel_metadata`.
pub(crate) fn parse_kernel_metadata(p: &mut Parser<'_>) -> ParseResult<Attr> {
    let read = KernelMetadata::parse(p)?;
    Ok(p.ctx().custom_attr(read))
}

/// `#gpu.kernel_table<[#gpu.kernel_metadata<"a", () -> ()>]>`: kernels, each with a name of its own, in the order of
/// their names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KernelTable(Vec<KernelMetadata>);

impl KernelTable {
    /// The kernels, by name.
    pub fn kernels(&self) -> &[KernelMetadata] {
        &self.0
    }
    fn parse(p: &mut Parser<'_>) -> ParseResult<KernelTable> {
        let at = p.pos();
        let mut kernels = Vec::new();
        p.expect(Tok::Less)?;
        if p.eat(Tok::LSquare) {
            loop {
                kernels.push(parse_own(p, KernelMetadata::parse)?);
                if !p.eat(Tok::Comma) {
                    break;
                }
            }
            p.expect(Tok::RSquare)?;
        }
        p.expect(Tok::Greater)?;
        let ctx = p.ctx();
        kernels.sort_by(|a, b| a.name_bytes(ctx).cmp(b.name_bytes(ctx)));
        if kernels
            .windows(2)
            .any(|pair| pair[0].name_bytes(ctx) == pair[1].name_bytes(ctx))
        {
            return Err(p.error_at(at, "kernels of a table must have different names"));
        }
        Ok(KernelTable(kernels))
    }
}

impl CustomAttr for KernelTable {
    const DIALECT: &'static str = "gpu";
    const MNEMONIC: &'static str = "kernel_table";
    fn print(&self, ctx: &Context, out: &mut String) {
        let kernels: Vec<String> = self
            .0
            .iter()
            .map(|kernel| format!("#gpu.kernel_metadata{}", kernel.body(ctx)))
            .collect();
        match kernels.is_empty() {
            true => out.push_str("<>"),
            false => out.push_str(&format!("<[{}]>", kernels.join(", "))),
        }
    }
}

/// Reads what follows `#gpu.kernel_table`.
pub(crate) fn parse_kernel_table(p: &mut Parser<'_>) -> ParseResult<Attr> {
    let read = KernelTable::parse(p)?;
    Ok(p.ctx().custom_attr(read))
}

/// The format of the bytes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectFormat {
    /// `offload`: what the target understands.
    Offload,
    /// `assembly`: text, such as PTX.
    Assembly,
    /// `bin`: code for one kind of device.
    Binary,
    /// `fatbin`: code for several; not written.
    Fatbin,
}

impl ObjectFormat {
    const ALL: [(&'static str, ObjectFormat); 4] = [
        ("offload", ObjectFormat::Offload),
        ("assembly", ObjectFormat::Assembly),
        ("bin", ObjectFormat::Binary),
        ("fatbin", ObjectFormat::Fatbin),
    ];
    /// The keyword in text.
    pub fn keyword(self) -> &'static str {
        ObjectFormat::ALL
            .iter()
            .find(|row| row.1 == self)
            .map_or("", |row| row.0)
    }
}

/// `#gpu.object<#nvvm.target, properties = {O = 3 : i32}, kernels = <>, assembly = "...">`: compiled device code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// Its target: an attribute of the target's dialect.
    pub target: Attr,
    /// The format of its bytes.
    pub format: ObjectFormat,
    /// Its bytes: a string.
    pub object: Attr,
    /// A dictionary.
    pub properties: Option<Attr>,
    /// The kernels in it.
    pub kernels: Option<KernelTable>,
}

impl CustomAttr for Object {
    const DIALECT: &'static str = "gpu";
    const MNEMONIC: &'static str = "object";
    fn print(&self, ctx: &Context, out: &mut String) {
        out.push_str(&format!("<{}, ", print_attr(ctx, self.target)));
        if let Some(properties) = self.properties {
            out.push_str(&format!("properties = {}, ", print_attr(ctx, properties)));
        }
        if let Some(kernels) = &self.kernels {
            out.push_str("kernels = ");
            kernels.print(ctx, out);
            out.push_str(", ");
        }
        if self.format != ObjectFormat::Fatbin {
            out.push_str(&format!("{} = ", self.format.keyword()));
        }
        out.push_str(&format!("{}>", print_attr(ctx, self.object)));
    }
}

/// Reads what follows `#gpu.object`.
pub(crate) fn parse_object(p: &mut Parser<'_>) -> ParseResult<Attr> {
    let at = p.pos();
    p.expect(Tok::Less)?;
    let target = p.parse_attr()?;
    p.parse_comma()?;
    let (mut properties, mut kernels) = (None, None);
    if p.eat_keyword("properties") {
        p.expect(Tok::Equal)?;
        properties = Some(parse_dictionary(p)?);
        p.parse_comma()?;
    }
    if p.eat_keyword("kernels") {
        p.expect(Tok::Equal)?;
        kernels = Some(parse_own(p, KernelTable::parse)?);
        p.parse_comma()?;
    }
    let format_at = p.pos();
    let format = match p.parse_optional_keyword() {
        None => ObjectFormat::Fatbin,
        Some(word) => {
            let Some(row) = ObjectFormat::ALL.iter().find(|row| row.0 == word) else {
                return Err(p.error_at(format_at, format!("`{word}` is no format of an object")));
            };
            p.expect(Tok::Equal)?;
            row.1
        }
    };
    let object = parse_string_attr(p)?;
    p.expect(Tok::Greater)?;
    let ctx = p.ctx();
    if !is_target(ctx, target) {
        return Err(p.error_at(at, "the target of an object must be a target of a dialect"));
    }
    Ok(ctx.custom_attr(Object {
        target,
        format,
        object,
        properties,
        kernels,
    }))
}

/// `#gpu.select_object<1>`: a `gpu.binary` embeds one object, by number or by target; the first if nothing is said.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SelectObject(pub Option<Attr>);

impl CustomAttr for SelectObject {
    const DIALECT: &'static str = "gpu";
    const MNEMONIC: &'static str = "select_object";
    fn print(&self, ctx: &Context, out: &mut String) {
        if let Some(target) = self.0 {
            out.push_str(&format!("<{}>", print_attr(ctx, target)));
        }
    }
}

/// Reads what follows `#gpu.select_object`.
pub(crate) fn parse_select_object(p: &mut Parser<'_>) -> ParseResult<Attr> {
    let ctx = p.ctx();
    if !p.eat(Tok::Less) {
        return Ok(ctx.custom_attr(SelectObject(None)));
    }
    let at = p.pos();
    let target = p.parse_attr()?;
    p.expect(Tok::Greater)?;
    let negative = |index: i128| {
        let width = target.ty(ctx).and_then(|ty| ty.integer_width(ctx));
        index < 0 || width.is_some_and(|width| index >> (width.min(127) - 1) & 1 == 1)
    };
    match target.as_integer(ctx) {
        Some(index) if negative(index) => {
            Err(p.error_at(at, "the number of an object must not be negative"))
        }
        None if !is_target(ctx, target) => Err(p.error_at(at, "neither a number nor a target")),
        _ => Ok(ctx.custom_attr(SelectObject(Some(target)))),
    }
}

/// Whether an attribute says what device code is compiled for: those of upstream's dialects, which are not known here.
pub(crate) fn is_target(ctx: &Context, attr: Attr) -> bool {
    let name = attr.dialect_name(ctx);
    matches!(
        name,
        Some(("nvvm" | "rocdl" | "xevm", "target") | ("spirv", "target_env"))
    )
}

/// An attribute of this dialect, whole (or by an alias), or only what follows its mnemonic.
fn parse_own<T: CustomAttr>(
    p: &mut Parser<'_>,
    parse: fn(&mut Parser<'_>) -> ParseResult<T>,
) -> ParseResult<T> {
    if !p.at(Tok::Hash) {
        return parse(p);
    }
    let at = p.pos();
    let own = p.parse_attr()?.dialect::<T>(p.ctx()).cloned();
    own.ok_or_else(|| p.error_at(at, format!("expected `#{}.{}`", T::DIALECT, T::MNEMONIC)))
}

fn parse_string_attr(p: &mut Parser<'_>) -> ParseResult<Attr> {
    parse_kind(p, "a string", |kind| {
        matches!(kind, AttrKind::String { .. })
    })
}

fn parse_dictionary(p: &mut Parser<'_>) -> ParseResult<Attr> {
    parse_kind(p, "a dictionary", |kind| matches!(kind, AttrKind::Dict(_)))
}

/// An attribute of one kind.
fn parse_kind(p: &mut Parser<'_>, what: &str, fits: fn(&AttrKind) -> bool) -> ParseResult<Attr> {
    let at = p.pos();
    let attr = p.parse_attr()?;
    match fits(p.ctx().attr_kind(attr)) {
        true => Ok(attr),
        false => Err::<Attr, ParseFailure>(p.error_at(at, format!("expected {what}"))),
    }
}
