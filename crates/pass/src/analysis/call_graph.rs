//! The call graph: which calls reach which callables, and which callables may also be reached in unknown ways.

use super::Analysis;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::interfaces::{CallLike, Callable, SymbolOp};
use segra_ir::symbol::{SymbolTables, is_nested};
use segra_ir::{Attr, AttrKind, Context, Dict, Ir, Op, Region};

/// A callable.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Calls of it, in the order of the text.
    pub callers: Vec<Op>,
    /// Calls inside it that reach a known callable, in the order of the text.
    pub calls: Vec<Op>,
    /// Whether something else than these calls may reach it: it is not private, or something refers to it that is no
    /// call.
    pub escapes: bool,
}

/// The callables with a body inside one op (and that op), and the calls between them.
#[derive(Clone, Debug, Default)]
pub struct CallGraph {
    nodes: FxHashMap<Op, Node>,
    order: Vec<Op>,
    callees: FxHashMap<Op, Op>,
}

impl Analysis for CallGraph {
    fn compute(ir: &Ir, op: Op) -> CallGraph {
        CallGraph::of(ir, op)
    }
}

impl CallGraph {
    /// The call graph of everything inside `root`.
    pub fn of(ir: &Ir, root: Op) -> CallGraph {
        let mut graph = CallGraph::default();
        let ops = ir.walk(root);
        // In a whole program every use of a nested symbol is seen.
        let whole = ir.parent_op(root).is_none();
        for &op in &ops {
            if body(ir, op).is_some() {
                let private = ir
                    .interface::<dyn SymbolOp>(op)
                    .is_some_and(|symbol| symbol.is_private(ir, op) || whole && is_nested(ir, op));
                graph.nodes.insert(
                    op,
                    Node {
                        escapes: op == root || !private,
                        ..Node::default()
                    },
                );
                graph.order.push(op);
            }
        }
        let mut tables = SymbolTables::new();
        let mut references = References::default();
        for &op in &ops {
            graph.add_uses(ir, op, &mut tables, &mut references);
        }
        graph
    }
    fn add_uses(
        &mut self,
        ir: &Ir,
        op: Op,
        tables: &mut SymbolTables,
        references: &mut References,
    ) {
        let callee = ir
            .interface::<dyn CallLike>(op)
            .and_then(|call| call.callee(ir, op));
        let mut called = false;
        for dict in [ir.properties(op), ir.discardable_attrs(op)] {
            for &reference in references.of(ir.ctx(), dict) {
                let Some(target) = tables.resolve(ir, op, reference) else {
                    continue;
                };
                let Some(node) = self.nodes.get_mut(&target) else {
                    continue;
                };
                if !called && callee.is_some() && reference.as_symbol(ir.ctx()) == callee {
                    called = true;
                    node.callers.push(op);
                    self.callees.insert(op, target);
                    let from = ir
                        .ancestors(op)
                        .skip(1)
                        .find(|around| self.nodes.contains_key(around));
                    if let Some(from) = from.and_then(|from| self.nodes.get_mut(&from)) {
                        from.calls.push(op);
                    }
                } else {
                    node.escapes = true;
                }
            }
        }
    }
    /// The callables, in the order of the text.
    pub fn callables(&self) -> &[Op] {
        &self.order
    }
    /// The knowledge about a callable.
    pub fn node(&self, callable: Op) -> Option<&Node> {
        self.nodes.get(&callable)
    }
    /// The callable a call reaches; `None`: it is not known, has no body, or lies outside.
    pub fn callee(&self, call: Op) -> Option<Op> {
        self.callees.get(&call).copied()
    }
    /// Strongly connected components, callees before their callers (Tarjan 1972).
    pub fn components(&self) -> Vec<Vec<Op>> {
        Components::new(self).run()
    }
}

/// The body of a callable that has one.
pub fn body(ir: &Ir, op: Op) -> Option<Region> {
    ir.interface::<dyn Callable>(op)?.callable_region(ir, op)
}

/// Symbol references by dictionary, each dictionary looked at once.
#[derive(Debug, Default)]
struct References {
    known: FxHashMap<Dict, Vec<Attr>>,
}

impl References {
    fn of(&mut self, ctx: &Context, dict: Dict) -> &[Attr] {
        self.known.entry(dict).or_insert_with(|| {
            let mut found = Vec::new();
            let mut seen = FxHashSet::default();
            let mut pending: Vec<Attr> = ctx.entries(dict).iter().map(|entry| entry.1).collect();
            while let Some(attr) = pending.pop() {
                match ctx.attr_kind(attr) {
                    AttrKind::SymbolRef { .. } => found.push(attr),
                    AttrKind::Array(items) if seen.insert(attr) => pending.extend(items),
                    AttrKind::Dict(inner) => {
                        pending.extend(ctx.entries(*inner).iter().map(|entry| entry.1))
                    }
                    _ => {}
                }
            }
            found
        })
    }
}

struct Components<'a> {
    graph: &'a CallGraph,
    index: FxHashMap<Op, usize>,
    low: FxHashMap<Op, usize>,
    stack: Vec<Op>,
    on_stack: FxHashSet<Op>,
    out: Vec<Vec<Op>>,
}

impl<'a> Components<'a> {
    fn new(graph: &'a CallGraph) -> Self {
        Components {
            graph,
            index: FxHashMap::default(),
            low: FxHashMap::default(),
            stack: Vec::new(),
            on_stack: FxHashSet::default(),
            out: Vec::new(),
        }
    }
    fn run(mut self) -> Vec<Vec<Op>> {
        for &op in &self.graph.order {
            if !self.index.contains_key(&op) {
                self.visit(op);
            }
        }
        self.out
    }
    fn open(&mut self, op: Op) {
        let number = self.index.len();
        self.index.insert(op, number);
        self.low.insert(op, number);
        self.stack.push(op);
        self.on_stack.insert(op);
    }
    /// Depth first with an explicit stack: chains of calls are as long as the input likes.
    fn visit(&mut self, start: Op) {
        self.open(start);
        let mut path = vec![(start, 0usize)];
        while let Some((op, next)) = path.pop() {
            let calls = self
                .graph
                .nodes
                .get(&op)
                .map_or(&[][..], |node| &node.calls);
            if let Some(&call) = calls.get(next) {
                path.push((op, next + 1));
                let Some(callee) = self.graph.callee(call) else {
                    continue;
                };
                if !self.index.contains_key(&callee) {
                    self.open(callee);
                    path.push((callee, 0));
                } else if self.on_stack.contains(&callee) {
                    let reached = self.index[&callee];
                    self.lower(op, reached);
                }
                continue;
            }
            if let Some(&(parent, _)) = path.last() {
                let low = self.low[&op];
                self.lower(parent, low);
            }
            if self.low[&op] == self.index[&op] {
                let mut component = Vec::new();
                while let Some(member) = self.stack.pop() {
                    self.on_stack.remove(&member);
                    component.push(member);
                    if member == op {
                        break;
                    }
                }
                component.reverse();
                self.out.push(component);
            }
        }
    }
    fn lower(&mut self, op: Op, to: usize) {
        if let Some(low) = self.low.get_mut(&op) {
            *low = (*low).min(to);
        }
    }
}
