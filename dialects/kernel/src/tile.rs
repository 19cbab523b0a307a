//! Arrays in tiles: what a block of threads computes at once is a tile of the whole.
//!
//! Values as everywhere: [`UntileOp`] is a view of the tiles. A back end that knows who makes a tile writes its elements
//! where they belong at once.

use segra_interp::{
    ArrayValue, Cx, Datum, Elements, Eval, EvalError, EvalResult, Flow, Inst, Lanes,
};
use segra_ir::constraint::{Index, RankedTensor};
use segra_ir::interfaces::{Effect, EffectKind, Effects, ShapeOf, Verify, known_extent};
use segra_ir::{Ir, Op, OpDiagnostics, OpView, Value, op};

/// The array that tiles make up, without what lies beyond its extents.
///
/// With `r` sizes, the last `2r` dimensions of the tensor are numbers of tiles and then places in a tile: element
/// `(i0, .., j)` of the result, for one size, is element `(i0, .., j / t, j mod t)` of the tiles of extent `t`.
/// Dimensions before them stay. The tiles must cover the result. "TileReturns" in Henriksen's Futhark.
///
/// ```mlir
/// %c = kernel.untile %tiles to [%n, %m] : tensor<?x?x16x16xf32> -> tensor<?x?xf32>
/// ```
#[op(
    "kernel.untile",
    interfaces(Effects, ShapeOf, Verify, Eval),
    format = "$tensor `to` ` ` `[` $sizes `]` attr-dict `:` type($tensor) `->` type($result)"
)]
pub struct UntileOp {
    /// Tiles: other dimensions, how many tiles there are along each tiled one, extents of a tile.
    tensor: Operand<RankedTensor>,
    /// Extents of the tiled dimensions, outermost first, at least one; not negative.
    sizes: VariadicOperand<Index>,
    result: OpResult<RankedTensor>,
}

impl UntileOp {
    /// The op that puts the tiles of a result together: nothing else uses the result, and where its op stands, the extents are known.
    pub fn of(ir: &Ir, result: Value) -> Option<UntileOp> {
        let op = ir.defining_op(result)?;
        let user = ir.users(result).next().filter(|_| ir.has_one_use(result))?;
        let untile = ir.cast::<UntileOp>(user)?;
        let block = ir.block_of(op);
        let known = |&size: &Value| match ir.defining_op(size) {
            Some(made) if ir.block_of(made) == block => ir.is_before(made, op),
            _ => true,
        };
        let fits = ir.block_of(user) == block && untile.sizes(ir).iter().all(known);
        fits.then_some(untile)
    }

    /// How many dimensions come before the tiled ones.
    pub fn outer(self, ir: &Ir) -> usize {
        rank(ir, self.tensor(ir)).saturating_sub(2 * self.sizes(ir).len())
    }
}

fn rank(ir: &Ir, value: Value) -> usize {
    ir.value_type(value)
        .shaped(ir.ctx())
        .map_or(0, |(shape, _)| shape.len())
}

impl Effects for UntileOp {
    fn effects(&self, _: &Ir, _: Op, effects: &mut Vec<Effect>) {
        // It stops the program where tiles do not cover the result.
        effects.push(Effect::of(EffectKind::Read));
    }
}

impl ShapeOf for UntileOp {
    fn extent(&self, ir: &Ir, op: Op, _: usize, dim: usize) -> Option<Value> {
        let untile = UntileOp::from_op(op);
        let outer = untile.outer(ir);
        match dim.checked_sub(outer) {
            Some(tiled) => untile.sizes(ir).get(tiled).copied(),
            None => known_extent(ir, untile.tensor(ir), dim),
        }
    }
}

impl Verify for UntileOp {
    fn verify(&self, ir: &Ir, op: Op, diags: &mut OpDiagnostics<'_>) {
        let untile = UntileOp::from_op(op);
        let (tiled, tiles) = (untile.sizes(ir).len(), rank(ir, untile.tensor(ir)));
        if tiled == 0 || 2 * tiled > tiles {
            diags.error(format!("{tiled} extents do not fit tiles of rank {tiles}"));
            return;
        }
        let found = rank(ir, untile.result(ir));
        if found != tiles - tiled {
            let message = format!("result must have rank {}, but has {found}", tiles - tiled);
            diags.error(message);
        }
        let element = |value| {
            ir.value_type(value)
                .shaped(ir.ctx())
                .map(|(_, element)| element)
        };
        if element(untile.tensor(ir)) != element(untile.result(ir)) {
            diags.error("result must have the element type of operand `tensor`");
        }
    }
}

/// The result for one lane; `None` where the tiles do not cover it.
fn untiled(tiles: &ArrayValue, sizes: &[usize]) -> Option<ArrayValue> {
    let tiled = sizes.len();
    let outer = tiles.rank().checked_sub(2 * tiled)?;
    let (counts, extents) = tiles.shape()[outer..].split_at(tiled);
    if sizes
        .iter()
        .zip(counts)
        .zip(extents)
        .any(|((&size, &count), &extent)| count * extent < size)
    {
        return None;
    }
    let shape: Vec<usize> = tiles.shape()[..outer]
        .iter()
        .chain(sizes)
        .copied()
        .collect();
    let count = segra_interp::array::element_count(&shape)?;
    let mut elements = Elements::with_capacity(tiles.elem(), count);
    let mut at = vec![0usize; shape.len()];
    for _ in 0..count {
        let (before, inside) = at.split_at(outer);
        let numbers = inside.iter().zip(extents).map(|(&at, &extent)| at / extent);
        let places = inside.iter().zip(extents).map(|(&at, &extent)| at % extent);
        let index: Vec<i64> = before
            .iter()
            .copied()
            .chain(numbers)
            .chain(places)
            .map(|at| at as i64)
            .collect();
        elements.push(&tiles.at(&index)?)?;
        for (at, &extent) in at.iter_mut().zip(&shape).rev() {
            *at += 1;
            if *at < extent {
                break;
            }
            *at = 0;
        }
    }
    ArrayValue::new(tiles.elem(), shape, elements)
}

impl Eval for UntileOp {
    fn eval(&self, cx: &mut Cx<'_>, inst: &Inst, lanes: &Lanes) -> EvalResult {
        for lane in lanes.iter() {
            let sizes = cx.ints(inst, 1..inst.operands.len(), lane)?;
            let sizes: Result<Vec<usize>, EvalError> = sizes
                .iter()
                .map(|&size| {
                    usize::try_from(size).map_err(|_| cx.error(inst, "has a negative extent"))
                })
                .collect();
            let sizes = sizes?;
            let tiles = cx.array(inst, 0, lane)?;
            let new = untiled(tiles, &sizes).ok_or_else(|| {
                cx.error(
                    inst,
                    format!("tiles of shape {:?} do not cover {sizes:?}", tiles.shape()),
                )
            })?;
            cx.set_result(inst, 0, lane, Datum::array(new));
        }
        Ok(Flow::Next)
    }
}
