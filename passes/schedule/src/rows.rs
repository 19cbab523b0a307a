//! Pass `rows-in-blocks`: ops that iterate over the same rows one after another become one kernel, a thread block per row.
//!
//! ```mlir
//! %m = kernel.segred thread (%i < %n, %j < %k) ...         kernel.segmap block (%i < %n) {
//! %y = kernel.segmap thread (%i < %n, %j < %k) {    ==>      %m = kernel.segred thread (%j < %k) ...
//!   ... tensor.extract %m[%i] ... }                             %y = kernel.segmap thread (%j < %k) { ... %m ... }
//!                                                            kernel.return %y }
//! ```
//! As kernels of their own, each writes its rows to memory and the next reads them back. In a thread block, what is between
//! them lies in shared memory or in registers, so that a row is read once and written once: softmax moves 1.0 times the
//! least possible, as three kernels 2.5 times (`benches/README.md`). Kernels of one block are made by `lower-to-gpu`.
//!
//! Whether a row fits is decided when the program runs, where its length is not a constant: rows of 17 elements or more
//! (shorter ones would leave most of a warp idle, unless there are few rows; this is the threshold `NAME.rows0`) whose arrays
//! fit the memory of a thread block, and no longer than 4,096 where they are too few to keep a device busy. Else the ops stay as
//! they were. Where flattening chooses between these ops and a thread block for each point, its estimates have decided over
//! rows of up to 1,024 elements: only longer ones are asked about. Where its kernel is the same, they are another reason for its choice.
//!
//! Legality: that of [`segra_kernel::rows`].

use crate::choice::{Answer, Threshold, beside, function_name};
use rustc_hash::FxHashMap;
use segra_ir::clone::Mapping;
use segra_ir::equivalence::equivalent;
use segra_ir::{Block, Builder, Ir, Op, OpView, Region, Type, TypeKind, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::rows::{self, Group};
use segra_kernel::segop::{ReturnOp, SegMapOp, SegRedOp, SegScanOp, SegmentedOp};
use segra_pass::{Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult};
use segra_space::Target;
use segra_std::arith::{self, index};
use segra_std::{builtin, scf};

segra_pass::pass_options! {
    /// The pass; it has no options.
    pub struct RowsInBlocks {}
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
            let seed = rows::space(ir, op).is_some() && !in_segmented(ir, op);
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
            for rows in rows::groups(ir, block) {
                let group = Join { rows };
                let count = group.rows.members.len();
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

/// Whether an op is run at the points of another one.
pub(crate) fn in_segmented(ir: &Ir, op: Op) -> bool {
    ir.ancestors(op)
        .skip(1)
        .any(|around| ir.interface::<dyn SegmentedOp>(around).is_some())
}

/// How a condition is decided.
enum Decision {
    Always,
    Never,
    WhenRun,
}

/// The kernel that a group becomes.
struct Join {
    rows: Group,
}

impl Join {
    /// Results that ops outside of the group need, in order.
    fn needed(&self, ir: &Ir) -> Vec<Value> {
        let outside = |user: Op| {
            !self
                .rows
                .members
                .iter()
                .any(|&member| ir.is_inside(user, member))
        };
        let results = self.rows.members.iter().flat_map(|&op| ir.results(op));
        results
            .filter(|&result| ir.users(result).any(outside))
            .collect()
    }

    /// Whether a row is one for a thread block, as far as the program text says.
    fn decision(&self, ir: &Ir) -> Decision {
        let known = |value: Value| ir.constant_int(value);
        let mut sizes = self.rows.outer().iter();
        let rows = sizes.try_fold(1i64, |product, &size| product.checked_mul(known(size)?));
        let Some(length) = known(self.rows.length()) else {
            return Decision::WhenRun;
        };
        let pay = |rows: i64| rows::pay(length as f64, rows as f64);
        match rows {
            _ if length > self.rows.most(ir) => Decision::Never,
            _ if length <= self.longer_than(ir) => Decision::Never,
            _ if pay(1) && pay(i64::MAX) => Decision::Always,
            Some(rows) if pay(rows) => Decision::Always,
            None if length > rows::SHORTEST => Decision::WhenRun,
            // A version for few rows, which are short, is not worth its code.
            _ => Decision::Never,
        }
    }

    /// [`Self::decision`] as code; the length from which on rows are given to thread blocks is a threshold of that name.
    fn condition(&self, ir: &mut Ir, before: Op, name: String) -> Value {
        let mut b = Builder::before(ir, before);
        let mut fits = self.rows.fits(&mut b);
        let limit = self.longer_than(b.ir);
        if limit > 0 {
            let limit = index::constant(&mut b, limit);
            let longer = index::cmp(&mut b, arith::CmpIPredicate::Sgt, self.rows.length(), limit);
            fits = arith::AndIOp::build(&mut b, fits, longer).result(b.ir);
        }
        let long = Threshold {
            size: self.rows.weight(&mut b),
            name,
            default: rows::SHORTEST + 1,
        };
        match long.answer(&mut b) {
            Answer::Asked(long) => arith::AndIOp::build(&mut b, fits, long).result(b.ir),
            Answer::Known(_) => fits, // a constant length that is too short was never for thread blocks
        }
    }

    /// Puts the kernel of thread blocks in the place of the members, or beside them.
    fn emit(&self, ir: &mut Ir, name: String) -> Option<()> {
        let (&first, &last) = (self.rows.members.first()?, self.rows.members.last()?);
        let needed = self.needed(ir);
        let decision = self.decision(ir);
        if needed.is_empty() || matches!(decision, Decision::Never) {
            return None;
        }
        for &op in &self.rows.between {
            if ir.is_before(op, last) {
                ir.move_before(op, first);
            }
        }
        if matches!(decision, Decision::Always) {
            let results = self.in_block(ir, &mut |ir| Builder::before(ir, first), &needed)?;
            for (&old, new) in needed.iter().zip(results) {
                ir.replace_all_uses(old, new);
            }
            self.rows
                .members
                .iter()
                .rev()
                .for_each(|&op| ir.erase_op(op));
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
            (&self.rows.members, &needed),
            |ir, then| self.in_block(ir, &mut |ir| Builder::at_end(ir, then, loc), &needed),
        )?;
        Some(())
    }

    /// Rows of this length and shorter ones are not for the group: flattening gives them to thread blocks where that pays.
    fn longer_than(&self, ir: &Ir) -> i64 {
        let block = self.rows.members.first().and_then(|&op| ir.block_of(op));
        let region = block.and_then(|block| ir.block_region(block));
        let choice = block.and_then(|block| ir.block_parent(block));
        let Some(choice) = choice.and_then(|op| ir.cast::<scf::IfOp>(op)) else {
            return 0;
        };
        let then = ir.entry_block(choice.then_region(ir));
        let is_in_blocks = |op: Op| {
            let segmap = ir.cast::<SegMapOp>(op);
            segmap.is_some_and(|segmap| {
                segmap.level(ir) == Level::Block && segmap.sizes(ir) == self.rows.outer()
            })
        };
        let made = region == Some(choice.else_region(ir))
            && then.is_some_and(|then| ir.ops(then).any(is_in_blocks));
        if made {
            Target::CUDA.launch.block_threads
        } else {
            0
        }
    }

    /// The choice whose second branch does nothing but what the group does, and whose first one is the kernel of thread blocks that the
    /// group would get: flattening has made the same of the points.
    fn made_above(&self, ir: &mut Ir, needed: &[Value]) -> Option<scf::IfOp> {
        let &first = self.rows.members.first()?;
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
            && self.rows.space.iter().all(known_above);
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
            .sizes(self.rows.outer())
            .results_types(&types)
            .build(&mut b);
        let loc = b.loc;
        let region = segmap.body(ir);
        let point = ir.add_block(region, &vec![ctx.index(); self.rows.outer().len()]);
        let row = ir.block_args(point).to_vec();
        let mut values = Mapping::new();
        let mut inside = FxHashMap::default();
        for &op in &self.rows.members {
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
            let Some(read) = Read::of(ir, inner) else {
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
                    let checked = read.is_checked(ir);
                    let mut b = Builder::before(ir, inner);
                    Read::build_checked(&mut b, tensor, &indices[rows..], checked).result(b.ir)
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
