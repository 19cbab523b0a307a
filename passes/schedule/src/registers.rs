//! Pass `unroll-registers`: a thread's points are run at once, each op of the body once for each point it differs at.
//!
//! ```mlir
//! %s = kernel.segmap thread registers [2, 2] runs [1, 1]      %0, %1, %2, %3 = kernel.segmap thread (%p < 16, %q < 16) {
//!     (%p < 32, %q < 32) {                                      %p1 = %p + 16, %q1 = %q + 16
//!   scf.for %k = 0 to %n iter_args(%c = %accs[%p, %q]) {  ==>   scf.for %k = 0 to %n iter_args(%c0 = %accs0[%p, %q], ...) {
//!     yield %c + %as[%p, %k] * %bs[%k, %q]                        %a0 = %as[%p, %k]; %a1 = %as[%p1, %k]; %b0 = ...; %b1 = ...
//!   }                                                             yield %c0 + %a0 * %b0, %c1 + %a0 * %b1, ...
//! }                                                             } }
//!                                                             %s = kernel.regtile %0, %1, %2, %3
//! ```
//! "Teaching the Futhark compiler block and register tiled matrix multiplication" (2020), 2.4: what does not depend on a
//! dimension of the register tile is read once for all points along it, which is what register tiling is for; `%accs` is
//! a tile of the same kind, and its parts stay values of the threads. Loops of constant length are unrolled, so that
//! places in shared memory are constants beside one address.
//!
//! Legality: always. Bounds and conditions that are the same for all points of a thread keep one loop or branch for all
//! of them; what is nested in others is copied for each point. A tile that is used as a whole is a `kernel.regtile`.

use crate::tile::interchange::loop_carrying;
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, Op, OpView, Type, TypeKind, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::registers::{RegTileOp, Registers, constant_sizes};
use segra_kernel::segop::{ReturnOp, SegMapOp};
use segra_pass::{
    Anchors, Changed, Outcome, Pass, PassContext, PassInfo, PassResult, pass_options,
};
use segra_std::scf::{ForOp, YieldOp};
use segra_std::{arith, builtin};

mod points;

use points::Points;

pass_options! {
    /// The pass `unroll-registers`.
    pub struct UnrollRegisters {}
}

const INFO: PassInfo = PassInfo {
    name: "unroll-registers",
    summary: "run the points that a thread holds in registers at once",
    reads: &["kernel", "scf"],
    writes: &["arith", "kernel", "scf"],
    anchors: Anchors::Ops(&[builtin::ModuleOp::DEF.name]),
};

impl Pass for UnrollRegisters {
    fn info(&self) -> &'static PassInfo {
        &INFO
    }
    fn run(&self, ir: &mut Ir, module: Op, cx: &mut PassContext<'_>) -> PassResult {
        let blocks: Vec<SegMapOp> = ir
            .walk(module)
            .into_iter()
            .filter_map(|op| ir.cast::<SegMapOp>(op))
            .filter(|segmap| segmap.level(ir) == Level::Block)
            .collect();
        let mut unrolled = 0;
        for segmap in blocks {
            unrolled += unroll_block(ir, segmap);
        }
        cx.count("segmaps unrolled", unrolled);
        Ok(Outcome::of(Changed::when(unrolled > 0)))
    }
}

/// Unrolls the segmaps with registers of a point of a thread block. How many there are.
pub(crate) fn unroll_block(ir: &mut Ir, segmap: SegMapOp) -> u64 {
    let body = segmap.body_block(ir);
    unroll(ir, body)
}

/// Unrolls the segmaps with registers in a block of code that a thread block runs. How many there are.
fn unroll(ir: &mut Ir, block: Block) -> u64 {
    let ops: Vec<Op> = ir.ops(block).collect();
    let mut unrolled = 0;
    for &op in &ops {
        if let Some(segmap) = ir.cast::<SegMapOp>(op) {
            if let Some(registers) = Registers::of(ir, segmap) {
                unroll_segmap(ir, segmap, &registers);
                unrolled += 1;
            }
        } else if let Some(looped) = ir.cast::<ForOp>(op) {
            unrolled += unroll_loop(ir, looped);
        } else {
            let regions = ir.regions(op).to_vec();
            for region in regions {
                let blocks: Vec<Block> = ir.blocks(region).collect();
                for block in blocks {
                    unrolled += unroll(ir, block);
                }
            }
        }
    }
    // Tiles of which only parts are used.
    let tiles: Vec<Op> = ir
        .ops(block)
        .filter(|&op| ir.isa::<RegTileOp>(op))
        .collect();
    for tile in tiles.into_iter().rev() {
        if !ir.has_uses(ir.result(tile, 0)) {
            ir.erase_op(tile);
        }
    }
    unrolled
}

/// The tile that a value is, where it is put together here.
fn tile(ir: &Ir, value: Value) -> Option<RegTileOp> {
    ir.defining_op(value)
        .and_then(|op| ir.cast::<RegTileOp>(op))
}

/// A segmap over the threads, with the values of all their points, and tiles of them.
fn unroll_segmap(ir: &mut Ir, segmap: SegMapOp, registers: &Registers) {
    let Some(threads) = constant_sizes(ir, segmap).and_then(|sizes| registers.threads(&sizes))
    else {
        return;
    };
    let points = registers.points();
    let mut types = Vec::new();
    for result in segmap.results(ir) {
        let element = element_of(ir, result);
        let part = ir.ctx().ty(TypeKind::Tensor {
            shape: threads.clone(),
            element,
            encoding: None,
        });
        types.extend((0..points).map(|_| part));
    }
    let mut b = Builder::before(ir, segmap.op());
    let level = Level::Thread.attr(b.ctx());
    let sizes: Vec<Value> = threads
        .iter()
        .map(|&threads| arith::ConstantOp::index(&mut b, threads))
        .collect();
    let new = SegMapOp::builder()
        .level(level)
        .sizes(&sizes)
        .results_types(&types)
        .build(&mut b);
    let region = new.body(b.ir);
    let indices = vec![b.ctx().index(); sizes.len()];
    b.build_block(region, &indices, |b, places| {
        let values = Points::new(b.ir, segmap, registers, &threads).run(b, places);
        ReturnOp::build(b, &values);
    });
    let parts = new.results(b.ir);
    let mut tiles = Vec::new();
    let each = usize::try_from(points).unwrap_or(1);
    for (parts, result) in parts.chunks(each).zip(segmap.results(b.ir)) {
        let ty = b.type_of(result);
        tiles.push(join(&mut b, parts, registers, ty));
    }
    ir.replace_op(segmap.op(), &tiles);
}

fn element_of(ir: &Ir, value: Value) -> Type {
    let ty = ir.value_type(value);
    ty.shaped(ir.ctx()).map_or(ty, |(_, element)| element)
}

fn join(b: &mut Builder<'_>, parts: &[Value], registers: &Registers, ty: Type) -> Value {
    let (counts, runs) = (
        b.ctx().dense_i64_attr(&registers.counts),
        b.ctx().dense_i64_attr(&registers.runs),
    );
    let tile = RegTileOp::builder()
        .parts(parts)
        .registers(counts)
        .runs(runs)
        .apart(registers.apart.map(|apart| b.ctx().i64_attr(apart)))
        .result_type(ty)
        .build(b);
    tile.result(b.ir)
}

/// A loop that carries tiles carries their parts.
fn unroll_loop(ir: &mut Ir, looped: ForOp) -> u64 {
    let inits = looped.init_args(ir);
    let yielded: Vec<Value> = ir
        .last_op(looped.region_block(ir))
        .map(|last| ir.operands(last).collect())
        .unwrap_or_default();
    let tiles: Vec<Option<RegTileOp>> = inits
        .iter()
        .zip(&yielded)
        .map(|(&init, &next)| {
            let tile = tile(ir, init)?;
            is_tile(ir, next, &tile.points(ir)).then_some(tile)
        })
        .collect();
    if tiles.iter().all(Option::is_none) {
        return unroll(ir, looped.region_block(ir));
    }
    let mut starts = Vec::new();
    for (&init, tile) in inits.iter().zip(&tiles) {
        match tile {
            Some(tile) => starts.extend(tile.parts(ir)),
            None => starts.push(init),
        }
    }
    let types: Vec<Type> = starts.iter().map(|&start| ir.value_type(start)).collect();
    let mut args = vec![ir.value_type(looped.lower_bound(ir))];
    args.extend(&types);
    let old = looped.region_block(ir);
    let mut b = Builder::before(ir, looped.op());
    let new = loop_carrying(&mut b, looped, &starts, &types);
    let region = new.region(b.ir);
    b.build_block(region, &args, |b, args| {
        let mut values = vec![args[0]];
        values.extend(joined(b, &tiles, &args[1..]));
        let next = b.clone_block_body(old, &values, &mut Mapping::new());
        YieldOp::build(b, &next);
    });
    let body = new.region_block(ir);
    let unrolled = unroll(ir, body);
    if let Some(last) = ir.last_op(body) {
        let mut next = Vec::new();
        for (value, carried) in ir.operands(last).zip(&tiles) {
            match carried.and_then(|_| tile(ir, value)) {
                Some(tile) => next.extend(tile.parts(ir)),
                None => next.push(value),
            }
        }
        ir.set_operands(last, &next);
    }
    let parts = new.results(ir);
    let mut b = Builder::before(ir, looped.op());
    let results = joined(&mut b, &tiles, &parts);
    ir.replace_op(looped.op(), &results);
    drop_unused_tiles(ir, body);
    unrolled
}

fn drop_unused_tiles(ir: &mut Ir, block: Block) {
    let tiles: Vec<Op> = ir
        .ops_reversed(block)
        .filter(|&op| ir.isa::<RegTileOp>(op) && !ir.has_uses(ir.result(op, 0)))
        .collect();
    for tile in tiles {
        ir.erase_op(tile);
    }
}

/// Tiles put together from their parts again, and what is no tile as it is.
fn joined(b: &mut Builder<'_>, tiles: &[Option<RegTileOp>], values: &[Value]) -> Vec<Value> {
    let mut values = values.iter().copied();
    let mut all = Vec::new();
    for tile in tiles {
        match tile {
            Some(tile) => {
                let parts: Vec<Value> = values.by_ref().take(tile.parts(b.ir).len()).collect();
                let (registers, ty) = (tile.points(b.ir), b.type_of(tile.result(b.ir)));
                all.push(join(b, &parts, &registers, ty));
            }
            None => all.extend(values.next()),
        }
    }
    all
}

/// Whether a value will be a tile of these registers once its defining op is unrolled.
fn is_tile(ir: &Ir, value: Value, registers: &Registers) -> bool {
    let Some(op) = ir.defining_op(value) else {
        return false;
    };
    if let Some(tile) = ir.cast::<RegTileOp>(op) {
        return tile.points(ir) == *registers;
    }
    if let Some(segmap) = ir.cast::<SegMapOp>(op) {
        return Registers::of(ir, segmap).is_some_and(|found| found == *registers);
    }
    let Some(looped) = ir.cast::<ForOp>(op) else {
        return false;
    };
    let at = looped
        .results(ir)
        .iter()
        .position(|&result| result == value);
    let next = at.and_then(|at| {
        ir.last_op(looped.region_block(ir))
            .and_then(|last| ir.operands(last).nth(at))
    });
    let init = at.map(|at| looped.init_args(ir)[at]);
    next.is_some_and(|next| is_tile(ir, next, registers))
        && init.is_some_and(|init| is_tile(ir, init, registers))
}

/// The part of a tile that a read of a point's own element reads; `args`: the point's indices.
fn own_part(ir: &Ir, read: Read, args: &[Value], registers: &Registers) -> Option<RegTileOp> {
    let tile = tile(ir, read.tensor(ir))?;
    (read.indices(ir) == args && tile.points(ir) == *registers).then_some(tile)
}
