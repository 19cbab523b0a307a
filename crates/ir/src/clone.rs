//! Copies of ops with everything inside, under a mapping of values; within a program, or from one to another.

use crate::build::{Builder, OpState};
use crate::entity::NearMap;
use crate::location::Loc;
use crate::store::{Block, Ir, Op, Region, Value};
use crate::type_arguments::TypeArguments;
use crate::types::Type;

/// Which value or block stands for which in a copy. A value without a mapping is its own image.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    values: NearMap<Value, Value>,
    blocks: NearMap<Block, Block>,
    types: Option<TypeArguments>,
    loc: Option<Loc>,
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
    /// A mapping that gives all copies one location.
    pub fn with_loc(loc: Loc) -> Mapping {
        Mapping {
            loc: Some(loc),
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
        let copy = clone_shell(self.ir, None, op, mapping);
        self.insert_detached(copy);
        clone_regions(self.ir, None, (op, copy), mapping);
        copy
    }
    /// Copies `op` of another program of the same context to the insertion point. Values from outside of `op` that it uses
    /// must be mapped: those of the other program mean nothing here.
    pub fn copy_op(&mut self, from: &Ir, op: Op, mapping: &mut Mapping) -> Op {
        let copy = clone_shell(self.ir, Some(from), op, mapping);
        let operands = mapping.get_all(from.operands(op));
        self.ir.set_operands(copy, &operands);
        self.insert_detached(copy);
        clone_regions(self.ir, Some(from), (op, copy), mapping);
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

/// The copy without what is inside; without operands where it is of another program. `other` is the program `op` is in, where it is not `ir`.
fn clone_shell(ir: &mut Ir, other: Option<&Ir>, op: Op, mapping: &mut Mapping) -> Op {
    let from = other.unwrap_or(ir);
    let loc = mapping.loc.unwrap_or_else(|| from.loc(op));
    let mut state = OpState::new(from.op_name(op), loc);
    // Values of another program that are not mapped yet are none here: the caller sets operands once they are.
    if other.is_none() {
        state.operands = from.operands(op).map(|value| mapping.get(value)).collect();
    }
    state.result_types = from
        .results(op)
        .map(|value| mapping.ty(from, value))
        .collect();
    state.regions = from.regions(op).len();
    state.successors = from
        .successors(op)
        .iter()
        .map(|block| mapping.blocks.get(block).copied().unwrap_or(*block))
        .collect();
    let (properties, attrs) = (from.properties(op), from.discardable_attrs(op));
    let results = from.results(op);
    let copy = ir.create_op(state);
    ir.set_properties(copy, properties);
    ir.set_discardable_attrs(copy, attrs);
    for (result, image) in results.zip(ir.results(copy)) {
        mapping.map(result, image);
        if let Some(name) = other.unwrap_or(ir).value_name(result) {
            ir.set_value_name(image, name);
        }
    }
    copy
}

fn clone_regions(ir: &mut Ir, other: Option<&Ir>, (op, copy): (Op, Op), mapping: &mut Mapping) {
    for index in 0..other.unwrap_or(ir).regions(op).len() {
        let (from, to) = (
            other.unwrap_or(ir).region(op, index),
            ir.region(copy, index),
        );
        clone_blocks(ir, other, (from, to), mapping);
    }
}

/// Copies all blocks of `from` to the end of `to`.
pub fn clone_region(ir: &mut Ir, from: Region, to: Region, mapping: &mut Mapping) {
    clone_blocks(ir, None, (from, to), mapping);
}

fn clone_blocks(
    ir: &mut Ir,
    other: Option<&Ir>,
    (from, to): (Region, Region),
    mapping: &mut Mapping,
) {
    let blocks: Vec<Block> = other.unwrap_or(ir).blocks(from).collect();
    for &block in &blocks {
        let copy = ir.add_block(to, &[]);
        for index in 0..other.unwrap_or(ir).block_args(block).len() {
            let source = other.unwrap_or(ir);
            let arg = source.block_args(block)[index];
            let (ty, name) = (mapping.ty(source, arg), source.value_name(arg));
            let loc = mapping.loc.unwrap_or_else(|| source.value_loc(arg));
            let new = ir.add_block_arg(copy, ty, loc);
            mapping.map(arg, new);
            if let Some(name) = name {
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
        let ops: Vec<Op> = other.unwrap_or(ir).ops(block).collect();
        for op in ops {
            let copy = clone_shell(ir, other, op, mapping);
            ir.append_op(target, copy);
            copies.push((op, copy));
        }
    }
    for &(op, copy) in &copies {
        let operands = mapping.get_all(other.unwrap_or(ir).operands(op));
        ir.set_operands(copy, &operands);
        clone_regions(ir, other, (op, copy), mapping);
    }
}
