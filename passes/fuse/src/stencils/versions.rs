//! Naive maps that are stencils where extents are large enough have two versions.
//!
//! ```mlir
//! %ys = array.map (%i in %is : [n]index) {         %large = (array.dim %xs, 0) >= 4
//!   %x = array.index %xs[(%i - 3 + %n) mod %n]     %ys = scf.if %large { array.map { array.near %xs[%i] by [-3] wrap } }
//! }                                          =>      else { array.map { as before } }
//! ```
//! An index that is wrapped or mirrored once is that of its rule where the extent is more than the distance; in a smaller array it
//! is another one, or stops the program. The host asks which it is, before the outermost loop of the map, where the extents
//! are known there by the parameters of the function.
//!
//! Legality: the other version is the program as it was. Deliberately absent: maps whose other elements are at indices that
//! they compute otherwise, as those run in no tiles; code inside of combinators, which the host does not run.

use super::{Extent, Near, extent_of, is_own, near, neighbour};
use rustc_hash::FxHashMap;
use segra_array::combinator::is_combinator;
use segra_array::shape::{DimOp, IndexOp};
use segra_array::stencil::FURTHEST;
use segra_array::types::{Size, sizes_and_element};
use segra_ir::clone::Mapping;
use segra_ir::{Builder, Ir, Op, Type, Value};
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::func::FuncOp;
use segra_std::scf::{ForOp, IfOp, WhileOp};

/// More than any distance.
pub(super) const ENOUGH: i64 = FURTHEST + 1;

/// An extent that is asked for: of an array's dimension.
type Asked = (Value, i64);

/// Gives maps a version for extents that are large enough to be stencils. How many elements are neighbours there.
pub(super) fn by_extent(ir: &mut Ir, around: Op) -> u64 {
    let mut wanted: FxHashMap<Op, Vec<IndexOp>> = FxHashMap::default();
    let mut order = Vec::new();
    for op in ir.walk(around) {
        let Some(read) = ir.cast::<IndexOp>(op) else {
            continue;
        };
        let Some(map) = outermost(ir, op, around) else {
            continue;
        };
        let reads = wanted.entry(map).or_default();
        if reads.is_empty() {
            order.push(map);
        }
        reads.push(read);
    }
    let mut elements = 0;
    let mut asked: Vec<(Op, Vec<(Asked, i64)>)> = Vec::new();
    for map in order {
        let Some(extents) = extents(ir, map, &wanted[&map]) else {
            continue;
        };
        let (op, extents) = before_loops(ir, map, around, extents);
        match asked.iter_mut().find(|known| known.0 == op) {
            Some(known) => known.1.extend(extents),
            None => asked.push((op, extents)),
        }
    }
    for (op, extents) in asked {
        // Those inside of a loop that has versions are gone.
        if ir.block_of(op).is_none() {
            continue;
        }
        elements += version(ir, op, &extents);
    }
    elements
}

/// The outermost combinator around an op, if the host runs it and it is in a function of the op that the pass runs on.
fn outermost(ir: &Ir, op: Op, around: Op) -> Option<Op> {
    let ancestors = ir.ancestors(op).skip(1);
    let inside = ancestors.take_while(|&above| above != around);
    inside.filter(|&above| is_combinator(ir, above)).last()
}

/// The extents that a map's elements ask for to be neighbours, with the least of each; none if others stay that it computes.
fn extents(ir: &Ir, map: Op, reads: &[IndexOp]) -> Option<Vec<(Asked, i64)>> {
    let mut all = Vec::new();
    for &read in reads {
        let indices = read.indices(ir);
        if !indices.iter().any(|&at| ir.is_defined_inside(at, map)) {
            continue;
        }
        let array = read.array(ir);
        if is_own(ir, array, &indices) {
            continue;
        }
        let found = near(ir, read, &[], ENOUGH)?;
        if ir.is_defined_inside(array, map) {
            return None;
        }
        all.extend(needs(ir, array, &found));
    }
    (!all.is_empty()).then_some(all)
}

/// The extents of an array that are more than a neighbour's distance, where that is no constant.
fn needs(ir: &Ir, array: Value, found: &Near) -> Vec<(Asked, i64)> {
    let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(array));
    let dims = sizes.iter().zip(&found.offsets).enumerate();
    let asked =
        dims.filter(|(_, (size, offset))| !matches!(size, Size::Constant(_)) && **offset != 0);
    asked
        .map(|(dim, (_, offset))| ((array, dim as i64), offset.abs() + 1))
        .collect()
}

/// The outermost loop around a map before which all extents are known, or the map, with the extents as they are known there.
fn before_loops(
    ir: &Ir,
    map: Op,
    around: Op,
    extents: Vec<(Asked, i64)>,
) -> (Op, Vec<(Asked, i64)>) {
    let is_loop = |&op: &Op| ir.isa::<ForOp>(op) || ir.isa::<WhileOp>(op);
    let loops: Vec<Op> = ir
        .ancestors(map)
        .skip(1)
        .take_while(|&above| above != around && is_loop(&above))
        .collect();
    for &looped in loops.iter().rev() {
        let known: Option<Vec<_>> = extents
            .iter()
            .map(|&((array, dim), least)| Some((known_before(ir, looped, array, dim)?, least)))
            .collect();
        if let Some(known) = known {
            return (looped, known);
        }
    }
    (map, extents)
}

/// An array that is there before a loop and has an extent of another one.
fn known_before(ir: &Ir, looped: Op, array: Value, dim: i64) -> Option<Asked> {
    if !ir.is_defined_inside(array, looped) {
        return Some((array, dim));
    }
    let name = match extent_of(ir, array, usize::try_from(dim).ok()?) {
        Extent::Symbol(name) => name,
        Extent::Dim(other, dim) if !ir.is_defined_inside(other, looped) => {
            return Some((other, dim as i64));
        }
        _ => return None,
    };
    let func = ir.ancestors(looped).find(|&op| ir.isa::<FuncOp>(op))?;
    let entry = ir.entry_block(*ir.regions(func).first()?)?;
    ir.block_args(entry).iter().find_map(|&arg| {
        let (sizes, _) = sizes_and_element(ir.ctx(), ir.value_type(arg));
        let at = sizes.iter().position(|&size| size == Size::Symbol(name))?;
        Some((arg, at as i64))
    })
}

/// Puts an op into both sides of a branch on its extents, with neighbours on the first. How many elements are neighbours.
fn version(ir: &mut Ir, op: Op, extents: &[(Asked, i64)]) -> u64 {
    let results: Vec<Type> = ir.results(op).map(|result| ir.value_type(result)).collect();
    let mut b = Builder::before(ir, op);
    let mut least: Vec<(Asked, i64)> = Vec::new();
    for &(asked, extent) in extents {
        match least.iter_mut().find(|known| known.0 == asked) {
            Some(known) => known.1 = known.1.max(extent),
            None => least.push((asked, extent)),
        }
    }
    let mut large: Option<Value> = None;
    for ((array, dim), extent) in least {
        let (dim, ty) = (b.ctx().i64_attr(dim), b.ctx().index());
        let size = DimOp::build(&mut b, array, dim, ty).result(b.ir);
        let extent = index::constant(&mut b, extent);
        let here = index::cmp(&mut b, CmpIPredicate::Sge, size, extent);
        large = Some(match large {
            Some(all) => arith::AndIOp::build(&mut b, all, here).result(b.ir),
            None => here,
        });
    }
    let Some(large) = large else {
        return 0;
    };
    let clone = |b: &mut Builder<'_>| {
        let copy = b.clone_op(op, &mut Mapping::new());
        b.ir.results(copy).collect::<Vec<Value>>()
    };
    let branch = IfOp::with_bodies(&mut b, large, &results, clone, clone);
    let (new, first) = (branch.results(b.ir).to_vec(), branch.then_region(b.ir));
    ir.replace_op(op, &new);
    let mut elements = 0;
    let blocks: Vec<_> = ir.blocks(first).collect();
    for block in blocks {
        let ops: Vec<Op> = ir.ops(block).collect();
        for op in ops {
            for inner in ir.walk(op) {
                if let Some(read) = ir.cast::<IndexOp>(inner) {
                    elements += u64::from(neighbour(ir, read, ENOUGH));
                }
            }
        }
    }
    elements
}
