//! Loops of a thread along rows in shared memory: several steps at a time, with one load of 128 bits for their elements.
//!
//! ```text
//! for k = 0 to 32 step 1 { x = load tile[row * 32 + k]; body(k, x) }
//!   ==>
//! for k = 0 to 32 step 4 { xs = vector.load {alignment = 16} tile[row * 32 + k]; body(k, xs[0]); ...; body(k + 3, xs[3]) }
//! ```
//! That is a quarter of the loads. Threads that read different rows meet different banks where rows lie an odd number of
//! vectors apart: a load of 128 bits goes by eight lanes at a time, which then touch all 32 banks ([`pitch`]).
//!
//! Legality: the loop's bounds are constants, its step is 1, their difference is a multiple of the lanes, and it carries no
//! arrays; its body has no nested ops, no checks, and is not too long. Reads that are taken so are at all indices of an
//! array in shared memory whose rows start aligned, the last of them the loop's counter, the others known before the loop.
//! Arrays in shared memory start at multiples of 16 bytes. Other reads stay as they are.

use crate::kernel::Kernel;
use crate::launch::{add, constant};
use crate::state::{Memory, Unit};
use segra_ir::interfaces::constant_of;
use segra_ir::{InsertPoint, Ir, OpView, Value};
use segra_kernel::access::Read;
use segra_kernel::vector::{MOST_WORK, element_bytes, has_checks, work};
use segra_space::Target;
use segra_std::{scf, vector};

/// How a loop takes several steps at a time.
#[derive(Clone, Debug)]
struct Steps {
    lanes: i64,
    bounds: [i64; 2],
    reads: Vec<Read>,
}

/// Steps of a loop whose bounds the program gives; none where they cannot be taken several at a time.
fn steps(ir: &Ir, looped: scf::ForOp) -> Option<Steps> {
    let known = |value: Value| constant_of(ir, value)?.as_i64(ir.ctx());
    let (lower, upper) = (
        known(looped.lower_bound(ir))?,
        known(looped.upper_bound(ir))?,
    );
    if known(looped.step(ir)) != Some(1) || lower < 0 || upper <= lower {
        return None;
    }
    let block = ir.entry_block(ir.region(looped.op(), 0))?;
    let counter = *ir.block_args(block).first()?;
    let outside = |value: &Value| !ir.is_defined_inside(*value, looped.op());
    let mut reads = Vec::new();
    for read in ir.ops(block).filter_map(|op| Read::of(ir, op)) {
        let indices = read.indices(ir);
        let Some((&last, others)) = indices.split_last() else {
            continue;
        };
        let along = last == counter && others.iter().all(outside) && outside(&read.tensor(ir));
        let whole = ir
            .value_type(read.tensor(ir))
            .shaped(ir.ctx())
            .map(|shaped| shaped.0.len());
        if along
            && whole == Some(indices.len())
            && element_bytes(ir, ir.value_type(read.result(ir))).is_some()
        {
            reads.push(read);
        }
    }
    let widest = reads
        .iter()
        .filter_map(|read| element_bytes(ir, ir.value_type(read.result(ir))))
        .max()?;
    let lanes = Target::CUDA.vector_bytes / widest;
    let fits = lanes > 1 && lower % lanes == 0 && (upper - lower) % lanes == 0;
    let short = work(ir, block).is_some_and(|work| work * lanes <= MOST_WORK);
    (fits && short && !has_checks(ir, block)).then_some(Steps {
        lanes,
        bounds: [lower, upper],
        reads,
    })
}

/// Elements that a read of a row takes at once, if it is in a loop that takes several steps at a time.
pub(crate) fn lanes_of(ir: &Ir, read: Read) -> Option<i64> {
    let looped = ir.cast::<scf::ForOp>(ir.parent_op(read.op())?)?;
    steps(ir, looped)
        .filter(|steps| steps.reads.contains(&read))
        .map(|steps| steps.lanes)
}

impl Kernel<'_> {
    /// Emits a loop several steps at a time, where that is legal and saves loads; whether it did.
    pub(super) fn for_several(&mut self, point: InsertPoint, looped: scf::ForOp) -> bool {
        let Some(mut steps) = steps(self.ir, looped).filter(|_| self.unit == Unit::Thread) else {
            return false;
        };
        let inits = looped.init_args(self.ir);
        if inits.iter().any(|&init| self.in_memory(init)) {
            return false;
        }
        let lanes = steps.lanes;
        steps.reads.retain(|&read| self.starts_aligned(read, lanes));
        if steps.reads.is_empty() {
            return false;
        }
        let Some(block) = self.ir.entry_block(self.ir.region(looped.op(), 0)) else {
            return false;
        };
        let args = self.ir.block_args(block).to_vec();
        let inits: Vec<Value> = inits.into_iter().map(|init| self.inside(init)).collect();
        let mut b = self.at(point);
        let [lower, upper] = steps.bounds.map(|bound| constant(&mut b, bound));
        let step = constant(&mut b, lanes);
        let results = self.for_loop(
            point,
            (lower, upper, step),
            &inits,
            |kernel, point, first, carried| {
                let vectors: Vec<(Read, Vec<Value>)> = steps
                    .reads
                    .iter()
                    .map(|&read| (read, kernel.load_along(point, read, first, lanes)))
                    .collect();
                let mut carried = carried.to_vec();
                for lane in 0..lanes {
                    let mut b = kernel.at(point);
                    let lane_value = constant(&mut b, lane);
                    let at = if lane == 0 {
                        first
                    } else {
                        add(&mut b, first, lane_value)
                    };
                    kernel.values.map(args[0], at);
                    for (&arg, &value) in args[1..].iter().zip(&carried) {
                        kernel.values.map(arg, value);
                    }
                    let of_lane =
                        |row: &(Read, Vec<Value>)| Some((row.0, *row.1.get(lane as usize)?));
                    let around = std::mem::replace(
                        &mut kernel.given,
                        vectors.iter().filter_map(of_lane).collect(),
                    );
                    let terminator = kernel.emit_block(point, block);
                    kernel.given = around;
                    let Some(terminator) = terminator else { break };
                    let yielded: Vec<Value> = kernel.ir.operands(terminator).collect();
                    carried = yielded
                        .into_iter()
                        .map(|value| kernel.inside(value))
                        .collect();
                }
                carried
            },
        );
        let old: Vec<Value> = self.ir.results(looped.op()).collect();
        for (old, new) in old.into_iter().zip(results) {
            self.values.map(old, new);
        }
        true
    }

    /// Whether the rows of the array that is read lie in shared memory, at multiples of the lanes.
    fn starts_aligned(&self, read: Read, lanes: i64) -> bool {
        if self.staged_for(read).is_some() || self.is_own(read.tensor(self.ir)) {
            return false;
        }
        let Some(array) = self.arrays.get(&read.tensor(self.ir)) else {
            return false;
        };
        let row = match (array.pitch, array.extents.as_slice()) {
            (Some(pitch), _) => Some(pitch.elements),
            (None, [_]) => Some(0),
            (None, extents) => extents.last().and_then(|&extent| self.known_extent(extent)),
        };
        matches!(array.memory, Memory::Shared(_))
            && (array.offset.is_none() || self.is_in_ring(read.tensor(self.ir)))
            && array.stride.is_none()
            && array.pitch.is_none_or(|pitch| pitch.keeps_together(lanes))
            && row.is_some_and(|row| row % lanes == 0)
    }

    /// The elements of a row from number `first` on.
    fn load_along(
        &mut self,
        point: InsertPoint,
        read: Read,
        first: Value,
        lanes: i64,
    ) -> Vec<Value> {
        let Some(array) = self.arrays.get(&read.tensor(self.ir)).cloned() else {
            return Vec::new();
        };
        let Some(buffer) = array.memory.buffer() else {
            return Vec::new();
        };
        let old = read.indices(self.ir);
        let mut indices: Vec<Value> = old[..old.len() - 1]
            .iter()
            .map(|&index| self.inside(index))
            .collect();
        indices.push(first);
        let linear = self.linear(point, &array, &indices);
        let at = self.position(point, &array, linear);
        self.now_reads(&array);
        let alignment = element_bytes(self.ir, array.element).unwrap_or(1) * lanes;
        let mut b = self.at(point);
        let ty = b.ctx().vector(&[lanes], array.element);
        let alignment = b.ctx().i64_attr(alignment);
        let vector = vector::LoadOp::builder()
            .base(buffer)
            .indices(&[at])
            .alignment(alignment)
            .result_type(ty)
            .build(&mut b)
            .result(b.ir);
        let elements = vector::ToElementsOp::build(&mut b, vector).op();
        self.ir.results(elements).collect()
    }
}
