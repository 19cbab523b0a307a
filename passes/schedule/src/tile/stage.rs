//! Step 4: what the points of a block read in a tile of a loop is copied by all of them at once, and read from the copy.
//!
//! ```mlir
//! kernel.segmap thread (%p < 32) {              %ys = kernel.segmap thread (%e < 32) { return %y[%t * 32 + %e] }
//!   scf.for %e = 0 to %len {              ==>   kernel.segmap thread (%p < 32) {
//!     ... %y[%t * 32 + %e]                        scf.for %e = 0 to %len { ... %ys[%e] } }
//!   } }
//! ```
//! "Regular flattening" (Henriksen 2021), "Collectively copy ys to shared memory"; `collectiveCopy` of the thesis on block
//! and register tiling (3.2.1, 4.3). The copy is an array of the thread block, so it lies in shared memory. Its space has
//! a dimension for each index that the read depends on: the one behind the array's last index comes last, so that
//! neighbouring threads copy neighbouring elements. Indices may be computed in any way from those, by reads too: the copy
//! computes them the same, and checks them for the points. Where the tile is not full, places beyond it get a copy of the last element there is.
//!
//! Legality: the read happens at every step of the loop (not in a branch); it does not depend on what the loop carries; it
//! does not depend on all indices of the points, else nothing is read twice; the array is not one of the thread block, which
//! lies in shared memory already.

use crate::tile::Refusal;
use crate::tile::variance::{Indices, Variance};
use rustc_hash::FxHashSet;
use segra_ir::clone::Mapping;
use segra_ir::interfaces::is_pure;
use segra_ir::{Block, Builder, Ir, Op, OpView, TypeKind, Value};
use segra_kernel::access::Read;
use segra_kernel::level::Level;
use segra_kernel::segop::{ReturnOp, SegMapOp};
use segra_std::arith;
use segra_std::check::RequireOp;
use segra_std::scf::ForOp;

/// Copies what can be copied for `looped`, a loop of at most `tile` steps in the body of `segmap`. How many copies there are.
///
/// # Errors
/// The loop does not count from 0 by ones directly in the body, its length differs between points, or the segmap's
/// extents are not constants.
pub fn stage(ir: &mut Ir, segmap: SegMapOp, looped: ForOp, tile: i64) -> Result<usize, Refusal> {
    let nest = Nest::of(ir, segmap, looped, tile)?;
    let mut staged = 0;
    // Backwards: a read that only gives indices of another is part of that one's copy, and gone before its turn.
    let inner = looped.region_block(ir);
    let mut seen = FxHashSet::default();
    let next = |ir: &Ir, seen: &FxHashSet<Op>| {
        ir.ops_reversed(inner)
            .filter_map(|op| Read::of(ir, op))
            .find(|read| !seen.contains(&read.op()))
    };
    drop_unused(ir, looped);
    while let Some(read) = next(ir, &seen) {
        seen.insert(read.op());
        if let Some(copy) = nest.copy_of(ir, read) {
            let new = nest.replace(ir, read, &copy);
            seen.extend(new);
            staged += 1;
            drop_unused(ir, looped);
        }
    }
    Ok(staged)
}

/// Along which dimensions of a segmap there may be several points.
pub(crate) fn wide(ir: &Ir, segmap: SegMapOp) -> Vec<bool> {
    let sizes = segmap.sizes(ir).into_iter();
    sizes.map(|size| ir.constant_int(size) != Some(1)).collect()
}

/// Whether staging would copy a read of a loop: which of the segmap's indices it depends on, where that is so. `wide`: those
/// with several points.
pub(crate) fn shared_read(
    ir: &Ir,
    variance: &Variance,
    wide: &[bool],
    read: Read,
) -> Option<Indices> {
    let points = wide.len();
    let indices = ir
        .operands(read.op())
        .fold(Indices::default(), |all, value| {
            all.union(variance.get(value))
        });
    let scalar = ir.value_type(read.result(ir)).is_scalar(ir.ctx());
    let carried = indices.contains(points + 1);
    let repeated = (0..points).any(|point| wide[point] && !indices.contains(point));
    (scalar && !carried && repeated && indices.contains(points)).then_some(indices)
}

/// Numbers of values, for [`Variance`]: the points' indices, the counter of the loop, all that it carries.
pub(crate) fn seeds(ir: &Ir, body: Block, looped: ForOp) -> Vec<Value> {
    let mut seeds = ir.block_args(body).to_vec();
    seeds.extend(ir.block_args(looped.region_block(ir)));
    seeds
}

/// The element that a loop reads, with everything carried as one number behind the counter's.
pub(crate) fn variance(ir: &Ir, body: Block, looped: ForOp) -> Variance {
    Variance::of_numbered(
        ir,
        body,
        &seeds(ir, body, looped),
        ir.block_args(body).len() + 1,
    )
}

/// Index ops without use are gone: they keep reads alive that are copied with others.
fn drop_unused(ir: &mut Ir, looped: ForOp) {
    let ops: Vec<Op> = ir.ops(looped.region_block(ir)).collect();
    for op in ops.into_iter().rev() {
        let unused = ir.results(op).len() > 0 && ir.results(op).all(|result| !ir.has_uses(result));
        if unused && ir.regions(op).is_empty() && (is_pure(ir, op) || Read::is(ir, op)) {
            ir.erase_op(op);
        }
    }
}

struct Nest {
    segmap: SegMapOp,
    body: Block,
    looped: ForOp,
    /// The points' indices, then the counter.
    variables: Vec<Value>,
    /// Their extents; the counter's is the tile's.
    extents: Vec<i64>,
    variance: Variance,
}

/// A copy to be made: the variables of its space, outermost first.
struct Copy {
    variables: Vec<usize>,
}

impl Nest {
    fn of(ir: &Ir, segmap: SegMapOp, looped: ForOp, tile: i64) -> Result<Nest, Refusal> {
        let refuse = |reason: &str| Err(Refusal::new(looped.op(), reason));
        let body = segmap.body_block(ir);
        if ir.block_of(looped.op()) != Some(body) || !looped.counts_from_zero(ir) {
            return refuse("has no loop that counts from 0 by ones directly in its body");
        }
        let points = ir.block_args(body).to_vec();
        let variance = variance(ir, body, looped);
        if !variance.get(looped.upper_bound(ir)).is_empty() {
            return refuse("has a loop whose length differs between points");
        }
        let known = |size: Value| ir.constant_int(size);
        let extents: Option<Vec<i64>> = segmap.sizes(ir).into_iter().map(known).collect();
        let Some(mut extents) = extents else {
            return refuse("is in a space whose extents are not constants");
        };
        extents.push(tile);
        let mut variables = points;
        variables.push(ir.block_args(looped.region_block(ir))[0]);
        Ok(Nest {
            segmap,
            body,
            looped,
            variables,
            extents,
            variance,
        })
    }

    fn copy_of(&self, ir: &Ir, read: Read) -> Option<Copy> {
        let points = self.variables.len() - 1;
        if ir.value_block(read.tensor(ir)) == ir.block_of(self.segmap.op()) {
            return None;
        }
        let indices = shared_read(ir, &self.variance, &wide(ir, self.segmap), read)?;
        self.slice(ir, read)?;
        let mut variables: Vec<usize> = (0..=points).filter(|&at| indices.contains(at)).collect();
        let last = self.variance.get(*read.indices(ir).last()?);
        // The variable of the last index comes last; the counter before an index of points, where both are in it.
        let innermost = variables
            .iter()
            .rposition(|&at| last.contains(at) && at < points);
        let innermost = innermost.or_else(|| variables.iter().rposition(|&at| last.contains(at)));
        if let Some(innermost) = innermost {
            let variable = variables.remove(innermost);
            // Where the counter is left over, it goes before what is innermost.
            variables.push(variable);
        }
        Some(Copy { variables })
    }

    /// The ops that a read's operands come from, in order; none where they may not run for a copy.
    fn slice(&self, ir: &Ir, read: Read) -> Option<Vec<Op>> {
        let inner = self.looped.region_block(ir);
        let mut ops: Vec<Op> = Vec::new();
        let mut pending: Vec<Value> = ir.operands(read.op()).collect();
        pending.push(self.looped.upper_bound(ir));
        while let Some(value) = pending.pop() {
            let Some(op) = ir.defining_op(value) else {
                continue;
            };
            let here = ir.block_of(op);
            if (here != Some(inner) && here != Some(self.body)) || ops.contains(&op) {
                continue;
            }
            let copied = is_pure(ir, op) || Read::is(ir, op) || ir.isa::<RequireOp>(op);
            if !ir.regions(op).is_empty() || !copied {
                return None;
            }
            ops.push(op);
            pending.extend(ir.operands(op));
        }
        let in_order = |block: Block| {
            ir.ops(block)
                .filter(|op| ops.contains(op))
                .collect::<Vec<_>>()
        };
        let mut ordered = in_order(self.body);
        ordered.extend(in_order(inner));
        Some(ordered)
    }

    /// Builds the copy before the segmap, with the ops that the read's indices come from; its array.
    fn build(&self, ir: &mut Ir, read: Read, copy: &Copy, slice: &[Op]) -> Value {
        let points = self.variables.len() - 1;
        let element = ir.value_type(read.result(ir));
        let shape: Vec<i64> = copy.variables.iter().map(|&at| self.extents[at]).collect();
        let ty = ir.ctx().ty(TypeKind::Tensor {
            shape: shape.clone(),
            element,
            encoding: None,
        });
        let level = Level::Thread.attr(ir.ctx());
        let inner = self.looped.region_block(ir);
        let upper = self.looped.upper_bound(ir);
        let mut b = Builder::before(ir, self.segmap.op());
        b.loc = b.ir.loc(read.op());
        let sizes: Vec<Value> = shape
            .iter()
            .map(|&extent| arith::ConstantOp::index(&mut b, extent))
            .collect();
        let made = SegMapOp::builder()
            .level(level)
            .sizes(&sizes)
            .results_types(&[ty])
            .build(&mut b);
        let region = made.body(b.ir);
        let indices = vec![b.ctx().index(); shape.len()];
        b.build_block(region, &indices, |b, places| {
            let mut mapping = Mapping::new();
            for (&at, &place) in copy.variables.iter().zip(places) {
                mapping.map(self.variables[at], place);
            }
            let (outside, inside): (Vec<Op>, Vec<Op>) = slice
                .iter()
                .partition(|&&op| b.ir.block_of(op) != Some(inner));
            for op in outside {
                b.clone_op(op, &mut mapping);
            }
            // Places beyond a tile that is not full: there is at least one element, else the loop does not run.
            let counter = mapping.get(self.variables[points]);
            let full = b.ir.constant_int(upper);
            if full != Some(self.extents[points]) {
                let one = arith::ConstantOp::index(b, 1);
                let length = mapping.get(upper);
                let last = arith::SubIOp::build(b, length, one).result(b.ir);
                let existing = arith::MinSIOp::build(b, counter, last).result(b.ir);
                mapping.map(self.variables[points], existing);
            }
            for op in inside {
                b.clone_op(op, &mut mapping);
            }
            let copied = b.clone_op(read.op(), &mut mapping);
            let value = b.ir.result(copied, 0);
            ReturnOp::build(b, &[value]);
        });
        made.results(b.ir)[0]
    }

    /// Makes the copy before the segmap, and reads from it: that read.
    fn replace(&self, ir: &mut Ir, read: Read, copy: &Copy) -> Option<Op> {
        let slice = self.slice(ir, read)?;
        let inner = self.looped.region_block(ir);
        let tile = self.build(ir, read, copy, &slice);
        let places: Vec<Value> = copy
            .variables
            .iter()
            .map(|&at| self.variables[at])
            .collect();
        let mut b = Builder::before(ir, read.op());
        let value = Read::build(&mut b, tile, &places).result(b.ir);
        if let Some(name) = ir.value_name(read.result(ir)) {
            ir.set_value_name(value, name);
        }
        ir.replace_op(read.op(), &[value]);
        // The copy checks the indices: those of all points and steps that there are.
        for &op in slice.iter().rev() {
            let unused = ir.results(op).all(|result| !ir.has_uses(result));
            if ir.isa::<RequireOp>(op) && ir.block_of(op) == Some(inner) && unused {
                ir.erase_op(op);
            }
        }
        ir.defining_op(value)
    }
}
