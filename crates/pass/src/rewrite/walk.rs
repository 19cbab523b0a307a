//! The walk driver: every op is looked at once, patterns are tried on it, and that is all. For passes that need no
//! fixpoint: what a rewrite makes or changes is not looked at again.

use super::build_at;
use super::pattern::PatternSet;
use segra_ir::interfaces::Rewriter;
use segra_ir::{Block, Builder, InsertPoint, Ir, Loc, Op, SecondaryMap, Value};

/// In which order ops are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WalkOrder {
    /// Each op before what is inside it.
    #[default]
    PreOrder,
    /// Each op after what is inside it.
    PostOrder,
}

/// Tries the patterns once on every op inside `root` (not `root` itself). How many rewrites there were.
pub fn walk_and_rewrite(ir: &mut Ir, root: Op, patterns: &PatternSet, order: WalkOrder) -> u64 {
    let ops = match order {
        WalkOrder::PreOrder => ir.walk(root).split_off(1),
        WalkOrder::PostOrder => post_order(ir, root),
    };
    let mut driver = Walker {
        ir,
        skip: SecondaryMap::default(),
    };
    let mut rewrites = 0;
    for op in ops {
        // Gone with an op that was rewritten, or made in the place of one that has gone.
        if driver.skip[op] || driver.ir.block_of(op).is_none() {
            continue;
        }
        let name = driver.ir.op_name(op);
        rewrites += u64::from(
            patterns
                .matching(name)
                .any(|pattern| pattern.rewrite(&mut driver, op)),
        );
    }
    rewrites
}

/// Ops inside `root`, each after what is inside it.
fn post_order(ir: &Ir, root: Op) -> Vec<Op> {
    let mut out = Vec::new();
    // An explicit stack: nesting depth is the input's, not the host stack's.
    let mut pending = vec![(root, false)];
    while let Some((op, entered)) = pending.pop() {
        if entered {
            out.push(op);
            continue;
        }
        if op != root {
            pending.push((op, true));
        }
        let start = pending.len();
        for &region in ir.regions(op) {
            for block in ir.blocks(region) {
                pending.extend(ir.ops(block).map(|inner| (inner, false)));
            }
        }
        pending[start..].reverse();
    }
    out
}

struct Walker<'a> {
    ir: &'a mut Ir,
    /// Ops that are not to be looked at: erased, or made on the way.
    skip: SecondaryMap<Op, bool>,
}

impl Walker<'_> {
    fn skip_inside(&mut self, op: Op) {
        let skip = &mut self.skip;
        self.ir.walk_with(op, &mut |inner| skip[inner] = true);
    }
}

impl Rewriter for Walker<'_> {
    fn ir(&self) -> &Ir {
        self.ir
    }
    fn build_at(&mut self, point: InsertPoint, loc: Loc, build: &mut dyn FnMut(&mut Builder<'_>)) {
        let (mut at, end) = build_at(self.ir, point, loc, build);
        while let Some(op) = at.filter(|_| at != end) {
            self.skip_inside(op);
            at = self.ir.next_op(op);
        }
    }
    fn replace_op(&mut self, op: Op, values: &[Value]) {
        self.skip_inside(op);
        self.ir.replace_op(op, values);
    }
    fn replace_value(&mut self, from: Value, to: Value) {
        self.ir.replace_all_uses(from, to);
    }
    fn erase_op(&mut self, op: Op) {
        self.skip_inside(op);
        self.ir.erase_op(op);
    }
    fn modify(&mut self, _op: Op, change: &mut dyn FnMut(&mut Ir)) {
        change(self.ir);
    }
    fn inline_block_before(&mut self, from: Block, before: Op, args: &[Value]) {
        self.ir.inline_block_before(from, before, args);
    }
}
