//! Writing what is interned: types, attributes, locations. Needs a context, but no program.

use super::alias::Aliases;
use super::float::{Notation, write_float};
use super::locations::OuterAlias;
use super::{ElementsLimits, Locations};
use crate::format::is_bare_keyword;
use crate::parser::MAX_DEPTH;
use num_bigint::{BigInt, Sign};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::attrs::{Attr, AttrKind, Dict};
use segra_ir::context::{Context, Ident};
use segra_ir::entity::SecondaryMap;
use segra_ir::opaque::{OpaqueBody, TypeOrAttr};
use segra_ir::stack::deep;
use segra_ir::types::{DYNAMIC, FloatKind, Signedness, Type, TypeKind};

/// Writes interned data to the end of a text.
#[derive(Debug)]
pub(super) struct DataWriter<'a> {
    pub(super) ctx: &'a Context,
    pub(super) out: String,
    pub(super) aliases: Aliases<'a>,
    pub(super) limits: ElementsLimits,
    pub(super) locations: Locations,
    /// Texts of types and dictionaries already written: most occur many times.
    types: SecondaryMap<Type, Cached>,
    dicts: SecondaryMap<Dict, Cached>,
    pool: String,
    /// How deep the data being written lies in other data.
    depth: u32,
    /// Long parts written in the outermost data being written.
    long: FxHashSet<TypeOrAttr>,
    /// Whether something was left out: it is long and was written before, or lies too deep.
    pub(super) is_cut: bool,
    /// Numbers of distinct attributes, in order of appearance.
    distinct: FxHashMap<Attr, usize>,
}

/// Start and end of a text in the pool; nothing is there while they are equal.
#[derive(Clone, Copy, Debug, Default)]
struct Cached {
    start: u32,
    end: u32,
}

/// A text of more bytes is not written twice in one type or attribute.
const LONG: usize = 1 << 14;

/// Whether a number's type may be left out where it is the default one (`i64`, `f64`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeText {
    Always,
    WhereNotDefault,
    Never,
}

impl<'a> DataWriter<'a> {
    pub(super) fn new(ctx: &'a Context, out: String) -> DataWriter<'a> {
        DataWriter {
            ctx,
            out,
            aliases: Aliases::default(),
            limits: ElementsLimits::default(),
            locations: Locations::Hidden,
            types: SecondaryMap::default(),
            dicts: SecondaryMap::default(),
            pool: String::new(),
            depth: 0,
            long: FxHashSet::default(),
            is_cut: false,
            distinct: FxHashMap::default(),
        }
    }

    // ---- small pieces ----

    pub(super) fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }
    pub(super) fn unsigned_wide(&mut self, value: u128) {
        match i128::try_from(value) {
            Ok(value) => self.signed(value),
            Err(_) => self.out.push_str(&value.to_string()),
        }
    }
    pub(super) fn unsigned(&mut self, value: u64) {
        push_unsigned(&mut self.out, value);
    }
    pub(super) fn signed(&mut self, value: i128) {
        if value < 0 {
            self.out.push('-');
        }
        match u64::try_from(value.unsigned_abs()) {
            Ok(small) => push_unsigned(&mut self.out, small),
            Err(_) => self.out.push_str(&value.unsigned_abs().to_string()),
        }
    }
    /// Writes a type or an attribute, which may contain others. Left out are those that lie deeper than the reader
    /// reads, and long ones that the data being written contains already: data are shared, so their text may be
    /// exponentially longer than they are.
    fn nested(&mut self, entity: TypeOrAttr, write: impl FnOnce(&mut Self)) {
        if self.depth == 0 {
            self.long.clear();
        } else if self.long.contains(&entity) {
            return self.cut("<<written before>>");
        }
        if self.depth > MAX_DEPTH {
            return self.cut("<<nested too deep>>");
        }
        let from = self.out.len();
        self.depth += 1;
        deep(|| write(self));
        self.depth -= 1;
        if self.depth > 0 && self.out.len() - from > LONG {
            self.long.insert(entity);
        }
    }
    /// Writes something for what is left out.
    pub(super) fn cut(&mut self, mark: &str) {
        self.is_cut = true;
        self.out.push_str(mark);
    }
    pub(super) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            write(self, item);
        }
    }
    /// A word as it is where it is a keyword, else in quotes.
    pub(super) fn keyword_or_string(&mut self, text: &str) {
        if is_bare_keyword(text) {
            self.out.push_str(text);
        } else {
            self.quoted(text.as_bytes());
        }
    }
    /// `"text"`, everything but printable ASCII as two hexadecimal digits.
    pub(super) fn quoted(&mut self, bytes: &[u8]) {
        self.out.push('"');
        let plain = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\');
        if let Ok(text) = std::str::from_utf8(bytes)
            && bytes.iter().all(plain)
        {
            self.out.push_str(text);
            self.out.push('"');
            return;
        }
        for &byte in bytes {
            match byte {
                b'\\' => self.out.push_str("\\\\"),
                b' '..=b'~' if byte != b'"' => self.out.push(char::from(byte)),
                _ => {
                    self.out.push('\\');
                    push_hex(&mut self.out, byte);
                }
            }
        }
        self.out.push('"');
    }
    pub(super) fn symbol(&mut self, name: Ident) {
        self.out.push('@');
        let text = self.ctx.str(name);
        self.keyword_or_string(text);
    }

    // ---- types ----

    /// Writes a type, from the text made the first time.
    pub(super) fn ty(&mut self, ty: Type) {
        if self.recall(self.types[ty]) {
            return;
        }
        let from = self.out.len();
        if !self.aliases.write_type(&mut self.out, ty) {
            self.nested(TypeOrAttr::Type(ty), |w| w.type_itself(ty));
        }
        if let Some(cached) = self.remember(from) {
            self.types[ty] = cached;
        }
    }

    /// Writes a text again; false where there is none.
    fn recall(&mut self, cached: Cached) -> bool {
        let text = &self.pool[cached.start as usize..cached.end as usize];
        self.out.push_str(text);
        !text.is_empty()
    }

    /// Keeps what was written since `from`, unless it is long or there is a lot already.
    fn remember(&mut self, from: usize) -> Option<Cached> {
        const KEPT: usize = 512;
        const A_LOT: usize = 1 << 24;
        let text = &self.out[from..];
        if text.len() > KEPT || self.pool.len() > A_LOT {
            return None;
        }
        let start = self.pool.len() as u32;
        self.pool.push_str(text);
        Some(Cached {
            start,
            end: self.pool.len() as u32,
        })
    }

    pub(super) fn types(&mut self, types: impl IntoIterator<Item = Type>) {
        self.list(types, Self::ty);
    }

    /// `(inputs) -> results`; a single result that is not a function type has no parentheses.
    pub(super) fn function(
        &mut self,
        inputs: impl IntoIterator<Item = Type>,
        results: impl IntoIterator<Item = Type, IntoIter: ExactSizeIterator + Clone>,
    ) {
        self.out.push('(');
        self.types(inputs);
        self.out.push_str(") -> ");
        let results = results.into_iter();
        let bare = results.len() == 1
            && results
                .clone()
                .all(|ty| !matches!(self.ctx.type_kind(ty), TypeKind::Function { .. }));
        if bare {
            self.types(results);
        } else {
            self.out.push('(');
            self.types(results);
            self.out.push(')');
        }
    }

    pub(super) fn type_itself(&mut self, ty: Type) {
        let ctx = self.ctx;
        match ctx.type_kind(ty) {
            TypeKind::Integer { width, signedness } => {
                self.out.push_str(match signedness {
                    Signedness::Signless => "i",
                    Signedness::Signed => "si",
                    Signedness::Unsigned => "ui",
                });
                self.unsigned((*width).into());
            }
            TypeKind::Index => self.out.push_str("index"),
            TypeKind::Float(kind) => self.out.push_str(kind.keyword()),
            TypeKind::None => self.out.push_str("none"),
            TypeKind::Complex(element) => {
                self.out.push_str("complex<");
                self.ty(*element);
                self.out.push('>');
            }
            TypeKind::Tuple(types) => {
                self.out.push_str("tuple<");
                self.types(types.iter().copied());
                self.out.push('>');
            }
            TypeKind::Function { inputs, results } => {
                self.function(inputs.iter().copied(), results.iter().copied());
            }
            TypeKind::Opaque { dialect, body } => {
                self.out.push('!');
                self.out.push_str(ctx.str(*dialect));
                self.opaque_body(body);
            }
            TypeKind::Dialect(ty) => {
                self.out.push('!');
                self.out.push_str(ty.dialect());
                let mut body = String::new();
                ty.print(ctx, &mut body);
                self.dialect_body(ty.mnemonic(), &body);
            }
            kind => self.shaped(kind),
        }
    }

    /// `.mnemonic<...>`, or `<mnemonic ...>` where the body has no brackets of its own.
    fn dialect_body(&mut self, mnemonic: &str, body: &str) {
        let (open, close) = if body.is_empty() || body.starts_with('<') {
            (".", "")
        } else {
            ("<", ">")
        };
        for part in [open, mnemonic, body, close] {
            self.out.push_str(part);
        }
    }

    fn shaped(&mut self, kind: &TypeKind) {
        match kind {
            TypeKind::Vector {
                shape,
                scalable,
                element,
            } => {
                self.out.push_str("vector<");
                for (index, &extent) in shape.iter().enumerate() {
                    let scalable = scalable.get(index).copied().unwrap_or(false);
                    let (open, close) = if scalable { ("[", "]x") } else { ("", "x") };
                    self.out.push_str(open);
                    self.extent(extent);
                    self.out.push_str(close);
                }
                self.ty(*element);
            }
            TypeKind::Tensor {
                shape,
                element,
                encoding,
            } => {
                self.out.push_str("tensor<");
                self.extents(shape);
                self.ty(*element);
                self.trailing_attr(*encoding, TypeText::Always);
            }
            TypeKind::UnrankedTensor(element) => {
                self.out.push_str("tensor<*x");
                self.ty(*element);
            }
            TypeKind::MemRef {
                shape,
                element,
                layout,
                space,
            } => {
                self.out.push_str("memref<");
                self.extents(shape);
                self.ty(*element);
                self.trailing_attr(*layout, TypeText::WhereNotDefault);
                self.trailing_attr(*space, TypeText::WhereNotDefault);
            }
            TypeKind::UnrankedMemRef { element, space } => {
                self.out.push_str("memref<*x");
                self.ty(*element);
                self.trailing_attr(*space, TypeText::WhereNotDefault);
            }
            _ => return,
        }
        self.out.push('>');
    }

    fn trailing_attr(&mut self, attr: Option<Attr>, types: TypeText) {
        if let Some(attr) = attr {
            self.out.push_str(", ");
            self.attr(attr, types);
        }
    }

    fn opaque_body(&mut self, body: &OpaqueBody) {
        let text = self.ctx.str(body.text);
        let mut from = 0;
        for &(at, part) in &body.parts {
            self.out.push_str(&text[from..at as usize]);
            from = at as usize;
            match part {
                TypeOrAttr::Type(ty) => self.ty(ty),
                TypeOrAttr::Attr(attr) => self.attr(attr, TypeText::Always),
            }
        }
        self.out.push_str(&text[from..]);
    }

    fn extents(&mut self, shape: &[i64]) {
        for &extent in shape {
            self.extent(extent);
            self.out.push('x');
        }
    }

    fn extent(&mut self, extent: i64) {
        if extent == DYNAMIC {
            self.out.push('?');
        } else {
            self.signed(extent.into());
        }
    }

    // ---- attributes ----

    pub(super) fn attr(&mut self, attr: Attr, types: TypeText) {
        let aliased = match *self.ctx.attr_kind(attr) {
            AttrKind::Loc(loc) => self.write_loc_alias(loc),
            _ => self.aliases.write_attr(&mut self.out, attr),
        };
        if !aliased {
            self.nested(TypeOrAttr::Attr(attr), |w| w.attr_itself(attr, types));
        }
    }

    pub(super) fn attr_itself(&mut self, attr: Attr, types: TypeText) {
        let ctx = self.ctx;
        match ctx.attr_kind(attr) {
            AttrKind::Unit => self.out.push_str("unit"),
            AttrKind::Integer { value, ty } => self.integer(*value, *ty, types),
            AttrKind::WideInteger { bytes, ty } => {
                self.wide_integer(bytes, signedness(ctx, *ty));
                if types != TypeText::Never {
                    self.of_type(*ty);
                }
            }
            AttrKind::Float { bits, ty } => {
                let kind = ty.float_kind(ctx).unwrap_or(FloatKind::F64);
                let notation = write_float(&mut self.out, kind, *bits);
                let default = kind == FloatKind::F64 && notation == Notation::Decimal;
                if types == TypeText::Always || types == TypeText::WhereNotDefault && !default {
                    self.of_type(*ty);
                }
            }
            AttrKind::String { bytes, ty } => {
                self.quoted(bytes);
                if let Some(ty) = ty.filter(|_| types != TypeText::Never) {
                    self.of_type(ty);
                }
            }
            AttrKind::Array(items) => {
                self.out.push('[');
                self.list(items.iter().copied(), |w, item| {
                    w.attr(item, TypeText::WhereNotDefault)
                });
                self.out.push(']');
            }
            AttrKind::Dict(dict) => {
                self.out.push('{');
                self.entries(ctx.entries(*dict).iter().copied());
                self.out.push('}');
            }
            AttrKind::Type(ty) => self.ty(*ty),
            AttrKind::SymbolRef { root, nested } => {
                self.symbol(*root);
                for &name in nested {
                    self.out.push_str("::");
                    self.symbol(name);
                }
            }
            AttrKind::Strided { strides, offset } => self.strided(strides, *offset),
            AttrKind::AffineMap(map) => {
                self.out.push_str("affine_map<");
                super::affine::write_map(&mut self.out, map);
                self.out.push('>');
            }
            AttrKind::IntegerSet(set) => {
                self.out.push_str("affine_set<");
                super::affine::write_set(&mut self.out, set);
                self.out.push('>');
            }
            AttrKind::Loc(loc) => self.loc(*loc, OuterAlias::Forbidden),
            AttrKind::Distinct { inner, .. } => self.distinct(attr, *inner),
            AttrKind::Opaque { dialect, body, ty } => {
                self.out.push('#');
                self.out.push_str(ctx.str(*dialect));
                self.opaque_body(body);
                if let Some(ty) = ty.filter(|_| types != TypeText::Never) {
                    self.of_type(ty);
                }
            }
            AttrKind::Dialect(attr) => {
                self.out.push('#');
                self.out.push_str(attr.dialect());
                let mut body = String::new();
                attr.print(ctx, &mut body);
                self.dialect_body(attr.mnemonic(), &body);
            }
            elements => self.elements(elements, types),
        }
    }

    /// `name = value` with commas between; `unit` is not written.
    pub(super) fn entries(&mut self, entries: impl IntoIterator<Item = (Ident, Attr)>) {
        self.list(entries, |w, (name, attr)| {
            let name = w.ctx.str(name);
            w.keyword_or_string(name);
            if !matches!(w.ctx.attr_kind(attr), AttrKind::Unit) {
                w.out.push_str(" = ");
                w.attr(attr, TypeText::Always);
            }
        });
    }

    /// `{...}`
    pub(super) fn dict(&mut self, dict: Dict) {
        if self.recall(self.dicts[dict]) {
            return;
        }
        let from = self.out.len();
        match *self.ctx.entries(dict) {
            // Properties that are another attribute than a dictionary.
            [(name, attr)] if self.ctx.str(name).is_empty() => self.attr(attr, TypeText::Always),
            ref entries => {
                self.out.push('{');
                self.entries(entries.iter().copied());
                self.out.push('}');
            }
        }
        if let Some(cached) = self.remember(from) {
            self.dicts[dict] = cached;
        }
    }

    pub(super) fn of_type(&mut self, ty: Type) {
        self.out.push_str(" : ");
        self.ty(ty);
    }

    fn integer(&mut self, value: i128, ty: Type, types: TypeText) {
        let kind = self.ctx.type_kind(ty);
        if matches!(
            kind,
            TypeKind::Integer {
                width: 1,
                signedness: Signedness::Signless
            }
        ) {
            self.out.push_str(if value == 0 { "false" } else { "true" });
            return;
        }
        match kind {
            // All bits of a value of 128 bits or more may be set.
            TypeKind::Integer {
                signedness: Signedness::Unsigned,
                ..
            } => self.unsigned_wide(value as u128),
            _ => self.signed(value),
        }
        let default = matches!(
            kind,
            TypeKind::Integer {
                width: 64,
                signedness: Signedness::Signless
            }
        );
        if types == TypeText::Always || types == TypeText::WhereNotDefault && !default {
            self.of_type(ty);
        }
    }

    /// An integer of any width, little-endian in two's complement.
    pub(super) fn wide_integer(&mut self, bytes: &[u8], signedness: Signedness) {
        let value = match signedness {
            Signedness::Unsigned => BigInt::from_bytes_le(Sign::Plus, bytes),
            _ => BigInt::from_signed_bytes_le(bytes),
        };
        self.out.push_str(&value.to_string());
    }

    fn strided(&mut self, strides: &[i64], offset: i64) {
        self.out.push_str("strided<[");
        self.list(strides.iter().copied(), Self::extent);
        self.out.push(']');
        if offset != 0 {
            self.out.push_str(", offset: ");
            self.extent(offset);
        }
        self.out.push('>');
    }

    fn distinct(&mut self, attr: Attr, inner: Attr) {
        let next = self.distinct.len();
        let number = *self.distinct.entry(attr).or_insert(next);
        self.out.push_str("distinct[");
        self.unsigned(number as u64);
        self.out.push_str("]<");
        if !matches!(self.ctx.attr_kind(inner), AttrKind::Unit) {
            self.attr(inner, TypeText::Always);
        }
        self.out.push('>');
    }
}

fn signedness(ctx: &Context, ty: Type) -> Signedness {
    match *ctx.type_kind(ty) {
        TypeKind::Integer { signedness, .. } => signedness,
        _ => Signedness::Signless,
    }
}

pub(super) fn push_hex(out: &mut String, byte: u8) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.push(char::from(DIGITS[usize::from(byte >> 4)]));
    out.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// Decimal digits, without the formatting machinery: most of what is printed is numbers of values.
pub(super) fn push_unsigned(out: &mut String, value: u64) {
    out.push_str(itoa::Buffer::new().format(value));
}
