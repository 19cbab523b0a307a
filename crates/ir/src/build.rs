//! Construction: the ingredients of an op, and a builder that inserts ops at a point.

use crate::attrs::Attr;
use crate::context::{Context, Ident, OpName};
use crate::def::OpDef;
use crate::location::Loc;
use crate::store::{Block, Ir, Op, Region, Value};
use crate::types::Type;
use smallvec::SmallVec;

/// The ingredients of an op about to be created.
#[derive(Clone, Debug)]
pub struct OpState {
    /// Name.
    pub name: OpName,
    /// Location.
    pub loc: Loc,
    /// Operands.
    pub operands: SmallVec<[Value; 4]>,
    /// Result types.
    pub result_types: SmallVec<[Type; 2]>,
    /// Inherent attributes.
    pub properties: SmallVec<[(Ident, Attr); 2]>,
    /// Discardable attributes.
    pub attrs: SmallVec<[(Ident, Attr); 2]>,
    /// Number of regions.
    pub regions: usize,
    /// Successors.
    pub successors: SmallVec<[Block; 2]>,
}

impl OpState {
    /// An op with nothing but a name and a location.
    pub fn new(name: OpName, loc: Loc) -> OpState {
        OpState {
            name,
            loc,
            operands: SmallVec::new(),
            result_types: SmallVec::new(),
            properties: SmallVec::new(),
            attrs: SmallVec::new(),
            regions: 0,
            successors: SmallVec::new(),
        }
    }
    /// The inherent or discardable attribute of that name.
    pub fn attr(&self, ctx: &Context, name: &str) -> Option<Attr> {
        let name = ctx.ident(name);
        self.properties
            .iter()
            .chain(&self.attrs)
            .find(|entry| entry.0 == name)
            .map(|entry| entry.1)
    }
}

/// Where new ops go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InsertPoint {
    /// At the end of a block.
    End(Block),
    /// Right before an op.
    Before(Op),
}

/// Creates ops at an insertion point, all with one location.
#[derive(Debug)]
pub struct Builder<'a> {
    /// The program.
    pub ir: &'a mut Ir,
    /// Where new ops go.
    pub point: InsertPoint,
    /// Location of new ops.
    pub loc: Loc,
}

impl<'a> Builder<'a> {
    /// A builder at `point`.
    pub fn new(ir: &'a mut Ir, point: InsertPoint, loc: Loc) -> Builder<'a> {
        Builder { ir, point, loc }
    }
    /// A builder at the end of a block.
    pub fn at_end(ir: &'a mut Ir, block: Block, loc: Loc) -> Builder<'a> {
        Builder::new(ir, InsertPoint::End(block), loc)
    }
    /// A builder right before an op, with that op's location.
    pub fn before(ir: &'a mut Ir, op: Op) -> Builder<'a> {
        let loc = ir.loc(op);
        Builder::new(ir, InsertPoint::Before(op), loc)
    }
    /// The context.
    pub fn ctx(&self) -> &Context {
        self.ir.ctx()
    }
    /// Creates an op at the insertion point.
    pub fn insert(&mut self, state: OpState) -> Op {
        let op = self.ir.create_op(state);
        self.insert_detached(op);
        op
    }
    /// Creates an op that is chosen when the compiler runs; where it is known, its constructor is the better way.
    pub fn insert_op(
        &mut self,
        def: &OpDef,
        operands: &[Value],
        result_types: &[Type],
        properties: &[(&str, Attr)],
    ) -> Op {
        let ctx = self.ir.context();
        let mut state = OpState::new(ctx.op_name(def.name), self.loc);
        state.operands.extend_from_slice(operands);
        state.result_types.extend_from_slice(result_types);
        let named = properties
            .iter()
            .map(|&(name, attr)| (ctx.ident(name), attr));
        state.properties.extend(named);
        self.insert(state)
    }
    /// Puts a detached op at the insertion point.
    pub fn insert_detached(&mut self, op: Op) {
        match self.point {
            InsertPoint::End(block) => self.ir.append_op(block, op),
            InsertPoint::Before(before) => self.ir.insert_before(op, before),
        }
    }
    /// Adds a block to the end of `region` and builds into it; the insertion point comes back afterwards.
    pub fn build_block<R>(
        &mut self,
        region: Region,
        arg_types: &[Type],
        body: impl FnOnce(&mut Builder<'_>, &[Value]) -> R,
    ) -> R {
        let block = self.ir.add_block(region, arg_types);
        let args = self.ir.block_args(block).to_vec();
        let mut inner = Builder {
            ir: self.ir,
            point: InsertPoint::End(block),
            loc: self.loc,
        };
        body(&mut inner, &args)
    }
    /// Type of a value.
    pub fn type_of(&self, value: Value) -> Type {
        self.ir.value_type(value)
    }
}
