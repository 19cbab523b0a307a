//! The accesses of an op's body at each index, as far as which thread touches which sector depends on them.
//!
//! An index of an array is one of the space's dimensions, up to a constant that is the same for all threads; or the same
//! for all threads: a value from outside, a loop's counter; or anything else, which is taken to be another one for every
//! thread. Reads inside of loops count once for each trip. Where a thread takes several neighbours ([`segra_kernel::vector`]), an
//! element of the innermost dimension is a piece of so many.

use segra_ir::interfaces::LoopLike;
use segra_ir::{Ir, Op, Value};
use segra_kernel::access::Read;
use segra_kernel::mapping::Mapped;
use segra_kernel::segop::{SegMapOp, SegmentedOp};
use segra_kernel::vector::{element_bytes, vector_of};
use segra_space::{ASSUMED_EXTENT, Access, Group, Place};
use segra_std::arith::{AddIOp, SubIOp};
use segra_std::scf::ForOp;

/// The accesses of an op whose space is mapped to threads; none where several threads run an index together, which share
/// its accesses in the same way under every mapping.
pub(super) fn accesses(ir: &Ir, op: Op, mapped: &Mapped) -> Vec<Access> {
    let body = ir
        .interface::<dyn SegmentedOp>(op)
        .and_then(|model| ir.entry_block(model.body(ir, op)));
    let Some(body) = body.filter(|_| mapped.group == Group::Thread) else {
        return Vec::new();
    };
    let rank = mapped.extents.len();
    let space = Space {
        ir,
        op,
        args: ir.block_args(body),
        // All dimensions in one, of pieces.
        flat: rank < ir.block_args(body).len(),
        lanes: vector_of(ir, op).unwrap_or(1),
    };
    let reads = ir
        .walk(op)
        .into_iter()
        .filter_map(|inner| Read::of(ir, inner));
    let mut found: Vec<Access> = reads
        .filter(|read| !ir.is_defined_inside(read.tensor(ir), op))
        .map(|read| Access {
            times: space.times(read.op()),
            ..space.access(&read.indices(ir), read.result(ir))
        })
        .collect();
    for result in ir.results(op) {
        let indices = match ir.isa::<SegMapOp>(op) {
            true => space.args.iter().map(|&arg| space.place(arg)).collect(),
            false => vec![Place::Scattered],
        };
        found.push(space.sized(indices, result));
    }
    found
}

struct Space<'a> {
    ir: &'a Ir,
    op: Op,
    args: &'a [Value],
    flat: bool,
    lanes: i64,
}

impl Space<'_> {
    fn access(&self, indices: &[Value], element: Value) -> Access {
        self.sized(
            indices.iter().map(|&index| self.place(index)).collect(),
            element,
        )
    }

    fn sized(&self, indices: Vec<Place>, element: Value) -> Access {
        let ty = self.ir.value_type(element).element_or_self(self.ir.ctx());
        let bytes = element_bytes(self.ir, ty).unwrap_or(8);
        let whole = self.flat && indices.len() == self.args.len();
        Access {
            indices: if whole {
                vec![Place::Dimension(0)]
            } else {
                indices
            },
            bytes: bytes * self.lanes,
            times: 1,
        }
    }

    /// Trips of the loops around an op of the body.
    fn times(&self, inner: Op) -> u32 {
        let around = self.ir.ancestors(inner).skip(1);
        let loops = around
            .take_while(|&around| around != self.op)
            .filter_map(|around| Some((self.ir.interface::<dyn LoopLike>(around)?, around)));
        let trips = loops.map(|(model, looped)| match model.trip_count(self.ir, looped) {
            Some(trips) => u32::try_from(trips).unwrap_or(u32::MAX),
            None => ASSUMED_EXTENT,
        });
        trips.fold(1, u32::saturating_mul)
    }

    fn place(&self, index: Value) -> Place {
        if let Some(dim) = self.args.iter().position(|&arg| arg == index) {
            return Place::Dimension(dim);
        }
        if !self.ir.is_defined_inside(index, self.op) || self.ir.constant_int(index).is_some() {
            return Place::Uniform;
        }
        let Some(made) = self.ir.defining_op(index) else {
            // A counter goes through its values for all threads alike.
            return match self.is_counter(index) {
                true => Place::Uniform,
                false => Place::Scattered,
            };
        };
        if !self.ir.isa::<AddIOp>(made) && !self.ir.isa::<SubIOp>(made) {
            return Place::Scattered;
        }
        let mut operands = self.ir.operands(made).map(|operand| self.place(operand));
        match (operands.next(), operands.next()) {
            (Some(Place::Uniform), Some(Place::Uniform)) => Place::Uniform,
            (Some(Place::Dimension(dim)), Some(Place::Uniform))
            | (Some(Place::Uniform), Some(Place::Dimension(dim))) => Place::Dimension(dim),
            _ => Place::Scattered,
        }
    }

    fn is_counter(&self, value: Value) -> bool {
        let block = self.ir.value_block(value);
        let around = block.and_then(|block| self.ir.block_parent(block));
        around
            .and_then(|op| self.ir.cast::<ForOp>(op))
            .is_some_and(|looped| looped.induction_var(self.ir) == value)
    }
}
