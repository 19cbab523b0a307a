//! Basic blocks of decoded code, and the order in which a warp runs diverged lanes.

use crate::isa::{ALWAYS, Inst, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The control-flow graph of a kernel with the functions it calls: calls lead to the callee, returns to what is behind each
/// call of the function.
pub(crate) struct Blocks {
    /// First instruction of each basic block, ascending.
    starts: Vec<u32>,
    successors: Vec<Vec<u32>>,
    instructions: u32,
}

impl Blocks {
    pub(crate) fn of(insts: &[Inst]) -> Blocks {
        let mut returns: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (pc, inst) in insts.iter().enumerate() {
            if let Op::Call { link, .. } = inst.op {
                returns.entry(link).or_default().push(pc as u32 + 1);
            }
        }
        let targets: Vec<Option<Vec<u32>>> = insts
            .iter()
            .enumerate()
            .map(|(pc, inst)| jump_targets(inst, pc, &returns))
            .collect();
        let mut leaders: FxHashSet<u32> = FxHashSet::default();
        leaders.insert(0);
        for (pc, jump) in targets.iter().enumerate() {
            if let Some(jump) = jump {
                leaders.extend(jump.iter().copied());
                leaders.insert(pc as u32 + 1);
            }
        }
        let mut starts: Vec<u32> = leaders
            .into_iter()
            .filter(|&pc| (pc as usize) < insts.len())
            .collect();
        starts.sort_unstable();
        let block_of = |pc: u32| starts.partition_point(|&start| start <= pc) as u32 - 1;
        let successors = (0..starts.len())
            .map(|block| {
                let end = starts
                    .get(block + 1)
                    .map_or(insts.len(), |&next| next as usize);
                let next = || (end < insts.len()).then_some(end as u32);
                let pcs = targets[end - 1]
                    .clone()
                    .unwrap_or_else(|| next().into_iter().collect());
                pcs.into_iter()
                    .filter(|&pc| (pc as usize) < insts.len())
                    .map(block_of)
                    .collect()
            })
            .collect();
        Blocks {
            starts,
            successors,
            instructions: insts.len() as u32,
        }
    }

    /// Number of basic blocks.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The instructions of a basic block.
    pub(crate) fn range(&self, block: usize) -> Range<usize> {
        let end = self.starts.get(block + 1);
        self.starts[block] as usize..end.copied().unwrap_or(self.instructions) as usize
    }

    pub(crate) fn successors(&self, block: usize) -> &[u32] {
        &self.successors[block]
    }

    /// By instruction: its place in an order in which everything on a way to a basic block is before it, and all of a loop
    /// before what is behind the loop (a weak topological order: Bourdoncle, FMPA 1993). Lanes that run in this order
    /// meet where hardware lets them meet, wherever the compiler has laid out the blocks.
    pub(crate) fn order(&self) -> Vec<u32> {
        let mut places = vec![0; self.instructions as usize];
        let mut place = 0;
        for block in self.blocks_in_order() {
            for pc in self.range(block as usize) {
                places[pc] = place;
                place += 1;
            }
        }
        places
    }

    fn blocks_in_order(&self) -> Vec<u32> {
        let mut ordered = Vec::with_capacity(self.len());
        let mut numbers = vec![OUTSIDE; self.len()];
        let mut pending = vec![Part {
            blocks: (0..self.len() as u32).collect(),
            header: None,
            depth: 0,
        }];
        while let Some(part) = pending.pop() {
            if part.blocks.len() <= 1 || part.depth > DEEPEST {
                ordered.extend(part.blocks);
                continue;
            }
            self.divide(&part, &mut numbers, &mut pending);
        }
        ordered
    }

    /// Puts the strongly connected components of a part on the list, the first of the order last.
    fn divide(&self, part: &Part, numbers: &mut [u32], pending: &mut Vec<Part>) {
        for (number, &block) in part.blocks.iter().enumerate() {
            numbers[block as usize] = number as u32;
        }
        let inside = |&to: &u32| numbers[to as usize] != OUTSIDE && Some(to) != part.header;
        let edges: Vec<Vec<usize>> = part
            .blocks
            .iter()
            .map(|&block| {
                let inside = self
                    .successors(block as usize)
                    .iter()
                    .filter(|to| inside(to));
                let mut to: Vec<usize> = inside.map(|&to| numbers[to as usize] as usize).collect();
                // Of blocks in no order those that are laid out last are found first, and come last.
                to.sort_unstable_by_key(|&to| core::cmp::Reverse(to));
                to
            })
            .collect();
        let components = components(&edges);
        let count = components.iter().max().map_or(0, |&last| last as usize + 1);
        let mut parts: Vec<Part> = (0..count)
            .map(|_| Part {
                blocks: Vec::new(),
                header: None,
                depth: part.depth + 1,
            })
            .collect();
        for (number, &component) in components.iter().enumerate() {
            parts[component as usize].blocks.push(part.blocks[number]);
        }
        for (from, to) in edges.iter().enumerate() {
            for &to in to.iter().filter(|&&to| components[to] != components[from]) {
                let header = &mut parts[components[to] as usize].header;
                let entered = part.blocks[to];
                *header = Some(header.map_or(entered, |header| header.min(entered)));
            }
        }
        for part in &mut parts {
            part.header = part.header.or(part.blocks.first().copied());
        }
        for &block in &part.blocks {
            numbers[block as usize] = OUTSIDE;
        }
        // Numbers of components ascend against the edges.
        pending.extend(parts);
    }
}

/// Stands for the number of a block that is not in the part at hand.
const OUTSIDE: u32 = u32::MAX;
/// Loops in each other whose blocks are put in order; those of deeper ones stay as they are laid out.
const DEEPEST: u32 = 64;

/// Basic blocks that are put in order on their own, ascending: all, or those of a loop.
struct Part {
    blocks: Vec<u32>,
    /// The first one of a loop. Edges to it do not count.
    header: Option<u32>,
    depth: u32,
}

/// Numbers the strongly connected components of a graph, those an edge leads to first (Tarjan, SIAM J. Comput. 1972),
/// without recursion.
pub(crate) fn components(successors: &[Vec<usize>]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let count = successors.len();
    let (mut group, mut found, mut low) = (vec![NONE; count], vec![NONE; count], vec![0; count]);
    let (mut stack, mut groups, mut time) = (Vec::new(), 0, 0);
    for start in (0..count).rev() {
        if found[start] != NONE {
            continue;
        }
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            if *next == 0 {
                (found[at], low[at]) = (time, time);
                time += 1;
                stack.push(at);
            }
            if let Some(&to) = successors[at].get(*next) {
                *next += 1;
                if found[to] == NONE {
                    path.push((to, 0));
                } else if group[to] == NONE {
                    low[at] = low[at].min(found[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(from, _)) = path.last() {
                low[from] = low[from].min(low[at]);
            }
            if low[at] == found[at] {
                while let Some(member) = stack.pop() {
                    group[member] = groups;
                    if member == at {
                        break;
                    }
                }
                groups += 1;
            }
        }
    }
    group
}

/// Where an instruction may go other than to the next; `None` for those that just fall through.
fn jump_targets(inst: &Inst, pc: usize, returns: &FxHashMap<u32, Vec<u32>>) -> Option<Vec<u32>> {
    let mut targets = match &inst.op {
        Op::Branch { target } | Op::Call { target, .. } => vec![*target],
        Op::BranchTable { table, .. } => table.to_vec(),
        Op::Return { link } => returns.get(link).cloned().unwrap_or_default(),
        Op::Exit | Op::Trap | Op::TooDeep { .. } => Vec::new(),
        _ => return None,
    };
    if inst.guard != ALWAYS {
        targets.push(pc as u32 + 1);
    }
    Some(targets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components_and_what_they_lead_to_comes_first() {
        // 0 -> 1 -> 2 -> 1, 2 -> 3, 4 -> 0, 4 -> 4.
        let edges = [vec![1], vec![2], vec![1, 3], vec![], vec![0, 4]];
        assert_eq!(components(&edges), [2, 1, 1, 0, 3]);
    }

    fn order(successors: &[&[u32]]) -> Vec<u32> {
        let blocks = Blocks {
            starts: (0..successors.len() as u32).collect(),
            successors: successors.iter().map(|to| to.to_vec()).collect(),
            instructions: successors.len() as u32,
        };
        let order = blocks.order();
        let mut seen = order.clone();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..successors.len() as u32));
        blocks.blocks_in_order()
    }

    #[test]
    fn a_latch_before_its_body_runs_behind_it() {
        // 0 -> 2, 1 is the latch of the loop 2 3 1, in which 3 may be left out; 4 is behind the loop.
        assert_eq!(order(&[&[2], &[2, 4], &[1, 3], &[1], &[]]), [0, 2, 3, 1, 4]);
    }

    #[test]
    fn all_of_a_loop_runs_before_what_is_behind_it() {
        // The block behind the loops is laid out within them; the inner loop is 4 3, the outer one 1 4 3 5.
        assert_eq!(
            order(&[&[1], &[4, 2], &[], &[4, 5], &[3], &[1]]),
            [0, 1, 4, 3, 5, 2]
        );
    }

    #[test]
    fn blocks_in_no_order_stay_as_they_are_laid_out() {
        assert_eq!(order(&[&[2, 1], &[3], &[3], &[]]), [0, 1, 2, 3]);
        assert_eq!(order(&[&[], &[2], &[1]]), [0, 1, 2]);
        assert_eq!(order(&[]), [] as [u32; 0]);
    }

    #[test]
    fn loops_nested_deeper_than_the_limit_keep_all_their_blocks() {
        // Block k is the header of a loop that all later blocks are in.
        let depth = 200;
        let successors: Vec<Vec<u32>> = (0..2 * depth)
            .map(|k| match k < depth {
                true => vec![k + 1],
                false => vec![2 * depth - 1 - k, (k + 1).min(2 * depth - 1)],
            })
            .collect();
        let successors: Vec<&[u32]> = successors.iter().map(Vec::as_slice).collect();
        assert_eq!(order(&successors)[..3], [0, 1, 2]);
    }
}
