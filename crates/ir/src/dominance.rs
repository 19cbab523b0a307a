//! Dominance: which definitions are visible at a use.
//!
//! Dominator trees of regions with several blocks are built when first asked for (iterative algorithm of Cooper,
//! Harvey and Kennedy); single-block regions need none. Valid until blocks or successors change.

use crate::def::Trait;
use crate::entity::{NearMap, NearSet};
use crate::lists::Lists;
use crate::store::{Block, Ir, Op, Region, Value, ValueDef};

/// Immediate dominators of the blocks of one region.
#[derive(Clone, Debug, Default)]
pub struct DomTree {
    /// Positions of the reachable blocks in `nodes`.
    positions: NearMap<Block, u32>,
    /// In reverse post-order, the entry first.
    nodes: Vec<DomNode>,
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
        let Some(entry) = ir.entry_block(region) else {
            return DomTree::default();
        };
        let order = reverse_post_order(ir, entry);
        let positions: NearMap<Block, u32> = order
            .iter()
            .enumerate()
            .map(|(index, &block)| (block, index as u32))
            .collect();
        let edges = || {
            order.iter().enumerate().flat_map(|(from, &block)| {
                block_successors(ir, block)
                    .iter()
                    .map(|succ| positions[succ])
                    .map(move |to| (to, from as u32))
            })
        };
        let preds = Lists::of(order.len(), edges);
        let parents = immediate_dominators(&preds);
        DomTree {
            nodes: intervals(&order, &parents),
            positions,
        }
    }

    fn node(&self, block: Block) -> Option<&DomNode> {
        self.positions
            .get(&block)
            .map(|&position| &self.nodes[position as usize])
    }
    /// Whether `a` dominates `b` (a block dominates itself). Everything dominates an unreachable block.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let Some(b) = self.node(b) else { return true };
        let Some(a) = self.node(a) else { return false };
        a.enter <= b.enter && b.leave <= a.leave
    }
    /// The immediate dominator of a reachable block other than the entry.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        self.node(block)
            .filter(|node| node.parent != block)
            .map(|node| node.parent)
    }
    /// Whether control can reach the block.
    pub fn is_reachable(&self, block: Block) -> bool {
        self.positions.contains_key(&block)
    }
}

/// The position of each block's immediate dominator; blocks are numbered in reverse post-order. (Every block is
/// reachable, so one of its predecessors comes before it.)
fn immediate_dominators(preds: &Lists) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    let count = preds.count();
    let mut parents = vec![UNKNOWN; count];
    parents[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for index in 1..count {
            let known = preds
                .list(index)
                .iter()
                .copied()
                .filter(|&pred| parents[pred as usize] != UNKNOWN);
            let new = known
                .reduce(|a, b| intersect(&parents, a, b))
                .unwrap_or(UNKNOWN);
            if parents[index] != new {
                parents[index] = new;
                changed = true;
            }
        }
    }
    parents
}

/// The nodes of a tree that is given by parents.
fn intervals(order: &[Block], parents: &[u32]) -> Vec<DomNode> {
    let rows = || {
        parents
            .iter()
            .enumerate()
            .skip(1)
            .map(|(child, &parent)| (parent, child as u32))
    };
    let children = Lists::of(order.len(), rows);
    let node = |parent: &u32| DomNode {
        parent: order[*parent as usize],
        enter: 0,
        leave: 0,
    };
    let mut nodes: Vec<DomNode> = parents.iter().map(node).collect();
    let mut clock = 0;
    // Blocks whose walk is under way, and how many of their children were walked.
    let mut open = vec![(0u32, 0u32)];
    while let Some((index, child)) = open.pop() {
        let node = &mut nodes[index as usize];
        if child == 0 {
            node.enter = clock;
            clock += 1;
        }
        match children.list(index as usize).get(child as usize) {
            Some(&next) => open.extend([(index, child + 1), (next, 0)]),
            None => node.leave = clock,
        }
    }
    nodes
}

fn intersect(parents: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = parents[a as usize];
        }
        while b > a {
            b = parents[b as usize];
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
    ir.entry_block(region)
        .map_or(Vec::new(), |entry| reverse_post_order(ir, entry))
}

/// Blocks reachable from `entry`, each before its successors except along back edges.
pub fn reverse_post_order(ir: &Ir, entry: Block) -> Vec<Block> {
    let mut seen = NearSet::default();
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
    trees: NearMap<Region, DomTree>,
}

impl Dominance {
    /// Nothing known yet.
    pub fn new() -> Dominance {
        Dominance::default()
    }
    /// The tree of a region.
    pub fn tree(&mut self, ir: &Ir, region: Region) -> &DomTree {
        self.trees
            .entry(region)
            .or_insert_with(|| DomTree::of(ir, region))
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
        let Some(def_block) = ir.value_block(value) else {
            return false;
        };
        let Some(region) = ir.block_region(def_block) else {
            return false;
        };
        // The ancestor of the user that lies in the region of the definition.
        let Some(at) = ir
            .ancestors(user)
            .find(|&op| ir.block_of(op).and_then(|block| ir.block_region(block)) == Some(region))
        else {
            return false;
        };
        let Some(use_block) = ir.block_of(at) else {
            return false;
        };
        if def_block != use_block {
            return self.block_dominates(ir, def_block, use_block) || self.is_graph(ir, region);
        }
        match ir.value_def(value) {
            ValueDef::Argument { .. } => true,
            // In a graph an op may use its own results, itself and inside.
            ValueDef::Result { op, .. } if op == at => self.is_graph(ir, region),
            ValueDef::Result { op, .. } => ir.is_before(op, at) || self.is_graph(ir, region),
        }
    }
    fn is_graph(&self, ir: &Ir, region: Region) -> bool {
        match ir.region_parent(region) {
            Some(parent) => ir
                .info(parent)
                .is_none_or(|info| info.has(Trait::GraphRegion)),
            None => false,
        }
    }
}
