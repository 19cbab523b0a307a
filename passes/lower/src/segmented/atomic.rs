//! Values of operators that are combined into elements of memory by atomics ([`segra_kernel::atomic`] says which can be):
//!
//! | a value of the operator is | by |
//! |---|---|
//! | one op of its own two operands, of 32 or 64 bits, that the hardware has an atomic for | `memref.atomic_rmw` |
//! | any other | `memref.generic_atomic_rmw`, which the exit to upstream makes a loop of compare-and-swap |

use crate::access::atomic;
use crate::kernel::Kernel;
use segra_ir::{InsertPoint, Ir, OpView, Region, Value};
use segra_kernel::atomic::instructions;
use segra_std::memref::{AtomicRmwKind, AtomicYieldOp, GenericAtomicRmwOp};

/// How an operator is applied to elements of memory, value by value.
#[derive(Clone, Debug)]
pub(crate) struct Atomics {
    region: Region,
    /// By value: the atomic of the hardware that it is; `None`: compare-and-swap.
    instructions: Vec<Option<AtomicRmwKind>>,
}

impl Atomics {
    /// The atomics of an operator's values.
    pub(crate) fn of(ir: &Ir, combine: Region) -> Atomics {
        Atomics {
            region: combine,
            instructions: instructions(ir, combine),
        }
    }

    /// Combines the value numbered `index` of `values`, which atomics can do, into an element of a buffer.
    pub(crate) fn update(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        index: usize,
        values: &[Value],
        (buffer, at): (Value, Value),
    ) {
        match self.instructions.get(index) {
            Some(&Some(kind)) => {
                atomic(&mut kernel.at(point), kind, values[index], buffer, at);
            }
            Some(None) => self.swap(kernel, point, index, values, (buffer, at)),
            None => {}
        }
    }

    fn swap(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        index: usize,
        values: &[Value],
        (buffer, at): (Value, Value),
    ) {
        let ty = kernel.ir.value_type(values[index]);
        let op = GenericAtomicRmwOp::build(&mut kernel.at(point), buffer, &[at], ty).op();
        let region = kernel.ir.region(op, 0);
        let block = kernel.ir.add_block(region, &[ty]);
        let inside = InsertPoint::End(block);
        let mut args = [values, values].concat();
        args[index] = kernel.ir.block_args(block)[0];
        for combined in kernel.inline_some(inside, self.region, &args, &[index]) {
            AtomicYieldOp::build(&mut kernel.at(inside), combined);
        }
    }
}
