//! The result of a point from arrays with an element per thread: the tile of the point, or, where only `kernel.untile` uses
//! it, the part of the whole array that the tile is, written where it belongs.

use super::own::Held;
use crate::access::{element_type, linear_index, shaped, store};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{add, compare, constant, mul};
use crate::state::{Extent, Output, OwnArrays, Untiled};
use rustc_hash::FxHashMap;
use segra_ir::{InsertPoint, Op, OpView, Value};
use segra_kernel::segop::SegMapOp;
use segra_kernel::tile::UntileOp;
use segra_std::arith::{self, CmpIPredicate};

impl Lowering<'_> {
    /// The results of a segmap, by number, whose tiles go to their places in the whole array at once.
    pub(super) fn untiled(&self, segmap: SegMapOp, own: &OwnArrays) -> FxHashMap<usize, Untiled> {
        let ir = &*self.ir;
        let sizes = segmap.sizes(ir);
        let terminator = ir.last_op(segmap.body_block(ir));
        let returned: Vec<Value> = terminator
            .map(|op| ir.operands(op).collect())
            .unwrap_or_default();
        let mut found = FxHashMap::default();
        for (index, (result, value)) in ir.results(segmap.op()).zip(returned).enumerate() {
            let user = ir.users(result).next().filter(|_| ir.has_one_use(result));
            let Some(untile) = user.and_then(|user| ir.cast::<UntileOp>(user)) else {
                continue;
            };
            let tiled = untile.sizes(ir);
            let fits = own.held(ir, value).is_some()
                && tiled.len() == own.extents.len()
                && untile.outer(ir) + tiled.len() == sizes.len()
                && ir.block_of(untile.op()) == ir.block_of(segmap.op())
                && tiled
                    .iter()
                    .all(|&size| self.is_known_before(size, segmap.op()));
            if fits {
                let mut all = sizes[..untile.outer(ir)].to_vec();
                all.extend(tiled);
                found.insert(
                    index,
                    Untiled {
                        op: untile.op(),
                        sizes: all,
                    },
                );
            }
        }
        found
    }

    /// Whether a value that a later op of the same block uses is there before `op`.
    fn is_known_before(&self, value: Value, op: Op) -> bool {
        match self.ir.defining_op(value) {
            Some(made) if self.ir.block_of(made) == self.ir.block_of(op) => {
                self.ir.is_before(made, op)
            }
            _ => true,
        }
    }

    /// The op that puts tiles together is the buffer they were written to.
    pub(super) fn bind_untiled(&mut self, untiled: &Untiled, buffer: Value) {
        let ty = self.ir.value_type(self.ir.result(untiled.op, 0));
        let mut b = self.builder(untiled.op);
        let whole = shaped(&mut b, buffer, &untiled.sizes, ty);
        self.ir.replace_op(untiled.op, &[whole]);
        self.done.insert(untiled.op);
    }

    /// Tiles put together by a segmap of their own, yet to be lowered: nothing is known of who made them.
    pub(crate) fn untile(&mut self, untile: UntileOp) {
        use segra_kernel::access::ReadOp;
        use segra_kernel::level::Level;
        use segra_kernel::segop::ReturnOp;
        let op = untile.op();
        let ctx = self.ctx.clone();
        let (tiles, tiled, outer) = (
            untile.tensor(self.ir),
            untile.sizes(self.ir),
            untile.outer(self.ir),
        );
        let ty = self.ir.value_type(untile.result(self.ir));
        let loc = self.ir.loc(op);
        let mut b = self.builder(op);
        let mut sizes: Vec<Value> = (0..outer)
            .map(|dim| crate::access::extent_of(&mut b, tiles, dim))
            .collect();
        sizes.extend(&tiled);
        let extents: Vec<Value> = (0..tiled.len())
            .map(|dim| crate::access::extent_of(&mut b, tiles, outer + tiled.len() + dim))
            .collect();
        let level = Level::Thread.attr(&ctx);
        let segmap = SegMapOp::builder()
            .level(level)
            .sizes(&sizes)
            .results_types(&[ty])
            .build(&mut b);
        let region = segmap.body(self.ir);
        let block = self.ir.add_block(region, &vec![ctx.index(); sizes.len()]);
        let args = self.ir.block_args(block).to_vec();
        let mut b = segra_ir::Builder::at_end(self.ir, block, loc);
        let mut indices = args[..outer].to_vec();
        for (&at, &extent) in args[outer..].iter().zip(&extents) {
            indices.push(arith::DivUIOp::build(&mut b, at, extent).result(b.ir));
        }
        for (&at, &extent) in args[outer..].iter().zip(&extents) {
            indices.push(arith::RemUIOp::build(&mut b, at, extent).result(b.ir));
        }
        let value = ReadOp::build(&mut b, tiles, &indices).result(b.ir);
        ReturnOp::build(&mut b, &[value]);
        let made = segmap.results(self.ir);
        self.ir.replace_op(op, &made);
        self.own_segmap(segmap);
    }
}

impl Kernel<'_> {
    /// Writes what each thread holds of a returned tile.
    pub(super) fn return_own(&mut self, point: InsertPoint, user: Op, index: usize, held: &Held) {
        let untiled = self
            .block
            .as_ref()
            .and_then(|block| block.untiled.get(&index).cloned());
        match untiled {
            Some(untiled) => self.return_untiled(point, index, held, &untiled),
            None => self.return_tile(point, user, index, held),
        }
    }

    /// Where in its tile a thread has its point number `number`.
    fn place_in_tile(&mut self, point: InsertPoint, held: &Held, number: usize) -> Vec<Value> {
        let threads = self
            .own
            .as_ref()
            .map(|own| own.extents.clone())
            .unwrap_or_default();
        let places = self
            .block
            .as_ref()
            .map(|block| block.own_point.clone())
            .unwrap_or_default();
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        let factors = held.registers.place(&threads, number);
        let mut b = self.at(point);
        let mut found = Vec::new();
        for (place, (factor, offset)) in places.into_iter().zip(factors) {
            let (factor, offset) = (constant(&mut b, factor), constant(&mut b, offset));
            let first = mul(&mut b, place, factor);
            found.push(add(&mut b, first, offset));
        }
        found
    }

    /// Extents of a tile that threads hold, as values of the kernel.
    fn tile_extents(&mut self, point: InsertPoint, held: &Held) -> Vec<Value> {
        let threads = self
            .own
            .as_ref()
            .map(|own| own.extents.clone())
            .unwrap_or_default();
        let mut b = self.at(point);
        held.extents(&threads)
            .into_iter()
            .map(|extent| constant(&mut b, extent))
            .collect()
    }

    fn return_tile(&mut self, point: InsertPoint, user: Op, index: usize, held: &Held) {
        let Some(threads) = self.own.as_ref().map(|own| own.extents.clone()) else {
            return;
        };
        let mut b = self.host_builder();
        let extents = held
            .extents(&threads)
            .into_iter()
            .map(|extent| Extent::Host(constant(&mut b, extent)))
            .collect();
        let element = element_type(self.ir, self.ir.value_type(held.parts[0]));
        let Some(output) = self.output(index, extents, element, user) else {
            return;
        };
        let Some(point_number) = self.block.as_ref().map(|block| block.point) else {
            return;
        };
        let inner = self.tile_extents(point, held);
        let known: Vec<Option<Value>> = std::iter::once(None)
            .chain(inner.iter().map(|&extent| Some(extent)))
            .collect();
        for (number, &part) in held.parts.iter().enumerate() {
            let value = self.inside(part);
            let mut indices = vec![point_number];
            indices.extend(self.place_in_tile(point, held, number));
            let mut b = self.at(point);
            let at = linear_index(&mut b, &indices, &known);
            store(&mut b, value, output.inside, at);
        }
    }

    fn return_untiled(&mut self, point: InsertPoint, index: usize, held: &Held, untiled: &Untiled) {
        let element = element_type(self.ir, self.ir.value_type(held.parts[0]));
        let count = self.host_product(&untiled.sizes);
        let Some(output) = self.output_of(index, count, Vec::new(), element) else {
            return;
        };
        let sizes: Vec<Value> = untiled
            .sizes
            .iter()
            .map(|&size| self.scalar(size))
            .collect();
        let Some(block) = &self.block else { return };
        let indices = block.indices.clone();
        let extents = self.tile_extents(point, held);
        let outer = indices.len() - extents.len();
        let known: Vec<Option<Value>> = sizes.iter().map(|&size| Some(size)).collect();
        for (number, &part) in held.parts.iter().enumerate() {
            let value = self.inside(part);
            let places = self.place_in_tile(point, held, number);
            let mut indices = indices.clone();
            let mut inside = None;
            let mut b = self.at(point);
            for (dim, (&extent, &place)) in extents.iter().zip(&places).enumerate() {
                let first = mul(&mut b, indices[outer + dim], extent);
                let at = add(&mut b, first, place);
                indices[outer + dim] = at;
                let exists = compare(&mut b, CmpIPredicate::Slt, at, sizes[outer + dim]);
                inside = Some(match inside {
                    None => exists,
                    Some(all) => arith::AndIOp::build(&mut b, all, exists).result(b.ir),
                });
            }
            self.when(point, inside, |kernel, point| {
                let at = linear_index(&mut kernel.at(point), &indices, &known);
                store(&mut kernel.at(point), value, output.inside, at);
            });
        }
    }

    /// The buffer of one returned position, with `count` elements in all.
    pub(super) fn output_of(
        &mut self,
        index: usize,
        count: Value,
        extents: Vec<Extent>,
        element: segra_ir::Type,
    ) -> Option<Output> {
        use segra_gpu::host::AllocOp;
        let ty = self
            .ir
            .ctx()
            .memref(&[segra_ir::types::DYNAMIC], element, None);
        let host = AllocOp::builder()
            .dynamic_sizes(&[count])
            .memref_type(ty)
            .build(&mut self.host_builder());
        let host = host.memref(self.ir);
        let inside = self.buffer(host);
        let output = Output {
            host,
            inside,
            extents,
        };
        *self.block.as_mut()?.outputs.get_mut(index)? = Some(output.clone());
        Some(output)
    }
}
