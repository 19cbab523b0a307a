//! Names of values and blocks in the text form, decided in one walk before anything is printed.
//!
//! Numbers follow MLIR: a region's values are numbered before the regions nested in it; one number stands for all
//! results of an op (`%0:2`, `%0#1`); entry block arguments are `%arg0`, .... In the generic form numbers are unique
//! (regions are visited last to first, as MLIR does), in the custom form regions beside each other start from the
//! same number. Kept names stay where they are free in the enclosing regions, else they get a suffix.
//!
//! Values live in a dense side table of one word each; looking a name up never hashes.

use super::{Form, NamePolicy};
use segra_ir::context::{Context, Ident};
use segra_ir::entity::{EntityId, SecondaryMap};
use segra_ir::entity::{NearMap, NearSet};
use segra_ir::interfaces::AsmNames;
use segra_ir::store::{Block, Ir, Op, Region, Value};
use std::borrow::Cow;

/// The key of a value: a kind in the two highest bits, then whether it is the first of several results that share
/// a name, then a payload.
const KIND: u32 = 3 << 30;
const SHARED: u32 = 1 << 29;
const PAYLOAD: u32 = SHARED - 1;
const NUMBER: u32 = 0;
const ARGUMENT: u32 = 1 << 30;
const NAMED: u32 = 2 << 30;
/// A further result of a group: the payload is the distance to the group's first.
const MEMBER: u32 = 3 << 30;
const UNKNOWN: u32 = u32::MAX;

/// The names of all values and blocks below some op.
#[derive(Debug, Default)]
pub(super) struct Names {
    values: Vec<u32>,
    /// Instead of `values` where only one op's own values have names.
    few: NearMap<Value, u32>,
    texts: Vec<Ident>,
    blocks: Vec<u32>,
    block_texts: NearMap<Block, Ident>,
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueName {
    /// `%7`
    Number(u32),
    /// `%arg7`
    Argument(u32),
    /// `%name`
    Named(Ident),
    /// Not below the op that is printed.
    Unknown,
}

/// How a block is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockName {
    /// `^bb7`
    Number(u32),
    /// `^name`
    Named(Ident),
    /// Not in a region below the op that is printed.
    Unknown,
}

impl Names {
    /// Names everything below `root`, and its results.
    pub(super) fn of(ir: &Ir, root: Op, policy: NamePolicy, form: Form) -> Names {
        let mut numbering = Numbering {
            ir,
            policy,
            unique: form == Form::Generic && policy == NamePolicy::Numbered,
            suggest: form == Form::Custom && policy == NamePolicy::Kept,
            names: Names {
                values: vec![UNKNOWN; ir.value_capacity()],
                ..Names::default()
            },
            next: Counters::default(),
            used: SecondaryMap::default(),
            log: Vec::new(),
            suggestions: NearMap::default(),
            pending: Vec::new(),
        };
        numbering.run(root);
        numbering.names
    }

    /// Names for the text of one op without its surroundings and regions: kept names as they are, numbers for the other
    /// operands and results in order of appearance. Costs nothing for the rest of the program.
    pub(super) fn of_line(ir: &Ir, op: Op) -> Names {
        let mut names = Names::default();
        let mut next = 0;
        let mut name = |names: &mut Names, value: Value| match ir.value_name(value) {
            Some(kept) if is_suffix_id(ir.ctx().str(kept)) => {
                names.texts.push(kept);
                NAMED | (names.texts.len() as u32 - 1)
            }
            _ => {
                next += 1;
                NUMBER | (next - 1)
            }
        };
        for operand in ir.operands(op) {
            if !names.few.contains_key(&operand) {
                let entry = name(&mut names, operand);
                names.few.insert(operand, entry);
            }
        }
        let shared = if ir.num_results(op) > 1 { SHARED } else { 0 };
        for (offset, result) in ir.results(op).enumerate() {
            let entry = if offset == 0 {
                name(&mut names, result) | shared
            } else {
                MEMBER | offset as u32
            };
            names.few.insert(result, entry);
        }
        for (order, &block) in ir.successors(op).iter().enumerate() {
            names
                .block_texts
                .insert(block, ir.ctx().ident(&format!("bb{order}")));
        }
        names
    }

    /// The name of a value, and its position where it is one of several results that share a name.
    #[inline]
    pub(super) fn value(&self, value: Value) -> (ValueName, Option<u32>) {
        let entry = self.entry(value);
        if entry & KIND == MEMBER && entry != UNKNOWN {
            let offset = entry & PAYLOAD;
            let head = Value::from_index(value.index() - offset as usize);
            return (self.decode(self.entry(head)), Some(offset));
        }
        (self.decode(entry), (entry & SHARED != 0).then_some(0))
    }
    /// Whether the value shares the name of the result before it.
    pub(super) fn is_member(&self, value: Value) -> bool {
        let entry = self.entry(value);
        entry & KIND == MEMBER && entry != UNKNOWN
    }
    fn entry(&self, value: Value) -> u32 {
        match self.values.get(value.index()) {
            Some(&entry) => entry,
            None => self.few.get(&value).copied().unwrap_or(UNKNOWN),
        }
    }
    fn decode(&self, entry: u32) -> ValueName {
        let payload = entry & PAYLOAD;
        match entry & KIND {
            NUMBER => ValueName::Number(payload),
            ARGUMENT => ValueName::Argument(payload),
            NAMED => ValueName::Named(self.texts[payload as usize]),
            _ => ValueName::Unknown,
        }
    }
    /// The name of a block.
    pub(super) fn block(&self, block: Block) -> BlockName {
        if let Some(&text) = self.block_texts.get(&block) {
            return BlockName::Named(text);
        }
        match self.block_order(block) {
            UNKNOWN => BlockName::Unknown,
            order => BlockName::Number(order),
        }
    }
    /// Position of a block in its region.
    pub(super) fn block_order(&self, block: Block) -> u32 {
        self.blocks.get(block.index()).copied().unwrap_or(UNKNOWN)
    }
}

#[derive(Clone, Copy, Default)]
struct Counters {
    value: u32,
    argument: u32,
    conflict: u32,
}

struct Numbering<'a> {
    ir: &'a Ir,
    policy: NamePolicy,
    /// Numbers are never used twice.
    unique: bool,
    /// Ops may suggest names.
    suggest: bool,
    names: Names,
    next: Counters,
    /// Names taken in the regions around the current place, and the order they were taken in.
    used: SecondaryMap<Ident, bool>,
    log: Vec<Ident>,
    suggestions: NearMap<Value, Ident>,
    pending: Vec<(Region, Counters, usize)>,
}

impl Numbering<'_> {
    fn run(&mut self, root: Op) {
        self.op(root);
        self.enqueue_from(0);
        while let Some((region, counters, taken)) = self.pending.pop() {
            if !self.unique {
                self.next = counters;
            }
            for name in self.log.drain(taken..) {
                self.used[name] = false;
            }
            let first_nested = self.pending.len();
            self.region(region);
            self.enqueue_from(first_nested);
        }
    }

    /// Regions found below start with what is taken now.
    fn enqueue_from(&mut self, start: usize) {
        for entry in &mut self.pending[start..] {
            entry.1 = self.next;
            entry.2 = self.log.len();
        }
    }

    fn region(&mut self, region: Region) {
        let mut taken = NearSet::default();
        for (order, block) in self.ir.blocks(region).enumerate() {
            self.block(block, order as u32, &mut taken);
        }
    }

    fn block(&mut self, block: Block, order: u32, taken: &mut NearSet<Ident>) {
        let ir = self.ir;
        if self.names.blocks.len() <= block.index() {
            self.names.blocks.resize(block.index() + 1, UNKNOWN);
        }
        self.names.blocks[block.index()] = order;
        if self.policy == NamePolicy::Kept
            && let Some(name) = ir.block_name(block)
            && is_suffix_id(ir.ctx().str(name))
            && !is_numbered(ir.ctx().str(name), "bb")
            && taken.insert(name)
        {
            self.names.block_texts.insert(block, name);
        }
        for &arg in ir.block_args(block) {
            let entry = match self.wanted(arg) {
                Some(name) => self.name(name),
                None if order == 0 => self.argument(),
                None => self.number(),
            };
            self.names.values[arg.index()] = entry;
        }
        for op in ir.ops(block) {
            self.op(op);
        }
    }

    fn op(&mut self, op: Op) {
        let ir = self.ir;
        if self.suggest {
            self.ask(op);
        }
        let mut results = ir.results(op);
        if let Some(head) = results.next() {
            let mut group = self.wanted(head);
            self.names.values[head.index()] = match group {
                Some(name) => self.name(name),
                None => self.number(),
            };
            let mut offset = 0;
            for result in results {
                offset += 1;
                let wanted = self.wanted(result);
                self.names.values[result.index()] = match wanted {
                    Some(name) if wanted != group => {
                        group = wanted;
                        offset = 0;
                        self.name(name)
                    }
                    _ => {
                        self.names.values[result.index() - offset as usize] |= SHARED;
                        MEMBER | offset
                    }
                };
            }
        }
        let regions = ir.regions(op);
        self.pending.extend(
            regions
                .iter()
                .map(|&region| (region, Counters::default(), 0)),
        );
    }

    fn ask(&mut self, op: Op) {
        let Some(model) = self
            .ir
            .info(op)
            .and_then(|info| info.interface::<dyn AsmNames>())
        else {
            return;
        };
        let mut names = Vec::new();
        model.names(self.ir, op, &mut names);
        for (value, name) in names {
            // A model may name later results; the first of a group decides.
            self.suggestions.insert(value, self.ir.ctx().ident(&name));
        }
    }

    fn wanted(&self, value: Value) -> Option<Ident> {
        if self.policy == NamePolicy::Numbered {
            return None;
        }
        let name = self
            .ir
            .value_name(value)
            .or_else(|| self.suggestions.get(&value).copied())?;
        let text = self.ir.ctx().str(name);
        // Numbers are given anew: a name that looks like one would clash.
        (!text.is_empty() && !text.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
    }

    fn number(&mut self) -> u32 {
        let number = self.next.value;
        self.next.value += 1;
        NUMBER | number
    }

    fn argument(&mut self) -> u32 {
        let number = self.next.argument;
        self.next.argument += 1;
        match self.policy {
            NamePolicy::Numbered => ARGUMENT | number,
            // A kept name may look like a numbered argument.
            NamePolicy::Kept => {
                let name = self.ir.ctx().ident(&format!("arg{number}"));
                self.name(name)
            }
        }
    }

    /// Takes a name, or a variant of it where it is taken.
    fn name(&mut self, name: Ident) -> u32 {
        let ctx: &Context = self.ir.ctx();
        let mut free = match suffix_id(ctx.str(name)) {
            Cow::Borrowed(_) => name,
            Cow::Owned(text) => ctx.ident(&text),
        };
        let base = free;
        while std::mem::replace(&mut self.used[free], true) {
            free = ctx.ident(&format!("{}_{}", ctx.str(base), self.next.conflict));
            self.next.conflict += 1;
        }
        self.log.push(free);
        self.names.texts.push(free);
        NAMED | (self.names.texts.len() as u32 - 1)
    }
}

/// The op whose numbering the text of `op` alone uses: `op` itself where it uses nothing from outside, else the
/// nearest isolated op around it, else the outermost op.
pub(super) fn naming_scope(ir: &Ir, op: Op) -> Op {
    if ir.num_operands(op) == 0 && ir.has_trait(op, segra_ir::def::Trait::IsolatedFromAbove) {
        return op;
    }
    let mut scope = op;
    for ancestor in ir.ancestors(op).skip(1) {
        scope = ancestor;
        if ir.has_trait(ancestor, segra_ir::def::Trait::IsolatedFromAbove) {
            break;
        }
    }
    scope
}

fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'$' | b'.' | b'_' | b'-')
}

fn is_suffix_id(text: &str) -> bool {
    !text.is_empty() && !text.as_bytes()[0].is_ascii_digit() && text.bytes().all(is_id_byte)
}

/// A name that can follow `%`, made of any text.
fn suffix_id(text: &str) -> Cow<'_, str> {
    if is_suffix_id(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 1);
    if text.bytes().next().is_none_or(|byte| byte.is_ascii_digit()) {
        out.push('_');
    }
    out.extend(text.bytes().map(|byte| {
        if is_id_byte(byte) {
            char::from(byte)
        } else {
            '_'
        }
    }));
    Cow::Owned(out)
}

fn is_numbered(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix)
        .is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}
