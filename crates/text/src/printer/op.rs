//! Ops, regions and blocks: the generic form, and the pieces custom forms are made of.

use super::data::TypeText;
use super::locations::OuterAlias;
use super::names::{BlockName, ValueName};
use super::{Form, Printer, RegionPolicy};
use crate::parser::MAX_DEPTH;
use crate::{OpForm, form_of};
use segra_ir::attrs::{Attr, Dict};
use segra_ir::context::{Context, Ident};
use segra_ir::def::OpInfo;
use segra_ir::lists::Lists;
use segra_ir::signature::Signature;
use segra_ir::store::{Block, Ir, Op, Region, Value};
use segra_ir::types::{DYNAMIC, Type};
use smallvec::SmallVec;
use std::ops::Range;

/// Whether a region's text starts with the arguments of its entry block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryArgs {
    /// `^bb0(%arg0: i32):` on a line of its own.
    Shown,
    /// Written elsewhere (or there are none).
    Hidden,
}

/// Whether the last op of a region's blocks is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastOp {
    /// As every other op.
    Shown,
    /// Left out: the reader adds it again.
    Hidden,
}

/// Where an op without regions and successors was written generically: its name, and what follows its operands.
#[derive(Clone, Debug)]
pub(super) struct Written {
    name: Range<usize>,
    rest: Range<usize>,
}

/// Which blocks of a region branch to which, where labels tell.
#[derive(Debug, Default)]
struct Predecessors {
    blocks: Vec<Block>,
    /// Positions in `blocks`, by position.
    lists: Lists,
    /// The first block, where its label is not written.
    unlabelled: Option<Block>,
}

/// Building blocks of hand-written forms ([`crate::Syntax`]).
impl<'a> Printer<'a> {
    /// The program.
    pub fn ir(&self) -> &'a Ir {
        self.ir
    }
    /// The context.
    pub fn ctx(&self) -> &'a Context {
        self.ir.ctx()
    }
    /// Text as it is: keywords, punctuation, spaces.
    pub fn text(&mut self, text: &str) {
        self.data.text(text);
    }
    /// A word as it is where it can be a keyword, else in quotes.
    pub fn keyword_or_string(&mut self, text: &str) {
        self.data.keyword_or_string(text);
    }
    /// A string in quotes, with escapes.
    pub fn string(&mut self, text: &str) {
        self.data.quoted(text.as_bytes());
    }
    /// A number.
    pub fn integer(&mut self, value: i64) {
        if value < 0 {
            self.data.text("-");
        }
        self.data.unsigned(value.unsigned_abs());
    }
    /// `%name`
    pub fn value(&mut self, value: Value) {
        let (name, position) = self.names.value(value);
        self.value_name(name);
        if let Some(position) = position {
            self.data.text("#");
            self.data.unsigned(position.into());
        }
    }
    /// `%a, %b`
    pub fn values(&mut self, values: impl IntoIterator<Item = Value>) {
        for (index, value) in values.into_iter().enumerate() {
            if index > 0 {
                self.data.text(", ");
            }
            self.value(value);
        }
    }
    /// `[%a, 4, %b]`: numbers, with operands for those that are [`DYNAMIC`].
    pub fn index_list(&mut self, numbers: &[i64], operands: &[Value]) {
        self.text("[");
        self.indices(numbers, operands);
        self.text("]");
    }
    /// `%a, 4, %b` likewise.
    pub fn indices(&mut self, numbers: &[i64], operands: &[Value]) {
        let mut operands = operands.iter();
        for (index, &number) in numbers.iter().enumerate() {
            self.text(if index > 0 { ", " } else { "" });
            let open = (number == DYNAMIC).then(|| operands.next()).flatten();
            match open {
                Some(&operand) => self.value(operand),
                None => self.integer(number),
            }
        }
    }
    /// An op in the line of the one around it, without the names of its results.
    pub fn op_inline(&mut self, op: Op) {
        self.op_itself(op);
    }
    /// A type.
    pub fn ty(&mut self, ty: Type) {
        self.data.ty(ty);
    }
    /// Types with commas between.
    pub fn types(&mut self, types: impl IntoIterator<Item = Type>) {
        self.data.types(types);
    }
    /// The types of values, with commas between.
    pub fn types_of(&mut self, values: impl IntoIterator<Item = Value>) {
        let ir = self.ir;
        self.data
            .types(values.into_iter().map(|value| ir.value_type(value)));
    }
    /// `(inputs) -> results`; a single result that is not a function type has no parentheses.
    pub fn function_type(&mut self, inputs: &[Type], results: &[Type]) {
        self.data
            .function(inputs.iter().copied(), results.iter().copied());
    }
    /// An attribute with its type.
    pub fn attr(&mut self, attr: Attr) {
        self.data.attr(attr, TypeText::Always);
    }
    /// An attribute without its type, where the reader knows it.
    pub fn attr_without_type(&mut self, attr: Attr) {
        self.data.attr(attr, TypeText::Never);
    }
    /// `@name`
    pub fn symbol(&mut self, name: Ident) {
        self.data.symbol(name);
    }
    /// ` {...}` with the op's attributes but those named; nothing where there are none. Segment sizes are never
    /// written: a custom form shows the groups.
    pub fn attr_dict(&mut self, op: Op, but: &[&str]) {
        self.attr_dict_after(op, but, " ");
    }
    /// ` attributes {...}` likewise.
    pub fn attr_dict_with_keyword(&mut self, op: Op, but: &[&str]) {
        self.attr_dict_after(op, but, " attributes ");
    }
    fn attr_dict_after(&mut self, op: Op, but: &[&str], lead: &str) {
        let ctx = self.ctx();
        let info = self.ir.info(op);
        let segments = |name: Ident| {
            info.is_some_and(|info| {
                [info.operand_segments, info.result_segments].contains(&Some(name))
            })
        };
        self.dict_unless(op, lead, |name| {
            segments(name) || but.contains(&ctx.str(name))
        });
    }
    /// Attributes for which `hidden` does not hold and that say more than their absence, after `lead`. Returns whether
    /// there were any.
    pub(super) fn dict_unless(
        &mut self,
        op: Op,
        lead: &str,
        hidden: impl Fn(Ident) -> bool,
    ) -> bool {
        let ctx = self.ctx();
        let all = ctx
            .entries(self.ir.properties(op))
            .iter()
            .chain(ctx.entries(self.ir.discardable_attrs(op)));
        let info = self.ir.info(op);
        let is_default = |&(name, attr): &(Ident, Attr)| {
            let index = info.and_then(|info| {
                let index = info.attr_names.iter().position(|&known| known == name);
                Some((info, index?))
            });
            let constraint = index.map(|(info, index)| info.def.attrs[index].constraint);
            constraint.and_then(|constraint| constraint.default_value(ctx)) == Some(attr)
        };
        let mut shown: SmallVec<[(Ident, Attr); 8]> = all
            .copied()
            .filter(|entry| !hidden(entry.0) && !is_default(entry))
            .collect();
        if shown.is_empty() {
            return false;
        }
        shown.sort_by(|a, b| ctx.str(a.0).cmp(ctx.str(b.0)));
        self.data.text(lead);
        self.data.text("{");
        self.data.entries(shown);
        self.data.text("}");
        true
    }
    /// `^bb1`
    pub fn successor(&mut self, block: Block) {
        self.data.text("^");
        match self.names.block(block) {
            BlockName::Number(number) => {
                self.data.text("bb");
                self.data.unsigned(number.into());
            }
            BlockName::Named(name) => self.data.text(self.ir.ctx().str(name)),
            BlockName::Unknown => self.data.text("unknown"),
        }
    }
    /// `^bb1, ^bb2`
    pub fn successors(&mut self, blocks: &[Block]) {
        for (index, &block) in blocks.iter().enumerate() {
            if index > 0 {
                self.data.text(", ");
            }
            self.successor(block);
        }
    }
    /// `%a: i32, %b: f32`, with locations where they are wanted.
    pub fn block_args(&mut self, args: &[Value]) {
        for (index, &arg) in args.iter().enumerate() {
            if index > 0 {
                self.data.text(", ");
            }
            self.value(arg);
            self.data.text(": ");
            self.data.ty(self.ir.value_type(arg));
            if self.options.locations != super::Locations::Hidden {
                self.data
                    .trailing_loc(self.ir.value_loc(arg), OuterAlias::Forbidden);
            }
        }
    }
    /// A new line at the current indentation.
    pub fn line(&mut self) {
        self.newline();
        self.indentation();
    }
    /// `{...}` with its blocks. An empty region is `{` and `}` on two lines. Parts deeper than the reader reads are
    /// not written.
    pub fn region(&mut self, region: Region, args: EntryArgs, last: LastOp) {
        self.region_with(region, args, last, true);
    }
    /// As [`Self::region`], for one that always has a block: an empty one needs no label.
    pub fn region_without_label(&mut self, region: Region) {
        self.region_with(region, EntryArgs::Hidden, LastOp::Shown, false);
    }
    fn region_with(&mut self, region: Region, args: EntryArgs, last: LastOp, label: bool) {
        segra_ir::stack::deep(|| self.region_here(region, args, last, label));
    }
    fn region_here(&mut self, region: Region, args: EntryArgs, last: LastOp, label: bool) {
        if self.options.regions == RegionPolicy::Skipped || self.indent > 2 * MAX_DEPTH as usize {
            self.data.text("{...}");
            return;
        }
        self.data.text("{");
        self.newline();
        let ir = self.ir;
        if let Some(entry) = ir.entry_block(region) {
            let mut preds = self.predecessors(region, entry);
            // An entry block without ops needs its label: without it the region would read as empty.
            let label = label && ir.first_op(entry).is_none()
                || args == EntryArgs::Shown && !ir.block_args(entry).is_empty();
            if label {
                self.block_label(entry, entry, args, &preds);
            } else {
                preds.unlabelled = Some(entry);
            }
            self.block_ops(entry, last);
            let mut block = ir.next_block(entry);
            while let Some(at) = block {
                self.block_label(at, entry, EntryArgs::Shown, &preds);
                self.block_ops(at, last);
                block = ir.next_block(at);
            }
        }
        self.indentation();
        self.data.text("}");
    }
}

impl Printer<'_> {
    pub(super) fn newline(&mut self) {
        self.data.out.push('\n');
    }
    fn indentation(&mut self) {
        const SPACES: &str = "                                                                ";
        let mut rest = self.indent;
        while rest > 0 {
            let step = rest.min(SPACES.len());
            self.data.out.push_str(&SPACES[..step]);
            rest -= step;
        }
    }

    fn value_name(&mut self, name: ValueName) {
        match name {
            ValueName::Number(number) => {
                self.data.out.push('%');
                self.data.unsigned(number.into());
            }
            ValueName::Argument(number) => {
                self.data.text("%arg");
                self.data.unsigned(number.into());
            }
            ValueName::Named(name) => {
                self.data.out.push('%');
                self.data.text(self.ir.ctx().str(name));
            }
            ValueName::Unknown => self.data.text("<<UNKNOWN SSA VALUE>>"),
        }
    }

    /// An op without the indentation before and the newline after it.
    pub(super) fn op(&mut self, op: Op) {
        self.results(op);
        self.op_itself(op);
        self.data.trailing_loc(self.ir.loc(op), OuterAlias::Allowed);
    }

    fn op_itself(&mut self, op: Op) {
        let info = self
            .ir
            .info(op)
            .filter(|_| self.options.form == Form::Custom);
        match info {
            Some(info) if self.custom(op, info) => {}
            _ => self.generic(op),
        }
    }

    /// `%0:2, %rest = `
    fn results(&mut self, op: Op) {
        let count = self.ir.num_results(op);
        let mut index = 0;
        while index < count {
            if index > 0 {
                self.data.text(", ");
            }
            let (name, _) = self.names.value(self.ir.result(op, index));
            self.value_name(name);
            let mut end = index + 1;
            while end < count && self.names.is_member(self.ir.result(op, end)) {
                end += 1;
            }
            if end > index + 1 {
                self.data.text(":");
                self.data.unsigned((end - index) as u64);
            }
            index = end;
        }
        if count > 0 {
            self.data.text(" = ");
        }
    }

    fn generic(&mut self, op: Op) {
        let ir = self.ir;
        let signature = if ir.is_plain(op) {
            Signature::of(ir, op)
        } else {
            None
        };
        if let Some(Written { name, rest }) =
            signature.and_then(|known| self.written.get(&known).cloned())
        {
            self.data.out.extend_from_within(name);
            self.values(ir.operands(op));
            self.data.out.extend_from_within(rest);
            return;
        }
        let start = self.data.out.len();
        self.data.quoted(ir.op_name_str(op).as_bytes());
        self.data.text("(");
        let name = start..self.data.out.len();
        self.values(ir.operands(op));
        let start = self.data.out.len();
        self.data.text(")");
        self.generic_after_operands(op);
        if let Some(signature) = signature {
            self.written.insert(
                signature,
                Written {
                    name,
                    rest: start..self.data.out.len(),
                },
            );
        }
    }

    fn generic_after_operands(&mut self, op: Op) {
        let ir = self.ir;
        if !ir.successors(op).is_empty() {
            self.data.text("[");
            self.successors(ir.successors(op));
            self.data.text("]");
        }
        if ir.properties(op) != Dict::EMPTY {
            self.data.text(" <");
            self.data.dict(ir.properties(op));
            self.data.text(">");
        }
        if !ir.regions(op).is_empty() {
            self.data.text(" (");
            for (index, &region) in ir.regions(op).iter().enumerate() {
                if index > 0 {
                    self.data.text(", ");
                }
                self.region(region, EntryArgs::Shown, LastOp::Shown);
            }
            self.data.text(")");
        }
        if ir.discardable_attrs(op) != Dict::EMPTY {
            self.data.text(" ");
            self.data.dict(ir.discardable_attrs(op));
        }
        self.data.text(" : ");
        let operands = ir.operands(op).map(|value| ir.value_type(value));
        let results: SmallVec<[Type; 4]> =
            ir.results(op).map(|value| ir.value_type(value)).collect();
        self.data.function(operands, results.iter().copied());
    }

    /// The op's own form; false (and nothing written) where it has none or is not fit for it.
    fn custom(&mut self, op: Op, info: &OpInfo) -> bool {
        let ctx = self.ctx();
        let OpForm { syntax, format } = form_of(ctx, info);
        if syntax.is_none() && format.is_none() {
            return false;
        }
        // Custom forms write all attributes into one dictionary.
        let clash = |&(name, _): &(Ident, Attr)| info.is_inherent(name);
        if ctx.entries(self.ir.discardable_attrs(op)).iter().any(clash)
            || !segra_ir::verify::is_well_formed(self.ir, op)
        {
            return false;
        }
        let fits = match (syntax, format) {
            (Some(syntax), _) => syntax.applies(self.ir, op),
            (None, Some(format)) => format.applies(self.ir, op),
            (None, None) => false,
        };
        if !fits {
            return false;
        }
        self.data.text(info.def.name);
        match (syntax, format) {
            (Some(syntax), _) => syntax.print(self, op),
            (None, Some(format)) => self.by_format(op, info, format),
            (None, None) => return false,
        }
        true
    }

    // ---- blocks ----

    /// Predecessors of the blocks of a region, where their labels will tell them.
    fn predecessors(&self, region: Region, entry: Block) -> Predecessors {
        let ir = self.ir;
        let branches = |block: Block| ir.last_op(block).map_or(&[][..], |op| ir.successors(op));
        if ir.next_block(entry).is_none() && branches(entry).is_empty() {
            return Predecessors::default();
        }
        let blocks: Vec<Block> = ir.blocks(region).collect();
        let rows = || {
            blocks.iter().zip(0..).flat_map(|(&from, position)| {
                let inside = branches(from)
                    .iter()
                    .filter(|&&to| ir.block_region(to) == Some(region));
                inside.map(move |&to| (self.names.block_order(to), position))
            })
        };
        let lists = Lists::of(blocks.len(), rows);
        Predecessors {
            blocks,
            lists,
            unlabelled: None,
        }
    }

    /// In a comment: a block whose label is not written goes by its number, for its name is not read back.
    fn predecessor(&mut self, block: Block, preds: &Predecessors) {
        if preds.unlabelled != Some(block) {
            return self.successor(block);
        }
        self.data.text("^bb");
        self.data.unsigned(self.names.block_order(block).into());
    }

    fn block_label(&mut self, block: Block, entry: Block, args: EntryArgs, preds: &Predecessors) {
        self.indentation();
        self.successor(block);
        let values = self.ir.block_args(block);
        if !values.is_empty() && args == EntryArgs::Shown {
            self.data.text("(");
            self.block_args(values);
            self.data.text(")");
        }
        self.data.text(":");
        let position = self.names.block_order(block) as usize;
        let list = if position < preds.lists.count() {
            preds.lists.list(position)
        } else {
            &[]
        };
        match list {
            [] if block == entry => {}
            [] => self.data.text("  // no predecessors"),
            [one] => {
                self.data.text("  // pred: ");
                self.predecessor(preds.blocks[*one as usize], preds);
            }
            many => {
                self.data.text("  // ");
                self.data.unsigned(many.len() as u64);
                self.data.text(" preds: ");
                for (index, &from) in many.iter().enumerate() {
                    self.data.text(if index > 0 { ", " } else { "" });
                    self.predecessor(preds.blocks[from as usize], preds);
                }
            }
        }
        self.newline();
    }

    fn block_ops(&mut self, block: Block, last: LastOp) {
        self.indent += 2;
        let mut next = self.ir.first_op(block);
        while let Some(op) = next {
            next = self.ir.next_op(op);
            if next.is_none() && last == LastOp::Hidden {
                break;
            }
            self.indentation();
            self.op(op);
            self.newline();
        }
        self.indent -= 2;
    }
}
