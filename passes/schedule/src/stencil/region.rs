//! The points of a tile and of what lies around it, by a thread block: a step that others come behind, in one kernel.
//!
//! Elements outside of the space are made as they are to be read by the next step. By `clamp`, `mirror` and `symmetric` the
//! element at a place outside is that at a place inside that is no further away, which the region has: it is computed there.
//! By `wrap` the space goes on outside, and is computed there like elsewhere. With a value, it is that. Only tiles at a
//! border ask for any of this, and ask once for each place.

use super::find::{Group, Stencil};
use super::shape::Shape;
use super::tile::{Staged, body_at, or_outside, threads, whole_rows};
use segra_ir::{Builder, Value};
use segra_kernel::access::Read;
use segra_std::arith::{self, CmpIPredicate, index};
use segra_std::boundary::Boundary;
use segra_std::scf::IfOp;

/// Where a thread block's tile is: indices of outer dimensions, the first index of the tile along the others, and the last
/// ones of the space.
pub(super) type Place<'a> = (&'a [Value], &'a [Value], &'a [Value]);

/// A tile with so much around it.
pub(super) struct Region<'a> {
    pub(super) stencil: &'a Stencil,
    pub(super) tile: &'a [i64],
    pub(super) around: &'a [i64],
    /// How far around the tile the kernel computes anything or reads.
    pub(super) farthest: &'a [i64],
    /// The rule by which elements of the region are read outside of the space.
    pub(super) rule: Boundary,
    pub(super) place: Place<'a>,
}

impl Region<'_> {
    /// The stencil's results at the places of the region, an array each; by position: the groups that read a result and may have
    /// a value of their own outside.
    pub(super) fn values(
        &self,
        b: &mut Builder<'_>,
        staged: &[Staged],
        readers: &[(usize, &Group)],
    ) -> Vec<Value> {
        let (outer, firsts, lasts) = self.place;
        let one = index::constant(b, 1);
        let (mut sizes, mut starts) = (Vec::new(), Vec::new());
        for (dim, &last) in lasts.iter().enumerate() {
            sizes.push(index::add(b, last, one));
            let before = index::constant(b, self.around[dim]);
            starts.push(index::sub(b, firsts[dim], before));
        }
        let inside = self.inside(b, &sizes);
        let region = self.extents();
        let elements = self.stencil.elements(b.ir);
        // Places behind the end of a row, for rows of a good length, have what its last one has.
        let (mut whole, last) = (region.clone(), region.len() - 1);
        for &element in &elements {
            whole[last] = whole[last].max(whole_rows(b, region[last], element));
        }
        let segmap = threads(b, &whole, &elements, |b, places| {
            let mut places = places.to_vec();
            if whole != region {
                let end = index::constant(b, region[last] - 1);
                places[last] = index::min(b, places[last], end);
            }
            let places = &places[..];
            let at: Vec<Value> = starts
                .iter()
                .zip(places)
                .map(|(&start, &place)| index::add(b, start, place))
                .collect();
            let (args, places) = self.taken(b, (&at, places, &starts), (&region, &sizes), inside);
            let args = [outer, &args].concat();
            let mut values = body_at(b, self.stencil, (&args, &places), staged);
            for &(result, group) in readers {
                values[result] = or_outside(b, group, values[result], (&at, &sizes));
            }
            values
        });
        segmap.results(b.ir)
    }

    fn extents(&self) -> Vec<i64> {
        let dims = self.tile.iter().zip(self.around);
        dims.map(|(tile, around)| tile + 2 * around).collect()
    }

    /// Whether all places that the kernel computes something at are indices of the space.
    fn inside(&self, b: &mut Builder<'_>, sizes: &[Value]) -> Value {
        let (_, firsts, _) = self.place;
        let mut all = None;
        for (dim, &margin) in self.farthest.iter().enumerate() {
            let low = index::constant(b, margin);
            let far = index::constant(b, margin + self.tile[dim]);
            let end = index::add(b, firsts[dim], far);
            for here in [
                index::cmp(b, CmpIPredicate::Sge, firsts[dim], low),
                index::cmp(b, CmpIPredicate::Sle, end, sizes[dim]),
            ] {
                all = Some(match all {
                    Some(all) => arith::AndIOp::build(b, all, here).result(b.ir),
                    None => here,
                });
            }
        }
        all.unwrap_or_else(|| {
            let ty = b.ctx().i1();
            arith::ConstantOp::int(b, 1, ty)
        })
    }

    /// The indices and places that points at `at` are computed at.
    fn taken(
        &self,
        b: &mut Builder<'_>,
        (at, places, starts): (&[Value], &[Value], &[Value]),
        (region, sizes): (&[i64], &[Value]),
        inside: Value,
    ) -> (Vec<Value>, Vec<Value>) {
        let index_type = b.ctx().index();
        let wraps = self.rule == Boundary::Wrap;
        let types = vec![index_type; if wraps { at.len() } else { 2 * at.len() }];
        let as_is = [at, if wraps { &[] } else { places }].concat();
        let branch = IfOp::with_bodies(
            b,
            inside,
            &types,
            |_| as_is.clone(),
            |b| {
                let (mut args, mut moved) = (Vec::new(), Vec::new());
                for dim in 0..at.len() {
                    let index_there = self.rule.emit(b, at[dim], sizes[dim]);
                    if wraps {
                        args.push(index_there);
                        continue;
                    }
                    let place = index::sub(b, index_there, starts[dim]);
                    let (zero, last) = (index::constant(b, 0), index::constant(b, region[dim] - 1));
                    let low = index::max(b, place, zero);
                    let place = index::min(b, low, last);
                    args.push(index::add(b, starts[dim], place));
                    moved.push(place);
                }
                [args, moved].concat()
            },
        );
        let mut found = branch.results(b.ir);
        let moved = match wraps {
            true => places.to_vec(),
            false => found.split_off(at.len()),
        };
        (found, moved)
    }
}

/// The tile itself, of an array that goes `margin` beyond it: by threads that have as many of its points as of those they return beside.
pub(super) fn inner(b: &mut Builder<'_>, shape: &Shape, array: Value, margin: &[i64]) -> Value {
    let ty = b.type_of(array);
    let element = ty.shaped(b.ctx()).map_or(ty, |(_, element)| element);
    let copy = threads(b, &shape.extents, &[element], |b, places| {
        let mut at = Vec::new();
        for (&place, &margin) in places.iter().zip(margin) {
            let margin = index::constant(b, margin);
            at.push(index::add(b, place, margin));
        }
        vec![Read::build(b, array, &at).result(b.ir)]
    });
    shape.registers.assign(b.ir, copy);
    copy.results(b.ir)[0]
}
