//! A tile of a scan whose threads take several neighbours at a time, which stay in registers.
//!
//! A warp takes its part of the tile in chunks of a few elements for each lane, loaded and stored by accesses of up to 128
//! bits. A lane combines its few elements one after another, so that a warp exchanges values once for all of them; what
//! comes before them is combined in when they are stored. All chunks are loaded before the first is combined.
//!
//! Legality: as [`segra_kernel::vector`] says; segments start aligned.

use super::{Exchange, Kind, Tile, block_prefix};
use crate::kernel::Kernel;
use crate::launch::{add, compare, constant, mul};
use crate::operator::Operator;
use crate::segmented::{Body, store_all};
use crate::segmented::{WARP, scan_lanes, shift_lanes, shuffle_all};
use crate::wide::{Rows, Wide};
use segra_gpu::attrs::ShuffleMode;
use segra_ir::{InsertPoint, Type, Value};
use segra_std::arith::CmpIPredicate;

/// A tile, and what is scanned into what.
pub(super) struct WideTile<'a> {
    pub(super) tile: &'a Tile,
    pub(super) wide: &'a Wide,
    pub(super) operator: &'a Operator,
    pub(super) kind: Kind,
    pub(super) body: &'a Body,
    pub(super) segment: &'a [Value],
    pub(super) scanned: &'a [Value],
}

/// The neighbours that a lane takes at a time.
struct Chunk {
    /// Which element of the segment the first is.
    at: Value,
    /// Whether all are elements.
    whole: Value,
    /// Each combined with those of the lane before it.
    prefixes: Vec<Vec<Value>>,
    /// The prefix before them in the warp.
    before: Vec<Value>,
}

impl WideTile<'_> {
    /// Scans the tile, and stores it.
    pub(super) fn run(&self, kernel: &mut Kernel<'_>, exchange: &Exchange) {
        let entry = InsertPoint::End(kernel.entry);
        let loaded: Vec<(Value, Value, Vec<Vec<Value>>)> = (0..self.tile.rows / self.wide.lanes)
            .map(|number| self.load(kernel, entry, number))
            .collect();
        let mut chunks = Vec::new();
        let mut carry: Option<Vec<Value>> = None;
        for (at, whole, values) in loaded {
            let mut prefixes: Vec<Vec<Value>> = Vec::new();
            for value in values {
                prefixes.push(match prefixes.last() {
                    Some(last) => self.operator.apply(kernel, entry, last, &value),
                    None => value,
                });
            }
            let Some(own) = prefixes.last() else { return };
            let scanned = scan_lanes(kernel, entry, self.operator, own, self.tile.lane);
            let left = shift_lanes(
                kernel,
                entry,
                &scanned,
                self.tile.lane,
                &self.operator.neutral,
            );
            let sum = shuffle_all(kernel, entry, ShuffleMode::Idx, &scanned, WARP as i32 - 1);
            let (before, next) = match &carry {
                Some(carry) => (
                    self.operator.apply(kernel, entry, carry, &left),
                    self.operator.apply(kernel, entry, carry, &sum),
                ),
                None => (left, sum),
            };
            carry = Some(next);
            chunks.push(Chunk {
                at,
                whole,
                prefixes,
                before,
            });
        }
        let Some(sum) = carry else { return };
        let before = block_prefix(kernel, self.operator, self.tile, exchange, &sum);
        for chunk in chunks {
            self.store(kernel, entry, &before, chunk);
        }
    }

    /// Place, existence and values of the lane's chunk with this number.
    fn load(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        number: i64,
    ) -> (Value, Value, Vec<Vec<Value>>) {
        let (tile, lanes) = (self.tile, self.wide.lanes);
        let mut b = kernel.at(point);
        let (per_warp, width) = (constant(&mut b, tile.rows * WARP), constant(&mut b, lanes));
        let of_warp = mul(&mut b, tile.warp, per_warp);
        let of_lane = mul(&mut b, tile.lane, width);
        let skipped = constant(&mut b, number * WARP * lanes);
        let first = add(&mut b, tile.start, of_warp);
        let first = add(&mut b, first, of_lane);
        let at = add(&mut b, first, skipped);
        let end = add(&mut b, at, width);
        let whole = compare(&mut b, CmpIPredicate::Sle, end, tile.inner);
        let types: Vec<Type> = (0..lanes)
            .flat_map(|_| self.operator.types.clone())
            .collect();
        let values = kernel.if_else(
            point,
            whole,
            &types,
            |kernel, point| {
                self.body
                    .load_wide(kernel, point, self.segment, at)
                    .concat()
            },
            |kernel, point| {
                (0..lanes)
                    .flat_map(|lane| self.load_one(kernel, point, at, lane))
                    .collect()
            },
        );
        let values = values
            .chunks(self.operator.types.len().max(1))
            .map(<[Value]>::to_vec)
            .collect();
        (at, whole, values)
    }

    /// Element number `lane` of a chunk that goes beyond the end; the neutral elements where there is none.
    fn load_one(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        at: Value,
        lane: i64,
    ) -> Vec<Value> {
        let neutral = self.operator.neutral.clone();
        if self.wide.rows == (Rows::Aligned { ends: true }) {
            return neutral;
        }
        let (at, exists) = self.one(kernel, point, at, lane);
        kernel.if_else(
            point,
            exists,
            &self.operator.types,
            |kernel, point| self.body.load(kernel, point, self.segment, at),
            |_, _| neutral,
        )
    }

    /// Which element number `lane` of a chunk is, and whether it exists.
    fn one(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        at: Value,
        lane: i64,
    ) -> (Value, Value) {
        let mut b = kernel.at(point);
        let lane = constant(&mut b, lane);
        let at = add(&mut b, at, lane);
        (at, compare(&mut b, CmpIPredicate::Slt, at, self.tile.inner))
    }

    fn store(&self, kernel: &mut Kernel<'_>, point: InsertPoint, before: &[Value], chunk: Chunk) {
        let start = self.operator.apply(kernel, point, before, &chunk.before);
        let mut results: Vec<Vec<Value>> = Vec::new();
        if self.kind == Kind::Exclusive {
            results.push(start.clone());
        }
        let wanted = chunk.prefixes.len() - results.len();
        for prefix in &chunk.prefixes[..wanted] {
            results.push(self.operator.apply(kernel, point, &start, prefix));
        }
        let number = self.body.place(kernel, point, self.segment, chunk.at);
        kernel.if_else(
            point,
            chunk.whole,
            &[],
            |kernel, point| {
                self.wide
                    .store(kernel, point, self.scanned, &results, number);
                Vec::new()
            },
            |kernel, point| {
                if self.wide.rows != (Rows::Aligned { ends: true }) {
                    for (lane, values) in results.iter().enumerate() {
                        let lane = lane as i64;
                        let (_, exists) = self.one(kernel, point, chunk.at, lane);
                        kernel.when(point, Some(exists), |kernel, point| {
                            let mut b = kernel.at(point);
                            let lane = constant(&mut b, lane);
                            let at = add(&mut b, number, lane);
                            store_all(kernel, point, self.scanned, values, at);
                        });
                    }
                }
                Vec::new()
            },
        );
    }
}
