//! Terms of the array level, as nodes of an e-graph.
//!
//! Bound variables are de Bruijn indices: `Var(i)` is the i-th parameter, counted from the innermost lambda outwards,
//! parameters of one lambda in order. So terms that differ only in the names of bound variables are one node, and an
//! equation between open terms holds wherever they stand. Every class keeps a representative, its cheapest known term;
//! what is free in a class is what is free in that.
//!
//! Absent: ops with effects, or that may stop the program. They are leaves. An op with several results is several terms.

use crate::cost::{self, Cost};
use egg::{Analysis, DidMerge, EGraph, Id, Language};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::types::{ArrayType, Size, array_of, sizes_and_element};
use segra_ir::attrs::Dict;
use segra_ir::{Attr, Context, OpName, Type};
use std::sync::Arc;

pub(crate) type Graph = EGraph<Node, Facts>;

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Head {
    /// A value of the program, by number.
    Leaf(u32),
    /// A parameter, by its index, and the number of its type.
    Var(u32, u32),
    /// A function of so many parameters; its body.
    Lam(u32),
    /// A function and arrays.
    Map,
    /// An operator, its neutral element, a function and arrays.
    Reduce,
    /// The same, with prefixes; without their own elements if true.
    Scan(bool),
    /// Any other op, by number.
    Prim(u32),
}

impl Head {
    pub(crate) fn is_combinator(self) -> bool {
        matches!(self, Head::Map | Head::Reduce | Head::Scan(_))
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Node {
    pub(crate) head: Head,
    pub(crate) children: Vec<Id>,
}

impl Node {
    pub(crate) fn new(head: Head, children: impl Into<Vec<Id>>) -> Node {
        Node {
            head,
            children: children.into(),
        }
    }
}

impl Language for Node {
    type Discriminant = Head;
    fn discriminant(&self) -> Head {
        self.head
    }
    fn matches(&self, other: &Node) -> bool {
        self.head == other.head && self.children.len() == other.children.len()
    }
    fn children(&self) -> &[Id] {
        &self.children
    }
    fn children_mut(&mut self) -> &mut [Id] {
        &mut self.children
    }
}

/// An op without regions, apart from its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Prim {
    pub(crate) name: OpName,
    pub(crate) properties: Dict,
    pub(crate) result: Type,
    /// Units of work of one execution.
    pub(crate) work: u64,
}

/// The knowledge about a class.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// Of the value; of the body, for a lambda.
    pub(crate) ty: Type,
    /// The representative: its top, children being classes.
    pub(crate) best: Node,
    /// Its cost as a tree.
    pub(crate) cost: Cost,
    /// Which variables are free in it, by index.
    pub(crate) free: u64,
    /// The combinator whose results share expensive work that it is a result of, or made of, by number.
    pub(crate) family: Option<u32>,
}

/// The analysis, with the tables that heads number into.
pub(crate) struct Facts {
    pub(crate) ctx: Arc<Context>,
    pub(crate) types: Vec<Type>,
    pub(crate) leaves: Vec<Type>,
    pub(crate) prims: Vec<Prim>,
    numbers: FxHashMap<Prim, u32>,
    type_numbers: FxHashMap<Type, u32>,
    /// Classes whose value has more than one use in the program.
    pub(crate) shared: FxHashMap<Id, usize>,
}

/// Variables from this index on are not represented: programs nested deeper stay as they are.
pub(crate) const MOST_VARIABLES: u32 = 60;

impl Facts {
    pub(crate) fn new(ctx: Arc<Context>) -> Facts {
        Facts {
            ctx,
            types: Vec::new(),
            leaves: Vec::new(),
            prims: Vec::new(),
            numbers: FxHashMap::default(),
            type_numbers: FxHashMap::default(),
            shared: FxHashMap::default(),
        }
    }
    pub(crate) fn prim_number(&mut self, prim: Prim) -> u32 {
        let (prims, next) = (&mut self.prims, self.numbers.len() as u32);
        *self.numbers.entry(prim).or_insert_with(|| {
            prims.push(prim);
            next
        })
    }
    pub(crate) fn type_number(&mut self, ty: Type) -> u32 {
        let (types, next) = (&mut self.types, self.type_numbers.len() as u32);
        *self.type_numbers.entry(ty).or_insert_with(|| {
            types.push(ty);
            next
        })
    }
    /// The type of a map's or scan's result.
    fn array_type(&self, arrays: &[Type], row: Type) -> Type {
        let outer = arrays
            .iter()
            .filter_map(|ty| ty.dialect::<ArrayType>(&self.ctx))
            .map(|ty| ty.sizes[0])
            .fold(Size::Unknown, Size::or);
        array_of(&self.ctx, outer, row)
    }
}

impl Analysis<Node> for Facts {
    type Data = Known;

    fn make(graph: &mut Graph, node: &Node, _: Id) -> Known {
        let types: Vec<Type> = node.children.iter().map(|&id| graph[id].data.ty).collect();
        let facts = &graph.analysis;
        let ty = match node.head {
            Head::Leaf(number) => facts.leaves[number as usize],
            Head::Var(_, ty) => facts.types[ty as usize],
            Head::Lam(_) => types[0],
            Head::Map => facts.array_type(&types[1..], types[0]),
            Head::Reduce => types[1],
            Head::Scan(_) => facts.array_type(&types[3..], types[1]),
            Head::Prim(number) => facts.prims[number as usize].result,
        };
        let cost = cost::of_node(graph, node, ty);
        let free = node
            .children
            .iter()
            .fold(0, |free, &id| free | graph[id].data.free);
        let free = match node.head {
            Head::Var(index, _) => 1 << index.min(63),
            Head::Lam(params) => free >> params.min(63),
            _ => free,
        };
        Known {
            ty,
            best: node.clone(),
            cost,
            free,
            family: None,
        }
    }

    fn merge(&mut self, a: &mut Known, b: Known) -> DidMerge {
        // Ties go to fewer free variables, then to what the program has before what rules made of it, and in its order:
        // numbers of ops and classes grow in that order. So the result does not depend on which was found equal first.
        let key = |known: &Known| (known.cost, known.free.count_ones(), known.free);
        let family = a.family.into_iter().chain(b.family).min();
        let merged = if (key(&b), &b.best) < (key(a), &a.best) {
            let same = key(&b) == key(a);
            *a = b;
            DidMerge(!same, false)
        } else {
            DidMerge(false, key(&b) != key(a))
        };
        a.family = family;
        merged
    }
}

// ---- looking at a graph ----

/// The name of a node's op, if it is one of the others.
pub(crate) fn prim<'a>(graph: &'a Graph, node: &Node) -> Option<(&'a Prim, &'a str)> {
    let Head::Prim(number) = node.head else {
        return None;
    };
    let prim = &graph.analysis.prims[number as usize];
    Some((prim, graph.analysis.ctx.op_name_str(prim.name)))
}

/// Members of a class that are the op `name`.
pub(crate) fn members(graph: &Graph, class: Id, name: &str) -> Vec<(Prim, Vec<Id>)> {
    graph[class]
        .nodes
        .iter()
        .filter_map(|node| {
            prim(graph, node)
                .filter(|row| row.1 == name)
                .map(|row| (*row.0, node.children.clone()))
        })
        .collect()
}

/// Members of a class with a head.
pub(crate) fn with_head(graph: &Graph, class: Id, head: Head) -> Vec<Vec<Id>> {
    graph[class]
        .nodes
        .iter()
        .filter(|node| node.head == head)
        .map(|node| node.children.clone())
        .collect()
}

/// A lambda's number of parameters and body.
pub(crate) fn lambda(graph: &Graph, class: Id) -> Option<(u32, Id)> {
    let best = &graph[class].data.best;
    match best.head {
        Head::Lam(params) => Some((params, best.children[0])),
        _ => None,
    }
}

/// Looks at the representatives of some classes and of what they are made of, each once and none that was `seen`; what one is
/// made of where `below` holds.
pub(crate) fn visit(
    graph: &Graph,
    roots: &[Id],
    seen: &mut FxHashSet<Id>,
    mut below: impl FnMut(Id, &Node) -> bool,
) {
    let mut pending = roots.to_vec();
    while let Some(class) = pending.pop() {
        let class = graph.find(class);
        let best = &graph[class].data.best;
        if seen.insert(class) && below(class, best) {
            pending.extend(&best.children);
        }
    }
}

/// An attribute of an op.
pub(crate) fn property(graph: &Graph, prim: &Prim, name: &str) -> Option<Attr> {
    let ctx = &graph.analysis.ctx;
    ctx.lookup(prim.properties, ctx.ident(name))
}

/// Sizes of an array; none for a scalar.
pub(crate) fn sizes(graph: &Graph, class: Id) -> Vec<Size> {
    sizes_and_element(&graph.analysis.ctx, graph[class].data.ty).0
}

/// Whether several arrays are known to have one outer extent.
pub(crate) fn same_extent(graph: &Graph, arrays: &[Id]) -> bool {
    let mut outer = arrays
        .iter()
        .map(|&array| sizes(graph, array).first().copied());
    let first = outer.next().flatten();
    first.is_some_and(|first| first != Size::Unknown && outer.all(|size| size == Some(first)))
}

/// Adds an op.
pub(crate) fn add_prim(
    graph: &mut Graph,
    name: &str,
    attrs: &[(&str, Attr)],
    children: Vec<Id>,
    result: Type,
) -> Id {
    let ctx = graph.analysis.ctx.clone();
    let entries: Vec<_> = attrs
        .iter()
        .map(|&(name, attr)| (ctx.ident(name), attr))
        .collect();
    let prim = Prim {
        name: ctx.op_name(name),
        properties: ctx.dict(&entries),
        result,
        work: 1,
    };
    add_same(graph, prim, children)
}

/// Adds an op that there is.
pub(crate) fn add_same(graph: &mut Graph, prim: Prim, children: Vec<Id>) -> Id {
    let number = graph.analysis.prim_number(prim);
    graph.add(Node::new(Head::Prim(number), children))
}

/// Adds an array's extent.
pub(crate) fn add_dim(graph: &mut Graph, array: Id, dim: i64) -> Id {
    let (attr, index) = (graph.analysis.ctx.i64_attr(dim), graph.analysis.ctx.index());
    add_prim(graph, "array.dim", &[("dim", attr)], vec![array], index)
}

/// Makes representatives of members that came after the first `initial` nodes, where there are any: for tests of rules.
pub(crate) fn prefer_new(graph: &mut Graph, initial: usize) {
    let old: FxHashSet<Node> = graph
        .nodes()
        .iter()
        .take(initial)
        .map(|node| node.clone().map_children(|id| graph.find(id)))
        .collect();
    let mut changes = Vec::new();
    for class in graph.classes() {
        let is_old = old.contains(&class.data.best.clone().map_children(|id| graph.find(id)));
        let newer = class
            .nodes
            .iter()
            .filter(|node| !old.contains(*node) && !node.children.contains(&class.id));
        if let Some(node) = newer.min().filter(|_| is_old) {
            changes.push((class.id, node.clone()));
        }
    }
    for (class, node) in changes {
        let free = node
            .children
            .iter()
            .fold(0, |free, &id| free | graph[id].data.free);
        let mut known = graph[class].data.clone();
        (known.free, known.best) = (free, node);
        graph
            .classes_mut()
            .filter(|other| other.id == class)
            .for_each(|other| other.data = known.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph with two numbers of the program, `a` and `b`, and a parameter `x` of the function around.
    fn numbers() -> (Graph, [Id; 3]) {
        let ctx = Arc::new(Context::new());
        let i32 = ctx.i32();
        let mut graph = Graph::new(Facts::new(ctx));
        graph.analysis.leaves = vec![i32; 2];
        let ty = graph.analysis.type_number(i32);
        let heads = [Head::Leaf(0), Head::Leaf(1), Head::Var(0, ty)];
        let values = heads.map(|head| graph.add(Node::new(head, [])));
        (graph, values)
    }

    fn op(graph: &mut Graph, name: &str, work: u64, children: &[Id]) -> Id {
        let ctx = graph.analysis.ctx.clone();
        let prim = Prim {
            name: ctx.op_name(name),
            properties: ctx.dict(&[]),
            result: ctx.i32(),
            work,
        };
        add_same(graph, prim, children.to_vec())
    }

    /// Whether the second of two terms that are found equal, in either order, represents both.
    fn second_is_taken(terms: impl Fn(&mut Graph, [Id; 3]) -> [Id; 2]) -> bool {
        let taken = [false, true].map(|swapped| {
            let (mut graph, values) = numbers();
            let [first, second] = terms(&mut graph, values);
            assert_eq!(
                graph[first].data.cost.all, graph[second].data.cost.all,
                "they cost the same"
            );
            let wanted = graph[second].data.best.clone();
            if swapped {
                graph.union(second, first)
            } else {
                graph.union(first, second)
            };
            graph.rebuild();
            graph[first].data.best == wanted
        });
        assert_eq!(
            taken[0], taken[1],
            "it matters which was found equal to which"
        );
        taken[0]
    }

    #[test]
    fn of_equal_costs_the_one_that_does_less_for_each_element_counts() {
        // b + (x + a) and (a + b) + x: the latter has one addition that is done once.
        assert!(second_is_taken(|graph, [a, b, x]| {
            let [xa, ab] = [[x, a], [a, b]].map(|pair| op(graph, "test.add", 1, &pair));
            [[b, xa], [ab, x]].map(|pair| op(graph, "test.add", 1, &pair))
        }));
    }

    #[test]
    fn of_equal_costs_the_one_of_fewer_ops_counts() {
        assert!(second_is_taken(|graph, [_, _, x]| {
            let once = op(graph, "test.half", 1, &[x]);
            let twice = op(graph, "test.half", 1, &[once]);
            [twice, op(graph, "test.whole", 2, &[x])]
        }));
    }

    #[test]
    fn of_terms_as_good_in_all_the_one_that_the_program_has_first_counts() {
        let pair = |graph: &mut Graph, x| {
            [
                op(graph, "test.one", 1, &[x]),
                op(graph, "test.other", 1, &[x]),
            ]
        };
        assert!(!second_is_taken(|graph, [_, _, x]| pair(graph, x)));
        assert!(!second_is_taken(|graph, [a, b, x]| [a, b].map(|y| op(
            graph,
            "test.add",
            1,
            &[x, y]
        ))));
    }
}
