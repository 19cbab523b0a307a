//! Regions, successors and blocks.

use super::*;

impl Ir {
    pub(super) fn extra_mut(&mut self, op: Op) -> Option<&mut OpExtra> {
        let index = self.ops[op].extra;
        (index != 0).then(|| &mut self.extras[index as usize - 1])
    }
    /// The op's regions.
    #[inline]
    pub fn regions(&self, op: Op) -> &[Region] {
        self.row_regions(&self.ops[op])
    }
    /// The `index`-th region.
    pub fn region(&self, op: Op, index: usize) -> Region {
        self.regions(op)[index]
    }
    /// The op's successors.
    #[inline]
    pub fn successors(&self, op: Op) -> &[Block] {
        match self.ops[op].extra {
            0 => &[],
            index => &self.extras[index as usize - 1].successors,
        }
    }
    /// Replaces the op's successors.
    pub fn set_successors(&mut self, op: Op, blocks: &[Block]) {
        if self.ops[op].extra == 0 {
            self.ops[op].extra = self.alloc_extra(OpExtra::default());
        }
        if let Some(extra) = self.extra_mut(op) {
            extra.successors = SmallVec::from_slice(blocks);
        }
    }
    /// Adds an empty region to an op.
    pub fn add_region(&mut self, op: Op) -> Region {
        let region = self.regions.push(RegionData {
            parent: Some(op),
            first: None,
            last: None,
        });
        if self.ops[op].extra == 0 {
            self.ops[op].extra = self.alloc_extra(OpExtra::default());
        }
        if let Some(extra) = self.extra_mut(op) {
            extra.regions.push(region);
        }
        region
    }
    /// Creates a region that is in no op yet (readers meet regions before their op).
    pub fn create_region(&mut self) -> Region {
        self.regions.push(RegionData {
            parent: None,
            first: None,
            last: None,
        })
    }
    /// Puts a detached region at the end of an op's regions.
    pub fn attach_region(&mut self, op: Op, region: Region) {
        if self.ops[op].extra == 0 {
            self.ops[op].extra = self.alloc_extra(OpExtra::default());
        }
        self.regions[region].parent = Some(op);
        if let Some(extra) = self.extra_mut(op) {
            extra.regions.push(region);
        }
    }
    /// The op a region belongs to.
    pub fn region_parent(&self, region: Region) -> Option<Op> {
        self.regions[region].parent
    }
    /// First block.
    #[inline]
    pub fn entry_block(&self, region: Region) -> Option<Block> {
        self.regions[region].first
    }
    /// An operand of the op that ends the region's first block.
    pub fn terminator_operand(&self, region: Region, index: usize) -> Option<Value> {
        self.operands(self.last_op(self.entry_block(region)?)?)
            .nth(index)
    }
    /// Blocks in order.
    pub fn blocks(&self, region: Region) -> impl Iterator<Item = Block> + '_ {
        std::iter::successors(self.regions[region].first, |&block| self.blocks[block].next)
    }
    /// The block after this one in its region.
    #[inline]
    pub fn next_block(&self, block: Block) -> Option<Block> {
        self.blocks[block].next
    }
    /// Moves all blocks of `from` to the end of `to`.
    pub fn move_blocks(&mut self, from: Region, to: Region) {
        let blocks: Vec<Block> = self.blocks(from).collect();
        for block in blocks {
            self.detach_block(block);
            self.append_block(to, block);
        }
    }

    // ---- blocks ----

    /// Creates a block that is in no region yet.
    pub fn create_block(&mut self, arg_types: &[Type]) -> Block {
        let data = BlockData {
            region: None,
            prev: None,
            next: None,
            first: None,
            last: None,
            args: SmallVec::new(),
        };
        let block = self.blocks.push(data);
        for &ty in arg_types {
            self.add_block_arg(block, ty, Loc::UNKNOWN);
        }
        block
    }
    /// Creates a block at the end of a region.
    pub fn add_block(&mut self, region: Region, arg_types: &[Type]) -> Block {
        let block = self.create_block(arg_types);
        self.append_block(region, block);
        block
    }
    /// Puts a detached block at the end of a region.
    pub fn append_block(&mut self, region: Region, block: Block) {
        let last = self.regions[region].last.replace(block);
        match last {
            Some(last) => self.blocks[last].next = Some(block),
            None => self.regions[region].first = Some(block),
        }
        let data = &mut self.blocks[block];
        data.region = Some(region);
        data.prev = last;
        data.next = None;
    }
    /// Puts a detached block right after another.
    pub fn insert_block_after(&mut self, block: Block, after: Block) {
        let region = self.blocks[after].region.expect("the block is in a region");
        let next = self.blocks[after].next.replace(block);
        match next {
            Some(next) => self.blocks[next].prev = Some(block),
            None => self.regions[region].last = Some(block),
        }
        let data = &mut self.blocks[block];
        data.region = Some(region);
        data.prev = Some(after);
        data.next = next;
    }
    /// Puts a detached block right before another.
    pub fn insert_block_before(&mut self, block: Block, before: Block) {
        let region = self.blocks[before]
            .region
            .expect("the block is in a region");
        let prev = self.blocks[before].prev.replace(block);
        match prev {
            Some(prev) => self.blocks[prev].next = Some(block),
            None => self.regions[region].first = Some(block),
        }
        let data = &mut self.blocks[block];
        data.region = Some(region);
        data.prev = prev;
        data.next = Some(before);
    }
    /// Takes a block out of its region.
    pub fn detach_block(&mut self, block: Block) {
        let BlockData {
            region, prev, next, ..
        } = self.blocks[block];
        let Some(region) = region else { return };
        match prev {
            Some(prev) => self.blocks[prev].next = next,
            None => self.regions[region].first = next,
        }
        match next {
            Some(next) => self.blocks[next].prev = prev,
            None => self.regions[region].last = prev,
        }
        let data = &mut self.blocks[block];
        data.region = None;
        data.prev = None;
        data.next = None;
    }
    /// Erases a block and its ops. Nothing outside may use their values.
    pub fn erase_block(&mut self, block: Block) {
        let ops: Vec<Op> = self.ops(block).collect();
        for &op in ops.iter().rev() {
            self.erase_op(op);
        }
        self.detach_block(block);
    }
    /// The region a block is in.
    #[inline]
    pub fn block_region(&self, block: Block) -> Option<Region> {
        self.blocks[block].region
    }
    /// The op whose region a block is in.
    pub fn block_parent(&self, block: Block) -> Option<Op> {
        self.block_region(block)
            .and_then(|region| self.region_parent(region))
    }
    /// The block's arguments.
    #[inline]
    pub fn block_args(&self, block: Block) -> &[Value] {
        &self.blocks[block].args
    }
    /// Adds an argument.
    pub fn add_block_arg(&mut self, block: Block, ty: Type, loc: Loc) -> Value {
        let index = self.blocks[block].args.len() as u32;
        let value = self.values.push(ValueData {
            ty,
            def: ValueDef::Argument { block, index },
            first_use: None,
        });
        self.blocks[block].args.push(value);
        if loc != Loc::UNKNOWN {
            self.arg_locs[value] = Some(loc);
        }
        value
    }
    /// Removes an unused argument.
    pub fn erase_block_arg(&mut self, block: Block, index: usize) {
        let value = self.blocks[block].args.remove(index);
        assert!(
            !self.has_uses(value),
            "erased a block argument that is used"
        );
        self.names.reset(value);
        for position in index..self.blocks[block].args.len() {
            let arg = self.blocks[block].args[position];
            self.values[arg].def = ValueDef::Argument {
                block,
                index: position as u32,
            };
        }
    }
    /// Removes the unused arguments that `keep` does not hold for, by position; linear in the number of arguments. How
    /// many went.
    pub fn retain_block_args(
        &mut self,
        block: Block,
        mut keep: impl FnMut(usize) -> bool,
    ) -> usize {
        let args = std::mem::take(&mut self.blocks[block].args);
        let before = args.len();
        for (position, value) in args.into_iter().enumerate() {
            if keep(position) {
                let index = self.blocks[block].args.len() as u32;
                self.values[value].def = ValueDef::Argument { block, index };
                self.blocks[block].args.push(value);
            } else {
                assert!(
                    !self.has_uses(value),
                    "erased a block argument that is used"
                );
                self.names.reset(value);
            }
        }
        before - self.blocks[block].args.len()
    }
    /// The name a block had in the source text, without `^`.
    pub fn block_name(&self, block: Block) -> Option<Ident> {
        self.block_names.get(&block).copied()
    }
    /// Names a block for the text form, without `^`.
    pub fn set_block_name(&mut self, block: Block, name: Ident) {
        self.block_names.insert(block, name);
    }
    /// First op.
    #[inline]
    pub fn first_op(&self, block: Block) -> Option<Op> {
        self.blocks[block].first
    }
    /// Last op.
    #[inline]
    pub fn last_op(&self, block: Block) -> Option<Op> {
        self.blocks[block].last
    }
    /// Ops in order.
    pub fn ops(&self, block: Block) -> impl Iterator<Item = Op> + '_ {
        std::iter::successors(self.blocks[block].first, |&op| self.ops[op].next)
    }
    /// Ops in reverse order.
    pub fn ops_reversed(&self, block: Block) -> impl Iterator<Item = Op> + '_ {
        std::iter::successors(self.blocks[block].last, |&op| self.ops[op].prev)
    }
}
