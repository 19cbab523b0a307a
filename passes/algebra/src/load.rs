//! From ops to terms.
//!
//! Terms are: results of combinators whose functions are terms, and ops without regions that have one result, no effect,
//! and cannot stop the program. The rest are leaves. Values of bound variables are de Bruijn indices, so equal terms are
//! one class whatever their variables are called.
//!
//! Each result of a combinator with several is a term of its own: the map, reduction or scan that makes just that.
//! Components of an operator must not use one another. Where such a term is taken, fusion makes one traversal of its parts
//! again. Results whose bodies share expensive work are a family, and become one combinator again themselves: see
//! [`join`](crate::join).

use crate::term::{Graph, Head, MOST_VARIABLES, Node, Prim};
use egg::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use segra_array::combinator::{Flavour, Soac, is_scheduled};
use segra_array::layout::{GatherOp, ReverseOp};
use segra_array::shape::IotaOp;
use segra_array::types::{Size, sizes_and_element};
use segra_ir::interfaces::{is_pure, is_speculatable, work_of};
use segra_ir::stack::deep;
use segra_ir::{Block, Ident, Ir, Loc, Op, Type, Value, ValueDef};
use segra_pass::analysis::operator::Slice;

/// Values and what they are.
#[derive(Default)]
pub(crate) struct Loaded {
    /// Values at the level of the block.
    pub(crate) classes: FxHashMap<Value, Id>,
    /// Leaves by number.
    pub(crate) leaves: Vec<Value>,
    leaf_numbers: FxHashMap<Value, u32>,
    /// The names and locations of classes.
    origins: Vec<(Id, Option<Ident>, Loc)>,
    /// Numbers of combinators whose results share expensive work.
    families: FxHashMap<Op, u32>,
}

/// The term of a combinator whose results share expensive work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// Each result is a term; they are joined again.
    Joined,
    /// It is a leaf.
    Leaf,
}

/// A parameter of an enclosing lambda: at which depth, and which.
type Bound = FxHashMap<Value, (u32, u32)>;

/// Whether an op is a term as far as itself goes.
fn is_term(ir: &Ir, op: Op, sharing: Sharing) -> bool {
    let parts = || (0..ir.num_results(op)).all(|index| component(ir, op, index).is_some());
    ir.successors(op).is_empty()
        && ir.num_results(op) > 0
        && (is_pure(ir, op) && is_speculatable(ir, op) || gathers_in_range(ir, op))
        && if ir.regions(op).is_empty() {
            ir.num_results(op) == 1
        } else {
            parts() && (sharing == Sharing::Joined || !shares_work(ir, op))
        }
}

/// Whether an op gathers at indices that count up, or down, to the array's own extent: it cannot stop the program.
fn gathers_in_range(ir: &Ir, op: Op) -> bool {
    let Some(gather) = ir.cast::<GatherOp>(op) else {
        return false;
    };
    let indices = gather.indices(ir);
    let counted = ir
        .def_as::<ReverseOp>(indices)
        .map_or(indices, |reverse| reverse.array(ir));
    let extent = |array: Value| {
        sizes_and_element(ir.ctx(), ir.value_type(array))
            .0
            .first()
            .copied()
    };
    let known = extent(indices).filter(|&size| size != Size::Unknown);
    ir.def_as::<IotaOp>(counted).is_some() && known.is_some() && known == extent(gather.array(ir))
}

/// Work that several results of a combinator may need and that is still cheap: it is computed for each.
const MOST_SHARED: u64 = 8;

/// A function: a block, those of its arguments that the yielded value may use, and which value that is.
struct Function {
    block: Block,
    args: Vec<Value>,
    at: usize,
}

/// One result of a combinator: head, operator with neutral element, function (none: the elements themselves), arrays.
struct Component {
    head: Head,
    combine: Option<(Function, Value)>,
    body: Option<Function>,
    arrays: Vec<Value>,
}

/// The head of terms of a flavour, where there are such terms.
pub(crate) fn head_of(flavour: Flavour) -> Option<Head> {
    match flavour {
        Flavour::Map => Some(Head::Map),
        Flavour::Reduce => Some(Head::Reduce),
        Flavour::Scan { exclusive } => Some(Head::Scan(exclusive)),
        Flavour::Scatter | Flavour::Hist | Flavour::Other => None,
    }
}

/// The component of a result; `None` where the op is no combinator that is a term (`separate-starts` takes start values
/// apart before), or its operator has components that use one another.
fn component(ir: &Ir, op: Op, index: usize) -> Option<Component> {
    let soac = Soac::of(ir, op).filter(|soac| soac.is_neutral(ir) && !is_scheduled(ir, op))?;
    let head = head_of(soac.flavour)?;
    let body = soac.body.map(|block| Function {
        block,
        args: ir.block_args(block).to_vec(),
        at: index,
    });
    let Some((&unit, block)) = soac.start.get(index).zip(soac.combine) else {
        return Some(Component {
            head: Head::Map,
            combine: None,
            body,
            arrays: soac.parts.arrays,
        });
    };
    let all = ir.block_args(block);
    let args = vec![*all.get(index)?, *all.get(soac.start.len() + index)?];
    let combine = Function {
        block,
        args,
        at: index,
    };
    if soac.start.len() > 1 && !is_separate(ir, &combine) {
        return None;
    }
    let arrays = match &body {
        Some(_) => soac.parts.arrays,
        None => vec![*soac.arrays.get(index)?],
    };
    Some(Component {
        head,
        combine: Some((combine, unit)),
        body,
        arrays,
    })
}

/// Whether a component of an operator uses no other.
fn is_separate(ir: &Ir, component: &Function) -> bool {
    let value = ir
        .last_op(component.block)
        .and_then(|last| ir.operands(last).nth(component.at));
    let args = ir.block_args(component.block);
    value.is_some_and(|value| {
        let needed = Slice::of(ir, component.block, &[value]).args;
        needed
            .into_iter()
            .all(|number| component.args.contains(&args[number]))
    })
}

/// Whether results of a combinator share more than a little work.
fn shares_work(ir: &Ir, op: Op) -> bool {
    if ir.num_results(op) == 1 {
        return false;
    }
    let (mut seen, mut shared) = (FxHashSet::default(), FxHashSet::default());
    for block in ir
        .regions(op)
        .iter()
        .filter_map(|&region| ir.entry_block(region))
    {
        for value in ir
            .last_op(block)
            .into_iter()
            .flat_map(|last| ir.operands(last))
            .collect::<Vec<_>>()
        {
            let ops = Slice::of(ir, block, &[value]).ops;
            shared.extend(ops.into_iter().filter(|&op| !seen.insert(op)));
        }
    }
    shared.iter().any(|&op| !ir.regions(op).is_empty())
        || shared.iter().map(|&op| work_of(ir, op)).sum::<u64>() > MOST_SHARED
}

/// Combinators in combinators, at most.
const MOST_NESTED: usize = 16;

/// How many nodes an op is, with what is inside; `None`: it is no term.
pub(crate) fn size_of(ir: &Ir, op: Op, sharing: Sharing) -> Option<usize> {
    size_at(ir, op, sharing, 0)
}

/// The same for an op inside so many combinators.
fn size_at(ir: &Ir, op: Op, sharing: Sharing, depth: usize) -> Option<usize> {
    if depth > MOST_NESTED || !is_term(ir, op, sharing) {
        return None;
    }
    let mut size = ir.num_results(op);
    for &region in ir.regions(op) {
        let block = ir.entry_block(region)?;
        let last = ir.last_op(block)?;
        for inner in ir.ops(block).filter(|&inner| inner != last) {
            let inside = size_at(ir, inner, sharing, depth + 1)?;
            size = size.saturating_add(ir.num_results(op).saturating_mul(inside));
        }
    }
    Some(size)
}

impl Loaded {
    /// Names and places by class, as classes are now; the first of a class counts.
    pub(crate) fn origins(&self, graph: &Graph) -> FxHashMap<Id, (Option<Ident>, Loc)> {
        let mut origins = FxHashMap::default();
        for &(class, name, loc) in &self.origins {
            origins.entry(graph.find(class)).or_insert((name, loc));
        }
        origins
    }

    /// Adds a result of an op of the block that [`size_of`] says is a term; its class.
    pub(crate) fn add(&mut self, graph: &mut Graph, ir: &Ir, result: Value) -> Option<Id> {
        let class = self.made(
            graph,
            ir,
            result,
            0,
            &mut Bound::default(),
            &mut FxHashMap::default(),
        )?;
        self.classes.insert(result, class);
        Some(class)
    }

    /// Whether results of a combinator share expensive work.
    pub(crate) fn has_families(&self) -> bool {
        !self.families.is_empty()
    }

    /// The class of a value at the level of the block.
    pub(crate) fn value(&mut self, graph: &mut Graph, ir: &Ir, value: Value) -> Id {
        if let Some(&class) = self.classes.get(&value) {
            return class;
        }
        let next = self.leaves.len() as u32;
        let number = *self.leaf_numbers.entry(value).or_insert(next);
        if number == next {
            self.leaves.push(value);
            graph.analysis.leaves.push(ir.value_type(value));
        }
        let class = graph.add(Node::new(Head::Leaf(number), []));
        self.classes.insert(value, class);
        class
    }

    /// A value seen under `depth` parameters. A term inside a lambda is made anew at each depth it is seen from.
    fn seen(
        &mut self,
        graph: &mut Graph,
        ir: &Ir,
        value: Value,
        depth: u32,
        bound: &mut Bound,
        made: &mut FxHashMap<(Value, u32), Id>,
    ) -> Option<Id> {
        deep(|| self.seen_here(graph, ir, value, depth, bound, made))
    }

    fn seen_here(
        &mut self,
        graph: &mut Graph,
        ir: &Ir,
        value: Value,
        depth: u32,
        bound: &mut Bound,
        made: &mut FxHashMap<(Value, u32), Id>,
    ) -> Option<Id> {
        if let Some(&(at, index)) = bound.get(&value) {
            // Parameters of the lambda that ends at `at` come after those of the lambdas inside it.
            return Some(crate::bind::variable(
                graph,
                depth - at + index,
                ir.value_type(value),
            ));
        }
        if let Some(&class) = made.get(&(value, depth)) {
            return Some(class);
        }
        let inside = match ir.value_def(value) {
            ValueDef::Result { op, .. } => ir.block_of(op).is_some_and(|block| {
                ir.block_args(block)
                    .iter()
                    .any(|arg| bound.contains_key(arg))
            }),
            ValueDef::Argument { .. } => false,
        };
        if !inside {
            return Some(self.value(graph, ir, value));
        }
        let class = self.made(graph, ir, value, depth, bound, made)?;
        made.insert((value, depth), class);
        Some(class)
    }

    fn made(
        &mut self,
        graph: &mut Graph,
        ir: &Ir,
        value: Value,
        depth: u32,
        bound: &mut Bound,
        made: &mut FxHashMap<(Value, u32), Id>,
    ) -> Option<Id> {
        let ValueDef::Result { op, index } = ir.value_def(value) else {
            return None;
        };
        let Some(parts) = component(ir, op, index as usize) else {
            let mut children = Vec::new();
            for value in ir.operands(op) {
                children.push(self.seen(graph, ir, value, depth, bound, made)?);
            }
            let (name, properties) = (ir.op_name(op), ir.properties(op));
            let prim = Prim {
                name,
                properties,
                result: ir.value_type(value),
                work: crate::cost::prim_work(ir, op),
            };
            return Some(self.originate(
                crate::term::add_same(graph, prim, children),
                ir,
                value,
                op,
            ));
        };
        let mut children = Vec::new();
        if let Some((combine, neutral)) = parts.combine {
            children.push(self.lambda(graph, ir, &combine, depth, bound, made)?);
            children.push(self.seen(graph, ir, neutral, depth, bound, made)?);
        }
        children.push(match parts.body {
            Some(body) => self.lambda(graph, ir, &body, depth, bound, made)?,
            None => {
                let rows: Vec<Type> = segra_array::soac::row_types(ir, &parts.arrays);
                let element = crate::bind::variable(graph, 0, *rows.first()?);
                graph.add(Node::new(Head::Lam(1), [element]))
            }
        });
        for &array in &parts.arrays {
            children.push(self.seen(graph, ir, array, depth, bound, made)?);
        }
        let class = self.originate(graph.add(Node::new(parts.head, children)), ir, value, op);
        if shares_work(ir, op) {
            let next = self.families.len() as u32;
            graph[class]
                .data
                .family
                .get_or_insert(*self.families.entry(op).or_insert(next));
        }
        Some(class)
    }

    fn originate(&mut self, class: Id, ir: &Ir, value: Value, op: Op) -> Id {
        self.origins.push((class, ir.value_name(value), ir.loc(op)));
        class
    }

    fn lambda(
        &mut self,
        graph: &mut Graph,
        ir: &Ir,
        function: &Function,
        depth: u32,
        bound: &mut Bound,
        made: &mut FxHashMap<(Value, u32), Id>,
    ) -> Option<Id> {
        let Function { block, args, at } = function;
        let inner = depth + args.len() as u32;
        if args.is_empty() || inner > MOST_VARIABLES {
            return None;
        }
        for (index, &arg) in args.iter().enumerate() {
            bound.insert(arg, (inner, index as u32));
        }
        let value = ir.operands(ir.last_op(*block)?).nth(*at)?;
        let body = self.seen(graph, ir, value, inner, bound, made);
        args.iter().for_each(|arg| {
            bound.remove(arg);
        });
        Some(graph.add(Node::new(Head::Lam(args.len() as u32), [body?])))
    }
}
