//! Dominance: which definitions are visible at a use.
//!
//! Dominator trees of regions with several blocks are built when first asked for (iterative algorithm of Cooper,
//! Harvey and Kennedy); single-block regions need none. Valid until blocks or successors change.

use crate::def::Trait;
use crate::interfaces::terminator;
use crate::store::{Block, Ir, Op, Region, Value, ValueDef};
use rustc_hash::FxHashMap;

/// Immediate dominators of the blocks of one region.
#[derive(Clone, Debug, Default)]
pub struct DomTree {
    /// Every reachable block.
    nodes: FxHashMap<Block, DomNode>,
}

/// A block in the tree.
#[derive(Clone, Copy, Debug)]
struct DomNode {
    /// Immediate dominator; the entry has itself.
    parent: Block,
    /// When a depth-first walk of the tree enters and leaves the block: one dominates another where its interval
    /// encloses the other's, which takes no walk to see.
    enter: u32,
    leave: u32,
}

impl DomTree {
    /// The tree of a region.
    pub fn of(ir: &Ir, region: Region) -> DomTree {
        let Some(entry) = ir.entry_block(region) else { return DomTree::default() };
        let order = reverse_post_order(ir, entry);
        let position: FxHashMap<Block, usize> =
            order.iter().enumerate().map(|(index, &block)| (block, index)).collect();
        let mut preds: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for (index, &block) in order.iter().enumerate() {
            for succ in block_successors(ir, block) {
                preds[position[succ]].push(index);
            }
        }
        let mut idom: Vec<Option<usize>> = vec![None; order.len()];
        idom[0] = Some(0);
        let mut changed = true;
        while changed {
            changed = false;
            for index in 1..order.len() {
                let mut new = None;
                for &pred in preds[index].iter().filter(|&&pred| idom[pred].is_some()) {
                    new = Some(new.map_or(pred, |other| intersect(&idom, pred, other)));
                }
                if new.is_some() && idom[index] != new {
                    idom[index] = new;
                    changed = true;
                }
            }
        }
        DomTree::from_parents(&order, &idom)
    }

    fn from_parents(order: &[Block], idom: &[Option<usize>]) -> DomTree {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for index in 1..order.len() {
            children[idom[index].unwrap_or(0)].push(index);
        }
        let mut nodes = FxHashMap::default();
        let mut clock = 0;
        let mut pending = vec![(0usize, 0usize)];
        let mut entered = vec![0u32; order.len()];
        while let Some((index, child)) = pending.pop() {
            if child == 0 {
                entered[index] = clock;
                clock += 1;
            }
            if let Some(&next) = children[index].get(child) {
                pending.push((index, child + 1));
                pending.push((next, 0));
                continue;
            }
            let parent = order[idom[index].unwrap_or(0)];
            nodes.insert(order[index], DomNode { parent, enter: entered[index], leave: clock });
        }
        DomTree { nodes }
    }

    /// Whether `a` dominates `b` (a block dominates itself). Everything dominates an unreachable block.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let Some(b) = self.nodes.get(&b) else { return true };
        let Some(a) = self.nodes.get(&a) else { return false };
        a.enter <= b.enter && b.leave <= a.leave
    }
    /// The immediate dominator of a reachable block other than the entry.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.nodes.get(&block).filter(|node| node.parent != block).map(|node| node.parent)
    }
    /// Whether control can reach the block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.nodes.contains_key(&block)
    }
}

fn intersect(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while a > b {
            a = idom[a].unwrap_or(0);
        }
        while b > a {
            b = idom[b].unwrap_or(0);
        }
    }
    a
}

/// Successor blocks of a block's last op.
pub fn block_successors(ir: &Ir, block: Block) -> &[Block] {
    ir.last_op(block).map_or(&[], |op| ir.successors(op))
}

/// Blocks of a region reachable from its entry, each before its successors except along back edges.
pub fn reverse_post_order_of(ir: &Ir, region: Region) -> Vec<Block> {
    ir.entry_block(region).map_or(Vec::new(), |entry| reverse_post_order(ir, entry))
}

/// Blocks reachable from `entry`, each before its successors except along back edges.
pub fn reverse_post_order(ir: &Ir, entry: Block) -> Vec<Block> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = vec![(entry, 0usize)];
    seen.insert(entry);
    while let Some((block, next)) = stack.pop() {
        match block_successors(ir, block).get(next) {
            Some(&succ) => {
                stack.push((block, next + 1));
                if seen.insert(succ) {
                    stack.push((succ, 0));
                }
            }
            None => order.push(block),
        }
    }
    order.reverse();
    order
}

/// Dominance over a whole program; trees are made when first needed.
#[derive(Clone, Debug, Default)]
pub struct Dominance {
    trees: FxHashMap<Region, DomTree>,
}

impl Dominance {
    /// Nothing known yet.
    pub fn new() -> Dominance {
        Dominance::default()
    }
    /// The tree of a region.
    pub fn tree(&mut self, ir: &Ir, region: Region) -> &DomTree {
        self.trees.entry(region).or_insert_with(|| DomTree::of(ir, region))
    }
    /// Whether block `a` dominates block `b` of the same region.
    pub fn block_dominates(&mut self, ir: &Ir, a: Block, b: Block) -> bool {
        if a == b {
            return true;
        }
        match ir.block_region(a) {
            Some(region) => self.tree(ir, region).dominates(a, b),
            None => false,
        }
    }
    /// Whether `value` is defined whenever `user` runs.
    pub fn value_dominates(&mut self, ir: &Ir, value: Value, user: Op) -> bool {
        let Some(def_block) = ir.value_block(value) else { return false };
        let Some(region) = ir.block_region(def_block) else { return false };
        // The ancestor of the user that lies in the region of the definition.
        let Some(at) = ir
            .ancestors(user)
            .find(|&op| ir.block_of(op).and_then(|block| ir.block_region(block)) == Some(region))
        else {
            return false;
        };
        let Some(use_block) = ir.block_of(at) else { return false };
        if def_block != use_block {
            return self.block_dominates(ir, def_block, use_block) || self.is_graph(ir, region);
        }
        match ir.value_def(value) {
            ValueDef::Argument { .. } => true,
            ValueDef::Result { op, .. } if op == at => at != user && self.is_graph(ir, region),
            ValueDef::Result { op, .. } => ir.is_before(op, at) || self.is_graph(ir, region),
        }
    }
    fn is_graph(&self, ir: &Ir, region: Region) -> bool {
        match ir.region_parent(region) {
            Some(parent) => ir.info(parent).is_none_or(|info| info.has(Trait::GraphRegion)),
            None => false,
        }
    }
    /// The only place control leaves a region by handing values to its parent op, if there is just one.
    pub fn sole_exit(ir: &Ir, region: Region) -> Option<Op> {
        let mut exits = ir
            .blocks(region)
            .filter_map(|block| terminator(ir, block))
            .filter(|&op| ir.has_trait(op, Trait::ReturnLike));
        let exit = exits.next()?;
        exits.next().is_none().then_some(exit)
    }
}
