//! Promotion of one slot: which ops take part, what must be carried where, and then every load becomes what reaches it.
//!
//! An access is a load, a store, or a structured op with accesses inside: one that stores is rebuilt so that it carries
//! the slot's value as one more argument and result, filled with the initial value at first. After that every store and
//! every rebuilt op defines the slot's value by a value that exists, and one pass over each block resolves the rest.

use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::build::OpState;
use segra_ir::dominance::DomTree;
use segra_ir::interfaces::{
    BranchLike, MemorySlot, PromotableAccess, PromotableAllocation, RegionBranch, RegionSuccessor,
    SlotAccess, region_edges,
};
use segra_ir::{Block, Builder, InsertPoint, Ir, Op, Region, Value};
use segra_pass::rewrite::BranchEdits;

/// Blocks of a region as a graph.
#[derive(Debug)]
struct Cfg {
    tree: DomTree,
    preds: FxHashMap<Block, Vec<Block>>,
    /// Blocks where values from different ways may meet first, by block.
    frontier: FxHashMap<Block, Vec<Block>>,
}

/// Graphs of regions, kept while several slots of one function are promoted: blocks and branches stay.
#[derive(Debug, Default)]
pub(super) struct Cfgs {
    known: FxHashMap<Region, Cfg>,
}

impl Cfgs {
    fn of(&mut self, ir: &Ir, region: Region) -> &Cfg {
        self.known
            .entry(region)
            .or_insert_with(|| Cfg::of(ir, region))
    }
}

impl Cfg {
    /// Where values that `defs` define meet and are needed, if `needed` need what comes in.
    fn merges(&self, defs: FxHashSet<Block>, mut needed: Vec<Block>) -> FxHashSet<Block> {
        let mut live: FxHashSet<Block> = FxHashSet::default();
        while let Some(block) = needed.pop() {
            if live.insert(block) {
                let preds = self.preds.get(&block).into_iter().flatten();
                needed.extend(preds.filter(|&pred| !defs.contains(pred)));
            }
        }
        let mut merges: FxHashSet<Block> = FxHashSet::default();
        let mut pending: Vec<Block> = defs.into_iter().collect();
        while let Some(block) = pending.pop() {
            for &join in self.frontier.get(&block).into_iter().flatten() {
                if live.contains(&join) && merges.insert(join) {
                    pending.push(join);
                }
            }
        }
        merges
    }
    fn of(ir: &Ir, region: Region) -> Cfg {
        let tree = DomTree::of(ir, region);
        let mut preds: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for block in ir.blocks(region) {
            for &to in segra_ir::dominance::block_successors(ir, block) {
                preds.entry(to).or_default().push(block);
            }
        }
        let mut frontier: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        for block in ir.blocks(region).filter(|&block| tree.is_reachable(block)) {
            let before = preds.get(&block).map_or(&[][..], Vec::as_slice);
            if before.len() < 2 {
                continue;
            }
            for &pred in before.iter().filter(|&&pred| tree.is_reachable(pred)) {
                let mut runner = Some(pred);
                while let Some(at) = runner.filter(|&at| Some(at) != tree.immediate(block)) {
                    let list = frontier.entry(at).or_default();
                    if list.last() != Some(&block) {
                        list.push(block);
                    }
                    runner = tree.immediate(at);
                }
            }
        }
        Cfg {
            tree,
            preds,
            frontier,
        }
    }
}

/// The ops that take part in one promotion.
struct Slot {
    slot: MemorySlot,
    allocation: Op,
    /// Accesses by block, in order.
    blocks: FxHashMap<Block, Vec<Op>>,
    /// Structured ops with accesses inside, outer ones first, and whether they store.
    structured: Vec<Op>,
    stores_inside: FxHashSet<Op>,
    /// There are accesses other than stores.
    is_read: bool,
}

/// Promotes a slot if it can be. Whether it was.
pub(super) fn promote(ir: &mut Ir, cfgs: &mut Cfgs, allocation: Op, slot: MemorySlot) -> bool {
    let Some(mut found) = Slot::find(ir, allocation, slot) else {
        return false;
    };
    if !found.is_read {
        found.erase(ir);
        return true;
    }
    if !found.may_promote(ir, cfgs) {
        return false;
    }
    let Some(model) = ir.interface::<dyn PromotableAllocation>(allocation) else {
        return false;
    };
    let Some(initial) = model.initial_value(&mut Builder::before(ir, allocation), allocation, slot)
    else {
        return false;
    };
    found.carry(ir, initial);
    Promotion {
        slot: &found,
        initial,
        entry: FxHashMap::default(),
        exit: FxHashMap::default(),
        before: FxHashMap::default(),
        replaced: FxHashMap::default(),
    }
    .run(ir, cfgs);
    // A value that was only there in case nothing was stored.
    if let Some(op) = ir.defining_op(initial)
        && !ir.has_uses(initial)
    {
        ir.erase_op(op);
    }
    true
}

impl Slot {
    /// All uses of the slot, if each is an access.
    fn find(ir: &Ir, allocation: Op, slot: MemorySlot) -> Option<Slot> {
        let home = ir
            .block_of(allocation)
            .and_then(|block| ir.block_region(block))?;
        let mut found = Slot {
            slot,
            allocation,
            blocks: FxHashMap::default(),
            structured: Vec::new(),
            stores_inside: FxHashSet::default(),
            is_read: false,
        };
        let mut seen: FxHashSet<Op> = FxHashSet::default();
        for user in ir.users(slot.memory) {
            let access = ir
                .interface::<dyn PromotableAccess>(user)?
                .access(ir, user, slot)?;
            if !seen.insert(user) {
                continue;
            }
            let stores = matches!(access, SlotAccess::Store(_));
            found.is_read |= !stores;
            let mut at = user;
            loop {
                let block = ir.block_of(at)?;
                if seen.insert(at) || at == user {
                    found.blocks.entry(block).or_default().push(at);
                    if at != user {
                        found.structured.push(at);
                    }
                }
                if stores && at != user {
                    found.stores_inside.insert(at);
                }
                if ir.block_region(block) == Some(home) {
                    break;
                }
                at = ir.block_parent(block)?;
                ir.interface::<dyn RegionBranch>(at)?;
            }
        }
        for list in found.blocks.values_mut() {
            list.sort_by(|&a, &b| {
                if ir.is_before(a, b) {
                    std::cmp::Ordering::Less
                } else {
                    std::cmp::Ordering::Greater
                }
            });
        }
        // Outer ones first: by how many ops are around them.
        found
            .structured
            .sort_by_key(|&op| (ir.ancestors(op).count(), op));
        Some(found)
    }

    /// Erases a slot that is only stored to: no value is needed, nor carried by the ops around the stores.
    fn erase(self, ir: &mut Ir) {
        let mut stores: Vec<Op> = ir.users(self.slot.memory).collect();
        stores.sort_unstable();
        stores.dedup();
        for op in stores {
            ir.erase_op(op);
        }
        ir.erase_op(self.allocation);
    }

    fn is_def(&self, ir: &Ir, op: Op) -> bool {
        match ir.interface::<dyn PromotableAccess>(op) {
            Some(model) => matches!(model.access(ir, op, self.slot), Some(SlotAccess::Store(_))),
            None => self.stores_inside.contains(&op),
        }
    }
    /// The regions that take part: with accesses, or of structured ops that carry the value.
    fn regions(&self, ir: &Ir) -> Vec<Region> {
        let mut regions: Vec<Region> = self
            .blocks
            .keys()
            .filter_map(|&block| ir.block_region(block))
            .collect();
        regions.extend(self.stores_inside.iter().flat_map(|&op| ir.regions(op)));
        regions.sort_unstable();
        regions.dedup();
        regions
    }

    /// Whether values can be forwarded wherever that is necessary.
    fn may_promote(&self, ir: &Ir, cfgs: &mut Cfgs) -> bool {
        for region in self.regions(ir) {
            for block in self.merges(ir, cfgs, region) {
                let preds = cfgs
                    .of(ir, region)
                    .preds
                    .get(&block)
                    .cloned()
                    .unwrap_or_default();
                let can = |pred: Block| {
                    ir.last_op(pred)
                        .is_some_and(|last| ir.interface::<dyn BranchLike>(last).is_some())
                };
                if !preds.into_iter().all(can) {
                    return false;
                }
            }
        }
        // Structured ops that store must be able to carry a value, and be left only where their regions end.
        self.structured
            .iter()
            .filter(|op| self.stores_inside.contains(op))
            .all(|&op| {
                let segmented = ir
                    .info(op)
                    .is_none_or(|info| info.result_segments.is_some());
                let model = ir.interface::<dyn RegionBranch>(op);
                !segmented && model.is_some_and(|model| model.can_carry(ir, op))
            })
    }

    /// Blocks of a region where values of the slot meet and one of them is needed.
    fn merges(&self, ir: &Ir, cfgs: &mut Cfgs, region: Region) -> Vec<Block> {
        let Some(first) = ir
            .entry_block(region)
            .filter(|&first| ir.next_block(first).is_some())
        else {
            return Vec::new();
        };
        let cfg = cfgs.of(ir, region);
        // Where the slot begins: at its allocation, or at the entry of a nested region.
        let home = ir
            .block_of(self.allocation)
            .filter(|&home| ir.block_region(home) == Some(region));
        let home = home.unwrap_or(first);
        let mut defs: FxHashSet<Block> = FxHashSet::default();
        defs.insert(home);
        let mut needed: Vec<Block> = Vec::new();
        for (&block, list) in self
            .blocks
            .iter()
            .filter(|row| ir.block_region(*row.0) == Some(region))
        {
            if list.iter().any(|&op| self.is_def(ir, op)) {
                defs.insert(block);
            }
            if !self.is_def(ir, list[0]) || self.stores_inside.contains(&list[0]) {
                needed.push(block);
            }
        }
        // A value a structured op carries is forwarded at the ends of its regions: it is needed there.
        if ir
            .region_parent(region)
            .is_some_and(|parent| self.stores_inside.contains(&parent))
        {
            let ends = |block: &Block| {
                ir.last_op(*block)
                    .is_some_and(|last| ir.successors(last).is_empty())
            };
            needed.extend(
                ir.blocks(region)
                    .filter(|block| ends(block) && !defs.contains(block)),
            );
        }
        needed.retain(|&block| block != home);
        let merges = cfg.merges(defs, needed);
        if merges.is_empty() {
            return Vec::new();
        }
        ir.blocks(region)
            .filter(|block| merges.contains(block))
            .collect()
    }

    /// Rebuilds structured ops that store so that they carry the slot's value, `initial` everywhere at first.
    fn carry(&mut self, ir: &mut Ir, initial: Value) {
        let ops: Vec<Op> = self
            .structured
            .iter()
            .copied()
            .filter(|op| self.stores_inside.contains(op))
            .collect();
        for op in ops {
            let new = with_carried(ir, op, self.slot, initial);
            self.stores_inside.remove(&op);
            self.stores_inside.insert(new);
            for slot in self.structured.iter_mut().filter(|other| **other == op) {
                *slot = new;
            }
            if let Some(list) = ir
                .block_of(new)
                .and_then(|block| self.blocks.get_mut(&block))
            {
                for slot in list.iter_mut().filter(|other| **other == op) {
                    *slot = new;
                }
            }
        }
    }
}

/// Which regions of `op` need an argument to know the carried value: those control enters from the end of a region.
fn looped_regions(ir: &Ir, op: Op) -> Vec<Region> {
    let edges = region_edges(ir, op).unwrap_or_default();
    let mut regions: Vec<Region> = edges
        .iter()
        .filter(|edge| edge.from != op)
        .filter_map(|edge| match edge.to {
            RegionSuccessor::Region(region) => Some(region),
            RegionSuccessor::Parent => None,
        })
        .collect();
    regions.sort_unstable();
    regions.dedup();
    regions
}

/// Replaces `op` by one that carries one more value.
fn with_carried(ir: &mut Ir, op: Op, slot: MemorySlot, initial: Value) -> Op {
    if let Some(model) = ir.interface::<dyn RegionBranch>(op) {
        model.prepare_carried(&mut Builder::before(ir, op), op);
    }
    let looped = looped_regions(ir, op);
    let edges = region_edges(ir, op).unwrap_or_default();
    // Ends of regions hand it on; so does the op where a region takes it.
    let mut at: FxHashMap<Op, usize> = FxHashMap::default();
    for edge in &edges {
        let takes = match edge.to {
            RegionSuccessor::Region(region) => looped.contains(&region),
            RegionSuccessor::Parent => edge.from != op,
        };
        if takes {
            at.insert(edge.from, edge.operands.end);
        }
    }
    let mut places: Vec<(Op, usize)> = at.into_iter().collect();
    places.sort_unstable();
    for (from, position) in places {
        insert_operand(ir, from, position, initial);
    }
    for region in looped {
        if let Some(entry) = ir.entry_block(region) {
            let loc = ir.value_loc(slot.memory);
            ir.add_block_arg(entry, slot.element, loc);
        }
    }
    let mut state = OpState::new(ir.op_name(op), ir.loc(op));
    state.operands = ir.operands(op).collect();
    state.result_types = ir
        .results(op)
        .map(|value| ir.value_type(value))
        .chain([slot.element])
        .collect();
    state.regions = ir.regions(op).len();
    let (properties, attrs) = (ir.properties(op), ir.discardable_attrs(op));
    let new = Builder::new(ir, InsertPoint::Before(op), state.loc).insert(state);
    ir.set_properties(new, properties);
    ir.set_discardable_attrs(new, attrs);
    for index in 0..ir.regions(op).len() {
        let (from, to) = (ir.region(op, index), ir.region(new, index));
        ir.move_blocks(from, to);
    }
    for (old, value) in ir.results(op).zip(ir.results(new)) {
        if let Some(name) = ir.value_name(old) {
            ir.set_value_name(value, name);
        }
        ir.replace_all_uses(old, value);
    }
    ir.erase_op(op);
    new
}

/// Inserts an operand; the segment that ends there grows.
fn insert_operand(ir: &mut Ir, op: Op, position: usize, value: Value) {
    let fields = ir.info(op).map_or(0, |info| info.def.operands.len());
    let loose = |group: &usize| {
        let field = ir.info(op).and_then(|info| info.def.operands.get(*group));
        field.is_some_and(|field| field.arity == segra_ir::def::Arity::Variadic)
            && ir.operand_group(op, *group).end == position
    };
    if let Some(group) = (0..fields).rev().find(loose) {
        let mut values: Vec<Value> = ir
            .operand_group(op, group)
            .map(|at| ir.operand(op, at))
            .collect();
        values.push(value);
        ir.set_operand_group(op, group, &values);
        return;
    }
    let mut operands: Vec<Value> = ir.operands(op).collect();
    operands.insert(position, value);
    ir.set_operands(op, &operands);
}

struct Promotion<'a> {
    slot: &'a Slot,
    initial: Value,
    /// The slot's value where a block begins and ends, as far as asked.
    entry: FxHashMap<Block, Value>,
    exit: FxHashMap<Block, Value>,
    /// The slot's value before a structured op.
    before: FxHashMap<Op, Value>,
    /// Loads that are replaced: what was remembered of them may be older.
    replaced: FxHashMap<Value, Value>,
}

impl Promotion<'_> {
    fn run(mut self, ir: &mut Ir, cfgs: &mut Cfgs) {
        let home = ir.block_of(self.slot.allocation);
        let outermost = home.and_then(|block| ir.block_region(block));
        let mut regions: Vec<Region> = self.slot.regions(ir);
        // Outer regions first: what reaches a structured op is what its regions begin with.
        let depth = |ir: &Ir, region: Region| {
            ir.region_parent(region)
                .map_or(0, |op| ir.ancestors(op).count())
        };
        regions.sort_by_key(|&region| (depth(ir, region), region));
        let mut dead: Vec<Op> = Vec::new();
        for region in regions {
            if Some(region) != outermost {
                self.enter_region(ir, region);
            }
            let merges = self.slot.merges(ir, cfgs, region);
            for &block in &merges {
                let loc = ir.value_loc(self.slot.slot.memory);
                let arg = ir.add_block_arg(block, self.slot.slot.element, loc);
                self.entry.insert(block, arg);
            }
            let inside = |block: &&Block| ir.block_region(**block) == Some(region);
            let mut blocks: Vec<Block> = self.slot.blocks.keys().filter(inside).copied().collect();
            blocks.sort_unstable();
            for block in blocks {
                self.block(ir, cfgs.of(ir, region), block, &mut dead);
            }
            let mut edits = BranchEdits::default();
            for &block in &merges {
                self.hand_on(ir, cfgs, region, block, &mut edits);
            }
            edits.write(ir);
            self.leave_region(ir, cfgs, region);
        }
        for op in dead.into_iter().rev() {
            ir.erase_op(op);
        }
        ir.erase_op(self.slot.allocation);
    }

    fn resolve(&self, mut value: Value) -> Value {
        while let Some(&next) = self.replaced.get(&value) {
            value = next;
        }
        value
    }

    /// The slot's value at the start of a nested region: its own argument if it is entered again and again, else what reaches its op.
    fn enter_region(&mut self, ir: &Ir, region: Region) {
        let (Some(entry), Some(op)) = (ir.entry_block(region), ir.region_parent(region)) else {
            return;
        };
        let carried =
            self.slot.stores_inside.contains(&op) && looped_regions(ir, op).contains(&region);
        let value = match ir.block_args(entry).last() {
            Some(&arg) if carried => Some(arg),
            _ => self.before.get(&op).copied(),
        };
        self.entry.insert(entry, value.unwrap_or(self.initial));
    }

    /// The slot's value where a block begins.
    fn entry_of(&mut self, ir: &Ir, cfg: &Cfg, block: Block) -> Value {
        // Up the dominator tree until something is known; then remembered all the way.
        let mut path = Vec::new();
        let mut at = block;
        let value = loop {
            if let Some(&value) = self.entry.get(&at) {
                break value;
            }
            path.push(at);
            let Some(above) = cfg.tree.immediate(at) else {
                break self.initial;
            };
            if let Some(value) = self.last_def(ir, above) {
                break value;
            }
            at = above;
        };
        for block in path {
            self.entry.insert(block, value);
        }
        self.resolve(value)
    }
    /// The slot's value where a block ends, if something in the block defines it.
    fn last_def(&mut self, ir: &Ir, block: Block) -> Option<Value> {
        if let Some(&value) = self.exit.get(&block) {
            return Some(self.resolve(value));
        }
        let list = self.slot.blocks.get(&block).map_or(&[][..], Vec::as_slice);
        let def = list.iter().rev().find_map(|&op| self.defined(ir, op));
        let def = def.or_else(|| {
            (ir.block_of(self.slot.allocation) == Some(block)).then_some(self.initial)
        })?;
        self.exit.insert(block, def);
        Some(self.resolve(def))
    }
    /// The value an access stores in the slot.
    fn defined(&self, ir: &Ir, op: Op) -> Option<Value> {
        match ir.interface::<dyn PromotableAccess>(op) {
            Some(model) => match model.access(ir, op, self.slot.slot)? {
                SlotAccess::Store(value) => Some(value),
                SlotAccess::Load => None,
            },
            None => self
                .slot
                .stores_inside
                .contains(&op)
                .then(|| ir.results(op).next_back())
                .flatten(),
        }
    }
    fn exit_of(&mut self, ir: &Ir, cfg: &Cfg, block: Block) -> Value {
        match self.last_def(ir, block) {
            Some(value) => value,
            None => self.entry_of(ir, cfg, block),
        }
    }

    /// Replaces the loads of one block, and fills in what structured ops start with.
    fn block(&mut self, ir: &mut Ir, cfg: &Cfg, block: Block, dead: &mut Vec<Op>) {
        let Some(list) = self.slot.blocks.get(&block) else {
            return;
        };
        let mut now: Option<Value> =
            (ir.block_of(self.slot.allocation) == Some(block)).then_some(self.initial);
        for &op in list {
            let Some(model) = ir.interface::<dyn PromotableAccess>(op) else {
                let value = match now {
                    Some(value) => value,
                    None => self.entry_of(ir, cfg, block),
                };
                self.start_structured(ir, op, value);
                now = Some(self.defined(ir, op).unwrap_or(value));
                continue;
            };
            match model.access(ir, op, self.slot.slot) {
                Some(SlotAccess::Load) => {
                    let value = match now {
                        Some(value) => self.resolve(value),
                        None => self.entry_of(ir, cfg, block),
                    };
                    let result = ir.result(op, 0);
                    ir.replace_all_uses(result, value);
                    self.replaced.insert(result, value);
                    now = Some(value);
                }
                Some(SlotAccess::Store(value)) => now = Some(self.resolve(value)),
                None => {}
            }
            dead.push(op);
        }
    }

    /// Remembers what reaches a structured op; one that carries the value gets it.
    fn start_structured(&mut self, ir: &mut Ir, op: Op, value: Value) {
        self.before.insert(op, value);
        if !self.slot.stores_inside.contains(&op) {
            return;
        }
        let looped = looped_regions(ir, op);
        let edges = region_edges(ir, op).unwrap_or_default();
        let takes = |to: RegionSuccessor| matches!(to, RegionSuccessor::Region(region) if looped.contains(&region));
        if let Some(edge) = edges.iter().find(|edge| edge.from == op && takes(edge.to)) {
            ir.set_operand(op, edge.operands.end - 1, value);
        }
    }

    /// Branches to a block where values meet forward what each way ends with.
    fn hand_on(
        &mut self,
        ir: &Ir,
        cfgs: &mut Cfgs,
        region: Region,
        block: Block,
        edits: &mut BranchEdits,
    ) {
        let mut preds = cfgs
            .of(ir, region)
            .preds
            .get(&block)
            .cloned()
            .unwrap_or_default();
        // A branch may lead to a block twice.
        preds.sort_unstable();
        preds.dedup();
        for pred in preds {
            let value = self.exit_of(ir, cfgs.of(ir, region), pred);
            let Some(last) = ir.last_op(pred) else {
                continue;
            };
            for (index, _) in ir
                .successors(last)
                .iter()
                .enumerate()
                .filter(|row| *row.1 == block)
            {
                if let Some(handed) = edits.handed(ir, last, index) {
                    handed.push(value);
                }
            }
        }
    }

    /// The ends of a region of a structured op that carries the value hand it on.
    fn leave_region(&mut self, ir: &mut Ir, cfgs: &mut Cfgs, region: Region) {
        let Some(op) = ir
            .region_parent(region)
            .filter(|op| self.slot.stores_inside.contains(op))
        else {
            return;
        };
        let blocks: Vec<Block> = ir.blocks(region).collect();
        for block in blocks {
            let Some(last) = ir
                .last_op(block)
                .filter(|&last| ir.successors(last).is_empty())
            else {
                continue;
            };
            let value = self.exit_of(ir, cfgs.of(ir, region), block);
            let edges = region_edges(ir, op).unwrap_or_default();
            if let Some(edge) = edges.iter().find(|edge| edge.from == last) {
                ir.set_operand(last, edge.operands.end - 1, value);
            }
        }
    }
}
