//! From terms back to ops.
//!
//! Every subterm is made in the outermost body all of whose variables are there: what does not depend on the elements of
//! a combinator is made before it, once. Equal terms in one place are one op. This is where invariants are hoisted; it
//! is safe since terms have no effects and cannot stop the program.

use crate::load::Loaded;
use crate::term::{Graph, Head, Node, lambda};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::soac::{MapOp, RedomapOp, ReduceOp, ScanOp, ScanomapOp, YieldOp, row_types};
use segra_ir::{Block, Builder, Ident, Ir, Loc, Op, OpState, OpView, Type, Value};

/// A body under construction.
struct Level {
    block: Block,
    /// Number of parameters around and of it.
    depth: u32,
    args: Vec<Value>,
    made: FxHashMap<(Id, u32), Value>,
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
}

impl<'a> Emitter<'a> {
    pub(crate) fn new(ir: &'a mut Ir, graph: &'a Graph, loaded: &'a Loaded, place: Op) -> Emitter<'a> {
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
        }
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
        let class = self.graph.find(class);
        let known = &self.graph[class].data;
        let level = self.level_of(known.free, depth);
        let key = (class, if level == 0 { 0 } else { depth });
        let made = match level {
            0 => self.made.get(&class),
            level => self.levels[level - 1].made.get(&key),
        };
        if let Some(&value) = made {
            return Some(value);
        }
        let outer = self.loc;
        let origin = self.origins.get(&class).copied();
        self.loc = origin.map_or(outer, |origin| origin.1);
        let value = self.node(&known.best, known.ty, depth, level)?;
        self.loc = outer;
        if let Some((Some(name), _)) = origin
            && !matches!(known.best.head, Head::Leaf(_) | Head::Var(..))
        {
            self.ir.set_value_name(value, name);
        }
        match level {
            0 => self.made.insert(class, value),
            level => self.levels[level - 1].made.insert(key, value),
        };
        Some(value)
    }

    fn node(&mut self, node: &Node, ty: Type, depth: u32, level: usize) -> Option<Value> {
        match node.head {
            Head::Leaf(number) => self.loaded.leaves.get(number as usize).copied(),
            Head::Var(index, _) => {
                let own = self.levels.get(level.checked_sub(1)?)?;
                own.args.get((index + own.depth).checked_sub(depth)? as usize).copied()
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
            let map = MapOp::build(&mut Builder::before(self.ir, self.place), &arrays, &[ty]);
            let region = map.body(self.ir);
            self.ir.append_block(region, body);
            return Some(self.settle(map.op(), level));
        }
        let neutral = self.term(node.children[1], depth)?;
        let unit = self.ir.value_type(neutral);
        let combine = self.function(node.children[0], &[unit, unit], depth)?;
        let plain = lambda(self.graph, node.children[2]).is_some_and(|(params, body)| {
            params == 1 && matches!(self.graph[body].data.best.head, Head::Var(0, _))
        });
        let body = if plain { None } else { Some(self.function(node.children[2], &rows, depth)?) };
        let mut b = Builder::before(self.ir, self.place);
        let exclusive = (node.head == Head::Scan(true)).then(|| b.ctx().unit());
        let (op, regions) = match (node.head == Head::Reduce, body) {
            (true, None) => {
                let op = ReduceOp::build(&mut b, &arrays, &[neutral], &[ty]);
                (op.op(), vec![(op.combine(b.ir), combine)])
            }
            (true, Some(body)) => {
                let op = RedomapOp::build(&mut b, &arrays, &[neutral], &[ty]);
                (op.op(), vec![(op.body(b.ir), body), (op.combine(b.ir), combine)])
            }
            (false, None) => {
                let op = ScanOp::build(&mut b, exclusive, &arrays, &[neutral], &[ty]);
                (op.op(), vec![(op.combine(b.ir), combine)])
            }
            (false, Some(body)) => {
                let op = ScanomapOp::build(&mut b, exclusive, &arrays, &[neutral], &[ty]);
                (op.op(), vec![(op.body(b.ir), body), (op.combine(b.ir), combine)])
            }
        };
        for (region, block) in regions {
            self.ir.append_block(region, block);
        }
        Some(self.settle(op, level))
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
        let (params, body) = lambda(self.graph, class)?;
        if params as usize != rows.len() {
            return None;
        }
        let block = self.ir.create_block(rows);
        let args = self.ir.block_args(block).to_vec();
        self.levels.push(Level { block, depth: depth + params, args, made: FxHashMap::default() });
        let value = self.term(body, depth + params);
        self.levels.pop();
        YieldOp::build(&mut Builder::at_end(self.ir, block, self.loc), &[value?]);
        Some(block)
    }
}

/// Whether all leaves of a term's representative are there before `place`.
pub(crate) fn is_available(
    ir: &Ir,
    graph: &Graph,
    loaded: &Loaded,
    class: Id,
    place: Op,
    seen: &mut FxHashSet<Id>,
) -> bool {
    let mut pending = vec![class];
    while let Some(class) = pending.pop() {
        let class = graph.find(class);
        if !seen.insert(class) {
            continue;
        }
        let node = &graph[class].data.best;
        if let Head::Leaf(number) = node.head {
            let def = loaded.leaves.get(number as usize).and_then(|&value| ir.defining_op(value));
            if def.is_some_and(|def| ir.block_of(def) == ir.block_of(place) && !ir.is_before(def, place)) {
                return false;
            }
        }
        pending.extend(&node.children);
    }
    true
}
