//! The interface of combinators: ops that apply regions to the elements of arrays, seen as one.
//!
//! Every op with the interface [`Combinator`] says its parts: a [`Soac`] (second-order array combinator). Passes ask for
//! those rather than for the op, and build combinators from [`Parts`], so that a new combinator costs its own file and one
//! rule in each pass that treats it specially. They ask:
//!
//! | pass | asks | an op of flavour `Other` |
//! |---|---|---|
//! | `algebra` | [`Soac::of`]: maps, reductions and scans become terms | is a leaf |
//! | `fuse`, `fuse-loops` | [`Soac::of`]: what is traversed together, which results are stored | is not fused; its inputs are stored |
//! | `explicit-checks` | [`Soac::of`]: over which arrays a body runs | the same |
//! | `separate-starts` | [`Parts::is_neutral`] | has no start values of its own |
//! | `flatten` | [`Combinator::expand`], then [`Soac::of`]: a rule per flavour | is expanded, or refused with its name |
//! | facade | [`Parts::build`] | is built by its own constructor |
//!
//! Invariant: [`Soac::of`] takes apart and [`Parts::build`] puts together without loss. Deliberately absent: what passes
//! do about it.

use crate::neutral;
use crate::soac::{
    MapOp, RedomapOp, ReduceOp, ScanOp, ScanomapOp, arrays_of, outer_size, row_types, types_of,
    yielded_types,
};
use crate::types::Size;
use crate::update::{HistOp, ScatterOp};
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, Value};
use std::ops::Deref;

/// The destination of the values that a combinator makes of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// All are stored.
    Map,
    /// The first are reduced, the others stored.
    Reduce,
    /// The first are scanned, the others stored.
    Scan {
        /// Whether a prefix lacks its own element.
        exclusive: bool,
    },
    /// The first are indices of the destinations, the others the new elements there.
    Scatter,
    /// The first are indices of the destinations, the others are combined with the elements there.
    Hist,
    /// Anything else: passes leave the op as it is until [`Combinator::expand`] makes other combinators of it.
    Other,
}

impl Flavour {
    /// The flavour of two combinators done in one traversal; `None`: no op is both. Two scatters or two hists are one
    /// only where they go to the same places.
    pub fn join(self, other: Flavour) -> Option<Flavour> {
        match (self, other) {
            (Flavour::Other, _) | (_, Flavour::Other) => None,
            (Flavour::Map, flavour) | (flavour, Flavour::Map) => Some(flavour),
            (a, b) => (a == b).then_some(a),
        }
    }
    /// Whether arrays can be returned beside the op's own results.
    pub fn stores(self) -> bool {
        matches!(self, Flavour::Map | Flavour::Reduce | Flavour::Scan { .. })
    }
    /// Whether values are combined along the arrays: a reduction or scan.
    pub fn combines(self) -> bool {
        matches!(self, Flavour::Reduce | Flavour::Scan { .. })
    }
}

/// The parts of a combinator.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The destination of the values made.
    pub flavour: Flavour,
    /// Inputs, all of one outer size.
    pub arrays: Vec<Value>,
    /// Arrays that are updated; none but for scatter and hist.
    pub destinations: Vec<Value>,
    /// Values that combinations begin with, one per component of the operator; of a hist its neutral elements.
    pub start: Vec<Value>,
    /// Neutral elements written beside the start values; none where they are derived from the operator.
    pub written: Vec<Value>,
    /// The function of each tuple of elements; `None`: the elements are combined as they are.
    pub body: Option<Block>,
    /// The operator: accumulators, then values; `None`: nothing is combined.
    pub combine: Option<Block>,
}

/// A combinator, taken apart.
#[derive(Clone, Debug)]
pub struct Soac {
    /// The op.
    pub op: Op,
    /// Its parts; the blocks are inside of it.
    pub parts: Parts,
}

impl Deref for Soac {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}

/// An op that applies regions to the elements of arrays.
pub trait Combinator: Sync {
    /// The parts of `op`.
    fn parts(&self, ir: &Ir, op: Op) -> Parts;

    /// A value and the dimension of it that has the extent of a result's dimension, as far as the op alone tells it.
    fn same_extent(&self, ir: &Ir, op: Op, result: usize, dim: usize) -> Option<(Value, usize)> {
        self.parts(ir, op).same_extent(ir, result, dim)
    }

    /// Puts other combinators in the op's place that give the same results, for a flavour that flattening has no rule for;
    /// whether it did.
    fn expand(&self, _ir: &mut Ir, _op: Op) -> bool {
        false
    }
}

/// The attribute of a map that says how its nest is rewritten once it is a segmented one: a `#kernel.schedule<...>`. Passes on
/// arrays leave such a map as it is, and flattening hands it to the nest.
pub const SCHEDULE: &str = "schedule";

/// The attribute of a map that says which thread block and thread runs which point of its nest: a `#kernel.mapping<...>` of all
/// dimensions of the nest, those around the map among them. As with [`SCHEDULE`], flattening hands it to the nest.
pub const MAPPING: &str = "mapping";

/// Whether a map says how its nest is rewritten or mapped.
pub fn is_scheduled(ir: &Ir, op: Op) -> bool {
    let says = [SCHEDULE, MAPPING]
        .iter()
        .any(|name| ir.attr_named(op, name).is_some());
    says && is_combinator(ir, op)
}

/// Whether an op is a combinator.
pub fn is_combinator(ir: &Ir, op: Op) -> bool {
    ir.interface::<dyn Combinator>(op).is_some()
}

/// Expands all combinators inside an op that say how.
pub fn expand_all(ir: &mut Ir, around: Op) {
    let mut ops = ir.walk(around);
    // Inner ones first: bodies are copied.
    ops.reverse();
    for op in ops {
        if let Some(model) = ir.interface::<dyn Combinator>(op) {
            model.expand(ir, op);
        }
    }
}

impl Soac {
    /// The parts of `op`, if it is a combinator.
    pub fn of(ir: &Ir, op: Op) -> Option<Soac> {
        let parts = ir.interface::<dyn Combinator>(op)?.parts(ir, op);
        Some(Soac { op, parts })
    }

    /// Results whose elements are what the body yields.
    pub fn stored(&self, ir: &Ir) -> impl Iterator<Item = Value> + use<> {
        ir.results(self.op).skip(self.combined())
    }
}

impl Parts {
    /// Parts of a flavour, with inputs and a body; what else there is is added to them.
    pub fn new(flavour: Flavour, arrays: Vec<Value>, body: Option<Block>) -> Parts {
        Parts {
            flavour,
            arrays,
            destinations: Vec::new(),
            start: Vec::new(),
            written: Vec::new(),
            body,
            combine: None,
        }
    }

    /// How many results are combined or updated rather than stored: they come first.
    pub fn combined(&self) -> usize {
        if self.flavour.stores() {
            self.start.len()
        } else {
            self.destinations.len()
        }
    }

    /// The extent of its inputs, as their types tell it.
    pub fn extent(&self, ir: &Ir) -> Size {
        outer_size(ir, &self.arrays)
    }

    /// Whether the start values may be combined any number of times: they are neutral, or constants that a reduction's
    /// operator takes in once (a maximum of them, for example). Passes rely on it; see [`crate::start`] for what makes
    /// it so.
    pub fn is_neutral(&self, ir: &Ir) -> bool {
        !self.flavour.combines() || neutral::starts_neutrally(ir, self)
    }

    /// A detached block over the elements of arrays, and those elements.
    pub fn body_over(ir: &mut Ir, arrays: &[Value]) -> (Block, Vec<Value>) {
        let rows = row_types(ir, arrays);
        let block = ir.create_block(&rows);
        (block, ir.block_args(block).to_vec())
    }

    /// The types of the results, as the inputs and the blocks tell them.
    pub fn result_types(&self, ir: &Ir) -> Vec<Type> {
        let (ctx, outer) = (ir.ctx(), outer_size(ir, &self.arrays));
        let start = types_of(ir, &self.start);
        let mut stored = self
            .body
            .map(|body| yielded_types(ir, body))
            .unwrap_or_default();
        stored.drain(..start.len().min(stored.len()));
        match self.flavour {
            Flavour::Map => arrays_of(ctx, outer, &stored),
            Flavour::Reduce => [start, arrays_of(ctx, outer, &stored)].concat(),
            Flavour::Scan { .. } => arrays_of(ctx, outer, &[start, stored].concat()),
            Flavour::Scatter | Flavour::Hist | Flavour::Other => types_of(ir, &self.destinations),
        }
    }

    /// A value and the dimension of it that has the extent of a result's dimension.
    fn same_extent(&self, ir: &Ir, result: usize, dim: usize) -> Option<(Value, usize)> {
        let stored = result >= self.start.len();
        match (self.flavour, dim.checked_sub(1)) {
            (Flavour::Other, _) => None,
            (Flavour::Scatter | Flavour::Hist, _) => Some((*self.destinations.get(result)?, dim)),
            (Flavour::Reduce, _) if !stored => Some((self.start[result], dim)),
            (_, None) => Some((*self.arrays.first()?, 0)),
            (_, Some(dim)) if !stored => Some((self.start[result], dim)),
            (_, Some(dim)) => {
                let last = ir.last_op(self.body?)?;
                Some((ir.operands(last).nth(result)?, dim))
            }
        }
    }

    /// Builds the op of detached blocks, with result types as the parts tell them.
    pub fn build(&self, b: &mut Builder<'_>) -> Op {
        let results = self.result_types(b.ir);
        self.build_as(b, &results)
    }

    /// Builds the op of detached blocks. Without a body, a reduction is an `array.reduce` and a scan an `array.scan`.
    pub fn build_as(&self, b: &mut Builder<'_>, results: &[Type]) -> Op {
        let op = self.build_without_blocks(b, results);
        let blocks = [self.body, self.combine].into_iter().flatten();
        for (index, block) in blocks.enumerate() {
            let region = b.ir.region(op, index);
            b.ir.append_block(region, block);
        }
        op
    }

    /// Builds the same op with regions that have no blocks yet.
    fn build_without_blocks(&self, b: &mut Builder<'_>, results: &[Type]) -> Op {
        let (arrays, start, neutral) = (&self.arrays, &self.start, &self.written);
        let exclusive = self.flavour == Flavour::Scan { exclusive: true };
        let exclusive = exclusive.then(|| b.ctx().unit());
        match (self.flavour, self.body) {
            (Flavour::Map | Flavour::Other, _) => MapOp::builder()
                .arrays(arrays)
                .results_types(results)
                .build(b)
                .op(),
            (Flavour::Reduce, None) => ReduceOp::builder()
                .arrays(arrays)
                .start(start)
                .neutral(neutral)
                .results_types(results)
                .build(b)
                .op(),
            (Flavour::Reduce, Some(_)) => RedomapOp::builder()
                .arrays(arrays)
                .start(start)
                .neutral(neutral)
                .results_types(results)
                .build(b)
                .op(),
            (Flavour::Scan { .. }, None) => ScanOp::builder()
                .exclusive(exclusive)
                .arrays(arrays)
                .start(start)
                .neutral(neutral)
                .results_types(results)
                .build(b)
                .op(),
            (Flavour::Scan { .. }, Some(_)) => ScanomapOp::builder()
                .exclusive(exclusive)
                .arrays(arrays)
                .start(start)
                .neutral(neutral)
                .results_types(results)
                .build(b)
                .op(),
            (Flavour::Scatter, _) => ScatterOp::builder()
                .arrays(arrays)
                .destinations(&self.destinations)
                .results_types(results)
                .build(b)
                .op(),
            (Flavour::Hist, _) => HistOp::builder()
                .arrays(arrays)
                .destinations(&self.destinations)
                .neutral(start)
                .results_types(results)
                .build(b)
                .op(),
        }
    }
}
