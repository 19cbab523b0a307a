//! Where ops stand: their block, their order, moving them, walking over them.

use super::*;

impl Ir {
    /// The block an op is in.
    #[inline]
    pub fn block_of(&self, op: Op) -> Option<Block> {
        self.ops[op].block
    }
    /// The op whose region an op is in.
    #[inline]
    pub fn parent_op(&self, op: Op) -> Option<Op> {
        self.block_of(op).and_then(|block| self.block_parent(block))
    }
    /// The op itself, its parent, the parent's parent and so on.
    pub fn ancestors(&self, op: Op) -> impl Iterator<Item = Op> + '_ {
        std::iter::successors(Some(op), |&op| self.parent_op(op))
    }
    /// Whether `op` is `ancestor` or lies inside it.
    pub fn is_inside(&self, op: Op, ancestor: Op) -> bool {
        self.ancestors(op).any(|candidate| candidate == ancestor)
    }
    /// The op after this one.
    #[inline]
    pub fn next_op(&self, op: Op) -> Option<Op> {
        self.ops[op].next
    }
    /// The op before this one.
    #[inline]
    pub fn prev_op(&self, op: Op) -> Option<Op> {
        self.ops[op].prev
    }
    /// Whether `first` comes before `second`; both are in the same block.
    #[inline]
    pub fn is_before(&self, first: Op, second: Op) -> bool {
        self.ops[first].order < self.ops[second].order
    }
    /// A number that grows along the ops of a block.
    #[inline]
    pub(crate) fn order(&self, op: Op) -> u32 {
        self.ops[op].order
    }
    /// Puts a detached op at the end of a block.
    pub fn append_op(&mut self, block: Block, op: Op) {
        let last = self.blocks[block].last.replace(op);
        match last {
            Some(last) => self.ops[last].next = Some(op),
            None => self.blocks[block].first = Some(op),
        }
        let order = last.map_or(Some(ORDER_STRIDE), |last| {
            self.ops[last].order.checked_add(ORDER_STRIDE)
        });
        let data = &mut self.ops[op];
        data.block = Some(block);
        data.prev = last;
        data.next = None;
        match order {
            Some(order) => data.order = order,
            None => self.renumber(block),
        }
    }
    /// Puts a detached op right before another.
    pub fn insert_before(&mut self, op: Op, before: Op) {
        let block = self.ops[before].block.expect("the op is in a block");
        let prev = self.ops[before].prev.replace(op);
        match prev {
            Some(prev) => self.ops[prev].next = Some(op),
            None => self.blocks[block].first = Some(op),
        }
        let low = prev.map_or(0, |prev| self.ops[prev].order);
        let high = self.ops[before].order;
        let data = &mut self.ops[op];
        data.block = Some(block);
        data.prev = prev;
        data.next = Some(before);
        data.order = low + (high - low) / 2;
        if data.order == low {
            self.make_room(op);
        }
    }
    /// Spreads order numbers around `op`, which has its predecessor's, over the smallest range that is sparse enough.
    ///
    /// The density that counts as sparse falls with the size of the range, so that inserting at one place over and over costs a
    /// logarithmic number of steps each (Bender, Cole, Demaine, Farach-Colton, Zito: Two simplified algorithms for
    /// maintaining order in a list, 2002).
    pub(super) fn make_room(&mut self, op: Op) {
        const OVERFLOW: f64 = 1.15;
        let label = u64::from(self.ops[op].order);
        let (mut first, mut last, mut count, mut limit) = (op, op, 1u64, 1.0);
        for bits in 1..=32 {
            limit *= 2.0 / OVERFLOW;
            let size = 1u64 << bits;
            let base = label & !(size - 1);
            let within =
                |ir: &Ir, op: Op| (base..base + size).contains(&u64::from(ir.ops[op].order));
            while let Some(prev) = self.ops[first].prev.filter(|&prev| within(self, prev)) {
                first = prev;
                count += 1;
            }
            while let Some(next) = self.ops[last].next.filter(|&next| within(self, next)) {
                last = next;
                count += 1;
            }
            if count as f64 <= limit {
                let step = size / count;
                let mut order = base + step / 2;
                let mut cursor = Some(first);
                while let Some(op) = cursor.filter(|_| order < base + size) {
                    self.ops[op].order = order as u32;
                    order += step;
                    cursor = if op == last { None } else { self.ops[op].next };
                }
                return;
            }
        }
        if let Some(block) = self.ops[op].block {
            self.renumber(block);
        }
    }
    pub(super) fn renumber(&mut self, block: Block) {
        // A block too long for the usual stride is numbered densely.
        let count = self.ops(block).count() as u64;
        let stride = u64::from(ORDER_STRIDE)
            .min(u64::from(u32::MAX) / (count + 1))
            .max(1);
        let mut order = 0u64;
        let mut cursor = self.blocks[block].first;
        while let Some(op) = cursor {
            order += stride;
            self.ops[op].order = order as u32;
            cursor = self.ops[op].next;
        }
    }
    /// Takes an op out of its block, keeping it whole.
    pub fn detach_op(&mut self, op: Op) {
        let OpData {
            block, prev, next, ..
        } = self.ops[op];
        let Some(block) = block else { return };
        match prev {
            Some(prev) => self.ops[prev].next = next,
            None => self.blocks[block].first = next,
        }
        match next {
            Some(next) => self.ops[next].prev = prev,
            None => self.blocks[block].last = prev,
        }
        let data = &mut self.ops[op];
        data.block = None;
        data.prev = None;
        data.next = None;
    }
    /// Moves an op right before another.
    pub fn move_before(&mut self, op: Op, before: Op) {
        self.detach_op(op);
        self.insert_before(op, before);
    }
    /// Moves an op to the end of a block.
    pub fn move_to_end(&mut self, op: Op, block: Block) {
        self.detach_op(op);
        self.append_op(block, op);
    }
    /// Moves all ops of `from` before `before`, replaces the arguments of `from` by `args` and erases `from`.
    pub fn inline_block_before(&mut self, from: Block, before: Op, args: &[Value]) {
        assert_eq!(
            args.len(),
            self.block_args(from).len(),
            "one value per block argument"
        );
        for (index, &value) in args.iter().enumerate() {
            self.replace_all_uses(self.blocks[from].args[index], value);
        }
        while let Some(op) = self.first_op(from) {
            self.move_before(op, before);
        }
        self.erase_block(from);
    }

    /// Moves all ops of `from` to the end of `to`.
    pub fn move_ops_to_end(&mut self, from: Block, to: Block) {
        while let Some(op) = self.first_op(from) {
            self.move_to_end(op, to);
        }
    }
    /// Splits a block before `op`: `op` and what follows it move to a new block right after, which is returned. The
    /// old block is left without a terminator.
    pub fn split_block(&mut self, op: Op) -> Block {
        let block = self.ops[op].block.expect("the op is in a block");
        let rest = self.create_block(&[]);
        self.insert_block_after(rest, block);
        let mut at = Some(op);
        while let Some(moved) = at {
            at = self.next_op(moved);
            self.move_to_end(moved, rest);
        }
        rest
    }

    /// `root` and every op inside it, each before what is inside it.
    pub fn walk(&self, root: Op) -> Vec<Op> {
        let mut out = Vec::new();
        self.walk_with(root, &mut |op| out.push(op));
        out
    }
    /// Calls `visit` on `root` and every op inside it, each before what is inside it.
    pub fn walk_with(&self, root: Op, visit: &mut impl FnMut(Op)) {
        self.walk_into(root, &mut |op| {
            visit(op);
            true
        });
    }
    /// As [`Ir::walk_with`], but passes over what is inside ops for which `visit` says no.
    pub fn walk_into(&self, root: Op, visit: &mut impl FnMut(Op) -> bool) {
        // An explicit stack: nesting depth is the input's, not the host stack's.
        // Space for what a function mostly has: growing bit by bit costs more than the walk.
        let mut pending = Vec::with_capacity(64);
        pending.push(root);
        while let Some(op) = pending.pop() {
            if !visit(op) {
                continue;
            }
            let start = pending.len();
            for &region in self.regions(op) {
                for block in self.blocks(region) {
                    pending.extend(self.ops(block));
                }
            }
            pending[start..].reverse();
        }
    }
}
