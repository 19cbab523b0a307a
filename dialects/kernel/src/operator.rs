//! Properties of operators of reductions, scans and histograms.

use rustc_hash::FxHashMap;
use segra_ir::interfaces::is_pure;
use segra_ir::{Block, Ir, Op, Region, Trait, Value};

/// Longest chain of ops that is looked into.
const DEEPEST: usize = 64;
/// Most pairs of values that are compared: what is left then counts as not the same.
const MOST_PAIRS: usize = 4096;

/// Whether an operator computes the same, bit for bit but for which of several NaNs, where its two operands are exchanged.
/// (Sums of floats may be reordered.)
///
/// It does where each value is the same expression with the arguments of both operands exchanged, the two operands of
/// commutative ops in either order: sums, products of complex numbers, sums of squares that are scaled by the larger one of
/// two magnitudes. Other reasons are not found: `select(a < b, a, b)` stands for a minimum, and is refused.
pub fn is_commutative(ir: &Ir, combine: Region) -> bool {
    let Some(block) = ir.entry_block(combine) else {
        return false;
    };
    let Some(terminator) = ir.last_op(block) else {
        return false;
    };
    let mut exchange = Exchange {
        ir,
        block,
        seen: FxHashMap::default(),
    };
    ir.operands(terminator)
        .all(|value| exchange.turns(value, value, DEEPEST))
}

/// Pairs of values of a block of which the second is the first one with operands exchanged.
struct Exchange<'a> {
    ir: &'a Ir,
    block: Block,
    seen: FxHashMap<(Value, Value), bool>,
}

impl Exchange<'_> {
    /// Whether `x`, with the arguments of both operands exchanged, is `y`.
    fn turns(&mut self, x: Value, y: Value, deepest: usize) -> bool {
        let args = self.ir.block_args(self.block);
        let half = args.len() / 2;
        if let Some(at) = args.iter().position(|&arg| arg == x) {
            return args.get((at + half) % args.len()) == Some(&y);
        }
        if let Some(&known) = self.seen.get(&(x, y)) {
            return known;
        }
        if deepest == 0 || self.seen.len() == MOST_PAIRS {
            return false;
        }
        let inside = |value| {
            let op = self.ir.defining_op(value)?;
            (self.ir.block_of(op) == Some(self.block)).then_some(op)
        };
        let turns = match (inside(x), inside(y)) {
            (Some(from), Some(to)) => self.op_turns(from, to, [x, y], deepest - 1),
            // From outside, and the same for both.
            (None, None) => x == y,
            _ => false,
        };
        self.seen.insert((x, y), turns);
        turns
    }

    fn op_turns(&mut self, from: Op, to: Op, [x, y]: [Value; 2], deepest: usize) -> bool {
        let ir = self.ir;
        let number = |op, value| ir.results(op).position(|result| result == value);
        let plain = |op| ir.regions(op).is_empty() && is_pure(ir, op);
        let named = |op| (ir.op_name(op), ir.properties(op), ir.discardable_attrs(op));
        let alike = named(from) == named(to);
        if !alike || number(from, x) != number(to, y) || !plain(from) || !plain(to) {
            return false;
        }
        let [ours, theirs] = [from, to].map(|op| ir.operands(op).collect::<Vec<_>>());
        let in_order = ours.len() == theirs.len()
            && ours
                .iter()
                .zip(&theirs)
                .all(|(&x, &y)| self.turns(x, y, deepest));
        let mut exchanged = || match (&ours[..], &theirs[..]) {
            (&[a, b], &[c, d]) if ir.has_trait(from, Trait::Commutative) => {
                self.turns(a, d, deepest) && self.turns(b, c, deepest)
            }
            _ => false,
        };
        in_order || exchanged()
    }
}
