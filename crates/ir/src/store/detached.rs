//! Detached copies: isolated ops copied into a program of their own, so that another thread can work on them, and put back.
//!
//! An op that is isolated from above shares nothing with what is around it but the context, which is made for many
//! threads. [`Ir::copy_out`] only reads the program, so many threads can take their detached copies at once; what they do to
//! a detached copy nobody else can see; [`Ir::put_back`] writes the outcome into the slots the ops came from.
//!
//! Around the ops of a detached copy stand copies of the ops around them, which hold nothing else: their names and attributes
//! can be read, their other contents are not there, and what happens to them is not put back.
//!
//! Invariants:
//! * A detached copy is the same program up to the numbers of its ids: order of ops, blocks, arguments and uses is kept.
//! * After `put_back` entities that survived have the ids they had before; new ones get new ids.
//! * A copy that is never put back leaves the program as it was.
//!
//! Deliberately absent: resources of the file (they belong to the whole program), threads (see the pass manager).

use super::*;
use smallvec::smallvec;

/// Renumbering of one kind of entity, from the program to a detached copy.
#[derive(Debug)]
struct Numbering<K> {
    /// By index in the program: index in the detached copy; meaningful only where `list` agrees.
    of: Vec<u32>,
    /// By index in the detached copy: the id in the program.
    list: Vec<K>,
}

impl<K> Default for Numbering<K> {
    fn default() -> Self {
        Numbering {
            of: Vec::new(),
            list: Vec::new(),
        }
    }
}

impl<K: EntityId> Numbering<K> {
    /// Starts a new detached copy of a program with so many entities. The contents left by earlier detached copies are ignored, so that memory
    /// for more entities comes untouched: a thread only ever touches what stands for the detached copies it takes.
    fn start(&mut self, entities: usize) {
        self.list.clear();
        if self.of.len() < entities {
            self.of = vec![0; entities + entities / 4];
        }
    }
    fn add(&mut self, old: K) {
        self.of[old.index()] = self.list.len() as u32;
        self.list.push(old);
    }
    /// The ids in the program. The next detached copy will have about as many.
    fn take(&mut self) -> Vec<K> {
        let capacity = self.list.len();
        std::mem::replace(&mut self.list, Vec::with_capacity(capacity))
    }
    /// The id in the detached copy; `None` where the entity is not part of it.
    #[inline]
    fn get(&self, old: K) -> Option<K> {
        let new = *self.of.get(old.index())? as usize;
        (self.list.get(new) == Some(&old)).then(|| K::from_index(new))
    }
    /// Like `get` for what may be absent; `Err`: it is there and not part of the detached copy.
    #[inline]
    fn opt(&self, old: Option<K>) -> Option<Option<K>> {
        match old {
            None => Some(None),
            Some(old) => self.get(old).map(Some),
        }
    }
}

/// Memory that is used again from one [`Ir::copy_out`] to the next.
#[derive(Debug, Default)]
pub struct DetachedScratch {
    ops: Numbering<Op>,
    uses: Numbering<Use>,
    values: Numbering<Value>,
    blocks: Numbering<Block>,
    regions: Numbering<Region>,
}

/// Where the entities of a detached copy came from, by their index in the detached copy.
#[derive(Debug)]
struct Home {
    ops: Vec<Op>,
    uses: Vec<Use>,
    values: Vec<Value>,
    blocks: Vec<Block>,
    regions: Vec<Region>,
    extras: Vec<u32>,
}

/// Isolated ops in a program of their own.
#[derive(Debug)]
pub struct DetachedCopy {
    /// The program that holds nothing but the ops, and the shells of the ops around them.
    pub ir: Ir,
    /// Number of ops around the ops: they come first, each with its region and block.
    shells: usize,
    /// Number of ops that were copied out: they come next.
    roots: usize,
    home: Home,
}

impl DetachedCopy {
    /// The ops, in the order they were given.
    pub fn ops(&self) -> impl ExactSizeIterator<Item = Op> + use<> {
        (self.shells..self.shells + self.roots).map(Op::from_index)
    }
}

impl Ir {
    /// Copies isolated ops with everything inside. `None` where one of them is not isolated after all: it has operands
    /// or results, or something inside it refers to something outside; or where they do not lie directly inside one op.
    pub fn copy_out(&self, ops: &[Op], scratch: &mut DetachedScratch) -> Option<DetachedCopy> {
        let fits = |&op: &Op| self.num_operands(op) == 0 && self.num_results(op) == 0;
        if ops.is_empty() || !ops.iter().all(fits) {
            return None;
        }
        let shells = scratch.number(self, ops)?;
        let mut ir = Ir::new(self.ctx.clone());
        ir.root = Some(Op::from_index(0));
        let mut extras = Vec::new();
        scratch.copy_ops(self, (shells, ops.len()), &mut ir, &mut extras)?;
        scratch.copy_uses(self, &mut ir)?;
        scratch.copy_values(self, &mut ir)?;
        scratch.copy_blocks(self, shells, &mut ir)?;
        ir.nest(shells, ops.len());
        let home = Home {
            ops: scratch.ops.take(),
            uses: scratch.uses.take(),
            values: scratch.values.take(),
            blocks: scratch.blocks.take(),
            regions: scratch.regions.take(),
            extras,
        };
        Some(DetachedCopy {
            ir,
            shells,
            roots: ops.len(),
            home,
        })
    }

    /// Puts the ops of a detached copy back where they came from. The program must not have changed there since.
    pub fn put_back(&mut self, detached: DetachedCopy) {
        let DetachedCopy {
            mut ir,
            shells,
            roots,
            mut home,
        } = detached;
        home.extend(self, &ir);
        self.take_extras(&mut ir, shells, &home);
        self.take_ops(&ir, &home, shells, roots);
        for (index, data) in ir.uses.values().enumerate() {
            let data = UseData {
                owner: home.ops[data.owner.index()],
                prev: data.prev.map(|id| home.uses[id.index()]),
                next: data.next.map(|id| home.uses[id.index()]),
            };
            self.uses.set_or_push(home.uses[index], data);
        }
        for (index, value) in ir.used.values().enumerate() {
            let value = value.map(|value| home.values[value.index()]);
            self.used.set_or_push(home.uses[index], value);
        }
        self.take_values(&ir, &home);
        self.take_blocks(&mut ir, shells, &home);
        self.free_ops
            .extend(ir.free_ops.iter().map(|op| home.ops[op.index()]));
        self.free_extras.extend(
            ir.free_extras
                .iter()
                .map(|&index| home.extras[index as usize]),
        );
        take_free_runs(&mut self.free_uses, &ir.free_uses, &home.uses);
        take_free_runs(&mut self.free_values, &ir.free_values, &home.values);
    }

    /// Links the shells, and the ops into the innermost of them.
    fn nest(&mut self, shells: usize, roots: usize) {
        for index in 0..shells {
            let (shell, region, block) = (
                Op::from_index(index),
                Region::from_index(index),
                Block::from_index(index),
            );
            self.regions[region] = RegionData {
                parent: Some(shell),
                first: None,
                last: None,
            };
            self.append_block(region, block);
            if index > 0 {
                self.append_op(Block::from_index(index - 1), shell);
            }
        }
        if let Some(innermost) = shells.checked_sub(1) {
            for index in shells..shells + roots {
                self.append_op(Block::from_index(innermost), Op::from_index(index));
            }
        }
    }

    fn take_extras(&mut self, ir: &mut Ir, shells: usize, home: &Home) {
        for (index, mut extra) in std::mem::take(&mut ir.extras)
            .into_iter()
            .enumerate()
            .skip(shells)
        {
            extra
                .regions
                .iter_mut()
                .for_each(|id| *id = home.regions[id.index()]);
            extra
                .successors
                .iter_mut()
                .for_each(|id| *id = home.blocks[id.index()]);
            match self.extras.get_mut(home.extras[index] as usize) {
                Some(slot) => *slot = extra,
                None => self.extras.push(extra),
            }
        }
    }

    fn take_ops(&mut self, ir: &Ir, home: &Home, shells: usize, roots: usize) {
        for (index, data) in ir.ops.values().enumerate().skip(shells) {
            let extra = if data.extra == 0 {
                0
            } else {
                home.extras[data.extra as usize - 1] + 1
            };
            if index < shells + roots {
                // Where it stands is the program's business.
                let root = &mut self.ops[home.ops[index]];
                (root.loc, root.properties, root.attrs) = (data.loc, data.properties, data.attrs);
                root.signature = data.signature;
                root.extra = extra;
                continue;
            }
            let data = OpData {
                block: data.block.map(|block| home.blocks[block.index()]),
                prev: data.prev.map(|op| home.ops[op.index()]),
                next: data.next.map(|op| home.ops[op.index()]),
                first_use: first_of_run(&home.uses, data.first_use, data.num_operands),
                first_result: first_of_run(&home.values, data.first_result, data.num_results),
                extra,
                ..data.clone()
            };
            self.ops.set_or_push(home.ops[index], data);
        }
    }

    fn take_values(&mut self, ir: &Ir, home: &Home) {
        for (index, data) in ir.values.values().enumerate() {
            let def = match data.def {
                ValueDef::Result { op, index } => ValueDef::Result {
                    op: home.ops[op.index()],
                    index,
                },
                ValueDef::Argument { block, index } => ValueDef::Argument {
                    block: home.blocks[block.index()],
                    index,
                },
            };
            let first_use = data.first_use.map(|id| home.uses[id.index()]);
            let there = home.values[index];
            self.values.set_or_push(
                there,
                ValueData {
                    ty: data.ty,
                    def,
                    first_use,
                },
            );
            match ir.names[Value::from_index(index)] {
                None => self.names.reset(there),
                name => self.names[there] = name,
            }
            match ir.arg_locs[Value::from_index(index)] {
                None => self.arg_locs.reset(there),
                loc => self.arg_locs[there] = loc,
            }
        }
    }

    fn take_blocks(&mut self, ir: &mut Ir, shells: usize, home: &Home) {
        for (index, mut data) in std::mem::take(&mut ir.blocks)
            .into_values()
            .enumerate()
            .skip(shells)
        {
            data.args
                .iter_mut()
                .for_each(|arg| *arg = home.values[arg.index()]);
            data.region = data.region.map(|region| home.regions[region.index()]);
            data.prev = data.prev.map(|block| home.blocks[block.index()]);
            data.next = data.next.map(|block| home.blocks[block.index()]);
            data.first = data.first.map(|op| home.ops[op.index()]);
            data.last = data.last.map(|op| home.ops[op.index()]);
            let there = home.blocks[index];
            self.blocks.set_or_push(there, data);
        }
        for (index, data) in ir.regions.values().enumerate().skip(shells) {
            let there = home.regions[index];
            let data = RegionData {
                parent: data.parent.map(|op| home.ops[op.index()]),
                first: data.first.map(|block| home.blocks[block.index()]),
                last: data.last.map(|block| home.blocks[block.index()]),
            };
            self.regions.set_or_push(there, data);
        }
        for (block, &name) in &ir.block_names {
            self.block_names.insert(home.blocks[block.index()], name);
        }
    }
}

impl Home {
    /// Gives entities made on the detached copy ids of the program: those that come next in it.
    fn extend(&mut self, program: &Ir, detached: &Ir) {
        fn more<K: EntityId>(list: &mut Vec<K>, wanted: usize, next: usize) {
            let known = list.len();
            list.extend((known..wanted).map(|index| K::from_index(next + index - known)));
        }
        more(&mut self.ops, detached.ops.len(), program.ops.len());
        more(&mut self.uses, detached.uses.len(), program.uses.len());
        more(
            &mut self.values,
            detached.values.len(),
            program.values.len(),
        );
        more(
            &mut self.blocks,
            detached.blocks.len(),
            program.blocks.len(),
        );
        more(
            &mut self.regions,
            detached.regions.len(),
            program.regions.len(),
        );
        let (known, next) = (self.extras.len(), program.extras.len());
        self.extras
            .extend((known..detached.extras.len()).map(|index| (next + index - known) as u32));
    }
}

fn first_of_run<K: EntityId>(home: &[K], first: u32, count: u32) -> u32 {
    if count == 0 {
        0
    } else {
        home[first as usize].index() as u32
    }
}

fn take_free_runs<K: EntityId>(free: &mut Vec<Vec<u32>>, detached: &[Vec<u32>], home: &[K]) {
    for (count, firsts) in detached.iter().enumerate() {
        for &first in firsts {
            push_free(free, count, home[first as usize].index() as u32);
        }
    }
}

impl DetachedScratch {
    /// Numbers the ops around the ops (outermost first, each with the region and the block on the way), the ops, and what
    /// is inside them. Returns the number of ops around.
    fn number(&mut self, ir: &Ir, ops: &[Op]) -> Option<usize> {
        self.ops.start(ir.ops.len());
        self.uses.start(ir.uses.len());
        self.values.start(ir.values.len());
        self.blocks.start(ir.blocks.len());
        self.regions.start(ir.regions.len());
        let parent = ir.parent_op(ops[0]);
        if ops.iter().any(|&op| ir.parent_op(op) != parent) {
            return None;
        }
        let path: Vec<Op> = ir.ancestors(ops[0]).collect();
        for pair in path.windows(2).rev() {
            let block = ir.block_of(pair[0])?;
            self.ops.add(pair[1]);
            self.blocks.add(block);
            self.regions.add(ir.block_region(block)?);
        }
        let shells = path.len() - 1;
        for &op in ops {
            self.ops.add(op);
        }
        let mut pending: Vec<Region> = Vec::new();
        for &root in ops {
            pending.extend(ir.regions(root).iter().rev());
            while let Some(region) = pending.pop() {
                self.regions.add(region);
                for block in ir.blocks(region) {
                    self.number_block(ir, block, &mut pending);
                }
            }
        }
        // An op that is given twice is numbered twice.
        let once = |(index, &op): (usize, &Op)| self.ops.of[op.index()] as usize == shells + index;
        ops.iter().enumerate().all(once).then_some(shells)
    }

    fn number_block(&mut self, ir: &Ir, block: Block, pending: &mut Vec<Region>) {
        self.blocks.add(block);
        for &arg in ir.block_args(block) {
            self.values.add(arg);
        }
        for op in ir.ops(block) {
            self.ops.add(op);
            let data = &ir.ops[op];
            for index in 0..data.num_operands {
                self.uses
                    .add(Use::from_index((data.first_use + index) as usize));
            }
            for index in 0..data.num_results {
                self.values
                    .add(Value::from_index((data.first_result + index) as usize));
            }
            pending.extend(ir.regions(op).iter().rev());
        }
    }

    /// The ops; shells and roots stand in no block yet. `extras` learns where their extra data came from.
    fn copy_ops(
        &self,
        from: &Ir,
        (shells, roots): (usize, usize),
        to: &mut Ir,
        extras: &mut Vec<u32>,
    ) -> Option<()> {
        to.ops.reserve(self.ops.list.len());
        // Most ops that have extra data have regions.
        to.extras.reserve(self.regions.list.len());
        extras.reserve(self.regions.list.len());
        for (index, &old) in self.ops.list.iter().enumerate() {
            let data = &from.ops[old];
            let mut copy = OpData {
                block: None,
                prev: None,
                next: None,
                extra: 0,
                ..data.clone()
            };
            if index < shells {
                (copy.num_operands, copy.num_results, copy.signature) = (0, 0, None);
            }
            if copy.num_operands > 0 {
                copy.first_use = self
                    .uses
                    .get(Use::from_index(data.first_use as usize))?
                    .index() as u32;
            }
            if copy.num_results > 0 {
                let first = Value::from_index(data.first_result as usize);
                copy.first_result = self.values.get(first)?.index() as u32;
            }
            if index >= shells + roots {
                copy.block = self.blocks.opt(data.block)?;
                copy.prev = self.ops.opt(data.prev)?;
                copy.next = self.ops.opt(data.next)?;
            }
            if data.extra != 0 {
                let extra = if index < shells {
                    OpExtra {
                        regions: smallvec![Region::from_index(index)],
                        successors: SmallVec::new(),
                    }
                } else {
                    self.extra(&from.extras[data.extra as usize - 1])?
                };
                to.extras.push(extra);
                extras.push(data.extra - 1);
                copy.extra = to.extras.len() as u32;
            }
            to.ops.push(copy);
        }
        Some(())
    }

    fn extra(&self, extra: &OpExtra) -> Option<OpExtra> {
        let regions = extra.regions.iter().map(|&region| self.regions.get(region));
        let successors = extra.successors.iter().map(|&block| self.blocks.get(block));
        Some(OpExtra {
            regions: regions.collect::<Option<_>>()?,
            successors: successors.collect::<Option<_>>()?,
        })
    }

    fn copy_uses(&self, from: &Ir, to: &mut Ir) -> Option<()> {
        to.uses.reserve(self.uses.list.len());
        to.used.reserve(self.uses.list.len());
        for &old in &self.uses.list {
            let data = &from.uses[old];
            to.uses.push(UseData {
                owner: self.ops.get(data.owner)?,
                prev: self.uses.opt(data.prev)?,
                next: self.uses.opt(data.next)?,
            });
            to.used.push(self.values.opt(from.used[old])?);
        }
        Some(())
    }

    fn copy_values(&self, from: &Ir, to: &mut Ir) -> Option<()> {
        let count = self.values.list.len();
        to.values.reserve(count);
        to.names
            .reserve(if from.names.is_empty() { 0 } else { count });
        to.arg_locs
            .reserve(if from.arg_locs.is_empty() { 0 } else { count });
        for &old in &self.values.list {
            let data = &from.values[old];
            let def = match data.def {
                ValueDef::Result { op, index } => ValueDef::Result {
                    op: self.ops.get(op)?,
                    index,
                },
                ValueDef::Argument { block, index } => ValueDef::Argument {
                    block: self.blocks.get(block)?,
                    index,
                },
            };
            let first_use = self.uses.opt(data.first_use)?;
            let new = to.values.push(ValueData {
                ty: data.ty,
                def,
                first_use,
            });
            if let name @ Some(_) = from.names[old] {
                to.names[new] = name;
            }
            if let loc @ Some(_) = from.arg_locs[old] {
                to.arg_locs[new] = loc;
            }
        }
        Some(())
    }

    /// The blocks and regions; those of the first `shells` ops stay empty.
    fn copy_blocks(&self, from: &Ir, shells: usize, to: &mut Ir) -> Option<()> {
        to.blocks.reserve(self.blocks.list.len());
        to.regions.reserve(self.regions.list.len());
        for _ in 0..shells {
            to.create_block(&[]);
            to.create_region();
        }
        for &old in self.blocks.list.get(shells..)? {
            let data = &from.blocks[old];
            let args = data.args.iter().map(|&arg| self.values.get(arg));
            let new = to.blocks.push(BlockData {
                region: self.regions.opt(data.region)?,
                prev: self.blocks.opt(data.prev)?,
                next: self.blocks.opt(data.next)?,
                first: self.ops.opt(data.first)?,
                last: self.ops.opt(data.last)?,
                args: args.collect::<Option<_>>()?,
            });
            if let Some(&name) = from.block_names.get(&old) {
                to.block_names.insert(new, name);
            }
        }
        for &old in self.regions.list.get(shells..)? {
            let data = &from.regions[old];
            to.regions.push(RegionData {
                parent: self.ops.opt(data.parent)?,
                first: self.blocks.opt(data.first)?,
                last: self.blocks.opt(data.last)?,
            });
        }
        Some(())
    }
}
