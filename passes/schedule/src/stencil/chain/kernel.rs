//! The kernel of a chain of stencils, in its place or beside it in a branch.

use super::Chain;
use super::plan::Plan;
use crate::choice::{Answer, beside};
use crate::stencil::find::Group;
use crate::stencil::launch::{self, Tiles};
use crate::stencil::region::{Region, inner};
use crate::stencil::tile::{Staged, blocks, extents_of, in_block, lasts, points, stage};
use segra_ir::{Builder, Ir, Op, OpView, Type, Value};
use segra_std::arith::{CmpIPredicate, index};
use segra_std::boundary::Boundary;
use segra_std::scf::ForOp;
use segra_std::tensor::DimOp;

impl Chain {
    /// Whether arrays that are wrapped have the extents of the space, as far as that is not known: `carried` have them.
    /// `None`: one of them is not there yet where the builder is.
    pub(super) fn same_extents(
        &self,
        b: &mut Builder<'_>,
        carried: Option<ForOp>,
    ) -> Option<Answer> {
        let mut same = Answer::Known(true);
        for (stage, stencil) in self.stages.iter().enumerate() {
            if self.rules[stage] != Boundary::Wrap || stage + 1 == self.stages.len() {
                continue;
            }
            let sizes = stencil.segmap.sizes(b.ir)[stencil.outer..].to_vec();
            for (group, source) in stencil.groups.iter().zip(&self.sources[stage]) {
                let known = |looped: ForOp| looped.iter_args(b.ir).contains(&group.tensor);
                if source.is_some() || carried.is_some_and(known) {
                    continue;
                }
                if carried.is_some_and(|looped| b.ir.is_defined_inside(group.tensor, looped.op())) {
                    return None;
                }
                for (extent, &size) in extents_of(b, group, sizes.len()).into_iter().zip(&sizes) {
                    if is_dim_of(b.ir, size, extent) {
                        continue;
                    }
                    let here = index::cmp(b, CmpIPredicate::Eq, extent, size);
                    same = same.and(Answer::Asked(here), b);
                }
            }
        }
        Some(same)
    }

    /// The results that something behind the chain reads.
    fn results(&self, ir: &Ir) -> Vec<Value> {
        let outputs = self.outputs.iter();
        let result =
            |&(stage, result): &(usize, usize)| ir.result(self.stages[stage].segmap.op(), result);
        outputs.map(result).collect()
    }

    /// Puts the kernel in the place of the chain.
    pub(super) fn replace(&self, ir: &mut Ir, plan: &Plan) {
        let old = self.results(ir);
        let whole = self.emit(&mut Builder::before(ir, self.last().segmap.op()), plan);
        for (old, new) in old.into_iter().zip(whole) {
            ir.replace_all_uses(old, new);
        }
        for stage in self.stages.iter().rev() {
            ir.erase_op(stage.segmap.op());
        }
    }

    /// The kernel: whole arrays for the outputs.
    fn emit(&self, b: &mut Builder<'_>, plan: &Plan) -> Vec<Value> {
        let tiled = plan.shape.extents.len();
        let extents: Vec<Vec<Value>> = (plan.copies.iter())
            .map(|copy| extents_of(b, &self.stages[copy.stage].groups[copy.group], tiled))
            .collect();
        let lasts = lasts(b, self.last());
        let types: Vec<Type> = (self.outputs.iter())
            .map(|&(stage, result)| {
                let made = b.ir.result(self.stages[stage].segmap.op(), result);
                b.type_of(made)
            })
            .collect();
        let (first, tile) = (&self.stages[0], &plan.shape.extents);
        blocks(b, first, (tile, &types), |b, outer, firsts| {
            let kernel = Kernel {
                chain: self,
                plan,
                extents: &extents,
                place: (outer, firsts, &lasts),
            };
            kernel.emit(b)
        })
    }
}

/// Whether both are the extent of one dimension of an array.
fn is_dim_of(ir: &Ir, one: Value, other: Value) -> bool {
    let dim = |value: Value| {
        let dim = ir.def_as::<DimOp>(value)?;
        Some((dim.source(ir), dim.dim(ir)?))
    };
    one == other || dim(one).is_some() && dim(one) == dim(other)
}

/// The code of a thread block.
struct Kernel<'a> {
    chain: &'a Chain,
    plan: &'a Plan,
    /// By copy: extents of the array along the tiled dimensions.
    extents: &'a [Vec<Value>],
    place: (&'a [Value], &'a [Value], &'a [Value]),
}

impl Kernel<'_> {
    fn emit(&self, b: &mut Builder<'_>) -> Vec<Value> {
        let (chain, plan) = (self.chain, self.plan);
        let tile = &plan.shape.extents;
        let mut copied: Vec<Option<Value>> = vec![None; plan.copies.len()];
        let mut made: Vec<Vec<Value>> = Vec::new();
        let mut outputs = Vec::new();
        for (number, stencil) in chain.stages.iter().enumerate() {
            let stencil = in_block(b.ir, stencil, self.place.0);
            let around = &plan.margins[number];
            let mut staged = Vec::new();
            for (at, group) in stencil.groups.iter().enumerate() {
                let (tensor, margin) = match (chain.sources[number][at], plan.copy_of[number][at]) {
                    (Some((stage, result)), _) => (made[stage][result], &plan.margins[stage]),
                    (None, Some(copy)) => {
                        let margin = &plan.copies[copy].margin;
                        let known = copied[copy];
                        let tensor = known.unwrap_or_else(|| {
                            let place = (self.place.1, &tile[..]);
                            stage(b, group, place, (margin, margin), &self.extents[copy]).tensor
                        });
                        copied[copy] = Some(tensor);
                        (tensor, margin)
                    }
                    (None, None) => continue,
                };
                let before = margin.iter().zip(around);
                staged.push(Staged {
                    tensor,
                    first: before.map(|(far, near)| far - near).collect(),
                });
            }
            let wanted = chain.outputs.iter().filter(|(stage, _)| *stage == number);
            if number + 1 == chain.stages.len() {
                let values = points(b, &stencil, &plan.shape, self.place, &staged);
                outputs.extend(wanted.map(|&(_, result)| values[result]));
                continue;
            }
            let mut readers: Vec<(usize, &Group)> = Vec::new();
            for (_, result, group) in chain.readers(number) {
                let new = readers.iter().all(|(known, _)| *known != result);
                if group.otherwise.is_some() && new {
                    readers.push((result, group));
                }
            }
            let region = Region {
                stencil: &stencil,
                tile,
                around,
                farthest: &plan.farthest,
                rule: chain.rules[number],
                place: self.place,
            };
            let values = region.values(b, &staged, &readers);
            outputs
                .extend(wanted.map(|&(_, result)| inner(b, &plan.shape, values[result], around)));
            made.push(values);
        }
        outputs
    }
}

/// Puts the kernel of a chain in its place, or beside it in a branch; whether it may run.
pub(super) fn fuse(ir: &mut Ir, chain: &Chain, plan: &Plan, (name, enough): (String, i64)) -> bool {
    let last = chain.last().segmap.op();
    let mut b = Builder::before(ir, last);
    let tiles = Tiles::of(&mut b, chain.last(), &plan.shape.extents);
    let pays = tiles.chain_pays(&mut b, last, (plan.cycles, chain.stages.len()));
    let name = format!("{name}.chain");
    let enough = launch::default(plan.cycles, enough);
    let threshold = tiles.threshold(&mut b, &pays, (name, enough));
    let answer = match threshold.answer(&mut b) {
        Answer::Known(false) => return false,
        answer => {
            let same = chain.same_extents(&mut b, None);
            answer.and(same.unwrap_or(Answer::Known(false)), &mut b)
        }
    };
    match answer {
        Answer::Known(false) => return false,
        Answer::Known(true) => chain.replace(ir, plan),
        Answer::Asked(condition) => {
            let loc = ir.loc(last);
            let outputs = chain.results(ir);
            let stages: Vec<Op> = chain.stages.iter().map(|stage| stage.segmap.op()).collect();
            beside(ir, (last, condition), (&stages, &outputs), |ir, then| {
                Some(chain.emit(&mut Builder::at_end(ir, then, loc), plan))
            });
        }
    }
    true
}
