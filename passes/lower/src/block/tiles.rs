//! The result of a point from arrays with an element per thread: the tile of the point, or, where only `kernel.untile` uses
//! it, the part of the whole array that the tile is, written where it belongs. Also tiles that other threads read.

use super::own::Held;
use crate::access::{element_type, shaped, store};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{add, compare, constant, mul};
use crate::state::{Extent, Output, OwnArrays, Piece, Untiled};
use rustc_hash::FxHashMap;
use segra_ir::{InsertPoint, Ir, Op, OpView, Value};
use segra_kernel::access::{Read, Update};
use segra_kernel::registers::RegTileOp;
use segra_kernel::segop::SegMapOp;
use segra_kernel::tile::UntileOp;
use segra_std::arith::expr::linear_index;
use segra_std::arith::{self, CmpIPredicate};
use segra_std::scf::ForOp;
use segra_std::tensor::{EmptyOp, ReshapeOp};

/// The returned tiles that a loop of the point makes piece by piece, by the updates that do: scratch space that each step
/// gives one more row, a tile of what threads hold, and nobody reads.
pub(super) fn pieces(ir: &Ir, segmap: SegMapOp, own: &OwnArrays) -> FxHashMap<Op, Piece> {
    let body = segmap.body_block(ir);
    let mut found = FxHashMap::default();
    let returned: Vec<Value> = ir
        .last_op(body)
        .map(|last| ir.operands(last).collect())
        .unwrap_or_default();
    for (position, value) in returned.into_iter().enumerate() {
        if let Some((update, pieces)) = piece_of(ir, value, own) {
            found.insert(update, Piece { position, pieces });
        }
    }
    found
}

fn piece_of(ir: &Ir, value: Value, own: &OwnArrays) -> Option<(Op, i64)> {
    let alone = |value: Value| ir.has_one_use(value).then_some(value);
    let shape = |value: Value| Some(ir.value_type(value).shaped(ir.ctx())?.0.to_vec());
    let whole = shape(value)?;
    let mut made = alone(value)?;
    if let Some(reshape) = ir.def_as::<ReshapeOp>(made) {
        made = alone(reshape.source(ir))?;
    }
    let looped = ir.def_as::<ForOp>(made)?;
    let index = ir.results(looped.op()).position(|result| result == made)?;
    ir.def_as::<EmptyOp>(looped.init_args(ir)[index])?;
    let body = looped.region_block(ir);
    let arg = alone(*ir.block_args(body).get(index + 1)?)?;
    let update = ir.users(arg).find_map(|user| Update::of(ir, user))?;
    let yielded = ir.operand(ir.last_op(body)?, index);
    let held = own.held(ir, update.value(ir))?;
    let (pieces, tile) = (shape(arg)?[0], held.extents(&own.extents));
    let fits = update.tensor(ir) == arg
        && update.indices(ir).len() == 1
        && !update.is_checked(ir)
        && alone(yielded)? == update.result(ir)
        && ir.block_of(update.op()) == Some(body)
        && whole[1..] == tile[1..]
        && whole[0] == tile[0].checked_mul(pieces)?;
    fits.then_some((update.op(), pieces))
}

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
        let pieces = pieces(ir, segmap, own);
        for (index, (result, value)) in ir.results(segmap.op()).zip(returned).enumerate() {
            let Some(untile) = UntileOp::of(ir, result) else {
                continue;
            };
            let tiled = untile.sizes(ir);
            let in_pieces = pieces.values().any(|piece| piece.position == index);
            let fits = (own.held(ir, value).is_some() || in_pieces)
                && tiled.len() == own.extents.len()
                && untile.outer(ir) + tiled.len() == sizes.len();
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
        let value = Read::build(&mut b, tiles, &indices).result(b.ir);
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
        let points = held.registers.place(&threads, number);
        let mut b = self.at(point);
        let mut found = Vec::new();
        for (thread, point) in places.into_iter().zip(points) {
            let (factor, offset) = (
                constant(&mut b, point.factor),
                constant(&mut b, point.offset),
            );
            let mut first = mul(&mut b, thread, factor);
            if let Some((factor, threads)) = point.groups {
                let [factor, threads] = [factor, threads].map(|it| constant(&mut b, it));
                let group = arith::DivUIOp::build(&mut b, thread, threads).result(b.ir);
                let more = mul(&mut b, group, factor);
                first = add(&mut b, first, more);
            }
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

    /// Writes a piece of a tile where it belongs in the whole array; whether the update is of one.
    pub(crate) fn store_piece(&mut self, point: InsertPoint, update: Update) -> bool {
        let Some(piece) = self.piece(update.op()) else {
            return false;
        };
        let block = self.block.as_ref();
        let untiled = block.and_then(|block| block.untiled.get(&piece.position).cloned());
        let own = self.own.as_ref();
        let held = own.and_then(|own| own.held(self.ir, update.value(self.ir)));
        let (Some(untiled), Some(held)) = (untiled, held) else {
            return false;
        };
        let number = self.inside(update.indices(self.ir)[0]);
        let rows = self.tile_extents(point, &held)[0];
        let first = mul(&mut self.at(point), number, rows);
        self.store_held(
            point,
            (piece.position, &held),
            &untiled,
            Some((first, piece.pieces)),
        );
        let tensor = update.tensor(self.ir);
        let array = self.array(tensor, update.op());
        self.arrays.insert(update.result(self.ir), array);
        true
    }

    /// The piece of a tile that an update is.
    fn piece(&self, update: Op) -> Option<Piece> {
        let block = self.block.as_ref()?;
        let piece = *block.pieces.get(&update)?;
        block.untiled.contains_key(&piece.position).then_some(piece)
    }

    /// Whether an update adds a piece of a tile, from registers to where it belongs.
    pub(crate) fn is_piece(&self, update: Op) -> bool {
        self.piece(update).is_some()
    }

    /// Whether what a loop carries at a position is a tile that it makes piece by piece, in no memory of the block's.
    pub(crate) fn is_in_pieces(&self, looped: Op, index: usize) -> bool {
        let ir = &*self.ir;
        let block = ir.entry_block(ir.region(looped, 0));
        let arg = block.and_then(|block| ir.block_args(block).get(index + 1).copied());
        arg.is_some_and(|arg| ir.users(arg).any(|user| self.piece(user).is_some()))
    }

    /// A tile of what threads hold, for other threads to read: in shared memory. None where no thread holds it.
    pub(crate) fn share_tile(&mut self, point: InsertPoint, tile: RegTileOp) -> Option<()> {
        let result = tile.result(self.ir);
        let own = self.own.as_ref()?;
        let held = own.held(self.ir, result)?;
        let threads = own.extents.clone();
        let mut b = self.host_builder();
        let extents = held.extents(&threads).into_iter();
        let extents = extents.map(|extent| Extent::Host(constant(&mut b, extent)));
        let extents: Vec<Extent> = extents.collect();
        let place = self.place_result(point, result, extents, tile.op());
        self.step(point, |kernel| {
            for (number, &part) in held.parts.iter().enumerate() {
                let value = kernel.inside(part);
                let indices = kernel.place_in_tile(point, &held, number);
                let at = kernel.linear(point, &place, &indices);
                kernel.store_element(point, &place, at, value);
            }
        });
        self.arrays.insert(result, place);
        Some(())
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
        self.store_held(point, (index, held), untiled, None);
    }

    /// Stores what each thread holds in the whole array: all of the point's tile, or the piece of it with this first row,
    /// and how many pieces there are.
    fn store_held(
        &mut self,
        point: InsertPoint,
        (index, held): (usize, &Held),
        untiled: &Untiled,
        piece: Option<(Value, i64)>,
    ) {
        let element = element_type(self.ir, self.ir.value_type(held.parts[0]));
        let known = self.block.as_ref();
        let output = match known.and_then(|block| block.outputs.get(index)?.clone()) {
            Some(output) => output,
            None => {
                let count = self.host_product(&untiled.sizes);
                let Some(output) = self.output_of(index, count, Vec::new(), element) else {
                    return;
                };
                output
            }
        };
        let sizes: Vec<Value> = untiled
            .sizes
            .iter()
            .map(|&size| self.scalar(size))
            .collect();
        let Some(block) = &self.block else { return };
        let indices = block.indices.clone();
        let mut extents = self.tile_extents(point, held);
        if let (Some((_, pieces)), Some(rows)) = (piece, extents.first_mut()) {
            let mut b = self.at(point);
            let pieces = constant(&mut b, pieces);
            *rows = mul(&mut b, *rows, pieces);
        }
        let outer = indices.len() - extents.len();
        let known: Vec<Option<Value>> = sizes.iter().map(|&size| Some(size)).collect();
        for (number, &part) in held.parts.iter().enumerate() {
            let value = self.inside(part);
            let mut places = self.place_in_tile(point, held, number);
            if let Some((first, _)) = piece {
                places[0] = add(&mut self.at(point), places[0], first);
            }
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
