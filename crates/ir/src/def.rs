//! The definition of an op.
//!
//! The `#[op]` macro turns one struct into an [`OpDef`]: plain data about operands, results, attributes, regions
//! and successors, the traits the op has, and the interfaces it implements. Construction, accessors, arity and
//! type checks, the text form and the documentation page all work from that data.

use crate::attrs::{Attr, Dict};
use crate::build::{Builder, OpState};
use crate::constraint::rule::{AttrConstraint, TypeConstraint};
use crate::context::{Context, Ident, OpName};
use crate::diag::{OpDiagnostics, TextForm};
use crate::interfaces::{Canonicalize, Effects, Fold, InferTypes, SymbolUser, Verify};
use crate::store::{Ir, Op, PlainOp, Value};
use crate::types::Type;
use smallvec::SmallVec;
use std::any::{Any, TypeId};
use std::sync::{Arc, OnceLock};

/// How many values, regions or successors a field stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    One,
    /// None or one.
    Optional,
    /// Any number.
    Variadic,
}

/// An operand field.
#[derive(Clone, Copy, Debug)]
pub struct OperandDef {
    /// Field name.
    pub name: &'static str,
    /// The constraint on its type.
    pub constraint: &'static dyn TypeConstraint,
    /// How many values.
    pub arity: Arity,
    /// Its doc comment.
    pub doc: &'static str,
}

/// A result field.
#[derive(Clone, Copy, Debug)]
pub struct ResultDef {
    /// Field name.
    pub name: &'static str,
    /// The constraint on its type.
    pub constraint: &'static dyn TypeConstraint,
    /// How many values.
    pub arity: Arity,
    /// Its doc comment.
    pub doc: &'static str,
}

/// An attribute field.
#[derive(Clone, Copy, Debug)]
pub struct AttrDef {
    /// Name, as in the text form.
    pub name: &'static str,
    /// The constraint on it.
    pub constraint: &'static dyn AttrConstraint,
    /// Whether it may be left out.
    pub optional: bool,
    /// Its doc comment.
    pub doc: &'static str,
}

/// A region field.
#[derive(Clone, Copy, Debug)]
pub struct RegionDef {
    /// Field name.
    pub name: &'static str,
    /// How many blocks.
    pub blocks: RegionBlocks,
    /// How many regions.
    pub arity: Arity,
    /// Its doc comment.
    pub doc: &'static str,
}

/// How many blocks a region may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionBlocks {
    /// Any number.
    Any,
    /// Exactly one.
    Single,
    /// None or one.
    AtMostOne,
}

/// A successor field.
#[derive(Clone, Copy, Debug)]
pub struct SuccessorDef {
    /// Field name.
    pub name: &'static str,
    /// How many blocks.
    pub arity: Arity,
    /// Its doc comment.
    pub doc: &'static str,
}

/// Properties an op has by definition; passes ask for these instead of naming ops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Trait {
    /// No side effects, and running it speculatively is harmless.
    Pure,
    /// Its effects are those of the ops in its regions.
    RecursiveEffects,
    /// Operands may be swapped.
    Commutative,
    /// Applying it twice is applying it once.
    Idempotent,
    /// Ends a block.
    Terminator,
    /// A terminator that hands its operands to the parent op.
    ReturnLike,
    /// Regions see no value defined outside.
    IsolatedFromAbove,
    /// Holds symbols.
    SymbolTable,
    /// Is a symbol (attribute `sym_name`).
    Symbol,
    /// All operands have the same type.
    SameTypeOperands,
    /// All operands and results have the same type.
    SameOperandsAndResultType,
    /// All operands and results have the same element type.
    SameOperandsAndResultElementType,
    /// All operands and results have compatible shapes (an unknown extent fits every other).
    SameOperandsAndResultShape,
    /// Works element by element on vectors and tensors as on scalars.
    Elementwise,
    /// A constant: no operands, one result, an attribute `value` it folds to.
    ConstantLike,
    /// Its regions' blocks need no terminator.
    NoTerminator,
    /// Order of ops in its regions does not matter; uses may come before definitions.
    GraphRegion,
    /// Allocations in its region that are not returned end with it.
    AllocationScope,
    /// Defines the value its regions' threads execute in parallel.
    Parallel,
    /// The entry blocks of its regions have no arguments.
    NoRegionArguments,
}

impl Trait {
    /// Every trait.
    pub const ALL: [Trait; 20] = [
        Trait::Pure,
        Trait::RecursiveEffects,
        Trait::Commutative,
        Trait::Idempotent,
        Trait::Terminator,
        Trait::ReturnLike,
        Trait::IsolatedFromAbove,
        Trait::SymbolTable,
        Trait::Symbol,
        Trait::SameTypeOperands,
        Trait::SameOperandsAndResultType,
        Trait::SameOperandsAndResultElementType,
        Trait::SameOperandsAndResultShape,
        Trait::Elementwise,
        Trait::ConstantLike,
        Trait::NoTerminator,
        Trait::GraphRegion,
        Trait::AllocationScope,
        Trait::Parallel,
        Trait::NoRegionArguments,
    ];
}

/// A set of traits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TraitSet(u32);

impl TraitSet {
    /// The set of these traits.
    pub const fn of(traits: &[Trait]) -> TraitSet {
        let mut bits = 0;
        let mut i = 0;
        while i < traits.len() {
            bits |= 1 << traits[i] as u32;
            i += 1;
        }
        TraitSet(bits)
    }
    /// Whether `t` is in the set.
    #[inline]
    pub const fn has(self, t: Trait) -> bool {
        self.0 & (1 << t as u32) != 0
    }
}

/// One interface of an op: the key is the trait object's type.
pub struct InterfaceEntry {
    key: TypeId,
    model: Box<dyn Any + Send + Sync>,
}

impl InterfaceEntry {
    /// An entry for the interface `I` (a `dyn Trait`).
    pub fn new<I: ?Sized + Sync + 'static>(model: &'static I) -> InterfaceEntry {
        InterfaceEntry {
            key: TypeId::of::<I>(),
            model: Box::new(model),
        }
    }
}

/// The definition of an op, as plain data.
pub struct OpDef {
    /// Full name, `dialect.op`.
    pub name: &'static str,
    /// The doc comment of the struct.
    pub doc: &'static str,
    /// The struct.
    pub view: fn() -> TypeId,
    /// Traits.
    pub traits: TraitSet,
    /// Operands, in order.
    pub operands: &'static [OperandDef],
    /// Results, in order.
    pub results: &'static [ResultDef],
    /// Inherent attributes.
    pub attrs: &'static [AttrDef],
    /// Regions, in order.
    pub regions: &'static [RegionDef],
    /// Successors, in order.
    pub successors: &'static [SuccessorDef],
    /// Custom text form, as a format string.
    pub format: Option<&'static str>,
    /// Interfaces it implements.
    pub interfaces: fn() -> Vec<InterfaceEntry>,
}

impl std::fmt::Debug for OpDef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpDef({})", self.name)
    }
}

/// A registered op: its definition, with names interned and the frequent interfaces at hand.
pub struct OpInfo {
    /// Interned name.
    pub name: OpName,
    /// The definition.
    pub def: &'static OpDef,
    /// Interned names of the inherent attributes, in the order of `def.attrs`.
    pub attr_names: Vec<Ident>,
    /// `operandSegmentSizes`, where more than one operand field is not a single value.
    pub operand_segments: Option<Ident>,
    /// `resultSegmentSizes`, likewise.
    pub result_segments: Option<Ident>,
    interfaces: Vec<InterfaceEntry>,
    /// The op's own rule.
    pub verify: Option<&'static dyn Verify>,
    /// Constant folding.
    pub fold: Option<&'static dyn Fold>,
    /// Side effects beyond what the traits say.
    pub effects: Option<&'static dyn Effects>,
    /// Result types from operands and attributes.
    pub infer: Option<&'static dyn InferTypes>,
    /// Local rewrites towards the canonical form.
    pub canonicalize: Option<&'static dyn Canonicalize>,
    /// Checks of the symbols it refers to.
    pub symbol_user: Option<&'static dyn SymbolUser>,
    /// See [`OpInfo::text_form`].
    text_form: OnceLock<Box<dyn Any + Send + Sync>>,
    view: TypeId,
}

impl std::fmt::Debug for OpInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "OpInfo({})", self.def.name)
    }
}

impl OpInfo {
    pub(crate) fn new(ctx: &Context, name: OpName, def: &'static OpDef) -> OpInfo {
        let several = |count: usize| count > 1;
        let loose_operands = def
            .operands
            .iter()
            .filter(|operand| operand.arity != Arity::One)
            .count();
        let loose_results = def
            .results
            .iter()
            .filter(|result| result.arity != Arity::One)
            .count();
        let mut info = OpInfo {
            name,
            def,
            attr_names: def.attrs.iter().map(|attr| ctx.ident(attr.name)).collect(),
            operand_segments: several(loose_operands).then(|| ctx.ident("operandSegmentSizes")),
            result_segments: several(loose_results).then(|| ctx.ident("resultSegmentSizes")),
            interfaces: (def.interfaces)(),
            verify: None,
            fold: None,
            effects: None,
            infer: None,
            canonicalize: None,
            symbol_user: None,
            text_form: OnceLock::new(),
            view: (def.view)(),
        };
        info.verify = info.interface();
        info.fold = info.interface();
        info.effects = info.interface();
        info.infer = info.interface();
        info.canonicalize = info.interface();
        info.symbol_user = info.interface();
        info
    }
    /// Whether the op has a trait.
    #[inline]
    pub fn has(&self, t: Trait) -> bool {
        self.def.traits.has(t)
    }
    /// The op's model of the interface `I` (a `dyn Trait`), where it implements it.
    pub fn interface<I: ?Sized + Sync + 'static>(&self) -> Option<&'static I> {
        let key = TypeId::of::<I>();
        let entry = self.interfaces.iter().find(|entry| entry.key == key)?;
        entry.model.downcast_ref::<&'static I>().copied()
    }
    /// Data that the crate of the text form caches for the op, made when it is first asked for; `None` for another type than then.
    #[inline]
    pub fn text_form<T: Any + Send + Sync>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.text_form
            .get_or_init(|| Box::new(make()))
            .downcast_ref()
    }
    /// Whether this is the definition the struct `V` stands for.
    #[inline]
    pub fn is_view<V: OpView>(&self) -> bool {
        self.view == TypeId::of::<V>()
    }
    /// Whether it is that of a definition. A constant may have several addresses, so the struct behind it decides.
    #[inline]
    pub(crate) fn is_of(&self, def: &OpDef) -> bool {
        std::ptr::eq(self.def, def) || self.view == (def.view)()
    }
    /// Whether an attribute of that name belongs to the op itself (is inherent).
    pub fn is_inherent(&self, name: Ident) -> bool {
        self.attr_names.contains(&name)
            || self.operand_segments == Some(name)
            || self.result_segments == Some(name)
    }
}

/// A struct made by `#[op]`: a typed name for an op id.
pub trait OpView: Copy + 'static {
    /// The definition.
    const DEF: &'static OpDef;
    /// Gives an op id this type without a check.
    fn from_op(op: Op) -> Self;
    /// The op id.
    fn op(self) -> Op;
}

/// A function of an interface that lies in another crate, kept under its type: how a dialect's own type is read is the
/// text form's to know.
#[derive(Clone)]
pub struct Hook(Arc<dyn Any + Send + Sync>);

impl Hook {
    /// Keeps `function`.
    pub fn new<F: Any + Send + Sync>(function: F) -> Hook {
        Hook(Arc::new(function))
    }
    /// The function, if it is one of that type.
    pub fn get<F: Any>(&self) -> Option<&F> {
        self.0.downcast_ref()
    }
}

impl std::fmt::Debug for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hook")
    }
}

/// Makes the op for a constant of a type; `None`: the dialect has none for it.
pub type ConstantMaterializer = fn(&mut Builder<'_>, Attr, Type) -> Option<Op>;

/// Adds an error if an attribute of the dialect (its full name is given) may not be attached to an op so.
pub type AttachedAttrRule = fn(&Ir, Op, &str, Attr, &mut OpDiagnostics<'_>);

/// Whose a dialect is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// This project's or another's. Under its name others may know further ops: with unregistered ops allowed they are
    /// kept as those of any other dialect.
    #[default]
    Own,
    /// MLIR's. Ops it does not define are wrong, and `mlir-opt` makes the custom forms that are not read here generic.
    Upstream,
    /// MLIR's, which has more ops than are defined here: with unregistered ops allowed these are kept, in the generic form
    /// that `mlir-opt` gives them.
    PartOfUpstream,
}

/// A dialect: a list of ops, types and attributes. Registered with [`Context::register`].
#[derive(Clone, Debug, Default)]
pub struct Dialect {
    /// Name, the part of op names before the dot.
    pub name: &'static str,
    /// Whose it is.
    pub origin: Origin,
    /// Its purpose: first line of its documentation page.
    pub doc: &'static str,
    /// Its ops, in the order of the documentation.
    pub ops: Vec<&'static OpDef>,
    /// Its types: mnemonic and how what follows it is read.
    pub types: Vec<(&'static str, Hook)>,
    /// Its attributes: mnemonic and how what follows it is read.
    pub attrs: Vec<(&'static str, Hook)>,
    /// How messages write ops, types and attributes, for the whole context; the first dialect that says so decides.
    pub text_form: Option<&'static dyn TextForm>,
    /// Makes the op for a constant of this dialect's ops, when folding needs one.
    pub materialize_constant: Option<ConstantMaterializer>,
    /// Checks discardable attributes named `dialect.something`, on ops of whatever dialect.
    pub attached_attr: Option<AttachedAttrRule>,
}

/// Builds an op from grouped operands; what the generated constructors call.
///
/// Groups are the operand fields in order; segment sizes are added where the definition needs them.
///
/// # Panics
/// If result types are left to inference and the operands do not allow it: a mistake of the caller, not of an input.
pub fn build_op(b: &mut Builder<'_>, def: &'static OpDef, parts: OpParts<'_>) -> Op {
    let name = b.ir.name_of(def);
    let operands: SmallVec<[Value; 8]> = joined(parts.operands);
    let mut properties = named_attrs(b.ir, name, def, &parts);
    if has_segments(def.operands.iter().map(|field| field.arity)) {
        let sizes = parts.operands.iter().map(|group| group.len());
        properties.push(segment_sizes(b.ir.ctx(), "operandSegmentSizes", sizes));
    }
    let result_types = match parts.results {
        Some(types) => joined(types),
        None => same_as_first(b.ir, name, def, &operands).unwrap_or_else(|| {
            let mut state = OpState::new(name, b.loc);
            state.operands.extend_from_slice(&operands);
            state.properties.extend_from_slice(&properties);
            state.regions = parts.regions;
            infer_result_types(b.ir, &state, def).unwrap_or_else(|error| {
                panic!(
                    "types of `{}` cannot be inferred from these operands: {error}",
                    def.name
                )
            })
        }),
    };
    if let Some(types) = parts.results
        && has_segments(def.results.iter().map(|field| field.arity))
    {
        let sizes = types.iter().map(|group| group.len());
        properties.push(segment_sizes(b.ir.ctx(), "resultSegmentSizes", sizes));
    }
    let properties = b.ir.dict(&properties);
    let plain = PlainOp {
        name,
        loc: b.loc,
        operands: &operands,
        result_types: &result_types,
        properties,
        attrs: Dict::EMPTY,
        signature: None,
    };
    let op = b.ir.create_plain_op(plain);
    if parts.successors.iter().any(|group| !group.is_empty()) {
        b.ir.set_successors(op, &parts.successors.concat());
    }
    for _ in 0..parts.regions {
        b.ir.add_region(op);
    }
    b.insert_detached(op);
    op
}

/// All items of groups. (Slices are copied whole; an iterator over the items would be asked for each.)
#[inline]
fn joined<A: smallvec::Array>(groups: &[&[A::Item]]) -> SmallVec<A>
where
    A::Item: Copy,
{
    match *groups {
        [only] => SmallVec::from_slice(only),
        _ => {
            let mut all = SmallVec::new();
            groups.iter().for_each(|group| all.extend_from_slice(group));
            all
        }
    }
}

/// Whether it takes an attribute to say which values belong to which field.
#[inline]
fn has_segments(arities: impl ExactSizeIterator<Item = Arity>) -> bool {
    arities.len() > 1 && arities.filter(|&arity| arity != Arity::One).count() > 1
}

/// The attribute that says how many values belong to which field.
fn segment_sizes(ctx: &Context, name: &str, sizes: impl Iterator<Item = usize>) -> (Ident, Attr) {
    let sizes: Vec<i32> = sizes.map(|size| size as i32).collect();
    (ctx.ident(name), ctx.dense_i32_attr(&sizes))
}

/// The inherent attributes that are given.
fn named_attrs(
    ir: &Ir,
    name: OpName,
    def: &'static OpDef,
    parts: &OpParts<'_>,
) -> SmallVec<[(Ident, Attr); 4]> {
    let ctx = ir.ctx();
    let known = ctx
        .op_info(name)
        .filter(|info| info.is_of(def))
        .map(|info| &info.attr_names);
    let mut named = SmallVec::new();
    for (index, &(name, attr)) in parts.attrs.iter().enumerate() {
        if let Some(attr) = attr {
            let ident = known.and_then(|names| names.get(index)).copied();
            named.push((ident.unwrap_or_else(|| ctx.ident(name)), attr));
        }
    }
    named
}

/// The result types of an op whose operands and results have one type, or that has no results.
fn same_as_first(ir: &Ir, name: OpName, def: &OpDef, operands: &[Value]) -> Option<ResultTypes> {
    if ir
        .ctx()
        .op_info(name)
        .is_some_and(|info| info.infer.is_some())
    {
        return None;
    }
    if def.results.is_empty() {
        return Some(ResultTypes::new());
    }
    let first = operands
        .first()
        .filter(|_| def.traits.has(Trait::SameOperandsAndResultType))?;
    Some(ResultTypes::from_elem(
        ir.value_type(*first),
        def.results.len(),
    ))
}

/// Types of results.
pub type ResultTypes = SmallVec<[Type; 2]>;

/// Result types of an op about to be built: from `SameOperandsAndResultType` or its `InferTypes`.
pub fn infer_result_types(ir: &Ir, state: &OpState, def: &OpDef) -> Result<ResultTypes, String> {
    let ctx = ir.ctx();
    if let Some(infer) = ctx.op_info(state.name).and_then(|info| info.infer) {
        return infer.infer_types(ir, state).map(ResultTypes::from_vec);
    }
    if let Some(types) = same_as_first(ir, state.name, def, &state.operands) {
        return Ok(types);
    }
    Err(format!(
        "`{}` has no rule to infer its result types",
        def.name
    ))
}

/// A part that a builder made by `#[op]` was not given yet.
#[derive(Clone, Copy, Debug)]
pub struct Missing;

/// The arguments of a generated constructor to [`build_op`].
#[derive(Default)]
pub struct OpParts<'a> {
    /// Operands, one group per operand field.
    pub operands: &'a [&'a [Value]],
    /// Inherent attributes by name.
    pub attrs: &'a [(&'static str, Option<Attr>)],
    /// Number of regions.
    pub regions: usize,
    /// Successors, one group per successor field.
    pub successors: &'a [&'a [crate::store::Block]],
    /// Result types, one group per result field; `None`: inferred.
    pub results: Option<&'a [&'a [Type]]>,
}
