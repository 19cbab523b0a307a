//! Sums of products by warpgroups: `kernel.contract` with `warpgroups`.
//!
//! ```text
//! warpgroup g = warp / 4 of the block's:  64 rows from row 64 g on, all columns
//! gpu.barrier, or gpu.mbarrier_wait
//! %d = gpu.warpgroup_mma %as[rows of g], %bs[0] add %c, a step for each 16 of the depth
//! nvgpu.device_async_copy ..                                   for later steps of the loop
//! %e = gpu.warpgroup_wait %d
//! ```
//! Where both arrays are slots of rings ([`super::ring`]), copies that come before the product go to other slots: so it begins at
//! the barrier, and threads issue the copies beside it.
//!
//! Both arrays are in lines of 128 bytes ([`crate::state::Lines`]), 64 numbers of one row of each: numbers of `a` along the
//! depth, those of `b` along the columns, or along the depth where it is transposed. The 8 by 4 threads of a warp have 16 rows,
//! two each that are 8 apart, and pairs of columns that are 8 apart, as the instruction gives them.
//!
//! Legality: threads hold the sums; both arrays are segmaps' results in shared memory, in lines.

use crate::kernel::Kernel;
use crate::launch::{constant, mul};
use crate::state::{Array, Memory};
use segra_gpu::bulk::MbarrierWaitOp;
use segra_gpu::device::BarrierOp;
use segra_gpu::warpgroup::{DEPTH, GROUP, LINE, ROWS, THREADS, WarpgroupMmaOp, WarpgroupWaitOp};
use segra_ir::{InsertPoint, Op, OpView, Value};
use segra_kernel::contract::{ContractOp, LANES, PAIR};
use segra_space::Target;
use segra_std::arith;

/// Warps of a warpgroup.
const WARPS: i64 = THREADS / Target::CUDA.warp;

impl Kernel<'_> {
    /// Emits the products of a thread's points, which are those of its warpgroup.
    pub(super) fn contract_together(&mut self, point: InsertPoint, contract: ContractOp) {
        let op = contract.op();
        let Some(warp) = self.block.as_ref().map(|block| block.warp) else {
            return self.refuse(op, "needs a thread block");
        };
        let first = contract.first(self.ir);
        let (Some(begin), [Some((a, lines_a)), Some((b, lines_b))]) = (
            self.ir.constant_int(first),
            [contract.a(self.ir), contract.b(self.ir)].map(|array| self.in_lines(contract, array)),
        ) else {
            return self.refuse(
                op,
                "needs arrays in shared memory, in lines of 128 bytes, and to begin at a constant",
            );
        };
        let [_, transposed] = contract.transposed(self.ir);
        let steps = (0..contract.depth(self.ir) / DEPTH).map(|step| begin + step * DEPTH);
        let along = |depth: i64, apart: i64| depth / LINE * apart + depth % LINE;
        let starts_a: Vec<i64> = steps.clone().map(|depth| along(depth, lines_a)).collect();
        let starts_b: Vec<i64> = steps
            .map(|depth| match transposed {
                true => along(depth, lines_b),
                false => depth * LINE,
            })
            .collect();
        let columns = contract.points(self.ir).counts[1] as usize;
        // The thread's numbers of an instruction: pairs of columns, of both rows.
        let order: Vec<usize> = (0..columns)
            .step_by(PAIR as usize)
            .flat_map(|pair| [pair, pair + 1, columns + pair, columns + pair + 1])
            .collect();
        let old = contract.sums(self.ir);
        let old = order.iter().map(|&number| self.inside(old[number]));
        let old: Vec<Value> = old.collect();
        let (Some(memory_a), Some(memory_b)) = (a.memory.buffer(), b.memory.buffer()) else {
            return;
        };
        let mut needed = old.clone();
        needed.push(warp);
        needed.extend([a.offset, b.offset].into_iter().flatten());
        let start = self.earliest(point, contract, &needed);
        let mut builder = self.at(start);
        let warps = constant(&mut builder, WARPS);
        let group = arith::DivUIOp::build(&mut builder, warp, warps).result(builder.ir);
        let rows = constant(&mut builder, ROWS * LINE);
        let rows = mul(&mut builder, group, rows);
        let zero = constant(&mut builder, 0);
        let first_a = self.position(start, &a, rows);
        let first_b = self.position(start, &b, zero);
        let ctx = self.ir.context();
        let apart_b = [if transposed { 0 } else { lines_b }, GROUP * LINE];
        let mut b = self.at(start);
        let made = WarpgroupMmaOp::builder()
            .a(memory_a)
            .first_a(first_a)
            .b(memory_b)
            .first_b(first_b)
            .sums(&old)
            .columns(ctx.i64_attr(columns as i64 * LANES[1]))
            .starts_a(ctx.dense_i64_attr(&starts_a))
            .starts_b(ctx.dense_i64_attr(&starts_b))
            .apart_a(ctx.i64_attr(GROUP * LINE))
            .apart_b(ctx.dense_i64_attr(&apart_b))
            .across_b((!transposed).then(|| ctx.unit()))
            .build(&mut b);
        let begun = made.results(b.ir);
        let mut b = self.at(point);
        let made = WarpgroupWaitOp::build(&mut b, &begun);
        let (made, new) = (made.results(b.ir), contract.results(self.ir));
        for (made, number) in made.into_iter().zip(order) {
            self.values.map(new[number], made);
        }
    }

    /// Where products may begin that are needed at a point: behind the barrier before it, if what they need is known there and
    /// what is written in between lies elsewhere.
    fn earliest(&self, end: InsertPoint, contract: ContractOp, needed: &[Value]) -> InsertPoint {
        let ir = &*self.ir;
        let in_rings = [contract.a(ir), contract.b(ir)]
            .iter()
            .all(|&array| self.is_in_ring(array));
        let (block, mut before) = match end {
            InsertPoint::End(block) => (Some(block), ir.last_op(block)),
            InsertPoint::Before(op) => (ir.block_of(op), ir.prev_op(op)),
        };
        let orders = |op: Op| ir.isa::<BarrierOp>(op) || ir.isa::<MbarrierWaitOp>(op);
        while let Some(op) = before.filter(|&op| !orders(op)) {
            before = ir.prev_op(op);
        }
        let (Some(barrier), Some(block), true) = (before, block, in_rings) else {
            return end;
        };
        let known = |value: &Value| match ir.defining_op(*value) {
            Some(op) if ir.block_of(op) == Some(block) => ir.is_before(op, barrier),
            _ => true,
        };
        match ir.next_op(barrier) {
            Some(next) if needed.iter().all(known) => InsertPoint::Before(next),
            _ => end,
        }
    }

    /// An operand in lines, and how far those of a row are apart.
    fn in_lines(&mut self, contract: ContractOp, value: Value) -> Option<(Array, i64)> {
        let array = self.array(value, contract.op());
        let lines = array.pitch?.lines?;
        let fits = matches!(array.memory, Memory::Shared(_)) && array.stride.is_none();
        self.now_reads(&array);
        fits.then_some((array, lines.apart))
    }
}
