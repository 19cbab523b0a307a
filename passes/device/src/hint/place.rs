//! Indices of kernels as sums of products of what threads, blocks and turns of loops differ in, and of sizes.
//!
//! ```text
//! block * m + 4 * k + thread    ==>    [Block, Same(m)]: 1, [Turn(k)]: 4, [Thread]: 1
//! ```
//! Integers are taken as if they did not wrap. An index that is made in another way, as one that is loaded, has no place here.

use rustc_hash::FxHashMap;
use segra_gpu::device::{BlockIdOp, ThreadIdOp};
use segra_ir::interfaces::is_pure;
use segra_ir::stack::deep;
use segra_ir::{Ir, Value, ValueDef};
use segra_std::arith;
use segra_std::scf::ForOp;
use std::collections::BTreeMap;

/// Products in a sum at most.
const MOST: usize = 64;

/// A factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Atom {
    /// The number of the thread in its block.
    Thread,
    /// The remainder of it by a constant, and the quotient.
    Lane(i64),
    Warp(i64),
    /// The number of the block.
    Block,
    /// The remainder of it by a value that all threads know, and the quotient.
    BlockRem(Value),
    BlockDiv(Value),
    /// How many turns of a loop are done, by its counter.
    Turn(Value),
    /// A value that is the same in all threads of a block, which is computed of its number in some other way.
    OfBlock(Value),
    /// A value that is the same in all threads.
    Same(Value),
}

/// A sum of products, each with its constant; none is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Place(BTreeMap<Vec<Atom>, i64>);

impl Place {
    fn of(atom: Atom) -> Place {
        Place([(vec![atom], 1)].into())
    }
    fn number(number: i64) -> Place {
        let mut place = Place::default();
        place.add(Vec::new(), number);
        place
    }
    fn add(&mut self, product: Vec<Atom>, times: i64) {
        let sum = self.0.entry(product).or_insert(0);
        *sum = sum.wrapping_add(times);
        self.0.retain(|_, times| *times != 0);
    }
    fn plus(mut self, other: &Place, times: i64) -> Place {
        for (product, &more) in &other.0 {
            self.add(product.clone(), more.wrapping_mul(times));
        }
        self
    }
    /// The difference.
    pub(super) fn minus(&self, other: &Place) -> Place {
        self.clone().plus(other, -1)
    }
    fn times(&self, other: &Place) -> Option<Place> {
        let mut all = Place::default();
        for (x, by) in &self.0 {
            for (y, and) in &other.0 {
                let mut product: Vec<Atom> = x.iter().chain(y).copied().collect();
                product.sort_unstable();
                all.add(product, by.wrapping_mul(*and));
            }
        }
        (all.0.len() <= MOST).then_some(all)
    }
    fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        self.0.keys().flatten().copied()
    }
    /// The constant that the sum is.
    pub(super) fn constant(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }
    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
    /// How much the sum grows where an atom grows by one: what stands beside it.
    pub(super) fn by(&self, atom: Atom) -> Place {
        let mut beside = Place::default();
        for (product, &times) in &self.0 {
            if let Some(at) = product.iter().position(|&factor| factor == atom) {
                let mut rest = product.clone();
                rest.remove(at);
                beside.add(rest, times);
            }
        }
        beside
    }
    /// Whether the sum is another one by a number that is not zero.
    pub(super) fn is_multiple_of(&self, other: &Place) -> bool {
        let (Some((product, &whole)), true) = (self.0.iter().next(), !other.is_zero()) else {
            return false;
        };
        let Some(&part) = other.0.get(product) else {
            return false;
        };
        whole % part == 0 && *self == Place::default().plus(other, whole / part)
    }
    /// The sum at the first turns of all loops.
    pub(super) fn without_turns(mut self) -> Place {
        let turns = |factor: &Atom| matches!(factor, Atom::Turn(_));
        self.0.retain(|product, _| !product.iter().any(turns));
        self
    }
    /// Counters in it.
    pub(super) fn turns(&self) -> impl Iterator<Item = Atom> + '_ {
        self.atoms().filter(|atom| matches!(atom, Atom::Turn(_)))
    }
    pub(super) fn has_lanes(&self) -> bool {
        self.atoms()
            .any(|atom| matches!(atom, Atom::Lane(_) | Atom::Warp(_)))
    }
    /// Lanes of the one kind of lane in it.
    pub(super) fn only_lane(&self) -> Option<i64> {
        let mut only = None;
        for atom in self.atoms() {
            if let Atom::Lane(lanes) = atom
                && only.replace(lanes).is_some_and(|other| other != lanes)
            {
                return None;
            }
        }
        only
    }
    /// Whether the whole number of the block is in it: itself, or a quotient and the remainder by the same value.
    pub(super) fn has_whole_block(&self) -> bool {
        let remainder = |by| self.atoms().any(|other| other == Atom::BlockRem(by));
        self.atoms().any(|atom| match atom {
            Atom::Block => true,
            Atom::BlockDiv(by) => remainder(by),
            _ => false,
        })
    }
}

/// Finds places of indices in a kernel.
pub(super) struct Places<'a> {
    ir: &'a Ir,
    params: &'a [Value],
    found: FxHashMap<Value, Option<Place>>,
    shared: FxHashMap<Value, Shared>,
}

/// Who has one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shared {
    Nobody,
    Block,
    Launch,
}

impl<'a> Places<'a> {
    pub(super) fn new(ir: &'a Ir, params: &'a [Value]) -> Places<'a> {
        Places {
            ir,
            params,
            found: FxHashMap::default(),
            shared: FxHashMap::default(),
        }
    }

    pub(super) fn of(&mut self, value: Value) -> Option<Place> {
        if let Some(found) = self.found.get(&value) {
            return found.clone();
        }
        let place = deep(|| self.make(value)).filter(|place| place.0.len() <= MOST);
        self.found.insert(value, place.clone());
        place
    }

    fn make(&mut self, value: Value) -> Option<Place> {
        let ir = self.ir;
        if let Some(number) = ir.constant_int(value) {
            return Some(Place::number(number));
        }
        if let ValueDef::Argument { block, index: 0 } = ir.value_def(value)
            && let Some(looped) = ir.block_parent(block).and_then(|op| ir.cast::<ForOp>(op))
        {
            let (first, step) = (self.of(looped.lower_bound(ir))?, self.of(looped.step(ir))?);
            return Some(first.plus(&step.times(&Place::of(Atom::Turn(value)))?, 1));
        }
        if let Some(place) = self.computed(value) {
            return Some(place);
        }
        match self.shared(value) {
            Shared::Nobody => None,
            Shared::Block => Some(Place::of(Atom::OfBlock(value))),
            Shared::Launch => Some(Place::of(Atom::Same(value))),
        }
    }

    /// The place of what is computed of others in one of the ways that are known.
    fn computed(&mut self, value: Value) -> Option<Place> {
        let ir = self.ir;
        if let Some(op) = ir.def_as::<arith::AddIOp>(value) {
            return Some(self.of(op.lhs(ir))?.plus(&self.of(op.rhs(ir))?, 1));
        }
        if let Some(op) = ir.def_as::<arith::SubIOp>(value) {
            return Some(self.of(op.lhs(ir))?.plus(&self.of(op.rhs(ir))?, -1));
        }
        if let Some(op) = ir.def_as::<arith::MulIOp>(value) {
            return self.of(op.lhs(ir))?.times(&self.of(op.rhs(ir))?);
        }
        let cast = ir.def_as::<arith::IndexCastOp>(value).map(|op| op.r#in(ir));
        let cast = cast.or_else(|| {
            ir.def_as::<arith::IndexCastUIOp>(value)
                .map(|op| op.r#in(ir))
        });
        if let Some(inner) = cast {
            return self.of(inner);
        }
        if let Some(op) = ir.def_as::<ThreadIdOp>(value) {
            return (op.dimension(ir) == segra_gpu::attrs::Dimension::X)
                .then(|| Place::of(Atom::Thread));
        }
        if let Some(op) = ir.def_as::<BlockIdOp>(value) {
            return (op.dimension(ir) == segra_gpu::attrs::Dimension::X)
                .then(|| Place::of(Atom::Block));
        }
        self.divided(value)
    }

    /// The place of a quotient or remainder of the thread or of the block.
    fn divided(&mut self, value: Value) -> Option<Place> {
        let ir = self.ir;
        let quotient = ir
            .def_as::<arith::DivUIOp>(value)
            .map(|op| (op.lhs(ir), op.rhs(ir)))
            .or_else(|| {
                let op = ir.def_as::<arith::DivSIOp>(value)?;
                Some((op.lhs(ir), op.rhs(ir)))
            });
        let remainder = ir
            .def_as::<arith::RemUIOp>(value)
            .map(|op| (op.lhs(ir), op.rhs(ir)))
            .or_else(|| {
                let op = ir.def_as::<arith::RemSIOp>(value)?;
                Some((op.lhs(ir), op.rhs(ir)))
            });
        let (whole, by) = quotient.or(remainder)?;
        let whole = self.of(whole)?;
        let atom = if whole == Place::of(Atom::Thread) {
            let by = ir.constant_int(by).filter(|&by| by > 0)?;
            match quotient {
                Some(_) => Atom::Warp(by),
                None => Atom::Lane(by),
            }
        } else if whole == Place::of(Atom::Block) && self.shared(by) == Shared::Launch {
            match quotient {
                Some(_) => Atom::BlockDiv(by),
                None => Atom::BlockRem(by),
            }
        } else {
            return None;
        };
        Some(Place::of(atom))
    }

    /// Who has one value, at least.
    fn shared(&mut self, value: Value) -> Shared {
        if let Some(&shared) = self.shared.get(&value) {
            return shared;
        }
        let ir = self.ir;
        let shared = if self.params.contains(&value) || ir.constant_int(value).is_some() {
            Shared::Launch
        } else if ir.def_as::<BlockIdOp>(value).is_some() {
            Shared::Block
        } else {
            let op = ir.defining_op(value).filter(|&op| {
                ir.regions(op).is_empty() && ir.operands(op).next().is_some() && is_pure(ir, op)
            });
            op.and_then(|op| {
                ir.operands(op)
                    .map(|operand| deep(|| self.shared(operand)))
                    .min()
            })
            .unwrap_or(Shared::Nobody)
        };
        self.shared.insert(value, shared);
        shared
    }
}
