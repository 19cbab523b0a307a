//! Arrays whose elements the threads of a block keep to themselves: one element each, in a register.
//!
//! A segmap inside a point whose extents are constants, with a thread for each of its points, gives every thread one
//! element. Where other segmaps over the same extents read that element at their own point and nowhere else, nobody else
//! needs it: it is a value of the thread, loops carry it as such, and neither shared memory nor a barrier is involved.
//! That is how accumulators of tiled loops stay in registers ("array expansion" and "scalarisation" of the
//! block-and-register tiling thesis, 2.1 and 2.2.3).
//!
//! Where there are warps by lanes of them, a reduction over the same extents has a warp for each segment, and each lane
//! combines what it holds itself; its result is a value of the warp's threads, if only they read it ([`OwnArrays::is_by_lanes`]).
//! A scatter over them has a point for each thread, too.

use crate::kernel::Kernel;
use crate::launch::{add, constant, mul};
use crate::segmented::WARP;
use crate::state::OwnArrays;
use rustc_hash::FxHashSet;
use segra_ir::interfaces::constant_of;
use segra_ir::{Builder, Ir, Op, OpView, Trait, Type, Value, ValueDef};
use segra_kernel::access::{Read, Update};
use segra_kernel::contract::{ContractOp, LANES};
use segra_kernel::registers::{RegTileOp, Registers};
use segra_kernel::segop::{Combiner, SegMapOp, SegRedOp, SegmentedOp};
use segra_kernel::tile::UntileOp;
use segra_kernel::update::ScatterOp;
use segra_space::Target;
use segra_std::arith;
use segra_std::arith::expr::unfold;

impl OwnArrays {
    /// The arrays of a point of `segmap` that threads can keep, for the extents that there are most of.
    pub(crate) fn of(ir: &Ir, segmap: Op) -> Option<OwnArrays> {
        let mut tried: Vec<Vec<i64>> = Vec::new();
        let split = may_split_warps(ir, segmap);
        let mut found: Option<OwnArrays> = None;
        for inner in ir.walk(segmap).into_iter().skip(1) {
            let Some(extents) = constant_extents(ir, inner) else {
                continue;
            };
            let whole = Target::CUDA.has_block_of(extents.iter().product());
            if tried.contains(&extents) || !(whole || split) {
                continue;
            }
            let search = Search {
                ir,
                segmap,
                extents: &extents,
                lanes: has_lanes(ir, segmap, &extents),
            };
            let arrays = search.run();
            let most = found.as_ref().map_or(0, |found| found.arrays.len());
            if arrays.len() > most {
                let in_warps = ir.walk(segmap).into_iter().any(|op| {
                    let contract = ir.cast::<ContractOp>(op);
                    contract.is_some_and(|contract| contract.threads(ir) == extents)
                });
                found = Some(OwnArrays {
                    extents: extents.clone(),
                    arrays,
                    in_warps,
                });
            }
            tried.push(extents);
        }
        found
    }

    pub(crate) fn contains(&self, value: Value) -> bool {
        self.arrays.contains(&value)
    }

    /// The part of a tile that threads hold, if a value is one that is put together from it: a part for each point of a thread.
    pub(crate) fn held(&self, ir: &Ir, value: Value) -> Option<Held> {
        if self.contains(value) {
            let ones = vec![1; self.extents.len()];
            let registers = Registers {
                counts: ones.clone(),
                runs: ones,
                apart: None,
            };
            return Some(Held {
                parts: vec![value],
                registers,
            });
        }
        let tile = ir
            .defining_op(value)
            .and_then(|op| ir.cast::<RegTileOp>(op))?;
        let parts = tile.parts(ir);
        let all = parts.iter().all(|&part| self.contains(part));
        all.then(|| Held {
            parts,
            registers: tile.points(ir),
        })
    }

    /// The indices of a thread of the block, from its number, its warp's and that in its warp.
    pub(super) fn point(
        &self,
        b: &mut Builder<'_>,
        [thread, warp, lane]: [Value; 3],
    ) -> Vec<Value> {
        let (&[_, columns], true) = (&self.extents[..], self.in_warps) else {
            let extents: Vec<Value> = self
                .extents
                .iter()
                .map(|&extent| constant(b, extent))
                .collect();
            return unfold(b, &extents, thread);
        };
        let inside = LANES.map(|lanes| constant(b, lanes));
        let across = constant(b, columns / LANES[1]);
        let [outer, inner] = [(warp, across), (lane, inside[1])].map(|(number, columns)| {
            let row = arith::DivUIOp::build(b, number, columns).result(b.ir);
            let column = arith::RemUIOp::build(b, number, columns).result(b.ir);
            [row, column]
        });
        (0..2)
            .map(|dim| {
                let first = mul(b, outer[dim], inside[dim]);
                add(b, first, inner[dim])
            })
            .collect()
    }

    /// Threads of the block.
    pub(crate) fn threads(&self) -> i64 {
        self.extents.iter().product()
    }

    /// Whether an op is a reduction in which each warp combines a segment of what its lanes have, an element each.
    pub(super) fn is_by_lanes(&self, ir: &Ir, op: Op) -> bool {
        !self.in_warps && is_by_lanes(ir, op, &self.extents)
    }

    /// Whether an op is a segmap with a point for each thread.
    pub(crate) fn is_over(&self, ir: &Ir, op: Op) -> bool {
        constant_extents(ir, op).is_some_and(|extents| extents == self.extents)
    }
}

/// Whether threads with these extents are warps by their lanes.
fn has_lanes(ir: &Ir, segmap: Op, extents: &[i64]) -> bool {
    let contracts = || {
        ir.walk(segmap)
            .into_iter()
            .any(|op| ir.isa::<ContractOp>(op))
    };
    matches!(extents, &[_, WARP]) && !contracts()
}

/// Whether an op is a reduction over these extents, warps by lanes, of scalars that are combined and no others.
fn is_by_lanes(ir: &Ir, op: Op, extents: &[i64]) -> bool {
    let Some(segred) = ir.cast::<SegRedOp>(op) else {
        return false;
    };
    matches!(extents, &[_, WARP])
        && known_extents(ir, op).as_deref() == Some(extents)
        && ir.num_results(op) == segred.neutral(ir).len()
        && Combiner::of(ir, op) == Some(Combiner::Warp)
}

/// Extents of a segmented op, where all are constants.
fn known_extents(ir: &Ir, op: Op) -> Option<Vec<i64>> {
    let sizes = ir.interface::<dyn SegmentedOp>(op)?.sizes(ir, op);
    let known = |size: Value| constant_of(ir, size).and_then(|attr| attr.as_i64(ir.ctx()));
    sizes.into_iter().map(known).collect()
}

/// Extents of a segmap that can have a thread per point.
fn constant_extents(ir: &Ir, op: Op) -> Option<Vec<i64>> {
    let extents = known_extents(ir, ir.cast::<SegMapOp>(op)?.op())?;
    let threads = extents
        .iter()
        .try_fold(1i64, |product, &extent| product.checked_mul(extent))?;
    let fits = threads <= Target::CUDA.launch.block_threads;
    (fits && extents.iter().all(|&extent| extent > 0)).then_some(extents)
}

/// Whether the last warp of a block may lack threads: its points are tiles of a nest, in which nothing is done by warps.
fn may_split_warps(ir: &Ir, segmap: Op) -> bool {
    let mut inside = ir.walk(segmap).into_iter().skip(1);
    let tiles = ir
        .results(segmap)
        .all(|result| ir.users(result).all(|user| ir.isa::<UntileOp>(user)));
    let alone = inside.all(|op| {
        let segmented = ir.interface::<dyn SegmentedOp>(op).is_some();
        !ir.isa::<ContractOp>(op) && (!segmented || ir.isa::<SegMapOp>(op))
    });
    tiles && alone
}

/// A tile of which each thread holds some elements.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    /// Arrays with an element per thread, row-major over the points of a thread.
    pub(crate) parts: Vec<Value>,
    pub(crate) registers: Registers,
}

impl Held {
    /// Extents of the tile, over `threads` along its dimensions.
    pub(crate) fn extents(&self, threads: &[i64]) -> Vec<i64> {
        let counts = threads.iter().zip(&self.registers.counts);
        counts.map(|(threads, count)| threads * count).collect()
    }
}

struct Search<'a> {
    ir: &'a Ir,
    segmap: Op,
    extents: &'a [i64],
    /// Whether the threads are warps by lanes.
    lanes: bool,
}

impl Search<'_> {
    /// The largest set of arrays that only go from segmaps over the extents to such segmaps, through loops.
    fn run(&self) -> FxHashSet<Value> {
        let mut arrays = FxHashSet::default();
        for op in self.ir.walk(self.segmap).into_iter().skip(1) {
            if self.is_over(op) {
                arrays.extend(self.ir.results(op).filter(|&result| self.fits(result)));
            } else if self.is_by_lanes(op) {
                arrays.extend(self.ir.results(op));
            } else if self.ir.op_name_str(op) == "scf.for" {
                let block = self.ir.entry_block(self.ir.region(op, 0));
                let args = block
                    .map(|block| self.ir.block_args(block).to_vec())
                    .unwrap_or_default();
                arrays.extend(
                    self.ir
                        .results(op)
                        .chain(args)
                        .filter(|&value| self.fits(value)),
                );
            }
        }
        loop {
            let wrong: Vec<Value> = arrays
                .iter()
                .copied()
                .filter(|&value| !self.is_own(value, &arrays))
                .collect();
            if wrong.is_empty() {
                return arrays;
            }
            for value in wrong {
                arrays.remove(&value);
            }
        }
    }

    fn is_over(&self, op: Op) -> bool {
        constant_extents(self.ir, op).is_some_and(|extents| extents == self.extents)
    }

    fn is_by_lanes(&self, op: Op) -> bool {
        self.lanes && is_by_lanes(self.ir, op, self.extents)
    }

    /// Whether an op has a point for each thread.
    fn is_by_threads(&self, op: Op) -> bool {
        let scatter = self.lanes && self.ir.isa::<ScatterOp>(op);
        self.is_over(op)
            || self.is_by_lanes(op)
            || scatter && known_extents(self.ir, op).as_deref() == Some(self.extents)
    }

    /// Whether an array has one scalar per thread, as far as its type says.
    fn fits(&self, value: Value) -> bool {
        let shaped = self.ir.value_type(value).shaped(self.ir.ctx());
        shaped.is_some_and(|(shape, _)| shape.len() == self.extents.len())
    }

    fn is_own(&self, value: Value, arrays: &FxHashSet<Value>) -> bool {
        let ir = self.ir;
        let carried = match ir.value_def(value) {
            ValueDef::Result { op, index } if ir.op_name_str(op) == "scf.for" => {
                Some((op, index as usize))
            }
            ValueDef::Result { .. } => None,
            ValueDef::Argument { block, index } => match (ir.block_parent(block), index) {
                (Some(op), 1..) => Some((op, index as usize - 1)),
                _ => return false,
            },
        };
        let made = match carried {
            Some((looped, index)) => self
                .around(looped, index)
                .is_some_and(|others| others.iter().all(|other| arrays.contains(other))),
            None => true,
        };
        made && ir
            .users(value)
            .all(|user| self.is_own_use(value, user, arrays))
    }

    /// The values that a loop carries at one position: at first, in each step, at its end, afterwards.
    fn around(&self, looped: Op, index: usize) -> Option<[Value; 4]> {
        let ir = self.ir;
        let block = ir.entry_block(ir.region(looped, 0))?;
        let yielded = ir.operands(ir.last_op(block)?).nth(index)?;
        let (init, arg) = (
            ir.operands(looped).nth(3 + index)?,
            *ir.block_args(block).get(1 + index)?,
        );
        Some([init, arg, yielded, ir.results(looped).nth(index)?])
    }

    fn is_own_use(&self, value: Value, user: Op, arrays: &FxHashSet<Value>) -> bool {
        let ir = self.ir;
        if let Some(read) = Read::of(ir, user) {
            return self.reads_own(read);
        }
        let places: Vec<usize> = ir
            .operands(user)
            .enumerate()
            .filter(|row| row.1 == value)
            .map(|row| row.0)
            .collect();
        match ir.op_name_str(user) {
            "scf.for" => places.iter().all(|&place| {
                let results = place
                    .checked_sub(3)
                    .and_then(|index| ir.results(user).nth(index));
                results.is_some_and(|result| arrays.contains(&result))
            }),
            "scf.yield" => {
                let parent = ir.block_of(user).and_then(|block| ir.block_parent(block));
                parent.is_some_and(|parent| {
                    ir.op_name_str(parent) == "scf.for"
                        && places.iter().all(|&place| {
                            ir.results(parent)
                                .nth(place)
                                .is_some_and(|result| arrays.contains(&result))
                        })
                })
            }
            _ => match ir.cast::<RegTileOp>(user) {
                // A tile of what threads hold is only returned, or only read: in shared memory.
                Some(tile) => {
                    let tile = tile.result(ir);
                    let others = |user: Op| Read::is(ir, user) || Update::is(ir, user);
                    ir.users(tile).all(|user| self.returns(user)) || ir.users(tile).all(others)
                }
                None => self.returns(user),
            },
        }
    }

    /// Whether an op yields what the segmap's points return.
    fn returns(&self, op: Op) -> bool {
        self.ir.has_trait(op, Trait::Terminator) && self.ir.parent_op(op) == Some(self.segmap)
    }

    /// Whether a read is at the point of the op around it, which has one for each thread: at all its indices, or at that
    /// of the warp, of what a warp has combined.
    fn reads_own(&self, read: Read) -> bool {
        let ir = self.ir;
        let around = ir.ancestors(read.op()).skip(1);
        let mut segmented =
            around.filter_map(|op| Some((op, ir.interface::<dyn SegmentedOp>(op)?)));
        let Some((op, model)) = segmented.next().filter(|row| self.is_by_threads(row.0)) else {
            return false;
        };
        let combined = ir
            .defining_op(read.tensor(ir))
            .is_some_and(|made| self.is_by_lanes(made));
        let rank = self.extents.len() - usize::from(combined);
        let block = ir.entry_block(model.body(ir, op));
        block.is_some_and(|block| ir.block_args(block)[..rank] == read.indices(ir))
    }
}

impl Kernel<'_> {
    /// Whether a value of the program is an array in memory, and not one with an element per thread.
    pub(crate) fn in_memory(&self, value: Value) -> bool {
        self.is_array(self.ir.value_type(value)) && !self.is_own(value)
    }

    /// Whether each thread keeps its element of an array.
    pub(crate) fn is_own(&self, value: Value) -> bool {
        self.own.as_ref().is_some_and(|own| own.contains(value))
    }

    /// The type by which a value is carried.
    pub(crate) fn carried_type(&self, value: Value) -> Type {
        let ty = self.ir.value_type(value);
        if self.is_own(value) {
            crate::access::element_type(self.ir, ty)
        } else {
            ty
        }
    }
}
