//! The context: everything interned and shared between programs.
//!
//! Identifiers, types, attributes, dictionaries and locations are interned once and named by ids; dialects are
//! registered once. Reading takes no lock, so one context serves many threads. The texts of files that were read
//! live here too, because diagnostics show their lines.

use crate::attrs::{Attr, AttrKind, Dict};
use crate::def::{Dialect, OpInfo};
use crate::diag::TextForm;
use crate::grid::Grid;
pub use crate::ident::{Ident, OpName};
use crate::intern::Interner;
use crate::location::{Loc, LocKind};
use crate::signature::{Signature, SignatureId};
use crate::source::{Source, Sources, TextStart};
use crate::types::{FloatKind, Signedness, Type, TypeKind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

#[derive(Debug)]
struct OpNameData {
    text: Box<str>,
    info: OnceLock<OpInfo>,
}
impl PartialEq for OpNameData {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
impl Eq for OpNameData {}
impl std::hash::Hash for OpNameData {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// Everything interned and shared; see the module header. Aligned so that the count of an [`Arc`] around it,
/// which threads change all the time, is in no cache line that they read.
#[derive(Debug)]
#[repr(align(128))]
pub struct Context {
    idents: Interner<Ident, Box<str>>,
    types: Interner<Type, TypeKind>,
    attrs: Interner<Attr, AttrKind>,
    dicts: Interner<Dict, Box<[(Ident, Attr)]>>,
    locs: Interner<Loc, LocKind>,
    op_names: Interner<OpName, OpNameData>,
    signatures: Interner<SignatureId, Signature>,
    dialects: boxcar::Vec<(Ident, Dialect)>,
    grid: Grid,
    sources: Sources,
    common: OnceLock<Common>,
    text_form: OnceLock<&'static dyn TextForm>,
    next_distinct: AtomicU64,
    /// Whether any type or attribute may be written as an alias without being told to.
    has_aliasable: AtomicBool,
}

#[derive(Clone, Copy, Debug)]
struct Common {
    index: Type,
    i1: Type,
    i32: Type,
    i64: Type,
    f32: Type,
    f64: Type,
    unit: Attr,
}

impl Default for Context {
    fn default() -> Self {
        Self::new()
    }
}

impl Context {
    /// A context with no dialect.
    pub fn new() -> Context {
        let ctx = Context {
            idents: Interner::default(),
            types: Interner::default(),
            attrs: Interner::default(),
            dicts: Interner::default(),
            locs: Interner::default(),
            op_names: Interner::default(),
            signatures: Interner::default(),
            dialects: boxcar::Vec::new(),
            grid: Grid::default(),
            sources: Sources::default(),
            common: OnceLock::new(),
            text_form: OnceLock::new(),
            next_distinct: AtomicU64::new(0),
            has_aliasable: AtomicBool::new(false),
        };
        assert_eq!(ctx.locs.intern(LocKind::Unknown), Loc::UNKNOWN);
        assert_eq!(ctx.dicts.intern(Box::default()), Dict::EMPTY);
        let common = Common {
            index: ctx.ty(TypeKind::Index),
            i1: ctx.integer(1),
            i32: ctx.integer(32),
            i64: ctx.integer(64),
            f32: ctx.ty(TypeKind::Float(FloatKind::F32)),
            f64: ctx.ty(TypeKind::Float(FloatKind::F64)),
            unit: ctx.attr(AttrKind::Unit),
        };
        ctx.common.set(common).expect("set once, here");
        ctx
    }

    // ---- identifiers and op names ----

    /// Interns a string.
    pub fn ident(&self, text: &str) -> Ident {
        self.idents
            .intern_with(text, |item| &**item == text, || text.into())
    }
    /// The string of an identifier.
    pub fn str(&self, ident: Ident) -> &str {
        self.idents.get(ident)
    }
    /// Interns an op name (`dialect.op`).
    pub fn op_name(&self, text: &str) -> OpName {
        let make = || OpNameData {
            text: text.into(),
            info: OnceLock::new(),
        };
        self.op_names
            .intern_with(text, |item| &*item.text == text, make)
    }
    /// The text of an op name.
    pub fn op_name_str(&self, name: OpName) -> &str {
        &self.op_names.get(name).text
    }
    /// The definition of an op, where its dialect is registered and has it.
    pub fn op_info(&self, name: OpName) -> Option<&OpInfo> {
        self.op_names.get(name).info.get()
    }

    // ---- dialects ----

    /// Registers a dialect; registering it again changes nothing.
    pub fn register(&self, dialect: Dialect) {
        let name = self.ident(dialect.name);
        if self.dialects.iter().any(|(_, (other, _))| *other == name) {
            return;
        }
        for def in &dialect.ops {
            let id = self.op_name(def.name);
            let _ = self.op_names.get(id).info.set(OpInfo::new(self, id, def));
        }
        if let Some(form) = dialect.text_form {
            self.set_text_form(form);
        }
        self.dialects.push((name, dialect));
    }
    /// The registered dialect of that name.
    pub fn dialect(&self, name: &str) -> Option<&Dialect> {
        self.dialects
            .iter()
            .map(|(_, row)| &row.1)
            .find(|dialect| dialect.name == name)
    }
    /// All registered dialects, in order of registration.
    pub fn dialects(&self) -> impl Iterator<Item = &Dialect> {
        self.dialects.iter().map(|(_, row)| &row.1)
    }

    // ---- text in messages ----

    /// Says how messages write ops, types and attributes. The first to say so decides.
    pub fn set_text_form(&self, form: &'static dyn TextForm) {
        let _ = self.text_form.set(form);
    }
    /// How messages write ops, types and attributes, where that was said.
    pub fn text_form(&self) -> Option<&'static dyn TextForm> {
        self.text_form.get().copied()
    }
    /// A type, for a message.
    pub fn type_text(&self, ty: Type) -> String {
        match self.text_form() {
            Some(form) => form.type_text(self, ty),
            None => format!("{:?}", self.type_kind(ty)),
        }
    }
    /// An attribute, for a message.
    pub fn attr_text(&self, attr: Attr) -> String {
        match self.text_form() {
            Some(form) => form.attr_text(self, attr),
            None => format!("{:?}", self.attr_kind(attr)),
        }
    }

    // ---- types ----

    /// Interns a type.
    pub fn ty(&self, kind: TypeKind) -> Type {
        if matches!(kind, TypeKind::Tuple(_)) {
            self.has_aliasable.store(true, Ordering::Relaxed);
        }
        self.types.intern(kind)
    }
    /// The kind and data of a type.
    pub fn type_kind(&self, ty: Type) -> &TypeKind {
        self.types.get(ty)
    }
    /// Interns a dialect's own type.
    pub fn custom_type<T: crate::types::CustomType>(&self, ty: T) -> Type {
        self.ty(TypeKind::Dialect(crate::types::DialectType::new(ty)))
    }
    fn common(&self) -> &Common {
        self.common.get().expect("set in Context::new")
    }
    /// `index`
    pub fn index(&self) -> Type {
        self.common().index
    }
    /// The signless integer type of `width` bits.
    pub fn integer(&self, width: u32) -> Type {
        self.ty(TypeKind::Integer {
            width,
            signedness: Signedness::Signless,
        })
    }
    /// `i1`
    pub fn i1(&self) -> Type {
        self.common().i1
    }
    /// `i32`
    pub fn i32(&self) -> Type {
        self.common().i32
    }
    /// `i64`
    pub fn i64(&self) -> Type {
        self.common().i64
    }
    /// `f32`
    pub fn f32(&self) -> Type {
        self.common().f32
    }
    /// `f64`
    pub fn f64(&self) -> Type {
        self.common().f64
    }
    /// A floating-point type.
    pub fn float(&self, kind: FloatKind) -> Type {
        self.ty(TypeKind::Float(kind))
    }
    /// `(inputs) -> results`
    pub fn function(&self, inputs: &[Type], results: &[Type]) -> Type {
        self.ty(TypeKind::Function {
            inputs: inputs.to_vec(),
            results: results.to_vec(),
        })
    }
    /// A row-major memref in a memory space (`None`: default).
    pub fn memref(&self, shape: &[i64], element: Type, space: Option<Attr>) -> Type {
        self.ty(TypeKind::MemRef {
            shape: shape.to_vec(),
            element,
            layout: None,
            space,
        })
    }
    /// A fixed vector.
    pub fn vector(&self, shape: &[i64], element: Type) -> Type {
        self.ty(TypeKind::Vector {
            shape: shape.to_vec(),
            scalable: vec![false; shape.len()],
            element,
        })
    }

    // ---- attributes ----

    /// Interns an attribute.
    pub fn attr(&self, kind: AttrKind) -> Attr {
        if matches!(
            kind,
            AttrKind::AffineMap(_)
                | AttrKind::IntegerSet(_)
                | AttrKind::Distinct { .. }
                | AttrKind::Loc(_)
        ) {
            self.has_aliasable.store(true, Ordering::Relaxed);
        }
        self.attrs.intern(kind)
    }
    /// Whether any type or attribute is of a kind that is written as an alias (see the printer).
    pub fn has_aliasable(&self) -> bool {
        self.has_aliasable.load(Ordering::Relaxed)
    }
    /// The kind and data of an attribute.
    pub fn attr_kind(&self, attr: Attr) -> &AttrKind {
        self.attrs.get(attr)
    }
    /// Interns a dialect's own attribute.
    pub fn custom_attr<T: crate::attrs::CustomAttr>(&self, attr: T) -> Attr {
        self.attr(AttrKind::Dialect(crate::attrs::DialectAttr::new(attr)))
    }
    /// `unit`
    pub fn unit(&self) -> Attr {
        self.common().unit
    }
    /// `value : ty`; the value is wrapped to the width of `ty`.
    pub fn int_attr(&self, value: i128, ty: Type) -> Attr {
        self.attr(AttrKind::Integer {
            value: wrap_integer(value, self.type_kind(ty)),
            ty,
        })
    }
    /// `value : i64`
    pub fn i64_attr(&self, value: i64) -> Attr {
        self.int_attr(value.into(), self.i64())
    }
    /// `value : i32`
    pub fn i32_attr(&self, value: i32) -> Attr {
        self.int_attr(value.into(), self.i32())
    }
    /// `value : index`
    pub fn index_attr(&self, value: i64) -> Attr {
        self.int_attr(value.into(), self.index())
    }
    /// `true` or `false`
    pub fn bool_attr(&self, value: bool) -> Attr {
        self.int_attr(value.into(), self.i1())
    }
    /// A float attribute from the bits of its format.
    pub fn float_bits_attr(&self, bits: u128, ty: Type) -> Attr {
        self.attr(AttrKind::Float { bits, ty })
    }
    /// `"text"`
    pub fn str_attr(&self, text: &str) -> Attr {
        self.attr(AttrKind::String {
            bytes: text.as_bytes().to_vec(),
            ty: None,
        })
    }
    /// A type as an attribute.
    pub fn type_attr(&self, ty: Type) -> Attr {
        self.attr(AttrKind::Type(ty))
    }
    /// `@name`
    pub fn symbol_attr(&self, name: &str) -> Attr {
        self.attr(AttrKind::SymbolRef {
            root: self.ident(name),
            nested: Vec::new(),
        })
    }
    /// `[items]`
    pub fn array_attr(&self, items: &[Attr]) -> Attr {
        self.attr(AttrKind::Array(items.to_vec()))
    }
    /// `array<i64: values>`
    pub fn dense_i64_attr(&self, values: &[i64]) -> Attr {
        let data = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.attr(AttrKind::DenseArray {
            element: self.i64(),
            data,
        })
    }
    /// `array<i32: values>`
    pub fn dense_i32_attr(&self, values: &[i32]) -> Attr {
        crate::steps::count(values.len());
        let data = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.attr(AttrKind::DenseArray {
            element: self.i32(),
            data,
        })
    }
    /// A distinct attribute: unequal to every other.
    pub fn distinct_attr(&self, inner: Attr) -> Attr {
        let id = self.next_distinct.fetch_add(1, Ordering::Relaxed);
        self.attr(AttrKind::Distinct { id, inner })
    }

    /// Interns a dictionary; entries may come in any order, of equal names the last wins.
    pub fn dict(&self, entries: &[(Ident, Attr)]) -> Dict {
        if entries.is_empty() {
            return Dict::EMPTY;
        }
        let sorted = entries
            .windows(2)
            .all(|pair| self.str(pair[0].0) < self.str(pair[1].0));
        if sorted {
            return self
                .dicts
                .intern_with(entries, |item| **item == *entries, || entries.into());
        }
        let mut owned = entries.to_vec();
        owned.sort_by(|a, b| {
            crate::steps::count(1);
            self.str(a.0).cmp(self.str(b.0))
        });
        // The sort is stable: of entries with one name, the one that was given last counts.
        owned.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = later.1;
            }
            same
        });
        self.dicts.intern(owned.into_boxed_slice())
    }
    /// The number of a signature.
    pub fn signature(&self, signature: Signature) -> SignatureId {
        self.signatures.intern(signature)
    }
    /// The entries of a dictionary, names in alphabetic order.
    pub fn entries(&self, dict: Dict) -> &[(Ident, Attr)] {
        self.dicts.get(dict)
    }
    /// The entry of that name.
    pub fn lookup(&self, dict: Dict, name: Ident) -> Option<Attr> {
        if dict == Dict::EMPTY {
            return None;
        }
        self.entries(dict)
            .iter()
            .find(|entry| entry.0 == name)
            .map(|entry| entry.1)
    }

    // ---- locations and sources ----

    /// Interns a location. A place in a file takes no space, so every op can have one of its own.
    pub fn loc(&self, kind: LocKind) -> Loc {
        if let LocKind::File { file, line, column } = kind
            && let Some(loc) = self.grid.loc(file, line, column)
        {
            return loc;
        }
        self.locs.intern(kind)
    }
    /// The kind and data of a location.
    pub fn loc_kind(&self, loc: Loc) -> &LocKind {
        self.locs.get(self.interned_loc(loc))
    }
    /// The interned location that says the same: places in files are not interned until someone asks.
    pub fn interned_loc(&self, loc: Loc) -> Loc {
        match self.sources.place(loc).or_else(|| self.grid.place(loc)) {
            Some((file, line, column)) => self.locs.intern(LocKind::File { file, line, column }),
            None => loc,
        }
    }
    /// Keeps the text of a file, so that diagnostics can show its lines.
    pub fn add_source(&self, file: &str, text: Arc<String>) -> Ident {
        self.add_source_to_read(file, text, TextStart::default()).0
    }
    /// As [`Context::add_source`]; gives the number of the location of the text's first byte too, which those of the
    /// others follow (see [`crate::source`]).
    pub fn add_source_to_read(
        &self,
        file: &str,
        text: Arc<String>,
        start: TextStart,
    ) -> (Ident, Option<u32>) {
        let file = self.ident(file);
        (file, self.sources.add(file, text, start))
    }
    /// The text of a file that was read, and the bytes of one of its lines (from 1, without the newline).
    pub(crate) fn source_line(
        &self,
        file: Ident,
        line: u32,
    ) -> Option<(Arc<String>, std::ops::Range<usize>)> {
        self.sources.line(file, line)
    }
    /// The text of a file that was read.
    pub fn source(&self, file: Ident) -> Option<Source> {
        self.sources.latest(file)
    }
}

/// `value` modulo 2^width, read as the type reads its bits: sign-extended, but `i1` and unsigned types zero-extended.
fn wrap_integer(value: i128, kind: &TypeKind) -> i128 {
    let (width, unsigned) = match *kind {
        TypeKind::Integer { width, signedness } => (
            width,
            signedness == Signedness::Unsigned || (width, signedness) == (1, Signedness::Signless),
        ),
        _ => (64, false),
    };
    if width == 0 {
        return 0;
    }
    if width >= 128 {
        return value;
    }
    let shift = 128 - width;
    if unsigned {
        ((value as u128) << shift >> shift) as i128
    } else {
        value << shift >> shift
    }
}
