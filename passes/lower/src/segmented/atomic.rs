//! Operators whose values are combined into elements of memory in one indivisible step each, without locks.
//!
//! | a value of the operator is | how |
//! |---|---|
//! | one op of its own two operands, of 32 or 64 bits, that the hardware has an atomic for | `memref.atomic_rmw` |
//! | computed from its own two operands and what is known outside, an integer or float of 16, 32 or 64 bits | `memref.generic_atomic_rmw`, which the exit to upstream makes a loop of compare-and-swap |
//! | anything else | none: who combines takes a lock |
//!
//! Legality of the second way: no op of the operator has side effects or reads an array (what is computed between reading
//! an element and exchanging it is done again where another thread came between), and no value needs an operand of
//! another one (two words cannot be exchanged at once). Elements of 8 bits and bools keep locks: the hardware compares
//! and swaps 16 bits at least, and the wider word around an element may reach beyond the array's last one. So do values of
//! type `index`, which memref's atomic ops do not take.

use crate::kernel::{Kernel, atomic, bit_width};
use segra_ir::interfaces::own_effects;
use segra_ir::{Block, InsertPoint, Ir, Op, OpView, Region, Type, Value};
use segra_std::memref::{AtomicRmwKind, AtomicYieldOp, GenericAtomicRmwOp};

/// How an operator is applied to elements of memory, value by value.
#[derive(Clone, Debug)]
pub(crate) struct Atomics {
    region: Region,
    steps: Vec<Step>,
    /// Whether results are the same, bit for bit, whatever the order of the updates: no float is rounded.
    pub(crate) exact: bool,
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
    /// The atomics of an operator; none where some value needs a lock.
    pub(crate) fn of(ir: &Ir, combine: Region) -> Option<Atomics> {
        let block = ir.entry_block(combine)?;
        let last = ir.last_op(block)?;
        let ops: Vec<Op> = ir.ops(block).flat_map(|op| ir.walk(op)).collect();
        let step = |(index, value)| {
            instruction(ir, block, index, value)
                .map(Step::Instruction)
                .or_else(|| can_swap(ir, block, &ops, index, value).then_some(Step::Swap))
        };
        let steps: Option<Vec<Step>> = ir.operands(last).enumerate().map(step).collect();
        let exact = ops.iter().all(|&op| is_exact(ir, op));
        Some(Atomics { region: combine, steps: steps?, exact })
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
            Some(&Step::Instruction(kind)) => {
                atomic(&mut kernel.at(point), kind, values[index], buffer, at);
            }
            Some(Step::Swap) => self.swap(kernel, point, index, values, (buffer, at)),
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
        // The other values are computed, too, from whatever is at hand: nobody uses them, and clean-up drops them.
        let mut args = [values, values].concat();
        args[index] = kernel.ir.block_args(block)[0];
        let combined = kernel.inline(inside, self.region, &args);
        AtomicYieldOp::build(&mut kernel.at(inside), combined[index]);
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

fn can_swap(ir: &Ir, block: Block, ops: &[Op], index: usize, value: Value) -> bool {
    let plain = ops.iter().all(|&op| {
        let name = ir.op_name_str(op);
        !name.starts_with("kernel.") || name == "kernel.return"
    });
    let pure = ops.iter().all(|&op| own_effects(ir, op).is_some_and(|effects| effects.is_empty()));
    plain && pure && is_swapped(ir, ir.value_type(value)) && needs_own_operands(ir, block, index, value)
}

/// Whether elements of a type are compared and swapped.
fn is_swapped(ir: &Ir, ty: Type) -> bool {
    matches!(bit_width(ir.ctx(), ty), Some(16 | 32 | 64))
}

/// Whether a value is computed from no operands of the operator but its own two.
fn needs_own_operands(ir: &Ir, block: Block, index: usize, value: Value) -> bool {
    let own = own_operands(ir, block, index);
    let args = ir.block_args(block);
    let Some(owner) = ir.block_parent(block) else { return false };
    let mut seen = rustc_hash::FxHashSet::default();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        if !seen.insert(value) || !ir.is_defined_inside(value, owner) {
            continue;
        }
        if args.contains(&value) {
            if !own.contains(&value) {
                return false;
            }
            continue;
        }
        // The argument of a nested block comes from the op around it.
        let op = ir.defining_op(value).or_else(|| ir.block_parent(ir.value_block(value)?));
        let Some(op) = op else { return false };
        pending.extend(ir.walk(op).into_iter().flat_map(|op| ir.operands(op)));
    }
    true
}

/// Whether an op rounds no float.
fn is_exact(ir: &Ir, op: Op) -> bool {
    let name = ir.op_name_str(op);
    let float = |value: Value| ir.value_type(value).element_or_self(ir.ctx()).is_float(ir.ctx());
    let structured = name.starts_with("scf.") || name == "kernel.return";
    structured || EXACT.contains(&name) || !ir.operands(op).chain(ir.results(op)).any(float)
}
