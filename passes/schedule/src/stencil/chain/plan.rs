//! How far around a tile the stencils of a chain are computed, what is copied, and what that costs beside the stencils one by one.

use super::Chain;
use crate::stencil::find::Stencil;
use crate::stencil::shape::Shape;
use rustc_hash::FxHashSet;
use segra_ir::{Ir, OpView, Type, Value};
use segra_kernel::registers::Registers;
use segra_kernel::vector::element_bytes;
use segra_space::Target;

/// Bytes from memory and from shared memory in a cycle of a multiprocessor (the simulator's H100,
/// `crates/ptx/src/profile/machine.rs`: 3350 GB/s at 1830 MHz for 132 of them, 32 banks).
pub(super) const MEMORY_BYTES: i64 = 14;
const SHARED_BYTES: i64 = 128;
/// Points that costs are for.
pub(super) const POINTS: i64 = 4096;

/// Most ops of a kernel, before registers.
pub(super) const MOST_OPS: usize = 2000;

/// Cycles of an op of a thread with the arithmetic for addresses that goes with it, and of a read from shared memory.
const OP: i64 = 2 * 4;
const SHARED: i64 = 23;

/// An array that is copied around a tile: the stage and the group that need it first, and how far it goes.
pub(super) struct Copied {
    pub(super) stage: usize,
    pub(super) group: usize,
    pub(super) margin: Vec<i64>,
    /// The last stage that reads it.
    pub(super) until: usize,
}

/// How far around a tile each stage is computed, and what is copied.
pub(super) struct Plan {
    pub(super) margins: Vec<Vec<i64>>,
    pub(super) copies: Vec<Copied>,
    /// By stage and group: the number of the copy.
    pub(super) copy_of: Vec<Vec<Option<usize>>>,
    /// How far the kernel reads.
    pub(super) farthest: Vec<i64>,
    /// Bytes that a tile reads and writes.
    pub(super) moved: i64,
    /// Points of a tile.
    pub(super) points: i64,
    /// Cycles of a multiprocessor for [`POINTS`].
    pub(super) cost: i64,
    /// Cycles of a thread for its points of a stage.
    pub(super) cycles: i64,
    pub(super) shape: Shape,
}

impl Plan {
    /// Whether so many bytes for each point, which the stencils move one by one, are clearly more.
    pub(super) fn spares(&self, single: i64) -> bool {
        self.moved * 5 <= single * self.points * 3
    }

    /// Whether the stencils move clearly more for each point one by one, and take clearly longer for it.
    pub(super) fn pays(&self, single: i64) -> bool {
        self.spares(single) && self.cost * 10 <= single * POINTS / MEMORY_BYTES * 9
    }
}

impl Chain {
    /// Whether two groups are copied as one.
    fn alike(&self, ir: &Ir, one: (usize, usize), other: (usize, usize)) -> bool {
        let group = |(stage, group): (usize, usize)| &self.stages[stage].groups[group];
        let lead = |(stage, group): (usize, usize)| -> Vec<Result<usize, Value>> {
            let stencil = &self.stages[stage];
            let args = &ir.block_args(stencil.segmap.body_block(ir))[..stencil.outer];
            let lead = stencil.groups[group].lead.iter();
            let place = |index: &Value| args.iter().position(|arg| arg == index).ok_or(*index);
            lead.map(place).collect()
        };
        let (x, y) = (group(one), group(other));
        (x.tensor, x.rule, x.otherwise) == (y.tensor, y.rule, y.otherwise)
            && lead(one) == lead(other)
    }

    /// How far around a tile each stage is computed.
    fn margins(&self, tiled: usize) -> Vec<Vec<i64>> {
        let mut margins = vec![vec![0; tiled]; self.stages.len()];
        for stage in (0..self.stages.len()).rev() {
            for (reader, _, group) in self.readers(stage) {
                let further: Vec<i64> = margins[reader]
                    .iter()
                    .enumerate()
                    .map(|(dim, by)| by + group.far(dim))
                    .collect();
                for (margin, far) in margins[stage].iter_mut().zip(further) {
                    *margin = far.max(*margin);
                }
            }
        }
        margins
    }

    /// The copies of arrays from outside of the chain, and by stage and group the number of the copy.
    fn copies(&self, ir: &Ir, margins: &[Vec<i64>]) -> (Vec<Copied>, Vec<Vec<Option<usize>>>) {
        let mut copies: Vec<Copied> = Vec::new();
        let mut copy_of = Vec::new();
        for (stage, stencil) in self.stages.iter().enumerate() {
            let mut numbers = Vec::new();
            for (group, source) in self.sources[stage].iter().enumerate() {
                if source.is_some() {
                    numbers.push(None);
                    continue;
                }
                let of = &stencil.groups[group];
                let dims = margins[stage].iter().enumerate();
                let margin: Vec<i64> = dims.map(|(dim, by)| by + of.far(dim)).collect();
                let known = (copies.iter())
                    .position(|copy| self.alike(ir, (copy.stage, copy.group), (stage, group)));
                let number = known.unwrap_or(copies.len());
                match copies.get_mut(number) {
                    Some(copy) => {
                        copy.until = stage;
                        for (known, more) in copy.margin.iter_mut().zip(margin) {
                            *known = more.max(*known);
                        }
                    }
                    None => copies.push(Copied {
                        stage,
                        group,
                        margin,
                        until: stage,
                    }),
                }
                numbers.push(Some(number));
            }
            copy_of.push(numbers);
        }
        (copies, copy_of)
    }

    /// Bytes of shared memory, where an array takes that of one before it which nothing reads any more, if that is as large and of
    /// the same type.
    fn shared(
        &self,
        ir: &Ir,
        tile: &[i64],
        margins: &[Vec<i64>],
        copies: &[Copied],
    ) -> Option<i64> {
        // Type, bytes, and the last stage that reads what lies there.
        let mut buffers: Vec<(Type, i64, usize)> = Vec::new();
        for (stage, stencil) in self.stages.iter().enumerate() {
            let mut arrays = Vec::new();
            for copy in copies.iter().filter(|copy| copy.stage == stage) {
                let tensor = stencil.groups[copy.group].tensor;
                arrays.push((tensor, &copy.margin, copy.until));
            }
            if stage + 1 < self.stages.len() {
                for (number, result) in stencil.segmap.results(ir).into_iter().enumerate() {
                    let readers = self.readers(stage).filter(|(_, of, _)| *of == number);
                    let until = readers.map(|(reader, ..)| reader).max().unwrap_or(stage);
                    arrays.push((result, &margins[stage], until));
                }
            }
            for (array, margin, until) in arrays {
                let (_, element) = ir.value_type(array).shaped(ir.ctx())?;
                let row = Target::CUDA.vector_bytes;
                let last = tile.len() - 1;
                let width = (tile[last] + 2 * margin[last]) * bytes_of(ir, array)?;
                let bytes =
                    volume(&tile[..last], &margin[..last]) * ((width + row - 1) / row * row);
                let free = (buffers.iter_mut())
                    .find(|(ty, size, used)| *ty == element && *size >= bytes && *used < stage);
                match free {
                    Some(buffer) => buffer.2 = until,
                    None => buffers.push((element, bytes, until)),
                }
            }
        }
        let each = |(_, bytes, _): &(Type, i64, usize)| bytes + Target::CUDA.shared_alignment;
        Some(buffers.iter().map(each).sum())
    }

    /// Bytes that a tile reads from shared memory and writes there. Stages but the last read all that their points need, for each anew; a
    /// thread of the last one has several points, which share what they read.
    fn accessed(
        &self,
        ir: &Ir,
        shape: &Shape,
        margins: &[Vec<i64>],
        copies: &[Copied],
    ) -> Option<i64> {
        let (tile, counts) = (&shape.extents, &shape.registers.counts);
        let inside = volume(tile, &vec![0; tile.len()]);
        let mut accessed = 0;
        for copy in copies {
            let tensor = self.stages[copy.stage].groups[copy.group].tensor;
            accessed += bytes_of(ir, tensor)? * volume(tile, &copy.margin);
        }
        for (number, stencil) in self.stages.iter().enumerate() {
            let points = volume(tile, &margins[number]);
            let is_last = number + 1 == self.stages.len();
            for group in &stencil.groups {
                let reads = match is_last {
                    true => {
                        inside * elements(&group.offsets, counts) / counts.iter().product::<i64>()
                    }
                    false => points * group.offsets.len() as i64,
                };
                accessed += bytes_of(ir, group.tensor)? * reads;
            }
            for result in stencil.segmap.results(ir).into_iter().filter(|_| !is_last) {
                accessed += bytes_of(ir, result)? * points;
            }
        }
        Some(accessed)
    }

    /// How the chain runs in tiles, if it can.
    pub(super) fn plan(&self, ir: &Ir) -> Option<Plan> {
        let shape = tiles_for(self.last().tiled(ir))?;
        let tile = &shape.extents;
        let margins = self.margins(tile.len());
        let (copies, copy_of) = self.copies(ir, &margins);
        let mut farthest = vec![0; tile.len()];
        for margin in margins.iter().chain(copies.iter().map(|copy| &copy.margin)) {
            for (far, &margin) in farthest.iter_mut().zip(margin) {
                *far = margin.max(*far);
            }
        }
        let near = farthest.iter().zip(tile).all(|(far, tile)| far <= tile);
        let inside = volume(tile, &vec![0; tile.len()]);
        let count = self.stages.len() as i64;
        let points: i64 = shape.registers.counts.iter().product();
        let (mut computed, mut all_ops, mut cycles, mut moved) = (0, 0, 0, 0);
        for (stencil, margin) in self.stages.iter().zip(&margins) {
            let points_of = volume(tile, margin);
            let ops = ir.walk(stencil.segmap.op()).len();
            let reads: usize = stencil.groups.iter().map(|group| group.reads.len()).sum();
            cycles += points * (OP * ops as i64 + SHARED * reads as i64) * points_of / inside;
            computed += points_of;
            all_ops += ops;
            for group in &stencil.single {
                moved += bytes_of(ir, group.tensor)? * points_of;
            }
        }
        for copy in &copies {
            let tensor = self.stages[copy.stage].groups[copy.group].tensor;
            moved += bytes_of(ir, tensor)? * volume(tile, &copy.margin);
        }
        for &(stage, result) in &self.outputs {
            moved += bytes_of(ir, ir.result(self.stages[stage].segmap.op(), result))? * inside;
        }
        let fits = near
            && self.shared(ir, tile, &margins, &copies)? <= Target::CUDA.shared_bytes
            && computed <= 2 * count * inside
            && all_ops <= MOST_OPS;
        if !fits {
            return None;
        }
        // Warps go over the ends of rows: every second access takes its banks twice.
        let accessed = self.accessed(ir, &shape, &margins, &copies)? * 3 / 2;
        Some(Plan {
            cost: (moved / MEMORY_BYTES).max(accessed / SHARED_BYTES) * POINTS / inside,
            margins,
            copies,
            copy_of,
            farthest,
            moved,
            points: inside,
            cycles: cycles / count,
            shape,
        })
    }
}

/// Bytes of the arrays that a stencil reads and writes for each point, by itself.
pub(super) fn alone(ir: &Ir, stencil: &Stencil) -> Option<i64> {
    let mut arrays: Vec<Value> = Vec::new();
    for group in stencil.groups.iter().chain(&stencil.single) {
        if !arrays.contains(&group.tensor) {
            arrays.push(group.tensor);
        }
    }
    arrays.extend(stencil.segmap.results(ir));
    arrays.into_iter().map(|array| bytes_of(ir, array)).sum()
}

/// How many elements of an array `counts` neighbouring points read.
fn elements(offsets: &[Vec<i64>], counts: &[i64]) -> i64 {
    let mut found: FxHashSet<Vec<i64>> = FxHashSet::default();
    for number in 0..counts.iter().product() {
        let mut rest: i64 = number;
        let mut point = Vec::new();
        for count in counts {
            point.push(rest % count);
            rest /= count;
        }
        let moved = |offset: &Vec<i64>| offset.iter().zip(&point).map(|(by, at)| by + at).collect();
        found.extend(offsets.iter().map(moved));
    }
    found.len() as i64
}

/// Extents of tiles, points and threads.
fn tiles_for(tiled: usize) -> Option<Shape> {
    let (points, threads): (&[i64], &[i64]) = match tiled {
        1 => (&[4], &[256]),
        2 => (&[4, 2], &[8, 32]),
        3 => (&[8, 1, 1], &[1, 8, 32]),
        _ => return None,
    };
    Some(Shape {
        extents: points
            .iter()
            .zip(threads)
            .map(|(points, threads)| points * threads)
            .collect(),
        registers: Registers {
            counts: points.to_vec(),
            runs: points.to_vec(),
            apart: None,
        },
    })
}

fn volume(tile: &[i64], margin: &[i64]) -> i64 {
    tile.iter()
        .zip(margin)
        .map(|(tile, margin)| tile + 2 * margin)
        .product()
}

fn bytes_of(ir: &Ir, value: Value) -> Option<i64> {
    let (_, element) = ir.value_type(value).shaped(ir.ctx())?;
    element_bytes(ir, element)
}
