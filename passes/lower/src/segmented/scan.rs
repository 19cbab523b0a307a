//! segscan, by its form:
//!
//! * `warp`: a warp for each segment, row by row with a carry. An element a lane: a request of 32 of them is
//!   4 sectors, all used, so wider ones would move no fewer bytes; and of segments below 128 elements, which are most of
//!   those here, they would leave lanes without any;
//! * `tiles`: a single pass with decoupled look-back (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled
//!   Look-back", NVR-2016-002): each thread block scans a tile of a segment in shared memory, publishes its sum, adds
//!   up what the tiles before it have published, and publishes the sum up to its end. Elements are read and written
//!   once; where they are aligned, several at a time, which stay in registers ([`wide`]);
//! * `columns`: a thread block for 8 neighbouring segments, which are columns of what they read ([`columns`]);
//! * `threads`: see [`super::arrays`].
//!
//! Forward progress: tiles are numbered by an atomic counter as thread blocks start, so a block only waits for blocks
//! that run or have run, and each publishes its own sum before it waits. Published values are guarded by a state per
//! tile (0 nothing, 1 the tile's sum, 2 the sum up to its end), stored with release and loaded with acquire at the
//! scope of the device. The last tile of a segment publishes nothing.

mod columns;
mod wide;

use super::lanes::{WARP, scan_lanes, shift_lanes, shuffle, shuffle_all, split, test, word};
use super::{Body, Combining, Segmented, load_all, recover, store_all};
use crate::access::{atomic_add, byte_width, load_acquire, store, store_release};
use crate::function::Lowering;
use crate::kernel::Kernel;
use crate::launch::{How, Team, add, ceil_div, compare, constant, mul};
use crate::operator::Operator;
use crate::wide::Wide;
use segra_gpu::attrs::ShuffleMode;
use segra_ir::{InsertPoint, Ir, OpView, Value};
use segra_kernel::form::Form;
use segra_kernel::segop::SegScanOp;
use segra_std::arith::expr::unfold;
use segra_std::arith::{self, CmpIPredicate};
use wide::WideTile;

/// Shared memory of a tile, in bytes.
const TILE_BYTES: i64 = 16 * 1024;
/// Most elements of a tile per thread.
const MOST_ROWS: i64 = 16;

/// States of a tile.
const NOTHING: i32 = 0;
const OWN_SUM: i32 = 1;
const SUM_TO_END: i32 = 2;

/// Whether a prefix includes the element itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Inclusive,
    Exclusive,
}

impl Kind {
    pub(crate) fn of(ir: &Ir, scan: SegScanOp) -> Kind {
        match scan.exclusive_attr(ir) {
            Some(_) => Kind::Exclusive,
            None => Kind::Inclusive,
        }
    }
}

struct Scan {
    seg: Segmented,
    kind: Kind,
}

/// Buffers of the host through which tiles tell each other their sums.
struct Exchange {
    /// The counter of tiles, then a state per tile.
    state: Value,
    sums: Vec<Value>,
    sums_to_end: Vec<Value>,
}

impl Lowering<'_> {
    pub(crate) fn segscan(&mut self, segscan: SegScanOp) -> Option<()> {
        let (op, sizes, neutral) = (
            segscan.op(),
            segscan.sizes(self.ir),
            segscan.neutral(self.ir),
        );
        let rows = self.stored_rows(op, neutral.len(), sizes.len());
        let body = segscan.body(self.ir);
        let wide = Wide::of(self.ir, op);
        let seg = Segmented {
            op,
            sizes,
            neutral,
            rows,
            body,
            combine: segscan.combine(self.ir),
            wide,
        };
        let kind = Kind::of(self.ir, segscan);
        let scan = Scan { seg, kind };
        let outputs = self.allocate_results(op, &scan.seg.sizes, self.ir.num_results(op), 0);
        let host = InsertPoint::Before(op);
        match segscan.form(self.ir) {
            Some(Form::Warp) => self.scan_by_warps(&scan, host, &outputs)?,
            Some(Form::Tiles) => self.scan_by_tiles(&scan, host, &outputs)?,
            Some(Form::Columns) => self.scan_by_columns(segscan, &scan, host, &outputs)?,
            Some(Form::Thread) => self.scan_arrays((&scan.seg, kind), host, &outputs)?,
            Some(Form::Threads) => self.scan_arrays_in_parts((&scan.seg, kind), host, &outputs)?,
            _ => return self.refuse_unscheduled(op),
        }
        self.replace_results(op, &outputs, &scan.seg.sizes);
        Some(())
    }

    /// A warp per segment.
    fn scan_by_warps(&mut self, scan: &Scan, host: InsertPoint, outputs: &[Value]) -> Option<()> {
        let seg = &scan.seg;
        let how = self.how(seg.op)?;
        let launch = self.team_launch(seg.op, how, seg.outer(), Team::Lanes(WARP))?;
        let launch = launch.of_elements(seg.inner());
        let mut kernel = self.kernel_at(seg.op, "segscan_warp", host);
        let Combining {
            operator,
            combined: scanned,
            body,
            place,
            upper,
        } = Combining::begin(&mut kernel, seg, outputs, &launch);
        let entry = InsertPoint::End(kernel.entry);
        let mut b = kernel.builder();
        let (zero, step) = (constant(&mut b, 0), constant(&mut b, WARP));
        kernel.for_loop(
            entry,
            (zero, upper, step),
            &operator.neutral,
            |kernel, point, base, carry| {
                let mut b = kernel.at(point);
                let at = add(&mut b, base, place.lane);
                let mut exists = compare(&mut b, CmpIPredicate::Slt, at, upper);
                if let Some(guard) = place.guard {
                    exists = arith::AndIOp::build(&mut b, exists, guard).result(b.ir);
                }
                let mut load = |kernel: &mut Kernel<'_>, point: InsertPoint| {
                    body.load(kernel, point, &place.segment, at)
                };
                let (prefixes, next) = scan_row(
                    kernel,
                    point,
                    (&operator, scan.kind),
                    place.lane,
                    carry,
                    exists,
                    &mut load,
                );
                kernel.when(point, Some(exists), |kernel, point| {
                    let linear = body.place(kernel, point, &place.segment, at);
                    store_all(kernel, point, &scanned, &prefixes, linear);
                });
                next
            },
        );
        kernel.finish(&launch);
        Some(())
    }

    /// A thread block per tile, with look-back.
    fn scan_by_tiles(&mut self, scan: &Scan, host: InsertPoint, outputs: &[Value]) -> Option<()> {
        let (seg, threads) = (&scan.seg, self.options.block_size);
        let rows = self.rows(seg);
        let mut b = self.host(seg.op, host);
        let tiles = ceil_div(&mut b, seg.inner(), threads * rows);
        let segments = super::reduce::product(&mut b, seg.outer());
        let count = mul(&mut b, segments, tiles);
        let exchange = self.exchange(seg, host, count);
        let launch = self.block_launch(seg.op, How::Folded, &[count], threads)?;
        let mut kernel = self.kernel_at(seg.op, "segscan_tiles", host);
        kernel.capture(&[seg.body, seg.combine]);
        let operator = Operator::new(&mut kernel, seg.combine, &seg.neutral);
        let (scanned, stored) = outputs.split_at(seg.neutral.len());
        let scanned = kernel.buffers(scanned);
        let exchange = exchange.in_kernel(&mut kernel);
        let body = Body::new(&mut kernel, seg, stored);
        let thread = recover(&mut kernel, &launch).lane;
        let entry = InsertPoint::End(kernel.entry);
        let number = next_tile(&mut kernel, &exchange, thread);
        let outer: Vec<Value> = seg
            .outer()
            .iter()
            .map(|&size| kernel.scalar(size))
            .collect();
        let tiles = kernel.scalar(tiles);
        let inner = kernel.scalar(seg.inner());
        let mut b = kernel.builder();
        let segment = arith::DivUIOp::build(&mut b, number, tiles).result(b.ir);
        let tile = arith::RemUIOp::build(&mut b, number, tiles).result(b.ir);
        let segment = unfold(&mut b, &outer, segment);
        let (warp, lane) = split(&mut b, thread, WARP);
        let length = constant(&mut b, threads * rows);
        let start = mul(&mut b, tile, length);
        let block = Tile {
            number,
            tile,
            tiles,
            start,
            warp,
            lane,
            threads,
            rows,
            inner,
        };
        if let Some(wide) = &seg.wide {
            let (operator, kind) = (&operator, scan.kind);
            let wide = WideTile {
                tile: &block,
                wide,
                operator,
                kind,
                body: &body,
                segment: &segment,
                scanned: &scanned,
            };
            wide.run(&mut kernel, &exchange);
            kernel.finish(&launch);
            return Some(());
        }
        let shared: Vec<Value> = operator
            .types
            .iter()
            .map(|&ty| kernel.shared(threads * rows, ty))
            .collect();
        let sum = scan_warps(
            &mut kernel,
            (&operator, scan.kind),
            &block,
            &shared,
            &mut |kernel, point, at| body.load(kernel, point, &segment, at),
        );
        let before = block_prefix(&mut kernel, &operator, &block, &exchange, &sum);
        block.for_rows(
            &mut kernel,
            entry,
            &[],
            |kernel, point, at, exists, place, _| {
                kernel.when(point, Some(exists), |kernel, point| {
                    let own = load_all(kernel, point, &shared, place);
                    let total = operator.apply(kernel, point, &before, &own);
                    let linear = body.place(kernel, point, &segment, at);
                    store_all(kernel, point, &scanned, &total, linear);
                });
                Vec::new()
            },
        );
        kernel.finish(&launch);
        Some(())
    }

    /// Elements of a tile per thread, so that the tile fits the shared memory it is given.
    fn rows(&self, seg: &Segmented) -> i64 {
        let bytes: i64 = seg
            .neutral
            .iter()
            .map(|&value| byte_width(self.ir, value))
            .sum();
        let rows = (TILE_BYTES / (self.options.block_size * bytes.max(1))).clamp(1, MOST_ROWS);
        // Whole accesses of several elements each.
        let lanes = seg.wide.as_ref().map_or(1, |wide| wide.lanes);
        (rows / lanes).max(1) * lanes
    }

    fn exchange(&mut self, seg: &Segmented, host: InsertPoint, count: Value) -> Exchange {
        let ctx = self.ctx.clone();
        let mut b = self.host(seg.op, host);
        let one = constant(&mut b, 1);
        let states = add(&mut b, count, one);
        let state = self.allocate(seg.op, host, ctx.i32(), states);
        let mut b = self.host(seg.op, host);
        let nothing = word(&mut b, NOTHING);
        segra_gpu::host::MemsetOp::builder()
            .dst(state)
            .value(nothing)
            .build(&mut b);
        let sums = self.allocate_like(seg.op, host, &seg.neutral, count);
        let sums_to_end = self.allocate_like(seg.op, host, &seg.neutral, count);
        Exchange {
            state,
            sums,
            sums_to_end,
        }
    }
}

impl Exchange {
    fn in_kernel(self, kernel: &mut Kernel<'_>) -> Exchange {
        let mut buffers = |list: Vec<Value>| -> Vec<Value> {
            list.into_iter().map(|value| kernel.buffer(value)).collect()
        };
        let (sums, sums_to_end) = (buffers(self.sums), buffers(self.sums_to_end));
        Exchange {
            state: kernel.buffer(self.state),
            sums,
            sums_to_end,
        }
    }

    /// Makes `values` known as the sums of this kind of tile `number`.
    fn publish(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        number: Value,
        kind: i32,
        values: &[Value],
    ) {
        let buffers = if kind == SUM_TO_END {
            &self.sums_to_end
        } else {
            &self.sums
        };
        store_all(kernel, point, buffers, values, number);
        let mut b = kernel.at(point);
        let at = state_of(&mut b, number);
        let kind = word(&mut b, kind);
        store_release(&mut b, kind, self.state, at);
    }
}

fn state_of(b: &mut segra_ir::Builder<'_>, number: Value) -> Value {
    let one = constant(b, 1);
    add(b, number, one)
}

/// Takes the next tile's number; all threads of the block get it.
fn next_tile(kernel: &mut Kernel<'_>, exchange: &Exchange, thread: Value) -> Value {
    let ctx = kernel.ir.context();
    let entry = InsertPoint::End(kernel.entry);
    let shared = kernel.shared(1, ctx.i32());
    let first = test(kernel, entry, CmpIPredicate::Eq, thread, 0);
    kernel.when(entry, Some(first), |kernel, point| {
        let mut b = kernel.at(point);
        let (one, zero) = (word(&mut b, 1), constant(&mut b, 0));
        let number = atomic_add(&mut b, one, exchange.state, zero);
        store(&mut b, number, shared, zero);
    });
    kernel.barrier(entry);
    let mut b = kernel.builder();
    let zero = constant(&mut b, 0);
    let number = crate::access::load(&mut b, shared, &[zero]);
    arith::IndexCastUIOp::build(&mut b, number, ctx.index()).out(b.ir)
}

/// A thread's place in a tile: warp after warp, each with rows of a warp's width.
struct Tile {
    /// Number of the tile over all segments.
    number: Value,
    /// Number of the tile in its segment.
    tile: Value,
    /// Tiles of a segment.
    tiles: Value,
    /// First element.
    start: Value,
    warp: Value,
    lane: Value,
    threads: i64,
    rows: i64,
    /// Length of a segment.
    inner: Value,
}

impl Tile {
    /// A loop over the thread's elements: which element, whether it exists, where it lies in the tile; and carried
    /// values.
    fn for_rows(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        inits: &[Value],
        body: impl FnOnce(&mut Kernel<'_>, InsertPoint, Value, Value, Value, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let mut b = kernel.at(point);
        let per_warp = constant(&mut b, self.rows * WARP);
        let lower = mul(&mut b, self.warp, per_warp);
        let upper = add(&mut b, lower, per_warp);
        let step = constant(&mut b, WARP);
        kernel.for_loop(
            point,
            (lower, upper, step),
            inits,
            |kernel, point, base, carried| {
                let mut b = kernel.at(point);
                let place = add(&mut b, base, self.lane);
                let at = add(&mut b, self.start, place);
                let exists = compare(&mut b, CmpIPredicate::Slt, at, self.inner);
                body(kernel, point, at, exists, place, carried)
            },
        )
    }
}

/// Prefixes of a row of a warp that starts with `carry`, and the next row's carry.
pub(crate) fn scan_row(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    (operator, kind): (&Operator, Kind),
    lane: Value,
    carry: &[Value],
    exists: Value,
    load: &mut dyn FnMut(&mut Kernel<'_>, InsertPoint) -> Vec<Value>,
) -> (Vec<Value>, Vec<Value>) {
    let neutral = operator.neutral.clone();
    let values = kernel.if_else(
        point,
        exists,
        &operator.types,
        |kernel, point| load(kernel, point),
        |_, _| neutral,
    );
    let scanned = scan_lanes(kernel, point, operator, &values, lane);
    let own = match kind {
        Kind::Inclusive => scanned.clone(),
        Kind::Exclusive => shift_lanes(kernel, point, &scanned, lane, &operator.neutral),
    };
    let prefixes = operator.apply(kernel, point, carry, &own);
    let row = shuffle_all(kernel, point, ShuffleMode::Idx, &scanned, WARP as i32 - 1);
    (prefixes, operator.apply(kernel, point, carry, &row))
}

/// Each warp scans its rows into `shared`; every lane gets its warp's sum.
fn scan_warps(
    kernel: &mut Kernel<'_>,
    how: (&Operator, Kind),
    tile: &Tile,
    shared: &[Value],
    load: &mut super::Load<'_>,
) -> Vec<Value> {
    let entry = InsertPoint::End(kernel.entry);
    let neutral = how.0.neutral.clone();
    tile.for_rows(
        kernel,
        entry,
        &neutral,
        |kernel, point, at, exists, place, carry| {
            let mut load = |kernel: &mut Kernel<'_>, point: InsertPoint| load(kernel, point, at);
            let (prefixes, next) =
                scan_row(kernel, point, how, tile.lane, carry, exists, &mut load);
            store_all(kernel, point, shared, &prefixes, place);
            next
        },
    )
}

/// The prefix before each warp: the tiles before this one, then the warps before it. Publishes the tile's sums.
fn block_prefix(
    kernel: &mut Kernel<'_>,
    operator: &Operator,
    tile: &Tile,
    exchange: &Exchange,
    sum: &[Value],
) -> Vec<Value> {
    let entry = InsertPoint::End(kernel.entry);
    let warps = tile.threads / WARP;
    let shared: Vec<Value> = operator
        .types
        .iter()
        .map(|&ty| kernel.shared(warps, ty))
        .collect();
    let first_lane = test(kernel, entry, CmpIPredicate::Eq, tile.lane, 0);
    kernel.when(entry, Some(first_lane), |kernel, point| {
        store_all(kernel, point, &shared, sum, tile.warp)
    });
    kernel.barrier(entry);
    let first_warp = test(kernel, entry, CmpIPredicate::Eq, tile.warp, 0);
    kernel.when(entry, Some(first_warp), |kernel, point| {
        let exists = test(kernel, point, CmpIPredicate::Ult, tile.lane, warps);
        let neutral = operator.neutral.clone();
        let values = kernel.if_else(
            point,
            exists,
            &operator.types,
            |kernel, point| load_all(kernel, point, &shared, tile.lane),
            |_, _| neutral,
        );
        let scanned = scan_lanes(kernel, point, operator, &values, tile.lane);
        let total = shuffle_all(kernel, point, ShuffleMode::Idx, &scanned, warps as i32 - 1);
        let own = shift_lanes(kernel, point, &scanned, tile.lane, &operator.neutral);
        let before = exchange_sums(kernel, point, operator, tile, exchange, &total);
        let prefix = operator.apply(kernel, point, &before, &own);
        kernel.when(point, Some(exists), |kernel, point| {
            store_all(kernel, point, &shared, &prefix, tile.lane);
        });
    });
    kernel.barrier(entry);
    load_all(kernel, entry, &shared, tile.warp)
}

/// Run by the first warp: publishes the tile's sum `total`, finds the sum of the tiles before it, publishes both
/// together. Every lane gets the sum of the tiles before.
fn exchange_sums(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    operator: &Operator,
    tile: &Tile,
    exchange: &Exchange,
    total: &[Value],
) -> Vec<Value> {
    let mut b = kernel.at(point);
    let one = constant(&mut b, 1);
    let last = arith::SubIOp::build(&mut b, tile.tiles, one).result(b.ir);
    let has_next = compare(&mut b, CmpIPredicate::Slt, tile.tile, last);
    let is_first = test(kernel, point, CmpIPredicate::Eq, tile.tile, 0);
    let leader = test(kernel, point, CmpIPredicate::Eq, tile.lane, 0);
    let publisher = {
        let mut b = kernel.at(point);
        arith::AndIOp::build(&mut b, leader, has_next).result(b.ir)
    };
    let neutral = operator.neutral.clone();
    kernel.if_else(
        point,
        is_first,
        &operator.types,
        |kernel, point| {
            kernel.when(point, Some(publisher), |kernel, point| {
                exchange.publish(kernel, point, tile.number, SUM_TO_END, total);
            });
            neutral
        },
        |kernel, point| {
            kernel.when(point, Some(publisher), |kernel, point| {
                exchange.publish(kernel, point, tile.number, OWN_SUM, total);
            });
            let before = look_back(kernel, point, operator, tile, exchange);
            kernel.when(point, Some(publisher), |kernel, point| {
                let to_end = operator.apply(kernel, point, &before, total);
                exchange.publish(kernel, point, tile.number, SUM_TO_END, &to_end);
            });
            before
        },
    )
}

/// The sum of the tiles of the segment before this one: a warp looks at 32 tiles at a time, the nearest first, until
/// one of them has published its sum to the end.
fn look_back(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    operator: &Operator,
    tile: &Tile,
    exchange: &Exchange,
) -> Vec<Value> {
    let ctx = kernel.ir.context();
    let mut b = kernel.at(point);
    let one = constant(&mut b, 1);
    let nearest = arith::SubIOp::build(&mut b, tile.tile, one).result(b.ir);
    let open = word(&mut b, 0);
    let mut inits = vec![nearest, open];
    inits.extend(&operator.neutral);
    let types = inits
        .iter()
        .map(|&init| kernel.ir.value_type(init))
        .collect::<Vec<_>>();
    let ended = kernel.while_loop(
        point,
        &inits,
        &types,
        |kernel, point, state| {
            let mut b = kernel.at(point);
            let open = word(&mut b, 0);
            (
                compare(&mut b, CmpIPredicate::Eq, state[1], open),
                state.to_vec(),
            )
        },
        |kernel, point, state| {
            let (closed, window) = window_sum(kernel, point, operator, tile, exchange, state[0]);
            let sum = operator.apply(kernel, point, &window, &state[2..]);
            // The first lane has the right values; all go on with them.
            let mut next = vec![{
                let mut b = kernel.at(point);
                let step = constant(&mut b, -WARP);
                add(&mut b, state[0], step)
            }];
            next.push(shuffle(kernel, point, ShuffleMode::Idx, closed, 0));
            next.extend(shuffle_all(kernel, point, ShuffleMode::Idx, &sum, 0));
            next
        },
    );
    debug_assert!(
        ended.len() == types.len() && types[1] == ctx.i32(),
        "the loop returns what it carries"
    );
    ended[2..].to_vec()
}

/// The values that the 32 tiles up to `nearest` have published, the nearest in lane 0, combined up to the first sum to the end;
/// and whether there was one. Right in lane 0.
fn window_sum(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    operator: &Operator,
    tile: &Tile,
    exchange: &Exchange,
    nearest: Value,
) -> (Value, Vec<Value>) {
    let ctx = kernel.ir.context();
    let mut b = kernel.at(point);
    let own_tile = arith::SubIOp::build(&mut b, nearest, tile.lane).result(b.ir);
    let first_of_segment = arith::SubIOp::build(&mut b, tile.number, tile.tile).result(b.ir);
    let number = add(&mut b, first_of_segment, own_tile);
    let exists = test(kernel, point, CmpIPredicate::Sge, own_tile, 0);
    let mut types = vec![ctx.i32()];
    types.extend(&operator.types);
    let neutral = operator.neutral.clone();
    let published = kernel.if_else(
        point,
        exists,
        &types,
        |kernel, point| published_by(kernel, point, operator, exchange, number),
        |kernel, point| {
            let mut values = vec![word(&mut kernel.at(point), 1)];
            values.extend(neutral);
            values
        },
    );
    let (mut closed, mut values) = (published[0], published[1..].to_vec());
    let mut offset = 1;
    while i64::from(offset) < WARP {
        let far_closed = shuffle(kernel, point, ShuffleMode::Down, closed, offset);
        let far = shuffle_all(kernel, point, ShuffleMode::Down, &values, offset);
        let mut b = kernel.at(point);
        let zero = word(&mut b, 0);
        let is_open = compare(&mut b, CmpIPredicate::Eq, closed, zero);
        let near = values;
        values = kernel.if_else(
            point,
            is_open,
            &operator.types,
            |kernel, point| operator.apply(kernel, point, &far, &near),
            |_, _| near.clone(),
        );
        let mut b = kernel.at(point);
        closed = arith::OrIOp::build(&mut b, closed, far_closed).result(b.ir);
        offset *= 2;
    }
    (closed, values)
}

/// Waits until a tile has published something; 1 and the sum to its end, or 0 and its own sum.
fn published_by(
    kernel: &mut Kernel<'_>,
    point: InsertPoint,
    operator: &Operator,
    exchange: &Exchange,
    number: Value,
) -> Vec<Value> {
    let ctx = kernel.ir.context();
    let mut b = kernel.at(point);
    let at = state_of(&mut b, number);
    let waited = kernel.while_loop(
        point,
        &[],
        &[ctx.i32()],
        |kernel, point, _| {
            let mut b = kernel.at(point);
            let state = load_acquire(&mut b, exchange.state, at);
            let nothing = word(&mut b, NOTHING);
            (
                compare(&mut b, CmpIPredicate::Eq, state, nothing),
                vec![state],
            )
        },
        |_, _, _| Vec::new(),
    );
    let mut b = kernel.at(point);
    let full = word(&mut b, SUM_TO_END);
    let is_full = compare(&mut b, CmpIPredicate::Eq, waited[0], full);
    let mut types = vec![ctx.i32()];
    types.extend(&operator.types);
    let flagged = |kernel: &mut Kernel<'_>, point: InsertPoint, flag: i32, buffers: &[Value]| {
        let mut values = vec![word(&mut kernel.at(point), flag)];
        values.extend(load_all(kernel, point, buffers, number));
        values
    };
    kernel.if_else(
        point,
        is_full,
        &types,
        |kernel, point| flagged(kernel, point, 1, &exchange.sums_to_end),
        |kernel, point| flagged(kernel, point, 0, &exchange.sums),
    )
}
