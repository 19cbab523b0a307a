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
//! Here: the arenas, making and erasing ops. `attributes`: attributes and fields of ops; `values`: operands, results, uses; `structure`: regions
//! and blocks; `position`: order of ops; `built`: names and dictionaries of ops that are built; `detached`: isolated ops in a program of their own.
//!
//! Deliberately absent: any knowledge of what ops mean (see [`crate::interfaces`]) and any check (see
//! [`mod@crate::verify`]): a program under construction may be invalid.

mod attributes;
mod built;
mod detached;
mod position;
mod structure;
mod values;

use crate::attrs::{Attr, Dict};
use crate::build::OpState;
use crate::context::{Context, Ident, OpName};
use crate::def::{OpInfo, OpView, Trait};
use crate::entity::{EntityId, NearMap, PrimaryMap, SecondaryMap};
use crate::location::Loc;
use crate::opaque::TypeOrAttr;
use crate::signature::SignatureId;
use crate::types::Type;
use built::Built;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

pub use detached::{DetachedCopy, DetachedScratch};

entity_id!(
    /// An operation.
    Op, "op"
);
entity_id!(
    /// A basic block: a list of ops and its arguments (never a thread block).
    Block, "block"
);
entity_id!(
    /// A region: a list of blocks inside an op.
    Region, "region"
);
entity_id!(
    /// A value: a result of an op or an argument of a block.
    Value, "value"
);
entity_id!(
    /// A use slot: one operand of one op.
    Use, "use"
);

/// Distance between order numbers of neighbouring ops, so that insertions rarely renumber.
const ORDER_STRIDE: u32 = 64;

/// The fields of an op without its regions and successors.
#[derive(Clone, Debug)]
pub(crate) struct OpData {
    pub(crate) name: OpName,
    loc: Loc,
    pub(crate) block: Option<Block>,
    pub(crate) prev: Option<Op>,
    pub(crate) next: Option<Op>,
    pub(crate) order: u32,
    pub(crate) properties: Dict,
    pub(crate) attrs: Dict,
    first_use: u32,
    pub(crate) num_operands: u32,
    pub(crate) first_result: u32,
    pub(crate) num_results: u32,
    /// Index + 1 into `extras`; 0 when the op has neither regions nor successors.
    extra: u32,
    /// The number of its signature, where the reader knew it and nothing of the signature changed since.
    pub(crate) signature: Option<SignatureId>,
}

impl OpData {
    /// Whether it never had regions or successors.
    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.extra == 0
    }
    /// How many operands and results it has.
    #[inline]
    pub(crate) fn num_values(&self) -> usize {
        self.num_operands as usize + self.num_results as usize
    }
}

#[derive(Clone, Debug, Default)]
struct OpExtra {
    regions: SmallVec<[Region; 2]>,
    successors: SmallVec<[Block; 2]>,
}

/// The fields of a use slot without the value that is used, which most walks read alone.
#[derive(Clone, Debug)]
struct UseData {
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
    args: SmallVec<[Value; 2]>,
}

#[derive(Clone, Debug)]
struct RegionData {
    parent: Option<Op>,
    first: Option<Block>,
    last: Option<Block>,
}

/// The ingredients of an op without regions and successors, its attributes interned already.
#[derive(Clone, Copy, Debug)]
pub struct PlainOp<'a> {
    /// Its name.
    pub name: OpName,
    /// Where it comes from.
    pub loc: Loc,
    /// Its operands.
    pub operands: &'a [Value],
    /// Types of its results.
    pub result_types: &'a [Type],
    /// Its inherent attributes.
    pub properties: Dict,
    /// Its discardable attributes.
    pub attrs: Dict,
    /// The number of the signature that all this makes, where it is known.
    pub signature: Option<SignatureId>,
}

/// One program and the root op everything hangs from.
#[derive(Clone, Debug)]
pub struct Ir {
    ctx: Arc<Context>,
    root: Option<Op>,
    ops: PrimaryMap<Op, OpData>,
    uses: PrimaryMap<Use, UseData>,
    /// The value each slot uses.
    used: PrimaryMap<Use, Option<Value>>,
    values: PrimaryMap<Value, ValueData>,
    blocks: PrimaryMap<Block, BlockData>,
    regions: PrimaryMap<Region, RegionData>,
    extras: Vec<OpExtra>,
    /// Dense: text that is read names nearly every value.
    names: SecondaryMap<Value, Option<Ident>>,
    block_names: NearMap<Block, Ident>,
    built: Built,
    resources: crate::resource::Resources,
    alias_names: FxHashMap<TypeOrAttr, Ident>,
    /// Dense: text that is read gives every argument a place.
    arg_locs: SecondaryMap<Value, Option<Loc>>,
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
            used: PrimaryMap::default(),
            values: PrimaryMap::default(),
            blocks: PrimaryMap::default(),
            regions: PrimaryMap::default(),
            extras: Vec::new(),
            names: SecondaryMap::default(),
            block_names: NearMap::default(),
            built: Built::default(),
            resources: crate::resource::Resources::default(),
            alias_names: FxHashMap::default(),
            arg_locs: SecondaryMap::default(),
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
    /// Data the program's file carries beside it.
    pub fn resources(&self) -> &crate::resource::Resources {
        &self.resources
    }
    /// Data the program's file carries beside it, to change.
    pub fn resources_mut(&mut self) -> &mut crate::resource::Resources {
        &mut self.resources
    }
    /// Names of opaque types and attributes where they are written as aliases; two of one name are numbered.
    pub fn alias_names(&self) -> &FxHashMap<TypeOrAttr, Ident> {
        &self.alias_names
    }
    /// The names of aliases of opaque types and attributes, to change.
    pub fn alias_names_mut(&mut self) -> &mut FxHashMap<TypeOrAttr, Ident> {
        &mut self.alias_names
    }
    /// Bytes held by the arenas, for measurements.
    pub fn memory_bytes(&self) -> usize {
        self.ops.capacity_bytes()
            + self.uses.capacity_bytes()
            + self.used.capacity_bytes()
            + self.values.capacity_bytes()
            + self.blocks.capacity_bytes()
            + self.regions.capacity_bytes()
            + self.extras.capacity() * size_of::<OpExtra>()
    }
    /// Space for `ops` more ops with their usual operands and results.
    pub fn reserve(&mut self, ops: usize) {
        self.ops.reserve(ops);
        self.uses.reserve(2 * ops);
        self.used.reserve(2 * ops);
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
        let properties = self.dict(&state.properties);
        let attrs = self.dict(&state.attrs);
        let op = self.create_plain_op(PlainOp {
            name: state.name,
            loc: state.loc,
            operands: &state.operands,
            result_types: &state.result_types,
            properties,
            attrs,
            signature: None,
        });
        if !state.successors.is_empty() {
            self.set_successors(op, &state.successors);
        }
        for _ in 0..state.regions {
            self.add_region(op);
        }
        op
    }

    /// The name of ops of a definition.
    pub(crate) fn name_of(&mut self, def: &'static crate::def::OpDef) -> OpName {
        self.built.name(&self.ctx, def)
    }
    /// Interns a dictionary.
    pub(crate) fn dict(&mut self, entries: &[(Ident, Attr)]) -> Dict {
        self.built.dict(&self.ctx, entries)
    }

    /// Creates an op without regions and successors that is in no block yet.
    pub fn create_plain_op(&mut self, plain: PlainOp<'_>) -> Op {
        let reused = self.free_ops.pop();
        let op = reused.unwrap_or_else(|| Op::from_index(self.ops.len()));
        let data = OpData {
            name: plain.name,
            loc: plain.loc,
            block: None,
            prev: None,
            next: None,
            order: 0,
            properties: plain.properties,
            attrs: plain.attrs,
            first_use: self.alloc_operands(op, plain.operands),
            num_operands: plain.operands.len() as u32,
            first_result: self.alloc_results(op, plain.result_types),
            num_results: plain.result_types.len() as u32,
            extra: 0,
            signature: plain.signature,
        };
        match reused {
            Some(op) => self.ops[op] = data,
            None => {
                self.ops.push(data);
            }
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

    /// Makes an op's results; the index of the first.
    fn alloc_results(&mut self, op: Op, types: &[Type]) -> u32 {
        let count = types.len();
        let data = |(index, &ty): (usize, &Type)| {
            let def = ValueDef::Result {
                op,
                index: index as u32,
            };
            ValueData {
                ty,
                def,
                first_use: None,
            }
        };
        let rows = types.iter().enumerate().map(data);
        match take_free(&mut self.free_values, count) {
            Some(first) => {
                for (index, row) in rows.enumerate() {
                    self.values[Value::from_index(first as usize + index)] = row;
                }
                first
            }
            None => self.values.extend(rows),
        }
    }

    /// Makes an op's use slots; the index of the first.
    fn alloc_operands(&mut self, op: Op, operands: &[Value]) -> u32 {
        let reused = take_free(&mut self.free_uses, operands.len());
        let first = reused.unwrap_or(self.uses.len() as u32);
        for (index, &value) in operands.iter().enumerate() {
            let id = Use::from_index(first as usize + index);
            let next = self.values[value].first_use.replace(id);
            if let Some(next) = next {
                self.uses[next].prev = Some(id);
            }
            let data = UseData {
                owner: op,
                prev: None,
                next,
            };
            if reused.is_some() {
                (self.uses[id], self.used[id]) = (data, Some(value));
            } else {
                self.uses.push(data);
                self.used.push(Some(value));
            }
        }
        first
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
        self.used[id] = Some(value);
        let data = &mut self.uses[id];
        data.prev = None;
        data.next = head;
    }

    fn unlink_use(&mut self, id: Use) {
        let Some(value) = self.used[id].take() else {
            return;
        };
        let UseData { prev, next, .. } = self.uses[id];
        match prev {
            Some(prev) => self.uses[prev].next = next,
            None => self.values[value].first_use = next,
        }
        if let Some(next) = next {
            self.uses[next].prev = prev;
        }
    }

    /// Erases an op, everything inside it, and its uses of other values.
    ///
    /// # Panics
    /// If a result is still used outside the op.
    pub fn erase_op(&mut self, op: Op) {
        self.drop_contents(op);
        for result in self.results(op) {
            assert!(
                !self.has_uses(result),
                "erased `{}` while its result is used",
                self.op_name_str(op)
            );
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
            self.names.reset(Value::from_index(first as usize + index));
        }
        if count > 0 {
            push_free(&mut self.free_values, count, first);
        }
        self.free_ops.push(op);
    }

    // ---- ops: reading ----

    /// The fields of an op without its regions and successors, in one look.
    #[inline]
    pub(crate) fn row(&self, op: Op) -> &OpData {
        &self.ops[op]
    }
    /// Asks for the row of an op that is likely walked soon after this one, so that it is in a cache by then: ops mostly
    /// lie in the order in which they are walked, but which is next is known from the one before only.
    #[inline]
    pub(crate) fn fetch_ahead(&self, op: Op) {
        const AHEAD: usize = 16;
        std::hint::black_box(self.ops.get(op.index() + AHEAD).map_or(0, |row| row.order));
    }
    /// The operands of a row.
    #[inline]
    pub(crate) fn row_operands(
        &self,
        row: &OpData,
    ) -> impl DoubleEndedIterator<Item = Value> + ExactSizeIterator + '_ {
        let slots = self.used.run(row.first_use, row.num_operands);
        slots
            .iter()
            .map(|value| value.expect("operands of live ops are set"))
    }
    /// The types of the results of a row.
    #[inline]
    pub(crate) fn row_result_types(
        &self,
        row: &OpData,
    ) -> impl ExactSizeIterator<Item = Type> + '_ {
        self.values
            .run(row.first_result, row.num_results)
            .iter()
            .map(|value| value.ty)
    }
    /// The regions of a row.
    #[inline]
    pub(crate) fn row_regions(&self, row: &OpData) -> &[Region] {
        match row.extra {
            0 => &[],
            index => &self.extras[index as usize - 1].regions,
        }
    }
    /// Says that an op has the signature of that number: what it is called, its attributes and the types of its values.
    pub fn set_signature(&mut self, op: Op, signature: SignatureId) {
        self.ops[op].signature = Some(signature);
    }

    /// Whether an op never had regions or successors.
    #[inline]
    pub fn is_plain(&self, op: Op) -> bool {
        self.ops[op].is_plain()
    }
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
}

/// A free run of so many slots.
fn take_free(free: &mut [Vec<u32>], count: usize) -> Option<u32> {
    if count == 0 {
        None
    } else {
        free.get_mut(count)?.pop()
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
