//! Control flow: calls, branches between blocks, regions that run as their op says, loops.
//!
//! Data follow control: each interface says which operands become which block arguments or results, as ranges of
//! operand positions, so that passes can both read and change what is forwarded.

use crate::attrs::Attr;
use crate::build::Builder;
use crate::context::Ident;
use crate::store::{Block, Ir, Op, Region, Value, ValueDef};
use crate::types::Type;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::Range;

/// A function-like op.
pub trait Callable: Sync {
    /// The body; `None` for a declaration.
    fn callable_region(&self, ir: &Ir, op: Op) -> Option<Region>;
    /// Its function type's inputs and results.
    fn signature(&self, ir: &Ir, op: Op) -> (Vec<Type>, Vec<Type>);
}

/// A call of a symbol.
pub trait CallLike: Sync {
    /// The callee.
    fn callee(&self, ir: &Ir, op: Op) -> Option<Ident>;
    /// The forwarded values.
    fn arguments(&self, ir: &Ir, op: Op) -> Vec<Value>;
}

/// A comparison of a size with a named number that is set when the program runs: whether the size is at least that.
pub trait Threshold: Sync {
    /// The size.
    fn size(&self, ir: &Ir, op: Op) -> Value;
    /// The number's name, a string.
    fn name(&self, ir: &Ir, op: Op) -> Attr;
    /// The number, where none is set.
    fn default(&self, ir: &Ir, op: Op) -> i64;
}

/// A terminator that hands values back to a caller.
pub trait InlineReturn: Sync {
    /// Builds what stands in place of `op` where the body it ends is inlined: a branch to `dest` that forwards what `op`
    /// hands back.
    fn build_jump(&self, b: &mut Builder<'_>, op: Op, dest: Block);
}

/// Positions of the operands handed to each successor, one per block argument.
pub type Forwarded = SmallVec<[Range<usize>; 2]>;

/// A terminator with successors: which operands each successor's block arguments get.
///
/// Asked and told of all successors at once: a branch may have as many as it likes, and where the operands of one are
/// may depend on how many all those before it get.
pub trait BranchLike: Sync {
    /// Positions of the operands handed to each successor.
    fn forwarded(&self, ir: &Ir, op: Op) -> Forwarded;
    /// Replaces the operands handed to the successors, one list for each; how many there are may change.
    fn set_forwarded(&self, ir: &mut Ir, op: Op, handed: &[Vec<Value>]);
    /// The successor control goes to, given the constants among the operands; `None`: it depends.
    fn known_successor(&self, _ir: &Ir, _op: Op, _operands: &[Option<Attr>]) -> Option<usize> {
        None
    }
    /// A value that is known where control came from here to successor `index`, and its constant. Right only where that
    /// block has no other way in.
    fn implied(&self, _ir: &Ir, _op: Op, _index: usize) -> Option<(Value, Attr)> {
        None
    }
    /// Where all successors are one block: builds a branch to it that needs no decision between ways, what it forwards
    /// selected where the ways differ. Whether it did; `op` stays as it is.
    fn build_joined(&self, _b: &mut Builder<'_>, _op: Op) -> bool {
        false
    }
    /// Operands handed to each successor.
    fn successor_operands(&self, ir: &Ir, op: Op) -> Vec<Vec<Value>> {
        let values = |range: Range<usize>| range.map(|position| ir.operand(op, position)).collect();
        self.forwarded(ir, op).into_iter().map(values).collect()
    }
}

/// The images of `values` where control comes to `block` with `handed` for its arguments.
pub fn values_behind(
    ir: &Ir,
    block: Block,
    handed: &[Value],
    values: impl Iterator<Item = Value>,
) -> Vec<Value> {
    let value_of = |value| match ir.value_def(value) {
        ValueDef::Argument { block: of, index } if of == block => handed[index as usize],
        _ => value,
    };
    values.map(value_of).collect()
}

/// Where control may go from an op with regions, or from a terminator inside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionSuccessor {
    /// Into a region (its entry block).
    Region(Region),
    /// Back out to the op's results.
    Parent,
}

/// Structured control flow.
pub trait RegionBranch: Sync {
    /// Where control may go from the op (`from` = `None`) or from a region's end.
    fn successors(&self, ir: &Ir, op: Op, from: Option<Region>) -> Vec<RegionSuccessor>;
    /// Where control may go from the op, given the constants among its operands.
    fn entry_successors(
        &self,
        ir: &Ir,
        op: Op,
        _operands: &[Option<Attr>],
    ) -> Vec<RegionSuccessor> {
        self.successors(ir, op, None)
    }
    /// Where control may go from `terminator` in `from`, given the constants among the terminator's operands.
    fn exit_successors(
        &self,
        ir: &Ir,
        op: Op,
        from: Region,
        _terminator: Op,
        _operands: &[Option<Attr>],
    ) -> Vec<RegionSuccessor> {
        self.successors(ir, op, Some(from))
    }
    /// Positions of the op's operands that become the inputs of `to` when control goes there from the op.
    fn entry_forwarded(&self, ir: &Ir, op: Op, to: RegionSuccessor) -> Range<usize>;
    /// Positions of `terminator`'s operands that become the inputs of `to`.
    fn exit_forwarded(
        &self,
        ir: &Ir,
        _op: Op,
        terminator: Op,
        _to: RegionSuccessor,
    ) -> Range<usize> {
        0..ir.num_operands(terminator)
    }
    /// Whether `op` must stay even where it is known to run a region once.
    fn is_kept(&self, _ir: &Ir, _op: Op) -> bool {
        false
    }
    /// Whether `op` can carry one value more: an operand appended to each forwarded range, an argument to entry blocks
    /// that take any, and a result.
    fn can_carry(&self, _ir: &Ir, _op: Op) -> bool {
        false
    }
    /// Makes `op` ready to carry one value more: `scf.if` gets its second region.
    fn prepare_carried(&self, _b: &mut Builder<'_>, _op: Op) {}
    /// The block arguments or results that get what is handed to `to`. Others (an induction variable) are the op's own.
    fn inputs(&self, ir: &Ir, op: Op, to: RegionSuccessor) -> Vec<Value> {
        match to {
            RegionSuccessor::Parent => ir.results(op).collect(),
            RegionSuccessor::Region(region) => ir
                .entry_block(region)
                .map_or(Vec::new(), |block| ir.block_args(block).to_vec()),
        }
    }
}

/// A value that structured control flow forwards to `value`, a result of an op with regions or an argument of one of
/// them: from the op itself where control may come from there (a loop's initial value), else from the end of a region.
/// Where all that is forwarded must be alike, as extents of arrays are, it tells for all.
pub fn handed_on(ir: &Ir, value: Value) -> Option<Value> {
    let (op, to) = match ir.value_def(value) {
        ValueDef::Result { op, .. } if ir.regions(op).is_empty() => return None,
        ValueDef::Result { op, .. } => (op, RegionSuccessor::Parent),
        ValueDef::Argument { block, .. } => {
            let region = ir
                .block_region(block)
                .filter(|&region| ir.entry_block(region) == Some(block))?;
            (ir.region_parent(region)?, RegionSuccessor::Region(region))
        }
    };
    let flow = ir.interface::<dyn RegionBranch>(op)?;
    let at = flow
        .inputs(ir, op, to)
        .iter()
        .position(|&input| input == value)?;
    if flow.successors(ir, op, None).contains(&to) {
        return ir
            .operands(op)
            .nth(flow.entry_forwarded(ir, op, to).start + at);
    }
    let from = |&region: &Region| {
        let block = ir
            .entry_block(region)
            .filter(|&block| ir.next_block(block).is_none())?;
        let end = ir
            .last_op(block)
            .filter(|_| flow.successors(ir, op, Some(region)).contains(&to))?;
        ir.operands(end)
            .nth(flow.exit_forwarded(ir, op, end, to).start + at)
    };
    ir.regions(op).iter().find_map(from)
}

/// All values that structured control flow may forward to `value`, where that is a result of an op with `RegionBranch` or an
/// argument of one of its regions; none for other values, and for arguments that are the op's own.
pub fn all_handed_on(ir: &Ir, value: Value) -> Vec<Value> {
    let op = match ir.value_def(value) {
        ValueDef::Result { op, .. } if ir.regions(op).is_empty() => return Vec::new(),
        ValueDef::Result { op, .. } => Some(op),
        ValueDef::Argument { block, .. } => ir.block_parent(block),
    };
    let mut values = Vec::new();
    for edge in op.and_then(|op| region_edges(ir, op)).into_iter().flatten() {
        let at = edge.inputs.iter().position(|&input| input == value);
        values.extend(at.and_then(|at| ir.operands(edge.from).nth(edge.operands.start + at)));
    }
    values
}

/// Whether a property of a value, such as its extent in the dimension `from.1`, has one origin whatever way control takes.
///
/// `step` says where the property comes from, if not from control flow: from that of another value, or else its origin; `told`
/// whether something says that all that control flow forwards to a value is alike. `most`: values looked at, above which it
/// has not.
pub fn has_one_origin<T: PartialEq>(
    ir: &Ir,
    from: (Value, usize),
    told: impl Fn(Value, usize) -> bool,
    step: impl Fn(Value, usize) -> Result<(Value, usize), T>,
    most: usize,
) -> bool {
    let (mut seen, mut pending) = (FxHashSet::default(), vec![from]);
    let mut common = None;
    while let Some((value, number)) = pending.pop() {
        if !seen.insert((value, number)) {
            continue;
        }
        let mut handed = all_handed_on(ir, value);
        if handed.is_empty() {
            match step(value, number) {
                Ok(next) => pending.push(next),
                Err(origin) if common.as_ref().is_some_and(|it| *it != origin) => return false,
                Err(origin) => common = Some(origin),
            }
        } else if told(value, number) {
            handed.truncate(1);
        }
        pending.extend(handed.into_iter().map(|value| (value, number)));
        if seen.len() > most {
            return false;
        }
    }
    true
}

/// A sequential or parallel loop.
pub trait LoopLike: Sync {
    /// The regions that are repeated.
    fn loop_regions(&self, ir: &Ir, op: Op) -> SmallVec<[Region; 2]>;
    /// Induction variables, outermost first.
    fn induction_vars(&self, ir: &Ir, op: Op) -> Vec<Value>;
    /// Where the induction variables start and end, one by one; empty: not known as values.
    fn bounds(&self, _ir: &Ir, _op: Op) -> Vec<LoopBounds> {
        Vec::new()
    }
    /// Number of iterations, where constants tell.
    fn trip_count(&self, _ir: &Ir, _op: Op) -> Option<u64> {
        None
    }
}

/// The values of one induction variable: `lower`, `lower + step`, ... as long as that is below `upper`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopBounds {
    /// First value.
    pub lower: Value,
    /// Its exclusive upper bound.
    pub upper: Value,
    /// Distance of iterations, positive.
    pub step: Value,
    /// Whether the bounds are compared as unsigned numbers.
    pub unsigned: bool,
}

/// The values that control flow forwards inside and around one op with `RegionBranch`.
#[derive(Clone, Debug)]
pub struct RegionEdge {
    /// The op that hands values on: the op itself, or a terminator inside it.
    pub from: Op,
    /// Where control goes.
    pub to: RegionSuccessor,
    /// Positions of the operands of `from` that are forwarded.
    pub operands: Range<usize>,
    /// Their receivers.
    pub inputs: Vec<Value>,
}

/// All ways control may go at an op with `RegionBranch`: in, around and out. `None`: the op has no such interface.
pub fn region_edges(ir: &Ir, op: Op) -> Option<Vec<RegionEdge>> {
    let model = ir.interface::<dyn RegionBranch>(op)?;
    let mut edges = Vec::new();
    for to in model.successors(ir, op, None) {
        let operands = model.entry_forwarded(ir, op, to);
        edges.push(RegionEdge {
            from: op,
            to,
            operands,
            inputs: model.inputs(ir, op, to),
        });
    }
    for &region in ir.regions(op) {
        let successors = model.successors(ir, op, Some(region));
        for block in ir.blocks(region) {
            let Some(last) = ir
                .last_op(block)
                .filter(|&last| ir.successors(last).is_empty())
            else {
                continue;
            };
            for &to in &successors {
                let operands = model.exit_forwarded(ir, op, last, to);
                edges.push(RegionEdge {
                    from: last,
                    to,
                    operands,
                    inputs: model.inputs(ir, op, to),
                });
            }
        }
    }
    Some(edges)
}
