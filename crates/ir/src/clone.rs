//! Copies of ops with everything inside, under a mapping of values.

use crate::build::{Builder, OpState};
use crate::entity::NearMap;
use crate::store::{Block, Ir, Op, Region, Value};
use crate::type_arguments::TypeArguments;
use crate::types::Type;

/// Which value or block stands for which in a copy. A value without a mapping is its own image.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    values: NearMap<Value, Value>,
    blocks: NearMap<Block, Block>,
    types: Option<TypeArguments>,
}

impl Mapping {
    /// A mapping that changes nothing.
    pub fn new() -> Mapping {
        Mapping::default()
    }
    /// A mapping that replaces the names in types.
    pub fn with_types(types: TypeArguments) -> Mapping {
        Mapping {
            types: Some(types),
            ..Mapping::default()
        }
    }
    fn ty(&mut self, ir: &Ir, value: Value) -> Type {
        let ty = ir.value_type(value);
        self.types
            .as_mut()
            .map_or(ty, |types| types.instantiate(ir.ctx(), ty))
    }
    /// Maps a value.
    pub fn map(&mut self, from: Value, to: Value) {
        self.values.insert(from, to);
    }
    /// Maps values pairwise.
    pub fn map_all(&mut self, from: &[Value], to: &[Value]) {
        assert_eq!(from.len(), to.len(), "values are mapped pairwise");
        self.values
            .extend(from.iter().copied().zip(to.iter().copied()));
    }
    /// The image of `value`.
    pub fn get(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }
    /// The image of each of `values`.
    pub fn get_all(&self, values: impl IntoIterator<Item = Value>) -> Vec<Value> {
        values.into_iter().map(|value| self.get(value)).collect()
    }
}

impl Builder<'_> {
    /// Copies `op` and everything inside to the insertion point; the mapping learns the copy's results.
    pub fn clone_op(&mut self, op: Op, mapping: &mut Mapping) -> Op {
        let copy = clone_shell(self.ir, op, mapping);
        self.insert_detached(copy);
        clone_regions(self.ir, op, copy, mapping);
        copy
    }
    /// Copies the ops of `block` but its terminator to the insertion point, its arguments standing for `args`.
    /// Returns what the terminator's operands stand for.
    pub fn clone_block_body(
        &mut self,
        block: Block,
        args: &[Value],
        mapping: &mut Mapping,
    ) -> Vec<Value> {
        let formal = self.ir.block_args(block).to_vec();
        mapping.map_all(&formal, args);
        let ops: Vec<Op> = self.ir.ops(block).collect();
        let Some((&terminator, body)) = ops.split_last() else {
            return Vec::new();
        };
        for &op in body {
            self.clone_op(op, mapping);
        }
        mapping.get_all(self.ir.operands(terminator))
    }
}

fn clone_shell(ir: &mut Ir, op: Op, mapping: &mut Mapping) -> Op {
    let mut state = OpState::new(ir.op_name(op), ir.loc(op));
    state.operands = ir.operands(op).map(|value| mapping.get(value)).collect();
    state.result_types = ir.results(op).map(|value| mapping.ty(ir, value)).collect();
    state.regions = ir.regions(op).len();
    state.successors = ir
        .successors(op)
        .iter()
        .map(|block| mapping.blocks.get(block).copied().unwrap_or(*block))
        .collect();
    let (properties, attrs) = (ir.properties(op), ir.discardable_attrs(op));
    let copy = ir.create_op(state);
    ir.set_properties(copy, properties);
    ir.set_discardable_attrs(copy, attrs);
    for (from, to) in ir.results(op).zip(ir.results(copy)) {
        mapping.map(from, to);
        if let Some(name) = ir.value_name(from) {
            ir.set_value_name(to, name);
        }
    }
    copy
}

fn clone_regions(ir: &mut Ir, op: Op, copy: Op, mapping: &mut Mapping) {
    for index in 0..ir.regions(op).len() {
        clone_region(ir, ir.region(op, index), ir.region(copy, index), mapping);
    }
}

/// Copies all blocks of `from` to the end of `to`.
pub fn clone_region(ir: &mut Ir, from: Region, to: Region, mapping: &mut Mapping) {
    let blocks: Vec<Block> = ir.blocks(from).collect();
    for &block in &blocks {
        let copy = ir.add_block(to, &[]);
        for index in 0..ir.block_args(block).len() {
            let arg = ir.block_args(block)[index];
            let ty = mapping.ty(ir, arg);
            let new = ir.add_block_arg(copy, ty, ir.value_loc(arg));
            mapping.map(arg, new);
            if let Some(name) = ir.value_name(arg) {
                ir.set_value_name(new, name);
            }
        }
        mapping.blocks.insert(block, copy);
    }
    // A use may come before its definition (graph regions, loops between blocks): first the shells of all ops, then
    // their operands once every definition is mapped, then what is inside them.
    let mut copies = Vec::new();
    for &block in &blocks {
        let target = mapping.blocks[&block];
        let ops: Vec<Op> = ir.ops(block).collect();
        for op in ops {
            let copy = clone_shell(ir, op, mapping);
            ir.append_op(target, copy);
            copies.push((op, copy));
        }
    }
    for &(op, copy) in &copies {
        let operands = mapping.get_all(ir.operands(op));
        ir.set_operands(copy, &operands);
        clone_regions(ir, op, copy, mapping);
    }
}
