//! A stencil in tiles: the elements around a tile are copied to shared memory, by their rules, and its points read them there.
//!
//! ```mlir
//! %r = kernel.segmap thread (%i < %n) {                %t = kernel.segmap block (%b < ceildiv(%n, 1024)) {
//!   %l = kernel.near %xs[%i] clamp by -1                 %inside = the tile and one element to either side are in %xs
//!   %h = kernel.near %xs[%i] clamp by 1            ==>   %s = kernel.segmap thread (%p < 1026) {
//!   kernel.return f(%l, %h)                                if %inside { %xs[%b * 1024 + %p - 1] } else { the same, clamped }
//! }                                                      }
//!                                                        kernel.segmap thread registers [4] (%p < 1024) { f(%s[%p], %s[%p + 2]) }
//!                                                      }
//!                                                      %r = kernel.untile %t to [%n]
//! ```
//! Border and interior are one kernel: whether a tile has neighbours outside is the same for all its threads, and asked
//! where elements are copied. Points read shared memory at constant distances and test nothing. Kernels of their own for the
//! borders, two for each dimension, would cost a launch each, and save a comparison for each copied element.
//!
//! Legality: segmaps of level `thread` without a mapping whose points return numbers, and stop nowhere: those of a tile beyond
//! the space compute something that nobody takes.

use super::find::{Group, Stencil};
use super::shape::Shape;
use crate::tile::strip::tensor_of;
use crate::tile::strip::tiles_of;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::is_removable;
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp, tensor_over};
use segra_kernel::tile::UntileOp;
use segra_kernel::vector::element_bytes;
use segra_space::Target;
use segra_std::arith::{self, CmpIPredicate, SelectOp, index};
use segra_std::boundary::{self, Boundary};
use segra_std::scf::IfOp;
use segra_std::tensor::DimOp;

pub(super) fn constants(b: &mut Builder<'_>, numbers: &[i64]) -> Vec<Value> {
    numbers
        .iter()
        .map(|&number| index::constant(b, number))
        .collect()
}

/// Extents of the tiled dimensions of a group's tensor.
pub(super) fn extents_of(b: &mut Builder<'_>, group: &Group, tiled: usize) -> Vec<Value> {
    let first = group.lead.len();
    let mut extents = Vec::new();
    for dim in first..first + tiled {
        extents.push(DimOp::of(b, group.tensor, dim));
    }
    extents
}

/// A segmap of threads over constant extents; `body` gets the indices.
pub(super) fn threads(
    b: &mut Builder<'_>,
    extents: &[i64],
    elements: &[Type],
    body: impl FnOnce(&mut Builder<'_>, &[Value]) -> Vec<Value>,
) -> SegMapOp {
    let sizes = constants(b, extents);
    let results: Vec<Type> = elements
        .iter()
        .map(|&element| tensor_of(b, extents, element))
        .collect();
    let level = Level::Thread.attr(b.ctx());
    let segmap = SegMapOp::builder()
        .level(level)
        .sizes(&sizes)
        .results_types(&results)
        .build(b);
    let region = segmap.body(b.ir);
    let indices = vec![b.ctx().index(); extents.len()];
    b.build_block(region, &indices, |b, places| {
        let values = body(b, places);
        ReturnOp::build(b, &values);
    });
    segmap
}

/// The copy of the elements of a group around a tile.
pub(super) struct Staged {
    pub(super) tensor: Value,
    /// Where the tile begins in it, along each dimension.
    pub(super) first: Vec<i64>,
}

/// An extent of rows of such elements that makes them multiples of the widest access: what reads several elements of a row
/// at once then reads no others behind its end.
pub(super) fn whole_rows(b: &Builder<'_>, extent: i64, element: Type) -> i64 {
    let bytes = element_bytes(b.ir, element).unwrap_or(Target::CUDA.vector_bytes);
    let several = (Target::CUDA.vector_bytes / bytes).max(1);
    (extent + several - 1) / several * several
}

/// How far behind a tile the copy of a group goes, for rows of a good length.
fn padded(b: &Builder<'_>, group: &Group, tile: &[i64], low: &[i64], high: &[i64]) -> Vec<i64> {
    let mut high = high.to_vec();
    let ty = b.type_of(group.tensor);
    if let (Some(last), Some((_, element))) = (high.len().checked_sub(1), ty.shaped(b.ctx())) {
        let inside = low[last] + tile[last];
        high[last] = whole_rows(b, inside + high[last], element) - inside;
    }
    high
}

/// Copies the elements from `low` before a tile to `high` behind it; `firsts` is where it begins.
pub(super) fn stage(
    b: &mut Builder<'_>,
    group: &Group,
    (firsts, tile): (&[Value], &[i64]),
    (low, high): (&[i64], &[i64]),
    extents: &[Value],
) -> Staged {
    let high = &padded(b, group, tile, low, high);
    let shape: Vec<i64> = (0..tile.len())
        .map(|dim| low[dim] + tile[dim] + high[dim])
        .collect();
    let (starts, inside) = begin(b, firsts, (low, &shape), extents);
    let ty = b.type_of(group.tensor);
    let element = ty.shaped(b.ctx()).map_or(ty, |(_, element)| element);
    let copy = threads(b, &shape, &[element], |b, places| {
        let at: Vec<Value> = starts
            .iter()
            .zip(places)
            .map(|(&start, &place)| index::add(b, start, place))
            .collect();
        let read = |b: &mut Builder<'_>, at: &[Value]| {
            let indices = [&group.lead, at].concat();
            Read::build(b, group.tensor, &indices).result(b.ir)
        };
        let Some(inside) = inside else {
            return vec![read(b, &at)];
        };
        let branch = IfOp::with_bodies(
            b,
            inside,
            &[element],
            |b| vec![read(b, &at)],
            |b| {
                let places: Vec<Value> = at
                    .iter()
                    .zip(extents)
                    .map(|(&at, &extent)| group.rule.emit(b, at, extent))
                    .collect();
                let value = read(b, &places);
                vec![or_outside(b, group, value, (&at, extents))]
            },
        );
        vec![branch.results(b.ir)[0]]
    });
    Staged {
        tensor: copy.results(b.ir)[0],
        first: low.to_vec(),
    }
}

/// Where a copy of this shape begins, `low` before a tile, and whether all of it is inside of the array.
fn begin(
    b: &mut Builder<'_>,
    firsts: &[Value],
    (low, shape): (&[i64], &[i64]),
    extents: &[Value],
) -> (Vec<Value>, Option<Value>) {
    let mut inside = None;
    let mut starts = Vec::new();
    for dim in 0..shape.len() {
        let before = index::constant(b, low[dim]);
        let start = index::sub(b, firsts[dim], before);
        let behind = index::constant(b, shape[dim]);
        let (zero, end) = (index::constant(b, 0), index::add(b, start, behind));
        for here in [
            index::cmp(b, CmpIPredicate::Sge, start, zero),
            index::cmp(b, CmpIPredicate::Sle, end, extents[dim]),
        ] {
            inside = Some(match inside {
                Some(all) => arith::AndIOp::build(b, all, here).result(b.ir),
                None => here,
            });
        }
        starts.push(start);
    }
    (starts, inside)
}

/// A value, or outside of the array the one that the group has there.
pub(super) fn or_outside(
    b: &mut Builder<'_>,
    group: &Group,
    value: Value,
    (at, extents): (&[Value], &[Value]),
) -> Value {
    match group.otherwise {
        Some(otherwise) if group.rule == Boundary::Outside => {
            let inside = boundary::inside(b, at, extents);
            SelectOp::build(b, inside, value, otherwise).result(b.ir)
        }
        _ => value,
    }
}

/// The body of a stencil at indices of the space, with neighbours read from copies at `places`.
pub(super) fn body_at(
    b: &mut Builder<'_>,
    stencil: &Stencil,
    (args, places): (&[Value], &[Value]),
    staged: &[Staged],
) -> Vec<Value> {
    let mut mapping = Mapping::new();
    let body = stencil.segmap.body_block(b.ir);
    let values = b.clone_block_body(body, args, &mut mapping);
    let mut values = values;
    for (group, staged) in stencil.groups.iter().zip(staged) {
        for &read in &group.reads {
            let copy = mapping.get(read.result(b.ir));
            let Some(op) = b.ir.defining_op(copy) else {
                continue;
            };
            let lead = group.lead.len();
            let mut inner = Builder::before(b.ir, op);
            let offsets = read.offsets(inner.ir);
            let mut at = Vec::new();
            for (dim, &place) in places.iter().enumerate() {
                let distance = index::constant(&mut inner, offsets[lead + dim] + staged.first[dim]);
                at.push(index::add(&mut inner, place, distance));
            }
            let value = Read::build(&mut inner, staged.tensor, &at).result(inner.ir);
            for returned in &mut values {
                if *returned == copy {
                    *returned = value;
                }
            }
            b.ir.replace_op(op, &[value]);
        }
    }
    values
}

/// Erases ops of a region that nothing uses: index arithmetic of reads that became others.
pub(super) fn sweep(ir: &mut Ir, around: Op) {
    for op in ir.walk(around).into_iter().rev() {
        let unused = op != around && ir.results(op).all(|result| !ir.has_uses(result));
        if unused && ir.num_results(op) > 0 && is_removable(ir, op) {
            ir.erase_op(op);
        }
    }
}

/// The number of tiles of each dimension of a space: those before the tiled ones have a tile for each index.
pub(super) fn tiles(b: &mut Builder<'_>, stencil: &Stencil, tile: &[i64]) -> Vec<Value> {
    let sizes = stencil.segmap.sizes(b.ir);
    let mut space = sizes[..stencil.outer].to_vec();
    for (&size, &extent) in sizes[stencil.outer..].iter().zip(tile) {
        space.push(tiles_of(b, size, extent));
    }
    space
}

/// Builds a segmap of thread blocks over tiles, with what `block` returns: one tile for each array of `types`. Those arrays.
pub(super) fn blocks(
    b: &mut Builder<'_>,
    stencil: &Stencil,
    (tile, types): (&[i64], &[Type]),
    block: impl FnOnce(&mut Builder<'_>, &[Value], &[Value]) -> Vec<Value>,
) -> Vec<Value> {
    let ctx = b.ir.context();
    let sizes = stencil.segmap.sizes(b.ir);
    let space = tiles(b, stencil, tile);
    let results: Vec<Type> = types
        .iter()
        .map(|&ty| {
            let element = ty.shaped(&ctx).map_or(ty, |(_, element)| element);
            let row = tensor_of(b, tile, element);
            tensor_over(&ctx, sizes.len(), row)
        })
        .collect();
    let extents = constants(b, tile);
    let blocks = SegMapOp::builder()
        .level(Level::Block.attr(&ctx))
        .sizes(&space)
        .results_types(&results)
        .build(b);
    let region = blocks.body(b.ir);
    b.build_block(region, &vec![ctx.index(); sizes.len()], |b, points| {
        let (outer, tiled) = points.split_at(stencil.outer);
        let firsts: Vec<Value> = tiled
            .iter()
            .zip(&extents)
            .map(|(&point, &extent)| index::mul(b, point, extent))
            .collect();
        let values = block(b, outer, &firsts);
        ReturnOp::build(b, &values);
    });
    let mut whole = Vec::new();
    for (tiles, &ty) in blocks.results(b.ir).into_iter().zip(types) {
        whole.push(UntileOp::build(b, tiles, &sizes[stencil.outer..], ty).result(b.ir));
    }
    sweep(b.ir, blocks.op());
    whole
}

/// A stencil with the indices of outer dimensions, which stand in its groups, replaced.
pub(super) fn in_block(ir: &Ir, stencil: &Stencil, outer: &[Value]) -> Stencil {
    let args = ir.block_args(stencil.segmap.body_block(ir)).to_vec();
    let mut stencil = stencil.clone();
    for group in &mut stencil.groups {
        for index in &mut group.lead {
            if let Some(at) = args[..outer.len()].iter().position(|arg| arg == index) {
                *index = outer[at];
            }
        }
    }
    stencil
}

/// Indices of the space at places of a tile; places beyond it are taken for its last index.
pub(super) fn indices_at(
    b: &mut Builder<'_>,
    outer: &[Value],
    (firsts, places): (&[Value], &[Value]),
    lasts: &[Value],
) -> Vec<Value> {
    let mut args = outer.to_vec();
    for ((&first, &place), &last) in firsts.iter().zip(places).zip(lasts) {
        let at = index::add(b, first, place);
        args.push(index::min(b, at, last));
    }
    args
}

/// The last index of each tiled dimension.
pub(super) fn lasts(b: &mut Builder<'_>, stencil: &Stencil) -> Vec<Value> {
    let one = index::constant(b, 1);
    let sizes = stencil.segmap.sizes(b.ir);
    sizes[stencil.outer..]
        .iter()
        .map(|&size| index::sub(b, size, one))
        .collect()
}

/// The points of a tile, from copies of the elements around it: what they return.
pub(super) fn points(
    b: &mut Builder<'_>,
    stencil: &Stencil,
    shape: &Shape,
    (outer, firsts, lasts): (&[Value], &[Value], &[Value]),
    staged: &[Staged],
) -> Vec<Value> {
    let elements = stencil.elements(b.ir);
    let points = threads(b, &shape.extents, &elements, |b, places| {
        let args = indices_at(b, outer, (firsts, places), lasts);
        body_at(b, stencil, (&args, places), staged)
    });
    shape.registers.assign(b.ir, points);
    points.results(b.ir)
}

/// Replaces a stencil by one in tiles; the values in place of its results.
pub(super) fn tile(ir: &mut Ir, stencil: &Stencil, shape: &Shape) -> Vec<Value> {
    let op = stencil.segmap.op();
    let tiled = shape.extents.len();
    let mut b = Builder::before(ir, op);
    let extents: Vec<Vec<Value>> = stencil
        .groups
        .iter()
        .map(|group| extents_of(&mut b, group, tiled))
        .collect();
    let lasts = lasts(&mut b, stencil);
    let old = stencil.segmap.results(b.ir);
    let types: Vec<Type> = old.into_iter().map(|value| b.type_of(value)).collect();
    let whole = blocks(
        &mut b,
        stencil,
        (&shape.extents, &types),
        |b, outer, firsts| {
            let stencil = in_block(b.ir, stencil, outer);
            let mut staged = Vec::new();
            for (group, extents) in stencil.groups.iter().zip(&extents) {
                let reach: Vec<(i64, i64)> = (0..tiled).map(|dim| group.reach(dim)).collect();
                let low: Vec<i64> = reach.iter().map(|reach| -reach.0).collect();
                let high: Vec<i64> = reach.iter().map(|reach| reach.1).collect();
                staged.push(stage(
                    b,
                    group,
                    (firsts, &shape.extents),
                    (&low, &high),
                    extents,
                ));
            }
            points(b, &stencil, shape, (outer, firsts, &lasts), &staged)
        },
    );
    ir.replace_op(op, &whole);
    whole
}
