//! Step 1: a segmap of threads becomes a segmap of thread blocks around one of their threads.
//!
//! ```mlir
//! %r = kernel.segmap thread (%i < %n) {         %t = kernel.segmap block (%b < ceildiv(%n, 32)) {
//!   kernel.return f(%i)                   ==>     %s = kernel.segmap thread (%p < 32) {
//! }                                                 kernel.return f(min(%b * 32 + %p, %n - 1))
//!                                                 }
//!                                                 kernel.return %s
//!                                               }
//!                                               %r = kernel.untile %t to [%n]
//! ```
//! "Regular flattening" (Henriksen 2021), "Strip mining/chunking the outer segmap"; what is flattened away there is
//! `kernel.untile` here. Where the tile does not divide the extent, the points beyond it compute what the last point
//! does: no element is made up, so nothing that is not of the program reaches an operator, and no code needs a guard.
//!
//! Legality: always, for segmaps of level `thread` without a mapping of their own whose points return scalars.

use crate::tile::Refusal;
use segra_ir::clone::Mapping;
use segra_ir::{Block, Builder, Ir, OpView, Type, TypeKind, Value};
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, tensor_over};
use segra_kernel::tile::UntileOp;
use segra_std::arith;

/// The result of strip-mining.
#[derive(Clone, Copy, Debug)]
pub struct Stripped {
    /// The segmap of thread blocks: a point is a tile.
    pub block: SegMapOp,
    /// The segmap of threads in it: a point is an element of the tile.
    pub thread: SegMapOp,
}

/// Splits the innermost dimensions of a segmap, as many as `tiles` has extents, outermost first.
///
/// # Errors
/// The segmap is not of level `thread`, has a mapping, returns arrays, has fewer dimensions, or an extent is below 1.
pub fn strip_mine(ir: &mut Ir, segmap: SegMapOp, tiles: &[i64]) -> Result<Stripped, Refusal> {
    check(ir, segmap, tiles)?;
    let op = segmap.op();
    let ctx = ir.context();
    let sizes = segmap.sizes(ir);
    let outer = sizes.len() - tiles.len();
    let body = segmap.body_block(ir);
    let elements: Vec<Type> = returned(ir, segmap)
        .into_iter()
        .map(|value| ir.value_type(value))
        .collect();
    let mut b = Builder::before(ir, op);
    let rows = elements.iter();
    let rows: Vec<Type> = rows.map(|&it| tensor_of(&b, tiles, it)).collect();
    let mut space = sizes[..outer].to_vec();
    let mut lasts = Vec::new();
    for (&size, &tile) in sizes[outer..].iter().zip(tiles) {
        space.push(tiles_of(&mut b, size, tile));
        lasts.push(if tile == 1 {
            None
        } else {
            last_of(&mut b, size, tile)
        });
    }
    let results: Vec<Type> = rows
        .iter()
        .map(|&row| tensor_over(&ctx, sizes.len(), row))
        .collect();
    let extents: Vec<Value> = tiles
        .iter()
        .map(|&tile| arith::ConstantOp::index(&mut b, tile))
        .collect();
    let block = SegMapOp::builder()
        .level(Level::Block.attr(&ctx))
        .sizes(&space)
        .results_types(&results)
        .build(&mut b);
    let region = block.body(b.ir);
    let indices = vec![ctx.index(); sizes.len()];
    let thread = b.build_block(region, &indices, |b, points| {
        let thread = SegMapOp::builder()
            .level(Level::Thread.attr(&ctx))
            .sizes(&extents)
            .results_types(&rows)
            .build(b);
        let region = thread.body(b.ir);
        b.build_block(region, &indices[outer..], |b, places| {
            let mut args = points[..outer].to_vec();
            for (dim, &place) in places.iter().enumerate() {
                if tiles[dim] == 1 {
                    args.push(points[outer + dim]);
                    continue;
                }
                args.push(index(
                    b,
                    points[outer + dim],
                    extents[dim],
                    place,
                    lasts[dim],
                ));
            }
            let values = b.clone_block_body(body, &args, &mut Mapping::new());
            ReturnOp::build(b, &values);
        });
        let values = thread.results(b.ir);
        ReturnOp::build(b, &values);
        thread
    });
    let mut b = Builder::before(ir, op);
    let mut whole = Vec::new();
    for (tiles, result) in block.results(b.ir).into_iter().zip(segmap.results(b.ir)) {
        let ty = b.type_of(result);
        whole.push(UntileOp::build(&mut b, tiles, &sizes[outer..], ty).result(b.ir));
    }
    ir.replace_op(op, &whole);
    Ok(Stripped { block, thread })
}

fn check(ir: &Ir, segmap: SegMapOp, tiles: &[i64]) -> Result<(), Refusal> {
    let refuse = |reason: &str| Err(Refusal::new(segmap.op(), reason));
    if segmap.level(ir) != Level::Thread {
        return refuse("is not run by threads");
    }
    if segmap.mapping_attr(ir).is_some() {
        return refuse("has a mapping of its own");
    }
    if tiles.is_empty()
        || tiles.len() > segmap.sizes(ir).len()
        || tiles.iter().any(|&tile| tile < 1)
    {
        return refuse("does not have as many dimensions as there are tiles, or a tile is empty");
    }
    if returned(ir, segmap)
        .iter()
        .any(|&value| !ir.value_type(value).is_scalar(ir.ctx()))
    {
        return refuse("returns arrays");
    }
    Ok(())
}

/// The values that the points of a segmap return.
pub(crate) fn returned(ir: &Ir, segmap: SegMapOp) -> Vec<Value> {
    yielded(ir, segmap.body_block(ir))
}

/// The values that a block ends with.
pub(crate) fn yielded(ir: &Ir, block: Block) -> Vec<Value> {
    ir.last_op(block)
        .map(|last| ir.operands(last).collect())
        .unwrap_or_default()
}

/// The type `tensor<8x32xf32>`, of such a shape and element.
pub(crate) fn tensor_of(b: &Builder<'_>, shape: &[i64], element: Type) -> Type {
    b.ctx().ty(TypeKind::Tensor {
        shape: shape.to_vec(),
        element,
        encoding: None,
    })
}

/// How many tiles cover an extent that is not negative.
pub(crate) fn tiles_of(b: &mut Builder<'_>, size: Value, tile: i64) -> Value {
    if tile == 1 {
        return size;
    }
    let (more, tile) = (
        arith::ConstantOp::index(b, tile - 1),
        arith::ConstantOp::index(b, tile),
    );
    let up = arith::AddIOp::build(b, size, more).result(b.ir);
    arith::DivUIOp::build(b, up, tile).result(b.ir)
}

/// The last index, unless tiles divide the extent.
fn last_of(b: &mut Builder<'_>, size: Value, tile: i64) -> Option<Value> {
    let known = b.ir.constant_int(size);
    if known.is_some_and(|known| known % tile == 0) {
        return None;
    }
    let one = arith::ConstantOp::index(b, 1);
    Some(arith::SubIOp::build(b, size, one).result(b.ir))
}

/// The index at a place of a tile.
fn index(
    b: &mut Builder<'_>,
    tile: Value,
    extent: Value,
    place: Value,
    last: Option<Value>,
) -> Value {
    let first = arith::MulIOp::build(b, tile, extent).result(b.ir);
    let index = arith::AddIOp::build(b, first, place).result(b.ir);
    match last {
        Some(last) => arith::MinSIOp::build(b, index, last).result(b.ir),
        None => index,
    }
}
