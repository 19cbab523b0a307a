//! Pass `rows-in-blocks`: ops that iterate over the same rows one after another become one kernel, a thread block per row.
//!
//! ```mlir
//! %m = kernel.segred thread (%i < %n, %j < %k) ...         kernel.segmap block (%i < %n) {
//! %y = kernel.segmap thread (%i < %n, %j < %k) {    ==>      %m = kernel.segred thread (%j < %k) ...
//!   ... kernel.read %m[%i] ... }                             %y = kernel.segmap thread (%j < %k) { ... %m ... }
//!                                                            kernel.return %y }
//! ```
//! As kernels of their own, each writes its rows to memory and the next reads them back. In a thread block, what is between
//! them lies in shared memory or in registers, so that a row is read once and written once: softmax moves 1.0 times the
//! least possible, as three kernels 2.5 times (`benches/README.md`). Kernels of one block are made by `lower-to-gpu`.
//!
//! Whether a row fits is decided when the program runs, where its length is not a constant: rows of 17 elements or more
//! (shorter ones would leave most of a warp idle; this is the threshold `NAME.rows0`) whose arrays fit [`SHARED_BYTES`],
//! and no longer than [`LONGEST`] where they are too few to keep a device busy. Else the ops stay as they were. Where flattening
//! has made the same kernel of the points, and chooses between it and these ops, that is another reason for its choice.
//!
//! Legality: segmap, segred and segscan of level `thread` over one space, or a segmap over its rows, in one basic block;
//! what they read of each other is at the point's own row; nothing but pure scalar ops stands between them, and those
//! need no result of theirs. Points combine and return scalars. At least one op reads what another made.

use crate::choice::{Answer, Threshold, beside, function_name};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_ir::clone::Mapping;
use segra_ir::equivalence::equivalent;
use segra_ir::{Block, Builder, Ir, Op, OpView, Region, Trait, Type, TypeKind, Value};
use segra_kernel::access::ReadOp;
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp, SegScanOp, SegmentedOp};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_space::Target;
use segra_std::{arith, builtin, scf};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct RowsInBlocks {}
}

/// Most bytes of a row's arrays in shared memory, less what combining takes.
const SHARED_BYTES: i64 = Target::CUDA.shared_bytes - (8 << 10);
/// Longest rows that a few lanes of a warp iterate over better.
const SHORTEST: i64 = 16;
/// Longest rows that one thread block iterates over where there are few rows.
const LONGEST: i64 = 4096;
/// From this many rows on, a thread block for each keeps a device busy.
const MANY: i64 = 64;

/// Whether so many rows of this length are given to thread blocks.
pub(crate) fn pay(length: f64, rows: f64) -> bool {
    length > SHORTEST as f64 && (length <= LONGEST as f64 || rows >= MANY as f64)
}

const INFO: PassInfo = PassInfo {
    name: "rows-in-blocks",
    summary: "let a thread block do all that is done to a row, one op after another",
    reads: &["kernel"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for RowsInBlocks {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let mut blocks: Vec<Block> = Vec::new();
        for op in ir.walk(module) {
            let seed = space(ir, op).is_some() && !in_segmented(ir, op);
            if seed
                && let Some(block) = ir.block_of(op)
                && blocks.last() != Some(&block)
            {
                blocks.push(block);
            }
        }
        blocks.sort_unstable();
        blocks.dedup();
        let mut changed = Changed::No;
        let mut asked: FxHashMap<String, usize> = FxHashMap::default();
        for block in blocks {
            let function = function_name(ir, block);
            for group in groups(ir, block) {
                let count = group.members.len();
                let number = asked.entry(function.clone()).or_default();
                let name = format!("{function}.rows{number}");
                *number += usize::from(matches!(group.decision(ir), Decision::WhenRun));
                if group.emit(ir, name).is_some() {
                    cx.count("kernels joined", count as u64);
                    changed = Changed::Yes;
                }
            }
        }
        Ok(Outcome::of(changed))
    }
}

fn in_segmented(ir: &Ir, op: Op) -> bool {
    ir.ancestors(op)
        .skip(1)
        .any(|around| ir.interface::<dyn SegmentedOp>(around).is_some())
}

/// The space of an op that may be done row by row: at level `thread`, with no layout of its own, over scalars.
fn space(ir: &Ir, op: Op) -> Option<Vec<Value>> {
    let neutral = match (
        ir.cast::<SegMapOp>(op),
        ir.cast::<SegRedOp>(op),
        ir.cast::<SegScanOp>(op),
    ) {
        (Some(_), ..) => Vec::new(),
        (_, Some(segred), _) => segred.neutral(ir),
        (_, _, Some(segscan)) => segscan.neutral(ir),
        _ => return None,
    };
    let model = ir.interface::<dyn SegmentedOp>(op)?;
    let is_array = |value: Value| ir.value_type(value).shaped(ir.ctx()).is_some();
    let scalars = !neutral.into_iter().any(is_array)
        && ir.walk(op).into_iter().skip(1).all(|inner| {
            let returns =
                ir.has_trait(inner, Trait::Terminator) && ir.operands(inner).any(is_array);
            !ir.results(inner).any(is_array) && !returns
        });
    let plain = model.level(ir, op) == Level::Thread && ir.attr_named(op, "mapping").is_none();
    (plain && scalars).then(|| model.sizes(ir, op))
}

/// Ops over one space that follow each other.
struct Group {
    /// Extents: those of the rows, then their length.
    space: Vec<Value>,
    members: Vec<Op>,
    /// The ops between them; they need nothing of theirs.
    between: Vec<Op>,
    made: FxHashSet<Value>,
    /// Whether a member reads what another made.
    linked: bool,
}

/// The groups of a block that are worth a kernel.
fn groups(ir: &Ir, block: Block) -> Vec<Group> {
    let mut found = Vec::new();
    let mut open: Option<Group> = None;
    for op in ir.ops(block) {
        if let Some(group) = &mut open {
            if group.take(ir, op) {
                continue;
            }
            let hoistable = ir.has_trait(op, Trait::Pure)
                && ir.regions(op).is_empty()
                && !ir.operands(op).any(|operand| group.made.contains(&operand));
            if hoistable {
                group.between.push(op);
                continue;
            }
        }
        found.extend(open.take());
        if let Some(space) = space(ir, op).filter(|space| space.len() > 1) {
            let mut group = Group {
                space,
                members: Vec::new(),
                between: Vec::new(),
                made: FxHashSet::default(),
                linked: false,
            };
            group.take(ir, op);
            open = Some(group);
        }
    }
    found.extend(open);
    let combines = |group: &Group| group.members.iter().any(|&op| !ir.isa::<SegMapOp>(op));
    found.retain(|group| group.linked && combines(group));
    found
}

/// How a condition is decided.
enum Decision {
    Always,
    Never,
    WhenRun,
}

impl Group {
    fn outer(&self) -> &[Value] {
        &self.space[..self.space.len() - 1]
    }

    fn length(&self) -> Value {
        self.space[self.space.len() - 1]
    }

    /// Takes an op in where it iterates over the same rows.
    fn take(&mut self, ir: &Ir, op: Op) -> bool {
        let Some(sizes) = space(ir, op) else {
            return false;
        };
        let rows_only = ir.isa::<SegMapOp>(op) && sizes == self.outer();
        if sizes != self.space && !rows_only {
            return false;
        }
        if ir.operands(op).any(|operand| self.made.contains(&operand)) {
            return false;
        }
        let Some(args) = self.row_of(ir, op) else {
            return false;
        };
        let mut linked = false;
        for inner in ir.walk(op).into_iter().skip(1) {
            if !ir
                .operands(inner)
                .any(|operand| self.made.contains(&operand))
            {
                continue;
            }
            let own_row = ir.cast::<ReadOp>(inner).is_some_and(|read| {
                let indices = read.indices(ir);
                indices.len() >= args.len() && indices[..args.len()] == args[..]
            });
            if !own_row {
                return false;
            }
            linked = true;
        }
        self.linked |= linked;
        self.made.extend(ir.results(op));
        self.members.push(op);
        true
    }

    /// The indices of the row at a point of an op.
    fn row_of(&self, ir: &Ir, op: Op) -> Option<Vec<Value>> {
        let body = ir.interface::<dyn SegmentedOp>(op)?.body(ir, op);
        let args = ir.block_args(ir.entry_block(body)?);
        args.get(..self.outer().len()).map(<[Value]>::to_vec)
    }

    /// Results that ops outside of the group need, in order.
    fn needed(&self, ir: &Ir) -> Vec<Value> {
        let outside = |user: Op| {
            !self
                .members
                .iter()
                .any(|&member| ir.is_inside(user, member))
        };
        let results = self.members.iter().flat_map(|&op| ir.results(op));
        results
            .filter(|&result| ir.users(result).any(outside))
            .collect()
    }

    /// Bytes of shared memory for each element of a row.
    fn bytes(&self, ir: &Ir) -> i64 {
        let rank = self.space.len();
        let results = self.members.iter().flat_map(|&op| ir.results(op));
        let rows = results.filter_map(|result| {
            let (shape, element) = ir.value_type(result).shaped(ir.ctx())?;
            let inside = |user: Op| {
                self.members
                    .iter()
                    .any(|&member| ir.is_inside(user, member))
            };
            let read = ir.users(result).any(inside) || ir.users(result).next().is_none();
            (shape.len() == rank && read).then(|| match ir.ctx().type_kind(element) {
                TypeKind::Integer { width, .. } => i64::from(width.div_ceil(8)),
                TypeKind::Float(kind) => i64::from(kind.width()) / 8,
                _ => 8,
            })
        });
        rows.sum()
    }

    /// Whether a row is one for a thread block, as far as the program text says.
    fn decision(&self, ir: &Ir) -> Decision {
        let known = |value: Value| ir.constant_int(value);
        let rows = self
            .outer()
            .iter()
            .try_fold(1i64, |product, &size| product.checked_mul(known(size)?));
        let Some(length) = known(self.length()) else {
            return Decision::WhenRun;
        };
        if length <= SHORTEST || length > self.most(ir) {
            return Decision::Never;
        }
        match rows {
            _ if length <= LONGEST => Decision::Always,
            Some(rows) if rows >= MANY => Decision::Always,
            Some(_) => Decision::Never,
            None => Decision::WhenRun,
        }
    }

    /// Longest rows whose arrays fit.
    fn most(&self, ir: &Ir) -> i64 {
        match self.bytes(ir) {
            0 => i64::from(i32::MAX),
            bytes => SHARED_BYTES / bytes,
        }
    }

    /// [`Self::decision`] as code; the length from which on rows are given to thread blocks is a threshold of that name.
    fn condition(&self, ir: &mut Ir, before: Op, name: String) -> Value {
        let most = self.most(ir);
        let mut b = Builder::before(ir, before);
        let constant = |b: &mut Builder<'_>, value: i64| {
            let attr = b.ctx().index_attr(value);
            arith::ConstantOp::build(b, attr).result(b.ir)
        };
        let test = |b: &mut Builder<'_>, predicate: arith::CmpIPredicate, x: Value, y: i64| {
            let (predicate, y) = (predicate.attr(b.ctx()), constant(b, y));
            arith::CmpIOp::build(b, predicate, x, y).result(b.ir)
        };
        let (&first, rest) = self.outer().split_first().unwrap_or((&self.space[0], &[]));
        let mut rows = first;
        for &size in rest {
            rows = arith::MulIOp::build(&mut b, rows, size).result(b.ir);
        }
        let short = test(&mut b, arith::CmpIPredicate::Sle, self.length(), LONGEST);
        let many = test(&mut b, arith::CmpIPredicate::Sge, rows, MANY);
        let busy = arith::OrIOp::build(&mut b, short, many).result(b.ir);
        let fits = test(&mut b, arith::CmpIPredicate::Sle, self.length(), most);
        let both = arith::AndIOp::build(&mut b, fits, busy).result(b.ir);
        let long = Threshold {
            size: self.length(),
            name,
            default: SHORTEST + 1,
        };
        match long.answer(&mut b) {
            Answer::Asked(long) => arith::AndIOp::build(&mut b, both, long).result(b.ir),
            Answer::Known(_) => both, // a constant length that is too short was never for thread blocks
        }
    }

    /// Puts the kernel of thread blocks in the place of the members, or beside them.
    fn emit(&self, ir: &mut Ir, name: String) -> Option<()> {
        let (&first, &last) = (self.members.first()?, self.members.last()?);
        let needed = self.needed(ir);
        let decision = self.decision(ir);
        if needed.is_empty() || matches!(decision, Decision::Never) {
            return None;
        }
        for &op in &self.between {
            if ir.is_before(op, last) {
                ir.move_before(op, first);
            }
        }
        if matches!(decision, Decision::Always) {
            let results = self.in_block(ir, &mut |ir| Builder::before(ir, first), &needed)?;
            for (&old, new) in needed.iter().zip(results) {
                ir.replace_all_uses(old, new);
            }
            self.members.iter().rev().for_each(|&op| ir.erase_op(op));
            return Some(());
        }
        if let Some(choice) = self.made_above(ir, &needed) {
            let condition = self.condition(ir, choice.op(), name);
            let known = choice.condition(ir);
            let mut b = Builder::before(ir, choice.op());
            let either = arith::OrIOp::build(&mut b, known, condition).result(b.ir);
            ir.set_operand(choice.op(), 0, either);
            return Some(());
        }
        let condition = self.condition(ir, first, name);
        let loc = ir.loc(first);
        beside(
            ir,
            (first, condition),
            (&self.members, &needed),
            |ir, then| self.in_block(ir, &mut |ir| Builder::at_end(ir, then, loc), &needed),
        )?;
        Some(())
    }

    /// The choice whose second branch does nothing but what the group does, and whose first one is the kernel of thread blocks that the
    /// group would get: flattening has made the same of the points.
    fn made_above(&self, ir: &mut Ir, needed: &[Value]) -> Option<scf::IfOp> {
        let &first = self.members.first()?;
        let block = ir.block_of(first)?;
        let choice = ir.block_parent(block)?;
        let choice = ir.cast::<scf::IfOp>(choice)?;
        let [then, otherwise] =
            [choice.then_region(ir), choice.else_region(ir)].map(|region| ir.entry_block(region));
        let (then, yielded) = (then?, ir.last_op(block)?);
        let [made, given] = ir.ops(then).collect::<Vec<Op>>()[..] else {
            return None;
        };
        let known_above = |&size: &Value| !ir.is_defined_inside(size, choice.op());
        let fits = otherwise == Some(block)
            && ir.isa::<SegMapOp>(made)
            && ir.operands(yielded).eq(needed.iter().copied())
            && ir.operands(given).eq(ir.results(made))
            && self.space.iter().all(known_above);
        if !fits {
            return None;
        }
        let results = self.in_block(ir, &mut |ir| Builder::before(ir, first), needed)?;
        let own = ir.defining_op(*results.first()?)?;
        let same = equivalent(ir, made, own);
        ir.erase_op(own);
        same.then_some(choice)
    }

    /// The kernel of thread blocks; what stands for the needed results.
    fn in_block(
        &self,
        ir: &mut Ir,
        place: &mut dyn for<'b> FnMut(&'b mut Ir) -> Builder<'b>,
        needed: &[Value],
    ) -> Option<Vec<Value>> {
        let ctx = ir.context();
        let types: Vec<Type> = needed.iter().map(|&value| ir.value_type(value)).collect();
        let mut b = place(ir);
        let segmap = SegMapOp::builder()
            .level(Level::Block.attr(&ctx))
            .sizes(self.outer())
            .results_types(&types)
            .build(&mut b);
        let loc = b.loc;
        let region = segmap.body(ir);
        let point = ir.add_block(region, &vec![ctx.index(); self.outer().len()]);
        let row = ir.block_args(point).to_vec();
        let mut values = Mapping::new();
        let mut inside = FxHashMap::default();
        for &op in &self.members {
            let copy = self.of_row(ir, op, point, (&row, &mut values))?;
            let results: Vec<(Value, Value)> = ir.results(op).zip(ir.results(copy)).collect();
            for (old, new) in results {
                values.map(old, new);
                inside.insert(old, new);
            }
        }
        let returned: Vec<Value> = needed
            .iter()
            .filter_map(|value| inside.get(value).copied())
            .collect();
        ReturnOp::build(&mut Builder::at_end(ir, point, loc), &returned);
        Some(segmap.results(ir))
    }

    /// An op of the group for one row.
    fn of_row(
        &self,
        ir: &mut Ir,
        op: Op,
        point: Block,
        (row, values): (&[Value], &mut Mapping),
    ) -> Option<Op> {
        let ctx = ir.context();
        let model = ir.interface::<dyn SegmentedOp>(op)?;
        let sizes = model.sizes(ir, op).split_off(row.len());
        let types: Vec<Type> = ir
            .results(op)
            .map(|result| without(ir, ir.value_type(result), row.len()))
            .collect();
        let level = Level::Thread.attr(&ctx);
        let loc = ir.loc(op);
        let (neutral, exclusive) = match (ir.cast::<SegRedOp>(op), ir.cast::<SegScanOp>(op)) {
            (Some(segred), _) => (segred.neutral(ir), None),
            (_, Some(segscan)) => (segscan.neutral(ir), segscan.exclusive_attr(ir)),
            _ => (Vec::new(), None),
        };
        let (is_red, is_scan) = (ir.isa::<SegRedOp>(op), ir.isa::<SegScanOp>(op));
        let mut b = Builder::at_end(ir, point, loc);
        let copy = match (is_red, is_scan) {
            (true, _) => SegRedOp::builder()
                .level(level)
                .sizes(&sizes)
                .neutral(&neutral)
                .results_types(&types)
                .build(&mut b)
                .op(),
            (_, true) => SegScanOp::builder()
                .level(level)
                .exclusive(exclusive)
                .sizes(&sizes)
                .neutral(&neutral)
                .results_types(&types)
                .build(&mut b)
                .op(),
            _ => SegMapOp::builder()
                .level(level)
                .sizes(&sizes)
                .results_types(&types)
                .build(&mut b)
                .op(),
        };
        for index in 0..ir.regions(op).len() {
            let (from, to) = (ir.region(op, index), ir.region(copy, index));
            let given: &[Value] = if index == 0 { row } else { &[] };
            copy_region(ir, (from, to), given, values);
        }
        self.read_own_row(ir, copy, row.len());
        Some(copy)
    }

    /// Reads of what the group made: without the indices of the row.
    fn read_own_row(&self, ir: &mut Ir, copy: Op, rows: usize) {
        for inner in ir.walk(copy).into_iter().skip(1) {
            let Some(read) = ir.cast::<ReadOp>(inner) else {
                continue;
            };
            let (tensor, indices) = (read.tensor(ir), read.indices(ir));
            let rank = ir
                .value_type(tensor)
                .shaped(ir.ctx())
                .map_or(0, |shaped| shaped.0.len());
            if rank == indices.len() {
                continue;
            }
            let value = match rank {
                0 => tensor,
                _ => {
                    let checked = read.checked_attr(ir);
                    let mut b = Builder::before(ir, inner);
                    ReadOp::builder()
                        .tensor(tensor)
                        .indices(&indices[rows..])
                        .checked(checked)
                        .build(&mut b)
                        .result(b.ir)
                }
            };
            ir.replace_op(inner, &[value]);
        }
    }
}

/// The type of a row: a tensor without its first dimensions, or an element.
fn without(ir: &Ir, ty: Type, dims: usize) -> Type {
    let ctx = ir.ctx();
    let Some((shape, element)) = ty.shaped(ctx) else {
        return ty;
    };
    match shape.get(dims..).unwrap_or_default() {
        [] => element,
        rest => ctx.ty(TypeKind::Tensor {
            shape: rest.to_vec(),
            element,
            encoding: None,
        }),
    }
}

/// Copies the block of a region; its first arguments stand for `given`.
fn copy_region(ir: &mut Ir, (from, to): (Region, Region), given: &[Value], values: &mut Mapping) {
    let Some(block) = ir.entry_block(from) else {
        return;
    };
    let args = ir.block_args(block).to_vec();
    values.map_all(&args[..given.len()], given);
    let types: Vec<Type> = args[given.len()..]
        .iter()
        .map(|&arg| ir.value_type(arg))
        .collect();
    let copy = ir.add_block(to, &types);
    let new = ir.block_args(copy).to_vec();
    values.map_all(&args[given.len()..], &new);
    for op in ir.ops(block).collect::<Vec<_>>() {
        let loc = ir.loc(op);
        Builder::at_end(ir, copy, loc).clone_op(op, values);
    }
}
