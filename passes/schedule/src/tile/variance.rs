//! Which indices values of a body depend on.
//!
//! The question behind tiling: an array that is read at the same elements whatever one index of a nest is, is read
//! again by every point along that index ("invariant to a dimension" in the block-and-register tiling thesis, 2.4.3).

use rustc_hash::FxHashMap;
use segra_ir::interfaces::LoopLike;
use segra_ir::{Block, Ir, Op, Value};
use segra_std::scf::ForOp;

/// A set of the values that were asked about, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Indices(u64);

impl Indices {
    /// The most values that can be asked about; later ones count as the last.
    pub const MOST: usize = 64;

    /// The set of one number.
    pub fn one(number: usize) -> Indices {
        Indices(1 << number.min(Indices::MOST - 1))
    }
    /// Whether a number is in the set.
    pub fn contains(self, number: usize) -> bool {
        self.0 & Indices::one(number).0 != 0
    }
    /// The dependences in either.
    pub fn union(self, other: Indices) -> Indices {
        Indices(self.0 | other.0)
    }
    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The dependences of the values computed in a block.
#[derive(Clone, Debug)]
pub struct Variance {
    known: FxHashMap<Value, Indices>,
}

impl Variance {
    /// For everything computed in `block`, in whatever depth: which of `seeds` it depends on, through operands and through
    /// conditions and bounds of the control flow that carries it. Seeds may be arguments of the block or of blocks inside.
    pub fn of(ir: &Ir, block: Block, seeds: &[Value]) -> Variance {
        Variance::of_numbered(ir, block, seeds, Indices::MOST)
    }

    /// As [`Self::of`]; seeds from number `last` on count as one.
    pub fn of_numbered(ir: &Ir, block: Block, seeds: &[Value], last: usize) -> Variance {
        let mut variance = Variance {
            known: FxHashMap::default(),
        };
        for (number, &seed) in seeds.iter().enumerate() {
            variance.add(seed, Indices::one(number.min(last)));
        }
        // Values carried around loops take a round for each op on the way back at most; sets only grow.
        while variance.round(ir, block, Indices::default()) {}
        variance
    }

    /// The dependences of a value; none where it is computed elsewhere.
    pub fn get(&self, value: Value) -> Indices {
        self.known.get(&value).copied().unwrap_or_default()
    }

    /// Whether the set of a value grew.
    fn add(&mut self, value: Value, more: Indices) -> bool {
        if more.is_empty() {
            return false;
        }
        let set = self.known.entry(value).or_default();
        let old = std::mem::replace(set, set.union(more));
        old != *set
    }

    fn round(&mut self, ir: &Ir, block: Block, around: Indices) -> bool {
        let mut grew = false;
        for op in ir.ops(block) {
            grew |= self.visit(ir, op, around);
        }
        grew
    }

    fn visit(&mut self, ir: &Ir, op: Op, around: Indices) -> bool {
        let mut all = ir
            .operands(op)
            .fold(around, |all, value| all.union(self.get(value)));
        let mut grew = false;
        // Counters depend on bounds only, not on what is carried, at first or later.
        let counters = ir
            .interface::<dyn LoopLike>(op)
            .map(|model| model.induction_vars(ir, op));
        let counters = counters.unwrap_or_default();
        let bounds = if ir.isa::<ForOp>(op) { 3 } else { usize::MAX };
        let counted = ir
            .operands(op)
            .take(bounds)
            .fold(around, |all, value| all.union(self.get(value)));
        for &counter in &counters {
            grew |= self.add(counter, counted);
        }
        for &region in ir.regions(op) {
            for block in ir.blocks(region) {
                for &arg in ir
                    .block_args(block)
                    .iter()
                    .filter(|arg| !counters.contains(arg))
                {
                    grew |= self.add(arg, all);
                }
                grew |= self.round(ir, block, counted);
                if let Some(last) = ir.last_op(block) {
                    // A yielded value becomes a result, or an argument of the next round.
                    all = ir
                        .operands(last)
                        .fold(all, |all, value| all.union(self.get(value)));
                    for &arg in ir
                        .block_args(block)
                        .iter()
                        .filter(|arg| !counters.contains(arg))
                    {
                        grew |= self.add(arg, all);
                    }
                }
            }
        }
        for result in ir.results(op) {
            grew |= self.add(result, all);
        }
        grew
    }
}
