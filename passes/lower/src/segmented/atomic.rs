//! Values of operators that are combined into elements of memory by atomics ([`segra_kernel::atomic`] says which can be):
//!
//! | a value of the operator is | by |
//! |---|---|
//! | one op of its own two operands, of 32 or 64 bits, that the hardware has an atomic for | `memref.atomic_rmw` |
//! | any other | `memref.generic_atomic_rmw`, which the exit to upstream makes a loop of compare-and-swap |

use crate::access::{atomic, bit_width};
use crate::kernel::Kernel;
use segra_ir::{Block, InsertPoint, Ir, OpView, Region, Value};
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
        let ends = ir
            .entry_block(combine)
            .and_then(|block| Some((block, ir.last_op(block)?)));
        let instructions = ends.map_or_else(Vec::new, |(block, last)| {
            ir.operands(last)
                .enumerate()
                .map(|(index, value)| instruction(ir, block, index, value))
                .collect()
        });
        Atomics {
            region: combine,
            instructions,
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

/// The atomic of the hardware that a value of the operator is.
fn instruction(ir: &Ir, block: Block, index: usize, value: Value) -> Option<AtomicRmwKind> {
    let op = ir.defining_op(value)?;
    let operands: Vec<Value> = ir.operands(op).collect();
    let [a, b] = own_operands(ir, block, index);
    let own = operands == [a, b] || operands == [b, a];
    let wide = matches!(bit_width(ir.ctx(), ir.value_type(value)), Some(32 | 64));
    kind(ir.op_name_str(op)).filter(|_| own && wide)
}

fn kind(name: &str) -> Option<AtomicRmwKind> {
    Some(match name {
        "arith.addf" => AtomicRmwKind::Addf,
        "arith.addi" => AtomicRmwKind::Addi,
        "arith.andi" => AtomicRmwKind::Andi,
        "arith.maxsi" => AtomicRmwKind::Maxs,
        "arith.maxui" => AtomicRmwKind::Maxu,
        "arith.minsi" => AtomicRmwKind::Mins,
        "arith.minui" => AtomicRmwKind::Minu,
        "arith.ori" => AtomicRmwKind::Ori,
        "arith.xori" => AtomicRmwKind::Xori,
        _ => return None,
    })
}

/// The operands of the operator that its value numbered `index` is combined from.
fn own_operands(ir: &Ir, block: Block, index: usize) -> [Value; 2] {
    let args = ir.block_args(block);
    [args[index], args[args.len() / 2 + index]]
}
