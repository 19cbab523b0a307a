//! One program: ops, blocks, regions and values in arenas, connected by ids.
//!
//! Invariants:
//! * An op's results are consecutive values; its operands are consecutive use slots.
//! * Every use slot is on the doubly linked list of its value, so replacing or erasing a use is O(1) and replacing
//!   all uses of a value is linear in their number.
//! * Ops of a block and blocks of a region are doubly linked; ops carry order numbers, so "which comes first in this
//!   block" is O(1).
//! * Erased entities' slots are reused; ids of erased entities must not be kept.
//!
//! Deliberately absent: any knowledge of what ops mean (see [`crate::interfaces`]) and any check (see
//! [`mod@crate::verify`]): a program under construction may be invalid.

use crate::attrs::{Attr, Dict};
use crate::build::OpState;
use crate::context::{Context, Ident, OpName};
use crate::def::{OpInfo, OpView, Trait};
use crate::entity::{EntityId, PrimaryMap};
use crate::location::Loc;
use crate::types::Type;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

crate::entity_id!(
    /// An operation.
    Op, "op"
);
crate::entity_id!(
    /// A basic block: a list of ops and its arguments (never a thread block).
    Block, "block"
);
crate::entity_id!(
    /// A region: a list of blocks inside an op.
    Region, "region"
);
crate::entity_id!(
    /// A value: a result of an op or an argument of a block.
    Value, "value"
);
crate::entity_id!(
    /// A use slot: one operand of one op.
    Use, "use"
);

/// Distance between order numbers of neighbouring ops, so that insertions rarely renumber.
const ORDER_STRIDE: u32 = 64;

#[derive(Clone, Debug)]
struct OpData {
    name: OpName,
    loc: Loc,
    block: Option<Block>,
    prev: Option<Op>,
    next: Option<Op>,
    order: u32,
    properties: Dict,
    attrs: Dict,
    first_use: u32,
    num_operands: u32,
    first_result: u32,
    num_results: u32,
    /// Index + 1 into `extras`; 0 when the op has neither regions nor successors.
    extra: u32,
}

#[derive(Clone, Debug, Default)]
struct OpExtra {
    regions: Vec<Region>,
    successors: Vec<Block>,
}

#[derive(Clone, Debug)]
struct UseData {
    value: Option<Value>,
    owner: Op,
    prev: Option<Use>,
    next: Option<Use>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueDef {
    /// The `index`-th result of an op.
    Result {
        /// The op.
        op: Op,
        /// Position among its results.
        index: u32,
    },
    /// The `index`-th argument of a block.
    Argument {
        /// The block.
        block: Block,
        /// Position among its arguments.
        index: u32,
    },
}

#[derive(Clone, Debug)]
struct ValueData {
    ty: Type,
    def: ValueDef,
    first_use: Option<Use>,
}

#[derive(Clone, Debug)]
struct BlockData {
    region: Option<Region>,
    prev: Option<Block>,
    next: Option<Block>,
    first: Option<Op>,
    last: Option<Op>,
    args: Vec<Value>,
}

#[derive(Clone, Debug)]
struct RegionData {
    parent: Option<Op>,
    first: Option<Block>,
    last: Option<Block>,
}

/// One program and the root op everything hangs from.
#[derive(Clone, Debug)]
pub struct Ir {
    ctx: Arc<Context>,
    root: Option<Op>,
    ops: PrimaryMap<Op, OpData>,
    uses: PrimaryMap<Use, UseData>,
    values: PrimaryMap<Value, ValueData>,
    blocks: PrimaryMap<Block, BlockData>,
    regions: PrimaryMap<Region, RegionData>,
    extras: Vec<OpExtra>,
    names: FxHashMap<Value, Ident>,
    block_names: FxHashMap<Block, Ident>,
    arg_locs: FxHashMap<Value, Loc>,
    free_ops: Vec<Op>,
    free_extras: Vec<u32>,
    /// Free runs of use slots and values by length (index = length).
    free_uses: Vec<Vec<u32>>,
    free_values: Vec<Vec<u32>>,
}

impl Ir {
    /// An empty program.
    pub fn new(ctx: Arc<Context>) -> Ir {
        Ir {
            ctx,
            root: None,
            ops: PrimaryMap::default(),
            uses: PrimaryMap::default(),
            values: PrimaryMap::default(),
            blocks: PrimaryMap::default(),
            regions: PrimaryMap::default(),
            extras: Vec::new(),
            names: FxHashMap::default(),
            block_names: FxHashMap::default(),
            arg_locs: FxHashMap::default(),
            free_ops: Vec::new(),
            free_extras: Vec::new(),
            free_uses: Vec::new(),
            free_values: Vec::new(),
        }
    }
    /// The context.
    #[inline]
    pub fn ctx(&self) -> &Context {
        &self.ctx
    }
    /// The context, shared: for use while the program is changed.
    #[inline]
    pub fn context(&self) -> Arc<Context> {
        self.ctx.clone()
    }
    /// The root op (a module, usually).
    ///
    /// # Panics
    /// If none was set: a program handed to a pass, a printer or a verifier has one.
    pub fn root(&self) -> Op {
        self.root.expect("a complete program has a root op")
    }
    /// Makes `op` the root.
    pub fn set_root(&mut self, op: Op) {
        self.root = Some(op);
    }
    /// Bytes held by the arenas, for measurements.
    pub fn memory_bytes(&self) -> usize {
        self.ops.capacity_bytes()
            + self.uses.capacity_bytes()
            + self.values.capacity_bytes()
            + self.blocks.capacity_bytes()
            + self.regions.capacity_bytes()
            + self.extras.capacity() * size_of::<OpExtra>()
    }
    /// Room for `ops` more ops with their usual operands and results.
    pub fn reserve(&mut self, ops: usize) {
        self.ops.reserve(ops);
        self.uses.reserve(2 * ops);
        self.values.reserve(ops);
    }
    /// An upper bound of op ids in use, for side tables.
    pub fn op_capacity(&self) -> usize {
        self.ops.len()
    }
    /// An upper bound of value ids in use, for side tables.
    pub fn value_capacity(&self) -> usize {
        self.values.len()
    }

    // ---- ops: creation and removal ----

    /// Creates an op that is in no block yet. Its regions are created empty.
    pub fn create_op(&mut self, state: OpState) -> Op {
        let properties = self.ctx.dict(&state.properties);
        let attrs = self.ctx.dict(&state.attrs);
        let extra = if state.regions == 0 && state.successors.is_empty() {
            0
        } else {
            self.alloc_extra(OpExtra { regions: Vec::new(), successors: state.successors.to_vec() })
        };
        let data = OpData {
            name: state.name,
            loc: state.loc,
            block: None,
            prev: None,
            next: None,
            order: 0,
            properties,
            attrs,
            first_use: 0,
            num_operands: 0,
            first_result: 0,
            num_results: 0,
            extra,
        };
        let op = match self.free_ops.pop() {
            Some(op) => {
                self.ops[op] = data;
                op
            }
            None => self.ops.push(data),
        };
        self.alloc_results(op, &state.result_types);
        self.alloc_operands(op, &state.operands);
        for _ in 0..state.regions {
            self.add_region(op);
        }
        op
    }

    fn alloc_extra(&mut self, extra: OpExtra) -> u32 {
        match self.free_extras.pop() {
            Some(index) => {
                self.extras[index as usize] = extra;
                index + 1
            }
            None => {
                self.extras.push(extra);
                u32::try_from(self.extras.len()).expect("fewer than 2^32 ops with regions")
            }
        }
    }

    fn alloc_results(&mut self, op: Op, types: &[Type]) {
        let count = types.len();
        let reused = self.free_values.get_mut(count).filter(|_| count > 0).and_then(Vec::pop);
        let first = reused.unwrap_or(self.values.len() as u32);
        for (index, &ty) in types.iter().enumerate() {
            let def = ValueDef::Result { op, index: index as u32 };
            let data = ValueData { ty, def, first_use: None };
            if reused.is_some() {
                self.values[Value::from_index(first as usize + index)] = data;
            } else {
                self.values.push(data);
            }
        }
        let data = &mut self.ops[op];
        data.first_result = first;
        data.num_results = count as u32;
    }

    fn alloc_operands(&mut self, op: Op, operands: &[Value]) {
        let count = operands.len();
        let reused = self.free_uses.get_mut(count).filter(|_| count > 0).and_then(Vec::pop);
        let first = reused.unwrap_or(self.uses.len() as u32);
        for (index, &value) in operands.iter().enumerate() {
            let data = UseData { value: None, owner: op, prev: None, next: None };
            let id = Use::from_index(first as usize + index);
            if reused.is_some() {
                self.uses[id] = data;
            } else {
                self.uses.push(data);
            }
            self.link_use(id, value);
        }
        let data = &mut self.ops[op];
        data.first_use = first;
        data.num_operands = count as u32;
    }

    fn release_operands(&mut self, op: Op) {
        let (first, count) = (self.ops[op].first_use, self.ops[op].num_operands as usize);
        for index in 0..count {
            self.unlink_use(Use::from_index(first as usize + index));
        }
        if count > 0 {
            push_free(&mut self.free_uses, count, first);
        }
        self.ops[op].num_operands = 0;
    }

    fn link_use(&mut self, id: Use, value: Value) {
        let head = self.values[value].first_use.replace(id);
        if let Some(head) = head {
            self.uses[head].prev = Some(id);
        }
        let data = &mut self.uses[id];
        data.value = Some(value);
        data.prev = None;
        data.next = head;
    }

    fn unlink_use(&mut self, id: Use) {
        let UseData { value, prev, next, .. } = self.uses[id];
        let Some(value) = value else { return };
        match prev {
            Some(prev) => self.uses[prev].next = next,
            None => self.values[value].first_use = next,
        }
        if let Some(next) = next {
            self.uses[next].prev = prev;
        }
        self.uses[id].value = None;
    }

    /// Erases an op, everything inside it, and its uses of other values.
    ///
    /// # Panics
    /// If a result is still used outside the op.
    pub fn erase_op(&mut self, op: Op) {
        self.drop_contents(op);
        for result in self.results(op) {
            assert!(!self.has_uses(result), "erased `{}` while its result is used", self.op_name_str(op));
        }
        self.detach_op(op);
        self.free_op(op);
    }

    /// Drops operands of `op` and of everything inside, then erases everything inside.
    fn drop_contents(&mut self, op: Op) {
        self.release_operands(op);
        // Iterative over the nesting: first release all uses inside, then free all entities inside.
        let mut inside = Vec::new();
        self.collect_inside(op, &mut inside);
        for &nested in &inside {
            self.release_operands(nested);
        }
        for &nested in inside.iter().rev() {
            self.free_op(nested);
        }
        if let Some(extra) = self.extra_mut(op) {
            extra.regions.clear();
            extra.successors.clear();
        }
    }

    fn collect_inside(&self, op: Op, out: &mut Vec<Op>) {
        let mut pending: Vec<Region> = self.regions(op).to_vec();
        while let Some(region) = pending.pop() {
            for block in self.blocks(region) {
                for nested in self.ops(block) {
                    out.push(nested);
                    pending.extend_from_slice(self.regions(nested));
                }
            }
        }
    }

    fn free_op(&mut self, op: Op) {
        let data = &mut self.ops[op];
        let (first, count) = (data.first_result, data.num_results as usize);
        data.num_results = 0;
        data.block = None;
        if data.extra != 0 {
            let index = data.extra - 1;
            data.extra = 0;
            self.extras[index as usize] = OpExtra::default();
            self.free_extras.push(index);
        }
        for index in 0..count {
            self.names.remove(&Value::from_index(first as usize + index));
        }
        if count > 0 {
            push_free(&mut self.free_values, count, first);
        }
        self.free_ops.push(op);
    }

    // ---- ops: reading ----

    /// Interned name.
    #[inline]
    pub fn op_name(&self, op: Op) -> OpName {
        self.ops[op].name
    }
    /// Name as text.
    pub fn op_name_str(&self, op: Op) -> &str {
        self.ctx.op_name_str(self.ops[op].name)
    }
    /// Definition, where the dialect is registered.
    #[inline]
    pub fn info(&self, op: Op) -> Option<&OpInfo> {
        self.ctx.op_info(self.ops[op].name)
    }
    /// Whether the op is registered and has a trait.
    #[inline]
    pub fn has_trait(&self, op: Op, t: Trait) -> bool {
        self.info(op).is_some_and(|info| info.has(t))
    }
    /// The op's model of an interface (a `dyn Trait`).
    pub fn interface<I: ?Sized + Sync + 'static>(&self, op: Op) -> Option<&'static I> {
        self.info(op)?.interface()
    }
    /// The op as a `V`, if it is one.
    #[inline]
    pub fn cast<V: OpView>(&self, op: Op) -> Option<V> {
        self.isa::<V>(op).then(|| V::from_op(op))
    }
    /// Whether the op is a `V`.
    #[inline]
    pub fn isa<V: OpView>(&self, op: Op) -> bool {
        self.info(op).is_some_and(OpInfo::is_view::<V>)
    }
    /// The op defining `value`, as a `V`.
    pub fn def_as<V: OpView>(&self, value: Value) -> Option<V> {
        self.defining_op(value).and_then(|op| self.cast(op))
    }
    /// Location.
    #[inline]
    pub fn loc(&self, op: Op) -> Loc {
        self.ops[op].loc
    }
    /// Sets the location.
    pub fn set_loc(&mut self, op: Op, loc: Loc) {
        self.ops[op].loc = loc;
    }

    // ---- operands and results ----

    /// Number of operands.
    #[inline]
    pub fn num_operands(&self, op: Op) -> usize {
        self.ops[op].num_operands as usize
    }
    /// The `index`-th operand.
    #[inline]
    pub fn operand(&self, op: Op, index: usize) -> Value {
        let data = &self.ops[op];
        assert!(index < data.num_operands as usize, "operand {index} of `{}`", self.op_name_str(op));
        self.uses[Use::from_index(data.first_use as usize + index)]
            .value
            .expect("operands of live ops are set")
    }
    /// All operands.
    #[inline]
    pub fn operands(&self, op: Op) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + '_ {
        let data = &self.ops[op];
        let first = data.first_use as usize;
        (first..first + data.num_operands as usize)
            .map(|index| self.uses[Use::from_index(index)].value.expect("operands of live ops are set"))
    }
    /// Replaces one operand.
    pub fn set_operand(&mut self, op: Op, index: usize, value: Value) {
        let data = &self.ops[op];
        assert!(index < data.num_operands as usize, "operand {index} of `{}`", self.op_name_str(op));
        self.set_use(Use::from_index(data.first_use as usize + index), value);
    }
    /// Replaces all operands; their number may change.
    pub fn set_operands(&mut self, op: Op, values: &[Value]) {
        if values.len() == self.num_operands(op) {
            for (index, &value) in values.iter().enumerate() {
                self.set_operand(op, index, value);
            }
            return;
        }
        self.release_operands(op);
        self.alloc_operands(op, values);
    }
    /// Points a use slot at another value.
    pub fn set_use(&mut self, id: Use, value: Value) {
        if self.uses[id].value != Some(value) {
            self.unlink_use(id);
            self.link_use(id, value);
        }
    }
    /// Number of results.
    #[inline]
    pub fn num_results(&self, op: Op) -> usize {
        self.ops[op].num_results as usize
    }
    /// The `index`-th result.
    #[inline]
    pub fn result(&self, op: Op, index: usize) -> Value {
        let data = &self.ops[op];
        assert!(index < data.num_results as usize, "result {index} of `{}`", self.op_name_str(op));
        Value::from_index(data.first_result as usize + index)
    }
    /// All results.
    #[inline]
    pub fn results(&self, op: Op) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + use<> {
        let data = &self.ops[op];
        let first = data.first_result as usize;
        (first..first + data.num_results as usize).map(Value::from_index)
    }

    // ---- values ----

    /// Type.
    #[inline]
    pub fn value_type(&self, value: Value) -> Type {
        self.values[value].ty
    }
    /// Changes the type; uses are not checked.
    pub fn set_value_type(&mut self, value: Value, ty: Type) {
        self.values[value].ty = ty;
    }
    /// Where the value comes from.
    #[inline]
    pub fn value_def(&self, value: Value) -> ValueDef {
        self.values[value].def
    }
    /// The op whose result it is; `None` for block arguments.
    #[inline]
    pub fn defining_op(&self, value: Value) -> Option<Op> {
        match self.values[value].def {
            ValueDef::Result { op, .. } => Some(op),
            ValueDef::Argument { .. } => None,
        }
    }
    /// The block it is defined in.
    pub fn value_block(&self, value: Value) -> Option<Block> {
        match self.values[value].def {
            ValueDef::Result { op, .. } => self.block_of(op),
            ValueDef::Argument { block, .. } => Some(block),
        }
    }
    /// Location of the op, or of the block argument.
    pub fn value_loc(&self, value: Value) -> Loc {
        match self.values[value].def {
            ValueDef::Result { op, .. } => self.loc(op),
            ValueDef::Argument { .. } => self.arg_locs.get(&value).copied().unwrap_or(Loc::UNKNOWN),
        }
    }
    /// Whether anything uses it.
    #[inline]
    pub fn has_uses(&self, value: Value) -> bool {
        self.values[value].first_use.is_some()
    }
    /// Whether exactly one operand uses it.
    pub fn has_one_use(&self, value: Value) -> bool {
        self.values[value].first_use.is_some_and(|id| self.uses[id].next.is_none())
    }
    /// All use slots, latest first.
    pub fn uses(&self, value: Value) -> impl Iterator<Item = Use> + '_ {
        std::iter::successors(self.values[value].first_use, |&id| self.uses[id].next)
    }
    /// The op a use slot belongs to.
    pub fn use_owner(&self, id: Use) -> Op {
        self.uses[id].owner
    }
    /// The operand position of a use slot.
    pub fn use_index(&self, id: Use) -> usize {
        id.index() - self.ops[self.uses[id].owner].first_use as usize
    }
    /// The ops that use it (an op that uses it twice comes twice).
    pub fn users(&self, value: Value) -> impl Iterator<Item = Op> + '_ {
        self.uses(value).map(|id| self.uses[id].owner)
    }
    /// Makes every use of `from` a use of `to`.
    pub fn replace_all_uses(&mut self, from: Value, to: Value) {
        if from == to {
            return;
        }
        while let Some(id) = self.values[from].first_use {
            self.set_use(id, to);
        }
    }
    /// Makes the uses of `from` for which `choose` holds uses of `to`.
    pub fn replace_uses_if(&mut self, from: Value, to: Value, mut choose: impl FnMut(&Ir, Use) -> bool) {
        let chosen: Vec<Use> = self.uses(from).collect();
        for id in chosen {
            if choose(self, id) {
                self.set_use(id, to);
            }
        }
    }
    /// Replaces an op's results by other values and erases it.
    pub fn replace_op(&mut self, op: Op, values: &[Value]) {
        assert_eq!(values.len(), self.num_results(op), "one replacement per result");
        for (result, &value) in self.results(op).zip(values) {
            self.replace_all_uses(result, value);
        }
        self.erase_op(op);
    }
    /// The name a value had in the source text, without `%`.
    pub fn value_name(&self, value: Value) -> Option<Ident> {
        self.names.get(&value).copied()
    }
    /// Names a value for the text form, without `%`.
    pub fn set_value_name(&mut self, value: Value, name: Ident) {
        self.names.insert(value, name);
    }

    // ---- attributes ----

    /// The inherent attributes (MLIR: properties).
    pub fn properties(&self, op: Op) -> Dict {
        self.ops[op].properties
    }
    /// The discardable attributes.
    pub fn discardable_attrs(&self, op: Op) -> Dict {
        self.ops[op].attrs
    }
    /// Replaces the inherent attributes.
    pub fn set_properties(&mut self, op: Op, dict: Dict) {
        self.ops[op].properties = dict;
    }
    /// Replaces the discardable attributes.
    pub fn set_discardable_attrs(&mut self, op: Op, dict: Dict) {
        self.ops[op].attrs = dict;
    }
    /// The attribute of that name, inherent first.
    #[inline]
    pub fn attr(&self, op: Op, name: Ident) -> Option<Attr> {
        let data = &self.ops[op];
        self.ctx.lookup(data.properties, name).or_else(|| self.ctx.lookup(data.attrs, name))
    }
    /// The attribute of that name, given as text.
    pub fn attr_named(&self, op: Op, name: &str) -> Option<Attr> {
        self.attr(op, self.ctx.ident(name))
    }
    /// The `index`-th inherent attribute of the op's definition.
    pub fn inherent_attr(&self, op: Op, index: usize) -> Option<Attr> {
        let name = *self.info(op)?.attr_names.get(index)?;
        self.attr(op, name)
    }
    /// Sets or removes an attribute; the definition decides whether it is inherent.
    pub fn set_attr(&mut self, op: Op, name: Ident, attr: Option<Attr>) {
        let ctx = self.ctx.clone();
        let inherent = self.info(op).is_some_and(|info| info.is_inherent(name));
        let data = &mut self.ops[op];
        let dict = if inherent { &mut data.properties } else { &mut data.attrs };
        let mut entries = ctx.entries(*dict).to_vec();
        entries.retain(|entry| entry.0 != name);
        entries.extend(attr.map(|attr| (name, attr)));
        *dict = ctx.dict(&entries);
    }
    /// Sets or removes an attribute by the text of its name.
    pub fn set_attr_named(&mut self, op: Op, name: &str, attr: Option<Attr>) {
        let name = self.ctx.ident(name);
        self.set_attr(op, name, attr);
    }
    /// Operand positions of the `group`-th operand field, by the definition and the segment sizes.
    ///
    /// Empty where the op does not have that many operands (an op that does not verify).
    pub fn operand_group(&self, op: Op, group: usize) -> Range<usize> {
        let Some(info) = self.info(op) else { return 0..0 };
        let arities = info.def.operands.iter().map(|operand| operand.arity);
        self.group_range(op, group, arities, info.operand_segments, self.num_operands(op))
    }
    /// Result positions of the `group`-th result field.
    pub fn result_group(&self, op: Op, group: usize) -> Range<usize> {
        let Some(info) = self.info(op) else { return 0..0 };
        let arities = info.def.results.iter().map(|result| result.arity);
        self.group_range(op, group, arities, info.result_segments, self.num_results(op))
    }

    /// Region positions of the `group`-th region field: one, but all that are left for a variadic one (the last).
    pub fn region_group(&self, op: Op, group: usize) -> Range<usize> {
        let fields = self.info(op).map_or(&[][..], |info| info.def.regions);
        last_group(fields.get(group).map(|field| field.arity), group, self.regions(op).len())
    }
    /// Successor positions of the `group`-th successor field, likewise.
    pub fn successor_group(&self, op: Op, group: usize) -> Range<usize> {
        let fields = self.info(op).map_or(&[][..], |info| info.def.successors);
        last_group(fields.get(group).map(|field| field.arity), group, self.successors(op).len())
    }

    fn group_range(
        &self,
        op: Op,
        group: usize,
        arities: impl ExactSizeIterator<Item = crate::def::Arity> + Clone,
        segments: Option<Ident>,
        total: usize,
    ) -> Range<usize> {
        if let Some(name) = segments {
            let sizes = self.attr(op, name).and_then(|attr| attr.as_dense_i64(&self.ctx)).unwrap_or_default();
            let size = |index: usize| sizes.get(index).copied().unwrap_or(0).max(0) as usize;
            let start: usize = (0..group).map(size).sum();
            let start = start.min(total);
            return start..(start + size(group)).min(total);
        }
        let fields = arities.len();
        let loose = arities.clone().position(|arity| arity != crate::def::Arity::One);
        let flexible = (total + usize::from(loose.is_some())).saturating_sub(fields);
        let range = match loose {
            Some(at) if group == at => group..group + flexible,
            Some(at) if group > at => group + flexible - 1..group + flexible,
            _ => group..group + 1,
        };
        range.start.min(total)..range.end.min(total)
    }

    // ---- regions and successors ----

    fn extra_mut(&mut self, op: Op) -> Option<&mut OpExtra> {
        let index = self.ops[op].extra;
        (index != 0).then(|| &mut self.extras[index as usize - 1])
    }
    /// The op's regions.
    #[inline]
    pub fn regions(&self, op: Op) -> &[Region] {
        match self.ops[op].extra {
            0 => &[],
            index => &self.extras[index as usize - 1].regions,
        }
    }
    /// The `index`-th region.
    pub fn region(&self, op: Op, index: usize) -> Region {
        self.regions(op)[index]
    }
    /// The op's successors.
    #[inline]
    pub fn successors(&self, op: Op) -> &[Block] {
        match self.ops[op].extra {
            0 => &[],
            index => &self.extras[index as usize - 1].successors,
        }
    }
    /// Replaces the op's successors.
    pub fn set_successors(&mut self, op: Op, blocks: &[Block]) {
        if self.ops[op].extra == 0 {
            self.ops[op].extra = self.alloc_extra(OpExtra::default());
        }
        if let Some(extra) = self.extra_mut(op) {
            extra.successors = blocks.to_vec();
        }
    }
    /// Adds an empty region to an op.
    pub fn add_region(&mut self, op: Op) -> Region {
        let region = self.regions.push(RegionData { parent: Some(op), first: None, last: None });
        if self.ops[op].extra == 0 {
            self.ops[op].extra = self.alloc_extra(OpExtra::default());
        }
        if let Some(extra) = self.extra_mut(op) {
            extra.regions.push(region);
        }
        region
    }
    /// Creates a region that is in no op yet (readers meet regions before their op).
    pub fn create_region(&mut self) -> Region {
        self.regions.push(RegionData { parent: None, first: None, last: None })
    }
    /// Puts a detached region at the end of an op's regions.
    pub fn attach_region(&mut self, op: Op, region: Region) {
        if self.ops[op].extra == 0 {
            self.ops[op].extra = self.alloc_extra(OpExtra::default());
        }
        self.regions[region].parent = Some(op);
        if let Some(extra) = self.extra_mut(op) {
            extra.regions.push(region);
        }
    }
    /// The op a region belongs to.
    pub fn region_parent(&self, region: Region) -> Option<Op> {
        self.regions[region].parent
    }
    /// First block.
    #[inline]
    pub fn entry_block(&self, region: Region) -> Option<Block> {
        self.regions[region].first
    }
    /// Blocks in order.
    pub fn blocks(&self, region: Region) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.regions[region].first, |&block| self.blocks[block].next)
    }
    /// The block after this one in its region.
    #[inline]
    pub fn next_block(&self, block: Block) -> Option<Block> {
        self.blocks[block].next
    }
    /// Moves all blocks of `from` to the end of `to`.
    pub fn move_blocks(&mut self, from: Region, to: Region) {
        let blocks: Vec<Block> = self.blocks(from).collect();
        for block in blocks {
            self.detach_block(block);
            self.append_block(to, block);
        }
    }

    // ---- blocks ----

    /// Creates a block that is in no region yet.
    pub fn create_block(&mut self, arg_types: &[Type]) -> Block {
        let data =
            BlockData { region: None, prev: None, next: None, first: None, last: None, args: Vec::new() };
        let block = self.blocks.push(data);
        for &ty in arg_types {
            self.add_block_arg(block, ty, Loc::UNKNOWN);
        }
        block
    }
    /// Creates a block at the end of a region.
    pub fn add_block(&mut self, region: Region, arg_types: &[Type]) -> Block {
        let block = self.create_block(arg_types);
        self.append_block(region, block);
        block
    }
    /// Puts a detached block at the end of a region.
    pub fn append_block(&mut self, region: Region, block: Block) {
        let last = self.regions[region].last.replace(block);
        match last {
            Some(last) => self.blocks[last].next = Some(block),
            None => self.regions[region].first = Some(block),
        }
        let data = &mut self.blocks[block];
        data.region = Some(region);
        data.prev = last;
        data.next = None;
    }
    /// Puts a detached block right after another.
    pub fn insert_block_after(&mut self, block: Block, after: Block) {
        let region = self.blocks[after].region.expect("the block is in a region");
        let next = self.blocks[after].next.replace(block);
        match next {
            Some(next) => self.blocks[next].prev = Some(block),
            None => self.regions[region].last = Some(block),
        }
        let data = &mut self.blocks[block];
        data.region = Some(region);
        data.prev = Some(after);
        data.next = next;
    }
    /// Takes a block out of its region.
    pub fn detach_block(&mut self, block: Block) {
        let BlockData { region, prev, next, .. } = self.blocks[block];
        let Some(region) = region else { return };
        match prev {
            Some(prev) => self.blocks[prev].next = next,
            None => self.regions[region].first = next,
        }
        match next {
            Some(next) => self.blocks[next].prev = prev,
            None => self.regions[region].last = prev,
        }
        let data = &mut self.blocks[block];
        data.region = None;
        data.prev = None;
        data.next = None;
    }
    /// Erases a block and its ops. Nothing outside may use their values.
    pub fn erase_block(&mut self, block: Block) {
        let ops: Vec<Op> = self.ops(block).collect();
        for &op in ops.iter().rev() {
            self.erase_op(op);
        }
        self.detach_block(block);
    }
    /// The region a block is in.
    #[inline]
    pub fn block_region(&self, block: Block) -> Option<Region> {
        self.blocks[block].region
    }
    /// The op whose region a block is in.
    pub fn block_parent(&self, block: Block) -> Option<Op> {
        self.block_region(block).and_then(|region| self.region_parent(region))
    }
    /// The block's arguments.
    #[inline]
    pub fn block_args(&self, block: Block) -> &[Value] {
        &self.blocks[block].args
    }
    /// Adds an argument.
    pub fn add_block_arg(&mut self, block: Block, ty: Type, loc: Loc) -> Value {
        let index = self.blocks[block].args.len() as u32;
        let value =
            self.values.push(ValueData { ty, def: ValueDef::Argument { block, index }, first_use: None });
        self.blocks[block].args.push(value);
        if loc != Loc::UNKNOWN {
            self.arg_locs.insert(value, loc);
        }
        value
    }
    /// Removes an unused argument.
    pub fn erase_block_arg(&mut self, block: Block, index: usize) {
        let value = self.blocks[block].args.remove(index);
        assert!(!self.has_uses(value), "erased a block argument that is used");
        self.names.remove(&value);
        for position in index..self.blocks[block].args.len() {
            let arg = self.blocks[block].args[position];
            self.values[arg].def = ValueDef::Argument { block, index: position as u32 };
        }
    }
    /// The name a block had in the source text, without `^`.
    pub fn block_name(&self, block: Block) -> Option<Ident> {
        self.block_names.get(&block).copied()
    }
    /// Names a block for the text form, without `^`.
    pub fn set_block_name(&mut self, block: Block, name: Ident) {
        self.block_names.insert(block, name);
    }
    /// First op.
    #[inline]
    pub fn first_op(&self, block: Block) -> Option<Op> {
        self.blocks[block].first
    }
    /// Last op.
    #[inline]
    pub fn last_op(&self, block: Block) -> Option<Op> {
        self.blocks[block].last
    }
    /// Ops in order.
    pub fn ops(&self, block: Block) -> impl Iterator<Item = Op> + '_ {
        std::iter::successors(self.blocks[block].first, |&op| self.ops[op].next)
    }
    /// Ops in reverse order.
    pub fn ops_reversed(&self, block: Block) -> impl Iterator<Item = Op> + '_ {
        std::iter::successors(self.blocks[block].last, |&op| self.ops[op].prev)
    }

    // ---- position of ops ----

    /// The block an op is in.
    #[inline]
    pub fn block_of(&self, op: Op) -> Option<Block> {
        self.ops[op].block
    }
    /// The op whose region an op is in.
    #[inline]
    pub fn parent_op(&self, op: Op) -> Option<Op> {
        self.block_of(op).and_then(|block| self.block_parent(block))
    }
    /// The op itself, its parent, the parent's parent and so on.
    pub fn ancestors(&self, op: Op) -> impl Iterator<Item = Op> + '_ {
        std::iter::successors(Some(op), |&op| self.parent_op(op))
    }
    /// Whether `op` is `ancestor` or lies inside it.
    pub fn is_inside(&self, op: Op, ancestor: Op) -> bool {
        self.ancestors(op).any(|candidate| candidate == ancestor)
    }
    /// The op after this one.
    #[inline]
    pub fn next_op(&self, op: Op) -> Option<Op> {
        self.ops[op].next
    }
    /// The op before this one.
    #[inline]
    pub fn prev_op(&self, op: Op) -> Option<Op> {
        self.ops[op].prev
    }
    /// Whether `first` comes before `second`; both are in the same block.
    #[inline]
    pub fn is_before(&self, first: Op, second: Op) -> bool {
        self.ops[first].order < self.ops[second].order
    }
    /// Puts a detached op at the end of a block.
    pub fn append_op(&mut self, block: Block, op: Op) {
        let last = self.blocks[block].last.replace(op);
        match last {
            Some(last) => self.ops[last].next = Some(op),
            None => self.blocks[block].first = Some(op),
        }
        let order = last.map_or(Some(ORDER_STRIDE), |last| self.ops[last].order.checked_add(ORDER_STRIDE));
        let data = &mut self.ops[op];
        data.block = Some(block);
        data.prev = last;
        data.next = None;
        match order {
            Some(order) => data.order = order,
            None => self.renumber(block),
        }
    }
    /// Puts a detached op right before another.
    pub fn insert_before(&mut self, op: Op, before: Op) {
        let block = self.ops[before].block.expect("the op is in a block");
        let prev = self.ops[before].prev.replace(op);
        match prev {
            Some(prev) => self.ops[prev].next = Some(op),
            None => self.blocks[block].first = Some(op),
        }
        let low = prev.map_or(0, |prev| self.ops[prev].order);
        let high = self.ops[before].order;
        let data = &mut self.ops[op];
        data.block = Some(block);
        data.prev = prev;
        data.next = Some(before);
        data.order = low + (high - low) / 2;
        if data.order == low {
            self.make_room(op);
        }
    }
    /// Spreads order numbers around `op`, which has its predecessor's, over the smallest range that is sparse enough.
    ///
    /// What counts as sparse falls with the size of the range, so that inserting at one place over and over costs a
    /// logarithmic number of steps each (Bender, Cole, Demaine, Farach-Colton, Zito: Two simplified algorithms for
    /// maintaining order in a list, 2002).
    fn make_room(&mut self, op: Op) {
        const OVERFLOW: f64 = 1.15;
        let label = u64::from(self.ops[op].order);
        let (mut first, mut last, mut count, mut limit) = (op, op, 1u64, 1.0);
        for bits in 1..=32 {
            limit *= 2.0 / OVERFLOW;
            let size = 1u64 << bits;
            let base = label & !(size - 1);
            let within = |ir: &Ir, op: Op| (base..base + size).contains(&u64::from(ir.ops[op].order));
            while let Some(prev) = self.ops[first].prev.filter(|&prev| within(self, prev)) {
                first = prev;
                count += 1;
            }
            while let Some(next) = self.ops[last].next.filter(|&next| within(self, next)) {
                last = next;
                count += 1;
            }
            if count as f64 <= limit {
                let step = size / count;
                let mut order = base + step / 2;
                let mut cursor = Some(first);
                while let Some(op) = cursor.filter(|_| order < base + size) {
                    self.ops[op].order = order as u32;
                    order += step;
                    cursor = if op == last { None } else { self.ops[op].next };
                }
                return;
            }
        }
        if let Some(block) = self.ops[op].block {
            self.renumber(block);
        }
    }
    fn renumber(&mut self, block: Block) {
        // A block too long for the usual stride is numbered densely.
        let count = self.ops(block).count() as u64;
        let stride = u64::from(ORDER_STRIDE).min(u64::from(u32::MAX) / (count + 1)).max(1);
        let mut order = 0u64;
        let mut cursor = self.blocks[block].first;
        while let Some(op) = cursor {
            order += stride;
            self.ops[op].order = order as u32;
            cursor = self.ops[op].next;
        }
    }
    /// Takes an op out of its block, keeping it whole.
    pub fn detach_op(&mut self, op: Op) {
        let OpData { block, prev, next, .. } = self.ops[op];
        let Some(block) = block else { return };
        match prev {
            Some(prev) => self.ops[prev].next = next,
            None => self.blocks[block].first = next,
        }
        match next {
            Some(next) => self.ops[next].prev = prev,
            None => self.blocks[block].last = prev,
        }
        let data = &mut self.ops[op];
        data.block = None;
        data.prev = None;
        data.next = None;
    }
    /// Moves an op right before another.
    pub fn move_before(&mut self, op: Op, before: Op) {
        self.detach_op(op);
        self.insert_before(op, before);
    }
    /// Moves an op to the end of a block.
    pub fn move_to_end(&mut self, op: Op, block: Block) {
        self.detach_op(op);
        self.append_op(block, op);
    }
    /// Moves all ops of `from` before `before`, replaces the arguments of `from` by `args` and erases `from`.
    pub fn inline_block_before(&mut self, from: Block, before: Op, args: &[Value]) {
        assert_eq!(args.len(), self.block_args(from).len(), "one value per block argument");
        for (index, &value) in args.iter().enumerate() {
            self.replace_all_uses(self.blocks[from].args[index], value);
        }
        while let Some(op) = self.first_op(from) {
            self.move_before(op, before);
        }
        self.erase_block(from);
    }

    // ---- walking ----

    /// `root` and every op inside it, each before what is inside it.
    pub fn walk(&self, root: Op) -> Vec<Op> {
        let mut out = Vec::new();
        self.walk_with(root, &mut |op| out.push(op));
        out
    }
    /// Calls `visit` on `root` and every op inside it, each before what is inside it.
    pub fn walk_with(&self, root: Op, visit: &mut impl FnMut(Op)) {
        // An explicit stack: nesting depth is the input's, not the host stack's.
        let mut pending = vec![root];
        while let Some(op) = pending.pop() {
            visit(op);
            let start = pending.len();
            for &region in self.regions(op) {
                for block in self.blocks(region) {
                    pending.extend(self.ops(block));
                }
            }
            pending[start..].reverse();
        }
    }
}

fn last_group(arity: Option<crate::def::Arity>, group: usize, total: usize) -> Range<usize> {
    let start = group.min(total);
    match arity {
        None => 0..0,
        Some(crate::def::Arity::One) => start..(start + 1).min(total),
        Some(_) => start..total,
    }
}

fn push_free(free: &mut Vec<Vec<u32>>, count: usize, first: u32) {
    // Long runs are rare; keeping lists for them would cost more than their slots.
    const LONGEST: usize = 64;
    if count > LONGEST {
        return;
    }
    if free.len() <= count {
        free.resize_with(count + 1, Vec::new);
    }
    free[count].push(first);
}
