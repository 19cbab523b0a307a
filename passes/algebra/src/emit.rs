//! From terms back to ops.
//!
//! Every subterm is made in the outermost body all of whose variables are there: what does not depend on the elements of
//! a combinator is made before it, once. Equal terms in one place are one op. This is where invariants are hoisted; it
//! is safe since terms have no effects and cannot stop the program.

use crate::join::{Joint, Joints};
use crate::load::Loaded;
use crate::term::{Graph, Head, Node, lambda, visit};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::combinator::{Flavour, Parts};
use segra_array::soac::{YieldOp, row_types};
use segra_ir::stack::deep;
use segra_ir::{Block, Builder, Ident, Ir, Loc, Op, OpState, Type, Value};

/// A body under construction.
struct Level {
    block: Block,
    /// Number of parameters around and of it.
    depth: u32,
    args: Vec<Value>,
    made: FxHashMap<(Id, u32), Value>,
}

/// The flavour of the combinators that are terms with a head.
fn flavour_of(head: Head) -> Flavour {
    match head {
        Head::Reduce => Flavour::Reduce,
        Head::Scan(exclusive) => Flavour::Scan { exclusive },
        _ => Flavour::Map,
    }
}

/// Makes terms before ops of one block, in order.
pub(crate) struct Emitter<'a> {
    pub(crate) ir: &'a mut Ir,
    pub(crate) graph: &'a Graph,
    pub(crate) loaded: &'a Loaded,
    /// Ops made at the level of the block, in order.
    pub(crate) new: Vec<Op>,
    /// Where they go.
    pub(crate) place: Op,
    pub(crate) loc: Loc,
    origins: FxHashMap<Id, (Option<Ident>, Loc)>,
    made: FxHashMap<Id, Value>,
    levels: Vec<Level>,
    joints: &'a Joints,
    /// First members of joints that are being made.
    started: FxHashSet<Id>,
    /// Blocks that are in no op yet, in the order they were begun.
    open: Vec<Block>,
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(
        ir: &'a mut Ir,
        graph: &'a Graph,
        loaded: &'a Loaded,
        joints: &'a Joints,
        place: Op,
    ) -> Emitter<'a> {
        let loc = ir.loc(place);
        Emitter {
            ir,
            graph,
            loaded,
            new: Vec::new(),
            place,
            loc,
            origins: loaded.origins(graph),
            made: FxHashMap::default(),
            levels: Vec::new(),
            joints,
            started: FxHashSet::default(),
            open: Vec::new(),
        }
    }

    /// Erases all that was made.
    pub(crate) fn discard(self) {
        self.open
            .into_iter()
            .rev()
            .for_each(|block| self.ir.erase_block(block));
        self.new
            .into_iter()
            .rev()
            .for_each(|op| self.ir.erase_op(op));
    }

    /// The value of a closed term, made before the place unless it is there.
    pub(crate) fn closed(&mut self, class: Id) -> Option<Value> {
        self.term(class, 0)
    }

    /// How many levels around the innermost variable a term uses there are, its own included; 0: none is used.
    fn level_of(&self, free: u64, depth: u32) -> usize {
        if free == 0 {
            return 0;
        }
        let at = depth.saturating_sub(free.trailing_zeros());
        self.levels
            .iter()
            .position(|level| at <= level.depth)
            .map_or(self.levels.len(), |position| position + 1)
    }

    fn term(&mut self, class: Id, depth: u32) -> Option<Value> {
        deep(|| self.term_here(class, depth))
    }

    fn term_here(&mut self, class: Id, depth: u32) -> Option<Value> {
        let class = self.graph.find(class);
        let known = &self.graph[class].data;
        let level = self.level_of(known.free, depth);
        if let Some(value) = self.known(class, depth, level) {
            return Some(value);
        }
        let outer = self.loc;
        self.loc = self.origins.get(&class).map_or(outer, |origin| origin.1);
        let joint = self
            .joints
            .get(&class)
            .filter(|joint| self.fits(joint, depth, level))
            .cloned();
        let Some(joint) = joint else {
            let value = self.node(&known.best, known.ty, depth, level)?;
            self.loc = outer;
            self.keep(class, value, depth, level);
            return Some(value);
        };
        let values = self.joint(&joint, depth, level)?;
        self.loc = outer;
        for (member, value) in joint.members.iter().zip(values) {
            self.keep(member.class, value, depth, level);
        }
        self.known(class, depth, level)
    }

    /// The ops made of a term at a level.
    fn known(&self, class: Id, depth: u32, level: usize) -> Option<Value> {
        match level {
            0 => self.made.get(&class).copied(),
            level => self.levels[level - 1].made.get(&(class, depth)).copied(),
        }
    }

    /// Names what a term was made, and remembers it.
    fn keep(&mut self, class: Id, value: Value, depth: u32, level: usize) {
        if let Some(&(Some(name), _)) = self.origins.get(&class)
            && !matches!(
                self.graph[class].data.best.head,
                Head::Leaf(_) | Head::Var(..)
            )
        {
            self.ir.set_value_name(value, name);
        }
        match level {
            0 => self.made.insert(class, value),
            level => self.levels[level - 1].made.insert((class, depth), value),
        };
    }

    /// Whether all members of a joint can be made where one of them is.
    fn fits(&self, joint: &Joint, depth: u32, level: usize) -> bool {
        joint.members.iter().all(|member| {
            self.level_of(self.graph[member.class].data.free, depth) == level
                && self.known(member.class, depth, level).is_none()
                && is_available(self.ir, self.graph, self.loaded, member.class, self.place)
        })
    }

    fn node(&mut self, node: &Node, ty: Type, depth: u32, level: usize) -> Option<Value> {
        match node.head {
            Head::Leaf(number) => self.loaded.leaves.get(number as usize).copied(),
            Head::Var(index, _) => {
                let own = self.levels.get(level.checked_sub(1)?)?;
                own.args
                    .get((index + own.depth).checked_sub(depth)? as usize)
                    .copied()
            }
            Head::Lam(_) => None,
            Head::Prim(number) => {
                let prim = *self.graph.analysis.prims.get(number as usize)?;
                let mut state = OpState::new(prim.name, self.loc);
                for &child in &node.children {
                    state.operands.push(self.term(child, depth)?);
                }
                state.result_types.push(prim.result);
                let op = self.ir.create_op(state);
                self.ir.set_properties(op, prim.properties);
                self.put(op, level);
                Some(self.ir.result(op, 0))
            }
            Head::Map | Head::Reduce | Head::Scan(_) => self.combinator(node, ty, depth, level),
        }
    }

    fn put(&mut self, op: Op, level: usize) {
        match level.checked_sub(1).and_then(|at| self.levels.get(at)) {
            Some(level) => self.ir.append_op(level.block, op),
            None => {
                self.ir.insert_before(op, self.place);
                self.new.push(op);
            }
        }
    }

    fn combinator(&mut self, node: &Node, ty: Type, depth: u32, level: usize) -> Option<Value> {
        let first = if node.head == Head::Map { 1 } else { 3 };
        let mut arrays = Vec::new();
        for &array in &node.children[first..] {
            arrays.push(self.term(array, depth)?);
        }
        let rows = row_types(self.ir, &arrays);
        if node.head == Head::Map {
            let body = self.function(node.children[0], &rows, depth)?;
            let parts = Parts::new(Flavour::Map, arrays, Some(body));
            return Some(self.build(&parts, &[ty], level));
        }
        let neutral = self.term(node.children[1], depth)?;
        let unit = self.ir.value_type(neutral);
        let combine = self.function(node.children[0], &[unit, unit], depth)?;
        let plain = lambda(self.graph, node.children[2]).is_some_and(|(params, body)| {
            params == 1 && matches!(self.graph[body].data.best.head, Head::Var(0, _))
        });
        let body = match plain {
            true => None,
            false => Some(self.function(node.children[2], &rows, depth)?),
        };
        let parts = Parts {
            start: vec![neutral],
            combine: Some(combine),
            ..Parts::new(flavour_of(node.head), arrays, body)
        };
        Some(self.build(&parts, &[ty], level))
    }

    /// A combinator of blocks made for it. Its first result.
    fn build(&mut self, parts: &Parts, types: &[Type], level: usize) -> Value {
        let blocks = [parts.body, parts.combine];
        self.open.retain(|&open| !blocks.contains(&Some(open)));
        let op = parts.build_as(&mut Builder::before(self.ir, self.place), types);
        segra_array::start::write_neutral(self.ir, op);
        self.settle(op, level)
    }

    fn begin(&mut self, args: &[Type]) -> Block {
        let block = self.ir.create_block(args);
        self.open.push(block);
        block
    }

    /// A joint as one combinator; the members' values.
    fn joint(&mut self, joint: &Joint, depth: u32, level: usize) -> Option<Vec<Value>> {
        let first = joint.members.first()?;
        // Terms of two joints that need each other both ways are no joints.
        if !self.started.insert(first.class) {
            return None;
        }
        let mut arrays = Vec::new();
        for &array in &joint.arrays {
            arrays.push(self.term(array, depth)?);
        }
        let combined: Vec<(Id, Id)> = joint
            .members
            .iter()
            .filter_map(|member| member.combine)
            .collect();
        let mut start = Vec::new();
        for &(_, unit) in &combined {
            start.push(self.term(unit, depth)?);
        }
        let rows = row_types(self.ir, &arrays);
        let functions: Vec<Id> = joint.members.iter().map(|member| member.function).collect();
        let body = self.functions(&functions, &rows, depth)?;
        let mut combine = None;
        if !combined.is_empty() {
            let operators: Vec<Id> = combined.iter().map(|row| row.0).collect();
            let units: Vec<Type> = start.iter().map(|&unit| self.ir.value_type(unit)).collect();
            combine = Some(self.operators(&operators, &units, depth)?);
        }
        let parts = Parts {
            start,
            combine,
            ..Parts::new(flavour_of(first.head), arrays, Some(body))
        };
        let types: Vec<Type> = joint
            .members
            .iter()
            .map(|member| self.graph[member.class].data.ty)
            .collect();
        let value = self.build(&parts, &types, level);
        self.started.remove(&first.class);
        let op = self.ir.defining_op(value)?;
        Some(self.ir.results(op).collect())
    }

    /// Builders put a combinator before the place: puts it where it belongs.
    fn settle(&mut self, op: Op, level: usize) -> Value {
        self.ir.set_loc(op, self.loc);
        self.ir.detach_op(op);
        self.put(op, level);
        self.ir.result(op, 0)
    }

    /// A lambda as a block over values of these types.
    fn function(&mut self, class: Id, rows: &[Type], depth: u32) -> Option<Block> {
        self.functions(&[class], rows, depth)
    }

    /// Lambdas over the same values as one block that yields what each gives.
    fn functions(&mut self, classes: &[Id], rows: &[Type], depth: u32) -> Option<Block> {
        let block = self.begin(rows);
        let args = self.ir.block_args(block).to_vec();
        let inner = depth + args.len() as u32;
        self.levels.push(Level {
            block,
            depth: inner,
            args,
            made: FxHashMap::default(),
        });
        let mut values = Vec::new();
        for &class in classes {
            let body =
                lambda(self.graph, class).filter(|&(params, _)| params as usize == rows.len());
            values.extend(body.and_then(|(_, body)| self.term(body, inner)));
        }
        self.levels.pop();
        self.yielding(block, &values, classes.len())
    }

    /// Operators side by side in one block: first all left arguments, then all right ones.
    fn operators(&mut self, classes: &[Id], units: &[Type], depth: u32) -> Option<Block> {
        let block = self.begin(&[units, units].concat());
        let args = self.ir.block_args(block).to_vec();
        let mut values = Vec::new();
        for (at, &class) in classes.iter().enumerate() {
            let args = vec![args[at], args[units.len() + at]];
            self.levels.push(Level {
                block,
                depth: depth + 2,
                args,
                made: FxHashMap::default(),
            });
            let body = lambda(self.graph, class).filter(|&(params, _)| params == 2);
            values.extend(body.and_then(|(_, body)| self.term(body, depth + 2)));
            self.levels.pop();
        }
        self.yielding(block, &values, classes.len())
    }

    /// Ends a block, if all that it should yield is there.
    fn yielding(&mut self, block: Block, values: &[Value], wanted: usize) -> Option<Block> {
        YieldOp::build(&mut Builder::at_end(self.ir, block, self.loc), values);
        (values.len() == wanted).then_some(block)
    }
}

/// Whether all leaves of a term's representative are there before `place`.
pub(crate) fn is_available(ir: &Ir, graph: &Graph, loaded: &Loaded, class: Id, place: Op) -> bool {
    let mut available = true;
    visit(graph, &[class], &mut FxHashSet::default(), |_, node| {
        if let Head::Leaf(number) = node.head {
            let def = loaded
                .leaves
                .get(number as usize)
                .and_then(|&value| ir.defining_op(value));
            available &= def.is_none_or(|def| {
                ir.block_of(def) != ir.block_of(place) || ir.is_before(def, place)
            });
        }
        available
    });
    available
}
