//! The part of a point's code that extents need, as code of its own: it gives the number of elements of the largest array.
//!
//! Loops and branches carry that number beside the scalars that extents need. Where both ways of a branch count, they are
//! computed one after the other, and of what they yield the larger is taken.

use super::largest;
use super::needed::Needed;
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, InsertPoint, Ir, Loc, Op, OpView, Region, Type, Value};
use segra_kernel::extent::{resolved, sizes_of};
use segra_kernel::segop::SegmentedOp;
use segra_std::arith::index::{constant, mul};
use segra_std::tensor::DimOp;
use segra_std::{arith, scf};

/// The code while it is made.
pub(super) struct Slice {
    pub(super) needed: Needed,
    pub(super) values: Mapping,
    /// Whether the code is that of a thread block, whose threads share out the points of segmented ops.
    pub(super) by_block: bool,
}

/// Where code goes, and where it comes from.
type Place = (InsertPoint, Loc);

impl Slice {
    /// Emits what is needed of a point's code at the end of a block; the number of elements of the largest array.
    pub(super) fn emit_all(
        &mut self,
        ir: &mut Ir,
        (block, loc): (Block, Loc),
        old: Block,
        indices: &[Value],
    ) -> Value {
        let args = ir.block_args(old).to_vec();
        self.map_all(&args, indices);
        let point = InsertPoint::End(block);
        let none = constant(&mut Builder::new(ir, point, loc), 0);
        self.emit(ir, point, old, none)
    }

    /// Emits what is needed of a block; the largest number of elements, at least `most`.
    pub(super) fn emit(
        &mut self,
        ir: &mut Ir,
        point: InsertPoint,
        block: Block,
        most: Value,
    ) -> Value {
        let mut most = most;
        for op in ir.ops(block).collect::<Vec<_>>() {
            let loc = ir.loc(op);
            if self.needed.irregular.contains(&op) {
                let sizes = sizes_of(ir, op);
                let mut b = Builder::new(ir, point, loc);
                let mut sizes = sizes.into_iter().map(|size| self.values.get(size));
                let first = sizes.next().unwrap_or(most);
                let count = sizes.fold(first, |count, size| mul(&mut b, count, size));
                most = arith::MaxSIOp::build(&mut b, most, count).result(b.ir);
            } else if self.needed.around.contains(&op) {
                most = self.emit_around(ir, (point, loc), op, most);
            } else if ir
                .results(op)
                .any(|result| self.needed.values.contains(&result))
            {
                self.emit_plain(ir, (point, loc), op);
            }
        }
        most
    }

    fn emit_plain(&mut self, ir: &mut Ir, (point, loc): Place, op: Op) {
        let result = ir.result(op, 0);
        let origin = resolved(ir, result);
        let mut b = Builder::new(ir, point, loc);
        if b.ir.isa::<DimOp>(op) && origin != result {
            self.values.map(result, self.values.get(origin));
        } else if let Some(operand) = self.needed.stands_for(b.ir, op) {
            self.values.map(result, self.values.get(operand));
        } else if let Some(select) = b.ir.cast::<arith::SelectOp>(op)
            && self.needed.takes_both(b.ir, op)
        {
            let ways = [select.true_value(b.ir), select.false_value(b.ir)];
            let [x, y] = ways.map(|way| self.values.get(way));
            let larger = arith::MaxSIOp::build(&mut b, x, y).result(b.ir);
            self.values.map(result, larger);
        } else {
            b.clone_op(op, &mut self.values);
        }
    }

    fn emit_around(&mut self, ir: &mut Ir, place: Place, op: Op, most: Value) -> Value {
        if let Some(model) = ir.interface::<dyn SegmentedOp>(op) {
            let (sizes, body) = (model.sizes(ir, op), model.body(ir, op));
            if self.by_block {
                return self.emit_shared(ir, place, &sizes, body, most);
            }
            return self.emit_space(ir, place, &sizes, body, &mut Vec::new(), most);
        }
        if let Some(rounds) = self.needed.rounds(ir, op) {
            return self.emit_rounds(ir, place, op, (rounds, most));
        }
        if let Some(looped) = ir.cast::<scf::WhileOp>(op) {
            return self.emit_while(ir, place, looped, most);
        }
        match ir.cast::<scf::ForOp>(op) {
            Some(looped) => self.emit_for(ir, place, looped, most),
            None if self.needed.takes_both(ir, op) => self.emit_both(ir, place, op, most),
            None => self.emit_if(ir, place, op, most),
        }
    }

    fn emit_for(
        &mut self,
        ir: &mut Ir,
        (point, loc): Place,
        looped: scf::ForOp,
        most: Value,
    ) -> Value {
        let op = looped.op();
        let args = looped.iter_args(ir).to_vec();
        let kept = self.kept(ir, &[&args, &ir.results(op).collect::<Vec<_>>()]);
        let unsigned = looped.unsigned_cmp_attr(ir);
        let operands: Vec<Value> = ir
            .operands(op)
            .map(|value| self.values.get(value))
            .collect();
        let mut inits: Vec<Value> = kept.iter().map(|&index| operands[3 + index]).collect();
        inits.push(most);
        let types = self.types(ir, &inits);
        let mut b = Builder::new(ir, point, loc);
        let new = scf::ForOp::builder()
            .lower_bound(operands[0])
            .upper_bound(operands[1])
            .step(operands[2])
            .init_args(&inits)
            .unsigned_cmp(unsigned)
            .results_types(&types)
            .build(&mut b)
            .op();
        let counter = looped.induction_var(ir);
        let mut all = vec![ir.value_type(counter)];
        all.extend(&types);
        let block = add_block(ir, new, 0, &all);
        let params = ir.block_args(block).to_vec();
        self.values.map(counter, params[0]);
        let carried: Vec<Value> = kept.iter().map(|&index| args[index]).collect();
        self.map_all(&carried, &params[1..]);
        let old = looped.region_block(ir);
        let yields = self.emit_end(ir, block, old, 0, (&kept, params[params.len() - 1]));
        scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &yields);
        self.results(ir, op, new, &kept)
    }

    fn emit_if(&mut self, ir: &mut Ir, (point, loc): Place, op: Op, most: Value) -> Value {
        let kept = self.kept(ir, &[&ir.results(op).collect::<Vec<_>>()]);
        let mut types: Vec<Type> = kept
            .iter()
            .map(|&index| ir.value_type(ir.result(op, index)))
            .collect();
        types.push(ir.ctx().index());
        let condition = self.values.get(ir.operand(op, 0));
        let new = scf::IfOp::build(&mut Builder::new(ir, point, loc), condition, &types).op();
        for region in 0..ir.regions(op).len() {
            let block = add_block(ir, new, region, &[]);
            let yields = match ir.entry_block(ir.region(op, region)) {
                Some(old) => self.emit_end(ir, block, old, 0, (&kept, most)),
                None => vec![most],
            };
            scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &yields);
        }
        self.results(ir, op, new, &kept)
    }

    /// Both ways of a branch, one after the other.
    fn emit_both(&mut self, ir: &mut Ir, (point, loc): Place, op: Op, most: Value) -> Value {
        let results: Vec<Value> = ir.results(op).collect();
        let kept = self.kept(ir, &[&results]);
        let mut most = most;
        let mut larger: Option<Vec<Value>> = None;
        for region in ir.regions(op).to_vec() {
            let Some(old) = ir.entry_block(region) else {
                continue;
            };
            most = self.emit(ir, point, old, most);
            let yields = self.yields(ir, old, 0, &kept);
            larger = Some(match larger {
                None => yields,
                Some(others) => {
                    let mut b = Builder::new(ir, point, loc);
                    let both = others.into_iter().zip(yields);
                    both.map(|(x, y)| arith::MaxSIOp::build(&mut b, x, y).result(b.ir))
                        .collect()
                }
            });
        }
        let old: Vec<Value> = kept.iter().map(|&index| results[index]).collect();
        self.map_all(&old, &larger.unwrap_or_default());
        most
    }

    /// So many rounds of a loop of which nobody knows how often it runs; each begins with the largest numbers so far.
    fn emit_rounds(
        &mut self,
        ir: &mut Ir,
        (point, loc): Place,
        op: Op,
        (rounds, most): (usize, Value),
    ) -> Value {
        let results: Vec<Value> = ir.results(op).collect();
        let operands: Vec<Value> = ir.operands(op).collect();
        let looped = ir.cast::<scf::WhileOp>(op);
        let second = looped.map(|looped| looped.after_block(ir));
        let (first, begins, inits) = match (looped, ir.cast::<scf::ForOp>(op)) {
            (Some(looped), _) => {
                let block = looped.before_block(ir);
                (block, ir.block_args(block).to_vec(), &operands[..])
            }
            (_, Some(looped)) => {
                let args = looped.iter_args(ir).to_vec();
                (looped.region_block(ir), args, &operands[3..])
            }
            _ => return most,
        };
        // A loop with two regions ends with what the first one hands to the second.
        let (kept, passed) = match second {
            Some(second) => {
                let args = ir.block_args(second).to_vec();
                (self.kept(ir, &[&begins]), self.kept(ir, &[&args, &results]))
            }
            None => (self.kept(ir, &[&begins, &results]), Vec::new()),
        };
        let mut b = Builder::new(ir, point, loc);
        let [zero, one, upper] = [0, 1, rounds as i64].map(|number| constant(&mut b, number));
        let mut starts = Vec::new();
        for &index in &kept {
            let init = self.values.get(inits[index]);
            let zero = zero_of(&mut b, init);
            starts.push(arith::MaxSIOp::build(&mut b, init, zero).result(b.ir));
        }
        starts.extend(passed.iter().map(|&index| zero_of(&mut b, results[index])));
        starts.push(most);
        let types = self.types(b.ir, &starts);
        let new = scf::ForOp::builder()
            .lower_bound(zero)
            .upper_bound(upper)
            .step(one)
            .init_args(&starts)
            .results_types(&types)
            .build(&mut b)
            .op();
        let mut all = vec![ir.ctx().index()];
        all.extend(&types);
        let block = add_block(ir, new, 0, &all);
        let params = ir.block_args(block)[1..].to_vec();
        let carried: Vec<Value> = kept.iter().map(|&index| begins[index]).collect();
        self.map_all(&carried, &params);
        let point = InsertPoint::End(block);
        let mut most = self.emit(ir, point, first, params[params.len() - 1]);
        let mut next = self.yields(ir, first, 0, if second.is_some() { &[] } else { &kept });
        let mut ends = Vec::new();
        if let Some(second) = second {
            ends = self.yields(ir, first, 1, &passed);
            let args = ir.block_args(second).to_vec();
            let entered: Vec<Value> = passed.iter().map(|&index| args[index]).collect();
            self.map_all(&entered, &ends);
            most = self.emit(ir, point, second, most);
            next = self.yields(ir, second, 0, &kept);
        }
        let mut b = Builder::at_end(ir, block, loc);
        let mut yields: Vec<Value> = params
            .iter()
            .zip(next)
            .map(|(&so_far, next)| arith::MaxSIOp::build(&mut b, so_far, next).result(b.ir))
            .collect();
        yields.extend(ends);
        yields.push(most);
        scf::YieldOp::build(&mut b, &yields);
        let left = if second.is_some() { &passed } else { &kept };
        let from = yields.len() - 1 - left.len();
        for (position, &index) in left.iter().enumerate() {
            self.values
                .map(results[index], ir.result(new, from + position));
        }
        ir.result(new, yields.len() - 1)
    }

    fn emit_while(
        &mut self,
        ir: &mut Ir,
        (point, loc): Place,
        looped: scf::WhileOp,
        most: Value,
    ) -> Value {
        let op = looped.op();
        let (before, after) = (looped.before_block(ir), looped.after_block(ir));
        let (first, second) = (
            ir.block_args(before).to_vec(),
            ir.block_args(after).to_vec(),
        );
        let entered = self.kept(ir, &[&first]);
        let passed = self.kept(ir, &[&second, &ir.results(op).collect::<Vec<_>>()]);
        let mut inits: Vec<Value> = entered
            .iter()
            .map(|&index| self.values.get(ir.operand(op, index)))
            .collect();
        inits.push(most);
        let entry_types = self.types(ir, &inits);
        let mut types: Vec<Type> = passed
            .iter()
            .map(|&index| ir.value_type(second[index]))
            .collect();
        types.push(ir.ctx().index());
        let mut b = Builder::new(ir, point, loc);
        let new = scf::WhileOp::builder()
            .inits(&inits)
            .results_types(&types)
            .build(&mut b)
            .op();
        let block = add_block(ir, new, 0, &entry_types);
        let params = ir.block_args(block).to_vec();
        let carried: Vec<Value> = entered.iter().map(|&index| first[index]).collect();
        self.map_all(&carried, &params);
        let ends = self.emit_end(ir, block, before, 1, (&passed, params[params.len() - 1]));
        let condition = ir
            .last_op(before)
            .map(|last| self.values.get(ir.operand(last, 0)));
        if let Some(condition) = condition {
            scf::ConditionOp::build(&mut Builder::at_end(ir, block, loc), condition, &ends);
        }
        let block = add_block(ir, new, 1, &types);
        let params = ir.block_args(block).to_vec();
        let carried: Vec<Value> = passed.iter().map(|&index| second[index]).collect();
        self.map_all(&carried, &params);
        let yields = self.emit_end(ir, block, after, 0, (&entered, params[params.len() - 1]));
        scf::YieldOp::build(&mut Builder::at_end(ir, block, loc), &yields);
        self.results(ir, op, new, &passed)
    }

    /// Emits what is needed of a block at the end of a new one; what its last op forwards of it from `start` on at the
    /// positions `kept`, and the largest number of elements.
    fn emit_end(
        &mut self,
        ir: &mut Ir,
        block: Block,
        old: Block,
        start: usize,
        (kept, most): (&[usize], Value),
    ) -> Vec<Value> {
        let most = self.emit(ir, InsertPoint::End(block), old, most);
        let mut yields = self.yields(ir, old, start, kept);
        yields.push(most);
        yields
    }

    fn yields(&self, ir: &Ir, block: Block, start: usize, kept: &[usize]) -> Vec<Value> {
        let operands: Vec<Value> = ir
            .last_op(block)
            .map(|last| ir.operands(last).skip(start).collect())
            .unwrap_or_default();
        kept.iter()
            .map(|&index| self.values.get(operands[index]))
            .collect()
    }

    /// The positions at which one of the lists has something that extents need.
    fn kept(&self, ir: &Ir, lists: &[&[Value]]) -> Vec<usize> {
        let needed = |value: Value| self.needed.is_needed_number(ir, value);
        let count = lists.first().map_or(0, |list| list.len());
        (0..count)
            .filter(|&index| lists.iter().any(|list| needed(list[index])))
            .collect()
    }

    fn types(&self, ir: &Ir, values: &[Value]) -> Vec<Type> {
        values.iter().map(|&value| ir.value_type(value)).collect()
    }

    fn map_all(&mut self, old: &[Value], new: &[Value]) {
        for (&old, &new) in old.iter().zip(new) {
            self.values.map(old, new);
        }
    }

    /// Results of a new op stand for the old one's; the last is the largest number of elements.
    fn results(&mut self, ir: &Ir, old: Op, new: Op, kept: &[usize]) -> Value {
        for (position, &index) in kept.iter().enumerate() {
            self.values
                .map(ir.result(old, index), ir.result(new, position));
        }
        ir.result(new, kept.len())
    }

    /// A reduction over the space of a segmented op, by the threads of the block.
    fn emit_shared(
        &mut self,
        ir: &mut Ir,
        (point, loc): Place,
        sizes: &[Value],
        body: Region,
        most: Value,
    ) -> Value {
        let Some(old) = ir.entry_block(body) else {
            return most;
        };
        let sizes: Vec<Value> = sizes.iter().map(|&size| self.values.get(size)).collect();
        self.by_block = false;
        let found = largest(ir, (point, loc), &sizes, |ir, block, indices| {
            self.emit_all(ir, (block, loc), old, indices)
        });
        self.by_block = true;
        let found = found.results(ir)[0];
        let mut b = Builder::new(ir, point, loc);
        arith::MaxSIOp::build(&mut b, most, found).result(b.ir)
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

/// 0 of a number's type.
fn zero_of(b: &mut Builder<'_>, number: Value) -> Value {
    let ty = b.ir.value_type(number);
    arith::ConstantOp::int(b, 0, ty)
}

fn add_block(ir: &mut Ir, op: Op, region: usize, types: &[Type]) -> Block {
    let region = ir.region(op, region);
    ir.add_block(region, types)
}
