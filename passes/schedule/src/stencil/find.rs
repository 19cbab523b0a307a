//! Which segmaps are stencils: what their points read around them.

use segra_ir::interfaces::{is_pure, is_speculatable};
use segra_ir::{Ir, Op, OpView, Type, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::near::NearOp;
use segra_kernel::segop::{SegMapOp, SegmentedOp};
use segra_std::boundary::Boundary;

/// The neighbours that points read of one tensor, by one rule.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) tensor: Value,
    /// Indices along dimensions before the tiled ones.
    pub(super) lead: Vec<Value>,
    pub(super) rule: Boundary,
    /// The value outside, where the rule takes one.
    pub(super) otherwise: Option<Value>,
    /// Offsets along the tiled dimensions, each once.
    pub(super) offsets: Vec<Vec<i64>>,
    pub(super) reads: Vec<NearOp>,
}

impl Group {
    /// The least and the greatest offset along a tiled dimension, 0 included.
    pub(super) fn reach(&self, dim: usize) -> (i64, i64) {
        let along = || self.offsets.iter().map(|offset| offset[dim]);
        (
            along().min().unwrap_or(0).min(0),
            along().max().unwrap_or(0).max(0),
        )
    }

    /// The furthest neighbour along a tiled dimension, to either side.
    pub(super) fn far(&self, dim: usize) -> i64 {
        let (low, high) = self.reach(dim);
        high.max(-low)
    }

    /// Whether it is the elements at the points themselves that are read.
    pub(super) fn is_still(&self) -> bool {
        self.offsets.iter().flatten().all(|&offset| offset == 0)
    }
}

/// A segmap whose points read neighbours.
#[derive(Clone, Debug)]
pub(super) struct Stencil {
    pub(super) segmap: SegMapOp,
    /// Dimensions of the space before the tiled ones.
    pub(super) outer: usize,
    pub(super) groups: Vec<Group>,
    /// Those of which each point reads one element.
    pub(super) single: Vec<Group>,
}

/// Segmaps that are not inside of segmented ops, if some of them read neighbours.
pub(super) fn outermost(ir: &Ir, around: Op) -> Vec<SegMapOp> {
    let all = ir.walk(around);
    if !all.iter().any(|&op| ir.isa::<NearOp>(op)) {
        return Vec::new();
    }
    let is_segmented = |&op: &Op| ir.interface::<dyn SegmentedOp>(op).is_some();
    let mut found = all;
    found.retain(|&op| {
        ir.isa::<SegMapOp>(op) && !ir.ancestors(op).skip(1).any(|op| is_segmented(&op))
    });
    found.into_iter().map(SegMapOp::from_op).collect()
}

/// Those of them that read neighbours.
pub(super) fn candidates(ir: &Ir, around: Op) -> Vec<SegMapOp> {
    let mut found = outermost(ir, around);
    found.retain(|segmap| {
        ir.walk(segmap.op())
            .into_iter()
            .any(|op| ir.isa::<NearOp>(op))
    });
    found
}

/// The rule by which several groups read outside of their arrays.
#[derive(Default)]
pub(super) struct Rules {
    /// The one of those that say which element of the array is read.
    pub(super) total: Option<Boundary>,
    /// Whether some read what is no element of it.
    pub(super) outside: bool,
}

impl Rules {
    /// Takes one more; none where the rules are two, or there is none to read by.
    pub(super) fn add(&mut self, rule: Boundary) -> Option<()> {
        match rule {
            Boundary::Inside => return None,
            Boundary::Outside => self.outside = true,
            rule if self.total.is_none_or(|known| known == rule) => self.total = Some(rule),
            _ => return None,
        }
        Some(())
    }
}

impl Stencil {
    /// The stencil that a segmap is.
    ///
    /// # Errors
    /// Why it is none that can run in tiles.
    pub(super) fn of(ir: &Ir, segmap: SegMapOp) -> Result<Stencil, &'static str> {
        let stencil = Stencil::with_outer(ir, segmap, Self::outer_of(ir, segmap)?);
        match stencil.groups.is_empty() {
            true => Err("reads no element more than once"),
            false => Ok(stencil),
        }
    }

    /// The types of what a point returns.
    pub(super) fn elements(&self, ir: &Ir) -> Vec<Type> {
        let results = self.segmap.results(ir).into_iter();
        let element = |result| {
            let ty = ir.value_type(result);
            ty.shaped(ir.ctx()).map_or(ty, |(_, element)| element)
        };
        results.map(element).collect()
    }

    /// The dimensions of a segmap before those along which points read neighbours.
    ///
    /// # Errors
    /// Why it cannot run in tiles.
    pub(super) fn outer_of(ir: &Ir, segmap: SegMapOp) -> Result<usize, &'static str> {
        Self::moved_from(ir, segmap)?.ok_or("reads no neighbours beside its own points")
    }

    /// The outermost dimension along which points read neighbours; none where they read their own elements only.
    ///
    /// # Errors
    /// Why the segmap can be no part of tiles.
    pub(super) fn moved_from(ir: &Ir, segmap: SegMapOp) -> Result<Option<usize>, &'static str> {
        if segmap.level(ir) != Level::Thread || segmap.mapping_attr(ir).is_some() {
            return Err("has a level or mapping of its own");
        }
        let body = segmap.body_block(ir);
        let returned = ir
            .last_op(body)
            .map(|last| ir.operands(last).collect::<Vec<_>>());
        let scalars = returned.unwrap_or_default();
        if !scalars
            .iter()
            .all(|&value| ir.value_type(value).is_scalar(ir.ctx()))
        {
            return Err("returns arrays");
        }
        runs_anywhere(ir, segmap)?;
        let args = ir.block_args(body).to_vec();
        let moved = neighbours(ir, segmap);
        let moved = moved
            .iter()
            .filter_map(|&near| first_moved(ir, near, &args));
        Ok(moved.min())
    }

    /// The stencil that a segmap is, with so many dimensions before the tiled ones.
    pub(super) fn with_outer(ir: &Ir, segmap: SegMapOp, outer: usize) -> Stencil {
        let args = ir.block_args(segmap.body_block(ir)).to_vec();
        let nears = neighbours(ir, segmap);
        let mut stencil = Stencil {
            segmap,
            outer,
            groups: Vec::new(),
            single: Vec::new(),
        };
        // Those at the point itself come last: they belong to the group of others of the same tensor.
        let (still, moving): (Vec<NearOp>, Vec<NearOp>) = nears
            .into_iter()
            .partition(|near| near.offsets(ir).iter().all(|&offset| offset == 0));
        for near in moving.into_iter().chain(still) {
            stencil.take(ir, near, &args);
        }
        // An element that is read once at each point is read by no other point.
        let groups = std::mem::take(&mut stencil.groups).into_iter();
        (stencil.groups, stencil.single) = groups.partition(|group| group.offsets.len() > 1);
        stencil
    }

    /// Dimensions of a tile.
    pub(super) fn tiled(&self, ir: &Ir) -> usize {
        self.segmap.sizes(ir).len() - self.outer
    }

    /// Adds a read to the group it belongs to, if it is one that tiles have elements for.
    fn take(&mut self, ir: &Ir, near: NearOp, args: &[Value]) {
        let (indices, offsets) = (near.indices(ir), near.offsets(ir));
        let tiled = args.len() - self.outer;
        let Some(first) = indices.len().checked_sub(tiled) else {
            return;
        };
        let segmap = self.segmap.op();
        let known = |value: &Value| {
            args[..self.outer].contains(value) || !ir.is_defined_inside(*value, segmap)
        };
        let outside = near.otherwise(ir);
        let good = indices[first..] == args[self.outer..]
            && indices[..first].iter().all(known)
            && offsets[..first].iter().all(|&offset| offset == 0)
            && outside.is_none_or(|value| !ir.is_defined_inside(value, segmap));
        if !good {
            return;
        }
        let offset = offsets[first..].to_vec();
        let still = offset.iter().all(|&offset| offset == 0);
        let same = |group: &&mut Group| {
            group.tensor == near.tensor(ir)
                && group.lead == indices[..first]
                && (still || group.rule == near.boundary(ir) && group.otherwise == outside)
        };
        if let Some(group) = self.groups.iter_mut().find(same) {
            if !group.offsets.contains(&offset) {
                group.offsets.push(offset);
            }
            group.reads.push(near);
            return;
        }
        self.groups.push(Group {
            tensor: near.tensor(ir),
            lead: indices[..first].to_vec(),
            rule: near.boundary(ir),
            otherwise: outside,
            offsets: vec![offset],
            reads: vec![near],
        });
    }
}

fn neighbours(ir: &Ir, segmap: SegMapOp) -> Vec<NearOp> {
    let inside = ir.walk(segmap.op()).into_iter();
    inside.filter_map(|op| ir.cast::<NearOp>(op)).collect()
}

/// The outermost dimension of the space along which a read moves, if it reads at indices of the space there.
fn first_moved(ir: &Ir, near: NearOp, args: &[Value]) -> Option<usize> {
    let moved = near.indices(ir).into_iter().zip(near.offsets(ir));
    moved
        .filter(|&(_, offset)| offset != 0)
        .filter_map(|(index, _)| args.iter().position(|&arg| arg == index))
        .min()
}

/// Whether the body may run for points that the space does not have: it stops nowhere but where all points stop, and reads nothing
/// at indices that it computes.
fn runs_anywhere(ir: &Ir, segmap: SegMapOp) -> Result<(), &'static str> {
    let body = segmap.body_block(ir);
    let args = ir.block_args(body);
    for op in ir.walk(segmap.op()).into_iter().skip(1) {
        let plain = |indices: Vec<Value>| {
            let known =
                |value: &Value| args.contains(value) || !ir.is_defined_inside(*value, segmap.op());
            indices.iter().all(known)
        };
        if let Some(near) = ir.cast::<NearOp>(op) {
            if near.checked_attr(ir).is_some() || !plain(near.indices(ir)) {
                return Err("reads neighbours of elements at indices that it computes");
            }
        } else if let Some(read) = Read::of(ir, op) {
            // Of an array of weights: an index from outside of the space is right or wrong for all its points.
            let of_all = ir.block_of(op) == Some(body)
                && !ir.is_defined_inside(read.tensor(ir), segmap.op())
                && read
                    .indices(ir)
                    .iter()
                    .all(|&index| !ir.is_defined_inside(index, segmap.op()));
            if !of_all && (read.is_checked(ir) || !plain(read.indices(ir))) {
                return Err("reads elements at indices that it computes");
            }
        } else if ir.interface::<dyn SegmentedOp>(op).is_some() {
            return Err("has segmented ops inside");
        } else if ir.regions(op).is_empty() && !(is_pure(ir, op) && is_speculatable(ir, op)) {
            return Err("does more than to compute, or may stop the program");
        }
    }
    Ok(())
}
