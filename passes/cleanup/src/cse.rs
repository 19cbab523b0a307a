//! `cse`: of ops that compute the same, the first one that dominates the others stays.
//!
//! ```text
//! %0 = arith.addi %a, %b : i32                 %0 = arith.addi %a, %b : i32
//! %1 = arith.addi %b, %a : i32         ->      %2 = arith.muli %0, %0 : i32
//! %2 = arith.muli %0, %1 : i32
//! ```
//! Two ops compute the same if name, attributes, result types and operands agree (in any order where the op commutes)
//! and their regions are equal up to renaming. One may replace the other if it dominates it and the op has no effect,
//! or only reads and nothing may write on any way from one to the other, in whatever blocks they are (both see one
//! [`Version`] of memory). Dead ops met on the way go.
//! Limits: values that are equal for other reasons (algebra, control flow) are not found; a write to other memory counts
//! as a write; nothing is merged across a region that is isolated from above.

use rustc_hash::FxHasher;
use segra_ir::dominance::Dominance;
use segra_ir::entity::NearMap;
use segra_ir::equivalence::{equivalent, hash};
use segra_ir::interfaces::{EffectKind, is_trivially_dead, visit_effects};
use segra_ir::{Block, Ir, Op, Region, Trait};
use segra_pass::dataflow::{DenseStates, MemoryVersions, Version};
use segra_pass::{Anchors, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options};
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};

pass_options! {
    /// The pass `cse`.
    pub struct Cse {}
}

const INFO: PassInfo = PassInfo {
    name: "cse",
    summary: "merge ops that compute the same",
    reads: &["*"],
    writes: &[],
    anchors: Anchors::Any,
};

impl Pass for Cse {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, op: Op, cx: &mut PassContext<'_>) -> PassResult {
        let dominance = std::mem::take(cx.analysis::<Dominance>(ir, op));
        let mut walk = Walk {
            ir,
            root: op,
            dominance,
            tasks: Vec::new(),
            tables: vec![Table::default()],
            epoch: 0,
            versions: None,
            merged: 0,
            dead: 0,
            lost_regions: false,
        };
        walk.run(op);
        let (merged, dead, lost_regions) = (walk.merged, walk.dead, walk.lost_regions);
        let dominance = walk.dominance;
        *cx.analysis::<Dominance>(ir, op) = dominance;
        cx.count("ops merged", merged);
        cx.count("dead ops erased", dead);
        // Neither blocks nor branches changed; where regions went their trees must go too.
        Ok(match merged + dead {
            0 => Outcome::unchanged(),
            _ if lost_regions => Outcome::changed(),
            _ => Outcome::changed().preserving::<Dominance>(),
        })
    }
}

/// An op other ops may be merged into.
#[derive(Clone, Copy)]
struct Entry {
    op: Op,
    /// For ops that read: how much was written before.
    epoch: Option<u64>,
}

/// The visible values at the present op, with a log to undo what an inner scope added.
#[derive(Default)]
struct Table {
    known: NearMap<u64, SmallVec<[Entry; 1]>>,
    log: Vec<u64>,
    scopes: Vec<usize>,
}

impl Table {
    fn open(&mut self) {
        self.scopes.push(self.log.len());
    }
    fn close(&mut self) {
        let start = self.scopes.pop().unwrap_or(0);
        for key in self.log.drain(start..).rev() {
            if let Some(entries) = self.known.get_mut(&key) {
                entries.pop();
                if entries.is_empty() {
                    self.known.remove(&key);
                }
            }
        }
    }
    fn add(&mut self, key: u64, entry: Entry) {
        self.known.entry(key).or_default().push(entry);
        self.log.push(key);
    }
}

/// The pending work; an explicit stack, because nesting and dominator trees are as deep as the input likes.
#[derive(Clone, Copy)]
enum Task {
    /// The ops of a block from this one on.
    Ops(Op),
    /// A region's blocks, in order of dominance.
    Region(Region),
    /// A block and, inside its scope, those it dominates.
    Block(Block),
    /// The knowledge from inside ends here.
    CloseScope,
    /// The knowledge from inside an isolated op ends here.
    CloseTable,
    /// An op whose regions are done.
    Finish(Op),
}

struct Walk<'a> {
    ir: &'a mut Ir,
    root: Op,
    dominance: Dominance,
    tasks: Vec<Task>,
    /// The innermost table is the last; ops isolated from above have one of their own.
    tables: Vec<Table>,
    /// Counts what may have written.
    epoch: u64,
    /// Versions of memory, once they are needed: for equal reads that the count does not tell to be one. They stay
    /// right, for ops that write are neither erased nor moved.
    versions: Option<DenseStates<Version>>,
    merged: u64,
    dead: u64,
    /// Whether an op with regions went.
    lost_regions: bool,
}

impl Walk<'_> {
    fn run(&mut self, root: Op) {
        self.enter_regions(root);
        // Of the dominator trees only the children are needed; filled when a region is entered.
        let mut children: NearMap<Block, Vec<Block>> = NearMap::default();
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Ops(op) => self.ops(op),
                Task::Region(region) => self.region(region, &mut children),
                Task::Block(block) => {
                    self.table().open();
                    self.tasks.push(Task::CloseScope);
                    let inside = children.remove(&block).unwrap_or_default();
                    self.tasks.extend(inside.into_iter().rev().map(Task::Block));
                    self.tasks.extend(self.ir.first_op(block).map(Task::Ops));
                }
                Task::CloseScope => self.table().close(),
                Task::CloseTable => {
                    self.tables.pop();
                }
                Task::Finish(op) => self.finish(op),
            }
        }
    }

    fn table(&mut self) -> &mut Table {
        if self.tables.is_empty() {
            // Space for what a function mostly has.
            let known = NearMap::with_capacity_and_hasher(32, Default::default());
            self.tables.push(Table {
                known,
                log: Vec::with_capacity(32),
                scopes: Vec::new(),
            });
        }
        self.tables.last_mut().expect("pushed if there was none")
    }

    fn enter_regions(&mut self, op: Op) {
        self.tasks.extend(
            self.ir
                .regions(op)
                .iter()
                .rev()
                .map(|&region| Task::Region(region)),
        );
    }

    fn region(&mut self, region: Region, children: &mut NearMap<Block, Vec<Block>>) {
        let Some(entry) = self.ir.entry_block(region) else {
            return;
        };
        if self.ir.blocks(region).nth(1).is_some() {
            let tree = self.dominance.tree(self.ir, region);
            for block in self.ir.blocks(region) {
                if let Some(parent) = tree.immediate(block) {
                    children.entry(parent).or_default().push(block);
                }
            }
        }
        self.tasks.push(Task::Block(entry));
    }

    fn ops(&mut self, first: Op) {
        let mut at = Some(first);
        while let Some(op) = at {
            at = self.ir.next_op(op);
            if self.ir.regions(op).is_empty() {
                self.finish(op);
                continue;
            }
            self.tasks.extend(at.map(Task::Ops));
            self.tasks.push(Task::Finish(op));
            if self
                .ir
                .info(op)
                .is_none_or(|info| info.has(Trait::IsolatedFromAbove))
            {
                self.tables.push(Table::default());
                self.tasks.push(Task::CloseTable);
            }
            self.enter_regions(op);
            return;
        }
    }

    /// Merges the op into a known one, or makes it known.
    fn finish(&mut self, op: Op) {
        if is_trivially_dead(self.ir, op) {
            self.lost_regions |= !self.ir.regions(op).is_empty();
            self.ir.erase_op(op);
            self.dead += 1;
            return;
        }
        let reads = match access(self.ir, op) {
            Access::None => false,
            Access::Reads => true,
            Access::Writes => {
                self.epoch += 1;
                return;
            }
        };
        if self.ir.num_results(op) == 0 || self.ir.has_trait(op, Trait::Terminator) {
            return;
        }
        let key = hash(self.ir, op);
        let epoch = reads.then_some(self.epoch);
        match self.find(op, key, epoch) {
            Some(known) => {
                self.lost_regions |= !self.ir.regions(op).is_empty();
                let values: SmallVec<[_; 2]> = self.ir.results(known).collect();
                self.ir.replace_op(op, &values);
                self.merged += 1;
            }
            None => {
                let key = if reads {
                    self.key_of_read(op, key)
                } else {
                    key
                };
                self.table().add(key, Entry { op, epoch });
            }
        }
    }
}

impl Walk<'_> {
    /// A known op that computes what `op` does.
    fn find(&mut self, op: Op, key: u64, epoch: Option<u64>) -> Option<Op> {
        let known = &self.tables.last()?.known;
        let (ir, root, versions) = (&*self.ir, self.root, &mut self.versions);
        // The nearest one is the likeliest to see the same memory.
        let nearest = |versions: &mut Option<DenseStates<Version>>, entries: &[Entry]| {
            let found = entries.iter().rev().find(|entry| {
                equivalent(ir, entry.op, op) && same_memory(ir, root, versions, (entry, op, epoch))
            });
            found.map(|entry| entry.op)
        };
        if let Some(found) = nearest(versions, known.get(&key)?) {
            return Some(found);
        }
        let version = versions.as_ref().filter(|_| epoch.is_some())?.before(op)?;
        let entries = known.get(&with_version(key, version))?;
        nearest(versions, entries)
    }

    /// The key a read is known by. The first of equal ones has that of its text. The others have the memory they see in
    /// theirs, too: each is looked for among those that see the same, however often an address is written in between.
    fn key_of_read(&mut self, op: Op, key: u64) -> u64 {
        if self
            .table()
            .known
            .get(&key)
            .is_none_or(|entries| entries.is_empty())
        {
            return key;
        }
        let (ir, root) = (&*self.ir, self.root);
        let versions = self
            .versions
            .get_or_insert_with(|| MemoryVersions::of(ir, root));
        versions
            .before(op)
            .map_or(key, |version| with_version(key, version))
    }
}

/// Whether nothing is written between a known op and this one, or neither reads.
fn same_memory(
    ir: &Ir,
    root: Op,
    versions: &mut Option<DenseStates<Version>>,
    (known, op, epoch): (&Entry, Op, Option<u64>),
) -> bool {
    if known.epoch == epoch && (epoch.is_none() || ir.block_of(known.op) == ir.block_of(op)) {
        return true;
    }
    if epoch.is_none() {
        return false;
    }
    let versions = versions.get_or_insert_with(|| MemoryVersions::of(ir, root));
    let (first, second) = (versions.before(known.op), versions.before(op));
    first.is_some() && first == second
}

fn with_version(key: u64, version: &Version) -> u64 {
    let mut hasher = FxHasher::default();
    (key, version).hash(&mut hasher);
    hasher.finish()
}

enum Access {
    None,
    Reads,
    /// Writes, frees, orders, or unknown. An allocation is of this kind too: two of them are two.
    Writes,
}

fn access(ir: &Ir, op: Op) -> Access {
    let mut reads = false;
    let harmless = visit_effects(ir, op, &mut |(_, effect)| {
        reads = true;
        matches!(effect.kind, EffectKind::Read | EffectKind::Stop)
    });
    match (harmless, reads) {
        (false, _) => Access::Writes,
        (true, false) => Access::None,
        (true, true) => Access::Reads,
    }
}
