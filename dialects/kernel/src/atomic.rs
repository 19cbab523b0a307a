//! Operators whose values are combined into elements of memory in one indivisible step each, without locks.
//!
//! A value can be, where it is computed from its own two operands and what is known outside, and is an integer or float of
//! 16, 32 or 64 bits. This is decided for each value of an operator that combines several: those that need each other's
//! operands take locks together (two words cannot be exchanged at once), any other goes its own way.
//!
//! Legality: the operator does nothing beside computing its values, so that no check of it is lost. No op that the value is
//! computed by has side effects or reads an array (what is computed between reading an element and exchanging it is done
//! again where another thread came between). Elements of 8 bits and bools need locks: the hardware compares and swaps 16 bits
//! at least, and the wider word around an element may reach beyond the array's last one. So do values of type `index`,
//! which no atomic op takes. [`instructions`] says which are atomics of the hardware.

use crate::operator::is_commutative;
use segra_ir::interfaces::own_effects;
use segra_ir::{Block, Ir, Op, Region, Type, Value};
use segra_pass::analysis::operator::{Slice, independent_values, only_computes};
use segra_std::memref::AtomicRmwKind;

/// The values of an operator, by number, by how they are combined into memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// By an atomic each.
    pub atomic: Vec<usize>,
    /// Under a lock.
    pub locked: Vec<usize>,
}

/// Whether atomics can combine all values of an operator, in any order.
pub fn by_atomics(ir: &Ir, combine: Region) -> bool {
    is_commutative(ir, combine) && Ways::any_order(ir, combine).locked.is_empty()
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

impl Ways {
    /// Values by atomics where there are any; the others under locks.
    pub fn any_order(ir: &Ir, combine: Region) -> Ways {
        Ways::of(ir, combine, |_| true)
    }

    /// Values by atomics where the order of the updates makes no difference, bit for bit, for no float is rounded; the
    /// others under locks.
    pub fn same_in_any_order(ir: &Ir, combine: Region) -> Ways {
        Ways::of(ir, combine, |ops| ops.iter().all(|&op| is_exact(ir, op)))
    }

    /// `fits`: whether a value that is computed by these ops may be done by an atomic.
    fn of(ir: &Ir, combine: Region, fits: impl Fn(&[Op]) -> bool) -> Ways {
        let mut ways = Ways::default();
        let Some((block, last)) = ir
            .entry_block(combine)
            .and_then(|block| Some((block, ir.last_op(block)?)))
        else {
            return ways;
        };
        let groups = independent_values(ir, block);
        let checks_nothing = only_computes(ir, block);
        for (index, value) in ir.operands(last).enumerate() {
            let ops = ops_of(ir, block, value);
            let alone = checks_nothing && groups.contains(&vec![index]);
            match alone && can_swap(ir, &ops, value) && fits(&ops) {
                true => ways.atomic.push(index),
                false => ways.locked.push(index),
            }
        }
        ways
    }
}

/// The ops that a value of the operator is computed by, with what is inside of them.
fn ops_of(ir: &Ir, block: Block, value: Value) -> Vec<Op> {
    let slice = Slice::of(ir, block, &[value]).ops;
    slice.into_iter().flat_map(|op| ir.walk(op)).collect()
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
    matches!(bits(ir, ty), Some(16 | 32 | 64))
}

/// Of a number.
fn bits(ir: &Ir, ty: Type) -> Option<u32> {
    let float = ty.float_kind(ir.ctx()).map(|kind| kind.width());
    ty.integer_width(ir.ctx()).or(float)
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

/// The atomic of the hardware that each value of an operator is, if it can be an atomic: one op of its own two operands, of 32 or
/// 64 bits. Others are compared and swapped.
pub fn instructions(ir: &Ir, combine: Region) -> Vec<Option<AtomicRmwKind>> {
    let ends = ir
        .entry_block(combine)
        .and_then(|block| Some((block, ir.last_op(block)?)));
    let Some((block, last)) = ends else {
        return Vec::new();
    };
    let values = ir.operands(last).enumerate();
    values
        .map(|(index, value)| instruction(ir, block, index, value))
        .collect()
}

/// The atomic of the hardware that a value of the operator is.
fn instruction(ir: &Ir, block: Block, index: usize, value: Value) -> Option<AtomicRmwKind> {
    let op = ir.defining_op(value)?;
    let operands: Vec<Value> = ir.operands(op).collect();
    let [a, b] = own_operands(ir, block, index);
    let own = operands == [a, b] || operands == [b, a];
    let wide = matches!(bits(ir, ir.value_type(value)), Some(32 | 64));
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
