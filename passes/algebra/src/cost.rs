//! Costs of terms and programs: bytes moved and operations, in quarters of a byte.
//!
//! * An op on scalars costs its units of work, one quarter of a byte each: GPUs do 10 to 20 operations in the time a byte
//!   takes from memory.
//! * A combinator moves its inputs and its result, and does its function once per element. Views move nothing.
//! * Combinators of a block over the same arrays are one traversal: fusion makes one of them.
//! * Where no constant tells, an extent counts as [`ASSUMED_EXTENT`]. Each combinator costs [`LAUNCH`] beside.
//!
//! In a graph costs are of trees; what uses no variable counts once in the functions it is in. Shared work, or work that is the
//! same for some of the functions around it only, shows when programs are compared.

use crate::term::{Graph, Head, Node};
use rustc_hash::FxHashSet;
use segra_array::combinator::Soac;
use segra_array::types::{Size, sizes_and_element};
use segra_ir::interfaces::work_of;
use segra_ir::{Block, Context, Ir, Op, Type, Value};

/// Stands for an extent no constant tells.
pub const ASSUMED_EXTENT: u64 = 256;
/// The cost of a combinator besides what it moves: 64 bytes.
const LAUNCH: u64 = 256;
/// Quarters of a byte per byte.
const BYTE: u64 = 4;

fn of_size(size: Size) -> u64 {
    match size {
        Size::Constant(extent) => extent.max(0) as u64,
        Size::Symbol(_) | Size::Unknown => ASSUMED_EXTENT,
    }
}

/// Cost of moving a value of a type; scalars stay in registers.
fn moved(ctx: &Context, ty: Type) -> u64 {
    let (sizes, element) = sizes_and_element(ctx, ty);
    if sizes.is_empty() {
        return 0;
    }
    let bits = element
        .integer_width(ctx)
        .or(element.float_kind(ctx).map(|kind| kind.width()));
    let bytes = bits.map_or(8, |bits| u64::from(bits).div_ceil(8)) * BYTE;
    sizes
        .iter()
        .fold(bytes, |total, &size| total.saturating_mul(of_size(size)))
}

fn outer(ctx: &Context, arrays: &[Type]) -> u64 {
    let known = |ty: &Type| sizes_and_element(ctx, *ty).0.first().copied();
    of_size(
        arrays
            .iter()
            .filter_map(known)
            .fold(Size::Unknown, Size::or),
    )
}

/// The cost of a tree; less is better, what stands first decides. Of trees that cost the same altogether, the one that does
/// less for each element of what stands around is no worse anywhere, and better in a function of a combinator; of those,
/// the one of fewer ops is what people would write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    /// Altogether.
    pub(crate) all: u64,
    /// Of that, what uses variables; the rest is done once, whatever stands around.
    each: u64,
    /// Number of ops, as often as they stand in the tree.
    ops: u64,
}

impl Cost {
    fn of(each: u64, once: u64) -> Cost {
        Cost {
            all: each.saturating_add(once),
            each,
            ops: 0,
        }
    }
    fn once(self) -> u64 {
        self.all.saturating_sub(self.each)
    }
    fn and(self, other: Cost) -> Cost {
        Cost {
            all: self.all.saturating_add(other.all),
            each: self.each.saturating_add(other.each),
            ops: self.ops.saturating_add(other.ops),
        }
    }
    /// The same with an op more.
    fn and_op(self) -> Cost {
        Cost {
            ops: self.ops.saturating_add(1),
            ..self
        }
    }
}

/// Cost of a tree with this top.
pub(crate) fn of_node(graph: &Graph, node: &Node, ty: Type) -> Cost {
    let ctx = &graph.analysis.ctx;
    let own = |at: usize| graph[node.children[at]].data.cost;
    // Seen from inside a function, what uses no variable stands before the combinator.
    let cost = |at: usize| match graph[node.children[at]].data.free {
        0 => Cost { each: 0, ..own(at) },
        _ => own(at),
    };
    let combinator = |functions: &[usize], first: usize| {
        let types: Vec<Type> = node.children[first..]
            .iter()
            .map(|&id| graph[id].data.ty)
            .collect();
        let inside = functions
            .iter()
            .fold(Cost::default(), |sum, &at| sum.and(own(at)));
        let each = inside
            .each
            .saturating_add(1)
            .saturating_mul(outer(ctx, &types));
        let traffic = types.iter().fold(moved(ctx, ty), |sum, &ty| {
            sum.saturating_add(moved(ctx, ty))
        });
        let here = Cost::of(
            LAUNCH.saturating_add(each).saturating_add(traffic),
            inside.once(),
        );
        let here = Cost {
            ops: inside.ops,
            ..here
        };
        (0..node.children.len())
            .filter(|at| !functions.contains(at))
            .fold(here, |sum, at| {
                sum.and(cost(at))
                    .and(Cost::of(inner_view(graph, node.children[at]), 0))
            })
            .and_op()
    };
    match node.head {
        Head::Leaf(_) | Head::Var(..) => Cost::default(),
        Head::Lam(_) => cost(0),
        Head::Map => combinator(&[0], 1),
        Head::Reduce | Head::Scan(_) => combinator(&[0, 2], 3),
        Head::Prim(number) => {
            let work = Cost::of(graph.analysis.prims[number as usize].work, 0);
            (0..node.children.len())
                .fold(work, |sum, at| sum.and(cost(at)))
                .and_op()
        }
    }
}

/// Among equals, views stay outside of combinators: what is inside can then be shared with who needs no view.
fn inner_view(graph: &Graph, input: egg::Id) -> u64 {
    u64::from(matches!(graph[input].data.best.head, Head::Prim(_)))
}

/// Cost of the ops of a block, each once.
pub(crate) fn of_block(ir: &Ir, block: Block) -> u64 {
    of_ops(ir, ir.ops(block))
}

/// Cost of ops, each once. Combinators over the same arrays are one traversal.
pub(crate) fn of_ops(ir: &Ir, ops: impl IntoIterator<Item = Op>) -> u64 {
    let mut traversed: FxHashSet<Vec<Value>> = FxHashSet::default();
    ops.into_iter().fold(0u64, |sum, op| {
        let again = arrays_of(ir, op).filter(|arrays| !traversed.insert(arrays.clone()));
        let read = again.map_or(0, |arrays| {
            let types = arrays
                .iter()
                .map(|&array| moved(ir.ctx(), ir.value_type(array)));
            types.fold(LAUNCH, u64::saturating_add)
        });
        sum.saturating_add(of_op(ir, op).saturating_sub(read))
    })
}

/// Operations of ops, each once, without what they move; views are none.
pub(crate) fn work_of_ops(ir: &Ir, ops: &[Op]) -> u64 {
    ops.iter().fold(0u64, |sum, &op| {
        let inside = ir
            .regions(op)
            .iter()
            .flat_map(|&region| ir.blocks(region))
            .fold(0u64, |sum, block| {
                let ops: Vec<Op> = ir.ops(block).collect();
                sum.saturating_add(work_of_ops(ir, &ops))
            });
        let times = arrays_of(ir, op).map_or(1, |arrays| {
            let types: Vec<Type> = arrays.iter().map(|&array| ir.value_type(array)).collect();
            outer(ir.ctx(), &types)
        });
        let free = !ir.regions(op).is_empty() || ir.op_name_str(op).starts_with("array.");
        sum.saturating_add(if free { 0 } else { prim_work(ir, op) })
            .saturating_add(inside.saturating_mul(times))
    })
}

/// The inputs of a combinator that can be a term.
fn arrays_of(ir: &Ir, op: Op) -> Option<Vec<Value>> {
    let soac = Soac::of(ir, op)?;
    crate::load::head_of(soac.flavour)?;
    Some(soac.parts.arrays)
}

/// Cost of an op with what is inside it.
pub(crate) fn of_op(ir: &Ir, op: Op) -> u64 {
    let ctx = ir.ctx();
    let inside = ir
        .regions(op)
        .iter()
        .flat_map(|&region| ir.blocks(region))
        .fold(0u64, |sum, block| sum.saturating_add(of_block(ir, block)));
    let Some(arrays) = arrays_of(ir, op) else {
        let own = if ir.regions(op).is_empty() {
            prim_work(ir, op)
        } else {
            1
        };
        return own.saturating_add(inside);
    };
    let types: Vec<Type> = arrays.iter().map(|&array| ir.value_type(array)).collect();
    let results = ir
        .results(op)
        .map(|result| moved(ctx, ir.value_type(result)));
    let traffic = results
        .chain(types.iter().map(|&ty| moved(ctx, ty)))
        .fold(0u64, u64::saturating_add);
    LAUNCH
        .saturating_add(traffic)
        .saturating_add(inside.saturating_add(1).saturating_mul(outer(ctx, &types)))
}

/// Work of an op without regions: views and terminators are next to nothing.
pub(crate) fn prim_work(ir: &Ir, op: Op) -> u64 {
    if ir.has_trait(op, segra_ir::Trait::Terminator) {
        0
    } else {
        work_of(ir, op)
    }
}
