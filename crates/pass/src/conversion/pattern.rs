//! Conversion patterns, and what they may do to a program.

use super::journal::{Before, Mark, Step};
use super::types::{Materialized, TypeConverter, cast};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::{Block, Builder, Context, InsertPoint, Ir, Loc, Op, OpName, Region, Type, Value};
use smallvec::SmallVec;
use std::sync::Arc;

/// Why a pattern did not convert an op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decline(pub String);

impl<T: Into<String>> From<T> for Decline {
    fn from(reason: T) -> Decline {
        Decline(reason.into())
    }
}

/// Converts one kind of op.
pub trait ConversionPattern: Send + Sync {
    /// Name, for messages and filters.
    fn name(&self) -> &str;
    /// The op it converts; `None`: any.
    fn root(&self) -> Option<&str>;
    /// Patterns with more benefit are tried first; of equal ones the one added first.
    fn benefit(&self) -> u16 {
        1
    }
    /// Converts `op`: builds what replaces it and calls [`ConversionRewriter::replace`], or changes it in place.
    /// `operands` are what the op's operands have become, each one value, several, or none.
    ///
    /// # Errors
    /// Why it does not convert this op. The steps made by then are undone.
    fn convert(
        &self,
        rewriter: &mut ConversionRewriter<'_>,
        op: Op,
        operands: &[Vec<Value>],
    ) -> Result<(), Decline>;
}

/// Patterns by the op they convert, best first, and what types become.
#[derive(Default)]
pub struct ConversionPatterns {
    by_root: FxHashMap<OpName, Vec<Arc<dyn ConversionPattern>>>,
    any: Vec<Arc<dyn ConversionPattern>>,
    /// The new types; `None`: they stay.
    pub types: Option<TypeConverter>,
}

impl std::fmt::Debug for ConversionPatterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut names: Vec<&str> = self
            .by_root
            .values()
            .flatten()
            .chain(&self.any)
            .map(|each| each.name())
            .collect();
        names.sort_unstable();
        f.debug_list().entries(names).finish()
    }
}

impl ConversionPatterns {
    /// No pattern, and types stay.
    pub fn new() -> ConversionPatterns {
        ConversionPatterns::default()
    }
    /// No pattern yet; types become what the converter says.
    pub fn with_types(types: TypeConverter) -> ConversionPatterns {
        ConversionPatterns {
            types: Some(types),
            ..ConversionPatterns::default()
        }
    }
    /// Adds a pattern.
    pub fn add(
        &mut self,
        ctx: &Context,
        pattern: impl ConversionPattern + 'static,
    ) -> &mut ConversionPatterns {
        let list = match pattern.root() {
            Some(name) => self.by_root.entry(ctx.op_name(name)).or_default(),
            None => &mut self.any,
        };
        list.push(Arc::new(pattern));
        list.sort_by_key(|pattern| std::cmp::Reverse(pattern.benefit()));
        self
    }
    /// The patterns that may convert ops of that name, best first.
    pub(super) fn matching(&self, name: OpName) -> SmallVec<[Arc<dyn ConversionPattern>; 4]> {
        let own = self.by_root.get(&name).map_or(&[][..], Vec::as_slice);
        let mut all: SmallVec<[Arc<dyn ConversionPattern>; 4]> =
            own.iter().chain(&self.any).cloned().collect();
        all.sort_by_key(|pattern| std::cmp::Reverse(pattern.benefit()));
        all
    }
}

/// How conversion patterns change a program; every step can be taken back.
#[derive(Debug)]
pub struct ConversionRewriter<'a> {
    pub(super) ir: &'a mut Ir,
    pub(super) types: Option<&'a TypeConverter>,
    pub(super) steps: Vec<Step>,
    /// The replacement of a value.
    pub(super) mapped: FxHashMap<Value, Vec<Value>>,
    pub(super) replaced: FxHashSet<Op>,
    /// Ops made to stand between types, with the values they stand for.
    pub(super) casts: Vec<Op>,
}

impl<'a> ConversionRewriter<'a> {
    pub(super) fn new(ir: &'a mut Ir, types: Option<&'a TypeConverter>) -> ConversionRewriter<'a> {
        ConversionRewriter {
            ir,
            types,
            steps: Vec::new(),
            mapped: FxHashMap::default(),
            replaced: FxHashSet::default(),
            casts: Vec::new(),
        }
    }
    /// The program, to read. Ops that were replaced are still in it.
    pub fn ir(&self) -> &Ir {
        self.ir
    }
    /// The new types; `None`: they stay.
    pub fn types(&self) -> Option<&TypeConverter> {
        self.types
    }
    /// The converted types of `op`'s results, result by result.
    ///
    /// # Errors
    /// The first type that cannot be converted.
    pub fn result_types(&self, op: Op) -> Result<Vec<Vec<Type>>, Decline> {
        self.ir
            .results(op)
            .map(|value| self.converted(self.ir.value_type(value)))
            .collect()
    }
    fn converted(&self, ty: Type) -> Result<Vec<Type>, Decline> {
        let Some(types) = self.types else {
            return Ok(vec![ty]);
        };
        let converted = types.convert(self.ir.ctx(), ty);
        converted.ok_or_else(|| {
            let text = segra_text::print_type(self.ir.ctx(), ty);
            Decline(format!("type `{text}` cannot be converted"))
        })
    }
    /// Builds new ops at an insertion point.
    pub fn build_at<R>(
        &mut self,
        point: InsertPoint,
        loc: Loc,
        build: impl FnOnce(&mut Builder<'_>) -> R,
    ) -> R {
        let mark = Mark::at(self.ir, point);
        let result = build(&mut Builder::new(self.ir, point, loc));
        self.steps
            .extend(mark.made(self.ir).into_iter().map(Step::Made));
        result
    }
    /// Builds new ops right before `op`, with its location.
    pub fn build<R>(&mut self, op: Op, build: impl FnOnce(&mut Builder<'_>) -> R) -> R {
        let loc = self.ir.loc(op);
        self.build_at(InsertPoint::Before(op), loc, build)
    }
    /// Replaces `op`: for each result the values that stand for it from now on. The op goes when all is done.
    ///
    /// # Panics
    /// If there is not one list of values per result.
    pub fn replace(&mut self, op: Op, values: &[Vec<Value>]) {
        assert_eq!(
            values.len(),
            self.ir.num_results(op),
            "one list of values per result"
        );
        let results: Vec<Value> = self.ir.results(op).collect();
        for (result, values) in results.into_iter().zip(values) {
            self.mapped.insert(result, values.clone());
            self.steps.push(Step::Mapped(result));
        }
        if self.replaced.insert(op) {
            self.steps.push(Step::Replaced(op));
        }
    }
    /// Replaces `op` by values, one per result.
    pub fn replace_with(&mut self, op: Op, values: &[Value]) {
        let values: Vec<Vec<Value>> = values.iter().map(|&value| vec![value]).collect();
        self.replace(op, &values);
    }
    /// Erases an op whose results nothing uses when all is done.
    pub fn erase(&mut self, op: Op) {
        if self.replaced.insert(op) {
            self.steps.push(Step::Replaced(op));
        }
    }
    /// Changes operands, attributes, successors or result types of `op` in place.
    pub fn modify(&mut self, op: Op, change: impl FnOnce(&mut Ir)) {
        self.steps
            .push(Step::Changed(Box::new(Before::of(self.ir, op))));
        change(self.ir);
    }
    /// Moves all blocks of `from` to the end of `to`.
    pub fn move_blocks(&mut self, from: Region, to: Region) {
        let blocks: Vec<Block> = self.ir.blocks(from).collect();
        self.ir.move_blocks(from, to);
        self.steps.push(Step::Moved { blocks, from });
    }
    /// Gives a block arguments of the types its arguments become; uses of the old ones see the new ones.
    ///
    /// # Errors
    /// The first type that cannot be converted.
    pub fn convert_signature(&mut self, block: Block) -> Result<Block, Decline> {
        let args = self.ir.block_args(block).to_vec();
        let types: Result<Vec<Vec<Type>>, Decline> = args
            .iter()
            .map(|&arg| self.converted(self.ir.value_type(arg)))
            .collect();
        let types = types?;
        let new = self.ir.create_block(&[]);
        self.ir.insert_block_after(new, block);
        for (&arg, types) in args.iter().zip(&types) {
            let (loc, name) = (self.ir.value_loc(arg), self.ir.value_name(arg));
            let made: Vec<Value> = types
                .iter()
                .map(|&ty| self.ir.add_block_arg(new, ty, loc))
                .collect();
            if let (Some(name), [only]) = (name, &made[..]) {
                self.ir.set_value_name(*only, name);
            }
            self.mapped.insert(arg, made);
            self.steps.push(Step::Mapped(arg));
        }
        self.ir.move_ops_to_end(block, new);
        self.ir.detach_block(block);
        self.steps.push(Step::Signature { old: block, new });
        Ok(new)
    }
    /// Gives every block of a region arguments of the types its arguments become.
    ///
    /// # Errors
    /// The first type that cannot be converted.
    pub fn convert_region(&mut self, region: Region) -> Result<(), Decline> {
        let blocks: Vec<Block> = self.ir.blocks(region).collect();
        let mut renamed: FxHashMap<Block, Block> = FxHashMap::default();
        for block in blocks {
            let same = |&arg: &Value| {
                let ty = self.ir.value_type(arg);
                self.types
                    .is_none_or(|types| types.is_legal(self.ir.ctx(), ty))
            };
            if !self.ir.block_args(block).iter().all(same) {
                renamed.insert(block, self.convert_signature(block)?);
            }
        }
        let blocks: Vec<Block> = self.ir.blocks(region).collect();
        let ends: Vec<Op> = blocks
            .into_iter()
            .filter_map(|block| self.ir.last_op(block))
            .collect();
        for last in ends {
            let old = self.ir.successors(last).to_vec();
            let new: Vec<Block> = old
                .iter()
                .map(|block| renamed.get(block).copied().unwrap_or(*block))
                .collect();
            if old != new {
                self.modify(last, |ir| ir.set_successors(last, &new));
            }
        }
        Ok(())
    }

    /// The present replacement of a value.
    pub fn remapped(&self, value: Value) -> Vec<Value> {
        let mut out = Vec::new();
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match self.mapped.get(&value) {
                Some(values) => pending.extend(values.iter().rev()),
                None => out.push(value),
            }
        }
        out
    }
    /// The replacements of the operands of `op`, of the converted types: values of other types are cast.
    pub(super) fn operands_for(&mut self, op: Op) -> Result<Vec<Vec<Value>>, Decline> {
        let operands: Vec<Value> = self.ir.operands(op).collect();
        let mut out = Vec::new();
        for value in operands {
            let now = self.remapped(value);
            let wanted = self.converted(self.ir.value_type(value));
            let given: Vec<Type> = now.iter().map(|&value| self.ir.value_type(value)).collect();
            out.push(match wanted {
                Ok(wanted) if wanted != given => self.cast_to_new(op, &wanted, &now),
                // A type the converter does not know stays as it is.
                _ => now,
            });
        }
        Ok(out)
    }
    fn cast_to_new(&mut self, op: Op, types: &[Type], values: &[Value]) -> Vec<Value> {
        let converter = self.types;
        let mark = Mark::at(self.ir, InsertPoint::Before(op));
        let mut b = Builder::before(self.ir, op);
        let built = converter.and_then(|converter| converter.to_new(&mut b, types, values));
        let (values, cast) = match built {
            Some(values) => (values, None),
            None => {
                let made = cast(&mut b, types, values);
                (self.ir.results(made).collect(), Some(made))
            }
        };
        self.casts.extend(cast);
        self.steps
            .extend(mark.made(self.ir).into_iter().map(Step::Made));
        values
    }
    /// Values of old types for what replaced them, built right before `op`.
    pub(super) fn cast_to_old(
        &mut self,
        point: InsertPoint,
        what: Materialized,
        ty: Type,
        values: &[Value],
    ) -> Value {
        let converter = self.types;
        let mark = Mark::at(self.ir, point);
        let mut b = Builder::new(self.ir, point, Loc::UNKNOWN);
        let built = converter.and_then(|converter| converter.to_old(&mut b, what, &[ty], values));
        let value = match built.as_deref() {
            Some(&[value]) => value,
            _ => {
                let made = cast(&mut b, &[ty], values);
                self.casts.push(made);
                self.ir.result(made, 0)
            }
        };
        self.steps
            .extend(mark.made(self.ir).into_iter().map(Step::Made));
        value
    }
    /// Takes everything back that was done since there were `steps` steps.
    pub(super) fn roll_back(&mut self, steps: usize) {
        while self.steps.len() > steps {
            let Some(step) = self.steps.pop() else { break };
            match &step {
                Step::Mapped(value) => {
                    self.mapped.remove(value);
                }
                Step::Replaced(op) => {
                    self.replaced.remove(op);
                }
                Step::Made(op) => self.casts.retain(|cast| cast != op),
                _ => {}
            }
            step.undo(self.ir);
        }
    }
}
