//! Arrays whose extents differ between points: how large the largest of them is.
//!
//! A thread's arrays lie in buffers that the host allocates before the launch. Where an extent is only known at a point,
//! a reduction over all points finds the largest number of elements first: a slice of the point's code, with its counted
//! loops and branches, that computes extents and nothing else.
//!
//! ```mlir
//! %most = kernel.segred thread (%p < %points) init (%zero : index) -> (index) {
//!   %k = ... the code of the point that extents need ...
//!   kernel.return %k : index
//! } combine (%a, %b) { arith.maxsi }
//! ```
//! Legality: extents do not come from elements of arrays whose extents differ themselves, and such arrays are not made
//! inside a `scf.while`, unless arithmetic on constants bounds them (`%n & 7`). Otherwise it is an error, with the place.

use crate::function::Lowering;
use crate::launch::{constant, mul, unfold};
use rustc_hash::FxHashSet;
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, InsertPoint, Ir, Loc, Op, OpView, Region, Type, Value, ValueDef};
use segra_kernel::access::DimOp;
use segra_kernel::extent::{irregular_arrays, resolved};
use segra_kernel::form::Form;
use segra_kernel::level::Level;
use segra_kernel::local::ScratchOp;
use segra_kernel::segop::{ReturnOp, SegRedOp, SegmentedOp};
use segra_std::{arith, scf};

impl Lowering<'_> {
    /// The most elements that an array of a point of `op` has whose extents the host cannot know; `None` where there is
    /// no such array.
    pub(crate) fn bound(&mut self, op: Op) -> Option<Value> {
        let irregular = irregular_arrays(self.ir, op);
        let model = self.ir.interface::<dyn SegmentedOp>(op)?;
        let body = model.body(self.ir, op);
        let beside = irregular.iter().find(|scratch| {
            let mut blocks = self
                .ir
                .ancestors(scratch.op())
                .filter_map(|inner| self.ir.block_of(inner));
            !blocks.any(|block| self.ir.block_region(block) == Some(body))
        });
        if let Some(scratch) = beside {
            let message = "is as large as only each application of the operator knows";
            self.diags.op_error(self.ir, scratch.op(), message);
            return None;
        }
        if irregular.is_empty() {
            return None;
        }
        let slice = match Slice::of(self.ir, op, &irregular) {
            Ok(slice) => slice,
            Err(at) => {
                if let Some(most) = constant_bound(self.ir, &irregular) {
                    return Some(constant(&mut self.builder(op), most));
                }
                self.diags.op_error(
                    self.ir,
                    at,
                    "decides how large an array at a point of a nest is, which is only known when the point runs",
                );
                return None;
            }
        };
        let sizes = model.sizes(self.ir, op);
        let search = self.search(op, &sizes, body, slice)?;
        let found = search.results(self.ir)[0];
        // Something has to hold the result while the search is replaced by it.
        let loc = self.ir.loc(op);
        let zero = constant(&mut self.builder(op), 0);
        let kept = arith::MaxSIOp::build(
            &mut Builder::new(self.ir, InsertPoint::Before(op), loc),
            found,
            zero,
        );
        self.scheduled_search(search)?;
        Some(kept.result(self.ir))
    }

    /// Lowers the search in the form that suits the number of indices.
    fn scheduled_search(&mut self, search: SegRedOp) -> Option<()> {
        let op = search.op();
        self.mark_own(op);
        let chunk = self.options.chunk;
        let count = search.sizes(self.ir)[0];
        let short = self.host_test(op, InsertPoint::Before(op), count, chunk);
        let form = |form: Form| Some(form.attr(&self.ctx));
        let [block, parts] = [form(Form::Block), form(Form::Parts)];
        if let Some(known) = crate::function::known_bool(self.ir, short) {
            self.ir
                .set_attr_named(op, "form", if known { block } else { parts });
            self.map_own(op);
            return self.segred(search);
        }
        let loc = self.ir.loc(op);
        let ty = self.ctx.index();
        let choice = scf::IfOp::build(&mut Builder::before(self.ir, op), short, &[ty]).op();
        let (found, chosen) = (self.ir.result(op, 0), self.ir.result(choice, 0));
        self.ir.replace_all_uses(found, chosen);
        let [then, otherwise] = [0, 1].map(|index| {
            let region = self.ir.region(choice, index);
            self.ir.add_block(region, &[])
        });
        let copy = Builder::at_end(self.ir, otherwise, loc).clone_op(op, &mut Mapping::new());
        self.ir.move_to_end(op, then);
        for (block, op, form) in [(then, op, block), (otherwise, copy, parts)] {
            let value = self.ir.result(op, 0);
            scf::YieldOp::build(&mut Builder::at_end(self.ir, block, loc), &[value]);
            self.ir.set_attr_named(op, "form", form);
            self.map_own(op);
            self.segred(SegRedOp::from_op(op))?;
        }
        Some(())
    }

    fn search(
        &mut self,
        op: Op,
        sizes: &[Value],
        body: Region,
        mut slice: Slice,
    ) -> Option<SegRedOp> {
        let ctx = self.ctx.clone();
        let loc = self.ir.loc(op);
        let mut b = self.builder(op);
        let points = crate::segmented::product(&mut b, sizes);
        let zero = constant(&mut b, 0);
        let level = Level::Thread.attr(&ctx);
        let search = SegRedOp::builder()
            .level(level)
            .sizes(&[points])
            .neutral(&[zero])
            .results_types(&[ctx.index()])
            .build(&mut b);
        let region = search.body(self.ir);
        let block = self.ir.add_block(region, &[ctx.index()]);
        let number = self.ir.block_args(block)[0];
        let indices = unfold(&mut Builder::at_end(self.ir, block, loc), sizes, number);
        let old = self.ir.entry_block(body)?;
        for (&arg, index) in self.ir.block_args(old).to_vec().iter().zip(indices) {
            slice.values.map(arg, index);
        }
        let start = constant(&mut Builder::at_end(self.ir, block, loc), 0);
        let most = slice.emit(self.ir, InsertPoint::End(block), old, start);
        ReturnOp::build(&mut Builder::at_end(self.ir, block, loc), &[most]);
        let region = search.combine(self.ir);
        let block = self.ir.add_block(region, &[ctx.index(), ctx.index()]);
        let args = self.ir.block_args(block).to_vec();
        let mut b = Builder::at_end(self.ir, block, loc);
        let larger = arith::MaxSIOp::build(&mut b, args[0], args[1]).result(b.ir);
        ReturnOp::build(&mut b, &[larger]);
        Some(search)
    }
}

/// The most elements that arrays have by arithmetic on constants; `None` where it does not tell.
fn constant_bound(ir: &Ir, arrays: &[ScratchOp]) -> Option<i64> {
    let count = |scratch: &ScratchOp| {
        scratch
            .sizes(ir)
            .iter()
            .try_fold(1i64, |count, &size| count.checked_mul(largest(ir, size)?))
    };
    arrays
        .iter()
        .map(count)
        .try_fold(0, |most, count| Some(most.max(count?)))
}

/// The largest value a number has that is never negative; `None` where nothing tells.
fn largest(ir: &Ir, value: Value) -> Option<i64> {
    let value = resolved(ir, value);
    if let Some(known) =
        segra_ir::interfaces::constant_of(ir, value).and_then(|attr| attr.as_i64(ir.ctx()))
    {
        return (known >= 0).then_some(known);
    }
    let op = ir.defining_op(value)?;
    let mut operands = ir.operands(op).map(|operand| largest(ir, operand));
    match ir.op_name_str(op) {
        "arith.andi" | "arith.minui" => operands.flatten().min(),
        "arith.remui" => operands
            .nth(1)?
            .map(|divisor| divisor - 1)
            .filter(|&most| most >= 0),
        "arith.index_cast" | "arith.index_castui" => operands.next()?,
        _ => None,
    }
}

/// The code of a point that extents need.
struct Slice {
    irregular: FxHashSet<Op>,
    /// Ops around irregular arrays.
    around: FxHashSet<Op>,
    needed: FxHashSet<Value>,
    values: Mapping,
}

impl Slice {
    /// An op that extents cannot be computed without is the error.
    fn of(ir: &Ir, root: Op, irregular: &[ScratchOp]) -> Result<Slice, Op> {
        let mut slice = Slice {
            irregular: irregular.iter().map(|scratch| scratch.op()).collect(),
            around: FxHashSet::default(),
            needed: FxHashSet::default(),
            values: Mapping::new(),
        };
        let mut pending = Vec::new();
        for scratch in irregular {
            pending.extend(scratch.sizes(ir));
            for op in ir
                .ancestors(scratch.op())
                .skip(1)
                .take_while(|&op| op != root)
            {
                if !slice.around.insert(op) {
                    continue;
                }
                match ir.op_name_str(op) {
                    "scf.for" => pending.extend(ir.operands(op).take(3)),
                    "scf.if" => pending.extend(ir.operands(op)),
                    _ => match ir.interface::<dyn SegmentedOp>(op) {
                        Some(model) => pending.extend(model.sizes(ir, op)),
                        None => return Err(op),
                    },
                }
            }
        }
        while let Some(value) = pending.pop() {
            if !ir.is_defined_inside(value, root) || !slice.needed.insert(value) {
                continue;
            }
            slice.need(ir, root, value, &mut pending)?;
        }
        Ok(slice)
    }

    fn need(&self, ir: &Ir, root: Op, value: Value, pending: &mut Vec<Value>) -> Result<(), Op> {
        match ir.value_def(value) {
            ValueDef::Argument { block, index } => {
                let Some(parent) = ir.block_parent(block) else {
                    return Ok(());
                };
                if parent != root && ir.op_name_str(parent) == "scf.for" && index > 0 {
                    pending.extend(ir.operands(parent).nth(2 + index as usize));
                    pending.extend(yielded(ir, parent, 0, index as usize - 1));
                }
                Ok(())
            }
            ValueDef::Result { op, index } => {
                if ir.isa::<DimOp>(op) {
                    let origin = resolved(ir, value);
                    if origin != value {
                        pending.push(origin);
                        return Ok(());
                    }
                }
                if self.around.contains(&op) {
                    for region in 0..ir.regions(op).len() {
                        pending.extend(yielded(ir, op, region, index as usize));
                    }
                    if ir.op_name_str(op) == "scf.for" {
                        pending.extend(ir.operands(op).nth(3 + index as usize));
                    }
                    return Ok(());
                }
                for inner in ir.walk(op) {
                    // It would need a bound of its own first.
                    if self.irregular.contains(&inner) {
                        return Err(inner);
                    }
                    pending.extend(ir.operands(inner).filter(|&operand| {
                        ir.value_block(operand)
                            .and_then(|block| ir.block_parent(block))
                            .is_none_or(|parent| !ir.is_inside(parent, op))
                    }));
                }
                Ok(())
            }
        }
    }

    /// Emits the slice of a block; the largest number of elements, at least `most`.
    fn emit(&mut self, ir: &mut Ir, point: InsertPoint, block: Block, most: Value) -> Value {
        let mut most = most;
        for op in ir.ops(block).collect::<Vec<_>>() {
            let loc = ir.loc(op);
            if self.irregular.contains(&op) {
                let sizes = ScratchOp::from_op(op).sizes(ir);
                let mut b = Builder::new(ir, point, loc);
                let sizes: Vec<Value> = sizes
                    .into_iter()
                    .map(|size| self.values.get(size))
                    .collect();
                let count = sizes[1..]
                    .iter()
                    .fold(sizes[0], |count, &size| mul(&mut b, count, size));
                most = arith::MaxSIOp::build(&mut b, most, count).result(b.ir);
            } else if self.around.contains(&op) {
                most = self.emit_around(ir, (point, loc), op, most);
            } else if ir.results(op).any(|result| self.needed.contains(&result)) {
                let result = ir.result(op, 0);
                let origin = resolved(ir, result);
                if ir.isa::<DimOp>(op) && origin != result {
                    self.values.map(result, self.values.get(origin));
                } else {
                    Builder::new(ir, point, loc).clone_op(op, &mut self.values);
                }
            }
        }
        most
    }

    fn emit_around(
        &mut self,
        ir: &mut Ir,
        (point, loc): (InsertPoint, Loc),
        op: Op,
        most: Value,
    ) -> Value {
        if let Some(model) = ir.interface::<dyn SegmentedOp>(op) {
            let (sizes, body) = (model.sizes(ir, op), model.body(ir, op));
            return self.emit_space(ir, (point, loc), &sizes, body, &mut Vec::new(), most);
        }
        let (name, first) = (
            ir.op_name_str(op).to_owned(),
            if ir.regions(op).len() == 1 { 3 } else { 0 },
        );
        let kept: Vec<usize> = (0..ir.num_results(op))
            .filter(|&index| self.is_kept(ir, op, index))
            .collect();
        let mut types: Vec<Type> = kept
            .iter()
            .map(|&index| ir.value_type(ir.result(op, index)))
            .collect();
        types.push(ir.ctx().index());
        let operands: Vec<Value> = ir
            .operands(op)
            .map(|value| self.values.get(value))
            .collect();
        let new = if name == "scf.for" {
            let unsigned = ir
                .cast::<scf::ForOp>(op)
                .and_then(|looped| looped.unsigned_cmp_attr(ir));
            let mut inits: Vec<Value> = kept.iter().map(|&index| operands[first + index]).collect();
            inits.push(most);
            let mut b = Builder::new(ir, point, loc);
            scf::ForOp::builder()
                .lower_bound(operands[0])
                .upper_bound(operands[1])
                .step(operands[2])
                .init_args(&inits)
                .unsigned_cmp(unsigned)
                .results_types(&types)
                .build(&mut b)
                .op()
        } else {
            scf::IfOp::build(&mut Builder::new(ir, point, loc), operands[0], &types).op()
        };
        for region in 0..ir.regions(op).len() {
            let target = ir.region(new, region);
            let counter = if name == "scf.for" {
                vec![ir.ctx().index()]
            } else {
                Vec::new()
            };
            let arg_types: Vec<Type> = if counter.is_empty() {
                Vec::new()
            } else {
                counter.iter().chain(&types).copied().collect()
            };
            let block = ir.add_block(target, &arg_types);
            let args = ir.block_args(block).to_vec();
            let mut inside = most;
            let Some(old) = ir.entry_block(ir.region(op, region)) else {
                scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &[most]);
                continue;
            };
            if let Some((&counter, carried)) = args.split_first() {
                let formal = ir.block_args(old).to_vec();
                self.values.map(formal[0], counter);
                for (&index, &arg) in kept.iter().zip(carried) {
                    self.values.map(formal[1 + index], arg);
                }
                inside = carried[kept.len()];
            }
            let last = self.emit(ir, InsertPoint::End(block), old, inside);
            let mut yields: Vec<Value> = kept
                .iter()
                .filter_map(|&index| yielded(ir, op, region, index))
                .map(|value| self.values.get(value))
                .collect();
            yields.push(last);
            scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &yields);
        }
        for (position, &index) in kept.iter().enumerate() {
            let (from, to) = (ir.result(op, index), ir.result(new, position));
            self.values.map(from, to);
        }
        ir.result(new, kept.len())
    }

    /// Whether a loop carries, or a branch yields, something that extents need.
    fn is_kept(&self, ir: &Ir, op: Op, index: usize) -> bool {
        let arg = ir
            .entry_block(ir.region(op, 0))
            .and_then(|block| ir.block_args(block).get(1 + index).copied());
        let arg = arg.filter(|_| ir.op_name_str(op) == "scf.for");
        self.needed.contains(&ir.result(op, index))
            || arg.is_some_and(|arg| self.needed.contains(&arg))
    }

    /// A loop per dimension of the space of a segmented op.
    fn emit_space(
        &mut self,
        ir: &mut Ir,
        (point, loc): (InsertPoint, Loc),
        sizes: &[Value],
        body: Region,
        indices: &mut Vec<Value>,
        most: Value,
    ) -> Value {
        let Some(old) = ir.entry_block(body) else {
            return most;
        };
        let Some((&size, rest)) = sizes.split_first() else {
            for (&arg, &index) in ir.block_args(old).to_vec().iter().zip(indices.iter()) {
                self.values.map(arg, index);
            }
            return self.emit(ir, point, old, most);
        };
        let index = ir.ctx().index();
        let mut b = Builder::new(ir, point, loc);
        let (zero, one) = (constant(&mut b, 0), constant(&mut b, 1));
        let upper = self.values.get(size);
        let looped = scf::ForOp::builder()
            .lower_bound(zero)
            .upper_bound(upper)
            .step(one)
            .init_args(&[most])
            .results_types(&[index])
            .build(&mut b);
        let region = looped.region(ir);
        let block = ir.add_block(region, &[index, index]);
        let args = ir.block_args(block).to_vec();
        indices.push(args[0]);
        let last = self.emit_space(
            ir,
            (InsertPoint::End(block), loc),
            rest,
            body,
            indices,
            args[1],
        );
        indices.pop();
        scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &[last]);
        ir.result(looped.op(), 0)
    }
}

/// The value a region of a loop or branch yields at a position.
fn yielded(ir: &Ir, op: Op, region: usize, index: usize) -> Option<Value> {
    ir.operands(ir.last_op(ir.entry_block(ir.region(op, region))?)?)
        .nth(index)
}
