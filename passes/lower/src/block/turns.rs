//! Loops whose copies ahead are of 16 bytes in all steps, or of single elements in all steps: which, is known before the loop.
//!
//! ```text
//! for %t = 0 to %n { wait; barrier; if more { copy(%t + 1) }; use(%t); commit }
//!   ==>
//! %steps = %together ? %n : 1
//! for %t0 = 0 to %n step %steps {
//!   if not %together { barrier; if more { copy(%t0 + 1), element by element } }
//!   for %t = %t0 to min(%t0 + %steps, %n) {
//!     wait; barrier; if more and %together { copy(%t + 1), 16 bytes at a time }; use(%t); commit } }
//! ```
//! The inner loop, in which nearly all time goes, then has neither tests of places nor copies of single elements, and there
//! is no second copy of what is done with a tile. Where elements go one by one, the inner loop is left after each step,
//! which costs a barrier.
//!
//! Legality: copies of one value each that can go 16 bytes at a time ([`super::ahead`]), in rows of arrays whose extent is a
//! multiple of 16 bytes, all of which start so: their last index is the same for all threads but for the place in the row, and
//! grows by a constant from step to step, a multiple of 16 bytes; over the row, from the first step on, it grows by ones.
//! All that copies need of the loop's body is pure, and depends on nothing that the loop carries. Other loops are left as they are.

use crate::kernel::Kernel;
use crate::launch::{add, compare, constant};
use crate::state::{Array, Copies};
use rustc_hash::FxHashMap;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::is_pure;
use segra_ir::stack::deep;
use segra_ir::{Block, InsertPoint, Ir, Op, OpView, Value};
use segra_kernel::segop::SegMapOp;
use segra_pass::analysis::operator::Slice;
use segra_std::arith::{self, CmpIPredicate};
use segra_std::scf;

use super::ring::Turning;

/// The loop around the one that is emitted.
pub(crate) struct Around {
    looped: Op,
    /// Where the inner loop goes.
    pub(crate) inside: InsertPoint,
    /// The inner loop's bounds, and what it starts with.
    pub(crate) operands: Vec<Value>,
}

impl Kernel<'_> {
    /// How copies to slots are made here.
    pub(super) fn how_to_copy(&self) -> Copies {
        let block = self.block.as_ref();
        block.map_or(Copies::Tested, |block| block.rings.copies)
    }

    /// The outer loop of a loop with rings, where it is two; `args` are the arrays that stand for the loop's arguments.
    pub(crate) fn around_turns(
        &mut self,
        point: InsertPoint,
        looped: scf::ForOp,
        turning: &Turning,
        args: &[Option<Array>],
    ) -> Option<Around> {
        let op = looped.op();
        let body = self.ir.entry_block(looped.region(self.ir))?;
        let copying = self.copying(op, body)?;
        let together = self.copied_together(point, looped, &copying)?;
        let outer = self.shell(point, op);
        let mut operands: Vec<Value> = self.ir.operands(outer).collect();
        let mut b = self.at(InsertPoint::Before(outer));
        let (one, upper) = (constant(&mut b, 1), operands[1]);
        let all = arith::MaxSIOp::build(&mut b, upper, one).result(b.ir);
        let steps = arith::SelectOp::build(&mut b, together, all, one).result(b.ir);
        operands[2] = steps;
        self.ir.set_operands(outer, &operands);
        let inside = self.block_of(op, outer, 0, args);
        let InsertPoint::End(block) = inside else {
            return None;
        };
        let carried = self.ir.block_args(block).to_vec();
        self.turn_to(inside, turning, carried[0]);
        let singly = arith::XOrIOp::not(&mut self.at(inside), together);
        self.when(inside, Some(singly), |kernel, point| {
            kernel.barrier(point);
            kernel.copy_as(Copies::Single);
            kernel.emit_slice(point, body, copying, &[]);
        });
        self.copy_as(Copies::Together(together));
        let mut b = self.at(inside);
        let next = add(&mut b, carried[0], steps);
        let end = arith::MinSIOp::build(&mut b, next, upper).result(b.ir);
        let mut operands = vec![carried[0], end, one];
        operands.extend(&carried[1..]);
        Some(Around {
            looped: outer,
            inside,
            operands,
        })
    }

    /// After the inner loop: the outer one.
    pub(crate) fn end_around(&mut self, around: &Around, inner: Op) -> Op {
        self.copy_as(Copies::Tested);
        let results: Vec<Value> = self.ir.results(inner).collect();
        scf::YieldOp::build(&mut self.at(around.inside), &results);
        around.looped
    }

    fn copy_as(&mut self, copies: Copies) {
        if let Some(rings) = self.rings() {
            rings.copies = copies;
        }
    }

    /// The ops of a loop's body that copy for later steps, with what they need of it; none where that may not be run twice.
    fn copying(&self, looped: Op, body: Block) -> Option<Slice> {
        let ir = &*self.ir;
        let rings = &self.block.as_ref()?.rings;
        let copies = |op: &Op| {
            let mut results = ir.results(*op);
            results.any(|result| rings.places.contains_key(&result))
        };
        let copying: Vec<Op> = ir.ops(body).filter(copies).collect();
        let needed: Vec<Value> = copying.iter().flat_map(|&op| ir.free_values(op)).collect();
        let mut slice = Slice::of(ir, body, &needed);
        let pure = |&op: &Op| is_pure(ir, op) && ir.regions(op).is_empty();
        let fits = slice.args.iter().all(|&arg| arg == 0) && slice.ops.iter().all(pure);
        let turns = rings.loops.get(&looped);
        let whole = turns.is_some_and(|turns| turns.boxes.is_none()) && !copying.is_empty();
        slice.args.clear();
        slice.ops.extend(copying);
        (fits && whole).then_some(slice)
    }

    /// Whether all copies can go several elements at a time in all steps: a condition that is the same for all threads of the
    /// block. None where that is not known before the loop.
    fn copied_together(
        &mut self,
        point: InsertPoint,
        looped: scf::ForOp,
        copying: &Slice,
    ) -> Option<Value> {
        let mut segmaps = Vec::new();
        for &op in &copying.ops {
            let inside = self.ir.walk(op).into_iter();
            segmaps.extend(inside.filter_map(|op| self.ir.cast::<SegMapOp>(op)));
        }
        let mut all: Option<Value> = None;
        for segmap in segmaps {
            let together = self.rows_together(point, looped, segmap)?;
            all = Some(match all {
                None => together,
                Some(all) => {
                    let mut b = self.at(point);
                    arith::AndIOp::build(&mut b, all, together).result(b.ir)
                }
            });
        }
        all
    }

    /// Whether the rows that a segmap copies start at multiples of 16 bytes, and each is one piece of a row of its source.
    fn rows_together(
        &mut self,
        point: InsertPoint,
        looped: scf::ForOp,
        segmap: SegMapOp,
    ) -> Option<Value> {
        let block = segmap.body_block(self.ir);
        let &[value] = &self
            .ir
            .operands(self.ir.last_op(block)?)
            .collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let &[result] = &segmap.results(self.ir)[..] else {
            return None;
        };
        let ring = self.block.as_ref()?.rings.places.get(&result)?.ring;
        let start = constant(&mut self.at(point), 0);
        let target = self.array_at(ring, start)?;
        let plain = self.plain(value, target)?;
        let lanes = self.lanes_ahead(block, &plain)?;
        let row = self.known_extent(*plain.target.extents.last()?)?;
        let innermost = *self.ir.block_args(block).last()?;
        let last = *plain.read.indices(self.ir).last()?;
        let body = self.ir.entry_block(looped.region(self.ir))?;
        let counter = self.ir.block_args(body)[0];
        if growth(self.ir, looped.op(), [counter, innermost], last)? % lanes != 0 {
            return None;
        }
        let place = |at: i64, kernel: &mut Self| {
            let mut known = FxHashMap::default();
            let at = constant(&mut kernel.at(point), at);
            known.insert(counter, start);
            known.insert(innermost, at);
            kernel.before_loop(point, looped.op(), last, &mut known)
        };
        let (first, end) = (place(0, self)?, place(row - 1, self)?);
        let whole = {
            let mut b = self.at(point);
            let grown = arith::SubIOp::build(&mut b, end, first).result(b.ir);
            let wanted = constant(&mut b, row - 1);
            compare(&mut b, CmpIPredicate::Eq, grown, wanted)
        };
        let mut numbers = vec![first];
        if plain.source.extents.len() > 1 {
            let extent = *plain.source.extents.last()?;
            numbers.push(self.extent(extent));
        }
        let mut b = self.at(point);
        let (lanes, zero) = (constant(&mut b, lanes), constant(&mut b, 0));
        Some(numbers.into_iter().fold(whole, |all, number| {
            let rest = arith::RemUIOp::build(&mut b, number, lanes).result(b.ir);
            let aligned = compare(&mut b, CmpIPredicate::Eq, rest, zero);
            arith::AndIOp::build(&mut b, all, aligned).result(b.ir)
        }))
    }

    /// A value of a loop's body, or of a body in it, where what it depends on is `known`: [`growth`] says that it can be had.
    fn before_loop(
        &mut self,
        point: InsertPoint,
        looped: Op,
        value: Value,
        known: &mut FxHashMap<Value, Value>,
    ) -> Option<Value> {
        if let Some(&found) = known.get(&value) {
            return Some(found);
        }
        if !self.ir.is_defined_inside(value, looped) {
            return Some(self.inside(value));
        }
        let op = self.ir.defining_op(value)?;
        let mut mapping = Mapping::new();
        for operand in self.ir.operands(op).collect::<Vec<_>>() {
            let new = deep(|| self.before_loop(point, looped, operand, known))?;
            mapping.map(operand, new);
        }
        let index = self.ir.results(op).position(|result| result == value)?;
        let mut b = self.at(point);
        let copy = b.clone_op(op, &mut mapping);
        let new = self.ir.result(copy, index);
        known.insert(value, new);
        Some(new)
    }
}

/// By how much a value of a loop's body grows from step to step: none where that is no constant, or the value depends on more
/// of the loop than its counter and a place in a row, the `known` values.
fn growth(ir: &Ir, looped: Op, known: [Value; 2], value: Value) -> Option<i64> {
    if value == known[0] {
        return Some(1);
    }
    if value == known[1] || !ir.is_defined_inside(value, looped) {
        return Some(0);
    }
    let op = ir.defining_op(value)?;
    if !is_pure(ir, op) || !ir.regions(op).is_empty() {
        return None;
    }
    let operands: Vec<Value> = ir.operands(op).collect();
    let grown: Option<Vec<i64>> = operands
        .iter()
        .map(|&operand| deep(|| growth(ir, looped, known, operand)))
        .collect();
    match grown?[..] {
        [x, y] if ir.isa::<arith::AddIOp>(op) => x.checked_add(y),
        [x, y] if ir.isa::<arith::SubIOp>(op) => x.checked_sub(y),
        [x, 0] if ir.isa::<arith::MulIOp>(op) => {
            let factor = if x == 0 {
                0
            } else {
                ir.constant_int(operands[1])?
            };
            x.checked_mul(factor)
        }
        [0, y] if ir.isa::<arith::MulIOp>(op) => y.checked_mul(ir.constant_int(operands[0])?),
        ref grown => grown.iter().all(|&it| it == 0).then_some(0),
    }
}
