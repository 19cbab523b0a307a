//! Operators whose values are combined into elements of memory in one indivisible step each, without locks.
//!
//! | a value of the operator is | how |
//! |---|---|
//! | one op of its own two operands, of 32 or 64 bits, that the hardware has an atomic for | `memref.atomic_rmw` |
//! | computed from its own two operands and what is known outside, an integer or float of 16, 32 or 64 bits | `memref.generic_atomic_rmw`, which the exit to upstream makes a loop of compare-and-swap |
//! | anything else | none: who combines takes a lock |
//!
//! The way is chosen for each value of an operator that combines several: those that need each other's operands take locks
//! together (two words cannot be exchanged at once), any other goes its own way.
//!
//! Legality of the second way: no op that the value is computed by has side effects or reads an array (what is computed
//! between reading an element and exchanging it is done again where another thread came between). Elements of 8 bits and
//! bools keep locks: the hardware compares and swaps 16 bits at least, and the wider word around an element may reach beyond
//! the array's last one. So do values of type `index`, which memref's atomic ops do not take.

use crate::access::{atomic, bit_width};
use crate::kernel::Kernel;
use segra_ir::interfaces::own_effects;
use segra_ir::{Block, InsertPoint, Ir, Op, OpView, Region, Type, Value};
use segra_pass::analysis::operator::{Slice, independent_values};
use segra_std::memref::{AtomicRmwKind, AtomicYieldOp, GenericAtomicRmwOp};

/// How an operator is applied to elements of memory, value by value.
#[derive(Clone, Debug)]
pub(crate) struct Atomics {
    region: Region,
    /// By value; `None`: it needs a lock.
    steps: Vec<Option<Step>>,
    /// By value: whether results are the same, bit for bit, whatever the order of the updates, for no float is rounded.
    exact: Vec<bool>,
}

/// The values of an operator, by number, by how they are combined into memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ways {
    /// By an atomic each.
    pub(crate) atomic: Vec<usize>,
    /// Under a lock.
    pub(crate) locked: Vec<usize>,
}

/// How one value is combined into its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// By an atomic of the hardware.
    Instruction(AtomicRmwKind),
    /// By compare-and-swap.
    Swap,
}

/// Float ops that give one of their operands, or one with another sign: nothing is rounded.
const EXACT: &[&str] = &[
    "arith.cmpf",
    "arith.constant",
    "arith.maximumf",
    "arith.maxnumf",
    "arith.minimumf",
    "arith.minnumf",
    "arith.negf",
    "arith.select",
    "math.absf",
    "math.copysign",
];

impl Atomics {
    /// The atomics of an operator's values.
    pub(crate) fn of(ir: &Ir, combine: Region) -> Atomics {
        let mut atomics = Atomics {
            region: combine,
            steps: Vec::new(),
            exact: Vec::new(),
        };
        let Some(block) = ir.entry_block(combine) else {
            return atomics;
        };
        let Some(last) = ir.last_op(block) else {
            return atomics;
        };
        let alone = independent_values(ir, block)
            .into_iter()
            .filter(|group| group.len() == 1)
            .flatten();
        let alone: Vec<usize> = alone.collect();
        for (index, value) in ir.operands(last).enumerate() {
            let slice = Slice::of(ir, block, &[value]).ops;
            let ops: Vec<Op> = slice.into_iter().flat_map(|op| ir.walk(op)).collect();
            let step = instruction(ir, block, index, value)
                .map(Step::Instruction)
                .or_else(|| can_swap(ir, &ops, value).then_some(Step::Swap));
            atomics.steps.push(step.filter(|_| alone.contains(&index)));
            atomics.exact.push(ops.iter().all(|&op| is_exact(ir, op)));
        }
        atomics
    }

    /// Values by atomics where there are any; the others under locks.
    pub(crate) fn any_order(&self) -> Ways {
        self.ways(|_| true)
    }

    /// Values by atomics where the order of the updates makes no difference; the others under locks.
    pub(crate) fn same_in_any_order(&self) -> Ways {
        self.ways(|index| self.exact[index])
    }

    fn ways(&self, fits: impl Fn(usize) -> bool) -> Ways {
        let is_atomic = |&index: &usize| self.steps[index].is_some() && fits(index);
        let (atomic, locked) = (0..self.steps.len()).partition(is_atomic);
        Ways { atomic, locked }
    }

    /// Combines the value numbered `index` of `values` into an element of a buffer.
    pub(crate) fn update(
        &self,
        kernel: &mut Kernel<'_>,
        point: InsertPoint,
        index: usize,
        values: &[Value],
        (buffer, at): (Value, Value),
    ) {
        match self.steps.get(index) {
            Some(&Some(Step::Instruction(kind))) => {
                atomic(&mut kernel.at(point), kind, values[index], buffer, at);
            }
            Some(Some(Step::Swap)) => self.swap(kernel, point, index, values, (buffer, at)),
            Some(None) | None => {}
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

fn can_swap(ir: &Ir, ops: &[Op], value: Value) -> bool {
    let reads_nothing = ops
        .iter()
        .all(|&op| !ir.op_name_str(op).starts_with("kernel."));
    let pure = ops
        .iter()
        .all(|&op| own_effects(ir, op).is_some_and(|effects| effects.is_empty()));
    reads_nothing && pure && is_swapped(ir, ir.value_type(value))
}

/// Whether elements of a type are compared and swapped.
fn is_swapped(ir: &Ir, ty: Type) -> bool {
    matches!(bit_width(ir.ctx(), ty), Some(16 | 32 | 64))
}

/// Whether an op rounds no float.
fn is_exact(ir: &Ir, op: Op) -> bool {
    let name = ir.op_name_str(op);
    let float = |value: Value| {
        ir.value_type(value)
            .element_or_self(ir.ctx())
            .is_float(ir.ctx())
    };
    let structured = name.starts_with("scf.");
    structured || EXACT.contains(&name) || !ir.operands(op).chain(ir.results(op)).any(float)
}
