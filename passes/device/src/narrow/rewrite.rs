//! The indices of a kernel in 32 bits: accesses, comparisons and loops take them; what else needs an index keeps it.

use super::bounds::{Bound, Bounds, Number, Sign, Slack};
use rustc_hash::{FxHashMap, FxHashSet};
use segra_gpu::device::GpuFuncOp;
use segra_gpu::nvgpu::DeviceAsyncCopyOp;
use segra_ir::interfaces::constant_of;
use segra_ir::stack::deep;
use segra_ir::{Builder, InsertPoint, Ir, Op, OpState, OpView, TypeKind, Value, ValueDef};
use segra_std::arith::{self, Narrow, Narrowing, Overflow};
use segra_std::{memref, scf, vector};
use std::ops::Range;

/// The operands of an access to memory that are indices where they have the type of one; `None` for other ops.
fn indices(ir: &Ir, op: Op) -> Option<Range<usize>> {
    if let Some(copy) = ir.cast::<DeviceAsyncCopyOp>(op) {
        let count = usize::from(copy.src_elements(ir).is_some());
        return Some(0..ir.num_operands(op) - count);
    }
    let loads = ir.isa::<memref::LoadOp>(op)
        || ir.isa::<vector::LoadOp>(op)
        || ir.isa::<memref::GenericAtomicRmwOp>(op);
    let stores = ir.isa::<memref::StoreOp>(op)
        || ir.isa::<vector::StoreOp>(op)
        || ir.isa::<memref::AtomicRmwOp>(op);
    (loads || stores).then(|| usize::from(stores)..ir.num_operands(op))
}

/// A kernel being rewritten.
pub(super) struct Rewriter<'a> {
    ir: &'a mut Ir,
    bounds: Bounds,
    /// The launch; what it needs is computed before it.
    launch: Op,
    /// Indices in 32 bits: exact ones, and those that are right modulo 2^32.
    exact: FxHashMap<Value, Option<Value>>,
    modular: FxHashMap<Value, Value>,
    /// Those that are exact where an access by them is done.
    existing: FxHashMap<Value, Value>,
    needs: Vec<Value>,
    /// Buffers that are accessed by indices of 32 bits, in order.
    buffers: Vec<Value>,
    seen: FxHashSet<Value>,
    count: usize,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(ir: &'a mut Ir, bounds: Bounds, launch: Op) -> Rewriter<'a> {
        Rewriter {
            ir,
            bounds,
            launch,
            exact: FxHashMap::default(),
            modular: FxHashMap::default(),
            existing: FxHashMap::default(),
            needs: Vec::new(),
            buffers: Vec::new(),
            seen: FxHashSet::default(),
            count: 0,
        }
    }

    /// How much was narrowed; host values that must be within the limit; buffers that must not be larger.
    pub(super) fn finish(self) -> (usize, Vec<Value>, Vec<Value>) {
        (self.count, self.needs, self.buffers)
    }

    /// Rewrites a kernel's body.
    pub(super) fn kernel(&mut self, func: GpuFuncOp) {
        for op in self.ir.walk(func.op()) {
            if let Some(looped) = self.ir.cast::<scf::ForOp>(op) {
                self.counted_loop(looped);
            } else if self.ir.isa::<arith::CmpIOp>(op) {
                self.comparison(op);
            } else if let Some(indices) = indices(self.ir, op) {
                self.access(op, indices);
            }
        }
        self.widen_the_rest(func);
    }

    /// A use that still needs an index in 64 bits gets it from the one in 32, so that it is not computed twice.
    fn widen_the_rest(&mut self, func: GpuFuncOp) {
        for op in self.ir.walk(func.op()) {
            let Some(value) = self
                .ir
                .results(op)
                .next()
                .filter(|&value| self.is_computed(value))
            else {
                continue;
            };
            let Some(&Some(word)) = self.exact.get(&value) else {
                continue;
            };
            let (place, loc) = self.after(word);
            let index_type = self.ir.ctx().index();
            let wide =
                arith::IndexCastOp::build(&mut Builder::new(self.ir, place, loc), word, index_type);
            let wide = wide.out(self.ir);
            self.ir.replace_all_uses(value, wide);
        }
    }

    fn is_index(&self, value: Value) -> bool {
        self.ir.value_type(value).is_index(self.ir.ctx())
    }

    fn counted_loop(&mut self, looped: scf::ForOp) {
        let op = looped.op();
        let bounds = [
            looped.lower_bound(self.ir),
            looped.upper_bound(self.ir),
            looped.step(self.ir),
        ];
        if !self.is_index(bounds[0]) || looped.unsigned_cmp_attr(self.ir).is_some() {
            return;
        }
        let known: Option<Vec<Bound>> =
            bounds.iter().map(|&bound| self.bounds.get(bound)).collect();
        let Some(known) = known.filter(|known| known.iter().all(|bound| self.fits(*bound))) else {
            return;
        };
        // The counter goes beyond the upper bound by a step at most.
        let end = self.bounds.sum(known[1].most, known[2].most);
        self.need(end);
        self.replace_loop(op, bounds);
    }

    /// A number that must be within the limit.
    fn need(&mut self, number: Number) {
        let mut parts = Vec::new();
        let most = self.bounds.emit(
            &mut Builder::before(self.ir, self.launch),
            number,
            &mut parts,
        );
        self.needs.extend(parts);
        self.needs.push(most);
    }

    fn replace_loop(&mut self, op: Op, bounds: [Value; 3]) {
        let narrow: Option<Vec<Value>> = bounds.iter().map(|&bound| self.exact(bound)).collect();
        let Some(narrow) = narrow else { return };
        let Some(block) = self.ir.entry_block(self.ir.region(op, 0)) else {
            return;
        };
        let counter = self.ir.block_args(block)[0];
        let mut operands: Vec<Value> = self.ir.operands(op).collect();
        operands[..3].copy_from_slice(&narrow);
        self.ir.set_operands(op, &operands);
        let (index, word) = (self.ir.ctx().index(), self.ir.ctx().i32());
        let place = self
            .ir
            .first_op(block)
            .map_or(InsertPoint::End(block), InsertPoint::Before);
        let loc = self.ir.loc(op);
        self.ir.set_value_type(counter, word);
        let mut b = Builder::new(self.ir, place, loc);
        let cast = arith::IndexCastOp::build(&mut b, counter, index);
        let wide = cast.out(self.ir);
        self.ir.replace_all_uses(counter, wide);
        self.ir.set_operands(cast.op(), &[counter]);
        self.bounds.also(counter, wide);
        self.exact.insert(wide, Some(counter));
        self.count += 1;
    }

    fn comparison(&mut self, op: Op) {
        let operands: Vec<Value> = self.ir.operands(op).collect();
        if !operands.iter().all(|&value| self.is_index(value)) {
            return;
        }
        let bounds: Option<Vec<Bound>> = operands
            .iter()
            .map(|&value| self.bounds.get(value))
            .collect();
        if !bounds.is_some_and(|bounds| bounds.iter().all(|&bound| self.fits(bound))) {
            return;
        }
        let narrow: Option<Vec<Value>> = operands.iter().map(|&value| self.exact(value)).collect();
        if let Some(narrow) = narrow {
            self.ir.set_operands(op, &narrow);
            self.count += 1;
        }
    }

    fn access(&mut self, op: Op, indices: Range<usize>) {
        let mut operands: Vec<Value> = self.ir.operands(op).collect();
        let buffers: Vec<Value> = operands
            .iter()
            .copied()
            .filter(|&value| self.is_flat_buffer(value))
            .collect();
        if buffers.is_empty() {
            return;
        }
        // A copy of no elements is of a place that need not exist.
        let exists = !self.ir.isa::<DeviceAsyncCopyOp>(op);
        let mut narrowed = false;
        for operand in &mut operands[indices] {
            let value = *operand;
            let counts = self.exact.get(&value).is_some_and(Option::is_some);
            if !self.is_index(value) || !(self.is_computed(value) || counts) {
                continue;
            }
            let slack = self.bounds.get(value).map(|bound| bound.slack);
            let word = match slack {
                Some(Slack::Some) if exists && !counts => self.existing(value),
                _ => self.exact(value).unwrap_or_else(|| self.modular(value)),
            };
            let index_type = self.ir.ctx().index();
            // The accessed element exists, so the index is not negative.
            let mut b = Builder::before(self.ir, op);
            *operand = arith::IndexCastUIOp::build(&mut b, word, index_type).out(b.ir);
            narrowed = true;
        }
        if narrowed {
            self.ir.set_operands(op, &operands);
            self.count += 1;
            for buffer in buffers {
                if self.seen.insert(buffer) {
                    self.buffers.push(buffer);
                }
            }
        }
    }

    /// Whether a value is made by an op that there is in 32 bits.
    fn is_computed(&self, value: Value) -> bool {
        let op = self.ir.defining_op(value);
        op.is_some_and(|op| self.narrowing(op).is_some())
    }

    /// How an op can be one in 32 bits.
    fn narrowing(&self, op: Op) -> Option<Narrow> {
        let rule = self.ir.interface::<dyn Narrowing>(op)?;
        Some(rule.narrow())
    }

    /// Whether a value is a memref of one dimension.
    fn is_flat_buffer(&self, value: Value) -> bool {
        let ty = self.ir.value_type(value);
        matches!(self.ir.ctx().type_kind(ty), TypeKind::MemRef { shape, .. } if shape.len() == 1)
    }

    /// Whether a bound may be within the limit: not, where the program text says otherwise.
    fn fits(&self, bound: Bound) -> bool {
        self.bounds
            .constant(bound.most)
            .is_none_or(|most| (0..=i64::from(i32::MAX)).contains(&most))
    }

    /// Where values made of `value` can stand.
    fn after(&self, value: Value) -> (InsertPoint, segra_ir::Loc) {
        match self.ir.value_def(value) {
            ValueDef::Result { op, .. } => {
                let end = self.ir.block_of(op).map(InsertPoint::End);
                let place = self.ir.next_op(op).map(InsertPoint::Before).or(end);
                (place.unwrap_or(InsertPoint::Before(op)), self.ir.loc(op))
            }
            ValueDef::Argument { block, .. } => {
                let place = self
                    .ir
                    .first_op(block)
                    .map_or(InsertPoint::End(block), InsertPoint::Before);
                (place, segra_ir::Loc::UNKNOWN)
            }
        }
    }

    /// An index whose bound is known, in 32 bits; its bound becomes a need of the launch.
    fn exact(&mut self, value: Value) -> Option<Value> {
        if let Some(&found) = self.exact.get(&value) {
            return found;
        }
        let found = self.make_exact(value);
        self.exact.insert(value, found);
        found
    }

    fn make_exact(&mut self, value: Value) -> Option<Value> {
        let bound = self.bounds.get(value).filter(|bound| self.fits(*bound))?;
        let op = self.ir.defining_op(value);
        if let Some(constant) = self.ir.constant_int(value) {
            return Some(self.word(value, constant));
        }
        let narrowing = op.and_then(|op| self.narrowing(op));
        let modular = narrowing == Some(Narrow::Modular);
        let narrow = match op {
            Some(op) if narrowing.is_some() => {
                let mut operands = Vec::new();
                for operand in self.ir.operands(op).collect::<Vec<_>>() {
                    operands.push(if self.is_index(operand) {
                        deep(|| self.exact(operand))?
                    } else {
                        operand
                    });
                }
                let narrow = self.same_op(value, op, &operands);
                if modular {
                    let signs: Option<Vec<Sign>> = self
                        .ir
                        .operands(op)
                        .map(|operand| self.bounds.get(operand).map(|bound| bound.sign))
                        .collect();
                    let positive = bound.sign == Sign::NotNegative
                        && signs.is_some_and(|signs| {
                            signs.iter().all(|&sign| sign == Sign::NotNegative)
                        });
                    let flags = if positive {
                        Overflow::NSW.union(Overflow::NUW)
                    } else {
                        Overflow::NSW
                    };
                    self.flag(narrow, flags);
                }
                narrow
            }
            _ => self.truncated(value),
        };
        self.need(bound.most);
        Some(narrow)
    }

    /// The low 32 bits of an index.
    fn modular(&mut self, value: Value) -> Value {
        if let Some(Some(exact)) = self.exact.get(&value) {
            return *exact;
        }
        if let Some(&found) = self.modular.get(&value) {
            return found;
        }
        let op = self.ir.defining_op(value);
        let narrow = match op {
            _ if constant_of(self.ir, value).is_some() => {
                let constant = self.ir.constant_int(value);
                self.word(value, constant.unwrap_or(0))
            }
            Some(op) if self.narrowing(op) == Some(Narrow::Modular) => {
                let operands: Vec<Value> = self.ir.operands(op).collect();
                let operands: Vec<Value> = operands
                    .into_iter()
                    .map(|operand| deep(|| self.modular(operand)))
                    .collect();
                self.same_op(value, op, &operands)
            }
            Some(op) if self.narrowing(op).is_some() => {
                self.exact(value).unwrap_or_else(|| self.truncated(value))
            }
            _ => self.truncated(value),
        };
        self.modular.insert(value, narrow);
        narrow
    }

    /// The index of an element that exists, whose bound says less than that: within the limit, as the buffer is.
    ///
    /// So is each part of a sum of parts that are not negative. A product is, or one of its factors is 0 and the other one any
    /// number, which is right modulo 2^32 then.
    fn existing(&mut self, value: Value) -> Value {
        if let Some(&found) = self.existing.get(&value) {
            return found;
        }
        let positive = |value: Value| {
            let bound = self.bounds.get(value);
            bound.is_some_and(|bound| bound.sign == Sign::NotNegative)
        };
        let op = self.ir.defining_op(value);
        let op = op.filter(|&op| {
            (self.ir.isa::<arith::AddIOp>(op) || self.ir.isa::<arith::MulIOp>(op))
                && self.ir.operands(op).all(positive)
        });
        let Some(op) = op else {
            return self.modular(value);
        };
        let sum = self.ir.isa::<arith::AddIOp>(op);
        let operands: Vec<Value> = self.ir.operands(op).collect();
        let operands: Vec<Value> = operands
            .into_iter()
            .map(
                |operand| match self.bounds.get(operand).map(|bound| bound.slack) {
                    Some(Slack::Some) if sum => deep(|| self.existing(operand)),
                    Some(Slack::Some) => self.modular(operand),
                    _ => self.exact(operand).unwrap_or_else(|| self.modular(operand)),
                },
            )
            .collect();
        let narrow = self.same_op(value, op, &operands);
        self.flag(narrow, Overflow::NSW.union(Overflow::NUW));
        self.existing.insert(value, narrow);
        narrow
    }

    /// States that an op does not overflow.
    fn flag(&mut self, value: Value, flags: Overflow) {
        let attr = flags.attr(self.ir.ctx());
        if let Some(op) = self.ir.defining_op(value) {
            self.ir.set_attr_named(op, "overflowFlags", Some(attr));
        }
    }

    /// The same op on other operands, right after it.
    fn same_op(&mut self, value: Value, op: Op, operands: &[Value]) -> Value {
        let (place, loc) = self.after(value);
        let mut state = OpState::new(self.ir.op_name(op), loc);
        state.operands.extend_from_slice(operands);
        state.result_types.push(self.ir.ctx().i32());
        let copy = Builder::new(self.ir, place, loc).insert(state);
        self.ir.result(copy, 0)
    }

    fn word(&mut self, value: Value, constant: i64) -> Value {
        let (place, loc) = self.after(value);
        let ctx = self.ir.context();
        let attr = ctx.int_attr(i128::from(constant as i32), ctx.i32());
        let mut b = Builder::new(self.ir, place, loc);
        arith::ConstantOp::build(&mut b, attr).result(b.ir)
    }

    fn truncated(&mut self, value: Value) -> Value {
        // An index that was 32 bits before is that.
        if let Some(op) = self.ir.defining_op(value)
            && self.ir.isa::<arith::IndexCastOp>(op)
            && let Some(from) = self.ir.operands(op).next()
            && self.ir.value_type(from) == self.ir.ctx().i32()
        {
            return from;
        }
        let (place, loc) = self.after(value);
        let word = self.ir.ctx().i32();
        let mut b = Builder::new(self.ir, place, loc);
        arith::IndexCastOp::build(&mut b, value, word).out(b.ir)
    }
}
